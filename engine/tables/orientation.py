"""Which side of a table has the causes, by its corner, its margins, its labels, or its answers.

Tables of people who test have a test in each row; tables of people who collect have a row for each species
and a column for each feature. Both look alike to a program, and the wrong one gives a strategy that means
nothing, so a table that could be either is refused until somebody says it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from math import sqrt

from ..errors import GameError, shown
from ..sheets import Placed
from ..sheets.sheet import Side
from .extras import says_more
from .headings import Kind, corner, read_heading
from .margins import NONE, numeric_lines
from .options import How
from .remarked import remark_of

Clues = dict[Side, list[str]]
CLEAR, NO_DOUBT = 2.0, 4.0
"""Deviations by which answers keep to the lines of one side, where that side has the tests."""
MANY = 5
"""So many answers are more than one vocabulary."""
_PLAIN = re.compile("corner|labels|the other|row '|column '|.* '(cost|weight)'$")
"""Clues that need not be said where they lead to the usual form."""
_NUMBERED = re.compile(r"(.*?)[\s_.-]*[0-9]{1,4}")


def find_causes(source: str, rows: Sequence[Placed], how: How, known: Side) -> tuple[Side, str]:
    """Return where the causes are, and why in a few words; empty for columns that corner or labels tell.

    `known` is what the format of the file says. Raises GameError where the table could be either, or where
    what it says does not agree.
    """
    if how.causes:
        return how.causes, ""
    if known:
        return known, "as its format says" if known == "rows" else ""
    found, shape = clues_of(rows, how)
    if how.win is not None and not any(found.values()):
        return "columns", ""
    for side in ("rows", "columns"):
        if found[side] and not found[_other(side)]:
            why = "" if side == "columns" and _PLAIN.match(found[side][0]) else found[side][0]
            if shape == _other(side):
                turn = f"{_keeping(shape)}: {how.spelled('causes', shape)} turns it"
                why = f"{why}; but {turn}" if why else turn
            return side, why
    raise GameError(
        f"{source}: {_either(rows, found)}; add {how.spelled('causes', 'rows')} or "
        f"{how.spelled('causes', 'columns')}"
    )


def clues_of(rows: Sequence[Placed], how: How) -> tuple[Clues, Side]:
    """Return what speaks for causes in rows and in columns, a few words each; and what the shape says alone.

    Corner and margins count; else that one cause is none to find; else the labels, or the shape. A list of
    tools has their price: margins that may be tests count only beside these. A list of films has their
    minutes: margins that are found, not named, count no more than a shape that is against them.
    """
    clues: Clues = {"rows": [], "columns": []}
    weak: Clues = {"rows": [], "columns": []}
    if plain := corner(rows[0].cells[0]).causes:
        clues[plain].append(f"corner {shown(rows[0].cells[0])}")
    inner = _without_margins(rows, how, clues, weak)
    down, across = len(inner) - 1, len(inner[0].cells) - 1
    if not down or not across:
        return clues if any(clues.values()) else weak, ""
    if alone := (down == 1) != (across == 1):
        weak["columns" if down == 1 else "rows"].append("the other way round there is one cause")
    shape = shape_side(inner)
    stated = plain or {how.costs, how.weights} - {"", NONE}
    if any(clues.values()):
        if shape and not stated:
            clues[shape].append(_keeping(shape))
        return clues, shape
    side = _label_side(inner)
    if any(weak.values()):  # they count beside others only
        clues = weak if alone or side or shape else clues
    if side:
        clues[side].append("labels of tests in " + _other(side))
    elif shape:
        clues[shape].append(_keeping(shape))
    return clues, shape


def _keeping(side: Side) -> str:
    """Return in words why the cells say that causes are on a side."""
    return f"answers keep to {_other(side)}"


def _other(side: Side) -> Side:
    return "columns" if side == "rows" else "rows"


def _either(rows: Sequence[Placed], clues: Clues) -> str:
    """Return in words what both readings are."""
    across, down = rows[0].cells[1:], [row.cells[0] for row in rows[1:]]
    readings = []
    for side, causes, tests in (("rows", down, across), ("columns", across, down)):
        why = f", {', '.join(clues[side])}" if clues[side] else ""  # type: ignore[index]
        readings.append(f"causes in {side} ({_some(causes)}; tests {_some(tests)}{why})")
    return "could be read with " + " or with ".join(readings)


def _some(labels: Sequence[str]) -> str:
    return ", ".join(map(shown, labels[:2])) + (f", ... {len(labels)} in all" if len(labels) > 2 else "")


def _without_margins(rows: Sequence[Placed], how: How, clues: Clues, weak: Clues) -> list[Placed]:
    """Return the rows without costs and weights; their places are clues, weak if they may be tests."""
    columns = list(zip(*(row.cells for row in rows), strict=True))
    sides: tuple[tuple[Side, list[str], list[Sequence[str]]], ...] = (
        ("rows", [row.cells[0] for row in rows[1:]], [row.cells[1:] for row in rows[1:]]),
        ("columns", rows[0].cells[1:], [column[1:] for column in columns[1:]]),
    )
    drop: dict[Side, set[int]] = {"rows": set(), "columns": set()}
    for side, labels, lines in sides:
        drop[side].update(i + 1 for i, label in enumerate(labels) if remark_of(label, lines[i]))
        wanted_kinds: tuple[tuple[Kind, str], ...] = (("cost", how.costs), ("weight", how.weights))
        for kind, wanted in wanted_kinds:
            found = numeric_lines(labels, lines, kind, wanted)
            drop[side].update(i + 1 for i in found)
            if found:
                causes, label = side if kind == "cost" else _other(side), labels[found[0]]
                kept = weak if not wanted and read_heading(label).may_be_test else clues
                kept[causes].append(f"{kind}s in {side.removesuffix('s')} {shown(label)}")
        others = sides[1][1] if side == "rows" else sides[0][1]
        more = [(i, says_more(label, lines[i], others)) for i, label in enumerate(labels)]
        drop[side].update(i + 1 for i, of in more if of)
        first = next(((i, of) for i, of in more if of), None)
        if first:
            causes = side if first[1] == "tests" else _other(side)
            clues[causes].append(f"{side.removesuffix('s')} {shown(labels[first[0]])}")
    return [
        Placed(row.place, [cell for j, cell in enumerate(row.cells) if j not in drop["columns"]])
        for i, row in enumerate(rows)
        if i not in drop["rows"]
    ]


def _label_side(rows: Sequence[Placed]) -> Side:
    """Return where the causes are by labels alone: tests are questions, or called ``Q1``, ``test 2``."""
    down, across = ([row.cells[0] for row in rows[1:]], rows[0].cells[1:])
    votes: list[Side] = []
    for tests, others, causes in ((down, across, "columns"), (across, down, "rows")):
        if any(label.endswith("?") for label in tests) and not any(label.endswith("?") for label in others):
            votes.append(causes)  # type: ignore[arg-type]
        if _numbered_as(tests, "test") or _numbered_as(others, "cause"):
            votes.append(causes)  # type: ignore[arg-type]
    return votes[0] if len(set(votes)) == 1 else ""


def _numbered_as(labels: Sequence[str], kind: str) -> bool:
    """Return whether labels are numbers behind one word, which names tests or causes."""
    found = [_NUMBERED.fullmatch(label) for label in labels]
    words = {one[1].casefold() for one in found if one} if all(found) else set()
    if len(words) != 1 or len(labels) < 2:
        return False
    word = words.pop()
    return read_heading(word).kind == kind or (kind == "test" and word in ("q", "t"))


def shape_side(rows: Sequence[Placed]) -> Side:
    """Return where the causes are by the cells alone; empty where they do not tell.

    The answers of one test stand in its own line and in few others, but in the lines of many causes. So an
    answer is compared with one that falls anywhere: if answers meet far fewer rows than that, rows are tests.
    Yes and no in all lines tell nothing, however many there are in some: lines of the one side must also make
    more vocabularies, such as yes and no, red and blue; or there are many answers, and no doubt.
    """
    if min(len(rows), len(rows[0].cells)) <= 2:
        return ""
    both: tuple[Sequence[Sequence[str]], Sequence[Sequence[str]]] = (
        [row.cells[1:] for row in rows[1:]],
        [column[1:] for column in list(zip(*(row.cells for row in rows), strict=True))[1:]],
    )
    (by_rows, spread_rows), (by_columns, spread_columns) = map(_kept_to_lines, both)
    more = by_rows - by_columns
    deviations = abs(more) / max(1.0, sqrt(spread_rows + spread_columns))
    answers = {cell for line in both[0] for cell in line if cell}
    if deviations < CLEAR or len(answers) <= 2:
        return ""
    tests, causes = both if more > 0 else both[::-1]
    if _vocabularies(tests) <= _vocabularies(causes) and (deviations < NO_DOUBT or len(answers) < MANY):
        return ""
    return "columns" if more > 0 else "rows"


def _vocabularies(lines: Sequence[Sequence[str]]) -> int:
    """Return how many sets of two or more answers there are that no line joins."""
    import networkx as nx

    graph: nx.Graph[str] = nx.Graph()
    for line in lines:
        nx.add_path(graph, dict.fromkeys(cell for cell in line if cell))
    return sum(len(found) > 1 for found in nx.connected_components(graph))


def _kept_to_lines(lines: Sequence[Sequence[str]]) -> tuple[float, float]:
    """Return by how many lines fewer than at random the answers are met, in all, and how much that varies."""
    met: Counter[str] = Counter()
    times: Counter[str] = Counter()
    for line in lines:
        counts = Counter(line)
        met.update(counts.keys())
        times.update(counts)
    for counter in (met, times):
        counter.pop("", None)
    cells, size = len(lines) * len(lines[0]), len(lines[0])
    fewer = spread = 0.0
    for answer, many in times.items():
        chance = 1 - (1 - many / cells) ** size
        fewer += len(lines) * chance - met[answer]
        spread += len(lines) * chance * (1 - chance) if many > 1 else 0.0
    return fewer, spread
