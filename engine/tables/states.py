"""The order of the answers to a test, as people list them: keys print their leads in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from .cells import answers_of
from .table import Content

_NUMBER = re.compile(
    r"\s*(?P<below>up to|less than|fewer than|under|below|at most|bis|unter|höchstens|[<≤~])?[\s=>≥]*"
    r"(?P<first>[-+\u2212]?\d+(?:[.,]\d+)?)",
    re.IGNORECASE,
)
YES_NO = (("yes", "no"), ("ja", "nein"))
"""What a question is answered, in the languages in which keys make statements of these answers."""


def ordered_states(table: Content, guess: int) -> list[str]:
    """Return the answers to a test in the order of their states.

    Numbers ascend, and *yes* comes before *no*. All else is in the order that was given (`Content.orders`),
    in that of the format, if it has one (`Detail.states`), or else in that of the first appearance.
    """
    row = [cell for cell in dict.fromkeys(table.cells[guess]) if cell]
    seen = dict.fromkeys(answer for cell in row for answer in (answers_of(cell) if table.sets else [cell]))
    given = table.orders[guess] if table.orders else ()
    own = given or table.detail.states.get(table.guesses[guess], ())
    states = [*(state for state in own if state in seen), *(state for state in seen if state not in own)]
    numbers = [_number(state) for state in states]
    if None not in numbers:
        pairs = zip(numbers, states, strict=True)
        return [state for _, state in sorted(pairs, key=lambda pair: pair[0] or ())]
    folded = [state.casefold() for state in states]
    pair = next((pair for pair in YES_NO if set(folded) == set(pair)), None)
    return sorted(states, key=lambda state: pair.index(state.casefold())) if pair else states


def in_state_order(states: Sequence[str], answers: Iterable[str]) -> list[str]:
    """Return answers in the order of the states of a test, a group such as ``red or blue`` by its first."""
    if all(_number(state) for state in states):
        return sorted(answers, key=lambda answer: _number(answer) or ())

    def rank(answer: str) -> int:
        begins = [
            at for at, state in enumerate(states) if re.match(rf"{re.escape(state)}(?:,| or | to |$)", answer)
        ]
        return max(begins, key=lambda at: len(states[at]), default=len(states))

    return sorted(answers, key=rank)


def _number(state: str) -> tuple[float, ...] | None:
    """Return the number that an answer begins with; what is below it sorts before it. None: it has none."""
    found = _NUMBER.match(state)
    if found is None:
        return None
    return float(found["first"].replace(",", ".").replace("\u2212", "-")), -1.0 if found["below"] else 0.0
