"""States with lies where each secret may pay so much: whether a strategy keeps all of these allowances.

With lies, a secret is in several children of a guess and pays the most of what it pays there, so no sum
over secrets is the sum of those of the children. But once it is fixed what each secret may pay at most, its
*allowance*, the children are independent: a guess keeps all allowances if and only if, for each response,
some strategy keeps what is left of them (the allowance less the cost of the response) for the secrets that
are still possible. `Decider` decides that, and `least_sum` looks for the allowances with the least sum that
can be kept.

A state is a tuple of (secret, lies left), ascending; allowances are a tuple of the same length.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import floor

import numpy as np
from numpy.typing import NDArray

from ..stopping import heed

State = tuple[tuple[int, int], ...]
Amounts = tuple[int, ...]
ANYTHING = 1 << 60
"""An allowance that limits nothing."""
SCALE = 1 << 40
"""The measure of all ways down from a state. Sums of it stay exact as floats for 2^13 secrets."""
MOST_AMOUNT = 1 << 14
"""From so much on an allowance is not counted with."""
ENTRY_BYTES = 1 << 10
"""About what a state takes that is remembered."""


class HaltError(Exception):
    """Report that a search was stopped, or has spent its evaluations."""


class Mass:
    """How much of the tree a secret takes at least, after Kraft (1949) and Berlekamp (1968), with costs.

    Give each way down a strategy the product of x^c over the costs c of its responses, where x is so small
    that for each guess this sums up to 1 at most over r responses, r being the most that a guess gets: those
    that it gets, and others to fill up. (The codemaker may choose to give no other.) Then the measure of all
    leaves is 1 at most. A leaf belongs to one secret: to the one that it names; to win, to the one that has
    won. So what all secrets must take is 1 at most. `of(l, d)` is at least what a secret with l lies left
    takes that may pay d: by induction, the least over all guesses, and over what may be the truth, of the
    truth with l lies left and the other responses with l - 1, or the leaf itself. All is rounded down.
    It does not grow with d. A secret that has no way to keep its allowance takes more than `SCALE`.
    Where some response costs nothing there is no such x, and a secret that has a way takes 0.
    """

    def __init__(self, table: NDArray[np.int32], costs: NDArray[np.int64], winning: int) -> None:
        profiles = []
        for row, paid in zip(table, costs, strict=True):
            met = [r for r in np.unique(row).tolist() if r != winning]
            others = [r for r in range(costs.shape[1]) if r not in met and r != winning]
            won = int(paid[winning]) if winning >= 0 and (row == winning).any() else None
            profiles.append((paid[met].tolist(), paid[others].tolist(), won))
        most = max(len(met) for met, _, _ in profiles)
        full = {(tuple(met + others[: most - len(met)]), len(met), won) for met, others, won in profiles}
        self.profiles = sorted(full, key=str)
        self.win, self.free = winning >= 0, bool(costs.size and costs.min() == 0)
        self.power: dict[int, int] = {}
        if not self.free:
            self._choose_base()

        self.found: list[list[int]] = []

    def of(self, left: int, allowed: int) -> int:
        """Return at least what a secret takes that has so many lies left and may pay so much."""
        if allowed < 0:
            return SCALE + 1
        if allowed >= MOST_AMOUNT:
            return 0
        while len(self.found) <= left:
            self.found.append([])
        for less in range(left + 1):
            known = self.found[less]
            while len(known) <= allowed:
                stay = SCALE + 1 if self.win else 0 if self.free else SCALE
                known.append(min([stay, *self._ways(less, len(known))]))
        return self.found[left][allowed]

    def _choose_base(self) -> None:
        """Set the measure of a response of each cost, rounded down; the sum of no guess is above `SCALE`."""
        every = [[*paid, *([] if won is None else [won])] for paid, _, won in self.profiles]
        prices = sorted({cost for paid in every for cost in paid})
        low, high = 0.0, 1.0
        for _ in range(100):
            middle = (low + high) / 2
            fits = all(sum(middle**cost for cost in paid) <= 1 + 1e-12 for paid in every)
            low, high = (middle, high) if fits else (low, middle)
        # One unit in 2^40 is left where floats are not exact: checked below in integers.
        self.power = {cost: floor(SCALE * low**cost + 1e-3) for cost in prices}
        while any(sum(self.power[cost] for cost in paid) > SCALE for paid in every):
            self.power = {cost: max(power - 1, 0) for cost, power in self.power.items()}

    def _ways(self, left: int, allowed: int) -> Iterator[int]:
        """Yield what a secret takes by each kind of guess, at least."""
        for paid, met, won in self.profiles:
            if won is not None and won <= allowed:
                yield 0 if self.free else self.power[won]
            if self.free:
                continue
            false = [self._part(cost, left - 1, allowed) if left else 0 for cost in paid]
            for i in range(met):
                each = [*false[:i], self._part(paid[i], left, allowed), *false[i + 1 :]]
                if max(each) <= SCALE:
                    yield sum(each)

    def _part(self, cost: int, left: int, allowed: int) -> int:
        """Return at least what a secret takes below a response of a cost; more than all if it cannot pay."""
        below = SCALE + 1 if cost > allowed else self.found[left][allowed - cost]
        return below if below > SCALE else self.power[cost] * below // SCALE

    def relaxed(self, state: State, allowed: Amounts) -> Amounts:
        """Return the allowances of a state that takes too much, raised while it still does."""
        each = [self.of(left, amount) for (_, left), amount in zip(state, allowed, strict=True)]
        excess = sum(each) - SCALE
        found = list(allowed)
        for i in sorted(range(len(state)), key=each.__getitem__):
            if each[i] < excess:
                found[i] = ANYTHING
                excess -= each[i]
        for i, (_, left) in enumerate(state):
            found[i] = max(found[i], -1)
            while found[i] < ANYTHING:
                less = self.of(left, found[i]) - self.of(left, found[i] + 1)
                if less >= excess:
                    break
                excess -= less
                found[i] += 1
        return tuple(found)


@dataclass
class Known:
    """What is known of a state: amounts that a strategy keeps, with its guess, and some that none keeps."""

    kept: list[tuple[Amounts, int]] = field(default_factory=list)
    broken: list[Amounts] = field(default_factory=list)

    def keeps(self, allowed: Amounts) -> tuple[Amounts, int] | None:
        """Return amounts that are kept and no larger, with the guess, or None."""
        for amounts, guess in self.kept:
            if within(amounts, allowed):
                return amounts, guess
        return None

    def breaks(self, allowed: Amounts) -> Amounts | None:
        """Return amounts that are not kept and no smaller, or None."""
        return next((amounts for amounts in self.broken if within(allowed, amounts)), None)

    def keep(self, amounts: Amounts, guess: int) -> None:
        """Remember amounts that are kept."""
        self.kept = [one for one in self.kept if not within(amounts, one[0])]
        self.kept.append((amounts, guess))

    def breaking(self, amounts: Amounts) -> None:
        """Remember amounts that are not kept."""
        self.broken = [one for one in self.broken if not within(one, amounts)]
        self.broken.append(amounts)


def within(some: Amounts, allowed: Amounts) -> bool:
    """Return whether no amount is larger than what is allowed."""
    return all(a <= b for a, b in zip(some, allowed, strict=True))


def after(
    state: State, allowed: Amounts, row: list[int], response: int, cost: int, winning: int
) -> tuple[State, Amounts]:
    """Return the state and what it may still pay after a response that does not win.

    row: the true response to the guess of each secret; cost: of this one; winning: that which wins, or -1.
    """
    kept = [
        ((s, left - (row[s] != response)), amount - cost)
        for (s, left), amount in zip(state, allowed, strict=True)
        if row[s] != winning and left >= (row[s] != response)
    ]
    return tuple(one for one, _ in kept), tuple(amount for _, amount in kept)


class Decider:
    """Decides whether allowances can be kept, and remembers it.

    Parameters
    ----------
    table: the response of each guess to each secret, shape (guesses, secrets).
    costs: what each response to each guess costs, shape (guesses, responses).
    winning: the response that ends the game, or -1 (to identify).
    first: the guess to begin with, or -1.
    width: guesses of each state that are tried, or 0: all. With a width, what is not kept may be possible.
    memory: about how many bytes may be remembered.

    Attributes
    ----------
    states, evaluations: states expanded, and states valued against all guesses.
    """

    def __init__(
        self,
        table: NDArray[np.int32],
        costs: NDArray[np.int64],
        winning: int,
        lies: int,
        *,
        first: int = -1,
        width: int = 0,
        memory: int = 1 << 28,
    ) -> None:
        self.table, self.costs, self.winning = table, costs, winning
        self.responses, self.first, self.width = costs.shape[1], first, width
        self.root: State = tuple((s, lies) for s in range(table.shape[1]))
        self.mass = Mass(table, costs, winning)
        self.prices = np.unique(costs)
        self.known: dict[State, Known] = {}
        self.most = max(memory // ENTRY_BYTES, 1 << 10)
        self.states = self.evaluations = self.budget = 0
        self.stopped = False
        self.rows, self.paid = table.tolist(), costs.tolist()
        self.offsets = (np.arange(len(table)) * self.responses)[:, None]

    @property
    def entries(self) -> int:
        """States remembered."""
        return len(self.known)

    def stop(self) -> None:
        """End a search that runs in another thread."""
        self.stopped = True

    def settle(self, state: State, allowed: Amounts) -> tuple[bool, Amounts]:
        """Return whether some strategy keeps the allowances, and what it pays, or why none does.

        That is, allowances that are no smaller, and are not kept either. Raises HaltError.
        """
        if len(state) <= (self.winning < 0):
            kept = all(amount >= 0 for amount in allowed)
            return kept, tuple(0 if kept else -1 for _ in state)
        known = self.known.get(state)
        if known is not None:
            found = known.keeps(allowed)
            if found is not None:
                return True, found[0]
            broken = known.breaks(allowed)
            if broken is not None:
                return False, broken
        if sum(self.mass.of(left, amount) for (_, left), amount in zip(state, allowed, strict=True)) > SCALE:
            return False, self.mass.relaxed(state, allowed)
        if len(state) == 1:
            return self._win(state, allowed)
        return self._expand(state, allowed)

    def guess(self, state: State, allowed: Amounts) -> int:
        """Return a guess that keeps the allowances; raise ValueError where none is known to, or HaltError."""
        if not self.settle(state, allowed)[0]:
            raise ValueError(f"allowances {allowed} are not kept")
        known = self.known.get(state)
        found = known and known.keeps(allowed)
        if not found:
            raise ValueError("forgotten")
        return found[1]

    def _win(self, state: State, allowed: Amounts) -> tuple[bool, Amounts]:
        """Win on the only secret, as cheaply as it can be: every strategy ends with such a guess."""
        guesses = np.flatnonzero(self.table[:, state[0][0]] == self.winning)
        cost, guess = min((self.paid[g][self.winning], g) for g in guesses.tolist())
        if self.first >= 0 and state == self.root:
            return self._expand(state, allowed)
        self._remember(state).keep((cost,), guess)
        return (True, (cost,)) if cost <= allowed[0] else (False, (cost - 1,))

    def _remember(self, state: State) -> Known:
        if len(self.known) >= self.most and state not in self.known:
            self.known.clear()
        return self.known.setdefault(state, Known())

    def _expand(self, state: State, allowed: Amounts) -> tuple[bool, Amounts]:
        """Try the guesses, those first that leave the least to take at most.

        What no guess keeps stays so while each guess has a child that is not kept; so the allowances may be
        raised for each guess to those of that child and the cost to get there, and to the least of that.
        """
        heed()
        if self.stopped or 0 < self.budget <= self.evaluations:
            raise HaltError
        self.states += 1
        order, refuted = self._ranked(state, allowed)
        why = [ANYTHING] * len(state)
        tried: set[frozenset[tuple[State, Amounts]]] = set()
        place = {secret: i for i, (secret, _) in enumerate(state)}
        for guess in order[: self.width or None]:
            children = list(self.children(state, allowed, guess))
            same = frozenset((child, amounts) for _, _, child, amounts in children)
            if same in tried:  # whatever is kept or not, it is the same
                continue
            tried.add(same)
            pays, fails = self._try(state, guess, children)
            if not fails:
                self._remember(state).keep(tuple(pays), guess)
                return True, tuple(pays)
            for secret, amount in fails:
                why[place[secret]] = min(why[place[secret]], amount)
        if self.width:
            self._remember(state).breaking(allowed)
            return False, allowed
        for guess in refuted:
            for secret, amount in self._refutation(state, allowed, guess):
                why[place[secret]] = min(why[place[secret]], amount)
        self._remember(state).breaking(tuple(why))
        return False, tuple(why)

    def _try(
        self, state: State, guess: int, children: list[tuple[int, int, State, Amounts]]
    ) -> tuple[list[int], list[tuple[int, int]]]:
        """Return what the secrets pay after a guess, and nothing, or something and why it is not kept."""
        pays = [
            self.paid[guess][self.winning] if self.rows[guess][s] == self.winning else 0 for s, _ in state
        ]
        place = {secret: i for i, (secret, _) in enumerate(state)}
        for _, cost, child, amounts in children:
            kept, found = self.settle(child, amounts)
            if not kept:
                fails = [
                    (s, amount + cost)
                    for (s, _), amount in zip(child, found, strict=True)
                    if amount < ANYTHING
                ]
                return pays, fails or [(child[0][0], ANYTHING)]
            for (s, _), amount in zip(child, found, strict=True):
                pays[place[s]] = max(pays[place[s]], amount + cost)
        return pays, []

    def children(
        self, state: State, allowed: Amounts, guess: int
    ) -> Iterator[tuple[int, int, State, Amounts]]:
        """Yield response, cost, state and allowances after a guess that does not win, what takes most first.

        Of the responses that no secret gives, the one that costs most: others leave the same secrets more.
        """
        row, paid = self.rows[guess], self.paid[guess]
        met = {row[s] for s, _ in state}
        unmet = [r for r in range(self.responses) if r not in met and r != self.winning]
        asked = [r for r in met if r != self.winning] + ([max(unmet, key=paid.__getitem__)] if unmet else [])
        found = []
        for response in asked:
            child, amounts = after(state, allowed, row, response, paid[response], self.winning)
            taken = sum(self.mass.of(left, amount) for (_, left), amount in zip(child, amounts, strict=True))
            if child:
                found.append((-taken, response, paid[response], child, amounts))
        for _, response, cost, state_after, left_after in sorted(found):
            yield response, cost, state_after, left_after

    def _ranked(self, state: State, allowed: Amounts) -> tuple[list[int], list[int]]:
        """Return the guesses that may keep the allowances, best first, and those that some child refutes.

        Guesses to which all give one response that does not win are in neither: that response leaves the
        state as it was, with less to pay, so that whatever keeps the allowances then keeps them now.
        """
        self.evaluations += 1
        secrets = np.array([s for s, _ in state])
        truths = self.table[:, secrets]
        index = (truths + self.offsets).ravel()
        cells = len(self.table) * self.responses
        met = np.bincount(index, minlength=cells).reshape(-1, self.responses)
        alive = truths != self.winning
        taken = np.zeros(met.shape)
        of = self.mass.of
        for price in self.prices.tolist():
            true = [of(left, amount - price) for (_, left), amount in zip(state, allowed, strict=True)]
            false = [
                of(left - 1, amount - price) if left else 0
                for (_, left), amount in zip(state, allowed, strict=True)
            ]
            less = np.broadcast_to(np.array(true, dtype=float) - np.array(false, dtype=float), truths.shape)
            own = np.bincount(index, weights=less.ravel(), minlength=cells).reshape(met.shape)
            here = own + (alive * np.array(false, dtype=float)).sum(axis=1)[:, None]
            taken = np.where(self.costs == price, here, taken)
        if self.winning >= 0:  # who wins must only be able to pay for it
            wins = met[:, self.winning] > 0
            amount = np.array(allowed)[np.argmin(alive, axis=1)]
            broke = wins & (amount < self.costs[:, self.winning])
            taken[:, self.winning] = np.where(broke, SCALE + 1, 0)
        most = taken.max(axis=1)
        parts = (met > 0).sum(axis=1)
        useful = (parts > 1) | ~alive.all(axis=1)
        if self.first >= 0 and state == self.root:
            useful &= np.arange(len(useful)) == self.first
        fits = np.flatnonzero(useful & (most <= SCALE))
        order = fits[np.lexsort((fits, -parts[fits], most[fits]))]
        return order.tolist(), np.flatnonzero(useful & (most > SCALE)).tolist()

    def _refutation(self, state: State, allowed: Amounts, guess: int) -> list[tuple[int, int]]:
        """Return what secrets may pay at most while this guess leaves something that takes too much."""
        row, paid = self.rows[guess], self.paid[guess]
        for (s, _), amount in zip(state, allowed, strict=True):
            if row[s] == self.winning and amount < paid[row[s]]:
                return [(s, paid[row[s]] - 1)]
        for _, cost, child, amounts in self.children(state, allowed, guess):
            taken = sum(self.mass.of(left, amount) for (_, left), amount in zip(child, amounts, strict=True))
            if taken > SCALE:
                found = self.mass.relaxed(child, amounts)
                return [
                    (s, amount + cost)
                    for (s, _), amount in zip(child, found, strict=True)
                    if amount < ANYTHING
                ]
        raise AssertionError(f"guess {guess} fits")
