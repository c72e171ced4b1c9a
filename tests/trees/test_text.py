"""Strategies as lines of text: trees that fit a terminal, however narrow and however deep, and keys."""

import re
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import guesstree
from guesstree.cli import render
from guesstree.cli.render import command
from guesstree.engine.tables.table import TableGame
from guesstree.trees.export.colours import MARKS, PALETTE
from guesstree.trees.export.text import tree_lines
from guesstree.trees.tree import build

LAMP = {
    "swap the bulb": {
        "bulb": "works",
        "fuse": "dark",
        "switch": "dark",
        "a cable in the wall of the cellar": "a flash",
    },
    "measure the voltage at the socket": {
        "bulb": "live",
        "fuse": "dead",
        "switch": "live",
        "a cable in the wall of the cellar": "dead",
    },
}


def test_a_tree_fits_a_narrow_terminal_and_breaks_between_words() -> None:
    game = guesstree.table(LAMP)
    strategy = guesstree.solve(game).strategy
    assert list(tree_lines(game, strategy, width=40)) == [
        "Data",
        "goal: identify · objective: expected ·",
        "method: exact · table:data",
        "4 causes · total 6 · average 1.5000 ·",
        "worst 2",
        "proven: no order needs fewer tests on",
        "average",
        "Causes by tests needed:  1: 2  2: 2",
        "swap the bulb  (4 causes)",
        "├─ works  bulb",
        "├─ dark  measure the voltage at the",
        "│  │  socket  (2 causes)",
        "│  ├─ live  switch",
        "│  └─ dead  fuse",
        "└─ a flash  a cable in the wall of",
        "      the cellar",
    ]
    assert list(tree_lines(game, strategy))[5:] == [
        "swap the bulb  (4 causes)",
        "├─ works  bulb",
        "├─ dark  measure the voltage at the socket  (2 causes)",
        "│  ├─ live  switch",
        "│  └─ dead  fuse",
        "└─ a flash  a cable in the wall of the cellar",
    ]
    words = {word for line in tree_lines(game, strategy) for word in re.findall(r"\w+", line)}
    for width in range(36, 70):
        lines = list(tree_lines(game, strategy, width=width))
        assert (
            max(map(len, lines)) <= width and {w for line in lines for w in re.findall(r"\w+", line)} == words
        )


def chain(size: int) -> TableGame:
    names = [f"s{n}" for n in range(size)]
    cells = [["yes" if g == s else "no" for s in range(size)] for g in range(size)]
    return TableGame("table:chain", names, names, cells, win="yes")


@pytest.mark.parametrize(
    ("size", "lines"),
    [
        (5, ["   └─ no  s2  (3 causes)", "      └─ no  s3  (2 causes)", "         └─ no  s4"]),
        (8, ["        └ no  s5  (3 causes)", "          └ no  s6  (2 causes)", "            └ no  s7"]),
        (
            600,
            [
                "…587           └ no  s597  (3 causes)",
                "…588           └ no  s598  (2 causes)",
                "…589           └ no  s599",
            ],
        ),
    ],
)
def test_deep_trees_are_narrow_and_then_counted(size: int, lines: list[str]) -> None:
    game = chain(size)
    strategy = build(game, "win", lambda candidates: int(candidates[0]))
    found = list(tree_lines(game, strategy, width=40))
    assert [line.rstrip() for line in found[-3:]] == lines
    assert max(map(len, found)) <= 40 and max(map(len, tree_lines(game, strategy))) < 300


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "words.txt").write_text("fight\nlight\nmight\nnight\nright\nsight\ntight\n")
    (tmp_path / "more.txt").write_text("firms\n")
    guesstree.solve("wordle:words.txt,more.txt").strategy.write("wordle.json")
    guesstree.solve("mastermind:2x2").strategy.write("pegs.json")
    return tmp_path


def printed(*words: str, width: int | None = None) -> str:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(render, "screen_width", lambda: width)
        run = CliRunner().invoke(command, list(words), standalone_mode=False, catch_exceptions=False)
    return run.output


@pytest.mark.usefixtures("files")
def test_a_tree_and_its_key_are_printed_in_the_width_of_the_terminal() -> None:
    tree = """\
goal: win · objective: expected · method: exact · wordle:words.txt,more.txt
7 secrets · total 17 · average 2.4286 · worst 4
the file says: no strategy needs fewer guesses on average
Secrets by guesses needed:  2: 5   3: 1   4: 1
= in place, + elsewhere, - absent
firms  (7 secrets)
├─ -=---  light  (3 secrets)
│  └─ -====  night  (2 secrets)
│     └─ -====  tight
├─ -=--+  sight
├─ -=-+-  might
├─ -=+--  right
└─ ==---  fight
"""
    assert printed("wordle.json", "-").partition("\n")[2] == tree
    assert (
        printed("wordle.json", "-", "--depth", "1").splitlines()[-1]
        == "firms  (7 secrets, at most 3 more guesses)"
    )
    key = printed("wordle.json", "-", "--key", "--title", "The trap", width=40)
    assert (
        key
        == """\
The trap
7 secrets · 2.43 guesses on average, at
most 4 · the file says: no strategy
needs fewer guesses on average
= in place, + elsewhere, - absent

1a      firms: -=--- [tight,
        night, light] .............. → 2
1b      firms: -=--+ ............. sight
1c      firms: -=-+- ............. might
1d      firms: -=+-- ............. right
1e      firms: ==--- ............. fight

2a (1)  light: -==== [tight,
        night] ..................... → 3
2b      light: ===== ............. light

3a (2)  night: -==== ............. tight
3b      night: ===== ............. night
"""
    )
    assert printed("wordle.json", "-", "--key").count("." * 30) > 3
    wide = printed("wordle.json", "-", "--key", width=300)
    assert max(map(len, wide.splitlines())) == 100


@pytest.mark.usefixtures("files")
def test_colours_are_laid_over_the_same_text(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = {name: printed(name, "-") for name in ("wordle.json", "pegs.json")}
    assert "\x1b" not in "".join(plain.values())
    monkeypatch.setattr(render, "in_colour", lambda: True)
    monkeypatch.setenv("COLORTERM", "truecolor")
    for name, text in plain.items():
        run = CliRunner().invoke(command, [name, "-"], color=True, catch_exceptions=False)
        assert click.unstyle(run.output) == text
        signs = (
            {"=": MARKS["="], "-": MARKS["-"]}
            if name == "wordle.json"
            else {"1": PALETTE[0], "2": PALETTE[1]}
        )
        for sign, colour in signs.items():
            ground = ";".join(str(int(colour[i : i + 2], 16)) for i in (1, 3, 5))
            assert f"48;2;{ground}m{sign}\x1b[0m" in run.output


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--flowchart"], r"'-' prints a tree or a key; use a name that ends in \.pdf, \.svg, \.png, \.dot$"),
        (["--json"], "--json prints nothing but JSON; use a file instead of -"),
        (["--dag"], "use it alone"),
        (["--key", "--paper", "a4"], r"'-' takes no paper; with one, use \.pdf, \.docx"),
    ],
)
def test_what_cannot_be_printed_is_refused(words: list[str], message: str) -> None:
    with pytest.raises(guesstree.GuesstreeError, match=message):
        printed("pegs.json", "-", *words)
    assert not Path("-").exists()
