"""Questions of two answers about characters of which several states may be seen (`Model.splits`).

The state of a character is drawn once for the object at hand. So two questions about one character are not
independent: after some answers the object is in a set L of states, and of a cause that shows state s with
probability p(s) there is left the sum of p(s) over L. A question about the states W parts W in two; the
probabilities of its answers are those *given W*, so that the product over the questions of a path is right
if each question about a character is about all states that are still possible for somebody, and no others.
Only such questions are asked, and between any two answers about other characters nothing changes.

*That is no loss.* A question that names further states, which nobody left can show, gets the same answers,
and what may be asked after it is the same.

*What may help.* A question of a character is left out only if all causes show the states of W with the same
probabilities, in the worst case if they show the same ones. Then what is answered to this and to further
questions about the character says nothing of the cause. One answer alone may say nothing, and yet help: of
states in the order a b c d, where one cause shows a or c and the other b or d, a cut in the middle says
nothing, but another cut tells them apart after it, with two questions instead of three.

*An order* of states allows cuts only. Where there are many states, W is taken with all between its ends, so
that fewer sets are listed. Of cuts that differ by states alone that nobody shows, one is asked: that with the
fewest states in its first part.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm


@dataclass(frozen=True)
class Split:
    """A question about a character: in which of two sets of states it is. Sets are bits.

    Attributes
    ----------
    character: a number of `Characters`.
    within: the states that are still possible.
    parts: for each answer its states.
    """

    character: int
    within: int
    parts: Mapping[int, int]


@dataclass(frozen=True)
class Characters:
    """Characters, and how likely each cause shows which of their states.

    Attributes
    ----------
    labels: what the characters are called.
    shown: for each character and cause, the probability of each state that it may show; they add up to 1.
    joined: for each character whether its questions are about all states between the first and the last that
        is possible; such questions cut there.
    possible: for each character the states that are possible at first, as bits.
    """

    labels: tuple[str, ...]
    shown: tuple[tuple[Mapping[int, Fraction], ...], ...]
    joined: tuple[bool, ...]
    possible: tuple[int, ...]

    def chance(self, character: int, cause: int, states: int) -> Fraction:
        """Return how likely a cause shows one of some states."""
        cell = self.shown[character][cause]
        return sum((p for state, p in cell.items() if states >> state & 1), Fraction(0))

    def states(self, character: int, cause: int) -> int:
        """Return the states that a cause may show."""
        return sum(1 << state for state in self.shown[character][cause])

    def met(self, character: int, causes: Iterable[int], possible: int) -> int:
        """Return the states, of those that are possible, that some of these causes may show."""
        met = 0
        for cause in causes:
            met |= self.states(character, cause)
        return met & possible

    def left(self, causes: Sequence[int], possible: Sequence[int]) -> Characters:
        """Return the characters for some causes, where these states are still possible.

        A character of which no state is can not be seen: every cause shows the same.
        """
        nothing = {0: Fraction(1)}
        shown = [
            tuple(row[cause] if some else nothing for cause in causes)
            for row, some in zip(self.shown, possible, strict=True)
        ]
        return replace(self, shown=tuple(shown), possible=tuple(some or 1 for some in possible))

    def given(self, character: int, cause: int, states: int) -> tuple[tuple[int, Fraction], ...]:
        """Return how likely a cause shows each of some states if it shows one of them; else nothing."""
        whole = self.chance(character, cause, states)
        cell = self.shown[character][cause]
        return tuple((state, p / whole) for state, p in sorted(cell.items()) if states >> state & 1)

    def about(self, character: int, met: int) -> int:
        """Return what a question about a character is about, where these states are still possible."""
        return between(met) if self.joined[character] else met

    def denominator(self, cause: int) -> int:
        """Return a multiple of the denominators of all masses that a cause may have, see `IntegerModel`."""
        found = 1
        for character, possible in enumerate(self.possible):
            cell = self.shown[character][cause]
            found *= int(
                self.chance(character, cause, possible) * lcm(*(p.denominator for p in cell.values()))
            )
        return found


def asks(split: Split, met: int, *, joined: bool) -> bool:
    """Return whether a question is asked where these states are possible: it cuts behind one of them."""
    return not joined or bool(met >> (min(split.parts.values()).bit_length() - 1) & 1)


def between(states: int) -> int:
    """Return some states with all between the first and the last."""
    return (1 << states.bit_length()) - (states & -states) if states else 0


def parted(within: int, *, ordered: bool) -> Iterator[tuple[int, int]]:
    """Yield all ways to part some states in two; the first part has the first state."""
    first = within & -within
    if ordered:
        low = first
        while low != within:
            yield low, within & ~low
            rest = within & ~low
            low |= rest & -rest
        return
    others = within ^ first
    some = 0
    while some != others:
        yield first | some, others & ~some
        some = (some - others) & others
