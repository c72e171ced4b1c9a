"""Wordle: the rules on hard cases, small lists against the oracle, and lists that are refused."""

from pathlib import Path

import numpy as np
import pytest

from guesstree.api.strategy import strategy_of
from guesstree.engine.advice.position import Position
from guesstree.engine.contract import check_game
from guesstree.engine.errors import Contradiction, GameError
from guesstree.engine.game import Game
from guesstree.engine.games.wordle import WordleGame
from guesstree.engine.objective import OBJECTIVES
from guesstree.engine.oracle import best, front
from guesstree.engine.registry import parse
from guesstree.engine.search.solve import solve
from guesstree.trees import check as checker

WORDS = ["abbey", "abide", "babes", "eerie", "geese", "keels", "steel", "sweet"]


@pytest.mark.parametrize(
    ("guess", "secret", "marks"),
    [
        ("speed", "abide", "--+-+"),
        ("speed", "erase", "+-++-"),
        ("speed", "steal", "=-=--"),
        ("speed", "crepe", "-+=+-"),
        ("geese", "eerie", "-=+-="),
        ("eerie", "geese", "+=--="),
        ("abbey", "babes", "++==-"),
        ("sweet", "sweet", "====="),
    ],
)
def test_letters_that_occur_twice(guess: str, secret: str, marks: str) -> None:
    game = WordleGame("wordle:test", [secret], [guess])
    g, s = game.guess_index(guess), game.secret_index(secret)
    assert game.responses[game.respond(g, s)] == marks
    assert game.table()[g, s] == game.respond(g, s)


def written(folder: Path, answers: list[str], allowed: list[str] | None = None) -> Game:
    (folder / "answers.txt").write_text("\n".join(answers) + "\n")
    spec = f"wordle:{folder / 'answers.txt'}"
    if allowed:
        (folder / "allowed.txt").write_text("\n".join(allowed))
        spec += f",{folder / 'allowed.txt'}"
    return parse(spec)


@pytest.mark.parametrize("goal", ["win", "identify"])
@pytest.mark.parametrize("objective", ["expected", "worst"])
def test_small_lists_equal_the_oracle(tmp_path: Path, objective: str, goal: str) -> None:
    game = written(tmp_path, WORDS, ["zebra", "bless", "weigh"])
    check_game(game)
    assert parse(game.spec).guesses == game.guesses == tuple(sorted([*WORDS, "zebra", "bless", "weigh"]))
    solution = solve(game, objective, goal=goal)
    assert solution.upper == best(front(game, goal), OBJECTIVES[objective].figures)
    assert checker.check(game, strategy_of(solution)).valid


def test_many_responses_are_counted_in_pairs(tmp_path: Path) -> None:
    """Up to 243 responses: more than fit in bits."""
    rng = np.random.default_rng(4)
    words = sorted({"".join("abcdefgh"[i] for i in rng.integers(8, size=5)) for _ in range(150)})
    game = written(tmp_path, words[::2], words[1::2])
    for objective in ("expected", "worst"):
        one, two = (solve(game, objective, jobs=jobs) for jobs in (1, 2))
        assert one.optimal
        assert one.upper == two.upper
        assert checker.check(game, strategy_of(one)).valid


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        (["abc", "abcd", "abd"], "'abcd' has 4 letters; expected words of the same length, as most have 3"),
        (["abc", "ABC"], "line 2: the word 'abc' is repeated (line 1)"),
        (["ab1"], "line 1: 'ab1'; expected a word made of letters"),
        (["", " "], "no word; expected one word on each line"),
        (["abecedarians"], "words of 12 letters; expected at most 11"),
    ],
)
def test_bad_lists_are_named(tmp_path: Path, answers: list[str], words: str) -> None:
    with pytest.raises(GameError) as error:
        written(tmp_path, answers)
    assert words in str(error.value)


def test_files_that_cannot_be_read() -> None:
    for spec, words in (("wordle:", "a file of words"), ("wordle:none.txt", "cannot read 'none.txt'")):
        with pytest.raises(GameError, match=words):
            parse(spec)


def test_a_position_goes_on_with_every_word_where_no_answer_fits() -> None:
    game = WordleGame("wordle:few", ["crane", "slate"], ["grape", "grate"])
    position = Position(game, "crane:bggbg")
    assert [position.game.secrets[int(s)] for s in position.candidates] == ["grape", "grate"]
    assert position.game.spec == "wordle:few,any" and position.game is game.wider
    assert position.after("grate", "ggggg").finished
    assert Position(game, "crane:ggggg").game is game
    with pytest.raises(Contradiction):
        Position(game, "crane:bbbbb slate:bbbbb")
    with pytest.raises(Contradiction):
        Position(game, "crane:bggbg slate:bbbbb", lies=1)
    hard = WordleGame("wordle:few,hard", ["crane", "slate"], ["grape", "grate"], mode="hard")
    assert hard.wider is not None and hard.wider.spec == "wordle:few,any,hard" and hard.wider.mode == "hard"
    assert hard.wider.wider is None


@pytest.mark.parametrize("options", ["hard,any", "all", "any,without=used.txt"])
def test_what_may_follow_the_official_list_is_said(options: str) -> None:
    with pytest.raises(GameError, match="after official; expected used=USED"):
        parse(f"wordle:official,{options}")


def test_a_word_that_a_named_list_lacks_is_refused_without_words_that_begin_it() -> None:
    game = WordleGame("wordle:few", ["crane", "slate"], ["grape"], lists="lists are files")
    with pytest.raises(
        GameError, match="'slatee' is not a guess of wordle:few; expected one of its 3 words of 5"
    ):
        game.guess_index("slatee")
    with pytest.raises(GameError, match=r"3 words of 5 letters; lists are files$"):
        game.guess_index("zzzzz")


def test_answers_that_were_used_are_none_by_either_name(tmp_path: Path) -> None:
    for name, words in (("a.txt", WORDS), ("b.txt", ["zebra"]), ("used.txt", ["STEEL", "abbey", "other"])):
        (tmp_path / name).write_text("\n".join(words))
    a, b, used = (tmp_path / name for name in ("a.txt", "b.txt", "used.txt"))
    for option in ("used", "without"):
        for lists in (f"{a}", f"{a},{b}"):
            game = parse(f"wordle:{lists},{option}={used}")
            assert set(game.secrets) == {*WORDS} - {"steel", "abbey"}
            assert set(game.guesses) == {*WORDS} | ({"zebra"} if "," in lists else set())
            assert game.wider is not None and game.wider.spec == f"wordle:{lists},any"
    both = parse(f"wordle:{a},{b},used={used},any,hard")
    assert set(both.secrets) == {*WORDS, "zebra"} - {"steel", "abbey"}
    with pytest.raises(GameError, match=r"every word is in .*used.txt'; expected some that are not"):
        parse(f"wordle:{used},used={used}")


def test_english_words_of_a_length_go_by_name() -> None:
    pytest.importorskip("symspellpy", reason="pip install guesstree[words]")
    game = parse("wordle:english-7,hard")
    assert {len(word) for word in game.guesses} == {7}
    assert game.guesses == parse("hangman:english-7").secrets
    assert "crossed" in game.secrets
