"""What certificates and a strategy prove together: a bound, the optimum, or how far apart they are."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from guesstree.engine.errors import GuesstreeError
from guesstree.engine.game import Game
from guesstree.engine.objective import parse_objective
from guesstree.engine.problem import Problem
from guesstree.engine.proofs.certificate import FORMAT, guess_name, is_table, statement_of
from guesstree.engine.proofs.priced import WIN, Goal
from guesstree.engine.solution import gap
from guesstree.engine.support import lies_text
from guesstree.trees.check import Report
from guesstree.trees.figures import Costs
from guesstree.trees.tree import Tree

LIES = "lies"
KINDS = ("mastermind", "blackpeg", "bulls", "wordle", "table", "priced")
MOST_SHOWN = 12
BLANKS = " \t\r\n"
"""What the checker takes away around the cells of a table."""

NOTHING, CONTRADICTION, BOUND, GAP, VALUE = WORST_FIRST = (
    "not proved",
    "contradiction",
    "bound",
    "gap",
    "optimum",
)


@dataclass(frozen=True)
class Proved:
    """What is proved: one of `WORST_FIRST`, and in words."""

    what: str
    text: str


@dataclass(frozen=True)
class Claimed:
    """The first line of a certificate, read.

    Attributes
    ----------
    path: the file.
    game: KIND A B.
    goal, first: as they stand there.
    lies: how many responses may be false.
    within: the guesses allowed, or what a secret may pay; None: any number.
    bound: at least what every strategy costs, see `priced.Goal`.
    """

    path: Path
    game: tuple[str, str, str]
    goal: str
    first: str
    within: int | None
    bound: Goal
    lies: int = 0

    @classmethod
    def read(cls, path: str) -> Claimed:
        """Return what a certificate that is proved says; raise GuesstreeError for one of another kind."""
        words = Path(path).read_bytes().decode("ascii", "replace").split(maxsplit=10)[:10]
        lies = 0
        if words[1] == LIES:
            lies = int(words[2])
            del words[1:3]
        if words[0] != FORMAT or words[1] not in KINDS:
            raise GuesstreeError(f"{path!r} is a certificate of {words[1]}; expected {', '.join(KINDS)}")
        _, kind, a, b, goal, first, within, cost = words[:8]
        limit, lost, numbers = None if within == "-" else int(within), *cost.rpartition("lost:")[1:]
        bound = None if cost == "inf" else tuple(map(int, numbers.split(":"))) if lost else int(cost)
        return cls(Path(path), (kind, a, b), goal, first, limit, bound, lies)

    @property
    def priced(self) -> bool:
        """Whether it counts what is paid."""
        return self.game[0] == "priced"

    @property
    def limit(self) -> str:
        """What the strategies may do, in words."""
        unit = "" if self.priced else " guesses"
        return ("" if self.within is None else f" within {self.within}{unit}") + self.those

    @property
    def those(self) -> str:
        """Which strategies it is about, in words; empty: all."""
        first = "" if self.first == "-" else f" after {self.first}"
        return first + (" asking candidates only" if "-" in self.goal else "")

    @property
    def subject(self) -> str:
        """The game and the goal, with hashes cut short."""
        words = self.game[:2] if self.game[0] in ("table", "priced") else self.game
        game = " ".join(word if len(word) <= MOST_SHOWN else f"{word[:MOST_SHOWN]}..." for word in words)
        return f"{game}, {self.goal.partition('-')[0]}" + (f", {lies_text(self.lies)}" if self.lies else "")

    @property
    def alone(self) -> str:
        """What it says in words, without a strategy."""
        if self.bound is None:
            return f"no strategy settles all secrets{self.limit}"
        if isinstance(self.bound, tuple):
            return f"at least {lost_text(self.bound)}{self.limit}"
        return f"at least {self.bound} in total{self.limit}"

    def require_game(self, strategy: Tree) -> None:
        """Raise GuesstreeError unless a strategy is of what the certificate is about."""
        what = self._other(strategy.game, strategy)
        if what:
            raise GuesstreeError(
                f"{str(self.path)!r} is a certificate of {what}; expected one of what the strategy is of"
            )

    def _other(self, game: Game, strategy: Tree) -> str:
        """Return in words what else the certificate is about than a strategy; empty: it is about that."""
        goal, _, only = self.goal.partition("-")
        kind, *_ = self.game
        if goal != strategy.goal:
            return f"the goal {goal}, not {strategy.goal}"
        if self.lies != strategy.lies:
            return f"a game with {lies_text(self.lies)}, not {lies_text(strategy.lies)}"
        if game.rules() is not None:
            return f"{self.subject}, not {game.spec}"
        lost = isinstance(self.bound, tuple)
        objective = parse_objective("win-probability" if lost else "expected")
        problem = Problem(game, objective, goal=goal, budget=self.within if lost else None)
        if kind == "table":
            same = self._same_table(problem, named=bool(only) and goal == "identify")
        elif (kind == "priced") != problem.priced:
            same = False
        elif kind == "wordle":
            same = self._same_words(problem)
        else:
            same = statement_of(problem).game.words == " ".join(self.game)
        if not same:
            return f"{self.subject}, not {game.spec}"
        root = int(strategy.guess[0])
        if self.first != "-":
            name = str(root + 1) if kind == "table" else guess_name(problem, root)
            if name != self.first:
                return f"strategies that begin with {self.first}, not {name}"
        if only and not asks_candidates_only(game, strategy):
            return "strategies that ask candidates only, which this one does not"
        return ""

    def _same_table(self, problem: Problem, *, named: bool) -> bool:
        """Return whether a table splits the secrets, in their order, as the guesses of a game do.

        `named`: and names those that are secrets as they are.
        """
        (_, *secrets), *rows = self._rows()
        table = problem.table
        if problem.priced or [len(row) - 1 for row in rows] != [problem.secrets] * len(table):
            return False
        own = [secrets.index(row[0]) if row[0] in secrets else -1 for row in rows]
        if named and own != problem.own.tolist():
            return False
        cells = [np.array(row[1:]) for row in rows]
        return all(
            np.array_equal(pattern_of(some), pattern_of(row))
            and (problem.winning < 0 or np.array_equal(some == WIN, row == problem.winning))
            for some, row in zip(cells, table, strict=True)
        )

    def _rows(self) -> list[list[str]]:
        """Return the rows of the table as the checker reads them."""
        name = self.game[2]
        try:
            found = list(csv.reader(io.StringIO(self._content(name), newline="\n")))
        except csv.Error as error:
            raise GuesstreeError(f"{str(self.path.with_name(name))!r}: {error}") from None
        head, *rows = [[cell.strip(BLANKS) for cell in row] for row in found]
        return [head, *filter(any, rows)]

    def _same_words(self, problem: Problem) -> bool:
        """Return whether two lists of words are those of a game."""
        answers, allowed = (set(self._content(name).split()) for name in self.game[1:])
        words = set(problem.game.secrets), set(problem.game.guesses)
        return words == (answers, answers | allowed) and not is_table(problem.game)

    def _content(self, name: str) -> str:
        try:
            return self.path.with_name(name).read_bytes().decode()
        except (OSError, ValueError) as error:
            raise GuesstreeError(f"{str(self.path.with_name(name))!r}: {error}") from None

    def beside(self, report: Report) -> Proved:
        """Return what the certificate and a strategy prove together."""
        assert report.total is not None and report.worst is not None
        total, worst, costs = report.total, report.worst, report.costs
        if self.priced and costs is not None:
            total, worst = costs.total, costs.worst
        if isinstance(self.bound, tuple):
            return self._beside_lost(self.bound, costs)
        if self.within is None or worst <= self.within:
            if self.bound is None or total < self.bound:
                takes = f"up to {worst}" if self.bound is None else f"{total} within {worst}"
                text = f"but the strategy takes {takes}: one is wrong"
                return Proved(CONTRADICTION, f"{self.path} says: {self.alone}, {text}")
            if total == self.bound:
                return Proved(VALUE, f"the least total{self.limit} is {total}")
            return Proved(
                GAP, f"the least total{self.limit} is {self.bound} to {total}, {apart(self.bound, total)}"
            )
        least = self.within + 1
        if self.bound is not None and total >= self.bound:
            return Proved(BOUND, f"{self.alone}; the strategy takes up to {worst}")
        below = "" if self.bound is None else f" with a total below {self.bound}"
        what = f"worst case{self.those}{below}"
        if worst == least:
            return Proved(VALUE, f"the least {what} is {worst}")
        return Proved(GAP, f"the least {what} is {least} to {worst}, {apart(least, worst)}")

    def _beside_lost(self, bound: tuple[int, ...], costs: Costs | None) -> Proved:
        """Return what is proved of what is lost within a budget, and then paid."""
        if costs is None or costs.budget != self.within:
            return Proved(BOUND, f"{self.alone}; the strategy is for another budget")
        found = costs.value("win-probability")
        assert found is not None
        takes = found[: len(bound)]
        if takes < bound:
            text = f"but with the strategy {lost_text(takes)}: one is wrong"
            return Proved(CONTRADICTION, f"{self.path} says: {self.alone}, {text}")
        if takes == bound:
            return Proved(VALUE, f"the least{self.limit} is {lost_text(takes)}")
        return Proved(GAP, f"the least{self.limit} is {lost_text(bound)} to {lost_text(takes)}")


def lost_text(bound: tuple[int, ...]) -> str:
    """Return in words what is lost, and then paid by the others."""
    return f"a weight of {bound[0]} lost" + (f", {bound[1]} paid by the others" if bound[1:] else "")


def apart(lower: int, upper: int) -> str:
    """Return the gap between two bounds in words."""
    found = gap(lower, upper)
    return "however far" if found is None else f"gap {100 * found:.3f}%"


def pattern_of(cells: NDArray[np.generic]) -> NDArray[np.int64]:
    """Return the place of the first cell that holds the same, for each cell."""
    _, first, number = np.unique(cells, return_index=True, return_inverse=True)
    return first[number].astype(np.int64)


def asks_candidates_only(game: Game, strategy: Tree) -> bool:
    """Return whether every guess of a valid strategy names a secret that is still possible."""
    if strategy.goal == "win":
        return bool((strategy.secret >= 0).all())
    own, leaf = game.own(), {int(s): node for node, s in enumerate(strategy.secret.tolist()) if s >= 0}
    for node, guess in enumerate(strategy.guess.tolist()):
        if guess >= 0 and (own[guess] < 0 or node not in strategy.path(leaf[int(own[guess])])):
            return False
    return True


def proved(claims: Sequence[Claimed], strategy: Tree | None = None, report: Report | None = None) -> Proved:
    """Return what certificates prove, and a strategy with them, if there is a valid one.

    Raises GuesstreeError for certificates of anything else than the strategy.
    """
    if strategy is None or report is None:
        return Proved(BOUND, told(claims, [claim.alone for claim in claims]))
    for claim in claims:
        claim.require_game(strategy)
    found = [claim.beside(report) for claim in claims]
    least = next(what for what in WORST_FIRST if any(one.what == what for one in found))
    return Proved(least, told(claims, [one.text for one in found]))


def told(claims: Sequence[Claimed], texts: Sequence[str]) -> str:
    """Return in a line what is said of certificates, each with its subject unless that is as before."""
    subjects = [claim.subject for claim in claims]
    named = zip(["", *subjects], subjects, texts, strict=False)
    return "; ".join(text if before == subject else f"{subject}: {text}" for before, subject, text in named)
