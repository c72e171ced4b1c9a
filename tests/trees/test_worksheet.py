"""A worksheet: the boxes are empty, and the next page has what belongs there, at the same places."""

import io
import unicodedata
from pathlib import Path

import pypdf
import pytest
from click.testing import CliRunner

import guesstree
from guesstree.cli.render import command
from guesstree.trees.export.chart.worksheet import draw
from guesstree.trees.tree import TreeError

pytest.importorskip("pygraphviz")
LAMP = {
    "lamp in the next room": {"bulb": "on", "fuse": "on", "mains": "off"},
    "swap the bulb": {"bulb": "works", "fuse": "dark", "mains": "dark"},
}


def pages(data: bytes) -> list[str]:
    """Return the words of each page."""
    read = pypdf.PdfReader(io.BytesIO(data)).pages
    return [" ".join(unicodedata.normalize("NFKC", page.extract_text()).split()) for page in read]


def solved() -> guesstree.Strategy:
    return guesstree.solve(guesstree.table(LAMP, name="lamp"), "worst", first="swap the bulb").strategy


def test_the_sheet_names_what_is_to_be_filled_in_and_the_next_page_says_where() -> None:
    strategy = solved()
    data = draw(strategy.game, strategy, title="The lamp is dark")
    empty, solution = pages(data)
    listed = "Tests: lamp in the next room, swap the bulb Causes: bulb, fuse, mains"
    assert empty == f"The lamp is dark {listed}"
    assert solution.startswith("Solution: The lamp is dark 3 causes") and "no order" in solution
    for word in ("works", "dark", "on", "off", "bulb", "fuse", "mains"):
        assert word in solution.split()
    assert not {"works", "on", "off"} & set(empty.split())
    sizes = {tuple(page.mediabox) for page in pypdf.PdfReader(io.BytesIO(data)).pages}
    assert len(sizes) == 1 and data == draw(strategy.game, strategy, title="The lamp is dark")


def test_the_first_steps_may_be_given() -> None:
    strategy = solved()
    empty, _ = pages(draw(strategy.game, strategy, given=1))
    rest = empty.partition("mains")[2].split()
    assert sorted(rest) == ["bulb", "dark", "swap", "the", "works"]
    both, _ = pages(draw(strategy.game, strategy, given=2))
    assert {"on", "off"} <= set(both.split()) and both.count("mains") == 1


def test_nothing_makes_room_visibly() -> None:
    assert not any("_" in page for page in pages(draw(solved().game, solved())))


def test_it_is_asked_for_as_a_style(tmp_path: Path) -> None:
    solved().write(tmp_path / "tree.json")
    source, target = str(tmp_path / "tree.json"), str(tmp_path / "sheet.pdf")
    run = CliRunner().invoke(command, [source, target, "--worksheet", "--given", "1", "--paper", "letter"])
    assert run.exit_code == 0 and len(pages(Path(target).read_bytes())) == 2
    run = CliRunner().invoke(command, [source, str(tmp_path / "sheet.svg"), "--worksheet"])
    assert "use a name that ends in .pdf" in str(run.exception)
    run = CliRunner().invoke(command, [source, target, "--flowchart", "--given", "1"])
    assert "given; with one" in str(run.exception) or "use it with worksheet" in str(run.exception)


def test_what_does_not_fit_on_a_page_is_refused() -> None:
    strategy = guesstree.solve("mastermind:4x4", method="parts").strategy
    with pytest.raises(TreeError, match="does not fit on one page in text of 7 points"):
        draw(strategy.game, strategy)
