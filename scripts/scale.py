"""Simulate campaigns on 1 to 10,000 workers, and estimate what larger games would take: docs/scale.md.

What is worked out is kept in docs/scale.json, so that a run may be stopped and taken up again.

    python scripts/scale.py                     work out what is missing
    python scripts/scale.py mastermind:4x8      work out this game anew
    python scripts/scale.py --plots             draw the curves beside docs/scale.json
    python scripts/scale.py --table             print the tables of docs/scale.md
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise, product
from math import exp, log, perm
from pathlib import Path
from typing import Any

import numpy as np

from guesstree.api.batch_check import checked
from guesstree.engine.campaign.scheduler import Job
from guesstree.engine.campaign.simulation import (
    Efforts,
    Losses,
    Overheads,
    Replaying,
    Simulated,
    SimulatedCrew,
    SimulatedWorkers,
    simulate,
)
from guesstree.engine.campaign.tree import BudgetPolicy
from guesstree.engine.campaign.worker import Order, Worker
from guesstree.engine.objective import OBJECTIVES
from guesstree.engine.problem import Problem
from guesstree.engine.registry import parse
from guesstree.engine.search.deadline import Deadline
from guesstree.trees.export.output import write_whole
from guesstree.trees.export.plots import Curve, curves

DOCS = Path(__file__).parent.parent / "docs"
FIGURES = DOCS / "scale.json"
RESULTS = DOCS / "results.json"
GAMES = {"mastermind:4x8": (1, 2, 4, 16, 64), "bulls:4x10": (1, 4, 16, 64)}
"""Games that are simulated claim by claim, on so many workers."""
PROVED = (1, 16)
"""So many workers prove what was found, too."""
MANY, DAYS = (100, 300, 1000, 3000, 10_000), 10
"""Workers for claims that are drawn, and days that one worker would take for them."""
LARGE = ("mastermind:5x8", "bulls:5x10")
"""Games that are too large to be tried."""
MEMORY = 1 << 30
HOUR, DAY, WEEK, YEAR = 3600, 86_400, 604_800, 31_557_600
GROWN = 5000
"""Effort grows faster among larger games: those of fewer secrets say little about them."""
LIFE = 6 * HOUR
"""How long a worker of a cluster lasts on average, in seconds."""
TASK = 0.002
"""Seconds of the coordinator for a task, where nothing is measured."""
Record = dict[str, Any]


# -- claim by claim ------------------------------------------------------------------------------------------


def problem_of(spec: str) -> Problem:
    """Return the problem that is simulated: the least total."""
    return Problem(parse(spec), OBJECTIVES["expected"])


def measured(worker: Replaying, costs: Overheads) -> tuple[Efforts, float]:
    """Return what a claim takes on this machine, and the coordinator for a task.

    By least squares over the claims of a campaign on 16 workers.
    """
    run = simulate(worker.problem, 16, lambda: worker, Overheads(costs.message, task=None))
    found = list(worker.found.values())
    rows = np.array([(1, told.evaluations) for told in found], dtype=np.float64)
    seconds = np.array([told.seconds for told in found])
    claim, evaluation = np.linalg.lstsq(rows, seconds, rcond=None)[0]
    return Efforts(max(float(claim), 0.0), float(evaluation)), run.coordinated / run.tasks


def simulated(spec: str, counts: Sequence[int]) -> Record:
    """Return how a game goes on so many workers, with and without losses."""
    problem = problem_of(spec)
    order = Order.of(problem, MEMORY, 1)
    worker = Replaying(order, Efforts())
    efforts, task = measured(worker, Overheads())
    worker.efforts, costs = efforts, Overheads(task=task)
    alone = simulate(problem, 1, lambda: Worker(order), costs)
    needed = efforts.claim * alone.claims + efforts.evaluation * alone.evaluations
    runs = []
    for workers in counts:
        run = simulate(problem, workers, lambda: worker, costs)
        losses = Losses(10 * run.seconds, 0.1, run.seconds / 2, 0.05, 0.5)
        with_losses = simulate(problem, workers, lambda: worker, costs, losses)
        assert run.lower == run.upper == with_losses.lower == alone.lower
        runs.append(asdict(run) | {"with_losses": asdict(with_losses)})
        print(
            spec, workers, f"{run.seconds:.2f} s, efficiency {needed / workers / run.seconds:.2f}", flush=True
        )
    return {
        "claim": efforts.claim,
        "evaluation": efforts.evaluation,
        "task": task,
        "needed": needed,
        "evaluations": alone.evaluations,
        "runs": runs,
        "proved": [asdict(run) for run in proved(problem, order, worker)],
    }


def proved(problem: Problem, order: Order, worker: Replaying) -> list[Simulated]:
    """Return how it goes where what was found is proved: with one worker that remembers, then with more."""
    runs = [simulate(problem, 1, lambda: Worker(order), Overheads(task=None), check=checked)]
    runs += [simulate(problem, n, lambda: worker, Overheads(task=None), check=checked) for n in PROVED[1:]]
    for run in runs:
        print(problem.game.spec, run.workers, f"proved in {run.seconds:.2f} s", flush=True)
    return runs


# -- claims that are drawn -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Part:
    """Claims that are only drawn: the work in each, and how much of that is allowed, in seconds."""

    works: tuple[float, ...]
    limit: float

    @property
    def seconds(self) -> float:
        """What a worker takes for them, whether they end or not."""
        return sum(min(work, self.limit) for work in self.works)


class Drawn:
    """Claims with efforts that are drawn, as a source of tasks: what takes too long is split, as in the tree.

    Parameters
    ----------
    work: seconds of search in all.

    What would take far too long is split before anybody tries it, as the tree knows what claims like it took;
    what takes little goes with others.
    """

    PARTS, FAR = 12, 4

    def __init__(self, work: float, workers: int) -> None:
        self.pace, self.dice = BudgetPolicy(workers), random.Random(1)
        self.open, self.flying = [work], 0

    @property
    def finished(self) -> bool:
        """See `coordinator.Source`."""
        return not self.open and not self.flying

    def next(self, room: int) -> list[Job]:
        """See `coordinator.Source`."""
        limit = self.pace.slice
        found: list[Job] = []
        while self.open and len(found) < room:
            works: list[float] = []
            while self.open and sum(works) < limit:
                work = self.open.pop()
                if work > self.FAR * limit:
                    self.divide(work)
                else:
                    works.append(work)
            found.append(Job(Part, (tuple(works), limit), works))
        self.flying += len(found)
        return found

    def divide(self, work: float) -> None:
        """Split a claim."""
        shares = [self.dice.expovariate(1) for _ in range(self.PARTS)]
        self.open += [work * share / sum(shares) for share in shares]

    def take(self, task: Job, result: Part) -> None:  # noqa: ARG002 - see `coordinator.Source`
        """See `coordinator.Source`: nothing of what was cut off counts."""
        self.flying -= 1
        self.pace.seconds += result.seconds
        for work in result.works:
            if work > result.limit:
                self.divide(work)

    def lose(self, task: Job) -> None:
        """See `coordinator.Source`."""
        self.flying -= 1
        self.open += task.what

    def hear(self, told: object) -> None:
        """See `coordinator.Source`."""


def drawn(work: float, workers: int, costs: Overheads, losses: Losses) -> Record:
    """Return how so much work goes on so many workers."""
    executor = SimulatedWorkers(workers, lambda: None, costs, losses)
    crew = SimulatedCrew(executor, Deadline(None))
    crew.work([Drawn(work, workers)], lambda: None)
    return {
        "workers": workers,
        "seconds": executor.time,
        "tasks": executor.tasks,
        "searched": executor.searched,
        "lost": executor.lost,
        "coordinated": executor.coordinated,
    }


# -- how effort grows ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Cell:
    """A game whose least total is proved, and what that took.

    Attributes
    ----------
    evaluations: of the search. seconds: of all its threads, at most.
    """

    family: str
    pegs: int
    colours: int
    evaluations: int
    seconds: float

    @property
    def secrets(self) -> int:
        """How many secrets it has."""
        return secrets_of(self.family, self.pegs, self.colours)


def secrets_of(family: str, pegs: int, colours: int) -> int:
    """Return how many codes there are."""
    return perm(colours, pegs) if family == "bulls" else colours**pegs


def size_of(spec: str) -> tuple[str, int, int]:
    """Return family, pegs and colours of a spec."""
    family, _, size = spec.partition(":")
    pegs, _, colours = size.partition("x")
    return family, int(pegs), int(colours)


def settled(results: Mapping[str, Record]) -> dict[tuple[str, int, int], Cell]:
    """Return the cells of docs/results.json that are proved by a search, least totals to win."""
    found = {}
    for name, row in results.items():
        spec, *what = name.split(" ")
        proved = row["lower"] == row["upper"] and row["evaluations"]
        if proved and what == ["expected", "win"] and spec.startswith(("mastermind:", "bulls:")):
            size = size_of(spec)
            found[size] = Cell(*size, row["evaluations"], row["seconds"] * row["jobs"])
    return found


def growth(cells: Mapping[tuple[str, int, int], Cell]) -> dict[tuple[str, int, int], float]:
    """Return the power of the secrets that effort grew by, from one colour less to each larger game.

    Few colours are another matter: with three, effort is hardly more than with two.
    """
    found = {}
    for (family, pegs, colours), cell in cells.items():
        before = cells.get((family, pegs, colours - 1))
        if before is not None and colours > 4 and cell.secrets >= GROWN:
            ratio = cell.evaluations / before.evaluations
            found[family, pegs, colours] = log(ratio) / log(cell.secrets / before.secrets)
    return found


def foreseen(cell: Cell, colours: int, powers: Sequence[float]) -> list[float]:
    """Return the evaluations of a game with more colours: in 10 %, 50 % and 90 % of all ways.

    A way takes one of the powers for each colour more.
    """
    sizes = [log(secrets_of(cell.family, cell.pegs, c)) for c in range(cell.colours, colours + 1)]
    steps = [after - before for before, after in pairwise(sizes)]
    ways = product(powers, repeat=len(steps))
    grown = [sum(power * step for power, step in zip(way, steps, strict=True)) for way in ways]
    return [cell.evaluations * exp(float(q)) for q in np.quantile(grown, [0.1, 0.5, 0.9])]


def estimated(results: Mapping[str, Record]) -> Record:
    """Return what the large games would take, and how well the same method foresees each that is known."""
    cells = settled(results)
    powers = growth(cells)
    per_evaluation = [cells[size].seconds / cells[size].evaluations for size in powers]
    tried = {}
    for family, pegs, colours in powers:
        others = [power for size, power in powers.items() if size != (family, pegs, colours)]
        before, cell = cells[family, pegs, colours - 1], cells[family, pegs, colours]
        tried[f"{family}:{pegs}x{colours}"] = [cell.evaluations, *foreseen(before, colours, others)]
    games = {}
    for spec in LARGE:
        family, pegs, colours = size_of(spec)
        known = max(c for f, p, c in cells if (f, p) == (family, pegs))
        evaluations = foreseen(cells[family, pegs, known], colours, list(powers.values()))
        times = zip(evaluations, np.quantile(per_evaluation, [0.1, 0.5, 0.9]).tolist(), strict=True)
        games[spec] = {
            "from": f"{family}:{pegs}x{known}",
            "evaluations": evaluations,
            "seconds": [many * each for many, each in times],
        }
    return {
        "powers": {f"{f}:{p}x{c}": power for (f, p, c), power in powers.items()},
        "evaluation": [min(per_evaluation), max(per_evaluation)],
        "tried": tried,
        "games": games,
    }


# -- figures -------------------------------------------------------------------------------------------------


def efficiency(game: Record, run: Record) -> float:
    """Return the part of the time of all workers that one worker would have needed."""
    return float(game["needed"] / (run["workers"] * run["seconds"]))


def wasted(game: Record) -> float:
    """Return how many times the work of one worker 16 do, or the most that were simulated."""
    run = max((run for run in game["runs"] if run["workers"] <= 16), key=lambda run: run["workers"])
    return float(run["searched"] / game["needed"])


def plots(known: Record, folder: Path) -> None:
    """Draw efficiency and time against workers."""
    lines = []
    for spec, game in known["games"].items():
        workers = [run["workers"] for run in game["runs"]]
        lines.append(Curve(spec, workers, [efficiency(game, run) for run in game["runs"]], dots=True))
        busy = [run["searched"] / run["workers"] / run["seconds"] for run in game["runs"]]
        lines.append(Curve(f"{spec}, workers at work", workers, busy))
    curves("Claims of small games, search alone", "workers", "efficiency", lines, folder / "scale-small.svg")
    large, hours = known["large"], []
    lines = []
    for name, runs in (("no losses", large["runs"]), ("with losses", large["runs_lost"])):
        workers = [run["workers"] for run in runs]
        lines.append(Curve(name, workers, [efficiency(large, run) for run in runs], dots=True))
        hours.append(Curve(name, workers, [run["seconds"] / HOUR for run in runs], dots=True))
    busy = [run["coordinated"] / run["seconds"] for run in large["runs"]]
    lines.append(Curve("coordinator at work", workers, busy))
    hours.append(
        Curve("the work of one worker, shared out", workers, [large["needed"] / n / HOUR for n in workers])
    )
    title = f"{DAYS} days of work, claims drawn"
    curves(title, "workers", "efficiency", lines, folder / "scale.svg")
    curves(title, "workers", "hours", hours, folder / "scale-time.svg", log=True)


def lines_of(names: int, heads: str, rows: Sequence[Sequence[object]]) -> list[str]:
    """Return the lines of a table: so many columns are names, the others numbers."""
    columns = heads.split(", ")
    under = "|" + "---|" * names + "---:|" * (len(columns) - names)
    body = [f"| {' | '.join(map(str, row))} |" for row in rows]
    return [f"| {' | '.join(columns)} |", under, *body]


def small_table(known: Record) -> list[str]:
    """Return the lines of the table of the small games."""
    heads = "game, workers, seconds, efficiency, with losses, at work, tasks, coordinator, longest"
    rows = []
    for spec, game in known["games"].items():
        for run in game["runs"]:
            lost = efficiency(game, run["with_losses"])
            busy = run["searched"] / run["workers"] / run["seconds"]
            shares = (efficiency(game, run), lost, busy)
            columns = [spec, run["workers"], f"{run['seconds']:.2f}", *(f"{share:.2f}" for share in shares)]
            columns += [run["tasks"], f"{run['coordinated'] / run['seconds']:.2f}", f"{run['longest']:.2f}"]
            rows.append(columns)
    return lines_of(1, heads, rows)


def large_table(known: Record) -> list[str]:
    """Return the lines of the table of many workers."""
    large, rows = known["large"], []
    for run, lost in zip(large["runs"], large["runs_lost"], strict=True):
        columns = [f"{run['workers']:,}"]
        for one in (run, lost):
            columns += [f"{one['seconds'] / HOUR:,.2f}", f"{efficiency(large, one):.2f}"]
        rows.append([*columns, f"{run['coordinated'] / run['seconds']:.2f}"])
    return lines_of(0, "workers, hours, efficiency, hours with losses, efficiency, coordinator", rows)


def proved_table(known: Record) -> list[str]:
    """Return the lines of the table of proofs."""
    heads = "game, workers, found after, proved after, efficiency, at work, coordinator, longest"
    rows = []
    for spec, game in known["games"].items():
        needed = game["proved"][0]["searched"]
        for run in game["proved"]:
            whole = run["workers"] * run["seconds"]
            columns = [spec, str(run["workers"])]
            numbers = (run["found"], run["seconds"], needed / whole, run["searched"] / whole)
            columns += [f"{n:.2f}" for n in (*numbers, run["coordinated"] / run["seconds"], run["longest"])]
            rows.append(columns)
    return lines_of(1, heads, rows)


def estimate_table(known: Record) -> list[str]:
    """Return the lines of the table of estimates."""
    heads = "game, from, 10^9 evaluations, core-days, core-years, workers for a week"
    rows: list[list[str]] = []
    waste = max(wasted(game) for game in known["games"].values())
    for spec, game in known["estimate"]["games"].items():
        evaluations = " to ".join(f"{n / 1e9:,.0f}" for n in game["evaluations"][::2])
        low, middle, high = (seconds * waste for seconds in game["seconds"])
        days, years, weeks = (
            f"{middle / unit:,.{digits}f} ({low / unit:,.{digits}f} to {high / unit:,.{digits}f})"
            for unit, digits in ((DAY, 0), (YEAR, 2), (WEEK, 1))
        )
        rows.append([spec, game["from"], evaluations, days, years, weeks])
    return lines_of(2, heads, rows)


def growth_table(known: Record) -> list[str]:
    """Return the lines of the table of games by which effort grew."""
    rows = []
    for spec, (evaluations, low, _, high) in known["estimate"]["tried"].items():
        power = known["estimate"]["powers"][spec]
        others = f"{low / 1e6:.1f} to {high / 1e6:.1f} M"
        rows.append([spec, f"{power:.1f}", f"{evaluations / 1e6:.1f} M", others])
    return lines_of(1, "game, power, evaluations, foreseen by the others", rows)


def tables(known: Record) -> list[list[str]]:
    """Return the tables of the page."""
    parts = (small_table, proved_table, large_table, growth_table, estimate_table)
    return [part(known) for part in parts]


def large() -> Record:
    """Return how the work of some days of one worker goes on many workers."""
    work = float(DAYS * DAY)
    runs: dict[str, list[Record]] = {"runs": [], "runs_lost": []}
    for workers in MANY:
        lost = Losses(LIFE, 0.1, work / workers / 2, noticed=30.0, absent=300.0)
        for name, losses in (("runs", Losses()), ("runs_lost", lost)):
            runs[name].append(drawn(work, workers, Overheads(message=0.01, task=TASK), losses))
            print(workers, f"{runs[name][-1]['seconds'] / HOUR:.2f} h", flush=True)
    return {"needed": work, **runs}


def main(arguments: list[str] | None = None) -> None:
    """Work out what is missing, draw the curves or print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="*", metavar="GAME", help="games to work out anew")
    parser.add_argument("--figures", type=Path, default=FIGURES, help="where the figures are kept")
    parser.add_argument("--results", type=Path, default=RESULTS, help="what the estimates rest on")
    parser.add_argument("--plots", action="store_true", help="draw the curves beside the figures")
    parser.add_argument("--table", action="store_true", help="print the tables")
    options = parser.parse_args(arguments)
    known: Record = json.loads(options.figures.read_text()) if options.figures.exists() else {"games": {}}
    if options.plots:
        plots(known, options.figures.parent)
    if options.table:
        print("\n\n".join("\n".join(lines) for lines in tables(known)))
    if options.plots or options.table:
        return
    for spec in options.games or [spec for spec in GAMES if spec not in known["games"]]:
        known["games"][spec] = simulated(spec, GAMES.get(spec, (1, 2, 4, 16)))
        keep(options.figures, known)
    known["estimate"] = estimated(json.loads(options.results.read_text())["cells"])
    if options.games or "large" not in known:
        known["large"] = large()
    keep(options.figures, known)


def keep(path: Path, known: Record) -> None:
    """Write what is known."""
    write_whole(path, (json.dumps(known, indent=1) + "\n").encode())


if __name__ == "__main__":
    main()
