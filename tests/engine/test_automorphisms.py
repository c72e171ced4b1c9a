"""The symmetry that a table has: as many renamings as there are, and guesses equivalent that are."""

from collections.abc import Callable, Sequence
from itertools import product
from math import factorial
from operator import mul, ne
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from effort import seeds
from optimum import optimum
from renamings import Marked, alike_too, listed, relabelled, symmetric_game, symmetric_table

from guesstree.engine.objective import OBJECTIVES, WITHOUT_BUDGET
from guesstree.engine.oracle import best, front
from guesstree.engine.problem import Problem
from guesstree.engine.registry import families, parse
from guesstree.engine.symmetry import automorphisms
from guesstree.engine.symmetry.drawing import Chain
from guesstree.engine.symmetry.found import Found
from guesstree.engine.symmetry.groups import Trivial
from guesstree.engine.tables.table import TableGame

QUICK = 12


@pytest.mark.parametrize("seed", seeds(QUICK, 200))
def test_renamings_and_classes_are_those_of_the_oracle(seed: int) -> None:
    """Twenty tables: all permutations of the secrets are tried, and orbits of those that keep a history."""
    rng = np.random.default_rng(seed)
    for _ in range(20):
        marked = symmetric_table(rng, 5 if seed < QUICK else 6)
        found, renamings = Found(marked.coloured()), marked.renamings()
        assert found.complete
        assert found.order == len(renamings)
        generated = listed([one.secrets for one in found.renamings], len(marked.secrets))
        assert {tuple(element) for element in generated} == set(renamings)
        for length in range(3):
            history = tuple(rng.integers(0, len(marked.guesses), length).tolist())
            classes = found.classes(history)
            called = np.arange(len(marked.guesses)) if classes is None else classes
            orbits = marked.orbits(history, renamings)
            for guess, orbit in enumerate(orbits):
                assert set(np.flatnonzero(called == called[guess]).tolist()) <= orbit
            assert alike_too(marked, called, history) == orbits  # the random elements were enough


@pytest.mark.parametrize("seed", seeds(6, 60))
def test_values_with_the_symmetry_of_a_table_are_those_of_the_oracle(seed: int) -> None:
    """Weights and costs that it keeps included, whether it is looked for or not."""
    rng = np.random.default_rng(seed)
    for _ in range(3):
        win, only = bool(rng.integers(2)), bool(rng.integers(2))
        game = symmetric_game(rng, win=win, most_secrets=4 if seed < QUICK else 5)
        goal, depth = "win" if win else "identify", [None, 2, 3][rng.integers(3)]
        options = {"goal": goal, "candidates_only": only and win, "max_depth": depth}
        pairs = front(game, goal, candidates_only=only and win, max_depth=depth)
        for name in rng.choice(list(WITHOUT_BUDGET), 2, replace=False).tolist():
            expected = best(pairs, OBJECTIVES[name].figures, None)
            for symmetry in (True, False):
                assert optimum(game, name, symmetry=symmetry, **options) == expected


def test_with_candidates_only_a_guess_that_names_no_secret_stands_for_none_that_does() -> None:
    """To identify, nobody wins; g0 and g1 divide the secrets as others do, but may not be asked."""
    cells = {
        "g0": "ccdee", "g1": "cdddd",
        "s0": "Wabab", "s1": "aWaba", "s2": "bbWbb", "s3": "abbWa", "s4": "aaabW",
    }  # fmt: skip
    game = TableGame("table:five", list(cells), [f"s{n}" for n in range(5)], list(cells.values()), "W")
    options = {"goal": "identify", "candidates_only": True}
    assert [optimum(game, "expected", symmetry=how, **options) for how in (True, False)] == [(8,), (8,)]


def marked(rows: list[str]) -> Marked:
    """Return a table of which all secrets, guesses and responses are of one kind."""
    table = np.array([[int(cell) for cell in row] for row in rows], dtype=np.uint8)
    shape = (len(table), int(table.max()) + 1)
    kinds, guesses, secrets = (np.zeros(size, dtype=np.uint64) for size in (shape, shape[0], table.shape[1]))
    return Marked(table, kinds, guesses, secrets)


def order(table: Marked) -> int:
    """Return the order of the symmetry of a table, all of which is found."""
    found = Found(table.coloured())
    assert found.complete
    return found.order


def test_secrets_that_no_guess_tells_apart_are_counted() -> None:
    assert order(marked(["0011"])) == 8
    assert order(marked(["000"])) == 6
    assert order(marked(["0"])) == 1


def test_guesses_that_divide_alike_are_not_counted() -> None:
    """They go where such guesses go, in their order; none is called equivalent to its like for that."""
    table = marked(["0012", "1120"])
    assert order(table) == 4
    assert Found(table.coloured()).classes(()) is None
    twice = marked(["01", "01", "10"])
    assert order(twice) == 2
    assert [one.guesses.tolist() for one in Found(twice.coloured()).renamings] == [[0, 1, 2]]


def test_responses_are_renamed_within_a_guess() -> None:
    assert order(marked(["0122", "1100"])) == 4
    assert [one.responses.tolist() for one in Found(marked(["01"]).coloured()).renamings] == [[[1, 0]]]


def test_what_no_secret_gives_says_nothing() -> None:
    """Responses of other kinds that never come leave the symmetry as it is."""
    table = marked(["010", "100"])
    kinds = np.array([[5, 5, 7], [5, 5, 8]], dtype=np.uint64)
    assert order(Marked(table.table, kinds, table.guesses, table.secrets)) == order(table) == 2


def test_kinds_and_colours_are_kept() -> None:
    table = marked(["0123"])
    assert order(table) == 24
    kinds = np.array([[1, 1, 2, 2]], dtype=np.uint64)
    weights = np.array([3, 1, 1, 1], dtype=np.uint64)
    assert order(Marked(table.table, kinds, table.guesses, table.secrets)) == 4
    assert order(Marked(table.table, table.kinds, table.guesses, weights)) == 6
    assert order(Marked(table.table, kinds, table.guesses, weights)) == 2
    rows = marked(["011", "101", "110"])
    assert order(rows) == 6
    assert order(Marked(rows.table, rows.kinds, np.array([0, 0, 1], dtype=np.uint64), rows.secrets)) == 2


def adjacency(places: Sequence[tuple[int, ...]], adjacent: Callable[[Any, Any], bool]) -> Marked:
    """Return a graph as a table: a vertex is answered 2 by itself, 1 by its neighbours, 0 by all others."""
    return marked(["".join("2" if a == b else str(int(adjacent(a, b))) for b in places) for a in places])


def side_by_side(*tables: Marked) -> Marked:
    """Return tables with a guess and a secret for each of theirs; secrets of others are answered 0."""
    height, width = (sum(table.table.shape[axis] for table in tables) for axis in (0, 1))
    cells, top, left = np.zeros((height, width), dtype=np.uint8), 0, 0
    for table in tables:
        down, along = table.table.shape
        cells[top : top + down, left : left + along] = table.table
        top, left = top + down, left + along
    return marked(["".join(map(str, row)) for row in cells])


def plane(q: int) -> Marked:
    """Return the projective plane over a prime field: which points are on which lines."""
    points = [(1, a, b) for a in range(q) for b in range(q)] + [(0, 1, a) for a in range(q)] + [(0, 0, 1)]
    return marked(
        ["".join(str(int(sum(map(mul, line, point)) % q == 0)) for point in points) for line in points]
    )


SQUARE = [(a, b) for a in range(4) for b in range(4)]
ROOK = adjacency(SQUARE, lambda a, b: a[0] == b[0] or a[1] == b[1])
STEPS = {(0, 1), (0, 3), (1, 0), (3, 0), (1, 1), (3, 3)}
SHRIKHANDE = adjacency(SQUARE, lambda a, b: ((a[0] - b[0]) % 4, (a[1] - b[1]) % 4) in STEPS)


def cycle(length: int) -> Marked:
    """Return a table with a guess for each edge of a cycle, which its two ends answer alike."""
    return marked(["".join(str(int((s - g) % length < 2)) for s in range(length)) for g in range(length)])


REGULAR = {
    "a set": (marked(["".join(str(int(s == g)) for s in range(60)) for g in range(60)]), factorial(60)),
    "cube": (
        adjacency(list(product((0, 1), repeat=5)), lambda a, b: sum(map(ne, a, b)) == 1),
        2**5 * factorial(5),
    ),
    "Paley 13, and its complement": (
        adjacency([(a,) for a in range(13)], lambda a, b: (a[0] - b[0]) % 13 in {1, 3, 4, 9, 10, 12}),
        2 * 13 * 6,
    ),
    "rook": (ROOK, 2 * 24**2),
    "Shrikhande": (SHRIKHANDE, 192),
    "rook beside Shrikhande": (side_by_side(ROOK, SHRIKHANDE), 2 * 24**2 * 192),
    "cycles that refinement does not tell apart": (
        side_by_side(*map(cycle, (3, 3, 3, 3, 6, 6))),
        factorial(4) * 6**4 * factorial(2) * 12**2,
    ),
    "Sylvester 16": (
        marked(["".join(str((g & s).bit_count() % 2) for s in range(16)) for g in range(16)]),
        16 * (15 * 14 * 12 * 8),
    ),
    "plane 5": (plane(5), 5**3 * (5**2 - 1) * (5**3 - 1)),
    "plane 7": (plane(7), 7**3 * (7**2 - 1) * (7**3 - 1)),
    "Latin square of a cyclic group": (
        marked(
            [
                "".join(str(int((a, b, (a + b) % 7)[k] == g)) for a in range(7) for b in range(7))
                for k in range(3)
                for g in range(7)
            ]
        ),
        7**2 * 6 * 6,
    ),
}
"""Tables that are alike everywhere, where refinement alone says nothing, and how many renamings there are."""


@pytest.mark.parametrize("name", REGULAR)
def test_regular_tables(name: str) -> None:
    table, expected = REGULAR[name]
    rng = np.random.default_rng(3)
    rows, columns = rng.permutation(len(table.guesses)), rng.permutation(len(table.secrets))
    shuffled = np.ascontiguousarray(table.table[rows][:, columns])
    assert order(table) == expected
    assert order(Marked(shuffled, table.kinds, table.guesses, table.secrets)) == expected


def test_a_guess_with_very_many_images_is_quickly_kept() -> None:
    """Its responses may be renamed in 12! ways, none of which is listed."""
    one_by_one = ["".join(str(int(s == g)) for s in range(12)) for g in range(12)]
    table = marked(one_by_one)
    named = np.concatenate([table.table, np.arange(12, dtype=np.uint8)[None, :]])
    shape = (len(named), 12)
    kinds, guesses = np.zeros(shape, dtype=np.uint64), np.zeros(len(named), dtype=np.uint64)
    found = Found(Marked(named, kinds, guesses, table.secrets).coloured())
    assert found.order == factorial(12)
    np.testing.assert_equal(found.classes(()), [0] * 12 + [12])
    np.testing.assert_equal(found.classes((2, 5)), [0, 0, 2, 0, 0, 5] + [0] * 6 + [12])
    assert found.classes((12,)) is None


@pytest.mark.parametrize("most", [0, 100_000, 300_000, 1_000_000])
def test_what_takes_too_long_is_left_out(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Renamings that were found by then are true; the classes after any history are at most too fine."""
    table = REGULAR["rook"][0]
    whole = Found(table.coloured())
    monkeypatch.setattr(automorphisms, "MOST_WORK", most)
    found = Found(table.coloured())
    assert found.complete == (most == 1_000_000)
    assert whole.order % found.order == 0
    assert (found.order == whole.order) == found.complete
    for history in ((), (3,), (3, 8)):
        coarse, fine = whole.classes(history), found.classes(history)
        assert coarse is not None
        assert fine is None or np.array_equal(coarse[fine], coarse)


def test_many_random_tables_have_no_renaming() -> None:
    rng = np.random.default_rng(1)
    for _ in range(20):
        cells = rng.integers(0, 3, (12, 30))
        assert order(marked(["".join(map(str, row)) for row in cells])) == 1


DECLARED = {
    "mastermind:2x3": factorial(2) * factorial(3),
    "mastermind:3x3": factorial(3) * factorial(3),
    "mastermind:4x3": factorial(4) * factorial(3),
    "mastermind:5x2": factorial(5) * factorial(2),
    "mastermind:2x5": factorial(2) * factorial(5),
    "bulls:3x4": factorial(3) * factorial(4),
    "bulls:4x5": factorial(4) * factorial(5),
    "blackpeg:3x3": factorial(3) * factorial(3) ** 3,
    "mastermind:3x3,empty": factorial(3) * factorial(3),
    "mastermind:3x3,distinct,any": factorial(3) * factorial(3),
    "blackpeg:2x3,empty": factorial(2) * factorial(3) ** 2,
    "blackpeg:3x4,distinct": factorial(3) * factorial(4),
    "coins:5,total=2": factorial(5),
    "balance:4,light": factorial(4),
}
MORE = {
    "mastermind:2x2": 2 * factorial(2) * factorial(2),
    "bulls:4x4": 2 * factorial(4) * factorial(4),  # a code that is a permutation has an inverse
    "blackpeg:4x4,distinct": 2 * factorial(4) * factorial(4),
    "blackpeg:3x3,distinct,empty": 2 * factorial(3) * factorial(3),
    "blackpeg:4x2": 2 * factorial(4) * factorial(2) ** 4,  # distances 1 and 3 in the cube
    "coins:5": 2 * factorial(5),  # each coin of the other weight
    "coins:4,max=2": 2 * factorial(4),
    "coins:4,total=2": 2 * factorial(4),
    "balance:5": 2 * factorial(5),  # heavy and light
    "balance:4,none": 2 * factorial(4),
    "questions:6": factorial(6),
    "questions:5,answers=3": factorial(5),
    "questions:8,ranges": 2,
}
"""Families with the symmetry that they declare, and those of which tables have more than anybody declared."""


@pytest.mark.parametrize("spec", [*DECLARED, *MORE])
def test_shuffled_families_have_the_symmetry_that_they_declare_or_more(spec: str, tmp_path: Path) -> None:
    group = Problem(relabelled(spec, tmp_path / "table.csv"), OBJECTIVES["expected"]).group
    assert isinstance(group, Found)
    assert group.complete
    assert group.order == (DECLARED | MORE)[spec]


@pytest.mark.long
@pytest.mark.parametrize(("spec", "expected"), [("mastermind:4x6", 17_280), ("coins:10", 7_257_600)])
def test_large_shuffled_families(spec: str, expected: int, tmp_path: Path) -> None:
    group = Problem(relabelled(spec, tmp_path / "table.csv"), OBJECTIVES["expected"]).group
    assert isinstance(group, Found)
    assert group.complete
    assert group.order == expected


FAMILIES = {
    "mastermind:2x2": 8,
    "mastermind:3x3": 36,
    "blackpeg:3x3": 1296,
    "mastermind:2x3,empty": 12,
    "blackpeg:3x3,distinct,any": 36,
    "bulls:3x4": 144,
    "coins:4": 48,
    "coins:1,max=9": factorial(10),
    "coins:3,max=2": 12,
    "coins:3,max=3,total=4": 6,
    "coins:4,max=2,total=1..3": 120,
    "balance:3": 36,
    "balance:3,coin,none,good": 12,
    "balance:4,heavy,none,good": 24,
    "balance:15,light": 2,
    "balance:4,light,false=2": 48,
    "balance:3,good,false=0..3": 48,
    "questions:4,answers=3": 24,
    "questions:1/8+1/8+1/4+1/2": 2,
    "questions:6,answers=3,ranges": 2,
    "questions:3+1+2.5+1,answers=4,most=1": 2,
    "higher:5": 2,
    "higher:3+5+3,gaps=1+2+2+1": 2,
    "battleship:1x4,ships=2": 2,
    "battleship:2x3,ships=1+2": 4,
    "battleship:3x3,ships=2+2,named": 16,
    "battleship:3x4,ships=2+1,apart,known": 4,
    "who:TABLE,causes=columns": 2,
    "worldle:PLACES,km=5000,arrows=4": 4,
    "table:TABLE": 2,
    "wordle:WORDS": 2,
    "hangman:WORDS": 2,
    "hangman:WORDS,misses=1": 2,
    "boards:2,wordle:WORDS": 32,
    "boards:2,mastermind:2x2": 64,
    "jotto:WORDS": 4,
    "nerdle:5": 1,
    "primel:2": 6,
    "pools:3": 6,
}
"""Small games of all families, with the order that is found."""


def test_all_families_are_shuffled() -> None:
    """So a new family is."""
    ours = {family.name for family in families() if family.make.__module__.startswith("guesstree.")}
    assert ours == {spec.split(":")[0] for spec in FAMILIES}


@pytest.mark.parametrize("spec", FAMILIES)
def test_copies_have_the_symmetry_of_the_game(spec: str, tmp_path: Path) -> None:
    """Rows, columns and all names change; what the family declares is part of what is found."""
    (tmp_path / "words.txt").write_text("otto\nanna\ntoto\nnoah\n")
    (tmp_path / "some.csv").write_text("test,a,b,c\nx,hot,cold,cold\ny,hot,hot,cold\n")
    (tmp_path / "places.csv").write_text("name,lat,lon\na,0,0\nb,0,20\nc,0,60\nd,0,90\n")
    given = spec.replace("WORDS", str(tmp_path / "words.txt")).replace("TABLE", str(tmp_path / "some.csv"))
    given = given.replace("PLACES", str(tmp_path / "places.csv"))
    problems = [Problem(parse(given), OBJECTIVES["expected"])]
    problems += [
        Problem(relabelled(given, tmp_path / f"{seed}.csv", seed), OBJECTIVES["expected"]) for seed in (1, 2)
    ]
    found = []
    for problem in problems:
        alone = np.zeros(len(problem.own), dtype=np.uint64)
        group = problem.group_that_keeps(alone, problem.weights.astype(np.uint64))
        assert isinstance(group, Trivial) or (isinstance(group, Found) and group.complete)
        found.append(group.order if isinstance(group, Found) else 1)
    assert found == [FAMILIES[spec]] * 3
    declared = Chain([secrets for _, secrets in problems[0].game.symmetry.generators()], problems[0].secrets)
    assert found[0] % declared.order == 0
    if problems[0].secrets <= 7:
        kinds = np.zeros((len(alone), problem.responses), dtype=np.uint64)
        if problem.game.costs is not None:
            kinds += 2 * problem.costs.astype(np.uint64)
        if problem.winning >= 0:
            kinds[:, problem.winning] += np.uint64(1)
        table = problem.table.astype(np.uint8)
        brute = Marked(table, kinds, alone, problem.weights.astype(np.uint64)).renamings()
        assert len(brute) == found[0]


def test_alike_samples_of_group_testing() -> None:
    """Five samples and all pools of them: all are alike, or one is positive more often than the others."""
    sets = list(product((0, 1), repeat=5))
    table = marked(
        ["".join(str(int(any(map(mul, pool, one)))) for one in sets) for pool in sets if any(pool)]
    )
    assert order(table) == factorial(5)
    alike = np.array([9 ** (5 - sum(one)) for one in sets], dtype=np.uint64)
    assert order(Marked(table.table, table.kinds, table.guesses, alike)) == factorial(5)
    unlike = np.array([9 ** (4 - sum(one[1:])) * (5 + one[0]) for one in sets], dtype=np.uint64)
    assert order(Marked(table.table, table.kinds, table.guesses, unlike)) == factorial(4)


@pytest.mark.parametrize(
    "spec",
    [
        *("mastermind:3x3", "bulls:3x4", "blackpeg:3x3", "coins:5", "mastermind:5x2"),
        *("mastermind:3x3,empty", "blackpeg:2x4,empty", "blackpeg:3x4,distinct"),
    ],
)
def test_classes_after_a_history_are_those_that_families_declare(spec: str) -> None:
    """No response of a guess is renamed once it was asked, so what is found beyond that changes nothing."""
    game = parse(spec)
    shape = (len(game.guesses), len(game.responses))
    kinds, guesses, secrets = (np.zeros(size, np.uint64) for size in (shape, shape[0], len(game.secrets)))
    if game.winning is not None:
        kinds[:, game.winning] = 1
    found, rng = Found(Marked(game.table(), kinds, guesses, secrets).coloured()), np.random.default_rng(5)
    for length in (0, *[1, 2, 3] * 6):
        history = rng.integers(0, len(guesses), length).tolist()
        np.testing.assert_equal(found.classes(history), game.symmetry.classes(history))
