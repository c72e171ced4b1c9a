"""Tables with empty cells: any answer is possible, and the cause is to be known, not how it answers.

A cause with empty cells would stay possible after several answers, so the parts that a question leaves would
overlap. Instead there is a secret for each way to fill its cells, a *completion*, and the weight of the cause
is shared equally among them. To know the cause is to have all candidates among the completions of one cause;
these are told apart by a last question, "it is CAUSE", that costs nothing if it is, and otherwise more than
any strategy needs.

*Proof* that both have the same least cost, the expected and the worst. From a strategy that ends when the
cause is known, follow each end by the last question: it costs nothing, and all completions are identified.
From one that identifies all completions for less than the price of a wrong last question: nobody pays that
price, so a last question is asked only where the cause is known; end there, and nobody pays more. There is
such a strategy: ask all questions in turn until the cause is known; completions of different causes differ.

A budget is different: a wrong last question would only lose what is lost anyway, and a cause could be won by
naming it untested. One-step methods do not see costs, and would ask last questions early. Both are refused.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product

from ..errors import GameError
from ..game import costs_of
from .table import Content, TableGame

MOST_COMPLETIONS = 200
"""Of one cause; each is a response to its last question. Where there are more, see `tables.noisy`."""
MOST_SECRETS = 5000
NO = "no"


class UnsureTable(TableGame):
    """A table in which an empty cell means that any response to the guess is possible, if `listable`.

    Raises GameError where a guess has no cell that is filled, or where two causes cannot be told apart for
    some answers.
    """

    def __init__(self, spec: str, content: Content) -> None:
        self._content = content
        guesses, causes, cells = content.guesses, content.secrets, content.cells
        weights, prices = content.weights, content.costs
        kinds = [[label for label in dict.fromkeys(row) if label] for row in cells]
        for guess, known in zip(guesses, kinds, strict=True):
            if not known:
                raise GameError(f"{spec}: guess {guess!r} has no response at all; expected one or more")
        columns, ways = list(zip(*cells, strict=True)), ways_to_fill(cells)
        secrets: list[str] = []
        filled: dict[tuple[str, ...], int] = {}
        for cause, column in enumerate(columns):
            for label, full in completions(guesses, kinds, causes[cause], column):
                if filled.setdefault(full, cause) != cause:
                    raise GameError(
                        f"{spec}: no guess tells {causes[filled[full]]!r} and {label!r} apart; causes "
                        "must differ, however the cells are filled (,merge joins equal ones)"
                    )
                secrets.append(label)
        lasts = [c for c in range(len(causes)) if ways[c] > 1]
        table = [list(row) for row in zip(*filled, strict=True)]
        if not lasts:
            super().__init__(spec, guesses, secrets, table, None, weights, prices, **content.units)
            return
        owner = list(filled.values())
        self.kinds = tuple(causes[c] for c in owner)
        table += [
            [f"case {s - owner.index(c) + 1}" if owner[s] == c else NO for s in range(len(owner))]
            for c in lasts
        ]
        names = [*guesses, *(f"it is {causes[c]}" for c in lasts)]
        for labels, what in ((names, "test"), (secrets, "cause")):
            twice = [label for label, many in Counter(labels).items() if many > 1]
            if twice:
                raise GameError(f"{spec}: the {what} label {twice[0]!r} is repeated")
        shared = math.lcm(*ways)
        each = [(weights[c] if weights else 1) * shared // ways[c] for c in owner]
        tests = [1] * len(guesses) if prices is None else list(prices)
        units = content.units | {"weight_unit": content.weight_unit / shared}
        last = [*tests, *(0 for _ in lasts)]
        super().__init__(spec, names, secrets, table, None, each, last, **units)
        assert self.costs is not None
        self.costs[len(guesses) :, self.responses.index(NO)] = sum(each) * sum(tests) + 1
        costs_of(self)

    @property
    def content(self) -> Content:
        """What the table says, with its empty cells."""
        return self._content


def ways_to_fill(cells: Sequence[Sequence[str]]) -> list[int]:
    """Return in how many ways the empty cells of each cause can be filled."""
    kinds = [len({label for label in row if label}) for row in cells]
    columns = zip(*cells, strict=True)
    return [math.prod(kinds[g] for g, cell in enumerate(c) if not cell) for c in columns]


def listable(cells: Sequence[Sequence[str]]) -> bool:
    """Return whether all ways to fill empty cells can be listed."""
    if not any("" in row for row in cells):
        return True
    ways = ways_to_fill(cells)
    return max(ways) <= MOST_COMPLETIONS and sum(ways) <= MOST_SECRETS


def completions(
    guesses: Sequence[str], kinds: Sequence[Sequence[str]], cause: str, column: Sequence[str]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the label and the cells of every way to fill the empty cells of a cause."""
    empty = [g for g, cell in enumerate(column) if not cell]
    for answers in product(*(kinds[g] for g in empty)):
        full = list(column)
        for g, answer in zip(empty, answers, strict=True):
            full[g] = answer
        what = ", ".join(f"{guesses[g]} {full[g]}" for g in empty if len(kinds[g]) > 1)
        yield f"{cause} ({what})" if what else cause, tuple(full)
