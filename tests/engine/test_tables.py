"""Tables from files: secrets that cannot be told apart, and what is refused."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import games

from guesstree.engine.errors import GameError
from guesstree.engine.game import check as check_game
from guesstree.engine.game import parse
from guesstree.engine.games.table import TableGame, merged
from guesstree.engine.search import solve
from guesstree.strategy import strategy_of
from guesstree.trees.check import check
from guesstree.trees.export import files

TWINS = "test,a,b,c,d,e\nx,1,0,1,0,1\ny,0,0,0,0,1\n"


@given(games(win=False), st.booleans(), st.data())
def test_merging_keeps_every_response_and_the_weight(
    game: TableGame, weighted: bool, data: st.DataObject
) -> None:
    cells = [[game.responses[r] for r in row] for row in game.table()]
    weights = [data.draw(st.integers(1, 9)) for _ in game.secrets] if weighted else None
    labels, few, sums = merged(game.secrets, cells, weights)
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
        with pytest.raises(GameError, match="no guess tells these secrets apart"):
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
        ("t,a,b,c,d\nx,1,1,1,1\n", "apart: 'a', 'b', 'c', ... (1 such sets)"),
        (
            "t," + ",".join("abcdefgh") + "\nx,1,1,2,2,3,3,4,4\n",
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
    assert "FILE.csv,merge" in str(error.value)
    assert "\n" not in str(error.value)


def test_a_merged_label_that_exists_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "twins.csv"
    file.write_text("t,a,b,a|b\nx,1,1,2\n")
    with pytest.raises(GameError, match=r"line 1: the merged secret label 'a\|b' is repeated"):
        parse(f"table:{file},merge")
    with pytest.raises(GameError, match="the path of a CSV file"):
        parse("table:,merge")
