"""`IntegerModel`: a model in integers and bit sets, as searches see it.

What was asked matters as far as it changes what may help later. Let S be the causes still possible.

*Useful tests.* Of the tests not yet asked, those whose answers are not equally likely for all of S, and those
that may end the path for somebody in S, may help by what they answer. A test may also help because it opens a
group in which a useful test becomes cheaper, or because a useful test must wait for it. All others are left
out: in a strategy that asks some of them, put in place of each the strategy below one of its answers, in
which a unit of mass costs least. The masses there are those before it but for a factor, so nobody pays more.
What is useful is useful at every earlier state of the path, too: more causes were possible there. So what a
useful test needs, and what opens a group for it, was useful there, and is not left out.

*In the worst case* only who is possible counts, and a test helps by its answers only if none that goes on is
possible for all of S: below such an answer the strategy is one for the same state.

So a state keeps, of the tests that were asked, those that would be useful again, and those that a useful test
had to wait for; of the groups that are open, those of useful tests that are cheaper now. A test that is left
out so is not asked again, because it is not useful, nor at any later state.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import lcm, prod
from typing import NamedTuple

from ..exact import Number
from .model import Model
from .splits import asks

Masses = dict[int, int]
"""The mass of each cause that is possible, by its number."""

MOST_KEPT = 1 << 20
"""Sets of causes whose useful tests are remembered."""
INFINITE = 1 << 4096
"""More than any value."""


class Belief(NamedTuple):
    """A state: who is possible, what was asked as far as it matters, and masses with their sum.

    For the worst case there are no masses, and the sum is 1.

    Attributes
    ----------
    members: the causes that are possible, as a bit set.
    asked: the tests asked that matter, as a bit set.
    masses, mass: of the causes that are possible, and their sum.
    budget: coins that may still be paid on a path; None: any number.
    opened: the groups opened that matter, as a bit set.
    failures: how many tests may still fail to answer.
    states: of each character those that are still possible; where tests are questions about characters, all
        questions are in `asked` but those that may be asked and may help, see `splits`.
    """

    members: int
    asked: int
    masses: Masses
    mass: int
    budget: int | None = None
    opened: int = 0
    failures: int = 0
    states: tuple[int, ...] = ()


def bits(members: int) -> Iterator[int]:
    """Yield the numbers in a bit set, ascending."""
    while members:
        low = members & -members
        yield low.bit_length() - 1
        members ^= low


def broken(model: Model, cause: int) -> int:
    """Return a multiple of the denominators of all masses that a cause may have, in a weight of 1.

    *Proof.* A test is asked at most once on a path, so they are products of some probabilities of different
    tests. With questions about characters they are products of the probabilities of sets of states, one of
    each character, divided by those of the states that were possible at first.
    """
    if model.characters is not None:
        return model.characters.denominator(cause)
    return prod(lcm(*(p.denominator for p in row[cause].values())) for row in model.chances)


class IntegerModel:
    """A model in integers.

    Masses are counted in `unit`ths of a weight of 1, prices and losses in `coin`ths of 1: so many that no
    mass on any path is broken, see `broken`.

    Attributes
    ----------
    causes, tests: how many there are.
    prices, least: in coins, of each test: while its group is not open, and the least that it may ever cost.
    leaf_price: in coins, what each leaf adds to the expected cost.
    group: for each test the group that it opens, as a bit set; 0 where no other becomes cheaper by it.
    needs: for each test those that must have been asked before, as a bit set.
    plain: whether there are neither groups nor needs.
    losses: for each decision what it loses for each cause, in coins; None: it is not allowed. None: the
        decisions are to name a cause, or causes of which every two overlap, without loss.
    allowed, free: for each decision the causes for which it is allowed, and those for which it loses nothing.
    failures, silent: see `Model`.
    parts: for each test, each answer with the causes that may give it, as a bit set.
    going: the same, without answers that end the path.
    ending: for each test the answers that end the path.
    fatal: for each test the causes for which it may end the path.
    shares: for each test and answer, for each cause the probability as (numerator, denominator).
    alike: for each test, the sets of causes with the same probabilities.
    overlap: for each cause those that it may end with, itself included.
    """

    def __init__(self, model: Model, leaf_price: Number = 0) -> None:
        self.causes, self.tests = len(model.weights), len(model.chances)
        self.everyone = (1 << self.causes) - 1
        self.failures, self.silent = model.failures, model.silent
        self._scale(model, leaf_price)
        self._group(model)
        self._answers(model)
        self._decisions(model)
        self._telling: dict[int, int] = {}
        self._questions(model)

    def _scale(self, model: Model, leaf_price: Number) -> None:
        """Set the numbers."""
        weights, prices = list(map(Fraction, model.weights)), list(map(Fraction, model.prices))
        later = list(map(Fraction, model.later or model.prices))
        losses = [[None if x is None else Fraction(x) for x in row] for row in model.losses or ()]
        below = [broken(model, cause) for cause in range(self.causes)]
        self.unit = lcm(*(w.denominator * n for w, n in zip(weights, below, strict=True)))
        paid = [*prices, *later, Fraction(leaf_price), *(x for row in losses for x in row if x is not None)]
        self.coin = lcm(*(price.denominator for price in paid))
        self.leaf_price = int(leaf_price * self.coin)
        self.weights: Masses = {cause: int(w * self.unit) for cause, w in enumerate(weights)}
        self.prices, self.later = ([int(price * self.coin) for price in some] for some in (prices, later))
        self.losses: list[list[int | None]] | None = None
        if model.losses is not None:
            self.losses = [[None if x is None else int(x * self.coin) for x in row] for row in losses]

    def _questions(self, model: Model) -> None:
        """Set which questions about characters may be asked where, see `splits`."""
        self.splits, self.characters = model.splits, model.characters
        self._at: dict[tuple[int, int], int] = {}
        self._alike_in: dict[tuple[int, int], list[int]] = {}
        self._shows: list[dict[int, int]] = []
        if self.characters is None:
            return
        for test, split in enumerate(self.splits):
            key = split.character, split.within
            self._at[key] = self._at.get(key, 0) | 1 << test
        for row in self.characters.shown:
            shows: dict[int, int] = {}
            for cause, cell in enumerate(row):
                for state in cell:
                    shows[state] = shows.get(state, 0) | 1 << cause
            self._shows.append(shows)

    def states_shown(self) -> list[list[tuple[int, int]]]:
        """Return for each character its possible states, each with the causes that may show it, as bits."""
        possible = self.characters.possible if self.characters is not None else ()
        return [
            [(state, causes) for state, causes in shows.items() if some >> state & 1]
            for shows, some in zip(self._shows, possible, strict=True)
        ]

    def _askable(self, members: int, states: tuple[int, ...]) -> int:
        """Return the questions about characters that may be asked, and may help, where these are possible."""
        assert self.characters is not None
        found = 0
        for character, (shows, possible) in enumerate(zip(self._shows, states, strict=True)):
            met = possible & sum(1 << state for state, causes in shows.items() if causes & members)
            within = self.characters.about(character, met)
            here = self._at.get((character, within), 0)
            if here and not any(members & ~alike == 0 for alike in self._alike(character, within)):
                joined = self.characters.joined[character]
                found |= sum(1 << t for t in bits(here) if asks(self.splits[t], met, joined=joined))
        return found

    def _alike(self, character: int, within: int) -> list[int]:
        """Return the sets of causes that show some states with the same probabilities."""
        assert self.characters is not None
        if (character, within) not in self._alike_in:
            same: dict[object, int] = {}
            for cause in range(self.causes):
                given = self.characters.given(character, cause, within)
                if given:
                    same[given] = same.get(given, 0) | 1 << cause
            self._alike_in[character, within] = list(same.values())
        return self._alike_in[character, within]

    def _group(self, model: Model) -> None:
        """Set the groups in which something becomes cheaper, and what tests must wait for."""
        tests = range(self.tests)
        self.needs = [sum(1 << t for t in model.after[test]) if model.after else 0 for test in tests]
        self.group, self.least = [0] * self.tests, list(self.prices)
        for group in {group for group in model.groups if group is not None}:
            members = [test for test in tests if model.groups[test] == group]
            if len(members) > 1 and any(self.later[test] < self.prices[test] for test in members):
                for test in members:
                    self.group[test], self.least[test] = 1 << group, self.later[test]
        self.plain = not any(self.group) and not any(self.needs)

    def _answers(self, model: Model) -> None:
        """Set who may answer what."""
        self.parts: list[list[tuple[int, int]]] = []
        self.shares: list[dict[int, list[tuple[int, int]]]] = []
        self.alike: list[list[int]] = []
        self.ending = [model.ending(test) for test in range(self.tests)]
        for row in model.chances:
            answers = sorted({answer for cell in row for answer in cell})
            self.parts.append([(a, sum(1 << i for i, cell in enumerate(row) if a in cell)) for a in answers])
            self.shares.append(
                {a: [cell.get(a, Fraction()).as_integer_ratio() for cell in row] for a in answers}
            )
            same: dict[object, int] = {}
            cells = [frozenset(cell.items()) for cell in row]
            for cause, key in enumerate(cells):
                same[key] = same.get(key, 0) | 1 << cause
            self.alike.append(list(same.values()))
        self.going = [
            [one for one in parts if one[0] not in ending]
            for parts, ending in zip(self.parts, self.ending, strict=True)
        ]
        self.fatal = [0] * self.tests
        for test, parts in enumerate(self.parts):
            for answer, part in parts:
                self.fatal[test] |= part if answer in self.ending[test] else 0

    def _decisions(self, model: Model) -> None:
        """Set who may end with whom, and what is lost at least."""
        self.allowed, self.free = list[int](), list[int]()
        if self.losses is None:
            self.overlap = [
                sum(1 << other for other in others) if model.cliques else 1 << cause
                for cause, others in enumerate(model.overlaps)
            ]
        else:
            for row in self.losses:
                self.allowed.append(sum(1 << i for i, x in enumerate(row) if x is not None))
                self.free.append(sum(1 << i for i, x in enumerate(row) if x == 0))
            self.overlap = [0] * self.causes
            for cause in range(self.causes):
                for allowed in self.allowed:
                    self.overlap[cause] |= allowed if allowed >> cause & 1 else 0
        self.simple = all(mask & ~(1 << cause) == 0 for cause, mask in enumerate(self.overlap))

    # -- what may be asked ---------------------------------------------------------------------------------

    def price(self, test: int, opened: int) -> int:
        """Return what a test costs where these groups are open."""
        return self.later[test] if self.group[test] & opened else self.prices[test]

    def price_after(self, history: Iterable[tuple[int, int]], test: int) -> int:
        """Return what a test costs after some tests and answers; states forget groups that cannot matter."""
        opened = 0
        for asked, _ in history:
            opened |= self.group[asked]
        return self.price(test, opened)

    def settled(self, members: int) -> bool:
        """Return whether nothing is left to ask: what is decided now loses nothing."""
        if self.losses is not None:
            return any(members & ~free == 0 for free in self.free)
        if self.simple:
            return members & (members - 1) == 0
        return all(members & ~self.overlap[cause] == 0 for cause in bits(members))

    def telling(self, members: int) -> int:
        """Return the tests whose answers say anything of these causes, or may end the path for one.

        Questions about characters are all of them: states say which may be asked, and help.
        """
        if self.characters is not None:
            return (1 << self.tests) - 1
        found = self._telling.get(members)
        if found is None:
            found, one = 0, members & -members
            for test, alike in enumerate(self.alike):
                for same in alike:
                    if same & one:
                        found |= (members & ~same > 0 or members & self.fatal[test] > 0) << test
                        break
            if len(self._telling) < MOST_KEPT:
                self._telling[members] = found
        return found

    def useful(self, by_answers: int, asked: int, opened: int) -> int:
        """Return the tests that may help where these help by their answers, see above."""
        found = by_answers & ~asked
        while not self.plain:
            wanted = self.cheaper(found) & ~opened
            more = self.needed(found)
            if wanted:
                more |= sum(1 << test for test, group in enumerate(self.group) if group & wanted)
            more &= ~asked & ~found
            if not more:
                break
            found |= more
        return found

    def cheaper(self, tests: int) -> int:
        """Return the groups in which some of these tests cost less once they are open."""
        found = 0
        for test in bits(tests):
            if self.later[test] < self.prices[test]:
                found |= self.group[test]
        return found

    def needed(self, tests: int) -> int:
        """Return the tests that some of these must wait for."""
        found = 0
        for test in bits(tests):
            found |= self.needs[test]
        return found

    def kept(self, by_answers: int, asked: int, opened: int) -> tuple[int, int]:
        """Return which tests asked and groups opened matter where these tests help by their answers."""
        if self.plain:
            return asked & by_answers, 0
        useful = self.useful(by_answers, asked, opened)
        return asked & (by_answers | self.needed(useful)), opened & self.cheaper(useful)

    def decided(self, state: Belief) -> tuple[int, int]:
        """Return what the best decision loses in a state, and its number; INFINITE, -1: none is allowed.

        A decision that may lose more than the budget is not allowed. Without decisions, nothing is lost where
        nothing is left to ask.
        """
        if self.losses is None:
            return (0 if self.settled(state.members) else INFINITE), -1
        most = INFINITE if state.budget is None else state.budget
        found = [
            (sum(mass * (row[cause] or 0) for cause, mass in state.masses.items()), number)
            for number, (row, allowed) in enumerate(zip(self.losses, self.allowed, strict=True))
            if state.members & ~allowed == 0 and all((row[i] or 0) <= most for i in state.masses)
        ]
        return min(found, default=(INFINITE, -1))

    # -- states --------------------------------------------------------------------------------------------

    def root(self) -> Belief:
        """Return the state before the first test."""
        asked, states = 0, () if self.characters is None else self.characters.possible
        if states:
            asked = (1 << self.tests) - 1 & ~self._askable(self.everyone, states)
        mass = sum(self.weights.values())
        return Belief(self.everyone, asked, self.weights, mass, failures=self.failures, states=states)

    def after(self, state: Belief, test: int, answer: int, members: int) -> Belief:
        """Return the state after an answer, which these of the causes may give."""
        share = self.shares[test][answer]
        masses = {i: m * share[i][0] // share[i][1] for i, m in state.masses.items() if members >> i & 1}
        asked, opened = self.kept(
            self.telling(members), state.asked | 1 << test, state.opened | self.group[test]
        )
        states = state.states
        if states:
            split = self.splits[test]
            states = (*states[: split.character], split.parts[answer], *states[split.character + 1 :])
            asked = (1 << self.tests) - 1 & ~self._askable(members, states)
        budget = None if state.budget is None else state.budget - self.price(test, state.opened)
        return Belief(members, asked, masses, sum(masses.values()), budget, opened, state.failures, states)

    def failed(self, state: Belief, test: int) -> Belief:
        """Return the state after a test that failed to answer; only the worst case counts it."""
        asked, opened = self.kept(
            self.telling(state.members), state.asked | 1 << test, state.opened | self.group[test]
        )
        return Belief(state.members, asked, {}, 0, state.budget, opened, state.failures - 1)
