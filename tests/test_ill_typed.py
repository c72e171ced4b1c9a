"""Values of the wrong kind, wherever they enter from Python: one line that says what would be accepted."""

import inspect
import tempfile
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import guesstree
from guesstree import Game, GuesstreeError
from guesstree.engine.errors import Problems

GAME = "mastermind:2x2"
CELLS = {"x": {"a": "1", "b": "2", "c": "2"}, "y": {"a": "1", "b": "1", "c": "2"}}
BAD: list[Any] = [
    *(None, True, -1, 1.5, float("nan"), 10**30, 1j, "", "no such", "a\nb", "123", b"bytes", [], [None]),
    *([1, "a"], {}, {"a": 1}, {1, 2}, object(), ("a",), np.array([1, 2]), np.array([[1.5]]), range(3)),
    *(pd.DataFrame({"a": [1], "b": [2]}), lambda *_: None, iter([1])),
]


class Own(Game):
    """A game that is right until it is told otherwise."""

    spec = "own"
    secrets = ("a", "b", "c")
    guesses = ("x", "y")
    responses = ("no", "yes")
    winning = None
    answer: Callable[[int, int], Any] = staticmethod(lambda guess, secret: int(guess == secret))

    def respond(self, guess: int, secret: int) -> int:
        return self.answer(guess, secret)


ASKED: dict[str, Callable[[Game], object]] = {
    "solve": guesstree.solve,
    "entropy": lambda game: guesstree.solve(game, method="entropy"),
    "prove": guesstree.prove,
    "bounds": lambda game: guesstree.bounds(game, time_limit=1),
    "compare": guesstree.compare,
    "Position": lambda game: guesstree.Position(game, "x:no").best_guess(),
    "play_against": lambda game: guesstree.play_against(game, "a"),
}


@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("yes", "respond returned 'yes' for 'x' on '.'; expected .* response, which is 1, from 0 to 1"),
        (
            "maybe",
            "respond returned 'maybe' for 'x' on '.'; expected the number of the response, from 0 to 1",
        ),
        (None, "respond returned None for"),
        (0.5, "respond returned 0.5 for"),
        (1.0, "respond returned 1.0 for"),
        (True, "respond returned True for"),
        ([0], r"respond returned \[0\] for"),
        (10**30, "respond returned 10000"),
        (7, "a response is 7, out of range; expected 0 to 1"),
        (-1, "a response is -1, out of range"),
    ],
)
def test_a_response_that_is_none(asked: str, answer: object, said: str) -> None:
    game = Own()
    game.answer = lambda *_: answer
    with pytest.raises(GuesstreeError, match=f"^own: {said}"):
        ASKED[asked](game)
    assert guesstree.solve(Own()).optimal


PARTS: list[tuple[str, Any, str]] = [
    ("spec", 5, "Own: spec=5; expected a text that names the game"),
    ("secrets", None, "own: secrets=None; expected a list of texts, what may be hidden"),
    ("secrets", "abc", "own: secrets='abc'; expected a list of texts"),
    ("guesses", {"x", "y"}, "own: guesses={.*}; expected a list of texts, what may be asked"),
    ("responses", 5, "own: responses=5; expected a list of texts, what may be answered"),
    ("responses", [], "own: no response; expected one at least"),
    ("winning", "yes", "own: winning='yes'; expected None, or a number from 0 to 1"),
    ("winning", 2, "own: winning=2; expected None, or a number from 0 to 1"),
    ("weights", 5, "own: weights=5; expected an integer for each secret"),
    ("look", "x", "own: look='x'; expected a guesstree.Look"),
    ("budget", "x", "own: budget='x'; expected None, or an integer from 0"),
    ("cost_unit", 0, "own: cost_unit=0; expected a Fraction above 0"),
    ("kinds", ["k"], r"own: kinds=\['k'\]; expected a text for each secret, or None"),
    ("kinds", [1, 2, 2], r"own: kinds=\[1, 2, 2\]; expected a text for each secret, or None"),
    (
        "costs",
        [[1, 2], [3]],
        r"own: costs=\[\[1, 2\], \[3\]\]; expected a row for each guess with a number for",
    ),
    (
        "costs",
        [[1, 2], [3, 0.5]],
        r"own: costs are float64 .* \(2, 2\): a row for each .*; cost_unit says what 1",
    ),
]


@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.parametrize(("name", "value", "said"), PARTS)
def test_a_game_with_a_part_of_another_kind(asked: str, name: str, value: object, said: str) -> None:
    game = Own()
    setattr(game, name, value)
    with pytest.raises(GuesstreeError, match=f"^{said}"):
        ASKED[asked](game)
    assert repr(game).startswith("Own(")


@pytest.mark.parametrize("costs", [[[1, 2], [3, 4]], ((1, 2), (3, 4)), np.array([[1, 2], [3, 4]])])
@pytest.mark.parametrize("asked", ASKED)
def test_costs_in_lists_are_an_array(asked: str, costs: Any) -> None:
    game = Own()
    game.costs = costs
    ASKED[asked](game)
    assert guesstree.solve(game).strategy.check().valid and guesstree.solve(game).upper == (11,)


def test_data_are_made_a_game_by_table() -> None:
    for data in (pd.DataFrame({"a": [1]}), {"x": ["1"]}):
        with pytest.raises(GuesstreeError, match=r"is not a game; .*; guesstree\.table makes one of data$"):
            guesstree.solve(data)  # type: ignore[arg-type]
    with pytest.raises(GuesstreeError, match="a title of 5; expected text"):
        guesstree.solve(GAME).strategy.render("x.svg", title=5)


@pytest.mark.parametrize("name", ["spec", "secrets", "guesses", "responses", "winning"])
def test_a_class_without_a_part(name: str) -> None:
    lacking = {part: getattr(Own, part) for part in (*vars(Own),) if part != name and part[0] != "_"}
    game = type("Lacking", (Game,), lacking)()
    for asked in ASKED.values():
        with pytest.raises(GuesstreeError, match=f"^Lacking has no {name}; expected "):
            asked(game)
    assert repr(game).startswith("Lacking(")


def test_nodes_are_numbers() -> None:
    strategy = guesstree.solve(GAME).strategy
    for name in ("path", "steps", "children", "label", "named", "endings"):
        call = getattr(strategy, name)
        for node in ("123", None, 1.5, True, -1, len(strategy), [0]):
            with pytest.raises(
                GuesstreeError, match=r"is not the number of a node; expected 0 to .; to_frame"
            ):
                call(node)
        call(np.int32(1))
    assert strategy.path(1) == [0, 1]


def calls() -> Iterator[tuple[str, Callable[..., Any], dict[str, Any]]]:
    """Yield what is public, with arguments that are right."""
    solution = guesstree.solve(GAME)
    strategy, certificate, game = solution.strategy, guesstree.prove(GAME), guesstree.parse(GAME)
    ill = {"fever": ["yes:9/no:1", "no:9/yes:1"], "swab": ["pos", "neg"]}
    flu = guesstree.table(ill, secrets=["flu", "cold"], cells="sets")
    yield "solve", guesstree.solve, {"game": GAME}
    yield "solve with a method", guesstree.solve, {"game": GAME, "method": "entropy"}
    yield "bounds", guesstree.bounds, {"game": GAME, "time_limit": 0.1}
    yield "prove", guesstree.prove, {"game": GAME, "workers": 1}
    yield "compare", guesstree.compare, {"game": GAME, "exact_seconds": 0.1}
    yield "parse", guesstree.parse, {"spec": GAME}
    yield "table", guesstree.table, {"outcomes": CELLS}
    yield "table with wrong", guesstree.table, {"outcomes": CELLS, "wrong": 5}
    yield "import_tree", guesstree.import_tree, {"model": object(), "game": GAME}
    yield "play_against", guesstree.play_against, {"game": GAME, "secret": "12"}
    yield "Position", guesstree.Position, {"game": GAME}
    yield "Position.after", guesstree.Position(GAME).after, {"guess": "11", "response": "0,0"}
    yield "Position.valuations", guesstree.Position(GAME).valuations, {}
    yield "Evidence", guesstree.Evidence, {"game": flu}
    yield "Evidence.after", guesstree.Evidence(flu).after, {"test": "swab", "answer": "pos"}
    yield "Evidence.advise", guesstree.Evidence(flu).advise, {}
    yield "Look", guesstree.Look, {}
    yield "Method", guesstree.Method, {}
    yield "Strategy.read", guesstree.Strategy.read, {"path": "x.json"}
    yield "Strategy.check", strategy.check, {}
    yield "Strategy.text", strategy.text, {}
    yield "Strategy.write", strategy.write, {}
    yield "Strategy.render", strategy.render, {"path": "x.svg"}
    yield "Strategy.child", strategy.child, {"node": 0, "response": 0}
    yield "Certificate.write", certificate.write, {"path": "x.proof"}
    for name in ("guess_index", "secret_index", "response_index", "guess_at", "answers", "read_guess"):
        yield f"Game.{name}", getattr(game, name), {}
    for name in inspect.signature(guesstree.Tests).parameters:
        yield f"Tests({name})", _fitted, {"wrong": 5, name: None}


def _fitted(**given: Any) -> guesstree.Tests:
    return guesstree.Tests(**given).fit({"a": [1, 2], "b": [1, 1]}, ["x", "y"])


def attacks(few: bool) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield calls with one argument of another kind, some of them or all."""
    number = 0
    for name, call, right in calls():
        names = list(right)[1:] if call is _fitted else list(inspect.signature(call).parameters)
        for argument in names:
            if argument in ("options", "progress", "cluster", "workers"):
                continue  # looked at elsewhere; workers would start
            for bad in BAD:
                number += 1
                if not few or number % 60 == 0:
                    yield f"{name}, {argument}={bad!r}", partial(call, **right | {argument: bad})


@pytest.mark.parametrize("few", [True, pytest.param(False, marks=pytest.mark.long)])
def test_whatever_is_given_is_taken_or_refused_in_one_line(
    few: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    wrong, many = [], 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, call in attacks(few):
            many += 1
            try:
                call()
            except GuesstreeError as error:
                if "\n" in str(error) and not isinstance(error, Problems):  # which has a line for each place
                    wrong.append(f"{name}: {error}")
            except Exception as error:
                wrong.append(f"{name}: {error!r}")
    assert not wrong, "\n".join(wrong)
    assert many > (50 if few else 3000)
