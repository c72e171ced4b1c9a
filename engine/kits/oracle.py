"""All kits by size, the judge of the search: no bounds, no symmetry, no reductions. For a dozen questions."""

from __future__ import annotations

from functools import cache
from itertools import combinations, combinations_with_replacement
from math import inf

from .cover import CoverProblem


def least_by_listing(problem: CoverProblem, most: int) -> int | None:
    """Return exactly the least cost of a kit of at most `most` questions; None: there is none.

    A question may be asked again, which helps against false answers only.
    """
    choose = combinations if problem.apart == 1 else combinations_with_replacement
    kinds = problem.kinds.tolist()
    pairs = [pair for pair in combinations(range(problem.secrets), 2) if kinds[pair[0]] != kinds[pair[1]]]
    told = [[row[a] != row[b] for row in problem.answers.tolist()] for a, b in pairs]
    found = [
        problem.cost(kit)
        for size in range(most + 1)
        for kit in choose(range(problem.questions), size)
        if problem.never.isdisjoint(kit)
        and all(kit.count(question) >= problem.must.count(question) for question in problem.must)
        and all(sum(row[question] for question in kit) >= problem.apart for row in told)
    ]
    return min(found, default=None)


def least_staged_by_listing(problem: CoverProblem, stages: int) -> int:
    """Return exactly the least cost of a plan of several stages in the worst case, from all kits of each.

    The problem is one without lies that some kit solves. For half a dozen questions.
    """
    kinds, rows = problem.kinds.tolist(), problem.answers.tolist()
    usable = [question for question in range(problem.questions) if question not in problem.never]

    @cache
    def least(part: tuple[int, ...], left: int) -> float:
        if len({kinds[secret] for secret in part}) <= 1 and len(part) < problem.secrets:
            return 0
        return min(
            cost(part, kit, left)
            for size in range(len(usable) + 1)
            for kit in combinations(usable, size)
            if left < stages or {*problem.must} <= {*kit}
        )

    def cost(part: tuple[int, ...], kit: tuple[int, ...], left: int) -> float:
        parts: dict[tuple[int, ...], list[int]] = {}
        for secret in part:
            parts.setdefault(tuple(rows[question][secret] for question in kit), []).append(secret)
        several = [tuple(some) for some in parts.values() if len({kinds[secret] for secret in some}) > 1]
        if left == 1:
            return inf if several else problem.cost(kit)
        return problem.cost(kit) + max((least(some, left - 1) for some in several), default=0)

    return int(least(tuple(range(problem.secrets)), stages))
