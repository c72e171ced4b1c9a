"""The checker that is proved in Coq: its theorem has no axioms, and it agrees with the other checkers."""

import os
import random
import re
import subprocess
from math import inf
from pathlib import Path

import pytest
from attacks import ATTACKS, Wrong, some_wrong
from certificates import FOREVER, Tiny, body, certificate, code_game, small_sets, some_game
from degenerate import CODES, ODD, PLAIN, PLAIN_GAMES, PRICED, TABLES, WORDS, about, of_words
from effort import seeds
from engine_proofs import written
from fast_checker import built, judged
from proved_checker import COQ, MADE, proved
from small_claims import CLAIMS, some_claim

from guesstree.api.certificate import prove
from guesstree.api.minimise import minimised
from guesstree.cext import claims as kernel

GAMES = [("mastermind", 2, 2), ("mastermind", 2, 3), ("blackpeg", 3, 2), ("bulls", 2, 4), ("bulls", 3, 3)]

if "GUESSTREE_COQ" not in os.environ:
    pytest.skip("make coq runs it: apt-get install coq", allow_module_level=True)


@pytest.fixture(scope="module")
def made() -> tuple[str, str]:
    """Return the program, and what Coq said when it checked the proofs."""
    program, said = proved()
    return str(program), said


def test_the_theorem_has_no_axioms(made: tuple[str, str]) -> None:
    assert {*made[1].splitlines()} == {"Closed under the global context"}
    unproved = re.compile(r"\b(Axiom|Admitted|admit|Parameter|Conjecture)\b")
    assert not any(unproved.search(path.read_text()) for path in COQ.glob("*.v"))
    assert len((COQ / "Game.v").read_text().splitlines()) <= 160


@pytest.mark.timeout(1200)
def test_the_small_kernel_of_coq_accepts_the_proofs_and_finds_no_axiom(made: tuple[str, str]) -> None:
    theorems = ["Proof.Files", "Proof.LiesMain", "Proof.PricedMain", "Proof.KitMain"]
    done = subprocess.run(
        ["coqchk", "-silent", "-o", "-Q", ".", "Proof", *theorems],
        cwd=MADE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    told = dict(re.findall(r"^\* (.+): (.+)$", done.stdout, re.MULTILINE))
    assert told.pop("Theory") == "Set is predicative"
    assert set(told.values()) == {"<none>"} and "Axioms" in told


@pytest.mark.parametrize(
    "claim",
    [
        "mastermind 2 2 win - - 8 .",
        "lies 1 mastermind 2 2 win - 3 inf .",
        "kit 0 mastermind 2 2 identify - - 2 .",
    ],
)
def test_millions_of_words_need_no_larger_stack(made: tuple[str, str], tmp_path: Path, claim: str) -> None:
    """A certificate of black-peg Mastermind 4x8 has 525,380 lemmas."""
    long = tmp_path / "long.proof"
    long.write_text(f"guesstree-proof/1 {claim}{' x' * 2_000_000}\n")
    done = subprocess.run([made[0], str(long)], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (1, f"{long}:1: refused\n")


def test_mastermind_4x6(made: tuple[str, str], tmp_path: Path) -> None:
    text = written("mastermind:4x6", None, 5625)  # Koyama and Lai 1993
    yes, no = judged(made[0], tmp_path, text, text.replace(" 5625 ", " 5626 ", 1), seconds=250)
    assert yes == ""
    assert "refused" in no


@pytest.mark.parametrize(
    ("spec", "within", "bound"),
    [
        ("mastermind:4x6", 4, kernel.INFINITE),
        ("mastermind:3x4", 4, 206),
        ("mastermind:3x5", None, 451),
        ("bulls:3x6", None, 436),
        ("blackpeg:3x3", None, 95),
    ],
)
def test_certificates_that_the_engine_writes(
    made: tuple[str, str], tmp_path: Path, spec: str, within: int | None, bound: int
) -> None:
    text = written(spec, within, bound)
    assert judged(made[0], tmp_path, text) == [""]
    assert within == 4 or all(judged(made[0], tmp_path, text.replace(f" {bound} ", f" {bound + 1} ", 1)))


def test_of_guesses_that_are_equal_any_may_pass(made: tuple[str, str], tmp_path: Path) -> None:
    """Of a part of one of them a lemma may say more; a certificate that is minimised rests on that."""
    fewer = minimised(prove("blackpeg:3x6", goal="identify"))
    assert judged(made[0], tmp_path, fewer.text) == [""]


@pytest.mark.parametrize("kind", range(len(GAMES)))
def test_small_games_true_and_false(made: tuple[str, str], tmp_path: Path, kind: int) -> None:
    game, chance = code_game(*GAMES[kind]), random.Random(kind)
    true, false = [], []
    for within in (FOREVER, 2, 3, 4):
        cost = game.cost(game.everything(), within)
        for _ in range(3):
            proof = body(game, game.everything(), within, chance, set())
            true.append(certificate(game, cost, proof, within=within))
            if cost < inf:
                false += [certificate(game, cost + more, proof, within=within) for more in (1, inf)]
    assert judged(made[0], tmp_path, *true) == [""] * len(true)
    assert all(judged(made[0], tmp_path, *false))


@pytest.mark.parametrize("kind", range(len(GAMES)))
def test_no_attack_succeeds(made: tuple[str, str], tmp_path: Path, kind: int) -> None:
    game, chance = code_game(*GAMES[kind]), random.Random(kind)
    cost = game.cost(game.everything())
    texts: list[str | bytes] = []
    for _ in range(5):
        items = body(game, game.everything(), FOREVER, chance, set()).strip("(.)")
        wrong = Wrong(game, cost, items, chance, tmp_path)
        texts += filter(None, [attack(wrong) for attack in ATTACKS for _ in range(3)])
    for text, why in zip(texts, judged(made[0], tmp_path, *texts), strict=True):
        assert why, text


def test_degenerate_games_and_extreme_numbers(made: tuple[str, str], tmp_path: Path) -> None:
    found = judged(made[0], tmp_path, *(f"guesstree-proof/1 {words}" for words in CODES))
    assert [why == "" for why in found] == [*CODES.values()]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "guesstree-proof/1",
        "guesstree-proof/2 mastermind 2 2 win - - 0 .",
        "guesstree-proof/1 mastermind 2 2 win - - 0",
        "guesstree-proof/1 mastermind 2 2 win - - 0 . .",
        "guesstree-proof/1 mastermind 2 2 find - - 0 .",
        "guesstree-proof/1 mastermind 2 2 win 02 - 0 .",
        "guesstree-proof/1 mastermind 2 2 win - - 0 ( ! 2 0 01 00 . )",
        "guesstree-proof/1 mastermind 2 2 win-candidates - - 0 ( ! 2 0 00 01 . )",
        "guesstree-proof/1 mastermind 2 2 win - -1 0 .",
        "guesstree-proof/1 mastermind 9 36 win - - 0 .",
        "guesstree-proof/1 mastermind 99999999999999 2 win - - 0 .",
        "guesstree-proof/1 mastermind 2 2 win - - 0 ( = 00 01 )",
        "guesstree-proof/1 mastermind 2 3 win - - 0 ( 00 01 1 ( = 01 102 ) )",
        "guesstree-proof/1 mastermind 2 2 win - - 0 ( = 00 11 ; )",
        "guesstree-proof/1 mastermind 2 2 win - - 0 ( 00 00 1 . )",
        "guesstree-proof/1 mastermind 2 2 win - - 0 " + "( 00 01 0 " * 100_000,
    ],
)
def test_wrong_files(made: tuple[str, str], tmp_path: Path, text: str) -> None:
    assert "refused" in judged(made[0], tmp_path, text)[0]


@pytest.mark.parametrize("goal", ["win", "identify"])
def test_claims_stand_a_thousand_deep_inside_the_whole(
    made: tuple[str, str], tmp_path: Path, goal: str
) -> None:
    texts = [
        f"guesstree-proof/1 mastermind 2 2 {goal} - - 0 {'( 00 01 0 ' * deep}. {') ' * deep}"
        for deep in (1000, 1001)
    ]
    for program in (made[0], built("-O2")):
        yes, no = judged(program, tmp_path, *texts)
        assert yes == ""
        assert "refused" in no


@pytest.mark.parametrize("kind", ["wordle-easy", "kits"])
def test_a_game_that_is_not_covered_is_named(made: tuple[str, str], tmp_path: Path, kind: str) -> None:
    (said,) = judged(made[0], tmp_path, f"guesstree-proof/1\n{kind} a.txt b.txt win - - 0 .")
    assert said.endswith(
        f"refused: {kind} is none of the games of the theorems: "
        "mastermind, blackpeg, bulls, wordle, wordle-hard, wordle-ultra, table, lies, priced, noisy, kit\n"
    )


# -- all kinds: words, tables, all goals, first guesses, small sets, renamings of secrets -----------------


def claims(game: Tiny, chance: random.Random) -> list[tuple[str, bool]]:
    """Return certificates of a game with all lemmas, and whether each is true."""
    some: list[tuple[str, bool]] = []
    everything = game.everything()
    for within in (2, 3, FOREVER):
        proof = body(game, everything, within, chance, set()).strip("(.)")
        proof = f"( {small_sets(game, chance)}{proof} )"
        firsts = [g for g in game.allowed(everything) if len(everything) > 1]
        for first in [None, *chance.sample(firsts, min(2, len(firsts)))]:
            name = "-" if first is None else game.guesses[first]
            cost = game.cost(everything, within) if first is None else game.asking(everything, first, within)
            some.append((certificate(game, cost, proof, name, within), True))
            some += [(certificate(game, cost + 1, proof, name, within), False)] if cost < inf else []
    return some


@pytest.mark.parametrize("seed", range(20))
def test_all_kinds_true_and_false(made: tuple[str, str], tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    some = claims(some_game(tmp_path, chance), chance)
    found = judged(made[0], tmp_path, *(text for text, _ in some))
    for (text, true), why in zip(some, found, strict=True):
        assert (why == "") == true, text


@pytest.mark.parametrize("seed", range(12))
def test_wrong_certificates_are_judged_as_in_c(made: tuple[str, str], tmp_path: Path, seed: int) -> None:
    wrong = some_wrong(tmp_path, random.Random(seed))
    texts = [text for attack in ATTACKS for text in [attack(wrong) for _ in range(3)] if text]
    both = [judged(program, tmp_path, *texts) for program in (made[0], built("-O3"))]
    for text, ours, theirs in zip(texts, *both, strict=True):
        assert (ours == "") == (theirs == ""), text


@pytest.mark.parametrize("seed", seeds(4, 40))
@pytest.mark.parametrize("kind", CLAIMS)
def test_small_claims_are_judged_as_in_c(made: tuple[str, str], tmp_path: Path, kind: str, seed: int) -> None:
    """Also about secrets that no guess wins, extreme numbers, and tables that are spoiled."""
    chance = random.Random(seed)
    some = [some_claim(kind, tmp_path, chance) for _ in range(30)]
    both = [
        judged(program, tmp_path, *(text for text, _ in some))
        for program in (made[0], built("-O2", name=kind))
    ]
    for (text, true), ours, theirs in zip(some, *both, strict=True):
        assert (ours == "") == (theirs == ""), text
        assert true or ours, text


def test_degenerate_games_of_all_kinds(made: tuple[str, str], tmp_path: Path) -> None:
    found = judged(made[0], tmp_path, *(f"guesstree-proof/1 {words}" for words in PLAIN_GAMES))
    assert [why == "" for why in found] == [*PLAIN_GAMES.values()]
    for content, rest, true in TABLES:
        words = about(tmp_path, "guesstree-proof/1 table", content, rest)
        assert (judged(made[0], tmp_path, words) == [""]) == true, (content, rest)
    for content, rest, true in WORDS:
        words = of_words(tmp_path, content, rest)
        assert (judged(made[0], tmp_path, f"guesstree-proof/1 {words}") == [""]) == true, (content, rest)


def test_tables_are_read_as_the_others_read_them(made: tuple[str, str], tmp_path: Path) -> None:
    for content in (*PLAIN, *ODD.values(), *PRICED.values()):
        for claim in (2, 3):  # two secrets, told apart by one guess
            words = about(tmp_path, "guesstree-proof/1 table", content, f"identify - - {claim} .")
            assert (judged(made[0], tmp_path, words) == [""]) == (content in PLAIN and claim == 2), content


@pytest.mark.parametrize("goal", ["win", "identify"])
def test_no_number_outgrows_a_machine_integer(made: tuple[str, str], tmp_path: Path, goal: str) -> None:
    many = range(254)  # secrets, which the only guess tells apart; to win, others may be asked
    rows = ["g," + ",".join(map(str, many))]
    if goal == "win":
        rows += [f"s{i}," + ",".join("win" if i == j else "-" for j in many) for i in many]
    content = "," + ",".join(f"s{i}" for i in many) + "\n" + "\n".join(rows)
    cost = len(many) * (1 if goal == "identify" else 2)
    for more in (0, 1):
        words = about(tmp_path, "guesstree-proof/1 table", content, f"{goal} - - {cost + more} .")
        assert (judged(made[0], tmp_path, words) == [""]) == (more == 0)
