"""Check a small game's certificate by LEMMAS.md: `verify.py FILE.proof`. 0: accepted; 1: refused; 2: none."""

import sys
from collections import Counter
from itertools import repeat, zip_longest
from math import inf
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from checking import FREE, Claim, Demands, GameChecker, Images, marks, need, run

Set = tuple[int, ...]  # numbers of secrets, rising
Splits = dict[int, tuple[bool, list[int]]]  # of guesses: whether it may win, the falling sizes of other parts


def demanded(rules: str, guess: str, response: str) -> Demands:
    """Return what a response demands of every later guess: of hard mode, and of ultra-hard mode (L10)."""
    signs = [*enumerate(zip(guess, response, strict=True))]
    found = [("at", letter, i) for i, (letter, mark) in signs if mark == "2"]
    for letter in {*guess}:
        marked = sum(mark != "0" for _, (other, mark) in signs if other == letter)
        found += [("occurs", letter, n) for n in range(1, marked + 1)]
        if rules == "ultra" and marked < guess.count(letter):
            found += [("occurs not", letter, marked + 1)]
    if rules == "ultra":
        found += [("not at", letter, i) for i, (letter, mark) in signs if mark != "2"]
    return frozenset(found)


def meets(word: str, demand: tuple[str, str, int]) -> bool:
    """Return whether a guess does what is demanded."""
    relation, letter, number = demand
    holds = word[number] == letter if relation.endswith("at") else word.count(letter) >= number
    return holds != (relation in ("not at", "occurs not"))


class Checker(GameChecker):
    """A certificate, and all that is known of its game: counting, claims that were proved."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.memory: dict[Set, dict[tuple[float, Demands], float]] = {}  # bounds by depth and demands
        self.smalls: list[tuple[frozenset[int], Demands, float]] = []
        self.tables: dict[int, list[list[float]]] = {}
        self.seen: dict[tuple[Set, Demands, float], float] = {}
        self.asked: dict[Demands, set[int]] = {}
        self.having: dict[tuple[str, str, int], set[int]] = {}

    def allowed(self, under: Demands) -> set[int]:
        """Return the guesses that have all that is demanded (L10)."""
        for one in under:
            if one not in self.having:
                self.having[one] = {g for g, word in enumerate(self.names) if meets(word, one)}
        if under not in self.asked:
            self.asked[under] = {*self.guesses.values()}.intersection(*(self.having[one] for one in under))
        return self.asked[under]

    def after(self, under: Demands, guess: int, secret: int) -> Demands:
        """Return what is demanded after a guess, when this is the secret."""
        if not self.rules:
            return FREE
        word = self.names[guess]
        return under | demanded(self.rules, word, marks(word, self.names[self.guess_of[secret]]))

    def splits(self, members: Set, under: Demands) -> Splits:
        """Return how each guess that may be asked splits these secrets."""
        may = self.allowed(under)
        if self.candidates:
            may = may & {g for g, s in self.secret_of.items() if s in members}
        counts = ((g, Counter([self.rows[g][s] for s in members])) for g in sorted(may))
        return {g: (n.pop(self.win, 0) > 0, sorted(n.values())[::-1]) for g, n in counts}

    def counted(self, size: int, depth: float, splits: Splits) -> list[float]:
        """Return at least what 0 to `size` secrets cost (L2) that are in a set with these splits (L3).

        Of the most parts, the winning one counted, one less is there for the others if the guess may win.
        """
        parts = max([0, *(may_win + len(sizes) for may_win, sizes in splits.values())])
        levels = self.tables.setdefault(parts, [[]])  # one a guess, until they stay the same
        if len(levels[0]) <= size:
            levels[:] = [[0, 0 if self.win < 0 else inf] + [inf] * min(len(self.secrets), 2 * size)]
        while len(levels) <= depth and (len(levels) == 1 or levels[-1] != levels[-2]):
            costs, shares = levels[-1], [[0, *[inf] * (len(levels[0]) - 1)]]  # [k][n]: n secrets in k parts
            for cap in self.caps[:parts]:
                back = shares[-1][::-1]
                pieces = [back[i : i + cap + 1] for i in range(len(back) - 1, -1, -1)]
                shares.append([min(map(sum, zip(costs, piece, strict=False))) for piece in pieces])
            shares += shares[-1:] * (parts + 1 - len(shares))
            winning = [inf, *shares[parts - 1]] if self.win >= 0 and parts else repeat(inf)
            ways = zip(levels[0], winning, shares[parts], strict=False)
            levels.append([min(none, n + won, n + lost) for n, (none, won, lost) in enumerate(ways)])
        return levels[int(min(depth, len(levels) - 1))]

    def proved(self, members: Set, under: Demands, depth: float) -> float:
        """Return the best bound that was proved for this set (-1: none).

        What was proved with fewer demands holds with more (L10).
        """
        proved = self.memory.get(members, {}).items()
        return max((bound for (d, fewer), bound in proved if d >= depth and fewer <= under), default=-1)

    def known(self, members: Set, under: Demands, depth: float) -> float:
        """Return the best bound that was proved for this set (-1: none), or for a small set in it (L7)."""
        whole = any(d >= depth and fewer <= under and h <= {*members} for h, fewer, d in self.smalls)
        return inf if whole else self.proved(members, under, depth)

    def ahead(self, members: Set, under: Demands, depth: float) -> float:
        """Return at least what the set costs, by one step ahead (L5), if a guess is left."""
        size, key = len(members), (members, under, min(depth, len(members)))  # L6
        if key not in self.seen and size > 1:
            costs = self.counted(size, key[2] - 1, splits := self.splits(members, under))
            sums = (sum(map(costs.__getitem__, sizes)) for _, sizes in splits.values() if sizes != [size])
            self.seen[key] = size + min(sums, default=inf)
        return self.seen.get(key, 0)

    # -- claims ----------------------------------------------------------------------------------------

    def part(self, claim: Claim, word: str) -> tuple[int, Claim]:
        """Read what a lemma is about."""
        guess, secret = self.place(self.guesses, word), self.place(self.secrets)
        need(secret in claim.members, "the secret is not in the set")
        row = self.rows[guess]
        members = tuple([s for s in claim.members if row[s] == row[secret]])
        bound = self.number(10**12 - 1, "inf")
        return guess, Claim(
            members, max(0, claim.left - 1), bound, under=self.after(claim.under, guess, secret)
        )

    def small(self) -> Claim:
        """Read a small set (L7)."""
        count, depth = self.number(), self.number(100_000)
        need(not self.candidates and 2 <= count <= 64, "no small set")
        members = tuple([self.place(self.secrets) for _ in range(int(count))])
        need(sorted({*members}) == [*members], "the secrets do not rise")
        return Claim(members, depth, inf)

    def renaming(self, claim: Claim) -> Images:
        """Read a renaming that keeps the set (L8, L9)."""
        need(not self.rules, "in hard mode there is no renaming")
        return self.any_renaming(dict.fromkeys(claim.members, 0))

    def renamed(self, claim: Claim) -> bool:
        """Read where a renaming takes a set; return whether as much is proved of its image (L8)."""
        need(self.symbols, "only codes have renamings that take a set to another")
        image = self.code_images()
        return self.proved(tuple(sorted(image[s] for s in claim.members)), FREE, claim.left) >= claim.bound

    def shown(self, claim: Claim) -> bool:
        """Return whether counting or what is proved is enough."""
        size, least = len(claim.members), self.known(claim.members, claim.under, claim.left)
        if max(least, self.counted(size, claim.left, self.whole)[size]) >= claim.bound:
            return True
        need(size > 1 or self.win >= 0, f"one secret does not cost {claim.bound}")
        return False

    def guesses_of(self, claim: Claim) -> list[int | None]:
        """Return the guesses that may be asked, and note how they split the set."""
        self.here = self.splits(claim.members, claim.under)
        self.costs = self.counted(len(claim.members), claim.left - 1, self.here)
        return [claim.fixed] if claim.fixed is not None else [*self.here]

    def passes(self, claim: Claim, guess: int) -> bool:
        """Return whether it is shown that asking this guess first costs at least the bound."""
        size, depth, costs = len(claim.members), max(0, claim.left - 1), self.costs
        sizes, row = self.here[guess][1], self.rows[guess]
        if size + sum(map(costs.__getitem__, sizes)) >= claim.bound:
            return True  # by counting
        if sizes == [size] and claim.fixed is None:
            return True  # it tells nothing (L1)
        groups = [
            tuple([s for s in claim.members if row[s] == r])
            for r in {row[s] for s in claim.members} - {self.win}
        ]
        bounds = {part: costs[len(part)] for part in sorted(groups, key=len, reverse=True)}
        for better in (self.known, self.ahead):
            for part in bounds:
                if size + sum(bounds.values()) < claim.bound:
                    under = self.after(claim.under, guess, part[0])
                    bounds[part] = max(bounds[part], better(part, under, depth))
        return size + sum(bounds.values()) >= claim.bound

    def remember(self, claim: Claim) -> None:
        """Keep a claim, and a small set that cannot be settled."""
        size, members = len(claim.members), claim.members
        if self.proved(members, claim.under, claim.left) >= claim.bound:
            return
        depth = inf if claim.left >= size - (self.win < 0) else claim.left  # L6
        of, key = self.memory.setdefault(members, {}), (depth, claim.under)
        of[key] = max(of.get(key, 0), claim.bound)
        if claim.bound == inf and size <= 64 and not self.candidates:
            self.smalls += [(frozenset(members), claim.under, depth)]

    def check(self) -> str:
        """Return what the certificate proves."""
        need(self.take() == "guesstree-proof/1", "no guesstree-proof/1")
        self.read_game()
        self.guess_of = {s: g for g, s in self.secret_of.items()}
        self.whole = self.splits(tuple(range(len(self.secrets))), FREE)
        self.caps = [*map(max, zip_longest(*(sizes for _, sizes in self.whole.values()), [0], fillvalue=0))]
        fixed = self.first(self.guesses)
        need(not self.candidates or fixed is None or fixed in self.secret_of, "the first guess is no secret")
        within, cost = self.number(100_000, "-"), self.number(10**12 - 1, "inf")
        self.prove_all(Claim(tuple(range(len(self.secrets))), within, cost, fixed))
        said = f"verified: {len(self.secrets)} secrets cost at least {cost}, within {within} guesses"
        return f"{said} ({len(self.names)} guesses, {self.lemmas} lemmas)"


if __name__ == "__main__":
    run(Checker)
