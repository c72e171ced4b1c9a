"""Advice that is followed to the last state takes what exhaustive search says, for every objective."""

import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest
from effort import some_of, tries
from hypothesis import given
from hypothesis import strategies as st
from models import ModelGame
from random_models import random_model
from tables import games, priced_games

from guesstree import table
from guesstree.api.advisor import Advisor
from guesstree.engine import oracle as exhaustive
from guesstree.engine.advice.evidence import UNKNOWN, Evidence
from guesstree.engine.advice.position import Position, paid_on
from guesstree.engine.errors import GuesstreeError
from guesstree.engine.game import Game
from guesstree.engine.noisy import oracle
from guesstree.engine.noisy.model import Model

Met = Counter[str]


def value(model: Model) -> Fraction | None:
    """Return what the objective of advice is at least, by exhaustive search."""
    return oracle.worst(model) if model.failures else oracle.expected(model)


def lost(evidence: Evidence, decision: int) -> Fraction:
    """Return what a decision loses, from the table alone."""
    losses = (evidence.model.losses or ())[decision]
    each = [(losses[cause], evidence.posterior[cause]) for cause in evidence.possible]
    if evidence.model.failures:
        return max(Fraction(loss) for loss, _ in each if loss is not None)
    return sum((p * loss for loss, p in each if loss is not None), Fraction())


def followed(evidence: Evidence, met: Met) -> Fraction:
    """Return what it takes to do what is advised until the end, whatever is answered."""
    if evidence.finished:
        met["over" if evidence.over else "named"] += 1
        return Fraction()
    advice = evidence.advise()
    if advice.decision >= 0:
        met["decided" if evidence.left[1] else "decided when all is asked"] += 1
        assert evidence.decision == (advice.decision, advice.upper)
        return lost(evidence, advice.decision)
    outlook = evidence.outlook(advice.test)
    after = [(share, evidence.after(advice.test, answer)) for answer, share in outlook.answers.items()]
    if not evidence.model.failures:
        met["asked"] += 1
        return outlook.price + sum((share * followed(one, met) for share, one in after), Fraction())
    if evidence.left[0].failures:
        met["failed"] += 1
        after.append((Fraction(), evidence.after(advice.test, UNKNOWN)))
    return outlook.price + max(followed(one, met) for _, one in after)


def judge(seed: int, met: Met) -> None:
    """Follow advice from the beginning, and from a state that anybody may come to."""
    dice = random.Random(seed)
    model = random_model(dice)
    if dice.random() < 0.7 and model.losses is not None:  # so high that it is worth to ask
        losses = tuple(tuple(6 * (5 if x is None else x) for x in row) for row in model.losses)
        model = replace(model, losses=losses, failures=dice.randint(0, 2), silent=3)
    evidence = Evidence(ModelGame(model))
    least = value(model)
    while True:
        if least is None:
            with pytest.raises(GuesstreeError):
                followed(evidence, met)
            met["nothing"] += 1
        else:
            assert followed(evidence, met) == least, (seed, evidence)
        if evidence.finished or not evidence.askable:
            return
        test = dice.choice(evidence.askable)
        evidence = evidence.after(test, dice.choice([UNKNOWN, *evidence.outlook(test).answers]))
        left = evidence.left[0]
        # Once no test may fail any more it is the worst case that counts, nevertheless.
        kind = oracle.worst if model.failures else oracle.expected
        least = Fraction() if evidence.over else kind(left)


def test_advice_where_tests_err_is_worth_what_the_oracle_says() -> None:
    met = Met()
    for seed in (1205, 1579, 1608, 1712, 2105, *range(30)):
        judge(seed, met)
    assert len(met) == 7 and min(met.values()) > 3, met


@pytest.mark.long
def test_advice_where_tests_err_on_many_tables() -> None:
    for seed in some_of(range(1000, 2500)):
        judge(seed, Met())


def test_the_worst_case_counts_where_nothing_is_left_to_ask() -> None:
    cells = {"lamp": {"fuse": "dark", "bulb": "bright"}}
    losses = {"keep": {"fuse": 100, "bulb": 0}, "stop": {"fuse": 50, "bulb": 50}}
    game = table(cells, weights={"fuse": 1, "bulb": 18}, losses=losses, failures=1, name="car")
    advice = Evidence(game, "lamp:?").advise()
    assert (game.decisions[advice.decision], advice.lower, advice.upper) == (
        "stop",
        Fraction(50),
        Fraction(50),
    )
    assert Evidence(game).decision == (1, Fraction(50))
    assert Evidence(game).loss("keep") == 100
    assert Evidence(game).outlook("lamp").loss == 50  # it may fail to answer
    certain = Evidence(table(cells, weights={"fuse": 1, "bulb": 18}, losses=losses, name="car"), "lamp:?")
    assert certain.decision == (0, Fraction(100, 19))


# -- tests that get one answer ------------------------------------------------------------------------------


def followed_for(game: Game, advisor: Advisor, secret: int, goal: str) -> tuple[tuple[int, int], ...]:
    """Return the guesses and responses of a game that goes as it is advised, until it is over or lost."""
    position = Position(game, goal=goal)
    while not (position.finished or position.lost):
        guess = advisor.best(position)
        position = position.after(guess, game.respond(guess, secret))
    return position.history


@tries(0.3)
@given(st.one_of(games(5, 3), priced_games(5, 3)))
def test_exact_advice_is_worth_what_the_oracle_says(game: Game) -> None:
    goal = "identify" if game.winning is None else "win"
    front = exhaustive.front(game, goal)
    if not front:
        return
    advisor, total = Advisor(game, "exact", goal=goal), 0
    for secret in range(len(game.secrets)):
        weight = 1 if game.weights is None else game.weights[secret]
        total += weight * paid_on(game, followed_for(game, advisor, secret, goal))
    assert (total,) == exhaustive.best(front, ("total",))


@tries(0.3)
@given(priced_games(5, 3, win=True), st.integers(0, 8))
def test_exact_advice_within_a_budget_is_worth_what_the_oracle_says(game: Game, budget: int) -> None:
    game.budget = budget
    if not exhaustive.front(game, "win"):
        return
    advisor, missed, total = Advisor(game, "exact", goal="win"), 0, 0
    for secret in range(len(game.secrets)):
        weight = 1 if game.weights is None else game.weights[secret]
        steps = followed_for(game, advisor, secret, "win")
        won = paid_on(game, steps) <= budget
        missed += 0 if won else weight
        total += weight * paid_on(game, steps) if won else 0
    assert (missed, total) == exhaustive.least_lost(game, "win", budget)


@tries(0.1)
@given(games(3, 2), st.integers(1, 2))
def test_exact_advice_against_lies_is_worth_what_the_oracle_says(game: Game, lies: int) -> None:
    goal = "identify" if game.winning is None else "win"
    least = exhaustive.worst_with_lies(game, goal, lies, 9)
    if least is None:
        return
    advisor = Advisor(game, "exact", goal=goal, lies=lies)

    def most(position: Position) -> int:
        if position.finished:
            return 0
        guess, found = advisor.best(position), 0
        for response in range(len(game.responses)):
            try:
                found = max(found, most(position.after(guess, response)))
            except GuesstreeError:  # nobody could give it
                continue
        return 1 + found

    assert most(Position(game, goal=goal, lies=lies)) == least
