"""Which secrets get to each node of a tree, against each secret led from the root alone."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tables import games

from guesstree.engine.errors import GameError
from guesstree.engine.game import Game
from guesstree.engine.tables.table import TableGame
from guesstree.trees.dead import possible_at
from guesstree.trees.tree import Tree, build

Found = list[tuple[set[int], bool, int]]


def led(game: Game, tree: Tree) -> Found:
    """Return who gets to each node, whether one finds no branch there, and the first that wins there."""
    here: Found = [(set(), False, -1) for _ in range(len(tree))]
    for secret in range(len(game.secrets)):
        node = 0
        while True:
            here[node][0].add(secret)
            if tree.guess[node] < 0:
                break
            answer = game.respond(int(tree.guess[node]), secret)
            who, missing, won = here[node]
            if tree.goal == "win" and answer == game.winning:
                here[node] = (who, missing, won if won >= 0 else secret)
                break
            below = [child for child in tree.children(node) if tree.response[child] == answer]
            if not below:
                here[node] = (who, True, won)
                break
            node = below[0]
    return here


@given(games(), st.integers(0, 2**32), st.integers(0, 3))
def test_secrets_are_led_as_each_alone(game: TableGame, seed: int, wrong: int) -> None:
    random, table = Random(seed), game.table()
    goal = "identify" if game.winning is None else random.choice(["win", "identify"])

    def choose(candidates: np.ndarray) -> int:
        useful = [
            guess
            for guess, row in enumerate(table)
            if len({*row[candidates].tolist()}) > 1 or (goal == "win" and row[candidates[0]] == game.winning)
        ]
        assume(useful)
        return random.choice(useful)

    tree = build(game, goal, choose)
    guess = tree.guess.copy()
    inner = np.flatnonzero(guess >= 0).tolist()
    for _ in range(wrong if inner else 0):
        guess[random.choice(inner)] = random.randrange(len(game.guesses))
    tree = replace(tree, guess=guess)
    found = [({*here.secrets}, here.missing, here.won) for here in possible_at(tree)]
    assert found == led(game, tree)


def test_a_response_out_of_range_leads_to_no_other_node() -> None:
    """Numbered by node and response, it is one of the node behind."""

    class Odd(TableGame):
        def respond_each(self, guesses: np.ndarray, secrets: np.ndarray) -> np.ndarray:
            return super().respond_each(guesses, secrets) + 2

    labels, cells = ["a", "b", "c", "d"], [["0", "0", "1", "1"], ["0", "1", "0", "1"]]
    tree = build(TableGame("table:t", ["x", "y"], labels, cells), "identify", lambda c: int(len(c) < 4))
    with pytest.raises(GameError, match=r"table:odd: a response is [23], out of range; expected 0 to 1"):
        list(possible_at(replace(tree, game=Odd("table:odd", ["x", "y"], labels, cells))))
