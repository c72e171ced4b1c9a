"""Bayesian networks of two layers, causes above tests, as sheets: BIF, and the XDSL of GeNIe.

Either one node has all causes as its states, or each cause is a node of its own, and one of them is present
at a time. F. G. Cozman, The interchange format for Bayesian networks, version 0.15 (1998); BayesFusion, XDSL.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import lcm, prod
from typing import Literal

from ..errors import GameError, shown
from .markup import read_markup
from .sheet import Placed, Sheet, as_seen
from .text import decoded

PRESENT = (
    "yes",
    "true",
    "present",
    "1",
    "on",
    "fault",
    "faulty",
    "broken",
    "failed",
    "defective",
    "positive",
)
"""States by which a cause of two states is present, where the file does not say which it is."""
NEAR = Fraction(1, 1000)
"""How far probabilities that are written with few digits may be from 1 together."""
MOST_COMBINATIONS = 1_000_000
_SIGNS = re.compile(r"[/|:]")


@dataclass
class Node:
    """A node of a network.

    Attributes
    ----------
    place, name: where it stands, and what it is called.
    states: their names.
    parents: the names of its parents.
    odds: for the states of the parents its own probabilities, in the order of states.
    fault: the state that is a fault, if the file says so, or -1.
    """

    place: str
    name: str
    states: list[str]
    parents: list[str]
    odds: dict[tuple[int, ...], list[Fraction]]
    fault: int = -1


def read_xdsl(source: str, data: bytes) -> Sheet:
    """Return the causes and tests of a network of GeNIe; raise GameError with the node of what is none."""
    root = read_markup(source, data, "a network of GeNIe (XDSL)")
    nodes = root.find("nodes")
    if root.tag != "smile" or nodes is None:
        raise GameError(f"{source} is XML of {shown(root.tag)}; expected a network of GeNIe (XDSL)")
    labels = {
        own.get("id", ""): as_seen("".join(name.itertext()))
        for own in root.iterfind("extensions/genie//node")
        if (name := own.find("name")) is not None
    }
    found, left_out = [], []
    for own in nodes:
        node = own.get("id", "")
        place = f"{source} node {node!r}"
        if own.tag in ("decision", "utility", "mau"):
            left_out.append(node)
            continue
        if own.tag != "cpt":
            raise GameError(
                f"{place} is of the kind {shown(own.tag)}; expected cpt, a table of probabilities"
            )
        states = own.findall("state")
        faults = [i for i, state in enumerate(states) if state.get("fault") == "true"]
        parents = (own.findtext("parents") or "").split()
        numbers = [_number(place, text) for text in (own.findtext("probabilities") or "").split()]
        found.append(
            Node(place, node, [state.get("id", "") for state in states], parents, {}, (faults or [-1])[0])
        )
        found[-1].odds = {(): numbers}  # until all nodes are known
    _spread(found)
    said = [f"decisions and utilities left out: {', '.join(left_out)}"] if left_out else []
    return _sheet(source, found, labels, ["XDSL", *said])


def _spread(nodes: Sequence[Node]) -> None:
    """Give each node its probabilities by states of its parents, the last of which changes fastest."""
    known = {node.name: node for node in nodes}
    for node in nodes:
        numbers, wide = node.odds[()], len(node.states)
        ways = _ways(node, known)
        if len(numbers) != wide * prod(ways):
            raise GameError(
                f"{node.place}: {len(numbers)} probabilities; expected {wide * prod(ways)}, for {wide} "
                "states and those of its parents"
            )
        node.odds = {
            combination: numbers[i * wide : (i + 1) * wide]
            for i, combination in enumerate(product(*(range(many) for many in ways)))
        }


def _ways(node: Node, known: dict[str, Node]) -> list[int]:
    """Return how many states each parent has; raise GameError for a parent that is not there."""
    for parent in node.parents:
        if parent not in known:
            raise GameError(f"{node.place} has the parent {shown(parent)}, which is not there")
    ways = [len(known[parent].states) for parent in node.parents]
    if prod(ways) > MOST_COMBINATIONS:
        raise GameError(f"{node.place}: {prod(ways)} combinations of its parents; expected fewer")
    return ways


# -- BIF ---------------------------------------------------------------------------------------------------

_TOKEN = re.compile(r'"[^"\n]*"|[{}()\[\],;|]|[^\s{}()\[\],;|"]+')
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


class _Tokens:
    """The words and signs of a BIF file, with their lines."""

    def __init__(self, source: str, text: str) -> None:
        self.source = source
        text = _COMMENT.sub(lambda found: "\n" * found[0].count("\n"), text)
        lines = text.split("\n")
        self.words = [(word, n) for n, line in enumerate(lines, 1) for word in _TOKEN.findall(line)]
        self.at = 0

    @property
    def place(self) -> str:
        """The line of the next word."""
        line = self.words[min(self.at, len(self.words) - 1)][1] if self.words else 1
        return f"{self.source} line {line}"

    @property
    def next(self) -> str:
        """The next word, or an empty text at the end."""
        return self.words[self.at][0] if self.at < len(self.words) else ""

    def take(self, *expected: str) -> str:
        """Return the next word, and go on; raise GameError where it is none of those expected."""
        word = self.next
        if not word or (expected and word not in expected):
            what = " or ".join(map(repr, expected)) or "more"
            raise GameError(f"{self.place}: {shown(word) if word else 'the end'}; expected {what}")
        self.at += 1
        return word.strip('"')

    def until(self, end: str) -> list[str]:
        """Return the words up to a sign, without commas, and go on behind it."""
        found = []
        while self.next != end:
            word = self.take()
            if word != ",":
                found.append(word)
        self.take(end)
        return found

    def skip(self) -> None:
        """Go on behind a block in braces."""
        self.take("{")
        depth = 1
        while depth:
            word = self.take()
            depth += (word == "{") - (word == "}")


def read_bif(source: str, data: bytes) -> Sheet:
    """Return the causes and tests of a network in BIF; raise GameError with the line of what is not read."""
    text, said = decoded(data, source)
    tokens = _Tokens(source, text)
    nodes: dict[str, Node] = {}
    while tokens.next:
        place, kind = tokens.place, tokens.take("network", "variable", "probability")
        if kind == "network":
            while tokens.next != "{":
                tokens.take()
            tokens.skip()
        elif kind == "variable":
            name = tokens.take()
            if name in nodes:
                raise GameError(f"{place}: the variable {shown(name)} is there twice; expected it once")
            nodes[name] = Node(place, name, list(_states(tokens)), [], {})
        else:
            _probability(tokens, nodes)
    for node in nodes.values():
        if not node.odds:
            raise GameError(f"{node.place}: no probabilities of {shown(node.name)}")
    return _sheet(source, list(nodes.values()), {}, ["BIF", *said])


def _states(tokens: _Tokens) -> Iterator[str]:
    """Yield the states of a variable."""
    tokens.take("{")
    while tokens.next != "}":
        if tokens.take() == "type":
            tokens.take("discrete")
            tokens.take("[")
            tokens.until("]")
            tokens.take("{")
            yield from tokens.until("}")
        tokens.until(";")
    tokens.take("}")


def _probability(tokens: _Tokens, nodes: dict[str, Node]) -> None:
    """Read the probabilities of a variable, a line for each combination of states of its parents."""
    place = tokens.place
    tokens.take("(")
    names = tokens.until(")")
    if names[1:2] == ["|"]:
        del names[1]
    unknown = next((name for name in names if name not in nodes), None)
    if unknown is not None or not names:
        raise GameError(f"{place}: probabilities of {shown(unknown or '')}, which is no variable above")
    node, parents = nodes[names[0]], [nodes[name] for name in names[1:]]
    node.parents = names[1:]
    ways = _ways(node, nodes)
    default: list[Fraction] | None = None
    tokens.take("{")
    while tokens.next != "}":
        line, word = tokens.place, tokens.take("table", "default", "(", "property")
        if word == "property":
            tokens.until(";")
            continue
        where: list[str] = tokens.until(")") if word == "(" else []
        numbers = [_number(line, text) for text in tokens.until(";")]
        if len(numbers) != len(node.states):
            raise GameError(
                f"{line}: {len(numbers)} probabilities of {shown(node.name)}; expected {len(node.states)}, "
                "in a line for each combination of states of its parents"
            )
        if word == "default":
            default = numbers
        else:
            combination = _combination(line, where, parents)
            if combination in node.odds:
                raise GameError(
                    f"{line}: probabilities of {shown(node.name)} are said twice for the same states; "
                    "expected them once"
                )
            node.odds[combination] = numbers
    tokens.take("}")
    if default is not None:
        for combination in product(*(range(many) for many in ways)):
            node.odds.setdefault(combination, default)


def _combination(place: str, where: Sequence[str], parents: Sequence[Node]) -> tuple[int, ...]:
    if len(where) != len(parents):
        raise GameError(f"{place}: {len(where)} states of parents; expected {len(parents)}")
    for state, parent in zip(where, parents, strict=True):
        if state not in parent.states:
            raise GameError(f"{place}: {shown(parent.name)} has no state {shown(state)}")
    return tuple(parent.states.index(state) for state, parent in zip(where, parents, strict=True))


# -- both --------------------------------------------------------------------------------------------------


def _number(place: str, text: str) -> Fraction:
    """Return a probability; raise GameError for none."""
    found = re.fullmatch(r"[0-9]{0,30}\.?[0-9]{0,30}(?:[eE][-+]?[0-9]{1,2})?", text)
    try:
        number = Fraction(text) if found else Fraction(-1)
    except ValueError:
        number = Fraction(-1)
    if not 0 <= number <= 1:
        raise GameError(f"{place}: {shown(text)} is no probability; expected a number from 0 to 1")
    return number


def _sheet(source: str, nodes: Sequence[Node], labels: dict[str, str], said: list[str]) -> Sheet:
    """Return the sheet of a network: a row for each test, a column for each cause, and their weights."""
    known = [node.name for node in nodes]
    twice = next((name for name in known if known.count(name) > 1), None)
    if twice is not None:
        raise GameError(f"{source}: the node {shown(twice)} is there twice; expected it once")
    roots = {node.name: node for node in nodes if not node.parents}
    tests = [node for node in nodes if node.parents]
    for node in tests:
        deep = next((name for name in node.parents if name not in roots), None)
        if deep is not None:
            raise GameError(
                f"{node.place} is below {shown(deep)}, which has parents itself; expected two layers, causes "
                "above tests"
            )
    used = [roots[name] for name in roots if any(name in node.parents for node in tests)]
    if not used:
        raise GameError(f"{source}: no test below a cause; expected a network of two layers")
    alone = [name for name in roots if roots[name] not in used]
    if alone:
        said.append(f"nodes without tests left out: {', '.join(alone)}")
    if len(used) == 1:
        causes: list[dict[str, int]] = [{used[0].name: i} for i in range(len(used[0].states))]
        names, weights = used[0].states, _whole(used[0].place, used[0].odds[()])
    else:
        causes, names, weights = _one_at_a_time(used, labels)
        said.append("one cause present at a time, the others absent")
    kept = [i for i, weight in enumerate(weights) if weight]
    header = ["test / cause", *(names[i] for i in kept)]
    rows = [Placed(source, header)]
    for node in tests:
        cells = [_cell(node, [causes[i][parent] for parent in node.parents]) for i in kept]
        rows.append(Placed(node.place, [labels.get(node.name) or node.name, *cells]))
    rows.append(Placed(source, ["weight", *(str(weights[i]) for i in kept)]))
    return Sheet(source, rows, tuple(said), causes="columns", sets=True)


def _one_at_a_time(
    used: Sequence[Node], labels: dict[str, str]
) -> tuple[list[dict[str, int]], list[str], list[int]]:
    """Return for each cause the states of all where it alone is present, its label, and its weight."""
    present = [_present(node) for node in used]
    absent = [1 - state for state in present]
    odds = []
    for node, state in zip(used, present, strict=True):
        here, not_here = node.odds[()][state], node.odds[()][1 - state]
        if not here or not not_here:
            raise GameError(f"{node.place} is certain; expected a cause with a probability between 0 and 1")
        odds.append(here / not_here)  # times that of no cause at all, the same for all
    shared = lcm(*(number.denominator for number in odds))
    causes = [
        {other.name: present[i] if other is node else absent[j] for j, other in enumerate(used)}
        for i, node in enumerate(used)
    ]
    return causes, [labels.get(node.name) or node.name for node in used], [int(n * shared) for n in odds]


def _present(node: Node) -> int:
    """Return the state by which a cause of two states is present; raise GameError where that is not clear."""
    if len(node.states) != 2:
        raise GameError(
            f"{node.place} has {len(node.states)} states beside other causes; expected two, present "
            "and absent"
        )
    if node.fault >= 0:
        return node.fault
    named = [i for i, state in enumerate(node.states) if state.casefold() in PRESENT]
    if len(named) == 1:
        return named[0]
    first, second = node.odds[()]
    if first == second:
        raise GameError(
            f"{node.place}: which of {shown(node.states[0])} and {shown(node.states[1])} is the fault? "
            "expected one called yes, true or present"
        )
    return int(second < first)  # a fault is the rare state


def _whole(place: str, numbers: Sequence[Fraction]) -> list[int]:
    """Return probabilities as whole numbers; raise GameError where they do not add up to 1, nearly."""
    total = sum(numbers, Fraction(0))
    if abs(total - 1) > NEAR:
        raise GameError(f"{place}: probabilities that add up to {float(total):.6g}; expected 1")
    shared = lcm(*(number.denominator for number in numbers))
    return [int(number * shared) for number in numbers]


def _cell(node: Node, states: Sequence[int]) -> str:
    """Return the answers of a test where its parents are in some states, with their odds."""
    numbers: list[Fraction] | None = node.odds.get(tuple(states))
    if numbers is None:
        raise GameError(f"{node.place}: no probabilities for some states of its parents; expected all")
    odd: Literal[""] | str = next((state for state in node.states if _SIGNS.search(state)), "")
    if odd:
        raise GameError(
            f"{node.place} has the state {shown(odd)}; expected one without the signs of sets, / and | and :"
        )
    parts = [(state, n) for state, n in zip(node.states, _whole(node.place, numbers), strict=True) if n]
    return parts[0][0] if len(parts) == 1 else "/".join(f"{state}:{n}" for state, n in parts)
