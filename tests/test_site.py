"""The site: every public name stands in the reference, every page in a group, and a broken link is seen."""

import re
import subprocess
import sys
from inspect import getmembers, isfunction
from pathlib import Path

import pytest

import guesstree

ROOT = Path(__file__).parent.parent


def build(source: Path, out: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "sphinx", "--no-color", "-q", "-W", "-c", str(ROOT / "docs"), *options]
    return subprocess.run([*command, str(source), str(out)], capture_output=True, text=True, timeout=120)


@pytest.mark.long
def test_the_reference_has_every_public_name_and_its_parameters(tmp_path: Path) -> None:
    alone = ("root_doc=reference", "include_patterns=reference.md", "suppress_warnings=myst.xref_missing")
    run = build(ROOT / "docs", tmp_path, *(word for setting in alone for word in ("-D", setting)))
    assert run.returncode == 0, run.stderr
    html = (tmp_path / "reference.html").read_text()
    public = set(guesstree.__all__) - {"__version__"}
    for name in sorted(public):
        methods = getmembers(getattr(guesstree, name), isfunction)
        public |= {f"{name}.{method}" for method, _ in methods if not method.startswith("_")}
    assert {name for name in public if f'id="guesstree.{name}"' not in html} == set()
    assert "<li><p><strong>time_limit</strong>: seconds" in html
    assert "<strong> " not in html, "a line that goes on is taken for another parameter"
    assert "----" not in html, "a section is left as it stands in the docstring"


def test_links_that_lead_nowhere_and_pages_in_no_group_fail(tmp_path: Path) -> None:
    wrong = {
        "first.md": "# First\n\n[a](none.md) [b](#none) ![c](none.svg) <a href='none.html'>d</a>\n",
        "second.md": "# Second\n\n[a](first.md#none) <img src='https://example.org/picture.png'>\n",
    }
    for name, text in wrong.items():
        (tmp_path / name).write_text(text)
    run = build(tmp_path, tmp_path / "out", "-D", "root_doc=first", "-D", "include_patterns=*.md")
    assert run.returncode == 1
    said = re.sub(r".*WARNING: ", "", run.stderr).splitlines()
    for fault in (
        "'myst' cross-reference target not found: 'none.md' [myst.xref_missing]",
        "'myst' cross-reference target not found: 'none' [myst.xref_missing]",
        "image file not readable: none.svg [image.not_readable]",
        "local id not found in doc 'first': 'none' [myst.xref_missing]",
        "document isn't included in any toctree [toc.not_included]",
        "first.html: none.html leads nowhere",
        "second.html: loads https://example.org/picture.png",
    ):
        assert fault in said, run.stderr
