"""Phrases that are never listed: counted word by word, equal to those listed."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from pathlib import Path

import pytest
from piped import piped

from guesstree.api.sample import Sample, play_sample
from guesstree.api.solution import solve
from guesstree.engine.advice.phrases import PhrasePosition
from guesstree.engine.advice.playing import position_of
from guesstree.engine.advice.position import Position
from guesstree.engine.errors import Contradiction, GuesstreeError
from guesstree.engine.games.hangman import HangmanGame, make
from guesstree.engine.games.phrases import PhraseGame
from guesstree.engine.onestep.ranking import Method
from guesstree.engine.onestep.valuations import COST_VALUATIONS, VALUATIONS
from guesstree.trees.figures import figures_of

Words = Mapping[str, int]
METHODS = [*VALUATIONS, *COST_VALUATIONS]


def lists_of(dice: random.Random) -> list[Words]:
    """Return one to three lists of a few words, of one length or several, weighted or not."""
    found: list[Words] = []
    for _ in range(dice.randint(1, 3)):
        size = dice.choice([2, 3, None])
        words = (
            "".join(dice.choices("abcd", k=size or dice.randint(1, 3))) for _ in range(dice.randint(1, 5))
        )
        found.append({word: dice.choice([1, 1, 5]) for word in words})
    return found


def both(lists: list[Words]) -> tuple[HangmanGame, PhraseGame]:
    """Return the game that lists its phrases, and the one that does not."""
    return HangmanGame("hangman:x", *lists), PhraseGame("hangman:x", *lists)


def test_labels_and_responses_are_those_of_the_listed_game() -> None:
    dice = random.Random(1)
    for _ in range(20):
        listed, counted = both(lists_of(dice))
        assert list(counted.secrets) == list(listed.secrets)
        assert counted.guesses == listed.guesses
        for secret, label in enumerate(listed.secrets):
            assert counted.secrets.index(label) == secret
            for guess in range(len(listed.guesses)):
                response = counted.respond(guess, secret)
                given = listed.responses[listed.respond(guess, secret)]
                assert counted.responses[response] == given
                assert counted.response_index(given) == response
                assert counted.read_response(given, guess) == response


def test_every_method_values_letters_as_where_phrases_are_listed_through_whole_games() -> None:
    dice = random.Random(2)
    for _ in range(30):
        listed, counted = both(lists_of(dice))
        one, other = Position(listed), position_of(counted)
        secret = counted.draw(dice)
        while True:
            assert list(other.candidates) == one.candidates.tolist()
            assert (other.finished, other.pattern(), other.paid) == (one.finished, one.pattern(), one.paid)
            for method in METHODS:
                by_list, by_word = one.valuations(method), other.valuations(method)
                assert [v.guess for v in by_word] == [v.guess for v in by_list]
                for a, b in zip(by_list, by_word, strict=True):
                    assert (a.sizes, a.parts, a.max_part, a.tells) == (b.sizes, b.parts, b.max_part, b.tells)
                    assert a.expected_size == b.expected_size
                    assert a.entropy == pytest.approx(b.entropy)
                    if a.paid:
                        figures = [a.figure(name) for name in COST_VALUATIONS]
                        assert figures == pytest.approx([b.figure(name) for name in COST_VALUATIONS])
            if one.finished or not one.valuations()[0].tells:
                break
            guess = other.best_guess(dice.choice(METHODS))
            one = one.after(guess, listed.respond(guess, secret))
            other = other.after(guess, counted.respond(guess, secret))


def test_a_function_of_ones_own_sees_the_same_sizes() -> None:
    listed, counted = both([{"red": 1, "blue": 1, "green": 1}, {"cat": 1, "dog": 1, "fox": 1, "bear": 1}])
    own = Method("own:sum", function=lambda sizes: sum(n**3 for n in sizes))
    by_list, by_word = Position(listed).valuations(own), PhrasePosition(counted).valuations(own)
    assert [v.guess for v in by_word] == [v.guess for v in by_list]


def test_a_method_for_lies_is_refused() -> None:
    _, counted = both([{"red": 1, "blue": 1}, {"cat": 1, "dog": 1}])
    with pytest.raises(GuesstreeError, match="method volume without lies"):
        PhrasePosition(counted).valuations(Method("volume"))


def test_contradictions_and_what_to_doubt_are_those_of_the_listed_game() -> None:
    dice, met = random.Random(3), 0
    while met < 30:
        listed, counted = both(lists_of(dice))
        one, other = Position(listed), position_of(counted)
        for guess in range(len(listed.guesses)):
            label = dice.choice([listed.responses[r] for r in listed.answers(guess)])
            try:
                after = one.after(guess, label)
            except Contradiction as error:
                with pytest.raises(Contradiction) as found:
                    other.after(guess, label)
                assert str(found.value) == str(error)
                step = (guess, listed.response_index(label))
                same = other.suspects((guess, counted.response_index(label)))
                assert same == one.suspects(step)
                met += 1
                break
            one, other = after, other.after(guess, label)


@pytest.mark.parametrize(
    ("letter", "text", "label"),
    [
        ("a", "- | 2", "- | 2"),
        ("a", "_ _ _ | _a_", "- | 2"),
        ("a", "-", "miss"),
        ("length", "3 4", "3 4 letters"),
    ],
)
def test_responses_are_typed_as_in_listed_games(letter: str, text: str, label: str) -> None:
    for game in both([{"red": 1, "blue": 1}, {"cat": 1, "toes": 1}]):
        guess = game.guess_index(letter)
        assert game.responses[game.read_response(text, guess)] == label


def test_words_of_one_letter_alone_have_patterns_without_blanks() -> None:
    lists: list[Words] = [{"aa": 1, "ab": 1}, {"a": 1, "b": 1}]
    for game in both(lists):
        guess = game.guess_index("a")
        assert game.responses[game.read_response("aa | _", guess)] == "1 2 | -"


def test_examples_of_responses_are_read() -> None:
    dice = random.Random(6)
    for _ in range(50):
        for game in both(lists_of(dice)):
            for guess in range(len(game.guesses)):
                for typed in game.examples(guess):
                    assert game.read_response(typed, guess) in game.answers(guess)


def test_a_wrong_response_is_refused_with_examples() -> None:
    _, game = both([{"red": 1, "pad": 1}, {"cat": 1, "dog": 1}])
    with pytest.raises(GuesstreeError, match=r"^'9 \| 9' is not a response to 'a'; type one such as "):
        game.read_response("9 | 9", game.guess_index("a"))


def test_more_phrases_than_are_listed_are_counted_by_hand(tmp_path: Path) -> None:
    """400 words of four lists: aa, ab, ...; a letter misses in all with the chance (1 - p)^4."""
    words = [a + b for a in "abcdefghijklmnopqrst" for b in "abcdefghijklmnopqrst"]
    (tmp_path / "pairs.txt").write_text("\n".join(words))
    game = make("+".join([str(tmp_path / "pairs.txt")] * 4))
    assert isinstance(game, PhraseGame) and len(game.secrets) == 400**4
    value = PhrasePosition(game).value("a")
    assert value.parts == 4**4
    assert value.max_part == 361**4
    assert value.expected_size * 400**4 == (361**2 + 1 + 2 * 19**2) ** 4
    assert value.figure("least-cost") == 361**4 / 400**4
    with pytest.raises(GuesstreeError, match="25600000000 phrases are counted word by word"):
        Position(game)


# -- samples -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
def test_a_method_takes_for_all_phrases_what_it_takes_where_they_are_listed(method: str) -> None:
    dice, met = random.Random(4), 0
    while met < 5:
        lists: list[Words] = [dict.fromkeys(words, 1) for words in lists_of(dice)]
        listed, counted = both(lists)
        if len(listed.secrets) < 2:
            continue
        figures = figures_of(solve(listed, method=method).strategy)
        row = play_sample(counted, Method(method), range(len(listed.secrets)), budget=1)
        assert row.summary == figures.guesses
        assert row.costs is not None and figures.costs is not None
        assert (row.costs.total, row.costs.worst) == (figures.costs.total, figures.costs.worst)
        assert not row.optimal and row.lower == 0
        met += 1


def test_phrases_are_drawn_by_their_weight() -> None:
    game = PhraseGame("hangman:x", {"a": 1, "b": 3}, {"c": 1, "d": 1})
    dice = random.Random(5)
    drawn = [game.secrets[game.draw(dice)] for _ in range(4000)]
    for phrase, expected in {"a c": 500, "a d": 500, "b c": 1500, "b d": 1500}.items():
        assert abs(drawn.count(phrase) - expected) < 150
    assert Sample.of(game, 6) == Sample.of(game, 6) != Sample.of(game, 7)


@pytest.fixture
def pairs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return a game of 160,000 phrases."""
    monkeypatch.chdir(tmp_path)
    words = [a + b for a in "abcdefghijklmnopqrst" for b in "abcdefghijklmnopqrst"]
    Path("pairs.txt").write_text("\n".join(words))
    return "hangman:pairs.txt+pairs.txt"


def test_commands_say_that_they_play_random_phrases(pairs: str) -> None:
    for words in (["compare", pairs, "--methods", "least-cost"], ["solve", pairs, "--method", "least-cost"]):
        found = piped(*words)
        assert found.returncode == 0, found.stderr
        assert "of 100 random phrases, seed 0" in found.stdout.splitlines()[0]
        assert "optim" not in found.stdout
        sample = json.loads(piped(*words, "--seed", "3", "--json").stdout)["sample"]
        assert sample == {"phrases": 100, "seed": 3}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["solve", "{}"], "160000 phrases are counted word by word, too many for a search; use play, assist"),
        (["bounds", "{}"], "160000 phrases are counted word by word"),
        (["graph", "{}", "--out", "a.svg"], "160000 phrases are counted word by word"),
        (["prove", "{}", "--out", "a.proof"], "160000 phrases are counted word by word"),
        (["graph", "{}", "--out", "a.svg"], "its 160000 phrases are counted word by word"),
        (["states", "{}", "--depth", "1"], "its 160000 phrases are counted word by word"),
        (["breed", "random", "{}"], "its 160000 phrases are counted word by word"),
        (["partition", "{}", "a"], "160000 phrases are counted word by word"),
        (
            ["solve", "{}", "--method", "entropy", "--out", "a.json"],
            "--out: hangman:pairs.txt+pairs.txt",
        ),
        (["compare", "{}", "--lies", "1"], "--lies: hangman:pairs.txt+pairs.txt has too many phrases"),
        (["valuations", "{}", "--by", "sure-wins"], "its 160000 phrases are counted word by word"),
        (
            ["compare", "{}", "--methods", "sure-wins", "--budget", "2"],
            "its 160000 phrases are counted word by word; use information-per-cost",
        ),
    ],
)
def test_what_would_list_the_phrases_is_refused_in_one_line(pairs: str, words: list[str], said: str) -> None:
    found = piped(*(word.format(pairs) for word in words))
    assert found.returncode == 2, found.stderr
    assert said in found.stderr
    assert len(found.stderr.splitlines()) == 1
    assert [path.name for path in Path().iterdir()] == ["pairs.txt"]
