"""Strategies of tables and of words away from home: the table inside, files beside, and what is refused."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import games

from guesstree.api.strategy import strategy_of
from guesstree.cli import main
from guesstree.engine import game_source
from guesstree.engine.errors import GameError
from guesstree.engine.registry import parse
from guesstree.engine.search.solve import solve
from guesstree.engine.tables.missing import UnsureTable
from guesstree.engine.tables.table import TableGame
from guesstree.trees.check import check
from guesstree.trees.export import files
from guesstree.trees.tree import TreeError

LAMP = (
    "test,bulb,fuse,switch,mains\nswap the bulb,works,dark,dark,dark\nmeasure,live,dead,live,dead\n"
    "press,dark,dark,click,dark\nnext room,on,on,on,off\n"
)
OTHER = LAMP.replace("dead", "gone")
INSIDE = "the table inside the file"


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """Return the status of a command, and what it printed."""
    with pytest.raises(SystemExit) as exited:
        main(list(words))
    said = capsys.readouterr()
    return int(exited.value.code or 0), said.out, said.err


@pytest.fixture
def away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make home/lamp.json for home/lamp.csv, and work elsewhere; return home."""
    home = tmp_path / "home"
    home.mkdir()
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(home)
    (home / "lamp.csv").write_text(LAMP)
    game = parse("table:lamp.csv")
    files.write(game, strategy_of(solve(game, "worst")), "lamp.json")
    monkeypatch.chdir(tmp_path / "elsewhere")
    return Path("..") / "home"


def changed(path: Path, **values: Any) -> dict[str, Any]:
    """Change values of a strategy file, or take them out; return it as it was."""
    document = json.loads(path.read_text())
    new = {key: value for key, value in (document | values).items() if value is not None}
    path.write_text(json.dumps(new))
    return dict(document)


def test_a_strategy_is_checked_against_the_table_inside(
    away: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (away / "lamp.csv").rename(away / "gone.csv")
    status, out, err = run(capsys, "check", str(away / "lamp.json"))
    assert (status, err) == (0, "")
    assert out.splitlines()[:2] == [
        "../home/lamp.json: table:lamp.csv, goal identify: valid",
        "  checked against the table inside the file",
    ]
    told = json.loads(run(capsys, "check", str(away / "lamp.json"), "--json")[1])
    assert (told["game"], told["against"], told["valid"]) == ("table:lamp.csv", INSIDE, True)
    assert run(capsys, "render", str(away / "lamp.json"), "lamp.dot")[0] == 0
    assert run(capsys, "diff", str(away / "lamp.json"), str(away / "lamp.json"))[0] == 0


def test_another_table_beside_is_said_and_can_be_taken(
    away: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (away / "lamp.csv").write_text(OTHER)
    status, out, err = run(capsys, "check", str(away / "lamp.json"))
    assert status == 0 and INSIDE in out
    assert err == (
        "guesstree: '../home/lamp.json': '../home/lamp.csv' differs from the table inside the file; "
        "--game table:../home/lamp.csv takes it instead\n"
    )
    status, out, err = run(capsys, "check", str(away / "lamp.json"), "--game", "table:../home/lamp.csv")
    assert (status, out) == (2, "") and "is not a response of table:../home/lamp.csv" in err
    (away / "lamp.csv").write_text("no table")
    assert "differs from the table inside" in run(capsys, "check", str(away / "lamp.json"))[2]
    with pytest.warns(UserWarning, match=r"lamp\.csv' differs from the table inside the file"):
        files.read(away / "lamp.json")


def test_without_a_table_inside_it_is_found_beside(away: Path, capsys: pytest.CaptureFixture[str]) -> None:
    changed(away / "lamp.json", table=None)
    Path("lamp.csv").write_text(OTHER)  # where the command is run: comes last
    status, out, _ = run(capsys, "check", str(away / "lamp.json"))
    assert status == 0 and out.splitlines()[1] == "  checked against ../home/lamp.csv"
    changed(away / "lamp.json", game="table:data/lamp.csv")
    assert (
        run(capsys, "check", str(away / "lamp.json"))[1].splitlines()[1]
        == "  checked against ../home/lamp.csv"
    )
    changed(away / "lamp.json", game="table:lamp.csv")
    (away / "lamp.csv").unlink()
    assert run(capsys, "check", str(away / "lamp.json"))[0] == 2, "the other table"
    Path("lamp.csv").unlink()
    status, out, err = run(capsys, "check", str(away / "lamp.json"))
    assert (status, out) == (2, "") and err == (
        "guesstree: '../home/lamp.json': game: no file 'lamp.csv': not at '../home/lamp.csv', 'lamp.csv'; "
        "expected it beside the strategy file, or another game with --game GAME\n"
    )


def test_a_large_table_is_known_by_its_hash(
    away: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = away / "lamp.json"
    game, strategy = files.read(tree)
    table = json.loads(tree.read_text())["table"]
    monkeypatch.setattr(game_source, "MOST_CELLS", 15)
    files.write(game, strategy, tree)
    text = json.dumps(table, sort_keys=True, separators=(",", ":"))
    assert json.loads(tree.read_text())["table"] == {"sha256": sha256(text.encode()).hexdigest()}
    status, out, err = run(capsys, "check", str(tree))
    assert (status, err) == (0, "") and "  checked against ../home/lamp.csv\n" in out
    (away / "lamp.csv").write_text(LAMP.replace("off", "out"))
    status, out, err = run(capsys, "check", str(tree))
    assert status == 2 and "is not a response" in err
    assert "'../home/lamp.csv' is not the table that the strategy was made for\n" in err
    (away / "lamp.csv").unlink()
    assert "no file 'lamp.csv'" in run(capsys, "check", str(tree))[2]


def test_the_fewest_cells_that_are_not_carried() -> None:
    assert game_source.MOST_CELLS == 100_000


def test_strategies_for_different_tables_of_one_name_are_not_compared(
    away: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("lamp.csv").write_text(OTHER)
    assert run(capsys, "solve", "table:lamp.csv", "--out", "lamp.json")[0] == 0
    status, out, err = run(capsys, "diff", "lamp.json", str(away / "lamp.json"))
    assert (status, out) == (2, "")
    assert "'../home/lamp.json' for another of that name; expected two strategies for one game" in err
    assert run(capsys, "solve", "table:../home/lamp.csv", "--out", "named.json")[0] == 0
    assert run(capsys, "diff", "named.json", str(away / "lamp.json"))[0] in (0, 1), "the same table"


@pytest.mark.parametrize(
    ("spec", "names"),
    [
        ("wordle:answers.txt,allowed.txt", ["answers.txt", "allowed.txt"]),
        ("wordle:answers.txt,hard", ["answers.txt"]),
        ("hangman:answers.txt+allowed.txt", ["answers.txt", "allowed.txt"]),
    ],
)
def test_lists_of_words_are_found_beside(
    spec: str,
    names: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    home, other = tmp_path / "home", tmp_path / "other"
    home.mkdir()
    other.mkdir()
    (home / "answers.txt").write_text("night\nlight\nsight\n")
    (home / "allowed.txt").write_text("rings\ncount\n")
    monkeypatch.chdir(home)
    assert run(capsys, "solve", spec, "--out", "tree.json")[0] == 0
    monkeypatch.chdir(other)
    status, out, err = run(capsys, "check", "../home/tree.json")
    assert (status, err) == (0, "") and out.startswith(f"../home/tree.json: {spec}, goal ")
    assert out.splitlines()[1] == f"  checked against {', '.join(f'../home/{name}' for name in names)}"
    (home / names[-1]).unlink()
    status, out, err = run(capsys, "check", "../home/tree.json")
    assert (status, out) == (2, "")
    assert f"no file '{names[-1]}': not at '../home/{names[-1]}', '{names[-1]}'; expected it beside" in err
    assert err.count("\n") == 1 and "--game GAME" in err


# What is carried is what is read.


@given(game=games(), priced=st.booleans(), data=st.data())
def test_the_table_that_is_written_is_read(
    game: TableGame, priced: bool, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    few = game.content
    weights = [data.draw(st.integers(1, 9)) for _ in few.secrets] if priced else None
    costs = [data.draw(st.integers(0, 9)) for _ in few.guesses] if priced else None
    full = TableGame(game.spec, few.guesses, few.secrets, few.cells, few.win, weights, costs)
    path = tmp_path_factory.getbasetemp() / "carried.json"
    try:
        files.write(full, strategy_of(solve(full)), path)
    except GameError as error:
        assert "apart" in str(error)
        return
    again, strategy = files.read(path)
    assert isinstance(again, TableGame) and again.content == full.content
    assert (again.spec, again.responses, again.winning) == (full.spec, full.responses, full.winning)
    assert check(again, strategy).valid


def test_unknown_cells_and_merged_secrets_are_carried(tmp_path: Path) -> None:
    table, tree = tmp_path / "ill.csv", tmp_path / "ill.json"
    table.write_text(
        "test,flu,cold,mumps,gout,cost\nfever?,yes,,no,no,1\nswollen?,no,no,yes,yes,2\nchills?,yes,no,no,no,9\n"
    )
    game = parse(f"table:{table},merge,missing=any")
    files.write(game, strategy_of(solve(game)), tree)
    held = json.loads(tree.read_text())["table"]
    assert held["secrets"] == ["flu", "cold", "mumps|gout"] and held["responses"][0] == ["yes", None, "no"]
    assert (held["weights"], held["costs"]) == ([1, 1, 2], [1, 2, 9])
    table.unlink()
    again, strategy = files.read(tree)
    assert isinstance(again, UnsureTable) and again.weights == game.weights
    assert check(again, strategy).valid


def test_only_plain_tables_are_carried() -> None:
    class Own(TableGame):
        """A table with rules of its own."""

    cells = [["+", "-"], ["-", "+"]]
    assert game_source.table_data(Own("table:own", ["x", "y"], ["a", "b"], cells)) is None
    assert game_source.table_data(TableGame("own:x", ["x", "y"], ["a", "b"], cells)) is None
    priced = TableGame("table:own", ["x", "y"], ["a", "b"], cells, prices=[2, 3])
    assert game_source.table_data(priced) == {
        "secrets": ["a", "b"],
        "guesses": ["x", "y"],
        "costs": [2, 3],
        "responses": cells,
    }
    assert priced.costs is not None
    priced.costs[0, 1] = 5
    assert game_source.table_data(priced) is None, "no table says that a response has a price"


# A table from a stranger.

GOOD = {"secrets": ["a", "b"], "guesses": ["x"], "responses": [["0", "1"]]}
BAD: dict[str, tuple[Any, str]] = {
    "empty": ({}, "table is neither a table (secrets, guesses, responses) nor the hash of one"),
    "both": ({**GOOD, "sha256": "0" * 64}, "table is neither a table"),
    "no hash": ({"sha256": "xyz"}, "table.sha256 must match pattern"),
    "a list": ([1], "table must be object; it is an array of 1 values"),
    "another key": ({**GOOD, "path": "/etc"}, "table must not contain {'path'} properties"),
    "a number": ({**GOOD, "secrets": ["a", 1]}, "table.secrets[1] must be string; it is 1"),
    "no label": ({**GOOD, "secrets": ["a", ""]}, "table.secrets[1] must be longer"),
    "no secret": ({**GOOD, "secrets": []}, "table.secrets must contain at least 1 items"),
    "too many rows": ({**GOOD, "guesses": ["x", "y"]}, "table.responses has 1 values; expected 2, one"),
    "short": ({**GOOD, "responses": [["0"]]}, "table.responses[0] has 1 values; expected 2"),
    "repeated": ({**GOOD, "secrets": ["a", "a"]}, "table.secrets: the cause label 'a' is repeated"),
    "escape": ({**GOOD, "secrets": ["a", "\x1b[2J"]}, "table.secrets: a label holds a control character"),
    "line": (
        {**GOOD, "guesses": ["x\u2028y"]},
        "table.guesses: a label holds a control character or a line break",
    ),
    "a space": (
        {**GOOD, "secrets": ["a", " b"]},
        "table.secrets: the label ' b' is seen as 'b'; expected what",
    ),
    "no width": ({**GOOD, "guesses": ["x\u200b"]}, "table.guesses: the label 'x\\u200b' is seen as 'x'"),
    "decomposed": ({**GOOD, "responses": [["0", "e\u0301"]]}, "the cell 'e\\u0301' is seen as 'é'"),
    "a group": ({**GOOD, "groups": ["g "], "later": [1]}, "table.groups: the label 'g ' is seen as 'g'"),
    "a class": ({**GOOD, "classes": ["p", " p"]}, "table.classes: the label ' p' is seen as 'p'"),
    "an end": ({**GOOD, "ends": " 1"}, "table.ends: the label ' 1' is seen as '1'"),
    "half": ({**GOOD, "responses": [["0", "\ud800"]]}, "table.guesses: a cell holds a control character"),
    "weights": ({**GOOD, "weights": [1]}, "table.weights has 1 values; expected 2, one for each secret"),
    "no weight": ({**GOOD, "weights": [1, 0]}, "table.weights[1] must be bigger than or equal to 1; it is 0"),
    "a real": ({**GOOD, "weights": [1, 2.0]}, "table: the weights[1] is '2.0'; expected an integer from 1"),
    "true": ({**GOOD, "costs": [True]}, "table.costs[0] must be integer; it is true"),
    "costs": ({**GOOD, "costs": [1, 2]}, "table.costs has 2 values; expected 1, one for each guess"),
    "heavy": ({**GOOD, "weights": [10**17] * 2, "costs": [10**17]}, "come to"),
    "win": ({**GOOD, "win": "2"}, "no cell holds the winning response '2'"),
    "a wrong win": ({**GOOD, "win": "1"}, "no guess is labelled 'a', so that secret cannot be won"),
    "win, unknown": (
        {**GOOD, "responses": [[None, "1"]], "win": "1"},
        "table.win is '1' with responses that are null; expected one or the other",
    ),
    "unknown": ({**GOOD, "responses": [[None, None]]}, "guess 'x' has no response at all"),
    "many": (
        {
            **GOOD,
            "secrets": [f"s{i}" for i in range(1 << 16)],
            "responses": [[str(i) for i in range(1 << 16)]],
        },
        "65536 different responses",
    ),
    "unlike the tree": ({**GOOD, "secrets": ["a", "c"]}, '"b" is not a cause of table:t.csv'),
    "special names": (
        {"secrets": ["a", "b", "cost"], "guesses": ["x", "weight"], "responses": [["0", "1", "2"]] * 2},
        "checked",
    ),
}


@pytest.mark.parametrize(("table", "words"), BAD.values(), ids=BAD)
def test_a_bad_table_is_one_clear_line(
    table: Any, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "tree.json"
    game = TableGame("table:t.csv", ["x"], ["a", "b"], [["0", "1"]])
    files.write(game, strategy_of(solve(game)), path)
    changed(path, table=table)
    status, out, err = run(capsys, "check", str(path))
    if words == "checked":  # the labels are plain labels here; the tree lacks a branch
        assert (status, err) == (1, "") and "has no branch" in out
        return
    assert (status, out) == (2, "")
    assert words in err and err.count("\n") == 1 and len(err.splitlines()) == 1


@pytest.mark.parametrize(
    ("game", "words"),
    [
        ("mastermind:4x6", "table: given for the game 'mastermind:4x6'; expected for table: games only"),
        ("table:\x1b[2J", "game: holds a control character or a line break"),
        ("table:\ud800", "game: holds a control character or a line break"),
        ("tables:t", "table: given for the game 'tables:t'"),
    ],
)
def test_a_table_is_carried_for_tables_only(
    game: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "tree.json"
    own = TableGame("table:t.csv", ["x"], ["a", "b"], [["0", "1"]])
    files.write(own, strategy_of(solve(own)), path)
    changed(path, game=game)
    status, out, err = run(capsys, "check", str(path))
    assert (status, out) == (2, "") and words in err and err.count("\n") == 1


LABELS = st.text(max_size=3) | st.sampled_from(["a", "b", "x", "0", "1", "cost", "weight"])
NUMBERS = st.integers(-1, 3) | st.integers() | st.floats(allow_nan=False) | st.booleans()


@given(
    table=st.fixed_dictionaries(
        {
            "secrets": st.lists(LABELS, max_size=3),
            "guesses": st.lists(LABELS, max_size=2),
            "responses": st.lists(st.lists(LABELS | st.none(), max_size=3), max_size=2),
        },
        optional={
            "weights": st.lists(NUMBERS, max_size=3),
            "costs": st.lists(NUMBERS, max_size=2),
            "win": LABELS,
            "sha256": LABELS,
        },
    )
)
def test_no_table_raises_anything_else(
    table: dict[str, Any], tmp_path_factory: pytest.TempPathFactory
) -> None:
    game = TableGame("table:t.csv", ["x"], ["a", "b"], [["0", "1"]])
    document = files.as_document(game, strategy_of(solve(game)))
    path = tmp_path_factory.getbasetemp() / "strange.json"
    path.write_text(json.dumps({**document, "table": table}))
    try:
        again, strategy = files.read(path)
    except TreeError as error:
        assert len(str(error).splitlines()) == 1
    else:
        check(again, strategy)
