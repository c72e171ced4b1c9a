"""The fast checker of certificates: it accepts what is true, and nothing that is false."""

import os
import random
import re
import subprocess
from math import inf
from pathlib import Path

import pytest
from certificates import (
    FOREVER,
    Tiny,
    body,
    certificate,
    code_game,
    mutated,
    small_sets,
    table_game,
    word_game,
)

from guesstree.cext import claims as kernel
from guesstree.engine.objective import parse_objective
from guesstree.engine.problem import Problem
from guesstree.engine.proofs.proof import ProofError, Writer
from guesstree.engine.registry import parse
from guesstree.engine.search.kind import Room

VERIFY = Path(__file__).parents[2] / "verify"
SANITIZED = ["-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]


@pytest.fixture(scope="module")
def checker(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Build the checker so that it ends at the first wrong read or write."""
    return built(tmp_path_factory.mktemp("checker"), *SANITIZED)


@pytest.fixture(scope="module")
def fast_checker(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Build the checker as its README says."""
    return built(tmp_path_factory.mktemp("checker"), "-O3")


def built(folder: Path, *how: str) -> str:
    program, warnings = str(folder / "gtverify"), ["-std=c99", "-Wall", "-Wextra", "-Werror"]
    subprocess.run(["cc", *how, *warnings, str(VERIFY / "verify.c"), "-o", program], check=True, timeout=120)
    return program


def judged(checker: str, folder: Path, text: str | bytes) -> str:
    """Return nothing if the checker accepts the certificate, otherwise why it refuses."""
    path = folder / "some.proof"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}  # it ends, and gives nothing back
    done = subprocess.run(
        [checker, str(path)], capture_output=True, text=True, timeout=60, check=False, env=environment
    )
    if done.returncode == 0:
        assert done.stdout.startswith("verified: ")
        return ""
    assert done.returncode in (1, 2), done.stderr
    assert done.stderr.count("\n") == 1, done.stderr
    return done.stderr


def some_game(folder: Path, chance: random.Random) -> Tiny:
    kind = chance.randrange(3)
    if kind == 0:
        codes = [("bulls", 2, 3), ("mastermind", 2, 2), ("blackpeg", 2, 2), ("mastermind", 2, 3)]
        return code_game(*chance.choice(codes), chance.random() < 0.5)
    if kind == 1:
        words = sorted({"".join(chance.choices("abc", k=3)) for _ in range(12)})
        cut = chance.randint(2, 7)
        return word_game(folder, words[:cut], words[cut:], chance.random() < 0.6)
    secrets, guesses, answers = chance.randint(2, 7), chance.randint(1, 5), chance.randint(2, 4)
    rows = [[chance.choice("abcd"[:answers]) for _ in range(secrets)] for _ in range(guesses)]
    return table_game(folder, rows)


@pytest.mark.parametrize("seed", range(8))
def test_random_games_true_and_false(checker: str, tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(3):
        game = some_game(tmp_path, chance)
        for within in (FOREVER, chance.randint(0, 4)):
            true = game.cost(game.everything(), within)
            proof = body(game, game.everything(), within, chance, set())
            assert judged(checker, tmp_path, certificate(game, true, proof, within=within)) == ""
            first = chance.randrange(len(game.guesses))
            if within > 0 and len(game.everything()) > 1:
                after = game.asking(game.everything(), first, within)
                name = game.guesses[first]
                assert judged(checker, tmp_path, certificate(game, after, proof, name, within)) == ""
                if after < inf:
                    assert judged(checker, tmp_path, certificate(game, after + 1, proof, name, within))
            for lies in (0.0, 0.1):
                if true < inf:
                    proof = body(game, game.everything(), within, chance, set(), lies)
                    for more in (1, inf):
                        assert judged(checker, tmp_path, certificate(game, true + more, proof, within=within))


@pytest.mark.parametrize("seed", range(5))
def test_no_mutation_makes_anything_false_accepted(checker: str, tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    game = some_game(tmp_path, chance)
    while (true := game.cost(game.everything())) == inf:
        game = some_game(tmp_path, chance)
    proof = body(game, game.everything(), FOREVER, chance, set()).strip("(.)")
    head = certificate(game, true + 1, "").split()
    odd = ["inf", "(", ")", ".", "!", "=", "-1", "1e9", "9" * 5000, "\0", "\xff", "0" * 4096]
    for _ in range(25):
        assert judged(
            checker,
            tmp_path,
            " ".join(head + mutated(f"( {small_sets(game, chance)} {proof} )", chance, odd)),
        )


def test_nesting_is_limited(checker: str, tmp_path: Path) -> None:
    deep = "guesstree-proof/1 mastermind 2 3 win - - 20 " + "( 00 11 3 " * 100_000
    assert "claims inside claims" in judged(checker, tmp_path, deep)


def written(spec: str, within: int | None, bound: int, goal: str = "win") -> str:
    """Return the certificate of a game of codes that the engine writes."""
    problem = Problem(parse(spec), parse_objective("expected"), goal=goal, max_depth=within)
    body = Writer(problem, Room.of(problem, 1, None)).root(within or problem.secrets, bound).body
    size = re.sub(r"[:x]", " ", spec)
    cost = "inf" if bound >= kernel.INFINITE else bound
    return f"guesstree-proof/1 {size} {goal} - {within or '-'} {cost} {body}\n"


@pytest.mark.parametrize(
    ("spec", "within", "bound"),
    [
        ("mastermind:4x6", None, 5625),  # Koyama and Lai 1993
        ("mastermind:4x6", 5, 5626),
        ("mastermind:4x6", 4, kernel.INFINITE),
        ("mastermind:3x5", None, 451),
        ("bulls:3x6", None, 436),
        ("blackpeg:4x3", None, 331),
    ],
)
def test_certificates_that_the_engine_writes(
    fast_checker: str, tmp_path: Path, spec: str, within: int | None, bound: int
) -> None:
    text = written(spec, within, bound)
    assert judged(fast_checker, tmp_path, text) == ""
    assert judged(fast_checker, tmp_path, text.replace(f" {bound} ", f" {bound + 1} ", 1)) or within == 4
    if within is None:
        with pytest.raises(ProofError, match="is enough"):
            written(spec, within, bound + 1)
