"""How a table is to be taken: options after its path, ``,key=value`` in any order, or keywords in Python.

Each option is declared once, as a field of `How` with what it takes and how it is read; specs, keywords of
`guesstree.table`, forms in the browser and messages follow.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from typing import Any

from ..errors import GameError, require_flag, shown, unknown
from ..exact import NoNumber, read_numbers
from ..game import whole
from ..sheets.sheet import Side
from .data import cell_text
from .headings import read_heading

BEST = -1
"""The value of `bins` for a cut between any two neighbouring numbers, of which the search takes the best."""
NO_ORDER = "none"
REPEATED = frozenset({"cuts", "order"})
"""Options that may be given for several tests."""
_LIKE_ONE = re.compile(r"(.*),([A-Za-z]+)(=[^,]*)?", re.DOTALL)


@dataclass(frozen=True)
class Option:
    """How an option is written and read.

    Attributes
    ----------
    takes: the values that it takes in a spec; empty: none.
    read: the value of a text, which raises GameError for one out of range.
    text: the text of what a keyword gives, which raises GameError for what is none.
    keyword: whether it is a keyword of `guesstree.table`, too.
    also: an older name, which is still read.
    """

    takes: str
    read: Callable[[str, str], Any]
    text: Callable[[str, object], str]
    keyword: bool = True
    also: str = ""


def _flag(key: str, value: object) -> str:
    """Return the text of a keyword that is true or false."""
    require_flag(key, value)
    return "yes" if value else "no"


def _word(key: str, value: object) -> str:
    """Return the text of a keyword that is a word."""
    if isinstance(value, str):
        return value
    raise GameError(f"{key}={shown(value)}; expected a text")


def _label(key: str, value: object) -> str:
    """Return the text of a keyword that is a label or a number."""
    return cell_text(value, key)


def _as_it_is(_: str, text: str) -> str:
    return text


def _number(key: str, text: str, expected: str, fits: Callable[[Fraction, str], bool]) -> Fraction:
    """Return an exact number that fits, with its unit."""
    try:
        (number,), unit = read_numbers([text], plain=True)
    except NoNumber:
        number, unit = Fraction(-1), ""
    if number < 0 or not fits(number, unit):
        raise GameError(f"{key}={shown(text)[1:-1]}; expected {expected}")
    return number


def _amount(key: str, text: str) -> Fraction:
    """Return an amount, in the unit of the costs."""
    expected = "a number above 0, such as 20, in the unit of the costs"
    return _number(key, text, expected, lambda number, unit: number > 0 and not unit)


def _share(such: str, *, above: bool = False) -> Callable[[str, str], Fraction]:
    """Return a reader of probabilities below 1, and above 0 or from 0 on."""
    expected = f"a probability {'above 0 and ' if above else ''}below 1, such as {such}"
    return lambda key, text: _number(
        key, text, expected, lambda number, _: (not above or number > 0) and number < 1
    )


def _count(least: int, most: int) -> tuple[Callable[[str, str], int], Callable[[str, object], str]]:
    """Return a reader of whole numbers, and what gives the text of a keyword that is one."""
    expected = f"expected a whole number from {least} to {most}"

    def read(key: str, text: str) -> int:
        if not re.fullmatch("[0-9]{1,3}", text, re.ASCII) or not least <= int(text) <= most:
            raise GameError(f"{key}={text}; {expected}")
        return int(text)

    def text(key: str, value: object) -> str:
        number = whole(value)
        if number is None:
            raise GameError(f"{key}={shown(value)}; {expected}")
        return str(number)

    return read, text


def _bins() -> dict[str, Option]:
    """Return how classes of numbers are asked for: how many, or ``best``."""
    read, text = _count(2, 100)

    def reads(key: str, given: str) -> int:
        try:
            return BEST if given == "best" else read(key, given)
        except GameError as error:
            raise GameError(f"{error}, or best") from None

    def texts(key: str, given: object) -> str:
        try:
            return given if isinstance(given, str) and given == "best" else text(key, given)
        except GameError as error:
            raise GameError(f"{error}, or best") from None

    return {"option": Option("K or bins=best", reads, texts)}


Cuts = tuple[tuple[str, tuple[Fraction, ...], str], ...]


def _cuts(_: str, texts: str) -> Cuts:
    """Return the test, the numbers and the unit of each ``TEST:2.5;4``."""
    found = []
    for text in texts.split("\n"):
        test, _, listed = text.rpartition(":")
        try:
            numbers, unit = read_numbers(listed.split(";"), named=read_heading(test).named)
        except NoNumber:
            numbers, unit = [], ""
        if not test or not numbers or sorted(set(numbers)) != numbers:
            raise GameError(f"cuts={text}; expected a test and numbers that rise, such as cuts=height:2.5;4")
        found.append((test, tuple(numbers), unit))
    return tuple(found)


Orders = tuple[tuple[str, tuple[str, ...]], ...]


def _orders(_: str, texts: str) -> Orders:
    """Return the test and its answers of each ``TEST:few;some;many``; ``none`` has an empty test."""
    found: list[tuple[str, tuple[str, ...]]] = []
    for text in texts.split("\n"):
        test, _, listed = text.rpartition(":")
        answers = tuple(answer.strip() for answer in listed.split(";"))
        if text != NO_ORDER and (not test or len(set(answers)) < len(answers) or len(answers) < 2):
            raise GameError(
                f"order={text}; expected a test and its answers in order, such as order=hairs:few;some;many, "
                f"or order={NO_ORDER} (no test has an order, but those named so)"
            )
        found.append(("", ()) if text == NO_ORDER else (test, answers))
    return tuple(found)


def _takes(
    takes: str,
    read: Callable[[str, str], Any] = _as_it_is,
    text: Callable[[str, object], str] = _word,
    **more: Any,
) -> dict[str, Option]:
    """Return what the field of an option has beside its usual value, see `Option`."""
    return {"option": Option(takes, read, text, **more)}


@dataclass(frozen=True)
class How:
    """What to make of a table.

    Attributes
    ----------
    merge: whether causes that no test tells apart become one.
    missing: ``any``: where a cell says nothing, any answer is possible; ``label``: marks such as ``?`` are
        answers like others; empty: such a cell is refused.
    win: the response that ends the game.
    causes: where the causes are; empty: to be found out.
    cells: ``labels`` or ``sets``; empty: a table whose cells look like sets is refused.
    ambiguous: ``clique``: with sets, a strategy may end with several causes that overlap in every test.
    costs, weights: the label of the line that holds them; ``none``: no line does; empty: one that says so.
    bins: into how many classes of equal counts numbers are put; 0: into none; `BEST`: of examples, a test
        for each place where they can be cut.
    cuts: where the numbers of some tests are cut: the label of the test, the numbers, their unit.
    dichotomous: whether each test is asked by questions of two answers, see `dichotomous`.
    order: the answers of some tests in order, so that questions of two answers cut between them; a test that
        is empty: numbers are in no order.
    sheet: the sheet of a workbook; empty: the first with a table.
    target: the column of the classes, where rows are examples; empty: the last column, if it is called so.
    wrong: what a wrong decision or a wrong name loses; None: it is not said.
    loss: the file of a matrix of losses, beside the table; empty: there is none.
    confidence: how likely a decision should be right; None: it is not said, see `decisions`.
    ends: the answer that ends a path; empty: none does.
    repeat: how many independent copies there are of each test that may err.
    error, failure: how often an answer is wrong, or there is none, for all tests; None: as the table says.
    failures: how many tests on a path may fail to answer, at worst.
    spelling: how an option is written, for messages.

    Raises GameError for missing cells together with a winning response.
    """

    merge: bool = field(default=False, metadata=_takes("", lambda _, text: text != "no", _flag))
    missing: str = field(default="", metadata=_takes("any or missing=label"))
    win: str | None = field(default=None, metadata=_takes("RESPONSE", text=_label))
    causes: Side = field(default="", metadata=_takes("rows or causes=columns", keyword=False))
    cells: str = field(default="", metadata=_takes("labels or cells=sets"))
    ambiguous: str = field(default="", metadata=_takes("clique"))
    costs: str = field(default="", metadata=_takes("NAME or costs=none", keyword=False))
    weights: str = field(default="", metadata=_takes("NAME or weights=none", keyword=False))
    bins: int = field(default=0, metadata=_bins())
    cuts: Cuts = field(default=(), metadata=_takes("TEST:2.5;4", _cuts, keyword=False))
    dichotomous: bool = field(default=False, metadata=_takes("", lambda _, text: text != "no", _flag))
    order: Orders = field(default=(), metadata=_takes("TEST:few;some;many", _orders, keyword=False))
    sheet: str = field(default="", metadata=_takes("NAME", keyword=False))
    target: str = field(default="", metadata=_takes("NAME"))
    wrong: Fraction | None = field(default=None, metadata=_takes("N", _amount, _label))
    loss: str = field(default="", metadata=_takes("FILE.csv", keyword=False))
    confidence: Fraction | None = field(
        default=None, metadata=_takes("95%", _share("95%", above=True), _label)
    )
    ends: str = field(default="", metadata=_takes("ANSWER", text=_label))
    repeat: int = field(default=1, metadata=_takes("N", *_count(1, 20)))
    error: Fraction | None = field(default=None, metadata=_takes("2%", _share("2%"), _label))
    failure: Fraction | None = field(
        default=None, metadata=_takes("10%", _share("10%"), _label, also="lapse")
    )
    failures: int = field(default=0, metadata=_takes("K", *_count(1, 20), also="lapses"))
    spelling: str = ",{}={}"

    def spelled(self, key: str, value: object) -> str:
        """Return how an option is written."""
        return self.spelling.format(key, value)

    def __post_init__(self) -> None:
        for key in ("missing", "causes", "cells", "ambiguous"):
            value, accepted = getattr(self, key), OPTIONS[key].takes.split(f" or {key}=")
            if value and value not in accepted:
                meaning = " (an empty cell: any answer is possible)" if key == "missing" else ""
                known = " or ".join(self.spelled(key, one).removeprefix(",") for one in accepted)
                raise GameError(f"{self.spelled(key, value).removeprefix(',')}; expected {known}{meaning}")
        if self.ambiguous and self.cells != "sets" and self.missing != "any":
            raise GameError("ambiguous=clique; expected it with cells=sets or missing=any")
        if self.missing == "any" and self.win is not None:
            raise GameError(
                f"a winning response {shown(self.win)} in a table with empty cells; expected missing=any "
                "(any answer is possible) without a winning response"
            )
        said = {"wrong": self.wrong, "confidence": self.confidence, "loss": self.loss or None}
        both = [key for key, value in said.items() if value is not None]
        if len(both) > 1:
            raise GameError(f"{both[0]}= and {both[1]}= both say what a wrong decision loses; expected one")
        if self.order and not self.dichotomous:
            raise GameError(
                "order= says where questions of two answers are cut; expected it with dichotomous"
            )
        if self.failure and self.failures:
            raise GameError(
                "failure= (how likely a test fails to answer) and failures= (how many do at worst); "
                "expected one"
            )


OPTIONS: dict[str, Option] = {
    one.name: one.metadata["option"] for one in fields(How) if "option" in one.metadata
}
"""Every option by its name."""
OLD_NAMES = {one.also: name for name, one in OPTIONS.items() if one.also}
"""Names that options had before, each with that of today."""
KEYWORDS = tuple(name for name, one in OPTIONS.items() if one.keyword)
"""The options that are keywords of `guesstree.table`, too."""
_OPTION = re.compile(rf",(?=(?:{'|'.join((*OPTIONS, *OLD_NAMES))})(?:=|,|\Z))")


def parse_options(text: str) -> tuple[str, How]:
    """Return the path of a text ``FILE[,key=value]...``, and what the options say.

    Raises GameError that names an option which is not known, is repeated, or has another value.
    """
    path, given = split_options(text)
    try:
        return path, How(**{key: OPTIONS[key].read(key, value) for key, value in given.items()})
    except GameError as error:
        raise GameError(f"{shown(f'table:{text}')}: {error}") from None


def read_keywords(given: Mapping[str, object]) -> dict[str, Any]:
    """Return the options that keywords give, None or the usual value left out; raise GameError, as a spec."""
    read = {}
    for one in fields(How):
        value = given.get(one.name)
        if value is None or (isinstance(one.default, int) and whole(value) == one.default):
            continue
        option = OPTIONS[one.name]
        read[one.name] = option.read(one.name, option.text(one.name, value))
    return read


def split_options(text: str) -> tuple[str, dict[str, str]]:
    """Return the path of a text ``FILE[,key=value]...`` and its options; those that are `REPEATED` in lines.

    Raises GameError that names an option which is not known, is repeated, or lacks its value.
    """
    path, *parts = _OPTION.split(text)
    given: dict[str, str] = {}
    for last in (path, *parts):
        found = _LIKE_ONE.fullmatch(last)
        if found and not last.startswith("win="):
            raise GameError(f"{shown(f'table:{text}')}: {unknown('option', found[2], OPTIONS)}")
    for part in parts:
        key, marked, value = part.partition("=")
        key = OLD_NAMES.get(key, key)
        if key not in OPTIONS:
            raise GameError(f"{shown(f'table:{text}')}: {unknown('option', key, OPTIONS)}")
        takes = OPTIONS[key].takes
        if bool(takes) != bool(marked and value):
            expected = f"{key}={takes}" if takes else key
            raise GameError(f"{shown(f'table:{text}')}: {shown(part)}; expected {expected}")
        if key in given and key not in REPEATED:
            raise GameError(f"{shown(f'table:{text}')}: {key} is said twice; expected it once")
        given[key] = f"{given[key]}\n{value}" if key in given else value
    if not path:
        raise GameError("'table:': expected the path of a CSV file, such as table:tests.csv")
    return path, given


def join_options(given: Mapping[str, str]) -> str:
    """Return options as they are written after the path of a table, in the order of `OPTIONS`."""
    texts = [
        f",{key}={value}" if option.takes else f",{key}"
        for key, option in OPTIONS.items()
        if key in given
        for value in given[key].split("\n")
    ]
    return "".join(texts)
