"""Advice where responses may be false, against plain counting."""

from itertools import combinations

import numpy as np
import pytest
from effort import tries
from hypothesis import given
from hypothesis import strategies as st
from tables import games

from guesstree.engine.advice.position import Position
from guesstree.engine.advice.turns import parse_history
from guesstree.engine.errors import Contradiction, GuesstreeError
from guesstree.engine.game import Game
from guesstree.engine.registry import parse
from guesstree.engine.search.lying import make_searcher


def false_of(game: Game, goal: str, history: list[tuple[int, int]], secret: int) -> int:
    """Return how many responses are false if this secret is hidden; many if it would have been won before."""
    count = 0
    for guess, response in history:
        truth = game.respond(guess, secret)
        if goal == "win" and truth != response and game.winning in (truth, response):
            return 99
        count += truth != response
    return count


def suspects_of(
    game: Game, goal: str, history: list[tuple[int, int]], lies: int
) -> list[tuple[tuple[int, ...], int]]:
    """Return the sets of responses without which some secrets fit, and how many, by trying all.

    They are the last alone, and the smallest of others; the smallest are the first.
    """

    def left(some: tuple[int, ...]) -> int:
        rest = [step for number, step in enumerate(history, 1) if number not in some]
        return sum(false_of(game, goal, rest, s) <= lies for s in range(len(game.secrets)))

    last = (len(history),)
    for size in range(1, len(history)):
        found = [(some, left(some)) for some in combinations(range(1, len(history)), size) if left(some)]
        if found:
            return sorted([*found, (last, left(last))], key=lambda one: (len(one[0]), one))
    return [(last, left(last))]


@tries(5)
@given(games(most_secrets=7), st.integers(0, 2), st.booleans(), st.integers(0, 4), st.data())
def test_candidates_doubts_and_suspects_are_counted(
    game: Game, lies: int, identify: bool, turns: int, data: st.DataObject
) -> None:
    goal = "identify" if identify or game.winning is None else "win"
    position = Position(game, goal=goal, lies=lies)
    history: list[tuple[int, int]] = []
    for _ in range(turns):
        step = (
            data.draw(st.integers(0, len(game.guesses) - 1)),
            data.draw(st.integers(0, len(game.responses) - 1)),
        )
        told = [false_of(game, goal, [*history, step], s) for s in range(len(game.secrets))]
        if min(told) > lies:
            with pytest.raises(Contradiction, match=f"from answer {len(history) + 1} on") as caught:
                position.after(*step)
            assert caught.value.step == len(history) + 1
            assert position.suspects(step) == suspects_of(game, goal, [*history, step], lies)
            return
        history.append(step)
        position = position.after(*step)
        left = {s: lies - n for s, n in enumerate(told) if n <= lies}
        assert position.candidates.tolist() == list(left)
        assert position.known.left.tolist() == list(left.values())
        assert position.doubts() == [sum(game.respond(g, s) != r for s in left) for g, r in history]
        if goal == "win" and step[1] == game.winning:
            assert position.finished
            return
    assert Position(game, history, goal=goal, lies=lies).known.key == position.known.key


@tries(3.5)
@given(games(most_secrets=7), st.integers(1, 2), st.booleans(), st.data())
def test_guesses_are_weighed_by_what_they_leave(
    game: Game, lies: int, identify: bool, data: st.DataObject
) -> None:
    goal = "identify" if identify or game.winning is None else "win"
    position = Position(game, goal=goal, lies=lies)
    step = (
        data.draw(st.integers(0, len(game.guesses) - 1)),
        data.draw(st.integers(0, len(game.responses) - 1)),
    )
    try:
        position = position.after(*step)
    except Contradiction:
        return
    if position.finished or len(position.candidates) < 2:
        return
    searcher, volume = make_searcher(position.problem, lies)
    assert position.least == searcher.least(position.known.candidates, position.known.left)
    weight = volume.weight[max(position.least - 1, 0)]
    found = position.valuations()
    order = [(w.volume, -w.parts, not w.candidate, w.guess) for w in found]
    assert order == sorted(order)
    assert len({w.guess for w in found}) == len(found)
    for weighed in found:
        answers = position.problem.row(weighed.guess, position.candidates)
        given_truly = [int(r) for r in np.unique(answers) if r != position.problem.winning]
        children = [position.known.after(answers, r, position.problem.winning) for r in given_truly]
        assert weighed.parts == len(children)
        assert weighed.volume == max((int(weight[c.left].sum()) for c in children), default=0)
        assert weighed.most == max(map(len, children), default=0)
        assert weighed.candidate == (position.problem.own[weighed.guess] in position.candidates)
    told = {w.guess for w in found}
    for guess in set(range(len(game.guesses))) - told:
        assert len(np.unique(position.problem.row(guess, position.candidates))) == 1
        assert position.problem.own[guess] not in position.candidates or goal == "identify"


def test_a_response_that_must_be_false() -> None:
    game = parse("mastermind:4x6")
    history = parse_history(game, "1122:0,0 3344:0,0 5566:0,0")  # of three disjoint guesses, one is wrong
    position = Position(game, history, lies=1)
    assert position.doubts() == [15, 15, 15]  # the guesses themselves would have won
    assert len(position.candidates) == 45
    position = position.after(game.guess_index("1111"), list(game.responses).index("1,0"))
    assert position.doubts() == [4, 0, 0, 0]
    assert len(position.candidates) == 4
    with pytest.raises(
        Contradiction, match=r"from response 5 on \(2222 1,0\), more than 1 response is false"
    ):
        position.after(game.guess_index("2222"), list(game.responses).index("1,0"))


def test_suspects_of_a_contradiction() -> None:
    game = parse("mastermind:2x3")
    position = Position(game, parse_history(game, "11:0,0 22:0,0"), lies=1)
    step = (game.guess_index("33"), list(game.responses).index("0,0"))
    with pytest.raises(Contradiction) as caught:
        position.after(*step)
    assert caught.value.step == 3
    assert position.suspects(step) == [
        ((1,), 5),
        ((2,), 5),
        ((3,), 5),
    ]  # two colours of three, or 11 itself, ...


def test_the_best_guess_plays_to_the_end() -> None:
    game = parse("mastermind:3x3")
    for secret in range(0, 27, 5):
        position, turns = Position(game, lies=1), 0
        while not position.finished:
            guess = position.best_guess()
            truth = game.respond(guess, secret)
            told = (
                truth if truth == game.winning or turns != 1 else (truth + 1) % 3
            )  # a lie in the second turn
            position, turns = position.after(guess, told), turns + 1
        assert position.candidates.tolist() == [secret]
        assert turns <= 7


def test_bad_input() -> None:
    game = parse("mastermind:2x2")
    for lies in (-1, 8):
        with pytest.raises(GuesstreeError, match=f"{lies} lies; expected 0 to 7"):
            Position(game, lies=lies)
    with pytest.raises(GuesstreeError, match="entropy with lies"):
        Position(game, lies=1).best_guess("entropy")
    game.weights = [1, 1, 1, 1]
    with pytest.raises(GuesstreeError, match="weights or costs"):
        Position(game, lies=1)
