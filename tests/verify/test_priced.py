"""The checkers of certificates of games with costs: they accept what is true and shown, and nothing false."""

import random
from math import inf
from pathlib import Path

import pytest
from certificates import mutated
from effort import seeds
from fast_checker import SANITIZED, built
from priced_checkers import SLOW, judged, refusal
from priced_tables import PricedTiny, some_priced


@pytest.fixture(scope="module", params=[1, 8], ids=["lemmas", "small sets"])
def checkers(request: pytest.FixtureRequest) -> str:
    """Build the checker so that it ends at the first wrong read or write; both search such small sets."""
    vars(SLOW)["SMALL"] = request.param
    how = [*SANITIZED, f"-DSMALL={request.param}", "-DMAX_LOOKED=1"]
    return built(*how, name="priced")


@pytest.mark.parametrize("seed", seeds(3, 30))
def test_random_tables_true_and_false(checkers: str, tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(5):
        game = some_priced(chance)
        head, everything = game.head(tmp_path, chance), game.everything()
        true = game.cost(everything)
        proof = game.body(everything, 0, chance, set())
        assert judged(checkers, tmp_path, game.text(head, true, proof)) == ""
        for lies in (0.0, 0.1):
            proof = game.body(everything, 0, chance, set(), lies)
            for value in {true + 1, inf} if game.counts == "paid" else {true + 1}:
                if value > true:
                    assert judged(checkers, tmp_path, game.text(head, value, proof))
        first = chance.randrange(len(game.answers))
        if len(everything) > 1:
            proof = game.body(everything, 0, chance, set())
            after = game.asking(everything, first)
            if first in game.useful(everything):  # else the proof would need a lemma about all secrets
                assert judged(checkers, tmp_path, game.text(head, after, proof, str(first + 1))) == ""
            if after < inf:
                assert judged(checkers, tmp_path, game.text(head, after + 1, proof, str(first + 1)))


@pytest.mark.parametrize("seed", seeds(2, 15))
def test_no_mutation_makes_anything_false_accepted(checkers: str, tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    game = some_priced(chance)
    while (true := game.cost(game.everything())) == inf or len(game.weights) < 3:
        game = some_priced(chance)
    proof = game.body(game.everything(), 0, chance, set())
    head = game.text(game.head(tmp_path, chance), true + 1, "").split()
    odd = ["inf", "(", ")", ".", "-", "-1", "1e9", "9" * 5000, "\0", "\x7f", "0" * 4096, "lost:1"]
    for _ in range(25):
        text = " ".join(head + mutated(proof, chance, odd))
        assert judged(checkers, tmp_path, text, slowly=False)
        assert refusal(SLOW, tmp_path, text)


def test_nesting_is_limited(checkers: str, tmp_path: Path) -> None:
    game = PricedTiny([["a", "b", "c"]], [dict.fromkeys("abc", 1)], [1, 1, 1], win=False)
    text = game.text(game.head(tmp_path, random.Random(1)), 3, "( - 1 3 " * 100_000)
    assert "claims inside claims" in judged(checkers, tmp_path, text, slowly=False)
