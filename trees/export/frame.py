"""A strategy as a DataFrame of pandas."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from guesstree.engine.game import Game, weights_of

from ..figures import paid
from ..noisy import endings_of
from ..tree import Tree, TreeError

if TYPE_CHECKING:
    import pandas


def to_frame(game: Game, strategy: Tree) -> pandas.DataFrame:
    """Return a pandas.DataFrame with a row for each secret, in the order of the game.

    Its columns are ``secret``, ``weight``, ``guesses``, ``cost`` and ``path``, and where something is decided
    ``loss`` and ``decision``, as `Strategy.to_frame` says.
    Raises TreeError where pandas is not installed.
    """
    try:
        import pandas as pd
    except ImportError:
        raise TreeError("a DataFrame is made by pandas, which is not installed: pip install pandas") from None
    reached = strategy.ends[0].tolist()
    columns = _split_columns(strategy) if game.facts.noisy else _plain_columns(game, strategy)
    secrets = columns.pop("secret")
    for name in {"cost", "loss"} & columns.keys():
        columns[name] = _in_units(columns[name], game.cost_unit)
    frame = pd.DataFrame(
        {
            "secret": [game.secrets[s] for s in secrets],
            "weight": _in_units(columns.pop("weight"), game.weight_unit),
            "guesses": strategy.depth[reached].astype(np.int64) + (strategy.goal == "win"),
            **columns,
            "path": [_steps_to(game, strategy, end) for end in reached],
        }
    )
    return frame.iloc[np.argsort(secrets, kind="stable")].reset_index(drop=True)


def _plain_columns(game: Game, strategy: Tree) -> dict[str, NDArray[Any]]:
    """Return secrets where they end, what they weigh, and what that costs."""
    secrets, costs = np.array(paid(strategy), dtype=np.int64).reshape(-1, 2).T
    return {"secret": secrets, "weight": weights_of(game)[secrets], "cost": costs}


def _split_columns(strategy: Tree) -> dict[str, NDArray[Any]]:
    """Return the same where tests split weights; each weight as often as it ends there, and decisions."""
    model, ends = strategy.game.model, endings_of(strategy)
    assert model is not None
    found = {
        "secret": np.array([end.secret for end in ends], dtype=np.int64),
        "weight": np.array([float(model.weights[end.secret] * end.chance) for end in ends]),
        "cost": np.array([end.paid for end in ends], dtype=np.int64),
    }
    if model.losses is None:
        return found
    endings = [" or ".join(strategy.endings(end.node)) for end in ends]
    return found | {
        "loss": np.array([end.loss for end in ends], dtype=np.int64),
        "decision": np.array(endings),
    }


def _in_units(counts: NDArray[Any], unit: Fraction) -> NDArray[Any]:
    """Return numbers as the table has them, from how many units they are."""
    return counts if unit == 1 else counts * unit.numerator / unit.denominator


def _steps_to(game: Game, strategy: Tree, end: int) -> str:
    """Return the guesses and responses that lead to a secret, the winning ones included."""
    nodes = strategy.path(end)
    asked = [int(strategy.guess[node]) for node in nodes]
    answers = [int(strategy.response[node]) for node in nodes[1:]]
    if strategy.goal == "win" and game.winning is not None:
        answers.append(game.winning)
    return "; ".join(
        f"{game.guesses[guess]}: {game.responses[response]}"
        for guess, response in zip(asked, answers, strict=False)
    )
