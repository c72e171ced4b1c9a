"""The compiled search of models with noisy tests, and its plain twin: equal values."""

import math
import random
import threading
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from dichotomy import random_content
from random_models import hard, model_of, random_model

from guesstree.cext import reference_noisy
from guesstree.engine.errors import GameError
from guesstree.engine.noisy import float_model, oracle
from guesstree.engine.noisy.float_model import FloatModel
from guesstree.engine.noisy.model import Model
from guesstree.engine.tables.dichotomous import SplitTable

noisy = pytest.importorskip("guesstree.cext.noisy")

INFINITE = noisy.INFINITE


def given(seed: int, monkeypatch: pytest.MonkeyPatch) -> FloatModel:
    """Return a random model as arrays: integers, or shares of 1; for the average, or the worst case.

    Some paths have a limit of what they cost, or of how many tests they ask.
    """
    worst = seed % 3 == 0
    monkeypatch.setattr(float_model, "EXACT", 1 << 53 if seed % 2 or worst else 300)
    dice = random.Random(seed)
    found = FloatModel.of(random_model(dice), worst=worst)
    assert not found.rational and (found.whole or not (seed % 2 or worst))
    if dice.random() < 0.3:
        found.given["tests"] = dice.randint(0, 3)
    if dice.random() < 0.3 and not worst:
        found.given["limit"] = float(dice.randint(0, 20))
    return found


def near(found: float, value: float, error: float) -> bool:
    """Return whether a value is the same, but for what doubles may be off."""
    return found == value or abs(found - value) <= 2 * error * value


def paths(twin: Any, most: int) -> Iterator[tuple[tuple[int, int], ...]]:
    """Yield some ways to states, by tests that may help."""
    waiting: list[tuple[tuple[int, int], ...]] = [()]
    for history in waiting:
        yield history
        for test, after in twin.first_tests(history):
            waiting += [(*history, (test, answer)) for answer, _ in after]
        if len(waiting) > most:
            return


def test_threads_help_where_the_first_slices_do_not_settle_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A proof asks hundreds of searches that are over before a thread has begun."""
    started: list[threading.Thread] = []

    class Counted(threading.Thread):
        def start(self) -> None:
            started.append(self)
            super().start()

    monkeypatch.setattr(noisy, "Thread", Counted)
    model = model_of(["t,a,b,c", "x,1,1,2", "y,1,2,2"])
    searcher = noisy.Searcher(**FloatModel.of(model).given, jobs=3)
    found = searcher.search()
    assert searcher.evaluations > 0, "it is settled without a search"
    assert (found.lower, found.ended, started) == (found.upper, "", [])
    assert noisy.Searcher(**hard(), jobs=3).search(budget=20_000).ended == "budget"
    assert len(started) == 2 and not any(thread.is_alive() for thread in started)


def test_questions_of_two_answers_agree_with_the_twin(monkeypatch: pytest.MonkeyPatch) -> None:
    """Questions about one character depend on each other; values, bounds and first tests are the same."""
    for seed in range(60):
        dice = random.Random(seed)
        try:
            model = SplitTable("table:random", random_content(dice, decisions=seed % 4 == 3)).model
        except GameError:
            continue
        assert model is not None
        monkeypatch.setattr(float_model, "EXACT", 1 << 53 if seed % 2 else 300)
        found = FloatModel.of(model, worst=seed % 3 == 0)
        twin, error = reference_noisy.Searcher(**found.given), float(found.error)
        if found.rational:
            continue
        kernel, fresh = (noisy.Searcher(**found.given) for _ in range(2))
        for history in paths(twin, 12):
            least = twin.search(history).lower
            assert fresh.bound(history)[0] * 2.0**fresh.exponent <= least * (1 + 2 * error), (seed, history)
            assert near(kernel.search(history).lower * 2.0**kernel.exponent, least, error), (seed, history)
            assert set(dict(kernel.first_tests(history))) <= set(dict(twin.first_tests(history))), seed


@pytest.mark.parametrize("jobs", [1, 3])
def test_values_and_bounds_agree_with_the_twin(jobs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(240 // jobs):
        model = given(seed, monkeypatch)
        error = float(model.error)
        kernel = noisy.Searcher(**model.given, jobs=jobs)
        twin = reference_noisy.Searcher(**model.given)
        for history in paths(twin, 20):
            least = twin.search(history).lower
            lower, upper = kernel.bound(history)
            value = math.ldexp(least, -kernel.exponent)  # as the kernel counts it there
            assert lower <= value * (1 + 2 * error) and upper >= value * (1 - 2 * error), (seed, history)
            if value < INFINITE:
                below = kernel.search(history, beta=least / 2)
                assert value / 2 <= below.lower <= value * (1 + 2 * error), (seed, history)
                width = kernel.search(history, width=1)
                assert width.upper >= value * (1 - 2 * error), (seed, history)
            found = kernel.search(history)
            assert found.lower >= found.upper or found.lower == INFINITE
            assert near(found.lower, value, error) and near(found.upper, value, error), (seed, history)
            promised, exponent = dict(kernel.first_tests(history)), kernel.exponent
            for test, after in twin.first_tests(history):
                for answer, _ in after:
                    promise = math.ldexp(dict(promised.get(test, ())).get(answer, 0), exponent)
                    assert promise <= twin.search((*history, (test, answer))).lower * (1 + 2 * error), seed


def test_what_is_left_of_a_limit_belongs_to_the_state() -> None:
    """Both t0 and t1 leave c0, c1 and c2; what is left of 6 suffices to tell these apart after t0 alone."""
    rows = [
        "test,c0,c1,c2,c3,c4,cost",
        "t0,x,x,x,y,y,1",
        "t1,x,x,x,y,z,3",
        "t2,x,y,y,x,x,1",
        "t3,x,x,y,x,x,4",
    ]
    model = FloatModel.of(model_of([*rows, "t4,x,x,x,x,y,5"]), limited=True)
    for limit in range(4, 14):
        kernel, twin = (module.Searcher(**model.given, limit=limit) for module in (noisy, reference_noisy))
        for history in reversed([*paths(twin, 60)]):
            assert kernel.search(history)[:2] == twin.search(history)[:2], (limit, history)


def test_states_whose_value_is_plain_are_not_looked_up() -> None:
    """Once they were, under the key of another state: then a strategy seemed to take less than any does."""
    sure, one, two = {0: Fraction(1)}, Fraction(1, 10), Fraction(3, 10)
    model = Model(
        chances=(
            ({0: 1 - one, 1: one}, {0: 1 - one, 1: one}, {1: Fraction(1)}, {0: one, 1: 1 - one}),
            (sure, sure, {0: two, 1: 1 - two}, sure),
            (sure, {0: one, 1: 1 - one}, {1: Fraction(1)}, sure),
            (sure, {0: Fraction(1, 20), 1: Fraction(19, 20)}, sure, sure),
        ),
        weights=(1, 1, 1, 1),
        prices=(1, 1, 12, 22),
        losses=((150, 150, 150, 150), (10, 200, 200, 200)),
        groups=(None, None, 0, 0),
        later=(1, 1, 2, 12),
        ends=(frozenset(), frozenset(), frozenset(), frozenset({1})),
    )
    found = FloatModel.of(model)
    least = oracle.expected(model)
    assert found is not None
    assert least is not None
    for searcher in (noisy, reference_noisy):
        value = searcher.Searcher(**found.given).search(())
        assert value.lower == value.upper == Fraction("398.8") * found.unit == least * 4 * found.unit


def test_choices_make_a_strategy_of_that_value(monkeypatch: pytest.MonkeyPatch) -> None:
    def taken(state: Any, history: tuple[tuple[int, int], ...]) -> float:
        guess = searcher.choice(history)
        tests = len(twin.prices)
        if guess < 0 or guess >= tests:
            assert guess < 0 or twin.losses
            return twin.decided(state)[0]
        below = [
            taken(twin.split(state, guess, a), (*history, (guess, a))) for a in twin.answers(state, guess)
        ]
        return float(twin.total(state, guess, below))

    for seed in range(150):
        model = given(seed, monkeypatch)
        twin = reference_noisy.Searcher(**model.given)
        for searcher in (noisy.Searcher(**model.given), twin, noisy.Searcher(**model.given, memory=1)):
            value = searcher.search().upper
            if value < INFINITE:
                assert near(taken(twin.root, ()), value, float(model.error)), seed


def test_a_search_ends_when_it_is_told_and_then_knows_bounds() -> None:
    kernel = noisy.Searcher(**hard())
    spent = kernel.search(budget=3000)
    assert spent.ended == "budget" and 3000 <= kernel.evaluations <= 3001
    assert 0 < spent.lower < spent.upper < INFINITE and 0 <= spent.guess < 14
    timer = threading.Timer(0.2, kernel.stop)
    timer.start()
    found = kernel.search()
    timer.join()
    assert found.ended == "stopped"
    assert spent.lower <= found.lower < found.upper <= spent.upper
    assert kernel.seen()[:2] == kernel.bound() == (found.lower, found.upper)


def test_when_the_memory_is_full_the_value_is_the_same() -> None:
    dice, causes = random.Random(1), range(70)
    model = Model(
        chances=tuple(tuple({dice.randint(0, 1): Fraction(1)} for _ in causes) for _ in range(10)),
        weights=(1,) * len(causes),
        prices=tuple(dice.randint(1, 3) for _ in range(10)),
        losses=tuple(tuple(0 if cause % 5 == d else 30 + d for cause in causes) for d in range(5)),
    )
    kernel_given = FloatModel.of(model).given
    large, small = noisy.Searcher(**kernel_given), noisy.Searcher(**kernel_given, memory=1)
    assert large.search()[:2] == small.search()[:2]
    assert small.entries < 1000 < large.entries


def test_what_is_no_state_is_refused() -> None:
    for searcher in (noisy.Searcher(**hard()), reference_noisy.Searcher(**hard())):
        with pytest.raises(ValueError, match="test 0 cannot get answer 7 there"):
            searcher.bound(((0, 7),))
