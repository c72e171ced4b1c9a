"""Write the proof of what a game takes in which questions cost: see verify/PRICED.md for the format."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import Protocol

import numpy as np

from guesstree.cext import priced_claims as kernel

from ..errors import GuesstreeError
from ..problem import Problem
from ..search.kind import Room
from ..search.priced import UNBOUNDED, Priced, PricedState
from ..state import Ints, everything

INFINITE: int = kernel.INFINITE
Goal = int | tuple[int, ...] | None
"""So much in all; or (lost,), or (lost, paid by the others); or None: more than the limit for some secret."""


class Kept(Protocol):
    """Where bodies of claims are kept: each by its path, what is left, and its bound."""

    def find(self, path: str, depth: int, bound: int) -> str | None:
        """Return the body that proves a claim, or None."""

    def keep(self, path: str, depth: int, bound: int, body: str) -> None:
        """Keep the body that proves a claim."""


@dataclass(frozen=True)
class Proof:
    """The body of a certificate, the bound that it proves, and how many lemmas it has."""

    bound: Goal
    body: str
    lemmas: int


Claimed = tuple[Ints, int, int]
"""Candidates, what is left, and at least what they cost."""


class StoppedError(Exception):
    """The writer was told to stop."""


class PricedWriter:
    """Writes proofs for one game with weights and costs.

    Parameters
    ----------
    room: see `search.kind.Room`.
    ledger: where to look for what was proved before, and to keep what is.
    stop: says when to stop.

    Raises GuesstreeError for what certificates do not cover.
    """

    def __init__(
        self,
        problem: Problem,
        room: Room,
        ledger: Kept | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> None:
        for refused, what in (
            (problem.limited is not None, "a limit of guesses"),
            (problem.candidates_only, "candidates only"),
            (problem.rules is not None, "rules that depend on the history"),
        ):
            if refused:
                raise GuesstreeError(
                    f"{problem.game.spec}: certificates do not cover {what} where questions cost or secrets "
                    "weigh; leave that out"
                )
        self.problem, self.room, self.ledger, self.stop = problem, room, ledger, stop
        self.kind = Priced(problem)
        least = self.kind.least
        self.shown = kernel.Shown(
            problem.table,
            problem.responses,
            problem.winning,
            problem.weights,
            problem.costs,
            least.pay,
            least.end,
            least.unit,
            least.payer,
        )

    def root(self, limit: int | None, bound: Goal) -> Proof:
        """Return the proof that no strategy takes less within the limit of what a secret pays.

        Where the writer is stopped, it is that of the best bound so far. Raises GuesstreeError for a bound
        that is false.
        """
        target = self.begin(limit, bound)
        everyone = everything(self.problem.secrets)
        left = UNBOUNDED if limit is None else limit
        guesses = None if self.problem.first is None else [self.problem.first]
        if guesses is None and [len(part[0]) for part in self.shown.ask(everyone, left, -1, 0)[1]] != [
            len(everyone)
        ]:
            guesses = [-1]  # something is free: it is asked first
        items: list[str] = []
        try:
            self.prove(everyone, left, target, guesses, "", items)
        except StoppedError:
            self.back_to(self.whole)
            every = self.useful(everyone) if guesses is None else guesses
            target = min(self.shown.ask(everyone, left, g, target)[0] for g in every)
        return Proof(self.goal(bound, target), text_of(items), len(self.claims))

    def begin(self, limit: int | None, bound: Goal) -> int:
        """Say what counts, and return the bound as one number."""
        part, penalty, rate = "total", INFINITE, 1
        left = UNBOUNDED if limit is None else limit
        if bound is None:
            part = "lost"
        elif isinstance(bound, tuple):
            if limit is None:
                raise GuesstreeError("what is lost is asked within a budget; expected one")
            part = "lost" if len(bound) == 1 else "won"
            penalty, rate = (1, 0) if len(bound) == 1 else (self.kind.weight * limit + 1 - limit, 1)
        self.question = self.kind.question(part, left)
        self.searcher = self.kind.searcher(self.question, self.room)
        self.decides, self.scale = bound is None, self.kind.scale(self.question)
        self.claims, self.whole = list[Claimed](), 0
        self.shown.counts(penalty, rate)
        if isinstance(bound, tuple):
            return bound[0] if len(bound) == 1 else bound[0] * self.scale + bound[1]
        return INFINITE if bound is None else bound

    def goal(self, asked: Goal, target: int) -> Goal:
        """Return a bound in the form that was asked for; of all within the limit, None or 0."""
        if isinstance(asked, tuple):
            return (target,) if len(asked) == 1 else divmod(target, self.scale)
        return None if target >= INFINITE else 0 if asked is None else target

    def useful(self, candidates: Ints) -> list[int]:
        """Return the guesses that tell something."""
        rows = self.problem.table[:, candidates]
        return [int(g) for g in np.flatnonzero((rows != rows[:, :1]).any(axis=1))]

    def value(self, candidates: Ints, left: int, beta: int) -> int:
        """Return what a set costs if that is below beta, else at least beta."""
        state = PricedState(candidates, self.kind.most, left, None)
        if self.decides:
            return INFINITE if self.kind.search(self.searcher, state, 1, 0).lower else 0
        if self.question.part == "total" and left >= 0:
            over = self.scale - self.question.left + left  # at least what one costs that pays too much
            found = self.kind.search(self.searcher, state, min(beta, over), 0).lower
            return INFINITE if found >= over else found
        return self.kind.search(self.searcher, state, beta, 0).lower

    def prove(
        self, candidates: Ints, left: int, bound: int, guesses: list[int] | None, path: str, items: list[str]
    ) -> None:
        """Add to the items of a claim what a checker cannot find by itself of these guesses, or of all."""
        for guess in self.shown.weak(candidates, left, bound) if guesses is None else guesses:
            shown, parts = self.shown.ask(candidates, left, guess, bound)
            if shown >= bound:
                continue
            for part, rest, demanded in self.demands(guess, parts, bound, shown):
                named = f"{'-' if guess < 0 else guess + 1} {part[0] + 1}"
                body = self.body(part, rest, demanded, f"{path} {named}".strip())
                items.append(f"{named} {'inf' if demanded >= INFINITE else demanded} {body}")
                if not path:
                    self.whole = len(self.claims)

    def body(self, candidates: Ints, left: int, bound: int, path: str) -> str:
        """Return the body of a lemma, and remember it.

        What is kept in a ledger stands by itself: it uses no lemma from elsewhere.
        """
        if self.stop is not None and self.stop():
            raise StoppedError
        ledger = self.ledger if path.count(" ") == 1 else None
        text, before = None, len(self.claims)
        if ledger is not None:
            self.shown.forget()
            text = ledger.find(path, left, bound)
        if text is None:
            items: list[str] = []
            self.prove(candidates, left, bound, None, path, items)
            text = text_of(items)
            if ledger is not None:
                ledger.keep(path, left, bound, text)
        self.claims.append((candidates, left, bound))
        if ledger is None:
            self.shown.remember(*self.claims[-1])
        else:
            self.claims[before:] = self.claims[-1:]
            self.back_to(len(self.claims))
        return text

    def back_to(self, count: int) -> None:
        """Know only the first so many claims."""
        del self.claims[count:]
        self.shown.forget()
        for claim in self.claims:
            self.shown.remember(*claim)

    def demands(self, guess: int, parts: list[Claimed], bound: int, shown: int) -> list[Claimed]:
        """Return parts with what they have to cost so that the guess costs the bound, as few as is easy."""
        missing, raised = bound - shown, list[tuple[int, Claimed]]()
        for candidates, left, known in sorted(parts, key=lambda part: -len(part[0])):
            most = INFINITE if bound >= INFINITE else known + missing
            value = min(self.value(candidates, left, most), most)
            if bound >= INFINITE and value >= INFINITE:
                return [(candidates, left, INFINITE)]
            if value > known:
                raised.append((value - known, (candidates, left, known)))
                missing -= value - known
            if missing <= 0:
                break
        else:
            name = "all" if guess < 0 else repr(self.problem.game.guesses[guess])
            raise GuesstreeError(f"{self.problem.game.spec}: the bound is false: {name} costs less")
        found = []
        for gain, (candidates, left, known) in sorted(raised, key=lambda item: item[0]):
            spare = min(-missing, gain)
            missing += spare
            if gain > spare:
                found.append((candidates, left, known + gain - spare))
        return found

    def file(self) -> bytes:
        """Return the game as the table that a certificate names."""
        return table_file(self.problem)

    def text(self, limit: int | None, proof: Proof) -> tuple[str, str]:
        """Return a certificate, and the name of the file of the game beside it."""
        digest = sha256(self.file()).hexdigest()
        first = "-" if self.problem.first is None else self.problem.first + 1
        within, cost = "-" if limit is None else limit, cost_text(proof.bound)
        head = f"guesstree-proof/1 priced {digest} {digest}.csv {self.problem.goal} {first} {within} {cost}"
        return f"{head} {proof.body}\n", f"{digest}.csv"


def text_of(items: list[str]) -> str:
    """Return items as a body."""
    return "(\n" + "\n".join(items) + " )" if items else "."


def cost_text(bound: Goal) -> str:
    """Return the bound of the whole as a certificate has it."""
    if isinstance(bound, tuple):
        return ":".join(["lost", *map(str, bound)])
    return "inf" if bound is None else str(bound)


def table_file(problem: Problem) -> bytes:
    """Return a game as a CSV file: weights are a row, costs columns; the first cell is what wins.

    A guess costs what its column ``cost`` says, but for the responses that have a column ``cost:RESPONSE``.
    """
    game, costs = problem.game, problem.costs
    met = [np.bincount(row, minlength=problem.responses) > 0 for row in problem.table]
    usual = []
    for row, found in zip(costs.tolist(), met, strict=True):
        many = Counter(cost for cost, some in zip(row, found, strict=True) if some)
        usual.append(min(many, key=lambda cost: (-many[cost], cost)))
    other = np.array(met) & (costs != np.array(usual)[:, None])
    special = [r for r in range(problem.responses) if other[:, r].any()]
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    corner = game.responses[problem.winning] if problem.winning >= 0 else ""
    writer.writerow(
        [corner, *map(plain, game.secrets), "cost", *(f"cost:{game.responses[r]}" for r in special)]
    )
    for g, answers in enumerate(problem.table.tolist()):
        more = [costs[g, r] if other[g, r] else "" for r in special]
        writer.writerow([plain(game.guesses[g]), *(game.responses[r] for r in answers), usual[g], *more])
    if game.weights is not None:
        writer.writerow(["weight", *problem.weights.tolist(), "", *[""] * len(special)])
    return file.getvalue().encode()


def plain(label: str) -> str:
    """Return a label that means nothing else in the table of a certificate."""
    return f"{label} " if label in ("cost", "weight") or label.startswith("cost:") else label
