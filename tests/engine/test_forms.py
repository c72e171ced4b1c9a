"""Tables as people write models: error rates, groups, losses, repairs; and what they come to, exactly."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from cases import cases
from forms import understood
from hypothesis import given
from hypothesis import strategies as st

from guesstree.engine.errors import GameError
from guesstree.engine.noisy import oracle
from guesstree.engine.tables.canonical import canonical_form
from guesstree.engine.tables.cells import answers_of, cell_of
from guesstree.engine.tables.reading import read_file
from guesstree.engine.tables.rows import table_game
from guesstree.engine.tables.table import Content

DATA = Path(__file__).parents[1] / "data"
EXAMPLES: dict[str, Any] = json.loads((DATA / "noisy.json").read_text())
FORMS: dict[str, Any] = json.loads((DATA / "forms.json").read_text())
"""Some of the examples with columns and options in place of odds and losses."""


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
    return "".join(f",{key}={example[key]}" for key in ("ambiguous", "ends", "lapses") if key in example)


@pytest.mark.parametrize("name", EXAMPLES)
def test_worked_examples_are_read_from_files_and_from_their_tidy_form(name: str, tmp_path: Path) -> None:
    example = EXAMPLES[name]
    file, options = tmp_path / "t.csv", ",cells=sets" + options_of(example)
    file.write_text("\n".join(example["rows"]))
    content = read_file(f"{file}{options}").content
    expected, worst = values(content)
    assert worst == example["worst"] and (content.failures or expected == example["expected"])
    file.write_text(canonical_form(content)[0])
    assert read_file(f"{file}{options}").content == content
    turned = zip(*(row.split(",") for row in example["rows"]), strict=True)
    file.write_text("\n".join(map(",".join, turned)))
    assert read_file(f"{file}{options},causes=rows").content == content


@pytest.mark.parametrize("name", FORMS)
def test_worked_examples_are_read_from_rates_actions_and_set_ups(name: str) -> None:
    form, example = FORMS[name], EXAMPLES[name]
    found = understood(form["rows"], form.get("options", ""), form.get("loss", ""))
    assert values(found.content) == (example["expected"], example["worst"])
    tidy = canonical_form(found.content)[0].splitlines()
    assert values(understood(tidy, ",cells=sets").content) == (example["expected"], example["worst"])


D1 = ["test,a,b,c,d,cost,group,later", "b1,x,x,y,y,6,blood,1", "b2,x,y,x,y,6,blood,1", "q,x,x,y,y,4,,"]
NEEDLE = ["test,a,b,c,d,cost,group,set-up", "b1,x,x,y,y,1,blood,5", "b2,x,y,x,y,1,blood,", "q,x,x,y,y,4,,"]


def test_a_set_up_is_what_the_first_of_a_group_costs_more() -> None:
    found = understood(NEEDLE)
    assert found.content == understood(D1).content
    assert found.model.lines == ("set-ups: blood 5 (b1, b2)",)
    assert values(found.content) == ("7", "7")
    half = understood([*NEEDLE[:3], "q,x,x,y,y,1/3,,"]).content
    assert (half.cost_unit, half.costs, half.later) == (Fraction(1, 3), (18, 18, 1), (3, 3, 1))
    german = "Test,a,b,c,d,€,Gruppe,Rüstkosten"  # the tests are told apart from causes by their cells
    assert understood([german, *NEEDLE[1:]]).model.lines == found.model.lines
    alone = understood([NEEDLE[0], "b1,x,x,y,y,1,blood,5", "b2,x,y,x,y,1,x-ray,2"])
    assert alone.model.lines[1] == "group 'blood' has one test: there is no other to share with"


def test_tests_that_come_after_others_wait_for_them() -> None:
    found = understood(["test,a,b,cost,after", "look,x,y,1,open; light", "open,x,x,3,", "light,x,x,2,open"])
    assert found.content.after == (("open", "light"), (), ("open",))
    assert found.model.lines == ("preconditions: look after open and light, light after open",)
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
    assert towed.model.lines == ("decisions: garage, self, tow; losses 0 to 0.5",)
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
    assert found.model.notes == (
        "confidence 90 %: a wrong decision loses 10, the cheapest test (1) over 10 %",
    )
    assert found.model.lines[-1].startswith(
        "confidence: no test pays where the best decision is wrong with 10 % or less"
    )


def test_errors_are_read_into_the_cells_and_said() -> None:
    found = understood(
        ["test,a,b,c,error,lapse", "t,x,y,,20%,1/2", "u,x,y,z,,", "v,y,y,y,,"], ",missing=any,wrong=9"
    )
    half = Fraction(1, 2)
    game = table_game("table:t", found.content)
    assert game.model is not None
    x, y, silent = (game.responses.index(label) for label in "xy?")
    assert [dict(cell) for cell in game.model.chances[0]] == [
        {x: Fraction(2, 5), y: Fraction(1, 10), silent: half},
        {x: Fraction(1, 10), y: Fraction(2, 5), silent: half},
        {x: Fraction(1, 4), y: Fraction(1, 4), silent: half},
    ]
    assert found.model.lines == (
        "errors: error 0.2, failure rate 0.5: t",
        "repeats: none, as a test that errs would answer the same again (,repeat=2: each up to 2 times, "
        "independently)",
        "decisions: a, b, c; losses 0 to 9",
    )
    assert found.model.notes == ()
    spread = understood(["test,a,b,c,error", "t,x,y,z,0.1"], ",wrong=1").content.cells[0]
    assert spread[0] == "x:0.9/y:0.05/z:0.05"
    rates = ["test,a,b,c,sensitivity,specificity"]
    found = understood([*rates, "t,No,No,No,0.3,0.6", "u,1,0,1,1,1"], ",wrong=1")
    assert found.content.cells == (("No:0.6/Yes:0.4",) * 3, ("1", "0", "1"))
    assert found.model.notes[0].startswith("sensitivity and specificity of 't' add up to less than 1")
    found = understood([*rates, "t,y,n,y,0.9,1", "decide p,,0,0,,", "decide q,1,1,,,"])
    assert found.model.notes[0].startswith("tests err, and nothing wrong may be decided: ,wrong=N says what")


def test_shared_errors_leave_out_tests_that_end_a_path() -> None:
    rows = ["test,paper,cable", "clear it,fixed,not", "light,on,off", "power,on,on", "decide service,9,9"]
    found = understood(rows, ",ends=fixed,error=0.1,failure=1/4").content
    assert found.cells == (
        ("fixed", "not"),
        ("on:0.675/off:0.075/?:0.25", "on:0.075/off:0.675/?:0.25"),
        ("on:0.75/?:0.25",) * 2,
    )


def test_repeats_are_tests_of_their_own_one_after_the_other() -> None:
    rows = [
        "test,a,b,cost,group,setup,after,error",
        "t,x,y,2,g,3,u,0.1",
        "u,x,y,1,g,,,",
        "v,p:3/q:1,q,1,,,t,",
    ]
    found = understood(rows, ",cells=sets,repeat=3,wrong=9").content
    assert found.guesses == ("t", "t (2)", "t (3)", "u", "v", "v (2)", "v (3)")
    assert found.after == (("u",), ("t",), ("t (2)",), (), ("t",), ("v",), ("v (2)",))
    assert (found.costs, found.later) == ((5, 5, 5, 4, 1, 1, 1), (2, 2, 2, 1, 1, 1, 1))
    assert found.groups == ("g", "g", "g", "g", "", "", "")


YN = ["test,a,b", "x,yes,no"]
RATES = "test,a,b,sensitivity,specificity"
BAD = [
    (
        ["test,a,b,cost,group,later", "x,1,2,3,g,4"],
        "",
        "line 2: test 'x' costs 3 first and 4 later; expected",
    ),
    (
        ["test,a,b,group,setup", "x,1,2,g,4", "y,1,2,g,5"],
        "",
        "line 3: group 'g' costs 4 once by test 'x', and 5 by test 'y'; expected one set-up",
    ),
    (["test,a,b,group,setup", "x,1,2,,4", "y,1,2,g,5"], "", "line 2: 'setup' 4 of test 'x', which is in no"),
    (["test,a,b,group,setup,later", "x,1,2,g,4,1"], "", "'later' and 'setup' both say what a group saves"),
    (["test,a,b,group", "x,1,2,g"], "", "line 1: a column 'group' without what it saves; expected a column"),
    (["test,a,b,later", "x,1,2,1"], "", "line 1: a column 'later' without a column 'group'; expected both"),
    (
        ["test,a,b,group,later", "x,1,2,g,x"],
        "",
        "line 2: the later cost of test 'x' is 'x'; expected a number",
    ),
    (
        ["test,a,b,group,setup", "x,1,2,g,-1"],
        "",
        "line 2: the set-up of test 'x' is '-1'; expected 0 or more",
    ),
    (
        ["test,a,b,group,setup", "x,1,2,g,1", "y,1,2,h,"],
        "",
        "line 3: no set-up for the group 'h' of test 'y'",
    ),
    (
        ["test,a,b,after", "w,1,2,", "x,1,2,y", "y,1,2,x"],
        "",
        "line 3: 'x' after 'y' after 'x'; expected tests",
    ),
    (["test,a,b,after", "x,1,2,x"], "", "line 2: 'x' after 'x'; expected tests of which one can be asked"),
    (["test,a,b,after", "x-ray,1,2,xray"], "", "line 2: unknown test 'xray'; did you mean 'x-ray'?"),
    (["test,a,b,sensitivity", "x,y,n,0.9"], "", "line 2: test 'x' has a sensitivity and no specificity"),
    (
        [RATES, "x,y,n,0.9,1.2"],
        "",
        "line 2: the specificity of test 'x' is '1.2'; expected a probability such",
    ),
    ([RATES, "x,red,blue,0.9,0.9"], "", "line 2: sensitivity of test 'x', whose answers are 'red', 'blue'"),
    ([f"{RATES},error", "x,yes,no,0.9,0.9,0.1"], "", "line 2: test 'x' has a sensitivity and an error"),
    (
        ["test,a,b,error", "x,yes,no,1"],
        "",
        "line 2: the error of test 'x' is '1'; expected a probability below",
    ),
    (["test,a,b,error", "x,yes,yes,0.1"], "", "line 2: error of test 'x', whose only answer is 'yes'"),
    (["test,a,b,error", "x,km/h,mph,0.1"], "", "test 'x' has an answer 'km/h', beside tests that err"),
    (
        ["test,a,b", "x,y:0.9/n:0.2,n"],
        ",cells=sets",
        "line 2: the cell 'y:0.9/n:0.2' gives probabilities that",
    ),
    (
        ["test,a,b", "x,y:90%/n:20%,n"],
        ",cells=sets",
        "that add up to 110 %; expected 100 %, or whole numbers",
    ),
    (["test,a,b", "x,y:0.9/n,n"], ",cells=sets", "the cell 'y:0.9/n' says how likely some answers are"),
    (["test,a,b", "x,y:0.9,n"], ",cells=sets", "the cell 'y:0.9' says how likely some answers are; expected"),
    (["test,a,b", "x,y:0.9,n"], "", "line 2: 'y:0.9' (test 'x', cause 'a') may be a set of answers"),
    ([*YN, "action,p,"], "", "line 3: no action for the cause 'b'; expected one for each"),
    ([*YN, "decide,1,2"], "", "line 3: a decision has no name; expected such as 'decide repair'"),
    (
        [*YN, "decide p,1,-2"],
        "",
        "line 3: the loss of 'p' for 'b' is '-2'; expected a number from 0, or nothing",
    ),
    ([*YN, "decide p,1,lots"], "", "line 3: the loss of 'p' for 'b' is 'lots'; expected a number"),
    ([*YN, "decide p,5%,5%"], "", "line 3: the loss of 'p' for 'a' is '5%', and costs in none; expected"),
    ([*YN, "decide p,1,"], "", "nothing may be decided for 'b'; expected a loss for this cause"),
    (
        [*YN, "decide p,1,1"],
        ",wrong=3",
        "line 3: a row 'decide p' beside wrong= or confidence=; expected one",
    ),
    ([*YN, "action,p,q", "decide p,0,1"], "", "line 4: 'p' is said before; expected its losses once"),
    (["test,a,b,cost", "x,y,n,0"], ",confidence=95%", "95 % confidence where a test costs nothing"),
    (
        ["test,a,b,cost", "x,y,n,3 min", "decide p,1 €,1 €,"],
        "",
        "is '1 €', and costs in 'min'; expected the same",
    ),
    (YN, ",repeat=2", "repeat=2, and no test errs; expected columns 'sensitivity' and 'specificity', or"),
    (["test,a,b,error", "x,y,n,0.1", "x (2),y,n,0"], ",repeat=2", "a test 'x (2)' beside repeats"),
    (YN, ",ends=fixed", "no cell holds the answer 'fixed'; the cells hold 'yes', 'no'"),
    (YN, ",ends=yes,win=no", "a winning response 'no' in a table of several answers, losses or groups"),
    (["test,a,b", "x,y,?"], ",missing=label,lapses=1", "an answer '?' beside failures=1"),
    (YN, ",failure=0.1,lapses=1", "failure= (how likely a test fails to answer) and failures= (how many do"),
    (YN, ",wrong=5,merge", "merge beside decisions; expected it left out"),
    (["test,a,b", "x,y,?"], ",wrong=5,missing=any,ambiguous=clique", "ambiguous=clique beside decisions"),
    (
        ["test,a,b,group,Group,later", "x,y,n,g,h,1"],
        "",
        "line 1: 'group' and 'Group' both say the tests that",
    ),
    (
        ["test,a,b,cost", "x,y,n,3", "decide p,1,1,4"],
        "",
        "line 3: '4' where 'decide p' meets 'cost', which is",
    ),
    (
        ["test,a,b,error", "x,y,n,", "weight,1,1,0.2"],
        "",
        "line 3: '0.2' where 'error' meets 'weight', which is",
    ),
    (YN, ",wrong=-3", "wrong=-3; expected a number above 0, such as 20"),
    (YN, ",wrong=5%", "wrong=5%; expected a number above 0, such as 20, in the unit of the costs"),
    (
        YN,
        ",wrong=5,confidence=90%",
        "wrong= and confidence= both say what a wrong decision loses; expected one",
    ),
    (YN, ",confidence=95", "confidence=95; expected a probability above 0 and below 1, such as 95%"),
    (YN, ",repeat=0", "repeat=0; expected a whole number from 1 to 20"),
]


@pytest.mark.parametrize(("rows", "options", "words"), BAD)
def test_what_does_not_agree_is_one_line(rows: list[str], options: str, words: str) -> None:
    assert words in refused(rows, options)


@pytest.mark.parametrize(
    ("rows", "matrix", "words"),
    cases("test_forms", "test_a_matrix_that_does_not_fit_is_one_line"),
)
def test_a_matrix_that_does_not_fit_is_one_line(rows: list[str], matrix: str, words: str) -> None:
    assert words in refused(rows, "", matrix)


@pytest.mark.parametrize(
    ("cell", "chances"),
    [
        ("a|b", {"a": "1/2", "b": "1/2"}),
        ("a:1/3|b:2/3", {"a": "1/3", "b": "2/3"}),
        ("a:1/3/b:2/3", {"a": "1/3", "b": "2/3"}),
        ("red:3 | yellow:1", {"red": "3/4", "yellow": "1/4"}),
        ("a: 12.5 %/b: 87.5 %", {"a": "1/8", "b": "7/8"}),
        ("x:1", {"x:1": "1"}),
        ("12:30", {"12:30": "1"}),
    ],
)
def test_cells_are_read_and_written_as_they_were(cell: str, chances: dict[str, str]) -> None:
    found = answers_of(cell)
    assert found == {answer: Fraction(chance) for answer, chance in chances.items()}
    assert answers_of(cell_of(found)) == found


@given(
    st.dictionaries(
        st.sampled_from(["a", "b", "c:1", "d:0.5", "50 %", "7"]),
        st.fractions(min_value=Fraction(1, 50), max_value=50, max_denominator=50),
        min_size=2,
    )
)
def test_any_probabilities_are_written_so_that_they_are_read_again(odds: dict[str, Fraction]) -> None:
    chances = {answer: number / sum(odds.values()) for answer, number in odds.items()}
    assert answers_of(cell_of(chances)) == chances
