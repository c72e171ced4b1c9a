"""Strategies of small models by brute force: random models of every mixture, a best tree, any tree."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

from models import ModelGame

from guesstree.api.strategy import Strategy
from guesstree.engine.exact import Number
from guesstree.engine.game import Game
from guesstree.engine.noisy.model import Model
from guesstree.engine.noisy.oracle import INFINITE
from guesstree.trees.noisy import build_noisy
from guesstree.trees.tree import Claims

History = Sequence[tuple[int, int]]


def random_model(dice: random.Random, most: int = 4) -> Model:
    """Return a model of a few causes and tests with any of odds, losses, groups, ends, after, failures."""
    causes, tests = range(dice.randint(2, most)), range(dice.randint(1, most))
    noise, groups, ends, after, failures = (dice.random() < 0.4 for _ in range(5))
    prices = tuple(dice.randint(0 if dice.random() < 0.2 else 1, 5) for _ in tests)

    def cell() -> dict[int, Fraction]:
        some = dice.sample(range(3), dice.choice([2, 3]) if noise and dice.random() < 0.5 else 1)
        odds = [dice.randint(1, 3) for _ in some]
        return {answer: Fraction(n, sum(odds)) for answer, n in zip(some, odds, strict=True)}

    # The last decision is allowed for every cause, so that there is a strategy.
    rows = [[dice.choice([None, 0, 0, 2, 7]) for _ in causes] for _ in range(dice.randint(0, 3))]
    rows.append([dice.randint(0, 20) for _ in causes])
    return Model(
        chances=tuple(tuple(cell() for _ in causes) for _ in tests),
        weights=tuple(dice.randint(1, 6) for _ in causes),
        prices=prices,
        cliques=True,
        losses=tuple(map(tuple, rows)) if dice.random() < 0.7 else None,
        groups=tuple(dice.choice([None, 0, 1]) for _ in tests) if groups else (),
        later=tuple(dice.randint(0, price) for price in prices) if groups else (),
        ends=tuple(frozenset(r for r in range(3) if dice.random() < 0.3) for _ in tests) if ends else (),
        after=tuple(frozenset(t for t in tests[:i] if dice.random() < 0.4) for i in tests) if after else (),
        failures=dice.choice([1, 2]) if failures else 0,
        silent=3 if failures else -1,
    )


def best(model: Model, objective: str) -> tuple[Number | float, Callable[[History], int]]:
    """Return the least expected total or worst case, and a strategy that reaches it, see `build_noisy`.

    Where tests may fail to answer, what is expected is also a strategy below one that did.
    """
    tests, adds = range(len(model.chances)), objective == "expected"

    def decide(masses: dict[int, Number]) -> tuple[Number | float, int]:
        if model.losses is None:
            return (0 if model.settled(masses) else INFINITE), len(tests)
        found: list[tuple[Number | float, int]] = []
        for number, row in enumerate(model.losses):
            lost = [(INFINITE if loss is None else loss, s) for s, loss in enumerate(row) if s in masses]
            each = [loss * masses[s] if adds else loss for loss, s in lost]
            found.append((sum(each) if adds else max(each), len(tests) + number))
        return min(found)

    def after(masses: dict[int, Number], test: int, answer: int) -> dict[int, Number]:
        cells = model.chances[test]
        return {s: m * cells[s][answer] if adds else 1 for s, m in masses.items() if answer in cells[s]}

    def split(masses: dict[int, Number], test: int) -> list[dict[int, Number]]:
        answers = sorted({r for s in masses for r in model.chances[test][s]} - model.ending(test))
        return [after(masses, test, answer) for answer in answers]

    @cache
    def value(
        here: tuple[tuple[int, Number], ...], asked: frozenset[int], opened: frozenset[int], failures: int
    ) -> tuple[Number | float, int]:
        masses = dict(here)
        least = decide(masses)
        for test in tests:
            if model.askable(test, asked):
                known, groups = asked | {test}, opened | model.group(test)
                below = [value(tuple(p.items()), known, groups, failures)[0] for p in split(masses, test)]
                price = model.price(test, opened)
                silent = value(here, known, groups, failures - 1)[0] if failures else 0
                if adds:
                    # A strategy must go on where a test fails to answer, though that counts in no average.
                    total = sum(below) + price * sum(masses.values()) if silent < INFINITE else INFINITE
                else:
                    total = price + max([silent, *below])
                least = min(least, (total, test))
        return least

    root = tuple((s, w if adds else 1) for s, w in enumerate(model.weights))

    def choose(history: History) -> int:
        masses, asked, opened, failures = dict(root), frozenset[int](), frozenset[int](), model.failures
        for test, answer in history:
            asked, opened = asked | {test}, opened | model.group(test)
            if failures and answer == model.silent:
                failures -= 1
            else:
                masses = after(masses, test, answer)
        return value(tuple(masses.items()), asked, opened, failures)[1]

    return value(root, frozenset(), frozenset(), model.failures)[0], choose


def best_strategy(known: Model | Game, objective: str) -> Strategy | None:
    """Return a strategy that reaches the least value of a model, which it claims; None: there is none."""
    game = ModelGame(known) if isinstance(known, Model) else known
    assert game.model is not None
    value, choose = best(game.model, objective)
    if value == INFINITE:
        return None
    return Strategy.of(build_noisy(game, choose, Claims(objective, "exact", (value,), (value,))))


def judged(game: Game, nodes: Sequence[dict[str, Any]]) -> dict[str, Number] | None:
    """Return what the nodes of a strategy file come to, by plain recursion over them; None: not valid."""
    model = game.model
    assert model is not None
    most = dict.fromkeys(range(len(model.weights)), 0)
    sums = {"cost": Fraction(), "loss": Fraction(), "tests": Fraction(), "worst": Fraction()}
    seen = set[int]()

    def end(
        node: dict[str, Any], masses: dict[int, Fraction], over: bool
    ) -> tuple[Number | None, ...] | None:
        """Return what a leaf loses for each secret; None: it may not be there."""
        if "over" in node or "decide" in node:
            free: tuple[Number | None, ...] = (0,) * len(most)
            if ("over" in node) != over:
                return None
            return free if over else (model.losses or ())[game.decisions.index(node["decide"])]
        named = {game.secrets.index(s) for s in node.get("secrets", [node.get("secret")])}
        fits = over or (model.losses is None and model.settled(named))
        return (0,) * len(most) if named == set(masses) and fits else None

    def follow(
        at: int,
        masses: dict[int, Fraction],
        history: tuple[tuple[int, int], ...],
        paid: Number,
        failures: int,
    ) -> bool:
        node, model = nodes[at], game.model
        assert model is not None
        seen.add(at)
        over = bool(history) and history[-1][1] in model.ending(history[-1][0])
        certain = failures == model.failures
        if "guess" not in node:
            losses = end(node, masses, over)
            if losses is None or any(losses[s] is None for s in masses):
                return False
            for s, mass in masses.items():
                loss = losses[s] or 0
                sums["worst"] = max(sums["worst"], Fraction(paid + loss))
                most[s] = max(most[s], len(history))
                sums["cost"] += mass * (paid + loss) * certain
                sums["loss"] += mass * loss * certain
                sums["tests"] += mass / model.weights[s] * len(history) * certain
            return True
        test = game.guesses.index(node["guess"])
        asked = {one for one, _ in history}
        if over or not model.askable(test, asked):
            return False
        paid += model.price(test, {group for one in asked for group in model.group(one)})
        below = {game.responses.index(label): child for label, child in node.get("children", {}).items()}
        cells = model.chances[test]
        met = {r for s in masses for r in cells[s]} | ({model.silent} if failures else set())
        return met == below.keys() and all(
            follow(
                below[r],
                masses
                if r == model.silent
                else {s: m * cells[s][r] for s, m in masses.items() if r in cells[s]},
                (*history, (test, r)),
                paid,
                failures - (r == model.silent),
            )
            for r in met
        )

    valid = follow(0, {s: Fraction(w) for s, w in enumerate(model.weights)}, (), 0, model.failures)
    histogram = {f"{n}": list(most.values()).count(n) for n in most.values()}
    return {**sums, **histogram} if valid and len(seen) == len(nodes) else None
