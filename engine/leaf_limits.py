"""`LeafLimits`: how many leaves a tree may have, how much must end in each, and what each costs.

A leaf is an end of the tree: where something is decided or named, or where an answer ends the path. Its
*samples* are its mass: the weights of the causes times the probabilities of the answers on the way there. A
test that fails to answer changes no mass, as nobody says how likely that is.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from .errors import GuesstreeError, shown
from .exact import NoNumber, as_plain, exact_text, read_numbers
from .notation import plural


@dataclass(frozen=True)
class LeafLimits:
    """Limits of the leaves of a tree; None: there is no such limit.

    Attributes
    ----------
    max_leaves: the most leaves that a tree may have.
    min_samples: the least that may end in a leaf, in the weights of the table.
    leaf_price: what each leaf adds to the expected cost, in the costs of the table.
    """

    max_leaves: int | None = None
    min_samples: Fraction | None = None
    leaf_price: Fraction | None = None

    @classmethod
    def of(cls, max_leaves: Any = None, min_samples: Any = None, leaf_price: Any = None) -> LeafLimits | None:
        """Return the limits given, None where there are none; raise GuesstreeError for a wrong number."""
        least, price = _number("min_samples", min_samples), _number("leaf_price", leaf_price)
        if max_leaves is not None:
            number = _number("max_leaves", max_leaves)
            if number is None or number.denominator > 1 or not 1 <= number <= 1 << 30:
                raise GuesstreeError(f"max_leaves={shown(max_leaves)}; expected a whole number from 1")
            max_leaves = int(number)
        found = cls(max_leaves, least or None, price or None)
        return None if found == cls() else found

    @property
    def parameters(self) -> dict[str, Any]:
        """What restricts the strategies, as plain data."""
        found: dict[str, Any] = {} if self.max_leaves is None else {"max_leaves": self.max_leaves}
        numbers = {"min_samples": self.min_samples, "leaf_price": self.leaf_price}
        return found | {name: as_plain(number) for name, number in numbers.items() if number is not None}

    @property
    def in_words(self) -> str:
        """What every strategy has to keep, to stand after what cannot be done."""
        said = []
        if self.max_leaves is not None:
            said.append(f"with at most {plural(self.max_leaves, 'leaf')}")
        if self.min_samples is not None:
            said.append(f"with at least {self.min_samples} in each leaf")
        return "".join(f" {one}" for one in said)


def _number(name: str, value: Any) -> Fraction | None:
    """Return an exact number from 0, 0.1 as 1/10; raise GuesstreeError for what is none."""
    if value is None:
        return None
    expected = "a number from 0, such as 5, 2.5 or 1/3"
    number = None
    if isinstance(value, np.generic):
        return _number(name, value.item())
    if isinstance(value, int | float | Fraction | Decimal | str) and not isinstance(value, bool):
        try:
            (number,), _ = read_numbers([str(value)], plain=True)
        except NoNumber:
            number = None
    if number is None or number < 0:
        given = shown(value) if number is None else exact_text(number)
        raise GuesstreeError(f"{name}={given}; expected {expected}")
    return number
