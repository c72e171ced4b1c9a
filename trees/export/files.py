"""Strategy files ``guesstree/1``: write a strategy as JSON, read one back, refuse what is not one."""

from __future__ import annotations

import json
import os
import re
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from itertools import islice
from math import isfinite
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from guesstree.engine.errors import GameError, file_name
from guesstree.engine.exact import Value, as_plain
from guesstree.engine.game import Game
from guesstree.engine.game_source import Finder, Origin, find_game, table_data
from guesstree.engine.objective import OBJECTIVE_NAMES
from guesstree.trees.dead import without_dead
from guesstree.trees.export.output import read_whole, write_whole
from guesstree.trees.figures import figures_of
from guesstree.trees.noisy import reach_of
from guesstree.trees.tree import Claims, Ints, Tree, TreeError

FORMAT = "guesstree/1"
"""The format, with its version."""
SCHEMA = Path(__file__).with_name("guesstree-1.schema.json")
"""The JSON Schema (draft-07) of the format."""
MAX_BYTES = 2**30
"""The largest file that is read."""
MAX_DIGITS = 19
"""The longest integer that is read: 64 bits hold most of them."""
MAX_SHOWN = 60
"""The most characters of a value that a message shows."""


def as_document(game: Game, strategy: Tree) -> dict[str, Any]:
    """Return a strategy as plain data in the format ``guesstree/1``.

    The summary is computed from the tree (guesses). Raises TreeError when the tree finds no secret, or has
    a leaf that names none.
    """
    if not len(strategy.ends[0]):
        raise TreeError(f"the strategy for {game.spec} finds no secret, so it has no figures to write")
    claims = strategy.claims
    document: dict[str, Any] = {
        "format": FORMAT,
        "game": game.spec,
        "goal": strategy.goal,
        **({"lies": strategy.lies} if strategy.lies else {}),
        "objective": claims.objective,
        "method": claims.method,
        "bounds": {"lower": _bound_as_json(claims.lower), "upper": _bound_as_json(claims.upper)},
    }
    if claims.parameters:
        document["parameters"] = dict(claims.parameters)
    document["summary"] = figures_of(strategy).stated()
    first, answers = strategy.first_child.tolist(), strategy.response.tolist()
    table = table_data(game)
    if table is not None:
        document["table"] = table
    document["nodes"] = nodes = []
    node: dict[str, Any]
    for i, guess in enumerate(strategy.guess.tolist()):
        node = {"guess": game.guesses[guess]} if guess >= 0 else _leaf_as_json(strategy, i)
        if first[i] < first[i + 1]:
            node["children"] = {game.responses[answers[c]]: c for c in range(first[i], first[i + 1])}
        nodes.append(node)
    return document


def _leaf_as_json(strategy: Tree, leaf: int) -> dict[str, Any]:
    """Return a leaf as plain data: what follows from the table is left out."""
    if leaf in strategy.decided:
        return {"decide": strategy.label(leaf)}
    if strategy.over(leaf):
        return {"over": True}
    names = [strategy.game.secrets[s] for s in strategy.named(leaf)]
    if not names:
        raise TreeError(
            f"node {leaf} of the strategy for {strategy.game.spec} neither asks a guess nor names a secret"
        )
    return {"secret": names[0]} if len(names) == 1 else {"secrets": names}


def _bound_as_json(bound: tuple[Value, ...]) -> Value | list[Value] | None:
    parts = [as_plain(part) for part in bound]
    return parts[0] if len(parts) == 1 else parts or None


def write(game: Game, strategy: Tree, path: str | os.PathLike[str]) -> None:
    """Write a strategy file, whole or not at all; raise TreeError when it cannot be written."""
    try:
        data = as_bytes(game, strategy)
    except TreeError as error:
        raise TreeError(f"cannot write {str(path)!r}: {error}") from None
    write_whole(path, data)


def as_bytes(game: Game, strategy: Tree) -> bytes:
    """Return a strategy as the bytes of a file; the same strategy gives the same.

    Each node, and each row of a table that the file carries, has a line of its own. Raises TreeError
    when the claims hold what JSON cannot say, or what no reader would take.
    """
    document = as_document(game, strategy)
    nodes = document.pop("nodes")
    _validate(document | {"nodes": nodes[:1]})
    encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
    try:
        rows = document.get("table", {}).pop("responses", [])
        head = "".join(f"{encode(key)}: {encode(value)},\n" for key, value in document.items())
        if rows:
            listed = ",\n".join(map(encode, rows))
            head = f'{head[:-3]}, "responses": [\n{listed}\n]}},\n'
        lines = ",\n".join(map(encode, nodes))
        return f'{{\n{head}"nodes": [\n{lines}\n]\n}}\n'.encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise TreeError(_cut(error, 200)) from None


@dataclass(frozen=True)
class Reading:
    """A strategy as it was read, with its game and where that was found (see `Origin`)."""

    strategy: Tree
    origin: Origin


def read(path: str | os.PathLike[str], game: Game | None = None) -> tuple[Game, Tree]:
    """Return the game and the strategy of a strategy file; `game` stands in for the one that the file names.

    A file that the game's spec names is looked for beside the strategy file first; a table that the file
    carries is taken from there, with a warning when the one beside it is another. Every secret is routed by
    the game's own responses. A secret that meets no branch is not refused here: `guesstree.trees.check`
    reports it. Raises TreeError, one line with the place, for anything that is not a strategy file of this
    game.
    """
    found = read_with_origin(path, game)
    if found.origin.note:
        warnings.warn(f"{str(path)!r}: {found.origin.note}", stacklevel=3)  # whoever called `Strategy.read`
    return found.origin.game, found.strategy


def read_with_origin(path: str | os.PathLike[str], game: Game | None = None) -> Reading:
    """Return the strategy of a file as `read` does, with where its game was found."""
    path = file_name(path)
    try:
        return read_text(_load(Path(path)), Finder(Path(path).parent), game)
    except TreeError as error:
        raise TreeError(f"{str(path)!r}: {error}") from None
    except MemoryError:
        raise TreeError(f"{str(path)!r}: does not fit in this machine's memory") from None


def read_text(text: str, find: Finder, game: Game | None = None) -> Reading:
    """Return the strategy of the text of a file, as `read_with_origin`; `find` says where other files are.

    Raises TreeError as that does, without the name of the file.
    """
    document = _parse(text)
    _validate(document)
    return _reading(document, game, find)


def _load(path: Path) -> str:
    try:
        return read_whole(path, MAX_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise TreeError(f"byte {error.start} is not UTF-8; expected a JSON file in UTF-8") from None


def _parse(text: str) -> Any:
    """Return the JSON value of a text; what JSON or this reader excludes is refused with its place."""
    # The hooks do not know where they are: they mark a value, and it is looked up afterwards. The list
    # keeps what is marked alive, so that identities stay distinct.
    marked: list[tuple[object, str]] = []

    def mark(value: object, reason: str) -> object:
        marked.append((value, reason))
        return value

    def collect(pairs: list[tuple[str, Any]]) -> object:
        found = dict(pairs)
        if len(found) == len(pairs):
            return found
        seen: set[str] = set()
        repeated = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        return mark(found, f"repeats the key {_show(repeated)}; expected each key once")

    def integer(digits: str) -> object:
        if len(digits) <= MAX_DIGITS:
            return int(digits)
        return mark(object(), f"is a number of {len(digits)} digits; expected at most {MAX_DIGITS}")

    def real(digits: str) -> object:
        value = float(digits)
        return value if isfinite(value) else constant(digits)

    def constant(name: str) -> object:
        return mark(object(), f"is {_cut(name)}; expected a finite number")

    try:
        document = json.loads(
            text, object_pairs_hook=collect, parse_int=integer, parse_float=real, parse_constant=constant
        )
    except json.JSONDecodeError as error:
        raise TreeError(
            f"line {error.lineno} column {error.colno}: {error.msg}; expected a whole JSON file"
        ) from None
    except RecursionError:
        raise TreeError(f"values are nested too deeply; expected a file of the format {FORMAT}") from None
    if marked:
        _refuse_marked(document, {id(value): reason for value, reason in marked})
    return document


def _refuse_marked(document: object, reasons: Mapping[int, str]) -> NoReturn:
    """Raise TreeError for the first marked value in the order of the file.

    One is found: a marked value drops out only of an object that repeats a key, and that object is marked.
    """
    waiting: list[tuple[str, object]] = [("", document)]
    while waiting:
        place, value = waiting.pop()
        if id(value) in reasons:
            raise TreeError(f"{_cut(place, 200) or 'the file'} {reasons[id(value)]}")
        below: Iterable[tuple[str, object]] = ()
        if isinstance(value, dict):
            below = ((_key_place(place, key), part) for key, part in value.items())
        elif isinstance(value, list):
            below = ((f"{place}[{i}]", part) for i, part in enumerate(value))
        waiting.extend(reversed(list(below)))
    raise AssertionError("a marked value is not in the document")


def _key_place(place: str, key: str) -> str:
    if not key.isidentifier() or place.endswith((".children", ".histogram")):
        return f"{place}[{_show(key)}]"
    return f"{place}.{key}" if place else key


@cache
def _validator() -> Callable[[object], object]:
    import fastjsonschema  # only files need it, and it is slow to load

    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    validate: Callable[[object], object] = fastjsonschema.compile(schema)
    return validate


def _validate(document: object) -> None:
    """Raise TreeError with the place and the reason unless the document fits the schema."""
    from fastjsonschema import JsonSchemaValueException

    if not isinstance(document, dict):
        raise TreeError(f"holds {_show(document)}; expected an object of the format {FORMAT}")
    if document.get("format") != FORMAT:
        found = _show(document["format"]) if "format" in document else "missing"
        raise TreeError(f"format is {found}; expected {_show(FORMAT)}")
    try:
        _validator()(document)
    except JsonSchemaValueException as error:
        name = str(error.name)
        place = re.sub(
            r"\.(children|histogram)\.(.*)$",
            lambda match: f".{match[1]}[{_show(match[2])}]",
            name.removeprefix("data").removeprefix("."),
            flags=re.DOTALL,
        )
        if place == "table" and error.rule == "oneOf":
            reason = 'is neither a table (secrets, guesses, responses) nor the hash of one ("sha256" alone)'
        elif error.rule in ("oneOf", "dependencies"):
            reason = 'is neither a guess nor a leaf; expected {"guess", "children"} or {"secret"} alone'
        elif ".children[" in place:
            reason = f"is {_show(error.value)}; expected the index of a node other than the root, 1 or more"
        else:
            wanted = error.message.removeprefix(name).strip()
            reason = f"{_cut(wanted, 200)}; it is {_show(error.value)}"
        raise TreeError(f"{place or 'the file'} {reason}") from None


@dataclass(frozen=True)
class _Nodes:
    """The nodes in the order of the file: guess and named secret (-1: none), branches by response.

    also: what leaves name besides, by node. decided: what leaves decide, by node. over: the leaves where the
    path has ended.
    """

    guess: list[int]
    secret: list[int]
    branches: list[list[tuple[int, int]]]
    also: dict[int, tuple[int, ...]] = field(default_factory=dict)
    decided: dict[int, int] = field(default_factory=dict)
    over: set[int] = field(default_factory=set)


def _reading(document: Mapping[str, Any], game: Game | None, find: Finder) -> Reading:
    if game is not None:
        return Reading(from_document(document, game), Origin(game))
    try:
        origin = find_game(document["game"], document.get("table"), find)
    except GameError as error:
        raise TreeError(_cut(error, 500)) from None
    try:
        return Reading(from_document(document, origin.game), origin)
    except TreeError as error:
        raise TreeError(f"{error}; {origin.note}" if origin.note else str(error)) from None


def from_document(document: Mapping[str, Any], game: Game) -> Tree:
    """Return the strategy that is plain data of the format, as `as_document` makes it; raise TreeError.

    Branches that no secret takes are left out, see `Tree.dead`.
    """
    try:
        guesses = {label: i for i, label in enumerate(game.guesses)}
        secrets = guesses if game.secrets is game.guesses else {s: i for i, s in enumerate(game.secrets)}
    except OverflowError as error:  # too large to list
        raise TreeError(f"game: {_cut(error, 300)}") from None
    goal: str = document["goal"]
    if goal == "win" and not game.facts.winnable:
        raise TreeError(f'goal is "win", but {game.spec} has no winning response; expected "identify"')
    nodes, parents = _link(document["nodes"], goal, game, guesses, secrets)
    lies = int(document.get("lies", 0))
    order = _order(nodes.branches, parents)
    arrays = _arrays(nodes, order)
    tree = Tree(game=game, goal=goal, claims=_claims(document), lies=lies, **arrays)  # type: ignore[arg-type]
    also = {i: nodes.also[node] for i, node in enumerate(order) if node in nodes.also}
    decided = {i: nodes.decided[node] for i, node in enumerate(order) if node in nodes.decided}
    tree = replace(tree, also=also, decided=decided)
    untold = [i for i, node in enumerate(order) if node in nodes.decided or node in nodes.over]
    return without_dead(_filled(tree, untold, order) if untold else tree)


def _filled(tree: Tree, untold: list[int], order: list[int]) -> Tree:
    """Return a tree with who is possible at some leaves; raise TreeError where a path is over that is not."""
    at, secret, also = reach_of(tree), tree.secret.copy(), dict(tree.also)
    for leaf in untold:
        if leaf not in tree.decided and not tree.over(leaf):
            raise TreeError(
                f"nodes[{order[leaf]}] is over, but no response that ends a path leads there; "
                "expected a guess or another leaf"
            )
        first, *others = at[leaf].masses or (-1,)
        secret[leaf] = first
        if others:
            also[leaf] = tuple(others)
    return replace(tree, secret=secret, also=also)


def _claims(document: Mapping[str, Any]) -> Claims:
    bounds, objective = document.get("bounds", {}), document.get("objective", "")
    if objective and objective not in OBJECTIVE_NAMES:
        raise TreeError(f"objective is {_show(objective)}; expected one of {'; '.join(OBJECTIVE_NAMES)}")
    return Claims(
        objective=objective,
        method=document.get("method", ""),
        lower=_parts(bounds.get("lower")),
        upper=_parts(bounds.get("upper")),
        parameters=document.get("parameters", {}),
        summary=document.get("summary", {}),
        by_file=True,
    )


def _parts(bound: Any) -> tuple[Value, ...]:
    if bound is None:
        return ()
    # JSON has one kind of number, so 5.0 is an integer too; what is none is written as 7/2.
    parts = bound if isinstance(bound, list) else [bound]
    return tuple(Fraction(part) if isinstance(part, str) else int(part) for part in parts)


def _link(
    nodes: list[dict[str, Any]], goal: str, game: Game, guesses: Mapping[str, int], secrets: Mapping[str, int]
) -> tuple[_Nodes, list[int]]:
    """Return the nodes by index instead of by label, and the parent of each."""
    responses = {label: i for i, label in enumerate(game.responses)}
    linked = _Nodes([-1] * len(nodes), [-1] * len(nodes), [])
    parents = [-1] * len(nodes)
    implied = game.winning if goal == "win" else None
    for i, node in enumerate(nodes):
        branches: list[tuple[int, int]] = []
        linked.branches.append(branches)
        if "guess" not in node:
            if goal == "win":
                raise TreeError(f'nodes[{i}] is a leaf under goal "win"; expected {{"guess", "children"}}')
            if "decide" in node:
                linked.decided[i] = _decision(game, node["decide"], i)
                continue
            if "over" in node:
                _require_model(game, f"nodes[{i}].over")
                linked.over.add(i)
                continue
            what, named = ("secret", [node["secret"]]) if "secret" in node else ("secrets", node["secrets"])
            linked.secret[i], *others = (
                _index(secrets, label, f"nodes[{i}].{what}", f"{game.look.secret} of {game.spec}")
                for label in named
            )
            if others:
                _require_model(game, f"nodes[{i}].secrets")
                linked.also[i] = tuple(others)
            continue
        linked.guess[i] = _index(
            guesses, node["guess"], f"nodes[{i}].guess", f"{game.look.guess} of {game.spec}"
        )
        for label, child in node.get("children", {}).items():
            answer = responses.get(label, -1)
            known = answer >= 0 and answer != implied
            if not known or type(child) is not int or not 0 < child < len(nodes) or parents[child] >= 0:
                reason = _branch_fault(game, implied, label, child, parents)
                raise TreeError(f"nodes[{i}].children[{_show(label)}] {reason}")
            parents[child] = i
            branches.append((answer, child))
        branches.sort()
    return linked, parents


def _require_model(game: Game, place: str) -> None:
    if not game.facts.noisy:
        raise TreeError(
            f"{place}: each guess of {game.spec} has one response, and none ends a path early; "
            f"expected a leaf that names one {game.look.secret}"
        )


def _decision(game: Game, label: str, node: int) -> int:
    place = f"nodes[{node}].decide"
    if not game.decisions:
        raise TreeError(f"{place} {_show(label)}: {game.spec} has nothing to decide")
    return _index({d: i for i, d in enumerate(game.decisions)}, label, place, f"decision of {game.spec}")


def _branch_fault(game: Game, implied: int | None, label: str, child: object, parents: list[int]) -> str:
    """Return why a branch is refused, and what would be accepted."""
    if label not in game.responses:
        some = ", ".join(_show(known) for known in game.responses[:8])
        return f"is not a response of {game.spec}; expected {some}, ... ({len(game.responses)} in all)"
    if implied is not None and label == game.responses[implied]:
        return 'is the winning response, which is implied under goal "win"; leave it out'
    if len(parents) == 1:
        return f"is {_show(child)}; expected no branch, as the file has no other node"
    if type(child) is not int or not 0 < child < len(parents):
        return f"is {_show(child)}; expected the index of a node, 1 to {len(parents) - 1}"
    return f"is {child}, where nodes[{parents[child]}] leads too; expected one parent for each node"


def _index(labels: Mapping[str, int], label: str, place: str, what: str) -> int:
    if label not in labels:
        some = ", ".join(_show(known) for known in islice(labels, 3))
        raise TreeError(
            f"{place} {_show(label)} is not a {what}; expected {some}, ... ({len(labels)} in all)"
        )
    return labels[label]


def _order(branches: list[list[tuple[int, int]]], parents: list[int]) -> list[int]:
    """Return the nodes in breadth-first order; raise TreeError unless all hang from the root.

    Each node has at most one parent and the root has none, so what the root reaches is a tree.
    """
    order = [0]
    for node in order:
        order.extend(child for _, child in branches[node])
    if len(order) < len(parents):
        node, seen = min(set(range(len(parents))).difference(order)), set[int]()
        while parents[node] >= 0 and node not in seen:
            seen.add(node)
            node = parents[node]
        if parents[node] >= 0:
            raise TreeError(f"nodes[{node}] is on a cycle; expected a tree rooted at nodes[0]")
        raise TreeError(f"no branch leads to nodes[{node}]; expected a tree rooted at nodes[0]")
    return order


def _arrays(nodes: _Nodes, order: list[int]) -> dict[str, Ints]:
    parent, response, depth, first_child = [-1], [-1], [0], []
    for position, node in enumerate(order):
        first_child.append(len(parent))
        for answer, _ in nodes.branches[node]:
            parent.append(position)
            response.append(answer)
            depth.append(depth[position] + 1)
    first_child.append(len(parent))
    columns = {
        "guess": [nodes.guess[node] for node in order],
        "parent": parent,
        "response": response,
        "first_child": first_child,
        "secret": [nodes.secret[node] for node in order],
        "depth": depth,
    }
    return {name: np.array(column, dtype=np.int32) for name, column in columns.items()}


def _show(value: object) -> str:
    """Return a value of a file as it is written there, on one line and shortened."""
    if isinstance(value, dict):
        return f"an object of {len(value)} keys"
    if isinstance(value, list):
        return f"an array of {len(value)} values"
    if isinstance(value, str):
        shown = value[:MAX_SHOWN]
        text = json.dumps(shown, ensure_ascii=not shown.isprintable())
        return text if len(value) <= MAX_SHOWN else f'{text[:-1]}..."'
    return _cut(json.dumps(value))


def _cut(text: object, most: int = MAX_SHOWN) -> str:
    """Return a text on one line of at most `most` characters."""
    line = "".join(c if c.isprintable() else " " for c in str(text)[: most + 1])
    return line if len(line) <= most else f"{line[: most - 3]}..."
