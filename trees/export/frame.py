"""A strategy as a DataFrame of pandas."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from guesstree.engine.game import Game, weights_of

from ..figures import Sums, paid
from ..split import ending_chances
from ..tree import Tree, TreeError

if TYPE_CHECKING:
    import pandas


def to_frame(game: Game, strategy: Tree) -> pandas.DataFrame:
    """Return a pandas.DataFrame with a row for each secret, in the order of the game.

    Its columns are ``secret``, ``weight``, ``guesses``, ``cost`` and ``path``, as `Strategy.to_frame` says.
    Raises TreeError where pandas is not installed.
    """
    try:
        import pandas as pd
    except ImportError:
        raise TreeError("a DataFrame is made by pandas, which is not installed: pip install pandas") from None
    ends = strategy.ends[0].tolist()
    secrets, costs = zip(*paid(game, strategy), strict=True) if ends else ((), ())
    weights, wins = weights_of(game), strategy.goal == "win"
    frame = pd.DataFrame(
        {
            "secret": [game.secrets[s] for s in secrets],
            "weight": _in_units(_weighed(game, strategy, weights[list(secrets)]), game.weight_unit),
            "guesses": strategy.depth[ends].astype(np.int64) + wins,
            "cost": _in_units(np.array(costs, dtype=np.int64), game.cost_unit),
            "path": [_steps_to(game, strategy, end) for end in ends],
        }
    )
    return frame.iloc[np.argsort(secrets, kind="stable")].reset_index(drop=True)


def _in_units(counts: NDArray[Any], unit: Fraction) -> NDArray[Any]:
    """Return numbers as the table has them, from how many units they are."""
    return counts if unit == 1 else counts * unit.numerator / unit.denominator


def _weighed(game: Game, strategy: Tree, weights: Sums) -> Sums:
    """Return the weights of the secrets that end, each as often as it ends there."""
    if game.model is None:
        return weights
    return weights * np.array(ending_chances(game, strategy), dtype=np.float64)


def _steps_to(game: Game, strategy: Tree, end: int) -> str:
    """Return the guesses and responses that lead to a secret, the winning ones included."""
    nodes = strategy.path(end)
    asked = [int(strategy.guess[node]) for node in nodes]
    told = [int(strategy.response[node]) for node in nodes[1:]]
    if strategy.goal == "win" and game.winning is not None:
        told.append(game.winning)
    return "; ".join(
        f"{game.guesses[guess]}: {game.responses[response]}"
        for guess, response in zip(asked, told, strict=False)
    )
