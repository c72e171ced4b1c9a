"""A lower bound for tests that few causes are positive in: the common answers rule out few at a time.

Costs are small integers; where they differ more, `layers` splits them first. *Masses* are weights, rounded
down to whole units of one scale, which only lowers every value.

*Potentials.* Let P be a function of masses with P(0) = 0 and P(x) <= x + sum P(x_i) for all masses x_i, at
least two above 0, that a question of cost 1 can leave of a set of mass x. Then a set of masses m_s costs at
least P(sum m_s) - sum P(m_s): by induction, the cost of a set is its mass and what its parts cost, and the
terms of single secrets cancel out. `potential` makes such a P that is convex.

*The common path.* Each question has a commonest answer. Follow these answers from the start of any strategy:
each question asked there rules some secrets out (they leave the path), no secret twice, and the path ends
with one secret, or with none. All that are still on the path pay for its next question; those that leave it
together pay what they cost as a set. Questions that cost c together rule out at most `reach`[c].
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from ..state import Table

MASS, SHARE = 1 << 12, 4
"""The scale of masses; a question that may rule out more than 1 / SHARE of all is not for this bound."""
FRACTIONS, STEPS = (0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.97), 200
"""Where `reach` is sharpened: when this part of the mass has left, in so many steps."""
MOST_COST, MOST_CELLS, MOST_PATHS = 32, 1 << 24, 96
"""What a question may cost, cells of a table, and for how many masses that leave a path is looked for."""
NEVER = 1 << 60

Longs = NDArray[np.int64]


def potential(profile: Sequence[int], most: int) -> Longs:
    """Return k - 1 times a convex potential of the masses 0 .. most, int64; k = profile[0], 2 or more.

    `profile[j]` is at most how many parts of mass above j a question leaves; beyond its end, one.

    From 1 on P rises by k / (k - 1) up to P(k) = k, and P(x) <= x there, which is what x pays when all parts
    are of mass 1. Further on it is x and the least that parts can add: units of mass take the places of least
    increase first, of which there are profile[j] from j to j + 1. The increases never fall, by induction:
    each is 1 and that of a place which never comes earlier; so P is convex, and no other parts add less.
    """
    k = profile[0]
    rise = np.zeros(most + 1, dtype=np.int64)  # from x to x + 1
    rise[1:k] = k
    place, room = 1, profile[1] if len(profile) > 1 else 1
    for x in range(k, most + 1):
        while room == 0:
            place, room = place + 1, profile[place + 1] if place + 1 < len(profile) else 1
        rise[x] = k - 1 + rise[place]
        room -= 1
    return np.concatenate(([0], np.cumsum(rise[:most])))


def knapsack(sums: NDArray[np.float64], costs: Longs, most: int) -> NDArray[np.float64]:
    """Return at most the sum of questions that cost c together, c = 0 .. most; parts of them count too."""
    order = np.argsort(-sums / costs, kind="stable")
    spent, won = np.cumsum(costs[order]), np.cumsum(sums[order])
    return np.interp(np.arange(most + 1), np.concatenate(([0], spent)), np.concatenate(([0.0], won)))


def reach(rules_out: NDArray[np.bool_], masses: Longs, costs: Longs) -> Longs:
    """Return at most what mass questions rule out together that cost c, c = 0, 1, ..., up to all of them.

    For any z with 0 <= z_s <= m_s: of a secret that d of some questions rule out, min(d, 1) m_s counts, at
    most m_s - z_s + d z_s. So it is at most sum (m_s - z_s), and what the questions rule out of z at most for
    their cost. Secrets that many of those rule out get a smaller z, step by step.
    """
    total, hits, most = float(masses.sum()), rules_out.astype(np.float64), int(costs.sum())
    best = knapsack(hits @ masses, costs, most)
    for fraction in FRACTIONS:
        z = masses.astype(np.float64)
        for step in range(STEPS):
            sums = hits @ z
            np.minimum(best, total - z.sum() + knapsack(sums, costs, most), out=best)
            order = np.argsort(-sums / costs)
            cost = int(np.searchsorted(best, fraction * total))
            often = hits[order[: int(np.searchsorted(np.cumsum(costs[order]), cost)) + 1]].sum(axis=0)
            z = np.clip(z + masses * (1 - often) / (4 + 0.4 * step), 0, masses)
    return rounded(best, total)


def rounded(sums: NDArray[np.float64], most: float) -> Longs:
    """Return sums rounded down, which are whole numbers of at most so many, and a little wrong."""
    return np.floor(np.minimum(sums + 1e-6 * (1 + most), most)).astype(np.int64)


def common_path(
    mass: int, reached: Longs, leaving: Longs, last: int, steps: Sequence[int], scale: int
) -> int:
    """Return at least what a common path costs, and those that leave it, in units of 1 / scale.

    Parameters
    ----------
    mass: of all secrets.
    reached: at most what questions rule out that cost 0, 1, ... together, ascending.
    leaving: what a mass that leaves at one question costs at least; as long as what one can rule out.
    last: the largest mass of one secret, with which the path may end.
    steps: what questions cost, each once.
    """
    never, best = np.full(mass + 1, NEVER, dtype=np.int64), NEVER
    start = never.copy()
    start[0] = 0
    known = {0: start}  # by what was asked so far costs, and by the mass that has left
    pay = scale * (mass - np.arange(mass + 1))
    for cost in range(1, len(reached)):
        known.pop(cost - 1 - max(steps), None)
        before = [known[cost - step] + step * pay for step in steps if cost - step in known]
        paid, found = np.minimum.reduce([never, *before]), never.copy()
        most = int(reached[cost])
        for out in range(1, min(len(leaving) - 1, mass, most) + 1):
            np.minimum(found[out:], paid[: mass + 1 - out] + leaving[out], out=found[out:])
        found[most + 1 :] = NEVER
        known[cost] = found
        best = min(best, int(found[max(mass - last, 0) : mass].min()))
        if min(int(some.min()) for some in known.values()) >= best:
            break
    return best


def several(leaving: Longs, parts: int) -> Longs:
    """Return what a mass costs at least that leaves in at most so many parts."""
    found = leaving
    for _ in range(parts - 1):
        before, found = found, leaving.copy()
        for x in range(1, len(leaving)):
            np.minimum(found[x:], before[: len(leaving) - x] + leaving[x], out=found[x:])
    return found


def masses_of(table: Table, masses: Longs, answers: int) -> Longs:
    """Return the mass of each answer to each question, shape (questions, answers)."""
    return np.array(
        [np.bincount(row, weights=masses, minlength=answers) for row in table], dtype=np.float64
    ).astype(np.int64)


def covering(table: Table, weights: Longs, costs: Longs, late: Callable[[], bool] = lambda: False) -> float:
    """Return at least the weighted cost to identify secrets; 0 where this says nothing, or is `late`.

    Parameters
    ----------
    table: answers, shape (questions, secrets), each with two answers or more.
    weights: int64, shape (secrets,).
    costs: from 1, int64, shape (questions,).
    """
    unit = int(np.gcd.reduce(costs))
    costs = costs // unit
    scale = max(Fraction(int(np.gcd.reduce(weights))), Fraction(int(weights.sum()), MASS))
    above, below = scale.as_integer_ratio()
    masses = np.array([weight * below // above for weight in weights.tolist()], dtype=np.int64)
    kept = np.flatnonzero(masses)
    table, masses = table[:, kept], masses[kept]
    mass, answers = int(masses.sum()), int(table.max(initial=0)) + 1
    if len(kept) < SHARE or answers < 2 or int(costs.max()) > MOST_COST or table.size > MOST_CELLS:
        return 0.0
    each = masses_of(table, masses, answers)
    common, out = each.argmax(axis=1), mass - each.max(axis=1)
    largest = int(out.max())
    if not 0 < SHARE * largest <= mass:
        return 0.0
    profile, inside = within(table, masses, common, costs)
    heaviest, k, parts = int(masses.max()), profile[0], int((each > 0).sum(axis=1).max()) - 1
    steps = np.unique(costs).tolist()
    single = steps[0] * potential(profile, max(largest, heaviest))
    leaving = single[: largest + 1].copy()
    spread = several(single[: min(int(inside[-1]), largest) + 1], k - 1)
    for x in range(heaviest + 1, largest + 1, -(-(largest - heaviest) // MOST_PATHS) or 1):
        # Those that leave have a common path of their own; more of them pay no less.
        if late():
            return 0.0
        path = common_path(x, np.minimum(inside, x), spread, heaviest, steps, k - 1)
        leaving[x:] = np.maximum(leaving[x:], path if path < NEVER else 0)
    reached = reach(table != common[:, None], masses, costs)
    found = common_path(mass, reached, several(leaving, parts), heaviest, steps, k - 1)
    if found >= NEVER or late():
        return 0.0
    bound = unit * scale * max(0, found - int(single[masses].sum())) / (k - 1)
    return float(bound) if float(bound) <= bound else math.nextafter(float(bound), 0)


def within(table: Table, masses: Longs, common: Longs, costs: Longs) -> tuple[list[int], Longs]:
    """Return what questions do among secrets with the same rare answer to one question, at most.

    That is their profile, see `potential`, and what questions rule out of the common path that cost 0, 1, ...
    together, see `knapsack`.
    """
    answers, most = int(table.max()) + 1, int(costs.sum())
    largest, sums = np.zeros(answers, dtype=np.int64), np.zeros(most + 1)
    for row, usual in zip(table, common.tolist(), strict=True):
        for answer in range(answers):
            some = np.flatnonzero(row == answer)
            if answer == usual or len(some) < 2:
                continue
            each = np.sort(masses_of(table[:, some], masses[some], answers), axis=1)
            each[each[:, -1] == int(masses[some].sum())] = 0  # they tell nothing there
            largest = np.maximum(largest, each.max(axis=0))
            sums = np.maximum(sums, knapsack(each[:, :-1].sum(axis=1).astype(np.float64), costs, most))
    profile = [int((largest > j).sum()) for j in range(int(largest.max(initial=0)))]
    return [max([2, *profile[:1]]), *profile[1:]], rounded(sums, float(masses.sum()))
