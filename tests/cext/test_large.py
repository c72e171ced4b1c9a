"""Tables large enough for local tables, many responses and equal partitions: twins of all searches agree."""

import random
from typing import Any

import numpy as np
import pytest
from effort import tries
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from ruled import ruled_game
from searches import INFINITE, KERNELS, MODES, Asked, question, questions
from tables import Work

from guesstree.cext import counted, kernels, reference, reference_counted
from guesstree.engine.game import Game, response_type
from guesstree.engine.registry import parse
from guesstree.engine.tables.table import TableGame

pytest.importorskip("guesstree.cext.search")
COUNTED = [mode for mode in MODES if KERNELS[mode] == "counted"]
OTHERS: list[dict[str, Any]] = [{"memory": 1}, {"jobs": 3}, {"memory": 1, "jobs": 2}]
every_mode = pytest.mark.parametrize("mode", MODES)


def asked(mode: str, game: Game, goal: str, depth: int | None = None) -> Asked:
    """Return a question about a large game, with costs where the kernel takes them, and few guesses left."""
    if KERNELS[mode] == "priced" and game.costs is None:
        dice = np.random.default_rng(len(game.secrets))
        game.weights = dice.integers(1, 1000, len(game.secrets)).tolist()
        game.costs = dice.integers(len(game.secrets) % 2, 9, (len(game.guesses), len(game.responses)))
    within = {"depth": 7, "lies": 9}.get(mode) if depth is None else depth
    return question(mode, game, goal, depth=within, left=1 if mode == "lies" else 11)


def table(secrets: int, extra: int, win: bool, cell: Any) -> TableGame:
    """Return a table of `cell(guess, secret)`, where some guesses name secrets if one is to win."""
    names = [f"s{i}" for i in range(secrets)]
    guesses = [f"g{i}" for i in range(extra)] + (names if win else [])
    cells = [["W" if g == s else cell(g, s) for s in names] for g in guesses]
    return TableGame("table:random", guesses, names, cells, "W" if win else None)


@every_mode
@pytest.mark.parametrize("win", [True, False])
@pytest.mark.parametrize("kinds", [2, 3, 4])
def test_searches_of_large_sets_agree(mode: str, win: bool, kinds: int) -> None:
    """Few responses and many secrets: local tables, limits of one set and guesses with equal partitions."""
    rng = np.random.default_rng(kinds)
    game = table(70 if KERNELS[mode] == "counted" else 30, 14, win, lambda *_: "abcd"[rng.integers(kinds)])
    goal = "win" if win else "identify"
    asked(mode, game, goal).work(width=3)
    if mode == "total":
        asked(mode, game, goal, 8).work(420, width=3)


@every_mode
@pytest.mark.parametrize("win", [True, False])
def test_searches_with_many_responses_agree(mode: str, win: bool) -> None:
    """Rows that each guess numbers by itself, numbers of parts of large sets, time slices."""
    rng = np.random.default_rng(7)
    some = {f"g{i}": rng.choice(90, size=22, replace=False) for i in range(12)}
    game = table(90, 12, win, lambda g, _: f"r{rng.choice(some.get(g, some['g0'][:4]))}")
    assert len(game.responses) > 64
    for depth in (None, 4) if mode == "total" else (3,):
        one = asked(mode, game, "win" if win else "identify", depth)
        if KERNELS[mode] == "counted":
            assert one.work().outcome.lower == one.value(jobs=3)
        else:
            one.work(width=2)


@pytest.mark.parametrize("apart", [True, False])
@pytest.mark.parametrize("many", [255, 256, 600])
def test_more_responses_than_a_byte_holds(many: int, apart: bool) -> None:
    rng = np.random.default_rng(many)
    secrets, guesses = [f"s{i}" for i in range(many)], [f"g{i}" for i in range(9)]
    cells = [[str(rng.integers(2)) if i else f"r{s}" for s in range(many)] for i in range(9)]
    cells[0][: many // 2] = ["r0"] * (many // 2)
    cells[8] = [str(s % 40) for s in range(many)]
    if apart:
        cells[7] = [f"r{s}" for s in range(many)]
    game = TableGame("table:random", guesses, secrets, [["r0"] * many] * 9)
    game.responses = sorted({label for row in cells for label in row} | {f"x{i}" for i in range(many)})
    number = {label: i for i, label in enumerate(game.responses)}
    numbers = np.array([[number[label] for label in row] for row in cells], dtype=response_type(game))
    game.table = lambda: numbers  # type: ignore[method-assign]
    game.costs = rng.integers(0, 3, (len(guesses), len(game.responses)))
    for mode in ("expected", "worst", "within a budget"):
        question(mode, game, "identify", left=2).work()
    some = np.arange(0, many, 3, dtype=np.int32)
    counts = kernels.histograms(numbers, some, len(game.responses))
    assert np.array_equal(counts, reference.histograms(numbers, some, len(game.responses)))


@every_mode
@pytest.mark.parametrize("seed", range(4))
def test_searches_agree_where_candidates_tell_little(mode: str, seed: int) -> None:
    """The best guesses are outside the set, and tie: the twins must break ties alike, or counts differ."""
    rng = np.random.default_rng(seed)
    game = table(13 + 2 * seed, 6, True, lambda g, _: "abc"[rng.integers(3 if g[0] == "g" else 1)])
    for depth in (None, 5):
        one = asked(mode, game, "win", depth)
        one.work(width=2)
        if KERNELS[mode] == "counted":
            one.work(400)


@pytest.mark.parametrize("seed", [1, 2, 4, 6, 9])
def test_large_sets_under_rules_agree(seed: int) -> None:
    """Tables of their own, with one guess for each partition, needs and features: the same in both."""
    game = ruled_game(seed, 60, 12)
    goal = "identify" if game.winning is None else "win"
    for without in (0, 16):
        question("total", game, goal, depth=60).work(width=2, without=without)
    question("expected", ruled_game(seed, 30, 12), goal).work(width=2)


# -- where guesses are counted -------------------------------------------------------------------------


@pytest.mark.parametrize("mode", COUNTED)
@tries(2)
@given(st.data())
def test_no_technique_changes_a_value(mode: str, data: st.DataObject) -> None:
    """Any of them left out: the same value; and the twins still count alike."""
    one, without = data.draw(questions(mode, 12, 8)), data.draw(st.integers(0, 127))
    value = one.value()
    assert one.work(without=without).outcome.lower == value
    one.work(without=without, width=3)
    for other in OTHERS:
        assert one.value(without=without, **other) == value


@pytest.mark.parametrize("seed", range(8, 24))
def test_no_table_changes_a_value_of_a_large_set_under_rules(seed: int) -> None:
    """Guesses that tell the same, but have or demand something else, are not the same."""
    game = ruled_game(seed, 36, 14)
    for goal in {"identify", "identify" if game.winning is None else "win"}:
        one = question("total", game, goal)
        found = [one.search(one.searcher(without=some), evaluations=1 << 13) for some in (0, 16, 32, 48)]
        assert len({outcome.lower for outcome in found if not outcome.ended}) < 2


def test_sets_that_cannot_be_separated_save_work() -> None:
    game = parse("mastermind:6x2")
    for goal, depth in (("win", 4), ("identify", 3)):
        one = question("depth", game, goal, depth=depth)
        found, more = one.work(), one.work(without=counted.NOGOODS)
        assert found.outcome.lower == more.outcome.lower == INFINITE["counted"]
        assert found.evaluations < more.evaluations


@pytest.mark.parametrize(("spec", "goal"), [("blackpeg:3x8", "identify"), ("blackpeg:4x5", "win")])
def test_sets_that_renamings_take_to_each_other_are_searched_once(spec: str, goal: str) -> None:
    one = question("total", parse(spec), goal, symmetry=True)
    made = [one.searcher(without=without) for without in (0, counted.ALIKE)]
    found, more = (one.search(searcher) for searcher in made)
    assert found.lower == more.lower
    assert 4 * made[0].evaluations < 3 * made[1].evaluations


def test_twins_know_the_same_of_alike_sets() -> None:
    one = question("total", parse("blackpeg:6x2"), "win", symmetry=True)
    assert one.work().evaluations < one.work(without=counted.ALIKE).evaluations


@pytest.mark.parametrize("spec", ["mastermind:3x4", "bulls:3x5", "blackpeg:3x3", "mastermind:5x2"])
@pytest.mark.parametrize("goal", ["win", "identify"])
@pytest.mark.parametrize("mode", ["total", "depth"])
def test_what_is_known_of_alike_sets_changes_no_value(spec: str, goal: str, mode: str) -> None:
    """Many sets are asked for: of a searcher that remembers all, and of one that shares nothing."""
    chance = random.Random(f"{spec} {goal} {mode}")
    one = question(mode, parse(spec), goal, symmetry=True)
    searcher = one.searcher(memory=1 << 20)
    for _ in range(25):
        some = chance.sample(range(len(one.game.secrets)), chance.randint(6, 14))
        members, depth = np.array(sorted(some), dtype=np.int32), chance.randint(2, 5)
        alone = one.searcher(memory=1 << 20, without=counted.ALIKE).search(members, depth, None, None)
        assert searcher.search(members, depth, None, None).lower == alone.lower


def renamed(
    digits: NDArray[np.uint8], members: Any, separate: bool, chance: random.Random
) -> NDArray[np.int32]:
    """Return what a random renaming of positions and colours takes codes to; `separate`: of each position."""
    pegs, colours = digits.shape[1], int(digits.max()) + 1
    places = chance.sample(range(pegs), pegs)
    names = [np.array(chance.sample(range(colours), colours)) for _ in range(pegs if separate else 1)]
    moved = np.empty((len(members), pegs), dtype=np.uint8)
    for x in range(pegs):
        moved[:, places[x]] = names[x % len(names)][digits[members, x]]
    return np.array(sorted(int((digits == code).all(axis=1).argmax()) for code in moved), dtype=np.int32)


@pytest.mark.parametrize("spec", ["mastermind:3x5", "bulls:3x6", "blackpeg:3x5", "mastermind:6x2"])
@pytest.mark.parametrize("goal", ["win", "identify"])
def test_the_value_of_a_set_is_that_of_all_that_renamings_take_it_to(spec: str, goal: str) -> None:
    """It is known without a search, and the strategy that is read off of another set reaches it."""
    chance = random.Random(f"{spec} {goal}")
    one = question("total", parse(spec), goal, symmetry=True)
    searcher, digits = one.searcher(memory=1 << 20), one.given["digits"]
    for _ in range(8):
        members = np.array(sorted(chance.sample(range(len(digits)), 18)), dtype=np.int32)
        found = searcher.search(members, 18, None, None)
        before = searcher.evaluations
        image = renamed(digits, members, "black" in spec, chance)
        assert searcher.search(image, 18, found.upper, None).lower == found.upper
        assert searcher.evaluations == before
        assert cost_of(one.given["table"], searcher, image, goal) == found.upper


@pytest.mark.parametrize("spec", ["mastermind:2x4", "bulls:2x5", "blackpeg:3x3"])
@pytest.mark.parametrize("goal", ["win", "identify"])
def test_twins_know_the_same_of_images(spec: str, goal: str) -> None:
    chance = random.Random(f"{spec} {goal}")
    one = question("total", parse(spec), goal, symmetry=True)
    for _ in range(3):
        twins, digits = [one.searcher(plain=plain) for plain in (False, True)], one.given["digits"]
        one.candidates = np.array(sorted(chance.sample(range(len(digits)), 11)), dtype=np.int32)
        one.depth = 4
        for _ in range(3):
            found = [Work.of(searcher, one.search(searcher, history=None)) for searcher in twins]
            assert found[0] == found[1]
            guesses = {searcher.choice(one.candidates, one.depth, None) for searcher in twins}
            assert len(guesses) == 1
            one.candidates = renamed(digits, one.candidates, "black" in spec, chance)


def cost_of(table: NDArray[np.uint8], searcher: Any, members: NDArray[np.int32], goal: str) -> int:
    """Return what the strategy takes in all that a searcher reads off for a set of codes."""
    if goal == "identify" and len(members) == 1:
        return 0
    guess = searcher.choice(members, 18, None)
    left = members[members != guess] if goal == "win" else members
    parts = [left[table[guess, left] == response] for response in np.unique(table[guess, left])]
    return len(members) + sum(cost_of(table, searcher, part, goal) for part in parts)


@pytest.mark.parametrize("spec", ["mastermind:3x4", "bulls:4x7", "blackpeg:4x4", "blackpeg:5x3"])
@pytest.mark.parametrize("goal", ["win", "identify"])
def test_codes_answer_as_their_table_does(spec: str, goal: str) -> None:
    """Without a table at the root, with threads: the same values, and a strategy that reaches them."""
    one = question("total", parse(spec), goal, symmetry=True)
    form = one.game.code_form()
    assert form is not None
    value = one.value()
    table = one.given["table"]
    one.given |= {"symbols": form.symbols, "response_of": form.response_of, "table": None}
    assert one.value() == one.value(jobs=2) == value
    searcher = one.searcher()
    assert one.search(searcher).upper == value == cost_of(table, searcher, one.candidates, goal)


def test_part_counts_do_not_depend_on_the_processor() -> None:
    """Few responses or many, of few secrets or many, take different paths; all must give the optimum."""
    rng = np.random.default_rng(1)
    shapes = [(kinds, 40) for kinds in (3, 20, 31, 33, 50, 60, 80, 200)]
    for kinds, secrets in (*shapes, (70, 100), (130, 150), (200, 150), (255, 240)):
        game = table(secrets, 12, False, lambda *_, kinds=kinds: str(rng.integers(kinds)))
        question("total", game, "identify", depth=40).work()


@pytest.mark.parametrize("secrets", [60, 64, 65, 150, 255])
@pytest.mark.parametrize("unit", [0, 1])
def test_bounds_of_large_sets_with_many_responses_agree(secrets: int, unit: int) -> None:
    """Random tables; the first guesses win on the first secrets, and a set leaves some of them out."""
    rng = np.random.default_rng(secrets)
    for responses, guesses in ((65, 7), (128, 33), (200, 64), (243, 70), (256, 40)):
        winning, kinds = responses - 1, int(rng.integers(2, responses))
        cells = rng.integers(kinds, size=(guesses, secrets)).astype(np.uint8)
        named = np.where(np.arange(guesses) < secrets, np.arange(guesses), -1).astype(np.int32)
        for guess in range(min(guesses, secrets)):
            cells[guess, guess] = winning
        members = np.sort(rng.permutation(secrets)[: secrets - 3]).astype(np.int32)
        least = np.array([0, *(2 * n + 1 for n in range(secrets))], dtype=np.int64) * unit
        capacity = np.array([0, 1, secrets], dtype=np.int64)
        found = []
        for module in (counted, reference_counted):
            searcher = module.Searcher(cells, named, responses, winning, unit, False, least, capacity)
            found.append([searcher.bound(members, depth) for depth in (2, 3, 9)])
        assert found[0] == found[1]
