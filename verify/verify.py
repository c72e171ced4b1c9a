"""Check a small game's certificate by LEMMAS.md: `verify.py FILE.proof`. 0: accepted; 1: refused; 2: none."""

import re
import sys
from collections import Counter
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import islice, permutations, product, zip_longest
from math import inf
from pathlib import Path

SYMBOLS = "0123456789abcdefghijklmnopqrstuvwxyz"
CELL = '"(?! )[^"]*(?:""[^"]*)*(?<! )"|(?! )[^",]*(?<! )'  # of a table: without blanks around it
Set = tuple[int, ...]  # numbers of secrets, rising
Splits = dict[int, tuple[bool, list[int]]]  # of guesses: whether it may win, the falling sizes of other parts


@dataclass
class Claim:
    """The secrets cost at least `bound` within `depth` guesses; with what the items of its body said."""

    line: int
    members: Set
    depth: float
    bound: float
    fixed: list[int] = field(default_factory=list)  # the only first guess there is
    named: list[int] = field(default_factory=list)  # guesses of lemmas
    renamings: list[list[int]] = field(default_factory=list)  # the image of each guess


def marks(guess: str, secret: str) -> str:
    """Return 2 for each symbol in place, 1 for one elsewhere in what is left of the secret, 0 for others."""
    found, spare = "", "".join([b for a, b in zip(guess, secret, strict=True) if a != b])
    for asked, there in zip(guess, secret, strict=True):
        found += "2" if asked == there else "1" if asked in spare else "0"
        spare = spare.replace(asked, "", int(asked != there))
    return found


class Checker:
    """A certificate, token by token, and all that is known of its game: counting, claims that were proved."""

    def __init__(self, path: Path) -> None:
        self.path, self.lemmas, lines = path, 0, list(enumerate(path.read_bytes().split(b"\n"), 1))
        for self.line, text in lines:
            self.need(re.fullmatch(rb"[ -~\t\r]*", text), "a byte that is no ASCII text")
        self.tokens = iter([(line, token.decode()) for line, text in lines for token in text.split()])
        self.memory: dict[Set, dict[float, float]] = {}  # bounds by depth
        self.small: list[tuple[frozenset[int], float]] = []
        self.tables: dict[tuple[int, int], list[list[float]]] = {}
        self.seen: dict[tuple[Set, float], float] = {}

    def need(self, holds: object, why: str, line: int = 0) -> None:
        """Refuse the certificate, at this line or that of the last token, unless the condition holds."""
        _ = holds or sys.exit(f"{self.path}:{line or self.line}: refused: {why}")  # with status 1

    def take(self) -> str:
        """Return the next token."""
        self.line, token = next(self.tokens, (self.line, ""))
        self.need(token, "the file ends too early")
        return token

    def number(self, endless: str = "", most: int = 100_000) -> float:
        """Return the next token as a number, or inf if it is the word for that."""
        if (token := self.take()) != endless:
            fits = re.fullmatch("0|[1-9][0-9]{,11}", token) and int(token) <= most
            self.need(fits, f"{token[:40]!r} is no number to {most}")
        return inf if token == endless else int(token)

    def place(self, names: dict[str, int], token: str = "") -> int:
        """Return the place of this token, or the next one, among guesses or secrets."""
        self.need((token := token or self.take()) in names, f"{token[:40]!r} is no guess or no secret")
        return names[token]

    def file(self, name: str, digest: str) -> list[str]:
        """Return the lines of a file beside the certificate if its SHA-256 is in the digest."""
        self.need(Path(name).name == name, f"{name[:80]!r} is no name of a file beside the certificate")
        data = (self.path.parent / name).read_bytes()
        self.need(sha256(data).hexdigest() in digest, f"{name[:80]} has another SHA-256")
        self.need(not re.search(rb"^\xef\xbb\xbf|[^\n -~\x80-\xff]", data), "byte order mark or control byte")
        return data.decode("utf-8", "surrogateescape").removesuffix("\n").split("\n")

    def read_game(self) -> None:
        """Read the game and its goal; guesses and secrets of tables are rows and columns, numbered from 1."""
        kind, a, b = self.take(), self.take(), self.take()
        self.symbols, self.black, fits = "", int(kind == "blackpeg"), True  # of codes, which may be renamed
        if kind == "table":
            lines = [f",{line}" for line in self.file(b, a)]
            self.need(all(re.fullmatch(f"(,({CELL}))+", line) for line in lines), "odd marks or blanks")
            cells = [re.findall(f",({CELL})", line) for line in lines]
            (_, *header), *rows = [[re.sub('^"|"$', "", c).replace('""', '"') for c in row] for row in cells]
            fits = len(a) == 64 and not any(re.match("cost(:|$)", name) for name in header)
            for name, *row in rows:
                fits &= name != "weight" and len(row) == len(header) and all(row) and len({*row, "win"}) < 256
            secrets, guesses = ([*map(str, range(1, len(some) + 1))] for some in (header, rows))
        elif kind == "wordle":
            secrets, others = (sorted(self.file(name, name)) for name in (a, b))
            guesses = sorted({*secrets, *others})
            fits = all(re.fullmatch("[a-z]{1,5}", word) and len(word) == len(secrets[0]) for word in guesses)
            fits &= [*map(len, ({*secrets}, {*others}))] == [len(secrets), len(others)]
        else:
            plain = re.fullmatch("[1-9]|1[0-4]", a) and re.fullmatch("[1-9]|[12][0-9]|3[0-6]", b)
            self.need(plain and kind in ("mastermind", "blackpeg", "bulls"), f"{kind[:40]!r}: no such game")
            signs = self.symbols = SYMBOLS[: int(b)]
            codes = permutations(signs, int(a)) if kind == "bulls" else product(signs, repeat=int(a))
            guesses = secrets = ["".join(code) for code in islice(codes, 10_000)]
        self.need(fits and 0 < len(secrets) * len(guesses) <= 40_000_000, "no word a line, no table or large")
        numbers = {"win": 0}  # of responses
        self.columns: list[Set] = []  # [s][g]: the response to guess g when s is the secret
        for s, secret in enumerate(secrets):
            found = [row[s + 1] for row in rows] if kind == "table" else [marks(g, secret) for g in guesses]
            if self.symbols:
                found = [f"{mark.count('2')} {self.black or mark.count('1')}" for mark in found]
            self.columns.append(tuple([numbers.setdefault(answer, len(numbers)) for answer in found]))
        goal = (token := self.take()).removesuffix("-candidates")
        self.need(goal in ("win", "identify"), f"{token[:40]!r}: no such goal")
        end = numbers["win"] if kind == "table" else self.columns[0][guesses.index(secrets[0])]
        self.win = end if goal == "win" else -1  # the response that ends the game
        pairs = [(g, s) for s, column in enumerate(self.columns) for g, r in enumerate(column) if r == end]
        if kind == "table" and goal == "identify":
            pairs = [(g, s) for g, row in enumerate(rows) for s, name in enumerate(header) if row[0] == name]
        twice = any(len({*some}) < len(some) for some in [*zip(*pairs, strict=True)][: 1 + (token != goal)])
        self.need(not twice or token == "identify", "a guess wins for two secrets, or two are one secret")
        self.names, self.own, self.top = guesses, dict(pairs), 64 * (token == goal)  # 0: candidates only
        self.secrets, self.guesses = ({name: i for i, name in enumerate(all_)} for all_ in (secrets, guesses))
        self.whole = self.splits(tuple(range(len(secrets))))
        self.caps = [*map(max, zip_longest(*(sizes for _, sizes in self.whole.values()), [0], fillvalue=0))]

    def splits(self, members: Set) -> Splits:
        """Return how each guess that may be asked splits these secrets."""
        counts = enumerate(map(Counter, zip(*(self.columns[s] for s in members), strict=True)))
        may = {g for g, s in self.own.items() if s in members} if not self.top else {*range(len(self.names))}
        return {g: (n.pop(self.win, 0) > 0, sorted(n.values())[::-1]) for g, n in counts if g in may}

    def counted(self, size: int, depth: float, splits: Splits) -> list[float]:
        """Return at least what 0 to `size` secrets cost (L2) that are in a set with these splits (L3)."""
        parts = max([0, *(len(sizes) for _, sizes in splits.values())])  # of any guess, of one that may win:
        winning = max([0, *(len(sizes) for may_win, sizes in splits.values() if may_win)])
        levels = self.tables.setdefault((winning, parts), [[]])  # one a guess, until they stay the same
        if len(levels[0]) <= size:
            levels[:] = [[0, 0 if self.win < 0 else inf] + [inf] * min(len(self.secrets), 2 * size)]
        while len(levels) <= depth and (len(levels) == 1 or levels[-1] != levels[-2]):
            costs, shares = levels[-1], [[0, *[inf] * (len(levels[0]) - 1)]]  # [k][n]: n secrets in k parts
            for cap in self.caps[:parts]:
                back = shares[-1][::-1]
                pieces = [back[i : i + cap + 1] for i in range(len(back) - 1, -1, -1)]
                shares.append([min(map(sum, zip(costs, piece, strict=False))) for piece in pieces])
            ways = zip(levels[0], [inf, *shares[winning]], shares[parts], strict=False)
            levels.append([min(none, n + won, n + lost) for n, (none, won, lost) in enumerate(ways)])
        return levels[int(min(depth, len(levels) - 1))]

    def known(self, members: Set, depth: float) -> float:
        """Return the best bound that was proved for this set (0: none), or for a small set in it (L7)."""
        bounds = [bound for d, bound in self.memory.get(members, {}).items() if d >= depth]
        return inf if any(d >= depth and h <= {*members} for h, d in self.small) else max(bounds, default=0)

    def ahead(self, members: Set, depth: float) -> float:
        """Return at least what the set costs, by one step ahead (L5), if a guess is left."""
        size, key = len(members), (members, min(depth, len(members)))  # L6
        if key not in self.seen and size > 1:
            costs = self.counted(size, key[1] - 1, splits := self.splits(members))
            sums = (sum(map(costs.__getitem__, sizes)) for _, sizes in splits.values() if sizes != [size])
            self.seen[key] = size + min(sums, default=inf)
        return self.seen.get(key, 0)

    def passes(self, claim: Claim, guess: int, sizes: list[int], costs: list[float]) -> bool:
        """Return whether it is shown that asking this guess first costs at least the bound."""
        size, depth = len(claim.members), max(0, claim.depth - 1)
        if size + sum(map(costs.__getitem__, sizes)) >= claim.bound or (sizes == [size] and not claim.fixed):
            return True  # by counting; or it tells nothing (L1)
        to = {s: self.columns[s][guess] for s in claim.members}
        groups = [tuple([s for s in to if to[s] == r]) for r in {*to.values()} - {self.win}]
        bounds = {part: costs[len(part)] for part in sorted(groups, key=len, reverse=True)}
        for better in (self.known, self.ahead):
            for part in bounds:
                if size + sum(bounds.values()) < claim.bound:
                    bounds[part] = max(bounds[part], better(part, depth))
        return size + sum(bounds.values()) >= claim.bound

    def prove(self, claim: Claim) -> None:
        """Refuse the claim unless each guess is shown to cost its bound; remember it if it is news."""
        size, least = len(claim.members), self.known(claim.members, claim.depth)
        if max(least, self.counted(size, claim.depth, self.whole)[size]) < claim.bound:
            self.need(size > 1 or self.win >= 0, f"one secret does not cost {claim.bound}", claim.line)
            costs = self.counted(size, claim.depth - 1, splits := self.splits(claim.members))
            left = dict.fromkeys(claim.fixed or sorted(splits, key={*claim.named}.__contains__))
            while left:
                orbit = [left.popitem()[0]]  # from the end: the guesses of lemmas come first
                for guess in orbit:  # it grows: all that cost the same (L8)
                    orbit += [image[guess] for image in claim.renamings if left.pop(image[guess], 0) is None]
                why = f"{self.names[orbit[0]]}: {size} secrets are not shown to cost {claim.bound}"
                self.need(any(self.passes(claim, g, splits[g][1], costs) for g in orbit), why, claim.line)
            if not claim.fixed:
                depth = inf if claim.depth >= size else claim.depth  # L6
                self.memory.setdefault(claim.members, {})[depth] = claim.bound
                self.small += [(frozenset(claim.members), depth)] * (claim.bound == inf and size <= self.top)

    def rename(self, claim: Claim, order: str, symbols: str) -> None:
        """Add a renaming of positions and symbols to the claim if it keeps the set."""
        positions, signs = [*SYMBOLS[: len(self.names[0])]], [*self.symbols]
        ways = symbols.split("/") if self.black and "/" in symbols else [symbols] * len(positions)
        fits = [sorted(order), *map(sorted, ways)] == [positions, *[signs] * len(positions)]
        self.need(fits, "no renaming of positions and symbols of codes")
        moves = [(ways[y], y) for y in map(order.index, positions)]
        image = [self.guesses["".join([way[signs.index(c[y])] for way, y in moves])] for c in self.names]
        self.need({image[s] for s in claim.members} == {*claim.members}, "the renaming does not keep the set")
        claim.renamings += [image] * (image not in claim.renamings)

    def check(self) -> str:
        """Return what the certificate proves."""
        self.need(self.take() == "guesstree-proof/1", "no guesstree-proof/1")
        self.read_game()
        fixed = [] if (token := self.take()) == "-" else [self.place(self.guesses, token)]
        self.need(self.top or {*fixed} <= {*self.own}, "the first guess is no secret")
        within, cost = self.number("-"), self.number("inf", 10**12)
        claim: Claim | None = Claim(self.line, tuple(range(len(self.secrets))), within, cost, fixed)
        stack: list[Claim] = []
        while (claim or stack) and (token := self.take()):
            if claim and token == "(":
                stack.append(claim)
                claim = None
            elif claim or token == ")":
                self.need(not claim or token == ".", "neither . nor (")
                done, claim = claim or stack.pop(), None
                self.prove(done)
            elif token == "!":
                count, depth = self.number(), self.number()
                self.need(len(stack) == 1 and 2 <= count <= self.top, "no small set, or one inside a claim")
                small = tuple([self.place(self.secrets) for _ in range(int(count))])
                self.need(sorted({*small}) == [*small], "the secrets do not rise")
                claim = Claim(self.line, small, depth, inf)
            elif token == "=":
                self.rename(stack[-1], self.take(), self.take())
            else:
                guess, secret, on = self.place(self.guesses, token), self.place(self.secrets), stack[-1]
                self.need(secret in on.members, "the secret is not in the set")
                on.named, self.lemmas = [*on.named, guess], self.lemmas + 1
                part = tuple([s for s in on.members if self.columns[s][guess] == self.columns[secret][guess]])
                claim = Claim(self.line, part, max(0, on.depth - 1), self.number("inf", 10**12))
        self.need(next(self.tokens, None) is None, "something stands behind the proof")
        said = f"verified: {len(self.secrets)} secrets cost at least {cost}, within {within} guesses"
        return f"{said} ({len(self.names)} guesses, {self.lemmas} lemmas)"


if __name__ == "__main__":
    try:
        print(Checker(Path(*sys.argv[1:2])).check())
    except OSError as error:
        print(f"cannot be read: {error}", file=sys.stderr)
        sys.exit(2)
