"""What stands above drawings: a title of one's own for each, and the name of the game in words."""

from __future__ import annotations

from pathlib import Path

import pytest

import guesstree
from guesstree import cli
from guesstree.engine.errors import GuesstreeError
from guesstree.engine.registry import title_of_spec
from guesstree.trees.export.heading import called

OWN = "Läuse & Co. <2026>"
SHOWN = OWN.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("park-trees.csv").write_text(
        "test,oak,beech,fir\nleaf,broad,broad,needle\nedge,lobed,smooth,smooth\n"
    )
    assert cli.run(["solve", "table:park-trees.csv,merge", "--out", "tree.json"]) == 0
    return tmp_path


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("table:park-trees.csv,merge,missing=any", "Park trees"),
        ("table:/home/me/v1.2_of lamps.xlsx", "V1.2 of lamps"),
        ("table:data", "Data"),
        ("table:.csv", "Table:.csv"),
        ("mastermind:4x6", "Mastermind 4x6"),
        ("balance:12,none", "Balance 12, none"),
        ("lock:3", "lock:3"),
    ],
)
def test_a_game_is_called_in_words(spec: str, name: str) -> None:
    assert title_of_spec(spec) == name


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    "words",
    [
        "solve mastermind:2x2 --render out.svg",
        "render tree.json out.svg",
        "render tree.json out.dot",
        "render tree.json out.html",
        "render tree.json out.svg --flowchart",
        "render tree.json out.txt --key",
        "render tree.json out.svg --dag",
        "graph mastermind:1x2 --out out.svg",
        "constructive mastermind:3x3 --secret 123 --render out.svg",
        "compare mastermind:2x2 --methods parts --plot out.svg",
        "breed evolve mastermind:2x2 --generations 1 --plot out.svg",
    ],
)
def test_each_drawing_takes_a_title(words: str) -> None:
    pytest.importorskip("pygraphviz")
    out = words[words.index("out.") :].partition(" ")[0]
    if "--plot" in words:
        pytest.importorskip("matplotlib")
    assert cli.run([*words.split(), "--title", OWN]) == 0
    text = Path(out).read_text(encoding="utf-8").replace("&#45;", "-").replace("&#160;", " ")
    # Matplotlib draws letters as shapes, with the text in a comment.
    assert any(form in text for form in (OWN, SHOWN, OWN.replace("&", "&amp;")))


@pytest.mark.usefixtures("files")
def test_a_drawing_is_called_by_the_table_and_may_leave_out_how_it_was_found(
    capsys: pytest.CaptureFixture[str],
) -> None:
    how = "goal: identify · objective: expected · method: exact · table:park-trees.csv,merge"
    capsys.readouterr()
    assert cli.run(["render", "tree.json", "-"]) == 0
    assert capsys.readouterr().out.splitlines()[:2] == ["Park trees", how]
    assert cli.run(["render", "tree.json", "-", "--no-parameters", "--title", "Which tree?"]) == 0
    first, second, *_ = capsys.readouterr().out.splitlines()
    assert first == "Which tree?" and second.startswith("3 causes · total 5")
    assert cli.run(["render", "tree.json", "page.html", "--no-parameters"]) == 0
    assert '"how":false' in Path("page.html").read_text()


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("solve mastermind:2x2 --title X", "--title 'X' stands above a drawing; use it with --render"),
        ("solve mastermind:2x2 --language de", "--language de is that of a drawing; use it with --render"),
        ("compare mastermind:2x2 --title X", "--title 'X' stands above a drawing; use it with --plot"),
        (f"render tree.json tree.svg --title {'x' * 301}", "a title of 301 characters; expected at most 300"),
        ("render tree.json list.csv --list --title X", "title means nothing to the style list"),
        ("render tree.json key.txt --key --no-parameters", "parameters means nothing to the style key"),
    ],
)
def test_a_title_that_cannot_be_is_refused(words: str, said: str) -> None:
    with pytest.raises(GuesstreeError) as error:
        cli.run(words.split())
    assert said in str(error.value)
    assert sorted(path.name for path in Path().iterdir()) == ["park-trees.csv", "tree.json"]


def test_a_game_of_ones_own_is_called_by_its_spec() -> None:
    game = guesstree.table({"x": {"a": "1"}, "y": {"a": "2"}}, rows="secrets", name="two-things")
    assert called(game) == "Two things"
