"""The value of a duel by its rules alone: every guess in every state, in fractions. For tiny games."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache

from ..game import Game
from ..oracle import parts, weight

Some = frozenset[int]
Follow = Callable[[Some], int]
"""Which guess a player asks who follows a strategy, by the candidates."""


def duel_value(
    game: Game,
    goal: str,
    *,
    tie: str = "draw",
    first: Some | None = None,
    second: Some | None = None,
    follows: tuple[Follow | None, Follow | None] = (None, None),
    second_asks: bool = False,
) -> Fraction:
    """Return exactly the chance of who asks first to win, and half of that to draw.

    `first`, `second`: what each still thinks possible (default: all); `follows`: the strategies of both, None
    for best play; `second_asks`: whether the first has asked in this round already, and not ended.
    """

    def after(candidates: Some, follow: Follow | None) -> list[list[tuple[Fraction, Some | None]]]:
        """Return what each guess leads to with which chance; None: the end."""
        found = []
        for guess in range(len(game.guesses)) if follow is None else [follow(candidates)]:
            split = parts(game, candidates, guess)
            if len(split) == 1 and goal == "win" and game.winning not in split:
                continue
            if len(split) == 1 and goal == "identify":
                continue
            outcome: list[tuple[Fraction, Some | None]] = []
            for response, part in split.items():
                ended = response == game.winning if goal == "win" else len(part) == 1
                chance = Fraction(weight(game, part), weight(game, candidates))
                outcome.append((chance, None if ended else part))
            found.append(outcome)
        return found

    @cache
    def begins(a: Some, b: Some) -> Fraction:
        return max(
            sum((p * (last(b) if rest is None else answers(rest, b)) for p, rest in outcome), Fraction(0))
            for outcome in after(a, follows[0])
        )

    @cache
    def answers(a: Some, b: Some) -> Fraction:
        return min(
            sum((p * begins(a, rest) for p, rest in outcome if rest is not None), Fraction(0))
            for outcome in after(b, follows[1])
        )

    def last(b: Some) -> Fraction:
        if tie == "first":
            return Fraction(1)
        return 1 - max(
            sum(p for p, rest in outcome if rest is None) for outcome in after(b, follows[1])
        ) / Fraction(2)

    everyone = frozenset(range(len(game.secrets)))
    a, b = first or everyone, second or everyone
    return answers(a, b) if second_asks else begins(a, b)
