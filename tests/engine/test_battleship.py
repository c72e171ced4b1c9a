"""Battleship: ways to place ships, values of small boards, and misses that are shots until all are sunk."""

from functools import cache
from itertools import combinations, product

import numpy as np
import pytest
from cases import cases
from effort import seeds
from optimum import optimum

from guesstree.engine.contract import check_game
from guesstree.engine.errors import GameError, SpaceError
from guesstree.engine.game import weights_of
from guesstree.engine.games.battleship import Battleship
from guesstree.engine.oracle import least
from guesstree.engine.registry import parse


def ways(rows: int, columns: int, ships: list[int], *, apart: bool, named: bool) -> dict[object, int]:
    """Return what cells ships may take, and in how many ways: every choice of a place for each is tried."""
    board = list(product(range(rows), range(columns)))
    lines = {
        length: {
            frozenset((r + i * down, c + i * (not down)) for i in range(length))
            for r, c in board
            for down in (False, True)
            if r + (length - 1) * down < rows and c + (length - 1) * (not down) < columns
        }
        for length in ships
    }
    near = 1 if apart else 0
    found: dict[object, int] = {}
    met = set()
    for fleet in product(*(lines[length] for length in ships)):
        clash = any(
            max(abs(a[0] - b[0]), abs(a[1] - b[1])) <= near
            for one, other in combinations(fleet, 2)
            for a in one
            for b in other
        )
        alike = frozenset(fleet)  # ships of one length change places
        if clash or (not named and alike in met):
            continue
        met.add(alike)
        cells = fleet if named else frozenset().union(*fleet)
        found[cells] = found.get(cells, 0) + 1
    return found


def until_sunk(game: Battleship, ships: list[int]) -> int:
    """Return the least total of shots until each cell of each ship was hit, by trying every shot."""
    table, weights = game.table(), weights_of(game).tolist()

    @cache
    def total(candidates: frozenset[int], asked: frozenset[int]) -> int:
        one = next(iter(candidates))
        if sum(int(table[cell, one]) > 0 for cell in asked) == sum(ships):
            return 0
        best = []
        for cell in set(range(len(table))) - asked:
            parts: dict[int, set[int]] = {}
            for secret in candidates:
                parts.setdefault(int(table[cell, secret]), set()).add(secret)
            if set(parts) != {0}:
                after = sum(total(frozenset(part), asked | {cell}) for part in parts.values())
                best.append(sum(weights[s] for s in candidates) + after)
        return min(best)

    return total(frozenset(range(len(game.secrets))), frozenset())


def drawn(rng: np.random.Generator, most: int) -> tuple[Battleship, list[int]]:
    """Return a random game of at most so many secrets, and its ships."""
    while True:
        rows, columns = int(rng.integers(1, 4)), int(rng.integers(2, 7))
        longest = max(rows, columns)
        ships = [int(rng.integers(1, min(longest, 3) + 1)) for _ in range(int(rng.integers(1, 3)))]
        options = {what: bool(rng.integers(2)) for what in ("apart", "named", "known")}
        try:
            game = Battleship(rows, columns, ships, **options)
        except GameError:
            continue
        if 2 <= len(game.secrets) <= most and len(game.guesses) <= 9:
            return game, ships


@pytest.mark.parametrize("seed", seeds(6, 100))
def test_the_search_agrees_with_the_oracle(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(10):
        game, _ = drawn(rng, 7)
        assert parse(game.spec).spec == game.spec
        for objective in ("expected", "worst"):
            assert optimum(game, objective) == least(game, "identify", objective)


@pytest.mark.parametrize("seed", seeds(3, 40))
def test_misses_and_cells_are_the_shots_until_all_are_sunk(seed: int) -> None:
    """The proof in the class: what the search finds for misses is what trying every shot finds for shots."""
    rng = np.random.default_rng(seed)
    for _ in range(4):
        game, ships = drawn(rng, 8)
        if game.costs is None:
            continue
        misses = optimum(game, "expected")
        assert misses is not None
        assert misses[0] + sum(ships) * int(weights_of(game).sum()) == until_sunk(game, ships)


@pytest.mark.parametrize("seed", seeds(10, 60))
def test_all_ways_to_place_ships_are_secrets(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows, columns = (int(n) for n in rng.integers(1, 5, 2))
    ships = [int(n) for n in rng.integers(1, max(rows, columns) + 1, rng.integers(1, 3))]
    for apart, named in product((False, True), repeat=2):
        expected = ways(rows, columns, ships, apart=apart, named=named)
        if not expected:
            with pytest.raises(GameError, match="do not fit"):
                Battleship(rows, columns, ships, apart=apart, named=named)
            continue
        game = Battleship(rows, columns, ships, apart=apart, named=named)
        check_game(game)
        weights = sorted(weights_of(game).tolist())
        counts = sorted(expected.values())
        assert [w * counts[0] for w in weights] == [c * weights[0] for c in counts]


@pytest.mark.parametrize(("spec", "objective", "value"), cases("test_battleship", "test_values_by_hand"))
def test_values_by_hand(spec: str, objective: str, value: int) -> None:
    """A ship of one cell in a row of n is found cell by cell: n - 1 misses at worst, n(n - 1)/2 in all."""
    assert optimum(parse(spec), objective) == (value,)


@pytest.mark.parametrize(("spec", "words"), cases("test_battleship", "test_bad_specs_are_named"))
def test_bad_specs_are_named(spec: str, words: str) -> None:
    with pytest.raises(GameError) as error:
        parse(spec)
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_too_many_ways_are_refused_before_they_are_listed() -> None:
    with pytest.raises(SpaceError, match="more than 262144 ships would be placed"):
        parse("battleship:10x10,ships=2+3+3+4+5")


def test_ships_of_one_length_have_names_of_their_own() -> None:
    game = parse("battleship:3x3,ships=2+2+1,named")
    assert game.responses == ("miss", "hit 2a", "hit 2b", "hit 1")
    secret = game.secret_index("2a: A1 A2, 2b: B1 B2, 1: C3")
    told = [game.responses[game.respond(game.guess_index(cell), secret)] for cell in ("A2", "B1", "C3", "C1")]
    assert told == ["hit 2a", "hit 2b", "hit 1", "miss"]
    plain = parse("battleship:2x2,ships=2+2")  # across or down: the same cells
    assert (plain.secrets, plain.weights) == (("A1 A2 B1 B2",), None)


def test_cells_are_drawn_where_they_are() -> None:
    look = parse("battleship:2x3,ships=2").look
    assert look.marked_board([("A2", "hit"), ("B3", "miss")]) == [
        [("A1", ""), ("A2", "hit"), ("A3", "")],
        [("B1", ""), ("B2", ""), ("B3", "miss")],
    ]
    assert look.paid("1") == "1 miss"
