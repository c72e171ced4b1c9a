"""A strategy as its reader sees it: causes, ends and answers, not completions, leaves and nodes."""

import random
from dataclasses import replace
from fractions import Fraction

from random_models import model_of, noisy_game
from strategies import best_strategy, random_model

import guesstree
from guesstree.api.strategy import strategy_of
from guesstree.engine.search.solve import solve
from guesstree.engine.tables.table import TableGame
from guesstree.trees.figures import figures_of
from guesstree.trees.outline import Branch, outline

HOLLY = {
    "leaf": {"beech": "simple", "birch": "simple", "rowan": "compound", "holly": "simple"},
    "edge": {"beech": "smooth", "birch": "toothed", "rowan": "toothed", "holly": None},
    "evergreen": {"beech": "no", "birch": "no", "rowan": "no", "holly": "yes"},
}


def test_a_cause_with_empty_cells_is_one_cause() -> None:
    game = guesstree.table(HOLLY, missing="any", weights=[1, 1, 1, 3])
    strategy = guesstree.solve(game, "worst").strategy
    found = outline(game, strategy)
    assert found.steps[0].causes == 4
    assert not [step for step in found.steps if step.question.startswith("it is")]
    named = [name for step in found.steps for name in step.names]
    assert set(named) == {"beech", "birch", "rowan", "holly"}
    for at, step in enumerate(found.steps):
        assert found.share(at) == sum(
            (found.share(b.step) for b in step.branches), Fraction(0 if step.branches else found.share(at))
        )
        ends = [found.steps[b.step].names for b in step.branches if found.steps[b.step].names]
        assert len(set(ends)) == len(ends)
        assert all(found.steps[b.step].parent == at for b in step.branches)
    assert sum(
        found.share(at) for at, step in enumerate(found.steps) if step.names == ("holly",)
    ) == Fraction(1, 2)


def test_answers_with_the_same_end_are_one_branch() -> None:
    game = guesstree.table(
        {
            "place": {"a": "in", "b": "in", "c": "out", "d": "up"},
            "colour": {"a": "red", "b": None, "c": "blue", "d": "green"},
            "size": {"a": "1", "b": "2", "c": "1", "d": "1"},
        },
        missing="any",
        costs={"place": 1, "colour": 5, "size": 50},
    )
    found = outline(game, guesstree.solve(game).strategy)
    assert found.steps[0].question == "place"
    colour = next(step for step in found.steps if step.question == "colour")
    ends = {found.steps[b.step].names: b.answers for b in colour.branches}
    assert ends == {(): ("red",), ("b",): ("blue", "green")}
    assert colour.causes == 2
    assert found.names_below(0) == ["a", "b", "c", "d"]
    assert sum(step.weight for step in found.steps if step.names == ("b",)) == 3


def test_to_win_the_winning_response_is_a_branch() -> None:
    solution = guesstree.solve("mastermind:2x3")
    found = outline(solution.game, solution.strategy)
    first = found.steps[0]
    assert first.causes == 9
    assert first.weight == 9
    won = [b for b in first.branches if b.answers == ("2,0",)]
    assert [found.steps[b.step].names for b in won] == [(first.question,)]
    assert sorted(name for step in found.steps for name in step.names) == sorted(solution.game.secrets)
    assert next(found.depth_first()) == 0
    assert sorted(found.depth_first()) == list(range(len(found.steps)))


def test_paths_and_prices() -> None:
    game = guesstree.table(
        {"x": {"a": "1", "b": "2", "c": "2"}, "y": {"a": "1", "b": "1", "c": "2"}}, costs={"x": 3, "y": 5}
    )
    found = outline(game, guesstree.solve(game).strategy)
    ends = {step.names: at for at, step in enumerate(found.steps) if step.names}
    assert [(found.steps[at].question, a) for at, a in found.path(ends[("c",)])] == [
        ("x", ("2",)),
        ("y", ("2",)),
    ]
    assert found.price(0) == "cost 3"
    assert found.price(ends[("a",)]) == ""
    assert found.steps[0].branches == (Branch(("1",), 1), Branch(("2",), 2))


def test_prices_are_told_in_words_where_they_do_not_only_count() -> None:
    cells = [["1", "2", "2"], ["1", "1", "2"]]
    solved = guesstree.solve(TableGame("table:t", ["x", "y"], ["a", "b", "c"], cells, prices=[1, 15]))
    assert [outline(solved.game, solved.strategy).price(step) for step in (0, 2)] == ["cost 1", "cost 15"]
    solved.game.look = replace(solved.game.look, cost="minutes")
    assert [outline(solved.game, solved.strategy).price(step) for step in (0, 2)] == [
        "1 minute",
        "15 minutes",
    ]
    counted = guesstree.solve(TableGame("table:t", ["x", "y"], ["a", "b", "c"], cells, prices=[1, 1]))
    assert outline(counted.game, counted.strategy).price(0) == ""
    unknown = guesstree.solve(guesstree.table(HOLLY, missing="any"))
    assert unknown.game.costs is not None and outline(unknown.game, unknown.strategy).price(0) == ""


def test_the_first_questions_are_outlined_alone() -> None:
    solution = guesstree.solve("mastermind:3x3", "worst,expected")
    whole, part = (outline(solution.game, solution.strategy, most) for most in (None, 2))
    assert [step.depth for step in part.steps] == [step.depth for step in whole.steps if step.depth < 2]
    for step, same in zip(part.steps, whole.steps, strict=False):
        assert (step.question, step.names, step.causes) == (same.question, same.names, same.causes)
        assert bool(step.branches) == (step.depth == 0)
    assert [outline(solution.game, solution.strategy, 1).steps[0].needed] == [4]


def test_figures_count_causes_by_the_questions_they_take_at_most() -> None:
    game = guesstree.table(HOLLY, missing="any")
    found = outline(game, guesstree.solve(game, "worst,expected").strategy)
    worst = {name: max(s.depth for s in found.steps if name in s.names) for name in found.names_below(0)}
    assert figures_of(found.strategy).counted.secrets == 4
    assert figures_of(found.strategy).counted.worst == found.steps[0].needed == max(worst.values()) == 3

    ends = [(at, step) for at, step in enumerate(found.steps) if step.names]
    expected = sum(step.depth * found.share(at) / found.share(0) for at, step in ends)
    assert figures_of(found.strategy).counted.total == 4 * expected, "all weigh the same"
    for spec in ("mastermind:2x3", "bulls:2x4"):
        for goal in ("win", "identify"):
            strategy = guesstree.solve(spec, goal=goal).strategy
            assert figures_of(strategy).counted == figures_of(strategy).guesses


def test_a_cause_whose_tests_may_get_several_answers_stays_wherever_it_ends() -> None:
    rows = ["test,A,B,C,D,cost", "t1,x,x/y,y,y,1", "t2,x,y,x/y/z,z,1", "t3,y,x,y,x,2", "weight,4,2,1,1,"]
    strategy = strategy_of(solve(noisy_game(rows)))
    found = outline(strategy.game, strategy)
    ends = [at for at, step in enumerate(found.steps) if step.names == ("C",)]
    assert len(ends) == 3 and sum(map(found.share, ends)) == Fraction(1, 8)


ILL = [
    "test,ill,well",
    "test,+:0.9/-:0.1,+:0.1/-:0.9",
    "weight,1,9",
    "decide treat,0,10",
    "decide leave,50,0",
]
REPAIR = ["test,paper,cable,cost", "r1,fixed,not,2", "r2,not,fixed,3", "weight,3,1,", "decide call,8,8,"]
NEEDLE = ["test,a,b,c,d,cost,group,later", "b1,x,x,y,y,6,blood,1", "b2,x,y,x,y,6,blood,1"]


def test_an_end_tells_what_is_decided_what_is_possible_and_the_loss() -> None:
    strategy = best_strategy(model_of(ILL), "expected")
    assert strategy is not None
    first, treat, leave = outline(strategy.game, strategy).steps
    assert first.possible == (("c1", Fraction(9, 10)), ("c0", Fraction(1, 10)))
    assert (treat.names, treat.chance, treat.loss) == (("d0",), Fraction(18, 100), 5)
    assert treat.possible == (("c0", Fraction(1, 2)), ("c1", Fraction(1, 2)))
    assert (leave.names, leave.decides, leave.chance) == (("d1",), True, Fraction(82, 100))
    assert dict(leave.possible) == {"c0": Fraction(1, 82), "c1": Fraction(81, 82)}
    assert leave.loss == Fraction(50, 82)


def test_an_answer_may_end_a_path_and_the_first_of_a_group_pays_its_setup() -> None:
    strategy = best_strategy(model_of(REPAIR, ends="fixed"), "expected")
    assert strategy is not None
    found = outline(strategy.game, strategy)
    done = [step for step in found.steps if step.names == ("done",)]
    assert done and not any(step.decides or step.loss for step in done)
    assert found.price(0) == "cost 2"

    strategy = best_strategy(model_of(NEEDLE), "worst")
    assert strategy is not None
    found = outline(strategy.game, strategy)
    asked = [at for at, step in enumerate(found.steps) if step.question]
    assert [(found.price(at), found.steps[at].setup) for at in asked] == [
        ("cost 1 + 5 set-up", 5),
        ("cost 1", 0),
        ("cost 1", 0),
    ]
    assert {found.spent(at) for at, step in enumerate(found.steps) if step.names} == {7}


def test_what_outlines_tell_adds_up() -> None:
    """Of all mixtures: chances below a step, what is possible, and the cost and loss of the ends."""
    silent = 0
    for seed in range(150):
        strategy = best_strategy(random_model(random.Random(seed)), ("expected", "worst")[seed % 2])
        if strategy is None:
            continue
        game = strategy.game
        found, costs = outline(game, strategy), figures_of(strategy).costs
        assert sum(found.share(at) for at, step in enumerate(found.steps) if step.names) == 1
        for step in found.steps:
            likely = [chance for _, chance in step.possible]
            assert sum(likely) == 1 and likely == sorted(likely, reverse=True)
            below = [found.steps[branch.step] for branch in step.branches]
            chances = [one.chance for one in below if one.silent == step.silent]
            assert not below or sum(chance or 0 for chance in chances) == 1
            for one in below:
                if one.silent > step.silent:
                    silent += 1
                    assert (one.chance, one.weight, one.possible) == (None, 0, step.possible)
        if costs is not None:
            ends = [(at, step) for at, step in enumerate(found.steps) if step.names]
            assert sum(step.weight * (found.spent(at) + step.loss) for at, step in ends) == costs.total
    assert silent > 20
