"""Texts of paragraphs and tables in each format: nothing is lost, nothing is taken for markup."""

import io
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pypdf
import pytest

from guesstree.trees.export.paper import latex, markdown, page, pdf, text
from guesstree.trees.export.paper.blocks import Grid, Heading, Paper, Paragraph
from guesstree.trees.export.paper.write import write_paper
from guesstree.trees.tree import TreeError

ODD = r"50% of {a_b} & <i>x</i> ~ #1 $2 \foo * [y] | z"
LONG = " ".join(f"name{i}" for i in range(60))
PAPER = Paper(
    f"Title {ODD}",
    [
        Heading("A heading"),
        Paragraph(f"Some text, {ODD}.", "Lead."),
        Grid(
            ["label", "number", "which"], [["a", "1", LONG], ["b & c", "1,234", ODD], ["total", "", ""]], [2]
        ),
        Paragraph("The end."),
    ],
)


def test_lines_are_as_wide_as_is_said() -> None:
    for width in (40, 80, 100):
        lines = list(text.lines_of(PAPER, width))
        assert max(map(len, lines)) <= width
        assert " ".join(" ".join(lines).split()).count("name59") == 1
    assert max(map(len, text.lines_of(PAPER, 500))) <= text.WIDEST
    assert [line.rstrip() for line in lines] == lines


def test_numbers_stand_to_the_right() -> None:
    lines = list(text.lines_of(PAPER, 80))
    ones = [line.index("1 ") for line in lines if line.startswith("  a ")]
    thousands = [line.index("1,234") + 4 for line in lines if "1,234" in line]
    assert ones == thousands


def test_latex_has_no_sign_that_means_something() -> None:
    source = latex.draw(PAPER).decode()
    body = source.split(r"\begin{document}")[1]
    bare = re.sub(r"\\[\\{}%&#$_]", "", body)
    depth = 0
    for char in bare:
        depth += (char == "{") - (char == "}")
        assert depth >= 0
    assert depth == 0
    assert "%" not in bare
    assert "#" not in bare
    assert len(re.findall(r"\\begin\{", source)) == len(re.findall(r"\\end\{", source))
    for row in re.findall(r"(?m)^(?!\\textit)(.*) \\\\$", body):
        assert len(re.findall(r"(?<!\\)&", row)) == 2


def test_columns_of_latex_fit_the_page() -> None:
    """Columns whose cells fit stand as they are; the others share what is left of the width of the text."""
    source = latex.draw(
        Paper("T", [Grid(["a", "b", "c"], [["short", LONG, LONG], ["x", "1", "2"]], [0, 1, 2])])
    )
    (columns,) = re.findall(r"begin\{longtable\}\{@\{\}(.*)@\{\}\}", source.decode())
    widths = [float(width) for width in re.findall(r"p\{(.*?)\\textwidth\}", columns)]
    assert columns.startswith("l>")
    assert len(widths) == 2
    assert 0.8 < sum(widths) < 0.95
    narrow = latex.draw(Paper("T", [Grid(["a", "b"], [["short", "7"]], [0])])).decode()
    assert "{@{}lr@{}}" in narrow


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="there is no pdflatex")
def test_latex_compiles_and_nothing_is_too_wide(tmp_path: Path) -> None:
    write_paper(PAPER, tmp_path / "some.tex")
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "some.tex"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert "Overfull" not in done.stdout
    said = " ".join(page.extract_text() for page in pypdf.PdfReader(tmp_path / "some.pdf").pages)
    assert "name59" in said


def test_markdown_shows_signs_as_they_are() -> None:
    lines = markdown.draw(PAPER).decode().splitlines()
    assert lines[0].startswith("# Title 50% of \\{a\\_b\\}")
    rows = [line for line in lines if line.startswith("|")]
    assert all(len(re.findall(r"(?<!\\)\|", row)) == 4 for row in rows)
    assert rows[1] == "| --- | --: | --- |"
    assert "**Lead.** Some text" in "\n".join(lines)


def test_the_page_is_well_formed_and_stands_alone() -> None:
    source = page.draw(PAPER).decode()
    open_tags: list[str] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            assert tag not in ("script", "i")
            assert not any(name in ("src", "href") for name, _ in attrs)
            if tag != "meta":
                open_tags.append(tag)

        def handle_endtag(self, tag: str) -> None:
            assert open_tags.pop() == tag

    Reader().feed(source)
    assert not open_tags
    assert source == page.draw(PAPER).decode()


def test_a_long_text_has_numbered_pages() -> None:
    short = pypdf.PdfReader(io.BytesIO(pdf.draw(PAPER)))
    assert len(short.pages) == 1
    assert short.metadata is not None
    assert short.metadata.title == PAPER.title
    many = Paper("Long", [Paragraph(f"Paragraph {i}. {LONG}") for i in range(40)])
    pages = pypdf.PdfReader(io.BytesIO(pdf.draw(many))).pages
    assert len(pages) > 2
    said = " ".join(one.extract_text() for one in pages)
    assert [int(n) for n in re.findall(r"Paragraph (\d+)\.", said)] == list(range(40))
    assert f"1 / {len(pages)}" in said
    left, bottom, right, top = map(float, pages[0].mediabox)
    assert (right - left, top - bottom) == pytest.approx((595.28, 841.89), abs=1)


def test_another_ending_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TreeError, match=r"use a name that ends in \.txt, \.md, \.tex, \.pdf, \.html"):
        write_paper(PAPER, tmp_path / "text.doc")
    write_paper(PAPER, tmp_path / "text.txt")
    assert (tmp_path / "text.txt").read_bytes() == text.draw(PAPER)
