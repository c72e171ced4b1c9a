"""The memory that threads share: nothing is lost while it grows, and all of them move it."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

SOURCE = Path(__file__).with_name("memo_threads.c")
HEADERS = Path(__file__).parents[2] / "cext"


def test_nothing_is_lost_while_threads_make_it_grow(tmp_path: Path) -> None:
    """A key is forgotten where its group is full while the table is nearly empty, but none on the way.

    All threads write two keys, too, and what is read of these belongs together.
    """
    program = tmp_path / "memo_threads"
    bare = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    how = ["-O2", "-pthread", f"-I{HEADERS}"]
    command = ["cc", *how, str(SOURCE), "-o", str(program)]
    subprocess.run(command, env=bare, check=True, timeout=120)
    for _ in range(3):
        run = subprocess.run([program], env=bare, capture_output=True, text=True, timeout=120, check=True)
        wrong, there, counted, groups = map(int, re.findall(r"\d+", run.stdout))
        assert (wrong, groups) == (0, 1 << 15)
        assert 159_000 < there == counted - 2 <= 160_000
