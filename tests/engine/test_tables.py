"""Tables from files: secrets that cannot be told apart, and what is refused."""

from pathlib import Path

import numpy as np
import pytest
from cases import cases
from hypothesis import given
from hypothesis import strategies as st
from tables import games

from guesstree.api.strategy import strategy_of
from guesstree.cli import main
from guesstree.engine.contract import check_game
from guesstree.engine.errors import MOST_PROBLEMS, GameError, Problems
from guesstree.engine.game import Game
from guesstree.engine.objective import OBJECTIVES
from guesstree.engine.problem import Problem
from guesstree.engine.registry import parse
from guesstree.engine.search.solve import solve
from guesstree.engine.sheets import Placed, Sheet
from guesstree.engine.tables.headings import read_heading
from guesstree.engine.tables.options import How
from guesstree.engine.tables.reading import read_table
from guesstree.engine.tables.table import Content, TableGame, merged
from guesstree.trees.check import check
from guesstree.trees.export import files

TWINS = "test,a,b,c,d,e\nx,1,0,1,0,1\ny,0,0,0,0,1\n"


@given(games(win=False), st.booleans(), st.data())
def test_merging_keeps_every_response_and_the_weight(
    game: TableGame, weighted: bool, data: st.DataObject
) -> None:
    cells = [[game.responses[r] for r in row] for row in game.table()]
    weights = tuple(data.draw(st.integers(1, 9)) for _ in game.secrets) if weighted else None
    table = merged(Content(tuple(game.guesses), tuple(game.secrets), tuple(map(tuple, cells)), weights))
    labels, few, sums = table.secrets, table.cells, table.weights
    assert sorted(name for label in labels for name in label.split("|")) == sorted(game.secrets)
    for s, label in enumerate(labels):
        members = [game.secrets.index(name) for name in label.split("|")]
        assert all(row[m] == short[s] for m in members for row, short in zip(cells, few, strict=True))
        total = sum(weights[m] if weights else 1 for m in members)
        assert total == (sums[s] if sums else len(members))
    columns = list(zip(*few, strict=True))
    assert len(set(columns)) == len(columns)
    if len(labels) == len(game.secrets):
        assert sums == weights
        solve(game)
    else:
        with pytest.raises(GameError, match=r"no (guess|test) tells these (secrets|causes) apart"):
            solve(game)
        solve(TableGame("table:merged", game.guesses, labels, few, weights=sums))


def test_a_merged_table_is_solved_and_its_file_read_again(tmp_path: Path) -> None:
    file, tree = tmp_path / "twins.csv", tmp_path / "tree.json"
    file.write_text(TWINS)
    game = parse(f"table:{file},merge")
    check_game(game)
    assert (list(game.secrets), game.weights) == (["a|c", "b|d", "e"], (2, 2, 1))
    solution = solve(game)
    assert solution.upper == (8,)  # y first costs 5 + 4, x first 5 + 3
    files.write(game, strategy_of(solution), tree)
    again, strategy = files.read(tree)
    assert again.spec == game.spec
    assert check(again, strategy).valid


def test_merging_adds_the_weights_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "twins.csv"
    file.write_text(TWINS + "weight,5,1,2,3,4\n")
    assert parse(f"table:{file},merge").weights == (7, 4, 4)
    file.write_text(TWINS.replace("1,0,1,0,1", "1,2,3,4,5"))
    assert parse(f"table:{file},merge").weights is None, "nothing was merged"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (TWINS, "apart: 'a', 'c'; 'b', 'd' (2 such sets); merge each into one, such as 'a|c'"),
        ("test,a,b,c,d\nx,1,1,1,1\n", "apart: 'a', 'b', 'c', ... (1 such set)"),
        (
            "test," + ",".join("abcdefgh") + "\nx,1,1,2,2,3,3,4,4\n",
            "apart: 'a', 'b'; 'c', 'd'; 'e', 'f' (4 such sets)",
        ),
    ],
)
def test_secrets_that_nothing_tells_apart_are_named(text: str, words: str, tmp_path: Path) -> None:
    file = tmp_path / "twins.csv"
    file.write_text(text)
    with pytest.raises(GameError) as error:
        solve(parse(f"table:{file}"))
    assert words in str(error.value)
    assert "(table:FILE.csv,merge or merge=True does)" in str(error.value)
    assert "\n" not in str(error.value)


GOOD = "test,a,b,c,cost\nx,1,1,0,2\ny,0,1,0,0\nweight,5,1,9,\n"
BAD_FILES = [
    ("", "expected a first row of labels, then one row for each test"),
    ("\n\n , \n", "expected a first row of labels"),
    ("test\nx\n", "expected a first row of labels"),
    ("test,a,b\n", "then one row for each test"),
    ("test,a,b\nweight,1,2\n", "at least one test and one cause beside costs and weights"),
    ("test,cost\nx,1\n", "at least one test and one cause beside costs and weights"),
    (GOOD.replace("test,a,b", "test,a,a"), "line 1: the cause label 'a' is repeated"),
    (GOOD.replace("\ny,", "\nx,"), "line 3: the test label 'x' is repeated"),
    (GOOD.replace("c,cost", "cost,cost"), "line 1: the cause label 'cost' is repeated"),
    (GOOD + "weight,1,1,1,\n", "line 5: the test label 'weight' is repeated"),
    (GOOD.replace("weight,5", "weight,0"), "the weight of cause 'a' is '0'; expected a number above 0"),
    (GOOD.replace("weight,5", "weight,-5"), "the weight of cause 'a' is '-5'; expected a number above 0"),
    (GOOD.replace("weight,5", "weight,1 in 3"), "the weight of cause 'a' is '1 in 3'; expected a number"),
    (GOOD.replace("weight,5", "weight,inf"), "the weight of cause 'a' is 'inf'"),
    (GOOD.replace("weight,5", "weight,\u0663"), "the weight of cause 'a' is"),
    (GOOD.replace("weight,5", f"weight,{'9' * 18}"), "weights x costs x causes come to"),
    (GOOD.replace("weight,5", f"weight,{'9' * 41}"), "expected a number such as 15, 2.5, 1/3 or 12 %"),
    (
        "test,a,b,c\nx,1,2,3\nweight,900000000000000001,900000000000000002,900000000000000003\n",
        "less than 2^61",
    ),
    (GOOD.replace("0,2\n", "0,-2\n"), "line 2: the cost of test 'x' is '-2'; expected 0 or more"),
    (
        GOOD.replace("0,2\n", '0,"1,500"\n'),
        "of test 'x' is '1,500'; expected 1500 or 1.5, as it may be either",
    ),
    (
        GOOD.replace("0,2\n", f"0,{'9' * 18}\n").replace("1,0,0", "1,0,1"),
        "weights x costs x causes come to",
    ),
    (
        GOOD.replace("y,0,1,0", "y,0,,0"),
        "line 3: a cell is empty (test 'y', cause 'b'); expected an answer",
    ),
    (GOOD.replace("y,0,1,0", "y,0,0,0"), "no test tells these causes apart: 'a', 'b'"),
]
BAD_OPTIONS = [
    (["solve", "--objective", "win-probability"], "no budget; expected an integer from 0"),
    (
        ["solve", "--objective", "win-probability", "--budget", "-1"],
        "a budget of -1; expected a number from 0",
    ),
    (["solve", "--objective", "win-probability", "--budget", f"{1 << 61}"], "expected an integer from 0"),
    (["solve", "--objective", "win-probability", "--budget", "two"], "'two'; expected a number such as 15"),
    (["solve", "--objective", "win-probability", "--budget", "1O"], "('O' is a letter, not 0)"),
    (["solve", "--objective", "win-probability", "--budget", "2 h"], "or 12 %, without another unit"),
    (["solve", "--budget", "3"], "a budget of 3; use it with the objective win-probability"),
    (
        ["solve", "--candidates-only"],
        "or over 255 responses to a guess; use the goal win",
    ),
    (["solve", "--goal", "win"], "has no winning response; use the goal identify"),
    (["solve", "--win", "2"], "no cell holds the winning response '2'; the cells hold '1', '0'"),
    (["solve", "--first", "z"], "'z' is not a test"),
    (["bounds", "--objective", "win-probability"], "use expected or worst"),
]


def refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """Return the one line that a command says of bad input."""
    with pytest.raises(SystemExit) as exited:
        main(arguments)
    said = capsys.readouterr()
    assert (exited.value.code, said.out) == (2, "")
    assert said.err.startswith("guesstree: ") and said.err.count("\n") == 1
    return said.err


@pytest.mark.parametrize(("text", "words"), BAD_FILES)
@pytest.mark.parametrize("command", ["solve", "bounds"])
def test_bad_tables_are_one_clear_line(
    text: str, words: str, command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "bad.csv"
    file.write_text(text)
    assert words in refused([command, f"table:{file}"], capsys)


@pytest.mark.parametrize(("options", "words"), BAD_OPTIONS)
def test_bad_limits_of_a_table_are_one_clear_line(
    options: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "good.csv"
    file.write_text(GOOD)
    assert solve(parse(f"table:{file}")).optimal
    assert words in refused([options[0], f"table:{file}", *options[1:]], capsys)


def problems_in(text: str) -> list[str]:
    rows = [Placed(f"line {i}", line.split(",")) for i, line in enumerate(text.splitlines(), 1)]
    with pytest.raises(Problems) as error:
        read_table(Sheet("t.csv", rows), How())
    return error.value.lines


def test_all_that_is_wrong_is_named_at_once() -> None:
    text = "test,a,b,b,c,cost\nx,1,,2,3,5\ny,1,2,?,1,two\ny,2,2,1,1,3\nweight,1,2,0,many,\n"
    assert [line.partition("; expected")[0] for line in problems_in(text)] == [
        "line 1: the cause label 'b' is repeated",
        "line 4: the test label 'y' is repeated (first in line 3)",
        "line 3: the cost of test 'y' is 'two'",
        "line 5: the weight of cause 'c' is 'many'",
        "line 2: a cell is empty (test 'x', cause 'b')",
        "line 3: a cell is '?' (test 'y', cause 'b')",
    ]
    for cells in ("1", "1,"):  # too few, or an empty one
        lines = problems_in("test,a,b\n" + "".join(f"t{i},{cells}\n" for i in range(30)))
        assert len(lines) == MOST_PROBLEMS + 1 and lines[-1] == "... and 10 more"


def test_costs_are_called_by_the_unit_beside_them() -> None:
    rows = [Placed("", line.split(",")) for line in ("test,a,b,Dauer", "x,1,2,5 min", "y,1,1,2 min")]
    assert read_table(Sheet("t.csv", rows), How()).content.look.cost == "minutes"


def test_a_budget_that_is_rounded_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "half.csv"
    file.write_text(GOOD.replace("0,2\n", "0,1.5\n"))
    command = ["solve", f"table:{file}", "--objective", "win-probability", "--budget"]
    for budget, said in (("1.75", True), ("1.5", False)):
        with pytest.raises(SystemExit, match="0"):
            main([*command, budget])
        told = capsys.readouterr()
        assert "within a budget of 1.5" in told.out
        assert ("multiples of 1.5, so a budget of 1.75 is one of 1.5\n" in told.err) == said


def test_a_merged_label_that_exists_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "twins.csv"
    file.write_text("test,a,b,a|b\nx,1,1,2\n")
    with pytest.raises(GameError, match=r"line 1: the merged cause label 'a\|b' is repeated"):
        parse(f"table:{file},merge")
    with pytest.raises(GameError, match="the path of a CSV file"):
        parse("table:,merge")


@given(games(most_secrets=9, win=False))
def test_secrets_are_alike_where_no_guess_tells_them_apart(game: Game) -> None:
    table = game.table()
    group = np.unique(table, axis=1, return_inverse=True)[1].ravel()
    alike = Problem(game, OBJECTIVES["expected"]).alike
    assert (alike is None) == (len(set(group.tolist())) == len(group))
    if alike is not None:
        assert np.array_equal(alike[:, None] == alike, group[:, None] == group)


@pytest.mark.parametrize(
    ("label", "noun"),
    cases("test_tables", "test_units_of_time_and_currencies_are_counted_and_other_costs_named"),
)
def test_units_of_time_and_currencies_are_counted_and_other_costs_named(label: str, noun: str) -> None:
    assert read_heading(label).cost_noun == noun
    assert read_heading(label).kind == "cost" or label == "hour"  # of the day, more often


def test_a_column_of_numbers_without_a_weight_may_be_that_of_costs(tmp_path: Path) -> None:
    path = tmp_path / "faults.csv"
    path.write_text("test,fan,fuse,Spend\nbeep?,no,yes,2\nlamp?,on,off,1.5\nweight,3,1,\n", encoding="utf-8")
    line = r"line 4: the weight of cause 'Spend' is ''; .* or ,costs=Spend where its column says what"
    with pytest.raises(GameError, match=line):
        parse(f"table:{path}")
    assert parse(f"table:{path},costs=Spend").secrets == ("fan", "fuse")
