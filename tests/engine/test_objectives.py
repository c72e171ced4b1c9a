"""An objective is one record; what searches, shows, proves, offers and refuses it takes its words from there.

Each test names a place that a new objective needs: `CONTRIBUTING.md` lists them.
"""

import ast
import re
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import benchmark
import judge
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import priced_games

import guesstree
from guesstree.api.strategy import strategy_of
from guesstree.cli.tools.options import ALL_OBJECTIVES
from guesstree.engine.combinations import page
from guesstree.engine.errors import GameError, GuesstreeError, Infeasible
from guesstree.engine.game import Game
from guesstree.engine.games.hangman import HangmanGame
from guesstree.engine.objective import FIGURES, OBJECTIVE_NAMES, OBJECTIVES
from guesstree.engine.oracle import least
from guesstree.engine.problem import Problem
from guesstree.engine.registry import parse
from guesstree.engine.search.deadline import Deadline
from guesstree.engine.search.driver import answer
from guesstree.engine.search.priced import Priced
from guesstree.engine.search.session import Session
from guesstree.engine.search.solve import solve, space_of
from guesstree.engine.search.space import Resources
from guesstree.engine.solution import Figures
from guesstree.engine.support import FEATURES
from guesstree.engine.tables.table import TableGame
from guesstree.trees.check import check
from guesstree.trees.figures import figures_of
from guesstree.trees.words import found_how, proof
from guesstree.web.work.solve_form import objectives_of

ROOT = Path(__file__).parent.parent.parent
FOLDERS = ("cext", "engine", "trees", "guesstree/api", "guesstree/cli", "guesstree/present", "guesstree/web")
PLACES = {"engine/objective.py"}

UNITS = {"total": Fraction(1, 6), "worst": Fraction(1, 2), "lost": Fraction(1, 3), "won": Fraction(1, 6)}
"""What 1 of each figure stands for where 1 of costs is 1/2, and 1 of weights 1/3."""
OPTIMA = {
    "expected": (51,),
    "worst": (5,),
    "worst,expected": (5, 52),
    "expected,worst": (51, 6),
    "win-probability": (4, 27),
}
"""The least value of each objective for a small table, with a budget of 3."""


@cache
def names_spelled() -> dict[str, set[str]]:
    """Return for each objective the files whose code compares, or is given, its name."""
    found: dict[str, set[str]] = {name: set() for name in OBJECTIVES}
    for folder in FOLDERS:
        for path in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in found:
                    found[node.value].add(str(path.relative_to(ROOT)))
    return found


@pytest.mark.parametrize("name", [name for name in OBJECTIVES if name not in ("expected", "worst")])
def test_an_objective_is_called_by_its_name_in_its_record_alone(name: str) -> None:
    assert names_spelled()[name] <= PLACES


@pytest.mark.parametrize("figure", FIGURES)
def test_figures_of_an_objective_are_known_of_strategies_and_have_a_unit(figure: str) -> None:
    assert figure in Figures.__annotations__
    game = parse("mastermind:2x2")
    game.cost_unit, game.weight_unit = Fraction(1, 2), Fraction(1, 3)
    assert game.figure_unit(figure) == UNITS[figure]
    assert FIGURES[figure].words.format(what="guesses")


def smallest() -> Game:
    """Return a table of which every objective has another best strategy."""
    rows = {"v": "12211", "w": "12221", "x": "22121", "y": "12122", "z": "12222"}
    cells = {test: dict(zip("abcde", row, strict=True)) for test, row in rows.items()}
    return guesstree.table(cells, weights=[9, 1, 1, 1, 1], costs=[1, 2, 2, 3, 3])


@pytest.mark.parametrize("name", OBJECTIVES)
def test_what_an_objective_is_does_not_follow_from_its_record(name: str) -> None:
    assert name in OPTIMA, f"add the least value of {name} to OPTIMA, worked out by hand"
    assert solve(smallest(), name, **limits_of(name, 3)).upper == OPTIMA[name]


@pytest.mark.parametrize("name", OBJECTIVES)
@given(game=priced_games(), budget=st.integers(0, 9))
def test_each_figure_of_an_objective_is_minimised_alone(name: str, game: TableGame, budget: int) -> None:
    """The searcher of a figure finds the least of it, so that a lower bound taken on the way is true."""
    goal, limits = "identify" if game.winning is None else "win", limits_of(name, budget)
    figure, truth = OBJECTIVES[name].figures[0], least(game, goal, name, **limits)
    problem = Problem(game, OBJECTIVES[name], goal=goal, **limits)
    space = Priced(problem)
    query = space.query(figure)
    searcher = space.searcher(query, Resources.of(problem, 1, None))
    outcome = space.search(searcher, space.root(query), space.infinite, 0)
    assert outcome.lower == (space.infinite if truth is None else truth[0])


def limits_of(name: str, budget: int = 4) -> dict[str, Any]:
    return {"budget": budget} if OBJECTIVES[name].budgeted else {}


@pytest.mark.parametrize("name", OBJECTIVES)
@given(game=priced_games(), budget=st.integers(0, 9))
def test_every_objective_is_searched_as_by_the_oracle_and_shown_as_it_was_found(
    name: str, game: TableGame, budget: int
) -> None:
    goal, limits = "identify" if game.winning is None else "win", limits_of(name, budget)
    try:
        found = solve(game, name, **limits)
    except (GameError, Infeasible):
        return
    strategy = strategy_of(found)
    assert found.optimal
    assert found.upper == least(game, goal, name, **limits)
    assert check(game, strategy).valid
    assert figures_of(strategy).compared.value(name) == found.upper
    one = OBJECTIVES[name]
    assert proof(strategy).removeprefix("proven: ").startswith("no order ")
    assert (one.proven if "needs" in proof(strategy) else one.proven_cost).startswith("no {order}")
    assert ("objective", name) in found_how(strategy)


def test_an_objective_that_no_search_answers_is_refused() -> None:
    new = replace(OBJECTIVES["expected"], name="loss", figures=("lost", "total"))
    problem = Problem(parse("mastermind:2x2"), new)
    session = Session(space_of(problem), Resources.of(problem, 1, None), Deadline(None))
    with pytest.raises(GuesstreeError) as refused:
        answer(session)
    assert str(refused.value) == (
        f"objective 'loss': no search minimises lost, then total; expected one of: {', '.join(OBJECTIVES)}"
    )


@pytest.mark.parametrize("name", OBJECTIVES)
def test_every_objective_has_words_in_forms_and_in_proofs(name: str) -> None:
    game, one = HangmanGame("hangman:t", {"ab": 1, "ba": 2}), OBJECTIVES[name]
    title, sentence = objectives_of(game)[name]
    assert title
    assert sentence.endswith(".")
    assert "{" not in title + sentence
    assert one.proven.format(order="order", fewer="fewer").startswith("no order ")
    assert one.proven_cost.format(order="order").startswith("no order ")


@pytest.mark.parametrize("name", OBJECTIVES)
def test_the_page_of_combinations_knows_every_objective(name: str) -> None:
    group = OBJECTIVES[name].group
    assert group in FEATURES
    assert f"**{group}**" in page()
    assert f"**{group}**" in (ROOT / "docs" / "combinations.md").read_text()


@pytest.mark.parametrize("name", OBJECTIVES)
def test_the_help_and_the_docs_say_what_every_objective_is(name: str) -> None:
    assert re.search(rf"(?<![\w,]){name}(?!,?\w)", ALL_OBJECTIVES)
    assert OBJECTIVES[name].group in (ROOT / "docs" / "costs.md").read_text(encoding="utf-8")


def test_every_objective_is_in_the_signature_and_known_to_the_judge() -> None:
    searched = {run["options"].get("objective", "expected") for run in benchmark.runs()}
    assert searched == set(OBJECTIVE_NAMES)
    assert judge.OBJECTIVES == OBJECTIVE_NAMES
