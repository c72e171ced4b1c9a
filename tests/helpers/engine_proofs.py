"""Certificates of games of codes, as the engine writes them."""

import re

from guesstree.cext import claims as kernel
from guesstree.engine.objective import parse_objective
from guesstree.engine.problem import Problem
from guesstree.engine.proofs.counted import CountedWriter
from guesstree.engine.registry import parse
from guesstree.engine.search.space import Resources


def written(spec: str, within: int | None, bound: int, goal: str = "win") -> str:
    """Return the certificate of a game of codes that the engine writes."""
    problem = Problem(parse(spec), parse_objective("expected"), goal=goal, max_depth=within)
    body = (
        CountedWriter(problem, Resources.of(problem, 1, None))
        .root(within, None if bound >= kernel.INFINITE else bound)
        .body
    )
    size = re.sub(r"[:x]", " ", spec)
    cost = "inf" if bound >= kernel.INFINITE else bound
    return f"guesstree-proof/1 {size} {goal} - {within or '-'} {cost} {body}\n"
