"""The checker: valid trees pass, and every kind of corruption is told apart, at reading or at checking."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from guesstree.api.solution import solve
from guesstree.cli import main
from guesstree.engine.game import Game
from guesstree.engine.registry import parse
from guesstree.engine.tables.table import TableGame
from guesstree.present import reports
from guesstree.trees import figures
from guesstree.trees.check import Report, check
from guesstree.trees.export import files
from guesstree.trees.figures import figures_of
from guesstree.trees.tree import Claims, Tree, TreeError, build

Document = dict[str, Any]


def first_candidate(candidates: np.ndarray) -> int:
    return int(candidates[0])


# Three games whose documents are corrupted below.

CELLS = [["+", "-", "-"], ["+", "+", "-"], ["0", "0", "0"]]
TESTS = TableGame("table:tests", ["x", "y", "z"], ["a", "b", "c"], CELLS)
GAMES: dict[str, tuple[Game, str]] = {
    "win": (parse("mastermind:3x3"), "win"),
    "identify": (parse("mastermind:2x3"), "identify"),
    "table": (TESTS, "identify"),
}


def document_of(which: str) -> Document:
    """Return a valid document: claims and figures are true."""
    game, goal = GAMES[which]
    choose = first_candidate if which != "table" else lambda candidates: 0 if len(candidates) == 3 else 1
    tree = build(game, goal, choose)
    total = check(game, tree).total
    assert total is not None
    return files.as_document(game, tree.with_claims(Claims("expected", "first", (total,), (total,))))


def judge(which: str, document: Document, path: Path) -> tuple[str, list[str]]:
    """Return where a document fails, ``read`` or ``check``, and what is said of it."""
    path.write_text(json.dumps(document))
    try:
        game, strategy = files.read(path, GAMES[which][0])
    except TreeError as error:
        return "read", [str(error)]
    report = check(game, strategy)
    return ("passed" if report.valid else "check"), report.messages()


def last(document: Document) -> int:
    return len(document["nodes"]) - 1


def inner(document: Document) -> Document:
    """Return a node other than the root that has children."""
    return next(node for node in document["nodes"][1:] if node.get("children"))


def drop_last_node(document: Document) -> None:
    gone = last(document)
    document["nodes"].pop()
    for node in document["nodes"]:
        for label in [label for label, child in node.get("children", {}).items() if child == gone]:
            del node["children"][label]


def drop_all_branches(document: Document) -> None:
    for node in document["nodes"]:
        node.pop("children", None)
    del document["nodes"][1:]


def only_root(document: Document) -> None:
    document["nodes"] = [{"guess": "111", "children": {"0,0": 1}}]


def swap_children(document: Document) -> None:
    children = document["nodes"][0]["children"]
    children["0,0"], children["1,0"] = children["1,0"], children["0,0"]


def make_cycle(document: Document) -> None:
    """Take the last two nodes off the tree and let them lead to each other."""
    one, two = last(document) - 1, last(document)
    for node in document["nodes"]:
        node["children"] = {label: c for label, c in node.get("children", {}).items() if c not in (one, two)}
    document["nodes"][one]["children"] = {"0,0": two}
    document["nodes"][two]["children"] = {"0,0": one}


def add_dead_branch(document: Document) -> None:
    """Ask 111 again after its response ``2,0``, with a second branch that it cannot take."""
    branches = document["nodes"][0]["children"]
    branches["2,0"], keep = last(document) + 1, branches["2,0"]
    document["nodes"].append({"guess": "111", "children": {"2,0": keep, "0,0": last(document) + 2}})
    document["nodes"].append({"guess": "111"})


@dataclass(frozen=True)
class Corruption:
    which: str
    change: Callable[[Document], object]
    where: str
    message: str


def put(place: str, key: str, value: object) -> Callable[[Document], object]:
    """Return a change of one key of the document, its root node, an inner node, the last node or a part."""
    parts: dict[str, Callable[[Document], Document]] = {
        "file": lambda d: d,
        "root": lambda d: d["nodes"][0],
        "inner": inner,
        "last": lambda d: d["nodes"][-1],
        "branches": lambda d: d["nodes"][0]["children"],
        "summary": lambda d: d["summary"],
        "histogram": lambda d: d["summary"]["histogram"],
        "bounds": lambda d: d["bounds"],
    }
    return lambda d: parts[place](d).__setitem__(key, value)


def bad_file(which: str, change: Callable[[Document], object], message: str) -> Corruption:
    return Corruption(which, change, "read", message)


def bad_tree(which: str, change: Callable[[Document], object], message: str) -> Corruption:
    return Corruption(which, change, "check", message)


CORRUPTIONS = {
    # Not a strategy file of this version.
    "format": bad_file("win", put("file", "format", "guesstree/2"), 'format is "guesstree/2"; expected'),
    "no format": bad_file("win", lambda d: d.pop("format"), "format is missing"),
    "no goal": bad_file("win", lambda d: d.pop("goal"), "the file must contain ['goal'] prop"),
    "goal": bad_file("win", put("file", "goal", "lose"), "goal must be one of ['win', 'identify']"),
    "goal of a table": bad_file("table", put("file", "goal", "win"), "table:tests has no winning resp"),
    "unknown key": bad_file("win", put("file", "note", 1), "must not contain {'note'} properties"),
    "method": bad_file("win", put("file", "method", 7), "method must be string; it is 7"),
    "bound": bad_file("win", put("bounds", "upper", "many"), "bounds.upper must match pattern"),
    "histogram type": bad_file("win", put("histogram", "2", -1), 'summary.histogram["2"] must be bigger'),
    "no nodes": bad_file("win", put("file", "nodes", []), "nodes must contain at least 1 items"),
    # Not nodes.
    "node": bad_file("win", lambda d: d["nodes"].append(3), "nodes[27] must be object; it is 3"),
    "neither": bad_file("win", lambda d: d["nodes"][0].pop("guess"), "nodes[0] is neither a guess nor a l"),
    "both": bad_file("table", put("root", "secret", "a"), "nodes[0] is neither a guess nor a leaf; expec"),
    "leaf with children": bad_file("table", put("last", "children", {}), "nodes[4] is neither a guess"),
    "leaf under win": bad_file(
        "win", lambda d: d["nodes"].append({"secret": "111"}), 'nodes[27] is a leaf under goal "win"'
    ),
    "guess": bad_file("win", put("last", "guess", "999"), '"999" is not a guess of mastermind:3x3; expected'),
    "guess type": bad_file("win", put("last", "guess", 111), "nodes[26].guess must be string; it is 111"),
    "secret": bad_file("table", put("last", "secret", "d"), 'nodes[4].secret "d" is not a cause of table'),
    # Not branches.
    "response": bad_file("win", put("branches", "2,1", 1), '"2,1"] is not a response of mastermind:3x3; exp'),
    "winning": bad_file("win", put("branches", "3,0", 1), '"3,0"] is the winning response, which is implied'),
    "child range": bad_file("win", put("branches", "0,0", 27), '"0,0"] is 27; expected the index of a no'),
    "child negative": bad_file("win", put("branches", "0,0", -1), '"0,0"] is -1; expected the index'),
    "child bool": bad_file("win", put("branches", "0,0", True), '"0,0"] is true; expected the index of'),
    "child float": bad_file("win", put("branches", "0,0", 1.0), '"0,0"] is 1.0; expected the index of'),
    "child text": bad_file("win", put("branches", "0,0", "1"), '"0,0"] is "1"; expected the index of a'),
    "only node": bad_file("win", only_root, '"0,0"] is 1; expected no branch, as the file has no other'),
    # Not a tree.
    "root below": bad_file("win", put("inner", "children", {"0,0": 0}), 'children["0,0"] is 0; expected'),
    "two parents": bad_file("win", put("branches", "0,0", 2), "is 2, where nodes[0] leads too; expected"),
    "unreachable": bad_file(
        "win", lambda d: d["nodes"].append({"guess": "111"}), "no branch leads to nodes[27]"
    ),
    "cycle": bad_file("win", make_cycle, "is on a cycle; expected a tree rooted at nodes[0]"),
    # A tree that fails on some secret.
    "missing branch": bad_tree("identify", drop_last_node, "has no branch (path: "),
    "no win": bad_tree("win", drop_all_branches, "which gets '0,0' and does not win (path: '111' '0,0')"),
    "no leaf": bad_tree("table", drop_all_branches, "the tree ends with test 'x' and names no cause"),
    "useless guess": bad_tree("table", put("inner", "guess", "z"), "response '0' to test 'z' has no branch"),
    "swapped leaves": bad_tree("identify", swap_children, "the leaf names "),
    "another leaf": bad_tree("table", put("last", "secret", "b"), "cause 'c': the leaf names 'b' (path: "),
    "another guess": bad_tree(
        "win", put("root", "guess", "123"), "to guess '123' has no branch (path: '123'"
    ),
    # A tree that works and does not do what is claimed.
    "total": bad_tree("win", put("summary", "total", 1), "summary says total 1, the tree has 89"),
    "secrets": bad_tree("win", put("summary", "secrets", 9), "summary says secrets 9, the tree has 27"),
    "average": bad_tree("win", put("summary", "average", 3.3), "summary says average 3.3, the tree has 3.29"),
    "worst": bad_tree("win", put("summary", "worst", 4), "summary says worst 4, the tree has 5"),
    "histogram": bad_tree("win", put("histogram", "1", 2), "summary says 2 secrets need 1 guesses, the tr"),
    "histogram more": bad_tree("win", put("histogram", "9", 1), "summary says 1 secrets need 9 guesses"),
    "upper": bad_tree("win", put("bounds", "upper", 90), "bounds say upper 90, the tree has 89"),
    "lower": bad_tree("win", put("bounds", "lower", 92), "bounds say lower 92, the tree has 89"),
    "bounds": bad_tree("win", put("bounds", "lower", 93), "bounds say lower 93, above upper 89"),
    "parts": bad_tree("win", put("bounds", "upper", [5, 89]), "bounds say upper 5,89, the tree has 89"),
    "objective": bad_tree("win", put("file", "objective", "worst"), "upper 89, the tree has 5"),
}


@pytest.mark.parametrize("which", GAMES)
def test_the_documents_are_valid_before(which: str, tmp_path: Path) -> None:
    assert judge(which, document_of(which), tmp_path / "tree.json") == ("passed", [])


@pytest.mark.parametrize("name", CORRUPTIONS)
def test_corruptions_fail_each_with_its_message(name: str, tmp_path: Path) -> None:
    corruption = CORRUPTIONS[name]
    document = document_of(corruption.which)
    corruption.change(document)
    where, messages = judge(corruption.which, document, tmp_path / "tree.json")
    assert where == corruption.where
    assert any(corruption.message in message for message in messages), messages
    assert all(len(message.splitlines()) == 1 for message in messages)


def test_there_are_messages_enough() -> None:
    assert len({corruption.message for corruption in CORRUPTIONS.values()}) == len(CORRUPTIONS) >= 20


def test_dead_branches_are_told_and_do_no_harm(tmp_path: Path) -> None:
    document = document_of("win")
    add_dead_branch(document)
    for key in ("summary", "bounds"):
        del document[key]
    where, messages = judge("win", document, tmp_path / "tree.json")
    assert (where, messages) == (
        "passed",
        ["1 dead branch, which no secret takes and no figure counts ('111' '2,0', '111' '0,0')"],
    )


# The example: three letters, three places.


class Letters(Game):
    """Mastermind over the letters B, G, R with three places."""

    spec = "letters"
    secrets = guesses = tuple("".join(code) for code in product("BGR", repeat=3))
    responses = ("0,0", "0,1", "0,2", "0,3", "1,0", "1,1", "1,2", "2,0", "3,0")
    winning = len(responses) - 1

    def respond(self, guess: int, secret: int) -> int:
        one, other = self.guesses[guess], self.secrets[secret]
        black = sum(a == b for a, b in zip(one, other, strict=True))
        common = sum(min(one.count(letter), other.count(letter)) for letter in "BGR")
        return self.responses.index(f"{black},{common - black}")


def letters(tmp_path: Path) -> Report:
    """Return the report on a tree that lacks the branch for RRR."""
    game, wanted = Letters(), iter(["BRG", "BBB", "GGG"])
    rrr = game.secrets.index("RRR")
    tree = build(game, "win", lambda c: game.guesses.index(next(wanted, "RRR")) if rrr in c else int(c[0]))
    document = files.as_document(game, tree)
    node = document["nodes"][0]
    for response in ("1,0", "0,0"):
        node = document["nodes"][node["children"][response]]
    assert node["guess"] == "GGG"
    gone = node["children"].pop("0,0")
    assert document["nodes"].pop(gone) == {"guess": "RRR"}
    for other in document["nodes"]:
        other["children"] = {r: c - (c > gone) for r, c in other.get("children", {}).items()}
    document["nodes"][document["nodes"].index(node)]["children"]["1,0"] = len(document["nodes"])
    document["nodes"].append({"guess": "BBB"})
    path = tmp_path / "letters.json"
    path.write_text(json.dumps(document))
    return check(*files.read(path, game))


def test_the_example_names_secret_path_and_response(tmp_path: Path) -> None:
    report = letters(tmp_path)
    assert not report.valid and report.failed == 1 and report.total is None and report.worst is None
    failure = report.failures[0]
    assert (failure.kind, failure.secret, failure.response) == ("missing branch", "RRR", "0,0")
    assert failure.path == (("BRG", "1,0"), ("BBB", "0,0"), ("GGG", "0,0"))
    assert failure.message == (
        "secret 'RRR': response '0,0' to guess 'GGG' has no branch "
        "(path: 'BRG' '1,0', 'BBB' '0,0', 'GGG' '0,0')"
    )


def test_a_report_is_plain_data(tmp_path: Path) -> None:
    report = letters(tmp_path)
    data = json.loads(json.dumps(report.as_json()))
    assert (data["valid"], data["secrets"], data["failed"], data["average"]) == (False, 27, 1, None)
    assert data["failures"][0]["path"] == [["BRG", "1,0"], ["BBB", "0,0"], ["GGG", "0,0"]]
    assert sum(data["histogram"].values()) == 26


# Figures by hand, and trees in memory.


def test_figures_by_hand() -> None:
    game = parse("blackpeg:1x3")
    report = check(game, build(game, "win", first_candidate))
    assert report.valid and (report.total, report.worst, report.histogram) == (6, 3, {1: 1, 2: 1, 3: 1})
    report = check(game, build(game, "identify", first_candidate))
    assert report.valid and (report.total, report.worst, report.histogram) == (5, 2, {1: 1, 2: 2})


@pytest.mark.parametrize(
    "objective, value",
    [("worst", (5,)), ("expected", (89,)), ("worst,expected", (5, 89)), ("expected,worst", (89, 5))],
)
def test_the_upper_bound_is_the_value_of_the_tree(objective: str, value: tuple[int, ...]) -> None:
    game, goal = GAMES["win"]
    tree = build(game, goal, first_candidate)
    assert check(game, tree.with_claims(Claims(objective, "m", value, value))).valid
    assert check(game, tree.with_claims(Claims(objective, "m", (), value))).valid
    assert not check(game, tree.with_claims(Claims(objective, "m", value, (value[0] + 1, *value[1:])))).valid
    assert not check(game, tree.with_claims(Claims("another", "m", (1,), (2,)))).valid


def test_the_secrets_of_a_tree_that_wins_are_not_looked_at() -> None:
    game, goal = GAMES["win"]
    tree = build(game, goal, first_candidate)
    assert check(game, replace(tree, secret=tree.secret * 0)) == check(game, tree)


def test_figures_that_a_file_does_not_know_are_ignored(tmp_path: Path) -> None:
    document = document_of("win")
    document["summary"]["median"] = 3
    assert judge("win", document, tmp_path / "tree.json") == ("passed", [])


def test_many_failures_are_counted_and_some_shown() -> None:
    game = parse("mastermind:4x6")
    one = np.array([-1], dtype=np.int32)
    bare = Tree(game, "win", one + 1, one, one, np.array([1, 1], dtype=np.int32), one, one + 1)
    report = check(game, bare)
    assert (report.failed, len(report.failures), report.histogram) == (1295, 100, {1: 1})
    assert report.failures[0].kind == "no win" and report.failures[0].secret == "1112"


def test_a_long_path_is_shortened_in_the_message_only() -> None:
    labels = [str(i) for i in range(60)]
    cells = [["no"] * i + ["yes"] + ["no"] * (59 - i) for i in range(60)]
    game = TableGame("table:deep", labels, labels, cells)
    tree = build(game, "identify", first_candidate)
    secret = tree.secret.copy()
    secret[-1] = 0
    failure = check(game, replace(tree, secret=secret)).failures[0]
    assert len(failure.path) == 59 and "... 47 more ..." in failure.message and len(failure.message) < 250


def changed(array: np.ndarray, place: int, value: int) -> np.ndarray:
    new = array.copy()
    new[place] = value
    return new


@pytest.mark.parametrize(
    "array, place, value, message",
    [
        ("guess", 1, 9, "asks guess 9"),
        ("guess", 0, -1, "children 1 to"),
        ("secret", -1, -1, "neither asks a guess nor names a secret"),
        ("secret", -1, 9, "neither asks a guess nor names a secret"),
        ("parent", 1, 2, "does not fit its parent"),
        ("parent", 0, 0, "not a root"),
        ("depth", 2, 9, "does not fit its parent"),
        ("response", 1, 99, "hangs from response 99"),
        ("response", 1, -1, "hangs from response -1"),
        ("response", 2, 0, "two children for one response"),
        ("first_child", 1, 0, "children 1 to 0"),
        ("first_child", 0, 0, "not a root"),
        ("first_child", 1, 99, "children 1 to 99"),
    ],
)
def test_arrays_that_are_no_tree(array: str, place: int, value: int, message: str) -> None:
    game, goal = GAMES["identify"]
    tree = build(game, goal, first_candidate)
    if array == "secret":
        place = int(np.flatnonzero(tree.guess < 0)[place])
    if array == "guess" and value < 0:
        tree = replace(tree, secret=changed(tree.secret, place, 0))
    bad: dict[str, Any] = {"response": changed(tree.response, 1, 0)} if message.startswith("two") else {}
    report = check(game, replace(tree, **{**bad, array: changed(getattr(tree, array), place, value)}))
    assert not report.valid and report.failures[0].kind == "malformed tree"
    assert message in report.failures[0].message


def test_more_that_is_no_tree() -> None:
    game, goal = GAMES["identify"]
    tree = build(game, goal, first_candidate)
    for bad, message in (
        (replace(tree, depth=tree.depth[1:]), "differ in length"),
        (replace(tree, goal="lose"), "goal 'lose'"),
        (replace(tree, goal="win"), "neither asks a guess"),
    ):
        assert message in check(game, bad).failures[0].message
    assert "has no winning response" in check(TESTS, replace(tree, goal="win")).failures[0].message


def test_a_game_that_answers_out_of_range_is_reported() -> None:
    class Odd(TableGame):
        def respond(self, guess: int, secret: int) -> int:
            return 99 if secret == 1 else super().respond(guess, secret)

    odd = Odd(TESTS.spec, TESTS.guesses, TESTS.secrets, CELLS)
    tree = build(TESTS, "identify", lambda candidates: 0 if len(candidates) == 3 else 1)
    failure = check(odd, tree).failures[0]
    assert (failure.secret, failure.response) == ("b", "#99")


TABLES = {
    "empty cells": ("test,a,b,c,d,e\nx,1,2,,2,3\ny,l,l,h,h,\nz,0,0,0,1,1\nweight,5,1,1,2,1\n", "missing=any"),
    "costs": ("test,a,b,c,cost\nx,1,2,2,3\ny,l,l,h,2.5\nweight,4,1,1,\n", ""),
    "decisions": (
        "test,ill,well,cost,error\nswab,yes,no,5.5,10 %\ndecide treat,0,15,,\ndecide wait,100,0,,\n",
        "",
    ),
    "several causes": ("test,holly,oak,beech\nthorns,y/n,n,n\nlobed,n,y,n\n", "cells=sets,ambiguous=clique"),
}


@pytest.mark.parametrize("kind", [*TABLES, "lies"])
def test_a_replay_gives_the_figures_that_are_summed_over_the_tree(tmp_path: Path, kind: str) -> None:
    if kind == "lies":
        strategy = solve("mastermind:2x3", "worst", lies=1).strategy
    else:
        text, options = TABLES[kind]
        (tmp_path / "made.csv").write_text(text)
        strategy = solve(f"table:{tmp_path}/made.csv,{options}".rstrip(",")).strategy
    report = check(strategy.game, strategy)
    assert report.valid and report.figures == figures_of(strategy)
    assert (report.figures.counted == report.figures.guesses) == (kind != "empty cells")


@pytest.mark.parametrize("kind", TABLES)
def test_a_check_tells_what_was_replayed(tmp_path: Path, monkeypatch: Any, capsys: Any, kind: str) -> None:
    """The figures that are summed over the tree are made wrong: nothing that is printed changes."""
    text, options = TABLES[kind]
    (tmp_path / "made.csv").write_text(text)
    solve(f"table:{tmp_path}/made.csv,{options}".rstrip(",")).strategy.write(tmp_path / "tree.json")

    def printed() -> list[str]:
        for more in ([], ["--json"]):
            with pytest.raises(SystemExit):
                main(["check", str(tmp_path / "tree.json"), *more])
        return capsys.readouterr().out.splitlines()

    before = printed()
    for module in (figures, reports):
        monkeypatch.setattr(module, "figures_of", lambda _: pytest.fail("these are not the checker's"))
    assert printed() == before
