"""How a search goes about a query: the order of what it tries, and what each step may take."""

from __future__ import annotations

from dataclasses import dataclass

Names = tuple[str, ...]


@dataclass(frozen=True)
class Policy:
    """What a search tries, beside the kernel's own work, and for how long.

    Attributes
    ----------
    takes_turns: whether proof and beams take turns, with growing budgets, where the worst case is decided.
    looks: whether a look ahead bounds the total, see `first_guesses`.
    relaxes: whether the total without a limit is found so much sooner that it is searched first.
    layers: whether layers of costs bound a table, see `layering`.
    quick: one-step methods that are played at once: with a time limit, and without.
    later: those that are played when a search turns out to be long, unless they were at once.
    beam_share, beam_budget: when a search turns out to be long, the part of the time left that beams may
        take; without a time limit, the evaluations of each (0: any number).
    small: from parts of so many secrets on bounds are sought, see `SearchSpace.parts`; 0: none are.
    look: evaluations before better strategies are sought: with a time limit, and without; 0: any number.
    patience: evaluations that a part of a guess gets before the others have their turn, where parts add up;
        it grows from turn to turn. 0: any number.
    """

    takes_turns: bool = False
    looks: bool = False
    relaxes: bool = False
    layers: bool = False
    quick: tuple[Names, Names] = ((), ())
    later: Names = ()
    beam_share: float = 1.0
    beam_budget: int = 0
    small: int = 0
    look: tuple[int, int] = (0, 0)
    patience: int = 0
