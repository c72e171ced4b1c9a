"""Wordle's ultra-hard mode: against its definition over random histories, and against the oracle."""

import random
from pathlib import Path

import numpy as np
import pytest
from effort import JOBS, tries
from hypothesis import given
from hypothesis import strategies as st

from guesstree.api.strategy import strategy_of
from guesstree.engine.contract import check_game
from guesstree.engine.errors import GameError
from guesstree.engine.game import rules_of
from guesstree.engine.games.wordle import MODES, Mode, WordleGame
from guesstree.engine.objective import OBJECTIVES
from guesstree.engine.oracle import best, front
from guesstree.engine.registry import parse
from guesstree.engine.search.solve import solve
from guesstree.trees import check as checker


def random_words(dice: random.Random, most: int, letters: int) -> list[str]:
    """Return different words of few letters, so that many occur twice."""
    alphabet = "abcde"[: dice.randint(2, 5)]
    return sorted({"".join(dice.choices(alphabet, k=letters)) for _ in range(dice.randint(2, most))})


def random_lists(seed: int, most: int) -> tuple[list[str], list[str]]:
    """Return answers, and other words that may be guessed."""
    dice = random.Random(seed)
    words = random_words(dice, most, dice.randint(2, 5))
    dice.shuffle(words)
    split = dice.randint(1, len(words))
    return words[:split], words[split:]


def marks_of(guess: str, secret: str) -> str:
    """Return the marks as a player counts them: first what is in place, then each other letter once."""
    marks = ["=" if g == s else "-" for g, s in zip(guess, secret, strict=True)]
    left = [s for g, s in zip(guess, secret, strict=True) if g != s]
    for place, letter in enumerate(guess):
        if marks[place] == "-" and letter in left:
            left.remove(letter)
            marks[place] = "+"
    return "".join(marks)


@tries(2)
@given(st.integers(0, 1 << 30))
def test_ultra_hard_guesses_are_those_that_could_be_the_secret(seed: int) -> None:
    answers, others = random_lists(seed, 12)
    game, dice = WordleGame("wordle:test", answers, others, mode="ultra"), random.Random(seed)
    rules = rules_of(game)
    assert rules is not None
    secret = dice.randrange(len(game.secrets))
    history: list[tuple[int, int]] = []
    for _ in range(4):
        may = [g for g in range(len(game.guesses)) if not game.refused(history, g)]
        steps = [(game.guesses[g], game.responses[r]) for g, r in history]
        assert [game.guesses[g] for g in may] == [
            word for word in game.guesses if all(marks_of(asked, word) == marks for asked, marks in steps)
        ]
        assert np.flatnonzero(rules.allowed(rules.follow(history))).tolist() == may
        asked = dice.choice(may)
        history.append((asked, game.respond(asked, secret)))


@pytest.mark.parametrize(
    ("history", "new", "why"),
    [
        (["stone --+--"], "boils", "'s' is absent (stone --+--)"),
        (["stone --+--"], "cloud", "letter 3 must not be 'o' (stone --+--)"),
        (["speed --+-+"], "abyde", ""),
        (["speed --+-+"], "edage", "'e' must occur once at most (speed --+-+)"),
        (["speed --+-+"], "adhey", "letter 4 must not be 'e' (speed --+-+)"),
        (["stone --+--", "moldy +=-+-"], "domes", "'s' is absent (stone --+--)"),
        (["geese -=+-="], "lemme", "'e' must occur 3 times (geese -=+-=)"),
    ],
)
def test_what_ultra_hard_mode_refuses_is_said(history: list[str], new: str, why: str) -> None:
    steps = [step.split() for step in history]
    game = WordleGame("wordle:test", [new], [word for word, _ in steps], mode="ultra")
    known = [(game.guess_index(word), game.response_index(marks)) for word, marks in steps]
    assert game.refused(known, game.guess_index(new)) == why


@tries(0.5)
@given(st.integers(0, 1 << 30))
def test_random_lists_equal_the_oracle_in_every_mode(seed: int) -> None:
    answers, others = random_lists(seed, 7)
    goal = random.Random(seed).choice(["win", "identify"])
    values = []
    for mode in MODES:
        game = WordleGame("wordle:test", answers, others, mode=mode)
        pairs = front(game, goal)
        for objective in ("expected", "worst", "expected,worst", "worst,expected"):
            for jobs in JOBS:
                solution = solve(game, objective, goal=goal, jobs=jobs)
                assert solution.upper == best(pairs, OBJECTIVES[objective].figures)
                assert checker.check(game, strategy_of(solution)).valid
        values.append([least for figure in ("total", "worst") for least in best(pairs, (figure,)) or ()])
    plain, hard, ultra = values
    assert all(a <= b <= c for a, b, c in zip(plain, hard, ultra, strict=True))


def test_each_mode_may_cost_more() -> None:
    """After thumb, hard mode asks t and h again at their places, ultra-hard mode does not."""
    answers, others = ["eight", "fight", "light", "night", "right", "sight", "music"], ["flnse", "thfln"]
    values: list[int] = []
    for mode in MODES:
        game = WordleGame("wordle:test", answers, [*others, "thumb"], mode=mode)
        solution = solve(game, first="thumb")
        assert solution.upper == best(front(game, "win", first=game.guess_index("thumb")), ("total",))
        values += solution.upper or ()
    assert values == [20, 23, 29]


@pytest.mark.parametrize("mode", MODES)
def test_every_mode_keeps_the_contract(mode: Mode) -> None:
    words = ["abbey", "abide", "babes", "eerie", "geese", "keels", "steel", "sweet"]
    check_game(WordleGame("wordle:test", words, ["zebra", "bless"], mode=mode))


def test_a_spec_names_one_mode_at_most(tmp_path: Path) -> None:
    file = tmp_path / "w.txt"
    file.write_text("abide\nspeed\n")
    game = parse(f"wordle:{file},ultra")
    assert isinstance(game, WordleGame)
    assert (game.mode, game.spec, game.wider) == ("ultra", f"wordle:{file},ultra", None)
    few = WordleGame("wordle:few,without=x.txt,ultra", ["abide"], ["speed"], mode="ultra").wider
    assert few is not None
    assert (few.spec, few.mode) == ("wordle:few,any,ultra", "ultra")
    for modes in ("hard,ultra", "ultra,hard", "hard,hard"):
        with pytest.raises(GameError, match=f"{modes}': two modes; expected one of them"):
            parse(f"wordle:{file},{modes}")
