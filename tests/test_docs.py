"""Every command of the README and the docs runs as it stands, and prints and draws what is shown."""

import re
import subprocess
import sys
from io import StringIO
from itertools import zip_longest
from pathlib import Path

import loading
import pytest
from downloads import unsafe_environment

from guesstree import cli

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
pictures = loading.script("pictures")


def timeless(lines: list[str]) -> list[str]:
    """Blank what a clock says: seconds that end a line, and numbers in a column that is called `seconds`."""
    blanked, end = [], 0
    for line in lines:
        if title := re.search(r" seconds ", line):
            end = title.end() - 1
        line = re.sub(r" \d+\.\d+ s$", " SECONDS", line)
        blanked.append(re.sub(r" +\d+\.\d{3}$", " SECONDS", line[:end]) + line[end:])
    return blanked


def differ(shown: list[str], printed: list[str]) -> list[str]:
    """Return the lines that are not as shown; `...` stands for any number of lines, at the end alone."""
    assert "..." not in shown[:-1]
    if shown[-1:] == ["..."]:
        shown, printed = shown[:-1], printed[: len(shown) - 1]
    pairs = zip_longest(timeless(shown), timeless(printed))
    return [f"shown {a!r}, printed {b!r}" for a, b in pairs if a != b]


def test_only_seconds_may_differ_from_what_is_shown() -> None:
    title = "  method  total  seconds  histogram"
    shown = ["a: total 5", title, "  parts       5    0.013  1-2", "  7 states, 0.10 s"]
    slower = ["a: total 5", title, "  parts       5   11.002  1-2", "  7 states, 2.34 s"]
    assert differ(shown, slower) == []
    assert differ([shown[0], "..."], slower) == []
    for old, new in [("5", "6"), ("1-2", "1-3"), ("7 states", "8 states"), ("parts", "part")]:
        assert differ(shown, [line.replace(old, new) for line in slower]) != []
    assert differ(shown[:1], slower) != []
    assert differ(shown, slower[:-1]) != []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_and_code_of_the_docs_run(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Commands run in this process, as to start one for each would take longer than what they do."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("guesstree.engine.modules._loaded", {})  # other tests start processes, too
    monkeypatch.setattr("sys.stdin", StringIO())
    for language, file, body in pictures.BLOCK.findall(page.read_text()):
        if file and (tmp_path / file).exists():  # a command wrote it
            written = (tmp_path / file).read_text("utf-8-sig")
            assert differ(body.splitlines(), written.splitlines()) == [], file
        elif file:
            (tmp_path / file).write_text(body)
        elif language == "python":
            program = [sys.executable, "-c", body]
            subprocess.run(program, cwd=tmp_path, check=True, timeout=300, env=unsafe_environment())
        elif language == "console":
            for words, shown in pictures.commands(body, language):
                command = " ".join(words)
                if words[0] == "make":
                    assert f"\n{words[1]}:" in (ROOT / "Makefile").read_text()
                    continue
                assert words[0] == "guesstree", f"{command}: not a command of this project"
                status, printed = cli.run(words[1:]), capsys.readouterr()
                assert status == 0, f"{command}: {printed.err}"
                assert differ(shown, printed.out.splitlines()) == [], command


def test_commands_beside_the_first_pictures_are_those_of_a_page_that_runs() -> None:
    runs = {"guesstree serve mastermind:4x6"}  # it does not end by itself; scripts/pictures.py runs it
    for page in (PAGES[0], pictures.GALLERY):
        for language, _, body in pictures.BLOCK.findall(page.read_text()):
            if language == "console":
                runs |= {" ".join(words) for words, _ in pictures.commands(body, language)}
    shown = re.findall(r"`(guesstree [^`]+)` \|", PAGES[0].read_text())
    assert len(shown) == 4
    assert set(shown) <= runs


@pytest.mark.parametrize(
    "page",
    [*PAGES[1:], ROOT / "CONTRIBUTING.md", *sorted((ROOT / "verify").rglob("*.md"))],
    ids=lambda page: page.name,
)
def test_every_page_says_whom_it_is_for_and_what_to_do_next(page: Path) -> None:
    _, first, *rest = page.read_text().split("\n\n")
    assert first.startswith("This page is for "), first
    last = " ".join((rest[-1] if rest else first).split())
    assert re.search(r"(^|\. )Next: .*\]\([^)]+\)", last), last


def test_every_picture_is_shown_and_every_picture_shown_is_there() -> None:
    shown = set()
    for page in PAGES:
        for target in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", page.read_text()):
            assert (page.parent / target).is_file(), f"{page.name} shows {target}"
            shown.add((page.parent / target).resolve())
    stored = {path for path in DOCS.rglob("*") if path.suffix in (".svg", ".png")}
    assert stored == shown


def test_every_picture_is_made_by_a_command_that_the_docs_show() -> None:
    assert set(pictures.makers()) == {path.name for path in pictures.PICTURES.iterdir()}
