"""One-step methods played against random phrases, where there are too many to play them all."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import monotonic

from guesstree.api.comparison import Compared, Comparison
from guesstree.engine.advice.phrases import PhrasePosition
from guesstree.engine.advice.position import Position
from guesstree.engine.errors import Infeasible
from guesstree.engine.game import Game
from guesstree.engine.games.phrases import PhraseGame
from guesstree.engine.notation import plurals
from guesstree.engine.onestep.ranking import AnyMethod, Method
from guesstree.engine.search.deadline import PLAYED, Progress
from guesstree.trees.figures import Costs, Summary

PHRASES = 100
"""So many random phrases are played."""


@dataclass(frozen=True)
class Sample:
    """Random phrases, each drawn by its weight, and the seed that they follow from."""

    phrases: tuple[int, ...]
    seed: int

    @classmethod
    def of(cls, game: Game, seed: int) -> Sample:
        """Return the sample of a seed, of a game whose phrases are only counted."""
        assert isinstance(game, PhraseGame)
        dice = random.Random(seed)
        return cls(tuple(game.draw(dice) for _ in range(PHRASES)), seed)

    def __str__(self) -> str:
        return f"of {len(self.phrases)} random phrases, seed {self.seed}"

    def as_json(self) -> dict[str, int]:
        """Return what was drawn as plain data."""
        return {"phrases": len(self.phrases), "seed": self.seed}


def compare_sample(
    game: Game,
    methods: Sequence[AnyMethod],
    sample: Sample,
    *,
    budget: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Comparison:
    """Return what one-step methods take for the same random phrases; those played before Ctrl-C."""
    rows = Comparison()
    try:
        for method in methods:
            rows.append(
                play_sample(game, Method.of(method), sample.phrases, budget=budget, progress=progress)
            )
    except KeyboardInterrupt:
        rows.stopped = "interrupt"
    rows.about = f"{game.spec}: {sample}, estimates: {plurals(game.look.cost)}"
    return rows


def play_sample(
    game: Game,
    method: Method,
    phrases: Sequence[int],
    *,
    budget: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Compared:
    """Return what a one-step method takes for some phrases; each counts once.

    Phrases that give the same responses are played together. Raises Infeasible where the method has no letter
    that tells something.
    """
    assert isinstance(game, PhraseGame)
    start, begun = PhrasePosition(game), monotonic()
    guesses, paid = Counter[int](), Counter[int]()
    waiting: list[tuple[Position, list[int]]] = [(start, list(phrases))]
    first, states = "", 0
    while waiting:
        position, some = waiting.pop()
        if position.finished:
            guesses[len(position.history)] += len(some)
            paid[position.paid] += len(some)
            if progress is not None:
                seconds, cost = monotonic() - begun, sum(n * many for n, many in paid.items())
                settled = sum(guesses.values())
                progress(Progress(PLAYED, 0, states, cost, None, "", seconds, settled, len(phrases)))
            continue
        guess, states = position.best_guess(method), states + 1
        if guess < 0:
            raise Infeasible(
                f"{game.spec}: method {method.name} has no {game.look.guess} that tells anything"
            )
        first = first or game.guesses[guess]
        parts: dict[int, list[int]] = {}
        for phrase in some:
            parts.setdefault(game.respond(guess, phrase), []).append(phrase)
        waiting += [(position.after(guess, response), part) for response, part in parts.items()]
    asked = sum(n * many for n, many in guesses.items())
    summary = Summary(len(phrases), asked, max(guesses), dict(sorted(guesses.items())))
    return Compared(method.name, first, summary, False, 0, monotonic() - begun, _costs(paid, budget))


def _costs(paid: Counter[int], budget: int | None) -> Costs:
    """Return what phrases pay, so many for each number of misses."""
    within = {n: many for n, many in paid.items() if budget is None or n <= budget}
    total, won_total = (sum(n * many for n, many in some.items()) for some in (paid, within))
    return Costs(sum(paid.values()), total, max(paid), budget, sum(within.values()), won_total)
