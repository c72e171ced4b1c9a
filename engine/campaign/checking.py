"""Many claims as one certificate, for the checker of certificates to accept or refuse.

The certificate says that the game costs at least 0, which is true; its lemmas are the claims, each in those
that lead to it, which say 0 too. A checker verifies every lemma, whatever it is for. A state is a lemma; of
a branch there is one for each set that its guess leaves, with bounds that add up to what the branch is to
cost. Of the game itself there is no lemma: such a claim is a certificate of its own.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ..errors import GuesstreeError
from ..proofs.claims import Claim, ProofPart
from ..proofs.items import ProofItem, body_of, inside, items_apart, text_of, text_of_items
from ..proofs.statement import Statement, statement_of
from ..proofs.writer import Writer
from .asks import INFINITE, Finding
from .paths import Paths, pairs_of
from .proving import NOTHING


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

    def __init__(self, writer: Writer, paths: Paths, run: Callable[[Statement, str], str]) -> None:
        self.writer, self.paths, self.run = writer, paths, run

    def verdicts(self, told: Sequence[Finding]) -> list[str]:
        """Return what is wrong with the proof of each claim: empty, or the line of the checker.

        After a refusal the others are checked again, without what was refused.
        """
        found = [""] * len(told)
        groups: dict[tuple[int | None, int], list[SheetClaim]] = {}
        for i, claim in enumerate(told):
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

    def entry(self, number: int, claim: Finding) -> SheetClaim:
        """Return a claim as it stands in a certificate.

        Raises GuesstreeError for a text that is no proof of it: so none has a say in what stands beside it.
        """
        place, writer = claim.place, self.writer
        state, pairs = self.paths.state(place.path, place.depth), pairs_of(place.path)
        within = None if place.depth >= len(state.candidates) else place.depth + len(pairs)  # L6
        secret = writer.secrets[state.candidates[0]]
        if place.branch:
            small, items = items_apart("" if claim.proof == NOTHING else claim.proof)
            lemmas = self.added_up(claim, ProofPart(state.candidates, place.depth, 0), items)
            return SheetClaim(number, within, pairs, secret, 0, small, lemmas)
        small, items = items_apart(inside(claim.proof))
        texts = [text_of_items(item) for item in items]
        if not pairs:
            return SheetClaim(number, within, None, secret, claim.proved, small, texts)
        (*pairs, (guess, _)), bound = pairs, text_of(claim.proved)
        lemma = f"{writer.guesses[guess]} {secret} {bound} {body_of(texts)}"
        return SheetClaim(number, within, pairs, secret, 0, small, [lemma])

    def added_up(self, claim: Finding, state: ProofPart, items: Sequence[Sequence[ProofItem]]) -> list[str]:
        """Return lemmas that show what a branch costs: those of its proof, and what needs no proof of others.

        Raises GuesstreeError where they do not add up to that.
        """
        writer, guess = self.writer, claim.place.path[-1]
        shown, whole, name = writer.shown, claim.proved >= INFINITE, writer.guesses[guess]
        shown.forget()
        said: dict[bytes, int] = {}
        for item, *_ in items:
            part = writer.part_of(item, state)
            if item.words[0] == name:
                shown.remember(part.candidates, part.depth, part.bound)
                said[part.candidates.tobytes()] = part.bound
        parts = Claim(shown, state.candidates, state.depth, claim.proved, guess).parts_of(guess, claim.proved)
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
