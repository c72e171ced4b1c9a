"""Worldle: distances and directions by other formulas, the search by the oracle, files that are refused."""

from __future__ import annotations

import math
import random
from pathlib import Path

import pytest
from effort import seeds, tries
from hypothesis import given
from hypothesis import strategies as st
from optimum import optimum

from guesstree.engine.contract import check_game
from guesstree.engine.errors import GameError
from guesstree.engine.games.worldle import RADIUS, WINDS, Worldle
from guesstree.engine.oracle import least
from guesstree.engine.registry import parse

Point = tuple[float, float]
PLACES = "name,lat,lon\nParis,48.86,2.35\nBerlin,52.52,13.40\nLima,-12.05,-77.04\nTokyo,35.68,139.69\n"


def chord(here: Point, there: Point) -> float:
    """Return a distance in km by the straight line through the earth between two vectors."""
    a, b = (
        (math.cos(lat) * math.cos(lon), math.cos(lat) * math.sin(lon), math.sin(lat))
        for lat, lon in (map(math.radians, point) for point in (here, there))
    )
    return 2 * RADIUS * math.asin(min(math.dist(a, b) / 2, 1))


def bearing(here: Point, there: Point) -> float:
    """Return the bearing that a ship keeps from here to there, in degrees, going east for half a turn."""
    east = (there[1] - here[1] + 180) % 360 - 180
    north = [math.asinh(math.tan(math.radians(lat))) for lat, _ in (here, there)]  # Mercator's map
    return math.degrees(math.atan2(math.radians(180 if east == -180 else east), north[1] - north[0])) % 360


def drawn(dice: random.Random, most: int = 6) -> dict[str, Point]:
    """Return some places, anywhere or close together."""
    wide = dice.choice([1, 1, 0.1])
    some = {
        (round(dice.uniform(-89, 89) * wide, 2), round(dice.uniform(-180, 180) * wide, 2))
        for _ in range(most)
    }
    return {f"p{i}": point for i, point in enumerate(sorted(some))}


@tries(4)
@given(st.integers(0, 10**9), st.sampled_from([1, 7, 1000]), st.sampled_from([0, 4, 8, 16]))
def test_answers_are_those_of_other_formulas(seed: int, km: int, arrows: int) -> None:
    places = drawn(random.Random(seed))
    game = Worldle("worldle:some.csv", places, km, arrows)
    for guess, asked in enumerate(game.guesses):
        for secret, hidden in enumerate(game.secrets):
            label = game.responses[game.respond(guess, secret)]
            if guess == secret:
                assert label == "here"
                continue
            far, unit, *wind = label.split(" ")
            here, there = places[asked], places[hidden]
            assert unit == "km"
            assert int(far) % km == 0
            assert abs(int(far) - chord(here, there)) <= km / 2 + 1e-6
            assert len(wind) == (arrows > 0)
            for name in wind:
                assert name in WINDS[:: 16 // arrows]
                turned = (bearing(here, there) - 22.5 * WINDS.index(name) + 180) % 360 - 180
                assert abs(turned) <= 180 / arrows + 1e-6


def test_known_distances() -> None:
    """Of great circles on that sphere: a quarter, a half, and from Paris to Berlin."""
    game = Worldle("worldle:some.csv", {"a": (0, 0), "b": (0, 90), "c": (0, 180), "d": (90, 0)})
    told = {hidden: game.responses[game.respond(0, s)] for s, hidden in enumerate(game.secrets)}
    assert told == {"a": "here", "b": "10008 km E", "c": "20015 km E", "d": "10008 km N"}
    assert game.responses[game.respond(2, 0)] == "20015 km E"
    assert game.responses[game.respond(3, 1)].startswith("10008 km S")
    close = Worldle("worldle:some.csv", {"Paris": (48.86, 2.35), "Berlin": (52.52, 13.40)})
    assert [close.responses[close.respond(*pair)] for pair in ((1, 0), (0, 1))] == ["877 km NE", "877 km SW"]


@pytest.mark.parametrize("seed", seeds(4, 100))
def test_the_search_agrees_with_the_oracle(seed: int) -> None:
    dice = random.Random(seed)
    for _ in range(10):
        km, arrows = dice.choice([1, 2000, 8000]), dice.choice([0, 4, 8])
        game = Worldle("worldle:some.csv", drawn(dice), km, arrows)
        check_game(game)
        for goal in ("win", "identify"):
            for objective in ("expected", "worst"):
                assert optimum(game, objective, goal=goal) == least(game, goal, objective)


def test_many_places_have_many_responses() -> None:
    """Of 200 places each gets up to 200 responses, in one byte, and all of them thousands."""
    dice = random.Random(1)
    places = {f"p{i}": (dice.uniform(-60, 70), dice.uniform(-180, 180)) for i in range(200)}
    game = Worldle("worldle:some.csv", places)
    assert len(game.responses) > 10_000
    assert not game.facts.large
    assert optimum(game, "expected") == (399,)  # each other place is known after one guess
    far = Worldle("worldle:some.csv", {f"p{i}": (0, 1.3 * i) for i in range(270)}, 1, 0)
    assert far.facts.large == (far.most_answers > 255)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("name,lat,lon\n", "no place"),
        ("name,lat\nParis,48.86\n", "0 columns for lon; expected one called lon or lng or long or longitude"),
        ("name,lat,lat,lon\nParis,1,1,1\n", "2 columns for lat"),
        ("name,lat,lon\nParis,north,2\n", "line 2: 'north'; expected degrees from -90 to 90, such as 48.85"),
        ("name,lat,lon\nParis,91,2\n", "'91'; expected degrees from -90 to 90"),
        ("name,lat,lon\nParis,nan,2\n", "'nan'; expected degrees"),
        ("name,lat,lon\nParis,48,181\n", "'181'; expected degrees from -180 to 180"),
        ("name,lat,lon\nParis,48\n", "expected"),
        ("name,lat,lon\nParis,48,2\nParis,49,3\n", "'Paris'; expected a name, and each place once"),
        ("name,lat,lon\n,48,2\n", "''; expected a name"),
        ("name,lat,lon\nParis,48,2\nLutetia,48.0,2.0\n", "'Lutetia' and 'Paris' are at one point"),
        ("name,lat,lon\nA,0,-180\nB,0,180\n", "are at one point"),
        ("name,lat,lon\nA,90,10\nB,90,20\n", "are at one point"),
    ],
)
def test_files_that_are_none_are_refused(text: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "places.csv"
    path.write_text(text)
    with pytest.raises(GameError) as error:
        parse(f"worldle:{path}")
    assert words in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (",km=0", "km=0; expected a whole number from 1 to 20000"),
        (",km=1.5", "km=1.5; expected a whole number"),
        (",km=99999999999999999999", "expected a whole number from 1 to 20000"),
        (",arrows=5", "arrows=5; expected 0, 4, 8, 16"),
        (",km=1,km=2", "km twice; expected it once"),
        (",any", "expected a file of places, and km=K or arrows=N behind it"),
    ],
)
def test_options_that_are_none_are_refused(options: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "places.csv").write_text(PLACES)
    with pytest.raises(GameError) as error:
        parse(f"worldle:{tmp_path / 'places.csv'}{options}")
    assert words in str(error.value)


def test_columns_stand_in_any_order_with_others_beside_them(tmp_path: Path) -> None:
    path = tmp_path / "places.csv"
    path.write_text("Longitude;people;Country;LAT\n2,35;7;Paris;48,86\n")
    assert parse(f"worldle:{path}").secrets == ("Paris",)
    path.write_text("Longitude;people;Country;LAT\n2.35;7;Paris;48.86\n13.40;3;Berlin;52.52\n")
    game = parse(f"worldle:{path},km=100")
    assert (game.secrets, list(game.responses)) == (("Berlin", "Paris"), ["here", "900 km NE", "900 km SW"])
