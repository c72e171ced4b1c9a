"""The games that certificates name, made again from their words and files."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from guesstree.api.verification import CertificateText
from guesstree.engine.errors import GuesstreeError
from guesstree.engine.game import Game
from guesstree.engine.games.wordle import Mode, WordleGame
from guesstree.engine.noisy.model import Model
from guesstree.engine.proofs.statement import CODES
from guesstree.engine.proofs.table import COST, KIND, USE, WEIGHT, WIN
from guesstree.engine.registry import parse
from guesstree.engine.tables.table import TableGame

PRICED, NOISY = "priced", "noisy"
"""The words for certificates with costs or weights, and of tests that may get several answers."""


def kit_table(text: str) -> tuple[TableGame, list[int], list[str], list[str]]:
    """Return the game in the table of a kit, what questions cost and how they are used, and kinds."""
    (_, *head), *rows = csv.reader(io.StringIO(text))  # the checker takes plain tables alone
    own = [at for at, name in enumerate(head) if name not in (COST, USE)]
    asked = [row for row in rows if row[0] != KIND]
    kinds = next(([row[1 + at] for at in own] for row in rows if row[0] == KIND), [*map(str, own)])
    column = {name: [row[1 + head.index(name)] for row in asked] for name in {*head} & {COST, USE}}
    costs = [int(cost) for cost in column.get(COST, ["1"] * len(asked))]
    cells = [[row[1 + at] for at in own] for row in asked]
    game = TableGame("table", [row[0] for row in asked], [head[at] for at in own], cells)
    return game, costs, column.get(USE, [""] * len(asked)), kinds


def game_of_certificate(words: Sequence[str], certificate: CertificateText) -> Game:
    """Return the game that a certificate names; raise GuesstreeError where there is none."""
    kind, a, b = words[1:4]
    if kind in CODES.values():
        return parse(f"{kind}:{a}x{b}")
    texts = {name: file_of(name, certificate) for name in sorted((a, b)) if "." in name}
    if kind.partition("-")[0] == "wordle":
        answers, allowed = (texts[name].split() for name in (a, b))
        modes: dict[str, Mode] = {"hard": "hard", "ultra": "ultra"}
        return WordleGame("wordle", answers, allowed, mode=modes.get(kind.partition("-")[2], ""))
    if kind == PRICED:
        return _priced_game(texts[b], win=words[4].startswith("win"))
    if kind == NOISY:
        return _noisy_game(texts[b])
    (_, *secrets), *rows = csv.reader(io.StringIO(texts[b]))  # the checker takes plain tables alone
    guesses, cells = [row[0] for row in rows], [row[1:] for row in rows]
    return TableGame("table", guesses, secrets, cells, WIN if words[4].startswith("win") else None)


def file_of(name: str, certificate: CertificateText) -> str:
    """Return what a file holds that a certificate names; raise GuesstreeError where it cannot be read."""
    if name not in certificate.files:
        raise GuesstreeError(f"{certificate.path} names {name}, which cannot be read beside it")
    return certificate.files[name].decode("utf-8", "surrogateescape")


def _priced_game(text: str, *, win: bool) -> TableGame:
    """Return the game in a table with costs and weights, as a certificate names it."""
    (_, *head), *rows = csv.reader(io.StringIO(text))  # the checker takes plain tables alone
    own = [at for at, name in enumerate(head) if name.partition(":")[0] != COST]
    weights = next(([int(row[1 + at]) for at in own] for row in rows if row[0] == WEIGHT), None)
    rows = [row for row in rows if row[0] != WEIGHT]
    cells = [[row[1 + at] for at in own] for row in rows]
    game = TableGame("table", [row[0] for row in rows], [head[at] for at in own], cells, weights=weights)
    costs = np.ones((len(rows), len(game.responses)), dtype=np.int64)
    for at, name in enumerate(head):
        if name.partition(":")[0] == COST:
            some = [game.responses.index(name[5:])] if ":" in name and name[5:] in game.responses else []
            for number, row in enumerate(rows):
                if row[1 + at]:
                    costs[number, some if ":" in name else slice(None)] = int(row[1 + at])
    game.costs = costs
    if win:
        game.winning = game.responses.index(WIN)
    return game


def _noisy_game(text: str) -> TableGame:
    """Return the game in a table of tests that may get several answers, as a certificate names it."""
    (corner, *head), *rows = csv.reader(io.StringIO(text))  # the checker takes plain tables alone
    own = range(next(at for at, name in enumerate(head) if name.partition(":")[0] == COST))
    columns = {name: at for at, name in enumerate(head) if at not in own}
    weights = next(([int(row[1 + at]) for at in own] for row in rows if row[0] == WEIGHT), None)
    rows = [row for row in rows if row[0] != WEIGHT]
    tests, decided = (
        [row for row in rows if (row[1 + columns[COST]] == "-") == decides] for decides in (False, True)
    )
    cells = [[_rates(row[1 + at]) for at in own] for row in tests]
    answers = dict.fromkeys(answer for row in cells for cell in row for answer in cell)
    number = {answer: at for at, answer in enumerate(answers)}

    def column(name: str) -> list[str]:
        return [row[1 + columns[name]] if name in columns else "" for row in tests]

    prices, groups = [*map(int, column(COST))], column(f"{COST}:group")
    group = {label: at for at, label in enumerate(sorted({*groups} - {""}))}
    names, causes = [row[0] for row in tests], [head[at] for at in own]
    game = TableGame("table", names, causes, [[*map("/".join, row)] for row in cells], weights=weights)
    game.responses = tuple(answers)
    game.decisions = tuple(row[0] or f"decision {at}" for at, row in enumerate(decided, 1))
    game.model = Model(
        chances=tuple(
            tuple({number[answer]: chance for answer, chance in cell.items()} for cell in row)
            for row in cells
        ),
        weights=tuple(weights or [1] * len(own)),
        prices=tuple(prices),
        cliques=bool(corner),
        losses=tuple(tuple(int(row[1 + at]) if row[1 + at] else None for at in own) for row in decided)
        or None,
        groups=tuple(map(group.get, groups)) if group else (),
        later=tuple(int(later or price) for later, price in zip(column(f"{COST}:later"), prices, strict=True))
        if group
        else (),
        ends=tuple(
            frozenset(number[answer] for answer in cell.split("/") if answer)
            for cell in column(f"{COST}:ends")
        ),
        after=tuple(
            frozenset(int(test) - 1 for test in cell.split("/") if test) for cell in column(f"{COST}:after")
        ),
    )
    return game


def _rates(cell: str) -> dict[str, Fraction]:
    """Return the answers in a cell of a certificate's table, each with its probability."""
    pairs = [part.partition(":") for part in cell.split("/")]
    rates = {answer: int(rate or 1) for answer, _, rate in pairs}
    return {answer: Fraction(rate, sum(rates.values())) for answer, rate in rates.items()}
