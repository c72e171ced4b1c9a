"""The page that checks certificates, opened from a file in a browser, and the programs in C beside it."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fast_checker import VERIFY, built

if TYPE_CHECKING:
    from playwright.sync_api import Page

PAGE = VERIFY / "check.html"
JUDGE = """async ([program, name, texts]) => {
    const files = Object.entries(texts).map(([name, text]) =>
        [name, new Blob([Uint8Array.from(atob(text), letter => letter.charCodeAt(0))])]);
    const worker = new Worker(workerUrl), wasm = byId(`${program}-wasm`).textContent;
    const said = await new Promise(done => {
        worker.onmessage = ({ data }) => { if (data.verdict || data.failed) done(data); };
        worker.postMessage({ program: wasm, name, blobs: files, strategy: null });
    });
    worker.terminate();
    return said.verdict ? [said.verdict.status, said.verdict.line] : [3, said.failed];
}"""
"""Let the page's own worker check one certificate, without what a person clicks."""


def program_for(text: bytes) -> str:
    """Return the name of the checker that reads a certificate."""
    words = text[:200].split()
    kind = words[1].decode("ascii", "replace") if len(words) > 1 else ""
    return kind if kind in ("priced", "lies", "noisy", "strategy") else "verify"


def in_c(path: Path) -> tuple[int, str]:
    """Return status and line of the program in C, which is run where the certificate lies."""
    program = built("-O3", name=program_for(path.read_bytes()))
    done = subprocess.run([program, path.name], cwd=path.parent, capture_output=True, timeout=60, check=False)
    return done.returncode, (done.stdout + done.stderr).decode(errors="replace").strip()


def in_browser(page: Page, path: Path) -> tuple[int, str]:
    """Return status and line of the same program in the page."""
    import base64

    text = path.read_bytes()
    named = {word.decode("latin1") for word in text[:9000].split()[:8]}
    found: Iterable[Path] = [path, *(p for p in path.parent.iterdir() if p.name in named)]
    texts = {one.name: base64.b64encode(one.read_bytes()).decode() for one in found}
    status, line = page.evaluate(JUDGE, [program_for(text), path.name, texts])
    return int(status), str(line)


def dropped(page: Page, *paths: Path) -> None:
    """Give files to the page as a person does who chooses them."""
    page.set_input_files("#files", [str(path) for path in paths])


def told(page: Page, selector: str = ".verdict .said") -> str:
    """Return the text of the first element of the results, once it is there."""
    found: Any = page.locator(selector).first
    return str(found.inner_text())
