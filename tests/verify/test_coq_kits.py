"""The checker of kits that is proved in Coq: no axioms, and the verdicts of the one in Python."""

import lzma
import os
import random
import re
from pathlib import Path

import pytest
from certificates import CODES, code_game, some_words, symmetric_table
from certificates import mutated as changed
from effort import seeds
from fast_checker import VERIFY, judged
from proved_checker import COQ, proved
from random_kits import WORDS, certificate, head_of, mutated, random_cover, text_of, written
from slow_checker import judged as judged_slowly

from guesstree.engine.kits.kit import least_kit
from guesstree.engine.kits.search import Search
from guesstree.engine.objective import WORST
from guesstree.engine.problem import Problem
from guesstree.engine.proofs.kits import kit_proof

if "GUESSTREE_COQ" not in os.environ:
    pytest.skip("make coq runs it: apt-get install coq", allow_module_level=True)

PROOFS = VERIFY.parent / "proofs"
ARCHIVE = sorted(path.name for path in PROOFS.glob("*kit*.proof.xz"))
GAMES = [("mastermind", 2, 3), ("mastermind", 3, 2), ("blackpeg", 2, 3), ("blackpeg", 3, 2), ("bulls", 2, 4)]


@pytest.fixture(scope="module")
def program() -> str:
    """Return the proved checker."""
    return str(proved()[0])


def accepted_slowly(folder: Path, text: str) -> bool:
    """Return whether the checker in Python accepts a certificate; a file that it names may be missing."""
    try:
        return judged_slowly(folder, text, "kit") == ""
    except OSError:
        return False


def verdicts(program: str, folder: Path, texts: list[str]) -> list[bool]:
    """Return what is accepted: by both checkers, or by none."""
    found = [why == "" for why in judged(program, folder, *texts)]
    slowly = [accepted_slowly(folder, text) for text in texts]
    assert found == slowly, [text for text, a, b in zip(texts, found, slowly, strict=True) if a != b]
    return found


def parts_of(text: str) -> tuple[str, int, str]:
    """Return what stands before the bound of a certificate, the bound, and the body."""
    found = re.fullmatch(r"(.* - -) (\d+) (.*)", text, re.DOTALL)
    assert found is not None
    return found[1], int(found[2]), found[3]


def some_renaming(dice: random.Random, secrets: list[str], head: str) -> str:
    """Return a renaming of codes, or of secrets; it may be none."""
    if any(f" {kind} " in head for kind in CODES):
        symbols, size = sorted({*"".join(secrets)}), len(secrets[0])
        ways = ["".join(dice.sample(symbols, len(symbols))) for _ in range(size)]
        word = "/".join(ways) if "blackpeg" in head and dice.random() < 0.6 else ways[0]
        order = range(size) if dice.random() < 0.5 else dice.sample(range(size), size)
        return f"= {''.join(map(str, order))} {word}"
    some = dice.sample(secrets, min(len(secrets), dice.choice([2, 2, 2, 3, 4])))
    return f"= {' / '.join(' '.join(some[i : i + 2]) for i in range(0, len(some) - 1, 2))} ;"


def some_body(dice: random.Random, head: str, questions: list[str], secrets: list[str], deep: int) -> str:
    """Return a body that is often of the right form, and seldom proves much."""
    way = dice.random()
    if deep == 0 or way < 0.3 or len(secrets) < 2:
        return dice.choice([*"...##", "$ ;"])
    if way < 0.4:
        prices = (f"{' '.join(dice.sample(secrets, 2))} {dice.choice([0, 1, 1, 2, 5])}" for _ in range(4))
        return f"$ {' '.join(prices)} ;"
    items = [some_renaming(dice, secrets, head) for _ in range(dice.choice([0, 0, 1, 2]))]
    items += dice.sample(secrets, 2)
    for question in dice.sample(questions, dice.randint(0, min(3, len(questions)))):
        items += [question, some_body(dice, head, questions, secrets, deep - 1)]
    return f"( {' '.join(items)} )"


def test_the_theorem_has_no_axioms() -> None:
    assert {*proved()[1].splitlines()} == {"Closed under the global context"}
    assert "Print Assumptions kit_sound." in (COQ / "KitMain.v").read_text()
    assert len((COQ / "KitGame.v").read_text().splitlines()) <= 130


@pytest.mark.parametrize("seed", seeds(20, 1000))
def test_random_tables_true_and_false(program: str, tmp_path: Path, seed: int) -> None:
    dice = random.Random(seed)
    texts, claims = list[str](), list[bool]()
    for _ in range(4):
        cover = random_cover(dice)
        search = Search(cover)
        search.run()
        head, body = certificate(tmp_path, cover, search.lower)
        texts += [f"{head} {search.lower} {body}"]
        wrong = [body, ".", "#", "$ ;", *(mutated(body, dice) for _ in range(6))]
        texts += [f"{head} {search.lower + 1} {more}" for more in wrong]
        claims += [True] + [False] * len(wrong)
    assert verdicts(program, tmp_path, texts) == claims


@pytest.mark.parametrize("seed", seeds(20, 1000))
def test_random_bodies(program: str, tmp_path: Path, seed: int) -> None:
    dice = random.Random(seed)
    cover = random_cover(dice)
    search = Search(cover)
    search.run()
    head = head_of(tmp_path, cover.apart // 2, text_of(cover))
    questions, secrets = ([str(i + 1) for i in range(n)] for n in (cover.questions, cover.secrets))
    bounds = dice.choices(range(search.lower + 3), k=40)
    texts = [f"{head} {bound} {some_body(dice, head, questions, secrets, 3)}" for bound in bounds]
    found = verdicts(program, tmp_path, [*texts, f"{head} 0 ."])
    assert found.pop()
    assert not any(yes and bound > search.lower for yes, bound in zip(found, bounds, strict=True))


@pytest.mark.parametrize("seed", seeds(6, 200))
@pytest.mark.parametrize("kind", ["codes", "words", "table"])
def test_renamings(program: str, tmp_path: Path, kind: str, seed: int) -> None:
    """Symmetric games, and bodies in which random renamings stand, some of which are none."""
    dice = random.Random(f"{kind} {seed}")
    texts = list[str]()
    for _ in range(3):
        if kind == "table":
            game = symmetric_table(tmp_path, dice, win=False)
        else:
            game = some_words(tmp_path, dice) if kind == "words" else code_game(*dice.choice(GAMES))
        head = f"guesstree-proof/1 kit {dice.choice([0, 0, 1])} {game.head} identify - -"
        names = [*game.guesses], [*game.secrets]
        texts += [f"{head} {dice.randint(0, 6)} {some_body(dice, head, *names, 3)}" for _ in range(40)]
    found = verdicts(program, tmp_path, texts)
    assert any(found) and not all(found)


@pytest.mark.parametrize(
    ("spec", "lies"),
    [("mastermind:2x6", 0), ("mastermind:3x2", 1), ("blackpeg:3x4", 0), ("bulls:3x5", 0), ("coins:5", 0)],
)
def test_certificates_that_the_engine_writes(program: str, tmp_path: Path, spec: str, lies: int) -> None:
    kit, dice = least_kit(spec, lies=lies), random.Random(spec)
    proof = kit_proof(kit.game, Problem(kit.game, WORST, goal=kit.goal), kit.cover, kit.lower)
    head, bound, body = parts_of(written(tmp_path, proof))
    texts = [f"{head} {bound} {body}", f"{head} {bound + 1} {body}"]
    texts += [f"{head} {bound} {mutated(body, dice)}" for _ in range(20)]
    assert verdicts(program, tmp_path, texts)[:2] == [True, False]


@pytest.mark.parametrize("seed", seeds(4, 200))
def test_changed_tables_are_read_alike(program: str, tmp_path: Path, seed: int) -> None:
    dice = random.Random(seed)
    texts = list[str]()
    for _ in range(30):
        text = [*text_of(random_cover(dice)).decode()]
        for _ in range(dice.randint(0, 2)):
            at = dice.randrange(len(text))
            text[at] = dice.choice([*'/:,-"012ab \n', "", "cost", "use", "\nkind", "must", "never", "9" * 16])
        head = head_of(tmp_path, 0, "".join(text).encode("utf-8"))
        texts.append(f"{head} {dice.choice([0, 1, 1, 2])} {dice.choice('.#')}")
    found = verdicts(program, tmp_path, texts)
    assert any(found) and not all(found)


@pytest.mark.parametrize(
    ("rows", "fits"),
    [
        (",a,b,cost,use\nq,x,y,1,\n", True),
        (",cost,a,use,b\nq,1,x,never,y\nr,1,x,,y\n", True),
        (",a,b,cost\nq,x,y,1000000000000000\n", True),
        (",a,b,cost\nq,x,y,1000000000000001\n", False),
        (",a,b,cost\nq,x,y,01\n", False),
        (",a,b,cost,cost\nq,x,y,1,1\n", False),
        (",a,b,use,use\nq,x,y,,\n", False),
        (",a,b,use\nq,x,y,may\n", False),
        (",a,b,cost\nq,x,y,\n", False),
        (",a,b\nq,x,y\nkind,0,1\n", True),
        (",a,b,cost\nq,x,y,1\nkind,0,1,x\n", True),
        (",a,b\nq,x,y\nkind,0,\n", False),
        (",a,b\nq,x,y\nkind,0,1\nkind,0,1\n", False),
        (",a,b\nkind,0,1\n", False),
        (",a,b\nq,x,\n", False),
        (",cost\nq,1\n", False),
        (",a,b\n", False),
        ("", False),
    ],
)
def test_tables(program: str, tmp_path: Path, rows: str, *, fits: bool) -> None:
    """A kit for two secrets of two kinds has a question."""
    text = f"{head_of(tmp_path, 0, rows.encode())} 1 ."
    assert verdicts(program, tmp_path, [text]) == [fits]


@pytest.mark.parametrize(
    "words",
    [
        "kit",
        "kit 0 mastermind 2 2 identify - - 1",
        "kit 0 mastermind 2 2 identify - - 3 .",
        "kit 0 mastermind 2 2 identify - - 1 . .",
        "kit 0 mastermind 2 2 identify - - 1 ( 00 01 ) )",
        "kit 0 mastermind 2 2 identify - - 1 ( 00 00 )",
        "kit 0 mastermind 2 2 identify - - 1 ( 00 02 )",
        "kit 0 mastermind 2 2 identify - - 2 ( = 01 11 00 01 )",
        "kit 0 mastermind 2 2 identify - - 2 ( = 1 2 ; 00 01 )",
        "kit 0 mastermind 2 2 identify - - 2 $ 00 01 1",
        "kit 0 mastermind 2 2 identify - - 2 $ 00 01 -1 ;",
        "kit 0 mastermind 2 2 identify-candidates - - 1 .",
        "kit 0 mastermind 2 2 win - - 1 .",
        "kit 0 mastermind 2 2 identify 00 - 1 .",
        "kit 0 mastermind 2 2 identify - 4 1 .",
        "kit 0 mastermind 2 2 identify - - 1000000000000 .",
        "kit 0 mastermind 2 2 identify - - inf .",
        "kit 21 mastermind 2 2 identify - - 1 .",
        "kit 01 mastermind 2 2 identify - - 1 .",
        "kit -1 mastermind 2 2 identify - - 1 .",
        "kit 0 bulls 3 2 identify - - 1 .",
        "kit 0 mastermind 0 2 identify - - 0 .",
        "kit 0 wordle-hard a b identify - - 1 .",
        "kit 0 hangman 2 2 identify - - 1 .",
        "kit 0 mastermind 2 2 identify - - 999 " + "( 00 01 00 " * 1001,
    ],
)
def test_wrong_files(program: str, tmp_path: Path, words: str) -> None:
    text = f"guesstree-proof/1 {words}"
    assert "refused" in judged(program, tmp_path, text)[0]
    assert not accepted_slowly(tmp_path, text)


def test_files_beside_a_certificate(program: str, tmp_path: Path) -> None:
    head = head_of(tmp_path, 0, b",a,b\nq,x,y\n")
    sha, name = head.split()[4:6]
    (tmp_path / "other.csv").write_bytes((tmp_path / name).read_bytes() + b"\n")
    changes = [(name, "other.csv"), (name, f"./{name}"), (f"{sha} ", f"{sha[1:]} "), (sha, "0" * 64)]
    texts = [f"{head} 1 .", *(f"{head.replace(old, new, 1)} 1 ." for old, new in changes)]
    assert verdicts(program, tmp_path, texts) == [True, False, False, False, False]
    (missing,) = judged(program, tmp_path, texts[0].replace(name, "missing.csv"))
    assert "missing.csv" in missing and "refused" not in missing


def test_claims_inside_claims(program: str, tmp_path: Path) -> None:
    """Two secrets, and one question that has to be asked 41 times: the last two times are tried."""
    head = head_of(tmp_path, 20, b",a,b\nq,x,y\n")
    texts = [f"{head} {bound} {'( 1 2 1 ' * deep}.{' )' * deep}" for bound in (41, 42) for deep in range(42)]
    assert verdicts(program, tmp_path, texts) == [deep >= 38 for deep in range(42)] + [False] * 42


def test_numbers_are_exact(program: str, tmp_path: Path) -> None:
    """Costs and prices of many digits; Hamming's bound with many lies."""
    large = 10**11
    rows = "".join(f"q{g},{','.join(str(g == s) for s in range(3))},{large + g}\n" for g in range(3))
    head = head_of(tmp_path, 0, f",a,b,c,cost\n{rows}".encode())
    cost = 2 * large + 1
    bodies = ["( 1 2 )", ".", "#", "( 1 3 )"]
    texts = [f"{head} {bound} {body}" for bound in (cost, cost + 1) for body in bodies]
    prices = [f"{head} {bound} $ 1 2 {p} 1 3 {p} 2 3 {p} ;" for bound in (cost - 10, cost) for p in (1, 1000)]
    found = verdicts(program, tmp_path, [*texts, *prices])
    assert any(found[:4]) and not any(found[4:8])
    rows = "".join(f"q{g},{','.join(str(s >> g & 1) for s in range(4))}\n" for g in range(2))
    head = head_of(tmp_path, 20, f",a,b,c,d\n{rows}".encode())
    found = verdicts(program, tmp_path, [f"{head} {bound} #" for bound in range(30, 90)])
    assert any(found) and not all(found)


QUICK = [name for name in ARCHIVE if not re.match("mastermind-(3x7|4x5)|blackpeg-(4x4|[89]x2)", name)]


@pytest.mark.parametrize("name", [*QUICK[::4], *(pytest.param(n, marks=pytest.mark.long) for n in ARCHIVE)])
def test_the_archive(program: str, tmp_path: Path, name: str) -> None:
    """What is published is accepted; one more is not, nor are mutants."""
    text = lzma.decompress((PROOFS / name).read_bytes()).decode()
    for file in re.findall(r"\b\w{64}\.csv\b", text):
        (tmp_path / file).write_bytes(lzma.decompress((PROOFS / f"{file}.xz").read_bytes()))
    head, bound, body = parts_of(text)
    mutants = [f"{head} {bound} {' '.join(changed(body, random.Random(i), WORDS))}" for i in range(4)]
    assert verdicts(program, tmp_path, [text, f"{head} {bound + 1} {body}", *mutants])[:2] == [True, False]
