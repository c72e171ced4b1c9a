"""The slow checker of certificates: it accepts what is true and shown, and nothing that is false."""

import random
import subprocess
import sys
from dataclasses import replace
from hashlib import sha256
from math import inf
from pathlib import Path

import pytest
from certificates import (
    FOREVER,
    body,
    certificate,
    code_game,
    small_sets,
    some_game,
    table_game,
    word_game,
)
from fast_checker import SANITIZED, VERIFY, built
from slow_checker import both, judged

WORDS = ["abc", "abd", "acb", "bad", "cab", "dab", "add", "baa"]
CODES = [
    ("mastermind", 2, 2),
    ("mastermind", 2, 3),
    ("mastermind", 3, 2),
    ("bulls", 2, 4),
    ("bulls", 2, 3),
    ("blackpeg", 2, 3),
    ("blackpeg", 3, 2),
]


@pytest.mark.parametrize(("kind", "pegs", "colours"), CODES)
@pytest.mark.parametrize("win", [True, False])
def test_the_true_cost_is_accepted_and_one_more_is_not(
    tmp_path: Path, kind: str, pegs: int, colours: int, win: bool
) -> None:
    game, chance = code_game(kind, pegs, colours, win), random.Random(1)
    true = game.cost(game.everything())
    proof = body(game, game.everything(), FOREVER, chance, set())
    assert judged(tmp_path, certificate(game, true, proof)) == ""
    assert "not shown" in judged(tmp_path, certificate(game, true + 1, proof))
    for lies in (0, 0.02, 0.3):
        proof = body(game, game.everything(), FOREVER, chance, set(), lies)
        assert judged(tmp_path, certificate(game, true + 1, proof))


@pytest.mark.parametrize("seed", range(4))
def test_small_sets(tmp_path: Path, seed: int) -> None:
    checker = built(*SANITIZED)
    chance = random.Random(seed)
    for _ in range(8):
        while (game := some_game(tmp_path, chance)).only:
            pass
        within = chance.randint(0, 4)
        true = game.cost(game.everything(), within)
        rest = body(game, game.everything(), within, chance, set()).strip("(.)")
        proof = f"( {small_sets(game, chance)} {rest} )"
        assert both(checker, tmp_path, certificate(game, true, proof, within=within), "verify") == ""
        if true < inf:
            assert both(checker, tmp_path, certificate(game, inf, proof, within=within), "verify")
        if wrong := small_sets(game, chance, lies=True):
            assert "not shown" in both(checker, tmp_path, certificate(game, 0, f"( {wrong} )"), "verify")


def test_a_small_set_serves_no_more_guesses_than_it_says(tmp_path: Path) -> None:
    """No guess tells all four apart, and each leaves a pair that none settles: but one guess more does."""
    table, checker = table_game(tmp_path, [list("aabb"), list("abab")]), built(*SANITIZED)
    pairs = " ".join(f"! 2 0 {pair} ." for pair in ("1 2", "3 4", "1 3", "2 4"))
    for within, true in ((1, True), (2, False)):
        text = certificate(table, inf, f"( {pairs} )", within=within)
        assert (both(checker, tmp_path, text, "verify", alike=True) == "") == true


def test_words_and_first_words(tmp_path: Path) -> None:
    game, chance = word_game(tmp_path, WORDS, ["bbb", "ddd", "xyz"]), random.Random(3)
    for first, true in [
        ("-", game.cost(game.everything())),
        ("xyz", game.asking(game.everything(), game.guesses.index("xyz"), FOREVER)),
        ("bad", game.asking(game.everything(), game.guesses.index("bad"), FOREVER)),
    ]:
        proof = body(game, game.everything(), FOREVER, chance, set())
        assert judged(tmp_path, certificate(game, true, proof, first)) == ""
        assert judged(tmp_path, certificate(game, true + 1, proof, first))
    assert game.asking(game.everything(), game.guesses.index("xyz"), FOREVER) == 8 + game.cost(
        game.everything()
    )


def test_a_lemma_serves_its_own_set_alone(tmp_path: Path) -> None:
    table = table_game(tmp_path, [list("aabb"), list("abab"), list("abcd")])
    head = certificate(table, 4, "")
    assert judged(tmp_path, head + ".") == ""
    assert "not in the set" not in judged(tmp_path, head + "( 1 1 2 . )")
    assert "not in the set" in judged(tmp_path, head + "( 1 1 2 ( 2 3 0 . ) )")
    assert "not shown" in judged(tmp_path, head + "( 1 1 3 . )")
    assert "one secret" in judged(tmp_path, head + "( 3 1 1 . )")


@pytest.mark.parametrize(
    ("item", "why"),
    [
        ("= 01 123", "no renaming"),
        ("= 00 012", "no renaming"),
        ("= 02 012", "no renaming"),
        ("= 01 01", "no renaming"),
        ("00 11 1 ( = 01 102 )", "does not keep the set"),
        ("00 11 1 ( ! 2 0 00 01 . )", "inside a claim"),
        ("! 2 0 01 00 .", "do not rise"),
        ("! 2 0 00 00 .", "do not rise"),
        ("! 1 0 00 .", "no small set"),
        ("! 65 0 00 .", "no small set"),
        ("! 2 -1 00 01 .", "no number"),
        ("! 2 9 00 01 .", "not shown"),
        ("00 33 1 .", "no guess or no secret"),
        ("00 11 -1 .", "no number"),
        ("00 11 1e3 .", "no number"),
        ("00 11 " + "9" * 10_000 + " .", "no number"),
        ("00 11 999999999999 .", "not shown"),
        ("00 11 1", "neither . nor ("),
        ("00 11 1 . )", "behind the proof"),
        ("00 \0 1 .", "ASCII"),
        ("00 \u0661 1 .", "ASCII"),
    ],
)
def test_wrong_items(tmp_path: Path, item: str, why: str) -> None:
    assert why in judged(tmp_path, f"guesstree-proof/1\nmastermind 2 3 win - - 0 (\n\n{item} )\n")


@pytest.mark.parametrize(
    "head",
    [
        "",
        "guesstree-proof/2 mastermind 2 2 win - - 0 .",
        "guesstree-proof/1 mastermind 2 2 win - - 0",
        "guesstree-proof/1 mastermind 2 2 win - - 0 . .",
        "guesstree-proof/1 mastermind 2 2 lose - - 0 .",
        "guesstree-proof/1 mastermind 2 2 win 02 - 0 .",
        "guesstree-proof/1 mastermind 2 2 win - -1 0 .",
        "guesstree-proof/1 mastermind 2 2 win - - -1 .",
        "guesstree-proof/1 mastermind 0 2 win - - 0 .",
        "guesstree-proof/1 mastermind 36 36 win - - 0 .",
        "guesstree-proof/1 mastermind 99999999999 2 win - - 0 .",
        "guesstree-proof/1 bulls 3 2 win - - 0 .",
        "guesstree-proof/1 chess 2 2 win - - 0 .",
    ],
)
def test_wrong_heads(tmp_path: Path, head: str) -> None:
    assert judged(tmp_path, head)


def test_files_behind_the_certificate(tmp_path: Path) -> None:
    game = word_game(tmp_path, WORDS, ["bbb"])
    good = certificate(game, 8, ".")
    names = game.head.split()[1:]
    assert judged(tmp_path, good) == ""
    assert "SHA-256" in judged(tmp_path, good.replace(names[1], "some.proof"))
    assert "beside the certificate" in judged(tmp_path, good.replace(names[1], f"../{names[1]}"))
    (tmp_path / names[1]).write_text("bbc\n")
    assert "SHA-256" in judged(tmp_path, good)
    for words in ("abc\nabcd\n", "abc\nabc\n", "abc abd\n", "ABC\n", "abc\n\nabd\n", "", "a\0c\n"):
        name = sha256(words.encode()).hexdigest()
        (tmp_path / name).write_text(words)
        why = "control byte" if "\0" in words else "word a line"
        assert why in judged(tmp_path, f"guesstree-proof/1 wordle {name} {name} win - - 0 .")
    table = table_game(tmp_path, [["a", "b"], ["a"]])
    assert "no table" in judged(tmp_path, certificate(table, 0, "."))
    of_codes = certificate(table_game(tmp_path, [["a", "b"]]), 0, "( = 0 1 )")
    assert "no secret" in judged(tmp_path, of_codes)


def test_a_guess_that_tells_nothing_is_no_first_guess_to_leave_out(tmp_path: Path) -> None:
    game = table_game(tmp_path, [list("xxx"), list("abc")])
    assert judged(tmp_path, certificate(game, 6, ".", first="1")) == ""
    assert "not shown" in judged(tmp_path, certificate(game, 7, ".", first="1"))


def test_what_cannot_be_won_is_not_identified_instead(tmp_path: Path) -> None:
    game = replace(table_game(tmp_path, [["a"]]), win=True)
    assert judged(tmp_path, certificate(game, inf, ".", within=1)) == ""
    assert "not cost" in judged(tmp_path, certificate(replace(game, win=False), inf, ".", within=1))


def test_nesting_is_limited(tmp_path: Path) -> None:
    game = table_game(tmp_path, [list("xxx"), list("abc")])
    assert judged(tmp_path, certificate(game, 3, "( 1 1 3 " * 1000 + "." + " )" * 1000)) == ""
    assert "claims inside claims" in judged(tmp_path, certificate(game, 3, "( 1 1 3 " * 1001 + "."))
    assert "too early" in judged(tmp_path, certificate(game, 3, "( 1 1 3 " * 1000))


def run(kind: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-I", str(VERIFY / f"{kind}.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("verify", "mastermind 2 2 win - - {} ."),
        ("lies", "lies 0 mastermind 2 2 win - {} inf ."),
        ("priced", "priced {}"),
    ],
)
def test_the_commands(tmp_path: Path, kind: str, words: str) -> None:
    path, table = tmp_path / "a.proof", b",s,t\ng,a,b\n"
    digest = sha256(table).hexdigest()
    (tmp_path / "t.csv").write_bytes(table)
    for false, claim in enumerate({"verify": (8, 9), "lies": (2, 3)}.get(kind, (2, 3))):
        said = claim if kind != "priced" else f"{digest} t.csv identify - - {claim} ."
        path.write_text(f"guesstree-proof/1 {words.format(said)}\n")
        done = run(kind, str(path))
        assert done.returncode == false
        assert (done.stdout + done.stderr).count("\n") == 1
        assert (done.stderr if false else done.stdout).startswith(
            f"{path}:1: refused: " if false else "verified: "
        )
    assert run(kind, str(tmp_path / "none.proof")).returncode == 2
    assert run(kind).returncode == 2


def test_they_are_short_and_alone() -> None:
    for path in VERIFY.glob("*.py"):
        lines = path.read_text().splitlines()
        assert len(lines) <= 350
        imported = {line.split()[1].split(".")[0] for line in lines if line.startswith(("import ", "from "))}
        shared = {"checking", "verify"} if path.name == "strategy.py" else {"checking"}
        assert imported <= sys.stdlib_module_names | shared
