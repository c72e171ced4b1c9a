"""The LaTeX document of a strategy: what a reader of TeX would stumble over, without one at hand."""

import re
from pathlib import Path

import pytest

import guesstree
from guesstree.trees.export.colours import LINES, SHARED
from guesstree.trees.export.stategraph import lines_of, render_graph, state_graph
from guesstree.trees.export.tikz import draw, tex_text
from guesstree.trees.tree import TreeError

WORDS = (
    "documentclass usepackage ifPDFTeX else fi renewcommand familydefault sfdefault begin end node "
    "draw tikz newsavebox sbox usebox definecolor fcolorbox fboxsep ttfamily small footnotesize tiny "
    "bfseries mdseries enspace textbf scriptsize blackkey whitekey textbackslash textasciicircum "
    "textasciitilde "
    "textasciigrave textless textgreater textbar textquotedbl textendash textemdash "
    "textperiodcentered dots ensuremath approx rightarrow hookleftarrow "
)
KNOWN = set(WORDS.split())
HOSTILE = [
    "\\ { } $ & # ^ _ ~ %",
    "\\input{x}",
    "%%",
    "a--b,,c''",
    "[x] *",
    "Käse ≈ 5 µm",
    "]};",
    'a|b"`<>',
    "two  spaces",
]


def document(source: bytes) -> str:
    """Return a document after looking at its braces, environments, paragraphs and commands."""
    text = source.decode()
    plain = re.sub(r"\\[\\{}$&#%_ ,]", "  ", text)
    plain = "\n".join(line.partition("%")[0] for line in plain.splitlines())
    depth = 0
    for char in plain:
        depth += {"{": 1, "}": -1}.get(char, 0)
        assert depth >= 0
    assert depth == 0
    assert not set("$&#^_") & set(plain), "none of these means anything here"
    opened = re.findall(r"\\(begin|end)\{(\w+)\}", plain)
    assert opened == [
        ("begin", "document"),
        ("begin", "tikzpicture"),
        ("end", "tikzpicture"),
        ("end", "document"),
    ]
    commands = {name for name in re.findall(r"\\([A-Za-z]+)", plain) if not re.fullmatch("peg[A-Za-z]", name)}
    assert commands <= KNOWN, commands - KNOWN
    assert "\n\n" not in text.partition(r"\begin{document}")[2]
    inside = plain[plain.index("]\n", plain.index(r"\begin{tikzpicture}")) + 2 :].splitlines()[:-2]
    assert all(re.fullmatch(r"\\(node|draw)\[.*;", line) for line in inside), "one statement on a line"
    nodes = re.findall(r"^\\node\[(?:question|named|answer)\] \((\w+)\)", plain, re.M)
    assert len(nodes) == len(set(nodes))
    assert {name for pair in re.findall(r"\((\w+)\.east\).*\((\w+)\.west\)", plain) for name in pair} <= {
        *nodes
    }
    return text


@pytest.mark.parametrize("label", HOSTILE)
def test_labels_mean_nothing_to_tex(label: str) -> None:
    rows = {f"t {label}": {f"c {label}": f"r {label}", "d": "x"}, "u": {f"c {label}": "1", "d": "2"}}
    game = guesstree.table(rows)
    strategy = guesstree.solve(game).strategy
    text = document(draw(game, strategy, title=f"T {label}"))
    assert text.count(tex_text(f"c {label}")) == 1 and tex_text(f"T {label}".rstrip()) in text


def test_what_is_escaped_by_hand() -> None:
    assert tex_text("50 % & $5_a") == r"50 \% \& \$5\_a"
    assert tex_text("a\\b--c") == r"a\textbackslash{}b-{}-c"
    assert tex_text("x  y") == "x\\  y"


def test_codes_have_pegs_and_tiles(tmp_path: Path) -> None:
    solved = guesstree.solve("mastermind:2x3").strategy
    text = document(draw(solved.game, solved))
    assert r"\definecolor{pega}{HTML}{0072B2}" in text and r"{\usebox{\pega}\,\usebox{\pegb}" in text
    assert (
        r"{\usebox{\blackkey}}" in text and text.count(r"\node[named]") + text.count(r"\node[question]") == 9
    )
    (tmp_path / "w.txt").write_text("fight\nlight\nnight\n")
    solved = guesstree.solve(f"wordle:{tmp_path}/w.txt").strategy
    assert r"\fcolorbox[HTML]{" in document(draw(solved.game, solved, parameters=False))


@pytest.mark.parametrize("spec", ["balance:12", "mastermind:3x4", "bulls:3x5", "coins:4"])
def test_every_end_stands_in_a_row_of_its_own(spec: str, tmp_path: Path) -> None:
    strategy = guesstree.solve(spec, "worst").strategy
    strategy.render(tmp_path / "tree.tex")
    text = document((tmp_path / "tree.tex").read_bytes())
    rows = re.findall(r"\\node\[\w+\] \(n\d+\) at \(([\d.]+),(-?[\d.]+)\)", text)
    assert len(rows) == len(set(rows))
    shallow = document(draw(strategy.game, strategy, depth=1))
    assert shallow.count("\n") < text.count("\n")


def test_what_tex_cannot_draw_is_refused() -> None:
    tests = {"t": {str(i): str(i // 4) for i in range(1000)}, "u": {str(i): str(i % 4) for i in range(1000)}}
    game = guesstree.table(tests)
    with pytest.raises(TreeError, match="points long; expected at most 16000, as TeX can draw; draw less"):
        draw(game, guesstree.solve(game).strategy)


@pytest.mark.parametrize("spec", ["mastermind:2x2", "questions:1/8+1/8+1/4+1/2", "coins:2"])
def test_state_graphs_are_documents_too(spec: str, tmp_path: Path) -> None:
    game = guesstree.parse(spec)
    render_graph(game, tmp_path / "states.tex", guesstree.solve(game).choose, "50 % & more")
    text = document((tmp_path / "states.tex").read_bytes())
    graph = state_graph(game)
    assert text.count(r"\draw[") == text.count(r"\node[said") == graph.number_of_edges()
    assert text.count(r"\node[state]") == len(graph) and r"50 \% \& more" in text
    assert text.count("line width=2.4pt") == sum(
        played for *_, played in state_graph(game, guesstree.solve(game).choose).edges(data="played")
    )
    assert text.count("->>") == sum(wins for *_, wins in graph.edges(data="wins"))
    assert set(re.findall(r"[{,]line([a-z])[,}]", text)) == set(re.findall(r"text=line([a-z])text", text))


def test_each_guess_of_a_state_graph_has_its_colour_and_dash() -> None:
    game = guesstree.parse("questions:5,ranges,answers=3")
    graph = state_graph(game)
    looks: dict[str, set[tuple[str, str]]] = {}
    for line in lines_of(game, graph):
        for text in line.texts:
            looks.setdefault(text.partition(" ")[0], set()).add((line.colour, line.dash))
    assert all(len(some) == 1 for some in looks.values())
    assert len(set.union(*looks.values())) == len(looks) == len(game.guesses) > len(LINES)


def test_many_arcs_share_lines_between_the_same_states() -> None:
    game = guesstree.parse("bulls:2x4")
    graph = state_graph(game)
    lines = lines_of(game, graph)
    assert graph.number_of_edges() > 3 * len(lines)
    assert sum(len(line.texts) for line in lines) == graph.number_of_edges()
    assert {line.colour for line in lines if len(line.texts) > 1} == {SHARED}
