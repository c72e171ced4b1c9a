"""Check a certificate of a small game whose responses may be false: `python verify/lies.py FILE.proof`.

Slow and plain, from the text of LIES.md and its F1 to F5. Status 0: accepted; 1: refused, with the line; 2: a
file cannot be read.
"""

import re
import sys
from collections.abc import Iterator
from hashlib import sha256
from itertools import islice, permutations, product
from pathlib import Path

SYMBOLS = "0123456789abcdefghijklmnopqrstuvwxyz"
CELL = '"(?! )[^"]*(?:""[^"]*)*(?<! )"|(?! )[^",]*(?<! )'  # of a table: without blanks around it
MOST = 2_000_000  # responses of a game
State = tuple[tuple[int, int], ...]  # secrets, rising, and the lies that may still be told of each


class RefusedError(Exception):
    """The certificate proves nothing; with the reason."""


def need(holds: object, why: str) -> None:
    """Refuse the certificate unless the condition holds."""
    if not holds:
        raise RefusedError(why)


def marks(guess: str, secret: str) -> str:
    """Return 2 for each symbol in place, 1 for one elsewhere in what is left of the secret, 0 for others."""
    found, spare = "", "".join([b for a, b in zip(guess, secret, strict=True) if a != b])
    for asked, there in zip(guess, secret, strict=True):
        found += "2" if asked == there else "1" if asked in spare else "0"
        spare = spare.replace(asked, "", int(asked != there))
    return found


def plain_text(data: bytes) -> str:
    """Return a file as text."""
    need(not data.startswith(b"\xef\xbb\xbf"), "a file that begins with a byte order mark")
    need(not re.search(rb"[\0-\x09\x0b-\x1f\x7f]", data), "a control character in a file, not a line end")
    return data.decode("utf-8", "surrogateescape")


def rows_of(data: bytes) -> list[list[str]]:
    """Return the cells of a table, without its quotation marks; what may be read in two ways is refused."""
    lines = [f",{line}" for line in plain_text(data).removesuffix("\n").split("\n")]
    need(
        all(re.fullmatch(f"(,({CELL}))+", line) for line in lines),
        "a cell with odd quotation marks or blanks",
    )
    rows = [re.findall(f",({CELL})", line) for line in lines]
    need(all(len(row) == len(rows[0]) for row in rows), "rows of different lengths")
    return [[re.sub('^"|"$', "", cell).replace('""', '"') for cell in row] for row in rows]


class Checker:
    """A certificate, token by token, its game, and the claims that were proved."""

    def __init__(self, path: Path) -> None:
        self.path, self.line, self.lemmas = path, 1, 0
        self.tokens = self.words(path.read_bytes())
        self.proved: dict[State, int] = {}  # sets, with the guesses that do not settle them
        self.symbols = ""
        self.volumes: dict[tuple[int, int], int] = {}

    def words(self, data: bytes) -> Iterator[str]:
        """Yield the tokens of the file."""
        for number, text in enumerate(data.split(b"\n"), 1):
            need(re.fullmatch(rb"[ -~\t\r]*", text), "a byte that is no ASCII text")
            for word in text.split():
                self.line = number
                yield word.decode()

    def take(self) -> str:
        """Return the next token."""
        word = next(self.tokens, "")
        need(word, "the file ends too early")
        return word

    def number(self, most: int) -> int:
        """Return the next token as a number."""
        word = self.take()
        fits = re.fullmatch("0|[1-9][0-9]{,8}", word) and int(word) <= most
        need(fits, f"{word[:40]!r}: a number to {most} is due")
        return int(word)

    def file(self, name: str, digest: str) -> bytes:
        """Return what is in a file beside the certificate."""
        need(Path(name).name == name, f"{name[:80]!r} is no file beside the certificate")
        data = (self.path.parent / name).read_bytes()
        need(sha256(data).hexdigest() in digest, f"{name[:80]} has another SHA-256")
        return data

    def read_game(self) -> None:
        """Read the game and its goal: responses in rows of guesses, None where the guess wins."""
        kind, a, b = self.kind, *_ = self.take(), self.take(), self.take()
        if kind == "table":
            need(len(a) == 64, "a SHA-256 has 64 digits")
            head, *rows = rows_of(self.file(b, a))
            guesses, secrets = ([str(i) for i in range(1, n)] for n in (len(rows) + 1, len(head)))
            answers = [row[1:] for row in rows]
            need(
                all(all(row) and len({*row, "win"}) < 256 for row in answers),
                "no response, or 255 to a guess",
            )
            odd = any(re.match("cost(:|$)", name) for name in head[1:]) or "weight" in [
                row[0] for row in rows
            ]
            need(not odd, "costs or weights")
        elif kind == "wordle":
            secrets, others = (
                sorted(plain_text(self.file(name, name)).removesuffix("\n").split("\n")) for name in (a, b)
            )
            guesses = sorted({*secrets, *others})
            same = all(re.fullmatch("[a-z]{1,5}", w) and len(w) == len(guesses[0]) for w in guesses)
            need(same, "words of 1 to 5 letters a to z, all of one length, are due")
            need(all(len({*some}) == len(some) for some in (secrets, others)), "a word is there twice")
        else:
            need(kind in ("mastermind", "blackpeg", "bulls"), f"{kind[:40]!r}: no such game")
            fits = re.fullmatch("[1-9]|1[0-4]", a) and re.fullmatch("[1-9]|[12][0-9]|3[0-6]", b)
            need(fits, f"{a[:40]} {b[:40]}: 1 to 14 pegs of 1 to 36 colours are due")
            self.symbols = SYMBOLS[: int(b)]
            codes: Iterator[tuple[str, ...]] = product(self.symbols, repeat=int(a))
            if kind == "bulls":
                codes = permutations(self.symbols, int(a))
            guesses = secrets = ["".join(code) for code in islice(codes, MOST + 1)]
        self.goal = self.take()
        need(self.goal in ("win", "identify"), f"{self.goal[:40]!r}: no such goal")
        need(secrets and guesses, "no secret, or no guess")
        need(len(secrets) * len(guesses) <= MOST, f"more than {MOST} responses are too many for this checker")
        if kind != "table":
            answers = [[marks(g, s) for s in secrets] for g in guesses]
            if self.symbols:
                white = "1" if kind != "blackpeg" else "-"
                answers = [[f"{m.count('2')} {m.count(white)}" for m in row] for row in answers]
        self.guesses, self.secrets = (
            {name: i for i, name in enumerate(names)} for names in (guesses, secrets)
        )
        self.answers, self.won = answers, [dict[int, bool]() for _ in guesses]
        if self.goal == "win":
            for g, row in enumerate(answers):
                named = ["win" if s == guesses[g] else "" for s in secrets] if kind != "table" else row
                wins = [s for s, what in enumerate(named) if what == "win"]
                need(len(wins) < 2, "a guess wins on two secrets")
                self.won[g] = dict.fromkeys(wins, True)
        given = [{r for s, r in enumerate(row) if s not in self.won[g]} for g, row in enumerate(answers)]
        self.most = max(1, *map(len, given))

    def volume(self, d: int, left: int) -> int:
        """Return U(d, left) of F3."""
        if left < 0 or d <= (self.goal == "win"):
            return int(left >= 0)
        if (d, left) not in self.volumes:
            self.volumes[d, left] = self.volume(d - 1, left) + (self.most - 1) * self.volume(d - 1, left - 1)
        return self.volumes[d, left]

    def room(self, d: int, left: int) -> int:
        """Return B(d, left) of F3."""
        if self.goal == "identify":
            return int(self.most**d)
        return self.volume(d, left) + self.most * self.room(d - 1, left) if d else 0

    def deepest(self, lies: int) -> int:
        """Return the most guesses that a claim may be about: the first for which numbers are large, or 64."""
        most, d = 10**17 // self.most, 0
        while d < 64 and self.volume(d, lies) <= most // len(self.secrets) and self.room(d, lies) <= most:
            d += 1
        return d

    def too_many(self, state: State, d: int) -> bool:
        """Return whether the volume says that so many guesses do not settle a set."""
        most = max((left for _, left in state), default=0)
        return bool(state) and sum(self.volume(d, left) for _, left in state) > self.room(d, most)

    def after(self, state: State, g: int, response: str) -> State:
        """Return what is left of a set after a response."""
        kept = [(s, left - (self.answers[g][s] != response)) for s, left in state if s not in self.won[g]]
        return tuple([(s, left) for s, left in kept if left >= 0])

    def left(self, state: State, g: int) -> list[State]:
        """Return what a guess may leave, after responses that some secret of the set gives."""
        return [
            self.after(state, g, r) for r in {self.answers[g][s] for s, _ in state if s not in self.won[g]}
        ]

    def useful(self, state: State) -> list[int]:
        """Return the guesses that win on a secret of the set, or tell it apart (F1)."""
        found = []
        for g, (row, won) in enumerate(zip(self.answers, self.won, strict=True)):
            if len({row[s] for s, _ in state}) > 1 or any(s in won for s, _ in state):
                found.append(g)
        return found

    def open(self, state: State) -> bool:
        """Return whether there is something left to ask."""
        return len(state) > (self.goal == "identify")

    def refuted(self, state: State, d: int, look: bool) -> bool:
        """Return whether it is known that so many guesses do not settle a set."""
        if not self.open(state) or self.too_many(state, d) or self.proved.get(state, -1) >= d:
            return self.open(state)
        if not look or not d:
            return False
        return all(any(self.too_many(x, d - 1) for x in self.left(state, g)) for g in self.useful(state))

    def passes(self, state: State, d: int, g: int) -> bool:
        """Return whether a guess leaves something that a guess less does not settle."""
        parts = self.left(state, g)
        return any(self.refuted(part, d - 1, look) for look in (False, True) for part in parts)

    def renaming(self, state: State) -> list[int]:
        """Return the image of each guess under the renaming that the next tokens are."""
        order, word = self.take(), self.take()
        names = word.split("/") if self.kind == "blackpeg" and "/" in word else [word] * len(order)
        size = len(next(iter(self.guesses)))
        fits = self.symbols and sorted(order) == [*SYMBOLS[:size]] and len(names) == size
        need(fits and all(sorted(some) == [*self.symbols] for some in names), "no renaming of codes")
        image = []
        for code in self.guesses:
            to = [""] * len(code)
            for i, symbol in enumerate(code):
                to[int(order[i])] = names[i][self.symbols.index(symbol)]
            image.append(self.guesses["".join(to)])
        need(
            all(self.answers[image[g]][image[0]] == self.answers[g][0] for g in range(len(image))),
            "responses change",
        )
        need({(image[s], left) for s, left in state} == {*state}, "the renaming does not keep the set")
        return image

    def prove(self, state: State, d: int, first: int | None = None, nesting: int = 0) -> None:
        """Read the body of a claim, and refuse the file unless it is shown."""
        word, line = self.take(), self.line
        need(word in (".", "(") and nesting < 200, f"{word[:40]!r}: neither . nor (, or too deep")
        images, named = list[list[int]](), list[int]()
        while word == "(" and (item := self.take()) != ")":
            if item == "=":
                images.append(self.renaming(state))
                continue
            need(item in self.guesses and (secret := self.take()) in self.secrets, "no guess, or no secret")
            g, s = self.guesses[item], self.secrets[secret]
            need(s in dict(state) and s not in self.won[g] and d > 0, "the secret is not in the set, or won")
            named.append(g)
            self.lemmas += 1
            self.prove(self.after(state, g, self.answers[g][s]), d - 1, None, nesting + 1)
        shown = self.refuted(state, d, look=False)
        if not shown and d and self.open(state):
            left = dict.fromkeys([*named, *self.useful(state)] if first is None else [first])
            shown = True
            while left and shown:
                orbit = [next(iter(left))]
                left.pop(orbit[0])
                for g in orbit:
                    orbit += [image[g] for image in images if first is None and left.pop(image[g], 0) is None]
                shown = any(self.passes(state, d, g) for g in orbit)
        if not shown:
            self.line = line
            raise RefusedError(f"{len(state)} secrets: it is not shown that {d} guesses do not settle them")
        if first is None:
            self.proved[state] = max(self.proved.get(state, 0), d)

    def check(self) -> str:
        """Return what the certificate proves."""
        need(self.take() == "guesstree-proof/1" and self.take() == "lies", "no guesstree-proof/1 lies")
        lies = self.number(7)
        self.read_game()
        word = self.take()
        need(word == "-" or word in self.guesses, f"{word[:40]!r} is no guess")
        first, d = None if word == "-" else self.guesses[word], self.number(self.deepest(lies))
        need(self.take() == "inf", "inf is due")
        self.prove(tuple([(s, lies) for s in range(len(self.secrets))]), d, first)
        need(next(self.tokens, None) is None, "something stands behind the proof")
        seen = f"({len(self.guesses)} guesses, {self.lemmas} lemmas)"
        return f"verified: {d} guesses do not settle {len(self.secrets)} secrets with {lies} lies {seen}"


if __name__ == "__main__":
    try:
        checker = Checker(Path(*sys.argv[1:2]))
        print(checker.check())
    except RefusedError as why:
        sys.exit(f"{checker.path}:{checker.line}: refused: {why}")
    except (OSError, RecursionError) as error:
        print(f"cannot be read: {error}", file=sys.stderr)
        sys.exit(2)
