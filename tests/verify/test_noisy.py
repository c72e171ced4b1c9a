"""The checkers of certificates of tests with several answers: they accept what is true, and nothing false."""

import random
from pathlib import Path

import pytest
from certificates import mutated
from effort import seeds
from fast_checker import SANITIZED, built, judged
from noisy_tables import Brute, NoisyTiny, claims, some_noisy, spoiled
from slow_checker import both

ODD = ["inf", "(", ")", ".", "-", "-1", "1e9", "9" * 5000, "\0", "\x7f", "0" * 4096, "0", "9" * 4000, "2"]


@pytest.fixture(scope="module")
def checker() -> str:
    """Build the checker so that it ends at the first wrong read or write, and forgets what it looked at."""
    return built(*SANITIZED, "-DMAX_LOOKED=2000", name="noisy")


@pytest.mark.parametrize("seed", seeds(2, 40))
def test_random_tables_true_and_false(checker: str, tmp_path: Path, seed: int) -> None:
    dice = random.Random(seed)
    for _ in range(4):
        table = some_noisy(dice)
        brute, head = Brute(table), table.head(tmp_path)
        for worst in (False, True):
            true = brute.cost([], worst=worst)
            if worst and true == 0:
                continue
            said = claims(head, true, worst=worst)
            assert both(checker, tmp_path, f"{said} 99", "noisy", alike=True) == "", table.lines
            proof = brute.body([], dice, worst=worst)
            both(checker, tmp_path, f"{said} {proof}", "noisy", alike=True)
            if true is None:
                continue
            false = claims(head, true, worst=worst, more=1)
            for body in ("99", proof, brute.body([], dice, worst=worst, more=0.1)):
                assert both(checker, tmp_path, f"{false} {body}", "noisy", alike=True), table.lines


@pytest.mark.parametrize("seed", seeds(1, 20))
def test_a_first_test(checker: str, tmp_path: Path, seed: int) -> None:
    dice = random.Random(seed)
    for _ in range(5):
        table = some_noisy(dice)
        brute, head = Brute(table), table.head(tmp_path)
        for t, cost in brute.first_costs():
            true = claims(head, cost, worst=False, first=str(t + 1))
            assert both(checker, tmp_path, f"{true} 99", "noisy", alike=True) == ""
            false = claims(head, cost, worst=False, first=str(t + 1), more=1)
            assert both(checker, tmp_path, f"{false} 99", "noisy", alike=True)


@pytest.mark.parametrize("seed", seeds(1, 30))
def test_no_mutation_makes_anything_false_accepted(checker: str, tmp_path: Path, seed: int) -> None:
    dice = random.Random(seed)
    table = some_noisy(dice)
    while (true := Brute(table).cost([])) is None:
        table = some_noisy(dice)
    proof = Brute(table).body([], dice)
    for _ in range(15):
        text = " ".join([claims(table.head(tmp_path), true, worst=False, more=1), *mutated(proof, dice, ODD)])
        assert both(checker, tmp_path, text, "noisy", alike=True)


@pytest.mark.parametrize("seed", seeds(1, 30))
def test_changed_tables_are_read_alike(checker: str, tmp_path: Path, seed: int) -> None:
    """Both read a spoiled table in the same way: what costs so much there, or that it is none."""
    dice = random.Random(seed)
    for _ in range(15):
        table = spoiled(dice)
        cost = dice.choice([0, 1, 2, 5, 20])
        said = claims(table.head(tmp_path), cost, worst=dice.random() < 0.3, more=1)
        both(checker, tmp_path, f"{said} {dice.choice(['.', '0', '99'])}", "noisy", alike=True)


TABLE = NoisyTiny((",a,b,c,cost", "t,x,x:1/y:1,y,2", "u,x,y,y,3"))


@pytest.mark.parametrize(
    "body",
    [
        "",
        "(",
        ")",
        "( 1 )",
        "( 1 x )",
        "( 1 z 0 . )",
        "( 3 x 0 . )",
        "( 0 x 0 . )",
        "-1",
        "01",
        "100001",
        "1.5",
    ],
)
def test_what_is_no_proof_is_refused(checker: str, tmp_path: Path, body: str) -> None:
    assert both(checker, tmp_path, f"{TABLE.head(tmp_path)} - - 1 {body}", "noisy", alike=True)


def test_a_test_is_asked_once(checker: str, tmp_path: Path) -> None:
    head = TABLE.head(tmp_path)
    assert both(checker, tmp_path, f"{head} - - 1 ( 1 x 0 ( 2 x 0 . ) )", "noisy", alike=True) == ""
    assert both(checker, tmp_path, f"{head} - - 1 ( 1 x 0 ( 1 x 0 . ) )", "noisy", alike=True)


@pytest.mark.parametrize(("large", "shown"), [(48, False), (49, True), (10**30, True)])
def test_what_is_more_than_any_strategy_costs_is_endless(
    checker: str, tmp_path: Path, large: int, *, shown: bool
) -> None:
    """Two causes that may always get the same answer: all tests cost 3, the weights are 2, the unit is 8."""
    head = NoisyTiny((",a,b,cost", *[f"t{i},x:1/y:1,x:1/z:1,1" for i in range(3)])).head(tmp_path)
    lemmas = " ".join(f"{i} x {large} 99" for i in (1, 2, 3))
    for claim in (f"- - {10**300}", f"1 - {10**40}"):
        text = f"{head} {claim} ( {lemmas} )"
        assert (both(checker, tmp_path, text, "noisy", alike=True) == "") == shown, claim


@pytest.mark.long
def test_many_finite_lemmas_are_not_endless(tmp_path: Path) -> None:
    """Of a test with far more answers than there are causes, each lemma claims what no strategy exceeds."""
    answers, price = 1023, 2**39 - 10
    cell = "/".join(f"r{i}:1" for i in range(answers))
    useless = [f"{name},x:1/y:1,x:1/z:1,0,1" for name in "uv"]
    rows = [f"t,{cell},{cell},{price},", *useless, "weight,1,2,,"]
    head = NoisyTiny((",a,b,cost,cost:after", *rows)).head(tmp_path)
    lemmas = " ".join(f"1 r{i} {answers * 4 * 3 * price} 99" for i in range(answers))
    why = judged(built("-O2", name="noisy"), tmp_path, f"{head} - - {10**40} ( {lemmas} )", seconds=250)
    assert "inf is not shown" in why[0]


def test_a_test_that_tells_nothing_leaves_the_beginning(checker: str, tmp_path: Path) -> None:
    """What is remembered behind it is remembered of the beginning, in both checkers."""
    rows = [f"t{i},x:1/y:1,x:1/z:1,1" for i in range(3)]
    head = NoisyTiny((",a,b,cost", *rows, "u,z,z,1")).head(tmp_path)
    assert both(checker, tmp_path, f"{head} - - 64 .", "noisy", alike=True)
    assert both(checker, tmp_path, f"{head} - - 64 ( 4 z 64 99 )", "noisy", alike=True) == ""


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("t,x:1/x:1,x,y,1", "twice"),
        ("t,x/y,x,y,1", "RATE"),
        ("t,x:0,x,y,1", "rate"),
        ("t,x:999999999999999/y:999999999999999,x,y,1", "rates"),
        ("t,x,x,y,-1", "cost"),
        ("t,x,x,y,1000000000000001", "cost"),
        ("t,,x,y,1", "answer"),
        ("t,x,x,1", "cells"),
        ("d,1,2,-3,-", "loss"),
    ],
)
def test_odd_rows_are_refused(checker: str, tmp_path: Path, line: str, why: str) -> None:
    head = NoisyTiny((*TABLE.lines, line)).head(tmp_path)
    assert why in judged(checker, tmp_path, f"{head} - - 0 .")[0]
    assert both(checker, tmp_path, f"{head} - - 0 .", "noisy", alike=True)


def test_no_cause_stands_behind_a_column_of_costs(checker: str, tmp_path: Path) -> None:
    head = NoisyTiny((",a,cost:ends,b,cost", "t,x,x,x,1", "u,x,x,y,1")).head(tmp_path)
    assert "behind" in judged(checker, tmp_path, f"{head} - - 0 .")[0]
    assert both(checker, tmp_path, f"{head} - - 0 .", "noisy", alike=True)


def test_units_of_too_many_bits_are_refused(checker: str, tmp_path: Path) -> None:
    rows = [f"t{i},x:{10**14 - 1 - i}/y:{i + 2},y,1" for i in range(90)]
    head = NoisyTiny((",a,b,cost", *rows)).head(tmp_path)
    assert "bits" in both(checker, tmp_path, f"{head} - - 1 .", "noisy", alike=True)


def test_large_numbers_are_exact(checker: str, tmp_path: Path) -> None:
    """Masses of many digits: one less than the cost is shown, one more is not."""
    rows = [f"t{i},x:{10**14 - 1 - i}/y:{i + 2},y,{i + 1}" for i in range(2)]
    table = NoisyTiny((",a,b,cost", *rows, "weight,99999999999999,3,", "d,0,100000,-", "e,100000,0,-"))
    cost = Brute(table).cost([])
    assert cost is not None
    assert cost > 10**30
    head = table.head(tmp_path)
    for more, refused in ((-1, False), (0, False), (1, True)):
        why = both(checker, tmp_path, f"{head} - - {cost + more} 99", "noisy", alike=True)
        assert bool(why) == refused


def test_what_may_be_deep_is_limited(checker: str, tmp_path: Path) -> None:
    """Claims inside claims, and how far is looked ahead: no more than the tests of a table."""
    text = f"{TABLE.head(tmp_path)} - - 1 {'( 1 x 0 ' * 100_000}"
    assert "asked before" in judged(checker, tmp_path, text)[0]
    rows = [f"t{i},x:{i + 1}/y:1,x,1" for i in range(1001)]
    head = NoisyTiny((",a,b,cost", *rows)).head(tmp_path)
    assert "more than 1000 tests" in judged(checker, tmp_path, f"{head} - - 0 .")[0]
    assert both(checker, tmp_path, f"{head} - - 0 .", "noisy", alike=True)


@pytest.mark.long
def test_a_thousand_tests_deep(checker: str, tmp_path: Path) -> None:
    """Each test waits for the one before, and costs nothing: only the last decision does."""
    rows = [f"t{i},x:1/y:1,x,0,{i or ''}" for i in range(1000)]
    head = NoisyTiny((",a,b,cost,cost:after", *rows, "d,0,5,-,", "e,5,0,-,")).head(tmp_path)
    assert judged(checker, tmp_path, f"{head} - - 5 1000", seconds=300) == [""]
    assert "not shown" in judged(checker, tmp_path, f"{head} - - 6 1000", seconds=300)[0]
    nested = "".join(f"( {i + 1} x 0 " for i in range(1000))
    assert "where a body" in judged(checker, tmp_path, f"{head} - - 1 {nested}", seconds=300)[0]


@pytest.mark.parametrize("memory", ["20000", "60000"])
def test_little_memory_is_no_crash(tmp_path: Path, memory: str) -> None:
    dice = random.Random(1)
    rows = [
        ",".join([f"t{i}", *(f"x:{dice.randint(1, 9)}/y:{dice.randint(1, 9)}" for _ in range(20)), "1"])
        for i in range(12)
    ]
    decisions = [",".join([f"d{i}", *(str(30 * (i != j)) for j in range(20)), "-"]) for i in range(20)]
    table = NoisyTiny((",".join(["", *(f"c{i}" for i in range(20)), "cost"]), *rows, *decisions))
    plain = built("-O2", "-DMAX_LOOKED=1000000", name="noisy")
    why = judged(plain, tmp_path, f"{table.head(tmp_path)} - - {10**300} 2", seconds=60, memory=memory)
    assert "not shown" in why[0] or "out of memory" in why[0]
