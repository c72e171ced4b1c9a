"""A game drawn and typed nicely is one file, and so is a format; nothing that draws knows a game by name."""

import ast
import inspect
import json
import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from terminal import COLOUR, terminal

from guesstree.api.strategy import strategy_of
from guesstree.cli.assist import command as assist_command
from guesstree.cli.render import command as render_command
from guesstree.engine import registry
from guesstree.engine.contract import check_game
from guesstree.engine.errors import GameError
from guesstree.engine.game import Game
from guesstree.engine.notation import Look, plural
from guesstree.engine.registry import families, parse
from guesstree.engine.search.solve import solve
from guesstree.trees import export
from guesstree.trees.export import files, formats, output
from guesstree.trees.export.colours import MARKS, PALETTE, WHITE, colour_of, ink, luminance
from guesstree.trees.export.page.data import as_data
from guesstree.trees.export.page.page import render_page
from guesstree.trees.export.stategraph import render_graph
from guesstree.trees.tree import TreeError

ROOT = Path(__file__).parent.parent.parent
LAMPS = """
from itertools import product
from guesstree import Game, Look, register

class Lamps(Game):
    look = Look("pegs", "keys", "right,elsewhere", symbols="xyz", secret="cause", guess="test")

    def __init__(self, size):
        self.spec = f"lamps:{size}"
        self.secrets = self.guesses = ["".join(code) for code in product("xyz", repeat=size)]
        pairs = [(b, w) for b in range(size + 1) for w in range(size + 1 - b) if (b, w) != (size - 1, 1)]
        self.responses = [f"{black},{white}" for black, white in pairs]
        self.winning = len(pairs) - 1

    def respond(self, guess, secret):
        a, b = self.guesses[guess], self.guesses[secret]
        black = sum(g == s for g, s in zip(a, b))
        common = sum(min(a.count(c), b.count(c)) for c in set(a))
        return self.responses.index(f"{black},{common - black}")

register("lamps", example="lamps:3", about="lamps", reference="none")(lambda text: Lamps(int(text)))
"""


@pytest.fixture
def lamps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Game:
    """Return the game of one file, which lies in the folder where the test runs."""
    families()  # those that come with the project stay registered
    monkeypatch.setattr(registry, "_families", dict(registry._families))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lamps.py").write_text(LAMPS)
    exec(LAMPS, {"__name__": "lamps"})
    return parse("lamps:2")


# -- a code game of one file ---------------------------------------------------------------------------


def test_its_codes_are_pegs_on_the_terminal_and_typed_in_any_spelling(lamps: Game) -> None:
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    with terminal(
        "--import", "lamps", "assist", lamps.spec, PYTHONPATH=path, COLORTERM="truecolor"
    ) as screen:
        screen.wait(r"9 causes.*\n.*best tests by entropy \(\* may be the cause\)")
        screen.wait(r"test 1 \[")
        red, green, blue = (int(PALETTE[0][i : i + 2], 16) for i in (1, 3, 5))
        assert f"48;2;{red};{green};{blue}m\x1b[1m x \x1b[0m" in screen.raw
        screen.type("?")
        screen.wait("test 1")
        screen.type("Y, Z")
        screen.wait(r"response to yz \(right,elsewhere\): ")
        screen.type("1 0")
        screen.wait(r"  1 +y   z +1,0 ●·")
        screen.type("xz")
        screen.wait("response to xz")
        screen.type("20")
        screen.wait("won: the cause is .*, 2 tests")
        assert COLOUR.search(screen.raw) and screen.end() == 0
        assert not re.search("secret|guess", screen.text)


def test_its_codes_are_pegs_in_drawings_and_its_things_have_their_names(lamps: Game, tmp_path: Path) -> None:
    strategy = strategy_of(solve(lamps))
    formats.render(lamps, strategy, tmp_path / "tree.dot")
    source = (tmp_path / "tree.dot").read_text()
    for symbol, colour in zip("xyz", PALETTE, strict=False):
        assert re.search(rf'BGCOLOR="{colour}"><FONT COLOR="#\w+">{symbol}</FONT>', source)
    assert "●" in source and "○○" in source and not re.search(r">\d,\d<", source)
    assert "9 causes" in source and "Causes by tests needed" in source and ">test 1<" in source
    assert "secret" not in source and "guess" not in source
    formats.render(lamps, strategy, tmp_path / "tree.svg")
    assert PALETTE[0].lower() in (tmp_path / "tree.svg").read_text()
    render_graph(lamps, tmp_path / "graph.dot")
    assert "xy ●" in (tmp_path / "graph.dot").read_text()


def test_its_codes_are_pegs_on_the_page_and_its_things_have_their_names(lamps: Game) -> None:
    strategy = strategy_of(solve(lamps))
    data = as_data(lamps, strategy)
    assert (data["codes"], data["answers"], data["accepted"]) == ("pegs", "keys", "2 symbols out of xyz")
    assert [data["palette"][symbol][0] for symbol in "xyz"] == list(PALETTE[:3])
    assert data["nouns"] == {"secret": "cause", "secrets": "causes", "guess": "test", "guesses": "tests"}
    text = render_page(lamps, strategy)
    assert ">Causes</span>" in text and "Find a cause" in text and "the next test" in text
    assert "%%" not in text


def test_the_page_of_other_games_says_secret_and_guess() -> None:
    game = parse("mastermind:2x2")
    text = render_page(game, strategy_of(solve(game)))
    assert ">Secrets</span>" in text and "Find a secret" in text and "the next guess" in text
    nouns = {"secret": "secret", "secrets": "secrets", "guess": "guess", "guesses": "guesses"}
    assert as_data(game, strategy_of(solve(game)))["nouns"] == nouns


# -- what is typed -------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["1234", "1 2 3 4", "1,2,3,4", " 12 34"])
def test_codes_are_read_however_they_are_spelled(text: str) -> None:
    assert parse("mastermind:4x6").read_guess(text) == parse("mastermind:4x6").guess_index("1234")


def test_symbols_are_read_in_small_letters() -> None:
    game = parse("mastermind:2x12")
    assert game.read_guess("c a") == game.guess_index("CA")


@pytest.mark.parametrize(
    ("spec", "text", "message"),
    [
        (
            "mastermind:4x6",
            "127",
            "'127' is not a guess of mastermind:4x6; expected 4 symbols out of 123456",
        ),
        ("bulls:3x4", "011", "'011' is not a guess of bulls:3x4; expected 3 different symbols out of 0123"),
        ("coins:2", "C", "'C' is not a guess of coins:2; expected 'A', 'B', 'AB'"),
    ],
)
def test_what_is_no_guess_is_refused_with_what_is_accepted(spec: str, text: str, message: str) -> None:
    with pytest.raises(GameError, match=re.escape(message)):
        parse(spec).read_guess(text)


@pytest.mark.parametrize(
    ("spec", "text", "label"),
    [
        ("mastermind:4x6", "1 0", "1,0"),
        ("mastermind:4x6", "10", "1,0"),
        ("mastermind:12x2", "1;10", "1,10"),
        ("coins:4", "03", "3"),
    ],
)
def test_responses_are_read_by_their_numbers(spec: str, text: str, label: str) -> None:
    game = parse(spec)
    assert game.responses[game.read_response(text)] == label


@pytest.mark.parametrize(
    ("spec", "text"), [("mastermind:12x2", "110"), ("mastermind:4x6", "9"), ("coins:4", "x")]
)
def test_what_is_no_response_or_more_than_one_is_refused(spec: str, text: str) -> None:
    with pytest.raises(GameError, match="is not a response of"):
        parse(spec).read_response(text)


def test_letters_are_read_large_or_small_unless_two_labels_differ_in_that_alone() -> None:
    labels = ["Yes", "no", "NO"]
    assert Look().find_response(labels, "YES") == 0 and Look().find_guess(labels, "no") == 1
    assert Look().find_response(labels, "No") is None


# -- letters, their marks and their places -------------------------------------------------------------


WORDS = ["crepe", "erase", "geese", "speed", "steal", "sweet"]


@pytest.fixture
def letters(tmp_path: Path) -> Game:
    (tmp_path / "words.txt").write_text("\n".join(WORDS))
    return parse(f"wordle:{tmp_path}/words.txt")


def ground(colour: str) -> str:
    return "48;2;" + ";".join(str(int(colour[i : i + 2], 16)) for i in (1, 3, 5)) + "m"


def test_letters_are_tiles_in_the_colours_of_their_marks_on_the_terminal(letters: Game) -> None:
    with terminal("assist", letters.spec, COLORTERM="truecolor") as screen:
        screen.wait("guess 1")
        screen.type("ERASE")
        screen.wait(r"response to erase \(g or = in place, y or \+ elsewhere,\s+b or - absent\): ")
        screen.type("y..yy")
        screen.wait(r"1   e   r   a   s   e   \+--\+\+")
        tiles = zip("erase", "+--++", strict=True)
        assert " ".join(f"\x1b[{ground(MARKS[m])}\x1b[1m {c} \x1b[0m" for c, m in tiles) in re.sub(
            r"\x1b\[38;[0-9;]*m", "", screen.raw
        )
        screen.type("quit")
        assert screen.end() == 0
    with terminal("assist", letters.spec, NO_COLOR="1") as screen:
        screen.wait("guess 1")
        screen.type("erase")
        screen.wait("response to erase")
        screen.type("10011")
        screen.wait(r"1  erase  \+--\+\+")
        assert not COLOUR.search(screen.raw)


def test_marks_differ_in_lightness_and_their_signs_can_be_read() -> None:
    light = [luminance(MARKS[mark]) + 0.05 for mark in "-=+"]
    assert light[1] > 1.5 * light[0] and light[2] > 1.5 * light[1]
    for colour in MARKS.values():
        dark, bright = sorted((luminance(colour), luminance(ink(colour))))
        assert (bright + 0.05) / (dark + 0.05) >= 4.5


def test_marks_are_coloured_on_the_page_and_letters_are_not(letters: Game) -> None:
    data = as_data(letters, strategy_of(solve(letters)))
    assert (data["codes"], data["answers"], data["accepted"]) == ("tiles", "marks", "")
    assert data["palette"] == {mark: [colour, ink(colour)] for mark, colour in MARKS.items()}


@pytest.mark.parametrize("text", ["+--=-", "1002-", "y..g.", "Y B B G B", "🟨⬛⬛🟩⬜", "1 0 0 2 0", "yxx2_"])
def test_marks_are_read_in_the_usual_ways(letters: Game, text: str) -> None:
    assert letters.responses[letters.read_response(text)] == "+--=-"


@pytest.mark.parametrize("text", ["+--=", "30020", "", "yellow"])
def test_what_are_no_marks_is_refused(letters: Game, text: str) -> None:
    with pytest.raises(GameError, match="is not a response of wordle"):
        letters.read_response(text)


def test_words_are_typed_as_codes_and_others_are_refused_by_example(letters: Game) -> None:
    assert letters.guesses[letters.read_guess("S w E E t")] == "sweet"
    with pytest.raises(GameError, match=r"'tears' is not a guess of .*; expected 'crepe', 'erase', 'geese'"):
        letters.read_guess("tears")


PLACES = ["miss", "1", "2", "2 4", "2 12", "1 | 2", "- | 2", "2 4 | -", "7 letters"]


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("2 4", "2 4"),
        ("2,4", "2 4"),
        ("2; 12", "2 12"),
        ("_ a _ a", "2 4"),
        (".A.A", "2 4"),
        ("bab_", "2"),
        ("-a-a", "2 4"),
        ("____", "miss"),
        ("MISS", "miss"),
        ("-", "miss"),
        ("1/2", "1 | 2"),
        ("a_|_a", "1 | 2"),
        ("__ / _ a", "- | 2"),
        ("_a_a | o_", "2 4 | -"),
        ("7 letters", "7 letters"),
    ],
)
def test_places_are_read_as_numbers_or_as_the_pattern(text: str, label: str) -> None:
    found = Look(answers="places").find_response(PLACES, text, "a")
    assert found is not None and PLACES[found] == label


@pytest.mark.parametrize("text", ["24", "banana", "mis", "_a_a_a", "3", "a?_", ""])
def test_what_are_no_places_is_refused(text: str) -> None:
    assert Look(answers="places").find_response(PLACES, text, "a") is None


COUNTS = ["0,0", "0,1", "1,0", "1,1", "2,1", "0,4", "4,0"]


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("bwb", "2,1"),
        ("B W", "1,1"),
        ("●○", "1,1"),
        ("○○●●", None),
        ("⚫⚪", "1,1"),
        ("2b1w", "2,1"),
        ("1 b, 1 w", "1,1"),
        ("wwww", "0,4"),
        ("●●●●", "4,0"),
        ("●···", "1,0"),
        ("····", "0,0"),
        ("-", "0,0"),
        ("21", "2,1"),
        ("2/1", "2,1"),
        ("", None),
        ("bx", None),
        ("black", None),
    ],
)
def test_key_pegs_are_typed_as_letters_and_pegs(text: str, label: str | None) -> None:
    found = Look("pegs", "keys").find_response(COUNTS, text)
    assert (None if found is None else COUNTS[found]) == label
    single = Look("pegs", "keys").find_response(["0", "1", "2"], text.replace("w", "b"))
    assert text != "1 b, 1 w" or single == 2
    assert Look("tiles", "bulls").find_response(COUNTS, "cbb") == COUNTS.index("2,1")


@pytest.mark.parametrize("text", ["1122", "1 1 2 2", "1,1,2,2", "1-1-2-2", "11.22"])
def test_a_code_is_typed_in_any_spelling(text: str) -> None:
    assert Look("pegs", "keys").find_guess(["1112", "1122"], text) == 1
    assert Look("tiles", "marks", symbols="-ab").find_guess(["a-b", "aab"], "a - b") == 0


def test_a_pattern_has_the_letters_that_were_found_where_they_are() -> None:
    look = Look(answers="places")
    turns = [("length", "6 letters"), ("a", "2 4"), ("e", "miss"), ("n", "3")]
    assert look.pattern(turns, ["banana", "canapé"]) == "_ a n a _ _"
    assert look.pattern(turns, ["banana", "cat"]) == "" == look.pattern(turns, [])
    assert look.pattern([("o", "- | 2"), ("e", "3 | -")], ["red fox", "bed cow"]) == "_ _ e | _ o _"
    assert look.pattern([("o", "- | 2"), ("e", "3 | -")], ["red fox"], between="") == "__e | _o_"
    assert Look().pattern(turns, ["banana"]) == ""


def test_the_prompt_and_the_board_show_the_pattern(tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text("\n".join(["cats", "bats", "rats", "sate", "mole"]))
    typed = "?\nS\n_ _ _ S\na\n_a_s\nhistory\nchange 2 miss\nb\n-\nchange 3 b_ _ _\n"
    run = CliRunner().invoke(assist_command, [f"hangman:{tmp_path}/words.txt,misses=2"], input=typed)
    assert run.exit_code == 0
    assert "then its response, such as ___s, -, 1 (type its places, or the pattern with _ for" in run.output
    assert "____  guess 1 (2 left) [" in run.output
    assert "  1  s  ___s  4\n" in run.output and "___s  guess 2 (2 left) [" in run.output
    assert "  2  a  _a_s  2\n" in run.output and "  2  a  _a_s  2  3 candidates\n" in run.output
    assert "no secret fits from response 2 on" in run.output
    assert "  3  b  ba_s  1" in run.output and "known: the secret is bats" in run.output
    (tmp_path / "more.txt").write_text("cats\nmoles\ncat\n")
    run = CliRunner().invoke(assist_command, [f"hangman:{tmp_path}/more.txt"], input="s\n4\n")
    assert "\nguess 1 [" in run.output and "  1  s  ___s  4\n" in run.output


def test_tables_have_causes_and_tests_at_the_prompt(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("test,flu,cold,well\nfever,yes,no,no\ncough,no,yes,no\n")
    run = CliRunner().invoke(assist_command, [f"table:{tmp_path}/t.csv"], input="?\nfever\nno\ncough\nno\n")
    assert "then its answer, or ? where it is not known. Or:" in run.output
    assert "3 causes" in run.output and "\ntest 1 [" in run.output
    assert run.output.endswith("known: the cause is well, 2 tests\n")
    assert not re.search("secret|guess", run.output)


# -- the declaration -----------------------------------------------------------------------------------


def test_responses_are_written_by_their_kind() -> None:
    assert Look(answers="keys").write("2,1") == "●●○" and Look(answers="keys").write("0,0") == "–"
    for look, label in ((Look(answers="keys"), "3"), (Look(answers="keys"), "won"), (Look(), "2,1")):
        assert look.write(label) == label
    assert Look(answers="bulls").counts("2,1") == (2, 1) and Look(answers="bulls").counts("won") is None
    assert Look(answers="places").counts("2") is None


def test_a_symbol_without_a_colour_is_white() -> None:
    assert colour_of(Look("pegs", symbols="ab"), "b") == PALETTE[1]
    assert colour_of(Look("pegs", symbols="ab"), "c") == WHITE
    many = "".join(map(chr, range(0x3B1, 0x3B1 + 40)))
    assert colour_of(Look("pegs", symbols=many), many[-1]) == WHITE


@pytest.mark.parametrize("odd", [{"codes": "peg"}, {"answers": "pegs"}, {"secret": "<b>"}, {"guess": ""}])
def test_a_look_that_there_is_not_is_refused(odd: dict[str, Any]) -> None:
    with pytest.raises(GameError, match="expected "):
        Look(**odd)


def test_the_contract_holds_the_symbols_to_the_look(lamps: Game) -> None:
    check_game(lamps)
    lamps.look = Look("pegs", "keys", symbols="xy")
    with pytest.raises(GameError, match="the look has no symbol 'z', only xy"):
        check_game(lamps)


def test_nouns_have_their_plurals() -> None:
    assert [plural(2, noun) for noun in ("guess", "cause")] == ["2 guesses", "2 causes"]
    assert plural(1, "guess") == "1 guess"


def drawing_files() -> list[Path]:
    return [
        *(ROOT / "trees").rglob("*.py"),
        *(path for face in ("cli", "web") for path in (ROOT / "guesstree" / face).rglob("*.py")),
    ]


@pytest.mark.parametrize("path", drawing_files(), ids=lambda path: str(path.relative_to(ROOT)))
def test_nothing_that_draws_knows_a_game_by_name_or_class(path: Path) -> None:
    makers = {family.name: family.make.__module__ for family in families()}  # other tests register some, too
    names = {name for name, module in makers.items() if module.startswith("guesstree.")}
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            member = node.value == "table" and path.name in ("files.py", "table.py")  # of a file; a command
            assert member or node.value.rstrip(":") not in names - {"coins"}, f"line {node.lineno}"
        if isinstance(node, ast.ImportFrom):
            module = node.module or ""
            assert "engine.games" not in module, f"line {node.lineno}"
        if isinstance(node, ast.Attribute) and node.attr in ("partition", "startswith"):
            assert not (isinstance(node.value, ast.Attribute) and node.value.attr == "spec"), (
                f"line {node.lineno}"
            )
            assert not (isinstance(node.value, ast.Name) and node.value.id == "spec"), f"line {node.lineno}"


# -- formats -------------------------------------------------------------------------------------------

OUTLINE = """
def draw(game, strategy, depth=None):
    lines = []
    for node in range(len(strategy)):
        if depth is None or strategy.depth[node] < depth:
            guess = int(strategy.guess[node])
            lines.append(" " * int(strategy.depth[node]) + game.guesses[guess])
    return "\\n".join(lines).encode()
"""


def test_a_format_is_one_file_and_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "outline.py").write_text(OUTLINE)
    monkeypatch.setattr(export, "__path__", [*export.__path__, str(tmp_path)])
    monkeypatch.setitem(formats.STYLES["tree"], ".txt", formats.Format("outline"))
    try:
        game = parse("mastermind:2x2")
        files.write(game, strategy_of(solve(game)), tmp_path / "tree.json")
        words = [str(tmp_path / "tree.json"), str(tmp_path / "tree.txt"), "--depth", "2"]
        run = CliRunner().invoke(render_command, words, standalone_mode=False, catch_exceptions=False)
        assert run.output == f"wrote {words[1]}\n"
        root, *below = (tmp_path / "tree.txt").read_text().splitlines()
        assert root in game.guesses and below and {line.strip() for line in below} <= set(game.guesses)
        with pytest.raises(TreeError, match=r"use a name that ends in .*, \.txt$"):
            formats.check_format("tree.gif")
    finally:
        sys.modules.pop("guesstree.trees.export.outline", None)


def test_every_format_is_written_by_the_file_that_it_names_and_takes_its_options() -> None:
    assert set(formats.ABOUT) == set(formats.STYLES) - {formats.TREE}
    for found in (one for style in (*formats.STYLES.values(), formats.TEXTS) for one in style.values()):
        assert found.draw.__module__ == f"guesstree.trees.export.{found.module}"
        game, strategy, *options = inspect.signature(found.draw).parameters.values()
        assert (game.name, strategy.name) == ("game", "strategy")
        printed = {"width", "paint"} if found in formats.TEXTS.values() else set()
        assert {option.name for option in options} - printed == set(found.options)
        assert all(option.default is not option.empty for option in options)


def test_what_a_page_cannot_show_is_refused_before_anything_is_read(tmp_path: Path) -> None:
    wanted: list[dict[str, Any]] = [{"depth": 2}, {"lies": 1}]
    for limits in wanted:
        with pytest.raises(TreeError, match=r"use \.pdf, \.svg, \.png, \.dot, \.tex$"):
            formats.check_format(tmp_path / "tree.html", **limits)
        formats.check_format(tmp_path / "tree.pdf", **limits)


def test_help_names_the_endings_that_are_written() -> None:
    run = CliRunner().invoke(render_command, ["--help"])
    assert f"FILE.json{output.metavar(formats.endings())}|-" in "".join(run.output.split())
    *some, last = (ending.removeprefix(".").upper() for ending in formats.STYLES["tree"])
    assert f"{', '.join(some)} or {last}" in (ROOT / "README.md").read_text()


def test_a_game_without_a_look_is_text() -> None:
    class Plain(Game):
        spec, secrets, guesses, responses, winning = "plain", ["a", "b"], ["?"], ["x", "y"], None

        def respond(self, guess: int, secret: int) -> int:  # noqa: ARG002
            return secret

    game = Plain()
    assert game.look == Look() and json.dumps(as_data(game, strategy_of(solve(game)))["palette"]) == "{}"
