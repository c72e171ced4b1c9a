"""A strategy as its reader sees it: causes, ends and answers, not completions, leaves and nodes."""

from dataclasses import replace
from fractions import Fraction

from masses import split_game

import guesstree
from guesstree.engine.games.table import TableGame
from guesstree.engine.search.solve import solve
from guesstree.strategy import strategy_of
from guesstree.trees.figures import summary_of
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
    assert found.figures().secrets == 4
    assert found.figures().worst == found.steps[0].needed == max(worst.values()) == 3

    ends = [(at, step) for at, step in enumerate(found.steps) if step.names]
    expected = sum(step.depth * found.share(at) / found.share(0) for at, step in ends)
    assert found.figures().total == 4 * expected, "all weigh the same"
    for spec in ("mastermind:2x3", "bulls:2x4"):
        for goal in ("win", "identify"):
            strategy = guesstree.solve(spec, goal=goal).strategy
            assert outline(strategy.game, strategy).figures() == summary_of(strategy)


def test_a_cause_whose_tests_may_get_several_answers_stays_wherever_it_ends() -> None:
    rows = ["test,A,B,C,D,cost", "t1,x,x/y,y,y,1", "t2,x,y,x/y/z,z,1", "t3,y,x,y,x,2", "weight,4,2,1,1,"]
    strategy = strategy_of(solve(split_game(rows)))
    found = outline(strategy.game, strategy)
    ends = [at for at, step in enumerate(found.steps) if step.names == ("C",)]
    assert len(ends) == 3 and sum(map(found.share, ends)) == Fraction(1, 8)
