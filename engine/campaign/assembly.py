"""The whole certificate from claims that are kept, each proved by itself, wherever it was met."""

from __future__ import annotations

from collections.abc import Iterator

from ..problem import Problem
from ..proofs.claims import Claim, ProofPart
from ..proofs.items import ProofItem, body_of, inside, items_apart, lemmas_in, text_of_items
from ..proofs.renaming import SYMBOLS, Renaming, item_of
from ..proofs.statement import table_names
from ..proofs.writer import Path, Proof, Writer
from ..search.kind import Room
from .asks import Steps
from .findings import Standing
from .paths import after, inverse
from .proving import NOTHING
from .shown import Together


class Assembler(Writer):
    """Writes the proof of a game from claims that are kept; what is missing is searched and proved then.

    A claim that was proved about one path stands for all that are equivalent: its proof is renamed, and shows
    the same of the images. What shows more than is needed shows what is needed.

    Attributes
    ----------
    claims: those that were accepted.
    """

    claims: Together

    def take_from(self, claims: Together) -> None:
        """Take what was accepted."""
        self.claims = claims
        self.stored: dict[Steps, dict[Steps, Steps]] = {}
        self.hoisted: dict[str, None] = {}

    def proof(self, bound: int) -> Proof:
        """Return the proof that the game costs at least so much; when stopped, of less."""
        known = self._accepted((), bound)
        if known is not None:
            return Proof(bound, known.proof, lemmas_in(known.proof))
        return self.root(self.claims.pieces.depth, bound)

    def _small_sets(self) -> list[str]:
        """Return the small sets that were used since the last call, those of claims, too."""
        hoisted, self.hoisted = list(self.hoisted), {}
        return list(dict.fromkeys([*super()._small_sets(), *hoisted]))

    def _known(self, part: ProofPart, most: int, path: Path) -> int:
        """Return at least what a part costs after the guess that a path ends with, by claims."""
        below = *path, self._response(path[-1], part)
        return self.claims.state(self.claims.pieces.paths.canonical(below), most)

    def _written(self, part: ProofPart, bound: int, path: Path) -> str:
        """Return the body of a lemma: that of a claim, or one of lemmas that may be of claims."""
        least = self.claims.pieces.paths.canonical(path)
        found = self._accepted(least, bound)
        if found is None:
            return super()._written(part, bound, path)
        small, items = items_apart(inside(found.proof))
        self.hoisted |= dict.fromkeys(small)
        texts = self._moved(items, least, path)
        self._replay("\n".join(texts), part)
        return body_of(texts)

    def _lemmas(self, claim: Claim, guess: int, path: Path) -> Iterator[tuple[str, int]]:
        """Yield lemmas that show that a guess costs enough: those of a claim, or what is missing."""
        asked = *path, guess
        kept = self._kept(path).get(self.claims.pieces.paths.canonical(asked))
        found = None if kept is None else self._accepted(kept, claim.bound)
        if kept is not None and found is not None and claim.ask(guess) is not None:
            small, items = items_apart("" if found.proof == NOTHING else found.proof)
            self.hoisted |= dict.fromkeys(small)
            part = ProofPart(claim.candidates, claim.depth, claim.bound)
            for text in self._moved(items, kept, asked):
                self._replay(text, part)
                yield text, 0
        yield from super()._lemmas(claim, guess, path)

    def _accepted(self, path: Steps, bound: int) -> Standing | None:
        """Return what is known of a place if it has an accepted proof of a bound."""
        found = self.claims.findings.find(self.claims.pieces.place(path))
        if found is None or not found.accepted == found.proved >= bound or not found.proof:
            return None
        return found

    def _kept(self, path: Path) -> dict[Steps, Steps]:
        """Return the claims about guesses of a state, by their canonical paths."""
        state = self.claims.pieces.paths.canonical(path)
        if state not in self.stored:
            paths = [(*state, guess) for guess in self.claims.asked.get(state, ())]
            self.stored[state] = {self.claims.pieces.paths.canonical(one): one for one in paths}
        return self.stored[state]

    def _moved(self, items: list[list[ProofItem]], source: Steps, path: Path) -> list[str]:
        """Return lemmas below one path as texts below another, which is equivalent."""
        renaming = self.claims.pieces.paths.renaming(source, path)
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


def assembler_of(problem: Problem, memory: int | None, claims: Together) -> Assembler:
    """Return what puts claims together that were accepted."""
    writer = Assembler(problem, Room.of(problem, 1, memory), names=table_names(problem))
    writer.take_from(claims)
    return writer


def renaming_of(item: ProofItem) -> Renaming:
    """Return the renaming that an item says."""
    _, positions, colours = item.words
    each = [tuple(SYMBOLS.index(sign) for sign in word) for word in (positions, *colours.split("/"))]
    return each[0], tuple(each[1:])
