"""Prove what an optimum is: certificates of what was found, or of the best bound that the time allows.

What is proved depends on the objective. A least total is a total that every strategy costs at least; a least
worst case of d guesses is that none settles all secrets within d - 1. A pair is both: no strategy costs less
than the least total within d, and none needs fewer than d.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from guesstree.cext import claims as kernel

from ..campaign.ledger import Ledger
from ..campaign.records import about_of
from ..errors import GuesstreeError
from ..objective import OBJECTIVES
from ..problem import Problem
from ..search.deadline import Deadline, Progress, TimeUp
from ..search.session import Session
from ..search.solve import in_time, search_exactly, space_of
from ..search.space import Resources
from ..solution import Solved
from ..support import require
from .lying import LyingWriter
from .priced import Goal, PricedWriter
from .statement import Statement, statement_of, table_names
from .writer import Proof, ProofError, Writer

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
    """A claim with its proof, as a certificate.

    Attributes
    ----------
    bound: at least what every strategy costs; None: there is none.
    lemmas: how many lemmas the proof has.
    """

    statement: Statement
    bound: Goal
    body: str
    lemmas: int

    @property
    def text(self) -> str:
        """The certificate."""
        return self.statement.text(self.bound, self.body)


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


class Prover:
    """Solves a problem, and proves claims about it.

    Parameters
    ----------
    workers: threads that search.
    memory: bytes that they may take, see `Resources.of`.
    ledger: a file for what is proved so far, or None.
    lies: how many responses may be false.

    Raises GuesstreeError for what certificates do not cover, and for a ledger of something else.
    """

    _writer: Any = None  # what writes proofs, once it is there

    @property
    def writer(self) -> Any:
        """What writes proofs."""
        raise NotImplementedError

    def __init__(
        self,
        problem: Problem,
        workers: int,
        memory: int | None,
        ledger: str | os.PathLike[str] | None,
        lies: int = 0,
    ) -> None:
        require(replace(problem.asked, certificate=True, lies=lies))
        self.problem, self.lies, self.statement = problem, lies, statement_of(problem, lies)
        self.workers, self.memory = workers, memory
        self.ledger = None if ledger is None else Ledger(os.fspath(ledger), about_of(problem, lies))
        self.lemmas = None if self.ledger is None else self.ledger.lemmas
        self.searchers: dict[Any, Any] = {}
        self.least = 0  # of the worst case, as far as the search came
        self.last: Deadline | None = None  # of what needs no search, when the time is up
        self.total = 0  # at least that, as far as searches for proofs came

    def close(self) -> None:
        """Let go of the ledger."""
        if self.ledger is not None:
            self.ledger.close()

    def solve(self, deadline: Deadline, progress: Callable[[Progress], None] | None) -> Solved:
        """Return the optimum, or the best found in time; what the search remembers goes into proofs."""

        def begin() -> Session[Any]:
            resources = Resources.of(self.problem, self.workers, self.memory, self.lies)
            return Session(space_of(self.problem, self.lies), resources, deadline, progress)

        run = in_time(deadline, self.problem.game, begin, search_exactly)
        self.searchers = {} if deadline.left_behind else run.searchers
        self.least = run.lower.get("worst", 0)
        return run.conclude()

    def prove(
        self, aim: Aim, deadline: Deadline, progress: Callable[[Progress], None] | None = None
    ) -> Proven:
        """Return the certificate of a claim, or of the best bound that the time allows.

        Raises ProofError for a bound that is false.
        """
        while True:
            bound, body, lemmas = found = self.best(aim, deadline, progress)
            if aim.bound is not None or bound is None:
                break
            if not aim.within:
                return Proven(self.statement, 0, ".", 0)
            aim = replace(aim, within=aim.within - max(1, aim.within // 8))  # that may need no proof
        if bound == aim.bound and aim.hope and aim.hope != bound and deadline.stopped != "interrupt":
            with suppress(ProofError):  # it is more than the optimum
                more = self.best(replace(aim, bound=aim.hope), deadline, progress)
                bound, body, lemmas = max(found, more, key=lambda one: one[0] or 0)
        return Proven(replace(self.statement, within=aim.within), bound, body, lemmas)

    def best(
        self, aim: Aim, deadline: Deadline, progress: Callable[[Progress], None] | None
    ) -> tuple[Goal, str, int]:
        """Return the proof of a claim, or of less when the time is up: bound, body, number of lemmas."""

        def report() -> None:
            assert progress is not None
            progress(Progress(PHASE, 0, 0, 0, None, "", deadline.seconds))

        if not deadline.late():
            with suppress(TimeUp):
                shown = None if progress is None else report
                return deadline.run(lambda: self.work(aim, deadline.late), self.stop, shown)
            self.drop_if(deadline.left_behind)
        last = self.last = self.last or Deadline(LAST_SECONDS)
        if not last.late():
            with suppress(TimeUp):
                return last.run(lambda: self.left(aim), lambda: None)
            self.drop_if(last.left_behind)
        return self.counted(aim)

    def drop_if(self, left_behind: bool) -> None:
        """Use no more what work uses that was left behind."""
        if left_behind:
            self._writer, self.searchers = None, {}

    def work(self, aim: Aim, late: Callable[[], bool]) -> tuple[Goal, str, int]:
        """Return the proof of a claim, or of less when it is late."""
        raise NotImplementedError

    def left(self, aim: Aim) -> tuple[Goal, str, int]:
        """Return the proof of what needs no search, or has had it."""
        raise NotImplementedError

    def counted(self, aim: Aim) -> tuple[Goal, str, int]:
        """Return what needs no proof, and no time."""
        return (0,) * len(aim.bound) if isinstance(aim.bound, tuple) else 0, ".", 0

    def stop(self) -> None:
        """End `work`."""
        if self._writer is not None:
            self._writer.stop()


class PricedProver(Prover):
    """Proves claims about what questions cost; see `priced.PricedWriter`."""

    @property
    def writer(self) -> PricedWriter:
        """What writes proofs."""
        if self._writer is None:
            resources = Resources.of(self.problem, 1, self.memory)
            self._writer = PricedWriter(self.problem, resources, self.lemmas, self.searchers)
        return self._writer

    def work(self, aim: Aim, late: Callable[[], bool]) -> tuple[Goal, str, int]:  # noqa: ARG002 - it is stopped
        """Return the proof of a claim, or of less when it is late."""
        proof = self.writer.root(aim.within, aim.bound)
        return proof.bound, proof.body, proof.lemmas

    def left(self, aim: Aim) -> tuple[Goal, str, int]:
        """Return the proof of what needs no search."""
        self.writer.stop()
        return self.work(aim, lambda: True)


class LyingProver(Prover):
    """Proves claims about games in which responses may be false; see `lying.LyingWriter`."""

    @property
    def writer(self) -> LyingWriter:
        """What writes proofs."""
        if self._writer is None:
            resources = Resources.of(self.problem, 1, self.memory, self.lies)
            self._writer = LyingWriter(self.problem, self.lies, resources, self.searchers)
        return self._writer

    def prove(
        self, aim: Aim, deadline: Deadline, progress: Callable[[Progress], None] | None = None
    ) -> Proven:
        """Return the certificate of a claim, or of the best that the time, and the checker, allow."""
        within = self.checked_within(aim, deadline)
        if within is None:
            return Proven(self.statement, 0, ".", 0)
        return super().prove(replace(aim, within=within), deadline, progress)

    def checked_within(self, aim: Aim, deadline: Deadline) -> int | None:
        """Return the guesses of a claim, or fewer where the checker allows no more; None: it is too late."""
        if aim.within is None:
            raise GuesstreeError(
                f"{self.problem.game.spec}: the only secret is known without a guess, and there is nothing "
                "to prove; use a game with two"
            )
        making = Deadline(max(deadline.left, LAST_SECONDS))  # of what writes it
        try:
            return min(aim.within, making.run(lambda: self.writer.deepest, lambda: None))
        except TimeUp:
            self.drop_if(making.left_behind)
            return None

    def work(self, aim: Aim, late: Callable[[], bool]) -> tuple[Goal, str, int]:  # noqa: ARG002 - it is stopped
        """Return the proof of a claim."""
        assert aim.within is not None
        proof = self.writer.root(aim.within)
        return None, proof.body, proof.lemmas

    def left(self, aim: Aim) -> tuple[Goal, str, int]:
        """Return the proof of what needs no search, or none."""
        self.writer.stop()
        with suppress(TimeUp):
            return self.work(aim, lambda: True)
        return 0, ".", 0


class CountedProver(Prover):
    """Proves claims about numbers of guesses, in this process; see `proof.Writer`."""

    @property
    def writer(self) -> Writer:
        """What writes proofs."""
        if self._writer is None:
            resources = Resources.of(self.problem, 1, self.memory)
            self._writer = Writer(self.problem, resources, self.searchers, table_names(self.problem))
        return self._writer

    def work(self, aim: Aim, late: Callable[[], bool]) -> tuple[Goal, str, int]:  # noqa: ARG002 - it is stopped
        """Return the proof of a claim, or of less when it is late."""
        if aim.within == 0 or aim.bound == 0:
            return aim.bound, ".", 0  # without a guess nothing is settled
        return goal_and_body(self.writer.root(*depth_and_bound(self.problem, aim)))

    def left(self, aim: Aim) -> tuple[Goal, str, int]:
        """Return the proof of what needs no search."""
        self.writer.stop()
        return self.work(aim, lambda: True)

    def counted(self, aim: Aim) -> tuple[Goal, str, int]:
        """Return what needs no proof, and no time."""
        return by_counting(self.problem, aim)


def by_counting(problem: Problem, aim: Aim) -> tuple[int | None, str, int]:
    """Return what counting says of a whole game where guesses are counted; the checker finds it by itself."""
    depth, bound = depth_and_bound(problem, aim)
    if aim.bound is None:
        return None if depth < problem.least_depth else 0, ".", 0
    return min(bound, int(problem.least[-1])), ".", 0


def depth_and_bound(problem: Problem, aim: Aim) -> tuple[int, int]:
    """Return the guesses left and the bound as a writer takes them."""
    assert not isinstance(aim.bound, tuple)
    depth = problem.secrets if aim.within is None else aim.within
    return depth, kernel.INFINITE if aim.bound is None else aim.bound


def goal_and_body(proof: Proof) -> tuple[Goal, str, int]:
    """Return a proof of a writer."""
    return None if proof.bound >= kernel.INFINITE else proof.bound, proof.body, proof.lemmas


def prover_of(
    problem: Problem,
    workers: int,
    memory: int | None,
    ledger: str | os.PathLike[str] | None,
    lies: int = 0,
) -> Prover:
    """Return what proves claims about a problem; arguments as those of `Prover`."""
    kind = LyingProver if lies else PricedProver if problem.priced else CountedProver
    return kind(problem, workers, memory, ledger, lies)
