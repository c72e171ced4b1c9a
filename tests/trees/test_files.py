"""Strategy files: round trips, the text itself, and every kind of bad input."""

import json
import os
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tables import games

import guesstree
from guesstree.engine.game import Game
from guesstree.engine.registry import parse
from guesstree.engine.state import Ints
from guesstree.trees.check import check
from guesstree.trees.export import files
from guesstree.trees.figures import summarise
from guesstree.trees.tree import Claims, Tree, TreeError, build

ARRAYS = ("guess", "parent", "response", "first_child", "secret", "depth")


def equal(one: Tree, other: Tree) -> bool:
    return all(
        getattr(one, name).dtype == getattr(other, name).dtype
        and np.array_equal(getattr(one, name), getattr(other, name))
        for name in ARRAYS
    )


def first_candidate(candidates: Ints) -> int:
    return int(candidates[0])


def random_choice(game: Game, seed: int) -> Callable[[Ints], int]:
    """Choose any guess that splits the candidates or wins on the last one."""
    pick, table = random.Random(seed), game.table()

    def choose(candidates: Ints) -> int:
        useful = [
            g
            for g in range(len(game.guesses))
            if len(set(table[g, candidates].tolist())) > 1
            or (len(candidates) == 1 and table[g, candidates[0]] == game.winning)
        ]
        return pick.choice(useful)

    return choose


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tree.json"


@pytest.fixture(scope="module")
def game() -> Game:
    return parse("mastermind:2x3")


@pytest.fixture(scope="module")
def tree(game: Game) -> Tree:
    return build(game, "win", first_candidate, Claims("expected", "some", (20,), (24,), {"first": "12"}))


@given(game=games(), seed=st.integers(0, 2**16))
def test_what_is_written_is_read(game: Game, seed: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    goal = "identify" if game.winning is None else "win"
    assume(len(np.unique(game.table(), axis=1).T) == len(game.secrets))
    tree = build(game, goal, random_choice(game, seed))
    path = tmp_path_factory.getbasetemp() / "random.json"
    files.write(game, tree, path)
    _, again = files.read(path, game)
    assert equal(tree, again)
    report, summary = check(game, again), summarise(tree.guesses_needed())
    assert report.valid and not report.dead
    assert (report.total, report.worst, report.histogram, report.average) == (
        summary.total,
        summary.worst,
        summary.histogram,
        summary.average,
    )
    assert dict(again.claims.summary) == summary.as_json()


@given(seed=st.integers(0, 2**16))
def test_nodes_may_be_in_any_order(seed: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    game = parse("mastermind:2x3")
    tree = build(game, "identify", first_candidate)
    document = files.as_document(game, tree)
    places = [0, *random.Random(seed).sample(range(1, len(tree)), len(tree) - 1)]
    nodes: list[dict[str, Any]] = [{}] * len(tree)
    for node, place in zip(document["nodes"], places, strict=True):
        branches = [(label, places[child]) for label, child in node.get("children", {}).items()]
        nodes[place] = {**node, "children": dict(reversed(branches))} if branches else node
    path = tmp_path_factory.getbasetemp() / "shuffled.json"
    path.write_text(json.dumps({**document, "nodes": nodes}))
    assert equal(files.read(path)[1], tree)


@pytest.mark.parametrize("goal", ["win", "identify"])
@pytest.mark.parametrize(
    "spec", ["mastermind:3x3", "blackpeg:3x3", "bulls:2x4", "bulls:1x1", "mastermind:4x2"]
)
def test_the_games_of_the_project(spec: str, goal: str, path: Path) -> None:
    game = parse(spec)
    tree = build(game, goal, random_choice(game, 1))
    files.write(game, tree, path)
    again_game, again = files.read(path)
    assert again_game is again.game and again_game.spec == spec and equal(tree, again)


def test_the_text_of_a_file(path: Path) -> None:
    game = parse("blackpeg:1x3")
    files.write(game, build(game, "win", first_candidate), path)
    assert path.read_text() == (
        '{\n"format": "guesstree/1",\n"game": "blackpeg:1x3",\n"goal": "win",\n"objective": "",\n'
        '"method": "",\n'
        '"bounds": {"lower": null, "upper": null},\n'
        '"summary": {"secrets": 3, "total": 6, '
        '"average": 2.0, "exact": "2", "worst": 3, "histogram": {"1": 1, "2": 1, "3": 1}},\n'
        '"nodes": [\n{"guess": "1", "children": {"0": 1}},\n'
        '{"guess": "2", "children": {"0": 2}},\n{"guess": "3"}\n]\n}\n'
    )


@pytest.mark.parametrize(
    "lower, upper, as_json",
    [((), (), (None, None)), ((5,), (6,), (5, 6)), ((2, 5), (3, 4), ([2, 5], [3, 4]))],
)
def test_claims_are_kept(
    game: Game, lower: tuple[int, ...], upper: tuple[int, ...], as_json: object, path: Path
) -> None:
    claims = Claims(
        "worst,expected" if len(lower) == 2 else "", "exact", lower, upper, {"first": "11", "depth": 9}
    )
    tree = build(game, "win", first_candidate, claims)
    files.write(game, tree, path)
    assert tuple(json.loads(path.read_text())["bounds"].values()) == as_json
    again = files.read(path)[1].claims
    assert (again.objective, again.method, again.lower, again.upper, again.parameters) == (
        claims.objective,
        claims.method,
        lower,
        upper,
        claims.parameters,
    )


def test_a_file_may_claim_nothing(game: Game, tree: Tree, path: Path) -> None:
    document = files.as_document(game, tree)
    path.write_text(json.dumps({key: document[key] for key in ("format", "game", "goal", "nodes")}))
    assert files.read(path)[1].claims == Claims(by_file=True)


def test_a_byte_order_mark_is_accepted(game: Game, tree: Tree, path: Path) -> None:
    path.write_text(json.dumps(files.as_document(game, tree)), encoding="utf-8-sig")
    assert equal(files.read(path)[1], tree)


def test_another_game_stands_in(game: Game, tree: Tree, path: Path) -> None:
    files.write(game, tree, path)
    other = parse("mastermind:2x4")
    assert files.read(path, other)[1].game is other


def test_a_missing_branch_is_no_matter_of_reading(game: Game, tree: Tree, path: Path) -> None:
    document = files.as_document(game, tree)
    document["nodes"] = [{"guess": "11"}]
    path.write_text(json.dumps(document))
    assert files.read(path)[1].secret.tolist() == [0]


@pytest.mark.long
def test_fifty_thousand_nodes_are_read_a_level_at_a_time(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = parse("mastermind:5x8")
    tree = build(game, "identify", first_candidate)
    files.write(game, tree, path)
    monkeypatch.setattr(type(game), "respond", lambda *_: pytest.fail("respond was called"))
    assert len(tree) > 48_000 and equal(files.read(path, game)[1], tree)


@pytest.mark.parametrize(
    ("spec", "options"),
    [
        ("mastermind:2x3", {"objective": "win-probability", "budget": 10**18}),
        ("higher:1000001+" + "+".join(map(str, range(1_000_002, 1_000_602))), {}),
        ("table:t.csv", {}),
    ],
)
def test_the_largest_numbers_and_names_that_are_written_are_read(
    spec: str, options: dict[str, Any], path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Numbers of 19 digits, costs of 129 and longer names were written, and refused."""
    monkeypatch.chdir(path.parent)
    weights = "weight,600000000000000007,500000000000000003,"
    Path("t.csv").write_text(f"test,a,b,cost\nx,1,2,{'1234567890' * 3}e99\n{weights}\n")
    guesstree.solve(spec, **options).strategy.write(path)
    assert guesstree.Strategy.read(path).check().valid


def test_what_no_reader_would_take_is_not_written(path: Path) -> None:
    game = parse("mastermind:2x2")
    game.spec = "x" * 70_000
    with pytest.raises(TreeError, match=r"cannot write '.*': game must be shorter"):
        files.write(game, build(game, "win", first_candidate), path)
    assert not path.exists()


# Writing: whole or not at all.


def test_a_file_is_replaced_whole(game: Game, tree: Tree, path: Path) -> None:
    path.write_text("old")
    link = path.with_name("link.json")
    link.symlink_to(path)
    files.write(game, tree, link)
    first = path.read_bytes()
    files.write(game, tree, path)
    assert link.is_symlink() and path.read_bytes() == first
    assert sorted(p.name for p in path.parent.iterdir()) == ["link.json", "tree.json"]


def test_a_failure_leaves_the_old_file_and_nothing_else(
    game: Game, tree: Tree, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.write_text("old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(TreeError, match=r"cannot write '.*tree\.json': No space left on device"):
        files.write(game, tree, path)
    assert [p.name for p in path.parent.iterdir()] == ["tree.json"] and path.read_text() == "old"


@pytest.mark.parametrize(
    "name, reason",
    [
        ("", "it is a folder"),
        ("absent/tree.json", "there is no folder"),
        ("file/tree.json", "there is no folder"),
        ("a\0b", "null byte"),
        ("x" * 300, "File name too long"),
        ("pipe", "not a regular file"),
        ("loop", "loop"),
    ],
)
def test_places_that_cannot_be_written(
    game: Game, tree: Tree, tmp_path: Path, name: str, reason: str
) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(TreeError, match=f"(?i)^cannot write .*{reason}") as caught:
        files.write(game, tree, tmp_path / name)
    assert len(str(caught.value).splitlines()) == 1
    assert sorted(p.name for p in tmp_path.iterdir()) == ["file", "loop", "pipe"]


@pytest.mark.parametrize("value", [float("nan"), {1, 2}, "\ud800", np.int32(3)], ids=repr)
def test_claims_that_json_cannot_say(game: Game, tree: Tree, path: Path, value: object) -> None:
    with pytest.raises(TreeError, match=r"^cannot write '.*tree\.json': "):
        files.write(game, tree.with_claims(Claims(parameters={"x": value})), path)
    assert not path.exists()


def test_a_tree_that_finds_nothing_has_no_figures(game: Game) -> None:
    one = np.array([-1], dtype=np.int32)
    empty = Tree(game, "win", one + 1, one, one, np.array([1, 1], dtype=np.int32), one, one + 1)
    with pytest.raises(TreeError, match="finds no secret"):
        files.as_document(game, empty)


def test_a_leaf_that_names_nothing_is_not_written(game: Game) -> None:
    tree = build(game, "identify", first_candidate)
    with pytest.raises(TreeError, match=r"node \d+ of the strategy for mastermind:2x3 neither asks"):
        files.as_document(game, replace(tree, secret=np.append(tree.secret[:-1], np.int32(-1))))


# Reading: bad text, before there is a document. Bad documents are in test_check.py.

HEAD = '{"format": "guesstree/1", "game": "mastermind:2x3", "goal": "win", '
BAD_TEXT = {
    "empty": ("", "line 1 column 1: Expecting value"),
    "truncated": (HEAD + '\n"nodes": [{"guess": ', "line 2 column 21: Expecting value"),
    "two values": ("{} {}", "line 1 column 4: Extra data"),
    "not UTF-8": (b'{"format": "\xff"}', "byte 12 is not UTF-8"),
    "UTF-16": ("{}".encode("utf-16"), "byte 0 is not UTF-8"),
    "deep": ("[" * 200_000, "values are nested too deeply"),
    "deep objects": ('{"a":' * 200_000, "values are nested too deeply"),
    "an array": ("[1, 2]", "holds an array of 2 values; expected an object"),
    "a number": ("3", "holds 3; expected an object"),
    "null": ("null", "holds null; expected an object"),
    "NaN": (HEAD + '"summary": {"average": NaN}}', "summary.average is NaN; expected a finite number"),
    "Infinity": (HEAD + '"bounds": {"lower": -Infinity}}', "bounds.lower is -Infinity; expected a finite"),
    "overflow": (
        HEAD + '"parameters": {"a b": [1, 1e999]}}',
        'parameters["a b"][1] is 1e999; expected a finite',
    ),
    "huge": (
        HEAD + f'"nodes": [{{"guess": "11", "children": {{"0,0": {"9" * 5000}}}}}]}}',
        'nodes[0].children["0,0"] is a number of 5000 digits; expected at most 19',
    ),
    "huge alone": ("9" * 5000, "the file is a number of 5000 digits"),
    "repeated": (HEAD + '"goal": "win"}', 'the file repeats the key "goal"; expected each key once'),
    "repeated response": (
        HEAD + '"nodes": [{"guess": "11", "children": {"0,0": 1, "0,0": 1}}]}',
        'nodes[0].children repeats the key "0,0"',
    ),
    "repeated in what is lost": ('{"a": {"b": 1, "b": NaN}, "a": 2}', 'the file repeats the key "a"'),
}


@pytest.mark.parametrize("text, reason", BAD_TEXT.values(), ids=BAD_TEXT)
def test_text_that_is_refused(text: str | bytes, reason: str, path: Path) -> None:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(TreeError) as caught:
        files.read(path)
    message = str(caught.value)
    assert message.startswith(f"{str(path)!r}: {reason}")
    assert len(message.splitlines()) == 1 and len(message) < len(str(path)) + 300


@pytest.mark.parametrize(
    "name, reason",
    [
        ("absent", "No such file"),
        ("", "Is a directory"),
        ("a\0b", "null byte"),
        ("x" * 300, "File name too long"),
    ],
)
def test_files_that_cannot_be_read(tmp_path: Path, name: str, reason: str) -> None:
    with pytest.raises(TreeError, match=f"cannot be read: .*{reason}"):
        files.read(tmp_path / name)


def test_a_file_that_is_too_large(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_BYTES", 100)
    path.write_text(" " * 101)
    with pytest.raises(TreeError, match="too large; expected at most 100 bytes"):
        files.read(path)


@given(data=st.data())
def test_no_damage_raises_anything_else(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    game = parse("blackpeg:2x2")
    tree = build(game, "win", first_candidate, Claims("worst", "m", (1,), (3,)))
    text = json.dumps(files.as_document(game, tree))
    # Not in the game, which might become huge.
    place = data.draw(st.integers(text.index("goal"), len(text) - 1))
    new = data.draw(st.text('{}[]",:0123456789truefalsn-.e', max_size=4) | st.text(max_size=3))
    path = tmp_path_factory.getbasetemp() / "damaged.json"
    damaged = text[:place] + new + text[place + data.draw(st.integers(0, 5)) :]
    path.write_bytes(damaged.encode("utf-8", "surrogatepass"))
    try:
        again_game, strategy = files.read(path)
    except TreeError as error:
        assert len(str(error).splitlines()) == 1
    else:
        check(again_game, strategy)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(
    key=st.sampled_from(["game", "goal", "bounds", "summary", "nodes", "nodes", "parameters"]), value=VALUES
)
def test_no_value_raises_anything_else(
    key: str, value: object, tmp_path_factory: pytest.TempPathFactory
) -> None:
    game = parse("blackpeg:2x2")
    document = files.as_document(game, build(game, "win", first_candidate))
    path = tmp_path_factory.getbasetemp() / "valued.json"
    path.write_text(json.dumps({**document, key: value}))
    try:
        again_game, strategy = files.read(path)
    except TreeError as error:
        assert len(str(error).splitlines()) == 1
    else:
        check(again_game, strategy)
