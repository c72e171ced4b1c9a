"""A host who keeps the largest part: all shortest wins, against every way to play tiny games."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from effort import seeds, tries
from hypothesis import given
from hypothesis import strategies as st
from ruled import ruled_game
from tables import games, priced_games

from guesstree.engine.errors import GuesstreeError, Infeasible
from guesstree.engine.game import Game
from guesstree.engine.hosts.host import ranks
from guesstree.engine.hosts.oracle import best_wins, host_answers
from guesstree.engine.hosts.solve import solve_host
from guesstree.engine.hosts.wins import HostSolved
from guesstree.engine.registry import parse
from guesstree.engine.search.solve import solve
from guesstree.engine.tables.table import TableGame

KNOWN = {
    ("mastermind:2x3", "win"): (3, 12),
    ("mastermind:2x3", "identify"): (2, 12),
    ("bulls:2x4", "win"): (3, 96),
}
"""Guesses of a shortest win, and how many there are: by the judge below."""


def guessed(found: HostSolved) -> list[tuple[int, ...]]:
    """Return the guesses of every win, where each stands for itself."""
    return sorted(tuple(guess for guess, _ in steps) for _, steps in found.listed())


def judge(game: Game, **options: Any) -> None:
    """Compare the wins with all of those found by playing every way."""
    goal = options.get("goal") or game.facts.goals[0]
    asked = {name: value for name, value in options.items() if name != "symmetry"}
    if "first" in asked:
        asked["first"] = game.guess_index(asked["first"])
    best = best_wins(game, **asked | {"goal": goal})
    try:
        found = solve_host(game, **options)
    except GuesstreeError:
        assert best is None
        return
    assert best is not None
    assert found.optimal and found.complete and not found.stopped
    assert found.upper == best[0]
    assert found.wins == len(best[1])
    if options.get("symmetry") is False:
        assert guessed(found) == best[1]


@given(game=games(most_secrets=5, most_extra=3), only=st.booleans(), goal=st.sampled_from(["", "identify"]))
@tries(1)
def test_the_wins_of_a_tiny_table_are_those_of_all_ways_to_play(
    game: TableGame, only: bool, goal: str
) -> None:
    judge(game, goal=goal or None, candidates_only=only, symmetry=False)
    judge(game, goal=goal or None, candidates_only=only)


@given(game=priced_games(), goal=st.sampled_from(["", "identify"]))
@tries(1)
def test_where_guesses_cost_the_cheapest_wins_are_found(game: TableGame, goal: str) -> None:
    judge(game, goal=goal or None, symmetry=False)


@pytest.mark.parametrize("seed", seeds(30, 1500))
def test_rules_that_depend_on_the_history_are_kept(seed: int) -> None:
    judge(ruled_game(seed, 6, 4), symmetry=False)


def random_game(seed: int, most: int = 9) -> TableGame:
    """Return a random table of some more secrets, where several guesses are needed."""
    dice = np.random.default_rng(seed)
    secrets = [f"s{i}" for i in range(int(dice.integers(3, most)))]
    guesses = secrets + [f"g{i}" for i in range(int(dice.integers(0, 4)))]
    cells = [["W" if g == s else str(dice.choice(list("ab"))) for s in secrets] for g in guesses]
    return TableGame("table:random", guesses, secrets, cells, "W")


@pytest.mark.parametrize("seed", seeds(12, 150))
@pytest.mark.parametrize("goal", ["win", "identify"])
def test_wins_of_many_guesses_are_all_found(seed: int, goal: str) -> None:
    judge(random_game(seed), goal=goal, symmetry=False)


@pytest.mark.parametrize("seed", seeds(12, 400))
def test_a_first_guess_that_is_given_is_asked(seed: int) -> None:
    game = random_game(seed, 7)
    judge(game, first=game.guesses[seed % len(game.guesses)], symmetry=False)


LONG = [pytest.mark.long, pytest.mark.timeout(1800)]


@pytest.mark.parametrize(
    ("game", "first"),
    [("higher:7", "1"), ("mastermind:2x4", "11"), pytest.param("mastermind:3x4", "111", marks=LONG)],
)
def test_a_poor_first_guess_is_followed_by_better_ones(game: str, first: str) -> None:
    judge(parse(game), first=first, symmetry=False)


@pytest.mark.parametrize("seed", seeds(6, 200))
def test_the_host_counts_in_the_numbers_of_the_game(seed: int, tmp_path: Path) -> None:
    dice = random.Random(seed)
    letters = dice.choice(["aab", "abc", "abcd", "aaab"])
    words = sorted({"".join(dice.choices(letters, k=6)) for _ in range(dice.randint(6, 14))})
    (tmp_path / "words.txt").write_text("\n".join(words))
    game = parse(f"wordle:{tmp_path / 'words.txt'}")
    assert game.by_guess
    judge(game, symmetry=False)
    found = solve_host(game)
    for _, steps in found.listed():
        left = list(range(len(game.secrets)))
        for guess, response in steps:
            left = [secret for secret in left if game.respond(guess, secret) == response]
        assert len(left) == 1


@pytest.mark.parametrize("seed", range(4))
def test_threads_find_the_same(seed: int) -> None:
    game = random_game(seed, 12)
    one, two = solve_host(game), solve_host(game, jobs=2)
    assert (one.upper, one.wins, guessed(one)) == (two.upper, two.wins, guessed(two))


@pytest.mark.parametrize(("game", "goal"), KNOWN)
def test_known_wins(game: str, goal: str) -> None:
    for symmetry in (False, True):
        found = solve_host(game, goal=goal, symmetry=symmetry)
        assert ((found.upper[1], found.wins)) == KNOWN[game, goal]


@pytest.mark.parametrize(
    "game", ["mastermind:3x3", "mastermind:2x5", "bulls:3x5", "bulls:2x5", "blackpeg:3x3"]
)
@pytest.mark.parametrize("goal", ["win", "identify"])
def test_one_first_guess_stands_for_those_that_renamings_make_of_it(game: str, goal: str) -> None:
    plain, short = (solve_host(game, goal=goal, symmetry=symmetry) for symmetry in (False, True))
    assert (plain.upper, plain.wins) == (short.upper, short.wins)
    assert len(short.states[0].ways) < len(plain.states[0].ways)
    assert short.wins == sum(alike for alike, _ in short.listed())


@pytest.mark.parametrize("game", ["mastermind:3x3", "bulls:3x4", "mastermind:3x4"])
def test_no_host_is_harder_than_the_one_who_plays_best(game: str) -> None:
    assert solve_host(game).upper[1] <= solve(game, objective="worst").upper[0]


def test_every_win_is_one_of_the_judge_of_the_host() -> None:
    game = parse("bulls:3x5")
    found = solve_host(game)
    for _, steps in found.listed():
        left = list(range(len(game.secrets)))
        for guess, response in steps:
            assert host_answers(game, guess, left, game.winning) == response
            left = [secret for secret in left if game.respond(guess, secret) == response]
        assert response == game.winning and len(left) == 1


def test_of_parts_of_one_size_the_host_shows_the_one_that_gives_least_away() -> None:
    game = parse("mastermind:2x2")
    labels = [game.responses[r] for r in np.argsort(ranks(game))]
    assert labels.index("0,2") < labels.index("1,0") < labels.index("2,0")
    look = parse("wordle:official").look
    assert look.gives_away("=----") == (1, 0) > look.gives_away("-++++") == (0, 4)
    hangman = type(look)(answers="places")
    assert hangman.gives_away("miss") < hangman.gives_away("3") < hangman.gives_away("1 | 2")


def test_what_is_not_possible_is_refused() -> None:
    same = TableGame("table:same", ["g"], ["a", "b"], [["x", "x"]], None)
    with pytest.raises(Infeasible, match="cannot be settled"):
        solve_host(same)


def test_one_secret_is_known_without_a_guess() -> None:
    lone = TableGame("table:lone", ["a"], ["a"], [["W"]], "W")
    assert solve_host(lone, goal="identify").wins == 1
    assert solve_host(lone, goal="identify").upper == (0, 0)
    assert solve_host(lone, goal="win").upper == (1, 1)


def test_a_search_that_is_stopped_says_what_it_has() -> None:
    found = solve_host("mastermind:4x6", time_limit=0.2)
    assert found.stopped == "time" and not found.complete
    assert found.lower[1] <= found.upper[1] and found.wins == 1


@pytest.mark.long
def test_absurdle_is_won_in_four_guesses_from_two_words() -> None:
    found = solve_host("wordle:official", first="aesir")
    assert found.upper == (4, 4) and found.optimal and found.wins >= 1
