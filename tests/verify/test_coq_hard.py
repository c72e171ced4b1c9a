"""The checker that is proved in Coq, about Wordle's hard mode: it agrees with the checker in C (L10)."""

import lzma
import os
import random
from math import inf
from pathlib import Path

import pytest
from attacks import HARD_ATTACKS, some_hard_wrong
from certificates import certificate
from effort import seeds
from fast_checker import VERIFY, built, judged
from hard_words import FIGHT, SPLIT, START, asked, hard_game, some_hard, trap
from proved_checker import proved

PROOFS = VERIFY.parent / "proofs"

if "GUESSTREE_COQ" not in os.environ:
    pytest.skip("make coq runs it: apt-get install coq", allow_module_level=True)


@pytest.fixture(scope="module")
def made() -> str:
    """Return the program."""
    return str(proved()[0])


@pytest.mark.parametrize("seed", seeds(6, 60))
def test_the_true_cost_is_accepted_and_one_more_is_not(made: str, tmp_path: Path, seed: int) -> None:
    """In both modes, for both goals, asking candidates only, within limits, with first guesses."""
    chance = random.Random(seed)
    true, false = [], []
    for _ in range(12):
        hard = some_hard(tmp_path, chance, most=6)
        first, within, cost = asked(hard, chance)
        proof = hard.body(hard.everything, START, within, chance)
        true.append(certificate(hard.game, cost, proof, first, within))
        if cost < inf:
            lies = hard.body(hard.everything, START, within, chance, 0.2)
            false += [certificate(hard.game, cost + more, proof, first, within) for more in (1, inf)]
            false += [certificate(hard.game, cost + 1, lies, first, within)]
    assert judged(made, tmp_path, *true, seconds=250) == [""] * len(true)
    assert all("refused" in why for why in judged(made, tmp_path, *false, seconds=250))


@pytest.mark.parametrize("seed", seeds(6, 60))
def test_false_lemmas_are_judged_as_in_c(made: str, tmp_path: Path, seed: int) -> None:
    """True claims some lemmas of which say too much, or were left out, so that others have to do."""
    chance = random.Random(seed)
    texts = []
    for _ in range(20):
        hard = some_hard(tmp_path, chance, most=6)
        first, within, cost = asked(hard, chance)
        for lies in (0.1, 0.3):
            lines = hard.body(hard.everything, START, within, chance, lies).splitlines(keepends=True)
            texts.append(certificate(hard.game, cost, "".join(lines), first, within))
            whole = [line for line in lines if not line.endswith(" .\n") or chance.random() < 0.8]
            texts.append(certificate(hard.game, cost, "".join(whole), first, within))
    both = [judged(program, tmp_path, *texts, seconds=250) for program in (made, built("-O2"))]
    for text, ours, theirs in zip(texts, *both, strict=True):
        assert (ours == "") == (theirs == ""), text
    assert "" in both[0]
    assert any(both[0])


@pytest.mark.parametrize("seed", seeds(6, 60))
def test_no_attack_succeeds(made: str, tmp_path: Path, seed: int) -> None:
    """None is accepted by either."""
    wrong = some_hard_wrong(tmp_path, random.Random(seed))
    texts = [text for attack in HARD_ATTACKS for text in [attack(wrong) for _ in range(3)] if text]
    both = [judged(program, tmp_path, *texts, seconds=250) for program in (made, built("-O2"))]
    for text, ours, theirs in zip(texts, *both, strict=True):
        assert ours, text
        assert theirs, text


@pytest.mark.parametrize("mode", ["hard", "ultra"])
def test_a_first_guess_demands_of_all_that_follow(made: str, tmp_path: Path, mode: str) -> None:
    """After night the seven words are asked one by one, 28 guesses; in normal mode farms would help: 20."""
    head = trap(tmp_path, mode).game.head
    texts = [f"guesstree-proof/1 {head} win night - {cost} ( night fight {cost - 7} . )" for cost in (28, 29)]
    texts.append(texts[0].replace(f"wordle-{mode}", "wordle"))
    yes, *no = judged(made, tmp_path, *texts)
    assert yes == ""
    assert all("refused" in why for why in no)


def test_what_is_proved_with_more_demands_serves_no_set_with_fewer(made: str, tmp_path: Path) -> None:
    """Both zzzzz and zight leave all seven words; after zight only they may be asked, at 28 guesses."""
    hard = hard_game(tmp_path, FIGHT, [*SPLIT, "zight", "zzzzz"], "hard")
    lemma = "zight fight 28 ."
    assert judged(made, tmp_path, certificate(hard.game, 0, f"( {lemma} )")) == [""]
    true = 7 + hard.cost(hard.everything)
    texts = [
        certificate(hard.game, true + more, f"( {lemma} zzzzz fight 17 . )", "zzzzz") for more in (0, 1, 11)
    ]
    assert [why == "" for why in judged(made, tmp_path, *texts)] == [True, False, False]
    weaker = certificate(hard.game, 7 + 17, "( zzzzz fight 17 . )", "zight")  # fewer demands serve more
    assert judged(made, tmp_path, weaker) == [""]


def test_small_sets_serve_all_histories_and_demand_nothing(made: str, tmp_path: Path) -> None:
    """Three of the words cannot be settled by two guesses, which no other word helps to do."""
    hard = hard_game(tmp_path, FIGHT, ["zzzzz"], "ultra")
    assert hard.cost(hard.everything, START, 2) == inf
    small = "! 3 2 fight light might ."
    texts = [
        certificate(hard.game, inf, f"( {small} )", first, within)
        for first in ("-", "fight")
        for within in (2, 3)
    ]
    found = judged(made, tmp_path, *texts)
    assert [why == "" for why in found] == [why == "" for why in judged(built("-O2"), tmp_path, *texts)]
    assert found[0] == ""


@pytest.mark.parametrize(
    "text",
    [
        "wordle-hard {a} {b} win - - 0 ( = aaz bbz ; )",
        "wordle-Hard {a} {b} win - - 0 .",
        "wordle- {a} {b} win - - 0 .",
        "wordle-ultra {b} {b} win - - 0 ( ! 2 9 aaz abz . )",
    ],
)
def test_wrong_statements(made: str, tmp_path: Path, text: str) -> None:
    hard = hard_game(tmp_path, ["aaz", "bbz", "cbz"], ["abc", "zzz"], "hard")
    _, a, b = hard.game.head.split()
    assert "refused" in judged(made, tmp_path, f"guesstree-proof/1 {text.format(a=a, b=b)}\n")[0]


def test_certificates_that_are_kept(made: str, tmp_path: Path) -> None:
    found = 0
    for path in PROOFS.glob("wordle-*.proof.xz"):
        text = lzma.decompress(path.read_bytes()).decode()
        kind, *files = text.split()[1:4]
        if kind not in ("wordle-hard", "wordle-ultra"):
            continue
        for name in files:
            (tmp_path / name).write_bytes(lzma.decompress((PROOFS / f"{name}.xz").read_bytes()))
        assert judged(made, tmp_path, text) == [""]
        found += 1
    assert found
