"""Paths of claims: equivalent ones have one canonical form, and strategies are moved along."""

import random
from collections.abc import Mapping
from functools import cache
from itertools import permutations, product

import numpy as np
import pytest
from ruled import ruled_game

from guesstree.engine.campaign.messages import Steps
from guesstree.engine.campaign.paths import Paths, pairs_of
from guesstree.engine.errors import GuesstreeError
from guesstree.engine.objective import OBJECTIVES
from guesstree.engine.problem import Problem
from guesstree.engine.proofs.renaming import Renaming, after, inverse
from guesstree.engine.registry import parse
from guesstree.engine.search.counted import Counted
from guesstree.engine.search.solve import claim_space, solve
from guesstree.engine.search.space import Resources
from guesstree.engine.tables.table import TableGame

EXPECTED = OBJECTIVES["expected"]
SMALL = ["mastermind:3x3", "mastermind:4x2", "mastermind:2x4", "bulls:3x4", "blackpeg:3x2", "blackpeg:2x3"]


@cache
def paths_of(spec: str) -> Paths:
    return Paths(claim_space(Problem(parse(spec), EXPECTED)))


def some_path(paths: Paths, dice: random.Random, pairs: int, *, branch: bool) -> Steps:
    """Return a path that some secret gives."""
    problem, secret = paths.problem, dice.randrange(paths.problem.secrets)
    path: list[int] = []
    for _ in range(pairs):
        guess = dice.randrange(len(problem.own))
        path += guess, int(problem.table[guess, secret])
    return (*path, *([dice.randrange(len(problem.own))] if branch else []))


def cost(paths: Paths, path: Steps, choices: dict[bytes, int]) -> tuple[int, int]:
    """Return the total and the worst case of a strategy."""
    found = Counted(paths.problem).walk(paths.state(path, 9), lambda state: choices[state.key])
    return found.total, found.worst


def group(paths: Paths) -> list[np.ndarray]:
    """Return where each renaming takes each code: all renamings, one by one."""
    pegs, colours, separate = paths.pegs, paths.colours, paths.renamings.separate
    names = list(permutations(range(colours)))
    every = product(permutations(range(pegs)), product(names, repeat=pegs if separate else 1))
    return [paths.renamings.image(renaming) for renaming in every]


@pytest.mark.parametrize("spec", SMALL)
def test_canonical_is_the_least_of_the_whole_group(spec: str) -> None:
    paths, dice = paths_of(spec), random.Random(spec)
    images = group(paths)
    for pairs in (0, 1, 1, 2, 2, 2, 3, 3, 3, 4, 5):
        path = some_path(paths, dice, pairs, branch=bool(dice.randrange(2)))
        state, asked = path[: 2 * pairs], path[2 * pairs :]
        found: list[tuple[Steps, Steps]] = []
        for image in images:
            renamed = sorted((int(image[g]), r) for g, r in pairs_of(state))
            found.append((tuple(n for pair in renamed for n in pair), tuple(int(image[g]) for g in asked)))
        least, guess = min(found)
        assert paths.canonical(path) == (*least, *guess)
        image = images[dice.randrange(len(images))]
        mixed = [(int(image[g]), r) for g, r in pairs_of(state)]
        dice.shuffle(mixed)
        other = (*(n for pair in mixed for n in pair), *(int(image[g]) for g in asked))
        assert paths.canonical(other) == (*least, *guess)
        renaming = paths.renaming(path, other)
        assert renaming is not None
        there = paths.renamings.image(renaming)
        assert sorted((int(there[g]), r) for g, r in pairs_of(state)) == sorted(mixed)
        assert [int(there[g]) for g in asked] == list(other[2 * pairs :])
        before, behind = paths.state(path, 5), paths.state(other, 5)
        assert np.array_equal(np.sort(there[before.candidates]), behind.candidates)


@pytest.mark.parametrize("spec", [*SMALL, "coins:4"])
def test_paths_with_the_same_guesses_go_at_once(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    paths, dice = paths_of(spec), random.Random(spec)
    for pairs, branch in ((0, False), (1, False), (2, True), (3, False)):
        path = some_path(paths, dice, pairs, branch=branch)
        some = [path]
        for _ in range(5):
            told = [r for _ in path[::2] for r in (0, dice.randrange(paths.problem.responses))][1::2]
            some.append(tuple(told[i // 2] if i % 2 else n for i, n in enumerate(path)))
        alone = [paths.canonical(one) for one in some]
        assert paths.canonicals(some) == alone
        monkeypatch.setattr("guesstree.engine.campaign.paths.MOST_WAYS", 10)
        assert paths.canonicals(some) == alone
        monkeypatch.undo()


@pytest.mark.parametrize("spec", ["mastermind:7x4", "mastermind:4x7", "bulls:5x8", "blackpeg:5x6"])
def test_larger_games_have_one_form(spec: str) -> None:
    paths, dice = paths_of(spec), random.Random(spec)
    digits, colours = paths.digits, list(range(paths.colours))
    for pairs in (1, 2, 3, 5):
        secret = dice.randrange(len(digits))
        asked = [dice.randrange(len(digits)) for _ in range(pairs)]
        told = paths.problem.block(np.array(asked, np.int32), np.array([secret], np.int32))[:, 0].tolist()
        names = [dice.sample(colours, len(colours)) for _ in range(paths.pegs if paths.how == 2 else 1)]
        position = dice.sample(range(paths.pegs), paths.pegs)
        image = paths.renamings.image((tuple(position), tuple(map(tuple, names))))
        mixed = list(zip(image[asked].tolist(), told, strict=True))
        dice.shuffle(mixed)
        path = tuple(n for pair in zip(asked, told, strict=True) for n in pair)
        form = paths.canonical(path)
        assert form == paths.canonical(tuple(n for pair in mixed for n in pair)) == paths.canonical(form)
        assert len(paths.state(form, 9).candidates) == len(paths.state(path, 9).candidates)


def packed(paths: Paths, path: Steps, choices: Mapping[bytes, int]) -> bytes:
    """Return a strategy as bytes."""
    return paths.packed(path, 9, lambda state: choices[state.key])


@pytest.mark.parametrize("spec", ["mastermind:3x4", "bulls:3x5", "blackpeg:3x3", "coins:4"])
@pytest.mark.parametrize("only", [False, True])
def test_equivalent_states_cost_the_same(spec: str, only: bool) -> None:
    problem = Problem(parse(spec), EXPECTED, candidates_only=only)
    paths, kind, dice = Paths(claim_space(problem)), Counted(problem), random.Random(1)
    searcher = kind.searcher(kind.query("total"), Resources.of(problem, 1, 1 << 24))
    plain = Problem(problem.game, EXPECTED, candidates_only=only, symmetry=False)
    judge = Counted(plain).searcher(kind.query("total"), Resources.of(plain, 1, 1 << 24))
    for _ in range(10):
        path = some_path(paths, dice, dice.randrange(1, 4), branch=False)
        before, behind = paths.state(path, 4), paths.state(paths.canonical(path), 4)
        here, there = (kind.search(searcher, state, kind.infinite, 0) for state in (before, behind))
        said = Counted(plain).search(judge, before, kind.infinite, 0)
        assert here.lower == there.lower == said.lower


def test_without_renamings_pairs_are_sorted_and_with_rules_nothing_is() -> None:
    plain = Paths(claim_space(Problem(parse("mastermind:3x3"), EXPECTED, symmetry=False)))
    for paths in (plain, paths_of("coins:4")):
        assert paths.canonical((5, 1, 2, 3, 2, 0, 4)) == (2, 0, 2, 3, 5, 1, 4)
        assert paths.renaming((5, 1, 2, 3), (2, 3, 5, 1)) is None
    with pytest.raises(ValueError, match="not known to be equivalent"):
        plain.renaming((5, 1), (6, 1))
    ruled = Paths(claim_space(Problem(ruled_game(3), EXPECTED)))
    assert ruled.canonical((3, 1, 2, 0, 1)) == (3, 1, 2, 0, 1)


@pytest.mark.parametrize("spec", ["mastermind:3x3", "blackpeg:3x3", "bulls:2x4"])
def test_renamings_are_undone_and_follow_each_other(spec: str) -> None:
    paths, dice = paths_of(spec), random.Random(3)

    def some() -> Renaming:
        names = list(range(paths.colours))
        each = [tuple(dice.sample(names, len(names))) for _ in range(paths.pegs if paths.how == 2 else 1)]
        return tuple(dice.sample(range(paths.pegs), paths.pegs)), tuple(each)

    image = paths.renamings.image
    for _ in range(10):
        first, then = some(), some()
        assert np.array_equal(image(inverse(first))[image(first)], np.arange(len(paths.digits)))
        assert np.array_equal(image(after(first, then)), image(then)[image(first)])


@pytest.mark.parametrize("spec", ["mastermind:3x4", "bulls:3x5", "blackpeg:3x3", "coins:5"])
def test_a_strategy_is_packed_and_moved(spec: str) -> None:
    paths, dice = paths_of(spec), random.Random(4)
    choices = dict(solve(paths.game, "expected").choices)
    data = packed(paths, (), choices)
    assert paths.unpacked((), 9, data) == choices
    assert len(data) < 2 * len(choices) + 20
    first = choices[paths.state((), 9).key]
    assert paths.unpacked((first,), 9, packed(paths, (first,), choices)) == choices
    for _ in range(5):
        secret = dice.randrange(paths.problem.secrets)
        path = (first, int(paths.problem.table[first, secret]))
        state = paths.state(path, 9)
        if paths.problem.finished(state.candidates):
            continue
        below = paths.unpacked(path, 9, packed(paths, path, choices))
        assert all(choices[key] == guess for key, guess in below.items())
        form, renaming = paths.form(path)
        moved = paths.moved(below, renaming)
        assert cost(paths, form, moved) == cost(paths, path, below)
        assert paths.moved(moved, paths.renaming(form, path)) == below


def test_damaged_strategies_are_refused() -> None:
    paths = paths_of("mastermind:3x3")
    data = packed(paths, (), solve(paths.game, "expected").choices)
    for damaged in (b"", data[:-3], data[:5] + b"x" + data[6:]):
        with pytest.raises(GuesstreeError, match="are no strategy of ''"):
            paths.unpacked((), 9, damaged)
    for path in ((0, 0), (0,), (1,)):
        with pytest.raises(GuesstreeError, match="are no strategy of"):
            paths.unpacked(path, 9, data)


def test_paths_are_written_in_the_labels_of_the_game() -> None:
    paths = paths_of("mastermind:3x3")
    first, second = paths.game.guess_index("112"), paths.game.guess_index("123")
    path = (first, paths.game.response_index("1,0"), second)
    assert paths.text(path) == "112:1,0 123"
    assert paths.text(()) == ""
    for some in ((), path, path[:2], path[:1]):
        assert paths.parse(paths.text(some)) == some
    table = TableGame("some", ["is it: red", "is it"], ["a", "b"], [["no", "yes"], ["yes", "no"]])
    spaced = Paths(claim_space(Problem(table, EXPECTED)))
    for some in ((), (0,), (1,), (1, 0), (0, 1), (0, 1, 1), (1, 0, 0)):
        assert spaced.parse(spaced.text(some)) == some


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("119:1,0", "'119' is not a guess"),
        ("112:7,0", "'7,0' is not a response"),
        ("112 113:0,0", "expected GUESS:RESPONSE"),
        ("111:0,0 222:0,0 333:0,0", "no secret gives all responses"),
    ],
)
def test_bad_paths_are_refused_in_one_line(text: str, said: str) -> None:
    with pytest.raises(GuesstreeError, match=said) as error:
        paths_of("mastermind:3x3").parse(text)
    assert "\n" not in str(error.value)
