"""Certificates of games with costs that the engine writes: true, checked, and as good as the search."""

from pathlib import Path
from typing import Any

import pytest
from effort import tries
from hypothesis import HealthCheck, given
from priced_checkers import built, judged
from tables import priced_games

from guesstree.engine.errors import GuesstreeError
from guesstree.engine.game import Game
from guesstree.engine.objective import parse_objective
from guesstree.engine.problem import Problem
from guesstree.engine.proofs.priced import Goal, PricedWriter
from guesstree.engine.registry import parse
from guesstree.engine.search.kind import Room
from guesstree.engine.search.solve import solve

DATA = Path(__file__).parents[1] / "data"


@pytest.fixture(scope="module")
def checker(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Build the checker as its README says."""
    return built(tmp_path_factory.mktemp("checker"), "-O3")


def writer(game: Game, budget: int | None = None, **how: Any) -> PricedWriter:
    """Return a writer for a game."""
    objective = "expected" if budget is None else "win-probability"
    problem = Problem(game, parse_objective(objective), budget=budget, **how)
    return PricedWriter(problem, Room.of(problem, 1, 1 << 26))


def claims(game: Game, budget: int) -> list[tuple[int | None, Goal]]:
    """Return what is true of a game and as much as can be said of it: limits and bounds."""
    found: list[tuple[int | None, Goal]] = [(None, solve(game, "expected").lower[0])]
    worst, total = solve(game, "worst,expected").lower
    found.append((worst, total))
    if worst:
        found.append((worst - 1, None))
    lost, won = solve(game, "win-probability", budget=budget).lower
    return [*found, (budget, (lost,)), (budget, (lost, won))]


def too_much(bound: Goal) -> Goal:
    """Return the next bound that says more."""
    if isinstance(bound, tuple):
        return (*bound[:-1], bound[-1] + 1)
    return None if bound is None else bound + 1


def shown(
    game: Game, limit: int | None, bound: Goal, checker: str, folder: Path, *, slow: bool = True
) -> str:
    """Return why the checkers refuse what the writer writes, or nothing."""
    some = writer(game, limit if isinstance(bound, tuple) else None)
    proof = some.root(limit, bound)
    assert proof.bound == bound
    text, name = some.text(limit, proof)
    (folder / name).write_bytes(some.file())
    return judged(checker, folder, text, slow=slow)


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


@pytest.mark.parametrize(
    "spec", [f"table:{DATA / 'priced.csv'}", f"table:{DATA / 'won.csv'},win=yes"], ids=["known", "won"]
)
def test_tables(checker: str, tmp_path: Path, spec: str) -> None:
    game = parse(spec)
    for limit, bound in claims(game, 10):
        assert shown(game, limit, bound, checker, tmp_path, slow=False) == ""


def test_hangman(checker: str, tmp_path: Path) -> None:
    words = (DATA / "frequencies.txt").read_text().split("\n")[::2]
    (tmp_path / "words.txt").write_text("\n".join(words))
    game = parse(f"hangman:{tmp_path / 'words.txt'}")
    for limit, bound in claims(game, 2):
        assert shown(game, limit, bound, checker, tmp_path, slow=False) == ""


def test_a_first_guess(checker: str, tmp_path: Path) -> None:
    game = parse(f"table:{DATA / 'priced.csv'}")
    some = writer(game, first="g3")
    (value,) = solve(game, "expected", first="g3").lower
    proof = some.root(None, value)
    text, name = some.text(None, proof)
    assert " identify 4 - " in text
    (tmp_path / name).write_bytes(some.file())
    assert judged(checker, tmp_path, text, slow=False) == ""
    assert judged(checker, tmp_path, text.replace(f" {value} ", f" {value + 1} ", 1), slow=False)
    with pytest.raises(GuesstreeError, match="false"):
        some.root(None, value + 1)


def test_a_writer_that_is_stopped_proves_less(checker: str, tmp_path: Path) -> None:
    game = parse(f"table:{DATA / 'priced.csv'}")
    (value,) = solve(game, "expected").lower
    for asked in (0, 5, 20):
        some, left = writer(game), iter(range(asked))
        some.stop = lambda left=left: next(left, None) is None
        proof = some.root(None, value)
        assert isinstance(proof.bound, int)
        assert 0 < proof.bound < value
        text, name = some.text(None, proof)
        (tmp_path / name).write_bytes(some.file())
        assert judged(checker, tmp_path, text, slow=False) == ""


class Book(dict[tuple[str, int, int], str]):
    """A ledger in memory."""

    def find(self, path: str, depth: int, bound: int) -> str | None:
        """Return a body, or None."""
        return self.get((path, depth, bound))

    def keep(self, path: str, depth: int, bound: int, body: str) -> None:
        """Keep a body."""
        self[path, depth, bound] = body


def test_a_ledger_is_taken_up(checker: str, tmp_path: Path) -> None:
    game, book = parse(f"table:{DATA / 'priced.csv'}"), Book()
    (value,) = solve(game, "expected").lower
    texts = []
    for asked in (7, 20, 1000):  # the first two are stopped
        some, left = writer(game), iter(range(asked))
        some.ledger, some.stop = book, lambda left=left: next(left, None) is None
        proof = some.root(None, value)
        texts.append(some.text(None, proof)[0])
        (tmp_path / some.text(None, proof)[1]).write_bytes(some.file())
        assert judged(checker, tmp_path, texts[-1], slow=False) == ""
    assert len(book) > 0
    assert f" {value} (" in texts[-1]
    fresh = writer(game)
    fresh.ledger = Book()
    assert fresh.text(None, fresh.root(None, value))[0] == texts[-1]


@pytest.mark.parametrize("how", [{"max_depth": 20}, {"candidates_only": True}])
def test_what_is_not_covered_is_refused(how: dict[str, Any]) -> None:
    with pytest.raises(GuesstreeError, match="certificates do not cover"):
        writer(parse(f"table:{DATA / 'won.csv'},win=yes"), **how)
