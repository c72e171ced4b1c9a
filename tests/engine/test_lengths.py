"""Wordle with words of any length and alphabet: its rules, the oracle, and lists that are refused."""

import random
import unicodedata
from pathlib import Path

import numpy as np
import pytest
from effort import tries
from hypothesis import given
from hypothesis import strategies as st

from guesstree.api.strategy import strategy_of
from guesstree.engine.advice.position import Position
from guesstree.engine.contract import check_game
from guesstree.engine.errors import GameError, GuesstreeError
from guesstree.engine.games.wordle import MODES, Mode, WordleGame
from guesstree.engine.objective import OBJECTIVES
from guesstree.engine.oracle import best, front
from guesstree.engine.registry import parse
from guesstree.engine.search.solve import solve
from guesstree.trees import check as checker


def words_of(dice: random.Random, letters: int, most: int, alphabet: str = "abcdé") -> list[str]:
    """Return different random words in any order; few letters, so that many occur more than once."""
    some = alphabet[: dice.randint(2, len(alphabet))]
    return list(dict.fromkeys("".join(dice.choices(some, k=letters)) for _ in range(dice.randint(2, most))))


def game_of(seed: int, letters: int, most: int, mode: Mode = "") -> WordleGame:
    """Return a random game with words of so many letters."""
    dice = random.Random(seed)
    words = words_of(dice, letters, most)
    split = dice.randint(1, len(words))
    return WordleGame("wordle:random", words[:split], words[split:], mode=mode)


@pytest.mark.parametrize("letters", range(1, 12))
def test_every_way_to_answer_is_the_same(letters: int) -> None:
    for mode in MODES:
        check_game(game_of(letters, letters, 8, mode))


@pytest.mark.parametrize("letters", range(1, 12))
def test_every_word_may_be_the_answer_with_the_same_responses(letters: int) -> None:
    game = WordleGame("wordle:few", ["abcdefghijk"[:letters]], ["kabcdefghij"[:letters], "k" * letters])
    wider = game.wider
    assert wider is not None
    assert (wider.responses, wider.guesses, wider.winning) == (game.responses, game.guesses, game.winning)
    labels = np.array(game.responses)[wider.table()]
    assert (np.diagonal(labels) == "=" * letters).all()
    if 1 < letters < 11:  # there the answer has no k
        position = Position(game, [("k" * letters, "=" + "-" * (letters - 1))])
        assert position.secrets == (game.guesses[1],) and position.game.spec == "wordle:few,any"


def equals_the_oracle(seed: int, letters: int, mode: Mode) -> None:
    """Compare searches of a random list with the oracle."""
    game = game_of(seed, letters, 6, mode)
    for goal in ("win", "identify"):
        pairs = front(game, goal)
        for objective in ("expected", "worst", "expected,worst"):
            solution = solve(game, objective, goal=goal)
            assert solution.upper == best(pairs, OBJECTIVES[objective].figures)
            assert checker.check(game, strategy_of(solution)).valid


@tries(0.5)
@given(st.integers(0, 1 << 30), st.integers(6, 11), st.sampled_from(MODES))
def test_long_words_equal_the_oracle(seed: int, letters: int, mode: Mode) -> None:
    equals_the_oracle(seed, letters, mode)


@pytest.mark.long
@tries(10)
@given(st.integers(0, 1 << 30), st.integers(3, 8), st.sampled_from(MODES))
def test_many_lists_equal_the_oracle(seed: int, letters: int, mode: Mode) -> None:
    equals_the_oracle(seed, letters, mode)


@pytest.mark.parametrize("letters", [6, 8, 11])
def test_a_list_of_long_words_is_solved_and_checked(letters: int) -> None:
    dice = random.Random(letters)
    words = words_of(dice, letters, 60, "abcdefghijklmnop")
    game = WordleGame("wordle:long", words[::2], words[1::2])
    assert len(game.responses) > 255
    solution = solve(game)
    assert solution.optimal
    assert checker.check(game, strategy_of(solution)).valid


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("straße\ngrüßen\n", ("grüßen", "straße")),
        ("\ufeffÉCOLE\r\nélève\r\n\r\n", ("école", "élève")),
        ("e\u0301cole\n  tasse \n", ("tasse", "école")),  # composed
        ("λόγος\nΛΌΓΟΙ\n", ("λόγοι", "λόγος")),  # noqa: RUF001
        ("слово\nбуква\n", ("буква", "слово")),  # noqa: RUF001
        ("שלום\nעולם\n", ("עולם", "שלום")),  # noqa: RUF001
        ("言葉\n漢字\n", ("漢字", "言葉")),
        ("IŞIK\nİPEK\n", ("işik", "İpek")),
    ],
)
def test_letters_of_any_alphabet_are_as_the_list_writes_them(
    tmp_path: Path, text: str, words: tuple[str, ...]
) -> None:
    file = tmp_path / "words.txt"
    file.write_bytes(text.encode())
    game = parse(f"wordle:{file}")
    assert tuple(game.guesses) == words
    check_game(game)
    for guess, word in enumerate(words):
        for typed in (word, word.upper() if len(word.upper()) == len(word) else word):
            assert game.read_guess(typed) == guess
        assert game.read_guess(unicodedata.normalize("NFD", word)) == guess
    assert checker.check(game, strategy_of(solve(game))).valid


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "no word; expected one word on each line"),
        (b"\xef\xbb\xbf\r\n\r\n", "no word; expected one word on each line"),
        (b"abc\nabcd\nabd\n", "'abcd' has 4 letters; expected words of the same length, as most have 3"),
        (b"abc\ndef\nABC\n", "line 3: the word 'abc' is repeated (line 1)"),
        ("e\u0301a\n\u00e9a\n".encode(), "line 2: the word 'éa' is repeated (line 1)"),
        ("abc\n👍🏽a\n".encode(), "line 2: '👍🏽a'; expected a word made of letters"),
        ("k\u0300ab\n".encode(), "has a letter of two characters"),
        ("हिन्दी\n".encode(), "has a letter of two characters"),
        (b"abc\nde\x00\n", "line 2: 'de\\x00'; expected a word made of letters"),
        (b"\x89PNG\r\n\x1a\n", "is not UTF-8 text: byte 0"),
        ("abc\n".encode("utf-16"), "is not UTF-8 text: byte 0"),
        (b"ab-c\n", "line 1: 'ab-c'; expected a word made of letters"),
        (b"abcdefghijkl\n", "words of 12 letters; expected at most 11"),
        (b"a" * 5000, "words of 5000 letters; expected at most 11"),
        ("".join(chr(0x4E00 + i) + "\n" for i in range(256)).encode(), "more than 255 different letters"),
    ],
)
def test_what_is_no_list_is_refused_in_one_line(tmp_path: Path, data: bytes, said: str) -> None:
    file = tmp_path / "words.txt"
    file.write_bytes(data)
    with pytest.raises(GameError) as error:
        parse(f"wordle:{file}")
    assert said in str(error.value) and "\n" not in str(error.value) and len(str(error.value)) < 400


@pytest.mark.long
@pytest.mark.parametrize("letters", [5, 6, 11])
def test_so_many_words_are_refused_before_anything_is_tried(tmp_path: Path, letters: int) -> None:
    file = tmp_path / "words.txt"
    digits = (np.arange(1_000_000)[:, None] // 26 ** np.arange(letters) % 26 + ord("a")).astype(np.uint8)
    file.write_bytes(np.hstack([digits, np.full((len(digits), 1), ord("\n"), np.uint8)]).tobytes())
    with pytest.raises(GuesstreeError) as error:
        solve(parse(f"wordle:{file}"))
    assert "1000000 secrets and 1000000 guesses: tables of responses would need" in str(error.value)
