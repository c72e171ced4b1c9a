"""Guess Who: the questions of cards, the values of all questions, and what is refused."""

from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from cases import cases
from effort import seeds
from optimum import optimum

from guesstree.engine.contract import check_game
from guesstree.engine.errors import GameError, SpaceError
from guesstree.engine.games.who import Who
from guesstree.engine.oracle import least
from guesstree.engine.registry import parse
from guesstree.engine.tables.table import Content

CARDS = "name,hair,hat\nAda,brown,yes\nBen,red,no\nCleo,brown,no\nDan,grey,no\n"


def cards(rows: list[list[str]], weights: tuple[int, ...] | None = None) -> Content:
    """Return cards of attributes a0, a1, ... of people p0, p1, ..."""
    people = tuple(f"p{i}" for i in range(len(rows[0])))
    return Content(tuple(f"a{i}" for i in range(len(rows))), people, tuple(map(tuple, rows)), weights)


def drawn(rng: np.random.Generator) -> Content:
    """Return random cards, of people with weights sometimes."""
    people, attributes = int(rng.integers(1, 7)), int(rng.integers(1, 4))
    rows = [[str(v) for v in rng.integers(0, int(rng.integers(1, 5)), people)] for _ in range(attributes)]
    weights = tuple(int(w) for w in rng.integers(1, 5, people)) if rng.integers(2) else None
    return cards(rows, weights)


@pytest.mark.parametrize("seed", seeds(6, 100))
def test_the_search_agrees_with_the_oracle(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(10):
        content = drawn(rng)
        game = Who("who:some.csv", content, sets=bool(rng.integers(2)), most=int(rng.integers(1, 4)))
        check_game(game)
        for goal in ("win", "identify"):
            for objective in ("expected", "worst"):
                assert optimum(game, objective, goal=goal) == least(game, goal, objective)


@pytest.mark.parametrize("seed", seeds(10, 100))
def test_the_questions_are_all_ways_to_divide_the_people(seed: int) -> None:
    """Sets of values, put together in every way, divide the people as the questions of the game do."""
    content = drawn(np.random.default_rng(seed))
    people = range(len(content.secrets))
    values = [(g, v) for g, row in enumerate(content.cells) for v in dict.fromkeys(row)]
    subsets = [some for n in range(1, len(values) + 1) for some in combinations(values, n)]
    for options, allowed in (
        ({}, [some for some in subsets if len(some) == 1]),
        ({"most": 2}, [some for some in subsets if len(some) <= 2]),
        ({"sets": True}, [some for some in subsets if len({g for g, _ in some}) == 1]),
    ):
        expected = set()
        for some in allowed:
            yes = frozenset(s for s in people if any(content.cells[g][s] == v for g, v in some))
            expected.add(frozenset({yes, frozenset(people) - yes}))
        game = Who("who:some.csv", content, **options)
        asked = game.table()[: len(game.guesses) - len(people)]
        found = [frozenset({frozenset(np.flatnonzero(row == r).tolist()) for r in (0, 1)}) for row in asked]
        assert len(set(found)) == len(found)
        assert set(found) == {split for split in expected if frozenset() not in split}


@cache
def with_all_questions(people: int) -> int:
    """Return the least total where every set of people may be asked for: divide them, or name one."""
    if people <= 1:
        return people
    halves = (with_all_questions(n) + with_all_questions(people - n) for n in range(1, people // 2 + 1))
    return people + min(*halves, with_all_questions(people - 1))


@pytest.mark.parametrize("people", [1, 2, 3, 4, 5, 6, 7, 9])
def test_with_all_questions_the_values_are_those_of_halving(people: int) -> None:
    game = Who("who:some.csv", cards([[str(i) for i in range(people)]]), sets=True)
    assert optimum(game, "expected") == (with_all_questions(people),)
    assert optimum(game, "worst") == ((people - 1).bit_length() + 1,)


def test_questions_are_called_by_the_values_that_few_have(tmp_path: Path) -> None:
    path = tmp_path / "cards.csv"
    path.write_text(CARDS)
    game = parse(f"who:{path}")
    names = ("Ada", "Ben", "Cleo", "Dan")
    assert tuple(game.guesses) == ("hair brown", "hair red", "hair grey", "hat yes", *names)
    assert parse(f"who:{path},most=2").guesses[4:-4] == ("hair red, or hat yes", "hair grey, or hat yes")
    assert (game.look.secret, repr(game)) == ("person", f"Who(who:{path}, 4 people, 8 questions)")
    ada = game.secret_index("Ada")
    assert [game.responses[game.respond(g, ada)] for g in (0, 1, 4, 5)] == ["yes", "no", "yes!", "no"]
    assert game.read_response("yes", game.guess_index("Ada")) == game.winning


def test_people_who_look_alike_are_noted_and_named(tmp_path: Path) -> None:
    path = tmp_path / "cards.csv"
    path.write_text("name,hair,hat\nAda,brown,yes\nBen,brown,yes\nCleo,red,no\n")
    game = parse(f"who:{path}")
    assert game.notes == ("only their names tell Ada and Ben apart",)
    assert optimum(game, "expected") == (6,)


@pytest.mark.parametrize(("spec", "words"), cases("test_who", "test_bad_specs_are_named"))
def test_bad_specs_are_named(spec: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("cards.csv").write_text(CARDS.replace("red,no", "red,"))
    with pytest.raises(GameError) as error:
        parse(spec)
    assert words in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("name,hair,cost\nAda,brown,2\nBen,red,3\ncost,1,1\n", "cards with costs"),
        ("name,hair,eyes\nhair red,red,x\nBen,brown,y\n", "is a person and a question"),
        ("name,a b,a\nAda,c,x\nBen,d,b c\nCleo,d,y\n", "two questions are called 'a b c'"),
    ],
)
def test_cards_that_say_something_else_are_refused(text: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "cards.csv"
    path.write_text(text)
    with pytest.raises(GameError) as error:
        parse(f"who:{path}")
    assert words in str(error.value)


def test_too_many_questions_are_refused_before_they_are_listed() -> None:
    content = cards([[str(i) for i in range(40)]])
    for options in ({"sets": True}, {"most": 20}):
        with pytest.raises(SpaceError, match="use fewer values, or most=2"):
            Who("who:some.csv", content, **options)
