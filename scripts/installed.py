"""Try guesstree as it is installed with this Python, in an empty folder and without a compiler.

Solves, checks, draws in every format, has completion set up; ends at the first thing that goes wrong.

    env/bin/python -I scripts/installed.py
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path


def run(*words: str, **more: str) -> str:
    """Return what a command prints; raise CalledProcessError when it fails."""
    path = {"PATH": str(Path(sys.executable).parent)}
    command = [sys.executable, "-I", "-m", "guesstree", *words]
    return subprocess.run(
        command, env=os.environ | path | more, check=True, stdout=subprocess.PIPE, text=True
    ).stdout


def main() -> None:
    """Try all in a folder that is removed afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        print(run("solve", "mastermind:4x6", "--out", "tree.json", "--render", "tree.pdf"), end="")
        print(run("check", "tree.json"), end="")
        from pypdf import PdfReader

        assert "mastermind:4x6" in PdfReader("tree.pdf").pages[0].extract_text(), "the PDF cannot be read"
        print(run("prove", "mastermind:4x6", "--out", "4x6.proof", "--strategy", "4x6.json"), end="")
        print(run("verify", "4x6.proof", "--strategy", "4x6.json"), end="")
        for ending in ("svg", "png", "dot", "html"):
            run("solve", "bulls:3x5", "--render", f"small.{ending}")
        for file in sorted(Path().iterdir()):
            assert file.stat().st_size, f"{file} is empty"
            print(f"  {file} {file.stat().st_size} bytes")
        assert "complete" in run(_GUESSTREE_COMPLETE="zsh_source")


if __name__ == "__main__":
    main()
