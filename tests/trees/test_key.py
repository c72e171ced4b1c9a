"""A numbered key is the strategy: its numbers lead every cause to its name, in every format alike."""

import html.parser
import importlib.util
import io
import json
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import docx
import markdown_it
import pypdf
import pytest
from click.testing import CliRunner
from rich.cells import cell_len

import guesstree
from guesstree.cli.render import command as render_command
from guesstree.engine.game import Game
from guesstree.engine.tables.table import table_content
from guesstree.trees.export import formats
from guesstree.trees.export.key import document, markdown, page, pdf, text
from guesstree.trees.export.key.couplets import NumberedKey, numbered_key
from guesstree.trees.export.labels import plain
from guesstree.trees.export.page.page import render_page
from guesstree.trees.export.wrap import fill, pieces_of
from guesstree.trees.tree import Tree, TreeError

TREES = {
    "leaf": {"oak": "simple", "beech": "simple", "birch": "simple", "ash": "compound", "holly": "simple"},
    "edge": {"oak": "lobed", "beech": "smooth", "birch": "toothed", "ash": "toothed", "holly": None},
    "evergreen?": {"oak": "no", "beech": "no", "birch": "no", "ash": "no", "holly": "yes"},
    "opposite leaves?": {"oak": "no", "beech": "no", "birch": "no", "ash": "yes", "holly": "no"},
}
STATED = {
    "evergreen?": ("Evergreen", "Not evergreen"),
    "opposite leaves?": ("Opposite leaves", "No opposite leaves"),
}
HOSTILE = [
    "<b>x</b>",
    "=1+1",
    "a|b",
    "*a* _b_",
    "[x](y)",
    "&amp;",
    "\\d",
    "%%KEY%%",
    "`c`",
    "2",
    "$z$",
    "Ünï ж",
]


def tables() -> Iterator[tuple[Game, Tree]]:
    """Yield strategies of tables with costs, weights, unknown cells, answers that meet, hostile labels."""
    game = guesstree.table(TREES, missing="any", weights=[5, 3, 1, 1, 2], costs=[2, 3, 1, 1])
    yield game, guesstree.solve(game).strategy
    rng = random.Random(7)
    for number in range(3):
        size = 9 + number
        rows = {
            f"test {HOSTILE[t]}": {
                cause: None if number and rng.random() < 0.06 else rng.choice([*"abc", HOSTILE[(t + 1) % 12]])
                for cause in [*HOSTILE[:size], "long name " * 12]
            }
            for t in range(8)
        }
        game = guesstree.table(rows, missing="any", merge=True, name=HOSTILE[0], cells="labels")
        yield game, guesstree.solve(game).strategy
    solution = guesstree.solve("mastermind:2x4")
    yield solution.game, solution.strategy


PRINTED = """\
Trees of the park
5 causes · cost 3.67 on average, at most 5 · at most 3 tests · proven: no order
costs less on average

1a      Evergreen ................................................. holly (17 %)
1b      Not evergreen ...................................................... → 2

2a (1)  Edge lobed .................................................. oak (42 %)
2b      Edge smooth ............................................... beech (25 %)
2c      Edge toothed ....................................................... → 3

3a (2)  Opposite leaves ............................................ ash (8.3 %)
3b      No opposite leaves ....................................... birch (8.3 %)
"""
"""The causes weigh 5, 3, 1, 1 and 2; on average (5 * 4 + 3 * 4 + 5 + 5 + 2 * 1) / 12 is paid."""
INDENTED = """\
1a  Evergreen (cost 1) ............................................ holly (17 %)
1b  Not evergreen
  2a  Edge lobed (cost 3) ........................................... oak (42 %)
  2b  Edge smooth ................................................. beech (25 %)
  2c  Edge toothed
    3a  Opposite leaves (cost 1) ................................... ash (8.3 %)
    3b  No opposite leaves ....................................... birch (8.3 %)
"""

Leads = list[tuple[str, str, str]]
"""The label of each lead with the couplet that it comes from, what it says, and where it leads."""


def expected_leads(key: NumberedKey, indented: bool = False) -> Leads:
    """Return the leads of a key as text."""
    found = []
    for couplet, lead in key.rows(indented):
        came = couplet.came and lead is couplet.leads[0] and not indented
        goes = lead.end or ("" if indented else str(lead.goes))
        says = f"{lead.says} {lead.remarks}"
        label = f"{lead.label} ({couplet.came})" if came else lead.label
        found.append((label, one_space(says), one_space(goes)))
    return found


def one_space(words: str) -> str:
    return " ".join(words.split())


def printed_leads(data: bytes) -> Leads:
    """Return the leads of a key in text: one begins with its label; what follows dots ends it."""
    leads: list[list[str]] = []
    for line in data.decode().partition("\n\n")[2].splitlines():
        label = re.match(r" *([0-9]+[a-z]+(?: \([0-9]+\))?)  ", line)
        if label:
            leads.append([label[1], ""])
            line = line[label.end() :]
        if line.strip():
            leads[-1][1] += " " + line.strip()
    found = []
    for label_, rest in leads:
        says, _, goes = re.fullmatch(r" ?(.*?)(?: (\.{2,}) (.*))?", rest).groups()  # type: ignore[union-attr]
        found.append((label_, one_space(says), one_space(goes or "")))
    return found


def leads_of_text(data: bytes) -> Leads:
    return [(label, says, goes.removeprefix("→ ")) for label, says, goes in printed_leads(data)]


class _Cells(html.parser.HTMLParser):
    """Collect the text of elements that are of a class, or are cells of a table."""

    def __init__(self, data: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.texts: dict[str, str] = {}
        self.inside: list[str] = []
        self.tags: set[str] = set()
        self.feed(data)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        kind = dict(attrs).get("class") or ""
        if tag == "tr" or kind == "lead":
            self.rows.append([])
        if tag == "td" or kind in ("label", "says", "goes"):
            self.rows[-1].append("")
        if tag not in ("meta", "br"):
            self.inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.inside.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.rows and self.rows[-1] and data.strip("\n"):
            self.rows[-1][-1] += data


def _filled(rows: list[list[str]]) -> Leads:
    found = []
    for row in rows:
        label, says, goes = [*map(one_space, row), ""][:3]
        found.append((label, says, goes))
    return found


def leads_of_page(data: bytes) -> Leads:
    seen = _Cells(data.decode())
    assert not seen.tags & {"script", "img", "link", "b>"}
    return _filled(seen.rows)


def leads_of_markdown(data: bytes) -> Leads:
    made = markdown_it.MarkdownIt("gfm-like", {"linkify": False}).disable("linkify").render(data.decode())
    rows = [row for row in _Cells(made).rows if row]
    leads = [[row[0].replace("\u2003", ""), row[1], re.sub("^→ (?=[0-9]+$)", "", row[2])] for row in rows]
    return _filled(leads)


def leads_of_document(data: bytes) -> Leads:
    paragraphs = docx.Document(io.BytesIO(data)).paragraphs[2:]
    return _filled([paragraph.text.split("\t") for paragraph in paragraphs])


READERS: dict[Callable[..., bytes], Callable[[bytes], Leads]] = {
    text.draw: leads_of_text,
    markdown.draw: leads_of_markdown,
    page.draw: leads_of_page,
    document.draw: leads_of_document,
}


@pytest.mark.parametrize("indented", [False, True])
def test_every_format_has_the_same_leads(indented: bool) -> None:
    for game, strategy in tables():
        leads = expected_leads(numbered_key(game, strategy, confirmatory=2), indented)
        assert len(leads) >= 5
        for draw, read in READERS.items():
            assert read(draw(game, strategy, confirmatory=2, indented=indented)) == leads, draw.__module__


def test_the_numbers_lead_every_cause_to_its_name() -> None:
    for game, strategy in tables():
        leads = printed_leads(text.draw(game, strategy))
        couplets: dict[str, list[tuple[str, str]]] = {}
        for label, says, goes in leads:
            couplets.setdefault("→ " + re.match("[0-9]+", label)[0], []).append((says, goes))  # type: ignore[index]
        steps = 0
        for secret in range(len(game.secrets)):
            at = "→ 1"
            while at in couplets:
                at = next(goes for says, goes in couplets[at] if _says(game, says, secret))
                steps += 1
            name = game.secrets[secret] if game.kinds is None else game.kinds[secret]
            content = table_content(game)
            joined = content.detail.joined.get(name, (name,)) if content else (name,)
            assert re.sub(r" \([<0-9.e ]+ %\)$", "", at) == one_space(plain(", ".join(joined)))
        assert steps >= len(game.secrets)


def _says(game: Game, says: str, secret: int) -> bool:
    """Whether a lead speaks for a secret: one of its answers is what the secret would show."""
    said = re.sub(r" \[.*\]$", "", says)
    for guess, label in enumerate(game.guesses):
        answer = plain(game.look.write(game.responses[game.respond(guess, secret)]))
        stem = one_space(plain(label).removesuffix("?"))
        if said in STATED.get(label, ()):
            return said == STATED[label][answer == "no"]
        after = re.match(rf"{re.escape(stem)}:? (?=\S)", says, re.IGNORECASE)
        if after:
            return answer in re.split(", | or ", re.sub(r" \[.*\]$", "", says[after.end() :]))
    raise AssertionError(says)


def test_a_pdf_says_the_same_in_real_text_and_its_numbers_are_links() -> None:
    many = guesstree.table(
        {f"test {i}": {f"cause {j}": str(j >> i & 1) for j in range(40)} for i in range(6)}
    )
    hostile = list(tables())[1]
    for game, strategy, indented in (
        (*hostile, False),
        (*hostile, True),
        (many, guesstree.solve(many).strategy, False),
    ):
        key = numbered_key(game, strategy, "Ж <title>", 1)
        data = pdf.draw(game, strategy, "Ж <title>", 1, indented, "letter")
        book = pypdf.PdfReader(io.BytesIO(data))
        words = "".join(re.sub("[0-9]+ / [0-9]+$", "", sheet.extract_text()) for sheet in book.pages)
        leads = "".join(map("".join, expected_leads(key, indented)))
        assert re.sub(r"\.{3,}|\s", "", words) == re.sub(r"\s", "", key.title + key.about + leads)
        assert {tuple(map(float, sheet.mediabox[2:])) for sheet in book.pages} == {(612.0, 792.0)}
        links = [link for sheet in book.pages for link in sheet.get("/Annots", [])]
        assert len(links) == (0 if indented else 2 * sum(lead.goes > 0 for _, lead in key.rows()))
    assert len(book.pages) > 1
    assert pdf.draw(game, strategy, "Ж <title>", 1, indented, "letter") == data


def test_a_key_as_it_is_printed() -> None:
    game = guesstree.table(TREES, missing="any", weights=[5, 3, 1, 1, 2], costs=[2, 3, 1, 1], name="trees")
    strategy = guesstree.solve(game).strategy
    assert text.draw(game, strategy, "Trees of the park", 1).decode() == PRINTED
    assert text.draw(game, strategy, indented=True, costs=True).decode().partition("\n\n")[2] == INDENTED


def test_no_question_confirms_where_a_cell_is_unknown_or_a_guess_is_a_turn() -> None:
    game = guesstree.table(
        {
            "x": {"a": "1", "b": "2", "c": "3"},
            "y": {"a": "4", "b": None, "c": "5"},
            "z": {"a": "6", "b": "7", "c": "8"},
        },
        missing="any",
    )
    first = numbered_key(game, guesstree.solve(game).strategy, confirmatory=9).couplets[0].leads
    assert [(lead.says, lead.also) for lead in first] == [
        ("X 1", ("z 6",)),
        ("X 2", ("z 7",)),
        ("X 3", ("z 8",)),
    ]
    for spec, objective, lies in (("mastermind:2x4", "expected", 0), ("mastermind:2x2", "worst", 1)):
        solution = guesstree.solve(spec, objective, lies=lies)
        key = numbered_key(solution.game, solution.strategy, confirmatory=9)
        assert not any(lead.also for _, lead in key.rows())


def test_whichever_answers_a_cause_may_give_it_gets_to_its_name() -> None:
    """Too many cells are unknown to list the ways to fill them; so causes end in several places."""
    rng = random.Random(5)
    rows = {
        f"t{t}": {f"c{c}": None if rng.random() < 0.35 else rng.choice("abc") for c in range(8)}
        for t in range(24)
    }
    game = guesstree.table(rows, missing="any")
    assert game.model is not None
    key = numbered_key(game, guesstree.solve(game).strategy, confirmatory=2)
    ends, confirmed = 0, 0
    for cause in range(8):
        waiting = [1]
        for number in waiting:
            leads = key.couplets[number - 1].leads
            asked = game.guess_index(leads[0].says.partition(" ")[0].lower())
            for answer in game.model.chances[asked][cause]:
                said = game.responses[answer]
                lead = next(x for x in leads if said in re.split(", | or ", x.says.partition(" ")[2]))
                for also in lead.also:
                    test, _, other = also.partition(" ")
                    chances = game.model.chances[game.guess_index(test)][cause]
                    assert {game.responses[a] for a in chances} <= set(re.split(", | or ", other))
                    confirmed += 1
                waiting += [lead.goes] if lead.goes else []
                assert lead.goes or lead.names == (f"c{cause}",)
                ends += not lead.goes
    assert ends > 8
    assert confirmed > 0


def test_a_dear_test_that_is_not_asked_would_need_fewer_tests() -> None:
    """So what is proven is the cost, though the tests that are asked cost one each."""
    tests = {"dear": "pqrs", "left": "uuvv", "right": "mnmn", "open": ["a", "a", "b", None]}
    rows = {test: dict(zip("ABCD", cells, strict=True)) for test, cells in tests.items()}
    several = {**rows, "open": {"A": "a", "B": "a", "C": "a/b", "D": "b"}}
    for costs, proven in ([10, 1, 1, 1], "costs less"), ([1, 1, 1, 1], "needs fewer tests"):
        for game in (
            guesstree.table(rows, costs=costs, missing="any"),
            guesstree.table(several, costs=costs, cells="sets"),
        ):
            strategy = guesstree.solve(game).strategy
            about = numbered_key(game, strategy).about
            assert about.endswith(f"proven: no order {proven} on average")
            assert about.startswith("4 causes · 2 tests" if costs[0] > 1 else "4 causes · 1 test")
            page = re.search(r'id="data">(.*?)</script>', render_page(game, strategy))
            assert page
            assert json.loads(page[1])["priced"] == (costs[0] > 1)


def test_what_stands_above_a_key() -> None:
    def about(spec: str | Game, objective: str, lies: int = 0) -> str:
        solution = guesstree.solve(spec, objective, lies=lies)
        return numbered_key(solution.game, solution.strategy).about

    average = "2.81 guesses on average, at most 4"  # 45 of 16, the optimum in the tests of the search
    assert (
        about("mastermind:2x4", "expected")
        == f"16 secrets · {average} · proven: no strategy needs fewer guesses on average"
    )
    proven = "proven: no strategy needs fewer guesses in the worst case"
    lies = "at most 4 guesses · 1 answer may be false"
    assert about("mastermind:2x2", "worst", lies=1) == f"4 secrets · {lies} · {proven}"
    table = guesstree.table({"x": {"a": "1", "b": "1"}, "y": {"a": "1", "b": "2"}}, costs=[5, 7])
    both = "cost 7 on average, at most 7 · at most 1 test"
    proven = "proven: no order costs less in the worst case, nor less on average with the same worst case"
    assert about(table, "worst,expected") == f"2 causes · {both} · {proven}"


def test_costs_are_told_in_the_words_of_the_table() -> None:
    for heading, cost, told in (
        ("minutes", "0.5", "0.5 minutes"),
        ("Minutes", "1", "1 minute"),
        ("price", "3", "price 3"),
    ):
        rows = {"x": {"a": "1", "b": "1", heading: "7"}, "y?": {"a": "1", "b": "2", heading: cost}}
        game = guesstree.table(rows, rows="guesses")
        strategy = guesstree.solve(game).strategy
        leads = [lead.says for _, lead in numbered_key(game, strategy, costs=True).rows()]
        assert leads == ([f"Y 1 ({told})", "Y 2"] if cost != "1" else ["Y 1", "Y 2"])
        assert [lead.says for _, lead in numbered_key(game, strategy).rows()] == ["Y 1", "Y 2"]


def test_a_key_to_one_cause_and_one_with_many_answers() -> None:
    only = guesstree.table({"x": {"a": "1"}})
    assert text.draw(only, guesstree.solve(only).strategy).decode().splitlines()[-1].split(" ")[-1] == "a"
    many = guesstree.table({"x": {f"c{i}": f"v{i}" for i in range(30)}}, rows="guesses")
    labels = [lead.label for _, lead in numbered_key(many, guesstree.solve(many).strategy).rows()]
    assert labels[:2] + labels[25:28] == ["1a", "1b", "1z", "1aa", "1ab"]


def test_deep_keys_keep_room_for_words() -> None:
    size = 60
    chain = guesstree.table(
        {f"is it {i}?": {f"c{j}": "yes" if i == j else "no" for j in range(size)} for i in range(size)}
    )
    strategy = guesstree.solve(chain, method="entropy").strategy
    printed = text.draw(chain, strategy, indented=True).decode()
    assert max(map(len, printed.splitlines())) <= text.WIDTH
    assert leads_of_text(printed.encode()) == expected_leads(numbered_key(chain, strategy), indented=True)
    for draw in (page.draw, document.draw, markdown.draw):
        assert READERS[draw](draw(chain, strategy, indented=True))[-1][2] != ""
    assert page.draw(chain, strategy, indented=True).count(b'class="below"') == page.DEEPEST


def test_lines_are_cut_where_words_are_and_in_words_only_where_they_must() -> None:
    for text_, lines in (
        ("one two  three", ["one two", "three"]),
        ("unbreakable", ["unbreaka", "ble"]),
        ("a unbreakable", ["a", "unbreaka", "ble"]),
        ("葉の縁は鋸歯状", ["葉の縁は", "鋸歯状"]),
        ("e\u0301" * 9, ["e\u0301" * 8, "e\u0301"]),
        ("", [""]),
    ):
        pieces = list(pieces_of(text_, 8, cell_len))
        widths = [(float(piece.startswith(" ")), float(cell_len(piece.lstrip(" ")))) for piece in pieces]
        assert ["".join(pieces[line]).strip() for line in fill(widths, 8)] == lines


def test_a_library_that_is_missing_is_named_before_anything_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    for name, style in (("key.docx", "key"), ("ways.xlsx", "list")):
        with pytest.raises(TreeError, match=rf"'{name}': .*pip install 'guesstree\[office\]'$"):
            formats.check_format(name, style)
    assert formats.check_format("key.txt", "key").module == "key.text"


def test_the_command_writes_keys_and_lists(tmp_path: Path) -> None:
    guesstree.solve("mastermind:2x2").strategy.write(tmp_path / "tree.json")
    for style in ("key", "list"):
        for ending in formats.STYLES[style]:
            words = [str(tmp_path / "tree.json"), str(tmp_path / f"sheet{ending}"), f"--{style}"]
            more = ["--title=My", "--confirmatory=1", "--indented", "--json"] if style == "key" else []
            run = CliRunner().invoke(render_command, [*words, *more], catch_exceptions=False)
            assert run.exit_code == 0
            assert (tmp_path / f"sheet{ending}").stat().st_size > 100
            assert not more or json.loads(run.output)["title"] == "My"
    assert (tmp_path / "sheet.txt").read_text().startswith("My\n4 secrets · 2 guesses on average, ")
