"""Simulated workers: the same value as ever, time as the clock of a campaign would have it."""

from concurrent.futures import Future
from dataclasses import dataclass
from functools import cache, partial

import pytest

from guesstree.engine.campaign.simulation import (
    Efforts,
    Losses,
    Overheads,
    Replaying,
    SimulatedWorkers,
    simulate,
)
from guesstree.engine.campaign.worker import Order
from guesstree.engine.objective import OBJECTIVES
from guesstree.engine.problem import Problem
from guesstree.engine.registry import parse
from guesstree.engine.search.solve import solve

EFFORTS = Efforts(claim=0.01, evaluation=1e-3)  # as if it took long


@cache
def replaying(spec: str) -> Replaying:
    return Replaying(Order.of(Problem(parse(spec), OBJECTIVES["expected"]), 1 << 28, 1), EFFORTS)


@pytest.mark.parametrize("spec", ["mastermind:4x5", "bulls:4x6"])
@pytest.mark.parametrize("losses", [Losses(), Losses(1.0, 0.5, 0.2, 0.01, 0.1)])
def test_any_number_of_workers_comes_to_the_same_value(spec: str, losses: Losses) -> None:
    worker = replaying(spec)
    (value,) = solve(worker.problem.game, "expected").upper
    runs = [simulate(worker.problem, n, lambda: worker, Overheads(), losses) for n in (1, 4, 50)]
    for run in runs:
        assert run.lower == run.upper == value
        assert run.searched <= run.workers * run.seconds
        assert (run.lost > 0) == (losses.life > 0)
    again = simulate(worker.problem, 4, lambda: worker, Overheads(), losses)
    assert again == runs[1]


def test_more_workers_take_less_time_and_messages_take_some() -> None:
    worker = replaying("mastermind:4x5")
    one, four = (simulate(worker.problem, n, lambda: worker) for n in (1, 4))
    assert four.seconds < one.seconds
    assert simulate(worker.problem, 4, lambda: worker, Overheads(message=0.5)).seconds > four.seconds + 1
    measured = simulate(worker.problem, 4, lambda: worker, Overheads(task=None))
    assert 0 < measured.coordinated < measured.seconds


@dataclass(frozen=True)
class Slept:
    seconds: float


def done(futures: list[Future[Slept]]) -> list[bool]:
    return [future.done() for future in futures]


def test_tasks_wait_for_the_next_worker_that_is_free() -> None:
    worker = replaying("mastermind:4x5")
    workers = SimulatedWorkers(2, lambda: worker, Overheads(message=1.0, task=0.0), Losses())
    futures = [workers.submit(partial(Slept, seconds)) for seconds in (10.0, 4.0, 3.0)]
    for until, ended in [(6.0, [1]), (9.0, [1, 2]), (12.0, [0, 1, 2])]:
        workers.wait(100.0)
        assert workers.time == until
        assert done(futures) == [i in ended for i in range(3)]
    workers.wait(5.0)
    assert (workers.time, workers.searched, workers.longest) == (17.0, 17.0, 10.0)


def test_a_worker_that_is_lost_costs_its_task_and_another_comes() -> None:
    worker = replaying("mastermind:4x5")
    losses = Losses(share=1.0, at=3.0, noticed=2.0, absent=10.0)
    workers = SimulatedWorkers(1, lambda: worker, Overheads(message=0.0, task=0.0), losses)
    lost, waiting = workers.submit(partial(Slept, 5.0)), workers.submit(partial(Slept, 5.0))
    workers.wait(100.0)
    assert workers.time == 5.0
    assert lost.exception() is not None
    workers.wait(100.0)
    assert workers.time == 3.0 + 10.0 + 5.0
    assert waiting.result() == Slept(5.0)
    assert (workers.searched, workers.lost) == (5.0, 13.0)
