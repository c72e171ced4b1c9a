"""Searches and comparisons in the browser: from a form to what is kept."""

import asyncio
import csv
import io
import json
import multiprocessing
import os
import re
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jobs
import pytest
from pages import violations
from pypdf import PdfReader
from served import Server

from guesstree.engine.objective import OBJECTIVES
from guesstree.trees.export.files import read_text
from guesstree.web import tasks
from guesstree.web.pool import Refused
from guesstree.web.results import DOWNLOADS
from guesstree.web.store import Store
from guesstree.web.tasks import Task, Tasks
from guesstree.web.work.uploads import uploads_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    Visit = Callable[..., Page]

LONG = {"game": "mastermind:4x8", "seconds": ""}
"""A search that takes minutes; its first strategy takes less than a second."""
SIGNS = {
    ".py": b'"""A decision tree',
    ".sql": b"CASE",
    ".pmml": b"<?xml",
    ".pdf": b"%PDF",
    ".html": b"<!DOCTYPE html",
    ".docx": b"PK",
    ".xlsx": b"PK",
    ".svg": b"<?xml",
    ".png": b"\x89PNG",
    ".json": b"{",
    ".csv": b"\xef\xbb\xbfcause,share,",
    ".txt": b"Pump: which cause?",
}
"""How files begin."""
TABLE = b"""cause,light,sound,heat
minutes,5,2,1
fuse,off,no,no
lamp,off,no,yes
switch,on,no,no
bearing,on,yes,yes
"""


def begin(server: Server, path: str = "/solve", **fields: str) -> str:
    """Begin a task and return where it is."""
    answer = server.post(path, None, **fields)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def told(server: Server, place: str) -> list[dict[str, Any]]:
    """Follow a task to its end and return what it told."""
    with server.client.stream("GET", f"{place}/events") as events:
        lines = [line for line in events.iter_lines() if line.startswith("data: ")]
    return [json.loads(line.removeprefix("data: ")) for line in lines]


def fault(text: str) -> str:
    found = re.search('<p class="fault"[^>]*>([^<]*)', text)
    return found[1] if found else ""


def task_at(server: Server, place: str) -> Task:
    found: Task = server.app.state.tasks.tasks[place.rpartition("/")[2]]
    return found


def until_known(server: Server, place: str) -> None:
    """Follow a task until there is something that can be kept."""
    with server.client.stream("GET", f"{place}/events") as events:
        assert any('"upper"' in line for line in events.iter_lines())


def kept(server: Server, task: Task) -> dict[str, Any]:
    """Wait until a task has ended and return what is told of what it left."""
    late = time.monotonic() + 30
    while not task.ended and time.monotonic() < late:
        time.sleep(0.05)
    found = server.store.result(task.result)
    assert found is not None, task.fault
    return dict(found.about)


def test_from_the_form_to_files(server: Server) -> None:
    name = server.store.add_file("pump.csv", TABLE)
    asked = {"game": f"table:{name}", "objective": "worst,expected", "seconds": "20"}
    form = server.get("/solve", game=asked["game"]).text
    assert "As few minutes as possible on average" in form
    for objective in OBJECTIVES.values():  # by which the field of the budget is shown
        assert (f'value="{objective.name}" class="budgeted"' in form) == objective.budgeted
    assert 'name="goal"' not in form  # nothing wins

    place = begin(server, **asked)
    assert told(server, place)[-1] == {"result": task_at(server, place).result}
    page = server.client.get(place, follow_redirects=True)
    assert "which of the 4 causes it is after at most 2 tests, for 4.5 minutes on average" in page.text
    assert "Proven: no order needs fewer minutes in the worst case, nor fewer on average" in page.text
    strategy = str(page.url.path)

    for download in DOWNLOADS.values():
        assert f'href="{strategy}/download/{download.name}?language=en"' in page.text
        answer = server.get(f"{strategy}/download/{download.name}")
        assert answer.content.startswith(SIGNS[download.ending]), download.name
        assert answer.headers["content-disposition"] == f'attachment; filename="pump-{download.name}"'
    assert server.get(f"{strategy}/download/..%2Fstore").status_code == 404

    own = strategy.rpartition("/")[2]
    found = Store(server.store.path).result(own)  # as a server that is started again finds it
    assert found is not None
    for name in ("key.txt", "tree.svg"):  # this server proved it; of a file that is brought, the file says so
        assert "the file says" not in server.get(f"{strategy}/download/{name}").text
    brought = server.post("/bring", ("pump.json", found.data)).headers["location"]
    assert "The file says: no order needs fewer minutes in the worst case" in server.get(brought).text
    assert "the file says: no order needs" in server.get(f"{brought}/download/key.txt").text.replace(
        "\n", " "
    )
    read = read_text(found.data.decode(), uploads_of(server.store.path))
    assert (read.strategy.claims.lower, read.strategy.claims.proven) == ((6, 18), True)

    assert server.post(f"{strategy}/delete").status_code == 303
    assert "not kept here" in fault(server.get(strategy).text)


def test_the_sheets_are_chosen_seen_and_taken_away(server: Server, visit: "Visit") -> None:
    name = server.store.add_file("pump.csv", TABLE)
    place = begin(server, game=f"table:{name}", seconds="20")
    told(server, place)
    strategy = server.client.get(place, follow_redirects=True).url.path
    seen = server.get(f"{strategy}/sheets.svg", title="Pumpe & Motor", paper="letter", language="de").text
    assert "Pumpe &amp; Motor" in seen and "Ursachen" in seen and 'width="612.0" height="792.0"' in seen
    assert "width='" not in seen and 'pt"' not in seen  # all in points
    wanted = "title=Pumpe+%26+Motor&paper=letter&language=de"
    page = server.get(f"{strategy}?{wanted}").text
    assert 'value="Pumpe &amp; Motor"' in page and '<option value="letter" selected>' in page
    key = server.get(f"{strategy}/download/key.txt?{wanted}").text
    assert key.startswith("Pumpe & Motor\n") and "Ursachen" in key
    chart = server.get(f"{strategy}/download/flowchart.pdf?{wanted}").content
    (sheet,) = PdfReader(io.BytesIO(chart)).pages
    assert sorted(map(round, (sheet.mediabox.width, sheet.mediabox.height))) == [612, 792]
    for bad in ("paper=a9", "pages=0", "language=xx", "title=" + "x" * 201, "title=a%0Ab"):
        for what in ("", "/sheets.svg", "/download/key.txt"):
            answer = server.get(f"{strategy}{what}?{bad}")
            assert answer.status_code == 400 and "expected" in answer.text, (bad, what)
    german = server.client.get(strategy, headers={"accept-language": "de-DE,de;q=0.9"}).text
    assert '<option value="de" selected>' in german

    shown = visit(strategy)
    shown.get_by_label("Title").fill("Die Pumpe")
    shown.get_by_label("Paper").select_option("letter")
    shown.wait_for_url("**title=Die+Pumpe**")
    assert "title=Die+Pumpe&paper=letter" in (shown.get_attribute("#preview", "src") or "")
    links = shown.eval_on_selector_all(".downloads a", "all => all.map(one => one.search)")
    assert set(links) == {"?title=Die+Pumpe&paper=letter&language=en"}
    shown.wait_for_selector("#preview:not(.late)")
    assert shown.evaluate("document.getElementById('preview').naturalWidth") > 600


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({"lies": "8"}, "8 lies; expected 0 to 7"),
        ({"first": "99"}, "'99' is not a guess"),
        ({"seconds": "soon"}, "'soon' seconds; expected a number"),
        ({"seconds": "1 h"}, "'1 h' seconds; expected a number"),
        ({"depth": "2.5"}, "'2.5' guesses at most; expected a whole number"),
        ({"way": "os:system"}, "unknown way to search 'os:system'"),
        ({"objective": "best"}, "unknown objective 'best'"),
        ({"objective": "win-probability"}, "no budget; expected an integer from 0"),
    ],
)
def test_a_form_with_a_fault_is_shown_again(server: Server, fields: dict[str, str], line: str) -> None:
    answer = server.post("/solve", None, game="mastermind:3x3", **fields)
    assert answer.status_code == 400
    assert line in fault(answer.text).replace("&#39;", "'")
    assert all(value in answer.text for value in fields.values())
    assert not server.app.state.tasks.running


@pytest.mark.long
def test_what_is_stopped_keeps_the_best(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped, left, killed = (begin(server, **LONG) for _ in range(3))

    os.kill(task_at(server, killed).process.pid or 0, signal.SIGKILL)
    assert told(server, killed)[-1] == {"fault": tasks.KILLED}
    page = server.get(killed).text
    assert fault(page) == tasks.KILLED
    assert "/solve?game=mastermind%3A4x8&amp;seconds=" in page

    until_known(server, stopped)
    assert server.post(f"{stopped}/stop").status_code == 303
    until_known(server, left)
    monkeypatch.setattr(tasks, "ABSENCE", 0.1)  # whoever followed is gone: the search ends by itself
    for place in (stopped, left):
        about = kept(server, task_at(server, place))
        assert (about["stopped"], about["proven"]) == ("interrupt", False)
        assert re.search(r"could save at most [\d.]+\s%", about["verdict"])


def test_no_more_than_so_many_run(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "MOST_TASKS", 0)
    answer = server.post("/solve", None, **LONG)
    assert answer.status_code == 429
    assert fault(answer.text) == "0 searches run at once here, and that is the most: stop one"


def test_a_task_that_fails_in_any_way_leaves_its_place_to_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks, "MOST_TASKS", 1)

    async def ended(some: Tasks, work: tasks.Work) -> str:
        task = some.start(work, {})
        async with asyncio.timeout(30):
            return [told async for told in some.follow(task)][-1]["fault"]

    async def faults() -> list[str]:
        some = Tasks(Store(tmp_path / "kept.sqlite"), str(tmp_path))
        with pytest.raises(Refused, match="no search can be started now: Can't pickle"):
            some.start(lambda *_: {}, {})
        found = [await ended(some, work) for work in (jobs.tell_nonsense, jobs.be_killed)]
        monkeypatch.setattr(tasks, "starting", lambda: Broken())
        with pytest.raises(Refused, match="no search can be started now: Resource temporarily unavailable"):
            some.start(jobs.be_killed, {})
        monkeypatch.undo()
        found.append(await ended(some, jobs.fill_disk))
        await some.close()
        return found

    nonsense, killed, full = asyncio.run(faults())
    assert (nonsense, killed) == (tasks.FAILED, tasks.KILLED)
    assert full.startswith("nothing can be kept now: ")


class Broken:
    """A way to start processes, where there are too many."""

    Pipe = staticmethod(multiprocessing.Pipe)

    class Process:
        def __init__(self, **_: object) -> None: ...

        def start(self) -> None:
            raise BlockingIOError(11, "Resource temporarily unavailable")


def test_a_search_of_an_earlier_server_is_gone(server: Server) -> None:
    assert fault(server.get("/task/0123456789ab").text).startswith("this search is not here any more")


def test_methods_side_by_side(server: Server) -> None:
    boxes = {"method-max-part": "1", "method-entropy": "1"}
    place = begin(server, "/compare", game="mastermind:3x4", seconds="5", **boxes)
    assert told(server, place)[-1]["result"]
    page = server.client.get(place, follow_redirects=True)
    table = server.get(f"{page.url.path}/download/table.csv")
    rows = list(csv.DictReader(io.StringIO(table.text)))
    assert [row["total"] for row in rows] == ["216", "208", "206"]
    assert server.get(f"{page.url.path}/download/table.json").json()["methods"][2]["optimal"] is True
    assert re.findall(r"\+[\d.]+ %", page.text) == ["+4.85 %", "+0.971 %"]

    answer = server.post("/compare", game="mastermind:3x4", seconds="0")
    assert answer.status_code == 400
    assert fault(answer.text).startswith("nothing to compare")


def test_in_a_browser(server: Server, visit: "Visit") -> None:
    page = visit("/solve?game=mastermind:3x3", width=360)
    page.get_by_role("radio", name="First the worst case, then the average").check()
    page.get_by_role("button", name="Solve").click()
    page.wait_for_url("**/strategy/*")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("link", name="Open the guide").click()
    page.wait_for_selector("#choices .choice")
    page.get_by_role("link", name="Back to the figures").click()
    page.get_by_role("link", name="Explore the tree").click()
    page.wait_for_selector("#tree .row[aria-level='3']")
    assert page.locator("#guided").is_hidden()
    page.get_by_role("link", name="Back to the figures").click()
    page.get_by_role("link", name="Delete").click()
    page.get_by_role("link", name="Keep it").click()
    page.wait_for_url("**/strategy/*")
    page.get_by_role("link", name="Delete").click()
    page.get_by_role("button", name="Delete").click()
    page.wait_for_url(server.url + "/")

    place = begin(server, **LONG)
    page.goto(place)
    page.wait_for_selector("#band polygon")
    assert "The best takes between" in (page.text_content("#live") or "")
    assert violations(page) == []
    page.get_by_role("button", name="Stop, and keep the best").click()
    page.wait_for_url("**/strategy/*")
