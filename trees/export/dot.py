"""A strategy as boxes, and boxes as DOT source with their positions, ready for ``neato -n2``."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, replace

import graphviz

from guesstree.engine.game import Game

from ..lies import secrets_below
from ..tree import Strategy, TreeError, paid
from .layout import Piece, Places, Shape
from .pegs import FONT, LINE, Line, Look, escape, line, percent, plain, text_line, text_width

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
PAD = 6.0
"""Margin of a picture that is not on a sheet."""
SPACE = 3
"""Room between the parts of a box, and between them and its frame, which is 1 thick."""
AROUND = 2 * SPACE + 2
HEADING = 16.0
"""Room for the line above the columns."""


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
    strategy: Strategy
    look: Look
    node: Sequence[int]
    rows: Sequence[Sequence[int]]
    note: Sequence[str]
    below: Sequence[int]
    share: Sequence[str]
    lost: Set[int]
    shape: Shape

    def name(self, node: int) -> str:
        """Return the label of the guess asked or the secret named at a node."""
        guess = int(self.strategy.guess[node])
        return self.game.guesses[guess] if guess >= 0 else self.game.secrets[int(self.strategy.secret[node])]

    def answer(self, node: int) -> str:
        """Return the response that leads to a node, as one line of text."""
        return self.look.response(self.game.responses[int(self.strategy.response[node])])


def fold(game: Game, strategy: Strategy, depth: int | None = None) -> Drawing:
    """Fold a strategy into boxes, of the nodes whose depth is below `depth` only.

    Leaves become rows of the box above them, but below the root, where each gets its own. Raises TreeError
    when `depth` is not at least 1.
    """
    if depth is not None and depth < 1:
        raise TreeError(f"depth {depth}: accepted: a whole number of at least 1")
    first, parent = strategy.first_child.tolist(), strategy.parent.tolist()
    level = strategy.depth.tolist()
    below, deepest = _below(strategy)
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
    note = []
    for at in node:
        hidden = depth is not None and level[at] == depth - 1 and first[at] < first[at + 1]
        own = int(strategy.secret[at] >= 0)
        more = deepest[at] - level[at] - 1
        known = _more(more) if game.weights is not None else _note(below[at] - own, more)
        note.append(known if hidden else "")
    look = Look(game.spec.partition(":")[0])
    used = {int(r) for r in strategy.response[1:]}
    answers = max((text_width(look.response(game.responses[r])) for r in used), default=0.0)
    between = answers + EAR + 2 * TRUNK
    drawing = Drawing(
        game=game,
        strategy=strategy,
        look=look,
        node=node,
        rows=rows,
        note=note,
        below=[below[at] for at in node],
        share=_shares(game, strategy),
        lost=beyond(game, strategy),
        shape=Shape(first_child, [], [], between),
    )
    full = [_size(drawing, box) for box in range(len(node))]
    stub = [_stub_size(drawing, box) for box in range(len(node))]
    return replace(drawing, shape=Shape(first_child, full, stub, between))


def _below(strategy: Strategy) -> tuple[list[int], list[int]]:
    """Return for each node the secrets in its subtree, its own included, and the most guesses these need."""
    below = (strategy.secret >= 0).astype(int).tolist()
    win = int(strategy.goal == "win")
    deepest = (strategy.depth + win).tolist()
    parent = strategy.parent.tolist()
    for node in range(len(parent) - 1, 0, -1):
        above = parent[node]
        below[above] += below[node]
        deepest[above] = max(deepest[above], deepest[node])
    return (secrets_below(strategy).tolist() if strategy.lies else below), deepest


def beyond(game: Game, strategy: Strategy) -> Set[int]:
    """Return the secrets that cost more than the budget that a strategy claims to keep; none without one."""
    budget = strategy.claims.parameters.get("budget")
    return frozenset(s for s, cost in paid(game, strategy) if isinstance(budget, int) and cost > budget)


def _shares(game: Game, strategy: Strategy) -> list[str]:
    """Return for each node the weight of its subtree in percent of all, or '' without weights."""
    if game.weights is None:
        return [""] * len(strategy)
    weights = [int(game.weights[s]) if s >= 0 else 0 for s in strategy.secret.tolist()]
    parent = strategy.parent.tolist()
    for node in range(len(parent) - 1, 0, -1):
        weights[parent[node]] += weights[node]
    return [percent(weight, weights[0]) for weight in weights]


def _first_children(parents: Sequence[int], count: int) -> list[int]:
    numbers = [0] * count
    for parent in parents:
        numbers[parent] += 1
    starts = [1]
    for number in numbers:
        starts.append(starts[-1] + number)
    return starts


def _note(secrets: int, more: int) -> str:
    return f"{_secrets(secrets)}, {_more(more)}"


def _more(guesses: int) -> str:
    return f"at most {guesses} more"


def _secrets(number: int) -> str:
    return f"{number} secret{'s' * (number != 1)}"


def _fill(drawing: Drawing, node: int) -> str:
    return PALE if int(drawing.strategy.secret[node]) in drawing.lost else BRIGHT


def _is_final(drawing: Drawing, node: int) -> bool:
    return len(drawing.strategy.children(node)) == 0


def _row_texts(drawing: Drawing, box: int) -> tuple[list[tuple[str, str, str]], int]:
    """Return what the rows of a box say: response, name and share; and how many columns they are set in."""
    rows = drawing.rows[box]
    # Six columns of the 255 responses that a game may have still fit on a page.
    columns = min(6, max(1, math.ceil(math.sqrt(len(rows) / 4))))
    most = min(40, max(12, 96 // columns))
    texts = [(plain(drawing.answer(n), most), plain(drawing.name(n), most), drawing.share[n]) for n in rows]
    return texts, columns


def _row_widths(texts: list[tuple[str, str, str]]) -> tuple[int, int, int]:
    """Return the widths of the cells of a row; the last is 0 where there are no shares."""
    answer, name, share = (max(text_width(text[cell]) for text in texts) for cell in range(3))
    return math.ceil(answer) + 3, math.ceil(name) + 6, math.ceil(share) + 3 if share else 0


def _size(drawing: Drawing, box: int) -> tuple[float, float]:
    node = drawing.node[box]
    _, width, height = drawing.look.guess(drawing.name(node))
    if drawing.rows[box]:
        texts, columns = _row_texts(drawing, box)
        widths = _row_widths(texts)
        width = max(width, (sum(widths) + 2 + (widths[-1] > 0)) * columns + 1)
        height += SPACE + (LINE + 1) * math.ceil(len(texts) / columns) + 1
    for text in _texts(drawing, box):
        width, height = max(width, math.ceil(text_width(text))), height + SPACE + LINE
    return width + AROUND, height + AROUND


def _texts(drawing: Drawing, box: int) -> list[str]:
    """Return the lines of text below the guess of a box: what weighs how much, and what is not drawn."""
    share = drawing.share[drawing.node[box]]
    weighed = f"{_secrets(drawing.below[box])}, {share}" if share else ""
    return [text for text in (weighed, drawing.note[box]) if text]


def _stub_size(drawing: Drawing, box: int) -> tuple[float, float]:
    _, width, height = drawing.look.guess(drawing.name(drawing.node[box]))
    text = max(text_width(_secrets(drawing.below[box])), text_width("→ page 0000"))
    return width + math.ceil(text) + 2 * SPACE + AROUND, max(height, 2 * LINE) + AROUND


def box_label(drawing: Drawing, box: int) -> str:
    """Return the HTML-like label of a box in full."""
    parts = [drawing.look.guess(drawing.name(drawing.node[box]))[0]]
    parts += [_text(text) for text in _texts(drawing, box)]
    if drawing.rows[box]:
        fills = [_fill(drawing, node) for node in drawing.rows[box]]
        parts.insert(2 if drawing.share[drawing.node[box]] else 1, _grid(*_row_texts(drawing, box), fills))
    return _frame(drawing, drawing.node[box], parts, drawing.shape.full[box])


def stub_label(drawing: Drawing, box: int, where: str) -> str:
    """Return the HTML-like label of a box that stands for its subtree; `where` says where that is."""
    node = drawing.node[box]
    guess = drawing.look.guess(drawing.name(node))[0]
    text = f"{escape(_secrets(drawing.below[box]))}<BR/>{escape(where)}"
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


def _grid(texts: list[tuple[str, str, str]], columns: int, fills: list[str]) -> str:
    """Return the rows of a box, read downwards column by column."""
    answer, name, share = _row_widths(texts)
    cells = [
        f'<TD WIDTH="{answer}" HEIGHT="{LINE}" ALIGN="RIGHT">{escape(a)}</TD>'
        f'<TD WIDTH="{name}" HEIGHT="{LINE}" BGCOLOR="{fill}">{escape(n)}</TD>'
        + (f'<TD WIDTH="{share}" HEIGHT="{LINE}" ALIGN="RIGHT">{escape(p)}</TD>' if share else "")
        for (a, n, p), fill in zip(texts, fills, strict=True)
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


@dataclass(frozen=True)
class Panel:
    """A piece of the tree with its places, and where it goes: from the upper left of the panels.

    Attributes
    ----------
    path: a line that says how the piece is reached, or None.
    """

    piece: Piece
    places: Places
    path: Line | None = None
    left: float = 0.0
    top: float = 0.0

    @property
    def size(self) -> tuple[float, float]:
        """Width and height, with the lines above the tree."""
        wide, high = (self.path.width, self.path.height) if self.path else (0.0, 0.0)
        return max(self.places.width, wide), self.places.height + HEADING + high


@dataclass(frozen=True)
class Picture:
    """A drawing in DOT: its source, width and height in points, and where its stubs are.

    `stubs` holds (box, left, bottom, right, top), measured from the lower left corner.
    """

    source: graphviz.Digraph
    width: float
    height: float
    stubs: Sequence[tuple[int, float, float, float, float]]


def picture(
    drawing: Drawing,
    panels: Sequence[Panel],
    head: Sequence[Line],
    where: Callable[[int], str] = str,
    sheet: Callable[[float, float], tuple[float, float, float, str]] | None = None,
) -> Picture:
    """Return the DOT source of some pieces of the tree below some lines of text.

    `where(box)` says where the subtree of a stub is; `sheet(width, height)` turns the room needed into
    the width, height and margin to have, and the size to print at (inches, as DOT's ``size``).
    """
    top = sum(text.height for text in head)
    width = max(*(panel.left + panel.size[0] for panel in panels), *(text.width for text in head))
    height = max(panel.top + panel.size[1] for panel in panels) + top
    pad = PAD
    graph = {"fontname": "Helvetica", "outputorder": "edgesfirst", "pad": "0", "margin": "0"}
    if sheet is None:
        width, height = width + 2 * pad, height + 2 * pad
    else:
        width, height, pad, graph["size"] = sheet(width, height)
    dot = graphviz.Digraph("strategy", engine="neato", comment="draw this with: neato -n2", graph_attr=graph)
    dot.attr("node", shape="plain", fontname="Helvetica", fontsize=f"{FONT:g}")
    dot.attr("edge", dir="none", color=GREY, fontname="Helvetica", fontsize=f"{FONT:g}")
    # The picture reaches as far as what is in it, so its corners are taken by points that are not seen.
    for name, x, y in (("corner0", 0.0, 0.0), ("corner1", width, height)):
        dot.node(name, label="", shape="point", width="0", height="0", style="invis", pos=f"{x:.2f},{y:.2f}")
    y = height - pad
    for number, text in enumerate(head):
        _write_line(dot, f"head{number}", text, pad, y)
        y -= text.height
    stubs = []
    for number, panel in enumerate(panels):
        prefix = f"p{number}" if number else ""
        canvas = _Canvas(drawing, panel.piece, panel.places, dot, prefix, pad + panel.left, y - panel.top)
        stubs += canvas.write(panel.path, where)
    return Picture(dot, width, height, stubs)


def _write_line(dot: graphviz.Digraph, name: str, text: Line, left: float, top: float) -> None:
    wide = math.ceil(text.width)
    label = f"<{line(text.html, wide, text.height, 'LEFT')}>"
    dot.node(name, label=label, pos=f"{left + wide / 2:.2f},{top - text.height / 2:.2f}")


@dataclass
class _Canvas:
    """Write placed boxes as DOT; (left, top) is where the corner of the panel goes."""

    drawing: Drawing
    piece: Piece
    places: Places
    dot: graphviz.Digraph
    prefix: str
    left: float
    top: float

    def write(
        self, path: Line | None, where: Callable[[int], str]
    ) -> list[tuple[int, float, float, float, float]]:
        """Write the panel from top to bottom; return its stubs and their rectangles."""
        if path:
            _write_line(self.dot, f"{self.prefix}path", path, self.left, self.top)
            self.top -= path.height
        self.headings()
        self.top -= HEADING
        self.edges()
        return self.boxes(where)

    def headings(self) -> None:
        """Write the numbers of the guesses above the columns."""
        base = int(self.drawing.strategy.depth[self.drawing.node[self.piece.box[0]]])
        for level, x in enumerate(self.places.columns):
            text = text_line(f"guess {base + level + 1}", GREY)
            _write_line(self.dot, f"{self.prefix}column{level}", text, self.left + x, self.top)

    def boxes(self, where: Callable[[int], str]) -> list[tuple[int, float, float, float, float]]:
        """Write the boxes; return the stubs and their rectangles."""
        stubs = []
        for at, box in enumerate(self.piece.box):
            stub = self.piece.stub[at]
            width, height = (self.drawing.shape.stub if stub else self.drawing.shape.full)[box]
            x, y = self.left + self.places.left[at], self.top - self.places.middle[at]
            label = stub_label(self.drawing, box, where(box)) if stub else box_label(self.drawing, box)
            self.dot.node(
                f"{self.prefix}n{self.drawing.node[box]}", label=label, pos=f"{x + width / 2:.2f},{y:.2f}"
            )
            if stub:
                stubs.append((box, x, y - height / 2, x + width, y + height / 2))
        return stubs

    def edges(self) -> None:
        """Write the lines from each box to its children, and the responses at their ends."""
        sizes = self.drawing.shape.stub, self.drawing.shape.full
        for at, box in enumerate(self.piece.box):
            here = self.left + self.places.left[at] + sizes[not self.piece.stub[at]][box][0]
            y = self.top - self.places.middle[at]
            for child in range(self.piece.first_child[at], self.piece.first_child[at + 1]):
                node = self.drawing.node[self.piece.box[child]]
                answer = self.drawing.answer(node)
                ends = self.left + self.places.left[child]
                trunk = ends - self.drawing.shape.between + TRUNK
                room = text_width(answer) + EAR
                low = self.top - self.places.middle[child]
                self.dot.edge(
                    f"{self.prefix}n{self.drawing.node[box]}",
                    f"{self.prefix}n{node}",
                    pos=_elbow(here, y, trunk, ends - room, low),
                    label=f"<{escape(answer)}>",
                    lp=f"{ends - room / 2:.2f},{low:.2f}",
                )


def _elbow(x: float, y: float, trunk: float, end: float, low: float) -> str:
    """Return a path from (x, y) to the trunk, along it and on to (end, low), with round corners."""
    points = [(x, y)]

    def straight(to_x: float, to_y: float) -> None:
        points.extend([points[-1], (to_x, to_y), (to_x, to_y)])

    round_by = min(5.0, abs(low - y) / 2)
    turn = math.copysign(round_by, low - y)
    if round_by >= 0.5:
        straight(trunk - round_by, y)
        points.extend([(trunk, y), (trunk, y), (trunk, y + turn)])
        straight(trunk, low - turn)
        points.extend([(trunk, low), (trunk, low), (trunk + round_by, low)])
    straight(end, low)
    return " ".join(f"{px:.2f},{py:.2f}" for px, py in points)
