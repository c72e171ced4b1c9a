"""The words of an argument of tests that may get several answers: names, weights and amounts."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from guesstree.api.explained import NoisyExplanation
from guesstree.engine.exact import SHORT, exact_text, rounded_text, short_text
from guesstree.engine.noisy.integer_model import bits
from guesstree.engine.proofs.noisy_bounds import INFINITE, Counted, NoisyState
from guesstree.trees.export.labels import plain

from .argued import Names

MOST_LEFT = 8
"""Causes of which it is said what each weighs."""


class NoisyWords(Names):
    """The words of an explanation of tests that may get several answers.

    Attributes
    ----------
    worst: whether the worst case is explained, not the expected cost.
    rounded: whether a number was rounded so far.
    """

    def __init__(self, found: NoisyExplanation) -> None:
        super().__init__(found)
        self.found, self.argument, self.bounds = found, found.argument, found.argument.bounds
        self.worst, self.rounded = self.bounds.worst, False
        self.model = self.bounds.model
        self.decides = self.model.losses is not None
        self.certain = all(len(cell) == 1 for row in self.model.chances for cell in row)

    def _text(self, value: Fraction) -> str:
        """Return a number, rounded where it would be long."""
        self.rounded |= value.denominator > 1 and len(exact_text(value)) > SHORT
        return short_text(value)

    def cost(self, value: int) -> str:
        """Return what all pay together, or what is paid at worst, of the numbers of the certificate."""
        if value >= INFINITE:
            return "more than any strategy"
        if self.worst:
            return self.price(value)
        return self._text(Fraction(value, self.bounds.scale) * self.game.figure_unit("total"))

    def mean(self, value: int) -> str:
        """Return what one pays on average where all pay so much together."""
        mean = Fraction(value, self.bounds.mass(self.bounds.root)) / self.bounds.coin * self.game.cost_unit
        return str(mean) if mean.denominator == 1 else rounded_text(mean)

    def price(self, value: int) -> str:
        """Return a price or a loss of the certificate."""
        return self._text(Fraction(value, self.bounds.coin) * self.game.cost_unit)

    def weight(self, value: int) -> str:
        """Return a mass of the certificate as a weight."""
        return self.weighed(Fraction(value * self.bounds.coin, self.bounds.scale))

    def weighed(self, weight: Fraction) -> str:
        """Return a weight of the game, rounded to four digits where it would be long."""
        shown = weight * self.game.weight_unit
        if len(exact_text(shown)) <= SHORT:
            return exact_text(shown)
        self.rounded = True
        return f"{float(shown):.4g}"

    def cause(self, cause: int) -> str:
        """Return a cause by its name."""
        return plain(self.game.secrets[cause])

    def decision(self, decision: int) -> str:
        """Return a decision by its name."""
        return plain(self.game.decisions[decision])

    def ended(self, counted: Counted) -> str:
        """Return what is lost if nothing more is asked, behind a colon or a verb."""
        if counted.ending >= INFINITE:
            return "is not allowed" if self.decides else "is too early"
        by = f" ({self.decision(counted.decision)})" if self.decides else ""
        return f"loses {self.cost(counted.ending)}{by}"

    def left(self, state: NoisyState) -> str:
        """Return who is left, each with its weight where they are few."""
        if len(state.masses) > MOST_LEFT:
            weigh = "" if self.worst else f", which weigh {self.weight(self.bounds.mass(state))}"
            return f"{self.many(len(state.masses))}{weigh}"
        return ", ".join(
            self.cause(cause) + (f" {self.weight(mass)}" if not self.worst else "")
            for cause, mass in state.masses
        )

    def added(self, paid: int, parts: Sequence[int]) -> str:
        """Return a sum with its terms: what is paid, and what is left after each answer; 0 is left out."""
        total = self.bounds.joined(paid, parts)
        if total >= INFINITE:
            return self.cost(total)
        some = [max(parts, default=0)] if self.worst else parts
        terms = [self.cost(value) for value in (paid, *some) if value]
        return " + ".join(terms) + f" = {self.cost(total)}" if len(terms) > 1 else self.cost(total)

    def asked_before(self, tests: int) -> str:
        """Return tests by name."""
        return ", ".join(self.name(test) for test in bits(tests))
