"""The checker of certificates of games with lies, and their writer."""

import random
from pathlib import Path

import pytest
from certificates import Tiny, code_game, mutated, table_game
from effort import seeds
from fast_checker import SANITIZED, built
from slow_checker import both
from small_claims import Liar


@pytest.fixture(scope="module")
def checker() -> str:
    """Build the checker so that it ends at the first wrong read or write."""
    return built(*SANITIZED, name="lies")


def some_game(folder: Path, chance: random.Random) -> Tiny:
    """Return a tiny game."""
    if chance.random() < 0.5:
        codes = [("mastermind", 2, 2), ("bulls", 2, 3), ("blackpeg", 2, 2), ("mastermind", 1, 4)]
        return code_game(*chance.choice(codes), chance.random() < 0.5)
    secrets, guesses = chance.randint(2, 5), chance.randint(1, 4)
    rows = [[chance.choice("abc"[: chance.randint(2, 3)]) for _ in range(secrets)] for _ in range(guesses)]
    return table_game(folder, rows)


@pytest.mark.parametrize("seed", seeds(2, 18))
def test_random_games_true_and_false(checker: str, tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(6):
        game, lies = some_game(tmp_path, chance), chance.randint(0, 2)
        liar, start = Liar(game), frozenset((s, lies) for s in game.everything())
        settled = next((d for d in range(6) if liar.settles(start, d)), 6)
        for depth in range(6):
            head = f"guesstree-proof/1 lies {lies} {game.head} {game.goal} - {depth} inf"
            proof = liar.body(start, depth, chance, set())
            assert (both(checker, tmp_path, f"{head} {proof}", "lies", alike=True) == "") == (depth < settled)
            if depth >= settled:
                for _ in range(4):
                    odd = ["inf", "(", ")", ".", "=", "-1", "9" * 5000, "\0"]
                    longer = liar.body(start, max(settled - 1, 0), chance, set())
                    text = f"{head} {' '.join(mutated(longer, chance, odd))}"
                    assert both(checker, tmp_path, text, "lies", alike=True)


@pytest.mark.parametrize("words", ["1 bulls 3 3 win - 4", "2 bulls 3 3 win - 5", "1 bulls 3 3 win 120 4"])
def test_one_step_ahead_both_count_with_the_lies_left_in_the_set(
    checker: str, tmp_path: Path, words: str
) -> None:
    """F5: true, but with the lies that are left in what a guess leaves the slow one alone had shown it."""
    assert both(checker, tmp_path, f"guesstree-proof/1 lies {words} inf .", "lies", alike=True)
