"""The tree of claims in a ledger: what is known of a place, and of the places right below it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from guesstree.api.ledger import LedgerReport
from guesstree.engine.campaign.messages import INFINITE, NodeId, Steps
from guesstree.engine.campaign.paths import Paths, pairs_of
from guesstree.engine.campaign.propagation import KnownChild, Splitter
from guesstree.engine.errors import GuesstreeError
from guesstree.engine.search.solve import claim_space

MOST_SPLIT = 500
"""With more claims that are split, bounds come from what is right below them alone: all would take long."""


@dataclass(frozen=True)
class Place:
    """A place right below another: a guess in a state, or the state that a response to a guess leaves.

    Attributes
    ----------
    node: of its claim; the path of a state is canonical, so it may lead elsewhere than that of its guess.
    step: the guess, or the response, by its label.
    size: candidates of a state; None for a guess.
    lower, upper: by its claim, and by those below; `INFINITE`: none.
    accepted: by the checker, of the claim itself.
    status: one of `api.ledger.STATUSES`; empty: nothing was asked about it.
    below: how many claims with longer paths there are of each status; each claim counts once, where the
        least of its equivalent paths leads.
    """

    node: NodeId
    step: str
    size: int | None
    lower: int
    upper: int
    accepted: int
    status: str
    below: Counter[str]


class ClaimBrowser:
    """Goes through the claims of one game and objective.

    Raises GuesstreeError where the game cannot be opened, or is no longer the one of the ledger.
    """

    def __init__(self, report: LedgerReport) -> None:
        self.about = report.about
        self.paths = Paths(claim_space(self.about.problem(), self.about.lies))
        self.splitters: dict[tuple[str, int], Splitter] = {}

    def at(self, report: LedgerReport, root: NodeId, path: Steps) -> Level:
        """Return what a report, of the same game, knows of a place.

        `root`: the whole game, with the figure and the limit. Raises GuesstreeError for a path that leads
        nowhere.
        """
        kind = root.figure, root.depth
        splitter = self.splitters.setdefault(kind, Splitter(self.paths.space, self.paths, *kind))
        guesses, responses = len(self.paths.game.guesses), self.paths.problem.responses
        fits = all(step < (responses if i % 2 else guesses) for i, step in enumerate(path))
        if not fits or not len(splitter.state(path).candidates):
            raise GuesstreeError(
                f"no responses lead to {' '.join(map(str, path))}; expected those of the game"
            )
        return Level(report, splitter, path)


class Level:
    """A place in the tree of claims.

    Parameters
    ----------
    path: of a state (canonical), or of a guess that is asked in it.
    """

    def __init__(self, report: LedgerReport, splitter: Splitter, path: Steps) -> None:
        self.report, self.splitter, self.path = report, splitter, path
        self.node, self.paths = splitter.node(path), splitter.paths
        self.bounds: dict[Steps, tuple[int, int]] = {}

    @property
    def size(self) -> int:
        """How many candidates are left, for a guess before it is asked."""
        return len(self.splitter.state(self.path).candidates)

    def step(self, path: Steps) -> str:
        """Return the last step of a path by its label."""
        game = self.paths.game
        if len(path) % 2:
            return game.guesses[path[-1]]
        return game.responses[self.paths.problem.told(path[-2], path[-1])]

    def trail(self) -> list[tuple[Steps, str]]:
        """Return the steps that lead here, each with the path up to it."""
        return [(self.path[:i], self.step(self.path[:i])) for i in range(1, len(self.path) + 1)]

    @cached_property
    def places(self) -> list[Place]:
        """What is right below, the places that hold a proof up first: of guesses those that cost least.

        Of a state they are the guesses about which there are claims; others cost too much by counting.
        """
        if self.node.branch:
            children = self.splitter.split(self.path)[1]
            below = self.below([child.path for child in children])
            return [self.state(child, counts) for child, counts in zip(children, below, strict=True)]
        nodes = [
            node
            for node in self.report.known
            if len(node.path) == len(self.path) + 1
            and node.path[:-1] == self.path
            and node == self.splitter.node(node.path)
        ]
        below = self.below([node.path for node in nodes])
        found = [self.guess(node, counts) for node, counts in zip(nodes, below, strict=True)]
        return sorted(found, key=lambda place: (place.lower, place.upper, place.node.path))

    def below(self, places: Sequence[Steps]) -> list[Counter[str]]:
        """Return how many claims there are of each status below places."""
        found: dict[Steps, Counter[str]] = {path: Counter() for path in places}
        lengths = {len(path) for path in places}
        for node, status in self.report.statuses.items():
            if node.figure != self.node.figure:
                continue
            for length in lengths:
                counts = found.get(node.path[:length]) if len(node.path) > length else None
                if counts is not None and node.depth == self.limit_at(node.path):
                    counts[status] += 1
        return [found[path] for path in places]

    def limit_at(self, path: Steps) -> int:
        """Return what is left of the limit at a place."""
        return self.splitter.space.limit_after(self.splitter.limit, pairs_of(path))

    def state(self, child: KnownChild, below: Counter[str]) -> Place:
        """Return what is known of a state that a guess leaves."""
        node = self.splitter.node(child.path)
        accepted = self.report.known[node].accepted if node in self.report.known else 0
        step = self.step((*self.path, child.response))
        status = self.report.statuses.get(node, "")
        return Place(node, step, child.size, *self.child_bounds(child), accepted, status, below)

    def guess(self, node: NodeId, below: Counter[str]) -> Place:
        """Return what is known of a guess."""
        accepted, status = self.report.known[node].accepted, self.report.statuses[node]
        return Place(node, self.step(node.path), None, *self.guess_bounds(node), accepted, status, below)

    # -- what claims show together -------------------------------------------------------------------------

    @cached_property
    def asked(self) -> dict[Steps, list[NodeId]]:
        """The claims about guesses, by the state in which they are asked."""
        found: dict[Steps, list[NodeId]] = {}
        for node in self.report.known:
            if node.branch and node.figure == self.node.figure and node.depth == self.limit_at(node.path):
                found.setdefault(node.path[:-1], []).append(node)
        return found

    @cached_property
    def deep(self) -> bool:
        """Whether few enough claims are split to go through all of them."""
        return Counter(self.report.statuses.values())["split"] <= MOST_SPLIT

    def guess_bounds(self, node: NodeId) -> tuple[int, int]:
        """Return bounds of a guess by its claim, and where that is split by those below."""
        known = self.report.known[node]
        if self.report.statuses[node] != "split":
            return known.lower, known.upper
        over, children = self.splitter.split(node.path)
        bounds = [(child.paid, *self.child_bounds(child)) for child in children]
        lower = self.splitter.join(over, (paid + least for paid, least, _ in bounds))
        upper = self.splitter.join(over, (paid + most for paid, _, most in bounds))
        return max(lower, known.lower), min(upper, known.upper)

    def child_bounds(self, child: KnownChild) -> tuple[int, int]:
        """Return bounds of a state: in no time, by its claim, and by those about its guesses."""
        if child.path not in self.bounds:
            lower, upper = child.lower, child.lower if child.exact else INFINITE
            known = self.report.known.get(self.splitter.node(child.path))
            if known is not None:
                lower, upper = max(lower, known.lower), min(upper, known.upper)
            if self.deep and lower < upper and child.path in self.asked:
                guesses, counted = self.splitter.guesses(child.path)
                least = counted.copy()
                for node in self.asked[child.path]:
                    shown, most = self.guess_bounds(node)
                    at = guesses == node.path[-1]
                    least[at] = np.maximum(least[at], shown)
                    upper = min(upper, most)
                lower = max(lower, int(least.min(initial=INFINITE)))
            self.bounds[child.path] = lower, upper
        return self.bounds[child.path]


def roots_of(report: LedgerReport) -> list[NodeId]:
    """Return the whole game for each figure and limit that a ledger knows of, the last that rose first."""
    rises: Iterable[tuple[str, int]] = ((rise.figure, rise.depth) for rise in reversed(report.bounds))
    claimed = ((node.figure, node.depth) for node in report.known if len(node.path) < 2)
    return [NodeId((), figure, depth) for figure, depth in dict.fromkeys([*rises, *claimed])]
