"""Certificates of Wordle in hard mode: what may be asked depends on the history (L10)."""

import random
from math import inf
from pathlib import Path

import pytest
from certificates import FOREVER, certificate
from fast_checker import SANITIZED, built
from hard_words import START, Hard, some_hard
from slow_checker import both


@pytest.fixture(scope="module")
def checker() -> str:
    """Build the checker so that it ends at the first wrong read or write."""
    return built(*SANITIZED)


def asked(hard: Hard, chance: random.Random) -> tuple[str, int, float]:
    """Return a first guess or none, a limit or none, and what the whole game costs so."""
    within = chance.choice([FOREVER, FOREVER, chance.randint(1, 4)])
    useful = [
        g
        for g in hard.allowed(hard.everything, START)
        if hard.game.parts(hard.everything, g) != [hard.everything]
    ]
    if not useful or len(hard.everything) == 1 or chance.random() < 0.5:
        return "-", within, hard.cost(hard.everything, START, within)
    first = chance.choice(useful)
    return hard.game.guesses[first], within, hard.asking(hard.everything, START, first, within)


@pytest.mark.parametrize(
    "seed", [*range(3), *(pytest.param(s, marks=pytest.mark.long) for s in range(3, 40))]
)
def test_the_true_cost_is_accepted_and_one_more_is_not(checker: str, tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(12):
        hard = some_hard(tmp_path, chance, most=6)
        first, within, true = asked(hard, chance)
        proof = hard.body(hard.everything, START, within, chance)
        assert both(checker, tmp_path, certificate(hard.game, true, proof, first, within), "verify") == ""
        if true < inf:
            for more in (true + 1, inf):
                assert both(
                    checker,
                    tmp_path,
                    certificate(hard.game, more, proof, first, within),
                    "verify",
                    alike=True,
                )
            lies = hard.body(hard.everything, START, within, chance, 0.2)
            assert both(checker, tmp_path, certificate(hard.game, true + 1, lies, first, within), "verify")
