"""Numbers of parts: all that a processor can count them with finds the same."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

SOURCE = Path(__file__).with_name("parts_levels.c")
HEADERS = Path(__file__).parents[2] / "cext"


def test_every_level_counts_the_same(tmp_path: Path) -> None:
    """Plainly, with AVX2 and with AVX-512, as far as this processor has them."""
    program = tmp_path / "parts_levels"
    bare = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    command = ["cc", "-O2", f"-I{HEADERS}", str(SOURCE), "-o", str(program)]
    subprocess.run(command, env=bare, check=True, timeout=120)
    run = subprocess.run([program], env=bare, capture_output=True, text=True, timeout=120)
    assert (run.returncode, run.stdout.strip()[-5:]) == (0, "agree"), run.stdout
