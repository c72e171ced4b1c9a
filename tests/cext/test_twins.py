"""The compiled kernels and their plain twins: same signatures, same results, same counts."""

from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruled import ruled_game
from tables import Work, arrays, games

from guesstree.cext import reference, reference_counted, reference_onestep
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
    public.discard("MOST_JOBS")  # threads are for the compiled one
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
    letters = data.draw(st.integers(1, 5))
    word = st.lists(st.integers(0, 2), min_size=letters, max_size=letters)
    guesses, secrets = (
        np.array(data.draw(st.lists(word, min_size=1, max_size=40)), dtype=np.uint8) for _ in "gs"
    )
    found = kernels.mark_responses(guesses, secrets)
    assert np.array_equal(found, reference.mark_responses(guesses, secrets))


@given(games(), st.data())
def test_histograms_agree(game: Game, data: st.DataObject) -> None:
    chosen = data.draw(st.sets(st.integers(0, len(game.secrets) - 1)))
    args = (game.table(), np.array(sorted(chosen), dtype=np.int32), len(game.responses))
    assert np.array_equal(kernels.histograms(*args), reference.histograms(*args))


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


def run(
    module: Any,
    game: Game,
    depth: int,
    beta: int,
    *,
    win: bool,
    unit: int,
    only_candidates: bool = False,
    **how: Any,
) -> tuple[int, Work]:
    """Return the value of a search of the whole game, and the work that it took."""
    given = arrays(game, win=win, unit=unit, only_candidates=only_candidates)
    searcher = module.Searcher(**given, **how)
    secrets = np.arange(len(game.secrets), dtype=np.int32)
    outcome = searcher.search(secrets, depth, beta)
    assert outcome.lower >= beta or outcome.lower == outcome.upper
    return outcome.lower, Work.of(searcher, outcome)


@given(
    games(most_secrets=10, most_extra=8), st.integers(1, 11), st.booleans(), st.booleans(), st.integers(5, 80)
)
def test_searches_agree_in_value_and_counts(
    game: Game, depth: int, units: bool, only_candidates: bool, beta: int
) -> None:
    how: dict[str, Any] = {
        "win": game.winning is not None,
        "unit": int(units),
        "only_candidates": only_candidates,
    }
    beta = beta if units else 1
    assert run(counted, game, depth, beta, **how) == run(reference_counted, game, depth, beta, **how)


@pytest.mark.parametrize("spec", ["mastermind:3x4", "mastermind:5x2", "blackpeg:3x3", "bulls:3x5"])
@pytest.mark.parametrize("win", [True, False])
def test_searches_of_games_agree_with_symmetry(spec: str, win: bool) -> None:
    game = parse(spec)
    for unit, depth in ((1, 99), (1, 4), (0, 3), (0, 4)):
        beta = counted.INFINITE if unit else 1
        form = game.code_form()
        assert form is not None
        renamed = {"digits": form.digits, "renaming": game.symmetry.renaming}
        for how in ({}, {"classes": game.symmetry.classes}, renamed, renamed | {"width": 2}):
            found = run(counted, game, depth, beta, win=win, unit=unit, **how)
            assert found == run(reference_counted, game, depth, beta, win=win, unit=unit, **how)


@given(
    games(most_secrets=12, most_extra=8), st.integers(1, 9), st.booleans(), st.integers(1, 3), st.booleans()
)
def test_beams_agree_and_reach_what_they_say(
    game: Game, depth: int, units: bool, width: int, only_candidates: bool
) -> None:
    """A beam is the twin's beam, never better than the search of all guesses, and equal when it is wide."""
    how: dict[str, Any] = {
        "win": game.winning is not None,
        "unit": int(units),
        "only_candidates": only_candidates,
    }
    beta = counted.INFINITE if units else 1
    found = run(counted, game, depth, beta, width=width, **how)
    assert found == run(reference_counted, game, depth, beta, width=width, **how)
    exact = run(counted, game, depth, beta, **how)[0]
    assert found[0] >= exact
    assert run(counted, game, depth, beta, width=len(game.guesses), **how)[0] == exact


@given(games(most_secrets=10, most_extra=8), st.data())
def test_bounds_of_sets_agree_and_are_bounds(game: Game, data: st.DataObject) -> None:
    """Before a search and after it, when something is known: at least the value, or exactly it."""
    some = data.draw(st.sets(st.integers(0, len(game.secrets) - 1), min_size=1))
    depth, unit = data.draw(st.integers(1, 9)), data.draw(st.integers(0, 1))
    only_candidates = data.draw(st.booleans())
    given = arrays(game, win=game.winning is not None, unit=unit, only_candidates=only_candidates)
    members = np.array(sorted(some), dtype=np.int32)
    pairs = []
    for module in (counted, reference_counted):
        searcher = module.Searcher(**given)
        first = searcher.bound(members, depth)
        value = searcher.search(members, depth, counted.INFINITE).lower
        for lower, exact in (first, searcher.bound(members, depth)):
            assert lower == value if exact else lower <= value
        assert searcher.bound(members, depth) == (value, True)
        pairs.append((first, value))
    assert pairs[0] == pairs[1]


@given(games(most_secrets=12, most_extra=8), st.integers(0, 127), st.booleans(), st.integers(3, 12))
def test_no_technique_changes_a_value(game: Game, without: int, units: bool, depth: int) -> None:
    """Any of them left out: the same value; and the twins still count alike."""
    how: dict[str, Any] = {"win": game.winning is not None, "unit": int(units)}
    beta = counted.INFINITE if units else 1
    found = run(counted, game, depth, beta, without=without, **how)
    assert found == run(reference_counted, game, depth, beta, without=without, **how)
    assert found[0] == run(counted, game, depth, beta, **how)[0]
    others: list[dict[str, Any]] = [{"memory": 1}, {"jobs": 3}, {"memory": 1, "jobs": 2}]
    for other in others:
        assert found[0] == run(counted, game, depth, beta, without=without, **other, **how)[0]


@given(
    st.integers(0, 1 << 30), st.integers(0, 63), st.booleans(), st.integers(1, 12), st.sampled_from([0, 3])
)
def test_searches_agree_where_the_history_limits_what_may_be_asked(
    seed: int, without: int, units: bool, depth: int, width: int
) -> None:
    game = ruled_game(seed, 11, 8)
    beta = counted.INFINITE if units else 1
    for win in {game.winning is not None, False}:
        how: dict[str, Any] = {"win": win, "unit": int(units), "width": width}
        found = run(counted, game, depth, beta, without=without, **how)
        assert found == run(reference_counted, game, depth, beta, without=without, **how)
        if not width:
            others: list[dict[str, Any]] = [{}, {"memory": 1}, {"jobs": 3}]
            for other in others:
                assert found[0] == run(counted, game, depth, beta, **other, **how)[0]


@pytest.mark.parametrize("seed", [1, 2, 4, 6, 9])
def test_large_sets_under_rules_agree(seed: int) -> None:
    """Tables of their own, with one guess for each partition, needs and features: the same in both."""
    game = ruled_game(seed, 60, 12)
    win = game.winning is not None
    for without in (0, 16):
        how: dict[str, Any] = {"win": win, "unit": 1, "width": 2, "without": without}
        assert run(counted, game, 60, counted.INFINITE, **how) == run(
            reference_counted, game, 60, counted.INFINITE, **how
        )


@pytest.mark.parametrize("seed", range(8, 24))
def test_no_table_changes_a_value_of_a_large_set_under_rules(seed: int) -> None:
    """Guesses that tell the same, but have or demand something else, are not the same."""
    game = ruled_game(seed, 36, 14)
    for win in {game.winning is not None, False}:
        values = set()
        for without in (0, 16, 32, 48):
            searcher = counted.Searcher(**arrays(game, win=win, unit=1), without=without)
            secrets = np.arange(len(game.secrets), dtype=np.int32)
            outcome = searcher.search(secrets, 99, counted.INFINITE, evaluations=1 << 13)
            if not outcome.ended:
                values.add(outcome.lower)
        assert len(values) < 2


def test_sets_that_cannot_be_separated_save_work() -> None:
    game = parse("mastermind:6x2")
    for win, depth in ((True, 4), (False, 3)):
        how: dict[str, Any] = {"win": win, "unit": 0}
        value, work = run(counted, game, depth, 1, **how)
        without, more = run(counted, game, depth, 1, without=counted.NOGOODS, **how)
        assert value == without == counted.INFINITE
        assert work.evaluations < more.evaluations
        assert (value, work) == run(reference_counted, game, depth, 1, **how)


@pytest.mark.parametrize("win", [True, False])
@pytest.mark.parametrize("kinds", [2, 3, 4])
def test_searches_of_large_sets_agree(win: bool, kinds: int) -> None:
    """Few responses and many secrets: local tables, limits of one set and guesses with equal partitions."""
    from guesstree.engine.tables.table import TableGame

    rng = np.random.default_rng(kinds)
    secrets = [f"s{i}" for i in range(70)]
    guesses = [f"g{i}" for i in range(14)] + (secrets if win else [])
    cells = [["W" if g == s else "abcd"[rng.integers(kinds)] for s in secrets] for g in guesses]
    cells[3] = cells[1]  # the same partition
    game = TableGame("table:random", guesses, secrets, cells, "W" if win else None)
    for unit, depth, beta in ((1, 70, 420), (1, 8, 420), (0, 7, 1)):
        found = run(counted, game, depth, beta, win=win, unit=unit, width=3)
        assert found == run(reference_counted, game, depth, beta, win=win, unit=unit, width=3)


@pytest.mark.parametrize("win", [True, False])
def test_searches_with_many_responses_agree(win: bool) -> None:
    """Rows that each guess numbers by itself, numbers of parts of large sets, parts that take turns."""
    from guesstree.engine.tables.table import TableGame

    rng = np.random.default_rng(7)
    secrets = [f"s{i}" for i in range(90)]
    guesses = [f"g{i}" for i in range(12)] + (secrets if win else [])
    cells = []
    for guess in guesses:
        some = rng.choice(90, size=22 if guess[0] == "g" else 4, replace=False)
        cells.append(["W" if guess == s else f"r{rng.choice(some)}" for s in secrets])
    game = TableGame("table:random", guesses, secrets, cells, "W" if win else None)
    assert len(game.responses) > 64
    for unit, depth, beta in ((1, 90, counted.INFINITE), (1, 4, counted.INFINITE), (0, 3, 1)):
        found = run(counted, game, depth, beta, win=win, unit=unit)
        assert found == run(reference_counted, game, depth, beta, win=win, unit=unit)
        assert found[0] == run(counted, game, depth, beta, win=win, unit=unit, jobs=3)[0]


@pytest.mark.parametrize("seed", range(8))
def test_searches_agree_where_candidates_tell_little(seed: int) -> None:
    """The best guesses are outside the set, and tie: the twins must break ties alike, or counts differ."""
    from guesstree.engine.tables.table import TableGame

    rng = np.random.default_rng(seed)
    secrets = [f"s{i}" for i in range(13 + seed)]
    guesses = [*secrets, "g0", "g1", "g2", "g3", "g4", "g5"]
    cells = [
        ["W" if g == s else "abc"[rng.integers(3 if g[0] == "g" else 1)] for s in secrets] for g in guesses
    ]
    game = TableGame("table:random", guesses, secrets, cells, "W")
    for unit, depth, beta in ((1, 99, 400), (1, 5, 400), (0, 4, 1)):
        for width in (0, 2):
            found = run(counted, game, depth, beta, win=True, unit=unit, width=width)
            assert found == run(reference_counted, game, depth, beta, win=True, unit=unit, width=width)


@pytest.mark.parametrize("spec", ["mastermind:3x4", "bulls:3x6", "blackpeg:4x3", "mastermind:6x2"])
@pytest.mark.parametrize("win", [True, False])
def test_codes_answer_as_their_table_does(spec: str, win: bool) -> None:
    """Without a table at the root, with one thread or two: the same values."""
    game = parse(spec)
    form = game.code_form()
    assert form is not None
    codes = {"digits": form.digits, "symbols": form.symbols, "response_of": form.response_of}
    given = arrays(game, win=win, unit=1)
    values = set()
    for table, jobs in ((given["table"], 1), (None, 1), (None, 2)):
        how = given | codes | {"table": table, "renaming": game.symmetry.renaming, "jobs": jobs}
        searcher = counted.Searcher(**how)
        secrets = np.arange(len(game.secrets), dtype=np.int32)
        values.add(searcher.search(secrets, 99, counted.INFINITE).lower)
    assert len(values) == 1


def test_part_counts_do_not_depend_on_the_processor() -> None:
    """Few responses or many, of few secrets or many, take different paths; all must give the optimum."""
    rng = np.random.default_rng(1)
    from guesstree.engine.tables.table import TableGame

    shapes = [(kinds, 40) for kinds in (3, 20, 31, 33, 50, 60, 80, 200)]
    for kinds, secrets in (*shapes, (70, 100), (130, 150), (200, 150), (255, 240)):
        cells = [[str(rng.integers(kinds)) for _ in range(secrets)] for _ in range(12)]
        labels = [f"s{i}" for i in range(secrets)]
        game = TableGame("table:random", [f"g{i}" for i in range(12)], labels, cells)
        how: dict[str, Any] = {"win": False, "unit": 1}
        assert run(counted, game, 40, counted.INFINITE, **how) == run(
            reference_counted, game, 40, counted.INFINITE, **how
        )


@pytest.mark.parametrize("secrets", [60, 64, 65, 150, 255])
@pytest.mark.parametrize("unit", [0, 1])
def test_bounds_of_large_sets_with_many_responses_agree(secrets: int, unit: int) -> None:
    """Random tables; the first guesses win on the first secrets, and a set leaves some of them out."""
    rng = np.random.default_rng(secrets)
    for responses, guesses in ((65, 7), (128, 33), (200, 64), (243, 70), (256, 40)):
        winning, kinds = responses - 1, int(rng.integers(2, responses))
        table = rng.integers(kinds, size=(guesses, secrets)).astype(np.uint8)
        own = np.where(np.arange(guesses) < secrets, np.arange(guesses), -1).astype(np.int32)
        for guess in range(min(guesses, secrets)):
            table[guess, guess] = winning
        members = np.sort(rng.permutation(secrets)[: secrets - 3]).astype(np.int32)
        least = np.array([0, *(2 * n + 1 for n in range(secrets))], dtype=np.int64) * unit
        capacity = np.array([0, 1, secrets], dtype=np.int64)
        found = []
        for module in (counted, reference_counted):
            searcher = module.Searcher(table, own, responses, winning, unit, False, least, capacity)
            found.append([searcher.bound(members, depth) for depth in (2, 3, 9)])
        assert found[0] == found[1]


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
