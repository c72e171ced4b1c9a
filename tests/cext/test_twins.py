"""The compiled kernels and their plain twins: same signatures, same results, same counts."""

from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import games

from guesstree.cext import reference, reference_onestep
from guesstree.engine.game import Game
from guesstree.engine.objective import OBJECTIVES
from guesstree.engine.onestep.valuations import VALUATIONS
from guesstree.engine.problem import Problem
from guesstree.engine.registry import parse
from guesstree.engine.tables.table import TableGame

kernels = pytest.importorskip("guesstree.cext.kernels")
counted = pytest.importorskip("guesstree.cext.counted")
onestep = pytest.importorskip("guesstree.cext.onestep")
CEXT = Path(__file__).parents[2] / "cext"  # where the sources are, whatever is installed


def signatures(source: str) -> dict[str, list[str]]:
    """Return the argument names of public functions and methods of a Cython or Python source."""
    found, name, text = {}, "", ""
    for line in (line.split("  #")[0] for line in source.splitlines()):
        if line.lstrip().startswith("def "):
            text = line
        elif text:
            text += line
        if text and text.rstrip().endswith(":"):
            name, _, rest = text.strip()[4:].partition("(")
            inside = rest[: rest.rindex(")")]
            for opening, closing in ("[]", "()"):
                while opening in inside:
                    start = inside.rindex(opening)
                    inside = inside[:start] + inside[inside.index(closing, start) + 1 :]
            names = [
                part.split("=")[0].split(":")[0].split()[-1] for part in inside.split(",") if part.strip()
            ]
            if not name.startswith("_") or name == "__init__":
                found[name] = [n for n in names if n != "self"]
            text = ""
    return found


@pytest.mark.parametrize(
    "pair",
    [
        ("kernels.pyx", "reference.py"),
        ("search.pyx", "reference_search.py"),
        ("counted.pyx", "reference_counted.py"),
        ("onestep.pyx", "reference_onestep.py"),
        ("priced.pyx", "reference_priced.py"),
        ("lying.pyx", "reference_lying.py"),
        ("noisy.pyx", "reference_noisy.py"),
        ("misses.pyx", "reference_misses.py"),
        ("kits.pyx", "reference_kits.py"),
    ],
)
def test_twins_have_the_same_signatures(pair: tuple[str, str]) -> None:
    compiled, plain = (signatures((CEXT / name).read_text()) for name in pair)
    assert compiled, "no function was found"
    assert {name: plain.get(name) for name in compiled} == compiled


@pytest.mark.parametrize("name", ["counted", "priced", "lying", "noisy"])
def test_the_constants_of_the_twins_agree(name: str) -> None:
    compiled, plain = (import_module(f"guesstree.cext.{prefix}{name}") for prefix in ("", "reference_"))
    public = {n for n in vars(compiled) if n.isupper()}
    assert "INFINITE" in public
    public -= {"MOST_JOBS", "STARTING"}  # threads are for the compiled one
    assert {n: getattr(compiled, n) for n in public} == {n: getattr(plain, n) for n in public}


@given(st.data())
def test_code_responses_agree(data: st.DataObject) -> None:
    pegs, colours = data.draw(st.integers(1, 5)), data.draw(st.integers(1, 5))
    code = st.lists(st.integers(0, colours - 1), min_size=pegs, max_size=pegs)
    guesses, secrets = (
        np.array(data.draw(st.lists(code, min_size=1, max_size=8)), dtype=np.uint8) for _ in "gs"
    )
    lookup = np.arange((pegs + 1) ** 2, dtype=np.uint8).reshape(pegs + 1, pegs + 1)
    args = (guesses, secrets, colours, lookup)
    assert np.array_equal(kernels.code_responses(*args), reference.code_responses(*args))


@given(st.data())
def test_mark_responses_agree(data: st.DataObject) -> None:
    letters = data.draw(st.integers(1, 12))
    word = st.lists(st.integers(0, 2), min_size=letters, max_size=letters)
    guesses, secrets = (
        np.array(data.draw(st.lists(word, min_size=1, max_size=40)), dtype=np.uint8) for _ in "gs"
    )
    found = kernels.mark_responses(guesses, secrets)
    plain = reference.mark_responses(guesses, secrets)
    assert found.dtype == plain.dtype
    assert np.array_equal(found, plain)
    met = kernels.occurring(found, 3**letters)
    assert np.array_equal(met, reference.occurring(plain, 3**letters))
    assert np.flatnonzero(met).tolist() == np.unique(found).tolist()


@given(games(), st.data())
def test_histograms_agree(game: Game, data: st.DataObject) -> None:
    chosen = data.draw(st.sets(st.integers(0, len(game.secrets) - 1)))
    args = (game.table(), np.array(sorted(chosen), dtype=np.int32), len(game.responses))
    assert np.array_equal(kernels.histograms(*args), reference.histograms(*args))


@given(st.data())
def test_orbits_agree(data: st.DataObject) -> None:
    """A generator may take each number to one that stands for it; members may be taken elsewhere."""
    size = data.draw(st.integers(1, 12))
    orders = data.draw(st.lists(st.permutations(range(size)), max_size=3))
    generators = [np.array(order) for order in orders]
    more = data.draw(st.booleans())
    if generators and more:
        generators.append(reference.orbits(size, generators[:1], np.arange(size)))
    members = np.array(sorted(data.draw(st.sets(st.integers(0, size - 1)))), dtype=np.int64)
    found = kernels.orbits(size, generators, members)
    assert np.array_equal(found, reference.orbits(size, generators, members))
    assert found.dtype == np.int64
    assert kernels.enough(size, generators, members) == reference.enough(size, generators, members)


@given(games(), st.data())
def test_most_told_agrees(game: Game, data: st.DataObject) -> None:
    """The sets share no secret; secrets may be in none."""
    place = data.draw(st.lists(st.integers(-1, 3), min_size=len(game.secrets), max_size=len(game.secrets)))
    sets = [np.flatnonzero(np.array(place) == k) for k in range(4)]
    secrets = np.concatenate(sets).astype(np.int32)
    starts = np.cumsum([0, *map(len, sets)]).astype(np.int32)
    args = (game.table(), game.own(), secrets, starts)
    for found, plain in zip(kernels.most_told(*args), reference.most_told(*args), strict=True):
        assert np.array_equal(found, plain)


@given(st.data())
def test_equivalents_agree(data: st.DataObject) -> None:
    separate = data.draw(st.booleans())
    positions, colours = data.draw(
        st.sampled_from([(1, 3), (2, 3), (3, 2)] if separate else [(1, 4), (2, 4), (3, 4), (4, 3), (5, 2)])
    )
    distinct = positions <= colours and data.draw(st.booleans())
    codes = [c for c in product(range(colours), repeat=positions) if not distinct or len({*c}) == positions]
    digits = np.array(codes, dtype=np.uint8)
    rows = st.lists(st.integers(0, len(codes) - 1), max_size=4)
    history = np.array(data.draw(rows), dtype=np.int32)
    args = (digits, colours, separate, history)
    assert np.array_equal(kernels.equivalents(*args), reference.equivalents(*args))


@pytest.mark.parametrize(
    "spec",
    ["mastermind:4x6", "mastermind:7x2", "mastermind:5x3", "bulls:4x7", "blackpeg:4x3", "blackpeg:7x2"],
)
def test_equivalents_are_the_classes_of_games(spec: str) -> None:
    game = parse(spec)
    form = game.code_form()
    assert form is not None
    rng = np.random.default_rng(1)
    everything = np.arange(len(form.digits))
    for length in (0, *[1, 2, 3] * 8):
        history = rng.integers(len(form.digits), size=length, dtype=np.int32)
        classes = game.symmetry.classes(history.tolist())
        dropped = kernels.equivalents(
            form.digits, int(form.digits.max()) + 1, spec.startswith("blackpeg"), history
        )
        assert np.array_equal(dropped, (everything if classes is None else classes) != everything)


def drawn_table(data: st.DataObject) -> tuple[Any, int, np.random.Generator]:
    """Draw a table of one or two bytes a response, how many responses there are, and what draws the rest."""
    guesses, secrets, most = (data.draw(st.integers(1, highest)) for highest in (6, 7, 4))
    rng = np.random.default_rng(data.draw(st.integers(0, 999)))
    table = rng.integers(0, most, (guesses, secrets), data.draw(st.sampled_from([np.uint8, np.uint16])))
    return table, most + data.draw(st.integers(0, 2)), rng


@given(st.data())
def test_refined_colours_agree(data: st.DataObject) -> None:
    table, responses, rng = drawn_table(data)
    some = np.array([0, 1, 2, 2**63, 2**64 - 1], dtype=np.uint64)
    sizes = (len(table), responses), len(table), table.shape[1]
    args = (table, *(rng.choice(some, size) for size in sizes))
    for found, expected in zip(kernels.refined(*args), reference.refined(*args), strict=True):
        assert found.dtype == expected.dtype == np.uint64
        assert np.array_equal(found, expected)


@given(st.data())
def test_refined_colours_do_not_depend_on_names(data: st.DataObject) -> None:
    """Rows, columns and the responses of each guess renamed: the colours come along."""
    table, responses, rng = drawn_table(data)
    kinds, guesses, secrets = (
        rng.integers(0, 3, size, dtype=np.uint64)
        for size in ((len(table), responses), len(table), table.shape[1])
    )
    rows, columns = rng.permutation(len(table)), rng.permutation(table.shape[1])
    names = np.array([rng.permutation(responses) for _ in rows])
    renamed = np.take_along_axis(names, table[rows][:, columns].astype(np.int64), axis=1).astype(table.dtype)
    moved = np.empty((len(table), responses), dtype=np.uint64)
    np.put_along_axis(moved, names, kinds[rows], axis=1)
    of_secrets, of_guesses = kernels.refined(table, kinds, guesses, secrets)
    there = kernels.refined(np.ascontiguousarray(renamed), moved, guesses[rows], secrets[columns])
    assert np.array_equal(there[0], of_secrets[columns])
    assert np.array_equal(there[1], of_guesses[rows])


@given(st.data())
def test_replayed_renamings_agree(data: st.DataObject) -> None:
    """Random permutations, which tables seldom allow, and those that a table allows because it is made so."""
    table, responses, rng = drawn_table(data)
    guesses, secrets = rng.permutation(len(table)), rng.permutation(table.shape[1])
    if data.draw(st.booleans()):  # what changes places with a copy of itself, and so do pairs of secrets
        one, other = np.split(rng.permutation(len(secrets))[: len(secrets) // 2 * 2], 2)
        secrets = np.arange(len(secrets))
        secrets[one], secrets[other] = other, one
        guesses = np.concatenate([np.arange(len(table)) + len(table), np.arange(len(table))])
        names = np.array([rng.permutation(responses) for _ in table])
        image = np.empty_like(table)
        image[:, secrets] = np.take_along_axis(names, table.astype(np.int64), axis=1)
        table = np.concatenate([table, image])
    args = (table, responses, guesses, secrets)
    found, expected = kernels.replayed(*args), reference.replayed(*args)
    if expected is None:
        assert found is None
    else:
        assert found.dtype == np.int32
        assert np.array_equal(found, expected)
        there = np.take_along_axis(found, table.astype(np.int64), axis=1)
        assert np.array_equal(there, table[guesses][:, secrets])
        assert (np.sort(found, axis=1) == np.arange(responses)).all()


def play(module: Any, game: Game, name: str, goal: str, forms: bool, first: int, **how: Any) -> Any:
    """Return what a player of one of the twins returns, as plain data."""
    valuation = VALUATIONS[name]
    problem = Problem(game, OBJECTIVES["expected"], goal=goal)
    form = game.code_form() if forms else None
    digits = None if form is None else form.digits
    responses = np.arange(problem.responses, dtype=np.uint8) if form is None else form.response_of
    played = module.Player(
        table=None if form else problem.table,
        guess_codes=digits,
        secret_codes=digits,
        symbols=form.symbols if form else 0,
        response_of=responses,
        winning=problem.winning,
        win=goal == "win",
        own=problem.own,
        winner=problem.winner,
        scores=valuation.scores(problem.secrets),
        tolerance=valuation.tolerance(len(responses)),
        counters=np.zeros(module.COUNTERS, dtype=np.int64),
        compare=valuation.compare,
        **how,
    ).play(first, problem.secrets)
    if played is None:
        return None
    states, order = played
    return [(*row[2:], sorted(order[row[0] : row[1]].tolist())) for row in states.tolist()]


@given(games(most_secrets=10, most_extra=8), st.sampled_from(list(VALUATIONS)), st.booleans(), st.data())
def test_players_agree_on_tables(game: Game, name: str, prefer: bool, data: st.DataObject) -> None:
    goal = data.draw(st.sampled_from(["identify"] if game.winning is None else ["win", "identify"]))
    only = data.draw(st.booleans())
    if goal == "identify" and len(np.unique(game.table(), axis=1).T) < len(game.secrets):
        return
    if goal == "identify" and len(game.secrets) == 1:
        return
    how: dict[str, Any] = {"prefer": prefer, "only_candidates": only}
    assert play(onestep, game, name, goal, False, -1, **how) == play(
        reference_onestep, game, name, goal, False, -1, **how
    )


@pytest.mark.parametrize(
    "spec", ["mastermind:3x4", "mastermind:4x3", "blackpeg:3x3", "bulls:3x5", "mastermind:6x2"]
)
@pytest.mark.parametrize("name", list(VALUATIONS))
@pytest.mark.parametrize("goal", ["win", "identify"])
def test_players_agree_on_codes(spec: str, name: str, goal: str) -> None:
    """Responses from codes or from the table, symmetry on or off, small sets or large: the same strategy."""
    game = parse(spec)
    for prefer, only, first in ((True, False, -1), (False, False, -1), (True, True, -1), (True, False, 5)):
        how: dict[str, Any] = {"prefer": prefer, "only_candidates": only}
        plain = play(reference_onestep, game, name, goal, True, first, **how)
        assert plain is not None
        for forms, classes in ((True, None), (False, None), (True, game.symmetry.classes)):
            assert play(onestep, game, name, goal, forms, first, classes=classes, **how) == plain


def test_large_sets_are_counted_beyond_a_byte() -> None:
    """Parts of more than 255 secrets: the counters of the kernel are wider than its lanes."""
    answers = np.random.default_rng(1).choice(3, size=(40, 700), p=[0.6, 0.2, 0.2])
    assert (answers == 0).sum(axis=1).min() > 255
    labels = [f"g{i}" for i in range(40)], [f"s{i}" for i in range(700)]
    game = TableGame("table:large", *labels, answers.astype(str).tolist())
    for name in ("max-part", "entropy"):  # by the largest part, and by a sum over parts
        assert play(onestep, game, name, "identify", False, -1, prefer=True, only_candidates=False) == play(
            reference_onestep, game, name, "identify", False, -1, prefer=True, only_candidates=False
        )
