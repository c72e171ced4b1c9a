"""Certificates of symmetric tables: with renamings of secrets they are shorter, and never say too much."""

import random
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from certificates import mutated
from effort import seeds
from fast_checker import built, judged
from slow_checker import both

from guesstree.engine.errors import GuesstreeError
from guesstree.engine.objective import parse_objective
from guesstree.engine.problem import Problem
from guesstree.engine.proofs.items import inside, items_of
from guesstree.engine.proofs.prover import writer_of
from guesstree.engine.proofs.statement import Goal, statement_of
from guesstree.engine.proofs.writer import Proof
from guesstree.engine.registry import parse
from guesstree.engine.search.solve import solve
from guesstree.engine.search.space import Resources
from guesstree.engine.tables.table import TableGame

ODD = [*"()./!=;", "( = 1 2 ; )", "inf", "0", "1", "2", "3", "9" * 30]


@pytest.fixture(scope="module")
def checkers() -> dict[str, str]:
    """Build the checkers as their README says."""
    return {name: built("-O3", name=name) for name in ("verify", "lies")}


def group(n: int, chance: random.Random) -> Iterator[list[int]]:
    """Yield permutations of n secrets: blocks that turn or change places."""
    width = chance.choice([size for size in range(1, n + 1) if n % size == 0])
    yield [s - s % width + (s + 1) % width for s in range(n)]
    yield [(s + width) % n for s in range(n)]
    if chance.random() < 0.5:
        yield [n - 1 - s for s in range(n)]


def symmetric(chance: random.Random, *, win: bool) -> TableGame:
    """Return a table whose guesses are the images of a few, with responses of other names."""
    n = chance.randint(4, 9)
    moves = list(group(n, chance))
    rows = [[chance.choice("abc") for _ in range(n)] for _ in range(chance.randint(1, 2))]
    rows = rows[: chance.randint(0, 2)] if win else rows
    labels = [f"g{i}" for i in range(len(rows))]
    if win:  # each pair of a guess and a secret has the response of all its images
        kind = {(s, t): chance.choice("abc") for s in range(n) for t in range(n)}
        for _ in range(n * n):
            for to in moves:
                kind |= {(to[s], to[t]): min(kind[s, t], kind[to[s], to[t]]) for s, t in kind}
        rows = [["win" if s == t else kind[s, t] for t in range(n)] for s in range(n)] + rows
        labels = [f"s{s}" for s in range(n)] + labels
    shown = {tuple(map(row.index, row)) for row in rows}
    for row in rows:
        for to in moves if len(rows) < 40 and "win" not in row else []:
            image = [row[s] for s in to]
            if tuple(map(image.index, image)) not in shown:
                shown.add(tuple(map(image.index, image)))
                names = dict(zip("abc", chance.sample("abc", 3), strict=True))
                rows.append([names[cell] for cell in image])
                labels.append(f"g{len(labels)}")
    order = chance.sample(range(n), n)
    rows = [[row[s] for s in order] for row in rows]
    return TableGame("table:some", labels, [f"s{s}" for s in order], rows, "win" if win else None)


def proof_of(game: TableGame, lies: int, within: int | None, bound: Goal, **how: str) -> tuple[str, Proof]:
    """Return a certificate up to its bound, and the proof."""
    problem = Problem(game, parse_objective("expected"), **how)  # type: ignore[arg-type]
    writer = writer_of(problem, lies, Resources.of(problem, 1, 1 << 26, lies), {})
    statement = statement_of(problem, lies)
    limit = "-" if within is None else within
    return f"guesstree-proof/1 {statement.game.words} {statement.goal} - {limit}", writer.root(within, bound)


@pytest.mark.parametrize("seed", seeds(12, 200))
def test_random_symmetric_tables(checkers: dict[str, str], tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    game = symmetric(chance, win=(win := chance.random() < 0.4))
    goal = "win" if win else "identify"
    lies = chance.choice([0, 0, 1])
    try:
        found = {
            name: solve(game, name, goal=goal, lies=lies).lower[0]
            for name in ("worst", "expected")[: 2 - lies]
        }
    except GuesstreeError:
        return  # some secrets cannot be told apart
    for name, data in statement_of(Problem(game, parse_objective("expected"), goal=goal)).game.files.items():
        (tmp_path / name).write_bytes(data)
    kind = "lies" if lies else "verify"
    claims: list[tuple[int | None, Goal]] = [(found["worst"] - 1, None)] if found["worst"] > 1 else []
    claims += [] if lies else [(None, found["expected"])]
    for within, bound in claims:
        head, proof = proof_of(game, lies, within, bound, goal=goal)
        said = "inf" if bound is None else str(bound)
        assert both(checkers[kind], tmp_path, f"{head} {said} {proof.body}", kind) == ""
        if proof.body != "." and not lies:  # as ledgers read it
            read = [item for item in items_of(inside(proof.body)) if item.words[0] == "="]
            assert [item.words[-1] for item in read] == [";"] * proof.body.count("=")
        false = head.replace(f" - {within}", f" - {found['worst']}") if bound is None else head
        more = said if bound is None else str(bound + 1)  # type: ignore[operator]
        for _ in range(10):
            spoiled = " ".join(mutated(proof.body, chance, ODD))
            assert both(checkers[kind], tmp_path, f"{false} {more} {spoiled}", kind)


def spoiled(body: str, chance: random.Random, secrets: int) -> str:
    """Return a proof with another permutation in one of its renamings, or something that is none."""
    tokens = body.split()
    at = chance.choice([i for i, token in enumerate(tokens) if token == "="]) + 1
    end = tokens.index(";", at)
    item = tokens[at:end]
    i, j = (chance.randrange(len(item)) for _ in range(2))
    change = chance.randrange(5)
    if change == 0:
        item[i], item[j] = item[j], item[i]
    elif change == 1:
        item[i] = chance.choice(
            ["0", "-1", str(secrets + 1), "9" * 30, str(2**32 + 1), "01", "/", "=", "inf"]
        )
    elif change == 2:
        item.insert(i, item[j])
    elif change == 3:
        item = list(map(str, chance.sample(range(1, secrets + 1), chance.randint(2, secrets))))
    else:  # it stands elsewhere
        renaming = tokens[at - 1 : end + 1]
        tokens[at - 1 : end + 1] = []
        at = end = chance.choice([i for i, token in enumerate(tokens) if token == "("] or [0]) + 1
        item = renaming
    tokens[at:end] = item
    return " ".join(tokens)


@pytest.mark.parametrize("seed", seeds(8, 300))
def test_a_proof_of_another_game_is_accepted_only_where_it_is_true(
    checkers: dict[str, str], tmp_path: Path, seed: int
) -> None:
    """A cell is changed, or a renaming: it is refused, or the bound is true all the same."""
    chance = random.Random(seed)
    game = symmetric(chance, win=(win := chance.random() < 0.3))
    options: dict[str, Any] = {"goal": "win" if win else "identify"}
    lies = int(len(game.secrets) < 7 and chance.random() < 0.3)
    name = "worst" if lies else "expected"
    kind = "lies" if lies else "verify"
    try:
        bound = solve(game, name, lies=lies, **options).lower[0]
        claim: tuple[int | None, Goal] = (bound - 1, None) if lies else (None, bound)
        body = proof_of(game, lies, *claim, **options)[1].body
    except GuesstreeError:
        return  # some secrets cannot be told apart
    for _ in range(6):
        cells = [[game.responses[cell] for cell in row] for row in game.table().tolist()]
        row, s = chance.choice(cells), chance.randrange(len(game.secrets))
        if chance.random() < 0.7 and row[s] != "win":
            row[s] = chance.choice("abc")
        other = TableGame("table:other", game.guesses, game.secrets, cells, "win" if win else None)
        proof = spoiled(body, chance, len(row)) if "=" in body and chance.random() < 0.7 else body
        statement = statement_of(Problem(other, parse_objective(name), **options), lies)
        for file, data in statement.game.files.items():
            (tmp_path / file).write_bytes(data)
        limit = "-" if claim[0] is None else claim[0]
        head = f"guesstree-proof/1 {statement.game.words} {statement.goal} - {limit}"
        said = "inf" if claim[1] is None else claim[1]
        if both(checkers[kind], tmp_path, f"{head} {said} {proof}", kind) == "":
            with suppress(GuesstreeError):  # there is no strategy, and every bound is true
                assert solve(other, name, lies=lies, symmetry=False, **options).upper[0] >= bound


@pytest.mark.parametrize(
    ("spec", "goal", "lies", "objective", "lemmas"),
    [
        ("coins:5", "identify", 0, "expected", (10, 62)),
        ("coins:4", "identify", 1, "worst", (54, 136)),
    ],
)
def test_renamings_stand_for_most_lemmas(
    checkers: dict[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    spec: str,
    goal: str,
    lies: int,
    objective: str,
    lemmas: tuple[int, int],
) -> None:
    game = parse(spec)
    bound = solve(game, objective, goal=goal, lies=lies).lower[0]
    claim = (None, bound) if objective == "expected" else (bound - 1, None)
    head, proof = proof_of(game, lies, *claim, goal=goal)  # type: ignore[arg-type]
    for name, data in statement_of(Problem(game, parse_objective("expected"), goal=goal)).game.files.items():
        (tmp_path / name).write_bytes(data)
    said = bound if objective == "expected" else "inf"
    assert judged(checkers["lies" if lies else "verify"], tmp_path, f"{head} {said} {proof.body}") == [""]
    monkeypatch.setattr("guesstree.engine.proofs.writer.set_renamings", lambda *_: [])
    plain = proof_of(game, lies, *claim, goal=goal)[1]  # type: ignore[arg-type]
    assert (proof.lemmas, plain.lemmas) == lemmas
