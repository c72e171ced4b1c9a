"""Proofs of claims as texts: each written by a worker, many checked at once, put together to a certificate.

*Written:* the worker that has just searched a claim proves it, while it remembers what it found.

*Checked:* many claims are one certificate, which the checker of certificates accepts or refuses. The
certificate says that the game costs at least 0, which is true; its lemmas are the claims, each in those that
lead to it, which say 0 too. A checker verifies every lemma, whatever it is for. A state is a lemma; of a
branch there is one for each set that its guess leaves, with bounds that add up to what the branch is to cost.
Of the game itself there is no lemma: such a claim is a certificate of its own.

*Put together:* the certificate of the game consists of claims that were accepted, wherever each was met.
"""

from __future__ import annotations

import re
import threading
import time
from bisect import bisect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from ..claims.claim import Claim, ProofPart
from ..errors import GuesstreeError
from ..problem import Problem
from ..proofs.counted import CountedWriter
from ..proofs.items import ProofItem, body_of, inside, items_apart, lemmas_in, text_of, text_of_items
from ..proofs.renaming import SYMBOLS, Renaming, item_of
from ..proofs.statement import Statement, statement_of
from ..proofs.writer import OpenClaim, Path, Proof
from ..search.deadline import TimeUp
from ..search.space import Resources
from .messages import INFINITE, Report, Steps, Task
from .paths import Paths, after, inverse, pairs_of
from .propagation import Propagation
from .store import Record

NOTHING = "."
"""The proof of a branch that needs no lemma."""
LEAST_SECONDS = 0.05


def with_proof(
    writer: CountedWriter, paths: Paths, task: Task, report: Report, known: Mapping[int, int]
) -> Report:
    """Return what was found with a proof of what was asked; with its children where that takes too long.

    A proof rests on nothing outside of it: of a state it is the body of a lemma, of a branch lemmas about
    what the guess leaves. `known`: at least what that costs, by response, as far as it was found. Raises
    ProofError if what was found is false.
    """
    node, since = task.node, time.process_time()
    state = paths.state(node.path, node.depth)
    writer.stopped = False
    try:
        with _limited(task.seconds, writer.stop):
            if node.branch:
                proof = "\n".join(writer.guess_proof(state, node.path, task.bound, known)) or NOTHING
            else:
                proof = writer.state_proof(state, node.path, task.bound)
    except TimeUp:
        children = tuple((response, lower, INFINITE) for response, lower in known.items())
        return replace(report, children=children, seconds=report.seconds + time.process_time() - since)
    seconds = report.seconds + time.process_time() - since
    return replace(report, proved=task.bound, proof=proof, seconds=seconds)


@contextmanager
def _limited(seconds: float, stop: Callable[[], None]) -> Iterator[None]:
    """Call `stop` when this process has worked for so many seconds from now on; 0: it may take any time."""
    ended, last = threading.Event(), time.process_time() + seconds

    def look() -> None:
        while not ended.wait(max(last - time.process_time(), LEAST_SECONDS)):
            if time.process_time() >= last:
                stop()

    thread = threading.Thread(target=look, daemon=True)
    if seconds:
        thread.start()
    try:
        yield
    finally:
        ended.set()
        if seconds:
            thread.join()


@dataclass(frozen=True)
class SheetClaim:
    """A claim as it stands in a certificate.

    Attributes
    ----------
    number: which claim it is.
    within: guesses that the whole game has; None: any number.
    pairs: guesses and responses that lead to where its lemmas stand; None: it is a certificate of its own.
    secret: one of those left there.
    bound: what the certificate says.
    small, items: small sets, and lemmas.
    """

    number: int
    within: int | None
    pairs: list[tuple[int, int]] | None
    secret: str
    bound: int
    small: list[str]
    items: list[str]


class Checking:
    """Has claims checked.

    Parameters
    ----------
    writer, paths: of the game; nothing is written.
    run: has a certificate checked, and returns the line of the checker if it is refused, else ``""``.
    """

    def __init__(self, writer: CountedWriter, paths: Paths, run: Callable[[Statement, str], str]) -> None:
        self.writer, self.paths, self.run = writer, paths, run

    def verdicts(self, report: Sequence[Report]) -> list[str]:
        """Return what is wrong with the proof of each claim: empty, or the line of the checker.

        After a refusal the others are checked again, without what was refused.
        """
        found = [""] * len(report)
        groups: dict[tuple[int | None, int], list[SheetClaim]] = {}
        for i, claim in enumerate(report):
            try:
                entry = self.entry(i, claim)
                alone = i if entry.pairs is None else -1
                groups.setdefault((entry.within, alone), []).append(entry)
            except GuesstreeError as error:
                found[i] = str(error)
        for group in groups.values():
            left = sorted(group, key=lambda entry: entry.pairs or [])
            while left:
                statement, text, lines = self.sheet(left)
                line = self.run(statement, text)
                if not line:
                    break
                where = re.search(r":(\d+): refused: ", line)
                if where is None:
                    raise GuesstreeError(f"the checker ended: {line}")
                wrong = left.pop(max(0, bisect(lines, int(where[1])) - 1))
                found[wrong.number] = line[where.start() + 1 :]
        return found

    def sheet(self, entries: Sequence[SheetClaim]) -> tuple[Statement, str, list[int]]:
        """Return a certificate of claims, and the line on which each begins."""
        (first, *_), writer = entries, self.writer
        statement = replace(statement_of(writer.problem), within=first.within)
        if first.pairs is None:
            return statement, statement.text(goal_of(first.bound), body_of(first.small + first.items)), [1]
        opened: list[tuple[int, int]] = []
        lines: list[str] = []
        starts, line, counted = [], 2, 0
        for entry in entries:
            pairs, common = entry.pairs or [], 0
            while not entry.small and pairs[common : common + 1] == opened[common : common + 1] != []:
                common += 1
            lines += [")"] * (len(opened) - common)
            line += sum(1 + text.count("\n") for text in lines[counted:])
            counted = len(lines)
            starts.append(line)
            lines += entry.small  # these stand at the top level
            lines += [f"{writer.guesses[guess]} {entry.secret} 0 (" for guess, _ in pairs[common:]]
            lines += entry.items
            opened = pairs
        lines += [")"] * len(opened)
        return replace(statement, first="-"), statement.text(0, body_of(lines)), starts

    def entry(self, number: int, claim: Report) -> SheetClaim:
        """Return a claim as it stands in a certificate.

        Raises GuesstreeError for a text that is no proof of it: so none has a say in what stands beside it.
        """
        node, writer = claim.node, self.writer
        state, pairs = self.paths.state(node.path, node.depth), pairs_of(node.path)
        within = None if node.depth >= len(state.candidates) else node.depth + len(pairs)  # L6
        secret = writer.secrets[state.candidates[0]]
        if node.branch:
            small, items = items_apart("" if claim.proof == NOTHING else claim.proof)
            lemmas = self.added_up(claim, ProofPart(state.candidates, node.depth, 0), items)
            return SheetClaim(number, within, pairs, secret, 0, small, lemmas)
        small, items = items_apart(inside(claim.proof))
        texts = [text_of_items(item) for item in items]
        if not pairs:
            return SheetClaim(number, within, None, secret, claim.proved, small, texts)
        (*pairs, (guess, _)), bound = pairs, text_of(claim.proved)
        lemma = f"{writer.guesses[guess]} {secret} {bound} {body_of(texts)}"
        return SheetClaim(number, within, pairs, secret, 0, small, [lemma])

    def added_up(self, claim: Report, state: ProofPart, items: Sequence[Sequence[ProofItem]]) -> list[str]:
        """Return lemmas that show what a branch costs: those of its proof, and what needs no proof of others.

        Raises GuesstreeError where they do not add up to that.
        """
        writer, guess = self.writer, claim.node.path[-1]
        checker, whole, name = writer.checker, claim.proved >= INFINITE, writer.guesses[guess]
        checker.forget()
        said: dict[bytes, int] = {}
        for item, *_ in items:
            part = writer.part_of(item, state)
            if item.words[0] == name:
                checker.remember(part.candidates, part.depth, part.bound)
                said[part.candidates.tobytes()] = part.bound
        parts = Claim(checker, state.candidates, state.depth, claim.proved, guess).parts_of(
            guess, claim.proved
        )
        lemmas, total = [text_of_items(item) for item in items], len(state.candidates)
        for left, bound in parts:
            known = said.get(left.tobytes(), 0)
            if bound > known and not (whole and bound < INFINITE):
                lemmas.append(f"{name} {writer.secrets[left[0]]} {text_of(bound)} .")
            total = min(INFINITE, total + max(bound, known))
        if total < claim.proved:
            raise GuesstreeError(
                f"lemmas of {name} add up to {text_of(total)}; expected {text_of(claim.proved)}"
            )
        return lemmas


def goal_of(bound: int) -> int | None:
    """Return a bound as a certificate takes it: None: there is no strategy."""
    return None if bound >= INFINITE else bound


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
            small, items = items_apart("" if found.proof == NOTHING else found.proof)
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

        def moved(item: ProofItem) -> ProofItem:
            if item.words[0] == "=":
                there = after(after(back, renaming_of(item)), renaming)
                return ProofItem(tuple(item_of(there).split()))
            if not item.body:
                return item
            guess, secret, bound = item.words
            return ProofItem((name[guess], name[secret], bound), item.body)

        return [text_of_items([moved(one) for one in item]) for item in items]


def assembler_of(problem: Problem, memory: int | None, claims: Propagation) -> Assembler:
    """Return what puts claims together that were accepted."""
    writer = Assembler(problem, Resources.of(problem, 1, memory))
    writer.take_from(claims)
    return writer


def renaming_of(item: ProofItem) -> Renaming:
    """Return the renaming that an item says."""
    _, positions, colours = item.words
    each = [tuple(SYMBOLS.index(sign) for sign in word) for word in (positions, *colours.split("/"))]
    return each[0], tuple(each[1:])
