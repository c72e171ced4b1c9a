"""What may be asked depends on the history: Wordle's hard mode, and random rules against the oracle."""

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cases import cases
from effort import JOBS
from hypothesis import given
from hypothesis import strategies as st
from ruled import ruled_game

from guesstree.api.comparison import compare
from guesstree.api.strategy import strategy_of
from guesstree.engine.advice.playing import play_against
from guesstree.engine.advice.position import Position
from guesstree.engine.contract import check_game
from guesstree.engine.errors import GameError, GuesstreeError
from guesstree.engine.game import rules_of
from guesstree.engine.games.hangman import HangmanGame
from guesstree.engine.games.wordle import MODES, Mode, WordleGame
from guesstree.engine.objective import OBJECTIVES, WITHOUT_BUDGET
from guesstree.engine.oracle import best, front
from guesstree.engine.registry import parse
from guesstree.engine.rules import Rules
from guesstree.engine.search.bounds import bounds
from guesstree.engine.search.solve import solve
from guesstree.trees import check as checker
from guesstree.trees.breed.breakers import random_breaker
from guesstree.trees.breed.evolve import Evolution

TRAP = ["fight", "light", "might", "night", "right", "sight", "tight"]
SPLIT = ["filmy", "firms", "lifts"]


def hard(answers: list[str], allowed: list[str] | None = None, mode: Mode = "hard") -> WordleGame:
    return WordleGame("wordle:test", answers, allowed or [], mode=mode)


@pytest.mark.parametrize(
    ("asked", "secret", "new", "why"),
    cases("test_rules", "test_what_was_revealed_must_be_used"),
)
def test_what_was_revealed_must_be_used(asked: str, secret: str, new: str, why: str) -> None:
    game = hard([secret], [asked, new])
    step = (game.guess_index(asked), game.respond(game.guess_index(asked), 0))
    assert game.refused([step], game.guess_index(new)) == why
    rules = rules_of(game)
    assert rules is not None
    assert rules.allowed(rules.follow([step]))[game.guess_index(new)] == (not why)
    easy = hard([secret], [asked, new], mode="")
    assert easy.refused([step], easy.guess_index(new)) == ""
    assert easy.rules() is None


@pytest.mark.parametrize("goal", ["win", "identify"])
@pytest.mark.parametrize("objective", list(WITHOUT_BUDGET))
@pytest.mark.parametrize("first", [None, "night", "abbey"])
def test_hard_mode_equals_the_oracle(objective: str, goal: str, first: str | None) -> None:
    game = hard(["fight", "light", "might", "night", "abbey", "babes"], ["filmy", "bless"])
    check_game(game)
    pairs = front(game, goal, first=None if first is None else game.guess_index(first))
    solution = solve(game, objective, goal=goal, first=first)
    assert solution.optimal
    assert solution.upper == best(pairs, OBJECTIVES[objective].figures)
    assert checker.check(game, strategy_of(solution)).valid


def test_hard_mode_asks_one_by_one_where_only_a_letter_is_left() -> None:
    """After night all of seven but one are left in a line; otherwise one guess tells them apart."""
    easy, trapped = (solve(hard(TRAP, SPLIT, mode), first="night") for mode in MODES[:2])
    assert (easy.upper, trapped.upper) == ((20,), (28,))
    tree = strategy_of(easy)
    assert checker.check(hard(TRAP, SPLIT, mode=""), tree).valid
    report = checker.check(hard(TRAP, SPLIT), tree)
    assert not report.valid
    assert {failure.kind for failure in report.failures} == {"not allowed"}
    assert report.failures[0].path == (("night", "-===="), ("firms", "==---"))
    assert (
        "guess number 2, 'firms', is not allowed: letter 3 must be 'g' (night -====)" in report.messages()[0]
    )
    assert report.dead == 0


@given(st.integers(0, 1 << 30))
def test_random_rules_equal_the_oracle(seed: int) -> None:
    game, dice = ruled_game(seed, 6, 6), random.Random(seed)
    check_game(game)
    goal = dice.choice(["win", "identify"] if game.winning is not None else ["identify"])
    limit, only = dice.choice([None, None, 2, 3]), goal == "win" and dice.random() < 0.2
    first = dice.choice([None, dice.choice(game.secrets if only else game.guesses)])
    start = None if first is None else game.guess_index(first)
    pairs = front(game, goal, candidates_only=only, first=start)
    for objective in WITHOUT_BUDGET:
        expected = best(pairs, OBJECTIVES[objective].figures, limit)
        how: dict[str, Any] = {"goal": goal, "first": first, "max_depth": limit, "candidates_only": only}
        if expected is None:
            with pytest.raises(GuesstreeError):
                solve(game, objective, **how)
            continue
        for jobs in JOBS:
            solution = solve(game, objective, jobs=jobs, **how)
            assert (solution.lower, solution.upper) == (expected, expected)
            assert checker.check(game, strategy_of(solution)).valid


@pytest.mark.parametrize("objective", ["expected", "worst"])
def test_methods_and_bounds_keep_the_rules(objective: str) -> None:
    game = hard([*TRAP, "abide", "erase", "steal", "crepe", "speed"], SPLIT)
    optimum = solve(game, objective)
    improved = bounds(game, objective, time_limit=20)
    assert improved.optimal
    assert improved.upper == optimum.upper
    names = ["max-part", "expected-size", "entropy", "parts", "first-consistent", "random-consistent"]
    for name in [*names, "statistics:fmean"]:
        solution = solve(game, objective, method=name, first="night")
        assert checker.check(game, strategy_of(solution)).valid
        assert solution.upper >= optimum.upper
    assert [row.method for row in compare(game, ["entropy"], exact_seconds=9)] == ["entropy", "exact"]


def test_a_valuation_picks_the_best_of_what_is_allowed() -> None:
    game = hard(TRAP, SPLIT)
    night = game.guess_index("night")
    position = Position(game, [(night, game.respond(night, game.secret_index("light")))])
    words = [game.guesses[valued.guess] for valued in position.valuations("entropy")]
    assert words == ["fight", "light", "might", "right", "sight", "tight", "night"]
    for name in ("entropy", "parts", "max-part", "first-consistent", "statistics:fmean"):
        assert game.guesses[position.best_guess(name)] == "fight"
    steps = play_against(game, "tight", lambda p: p.best_guess("entropy") if p.history else night)
    assert [word for word, _ in steps] == ["night", "fight", "light", "might", "right", "sight", "tight"]


def test_a_position_refuses_what_is_not_allowed() -> None:
    game = hard(TRAP, SPLIT)
    night, filmy = game.guess_index("night"), game.guess_index("filmy")
    step = (night, game.respond(night, 1))
    words = r"'filmy' is not allowed after these responses: letter 3 must be 'g' \(night -====\)"
    with pytest.raises(GuesstreeError, match=words):
        Position(game, [step, (filmy, game.respond(filmy, 1))])
    with pytest.raises(GuesstreeError, match=words):
        Position(game, [step]).require_allowed(filmy)
    with pytest.raises(GuesstreeError, match=words):
        play_against(game, "light", lambda p: filmy if p.history else night)


def test_check_finds_rules_that_break_the_contract() -> None:
    game = ruled_game(0, 6, 4)
    assert game.winning is not None
    check_game(game)
    own = game.guess_index(game.secrets[0])
    game.features = [f if g != own else 0 for g, f in enumerate(game.features)]
    game.needs = [[1] * len(game.responses) for _ in game.guesses]
    with pytest.raises(GameError, match=r"is refused after .* though it may win"):
        check_game(game)
    game.features = [1 if label in game.secrets else 0 for label in game.guesses]
    check_game(game)
    rules = game.rules()
    for wrong in (Rules(rules.features, np.zeros_like(rules.needs)), None):
        game.rules = lambda wrong=wrong: wrong  # type: ignore[method-assign, misc]
        with pytest.raises(GameError, match=r"refused\(\) refuses 'g\d', rules\(\) does not"):
            check_game(game)
    game.rules = lambda: Rules(rules.features, rules.needs[:, :1])  # type: ignore[method-assign]
    with pytest.raises(GameError, match=r"needs of the rules are uint64 of shape .*; expected uint64, "):
        check_game(game)


def test_what_does_not_follow_rules_says_so() -> None:
    game = hard(TRAP, SPLIT)
    for make in (lambda: random_breaker(game, 1), lambda: Evolution(game)):
        with pytest.raises(GuesstreeError, match="use a game where every guess is always allowed"):
            make()


class Once(HangmanGame):
    """Hangman where a letter is asked once; the oracle's history and the kernel's bits say the same."""

    def refused(self, history: object, guess: int) -> str:
        asked = {g for g, _ in history}  # type: ignore[attr-defined]
        return f"{self.guesses[guess]!r} was asked" if guess in asked else ""

    def rules(self) -> Rules:
        own = np.array([[1 << g] for g in range(len(self.guesses))], dtype=np.uint64)
        return Rules(~own, np.repeat(own[:, None], len(self.responses), axis=1))


def test_letters_that_are_asked_once_change_nothing() -> None:
    words = dict.fromkeys(["cats", "bats", "rats", "sate", "mole", "role"], 1)
    game, free = Once("hangman:once", words), HangmanGame("hangman:free", words)
    game.costs = free.costs = None
    check_game(game)
    assert solve(game).upper == solve(free).upper == best(front(game, "identify"), ("total",))


def test_the_spec_names_the_mode(tmp_path: Path) -> None:
    for name, words in (("answers.txt", TRAP), ("allowed.txt", SPLIT)):
        (tmp_path / name).write_text("\n".join(words))
    answers, allowed = tmp_path / "answers.txt", tmp_path / "allowed.txt"
    for spec, guesses in ((f"wordle:{answers},hard", 7), (f"wordle:{answers},{allowed},hard", 10)):
        game = parse(spec)
        assert (game.spec, len(game.guesses)) == (spec, guesses)
        assert game.rules() is not None
    with pytest.raises(GameError, match="expected a file of words"):
        parse("wordle:,hard")
