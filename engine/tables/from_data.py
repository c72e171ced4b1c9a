"""Tables given as data, with what stands beside the cells of a file in keywords."""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from inspect import Parameter, Signature, signature
from typing import Any

from ..errors import GameError, shown
from ..sheets import Placed, Sheet
from ..sheets.beside import Nowhere
from .cells import parts_of
from .data import by_label, cell_text, column_of_names, grid_of, listed_of, values_for
from .extras import ACTION, BETWEEN, FAILURE, column_of, decision_of, is_actions
from .from_examples import placed_rows, read_as, rows_given
from .headings import Kind, corner
from .margins import NONE, numeric_lines
from .options import KEYWORDS, OLD_NAMES, How, read_keywords
from .orientation import clues_of
from .reading import ReadTable, read_table
from .remarked import remark_of
from .rows import breaks_line, check_widths, table_game
from .table import TableGame

COST, WEIGHT = "cost", "weight"
SPELLING = "{}={!r}"
RATES = ("sensitivity", "specificity", "error", "failure")
"""Keywords that say how often guesses err, by label or one for all."""


def table(outcomes: object, **given: Any) -> TableGame:
    """Return the game of a table given as data: what each guess (a test) tells of each secret (a cause).

    Parameters
    ----------
    outcomes: one of
        a DataFrame of pandas or polars: a row for each guess, a column for each secret; the rows are labelled
        by the index, if it does more than count them, otherwise by the first column; then a note of the game
        says so, and a warning comes if that column has no usual name such as ``test`` or ``species``;
        a mapping ``{guess: {secret: outcome}}``, or ``{guess: [outcomes in the order of secrets]}``;
        outcomes by row and column, such as a NumPy array, with `guesses` and `secrets`.
        An outcome may be a mapping ``{answer: probability}``, which is drawn when the guess is asked.
    secrets, guesses: the labels, if the data have none.
    weights: how likely each secret is, numbers above 0: in the order of secrets, or by label.
    costs: what each guess costs, numbers from 0: in the order of guesses, or by label. For both, ``none``
        says that the outcomes contain no such line, whatever its name is.
    rows: what a row stands for: ``guesses`` (the default), or ``secrets`` if columns are the guesses; you
        have to give it if the data look like the opposite.
    win: the outcome that ends the game; then every secret needs a guess of the same label.
    merge: whether secrets that no guess separates become one.
    missing: ``any``: any answer is possible if the outcome is None, NaN, empty or left out, see
        `tables.missing`; ``label``: marks such as ``?`` are outcomes; None: such a cell is refused.
    cells: ``sets``: ``a/b`` is either outcome, ``a:3/b:1`` with odds, see `tables.noisy`; ``labels``: it is
        one outcome; None: outcomes that look like sets are refused.
    ambiguous: ``clique``: with sets, a strategy may end with several secrets, see `noisy.model`.
    bins: the number of classes of equal counts for a guess whose outcomes are more different numbers.
    groups: the group of each guess that shares a set-up with others, by label or in order, None for others.
    setups: what each group costs once, in addition, ``{group: number}``.
    later: instead of `setups`, what a guess costs after another guess of its group.
    after: by label, the guesses that must have been asked before a guess: a label or a list of labels.
    sensitivity, specificity: how often a guess with the outcomes yes and no (+ and -, 1 and 0, ...) is
        right where it should be yes, and where it should be no: for some guesses by label, or for all.
    error, failure: how often an outcome is wrong (all others are then equally likely), and how often there
        is none, which is the response ``?``: for some guesses by label, or one number for all that have
        several outcomes.
    actions: the right action for each secret, which a strategy finds instead of the secret, by label or in
        order.
    losses: ``{decision: {secret or action: loss}}``, a DataFrame with decisions in rows, or an array whose
        rows and columns are in the order of actions, or of secrets; None or infinite: not allowed.
    wrong: what every wrong decision loses; without `losses`, a decision names a secret.
    confidence: instead of `wrong`, how likely a decision should be right: a wrong decision then loses the
        cost of the cheapest guess, divided by ``1 - confidence``.
    target: the column of classes, if rows are examples: `outcomes` is a DataFrame, or a mapping of columns;
        `costs` are of the other columns, `weights` of rows. A last column ``class`` of a DataFrame is one,
        unless the index or the first column names the rows.
    ends: the outcome that ends a path even if several secrets are possible, such as ``"fixed"``.
    repeat: how many independent copies there are of each guess that may err.
    failures: the most guesses on a path that may fail to answer; only for the worst case.
    name: the name of the game, ``table:NAME``.

    As in a file, a secret called ``cost`` or ``minutes`` and a guess called ``weight`` or ``probability``
    hold costs and weights. Numbers are exact, 0.1 is 1/10; they may be Fraction, Decimal, or text such as
    ``1/3``, ``12 %`` or ``5 min``, with the same unit for all. Labels and outcomes become text without spaces
    around it; 1.0 is written 1. Raises GameError with the row and the column of what is no table.
    """
    given = {OLD_NAMES.get(key, key): value for key, value in given.items()}
    unknown = next((key for key in given if key not in _ACCEPTED), None)
    if unknown is not None:
        raise TypeError(f"table() got an unexpected keyword argument {unknown!r}")
    options = {key: given.pop(key) for key in KEYWORDS if key in given and not _is_column(key, given[key])}
    data = Data(outcomes, **given)
    how = How(causes="columns", spelling=SPELLING, **read_keywords(options))
    return data.game(how)


def _is_column(key: str, value: object) -> bool:
    """Return whether what an option has is a number for each of some guesses."""
    return key in RATES and value is not None and not _is_one(value)


@dataclass(frozen=True)
class Data:
    """A table given as data, with what stands beside its cells; see `table`."""

    outcomes: object
    secrets: Iterable[object] | None = None
    guesses: Iterable[object] | None = None
    weights: object = None
    costs: object = None
    rows: str | None = None
    groups: object = None
    setups: object = None
    later: object = None
    after: object = None
    sensitivity: object = None
    specificity: object = None
    error: object = None
    failure: object = None
    actions: object = None
    losses: object = None
    name: str = "data"

    def __post_init__(self) -> None:
        if self.rows is not None and (
            not isinstance(self.rows, str) or self.rows not in ("guesses", "secrets")
        ):
            raise GameError(f"rows={shown(self.rows)}; expected 'guesses' or 'secrets'")
        if not isinstance(self.name, str) or not self.name or breaks_line(self.name):
            raise GameError(f"name={shown(self.name)}; expected a text on one line")

    @property
    def flipped(self) -> bool:
        """Whether secrets are in rows."""
        return self.rows == "secrets"

    def game(self, how: How) -> TableGame:
        """Return the game."""
        rows = rows_given(self.outcomes, how, self.costs, self.weights, self._beside())
        if rows is not None:
            matrix = None if self.losses is None else _matrix(self.losses, [], rows)
            found = read_table(placed_rows(rows), read_as(how, self.weights), matrix=matrix)
            return self._made(found, [found.line])
        grid, places, how = self._grid(how)
        how = replace(how, costs=_line(self.costs, COST), weights=_line(self.weights, WEIGHT))
        _check_said_once(grid, how)
        tests = [
            label
            for label, *cells in grid[1:]
            if (label != WEIGHT or how.weights == NONE) and not (_says_more(label) or remark_of(label, cells))
        ]
        causes = [
            label
            for label, *cells in zip(*grid, strict=True)
            if (label != COST or how.costs == NONE) and not (column_of(label) or remark_of(label, cells))
        ][1:]
        for label, what, noun, values in (
            (WEIGHT, "weights", "number", self.weights if how.weights == WEIGHT else None),
            (ACTION, "actions", "label", self.actions),
        ):
            if values is not None:
                places.append(what)
                texts = values_for(what, values, causes, "secret", noun=noun)
                _add_row(grid, label, dict(zip(causes, texts, strict=True)))
        matrix = None if self.losses is None else _matrix(self.losses, causes, grid)
        for label, texts in self._columns(tests, how).items():
            _add_column(grid, label, dict(zip(tests, texts, strict=True)))
        listed = [Placed(place, row) for place, row in zip(places, grid, strict=True)]
        found = read_table(Sheet("outcomes", listed, beside=Nowhere()), how, matrix=matrix)
        return self._made(found, self._naming())

    def _made(self, found: ReadTable, notes: list[str]) -> TableGame:
        """Return the game of a table as it was read."""
        game = table_game(f"table:{self.name}", found.content)
        game.notes = [*notes, *found.model.notes]
        return game

    def _beside(self) -> str:
        """Return a keyword that is given, and says nothing of examples; empty: there is none."""
        known = {"outcomes", "weights", "costs", "losses", "name"}
        given = (one.name for one in fields(self) if one.name not in known)
        return next((name for name in given if getattr(self, name) is not None), "")

    def _grid(self, how: How) -> tuple[list[list[str]], list[str], How]:
        """Return the outcomes as rows of text with guesses in rows, their places, and how cells are read."""
        given = {"secrets": self.secrets, "guesses": self.guesses}
        down, across = ("secrets", "guesses") if self.flipped else ("guesses", "secrets")
        grid, plain = grid_of(self.outcomes, _labels(down, given[down]), _labels(across, given[across]))
        if plain is not None:
            how = replace(how, cells=_with_chances(plain, how.cells))
        places = ["columns", *(f"row {i}" for i in range(1, len(grid)))]
        if self.rows is None:
            _check_rows_are_guesses(
                [Placed(place, row) for place, row in zip(places, grid, strict=True)], how
            )
        if self.flipped:
            called = grid[0][0]  # what its rows were called, columns are now
            grid[0][0] = f"test / {called}" if called else ""
            grid = [list(column) for column in zip(*grid, strict=True)]
            places = ["rows", *(f"column {i}" for i in range(1, len(grid)))]
        return grid, places, how

    def _columns(self, tests: Sequence[str], how: How) -> dict[str, list[str]]:
        """Return the columns beside the cells: costs, what guesses share, and how often they err."""
        columns = {} if how.costs != COST else {COST: values_for("costs", self.costs, tests, "guess")}
        columns |= _shared_columns(tests, self.groups, self.setups, self.later, self.after)
        for what in RATES:
            rate = getattr(self, what)
            if rate is not None:
                each = dict.fromkeys(tests, rate) if _is_one(rate) else rate
                columns[FAILURE if what == "failure" else what] = values_for(
                    what, each, tests, "guess", partial=True
                )
        return columns

    def _naming(self) -> list[str]:
        """Return that the first column names the rows where nothing else does; warn if it hardly does."""
        column = column_of_names(self.outcomes)
        if column is None or (self.secrets if self.flipped else self.guesses) is not None:
            return []
        note = f"rows are named by the first column {shown(column)}, as nothing else names them"
        if not _says_names(column):
            other = "secrets" if self.flipped else "guesses"
            ways = f"an index of names (set_index) or {other}= names them otherwise"
            warnings.warn(f"{note}; {ways}", stacklevel=4)
        return [note]


def _signature() -> Signature:
    """Return the signature of `table`: the fields of `Data`, and the options that are keywords."""
    (outcomes, *own), defaults = signature(Data).parameters.values(), {f.name: f for f in fields(How)}
    found = [one.replace(kind=Parameter.KEYWORD_ONLY) for one in own if one.name not in KEYWORDS]
    found += [
        Parameter(key, Parameter.KEYWORD_ONLY, default=defaults[key].default, annotation=defaults[key].type)
        for key in KEYWORDS
    ]
    return Signature([outcomes, *found], return_annotation="TableGame")


table.__signature__ = _signature()  # type: ignore[attr-defined]
_ACCEPTED = {*signature(table).parameters} - {"outcomes"}


def _labels(what: str, given: Iterable[object] | None) -> list[object] | None:
    """Return labels as they will be looked up; raise GameError for what is none."""
    if given is None:
        return None
    if not isinstance(given, Iterable):
        raise GameError(f"{what}={shown(given)}; expected a list of labels")
    return [one if isinstance(one, Hashable) else cell_text(one, f"a label of {what}") for one in given]


def _says_names(column: str) -> bool:
    """Return whether a column is called as names are: ``test``, ``species``, or as libraries call them."""
    return corner(column).causes != "" or column.strip() in ("", "Unnamed: 0", "index", "column")


def _line(values: object, label: str) -> str:
    """Return the label of the line that is to hold costs or weights; empty: it is found by what it says."""
    return "" if values is None else NONE if isinstance(values, str) and values == NONE else label


def _check_said_once(grid: list[list[str]], how: How) -> None:
    """Raise GameError where costs or weights are given, and the outcomes hold some, too."""
    columns = list(zip(*grid, strict=True))[1:]
    given: tuple[tuple[Kind, str, str, list[Sequence[str]]], ...] = (
        ("cost", how.costs, "a secret", [*columns]),
        ("weight", how.weights, "a guess", [*grid[1:]]),
    )
    for kind, wanted, which, lines in given:
        if wanted in ("", NONE):
            continue
        found = numeric_lines([line[0] for line in lines], [line[1:] for line in lines], kind, "")
        if found and lines[found[0]][0] != wanted:
            raise GameError(
                f"{which} {shown(lines[found[0]][0])} holds numbers that say {kind}s, and {kind}s= says "
                "them, too; expected one of them, or another label"
            )


def _add_row(grid: list[list[str]], label: str, cells: Mapping[str, str]) -> None:
    """Add a row with a cell for some columns."""
    grid.append([label, *(cells.get(column, "") for column in grid[0][1:])])


def _add_column(grid: list[list[str]], label: str, cells: Mapping[str, str]) -> None:
    """Add a column with a cell for some rows."""
    for row, text in zip(grid, [label, *(cells.get(row[0], "") for row in grid[1:])], strict=True):
        row.append(text)


def _is_one(value: object) -> bool:
    """Return whether a value is one for all guesses: a number, or a text such as ``5 %``."""
    return isinstance(value, str) or not hasattr(value, "__iter__") or getattr(value, "shape", None) == ()


def _says_more(label: str) -> bool:
    return is_actions(label) or decision_of(label) is not None


def _with_chances(others: list[str], cells: str) -> str:
    """Return how cells are read of which some are mappings; raise GameError where others may be sets."""
    if cells == "labels":
        raise GameError("cells='labels' with outcomes that are mappings; expected cells='sets'")
    odd = next((cell for cell in others if len(parts_of(cell)) > 1), "")
    if odd and not cells:
        raise GameError(
            f"{shown(odd)} beside outcomes that are mappings; add cells='sets' (a secret may get any of them)"
        )
    return "sets"


def _shared_columns(
    tests: Sequence[str], groups: object, setups: object, later: object, after: object
) -> dict[str, list[str]]:
    """Return the columns that say which guesses share a set-up, and which come before others."""
    columns = {}
    if groups is not None:
        columns["group"] = values_for("groups", groups, tests, "guess", partial=True, noun="group")
    if setups is not None:
        names = columns.get("group", [""] * len(tests))
        known = list(dict.fromkeys(filter(None, names)))
        each = dict(zip(known, values_for("setups", setups, known, "group"), strict=True))
        columns["setup"] = [each.get(name, "") for name in names]
    if later is not None:
        columns["later"] = values_for("later", later, tests, "guess", partial=True)
    if after is not None:
        before = by_label(after)
        if before is None:
            raise GameError("after: expected a mapping such as {'guess': ['guess before it']}")
        joined = {
            label: some
            if some is None or _is_one(some)
            else f"{BETWEEN} ".join(map(str, listed_of(some, "after")))
            for label, some in before.items()
        }
        columns["after"] = values_for("after", joined, tests, "guess", partial=True, noun="guess before it")
    return columns


def _matrix(losses: object, causes: list[str], grid: list[list[str]]) -> Sheet:
    """Return losses as a sheet: what is said x what is true."""
    if hasattr(losses, "columns") or isinstance(losses, Mapping):
        rows, _ = grid_of(losses, None, None)
    else:
        actions = next((row[1:] for row in grid[1:] if is_actions(row[0])), [])
        known: list[object] = [*dict.fromkeys(filter(None, actions))] or [*causes]
        rows, _ = grid_of(losses, known, known)
    return Sheet("losses", [Placed(f"losses of {shown(row[0])}", row) for row in rows])


def _check_rows_are_guesses(grid: list[Placed], how: How) -> None:
    """Raise GameError where rows look like secrets, and nobody has said what they are."""
    if len(grid) < 2 or len(grid[0].cells) < 2:
        return
    check_widths(grid)
    clues, _ = clues_of(grid, how)
    if clues["rows"] and not clues["columns"]:
        raise GameError(
            f"rows look like secrets ({clues['rows'][0]}); expected rows='secrets', or rows='guesses' to "
            "take them as guesses"
        )
