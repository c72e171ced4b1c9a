"""Flow charts: what they say, where it stands on the pages, and what is refused."""

import io
import random
import re
import unicodedata
from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np
import pypdf
import pytest
from click.testing import CliRunner
from numpy.typing import NDArray

import guesstree
from guesstree.cli.render import command
from guesstree.engine.game import Game
from guesstree.engine.registry import parse
from guesstree.engine.tables.table import TableGame
from guesstree.trees.export.chart import pages
from guesstree.trees.export.chart.boxes import Words, wording
from guesstree.trees.export.chart.pages import MARGIN, Plan, draw, plan_pages
from guesstree.trees.export.chart.picture import dot, forms_of, heading, svg
from guesstree.trees.export.chart.places import Area, Spread
from guesstree.trees.export.formats import PAPERS, STYLES
from guesstree.trees.export.labels import letters, text_width
from guesstree.trees.export.text import short_lines
from guesstree.trees.export.wrap import BOLD, Block, block, wrap
from guesstree.trees.outline import outline
from guesstree.trees.tree import Tree, TreeError, build

LONG = (
    "measure the pressure of the fuel at the rail while an assistant cranks the engine for ten seconds " * 3
)
HOSTILE = [
    LONG.strip(),
    "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft" * 2,
    "x" * 200,
    "<b>&amp; \\N \\G</b>",
    '"quoted" | a/b',
    "二つの特徴があるかどうかを調べる、それから次へ進む。" * 3,
    "ضغط الوقود منخفض جدا في الصباح الباكر",
    "one\ntwo\nthree",
    "",
    "\u0301\u200d\u202e",
]


def played(game: Game) -> Tree:
    """A strategy that is quickly made: the guess whose largest part is smallest."""

    def smallest(candidates: NDArray[np.int64]) -> int:
        counts = [np.bincount(row).max() for row in game.table()[:, candidates]]
        return int(np.argmin(counts))

    return build(game, "identify", smallest)


def words_of_table(causes: int, tests: int, answers: int, seed: int = 1, **more: object) -> Words:
    rng = random.Random(seed)
    names = [f"cause {i} of several words"[: 9 + i % 19].strip() for i in range(causes)]
    questions = [f"test {i}: what is seen when the {'cover ' * (i % 4)}is lifted?" for i in range(tests)]
    cells = [[f"answer {rng.randrange(answers)}" for _ in names] for _ in questions]
    game = TableGame("table:big.csv", questions, names, cells, **more)  # type: ignore[arg-type]
    return wording(outline(game, played(game)))


CASES = {
    "few": words_of_table(6, 16, 2, prices=[3] * 16),
    "wide": words_of_table(45, 4, 44, seed=2),
    "some": words_of_table(40, 20, 3, weights=[1 + i % 7 for i in range(40)]),
    "many": words_of_table(120, 20, 3),
    "win": wording(
        outline(game := parse("mastermind:3x4"), build(game, "win", lambda candidates: int(candidates[0])))
    ),
}


@cache
def planned(case: str, paper: str) -> Plan:
    """The pages of a case, which are planned once for all tests."""
    return plan_pages(CASES[case], paper)


def areas(plan: Plan) -> list[list[tuple[float, float, float, float]]]:
    """The rectangles of all boxes, answers and headings, page by page, in points."""
    found = []
    for page in plan.pages:
        some = []
        for part in page.parts:
            below = part.top + part.above * page.zoom

            def on_page(
                area: Area, left: float, top: float, zoom: float
            ) -> tuple[float, float, float, float]:
                x, y = left + area.left * zoom, top + area.top * zoom
                return x, y, x + area.width * zoom, y + area.height * zoom

            for placed in part.spread.placed:
                both = [area for area in (placed.box, placed.answer) if area is not None]
                some += [on_page(area, part.left, below, page.zoom) for area in both]
            if part.above:
                some.append((part.left, part.top, part.left + 1, below))
        found.append(some)
    return found


@pytest.mark.parametrize(
    ("case", "paper"),
    [
        pytest.param(case, paper, marks=[pytest.mark.long] * (case == "many" and paper != "a4"))
        for case in CASES
        for paper in PAPERS
    ],
)
def test_nothing_overlaps_or_leaves_the_page_and_each_step_is_drawn_once(case: str, paper: str) -> None:
    words, plan = CASES[case], planned(case, paper)
    assert sorted(plan.size) == sorted(PAPERS[paper])
    for some in areas(plan):
        for left, top, right, bottom in some:
            assert left >= MARGIN - 0.01 and right <= plan.size[0] - MARGIN + 0.01
            assert top >= MARGIN - 0.01 and bottom <= plan.size[1] - MARGIN + 0.01
        for a, b in combinations(some, 2):
            assert a[0] >= b[2] - 0.01 or b[0] >= a[2] - 0.01 or a[1] >= b[3] - 0.01 or b[1] >= a[3] - 0.01
    pieces = [part.piece for page in plan.pages for part in page.parts]
    drawn = [s for piece in pieces for s, stub in zip(piece.box, piece.stub, strict=True) if not stub]
    assert sorted(drawn) == list(range(len(words.outline.steps)))
    gone = [s for piece in pieces for s, stub in zip(piece.box[1:], piece.stub[1:], strict=True) if stub]
    assert sorted(gone) == sorted(piece.box[0] for piece in pieces if piece.box[0] and not piece.stub[0])


def test_pages_are_filled() -> None:
    for case, most in {"few": 1, "some": 3, "many": 8}.items():
        plan = planned(case, "a4")
        assert len(plan.pages) <= most, case
        for some in areas(plan)[: max(1, len(plan.pages) - 2)]:
            wide = max(right for _, _, right, _ in some) - min(left for left, *_ in some)
            high = max(bottom for *_, bottom in some) - min(top for _, top, *_ in some)
            assert wide * high > 0.5 * plan.size[0] * plan.size[1], case
        boxes = [len(some) for some in areas(plan)]
        assert 2 * min(boxes) >= max(boxes), f"{case}: no sheet is left for what is over"


@pytest.mark.long
def test_text_is_no_smaller_than_can_be_read() -> None:
    for case in ("few", "wide", "win"):
        assert all(page.zoom >= 0.85 for page in planned(case, "a4").pages)
    for case in ("some", "many"):
        with pytest.raises(TreeError, match=r"does not fit on 1 page in text of 7 points.* takes \d+ pages$"):
            plan_pages(CASES[case], most=1)
    assert len(planned("some", "a4").pages) == 3
    plan = plan_pages(CASES["some"], most=2)
    assert len(plan.pages) == 2 and all(page.zoom >= 7 / 9 for page in plan.pages)
    with pytest.raises(TreeError, match="unknown paper 'a5'"):
        plan_pages(CASES["few"], "a5")
    with pytest.raises(TreeError, match="pages 0"):
        plan_pages(CASES["few"], most=0)


def sizes_of(pdf: bytes) -> set[float]:
    """Return the sizes in points of all text of a PDF."""
    found = set[float]()

    def visit(text: str, now: list[float], matrix: list[float], _: object, size: float) -> None:
        if text.strip():
            found.add(abs(size * matrix[3] * now[3]))

    for page in pypdf.PdfReader(io.BytesIO(pdf)).pages:
        page.extract_text(visitor_text=visit)
    return found


def test_the_letters_on_paper_have_seven_points(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pygraphviz")
    words = words_of_table(16, 8, 3, seed=3)
    game, strategy = words.outline.game, words.outline.strategy
    monkeypatch.setattr(pages, "LEGIBLE", pages.SMALLEST)
    monkeypatch.setattr(pages, "LARGEST", pages.SMALLEST)
    least = min(sizes_of(draw(game, strategy)))
    assert round(least, 1) == 7, "what is just allowed; Graphviz makes whole points of all sizes"


@pytest.mark.long
def test_a_long_text_has_a_wide_box_rather_than_small_letters() -> None:
    def told(many: int) -> Plan:
        names = [f"{'alpha beta gamma ' * many}{i}" for i in range(4)]
        cells = [[str(i >> bit & 1) for i in range(4)] for bit in range(2)]
        game = TableGame("table:long.csv", ["first", "second"], names, cells)
        return plan_pages(wording(outline(game, played(game))))

    for many in (1, 20, 60, 130):
        assert all(page.zoom >= 7 / 9 for page in told(many).pages), many
    with pytest.raises(TreeError, match=r"a box of \d+ letters has no room on a page in text of 7 points"):
        told(400)


def squeezed(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).split())


def test_no_label_is_cut() -> None:
    pytest.importorskip("pygraphviz")
    count = len(HOSTILE)
    cells = [[HOSTILE[(s + g) % count] if s > g else "no" for s in range(count)] for g in range(count - 1)]
    game = TableGame("table:<&>.csv", [f"{label}?" for label in HOSTILE[:-1]], HOSTILE, cells)
    strategy = played(game)
    picture = svg(game, strategy).decode()
    assert "\ufffd" not in picture
    pdf = pypdf.PdfReader(io.BytesIO(draw(game, strategy)))
    text = squeezed("".join(page.extract_text() for page in pdf.pages))
    shown = {label for step in outline(game, strategy).steps for label in (step.question, *step.names)}
    for label in shown:
        if label.isascii() and label:
            assert squeezed(label) in text, label
    # Of the other scripts a machine may have no font; what is to be written is there.
    source = dot(game, strategy).decode()
    for label in (HOSTILE[5], HOSTILE[6]):
        for line in wrap(label, 90.0, 10.0):
            assert all(word in source for word in line.split())


def test_notes_on_tests_stand_below_them_and_long_ones_end_after_a_word(tmp_path: Path) -> None:
    pytest.importorskip("pygraphviz")
    long = "from August on " * 20
    file = tmp_path / "noted.csv"
    file.write_text(
        f"test,oak,ash,holly,notes\nleaf,simple,compound,simple,take a whole leaf\n"
        f"thorns?,no,no,yes,{long.strip()}\n"
    )
    game = parse(f"table:{file}")
    words = wording(outline(game, guesstree.solve(game).strategy))
    said = {step.question: notes[-1] for step, notes in zip(words.outline.steps, words.notes, strict=True)}
    assert said["leaf"] == "take a whole leaf" and len(said["thorns?"]) <= 162
    assert said["thorns?"].endswith((" August …", " on …", " from …")) and said[""] == ""
    assert "take a whole leaf" in dot(game, guesstree.solve(game).strategy).decode()
    assert "Percent" not in words.legend, "a note is no share"


def test_the_words_are_those_of_the_table() -> None:
    pytest.importorskip("pygraphviz")
    table = {
        "lamp in the next room": {"bulb": "on", "fuse": "on", "mains": "off"},
        "swap the bulb": {"bulb": "works", "fuse": "dark", "mains": "dark"},
    }
    game = guesstree.table(table, weights=[5, 3, 2], costs={"lamp in the next room": 1, "swap the bulb": 4})
    solution = guesstree.solve(game)
    page = pypdf.PdfReader(io.BytesIO(draw(game, solution.strategy))).pages[0]
    text = " ".join(unicodedata.normalize("NFKC", page.extract_text()).split())
    assert "which cause?" in text
    assert (
        "3 causes · cost 4.2 on average, at most 5 · at most 2 tests · proven: no order costs less on average"
        in text
    )
    for said in ("swap the bulb cost 4", "bulb 50 %", "fuse 30 %", "mains 20 %", "works", "off"):
        assert said in text
    assert "secret" not in text and "guess" not in text
    titled = draw(game, solution.strategy, title="The lamp is dark", paper="letter")
    page = pypdf.PdfReader(io.BytesIO(titled)).pages[0]
    assert "The lamp is dark" in page.extract_text()
    assert sorted(map(float, page.mediabox[2:])) == pytest.approx([612, 792], abs=1)
    assert titled == draw(game, solution.strategy, title="The lamp is dark", paper="letter")


def test_parts_are_joined_by_names_links_and_bookmarks() -> None:
    pytest.importorskip("pygraphviz")
    found = CASES["win"].outline
    reader = pypdf.PdfReader(io.BytesIO(draw(found.game, found.strategy)))
    text = [page.extract_text().replace("\xa0", " ") for page in reader.pages]
    assert len(text) > 1 and all(f"page {n} of {len(text)}" in page for n, page in enumerate(text, 1))
    everything = " ".join(" ".join(text).split())
    goes, comes = everything.count("go to "), everything.count(" from ")
    assert goes == comes >= everything.count("go to page") > 0
    links = [note for page in reader.pages for note in page.get("/Annots", ())]
    assert len(links) == goes + comes
    assert reader.outline[0].title == "Mastermind 3x4: which secret?"  # type: ignore[union-attr]


@pytest.mark.parametrize("case", ["some", "many"])
def test_a_letter_names_one_part_of_all_pages(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pygraphviz")
    found = CASES[case].outline
    monkeypatch.setattr(pages, "plan_pages", lambda *_: planned(case, "a4"))
    reader = pypdf.PdfReader(io.BytesIO(draw(found.game, found.strategy)))
    text = [" ".join(page.extract_text().replace("\xa0", " ").split()) for page in reader.pages]
    home = [(name, n) for n, page in enumerate(text, 1) for name in re.findall("([A-Z]+) from ", page)]
    assert [name for name, _ in home] == [letters(i).upper() for i in range(len(home))], "each once, in order"
    assert len(home) > len(text) - 1, "and also on the pages with one part alone"
    for n, page in enumerate(text, 1):
        goes = re.findall(r"go to (?:page (\d+), )?([A-Z]+)", page)
        assert all(dict(home)[name] == int(number or n) for number, name in goes)


def test_letters_follow_each_other_down_a_page_and_its_columns() -> None:
    for page in plan_pages(words_of_table(60, 14, 3)).pages:
        spots = [(part.left, part.top) for part in page.parts]
        assert spots == sorted(spots)


def test_what_costs_more_than_the_budget_is_dashed() -> None:
    game = guesstree.table(
        {"q": {"a": "1", "b": "2", "c": "2"}, "r": {"a": "1", "b": "1", "c": "2"}}, costs={"q": 2, "r": 3}
    )
    strategy = guesstree.solve(game, "win-probability", budget=2).strategy
    words = wording(outline(game, strategy))
    assert len(words.dashed) == 2 and "Dashed: over the budget." in words.legend
    assert "33.3 % within cost 2" in words.figures.replace("\xa0", " ")


def test_how_many_were_merged_is_no_share() -> None:
    rows = {"q": {"a": "1", "b": "1", "c": "2", "d": "2"}, "r": {"a": "1", "b": "1", "c": "1", "d": "2"}}
    for weights, shared in ((None, False), ({"a": 1, "b": 1, "c": 2, "d": 2}, True)):
        game = guesstree.table(rows, merge=True, weights=weights, costs={"q": 2, "r": 3})
        found = outline(game, guesstree.solve(game).strategy)
        assert any(wording(found).shares) == shared
        assert any("%)" in line for line in short_lines(game, found.strategy, 24)) == shared


def test_where_responses_may_be_false_each_way_is_drawn() -> None:
    solution = guesstree.solve("mastermind:2x2", "worst", lies=1)
    words = wording(outline(solution.game, solution.strategy))
    assert "1 answer may be false" in words.figures.replace("\xa0", " ")
    assert set(words.shares) == {""}
    assert len(plan_pages(words).pages) == 1


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("room", [25.0, 90.0, 400.0])
def test_lines_hold_all_of_a_text_and_fit(text: str, room: float) -> None:
    lines = wrap(text, room, 10.0)
    # A word that no line holds is broken with a hyphen.
    assert squeezed("".join(lines)).replace("-", "") == squeezed(text.replace("\n", " "))
    for line in lines:
        assert text_width(line, 10.0) <= room or len(line) < 5, line
    made = block(text, room, 10.0)
    assert made.height == pytest.approx(12 * len(lines)) and made.html(1.0).count("<BR") == len(lines)


def test_lines_break_between_words() -> None:
    assert wrap("measure the fuel pressure", 90.0, 10.0) == ("measure the", "fuel pressure")
    assert wrap("two\u00a0words 3.5", 65.0, 10.0) == ("two\u00a0words", "3.5")
    assert wrap("e\u0301" * 9, 30.0, 10.0)[0][-1] == "\u0301"


def test_the_command_draws_and_refuses_in_one_line(tmp_path: Path) -> None:
    pytest.importorskip("pygraphviz")
    solution = guesstree.solve("mastermind:2x3")
    solution.strategy.write(tmp_path / "tree.json")
    source = str(tmp_path / "tree.json")
    for ending in STYLES["flowchart"]:
        target = str(tmp_path / f"chart{ending}")
        run = CliRunner().invoke(command, [source, target, "--flowchart", "--title", "Two pegs"])
        assert run.output == f"wrote {target}\n" and Path(target).stat().st_size > 500
    for words, message in {
        ("chart.svg", "--flowchart", "--pages", "2"): r"'chart.svg' takes no pages; with one, use \.pdf",
        ("chart.pdf", "--paper", "a4"): "paper means nothing to the style tree; use it with flowchart",
        ("chart.html", "--flowchart"): r"use a name that ends in \.pdf, \.svg, \.png, \.dot$",
        ("chart.txt",): r"'chart.txt' is of the style key; for a tree use a name that ends in \.pdf,",
        ("chart.pdf", "--flowchart", "--paper", "a5"): "unknown paper 'a5'",
        ("chart.pdf", "--flowchart", "--title", "x" * 301): "title of 301 characters; expected at most 300",
        ("chart.pdf", "--flowchart", "--list"): "--flowchart and --list: use one of them",
    }.items():
        with pytest.raises(guesstree.GuesstreeError, match=message):
            CliRunner().invoke(command, [source, *words], standalone_mode=False, catch_exceptions=False)


WORDS = "Kraftstoffpumpenrelais durchgebrannt Zündverteilerkappe Sicherungskastenabdeckung Öl Wärmetauscher"
LONG_WORD = "Hochspannungszündkabelverbindungsklemme"
"""As wide as a box may get for a word."""


def drawn_words(made: Spread) -> set[str]:
    """Return the words of all boxes and answers of a flow chart, and of its title."""
    some = [*made.chart.full, *made.chart.answers, *(one.what for one in heading(made.chart.words, 600))]
    lines = [line for one in some if isinstance(one, Block) for line in one.lines]
    return {word for line in lines for run in line for word in run.text.split()}


@pytest.mark.parametrize("first", range(1, len(LONG_WORD) + 3, 3))
def test_no_word_that_fits_the_widest_box_is_broken(first: int) -> None:
    # Words of many lengths, which end with a letter that a line of others just has no room for.
    some = [f"{LONG_WORD[: first + i]} {word}" for i, word in enumerate(WORDS.split())]
    cells = [[f"{LONG_WORD[: first + i]}er" if s == i else "heil" for s in range(6)] for i in range(5)]
    asks = [f"{name}?" for name in some[:5]]
    game = TableGame("table:a.csv", asks, some, cells, weights=[30, 1, 2, 3, 4, 5])
    words = wording(outline(game, played(game)), title=some[0])
    labels = {label for step in words.outline.steps for label in (step.question, *step.names)}
    labels |= {answer for step in words.outline.steps for one in step.branches for answer in one.answers}
    for made in forms_of(words):
        assert {word for label in labels for word in label.split()} <= drawn_words(made)


def test_a_word_too_long_for_any_box_is_broken_after_a_syllable() -> None:
    assert wrap("Kraftstoffpumpengeräusch", 100.0, 10.0) == ("Kraftstoffpumpen-", "geräusch")
    assert wrap("durchgebrannt", text_width("durchgebrannt", 11.4), 10.0, bold=True) == ("durchgebrannt",)
    width = BOLD * text_width("durchgebrannt", 10.0)
    assert wrap("durchgebrannt", width, 10.0, bold=True) == ("durchgebrannt",)
    assert wrap("x" * 20, 60.0, 10.0) == ("x" * 10, "x" * 10)
