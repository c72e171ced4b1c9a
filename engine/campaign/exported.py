"""What a ledger proves by itself: certificates of what was accepted, and the best strategy that it knows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from ..claims import ProofPart
from ..errors import GuesstreeError
from ..problem import Problem
from ..proofs.counted import CountedWriter
from ..proofs.items import EMPTY, ProofItem, body_of, inside, items_apart, lemmas_in, text_of_items
from ..proofs.prover import Aim, Prover, aims_of, fewer, is_trivial, unsearched
from ..proofs.renaming import after, inverse, item_of, renaming_of
from ..proofs.statement import statement_of
from ..proofs.writer import NOTHING, OpenClaim, Path, Proof, Writer
from ..search.deadline import Deadline, Progress
from ..search.priced import Priced
from ..search.solve import claim_space
from ..search.space import ClaimSpace, Query, Resources
from ..solution import Solved
from .ledger import Ledger
from .lemmas import Lemmas
from .messages import INFINITE, Steps
from .paths import Paths
from .propagation import Propagation, Splitter
from .records import StoredRecord
from .store import MemoryStore, Record
from .tree import BudgetPolicy, ClaimTree
from .worker import Order, settle

MISSING = 50_000
"""Evaluations for each state of a strategy whose guesses nobody reported, only what they cost."""


class Assembler(CountedWriter):
    """Writes the proof of a game from claims that are kept; what is missing is searched and proved then.

    A claim that was proved about one path stands for all that are equivalent: its proof is renamed, and shows
    the same of the images. What shows more than is needed shows what is needed.

    Attributes
    ----------
    claims: those that were accepted.
    """

    claims: Propagation

    def take_from(self, claims: Propagation) -> None:
        """Take what was accepted."""
        self.claims = claims
        self.stored: dict[Steps, dict[Steps, Steps]] = {}
        self.hoisted: dict[str, None] = {}

    def proof(self, bound: int) -> Proof:
        """Return the proof that the game costs at least so much; when stopped, of less."""
        known = self._accepted((), bound)
        if known is not None:
            return Proof(self.goal(bound), known.proof, lemmas_in(known.proof))
        return self.root(self.claims.splitter.limit, self.goal(bound))

    def small_sets(self) -> list[str]:
        """Return the small sets that were used since the last call, those of claims, too."""
        hoisted, self.hoisted = list(self.hoisted), {}
        return list(dict.fromkeys([*super().small_sets(), *hoisted]))

    def found(self, part: ProofPart, most: int, path: Path) -> int:
        """Return at least what a part costs after the guess at the end of a path, by claims."""
        below = *path, self.step(path[-1], part)
        return self.claims.state(self.claims.splitter.paths.canonical(below), most)

    def body(self, part: ProofPart, bound: int, path: Path) -> str:
        """Return the body of a claim: one that was accepted, or one of lemmas that may be of such claims."""
        least = self.claims.splitter.paths.canonical(path)
        found = self._accepted(least, bound)
        if found is None:
            return super().body(part, bound, path)
        small, items = items_apart(inside(found.proof))
        self.hoisted |= dict.fromkeys(small)
        texts = self._moved(items, least, path)
        self.replay("\n".join(texts), part)
        return body_of(texts)

    def lemmas(self, claim: OpenClaim[ProofPart], guess: int, path: Path) -> Iterator[tuple[str, int]]:
        """Yield lemmas that show that a guess costs enough: those of a claim, or what is missing."""
        asked = *path, guess
        kept = self._kept(path).get(self.claims.splitter.paths.canonical(asked))
        found = None if kept is None else self._accepted(kept, claim.bound)
        if kept is not None and found is not None and self.ask(claim, guess) is not None:
            small, items = items_apart("" if found.proof == EMPTY else found.proof)
            self.hoisted |= dict.fromkeys(small)
            part = replace(claim.part, bound=claim.bound)
            for text in self._moved(items, kept, asked):
                self.replay(text, part)
                yield text, 0
        yield from super().lemmas(claim, guess, path)

    def _accepted(self, path: Steps, bound: int) -> Record | None:
        """Return what is known of a node if it has an accepted proof of a bound."""
        found = self.claims.store.find(self.claims.splitter.node(path))
        if found is None or not found.accepted == found.proved >= bound or not found.proof:
            return None
        return found

    def _kept(self, path: Path) -> dict[Steps, Steps]:
        """Return the claims about guesses of a state, by their canonical paths."""
        state = self.claims.splitter.paths.canonical(path)
        if state not in self.stored:
            paths = [(*state, guess) for guess in self.claims.asked.get(state, ())]
            self.stored[state] = {self.claims.splitter.paths.canonical(one): one for one in paths}
        return self.stored[state]

    def _moved(self, items: list[list[ProofItem]], source: Steps, path: Path) -> list[str]:
        """Return lemmas below one path as texts below another, which is equivalent."""
        renaming = self.claims.splitter.paths.renaming(source, path)
        if renaming is None or self.renamings is None:
            return [text_of_items(item) for item in items]
        image, back = self.renamings.image(renaming), inverse(renaming)
        name = {code: self.guesses[image[number]] for code, number in self.numbers.items()}

        def onward(words: Sequence[str]) -> tuple[str, ...]:
            there = after(after(back, renaming_of(*words[1:])), renaming)
            return words[0], *item_of(there).split()[1:]

        def moved(item: ProofItem) -> ProofItem:
            if item.words[0] == "=":
                return ProofItem(onward(item.words))
            if not item.body:
                return item
            guess, secret, bound = item.words
            body = " ".join(onward(item.body.split())) if item.way else item.body
            return ProofItem((name[guess], name[secret], bound), body)

        return [text_of_items([moved(one) for one in item]) for item in items]


def assembler_of(problem: Problem, memory: int | None, claims: Propagation) -> Assembler:
    """Return what puts claims together that were accepted."""
    writer = Assembler(problem, Resources.of(problem, 1, memory))
    writer.take_from(claims)
    return writer


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

    def accepted(self, figure: str, within: int | None) -> Propagation:
        """Return what accepted claims show together about a figure, with so many guesses."""
        depth = self.problem.max_depth if within is None else min(within, self.problem.max_depth)
        splitter = Splitter(self.space, self.paths, figure, depth)
        return Propagation(splitter, Accepted(self.claims), lambda known: known.accepted)

    def best(
        self,
        aim: Aim,
        deadline: Deadline,  # noqa: ARG002 - nothing is searched
        progress: Callable[[Progress], None] | None,  # noqa: ARG002 - nothing is searched
    ) -> Proof:
        """Return the proof of a claim, or of what is shown of it."""
        if is_trivial(self.problem, aim, self.lies):
            return Proof(aim.bound, EMPTY, 0)
        if self.lies or self.problem.priced:
            first = FirstGuessProofs(self.claims.lemmas, aim)
            missing = first.missing(self.writer)
            return unsearched(self.problem, aim, self.lies) if missing else first.proof()
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
        space, names = self.space, self.problem.objective.figures
        known: list[Solved] = []
        for query, choices in self.strategies():
            found = space.walk(space.root(query), lambda state: choices[space.claim_key(state)])  # noqa: B023
            upper, lower = space.figures(found).value(names), (0,) * len(names)
            work: dict[str, Any] = {"states": 0, "evaluations": 0, "seconds": 0.0, "lies": self.lies}
            known.append(self.problem.solution(found, upper, lower, method="exact", stopped="", **work))
        return min(known, key=lambda solved: solved.upper, default=None)

    def strategies(self) -> Iterator[tuple[Query, dict[bytes, int]]]:
        """Yield the best strategy for each figure of the objective and limit, with its query."""
        store = MemoryStore(dict(self.claims.known))
        for figure, depth in {(node.figure, node.depth) for node in self.claims.known if len(node.path) < 2}:
            tree = ClaimTree(self.space, store, figure, depth, BudgetPolicy(1))
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


class FirstGuessProofs:
    """What workers prove about the first guesses of a game, for one claim about it.

    Parameters
    ----------
    lemmas: where their texts are kept.
    """

    def __init__(self, lemmas: Lemmas, aim: Aim) -> None:
        self.lemmas, self.aim, self.limit = lemmas, aim, -1 if aim.within is None else aim.within

    def missing(self, writer: Writer[Any]) -> list[int]:
        """Return the first guesses about which there are no lemmas yet."""
        self.writer, self.guesses = writer, writer.first_guesses(self.aim.within, self.aim.bound)
        return [guess for guess in self.guesses if self.text(guess) is None]

    def key(self, guess: int) -> str:
        """Return what the lemmas about a guess are kept by."""
        bound = self.aim.bound
        words = ("inf",) if bound is None else ("lost", *bound) if isinstance(bound, tuple) else (bound,)
        return f"first {guess + 1} at least {' '.join(map(str, words))}"

    def text(self, guess: int) -> str | None:
        """Return the lemmas about a guess, or None."""
        return self.lemmas.find(self.key(guess), self.limit, 0)

    def keep(self, proved: tuple[int, str]) -> None:
        """Keep lemmas."""
        guess, text = proved
        self.lemmas.keep(self.key(guess), self.limit, 0, text)

    def proof(self) -> Proof:
        """Return the whole proof, where nothing is missing."""
        texts = [self.text(guess) or "" for guess in self.guesses]
        return self.writer.put_together(self.aim.within, self.aim.bound, texts)


def figure_and_need(space: ClaimSpace[Any], aim: Aim) -> tuple[str, int]:
    """Return the figure that a claim about a whole game is about, and what is to be shown of it."""
    if isinstance(aim.bound, tuple):
        if len(aim.bound) == 1:
            return "lost", aim.bound[0]
        assert isinstance(space, Priced) and aim.within is not None
        return "won", aim.bound[0] * space.scale(space.query_at("won", aim.within, ())) + aim.bound[1]
    if aim.bound is not None:
        return "total", aim.bound
    return ("worst", INFINITE) if space.decides else ("lost", 1)


def goal_of(bound: int) -> int | None:
    """Return a bound as a certificate takes it: None: there is no strategy."""
    return None if bound >= INFINITE else bound
