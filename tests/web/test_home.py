"""The first page, and what is brought there."""

import html
import io
import json
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
import xlsxwriter
from page_forms import Forms
from pages import first_candidate, violations

from guesstree.trees.export.files import as_bytes
from guesstree.web.store import safe_name

if TYPE_CHECKING:
    from playwright.sync_api import Page
    from served import Server

LAMP = b"test,bulb,fuse,switch\nswap the bulb,works,dark,dark\nmeasure,live,dead,live\n"


def game_of(path: str) -> str:
    """Return the game that an address names."""
    return parse_qs(urlsplit(path).query)["game"][0]


def brought(server: "Server", name: str, data: bytes) -> str:
    """Bring a file and return the page that it leads to."""
    answer = server.post("/bring", (name, data))
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


def refused(server: "Server", name: str, data: bytes) -> str:
    """Bring a file that is refused, and return why."""
    answer = server.client.post(
        "/bring", data={"token": server.store.token}, files={"file": (name, data)}, headers={"accept": "*/*"}
    )
    assert answer.status_code == 400 and answer.text.count("\n") == 1
    return answer.text.strip()


def workbook(rows: list[list[object]]) -> bytes:
    data = io.BytesIO()
    with xlsxwriter.Workbook(data) as book:
        book.add_worksheet("Notes").write(0, 0, "from the workshop")
        sheet = book.add_worksheet("Faults")
        for i, row in enumerate(rows):
            sheet.write_row(i, 0, row)
    return data.getvalue()


# -- in a browser ------------------------------------------------------------------------------------------


@pytest.mark.long
def test_from_a_workbook_to_a_mended_table_in_a_browser(visit: "Callable[..., Page]") -> None:
    page = visit("/", width=360, color_scheme="dark")
    rows: list[list[object]] = [
        ["Fault", "Lamp on?", "Pump hums?", "Flow", "Prior"],
        ["fuse", "no", "no", "none", 10],
        ["pump", "yes", "no", "none", 20],
        ["scale", "yes", "yes", "", 30],
        ["tank empty", "yes", "yes", "none", 4],
    ]
    with page.expect_navigation():  # it is brought as soon as it is chosen
        page.set_input_files(
            "input[type=file]", {"name": "Coffee (v2).xlsx", "mimeType": "", "buffer": workbook(rows)}
        )
    assert page.text_content("h1") == "Coffee-v2.xlsx: 4 faults, 3 tests"
    assert "a cell is empty (test 'Flow', cause 'scale')" in (page.text_content(".first") or "")
    page.click("summary >> text=Mend names and answers")
    page.get_by_label("scale, Flow").fill("weak")
    page.get_by_label("name of row 3").fill("feed pump")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.ariaLabel") == "name of row 4"
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    with page.expect_navigation():
        page.click("text=Save as a new table")
    assert page.text_content("h1") == "Coffee-v2-mended.csv: 4 faults, 3 tests"
    assert "feed pump" in page.inner_text(".shown")
    assert page.locator("text=Find the best order of tests").is_visible()


# -- bringing ----------------------------------------------------------------------------------------------


def test_a_file_is_what_is_in_it_whatever_it_is_called(server: "Server") -> None:
    assert game_of(brought(server, "../../lamp.json", LAMP)) == "table:lamp-json.csv"
    assert game_of(brought(server, "no-words.txt", LAMP.replace(b",", b"\t"))) == "table:no-words.txt"
    words = "Haus\nMaus\nLaus\n".encode("utf-16")
    assert brought(server, "list.xlsx", words) == "/words?file=list.txt"
    assert server.store.file("list.txt") == b"Haus\nMaus\nLaus\n"
    where = brought(server, "tree.csv", as_bytes(*first_candidate("mastermind:2x2")))
    found = server.store.result(where.removeprefix("/strategy/"))
    assert found and (found.kind, found.game) == ("strategy", "mastermind:2x2")


def test_files_that_belong_together_are_one_table(server: "Server") -> None:
    chars = "*CHARACTER LIST\n#1. light/\n 1. on/\n 2. off/\n#2. hum/\n 1. none/\n 2. loud/\n"
    items = "*ITEM DESCRIPTIONS\n# Bulb/\n1,1 2,1\n# Tube/\n1,2 2,1-2\n"
    delta = [("file", ("chars_lamps", chars)), ("file", ("items_lamps", items))]
    form = {"token": server.store.token}
    answer = server.client.post("/bring", data=form, files=delta)
    assert game_of(answer.headers["location"]) == "table:lamps.zip"
    page = server.get("/table", game="table:lamps.zip").text
    assert "2 taxa, 2 characters" in page
    assert "DELTA" in page
    again = server.client.post("/bring", data=form, files=delta[::-1])
    assert game_of(again.headers["location"]) == "table:lamps.zip"
    picture = b"\x89PNG\r\n\x1a\nall of it"
    tree = b"species,leaf,image\noak,lobed,oak.png\nash,pinnate,\n"
    some = [("file", ("trees.csv", tree)), ("file", ("oak.png", picture))]
    answer = server.client.post("/bring", data=form, files=some)
    spec = game_of(answer.headers["location"])
    assert spec == "table:trees.zip"
    assert "left out" not in server.get("/table", game=spec).text
    mended = server.post("/table/mend", game=spec, test="leaf", written="lobed", meant="lobate")
    assert game_of(mended.headers["location"]) == "table:trees-mended.zip"
    page = server.get("/table", game="table:trees-mended.zip").text
    assert "lobate" in page and "left out" not in page
    twice = [("file", ("a.csv", tree)), ("file", ("a.csv", tree))]
    answer = server.client.post("/bring", data=form, files=twice, headers={"accept": "*/*"})
    assert answer.text == "two files are called 'a.csv'; expected files of different names\n"
    other = [("file", ("a.csv", tree)), ("file", ("b.csv", tree))]
    answer = server.client.post("/bring", data=form, files=other, headers={"accept": "*/*"})
    assert "has 2 tables: 'a.csv', 'b.csv'; expected one table" in answer.text


def test_files_are_called_by_plain_letters() -> None:
    names = {
        "../../etc/passwd": "passwd.csv",
        "..\\..\\x.xlsx": "x.xlsx",
        "/etc/cron.d/x.csv": "x.csv",
        "a\0b.csv": "a-b.csv",
        ".htaccess": "htaccess.csv",
        "..": "file.csv",
        "": "file.csv",
        "漢字.csv": "file.csv",
        "Käse Ölé.csv": "Kase-Ole.csv",
        "a;rm -rf ~.csv": "a-rm--rf.csv",
        "x.csv.exe": "x-csv-exe.csv",
        "\u202efdp.csv": "fdp.csv",
        "a,loss=b+c:d.csv": "a-loss-b-c-d.csv",
        "-rf.csv": "rf.csv",
        "<b>&\"'.csv": "b.csv",
        "x" * 9999 + ".CSV": "x" * 60 + ".csv",
    }
    assert {name: "".join(safe_name(name)) for name in names} == names


def test_what_is_wrong_with_a_file_is_said_in_a_line(server: "Server") -> None:
    told = json.loads(as_bytes(*first_candidate("mastermind:2x2")))
    told["summary"]["total"] -= 1
    wrong = json.dumps(told).encode()
    assert refused(server, "t.json", wrong).startswith("'t.json' does not do what it says: ")
    assert "'t.json': format is missing" in refused(server, "t.json", b"{}")
    assert "byte 3 is not UTF-8" in refused(server, "t.json", b'{ "\xff"}')
    assert refused(server, "t.csv", b" \n").startswith("'t.csv' is empty")
    assert refused(server, "t.csv", b",,\n").startswith("'t.csv' has no filled cells")
    assert "looks like a PDF" in refused(server, "t.csv", b"%PDF-1.4 ...")
    assert "'w.csv' line 3: the word 'haus' is repeated (line 1)" in refused(
        server, "w", b"Haus\nMaus\nhaus\n"
    )
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as bomb:
        bomb.writestr("xl/workbook.xml", "<workbook/>")
        bomb.infolist()[0].file_size = 603_000_000
    assert "unpacks to 603 MB; expected at most 500 MB" in refused(server, "t.xlsx", packed.getvalue())
    answer = server.post("/bring")
    assert answer.status_code == 400 and "no file was sent" in answer.text


def test_a_table_that_a_strategy_carries_is_kept_with_it(server: "Server", tmp_path: Path) -> None:
    file = tmp_path / "carried.csv"
    file.write_bytes(LAMP)
    data = as_bytes(*first_candidate(f"table:{file}", "identify"))
    where = brought(server, "tree.json", data)
    found = server.store.result(where.removeprefix("/strategy/"))
    assert found and found.game == "table:carried.csv"
    assert server.get("/table", game=found.game).status_code == 200
    assert "3 causes, 2 tests" in server.get("/table", game=found.game).text


def test_words_are_for_the_games_that_take_them(server: "Server") -> None:
    where = brought(server, "mixed.txt", b"crane\nslate\nbrick\nowl\nbee\n")
    page = server.get(where).text
    assert "mixed.txt: 5 words" in page and "/play?game=hangman%3Amixed.txt" in page
    assert "expected words of the same length" in page and "wordle%3Amixed.txt" not in page
    assert "5 letters (3)" in page and "3 letters (2)" in page
    answer = server.post("/words", file="mixed.txt", length="5")
    assert answer.headers["location"] == "/words?file=mixed-5.txt"
    assert "/play?game=wordle%3Amixed-5.txt" in server.get("/words", file="mixed-5.txt").text
    assert server.store.file("mixed-5.txt") == b"crane\nslate\nbrick"
    assert "no word has 9 letters" in server.post("/words", file="mixed.txt", length="9").text
    assert 'value="mixed-5.txt"' in server.get("/", then="play").text


# -- games -------------------------------------------------------------------------------------------------


def test_the_spec_of_a_game_is_made_of_what_was_chosen(server: "Server") -> None:
    def chosen(query: str) -> str:
        answer = server.client.get(f"/game?{query}")
        return (
            unquote(answer.headers["location"]) if answer.status_code == 303 else html.unescape(answer.text)
        )

    assert chosen("family=mastermind&n=4&n=6&then=play") == "/play?game=mastermind:4x6"
    assert chosen("family=coins&n=5&option=,max=2&then=assist") == "/assist?game=coins:5,max=2"
    assert chosen("family=wordle&text=w.txt&option=,hard&then=solve") == "/solve?game=wordle:w.txt,hard"
    assert chosen("game=table:w.csv") == "/table?game=table:w.csv"
    assert "Mastermind: 21 pegs; expected 1 to 20" in chosen("family=mastermind&n=21&n=6&then=play")
    assert "'x' is no number that can be chosen here" in chosen("family=mastermind&n=x&n=6")
    assert "1 numbers; expected pegs, colours" in chosen("family=mastermind&n=4")
    assert "no game was chosen" in chosen("family=chess")
    page = chosen("family=mastermind&n=2&n=3")
    assert "9 secrets, 9 guesses" in page and '"/compare?game=mastermind%3A2x3"' in page
    assert "more than this machine can number" in chosen("game=mastermind:20x35")


@pytest.mark.parametrize("deed", ["play", "assist", "solve", "compare"])
def test_a_page_without_a_game_asks_for_one(server: "Server", deed: str) -> None:
    assert server.get(f"/{deed}").headers["location"] == f"/?then={deed}"
    page = server.get("/", then=deed).text
    assert set(re.findall('name="then" value="([a-z]+)"', page)) == {deed}


def test_what_is_kept_is_listed_and_deleted(server: "Server") -> None:
    brought(server, "gone.csv", LAMP)
    where = brought(server, "tree.json", as_bytes(*first_candidate("mastermind:1x3")))
    page = server.get("/").text
    assert "/table?game=table%3Agone.csv" in page and f'href="{where}/explore#guide"' in page
    assert "Mastermind 1x3" in page
    server.post("/forget", file="gone.csv")
    server.post(f"{where}/delete")
    page = server.get("/").text
    assert "gone.csv" not in page and where not in page and server.store.file("gone.csv") is None
    assert game_of(brought(server, "gone.csv", LAMP + b"more,a,b,c\n")) == "table:gone-2.csv"


# -- the page of a table -----------------------------------------------------------------------------------


def shown(server: "Server", spec: str) -> str:
    return html.unescape(server.get("/table", game=spec).text)


def test_a_table_is_shown_as_it_is_read_and_turned(server: "Server") -> None:
    brought(
        server, "birds.csv", b"species,beak,legs,prior\nfinch,short,1,3\nheron,long,2,1\nstork,long,3,1\n"
    )
    page = shown(server, "table:birds.csv")
    assert "birds.csv: 3 species, 2 tests" in page and "Each row is a species" in page
    assert "Weights from 'prior'" in page and "long <b>2</b>" in page
    answer = server.post("/table", game="table:birds.csv", set="causes=columns")
    assert game_of(answer.headers["location"]) == "table:birds.csv,causes=columns"
    assert "Each column is a" in shown(server, "table:birds.csv,causes=columns")
    assert "birds.csv%2Ccauses%3Dcolumns" in server.get("/").text  # it is read so from now on


@pytest.mark.long
def test_tests_and_their_answers_fit_a_phone(server: "Server", visit: "Callable[..., Page]") -> None:
    rows = [
        "test,a,b,c,minutes",
        "temperature of the inverter,over 80 degrees,cold,cold,2",
        "lamp?,on,on,off,1",
    ]
    brought(server, "press.csv", "\n".join(rows).encode())
    page = visit("/table?game=table%3Apress.csv", width=360)
    table = "document.querySelector('#answers + .wide')"
    assert page.evaluate(f"{table}.scrollWidth") <= page.evaluate(f"{table}.clientWidth")


def test_all_cells_of_a_usual_table_are_shown(server: "Server") -> None:
    causes = [f"c{i}" for i in range(30)]
    rows = [["test", *causes], *([f"t{j}", *(str(i >> j % 5 & 1) for i in range(30))] for j in range(24))]
    rows[24][30] = "?"
    brought(server, "large.csv", "\n".join(map(",".join, rows)).encode())
    page = shown(server, "table:large.csv")
    assert 'title="Something is said of this cell above">?</td>' in page and "Its beginning" not in page


def test_what_has_to_be_settled_is_settled_by_a_click(server: "Server") -> None:
    brought(server, "gaps.csv", b"test,a,b,c\nx,1,?,2\ny,1,1,1\n")
    page = shown(server, "table:gaps.csv")
    assert "a cell is '?' (test 'x', cause 'b')" in page and "Find the best order" not in page
    assert set(re.findall('name="set" value="(missing[^"]*)"', page)) == {"missing=any", "missing=label"}
    answer = server.post("/table", game="table:gaps.csv", set="missing=label")
    assert "Find the best order of tests" in server.get(answer.headers["location"]).text
    brought(server, "twins.csv", b"test,a,b,c\nx,1,1,2\n")
    assert 'value="merge"' in shown(server, "table:twins.csv")
    assert "Find the best order" in shown(server, "table:twins.csv,merge")


def test_tests_that_err_end_with_a_decision(server: "Server") -> None:
    table = b"test,a,b,c,cost (EUR),sensitivity,specificity\nx,yes,no,no,2,0.9,0.8\ny,no,yes,no,1,0.7,0.9\n"
    brought(server, "errs.csv", table)
    page = shown(server, "table:errs.csv")
    assert "yes 90\u00a0%, no 10\u00a0%" in page
    assert "What a wrong decision costs, in EUR" in page and "Find the best order" not in page
    answer = server.post("/table", game="table:errs.csv", set="wrong", wrong=" 30 ")
    assert game_of(answer.headers["location"]) == "table:errs.csv,wrong=30"
    page = server.get(answer.headers["location"]).text
    assert "Find the best order of tests" in page and '<th scope="col" class="number">EUR</th>' in page
    brought(server, "either.csv", b"species,leg,eye\nant,red,big\nbee,red/tan,big\nfly,tan,big\n")
    assert 'value="ambiguous=clique"' in shown(server, "table:either.csv,cells=sets")
    assert "Find the best order" in shown(server, "table:either.csv,cells=sets,ambiguous=clique")
    refused = server.get("/solve", game="table:either.csv")
    assert refused.status_code == 400 and "See how the table is read" in refused.text


def test_the_form_of_a_table_says_all_options(server: "Server") -> None:
    brought(server, "sizes.csv", b"test,a,b,c\nsize,1,2,3\nmass,4,5,6\n")
    given = {
        "bins": " 2 ",
        "costs": "none",
        "cuts": "size:1.5;2.5\r\n\r\nmass:5",
        "merge": "yes",
        "missing": "",
    }
    answer = server.post("/table", game="table:sizes.csv,win=1", **given)
    spec = game_of(answer.headers["location"])
    assert spec == "table:sizes.csv,merge,costs=none,bins=2,cuts=size:1.5;2.5,cuts=mass:5"
    assert "< 1.5" in shown(server, spec)
    page = shown(server, "table:sizes.csv,bins=nine")
    assert "bins=nine; expected a whole number" in page and 'value="nine"' in page  # the form is still there


def test_questions_of_two_answers_are_an_option_of_a_table(server: "Server") -> None:
    table = b"test,a,b,c,d\nedge,lobed,toothed,smooth,lobed/toothed\nhairs,few,many,some,some\n"
    brought(server, "two.csv", table)
    given = {"cells": "sets", "ambiguous": "clique", "dichotomous": "yes", "order": "hairs:few;some;many"}
    spec = game_of(server.post("/table", game="table:two.csv", **given).headers["location"])
    assert spec == "table:two.csv,cells=sets,ambiguous=clique,dichotomous,order=hairs:few;some;many"
    assert "Find the best order" in shown(server, spec)
    assert "hairs: few or some / many" in server.get("/assist", game=spec).text


def test_the_tidy_form_is_that_of_the_command(server: "Server") -> None:
    brought(server, "tidy.csv", b"species;legs;Price (EUR)\nant;6;0,5\nowl;2;1\n")
    brought(server, "plain.csv", LAMP)
    answer = server.get("/table/tidy", game="table:plain.csv")
    assert answer.text.splitlines()[0] == "test,bulb,fuse,switch"
    assert answer.headers["content-disposition"] == 'attachment; filename="plain-tidy.csv"'


def test_nothing_is_deleted_before_it_is_asked_about(server: "Server") -> None:
    brought(server, "lost.csv", LAMP)
    own = server.store.add_result("strategy", "mastermind:2x2", {"title": "Two <pegs>"}, b"{}")
    home = server.get("/").text
    asks = {f"/strategy/{own}/delete": "<p>Two &lt;pegs&gt;</p>", "/forget?file=lost.csv": "Delete lost.csv?"}
    for path, told in asks.items():
        assert f'href="{path}"' in home
        page = server.get(path)
        assert told in page.text and "cannot be undone" in page.text
        assert server.get(path).status_code == 200
        (form,) = Forms(page.text).forms
        answer = server.client.post(form.action or path, data=form.fields)
        assert answer.headers["location"] == "/"
        assert server.get(path).status_code == 404
    assert server.store.file("lost.csv") is None and server.store.result(own) is None


def test_no_table_that_is_taken_away_has_a_formula(server: "Server") -> None:
    brought(server, "sums.csv", b"test,a,=b\n=1+1,yes,@no\nplain,''=x,+\n")
    text = server.get("/table/tidy", game="table:sums.csv,causes=columns").text
    assert text == "test,a,'=b\n'=1+1,yes,'@no\nplain,''=x,'+\n"
    brought(server, "again.csv", text.encode())
    assert "=1+1" in shown(server, "table:again.csv,causes=columns")
    answer = server.post("/table/mend", game="table:again.csv,causes=columns", cells="t\ta\tb\n=1+1\t'=x\ty")
    assert server.store.file("again-mended.csv") == b"t,a,b\n'=1+1,''=x,y\n", answer.text


def test_what_pages_would_take_too_long_for_is_not_brought(server: "Server") -> None:
    wide = b"test" + b",x" * 60_000 + b"\n" + b"a" + b",1" * 60_000 + b"\n"
    assert "wide.csv' has 60,001 columns; expected at most 50,000 in a browser" in refused(
        server, "wide.csv", wide
    )
    assert "long.csv' has 60,001 rows; expected" in refused(server, "long.csv", b"a,b\n" + b"1,2\n" * 60_000)
    assert server.store.file("wide.csv") is None


GERMAN = """Prüfung;Batterie;Anlasser;Tank;Zeit [min]
Licht;hell;dunkel;hell;1,5
Spannung;normal;nromal;normal;3
Starter;still;still;dreht;0,5
Häufigkeit;40 %;35 %;25 %;
"""


@pytest.mark.parametrize("corner", ["Prüfung", "Pruefung"])
def test_a_slip_is_mended_by_a_click_and_all_words_stay(server: "Server", corner: str) -> None:
    text = GERMAN.replace("Prüfung", corner)
    name = game_of(brought(server, "auto.csv", text.encode())).removeprefix("table:")
    page = shown(server, f"table:{name}")
    assert "3 causes, 3 tests" in page and "Write “normal” for “nromal”" in page
    assert 'class="doubt" title="Something is said of this cell above">nromal</td>' in page
    assert 'data-marked="2,2"' in page
    slip = {"test": "Spannung", "written": "nromal", "meant": "normal"}
    answer = server.post("/table/mend", game=f"table:{name}", **slip)
    mended = game_of(answer.headers["location"])
    assert server.store.file(mended.removeprefix("table:")) == text.replace("nromal", "normal").encode()
    assert server.store.file(name) == text.encode()  # what was brought stays
    page = shown(server, mended)
    assert "tells nothing: all answer" in page and "minutes" in page.lower()
    tidy = server.get("/table/tidy", game=mended).text.splitlines()
    assert tidy[0] == f"{corner},Batterie,Anlasser,Tank,Zeit [min]" and tidy[-1].startswith("Häufigkeit,")
    assert "has no answer" in server.post("/table/mend", game=mended, **slip).text


def test_a_slip_in_a_column_or_a_long_form_is_mended_too(server: "Server") -> None:
    species = b"species,leg,wing\na,short,clear\nb,long,clear\nc,long,claer\nd,short,clear\n"
    slip = {"test": "wing", "written": "claer", "meant": "clear"}
    for name, data in (
        ("slip.csv", species),
        ("long.csv", b"cause,test,answer\na,leg,yes\na,wing,clear\nb,leg,no\nb,wing,claer\n"),
    ):
        spec = game_of(brought(server, name, data))
        answer = server.post("/table/mend", game=spec, **slip)
        kept = server.store.file(game_of(answer.headers["location"]).removeprefix("table:"))
        assert kept == data.replace(b"claer", b"clear")


def test_the_grid_marks_what_is_wrong_and_shows_whole_labels(
    visit: "Callable[..., Page]", server: "Server"
) -> None:
    long = "the lamp over the door that the neighbour gave us years ago"
    data = f"test,{long},b,b\nx,1,2,1\ny,1,,2\n".encode()
    spec = game_of(brought(server, "door.csv", data))
    page = visit(f"/table?game={spec}")
    assert page.locator(".grid-edit .doubt").evaluate_all("all => all.map(one => one.dataset.at)") == [
        "0,2",
        "0,3",
        "2,2",
    ]
    assert page.evaluate("""[...document.querySelectorAll('.grid-edit input')].every(
        field => field.scrollWidth <= field.clientWidth)""")
    empty = game_of(brought(server, "empty.csv", data.replace(b",b,b", b",b,c")))
    page.goto(f"/table?game={empty}")
    assert page.get_attribute("#grid", "data-marked") == "2,2"


def test_cells_that_were_mended_are_a_table_of_their_own(server: "Server") -> None:
    brought(server, "typo.csv", b"test,a,a\nx,1,2\n")
    page = shown(server, "table:typo.csv")
    assert "the cause label 'a' is repeated" in page and "<textarea" in page
    answer = server.post("/table/mend", game="table:typo.csv", cells="test\ta\tb\r\nx\t1\t2\r\n\t\t")
    assert game_of(answer.headers["location"]) == "table:typo-mended.csv"
    assert server.store.file("typo-mended.csv") == b"test,a,b\nx,1,2\n"
    answer = server.post("/table/mend", game="table:typo-mended.csv,merge", cells="test\ta\tb\nx\t1\t1")
    assert game_of(answer.headers["location"]) == "table:typo-mended-2.csv,merge"  # nothing is lost by saving
    assert "no cells were sent" in server.post("/table/mend", game="table:typo.csv", cells=" ").text
    assert "no file 'none.csv' was brought here" in shown(server, "table:none.csv")
    assert server.get("/table").headers["location"] == "/"


def test_colours_are_chosen_by_their_letters(server: "Server") -> None:
    response = server.client.get("/game?family=mastermind&n=4&n=rgbyow&then=assist")
    assert response.headers["location"] == "/assist?game=mastermind%3A4xrgbyow"
    page = server.client.get("/assist?game=mastermind:4xrgbyow&guess=1123&response=bw", follow_redirects=True)
    assert "history=RRGB%3A1%2C1" in str(page.url)
    assert 'class="peg peg-R"' in page.text
    for wrong in ("n=4", "n=four&n=6", "n=4&n=4%25", "n=4&n=rgr"):
        assert (
            server.client.get(
                f"/game?family=mastermind&{wrong}&then=assist", follow_redirects=True
            ).status_code
            == 400
        )


# -- examples ----------------------------------------------------------------------------------------------

GOLF = b"outlook,wind,class\nsunny,no,stay\nsunny,yes,stay\nrain,no,play\nrain,yes,stay\n"
GOLF += b"rain,no,play\nfog,no,play\n"


def test_rows_with_classes_are_examples(server: "Server") -> None:
    page = brought(server, "golf.csv", GOLF)
    text = html.unescape(server.get(page).text)
    assert "Each row is an example with its class, each other column a test." in text
    assert "6 rows are examples (5 different ones)" in text and "Turn it" not in text
    fields = {"token": server.store.token, "game": game_of(page), "target": "wind", "confidence": "90%"}
    answer = server.client.post("/table", data=fields)
    other = answer.headers["location"]
    assert game_of(other).endswith(",target=wind,confidence=90%")
    text = html.unescape(server.get(other).text)
    assert "Classes from 'wind': no 4, yes 2" in text.replace("“", "'").replace("”", "'")


def test_what_contradictory_examples_need_is_one_click_away(server: "Server") -> None:
    page = brought(server, "twice.csv", GOLF + b"fog,no,stay\n")
    text = html.unescape(server.get(page).text)
    assert "To settle first" in text and 'value="confidence=95%"' in text
    fields = {"token": server.store.token, "game": game_of(page), "set": "confidence=95%"}
    answer = server.client.post("/table", data=fields)
    assert "To settle first" not in server.get(answer.headers["location"]).text


def test_classes_of_arff_can_be_named(server: "Server") -> None:
    data = b"@relation g\n@attribute a {x,y}\n@attribute class {u,v}\n@data\nx,u\ny,v\nx,u\n"
    page = brought(server, "g.arff", data)
    fields = {"token": server.store.token, "game": game_of(page), "target": "class"}
    answer = server.client.post("/table", data=fields)
    text = html.unescape(server.get(answer.headers["location"]).text)
    assert "3 rows are examples (2 different ones)" in text
