"""Options are taken alike: a keyword in Python, an option of a command, a key after the path of a table."""

import csv
import importlib
from collections.abc import Callable
from inspect import signature
from pathlib import Path
from typing import Any

import pytest
from here import work_here

import guesstree
from guesstree.cli import main
from guesstree.engine.errors import GuesstreeError
from guesstree.engine.registry import parse
from guesstree.engine.tables.options import KEYWORDS

GAME, DECIDED = "mastermind:2x2", "table:decided.csv"
SIZES = ("max_leaves", "min_samples", "leaf_price")
"""Limits of the size of a tree, for tables with decisions."""
COMMANDS = ("solve", "prove", "bounds")
VALUES: dict[str, list[Any]] = {
    "objective": ["expected", "worst,expected", "", "x", "expectd"],
    "goal": ["win", "identify", "x", "wins"],
    "budget": [0, 3],
    "lies": [0, 1, 7, 8, -1],
    "method": ["entropy", "", "x", "entrop"],
    "width": [1, 2, 0, -1],
    "max_depth": [1, 3, 0, -1],
    "max_leaves": [9, 0, -1],
    "min_samples": [1, 0, -1],
    "leaf_price": [0, 1, "1/2", -1],
    "first": ["11", "x", ""],
    "candidates_only": [True],
    "time_limit": [9.5, 0.0, -1.0, float("nan"), float("inf")],
    "memory": [1 << 30],
    "jobs": [1, 0, -1],
    "at_least": [1, 8, 9, 0, -1],
    "workers": [1, 0, -1, 65],
    "ledger": ["a.ledger"],
    "cluster": ["x", ""],
    "trust": [True],
}
"""What each option of a search is given; sizes, budgets and files are refused otherwise in a shell."""
NEEDED = {"budget": "win-probability", "lies": "worst"}
"""The objective that an option is for."""


KEYED: dict[str, list[Any]] = {
    "merge": [True],
    "missing": ["any", "label", "x"],
    "win": ["won", "yes", "x"],
    "cells": ["labels", "sets", "x"],
    "ambiguous": ["clique", "x"],
    "bins": [2, 1, 101, -1, 2.5, "x"],
    "dichotomous": [True],
    "order": ["n", "x"],
    "wrong": [20, 2.5, "1/3", -1, "5 min", "x"],
    "confidence": [0.95, "95 %", 0, 1, "x"],
    "ends": ["won", "x"],
    "repeat": [2, 21, -1, 2.5],
    "error": [0.02, "2 %", 1, -1, "x"],
    "failure": [0.1, "10%", 1, -1, "x"],
    "failures": [1, 20, 21, -1, 2.5],
}
"""What each option of a table is given; what a keyword may be left out as means nothing there."""
BESIDE: dict[str, dict[str, Any]] = {"ambiguous": {"cells": "sets"}, "repeat": {"error": "2%"}}
"""What an option is no use without."""


@pytest.fixture(autouse=True)
def in_a_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)


def said(call: Callable[[], object]) -> str:
    """Return in which line something is refused; empty: it is not."""
    try:
        call()
    except GuesstreeError as error:
        return str(error)
    return ""


def said_in_shell(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """Return in which line a command refuses its arguments; empty: it does not."""
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    lines = [line.removeprefix("guesstree: ") for line in capsys.readouterr().err.splitlines()]
    return lines[-1] if ended.value.code else ""


def options_of(command: str) -> dict[str, str]:
    """Return the options of a command that are keywords of the function of its name, as they are written."""
    keywords = signature(getattr(guesstree, command)).parameters
    found = importlib.import_module(f"guesstree.cli.{command}").command.params
    return {one.name: one.opts[0] for one in found if one.name in keywords}


@pytest.mark.parametrize(
    ("command", "name"), [(command, name) for command in COMMANDS for name in options_of(command)]
)
def test_a_keyword_and_an_option_of_a_command_take_the_same(
    command: str, name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    work_here(monkeypatch)
    flag = options_of(command)[name]
    more = {"objective": NEEDED[name]} if name in NEEDED else {}
    game = DECIDED if name in SIZES else GAME
    Path("decided.csv").write_text("test,a,b\nt,x,y\ndecide go,0,9\ndecide stay,9,0\n")
    out = ["--out=a.proof"] if command == "prove" and name != "trust" else []
    accepted = 0
    for value in VALUES[name]:
        written = [flag] if value is True else [f"{flag}={value}"]
        in_python = said(lambda: getattr(guesstree, command)(game, **more, **{name: value}))  # noqa: B023
        needed = [f"--{key}={one}" for key, one in more.items()]
        in_shell = said_in_shell([command, game, *needed, *written, *out], capsys)
        assert in_shell == in_python, value
        accepted += not in_python
    assert accepted


@pytest.mark.parametrize("name", [name for name in KEYWORDS if name != "target"])  # of examples, not tests
def test_a_keyword_and_a_key_after_a_path_take_the_same(name: str) -> None:
    named = {guess: {secret: "won" if guess == secret else "no" for secret in "abc"} for guess in "abc"}
    rows = named | {"n": {"a": "1", "b": "2", "c": "3"}}
    with Path("t.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["test", *"abc"], *([test, *row.values()] for test, row in rows.items())])
    accepted = 0
    for value in KEYED[name]:
        given = BESIDE.get(name, {}) | {name: value}
        keys = "".join(f",{key}" if one is True else f",{key}={one}" for key, one in given.items())
        spec = f"t.csv,causes=columns{keys}"
        in_file = said(lambda: parse(f"table:{spec}")).removeprefix(f"'table:{spec}': ")  # noqa: B023
        in_python = said(lambda: guesstree.table(rows, rows="guesses", name=spec, **given))  # noqa: B023
        assert in_file.replace("'", "") == in_python.replace("'", ""), value
        accepted += not in_python
    assert accepted
