"""A game as the table of a certificate: labels that all readers take alike, responses, costs and weights."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm, prod

import numpy as np

from ..game import Game, costs_of, response_table
from ..kits.cover import CoverProblem
from ..noisy.integer_model import IntegerModel
from ..noisy.model import Model
from ..problem import Problem

WIN = "win"
"""The response that wins, in a table."""
COST, WEIGHT = "cost", "weight"
"""A column, or with a colon and a response behind it another, and a row, that are none of the game's own."""
USE, KIND = "use", "kind"
"""A column and a row of the table of a kit."""
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
    labels, winning = list(problem.game.responses), problem.game.winning
    if problem.goal == "identify":
        winning = None
    won = set[str]() if winning is None else {labels.pop(winning)}
    if not all(map(_is_plain, labels)) or (won and WIN in labels):
        labels = [str(r) for r in range(len(labels))]
    if winning is not None:
        labels.insert(winning, WIN)
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


def plain_table(problem: Problem) -> bytes:
    """Return a game as a CSV file: a row for each guess with the responses to all secrets; `win` wins."""
    names, file = response_names(problem), io.StringIO()
    guesses, secrets = table_labels(problem.game)
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["", *secrets])
    for guess, row in zip(guesses, response_table(problem.game).tolist(), strict=True):
        writer.writerow([guess, *(names[response] for response in row)])
    return file.getvalue().encode()


def priced_table(problem: Problem) -> bytes:
    """Return a game as a CSV file: weights are a row, costs columns.

    A guess costs what its column ``cost`` says, but for the responses that have a column ``cost:RESPONSE``.
    """
    game, names, table = problem.game, response_names(problem), response_table(problem.game)
    responses, costs = len(game.responses), costs_of(game)
    met = [np.bincount(row, minlength=responses) > 0 for row in table]
    usual = []
    for row, found in zip(costs.tolist(), met, strict=True):
        many = Counter(cost for cost, some in zip(row, found, strict=True) if some)
        usual.append(min(many, key=lambda cost: (-many[cost], cost)))
    other = np.array(met) & (costs != np.array(usual)[:, None])
    special = [r for r in range(responses) if other[:, r].any()]
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    guesses, secrets = table_labels(game)
    writer.writerow(["", *secrets, COST, *(f"{COST}:{names[r]}" for r in special)])
    for g, answers in enumerate(table.tolist()):
        more = [costs[g, r] if other[g, r] else "" for r in special]
        writer.writerow([guesses[g], *(names[r] for r in answers), usual[g], *more])
    if game.facts.weighted:
        writer.writerow([WEIGHT, *problem.weights.tolist(), "", *[""] * len(special)])
    return file.getvalue().encode()


def kit_table(
    questions: Sequence[str], secrets: Sequence[str], responses: Sequence[str], cover: CoverProblem
) -> bytes:
    """Return what a kit has to do as a CSV file: a row for each question with the answers of all secrets.

    What questions cost and how they are used are columns, and the kinds of secrets a row, where they are not
    all alike, or each alone. Labels of questions and secrets are those of `table_labels`.
    """
    labels, file = list(responses), io.StringIO()
    if not all(map(_is_plain, labels)):
        labels = [str(r) for r in range(len(labels))]
    questions, secrets = (
        [f"<{name}>" if name in (USE, KIND) else name for name in names] for names in (questions, secrets)
    )
    priced, used = bool((cover.costs != 1).any()), bool(cover.must or cover.never)
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["", *secrets, *[COST] * priced, *[USE] * used])
    for g, row in enumerate(cover.answers.tolist()):
        use = "must" if g in cover.must else "never" if g in cover.never else ""
        more = [*[cover.costs[g]] * priced, *[use] * used]
        writer.writerow([questions[g], *(labels[answer] for answer in row), *more])
    if not cover.distinct:
        writer.writerow([KIND, *cover.kinds.tolist(), *[""] * (priced + used)])
    return file.getvalue().encode()


def answer_names(responses: Sequence[str]) -> list[str]:
    """Return answers as the table of tests that may get several has them: labels, or numbers from 1."""
    if all(_is_plain(label) and not set(label) & set(":/ ") for label in responses):
        return list(responses)
    return [str(r) for r in range(1, len(responses) + 1)]


def noisy_table(game: Game, integers: IntegerModel) -> bytes:
    """Return a game with a model as a CSV file, see verify/NOISY.md; all numbers are integers."""
    model, answers = game.model, answer_names(game.responses)
    assert model is not None
    tests, causes = table_labels(game)
    heavy, file = whole_weights(model), io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    columns: dict[str, list[str]] = {COST: [str(price) for price in integers.prices]}
    if any(integers.group):
        groups = [str(mask.bit_length()) if mask else "" for mask in integers.group]
        later = [str(x) if g else "" for x, g in zip(integers.later, groups, strict=True)]
        columns |= {f"{COST}:later": later, f"{COST}:group": groups}
    if any(model.ends):
        columns[f"{COST}:ends"] = ["/".join(answers[a] for a in sorted(some)) for some in ending_of(model)]
    if any(model.after):
        columns[f"{COST}:after"] = ["/".join(str(t + 1) for t in sorted(some)) for some in model.after]
    writer.writerow(["cliques" if model.cliques and model.losses is None else "", *causes, *columns])
    for t, row in enumerate(model.chances):
        cells = [_cell_text(cell, answers) for cell in row]
        writer.writerow([tests[t], *cells, *(column[t] for column in columns.values())])
    if len(set(model.weights)) > 1 or model.weights[0] != 1:
        weights = [str(int(w * heavy)) for w in map(Fraction, model.weights)]
        writer.writerow([WEIGHT, *weights, *[""] * len(columns)])
    for label, losses in zip(game.decisions, integers.losses or (), strict=True):
        name = label if _means_itself(label) else ""
        writer.writerow(
            [name, *("" if x is None else str(x) for x in losses), "-", *[""] * (len(columns) - 1)]
        )
    return file.getvalue().encode()


def ending_of(model: Model) -> list[frozenset[int]]:
    """Return for each test the answers that end the path, of those that it may get."""
    met = [{a for cell in row for a in cell} for row in model.chances]
    return [model.ending(t) & some for t, some in enumerate(met)]


def _cell_text(cell: Mapping[int, Fraction], answers: Sequence[str]) -> str:
    """Return a cell with rates that are integers, as small as they may be."""
    if len(cell) == 1:
        return answers[next(iter(cell))]
    below = lcm(*(p.denominator for p in cell.values()))
    return "/".join(f"{answers[a]}:{int(p * below)}" for a, p in sorted(cell.items()))


def noisy_unit(model: Model) -> int:
    """Return what certificates count masses in: for each test what its rates add up to, all multiplied."""
    return prod(lcm(*(p.denominator for cell in row for p in cell.values())) for row in model.chances)


def whole_weights(model: Model) -> int:
    """Return the least number that makes all weights integers."""
    return lcm(*(Fraction(w).denominator for w in model.weights))
