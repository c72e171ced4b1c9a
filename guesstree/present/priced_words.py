"""The words of an argument with costs or weights: names, amounts, and what is lost."""

from __future__ import annotations

from collections.abc import Sequence

from guesstree.api.explained import PricedExplanation
from guesstree.engine.proofs.priced_argument import INFINITE, NO_GUESS

from .argued import Names


class PricedWords(Names):
    """The words of an explanation in costs."""

    def __init__(self, found: PricedExplanation) -> None:
        super().__init__(found)
        self.found, self.argument = found, found.argument
        self.only, self.free, self.lost = found.argument.only, found.argument.free, found.lost

    def name(self, guess: int) -> str:
        """Return a guess, or what costs nothing."""
        return f"what costs nothing, of the {self.guesses}," if guess == NO_GUESS else super().name(guess)

    def added(self, paid: int, parts: Sequence[int]) -> str:
        """Return a sum with its terms: what is paid, then what parts cost; what costs nothing is left out."""
        if paid + sum(parts) >= INFINITE:
            return "more than may be paid"
        terms = [self.cost(paid), *(self.cost(part) for part in parts if part)]
        return " + ".join(terms) + (f" = {self.cost(paid + sum(parts))}" if len(terms) > 1 else "")

    def bound(self, value: int) -> str:
        """Return what something costs at least."""
        return "none" if value >= INFINITE else self.cost(value)

    def loss(self, lost: int) -> str:
        """Return so much weight, or so many secrets, that are lost."""
        return f"a weight of {self.weight(lost)}" if self.weighted else self.many(lost)

    def digits(self, value: int) -> str:
        """Return what is lost, and what the others pay, of both as one number."""
        lost, paid = divmod(value, self.argument.each_lost)
        return f"{self.weight(lost)} lost, {super().cost(paid)} paid"

    def each(self, value: int) -> str:
        """Return what a unit of weight costs."""
        return self.price(value) if self.argument.rate else f"{value}"

    def cost(self, value: int) -> str:
        """Return what all pay, by their weights, as readers see it, or what is lost if that alone counts."""
        return super().cost(value) if self.argument.rate else self.weight(value)
