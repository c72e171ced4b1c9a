"""Every command in the README and the docs runs as it stands, and prints what is shown."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(\w+)(?: file=(\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def expected_lines(text: str) -> list[tuple[str, list[str]]]:
    """Split a console block into commands and the lines shown under each."""
    found: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line)
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_and_code_of_the_docs_run(page: Path, tmp_path: Path) -> None:
    text = page.read_text()
    for name in re.findall(r"`(\w+\.csv)`", text):
        block = next(body for language, _, body in BLOCK.findall(text) if language == "csv")
        (tmp_path / name).write_text(block)
    for language, file, body in BLOCK.findall(text):
        if file:
            (tmp_path / file).write_text(body)
        elif language == "python":
            subprocess.run([sys.executable, "-c", body], cwd=tmp_path, check=True, timeout=300)
        elif language == "console":
            for command, shown in expected_lines(body):
                words = shlex.split(command)
                if words[0] == "make":
                    assert f"\n{words[1]}:" in (ROOT / "Makefile").read_text()
                    continue
                assert words[0] == "guesstree", f"{command}: not a command of this project"
                run = subprocess.run(
                    [sys.executable, "-m", *words], cwd=tmp_path, capture_output=True, text=True, timeout=300
                )
                assert run.returncode == 0, f"{command}: {run.stderr}"
                lines = [line for line in shown if line != "..."]
                assert run.stdout.splitlines()[: len(lines)] == lines, command
