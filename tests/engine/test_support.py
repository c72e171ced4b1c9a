"""What goes with what: the page is the table, every row refuses, and what no row names is solved."""

import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from here import work_here
from ruled import RuledGame

from guesstree.api.certificate import prove
from guesstree.api.strategy import strategy_of
from guesstree.cext import counted
from guesstree.engine.combinations import page
from guesstree.engine.errors import GuesstreeError
from guesstree.engine.exact import Number
from guesstree.engine.game import Game
from guesstree.engine.games.phrases import PhraseGame
from guesstree.engine.kits.kit import least_kit
from guesstree.engine.kits.oracle import least_staged_by_listing
from guesstree.engine.kits.staged import staged_kit
from guesstree.engine.leaf_limits import LeafLimits
from guesstree.engine.mixed.oracle import model_vectors, paid_on_average, vectors
from guesstree.engine.mixed.solve import solve_mixed
from guesstree.engine.noisy import oracle
from guesstree.engine.noisy.leaf_oracle import leaf_costs
from guesstree.engine.noisy.model import Model
from guesstree.engine.objective import EXPECTED, OBJECTIVES, WIN_PROBABILITY, WORST
from guesstree.engine.oracle import least, least_with_lies
from guesstree.engine.search.bounds import bounds
from guesstree.engine.search.solve import solve
from guesstree.engine.support import EXACT, FEATURES, LARGEST, MIXED, REFUSED, Request, require
from guesstree.engine.tables.dichotomous import SplitTable
from guesstree.engine.tables.table import Content, TableGame
from guesstree.trees.check import check

PAGE = Path(__file__).parent.parent.parent / "docs" / "combinations.md"
SECRETS = ["a", "b", "c"]
CELLS = [["W", "x", "y"], ["y", "W", "x"], ["y", "x", "W"], ["x", "y", "y"]]


def with_weights(game: Game) -> None:
    game.weights = [3, 1, 2]


def with_costs(game: Game) -> None:
    game.costs = np.array([[1, 2, 1], [2, 1, 1], [1, 1, 1], [1, 3, 1]])[:, : len(game.responses)]


def with_many_responses(game: Game) -> None:
    game.responses = (*game.responses, *(f"r{i}" for i in range(300)))
    if isinstance(game, TableGame):
        game.answered = len(game.responses)  # as if one guess got all of them
    if game.costs is not None:
        game.costs = np.ones((4, len(game.responses)), dtype=np.int64)


def with_missing_cells(game: Game) -> None:
    game.kinds = list(game.secrets)


def with_several_answers(game: Game) -> None:
    certain = [[{int(answer): Fraction(1)} for answer in row] for row in game.table().tolist()]
    if game.costs is not None:
        game.costs = np.ascontiguousarray(np.repeat(game.costs[:, :1], len(game.responses), axis=1))
    prices = [1] * len(certain) if game.costs is None else game.costs[:, 0].tolist()
    game.model = Model(tuple(map(tuple, certain)), tuple(game.weights or (1, 1, 1)), tuple(prices))


def with_failures(game: Game) -> None:
    if game.model is None:
        with_several_answers(game)
    assert game.model is not None
    game.model = replace(game.model, failures=1, silent=len(game.responses))
    game.responses = (*game.responses, "?")
    if game.costs is not None:
        game.costs = np.hstack([game.costs, game.costs[:, :1]])


def with_varying_tests(game: Game) -> None:
    if game.model is None:
        with_several_answers(game)
    assert game.model is not None
    game.model = replace(game.model, after=(frozenset({1}), *[frozenset[int]()] * (len(game.guesses) - 1)))


def with_two_answers(game: Game) -> None:
    cells = [tuple(game.responses[r] for r in row) for row in game.table().tolist()]
    orders = ((),) * len(cells)
    split = SplitTable(
        "table:t", Content(tuple(game.guesses), tuple(game.secrets), tuple(cells), orders=orders)
    )
    game.model, game.guesses, game.responses = split.model, split.guesses, split.responses
    game.weights, game.costs = None, split.costs


GAMES: dict[str, Callable[[Game], None]] = {
    "weights": with_weights,
    "costs": with_costs,
    "many responses": with_many_responses,
    "missing cells": with_missing_cells,
    "several answers": with_several_answers,
    "failures": with_failures,
    "varying tests": with_varying_tests,
    "two answers": with_two_answers,
}
BUDGET = 1
"""With so little, some secrets are lost."""
OPTIONS: dict[str, dict[str, Any]] = {
    **{
        one.group: {"objective": name} | ({"budget": BUDGET} if one.budgeted else {})
        for name, one in OBJECTIVES.items()
    },
    "to win": {"goal": "win"},
    "to identify": {"goal": "identify"},
    "lies": {"lies": 1},
    "depth limit": {"max_depth": 9},
    "limits of leaves": {"leaves": LeafLimits(max_leaves=9)},
    "price of leaves": {"leaves": LeafLimits(leaf_price=Fraction(1, 4))},
    "first guess": {"first": "a"},
    "candidates only": {"candidates_only": True},
    "budget": {"budget": BUDGET},
    "no budget": {"objective": EXPECTED.name, "budget": None},
    "one-step method": {"method": "entropy"},
    "method for a budget": {
        "objective": WIN_PROBABILITY.name,
        "budget": BUDGET,
        "method": "win-chance",
        "needs_budget": True,
    },
    "beam": {"width": 2},
    "threads": {"jobs": min(2, counted.MOST_JOBS)},  # the plain twin has one
    "bounds": {"bounds": True},
    "certificate": {"certificate": True},
    "cluster": {"certificate": True, "cluster": "ray"},
    "trust": {"trust": True},
    "bound to prove": {"certificate": True, "at_least": 1},
    "tools": {"tool": "evolution"},
    "advice": {"advice": True},
    "mixing maker": {"maker": MIXED},
    "cheating host": {"maker": LARGEST},
    "questions at once": {"planned": True},
    "several stages": {"planned": True, "stages": 2},
}
USUAL = {"lies": WORST.name, "budget": WIN_PROBABILITY.name, "failures": WORST.name}
"""The objective that an option is for, where a request has none."""


def game_with(features: tuple[str, ...]) -> Game:
    """Return a small game that has these features, of those that games have."""
    rules = not {"rules", "rules of no checker"}.isdisjoint(features)
    win = "no winning response" not in features
    kind = RuledGame if rules else TableGame
    cells = CELLS if win else [[cell.replace("W", "z") for cell in row] for row in CELLS]
    game = kind("table:small", [*SECRETS, "d"], SECRETS, cells, "W" if win else None)
    for name in GAMES:  # costs after weights, many responses after costs
        if name in features:
            GAMES[name](game)
    if isinstance(game, RuledGame):
        needs = [int(response == 1) for response in range(len(game.responses))]
        game.features, game.needs = [1, 1, 1, 0], [needs] * 4
    return game


def request_of(features: tuple[str, ...]) -> Request:
    """Return a request that has these features."""
    phrases = PhraseGame("hangman:small", {"a": 1, "b": 1}, {"c": 1})
    game = phrases if "phrases not listed" in features else game_with(features)
    unnamed = {"no winning response", "several answers", "failures", "varying tests", "phrases not listed"}
    unnamed.add("two answers")
    named = not unnamed.isdisjoint(features)
    objectives = [USUAL[name] for name in features if name in USUAL]
    options: dict[str, Any] = {"goal": "identify" if named else "win"}
    options |= {"objective": objectives[0]} if objectives else {}
    for name in features:
        options |= OPTIONS.get(name, {})
    return Request(game, **options)


def truth_of(request: Request) -> tuple[Any, ...] | None:
    """Return the optimum, by trying everything; where tests may fail to answer, whatever is asked first."""
    game, most = request.game, request.max_depth
    if request.lies:
        first = None if request.first is None else game.guess_index(request.first)
        return least_with_lies(game, request.goal, request.objective, request.lies, first, most)
    if request.leaves is not None:
        return truth_with_leaves(request)
    if game.facts.failing:
        assert game.model is not None
        return only(oracle.worst(game.model, most))
    limits: dict[str, Any] = {"candidates_only": request.candidates_only}
    limits |= {"max_depth": most} if request.budget is None else {"budget": request.budget}
    first = None if request.first is None else game.guess_index(request.first)
    return least(game, request.goal, request.objective, first=first, **limits)


def truth_with_leaves(request: Request) -> tuple[Any, ...]:
    """Return the optimum within limits of leaves, by trying all trees."""
    model, limits = request.game.model, request.leaves
    assert model is not None
    assert limits is not None
    first = None if request.first is None else request.game.guess_index(request.first)
    price, found, limit = limits.leaf_price or 0, list[Any](), None
    for figure in OBJECTIVES[request.objective].figures:
        worst = figure == "worst"
        if worst and found:  # the least limit that the least total keeps
            trees = [leaf_costs(model, limit=n, first=first) for n in range(20)]
            totals = [min((c + n * price for n, c in one.items()), default=None) for one in trees]
            found.append(totals.index(found[0] / sum(model.weights)))
            continue
        every = leaf_costs(model, worst=worst, most=request.max_depth, limit=limit, first=first)
        least = min(cost + (0 if worst else leaves * price) for leaves, cost in every.items())
        limit = least if worst else limit
        found.append(least if worst else least * sum(model.weights))
    return tuple(found)


def only(value: Any) -> tuple[Any, ...] | None:
    return None if value is None else (value,)


def test_the_page_is_what_the_table_says() -> None:
    assert PAGE.read_text() == page()


@pytest.mark.parametrize("number", range(len(REFUSED)))
def test_every_row_refuses_in_one_line(number: int) -> None:
    row = REFUSED[number]
    features = tuple(group[0] for group in row.groups)
    request = request_of(features)
    assert all(FEATURES[name](request) for name in features)
    with pytest.raises(GuesstreeError) as error:
        require(request)
    assert str(error.value) == row.text.format(r=request)
    assert re.search("; .*(use|expected|allow) ", str(error.value)) and "\n" not in str(error.value)


NO_SEARCH = ("tools", "advice", "mixing maker", "cheating host", "questions at once", "several stages")
SOLVED = [
    name
    for name in FEATURES
    if name not in (*NO_SEARCH, "phrases not listed", "varying tests", "two answers")
]
"""What a search may be asked for, or refuses by this table; it refuses phrases by their number."""

MIXABLE = [name for name in SOLVED if not name.startswith("no ")]


@pytest.mark.parametrize("name", MIXABLE)
def test_what_no_row_names_is_solved_against_a_maker_who_mixes(name: str) -> None:
    """The value is proven, and both mixtures reach it, or it is refused."""
    request = request_of((name, "mixing maker"))
    if not FEATURES[name](request):
        return
    if any(row.refuses(request) for row in REFUSED):
        with pytest.raises(GuesstreeError, match=r"; .*(use|expected|allow) "):
            require(request)
        return
    found = solve_mixed(request.game, goal=request.goal, candidates_only=request.candidates_only)
    assert found.optimal
    model, every = request.game.model, set[tuple[Number, ...]]()
    if model is not None:
        every |= model_vectors(model)
    else:
        every |= vectors(request.game, goal=request.goal, candidates_only=request.candidates_only)
    assert found.lower == min(paid_on_average(found.weights, vector) for vector in every)
    assert found.upper == max(found.each)


GAMES_PLANNED = ["to win", "to identify", "no winning response", "rules", "phrases not listed", *GAMES]


@pytest.mark.parametrize("plan", ["questions at once", "several stages"])
@pytest.mark.parametrize("name", GAMES_PLANNED)
def test_what_no_row_names_is_planned(name: str, plan: str) -> None:
    """The kit is proven least, by listing all kits, or the game is refused."""
    request = request_of((name, plan))
    refused = any(row.refuses(request) for row in REFUSED)
    stages = request.stages
    try:
        found = least_kit(request.game) if stages == 1 else staged_kit(request.game, stages)
    except GuesstreeError as error:
        # what costs more for one answer than for another is told by its cells
        assert refused or name == "costs", str(error)
        assert re.search("; .*(use|expected|allow) ", str(error)) and "\n" not in str(error)
        return
    assert not refused
    assert found.optimal
    assert found.upper == least_staged_by_listing(found.cover, stages)


@pytest.mark.parametrize("pair", list(combinations(SOLVED, 2)), ids=lambda pair: "+".join(pair))
def test_what_no_row_names_is_solved(pair: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """Every two features together: refused by the table, or a tree that the checker finds valid."""
    work_here(monkeypatch)
    request = request_of(pair)
    if not all(FEATURES[name](request) for name in pair):
        return  # one excludes the other
    asked = {
        name: getattr(request, name)
        for name in ("objective", "goal", "max_depth", "first", "candidates_only", "jobs")
    }
    refused = any(row.refuses(request) for row in REFUSED)
    try:
        if request.certificate or request.trust:
            require(request)  # `prove` has no methods or beams
            asked |= {"workers": asked.pop("jobs"), "budget": request.budget, "lies": request.lies}
            asked |= {"cluster": request.cluster, "trust": request.trust}
            certificate = prove(request.game, at_least=request.at_least, **asked)
            assert certificate.line.startswith("not proved" if request.trust else "verified: ")
            assert not refused
            return
        if request.bounds:
            require(request)  # `bounds` has no limits of leaves
            solution = bounds(request.game, time_limit=60, lies=request.lies, **asked)
        else:
            more = {name: getattr(request, name) for name in ("method", "budget", "lies", "width")}
            limits = {} if request.leaves is None else request.leaves.parameters
            solution = solve(request.game, **asked, **more, **limits)
    except GuesstreeError as error:
        assert refused, str(error)
        assert re.search("; .*(use|expected|allow) ", str(error))
        return
    assert not refused
    report = check(request.game, strategy_of(solution))
    assert report.valid, report.messages()
    truth = truth_of(request)
    assert truth is not None
    if solution.method != EXACT or {"failures", "first guess"} <= {*pair}:
        assert solution.upper >= truth
    else:
        assert solution.lower == solution.upper == truth


NEW = """
from guesstree.engine import objective
for name, figures, budgeted in ("both", ("total", "worst"), False), ("chance", ("lost",), True):
    objective.OBJECTIVES[name] = objective.Objective(name, figures, f"as {name}", "", "", "", "", budgeted)
import guesstree
def said(ask, name, **how):
    try:
        ask("mastermind:2x3", name, **how)
    except guesstree.GuesstreeError as error:
        print(error)
for name, how in ("both", {}), ("chance", {"budget": 2}):
    said(guesstree.prove, name, lies=1, **how)
    said(guesstree.prove, name, at_least=3, **how)
    said(guesstree.solve, name, width=2, **how)
said(guesstree.solve, "chance", lies=1, budget=2)
said(guesstree.solve, "both", budget=2)
said(guesstree.solve, "chance", budget=2, max_depth=3)
"""


def test_what_a_new_objective_does_not_go_with_follows_from_its_record() -> None:
    """Such records are made before the table is: a process of its own."""
    run = subprocess.run([sys.executable, "-c", NEW], capture_output=True, text=True, check=True)
    refused = [
        "a certificate or bounds for objective {0} of mastermind:2x3 with 1 lie, where weights or costs "
        "count or the objective is not worst; use solve",
        "a bound of 3 for objective {0}; use expected or worst",
        "a beam with objective {0!r}; use expected or worst",
    ]
    assert run.stdout.splitlines() == [
        *(line.format(name) for name in ("both", "chance") for line in refused),
        "objective chance with 1 lie; use another objective",
        f"a budget of 2; use it with the objective {WIN_PROBABILITY.name} or chance",
        "a depth limit of 3 within a budget; use the budget alone",
    ]
