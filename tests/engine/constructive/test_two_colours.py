"""Two colours by coin weighing, and by a walking peg."""

from itertools import product

import numpy as np
import pytest

from guesstree.engine.constructive import asking
from guesstree.engine.constructive.adaptive import replay
from guesstree.engine.constructive.asking import Asking
from guesstree.engine.constructive.many import strategy
from guesstree.engine.constructive.measure import questions
from guesstree.engine.constructive.size import Size
from guesstree.engine.constructive.two_colours import walk_two_colours
from guesstree.engine.errors import Contradiction
from guesstree.engine.registry import parse
from guesstree.engine.search.solve import solve


@pytest.mark.parametrize("n", range(2, 10))
def test_a_walking_peg_needs_n_questions(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "MOST_LISTED", 0)
    size = Size("blackpeg", n, 2)
    for code in product(range(2), repeat=n):
        if any(code) and sum(code) > 1:  # a guess that wins ends it sooner
            assert questions(walk_two_colours(Asking(size)), size, size.code(code)) == n


@pytest.mark.parametrize("n", range(1, 11))
def test_white_pegs_spare_at_most_one_question(n: int) -> None:
    worst = {}
    for family in ("mastermind", "blackpeg"):
        size = Size(family, n, 2)
        worst[family] = max(
            questions(strategy(size, "identify"), size, size.code(code))
            for code in product(range(2), repeat=n)
        )
    assert worst["blackpeg"] - 1 <= worst["mastermind"] <= worst["blackpeg"] <= n


@pytest.mark.parametrize("n", range(2, 8))
def test_white_pegs_spare_the_best_strategy_at_most_one_question(n: int) -> None:
    """They say how many pegs are light, which one guess that is all dark says, too."""
    black, both = (
        solve(parse(f"{family}:{n}x2"), "worst", goal="identify").upper[0]
        for family in ("blackpeg", "mastermind")
    )
    assert black - 1 <= both <= black


@pytest.mark.parametrize(("n", "most"), [(100, 45), (1000, 260), (10_000, 1950)])
def test_questions_for_many_pegs(n: int, most: int) -> None:
    rng = np.random.default_rng(n)
    for family in ("mastermind", "blackpeg"):
        size = Size(family, n, 2)
        for code in (rng.integers(0, 2, n), np.arange(n) % 2, np.arange(n) == n - 1, np.zeros(n)):
            assert questions(strategy(size), size, size.code(code.astype(np.int64))) <= most


def test_a_response_of_the_wrong_parity_is_named() -> None:
    size = Size("blackpeg", 30, 2)
    with pytest.raises(Contradiction, match=r"response 2 on .*one more or less") as found:
        replay(strategy(size), [(15,), (14,)] if sum(_second(size)) % 2 == 0 else [(15,), (15,)])
    assert found.value.step == 2


def _second(size: Size) -> list[int]:
    guess, _ = replay(strategy(size), [(15,)])
    assert guess is not None
    return guess.tolist()
