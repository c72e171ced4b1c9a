"""A strategy folded into boxes: what each says, how large it is, and how they hang together."""

from __future__ import annotations

import math
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace

from guesstree.engine.game import Game
from guesstree.engine.look import Look, plural

from ..figures import lost, most_below, secrets_below, weight_below
from ..tree import Tree, TreeError
from .labels import LINE, answer_cells, escape, guess_cells, line, percent, plain, text_width
from .layout import Shape

BRIGHT = "#FFE680"
PALE = "#D9D9D9"
"""Of what costs more than the budget."""
EDGE = "#C29400"
GREY = "#8A8A8A"
INK = "#5A5A5A"
TRUNK = 12.0
"""Room on either side of the vertical line that joins the children of a box."""
EAR = 5.0
"""Room beside the response at the end of an edge."""
SPACE = 3
"""Room between the parts of a box, and between them and its frame, which is 1 thick."""
AROUND = 2 * SPACE + 2


@dataclass(frozen=True)
class Drawing:
    """A strategy folded into boxes: one for each guess that is not sure to end the game.

    Attributes
    ----------
    node: the strategy's node of each box, in breadth-first order.
    rows: the leaves that each box lists.
    note: what is said of the nodes below a box that are not drawn, or ''.
    below: secrets under a box, its own included.
    share: the share of the weight under each node of the strategy, in percent; '' where all weigh the same.
    lost: the secrets that cost more than the budget.
    shape: sizes of the boxes, and how they hang together.
    """

    game: Game
    strategy: Tree
    node: Sequence[int]
    rows: Sequence[Sequence[int]]
    note: Sequence[str]
    below: Sequence[int]
    share: Sequence[str]
    lost: Set[int]
    shape: Shape

    @property
    def look(self) -> Look:
        """How the game looks."""
        return self.game.look

    def name(self, node: int) -> str:
        """Return the label of the guess asked or the secret named at a node."""
        guess = int(self.strategy.guess[node])
        return self.game.guesses[guess] if guess >= 0 else self.game.secrets[int(self.strategy.secret[node])]

    def response(self, node: int) -> str:
        """Return the label of the response that leads to a node."""
        return self.game.responses[int(self.strategy.response[node])]

    def answer(self, node: int) -> str:
        """Return the response that leads to a node, as one line of text."""
        return plain(self.look.write(self.response(node)), 24)

    def secrets(self, box: int) -> str:
        """Return how many secrets there are under a box."""
        return plural(self.below[box], self.look.secret)


def fitting_depth(strategy: Tree, most: int) -> int | None:
    """Return down to which guess a tree has at most so many nodes, at least the first; None: all of it."""
    stops = [stop for _, stop in strategy.levels()]
    return max(sum(stop <= most for stop in stops), 1) if stops[-1] > most else None


def fold(game: Game, strategy: Tree, depth: int | None = None) -> Drawing:
    """Fold a strategy into boxes, of the nodes whose depth is below `depth` only.

    Leaves become rows of the box above them, but below the root, where each gets its own. Raises TreeError
    when `depth` is not at least 1.
    """
    if depth is not None and depth < 1:
        raise TreeError(f"depth {depth}: expected a whole number of at least 1")
    first, parent = strategy.first_child.tolist(), strategy.parent.tolist()
    level = strategy.depth.tolist()
    below = secrets_below(strategy).tolist()
    node: list[int] = []
    rows: list[list[int]] = []
    box_of: dict[int, int] = {}
    for at in range(len(strategy)):
        if depth is not None and level[at] >= depth:
            break  # breadth-first: the rest is at least as deep
        if at and parent[at] and first[at] == first[at + 1]:
            rows[box_of[parent[at]]].append(at)
            continue
        box_of[at] = len(node)
        node.append(at)
        rows.append([])
    first_child = _first_children([box_of[parent[at]] for at in node[1:]], len(node))
    used = {int(r) for r in strategy.response[1:]}
    answers = max((answer_cells(game.look, game.responses[r])[1] for r in used), default=0.0)
    between = answers + EAR + 2 * TRUNK
    drawing = Drawing(
        game=game,
        strategy=strategy,
        node=node,
        rows=rows,
        note=_notes(game, strategy, node, depth, below),
        below=[below[at] for at in node],
        share=_shares(game, strategy),
        lost=lost(game, strategy),
        shape=Shape(first_child, [], [], between),
    )
    full = [_size(drawing, box) for box in range(len(node))]
    stub = [_stub_size(drawing, box) for box in range(len(node))]
    return replace(drawing, shape=Shape(first_child, full, stub, between))


def _notes(
    game: Game, strategy: Tree, node: Sequence[int], depth: int | None, below: Sequence[int]
) -> list[str]:
    """Return what is said where more is not drawn: how many secrets are in a box, how many more guesses."""
    first, level = strategy.first_child.tolist(), strategy.depth.tolist()
    deepest = most_below(strategy, strategy.depth + int(strategy.goal == "win")).tolist()
    notes = []
    for at in node:
        hidden = depth is not None and level[at] == depth - 1 and first[at] < first[at + 1]
        more = f"at most {plural(deepest[at] - level[at] - 1, f'more {game.look.guess}')}"
        known = more if game.weights is not None else f"{plural(below[at], game.look.secret)}, {more}"
        notes.append(known if hidden else "")
    return notes


def _shares(game: Game, strategy: Tree) -> list[str]:
    """Return for each node the weight of its subtree in percent of all, or '' without weights."""
    if game.weights is None:
        return [""] * len(strategy)
    weights = weight_below(game, strategy).tolist()
    return [percent(weight, weights[0]) for weight in weights]


def _first_children(parents: Sequence[int], count: int) -> list[int]:
    numbers = [0] * count
    for parent in parents:
        numbers[parent] += 1
    starts = [1]
    for number in numbers:
        starts.append(starts[-1] + number)
    return starts


def _fill(drawing: Drawing, node: int) -> str:
    return PALE if int(drawing.strategy.secret[node]) in drawing.lost else BRIGHT


def _is_final(drawing: Drawing, node: int) -> bool:
    return len(drawing.strategy.children(node)) == 0


_Row = tuple[tuple[str, float], str, str]
"""Response as HTML with its width, name, and share."""


def _rows(drawing: Drawing, box: int) -> tuple[list[_Row], int]:
    """Return what the rows of a box say, and how many columns they are set in."""
    rows = drawing.rows[box]
    # Six columns of the 255 responses that a game may have still fit on a page.
    columns = min(6, max(1, math.ceil(math.sqrt(len(rows) / 4))))
    most = min(40, max(12, 96 // columns))
    cut = min(most, 24)
    said = [
        (
            answer_cells(drawing.look, drawing.response(node), cut),
            plain(drawing.name(node), most),
            drawing.share[node],
        )
        for node in rows
    ]
    return said, columns


def _row_widths(rows: list[_Row]) -> tuple[int, int, int]:
    """Return the widths of the cells of a row; the last is 0 where there are no shares."""
    answers, names, shares = zip(*rows, strict=True)
    answer = max(width for _, width in answers)
    name, share = max(map(text_width, names)), max(map(text_width, shares))
    return math.ceil(answer) + 3, math.ceil(name) + 6, math.ceil(share) + 3 if share else 0


def _size(drawing: Drawing, box: int) -> tuple[float, float]:
    node = drawing.node[box]
    _, width, height = guess_cells(drawing.look, drawing.name(node))
    if drawing.rows[box]:
        rows, columns = _rows(drawing, box)
        widths = _row_widths(rows)
        width = max(width, (sum(widths) + 2 + (widths[-1] > 0)) * columns + 1)
        height += SPACE + (LINE + 1) * math.ceil(len(rows) / columns) + 1
    for text in texts(drawing, box):
        width, height = max(width, math.ceil(text_width(text))), height + SPACE + LINE
    return width + AROUND, height + AROUND


def texts(drawing: Drawing, box: int) -> list[str]:
    """Return the lines of text below the guess of a box: what weighs how much, and what is not drawn."""
    share = drawing.share[drawing.node[box]]
    weighed = f"{drawing.secrets(box)}, {share}" if share else ""
    return [text for text in (weighed, drawing.note[box]) if text]


def _stub_size(drawing: Drawing, box: int) -> tuple[float, float]:
    _, width, height = guess_cells(drawing.look, drawing.name(drawing.node[box]))
    text = max(text_width(drawing.secrets(box)), text_width("→ page 0000"))
    return width + math.ceil(text) + 2 * SPACE + AROUND, max(height, 2 * LINE) + AROUND


def box_label(drawing: Drawing, box: int) -> str:
    """Return the HTML-like label of a box in full."""
    parts = [guess_cells(drawing.look, drawing.name(drawing.node[box]))[0]]
    parts += [_text(text) for text in texts(drawing, box)]
    if drawing.rows[box]:
        fills = [_fill(drawing, node) for node in drawing.rows[box]]
        parts.insert(2 if drawing.share[drawing.node[box]] else 1, _grid(*_rows(drawing, box), fills))
    return _frame(drawing, drawing.node[box], parts, drawing.shape.full[box])


def stub_label(drawing: Drawing, box: int, where: str) -> str:
    """Return the HTML-like label of a box that stands for its subtree; `where` says where that is."""
    node = drawing.node[box]
    guess = guess_cells(drawing.look, drawing.name(node))[0]
    text = f"{escape(drawing.secrets(box))}<BR/>{escape(where)}"
    beside = f'{guess}</TD><TD><FONT COLOR="{INK}">{text}</FONT>'
    return _frame(drawing, node, [beside], drawing.shape.stub[box], "#F1F1F1")


def _text(text: str) -> str:
    return line(f'<FONT COLOR="{INK}">{escape(text)}</FONT>', math.ceil(text_width(text)))


def _frame(
    drawing: Drawing, node: int, parts: list[str], size: tuple[float, float], fill: str = "#FFFFFF"
) -> str:
    colour = EDGE if drawing.strategy.secret[node] >= 0 else GREY
    fill = _fill(drawing, node) if _is_final(drawing, node) else fill
    return (
        f'<<TABLE BORDER="1" COLOR="{colour}" BGCOLOR="{fill}" STYLE="ROUNDED" '
        f'WIDTH="{size[0]:.0f}" HEIGHT="{size[1]:.0f}" '
        f'CELLBORDER="0" CELLSPACING="{SPACE}" CELLPADDING="0">'
        + "".join(f"<TR><TD>{part}</TD></TR>" for part in parts)
        + "</TABLE>>"
    )


def _grid(said: list[_Row], columns: int, fills: list[str]) -> str:
    """Return the rows of a box, read downwards column by column."""
    answer, name, share = _row_widths(said)
    cells = [
        f'<TD WIDTH="{answer}" HEIGHT="{LINE}" ALIGN="RIGHT">{a}</TD>'
        f'<TD WIDTH="{name}" HEIGHT="{LINE}" BGCOLOR="{fill}">{escape(n)}</TD>'
        + (f'<TD WIDTH="{share}" HEIGHT="{LINE}" ALIGN="RIGHT">{escape(p)}</TD>' if share else "")
        for ((a, _), n, p), fill in zip(said, fills, strict=True)
    ]
    deep = math.ceil(len(cells) / columns)
    # Every row needs as many cells, so that the columns line up.
    empty = "".join(f'<TD WIDTH="{width}"></TD>' for width in (answer, name, share) if width)
    cells += [empty] * (deep * columns - len(cells))
    rows = ("".join(cells[row::deep]) for row in range(deep))
    return (
        '<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="1" CELLPADDING="0">'
        + "".join(f"<TR>{row}</TR>" for row in rows)
        + "</TABLE>"
    )
