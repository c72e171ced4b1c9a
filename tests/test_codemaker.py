"""What the machine hides and answers follows from the seed, by weights, chances and lies."""

from collections import Counter

import guesstree
from guesstree.api.codemaker import Hidden

GAME = guesstree.parse("mastermind:2x3")


def test_all_follows_from_the_seed_and_at_most_the_lies_are_false() -> None:
    for seed in range(30):
        hidden, again = Hidden(GAME, seed, lies=2), Hidden(GAME, seed, lies=2)
        assert Hidden(GAME, seed).secret == hidden.secret == again.secret
        history: list[tuple[int, int]] = []
        for guess in [8, 0, 4, 1, 5, 2, 6, 3, 7]:
            told = hidden.answer(history, guess)
            assert told == again.answer(history, guess)  # what was taken back is answered alike
            assert (told == GAME.winning) == (guess == hidden.secret)  # winning is never a lie
            history.append((guess, told))
        truths = [GAME.respond(guess, hidden.secret) for guess, _ in history]
        false = [
            n for n, (step, truth) in enumerate(zip(history, truths, strict=True), 1) if step[1] != truth
        ]
        assert hidden.false(history) == false
        assert len(false) <= 2
        assert Hidden(GAME, seed).answer(history, 0) == truths[1]
    assert Hidden(GAME).seed != Hidden(GAME).seed


def test_secrets_come_by_weight_and_responses_by_chance() -> None:
    game = guesstree.table({"t": ["x", "y"]}, secrets=["rare", "often"], weights=[1, 9])
    drawn = Counter(Hidden(game, seed).secret for seed in range(200))
    assert 5 <= drawn[0] <= 40
    game = guesstree.table({"t": [{"x": 9, "y": 1}, "y"]}, secrets=["a", "b"], weights=[9, 1])
    told = Counter(
        (hidden.secret, game.responses[hidden.answer([], 0)])
        for hidden in (Hidden(game, s) for s in range(200))
    )
    assert set(told) == {(0, "x"), (0, "y"), (1, "y")}
    assert told[0, "x"] > told[0, "y"] + told[1, "y"]
