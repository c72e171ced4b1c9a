"""What those send who wish the server ill: nothing gets in, nothing is lost, and a line says so."""

import asyncio
import csv
import io
import json
import logging
import os
import random
import re
import signal
import socket
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from urllib.parse import urlencode

import httpx
import pytest
from awkward_books import books
from awkward_formats import formats
from served import Server
from starlette.routing import Mount, Route
from visitors import Forms

from guesstree.engine.errors import GuesstreeError
from guesstree.web import connections, guard
from guesstree.web.app import make_app
from guesstree.web.desk import Desk
from guesstree.web.store import Store
from guesstree.web.work.shelf import game_at, strategy_at

TABLE = b",a,b,c\nx,1,2,2\ny,1,1,2\n"


@pytest.fixture(autouse=True)
def nothing_fails(server: Server) -> Iterator[None]:
    """See to it that nothing goes wrong inside, and that what was there before a test is there after it."""
    said: list[str] = []
    handler = logging.Handler(logging.WARNING)
    handler.emit = lambda record: said.append(record.getMessage())  # type: ignore[method-assign]
    names = ["uvicorn", "asyncio", "starlette", "py.warnings"]
    for name in names:
        logging.getLogger(name).addHandler(handler)
    file = server.store.add_file("known.csv", TABLE)
    result = server.store.add_result("strategy", "mastermind:2x2", {"title": "known"}, b"{}")
    game = server.store.add_play({"known": [1, 2]})
    yield
    for name in names:
        logging.getLogger(name).removeHandler(handler)
    assert [line for line in said if not line.startswith("Invalid HTTP request")] == []
    assert server.store.file(file) == TABLE
    assert server.store.result(result).data == b"{}"  # type: ignore[union-attr]
    assert server.store.play_state(game) == {"known": [1, 2]}
    server.store.delete_result(result)
    with sqlite3.connect(server.store.path) as base:
        assert base.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def kept(store: Store) -> list[object]:
    """Return how much a store keeps."""
    with sqlite3.connect(store.path) as base:
        tables = ("file", "result", "play")
        return [base.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables]


def one_line(answer: httpx.Response) -> None:
    """See that an answer says in one line what is wrong, and nothing of this machine."""
    said = answer.text
    if "<html" in said:
        found = re.search(r'<p class="fault" role="alert">(.*?)</p>', said, re.DOTALL)
        assert found, said
        said = found[1]
    assert said.strip()
    assert said.strip().count("\n") == 0
    assert not re.search(r"Traceback|File &#34;|/tmp|/home|/root|\.py\b|Error:", said), said


# -- other sites -------------------------------------------------------------------------------------------


NOT_OURS = [
    "evil.example",
    "evil.example:80",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "evil.example#localhost",
    "localhost@evil.example",
    "2130706433",
    "127.1",
    "0x7f000001",
    "[::1",
    "localhost, evil.example",
]


def test_another_name_of_this_machine_is_none_of_ours(server: Server) -> None:
    for host in NOT_OURS:
        for method in ("GET", "POST"):
            answer = server.client.request(method, "/", headers={"host": host})
            assert answer.status_code == 421, host
            one_line(answer)
    for host in ("localhost", "LOCALHOST:8437", "127.0.0.1", "[::1]:99", "192.168.1.7"):
        assert server.client.get("/", headers={"host": host}).status_code == 200
    assert guard.host_is_ours("lab:8437", {"lab"})
    assert not guard.host_is_ours("lab.evil.example", {"lab"})


FOREIGN = [
    {"origin": "http://evil.example"},
    {"origin": "null"},
    {"origin": ""},
    {"origin": "http://127.0.0.1"},  # another port of this machine
    {"origin": "http://127.0.0.1:1"},
    {"origin": "HTTP://EVIL.EXAMPLE", "sec-fetch-site": "same-origin"},
    {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image"},
    {"sec-fetch-site": "same-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "script"},
    {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe"},
    {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "object"},
]


def test_what_another_site_asks_is_refused(server: Server) -> None:
    before = kept(server.store)
    form = {"token": server.store.token, "game": "mastermind:2x2"}
    for headers in FOREIGN:
        answer = server.client.get("/", headers=headers)
        assert answer.status_code == 403, headers
        one_line(answer)
        answer = server.client.post("/bring", headers=headers, data=form, files={"file": ("a.csv", TABLE)})
        assert answer.status_code == 403, headers
        one_line(answer)
    assert kept(server.store) == before


def test_a_link_from_another_site_opens_a_page_and_changes_nothing(server: Server) -> None:
    link = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
    assert server.client.get("/", headers=link).status_code == 200
    form = {"token": server.store.token}
    assert server.client.post("/bring", headers=link, data=form).status_code == 403


# -- every route -------------------------------------------------------------------------------------------


def paths(server: Server) -> dict[str, set[str]]:
    """Return a path of each route, with something in the place of what is to be named, and its methods."""
    found: dict[str, set[str]] = {}
    for route in make_app(server.store).routes:
        assert isinstance(route, Route | Mount)
        if isinstance(route, Route):
            known = re.sub(r"\{[^}]*\}", "known", route.path)
            found.setdefault(known, set()).update(route.methods or ())
    return found


def guarded(answer: httpx.Response) -> None:
    """See that an answer has the headers that protect pages."""
    policy = answer.headers["content-security-policy"]
    assert policy == guard.POLICY or "sandbox" in policy
    assert "unsafe" not in policy or "sandbox" in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cache-control"] == "no-store" or "token" not in answer.text


def test_every_route_is_guarded_and_every_change_needs_the_token(server: Server) -> None:
    before = kept(server.store)
    for path, methods in paths(server).items():
        guarded(server.client.get(path))
        for token in ("", "x", server.store.token[:-1], server.store.token + "x", "é", "\0"):
            answer = server.client.post(path, data={"token": token})
            assert answer.status_code == (403 if "POST" in methods else 405), path
            guarded(answer)
            one_line(answer)
        assert server.client.post(path, files={"token": server.store.token.encode()}).status_code >= 400
        for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND"):
            assert server.client.request(method, path).status_code == 405
    assert kept(server.store) == before


def test_a_failure_of_ours_is_guarded_too(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    app = make_app(server.store)
    app.state.store = server.store
    monkeypatch.setattr(Store, "results", lambda *_: 1 / 0)

    async def ask() -> httpx.Response:
        way = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=way, base_url="http://127.0.0.1") as client:
            return await client.get("/")

    answer = asyncio.run(ask())
    assert answer.status_code == 500
    guarded(answer)
    one_line(answer)


def test_no_path_leads_out_of_the_static_files(server: Server) -> None:
    inside = [
        "../app.py",
        "..%2fapp.py",
        "%2e%2e/app.py",
        "..%5capp.py",
        "%2fetc/passwd",
        "x/../../app.py",
        "%00",
        "%ff",
    ]
    for path in [*inside, "/etc/passwd", "colours.css/../../store.py", "a" * 5000, ""]:
        (status, said) = send_all(server, [f"GET /static/{path} HTTP/1.1\r\n{HEAD}\r\n".encode()])[0]
        assert status == 404, path
        assert b"no such page" in said
    for path in ("//evil.example/..", "http://evil.example/", "/static/../app.py", "*", "/\\evil.example/.."):
        assert send_all(server, [f"GET {path} HTTP/1.1\r\n{HEAD}\r\n".encode()])[0][0] in (200, 404), path


# -- requests that are none --------------------------------------------------------------------------------

HEAD = "Host: 127.0.0.1\r\nConnection: close\r\n"
FORM = "application/x-www-form-urlencoded"
PARTS = (
    '--b\r\nContent-Disposition: form-data; name="token"\r\n\r\nwrong\r\n'
    '--b\r\nContent-Disposition: form-data; name="file"; filename="x.csv"\r\n'
    "Content-Type: text/csv\r\n\r\n,a,b\r\nx,1,2\r\n\r\n--b--\r\n"
)
WHOLE = [
    f"GET / HTTP/1.1\r\n{HEAD}Accept: text/html\r\n\r\n",
    f"GET /table?game=table:known.csv,causes=rows&then=%2e HTTP/1.1\r\n{HEAD}\r\n",
    f"POST /play HTTP/1.1\r\n{HEAD}Content-Type: {FORM}\r\n"
    "Content-Length: 36\r\n\r\ntoken=wrong&game=mastermind%3A2x2&a=b",
    f"POST /bring HTTP/1.1\r\n{HEAD}Content-Type: multipart/form-data; boundary=b\r\n"
    f"Content-Length: {len(PARTS)}\r\n\r\n{PARTS}",
    f"POST /bring HTTP/1.1\r\n{HEAD}Content-Type: multipart/form-data; boundary=b\r\n"
    f"Transfer-Encoding: chunked\r\n\r\n{len(PARTS):x}\r\n{PARTS}\r\n0\r\n\r\n",
    f"GET /static/style.css HTTP/1.1\r\n{HEAD}Range: bytes=0-9\r\n\r\n",
]
BITS = [
    "\r\n", "\n", "\0", "\xff", " ", ":", "Host: evil.example\r\n", "Content-Length: 5\r\n",
    "Content-Length: -1\r\n", "Content-Length: 99999999999999999999\r\n", "Content-Length: 1e3\r\n",
    "Transfer-Encoding: chunked\r\n", "Transfer-Encoding: gzip\r\n", "Expect: 100-continue\r\n",
    "Upgrade: websocket\r\nConnection: Upgrade\r\n", "X: " + "x" * 70_000 + "\r\n", "x: y\r\n" * 500,
    "Range: bytes=0-0,0-0,0-0,5-1,-99\r\n", "Range: bytes=" + "0-1," * 500 + "1-2\r\n", "/../" * 9,
    "%00", "%ff%fe", "?a=" + "b&" * 5000, "../../etc/passwd", "--b\r\n", "--b--", "filename*=UTF-8''%2e%2e",
    "ffffffffffffffff\r\n", "-1\r\n", "HTTP/9.9", "POST", "GET", "é", "\r\n\r\n", "Cookie: " + "a=b;" * 999,
    "Content-Type: multipart/form-data\r\n", "If-Modified-Since: never\r\n", "Content-Encoding: gzip\r\n",
]  # fmt: skip


def spoilt(dice: random.Random) -> bytes:
    """Return a request with something in it that should not be there, or without something that should."""
    request = dice.choice(WHOLE).encode("latin-1")
    for _ in range(dice.choice([1, 1, 2, 4])):
        place = dice.randrange(len(request) + 1)
        end = min(len(request), place + dice.choice([1, 1, 3, 40]))
        way = dice.randrange(5)
        if way == 0:
            request = request[:place] + request[end:]
        elif way == 1:
            request = request[:place] + bytes(dice.choices(range(256), k=end - place)) + request[end:]
        elif way == 2:
            request = request[:place] + request[place:end] * dice.choice([2, 2, 2000]) + request[end:]
        elif way == 3:
            request = request[:place]
        else:
            lines = [i + 2 for i in range(len(request)) if request[i : i + 2] == b"\r\n"] or [place]
            place = dice.choice([place, dice.choice(lines)])
            request = request[:place] + dice.choice(BITS).encode("latin-1") + request[place:]
    return request


def send_all(server: Server, requests: list[bytes], at_once: int = 250) -> list[tuple[int, bytes]]:
    """Send bytes as they are, each on a line of its own; return status and what follows the headers.

    The status is 0 where nothing comes back to what is not whole.
    """
    host, port = server.url.removeprefix("http://").split(":")
    turn = asyncio.Semaphore(at_once)

    async def send(request: bytes) -> tuple[int, bytes]:
        async with turn:
            reader, writer = await asyncio.open_connection(host, int(port))
            answer = b""
            with suppress(ConnectionError):  # it is closed before all was sent
                writer.write(request)
                while part := await asyncio.wait_for(reader.read(1 << 16), 60):
                    answer += part
        writer.close()
        head, _, said = answer.partition(b"\r\n\r\n")
        if size := re.search(rb"content-length: (\d+)", head):
            said = said[: int(size[1])]  # another answer may follow
        elif b"chunked" in head:
            said = b"".join(said.split(b"\r\n")[1::2])
        found = re.match(rb"HTTP/1\.1 (\d{3})", head)
        return int(found[1]) if found else 0, said

    async def send_each() -> list[tuple[int, bytes]]:
        return await asyncio.gather(*(send(request) for request in requests))

    return asyncio.run(send_each())


def test_a_thousand_malformed_requests(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "SECONDS", 0.3)  # for those that never end
    monkeypatch.setattr(connections, "SECONDS", 0.3)
    before, dice = kept(server.store), random.Random(17)
    requests = [spoilt(dice) for _ in range(1000)]
    statuses: Counter[int] = Counter()
    for request, (status, said) in zip(requests, send_all(server, requests), strict=True):
        statuses[status] += 1
        assert status < 500, (request[:300], said)
        if status >= 400 and b"<html" not in said:
            assert said.strip().count(b"\n") == 0, said
        if request.startswith(b"POST"):
            assert status in (0, *range(400, 500)), request[:300]
    assert kept(server.store) == before
    assert sum(many for status, many in statuses.items() if status >= 400) > 400, statuses


HOSTILE = [
    *("", "\0", "\ud7ff\uffff\U0010ffff", "\u202e\u2066", "</script><script>alert(1)</script>", "'\"><b>"),
    *("{{7*7}}", "../../etc/passwd", "table:/etc/passwd", "mastermind:9999x9999", "os:system", "json:loads"),
    *("-1", "0", "1e400", "nan", "inf", "9" * 5000, "1/0", "0x10", "\u0664", "1,5", "x" * 100_000, "=1+1"),
    *("a,b\nc,d\n" * 999, "%s%n{0}", "known", "cells=sets", "1122=0,0", "\r\nX: y", "'; DROP TABLE play; --"),
    *("identify", "worst", "exact", "guess", "hint", "undo", "decide", "give up", "win-probability"),
]
GAMES = ["table:known.csv,causes=columns", "mastermind:2x2", "table:known.csv"]


def answered(server: Server, path: str, fields: dict[str, str], *, change: bool) -> None:
    """See that a page or a change deals with hostile fields."""
    if change:
        answer = server.client.post(path, data={**fields, "token": server.store.token})
        assert answer.status_code == 303 or 400 <= answer.status_code < 500, (path, fields, answer.text)
    else:
        answer = server.client.get(path, params={name: value[:6000] for name, value in fields.items()})
        assert answer.status_code < 500, (path, fields)
    guarded(answer)
    if answer.status_code >= 400:
        one_line(answer)
    assert re.match(r"/(?![/\\])", answer.headers.get("location", "/"))


def test_hostile_values_in_every_form(server: Server) -> None:
    dice = random.Random(18)
    own = server.post("/play", game="mastermind:2x2").headers["location"]
    asked = ["play", "assist", "solve", "compare", "table", "game"]
    for page in ["/", own, *(f"/{what}?{urlencode({'game': game})}" for what in asked for game in GAMES)]:
        answer = server.client.get(page)
        assert answer.status_code < 500, page
        for form in Forms(answer.text).forms:
            if form.action.endswith(("/forget", "/delete")):
                continue  # what they ask for would be done
            assert form.method == "post" or "token" not in form.fields  # which would stand in addresses
            fields = form.fields | dict(button for button in form.buttons[:1] if button[0])
            names = sorted({*fields, "game"} - {"token"})
            for name in dice.sample(names, min(3, len(names))):
                some = {name: dice.choice(HOSTILE), dice.choice(names): dice.choice(HOSTILE)}
                answered(server, form.action or page, fields | some, change=form.method == "post")


def test_who_keeps_the_server_waiting_is_left(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "SECONDS", 0.1)
    host, port = server.url.removeprefix("http://").split(":")
    for begun in (b"", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ", b"GET / HTTP/1.1\r\nHost: x\r\n\r\nGET"):
        with socket.create_connection((host, int(port)), timeout=5) as line:
            line.sendall(begun)
            while line.recv(1 << 16):
                pass
    monkeypatch.setattr(connections, "MOST_CONNECTIONS", 0)
    with socket.create_connection((host, int(port)), timeout=5) as line, suppress(ConnectionError):
        assert line.recv(1) == b""


def test_what_is_too_large_or_too_slow_is_refused(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    before, token = kept(server.store), server.store.token
    monkeypatch.setattr(guard, "MOST_BYTES", 1_500_000)

    def form(data: bytes | Iterator[bytes], kind: str = FORM) -> httpx.Response:
        return server.client.post("/play", content=data, headers={"content-type": kind, "x-token": token})

    parts = 'multipart/form-data; boundary="b"'
    part = b'--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n'
    file = b'--b\r\ncontent-disposition: form-data; name="f"; filename="f"\r\n\r\n1\r\n'
    nested = b'--b\r\ncontent-type: multipart/form-data; boundary="c"\r\n\r\n--c--\r\n--b--\r\n'
    headers = part.replace(b"--b\r\n", b"--b\r\n" + b"x: y\r\n" * 5000)
    answers = {
        413: [
            form(b"a" * 1_500_001),
            form(iter([file, *[b"x" * 100_000] * 16]), parts),  # in chunks: nothing says how many there are
            server.post("/play", ("x.csv", b"x" * 1_500_000)),
        ],
        400: [
            form(b"a=b&" * (guard.MOST_FIELDS + 1)),
            form(part * (guard.MOST_FIELDS + 1) + b"--b--\r\n", parts),
            form(file * 2 + b"--b--\r\n", parts),
            form(nested, parts),
            form(headers + b"--b--\r\n", parts),
            form(part, "multipart/form-data"),
            form(part, "multipart/form-data; boundary=" + "b" * 5000),
            form(part.replace(b"1", b"x" * 1_100_000) + b"--b--\r\n", parts),
            form(b"{}", "application/json"),
        ],
    }
    for status, each in answers.items():
        for number, answer in enumerate(each):
            assert answer.status_code == status, (status, number, answer.text)
            one_line(answer)
    monkeypatch.setattr(guard, "SECONDS", 0.1)
    begun = f"POST /play HTTP/1.1\r\n{HEAD}Content-Type: {FORM}\r\n"
    for slow in ("Content-Length: 99\r\n\r\ngame=", "Transfer-Encoding: chunked\r\n\r\n2\r\na=\r\n"):
        assert send_all(server, [f"{begun}{slow}".encode()])[0][0] == 408
    assert kept(server.store) == before


# -- files -------------------------------------------------------------------------------------------------


def strategy(**more: object) -> bytes:
    """Return a strategy file of a small table, with other things in it."""
    table = {"secrets": ["a", "b"], "guesses": ["x"], "responses": [["1", "2"]]}
    nodes = [{"guess": "x", "children": {"1": 1, "2": 2}}, {"secret": "a"}, {"secret": "b"}]
    known = {"format": "guesstree/1", "game": "table:x.csv", "goal": "identify", "objective": "expected"}
    claimed = {"method": "exact", "bounds": {"lower": 2, "upper": 2}, "table": table, "nodes": nodes}
    return json.dumps(known | claimed | more).encode()


def bombs() -> Iterator[tuple[str, bytes]]:
    """Yield files that are to be refused, with their names."""
    for known in (*books(), *formats()):
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
    *("os:system", "guesstree.engine.games.table:TableGame", "__main__:x", ":", "", "table", "known.csv"),
    *("mastermind:9999x9999", "mastermind:20x35x2", "hangman:english+english", "coins:999", "bulls:0x0"),
]


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
    store.add_file("a.csv", TABLE)
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
        desk = Desk(str(tmp_path), many=1)
        try:
            first = await desk.ask(os.getpid)
            os.kill(first, signal.SIGKILL)
            return first, await asyncio.gather(*(desk.ask(os.getpid) for _ in range(3)))
        finally:
            desk.close()

    first, then = asyncio.run(killed())
    assert first not in then
    assert len(then) == 3
