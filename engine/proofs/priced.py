"""Write the proof of what a game takes in which questions cost: see verify/PRICED.md for the format."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from guesstree.cext import priced_claims as kernel

from ..errors import GuesstreeError
from ..problem import Problem
from ..search.deadline import TimeUp
from ..search.priced import UNBOUNDED, Priced, PricedState
from ..search.space import Resources
from ..state import Ints, everything
from .items import body_of, lemmas_in
from .labels import COST, WEIGHT, response_names, table_labels
from .writer import ProofError

INFINITE: int = kernel.INFINITE
MOST_SUM = 10**17
"""The checker takes weights times what may be paid up to so much."""
Goal = int | tuple[int, ...] | None
"""So much in all; or (lost,), or (lost, paid by the others); or None: more than the limit for some secret."""

Claimed = tuple[Ints, int, int]
"""Candidates, what is left, and at least what they cost."""


class Kept(Protocol):
    """Lemmas that were proved before: their bodies, by the guesses and secrets that lead to a set."""

    def find(self, path: str, depth: int, bound: int) -> str | None:
        """Return the body of a lemma, or None."""

    def keep(self, path: str, depth: int, bound: int, body: str) -> None:
        """Keep a lemma."""


@dataclass(frozen=True)
class PricedProof:
    """The body of a certificate, what it proves of the whole game, and its number of lemmas."""

    bound: Goal
    body: str
    lemmas: int


class PricedWriter:
    """Writes proofs for one game with weights and costs.

    Parameters
    ----------
    room: see `search.space.Resources`.
    ledger: where to look for what was proved before, and to keep what is.
    searchers: of a solve of the same problem, by `Priced.mode`; what they remember is not searched again.

    Raises GuesstreeError for what certificates do not cover.
    """

    def __init__(
        self,
        problem: Problem,
        room: Resources,
        ledger: Kept | None = None,
        searchers: Mapping[Any, Any] | None = None,
    ) -> None:
        for refused, what in (
            (problem.limited is not None and problem.game.costs is not None, "a limit of guesses"),
            (problem.candidates_only, "candidates only"),
            (problem.rules is not None, "rules that depend on the history"),
        ):
            if refused:
                raise GuesstreeError(
                    f"{problem.game.spec}: certificates do not cover {what} where questions cost or secrets "
                    "weigh; leave that out"
                )
        self.problem, self.room, self.ledger = problem, room, ledger
        most = max(int(problem.costs.max()), 1)
        self.require_small(int(problem.weights.sum()) * most * problem.secrets)
        self.kind, self.searchers, self.stopped = Priced(problem), dict(searchers or {}), False
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

    def require_small(self, most: int) -> None:
        """Raise GuesstreeError for sums that the checker does not take."""
        if most > MOST_SUM:
            raise GuesstreeError(
                f"{self.problem.game.spec}: costs and weights that add up to {most}; certificates are "
                f"checked up to {MOST_SUM} (divide them by a common factor)"
            )

    def stop(self) -> None:
        """End `root` or `items`, which run in another thread."""
        self.stopped = True
        for searcher in list(self.searchers.values()):
            searcher.stop()

    # -- the whole game --------------------------------------------------------------------------------

    def root(self, limit: int | None, bound: Goal) -> PricedProof:
        """Return the proof that no strategy takes less within the limit of what a secret pays.

        When stopped, it is that of the best bound that is proved by then. Raises ProofError for a bound that
        is false.
        """
        target = self.begin(limit, bound)
        items: list[str] = []
        try:
            self.prove(self.everyone, self.left, target, self.asked(), "", items)
        except TimeUp:
            self.back_to(self.whole)
            every = self.asked() or self.useful()
            target = min(self.shown.ask(self.everyone, self.left, g, target)[0] for g in every)
        return self.assemble(limit, bound, items, target)

    def first_guesses(self, limit: int | None, bound: Goal) -> list[int]:
        """Return the first guesses that need lemmas; -1: that which asks what is free."""
        target = self.begin(limit, bound)
        return self.asked() or self.shown.weak(self.everyone, self.left, target)

    def items(self, guess: int, limit: int | None, bound: Goal) -> str:
        """Return lemmas enough for one first guess; they need no others. Raises TimeUp, ProofError."""
        target = self.begin(limit, bound)
        items: list[str] = []
        self.prove(self.everyone, self.left, target, [guess], "", items)
        return "\n".join(items)

    def assemble(
        self,
        limit: int | None,  # noqa: ARG002 - as of other writers
        bound: Goal,
        items: Sequence[str],
        target: int | None = None,
    ) -> PricedProof:
        """Return the proof from the lemmas of first guesses."""
        body = body_of([item for item in items if item])
        return PricedProof(bound if target is None else self.goal(bound, target), body, lemmas_in(body))

    def asked(self) -> list[int] | None:
        """Return the only first guess that has to be shown, if one is fixed, or some are free (-1)."""
        if self.problem.first is not None:
            return [self.problem.first]
        parts = self.shown.ask(self.everyone, self.left, -1, 0)[1]
        return None if [len(part[0]) for part in parts] == [len(self.everyone)] else [-1]

    def begin(self, limit: int | None, bound: Goal) -> int:
        """Say what counts, and return the bound as one number.

        Where each guess costs 1, a limit of guesses is one of what is paid.
        """
        most = self.problem.limited
        if most is not None and (limit is None or limit > most):
            raise GuesstreeError(
                f"a limit of {limit}; expected at most {most}, the guesses that may be asked"
            )
        part, penalty, rate = "total", INFINITE, 1
        left = self.left = UNBOUNDED if limit is None else limit
        if bound is None:
            part = "lost"
        elif isinstance(bound, tuple):
            if limit is None:
                raise GuesstreeError("what is lost is asked within a budget; expected one")
            self.require_small(self.kind.weight * (self.kind.weight * limit + 1))
            part = "lost" if len(bound) == 1 else "won"
            penalty, rate = (1, 0) if len(bound) == 1 else (self.kind.weight * limit + 1 - limit, 1)
        self.query = self.kind.query(part, left)
        mode = self.kind.mode(self.query)
        if mode not in self.searchers:
            self.searchers[mode] = self.kind.searcher(self.query, self.room)
        self.searcher, self.everyone = self.searchers[mode], everything(self.problem.secrets)
        self.decides, self.scale = bound is None, self.kind.scale(self.query)
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

    def useful(self) -> list[int]:
        """Return the guesses that tell something."""
        table = self.problem.table
        return [int(g) for g in np.flatnonzero((table != table[:, :1]).any(axis=1))]

    # -- claims ----------------------------------------------------------------------------------------

    def value(self, candidates: Ints, left: int, beta: int) -> int:
        """Return what a set costs if that is below beta, else at least beta."""
        over = INFINITE
        if self.query.part == "total" and left >= 0:
            over = self.scale - self.query.left + left  # at least what one costs that pays too much
        state = PricedState(candidates, self.kind.most, left, None)
        found = self.kind.search(self.searcher, state, 1 if self.decides else min(beta, over), 0)
        if self.stopped or found.ended:
            raise TimeUp
        if self.decides:
            return INFINITE if found.lower else 0
        return INFINITE if found.lower >= over else found.lower

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
        ledger = self.ledger if path.count(" ") == 1 else None
        text, before = None, len(self.claims)
        if ledger is not None:
            self.shown.forget()
            text = ledger.find(path, left, bound)
        if text is None:
            items: list[str] = []
            self.prove(candidates, left, bound, None, path, items)
            text = body_of(items)
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
            raise ProofError(f"{self.problem.game.spec}: the bound is false: {name} costs less")
        found = []
        for gain, (candidates, left, known) in sorted(raised, key=lambda item: item[0]):
            spare = min(-missing, gain)
            missing += spare
            if gain > spare:
                found.append((candidates, left, known + gain - spare))
        return found


def cost_text(bound: Goal) -> str:
    """Return the bound of the whole as a certificate has it."""
    if isinstance(bound, tuple):
        return ":".join(["lost", *map(str, bound)])
    return "inf" if bound is None else str(bound)


def priced_table(problem: Problem) -> bytes:
    """Return a game as a CSV file: weights are a row, costs columns.

    A guess costs what its column ``cost`` says, but for the responses that have a column ``cost:RESPONSE``.
    """
    game, costs, names = problem.game, problem.costs, response_names(problem)
    met = [np.bincount(row, minlength=problem.responses) > 0 for row in problem.table]
    usual = []
    for row, found in zip(costs.tolist(), met, strict=True):
        many = Counter(cost for cost, some in zip(row, found, strict=True) if some)
        usual.append(min(many, key=lambda cost: (-many[cost], cost)))
    other = np.array(met) & (costs != np.array(usual)[:, None])
    special = [r for r in range(problem.responses) if other[:, r].any()]
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    guesses, secrets = table_labels(game)
    writer.writerow(["", *secrets, COST, *(f"{COST}:{names[r]}" for r in special)])
    for g, answers in enumerate(problem.table.tolist()):
        more = [costs[g, r] if other[g, r] else "" for r in special]
        writer.writerow([guesses[g], *(names[r] for r in answers), usual[g], *more])
    if game.weights is not None:
        writer.writerow([WEIGHT, *problem.weights.tolist(), "", *[""] * len(special)])
    return file.getvalue().encode()
