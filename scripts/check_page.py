"""Make the page that checks certificates in a browser: one file, `verify/check.html`.

    python scripts/check_page.py

The page has the checkers in C inside, compiled to WebAssembly. They are compiled again only if their sources
have changed; this takes zig, which `make page` installs.
"""

from __future__ import annotations

import base64
import gzip
import html
import re
import subprocess
import sys
import tempfile
from hashlib import sha256
from pathlib import Path

from guesstree.trees.export.output import write_whole
from guesstree.trees.export.page.page import policy

ROOT = Path(__file__).parents[1]
VERIFY = ROOT / "verify"
PARTS = VERIFY / "page"
PAGE = VERIFY / "check.html"
PROGRAMS = ("verify", "priced", "lies", "noisy", "strategy")
WORKER = ("sha256.js", "claim.js", "games.js", "strategy.js", "wasi.js", "worker.js")
SCRIPT = ("sha256.js", "claim.js", "xz.js", "main.js")
"""In this order: the scripts of each share their names."""
STACK, MEMORY = 1 << 24, (1 << 32) - (1 << 24)
"""Bytes of the stack, and of all memory.

The stack lies below all else, and what is above all memory is no address: a stack that is too small ends the
program.
"""
COMPILE = (
    *("-target", "wasm32-wasi", "-mcpu=generic+exception_handling+simd128"),
    *("-std=c99", "-O3", "-finline-hint-functions", "-g0", "-s", "-mllvm", "-wasm-enable-sjlj"),
    *(f"-Wl,-z,stack-size={STACK}", f"-Wl,--max-memory={MEMORY}"),
)
"""How zig compiles a checker; `longjmp` is an exception of WebAssembly.

Only functions that are declared `inline` are put into others: what is long takes a browser long to compile.
"""


GIVEN = ("page/progress.h", "page/longjmp.s", "page/library.c")
"""What is compiled with each checker: the first is included before it, the others are linked."""


def sources() -> dict[str, str]:
    """Return the SHA-256 of what is compiled, by the names of the files, and of how."""
    found, due = dict[str, bytes](), [*(f"{name}.c" for name in PROGRAMS), *GIVEN]
    while due:
        name = due.pop()
        if name not in found:
            found[name] = (VERIFY / name).read_bytes()
            due += re.findall(r'^#include "(\S+)"', found[name].decode(), re.MULTILINE)
    found["zig cc"] = " ".join(COMPILE).encode()
    return {name: sha256(data).hexdigest() for name, data in sorted(found.items())}


def compiled(name: str) -> bytes:
    """Return a checker as WebAssembly; raise CalledProcessError where zig is missing or refuses it."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / f"{name}.wasm"
        given = ["-include", GIVEN[0], f"{name}.c", *GIVEN[1:], "-o", str(out)]
        subprocess.run([sys.executable, "-m", "ziglang", "cc", *COMPILE, *given], cwd=VERIFY, check=True)
        return out.read_bytes()


def packed(program: bytes) -> str:
    """Return a program as the page has it."""
    return base64.b64encode(gzip.compress(program, mtime=0)).decode()


def programs(page: str) -> dict[str, str]:
    """Return the programs that a page has, packed, by their names."""
    found = re.findall(r'<script type="text/plain" id="(\w+)-wasm">(.*?)</script>', page)
    return dict(found)


def told(page: str) -> dict[str, str]:
    """Return the SHA-256 of what the programs of a page were compiled from, as it says itself."""
    return dict(re.findall(r"<tr><td>([^<]+)</td><td><code>(\w+)</code></td></tr>", page))


def sample() -> str:
    """Return the certificate that the docs print."""
    text = (ROOT / "docs" / "proofs.md").read_text(encoding="utf-8")
    found = re.search(r"```text file=printed\.proof\n(.*?)```", text, re.DOTALL)
    assert found is not None
    return found[1]


def read(*names: str) -> str:
    """Return some parts of the page; scripts share one line that says how they are read."""
    return "\n".join((PARTS / name).read_text(encoding="utf-8") for name in names)


def render(inside: dict[str, str]) -> str:
    """Return the page with some programs, packed."""
    style, script = read("page.css"), read(*SCRIPT)
    allowed = policy(f"<style>\n{style}</style><script>\n{script}</script>")
    allowed = allowed.replace("script-src", "worker-src blob:; script-src 'wasm-unsafe-eval'")
    parts = {
        "POLICY": allowed,
        "STYLE": style,
        "SOURCES": "".join(
            f"      <tr><td>{html.escape(name)}</td><td><code>{digest}</code></td></tr>\n"
            for name, digest in sources().items()
        ),
        "SAMPLE": sample(),
        "PROGRAMS": "".join(
            f'<script type="text/plain" id="{name}-wasm">{text}</script>\n' for name, text in inside.items()
        ),
        "WORKER": read(*WORKER),
        "SCRIPT": script,
    }
    return re.sub(r"%%(\w+)%%", lambda found: parts[found[1]], read("page.html"))


def made() -> str:
    """Return the page; its programs are compiled again if they are not of the sources as they are."""
    old = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    if told(old) == sources():
        return render(programs(old))
    return render({name: packed(compiled(name)) for name in PROGRAMS})


def main() -> None:
    """Write the page."""
    write_whole(PAGE, made().encode())
    print(f"{PAGE.relative_to(ROOT)}: {PAGE.stat().st_size} bytes")


if __name__ == "__main__":
    main()
