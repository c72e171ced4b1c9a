"""The constructive strategy at work on one code: its blocks and coins as a tree, its questions as a board."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Generator
from dataclasses import dataclass
from itertools import pairwise

import graphviz
import numpy as np

from guesstree.engine.constructive.asking import Asking, Known, Mask
from guesstree.engine.constructive.blocks import Blocks
from guesstree.engine.constructive.colours import find_counts
from guesstree.engine.constructive.size import Code, Response, Size

from ..tree import TreeError
from .cells import PEG
from .colours import PALETTE, ink
from .output import check_graph, write_graph

MOST_PEGS = 32
PALE = "#F2F2F2"
FAINT = "#B0B0B0"
LINES = "#8A8A8A"
SQUARE = f'FIXEDSIZE="TRUE" WIDTH="{PEG}" HEIGHT="{PEG}" CELLPADDING="0"'
GAP = 6
"""Room between two blocks on the board, in points."""


@dataclass(frozen=True)
class Turn:
    """A question: guess and response, where a coin is shown, where blocks start, and what coins weigh."""

    guess: Code
    response: Response
    coins: Mask
    starts: frozenset[int]
    weight: int | None


def course(size: Size, secret: Code) -> list[Turn]:
    """Return the questions of the strategy with more than two colours for a code, until it is known."""
    asking, turns = Asking(size), list[Turn]()

    def run(talk: Generator[Code, Response, object], blocks: Blocks | None) -> None:
        guess = next(talk)
        while True:
            response = size.respond(guess, secret)
            if blocks is None:
                turns.append(Turn(guess, response, np.ones(size.pegs, dtype=np.bool_), frozenset(), None))
            else:
                borders = frozenset(
                    place for split in blocks.active for place in (split.start, split.middle, split.stop)
                )
                turns.append(
                    Turn(guess, response, guess != blocks.board, borders, response[0] - blocks.certain)
                )
            guess = talk.send(response)

    try:
        try:
            run(find_counts(asking), None)
        except StopIteration as end:
            asking.counts = end.value
        assert asking.counts is not None
        blocks = Blocks(asking, asking.counts)
        run(blocks.solve(), blocks)
    except (Known, StopIteration):
        pass
    return turns


def render_blocks(size: Size, secret: Code, path: str | os.PathLike[str], title: str = "") -> None:
    """Draw the blocks of a code with their coins, and the questions that weigh these.

    Raises TreeError for an ending that is not one of `GRAPHS`, for two colours or fewer, for more than
    32 pegs or 35 colours, or when what is needed to draw is not installed.
    """
    check_graph(path)
    if not 2 < size.colours <= len(PALETTE) or size.pegs > MOST_PEGS:
        raise TreeError(
            f"{size.spec} cannot be drawn; expected 3 to {len(PALETTE)} colours and at most {MOST_PEGS} pegs"
        )
    picture = _source(size, secret)
    if title:
        picture.attr(label=graphviz.escape(title), labelloc="t")
    write_graph(picture, path)


def _source(size: Size, secret: Code) -> graphviz.Digraph:
    graph = graphviz.Digraph(
        graph_attr={
            "rankdir": "TB",
            "ranksep": "0.45",
            "nodesep": "0.12",
            "fontname": "Helvetica",
        },
        node_attr={"shape": "plain", "fontname": "Helvetica", "fontsize": "9"},
        edge_attr={"arrowhead": "none", "color": LINES},
    )
    rows = [[(0, size.pegs)]]
    while rows[-1]:
        for start, stop in rows[-1]:
            _block(graph, secret, start, stop)
        with graph.subgraph(graph_attr={"rank": "same"}, edge_attr={"style": "invis"}) as row:
            for left, right in pairwise(rows[-1]):
                row.edge(_name(*left), _name(*right))
        rows.append([half for block in rows[-1] for half in _halves(secret, *block)])
    graph.node("board", _board(size, secret))
    graph.edge(_name(*rows[-2][0]), "board", style="invis")
    return graph


def _name(start: int, stop: int) -> str:
    return f"b{start}_{stop}"


def _halves(secret: Code, start: int, stop: int) -> list[tuple[int, int]]:
    """Return the halves of a block, none where it has one colour."""
    middle = (start + stop + 1) // 2
    return [(start, middle), (middle, stop)] if len(set(secret[start:stop].tolist())) > 1 else []


def _block(graph: graphviz.Digraph, secret: Code, start: int, stop: int) -> None:
    """Add a block with its coins, and lines to those in its halves."""
    weights = sorted(Counter(secret[start:stop].tolist()).items())
    where = f"{start + 1}" if stop - start == 1 else f"{start + 1}–{stop}"
    coins = "".join(_peg(colour, str(weight), port=True) for colour, weight in weights)
    graph.node(
        _name(start, stop),
        f'<<TABLE BORDER="1" COLOR="{LINES}" CELLBORDER="0" CELLSPACING="2" CELLPADDING="1">'
        f'<TR><TD COLSPAN="{len(weights)}">{where}</TD></TR><TR>{coins}</TR></TABLE>>',
    )
    for first, last in _halves(secret, start, stop):
        for colour in sorted(set(secret[first:last].tolist())):
            ends = f"{_name(start, stop)}:c{colour}:s", f"{_name(first, last)}:c{colour}:n"
            graph.edge(*ends, color=_edge(colour))


def _edge(colour: int) -> str:
    return PALETTE[colour] if ink(PALETTE[colour]) == "#FFFFFF" else LINES


def _peg(colour: int, text: str, *, port: bool = False) -> str:
    where = f' PORT="c{colour}"' if port else ""
    fill = PALETTE[colour]
    return (
        f'<TD{where} BORDER="1" COLOR="{LINES}" BGCOLOR="{fill}" {SQUARE}>'
        f'<FONT COLOR="{ink(fill)}">{text}</FONT></TD>'
    )


def _board(size: Size, secret: Code) -> str:
    """Return the questions as a table: coins in colour, other pegs pale, what the coins weigh at the end."""
    rows = [_row("", secret, np.ones(size.pegs, dtype=np.bool_), frozenset(), "code", "")]
    rows.append(f'<TR><TD COLSPAN="{2 * size.pegs + 4}" HEIGHT="4"></TD></TR>')
    for number, turn in enumerate(course(size, secret), 1):
        weight = "" if turn.weight is None else f"{turn.weight}"
        response = size.write_response(turn.response)
        rows.append(_row(str(number), turn.guess, turn.coins, turn.starts, response, weight))
    titles = "".join(f'<TD CELLPADDING="6">{title}</TD>' for title in ("response", "coins weigh"))
    head = f'<TR><TD></TD><TD COLSPAN="{2 * size.pegs}"></TD>{titles}</TR>'
    return f'<<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="1" CELLPADDING="1">{head}{"".join(rows)}</TABLE>>'


def _row(number: str, code: Code, coins: Mask, starts: frozenset[int], response: str, weight: str) -> str:
    cells = []
    for peg, colour in enumerate(code.tolist()):
        line = f'<FONT COLOR="{LINES}">|</FONT>' if peg in starts and peg else ""
        cells.append(f'<TD WIDTH="{GAP}" HEIGHT="{PEG}" FIXEDSIZE="TRUE" CELLPADDING="0">{line}</TD>')
        if coins[peg]:
            cells.append(_peg(colour, str(colour + 1)))
        else:
            cells.append(f'<TD BGCOLOR="{PALE}" {SQUARE}><FONT COLOR="{FAINT}">{colour + 1}</FONT></TD>')
    return f"<TR><TD>{number}</TD>{''.join(cells)}<TD>{response}</TD><TD>{weight}</TD></TR>"
