"""Words that the parts of an argument share: names, sums, and how guesses are excluded."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, pairwise

import numpy as np

from guesstree.api.explained import Explained, Explanation
from guesstree.engine.exact import exact_text
from guesstree.engine.notation import plurals
from guesstree.engine.proofs.argument import INFINITE, Account, Lemma, ShownPart
from guesstree.engine.state import Ints
from guesstree.trees.export.labels import plain

MOST_NAMED = 24
"""Secrets of a set that are named."""
MOST_RUNS = 12
"""Stretches in which L is described; where it has more, its values are listed."""
MOST_LISTED = 8
"""Lemmas or small sets that are named in a sentence."""

MOST_TERMS = 8
"""Terms of a sum in a table."""


class Names:
    """What the things of a game are called in an explanation."""

    def __init__(self, found: Explained) -> None:
        self.problem, self.game = found.problem, found.game
        self.infinite = found.bound is None
        self.weighted = found.game.facts.weighted
        self.best = "A strategy is known that" if found.strategy is None else "The strategy below"

    @property
    def wins(self) -> bool:
        """Whether the goal is to win."""
        return self.problem.goal == "win"

    @property
    def guess(self) -> str:
        """What a guess is called."""
        return self.game.look.guess

    @property
    def guesses(self) -> str:
        """What several guesses are called."""
        return plurals(self.guess)

    @property
    def secret(self) -> str:
        """What a secret is called."""
        return self.game.look.secret

    @property
    def secrets(self) -> str:
        """What several secrets are called."""
        return plurals(self.secret)

    @property
    def answer(self) -> str:
        """What a response is called."""
        return self.game.look.response

    def many(self, n: int) -> str:
        """Return so many secrets."""
        return f"{n:,} {self.secret if n == 1 else self.secrets}"

    def asked(self, n: int) -> str:
        """Return so many guesses."""
        return f"{n:,} {self.guess if n == 1 else self.guesses}"

    def cost(self, value: int) -> str:
        """Return what all pay, by their weights, as readers see it."""
        return exact_text(value * self.game.figure_unit("total"))

    def price(self, value: int) -> str:
        """Return what one pays, as readers see it."""
        return self.game.cost_text(value)

    def weight(self, value: int) -> str:
        """Return a weight as readers see it."""
        return exact_text(value * self.game.weight_unit)

    def name(self, guess: int) -> str:
        """Return a guess as the command line has it, several words between quotation marks."""
        label = plain(self.game.guesses[guess])
        return f'"{label}"' if " " in label else label

    def said(self, response: int) -> str:
        """Return a response as the command line has it."""
        return plain(self.game.responses[response])

    def named(self, members: Ints) -> str:
        """Return secrets by name; empty where they are many."""
        if len(members) > MOST_NAMED:
            return ""
        names = [plain(self.game.secrets[s]) for s in members.tolist()]
        return (" " if self.game.look.codes != "text" else ", ").join(names)


class Words(Names):
    """The words of an explanation in guesses."""

    def __init__(self, found: Explanation) -> None:
        super().__init__(found)
        self.found = found

    @property
    def told_lemmas(self) -> list[tuple[Lemma, Account]]:
        """The lemmas that are explained, but for the whole and small sets."""
        root = self.found.argument.root
        return [pair for pair in self.found.accounts if pair[0] is not root and not pair[0].small]

    # -- numbers ---------------------------------------------------------------------------------------

    def described(self, account: Account, largest: int) -> str:
        """Return the values of L up to a number of secrets."""
        counts = account.counts[: largest + 1].tolist()
        runs = [
            (step, len(list(some)))
            for step, some in groupby(after - before for before, after in pairwise(counts[1:]))
        ]
        if len(runs) > MOST_RUNS or INFINITE in counts:
            needed = sorted({len(p.members) for g in (*account.guesses, *account.excluded) for p in g.parts})
            values = ((n, counts[n]) for n in needed if n <= largest)
            return ", ".join(f"L({n}) = {'none' if v >= INFINITE else f'{v:,}'}" for n, v in values) + "."
        said, at = [f"L(1) = {counts[1]}"], 1
        for step, length in runs:
            at += length
            each = "each" if len(said) == 1 else "then each"
            adds = f"{each} further {self.secret} adds {step}, up to " * (length > 1)
            said.append(f"{adds}L({at}) = {counts[at]:,}")
        return "; ".join(said) + "."

    def reason(self, part: ShownPart) -> str:
        """Return by which guess, or lemma, a part costs what is shown of it; empty: counting says so."""
        if part.lemma:
            return f"Lemma {part.lemma}"
        if part.look is None:
            return ""
        name = self.name(part.look.guess)
        if len(set(part.look.parts)) > MOST_TERMS:
            return f"{name}, {len(part.look.parts)} parts"
        return f"{name}: {sum_text(len(part.members), part.look.parts)}"

    # -- why guesses are excluded ----------------------------------------------------------------------

    def tally(self, lemma: Lemma, account: Account) -> str:
        """Return how many guesses are excluded for which reason."""
        kinds = account.kinds if account.kinds["allowed"] < account.allowed else {}
        few = "so few parts that they cost enough, whatever their sizes are"
        few = "so few parts that one is too large" if self.infinite else few
        uneven = "a part that is too large" if self.infinite else "parts that cost enough by their sizes"
        inside = [one.number for one in lemma.inside]
        lemmas = f"Lemma{'s' * (len(inside) > 1)} {list_text(inside)}"
        lemmas = lemmas if 0 < len(inside) <= MOST_LISTED else "lemmas"
        said = []
        for number, kind, one, more, what in (
            (account.useless, "", "tells", "tell", "nothing"),
            (account.few, "few", "leaves", "leave", few),
            (account.uneven, "uneven", "leaves", "leave", uneven),
            (account.small, "", "leaves", "leave", f"{self.small_sets(lemma)} together"),
            (account.ahead, "ahead", "is", "are", "excluded one step ahead"),
            (account.proved, "proved", "needs", "need", lemmas),
        ):
            if number:
                of = f" ({kinds_text(kinds[kind])})" if kind in kinds else ""
                said.append(f"{number:,}{of} {one if number == 1 else more} {what}")
        if account.allowed == 1:
            return f"It {said[0].partition(' ')[2]}."
        return f"Of these, {'; '.join(said)}."

    def small_sets(self, lemma: Lemma) -> str:
        """Return which of the small sets are in a set."""
        names = [s.number for s in self.found.argument.small if np.isin(s.members, lemma.members).all()]
        if len(names) == 1:
            return f"the set {names[0]}"
        return f"one of the sets {list_text(names)}" if len(names) <= MOST_LISTED else "one of the small sets"


def kinds_text(number: int) -> str:
    """Return so many kinds."""
    return f"{number:,} kind{'s' * (number != 1)}"


def sum_text(n: int, parts: Sequence[int]) -> str:
    """Return a sum with its terms, n first; equal ones stand together, and 0 is left out."""
    more = terms_text(sorted(filter(None, parts), reverse=True))
    return f"{n:,}{f' + {more}' * bool(more)} = {n + sum(parts):,}"


def terms_text(terms: Sequence[int]) -> str:
    """Return terms with + between them; from three on, equal neighbours stand together."""
    said = []
    for term, some in groupby(terms):
        times = len(list(some))
        said += [f"{term:,}"] * times if times < 3 else [f"{times} \u00d7 {term:,}"]
    return " + ".join(said)


def list_text(items: Sequence[str]) -> str:
    """Return items as a sentence has them."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}" if items else ""
