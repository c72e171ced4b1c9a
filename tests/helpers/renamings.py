"""All renamings of tiny tables by brute force, and random tables that have some."""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import combinations, permutations, product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from guesstree.engine.game import Game
from guesstree.engine.registry import parse
from guesstree.engine.symmetry.automorphisms import Coloured
from guesstree.engine.tables.table import TableGame


@dataclass(frozen=True)
class Marked:
    """A table, with what renamings have to keep.

    Attributes
    ----------
    table: responses, uint8, shape (guesses, secrets).
    kinds: of the responses of each guess, uint64, shape (guesses, responses).
    guesses, secrets: colours, uint64, shapes (guesses,) and (secrets,).
    """

    table: NDArray[np.uint8]
    kinds: NDArray[np.uint64]
    guesses: NDArray[np.uint64]
    secrets: NDArray[np.uint64]

    def coloured(self) -> Coloured:
        """Return the table as the search for its symmetry takes it."""
        return Coloured(self.table, self.kinds, self.guesses, self.secrets)

    def seen(self, guess: int, order: tuple[int, ...]) -> tuple[int, tuple[tuple[int, int], ...]]:
        """Return what a guess is like if secrets stand in this order, whatever its responses are called."""
        names: dict[int, int] = {}
        cells = self.table[guess].tolist()
        parts = ((names.setdefault(cells[s], len(names)), int(self.kinds[guess, cells[s]])) for s in order)
        return int(self.guesses[guess]), tuple(parts)

    def alike(self) -> list[list[int]]:
        """Return for each guess those that divide the secrets as it does and have all colours in common."""
        plain = tuple(range(len(self.secrets)))
        looks = [self.seen(g, plain) for g in range(len(self.guesses))]
        return [[g for g, look in enumerate(looks) if look == mine] for mine in looks]

    def renamings(self) -> list[tuple[int, ...]]:
        """Return each permutation of the secrets that takes the guesses to guesses, all colours kept."""
        plain = tuple(range(len(self.secrets)))
        looks = sorted(self.seen(g, plain) for g in range(len(self.guesses)))
        some = set(looks)
        return [
            order
            for order in permutations(plain)
            if np.array_equal(self.secrets[list(order)], self.secrets)
            and all(self.seen(g, order) in some for g in range(len(self.guesses)))
            and sorted(self.seen(g, order) for g in range(len(self.guesses))) == looks
        ]

    def orbits(self, history: tuple[int, ...], renamings: list[tuple[int, ...]]) -> list[frozenset[int]]:
        """Return the guesses that renamings take each guess to, which keep each response of the history."""
        guesses = range(len(self.guesses))
        past = self.table[list(history)]
        plain = tuple(range(len(self.secrets)))
        looks = [self.seen(g, plain) for g in guesses]
        reached: list[set[int]] = [{g} for g in guesses]
        for order in renamings:
            if np.array_equal(past[:, list(order)], past):
                for g in set(guesses) - set(history):
                    image = self.seen(g, order)
                    reached[g] |= {there for there in guesses if looks[there] == image} - set(history)
        return [frozenset(images) for images in reached]


def alike_too(
    marked: Marked, classes: NDArray[np.integer[Any]], history: tuple[int, ...]
) -> list[frozenset[int]]:
    """Return the guesses that classes make equal to each one, where those that are alike are equal, too."""
    label = classes.tolist()
    for same in marked.alike():
        together = {label[g] for g in same if g not in history}
        label = [min(together) if one in together else one for one in label]
    members: dict[int, set[int]] = {}
    for guess, one in enumerate(label):
        members.setdefault(one, set()).add(guess)
    return [frozenset(members[one]) for one in label]


def symmetric_table(rng: np.random.Generator, most_secrets: int = 6) -> Marked:
    """Return a table on which a random group acts, with rows, columns and responses shuffled.

    Guesses, kinds of their responses and colours are drawn at random, and all that the group makes of them
    is there as well; colours of secrets are those of their orbits, or of some of these together.
    """
    n = int(rng.integers(1, most_secrets + 1))
    group = listed([rng.permutation(n) for _ in range(rng.integers(0, 3))], n)
    responses = int(rng.integers(1, 5))
    rows: dict[tuple[tuple[int, ...], tuple[int, ...], int], int] = {}
    for _ in range(rng.integers(1, 4)):
        if len(rows) > 30:
            break
        row = rng.integers(0, responses, n)
        kinds = tuple(rng.integers(0, rng.integers(1, 3), responses).tolist())
        colour, times = int(rng.integers(0, 2)), 1 + int(rng.random() < 0.15)
        for element in group:
            rows[tuple(row[element].tolist()), kinds, colour] = times
    drawn = [key for key, times in rows.items() for _ in range(times)]
    least = [min(element[s] for element in group) for s in range(n)]
    colours = rng.integers(0, rng.integers(1, 3), n)[least]
    drawn = [drawn[g] for g in rng.permutation(len(drawn))]
    columns = rng.permutation(n)
    table, kept = (
        np.empty((len(drawn), n), dtype=np.uint8),
        np.empty((len(drawn), responses), dtype=np.uint64),
    )
    for g, (cells, kinds, _) in enumerate(drawn):
        names = rng.permutation(responses)
        table[g] = names[np.array(cells)[columns]]
        kept[g, names] = kinds
    guesses = np.array([colour for *_, colour in drawn], dtype=np.uint64)
    return Marked(table, kept, guesses, colours[columns].astype(np.uint64))


def symmetric_game(rng: np.random.Generator, *, win: bool, most_secrets: int = 5) -> TableGame:
    """Return a game whose table, weights and costs a random group leaves as they are.

    With `win` there is a guess for each secret, answered alike where the group makes pairs of secrets equal.
    """
    while True:
        drawn = symmetric_table(rng, most_secrets)
        n = len(drawn.secrets)
        if len(np.unique(drawn.table, axis=1).T) == n > 1:  # otherwise no strategy identifies all of them
            break
    secrets = [f"s{number}" for number in range(n)]
    guesses = [f"g{number}" for number in range(len(drawn.guesses))]
    cells = [["abcd"[cell] for cell in row] for row in drawn.table.tolist()]
    prices = (drawn.guesses + np.uint64(1)).tolist()
    if win:
        renamings = drawn.renamings()
        answers = rng.choice(list("abc"), (n, n))
        equal = [[min((one[g], one[s]) for one in renamings) for s in range(n)] for g in range(n)]
        guesses, prices = secrets + guesses, [1] * n + prices
        cells = [["W" if g == s else str(answers[equal[g][s]]) for s in range(n)] for g in range(n)] + cells
    weights = (drawn.secrets + np.uint64(1)).tolist()
    return TableGame("table:symmetric", guesses, secrets, cells, "W" if win else None, weights, prices)


def acted_game(rng: np.random.Generator, *, win: bool, priced: bool, most: int = 9) -> TableGame:
    """Return a game with all that a random group makes of a few questions, everything shuffled.

    With more than four secrets kernels use what is found. With `priced` there are weights and costs that the
    group keeps; what a question costs may depend on the answer. With `win`, what the group makes of a guess
    that wins is often a question that names nobody.
    """
    n = int(rng.integers(5, most + 1))
    group = [list(range(n))]
    while len(group) < 2 or len(group) > 200:
        one, other = rng.permutation(n), np.arange(n)
        some = rng.permutation(n)[: rng.integers(2, n + 1)]
        other[some] = np.roll(some, 1)
        group = listed([[other], [one], [other, one]][rng.integers(3 if n < 7 else 2)], n)
    rows: dict[tuple[Any, ...], tuple[int, ...]] = {}
    names: list[int] = []  # the secret that each guess names
    if win:
        least = {(g, s): min((e[g], e[s]) for e in group) for g in range(n) for s in range(n)}
        plain, drawn = rng.random() < 0.5, rng.integers(0, 3, (n, n))
        for g in range(n):
            own = [3 if g == s else int(drawn[least[g, s] if plain else (g, s)]) for s in range(n)]
            rows[(*own, g)] = (min(e[g] for e in group),) * 4
        names = list(range(n))
    for number in range(int(rng.integers(0 if win else 1, 4))):
        start, same = rng.integers(0, 3, n), rng.random() < 0.7
        if win and number == 0:
            start = np.array(list(rows)[rng.integers(n)][:n]) % 3
        costs = (int(rng.integers(0, 3)),) * 4 if same else tuple(rng.integers(0, 4, 4).tolist())
        if len(rows) < 30:
            rows |= {tuple(start[e].tolist()): costs for e in group}
    kept = [(row[:n], costs) for row, costs in rows.items()]
    names += [-1] * (len(kept) - len(names))
    columns, order = rng.permutation(n), rng.permutation(len(kept))
    cells, prices = list[list[str]](), list[dict[str, int]]()
    for row, costs in (kept[g] for g in order):
        called = [*rng.permutation(3).tolist(), 3]
        cells.append(["abcW"[called[row[s]]] for s in columns])
        prices.append({"abcW"[called[r]]: costs[r] for r in range(4)})
    labels = [f"s{names[g]}" if names[g] >= 0 else f"g{g}" for g in order]
    weights = [1 + min(e[s] for e in group) for s in columns] if priced and rng.random() < 0.7 else None
    game = TableGame("table:acted", labels, [f"s{s}" for s in columns], cells, "W" if win else None, weights)
    if len(np.unique(game.table(), axis=1).T) < n:  # no strategy identifies all of them
        return acted_game(rng, win=win, priced=priced, most=most)
    if priced:
        game.costs = np.array([[price[r] for r in game.responses] for price in prices], dtype=np.int64)
    return game


def relabelled(spec: str, path: Path, seed: int = 0) -> Game:
    """Return a game that is written as a CSV file, with names drawn at random, rows and columns shuffled."""
    game, rng = parse(spec), random.Random(f"{spec}{seed or ''}")
    names = [f"n{number}" for number in rng.sample(range(10**4, 10**5), 5000)]
    responses, secrets, guesses = (
        [names.pop() for _ in some] for some in (game.responses, game.secrets, game.guesses)
    )
    win = ""
    if game.winning is not None:
        guesses = [
            secrets[own] if own >= 0 else name for own, name in zip(game.own().tolist(), guesses, strict=True)
        ]
        win = f",win={responses[game.winning]}"
    columns = rng.sample(range(len(secrets)), len(secrets))
    rows = [
        [guess, *(responses[cells[s]] for s in columns)]
        for guess, cells in zip(guesses, game.table().tolist(), strict=True)
    ]
    rng.shuffle(rows)
    rows.insert(0, ["test", *(secrets[s] for s in columns)])
    if game.weights is not None:
        rows.append(["weight", *(str(game.weights[s]) for s in columns)])
    path.write_text("".join(",".join(row) + "\n" for row in rows))
    copy = parse(f"table:{path}{win}")
    if game.costs is not None:  # what a file says of costs is one number for all answers to a question
        order = [responses.index(response) for response in copy.responses]
        copy.costs = np.array([game.costs[guesses.index(guess)][order] for guess in copy.guesses])
    return copy


def positional_game(rng: np.random.Generator, *, win: bool, most_secrets: int = 16) -> TableGame:
    """Return a game about words whose places are alike, but for words that are left out.

    A question is about some places: the sum of the letters there, whether one is above 0, or whether all are
    equal. It is there for every choice of so many places, at the same cost.
    """
    places, letters = int(rng.integers(2, 5)), int(rng.integers(2, 4))
    words = np.array(list(product(range(letters), repeat=places)))
    words = words[rng.permutation(len(words))[: min(most_secrets, int(len(words) * rng.choice([1, 0.9])))]]
    rows, prices = list(words.T), [1] * places
    for _ in range(int(rng.integers(1, 4))):
        size, kind, price = int(rng.integers(1, places + 1)), int(rng.integers(3)), int(rng.integers(4))
        sums = rng.integers(0, 3, size * letters)
        for chosen in combinations(range(places), size):
            part = words[:, list(chosen)]
            rows.append(
                [sums[part.sum(axis=1)], (part > 0).any(axis=1), (part == part[:, :1]).all(axis=1)][
                    kind
                ].astype(int)
            )
            prices.append(price)
    secrets, guesses = [f"s{n}" for n in range(len(words))], [f"g{n}" for n in range(len(rows))]
    cells = [["abcd"[cell] for cell in row] for row in rows]
    if win:
        guesses, prices = secrets + guesses, [2] * len(words) + prices
        alike = (words[:, None] == words[None]).sum(axis=2)
        cells = [["W" if n == places else str(n) for n in row] for row in alike.tolist()] + cells
    heights = words.sum(axis=1)
    weights = rng.choice([heights + 1, np.ones(len(words), dtype=np.int64), 3**heights]).tolist()
    return TableGame("table:positions", guesses, secrets, cells, "W" if win else None, weights, prices)


def listed(generators: list[NDArray[np.int64]], n: int) -> list[list[int]]:
    """Return all elements of a group of permutations of 0, 1, ..., n - 1."""
    found = {tuple(range(n))}
    waiting = list(found)
    for element in waiting:
        for generator in generators:
            product = tuple(generator[list(element)].tolist())
            if product not in found:
                found.add(product)
                waiting.append(product)
    return [list(element) for element in waiting]
