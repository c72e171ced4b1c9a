"""Hangman: the rules, small lists against the oracle, and the most frequent letter against the best."""

from collections import Counter, defaultdict
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from guesstree.engine.errors import GameError
from guesstree.engine.game import Game, check, parse
from guesstree.engine.games.hangman import MISS, HangmanGame, places
from guesstree.engine.oracle import best, front
from guesstree.engine.search import solve
from guesstree.strategy import strategy_of
from guesstree.trees import check as checker

EIGHT = ["cats", "bats", "rats", "vats", "sate", "mole", "vole", "role"]


PATTERNS = ["".join(p) for p in product("bz", repeat=10) if "b" in p][:999]
WITH_A = [f"a{x}{y}{z}{'xy'[i % 2] * 6}" for i, (x, y, z) in enumerate(product("cdefghijkl", repeat=3))]
TWO_THOUSAND = [*PATTERNS, "z" * 10, *WITH_A]


def game_of(words: dict[str, int] | list[str]) -> HangmanGame:
    return HangmanGame("hangman:test", words if isinstance(words, dict) else dict.fromkeys(words, 1))


def misses_by_frequency(words: list[str], asked: str = "") -> dict[str, int]:
    """Return the misses for each word when the most frequent letter is asked; of equals the first."""
    if len(words) == 1:
        return {words[0]: 0}
    counts = {c: sum(c in w for w in words) for c in sorted(set("".join(words))) if c not in asked}
    cells: dict[str, list[str]] = defaultdict(list)
    letter = max(counts, key=lambda c: (counts[c], -ord(c)))
    for word in words:
        cells[places(word, letter)].append(word)
    return {
        word: misses + (place == MISS)
        for place, cell in cells.items()
        for word, misses in misses_by_frequency(cell, asked + letter).items()
    }


def test_a_letter_is_answered_with_its_places() -> None:
    game = game_of(EIGHT)
    check(game)
    assert game.guesses == tuple("abcelmorstv")
    assert [game.responses[game.respond(game.guess_index("a"), s)] for s in range(8)].count("2") == 5
    assert places("geese", "e") == "2 3 5"
    assert places("geese", "a") == MISS


@pytest.mark.parametrize("objective", ["expected", "worst"])
@pytest.mark.parametrize("words", [EIGHT[2:], {"cats": 5, "bats": 1, "sate": 2, "mole": 9}])
def test_small_lists_equal_the_oracle(objective: str, words: dict[str, int] | list[str]) -> None:
    game = game_of(words)
    solution = solve(game, objective)
    assert solution.optimal
    assert solution.upper == best(front(game, "identify"), (objective,))
    assert checker.check(game, strategy_of(solution)).valid


def test_eight_words_on_which_frequency_is_best_after_all() -> None:
    """Said to be a counter-example: a, t and s are as frequent, and s splits better.

    It makes no difference in misses: all words with an a have an s, so after a hit s is asked for nothing.
    """
    exact = solve(game_of(EIGHT), "expected")
    assert exact.optimal
    assert exact.upper == (12,)
    assert sum(misses_by_frequency(EIGHT).values()) == 12
    assert solve(game_of(EIGHT), "expected", first="s").upper == (12,)


def test_the_most_frequent_letter_is_not_best_on_patterns() -> None:
    """2000 words: 1000 with an a, 999 with b in places of their own, and one with neither.

    The a is (barely) the most frequent letter. Without a miss to spare, b wins half of the words at once, and
    a hardly any.
    """
    game = game_of(TWO_THOUSAND)
    assert len(game.responses) > 1000
    assert game.table().dtype == np.uint16
    frequent = Counter(letter for word in TWO_THOUSAND for letter in set(word)).most_common(3)
    assert frequent == [("a", 1000), ("b", 999), ("z", 999)]
    exact = solve(game, "win-probability", budget=0)
    assert exact.optimal
    assert exact.upper == (1001, 0)
    assert solve(game, "win-probability", budget=0, first="b").upper == (1001, 0)
    assert solve(game, "win-probability", budget=0, first="a").upper == (1987, 0)
    report = checker.check(game, strategy_of(exact))
    assert report.valid
    assert report.costs is not None
    assert report.costs.won == 999
    greedy = solve(game, "win-probability", budget=0, method="least-cost")
    assert greedy.upper[0] >= 1987
    assert sum(misses == 0 for misses in misses_by_frequency(TWO_THOUSAND).values()) <= 13


@pytest.mark.parametrize("budget", [0, 1, 2, 3])
def test_lives_that_do_not_cover_all_words(budget: int) -> None:
    solution = solve(game_of(EIGHT), "win-probability", budget=budget)
    assert solution.optimal
    lost = [solve(game_of(EIGHT), "win-probability", budget=b).upper[0] for b in range(4)]
    assert solution.upper[0] == lost[budget]
    assert lost == sorted(lost, reverse=True)
    assert lost[3] == 0


def written(folder: Path, text: str) -> Game:
    (folder / "words.txt").write_text(text)
    return parse(f"hangman:{folder / 'words.txt'}")


def test_weights_follow_a_tab(tmp_path: Path) -> None:
    game = written(tmp_path, "Mole\t3\nrôle\t2\n\nvole\n")
    assert game.secrets == ("mole", "rôle", "vole")
    assert game.weights == (3, 2, 1)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("mole\nmoles\nvole\n", "'moles' has 5 letters; accepted: words of the same length, as most have 4"),
        ("mole\t0\n", "line 1: the weight '0'; accepted: an integer from 1"),
        ("mole\tmany\n", "the weight 'many'"),
        ("mole\nMOLE\n", "line 2: the word 'mole' is repeated (line 1)"),
        ("m0le\n", "line 1: 'm0le'; accepted: a word made of letters"),
        ("\n\n", "no word; accepted: one word on each line"),
    ],
)
def test_bad_lists_are_named(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(GameError) as error:
        written(tmp_path, text)
    assert words in str(error.value)
