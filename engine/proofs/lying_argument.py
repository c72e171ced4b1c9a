"""A certificate of a game with lies as an argument: why each guess leaves too much for those that follow.

As `argument`, of the lemmas of verify/LIES.md: which guesses the volume excludes (F3), which a look one step
ahead does (F5), and which rest on lemmas (F4).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from ..claims import checker_of
from ..errors import GuesstreeError
from ..problem import Problem
from ..search.lying import LieState
from ..search.space import Resources
from ..state import Ints, everything
from .alike import Alike
from .items import ProofItem, inside, items_of
from .lying import LyingWriter
from .nested import proved_before, read_nested
from .statement import certificate_names

MOST_SHOWN = 12
"""Guesses of a claim that are shown."""
Path = tuple[tuple[int, int], ...]
"""Guesses, each with the response of the game to it."""


@dataclass(eq=False)
class LyingLemma:
    """What is left after some guesses and responses cannot be settled by so many guesses more.

    Attributes
    ----------
    number: its place, such as ``2.1``; empty: the claim of the whole.
    state: the secrets that are left, with the lies that may still be told of each, and the guesses left.
    renamings: the words of those that keep it.
    inside: lemmas of its own proof.
    """

    number: str
    state: LieState
    path: Path = ()
    renamings: list[tuple[str, ...]] = field(default_factory=list)
    inside: list[LyingLemma] = field(default_factory=list)


@dataclass(frozen=True)
class LyingGuess:
    """A guess, and a response to it that leaves too much.

    Attributes
    ----------
    equal: how many guesses are like it, itself included.
    volume, room: the volume that is left then, and what so many guesses settle at most.
    why: ``volume``, ``ahead``, or the number of a lemma.
    """

    guess: int
    equal: int
    response: int
    state: LieState
    volume: int
    room: int
    why: str


@dataclass(frozen=True)
class LyingAccount:
    """Why a claim is true, guess by guess.

    Attributes
    ----------
    volume, room: the volume of the set, and what its guesses settle at most.
    allowed: how many guesses may be asked.
    useless, large, ahead, proved: how many of these tell nothing; leave too large a volume; leave what a look
        one step ahead shows to be too much; or what a lemma does.
    guesses: one of each kind of the others than useless ones: first those that rest on lemmas.
    """

    volume: int
    room: int
    allowed: int
    useless: int
    large: int
    ahead: int
    proved: int
    guesses: list[LyingGuess]


class LyingArgument:
    """The claims of a certificate with lies, and why they are true.

    Parameters
    ----------
    problem: the game, goal and first guess of the certificate.
    lies, within: the responses that may be false, and the guesses that are not enough.
    body: its items.

    Attributes
    ----------
    root: the claim of the whole.
    lemmas: all lemmas, in the order of the certificate.
    branches: how many responses, but the one that wins, a guess gets at most.

    Raises GuesstreeError for a body that does not fit the game.
    """

    def __init__(self, problem: Problem, lies: int, within: int, body: str) -> None:
        self.problem, self.lies = problem, lies
        self.counting = LyingWriter(problem, lies, Resources(0, tabled=False, jobs=1))
        self.branches = self.counting.branches
        self.alike = Alike(problem, checker_of(problem))
        guesses, secrets = certificate_names(problem)
        self.guess_number = {name: i for i, name in enumerate(guesses)}
        self.secret_number = {name: i for i, name in enumerate(secrets)}
        start = LieState.start(problem.secrets, lies)
        self.root = LyingLemma("", LieState(start.candidates, start.left, within))
        self.lemmas: list[LyingLemma] = []
        self.proved: dict[bytes, list[LyingLemma]] = {}
        read_nested(items_of(inside(body), bounded=False), self.root, self._read)

    def _read(self, item: ProofItem, above: LyingLemma) -> LyingLemma:
        """Take an item that stands inside a claim; return the claim that it makes."""
        if item.words[0] == "=":
            above.renamings.append(item.words[1:])
            return above
        lemma = self._lemma(item.words, above)
        above.inside.append(lemma)
        self.lemmas.append(lemma)
        return lemma

    def _lemma(self, words: Sequence[str], above: LyingLemma) -> LyingLemma:
        guess, secret = self.guess_number.get(words[0], -1), self.secret_number.get(words[1], -1)
        at = np.flatnonzero(above.state.candidates == secret)
        if guess < 0 or not len(at):
            raise GuesstreeError(f"{' '.join(words)!r} is no lemma about what a response leaves")
        response = int(self.problem.row(guess, above.state.candidates)[at[0]])
        number = f"{above.number}.{len(above.inside) + 1}".removeprefix(".")
        path = (*above.path, (guess, self.problem.told(guess, response)))
        return LyingLemma(number, self.after(above.state, guess, response), path)

    def after(self, state: LieState, guess: int, response: int) -> LieState:
        """Return what is left after a response."""
        left = state.after(self.problem.row(guess, state.candidates), response, self.problem.winning)
        return LieState(left.candidates, left.left, state.depth - 1)

    def accounts(self, wanted: Sequence[LyingLemma]) -> Iterator[tuple[LyingLemma, LyingAccount]]:
        """Yield some claims with why they are true, in the order in which they rest on each other."""
        some = {id(lemma) for lemma in wanted}
        for lemma in proved_before(self.root):
            if id(lemma) in some:
                yield lemma, self.account(lemma)
            self.proved.setdefault(lemma.state.key, []).append(lemma)
        yield self.root, self.account(self.root)

    def room(self, state: LieState) -> int:
        """Return at most the volume that the guesses left of a state settle."""
        return self.counting.most_volume(state.depth, int(state.left.max(initial=0)))

    def account(self, lemma: LyingLemma) -> LyingAccount:
        """Return why a claim is true, given all that is remembered."""
        state, counting = lemma.state, self.counting
        first = self.problem.first if lemma is self.root else None
        guesses = everything(len(self.problem.own)) if first is None else np.array([first], dtype=np.int32)
        volume, room = counting.volume_of(state), self.room(state)
        if counting.too_large(state):
            return LyingAccount(volume, room, len(guesses), 0, 0, 0, 0, [])
        _, tells = counting.largest(state, guesses.astype(np.int64))
        orbit = self.alike.orbits(state.candidates, lemma.renamings)
        named = [below.path[-1][0] for below in lemma.inside]
        kinds: dict[int, list[int]] = {}
        for guess in guesses[tells].tolist():
            kinds.setdefault(int(orbit[guess]), []).append(guess)
        shown, times = [], {"volume": 0, "ahead": 0, "lemma": 0}
        for same in kinds.values():
            tried = [*(guess for guess in same if guess in named), *same]
            found = next(filter(None, (self._shown(state, guess, len(same)) for guess in tried)), None)
            if found is None:
                raise GuesstreeError(
                    f"{self.problem.game.spec}: nothing shows that {self.problem.game.guesses[same[0]]!r} "
                    "leaves too much: the checker knows more than can be explained here"
                )
            shown.append(found)
            times[found.why if found.why in times else "lemma"] += len(same)
        order = {"volume": 2, "ahead": 1}
        shown.sort(key=lambda one: (order.get(one.why, 0), one.guess))
        useless = len(guesses) - int(tells.sum())
        return LyingAccount(
            volume,
            room,
            len(guesses),
            useless,
            times["volume"],
            times["ahead"],
            times["lemma"],
            shown,
        )

    def _shown(self, state: LieState, guess: int, equal: int) -> LyingGuess | None:
        """Return a response to a guess that leaves too much, and why; None: there is none."""
        rows, counting = self.problem.row(guess, state.candidates), self.counting
        responses = [r for r in np.unique(rows).tolist() if r != self.problem.winning]
        after = [(response, self.after(state, guess, response)) for response in responses]
        after.sort(key=lambda pair: -counting.volume_of(pair[1]))
        for why in (self._by_volume, self._by_look, self._by_lemma):
            for response, left in after:
                if reason := why(left):
                    told = self.problem.told(guess, response)
                    volume, room = counting.volume_of(left), self.room(left)
                    return LyingGuess(guess, equal, told, left, volume, room, reason)
        return None

    def _by_volume(self, state: LieState) -> str:
        return "volume" if self.counting.too_large(state) else ""

    def _by_lemma(self, state: LieState) -> str:
        proved = [one for one in self.proved.get(state.key, []) if one.state.depth >= state.depth]
        return proved[0].number if proved else ""

    def _by_look(self, state: LieState) -> str:
        return "ahead" if self.counting.ahead(state) else ""


def by_lies(state: LieState) -> list[tuple[int, Ints]]:
    """Return the lies that may still be told of secrets, the most first, with the secrets."""
    return [(left, state.candidates[state.left == left]) for left in np.unique(state.left)[::-1].tolist()]
