"""Prove what an optimum is: certificates of what was found, or of the best bound that the time allows.

What is proved depends on the objective. A least total is a total that every strategy costs at least; a least
worst case of d guesses is that none settles all secrets within d - 1. A pair is both: no strategy costs less
than the least total within d, and none needs fewer than d.
"""

from __future__ import annotations

from collections.abc import Callable, MutableMapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Protocol

from ..errors import GuesstreeError
from ..game import Game
from ..objective import OBJECTIVES
from ..problem import Problem
from ..search.deadline import Deadline, Progress, TimeUp
from ..search.session import Session
from ..search.solve import in_time, search_exactly, space_of
from ..search.space import Resources
from ..solution import Solved
from ..support import require
from .counted import CountedWriter
from .items import EMPTY
from .lying import LyingWriter
from .noisy import NoisyWriter
from .priced import LemmaStore, PricedWriter
from .statement import Goal, Statement, statement_of
from .writer import NOTHING, Proof, ProofError, Writer

PHASE = "proof"
LAST_SECONDS = 1.0
"""Seconds for the proof of what needs no search, when the time is up."""


@dataclass(frozen=True)
class Aim:
    """A claim about a whole game: what is to be proved.

    Attributes
    ----------
    within: the guesses allowed, or what a secret may pay; None: any number.
    bound: at least what every strategy costs; None: there is none.
    hope: what may be proved too, if there is time: a total that a strategy takes.
    """

    within: int | None
    bound: Goal
    hope: int = 0


@dataclass(frozen=True)
class Proven:
    """What is proved of a game: a statement with a proof."""

    statement: Statement
    proof: Proof

    @property
    def text(self) -> str:
        """The certificate."""
        return self.statement.text(self.proof.bound, self.proof.body)


def aims_of(solved: Solved, limit: int | None, budget: int | None) -> list[Aim]:
    """Return what is to be proved of an optimum, or of the bounds that a search has left."""
    (first, *second), (upper, *_) = solved.lower, solved.upper
    settled = second if first == upper else []
    if budget is not None:
        return [Aim(budget, (first, *settled))]
    if OBJECTIVES[solved.objective].figures[0] == "total":
        return [Aim(limit, first, upper), *(fewer(worst, first + 1) for worst in settled)]
    return [*(Aim(first, total) for total in settled), fewer(first)]


def fewer(worst: int, bound: int | None = None) -> Aim:
    """Return the claim that less than a worst case does not suffice, or not for less than a bound."""
    return Aim(worst - 1, bound) if worst else Aim(None, 0)


class ProofStore(Protocol):
    """A file that keeps what is proved so far: lemmas, and the optimum with its strategy."""

    @property
    def lemmas(self) -> LemmaStore:
        """Lemmas of games with costs."""

    def solution(self, game: Game) -> Solved | None:
        """Return the optimum that is kept, or None."""

    def keep_solution(self, solved: Solved) -> None:
        """Keep an optimum."""

    def forget_solution(self) -> None:
        """Forget the optimum."""

    def close(self) -> None:
        """Let go of the file."""


class Prover:
    """Solves a problem, and proves claims about it, in this process.

    Parameters
    ----------
    jobs: threads that search.
    memory: bytes that they may take, see `Resources.of`.
    ledger: what keeps what is proved so far; it is closed with the prover.
    lies: how many responses may be false.

    Attributes
    ----------
    least: at least the worst case, as far as the search came.
    total: at least the total, as far as searches for proofs came.

    Raises GuesstreeError for what certificates do not cover.
    """

    def __init__(
        self,
        problem: Problem,
        jobs: int = 1,
        memory: int | None = None,
        ledger: ProofStore | None = None,
        lies: int = 0,
    ) -> None:
        require(replace(problem.asked, certificate=True, lies=lies))
        self.problem, self.lies, self.statement = problem, lies, statement_of(problem, lies)
        self.jobs, self.memory, self.ledger = jobs, memory, ledger
        self.searchers: dict[Any, Any] = {}
        self.least = self.total = 0
        self._last: Deadline | None = None  # of what needs no search, when the time is up
        self._writer: Writer[Any] | None = None
        self._noisy = NoisyWriter(problem, self.statement) if problem.game.facts.noisy else None

    def close(self) -> None:
        """Let go of the ledger."""
        if self.ledger is not None:
            self.ledger.close()

    @property
    def writer(self) -> Writer[Any]:
        """What writes proofs."""
        if self._writer is None:
            resources = Resources.of(self.problem, 1, self.memory, self.lies)
            lemmas = None if self.ledger is None else self.ledger.lemmas
            self._writer = writer_of(self.problem, self.lies, resources, self.searchers, lemmas)
        return self._writer

    def solve(self, deadline: Deadline, progress: Callable[[Progress], None] | None) -> Solved:
        """Return the optimum, or the best found in time; what the search remembers goes into proofs."""

        def begin() -> Session[Any]:
            resources = Resources.of(self.problem, self.jobs, self.memory, self.lies)
            return Session(space_of(self.problem, self.lies), resources, deadline, progress)

        run = in_time(deadline, self.problem.game, begin, search_exactly)
        self.searchers = run.searchers
        self.least = run.lower.get("worst", 0)
        return run.conclude()

    def prove(
        self, aim: Aim, deadline: Deadline, progress: Callable[[Progress], None] | None = None
    ) -> Proven:
        """Return the certificate of a claim, or of the best bound that the time, and the checker, allow.

        Raises ProofError for a bound that is false.
        """
        if self.lies:
            if aim.within is None:
                raise GuesstreeError(
                    f"{self.problem.game.spec}: the only secret is known without a guess, and there is "
                    "nothing to prove; use a game with two"
                )
            deepest = self._deepest(deadline)
            if deepest is None:
                return Proven(self.statement, NOTHING)
            aim = replace(aim, within=min(aim.within, deepest))
        while True:
            found = self.best(aim, deadline, progress)
            if aim.bound is not None or found.bound is None:
                break
            if not aim.within:
                return Proven(self.statement, NOTHING)
            aim = replace(aim, within=aim.within - max(1, aim.within // 8))  # that may need no proof
        if (
            found.bound == aim.bound
            and aim.hope
            and aim.hope != aim.bound
            and deadline.stopped != "interrupt"
        ):
            with suppress(ProofError):  # it is more than the optimum
                more = self.best(replace(aim, bound=aim.hope), deadline, progress)
                found = max(found, more, key=lambda proof: proof.bound or 0)
        return Proven(replace(self.statement, within=aim.within), found)

    def best(self, aim: Aim, deadline: Deadline, progress: Callable[[Progress], None] | None) -> Proof:
        """Return the proof of a claim, or of less when the time is up."""

        def report() -> None:
            assert progress is not None
            progress(Progress(PHASE, 0, 0, 0, None, "", deadline.seconds))

        if not deadline.late():
            with suppress(TimeUp):
                show = None if progress is None else report
                return deadline.run(lambda: self._write(aim), self._stop, show)
        return self.unfinished(aim)

    def unfinished(self, aim: Aim) -> Proof:
        """Return the proof of what needs no search, or has had it, when the time is up."""
        last = self._last = self._last or Deadline(LAST_SECONDS)
        if not last.late():
            with suppress(TimeUp):
                return last.run(lambda: self._write(aim, stopped=True), lambda: None)
        return unsearched(self.problem, aim, self.lies)

    def _deepest(self, deadline: Deadline) -> int | None:
        """Return the most guesses that a claim with lies may be about; None: there is no time to find out."""
        making = Deadline(max(deadline.left, LAST_SECONDS))

        def deepest() -> int:
            writer = self.writer
            assert isinstance(writer, LyingWriter)
            return writer.deepest

        try:
            return making.run(deepest, lambda: None)
        except TimeUp:
            return None

    def _write(self, aim: Aim, *, stopped: bool = False) -> Proof:
        """Return the proof of a claim; when stopped, of what needs no search, or has had it."""
        if is_trivial(self.problem, aim, self.lies):
            return Proof(aim.bound, EMPTY, 0)
        writer = self._noisy or self.writer
        if stopped:
            writer.stop()
        return writer.root(aim.within, aim.bound)

    def _stop(self) -> None:
        """End what is written."""
        for writer in (self._writer, self._noisy):
            if writer is not None:
                writer.stop()


def writer_of(
    problem: Problem,
    lies: int,
    resources: Resources,
    searchers: MutableMapping[Any, Any],
    lemmas: LemmaStore | None = None,
) -> Writer[Any]:
    """Return what writes proofs for a problem; see `Writer`."""
    if lies:
        return LyingWriter(problem, lies, resources, searchers)
    if problem.priced:
        return PricedWriter(problem, resources, searchers, lemmas)
    return CountedWriter(problem, resources, searchers)


def is_trivial(problem: Problem, aim: Aim, lies: int = 0) -> bool:
    """Return whether a claim needs no proof: no cost is below 0, and no counted guess is free."""
    return aim.bound == 0 or (aim.within == 0 and not (problem.priced or lies or problem.game.facts.noisy))


def unsearched(problem: Problem, aim: Aim, lies: int = 0) -> Proof:
    """Return what the checker finds by itself of a claim: where guesses are counted, what counting says."""
    if isinstance(aim.bound, tuple):
        return Proof((0,) * len(aim.bound), EMPTY, 0)
    if lies or problem.priced or problem.game.facts.noisy:
        return NOTHING
    depth = problem.secrets if aim.within is None else aim.within
    if aim.bound is None:
        return Proof(None if depth < problem.least_depth else 0, EMPTY, 0)
    return Proof(min(aim.bound, int(problem.least[-1])), EMPTY, 0)
