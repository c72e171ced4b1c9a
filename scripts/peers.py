"""What other programs and rules do with tables of tests, valued exactly in our model.

Each rule says what to ask next; `valued` follows it down every answer and adds up in fractions, so that a
rule and an optimal strategy are measured with the same rod: prices and discounts of what is asked on the
path, losses of what is decided at its end.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import log2
from typing import Any

from guesstree.engine.exact import Number
from guesstree.engine.noisy.model import Model

Masses = dict[int, Number]


@dataclass(frozen=True)
class Known:
    """What a rule sees: the mass of each cause still possible, the tests asked, the groups open."""

    masses: Masses
    asked: frozenset[int]
    opened: frozenset[int]


Rule = Callable[[Known], int | None]
"""The next test, or None: decide."""


def parts(model: Model, known: Known, test: int) -> dict[int, Masses]:
    """Return the masses after each answer to a test."""
    found: dict[int, Masses] = {}
    for cause, mass in known.masses.items():
        for answer, chance in model.chances[test][cause].items():
            found.setdefault(answer, {})[cause] = mass * chance
    return dict(sorted(found.items()))


def loss(model: Model, masses: Masses) -> Number:
    """Return what the best decision loses, weighted; raise ValueError where nothing may be decided."""
    if model.losses is None:
        if not model.settled(masses):
            raise ValueError(f"a rule ends with causes {sorted(masses)}, which are no clique")
        return 0
    sums: list[Number] = []
    for row in model.losses:
        each = [(m, row[cause]) for cause, m in masses.items()]
        if all(one is not None for _, one in each):
            sums.append(sum(m * one for m, one in each if one is not None))
    return min(sums)


def valued(model: Model, rule: Rule) -> tuple[Fraction, Fraction]:
    """Return exactly the expected cost of a rule, and what its tests cost at most; level after level."""
    total: Number = 0
    most: Number = 0
    waiting = deque([(Known(dict(enumerate(model.weights)), frozenset(), frozenset()), Fraction())])
    while waiting:
        known, paid = waiting.popleft()
        test = rule(known)
        if test is None:
            total, most = total + loss(model, known.masses), max(most, paid)
            continue
        price = model.price(test, known.opened)
        total, asked = total + price * sum(known.masses.values()), known.asked | {test}
        for answer, masses in parts(model, known, test).items():
            if answer in model.ending(test):
                most = max(most, paid + price)
            else:
                after = Known(masses, asked, known.opened | model.group(test))
                waiting.append((after, paid + price))
    return Fraction(total) / sum(model.weights), Fraction(most)


def best_test(model: Model, known: Known, score: Callable[[int, dict[int, Masses]], float]) -> int | None:
    """Return the test of the highest score among those that rule somebody out, or None."""
    best, found = float("-inf"), None
    for test in range(len(model.chances)):
        if model.askable(test, known.asked):
            after = parts(model, known, test)
            if all(len(masses) == len(known.masses) for masses in after.values()):
                continue
            if (value := score(test, after)) > best:
                best, found = value, test
    return found


def entropy_rule(model: Model) -> Rule:
    """Return the rule that asks for most bits about the cause per cost."""

    def rule(known: Known) -> int | None:
        if model.settled(known.masses):
            return None
        return best_test(model, known, lambda test, after: _bits(known, after) / float(model.prices[test]))

    return rule


def _bits(known: Known, after: Mapping[int, Masses]) -> float:
    whole = float(sum(known.masses.values()))
    return _entropy(known.masses, whole) - sum(_entropy(masses, whole) for masses in after.values())


def _entropy(masses: Masses, whole: float) -> float:
    total = float(sum(masses.values()))
    return -sum(float(m) / whole * log2(float(m) / total) for m in masses.values() if m)


def worth_rule(model: Model) -> Rule:
    """Return the rule of the value of information, one step ahead (Gorry and Barnett 1968).

    It asks as if nothing but a decision came next: the test after which price and loss are least together, as
    long as that is less than to decide now.
    """

    def rule(known: Known) -> int | None:
        whole = sum(known.masses.values())
        least, found = loss(model, known.masses), None
        for test in range(len(model.chances)):
            if model.askable(test, known.asked):
                total = model.price(test, known.opened) * whole
                for answer, masses in parts(model, known, test).items():
                    total += 0 if answer in model.ending(test) else loss(model, masses)
                if total < least:
                    least, found = total, test
        return found

    return rule


def jia_rule(model: Model) -> Rule:
    """Return the adaptive greedy rule of Jia, Navidi, Nagarajan and Ravi (2019) for unknown outcomes.

    The weight of the answers but the one that leaves most causes, and the share of the causes that each
    answer rules out, weighted by its probability.
    """

    def score(known: Known, after: Mapping[int, Masses]) -> float:
        many = len(known.masses)
        sums = {answer: float(sum(masses.values())) for answer, masses in after.items()}
        largest = max(after, key=lambda answer: len(after[answer]))
        gain = sum(sums[answer] * (many - len(masses)) for answer, masses in after.items()) / (many - 1)
        return sum(sums.values()) - sums[largest] + gain

    def rule(known: Known) -> int | None:
        if model.settled(known.masses):
            return None
        return best_test(model, known, lambda _, after: score(known, after))

    return rule


class KeyRule:
    """The rule of DELTA's program KEY (Dallwitz 1974), where all characters are equally reliable.

    A character is the better the less is expected to be left, the sum over its states of (share of the
    abundance) x log2(taxa), with a penalty for taxa of several states, and 1 % less if it was used before.
    """

    def __init__(self, model: Model, *, vary: float = 0.8, reuse: float = 1.01) -> None:
        self.model, self.reuse, self.used = model, reuse, set[int]()
        self.varied = (1 - vary) / vary

    def __call__(self, known: Known) -> int | None:
        """Return the next character."""
        many = len(known.masses)
        if many == 1:
            return None
        best, found = float("inf"), None
        for test in range(len(self.model.chances)):
            if test in known.asked:
                continue
            left = self._left(known, test, many)
            if left is None:
                continue
            suited = (1 / self.reuse if test in self.used else 1) + left
            if suited < best:
                best, found = suited, test
        if found is not None:
            self.used.add(found)
        return found

    def _left(self, known: Known, test: int, many: int) -> float | None:
        """Return what is left after a character, in bits and penalty, or None: it is not suitable."""
        counts: dict[int, int] = {}
        masses: dict[int, float] = {}
        for cause, mass in known.masses.items():
            for answer in self.model.chances[test][cause]:
                counts[answer] = counts.get(answer, 0) + 1
                masses[answer] = masses.get(answer, 0.0) + float(mass)
        full = sum(count == many for count in counts.values())
        if len(counts) == 1 or full == len(counts):
            return None
        left = sum(masses[a] * log2(counts[a]) for a in counts) / sum(masses.values())
        again = sum(counts.values()) - many
        return left + self.varied * (1 + 100 * full) * again * (many + 8) / (many * log2(many))


def bisection(model: Model, stop: Fraction) -> Rule:
    """Return the rule of noisy binary search by posterior matching (Horstein 1963): ask at the median.

    Of the tests not asked yet it takes the one whose first answer is most nearly as likely as not, and
    decides once the best decision's expected loss is at most `stop`.
    """

    def rule(known: Known) -> int | None:
        whole = sum(known.masses.values())
        if loss(model, known.masses) <= stop * whole:
            return None

        def evenness(_: int, after: dict[int, Masses]) -> float:
            return -float(max(sum(masses.values()) for masses in after.values()) / whole)

        tests = [t for t in range(len(model.chances)) if t not in known.asked]
        return max(tests, key=lambda t: evenness(t, parts(model, known, t)), default=None)

    return rule


def in_order(tests: Sequence[int]) -> Rule:
    """Return the rule that asks these tests one after another, then decides."""
    return lambda known: next((test for test in tests if test not in known.asked), None)


def repair_order(model: Model) -> Fraction:
    """Return the expected cost of repairs in the order of probability over cost, with the best stop.

    No question is asked. Without service calls and with repairs that never fail it is the best order
    (Heckerman, Breese and Rommelse 1995).
    """
    repairs = [test for test in range(len(model.chances)) if model.ending(test)]

    def rate(test: int) -> Fraction:
        fixed = sum(
            weight * sum(chance for answer, chance in cell.items() if answer in model.ending(test))
            for weight, cell in zip(model.weights, model.chances[test], strict=True)
        )
        return Fraction(fixed) / Fraction(model.prices[test])

    order = sorted(repairs, key=rate, reverse=True)
    return min(valued(model, in_order(order[:many]))[0] for many in range(len(order) + 1))


# -- group testing ----------------------------------------------------------------------------------------


def nested(samples: int, infected: Fraction) -> Fraction:
    """Return the expected tests of the best nested scheme (Sobel and Groll 1959), each test a pool.

    Once a pool is infected, the next test takes some of it, until one infected sample is known.
    """
    clean = 1 - infected

    @cache
    def free(many: int) -> Fraction:
        if not many:
            return Fraction()
        return min(
            1 + clean**x * free(many - x) + (1 - clean**x) * within(x, many) for x in range(1, many + 1)
        )

    @cache
    def within(pool: int, many: int) -> Fraction:
        if pool == 1:
            return free(many - 1)
        some = 1 - clean**pool
        return min(
            1
            + (clean**x - clean**pool) / some * within(pool - x, many - x)
            + (1 - clean**x) / some * within(x, many)
            for x in range(1, pool)
        )

    return free(samples)


def hierarchical(samples: int, infected: Fraction, stages: int) -> Fraction:
    """Return the expected tests of the best scheme of so many stages (two: Dorfman 1943).

    The pools of a stage divide an infected pool of the stage before; all of them are tested.
    """
    clean = 1 - infected

    @cache
    def divided(size: int, left: int, within: int, *, infected_pool: bool) -> Fraction:
        """Return what the pools of a stage take that divide so many samples of a pool."""
        if not size:
            return Fraction()
        best = None
        for x in range(1, size + 1):
            if x > 1 and (left < 2 or (infected_pool and x == within)):
                continue
            chance = (1 - clean**x) / (1 - clean**within) if infected_pool else 1 - clean**x
            more = chance * divided(x, left - 1, x, infected_pool=True) if x > 1 else Fraction()
            total = 1 + more + divided(size - x, left, within, infected_pool=infected_pool)
            best = total if best is None else min(best, total)
        assert best is not None, "single samples always divide"
        return best

    return min(divided(samples, left, 0, infected_pool=False) for left in range(1, stages + 1))


# -- trees of other programs ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Branch:
    """A node of somebody else's tree: which yes/no column it asks, and what follows; None: a leaf."""

    column: int
    no: Branch | None
    yes: Branch | None


def tree_cost(
    model: Model, owner: Sequence[int], yes: Sequence[Sequence[bool]], tree: Branch | None, *, prune: bool
) -> Fraction:
    """Return exactly the expected cost of a tree of yes/no columns over examples without doubt.

    A leaf decides for the least loss. `owner`: the test that each column is part of; it is paid once on a
    path, so the other columns of a test are free. `prune`: whether a node becomes a leaf where that is
    cheaper (no cost-complexity pruning of the tree is better).
    """

    def value(
        node: Branch | None, causes: list[int], asked: frozenset[int], opened: frozenset[int]
    ) -> Number:
        if not causes:
            return 0
        masses = {cause: model.weights[cause] for cause in causes}
        end = loss(model, masses) if node is None or prune else None
        if node is None:
            assert end is not None
            return end
        test, column = owner[node.column], yes[node.column]
        paid = 0 if test in asked else model.price(test, opened) * sum(masses.values())
        sides = [c for c in causes if not column[c]], [c for c in causes if column[c]]
        after = asked | {test}, opened | model.group(test)
        total = paid + sum(
            value(below, side, *after) for below, side in zip((node.no, node.yes), sides, strict=True)
        )
        return total if end is None else min(end, total)

    root = value(tree, list(range(len(model.weights))), frozenset(), frozenset())
    return Fraction(root) / sum(model.weights)


def sklearn_tree(yes: Any, classes: Any, weights: Any, criterion: str, seed: int) -> Branch | None:
    """Return scikit-learn's tree, grown until nothing can be told apart.

    Parameters
    ----------
    yes, classes, weights: arrays of shape (examples, columns), (examples,), (examples,).
    """
    from sklearn.tree import DecisionTreeClassifier

    grown = DecisionTreeClassifier(criterion=criterion, random_state=seed)
    grown.fit(yes, classes, sample_weight=weights)
    shape = grown.tree_

    def branch(node: int) -> Branch | None:
        if shape.children_left[node] < 0:
            return None
        below = shape.children_left[node], shape.children_right[node]
        return Branch(int(shape.feature[node]), *map(branch, below))

    return branch(0)


def streed_tree(node: Any) -> Branch | None:
    """Return a tree of pystreed, whose left branch is no."""
    if node.is_leaf_node():
        return None
    return Branch(int(node.feature), streed_tree(node.left_child), streed_tree(node.right_child))
