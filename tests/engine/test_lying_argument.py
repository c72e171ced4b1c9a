"""What an argument says of a game with lies, beside what is true of tiny games."""

import random
from functools import cache

import numpy as np
import pytest
from effort import seeds
from explaining import words_of

from guesstree.api.explained import LyingExplanation
from guesstree.api.explanation import explained_game, explained_strategy
from guesstree.api.first_guesses import other_first_guesses
from guesstree.api.strategy import strategy_of
from guesstree.engine.errors import GuesstreeError
from guesstree.engine.game import Game, response_table
from guesstree.engine.proofs.lying_argument import by_lies
from guesstree.engine.registry import parse
from guesstree.engine.search.lying import LieState
from guesstree.engine.search.solve import solve
from guesstree.engine.tables.table import TableGame

Pairs = tuple[tuple[int, int], ...]
"""Secrets, each with the lies that it has left."""


class Truth:
    """Whether so many guesses settle what is left, by trying all."""

    def __init__(self, game: Game, winning: int | None) -> None:
        self.table, self.winning = response_table(game).tolist(), winning
        self.settles = cache(self._settles)

    def after(self, left: Pairs, guess: int, response: int) -> Pairs:
        """Return what is left after a response."""
        row = self.table[guess]
        told = ((s, lies - (row[s] != response)) for s, lies in left if row[s] != self.winning)
        return tuple((s, lies) for s, lies in told if lies >= 0)

    def _settles(self, left: Pairs, depth: int) -> bool:
        if not left or (len(left) == 1 and self.winning is None):
            return True
        if not depth:
            return False
        responses = range(1 + max(map(max, self.table)))
        return any(
            all(
                self.settles(self.after(left, guess, response), depth - 1)
                for response in responses
                if response != self.winning and response in self.table[guess]
            )
            for guess in range(len(self.table))
        )


def pairs(state: LieState) -> Pairs:
    """Return what a state says."""
    return tuple(zip(state.candidates.tolist(), state.left.tolist(), strict=True))


def some_game(chance: random.Random) -> Game:
    """Return a tiny game."""
    if chance.random() < 0.3:
        return parse(chance.choice(["mastermind:2x2", "mastermind:1x3", "bulls:2x3", "mastermind:2x3"]))
    n = chance.randint(2, 4)
    secrets = [f"s{i}" for i in range(n)]
    cells = [[chance.choice("abc") for _ in secrets] for _ in range(chance.randint(2, 4))]
    return TableGame("table", [f"g{i}" for i in range(len(cells))], secrets, cells)


@pytest.mark.parametrize("seed", seeds(25, 100))
def test_what_is_shown_is_true_of_tiny_games(seed: int) -> None:
    chance = random.Random(seed)
    game = some_game(chance)
    try:
        (found,) = explained_game(game, 1000, objective="worst", lies=1)
    except GuesstreeError as error:
        assert "apart" in str(error) or "one guess" in str(error) or "no " in str(error), error
        return
    assert isinstance(found, LyingExplanation)
    assert found.optimal
    assert found.within is not None
    winning = game.winning if found.problem.goal == "win" else None
    truth = Truth(game, winning)
    everything = tuple((s, 1) for s in range(len(game.secrets)))
    assert truth.settles(everything, found.within + 1)
    for lemma, account in found.accounts:
        left, depth = pairs(lemma.state), lemma.state.depth
        assert not truth.settles(left, depth)
        assert sum(len(some) for _, some in by_lies(lemma.state)) == len(left)
        if account.volume > account.room:
            assert not account.guesses
            continue
        assert account.useless + account.large + account.ahead + account.proved == account.allowed
        assert account.useless + sum(guess.equal for guess in account.guesses) == account.allowed
        for guess in account.guesses:
            assert pairs(guess.state) == truth.after(left, guess.guess, guess.response)
            assert not truth.settles(pairs(guess.state), depth - 1)
            assert (guess.volume > guess.room) == (guess.why == "volume")


@pytest.mark.parametrize("seed", seeds(10, 60))
def test_strategies_of_tiny_games_are_followed(seed: int) -> None:
    chance = random.Random(seed)
    game = some_game(chance)
    try:
        solved = solve(game, "worst", lies=1)
    except GuesstreeError as error:
        assert "apart" in str(error), error
        return
    if solved.upper[0] < 2:
        return  # a certificate says more than that one guess is needed
    (found,) = explained_strategy(strategy_of(solved), 1000)
    assert found.optimal
    assert words_of([found])
    truth = Truth(game, game.winning if found.problem.goal == "win" else None)
    everything = tuple((s, 1) for s in range(len(game.secrets)))
    for one in other_first_guesses(found, 60):
        responses = {*truth.table[one.guess]} - {truth.winning}
        after = [truth.after(everything, one.guess, r) for r in responses]
        least = next(d for d in range(20) if all(truth.settles(left, d) for left in after)) + 1
        assert one.lower == one.upper == least


def test_the_lies_that_are_left_say_who_is_left() -> None:
    state = LieState(np.array([2, 5, 7], dtype=np.int32), np.array([0, 2, 0], dtype=np.uint8))
    assert [(lies, some.tolist()) for lies, some in by_lies(state)] == [(2, [5]), (0, [2, 7])]
