"""Battleship: ships hide on a small board, shots at its cells find them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from math import gcd

import numpy as np
from numpy.typing import NDArray

from ..catalogue import Amount, Offer
from ..errors import GameError, SpaceError, shown
from ..game import Game
from ..memory import require_memory
from ..notation import MISS, Look
from ..registry import parse_size, register
from ..symmetry.groups import Generated, Symmetry, Trivial

MOST_SIDE = 26
"""Rows are named by letters."""
MOST_PLACED = 1 << 18
"""So many ships are placed at most while ways are listed, those included that leave no room for others."""
USUAL_SHIP = 3
_OPTIONS = re.compile(r"ships=(?P<ships>[0-9]{1,2}(?:\+[0-9]{1,2})*)|(?P<flag>apart|named|known)", re.ASCII)

Fleet = tuple[int, ...]
"""The cells of each ship as bits: cell i, counted row by row, is the bit 1 << i."""


class Battleship(Game):
    """Ships of given lengths lie on a board, across or down; a guess is a cell, the response a miss or a hit.

    A secret is the set of cells that ships take; it weighs as many as there are ways to place ships there,
    so all ways are equally likely. The game ends when each ship is sunk. It is played as one that is to be
    identified, where a miss costs 1 and a hit nothing.

    *Proof* that this is the same. All ways take S cells, each of which is hit once, so that a strategy that
    sinks all ships takes S shots and its misses. When the last cell was hit, the secret is known: followed
    to there, it identifies the secret for its misses. And a strategy that identifies the secret goes on with
    hits alone, for S shots and what it has paid.

    Parameters
    ----------
    ships: their lengths.
    apart: whether ships may not touch, not even at a corner.
    named: whether a hit says which ship it is; then a secret says so of its cells, too, and to be told that
        a ship is sunk tells nothing more.
    known: whether the game ends as soon as the secret is known, and every shot counts.

    Raises GameError where the ships do not fit, and SpaceError where there are too many ways to place them.
    """

    def __init__(
        self,
        rows: int,
        columns: int,
        ships: Sequence[int] = (USUAL_SHIP,),
        *,
        apart: bool = False,
        named: bool = False,
        known: bool = False,
    ) -> None:
        said = {"apart": apart, "named": named, "known": known}
        size, lengths = f"{rows}x{columns}", "+".join(map(str, ships))
        self.spec = ",".join([f"battleship:{size}", f"ships={lengths}", *(o for o in said if said[o])])
        self._rows, self._columns = rows, columns
        self.look = Look(secret="placement", guess="shot", cost="misses", board=(rows, columns))
        self.guesses = tuple(cell for row in self.look.cells for cell in row)
        names = names_of(ships)
        self.responses = (MISS, *(f"hit {name}" for name in names)) if named else (MISS, "hit")
        placed = placements(self.spec, rows, columns, ships, apart=apart, named=named)
        ways = Counter(placed if named else map(_together, placed))
        if not ways:
            raise GameError(f"{self.spec}: these ships do not fit; expected fewer or shorter ones")
        require_memory(self.spec, len(self.guesses), len(ways))
        found = sorted(ways, key=self._cells_of)
        self.secrets = tuple(map(self._label(names if named else [""]), found))
        self._answers = self._responses(found)
        self._symmetry = self._group()
        self.winning = None
        if len(set(ways.values())) > 1:
            common = gcd(*ways.values())
            self.weights = tuple(ways[one] // common for one in found)
        if not known:
            self.costs = np.zeros((len(self.guesses), len(self.responses)), dtype=np.int64)
            self.costs[:, 0] = 1

    def _cells_of(self, fleet: Fleet) -> list[list[int]]:
        """Return the cells of each ship, ascending."""
        every = range(self._rows * self._columns)
        return [[cell for cell in every if ship >> cell & 1] for ship in fleet]

    def _label(self, names: Sequence[str]) -> Callable[[Fleet], str]:
        def label(fleet: Fleet) -> str:
            texts = (" ".join(self.guesses[c] for c in cells) for cells in self._cells_of(fleet))
            pairs = zip(names, texts, strict=True)
            return ", ".join(f"{name}: {text}" if name else text for name, text in pairs)

        return label

    def _responses(self, fleets: Sequence[Fleet]) -> NDArray[np.uint8]:
        """Return the responses, shape (cells, secrets)."""
        found = np.zeros((len(self.guesses), len(fleets)), dtype=np.uint8)
        for secret, fleet in enumerate(fleets):
            for ship, cells in enumerate(self._cells_of(fleet), 1):
                found[cells, secret] = ship
        return found

    def _group(self) -> Symmetry:
        """Return the symmetry of the board: a rectangle turned over, and a square its diagonals, too."""
        cells = np.arange(len(self.guesses)).reshape(self._rows, self._columns)
        turned = [cells[::-1], cells[:, ::-1], *([cells.T] if self._rows == self._columns else [])]
        index = {column.tobytes(): s for s, column in enumerate(np.ascontiguousarray(self._answers.T))}
        found: list[tuple[list[int], list[int]]] = []
        for image in (np.ascontiguousarray(one).ravel() for one in turned):
            if (image != cells.ravel()).any():  # each is its own inverse
                moved = np.ascontiguousarray(self._answers[image].T)
                found.append((image.tolist(), [index[column.tobytes()] for column in moved]))
        return Generated(found) if found else Trivial(len(self.guesses))

    @property
    def symmetry(self) -> Symmetry:
        """Return the symmetry of the board."""
        return self._symmetry

    def respond(self, guess: int, secret: int) -> int:
        """Return the index of the response: a miss, or a hit."""
        return int(self._answers[guess, secret])

    def table(self) -> NDArray[np.uint8]:
        """Return every response, shape (guesses, secrets)."""
        return self._answers

    def block(self, guesses: NDArray[np.int32], secrets: NDArray[np.int32]) -> NDArray[np.uint8]:
        """Return the responses of some guesses on some secrets, shape (guesses, secrets)."""
        return self._answers[np.ix_(guesses, secrets)]

    def respond_each(self, guesses: NDArray[np.int32], secrets: NDArray[np.int32]) -> NDArray[np.uint8]:
        """Return the response of each guess on the secret beside it."""
        return self._answers[guesses, secrets]

    def own(self) -> NDArray[np.int32]:
        """Return -1 for each guess: a cell names no placement, not even that of a ship of one cell."""
        return np.full(len(self.guesses), -1, dtype=np.int32)


def _together(fleet: Fleet) -> Fleet:
    """Return the cells of all ships as those of one."""
    return (sum(fleet),)


def names_of(ships: Sequence[int]) -> list[str]:
    """Return what ships are called: by their lengths; of the same length ``3a``, ``3b``."""
    many, met, names = Counter(ships), Counter[int](), []
    for ship in ships:
        names.append(f"{ship}{chr(ord('a') + met[ship])}" if many[ship] > 1 else str(ship))
        met[ship] += 1
    return names


def lines(rows: int, columns: int, length: int) -> list[int]:
    """Return where a ship may lie, as bits: across, then down; one of one cell lies each way once."""
    found = [
        sum(1 << row * columns + start + i for i in range(length))
        for row in range(rows)
        for start in range(columns - length + 1)
    ]
    if length > 1:
        found += [
            sum(1 << (start + i) * columns + column for i in range(length))
            for start in range(rows - length + 1)
            for column in range(columns)
        ]
    return found


def around(rows: int, columns: int, ship: int) -> int:
    """Return the cells of a ship and those that touch it."""
    found = 0
    for cell in range(rows * columns):
        if ship >> cell & 1:
            row, column = divmod(cell, columns)
            found |= sum(
                1 << r * columns + c
                for r in range(max(row - 1, 0), min(row + 2, rows))
                for c in range(max(column - 1, 0), min(column + 2, columns))
            )
    return found


def placements(
    spec: str, rows: int, columns: int, ships: Sequence[int], *, apart: bool, named: bool
) -> Iterator[Fleet]:
    """Yield every way to place the ships, each once; ships of one length differ where they are `named`.

    Raises SpaceError where there are too many ways.
    """
    options = {length: lines(rows, columns, length) for length in set(ships)}
    taken = {
        ship: around(rows, columns, ship) if apart else ship for some in options.values() for ship in some
    }
    placed = 0

    def after(fleet: Fleet, closed: int) -> Iterator[Fleet]:
        nonlocal placed
        if len(fleet) == len(ships):
            yield fleet
            return
        own = ships[len(fleet)]
        before = [one for one, length in zip(fleet, ships, strict=False) if length == own]
        for ship in options[own]:
            if ship & closed or (before and not named and ship <= before[-1]):
                continue
            placed += 1
            if placed > MOST_PLACED:
                raise SpaceError(
                    f"{spec}: more than {MOST_PLACED} ships would be placed to list all ways; expected a "
                    "smaller board, or fewer ships"
                )
            yield from after((*fleet, ship), closed | taken[ship])

    yield from after((), 0)


@register(
    "battleship",
    example="battleship:5x5,ships=2+3",
    about="ROWSxCOLUMNS with ships of lengths L+L+...; shots are cells such as B3, and misses count; ,apart: "
    "ships do not touch; ,named: a hit says which ship; ,known: every shot counts until the ships are known",
    reference="folklore",
    offer=Offer(
        "Battleship",
        "Ships hide on a board: shoot at cells, and sink them all with few misses.",
        (Amount("rows", 1, 8, 5), Amount("columns", 1, 10, 5)),
        {
            ",ships=2+3": "two ships, of 2 and 3 cells, not one of 3",
            ",apart": "ships do not touch",
            ",named": "a hit says which ship it is",
            ",known": "it ends when the ships are known, and every shot counts",
        },
        look=Look("tiles"),
        guess="B3",
        response="hit",
    ),
)
def make(text: str) -> Game:
    """Return the game of a spec ``battleship:RxC``, with ships and options after commas."""
    spec, (size, *options) = f"battleship:{text}", text.split(",")
    rows, columns = parse_size(spec, size, "rows", "columns")
    found = [_OPTIONS.fullmatch(option) for option in options]
    given = [option.partition("=")[0] for option in options]
    if None in found or len(set(given)) < len(given):
        raise GameError(
            f"{shown(spec)}: expected ships=L+L+..., apart, named and known, each once, after commas, such "
            "as battleship:5x5,ships=2+3"
        )
    lengths = [option.partition("=")[2] for option in options if option.startswith("ships=")]
    ships = [int(length) for length in lengths[0].split("+")] if lengths else [USUAL_SHIP]
    if not max(rows, columns) <= MOST_SIDE:
        raise GameError(f"{shown(spec)}: a board of {rows}x{columns}; expected sides from 1 to {MOST_SIDE}")
    longest = max(rows, columns)
    if not all(1 <= ship <= longest for ship in ships) or sum(ships) > rows * columns:
        raise GameError(
            f"{shown(spec)}: ships of {', '.join(map(str, ships))} cells do not fit; expected 1 to {longest} "
            f"cells each, and {rows * columns} in all at most"
        )
    return Battleship(
        rows, columns, ships, apart="apart" in given, named="named" in given, known="known" in given
    )
