"""Campaigns: the same optimum whoever works, whatever is lost, late or told twice, and after any restart."""

import random
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, nullcontext
from typing import Any

import numpy as np
import pytest
from effort import tries
from hypothesis import given
from hypothesis import strategies as st
from ruled import ruled_game
from tables import asked_objectives, games, priced_games

from guesstree.api.strategy import strategy_of
from guesstree.engine.campaign import worker
from guesstree.engine.campaign.messages import INFINITE, NodeId, Report, Task
from guesstree.engine.campaign.session import ClaimSession
from guesstree.engine.campaign.store import MemoryStore
from guesstree.engine.campaign.tree import BudgetPolicy, ClaimTree
from guesstree.engine.errors import GameError, GuesstreeError, Infeasible
from guesstree.engine.exact import Value
from guesstree.engine.game import Game
from guesstree.engine.objective import OBJECTIVES, WITHOUT_BUDGET
from guesstree.engine.oracle import best, front, least, worst_with_lies
from guesstree.engine.problem import Problem
from guesstree.engine.registry import game_of
from guesstree.engine.search.deadline import Deadline
from guesstree.engine.search.solve import claim_space, solve
from guesstree.engine.tables.table import TableGame
from guesstree.trees.check import check


class AtOnce(Executor):
    """Does what is submitted when it is submitted."""

    def __init__(self) -> None:
        self.asked: list[Task] = []

    def submit(self, call: Callable[..., Any], /, *arguments: Any, **_: Any) -> Future[Any]:
        future: Future[Any] = Future()
        if call is worker.settle:
            self.asked += arguments[1]
        try:
            future.set_result(self.done(call, arguments))
        except BrokenProcessPool as error:
            future.set_exception(error)
        return future

    def done(self, call: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        return call(*arguments)


class Unreliable(AtOnce):
    """Loses some tasks, tells of others but a part, and of some what it told before."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.dice, self.old = random.Random(seed), tuple[Report, ...]()

    def done(self, call: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        if self.dice.random() < 0.3:
            raise BrokenProcessPool("a worker is gone")
        result = call(*arguments)
        if call is worker.settle:
            self.old, result = result, result[: self.dice.randint(0, len(result))] + self.old
        return result


class Cut(AtOnce):
    """Works for so many tasks; then Ctrl-C is pressed."""

    def __init__(self, tasks: int) -> None:
        super().__init__()
        self.left = tasks

    def done(self, call: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        self.left -= 1
        if self.left < 0:
            raise KeyboardInterrupt
        return call(*arguments)


@contextmanager
def fine() -> Iterator[None]:
    """Have everything split that can be split."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BudgetPolicy, "budget", 1)
        patch.setattr(
            BudgetPolicy, "expected", lambda _, size, branch: INFINITE if size > 4 and not branch else 0
        )
        yield


def made(answers: Any) -> TableGame:
    tests, causes = [f"t{i}" for i in range(len(answers))], [f"c{i}" for i in range(answers.shape[1])]
    return TableGame("some", tests, causes, answers.astype(str).tolist(), None)


def some_table(dice: np.random.Generator, most: int) -> TableGame:
    """Return tests of 2 to 4 answers that tell all of up to so many causes apart."""
    while True:
        tests, causes, kinds = (int(n) for n in dice.integers((4, most // 2, 2), (12, most, 5)))
        answers = dice.integers(0, kinds, (tests, causes))
        if len(np.unique(answers, axis=1).T) == causes:
            return made(answers)


def campaign(
    game: Game | str,
    objective: str,
    executor: Executor,
    workers: int = 1,
    lies: int = 0,
    jobs: int = 1,
    **limits: Any,
) -> ClaimSession:
    problem = Problem(game_of(game), OBJECTIVES[objective], **limits)
    return ClaimSession(
        claim_space(problem, lies), MemoryStore(), executor, workers, Deadline(None), jobs=jobs
    )


def value(solved: Callable[..., Any], *arguments: Any, **options: Any) -> tuple[int, ...] | None:
    """Return the optimum that is found, of which the strategy is checked; None: there is no strategy."""
    try:
        found = solved(*arguments, **options)
    except Infeasible:
        return None
    report = check(found.game, strategy_of(found))
    assert report.valid
    figures = {"expected": report.total, "worst": report.worst}
    assert found.lower == found.upper == tuple(figures[part] for part in found.objective.split(","))
    return found.upper


@pytest.mark.parametrize("objective", WITHOUT_BUDGET)
@pytest.mark.parametrize("goal", ["win", "identify"])
@pytest.mark.parametrize(
    "spec", ["mastermind:3x4", "bulls:3x5", "blackpeg:3x3", "mastermind:6x2", "blackpeg:5x2"]
)
def test_codes_are_settled_as_by_the_search(spec: str, goal: str, objective: str) -> None:
    expected = value(solve, spec, objective, goal=goal)
    with fine():
        split = campaign(spec, objective, AtOnce(), 3, goal=goal)
        assert value(split.solve) == expected
    assert value(campaign(spec, objective, AtOnce(), goal=goal).solve) == expected


@pytest.mark.parametrize(
    ("spec", "objective", "lies"),
    [("mastermind:4x5", "expected", 0), ("mastermind:4x5", "worst", 0), ("mastermind:2x3", "worst", 1)],
)
def test_workers_of_several_threads_settle_the_same(spec: str, objective: str, lies: int) -> None:
    expected = value(solve, spec, objective, lies=lies)
    with fine():
        split = campaign(spec, objective, AtOnce(), 2, lies, jobs=3)
        assert value(split.solve) == expected


def test_tables_are_settled_as_by_the_oracle() -> None:
    dice = np.random.default_rng(5)
    for _ in range(10):
        game = some_table(dice, 14)
        pairs = front(game, "identify")
        for objective, parts in WITHOUT_BUDGET.items():
            depth = int(dice.integers(2, 7)) if dice.random() < 0.3 else None
            with fine():
                found = value(campaign(game, objective, AtOnce(), 2, max_depth=depth).solve)
            assert found == best(pairs, parts.figures, depth), (objective, depth)


@tries(1.5)
@given(priced_games(), asked_objectives(), st.booleans(), st.booleans(), st.integers(0, 5))
def test_costs_are_settled_as_by_the_oracle(
    game: TableGame, asked: dict[str, Any], identify: bool, split: bool, seed: int
) -> None:
    goal = "identify" if identify or game.winning is None else "win"
    executor = Unreliable(seed) if seed else AtOnce()
    try:
        shared = campaign(game, executor=executor, workers=2, goal=goal, **asked)
    except GameError as error:
        assert "apart" in str(error)
        return
    with fine() if split else nullcontext():
        assert optimum(shared) == least(game, goal=goal, **asked)


def settled_as_by_the_oracle(game: TableGame, lies: int, identify: bool, split: bool, seed: int) -> None:
    goal = "identify" if identify or game.winning is None else "win"
    executor = Unreliable(seed) if seed else AtOnce()
    expected = worst_with_lies(game, goal, lies, most := {1: 6, 2: 5}[lies])
    try:
        with fine() if split else nullcontext():
            found = optimum(campaign(game, "worst", executor, 2, lies, goal=goal))
    except GameError as error:
        assert "apart" in str(error)
        found = None
    assert found == (expected,) if expected is not None else found is None or found[0] > most


LYING = st.tuples(st.integers(1, 2), st.booleans(), st.booleans(), st.integers(0, 5))


@tries(1.5)
@given(games(most_secrets=4, most_extra=3), LYING)
def test_lies_are_settled_as_by_the_oracle(game: TableGame, how: Any) -> None:
    settled_as_by_the_oracle(game, *how)


@pytest.mark.long
@given(games(most_secrets=5, most_extra=4), LYING)
def test_lies_of_larger_tables_are_settled_as_by_the_oracle(game: TableGame, how: Any) -> None:
    settled_as_by_the_oracle(game, *how)


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize(("costs", "weights"), [(1 << 44, 1), (1 << 47, 1), (1 << 50, 1), (1, 1 << 24)])
def test_values_too_large_for_claims_are_refused(costs: int, weights: int, objective: str) -> None:
    dice, budget = (
        np.random.default_rng(costs),
        {"budget": 4 * costs} if objective == "win-probability" else {},
    )
    for _ in range(3):
        game = some_table(dice, 5)
        game.costs = costs * dice.integers(1, 5, (len(game.guesses), len(game.responses)))
        game.weights = (weights * dice.integers(1, 4, len(game.secrets))).tolist()
        expected = least(game, goal="identify", objective=objective, **budget)
        assert expected is not None
        try:
            assert optimum(campaign(game, objective, AtOnce(), 2, goal="identify", **budget)) == expected
        except GuesstreeError as error:
            assert f" {INFINITE} " in str(error) and "too much for several workers" in str(error)
            lost = expected[0] * (sum(game.weights) * 4 * costs + 1) if budget else 0
            assert max(lost, *expected, 4 * costs) >= INFINITE
        else:
            assert max(expected) < INFINITE


def optimum(shared: ClaimSession) -> tuple[Value, ...] | None:
    """Return the optimum, after the tree has passed the checker; None: there is no strategy."""
    try:
        found = shared.solve()
    except Infeasible:
        return None
    assert found.optimal, (found.lower, found.upper)
    report = check(found.game, strategy_of(found))
    assert report.valid, report.messages()
    return found.upper


@pytest.mark.long
def test_larger_tables_are_settled_as_by_the_search() -> None:
    dice, splits = np.random.default_rng(7), 0
    for _ in range(6):
        game = some_table(dice, 60)
        for objective in WITHOUT_BUDGET:
            with fine():
                run = campaign(game, objective, AtOnce(), 2)
                assert value(run.solve) == value(solve, game, objective), objective
            splits += sum(node.split is not None for tree in run.trees for node in tree.states.values())
    assert splits > 100


@pytest.mark.parametrize("limits", [{"first": "1234"}, {"candidates_only": True}, {"max_depth": 4}])
def test_limits_are_kept(limits: dict[str, Any]) -> None:
    for objective in ("expected", "worst,expected"):
        expected = value(solve, "bulls:4x5", objective, **limits)
        with fine():
            assert value(campaign("bulls:4x5", objective, AtOnce(), 2, **limits).solve) == expected


def test_what_may_be_asked_follows_the_history() -> None:
    for seed in range(4):
        game = ruled_game(seed)
        with fine():
            assert value(campaign(game, "expected", AtOnce(), 2).solve) == value(solve, game)


@pytest.mark.parametrize("objective", WITHOUT_BUDGET)
def test_what_is_lost_or_told_twice_does_no_harm(objective: str) -> None:
    expected = value(solve, "mastermind:3x4", objective)
    for seed in range(3):
        with fine():
            assert value(campaign("mastermind:3x4", objective, Unreliable(seed), 4).solve) == expected


def test_bounds_hold_at_any_time_in_any_order() -> None:
    problem, dice = Problem(game_of("mastermind:3x4"), OBJECTIVES["expected"]), random.Random(1)
    least = solve("mastermind:3x4").upper[0]
    order = worker.Order.of(problem, None, 1).packed()
    with fine():
        tree = ClaimTree(claim_space(problem), MemoryStore(), "total", problem.max_depth, BudgetPolicy(1000))
        waiting: list[Task] = []
        while not tree.done:
            waiting += [ask for asks in tree.next(20) for ask in asks]
            dice.shuffle(waiting)
            for told in worker.settle(order, (waiting.pop(),)):
                tree.learn(told)
                assert tree.root.lower <= least <= tree.root.upper
    assert tree.root.lower == least == tree.root.upper


@pytest.mark.parametrize("tasks", [0, 1, 5, 20, 60])
def test_a_restart_asks_nothing_twice(tasks: int) -> None:
    kept, spec = MemoryStore(), "mastermind:3x4"
    problem = Problem(game_of(spec), OBJECTIVES["expected"])
    with fine():
        cut = ClaimSession(claim_space(problem), kept, first := Cut(tasks), 2, Deadline(None))
        if tasks:
            found = cut.solve()
            assert found.stopped == ("interrupt" if found.lower < found.upper else "")
        settled = {place: known.lower for place, known in kept.all()}
        again = ClaimSession(claim_space(problem), kept, second := AtOnce(), 2, Deadline(None))
        assert again.solve().lower == solve(spec).lower
    reached = [ask for ask in first.asked if 0 < ask.bound <= settled.get(ask.node, 0)]
    assert not {ask.node for ask in reached} & {ask.node for ask in second.asked if not ask.width}


def test_a_thread_ends_when_the_time_is_up() -> None:
    problem = Problem(game_of("mastermind:5x6"), OBJECTIVES["expected"])  # minutes: no machine is too fast
    with ThreadPoolExecutor(1) as executor:
        found = ClaimSession(claim_space(problem), MemoryStore(), executor, 1, Deadline(0.4)).solve()
    assert found.stopped == "time"
    assert found.lower[0] < 36721 <= found.upper[0]
    assert check(found.game, strategy_of(found)).total == found.upper[0]


def test_workers_that_always_fail_are_given_up() -> None:
    class Gone(AtOnce):
        def done(self, *_: Any) -> Any:
            raise BrokenProcessPool("gone")

    with pytest.raises(GuesstreeError, match="tasks were lost in a row"):
        campaign("mastermind:3x4", "expected", Gone()).solve()


def test_a_beam_tells_a_strategy_and_no_bound() -> None:
    problem = Problem(game_of("mastermind:4x4"), OBJECTIVES["expected"])
    order = worker.Order.of(problem, None, 1).packed()
    place = NodeId((), "total", problem.max_depth)
    (beam,) = worker.settle(order, (Task(place, INFINITE, width=1),))
    assert beam.lower == 0
    assert solve("mastermind:4x4").upper[0] <= beam.upper < INFINITE
    assert beam.choices
