"""A sheet in DOT, ready for ``neato -n2``: its parts go where they are put, in points from below and left."""

from __future__ import annotations

import math
from collections.abc import Mapping

import graphviz

from .labels import Line, line


def sheet(
    name: str, width: float, height: float, edge: Mapping[str, str] | None = None, **text: str
) -> graphviz.Digraph:
    """Return an empty sheet; `edge` and `text`: attributes of all edges and text, such as ``fontsize``."""
    graph = {"fontname": "Helvetica", "outputorder": "edgesfirst", "pad": "0", "margin": "0"}
    dot = graphviz.Digraph(name, engine="neato", comment="draw this with: neato -n2", graph_attr=graph)
    dot.attr("node", shape="plain", fontname="Helvetica", **text)
    if edge:
        dot.attr("edge", **edge)
    # The picture reaches as far as what is in it, so its corners are taken by points that are not seen.
    for corner, x, y in (("corner0", 0.0, 0.0), ("corner1", width, height)):
        at = f"{x:.2f},{y:.2f}"
        dot.node(corner, label="", shape="point", width="0", height="0", style="invis", pos=at)
    return dot


def put_line(dot: graphviz.Digraph, name: str, text: Line, left: float, top: float) -> None:
    """Put a line of text where its upper left corner goes."""
    wide = math.ceil(text.width)
    label = f"<{line(text.html, wide, text.height, 'LEFT')}>"
    dot.node(name, label=label, pos=f"{left + wide / 2:.2f},{top - text.height / 2:.2f}")
