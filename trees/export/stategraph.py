"""The state graph of a small game: sets of candidates, and what guesses and responses make of them."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np

from guesstree.engine.advice.position import Position
from guesstree.engine.game import Game
from guesstree.engine.state import Ints, everything, split
from guesstree.engine.support import Request, require

from ..tree import TreeError
from .colours import DASHES, LINES, SHARED, darker
from .heading import called, titled
from .output import TEX, check_state_graph, draw_source, write_graph, write_whole
from .statetikz import Line, states_as_tikz

MOST_STATES = 200
MOST_ARCS = 2000
MOST_LINES = 150
"""So many arcs have each its line; more would take minutes to lay out."""


def state_graph(game: Game, choose: Callable[[Ints], int] | None = None) -> nx.MultiDiGraph[Any]:
    """Return every set of candidates that guesses can lead to, with an arc for each (guess, response).

    Vertices are tuples of secrets, with `label`. Arcs have `guess`, `response` (labels), `wins`, and
    `played`: whether the strategy `choose` (candidates -> guess, int32 ascending) takes them. Guesses that
    tell nothing are left out. Raises TreeError for a game with more than 200 states or 2000 arcs.
    """
    graph: nx.MultiDiGraph[Any] = nx.MultiDiGraph(name=game.spec)
    require(Request(game, tool="the state graph"))
    start = tuple(range(len(game.secrets)))
    position = Position(game)
    win = position.problem.goal == "win"
    played = _played(position, choose) if choose is not None else {}
    waiting = [start]
    graph.add_node(start)
    for state in waiting:
        candidates = np.array(state, dtype=np.int32)
        if len(state) == 1 and not win:
            continue
        rows = game.block(everything(len(game.guesses)), candidates)
        for guess, row in enumerate(rows):
            cells = split(row, candidates)
            if len(cells) == 1 and not (win and cells[0][0] == game.winning):
                continue
            for response, cell in cells:
                target, wins = tuple(cell.tolist()), win and response == game.winning
                if target not in graph:
                    graph.add_node(target)
                    waiting.append(target)
                graph.add_edge(
                    state,
                    target,
                    guess=game.guesses[guess],
                    response=game.responses[response],
                    wins=wins,
                    played=played.get(state) == guess,
                )
        if len(graph) > MOST_STATES or graph.number_of_edges() > MOST_ARCS:
            raise TreeError(
                f"{game.spec} has too many states to draw; expected at most {MOST_STATES} sets of "
                f"candidates and {MOST_ARCS} arcs, such as mastermind:2x2"
            )
    for state in graph:
        graph.nodes[state]["label"] = "{" + ", ".join(game.secrets[s] for s in state) + "}"
    return graph


def _played(position: Position, choose: Callable[[Ints], int]) -> dict[tuple[int, ...], int]:
    """Return the guess of every state that the strategy meets."""
    problem, found = position.problem, {}
    waiting = [everything(problem.secrets)]
    for candidates in waiting:
        if problem.finished(candidates):
            continue
        guess = choose(candidates)
        found[tuple(candidates.tolist())] = guess
        cells = split(problem.row(guess, candidates), candidates)
        waiting += [cell for response, cell in cells if response != problem.winning]
    return found


def lines_of(game: Game, graph: nx.MultiDiGraph[Any]) -> list[Line]:
    """Return what is drawn: a line for each arc, or for all arcs between two states where there are many.

    A guess has the same colour everywhere; guesses after the seventh have the same colours with dashes.
    """
    number = {state: i for i, state in enumerate(graph)}
    place = {guess: i for i, guess in enumerate(sorted({g for *_, g in graph.edges(data="guess")}))}
    apart = graph.number_of_edges() <= MOST_LINES
    shared: dict[tuple[Any, ...], list[tuple[str, str]]] = {}
    for source, target, data in graph.edges(data=True):
        ends = number[source], number[target], data["wins"], data["played"]
        text = f"{data['guess']} {game.look.write(data['response'])}"
        shared.setdefault((*ends, data["guess"] if apart else ""), []).append((data["guess"], text))
    found = []
    for (source, target, wins, played, _), arcs in shared.items():
        at = {place[guess] for guess, _ in arcs}
        dash, colour = divmod(at.pop(), len(LINES)) if len(at) == 1 else (0, -1)
        shade = SHARED if colour < 0 else LINES[colour]
        texts = tuple(text for _, text in arcs)
        found.append(Line(source, target, texts, wins, played, shade, DASHES[dash % len(DASHES)]))
    return found


def render_graph(
    game: Game,
    path: str | os.PathLike[str],
    choose: Callable[[Ints], int] | None = None,
    title: str = "",
) -> None:
    """Draw the state graph to one of `STATE_GRAPHS`; the arcs that `choose` plays are thick.

    Every guess has its colour, and stands beside its arcs with the response; winning arcs have two heads. The
    file appears whole or not at all. Raises TreeError as `state_graph` and the drawing do.
    """
    import graphviz

    ending = check_state_graph(path)
    graph = state_graph(game, choose)
    lines = lines_of(game, graph)
    above = titled(game, title) if title else f"{called(game)}: states"
    picture = graphviz.Digraph(name=game.spec)
    picture.attr(fontname="DejaVu Sans", label=graphviz.escape(above), labelloc="t", ranksep="0.9")
    picture.attr("node", shape="box", style="rounded,filled", fillcolor="#F7F7F7", fontname="DejaVu Sans")
    picture.attr("edge", fontname="DejaVu Sans", fontsize="10")
    for i, (_, data) in enumerate(graph.nodes(data=True)):
        picture.node(f"s{i}", graphviz.escape(data["label"]))
    for i, line in enumerate(lines):
        picture.edge(
            f"s{line.source}",
            f"s{line.target}",
            id=f"a{i}",
            label=graphviz.escape("\n".join(line.texts)),
            color=line.colour,
            fontcolor=darker(line.colour),
            style=line.dash,
            arrowhead="normalnormal" if line.wins else "normal",
            penwidth="3" if line.played else "1",
            arrowsize="0.4" if line.source == line.target else "0.8",  # loops are short
        )
    if ending == TEX:
        labels = [label for _, label in graph.nodes(data="label")]
        write_whole(
            path, states_as_tikz(game.look, above, labels, lines, draw_source(picture, "json0", "dot"))
        )
    else:
        write_graph(picture, path)
