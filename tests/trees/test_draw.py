import hashlib
import io
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pypdf
import pytest

import guesstree
from guesstree.engine.game import Game
from guesstree.engine.registry import parse
from guesstree.engine.tables.table import TableGame
from guesstree.trees import shape
from guesstree.trees.export import dag, dot
from guesstree.trees.export.boxes import fold
from guesstree.trees.export.colours import PALETTE, ink, luminance
from guesstree.trees.export.formats import render
from guesstree.trees.export.labels import percent
from guesstree.trees.export.nx import to_networkx
from guesstree.trees.figures import summarise
from guesstree.trees.tree import Claims, Tree, TreeError, build

Draw = Callable[..., bytes]
NASTY = ["<b>", "a & b", '"quoted" \\N', "two\nlines", "]]>\x00\x07", "", "漢字", "\ud800"]


def first_candidate(spec: str, goal: str = "win", claims: Claims | None = None) -> tuple[Game, Tree]:
    game = parse(spec)
    return game, build(game, goal, lambda candidates: int(candidates[0]), claims)


def texts(svg: bytes) -> str:
    return "".join(text + "\n" for text in ElementTree.fromstring(svg).itertext())


@pytest.fixture
def drawn(tmp_path: Path) -> Iterator[Draw]:
    """Draw in the process, whatever is installed on the machine, and return the file's bytes."""
    pytest.importorskip("pygraphviz")

    def make(game: Game, strategy: Tree, name: str, depth: int | None = None) -> bytes:
        render(game, strategy, tmp_path / name, depth=depth)
        return (tmp_path / name).read_bytes()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shutil, "which", lambda _: None)
        yield make


def test_svg_shows_every_secret_the_responses_and_the_figures(drawn: Draw) -> None:
    game, strategy = first_candidate("mastermind:2x3", claims=Claims("expected", "first", (20,), (20,)))
    found = texts(drawn(game, strategy, "tree.svg"))
    figures = summarise(strategy.guesses_needed())
    for text in (
        "Mastermind 2x3\n",
        "goal: win · objective: expected · method: first · mastermind:2x3",
        f"9 secrets · total {figures.total} · average {float(figures.average):.4f}",
        "proven: no strategy needs fewer guesses on average",
        "●",
        "○○",
    ):
        assert text in found
    # Leaves below the root's children are listed as codes.
    rows = [n for n in range(len(strategy)) if strategy.depth[n] > 1 and not strategy.children(n)]
    assert rows and all(game.guesses[int(strategy.guess[n])] + "\n" in found for n in rows)


WEIGHED = TableGame(
    "table:weighed",
    ["hot?", "loud?", "far?"],
    ["sun", "fan", "moon", "mars"],
    [["yes", "no", "no", "no"], ["no", "yes", "no", "no"], ["no", "no", "no", "yes"]],
    weights=[600, 300, 99, 1],
)
PRICED = TableGame(
    "table:priced", WEIGHED.guesses, WEIGHED.secrets, WEIGHED.table().astype(str).tolist(), prices=[2, 5, 0]
)


def test_weights_show_as_shares_of_every_node(drawn: Draw) -> None:
    strategy = build(WEIGHED, "identify", lambda candidates: int(candidates[0]))
    found = texts(drawn(WEIGHED, strategy, "tree.svg"))
    for text in (
        "Weighed\n",
        "goal: identify · table:weighed",
        "4 causes · weight 1000 · average tests 1.5000 · worst 3",
        "4 causes, 100 %",
        "1 cause, 60 %",
        "3 causes, 40 %",
        "2 causes, 10 %",
        "9.9 %",
        "0.1 %",
        "Percent: share of the weight.",
    ):
        assert text in found
    folded = texts(drawn(WEIGHED, strategy, "tree.svg", depth=1))
    assert "4 causes, 100 %" in folded and "\nat most 2 more" in folded


def test_the_heading_says_what_is_paid(drawn: Draw) -> None:
    strategy = build(PRICED, "identify", lambda candidates: int(candidates[0]))
    found = texts(drawn(PRICED, strategy, "tree.svg"))
    assert "4 causes · weight 4 · average cost 5.7500 · worst 7 · at most 3 tests" in found
    assert "%" not in found, "all weigh the same"
    assert [text for text in found.splitlines() if text.startswith("cost")] == ["cost 2", "cost 5", "cost 0"]
    within = strategy.with_claims(Claims("win-probability", parameters={"budget": 6}))
    picture = drawn(PRICED, within, "tree.svg")
    found = texts(picture)
    assert "4 causes · wins 25 % within a budget of 6 · weight 4" in found
    assert "Grey: costs more than the budget." in found
    assert picture.count(b'fill="#d9d9d9"') == 3, "fan, moon and mars"
    ample = strategy.with_claims(Claims("win-probability", parameters={"budget": 7}))
    assert "Grey" not in texts(drawn(PRICED, ample, "tree.svg"))


def test_a_cause_with_empty_cells_is_drawn_as_one(drawn: Draw) -> None:
    rows = {
        "leaf": {"beech": "simple", "birch": "simple", "rowan": "compound", "holly": "simple"},
        "edge": {"beech": "smooth", "birch": "toothed", "rowan": "toothed", "holly": None},
        "fruit": {"beech": "nut", "birch": "winged", "rowan": "berry", "holly": "berry"},
        "thorns": {"beech": "no", "birch": "no", "rowan": "no", "holly": "yes"},
    }
    # Asked first, the edge leaves the holly at two places of the key.
    solved = guesstree.solve(guesstree.table(rows, missing="any"), "worst", first="edge")
    found = texts(drawn(solved.game, solved.strategy, "tree.svg")).splitlines()
    assert "4 causes · weight 4 · average cost 2.3750 · worst 3 · at most 3 tests" in found
    found.remove("proven: no order within these limits needs fewer tests in the worst case")
    assert any("at most:" in text and text.endswith("3: 2") for text in found)
    assert [text for text in found if text.endswith("causes")] == [f"{n} causes" for n in (4, 2, 3, 2)]
    assert not any("%" in text for text in found)
    assert found.count("holly") == 2
    assert not any("it is" in text or "case" in text or text.startswith("cost") for text in found)


def test_answers_with_the_same_end_are_one_row(drawn: Draw) -> None:
    game = guesstree.table(
        {
            "place": {"a": "in", "b": "in", "c": "out", "d": "up"},
            "colour": {"a": "red", "b": None, "c": "blue", "d": "green"},
            "size": {"a": "1", "b": "2", "c": "1", "d": "1"},
        },
        missing="any",
        costs={"place": 1, "colour": 5, "size": 50},
        weights={"a": 3, "b": 3, "c": 3, "d": 1},
    )
    strategy = guesstree.solve(game).strategy
    assert "blue or green\n" in texts(drawn(game, strategy, "tree.svg"))
    assert strategy.text().splitlines()[5:] == [
        "place  (cost 1, 4 causes, 100 %)",
        "├─ in  colour  (cost 5, 2 causes, 60 %)",
        "│  ├─ red  size  (cost 50, 2 causes, 40 %)",
        "│  │  ├─ 1  a  (30 %)",
        "│  │  └─ 2  b  (10 %)",
        "│  └─ blue or green  b  (20 %)",
        "├─ out  c  (30 %)",
        "└─ up  d  (10 %)",
    ]


@pytest.mark.parametrize(
    ("spec", "goal", "drawing"),
    [
        ("mastermind:2x3", "win", "0252649cc4cd7164"),
        ("blackpeg:2x4", "win", "8e7e114a1d459da8"),
        ("bulls:3x5", "identify", "dd85eb40150083b1"),
    ],
)
def test_codes_are_drawn_as_ever(spec: str, goal: str, drawing: str) -> None:
    assert hashlib.sha256(dot.draw(*first_candidate(spec, goal))).hexdigest()[:16] == drawing


@pytest.mark.parametrize(("part", "text"), [(1, "0.1 %"), (999, "99.9 %"), (1000, "100 %"), (333, "33.3 %")])
def test_percents_have_three_digits(part: int, text: str) -> None:
    assert percent(part, 1000) == text


def test_the_least_percents_are_not_rounded_to_nothing() -> None:
    assert percent(1, 1 << 60) == percent(1, 1001) == "< 0.1 %"


def test_bounds_that_differ_are_stated(drawn: Draw) -> None:
    game, strategy = first_candidate("mastermind:2x2", claims=Claims(lower=(3, 7), upper=(3, 9)))
    assert "optimum at least 3, 7, at most 3, 9" in texts(drawn(game, strategy, "tree.svg"))


def test_depth_folds_what_is_below_into_a_note(drawn: Draw) -> None:
    game, strategy = first_candidate("mastermind:3x3")
    found = texts(drawn(game, strategy, "tree.svg", depth=1))
    worst = summarise(strategy.guesses_needed()).worst
    assert f"27 secrets, at most {worst - 1} more" in found
    assert "guess 2" not in found


@pytest.mark.parametrize("spec", ["bulls:3x4", "blackpeg:2x35", "mastermind:2x35"])
def test_every_family_and_every_symbol_is_drawn(drawn: Draw, spec: str) -> None:
    game, strategy = first_candidate(spec, "identify")
    assert drawn(game, strategy, "tree.svg", depth=2).startswith(b"<?xml")


def test_hostile_labels_come_out_as_they_are(drawn: Draw) -> None:
    cells = [[NASTY[s] if s == g else "no" for s in range(8)] for g in range(8)]
    game = TableGame("table:<&>.csv", NASTY, NASTY, cells)
    strategy = build(game, "identify", lambda candidates: int(candidates[0]))
    found = texts(drawn(game, strategy, "tree.svg"))
    for text in ("<b>", "a & b", '"quoted" \\N', "two", "lines", "]]>\ufffd\ufffd", "␣", "漢字"):
        assert text + "\n" in found


def test_pdf_of_a_small_tree_is_one_page_of_a4(drawn: Draw) -> None:
    game, strategy = first_candidate("mastermind:3x3")
    pages = pypdf.PdfReader(io.BytesIO(drawn(game, strategy, "tree.pdf"))).pages
    assert len(pages) == 1
    assert sorted(float(side) for side in pages[0].mediabox[2:]) == pytest.approx([595, 842], abs=1)


@pytest.mark.long
def test_pdf_of_a_large_tree_is_an_overview_and_pages_that_name_every_secret(drawn: Draw) -> None:
    game, strategy = first_candidate("mastermind:4x5")
    reader = pypdf.PdfReader(io.BytesIO(drawn(game, strategy, "tree.pdf")))
    text = [page.extract_text() for page in reader.pages]
    assert "→ page 2" in text[0]
    assert all(f"page {n} of {len(text)}" in page for n, page in enumerate(text[1:], 2))
    assert {(float(p.mediabox.width), float(p.mediabox.height)) for p in reader.pages} == {(841, 595)}
    outline: Any = reader.outline
    assert outline[0].title == "Overview"
    leaves = [n for n in range(len(strategy)) if strategy.depth[n] > 1 and not strategy.children(n)]
    everything = "".join(text)
    assert all(game.guesses[int(strategy.guess[n])] in everything for n in leaves)
    links = [a for page in reader.pages for a in page.get("/Annots", ())]
    assert len(links) == everything.count("→ page")


@pytest.mark.parametrize("name", ["t.dot", "t.svg", "t.pdf", "t.png"])
def test_the_same_tree_gives_the_same_file(drawn: Draw, name: str) -> None:
    game, strategy = first_candidate("mastermind:2x3")
    assert drawn(game, strategy, name) == drawn(game, strategy, name)


def test_a_pdf_bears_no_date_of_its_making(drawn: Draw) -> None:
    assert b"D:20000101000000Z" in drawn(*first_candidate("mastermind:2x2"), "t.pdf")


def test_a_png_that_would_be_too_large_is_refused(drawn: Draw, tmp_path: Path) -> None:
    with pytest.raises(TreeError, match=r"expected at most 16000 .*--depth"):
        drawn(*first_candidate("mastermind:4x6"), "tree.png")
    assert list(tmp_path.iterdir()) == []


def test_wrong_endings_depths_and_folders_are_refused(tmp_path: Path) -> None:
    game, strategy = first_candidate("mastermind:2x2")
    with pytest.raises(TreeError, match=r"'tree.gif'.*\.pdf, \.svg, \.png, \.dot, \.tex, \.html"):
        render(game, strategy, "tree.gif")
    with pytest.raises(TreeError, match="depth 0"):
        render(game, strategy, tmp_path / "tree.dot", depth=0)
    with pytest.raises(TreeError, match="cannot write"):
        render(game, strategy, tmp_path / "none" / "tree.dot")


def test_without_anything_to_draw_with_the_error_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    monkeypatch.setitem(sys.modules, "pygraphviz", None)
    with pytest.raises(TreeError, match="pip install pygraphviz"):
        render(*first_candidate("mastermind:2x2"), tmp_path / "tree.svg")
    render(*first_candidate("mastermind:2x2"), tmp_path / "tree.dot")


FONTLESS = """
from guesstree.engine.registry import parse
from guesstree.trees.export.formats import render
from guesstree.trees.tree import TreeError, build

game = parse("mastermind:2x2")
strategy = build(game, "win", lambda candidates: int(candidates[0]))
for name in ("tree.svg", "tree.png", "tree.pdf"):
    try:
        render(game, strategy, name)
    except TreeError as error:
        print(error)
"""


def test_without_fonts_the_error_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "fonts.conf").write_text("<fontconfig></fontconfig>")
    run = subprocess.run(
        [sys.executable, "-c", FONTLESS],
        env=os.environ | {"FONTCONFIG_FILE": str(tmp_path / "fonts.conf"), "PATH": ""},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
    )
    png, pdf = run.stdout.splitlines()
    assert "'tree.png': no font to write with: apt-get install fonts-dejavu-core" in png
    assert "'tree.pdf': no font to write with" in pdf
    assert sorted(path.name for path in tmp_path.iterdir()) == ["fonts.conf", "tree.svg"]


def test_equal_subtrees_are_drawn_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = parse("mastermind:3x3")
    tree = build(game, "win", lambda c: int(c[0]))
    dag.render_dag(game, tree, tmp_path / "d.dot")
    source = (tmp_path / "d.dot").read_text()
    merged = shape.merge(tree)
    inner = sum(merged.first_edge[c] < merged.first_edge[c + 1] for c in range(len(merged)))
    assert source.count("secret") == inner < len(tree)
    assert "27 secrets" in source
    dag.render_dag(game, tree, tmp_path / "d.svg")
    assert "</svg>" in (tmp_path / "d.svg").read_text()
    monkeypatch.setattr(dag, "MOST_CLASSES", len(merged) - 1)
    with pytest.raises(TreeError, match="classes of subtrees are too many"):
        dag.render_dag(game, tree, tmp_path / "e.svg")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["d.dot", "d.svg"]


def test_an_installed_graphviz_gets_the_positions_as_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[dict[str, Any]] = []

    def pipe(_self: object, **options: Any) -> bytes:
        calls.append(options)
        return b"drawn"

    monkeypatch.setattr(shutil, "which", lambda _: "dot")
    monkeypatch.setattr("graphviz.Digraph.pipe", pipe)
    render(*first_candidate("mastermind:2x2"), tmp_path / "tree.svg")
    assert (tmp_path / "tree.svg").read_bytes() == b"drawn"
    assert calls[0]["engine"] == "neato" and calls[0]["neato_no_op"] == 2


def test_a_deep_tree_is_drawn_without_recursion(tmp_path: Path) -> None:
    size = 1200
    names = [f"s{n}" for n in range(size)]
    cells = [["yes" if g == s else "no" for s in range(size)] for g in range(size)]
    game = TableGame("table:chain", names, names, cells, win="yes")
    strategy = build(game, "win", lambda candidates: int(candidates[0]))
    render(game, strategy, tmp_path / "chain.dot")
    assert "s1198" in (tmp_path / "chain.dot").read_text()


def test_pegs_are_distinct_and_legible() -> None:
    assert len(set(PALETTE)) == 35
    for colour in PALETTE:
        light, dark = sorted((luminance(colour), luminance(ink(colour))), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4.5
    keys = parse("mastermind:4x6").look
    assert keys.write("2,1") == "●●○" and keys.write("0,0") == "–"


@pytest.mark.parametrize("goal", ["win", "identify"])
def test_networkx_has_the_same_tree(goal: str) -> None:
    game, strategy = first_candidate("mastermind:2x3", goal)
    graph = to_networkx(game, strategy)
    assert len(graph) == len(strategy) and graph.number_of_edges() == len(strategy) - 1
    for above, node, response in graph.edges(data="response"):
        assert strategy.parent[node] == above
        assert response == game.responses[int(strategy.response[node])]
        assert graph.nodes[node]["depth"] == graph.nodes[above]["depth"] + 1
    assert sorted(s for _, s in graph.nodes(data="secret") if s) == sorted(game.secrets)
    assert graph.nodes[0]["guess"] == game.guesses[int(strategy.guess[0])]


def test_long_labels_are_wrapped_and_no_two_boxes_overlap(drawn: Draw) -> None:
    causes = [f"cause {n} " + "of a fault that is described in very many words " * (n % 4) for n in range(9)]
    questions = [f"{'is it seen or heard when the engine is warm ' * (n % 3)}at place {n}?" for n in range(9)]
    answers = ["yes, " + "as often as the wheel turns " * 4, "no"]
    cells = [[answers[g > s] for s in range(9)] for g in range(9)]
    game = TableGame("table:long", questions, causes, cells)
    strategy = build(game, "identify", lambda candidates: int(candidates[len(candidates) // 2]))
    found = "".join(texts(drawn(game, strategy, "tree.svg")).split())
    asked = [questions[guess] for guess in set(strategy.guess.tolist()) if guess >= 0]
    for text in (*causes, *asked, *answers):
        assert "".join(text.split()) in found
    reader = pypdf.PdfReader(io.BytesIO(drawn(game, strategy, "tree.pdf")))
    printed = "".join("".join(page.extract_text() for page in reader.pages).split())
    assert all("".join(text.split()) in printed for text in (*causes, *asked))
    drawing = fold(game, strategy)
    for box in range(1, len(drawing.step)):
        assert drawing.shape.full[box][1] >= drawing.answer_cells(drawing.step[box])[2]
