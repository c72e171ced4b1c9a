"""A strategy folded into boxes: what each says, how large it is, and how they hang together."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from guesstree.engine.errors import shown
from guesstree.engine.game import Game, whole
from guesstree.engine.notation import Look

from ..figures import lost, weighed
from ..language import answer_texts, nouns_of, number_text, say, says, so_many
from ..outline import Outline, Step, outline
from ..tree import Tree, TreeError
from ..words import remarks, said_end
from .cells import ANSWER, GUESS, answer_cells, guess_cells, lines_html, pattern_block
from .labels import FONT, LINE, escape, line, percent, plain, text_width
from .layout import Shape
from .wrap import Block, wide_enough, wrap

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
    outline: the strategy as its reader sees it.
    step: the step of each box, level by level.
    rows: the ends that each box lists.
    lost: the secrets that cost more than the budget.
    first_child: where the children of each box start, one more entry than there are boxes.
    """

    outline: Outline
    step: Sequence[int]
    rows: Sequence[Sequence[int]]
    lost: Set[int]
    first_child: Sequence[int]

    @property
    def game(self) -> Game:
        """The game that is drawn."""
        return self.outline.game

    @property
    def look(self) -> Look:
        """How the game looks."""
        return self.game.look

    @cached_property
    def box_of(self) -> Mapping[int, int]:
        """The box of each step that has one."""
        return {step: box for box, step in enumerate(self.step)}

    @cached_property
    def weighed(self) -> bool:
        """Whether shares of the weight say something."""
        return weighed(self.game) or bool(self.game.decisions)

    @cached_property
    def shape(self) -> Shape:
        """Sizes of the boxes, and how they hang together."""
        boxes = range(len(self.step))
        shown = {
            (self.outline.answers[at], self.asked(at)): at
            for box in boxes
            for at in (self.step[box], *self.rows[box])
            if at
        }
        wide = max((self.answer_cells(at)[1] for at in shown.values()), default=0.0)
        full, stub = [_size(self, box) for box in boxes], [_stub_size(self, box) for box in boxes]
        return Shape(self.first_child, full, stub, wide + EAR + 2 * TRUNK)

    def at(self, box: int) -> Step:
        """Return the step of a box."""
        return self.outline.steps[self.step[box]]

    def name(self, step: int) -> str:
        """Return the label of the guess asked or the secret named at a step."""
        here, strategy = self.outline.steps[step], self.outline.strategy
        named = here.names and strategy.goal == "identify"
        return (
            say(" or ").join(map(said_end, here.names))
            if named
            else here.topic or self.game.guesses[int(strategy.guess[here.node])]
        )

    def answer(self, step: int, most: int = 24) -> str:
        """Return the responses that lead to a step, as one line of text cut to `most` characters."""
        return plain(say(" or ").join(answer_texts(self.look, self.outline.answers[step])), most)

    def asked(self, step: int) -> str:
        """Return the label of the guess whose responses lead to a step."""
        return self.outline.steps[self.outline.steps[step].parent].question

    def answer_cells(self, step: int, room: float = ANSWER) -> tuple[str, float, float]:
        """Return the responses that lead to a step as HTML with its width and height."""
        return answer_cells(self.look, self.outline.answers[step], self.asked(step), room)

    def pattern(self, box: int) -> Block:
        """Return what is known of the secret at a box, as blanks with letters; no lines where it is named."""
        pattern = "" if self.at(box).names else self.outline.patterns[self.step[box]]
        return pattern_block(pattern, GUESS, FONT)

    def is_lost(self, step: int) -> bool:
        """Return whether what a step names costs more than the budget."""
        return int(self.outline.strategy.secret[self.outline.steps[step].node]) in self.lost

    def secrets(self, box: int) -> str:
        """Return how many secrets there are under a box."""
        return so_many(self.at(box).causes, self.look.secret)

    def share(self, step: int) -> str:
        """Return the share of the weight that gets to a step, in percent; '' where that says nothing."""
        steps = self.outline.steps
        shared = self.weighed and steps[0].weight and not steps[step].silent
        return number_text(percent(steps[step].weight, steps[0].weight)) if shared else ""

    def about(self, box: int) -> str:
        """Return what a box says: what its guess costs, and how many secrets of which weight are left."""
        price, share = self.outline.price(self.step[box]), self.share(self.step[box])
        many = "" if not self.game.facts.weighted else self.secrets(box)
        return ", ".join(filter(None, (price, many, share)))

    def likely(self, step: int) -> list[str]:
        """Return what is possible at a step, and what its decision loses, in a line."""
        lines = remarks(self.game, self.outline.steps[step])
        return [", ".join(lines)] if lines else []

    def note(self, box: int) -> str:
        """Return what is said where more is not drawn: how many secrets are left, how many more guesses."""
        step = self.at(box)
        if step.names or step.branches:
            return ""
        many = self.secrets(box) if not self.game.facts.weighted else ""
        more = step.needed - 1
        nouns = nouns_of(self.look)
        further = (
            says("at most {n} more {guess}", "at most {n} more {guesses}", more, **nouns) if more > 0 else ""
        )
        return ", ".join(filter(None, (many, further)))


def fitting_depth(strategy: Tree, most: int) -> int | None:
    """Return down to which guess a tree has at most so many nodes, at least the first; None: all of it."""
    stops = [stop for _, stop in strategy.levels()]
    return max(sum(stop <= most for stop in stops), 1) if stops[-1] > most else None


def fold(game: Game, strategy: Tree, depth: int | None = None) -> Drawing:
    """Fold a strategy into boxes, of the nodes whose depth is below `depth` only.

    Leaves become rows of the box above them, but below the root, where each gets its own. Raises TreeError
    when `depth` is not at least 1.
    """
    if depth is not None and (whole(depth) or 0) < 1:
        raise TreeError(f"depth {shown(depth)}: expected a whole number of at least 1")
    found = outline(game, strategy, depth)
    kept: list[int] = []
    rows: list[list[int]] = []
    box_of: dict[int, int] = {}
    for at, step in enumerate(found.steps):
        if found.won(at):
            continue
        if step.names and step.parent > 0:
            rows[box_of[step.parent]].append(at)
            continue
        box_of[at] = len(kept)
        kept.append(at)
        rows.append([])
    below = (sum(branch.step in box_of for branch in found.steps[at].branches) for at in kept)
    first_child = list(accumulate(below, initial=1))
    return Drawing(found, kept, rows, lost(strategy), first_child)


def _fill(drawing: Drawing, step: int) -> str:
    return PALE if drawing.is_lost(step) else BRIGHT


@dataclass(frozen=True)
class _Row:
    """A row of a box: response as HTML with its width and height, lines of the name, others, and share."""

    answer: tuple[str, float, float]
    name: tuple[str, ...]
    notes: tuple[str, ...]
    share: str

    @property
    def height(self) -> float:
        return max(self.answer[2], LINE * len(self.name + self.notes))


def _rows(drawing: Drawing, box: int) -> tuple[list[_Row], int]:
    """Return what the rows of a box say, and how many columns they are set in."""
    rows = drawing.rows[box]
    # Six columns of the 255 responses that a game may have still fit on a page.
    columns = min(6, max(1, math.ceil(math.sqrt(len(rows) / 4))))
    room = min(230.0, max(70.0, 550.0 / columns))
    said = []
    for step in rows:
        name = drawing.name(step)
        lines = wrap(name, wide_enough(name, room, FONT), FONT)
        notes = tuple(
            line for note in drawing.likely(step) for line in wrap(note, wide_enough(note, room, FONT), FONT)
        )
        said.append(_Row(drawing.answer_cells(step, min(room, ANSWER)), lines, notes, drawing.share(step)))
    return said, columns


def _row_widths(rows: list[_Row]) -> tuple[int, int, int]:
    """Return the widths of the cells of a row; the last is 0 where there are no shares."""
    answer = max(row.answer[1] for row in rows)
    name = max(text_width(text) for row in rows for text in row.name + row.notes)
    share = max(text_width(row.share) for row in rows)
    return math.ceil(answer) + 3, math.ceil(name) + 6, math.ceil(share) + 3 if share else 0


def _row_heights(rows: list[_Row], columns: int) -> list[int]:
    """Return the heights of the rows of a grid that is read downwards column by column."""
    deep = math.ceil(len(rows) / columns)
    return [math.ceil(max(row.height for row in rows[at::deep])) for at in range(deep)]


def _size(drawing: Drawing, box: int) -> tuple[float, float]:
    _, width, height = guess_cells(drawing.look, drawing.name(drawing.step[box]))
    if (pattern := drawing.pattern(box)).lines:
        width, height = max(width, math.ceil(pattern.width)), height + SPACE + math.ceil(pattern.height)
    if drawing.rows[box]:
        rows, columns = _rows(drawing, box)
        widths = _row_widths(rows)
        width = max(width, (sum(widths) + 2 + (widths[-1] > 0)) * columns + 1)
        height += SPACE + sum(tall + 1 for tall in _row_heights(rows, columns)) + 1
    for text in (*texts(drawing, box), *drawing.likely(drawing.step[box])):
        width, height = max(width, math.ceil(text_width(text))), height + SPACE + LINE
    beside = drawing.answer_cells(drawing.step[box])[2] if box else 0.0
    return width + AROUND, max(height + AROUND, beside)


def texts(drawing: Drawing, box: int) -> list[str]:
    """Return the lines of text below the guess of a box: costs and weights, and what is not drawn."""
    return [text for text in (drawing.about(box), drawing.note(box)) if text]


def _stub_size(drawing: Drawing, box: int) -> tuple[float, float]:
    _, width, height = guess_cells(drawing.look, drawing.name(drawing.step[box]))
    text = max(text_width(drawing.secrets(box)), text_width(say("→ page {page}", page="0000")))
    return width + math.ceil(text) + 2 * SPACE + AROUND, max(height, 2 * LINE) + AROUND


def box_label(drawing: Drawing, box: int) -> str:
    """Return the HTML-like label of a box in full."""
    parts = [guess_cells(drawing.look, drawing.name(drawing.step[box]))[0]]
    if (pattern := drawing.pattern(box)).lines:
        parts.insert(0, pattern.html(1.0))
    about, note = drawing.about(box), drawing.note(box)
    parts += [_text(text) for text in (about, *drawing.likely(drawing.step[box])) if text]
    if drawing.rows[box]:
        fills = [_fill(drawing, step) for step in drawing.rows[box]]
        parts.append(_grid(*_rows(drawing, box), fills))
    parts += [_text(note)] if note else []
    return _frame(drawing, drawing.step[box], parts, drawing.shape.full[box])


def stub_label(drawing: Drawing, box: int, where: str) -> str:
    """Return the HTML-like label of a box that stands for its subtree; `where` says where that is."""
    step = drawing.step[box]
    guess = guess_cells(drawing.look, drawing.name(step))[0]
    text = f"{escape(drawing.secrets(box))}<BR/>{escape(where)}"
    beside = f'{guess}</TD><TD><FONT COLOR="{INK}">{text}</FONT>'
    return _frame(drawing, step, [beside], drawing.shape.stub[box], "#F1F1F1")


def _text(text: str) -> str:
    return line(f'<FONT COLOR="{INK}">{escape(text)}</FONT>', math.ceil(text_width(text)))


def _frame(
    drawing: Drawing, step: int, parts: list[str], size: tuple[float, float], fill: str = "#FFFFFF"
) -> str:
    here, secret = drawing.outline.steps[step], drawing.outline.strategy.secret
    colour = EDGE if here.names or secret[here.node] >= 0 else GREY
    fill = _fill(drawing, step) if here.names else fill
    return (
        f'<<TABLE BORDER="1" COLOR="{colour}" BGCOLOR="{fill}" STYLE="ROUNDED" '
        f'WIDTH="{size[0]:.0f}" HEIGHT="{size[1]:.0f}" '
        f'CELLBORDER="0" CELLSPACING="{SPACE}" CELLPADDING="0">'
        + "".join(f"<TR><TD>{part}</TD></TR>" for part in parts)
        + "</TABLE>>"
    )


def _named(row: _Row) -> str:
    """Return the lines of a row: its name, and below it what else is said."""
    notes = [f'<FONT COLOR="{INK}">{escape(text)}</FONT>' for text in row.notes]
    return "<BR/>".join([lines_html(row.name), *notes])


def _grid(said: list[_Row], columns: int, fills: list[str]) -> str:
    """Return the rows of a box, read downwards column by column."""
    answer, name, share = _row_widths(said)
    heights = _row_heights(said, columns)
    deep = len(heights)
    cells = []
    for at, (row, fill) in enumerate(zip(said, fills, strict=True)):
        tall = f'HEIGHT="{heights[at % deep]}"'
        cells.append(
            f'<TD WIDTH="{answer}" {tall} ALIGN="RIGHT">{row.answer[0]}</TD>'
            f'<TD WIDTH="{name}" {tall} BGCOLOR="{fill}">{_named(row)}</TD>'
            + (f'<TD WIDTH="{share}" {tall} ALIGN="RIGHT">{escape(row.share)}</TD>' if share else "")
        )
    # Every row needs as many cells, so that the columns line up.
    empty = "".join(f'<TD WIDTH="{width}"></TD>' for width in (answer, name, share) if width)
    cells += [empty] * (deep * columns - len(cells))
    rows = ("".join(cells[row::deep]) for row in range(deep))
    return (
        '<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="1" CELLPADDING="0">'
        + "".join(f"<TR>{row}</TR>" for row in rows)
        + "</TABLE>"
    )
