"""The Python API as a person meets it: specs, solutions with their trees, reprs, pickles, help, notebooks."""

from __future__ import annotations

import copy
import doctest
import pickle
import pydoc
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import networkx as nx
import numpy as np
import pytest
from ruled import ruled_game

import guesstree
from guesstree import Game, GuesstreeError, Look, Method, Position, Solution, Strategy
from guesstree.api.progress import progress_bar
from guesstree.engine.advice.position import Valued
from guesstree.engine.search.deadline import PLAYED, Progress
from guesstree.engine.tables.table import TableGame
from guesstree.trees.check import Report
from guesstree.trees.tree import Claims, TreeError

CELLS = [["yes", "no", "no"], ["no", "yes", "maybe"]]
NAMES = (
    "Certificate Game GuesstreeError Infeasible Look Method Position Solution Strategy bounds compare parse"
)


class Numbers(Game):
    """A number up to n, which no spec names: is it at most m?"""

    look = Look(secret="number", guess="question")

    def __init__(self, n: int) -> None:
        self.spec = f"numbers up to {n}"
        self.secrets = [str(number) for number in range(1, n + 1)]
        self.guesses = [f"at most {most}?" for most in range(1, n)]
        self.responses = ["yes", "no"]
        self.winning = None

    def respond(self, guess: int, secret: int) -> int:
        return 0 if secret <= guess else 1


def priced() -> TableGame:
    return TableGame("table:priced", ["g", "h"], ["a", "b", "c"], CELLS, weights=[3, 2, 1], prices=[4, 2])


# -- from a spec to a file ---------------------------------------------------------------------------------


def test_from_a_spec_to_a_tree_and_its_files(tmp_path: Path) -> None:
    solution: Solution = guesstree.solve("mastermind:3x3")
    strategy: Strategy = solution.strategy
    assert strategy is solution.strategy and strategy.game is solution.game
    report: Report = strategy.check()
    assert report.valid and report.total == solution.upper[0] == 73
    strategy.write(tmp_path / "tree.json")
    for name in ("tree.svg", "tree.html", "part.pdf"):
        strategy.render(tmp_path / name, depth=1 if name == "part.pdf" else None)
        assert (tmp_path / name).stat().st_size > 500
    again = Strategy.read(tmp_path / "tree.json")
    said = strategy.text().replace("proven: ", "the file says: ")
    assert type(again) is Strategy and again.check().valid and again.text() == said
    graph: nx.DiGraph[Any] = again.to_networkx()
    assert len(graph) == len(strategy) and graph.graph["game"] == "mastermind:3x3"


def test_a_game_of_ones_own_needs_no_spec_that_can_be_read(tmp_path: Path) -> None:
    game = Numbers(5)
    strategy = guesstree.solve(game).strategy
    assert strategy.check().total == 12
    assert "at most 2?" in strategy.text() and (strategy._repr_svg_() or "").startswith("<?xml")
    strategy.write(tmp_path / "tree.json")
    with pytest.raises(TreeError, match="unknown game"):
        Strategy.read(tmp_path / "tree.json")
    assert Strategy.read(tmp_path / "tree.json", Numbers(5)).check().valid


def test_a_strategy_is_checked_against_another_game() -> None:
    strategy = guesstree.solve("blackpeg:2x3").strategy
    assert not strategy.check("blackpeg:2x4").valid
    assert strategy.check(guesstree.parse("blackpeg:2x3")).valid


def test_all_that_takes_a_game_takes_its_spec() -> None:
    assert guesstree.bounds("mastermind:2x3").upper == guesstree.solve("mastermind:2x3").upper == (21,)
    rows = guesstree.compare("mastermind:2x3")
    assert [row.method for row in rows] == ["max-part", "expected-size", "entropy", "parts", "exact"]
    assert rows[-1].summary.total == 21
    assert [row.method for row in guesstree.compare("mastermind:2x3", "parts", exact_seconds=0)] == ["parts"]
    position = Position("mastermind:4x6", "1122:1,0")
    assert len(position.candidates) == 256
    assert guesstree.play_against("mastermind:2x3", "33")[-1] == ("33", "2,0")


def test_bounds_tell_how_they_improved() -> None:
    found = guesstree.bounds("mastermind:3x4")
    assert found.optimal and found.strategy.check().valid
    assert found.rows[0].how == "counting" and found.rows[-1].upper == 206


# -- as text -----------------------------------------------------------------------------------------------


def test_a_strategy_as_text() -> None:
    assert guesstree.solve("mastermind:2x2").strategy.text().splitlines() == [
        "Mastermind 2x2",
        "goal: win · objective: expected · method: exact · mastermind:2x2",
        "4 secrets · total 8 · average 2.0000 · worst 3",
        "proven: no strategy needs fewer guesses on average",
        "Secrets by guesses needed:  1: 1   2: 2   3: 1",
        "11  (4 secrets)",
        "├─ –  22",
        "└─ ●  12  (2 secrets)",
        "   └─ ○○  21",
    ]


def test_a_text_speaks_as_the_game_does() -> None:
    lines = guesstree.solve(Numbers(3)).strategy.text().splitlines()
    assert lines[2:5] == [
        "3 numbers · total 5 · average 1.6667 · worst 2",
        "proven: no order needs fewer questions on average",
        "Numbers by questions needed:  1: 1   2: 2",
    ]
    assert lines[5].endswith("(3 numbers)")


def test_a_text_of_a_large_tree_has_its_first_guesses() -> None:
    strategy = guesstree.solve("mastermind:4x4", method="parts").strategy
    shown = strategy.text().splitlines()
    assert 5 < len(shown) <= 63
    assert all("more" in line for line in shown[5:] if "(" in line)
    assert len(strategy.text(depth=2).splitlines()) < len(strategy.text(depth=3).splitlines())
    with pytest.raises(TreeError, match="depth 0"):
        strategy.text(depth=0)


# -- reprs -------------------------------------------------------------------------------------------------

REPRS: dict[str, Callable[[], object]] = {
    "Solution(mastermind:3x3, expected, 73 proven, N states)": lambda: guesstree.solve("mastermind:3x3"),
    "Solution(mastermind:3x3, worst,expected, (4, 73) proven, N states)": lambda: guesstree.solve(
        "mastermind:3x3", "worst,expected", symmetry=True
    ),
    "Solution(mastermind:3x3, expected, max-part, at least 73, at most 74, N states)": lambda: (
        guesstree.solve("mastermind:3x3", method="max-part")
    ),
    "Strategy(mastermind:3x3, win, 27 secrets, 27 nodes, at most 4 guesses)": lambda: (
        guesstree.solve("mastermind:3x3").strategy
    ),
    "Mastermind(mastermind:3x3, 27 secrets, 27 guesses)": lambda: guesstree.parse("mastermind:3x3"),
    "Mastermind(mastermind:20x35, more codes than can be listed)": lambda: guesstree.parse(
        "mastermind:20x35"
    ),
    "TableGame(table:priced, 3 causes, 2 tests)": priced,
    "Position(mastermind:4x6, 1122:1,0, 256 candidates)": lambda: Position("mastermind:4x6", "1122:1,0"),
    "Valued(9, entropy 1.5000, expected size 1.50, max part 2, parts 3, class 1)": lambda: Valued(
        0, candidate=False, equivalents=1, sizes=(2, 1, 1), tells=True, label="9"
    ),
    "Valued(12, volume 32, most left 8, parts 4, class 6, may be the secret)": lambda: Position(
        "mastermind:2x3", lies=1
    ).value("12"),
    "guess     entropy  expected size  max part  parts  to come  class\n"
    "11     *   1.5000           1.50         2      3   0.2500      2\n"
    "12     *   1.5000           1.50         2      3   0.2500      2\n"
    "* may be the secret": lambda: Position("mastermind:2x2").valuations(),
    "Method(entropy)": Method,
    "Method(random-consistent, prefer_candidates: False, seed: 3)": lambda: Method(
        "random-consistent", prefer=False, seed=3
    ),
    "[Compared(parts, first 112, total 73, average 2.7037, worst 4)]": lambda: guesstree.compare(
        "mastermind:3x3", ["parts"], exact_seconds=0
    ),
    "Claims(expected, exact, first: 112, 73 proven)": lambda: (
        guesstree.solve("mastermind:3x3", first="112").strategy.claims
    ),
    "Claims()": Claims,
    "Report(valid, 27 secrets, total 73, worst 4)": lambda: guesstree.solve(
        "mastermind:3x3"
    ).strategy.check(),
}


@pytest.mark.parametrize("shown", REPRS)
def test_reprs_say_what_a_person_wants(shown: str) -> None:
    assert re.sub(r"\d+ states?", "N states", repr(REPRS[shown]())) == shown


def test_what_is_not_proven_says_so() -> None:
    solution = guesstree.solve("mastermind:4x6", method="first-consistent")
    assert repr(solution).startswith("Solution(mastermind:4x6, expected, first-consistent, at least ")
    assert ", at most 7471, " in repr(solution)


# -- labels and methods ------------------------------------------------------------------------------------


def test_a_game_goes_on_by_labels_alone() -> None:
    position = Position("mastermind:4x6")
    for response in ("1,0", "0,2"):
        position = position.after(position.best(), response)
    assert position.steps == [("1123", "1,0"), ("1445", "0,2")]
    assert len(position.secrets) == len(position.candidates) and position.secrets[0] == "2524"
    assert position.best() == position.game.guesses[position.best_guess()]
    assert [valued.label for valued in position.valuations("parts")[:2]] == ["1656", "5616"]
    assert guesstree.play_against("mastermind:4x6", "3456", lambda p: p.best("max-part"))[0] == (
        "1122",
        "0,0",
    )
    with pytest.raises(GuesstreeError, match="no test tells 2 candidates apart"):
        Position(guesstree.table({"t": ["x", "x"]}, secrets=["a", "b"])).best()


def test_advice_names_what_is_to_be_asked_or_decided() -> None:
    cells = {"fever": ["yes:9/no:1", "no:9/yes:1"], "decide rest": ["40", "0"], "decide pills": ["0", "15"]}
    evidence = guesstree.Evidence(guesstree.table(cells, secrets=["flu", "cold"], cells="sets"))
    assert repr(evidence.advise()) == "Advice(ask fever, 3.75 proven)"
    after = evidence.after("fever", "yes")
    assert repr(after.advise()) == "Advice(decide pills, 1.5 proven)" and after.advise().label == "pills"


def singles(sizes: Sequence[int]) -> int:
    """Leave as many single secrets as possible."""
    return -sizes.count(1)


def test_a_function_is_a_method_wherever_a_name_is() -> None:
    solution = guesstree.solve("mastermind:3x4", method=singles)
    assert solution.upper == (209,) and solution.method == f"{__name__}:singles"
    (row,) = guesstree.compare("mastermind:3x4", singles, exact_seconds=0)
    assert (row.summary.total, row.method) == (209, solution.method)
    rows = guesstree.compare("mastermind:3x4", [singles, "parts", Method("entropy"), max], exact_seconds=0)
    assert [row.summary.total for row in rows] == [209, 208, 208, 216]
    position = Position("mastermind:4x6", "1122:1,0")
    best = position.best(singles)
    assert (
        best
        == position.valuations(singles)[0].label
        == position.valuations(Method("s", function=singles))[0].label
    )
    with pytest.raises(GuesstreeError, match="unknown method 3; use one of exact"):
        guesstree.solve("mastermind:2x2", method=3)  # type: ignore[arg-type]
    with pytest.raises(GuesstreeError, match="with lies; use volume"):
        Position("mastermind:2x3", lies=1).best(singles)
    with pytest.raises(GuesstreeError, match=r"on \[1, 1, 2\] returned 'x'; expected a number"):
        guesstree.solve("mastermind:2x2", method=lambda _: "x")


# -- pickles and processes ---------------------------------------------------------------------------------

GAMES: dict[str, Callable[[], Game]] = {
    "mastermind": lambda: guesstree.parse("mastermind:2x3"),
    "blackpeg": lambda: guesstree.parse("blackpeg:2x3"),
    "bulls": lambda: guesstree.parse("bulls:2x4"),
    "coins": lambda: guesstree.parse("coins:3"),
    "words": lambda: guesstree.parse("wordle:words.txt"),
    "hangman": lambda: guesstree.parse("hangman:words.txt"),
    "costs": priced,
    "rules": lambda: ruled_game(3),
    "mine": lambda: Numbers(6),
}


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("twin", [lambda some: pickle.loads(pickle.dumps(some)), copy.deepcopy])
def test_games_solutions_and_strategies_are_copied(
    name: str, twin: Callable[[Any], Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("words.txt").write_text("night\nlight\nsight\ntests\n")
    solution = guesstree.solve(GAMES[name]())
    Path("words.txt").unlink()  # a copy needs no file
    again = twin(solution)
    assert repr(again) == repr(solution) and again.strategy.check().valid
    assert again.strategy.text() == solution.strategy.text() == twin(solution.strategy).text()
    assert guesstree.solve(twin(solution.game)).upper == solution.upper


def test_what_can_be_listed_again_is_not_pickled() -> None:
    game = guesstree.parse("mastermind:4x6")
    guesstree.solve(game)
    assert len(pickle.dumps(game)) < 2000


def test_with_lies_too() -> None:
    solution = guesstree.solve("mastermind:2x2", "worst", lies=1)
    assert pickle.loads(pickle.dumps(solution)).strategy.check().valid


def test_processes_share_the_work() -> None:
    specs = ["mastermind:2x2", "mastermind:2x3"]
    with ProcessPoolExecutor(2, mp_context=get_context("fork")) as pool:
        assert [found.upper for found in pool.map(guesstree.solve, specs)] == [(8,), (21,)]


# -- bad input ---------------------------------------------------------------------------------------------


class Labelled(Game):
    """A game with labels that may be wrong."""

    def __init__(self, **labels: Any) -> None:
        self.spec, self.winning = "mine", None
        self.secrets, self.guesses, self.responses = ["a", "b"], ["x", "y"], ["0", "1"]
        self.__dict__.update(labels)

    def respond(self, guess: int, secret: int) -> int:
        return secret ^ guess


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ({"secrets": ["a", "a"]}, "mine: two secrets are labelled 'a'; expected each label once"),
        ({"guesses": ("x", "x")}, "mine: two guesses are labelled 'x'; expected each label once"),
        (
            {"responses": np.array(["0", "0"])},
            "mine: two responses are labelled '0'; expected each label once",
        ),
        ({"secrets": [1, 2]}, "mine: a secret is labelled 1; expected text"),
        ({"guesses": range(2)}, "mine: a guess is labelled 0; expected text"),
    ],
)
@pytest.mark.parametrize("asked", [guesstree.solve, guesstree.bounds, Position, guesstree.compare])
def test_labels_that_do_not_name_one_thing(
    asked: Callable[[Game], object], labels: dict[str, Any], message: str
) -> None:
    with pytest.raises(GuesstreeError) as refused:
        asked(Labelled(**labels))
    assert str(refused.value) == message
    assert guesstree.solve(Labelled()).optimal


@pytest.mark.parametrize("asked", [guesstree.solve, guesstree.bounds, Position, guesstree.compare])
@pytest.mark.parametrize("wrong", [5, None, ["mastermind:2x2"], Numbers])
def test_what_is_no_game(asked: Callable[[Any], object], wrong: object) -> None:
    with pytest.raises(ValueError, match="is not a game; expected a Game, or a spec such as"):
        asked(wrong)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"objective": ["worst"]}, r"unknown objective \['worst'\]"),
        ({"method": 5}, "unknown method 5"),
        ({"goal": 5}, "unknown goal 5"),
        ({"first": 5}, "5 is no text; expected a guess as it is typed"),
        ({"max_depth": "3"}, "a depth limit of '3'"),
        ({"max_depth": 2.5}, "a depth limit of 2.5; expected an integer, at least 1 guess"),
        ({"time_limit": "5"}, "a time limit of '5' s"),
        ({"time_limit": float("nan")}, "a time limit of nan s"),
        ({"jobs": 1.5}, "1.5 jobs; expected an integer, 1 to 64"),
        ({"lies": "1", "objective": "worst"}, "'1' lies"),
        ({"width": True}, "a beam True guesses wide"),
        ({"memory": "1G"}, "memory of '1G'"),
        ({"progress": 5}, "progress 5"),
    ],
)
def test_arguments_of_the_wrong_type(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(GuesstreeError, match=message):
        guesstree.solve("mastermind:2x2", **wrong)


# -- help --------------------------------------------------------------------------------------------------


def test_the_public_names_are_listed_and_explained() -> None:
    assert set(NAMES.split()) <= set(dir(guesstree)) == set(guesstree.__all__)
    text = pydoc.plain(pydoc.render_doc(guesstree))
    assert "solve(game: 'Game | str', objective: 'str' = 'expected'" in text and "-> 'Solution'" in text
    assert "class Strategy(" in text and "time_limit: seconds after which" in text
    for name in NAMES.split():
        assert (getattr(guesstree, name).__doc__ or "").strip(), name


def test_names_are_loaded_when_they_are_asked_for() -> None:
    code = "import sys, guesstree; dir(guesstree); print('numpy' in sys.modules, 'graphviz' in sys.modules)"
    run = [sys.executable, "-c", code]
    assert subprocess.run(run, capture_output=True, text=True, check=True).stdout == "False False\n"


# -- notebooks ---------------------------------------------------------------------------------------------


def test_a_notebook_draws_what_it_can(monkeypatch: pytest.MonkeyPatch) -> None:
    small = guesstree.solve("mastermind:2x2").strategy
    large = guesstree.solve("mastermind:4x4", method="parts").strategy
    assert "</svg>" in (small._repr_svg_() or "")
    drawn = large._repr_svg_() or ""
    assert len(large) > 250 and "secrets, at most 1 more guess</text>" in drawn
    assert "guess 3</text>" in drawn and "guess 4</text>" not in drawn

    def nothing(*_: object) -> bytes:
        raise TreeError("nothing to draw with")

    monkeypatch.setattr("guesstree.trees.export.svg.draw_source", nothing)
    assert small._repr_svg_() is None
    told: list[str] = []
    small._repr_pretty_(SimpleNamespace(text=told.append), cycle=False)
    assert told == [small.text()]


def test_a_notebook_shows_what_is_proven_with_the_tree_of_a_small_strategy() -> None:
    small = guesstree.solve("mastermind:2x3")._repr_html_()
    assert (
        small.startswith("<svg ")
        and "total 21" in small
        and "</svg>\n<p " in small
        and ">0 states, " in small
    )
    large = guesstree.solve("mastermind:4x4", method="parts")._repr_html_()
    assert "<svg" not in large and "256 secrets · total 910 · average" in large
    assert "optimum at least 903, at most 910" in large
    assert "strategy" not in vars(guesstree.solve("mastermind:3x3")), "no tree before it is asked for"


def test_a_list_of_tests_speaks_of_tests_and_explains_the_star_it_has() -> None:
    cells = {"lid": {"lid": "1", "hose": "2", "pump": "2"}, "hum": {"lid": "1", "hose": "1", "pump": "2"}}
    found = Position(guesstree.table(cells)).valuations()
    assert repr(found).startswith("test ") and repr(found).endswith("\n* may be the cause")
    assert "<th>test</th>" in found._repr_html_() and "<p>* may be the cause</p>" in found._repr_html_()
    plain = Position(guesstree.table({"lamp": cells["lid"], "hum": cells["hum"]})).valuations()
    assert "*" not in repr(plain) and "<p>" not in plain._repr_html_()


def test_a_comparison_in_a_notebook_says_what_it_counts_and_what_is_won() -> None:
    cells = {"x": ["1", "2", "2"], "y": ["1", "1", "2"]}
    prices: dict[str, Any] = {"costs": {"x": "0.5", "y": 2}, "weights": [1, 2, 3]}
    game = guesstree.table(cells, secrets=["a", "b", "c"], name="t", **prices)
    shown = guesstree.compare(game, budget=4)._repr_html_()  # in units of 0.5
    assert shown.startswith("<p>table:t: 3 causes, weight 6: costs; won within 2</p><table>")
    assert "<th>worst</th><th>won</th><th>%</th>" in shown
    figures = re.findall("<td>(.*?)</td>", shown.rpartition("<tr>")[2])
    assert figures[:-1] == ["optimum", "y", "13.5", "2.2500", "2.5", "3", "50.000"]
    shown = guesstree.compare("mastermind:2x2")._repr_html_()
    assert shown.startswith("<p>mastermind:2x2: 4 secrets</p><table>") and "won" not in shown


def test_labels_are_never_markup_in_a_notebook() -> None:
    rows = {"<script>": ["<b>", "x&y"], "<i>t</i>": ["<u>", "2"]}
    game = guesstree.table(rows, secrets=["<s>s</s>", "o\"'"], name="<img src=x>")
    for shown in (guesstree.solve(game), Position(game).valuations(), guesstree.compare(game)):
        html = shown._repr_html_()
        assert not re.search("<(script|b|i|u|s|img)\\b", html)
    labels = [f"<b>{n}" for n in range(200)]
    many = guesstree.table({"<b>": labels}, secrets=labels)
    assert "<b>" not in guesstree.solve(many)._repr_html_()


@pytest.fixture
def notebook(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Pretend to be a kernel; return what it shows."""
    shown: list[str] = []
    ipython, display = ModuleType("IPython"), ModuleType("IPython.display")

    def show(picture: str, display_id: bool) -> SimpleNamespace:
        shown.append(picture)
        assert display_id
        return SimpleNamespace(update=shown.append)

    vars(ipython).update(get_ipython=lambda: SimpleNamespace(kernel=None), display=display)
    vars(display).update(HTML=str, display=show)
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    return shown


def test_a_long_search_shows_a_bar_in_a_notebook(notebook: list[str]) -> None:
    def seen(seconds: float, settled: int = 0) -> Progress:
        secrets = 9 if settled else 0
        return Progress(PLAYED if settled else "total", 7, 8, 21, None, "<12>", seconds, settled, secrets)

    with progress_bar(None) as show:
        for moment in (seen(0.1), seen(1.0), seen(1.1), seen(2.0, settled=4)):
            show(moment)
    assert len(notebook) == 3
    assert "<progress></progress>" in notebook[0] and "at least 21  first guess &lt;12&gt;" in notebook[0]
    assert '<progress value="4" max="9">' in notebook[1]
    assert notebook[2] == ""


def test_a_search_in_a_notebook_is_watched(notebook: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("guesstree.api.progress.PATIENCE", 0.0)
    told: list[Progress] = []
    guesstree.solve("bulls:4x8", progress=told.append)
    assert told and not notebook
    guesstree.solve("bulls:4x8")
    assert "first guess" in notebook[0] and notebook[-1] == ""


def test_elsewhere_it_is_silent(capfd: pytest.CaptureFixture[str]) -> None:
    guesstree.solve("bulls:4x8")
    assert capfd.readouterr() == ("", "")


# -- the page ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["python.md", "tables.md", "the module"])
def test_examples_print_what_is_shown(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = Path(__file__).parent.parent / "docs" / name
    text = page.read_text() if page.is_file() else f"```pycon\n{guesstree.__doc__}```\n"
    if name == "tables.md":
        pytest.importorskip("pandas")
    monkeypatch.chdir(tmp_path)
    runner, names = doctest.DocTestRunner(verbose=False), {"__name__": "page"}
    for language, file, body in re.findall(
        r"^```(\w+)(?: file=(\S+))?\n(.*?)^```$", text, re.MULTILINE | re.DOTALL
    ):
        if file:
            Path(file).write_text(body)
        elif language == "pycon":
            example = doctest.DocTestParser().get_doctest(body, names, name, str(page), 0)
            runner.run(example, clear_globs=False)
            names = example.globs
    assert runner.summarize().failed == 0 < runner.summarize().attempted


def test_labels_are_never_taken_for_indices() -> None:
    codes = [f"{i}{j}" for i in "123" for j in "123"]  # some labels are numbers in the range of indices
    game = guesstree.parse("mastermind:2x3")
    assert list(game.guesses) == codes
    position = Position(game)
    assert position.partition("11") == position.partition(0) != position.partition(3)
    assert position.value("13") == position.value(2)
    assert position.after("11", "1,0").history == ((0, game.response_index("1,0")),)
    assert Position(game, [("11", "1,0")]).history == Position(game, "11:1,0").history
    assert game.answers("11") == game.answers(0)
    odd: list[Any] = ["9", "99", 9, -1, 1.0, True, None]
    for wrong in odd:
        for method in (position.partition, position.value, position.require_allowed, game.answers):
            with pytest.raises(GuesstreeError, match="is not a guess of mastermind:2x3; expected"):
                method(wrong)
    odd = ["5", 99, -2, 0.0]
    for wrong in odd:
        with pytest.raises(GuesstreeError, match="is not a response"):
            position.after(0, wrong)
    with pytest.raises(GuesstreeError, match="is not a guess"):
        position.after("5", 0)


def test_labels_of_tests_that_err_are_never_taken_for_indices() -> None:
    cells = {"1": {"flu": "0:9/1:1", "cold": "1:9/0:1"}, "0": {"flu": "0", "cold": "1"}}
    game = guesstree.table(
        cells, cells="sets", losses={"1": {"flu": 0, "cold": 5}, "0": {"flu": 9, "cold": 0}}, name="odd"
    )
    evidence = guesstree.Evidence(game)
    assert evidence.after("1", "0").history == ((0, game.response_index("0")),)
    assert (
        guesstree.Evidence(game, [("1", "0"), ("0", "?")]).history
        == guesstree.Evidence(game, "1:0 0:?").history
    )
    assert evidence.outlook("1") == evidence.outlook(0) and evidence.splits("0") == evidence.splits(1)
    assert evidence.loss("1") == evidence.loss(0) != evidence.loss("0")
    assert evidence.advise(first="1") == evidence.advise(first=0)
    with pytest.raises(GuesstreeError, match="is not a decision"):
        evidence.loss("2")
    for method in (evidence.outlook, evidence.splits, evidence.require_askable):
        with pytest.raises(GuesstreeError, match="is not a test"):
            method(-1)
