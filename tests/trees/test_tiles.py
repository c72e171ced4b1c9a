"""Letters on tiles in the colours of their marks, and blanks with the letters that are known, in drawings."""

import base64
import hashlib
import io
import re
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest

from guesstree.api.strategy import Strategy, strategy_of
from guesstree.engine.game import Game
from guesstree.engine.registry import parse
from guesstree.engine.search.solve import solve
from guesstree.trees.export import formats
from guesstree.trees.export.cells import LEGEND
from guesstree.trees.export.colours import PAPER, WHITE
from guesstree.trees.outline import outline

WORDS = ["crepe", "erase", "geese", "speed", "steal", "sweet"]
EIGHT = ["cats", "bats", "rats", "vats", "sate", "mole", "vole", "role"]


@pytest.fixture
def words(tmp_path: Path) -> Game:
    (tmp_path / "words.txt").write_text("\n".join(WORDS))
    return parse(f"wordle:{tmp_path}/words.txt")


def hangman(folder: Path, *lists: list[str]) -> Strategy:
    for number, found in enumerate(lists):
        (folder / f"list{number}.txt").write_text("\n".join(found))
    return strategy_of(
        solve(parse("hangman:" + "+".join(f"{folder}/list{n}.txt" for n in range(len(lists)))))
    )


def tiles(svg: bytes) -> list[str]:
    """Return the letters on tiles with their marks, each told by its colour, its form and its frame alike."""
    found, fill, form, framed = list[str](), "", "", False
    told = {
        ("polygon", PAPER["="].lower(), True): "=",
        ("path", PAPER["+"].lower(), True): "+",
        ("polygon", PAPER["-"].lower(), False): "-",
    }
    for node in ElementTree.fromstring(svg).iter():
        name = node.tag.rpartition("}")[2]
        if name in ("polygon", "path") and node.get("stroke") == "none":
            form, fill, framed = name, node.get("fill", ""), False
        elif name == form:
            framed = True
        elif name == "text" and (form, fill, framed) in told:
            found.append(f"{node.text}{told[form, fill, framed]}")
            form = ""
    return found


def test_a_tile_has_the_colour_and_the_form_of_its_mark_in_drawings(words: Game, tmp_path: Path) -> None:
    strategy = strategy_of(solve(words, first="erase"))
    answers = [("erase", mark) for mark in ("+--++", "+--==", "+-++-", "+=--=")] + [("speed", "=-==-")]
    won = [("erase", "====="), ("speed", "=====")]
    for style, shown in (("tree", answers), ("flowchart", answers + won)):
        formats.render(words, strategy, tmp_path / "tree.svg", style=style)
        source = (tmp_path / "tree.svg").read_bytes()
        drawn = "".join(tiles(source))
        spelled = ["".join(map("".join, zip(*one, strict=True))) for one in shown]
        assert sorted(re.findall("..........", drawn)) == sorted(spelled)
        assert "Square and green: in place." in source.decode()
    formats.render(words, strategy, tmp_path / "tree.dot")
    asked = (tmp_path / "tree.dot").read_text()
    assert re.search(rf'BGCOLOR="{WHITE}">a</TD>', asked), "what is asked has no marks yet"


def test_a_key_has_tiles_where_it_can_and_signs_where_it_cannot(words: Game, tmp_path: Path) -> None:
    strategy = strategy_of(solve(words, first="erase"))
    keys = {}
    for ending in (".html", ".docx", ".txt"):
        formats.render(words, strategy, tmp_path / f"key{ending}", style="key")
        keys[ending] = (tmp_path / f"key{ending}").read_bytes()
    page = keys[".html"].decode()
    assert 'aria-label="e elsewhere, r in place, a absent, s absent, e in place"' in page and LEGEND in page
    crepe = '<b class="elsewhere">e</b><b class="place">r</b><b class="absent">a</b><b class="absent">s</b>'
    assert crepe in page and ".place { background: #009E73" in page and "%%" not in page
    style = re.findall("<style>(.*?)</style>", page, re.DOTALL)[0]
    assert base64.b64encode(hashlib.sha256(style.encode()).digest()).decode() in page, "the policy allows it"
    text = zipfile.ZipFile(io.BytesIO(keys[".docx"])).read("word/document.xml").decode()
    # +--++, +--==, +-++-, +=--=, =-==- and ===== twice
    assert (
        text.count('w:fill="009E73"') == 2 + 2 + 3 + 5 + 5 and text.count('w:val="double"') == 3 + 1 + 3 + 1
    )
    assert "erase: +=--= " in keys[".txt"].decode() and "= in place, + elsewhere, -" in keys[".txt"].decode()


def patterns(dot: str) -> list[str]:
    """Return the rows of blanks of a drawing, with the letters on them."""
    blank = r'<TD SIDES="B"[^>]*>(?:<FONT[^>]*>(.)</FONT>)?</TD>'
    rows = re.findall(r'<TR>((?:<TD SIDES="B".*?</TD>|<TD WIDTH="6"></TD>)+)</TR>', dot)
    return [
        "|".join(
            "".join(c or "_" for c in re.findall(blank, word)) for word in row.split('<TD WIDTH="6"></TD>')
        )
        for row in rows
    ]


def test_blanks_show_what_is_known_of_the_word(tmp_path: Path) -> None:
    strategy = hangman(tmp_path, EIGHT)
    told = outline(strategy.game, strategy)
    assert [(step.question, told.patterns[at]) for at, step in enumerate(told.steps) if step.question] == [
        ("s", "_ _ _ _"),
        ("m", "_ _ _ _"),
        ("b", "_ _ _ s"),
        ("r", "_ _ _ _"),
        ("c", "_ _ _ s"),
        ("r", "_ _ _ s"),
    ]
    for style in ("tree", "flowchart"):
        formats.render(strategy.game, strategy, tmp_path / "tree.dot", style=style)
        found = patterns((tmp_path / "tree.dot").read_text())
        assert sorted(found) == ["____"] * 3 + ["___s"] * 3
    formats.render(strategy.game, strategy, tmp_path / "key.md", style="key")
    key = (tmp_path / "key.md").read_text().replace("\u00a0", " ").replace("\\", "")
    assert "1c | s: _ _ _ s [vats, rats, cats, bats] |" in key and "b: miss [vats, rats, cats] |" in key


def test_blanks_wait_for_the_length_and_stand_word_by_word(tmp_path: Path) -> None:
    strategy = hangman(tmp_path, ["cats", "bats", "mole", "moles", "rat", "ratio"])
    assert strategy.text().splitlines()[5:] == [
        "length  (cost 0)",
        "├─ _ _ _  rat",
        "├─ _ _ _ _  a  (cost 0 to 1)",
        "│  ├─ miss  mole",
        "│  └─ _ a _ _  b  (cost 0 to 1)",
        "│     ├─ miss  cats",
        "│     └─ b a _ _  bats",
        "└─ _ _ _ _ _  o  (cost 0)",
        "   ├─ _ o _ _ _  moles",
        "   └─ _ _ _ _ o  ratio",
    ]
    phrases = hangman(tmp_path, ["red", "bad"], ["fox", "cow", "cat"])
    formats.render(phrases.game, phrases, tmp_path / "tree.dot")
    assert sorted(patterns((tmp_path / "tree.dot").read_text())) == ["___|___", "___|___", "_a_|___"]
    mixed = hangman(tmp_path, ["is", "was"], ["fox", "cow"]).text().splitlines()
    assert mixed[5:7] == ["w  (4 secrets)", "├─ miss  is fox"] and mixed[-1] == "└─ w _ _ | _ _ w  was cow"
