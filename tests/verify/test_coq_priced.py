"""The checker of games with costs that is proved in Coq: no axioms, and the verdicts of the others."""

import os
import random
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from hashlib import sha256
from itertools import permutations
from math import inf
from pathlib import Path

import pytest
from attacks import PRICED_ATTACKS, some_priced_wrong
from certificates import cycles, mutated
from effort import seeds
from fast_checker import built, judged
from priced_tables import COLUMNS, PricedTiny, four, mirrored, some_priced
from proved_checker import COQ, proved, same_verdicts

from guesstree.cli import main

if "GUESSTREE_COQ" not in os.environ:
    pytest.skip("make coq runs it: apt-get install coq", allow_module_level=True)

verdicts = partial(same_verdicts, "priced")
ODD = ["inf", "(", ")", ".", "-", "-1", "1e9", "9" * 5000, "0" * 4096, "lost:1", "lost:1:2:3", "0", "01"]
RENAMED = [*ODD, "=", "/", ";", "( = 1 2 ; )", "1", "2", "3"]
Rows = list[list[str]]


@pytest.fixture(scope="module")
def program() -> str:
    """Return the proved checker."""
    return str(proved()[0])


@pytest.fixture(scope="module")
def fast() -> str:
    """Return the checker in C."""
    return built("-O2", name="priced")


def test_the_theorem_has_no_axioms() -> None:
    assert {*proved()[1].splitlines()} == {"Closed under the global context"}
    assert "Print Assumptions priced_sound." in (COQ / "PricedMain.v").read_text()
    assert len((COQ / "PricedGame.v").read_text().splitlines()) <= 160


@pytest.mark.parametrize("seed", seeds(4, 40))
def test_random_tables_true_and_false(program: str, fast: str, tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(6):
        game = some_priced(chance, only=True)
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
    game = some_priced(chance, only=True)
    while (true := game.cost(game.everything())) == inf or len(game.weights) < 3:
        game = some_priced(chance, only=True)
    proof = game.body(game.everything(), 0, chance, set())
    head = game.text(game.head(tmp_path, chance), true + 1, "").split()
    texts = [" ".join(head + mutated(proof, chance, ODD)) for _ in range(60)]
    assert not any(verdicts(program, fast, tmp_path, texts))


@pytest.mark.parametrize("seed", seeds(4, 60))
def test_renamings_serve_only_where_costs_weights_and_wins_are_kept(
    program: str, fast: str, tmp_path: Path, seed: int
) -> None:
    """A renaming that is one stands for lemmas of all guesses but one of each orbit; others are refused."""
    chance = random.Random(seed)
    for _ in range(4):
        game = mirrored(some_priced(chance, 5, 2, only=True), chance)
        game = game if chance.random() < 0.7 else some_priced(chance, 5, 3, only=True)
        head, everything = game.head(tmp_path, chance), game.everything()
        true = game.cost(everything)
        proof = game.body(everything, 0, chance, set(), renaming=True)
        assert verdicts(program, fast, tmp_path, [game.text(head, true, proof)]) == [True]
        if true < inf:
            lies = [game.body(everything, 0, chance, set(), part, renaming=True) for part in (0, 0.1)]
            lies += [" ".join(mutated(proof, chance, RENAMED)) for _ in range(10)]
            texts = [game.text(head, true + 1, proof) for proof in lies]
            assert not any(verdicts(program, fast, tmp_path, texts))
            verdicts(program, fast, tmp_path, [game.text(head, true, proof) for proof in lies])
        if game.free(everything) is None:
            others = [to for to in permutations(everything) if to != everything]
            others = chance.sample(others, min(15, len(others)))
            items = [f"( {cycles(COLUMNS, everything, to)} )" for to in others]
            fits = [game.images(everything, to) is not None for to in others]
            texts = [game.text(head, 0, item) for item in items]
            assert verdicts(program, fast, tmp_path, texts, slowly=True) == fits


@pytest.mark.parametrize("seed", seeds(2, 30))
def test_an_image_has_the_weights_the_costs_and_the_parts(
    program: str, fast: str, tmp_path: Path, seed: int
) -> None:
    """Where one weight, cost or cell is another, the renaming is refused, if it has to be."""
    chance = random.Random(seed)
    found = list[bool]()
    while True not in found or len(found) < 30:
        game = mirrored(some_priced(chance, 5, 2, only=True), chance)
        everything = game.everything()
        fitting = [to for to in permutations(everything) if game.images(everything, to) is not None]
        if len(fitting) < 2 or game.free(everything) is not None:
            continue
        item = cycles(COLUMNS, everything, chance.choice([to for to in fitting if to != everything]))
        texts = [game.text(game.head(tmp_path, chance), 0, f"( {item} )")]
        for _ in range(6):
            other, change = replace(game, found={}), chance.randrange(3)
            s, g = chance.randrange(len(everything)), chance.randrange(len(game.answers))
            if change == 0:
                other.weights = [w + (t == s) for t, w in enumerate(game.weights)]
            elif change == 1:
                answer = game.answers[g][s]
                other.price = [row | {answer: row[answer] + (h == g)} for h, row in enumerate(game.price)]
            else:
                other.answers = [[*row] for row in game.answers]
                row = other.answers[g]
                t = chance.randrange(len(row))
                row[s], row[t] = row[t], row[s]
            texts.append(other.text(other.head(tmp_path, chance), 0, f"( {item} )"))
        true, *others = verdicts(program, fast, tmp_path, texts, slowly=True)
        assert true
        found += others
    assert False in found


def test_of_candidates_neither_restriction_nor_what_is_free_helps(
    program: str, fast: str, tmp_path: Path
) -> None:
    """The free guess leaves a part that costs more than all; the first guess has to win on a secret (P7)."""
    game = four(only=True)
    head, all_free = (some.head(tmp_path, random.Random(1)) for some in (game, four()))
    texts = [game.text(head, value, body) for value in (24, 25) for body in (".", "( 1 3 30 . )")]
    texts += [game.text(all_free, 24, "."), game.text(head, 30, "( 1 3 30 . )")]
    texts += [game.text(head, 31, ".", "1"), game.text(head, 32, ".", "1"), game.text(all_free, 31, ".", "1")]
    assert verdicts(program, fast, tmp_path, texts, slowly=True) == [
        *[True, True, False, False, False, False, True, False, False],
    ]
    other = PricedTiny([*game.answers, [*"abcd"]], [*game.price, game.price[1]], [1] * 4, win=True)
    for only in (False, True):
        head = replace(other, only=only).head(tmp_path, random.Random(1))
        texts = [game.text(head, 0, ".", first) for first in ("5", "2")]
        assert verdicts(program, fast, tmp_path, texts, slowly=True) == [not only, True]


@pytest.mark.parametrize("seed", seeds(2, 30))
def test_attacks_are_judged_as_in_c(program: str, fast: str, tmp_path: Path, seed: int) -> None:
    """Wrong renamings, weights, costs; what holds of strategies that ask candidates only, claimed of all."""
    wrong = some_priced_wrong(tmp_path, random.Random(seed))
    texts = [text for attack in PRICED_ATTACKS for text in [attack(wrong) for _ in range(3)] if text]
    verdicts(program, fast, tmp_path, texts)


@pytest.mark.parametrize(
    "item",
    [
        "= ;",
        "= 1 ;",
        "= 1 2",
        "= 1 2 / ;",
        "= 1 1 ;",
        "= 1 2 / 2 3 ;",
        "= 1 9 ;",
        "= 0 1 ;",
        "= 1 2 1 ;",
        "= / ;",
    ],
)
def test_what_is_no_renaming_is_refused(program: str, fast: str, tmp_path: Path, item: str) -> None:
    game = PricedTiny([[*"aab"], [*"aba"], [*"baa"]], [dict.fromkeys("ab", 1)] * 3, [1, 1, 1], win=False)
    head = game.head(tmp_path, random.Random(1))
    texts = [game.text(head, 0, body) for body in ("( = 1 3 2 ; = 1 2 ; )", f"( {item} )", f"( {item} ) )")]
    assert verdicts(program, fast, tmp_path, texts) == [True, False, False]


def grid(rows: int, columns: int) -> Rows:
    """Return a table whose tests ask for a row, two rows or a column; one row weighs more."""
    secrets = [(i, j) for i in range(rows) for j in range(columns)]
    tests = [([i == s for s, _ in secrets], 3) for i in range(rows)]
    tests += [([j == s for _, s in secrets], 2) for j in range(columns)]
    tests += [([s in (i, k) for s, _ in secrets], 4) for i in range(rows) for k in range(i)]
    named = [f"s{i}" for i in range(len(secrets))]
    lines = [["t", *named, "cost"], ["weight", *["2"] * columns, *["1"] * (len(secrets) - columns), ""]]
    return lines + [
        [f"g{g}", *[["no", "yes"][is_in] for is_in in row], str(cost)] for g, (row, cost) in enumerate(tests)
    ]


def heavier(rows: Rows) -> None:
    """Let a secret weigh more than those that it is renamed to."""
    rows[1][-2] = "3"


def dearer(rows: Rows) -> None:
    """Let the test of a row cost more than that of the others."""
    rows[2 + 5][-1] = "4"


def swapped(rows: Rows) -> None:
    """Let two cells of a test change places."""
    rows[-1][1], rows[-1][-2] = rows[-1][-2], rows[-1][1]


@pytest.mark.parametrize("change", [heavier, dearer, swapped])
@pytest.mark.parametrize("how", [[], ["--objective", "win-probability", "--budget", "16"]])
def test_renamings_that_the_engine_writes(
    program: str,
    fast: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    how: list[str],
    change: Callable[[Rows], None],
) -> None:
    """They are accepted, and refused as soon as they do not keep a weight, a cost or a cell of the table."""
    monkeypatch.chdir(tmp_path)
    rows = grid(6, 4)
    (tmp_path / "grid.csv").write_text("".join(",".join(row) + "\n" for row in rows))
    with pytest.raises(SystemExit, match=r"^0$"):
        main(["prove", "table:grid.csv", *how, "--out", "a.proof"])
    text = (tmp_path / "a.proof").read_text()
    assert "=" in text
    words = text.split()
    change(rows)
    data = "".join(",".join(row) + "\n" for row in rows).encode()
    (tmp_path / "other.csv").write_bytes(data)
    other = " ".join([*words[:2], sha256(data).hexdigest(), "other.csv", *words[4:]])
    item = words[words.index("=") : words.index(";") + 1]
    wrong = text.replace(f"= {item[1]} {item[2]} ", f"= {item[2]} {item[1]} ", 1)
    assert wrong != text
    texts = [text, other, wrong]
    assert verdicts(program, fast, tmp_path, texts)[:2] == [True, False]


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
