"""What each test is worth at each node of a strategy: the value of information (Howard 1966)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from guesstree.api.strategy import Strategy
from guesstree.engine.advice.evidence import Evidence, Outlook
from guesstree.engine.errors import GuesstreeError

from .ranges import unproven


@dataclass(frozen=True)
class Worth:
    """A test at a node.

    Attributes
    ----------
    outlook: what it costs and tells, and what the best decision after it loses.
    value: by how much less the best decision loses after it than without any answer, its price not counted;
        None: there are no losses, or nothing may be decided yet.
    more: by how much more than the best strategy it takes to begin with this test and go on as well as can
        be; 0 for the best.
    """

    outlook: Outlook
    value: Fraction | None
    more: Fraction


@dataclass(frozen=True)
class AtNode:
    """A node at which a strategy asks.

    Attributes
    ----------
    node: its number, 0 for the first test.
    evidence: the answers on the way, and what is possible.
    share: how often the strategy gets here.
    value: by how much less the strategy takes from here than the best decision loses at once; None: nothing
        may be decided here.
    tests: those that may be asked here and may help, the best first.
    """

    node: int
    evidence: Evidence
    share: Fraction
    value: Fraction | None
    tests: tuple[Worth, ...]


def information(strategy: Strategy, *, time_limit: float | None = None) -> Iterator[AtNode]:
    """Yield what each test is worth at each node of a strategy, in units of costs; the root first.

    `time_limit` is in seconds, for each search: one for each test at each node. Raises GuesstreeError for a
    game whose tests get one answer and where nothing is lost, and where a search ends without a proof.
    """
    game = strategy.game
    if game.model is None or game.model.failures:
        raise GuesstreeError(
            f"{game.spec}: the value of information is what a decision loses less after a test; expected a "
            "table with tests that err or decisions (valuations values the tests of other games)"
        )
    paths: list[tuple[tuple[int, int], ...]] = [()]
    for node in range(1, len(strategy)):
        above = int(strategy.parent[node])
        paths.append((*paths[above], (int(strategy.guess[above]), int(strategy.response[node]))))
    for node, path in enumerate(paths):
        if strategy.guess[node] >= 0:
            yield _at(node, Evidence(game, path), time_limit)


def _at(node: int, evidence: Evidence, time_limit: float | None) -> AtNode:
    best = _upper(evidence, None, time_limit)
    now = evidence.decision
    tests = []
    for outlook in evidence.outlooks():
        value = None if now is None or outlook.loss is None else now[1] - outlook.loss
        tests.append(Worth(outlook, value, _upper(evidence, outlook.test, time_limit) - best))
    tests.sort(key=lambda one: (one.more, one.outlook.test))
    return AtNode(node, evidence, evidence.probability, None if now is None else now[1] - best, tuple(tests))


def _upper(evidence: Evidence, first: int | None, time_limit: float | None) -> Fraction:
    advice = evidence.advise(time_limit, first=first)
    if not advice.proven:
        raise unproven(evidence.game)
    return advice.upper
