"""The page that checks certificates, opened from a file in a browser, and the programs in C beside it."""

from __future__ import annotations

import base64
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fast_checker import VERIFY, built

if TYPE_CHECKING:
    from playwright.sync_api import Page

PAGE = VERIFY / "check.html"
JUDGE = """async jobs => {
    const worker = new Worker(workerUrl), said = [];
    const bytes = text => Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
    for (const [program, name, texts] of jobs) {
        const blobs = Object.entries(texts).map(([file, text]) => [file, new Blob([bytes(text)])]);
        const wasm = byId(`${program}-wasm`).textContent;
        let found = null;
        await new Promise(done => {
            worker.onmessage = ({ data }) => {
                found = data.verdict ?? found;
                if (data.ended || data.failed) done();
            };
            worker.postMessage({ program: wasm, name, blobs, strategy: null });
        });
        said.push(found ? [found.status, found.line] : [3, "no verdict"]);
    }
    worker.terminate();
    return said;
}"""
"""Let the page's own worker check certificates one after the other, without what a person clicks."""


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


def in_browser(page: Page, paths: Sequence[Path]) -> list[tuple[int, str]]:
    """Return status and line of the same programs in the page, for some certificates."""
    jobs = []
    for path in paths:
        text = path.read_bytes()
        named = {word.decode("latin1") for word in text[:9000].split()[:8]}
        found = [path, *(p for p in path.parent.iterdir() if p.name in named)]
        texts = {one.name: base64.b64encode(one.read_bytes()).decode() for one in found}
        jobs.append([program_for(text), path.name, texts])
    return [(int(status), str(line)) for status, line in page.evaluate(JUDGE, jobs)]


def dropped(page: Page, *paths: Path) -> None:
    """Give files to the page as a person does who chooses them."""
    page.set_input_files("#files", [str(path) for path in paths])


def told(page: Page, selector: str = ".verdict .said") -> str:
    """Return the text of the first element of the results, once it is there."""
    found: Any = page.locator(selector).first
    return str(found.inner_text())
