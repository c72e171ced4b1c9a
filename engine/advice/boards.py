"""Several boards in the middle of a game: what each may hide, what a guess would tell, bounds of the rest.

The choices of secrets are never listed here. A guess is valued board by board, as if their secrets were drawn
apart: that they differ matters little while many are left. Bounds and what is called sure allow for it.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import inf, prod

import numpy as np
from numpy.typing import NDArray

from ..boards import BoardsGame
from ..errors import Contradiction, GuesstreeError, Infeasible, SpaceError, shown
from ..notation import plural
from ..objective import EXPECTED
from ..onestep.greedy import OneStep
from ..onestep.ranking import Method
from ..problem import Problem
from ..rules import turns_in
from ..search.solve import solve
from ..state import Ints, everything
from ..subgame import Rest
from .turns import guess_typed

MOST_PROVED = 2000
"""Choices of the secrets from which on it is not looked for what is proven."""
MOST_PLAYED = 1 << 26
"""Responses of guesses to the secrets of boards from which on no strategy is played out for a bound."""
MOST_TRIED, MOST_PROBES, MOST_PART = 1 << 21, 8, 200
"""Responses of the guesses that are tried as the next one to be asked whatever is answered, how many of these
are asked at most, and candidates of a part in which the best of them is looked for."""
MOST_MISSES_VALUED = 1e-9
"""A guess that misses no more often than that is a hit."""
BETWEEN_BOARDS = "|/"
"""Signs that part what is typed for one board from what is typed for the next."""
Turn = tuple[int, tuple[int | None, ...]]
"""A guess and its response on each board; None: the board was solved before."""


@dataclass(frozen=True)
class OneBoard:
    """What is known of one board.

    Attributes
    ----------
    candidates: the secrets that it may have, ascending.
    solved: the number of the guess that solved it, from 1; 0: none did yet.
    """

    candidates: Ints
    solved: int = 0


@dataclass(frozen=True)
class BoardsValued:
    """A guess, and what it would tell of all boards that are not solved.

    Attributes
    ----------
    bits: the sum of the entropies of its parts.
    hits: how many boards it solves on average, 1 at most.
    parts: into how many parts it divides the candidates of each of these boards.
    """

    guess: int
    label: str
    bits: float
    hits: float
    parts: tuple[int, ...]

    @property
    def sure(self) -> bool:
        """Whether it solves a board for certain."""
        return self.hits >= 1 - MOST_MISSES_VALUED


@dataclass(frozen=True)
class Bounds:
    """How many more guesses all boards take with the best strategy: at least, and at most; on average."""

    lower: Fraction
    upper: Fraction | None


class BoardsPosition:
    """Several boards after some guesses.

    Parameters
    ----------
    game: boards, listed or not.
    history: turns, or a text such as ``crane:--+=-|-----``, see `read_turns`.

    Raises Contradiction where no secrets, all different, fit.
    """

    def __init__(self, game: BoardsGame, history: str | Sequence[Turn] = ()) -> None:
        self.game, self.problem = game, game.problem
        self.history: tuple[Turn, ...] = ()
        self.boards = tuple(OneBoard(some) for some in game.sets)
        for turn in self.read_turns(history) if isinstance(history, str) else history:
            self._take(*turn)

    def __repr__(self) -> str:
        left = ", ".join(str(len(board.candidates)) for board in self.boards)
        return f"BoardsPosition({self.game.spec}, {plural(len(self.history), 'guess')}, {left} candidates)"

    @property
    def unsolved(self) -> list[int]:
        """The boards that are not solved, from 0."""
        return [i for i, board in enumerate(self.boards) if not board.solved]

    @property
    def finished(self) -> bool:
        """Whether all boards are solved."""
        return not self.unsolved

    @property
    def lost(self) -> bool:
        """Whether all guesses that the game has are used."""
        return self.game.tries is not None and len(self.history) >= self.game.tries and not self.finished

    def after(self, guess: int, responses: Sequence[int | None]) -> BoardsPosition:
        """Return the position after one more turn; raise as the constructor."""
        position = object.__new__(BoardsPosition)
        position.game, position.problem = self.game, self.problem
        position.history, position.boards = self.history, self.boards
        position._take(guess, responses)
        return position

    def _take(self, guess: int, responses: Sequence[int | None]) -> None:
        number, winning = len(self.history) + 1, self.problem.winning
        if len(responses) != len(self.boards):
            many = len(self.boards)
            raise GuesstreeError(f"{len(responses)} responses; expected one for each of {many} boards")
        kept: list[OneBoard] = []
        for at, (board, given) in enumerate(zip(self.boards, responses, strict=True), 1):
            if board.solved:
                kept.append(board)
                continue
            if given is None:
                raise GuesstreeError(f"no response of board {at}, which is not solved; expected one")
            left = board.candidates[self.problem.row(guess, board.candidates) == given]
            kept.append(OneBoard(left, number if given == winning and len(left) else 0))
        told = tuple(None if old.solved else given for old, given in zip(self.boards, responses, strict=True))
        empty = next((at for at, board in enumerate(kept, 1) if not len(board.candidates)), 0)
        twice = sum(given == winning for given in told) > 1
        kept = [] if empty or twice else _apart(kept)
        few = Counter(board.candidates.tobytes() for board in kept)
        if not kept or any(many * 4 > len(some) for some, many in few.items()):  # int32
            label = self.game.guesses[guess]
            why = "no secrets fit that differ from board to board"
            why = f"no secret of board {empty} fits" if empty else why
            what = self.game.board.look.named(f"{why} after the responses to {label!r}")
            raise Contradiction(what, number)
        self.boards, self.history = tuple(kept), (*self.history, (guess, told))

    # -- what is typed -------------------------------------------------------------------------------------

    def read_guess(self, text: str, listed: Sequence[int] = ()) -> int:
        """Return the guess that was typed; raise GuesstreeError for none, or one that was asked before."""
        guess = guess_typed(self.game.board, text, list(listed))
        if guess in (asked for asked, _ in self.history):
            raise GuesstreeError(f"{self.game.guesses[guess]!r} was asked already")
        return guess

    def read_responses(self, text: str, guess: int, boards: Sequence[int]) -> list[int]:
        """Return the responses typed for the first of some boards, parted by blanks, or by | or /.

        Raises GuesstreeError for one that is none, for too many of them, and where nothing was typed.
        """
        signs = [sign for sign in BETWEEN_BOARDS if sign in text]
        parts = text.split(signs[0]) if signs else [text] if len(boards) == 1 else text.split()
        look = self.game.board.look
        if not text.strip() or len(parts) > len(boards):
            which = ", ".join(str(board + 1) for board in boards)
            given = plural(len(parts), look.response) if text.strip() else f"no {look.response}"
            raise GuesstreeError(f"{given}; expected one for each board that is not solved: {which}")
        found = []
        for board, part in zip(boards, parts, strict=False):
            try:
                fit = self.boards[board].candidates
                found.append(self.game.board.read_response(part.strip(), guess, fit))
            except GuesstreeError as error:
                raise GuesstreeError(f"board {board + 1}: {error}") from None
        return found

    def read_turns(self, text: str, decode: Callable[[str], str] = str) -> list[Turn]:
        """Return the turns of a text ``GUESS:RESPONSE|RESPONSE ...``; of a solved board it may be empty.

        `decode` is done with each guess and each response first.
        """
        position, turns = self, list[Turn]()
        for turn in turns_in(text):
            asked, _, said = turn.rpartition(":")
            guess = position.read_guess(decode(asked.strip()))
            sign = "|" if "|" in said else "/"
            parts = [decode(part.strip()) for part in said.split(sign)]
            if len(parts) != len(position.boards):
                many = f"{plural(len(parts), 'response')} in {shown(turn)}"
                raise GuesstreeError(f"{many}; expected one for each board, with | or / between them")
            told: list[int | None] = [None] * len(parts)
            for board in position.unsolved:
                told[board] = position.read_responses(parts[board] or " ", guess, [board])[0]
            position = position.after(guess, told)
            turns.append(position.history[-1])
        return turns

    def turn_text(self, turn: Turn, encode: Callable[[str], str] = str) -> str:
        """Return a turn as `read_turns` reads it, after `encode` of each part."""
        guess, given = turn
        said = ("" if r is None else encode(self.game.board.responses[r]) for r in given)
        return f"{encode(self.game.guesses[guess])}:{'|'.join(said)}"

    # -- what guesses tell ---------------------------------------------------------------------------------

    @cached_property
    def _sets(self) -> list[tuple[Ints, int]]:
        """The different sets of candidates of boards that are not solved, and how many boards have each."""
        found: dict[bytes, tuple[Ints, int]] = {}
        for board in self.unsolved:
            some = self.boards[board].candidates
            found[some.tobytes()] = (some, found.get(some.tobytes(), (some, 0))[1] + 1)
        return list(found.values())

    @cached_property
    def _figures(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Bits and hits of each guess."""
        guesses = everything(len(self.game.guesses))
        bits, hits = np.zeros(len(guesses)), np.zeros(len(guesses))
        for some, times in self._sets:
            hits[np.isin(self.problem.own, some)] += times / len(some)
            if len(some) > 1:
                logs = np.arange(len(some) + 1, dtype=np.float64)
                logs[1:] *= np.log2(logs[1:])
                sizes = self.problem.sizes(guesses, some)
                bits += times * (np.log2(len(some)) - logs[sizes].sum(axis=1) / len(some))
        return np.maximum(bits, 0), np.minimum(hits, 1)

    def best(self, most: int = 1) -> list[BoardsValued]:
        """Return the best guesses: those that solve a board for certain, then by bits for each miss.

        To ask what is certain costs no miss, now or later, and may tell something of other boards.
        """
        bits, hits = self._figures
        missed = 1 - hits
        missed[missed < MOST_MISSES_VALUED] = 0
        with np.errstate(divide="ignore", invalid="ignore"):
            worth = np.where(missed > 0, bits / missed, inf)
        asked = [guess for guess, _ in self.history]
        worth[asked] = -1
        order = np.lexsort((-hits, -bits, -worth))[:most]
        return [self.value(int(guess)) for guess in order if worth[guess] > 0]

    def value(self, guess: int) -> BoardsValued:
        """Return what a guess would tell."""
        bits, hits = self._figures
        parts = tuple(
            len(np.unique(self.problem.row(guess, self.boards[board].candidates))) for board in self.unsolved
        )
        label = self.game.guesses[guess]
        return BoardsValued(guess, label, float(bits[guess]), float(hits[guess]), parts)

    # -- what is proven ------------------------------------------------------------------------------------

    def proven(self, time_limit: float | None = None) -> tuple[int, Fraction] | None:
        """Return the guess of a proven strategy and how many more guesses it takes on average; None: unknown.

        It is looked for where few choices of the secrets are left, in so many seconds.
        """
        sets = [self.boards[board].candidates for board in self.unsolved]
        if not sets or prod(map(len, sets)) > MOST_PROVED:
            return None
        game = BoardsGame(self.game.spec, self.game.board, len(sets), sets)
        if not game.facts.listed:
            return None
        if len(game.secrets) == 1:
            return int(self.problem.winner[sets[0][0]]), Fraction(len(sets))
        try:
            found = solve(game, EXPECTED.name, time_limit=time_limit)
        except (Infeasible, SpaceError):
            return None
        if not found.optimal:
            return None
        more = Fraction(found.upper[0], len(game.secrets)) + len(sets)
        sure = [board for board in sets if len(board) == 1]  # no strategy is worse that asks it first
        if sure:
            return int(self.problem.winner[sure[0][0]]), more
        return found.choices[everything(len(game.secrets)).tobytes()], more

    @cached_property
    def bounds(self) -> Bounds:
        """At least and at most how many more guesses the best strategy takes on average.

        Let u boards be left with n_i candidates. Boards that got the same responses have the same candidates,
        others none in common. All choices of different secrets are equally likely, so on each board are all
        candidates. There are T = prod n_i - k_i choices, where k_i earlier boards have the same candidates as
        i. So none is more than r = prod n_i / T times as likely as if the secrets were drawn apart. (Where
        candidates overlap otherwise, k_i counts the boards with any in common, and T is at least so many.)

        *At least.* A strategy takes u guesses and its misses. Let g be the first guess: it hits with a chance
        of at most r sum [g may be the secret of i] / n_i. The second guess depends on the responses; of those
        of board i to g let there be c_i that do not win, of the other boards any. Drawn apart, the second
        guess hits i with a chance of at most 1 / n_i for each of the c_i, so in all with at most
        r sum c_i / n_i. If u > 1 a second guess is asked, else only after a first that missed. The least sum
        of both chances to miss, over all g, is added to u.

        *At most.* The boards are solved one after the other, each by a strategy of its own. Hits on other
        boards are no misses, and the same first guess on several boards is one miss at most. Or some guesses
        are asked first whatever is answered, each one miss at most. A secret of board i has a chance of
        1 / n_i. (At most r / n_i, where candidates overlap otherwise.)
        """
        u, choices, apart = len(self.unsolved), 1, 1
        if not u:
            return Bounds(Fraction(0), Fraction(0))
        earlier: list[Ints] = []
        for some, times in sorted(self._sets, key=lambda one: len(one[0])):
            met = sum(len(np.intersect1d(some, other)) > 0 for other in earlier)
            for _ in range(times):
                choices *= max(len(some) - met, 0)
                apart *= len(some)
                earlier.append(some)
                met += 1
        if not choices:
            return Bounds(Fraction(u), None)
        r = Fraction(apart, choices)
        likely = Fraction(1) if self._even else r
        found = [self._one_by_one(likely), u + self._probed_misses(likely)]
        return Bounds(u + self._least_missed(r), min(upper for upper in found if upper is not None))

    @property
    def _even(self) -> bool:
        """Whether two boards have the same candidates or none in common, so that all are equally likely."""
        together = np.concatenate([some for some, _ in self._sets])
        return len(np.unique(together)) == len(together)

    def _least_missed(self, r: Fraction) -> Fraction:
        """Return at least how many misses there are on average, see `bounds`."""
        u = len(self.unsolved)
        guesses = everything(len(self.game.guesses))
        first, second = np.zeros(len(guesses)), np.zeros(len(guesses))
        for some, times in self._sets:
            named = np.isin(self.problem.own, some)
            first += named * (times / len(some))
            parts = (self.problem.sizes(guesses, some) > 0).sum(axis=1) - named
            second += parts * (times / len(some))
        first, second = np.minimum(first * float(r), 1), second * float(r)
        missed = (1 - first) + np.maximum((1 - first if u == 1 else 1) - second, 0)
        # Doubles err by far less than this.
        return Fraction(max(float(missed.min()) - 1e-9, 0)) if u else Fraction(0)

    def _probed_misses(self, r: Fraction) -> Fraction:
        """Return how often a strategy misses on average at most that asks some guesses first, see `bounds`.

        Then it solves board by board, and asks candidates alone.
        """
        parts = [[some] for some, _ in self._sets]
        found = [self._candidates_missed(parts, r)]
        order = np.argsort(-self._figures[0], kind="stable")
        many = min(MOST_TRIED // sum(len(some) for some, _ in self._sets), len(order))
        best, others = order[: many // 2], order[many // 2 :]  # the best, and others from all over the list
        tried = np.concatenate([best, others[:: max(len(others) // max(many // 2, 1), 1)]]).astype(np.int32)
        codes = [np.zeros(len(some), dtype=np.int64) for some, _ in self._sets]
        tables = [self.problem.block(tried, some).astype(np.int64) for some, _ in self._sets]
        for asked in range(1, MOST_PROBES + 1):
            if found[-1] <= asked - 1:
                break
            worth = np.zeros(len(tried))
            for code, table, (_, times) in zip(codes, tables, self._sets, strict=True):
                worth += times * _bits(code * self.problem.responses + table)
            chosen = int(worth.argmax())
            for at, (some, _) in enumerate(self._sets):
                code = codes[at] * self.problem.responses + tables[at][chosen]
                codes[at] = np.unique(code, return_inverse=True)[1].ravel()
                parts[at] = [some[codes[at] == part] for part in range(int(codes[at].max()) + 1)]
            found.append(asked + self._candidates_missed(parts, r))
        return min(found)

    def _candidates_missed(self, parts: Sequence[Sequence[Ints]], r: Fraction) -> Fraction:
        """Return how often boards are missed in all, on average, by guesses that are candidates alone.

        `parts`: those that the candidates of each set are in.
        """
        total = Fraction(0)
        for cells, (some, times) in zip(parts, self._sets, strict=True):
            missed = sum(self._missed_in(cell) for cell in cells)
            total += times * r * Fraction(missed, len(some))
        return total

    def _missed_in(self, cell: Ints) -> int:
        """Return how often all candidates of a part together are missed, asking one after the other."""
        if len(cell) < 3:
            return len(cell) - 1
        if len(cell) > MOST_PART:
            return len(cell) * (len(cell) - 1) // 2
        asked = self.problem.winner[cell]
        table = self.problem.block(asked, cell)
        best = int(np.argmax([len(np.unique(row)) for row in table]))
        rest = (cell[table[best] == response] for response in np.unique(table[best]))
        below = sum(self._missed_in(part) for part in rest if len(part) > 1)
        return len(cell) - 1 + below

    def _one_by_one(self, r: Fraction) -> Fraction | None:
        """Return how many guesses a strategy takes on average that solves board by board, see `bounds`."""
        sets = self._sets
        if sum(len(some) for some, _ in sets) * len(self.game.guesses) > MOST_PLAYED:
            return None
        u = len(self.unsolved)
        one, total, firsts = Fraction(1), Fraction(u), dict[int, Fraction]()
        for some, times in sets:
            if len(some) == 1:
                continue
            rest = Rest(self.game.board, some, everything(len(self.game.guesses)))
            found = OneStep(Problem(rest, EXPECTED), Method("entropy")).play_out()
            if found is None:
                return None
            first = found.choices[everything(len(some)).tobytes()]
            missed = len(some) - int(self.problem.own[first] in some)
            later = Fraction(found.total - len(some) - missed, len(some))
            total += times * min(r * later, Fraction(max(found.worst - 2, 0)))
            likely = min(r * Fraction(missed, len(some)), one)
            firsts[first] = firsts.get(first, Fraction(0)) + times * likely
        return total + sum((min(missed, one) for missed in firsts.values()), Fraction(0))


def _bits(codes: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return for each row the entropy of its numbers in bits, times how many there are."""
    ordered, (rows, many) = np.sort(codes, axis=1), codes.shape
    starts = np.ones((rows, many), dtype=bool)
    starts[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    at = np.flatnonzero(starts.ravel())
    sizes = np.diff(np.append(at, rows * many))
    lost = np.bincount(at // many, weights=sizes * np.log2(sizes), minlength=rows)
    return np.asarray(many * np.log2(many) - lost)


def _apart(boards: list[OneBoard]) -> list[OneBoard]:
    """Return boards without the candidates that are known to be the secret of another one."""
    found, done = list(boards), set[int]()
    while True:
        known = [i for i, board in enumerate(found) if len(board.candidates) == 1 and i not in done]
        if not known:
            return found
        done.add(known[0])
        secret = found[known[0]].candidates[0]
        for i, board in enumerate(found):
            if i != known[0] and secret in board.candidates:
                found[i] = OneBoard(board.candidates[board.candidates != secret], board.solved)


def draw(game: BoardsGame, dice: random.Random) -> tuple[int, ...]:
    """Return secrets for all boards, drawn without repeating one."""
    return tuple(dice.sample(range(game.problem.secrets), game.boards))


def answers(
    game: BoardsGame, position: BoardsPosition, secrets: Sequence[int], guess: int
) -> list[int | None]:
    """Return what a guess gets on each board; None: it is solved."""
    left = position.unsolved
    return [game.board.respond(guess, s) if i in left else None for i, s in enumerate(secrets)]


def played(game: BoardsGame, secrets: Sequence[int], start: BoardsPosition | None = None) -> BoardsPosition:
    """Return how a game ends in which the best guess by bits for each miss is asked each time."""
    position = BoardsPosition(game) if start is None else start
    while not position.finished:
        guess = position.best()[0].guess
        position = position.after(guess, answers(game, position, secrets, guess))
    return position
