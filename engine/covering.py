"""A lower bound for tests that few causes are positive in: the common answers rule out few at a time.

Each question costs 1 here; `layers` has the costs. *Masses* are weights, rounded down to whole units of one
scale, which only lowers every value.

*Potentials.* Let P be a function of masses with P(0) = 0 and P(x) <= x + sum P(x_i) for all masses x_i, at
least two above 0, that a question can leave of a set of mass x. Then a set of masses m_s costs at least
P(sum m_s) - sum P(m_s): by induction, the cost of a set is its mass and what its parts cost, and the terms of
single secrets cancel out. `potential` makes such a P that is convex.

*The common path.* Each question has a commonest answer. Follow these answers from the start of any strategy:
each question asked there rules some secrets out (they leave the path), no secret twice, and the path ends
with one secret, or with none. All that are still on the path pay for its next question; those that leave it
together pay what they cost as a set. The first k questions rule out at most `reach[k]`, whichever they are.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .state import Table

MASS, SHARE = 1 << 12, 4
"""The scale of masses; a question that may rule out more than 1 / SHARE of all is not for this bound."""
FRACTIONS, STEPS = (0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.97), 60
"""Where `reach` is sharpened: when this part of the mass has left, in so many steps."""
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


def reach(rules_out: NDArray[np.bool_], masses: Longs) -> Longs:
    """Return at most what mass k questions rule out together, k = 0, 1, ...; shape (questions + 1,).

    For any z with 0 <= z_s <= m_s: of a secret that d of the k questions rule out, min(d, 1) m_s counts, at
    most m_s - z_s + d z_s. So it is at most sum (m_s - z_s), and the k largest sums of z over what a question
    rules out. Secrets that many of the k rule out get a smaller z, step by step.
    """
    total, hits = float(masses.sum()), rules_out.astype(np.float64)

    def bound(z: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        sums = hits @ z
        order = np.argsort(-sums)
        return total - z.sum() + np.concatenate(([0.0], np.cumsum(sums[order]))), order

    best = bound(masses.astype(np.float64))[0]
    for fraction in FRACTIONS:
        z = masses.astype(np.float64)
        for step in range(STEPS):
            found, order = bound(z)
            np.minimum(best, found, out=best)
            k = int(np.searchsorted(best, fraction * total))
            often = hits[order[:k]].sum(axis=0)
            z = np.clip(z + masses * (1 - often) / (4 + 0.4 * step), 0, masses)
    capped = np.minimum(best + 1e-6 * (1 + total), total)  # sums are rounded
    return np.floor(capped).astype(np.int64)


def common_path(mass: int, reached: Longs, leaving: Longs, last: int, scale: int) -> int:
    """Return at least what a common path costs, and those that leave it, in units of 1 / scale.

    Parameters
    ----------
    mass: of all secrets.
    reached: at most what the first k questions rule out, ascending; shape (questions + 1,).
    leaving: what a mass that leaves at one question costs at least; as long as what one can rule out.
    last: the largest mass of one secret, with which the path may end.
    """
    cost = np.full(mass + 1, NEVER, dtype=np.int64)  # by the mass that has left
    cost[0], best = 0, NEVER
    pay = scale * (mass - np.arange(mass + 1))
    for most in reached[1:].tolist():
        paid, cost = cost + pay, np.full(mass + 1, NEVER, dtype=np.int64)
        for out in range(1, min(len(leaving) - 1, mass, most) + 1):
            np.minimum(cost[out:], paid[: mass + 1 - out] + leaving[out], out=cost[out:])
        cost[most + 1 :] = NEVER
        best = min(best, int(cost[max(mass - last, 0) : mass].min()))
        if int(cost.min()) >= best:
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


def covering(table: Table, weights: Longs) -> float:
    """Return at least the weighted number of questions to identify secrets; 0 where this says nothing.

    Parameters
    ----------
    table: answers, shape (questions, secrets), each with two answers or more.
    weights: int64, shape (secrets,).
    """
    scale = max(float(np.gcd.reduce(weights)), float(weights.sum()) / MASS)
    masses = np.floor(weights / scale).astype(np.int64)
    kept = np.flatnonzero(masses)
    table, masses = table[:, kept], masses[kept]
    mass, answers = int(masses.sum()), int(table.max(initial=0)) + 1
    if len(kept) < SHARE or answers < 2:
        return 0.0
    each = masses_of(table, masses, answers)
    common, out = each.argmax(axis=1), mass - each.max(axis=1)
    largest = int(out.max())
    if not 0 < SHARE * largest <= mass:
        return 0.0
    profile, inside = within(table, masses, common)
    heaviest, k, parts = int(masses.max()), profile[0], int((each > 0).sum(axis=1).max()) - 1
    single = potential(profile, max(largest, heaviest))
    leaving, spread = single[: largest + 1].copy(), several(single[: int(inside[1]) + 1], k - 1)
    for x in range(heaviest + 1, largest + 1):  # those that leave have a common path of their own
        path = common_path(x, np.minimum(inside, x)[: x + 2], spread, heaviest, k - 1)
        leaving[x] = max(leaving[x], path if path < NEVER else 0)
    reached = reach(table != common[:, None], masses)
    found = common_path(mass, reached, several(leaving, parts), heaviest, k - 1)
    if found >= NEVER:
        return 0.0
    return scale * max(0, found - int(single[masses].sum())) / (k - 1)


def within(table: Table, masses: Longs, common: Longs) -> tuple[list[int], Longs]:
    """Return what questions do among secrets with the same rare answer to one question, at most.

    That is their profile, see `potential`, and what the first k questions rule out of the common path.
    """
    answers = int(table.max()) + 1
    largest = np.zeros(answers, dtype=np.int64)
    sums = np.zeros(len(table), dtype=np.int64)
    for row, usual in zip(table, common.tolist(), strict=True):
        for answer in range(answers):
            some = np.flatnonzero(row == answer)
            if answer == usual or len(some) < 2:
                continue
            each = np.sort(masses_of(table[:, some], masses[some], answers), axis=1)
            each = each[each[:, -1] < int(masses[some].sum())]  # the others tell nothing there
            largest = np.maximum(largest, each.max(axis=0, initial=0))
            found = np.sort(each[:, :-1].sum(axis=1))[::-1]
            sums[: len(found)] = np.maximum(sums[: len(found)], found)
    profile = [int((largest > j).sum()) for j in range(int(largest.max(initial=0)))]
    profile = [max([2, *profile[:1]]), *profile[1:]]
    return profile, np.concatenate(([0], np.cumsum(sums)))
