"""Tables from Python with error rates, groups and losses: keywords say what lines of files say."""

from collections.abc import Callable
from inspect import signature
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cases import cases
from forms import understood

import guesstree
from guesstree.engine.errors import GameError
from guesstree.engine.tables.options import KEYWORDS, OLD_NAMES, OPTIONS, How, parse_options
from guesstree.engine.tables.table import TableGame

BLOOD: dict[str, Any] = {
    "b1": {"a": "x", "b": "x", "c": "y", "d": "y"},
    "b2": {"a": "x", "b": "y", "c": "x", "d": "y"},
}
SWAB: dict[str, Any] = {"swab": {"ill": "+", "well": "-"}}
GIVEN: dict[str, tuple[list[str], str, str, Callable[[], Any]]] = {
    "set-ups": (
        ["test,a,b,c,d,cost,group,setup,after", "b1,x,x,y,y,1,blood,5,b2", "b2,x,y,x,y,2,blood,5,"],
        "",
        "",
        lambda: guesstree.table(
            BLOOD, costs=[1, 2], groups=["blood", "blood"], setups={"blood": 5}, after={"b1": "b2"}
        ),
    ),
    "later": (
        ["test,a,b,c,d,cost,group,later,after", "b1,x,x,y,y,6,blood,1.5,", "b2,x,y,x,y,6,blood,,b1"],
        "",
        "",
        lambda: guesstree.table(
            BLOOD, costs=[6, 6], groups=dict.fromkeys(BLOOD, "blood"), later={"b1": 1.5}, after={"b2": ["b1"]}
        ),
    ),
    "rates": (
        ["test,ill,well,sensitivity,specificity,lapse", "swab,+,-,0.9,0.95,0.2"],
        ",wrong=50,repeat=2",
        "",
        lambda: guesstree.table(
            SWAB, sensitivity=0.9, specificity={"swab": "95 %"}, lapse=0.2, wrong=50, repeat=2
        ),
    ),
    "chances": (
        ["test,ill,well", "swab,+:0.9/-:0.1,-", "x,+/-,+:1/-:2"],
        ",cells=sets,confidence=95%",
        "",
        lambda: guesstree.table(
            {
                "swab": {"ill": {"+": 0.9, "-": np.float64(0.1)}, "well": {"+": 0, "-": 1}},
                "x": {"ill": {"+": 1, "-": 1}, "well": {"+": 1 / 3, "-": 2 / 3}},
            },
            confidence=0.95,
        ),
    ),
    "losses": (
        ["test,ill,well", "swab,+,-", "decide treat,0,10", "decide leave,50,0", "decide wait,,1"],
        "",
        "",
        lambda: guesstree.table(
            SWAB,
            losses={"treat": {"ill": 0, "well": 10}, "leave": {"ill": 50, "well": 0}, "wait": {"well": 1}},
        ),
    ),
    "losses of actions": (
        ["test,a,b,c,d", "b1,x,x,y,y", "b2,x,y,x,y", "action,k,l,l,k"],
        "",
        "said,k,l k,0,3 l,2.5,0",
        lambda: guesstree.table(BLOOD, actions=list("kllk"), losses=np.array([[0, 3], [2.5, 0]])),
    ),
    "an array of losses": (
        ["test,ill,well", "swab,+,-", "decide ill,0,9", "decide well,,0"],
        "",
        "",
        lambda: guesstree.table(SWAB, losses=[[0, 9], [float("inf"), 0]]),
    ),
    "repairs": (
        ["test,ill,well", "swab,+,-", "action,p,q"],
        ",ends=+,error=0.1,wrong=3",
        "",
        lambda: guesstree.table(SWAB, ends="+", error=0.1, actions={"well": "q", "ill": "p"}, wrong=3),
    ),
    "lapses": (
        ["test,a,b,c,d", "b1,x,x,y,y", "b2,x,y,x,y"],
        ",lapses=1",
        "",
        lambda: guesstree.table(BLOOD, failures=1),
    ),
}


@pytest.mark.parametrize("name", GIVEN)
def test_keywords_say_what_files_say(name: str) -> None:
    rows, options, matrix, make = GIVEN[name]
    assert make().content == understood(rows, options, matrix).content


def test_a_frame_of_losses_is_a_matrix() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"ill": [0, 50], "well": [10, None]}, index=["treat", "leave"])
    assert guesstree.table(SWAB, losses=frame).content.losses == ((0, 10), (50, None))


@pytest.mark.parametrize(
    ("keywords", "words"),
    cases("test_given_models", "test_keywords_that_do_not_fit_are_one_line"),
)
def test_keywords_that_do_not_fit_are_one_line(keywords: dict[str, Any], words: str) -> None:
    with pytest.raises(GameError) as error:
        guesstree.table(SWAB, **keywords)
    assert words in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        (
            {"+": 0.9, "-": 0.2},
            "row 'swab', column 'ill': probabilities {'+': '0.9', '-': '0.2'} add up to 1.1",
        ),
        ({"+": "often"}, "the probability of '+' is 'often'; expected a number such as"),
        ({"+": -1, "-": 2}, "expected numbers from 0, some above"),
        ({}, "expected numbers from 0, some above"),
        ({"km/h": 0.5, "-": 0.5}, "an answer 'km/h' beside probabilities; expected one without the signs"),
    ],
)
def test_chances_that_are_none_are_one_line(cell: Any, words: str) -> None:
    with pytest.raises(GameError) as error:
        guesstree.table({"swab": {"ill": cell, "well": "-"}})
    assert words in str(error.value) and "\n" not in str(error.value)
    with pytest.raises(GameError, match=r"'\+/-' beside outcomes that are mappings; add cells='sets'"):
        guesstree.table({"swab": {"ill": {"+": 1}, "well": "+/-"}})


def test_options_are_keywords_specs_and_docs_alike_and_older_words_are_read() -> None:
    page = (Path(__file__).parents[2] / "docs" / "tables.md").read_text(encoding="utf-8")
    parameters = signature(guesstree.table).parameters
    assert [key for key in OPTIONS if f"`,{key}" not in page] == []
    assert set(KEYWORDS) < set(parameters)
    assert {key: parameters[key].default for key in KEYWORDS} == {
        key: getattr(How(), key) for key in KEYWORDS
    }
    assert OLD_NAMES == {"lapse": "failure", "lapses": "failures"}
    old, new = (guesstree.table(BLOOD, **{key: 1}) for key in ("lapses", "failures"))
    assert isinstance(old, TableGame)
    assert isinstance(new, TableGame)
    assert old.content == new.content
    assert parse_options("a.csv,lapse=10%") == parse_options("a.csv,failure=10%")
    with pytest.raises(TypeError, match=r"table\(\) got an unexpected keyword argument 'lapsus'"):
        guesstree.table(BLOOD, lapsus=1)
