"""Optima found and proved by a campaign: by processes or a cluster, with a ledger or without."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import ExitStack
from dataclasses import replace
from functools import partial

from ..errors import file_name
from ..notation import plural
from ..problem import Problem
from ..proofs.priced import Goal
from ..proofs.prover import Aim, Prover, by_counting, depth_and_bound, goal_and_body
from ..proofs.statement import statement_of
from ..proofs.writer import ProofError
from ..search.first_guesses import look_last
from ..search.kind import Room
from ..search.run import Run
from ..search.watch import Progress, Watch
from ..solution import Solved
from ..support import require
from .about import about_of
from .asks import INFINITE, Place
from .assembly import assembler_of
from .checking import goal_of
from .coordinator import Campaign
from .executors import open_executor
from .findings import Findings, InMemory
from .ledger import Ledger
from .proofs import Check, Proofs

PHASE = "proof"


class CampaignProver(Prover):
    """Solves a problem that counts guesses by claims of many workers, and proves what was found.

    Parameters
    ----------
    workers: how many there are; None: one process, or all of a cluster.
    cluster: where they are, see `executors.open_executor`; None: processes of this machine.
    trust: whether what the search says is believed: nothing is proved.
    check: has the proofs of claims checked, in any process; see `proofs.Proofs`.
    """

    def __init__(
        self,
        problem: Problem,
        workers: int | None,
        memory: int | None,
        ledger: str | os.PathLike[str] | None,
        *,
        cluster: str | None,
        trust: bool,
        check: Check,
    ) -> None:
        require(replace(problem.asked, certificate=not trust, cluster=cluster, trust=trust))
        self.problem, self.memory, self.trust, self.check = problem, memory, trust, check
        self.statement, self.least, self.total = statement_of(problem), 0, 0
        self.ledger = None if ledger is None else Ledger(file_name(ledger), about_of(problem))
        self.findings: Findings = InMemory() if self.ledger is None else self.ledger
        self.open = ExitStack()
        if self.ledger is not None:
            self.open.callback(self.ledger.close)
        self.hire = partial(open_executor, workers, cluster, memory)
        self.crew: tuple[Executor, int] | None = None

    def close(self) -> None:
        """Let go of workers and ledger."""
        self.open.close()

    def campaign(self, watch: Watch, progress: Callable[[Progress], None] | None) -> Campaign:
        """Return a campaign of the workers, which go on with what they know."""
        if self.crew is None:
            self.crew = self.open.enter_context(self.hire())
        return Campaign(self.problem, self.findings, *self.crew, watch, memory=self.memory, progress=progress)

    def solve(self, watch: Watch, progress: Callable[[Progress], None] | None) -> Solved:
        """Return the optimum, or the best found in time."""
        campaign = self.campaign(watch, progress)
        run = Run(campaign.kind, Room.of(self.problem, 1, self.memory), watch)
        look_last(run)
        campaign.lower |= run.lower
        try:
            return campaign.solve()
        finally:
            self.least = campaign.lower["worst"]

    def best(
        self, aim: Aim, watch: Watch, progress: Callable[[Progress], None] | None
    ) -> tuple[Goal, str, int]:
        """Return the proof of a claim, or of less when the time is up: bound, body, number of lemmas."""
        if aim.within == 0 or aim.bound == 0:
            return aim.bound, ".", 0  # without a guess nothing is settled
        depth, bound = depth_and_bound(self.problem, aim)
        place = Place((), "worst" if bound >= INFINITE else "total", min(depth, self.problem.max_depth))
        half = watch if watch.unlimited else Watch(watch.left / 2, watch)
        campaign = self.campaign(half, progress)
        proofs = Proofs(
            self.problem, self.findings, campaign.order, self.check, place, bound, campaign.crew.workers
        )
        try:
            if proofs.found.state((), bound) < bound:
                lower = self.search(campaign, place, bound)
                proofs.look_again()
                if place.part == "total" and aim.within == self.problem.limited:
                    self.total = max(self.total, lower)
            proofs.need = min(bound, proofs.found.game(bound))
            if proofs.need < bound and not half.late():
                raise ProofError(
                    f"{self.problem.game.spec}: at least {goal_of(bound)} was found, of which claims show "
                    f"{proofs.need}: some were refused; start again, without them"
                )
            if not self.trust:
                campaign.crew.watch = watch
                campaign.crew.work([proofs], lambda: self.report(proofs, watch, progress))
        except KeyboardInterrupt:
            watch.stopped = "interrupt"
        finally:
            campaign.crew.end()
        watch.stopped = watch.stopped or half.stopped
        if self.trust:
            return goal_of(proofs.need), "", 0
        proofs.look_again()
        proofs.tell()
        if not any(known.accepted for _, known in self.findings.all()):
            counted = by_counting(self.problem, aim)
            enough = INFINITE if counted[0] is None else counted[0]
            if watch.late() or min(proofs.reached, proofs.need) <= enough:
                return counted
        return self.assembled(proofs, watch)

    def search(self, campaign: Campaign, place: Place, bound: int) -> int:
        """Search until the game is shown to cost so much, and return what is; raise ProofError for less."""
        root = campaign.work(place.part, place.depth, bound).root
        if root.upper < bound:
            enough = (
                f"less than {bound} is" if place.part == "total" else f"{plural(place.depth, 'guess')} are"
            )
            raise ProofError(f"{self.problem.game.spec}: {enough} enough; expected a bound that is true")
        return min(root.lower, bound)

    def assembled(self, proofs: Proofs, watch: Watch) -> tuple[Goal, str, int]:
        """Return the proof of what was accepted."""
        writer = assembler_of(self.problem, self.memory, proofs.accepted)
        if watch.late():
            writer.stop()
        return goal_and_body(writer.proof(min(proofs.reached, proofs.need)))

    @staticmethod
    def report(proofs: Proofs, watch: Watch, progress: Callable[[Progress], None] | None) -> None:
        """Tell how far the proof is."""
        lower = min(proofs.reached, proofs.need)
        if progress is not None:
            upper = None if proofs.need >= INFINITE else proofs.need
            progress(Progress(PHASE, proofs.proofs, 0, lower, upper, "", watch.seconds))
