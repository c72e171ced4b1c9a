"""Several boards at once against plain rules: who plays to the end, guess by guess, on every board."""

import random
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from pathlib import Path

import numpy as np
import pytest
from effort import seeds

from guesstree.api.strategy import strategy_of
from guesstree.engine.advice.boards import BoardsPosition, Bounds, answers, draw, played
from guesstree.engine.boards import BoardsGame
from guesstree.engine.contract import check_game
from guesstree.engine.errors import GuesstreeError, SpaceError
from guesstree.engine.game import Game
from guesstree.engine.objective import EXPECTED
from guesstree.engine.problem import Problem
from guesstree.engine.registry import parse
from guesstree.engine.search.solve import solve


@pytest.fixture
def words(tmp_path: Path) -> str:
    """Return Wordle with four words."""
    (tmp_path / "words.txt").write_text("otto\nanna\ntoto\nnoah\n")
    return f"wordle:{tmp_path / 'words.txt'}"


class Drawn(Game):
    """A game of random responses, in which each secret is a guess, and there may be other guesses."""

    def __init__(self, dice: random.Random, secrets: int, more: int, responses: int) -> None:
        self.spec = "drawn:1"
        self.secrets = [f"s{i}" for i in range(secrets)]
        self.guesses = [*self.secrets, *(f"g{i}" for i in range(more))]
        self.responses = [*(f"r{i}" for i in range(responses)), "found"]
        self.winning = responses
        self._given = [[dice.randrange(responses) for _ in self.secrets] for _ in self.guesses]

    def respond(self, guess: int, secret: int) -> int:
        return len(self.responses) - 1 if guess == secret else self._given[guess][secret]


def fewest(game: Game, boards: int) -> tuple[int, int]:
    """Return the least total and the least worst case of guesses until every board is solved.

    From the rules alone: a state is what the secrets may be and which boards are solved; a board that is
    solved answers nothing more.
    """
    everything = frozenset(range(boards))

    @cache
    def least(left: frozenset[tuple[int, ...]], solved: frozenset[int], worst: bool) -> float:
        if solved == everything:
            return 0
        found = float("inf")
        for guess in range(len(game.guesses)):
            parts: dict[tuple[int, ...], set[tuple[int, ...]]] = {}
            for secrets in left:
                said = tuple(
                    -1 if i in solved else game.respond(guess, secret) for i, secret in enumerate(secrets)
                )
                parts.setdefault(said, set()).add(secrets)
            if len(parts) == 1 and game.winning not in next(iter(parts)):
                continue  # it tells nothing and solves nothing
            below = [
                least(frozenset(part), solved | {i for i, r in enumerate(said) if r == game.winning}, worst)
                for said, part in parts.items()
            ]
            found = min(found, 1 + max(below) if worst else len(left) + sum(below))
        return found

    secrets = frozenset(permutations(range(len(game.secrets)), boards))
    return int(least(secrets, frozenset(), False)), int(least(secrets, frozenset(), True))


def require_equal(game: Game, boards: int) -> None:
    """Fail unless the least misses and one guess for each board are the fewest guesses."""
    several = BoardsGame(f"boards:{boards},{game.spec}", game, boards)
    total, worst = fewest(game, boards)
    found = solve(several)
    assert found.optimal and found.upper[0] + boards * len(several.secrets) == total
    assert solve(several, "worst").upper[0] + boards == worst
    assert strategy_of(found).check().valid


def drawn(seed: int) -> tuple[Game, int]:
    """Return a small random game, and on how many boards."""
    dice = random.Random(seed)
    boards = dice.choice([2, 2, 3])
    secrets = dice.randint(boards, 5 if boards == 2 else 4)
    return Drawn(dice, secrets, dice.randint(0, 3), dice.randint(1, 3)), boards


@pytest.mark.parametrize("part", seeds(2, 50))
def test_fewest_misses_are_fewest_guesses(part: int) -> None:
    for seed in range(40 * part, 40 * part + 40):
        require_equal(*drawn(seed))


def test_fewest_guesses_of_words(words: str) -> None:
    for boards in (2, 3):
        require_equal(parse(words), boards)
    require_equal(parse("mastermind:2x2"), 2)


def test_a_solved_board_keeps_to_its_answer_and_boards_are_alike(words: str) -> None:
    game = parse(f"boards:2,{words}")
    assert isinstance(game, BoardsGame) and len(game.secrets) == 12 and game.facts.boards == 2
    board = game.board
    for guess, (secret, label) in product(range(4), enumerate(game.secrets)):
        own = label.split(" | ")
        said = [board.responses[board.respond(guess, board.secret_index(one))] for one in own]
        assert game.responses[game.respond(guess, secret)] == " | ".join(said)
        assert game.costs is not None
        assert game.costs[guess, game.respond(guess, secret)] == (game.guesses[guess] not in own)
        other = game.respond(guess, game.secret_index(" | ".join(own[::-1])))
        assert game.responses[other] == " | ".join(said[::-1])
    assert game.tries == 7 and parse(f"boards:3,{words}").tries == 8


def test_renamings_of_the_game_on_the_boards_are_those_of_all_boards() -> None:
    for spec in ("boards:2,mastermind:2x3", "boards:3,bulls:1x4"):
        game = parse(spec)
        check_game(game)
        assert game.symmetry.generators()
        assert solve(game).upper == solve(game, symmetry=False).upper


def test_some_of_the_secrets_are_a_game_of_their_own(words: str) -> None:
    board = parse(words)
    game = BoardsGame("some", board, 2, [np.array([0, 1]), np.array([1, 2, 3])])
    labels = [f"{board.secrets[a]} | {board.secrets[b]}" for a in (0, 1) for b in (1, 2, 3) if a != b]
    assert list(game.secrets) == labels
    check_game(game)


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("boards:1,mastermind:2x2", "expected 2 to 32 boards and a game, such as boards:4,wordle:official"),
        ("boards:33,mastermind:2x2", "expected 2 to 32 boards"),
        ("boards:\u0664,mastermind:2x2", "expected 2 to 32 boards"),
        ("boards:", "expected 2 to 32 boards"),
        ("boards:2", "expected 2 to 32 boards"),
        ("boards:2,", "expected 2 to 32 boards"),
        ("boards:2,chess:8x8", "unknown game 'chess:8x8'"),
        ("boards:2,boards:2,mastermind:2x2", "expected a game in which a guess wins"),
        ("boards:2,coins:4", "expected a game in which a guess wins"),
        ("boards:5,mastermind:2x2", "4 secrets on 5 boards; expected one for each board, all different"),
        ("boards:2,mastermind:20x20", "more than this machine can number"),
        ("boards:2,mastermind:12x9", "282429536481 secrets on each board; expected at most 65536"),
        ("boards:2,WORDS,hard", "expected a game in which every guess is always allowed"),
        ("boards:2,table:BAR,win=W", "'a|b' has a '|'"),
        ("boards:2,table:COST,win=W", "expected a game without weights, costs, or a budget"),
    ],
)
def test_what_there_cannot_be_several_of_is_refused(spec: str, words: str, tmp_path: Path) -> None:
    tables = {
        "BAR": "test,a|b,c\na|b,W,x\nc,x,W\n",
        "COST": "test,minutes,a,b\na,1,W,x\nb,2,x,W\n",
    }
    for name, text in tables.items():
        (tmp_path / f"{name}.csv").write_text(text)
        spec = spec.replace(name, str(tmp_path / f"{name}.csv"))
    (tmp_path / "w.txt").write_text("otto\nanna\n")
    with pytest.raises(GuesstreeError) as error:
        parse(spec.replace("WORDS", f"wordle:{tmp_path / 'w.txt'}"))
    assert words in str(error.value) and "\n" not in str(error.value)


def test_many_secrets_are_never_listed_and_searches_say_so() -> None:
    for spec in ("boards:2,mastermind:4x6", "boards:32,mastermind:3x4", "boards:3,bulls:4x10"):
        game = parse(spec)
        assert not game.facts.listed and game.facts.boards > 1
        said = "only counted, too many for a search; use play or assist"
        with pytest.raises(SpaceError, match=said):
            solve(game)
        with pytest.raises(SpaceError, match=said):
            Problem(game, EXPECTED)
        with pytest.raises(SpaceError):
            game.table()


def test_a_secret_on_which_two_guesses_win_is_refused() -> None:
    class Twice(Drawn):
        def respond(self, guess: int, secret: int) -> int:
            return super().respond(guess % 2, secret)

    with pytest.raises(GuesstreeError, match="2 guesses that win on 's0'; expected one for each"):
        BoardsGame("two", Twice(random.Random(0), 2, 1, 2), 2)


# -- in the middle of a game -------------------------------------------------------------------------------


def positions(seed: int) -> Iterator[tuple[BoardsPosition, tuple[int, ...]]]:
    """Yield the positions of a random game on random boards, with the secrets."""
    game, boards = drawn(seed)
    dice = random.Random(-seed)
    several = BoardsGame(f"boards:{boards},{game.spec}", game, boards)
    secrets, position = draw(several, dice), BoardsPosition(several)
    yield position, secrets
    while not position.finished:
        guess = dice.choice([g for g in range(len(game.guesses)) if g not in dict(position.history)])
        position = position.after(guess, answers(several, position, secrets, guess))
        yield position, secrets


@pytest.mark.parametrize("part", seeds(1, 15))
def test_positions_know_what_fits_and_bound_what_is_to_come(part: int) -> None:
    for seed in range(30 * part, 30 * part + 30):
        for position, secrets in positions(seed):
            game = position.game
            left = [
                some
                for some in permutations(range(len(game.board.secrets)), game.boards)
                if all(
                    given is None or game.board.respond(guess, secret) == given
                    for guess, said in position.history
                    for given, secret in zip(said, some, strict=True)
                )
            ]
            assert secrets in left
            fits = [sorted({some[i] for some in left}) for i in range(game.boards)]
            for board, some in zip(position.boards, fits, strict=True):
                assert set(some) <= set(board.candidates.tolist())
                assert len(board.candidates) > 1 or board.candidates.tolist() == some
            if position.finished:
                assert position.bounds == Bounds(Fraction(0), Fraction(0)) and position.proven() is None
                continue
            found = position.proven()
            assert found is not None
            guess, more = found
            sets = [position.boards[i].candidates for i in position.unsolved]
            alone = solve(BoardsGame("alone", game.board, len(sets), sets))
            assert more == len(sets) + Fraction(alone.upper[0], len(alone.game.secrets))
            assert position.bounds.lower <= more
            assert position.bounds.upper is None or more <= position.bounds.upper
            assert guess not in dict(position.history)
            best = position.best(100)
            assert best and all(one.guess not in dict(position.history) for one in best)
            sure = {s for some in sets if len(some) == 1 for s in some.tolist()}
            assert not sure or best[0].sure


def test_the_best_guess_by_bits_for_each_miss_ends_every_game(words: str) -> None:
    several = parse(f"boards:3,{words}")
    assert isinstance(several, BoardsGame)
    for secrets in permutations(range(4), 3):
        end = played(several, secrets)
        assert [int(board.candidates[0]) for board in end.boards] == list(secrets)
        assert 3 <= len(end.history) <= 4 and end.bounds == Bounds(Fraction(0), Fraction(0))
        text = " ".join(map(end.turn_text, end.history))
        assert BoardsPosition(several, text).history == end.history


def test_boards_with_one_secret_each_leave_it_to_no_other(words: str) -> None:
    several = parse(f"boards:2,{words}")
    assert isinstance(several, BoardsGame)
    position = BoardsPosition(several)
    noah = several.board.guess_index("noah")
    position = position.after(noah, [several.board.respond(noah, 0), several.board.respond(noah, 2)])
    assert [len(board.candidates) for board in position.boards] == [1, 1]
    assert [one.sure for one in position.best(2)] == [True, True]
    assert position.proven() is not None


@pytest.mark.parametrize(
    ("history", "words"),
    [
        ("otto", "expected GUESS:RESPONSE"),
        ("otto:====", "1 response in 'otto:===='; expected one for each board, with | or / between them"),
        ("otto:====|====|====", "3 responses in"),
        ("otto:====|====", "no secrets fit that differ from board to board after the responses to 'otto'"),
        ("otto:----|-==-", "no secret of board 2 fits after the responses to 'otto'"),
        ("tott:-===|-===", "'tott' is not a guess"),
        ("otto:|----", "no response; expected one for each board that is not solved: 1"),
        ("otto:====|x", "board 2: 'x' is not a response to 'otto'"),
        ("nobody:====|----", "'nobody' is not a guess"),
        ("otto:====|---- otto:|----", "'otto' was asked already"),
        ("\x00:|", "is not a guess"),
    ],
)
def test_bad_histories_are_one_line(history: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "w.txt").write_text("otto\nanna\ntoto\nnoah\n")
    several = parse(f"boards:2,wordle:{tmp_path / 'w.txt'}")
    assert isinstance(several, BoardsGame)
    with pytest.raises(GuesstreeError) as error:
        BoardsPosition(several, history)
    assert words in str(error.value) and "\n" not in str(error.value)


def test_more_boards_with_the_same_responses_than_secrets_that_fit_them_contradict(words: str) -> None:
    several = parse(f"boards:3,{words}")
    assert isinstance(several, BoardsGame)
    anna = several.board.guess_index("anna")
    same = several.board.respond(anna, several.board.secret_index("otto"))
    assert same == several.board.respond(anna, several.board.secret_index("toto"))
    with pytest.raises(GuesstreeError, match="no secrets fit that differ from board to board"):
        BoardsPosition(several).after(anna, [same, same, same])


@pytest.mark.long
def test_bounds_of_the_boards_that_are_played() -> None:
    """The figures of docs/boards.md."""
    for boards, lower, upper in ((2, 3.870, 5.587), (4, 5.740, 8.245), (8, 9.475, 12.626)):
        several = parse(f"boards:{boards},wordle:official")
        assert isinstance(several, BoardsGame)
        found = BoardsPosition(several).bounds
        assert found.upper is not None
        assert float(found.lower) == pytest.approx(lower, abs=1e-3)
        assert float(found.upper) == pytest.approx(upper, abs=1e-3)
