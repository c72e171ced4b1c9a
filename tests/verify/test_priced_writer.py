"""Certificates of games with costs that the engine writes: true, checked, and as good as the search."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from effort import tries
from fast_checker import built, judged
from hypothesis import HealthCheck, given
from slow_checker import both
from slow_checker import judged as slowly_judged
from tables import priced_games

from guesstree.engine.errors import GuesstreeError
from guesstree.engine.game import Game
from guesstree.engine.objective import parse_objective
from guesstree.engine.oracle import least
from guesstree.engine.problem import Problem
from guesstree.engine.proofs.priced import PricedWriter
from guesstree.engine.proofs.statement import Goal, statement_of
from guesstree.engine.proofs.writer import Proof
from guesstree.engine.registry import parse
from guesstree.engine.search.solve import solve
from guesstree.engine.search.space import Resources
from guesstree.engine.tables.table import TableGame

DATA = Path(__file__).parents[1] / "data"


@pytest.fixture(scope="module")
def checker() -> str:
    """Build the checker as its README says."""
    return built("-O3", name="priced")


def writer(game: Game, budget: int | None = None, **how: Any) -> PricedWriter:
    """Return a writer for a game."""
    objective = "expected" if budget is None else "win-probability"
    problem = Problem(game, parse_objective(objective), budget=budget, **how)
    return PricedWriter(problem, Resources.of(problem, 1, 1 << 26))


def claims(game: Game, budget: int, **how: Any) -> list[tuple[int | None, Goal]]:
    """Return what is true of a game and as much as can be said of it: limits and bounds."""
    found: list[tuple[int | None, Goal]] = [(None, solve(game, "expected", **how).lower[0])]
    worst, total = solve(game, "worst,expected", **how).lower
    found.append((worst, total))
    if worst:
        found.append((worst - 1, None))
    lost, won = solve(game, "win-probability", budget=budget, **how).lower
    return [*found, (budget, (lost,)), (budget, (lost, won))]


def too_much(bound: Goal) -> Goal:
    """Return the next bound that says more."""
    if isinstance(bound, tuple):
        return (*bound[:-1], bound[-1] + 1)
    return None if bound is None else bound + 1


def certificate(some: PricedWriter, limit: int | None, proof: Proof, folder: Path) -> str:
    """Return the certificate of a proof, with the table of the game in the folder."""
    statement = replace(statement_of(some.problem), within=limit)
    for name, data in statement.game.files.items():
        (folder / name).write_bytes(data)
    return statement.text(proof.bound, proof.body)


def shown(
    game: Game,
    limit: int | None,
    bound: Goal,
    checker: str,
    folder: Path,
    *,
    slowly: bool = True,
    **how: Any,
) -> str:
    """Return why the checkers refuse what the writer writes, or nothing."""
    some = writer(game, limit if isinstance(bound, tuple) else None, **how)
    proof = some.root(limit, bound)
    assert proof.bound == bound
    text = certificate(some, limit, proof, folder)
    return both(checker, folder, text, "priced") if slowly else "".join(judged(checker, folder, text))


@tries(0.3, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(game=priced_games(12, 4))
def test_random_tables(checker: str, tmp_path: Path, game: Game) -> None:
    try:
        true = claims(game, 3)
    except GuesstreeError:
        return  # some secrets cannot be told apart
    for limit, bound in true:
        assert shown(game, limit, bound, checker, tmp_path) == ""
        if bound is not None:
            with pytest.raises(GuesstreeError, match="false"):
                shown(game, limit, too_much(bound), checker, tmp_path)


@tries(0.3, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(game=priced_games(7, 4, win=True))
def test_candidates_of_random_tables(checker: str, tmp_path: Path, game: Game) -> None:
    """What is claimed is what trying all finds, and more is refused, by the writer and by the checkers."""
    only, everything = {"candidates_only": True}, [*claims(game, 3, candidates_only=True)]
    oracle = [least(game, "win", name, **only) for name in ("expected", "worst,expected")]
    assert oracle == [everything[0][1:], everything[1]]
    assert least(game, "win", "win-probability", budget=3, **only) == everything[-1][1]
    for limit, bound in everything:
        assert shown(game, limit, bound, checker, tmp_path, **only) == ""
        if bound is not None:
            with pytest.raises(GuesstreeError, match="false"):
                shown(game, limit, too_much(bound), checker, tmp_path, **only)
            some = writer(game, limit if isinstance(bound, tuple) else None, **only)
            proof = replace(some.root(limit, bound), bound=too_much(bound))
            assert both(checker, tmp_path, certificate(some, limit, proof, tmp_path), "priced", alike=True)


def test_candidates_where_lemmas_are_needed(checker: str, tmp_path: Path) -> None:
    """Codes with costs: the sets are too large to be searched to the end, and lemmas and renamings help."""
    game = asked("mastermind:2x7", [3, 2, 1, 2, 2])
    values = [solve(game, "expected", candidates_only=only).lower[0] for only in (False, True)]
    some = writer(game, candidates_only=True)
    proof = some.root(None, values[1])
    assert values[0] < values[1] and proof.lemmas == 2 and proof.body.count("=") == 2
    text = certificate(some, None, proof, tmp_path)
    assert both(checker, tmp_path, text, "priced", alike=True) == ""
    for false in (text.replace(f" {values[1]} ", f" {values[1] + 1} ", 1), text.replace("-candidates", "")):
        assert both(checker, tmp_path, false, "priced", alike=True)


def test_hangman(checker: str, tmp_path: Path) -> None:
    words = (DATA / "frequencies.txt").read_text().split("\n")[::3]
    (tmp_path / "words.txt").write_text("\n".join(words))
    game = parse(f"hangman:{tmp_path / 'words.txt'}")
    for limit, bound in claims(game, 2):
        assert shown(game, limit, bound, checker, tmp_path, slowly=False) == ""


class Book(dict[tuple[str, int, int], str]):
    """A ledger in memory, which has a writer stopped when it has kept so many bodies."""

    most = 1000
    writer: PricedWriter

    def find(self, path: str, depth: int, bound: int) -> str | None:
        """Return a body, or None."""
        return self.get((path, depth, bound))

    def keep(self, path: str, depth: int, bound: int, body: str) -> None:
        """Keep a body."""
        self[path, depth, bound] = body
        if len(self) == self.most:
            self.writer.stop()


def test_a_proof_that_is_stopped_says_less_and_is_taken_up(checker: str, tmp_path: Path) -> None:
    game, book = parse(f"table:{DATA / 'priced.csv'}"), Book()
    (value,) = solve(game, "expected").lower
    proofs = []
    for most in (1, 4, 1000):
        book.most, book.writer = most, writer(game)
        book.writer.ledger = book
        proofs.append(book.writer.root(None, value))
        text = certificate(book.writer, None, proofs[-1], tmp_path)
        assert judged(checker, tmp_path, text) == [""]
    first, second, last = [int(str(proof.bound)) for proof in proofs]
    assert 0 < first <= second < last == value
    fresh = writer(game)
    fresh.ledger = Book()
    assert fresh.root(None, value) == proofs[-1]


def asked(spec: str, costs: list[int], free: int | None = None) -> Game:
    """Return a game of codes in which each response has a cost of its own, and one guess may be free."""
    game = parse(spec)
    game.costs = np.tile(costs, (len(game.guesses), 1))
    if free is not None:
        game.costs[free] = 0
    return game


def grid(rows: int, columns: int, odd: int = 0) -> Game:
    """Return a table whose tests ask for a row, a column or two rows; one may cost more than its like."""
    secrets = [(i, j) for i in range(rows) for j in range(columns)]
    tests = {f"r{i}": ([i == s for s, _ in secrets], 3) for i in range(rows)}
    tests |= {f"c{j}": ([j == s for _, s in secrets], 2) for j in range(columns)}
    tests |= {f"r{i}{k}": ([s in (i, k) for s, _ in secrets], 4) for i in range(rows) for k in range(i)}
    cells = [["no", "yes"][is_in] for members, _ in tests.values() for is_in in members]
    width = len(secrets)
    table = [cells[i : i + width] for i in range(0, len(cells), width)]
    game = TableGame("table:grid", list(tests), [f"{i}.{j}" for i, j in secrets], table)
    game.costs = np.array([[cost] * 2 for _, cost in tests.values()])
    game.costs[0] += odd
    return game


@pytest.mark.parametrize(
    ("game", "goal", "items"),
    [
        (asked("mastermind:2x3", [1, 2, 3, 1, 2]), "win", 0),
        (asked("mastermind:3x4", [2, 2, 3, 3, 1, 1, 3, 3, 1]), "win", 0),
        (asked("blackpeg:2x6", [3, 1, 1]), "identify", 4),
        (grid(6, 4), "identify", 3),
        (grid(6, 4, odd=1), "identify", 3),
    ],
    ids=[
        "no lemma",
        "renamings that are longer",
        "blackpeg",
        "grid",
        "grid of which one test is dearer",
    ],
)
def test_renamings_make_certificates_shorter(
    checker: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: Game, goal: str, items: int
) -> None:
    (value,) = solve(game, "expected", goal=goal).lower
    some = writer(game, goal=goal)
    proof = some.root(None, value)
    text = certificate(some, None, proof, tmp_path)
    assert judged(checker, tmp_path, text) == [""]
    assert len(game.secrets) >= 24 or slowly_judged(tmp_path, text, "priced") == ""
    assert judged(checker, tmp_path, text.replace(f" {value} ", f" {value + 1} ", 1)) != [""]
    assert proof.body.count("=") == items
    monkeypatch.setattr("guesstree.engine.proofs.writer.set_renamings", lambda *_: [])
    monkeypatch.setattr("guesstree.engine.proofs.renaming.CodeRenamings.after", lambda *_: {})
    assert (len(proof.body) < len(some.root(None, value).body)) == (items > 0)


def test_renamings_keep_what_is_left_after_free_guesses(checker: str, tmp_path: Path) -> None:
    """A free guess splits sets further than the guesses that a renaming keeps."""
    game = asked("blackpeg:2x6", [2, 2, 3], free=1)
    (value,) = solve(game, "expected", goal="identify").lower
    some = writer(game, goal="identify")
    proof = some.root(None, value)
    assert "=" in proof.body
    assert judged(checker, tmp_path, certificate(some, None, proof, tmp_path)) == [""]


def test_labels_that_mean_something_else(checker: str, tmp_path: Path) -> None:
    cells = [["a", "a ", "\n"], ["cost", "cost", "weight"]]
    game = TableGame("table:odd", ["weight", "cost"], ["cost", "cost:a", "weight"], cells)
    game.weights, game.costs = [1, 2, 3], np.array([[1, 2, 3, 4, 5], [5, 4, 3, 2, 1]])
    for limit, bound in claims(game, 2):
        assert shown(game, limit, bound, checker, tmp_path) == ""
        if bound is not None:
            with pytest.raises(GuesstreeError, match="false"):
                shown(game, limit, too_much(bound), checker, tmp_path)


def test_a_limit_of_guesses_where_each_costs_1(checker: str, tmp_path: Path) -> None:
    game = parse(f"table:{DATA / 'priced.csv'}")
    game.costs = None
    (most,) = solve(game, "worst").lower
    (free,), (value,) = (solve(game, "expected", max_depth=d).lower for d in (None, most))
    assert free <= value
    some = writer(game, max_depth=most)
    text = certificate(some, most, some.root(most, value), tmp_path)
    assert judged(checker, tmp_path, text) == [""]
    with pytest.raises(GuesstreeError, match="false"):
        some.root(most, value + 1)
    with pytest.raises(GuesstreeError, match=f"at most {most}"):
        some.root(None, value)


def test_sums_that_are_too_large_are_refused() -> None:
    game = TableGame("table:large", ["g"], ["s", "t"], [["a", "b"]])
    game.costs = np.full((1, 2), 10**17)
    with pytest.raises(GuesstreeError, match="divide"):
        writer(game)
    game.costs = np.full((1, 2), 10**15)
    with pytest.raises(GuesstreeError, match="divide"):
        writer(game, budget=10**17).root(10**17, (0,))


def test_what_is_not_covered_is_refused() -> None:
    with pytest.raises(GuesstreeError, match="certificates do not cover"):
        writer(parse(f"table:{DATA / 'won.csv'},win=yes"), max_depth=20)
