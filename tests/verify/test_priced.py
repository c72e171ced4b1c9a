"""The checkers of certificates of games with costs: they accept what is true and shown, and nothing false."""

import os
import random
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from math import inf
from pathlib import Path

import pytest
from certificates import mutated
from priced_tables import PricedTiny, some_priced

VERIFY = Path(__file__).parents[2] / "verify"
SPEC = spec_from_file_location("slow_priced", VERIFY / "priced.py")
assert SPEC is not None
assert SPEC.loader is not None
SLOW = module_from_spec(SPEC)
sys.modules["slow_priced"] = SLOW
SPEC.loader.exec_module(SLOW)
SANITIZED = ["-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]


def built(folder: Path, *how: str) -> str:
    """Build the checker, and return its path."""
    program, warnings = str(folder / "gtpriced"), ["-std=c99", "-Wall", "-Wextra", "-Werror"]
    source = str(VERIFY / "priced.c")
    subprocess.run(["cc", *how, *warnings, source, "-o", program], check=True, timeout=120)
    return program


@pytest.fixture(scope="module", params=[1, 8], ids=["lemmas", "small sets"])
def checkers(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Build the checker so that it ends at the first wrong read or write; both search such small sets."""
    SLOW.SMALL = request.param
    return built(tmp_path_factory.mktemp("checker"), *SANITIZED, f"-DSMALL={request.param}")


def judged(checker: str, folder: Path, text: str, *, slow: bool = True) -> str:
    """Return nothing if the checkers accept the certificate, otherwise why one of them refuses."""
    path = folder / "some.proof"
    path.write_text(text)
    environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}  # it ends, and gives nothing back
    done = subprocess.run(
        [checker, str(path)], capture_output=True, text=True, timeout=60, check=False, env=environment
    )
    assert done.returncode in (0, 1, 2), done.stderr
    assert done.returncode == 0 or done.stderr.count("\n") == 1, done.stderr
    why = done.stderr
    if slow:
        try:
            assert SLOW.Checker(path).check().startswith("verified: ")
        except SLOW.Refused as error:
            return why or str(error)
        assert not why, why
    return why


@pytest.mark.parametrize("seed", range(10))
def test_random_tables_true_and_false(checkers: str, tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(5):
        game = some_priced(chance)
        head, everything = game.head(tmp_path, chance), game.everything()
        true = game.cost(everything)
        proof = game.body(everything, 0, chance, set())
        assert judged(checkers, tmp_path, game.text(head, true, proof)) == ""
        for lies in (0.0, 0.1):
            proof = game.body(everything, 0, chance, set(), lies)
            for value in {true + 1, inf} if game.counts == "paid" else {true + 1}:
                if value > true:
                    assert judged(checkers, tmp_path, game.text(head, value, proof))
        first = chance.randrange(len(game.answers))
        if len(everything) > 1:
            proof = game.body(everything, 0, chance, set())
            after = game.asking(everything, first)
            assert judged(checkers, tmp_path, game.text(head, after, proof, str(first + 1))) == ""
            if after < inf:
                assert judged(checkers, tmp_path, game.text(head, after + 1, proof, str(first + 1)))


@pytest.mark.parametrize("seed", range(5))
def test_no_mutation_makes_anything_false_accepted(checkers: str, tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    game = some_priced(chance)
    while (true := game.cost(game.everything())) == inf or len(game.weights) < 3:
        game = some_priced(chance)
    proof = game.body(game.everything(), 0, chance, set())
    head = game.text(game.head(tmp_path, chance), true + 1, "").split()
    odd = ["inf", "(", ")", ".", "-", "-1", "1e9", "9" * 5000, "\0", "\x7f", "0" * 4096, "lost:1"]
    for _ in range(25):
        text = " ".join(head + mutated(proof, chance, odd))
        assert judged(checkers, tmp_path, text, slow=False)
        with pytest.raises((SLOW.Refused, RecursionError)):
            SLOW.Checker(tmp_path / "some.proof").check()


def test_nesting_is_limited(checkers: str, tmp_path: Path) -> None:
    game = PricedTiny([["a", "b", "c"]], [dict.fromkeys("abc", 1)], [1, 1, 1], win=False)
    text = game.text(game.head(tmp_path, random.Random(1)), 3, "( - 1 3 " * 100_000)
    assert "claims inside claims" in judged(checkers, tmp_path, text, slow=False)
