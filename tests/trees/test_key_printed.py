"""Keys as monographs print them: wording, order, tests that confirm, names, documents."""

import io
import itertools
import json
import random
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

import docx
import pypdf
import pytest
from effort import seeds

import guesstree
from guesstree.engine.emphasis import bare, runs_of
from guesstree.engine.game import Game
from guesstree.engine.tables.states import in_state_order, ordered_states
from guesstree.engine.tables.table import table_content
from guesstree.trees.export.key import document, latex, markdown, page, pdf, text
from guesstree.trees.export.key.confirmatory import MOST_STATES, agreeing_questions
from guesstree.trees.export.key.couplets import numbered_key
from guesstree.trees.export.key.times import times_width
from guesstree.trees.export.key.wording import capital, sentence
from guesstree.trees.outline import outline
from guesstree.trees.tree import TreeError

YES_NO = {
    "evergreen?": "Evergreen|Not evergreen",
    "evergreen": "Evergreen|Not evergreen",
    "leaf margin lobed?": "Leaf margin lobed|Leaf margin not lobed",
    "leaves opposite?": "Leaves opposite|Leaves not opposite",
    "opposite leaves?": "Opposite leaves|No opposite leaves",
    "dark green": "Dark green|Not dark green",
    "hairy?": "Hairy|Not hairy",
    "berry?": "Berry|No berry",
    "thorns?": "Thorns|No thorns",
    "fever?": "Fever|No fever",
    "panel lit?": "Panel lit: yes|Panel lit: no",
    "pump hums?": "Pump hums: yes|Pump hums: no",
    "is it round?": "Is it round? yes|Is it round? no",
    "?": "? yes|? no",
}
GERMAN = {
    "immergrün?": "Immergrün|Nicht immergrün",
    "Blätter gegenständig?": "Blätter gegenständig|Blätter nicht gegenständig",
    "Dornen?": "Dornen|Ohne Dornen",
    "gegenständige Blätter?": "Gegenständige Blätter|Ohne gegenständige Blätter",
    "Licht geht?": "Licht geht: ja|Licht geht: nein",
    "Hat es Dornen?": "Hat es Dornen? ja|Hat es Dornen? nein",
}


@pytest.mark.parametrize(
    ("words", "answers"), [(YES_NO, ("yes", "no")), (GERMAN, ("ja", "nein")), (YES_NO, ("Yes", "No"))]
)
def test_yes_and_no_make_statements(words: Mapping[str, str], answers: tuple[str, str]) -> None:
    for question, expected in words.items():
        found = "|".join(capital(sentence(question, [answer], answer)) for answer in answers)
        assert found.casefold() == expected.casefold() and found[0] == expected[0]


def test_other_answers_follow_the_test_without_a_colon() -> None:
    for question, answer, lead in (
        ("leaf margin", "lobed", "Leaf margin lobed"),
        ("colour?", "red", "Colour red"),
        ("flowers:", "May or June", "Flowers May or June"),
        ("how many legs?", "4", "How many legs? 4"),
        ("pH", "5", "pH 5"),
        ("2 x", "y", "2 x y"),
        ("ähren", "lang", "Ähren lang"),
    ):
        assert capital(sentence(question, [answer], answer)) == lead


def table(row: Sequence[str], cells: str = "labels") -> Game:
    """Return a table of one test, or of two where its answers do not tell its causes apart."""
    causes = [f"c{i}" for i in range(len(row))]
    rows = {"t": dict(zip(causes, row, strict=True)), "n": dict(zip(causes, causes, strict=True))}
    return guesstree.table(rows, cells=cells)


def test_leads_have_the_order_of_the_states() -> None:
    for row, cells, states in (
        (("red", "blue", "red", "white"), "labels", "red blue white"),
        (("10", "9", "100", "-2"), "labels", "-2 9 10 100"),
        (("1,5", "1.25", "0"), "labels", "0 1.25 1,5"),
        (("no", "yes"), "labels", "yes no"),
        (("Nein", "Ja"), "labels", "Ja Nein"),
        (("b", "c/a", "a/b"), "sets", "b c a"),
        (("5 or more", "up to 3 mm", "3-5 mm"), "labels", "up to 3 mm|3-5 mm|5 or more"),
        (("4 or more", "2", "none"), "labels", "4 or more|2|none"),
    ):
        content = table_content(table(row, cells))
        assert content is not None
        found = ordered_states(content, 0)
        assert found == (states.split("|") if "|" in states else states.split())
    game = table(("9", "10", "no answer", "9"))
    leads = numbered_key(game, guesstree.solve(game).strategy).couplets[0].leads
    # The size of what is left, which is larger for 9, does not count.
    assert [lead.says for lead in leads if lead.says.startswith("T ")] in ([], ["T 9", "T 10", "T no answer"])


def test_the_order_of_a_format_is_kept_in_the_file(tmp_path: Path) -> None:
    chars = (
        "*CHARACTER LIST\n#1. leaf <shape>/\n1. round/\n2. oval/\n3. long/\n#2. size/\n1. small/\n2. large/\n"
    )
    items = "*ITEM DESCRIPTIONS\n#A/\n1,3 2,1\n#B/\n1,2 2,1\n#C/\n1,1 2,2\n"
    specs = "*NUMBER OF CHARACTERS 2\n*MAXIMUM NUMBER OF STATES 3\n*MAXIMUM NUMBER OF ITEMS 3\n"
    specs += "*CHARACTER TYPES 1,UM 2,UM\n*NUMBERS OF STATES 1,3\n"
    (tmp_path / "d").mkdir()
    for name, words in (("chars", chars), ("items", items), ("specs", specs)):
        (tmp_path / "d" / name).write_text(words)
    solution = guesstree.solve(f"table:{tmp_path / 'd'},cells=sets")
    assert "3 taxa" in numbered_key(solution.game, solution.strategy).about
    solution.strategy.write(tmp_path / "key.json")
    for path in (tmp_path / "d").iterdir():
        path.unlink()
    strategy = guesstree.Strategy.read(tmp_path / "key.json")
    key = numbered_key(strategy.game, strategy)
    assert [lead.says for lead in key.couplets[0].leads] == ["Leaf round", "Leaf oval", "Leaf long"]
    assert [lead.end for lead in key.couplets[0].leads] == ["C", "B", "A"]
    broken = json.loads((tmp_path / "key.json").read_text())
    broken["table"]["states"] = {"no test": ["x"]}
    (tmp_path / "other.json").write_text(json.dumps(broken))
    with pytest.raises(TreeError, match=r"table.states: 'no test' is none of the guesses"):
        guesstree.Strategy.read(tmp_path / "other.json")


# -- tests that confirm --------------------------------------------------------------------------------------


def judged(
    cells: Mapping[str, Mapping[str, Mapping[str, Fraction]]],
    test: str,
    parts: Sequence[Mapping[str, Fraction]],
) -> list[tuple[list[str], int, int, Fraction]] | None:
    """Return what a test shows at each lead, by the words of the docs; None where it shows nothing at one."""
    labels = sorted({answer for part in parts for cause in part for answer in cells[test][cause]})
    share = {
        (lead, answer): sum(mass * cells[test][cause].get(answer, 0) for cause, mass in part.items())
        / sum(part.values())
        for lead, part in enumerate(parts)
        for answer in labels
    }
    found = []
    for lead, part in enumerate(parts):
        own = [
            answer
            for answer in labels
            if share[lead, answer] > 0
            and all(share[lead, answer] > share[k, answer] for k in range(len(parts)) if k != lead)
        ]
        best = max(
            itertools.combinations(own, min(len(own), MOST_STATES)),
            key=lambda some: sum(share[lead, answer] for answer in some),
            default=(),
        )
        if not best:
            return None
        always = sum(set(cells[test][cause]) <= set(best) and cells[test][cause] != {} for cause in part)
        found.append((list(best), always, len(part), Fraction(sum(share[lead, answer] for answer in best))))
    return found


@pytest.mark.parametrize("seed", seeds(6, 60))
def test_confirmatory_questions_are_those_of_the_rule(seed: int) -> None:
    rng = random.Random(seed)
    causes = [f"c{i}" for i in range(9)]
    rows = {
        f"t{t}": {c: "/".join(rng.sample("abcd", rng.choice((1, 1, 1, 2)))) for c in causes}
        for t in range(12)
    }
    rows["n"] = {c: c for c in causes}
    unknown = {(t, c) for t in list(rows)[:6] for c in causes if rng.random() < 0.1}
    costs = [rng.randrange(1, 4) for _ in range(12)] + [5]
    weights = [rng.randrange(1, 5) for _ in causes]
    filled = {t: {c: None if (t, c) in unknown else row[c] for c in causes} for t, row in rows.items()}
    game = guesstree.table(filled, cells="sets", missing="any", costs=costs, weights=weights)
    strategy = guesstree.solve(game).strategy
    seen, least = outline(game, strategy), Fraction(rng.choice((55, 75, 100)), 100)
    found = agreeing_questions(seen, 99, least)
    known = {
        t: {
            c: {}
            if (t, c) in unknown
            else dict.fromkeys(row[c].split("/"), Fraction(1, len(row[c].split("/"))))
            for c in causes
        }
        for t, row in rows.items()
    }
    every = {t: {answer for cell in row.values() for answer in cell} for t, row in known.items()}
    cells = {
        t: {c: cell or dict.fromkeys(every[t], Fraction(1, len(every[t]))) for c, cell in row.items()}
        for t, row in known.items()
    }
    left = {0: {c: Fraction(weight) for c, weight in zip(causes, weights, strict=True)}}
    price = dict(zip(rows, costs, strict=True))
    for at in seen.depth_first():
        step = seen.steps[at]
        if not step.question:
            continue
        parts = []
        for branch in step.branches:
            part = {
                c: mass * sum(cells[step.question][c].get(answer, Fraction()) for answer in branch.answers)
                for c, mass in left[at].items()
            }
            parts.append({c: mass for c, mass in part.items() if mass})
            left[branch.step] = parts[-1]
        asked = {step.question, *(seen.steps[above].question for above, _ in seen.path(at))}
        expected = {}
        for test in rows:
            shown = (
                judged(known, test, parts)
                if test not in asked and price[test] <= price[step.question]
                else None
            )
            if shown and min(sure for *_, sure in shown) >= least:
                expected[test] = [(many, of, sure) for _, many, of, sure in shown]
        own = {one.test: [(lead.always, lead.causes, lead.share) for lead in one.leads] for one in found[at]}
        # Where two answers are as frequent, either may be among the first three, and `always` may differ.
        assert {test: [(of, sure) for _, of, sure in shown] for test, shown in own.items()} == {
            test: [(of, sure) for _, of, sure in shown] for test, shown in expected.items()
        }
        order = [(-one.sure, price[one.test], list(rows).index(one.test)) for one in found[at]]
        assert order == sorted(order)
        for one in found[at]:
            groups = [set(lead.answers) for lead in one.leads]
            assert sum(map(len, groups)) == len(set().union(*groups)), "no answer speaks for two leads"


def test_how_sure_is_a_number_of_percent() -> None:
    game, strategy = italic()
    for wrong in (0, 101, True, "x", 7.5, None):
        with pytest.raises(TreeError, match=r"sure=.*; expected a number of percent from 1 to 100"):
            numbered_key(game, strategy, sure=wrong)  # type: ignore[arg-type]


def test_how_many_and_how_sure_is_printed() -> None:
    kinds = "abcdefgh"
    rows = {
        "leaf": {k: "simple" if k in "abcd" else "compound" for k in kinds},
        "flower": {k: "red" if k in "abce" else "white" for k in kinds},
        "number": {k: str("abcdfehg".index(k) % 4) for k in kinds},
    }
    for weights, said in ((None, ", 3 of 4"), ([3, 1, 1, 1, 1, 3, 1, 1], ", 3 of 4, 83\u00a0%")):
        game = guesstree.table(rows, costs=[1, 1, 9], weights=weights)
        strategy = guesstree.solve(game).strategy
        first, second = numbered_key(game, strategy, confirmatory=2).couplets[0].leads
        assert (first.says, first.usually) == ("Leaf simple", (f"flower red{said}",))
        assert (second.says, second.usually) == ("Leaf compound", (f"flower white{said}",))
        assert first.remarks == f"(usually also flower red{said})"
        key = numbered_key(game, strategy, confirmatory=2, sure=84)
        assert not any(lead.usually for _, lead in key.rows())


# -- names ---------------------------------------------------------------------------------------------------


def test_emphasis_of_markdown_and_rtf() -> None:
    for label, runs in (
        ("*Quercus robur* L.", (("Quercus robur", True), (" L.", False))),
        (r"\i{}Quercus robur\i0{} L.", (("Quercus robur", True), (" L.", False))),
        (r"\i Quercus robur\i0  L.", (("Quercus robur", True), (" L.", False))),
        ("*Viola* x *alba*", (("Viola", True), (" x ", False), ("alba", True))),
        ("_12_", (("_12_", False),)),  # a code with holes
        ("2*3*4=24", (("2*3*4=24", False),)),
        (r"\b{}Rosa\b0{} L.", (("Rosa L.", False),)),
        ("5*3*2", (("5*3*2", False),)),
        ("a_b_c", (("a_b_c", False),)),
        ("* new *", (("* new *", False),)),
        ("**", (("**", False),)),
        (r"\in\infty", ((r"\in\infty", False),)),
        ("", ()),
    ):
        assert tuple(runs_of(label)) == runs
        assert bare(label) == "".join(part for part, _ in runs)


ITALIC = {
    "leaf": {
        "*Quercus petraea* (Matt.) Liebl.": "a",
        "*Quercus robur* L.": "a",
        "x|y": "b",
        r"\i{}Ilex\i0{}": "c",
    }
}


def italic() -> tuple[Game, guesstree.Strategy]:
    game = guesstree.table(ITALIC, merge=True)
    return game, guesstree.solve(game).strategy


def test_merged_kinds_have_commas_and_names_are_in_italics() -> None:
    game, strategy = italic()
    assert (
        game.secrets[0] == "*Quercus petraea* (Matt.) Liebl.|*Quercus robur* L."
    )  # a label stays what it is
    leads = numbered_key(game, strategy).couplets[0].leads
    assert [lead.end for lead in leads] == [
        "Quercus petraea (Matt.) Liebl., Quercus robur L. (50 %)",
        "x|y (25 %)",
        "Ilex (25 %)",
    ]
    web = page.draw(game, strategy).decode()
    assert '<i>Quercus petraea</i><span class="author"> (Matt.) Liebl.</span>' in web
    mark = markdown.draw(game, strategy).decode()
    assert (
        "*Quercus petraea* (Matt.) Liebl., *Quercus robur* L. (50 %) |" in mark
        and "**x\\|y** (25 %) |" in mark
    )
    plain_text = text.draw(game, strategy).decode()
    assert "Quercus petraea (Matt.) Liebl., Quercus robur L." in plain_text and "*" not in plain_text
    read = docx.Document(io.BytesIO(document.draw(game, strategy)))
    runs = [(run.text, run.style and run.style.name) for line in read.paragraphs for run in line.runs]
    assert ("Quercus petraea", "Kind name") in runs and (" L.", "Kind author") in runs
    assert ("x|y", "Kind name plain") in runs
    assert read.styles["Kind name"].font.italic and not read.styles["Kind author"].font.italic
    tex = latex.draw(game, strategy).decode()
    assert r"\taxon{Quercus petraea} (Matt.) Liebl., \taxon{Quercus robur} L. (50 \%)}" in tex
    assert r"{\kind{x\textbar{}y} (25 \%)}" in tex
    fonts = {str(font) for font in _fonts(pdf.draw(game, strategy))}
    assert any("Oblique" in font or "Italic" in font for font in fonts - _usual_fonts()), fonts


def _usual_fonts() -> set[str]:
    """Return the fonts of a key without emphasis, whose title and figures are bold and oblique."""
    game = guesstree.table({"leaf": {bare(kind): cell for kind, cell in ITALIC["leaf"].items()}}, merge=True)
    return _fonts(pdf.draw(game, guesstree.solve(game).strategy))


def _fonts(data: bytes) -> set[str]:
    found = set()
    for sheet in pypdf.PdfReader(io.BytesIO(data)).pages:
        fonts: Any = sheet["/Resources"]["/Font"]  # type: ignore[index]
        found |= {str(font.get_object()["/BaseFont"]).partition("+")[2] for font in fonts.values()}
    return found


def test_a_clique_is_listed_with_commas() -> None:
    rows = {"leaf": {"a": "x/y", "b": "x/y", "c": "z"}}
    game = guesstree.table(rows, cells="sets", ambiguous="clique")
    leads = numbered_key(game, guesstree.solve(game).strategy).couplets[0].leads
    assert [lead.end for lead in leads] == ["a, b", "c"]


# -- documents -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("indented", [False, True])
def test_documents_have_named_styles_and_their_date(indented: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    game, strategy = italic()
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1000000000")
    data = document.draw(game, strategy, indented=indented)
    assert data == document.draw(game, strategy, indented=indented)
    read = docx.Document(io.BytesIO(data))
    about = read.core_properties
    assert about.created == about.modified and str(about.created).startswith("2001-09-09 01:46:40")
    names = [line.style and line.style.name for line in read.paragraphs]
    own = ["Key level 1"] * 3 if indented else ["Key couplet", "Key lead", "Key lead"]
    assert names == ["Title", "Key figures", *own]
    for line in read.paragraphs:
        form = line.paragraph_format
        assert form.left_indent is form.first_line_indent is form.space_after is None, "the style has it"
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    now = docx.Document(io.BytesIO(document.draw(game, strategy))).core_properties.created
    assert now is not None and abs((datetime.now() - now.replace(tzinfo=None)).days) <= 1
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "today")
    with pytest.raises(TreeError, match="SOURCE_DATE_EPOCH='today'; expected seconds since 1970"):
        document.draw(game, strategy)


def test_pages_of_latex_have_all_leads_and_links() -> None:
    """What a reader of TeX would stumble over, without one at hand; labels mean nothing to TeX."""
    label = "50 % \\ { } $ & # ^ _ ~ \\input{x} × ≥ [1]"  # noqa: RUF001
    rows = {f"t {label}": {"a": f"r {label}", label: "x", "c": "x"}, "u": {"a": "1", label: "1", "c": "2"}}
    game = guesstree.table(rows)
    strategy = guesstree.solve(game).strategy
    key = numbered_key(game, strategy, "My $title")
    for indented in (False, True):
        source = latex.draw(game, strategy, "My $title", indented=indented).decode()
        head, _, body = source.partition(r"\begin{document}")
        assert r"\section*{My \$title}" in body and "a4paper" in head
        plain_tex = re.sub(r"\\[\\{}$&#%_ ,]", "  ", body)
        assert not set("$&#^_%") & set(plain_tex), "none of these means anything here"
        depth = 0
        for char in plain_tex:
            depth += {"{": 1, "}": -1}.get(char, 0)
            assert depth >= 0
        assert depth == 0
        defined = set(re.findall(r"\\new(?:command|length|savebox)\{\\(\w+)\}", head))
        known = {
            "section",
            "begin",
            "end",
            "par",
            "nopagebreak",
            "raggedbottom",
            "setlength",
            "parindent",
            "addvspace",
        }
        signs = {"textbackslash", "textasciicircum", "textasciitilde", "ensuremath", "times", "geq"}
        signs |= {"textperiodcentered"}
        assert set(re.findall(r"\\([A-Za-z]+)", body)) <= defined | known | signs
        leads = re.findall(r"\\lead\{(\d+)\}\{(\w+)", body)
        assert leads == [(str(c.depth if indented else 0), lead.label) for c, lead in key.rows(indented)]
        opened = re.findall(r"\\begin\{couplet\}\{(\d+)\}", body)
        assert opened == ([] if indented else [str(couplet.number) for couplet in key.couplets])
        links = re.findall(r"\\tocouplet\{(\d+)\}", body)
        assert len(links) == (0 if indented else 2 * sum(lead.goes > 0 for _, lead in key.rows()))
    assert "letterpaper" in latex.draw(game, strategy, paper="letter").decode()


def test_a_name_that_does_not_fit_beside_its_lead_is_on_a_line_of_its_own() -> None:
    found = set()
    for words in (1, 60, 66, 70, 74):
        long = " ".join(["i"] * (words - 1) + ["x"])
        game = guesstree.table({"t": {"The name": long, "b": "short"}})
        data = document.draw(game, guesstree.solve(game).strategy)
        lines = docx.Document(io.BytesIO(data)).paragraphs[2:]
        broken = ["\n" in line.text for line in lines]
        width = 595.28 - 2 * document.MARGIN - times_width("1a", document.SIZE) - 10
        wide = times_width(f"T {long}", document.SIZE) + 1.1 * times_width("The name", document.SIZE)
        fits = (
            wide + document.DOTS <= width
            or times_width(f"T {long}", document.SIZE) > width - document.NUMBERS
        )
        assert broken == [not fits, False]
        found.add(fits)
        assert all(line.text.count("\t") == 2 for line in lines)
    assert found == {True, False}
    assert times_width("Hamburg", 1000) == 722 + 444 + 778 + 500 + 500 + 333 + 500


def test_a_key_of_two_leads_names_groups_of_states_and_says_what_tests_show_by_states() -> None:
    rows = {
        "leaf edge": {"a": "lobed", "b": "toothed", "c": "smooth", "d": "toothed"},
        "petals": {"a": "4", "b": "9", "c": "10", "d": "12"},
        "hairs": {"a": "few", "b": "none", "c": "few", "d": "none"},
    }
    game = guesstree.table(rows, dichotomous=True, weights=[3, 4, 1, 3])
    key = numbered_key(game, guesstree.solve(game).strategy, confirmatory=2)
    assert all(len(couplet.leads) == 2 for couplet in key.couplets)
    says = [lead.says for _, lead in key.rows()]
    assert all(": " not in words and " / " not in words for words in says)
    for _, lead in key.rows():
        assert all(test.split()[0] in ("leaf", "petals", "hairs") for test in (*lead.also, *lead.usually))
    assert any(lead.also for _, lead in key.rows())
    for states, answers, ordered in (
        (["4", "9", "10"], ["10 or more", "9 or fewer"], ["9 or fewer", "10 or more"]),
        (["few", "some", "many"], ["many", "few or some"], ["few or some", "many"]),
        (["red", "red or so", "blue"], ["red or so", "blue or red"], ["red or so", "blue or red"]),
    ):
        assert in_state_order(states, answers) == ordered
