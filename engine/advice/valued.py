"""Guesses with what they would tell, in one state of a game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from ..exact import rounded_text
from ..notation import Look
from ..notebook import html_table
from ..onestep.valuations import BUDGET_VALUATIONS, COST_VALUATIONS, VALUATIONS, Prospect

MOST_ROWS = 10
"""Guesses that a list shows of itself."""
OPTIMUM, UNPROVEN = "optimum", "-"
"""The heading of what is proven to come, and what stands where nothing is."""


@dataclass(frozen=True)
class Valued:
    """A guess in a state, and what it would tell.

    Attributes
    ----------
    guess: its index; of a class of equivalent guesses the smallest.
    candidate: whether it may be the secret.
    equivalents: how many guesses the symmetry makes equal to it, itself included.
    sizes: the sizes of its parts, largest first; where responses may be false, those of true responses that
        do not win.
    tells: whether the response may tell something.
    paid: (weight, cost) of its parts, where the game has weights or costs, or the method asks for them.
    prospects: what can be won of its parts, where the game has a budget.
    volume, most: where responses may be false, the volume of what it leaves at most, see
        `search.lying.Volume`, and how many candidates.
    units: what the integer 1 of costs and of weights stands for.
    label: what the guess is called.
    missing: the bits that name one of the candidates, and those that a response tells at most: the binary
        logarithm of the number of responses. None where what is left is not counted in guesses.
    optimum: how many guesses come after it on average at least, as is proven; None where nothing is.
    """

    guess: int
    candidate: bool
    equivalents: int
    sizes: tuple[int, ...]
    tells: bool
    paid: tuple[tuple[int, int], ...] = ()
    prospects: tuple[Prospect, ...] = ()
    volume: int | None = None
    most: int = 0
    units: tuple[Fraction, Fraction] = (Fraction(1), Fraction(1))
    label: str = ""
    missing: tuple[float, float] | None = None
    optimum: Fraction | None = None

    def __repr__(self) -> str:
        marked = ["may be the secret"] * self.candidate
        return f"Valued({', '.join([self.label, *map(' '.join, columns([self])[0].items()), *marked])})"

    @property
    def shown(self) -> dict[str, str]:
        """The figures that suit the game, as texts by their headings."""
        if self.volume is not None:
            shown = {"volume": str(self.volume), "most left": str(self.most), "parts": str(self.parts)}
        elif self.paid:
            cost, bits, less = map(self.figure, ("least-cost", "information-per-cost", "reduction-per-cost"))
            shown = {"cost": f"{cost:.4f}", "bits/cost": f"{bits:.4f}", "reduction/cost": f"{less:.2f}"}
            if self.prospects:
                shown |= {f"{name} %": f"{100 * self.figure(name):.2f}" for name in BUDGET_VALUATIONS}
            shown["parts"] = str(self.parts)
            return shown if self.to_come is None else shown | self._come
        else:
            shown = {"entropy": f"{self.entropy:.4f}", "expected size": f"{float(self.expected_size):.2f}"}
            shown |= {"max part": str(self.max_part), "parts": str(self.parts)}
            shown |= {} if self.to_come is None else self._come
        return {**shown, "class": str(self.equivalents)}

    @property
    def _come(self) -> dict[str, str]:
        """How many guesses come after it, estimated and proven."""
        proven = UNPROVEN if self.optimum is None else rounded_text(self.optimum)
        return {"to come": f"{self.to_come:.4f}", OPTIMUM: proven}

    def figure(self, method: str) -> float:
        """Return what a valuation that knows costs or the budget says; infinite when the guess is free."""
        if method in BUDGET_VALUATIONS:
            return float(BUDGET_VALUATIONS[method].figure(self.prospects))
        valuation = COST_VALUATIONS[method]
        unit = self.units[0] ** valuation.powers[0] * self.units[1] ** valuation.powers[1]
        return float(valuation.figure(self.paid) * unit)

    def figure_of_sizes(self, method: str) -> Fraction | float | int:
        """Return what a valuation says that knows the sizes of the parts alone."""
        return VALUATIONS[method].figure(self.sizes)

    @property
    def max_part(self) -> int:
        """The size of the largest part (Knuth 1977)."""
        return self.sizes[0]

    @property
    def expected_size(self) -> Fraction:
        """The expected size of the part that the secret is in (Irving 1978)."""
        return Fraction(VALUATIONS["expected-size"].figure(self.sizes))

    @property
    def entropy(self) -> float:
        """The entropy of the parts in bits (Neuwirth 1982)."""
        return float(VALUATIONS["entropy"].figure(self.sizes))

    @property
    def to_come(self) -> float | None:
        """An estimate of how many guesses come after it, the sum of p log |K| over the parts K.

        The base is the number of responses: if each told as much as the others, and every guess as much as
        that, a part of size |K| would take so many guesses. (With weights it is the information that is
        missing, to the same base.) Of all guesses in a state, the one with the most entropy has the least.
        None where what is left is not counted in guesses.
        """
        if self.missing is None:
            return None
        weights = tuple(weight for weight, _ in self.paid) or self.sizes
        bits, most = self.missing
        return max(bits - float(VALUATIONS["entropy"].figure(weights)), 0.0) / most

    @property
    def parts(self) -> int:
        """The number of parts (Kooi 2005)."""
        return len(self.sizes)


def columns(found: Sequence[Valued]) -> list[dict[str, str]]:
    """Return the figures of some guesses by their headings; the optimum only where one is known."""
    rows = [valued.shown for valued in found]
    if all(row.get(OPTIMUM, UNPROVEN) == UNPROVEN for row in rows):
        return [{name: text for name, text in row.items() if name != OPTIMUM} for row in rows]
    return rows


class Valuations(list[Valued]):
    """Guesses, the best first; it shows itself as a table of the first ones, in the words of `look`."""

    look = Look()

    def _rows(self) -> list[list[str]]:
        some = self[:MOST_ROWS]
        shown = columns(some)
        heading = [self.look.guess, "", *shown[0]] if self else ["no guess"]
        rows = zip(some, shown, strict=True)
        return [heading, *([v.label, "*" * v.candidate, *figures.values()] for v, figures in rows)]

    @property
    def _more(self) -> str:
        """What stands below the table."""
        more = [f"... {len(self) - MOST_ROWS} more"] * (len(self) > MOST_ROWS)
        marked = ["* may be the secret"] * any(valued.candidate for valued in self[:MOST_ROWS])
        return self.look.named("; ".join(more + marked))

    def __repr__(self) -> str:
        rows = self._rows()
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = [
            "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]).rstrip()
            for row in rows
        ]
        return "\n".join([*lines, self._more]).rstrip()

    def _repr_html_(self) -> str:
        heading, *rows = self._rows()
        return f"{html_table(heading, rows)}{f'<p>{self._more}</p>' if self._more else ''}"
