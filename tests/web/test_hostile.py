"""Hostile files, labels and names of files; and what happens to processes and to what is kept."""

import asyncio
import csv
import io
import json
import os
import random
import re
import signal
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from awkward import awkward
from page_forms import Forms
from refused import KNOWN, guarded, kept, one_line
from served import Server

from guesstree.engine.errors import GuesstreeError
from guesstree.web.pool import Pool
from guesstree.web.store import Store
from guesstree.web.work.uploads import game_at, strategy_at

pytestmark = pytest.mark.usefixtures("nothing_fails")


def strategy(**more: object) -> bytes:
    """Return a strategy file of a small table, with other things in it."""
    table = {"secrets": ["a", "b"], "guesses": ["x"], "responses": [["1", "2"]]}
    nodes = [{"guess": "x", "children": {"1": 1, "2": 2}}, {"secret": "a"}, {"secret": "b"}]
    known = {"format": "guesstree/1", "game": "table:x.csv", "goal": "identify", "objective": "expected"}
    claimed = {"method": "exact", "bounds": {"lower": 2, "upper": 2}, "table": table, "nodes": nodes}
    return json.dumps(known | claimed | more).encode()


def bombs() -> Iterator[tuple[str, bytes]]:
    """Yield files that are to be refused, with their names."""
    for known in (*awkward("books"), *awkward("formats")):
        if known.refused and ("bomb" in known.name or "entities" in known.name or "million" in known.name):
            yield next(iter(known.files.items()))
    outside = (
        '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><Datasets>&a;</Datasets>'
    )
    yield "outside.xml", outside.encode()
    yield "cells.csv", b"," * 4_100_000
    yield "deep.json", b'{"a":' * 100_000
    yield "digits.json", b'{"nodes": ' + b"9" * 100_000 + b"}"
    yield "module.json", strategy(game="os:system")
    yield "path.json", strategy(game="table:/etc/passwd", table={"sha256": "0" * 64})
    yield "cycle.json", strategy(nodes=[{"guess": "x", "children": {"1": 0, "2": 0}}])
    yield "wrong.json", strategy(nodes=[{"guess": "x", "children": {"1": 1, "2": 1}}, {"secret": "a"}])
    yield "null.csv", b"\0" * 1000
    yield "bytes.csv", random.Random(1).randbytes(9999)
    yield "program.csv", b"\x7fELF" + b"x" * 99
    yield "page.csv", b"<!doctype html><script>alert(1)</script>"
    yield "empty.csv", b""
    yield "words.txt", b"a\n" * 9999


def test_hostile_files_are_refused_in_a_line(server: Server) -> None:
    for name, data in bombs():
        before = kept(server.store)
        answer = server.post("/bring", (name, data))
        if answer.status_code == 303:  # it is a sheet, and its page says what is wrong with it
            answer = server.client.get(answer.headers["location"])
            assert answer.status_code in (200, 400), name
            assert 'class="fault"' in answer.text, name
        else:
            assert answer.status_code == 400, (name, answer.text)
            one_line(answer)
            assert kept(server.store) == before, name
        guarded(answer)


MARKUP = [
    "<script>alert(1)</script>",
    "</script><img src=x onerror=alert(2)>",
    "\"'><b>`${1}",
    "<!--",
    "]]>&lt;",
]


def hostile_table() -> bytes:
    """Return a table whose every label is markup."""
    text = io.StringIO()
    rows = [["<i>test", *(f"{label} {i}" for i, label in enumerate(MARKUP))]]
    rows += [[f"{label}?", *(MARKUP[(i * j) % 3] for j in range(5))] for i, label in enumerate(MARKUP)]
    csv.writer(text).writerows([*rows, ["=1+1", "=2", "@3", "=2", "@3", "+5"]])
    return text.getvalue().encode()


def plain_of(answer: httpx.Response) -> str:
    """Return the text of an answer, which has no label as markup in it."""
    assert answer.status_code == 200, (str(answer.url), answer.text[:2000])
    for sign in ("<script>alert", "</script><img", "<img src=x", "'><b>", "<i>test"):
        assert sign not in answer.text, (str(answer.url), sign)
    return answer.text


def test_labels_never_become_markup(server: Server) -> None:
    place = server.post("/bring", ("b.csv", hostile_table())).headers["location"]
    assert place == "/table?game=table%3Ab.csv"
    plain_of(server.get(place))
    game = {"game": "table:b.csv,causes=columns"}
    for path in ("/table", "/game", "/play", "/assist", "/solve", "/compare"):
        answer = server.client.get(path, params=game, follow_redirects=True)
        plain_of(answer)
    own = server.post("/play", **game).headers["location"]
    for do in ("hint", "give up"):
        turn = Forms(plain_of(server.get(own))).forms[0].fields["turn"]
        assert server.post(own, do=do, turn=turn).status_code == 303
    plain_of(server.get(own))
    plain_of(server.get(f"{own}?review=1"))
    plain_of(server.get("/assist", **game, guess=f"{MARKUP[1]}?"))
    task = server.post("/solve", None, **game, seconds="9").headers["location"]
    plain_of(server.get(task))
    server.get(f"{task}/events")
    done = server.get(task).headers["location"]
    plain_of(server.get(done))
    plain_of(server.get(f"{done}/sheets.svg?title=%3Cscript%3E"))
    for what in ("explore", "download/tree.svg", "download/key.html", "download/list.csv"):
        link = f"{done}/{what}"
        answer = server.get(link)
        assert answer.status_code == 200, link
        saved = answer.headers.get("content-disposition", "")
        assert re.fullmatch(r'attachment; filename="[A-Za-z0-9.-]+"', saved) or "explore" in link
        if link.endswith(".csv"):
            assert not re.search(r"(^|,)\"?[=+@-]\D", answer.text, re.MULTILINE), answer.text
        else:
            plain_of(answer)
    plain_of(server.get("/"))


SPECS = [
    *("table:/etc/passwd", "table:../known.csv", "table:./known.csv", "table:known.csv/../known.csv"),
    *("table:known.csv,loss=/etc/passwd", "table:known.csv,loss=../x", "table:.", "table:", "table:-"),
    *("wordle:/etc/passwd", "wordle:words.txt,/etc/passwd", "wordle:words.txt,../words.txt"),
    *("hangman:/etc/passwd", "hangman:words.txt+/etc/passwd", "hangman:../words.txt", "hangman:english+/x"),
    *("table:file:///etc/passwd", "table:http://127.0.0.1/", "table:\\\\host\\share.csv", "table:C:\\x.csv"),
    *("table:known.csv\0", "table:known.csv\n", "table:\ud800.csv", "table:" + "x" * 10_000, "table:~/x.csv"),
    *("os:system", "guesstree.engine.tables.table:TableGame", "__main__:x", ":", "", "table", "known.csv"),
    *("mastermind:9999x9999", "mastermind:20x35x2", "coins:999", "bulls:0x0"),
]


@pytest.mark.long
def test_no_spec_names_a_file_that_was_not_brought(server: Server) -> None:
    server.store.add_file("words.txt", b"crane\nslate\n")
    for spec in SPECS:
        with pytest.raises(GuesstreeError) as raised:
            game_at(server.store.path, spec)
        line = str(raised.value)
        assert "\n" not in line
        assert tempfile.gettempdir() not in line
        strategy = {"format": "guesstree/1", "game": spec, "goal": "identify", "objective": "expected"}
        for more in ({}, {"table": {"sha256": "0" * 64}}):
            text = json.dumps({**strategy, "method": "x:y", "nodes": [{"guess": "x"}], **more})
            with pytest.raises(GuesstreeError) as raised:
                strategy_at(server.store.path, text)
            line = str(raised.value)
            assert "\n" not in line
            assert tempfile.gettempdir() not in line
    assert len(game_at(server.store.path, "table:known.csv,causes=columns").secrets) == 3


def test_what_is_kept_is_read_by_its_user_alone(tmp_path: Path) -> None:
    place = tmp_path / "new" / "pages.sqlite"
    store = Store(place)
    store.add_file("a.csv", KNOWN)
    assert store.add_file("A.csv", b"other") == "A-2.csv"  # there are disks on which both were one file
    for path in (place.parent, *place.parent.iterdir()):
        assert path.stat().st_mode & 0o077 == 0, path
    other = tmp_path / "other.sqlite"
    with closing(sqlite3.connect(other)) as base, base:
        base.execute("CREATE TABLE cookies (name TEXT)")
    for path in (other, tmp_path, tmp_path / "new" / "pages.sqlite" / "x"):
        with pytest.raises(GuesstreeError):
            Store(path)
    with closing(sqlite3.connect(other)) as base:
        assert base.execute("SELECT name FROM sqlite_master").fetchall() == [("cookies",)]


def test_where_nothing_can_be_kept_that_is_said(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("guesstree.web.store.PATIENCE", 0.01)
    own = server.store.add_play({"known": 1})
    server.store.change_play(own, {"known": 2}, {"known": 3})  # of a tab that was too slow
    assert server.store.play_state(own) == {"known": 1}
    with closing(sqlite3.connect(server.store.path)) as base:
        base.execute("BEGIN EXCLUSIVE")
        for answer in (server.get("/"), server.post("/forget", file="known.csv")):
            assert answer.status_code == 507
            assert "nothing can be kept now: database is locked" in answer.text
            one_line(answer)


def test_processes_that_are_killed_are_begun_anew(tmp_path: Path) -> None:
    async def killed() -> tuple[int, list[int]]:
        pool = Pool(str(tmp_path), many=1)
        try:
            first = await pool.ask(os.getpid)
            os.kill(first, signal.SIGKILL)
            return first, await asyncio.gather(*(pool.ask(os.getpid) for _ in range(3)))
        finally:
            pool.close()

    first, then = asyncio.run(killed())
    assert first not in then
    assert len(then) == 3
