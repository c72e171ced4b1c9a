"""What the slow checkers share: certificates token by token, games, and the way through all claims."""

import re
import sys
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import islice, permutations, product
from math import inf
from pathlib import Path
from typing import Any

SYMBOLS = "0123456789abcdefghijklmnopqrstuvwxyz"
CELL = '"(?! )[^"]*(?:""[^"]*)*(?<! )"|(?! )[^",]*(?<! )'  # of a table: without blanks around it
MOST_NESTING = 1000  # of claims inside claims
Images = dict[int, int]  # of guesses under a renaming
Demands = frozenset[
    tuple[str, str, int]
]  # of guesses: a relation, a letter, its place or how often it occurs
FREE: Demands = frozenset()
RULES = {"wordle": "", "wordle-hard": "hard", "wordle-ultra": "ultra"}


class RefusedError(Exception):
    """The certificate proves nothing; with the reason."""


def need(holds: object, why: str) -> None:
    """Refuse the certificate unless the condition holds."""
    if not holds:
        raise RefusedError(why)


def whole(word: str, most: int = 10**15, least: int = 0) -> int:
    """Return a number as a file has it."""
    fits = re.fullmatch("0|[1-9][0-9]{,15}", word) and least <= int(word) <= most
    need(fits, f"{word[:40]!r} is no number of {least} to {most}")
    return int(word)


def lines_of(data: bytes) -> list[str]:
    """Return the lines of a file beside a certificate."""
    need(not re.search(rb"^\xef\xbb\xbf|[^\n -~\x80-\xff]", data), "byte order mark or control byte")
    return data.decode("utf-8", "surrogateescape").removesuffix("\n").split("\n")


def rows_of(data: bytes) -> list[list[str]]:
    """Return the cells of a table, without its quotation marks; what may be read in two ways is refused."""
    lines = [f",{line}" for line in lines_of(data)]
    need(all(re.fullmatch(f"(,({CELL}))+", line) for line in lines), "odd quotation marks or blanks")
    rows = [re.findall(f",({CELL})", line) for line in lines]
    need(all(len(row) == len(rows[0]) for row in rows), "no table: rows of different lengths")
    return [[re.sub('^"|"$', "", cell).replace('""', '"') for cell in row] for row in rows]


def pattern(answers: Iterable[Hashable], kept: Iterable[Hashable]) -> tuple[tuple[int, Hashable], ...]:
    """Return which secrets answer alike, and what an image has, too; names of responses are all one."""
    met: dict[Hashable, int] = {}
    numbers = [met.setdefault(answer, len(met)) for answer in answers]
    return tuple(zip(numbers, kept, strict=True))


@dataclass
class Claim:
    """The set costs at least `bound`, with so much left, and what the items of the body of the claim said."""

    members: tuple[Any, ...]
    left: float
    bound: float
    fixed: int | None = None  # the only first guess there is
    under: Demands = FREE  # what the history demands of guesses
    named: list[int | None] = field(default_factory=list)  # guesses of lemmas; None: none is asked
    images: list[Images] = field(default_factory=list)


class Checker:
    """A certificate, token by token, and the claims of it; what bounds a set is up to each kind."""

    secrets: dict[str, int]  # by their names

    def __init__(self, path: Path) -> None:
        self.path, self.line, self.lemmas = path, 1, 0
        self.tokens = self.words(path.read_bytes())

    # -- what a kind of certificates says --------------------------------------------------------------

    def part(self, claim: Claim, word: str) -> tuple[int | None, Claim]:
        """Read what a lemma is about, from the word of its guess on; return the guess, and the claim."""
        raise NotImplementedError

    def renaming(self, claim: Claim) -> Images:
        """Read a renaming, and return the image of each guess."""
        raise NotImplementedError

    def renamed(self, claim: Claim) -> bool:  # noqa: ARG002 - see verify.py
        """Read where a renaming takes a set; return whether as much is proved of its image."""
        raise RefusedError("~: only codes have renamings that take a set to another")

    def small(self) -> Claim:
        """Read a small set."""
        raise RefusedError("no small set is due")

    def shown(self, claim: Claim) -> bool:
        """Return whether a claim is shown without a look at its guesses."""
        raise NotImplementedError

    def guesses_of(self, claim: Claim) -> list[int | None]:
        """Return the guesses of which one of each orbit has to pass."""
        raise NotImplementedError

    def passes(self, claim: Claim, guess: Any) -> bool:
        """Return whether a guess that is asked first is shown to cost enough."""
        raise NotImplementedError

    def remember(self, claim: Claim) -> None:
        """Keep a claim that is proved."""
        raise NotImplementedError

    # -- tokens, files ---------------------------------------------------------------------------------

    def words(self, data: bytes) -> Iterator[str]:
        """Yield the tokens of the file."""
        lines = list(enumerate(data.split(b"\n"), 1))
        for number, text in lines:
            self.line = number
            need(re.fullmatch(rb"[ -~\t\r]*", text), "a byte that is no ASCII text")
        for number, text in lines:
            for word in text.split():
                self.line = number
                yield word.decode()

    def take(self) -> str:
        """Return the next token."""
        word = next(self.tokens, "")
        need(word, "the file ends too early")
        return word

    def number(self, most: int = 10**15, endless: str = "") -> float:
        """Return the next token as a number, or inf if it is the word for that."""
        word = self.take()
        return inf if word == endless else whole(word, most)

    def place(self, names: dict[str, int], word: str = "") -> int:
        """Return the place of this token, or the next one, among guesses or secrets."""
        word = word or self.take()
        need(word in names, f"{word[:40]!r} is no guess or no secret")
        return names[word]

    def first(self, names: dict[str, int]) -> int | None:
        """Return the first guess, if one is fixed."""
        word = self.take()
        return None if word == "-" else self.place(names, word)

    def file(self, name: str, digest: str) -> bytes:
        """Return what is in a file beside the certificate if its SHA-256 is in the digest."""
        need(Path(name).name == name, f"{name[:80]!r} is no name of a file beside the certificate")
        data = (self.path.parent / name).read_bytes()
        need(sha256(data).hexdigest() in digest, f"{name[:80]} has another SHA-256")
        return data

    def cycles(self, like: dict[int, Any]) -> dict[int, int]:
        """Read where a renaming takes the secrets of a set, each to one with the same value (L9, P9, F2)."""
        cycles = list[list[int]]([[]])
        while (word := self.take()) != ";":
            cycles += [[]] if word == "/" else []
            cycles[-1] += [self.place(self.secrets, word)] if word != "/" else []
        named = [s for cycle in cycles for s in cycle]
        need({*named} <= {*like} and len({*named}) == len(named), "a renaming of others, or of one twice")
        need(all(len(cycle) > 1 for cycle in cycles), "a cycle of a renaming has two secrets or more")
        moved = {s: t for cycle in cycles for s, t in zip(cycle, cycle[1:] + cycle[:1], strict=True)}
        need(all(like[s] == like[t] for s, t in moved.items()), "the renaming changes a weight, or lies left")
        return {s: s for s in like} | moved

    # -- claims ----------------------------------------------------------------------------------------

    def prove(self, claim: Claim, nesting: int = 0) -> None:
        """Read the body of a claim, and refuse the file unless the claim is shown; remember it."""
        word, line = self.take(), self.line
        need(word in (".", "(") or (word == "~" and nesting), f"{word[:40]!r}: neither . nor ( nor ~")
        need(nesting <= MOST_NESTING, "too many claims inside claims")
        if word == "~":
            need(
                self.renamed(claim),
                f"{claim.bound} is not proved of the image of {len(claim.members)} secrets",
            )
        while word == "(" and (item := self.take()) != ")":
            if item == "=":
                claim.images.append(self.renaming(claim))
            elif item == "!":
                need(not nesting, "a small set inside a claim")
                self.prove(self.small(), 1)
            else:
                guess, lemma = self.part(claim, item)
                claim.named.append(guess)
                self.lemmas += 1
                self.prove(lemma, nesting + 1)
        end = self.line
        self.line = line
        if word != "~" and not self.shown(claim):
            self.need_guesses(claim)
        if claim.fixed is None:
            self.remember(claim)
        self.line = end

    def need_guesses(self, claim: Claim) -> None:
        """Refuse the file unless one guess of each orbit passes."""
        guesses = self.guesses_of(claim)
        waiting = dict.fromkeys([*(g for g in claim.named if g in {*guesses}), *guesses])
        while waiting:
            orbit = [next(iter(waiting))]  # guesses of lemmas come first
            waiting.pop(orbit[0])
            for guess in orbit:  # it grows: all that renamings make equal, either way
                near = [h for to in claim.images for h, image in to.items() if guess in (h, image)]
                near += [to[guess] for to in claim.images if guess in to]
                orbit += [h for h in near if waiting.pop(h, 0) is None]
            why = f"guess {self.named(orbit[0])}: {claim.bound} is not shown for {len(claim.members)} secrets"
            need(any(self.passes(claim, g) for g in orbit), why)

    def named(self, guess: int | None) -> str:
        """Return a guess as a certificate names it."""
        return "-" if guess is None else str(guess + 1)

    def prove_all(self, claim: Claim) -> None:
        """Read the body of the claim about all secrets, and the end of the file."""
        sys.setrecursionlimit(max(sys.getrecursionlimit(), 4 * MOST_NESTING))
        self.prove(claim)
        need(next(self.tokens, None) is None, "something stands behind the proof")


def marks(guess: str, secret: str) -> str:
    """Return 2 for each symbol in place, 1 for one elsewhere in what is left of the secret, 0 for others."""
    found, spare = "", "".join([b for a, b in zip(guess, secret, strict=True) if a != b])
    for asked, there in zip(guess, secret, strict=True):
        found += "2" if asked == there else "1" if asked in spare else "0"
        spare = spare.replace(asked, "", int(asked != there))
    return found


class GameChecker(Checker):
    """A checker of games whose guesses cost one each: codes, words, plain tables."""

    most_cells = 40_000_000

    def read_game(self) -> None:
        """Read the game and its goal; guesses and secrets of tables are rows and columns, numbered from 1."""
        kind, a, b = self.take(), self.take(), self.take()
        self.rules = RULES.get(kind, "")  # of what may be asked
        self.symbols, self.black, header = (
            "",
            kind == "blackpeg",
            list[str](),
        )  # of codes, which may be renamed
        rows: list[list[str]] = []
        if kind == "table":
            need(len(a) == 64, "a SHA-256 has 64 digits")
            (_, *header), *rows = rows_of(self.file(b, a))
            fits = not any(re.match("cost(:|$)", name) for name in header)
            fits &= all(row[0] != "weight" and all(row[1:]) and len({*row[1:], "win"}) < 256 for row in rows)
            secrets, guesses = ([*map(str, range(1, len(some) + 1))] for some in (header, rows))
        elif kind in RULES:
            secrets, others = (sorted(lines_of(self.file(name, name))) for name in (a, b))
            guesses = sorted({*secrets, *others})
            fits = all(re.fullmatch("[a-z]{1,5}", word) and len(word) == len(secrets[0]) for word in guesses)
            fits &= [*map(len, ({*secrets}, {*others}))] == [len(secrets), len(others)]
        else:
            plain = re.fullmatch("[1-9]|1[0-4]", a) and re.fullmatch("[1-9]|[12][0-9]|3[0-6]", b)
            need(plain and kind in ("mastermind", "blackpeg", "bulls"), f"{kind[:40]!r}: no such game")
            signs, fits = SYMBOLS[: int(b)], True
            codes = permutations(signs, int(a)) if kind == "bulls" else product(signs, repeat=int(a))
            guesses = secrets = ["".join(code) for code in islice(codes, 10_000)]
            self.symbols = signs
        need(fits and 0 < len(secrets) * len(guesses) <= self.most_cells, "no word a line, no table or large")
        numbers = {"win": 0}  # of responses
        self.rows: list[list[int]] = []  # [g][s]: the response to guess g when s is the secret
        for g, guess in enumerate(guesses):
            found = rows[g][1:] if kind == "table" else [marks(guess, s) for s in secrets]
            if self.symbols:
                found = [f"{mark.count('2')} {self.black or mark.count('1')}" for mark in found]
            self.rows.append([numbers.setdefault(answer, len(numbers)) for answer in found])
        self.goal = (token := self.take()).removesuffix("-candidates")
        need(self.goal in ("win", "identify"), f"{token[:40]!r}: no such goal")
        end = 0 if kind == "table" else self.rows[guesses.index(secrets[0])][0]
        self.win = end if self.goal == "win" else -1  # the response that ends the game
        pairs = [(g, s) for g, row in enumerate(self.rows) for s, r in enumerate(row) if r == end]
        if kind == "table" and self.goal == "identify":
            pairs = [(g, s) for g, row in enumerate(rows) for s, name in enumerate(header) if row[0] == name]
        self.candidates = token != self.goal  # only they may be asked
        twice = any(len({*some}) < len(some) for some in [*zip(*pairs, strict=True)][: 1 + self.candidates])
        need(not twice or token == "identify", "a guess wins for two secrets, or two are one secret")
        self.names, self.secret_of = guesses, dict(pairs)
        self.secrets, self.guesses = ({name: i for i, name in enumerate(all_)} for all_ in (secrets, guesses))

    def named(self, guess: int | None) -> str:
        """Return a guess as a certificate names it."""
        return "-" if guess is None else self.names[guess]

    def any_renaming(self, like: dict[int, int]) -> Images:
        """Read a renaming of a set of secrets, each to one with the same number."""
        return self.code_renaming({*like.items()}) if self.symbols else self.set_renaming(like)

    def set_renaming(self, like: dict[int, int]) -> Images:
        """Read a renaming of secrets, and find the image of each guess that may be asked of them (L9, F2)."""
        to, found = self.cycles(like), Images()
        moved = [to[s] for s in like]
        near, there = (
            {g: pattern(answers, [a == self.win for a in answers]) for g, answers in enumerate(some)}
            for some in ([[row[s] for s in members] for row in self.rows] for members in (like, moved))
        )
        named = {s: g for g, s in self.secret_of.items()}
        fits = {shape: g for g, shape in there.items()}
        for g, shape in near.items():
            if len({number for number, _ in shape}) == 1:
                continue
            if not self.candidates:
                found[g] = fits.get(shape, -1)
            elif self.secret_of.get(g) in like:
                image = named.get(to[self.secret_of[g]], -1)
                found[g] = image if there.get(image) == shape else -1
        need(-1 not in found.values(), "the renaming has no image of a guess")
        return found

    def code_renaming(self, members: set[tuple[int, int]]) -> Images:
        """Read a renaming of positions and symbols of codes that keeps a set of codes, each with a number."""
        image = self.code_images()
        need({(image[s], number) for s, number in members} == members, "the renaming does not keep the set")
        return image

    def code_images(self) -> Images:
        """Read a renaming of positions and symbols, and return where it takes codes."""
        order, word = self.take(), self.take()
        positions, signs = [*SYMBOLS[: len(self.names[0])]], [*self.symbols]
        ways = word.split("/") if self.black and "/" in word else [word] * len(positions)
        fits = [sorted(order), *map(sorted, ways)] == [positions, *[signs] * len(positions)]
        need(self.symbols and fits, "no renaming of positions and symbols of codes")
        moves = [(ways[y], y) for y in map(order.index, positions)]
        codes = ["".join([way[signs.index(code[y])] for way, y in moves]) for code in self.names]
        return {number: self.guesses[code] for number, code in enumerate(codes)}


def run(checker: type[Any]) -> None:
    """Check the file that the command names. Status 0: accepted; 1: refused; 2: it cannot be read."""
    try:
        check = checker(Path(*sys.argv[1:2]))
        print(check.check())
    except RefusedError as why:
        sys.exit(f"{check.path}:{check.line}: refused: {why}")
    except (OSError, RecursionError) as error:
        print(f"cannot be read: {error}", file=sys.stderr)
        sys.exit(2)
