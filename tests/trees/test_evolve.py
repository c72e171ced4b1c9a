"""Evolution: it reaches the optimum of small games, every tree on the way is valid, and it can be resumed."""

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from effort import tries
from hypothesis import given
from hypothesis import strategies as st
from tables import games, priced_games

from guesstree.engine.errors import GameError, GuesstreeError
from guesstree.engine.oracle import least
from guesstree.engine.registry import parse
from guesstree.engine.search.solve import solve
from guesstree.engine.tables.table import TableGame
from guesstree.trees.check import check
from guesstree.trees.figures import figures_of
from guesstree.trees.tree import TreeError

pytest.importorskip("deap")
from guesstree.trees.breed.evolve import COLUMNS, Evolution, Settings, as_csv

GAME = parse("mastermind:3x3")
PRICED = Path(__file__).parents[1] / "data" / "priced.csv"


@pytest.mark.parametrize("seed", range(6))
def test_the_optimum_of_three_pegs_and_three_colours(seed: int) -> None:
    evolution = Evolution(GAME, settings=Settings(seed=seed))
    evolution.run(60, target=73)
    assert evolution.log[0]["mean"] * 27 > 80
    assert evolution.best.total == 73
    report = check(GAME, evolution.strategy())
    assert report.valid and report.total == 73


def evolved(game: TableGame, seed: int, win: bool) -> Evolution | None:
    """Return an evolution after some generations; None: no strategy tells the secrets apart."""
    goal = "win" if win and game.winning is not None else "identify"
    try:
        evolution = Evolution(game, goal, Settings(seed=seed, size=6))
    except GameError:
        return None
    evolution.run(8)
    return evolution


@tries(0.7)
@given(games(most_secrets=6), st.integers(0, 99), st.booleans())
def test_small_tables_are_solved(game: TableGame, seed: int, win: bool) -> None:
    if not (evolution := evolved(game, seed, win)):
        return
    report = check(game, evolution.strategy())
    assert report.valid and report.total == evolution.best.total
    assert report.total >= solve(game, goal=evolution.problem.goal).upper[0]


@tries(0.7)
@given(priced_games(most_secrets=5), st.integers(0, 99), st.booleans())
def test_what_questions_cost_is_evolved(game: TableGame, seed: int, win: bool) -> None:
    if not (evolution := evolved(game, seed, win)):
        return
    tree = evolution.strategy()
    report = check(game, tree)
    costs = figures_of(tree).compared
    assert report.valid and costs.total == evolution.best.total and costs.worst == evolution.best.worst
    optimum = least(game, evolution.problem.goal, "expected")
    assert optimum is not None and evolution.least <= optimum[0] <= costs.total


@pytest.mark.parametrize("file", ["hangman:{}", "table:{}"])
def test_a_guess_that_tells_nothing_is_never_drawn(file: str, tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_text("offer\nbeach\nonion\nearth\nriver\norder\neagle\nevent\nenemy\npearl\n")
    game = parse(file.format(PRICED if "table" in file else words))
    evolution = Evolution(game, settings=Settings(size=4, seed=1))
    evolution.run(2)
    grower = evolution.grower
    for one in evolution.population:
        for subtree in one.tree.walk():
            if subtree.size > 1:
                assert len(grower.parts(subtree.key, subtree.guess)) > 1
    key = np.arange(3, dtype=np.int32).tobytes()
    for _ in range(50):  # as many guesses are drawn as there are, some of them more than once
        assert len(grower.parts(key, grower.draw(key))) > 1


def test_every_tree_of_a_population_is_valid_and_worth_what_it_says() -> None:
    game = parse("mastermind:3x4")
    evolution = Evolution(game, settings=Settings(seed=1, size=8))
    evolution.run(4)
    for one in evolution.population:
        evolution.hall.clear()
        evolution.hall.insert(one)
        report = check(game, evolution.strategy())
        assert report.valid
        assert (report.total, report.worst) == one.tree.value == one.fitness.values


def test_the_best_never_gets_worse_and_the_mean_falls() -> None:
    evolution = Evolution(parse("mastermind:3x4"), settings=Settings(seed=2))
    evolution.run(10)
    best = [row["best"] for row in evolution.log]
    assert best == sorted(best, reverse=True) and best[-1] < best[0]
    assert evolution.log[-1]["mean"] < evolution.log[0]["mean"]


@pytest.mark.parametrize(
    ("spec", "goal"),
    [("mastermind:3x4", "win"), ("mastermind:3x4", "identify"), (f"table:{PRICED}", "identify")],
)
def test_going_on_from_a_state_is_going_on(spec: str, goal: str, tmp_path: Path) -> None:
    game = parse(spec)
    whole = Evolution(game, goal, Settings(seed=3, size=10))
    whole.run(8)
    part = Evolution(game, goal, Settings(seed=3, size=10))
    part.run(3)
    part.save(tmp_path / "state.json")
    again = Evolution.load(game, tmp_path / "state.json")
    again.run(8)
    assert again.as_document() == whole.as_document()
    assert [path.name for path in tmp_path.iterdir()] == ["state.json"]


def test_the_process_wide_generator_is_left_alone() -> None:
    random.seed(5)
    before = random.getstate()
    Evolution(GAME, settings=Settings(seed=1, size=4)).run(2)
    assert random.getstate() == before


def test_limits() -> None:
    evolution = Evolution(GAME, settings=Settings(seed=0, size=4))
    evolution.run(10**6, time_limit=0.2)
    assert 0 <= evolution.generation < 10**6
    seen: list[int] = []
    evolution = Evolution(GAME, settings=Settings(seed=0, size=4))
    evolution.run(2, progress=lambda one: seen.append(one.generation))
    assert seen == [0, 1, 2]
    with pytest.raises(GuesstreeError, match="time limit"):
        evolution.run(5, time_limit=0.0)


def test_statistics_as_csv() -> None:
    evolution = Evolution(GAME, settings=Settings(seed=0, size=5))
    evolution.run(2)
    header, *rows = as_csv(evolution.log).splitlines()
    assert header.split(",") == list(COLUMNS) and len(rows) == 3
    totals = np.array([one.tree.total for one in evolution.population]) / 27
    assert rows[-1].split(",")[2:6] == [f"{f(totals):.6f}" for f in (np.min, np.mean, np.max, np.std)]


@pytest.mark.parametrize(
    "change",
    [
        {"size": 1},
        {"seed": -1},
        {"draws": 0},
        {"crossover": 1.5},
        {"niche": -0.1},
    ],
)
def test_bad_settings_are_refused(change: dict[str, Any]) -> None:
    with pytest.raises(GuesstreeError, match=f"{next(iter(change))} .*; expected"):
        Settings(**change)


def test_damaged_states_are_refused(tmp_path: Path) -> None:
    evolution = Evolution(GAME, settings=Settings(seed=0, size=4))
    evolution.run(1)
    good = evolution.as_document()
    path = tmp_path / "state.json"
    damages = [
        good | {"format": "other"},
        good | {"game": "mastermind:4x6"},
        good | {"population": [[0] * 40] * 4},
        good | {"population": [[999]] * 4},
        good | {"population": [good["population"][0] + [0]] * 4},
        good | {"settings": {"sizes": 3}},
        good | {"random": [1]},
        {key: value for key, value in good.items() if key != "numbers"},
        good | {"population": "none"},
        good | {"best": None},
        [],
    ]
    for damaged in damages:
        path.write_text(json.dumps(damaged))
        with pytest.raises(TreeError, match=r"state\.json"):
            Evolution.load(GAME, path)
    path.write_text("{")
    with pytest.raises(TreeError, match="is not JSON"):
        Evolution.load(GAME, path)
    with pytest.raises(TreeError, match="cannot be read: No such file"):
        Evolution.load(GAME, tmp_path / "absent.json")
