"""Random tables for property tests, and the arrays of a problem."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st

from guesstree.cext import Outcome, kernels
from guesstree.engine.bounds.counting import capacities, least_totals, profile_of
from guesstree.engine.game import Game
from guesstree.engine.objective import OBJECTIVES
from guesstree.engine.tables.table import TableGame


class Work(NamedTuple):
    """What a search found and what it took: the same in both twins."""

    outcome: Outcome
    states: int
    evaluations: int
    entries: int
    seen: Outcome

    @classmethod
    def of(cls, searcher: Any, outcome: Outcome) -> Work:
        """Return the work of a searcher that has searched once."""
        return cls(outcome, searcher.states, searcher.evaluations, searcher.entries, searcher.seen())


@st.composite
def asked_objectives(draw: st.DrawFn, most: int = 9) -> dict[str, Any]:
    """Draw any objective, with a budget if it needs one, as arguments of `solve` and `oracle.least`."""
    name = draw(st.sampled_from(list(OBJECTIVES)))
    return {"objective": name} | ({"budget": draw(st.integers(0, most))} if OBJECTIVES[name].budgeted else {})


@st.composite
def games(draw: st.DrawFn, most_secrets: int = 7, most_extra: int = 5, win: bool | None = None) -> TableGame:
    """Draw a small table; with a winning response every secret has a guess that wins on it."""
    secrets = [f"s{i}" for i in range(draw(st.integers(1, most_secrets)))]
    wins = draw(st.booleans()) if win is None else win
    guesses = (secrets if wins or draw(st.booleans()) else []) + [
        f"g{i}" for i in range(draw(st.integers(0 if wins else 1, most_extra)))
    ]
    guesses = draw(st.permutations(guesses))
    # Guesses that name a secret may tell little else: what wins and what divides are different things.
    named = st.sampled_from("abc"[: draw(st.integers(1, 3))])
    others = st.sampled_from("abc"[: draw(st.integers(1, 3))])
    cells = [
        ["W" if wins and g == s else draw(named if g in secrets else others) for s in secrets]
        for g in guesses
    ]
    return TableGame("table:random", guesses, secrets, cells, "W" if wins else None)


@st.composite
def priced_games(
    draw: st.DrawFn, most_secrets: int = 6, most_extra: int = 4, win: bool | None = None
) -> TableGame:
    """Draw a small table with weights, with costs, or with both; zeros are likely, in a pattern or not."""
    game = draw(games(most_secrets, most_extra, win))
    kind = draw(st.sampled_from(["weights", "costs", "both", "both", "one payer"]))
    if kind != "costs":
        weight = st.integers(1, draw(st.sampled_from([1, 3, 20])))
        game.weights = [draw(weight) for _ in game.secrets]
    if kind != "weights":
        shape = (len(game.guesses), len(game.responses))
        least = draw(st.integers(0, 1))
        costs = np.zeros(shape, dtype=np.int64)
        for guess in range(shape[0]):
            if kind == "one payer":
                costs[guess, draw(st.integers(0, shape[1] - 1))] = draw(st.integers(1, 2))
            elif draw(st.booleans()):
                costs[guess] = draw(st.integers(least, 5))
            else:
                costs[guess] = [draw(st.integers(least, 5)) for _ in range(shape[1])]
        game.costs = costs
    return game


def pools(samples: int) -> TableGame:
    """Return all pools of so many samples, of which each is infected with a chance of one in ten."""
    every = range(1 << samples)
    cells = [["ab"[bool(pool & secret)] for secret in every] for pool in every[1:]]
    weights = [9 ** (samples - secret.bit_count()) for secret in every]
    return TableGame(
        "table:pools", [f"pool {n}" for n in every[1:]], [f"s{n}" for n in every], cells, None, weights
    )


def arrays(game: Game, *, win: bool, unit: int, only_candidates: bool = False) -> dict[str, Any]:
    """Return the arguments of a `Searcher` that counts guesses."""
    table = game.table()
    sizes = kernels.histograms(table, np.arange(table.shape[1], dtype=np.int32), len(game.responses))
    if win:
        sizes[:, game.winning] = 0
    profile = profile_of(sizes)
    rules = game.rules()
    own = game.own() if win or only_candidates else np.full(len(table), -1, dtype=np.int32)
    return {
        "table": table,
        "secret_of_guess": own,
        "responses": len(game.responses),
        "winning": game.winning if win else -1,
        "unit": unit,
        "only_candidates": only_candidates,
        "least": least_totals(profile, table.shape[1], win=win) * unit,
        "capacity": capacities(profile, table.shape[1], win=win),
    } | ({} if rules is None else {"features": rules.features, "needs": rules.needs})
