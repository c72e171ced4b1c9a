"""Tables with everything in them that may be wrong: one clear line, or a table that is read again."""

import csv
import io
import json
import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from effort import some_of

from guesstree.cli import main
from guesstree.engine.errors import MOST_PROBLEMS, GuesstreeError, Problems
from guesstree.engine.tables.canonical import canonical_form
from guesstree.engine.tables.lint import warnings_of
from guesstree.engine.tables.reading import read_file
from guesstree.engine.tables.rows import table_game
from guesstree.engine.tables.table import Content

ODD_NUMBERS = [
    "0",
    "-1",
    "x",
    "",
    "50 %",
    "3 min",
    "5 €",
    "1,5",
    "1e9",
    "9" * 20,
    "inf",
    "½",
    "1 1/2",
    "100%",
]
ODD_CELLS = [
    "",
    "?",
    "y/n",
    "y|n",
    "y:0.9/n:0.1",
    "y:0.9/n:0.2",
    "y:3/n:1",
    "fixed",
    "fixed:1/2|not:1/2",
    "a:",
    "/",
]
ODD_CELLS += ["y:0.5", "n/a", "km/h", "?:0.5/y:0.5", "y:0/n:1", "y:1/3/n:2/3", "weight", "+", "x"]
_LABELS = """test,cause,species,guess,secret,question,answer,value,cost,price,fee,minutes,€,Cost (EUR),
weight,prior,frequency,action?,cost?,test / cause,a|b,a/b,a:1/b:2,'q',"q",'=x,''-,=1+1,+,-1,@x,1,2.5,
12 %,1/3,1e3,?,NA,Q1,Q2,fever?,none,a;b,x; y,sep=;,',TRUE,t0 (2),decide,group,b/c,t,merge,ends=y"""
ODD_LABELS = _LABELS.replace("\n", "").split(",")
"""What a label may be that means something else elsewhere."""
COLUMNS = [
    [],
    ["cost"],
    ["cost", "group", "later"],
    ["group", "setup"],
    ["sensitivity", "specificity"],
    ["error"],
]
COLUMNS += [
    ["lapse", "after"],
    ["Cost (EUR)", "set-up", "Group"],
    ["minutes", "error rate", "error"],
    ["later"],
]
ROWS = [
    [],
    ["weight"],
    ["action"],
    ["decide p", "decide q"],
    ["action", "decide r"],
    ["prior"],
    ["decide", "Action"],
]
OPTIONS = ["cells=sets", "cells=labels", "missing=any", "ambiguous=clique", "ends=fixed", "ends=y", "wrong=5"]
OPTIONS += [
    "confidence=95%",
    "repeat=2",
    "error=5%",
    "lapse=10%",
    "lapses=1",
    "merge",
    "causes=rows",
    "win=y",
]
OPTIONS += ["causes=columns", "loss=loss.csv", "missing=label", "costs=none", "weights=none"]


def hostile(dice: random.Random) -> list[list[str]]:
    """Return a small table in which any cell, label or number may be odd, more or less often."""
    odd = dice.choice([0, 0, 0.02, 0.1, 0.3])
    tests, causes = (
        [other if dice.random() < odd else f"{own}{i}" for i, other in enumerate(dice.sample(ODD_LABELS, 3))]
        for own in "tc"
    )
    columns, rows = dice.choice(COLUMNS), dice.choice(ROWS)

    def number() -> str:
        return dice.choice(ODD_NUMBERS) if dice.random() < odd else dice.choice(["1", "2", "0.5", "1/4"])

    def beside(column: str) -> str:
        if column.casefold() == "group":
            return dice.choice(["g", "g", "h", ""])
        return dice.choice(["", "", *tests, "t0; t1", "zz"]) if column == "after" else number()

    grid = [[dice.choice(["test"] * 8 + ["", "species", causes[0]]), *causes, *columns]]
    for test in tests[: dice.randint(1, 3)]:
        usual = dice.choice(["yn", "yn", "12", "+-"])
        cells = [dice.choice(ODD_CELLS) if dice.random() < odd else dice.choice(usual) for _ in causes]
        grid.append([test, *cells, *map(beside, columns)])
    for row in rows:
        cells = [dice.choice("pq") if row.casefold() == "action" else number() for _ in causes]
        grid.append([row, *cells, *("1" if dice.random() < odd / 3 else "" for _ in columns)])
    return [list(column) for column in zip(*grid, strict=True)] if dice.random() < 0.2 else grid


@pytest.mark.parametrize(
    "seeds",
    [range(400), pytest.param(some_of(range(400, 30_000)), marks=pytest.mark.long)],
    ids=["some", "many"],
)
def test_hostile_tables_are_read_again_or_told_in_one_line(seeds: Sequence[int], tmp_path: Path) -> None:
    (tmp_path / "loss.csv").write_text("said,p,q\np,0,3\nq,4,0\n")
    file, again, read, refused = tmp_path / "t.csv", tmp_path / "tidy.csv", 0, 0
    for seed in seeds:
        dice = random.Random(seed)
        text = io.StringIO()
        csv.writer(text).writerows(hostile(dice))
        file.write_text(text.getvalue())
        options = "".join(f",{one}" for one in dice.sample(OPTIONS, dice.choice([0, 0, 1, 1, 2])))
        try:
            found = read_file(f"{file}{options}")
            table_game("table:t.csv", found.content)
        except GuesstreeError as error:
            told = error.lines if isinstance(error, Problems) else [str(error)]
            assert len(told) <= MOST_PROBLEMS + 1 and "\n" not in "".join(told) and all(told), seed
            continue
        read += 1
        lines = [
            *found.said,
            *found.model.lines,
            *found.model.notes,
            *(note.line for note in warnings_of(found.content)),
        ]
        assert not any("\n" in line for line in lines), seed
        try:
            tidy, needed = canonical_form(found.content)
        except GuesstreeError as error:  # a cause with numbers is called costs, and there are others
            assert str(error).endswith(" another label"), seed
            refused += 1
            continue
        again.write_text(tidy)
        assert read_file(f"{again}{needed}").content == found.content, seed
        assert not any(cell[:1] in "=+-@" for row in csv.reader(io.StringIO(tidy)) for cell in row if cell)
    assert read > 40 and refused * 500 <= read


def test_the_tidy_form_has_no_formulas_and_no_labels_that_mean_something_else(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"

    def read(table: str, options: str = "") -> tuple[str, str, tuple[str, ...]]:
        """Return the canonical form of a table, how it is read, and its causes, which are read again."""
        file.write_text(table)
        content = read_file(f"{file}{options}").content
        tidy, needed = canonical_form(content)
        file.write_text(tidy)
        assert read_file(f"{file}{needed}").content == content
        return tidy, needed, content.secrets

    assert read("test,=1+1,''=b\n@x,-,+\n") == ("test,'=1+1,''=b\n'@x,'-,'+\n", "", ("=1+1", "'=b"))
    assert read("test,test,fuse\nswap,on,dark\nlook,live,dead\n")[1:] == ("", ("test", "fuse"))
    tidy, needed, causes = read("test,a,cost,price\nx,u,v,2\ny,v,v,1\n", ",costs=price")
    assert (tidy.splitlines()[0], needed, causes) == ("test,a,cost,price", ",costs=price", ("a", "cost"))
    named = read("test,a,cost\nx,1,2\n", ",costs=none,wrong=5")
    assert (named[0], named[1]) == ("test,a,cost\nx,1,2\ndecide a,0,5\ndecide cost,5,0\n", ",costs=none")
    listed = read(",x,y\nresult,1,2\nspecies,2,1\n", ",causes=rows")
    assert (listed[0].splitlines()[0], listed[1]) == (",result,species", ",causes=columns")
    assert read("test,a,b\nx,1,2\n", ",missing=any,ambiguous=clique")[1] == ",missing=any,ambiguous=clique"
    odd = Content(("x",), ("a", "price"), (("1", "2"),), costs=(7,))
    with pytest.raises(GuesstreeError, match="would be read as another one; give 'price' another label"):
        canonical_form(odd)


def test_the_command_says_how_the_tidy_form_is_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = "test,a,b,error,group,setup\nt,x,y,0.1,g,2\nu,x,y,,g,\nweight (kg),5,2,,,\n"
    file, tidy = tmp_path / "t.csv", tmp_path / "tidy.csv"
    file.write_text(table)
    with pytest.raises(SystemExit, match="0"):
        main(["table", f"{file},wrong=10,cells=labels", "--out", str(tidy)])
    assert capsys.readouterr().out.endswith(f"\nwrote {tidy}; it is read as table:{tidy},cells=sets\n")
    assert tidy.read_text().splitlines()[-1] == "decide b,10,0,,,"
    with pytest.raises(SystemExit, match="0"):
        main(["table", f"{tidy},cells=sets", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert (found["groups"], found["costs"], found["later"]) == (["g", "g", None], [3, 3, 1], [1, 1, 1])
    assert (found["decisions"], found["losses"]) == (["a", "b"], [[0, 10], [10, 0]])
    assert found["told"] == ["groups: g (t 3, later 1; u 3, later 1)", "decisions: a, b; losses 0 to 10"]
