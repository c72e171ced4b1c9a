"""Phrases that are never listed: counted word by word, equal to those listed."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path

import pytest

from guesstree.engine.advice.phrases import PhrasePosition
from guesstree.engine.advice.playing import position_of
from guesstree.engine.advice.position import Position
from guesstree.engine.errors import Contradiction, GuesstreeError
from guesstree.engine.games.hangman import HangmanGame, make
from guesstree.engine.games.phrases import PhraseGame
from guesstree.engine.onestep.ranking import Method
from guesstree.engine.onestep.valuations import COST_VALUATIONS, VALUATIONS

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
