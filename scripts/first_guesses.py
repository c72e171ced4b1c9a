"""Prove of every first guess of a game what it takes at least, one after the other; stop and take up at will.

What is proved of each first guess is one line of a file. A first guess is done when it is shown to take
at least `--reach` guesses: in all (objective expected), or in the worst case. When all are done, the game is
shown to take as many. Of guesses that the symmetry of the game makes equal one is taken. Easy ones come
first: those bounded highest by counting.

    game=wordle:answers.txt,allowed.txt
    python scripts/first_guesses.py $game --reach 7920 --state total.jsonl --jobs 2
    python scripts/first_guesses.py $game --objective worst --reach 5 --state worst.jsonl
    python scripts/first_guesses.py ... --record "Wordle, original lists"     for docs/results.json

Exit status: 0 all reach it; 1 one is proved to take less; 3 some are left; 130 interrupted.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
import time
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from results import RESULTS, load, save

import guesstree
from guesstree.engine.errors import GuesstreeError
from guesstree.engine.game import Game
from guesstree.engine.objective import OBJECTIVES
from guesstree.engine.problem import Problem
from guesstree.engine.registry import parse
from guesstree.engine.search.first_guesses import first_guesses
from guesstree.engine.search.kind import Room
from guesstree.engine.search.run import Run
from guesstree.engine.search.solve import kind_of
from guesstree.engine.search.watch import Watch
from guesstree.engine.support import Request, require

FORMAT = "guesstree-first-guesses/1"
OBJECTIVE_NAMES = ("expected", "worst")
EVERY = 20.0
"""Seconds between two lines of progress."""
WIDTH = 10
"""Of the beam that finds a strategy to compare with."""


@dataclass
class Line:
    """What is proved of one first guess: it takes at least `lower`; `less`: and less than asked for.

    `seconds` are of one processor, so that they do not depend on what else runs.
    """

    guess: str
    lower: int
    less: bool
    evaluations: int
    seconds: float


@dataclass
class State:
    """The file: what it is about, and what is known of each first guess."""

    path: Path
    head: dict[str, Any]
    lines: dict[str, Line] = field(default_factory=dict)

    def begin(self) -> None:
        """Begin the file, or take it up; raises GuesstreeError when it is about something else.

        A line that a killed process left unfinished is ended; it counts for nothing.
        """
        if not self.path.exists() or not self.path.stat().st_size:
            self.path.write_text(json.dumps(self.head) + "\n", encoding="utf-8")
        text = self.path.read_text(encoding="utf-8")
        head = _parsed(text.partition("\n")[0])
        if head != self.head:
            raise GuesstreeError(f"{self.path} is about {head}; expected {self.head}")
        if not text.endswith("\n"):
            with self.path.open("a", encoding="utf-8") as file:
                file.write("\n")
        self.read()

    def read(self) -> None:
        """Read what is known of each first guess."""
        self.lines.clear()
        for text in self.path.read_text(encoding="utf-8").splitlines()[1:]:
            entry = _parsed(text)
            if entry is not None:
                self.learn(Line(**entry))

    def learn(self, new: Line) -> None:
        """Take in a line: the better bound counts, the work adds up."""
        old = self.lines.get(new.guess)
        if old is not None:
            new.lower, new.less = max(old.lower, new.lower), old.less or new.less
            new.evaluations, new.seconds = old.evaluations + new.evaluations, old.seconds + new.seconds
        self.lines[new.guess] = new


def _parsed(line: str) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        return None


def digest(game: Game) -> str:
    """Return a checksum of what may be hidden, what may be asked, and all responses."""
    problem = Problem(game, OBJECTIVES["expected"])
    text = json.dumps([list(game.secrets), list(game.guesses), list(game.responses)], ensure_ascii=False)
    return sha256(text.encode() + np.ascontiguousarray(problem.table).tobytes()).hexdigest()


def waiting(game: Game, objective: str) -> list[tuple[int, int]]:
    """Return at least what each first guess takes by counting, and the guess; easy ones first.

    Guesses that tell nothing are left out: asked first, they are never better than what follows them.
    """
    problem = Problem(game, OBJECTIVES["expected"])
    totals = sorted(first_guesses(problem), key=lambda t: (-t[0], t[1]))
    return [(total if objective == "expected" else problem.least_depth, guess) for total, guess in totals]


def work(
    spec: str,
    objective: str,
    reach: int,
    todo: list[int],
    limit: float | None,
    memory: int | None,
    path: Path,
) -> None:
    """Prove what is left, one first guess after the other; write a line for each, at once."""
    game = parse(spec)
    problem, total = Problem(game, OBJECTIVES[objective]), objective == "expected"
    run = Run(kind_of(problem), Room.of(problem, 1, memory), Watch(limit))
    question = run.kind.question("total") if total else run.kind.question("worst", reach - 1)
    searcher = run.searcher(question)
    with path.open("a", encoding="utf-8") as file:
        for guess in todo:
            if run.watch.late():
                return
            started, before = time.process_time(), searcher.evaluations
            found = run.after_first(searcher, question, reach, guess)
            proved = min(found.lower, reach)
            line = Line(
                game.guesses[guess],
                proved if total or proved == reach else 1,
                found.upper < reach,
                searcher.evaluations - before,
                round(time.process_time() - started, 4),
            )
            file.write(json.dumps(asdict(line)) + "\n")
            file.flush()


def worker(*given: Any) -> None:
    """Do `work` in a process of its own, until it is done or its parent, which hears Ctrl-C, says to end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        work(*given)
    except KeyboardInterrupt:  # between two searches; during one it ends the search
        sys.exit(130)


@dataclass
class Summary:
    """What the file shows together."""

    first_guesses: int
    reached: int
    less: int
    lower: int
    evaluations: int
    seconds: float

    @classmethod
    def of(cls, state: State, counted: dict[str, int]) -> Summary:
        """Return it; `counted` is at least what each first guess takes by counting."""
        reach, lines = state.head["reach"], state.lines.values()
        lowers = [state.lines[g].lower if g in state.lines else 0 for g in counted]
        return cls(
            len(counted),
            sum(lower >= reach for lower in lowers),
            sum(line.less for line in lines),
            min(max(pair) for pair in zip(lowers, counted.values(), strict=True)),
            sum(line.evaluations for line in lines),
            round(sum(line.seconds for line in lines), 1),
        )

    def text(self, reach: int) -> str:
        """Return it in words."""
        less = f", {self.less} less" if self.less else ""
        return (
            f"{self.reached} of {self.first_guesses} first guesses take at least {reach}{less}; "
            f"the game at least {self.lower}; {self.evaluations} evaluations, "
            f"{self.seconds:.1f} s of one processor"
        )


def run_all(given: argparse.Namespace, state: State, todo: list[int], counted: dict[str, int]) -> bool:
    """Let processes do what is left, and say how far they are; return whether they were interrupted."""
    limit = None if given.time_limit is None else float(given.time_limit)
    memory = None if given.memory is None else given.memory << 20
    context = get_context("spawn")
    shared = (given.game, given.objective, given.reach)
    processes = [
        context.Process(target=worker, args=(*shared, todo[i :: given.jobs], limit, memory, state.path))
        for i in range(given.jobs)
    ]
    interrupted, told = False, time.monotonic()
    for process in processes:
        process.start()
    while any(process.is_alive() for process in processes):
        try:
            for process in processes:
                process.join(0.1)
            if time.monotonic() - told > EVERY:
                told = time.monotonic()
                state.read()
                print(Summary.of(state, counted).text(given.reach), flush=True)
        except KeyboardInterrupt:  # the processes end what they are at, and write it
            interrupted = True
            for process in processes:
                process.terminate()
    failed = any(process.exitcode not in (0, 130) for process in processes)
    if failed and not interrupted:  # an interrupted process may not even have begun
        raise GuesstreeError("a process failed; what the others proved is kept")
    state.read()
    return interrupted


def record(name: str, game: Game, given: argparse.Namespace, summary: Summary, head: dict[str, Any]) -> None:
    """Enter what is proved in docs/results.json, with a strategy found by a beam and replayed by the checker.

    Raises GuesstreeError when that strategy is not valid.
    """
    solution = guesstree.solve(game, given.objective, width=WIDTH)
    report = solution.strategy.check()
    if not report.valid or report.messages():
        raise GuesstreeError(f"the tree fails the check: {'; '.join(report.messages()[:3])}")
    upper = report.total if given.objective == "expected" else report.worst
    assert upper is not None, "the tree is valid"
    if upper < summary.lower:
        raise GuesstreeError(f"CONTRADICTION: a strategy takes {upper}, at least {summary.lower} was proved")
    known = {
        "objective": given.objective,
        "secrets": len(game.secrets),
        "guesses": len(game.guesses),
        "sha256": head["sha256"],
        "reach": given.reach,
        **asdict(summary),
        "upper": upper,
        "jobs": given.jobs,
    }
    records = load(given.results, "first_guesses") | {f"{name}: {given.objective}": known}
    save(given.results, "first_guesses", records)


def arguments_of(arguments: list[str]) -> argparse.Namespace:
    """Return the options."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", metavar="GAME", help="a game spec, see `guesstree games`")
    parser.add_argument("--objective", choices=OBJECTIVE_NAMES, default="expected")
    parser.add_argument("--reach", type=int, required=True, metavar="N", help="what is to be shown of each")
    parser.add_argument("--state", type=Path, required=True, metavar="FILE", help="one line per first guess")
    parser.add_argument("--time-limit", type=float, metavar="SECONDS", help="default: none")
    parser.add_argument("--jobs", type=int, default=1, help="processes (default: 1)")
    parser.add_argument(
        "--memory", type=int, metavar="MB", help="of each process (default: half of the machine's)"
    )
    parser.add_argument("--record", metavar="NAME", help="enter the result under this name, see --results")
    parser.add_argument(
        "--results", type=Path, default=RESULTS, metavar="FILE", help="default: docs/results.json"
    )
    return parser.parse_args(arguments)


def main(arguments: list[str]) -> int:
    """Prove what is left; return the exit status."""
    given = arguments_of(arguments)
    for number in (signal.SIGINT, signal.SIGTERM):  # also where the shell had Ctrl-C ignored
        signal.signal(number, signal.default_int_handler)
    try:
        if given.reach < 2:
            raise GuesstreeError(f"--reach {given.reach}; expected at least 2")
        game = parse(given.game)
        require(Request(game, jobs=given.jobs, time_limit=given.time_limit))
        head = {"format": FORMAT, "objective": given.objective, "reach": given.reach, "sha256": digest(game)}
        state = State(given.state, head)
        state.begin()
        easy_first = waiting(game, given.objective)
        counted = {game.guesses[guess]: lower for lower, guess in easy_first}
        known = {g for g, line in state.lines.items() if line.less or line.lower >= given.reach}
        todo = [guess for _, guess in easy_first if game.guesses[guess] not in known]
        interrupted = bool(todo) and run_all(given, state, todo, counted)
        summary = Summary.of(state, counted)
        print(f"{given.game} {given.objective}: {summary.text(given.reach)}")
        if given.record is not None:
            record(given.record, game, given, summary, head)
    except GuesstreeError as error:
        print(f"first_guesses.py: {error}", file=sys.stderr)
        return 2
    if interrupted:
        return 130
    return 1 if summary.less else 0 if summary.reached == summary.first_guesses else 3


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
