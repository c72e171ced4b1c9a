"""Names of secrets, guesses and responses in the table of a certificate, which no reader takes otherwise."""

from __future__ import annotations

import re

from ..game import Game
from ..problem import Problem

WIN = "win"
"""The response that wins, in a table."""
COST, WEIGHT = "cost", "weight"
"""A column, or with a colon and a response behind it another, and a row, that are none of the game's own."""
MOST_LETTERS = 1000
NUMBERED = re.compile("<[0-9]+>")


def table_labels(game: Game) -> tuple[list[str], list[str]]:
    """Return guesses and secrets as a table has them: two are the same where the labels of the game are.

    A label that is not plain, or means something in a table, is a number: its place among the labels of the
    secrets, and then those of other guesses, such as ``<3>``. So are labels that look like that.
    """
    places = {label: at for at, label in enumerate(dict.fromkeys([*game.secrets, *game.guesses]), 1)}
    names = {label: label if _means_itself(label) else f"<{at}>" for label, at in places.items()}
    return [names[label] for label in game.guesses], [names[label] for label in game.secrets]


def response_names(problem: Problem) -> list[str]:
    """Return responses as a table has them: their labels, or numbers where one is not plain; and `WIN`."""
    labels = list(problem.game.responses)
    won = {labels.pop(problem.winning)} if problem.winning >= 0 else set[str]()
    if not all(map(_is_plain, labels)) or (won and WIN in labels):
        labels = [str(r) for r in range(len(labels))]
    if won:
        labels.insert(problem.winning, WIN)
    return labels


def _is_plain(label: str) -> bool:
    """Return whether all who read a table find the label in it, whatever they strip and however they unquote.

    What is printable has no line end, no control character or mark that is not seen, and no blank but the
    space.
    """
    return (
        0 < len(label) <= MOST_LETTERS and label.isprintable() and label.strip() == label and '"' not in label
    )


def _means_itself(label: str) -> bool:
    keyword = label in (WIN, COST, WEIGHT) or label.startswith(f"{COST}:")
    return _is_plain(label) and not keyword and not NUMBERED.fullmatch(label)
