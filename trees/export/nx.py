"""A strategy as a networkx graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from guesstree.engine.game import Game

from ..tree import Tree

if TYPE_CHECKING:
    import networkx as nx


def to_networkx(game: Game, strategy: Tree) -> nx.DiGraph[Any]:
    """Return the strategy as a networkx.DiGraph whose nodes are numbered as in the strategy.

    Nodes have ``guess`` and ``secret``, labels or None, and ``depth`` (guesses asked before), where something
    is decided also ``decision``, a label or None; edges have ``response``, a label.
    """
    import networkx as nx

    graph: nx.DiGraph[Any] = nx.DiGraph(game=strategy.game.spec, goal=strategy.goal)
    columns = zip(strategy.guess.tolist(), strategy.secret.tolist(), strategy.depth.tolist(), strict=True)
    for node, (guess, secret, depth) in enumerate(columns):
        graph.add_node(
            node,
            guess=game.guesses[guess] if guess >= 0 else None,
            secret=game.secrets[secret] if secret >= 0 and not game.decisions else None,
            depth=depth,
        )
        if game.decisions:
            graph.nodes[node]["decision"] = strategy.label(node) if node in strategy.decided else None
    for node, (parent, response) in enumerate(
        zip(strategy.parent.tolist(), strategy.response.tolist(), strict=True)
    ):
        if parent >= 0:
            graph.add_edge(parent, node, response=game.responses[response])
    return graph
