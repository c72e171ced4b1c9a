"""Measure the pages: many games at once, how soon a page is seen, and memory while they are used.

A server of its own is started, with a store of its own, and played on as a browser would: by its forms.

    python scripts/visitors.py                    50 games at once for a minute, and the first paint of pages
    python scripts/visitors.py --minutes 60          the same for an hour
    python scripts/visitors.py --kill                the server is killed amid it: what was finished is there
"""

from __future__ import annotations

import argparse
import asyncio
import random
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from statistics import median
from urllib.parse import urlencode, urljoin

import httpx

GAMES = ["mastermind:4x6", "bulls:4x10", "blackpeg:4x6", "coins:8", "mastermind:3x4", "hangman:english-5"]
"""What is played, in turn, besides a table."""
CAUSES = 24
CHROMIUM = Path("/usr/bin/chromium")
PAINTED = """() => new Promise(done => {
    const seen = list => list.getEntriesByName("first-contentful-paint").forEach(one => done(one.startTime));
    new PerformanceObserver(seen).observe({ type: "paint", buffered: true });
})"""
PAUSE = 0.5
"""Seconds that a player thinks before each move, on average."""


# -- the server --------------------------------------------------------------------------------------------


@contextmanager
def running(data: Path) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Start a server on a store, and end it afterwards; yield its address and its process."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        port = found.getsockname()[1]
    command = [sys.executable, "-P", "-m", "guesstree", "serve", "--no-secret"]
    command += ["--port", str(port), "--data", str(data)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, text=True)
    url = f"http://127.0.0.1:{port}"
    try:
        for _ in range(200):
            with suppress(httpx.TransportError):
                httpx.get(url, timeout=5)
                break
            time.sleep(0.1)
        yield url, process
    finally:
        process.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            process.wait(10)
        process.kill()


def memory(pid: int) -> dict[str, float]:
    """Return the MB of a server and of its other processes: proportional shares, summed, and how many."""
    children = defaultdict(list)
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            text = stat.read_text()
            children[int(text.rpartition(")")[2].split()[1])].append(int(stat.parent.name))
    others, waiting = [], children[pid][:]
    while waiting:
        one = waiting.pop()
        others.append(one)
        waiting += children[one]
    return {"server": _share(pid), "workers": sum(map(_share, others)), "processes": 1 + len(others)}


def _share(pid: int) -> float:
    with suppress(OSError):
        text = Path(f"/proc/{pid}/smaps_rollup").read_text()
        return int(re.search(r"^Pss:\s+(\d+)", text, re.MULTILINE)[1]) / 1024  # type: ignore[index]
    return 0.0


# -- players -----------------------------------------------------------------------------------------------


@dataclass
class Form:
    """A form of a page: what it sends as it stands, and with which buttons."""

    method: str
    action: str
    fields: dict[str, str] = field(default_factory=dict)
    buttons: list[tuple[str, str]] = field(default_factory=list)


class Forms(HTMLParser):
    """Finds the forms of a page, and the links that have a class."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.links: dict[str, list[str]] = defaultdict(list)
        self._inside = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take in an element."""
        has = {name: value or "" for name, value in attrs}
        name, value, kind = has.get("name", ""), has.get("value", ""), has.get("type", "submit")
        unset = kind == "file" or (kind in ("checkbox", "radio") and "checked" not in has)
        if tag == "form":
            self.forms.append(Form(has.get("method", "get"), has.get("action", "")))
        elif tag == "a":
            for one in has.get("class", "").split():
                self.links[one].append(has.get("href", ""))
        elif tag == "button" and self.forms and kind == "submit":
            self.forms[-1].buttons.append((name, value))
        elif tag in ("input", "textarea", "select") and self.forms and name and not unset:
            self.forms[-1].fields[name] = value
            self._inside = "" if tag == "input" else name
        elif tag == "option" and self._inside:
            known = self.forms[-1].fields[self._inside]
            self.forms[-1].fields[self._inside] = value if "selected" in has else known or value

    def handle_endtag(self, tag: str) -> None:
        """Leave an element."""
        self._inside = "" if tag in ("textarea", "select") else self._inside

    def handle_data(self, data: str) -> None:
        """Take in the text of a field of several lines."""
        if self._inside and self.lasttag == "textarea":
            self.forms[-1].fields[self._inside] += data

    def with_button(self, name: str) -> list[Form]:
        """Return the forms that have a button of this name."""
        return [form for form in self.forms if any(own == name for own, _ in form.buttons)]

    def with_field(self, name: str, value: str) -> list[Form]:
        """Return the forms that send this."""
        return [form for form in self.forms if form.fields.get(name) == value]


@dataclass
class Figures:
    """What was measured.

    Attributes
    ----------
    seconds: by kind of request.
    ended: how many games came to their end.
    seen: pages that are to be there for ever, with the number of turns on them.
    faults: what went wrong.
    """

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    ended: int = 0
    seen: dict[str, int] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)


class Player:
    """Somebody who plays, or asks for advice on, one game after another."""

    def __init__(self, url: str, game: str, figures: Figures, seed: int) -> None:
        self.client = httpx.AsyncClient(
            base_url=url,
            follow_redirects=True,
            timeout=120,
            headers={"accept": "text/html"},
            limits=httpx.Limits(keepalive_expiry=1),  # the server closes what is idle for five seconds
        )
        self.game, self.figures, self.dice = game, figures, random.Random(seed)
        self.kind = (self.play, self.advise, self.play, self.advise, self.solve)[seed % 5]

    async def ask(self, what: str, path: str) -> str:
        """Open a page."""
        return await self._timed(what, self.client.build_request("GET", path))

    async def send(self, what: str, page: str, form: Form, **more: str) -> str:
        """Send a form of a page."""
        path, fields = form.action or page, form.fields | more
        if form.method == "post":
            return await self._timed(what, self.client.build_request("POST", path, data=fields))
        return await self._timed(what, self.client.build_request("GET", f"{path}?{urlencode(fields)}"))

    async def _timed(self, what: str, request: httpx.Request) -> str:
        await asyncio.sleep(self.dice.uniform(0, 2 * PAUSE))
        start = time.perf_counter()
        answer = await self.client.send(request)
        self.figures.seconds[what].append(time.perf_counter() - start)
        if answer.status_code >= 400:
            line = re.search(r'class="fault"[^>]*>([^<]*)', answer.text)
            self.figures.faults.append(f"{what} {request.url}: {answer.status_code} {line and line[1]}")
            raise StopAsyncIteration
        if answer.url.path.startswith(("/play/", "/strategy/")):
            self.figures.seen[answer.url.path] = turns_on(answer.text)
        return answer.text

    async def play(self) -> None:
        """Play one game with hints."""
        page = await self.ask("begin", f"/play?{urlencode({'game': self.game})}")
        page = await self.send("begin", "/play", Forms(page).with_field("game", self.game)[0])
        for _ in range(100):
            forms = Forms(page)
            if 'class="outcome"' in page:
                self.figures.ended += 1
                return
            if (hinted := forms.with_button("guess")) and 'class="hints"' in page:
                form = hinted[-1]
                value = self.dice.choice([value for name, value in form.buttons if name == "guess"])
                page = await self.send("guess", "", form, guess=value)
            else:
                page = await self.send("hint", "", forms.with_field("do", "hint")[0])

    async def advise(self) -> None:
        """Ask for advice until one is left."""
        page = await self.ask("advice", f"/assist?{urlencode({'game': self.game})}")
        for _ in range(100):
            forms = Forms(page)
            if 'class="outcome"' in page or not (forms.links["ask"] or forms.with_button("response")):
                self.figures.ended += 1
                return
            if told := forms.with_button("response"):
                form = self.dice.choice(told)
                value = self.dice.choice([value for name, value in form.buttons if name == "response"])
                page = await self.send("response", "/assist", form, response=value)
            else:
                page = await self.ask("advice", urljoin("/assist", forms.links["ask"][0]))

    async def solve(self) -> None:
        """Have the game solved, and follow that to its end."""
        page = await self.ask("form", f"/solve?{urlencode({'game': self.game})}")
        page = await self.send("solve", "/solve", Forms(page).with_field("game", self.game)[0], seconds="5")
        for _ in range(100):
            found = re.search(r"/task/[0-9a-f]+", page)
            if not found:
                self.figures.ended += 1
                return
            async with self.client.stream("GET", f"{found[0]}/events") as events:
                async for _line in events.aiter_lines():
                    pass
            page = await self.ask("solved", found[0])

    async def go_on(self, until: float) -> None:
        """Do one game after another until a moment, or until the server is gone."""
        while time.monotonic() < until:
            try:
                await self.kind()
            except StopAsyncIteration:
                await asyncio.sleep(1)
            except httpx.TransportError:
                break
        await self.client.aclose()


def turns_on(page: str) -> int:
    """Return how many turns a page of a game shows."""
    return page.count('class="turn-number"')


def some_table() -> bytes:
    """Return a table of tests and causes."""
    dice = random.Random(1)
    rows = [["", *(f"cause {i}" for i in range(CAUSES))]]
    rows += [[f"test {t}", *(dice.choice(["yes", "no"]) for _ in range(CAUSES))] for t in range(16)]
    return "\n".join(",".join(row) for row in rows).encode()


def bring_table(url: str) -> str:
    """Bring a table as a browser does, and return its spec."""
    with httpx.Client(base_url=url, follow_redirects=True, timeout=60) as client:
        form = Forms(client.get("/").text).with_field("token", token_of(client))[0]
        answer = client.post("/bring", data=form.fields, files={"file": ("load.csv", some_table())})
        answer.raise_for_status()
    return "table:load.csv,causes=columns"


def token_of(client: httpx.Client) -> str:
    """Return the token of a server's pages."""
    found = re.search(r'name="token" (?:content|value)="([^"]+)"', client.get("/").text)
    assert found is not None
    return found[1]


async def play_all(
    url: str, process: subprocess.Popen[str], games: list[str], seconds: float, *, kill: bool
) -> Figures:
    """Play these games at once for some seconds, and tell the memory of the server now and then."""
    figures = Figures()
    until = time.monotonic() + seconds
    players = [Player(url, game, figures, seed) for seed, game in enumerate(games)]
    everybody = asyncio.gather(*(player.go_on(until) for player in players))
    begun = time.monotonic()
    if kill:
        asyncio.get_running_loop().call_later(seconds / 2, process.kill)
    while not everybody.done():
        used = memory(process.pid)
        print(
            f"  {time.monotonic() - begun:6.0f} s  server {used['server']:6.1f} MB  workers "
            f"{used['workers']:7.1f} MB in {used['processes'] - 1:.0f}  games ended {figures.ended}"
        )
        await asyncio.wait([everybody], timeout=min(60.0, seconds / 4))
    await everybody
    return figures


# -- the browser -------------------------------------------------------------------------------------------


def first_paints(url: str, paths: list[str], times: int = 5) -> dict[str, tuple[float, float]]:
    """Return the milliseconds to the first paint of pages, medians: in a new browser session, and again."""
    from playwright.sync_api import sync_playwright

    found: dict[str, tuple[float, float]] = {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=str(CHROMIUM), args=["--no-sandbox", "--disable-gpu", "--no-first-run"]
        )
        for path in paths:
            cold: list[float] = []
            warm: list[float] = []
            for _ in range(times):
                context = browser.new_context(base_url=url, viewport={"width": 1000, "height": 800})
                page = context.new_page()
                for painted in (cold, warm):
                    page.goto(path)
                    painted.append(page.evaluate(PAINTED))
                context.close()
            found[path] = median(cold), median(warm)
        browser.close()
    return found


def tell_paints(url: str) -> None:
    """Print how soon pages are seen."""
    asked = urlencode({"game": GAMES[0]})
    paths = ["/", *(f"/{page}?{asked}" for page in ("play", "assist", "solve", "compare"))]
    print("first paint, ms: in a new session, and again")
    for path, (cold, warm) in first_paints(url, paths).items():
        print(f"  {path:40} {cold:6.0f} {warm:6.0f}")


# -- all of it ---------------------------------------------------------------------------------------------


def told(figures: Figures) -> None:
    """Print how long requests took, and what went wrong."""
    print(f"  {'request':10} {'number':>7} {'median':>9} {'95 %':>9} {'longest':>9}")
    for what, each in sorted(figures.seconds.items()):
        each.sort()
        late = each[min(len(each) - 1, int(0.95 * len(each)))]
        row = "".join(f"{1000 * some:7.0f} ms" for some in (median(each), late, each[-1]))
        print(f"  {what:10} {len(each):7}{row}")
    print(f"  games to their end: {figures.ended}; refused or failed: {len(figures.faults)}")
    for fault in figures.faults[:5]:
        print(f"    {fault}")


def still_there(url: str, data: Path, figures: Figures) -> None:
    """Print how many of the games and results that players saw are there, with all their turns."""
    with closing(sqlite3.connect(data)) as base:
        sound = base.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    lost = []
    with httpx.Client(base_url=url, timeout=120, headers={"accept": "text/html"}) as client:
        for path, turns in figures.seen.items():
            answer = client.get(path)
            if answer.status_code != 200 or turns_on(answer.text) < turns:
                lost.append(path)
    results = sum(path.startswith("/strategy/") for path in figures.seen)
    print(f"after kill -9: {len(figures.seen) - results} games and {results} strategies were seen, ", end="")
    print(f"{len(lost)} are lost; the store is {'sound' if sound else 'BROKEN'}")


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", type=int, default=50, help="at once")
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--kill", action="store_true", help="kill the server half-way, and start it again")
    parser.add_argument("--no-paint", action="store_true")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="visitors-") as folder:
        data = Path(folder) / "pages.sqlite"
        with running(data) as (url, process):
            games = [*GAMES, bring_table(url)]
            if not wanted.no_paint:
                tell_paints(url)
            print(f"{wanted.games} games at once for {wanted.minutes:g} minutes")
            each = [games[i % len(games)] for i in range(wanted.games)]
            figures = asyncio.run(play_all(url, process, each, 60 * wanted.minutes, kill=wanted.kill))
            told(figures)
        if wanted.kill:
            with running(data) as (url, _):
                still_there(url, data, figures)


if __name__ == "__main__":
    main()
