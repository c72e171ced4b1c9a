"""The checker of games with costs that is proved in Coq: no axioms, and the verdicts of the others."""

import os
import random
from hashlib import sha256
from math import inf
from pathlib import Path

import pytest
from certificates import mutated
from effort import seeds
from fast_checker import built, judged
from priced_tables import PricedTiny, some_priced
from proved_checker import COQ, proved
from slow_checker import judged as judged_slowly

from guesstree.cli import main

if "GUESSTREE_COQ" not in os.environ:
    pytest.skip("make coq runs it: apt-get install coq", allow_module_level=True)

ODD = ["inf", "(", ")", ".", "-", "-1", "1e9", "9" * 5000, "0" * 4096, "lost:1", "lost:1:2:3", "0", "01"]


@pytest.fixture(scope="module")
def program() -> str:
    """Return the proved checker."""
    return str(proved()[0])


@pytest.fixture(scope="module")
def fast() -> str:
    """Return the checker in C."""
    return built("-O2", name="priced")


def verdicts(program: str, fast: str, folder: Path, texts: list[str], *, slowly: bool = False) -> list[bool]:
    """Return what is accepted: by the proved checker and by that in C, and by that in Python, or by none."""
    found = [[why == "" for why in judged(one, folder, *texts)] for one in (program, fast)]
    if slowly:
        found.append([judged_slowly(folder, text, "priced") == "" for text in texts])
    for others in found[1:]:
        assert found[0] == others, [
            text for text, a, b in zip(texts, found[0], others, strict=True) if a != b
        ]
    return found[0]


def test_the_theorem_has_no_axioms() -> None:
    assert {*proved()[1].splitlines()} == {"Closed under the global context"}
    assert "Print Assumptions priced_sound." in (COQ / "PricedMain.v").read_text()
    assert len((COQ / "PricedGame.v").read_text().splitlines()) <= 140


@pytest.mark.parametrize("seed", seeds(4, 40))
def test_random_tables_true_and_false(program: str, fast: str, tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(6):
        game = some_priced(chance)
        head, everything = game.head(tmp_path, chance), game.everything()
        true = game.cost(everything)
        more = [] if true == inf else [true + 1, *([inf] if game.counts == "paid" else [])]
        first = chance.randrange(len(game.answers))
        after = game.asking(everything, first)
        texts = []
        for value in (true, *more):
            proofs = [game.body(everything, 0, chance, set(), lies) for lies in (0, 0.1)] + ["."]
            texts += [game.text(head, value, proof) for proof in proofs]
            texts.append(game.text(head, value, proofs[0], str(first + 1)))
        if after < inf:
            texts.append(game.text(head, after + 1, proofs[0], str(first + 1)))
        found = verdicts(program, fast, tmp_path, texts, slowly=True)
        assert found[0]
        assert not any(found[4 : 4 + 4 * len(more)][i] for i in range(4 * len(more)) if i % 4 < 3)
        assert len(everything) == 1 or after == inf or not found[-1]


@pytest.mark.parametrize("seed", seeds(3, 40))
def test_no_mutation_makes_anything_false_accepted(
    program: str, fast: str, tmp_path: Path, seed: int
) -> None:
    chance = random.Random(seed)
    game = some_priced(chance)
    while (true := game.cost(game.everything())) == inf or len(game.weights) < 3:
        game = some_priced(chance)
    proof = game.body(game.everything(), 0, chance, set())
    head = game.text(game.head(tmp_path, chance), true + 1, "").split()
    texts = [" ".join(head + mutated(proof, chance, ODD)) for _ in range(60)]
    assert not any(verdicts(program, fast, tmp_path, texts))


@pytest.mark.parametrize("change", range(6))
def test_the_table_has_to_be_that_of_the_certificate(program: str, tmp_path: Path, change: int) -> None:
    """Another hash, another file, none, one elsewhere; a goal that the table does not have; no hash."""
    game = PricedTiny([[*"aab"], [*"aba"], [*"baa"]], [dict.fromkeys("ab", 1)] * 3, [1, 2, 1], win=False)
    head = game.head(tmp_path, random.Random(1))
    text = game.text(head, game.cost(game.everything()), ".")
    assert judged(program, tmp_path, text) == [""]
    *_, sha, name, _ = head.split()
    (tmp_path / "other.csv").write_bytes((tmp_path / name).read_bytes() + b"g9,a,a,a,1\n")
    files = [(name, "other.csv"), (name, "none.csv"), (name, f"./{name}")]
    changes = [(sha, sha[:-1] + "x"), *files, ("identify", "win"), (sha, "")]
    why = judged(program, tmp_path, text.replace(*changes[change], 1))[0]
    assert "none.csv" in why if change == 2 else ": refused" in why


@pytest.mark.parametrize(
    "rows",
    [
        "g1,a,b,1,1\n",
        "g1,a,b,-1\n",
        "g1,a,b\n",
        "g1,a,,1\n",
        'g1,a,"b,1\n',
        "g1,a, b,1\n",
        "weight,1,0,\ng1,a,b,1\n",
        "weight,1,1,\nweight,1,1,\ng1,a,b,1\n",
        f"weight,{10**15},{10**15},\ng1,a,b,{10**15}\n",
        "",
        "g1,a,b,01\n",
        "g1,a,b,1\n\n",
        "g1,a,b,\0\n",
    ],
)
def test_tables_that_may_be_read_otherwise_are_refused(
    program: str, fast: str, tmp_path: Path, rows: str
) -> None:

    def text(data: bytes) -> str:
        (tmp_path / "t.csv").write_bytes(data)
        return f"guesstree-proof/1 priced {sha256(data).hexdigest()} t.csv identify - - 0 ."

    assert verdicts(program, fast, tmp_path, [text(b"t,s1,s2,cost\ng1,a,b,1\n")]) == [True]
    assert verdicts(program, fast, tmp_path, [text(f"t,s1,s2,cost\n{rows}".encode())]) == [False]


def test_an_empty_cell_of_costs_is_refused_where_none_reads_it(
    program: str, fast: str, tmp_path: Path
) -> None:

    def text(cost: str) -> str:
        data = f"t,s1,s2,cost,cost:a,cost:b\ng1,a,b,{cost},1,1\n".encode()
        (tmp_path / f"{cost}.csv").write_bytes(data)
        return f"guesstree-proof/1 priced {sha256(data).hexdigest()} {cost}.csv identify - - 2 ."

    assert verdicts(program, fast, tmp_path, [text("1"), text("")], slowly=True) == [True, False]


@pytest.mark.parametrize("heavy", [1, 10**12])
def test_weights_on_the_path_of_those_who_pay_may_be_large(
    program: str, fast: str, tmp_path: Path, heavy: int
) -> None:
    """Where a response is free, the heaviest of a set counts (P5)."""
    data = f"t,s1,s2,s3,cost:a,cost:b\nweight,{heavy},2,{heavy},,\ng1,a,a,b,1,0\ng2,a,b,b,1,0\n".encode()
    (tmp_path / "t.csv").write_bytes(data)
    head = f"guesstree-proof/1 priced {sha256(data).hexdigest()} t.csv identify - -"
    texts = [f"{head} {heavy + more} ." for more in (2, 3)]
    assert verdicts(program, fast, tmp_path, texts, slowly=True) == [True, False]


@pytest.mark.parametrize(
    ("game", "how"),
    [
        ("questions", []),
        ("questions", ["--objective", "worst"]),
        ("questions", ["--objective", "win-probability", "--budget", "9"]),
        ("hangman", []),
        ("hangman", ["--objective", "worst"]),
    ],
)
def test_certificates_that_the_engine_writes(
    program: str, fast: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str, how: list[str]
) -> None:
    """Sets are larger than those that are searched to the end: bounds have to be those of the others."""
    monkeypatch.chdir(tmp_path)
    chance = random.Random(5)
    words = sorted({"".join(chance.choice("abcde") for _ in range(4)) for _ in range(30)})
    (tmp_path / "words.txt").write_text("\n".join(words) + "\n")
    causes = range(24)
    rows = [["t", *(f"s{i}" for i in causes), "cost"]]
    rows += [["weight", *(str(chance.randint(1, 9)) for _ in causes), ""]]
    rows += [[f"g{g}", *(chance.choice("ab") for _ in causes), str(chance.randint(1, 4))] for g in range(10)]
    (tmp_path / "questions.csv").write_text("".join(",".join(row) + "\n" for row in rows))
    spec = "table:questions.csv" if game == "questions" else "hangman:words.txt"
    with pytest.raises(SystemExit, match=r"^0$"):
        main(["prove", spec, *how, "--out", "a.proof"])
    text = (tmp_path / "a.proof").read_text()
    assert judged(program, tmp_path, text) == [""]
    head, proof = text.split()[:8], text.split()[8:]
    bound = head[7].split(":")
    for i, part in enumerate(bound):
        if part.isdigit():
            higher = [*head[:7], ":".join([*bound[:i], str(int(part) + 1), *bound[i + 1 :]]), *proof]
            assert verdicts(program, fast, tmp_path, [" ".join(higher)]) == [False]
