"""What a ledger is about: the game and the objective, in words and so that the problem can be made again."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from hashlib import sha256

from ..errors import GuesstreeError
from ..game import Game
from ..objective import parse_objective
from ..problem import Problem
from ..proofs.statement import statement_of
from ..registry import game_of


@dataclass(frozen=True)
class About:
    """What is proved.

    Attributes
    ----------
    claim: the first line of a certificate without its bound, and the objective.
    numbering: the SHA-256 of the labels in their order, as paths are numbers.
    asked: the game and the arguments of `guesstree.prove`, as JSON.
    origins: a name of each ledger that went into this one, itself if it was never merged.
    """

    claim: str
    numbering: str = ""
    asked: str = field(default="{}", compare=False)
    origins: tuple[str, ...] = field(default=(), compare=False)

    def difference(self, other: About) -> str:
        """Return what another is about that this is not, with both names; empty: nothing."""
        if self.claim != other.claim:
            return f"of {self.claim!r}, not of {other.claim!r}; expected a ledger of that, or a new file"
        if self.numbering != other.numbering:
            return (
                f"of {self.claim!r} with other or otherwise ordered labels ({self.numbering[:8]}, not "
                f"{other.numbering[:8]}); expected the game as it was, or a new file"
            )
        return ""

    @property
    def objective(self) -> str:
        """The objective by its name."""
        return self.claim.rpartition(" ")[2]

    def problem(self, game: Game | None = None) -> Problem:
        """Return the problem, of a game at hand or of the spec; raise GuesstreeError if it is another."""
        asked = json.loads(self.asked)
        spec, objective, lies = (asked.pop(name, None) for name in ("game", "objective", "lies"))
        problem = Problem(game_of(spec if game is None else game), parse_objective(objective), **asked)
        if different := self.difference(about_of(problem, lies)):
            raise GuesstreeError(f"{spec!r} is no longer the game of this ledger, which is {different}")
        return problem


def about_of(problem: Problem, lies: int = 0) -> About:
    """Return what a ledger of a problem is about; raise GuesstreeError for one without certificates."""
    limit = problem.limited if problem.budget is None else problem.budget
    statement = replace(statement_of(problem, lies), within=limit)
    request, game = problem.asked, problem.game
    asked = {
        "game": game.spec,
        "objective": problem.objective.name,
        "goal": problem.goal,
        "max_depth": problem.limited,
        "first": request.first,
        "candidates_only": problem.candidates_only,
        "budget": problem.budget,
        "lies": lies,
    }
    return About(
        f"{statement.words} {problem.objective.name}",
        _digest([*game.guesses, "", *game.secrets, "", *game.responses]),
        json.dumps(asked),
    )


def _digest(labels: Iterable[str]) -> str:
    return sha256("\n".join(labels).encode()).hexdigest()
