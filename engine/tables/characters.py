"""The states of a character, in order where they have one, and what groups of them are called.

Numbers are in order, and so are the classes into which measurements were put; other states where somebody
says so. Where there is an order, a question of two answers cuts between two neighbours: ``3 or fewer`` and
``4 or more``. Where there is none, it parts the states in any way: ``lobed or toothed`` and ``smooth``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..errors import GameError, shown
from .bins import numbers_of
from .cells import chances_in
from .headings import read_heading

_CLASS = re.compile(r"< (?P<under>.+)|>= (?P<least>.+)|(?P<low>.+) to (?P<high>.+)")


@dataclass(frozen=True)
class Character:
    """What may be seen of something: its states.

    Attributes
    ----------
    label: what it is called.
    states: in the order of the table, or from the least to the most where `ordered`.
    ordered: whether only neighbours are grouped.
    """

    label: str
    states: tuple[str, ...]
    ordered: bool = False

    def called(self, group: Sequence[int]) -> str:
        """Return what a group of states is called; where there is an order, those between its ends, too."""
        names = [self.states[state] for state in group]
        if len(names) == 1:
            return names[0]
        if not self.ordered:
            return f"{', '.join(names[:-1])} or {names[-1]}"
        lowest, highest = group[0] == 0, group[-1] == len(self.states) - 1
        classes = [_CLASS.fullmatch(state) for state in (names[0], names[-1])]
        if all(classes):
            return _classes_called(*map(_ends, names[:: len(names) - 1]))
        if numbers_of(self.states) is None:
            return f"{names[0]} {'or' if len(names) == 2 else 'to'} {names[-1]}"
        if lowest:
            counted = all(state.isdigit() for state in self.states) and not read_heading(self.label).named
            return f"{names[-1]} or {'fewer' if counted else 'less'}"
        return f"{names[0]} or more" if highest else f"{names[0]} to {names[-1]}"


def _ends(name: str) -> tuple[str, str]:
    """Return where a class of measurements begins and ends; empty where it does not."""
    found = _CLASS.fullmatch(name)
    assert found is not None
    return found["least"] or found["low"] or "", found["under"] or found["high"] or ""


def _classes_called(first: tuple[str, str], last: tuple[str, str]) -> str:
    """Return what neighbouring classes are called, as one."""
    low, high = first[0], last[1]
    return f"{low} to {high}" if low and high else f"< {high}" if high else f">= {low}"


def states_in(row: Sequence[str], *, sets: bool) -> tuple[str, ...]:
    """Return the answers that the cells of a test hold."""
    return tuple(dict.fromkeys(answer for cell in chances_in(row, sets=sets) for answer in cell))


def order_of(label: str, states: Sequence[str]) -> tuple[str, ...]:
    """Return states from the least to the most where they are numbers or classes of these; else none."""
    numbers = numbers_of(states, named=read_heading(label).named)
    if numbers is not None:
        if len(set(numbers.values())) < len(numbers):
            return ()
        return tuple(sorted(states, key=lambda state: numbers[state]))
    if not all(_CLASS.fullmatch(state) for state in states):
        return ()
    ends = {state: _ends(state) for state in states}
    bounds = numbers_of([end for pair in ends.values() for end in pair if end])
    if bounds is None:
        return ()
    return tuple(
        sorted(
            states, key=lambda state: bounds[ends[state][1]] if ends[state][1] else max(bounds.values()) + 1
        )
    )


def in_order(label: str, states: Sequence[str], order: Sequence[str]) -> tuple[str, ...]:
    """Return states in an order that somebody gave; raise GameError for a state that is not in it."""
    missing = next((state for state in states if state not in order), None)
    if missing is not None:
        raise GameError(
            f"order={label}:{';'.join(order)} leaves out {shown(missing)}; expected all answers of the test"
        )
    return tuple(state for state in order if state in states)
