"""Duels: values of both players against every guess in every state, bounds, turns and ties."""

import numpy as np
import pytest
from effort import seeds

from guesstree.engine.advice.position import Position
from guesstree.engine.duel import chances as module
from guesstree.engine.duel.arena import explore
from guesstree.engine.duel.chances import Duel, Side
from guesstree.engine.duel.oracle import duel_value
from guesstree.engine.errors import GuesstreeError
from guesstree.engine.game import Game
from guesstree.engine.registry import parse
from guesstree.engine.search.solve import solve
from guesstree.engine.state import Ints
from guesstree.engine.tables.table import TableGame

NEAR = 1e-9


def value(game: Game, goal: str, **options: object) -> float:
    found = Duel(Position(game, goal=goal), Position(game, goal=goal), **options).chances()  # type: ignore[arg-type]
    assert found.exact
    assert abs(found.win + found.draw / 2 - found.lower) < NEAR
    return found.lower


def followed(game: Game, goal: str):  # type: ignore[no-untyped-def]
    """Return the strategy that the opponent follows, as the search finds it."""
    solved = solve(game, goal=goal)
    return lambda candidates: solved.choose(np.array(sorted(candidates), dtype=np.int32))


def random_game(seed: int) -> tuple[Game, str]:
    rng = np.random.default_rng(seed)
    secrets, tests = int(rng.integers(2, 5)), int(rng.integers(2, 5))
    rows = [[f"r{x}" for x in rng.integers(0, 3, secrets)] for _ in range(tests)]
    rows += [
        ["a" if s == t else "b" for s in range(secrets)] for t in range(secrets)
    ]  # all can be told apart
    names = [f"s{s}" for s in range(secrets)]
    game = TableGame("table:random", [f"t{t}" for t in range(len(rows))], names, rows)
    if rng.integers(2):
        game.weights = tuple(rng.integers(1, 5, secrets).tolist())
    return game, "identify"


SMALL = [
    "mastermind:2x2",
    "higher:3",
    "blackpeg:2x2",
    "mastermind:1x3",
    "bulls:2x3",
    "higher:2+1+3",
    "higher:4",
]


@pytest.mark.parametrize("tie", ["draw", "first"])
@pytest.mark.parametrize("spec", SMALL)
def test_values_are_those_of_every_guess_in_every_state(spec: str, tie: str) -> None:
    game = parse(spec)
    follow = followed(game, "win")
    best = duel_value(game, "win", tie=tie)
    assert abs(value(game, "win", opponent="best", tie=tie) - float(best)) < NEAR
    assert abs(value(game, "win", opponent="best", tie=tie, first=False) - float(1 - best)) < NEAR
    against = duel_value(game, "win", tie=tie, follows=(None, follow))
    assert abs(value(game, "win", tie=tie) - float(against)) < NEAR
    second = 1 - duel_value(game, "win", tie=tie, follows=(follow, None))
    assert abs(value(game, "win", tie=tie, first=False) - float(second)) < NEAR


@pytest.mark.parametrize("seed", seeds(25, 600))
def test_values_of_random_tables_are_those_of_the_oracle(seed: int) -> None:
    game, goal = random_game(seed)
    tie = ("draw", "first")[seed % 2]
    follow = followed(game, goal)
    best = duel_value(game, goal, tie=tie)
    assert abs(value(game, goal, opponent="best", tie=tie) - float(best)) < NEAR
    assert abs(value(game, goal, opponent="best", tie=tie, first=False) - float(1 - best)) < NEAR
    against = duel_value(game, goal, tie=tie, follows=(None, follow))
    assert abs(value(game, goal, tie=tie) - float(against)) < NEAR
    assert against >= best
    second = 1 - duel_value(game, goal, tie=tie, follows=(follow, None))
    assert abs(value(game, goal, tie=tie, first=False) - float(second)) < NEAR
    assert second >= 1 - best


@pytest.mark.parametrize("seed", seeds(10, 100))
def test_bounds_hold_the_value(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where all states cannot be listed; from the beginning, and in the middle of a round."""
    rng = np.random.default_rng(seed)
    spec = str(rng.choice(["mastermind:2x3", "higher:7", "mastermind:3x2", "bulls:2x4"]))
    game, first = parse(spec), bool(rng.integers(2))
    secrets = rng.integers(0, len(game.secrets), 2)
    histories: list[list[tuple[int, int]]] = [[], []]
    for _ in range(int(rng.integers(0, 3))):
        turn = (
            int(len(histories[0]) > len(histories[1]))
            if first
            else int(len(histories[0]) == len(histories[1]))
        )
        guess = int(rng.integers(len(game.guesses)))
        histories[turn].append((guess, game.respond(guess, int(secrets[turn]))))
    for opponent in ("fewest", "best"):
        for tie in ("draw", "first"):
            both = [Position(game, history) for history in histories]
            duel = Duel(*both, first=first, opponent=opponent, tie=tie)
            exact = duel.chances()
            assert exact.exact
            with monkeypatch.context() as patch:
                patch.setattr(module, "MOST_FOR_ALL", 0)
                bounds = duel.chances()
            assert bounds.lower - NEAR <= exact.lower <= bounds.upper + NEAR


def test_states_in_the_middle_are_those_of_the_oracle() -> None:
    game = parse("mastermind:2x3")
    mine, theirs = Position(game, "11:0,0 12:0,1"), Position(game, "12:0,1")
    a, b = (frozenset(position.candidates.tolist()) for position in (mine, theirs))
    found = Duel(mine, theirs, opponent="best").chances()
    assert abs(found.lower - float(duel_value(game, "win", first=a, second=b, second_asks=True))) < NEAR
    mine, theirs = Position(game, "12:0,1"), Position(game, "12:0,1")
    b = frozenset(mine.candidates.tolist())
    found = Duel(mine, theirs, opponent="best").chances()
    assert abs(found.lower - float(duel_value(game, "win", first=b, second=b))) < NEAR
    found = Duel(mine, theirs, opponent="best", first=False).chances()
    assert abs(found.lower - float(1 - duel_value(game, "win", first=b, second=b))) < NEAR


def test_shapes_keep_the_fewest_guesses() -> None:
    for spec in ("mastermind:3x3", "higher:12", "bulls:3x4"):
        side = Side(Position(spec))
        assert side.all_moves is not None
        total = solve(spec).upper[0]
        assert side.all_moves.totals()[-1] == total
        assert sum(i * n for i, n in enumerate(side.fewest.ends(), 1)) == total
        assert len(side.all_moves.weights) < side.all_moves.states


def test_the_guess_that_wins_is_not_always_the_one_with_the_fewest() -> None:
    """They know the secret and end in this round: one of six candidates may draw, a test of all not."""
    game = parse("mastermind:3x5")
    mine, theirs = Position(game, "312:0,2 231:0,2"), Position(game, "411:0,0 552:0,0")
    assert (len(mine.candidates), len(theirs.candidates)) == (6, 1)
    found = Duel(mine, theirs).chances()
    best, fewest = found.guesses[0], found.fewest
    assert fewest is not None
    assert (game.guesses[best.guess], game.guesses[fewest.guess]) == ("124", "134")
    assert (best.value, fewest.value, found.win) == pytest.approx((1 / 12, 0, 0))
    assert (best.expected, fewest.expected) == pytest.approx((13 / 6, 2))


def test_who_asks_second_knows_more() -> None:
    """A duel that is even for strategies is not for players: the second sees whether to take a chance."""
    assert value(parse("bulls:3x4"), "win", opponent="best") < 0.5
    assert value(parse("bulls:3x4"), "win", opponent="best", first=False) > 0.5
    assert value(parse("mastermind:2x3"), "win", opponent="best", tie="first") > 0.5


def test_how_a_duel_ends() -> None:
    spec = "mastermind:1x3"

    def result(mine: str, theirs: str, **options: object) -> float | None:
        return Duel(Position(spec, mine), Position(spec, theirs), **options).result  # type: ignore[arg-type]

    won, not_yet = "1:1,0", "1:0,0"
    assert result(won, won) == 0.5
    assert result(won, won, tie="first") == 1
    assert result(won, won, tie="first", first=False) == 0
    assert result(won, not_yet) == 1
    assert result(not_yet, won) == 0
    assert result(won, "") is None  # they may still draw
    assert result(won, "", tie="first") == 1
    assert result("", won, first=False) is None
    assert result("", won, first=False, tie="first") == 0
    assert result("", "") is None
    last = Duel(Position(spec, won), Position(spec, ""), opponent="best").chances()
    assert (last.win, last.draw) == pytest.approx((2 / 3, 1 / 3))
    mine = Duel(Position(spec, ""), Position(spec, won), first=False).chances()
    assert (mine.win, mine.draw, len(mine.guesses)) == pytest.approx((0, 1 / 3, 1))


@pytest.mark.parametrize(
    ("mine", "theirs", "options", "words"),
    [
        ("11:0,0 12:0,0", "", {}, "2 guesses of mine and 0 of theirs"),
        ("11:0,0", "", {"first": False}, "where they ask first"),
        ("", "", {"tie": "lost"}, "tie 'lost'; expected draw or first"),
        ("", "", {"opponent": "worst"}, "opponent 'worst'; expected fewest or best"),
    ],
)
def test_what_does_not_fit_is_refused(mine: str, theirs: str, options: dict[str, object], words: str) -> None:
    with pytest.raises(GuesstreeError) as error:
        Duel(Position("mastermind:2x4", mine), Position("mastermind:2x4", theirs), **options)  # type: ignore[arg-type]
    assert words in str(error.value)


def test_games_with_costs_are_refused() -> None:
    with pytest.raises(GuesstreeError, match="without costs"):
        Duel(Position("higher:3,costs=1+2+3"), Position("higher:3,costs=1+2+3"))


def test_too_many_states_end_the_listing() -> None:
    side = Side(Position("mastermind:3x3"), most=20)
    assert side.all_moves is None

    def all_of(_: Ints) -> Ints:
        return np.arange(27, dtype=np.int32)

    with pytest.raises(GuesstreeError, match="more than 20 states"):
        explore(side.problem, side.everyone, all_of, 20)
