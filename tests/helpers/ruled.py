"""Random tables with rules that depend on the history."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from guesstree.engine.rules import Rules, Step
from guesstree.engine.tables.table import TableGame


class RuledGame(TableGame):
    """A table with features and needs as whole numbers; `refused` follows them one step at a time."""

    features: Sequence[int]
    needs: list[list[int]]

    def refused(self, history: Sequence[Step], guess: int) -> str:
        """Return the first step whose demand a guess does not meet."""
        for asked, response in history:
            missing = self.needs[asked][response] & ~self.features[guess]
            if missing:
                return f"bits {missing:b} are missing"
        return ""

    def rules(self) -> Rules:
        """Return the same as arrays of as many words as it takes."""
        words = max(1, -(-max(f.bit_length() for f in self.features) // 64))

        def split(number: int) -> list[int]:
            return [number >> (64 * i) & (1 << 64) - 1 for i in range(words)]

        needs = [[split(need) for need in row] for row in self.needs]
        return Rules(np.array([split(f) for f in self.features], dtype=np.uint64), np.array(needs, np.uint64))


def ruled_game(seed: int, most_secrets: int = 7, most_extra: int = 5) -> RuledGame:
    """Return a random small table with random rules; a guess that may win is never refused."""
    dice = np.random.default_rng(seed)
    secrets = [f"s{i}" for i in range(int((dice.integers(most_secrets) * most_secrets) ** 0.5) + 1)]
    win = bool(dice.random() < 0.7)
    extra = int(dice.integers(0 if win else 1, most_extra + 1))
    guesses = (secrets if win or dice.random() < 0.5 else []) + [f"g{i}" for i in range(extra)]
    guesses = [guesses[int(i)] for i in dice.permutation(len(guesses))]
    # Guesses that name a secret tell little, so that it costs something when the others are refused.
    named, others = (list("abc"[: int(dice.choice(kinds))]) for kinds in ([1, 1, 2], [2, 2, 3]))
    cells = [
        ["W" if win and g == s else str(dice.choice(named if g in secrets else others)) for s in secrets]
        for g in guesses
    ]
    # Some guesses tell the same as another, and may differ in what they have or demand.
    same = [i for i, g in enumerate(guesses) if g not in secrets]
    doubles = [(same[i], same[i + 1]) for i in range(len(same) - 1) if dice.random() < 0.4]
    for one, other in doubles:
        cells[other] = cells[one]
    game = RuledGame("table:ruled", guesses, secrets, cells, "W" if win else None)
    bits = int(dice.integers(1, 9))
    shift = int(dice.choice([0, 60]))  # across the words
    own, rest = (float(dice.choice(chances)) for chances in ([0.7, 0.9, 1], [0.3, 0.6, 0.9]))
    need = float(dice.choice([0.4, 0.7, 1] if win else [0.5, 1])) / (1 if win else bits)

    def some(chance: float) -> int:
        return sum(1 << i for i in range(bits) if dice.random() < chance) << shift

    game.features = [some(own if g in secrets else rest) for g in guesses]
    table = game.table()
    game.needs = [[some(need) for _ in game.responses] for _ in guesses]
    for one, other in doubles:
        if dice.random() < 0.7:
            game.needs[other] = list(game.needs[one])
    if win:
        for winner, secret in np.argwhere(table == game.winning).tolist():
            for g in range(len(guesses)):
                game.needs[g][table[g, secret]] &= game.features[winner]
    return game
