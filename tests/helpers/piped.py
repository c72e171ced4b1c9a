"""A command of the project in this process, with its input from a pipe."""

import json
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest

from guesstree.cli import main


def piped(*words: str, typed: str | bytes = "", cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a command in this process with its input from a pipe; nothing is ever coloured there."""
    data = typed if isinstance(typed, bytes) else typed.encode()
    out, err = (TextIOWrapper(BytesIO(), "utf-8") for _ in range(2))
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setattr(sys, "stdin", TextIOWrapper(BytesIO(data), "utf-8"))
        patch.chdir(cwd or Path.cwd())
        with pytest.raises(SystemExit) as end:
            main(list(words))
    told = []
    for stream in (out, err):
        stream.seek(0)
        told.append(stream.read())
    assert "\x1b" not in "".join(told)
    assert isinstance(end.value.code, int)
    return subprocess.CompletedProcess(words, end.value.code, *told)


def data(*words: str, cwd: Path | None = None, status: int = 0) -> dict[str, Any]:
    """Return what a command prints with ``--json``."""
    done = piped(*words, "--json", cwd=cwd)
    assert done.returncode == status, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found
