"""Every command of the README and the docs runs as it stands, and prints and draws what is shown."""

import json
import re
from pathlib import Path

import pictures
import pytest
from outputs import BLOCK, DOCS, PAGES, ROOT, commands, made, renewed, updated


def test_only_seconds_may_differ_from_what_is_shown() -> None:
    title = "  method  total  seconds  histogram"
    shown = ["a: total 5", title, "  parts       5    0.013  1-2", "  7 states, 0.10 s"]
    slower = ["a: total 5", title, "  parts       5   11.002  1-2", "  7 states, 2.34 s"]
    assert updated(shown, slower) == shown
    assert updated([shown[0], "..."], slower) == [shown[0], "..."]
    for old, new in [("5", "6"), ("1-2", "1-3"), ("7 states", "8 states"), ("parts", "part")]:
        changed = [line.replace(old, new) for line in slower]
        assert updated(shown, changed) == [
            a if old not in a else b for a, b in zip(shown, changed, strict=True)
        ]
    assert updated(["b", "..."], slower) == [slower[0], "..."]
    assert updated(shown[:1], slower) == [shown[0], *slower[1:]]
    assert updated(shown, slower[:-1]) == shown[:-1]
    with pytest.raises(ValueError, match="stands for the last lines alone"):
        updated(["...", "b"], slower)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_show_what_commands_and_code_print(page: Path, tmp_path: Path) -> None:
    """`make outputs` writes them anew. Commands run in this process, as a process for each takes longer."""
    text = page.read_text()
    assert made(page, text) == text
    assert renewed(text, tmp_path) == text


def test_commands_beside_the_first_pictures_are_those_of_a_page_that_runs() -> None:
    runs = {"guesstree serve mastermind:4x6"}  # it does not end by itself; scripts/pictures.py runs it
    for page in (PAGES[0], pictures.GALLERY):
        for language, _, body in BLOCK.findall(page.read_text()):
            if language == "console":
                runs |= {" ".join(words) for words, _ in commands(body, language)}
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


def test_every_file_that_a_page_names_is_there() -> None:
    named = re.compile(
        r"`(?:python )?((?:scripts|tests|engine|trees|cext|verify|guesstree|docs)/[\w./-]+\.\w+)"
    )
    pages = [*PAGES, *(ROOT / name for name in ("CONTRIBUTING.md", "CHANGELOG.md"))]
    texts = {page.name: " ".join(page.read_text().split()) for page in pages}
    found = [(name, path) for name, text in texts.items() for path in named.findall(text)]
    assert len(found) > 50
    assert [one for one in found if "LANGUAGE" not in one[1] and not (ROOT / one[1]).exists()] == []


@pytest.mark.parametrize("path", sorted((DOCS / "notebooks").glob("*.ipynb")), ids=lambda path: path.name)
def test_notebooks_run_and_keep_no_outputs(path: Path) -> None:
    pytest.importorskip("sklearn")
    notebook = json.loads(path.read_text(encoding="utf-8"))
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert notebook["nbformat"] == 4 and cells
    assert len({cell["id"] for cell in notebook["cells"]}) == len(notebook["cells"])
    assert any(path.name in page.read_text() for page in PAGES)
    names: dict[str, object] = {}
    for cell in cells:
        assert cell["outputs"] == [] and cell["execution_count"] is None
        exec("".join(cell["source"]), names)
