"""What those send who wish the server ill: nothing gets in, nothing is lost, and a line says so."""

import asyncio
import random
import re
import socket
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from urllib.parse import urlencode

import httpx
import pytest
from page_forms import Forms
from refused import KNOWN, guarded, kept, one_line
from served import Server
from starlette.routing import Mount, Route

from guesstree.web import connections, guard
from guesstree.web.app import make_app
from guesstree.web.store import Store

pytestmark = pytest.mark.usefixtures("nothing_fails")


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
        answer = server.client.post("/bring", headers=headers, data=form, files={"file": ("a.csv", KNOWN)})
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


@pytest.mark.long
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
        with socket.create_connection((host, int(port)), timeout=15) as line:
            line.sendall(begun)
            while line.recv(1 << 16):
                pass
    monkeypatch.setattr(connections, "MOST_CONNECTIONS", 0)
    with socket.create_connection((host, int(port)), timeout=15) as line, suppress(ConnectionError):
        assert line.recv(1) == b""


def test_those_who_wait_without_asking_keep_nobody_out(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "MOST_CONNECTIONS", 30)
    host, port = server.url.removeprefix("http://").split(":")
    slow = f"POST /play HTTP/1.1\r\nHost: {host}\r\nContent-Type: {FORM}\r\nContent-Length: 99\r\n\r\ngame="
    for begun in (b"", b"GET / HTTP/1.1\r\nHost: ", slow.encode()):
        with ExitStack() as stack:
            for _ in range(40):
                line = stack.enter_context(socket.create_connection((host, int(port)), timeout=15))
                line.sendall(begun)
            for _ in range(3):
                assert httpx.get(server.url, timeout=15).status_code == 200


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
