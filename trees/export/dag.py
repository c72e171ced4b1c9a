"""A strategy drawn with equal subtrees merged: what a large tree does again and again, once."""

from __future__ import annotations

import os

from guesstree.engine.game import Game
from guesstree.engine.notation import plural

from ..shape import Dag, merge
from ..tree import Tree, TreeError
from .heading import titled
from .output import check_graph, write_graph

MOST_CLASSES = 600


def render_dag(game: Game, strategy: Tree, path: str | os.PathLike[str], title: str = "") -> None:
    """Draw the classes of subtrees of the same shape to one of `GRAPHS`; the file appears whole.

    A box is a class: the guess of its first subtree, how many subtrees are of the class, and the secrets in
    each. Responses after which nothing is left to ask are counted in the box, the others are on the arcs.
    Raises TreeError for more than 600 classes, which nobody could read, and as drawing does.
    """
    import graphviz

    check_graph(path)
    dag = merge(strategy)
    if len(dag) > MOST_CLASSES:
        raise TreeError(
            f"{len(dag)} classes of subtrees are too many to draw; expected at most {MOST_CLASSES}"
        )
    secrets = strategy.secrets_below()
    picture = graphviz.Digraph(name=game.spec)
    above = f"{titled(game, title)}\n{len(strategy)} nodes in {len(dag)} classes of the same shape"
    picture.attr(
        label=graphviz.escape(above), labelloc="t", fontname="DejaVu Sans", rankdir="LR", ranksep="1.2"
    )
    picture.attr("node", shape="box", style="rounded,filled", fillcolor="#FFFFFF", fontname="DejaVu Sans")
    picture.attr("edge", fontname="DejaVu Sans", fontsize="10", color="#888888")
    for number in range(len(dag)):
        edges = range(int(dag.first_edge[number]), int(dag.first_edge[number + 1]))
        if not edges and number != dag.root:
            continue  # a class of leaves: counted where it hangs
        picture.node(
            str(number),
            graphviz.escape(_text(game, strategy, dag, number, int(secrets[dag.example[number]]))),
        )
        arcs: dict[int, list[str]] = {}
        for edge in edges:
            if not _is_leaf(dag, int(dag.target[edge])):
                shown = game.look.write(game.responses[int(dag.response[edge])])
                arcs.setdefault(int(dag.target[edge]), []).append(shown)
        for target, responses in arcs.items():
            picture.edge(str(number), str(target), label=graphviz.escape("\n".join(responses)))
    write_graph(picture, path)


def _text(game: Game, strategy: Tree, dag: Dag, number: int, secrets: int) -> str:
    """Return the lines in the box of a class."""
    node = int(dag.example[number])
    targets = dag.target[dag.first_edge[number] : dag.first_edge[number + 1]]
    ends = sum(_is_leaf(dag, int(target)) for target in targets)
    lines = [strategy.label(node)]
    if dag.count[number] > 1:
        lines[0] += f" ... ({dag.count[number]} times)"
    lines.append(plural(secrets, game.look.secret))
    if ends:
        lines.append(f"{ends} responses end it" if ends != 1 else "1 response ends it")
    return "\n".join(lines)


def _is_leaf(dag: Dag, number: int) -> bool:
    return bool(dag.first_edge[number] == dag.first_edge[number + 1])
