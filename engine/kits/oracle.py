"""All kits by size, the judge of the search: no bounds, no symmetry, no reductions. For a dozen questions."""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement

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
