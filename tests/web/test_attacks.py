"""What may be sent to the server by those who wish it ill: nothing gets in, nothing is lost, a line is said."""

import asyncio
import json
import logging
import random
import re
import socket
import sqlite3
import stat
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from conftest import Server
from starlette.routing import Mount, Route
from workbooks import xlsx_parts, xlsx_sheet, zipped

from guesstree.engine.errors import GuesstreeError
from guesstree.web import connections, guard
from guesstree.web.app import make_app
from guesstree.web.store import Store, safe_name
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


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize(
    "host",
    [
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
        "",
        "localhost, evil.example",
    ],
)
def test_another_name_of_this_machine_is_none_of_ours(server: Server, method: str, host: str) -> None:
    answer = server.client.request(method, "/", headers={"host": host})
    assert answer.status_code == 421 or (not host and answer.status_code == 400)
    one_line(answer)
    assert server.store.token not in answer.text


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:8437", "127.0.0.1", "[::1]:99", "192.168.1.7"])
def test_our_own_names_and_addresses_are_answered(server: Server, host: str) -> None:
    assert server.client.get("/", headers={"host": host}).status_code == 200


def test_names_are_ours_when_they_are_said_to_be() -> None:
    assert guard.host_is_ours("lab:8437", {"lab"})
    assert not guard.host_is_ours("laboratory", {"lab"})
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


@pytest.mark.parametrize("headers", FOREIGN)
def test_what_another_site_asks_is_refused(server: Server, headers: dict[str, str]) -> None:
    before = kept(server.store)
    answer = server.client.get("/", headers=headers)
    assert answer.status_code == 403
    one_line(answer)
    form = {"token": server.store.token, "game": "mastermind:2x2"}
    answer = server.client.post("/bring", headers=headers, data=form, files={"file": ("a.csv", TABLE)})
    assert answer.status_code == 403
    one_line(answer)
    assert kept(server.store) == before


def test_a_link_from_another_site_opens_a_page_and_changes_nothing(server: Server) -> None:
    link = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
    assert server.client.get("/", headers=link).status_code == 200
    form = {"token": server.store.token}
    assert server.client.post("/bring", headers=link, data=form).status_code == 403


# -- every route -------------------------------------------------------------------------------------------


def paths(server: Server) -> Iterator[tuple[str, set[str]]]:
    """Yield a path of each route, with something in the place of what is to be named, and its methods."""
    for route in make_app(server.store).routes:
        assert isinstance(route, Route | Mount)
        if isinstance(route, Route):
            known = re.sub(r"\{[^}]*\}", "known", route.path)
            yield known, set(route.methods or ())


def guarded(answer: httpx.Response) -> None:
    """See that an answer has the headers that protect pages."""
    policy = answer.headers["content-security-policy"]
    assert policy == guard.POLICY or "sandbox" in policy
    assert "unsafe" not in policy or "sandbox" in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cache-control"] == "no-store" or "token" not in answer.text


def test_every_route_is_guarded_and_every_change_needs_the_token(server: Server) -> None:
    before = kept(server.store)
    walked = 0
    for path, methods in paths(server):
        guarded(server.client.get(path))
        for token in ("", "x", server.store.token[:-1], server.store.token + "x", "é", "\0"):
            answer = server.client.post(path, data={"token": token})
            assert answer.status_code == (403 if "POST" in methods else 405), path
            guarded(answer)
            one_line(answer)
        assert server.client.post(path, files={"token": server.store.token.encode()}).status_code >= 400
        for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND"):
            assert server.client.request(method, path).status_code == 405
        walked += 1
    assert walked > 1
    assert kept(server.store) == before


def test_a_failure_of_ours_is_guarded_too(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    from starlette.testclient import TestClient

    app = make_app(server.store)
    monkeypatch.setattr("guesstree.web.desk.Desk.__init__", lambda *_: None)
    monkeypatch.setattr("guesstree.web.desk.Desk.close", lambda _: None)
    monkeypatch.setattr(type(server.store), "results", lambda *_: 1 / 0)
    with TestClient(app, base_url="http://127.0.0.1", raise_server_exceptions=False) as client:
        answer = client.get("/")
    assert answer.status_code == 500
    guarded(answer)
    one_line(answer)


def test_no_path_leads_out_of_the_static_files(server: Server) -> None:
    for path in (
        "../app.py",
        "..%2fapp.py",
        "%2e%2e/app.py",
        "..%5capp.py",
        "%2fetc/passwd",
        "x/../../app.py",
        "\0",
        "%00",
        "colours.css/../../store.py",
        "a" * 5000,
    ):
        answer = httpx.Response(*_raw(server, f"GET /static/{path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"))
        assert answer.status_code in (400, 404), path
    assert _raw(server, "GET /static/../app.py HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")[0] == 404
    assert server.client.get("//evil.example/..").status_code == 404


def _raw(server: Server, request: str | bytes) -> tuple[int]:
    """Send bytes as they are and return the status of what comes back; 0: nothing came."""
    data = request.encode("latin-1") if isinstance(request, str) else request
    host, port = server.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=20) as line:
        try:
            line.sendall(data)
            line.shutdown(socket.SHUT_WR)
            answer = b""
            while part := line.recv(1 << 16):
                answer += part
        except ConnectionError:  # it was closed before all was sent
            return (0,)
    found = re.match(rb"HTTP/1\.1 (\d{3}) ", answer)
    return (int(found[1]) if found else 0,)
