"""Where the game of a strategy file comes from: a table inside it, or files beside it."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Any

from .errors import GameError, shown
from .game import Game
from .registry import parse
from .remarks import Remarks, remarks_of
from .sheets import Placed
from .tables.characters import states_in
from .tables.dichotomous import SplitTable
from .tables.missing import UnsureTable
from .tables.noisy import CLIQUE, NoisyTable
from .tables.rows import (
    breaks_line,
    check_after,
    check_labels,
    check_rows,
    check_seen,
    table_game,
    whole_number,
)
from .tables.table import LOOK, Content, Detail, TableGame

FAMILY = "table:"
NAMES = ("secret", "guess", "cost")
DETAILS = ("states", "joined")
UNITS = ("cost_unit", "weight_unit")
KINDS = (TableGame, UnsureTable, NoisyTable, SplitTable)
"""The games that are tables."""
MOST_CELLS = 100_000
"""A strategy file carries a table of at most so many cells, a megabyte or so; of a larger one, its hash."""


@dataclass(frozen=True)
class Origin:
    """The game of a strategy file, and where it was found.

    Attributes
    ----------
    game: the game.
    against: ``the table inside the file``, or the files, where they are not where the spec says; else empty.
    note: in a line, that the table beside the file is another one; empty when it is not, or there is none.
    other: whether the game is not the one of the file: the hash of its table is another.
    """

    game: Game
    against: str = ""
    note: str = ""
    other: bool = False


@dataclass
class Finder:
    """Finds the files that a spec names: beside a strategy file, in its folder, then from the current one.

    `found` has what each path turned out to be.
    """

    folder: Path
    only_beside: bool = False
    found: dict[str, str] = field(default_factory=dict)

    def __call__(self, path: str) -> str:
        """Return where a file is; raise GameError that names the places where it is not."""
        tried = [str(self.folder / path), str(self.folder / Path(path).name)]
        tried += [] if self.only_beside else [path]
        found = next((one for one in tried if _is_file(one)), None)
        if found is None:
            places = ", ".join(map(repr, dict.fromkeys(tried)))
            raise GameError(
                f"no file {shown(path)}: not at {places}; expected it beside the strategy file, "
                "or another game with --game GAME"
            )
        self.found[path] = found
        return found

    def beside(self) -> Finder:
        """Return one that looks in the folder alone."""
        return replace(self, only_beside=True, found={})

    @property
    def elsewhere(self) -> str:
        """What was found at another place than the spec says, in a few words."""
        return ", ".join(at for path, at in self.found.items() if at != path)


def _is_file(path: str) -> bool:
    try:
        return Path(path).is_file()
    except (OSError, ValueError):  # a name that is too long, a null byte
        return False


def same_game(one: Game, other: Game) -> bool:
    """Return whether two games are the same, whatever file each was read from."""
    if isinstance(one, TableGame) and isinstance(other, TableGame):
        return one.content == other.content
    if one.spec != other.spec:
        return False
    return list(one.secrets) == list(other.secrets) and list(one.guesses) == list(other.guesses)


# -- writing -----------------------------------------------------------------------------------------------


def table_data(game: Game) -> dict[str, Any] | None:
    """Return the table of a game as plain data, or its hash where it is large; None for other games."""
    if type(game) not in KINDS or not game.spec.startswith(FAMILY):
        return None
    assert isinstance(game, TableGame)
    if type(game) is TableGame and game.costs is not None and (game.costs != game.costs[:, :1]).any():
        return None  # costs that a table cannot say
    content = game.content
    table = _as_json(content)
    if len(content.guesses) * len(content.secrets) > MOST_CELLS:
        return {"sha256": _hash(table)}
    names = {what: getattr(content.look, what) for what in NAMES}
    own = {what: name for what, name in names.items() if name != getattr(LOOK, what)}
    return table | ({"names": own} if own else {}) | _details(content.detail) | _remarks_json(content)


def _remarks_json(table: Content) -> dict[str, Any]:
    """Return notes and images, of guesses and of secrets; they make no other table, and no other hash."""
    found: dict[str, Any] = {}
    for side, remarks in (("guesses", table.guess_remarks), ("secrets", table.secret_remarks)):
        for key, value in remarks.as_json().items():
            found.setdefault(key, {})[side] = value
    return found


def _details(detail: Detail) -> dict[str, Any]:
    """Return what is for readers alone; no hash counts it."""
    said = {what: getattr(detail, what) for what in DETAILS}
    return {
        what: {label: list(some) for label, some in known.items()} for what, known in said.items() if known
    }


def _as_json(table: Content) -> dict[str, Any]:
    said: dict[str, Any] = {
        "weights": table.weights and [int(weight) for weight in table.weights],
        "costs": table.costs and [int(cost) for cost in table.costs],
        "win": table.win,
        "sets": table.sets,
        "ambiguous": table.cliques and CLIQUE,
        "groups": [label or None for label in table.groups],
        "later": list(table.later) if table.groups else [],
        "after": [list(known) for known in table.after],
        "decisions": list(table.decisions),
        "losses": [list(row) for row in table.losses] if table.decisions else [],
        "classes": list(table.classes),
        "ends": table.ends,
        "lapses": table.failures,  # the word of the format
        "orders": [list(order) or None for order in table.orders],
    }
    return {
        "secrets": list(table.secrets),
        "guesses": list(table.guesses),
        **{key: value for key, value in said.items() if value},
        **{unit: str(getattr(table, unit)) for unit in UNITS if getattr(table, unit) != 1},
        "responses": [[cell or None for cell in row] for row in table.cells],
    }


def _hash(table: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a table as JSON: keys in order, nothing but ASCII, no spaces."""
    return sha256(json.dumps(table, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


# -- reading -----------------------------------------------------------------------------------------------


def find_game(spec: str, table: Mapping[str, Any] | None, find: Finder) -> Origin:
    """Return the game that a strategy file names, from the table that it carries, if it does.

    `find` says where the files are that the spec names.

    Raises GameError when the game is not found, or the table is none.
    """
    if breaks_line(spec):
        raise GameError("game: holds a control character or a line break")
    if table is not None and not spec.startswith(FAMILY):
        raise GameError(f"table: given for the game {shown(spec)}; expected for {FAMILY} games only")
    if table is not None and "sha256" not in table:
        inside = table_game(spec, _from_json(table))
        return Origin(inside, "the table inside the file", _difference(inside, spec, find.beside()))
    try:
        game = parse(spec, find)
    except (ValueError, OSError, OverflowError) as error:  # a game of a file, or one too large to list
        raise GameError(f"game: {error}") from None
    if table is None or (isinstance(game, TableGame) and _hash(_as_json(game.content)) == table["sha256"]):
        return Origin(game, find.elsewhere)
    where = next(iter(find.found.values()))
    return Origin(game, find.elsewhere, f"{where!r} is not the table that the strategy was made for", True)


def _from_json(table: Mapping[str, Any]) -> Content:
    """Return the table that a file carries; raise GameError with the place for one that is none."""
    secrets, guesses, responses = table["secrets"], table["guesses"], table["responses"]
    for what, labels, each in (
        ("responses", guesses, "guess"),
        ("weights", secrets, "secret"),
        ("costs", guesses, "guess"),
        ("groups", guesses, "guess"),
        ("later", guesses, "guess"),
        ("after", guesses, "guess"),
        ("losses", table.get("decisions", []), "decision"),
        ("classes", secrets, "secret"),
        ("orders", guesses, "guess"),
    ):
        values = table.get(what, [] if what == "losses" else None)
        if values is not None:
            _check_count(what, values, labels, each)
    for what in ("responses", "losses"):
        for i, row in enumerate(table.get(what, [])):
            _check_count(f"{what}[{i}]", row, secrets, "secret")
    rows = [Placed("table.secrets", ["", *secrets])]
    for guess, row in zip(guesses, responses, strict=True):
        rows.append(Placed("table.guesses", [guess, *(cell or "" for cell in row)]))
    check_rows(rows)
    win, unknown = table.get("win"), any(None in row for row in responses)
    if win is not None and unknown:
        raise GameError(f"table.win is {shown(win)} with responses that are null; expected one or the other")
    cost_unit, weight_unit = (Fraction(table.get(unit, 1)) for unit in UNITS)
    look = replace(LOOK, **table.get("names", {}))
    check_seen("table.ends", [table.get("ends", "")])
    return Content(
        tuple(guesses),
        tuple(secrets),
        tuple(tuple(row.cells[1:]) for row in rows[1:]),
        _numbers("weights", table.get("weights"), 1),
        _numbers("costs", table.get("costs"), 0),
        win,
        cost_unit,
        weight_unit,
        look,
        _detail(table, guesses, secrets),
        sets="sets" in table,
        cliques="ambiguous" in table,
        ends=table.get("ends", ""),
        failures=table.get("lapses", 0),
        guess_remarks=_remarks(table, "guesses"),
        secret_remarks=_remarks(table, "secrets"),
        orders=_orders(table),
        **_groups(table, guesses),
        **_decisions(table),
    )


def _remarks(table: Mapping[str, Any], side: str) -> Remarks:
    """Return the notes and images that a file carries of guesses, or of secrets."""
    known = {key: table[key].get(side, {}) for key in ("notes", "images") if key in table}
    return remarks_of(known, table[side], side)


def _detail(table: Mapping[str, Any], guesses: Sequence[str], secrets: Sequence[str]) -> Detail:
    """Return what a file carries for readers alone; raise GameError for what belongs to no label."""
    for what, labels, each in (("states", guesses, "guesses"), ("joined", secrets, "secrets")):
        known = set(labels)
        for label, some in table.get(what, {}).items():
            if label not in known:
                raise GameError(f"table.{what}: {shown(label)} is none of the {each}")
            check_seen(f"table.{what}", some)
    return Detail(
        **{what: {label: tuple(some) for label, some in table.get(what, {}).items()} for what in DETAILS}
    )


def _groups(table: Mapping[str, Any], guesses: Sequence[str]) -> dict[str, Any]:
    """Return what a file carries of groups of guesses, and of their order."""
    groups, later, after = table.get("groups"), table.get("later"), table.get("after")
    if (groups is None) != (later is None):
        raise GameError("table.groups and table.later; expected both, or neither")
    check_seen("table.groups", filter(None, groups or ()))
    labels = set(guesses)
    for i, known in enumerate(after or []):
        for label in known:
            if label not in labels:
                raise GameError(f"table.after[{i}] {shown(label)} is none of the guesses")
    check_after(
        dict(zip(guesses, after or [], strict=after is not None)), dict.fromkeys(guesses, "table.after")
    )
    cheaper = _numbers("later", later, 0) or ()
    for i, (price, first) in enumerate(zip(cheaper, table.get("costs", [1] * len(guesses)), strict=False)):
        if price > first:
            raise GameError(f"table.later[{i}] is {price}; expected at most {first}, what it costs at first")
    return {
        "groups": tuple(label or "" for label in groups or ()),
        "later": cheaper,
        "after": tuple(map(tuple, after or ())),
    }


def _decisions(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a file carries of decisions, losses and classes."""
    names, losses = table.get("decisions", []), table.get("losses", [])
    check_labels([("table.decisions", name) for name in names], "decision")
    found = [
        [None if loss is None else whole_number("table", f"losses[{i}]", str(loss), 0) for loss in row]
        for i, row in enumerate(losses)
    ]
    classes = table.get("classes")
    if classes is not None:
        check_seen("table.classes", classes)
    return {"decisions": tuple(names), "losses": tuple(map(tuple, found)), "classes": tuple(classes or ())}


def _orders(table: Mapping[str, Any]) -> tuple[tuple[str, ...], ...]:
    """Return the responses in order that a file carries; raise GameError for an order that leaves one out."""
    orders = tuple(tuple(order or ()) for order in table.get("orders", ()))
    for i, (order, row) in enumerate(zip(orders, table["responses"], strict=False)):
        states = states_in([cell or "" for cell in row], sets="sets" in table) if order else ()
        if set(states) != set(order) or len(order) > len(states):
            raise GameError(
                f"table.orders[{i}]: {shown(list(order))}; expected {shown(list(states))} in order"
            )
    return orders


def _check_count(what: str, values: Sequence[object], labels: Sequence[str], each: str) -> None:
    if len(values) != len(labels):
        raise GameError(f"table.{what} has {len(values)} values; expected {len(labels)}, one for each {each}")


def _numbers(what: str, values: Sequence[object] | None, least: int) -> tuple[int, ...] | None:
    if values is None:
        return None
    return tuple(whole_number("table", f"{what}[{i}]", str(n), least) for i, n in enumerate(values))


def _difference(inside: TableGame, spec: str, find: Finder) -> str:
    """Return in a line that the table beside a strategy file is not the one inside, or an empty text."""
    try:
        game = parse(spec, find)
        if isinstance(game, TableGame) and game.content == inside.content:
            return ""
    except GameError:  # there is none, or what is there is no table
        pass
    for path, found in find.found.items():
        other = f"{FAMILY}{found}{spec.removeprefix(FAMILY + path)}"
        return (
            f"{found!r} differs from the table inside the file; --game {shlex.quote(other)} takes it instead"
        )
    return ""
