"""`guesstree serve`: what it begins with, how it ends, and what it refuses."""

import os
import re
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from downloads import OWN, foreign_that_ran, unsafe_environment, write_foreign
from page_forms import token_of
from terminal import COMMAND

from guesstree.cli import main
from guesstree.web.run import first_page
from guesstree.web.store import Store

LAMP = "test,bulb,fuse,switch\nswap the bulb,works,dark,dark\nmeasure,live,dead,live\n"


def processes_of(group: int) -> list[str]:
    """Return the processes of a session that are still there, whatever groups they are in."""
    found = subprocess.run(["ps", "-o", "stat=,args=", "-s", str(group)], capture_output=True, text=True)
    return [line for line in found.stdout.splitlines() if line and not line.startswith("Z")]


def test_it_begins_with_a_table_and_ctrl_c_ends_it_in_good_order(tmp_path: Path) -> None:
    (tmp_path / "lamp.csv").write_text(LAMP)
    words = [*COMMAND, "serve", "lamp.csv,causes=columns", "--data", "kept.sqlite", "--port", "0"]
    # As in the background of a script: Ctrl-C is not for it, but whoever sends SIGINT means it.
    with subprocess.Popen(
        words,
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),
    ) as process:
        assert process.stdout
        said = process.stdout.readline()
        address = said.removeprefix("guesstree is at ").removesuffix(" (Ctrl-C ends it)\n")
        assert re.search("/table\\?game=table%3Alamp.csv%2Ccauses%3Dcolumns&secret=[0-9a-f]{16}$", address)
        with httpx.Client(follow_redirects=True, timeout=30) as client:
            assert client.get(address.partition("&secret")[0]).status_code == 401
            page = client.get(address)
            assert "3 causes, 2 tests" in page.text
            assert "secret" not in str(page.url)
            assert client.get(address.partition("&secret")[0]).status_code == 200
        os.kill(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=120)
    assert (process.returncode, out, err) == (0, "", "")
    until = time.monotonic() + 60
    while processes_of(process.pid) and time.monotonic() < until:
        time.sleep(0.05)
    assert processes_of(process.pid) == []
    assert [file.name for file in Store(tmp_path / "kept.sqlite").files()] == ["lamp.csv"]


def test_nothing_of_the_folder_runs(tmp_path: Path) -> None:
    """A table is brought, advice given, a drawing made and a search run, in a folder of downloads."""
    write_foreign(tmp_path)
    (tmp_path / "lock.py").write_text(OWN)
    words = [*COMMAND, "--import", "lock", "serve", "--data", "kept.sqlite", "--port", "0", "--no-secret"]
    with subprocess.Popen(
        words,
        cwd=tmp_path,
        env=unsafe_environment(),
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL),  # also where tests run under nohup
    ) as process:
        assert process.stdout
        address = process.stdout.readline().removeprefix("guesstree is at ").partition(" ")[0]
        with httpx.Client(base_url=address, timeout=60, follow_redirects=True) as client:
            token = token_of(client)
            brought = client.post(
                "/bring", data={"token": token}, files={"file": ("lamp.csv", LAMP.encode())}
            )
            assert "3 causes, 2 tests" in brought.text
            assert "9 settings" in client.get("/assist?game=lock:2").text
            task = client.post("/solve", data={"token": token, "game": "lock:2", "seconds": "9"})
            client.get(f"{task.url.path}/events")
            found = client.get(task.url.path)
            assert "Proven" in found.text
            assert client.get(f"{found.url.path}/download/tree.svg").status_code == 200
        os.kill(process.pid, signal.SIGHUP)  # as when its terminal is closed
        process.communicate(timeout=120)
    assert (process.returncode, foreign_that_ran(tmp_path)) == (0, [])


@pytest.fixture
def taken() -> Iterator[int]:
    with closing(socket.create_server(("127.0.0.1", 0))) as other:
        yield other.getsockname()[1]


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    with pytest.raises(SystemExit, match="2"):
        main(["serve", *words])
    out, err = capsys.readouterr()
    assert not out and err.count("\n") == 1
    return err.removeprefix("guesstree: ").strip()


def test_what_cannot_be_served_is_one_clear_line(
    tmp_path: Path, taken: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("notes.sqlite").write_text("no database" * 100)
    Path("photo.csv").write_bytes(b"\x89PNG ..." + bytes(100))
    Path("own.py").write_text("import guesstree")
    data = ("--data", "kept.sqlite")
    assert refused(capsys, "--port", str(taken), *data) == (
        f"port {taken} of 127.0.0.1 is taken; use another --port, or none for a free one"
    )
    assert "cannot serve at --host 192.0.2.1: " in refused(capsys, "--host", "192.0.2.1", *data)
    assert "'notes.sqlite' cannot keep what is made" in refused(capsys, "--data", "notes.sqlite")
    assert refused(capsys, "--data", "photo.csv") == (
        "'photo.csv' cannot keep what is made: it is a file of another kind; name another file with --data"
    )
    assert refused(capsys, "--data", ".") == "--data '.' is a folder; expected a file, such as 'pages.sqlite'"
    assert "cannot keep what is made" in refused(capsys, "--data", "photo.csv/kept.sqlite")
    assert "'photo.csv' looks like a picture" in refused(capsys, "photo.csv", *data)
    assert refused(capsys, "..", *data) == "'..' is a folder; name a file in it, or a game"
    assert refused(capsys, "lamb.csv", *data).startswith("no file 'lamb.csv', and unknown game 'lamb.csv'")
    assert refused(capsys, "own.py", *data) == (
        "'own.py' is a Python file, not a game; use guesstree --import own, which makes its games known"
    )
    assert "cannot read 'lamb.csv': No such file" in refused(capsys, "table:lamb.csv", *data)
    assert "expected pegs x colours" in refused(capsys, "mastermind:4", *data)
    assert refused(capsys, "--host", "", "--port", "0", *data) == (
        "--host is empty; expected an address, such as 127.0.0.1, or 0.0.0.0 for all"
    )
    assert refused(capsys, "--host", "0.0.0.0", "--port", "0", "--no-secret", *data) == (
        "--no-secret with --host 0.0.0.0: whoever reaches this machine could use it; leave one out"
    )


def test_it_begins_with_whatever_is_named(tmp_path: Path) -> None:
    store = Store(tmp_path / "kept.sqlite")
    (tmp_path / "lamp.csv").write_text(LAMP)
    (tmp_path / "loss.csv").write_text("said,bulb,fuse,switch\nbulb,0,1,1\nfuse,1,0,1\nswitch,2,2,0\n")
    (tmp_path / "few.txt").write_text("crane\nslate\n")
    (tmp_path / "more.txt").write_text("brick\n")
    for what, page in {
        "": "/",
        "mastermind:4x6": "/game?game=mastermind%3A4x6",
        f"{tmp_path}/few.txt": "/words?file=few.txt",
        f"table:{tmp_path}/lamp.csv,loss=loss.csv": "/table?game=table%3Alamp.csv%2Closs%3Dloss.csv",
        f"wordle:{tmp_path}/few.txt,{tmp_path}/more.txt,hard": (
            "/game?game=wordle%3Afew.txt%2Cmore.txt%2Chard"
        ),
    }.items():
        assert first_page(store, what) == page
    assert {file.name for file in store.files()} == {"lamp.csv", "loss.csv", "few.txt", "more.txt"}
