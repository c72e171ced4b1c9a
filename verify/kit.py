"""Check a certificate that no kit costs less by KITS.md: `kit.py FILE.proof`. Status as verify.py."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, combinations
from math import comb, prod
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from checking import MOST_NESTING, GameChecker, Images, need, pattern, rows_of, run, whole

MOST_LIES = 20
MOST_KEPT = 1 << 31  # bits of pairs that are kept
Open = list[tuple[int, int]]  # of pairs: the questions that tell it apart, as bits, and how many it needs


def bits(mask: int) -> Iterator[int]:
    """Yield the places of the ones of a number."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


@dataclass(frozen=True)
class Node:
    """The claim that no questions that are allowed, for what is left, make those asked a kit."""

    kit: tuple[int, ...]  # the questions asked, each as often as it is
    allowed: int  # as bits
    left: int


class Checker(GameChecker):
    """A certificate of a kit; its claims are nodes of a search."""

    def read_kits(self) -> None:
        """Read the game, and what a kit of it is."""
        need(self.take() == "guesstree-proof/1" and self.take() == "kit", "no certificate of a kit")
        self.apart = 2 * int(self.number(MOST_LIES)) + 1
        if (kind := self.take()) == "table":
            self.read_table()
        else:
            self.tokens = chain([kind], self.tokens)
            self.read_game()
            need(not self.rules, "hard mode: what may be asked depends on the answers")
            need(self.goal == "identify" and not self.candidates, "the goal of a kit is to identify")
            self.costs, self.use = [1] * len(self.rows), [""] * len(self.rows)
            self.kinds = [*map(str, range(len(self.secrets)))]
        need(self.take() == "-" and self.take() == "-", "a kit has no first guess, and no limit")
        self.least = min([cost for cost in self.costs if cost], default=1)
        self.kept: dict[tuple[int, int], int] = {}  # what `telling` returned
        self.with_answer: list[dict[int, int]] = [{} for _ in self.kinds]  # of a secret: questions, as bits
        for g, row in enumerate(self.rows):
            for s, answer in enumerate(row):
                self.with_answer[s][answer] = self.with_answer[s].get(answer, 0) | 1 << g

    def read_table(self) -> None:
        """Read a table: what questions cost and how they are used are columns, kinds of secrets are a row."""
        digest, name = self.take(), self.take()
        need(len(digest) == 64, "a SHA-256 has 64 digits")
        (_, *head), *rows = rows_of(self.file(name, digest))
        own = [c for c, label in enumerate(head) if label not in ("cost", "use")]
        need(len(own) >= len(head) - len({*head} & {"cost", "use"}), "two columns of costs, or of use")
        of_kinds = [cells for label, *cells in rows if label == "kind"]
        asked = [cells for label, *cells in rows if label != "kind"]
        need(own and asked and len(of_kinds) < 2, "no secret, no question, or two rows of kinds")
        need(len(own) * len(asked) <= self.most_cells, "the table is large")
        self.kinds = [of_kinds[0][c] if of_kinds else str(c) for c in own]
        need(all(self.kinds) and all(cells[c] for cells in asked for c in own), "an empty cell")
        column = {label: [cells[head.index(label)] for cells in asked] for label in {*head} & {"cost", "use"}}
        self.costs = [whole(cost) for cost in column.get("cost", ["1"] * len(asked))]
        self.use = column.get("use", [""] * len(asked))
        need({*self.use} <= {"", "must", "never"}, "a question is used otherwise than must or never")
        numbers: dict[str, int] = {}
        self.rows = [[numbers.setdefault(cells[c], len(numbers)) for c in own] for cells in asked]
        self.names, self.symbols = [str(g + 1) for g in range(len(asked))], ""
        self.guesses = {label: g for g, label in enumerate(self.names)}
        self.secrets = {str(s + 1): s for s in range(len(own))}
        need(self.take() == "identify", "the goal of a kit is to identify")

    # -- what is open -----------------------------------------------------------------------------------

    def telling(self, a: int, b: int) -> int:
        """Return the questions that tell two secrets apart, as bits."""
        if (a, b) in self.kept:
            return self.kept[a, b]
        same = 0
        for answer, those in self.with_answer[a].items():
            same |= those & self.with_answer[b].get(answer, 0)
        found = (1 << len(self.rows)) - 1 & ~same
        if len(self.kept) * len(self.rows) < MOST_KEPT:
            self.kept[a, b] = found
        return found

    def due(self, node: Node, a: int, b: int) -> int:
        """Return in how many more questions two secrets have to differ."""
        told = sum(self.rows[g][a] != self.rows[g][b] for g in node.kit)
        return self.apart - told if self.kinds[a] != self.kinds[b] else 0

    def cells(self, node: Node) -> list[list[int]]:
        """Return the secrets that answered all alike, together."""
        found: dict[tuple[int, ...], list[int]] = {}
        for s in range(len(self.kinds)):
            found.setdefault(tuple([self.rows[g][s] for g in node.kit]), []).append(s)
        return [*found.values()]

    def open(self, node: Node) -> Open:
        """Return the pairs that need more questions."""
        if self.apart == 1:
            pairs = chain.from_iterable(combinations(cell, 2) for cell in self.cells(node))
            return [(self.telling(a, b), 1) for a, b in pairs if self.kinds[a] != self.kinds[b]]
        every = combinations(range(len(self.kinds)), 2)
        return [(self.telling(a, b), due) for a, b in every if (due := self.due(node, a, b)) > 0]

    # -- claims (K2 to K5) ------------------------------------------------------------------------------

    def refute(self, node: Node, nesting: int = 0) -> None:
        """Read the body of a claim, and refuse the file unless the claim is shown."""
        word, line = self.take(), self.line
        need(nesting <= MOST_NESTING, "too many claims inside claims")
        if word == "(":
            self.branch(node, nesting)
            return
        ways = {".": self.tried, "#": self.counted, "$": self.priced}
        need(word in ways, f"{word[:40]!r}: none of . # $ (")
        shown = ways[word](node)
        self.line = line
        need(shown, f"{word}: it is not shown that questions for {node.left} do not make a kit")

    def branch(self, node: Node, nesting: int) -> None:
        """Read the body of a claim that asks all questions that tell a pair apart (K2, K3)."""
        images, line = list[Images](), self.line
        while (word := self.take()) == "=":
            images.append(self.renaming_at(node))
        a, b = self.place(self.secrets, word), self.place(self.secrets)
        need(self.due(node, a, b) > 0, "the pair needs no more questions")
        allowed, waiting = node.allowed, node.allowed & self.telling(a, b)
        while waiting:
            line = self.line
            word = "" if word == ")" else self.take()
            named = word not in ("", ")")
            g = self.place(self.guesses, word) if named else next(bits(waiting))
            need(waiting >> g & 1, f"{word[:40]} does not tell the pair apart, or is not allowed any more")
            child = self.child(node, g, allowed)
            if named:
                self.lemmas += 1
                self.refute(child, nesting + 1)
            else:
                word = ")"
                need(self.tried(child), f"question {self.names[g]} is not shown to be of no kit")
            orbit = self.orbit(g, images)
            allowed, waiting = allowed & ~orbit, waiting & ~orbit
        self.line = line
        need(word == ")" or self.take() == ")", "a question too many")

    def child(self, node: Node, g: int, allowed: int) -> Node:
        """Return what is left to show after a question; without lies it is not asked again."""
        again = allowed if self.apart > 1 else allowed & ~(1 << g)
        return Node((*node.kit, g), again, node.left - self.costs[g])

    def renaming_at(self, node: Node) -> Images:
        """Read a renaming that keeps what was asked, and what is allowed (K3)."""
        like = dict.fromkeys(range(len(self.kinds)), 0)
        image = self.code_renaming({*like.items()}) if self.symbols else self.table_renaming(like)
        need(sorted(image[g] for g in node.kit) == sorted(node.kit), "the renaming changes what was asked")
        need(all(node.allowed >> image[g] & 1 for g in bits(node.allowed)), "it changes what is allowed")
        return image

    def table_renaming(self, like: dict[int, int]) -> Images:
        """Read a renaming of the secrets of a table, and find an image of each question of its own."""
        to, found = self.cycles(like), Images()
        kinds = {(kind, self.kinds[to[s]]) for s, kind in enumerate(self.kinds)}
        need(len(kinds) == len({*self.kinds}), "the renaming does not take kinds to kinds")
        here, there = dict[object, list[int]](), dict[object, list[int]]()
        for g, row in enumerate(self.rows):
            kept = [(self.costs[g], self.use[g]) for _ in row]
            here.setdefault(pattern(row, kept), []).append(g)
            there.setdefault(pattern([row[to[s]] for s in like], kept), []).append(g)
        for shape, some in here.items():
            need(len(there.get(shape, [])) == len(some), "the renaming has no image of a question")
            found |= dict(zip(some, there[shape], strict=True))
        return found

    def orbit(self, g: int, images: list[Images]) -> int:
        """Return all that renamings take a question to, as bits."""
        orbit = [g]
        for one in orbit:  # it grows
            orbit += [h for h in {image[one] for image in images} if h not in orbit]
        return sum(1 << h for h in orbit)

    def tried(self, node: Node) -> bool:
        """Return whether the last two questions, or fewer, are of no kit, by trying all (K2)."""
        if node.left < 0 or node.left >= 3 * self.least:
            return node.left < 0
        opened = self.open(node)
        if not opened or node.left < self.least:
            return bool(opened)
        opened.sort(key=lambda pair: (pair[0] & node.allowed).bit_count())
        if node.left < 2 * self.least:
            return self.fail(opened, node.allowed, node.left, 0)
        allowed = node.allowed
        for g in bits(opened[0][0] & allowed):
            again = allowed if self.apart > 1 else allowed & ~(1 << g)
            if self.costs[g] <= node.left and not self.fail(opened, again, node.left - self.costs[g], 1 << g):
                return False
            allowed &= ~(1 << g)
        return True

    def fail(self, opened: Open, allowed: int, left: int, asked: int) -> bool:
        """Return whether a pair stays open after the question that was asked and any other."""
        common, still = allowed if left >= self.least else 0, False
        for those, due in opened:
            rest = due - (those & asked > 0)
            if rest > 0:
                still, common = True, common & those
                if rest > 1 or not common:
                    return True
        return still and all(self.costs[g] > left for g in bits(common))

    def counted(self, node: Node) -> bool:
        """Return whether the questions left have too few answers (K4)."""
        cells = [{self.kinds[s]: s for s in reversed(cell)} for cell in self.cells(node)]
        some = [*max(cells, key=len).values()]  # the first secret of each kind, of the first cell of so many
        useful = [g for g in bits(node.allowed) if self.costs[g] <= node.left]
        parts = sorted((len({self.rows[g][s] for s in some}) for g in useful), reverse=True)
        if self.apart == 1:
            paid, asked = 0, 0
            for cost in sorted(self.costs[g] for g in useful):
                paid += cost
                asked += paid <= node.left
            return prod(parts[:asked]) < len(some)
        most, asked, lies = max([1, *parts]), node.left // self.least, self.apart // 2
        if asked < self.apart or most ** (asked - self.apart + 1) < len(some):
            return len(some) > 1
        ball = sum(comb(asked, i) * (most - 1) ** i for i in range(lies + 1))
        return len(some) * ball > most**asked

    def priced(self, node: Node) -> bool:
        """Read prices of pairs, and return whether the questions left collect less than is due (K5)."""
        prices, due = list[tuple[int, int, int]](), 0
        while (word := self.take()) != ";":
            a, b, price = self.place(self.secrets, word), self.place(self.secrets), int(self.number())
            prices.append((a, b, price))
            due += price * max(self.due(node, a, b), 0)
            need(self.due(node, a, b) > 0, "a price of a pair that needs no more questions")
        useful = [g for g in bits(node.allowed) if self.costs[g] <= node.left]
        gains = [sum(price for a, b, price in prices if row[a] != row[b]) for row in self.rows]
        rates = sorted([(Fraction(gains[g], self.costs[g]), g) for g in useful], reverse=True)
        collected, left = Fraction(0), node.left
        for rate, g in rates:
            spent = left if self.apart > 1 else min(self.costs[g], left)
            collected, left = collected + rate * spent, left - spent
        return collected < due

    def check(self) -> str:
        """Return what the certificate proves."""
        self.read_kits()
        bound = int(self.number(10**12 - 1))
        must = tuple([g for g, use in enumerate(self.use) if use == "must"])
        free = [g for g, use in enumerate(self.use) if use != "never" and not self.costs[g]]
        asked = {*must, *free} if self.apart == 1 else {*free}
        allowed = sum(1 << g for g, use in enumerate(self.use) if use != "never" and g not in asked)
        left = bound - 1 - sum(self.costs[g] for g in must)
        sys.setrecursionlimit(max(sys.getrecursionlimit(), 4 * MOST_NESTING))
        self.refute(Node((*must, *free * self.apart), allowed, left))
        need(next(self.tokens, None) is None, "something stands behind the proof")
        said = f"verified: every kit for {len(self.kinds)} secrets costs at least {bound}"
        return f"{said} ({len(self.rows)} guesses, {self.lemmas} lemmas)"


if __name__ == "__main__":
    run(Checker)
