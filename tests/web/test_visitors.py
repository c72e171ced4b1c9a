"""Fifty games are played at once on a server of its own, as browsers would; it is killed amid them."""

from __future__ import annotations

import asyncio
import random
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from urllib.parse import urlencode, urljoin

import httpx
import pytest
from page_forms import Form, Forms, token_of

pytestmark = pytest.mark.long
GAMES = ["mastermind:4x6", "bulls:4x10", "blackpeg:4x6", "coins:8", "mastermind:3x4", "hangman:english-5"]
"""What is played, in turn, besides a table."""
PLAYERS, CAUSES = 50, 24
SECONDS = 40.0
PAUSE = 0.5
"""Seconds that a player thinks before each move, on average."""


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


@dataclass
class Figures:
    """What was measured.

    Attributes
    ----------
    seconds: by kind of request.
    ended: how many games came to their end.
    seen: pages that are to be there for ever, with the number of turns on them.
    busy: how often a search was refused since as many as may run at once ran already.
    faults: what went wrong.
    """

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    ended: int = 0
    seen: dict[str, int] = field(default_factory=dict)
    busy: int = 0
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
        if answer.status_code == 429 and what == "solve":  # as it should be, where a machine is slow
            self.figures.busy += 1
            raise StopAsyncIteration
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


async def play_all(
    url: str, process: subprocess.Popen[str], games: list[str], *, kill: bool
) -> tuple[Figures, float]:
    """Play these games at once, and return what was seen, and the most MB that the server took."""
    figures, until, most = Figures(), time.monotonic() + SECONDS, 0.0
    players = [Player(url, game, figures, seed) for seed, game in enumerate(games)]
    everybody = asyncio.gather(*(player.go_on(until) for player in players))
    if kill:
        asyncio.get_running_loop().call_later(SECONDS / 2, process.kill)
    while not everybody.done():
        most = max(most, memory(process.pid))
        await asyncio.wait([everybody], timeout=1)
    await everybody
    return figures, most


def memory(pid: int) -> float:
    """Return the MB of a process."""
    with suppress(OSError):
        text = Path(f"/proc/{pid}/smaps_rollup").read_text()
        return int(re.search(r"^Pss:\s+(\d+)", text, re.MULTILINE)[1]) / 1024  # type: ignore[index]
    return 0.0


@pytest.mark.parametrize("kill", [False, True])
def test_fifty_games_at_once(kill: bool, tmp_path: Path) -> None:
    """Nothing fails and answers come soon; what was seen before a server is killed is there afterwards."""
    data = tmp_path / "pages.sqlite"
    with running(data) as (url, process):
        games = [*GAMES, bring_table(url)]
        each = [games[i % len(games)] for i in range(PLAYERS)]
        figures, most = asyncio.run(play_all(url, process, each, kill=kill))
    assert figures.faults == []
    assert figures.busy < len(figures.seconds["solve"])
    assert figures.ended > 0 and len(figures.seen) > PLAYERS / 5
    assert all(median(seconds) < 10 for seconds in figures.seconds.values())
    assert 0 < most < 300
    if kill:
        with running(data) as (url, _):
            assert lost(url, data, figures) == []


def lost(url: str, data: Path, figures: Figures) -> list[str]:
    """Return the games and results that players saw and that are not there with all their turns."""
    with closing(sqlite3.connect(data)) as base:
        assert base.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    found = []
    with httpx.Client(base_url=url, timeout=120, headers={"accept": "text/html"}) as client:
        for path, turns in figures.seen.items():
            answer = client.get(path)
            if answer.status_code != 200 or turns_on(answer.text) < turns:
                found.append(path)
    return found
