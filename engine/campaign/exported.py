"""What a ledger proves by itself: certificates of what was accepted, and the best strategy that it knows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from ..errors import GuesstreeError
from ..proofs.prover import Aim, Prover, aims_of, fewer, is_trivial, unsearched
from ..proofs.statement import statement_of
from ..proofs.writer import NOTHING, Proof
from ..search.deadline import Deadline, Progress
from ..search.solve import claim_space
from ..search.space import Query
from ..solution import Solved
from .claim_proofs import assembler_of
from .ledger import Ledger
from .messages import INFINITE
from .paths import Paths
from .proofs import FirstGuessProofs
from .propagation import Propagation, Splitter
from .records import StoredRecord
from .store import MemoryStore, Record
from .tree import BudgetPolicy, ClaimTree
from .worker import Order, settle

MISSING = 50_000
"""Evaluations for each state of a strategy whose guesses nobody reported, only what they cost."""


class AcceptedRecord(Record):
    """What was accepted of a node, with its proof; a later proof that nobody has checked is left out."""

    def __init__(self, known: StoredRecord) -> None:
        self.known = known
        self.lower = self.proved = self.accepted = known.accepted

    @property
    def proof(self) -> str:  # type: ignore[override]
        """The proof of `accepted`."""
        return self.known.proof_of(self.accepted)


class Accepted(MemoryStore):
    """What was accepted of all that a ledger knows."""

    def __init__(self, ledger: Ledger) -> None:
        super().__init__({node: AcceptedRecord(known) for node, known in ledger.known.items()})


class LedgerProver(Prover):
    """Proves what claims of a ledger show that the checker has accepted; searches nothing.

    Parameters
    ----------
    ledger: open to be read.
    """

    def __init__(self, ledger: Ledger, memory: int | None = None) -> None:
        self.claims, self.problem, self.memory = ledger, ledger.about.problem(), memory
        if not ledger.known:
            raise GuesstreeError(
                f"{ledger.path!r} has no claims to make a certificate of; run what made it to its end"
            )
        self.lies, self.ledger = ledger.about.lies, None
        self.searchers, self._writer, self._last = {}, None, None
        self.space = claim_space(self.problem, self.lies)
        self.statement, self.paths = statement_of(self.problem, self.lies), Paths(self.space)

    def accepted(self, part: str, within: int | None) -> Propagation:
        """Return what accepted claims show together about a part, with so many guesses."""
        depth = self.problem.max_depth if within is None else min(within, self.problem.max_depth)
        splitter = Splitter(self.space, self.paths, part, depth)
        return Propagation(splitter, Accepted(self.claims), lambda known: known.accepted)

    def best(
        self,
        aim: Aim,
        deadline: Deadline,  # noqa: ARG002 - nothing is searched
        progress: Callable[[Progress], None] | None,  # noqa: ARG002 - nothing is searched
    ) -> Proof:
        """Return the proof of a claim, or of what is shown of it."""
        if self.lies or self.problem.priced:
            first = FirstGuessProofs(self.claims.lemmas, aim)
            missing = first.missing(self.writer)
            return unsearched(self.problem, aim, self.lies) if missing else first.proof()
        if is_trivial(self.problem, aim):
            return Proof(aim.bound, ".", 0)
        assert not isinstance(aim.bound, tuple)
        bound = INFINITE if aim.bound is None else aim.bound
        claims = self.accepted("worst" if bound >= INFINITE else "total", aim.within)
        reached = claims.game(bound)
        if not reached:
            return NOTHING
        writer = assembler_of(self.problem, self.memory, claims)
        return writer.proof(min(reached, bound))

    def aims(self, solved: Solved | None) -> list[Aim]:
        """Return what is to be proved, as far as shown: the best strategy is optimal, or there is none."""
        limit = self.problem.limited
        if solved is not None:
            return aims_of(replace(solved, lower=solved.upper), limit, self.problem.budget)
        if self.problem.objective.figures[0] == "total":
            none = limit is not None and self.accepted("worst", limit).game(INFINITE) >= INFINITE
            return [Aim(limit, None if none else INFINITE - 1)]
        return [fewer(1 + max(node.depth + len(node.path) // 2 for node in self.claims.known))]

    def strategy(self) -> Solved | None:
        """Return the best strategy that the ledger knows, without lower bounds; None: it knows none."""
        kept = self.claims.solution(self.problem.game)
        if kept is not None:
            return replace(kept, lower=(0,) * len(kept.upper))
        space, parts = self.space, self.problem.objective.figures
        known: list[Solved] = []
        for query, choices in self.strategies():
            found = space.walk(space.root(query), lambda state: choices[space.claim_key(state)])  # noqa: B023
            upper, lower = space.figures(found).value(parts), (0,) * len(parts)
            work: dict[str, Any] = {"states": 0, "evaluations": 0, "seconds": 0.0, "lies": self.lies}
            known.append(self.problem.solution(found, upper, lower, method="exact", stopped="", **work))
        return min(known, key=lambda solved: solved.upper, default=None)

    def strategies(self) -> Iterator[tuple[Query, dict[bytes, int]]]:
        """Yield the best strategy for each part of the objective and limit, with its query."""
        store = MemoryStore(dict(self.claims.known))
        for part, depth in {(node.part, node.depth) for node in self.claims.known if len(node.path) < 2}:
            tree = ClaimTree(self.space, store, part, depth, BudgetPolicy(1))
            waiting = [tree.root]
            for state in waiting:
                if state.node in tree.stored:
                    opened = tree.open(state)
                    waiting += (child for branch in opened.children.values() for child in branch.children)
            if tree.root.upper < INFINITE:
                order = Order.of(self.problem, self.memory, 1, self.lies).packed()
                for task in tree.missing():
                    for report in settle(order, (replace(task, budget=MISSING),)):
                        tree.learn(report)
                if not tree.missing():
                    yield tree.splitter.query, tree.strategy()
                    continue
            if tree.whole is not None:
                path, packed = tree.whole
                yield tree.splitter.query, self.paths.unpacked(path, depth, packed)
