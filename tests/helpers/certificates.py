"""Tiny games with their true costs by exhaustive search, and certificates that are made from them.

Shares nothing with the checkers: rules and costs are written here once more, in the plainest way.
"""

import itertools
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from math import inf
from pathlib import Path

FOREVER = 99  # more guesses than any of these games needs
Secrets = tuple[int, ...]


@dataclass
class Tiny:
    """A game as its responses, the words that a certificate names it by, and costs that were found."""

    head: str
    secrets: Sequence[str]
    guesses: Sequence[str]
    answers: list[list[str]]  # one row for each guess
    win: bool
    own: Sequence[int] = ()  # which secret each guess is, or -1; wanted for `only`
    only: bool = False  # only secrets of the set at hand are asked
    costs: dict[tuple[Secrets, int], float] = field(default_factory=dict, init=False)

    @property
    def goal(self) -> str:
        """The goal as a certificate has it."""
        return ("win" if self.win else "identify") + "-candidates" * self.only

    def everything(self) -> Secrets:
        """Return all secrets."""
        return tuple(range(len(self.secrets)))

    def parts(self, members: Secrets, guess: int) -> list[Secrets]:
        """Return the parts that a guess leaves, but the one that wins."""
        found: dict[str, list[int]] = {}
        for s in members:
            if not (self.win and self.wins(guess, s)):
                found.setdefault(self.answers[guess][s], []).append(s)
        return [tuple(part) for part in found.values()]

    def wins(self, guess: int, secret: int) -> bool:
        """Return whether a guess ends the game when this is the secret."""
        if self.head.startswith("table"):
            return self.answers[guess][secret] == "win"
        return self.secrets[secret] == self.guesses[guess]

    def allowed(self, members: Secrets) -> list[int]:
        """Return the guesses that may be asked."""
        return [g for g in range(len(self.guesses)) if not self.only or self.own[g] in members]

    def asking(self, members: Secrets, guess: int, depth: int) -> float:
        """Return what the secrets cost if this guess is asked first."""
        return len(members) + sum(self.cost(part, depth - 1) for part in self.parts(members, guess))

    def cost(self, members: Secrets, depth: int = FOREVER) -> float:
        """Return the least cost of the secrets within so many guesses, by trying all."""
        if len(members) == 1 and not self.win:
            return 0
        if depth <= 0:
            return inf
        if depth > len(members):
            depth = len(members)  # a useful guess leaves smaller sets
        key = members, depth
        if key not in self.costs:
            costs = (self.asking(members, g, depth) for g in self.allowed(members))
            self.costs[key] = min(costs, default=inf)
        return self.costs[key]


def pegs(guess: str, secret: str) -> str:
    """Return the answer of Mastermind, by crossing off."""
    black = sum(guess[i] == secret[i] for i in range(len(guess)))
    left = list(secret)
    for symbol in guess:
        if symbol in left:
            left.remove(symbol)
    return f"{black},{len(secret) - len(left) - black}"


def colours_of_letters(guess: str, secret: str) -> str:
    """Return Wordle's answer."""
    marks = ["-"] * len(guess)
    left = list(secret)
    for i in range(len(guess)):
        if guess[i] == secret[i]:
            marks[i] = "G"
            left.remove(guess[i])
    for i in range(len(guess)):
        if marks[i] == "-" and guess[i] in left:
            marks[i] = "y"
            left.remove(guess[i])
    return "".join(marks)


def made(
    head: str, secrets: Sequence[str], guesses: Sequence[str], rule: Callable[[str, str], str], win: bool
) -> Tiny:
    """Return a game by its rule."""
    answers = [[rule(g, s) for s in secrets] for g in guesses]
    own = [secrets.index(g) if g in secrets else -1 for g in guesses]
    return Tiny(head, secrets, guesses, answers, win, own)


def code_game(kind: str, size: int, colours: int, win: bool = True) -> Tiny:
    """Return a game of codes."""
    symbols = "0123456789"[:colours]
    every = ["".join(code) for code in itertools.product(symbols, repeat=size)]
    codes = [code for code in every if kind != "bulls" or len(set(code)) == size]
    rule = (lambda g, s: pegs(g, s).split(",")[0]) if kind == "blackpeg" else pegs
    return made(f"{kind} {size} {colours}", codes, codes, rule, win)


def table_game(folder: Path, rows: list[list[str]], named: int = 0) -> Tiny:
    """Return the game of a table, which is written to the folder; so many guesses have names of secrets.

    Where cells are `win`, the goal is to win.
    """
    labels = [f"s{i}" if i < named else f"g{i}" for i in range(len(rows))]  # s9 may be no secret
    lines = [
        ["test", *(f"s{i}" for i in range(len(rows[0])))],
        *([n, *r] for n, r in zip(labels, rows, strict=True)),
    ]
    data = "".join(",".join(line) + "\n" for line in lines).encode()
    digest = sha256(data).hexdigest()
    (folder / f"{digest[:8]}.csv").write_bytes(data)
    secrets, guesses = ([str(i + 1) for i in range(n)] for n in (len(rows[0]), len(rows)))
    own = [i if i < min(named, len(rows[0])) else -1 for i in range(len(rows))]
    win = any("win" in row for row in rows)
    if win:
        own = [row.index("win") if "win" in row else -1 for row in rows]
    return Tiny(f"table {digest} {digest[:8]}.csv", secrets, guesses, rows, win=win, own=own)


def word_game(folder: Path, answers: list[str], others: list[str], win: bool = True) -> Tiny:
    """Return Wordle with these words, which are written to the folder."""
    names = []
    for words in (answers, others):
        data = "".join(f"{word}\n" for word in words).encode()
        names.append(f"{sha256(data).hexdigest()}.txt")
        (folder / names[-1]).write_bytes(data)
    guesses = sorted({*answers, *others})
    return made(f"wordle {names[0]} {names[1]}", sorted(answers), guesses, colours_of_letters, win)


def some_table(folder: Path, chance: random.Random, named: bool = False, win: bool = False) -> Tiny:
    """Return a random table, which is written to the folder; some guesses may have names of secrets.

    To win, there is a guess that wins for each secret.
    """
    secrets, guesses, answers = chance.randint(2, 7), chance.randint(1, 5), chance.randint(2, 4)
    secrets, guesses = (min(secrets, 5), guesses + min(secrets, 5)) if win else (secrets, guesses)
    rows = [[chance.choice("abcd"[:answers]) for _ in range(secrets)] for _ in range(guesses)]
    for secret in range(secrets if win else 0):
        rows[secret][secret] = "win"
    return table_game(folder, rows, secrets if win else chance.randint(0, guesses) if named else 0)


def symmetric_table(folder: Path, chance: random.Random, win: bool) -> Tiny:
    """Return a table that some pairs of secrets may change places in: responses may have other names then."""
    secrets = chance.randint(2, 6)
    order = chance.sample(range(secrets), secrets)
    swap = {**{s: s for s in order}, **dict(zip(order[::2], order[1::2], strict=False))}
    swap |= {t: s for s, t in swap.items() if t != s}

    def moved(row: list[str]) -> list[str]:
        other = dict(zip("abcd", chance.sample("abcd", 4), strict=True)) | {"win": "win"}
        return [other[row[swap[s]]] for s in range(secrets)]

    own: dict[int, list[str]] = {}
    for s in range(secrets):
        row = [chance.choice("abc") for _ in range(secrets)]
        if swap[s] == s:
            row = [row[min(t, swap[t])] for t in range(secrets)]
        row[s] = "win" if win else row[s]
        own[s] = moved(own[swap[s]]) if swap[s] in own else row
    more = [[chance.choice("abcd") for _ in range(secrets)] for _ in range(chance.randint(0, 2))]
    rows = [*own.values(), *more, *map(moved, more)]
    return table_game(folder, rows, secrets)


def some_words(folder: Path, chance: random.Random) -> Tiny:
    """Return Wordle with random words."""
    words = sorted({"".join(chance.choices("abc", k=3)) for _ in range(12)})
    cut = min(chance.randint(2, 7), len(words) - 1)  # a list without a word is refused
    return word_game(folder, words[:cut], words[cut:], chance.random() < 0.6)


def some_game(folder: Path, chance: random.Random) -> Tiny:
    """Return a random game; in one of three only candidates are asked."""
    kind = chance.randrange(3)
    if kind == 0:
        sizes = [
            ("bulls", 2, 3),
            ("mastermind", 2, 2),
            ("blackpeg", 2, 2),
            ("mastermind", 2, 3),
            ("blackpeg", 2, 3),
        ]
        game = code_game(*chance.choice(sizes), chance.random() < 0.5)
    else:
        win = chance.random() < 0.4
        if kind == 1:
            game = some_words(folder, chance)
        elif chance.random() < 0.5:
            game = symmetric_table(folder, chance, win)
        else:
            game = some_table(folder, chance, named=True, win=win)
    return replace(game, only=chance.random() < 1 / 3)


CODES = ("mastermind", "blackpeg", "bulls")


def some_renaming(game: Tiny, members: Secrets, chance: random.Random) -> tuple[str, Secrets]:
    """Return a renaming of codes, positions and colours, and where it takes some of them."""
    symbols = sorted({symbol for code in game.guesses for symbol in code})
    order = chance.sample(range(len(game.guesses[0])), len(game.guesses[0]))
    ways = [dict(zip(symbols, chance.sample(symbols, len(symbols)), strict=True)) for _ in order]
    each = game.head.startswith("blackpeg") and chance.random() < 0.5  # position has colours of its own
    ways = ways if each else ways[:1] * len(order)
    images = []
    for s in members:
        image = [""] * len(order)
        for x, symbol in enumerate(game.secrets[s]):
            image[order[x]] = ways[x][symbol]
        images.append(game.secrets.index("".join(image)))
    names = ["".join(colours[c] for c in symbols) for colours in (ways if each else ways[:1])]
    return f"{''.join(map(str, order))} {'/'.join(names)}", tuple(sorted(images))


def renamings(game: Tiny, members: Secrets, chance: random.Random, keep: bool = True) -> list[str]:
    """Return some renamings that keep the set, or do not: of codes, or of secrets of other games."""
    if not game.head.startswith(CODES):
        orders = [tuple(chance.sample(members, len(members))) for _ in range(20)]
        return [cycles(game.secrets, members, to) for to in orders if renames(game, members, to) == keep]
    some = [some_renaming(game, members, chance) for _ in range(6)]
    return [f"= {words}\n" for words, image in some if (image == members) == keep]


def renamed(
    game: Tiny,
    part: Secrets,
    depth: int,
    bound: float,
    chance: random.Random,
    proved: set[tuple[Secrets, int]],
) -> str:
    """Return a body that renames a lemma proved before, if one is found by chance; otherwise nothing."""
    for _ in range(10 if game.head.startswith(CODES) else 0):
        words, image = some_renaming(game, part, chance)
        if any(s == image and d >= depth and game.cost(s, d - 1) >= bound for s, d in proved):
            return f"~ {words}"
    return ""


def images(game: Tiny, members: Secrets, to: Secrets) -> dict[int, list[int]]:
    """Return the guesses that are like each guess that may be asked and tells the set apart."""

    def alike(g: int, h: int) -> bool:
        if game.only and game.own[h] != dict(zip(members, to, strict=True))[game.own[g]]:
            return False
        pairs = {(game.answers[g][s], game.answers[h][t]) for s, t in zip(members, to, strict=True)}
        one_to_one = all(len({pair[i] for pair in pairs}) == len(pairs) for i in (0, 1))
        kept = [game.win and game.wins(g, s) == game.wins(h, t) for s, t in zip(members, to, strict=True)]
        return one_to_one and (all(kept) or not game.win)

    useful = [g for g in game.allowed(members) if len({game.answers[g][s] for s in members}) > 1]
    return {g: [h for h in range(len(game.guesses)) if alike(g, h)] for g in useful}


def renames(game: Tiny, members: Secrets, to: Secrets) -> bool:
    """Return whether this takes some secrets elsewhere, and each guess has an image."""
    return to != members and all(images(game, members, to).values())


def cycles(names: Sequence[str], members: Secrets, to: Secrets) -> str:
    """Return a renaming of secrets with these names as an item of a certificate."""
    goes, found = dict(zip(members, to, strict=True)), list[list[str]]()
    for s in members:
        cycle = list[str]()
        while goes.get(s, s) != s:
            cycle.append(names[s])
            s = goes.pop(s)
        found += [cycle] if cycle else []
    return f"= {' / '.join(map(' '.join, found))} ;\n"


def one_of_each(game: Tiny, members: Secrets, chance: random.Random) -> tuple[list[str], list[int]]:
    """Return renamings of a set, and guesses: where it is no code, one of those that they make equal."""
    guesses = chance.sample(range(len(game.guesses)), len(game.guesses))
    if game.head.startswith(CODES):
        return renamings(game, members, chance), guesses
    items = []
    for to in (tuple(chance.sample(members, len(members))) for _ in range(20)):
        if renames(game, members, to):
            items.append(cycles(game.secrets, members, to))
            for g, others in images(game, members, to).items():
                if g in guesses and any(h in guesses for h in others if h != g):
                    guesses.remove(g)
    return items, guesses


def body(
    game: Tiny,
    members: Secrets,
    depth: int,
    chance: random.Random,
    proved: set[tuple[Secrets, int]],
    lies: float = 0,
) -> str:
    """Return lemmas for all parts of all guesses with their true costs, some one too high as `lies` says.

    With renamings of secrets they are for one guess of each orbit. Some of codes rename others.
    """
    items, guesses = one_of_each(game, members, chance)
    if chance.random() < 0.5:
        items, guesses = [], list(range(len(game.guesses)))
    for g in guesses:
        for part in game.parts(members, g):
            if len(part) in (1, len(members)) or (part, depth) in proved:
                continue
            bound = game.cost(part, depth - 1) + (chance.random() < lies)
            below = renamed(game, part, depth, bound, chance, proved)  # larger ones alone are not proved yet
            proved.add((part, depth))
            below = below or body(game, part, depth - 1, chance, proved, lies)
            items.append(f"{game.guesses[g]} {game.secrets[chance.choice(part)]} {bound} {below}\n")
    return f"( {''.join(items)})" if items else "."


def small_sets(game: Tiny, chance: random.Random, lies: bool = False) -> str:
    """Return small sets with bodies that cannot be settled within so many guesses (or can: lies)."""
    items = ""
    for _ in range(0 if game.only else 4):
        some = tuple(sorted(chance.sample(game.everything(), chance.randint(2, len(game.secrets)))))
        depth = chance.randint(0, 3)
        if (game.cost(some, depth) == inf) != lies:
            names = " ".join(game.secrets[s] for s in some)
            items += f"! {len(some)} {depth} {names} {body(game, some, depth, chance, set())}\n"
    return items


def certificate(game: Tiny, cost: float, proof: str, first: str = "-", within: int = FOREVER) -> str:
    """Return the text of a certificate."""
    limit = "-" if within == FOREVER else str(within)
    return f"guesstree-proof/1 {game.head} {game.goal} {first} {limit} {cost} {proof}\n"


def mutated(proof: str, chance: random.Random, odd: Sequence[str]) -> list[str]:
    """Return the tokens of a proof with one to three changes; `odd`: tokens to put in."""
    tokens = proof.split()
    for _ in range(chance.randint(1, 3)):
        i, j = chance.randrange(len(tokens)), chance.randrange(len(tokens))
        change = chance.randrange(5)
        if change == 0:
            tokens[i], tokens[j] = tokens[j], tokens[i]
        elif change == 1:
            tokens[i : i + chance.randint(1, 4)] = []
        elif change == 2:
            tokens[i:i] = tokens[j : j + chance.randint(1, 6)]
        elif tokens[i].isdigit() and len(tokens[i]) < 20:
            tokens[i] = str(int(tokens[i]) + 1)
        else:
            tokens[i] = chance.choice(odd)
        tokens = tokens or ["."]
    return tokens
