"""What paths lead to: the state, the least of the equivalent paths, the text; and strategies as bytes.

Two paths of the same pairs (guess, response), in whatever order, lead to the same candidates. A renaming of
positions and colours that leaves every response as it is takes the candidates of a path to those of the
renamed path, and every strategy with them: both states cost the same. So one claim does for all of them,
that about the *canonical* path, the least of all when paths are compared number by number.

Positions and colours are renamed where the game has codes and `Symmetry.renaming` says how. Other groups
(coins, permutations that a game gives) are not used here: only pairs are sorted there. With rules, what may
be asked depends on the history, and paths stay as they are.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from math import factorial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import GuesstreeError, shown
from ..notation import plural
from ..proofs.renaming import CodeRenamings, Renaming, after, inverse
from ..rules import steps_in
from ..search.space import NO_LIMIT, ClaimSpace
from .messages import Steps

EACH = 2
"""What `Problem.renaming` says where the colours of each position are renamed on their own."""
SMALL_TABLE = 1 << 26
"""Responses that are worked out once for all paths: to look one up is many times as fast."""
MOST_WAYS = 1 << 14
"""So many renamings are gone through at once, about."""


@dataclass
class Ways:
    """Renamings under way, one in each row: those of some paths that make the pairs taken so far least.

    Attributes
    ----------
    path: the number of the path, ascending, shape (ways,).
    left: which pairs are not taken yet, shape (ways, pairs).
    order: the position that each new position was, shape (ways, positions).
    names: the new name of each colour, -1: none yet; shape (ways, 1 or positions, colours), by old positions.
    block: where positions go is still open within blocks: the number of that of each new position, the same
        in all ways of a path, ascending, shape (ways, positions); None: it is settled from the beginning.
    """

    path: NDArray[np.int64]
    left: NDArray[np.bool_]
    order: NDArray[np.int64]
    names: NDArray[np.int64]
    block: NDArray[np.int64] | None


class Paths:
    """The paths of a problem, as its states are named by `space`."""

    def __init__(self, space: ClaimSpace[Any]) -> None:
        self.space, self.problem = space, space.problem
        problem, self.game = self.problem, self.problem.game
        if problem.codes is not None and problem.secrets**2 <= SMALL_TABLE:
            _ = problem.table  # rows of it are taken all the time
        self.how = problem.renaming
        if self.how:
            assert problem.codes is not None
            digits = problem.codes.digits
            self.digits = digits.astype(np.int64)
            self.pegs, self.colours = digits.shape[1], int(digits.max()) + 1
            self.weights = self.colours ** np.arange(self.pegs - 1, -1, -1, dtype=np.int64)
            self.numbers = self.digits @ self.weights  # ascending: codes are in lexicographic order
            self.renamings = CodeRenamings(digits, separate=self.how == EACH)

    def state(self, path: Steps, limit: int) -> Any:
        """Return the state that a path leads to, of a branch the one in which its guess is asked.

        `limit`: what is left of it there, see `ClaimSpace`.
        """
        pairs = pairs_of(path)
        return self.space.state_at(self.space.query_at("total", limit, pairs), pairs)

    # -- equivalent paths ------------------------------------------------------------------------------

    def canonical(self, path: Steps) -> Steps:
        """Return the least of the equivalent paths.

        Of a branch it is that of the state before, with the least guess that a renaming which leaves the
        pairs of that path as they are, in some order, takes the guess to.
        """
        return self.canonicals([path])[0]

    def renaming(self, path: Steps, to: Steps) -> Renaming | None:
        """Return a renaming that takes a path to an equivalent one; None: there is nothing to rename.

        Raises ValueError where the paths are not equivalent.
        """
        (least, there), (other, back) = self.form(path), self.form(to)
        if least != other:
            raise ValueError(f"{path} and {to} are not known to be equivalent")
        return None if there is None or back is None else after(there, inverse(back))

    def form(self, path: Steps) -> tuple[Steps, Renaming | None]:
        """Return the canonical path, and a renaming that takes the path to it (None: nothing is renamed)."""
        if not self.how:
            return self._sorted(path), None
        (least,), ways = self._least_of([path])
        return least, self._renaming_of(ways)

    def canonicals(self, paths: Sequence[Steps]) -> list[Steps]:
        """Return `canonical` of some paths, which have the same guesses; sooner than one by one."""
        if not self.how:
            return [self._sorted(path) for path in paths]
        at_once = max(1, MOST_WAYS // len(self.start[0]))
        found: list[Steps] = []
        for i in range(0, len(paths), at_once):
            found += self._least_of(paths[i : i + at_once])[0]
        return found

    def _sorted(self, path: Steps) -> Steps:
        """Return a path with its pairs in order, where their order is no matter."""
        pairs = pairs_of(path)
        if self.problem.rules is None:
            pairs.sort()
        return (*(number for pair in pairs for number in pair), *path[2 * len(pairs) :])

    def _least_of(self, paths: Sequence[Steps]) -> tuple[list[Steps], Ways]:
        """Return what paths become that have the same guesses, and the ways that make them so."""
        guesses, many = list(paths[0][::2]), len(paths[0]) // 2
        responses = np.array([path[1::2] for path in paths], dtype=np.int64).reshape(len(paths), many)
        order, names, block = self.start
        repeated = np.tile(np.arange(len(order)), len(paths))
        ways = Ways(
            np.repeat(np.arange(len(paths)), len(order)),
            np.ones((len(repeated), many), dtype=np.bool_),
            order[repeated],
            names[repeated],
            None if block is None else block[repeated],
        )
        steps: list[NDArray[np.int64]] = []
        for _ in range(many):
            ways, *least = self._least(ways, self.digits[guesses[:many]], responses)
            steps += least
        if len(guesses) > many:
            ways.left = np.ones((len(ways.path), 1), dtype=np.bool_)
            none = np.zeros((len(paths), 1), dtype=np.int64)
            ways, asked, _ = self._least(ways, self.digits[guesses[many:]], none)
            steps.append(asked)
        found = np.array(steps, dtype=np.int64).reshape(len(steps), len(paths)).T.tolist()
        return [tuple(path) for path in found], ways

    @cached_property
    def start(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64] | None]:
        """What stands for all renamings: `order`, `names` and `block` of `Ways`.

        With colours renamed as one, the smaller group is listed: all orders of the positions, where colours
        get their names when they are met, or all names of the colours, where positions are sorted. With
        colours of each position on its own, both are left open. Either way what is left open is settled
        guess by guess, and so that the guess becomes the least that it can: names in the order in which
        colours are met, positions of a block by the names of their colours.
        """
        pegs, colours = self.pegs, self.colours
        if self.how == EACH:
            none = np.full((1, pegs, colours), -1, dtype=np.int64)
            return np.arange(pegs)[None], none, np.zeros((1, pegs), dtype=np.int64)
        if factorial(pegs) <= factorial(colours):
            order = np.array(list(permutations(range(pegs))), dtype=np.int64)
            return order, np.full((len(order), 1, colours), -1, dtype=np.int64), None
        names = np.array(list(permutations(range(colours))), dtype=np.int64)[:, None, :]
        block = np.zeros((len(names), pegs), dtype=np.int64)
        return np.repeat(np.arange(pegs)[None], len(names), axis=0), names, block

    def _least(
        self, ways: Ways, codes: NDArray[np.int64], responses: NDArray[np.int64]
    ) -> tuple[Ways, NDArray[np.int64], NDArray[np.int64]]:
        """Take the pair that becomes least, in all ways that make it so; return these, and what it becomes.

        `codes`: of the guesses; `responses`: of each path to each. What is returned are guess and response
        of each path.

        Exact: paths are compared from the left, so that what makes an earlier pair larger is out, whatever
        comes after it. Of the ways that are left open, names and places within blocks, each that makes this
        guess the least is the same to all that follow: columns of one block hold the same names so far.
        """
        row, pair = np.nonzero(ways.left)
        path, order, names = ways.path[row], ways.order[row], ways.names[row]
        every, sites = np.arange(len(row)), order if self.how == EACH else np.zeros_like(order)
        colour = np.take_along_axis(codes[pair], order, axis=1)
        image = np.empty_like(colour)
        for place in range(self.pegs):
            at = every, sites[:, place], colour[:, place]
            fresh = names[at] < 0
            names[at] = np.where(fresh, names[at[:2]].max(axis=1) + 1, names[at])
            image[:, place] = names[at]
        column = image
        if ways.block is not None:
            column = ways.block[row] * self.colours + image
            sort = np.argsort(column, axis=1, kind="stable")
            order, image, column = (np.take_along_axis(some, sort, axis=1) for some in (order, image, column))
        key = image @ self.weights * self.problem.responses + responses[path, pair]
        least = np.full(len(responses), np.iinfo(np.int64).max)
        np.minimum.at(least, path, key)
        kept = np.flatnonzero(key == least[path])
        block = ways.block
        if block is not None:
            block = np.cumsum(np.diff(column[kept], axis=1, prepend=column[kept][:, :1]) != 0, axis=1)
        left = ways.left[row[kept]]
        left[np.arange(len(kept)), pair[kept]] = False
        numbers, answers = np.divmod(least, self.problem.responses)
        guesses = np.searchsorted(self.numbers, numbers)
        return Ways(path[kept], left, order[kept], names[kept], block), guesses, answers

    def _renaming_of(self, ways: Ways) -> Renaming:
        """Return the first of some ways; colours that were not met get the names that are left, in order."""
        position = np.empty(self.pegs, dtype=np.int64)
        position[ways.order[0]] = np.arange(self.pegs)
        names = ways.names[0].copy()
        for some in names:
            some[some < 0] = np.setdiff1d(np.arange(self.colours), some)
        return tuple(position.tolist()), tuple(tuple(some) for some in names.tolist())

    # -- text ------------------------------------------------------------------------------------------

    def text(self, path: Steps) -> str:
        """Return a path in the game's own labels: ``1122:1,0 1344:0,2``, a branch with its guess behind."""
        guesses, responses = self.game.guesses, self.game.responses
        told = self.problem.told
        words = [f"{guesses[guess]}:{responses[told(guess, r)]}" for guess, r in pairs_of(path)]
        words += [guesses[guess] for guess in path[2 * len(words) :]]
        if any(character.isspace() for word in words for character in word):
            return "; ".join(words) + ";" * (len(words) == 1)
        return " ".join(words)

    def parse(self, text: str) -> Steps:
        """Return the path of a text that `text` wrote; raise GuesstreeError for another.

        A guess asked twice is one, too, and so are responses that no secret gives all.
        """
        words = [word.strip() for word in (text.split(";") if ";" in text else text.split())]
        words = [word for word in words if word]
        asked = [self.game.guess_index(words.pop())] if words and self._is_guess(words[-1]) else []
        steps: list[int] = []
        for guess, response in steps_in(";".join(words) + ";" * bool(words)):
            asking = self.game.guess_index(guess)
            steps += asking, self.problem.number(asking, self.game.response_index(response))
        if not len(self.state(tuple(steps), NO_LIMIT).candidates):
            raise GuesstreeError(
                f"{self.game.spec}: no {self.game.look.secret} gives all responses of {shown(text)}; "
                "expected some that one gives"
            )
        return (*steps, *asked)

    def _is_guess(self, word: str) -> bool:
        """Return whether a word is the guess of a branch, and not a guess with its response."""
        return ":" not in word or word in self.game.guesses

    # -- strategies ------------------------------------------------------------------------------------

    def packed(self, path: Steps, limit: int, choose: Callable[[Any], int]) -> bytes:
        """Return the strategy of a path, by the guess of each state, as a few bytes.

        States stand in preorder, the responses of the game in their order; candidates are named by the game.
        Where one secret is left, the guess that wins on it is the best, and is not written; nor is the guess
        of a branch. A guess that names a candidate is its index among them, which mostly is small. With lies,
        a state that is met again is not written again. Raises KeyError for a state without a guess.
        """
        numbers: list[int] = []
        seen, waiting = set[bytes](), self._begin(path, limit)
        while waiting:
            state, guess = waiting.pop()
            key = self.space.claim_key(state)
            if key in seen:
                continue
            seen.add(key)
            if guess is None:
                guess = choose(state)
                named = self.problem.winner[state.candidates]
                found = np.flatnonzero(named == guess)
                numbers.append(int(found[0]) if len(found) else len(named) + guess)
            waiting += self._below(state, guess)
        return zlib.compress(b"".join(map(packed_number, numbers)), 9)

    def unpacked(self, path: Steps, limit: int, data: bytes) -> dict[bytes, int]:
        """Return the strategy that `packed` wrote for this path, by `ClaimSpace.claim_key`.

        Raises GuesstreeError for other bytes.
        """
        wrong = f"{self.game.spec}: {plural(len(data), 'byte')} are no strategy of {shown(self.text(path))}"
        try:
            written = zlib.decompress(data)
        except zlib.error:
            raise GuesstreeError(f"{wrong}: they are damaged") from None
        choices: dict[bytes, int] = {}
        at, guesses, waiting = 0, len(self.problem.own), self._begin(path, limit)
        while waiting:
            state, guess = waiting.pop()
            key = self.space.claim_key(state)
            if key in choices:
                continue
            if guess is None:
                number, at = unpacked_number(written, at)
                named = self.problem.winner[state.candidates]
                guess = int(named[number]) if number < len(named) else number - len(named)
                if not 0 <= guess < guesses or at > len(written):
                    raise GuesstreeError(f"{wrong}: a guess is missing, or out of range")
            below = self._below(state, guess)
            if any(child.key == state.key for child, _ in below) or state.depth <= 0:
                raise GuesstreeError(f"{wrong}: {self.game.guesses[guess]!r} tells nothing where it is asked")
            choices[key] = guess
            waiting += below
        if at != len(written):
            raise GuesstreeError(f"{wrong}: {plural(len(written) - at, 'byte')} more than it has")
        return choices

    def moved(self, choices: Mapping[bytes, int], renaming: Renaming | None) -> dict[bytes, int]:
        """Return a strategy with everything renamed; `renaming` as `form` and `renaming` return it."""
        if renaming is None:
            return dict(choices)
        image = self.renamings.image(renaming).astype(np.int32)
        return {self.space.renamed(key, image): int(image[guess]) for key, guess in choices.items()}

    def _begin(self, path: Steps, limit: int) -> list[tuple[Any, int | None]]:
        """Return the first state of a strategy, with its guess where the path says it."""
        state = self.state(path, limit)
        if self.space.finished(state):
            return []
        return [(state, path[-1] if len(path) % 2 else self._settled(state))]

    def _below(self, state: Any, guess: int) -> list[tuple[Any, int | None]]:
        """Return the states after a guess, the last first, each with its guess where that is no question."""
        children = [child for child in self.space.children(state, guess) if not self.space.finished(child)]
        return [(child, self._settled(child)) for child in reversed(children)]

    def _settled(self, state: Any) -> int | None:
        """Return the guess that wins where one secret is left; None: it must be said."""
        return self.space.last_guess(state) if len(state.candidates) == 1 else None


def pairs_of(path: Steps) -> list[tuple[int, int]]:
    """Return the guesses of a path that have a response, each with it."""
    return list(zip(path[::2], path[1::2], strict=False))


def packed_number(number: int) -> bytes:
    """Return a number from 0 as bytes of seven bits, the lowest first; the highest bit says: more follow."""
    found = bytearray()
    while number > 0x7F:
        found.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*found, number])


def unpacked_number(data: bytes, at: int) -> tuple[int, int]:
    """Return the number that begins at a byte, and where the next begins; beyond the end where it is cut."""
    number = shift = 0
    while at < len(data):
        byte, at = data[at], at + 1
        number |= (byte & 0x7F) << shift
        if byte < 0x80:
            return number, at
        shift += 7
    return number, len(data) + 1
