"""`Mixed`: the value of a game against a codemaker who mixes, with the strategies of both mixtures."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

from guesstree.api.strategy import Strategy
from guesstree.engine.errors import GameError
from guesstree.engine.exact import exact_text, rounded_text
from guesstree.engine.game import Game
from guesstree.engine.mixed.solve import MixedSolved
from guesstree.engine.mixed.solve import solve_mixed as search
from guesstree.engine.objective import EXPECTED, bounds_text
from guesstree.engine.search.deadline import Progress
from guesstree.engine.support import MIXED
from guesstree.engine.tables.canonical import canonical_form
from guesstree.engine.tables.table import Content
from guesstree.trees.check import check
from guesstree.trees.export.output import try_writing, write_whole
from guesstree.trees.figures import paid
from guesstree.trees.tree import Claims, TreeError, build

MIXTURE, PRIOR = "mixture.json", "maker.csv"
"""The files of a folder beside its strategies: both mixtures, and the weighted game as a table."""
MOST_CELLS = 1 << 18
"""Cells of a weighted game that is written as a table."""


class Mixed(MixedSolved):
    """The value of a game against a codemaker who mixes; see `MixedSolved`."""

    @property
    def value(self) -> Fraction | None:
        """The value in units of cost, exactly; None where it is not proven."""
        return self.upper if self.optimal else None

    @cached_property
    def strategies(self) -> tuple[Strategy, ...]:
        """The breaker's strategies as trees, built by the game's own responses."""
        claims = Claims(objective=EXPECTED.name, method=MIXED)
        return tuple(Strategy.of(build(self.game, self.goal, plan.choose, claims, 0)) for plan in self.plans)

    def checked(self) -> list[str]:
        """Replay every secret through every strategy; return what is not as it is said to be, a line each.

        What a secret pays on average is counted on the trees alone; no secret may pay more than `upper`.
        """
        wrong, count = [], len(self.game.secrets)
        average = [Fraction(0)] * count
        for number, (strategy, p) in enumerate(zip(self.strategies, self.probabilities, strict=True), 1):
            report = check(self.game, strategy)
            wrong += [f"strategy {number}: {message}" for message in report.messages()]
            for secret, cost in paid(strategy):
                average[secret] += p * cost
        if sum(self.probabilities) != 1 or min(self.probabilities) <= 0:
            wrong.append(f"the probabilities add up to {sum(self.probabilities)}; expected 1")
        orbits: dict[int, list[Fraction]] = {}
        for secret, first in enumerate(self.orbit.tolist()):
            orbits.setdefault(first, []).append(average[secret])
        for first, each in orbits.items():
            if (mean := sum(each) / len(each)) > self.upper:
                wrong.append(f"{self.game.secrets[first]!r} pays {mean}, more than {self.upper}")
        return wrong

    def __repr__(self) -> str:
        unit = self.game.cost_unit
        bounds = bounds_text((self.lower * unit,), (self.upper * unit,))
        return f"Mixed({self.game.spec}, {bounds}, {len(self.plans)} strategies)"

    def rows(self) -> list[dict[str, Any]]:
        """Return the orbits of secrets: the first, how many, each one's weight, and what it pays at most."""
        found: dict[int, dict[str, Any]] = {}
        for secret, first in enumerate(self.orbit.tolist()):
            row = found.setdefault(
                first,
                {
                    "secret": self.game.secrets[first],
                    "secrets": 0,
                    "weight": self.weights[first],
                    "pays": str(self.each[secret] * self.game.cost_unit),
                },
            )
            row["secrets"] += 1
        return list(found.values())

    def as_json(self) -> dict[str, Any]:
        """Return everything but the strategies as plain data; fractions are text."""
        unit = self.game.cost_unit
        return {
            "game": self.game.spec,
            "goal": self.goal,
            "maker": MIXED,
            "value": str(self.upper * unit) if self.optimal else None,
            "lower": str(self.lower * unit),
            "upper": str(self.upper * unit),
            "uniform": {"lower": str(self.uniform[0] * unit), "upper": str(self.uniform[1] * unit)},
            "renamed": self.renamed,
            "orbits": self.rows(),
            "strategies": [
                {"file": name, "probability": str(p)}
                for name, p in zip(self.names, self.probabilities, strict=True)
            ],
            "rounds": self.rounds,
            "states": self.states,
            "evaluations": self.evaluations,
            "seconds": self.seconds,
            "stopped": self.stopped,
        }

    @property
    def names(self) -> list[str]:
        """The file names of the strategies."""
        return [f"{number}.json" for number in range(1, len(self.plans) + 1)]

    def table(self) -> tuple[str, str] | None:
        """Return the game with the maker's weights as CSV, with the options to read it; None: it is none.

        Its least total, proven by `prove`, is the lower bound times the sum of the weights. To win, secrets
        that are never drawn are left out; otherwise a table has no weight of 0.
        """
        game, kept = self.game, [s for s, weight in enumerate(self.weights) if weight]
        whole = len(kept) == len(game.secrets)
        costs = None if game.costs is None else [row.tolist() for row in game.costs]
        if (
            len(kept) * len(game.guesses) > MOST_CELLS
            or self.parameters.get("candidates_only")
            or game.rules() is not None
            or not (whole or self.goal == "win")
            or (costs is not None and any(len(set(row)) > 1 for row in costs))
        ):
            return None
        content = Content(
            guesses=tuple(game.guesses),
            secrets=tuple(game.secrets[s] for s in kept),
            cells=tuple(
                tuple(game.responses[answer] for answer in row) for row in game.table()[:, kept].tolist()
            ),
            weights=tuple(self.weights[s] for s in kept),
            costs=None if costs is None else tuple(row[0] for row in costs),
            win=game.responses[game.winning] if self.goal == "win" and game.winning is not None else None,
            cost_unit=game.cost_unit,
        )
        try:
            return canonical_form(content)
        except GameError:  # labels that would make another table of it
            return None

    def write(self, folder: str | os.PathLike[str]) -> list[str]:
        """Write the strategies, both mixtures and the weighted game into a folder; return what was written.

        The mixtures come last. Raises TreeError when that cannot be done.
        """
        try_folder(folder)
        place = Path(folder)
        place.mkdir(exist_ok=True)
        for name, strategy in zip(self.names, self.strategies, strict=True):
            strategy.write(place / name)
        written = [str(place / name) for name in self.names]
        data = self.as_json()
        if (found := self.table()) is not None:
            text, options = found
            write_whole(place / PRIOR, text.encode())
            data["table"] = f"table:{PRIOR}{options}"
            written.append(str(place / PRIOR))
        write_whole(place / MIXTURE, json.dumps(data, indent=1).encode() + b"\n")
        return [*written, str(place / MIXTURE)]

    def lines(self) -> list[str]:
        """Return what was found as lines of text."""
        game, unit = self.game, self.game.cost_unit
        low, high = self.lower * unit, self.upper * unit
        said = "value proven" if self.optimal else f"stopped by {self.stopped}"
        found = [f"{game.spec}: goal {self.goal}, against a codemaker who mixes: {said}"]
        if self.optimal:
            found.append(f"  value {value_text(high)}")
        else:
            found.append(f"  value at least {value_text(low)}, at most {value_text(high)}")
        least, most = (bound * unit for bound in self.uniform)
        if least == most:
            gain = ", as good for the maker" if least == high == low else ""
            found.append(f"  if all are drawn alike: {value_text(least)}{gain}")
        rows = [("maker", "secrets", "each drawn", "each pays")]
        total = sum(self.weights)
        for row in self.rows():
            share = Fraction(row["weight"], total)
            rows.append((row["secret"], str(row["secrets"]), str(share), value_text(Fraction(row["pays"]))))
        found += table_lines(rows)
        rows = [("breaker", "probability", "first", "nodes")]
        for name, p, strategy in zip(self.names, self.probabilities, self.strategies, strict=True):
            root = int(strategy.guess[0])
            first = game.guesses[root] if root >= 0 else ""
            rows.append((name.removesuffix(".json"), str(p), first, str(len(strategy))))
        found += table_lines(rows)
        if self.renamed:
            found.append("  each strategy is renamed at random by the symmetry of the game")
        return found


MOST_ROWS = 20
"""Rows of a table on a terminal."""


def table_lines(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Return rows as aligned lines, the first column to the left; of many, the first ones."""
    more = len(rows) - 1 - MOST_ROWS
    rows = rows[: MOST_ROWS + 1]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    found = [
        "  "
        + "  ".join(
            cell.rjust(width) if i else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
    return found + [f"  ... and {more} more"] * (more > 0)


def value_text(value: Fraction) -> str:
    """Return a value exactly, and rounded where it is a long fraction: ``1629/460 = 3.5413``."""
    exact = exact_text(value)
    return exact if "/" not in exact and len(exact) < 8 else f"{value} = {rounded_text(value)}"


def try_folder(path: str | os.PathLike[str]) -> None:
    """Raise TreeError where a folder could not be made, or not written to; nothing is left behind."""
    place = Path(path)
    if place.exists() and not place.is_dir():
        raise TreeError(f"cannot write into {str(path)!r}: it is a file; expected a folder")
    try_writing(place / MIXTURE if place.is_dir() else str(path).rstrip(os.sep) or os.sep)


def solve_mixed(
    game: Game | str,
    *,
    goal: str | None = None,
    candidates_only: bool = False,
    symmetry: bool = True,
    time_limit: float | None = None,
    memory: int | None = None,
    jobs: int = 1,
    progress: Callable[[Progress], None] | None = None,
) -> Mixed:
    """Return the value of a game against a codemaker who mixes, with both mixtures; see the engine's."""
    found = search(
        game,
        goal=goal,
        candidates_only=candidates_only,
        symmetry=symmetry,
        time_limit=time_limit,
        memory=memory,
        jobs=jobs,
        progress=progress,
    )
    return Mixed(**vars(found))
