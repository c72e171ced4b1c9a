"""The checker of noisy tests that is proved in Coq: no axioms, and the verdicts of the others."""

import os
import random
from functools import partial
from pathlib import Path

import pytest
from certificates import mutated
from effort import seeds
from fast_checker import built
from noisy_tables import Brute, NoisyTiny, claims, false_claims, some_noisy, spoiled
from proved_checker import COQ, proved, same_verdicts

if "GUESSTREE_COQ" not in os.environ:
    pytest.skip("make coq runs it: apt-get install coq", allow_module_level=True)

verdicts = partial(same_verdicts, "noisy")
ODD = ["inf", "(", ")", ".", "-", "-1", "1e9", "9" * 5000, "0", "01", "9" * 4000, "2"]


@pytest.fixture(scope="module")
def program() -> str:
    """Return the proved checker."""
    return str(proved()[0])


@pytest.fixture(scope="module")
def fast() -> str:
    """Return the checker in C."""
    return built("-O2", name="noisy")


def test_the_theorem_has_no_axioms() -> None:
    assert {*proved()[1].splitlines()} == {"Closed under the global context"}
    assert "Print Assumptions noisy_sound." in (COQ / "NoisyMain.v").read_text()
    assert len((COQ / "NoisyGame.v").read_text().splitlines()) <= 270


@pytest.mark.parametrize("seed", seeds(6, 60))
def test_random_tables_true_and_false(program: str, fast: str, tmp_path: Path, seed: int) -> None:
    dice = random.Random(seed)
    for _ in range(4):
        table = some_noisy(dice)
        brute, head = Brute(table), table.head(tmp_path)
        for worst in (False, True):
            true = brute.cost([], worst=worst)
            if worst and true == 0:
                continue
            said = claims(head, true, worst=worst)
            proof = brute.body([], dice, worst=worst)
            assert verdicts(program, fast, tmp_path, [f"{said} 99", f"{said} {proof}"], slowly=True)[0], table
            if true is not None:
                false = claims(head, true, worst=worst, more=1)
                bodies = ["99", proof, brute.body([], dice, worst=worst, more=0.1)]
                lies = [f"{false} {body}" for body in bodies]
                assert not any(verdicts(program, fast, tmp_path, lies)), table


@pytest.mark.parametrize("seed", seeds(3, 40))
def test_a_first_test(program: str, fast: str, tmp_path: Path, seed: int) -> None:
    dice = random.Random(seed)
    for _ in range(5):
        table = some_noisy(dice)
        brute, head = Brute(table), table.head(tmp_path)
        for t, cost in brute.first_costs():
            texts = [f"{claims(head, cost, worst=False, first=str(t + 1), more=more)} 99" for more in (0, 1)]
            assert verdicts(program, fast, tmp_path, texts) == [True, False]


@pytest.mark.parametrize("seed", seeds(4, 60))
def test_nothing_false_is_accepted(program: str, fast: str, tmp_path: Path, seed: int) -> None:
    """False claims with bodies that may help, and mutants of proofs."""
    dice = random.Random(seed)
    texts = false_claims(tmp_path, dice, ODD, 40)
    table = some_noisy(dice)
    while (true := Brute(table).cost([])) is None:
        table = some_noisy(dice)
    proof, head = Brute(table).body([], dice), claims(table.head(tmp_path), true, worst=False, more=1)
    texts += [" ".join([head, *mutated(proof, dice, ODD)]) for _ in range(20)]
    assert not any(verdicts(program, fast, tmp_path, texts))


@pytest.mark.parametrize("seed", seeds(3, 60))
def test_lemmas_that_claim_less_serve_alike(program: str, fast: str, tmp_path: Path, seed: int) -> None:
    """What was found by looking ahead serves no claim, and a lemma no look ahead."""
    dice = random.Random(seed)
    texts = list[str]()
    for _ in range(15):
        table = some_noisy(dice, 5)
        true = Brute(table).cost([])
        head = claims(table.head(tmp_path), true, worst=False, more=-dice.randint(0, 1) if true else 0)
        texts += [f"{head} {Brute(table).body([], dice, less=2)}" for _ in range(3)]
    verdicts(program, fast, tmp_path, texts)


@pytest.mark.long
def test_a_test_has_so_many_different_cells(program: str, fast: str, tmp_path: Path) -> None:
    """Cells that differ by their rates alone."""
    for many, fits in ((4096, True), (4097, False)):
        cells = ",".join(f"x:{i + 1}/y:{10007 - i - 1}" for i in range(many))
        names = ",".join(f"c{i}" for i in range(many))
        head = NoisyTiny((f",{names},cost", f"t,{cells},0", f"d,{','.join('0' * many)},-")).head(tmp_path)
        assert verdicts(program, fast, tmp_path, [f"{head} - - 0 ."]) == [fits]


@pytest.mark.parametrize("seed", seeds(3, 40))
def test_changed_tables_are_read_alike(program: str, fast: str, tmp_path: Path, seed: int) -> None:
    """All read a spoiled table in the same way: what costs so much there, or that it is none."""
    dice = random.Random(seed)
    texts = list[str]()
    for _ in range(30):
        table = spoiled(dice)
        said = claims(table.head(tmp_path), dice.choice([0, 1, 2, 5, 20]), worst=dice.random() < 0.3, more=1)
        texts.append(f"{said} {dice.choice(['.', '0', '99'])}")
    verdicts(program, fast, tmp_path, texts)


@pytest.mark.parametrize(("large", "shown"), [(48, False), (49, True), (10**30, True)])
def test_what_is_more_than_any_strategy_costs_is_endless(
    program: str, fast: str, tmp_path: Path, large: int, *, shown: bool
) -> None:
    head = NoisyTiny((",a,b,cost", *[f"t{i},x:1/y:1,x:1/z:1,1" for i in range(3)])).head(tmp_path)
    lemmas = " ".join(f"{i} x {large} 99" for i in (1, 2, 3))
    texts = [f"{head} {claim} ( {lemmas} )" for claim in (f"- - {10**300}", f"1 - {10**40}")]
    assert verdicts(program, fast, tmp_path, texts) == [shown] * 2


def test_large_numbers_are_exact(program: str, fast: str, tmp_path: Path) -> None:
    """Masses of many digits: the cost is shown, one more is not."""
    rows = [f"t{i},x:{10**14 - 1 - i}/y:{i + 2},y,{i + 1}" for i in range(2)]
    table = NoisyTiny((",a,b,cost", *rows, "weight,99999999999999,3,", "d,0,100000,-", "e,100000,0,-"))
    cost = Brute(table).cost([])
    assert cost is not None
    texts = [f"{table.head(tmp_path)} - - {cost + more} 99" for more in (-1, 0, 1)]
    assert verdicts(program, fast, tmp_path, texts) == [True, True, False]
