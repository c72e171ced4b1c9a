"""Tables as people write models: error rates, groups, losses, repairs; and what they come to, exactly."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from guesstree.engine.errors import GameError
from guesstree.engine.games.rows import table_game
from guesstree.engine.games.table import Content
from guesstree.engine.masses import oracle
from guesstree.engine.sheets import Placed, Sheet
from guesstree.engine.tables.options import parse_options
from guesstree.engine.tables.reading import ReadTable, read_file, read_table
from guesstree.engine.tables.tidy import tidy_csv

DATA = Path(__file__).parents[1] / "data"
EXAMPLES: dict[str, Any] = json.loads((DATA / "masses.json").read_text())


def understood(rows: list[str], options: str = "", matrix: str = "") -> ReadTable:
    """Return how lines of CSV are read, with a matrix of losses beside them."""
    how = parse_options(f"t.csv{options}")[1]
    return read_table(sheet("t.csv", rows), how, None, sheet("loss.csv", matrix.split()) if matrix else None)


def sheet(source: str, rows: list[str]) -> Sheet:
    return Sheet(source, [Placed(f"line {i}", row.split(",")) for i, row in enumerate(rows, 1)])


def values(content: Content) -> tuple[str | None, str | None]:
    """Return the least expected cost and the least worst case of a table."""
    game = table_game("table:t.csv", content)
    assert game.model is not None
    found = oracle.expected(game.model), oracle.worst(game.model)
    first, second = (None if value is None else str(value * content.cost_unit) for value in found)
    return first, second


def refused(rows: list[str], options: str = "", matrix: str = "") -> str:
    """Return the line that is said of a table that makes no game."""
    with pytest.raises(GameError) as error:
        table_game("table:t.csv", understood(rows, options, matrix).content)
    assert "\n" not in str(error.value)
    return str(error.value)


def options_of(example: dict[str, Any]) -> str:
    return "".join(f",{key}={example[key]}" for key in ("ambiguous", "ends") if key in example)


@pytest.mark.parametrize("name", EXAMPLES)
def test_worked_examples_are_read_from_files_and_from_their_tidy_form(name: str, tmp_path: Path) -> None:
    example = EXAMPLES[name]
    file, options = tmp_path / "t.csv", ",cells=sets" + options_of(example)
    file.write_text("\n".join(example["rows"]))
    content = read_file(f"{file}{options}").content
    assert values(content) == (example["expected"], example["worst"])
    file.write_text(tidy_csv(content))
    assert read_file(f"{file}{options}").content == content
    turned = zip(*(row.split(",") for row in example["rows"]), strict=True)
    file.write_text("\n".join(map(",".join, turned)))
    assert read_file(f"{file}{options},causes=rows").content == content


D1 = ["test,a,b,c,d,cost,group,later", "b1,x,x,y,y,6,blood,1", "b2,x,y,x,y,6,blood,1", "q,x,x,y,y,4,,"]
NEEDLE = ["test,a,b,c,d,cost,group,set-up", "b1,x,x,y,y,1,blood,5", "b2,x,y,x,y,1,blood,", "q,x,x,y,y,4,,"]


def test_a_set_up_is_what_the_first_of_a_group_costs_more() -> None:
    found = understood(NEEDLE)
    assert found.content == understood(D1).content
    assert found.model.told == ("set-ups: blood 5 (b1, b2)",)
    assert values(found.content) == ("7", "7")
    half = understood([*NEEDLE[:3], "q,x,x,y,y,1/3,,"]).content
    assert (half.cost_unit, half.costs, half.later) == (Fraction(1, 3), (18, 18, 1), (3, 3, 1))
    alone = understood([NEEDLE[0], "b1,x,x,y,y,1,blood,5", "b2,x,y,x,y,1,x-ray,2"])
    assert alone.model.notes[0] == "group 'blood' has one test: there is no other to share with"


def test_tests_that_come_after_others_wait_for_them() -> None:
    found = understood(["test,a,b,cost,after", "look,x,y,1,open; light", "open,x,x,3,", "light,x,x,2,open"])
    assert found.content.after == (("open", "light"), (), ("open",))
    assert found.model.told == ("preconditions: look after open and light, light after open",)
    assert values(found.content) == ("6", "6")
    assert understood(["test,a,b,after", "x;y,1,2,z", "z,1,1,", "w,1,2,x;y"]).content.after[2] == ("x;y",)


ACTIONS = [
    "test,flat battery,bad cable,fuse,lamp",
    "horn,n,n,y,y",
    "radio,n,y,n,y",
    "action,garage,garage,self,self",
]


def test_causes_of_one_action_need_not_be_told_apart() -> None:
    found = understood(ACTIONS)
    assert found.content.decisions == ("garage", "self")
    assert values(found.content) == ("1", "1")
    assert values(understood(ACTIONS, ",wrong=2").content) == ("1", "1")
    assert values(understood(ACTIONS, ",wrong=1/2").content) == ("1/4", "1/2")
    towed = understood([*ACTIONS, "decide tow,1/8,1/8,1/8,1/8"], ",wrong=0.5")
    assert towed.model.told == ("decisions: garage, self, tow; losses 0 to 0.5",)
    assert values(towed.content) == ("1/8", "1/8")


def test_losses_stand_in_a_matrix_of_what_is_said_and_what_is_true() -> None:
    classes = ",garage,self\ngarage,0,3\nself,0.25,0"
    found = understood(ACTIONS, "", classes)
    assert values(found.content) == ("1/8", "1/4")
    c5 = EXAMPLES["c5"]
    causes = "said,a,b,c,d,e,f\nK,0,0,3,3,3,3\nL,1,1,0,0,1,1\nM,9,9,9,9,0,0"
    assert understood(c5["rows"][:4], "", causes).content == understood(c5["rows"]).content


def test_confidence_is_the_loss_at_which_no_test_pays_any_more() -> None:
    rows = [row for row in EXAMPLES["b3"]["rows"] if not row.startswith("decide")]
    found = understood(rows, ",cells=sets,confidence=90%")
    assert found.content == understood(rows, ",cells=sets,wrong=10").content
    assert values(found.content) == ("709/200", "10")
    assert found.model.notes[0].startswith(
        "confidence 90 %: a wrong decision loses 10, the cheapest test (1) over 10 %; so no test pays where "
        "the best decision is wrong with 10 % or less"
    )


LAPSES = ["test,a,b,c,d", "t1,x,x,y,y", "t2,x,y,x,y", "t3,x,y,y,y", "t4,x,y,y,x", "t5,x,x,x,y", "t6,x,x,y,x"]


@pytest.mark.parametrize(("lapses", "worst"), [(1, "3"), (2, "4")])
def test_tests_that_fail_to_answer_count_in_the_worst_case(lapses: int, worst: str) -> None:
    content = understood(LAPSES[: 3 + 2 * lapses], f",lapses={lapses}").content
    assert values(content) == ("2", worst)
