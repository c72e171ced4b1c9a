"""The words of sheets and pages come from one catalogue, in each language that is shipped."""

import ast
import io
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import catalogue
import pypdf
import pytest
from babel.messages.pofile import read_po
from click.testing import CliRunner
from decided import THROAT, decided
from pages import Show

import guesstree
from guesstree.cli.render import command
from guesstree.engine.game import Game
from guesstree.engine.notation import Look
from guesstree.engine.registry import parse
from guesstree.trees.export import pdf, svg
from guesstree.trees.export.chart import pages as chart
from guesstree.trees.export.chart import picture, worksheet
from guesstree.trees.export.key import text
from guesstree.trees.export.page.data import as_data
from guesstree.trees.export.paths import separated
from guesstree.trees.export.text import tree_lines
from guesstree.trees.language import CATALOGUES, languages, noun, nouns_of, preferred, say, says, speaking
from guesstree.trees.tree import Tree

if TYPE_CHECKING:
    from playwright.sync_api import Page

SHIPPED = [language for language in languages() if language != "en"]
TREES = Path(__file__).parents[2] / "trees"
WAYS = {"say": 0, "to_say": 0, "say_of": 1, "says": 0}
"""The functions that say something, and which argument it is."""
OWN = set(re.findall("[a-z]+", THROAT.lower())) | {"table"}  # of the spec
"""Words of the tables of these tests."""
CALLED = set(nouns_of(Look()))
"""What secrets and guesses are called is known where a text names one of them."""
LAMP = {
    "Licht geht?": {"Sicherung": "nein", "Batterie leer": "nein", "Relais": "ja", "Kappe": "ja"},
    "Hupe geht?": {"Sicherung": "ja", "Batterie leer": "nein", "Relais": "ja", "Kappe": "ja"},
    "Spannung": {"Sicherung": "12 V", "Batterie leer": "0 V", "Relais": "12 V", "Kappe": "9 V"},
}


def lamp() -> tuple[Game, Tree]:
    costs = {"Licht geht?": 1, "Hupe geht?": 1.5, "Spannung": 4}
    game = guesstree.table(LAMP, weights=[40, 30, 20, 11], costs=costs)
    return game, guesstree.solve(game).strategy


def balance() -> tuple[Game, Tree]:
    game = parse("balance:4")
    return game, guesstree.solve(game).strategy


def said_in_code() -> Iterator[str]:
    """Yield each text that a function of the code says, wherever it stands."""
    for path in TREES.rglob("*.py"):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
                continue
            name = call.func.id
            if name in WAYS and len(call.args) > WAYS[name]:
                one = call.args[WAYS[name]]
                if isinstance(one, ast.Constant) and isinstance(one.value, str):
                    yield one.value


@pytest.mark.parametrize("language", SHIPPED)
def test_catalogues_are_whole_and_compiled(language: str) -> None:
    path = CATALOGUES / language / "LC_MESSAGES" / "sheets.po"
    po = path.read_bytes()
    hint = "run: python scripts/catalogue.py"
    assert catalogue.as_po(catalogue.updated(po.decode(), language)) == po, hint
    assert catalogue.compiled(po, language) == path.with_suffix(".mo").read_bytes(), hint
    found = read_po(io.BytesIO(po), locale=language)
    assert catalogue.missing(found) == []
    for text_ in said_in_code():
        assert text_ in found, f"{text_!r} is said, but not found by scripts/catalogue.py"
    for message in found:
        names = set(re.findall(r"\{(\w+)\}", catalogue.first_of(message.id)))
        for form in catalogue.all_forms(message.string):
            more = CALLED if names & CALLED else set()
            assert set(re.findall(r"\{(\w+)\}", form)) <= names | more, form


def english(language: str) -> set[str]:
    """Return the English words of the catalogue that no translation has."""
    path = CATALOGUES / language / "LC_MESSAGES" / "sheets.po"
    ours, theirs = set[str](), set[str]()
    for message in read_po(io.BytesIO(path.read_bytes()), locale=language):
        if message.id and not message.context:
            for words, text in ((ours, message.id), (theirs, message.string)):
                plain = re.sub(r"\{\w+\}", "", " ".join(catalogue.all_forms(text)).lower())
                words |= set(re.findall("[a-z]{3,}", plain))
    return ours - theirs


def sheets(game: Game, tree: Tree) -> dict[str, str]:
    """Return all sheets of a strategy as text."""
    book = pypdf.PdfReader(io.BytesIO(chart.draw(game, tree)))
    empty = pypdf.PdfReader(io.BytesIO(worksheet.draw(game, tree)))
    return {
        "chart": "".join(re.findall("<text[^>]*>([^<]*)</text>", picture.svg(game, tree).decode())),
        "pdf": " ".join(page.extract_text() for page in book.pages),
        "drawing": "".join(re.findall("<text[^>]*>([^<]*)</text>", svg.draw(game, tree).decode())),
        "parts": "".join(re.findall("<text[^>]*>([^<]*)</text>", svg.draw(game, tree, 1).decode())),
        "lines": "\n".join(tree_lines(game, tree)),
        "worksheet": " ".join(page.extract_text() for page in empty.pages),
        "key": text.draw(game, tree, confirmatory=1).decode(),
        "list": separated.draw(game, tree).decode("utf-8-sig"),
    }


@pytest.mark.parametrize("language", SHIPPED)
def test_no_sheet_has_an_english_word(language: str, tmp_path: Path) -> None:
    pytest.importorskip("pygraphviz")
    foreign = english(language)
    assert {"page", "minutes", "average", "others"} <= foreign
    for game, tree in (lamp(), decided(tmp_path, THROAT), balance()):
        with speaking(language):
            found = sheets(game, tree)
        for name, sheet in found.items():
            words = set(re.findall("[a-z]{3,}", unicodedata.normalize("NFKC", sheet).lower()))
            assert words & foreign - OWN == set(), name
        assert "page" not in sheets(game, tree)["key"]
    with speaking("de"):
        assert "A|B: gleich schwer" in sheets(game, tree)["key"]
        assert as_data(game, tree)["responses"][0] == "links schwerer"


def read_aloud(page: "Page") -> str:
    """Return all that a page says now, also to those who do not see it."""
    attributes = "['aria-label', 'title', 'placeholder'].map((name) => one.getAttribute(name) ?? '')"
    more = page.evaluate(f"[...document.querySelectorAll('*')].flatMap((one) => {attributes}).join(' ')")
    hidden = page.evaluate(
        "[...document.querySelectorAll('dialog, noscript, .unseen')].map((d) => d.textContent)"
    )
    return f"{page.title()} {page.inner_text('body')} {more} {' '.join(hidden)}"


@pytest.mark.long
@pytest.mark.parametrize("language", SHIPPED)
def test_no_page_has_an_english_word(language: str, show: Show, tmp_path: Path) -> None:
    foreign = english(language)
    for game, tree in (lamp(), decided(tmp_path, THROAT)):
        with speaking(language):
            page = show(game, tree, guide=True)
        said = [read_aloud(page)]
        page.locator("#choices .unsure").click()  # a question that the strategy does not have there
        said.append(read_aloud(page))
        while page.locator("#choices .choice").count():
            page.locator("#choices .choice").first.click()
            said.append(read_aloud(page))
        page.click("#to-tree")
        page.click("#expand")
        each = "Array.from({ length: N }, (_, n) => (go(n), drawDetails(), byId('details').innerText))"
        said += page.evaluate(each) + page.locator(".row").evaluate_all(
            "rows => rows.map((row) => row.ariaLabel)"
        )
        for text_ in ("zzz", "e", game.secrets[0]):
            page.fill("#query", text_)
            said.append(read_aloud(page))
        words = set(re.findall("[a-z]{3,}", " ".join(said).replace(game.spec, "").lower()))
        assert words & foreign - OWN == set()
        assert page.get_attribute("html", "lang") == language


def test_german_sheets_say_what_they_say() -> None:
    game, tree = lamp()
    with speaking("de"):
        found = sheets(game, tree)
    assert "4 Ursachen · Kosten 3,72 im Mittel" in found["key"] or "im Mittel Kosten" in found["key"]
    assert "bewiesen: keine Reihenfolge kostet im" in found["key"]
    assert found["list"].splitlines()[0].startswith("Ursache;Anteil;Prüfungen;Kosten;Prüfung 1")
    assert re.search(r";0,\d+;", found["list"]) and "Hupe geht: nein" in found["key"]
    assert "Prozent: Anteil aller Fälle." in found["chart"].replace("\xa0", " ")
    assert say("done") == "done", "the language ends with the sheet"


def test_a_book_names_its_overview_in_the_language_of_its_pages() -> None:
    pytest.importorskip("pygraphviz")
    solution = guesstree.solve("mastermind:4x4", method="parts")
    for language, name in (("en", "Overview"), ("de", "Übersicht")):
        with speaking(language):
            book = pypdf.PdfReader(io.BytesIO(pdf.draw(solution.game, solution.strategy)))
        assert len(book.pages) > 1 and book.outline[0].title == name  # type: ignore[union-attr]


def test_plurals_and_nouns_of_ones_own() -> None:
    with speaking("de"):
        assert says("{n} answer may be false", "{n} answers may be false", 1) == "1 Antwort kann falsch sein"
        assert (
            says("{n} answer may be false", "{n} answers may be false", 2) == "2 Antworten können falsch sein"
        )
        assert [noun("cause"), noun("cause", 0), noun("pruefung"), noun("pruefung", 3)] == [
            "Ursache", "Ursachen", "Pruefung", "Pruefungen",
        ]  # fmt: skip
        assert [noun("relais", 2), noun("anzeige", 2), noun("schalter", 2)] == [
            "Relais",
            "Anzeigen",
            "Schalter",
        ]
    assert [noun("cause", 2), noun("pruefung", 2)] == ["causes", "pruefungs"]


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("de", "de"), ("de-AT,de;q=0.9,en;q=0.8", "de"), ("en-US,en;q=0.9,de;q=0.8", "en"), ("", "en"),
        ("fr,de;q=0.5", "de"), ("fr", "en"), ("de;q=0", "en"), ("de;q=x,*", "en"),
        ("en;q=0.1,de;q=0.2", "de"),
    ],
)  # fmt: skip
def test_the_browser_says_which_language_it_likes(accepted: str, language: str) -> None:
    assert preferred(accepted) == language


def test_the_command_and_python_speak_it(tmp_path: Path) -> None:
    pytest.importorskip("pygraphviz")
    game = lamp()[0]
    strategy = guesstree.solve(game).strategy
    strategy.write(tmp_path / "lamp.json")
    source, target = str(tmp_path / "lamp.json"), tmp_path / "lamp.svg"
    run = CliRunner().invoke(command, [source, str(target), "--flowchart", "--language", "de"])
    assert run.exit_code == 0 and "Ursachen" in target.read_text()
    run = CliRunner().invoke(command, [source, "-", "--key", "--language", "de"])
    assert "4 Ursachen" in run.output
    run = CliRunner().invoke(command, [source, "-", "--key"], env={"LANG": "de_DE.UTF-8", "LANGUAGE": "de"})
    assert "4 causes" in run.output, "English where nothing else is asked for"
    strategy.render(tmp_path / "key.txt", style="key", language="de")
    assert "4 Ursachen" in (tmp_path / "key.txt").read_text()
    message = "unknown language 'xx'; use one of en, de"
    with pytest.raises(guesstree.GuesstreeError, match=message):
        strategy.render(tmp_path / "other.txt", style="key", language="xx")
    with pytest.raises(guesstree.GuesstreeError, match=message):
        CliRunner().invoke(
            command, [source, "-", "--language", "xx"], standalone_mode=False, catch_exceptions=False
        )
    assert not (tmp_path / "other.txt").exists()
