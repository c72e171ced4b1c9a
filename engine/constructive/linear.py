"""Where each colour is, by a number of questions that is linear in the pegs, where all colours differ.

The idea is that of Martinsson and Su (2020): questions about different levels of halving are asked together,
so that no question is spent on a large block alone. A coin is a colour known to be in a block, shown in one
half of it: it weighs 1 or 0, and in the other half 1 less that. Let f and g be what two sets of coins of
disjoint blocks weigh, and z what one more coin weighs. Two questions tell all three (Cantor and Mills 1966):

    f + g + z    and    f + (number of coins of g) - g, with each coin of g shown in its other half:

their sum has the parity of z. So while the two halves of the left half of a block are solved side by side,
every other question also moves a colour of the right half down, free of charge.

*Prepared* blocks have their colours known by halves, those of the left half by quarters, and its two quarters
are prepared. Let P(m) m be the questions to prepare a block of m pegs, one at a time, and S(m) m those to
solve a prepared one:

    4 P(4m) = 4 + 2 + 2 P(m),    hence P <= 3;
    4 S(4m) = 4 S(m) + max(0, 8 - S(m)),    hence S <= 8:

the four quarters are solved in two pairs, in as many questions as they take one by one; preparing the two
on the right takes 2m + 2 P(m) m <= 8m coins, of which S(m) m are free beside the first pair. So n pegs take
11n questions at most. (That is for powers of 4; others are halved as equally as can be, and may take a few
more.) The paper's own schedule is another one, with random questions first for codes that repeat colours.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator

import numpy as np

from ..errors import GuesstreeError
from .asking import Asking, Talk
from .blocks import Misfit
from .size import Code

Block = tuple[int, int]
"""The first peg, and the one after the last."""
Coin = tuple[Block, int, bool]
"""A colour that is in a block, and whether it is shown in the second half of it."""
Stream = Generator[list[Coin], int, None]
"""Yields coins of disjoint blocks, and is sent what they weigh together."""


class Lane:
    """A stream that others may go on with: the coins that it waits for, None at its end."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self.coins: list[Coin] | None = next(stream, None)

    def send(self, weight: int) -> None:
        """Take in what the coins weigh."""
        try:
            self.coins = self._stream.send(weight)
        except StopIteration:
            self.coins = None

    def alone(self) -> Stream:
        """Go on to the end with questions of its own."""
        while self.coins is not None:
            self.send((yield self.coins))


class Places:
    """The colours of all blocks, as far as they are known.

    Attributes
    ----------
    code: the colour of each peg, once solved.
    """

    def __init__(self, colours: list[int]) -> None:
        self.code = np.zeros(len(colours), dtype=np.uint16)
        self._board = (0, len(colours))
        self._inside: dict[Block, list[int]] = {}
        self._enter(self._board, colours)

    def solve(self) -> Stream:
        """Find the code."""
        left, right = yield from self._opened(self._board)
        free = Lane(self._rest(right))
        quarters = yield from self._opened(left)
        yield from _together([self._prepared(quarter) for quarter in quarters], free)
        yield from self._solved(self._board, free)

    def _prepared(self, block: Block) -> Stream:
        """Prepare a block, by one coin at a time."""
        left, _ = yield from self._opened(block)
        for quarter in (yield from self._opened(left)):
            if _pegs(quarter) > 1:
                yield from self._prepared(quarter)

    def _rest(self, block: Block) -> Stream:
        """Prepare the quarters that are the halves of the right half, by one coin at a time."""
        for quarter in (yield from self._opened(block)):
            if _pegs(quarter) > 1:
                yield from self._prepared(quarter)

    def _solved(self, block: Block, free: Lane | None = None) -> Stream:
        """Find the colours of a prepared block; `free` is what is to be done in its right half."""
        if _pegs(block) <= 1:
            return
        left, right = _halves(block)
        free = free or Lane(self._rest(right))
        yield from _together([self._solved(quarter) for quarter in _halves(left)], free)
        yield from free.alone()
        yield from _together([self._solved(quarter) for quarter in _halves(right)], Lane(_nothing()))

    def _opened(self, block: Block) -> Generator[list[Coin], int, tuple[Block, Block]]:
        """Find which colours of a block are in its first half, one after another; return both halves."""
        first, second = _halves(block)
        if _pegs(block) <= 1:
            return first, second
        found: tuple[list[int], list[int]] = ([], [])
        for colour in self._inside.pop(block, []):
            if len(found[0]) == _pegs(first):
                found[1].append(colour)
            elif len(found[1]) == _pegs(second):
                found[0].append(colour)
            else:
                weight = yield [(block, colour, False)]
                if weight not in (0, 1):
                    raise Misfit(f"one colour has {weight} pegs")
                found[1 - weight].append(colour)
        for half, colours in zip((first, second), found, strict=True):
            self._enter(half, colours)
        return first, second

    def _enter(self, block: Block, colours: list[int]) -> None:
        """Note which colours a block has."""
        if _pegs(block) == 1:
            self.code[block[0]] = colours[0]
        elif _pegs(block):
            self._inside[block] = colours


def _together(streams: list[Stream], free: Lane) -> Stream:
    """Go on with two streams of disjoint blocks, and with coins of a third that cost nothing."""
    first, second = map(Lane, streams)
    while first.coins is not None and second.coins is not None:
        extra = free.coins or []
        shown, others = first.coins, second.coins
        top = yield shown + others + extra
        low = yield shown + [(block, colour, not half) for block, colour, half in others]
        twice = top + low - len(others)
        weight = twice & 1
        first.send(twice // 2)
        second.send(top - weight - twice // 2)
        if extra:
            free.send(weight)
        elif weight:
            raise Misfit("two questions differ in their parity")
    yield from first.alone()
    yield from second.alone()


def _nothing() -> Stream:
    yield from ()


def _halves(block: Block) -> tuple[Block, Block]:
    """Return the halves of a block; the second may be a peg smaller, or empty."""
    start, stop = block
    middle = (start + stop + 1) // 2
    return (start, middle), (middle, stop)


def _pegs(block: Block) -> int:
    return block[1] - block[0]


def find_linear(asking: Asking, colours: list[int]) -> Talk[Code]:
    """Find a code with these colours, each once; needs a guess without a black peg, `asking.zero`."""
    assert asking.zero is not None
    told: list[int] = []

    def fits(code: Code) -> bool:
        """Return whether a code, won before the end, has these colours and answers as was answered."""
        if sorted(code.tolist()) != colours:
            return False
        weights = _weights(code, Places(colours))
        return all(weight == next(weights) for weight in told)

    asking.fits = fits
    kept = len(asking.open)
    places = Places(colours)
    stream = Lane(places.solve())
    while stream.coins is not None:
        guess = asking.zero.copy()
        for block, colour, second in stream.coins:
            guess[slice(*_halves(block)[second])] = colour
        response = yield from asking.ask(guess)
        if not 0 <= response[0] <= len(stream.coins):
            raise Misfit(f"{len(stream.coins)} colours have {response[0]} pegs")
        told.append(response[0])
        stream.send(response[0])
        del asking.open[kept:]  # the code is made of what they said
    return places.code


def _weights(code: Code, places: Places) -> Iterator[int]:
    """Yield what the coins of each question weigh, for a code whose colours all differ."""
    peg = {colour: number for number, colour in enumerate(code.tolist())}
    stream = Lane(places.solve())
    while stream.coins is not None:
        weight = 0
        for block, colour, second in stream.coins:
            start, stop = _halves(block)[second]
            weight += start <= peg[colour] < stop
        yield weight
        stream.send(weight)


def places_questions(code: Code) -> int:
    """Return how many questions `find_linear` asks for a code whose colours differ; no guesses are made.

    Raises GuesstreeError if it would find another code.
    """
    places = Places(sorted(code.tolist()))
    asked = sum(1 for _ in _weights(code, places))
    if not np.array_equal(places.code, code):
        raise GuesstreeError(f"{len(code)} pegs: another code is found")
    return asked
