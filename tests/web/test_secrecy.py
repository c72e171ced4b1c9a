"""The secret that is asked for once, and a server that keeps nothing."""

import asyncio
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest
import uvicorn
from pages import violations
from refused import KNOWN, guarded, kept, one_line
from starlette.applications import Starlette
from starlette.routing import Mount, Route

from guesstree.web import guard, secrecy
from guesstree.web.app import make_app
from guesstree.web.connections import settings_of
from guesstree.web.store import Store

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SECRET = "0123456789abcdef"
SHOWN = {"accept": "text/html"}


@dataclass
class Asked:
    """A server that is asked in this process, without a network; `cookies` are those of a browser."""

    app: Starlette
    cookies: dict[str, str] = field(default_factory=dict)

    def ask(self, method: str, path: str, **how: Any) -> httpx.Response:
        async def asked() -> httpx.Response:
            way = httpx.ASGITransport(self.app)
            async with httpx.AsyncClient(
                transport=way, base_url="http://127.0.0.1:8437", cookies=self.cookies
            ) as client:
                return await client.request(method, path, **how)

        return asyncio.run(asked())

    def get(self, path: str, **how: Any) -> httpx.Response:
        return self.ask("GET", path, **how)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    found = Store(tmp_path / "kept.sqlite")
    found.add_file("known.csv", KNOWN)
    return found


def made(store: Store, secret: str = SECRET, *, read_only: bool = False) -> Asked:
    app = make_app(store, secret=secret, read_only=read_only)
    app.state.store = store
    return Asked(app)


def paths(app: Starlette) -> list[tuple[str, str]]:
    """Return method and path of every route but those of files."""
    found = []
    for route in app.routes:
        if isinstance(route, Route) and not route.path.startswith("/static/"):
            known = re.sub(r"\{[^}]*\}", "known", route.path)
            found += [(method, known) for method in sorted(route.methods or ())]
        else:
            assert isinstance(route, Mount | Route)
    return found


def test_nothing_is_shown_or_done_without_the_secret(store: Store) -> None:
    asked, before = made(store), kept(store)
    name = "guesstree-8437"
    near = [{}, {name: ""}, {name: SECRET}, {name: store.token}, {name: "é"}, {"guesstree": SECRET}]
    for method, path in paths(asked.app):
        for cookies in near:
            asked.cookies = {key: value.encode("ascii", "replace").decode() for key, value in cookies.items()}
            data = {"token": store.token, "file": "known.csv"} if method == "POST" else None
            answer = asked.ask(method, path, data=data)
            assert answer.status_code in (401, 403), (method, path)
            guarded(answer)
            assert store.token not in answer.text
            if method != "HEAD":
                one_line(answer)
    assert kept(store) == before
    assert made(store).get("/static/style.css").status_code == 200
    assert made(store, secret="").get("/").status_code == 200


def test_the_secret_is_named_once(store: Store) -> None:
    asked = made(store)
    first = asked.get(f"/table?game=table%3Aknown.csv&secret={SECRET}&then=x")
    assert (first.status_code, first.headers["location"]) == (303, "/table?game=table%3Aknown.csv&then=x")
    assert first.headers["referrer-policy"] == "no-referrer"
    cookie = first.headers["set-cookie"]
    assert {"HttpOnly", "SameSite=strict", "Path=/"} <= set(cookie.split("; "))
    assert SECRET not in cookie
    asked.cookies = dict([cookie.partition(";")[0].split("=")])
    page = asked.get("/", headers=SHOWN)
    assert (page.status_code, "set-cookie" in page.headers) == (200, False)
    assert asked.get(f"/?secret={SECRET}").headers["location"] == "/"
    wrong = asked.get("/?secret=0", headers=SHOWN)
    assert (wrong.status_code, secrecy.WRONG.capitalize() in wrong.text) == (401, True)
    other = made(store, secret="fedcba9876543210")  # it was started again
    other.cookies = asked.cookies
    assert other.get("/").status_code == 200
    fresh = Store(store.path.with_name("other.sqlite"))
    elsewhere = made(fresh)
    elsewhere.cookies = asked.cookies
    assert elsewhere.get("/").status_code == 401


@pytest.mark.parametrize("place", ["/solve?game=mastermind%3A4x6", "/"])
def test_where_it_is_missing_it_is_typed(store: Store, place: str) -> None:
    asked = made(store)
    page = asked.get(place, headers=SHOWN).text
    assert "Which is the secret?" in page
    assert "<nav" not in page or "/play" not in page
    then = re.search('name="then" value="([^"]*)"', page)
    assert then is not None and then[1] == place
    form = {"then": then[1], "secret": f" {SECRET.upper()}\n"}
    assert asked.ask("POST", "/secret", data=form).headers["location"] == place
    for secret in ("", SECRET[:-1], SECRET + "0", "é", "\0"):
        answer = asked.ask("POST", "/secret", data=form | {"secret": secret}, headers=SHOWN)
        assert (answer.status_code, "set-cookie" in answer.headers) == (403, False)
        one_line(answer)
    assert asked.ask("POST", "/secret", data={}).status_code == 403
    foreign = {"origin": "http://evil.example"}
    assert asked.ask("POST", "/secret", data=form, headers=foreign).status_code == 403


@pytest.mark.parametrize(
    "place", ["//evil.example", "/\\evil.example", "http://evil.example", "x", "/\r\nX: y", ""]
)
def test_nobody_is_sent_elsewhere(store: Store, place: str) -> None:
    asked = made(store)
    answer = asked.ask("POST", "/secret", data={"secret": SECRET, "then": place})
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    name, _, value = answer.headers["set-cookie"].partition(";")[0].partition("=")
    asked.cookies = {name: value}
    assert asked.get("/secret", params={"then": place}).headers["location"] == "/"
    at = httpx.URL("http://127.0.0.1:8437//evil.example/?secret=" + SECRET)
    assert asked.get(str(at)).headers["location"] == "/"


def test_a_server_that_keeps_nothing(store: Store) -> None:
    asked, before = made(store, "", read_only=True), store.path.read_bytes()
    for method, path in paths(asked.app):
        if method == "POST" and path != "/secret":
            answer = asked.ask(method, path, data={"token": store.token, "file": "known.csv"})
            assert (answer.status_code, answer.text) == (403, f"{guard.READ_ONLY}\n"), path
            guarded(answer)
    for path in ("/play", "/play/known", "/solve?game=mastermind%3A2x2", "/compare", "/task/known"):
        assert asked.get(path).status_code == 403, path
    assert asked.get("/").status_code == 200
    assert store.path.read_bytes() == before


@contextmanager
def serving(app: Starlette) -> Iterator[str]:
    listening = socket.create_server(("127.0.0.1", 0))
    running = uvicorn.Server(settings_of(app, timeout_graceful_shutdown=1))
    thread = threading.Thread(target=running.run, args=([listening],))
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        running.should_exit = True
        thread.join()


@pytest.mark.long
def test_in_a_browser_it_is_asked_for_once(browser: "Browser", store: Store) -> None:
    with serving(make_app(store, secret=SECRET, read_only=True)) as url:
        context = browser.new_context()
        page = context.new_page()
        page.goto(f"{url}/assist?game=mastermind%3A2x2")
        assert violations(page) == []
        page.get_by_label("The secret").fill(SECRET)
        page.get_by_role("button", name="Go on").click()
        page.wait_for_url("**/assist?game=mastermind%3A2x2")
        assert page.locator("h1").inner_text().startswith("Advice on")

        # A link of another site: the cookie does not come with it, and yet nobody is asked again.
        other = url.replace("127.0.0.1", "localhost")
        page.goto(f"{other}/static/icon.svg")
        page.evaluate("to => { location.href = to }", f"{url}/assist?game=mastermind%3A3x3")
        page.wait_for_url("**/assist?game=mastermind%3A3x3")
        page.wait_for_selector("h1:has-text('Advice on')")

        page.goto(f"{url}/table?game=table%3Aknown.csv")
        for path in (
            "/",
            "/words",
            "/game?game=mastermind%3A2x2",
            "/table?game=table%3Aknown.csv%2Ccauses%3Dcolumns",
        ):
            page.goto(f"{url}{path}")
            for hidden in (
                "form[method=post]",
                "[href^='/play']",
                "[href^='/solve']",
                "a.delete",
                "[value=play]",
            ):
                assert not page.locator(f"{hidden} >> visible=true").count(), (path, hidden)
            assert page.locator("nav a:visible").all_inner_texts() == ["Home", "Advice", "Breed"]
        context.close()

        context = browser.new_context()
        page = context.new_page()
        page.goto(f"{url}/?secret={SECRET}")
        assert page.url == f"{url}/"
        assert page.evaluate("document.cookie") == ""
        context.close()
