"""Tables given as data, with what stands beside the cells of a file in keywords."""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..errors import GameError, require_flag, shown
from ..game import whole
from ..notation import plurals
from ..sheets import Placed, Sheet
from .cells import parts_of
from .data import by_label, cell_text, column_of_names, grid_of, listed_of
from .extras import ACTION, BETWEEN, column_of, decision_of, is_actions
from .headings import Kind, corner
from .margins import NONE, numeric_lines
from .options import WRONG, How, count_of, number_of, number_of_bins
from .orientation import clues_of
from .reading import read_table
from .rows import breaks_line, check_widths, table_game
from .table import TableGame

COST, WEIGHT = "cost", "weight"
SPELLING = "{}={!r}"


def table(
    outcomes: object,
    *,
    secrets: Iterable[object] | None = None,
    guesses: Iterable[object] | None = None,
    weights: object = None,
    costs: object = None,
    rows: str | None = None,
    win: object = None,
    merge: bool = False,
    missing: str | None = None,
    cells: str | None = None,
    ambiguous: str | None = None,
    bins: int = 0,
    groups: object = None,
    setups: object = None,
    later: object = None,
    after: object = None,
    sensitivity: object = None,
    specificity: object = None,
    error: object = None,
    lapse: object = None,
    actions: object = None,
    losses: object = None,
    wrong: object = None,
    confidence: object = None,
    ends: object = None,
    repeat: int = 1,
    lapses: int = 0,
    name: str = "data",
) -> TableGame:
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
        `games.missing`; ``label``: marks such as ``?`` are outcomes; None: such a cell is refused.
    cells: ``sets``: ``a/b`` is either outcome, ``a:3/b:1`` with odds, see `games.split`; ``labels``: it is
        one outcome; None: outcomes that look like sets are refused.
    ambiguous: ``clique``: with sets, a strategy may end with several secrets, see `noisy.model`.
    bins: the number of classes of equal counts for a guess whose outcomes are more different numbers.
    groups: the group of each guess that shares a set-up with others, by label or in order, None for others.
    setups: what each group costs once, in addition, ``{group: number}``.
    later: instead of `setups`, what a guess costs after another guess of its group.
    after: by label, the guesses that must have been asked before a guess: a label or a list of labels.
    sensitivity, specificity: how often a guess with the outcomes yes and no (+ and -, 1 and 0, ...) is
        right where it should be yes, and where it should be no: for some guesses by label, or for all.
    error, lapse: how often an outcome is wrong (all others are then equally likely), and how often there is
        none, which is the response ``?``: for some guesses by label, or one number for all that have several
        outcomes.
    actions: the right action for each secret, which a strategy finds instead of the secret, by label or in
        order.
    losses: ``{decision: {secret or action: loss}}``, a DataFrame with decisions in rows, or an array whose
        rows and columns are in the order of actions, or of secrets; None or infinite: not allowed.
    wrong: what every wrong decision loses; without `losses`, a decision names a secret.
    confidence: instead of `wrong`, how likely a decision should be right: a wrong decision then loses the
        cost of the cheapest guess, divided by ``1 - confidence``.
    ends: the outcome that ends a path even if several secrets are possible, such as ``"fixed"``.
    repeat: how many independent copies there are of each guess that may err.
    lapses: the most guesses on a path that may fail to answer; only for the worst case.
    name: the name of the game, ``table:NAME``.

    As in a file, a secret called ``cost`` or ``minutes`` and a guess called ``weight`` or ``probability``
    hold costs and weights. Numbers are exact, 0.1 is 1/10; they may be Fraction, Decimal, or text such as
    ``1/3``, ``12 %`` or ``5 min``, with the same unit for all. Labels and outcomes become text without spaces
    around it; 1.0 is written 1. Raises GameError with the row and the column of what is no table.
    """
    if rows is not None and (not isinstance(rows, str) or rows not in ("guesses", "secrets")):
        raise GameError(f"rows={shown(rows)}; expected 'guesses' or 'secrets'")
    require_flag("merge", merge)
    numbers = {"wrong": wrong, "confidence": confidence, "error": error, "lapse": lapse}
    shared: dict[str, Any] = {
        key: number_of(key, cell_text(value, key))
        for key, value in numbers.items()
        if value is not None and (_is_one(value) or key not in WRONG)
    }
    how = How(
        merge,
        _word("missing", missing),
        None if win is None else cell_text(win, "win"),
        causes="columns",
        cells=_word("cells", cells),
        ambiguous=_word("ambiguous", ambiguous),
        bins=0 if whole(bins) == 0 else number_of_bins(_number("bins", bins)),
        ends="" if ends is None else cell_text(ends, "ends"),
        repeat=count_of("repeat", _number("repeat", repeat), 1),
        lapses=0 if whole(lapses) == 0 else count_of("lapses", _number("lapses", lapses), 0),
        spelling=SPELLING,
        **shared,
    )
    if not isinstance(name, str) or not name or breaks_line(name):
        raise GameError(f"name={shown(name)}; expected a text on one line")
    flip = rows == "secrets"
    given = (secrets, guesses) if flip else (guesses, secrets)
    said = ("secrets", "guesses") if flip else ("guesses", "secrets")
    labels = [_labels(what, some) for what, some in zip(said, given, strict=True)]
    grid, plain = grid_of(outcomes, *labels)
    if plain is not None:
        how = replace(how, cells=_with_chances(plain, cells))
    places = ["columns", *(f"row {i}" for i in range(1, len(grid)))]
    if rows is None:
        _check_rows_are_guesses([Placed(place, row) for place, row in zip(places, grid, strict=True)], how)
    if flip:
        grid[0][0] = (
            f"test / {grid[0][0]}" if grid[0][0] else ""
        )  # what its rows were called, columns are now
        grid = [list(column) for column in zip(*grid, strict=True)]
        places = ["rows", *(f"column {i}" for i in range(1, len(grid)))]
    how = replace(how, costs=_line(costs, COST), weights=_line(weights, WEIGHT))
    _check_said_once(grid, how)
    tests = [
        row[0] for row in grid[1:] if (row[0] != WEIGHT or how.weights == NONE) and not _says_more(row[0])
    ]
    causes = [label for label in grid[0][1:] if (label != COST or how.costs == NONE) and not column_of(label)]
    for label, what, noun, values in (
        (WEIGHT, "weights", "number", weights if how.weights == WEIGHT else None),
        (ACTION, "actions", "label", actions),
    ):
        if values is not None:
            places.append(what)
            texts = _values(what, values, causes, "secret", noun=noun)
            _add_row(grid, label, dict(zip(causes, texts, strict=True)))
    matrix = None if losses is None else _matrix(losses, causes, grid)
    columns = {} if how.costs != COST else {COST: _values("costs", costs, tests, "guess")}
    columns |= _shared_columns(tests, groups, setups, later, after)
    rates = {"sensitivity": sensitivity, "specificity": specificity, "error": error, "lapse": lapse}
    columns |= _rate_columns(tests, {what: rate for what, rate in rates.items() if what not in shared})
    for label, texts in columns.items():
        _add_column(grid, label, dict(zip(tests, texts, strict=True)))
    listed = [Placed(place, row) for place, row in zip(places, grid, strict=True)]
    found = read_table(Sheet("outcomes", listed), how, matrix=matrix)
    game = table_game(f"table:{name}", found.content)
    game.notes = found.model.notes
    if given[0] is None and (column := column_of_names(outcomes)) is not None:
        told = f"rows are named by the first column {shown(column)}, as nothing else names them"
        game.notes = [told, *game.notes]
        if not _says_names(column):
            other = "secrets" if flip else "guesses"
            ways = f"an index of names (set_index) or {other}= names them otherwise"
            warnings.warn(f"{told}; {ways}", stacklevel=2)
    return game


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


def _word(key: str, value: object) -> str:
    """Return an option that is a word; nothing where it is None."""
    if value is None or isinstance(value, str):
        return value or ""
    raise GameError(f"{key}={shown(value)}; expected a text")


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


def _number(key: str, value: object) -> str:
    """Return an option that is a whole number, as text."""
    number = whole(value)
    if number is None:
        raise GameError(f"{key}={shown(value)}; expected a whole number")
    return str(number)


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


def _with_chances(others: list[str], cells: str | None) -> str:
    """Return how cells are read of which some are mappings; raise GameError where others may be sets."""
    if cells == "labels":
        raise GameError("cells='labels' with outcomes that are mappings; expected cells='sets'")
    odd = next((cell for cell in others if len(parts_of(cell)) > 1), "")
    if odd and cells is None:
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
        columns["group"] = _values("groups", groups, tests, "guess", partial=True, noun="group")
    if setups is not None:
        names = columns.get("group", [""] * len(tests))
        known = list(dict.fromkeys(filter(None, names)))
        each = dict(zip(known, _values("setups", setups, known, "group"), strict=True))
        columns["setup"] = [each.get(name, "") for name in names]
    if later is not None:
        columns["later"] = _values("later", later, tests, "guess", partial=True)
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
        columns["after"] = _values("after", joined, tests, "guess", partial=True, noun="guess before it")
    return columns


def _rate_columns(tests: Sequence[str], rates: Mapping[str, object]) -> dict[str, list[str]]:
    """Return the columns that say how often guesses err: some of them, or all alike."""
    return {
        what: _values(
            what, dict.fromkeys(tests, rate) if _is_one(rate) else rate, tests, "guess", partial=True
        )
        for what, rate in rates.items()
        if rate is not None
    }


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


def _values(
    what: str,
    values: object,
    labels: Sequence[str],
    each: str,
    *,
    partial: bool = False,
    noun: str = "number",
) -> list[str]:
    """Return what is given for some labels, as text, in the order of the labels; `partial`: not for all."""
    known = by_label(values)
    if known is None:
        listed = listed_of(values, what, f"a {noun} for each {each}, in order or by label")
        if len(listed) != len(labels):
            raise GameError(
                f"{what}: {len(listed)} {plurals(noun)}; expected {len(labels)}, one for each {each}"
            )
    else:
        known = {cell_text(label, f"a label of {what}"): value for label, value in known.items()}
        wrong = [label for label in known if label not in labels]
        wrong += [label for label in labels if label not in known and not partial]
        if wrong:
            raise GameError(
                f"{what}: {shown(wrong[0])}; expected a {noun} for each {each}, and for nothing else"
            )
        listed = [known.get(label) for label in labels]
    return [
        cell_text(value, f"{what} of {each} {label!r}") for value, label in zip(listed, labels, strict=True)
    ]
