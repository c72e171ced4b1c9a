"""Trees for a codemaker who may lie: a secret is met on every path that fits it but for so many responses.

A state is a dict {secret: false responses that it may still get}, in ascending order of secrets.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from guesstree.engine.game import Game
from guesstree.trees.tree import Claims, Ints, Tree, TreeError

State = dict[int, int]


def after(state: Mapping[int, int], answers: Mapping[int, int], response: int) -> State:
    """Return the state after a response, given what each secret of a state answers truthfully."""
    left = {s: lies - (answers[s] != response) for s, lies in state.items()}
    return {s: lies for s, lies in left.items() if lies >= 0}


def build_with_lies(
    game: Game,
    goal: str,
    lies: int,
    choose: Callable[[Ints, NDArray[np.uint8]], int],
    claims: Claims | None = None,
) -> Tree:
    """Build the tree of a strategy against up to `lies` false responses, by the game's own `respond`.

    `choose` gets the sorted candidates (int32) of a state that is not finished, and how many lies each has
    left (uint8), and returns a guess. A secret has a leaf, or a guess that wins on it, for every way to lie.
    To win, the winning response is never false. Raises TreeError when a guess leaves a state as it was.
    """
    winning = game.winning if goal == "win" else None
    columns: dict[str, list[int]] = {
        name: [] for name in ("guess", "parent", "response", "first_child", "secret", "depth")
    }
    start = dict.fromkeys(range(len(game.secrets)), lies)
    waiting: list[tuple[State, int, int, int]] = [(start, -1, -1, 0)]
    for node, (state, above, answer, level) in enumerate(waiting):
        columns["parent"].append(above)
        columns["response"].append(answer)
        columns["depth"].append(level)
        columns["first_child"].append(len(waiting))
        if goal == "identify" and len(state) == 1:
            columns["guess"].append(-1)
            columns["secret"].append(next(iter(state)))
            continue
        asked = int(
            choose(np.array(list(state), dtype=np.int32), np.array(list(state.values()), dtype=np.uint8))
        )
        answers = {s: game.respond(asked, s) for s in state}
        won = [s for s, truth in answers.items() if truth == winning]
        columns["guess"].append(asked)
        columns["secret"].append(won[0] if won else -1)
        rest = {s: left for s, left in state.items() if s not in won}
        for response in range(len(game.responses)):
            child = after(rest, answers, response) if response != winning else {}
            if child == state:
                raise TreeError(
                    f"{game.spec}: {game.guesses[asked]!r} tells nothing about {len(state)} candidates "
                    f"({game.secrets[min(state)]!r}, ...): the strategy would not end"
                )
            if child:
                waiting.append((child, node, response, level + 1))
    columns["first_child"].append(len(waiting))
    arrays: dict[str, Any] = {name: np.array(column, dtype=np.int32) for name, column in columns.items()}
    return Tree(game=game, goal=goal, claims=claims or Claims(), lies=lies, **arrays)
