"""The checker of games with lies that is proved in Coq: it agrees with the other two."""

import os
import random
import re
from hashlib import sha256
from pathlib import Path

import pytest
from certificates import Tiny, code_game, mutated, some_table, some_words, symmetric_table, table_game
from effort import seeds
from fast_checker import VERIFY, built, judged
from proved_checker import proved, same_verdicts
from slow_checker import judged as judged_slowly
from small_claims import Liar

from guesstree.cli import run

if "GUESSTREE_COQ" not in os.environ:
    pytest.skip("make coq runs it: apt-get install coq", allow_module_level=True)

CODES = [("mastermind", 2, 2), ("bulls", 2, 3), ("blackpeg", 2, 2), ("blackpeg", 3, 2), ("mastermind", 1, 4)]
ODD = ["inf", "(", ")", ".", "=", "-1", "9" * 5000, "0", "01", "!", "-"]


@pytest.fixture(scope="module")
def program() -> str:
    """Return the proved checker."""
    return str(proved()[0])


@pytest.fixture(scope="module")
def fast() -> str:
    """Return the checker in C."""
    return built("-O2", name="lies")


def verdicts(program: str, fast: str, folder: Path, texts: list[str]) -> list[bool]:
    """Return what is accepted: by all three checkers, or by none."""
    found = [[why == "" for why in judged(one, folder, *texts)] for one in (program, fast)]
    assert found[0] == found[1], [text for text, a, b in zip(texts, *found, strict=True) if a != b]
    assert found[0] == [accepted_slowly(folder, text) for text in texts]
    return found[0]


def accepted_slowly(folder: Path, text: str) -> bool:
    """Return whether the checker in Python accepts a certificate; a file that it names may be missing."""
    try:
        return judged_slowly(folder, text, "lies") == ""
    except OSError:
        return False


def head(game: Tiny, lies: int, depth: int, first: str = "-") -> str:
    """Return what stands before the body."""
    return f"guesstree-proof/1 lies {lies} {game.head} {game.goal} {first} {depth} inf"


def about_table(folder: Path, rows: str, goal: str) -> str:
    """Return a certificate about a table with this text, which is written to the folder."""
    (folder / "some.csv").write_text(rows)
    return f"guesstree-proof/1 lies 1 table {sha256(rows.encode()).hexdigest()} some.csv {goal} - 0 inf ."


def some_texts(game: Tiny, lies: int, chance: random.Random) -> tuple[list[str], list[str]]:
    """Return certificates of what is true of a tiny game, and mutants that claim what is false."""
    liar, start = Liar(game), frozenset((s, lies) for s in game.everything())
    settled = next((d for d in range(5) if liar.settles(start, d)), 5)
    true = [f"{head(game, lies, d)} {liar.body(start, d, chance, set())}" for d in range(settled)]
    false = []
    for depth in range(settled, 5):
        longer = liar.body(start, max(settled - 1, 0), chance, set())
        false += [f"{head(game, lies, depth)} {' '.join(mutated(longer, chance, ODD))}" for _ in range(6)]
    return true, false


@pytest.mark.parametrize("seed", seeds(2, 12))
@pytest.mark.parametrize("kind", range(len(CODES)))
def test_small_games_true_and_false(program: str, fast: str, tmp_path: Path, kind: int, seed: int) -> None:
    chance = random.Random(f"{kind} {seed}")
    for win in (True, False):
        true, false = some_texts(code_game(*CODES[kind], win), chance.randint(0, 2), chance)
        found = verdicts(program, fast, tmp_path, true + false)
        assert found == [True] * len(true) + [False] * len(false)


def some_words_or_table(folder: Path, chance: random.Random) -> Tiny:
    """Return a small game in files, often one with renamings of secrets."""
    kind = chance.randrange(4)
    if kind == 0:
        return some_words(folder, chance)
    if kind == 1:
        return some_table(folder, chance, win=chance.random() < 0.5)
    return symmetric_table(folder, chance, chance.random() < 0.3)


@pytest.mark.parametrize("seed", seeds(6, 60))
def test_words_and_tables_true_and_false(program: str, fast: str, tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(4):
        true, false = some_texts(some_words_or_table(tmp_path, chance), chance.randint(0, 1), chance)
        found = verdicts(program, fast, tmp_path, true + false)
        assert found == [True] * len(true) + [False] * len(false)
        verdicts(
            program, fast, tmp_path, [" ".join(mutated(text, chance, [*ODD, "/", ";"])) for text in true * 4]
        )


def test_wrong_tables_and_words(program: str, fast: str, tmp_path: Path) -> None:
    rows = [["win", "a", "b"], ["a", "win", "b"], ["c", "a", "win"]]
    game = table_game(tmp_path, rows)
    sha, name = game.head.split()[1:]
    text = f"{head(game, 1, 1)} ."
    (tmp_path / "other.csv").write_bytes((tmp_path / name).read_bytes() + b"g9,a,a,a\n")
    texts = [
        text,
        *(
            text.replace(a, b)
            for a, b in [
                (name, "other.csv"),
                (name, f"./{name}"),
                (sha, sha[:-1]),
                (sha, "0" * 64),
                (sha, "."),
                (" win - ", " win 1 "),
                (" win - ", " win 4 "),
                (" win - ", " win 0 "),
                (" win - ", " win-candidates - "),
            ]
        ),
    ]
    assert verdicts(program, fast, tmp_path, texts).count(True) == 2
    assert all("refused" in why or why == "" for why in judged(program, tmp_path, *texts))
    (missing,) = judged(program, tmp_path, text.replace(name, "missing.csv"))
    assert "missing.csv" in missing and "refused" not in missing


@pytest.mark.parametrize(
    "rows",
    [
        "t,s0,cost\ng,a,1\n",
        "t,s0,cost:a\ng,a,1\n",
        "t,s0,s1\nweight,1,1\n",
        "t,s0,s1\ng,a,\n",
        "t,s0,s1\ng,a\n",
        "t,s0,s1\ng,win,win\n",
        "t,s0,s1\n",
        "t,s0,s1",
        "t\ng\n",
        "t,s0,s1\ng,a,b\n\n",
        "t,s0,s1\n\ng,a,b\n",
        "\nt,s0,s1\ng,a,b\n",
        "t,s0,s1\ng,a,b\nh,a,b,a\n",
        "",
        "\n",
    ],
)
def test_tables_that_are_refused(program: str, fast: str, tmp_path: Path, rows: str) -> None:
    assert verdicts(program, fast, tmp_path, [about_table(tmp_path, rows, "win")]) == [False]


@pytest.mark.parametrize("rows", ["t,s0,s1\ng,a,b", ',"s0",\n,"a","""a"\n'])
def test_tables_that_are_read(program: str, fast: str, tmp_path: Path, rows: str) -> None:
    assert verdicts(program, fast, tmp_path, [about_table(tmp_path, rows, "identify")]) == [True]


@pytest.mark.parametrize(("guesses", "secrets", "labels", "within"), [(50_000, 20, 2, 5), (400, 400, 254, 2)])
def test_large_tables(
    program: str, fast: str, tmp_path: Path, guesses: int, secrets: int, labels: int, within: int
) -> None:
    """To look for each cell from the first row on, or among the labels of all rows, would take minutes."""
    chance = random.Random(labels)
    rows = [[f"{g} {chance.randrange(labels)}" for _ in range(secrets)] for g in range(guesses)]
    game = table_game(tmp_path, rows)
    body = f"( 7 1 . {guesses} {secrets} ( 3 {secrets} . 9 2 . ) )"
    true = [f"{head(game, 1, within, str(guesses))} .", f"{head(game, 1, within)} {body}"]
    false = [f"{head(game, 1, within, str(guesses + 1))} .", f"{head(game, 1, within + 4)} {body}"]
    mutants = [f"{head(game, 1, within)} {' '.join(mutated(body, chance, ODD))}" for _ in range(6)]
    found = same_verdicts("lies", program, fast, tmp_path, true + false + mutants)
    assert found[:4] == [True, True, False, False]


@pytest.mark.parametrize("kind", range(len(CODES)))
def test_mutants_of_what_is_true(program: str, fast: str, tmp_path: Path, kind: int) -> None:
    chance = random.Random(kind)
    texts = []
    for win in (True, False):
        true, _ = some_texts(code_game(*CODES[kind], win), 1, chance)
        texts += [" ".join(mutated(text, chance, ODD)) for text in true for _ in range(10)]
    verdicts(program, fast, tmp_path, texts)


@pytest.mark.parametrize(
    ("spec", "lies", "goal", "refuted"),
    [
        ("mastermind:3x4", 1, "win", 5),
        ("mastermind:4x4", 1, "win", 5),
        ("mastermind:4x4", 1, "identify", 4),
        ("blackpeg:3x3", 1, "win", 6),
        ("blackpeg:3x3", 1, "identify", 5),
        ("bulls:3x5", 1, "identify", 5),
    ],
)
def test_certificates_that_the_engine_writes(
    program: str, tmp_path: Path, spec: str, lies: int, goal: str, refuted: int
) -> None:
    path = tmp_path / "some.proof"
    arguments = ["--objective", "worst", "--lies", str(lies), "--goal", goal, "--time-limit", "30"]
    assert run(["prove", spec, *arguments, "--out", str(path)]) == 0
    text = path.read_text()
    within = re.search(r"(\d+) inf", text)
    assert within is not None
    assert int(within[1]) == refuted
    more = text.replace(within[0], f"{int(within[1]) + 1} inf", 1)
    yes, no = judged(program, tmp_path, text, more, seconds=250)
    assert yes == ""
    assert "refused" in no


def test_mastermind_4x6_with_two_lies_takes_eight_guesses(program: str, tmp_path: Path) -> None:
    text = """guesstree-proof/1 lies 2 mastermind 4 6 win - 7 inf (
        = 0123 102345 = 0123 123450 = 1023 012345 = 1230 012345
        0001 0222 ( = 0123 013245 = 0123 013452 = 1023 012345 = 1203 012345 )
        0011 2222 ( = 0123 013245 = 0123 013452 = 1023 012345 = 2301 102345 )
        0012 1131 ( = 0123 012435 = 0123 012453 = 1023 012345 = 0132 021345 )
        0123 1000 ( = 0123 012354 = 0132 013245 = 0213 021345 = 1023 102345 ) )"""
    yes, no = judged(program, tmp_path, text, text.replace("- 7", "- 8"), seconds=250)
    assert yes == ""
    assert "refused" in no


def test_a_first_guess(program: str, fast: str, tmp_path: Path) -> None:
    game = code_game("mastermind", 2, 3)
    texts = [
        f"{head(game, 1, d, first)} ." for d in range(7) for first in ("00", "01", "-", "03", "0", "win")
    ]
    found = verdicts(program, fast, tmp_path, texts)
    assert any(found) and not all(found)


@pytest.mark.parametrize(
    "text",
    [
        "guesstree-proof/1 lies",
        "guesstree-proof/1 lies 1 mastermind 2 2 win - 1",
        "guesstree-proof/1 lies 1 mastermind 2 2 win - 1 inf",
        "guesstree-proof/1 lies 1 mastermind 2 2 win - 1 inf . .",
        "guesstree-proof/1 lies 1 mastermind 2 2 win - 1 9 .",
        "guesstree-proof/1 lies 8 mastermind 2 2 win - 1 inf .",
        "guesstree-proof/1 lies -1 mastermind 2 2 win - 1 inf .",
        "guesstree-proof/1 lies 01 mastermind 2 2 win - 1 inf .",
        "guesstree-proof/1 lies 1 mastermind 2 2 win-candidates - 1 inf .",
        "guesstree-proof/1 lies 1 mastermind 2 2 win - 65 inf .",
        "guesstree-proof/1 lies 1 bulls 3 2 win - 1 inf .",
        "guesstree-proof/1 lies 1 mastermind 0 2 win - 0 inf .",
        "guesstree-proof/1 lies 1 mastermind 2 2 win - 1 inf ( = 00 01 )",
        "guesstree-proof/1 lies 1 mastermind 2 2 win - 1 inf ( = 00 11 ; )",
        "guesstree-proof/1 lies 1 mastermind 2 2 win - 1 inf ( 00 00 . )",
        "guesstree-proof/1 lies 1 mastermind 2 2 win - 1 inf " + "( 00 01 " * 1000,
    ],
)
def test_wrong_files(program: str, fast: str, tmp_path: Path, text: str) -> None:
    assert "refused" in judged(program, tmp_path, text)[0]
    assert "refused" in judged(fast, tmp_path, text)[0]


def test_what_the_reader_believes_is_short() -> None:
    assert len((VERIFY / "coq" / "LiesGame.v").read_text().splitlines()) <= 110
