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
from .heading import called, titled
from .output import check_graph, write_graph

MOST_STATES = 200
MOST_ARCS = 2000


def state_graph(game: Game, choose: Callable[[Ints], int] | None = None) -> nx.MultiDiGraph[Any]:
    """Return every set of candidates that guesses can lead to, with an arc for each (guess, response).

    Vertices are tuples of secrets, with `label`. Arcs have `guess`, `response` (labels), `wins`, and
    `played`: whether the strategy `choose` (candidates -> guess, int32 ascending) takes them. Guesses that
    tell nothing are left out. Raises TreeError for a game with more than 200 states or 2000 arcs.
    """
    graph: nx.MultiDiGraph[Any] = nx.MultiDiGraph(name=game.spec)
    start = tuple(range(len(game.secrets)))
    require(Request(game, tool="the state graph"))
    position = Position(game)
    win = position.problem.goal == "win"
    played = _played(position, choose) if choose is not None else {}
    waiting = [start]
    graph.add_node(start)
    for state in waiting:
        candidates = np.array(state, dtype=np.int32)
        if len(state) == 1 and not win:
            continue
        rows = position.problem.block(everything(len(game.guesses)), candidates)
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


def render_graph(
    game: Game,
    path: str | os.PathLike[str],
    choose: Callable[[Ints], int] | None = None,
    title: str = "",
) -> None:
    """Draw the state graph to one of `GRAPHS`; the arcs that `choose` plays are thick.

    Arcs between the same states share a line and list their guesses and responses; winning ones are green.
    The file appears whole or not at all. Raises TreeError as `state_graph` and the drawing do.
    """
    import graphviz

    check_graph(path)
    graph = state_graph(game, choose)
    above = titled(game, title) if title else f"{called(game)}: states"
    picture = graphviz.Digraph(name=game.spec)
    picture.attr(fontname="DejaVu Sans", label=graphviz.escape(above), labelloc="t", ranksep="0.9")
    picture.attr("node", shape="box", style="rounded,filled", fillcolor="#F7F7F7", fontname="DejaVu Sans")
    picture.attr("edge", fontname="DejaVu Sans", fontsize="10")
    names = {state: f"s{i}" for i, state in enumerate(graph)}
    for state, data in graph.nodes(data=True):
        picture.node(names[state], graphviz.escape(data["label"]))
    bundles: dict[tuple[Any, Any, bool, bool], list[str]] = {}
    for source, target, data in graph.edges(data=True):
        bundle = bundles.setdefault((source, target, data["wins"], data["played"]), [])
        bundle.append(f"{data['guess']} {game.look.write(data['response'])}")
    for (source, target, wins, thick), labels in bundles.items():
        colour = "#009E73" if wins else "#0072B2" if thick else "#999999"
        picture.edge(
            names[source],
            names[target],
            label=graphviz.escape("\n".join(labels)),
            color=colour,
            fontcolor=colour if thick or wins else "#555555",
            penwidth="3" if thick else "1",
        )
    write_graph(picture, path)
