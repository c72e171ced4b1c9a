"""Check a certificate of tests that may get several answers: `python verify/noisy.py FILE.proof`.

Slow and plain, from the text of NOISY.md and its N1 to N6. Status 0: accepted; 1: refused, with the line;
2: a file cannot be read. A cost is an integer, `ENDLESS` or more where nothing may be decided.
"""

import heapq
import re
import sys
from dataclasses import dataclass
from functools import cache, cached_property
from math import gcd, inf, lcm, prod
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from checking import MOST_NESTING, need, rows_of, run, whole
from checking import Checker as AnyChecker

MOST_SUM, MOST_NUMBER, MOST_TESTS, MOST_ANSWERS, MOST_BITS = 10**17, 100_000, 1000, 4096, 4000
MOST_APART, MOST_COMPARED = 64, 300  # causes of a state of which every two are compared, and of a table
ENDLESS = 1 << 16384
COLUMNS = ("cost", "cost:later", "cost:group", "cost:ends", "cost:after")


@dataclass(frozen=True)
class State:
    """Who is possible, with which masses; which tests were asked, and which groups are open."""

    masses: tuple[tuple[int, int], ...]
    asked: frozenset[int] = frozenset()
    opened: frozenset[str] = frozenset()

    @cached_property
    def causes(self) -> list[int]:
        """The causes that are possible."""
        return [cause for cause, _ in self.masses]


class Game:
    """A table, and bounds of what strategies cost from a state on."""

    def __init__(self, data: bytes, *, worst: bool) -> None:
        head, *rows = rows_of(data)
        need(head[0] in ("", "cliques"), "it begins with neither cliques nor nothing")
        columns = {name: c for c, name in enumerate(head) if c and (name == "cost" or name[:5] == "cost:")}
        own = len(head) - 1 - sum(name == "cost" or name[:5] == "cost:" for name in head[1:])
        need(0 < own <= MOST_NUMBER and len(columns) == len(head) - 1 - own, "no cause, or a column twice")
        need(min(columns.values(), default=0) > own and columns.keys() <= {*COLUMNS}, "a column is odd")
        need("cost" in columns and ("cost:later" in columns) == ("cost:group" in columns), "no column cost")
        self.worst, self.cliques, self.causes = worst, head[0] == "cliques", range(own)
        weights = [row for row in rows if row[0] == "weight"]
        tests, decided = (
            [row for row in rows if row[0] != "weight" and (row[columns["cost"]] == "-") == decides]
            for decides in (False, True)
        )
        need(len(weights) < 2 and 0 < len(tests) <= MOST_TESTS, "two rows of weights, no test, or too many")
        need(len(tests) + len(decided) <= MOST_NUMBER, "too many rows")
        need(not (decided and self.cliques), "cliques, and decisions")
        self.weight = [whole(cell, least=1) for cell in weights[0][1 : own + 1]] if weights else [1] * own
        self.losses = [[whole(cell) if cell else ENDLESS for cell in row[1 : own + 1]] for row in decided]
        self.tests, self.price = range(len(tests)), [whole(row[columns["cost"]]) for row in tests]
        self.cells = [[cell_of(cell) for cell in row[1 : own + 1]] for row in tests]
        self.answers = [{a for cell in row for a in cell} for row in self.cells]
        need(all(len(each) <= MOST_ANSWERS for each in self.answers), "4097 answers to a test")
        most = max((len({tuple(sorted(cell.items())) for cell in row}) for row in self.cells), default=0)
        need(most <= MOST_ANSWERS, "4097 different cells of a test")
        self.read_columns(tests, columns)
        self.find_unit()
        self.find_causes()
        self.bounds: dict[State, int] = {}
        self.looked: dict[tuple[State, int], int] = {}

    def read_columns(self, tests: list[list[str]], columns: dict[str, int]) -> None:
        """Read groups, answers that end the path, and which tests wait for others."""

        def column(name: str) -> list[str]:
            return [row[columns[name]] if name in columns else "" for row in tests]

        self.group, self.later = column("cost:group"), [*self.price]
        for t, cell in enumerate(column("cost:later")):
            need((cell == "") == (self.group[t] == ""), "cost:later goes with cost:group")
            self.later[t] = whole(cell, self.price[t]) if cell else self.price[t]
        self.ends = [{*cell.split("/")} - {""} if cell else set[str]() for cell in column("cost:ends")]
        for t, cell in enumerate(column("cost:ends")):
            need(not cell or {*cell.split("/")} <= self.answers[t], "an answer that ends the path is none")
        self.needs = [
            frozenset(whole(n, len(tests), least=1) - 1 for n in cell.split("/")) if cell else frozenset()
            for cell in column("cost:after")
        ]
        self.opening = [
            min(self.price[u] for u in self.tests if self.group[u] == self.group[t]) if self.group[t] else 0
            for t in self.tests
        ]
        self.most_answers = max(len(self.answers[t] - self.ends[t]) for t in self.tests)

    def find_unit(self) -> None:
        """Find what masses are counted in."""
        need(sum(self.price) <= MOST_SUM and sum(self.weight) <= MOST_SUM, "costs or weights are too large")
        self.unit = 1
        if not self.worst:
            each = [lcm(*(sum(cell.values()) for cell in row)) for row in self.cells]
            need(all(one <= 10**15 for one in each), "rates are too different")
            self.unit = prod(each)
            need(self.unit.bit_length() <= MOST_BITS, "the unit has too many bits")
        self.root = State(tuple((i, 1 if self.worst else self.unit * w) for i, w in enumerate(self.weight)))
        lost = max((x for row in self.losses for x in row if x < ENDLESS), default=0)
        self.most = (sum(self.price) + lost) * (1 if self.worst else self.unit * sum(self.weight))

    def find_causes(self) -> None:
        """Find who may be named together, and what each cause pays in the end."""
        self.overlap = [
            {
                j
                for j in self.causes
                if j == i or (self.cliques and all(row[i].keys() & row[j].keys() for row in self.cells))
            }
            for i in self.causes
        ]
        self.least = [min((row[i] for row in self.losses), default=ENDLESS) for i in self.causes]
        self.stop = [
            min(
                (self.later[t] for t in self.tests if self.ends[t] & self.cells[t][i].keys()), default=ENDLESS
            )
            for i in self.causes
        ]

    # -- states ----------------------------------------------------------------------------------------

    def helps(self, s: State, t: int) -> bool:
        """Return whether a test helps by what it answers (N2)."""
        cells = [self.cells[t][i] for i in s.causes]
        if self.worst:
            return {*cells[0]}.intersection(*cells) <= self.ends[t]
        return any(cell != cells[0] or self.ends[t] & cell.keys() for cell in cells)

    def priced(self, s: State, t: int) -> int:
        """Return what a test costs."""
        return self.later[t] if self.group[t] in s.opened else self.price[t]

    def useful(self, s: State) -> set[int]:
        """Return the tests that are useful (N2)."""
        found = {t for t in self.tests if t not in s.asked and self.helps(s, t)}
        while True:
            wanted = self.wanted(found) - s.opened
            more = {t for t in self.tests if self.group[t] in wanted}
            more |= {u for t in found for u in self.needs[t]}
            if more - s.asked <= found:
                return found
            found |= more - s.asked

    def wanted(self, tests: set[int]) -> set[str]:
        """Return the groups in which some of the tests cost less once they are open."""
        return {self.group[t] for t in tests if self.later[t] < self.price[t]}

    def key(self, s: State) -> State:
        """Return a state with what matters (N2)."""
        useful = self.useful(s)
        needed = {u for t in useful for u in self.needs[t]}
        asked = {t for t in s.asked if t in needed or self.helps(s, t)}
        return State(s.masses, frozenset(asked), s.opened & self.wanted(useful))

    def askable(self, s: State) -> list[int]:
        """Return the tests of which each has to pass."""
        return sorted(t for t in self.useful(s) if self.needs[t] <= s.asked)

    def after(self, s: State, t: int) -> dict[str, State]:
        """Return the states after the answers that go on."""
        parts: dict[str, list[tuple[int, int]]] = {}
        for i, m in s.masses:
            cell = self.cells[t][i]
            for a, rate in cell.items():
                if a not in self.ends[t]:
                    mass = 1 if self.worst else m // sum(cell.values()) * rate
                    parts.setdefault(a, []).append((i, mass))
        opened = s.opened | ({self.group[t]} - {""})
        return {a: State(tuple(part), s.asked | {t}, opened) for a, part in parts.items()}

    # -- bounds ----------------------------------------------------------------------------------------

    def joined(self, s: State, t: int, below: list[int]) -> int:
        """Return what a test costs with these costs of the states behind it (N1)."""
        if self.worst:
            return self.priced(s, t) + max(below, default=0)
        return self.priced(s, t) * sum(m for _, m in s.masses) + sum(below)

    def decided(self, s: State) -> int:
        """Return what is lost if nothing more is asked."""
        if not self.losses:
            return 0 if all(self.overlap[i].issuperset(s.causes) for i in s.causes) else ENDLESS
        if self.worst:
            return min(max(row[i] for i in s.causes) for row in self.losses)
        return min(ENDLESS, *(sum(m * row[i] for i, m in s.masses) for row in self.losses))

    def bound(self, s: State) -> int:
        """Return at least what a state costs (N4)."""
        if s in self.bounds:
            return self.bounds[s]
        helping = [t for t in self.tests if t not in s.asked and self.helps(s, t)]
        decided = asked = self.decided(s)
        if helping:
            next_ = min(
                min(self.priced(s, t), self.later[t] + self.opening[t]) if self.group[t] else self.price[t]
                for t in helping
            )
            if self.losses:
                each = [(m, min(next_ + self.least[i], max(next_, self.stop[i]))) for i, m in s.masses]
                asked = max(x for _, x in each) if self.worst else sum(m * x for m, x in each)
            else:
                asked = next_ * (1 if self.worst else sum(m for _, m in s.masses))
                if not any(self.ends):
                    asked = max(
                        asked, self.coded(s) * min(self.later[t] for t in helping), self.told_apart(s)
                    )
        self.bounds[s] = min(decided, asked)
        return self.bounds[s]

    def told_apart(self, s: State) -> int:
        """Return at least what tests cost that leave all out who may not be named with a cause."""
        if len(self.causes) > MOST_COMPARED or len(s.causes) > MOST_APART:
            return 0
        each = [(m, max(self.apart(i, j) for j in s.causes)) for i, m in s.masses]
        return max(x for _, x in each) if self.worst else sum(m * x for m, x in each)

    @cache  # noqa: B019 - there is one game
    def apart(self, i: int, j: int) -> int:
        """Return the least that a test costs by which a cause may leave another behind."""
        if j in self.overlap[i]:
            return 0
        some = (t for t in self.tests if self.cells[t][i].keys() - self.cells[t][j].keys())
        return min((self.later[t] for t in some), default=ENDLESS)

    def coded(self, s: State) -> int:
        """Return the total of the shortest code for the parts of the overlaps, or its longest word."""
        parts, waiting = list[int](), dict(s.masses)
        while waiting:
            part, total = [next(iter(waiting))], 0
            for i in part:  # it grows
                part += [j for j in waiting if j in self.overlap[i] and j not in part]
            for i in part:
                total += waiting.pop(i)
            parts.append(total)
        if self.most_answers < 2:
            return 0
        if self.worst:
            return next(n for n in range(len(parts)) if self.most_answers**n >= len(parts))
        total, heap = 0, [0] * (-(len(parts) - 1) % (self.most_answers - 1)) + parts
        heapq.heapify(heap)
        while len(heap) > 1:
            together = sum(heapq.heappop(heap) for _ in range(self.most_answers))
            heapq.heappush(heap, together)
            total += together
        return total

    def ahead(self, s: State, tests: int) -> int:
        """Return at least what a state costs, by so many tests ahead (N5)."""
        bound, decided = self.bound(s), self.decided(s)
        if not tests or bound == decided:
            return bound
        at = self.key(s), min(tests, len(self.tests))
        if at not in self.looked:
            further = tests if tests >= len(self.tests) else tests - 1
            ways = [
                self.joined(s, t, [self.ahead(one, further) for one in self.after(s, t).values()])
                for t in self.askable(s)
            ]
            self.looked[at] = max(bound, min([decided, *ways]))
        return self.looked[at]


def large(word: str, most: int) -> int:
    """Return a bound as a file has it; what is more than any strategy costs is without end."""
    need(re.fullmatch("0|[1-9][0-9]{,4095}", word), f"{word[:40]!r} is no bound")
    return int(word) if int(word) <= most else ENDLESS


def written(bound: int) -> str:
    """Return a bound in words."""
    return str(bound) if bound < ENDLESS else "inf"


def cell_of(text: str) -> dict[str, int]:
    """Return the answers in a cell with their rates, as small as they may be."""
    parts = [part.split(":", 1) for part in text.split("/")]
    need(all(part[0] and len(part) == (2 if len(parts) > 1 else len(part)) for part in parts), "an odd cell")
    found = {part[0]: whole(part[1], least=1) if len(part) > 1 else 1 for part in parts}
    need(len(found) == len(parts) and sum(found.values()) <= 10**15, "an answer twice, or large rates")
    common = gcd(*found.values())
    return {answer: rate // common for answer, rate in found.items()}


class Checker(AnyChecker):
    """A certificate, and the claims that were proved."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.memory: dict[State, int] = {}

    def check(self) -> str:
        """Return what the certificate proves."""
        need(self.take() == "guesstree-proof/1" and self.take() == "noisy", "no guesstree-proof/1 noisy")
        digest, name, goal = self.take(), self.take(), self.take()
        need(goal == "identify" and len(digest) == 64, "the goal is not identify, or no SHA-256")
        first, left, cost = self.take(), self.number(endless="-"), self.take()
        need((left < inf) == (cost == "inf"), "a number, or a limit of what is paid and inf is due")
        game = self.game = Game(self.file(name, digest), worst=left < inf)
        least = large(str(int(left) + 1) if left < inf else cost, game.most)
        only = None if first == "-" else whole(first, len(game.tests), least=1) - 1
        need(only is None or not game.needs[only], "the first test waits for others")
        sys.setrecursionlimit(max(sys.getrecursionlimit(), 8 * MOST_NESTING))
        self.prove_state(game.root, least, only, 0)
        need(next(self.tokens, None) is None, "something stands behind the proof")
        seen = f"({len(game.tests)} guesses, {self.lemmas} lemmas)"
        return f"verified: {len(game.causes)} secrets cost at least {written(least)} / {game.unit} {seen}"

    def prove_state(self, s: State, least: int, only: int | None, nesting: int) -> None:
        """Read the body of a claim, and refuse the file unless the claim is shown (N6); remember it."""
        word, line, game, ahead = self.take(), self.line, self.game, 1
        need(nesting <= MOST_NESTING, "too many claims inside claims")
        if word == "(":
            while (word := self.take()) != ")":
                t = whole(word, len(game.tests), least=1) - 1
                need(t not in s.asked, "a test is asked twice")
                child = game.after(s, t).get(self.take())
                need(child, "no answer there, or the path ends with it")
                assert child is not None
                self.prove_state(child, large(self.take(), game.most), None, nesting + 1)
                self.lemmas += 1
        elif word != ".":
            ahead = whole(word, MOST_NUMBER)
        end, self.line, key = self.line, line, game.key(s)
        if only is not None:
            need(self.cost(s, only, ahead) >= least, f"{written(least)} is not shown of the first test")
        elif max(self.memory.get(key, 0), game.bound(s)) < least:
            need(game.decided(s) >= least, f"{written(least)} is not shown: to decide costs less")
            for t in game.askable(s):
                need(self.cost(s, t, ahead) >= least, f"{written(least)} is not shown of test {t + 1}")
        if only is None:
            self.memory[key] = max(self.memory.get(key, 0), least)
        self.line = end

    def cost(self, s: State, t: int, ahead: int) -> int:
        """Return at least what a test costs that is asked first."""
        game, known = self.game, self.memory.get
        after = [max(known(game.key(one), 0), game.ahead(one, ahead)) for one in game.after(s, t).values()]
        return game.joined(s, t, after)


if __name__ == "__main__":
    run(Checker)
