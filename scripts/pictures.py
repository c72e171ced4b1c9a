"""Make the pictures of the docs: run the commands of the pages that show them, and keep what they draw.

    python scripts/pictures.py                  all pictures
    python scripts/pictures.py lamp.svg         some of them

A page shows `pictures/NAME.svg` when one of its commands, or one of an earlier page, writes NAME.svg; and
`pictures/NAME.png`, a screenshot, when one writes NAME.html, or when SERVED names it as a page of `guesstree
serve`. Screenshots need Chromium and Playwright.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from outputs import BLOCK, DOCS, README, commands

PICTURES = DOCS / "pictures"
GALLERY = DOCS / "gallery.md"
PAGES = [GALLERY, *sorted(page for page in DOCS.glob("*.md") if page != GALLERY)]
"""A picture is made by the first of these pages that has a command for it."""

SHOWN = re.compile(r"!\[[^\]]*\]\((?:docs/)?pictures/([^)]+)\)")

CHROMIUM = Path("/usr/bin/chromium")
ARGUMENTS = ["--no-sandbox", "--disable-gpu"]
WIDTH, HEIGHT = 1100, 640
SEARCHED = {"explorer.html": "3456", "wordle.html": "robot", "nerdle.html": "9*8=72"}
"""What is typed into the search field of a page before its picture is taken."""
ANSWERED = {"guide.html": "22"}
"""What is answered in the guide of a page, by keys, before its picture is taken."""
SERVED = {
    "advice.png": "/assist?game=mastermind:4x6&history=1123:0,2",
    "battleship.png": "/assist?game=battleship:4x6,ships=2%2B3&history=C3:hit;B3:miss",
    "quordle.png": "/assist?game=boards:4,wordle:official&history=raise:bbyby|bgbbb|bbgby|ybbby",
    "breed.png": "/breed?game=mastermind:3x3&seed=44&size=20&stage=triangles&at=2",
}
"""The addresses of pages of `guesstree serve` of which a picture is taken."""
SERVING = DOCS / "serve.md"
READY = re.compile(r"guesstree is at (http://[^/ ]+)")
NARROW = 460
"""Width of the picture of a guide."""


def drawn(text: str) -> set[str]:
    """Return the names of the pictures that the commands of a page make."""
    written = {
        word
        for language, _, body in BLOCK.findall(text)
        if language in ("console", "sh")
        for words, _ in commands(body, language)
        if words[:1] == ["guesstree"]
        for word in words
    }
    return {
        Path(word).with_suffix(".png").name if word.endswith(".html") else word
        for word in written
        if word.endswith((".svg", ".html"))
    }


def makers() -> dict[str, Path]:
    """Return the page that makes each picture that is shown."""
    texts = {page: page.read_text() for page in PAGES}
    shown = {name for text in (*texts.values(), README.read_text()) for name in SHOWN.findall(text)}
    made: dict[str, Path] = {}
    for page, text in texts.items():
        for name in sorted(drawn(text) & shown - set(made)):
            made[name] = page
    return made | {name: SERVING for name in SERVED if name in shown}


def play(text: str, folder: Path) -> None:
    """Write the files of a page and run its code and commands, in order."""
    for language, file, body in BLOCK.findall(text):
        if file:
            (folder / file).write_text(body)
        elif language == "python":
            subprocess.run([sys.executable, "-c", body], cwd=folder, check=True)
        elif language in ("console", "sh"):
            for words, _ in commands(body, language):
                if words[:1] == ["guesstree"]:
                    subprocess.run(
                        [sys.executable, "-m", *words], cwd=folder, check=True, stdout=subprocess.DEVNULL
                    )


def photograph(address: str, picture: Path) -> None:
    """Take a picture of a page as it looks in a browser; of a page to explore, after what was typed there."""
    from playwright.sync_api import sync_playwright

    page = Path(address).name
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=ARGUMENTS)
        width = NARROW if page in ANSWERED else WIDTH
        view = browser.new_page(viewport={"width": width, "height": HEIGHT})
        view.goto(address)
        if address.startswith("file:"):  # a script writes what it shows
            view.wait_for_selector("#details .now:visible, .choice:visible")
        view.keyboard.type(ANSWERED.get(page, ""))
        if page in SEARCHED:
            view.fill("#query", SEARCHED[page])
            view.press("#query", "Enter")
            view.wait_for_selector("#found:not([hidden])")
        view.screenshot(path=picture, animations="disabled")
        browser.close()


@contextmanager
def served(folder: str) -> Iterator[str]:
    """Serve pages from an empty folder of their own, and yield the address."""
    command = [sys.executable, "-m", "guesstree", "serve", "--no-secret", "--port", "0"]
    kept = str(Path(folder, "pages.sqlite"))
    with subprocess.Popen([*command, "--data", kept], stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            found = READY.match(server.stdout.readline())
            assert found is not None
            yield found[1]
        finally:
            server.terminate()


def main() -> None:
    """Make the pictures that are asked for, or all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="pictures to make (default: all)")
    made = makers()
    wanted = parser.parse_args().names or sorted(made)
    if unknown := [name for name in wanted if name not in made]:
        parser.error(f"no page makes {', '.join(unknown)}; there are {', '.join(sorted(made))}")
    PICTURES.mkdir(exist_ok=True)
    for page in dict.fromkeys(made[name] for name in wanted):
        with TemporaryDirectory() as folder:
            if page != SERVING:
                play(page.read_text(), Path(folder))
            for name in (name for name in wanted if made[name] == page):
                source = Path(folder, name)
                if name in SERVED:
                    with served(folder) as address:
                        photograph(address + SERVED[name], PICTURES / name)
                elif name.endswith(".png"):
                    photograph(source.with_suffix(".html").as_uri(), PICTURES / name)
                else:
                    shutil.copyfile(source, PICTURES / name)
                print(f"{page.name}: {PICTURES / name}")


if __name__ == "__main__":
    main()
