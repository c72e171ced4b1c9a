"""Tables as people bring them: what is found out, what is said, and what is refused with a way out."""

import json
import random
import re
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import pytest
from cases import cases
from hypothesis import given
from hypothesis import strategies as st

from guesstree.cli import main
from guesstree.engine.errors import GameError
from guesstree.engine.exact import NoNumber, read_numbers, scaled
from guesstree.engine.registry import parse
from guesstree.engine.search.solve import solve
from guesstree.engine.sheets import Placed, Sheet
from guesstree.engine.sheets.sheet import framed
from guesstree.engine.tables.bins import cut_points, put_in_classes
from guesstree.engine.tables.canonical import canonical_form
from guesstree.engine.tables.lint import near_pairs, warnings_of
from guesstree.engine.tables.options import How, parse_options
from guesstree.engine.tables.orientation import shape_side
from guesstree.engine.tables.reading import ReadTable, read_file, read_table
from guesstree.engine.tables.rows import table_game
from guesstree.engine.tables.sets import sets_among
from guesstree.engine.tables.table import Content
from guesstree.trees.check import check
from guesstree.trees.export import files

ANIMALS = "species,legs,wings\nspider,8,no\nbee,6,yes\ndog,4,no\n"


def understood(text: str, options: str = "", said: tuple[str, ...] = ()) -> ReadTable:
    """Return how a table is read whose cells stand between commas, or semicolons."""
    between = ";" if "semicolons" in said else ","
    rows = [Placed(f"line {i}", line.split(between)) for i, line in enumerate(text.splitlines(), 1)]
    return read_table(Sheet("t.csv", rows, said), parse_options(f"t.csv{options}")[1])


# -- numbers -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("texts", "numbers", "unit"),
    cases("test_reading", "test_numbers_are_read_exactly"),
)
def test_numbers_are_read_exactly(texts: list[str], numbers: list[str], unit: str) -> None:
    assert read_numbers(texts) == (list(map(Fraction, numbers)), unit)


@pytest.mark.parametrize(
    ("texts", "comma", "index", "words"),
    cases("test_reading", "test_what_is_no_number_or_may_be_two_is_named"),
)
def test_what_is_no_number_or_may_be_two_is_named(
    texts: list[str], comma: bool, index: int, words: str
) -> None:
    with pytest.raises(NoNumber) as error:
        read_numbers(texts, comma=comma)
    assert error.value.index == index and words in str(error.value)


@given(st.lists(st.fractions(min_value=0, max_denominator=1000), min_size=1))
def test_scaled_numbers_are_the_numbers(numbers: list[Fraction]) -> None:
    counts, unit = scaled(numbers)
    assert [count * unit for count in counts] == numbers
    assert unit == 1 or unit.denominator > 1 or max(numbers) >= 10**9


def test_large_integers_are_counted_in_a_unit_of_their_own() -> None:
    assert scaled([Fraction(10**18), Fraction(10**20)]) == ((1, 100), Fraction(10**18))
    assert scaled([Fraction(0), Fraction(0)]) == ((0, 0), Fraction(1))
    found = understood(f"test,a,b,c,cost\nx,1,2,2,{10**18}\ny,1,1,2,{10**20}\n").content
    game = table_game("table:t", found)
    assert game.cost_text(solve(game).upper[0]) == str(3 * 10**18 + 2 * 10**20)


# -- orientation -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "causes", "why"),
    cases("test_reading", "test_where_the_causes_are_is_found_out_and_said"),
)
def test_where_the_causes_are_is_found_out_and_said(text: str, causes: str, why: str) -> None:
    found = understood(text)
    assert found.causes == causes
    assert found.said[:1] == ((f"causes in rows ({why})",) if why else found.said[:1])
    assert why or not any("causes" in one for one in found.said)


def test_answers_tell_where_the_causes_are_and_yes_and_no_do_not() -> None:
    draw = random.Random(5)
    words = [["yes", "no"], ["red", "green", "blue"], ["2", "4", "6"], ["round", "flat"], ["yes", "no"]]
    rows = [["", *(f"x{i}" for i in range(5))]]
    rows += [[f"y{j}", *(draw.choice(kinds) for kinds in words)] for j in range(12)]
    placed = [Placed("", row) for row in rows]
    assert shape_side(placed) == "rows"
    turned = [Placed("", list(column)) for column in zip(*rows, strict=True)]
    assert shape_side(turned) == "columns"
    for seed in range(40):
        draw = random.Random(seed)
        size = draw.randint(2, 12), draw.randint(2, 12)
        alike = [
            [f"{i} {j}" if 0 in (i, j) else draw.choice("ab") for i in range(size[0])] for j in range(size[1])
        ]
        assert shape_side([Placed("", row) for row in alike]) == ""


def test_a_table_that_could_be_either_is_refused_until_it_is_told() -> None:
    text = ",a,b,c\nx,yes,no,no\ny,no,yes,no\n"
    with pytest.raises(GameError) as error:
        understood(text)
    assert str(error.value) == (
        "t.csv: could be read with causes in rows ('x', 'y'; tests 'a', 'b', ... 3 in all) or with causes in "
        "columns ('a', 'b', ... 3 in all; tests 'x', 'y'); add ,causes=rows or ,causes=columns"
    )
    assert understood(text, ",causes=rows").content.secrets == ("x", "y")
    assert understood(text, ",causes=columns").content.secrets == ("a", "b", "c")
    with pytest.raises(GameError, match=r"there is one cause\) or .*, costs in column 'price'\)"):
        understood("product,colour,price\na,red,3\nb,blue,9\n")
    with pytest.raises(GameError, match="could be read with causes in rows"):  # a price alone does not tell
        understood(",leaf,bark,price\noak,round,rough,40\nbeech,oval,smooth,25\nholly,oval,rough,30\n")
    with pytest.raises(GameError, match=r"costs in column 'cost'.*add ,causes=rows or"):
        understood("species,x,y,cost\na,no,yes,1\nb,yes,no,2\n")


def test_costs_do_not_turn_a_list_of_things_that_have_a_price() -> None:
    kinds = [["scifi", "drama", "comedy"], ["US", "FR", "DE"], ["colour", "grey"], ["long", "short"]]
    films = [f"film {i},{','.join(kind[i % 7 % len(kind)] for kind in kinds)},{90 + i}" for i in range(15)]
    text = "\n".join([",genre,country,picture,length,minutes", *films, ""])
    with pytest.raises(GameError, match=r"answers keep to columns\) or .*costs in column 'minutes'\)"):
        understood(text)
    assert understood(text, ",causes=rows").content.guesses[-1] == "minutes"
    assert understood(text, ",costs=minutes").causes == "columns"
    assert understood(f"test{text}").causes == "columns"


def test_long_forms_are_spread_out() -> None:
    wide = understood("disease,fever,cough\nflu,yes,no\ncold,no,\n", ",missing=any").content
    long = "answer,symptom,disease\nyes,fever,flu\nno,cough,flu\nno,fever,cold\n"
    found = understood(long, ",missing=any")
    assert found.content == wide
    assert found.said == ("long form", "causes in rows (corner 'disease / symptom')")
    assert (found.content.look.secret, found.content.look.guess) == ("disease", "symptom")
    listed = understood("disease,symptom\nflu,fever\nflu,cough\ncold,cough\n")
    assert listed.content.cells == (("yes", "no"), ("yes", "yes"))
    with pytest.raises(
        GameError, match="line 5: 'flu' and 'fever' are there already, with 'yes'; expected each"
    ):
        understood(f"{long}no,fever,flu\n")


# -- margins -----------------------------------------------------------------------------------------------


def test_costs_and_weights_are_found_by_what_they_are_called() -> None:
    text = "Test;A;B;Zeit [min]\nx;no;yes;1,5\ny;yes;yes;0,25\nWahrscheinlichkeit;75 %;25 %;\n"
    found = understood(text, said=("semicolons",))
    content = found.content
    assert (content.costs, content.cost_unit) == ((6, 1), Fraction(1, 4))
    assert (content.weights, content.weight_unit) == ((3, 1), Fraction(1, 4))
    assert (found.costs, found.weights, content.look.cost) == ("Zeit [min]", "Wahrscheinlichkeit", "minutes")
    assert found.said[1:] == ("costs from 'Zeit [min]'", "weights in percent from 'Wahrscheinlichkeit'")
    over = understood(text.replace("25 %", "62,5 %"), said=("semicolons",)).said[-1]
    assert over == "weights in percent from 'Wahrscheinlichkeit', which add up to 137.5 %"
    less = understood("test,a,b\nx,1,2\nprior,0.5,0.4\n").said
    assert less == ("weights from 'prior', which add up to 0.9, not 1",)
    kilograms = understood("species,legs,weight (kg)\nbee,6,0.1\ndog,4,20\n")
    assert kilograms.content.guesses == ("legs", "weight (kg)")
    assert understood("test,a,b\nduration,long,short\n").content.costs is None


def test_a_unit_is_on_all_numbers_or_named_above_them_and_said() -> None:
    rows = "test,a,b,cost\nx,1,2,5 min\ny,2,1,1 minute\n"
    assert understood(rows).said == ("costs in min from 'cost'",)
    assert understood(rows.replace("cost", "cost [min]")).said == ("costs in min from 'cost [min]'",)
    points = understood("test,a,b,cost (points)\nx,1,2,5 points\ny,2,1,1 points\n")
    assert (points.said, points.content.costs) == (("costs in points from 'cost (points)'",), (5, 1))
    for change, words in (
        (
            ("5 min", "2h"),
            "line 3: the cost of test 'y' is '1 minute'; expected the same unit for all, as in",
        ),
        (("5 min", "5"), "line 2: the cost of test 'x' is '5'; expected the same unit for all, as in '1 min"),
        (
            ("cost", "hours"),
            "line 2: the cost of test 'x' is '5 min', and 'hours' says 'hours'; expected the",
        ),
        (("5 min\ny,2,1,1 minute", "1.5k\ny,2,1,2k"), "that its label names, as in 'cost [k]'"),
    ):
        with pytest.raises(GameError, match=re.escape(words)):
            understood(rows.replace(*change))


@pytest.mark.parametrize(
    ("text", "options", "words"),
    cases("test_reading", "test_letters_beside_numbers_are_refused_by_name"),
)
def test_letters_beside_numbers_are_refused_by_name(text: str, options: str, words: str) -> None:
    with pytest.raises(GameError, match=words):
        understood(text, options)


def test_a_column_of_costs_without_numbers_is_no_cause_unless_told() -> None:
    text = "test,a,b,price\nx,1,2,low\ny,2,1,high\n"
    with pytest.raises(GameError) as error:
        understood(text)
    number = "expected a number such as 15, 2.5, 1/3 or 12 %, or ,costs=none where 'price' is a cause"
    assert str(error.value).splitlines() == [
        f"line 2: the cost of test 'x' is 'low'; {number}",
        f"line 3: the cost of test 'y' is 'high'; {number}",
    ]
    assert understood(text, ",costs=none").content.secrets == ("a", "b", "price")
    assert understood("species,a,price\nx,1,low\ny,2,high\n").content.guesses == ("a", "price")


def test_two_lines_of_costs_are_refused_until_one_is_told() -> None:
    text = "test,a,b,price,minutes\nx,1,2,5,1\ny,2,2,1,9\n"
    with pytest.raises(
        GameError, match="'price' and 'minutes' both say costs; expected one, which ,costs=price"
    ):
        understood(text)
    found = understood(text, ",costs=minutes")
    assert (found.content.costs, found.content.secrets) == ((1, 9), ("a", "b"))
    assert "'price' left out" in found.said
    assert understood(text, ",costs=none").content.secrets == ("a", "b", "price", "minutes")
    with pytest.raises(GameError, match="nothing is labelled 'effort'; expected the costs of costs=effort"):
        understood(text, ",costs=effort")


def test_what_is_solved_with_decimals_is_what_is_solved_with_integers(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text("test,a,b,c,cost\nx,1,1,2,2.5\ny,1,2,2,1/2\nweight,50%,30%,20%,\n")
    game = parse(f"table:{file}")
    assert (game.cost_unit, game.weight_unit) == (Fraction(1, 2), Fraction(1, 10))
    assert game.weights == (5, 3, 2)
    found = solve(game)
    file.write_text("test,a,b,c,cost\nx,1,1,2,5\ny,1,2,2,1\nweight,5,3,2,\n")
    assert found.upper == solve(parse(f"table:{file}")).upper == (35,)
    assert "1.75 proven" in repr(found)
    file.write_text("test,a,b,cost\nx,1,2,0.0000001\ny,2,1,1000000.0000001\nweight,900000000000.5,1,\n")
    words = r"weights x costs x causes come to [0-9]{26} in units of 1/10000000 and 1/2"
    with pytest.raises(GameError, match=words):
        parse(f"table:{file}")


def test_units_and_words_travel_with_a_strategy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    table = "symptom / disease,a,b,c,Zeit [min]\nx,1,1,2,2.5\ny,1,2,2,1/2\nprior,50%,30%,20%,\n"
    Path("t.csv").write_text(table)
    with pytest.raises(SystemExit, match="0"):
        main(["solve", "table:t.csv", "--out", "t.json", "--json"])
    costs = json.loads(capsys.readouterr().out)["costs"]
    assert (costs["total"], costs["cost_unit"], costs["weight_unit"]) == (35, "1/2", "1/10")
    assert costs["shown"] == {
        "weight": "1",
        "total": "1.75",
        "average": "1.7500",
        "exact": "7/4",
        "worst": "3",
    }
    held = json.loads(Path("t.json").read_text())
    assert held["table"]["names"] == {"secret": "disease", "guess": "symptom", "cost": "minutes"}
    assert held["summary"]["costs"] == {"weight": 10, "total": 35, "average": 3.5, "exact": "7/2", "worst": 6}
    with pytest.raises(SystemExit, match="0"):
        main(["prove", "table:t.csv", "--out", "t.proof"])
    *_, unit, verdict = capsys.readouterr().out.splitlines()
    assert unit == "  1 in the certificate is 0.05 minutes here"
    assert "costs at least 35" in verdict
    with pytest.raises(SystemExit, match="0"):
        main(["verify", "t.proof", "--strategy", "t.json"])
    assert "the least total is 35 (1 in the certificate is 0.05 minutes here)" in capsys.readouterr().out
    Path("t.csv").rename("moved.csv")
    game, strategy = files.read(Path("t.json"))
    assert check(game, strategy).valid
    assert (game.look.secret, game.look.cost, game.cost_text(5)) == ("disease", "minutes", "2.5")
    tidy = canonical_form(read_file("moved.csv").content)[0]
    assert tidy.splitlines()[::3] == ["symptom / disease,a,b,c,minutes", "weight,0.5,0.3,0.2,"]
    with pytest.raises(SystemExit, match="0"):
        main(["solve", "table:moved.csv", "--objective", "win-probability", "--budget", "2,5"])
    said = capsys.readouterr().out.splitlines()
    assert said[1] == "  wins 50.00 % within a budget of 2.5"
    assert said[2] == "  minutes: average 1.7500, worst case 3"
    assert said[3].startswith("  symptoms: total 5 over 3 diseases, average 1.6667")


# -- cells -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answers", "found"),
    [
        (["4", "5", "4/5"], ("4/5", "")),
        (["red", "blue", "red|blue"], ("red|blue", "")),
        (["yes", "Yes:0.98/No:0.02"], ("Yes:0.98/No:0.02", "")),
        (["red", "red/brown", "brown/black"], ("red/brown", "")),
        (["red", "red/brown", "blue"], ("", "red/brown")),
        (["red/brown", "brown/black"], ("", "red/brown")),
        (["1", "1/2", "2/3"], ("1/2", "")),
        (["red", "green/brown"], ("", "")),
        (["n/a", "yes", "no"], ("", "")),
        (["km/h", "miles"], ("", "")),
        (["1/2", "1/3", "2/3"], ("", "")),
        (["12:30/13:00", "8:15"], ("", "")),
        (["01/02/2024", "03/04/2024"], ("", "")),
        (["and/or", "/", "a/"], ("", "")),
    ],
)
def test_sets_are_told_from_labels(answers: list[str], found: tuple[str, str]) -> None:
    assert sets_among(answers) == found


def test_sets_and_unknown_cells_are_never_labels_unless_told() -> None:
    sets = "character,a,b,c\npetals,4,5,4/5\n"
    with pytest.raises(GameError) as error:
        understood(sets)
    assert str(error.value) == (
        "line 2: '4/5' (test 'petals', cause 'c') is a set of answers; add ,cells=sets (a cause may give "
        "any of them) or ,cells=labels (one answer of that name)"
    )
    assert understood(sets, ",cells=labels").content.cells == (("4", "5", "4/5"),)
    assert understood(sets.replace("4/5", "4 | 5"), ",cells=sets").content.cells == (("4", "5", "4/5"),)
    with pytest.raises(GameError, match=r"line 2: .*'4/4' repeats an answer.* \(test 'petals'\)"):
        understood(sets.replace("4/5", "4/4"), ",cells=sets")
    unknown = "test,a,b,c\nx,1,?,2\ny,NA,1,2\n"
    with pytest.raises(GameError, match=r"line 2: a cell is '\?' \(test 'x', cause 'b'\).*,missing=label"):
        understood(unknown)
    found = understood(unknown, ",missing=any")
    assert (found.content.cells, found.empty) == ((("1", "", "2"), ("", "1", "2")), 2)
    assert understood(unknown, ",missing=label").content.cells[0] == ("1", "?", "2")


# -- options -----------------------------------------------------------------------------------------------


def test_options_stand_in_any_order() -> None:
    path, how = parse_options("a,b.csv,bins=3,missing=any,sheet=My table,merge,cuts=x:1;2.5,cuts=y z:4")
    assert path == "a,b.csv"
    cuts = (("x", (Fraction(1), Fraction(5, 2)), ""), ("y z", (Fraction(4),), ""))
    assert how == How(merge=True, missing="any", bins=3, sheet="My table", cuts=cuts)
    assert parse_options("t.csv,win=1,0")[1].win == "1,0"


@pytest.mark.parametrize(
    ("text", "words"),
    cases("test_reading", "test_bad_options_are_named"),
)
def test_bad_options_are_named(text: str, words: str) -> None:
    with pytest.raises(GameError) as error:
        parse_options(text)
    assert words in str(error.value)


# -- classes -----------------------------------------------------------------------------------------------


@given(st.lists(st.fractions(max_denominator=50), min_size=1, max_size=40), st.integers(2, 5))
def test_classes_are_of_counts_as_equal_as_ties_allow(values: list[Fraction], classes: int) -> None:
    cuts = cut_points(values, classes)
    assert cuts == sorted(set(cuts)) and len(cuts) < classes
    texts = list(map(str, values))
    found = put_in_classes(texts, dict(zip(texts, values, strict=True)), cuts) if cuts else []
    assert len(set(found)) == (len(cuts) + 1 if cuts else 0)
    if len(set(values)) == len(values) >= classes:
        counts = [found.count(label) for label in set(found)]
        assert len(counts) == classes and max(counts) - min(counts) <= 1


def test_measurements_are_cut_where_it_is_short_and_said() -> None:
    text = "species,size\n" + "".join(f"s{i},{x}\n" for i, x in enumerate([0.31, 1.2, 7, 11.5, 40, 45]))
    found = understood(text, ",bins=3")
    assert found.content.cells == (("< 4", "< 4", "4 to 26", "4 to 26", ">= 26", ">= 26"),)
    assert found.said[-1] == "1 test cut into classes"
    assert understood(text, ",cuts=size:1.2;40").content.cells[0][1:5] == ("1.2 to 40",) * 3 + (">= 40",)
    with pytest.raises(GameError, match="no test is labelled 'length'"):
        understood(text, ",cuts=length:3")
    with pytest.raises(GameError, match="no test has more than 9 different numbers for bins=9"):
        understood(text, ",bins=9")


def test_names_of_groups_above_the_labels_are_left_out() -> None:
    def sheet(text: str) -> Sheet:
        rows = [Placed(f"line {i}", line.split(",")) for i, line in enumerate(text.split(), 1)]
        return framed("t", rows, ())

    for heading in (
        ",,electrical,,mechanical,\ntest,minutes,motor,fuse,belt,valve",
        "test,minutes,electrical,electrical,mechanical,mechanical\ntest,minutes,motor,fuse,belt,valve",
        "test,minutes,electrical,,mechanical,\n,,motor,fuse,belt,valve",
    ):
        found = read_table(sheet(heading + "\nhums,1,no,no,yes,yes\nfuse,3,ok,open,ok,ok\n"), How())
        assert found.said == ("'electrical' left out", "'mechanical' left out", "costs from 'minutes'")
        assert found.content.secrets == ("motor", "fuse", "belt", "valve")
    for text in (
        ",a,,b\nx,1,2,3\ny,1,1,2",
        ",a,,b\nx,on,off,low\ny,on,off,on",
        "test,a,,b\nx,on,off,low\ny,1,2,3",
    ):
        assert sheet(text).said == (), "a label is missing"


# -- warnings ------------------------------------------------------------------------------------------------


def test_what_smells_is_named() -> None:
    content = understood(
        "test,English oak,Englisch oak,ash,elm,beech\nleaf,simple,simple,compound,compuond,simple\n"
        "edge,Lobed,Lobed,lobed,smooth,Lobed\nalive,yes,yes,yes,yes,yes\nsize,1.5,1.5,2.25,3.5,8\n"
        "weight of leaf,1,1,2.5,3,4.5\n"
    ).content
    assert [note.line for note in warnings_of(content)] == [
        "no test tells these causes apart: 'English oak', 'Englisch oak'; ,merge makes one of each set, "
        "which leaves 4",
        "'Lobed' and 'lobed' differ only in case or spaces (answers to 'edge')",
        "'alive' tells nothing: all answer 'yes'",
        "'English oak' and 'Englisch oak' are nearly equal (causes)",
        "'compound' and 'compuond' are nearly equal (answers to 'leaf')",
    ]
    measured = understood("species,size\n" + "".join(f"s{i},{i}.5\n" for i in range(6))).content
    assert [note.line for note in warnings_of(measured)] == [
        "'size' has 6 different numbers, as if measured; ,bins=3 makes classes of them, ,cuts=size:A;B cuts "
        "at A and B"
    ]


def test_numbers_written_twice_and_letters_of_two_alphabets_are_told() -> None:
    def warnings(text: str) -> list[str]:
        return [note.text for note in warnings_of(understood(text).content)]

    assert warnings("test,1,01,b\nx,1,1.0,2\ny,1e3,1000,50 %\nz,0.5,.5,2\n") == [
        "'1' and '1.0' are the same number (answers to 'x')",
        "'1e3' and '1000' are the same number (answers to 'y')",
        "'0.5' and '.5' are the same number (answers to 'z')",
        "1 more pairs are the same but for how they are written",
    ]
    assert warnings("test,A,\u0410\nx,no,n\u043e\ny,yes,n\u043e\n") == [
        "'no' and 'n\u043e' look alike, with letters of two alphabets (answers to 'x')",
        "'n\u043e' has letters of two alphabets that look alike (answers to 'y')",
        "'A' and '\u0410' look alike, with letters of two alphabets (causes)",
    ]
    russian = "\u043d\u0435\u0442,\u0434\u0430"
    assert not warnings(f"test,a,b\nx,{russian}\ny,gr\u00fcn,\u0394t\nz,1/3,0.3\n")


@pytest.mark.parametrize(
    ("labels", "found"),
    cases("test_reading", "test_nearly_equal_labels"),
)
def test_nearly_equal_labels(labels: list[str], found: bool) -> None:
    assert near_pairs(labels) == ([tuple(labels)] if found else [])


def test_short_answers_are_slips_where_others_are_written_often() -> None:
    def warnings(text: str) -> list[str]:
        return [note.text for note in warnings_of(understood(text).content) if "nearly" in note.text]

    assert warnings("test,a,b,c\nhums?,yes,no,yes\nturns?,yes,no,yess\n") == [
        "'yes' and 'yess' are nearly equal (answers to 'turns?')"
    ]
    assert warnings("test,a,b,c\nhums?,yes,no,yes\nturns?,yes,no,yse\n") == [
        "'yes' and 'yse' are nearly equal (answers to 'turns?')"
    ]
    assert not warnings("test,a,b,c\nheat,hot,cold,hot\nplace,hot,cold,hat\n"), "another word"
    assert not warnings("test,a,b,c\nhums?,yes,no,no\nturns?,yes,no,yess\n"), "not written often"


# -- the canonical form ------------------------------------------------------------------------------------

NAMES = ["a", "b c", "d,e", 'f"g', "Hü", "i?", "x=1", "Test", "weight (kg)", "1"]


@st.composite
def contents(draw: st.DrawFn) -> Content:
    """Draw a table with exact costs and weights, and hostile labels."""
    tests = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=5, unique=True))
    causes = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=5, unique=True))
    cells = tuple(
        tuple(draw(st.sampled_from(["yes", "no", "1.5", "-", "n,o"])) for _ in causes) for _ in tests
    )
    numbers = st.fractions(min_value=Fraction(1, 99), max_value=99, max_denominator=99)

    def margin(labels: Sequence[str]) -> tuple[tuple[int, ...] | None, Fraction]:
        if draw(st.booleans()):
            return None, Fraction(1)
        return scaled([draw(numbers) for _ in labels])

    (weights, weight_unit), (costs, cost_unit) = margin(causes), margin(tests)
    return Content(tuple(tests), tuple(causes), cells, weights, costs, None, cost_unit, weight_unit)


@given(contents())
def test_the_tidy_form_is_read_as_the_same_table(
    tmp_path_factory: pytest.TempPathFactory, table: Content
) -> None:
    file = tmp_path_factory.getbasetemp() / "tidy.csv"
    file.write_text(canonical_form(table)[0], encoding="utf-8")
    found = read_file(str(file))
    assert found.content == table
    assert canonical_form(found.content)[0] == canonical_form(table)[0]


def test_warnings_come_where_causes_may_be_named_together(tmp_path: Path) -> None:
    path = tmp_path / "f.csv"
    path.write_text("test,a,b,c,d\nx,yes/no,yes,yes,no\ny,,yes,yes,no\nz,yes,yes,yes,Yes\n", encoding="utf-8")
    assert any("only in case" in note for note in parse(f"table:{path},cells=sets,ambiguous=clique").notes)
