"""The checker that is proved in Coq: its theorem has no axioms, and it agrees with the other checkers."""

import os
import random
import re
import subprocess
from math import inf
from pathlib import Path

import pytest
from attacks import ATTACKS, Wrong
from certificates import FOREVER, body, certificate, code_game
from degenerate import CODES
from engine_proofs import written
from fast_checker import judged

from guesstree.cext import claims as kernel

COQ = Path(__file__).parents[2] / "verify" / "coq"
GAMES = [("mastermind", 2, 2), ("mastermind", 2, 3), ("blackpeg", 3, 2), ("bulls", 2, 4), ("bulls", 3, 3)]

if "GUESSTREE_COQ" not in os.environ:
    pytest.skip("make coq runs it: apt-get install coq", allow_module_level=True)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """Check the proofs, extract and compile; return the program and what Coq said."""
    folder = tmp_path_factory.mktemp("coq")
    command = ["make", "-s", "-C", str(COQ), f"OUT={folder}"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return str(folder / "gtcoq"), done.stdout


def test_the_theorem_has_no_axioms(made: tuple[str, str]) -> None:
    assert {*made[1].splitlines()} == {"Closed under the global context"}
    unproved = re.compile(r"\b(Axiom|Admitted|admit|Parameter|Conjecture)\b")
    assert not any(unproved.search(path.read_text()) for path in COQ.glob("*.v"))
    assert len((COQ / "Game.v").read_text().splitlines()) <= 100


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
        "guesstree-proof/1 mastermind 2 2 identify - - 0 .",
        "guesstree-proof/1 mastermind 2 2 win 01 - 0 .",
        "guesstree-proof/1 mastermind 2 2 win - -1 0 .",
        "guesstree-proof/1 mastermind 9 36 win - - 0 .",
        "guesstree-proof/1 mastermind 99999999999999 2 win - - 0 .",
        "guesstree-proof/1 mastermind 2 2 win - - 0 ( = 00 01 )",
        "guesstree-proof/1 mastermind 2 3 win - - 0 ( 00 01 1 ( = 01 102 ) )",
        "guesstree-proof/1 mastermind 2 2 win - - 0 ( = 00 11 ; )",
        f"guesstree-proof/1 table {'0' * 64} some.csv win - - 0 ( = 1 2 / 3 4 ; )",
        "guesstree-proof/1 mastermind 2 2 win - - 0 ( 00 00 1 . )",
        "guesstree-proof/1 mastermind 2 2 win - - 0 " + "( 00 01 0 " * 100_000,
    ],
)
def test_wrong_files(made: tuple[str, str], tmp_path: Path, text: str) -> None:
    assert "refused" in judged(made[0], tmp_path, text)[0]


@pytest.mark.parametrize("kind", ["wordle", "wordle-hard", "wordle-ultra", "table"])
def test_a_game_that_is_not_covered_is_named(made: tuple[str, str], tmp_path: Path, kind: str) -> None:
    (said,) = judged(made[0], tmp_path, f"guesstree-proof/1\n{kind} a.txt b.txt win - - 0 .")
    assert said.endswith(
        f"refused: {kind} is none of the games of the theorem: mastermind, blackpeg, bulls\n"
    )
