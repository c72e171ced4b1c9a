"""What a strategy of a model takes, by following every path with the probabilities themselves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from guesstree.engine.exact import Number
from guesstree.engine.noisy.model import Model

History = tuple[tuple[int, int], ...]


def taken(model: Model, choose: Callable[[Sequence[tuple[int, int]]], int]) -> tuple[Fraction, Fraction]:
    """Return the expected cost and the worst case of a strategy; fail where it does what is not allowed."""
    tests, total, worst = len(model.chances), Fraction(0), Fraction(0)
    waiting: list[tuple[History, tuple[Number, ...], frozenset[int], int, Number]] = [
        ((), tuple(model.weights), frozenset(), model.failures, 0)
    ]
    while waiting:
        history, masses, opened, failures, paid = waiting.pop()
        causes = [cause for cause, mass in enumerate(masses) if mass]
        asked = frozenset(test for test, _ in history)
        if history and history[-1][1] in model.ending(history[-1][0]):
            worst = max(worst, Fraction(paid))
            continue
        if model.losses is None and model.settled(causes):
            worst = max(worst, Fraction(paid))
            continue
        choice = choose(history)
        if choice >= tests:
            assert model.losses is not None
            for cause in causes:
                loss = model.losses[choice - tests][cause]
                assert loss is not None
                worst = max(worst, Fraction(paid) + loss)
                total += 0 if any(answer == model.silent for _, answer in history) else masses[cause] * loss
            continue
        assert model.askable(choice, asked)
        price, after = model.price(choice, opened), opened | model.group(choice)
        if all(answer != model.silent for _, answer in history):
            total += sum(masses) * price
        rows = model.chances[choice]
        for answer in sorted({answer for cause in causes for answer in rows[cause]}):
            split = tuple(m * row.get(answer, 0) for m, row in zip(masses, rows, strict=True))
            waiting.append(((*history, (choice, answer)), split, after, failures, paid + price))
        if failures:
            waiting.append(((*history, (choice, model.silent)), masses, after, failures - 1, paid + price))
    return total / sum(model.weights), worst
