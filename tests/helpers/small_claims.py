"""Small claims about degenerate games, with extreme numbers, and whether they are true, by trying all."""

import random
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from math import inf
from pathlib import Path

from certificates import FOREVER, Tiny, body, certificate, code_game, renamings, table_game
from priced_tables import WIN, PricedTiny

State = frozenset[tuple[int, int]]
Claim = tuple[str, bool]
"""A certificate, and whether it is true."""


class Liar:
    """A tiny game with lies: what so many guesses settle, by trying all."""

    def __init__(self, game: Tiny) -> None:
        self.game, self.found = game, dict[tuple[State, int], bool]()

    def wins(self, guess: int, secret: int) -> bool:
        """Return whether the guess is the secret."""
        return self.game.win and self.game.wins(guess, secret)

    def after(self, state: State, guess: int, response: str) -> State:
        """Return what is left after a response."""
        row = self.game.answers[guess]
        kept = {(s, left - (row[s] != response)) for s, left in state if not self.wins(guess, s)}
        return frozenset((s, left) for s, left in kept if left >= 0)

    def responses(self, guess: int) -> set[str]:
        """Return what a guess may be answered: what it gets from some secret on which it does not win."""
        row = self.game.answers[guess]
        return {row[s] for s in range(len(row)) if not self.wins(guess, s)}

    def settles(self, state: State, depth: int) -> bool:
        """Return whether so many guesses settle a state."""
        if len(state) <= (not self.game.win):
            return True
        key = state, depth
        if key not in self.found:
            self.found[key] = depth > 0 and any(
                all(self.settles(self.after(state, g, r), depth - 1) for r in self.responses(g))
                for g in range(len(self.game.guesses))
            )
        return self.found[key]

    def body(self, state: State, depth: int, chance: random.Random, proved: set[tuple[State, int]]) -> str:
        """Return lemmas about all that is not settled."""
        members = tuple(sorted(s for s, _ in state))
        same = len({left for _, left in state}) == 1
        items = renamings(self.game, members, chance) if same and chance.random() < 0.5 else []
        for g in range(len(self.game.guesses) * (depth > 0)):
            for s in members:
                child = self.after(state, g, self.game.answers[g][s])
                if self.wins(g, s) or (child, depth) in proved or self.settles(child, depth - 1):
                    continue
                proved.add((child, depth))
                below = self.body(child, depth - 1, chance, proved)
                items.append(f"{self.game.guesses[g]} {self.game.secrets[s]} {below}\n")
        return f"( {''.join(items)})" if items else "."


def rows_of(chance: random.Random, win: bool, secrets: int, guesses: int) -> list[list[str]]:
    """Return responses of guesses of which many tell nothing, or do nothing but win."""
    rows = []
    for _ in range(guesses):
        row = [chance.choice(chance.choice(["a", "ab", "abc"])) for _ in range(secrets)]
        if chance.random() < 0.3:
            row = ["a"] * secrets
        if win and chance.random() < 0.8:
            row[chance.randrange(secrets)] = WIN
        rows.append(row)
    return rows


def some_tiny(folder: Path, chance: random.Random) -> Tiny:
    """Return a game with few secrets and few guesses, also one of each."""
    if chance.random() < 0.3:
        codes = [
            ("mastermind", 1, 1),
            ("mastermind", 3, 1),
            ("bulls", 1, 2),
            ("blackpeg", 1, 3),
            ("bulls", 2, 2),
        ]
        return code_game(*chance.choice(codes), chance.random() < 0.6)
    win = chance.random() < 0.6
    rows = rows_of(chance, win, chance.randint(1, 4), chance.randint(1, 4))
    return replace(table_game(folder, rows), win=win)


def plain_claim(folder: Path, chance: random.Random) -> Claim:
    """Return a claim without lies and costs."""
    game, within = some_tiny(folder, chance), chance.choice([FOREVER, 0, 1, 2, 3])
    everything, first = game.everything(), chance.choice([None, *range(len(game.guesses))])
    true = game.cost(everything, within)
    if first is not None and true and within:
        true = game.asking(everything, first, within)
    bound = chance.choice([true, true, true + 1, true + chance.randint(2, 10**11), inf])
    proof = chance.choice([".", body(game, everything, within, chance, set(), chance.choice([0, 0.2]))])
    name = "-" if first is None else game.guesses[first]
    return certificate(game, bound, proof, name, within), bound <= true


def lying_claim(folder: Path, chance: random.Random) -> Claim:
    """Return a claim about a game in which responses may be false."""
    game, lies, depth = some_tiny(folder, chance), chance.randint(0, 3), chance.randint(0, 6)
    liar, start = Liar(game), frozenset((s, lies) for s in game.everything())
    first = chance.choice([None, None, *range(len(game.guesses))])
    settled = liar.settles(start, depth)
    if first is not None and depth and len(start) > (not game.win):
        settled = all(liar.settles(liar.after(start, first, r), depth - 1) for r in liar.responses(first))
    proof = chance.choice([".", liar.body(start, depth, chance, set())])
    name = "-" if first is None else game.guesses[first]
    return f"guesstree-proof/1 lies {lies} {game.head} {game.goal} {name} {depth} inf {proof}", not settled


def priced_claim(folder: Path, chance: random.Random) -> Claim:
    """Return a claim about a game with prices and weights that may be as large as numbers can be."""
    win, secrets = chance.random() < 0.5, chance.randint(1, 4)
    rows = rows_of(chance, win, secrets, chance.randint(1, 3))
    rows += [[WIN if s == own else "a" for s in range(secrets)] for own in range(secrets) if win]
    each, much = (10 ** chance.choice([0, 0, 1, 5, 8, 9, 12, 15]) for _ in range(2))
    answers = [WIN, *"abc"]
    price = [{answer: chance.choice([0, 1, 2, each]) for answer in answers} for _ in rows]
    if chance.random() < 0.3:
        price = [dict.fromkeys(answers, chance.choice([1, 2, each])) for _ in rows]
    weights = [chance.choice([1, 2, much]) for _ in range(secrets)]
    limit = chance.choice([inf, inf, 0, 1, 2, each, each - 1])
    counts = "paid" if limit == inf else chance.choice(["paid", "lost", "lost:won"])
    game = PricedTiny(rows, price, weights, win, limit, counts, only=win and chance.random() < 0.3)
    everything, first = game.everything(), chance.choice([None, *range(len(rows))])
    true = (
        game.cost(everything)
        if first is None or (secrets == 1 and not win)
        else game.asking(everything, first)
    )
    bound = chance.choice([true, true, true + 1, true + chance.randint(2, 10**6)])
    bound = inf if counts == "paid" and chance.random() < 0.2 else bound
    if counts != "paid" and bound == inf:
        bound = 10**9
    proof = chance.choice([".", game.body(everything, 0, chance, set())])
    name = "-" if first is None else str(first + 1)
    return game.text(game.head(folder, chance), bound, proof, name), bound <= true


def spoiled_table(folder: Path, chance: random.Random, claim: Claim) -> Claim:
    """Return a claim whose table has some bytes changed: it is refused, or all have to read the same."""
    words = claim[0].split(" ")
    at = next((i for i, word in enumerate(words) if word.endswith(".csv")), None)
    if at is None:
        return claim
    data = bytearray((folder / words[at]).read_bytes())
    for _ in range(chance.randint(1, 2)):
        i, odd = (
            chance.randrange(len(data) + 1),
            [b'"', b'""', b",", b"\n", b"\r\n", b"\r", b" ", b"\t", b"\0"],
        )
        data[i : i + chance.randint(0, 1)] = chance.choice(
            [*odd, b"\xef\xbb\xbf", b"\xc2\xa0", b"a", b"cost"]
        )
    name = f"{sha256(data).hexdigest()[:8]}.csv"
    (folder / name).write_bytes(data)
    words[at - 1 : at + 1] = sha256(data).hexdigest(), name
    return " ".join(words), True


CLAIMS: dict[str, Callable[[Path, random.Random], Claim]] = {
    "verify": plain_claim,
    "lies": lying_claim,
    "priced": priced_claim,
}
"""What makes a claim, by the checker that it is for."""


def some_claim(kind: str, folder: Path, chance: random.Random) -> Claim:
    """Return a claim for a checker; one of three has a table that is spoiled."""
    claim = CLAIMS[kind](folder, chance)
    return spoiled_table(folder, chance, claim) if chance.random() < 1 / 3 else claim
