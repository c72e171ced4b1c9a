"""Classes of guesses and counts of essential sequences."""

import json
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from guesstree.engine.objective import OBJECTIVES
from guesstree.engine.onestep.greedy import OneStep
from guesstree.engine.onestep.ranking import Method
from guesstree.engine.problem import Problem
from guesstree.engine.registry import parse
from guesstree.engine.symmetry.groups import Generated, count_by_classes

KNOWN = json.loads((Path(__file__).parent.parent / "data" / "known.json").read_text())["essential"]


@pytest.mark.parametrize("entry", KNOWN, ids=lambda e: e["game"])
def test_counts_by_burnside(entry: dict[str, object]) -> None:
    game = parse(str(entry["game"]))
    assert [game.symmetry.count(d) for d in range(1, len(entry["sequences"]) + 1)] == entry["sequences"]  # type: ignore[arg-type]


def test_essential_states_of_the_article() -> None:
    game = parse("mastermind:4x6")
    assert len(game.responses) == 14
    assert game.symmetry.count(3) * 14**3 == 414_988_840


@pytest.mark.parametrize(
    ("spec", "depth"),
    [
        ("mastermind:4x6", 2),
        ("mastermind:3x5", 3),
        ("mastermind:3x3", 3),
        ("mastermind:5x2", 3),
        ("mastermind:4x3", 3),
        ("mastermind:6x2", 3),
        ("mastermind:2x6", 3),
        ("blackpeg:3x4", 3),
        ("blackpeg:5x2", 3),
        ("bulls:3x5", 3),
        ("bulls:4x5", 2),
        ("bulls:2x6", 3),
        ("mastermind:3x3,empty", 3),
        ("mastermind:3x4,distinct,any", 3),
        ("mastermind:3x4,distinct,empty", 3),
        ("blackpeg:3x3,empty", 3),
        ("blackpeg:4x4,distinct", 3),
        ("coins:5", 3),
        ("coins:4,max=2", 3),
        ("coins:3,total=1", 4),
    ],
)
def test_canonical_forms_count_what_burnside_counts(spec: str, depth: int) -> None:
    game = parse(spec)
    assert count_by_classes(game.symmetry, len(game.guesses), depth) == game.symmetry.count(depth)


@pytest.mark.parametrize(
    "spec",
    [
        "mastermind:3x3",
        "mastermind:3x2",
        "mastermind:2x4",
        "blackpeg:3x2",
        "bulls:3x4",
        "mastermind:3x3,empty",
        "mastermind:2x4,distinct,any,empty",
        "blackpeg:2x3,empty",
        "blackpeg:3x4,distinct,empty",
        "blackpeg:4x4,distinct",
        "coins:3,max=2",
        "coins:4,total=2",
        "coins:5",
    ],
)
def test_classes_are_those_of_the_generated_group(spec: str) -> None:
    game = parse(spec)
    group = Generated([(g.tolist(), s.tolist()) for g, s in game.symmetry.generators()])
    n = len(game.guesses)
    for history in ((), (0,), (1,), (n - 1,), (0, n // 2), (1, 3)):
        expected, found = group.classes(history), game.symmetry.classes(history)
        identity = np.arange(n)
        assert np.array_equal(
            identity if found is None else found, identity if expected is None else expected
        )


@pytest.mark.parametrize("spec", ["mastermind:3x4", "mastermind:4x3", "blackpeg:3x3", "bulls:3x5", "coins:4"])
def test_one_step_strategies_try_one_guess_of_each_class(spec: str) -> None:
    problem = Problem(parse(spec), OBJECTIVES["expected"])
    player, places = OneStep(problem, Method("parts")), np.arange(len(problem.own))
    for history in [(), (1,), (5,), (len(places) - 1,)]:
        classes, tried = problem.game.symmetry.classes(history), player.foremost(history)
        assert classes is not None
        assert tried is not None
        assert np.array_equal(tried == places, classes == places)
    player.stop()
    assert player.foremost((1,)) is None


@pytest.mark.parametrize("spec", ["mastermind:3x4", "mastermind:5x2", "mastermind:5x4", "blackpeg:4x3"])
def test_classes_after_a_long_history_are_those_of_its_guesses(spec: str) -> None:
    """A guess that is asked 70 times says what it said once; no number of 64 bits holds such a history."""
    symmetry = parse(spec).symmetry
    for short in ((1,), (1, 6), (2, 1, 5), (14, 7, 1)):
        expected = symmetry.classes(short)
        for long in (short[:1] * 70 + short, short + short[:1] * 70):
            np.testing.assert_equal(symmetry.classes(long), expected)


def test_a_generated_group_is_what_its_elements_say() -> None:
    """The stabiliser by Schreier's lemma against the whole group listed."""
    elements = [p for p in permutations(range(5)) if p[4] == 4]
    group = Generated([([1, 0, 2, 3, 4], range(5)), ([1, 2, 3, 0, 4], range(5))])
    for history in ((), (2,), (2, 0), (4, 1)):
        fixing = [p for p in elements if all(p[h] == h for h in history)]
        smallest = [min(p[i] for p in fixing) for i in range(5)]
        found = group.classes(history)
        assert list(range(5) if found is None else found) == smallest
