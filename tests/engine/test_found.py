"""What is found with the symmetry of a table is what is found without it, whatever is asked."""

import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from effort import seeds
from optimum import optimum
from renamings import acted_game

from guesstree.engine.errors import GuesstreeError
from guesstree.engine.kits.kit import least_kit
from guesstree.engine.kits.staged import staged_kit
from guesstree.engine.mixed.solve import solve_mixed
from guesstree.engine.objective import OBJECTIVES, WITHOUT_BUDGET
from guesstree.engine.oracle import best, front
from guesstree.engine.problem import Problem
from guesstree.engine.symmetry.found import Found
from guesstree.engine.tables.from_data import table
from guesstree.engine.tables.table import TableGame


def both(find: Callable[..., Any], *given: Any, **options: Any) -> Any:
    """Return what is found with symmetry, which is what is found without; None: it is refused."""
    found = []
    for symmetry in (True, False):
        try:
            found.append(find(*given, symmetry=symmetry, **options))
        except GuesstreeError:
            found.append(None)
    assert found[0] == found[1], (given, options)
    return found[0]


@pytest.mark.parametrize("seed", seeds(12, 800))
def test_values_are_those_without_symmetry(seed: int) -> None:
    """Costs, weights, lies, budgets, limits, first guesses, candidates only; trees pass the checker."""
    rng = np.random.default_rng(seed)
    win, priced = bool(rng.integers(2)), bool(rng.integers(2))
    for _ in range(3):
        game = acted_game(rng, win=win, priced=priced, most=8)
        goal = "win" if win and rng.random() < 0.6 else "identify"
        options: dict[str, Any] = {"goal": goal, "candidates_only": win and rng.random() < 0.4}
        if rng.random() < 0.3:
            options["first"] = str(rng.choice(game.guesses))
        if rng.random() < 0.3:
            options["max_depth"] = int(rng.integers(2, 6))
        both(optimum, game, str(rng.choice(list(WITHOUT_BUDGET))), **options)
        options.pop("max_depth", None)
        both(optimum, game, "win-probability", budget=int(rng.integers(1, 8)), **options)
    if not priced:
        small = acted_game(rng, win=win, priced=False, most=5)
        both(optimum, small, "worst", lies=1, goal=goal)


@pytest.mark.parametrize("seed", seeds(12, 800))
def test_kits_are_those_without_symmetry(seed: int) -> None:
    """Questions that a kit must have, or must not have; false answers; stages."""
    rng = np.random.default_rng(seed)
    for _ in range(3):
        game = acted_game(rng, win=bool(rng.integers(2)), priced=bool(rng.integers(2)), most=8)
        if game.costs is not None:
            game.costs = np.repeat(game.costs[:, :1], len(game.responses), axis=1)
        drawn = rng.permutation(len(game.guesses))[:3].tolist()
        given = {"never": drawn[: rng.integers(0, 3)], "must": drawn[2:] if rng.random() < 0.4 else []}

        def least(lies: int, game: TableGame = game, **given: Any) -> int:
            return int(least_kit(game, lies=lies, **given).upper)

        def staged(game: TableGame = game, **given: Any) -> int:
            return int(staged_kit(game, 2, **given).upper)

        both(least, int(rng.random() < 0.2), **given)
        both(staged, **given)


def test_what_is_never_asked_is_no_image_of_what_may_be() -> None:
    """Each question is about two of eight places on a ring, two steps apart; one is left out."""
    ring = table(
        {f"q{q}": {f"s{s}": "yes" if (s - q) % 8 in (0, 2) else "no" for s in range(8)} for q in range(8)},
        rows="guesses",
        name="ring",
    )

    def staged(symmetry: bool) -> int:
        return int(staged_kit(ring, 2, never=["q0"], symmetry=symmetry).upper)

    assert both(staged) == 4


@pytest.mark.parametrize("seed", seeds(6, 300))
def test_mixed_values_are_those_without_symmetry(seed: int) -> None:
    rng = np.random.default_rng(seed)
    game = acted_game(rng, win=(win := bool(rng.integers(2))), priced=bool(rng.integers(2)), most=7)

    def value(symmetry: bool) -> tuple[Any, Any]:
        found = solve_mixed(game, candidates_only=win, symmetry=symmetry)
        return found.lower, found.upper

    both(value)


def test_a_guess_that_names_a_secret_is_equal_to_such_alone_with_candidates_only() -> None:
    """Each question that wins on a secret divides them as one that names nobody does."""
    rows = ["abacca", "abbbbb", "abcbba", "abbaca"]
    rows += ["Wbbaab", "aWaaaa", "abWaab", "aaaWaa", "babaWa", "aaabaW"]
    secrets = [f"s{number}" for number in range(6)]
    game = TableGame("table:named", ["g0", "g1", "g2", "g3", *secrets], secrets, list(map(list, rows)), "W")
    for name, expected in (("expected", (11,)), ("worst", (2,)), ("worst,expected", (2, 11))):
        pairs = front(game, "identify", candidates_only=True)
        assert best(pairs, OBJECTIVES[name].figures) == expected
        assert both(optimum, game, name, goal="identify", candidates_only=True) == expected
    whole, only = (
        Problem(game, OBJECTIVES["expected"], goal="identify", candidates_only=some).group
        for some in (False, True)
    )
    assert isinstance(whole, Found) and whole.order == 2
    assert not isinstance(only, Found)


def test_threads_may_ask_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What one forgets to spare memory, another may be reading."""
    monkeypatch.setattr("guesstree.engine.symmetry.found.MOST_KEPT", 1 << 8)
    game = acted_game(np.random.default_rng(3), win=False, priced=False)
    group = Problem(game, OBJECTIVES["expected"]).group
    guesses = len(group.generators()[0][0])
    histories = [(guess, (guess + 1) % guesses) for guess in range(min(guesses, 40))] * 20
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(6) as threads:
            first = list(threads.map(group.classes, histories))
    finally:
        sys.setswitchinterval(before)
    for history, classes in zip(histories, first, strict=True):
        np.testing.assert_array_equal(classes, group.classes(history))
