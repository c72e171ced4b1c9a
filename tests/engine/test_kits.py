"""Kits: questions that are all asked before any answer comes, and still tell secrets apart."""

import os
import random
import signal
import time
from itertools import permutations, product
from typing import NoReturn

import networkx as nx
import numpy as np
import pytest
from effort import seeds
from random_kits import random_cover

from guesstree.engine.constructive.plans import LEAST
from guesstree.engine.errors import GuesstreeError, Infeasible
from guesstree.engine.kits.bounds import Counting, prices_of_pairs
from guesstree.engine.kits.cover import CoverProblem
from guesstree.engine.kits.kit import Kit, least_kit
from guesstree.engine.kits.oracle import least_by_listing
from guesstree.engine.kits.search import Search, keeps
from guesstree.engine.kits.staged import staged_kit
from guesstree.engine.registry import parse
from guesstree.engine.stopping import heed
from guesstree.engine.tables.from_data import table

HYPERCUBE = [1, 2, 3, 4, 4, 5]
"""Metric dimension of the hypercube of dimension 1, 2, ... (OEIS A303735)."""


def everything(cover: CoverProblem) -> list[int]:
    """Return all questions that may be asked, as often as it helps."""
    return [*cover.must, *sorted({*range(cover.questions)} - cover.never) * cover.apart]


@pytest.mark.parametrize("seed", seeds(60, 3000))
def test_the_search_finds_what_listing_all_kits_finds(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    cover = random_cover(random.Random(seed))
    search = Search(cover)
    if seed % 2:  # with a bad kit to begin with, lower bounds have to do more
        monkeypatch.setattr(search, "_greedy", lambda: tuple(everything(cover)))
        monkeypatch.setattr(search, "_slim", lambda kit: kit)
    search.run()
    assert search.best is not None
    assert cover.tells_apart(search.best)
    assert search.lower == search.upper == cover.cost(search.best)
    if cover.apart > 1 and len(search.best) > 8:
        return  # too many kits to list
    assert least_by_listing(cover, cover.questions if cover.apart == 1 else 8) == search.upper


@pytest.mark.parametrize(
    "spec",
    [
        "mastermind:2x3",
        "mastermind:3x3",
        "mastermind:2x5",
        "blackpeg:2x4",
        "blackpeg:3x3",
        "bulls:3x4",
        "coins:4",
    ],
)
@pytest.mark.parametrize("lies", [0, 1])
def test_symmetry_saves_work_and_changes_no_value(spec: str, lies: int) -> None:
    if lies and spec not in ("mastermind:2x3", "coins:4"):
        return
    with_it, without = (least_kit(spec, lies=lies, symmetry=symmetry) for symmetry in (True, False))
    assert with_it.upper == with_it.lower == without.lower == without.upper
    assert with_it.nodes <= without.nodes


def test_a_renaming_keeps_kinds_or_does_not() -> None:
    kinds = np.array([0, 0, 1, 1, 2])
    assert keeps(kinds, np.array([2, 3, 0, 1, 4]))
    assert keeps(kinds, np.array([1, 0, 2, 3, 4]))
    assert not keeps(kinds, np.array([0, 2, 1, 3, 4]))
    assert not keeps(kinds, np.array([0, 1, 2, 4, 3]))


# -- published values --------------------------------------------------------------------------------------


@pytest.mark.parametrize("pegs", range(1, 7))
def test_black_pegs_of_two_colours_find_the_metric_dimension_of_hypercubes(pegs: int) -> None:
    assert least_kit(f"blackpeg:{pegs}x2").upper == HYPERCUBE[pegs - 1]


@pytest.mark.parametrize("colours", range(2, 7))
def test_black_pegs_of_two_pegs(colours: int) -> None:
    """Cáceres and others (2007), metric dimension of K_c x K_c; one more with the last guess."""
    assert least_kit(f"blackpeg:2x{colours}").upper == (4 * colours - 2) // 3


@pytest.mark.parametrize("colours", range(2, 5))
def test_black_pegs_of_three_pegs(colours: int) -> None:
    """Jäger and Drewes (2018): floor(3c/2) + 1 with the last guess."""
    assert least_kit(f"blackpeg:3x{colours}").upper == 3 * colours // 2


@pytest.mark.parametrize(
    ("pegs", "colours"), [(2, c) for c in range(2, 7)] + [(3, 4), pytest.param(3, 5, marks=pytest.mark.long)]
)
def test_black_pegs_of_codes_whose_colours_differ(pegs: int, colours: int) -> None:
    """Jäger and Drewes (2022): ceil(4c/3) - 1, or floor((3c - 1)/2) for three pegs, with the last guess."""
    codes = np.array(list(permutations(range(colours), pegs)))
    answers = (codes[:, None, :] == codes).sum(axis=2).astype(np.uint8)
    search = Search(CoverProblem(answers, np.arange(len(codes)), np.ones(len(codes), dtype=np.int64)))
    search.run()
    least = -(-4 * colours // 3) - 1 if pegs == 2 else (3 * colours - 1) // 2
    assert search.lower == search.upper == least - 1


def test_greenwells_six_guesses_tell_all_codes_apart() -> None:
    """Greenwell (1999); `make long` shows that five are not enough."""
    game = parse("mastermind:4x6")
    six = [game.guess_at(code) for code in ("1221", "2354", "3311", "4524", "5656", "6643")]
    assert len(np.unique(game.table()[six], axis=1).T) == 1296


@pytest.mark.parametrize("colours", range(3, 7))
def test_static_mastermind_of_two_pegs(colours: int) -> None:
    """Goddard (2003): ceil((2c + 3)/3) with the last guess."""
    assert least_kit(f"mastermind:2x{colours}").upper + 1 == -(-(2 * colours + 3) // 3)


@pytest.mark.parametrize("colours", range(4, 7))
def test_static_mastermind_of_three_pegs(colours: int) -> None:
    """Goddard (2003): as many questions as colours, with the last guess, for enough colours."""
    assert least_kit(f"mastermind:3x{colours}").upper + 1 == colours


@pytest.mark.parametrize(("lies", "coins"), [(0, n) for n in range(1, 7)] + [(1, 1), (1, 2), (1, 3), (1, 4)])
def test_coins_take_as_many_weighings_as_the_plans_for_coins(lies: int, coins: int) -> None:
    assert least_kit(f"coins:{coins}", lies=lies).upper == LEAST[lies][coins - 1]


@pytest.mark.parametrize("answers", [2, 3])
@pytest.mark.parametrize("secrets", [2, 3, 4, 5, 8])
def test_separating_systems_take_the_logarithm(answers: int, secrets: int) -> None:
    """Rényi (1961): ceil(log_r n) questions, of all questions with r answers."""
    dice = random.Random(secrets)
    rows = [list(row) for row in product(range(answers), repeat=secrets)]
    rows = dice.sample(rows, min(len(rows), 300)) + [
        [s // answers**i % answers for s in range(secrets)] for i in range(3)
    ]
    named = {f"q{i}": dict(enumerate(map(str, row))) for i, row in enumerate(rows)}
    least = next(k for k in range(9) if answers**k >= secrets)
    assert kit_of(named).upper == least


@pytest.mark.parametrize(("secrets", "least"), [(2, 3), (4, 5), (8, 6)])
def test_lies_are_met_by_the_shortest_code_of_distance_three(secrets: int, least: int) -> None:
    """Binary codes of distance 3: 2 words of length 3, 4 of 5, 8 of 6 (MacWilliams and Sloane 1977)."""
    rows = sorted(product("01", repeat=secrets - 1))[1:]
    named = {f"q{i}": dict(enumerate(("0", *row))) for i, row in enumerate(rows)}
    assert kit_of(named, lies=1).upper == least


def kit_of(cells: dict[str, dict[int, str]], lies: int = 0) -> Kit:
    named = {question: {f"s{s}": f"a{cell}" for s, cell in row.items()} for question, row in cells.items()}
    return least_kit(table(named, rows="guesses", name="t"), lies=lies)


def identifying(graph: "nx.Graph[int]") -> int:
    """Return the least size of an identifying code: which of its vertices are near tells each vertex."""
    near = {v: {*graph[v], v} for v in graph}
    cells = {f"q{v}": {s: str(s in near[v]) for s in graph} | {-1: "False"} for v in graph}
    return kit_of(cells).upper


@pytest.mark.parametrize("n", range(3, 10))
def test_identifying_codes_of_paths(n: int) -> None:
    """Bertrand, Charon, Hudry and Lobstein (2004): floor(n/2) + 1."""
    assert identifying(nx.path_graph(n)) == n // 2 + 1


@pytest.mark.parametrize("n", range(6, 12))
def test_identifying_codes_of_cycles(n: int) -> None:
    """Gravier, Moncel and Semri (2006): n/2, or (n + 3)/2 for odd n."""
    assert identifying(nx.cycle_graph(n)) == (n // 2 if n % 2 == 0 else (n + 3) // 2)


def test_the_petersen_graph_has_metric_dimension_three() -> None:
    graph = nx.petersen_graph()
    far = dict(nx.all_pairs_shortest_path_length(graph))
    assert kit_of({f"q{v}": {s: str(far[v][s]) for s in graph} for v in graph}).upper == 3


# -- bounds ------------------------------------------------------------------------------------------------


def test_counting_bounds_are_those_of_the_books() -> None:
    plain, lying = Counting([3, 2, 2, 2], 1), Counting([2] * 9, 3)
    assert [plain.fewest(n) for n in (1, 2, 3, 4, 6, 7, 24, 25)] == [0, 1, 1, 2, 2, 3, 4, 5]
    assert [lying.fewest(n) for n in (1, 2, 4, 8, 16)] == [0, 3, 5, 6, 7]
    assert Counting([], 1).fewest(2) == 1


def random_pairs(seed: int) -> tuple[list[int], list[int]]:
    """Return masks of questions, one for each pair, and costs."""
    dice = random.Random(seed)
    questions, most, full = dice.randint(2, 40), dice.choice([1, 9]), dice.choice([0.2, 0.5, 0.8])
    costs = [dice.randint(1, most) for _ in range(questions)]
    rows = [
        sum(1 << g for g in range(questions) if dice.random() < full) or 1 for _ in range(dice.randint(1, 60))
    ]
    return rows, costs


@pytest.mark.parametrize("seed", seeds(20, 300))
def test_no_question_collects_more_than_it_costs(seed: int) -> None:
    rows, costs = random_pairs(seed)
    prices = prices_of_pairs(rows, costs, (1 << len(costs)) - 1)
    for g, cost in enumerate(costs):
        collected = sum(y for y, row in zip(prices.each, rows, strict=True) if row >> g & 1)
        assert collected == prices.collected[g]
        assert prices.factor * collected <= cost
    assert prices.least > 0


@pytest.mark.parametrize("seed", seeds(20, 300))
def test_prices_are_the_optimum_of_the_linear_program_but_for_a_hundredth(seed: int) -> None:
    """HiGHS (Huangfu and Hall 2018) solves the linear program of the kit."""
    optimize = pytest.importorskip("scipy.optimize")
    rows, costs = random_pairs(seed)
    table = np.array([[row >> g & 1 for g in range(len(costs))] for row in rows], dtype=float)
    least = optimize.linprog(costs, A_ub=-table, b_ub=-np.ones(len(rows)), method="highs").fun
    prices = prices_of_pairs(rows, costs, (1 << len(costs)) - 1)
    assert 0.98 * least <= prices.least <= least + 1e-6
    mixture = np.zeros(len(costs))
    mixture[list(prices.shares)] = list(prices.shares.values())
    assert (table @ mixture >= 0.99).all()
    assert mixture @ costs == pytest.approx(least, rel=0.01)


def random_table(seed: int) -> CoverProblem:
    """Return a problem too large to list all kits, with costs, kinds, lies, and questions not free."""
    dice = random.Random(seed)
    lies = dice.choice([0, 0, 1])
    questions, secrets = dice.randint(4, 12 if lies else 22), dice.randint(5, 12 if lies else 22)
    answers, full, most = dice.choice([2, 2, 3, 5]), dice.choice([0.1, 0.3, 0.5, 0.8]), dice.choice([1, 1, 6])
    cells = [
        [dice.randrange(answers) if dice.random() < full else 0 for _ in range(secrets)]
        for _ in range(questions)
    ]
    costs = np.array([dice.randint(1, most) for _ in range(questions)], dtype=np.int64)
    table = np.array(cells, dtype=np.uint8)
    kinds = np.unique(table, axis=1, return_inverse=True)[1].ravel().astype(np.int64)
    if dice.random() < 0.4:  # some secrets need not be told apart though they can be
        kinds = np.array([dice.randrange(secrets) for _ in range(secrets)], dtype=np.int64)[kinds]
    must = tuple(g for g in range(questions) if dice.random() < 0.1) if seed % 3 == 0 else ()
    barred = frozenset(g for g in range(questions) if g not in must and dice.random() < 0.1)
    usable = [g for g in range(questions) if g not in barred]
    cover = CoverProblem(table, kinds, costs, 2 * lies + 1, must, barred)
    return cover if cover.undivided(usable) is None else CoverProblem(table, kinds, costs, 2 * lies + 1, must)


@pytest.mark.parametrize("seed", seeds(15, 1000))
def test_the_search_finds_what_an_integer_program_finds(seed: int) -> None:
    """HiGHS again; every pair of secrets is a row."""
    optimize = pytest.importorskip("scipy.optimize")
    cover = random_table(seed)
    search = Search(cover)
    search.run()
    table, n = cover.answers, cover.questions
    pairs = [(a, b) for a in range(cover.secrets) for b in range(a) if cover.kinds[a] != cover.kinds[b]]
    told = np.array([table[:, a] != table[:, b] for a, b in pairs], dtype=float).reshape(-1, n)
    enough = [optimize.LinearConstraint(told, lb=cover.apart)] if pairs else []
    bounds = optimize.Bounds(
        [float(g in cover.must) for g in range(n)],
        [0.0 if g in cover.never else float(cover.apart) for g in range(n)],
    )
    found = optimize.milp(cover.costs, constraints=enough, integrality=np.ones(n), bounds=bounds)
    assert search.lower == search.upper == round(found.fun)


# -- what is reported --------------------------------------------------------------------------------------


def test_rows_say_what_each_question_does() -> None:
    kit = least_kit("mastermind:2x4")
    assert (kit.goal, kit.pairs, kit.optimal) == ("win", 120, True)
    assert sum(row.adds for row in kit.rows) == kit.pairs
    assert all(row.alone for row in kit.rows)
    told = list(kit.told())
    assert len(told) == 120
    for row in kit.rows:
        assert row.separates == sum(row.question in questions for _, _, questions in told)
        assert row.alone == sum(questions == [row.question] for _, _, questions in told)
    assert len({tuple(answers) for _, *answers in kit.sheet()}) == 16


def test_must_and_never_are_kept() -> None:
    kit = least_kit("mastermind:2x4", must=["11"], never=["12", "13"])
    assert "11" in kit.labels and not {"12", "13"} & set(kit.labels)
    assert kit.optimal and kit.cover.tells_apart(kit.questions)


def test_what_is_never_asked_stands_for_nothing() -> None:
    """A renaming takes it to a question that may be asked; no renaming is used then."""
    rows = {"g0": "212020", "g1": "021002", "g2": "000122", "g3": "221201"}
    cells = {name: {f"s{s}": answer for s, answer in enumerate(row)} for name, row in rows.items()}
    game = table(cells, rows="guesses")
    assert [staged_kit(game, 3, never=["g3"], symmetry=how).lower for how in (True, False)] == [2, 2]


def test_causes_with_one_action_need_not_be_told_apart() -> None:
    cells = {
        "t1": {"a": "y", "b": "n", "c": "n", "d": "n"},
        "t2": {"a": "n", "b": "y", "c": "n", "d": "n"},
        "t3": {"a": "n", "b": "n", "c": "y", "d": "n"},
    }
    assert least_kit(table(cells, rows="guesses")).upper == 3
    action = {"action": {"a": "fit", "b": "fit", "c": "mend", "d": "fit"}}
    assert least_kit(table(cells | action, rows="guesses")).labels == ["t3"]


def test_cells_that_are_missing_may_hold_any_answer() -> None:
    cells = {"t1": {"a": "y", "b": "n", "c": ""}, "t2": {"a": "n", "b": "n", "c": "y"}}
    kit = least_kit(table(cells, rows="guesses", missing="any"))
    assert (kit.labels, kit.upper) == (["t1", "t2"], 2)


@pytest.mark.parametrize(
    ("spec", "options", "message"),
    [
        ("mastermind:2x3", {"lies": -1}, "lies -1; expected a whole number from 0 to 20"),
        ("mastermind:2x3", {"must": ["44"]}, "must: '44' is not a guess"),
        ("mastermind:2x3", {"must": ["11"], "never": ["11"]}, "must and never both name '11'"),
        ("coins:3", {"goal": "win"}, "has no winning response"),
        ("mastermind:2x3", {"goal": "x"}, "goal"),
    ],
)
def test_what_cannot_be_planned_is_refused(spec: str, options: dict[str, object], message: str) -> None:
    with pytest.raises(GuesstreeError, match=message.replace("(", "\\(")):
        least_kit(spec, **options)  # type: ignore[arg-type]


def test_secrets_that_nothing_tells_apart_are_named() -> None:
    cells = {"t1": {"a": "y", "b": "n", "c": "n"}, "t2": {"a": "y", "b": "n", "c": "y"}}
    with pytest.raises(Infeasible, match="no test but those of never \\('t2'\\) tells 'b' and 'c' apart"):
        least_kit(table(cells, rows="guesses", name="t"), never=["t2"])


def test_ctrl_c_before_there_is_a_kit_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(*_: object, **__: object) -> NoReturn:
        os.kill(os.getpid(), signal.SIGINT)
        while True:
            heed()
            time.sleep(0.01)

    monkeypatch.setattr("guesstree.engine.kits.kit.planned", slow)
    with pytest.raises(KeyboardInterrupt):
        least_kit("mastermind:2x3", time_limit=30)


def test_a_time_limit_returns_the_best_kit_with_bounds() -> None:
    begun = time.monotonic()
    kit = least_kit(parse("mastermind:4x5"), time_limit=1.0)
    assert time.monotonic() - begun < 30
    assert kit.lower <= kit.upper
    assert kit.optimal or kit.stopped == "time"
    assert kit.cover.tells_apart(kit.questions)
