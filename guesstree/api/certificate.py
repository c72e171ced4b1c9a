"""`Certificate`: a proof that a stranger checks, and how it is made: `prove`."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf
from numbers import Real
from pathlib import Path
from typing import Any

from guesstree.api.progress import progress_bar
from guesstree.api.solution import Solution, with_bound
from guesstree.api.verification import NO_VERDICT, run_checker, unit_text
from guesstree.engine.campaign.ledger import Ledger
from guesstree.engine.campaign.messages import Report
from guesstree.engine.campaign.proofs import CampaignProver, Checking
from guesstree.engine.campaign.records import about_of
from guesstree.engine.campaign.worker import at_work
from guesstree.engine.errors import GuesstreeError, Infeasible, file_name, require_flag, shown
from guesstree.engine.game import Game
from guesstree.engine.notation import plural
from guesstree.engine.objective import WORST, parse_objective
from guesstree.engine.problem import Problem
from guesstree.engine.proofs.counted import CountedWriter
from guesstree.engine.proofs.prover import Aim, Proven, Prover, aims_of, fewer
from guesstree.engine.proofs.statement import Statement
from guesstree.engine.proofs.writer import ProofError
from guesstree.engine.registry import game_of
from guesstree.engine.search.deadline import Deadline, Progress
from guesstree.engine.solution import Solved
from guesstree.engine.support import EXACT, Request, require
from guesstree.trees.export.output import write_whole

LAST_SECONDS = 0.2
"""Seconds for a proof after Ctrl-C: of what needs none."""
CHECK_SHARE, CHECK_SECONDS, MOST_SECONDS = 8, 1.0, 1e9
"""The part of a time limit that is left for the check, the seconds that it has in any case, and no limit."""
PAUSES = (0.1, 1.0, 5.0)
"""Seconds before claims are checked again whose checker was killed, as it is where memory is short."""
NOT_CHECKED = "not checked"
"""How a line begins that tells that the checker came to no end."""


@dataclass(frozen=True, repr=False)
class Certificate:
    """The proof of a lower bound as a text, which a checker accepts without knowing how it was found.

    Attributes
    ----------
    text: the certificate, in the format ``guesstree-proof/1``.
    files: the files that the certificate names, by name: lists of words, or the game as a table, as for a
        game of one's own. They belong beside the certificate.
    bound: every strategy takes at least so many guesses in total, or costs so much; a tuple: at least so much
        weight is lost, then the others pay at least so much; None: no strategy settles all secrets.
    within: how many guesses the strategies may ask, or the most that a secret may cost; None: no limit.
    lemmas: how many lemmas the proof has.
    trusted: why there is no text: only the search says so; empty if there is a text.
    solution: the optimum with its strategy; None if only a bound was asked for, or if there is no strategy
        within the allowed guesses.
    more: for pairs, a second certificate, which says that fewer guesses are not enough.
    stopped: why it proves less than was asked for (``time``, ``interrupt``), or ``""``.
    claim: the claim of the certificate, in words.
    due: the end of the time limit, on the clock of `time.monotonic`.
    unit: what 1 stands for in it, in words; empty: it is 1.
    before: lemmas and bytes before it was minimised; None: it was not.
    """

    text: str
    files: Mapping[str, bytes]
    bound: int | tuple[int, ...] | None
    within: int | None
    lemmas: int
    solution: Solution | None = None
    more: Certificate | None = None
    stopped: str = ""
    trusted: str = ""
    claim: str = ""
    due: float = inf
    unit: str = ""
    before: tuple[int, int] | None = None

    def __repr__(self) -> str:
        what = "no strategy" if self.bound is None else f"at least {self.bound}"
        limit = "" if self.within is None else f" within {self.within}"
        size = "not proved" if self.trusted else f"{len(self.text)} bytes"
        beside = f", names {', '.join(self.files)}" if self.files and not self.trusted else ""
        return f"Certificate({what}{limit}, {size}{beside})"

    @cached_property
    def line(self) -> str:
        """What the checker says of it, or why there is none; raises GuesstreeError if it is refused."""
        if self.trusted:
            return self.trusted
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "some.proof"
            self._write(path)
            return self._checked(path, inf)

    @property
    def searched(self) -> dict[str, Any]:
        """What the search says where nothing is proved, as plain data: of a second certificate, the line."""
        more = [] if self.more is None else self.more.searched["searched"]
        return {"bound": self.bound, "within": self.within, "searched": [self.trusted, *more]}

    def as_json(self, path: str | os.PathLike[str], lines: Sequence[str]) -> dict[str, Any]:
        """Return what was written to a path as plain data, with the lines that `write` returned."""
        before = {} if self.before is None else dict(zip(("lemmas", "bytes"), self.before, strict=True))
        return ({"before": before} if before else {}) | {
            "files": self.names(path),
            "bound": self.bound,
            "within": self.within,
            "lemmas": self.lemmas,
            "bytes": len(self.text),
            **({"unit": self.unit} if self.unit else {}),
            "verified": [line for line in lines if not line.startswith(NOT_CHECKED)],
            "unchecked": [line for line in lines if line.startswith(NOT_CHECKED)],
        }

    def notes(self, path: str | os.PathLike[str]) -> list[str]:
        """Return which files were written beside a path, and what 1 stands for in the certificate."""
        found = []
        for name in self.names(path)[1:]:
            file = Path(name).name
            what = "the table" if file.endswith(".csv") else "words"
            why = f": {what} that {Path(path).name} names; keep them together" if file in self.files else ""
            found.append(f"wrote {name}{why}")
        return [*found, *self._left_out(), *([self.unit] if self.unit else [])]

    def _left_out(self) -> list[str]:
        """Return how much of it, and of a second one, is left after it was minimised."""
        found = [] if self.more is None else self.more._left_out()
        if self.before is None:
            return found
        lemmas, size = self.before
        left = f"{plural(self.lemmas, 'lemma')} of {lemmas}, {len(self.text)} bytes of {size}"
        return [f"minimised: {left} are left", *found]

    def write(self, path: str | os.PathLike[str], *, due: float = inf) -> list[str]:
        """Write the certificate and the files that it names beside it, and return what the checker says.

        A second one, for pairs, goes to ``NAME.worst.proof`` beside ``NAME.proof``. `due`: when the checker
        is to have ended, as `time.monotonic` tells time, though it has a second in any case. Where it has not
        ended, or was killed, what was written stays, and its line begins with "not checked".

        Raises TreeError for what cannot be written, GuesstreeError if the checker refuses what was written,
        which is then removed, and where nothing is proved.
        """
        if self.trusted:
            raise GuesstreeError(f"{self.trusted}: there is no certificate; prove it without trust")
        if not isinstance(due, Real) or isinstance(due, bool):
            raise GuesstreeError(f"due={shown(due)}; expected a time as of time.monotonic")
        path = file_name(path)
        each = [(Path(path), self)] + ([] if self.more is None else [(beside(path), self.more)])
        for there, certificate in each:  # all of it: the check may be ended
            certificate._write(there)
        return [certificate._checked(there, due) for there, certificate in each]

    def unchecked(self, path: str | os.PathLike[str], why: str) -> list[str]:
        """Return the lines that `write` returns where nothing was checked."""
        line = f"{NOT_CHECKED} ({why}): {path} says that {self.claim}; guesstree verify {path} checks it"
        return [line] if self.more is None else [line, *self.more.unchecked(beside(path), why)]

    def names(self, path: str | os.PathLike[str]) -> list[str]:
        """Return the files that `write` makes: the certificate, what it names, and a second certificate."""
        found = [str(path), *(str(Path(path).with_name(name)) for name in self.files)]
        return found if self.more is None else [*found, str(beside(path))]

    def _write(self, path: Path) -> None:
        for name, data in self.files.items():
            write_whole(path.with_name(name), data)
        write_whole(path, self.text.encode())

    def _checked(self, path: Path, due: float) -> str:
        left = due - time.monotonic()
        seconds = None if left > MOST_SECONDS else max(left, CHECK_SECONDS)
        verdict = run_checker(path, seconds)
        if verdict.status == NO_VERDICT:
            return replace(self, more=None).unchecked(path, verdict.line)[0]
        if not verdict.verified:
            path.unlink(missing_ok=True)
            raise GuesstreeError(f"the checker does not accept the proof: {verdict.line}")
        return verdict.line


def beside(path: str | os.PathLike[str]) -> Path:
    """Return where the second certificate of a pair goes."""
    path = Path(path)
    return path.with_name(f"{path.stem}.worst{path.suffix}")


def prove(
    game: Game | str,
    objective: str = "expected",
    *,
    goal: str | None = None,
    max_depth: int | None = None,
    first: str | None = None,
    candidates_only: bool = False,
    budget: int | None = None,
    lies: int = 0,
    at_least: int | None = None,
    ledger: str | os.PathLike[str] | None = None,
    jobs: int = 1,
    workers: int | None = None,
    cluster: str | None = None,
    trust: bool = False,
    time_limit: float | None = None,
    memory: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Certificate:
    """Find the optimum, and prove it so that a stranger can check the proof.

    With a ledger, several workers, a cluster or trust, the workers share claims. If each guess counts 1 and
    all responses are true, each claim is proved and checked by itself; otherwise the workers prove what each
    first guess costs.

    Parameters
    ----------
    game: a game, or the spec of one, such as ``mastermind:4x6``.
    objective: ``expected``, ``worst``, one of the pairs, or ``win-probability``.
    goal, max_depth, first, candidates_only, budget, lies, memory, progress: see `solve`.
    at_least: prove this bound; do not look for the optimum.
    ledger: a file that stores all results, so that an interrupted proof continues from there.
    jobs: threads of the search, or of each of the workers.
    workers: processes that share the work (default 1, or all of a cluster).
    cluster: where the workers run: ``ray``, ``ray:HOST:PORT``, ``dask:HOST:PORT`` or ``mpi``; None: on this
        machine.
    trust: believe the search: nothing is proved, and there is no certificate to write.
    time_limit: seconds. Half of them are for the search, an eighth is for the check, the others are for the
        proof; if they are not enough, the best bound reached is proved. Ctrl-C ends the proof at once.

    Raises Infeasible if there is no strategy, or none was found in time, and GuesstreeError for bad
    arguments, for a false bound, and for games that certificates do not cover, see `engine.support`.
    """
    require_flag("trust", trust)
    game, asked = game_of(game), parse_objective(objective)
    require(
        Request(
            game,
            asked.name,
            goal="" if goal is None else goal,
            budget=budget,
            lies=lies,
            certificate=not trust,
            at_least=at_least,
            jobs=jobs,
            workers=1 if workers is None else workers,
            cluster=cluster,
            trust=trust,
            time_limit=time_limit,
        )
    )
    options: dict[str, Any] = {"goal": goal, "max_depth": max_depth, "first": first}
    options |= {"candidates_only": candidates_only, "budget": budget}
    problem = Problem(game, asked, **options)
    with (
        progress_bar(progress) as shown,
        closing(
            prover_for(problem, ledger, workers, memory, lies, jobs=jobs, cluster=cluster, trust=trust)
        ) as prover,
    ):
        if at_least is None:
            return prove_found(prover, time_limit=time_limit, progress=shown)
        aim = fewer(at_least) if asked.figures == WORST.figures else Aim(max_depth, at_least)
        due = inf if time_limit is None else time.monotonic() + time_limit
        return replace(certificate_of(prover, [aim], Deadline(for_proof(time_limit)), shown), due=due)


def prover_for(
    problem: Problem,
    ledger: str | os.PathLike[str] | None = None,
    workers: int | None = None,
    memory: int | None = None,
    lies: int = 0,
    *,
    jobs: int = 1,
    cluster: str | None = None,
    trust: bool = False,
) -> Prover:
    """Return what solves and proves a problem: a campaign where work is to be shared or kept; see `prove`."""
    shared = ledger is not None or workers not in (None, 1) or cluster is not None or trust
    if problem.game.facts.noisy and ledger is not None:
        raise GuesstreeError(
            f"ledger={shown(str(ledger))} for {problem.game.spec}: its proofs have no parts to keep; use none"
        )
    if not shared or (problem.game.facts.noisy and cluster is None and not trust):
        require(replace(problem.asked, certificate=True, lies=lies))
        return Prover(problem, (workers or 1) * jobs, memory, ledger_of(problem, ledger, lies), lies)
    require(replace(problem.asked, certificate=not trust, lies=lies, cluster=cluster, trust=trust))
    kept = ledger_of(problem, ledger, lies)
    about: dict[str, Any] = {"jobs": jobs, "cluster": cluster, "trust": trust, "check": checked}
    return CampaignProver(problem, workers, memory, kept, lies, **about)


def ledger_of(problem: Problem, path: str | os.PathLike[str] | None, lies: int = 0) -> Ledger | None:
    """Return the ledger of a problem in a file, if there is to be one; raise GuesstreeError for another's."""
    return None if path is None else Ledger(file_name(path), about_of(problem, lies))


def prove_found(
    prover: Prover,
    find: Callable[..., Solved] | None = None,
    time_limit: float | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Certificate:
    """Return the certificate of what `find` finds in half of the time, if not the usual search; see `prove`.

    It is a proof of the optimum, or of the lower bound that was left, with a strategy or, for a worst case,
    without one; or that there is no strategy within the guesses allowed.
    """
    problem, started = prover.problem, time.monotonic()
    due, share = inf if time_limit is None else started + time_limit, for_proof(time_limit)
    solved = None if prover.ledger is None else prover.ledger.solution(problem.game)
    if solved is None:
        half = None if time_limit is None else time_limit / 2
        deadline = Deadline(half)
        try:
            solved = prover.solve(deadline, progress) if find is None else find(time_limit=half)
        except Infeasible:
            reached = prover.least if problem.objective.figures == WORST.figures else 0
            if find is not None or not (reached if deadline.stopped else problem.limited):
                raise
            aim = fewer(reached) if deadline.stopped else Aim(problem.limited, None)
            left = None if share is None else share + started - time.monotonic()
            if deadline.stopped == "interrupt":
                left = LAST_SECONDS
            found = certificate_of(prover, [aim], Deadline(left), progress)
            return replace(found, stopped=deadline.stopped or found.stopped, due=due)
        if prover.ledger is not None and solved.optimal:
            prover.ledger.keep_solution(solved)
    solution = Solution(**vars(solved))
    left = None if share is None else share + started - time.monotonic()
    if solution.stopped == "interrupt":
        left = LAST_SECONDS
    deadline = Deadline(left)
    try:
        found = certificate_of(prover, aims_of(solution, problem.limited, problem.budget), deadline, progress)
    except ProofError:
        if prover.ledger is not None:
            prover.ledger.forget_solution()
        raise
    raised = with_bound(solution, found.bound, prover.total)
    if prover.ledger is not None and raised.optimal and not solution.optimal:
        prover.ledger.keep_solution(raised)
    return replace(found, solution=raised, stopped=solution.stopped or deadline.stopped, due=due)


def certified(
    game: Game,
    objective: str,
    progress: Callable[[Progress], None] | None,
    find: Callable[..., Solved] | None = None,
    *,
    lies: int,
    jobs: int,
    memory: int | None,
    time_limit: float | None,
    method: str = EXACT,
    width: int | None = None,
    **limits: Any,
) -> tuple[Solution, Certificate]:
    """Return what a search finds, and the certificate of it; see `prove_found`.

    Raises GuesstreeError, before any work, for what certificates do not cover.
    """
    problem = Problem(game, parse_objective(objective), **limits)
    require(replace(problem.asked, certificate=True, method=method, lies=lies, width=width))
    with closing(prover_for(problem, workers=jobs, memory=memory, lies=lies)) as prover:
        found = prove_found(prover, find, time_limit, progress)
    if found.solution is None:
        raise Infeasible(problem.no_strategy(""))
    return found.solution, found


def for_proof(time_limit: float | None) -> float | None:
    """Return the seconds of a time limit without those that are left for the check."""
    return None if time_limit is None else time_limit * (1 - 1 / CHECK_SHARE)


def certificate_of(
    prover: Prover, aims: Sequence[Aim], deadline: Deadline, progress: Callable[[Progress], None] | None
) -> Certificate:
    """Return the certificate of a claim; with a second claim, it has more."""
    more = [certificate_of(prover, aims[1:], deadline, progress)] if aims[1:] else []
    proven = prover.prove(aims[0], deadline, progress)
    claim = claim_text(prover.problem, proven)
    proof = proven.proof
    unit = unit_text(prover.problem.game, prover.problem.objective.name)
    trusted = "" if proof.body else f"not proved, as the search says: {claim}{f' ({unit})' * bool(unit)}"
    return Certificate(
        "" if trusted else proven.text,
        proven.statement.game.files,
        proof.bound,
        proven.statement.within,
        proof.lemmas,
        more=next(iter(more), None),
        stopped=deadline.stopped,
        trusted=trusted,
        claim=claim,
        unit=unit,
    )


def claim_text(problem: Problem, proven: Proven) -> str:
    """Return what a certificate says, as the checker would say it."""
    within, first = proven.statement.within, proven.statement.first
    bound = proven.proof.bound
    if bound is not None and not isinstance(bound, tuple):
        bound = proven.statement.scaled(bound)
    what = f"every strategy for {problem.secrets} secrets costs at least {bound}"
    if proven.proof.bound is None:
        what = f"no strategy settles all {problem.secrets} secrets"
    if within is not None and problem.game.facts.noisy:
        within = proven.statement.limit(within)
    limit = "" if within is None else f" within {plural(within, 'guess')}"
    after = "" if first == "-" else f", first guess {first}"
    return f"{what}{limit}{after}"


def checked(order: bytes, reports: tuple[Report, ...]) -> tuple[str, ...]:
    """Return what the checker has against the proof of each claim; empty: it is accepted."""
    with at_work(order) as worker:
        assert isinstance(worker.writer, CountedWriter)
        return tuple(Checking(worker.writer, worker.paths, refusal).verdicts(reports))


def refusal(statement: Statement, text: str) -> str:
    """Return what the checker says of a certificate that it refuses; empty: it is accepted.

    A checker that was killed says nothing of the certificate: it is checked again. Raises GuesstreeError
    where that does not help.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "claims.proof"
        path.write_text(text)
        for name, data in statement.game.files.items():
            path.with_name(name).write_bytes(data)
        for pause in (*PAUSES, None):
            verdict = run_checker(path)
            if verdict.status != NO_VERDICT:
                break
            if pause is None:
                raise GuesstreeError(
                    f"{verdict.line}, {len(PAUSES) + 1} times in a row: claims are not checked; use fewer "
                    "workers where memory is short"
                )
            time.sleep(pause)
    return "" if verdict.verified else verdict.line
