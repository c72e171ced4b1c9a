"""What a strategy file claims: what is false is found, what no replay can tell is said to be claimed."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from guesstree import cli
from guesstree.api.solution import solve
from guesstree.api.strategy import Strategy
from guesstree.engine import game_source
from guesstree.engine.registry import parse
from guesstree.trees.export import files
from guesstree.trees.tree import TreeError

Change = Callable[[dict[str, Any]], object]
LAMP = "test,bulb,fuse\nx,on,off\n"
"""A table whose strategy asks one test."""
DEAD = {
    "format": "guesstree/1",
    "game": "table:lamp.csv",
    "goal": "identify",
    "table": {"secrets": ["a", "b"], "guesses": ["x", "y"], "responses": [["+", "-"], ["0", "1"]]},
    "nodes": [
        {"guess": "x", "children": {"+": 1, "-": 2}},
        {"secret": "a"},
        {"guess": "y", "children": {"0": 3, "1": 4}},
        {"secret": "a"},
        {"secret": "b"},
    ],
}
"""Two causes; below x and -, no secret answers 0, where a leaf names one all the same."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """Return the status of a command, and what it printed."""
    with pytest.raises(SystemExit) as exited:
        cli.main(list(words))
    printed = capsys.readouterr()
    return int(exited.value.code or 0), printed.out, printed.err


@pytest.mark.usefixtures("folder")
def test_figures_are_those_of_the_replay_where_a_dead_branch_ends_in_a_name(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("dead.json").write_text(json.dumps(DEAD))
    assert run(capsys, "check", "dead.json") == (
        0,
        "dead.json: table:lamp.csv, goal identify: valid\n"
        "  checked against the table inside the file\n"
        "  1 dead branch, which no secret takes and no figure counts ('x' '-', 'y' '0')\n"
        "  total 3 over 2 causes, worst case 2\n"
        "  tests    1  2\n"
        "  causes   1  1\n",
        "",
    )
    told = json.loads(run(capsys, "check", "dead.json", "--json")[1])
    assert (told["valid"], told["total"], told["secrets"]) == (True, 3, 2)
    assert told["dead"] == {"branches": 1, "first": [["x", "-"], ["y", "0"]]}
    strategy = Strategy.read("dead.json")
    assert list(strategy.to_frame()["secret"]) == ["a", "b"]
    assert strategy.text().splitlines()[2:] == [
        "2 causes · total 3 · average 1.5000 · worst 2",
        "Causes by tests needed:  1: 1   2: 1",
        "x  (2 causes)",
        "├─ +  a",
        "└─ -  y  (1 cause)",
        "   └─ 1  b",
    ]
    assert repr(strategy) == "Strategy(table:lamp.csv, identify, 2 causes, 4 nodes, at most 2 tests)"
    strategy.write("again.json")
    status, out, _ = run(capsys, "check", "again.json")
    assert status == 0 and "total 3 over 2 causes" in out and "dead" not in out


def test_dead_branches_are_left_out_where_responses_may_be_false(folder: Path) -> None:
    """After two lies told, nobody is left below the response that would be a third."""
    game = parse("mastermind:2x2")
    tree = solve(game, objective="worst", lies=1).strategy
    document = files.as_document(game, tree)
    claimed, nodes = document["summary"], document["nodes"]
    leaf = next(i for i, node in enumerate(nodes) if "children" not in node)
    nodes[leaf]["children"] = {"0,0": len(nodes)}
    nodes.append({"guess": "11"})
    path = folder / "lies.json"
    path.write_text(json.dumps(document))
    again = Strategy.read(path)
    report = again.check()
    assert report.valid and report.dead == 1 and len(again) == len(tree)
    assert again.claims.summary == claimed


def test_dead_branches_are_left_out_where_tests_split_weights(folder: Path) -> None:
    document = json.loads(json.dumps(DEAD))
    document["table"]["sets"] = True
    document["nodes"][3] = {"secret": "b"}
    (folder / "split.json").write_text(json.dumps(document))
    strategy = Strategy.read(folder / "split.json")
    report = strategy.check()
    assert (report.valid, report.total, report.dead, len(strategy)) == (True, 3, 1, 4)


def test_a_long_tree_with_many_dead_branches_is_read_in_seconds(folder: Path) -> None:
    """A test asked again and again, each time with a branch that nobody takes."""
    deep = 4000
    nodes: list[dict[str, Any]] = []
    for i in range(deep):
        nodes += [{"guess": "x", "children": {"+": 2 * i + 2, "-": 2 * i + 1}}, {"secret": "b"}]
    nodes.append({"secret": "a"})
    (folder / "tree.json").write_text(json.dumps(DEAD | {"nodes": nodes}))
    report = Strategy.read(folder / "tree.json").check()
    assert report.valid and (report.dead, report.worst) == (deep - 1, deep)
    assert report.first_dead == (("x", "+"), ("x", "-"))


def test_a_branch_that_is_missing_is_named_though_others_are_dead(folder: Path) -> None:
    document = json.loads(json.dumps(DEAD))
    del document["nodes"][2]["children"]["1"]
    document["nodes"].pop()
    (folder / "tree.json").write_text(json.dumps(document))
    report = Strategy.read(folder / "tree.json").check()
    assert report.failures[0].kind == "missing branch" and report.dead == 1


def put(part: str, key: str, value: object) -> Change:
    """Return a change of a key of a part of a document."""
    return lambda document: (document.setdefault(part, {}) if part else document).__setitem__(key, value)


FALSE = {
    "first guess": (put("parameters", "first", "22"), "say first 22, the tree asks '12' first"),
    "first of no kind": (put("parameters", "first", [1]), "say first [1], the tree asks '12' first"),
    "depth": (put("parameters", "max_depth", 2), "say max_depth 2, the tree needs 3"),
    "no depth": (put("parameters", "max_depth", True), "say max_depth true; expected an integer, 0 or more"),
    "no choice": (put("parameters", "candidates_only", 1), "candidates_only 1; expected true or false"),
    "budget": (put("parameters", "budget", "7"), "say budget 7; expected an integer, 0 or more"),
    "no budget": (put("", "objective", "win-probability"), "but parameters say no budget"),
    "leaves": (put("parameters", "max_leaves", 1), "max_leaves 1, which means nothing where each leaf names"),
    "samples": (put("parameters", "min_samples", 9), "min_samples 9, which means nothing where each leaf"),
    "leaf price": (put("parameters", "leaf_price", "1/2"), "leaf_price 1/2, which means nothing where each"),
    "no objective": (put("", "objective", ""), "bounds say lower 21, of no objective"),
    "parts of a bound": (put("bounds", "lower", [21, 1]), "say lower 21,1; expected 1 of them: total"),
    "lower": (put("bounds", "lower", 22), "bounds say lower 22, above upper 21"),
    "upper": (put("bounds", "upper", 22), "bounds say upper 22, the tree has 21"),
    "total": (put("summary", "total", 22), "summary says total 22, the tree has 21"),
    "costs": (put("summary", "costs", {"total": 21}), "summary says costs {'total': 21}, the tree has none"),
}


def document_to_win() -> dict[str, Any]:
    """Return a strategy as plain data that asks what is no candidate; its claims are true."""
    game = parse("mastermind:2x3")
    document = files.as_document(game, solve(game, first="12").strategy)
    assert document["summary"]["total"] == 21
    return document


@pytest.mark.parametrize("name", FALSE)
def test_a_false_claim_is_found(name: str, folder: Path) -> None:
    change, message = FALSE[name]
    document = document_to_win()
    path = folder / "tree.json"
    path.write_text(json.dumps(document))
    assert Strategy.read(path).check().valid
    change(document)
    path.write_text(json.dumps(document))
    report = Strategy.read(path).check()
    assert not report.valid and not report.failures
    assert any(message in lie for lie in report.lies), report.lies


def test_a_true_claim_may_be_written_in_another_way(folder: Path) -> None:
    document = document_to_win()
    document["summary"] |= {"exact": "42/18", "total": "42/2"}
    document["parameters"] |= {"max_depth": 3, "candidates_only": False}
    (folder / "tree.json").write_text(json.dumps(document))
    assert Strategy.read(folder / "tree.json").check().lies == ()


def test_only_candidates_are_asked_where_a_file_says_so(folder: Path) -> None:
    text = json.dumps(DEAD | {"parameters": {"candidates_only": True}})
    (folder / "tree.json").write_text(text)
    assert Strategy.read(folder / "tree.json").check().lies == (
        "parameters say candidates_only, the tree asks 'x', which is none",
    )
    (folder / "tree.json").write_text(text.replace('"x"', '"a"').replace('"y"', '"b"'))
    assert Strategy.read(folder / "tree.json").check().valid


def test_costs_that_a_tree_does_not_have_are_false(folder: Path) -> None:
    document = json.loads(json.dumps(DEAD))
    document["table"]["weights"] = [2, 1]
    document["summary"] = {"costs": {"total": 4, "budget": 9, "median": 1}}
    path = folder / "tree.json"
    path.write_text(json.dumps(document))
    report = Strategy.read(path).check()
    assert report.lies == ("summary says costs budget 9, the tree has none",)
    assert report.unchecked == ("median 1",)


def test_an_unknown_objective_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "tree.json").write_text(json.dumps(document_to_win() | {"objective": "median"}))
    message = (
        "'tree.json': objective is \"median\"; expected one of expected; worst; worst,expected; "
        "expected,worst; win-probability"
    )
    assert run(capsys, "check", "tree.json") == (2, "", f"guesstree: {message}\n")
    with pytest.raises(TreeError, match="objective"):
        Strategy.read("tree.json")


def test_what_no_replay_can_tell_is_said_to_be_claimed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = document_to_win()
    document["parameters"]["seed"] = 7
    document["summary"]["median\n"] = "x" * 100
    (folder / "tree.json").write_text(json.dumps(document))
    line = f'claimed, not checked: method exact, lower bound 21, seed 7, "median\\n" {"x" * 57}...'
    assert f"  {line}\n" in run(capsys, "check", "tree.json")[1]
    told = json.loads(run(capsys, "check", "tree.json", "--json")[1])
    assert told["unchecked"][:2] == ["method exact", "lower bound 21"] and told["valid"]


def test_the_hash_of_another_table_is_a_false_claim(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game_source, "MOST_CELLS", 1)
    (folder / "lamp.csv").write_text(LAMP)
    solve("table:lamp.csv").strategy.write("lamp.json")
    assert run(capsys, "check", "lamp.json")[0] == 0
    (folder / "lamp.csv").write_text(LAMP + "y,1,2\n")
    status, out, _ = run(capsys, "check", "lamp.json")
    assert status == 1 and "  table: 'lamp.csv' is not the table that the strategy was made for\n" in out
    assert run(capsys, "check", "lamp.json", "--game", "table:lamp.csv")[0] == 0, "as was asked for"


def test_who_says_that_a_strategy_is_optimal_is_said(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "lamp.csv").write_text(LAMP)
    status, out, _ = run(capsys, "solve", "table:lamp.csv", "--out", "lamp.json", "--render", "solved.dot")
    assert status == 0 and "proven optimal" in out
    solved = (folder / "solved.dot").read_text()
    assert "proven: no order needs fewer tests on average" in solved and "the file says" not in solved
    said = "the file says: no order needs fewer tests on average"
    for name in ("lamp.dot", "lamp.html", "-"):
        status, out, _ = run(capsys, "render", "lamp.json", name)
        text = out if name == "-" else (folder / name).read_text()
        assert status == 0 and said in text, name
    for name in ("key.txt", "key.md", "key.html"):
        assert run(capsys, "render", "lamp.json", name, "--key")[0] == 0
        assert said in " ".join((folder / name).read_text().split())


def test_a_leaf_names_several_secrets_only_where_a_table_lets_it(folder: Path) -> None:
    """Even in a dead branch: it is no leaf of this game."""
    document = json.loads(json.dumps(DEAD))
    document["nodes"][3] = {"secrets": ["a", "b"]}
    (folder / "tree.json").write_text(json.dumps(document))
    with pytest.raises(
        TreeError, match=r"nodes\[3\]\.secrets: each guess of table:lamp\.csv has one response"
    ):
        Strategy.read(folder / "tree.json")
