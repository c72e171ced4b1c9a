"""The memory that threads share: nothing is lost while it grows, and all of them move it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

SOURCE = Path(__file__).with_name("memo_threads.c")
HEADERS = Path(__file__).parents[2] / "cext"


def test_nothing_is_lost_while_threads_make_it_grow(tmp_path: Path) -> None:
    program = tmp_path / "memo_threads"
    bare = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    how = ["-O2", "-pthread", f"-I{HEADERS}"]
    command = ["cc", *how, str(SOURCE), "-o", str(program)]
    subprocess.run(command, env=bare, check=True, timeout=120)
    for _ in range(3):
        run = subprocess.run([program], env=bare, capture_output=True, text=True, timeout=120)
        assert (run.returncode, run.stdout) == (0, "0 lost, 160000 there, 32768 groups\n")
