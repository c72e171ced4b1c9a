"""Write what commands print anew into the README and the docs, and the pages that are made from code.

    python scripts/outputs.py                   all pages
    python scripts/outputs.py play.md           some of them

Each page is played in an empty folder: its files are written, its code and its commands run, in order. What a
command prints replaces what the page shows below it, but for seconds; `...` stands for the rest of the lines.
`tests/test_docs.py` compares pages with what this returns.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from results import PARTS, RESULTS, load, write_beside
from results_page import page as results_page

from guesstree import cli
from guesstree.engine import modules
from guesstree.engine.combinations import page as combinations_page

ROOT = Path(__file__).parent.parent
README, DOCS = ROOT / "README.md", ROOT / "docs"
PAGES = [README, *sorted(DOCS.rglob("*.md"))]
BLOCK = re.compile(r"^```(\w+)(?: file=(\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
REST = "..."


def commands(body: str, language: str) -> Iterator[tuple[list[str], list[str]]]:
    """Yield the words of each command of a block, and the lines shown under it (none in a `sh` block)."""
    if language == "sh":
        lines = body.replace("\\\n", " ").splitlines()
        yield from ((shlex.split(line, comments=True), []) for line in lines)
        return
    found: list[tuple[list[str], list[str]]] = []
    for line in body.splitlines():
        if line.startswith("$ "):
            found.append((shlex.split(line[2:]), []))
        else:
            found[-1][1].append(line)
    yield from found


def timeless(lines: list[str]) -> list[str]:
    """Blank what a clock says: seconds that end a line, and numbers in a column that is called `seconds`."""
    blanked, end = [], 0
    for line in lines:
        if title := re.search(r" seconds ", line):
            end = title.end() - 1
        line = re.sub(r" \d+\.\d+ s$", " SECONDS", line)
        blanked.append(re.sub(r" +\d+\.\d{3}$", " SECONDS", line[:end]) + line[end:])
    return blanked


def updated(shown: list[str], printed: list[str]) -> list[str]:
    """Return what is to be shown of what a command printed: lines of which only seconds differ as before."""
    if REST in shown[:-1]:
        raise ValueError(f"{REST!r} stands for the last lines alone, not within {shown}")
    if shown[-1:] == [REST]:
        printed = [*printed[: len(shown) - 1], REST]
    known = dict(zip(timeless(shown), shown, strict=True))
    return [known.get(same, line) for same, line in zip(timeless(printed), printed, strict=True)]


def printed_by(words: list[str]) -> list[str]:
    """Return the lines that a command prints; raise RuntimeError for one that fails, or is none of ours."""
    command = " ".join(words)
    if words[0] != "guesstree":
        raise RuntimeError(f"{command}: not a command of this project")
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = cli.run(words[1:])
    out.seek(0)
    err.seek(0)
    if status:
        raise RuntimeError(f"{command}: {err.read()}")
    return out.read().splitlines()


def console(body: str) -> str:
    """Run the commands of a block; return it with what they print."""
    lines, found = body.splitlines(keepends=True), []
    heads = iter(line for line in lines if line.startswith("$ "))
    for words, shown in commands(body, "console"):
        if words[0] == "make":
            assert f"\n{words[1]}:" in (ROOT / "Makefile").read_text(), words
        else:
            shown = updated(shown, printed_by(words))
        found += [next(heads), *(f"{line}\n" for line in shown)]
    return "".join(found)


def file_in(folder: Path, name: str, body: str) -> str:
    """Write a file that a page shows; return it as it is if a command has written it."""
    path = folder / name
    if not path.exists():
        path.write_text(body)
        return body
    lines = updated(body.splitlines(), path.read_text("utf-8-sig").splitlines())
    return "".join(f"{line}\n" for line in lines)


def renewed(text: str, folder: Path) -> str:
    """Return a page with what its commands print, run in an empty folder."""

    def block(match: re.Match[str]) -> str:
        language, file, body = match.groups()
        new = body
        if file:
            new = file_in(folder, file, body)
        elif language == "python":
            subprocess.run([sys.executable, "-P", "-c", SAFE + body], cwd=folder, check=True, timeout=300)
        elif language == "console":
            new = console(body)
        return match[0].replace(body, new) if body else match[0]

    known, modules._loaded = modules._loaded, {}  # what another page has imported is not here
    written = [Path(file).stem for _, file, _ in BLOCK.findall(text) if file.endswith(".py")]
    others = {name: sys.modules.pop(name) for name in written if name in sys.modules}
    stdin, sys.stdin = sys.stdin, io.StringIO()
    try:
        with contextlib.chdir(folder):
            return BLOCK.sub(block, text)
    finally:
        modules._loaded, sys.stdin = known, stdin
        for name in written:
            sys.modules.pop(name, None)
        sys.modules.update(others)


SAFE = "import sys; sys.path.insert(0, '')\n"
"""A page's code may import the files beside it."""


def made(page: Path, text: str) -> str:
    """Return a page that is made from code, or the text with its tables made anew."""
    if page.name == "combinations.md":
        return combinations_page()
    if page == RESULTS.with_suffix(".md"):
        return results_page(*(load(RESULTS, part) for part in PARTS))
    return text


def main() -> None:
    """Write the pages that are asked for, or all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="PAGE", help="names of pages (default: all)")
    wanted = parser.parse_args().names or [page.name for page in PAGES]
    if unknown := set(wanted) - {page.name for page in PAGES}:
        names = ", ".join(page.name for page in PAGES)
        parser.error(f"no page is called {', '.join(sorted(unknown))}; expected some of {names}")
    for page in (page for page in PAGES if page.name in wanted):
        before = page.read_text()
        with TemporaryDirectory() as folder:
            after = renewed(made(page, before), Path(folder))
        if after != before:
            write_beside(page, after)
            print(f"{page.relative_to(ROOT)}: written anew")


if __name__ == "__main__":
    main()
