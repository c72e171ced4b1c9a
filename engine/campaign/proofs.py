"""Optima found and proved by a campaign: which claims are to be proved, and checked, until the game is.

What is needed of the game is shown by claims that the search has settled. Each is proved by a worker, as it
was settled: a guess, or a state, as a whole. What takes too long is proved by what is below it: a state by
its guesses, a guess by some of its cells, the least that suffice. A claim counts when the checker has
accepted it.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from ..errors import GuesstreeError, file_name
from ..notation import plural
from ..problem import Problem
from ..proofs.priced import Goal
from ..proofs.prover import Aim, Prover, by_counting, depth_and_bound, goal_and_body
from ..proofs.statement import statement_of
from ..proofs.writer import ProofError, least_needed
from ..search.first_guesses import look_last
from ..search.kind import Room
from ..search.run import Run
from ..search.watch import Progress, Watch
from ..solution import Solved
from ..support import require
from . import worker
from .asks import INFINITE, Finding, Place, Steps, Wanted
from .claim_proofs import assembler_of, goal_of
from .coordinator import Campaign, Errand
from .executors import open_executor
from .findings import Findings, InMemory
from .ledger import Ledger
from .paths import Paths
from .records import about_of
from .shown import Pieces, Together

SECONDS = 4.0
"""Processor seconds that one proof may take, if there is a way to take it apart."""
TASK_SECONDS, SHEET_SECONDS = 1.0, 4.0
"""So much proving goes in one task, and is checked together."""
LEISURE = 10.0
"""To work out what was accepted, and what is next, takes one of so many seconds while claims are open."""
MOST_REFUSALS = 3
"""So often the proof of a place may be refused: something else is wrong."""
Check = Callable[[bytes, tuple[Finding, ...]], tuple[str, ...]]


class Proofs:
    """The proofs of what is needed of a game, as a source of tasks.

    Parameters
    ----------
    check: has claims checked, in any process: returns for each why it is refused, or nothing.
    need: at least what the game is to be shown to cost.
    """

    def __init__(
        self,
        problem: Problem,
        findings: Findings,
        order: bytes,
        check: Check,
        place: Place,
        need: int,
        workers: int,
    ) -> None:
        self.findings, self.order, self.check, self.need, self.workers = findings, order, check, need, workers
        self.paths = Paths(problem)
        self.pieces = Pieces(problem, self.paths, place.part, place.depth)
        self.found = Together(self.pieces, findings, lambda known: known.lower)
        self.accepted = Together(self.pieces, findings, lambda known: known.accepted)
        self.waiting: list[Wanted] = []
        self.flying: set[Place] = set()  # asked, or to be checked
        self.written: list[Finding] = []
        self.slow: set[Steps] = set()
        self.proofs, self.seconds = 0, 0.0
        self.changed, self.rest = True, 0.0
        self.refusals: Counter[Place] = Counter()

    @property
    def finished(self) -> bool:
        """Whether what is needed is proved."""
        return self.reached >= self.need

    @property
    def reached(self) -> int:
        """At least what the game costs, by what was accepted."""
        return self.accepted.game(self.need)

    # -- tasks -----------------------------------------------------------------------------------------

    def next(self, room: int) -> list[Errand]:
        """See `coordinator.Source`."""
        tasks: list[Errand] = []
        if self.finished:
            return tasks
        if not self.waiting and self.changed and (time.monotonic() > self.rest or not self.flying):
            self.changed, began = False, time.monotonic()
            self.waiting = self.open_claims()
            self.tell()
            self.rest = time.monotonic() + LEISURE * (time.monotonic() - began)
        written = sum(told.seconds for told in self.written)
        if self.written and room > 0 and (written > SHEET_SECONDS or not self.waiting):
            told, self.written = tuple(self.written), []
            tasks.append(Errand(self.check, (self.order, told), told, SHEET_SECONDS))
        while self.waiting and len(tasks) < room:
            count = self.at_once()
            asks, self.waiting = tuple(self.waiting[:count]), self.waiting[count:]
            tasks.append(Errand(worker.settle, (self.order, asks), asks, SECONDS * len(asks)))
        return tasks

    def tell(self) -> None:
        """Note how far the proof is."""
        place = self.pieces.place(())
        known = self.findings.find(place)
        upper = INFINITE if known is None else known.upper
        self.findings.rose(place, self.need, upper, min(self.reached, self.need))

    def at_once(self) -> int:
        """Return how many claims one task has."""
        mean = self.seconds / self.proofs if self.proofs else TASK_SECONDS
        return max(1, min(int(TASK_SECONDS / max(mean, 1e-3)), len(self.waiting) // (2 * self.workers)))

    def take(self, task: Errand, result: Any) -> None:
        """See `coordinator.Source`."""
        self.changed = True
        if task.call is self.check:
            for told, why in zip(task.what, result, strict=True):
                self.judge(told, why)
        else:
            bounds = {ask.place: ask.bound for ask in task.what}
            for told in result:
                self.learn(told)
                if told.upper < bounds.get(told.place, 0):
                    self.contradicted(told, bounds[told.place])
            told_of = {told.place for told in result}
            self.flying -= {ask.place for ask in task.what if ask.place not in told_of}

    def look_again(self) -> None:
        """Take notice of what else is known now."""
        self.found.look_again()
        self.accepted.look_again()

    def lose(self, task: Errand) -> None:
        """See `coordinator.Source`."""
        self.changed = True
        if task.call is self.check:
            self.written += task.what
        else:
            self.flying -= {ask.place for ask in task.what}

    def learn(self, told: Finding) -> None:
        """Take in what was told of a claim; one of which the proof takes too long is taken apart."""
        place = told.place
        self.findings.take(told)
        self.found.note(place)
        self.accepted.note(place)
        self.proofs, self.seconds = self.proofs + 1, self.seconds + told.seconds
        if told.proof:
            self.written.append(replace(told, choices=b"", cells=()))
            return
        self.flying.discard(place)
        self.slow.add(place.path)
        lowers = {response: lower for response, lower, _ in told.cells}
        for cell in self.pieces.cells(place.path) if place.branch else ():
            self.findings.take(Finding(self.pieces.place(cell.path), lowers.get(cell.response, 0)))

    def contradicted(self, told: Finding, bound: int) -> None:
        """Forget a bound that was searched, and raise ProofError: who was to prove it found it false."""
        what = f"less than {bound} is" if told.place.part == "total" else f"{told.place.depth} guesses are"
        why = f"{self.paths.text(told.place.path)}: {what} enough, says {told.worker}; the search said more"
        self.findings.refuse(told.place, why)
        self.findings.take(told)
        raise ProofError(f"{why}; start again, without what was wrong")

    def judge(self, told: Finding, why: str) -> None:
        """Take in what the checker says of a claim; one that is refused is asked again."""
        self.flying.discard(told.place)
        if not why:
            self.findings.accept(told.place, told.proved)
            return
        bound = "inf" if told.proved >= INFINITE else told.proved
        who = f"{self.paths.text(told.place.path)} at least {bound}, by {told.worker}: {why}"
        self.findings.refuse(told.place, who)
        self.refusals[told.place] += 1
        if self.refusals[told.place] == MOST_REFUSALS:
            raise GuesstreeError(f"the checker refuses the same claim again and again: {who}")

    # -- what is to be proved --------------------------------------------------------------------------

    def open_claims(self) -> list[Wanted]:
        """Return the claims that are to be proved next, none of which is being proved."""
        self.found.forget()
        self.accepted.forget()
        claims: dict[Place, int] = {}
        known = -1
        while not claims and known < len(self.accepted.asked):  # what is split now may do by counting
            known = len(self.accepted.asked)
            self.open_state((), self.need, claims)
        self.flying |= set(claims)
        return [Wanted(place, bound, seconds=SECONDS, proof=True) for place, bound in claims.items()]

    def open_state(self, path: Steps, need: int, claims: dict[Place, int]) -> None:
        """Add claims that show that a state costs so much."""
        if self.accepted.state(path, need) >= need or self.is_open(path, need, claims):
            return
        if path and not self.apart(path, need, self.found.state):
            self.open(path, need, claims)
            return
        if path not in self.accepted.asked:  # its guesses may do by counting alone
            self.accepted.asked[path] = set()
            self.accepted.forget()
        guesses, lower = self.pieces.split(path)
        for i in np.argsort(lower, kind="stable").tolist():
            if lower[i] < need:
                self.open_branch((*path, int(guesses[i])), need, claims)

    def open_branch(self, path: Steps, need: int, claims: dict[Place, int]) -> None:
        """Add claims that show that a guess costs so much in a state."""
        if self.accepted.branch(path, need) >= need or self.is_open(path, need, claims):
            return
        cells = self.cells(path, need) if self.apart(path, need, self.found.branch) else []
        for cell, bound in cells:
            self.open_state(cell, bound, claims)
        if not cells:
            self.open(path, need, claims)

    def apart(self, path: Steps, need: int, shown: Callable[[Steps, int], int]) -> bool:
        """Return whether a claim is shown by those below: it took too long, or was searched so."""
        return path in self.slow or (0 < self.found.own(path) < need <= shown(path, need))

    def cells(self, path: Steps, need: int) -> list[tuple[Steps, int]]:
        """Return cells of a guess with bounds that show, with what is accepted, what it costs; or none."""
        cells, part = self.pieces.cells(path), self.pieces.part
        if part == "worst":
            proved = [cell.path for cell in cells if self.found.state(cell.path, need) >= need]
            return [(cell, need) for cell in proved[:1]]
        missing = need - len(self.paths.state(path, 0).candidates) - sum(cell.counted for cell in cells)
        shown = {}
        for cell in cells:
            shown[cell.path] = max(cell.counted, self.accepted.state(cell.path, cell.counted + missing))
            missing -= shown[cell.path] - cell.counted
        gains: list[tuple[int, Steps]] = []
        for cell in cells:
            if missing > 0:
                most = shown[cell.path] + missing
                gain = min(self.found.state(cell.path, most), most) - shown[cell.path]
                gains += [(gain, cell.path)] * (gain > 0)
                missing -= max(gain, 0)
        if missing > 0:
            return []
        return [(cell, shown[cell] + gain) for cell, gain in least_needed(gains, -missing)]

    def is_open(self, path: Steps, need: int, claims: dict[Place, int]) -> bool:
        """Return whether a claim is being proved, or about to be."""
        place = self.pieces.place(path)
        return place in self.flying or claims.get(place, 0) >= need

    def open(self, path: Steps, need: int, claims: dict[Place, int]) -> None:
        """Add a claim; one that has a proof, and whoever was to check it is gone, is to be checked."""
        place = self.pieces.place(path)
        known = self.findings.find(place)
        if known is None or known.proved < need or not known.proof:
            claims[place] = need
            return
        self.flying.add(place)
        told = Finding(place, known.lower, proved=known.proved, proof=known.proof, seconds=known.seconds)
        self.written.append(replace(told, worker="a worker of before"))


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
