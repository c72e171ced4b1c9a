"""Trees of tests that may get several answers: what they cost, and what the checker makes of them."""

import json
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from models import ModelGame
from random_models import noisy_game, random_rows
from strategies import best_strategy, judged, random_model

from guesstree.api.strategy import Strategy, strategy_of
from guesstree.engine.errors import GameError, Infeasible
from guesstree.engine.game import Game
from guesstree.engine.noisy import oracle
from guesstree.engine.search.bounds import bounds
from guesstree.engine.search.solve import solve
from guesstree.engine.tables.from_data import table
from guesstree.trees.check import check
from guesstree.trees.export import files
from guesstree.trees.figures import figures_of
from guesstree.trees.outline import outline
from guesstree.trees.tree import Claims, TreeError

HOLLY = ["test,holly,oak,beech", "thorns,y/n,n,n", "lobed,n,y,n"]
EVERGREEN = [*HOLLY, "evergreen,y,n,n"]
DEAR = ["test,A,B,C,D,cost", "t1,x,x/y,y,y,1", "t2,x,y,x/y/z,z,1", "t3,y,x,y,x,2", "weight,4,2,1,1,"]


def test_every_strategy_is_worth_what_the_oracle_says() -> None:
    """The search, the figures of the tree and the checker, which replays every answer, agree with it."""
    for seed in range(120):
        dice = random.Random(seed)
        game: Game = noisy_game(random_rows(dice), dice.choice(["clique", "clique", ""]))
        if seed % 2:
            game = ModelGame(random_model(dice))
        assert game.model is not None
        expected, worst = oracle.expected(game.model), oracle.worst(game.model)
        for objective, value in (("expected", expected), ("worst", worst)):
            if game.model.failures and objective == "expected":
                continue  # nobody says how likely it is that a test fails to answer
            if value is None:
                with pytest.raises(GameError, match="may get the same answer to every test"):
                    solve(game, objective)
                continue
            solution = solve(game, objective)
            tree = strategy_of(solution)
            report, costs = check(game, tree), figures_of(tree).costs
            assert report.valid and report.costs == costs and solution.optimal, (seed, report.messages())
            assert figures_of(tree).compared.value(objective) == solution.upper
            whole = sum(game.model.weights)
            assert solution.upper == ((value * whole if objective == "expected" else value),), seed
            assert outline(game, tree).steps[0].weight == whole


@pytest.mark.long
def test_pairs_of_objectives() -> None:
    """The least expected cost within the least worst case; the least worst case at that expected cost."""
    differ = 0
    for seed in (*range(100, 190), 21272):  # the last: a test that is too dear at first is best below
        game = noisy_game(random_rows(random.Random(seed)), "clique")
        assert game.model is not None
        expected, worst = oracle.expected(game.model), oracle.worst(game.model)
        assert expected is not None and worst is not None
        within = oracle.expected(game.model, worst)
        most = next(m for m in count(int(worst)) if oracle.expected(game.model, m) == expected)
        for objective, value in (("worst,expected", (worst, within)), ("expected,worst", (most, expected))):
            tree = strategy_of(solve(game, objective))
            report = check(game, tree)
            assert report.valid and tree.claims.proven
            most, mean = figures_of(tree).compared.value("worst,expected") or (0, 0)
            assert (most, Fraction(mean) / sum(game.model.weights)) == value, (seed, objective)
        differ += within != expected
    assert differ > 1


def test_a_search_that_ends_early_has_a_valid_strategy_and_true_bounds() -> None:
    dice = random.Random(5)
    answers = ["x", "y", "z", "x/y", "y/z", "x/z", ""]
    cells = [[dice.choice(answers) for _ in range(30)] for _ in range(30)]
    game = noisy_game(
        [
            ",".join(["test", *(f"c{i}" for i in range(30))]),
            *(f"t{i}," + ",".join(row) for i, row in enumerate(cells)),
        ],
        "clique",
    )
    early = bounds(game, time_limit=0.5)
    beam = solve(game, width=1)
    assert early.stopped == "time" and early.lower < early.upper
    assert beam.lower <= early.lower and early.rows[0].how == "counting"
    for found in (early, beam):
        report = check(game, strategy_of(found))
        assert report.valid and report.total == found.upper[0]
    with pytest.raises(Infeasible, match=r"allow more time|was found before"):
        solve(game, time_limit=1e-6)


def test_a_cause_may_end_in_several_leaves_and_a_leaf_may_name_several_causes() -> None:
    game = noisy_game(HOLLY, "clique")
    tree = strategy_of(solve(game))
    assert [tree.named(node) for node in range(len(tree))] == [(), (1,), (0, 2)]
    assert tree.secrets_below().tolist() == [3, 1, 2]
    assert [step.weight for step in outline(game, tree).steps] == [3, 1, 2]
    assert [step.names for step in outline(game, tree).steps[1:]] == [("oak",), ("holly", "beech")]
    assert tree.text().splitlines()[-2:] == ["├─ y  oak", "└─ n  holly or beech"]
    assert sorted(strategy_of(solve(noisy_game(DEAR))).ends[1].tolist()) == [0, 1, 2, 2, 2, 3]


@pytest.mark.parametrize(
    ("also", "message"),
    [
        ({3: (0,)}, "node 3 names several secrets; expected a leaf"),
        ({-1: (0,)}, "node -1 names several secrets; expected a leaf"),
        ({0: (0,)}, "node 0 names several secrets; expected a leaf"),
        ({1: (3,)}, "a leaf names what is no secret"),
        ({2: (2, 0)}, "a leaf names a secret twice"),
    ],
)
def test_leaves_that_name_several_secrets_are_leaves(also: dict[int, tuple[int, ...]], message: str) -> None:
    game = noisy_game(HOLLY, "clique")
    tree = replace(strategy_of(solve(game)), also=also)
    assert [failure.message for failure in check(game, tree).failures] == [f"malformed tree: {message}"]


def test_what_a_reader_is_told() -> None:
    strategy = strategy_of(solve(noisy_game(DEAR)))
    assert strategy.claims.upper == (Fraction(59, 3),)
    assert strategy.text().splitlines()[6:9] == [
        "├─ x  t1  (cost 1, 2 causes, 54.2 %)",
        "│  ├─ x  A  (50 %)",
        "│  └─ y  C  (4.17 %)",
    ]
    assert repr(strategy.claims) == "Claims(expected, exact, 59/3 proven)"
    nobody = replace(strategy, response=(strategy.response + 1) % 3)  # answers that no secret gives
    assert not nobody.check().valid and nobody.text()
    frame = strategy.to_frame()
    assert frame["weight"].sum() == pytest.approx(8)
    assert (frame["weight"] * frame["cost"]).sum() == pytest.approx(59 / 3)


def test_data_may_have_sets() -> None:
    rows = {"thorns": {"holly": "y/n", "oak": "n", "beech": "n"}, "lobed": ["n", "y", "n"]}
    given = table(rows, secrets=["holly", "oak", "beech"], cells="sets", ambiguous="clique")
    assert given.content == noisy_game(HOLLY, "clique").content
    with pytest.raises(GameError, match="a set of answers, or one answer; add cells='sets'"):
        table(rows, secrets=["holly", "oak", "beech"])
    with pytest.raises(GameError, match="ambiguous=clique; expected it with cells=sets"):
        table(rows, secrets=["holly", "oak", "beech"], cells="labels", ambiguous="clique")


def test_a_file_holds_the_table_with_its_sets(tmp_path: Path) -> None:
    for rows, ambiguous in ((HOLLY, "clique"), (DEAR, "")):
        strategy = strategy_of(solve(noisy_game(rows, ambiguous)))
        path = tmp_path / "tree.json"
        strategy.write(path)
        again = Strategy.read(path)
        assert again.game.content == strategy.game.content  # type: ignore[attr-defined]
        assert again.check().valid and again.claims.upper == strategy.claims.upper
        again.write(tmp_path / "again.json")
        assert path.read_bytes() == (tmp_path / "again.json").read_bytes()


def put(change: Callable[[dict[str, Any]], object], rows: list[str], ambiguous: str, where: Path) -> Strategy:
    """Return the strategy of a file that was changed."""
    strategy_of(solve(noisy_game(rows, ambiguous))).write(where)
    document = json.loads(where.read_text())
    change(document)
    where.write_text(json.dumps(document))
    return Strategy.read(where)


@pytest.mark.parametrize(
    ("change", "rows", "ambiguous", "message"),
    [
        (lambda d: d["nodes"][1].update(secret="beech"), EVERGREEN, "", "the leaf names 'beech'"),
        (lambda d: d["nodes"][0].update(guess="thorns"), HOLLY, "clique", "the leaf names 'holly or beech'"),
        (lambda d: d["nodes"][2].update(secrets=["oak", "beech"]), HOLLY, "clique", "names 'oak or beech'"),
        (
            lambda d: d["nodes"][2].update(secrets=["holly", "beech", "beech"]),
            HOLLY,
            "clique",
            "a leaf names a secret twice",
        ),
        (
            lambda d: d["nodes"][2].update(secrets=["holly", "oak", "beech"]),
            HOLLY,
            "clique",
            "the leaf names 'holly' and 'oak', which 'lobed' tells apart",
        ),
        (lambda d: d["table"].pop("ambiguous"), HOLLY, "clique", "'holly' and 'beech'; expected one"),
        (
            lambda d: d["table"]["responses"].pop() and d["table"]["responses"].append(["y", "n", "n"]),
            HOLLY,
            "clique",
            "the leaf names",
        ),
        (lambda d: d["bounds"].update(lower=30), DEAR, "", "bounds say lower 30, above upper 59/3"),
        (lambda d: d["bounds"].update(upper="60/3"), DEAR, "", "bounds say upper 20, the tree has 59/3"),
        (lambda d: d["summary"]["costs"].update(total=20), DEAR, "", "costs total 20, the tree has '59/3'"),
        (lambda d: d["summary"]["costs"].update(worst=2), DEAR, "", "costs worst 2, the tree has 3"),
    ],
)
def test_wrong_trees_and_claims_are_found(
    change: Callable[[dict[str, Any]], object], rows: list[str], ambiguous: str, message: str, tmp_path: Path
) -> None:
    report = put(change, rows, ambiguous, tmp_path / "tree.json").check()
    assert not report.valid and any(message in text for text in report.messages()), report.messages()


def test_a_test_is_not_asked_again() -> None:
    game = noisy_game(["test,a,b", "t1,x/y,x/y", "t2,x,y"])
    tree = strategy_of(solve(game))
    # t1, below x t1 again, below that t2; below y t2: three tests at most, no answer left out.
    nodes = [(0, -1, -1, 0), (0, 0, 0, 1), (1, 0, 1, 1), (1, 1, 0, 2), (-1, 2, 0, 2), (-1, 2, 1, 2)]
    nodes += [(-1, 3, 0, 3), (-1, 3, 1, 3)]
    guess, parent, response, depth = zip(*nodes, strict=True)
    columns = (guess, parent, response, depth, (1, 3, 4, 6, 8, 8, 8, 8, 8), (-1, -1, -1, -1, 0, 1, 0, 1))
    arrays = [np.array(column, dtype=np.int32) for column in columns]
    asked = replace(
        tree,
        guess=arrays[0],
        parent=arrays[1],
        response=arrays[2],
        depth=arrays[3],
        first_child=arrays[4],
        secret=arrays[5],
        claims=Claims(),
    )
    assert check(game, asked).failures[0].message == (
        "cause 'a': guess number 2, 't1', is not allowed: it was asked before (path: 't1' 'x')"
    )


def spoil(dice: random.Random, nodes: list[dict[str, Any]], game: Game) -> None:
    """Change something of the nodes of a strategy file: a question, an answer, a leaf, or where it leads."""
    node = dice.choice(nodes)
    leaf: dict[str, Any] = dice.choice(
        [{"secret": c} for c in game.secrets] + [{"secrets": [*game.secrets[:2]]}, {"over": True}]
    )
    if "guess" in node:
        ways = node["children"]
        one, other = (dice.choice([*ways]) for _ in range(2))
        match dice.randrange(4):
            case 0:
                node["guess"] = dice.choice(game.guesses)
            case 1:
                ways[one], ways[other] = ways[other], ways[one]
            case 2:
                ways[dice.choice(game.responses)] = ways.pop(one)
            case 3:  # a copy of another node in its place
                nodes[ways[one]] = dict(dice.choice(nodes))
        return
    node.clear()
    decides = game.decisions and dice.random() < 0.5
    node |= {"decide": dice.choice(game.decisions)} if decides else leaf


def test_what_is_changed_in_a_tree_is_found_by_the_checker(tmp_path: Path) -> None:
    """It accepts a changed file where a plain recursion finds it valid, with the figures that it claims."""
    path, counts = tmp_path / "tree.json", Counter[str]()
    for seed in range(400):
        dice = random.Random(seed)
        strategy = best_strategy(random_model(dice), dice.choice(["expected", "worst"]))
        if strategy is None:
            continue
        game = strategy.game
        document = files.as_document(game, strategy)
        claimed = judged(game, document["nodes"])
        assert claimed is not None and strategy.check().valid
        spoil(dice, document["nodes"], game)
        path.write_text(json.dumps(document))
        truth = judged(game, document["nodes"])
        try:
            report = check(*files.read(path, game))
        except TreeError as error:
            assert truth is None and "\n" not in str(error), seed
            counts["refused"] += 1
            continue
        assert (report.valid and not report.dead) == (truth == claimed), (seed, report.messages())
        counts["valid" if report.valid else "invalid" if report.failures else "claims"] += 1
    assert min(counts[kind] for kind in ("refused", "valid", "invalid", "claims")) > 5, counts
