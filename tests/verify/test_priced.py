"""The checkers of certificates of games with costs: they accept what is true and shown, and nothing false."""

import random
from dataclasses import replace
from itertools import permutations
from math import inf
from pathlib import Path

import pytest
from certificates import cycles, mutated
from effort import seeds
from fast_checker import SANITIZED, built, judged
from priced_tables import ANSWERS, COLUMNS, WIN, PricedTiny, four, mirrored, some_priced
from slow_checker import SLOW, both


@pytest.fixture(scope="module", params=[1, 8], ids=["lemmas", "small sets"])
def checkers(request: pytest.FixtureRequest) -> str:
    """Build the checker so that it ends at the first wrong read or write; both search such small sets."""
    vars(SLOW["priced"])["SMALL"] = request.param
    how = [*SANITIZED, f"-DSMALL={request.param}", "-DMAX_LOOKED=1"]
    return built(*how, name="priced")


@pytest.mark.parametrize("seed", seeds(3, 30))
def test_random_tables_true_and_false(checkers: str, tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(5):
        game = some_priced(chance, only=True)
        head, everything = game.head(tmp_path, chance), game.everything()
        true = game.cost(everything)
        proof = game.body(everything, 0, chance, set())
        assert both(checkers, tmp_path, game.text(head, true, proof), "priced") == ""
        for lies in (0.0, 0.1):
            proof = game.body(everything, 0, chance, set(), lies)
            for value in {true + 1, inf} if game.counts == "paid" else {true + 1}:
                if value > true:
                    assert both(checkers, tmp_path, game.text(head, value, proof), "priced")
        first = chance.randrange(len(game.answers))
        if len(everything) > 1:
            proof = game.body(everything, 0, chance, set())
            after = inf if game.only and WIN not in game.answers[first] else game.asking(everything, first)
            if first in game.useful(everything):  # else the proof would need a lemma about all secrets
                assert both(checkers, tmp_path, game.text(head, after, proof, str(first + 1)), "priced") == ""
            if after < inf:
                assert both(checkers, tmp_path, game.text(head, after + 1, proof, str(first + 1)), "priced")


@pytest.mark.parametrize("seed", seeds(2, 15))
def test_no_mutation_makes_anything_false_accepted(checkers: str, tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    game = some_priced(chance, only=True)
    while (true := game.cost(game.everything())) == inf or len(game.weights) < 3:
        game = some_priced(chance, only=True)
    proof = game.body(game.everything(), 0, chance, set())
    head = game.text(game.head(tmp_path, chance), true + 1, "").split()
    odd = ["inf", "(", ")", ".", "-", "-1", "1e9", "9" * 5000, "\0", "\x7f", "0" * 4096, "lost:1"]
    for _ in range(25):
        text = " ".join(head + mutated(proof, chance, odd))
        assert both(checkers, tmp_path, text, "priced", alike=True)


@pytest.mark.parametrize("seed", seeds(4, 30))
def test_renamings_serve_only_where_costs_weights_and_wins_are_kept(
    checkers: str, tmp_path: Path, seed: int
) -> None:
    """A renaming that is one stands for lemmas of all guesses but one of each orbit; others are refused."""
    chance = random.Random(seed)
    for _ in range(5):
        game = (
            mirrored(some_priced(chance, 5, 2, only=True), chance)
            if chance.random() < 0.7
            else some_priced(chance, 5, 3, only=True)
        )
        head, everything = game.head(tmp_path, chance), game.everything()
        true = game.cost(everything)
        proof = game.body(everything, 0, chance, set(), renaming=True)
        assert both(checkers, tmp_path, game.text(head, true, proof), "priced") == ""
        if true < inf:
            proof = game.body(everything, 0, chance, set(), chance.choice([0, 0.1]), renaming=True)
            assert both(checkers, tmp_path, game.text(head, true + 1, proof), "priced")
        for to in permutations(everything):
            if to != everything and game.free(everything) is None:
                item = cycles(COLUMNS, everything, to)
                fits = game.images(everything, to) is not None
                why = both(checkers, tmp_path, game.text(head, 0, f"( {item} )"), "priced")
                assert (why == "") == fits, (item, why)
                if chance.random() < 0.8:
                    break


@pytest.mark.parametrize(
    "item",
    [
        "= ;",
        "= 1 ;",
        "= 1 2",
        "= 1 2 / ;",
        "= 1 1 ;",
        "= 1 2 / 2 3 ;",
        "= 1 9 ;",
        "= 0 1 ;",
        "= 1 2 1 ;",
        "= / ;",
    ],
)
def test_what_is_no_renaming_is_refused(checkers: str, tmp_path: Path, item: str) -> None:
    game = PricedTiny([[*"aab"], [*"aba"], [*"baa"]], [dict.fromkeys("ab", 1)] * 3, [1, 1, 1], win=False)
    head = game.head(tmp_path, random.Random(1))
    assert both(checkers, tmp_path, game.text(head, 0, "( = 1 3 2 ; = 1 2 ; )"), "priced") == ""
    assert both(checkers, tmp_path, game.text(head, 0, f"( {item} )"), "priced")


def test_the_path_of_those_who_pay_ends_where_one_secret_may_be_left(checkers: str, tmp_path: Path) -> None:
    """The heavy secret pays alone for the first guess, and is settled: the second costs a light one (P5)."""
    game = PricedTiny([[*"baa"], [*"bab"]], [{"a": 0, "b": 1}] * 2, [3, 1, 1], win=False)
    head = game.head(tmp_path, random.Random(1))
    assert game.cost(game.everything()) == 4
    assert both(checkers, tmp_path, game.text(head, 4, "."), "priced") == ""
    assert "not shown" in both(checkers, tmp_path, game.text(head, 5, "."), "priced")


def test_of_candidates_what_is_free_need_not_come_first(checkers: str, tmp_path: Path) -> None:
    """The free guess leaves two secrets that only dear guesses tell apart: the cheap one is gone (P7)."""
    game, free = four(only=True), four()
    everything = game.everything()
    assert (game.cost(everything), game.asking(everything, 0), free.cost(everything)) == (24, 31, 23)
    head, all_free = (some.head(tmp_path, random.Random(1)) for some in (game, free))
    proof, more = (game.body(everything, 0, random.Random(1), set(), lies) for lies in (0, 0.5))
    assert both(checkers, tmp_path, game.text(head, 24, proof), "priced", alike=True) == ""
    assert both(checkers, tmp_path, game.text(all_free, 24, proof), "priced", alike=True)
    for value in (25, 31):
        for items in (proof, more, f"( - 4 {value} ( 1 4 30 . ) )", "( 1 4 30 . )", "."):
            assert "shown" in both(checkers, tmp_path, game.text(head, value, items), "priced", alike=True)


def test_of_candidates_a_part_may_cost_more_than_the_whole(checkers: str, tmp_path: Path) -> None:
    """What is proved of a part says nothing of the set around it (P7)."""
    game = four(only=True)
    head = game.head(tmp_path, random.Random(1))
    assert game.cost((2, 3)) == 30 > game.cost(game.everything())
    assert both(checkers, tmp_path, game.text(head, 24, "( 1 3 30 . )"), "priced", alike=True) == ""
    assert both(checkers, tmp_path, game.text(head, 30, "( 1 3 30 . )"), "priced", alike=True)
    assert both(checkers, tmp_path, game.text(head, 0, "( 1 3 31 . )"), "priced", alike=True)


def test_only_what_may_be_asked_is_a_first_guess_of_candidates(checkers: str, tmp_path: Path) -> None:
    game = PricedTiny(
        [*four().answers, [*"abcd"]], [*four().price, dict.fromkeys(ANSWERS, 1)], [1] * 4, win=True
    )
    for only in (False, True):
        head = replace(game, only=only).head(tmp_path, random.Random(1))
        why = both(checkers, tmp_path, game.text(head, 0, ".", "5"), "priced", alike=True)
        assert ("may not be asked" in why) == only
        assert both(checkers, tmp_path, game.text(head, 0, ".", "2"), "priced", alike=True) == ""


@pytest.mark.parametrize(
    "goal", ["identify-candidates", "win-", "candidates", "win-candidate", "win-candidates-candidates"]
)
def test_other_goals_are_refused(checkers: str, tmp_path: Path, goal: str) -> None:
    game = four(only=True)
    head = game.head(tmp_path, random.Random(1)).replace("win-candidates", goal)
    assert "goal" in both(checkers, tmp_path, game.text(head, 0, "."), "priced", alike=True)


def test_nesting_is_limited(checkers: str, tmp_path: Path) -> None:
    game = PricedTiny([["a", "b", "c"]], [dict.fromkeys("abc", 1)], [1, 1, 1], win=False)
    text = game.text(game.head(tmp_path, random.Random(1)), 3, "( - 1 3 " * 100_000)
    assert "claims inside claims" in judged(checkers, tmp_path, text)[0]
