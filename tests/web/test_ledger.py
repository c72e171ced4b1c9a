"""The page of a ledger while it is written: what it shows, and that it leaves the file alone."""

import asyncio
import re
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from ledgers import about, fill, proved
from pages import overflow, violations
from refused import one_line
from served import Server

from guesstree.api.ledger import ledger_report
from guesstree.api.ledger_tree import ClaimBrowser, roots_of
from guesstree.cli import main
from guesstree.engine.campaign.ledger import Ledger
from guesstree.engine.campaign.messages import INFINITE, NodeId, Report
from guesstree.engine.campaign.records import about_of
from guesstree.engine.campaign.store import MemoryStore
from guesstree.engine.campaign.tree import BudgetPolicy, ClaimTree
from guesstree.engine.errors import GuesstreeError
from guesstree.engine.meant import LEDGER, file_kind
from guesstree.engine.objective import parse_objective
from guesstree.engine.problem import Problem
from guesstree.engine.registry import parse
from guesstree.web.ledger import WatchedLedger, curve_of
from guesstree.web.run import first_page
from guesstree.web.store import Store
from guesstree.web.work.ledgers import claims_seen, ledger_seen

if TYPE_CHECKING:
    from playwright.sync_api import Page

    Visit = Callable[..., Page]


@pytest.fixture
def watched(server: Server, tmp_path: Path) -> Iterator[WatchedLedger]:
    """A ledger that the server shows, not there yet."""
    found = server.app.state.ledger = WatchedLedger(tmp_path / "some.ledger")
    yield found
    server.app.state.ledger = None


@pytest.fixture
def writing(watched: WatchedLedger) -> Iterator[Ledger]:
    """The same, filled by a process that goes on."""
    with closing(Ledger(str(watched.path), about())) as ledger:
        fill(ledger)
        ledger.commit()
        yield ledger


def shown(answer: httpx.Response) -> str:
    """Return what a page shows, without its tags."""
    assert answer.status_code == 200
    return " ".join(re.sub("<[^>]*>", " ", answer.text).split())


def again(server: Server, watched: WatchedLedger, **query: str) -> str:
    """Return what the page shows once the ledger is read again."""
    watched.looks.clear()
    return shown(server.get("/ledger", **query))


def beside(path: Path) -> dict[str, bytes]:
    """Return the files of a folder."""
    return {file.name: file.read_bytes() for file in path.parent.iterdir()}


@pytest.mark.usefixtures("writing")
def test_it_shows_what_the_ledger_says(server: Server, watched: WatchedLedger) -> None:
    page = shown(server.get("/ledger"))
    for part in (
        "Ledger: Mastermind 4x6",
        "mastermind:4x6, goal win, objective expected; some.ledger",
        "Total: at least 5600 (accepted: 5590), at most 5650, gap 0.893%",
        "Written by process ",
        "guess 1 2 1 - - 1 - -",
        "states after 1 8 - - 6 - 1 1",
        "Claims answered by the search – 9 Claims proved – 2 Claims accepted by the checker – 1",
        "Evaluations – 100 ",
        "All took 27.5 s of processors; ",
        "2 claims may take 6.5 s more of processors, give or take 2.4 s",
        "1122:1,2 , since ",
        "Refused: 1 1112 , ",
        "1296 secrets left",
        "1111 5700 – 5700 accepted – –",
    ):
        assert part in page, part
    assert str(watched.path.parent) not in page
    one = server.get("/ledger").text
    assert re.search(r'<polyline class="line least" points="0\.0,[0-9.]+ [^"]*1000\.0,', one)


@pytest.mark.usefixtures("writing")
def test_links_of_the_tree_lead_down_and_back(server: Server) -> None:
    page = server.get("/ledger").text
    link = re.search(r'href="(/ledger\?part=total&amp;limit=1296&amp;at=7#claims)">1122<', page)
    assert link
    below = server.get(link[1].replace("&amp;", "&").partition("#")[0])
    rows = re.findall(
        r'<tr><th scope="row"><a[^>]*at=7\.(\d+)#claims">([^<]*)</a></th>(.*?)</tr>', below.text
    )
    cells = {number: (label, *re.findall("<td[^>]*>(.*?)</td>", rest)) for number, label, rest in rows}
    game = parse("mastermind:4x6")
    responses = {game.responses[game.respond(7, secret)] for secret in range(1296)} - {"4,0"}
    assert {row[0] for row in cells.values()} == responses
    assert cells["0"] == ("0,0", "256", "845", "–", "–", "searched", "–", "–")  # counting shows more than 100
    assert cells["6"][-3:] == ("open", "1", "–") and cells["7"][-3:] == ("running", "1", "–")
    assert "not asked" in [row[-3] for row in cells.values()]
    trail = re.search(r'<ol class="trail">(.*?)</ol>', below.text, re.DOTALL)
    assert trail and re.findall(r'<a[^>]*href="([^"]*)"', trail[1]) == [
        "/ledger?part=total&amp;limit=1296#claims"
    ]
    assert "Nothing is claimed below" in server.get("/ledger", part="total", limit="1296", at="7.0").text


@pytest.mark.parametrize("game", ["mastermind:4x5", "bulls:3x7"])
def test_bounds_of_the_tree_are_those_of_the_writer(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What its own tree of claims says of what the ledger knows, at each place that is split."""
    monkeypatch.setattr(BudgetPolicy, "budget", property(lambda _: 40))  # so that much is split
    path = str(tmp_path / "some")
    proved(game, "expected", path, trust=True)
    report = ledger_report(path)
    browser, (root,) = ClaimBrowser(report), roots_of(report)
    with closing(Ledger(path)) as ledger:
        store = MemoryStore(dict(ledger.known))
        tree = ClaimTree(browser.paths.space, store, root.figure, root.depth, BudgetPolicy(1))
        waiting, compared = [tree.root], 0
        for state in waiting:
            if state.node in tree.stored:
                waiting += (child for one in tree.open(state).children.values() for child in one.children)
    for split, fork in (
        (state.split, fork) for state in waiting if state.split for fork in state.split.children.values()
    ):
        level = browser.at(report, root, (*fork.state.node.path, int(split.guesses[fork.index])))
        if report.statuses[level.node] == "split":
            for place, child in zip(level.places, fork.children, strict=True):
                compared += 1
                assert (place.node, place.upper) == (child.node, child.upper)
                assert place.lower == child.lower
    assert compared >= 8


def test_below_places_each_claim_counts_once(writing: Ledger, watched: WatchedLedger) -> None:
    writing.take(Report(NodeId((7, 3, 20), "total", 1295), 50))
    writing.commit()
    report = ledger_report(watched.path, whole=False)
    level = ClaimBrowser(report).at(report, roots_of(report)[0], ())
    counts = {place.step: sum(place.below.values()) for place in level.places}
    assert counts == {"1111": 0, "1122": 9}
    assert {status: level.places[0].below[status] for status in ("open", "running")} in (
        {"open": 2, "running": 1},
        {"open": 1, "running": 1},
    )
    for path, said in (((7, 99), "7 99"), ((9999,), "9999"), ((0, 0, 0, 13), "0 0 0 13")):
        with pytest.raises(GuesstreeError, match=f"no responses lead to {said}; expected"):
            ClaimBrowser(report).at(report, roots_of(report)[0], path)


def seen_as(answered: int, evaluations: int, key: str = "a", **workers: int) -> dict[str, Any]:
    """Return what was read, as far as rates need it."""
    each = [{"worker": name, "claims": 1, "evaluations": n, "seconds": 1.0} for name, n in workers.items()]
    counts = {"answered": answered, "proved": 0, "accepted": 1, "evaluations": evaluations}
    return {"key": [key], "counts": counts, "workers": each}


def test_rates_are_of_the_last_minute_of_one_ledger(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("guesstree.web.ledger.time.time", lambda: 1e9)
    found = WatchedLedger(Path("some"))
    found.note(seen_as(10, 1000, one=500, two=500), 100)
    assert found.rates() == (0, {})
    assert {row[0]: row[-1] for row in found.workers()} == {
        "one": "before this page",
        "two": "before this page",
    }
    found.note(seen_as(16, 1500, one=500, two=1000), 102)
    assert found.rates() == (2, {"answered": 3, "proved": 0, "accepted": 0, "evaluations": 250})
    assert [row[0] for row in found.workers()] == ["two", "one"]
    assert re.fullmatch(r"\d\d:\d\d:\d\d", found.workers()[0][-1])
    for second in range(104, 200, 2):
        found.note(seen_as(16, 1500, one=500, two=1000), second)
    assert found.rates() == (60, {"answered": 0, "proved": 0, "accepted": 0, "evaluations": 0})
    found.note(seen_as(16, 1600, one=400, two=1100), 200)  # two has proved what one had found
    assert {row[0]: row[-1] for row in found.workers()}["one"] == "before this page"
    found.note(seen_as(5, 9000, "b", three=1), 202)
    assert found.rates() == (0, {}) and [row[0] for row in found.workers()] == ["three"]
    found.note(seen_as(3, 10, "b", three=1), 204)  # the same was begun anew
    assert found.rates() == (0, {})


def test_the_curve_is_of_steps() -> None:
    found = curve_of([(0, 100, None, None), (5, 150, None, 300), (10, 200, 120, 300)])
    assert found["lower"] == "0.0,196.0 500.0,196.0 500.0,148.0 1000.0,148.0 1000.0,100.0"
    assert (found["upper"], found["accepted"]) == ("500.0,4.0 1000.0,4.0 1000.0,4.0", "1000.0,176.8")
    assert (found["low"], found["high"], found["took"]) == (100, 300, "10.0 s")
    assert curve_of([(0, 100, None, None)]) == curve_of([(0, None, None, None), (1, None, None, None)]) == {}


def test_it_is_read_now_and_then_however_many_look(watched: WatchedLedger) -> None:
    asked = []

    class Pool:
        async def ask(self, work: Callable[..., Any], *given: Any, seconds: float) -> Any:
            assert seconds == 60
            asked.append((work.__name__, *given))
            return work(*given)

    async def look(times: int) -> None:
        await asyncio.gather(*(watched.look(Pool(), ledger_seen) for _ in range(times)))  # type: ignore[arg-type]

    Ledger(str(watched.path), about()).close()
    asyncio.run(look(20))
    assert asked == [("ledger_seen", str(watched.path))]
    last = watched.looks["ledger_seen",]
    last.at -= 30
    last.took = 4
    watched.turn = asyncio.Lock()
    asyncio.run(look(1))
    assert len(asked) == 1  # 40 seconds after one that took 4
    last.at -= 30
    watched.turn = asyncio.Lock()
    asyncio.run(look(1))
    assert len(asked) == 2


def test_a_ledger_may_go_end_and_be_replaced(server: Server, watched: WatchedLedger) -> None:
    answer = server.get("/ledger")
    assert answer.status_code == 503 and "No such file" in answer.text
    one_line(answer)
    with closing(Ledger(str(watched.path), about())) as ledger:
        assert "Nothing yet" in again(server, watched)
        fill(ledger)
        ledger.commit()
        assert "at least 5600" in again(server, watched)
    before = beside(watched.path)
    assert list(before) == ["some.ledger"]
    page = again(server, watched)
    assert "Nobody writes it now" in page and "at least 5600" in page
    assert beside(watched.path) == before
    watched.path.rename(watched.path.with_name("gone"))
    page = again(server, watched)
    assert "No such file" in page and "Below is what was read last" in page and "at least 5600" in page
    assert str(watched.path.parent) not in page
    with closing(Ledger(str(watched.path), about("worst"))) as ledger:
        ledger.rose(NodeId((), "worst", 5), upper=0)
        ledger.rose(NodeId((), "worst", 4), INFINITE, accepted=INFINITE)
        ledger.take(Report(NodeId((0,), "worst", 4), INFINITE, evaluations=1))
    page = again(server, watched)
    assert "5 guesses suffice" in page and "4 guesses do not suffice" in page and "5600" not in page
    assert "Whether all are done within 5 guesses" in page
    assert "1111 not enough – – searched" in again(server, watched, part="worst", limit="4")
    watched.path.write_bytes(b"SQLite format 3\0" + bytes(100))
    assert "ledger &#39;some.ledger&#39;" in again(server, watched)


def test_a_game_that_is_gone_leaves_all_but_the_tree(
    server: Server, watched: WatchedLedger, tmp_path: Path
) -> None:
    table = tmp_path / "some.csv"
    table.write_text("animal,<b>legs,eyes\nowl,2,2\nant,6,5\ncat,4,2\n")
    problem = Problem(parse(f"table:{table}"), parse_objective("expected"))
    with closing(Ledger(str(watched.path), about_of(problem))) as ledger:
        ledger.take(Report(NodeId((0,), "total", 3), 7, worker="<i>me"))
        ledger.refuse(NodeId((1,), "total", 3), "<script>no")
        ledger.take(Report(NodeId((0,), "total", 3), 7, worker="<i>me"))
    page = server.get("/ledger").text
    assert "&lt;b&gt;legs</a>" in page and "&lt;i&gt;me" in page and "&lt;script&gt;no" in page
    assert not re.search("<b>legs|<i>me|<script>no", page)
    table.unlink()
    watched.path.with_name("other").write_bytes(watched.path.read_bytes())
    server.app.state.ledger = other = WatchedLedger(watched.path.with_name("other"))
    for _ in range(8):  # other processes have not opened it
        other.looks.clear()
        page = server.get("/ledger").text
        if "cannot read" in page:
            assert "&lt;i&gt;me" in page and 'id="tree"' not in page
            return
    with pytest.raises(GuesstreeError, match="cannot read"):
        ClaimBrowser(ledger_report(other.path))


@pytest.mark.usefixtures("writing")
def test_addresses_that_are_no_place_are_one_line(server: Server) -> None:
    for query in (
        {"at": "x"}, {"at": "1..2"}, {"at": "1." * 99 + "1"}, {"at": "-1"}, {"at": "²"}, {"at": "9" * 99},
        {"part": "<b>"}, {"part": "total", "limit": "x"}, {"part": "total", "limit": ""},
    ):  # fmt: skip
        answer = server.get("/ledger", **query)
        assert answer.status_code == 400, query
        one_line(answer)
    for query in ({"at": "9999"}, {"at": "0.14"}, {"part": "worst", "limit": "3"}):
        page = server.get("/ledger", **query)
        assert page.status_code == 200 and 'id="tree"' not in page.text
        assert re.search("no responses lead to|there are no claims of", page.text)


def test_without_a_ledger_there_is_no_such_page(server: Server) -> None:
    answer = server.get("/ledger")
    assert answer.status_code == 404 and "no ledger is watched here" in answer.text
    one_line(answer)
    assert ">Ledger</a>" not in server.get("/").text


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Return the line with which `guesstree serve` refuses."""
    with pytest.raises(SystemExit, match="2"):
        main(list(words))
    out, err = capsys.readouterr()
    assert not out and err.count("\n") == 1
    return err.removeprefix("guesstree: ").strip()


def test_what_is_a_ledger_is_known_by_what_is_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    store = Store(tmp_path / "kept.sqlite")
    with closing(Ledger("some", about())) as ledger:
        assert file_kind("some") == "ledger"  # nearly all of it is beside the file still
        ledger.commit()
        assert first_page(store, "some") == "/ledger"
    before = Path("some").read_bytes()
    assert int.from_bytes(before[68:72], "big") == LEDGER
    assert first_page(store, "some") == "/ledger" and Path("some").read_bytes() == before
    assert store.files() == [] and file_kind("kept.sqlite") == ""
    data = ("--data", "kept.sqlite")
    assert "looks like a database (SQLite)" in refused(capsys, "serve", "kept.sqlite", *data)
    with closing(sqlite3.connect("some")) as file, file:
        file.execute("PRAGMA user_version = 1")
    assert refused(capsys, "serve", "some", *data) == (
        "'some' is a ledger of format 1, not of format 2; expected one that this version of guesstree made, "
        "or a new file"
    )
    Path("some").write_bytes(before[:5000])
    assert "ledger 'some' is damaged: " in refused(capsys, "serve", "some", *data)
    assert refused(capsys, "solve", "some") == (
        "'some' is a ledger, not a game; use guesstree ledger some, or guesstree serve some"
    )
    for name in ("two words", "a\nb"):
        Path(name).write_bytes(before)
        word = repr(name)  # as a shell takes it, in one line
        assert refused(capsys, "solve", name) == (
            f"{word} is a ledger, not a game; use guesstree ledger {word}, or guesstree serve {word}"
        )


def test_who_reads_leaves_one_file_behind_when_the_writer_ends(tmp_path: Path) -> None:
    path = tmp_path / "some"
    with closing(Ledger(str(path), about())) as ledger:
        fill(ledger)
        ledger.commit()
        reader = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, check_same_thread=False)
        reader.execute("BEGIN")
        assert reader.execute("SELECT count(*) FROM claims").fetchone() == (10,)
        ledger.take(Report(NodeId((0, 1), "total", 1295), 3))
        ledger.commit()  # a reader is in nobody's way
        gone = threading.Timer(0.2, reader.close)
        gone.start()
    gone.join()
    assert list(beside(path)) == ["some"]
    assert len(ledger_report(path).known) == 11


def test_a_page_follows_what_is_written(visit: "Visit", watched: WatchedLedger, writing: Ledger) -> None:
    page = visit("/ledger", 360)
    page.evaluate("window.same = true")
    assert violations(page) == [] and overflow(page) == 0
    assert "at least 5600" in page.inner_text("#bounds")
    link = page.locator("#tree a", has_text="1122")
    link.focus()
    writing.rose(NodeId((), "total", 1296), 5620)
    writing.take(Report(NodeId((7, 7), "total", 1295), 5, evaluations=900, worker="here:1"))
    writing.commit()
    page.get_by_text("at least 5620").first.wait_for()
    page.locator("#workers", has_text="here:1").wait_for()
    page.locator("#rate", has_text="1,000").wait_for()
    assert page.evaluate("window.same") and page.evaluate("document.activeElement.textContent") == "1122"
    page.locator("#live", has_text="at least 5620").wait_for(state="attached")
    watched.path.rename(watched.path.with_name("gone"))
    page.get_by_text("Below is what was read last").wait_for()
    watched.path.with_name("gone").rename(watched.path)
    page.locator("#fault:empty").wait_for(state="attached")
    link.click()
    page.locator("#tree a", has_text="2,0").wait_for()
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 1300, "height": 800})
    assert violations(page) == [] and overflow(page) == 0
    assert claims_seen(str(watched.path), "total", 1296, (7,))["trail"] == [("7", "1122")]
