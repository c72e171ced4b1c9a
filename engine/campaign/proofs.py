"""Optima found and proved by a campaign: which claims are to be proved, and checked, until the game is.

What is needed of the game is shown by claims that the search has settled. Each is proved by a worker, as it
was settled: a guess, or a state, as a whole. What takes too long is proved by what is below it: a state by
its guesses, a guess by some of its children, the least that suffice. A claim counts when the checker has
accepted it.
"""

from __future__ import annotations

import re
import time
from bisect import bisect
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from ..claims import Claim, ProofPart
from ..errors import GuesstreeError
from ..notation import plural
from ..problem import Problem
from ..proofs.counted import CountedWriter
from ..proofs.items import EMPTY, ProofItem, body_of, inside, items_apart, text_of, text_of_items
from ..proofs.prover import PHASE, Aim, Prover, is_trivial, unsearched
from ..proofs.statement import Goal, Statement, statement_of
from ..proofs.writer import Proof, ProofError, least_needed
from ..search.deadline import Deadline, Progress, TimeUp
from ..search.first_guesses import look_last
from ..search.solve import claim_space
from ..search.space import NO_LIMIT, ClaimSpace
from ..solution import Solved
from ..support import require
from . import worker
from .executors import open_executor
from .exported import FirstGuessProofs, assembler_of, figure_and_need, goal_of
from .ledger import Ledger
from .lemmas import Lemmas
from .messages import INFINITE, NodeId, Report, Steps, Task
from .paths import Paths, pairs_of
from .propagation import Propagation, Splitters
from .scheduler import Job, OneShotSource
from .session import ClaimSession
from .store import MemoryStore, Store

SECONDS = 4.0
"""Processor seconds that one proof may take, if there is a way to take it apart."""
TASK_SECONDS, SHEET_SECONDS = 1.0, 4.0
"""So much proving goes in one job, and is checked together."""
LEISURE = 10.0
"""To work out what was accepted, and what is next, takes one of so many seconds while claims are open."""
MOST_REFUSALS = 3
"""So often the proof of a node may be refused: something else is wrong."""
Check = Callable[[bytes, tuple[Report, ...]], tuple[str, ...]]


class Proofs:
    """The proofs of what is needed of a game, as a source of jobs.

    Parameters
    ----------
    check: has claims checked, in any process: returns for each why it is refused, or nothing.
    need: at least what the game is to be shown to cost.
    """

    def __init__(
        self,
        space: ClaimSpace[Any],
        store: Store,
        order: bytes,
        check: Check,
        node: NodeId,
        need: int,
        workers: int,
        splitters: Splitters | None = None,
    ) -> None:
        self.store, self.order, self.check, self.need, self.workers = store, order, check, need, workers
        self.splitter = (splitters or Splitters(space)).of(node.figure, node.depth)
        self.paths = self.splitter.paths
        self.found = Propagation(self.splitter, store, lambda known: known.lower)
        self.accepted = Propagation(self.splitter, store, lambda known: known.accepted)
        self.waiting: list[Task] = []
        self.in_flight: set[NodeId] = set()  # asked, or to be checked
        self.written: list[Report] = []
        self.slow: set[Steps] = set()
        self.proofs, self.seconds = 0, 0.0
        self.changed, self.rest = True, 0.0
        self.refusals: Counter[NodeId] = Counter()

    @property
    def finished(self) -> bool:
        """Whether what is needed is proved."""
        return self.reached >= self.need

    @property
    def reached(self) -> int:
        """At least what the game costs, by what was accepted."""
        return self.accepted.game(self.need)

    # -- jobs -----------------------------------------------------------------------------------------

    def next(self, slots: int) -> list[Job]:
        """Return at most so many proofs that may be made or checked now."""
        jobs: list[Job] = []
        if self.finished:
            return jobs
        if not self.waiting and self.changed and (time.monotonic() > self.rest or not self.in_flight):
            self.changed, began = False, time.monotonic()
            self.waiting = self.open_claims()
            self.tell()
            self.rest = time.monotonic() + LEISURE * (time.monotonic() - began)
        written = sum(report.seconds for report in self.written)
        if self.written and slots > 0 and (written > SHEET_SECONDS or not self.waiting):
            report, self.written = tuple(self.written), []
            jobs.append(Job(self.check, (self.order, report), report, SHEET_SECONDS))
        while self.waiting and len(jobs) < slots:
            count = self.at_once()
            tasks, self.waiting = tuple(self.waiting[:count]), self.waiting[count:]
            jobs.append(Job(worker.settle, (self.order, tasks), tasks, SECONDS * len(tasks)))
        return jobs

    def tell(self) -> None:
        """Note how far the proof is."""
        node = self.splitter.node(())
        known = self.store.find(node)
        upper = INFINITE if known is None else known.upper
        self.store.rose(node, self.need, upper, min(self.reached, self.need))

    def at_once(self) -> int:
        """Return how many claims one job has."""
        mean = self.seconds / self.proofs if self.proofs else TASK_SECONDS
        return max(1, min(int(TASK_SECONDS / max(mean, 1e-3)), len(self.waiting) // (2 * self.workers)))

    def take(self, job: Job, result: Any) -> None:
        """Take in a proof, or what the checker says of one."""
        self.changed = True
        if job.call is self.check:
            for report, why in zip(job.what, result, strict=True):
                self.judge(report, why)
        else:
            bounds = {task.node: task.bound for task in job.what}
            for report in result:
                self.learn(report)
                if report.upper < bounds.get(report.node, 0):
                    self.contradicted(report, bounds[report.node])
            answered = {report.node for report in result}
            self.in_flight -= {task.node for task in job.what if task.node not in answered}

    def look_again(self) -> None:
        """Take notice of what else is known now."""
        self.found.look_again()
        self.accepted.look_again()

    def lose(self, job: Job) -> None:
        """Have a proof made or checked again."""
        self.changed = True
        if job.call is self.check:
            self.written += job.what
        else:
            self.in_flight -= {task.node for task in job.what}

    def learn(self, report: Report) -> None:
        """Take in what was found out about a claim; one of which the proof takes too long is taken apart."""
        node = report.node
        self.store.take(report)
        self.found.note(node)
        self.accepted.note(node)
        self.proofs, self.seconds = self.proofs + 1, self.seconds + report.seconds
        if report.proof:
            self.written.append(replace(report, choices=b"", children=()))
            return
        self.in_flight.discard(node)
        self.slow.add(node.path)
        lowers = {response: lower for response, lower, _ in report.children}
        for child in self.splitter.split(node.path)[1] if node.branch else ():
            self.store.take(Report(self.splitter.node(child.path), lowers.get(child.response, 0)))

    def contradicted(self, report: Report, bound: int) -> None:
        """Forget a bound that was searched, and raise ProofError: who was to prove it found it false."""
        node = report.node
        what = f"less than {bound} is" if node.figure == "total" else f"{node.depth} guesses are"
        why = f"{self.paths.text(node.path)}: {what} enough, says {report.worker}; the search said more"
        self.store.refuse(report.node, why)
        self.store.take(report)
        raise ProofError(f"{why}; start again, without what was wrong")

    def judge(self, report: Report, why: str) -> None:
        """Take in what the checker says of a claim; one that is refused is asked again."""
        self.in_flight.discard(report.node)
        if not why:
            self.store.accept(report.node, report.proved)
            return
        bound = "inf" if report.proved >= INFINITE else report.proved
        who = f"{self.paths.text(report.node.path)} at least {bound}, by {report.worker}: {why}"
        self.store.refuse(report.node, who)
        self.refusals[report.node] += 1
        if self.refusals[report.node] == MOST_REFUSALS:
            raise GuesstreeError(f"the checker refuses the same claim again and again: {who}")

    # -- what is to be proved --------------------------------------------------------------------------

    def open_claims(self) -> list[Task]:
        """Return the claims that are to be proved next, none of which is being proved."""
        self.found.forget()
        self.accepted.forget()
        claims: dict[NodeId, int] = {}
        known = -1
        while not claims and known < len(self.accepted.asked):  # what is split now may do by counting
            known = len(self.accepted.asked)
            self.open_state((), self.need, claims)
        self.in_flight |= set(claims)
        return [Task(node, bound, seconds=SECONDS, proof=True) for node, bound in claims.items()]

    def open_state(self, path: Steps, need: int, claims: dict[NodeId, int]) -> None:
        """Add claims that show that a state costs so much."""
        if self.accepted.state(path, need) >= need or self.is_open(path, need, claims):
            return
        if path and not self.apart(path, need, self.found.state):
            self.open(path, need, claims)
            return
        if path not in self.accepted.asked:  # its guesses may do by counting alone
            self.accepted.asked[path] = set()
            self.accepted.forget()
        guesses, lower = self.splitter.guesses(path)
        for i in np.argsort(lower, kind="stable").tolist():
            if lower[i] < need:
                self.open_branch((*path, int(guesses[i])), need, claims)

    def open_branch(self, path: Steps, need: int, claims: dict[NodeId, int]) -> None:
        """Add claims that show that a guess costs so much in a state."""
        if self.accepted.branch(path, need) >= need or self.is_open(path, need, claims):
            return
        children = self.children(path, need) if self.apart(path, need, self.found.branch) else []
        for child, bound in children:
            self.open_state(child, bound, claims)
        if not children:
            self.open(path, need, claims)

    def apart(self, path: Steps, need: int, shown: Callable[[Steps, int], int]) -> bool:
        """Return whether a claim is shown by those below: it took too long, or was searched so."""
        return path in self.slow or (0 < self.found.own(path) < need <= shown(path, need))

    def children(self, path: Steps, need: int) -> list[tuple[Steps, int]]:
        """Return children of a guess with bounds that show, with what is accepted, what it costs; or none."""
        over, children = self.splitter.split(path)
        if not self.splitter.adds_up:
            proved = [child.path for child in children if self.found.state(child.path, need) >= need]
            return [(child, need) for child in proved[:1]]
        missing = need - self.splitter.join(over, [child.paid + child.lower for child in children])
        shown = {}
        for child in children:
            shown[child.path] = max(child.lower, self.accepted.state(child.path, child.lower + missing))
            missing -= shown[child.path] - child.lower
        gains: list[tuple[int, Steps]] = []
        for child in children:
            if missing > 0:
                most = shown[child.path] + missing
                gain = min(self.found.state(child.path, most), most) - shown[child.path]
                gains += [(gain, child.path)] * (gain > 0)
                missing -= max(gain, 0)
        if missing > 0:
            return []
        return [(child, shown[child] + gain) for child, gain in least_needed(gains, -missing)]

    def is_open(self, path: Steps, need: int, claims: dict[NodeId, int]) -> bool:
        """Return whether a claim is being proved, or about to be."""
        node = self.splitter.node(path)
        return node in self.in_flight or claims.get(node, 0) >= need

    def open(self, path: Steps, need: int, claims: dict[NodeId, int]) -> None:
        """Add a claim; one that has a proof, and whoever was to check it is gone, is to be checked."""
        node = self.splitter.node(path)
        known = self.store.find(node)
        if known is None or known.proved < need or not known.proof:
            claims[node] = need
            return
        self.in_flight.add(node)
        report = Report(node, known.lower, proved=known.proved, proof=known.proof, seconds=known.seconds)
        self.written.append(replace(report, worker="a worker of before"))


@dataclass(frozen=True)
class SheetClaim:
    """A claim as it stands in a certificate.

    Attributes
    ----------
    number: which claim it is.
    within: guesses that the whole game has; None: any number.
    pairs: guesses and responses that lead to where its lemmas stand; None: it is a certificate of its own.
    secret: one of those left there.
    bound: what the certificate says.
    small, items: small sets, and lemmas.
    """

    number: int
    within: int | None
    pairs: list[tuple[int, int]] | None
    secret: str
    bound: int
    small: list[str]
    items: list[str]


class Checking:
    """Has the proofs of many claims checked as one certificate.

    The certificate says that the game costs at least 0, which is true; its lemmas are the claims, each in
    those that lead to it, which say 0 too. A checker verifies every lemma, whatever it is for. A state is a
    lemma; of a branch there is one for each set that its guess leaves, with bounds that add up to what the
    branch is to cost. Of the game itself there is no lemma: such a claim is a certificate of its own.

    Parameters
    ----------
    writer, paths: of the game; nothing is written.
    run: has a certificate checked, and returns the line of the checker if it is refused, else ``""``.
    """

    def __init__(self, writer: CountedWriter, paths: Paths, run: Callable[[Statement, str], str]) -> None:
        self.writer, self.paths, self.run = writer, paths, run

    def verdicts(self, report: Sequence[Report]) -> list[str]:
        """Return what is wrong with the proof of each claim: empty, or the line of the checker.

        After a refusal the others are checked again, without what was refused.
        """
        found = [""] * len(report)
        groups: dict[tuple[int | None, int], list[SheetClaim]] = {}
        for i, claim in enumerate(report):
            try:
                entry = self.entry(i, claim)
                alone = i if entry.pairs is None else -1
                groups.setdefault((entry.within, alone), []).append(entry)
            except GuesstreeError as error:
                found[i] = str(error)
        for group in groups.values():
            left = sorted(group, key=lambda entry: entry.pairs or [])
            while left:
                statement, text, lines = self.sheet(left)
                line = self.run(statement, text)
                if not line:
                    break
                where = re.search(r":(\d+): refused: ", line)
                if where is None:
                    raise GuesstreeError(f"the checker ended: {line}")
                wrong = left.pop(max(0, bisect(lines, int(where[1])) - 1))
                found[wrong.number] = line[where.start() + 1 :]
        return found

    def sheet(self, entries: Sequence[SheetClaim]) -> tuple[Statement, str, list[int]]:
        """Return a certificate of claims, and the line on which each begins."""
        (first, *_), writer = entries, self.writer
        statement = replace(statement_of(writer.problem), within=first.within)
        if first.pairs is None:
            return statement, statement.text(goal_of(first.bound), body_of(first.small + first.items)), [1]
        opened: list[tuple[int, int]] = []
        lines: list[str] = []
        starts, line, counted = [], 2, 0
        for entry in entries:
            pairs, common = entry.pairs or [], 0
            while not entry.small and pairs[common : common + 1] == opened[common : common + 1] != []:
                common += 1
            lines += [")"] * (len(opened) - common)
            line += sum(1 + text.count("\n") for text in lines[counted:])
            counted = len(lines)
            starts.append(line)
            lines += entry.small  # these stand at the top level
            lines += [f"{writer.guesses[guess]} {entry.secret} 0 (" for guess, _ in pairs[common:]]
            lines += entry.items
            opened = pairs
        lines += [")"] * len(opened)
        return replace(statement, first="-"), statement.text(0, body_of(lines)), starts

    def entry(self, number: int, claim: Report) -> SheetClaim:
        """Return a claim as it stands in a certificate.

        Raises GuesstreeError for a text that is no proof of it: so none has a say in what stands beside it.
        """
        node, writer = claim.node, self.writer
        state, pairs = self.paths.state(node.path, node.depth), pairs_of(node.path)
        within = None if node.depth >= len(state.candidates) else node.depth + len(pairs)  # L6
        secret = writer.secrets[state.candidates[0]]
        if node.branch:
            small, items = items_apart("" if claim.proof == EMPTY else claim.proof)
            part = replace(writer.part_at(state, node.path[:-1]), depth=node.depth)
            lemmas = self.added_up(claim, part, items)
            return SheetClaim(number, within, pairs, secret, 0, small, lemmas)
        small, items = items_apart(inside(claim.proof))
        texts = [text_of_items(item) for item in items]
        if not pairs:
            return SheetClaim(number, within, None, secret, claim.proved, small, texts)
        (*pairs, (guess, _)), bound = pairs, text_of(claim.proved)
        lemma = f"{writer.guesses[guess]} {secret} {bound} {body_of(texts)}"
        return SheetClaim(number, within, pairs, secret, 0, small, [lemma])

    def added_up(self, claim: Report, state: ProofPart, items: Sequence[Sequence[ProofItem]]) -> list[str]:
        """Return lemmas that show what a branch costs: those of its proof, and what needs no proof of others.

        Raises GuesstreeError where they do not add up to that.
        """
        writer, guess = self.writer, claim.node.path[-1]
        checker, whole, name = writer.checker, claim.proved >= INFINITE, writer.guesses[guess]
        checker.forget()
        said: dict[bytes, int] = {}
        for item, *_ in items:
            part = writer.part_of(item, state)
            if item.words[0] == name:
                checker.remember(part.candidates, part.depth, part.bound, part.under)
                said[part.candidates.tobytes()] = part.bound
        of_guess = Claim(checker, state.candidates, state.depth, claim.proved, guess, under=state.under)
        parts = of_guess.parts_of(guess, claim.proved)
        lemmas, total = [text_of_items(item) for item in items], len(state.candidates)
        for left, bound in parts:
            known = said.get(left.tobytes(), 0)
            if bound > known and not (whole and bound < INFINITE):
                lemmas.append(f"{name} {writer.secrets[left[0]]} {text_of(bound)} .")
            total = min(INFINITE, total + max(bound, known))
        if total < claim.proved:
            raise GuesstreeError(
                f"lemmas of {name} add up to {text_of(total)}; expected {text_of(claim.proved)}"
            )
        return lemmas


PROOF_SECONDS = 60.0
"""About what the proof of a first guess may take."""


class CampaignProver(Prover):
    """Solves a problem by claims of many workers, and proves what was found.

    Where guesses are counted and responses true, each claim is proved and checked by itself. Where they cost,
    or may be false, workers prove what each first guess costs.

    Parameters
    ----------
    workers, jobs: how many there are (None: one process, or all of a cluster), and the threads of each.
    cluster: where they are, see `executors.open_executor`; None: processes of this machine.
    trust: whether what the search says is believed: nothing is proved.
    check: has the proofs of claims checked, in any process; see `proofs.Proofs`.
    """

    def __init__(
        self,
        problem: Problem,
        workers: int | None,
        memory: int | None,
        ledger: Ledger | None,
        lies: int = 0,
        *,
        jobs: int = 1,
        cluster: str | None,
        trust: bool,
        check: Check,
    ) -> None:
        require(replace(problem.asked, certificate=not trust, lies=lies, cluster=cluster, trust=trust))
        self.problem, self.memory, self.jobs = problem, memory, jobs
        self.trust, self.check = trust, check
        self.lies, self.space, self.ledger = lies, claim_space(problem, lies), ledger
        self.splitters = Splitters(self.space)
        self.statement, self.least, self.total = statement_of(problem, lies), 0, 0
        self.searchers, self._writer, self._noisy, self._last = {}, None, None, None
        self.store: Store = MemoryStore() if ledger is None else ledger
        self.lemmas = Lemmas(lambda _: b"", lambda: None) if ledger is None else ledger.lemmas
        self.open = ExitStack()
        if ledger is not None:
            self.open.callback(ledger.close)
        self.hire = partial(open_executor, workers, cluster, memory, jobs)
        self.scheduler: tuple[Executor, int] | None = None

    def close(self) -> None:
        """Let go of workers and ledger."""
        self.open.close()

    def session(self, deadline: Deadline, progress: Callable[[Progress], None] | None) -> ClaimSession:
        """Return a session of the workers, which go on with what they know."""
        if self.scheduler is None:
            self.scheduler = self.open.enter_context(self.hire())
        given: dict[str, Any] = {"jobs": self.jobs, "memory": self.memory, "splitters": self.splitters}
        return ClaimSession(self.space, self.store, *self.scheduler, deadline, progress=progress, **given)

    def solve(self, deadline: Deadline, progress: Callable[[Progress], None] | None) -> Solved:
        """Return the optimum, or the best found in time."""
        session = self.session(deadline, progress)
        look_last(session)
        try:
            return session.solve()
        finally:
            self.least = session.lower.get("worst", 0)

    def best(self, aim: Aim, deadline: Deadline, progress: Callable[[Progress], None] | None) -> Proof:
        """Return the proof of a claim, or of less when the time is up."""
        if is_trivial(self.problem, aim, self.lies):
            return Proof(aim.bound, EMPTY, 0)
        half = deadline if deadline.unlimited else Deadline(deadline.left / 2, deadline)
        session = self.session(half, progress)
        try:
            if self.lies or self.problem.priced:
                return self.by_first_guesses(session, aim, deadline)
            return self.by_claims(session, aim, deadline, progress)
        except KeyboardInterrupt:
            deadline.stopped = "interrupt"
            return unsearched(self.problem, aim, self.lies)
        finally:
            session.scheduler.end()
            deadline.stopped = deadline.stopped or half.stopped

    def by_claims(
        self,
        session: ClaimSession,
        aim: Aim,
        deadline: Deadline,
        progress: Callable[[Progress], None] | None,
    ) -> Proof:
        """Return a proof that consists of claims, each of which the checker has accepted."""
        assert not isinstance(aim.bound, tuple)
        depth = self.problem.max_depth if aim.within is None else aim.within
        bound = INFINITE if aim.bound is None else aim.bound
        node = NodeId((), "worst" if bound >= INFINITE else "total", min(depth, self.problem.max_depth))
        workers, order = session.scheduler.workers, session.order
        proofs = Proofs(self.space, self.store, order, self.check, node, bound, workers, self.splitters)
        shown = 0 if self.trust else proofs.found.state((), bound)
        if shown < bound:
            shown = self.search(session, node, bound)
            proofs.look_again()
            if node.figure == "total" and aim.within == self.problem.limited:
                self.total = max(self.total, shown)
        if self.trust:
            return Proof(goal_of(shown), "", 0)
        proofs.need = min(bound, proofs.found.game(bound))
        if proofs.need < bound and not session.deadline.late():
            raise ProofError(
                f"{self.problem.game.spec}: at least {goal_of(bound)} was found, of which claims show "
                f"{proofs.need}: some were refused; start again, without them"
            )
        session.scheduler.deadline = deadline
        session.scheduler.work([proofs], lambda: self.report(proofs, deadline, progress))
        session.scheduler.end()
        proofs.look_again()
        proofs.tell()
        if not any(known.accepted for _, known in self.store.all()):
            counted = unsearched(self.problem, aim)
            enough = counted.bound if isinstance(counted.bound, int) else INFINITE
            if deadline.late() or min(proofs.reached, proofs.need) <= enough:
                return counted
        return self.assembled(proofs, deadline)

    def by_first_guesses(self, session: ClaimSession, aim: Aim, deadline: Deadline) -> Proof:
        """Return a proof that consists of lemmas about first guesses, each written by a worker."""
        if self.trust:
            return Proof(self.trusted(session, aim), "", 0)
        first = FirstGuessProofs(self.lemmas, aim)
        session.scheduler.deadline, session.phase = deadline, PHASE
        with suppress(TimeUp):
            missing = deadline.run(lambda: first.missing(self.writer), self._stop)
            jobs = [
                Job(worker.prove, (session.order, guess, aim.within, aim.bound), None, PROOF_SECONDS)
                for guess in missing
            ]
            session.scheduler.work([OneShotSource(jobs, first.keep)], session.show_progress)
            if not first.missing(self.writer):
                return first.proof()
        return self.unfinished(aim)

    def trusted(self, session: ClaimSession, aim: Aim) -> Goal:
        """Return a bound that claims show, as far as the search comes; raise ProofError for a false one."""
        figure, need = figure_and_need(self.space, aim)
        limit = NO_LIMIT if aim.within is None else self.space.limit(self.space.query(figure, aim.within))
        shown = self.search(session, NodeId((), figure, limit), need)
        if shown >= need:
            return aim.bound
        return shown if figure == "total" else unsearched(self.problem, aim, self.lies).bound

    def search(self, session: ClaimSession, node: NodeId, bound: int) -> int:
        """Search until the game is shown to cost so much, and return what is; raise ProofError for less."""
        root = session.work(self.space.query_at(node.figure, node.depth, ()), bound).root
        if root.upper < bound:
            enough = f"{plural(node.depth, 'guess')} are" if bound >= INFINITE else f"less than {bound} is"
            raise ProofError(f"{self.problem.game.spec}: {enough} enough; expected a bound that is true")
        return min(root.lower, bound)

    def assembled(self, proofs: Proofs, deadline: Deadline) -> Proof:
        """Return the proof of what was accepted."""
        writer = assembler_of(self.problem, self.memory, proofs.accepted)
        if deadline.late():
            writer.stop()
        return writer.proof(min(proofs.reached, proofs.need))

    @staticmethod
    def report(proofs: Proofs, deadline: Deadline, progress: Callable[[Progress], None] | None) -> None:
        """Tell how far the proof is."""
        lower = min(proofs.reached, proofs.need)
        if progress is not None:
            upper = None if proofs.need >= INFINITE else proofs.need
            progress(Progress(PHASE, proofs.proofs, 0, lower, upper, "", deadline.seconds))
