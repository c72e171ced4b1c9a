"""`Mixed`: the value of a game against a codemaker who mixes, with the strategies of both mixtures."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

from guesstree.api.mixture import MIXTURE, Mixture, mixture_of, value_text
from guesstree.api.prior import PRIOR, prior_of
from guesstree.api.strategy import Strategy
from guesstree.engine.game import Game
from guesstree.engine.mixed.plan import Plan
from guesstree.engine.mixed.solve import MixedSolved
from guesstree.engine.mixed.solve import solve_mixed as search
from guesstree.engine.objective import EXPECTED, bounds_text
from guesstree.engine.search.deadline import Progress
from guesstree.engine.solution import history_key
from guesstree.engine.support import MIXED
from guesstree.trees.export.output import try_writing, write_whole
from guesstree.trees.noisy import build_noisy
from guesstree.trees.tree import Claims, Tree, TreeError, build


class Mixed(MixedSolved):
    """The value of a game against a codemaker who mixes; see `MixedSolved`."""

    @property
    def value(self) -> Fraction | None:
        """The value in units of cost, exactly; None where it is not proven."""
        return self.upper if self.optimal else None

    @cached_property
    def strategies(self) -> tuple[Strategy, ...]:
        """The breaker's strategies as trees, built by the game's own responses."""
        parameters = {name: value for name, value in self.parameters.items() if name == "candidates_only"}
        claims = Claims(objective=EXPECTED.name, method=MIXED, parameters=parameters)
        return tuple(Strategy.of(self._tree(plan, claims)) for plan in self.plans)

    def _tree(self, plan: Plan, claims: Claims) -> Tree:
        if self.game.facts.noisy:
            return build_noisy(self.game, lambda history: plan.choices[history_key(history)], claims)
        return build(self.game, self.goal, plan.choose, claims, 0)

    @cached_property
    def mixture(self) -> Mixture:
        """Both mixtures, with the strategies as trees, to be checked and played."""
        return mixture_of(self, self.strategies, self.names)

    def checked(self) -> list[str]:
        """Replay everything, see `Mixture.check`; return what is not as it is said to be, a line each."""
        return self.mixture.check()

    def __repr__(self) -> str:
        unit = self.game.cost_unit
        bounds = bounds_text((self.lower * unit,), (self.upper * unit,))
        return f"Mixed({self.game.spec}, {bounds}, {len(self.plans)} strategies)"

    def rows(self) -> list[dict[str, Any]]:
        """Return the orbits of secrets: the first, how many, each one's weight, and what it pays at most."""
        return [
            {"secret": label, "secrets": many, "weight": weight, "pays": str(pays)}
            for label, many, weight, pays in self.mixture.rows
        ]

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
            **({"candidates_only": True} if self.parameters.get("candidates_only") else {}),
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
        data, only = self.as_json(), bool(self.parameters.get("candidates_only"))
        if (found := prior_of(self.game, self.goal, self.weights, candidates_only=only)) is not None:
            data["table"], text = found
            if text:
                write_whole(place / PRIOR, text.encode())
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
            first = game.guesses[root] if root >= 0 else strategy.label(0) if strategy.decided else ""
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


def try_folder(path: str | os.PathLike[str]) -> None:
    """Raise TreeError where a folder could not be made, or not written to; nothing is left behind."""
    place = Path(path)
    if not str(path) or (place.exists() and not place.is_dir()):
        what = "it is a file" if str(path) else "it is no name"
        raise TreeError(f"cannot write into {str(path)!r}: {what}; expected a folder")
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
