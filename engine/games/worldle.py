"""Worldle: a place is to be found; a guess is told how far it is from there, and in which direction."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..catalogue import Offer
from ..errors import GameError, shown
from ..game import MOST_RESPONSES, Game, Responses, response_type
from ..memory import require_memory
from ..notation import Look
from ..registry import register
from ..sheets import Sheet, read_sheet

RADIUS = 6371.0
"""The mean radius of the earth in km (Moritz 2000, Geodetic Reference System 1980)."""
WINDS = ["N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW"]
ARROWS = (0, 4, 8, 16)
MOST_KM = 20_000
WON = "here"
"""The response that ends the game."""
COLUMNS = {
    "name": ("name", "place", "country", "city", "capital"),
    "lat": ("lat", "latitude"),
    "lon": ("lon", "lng", "long", "longitude"),
}
"""What the columns of a file may be called, in any letters; others are not read."""
_OPTION = re.compile(r",(km|arrows)=([^,]*)$")
_NUMBER = re.compile(r"[-+]?[0-9]+([.,][0-9]*)?", re.ASCII)
_POLE = 89.999999

Degrees = NDArray[np.float64]


class Worldle(Game):
    """Secrets and guesses are places; a response is a distance in km and a direction, such as ``880 km SW``.

    The distance is that on a sphere, rounded to a multiple of `km`, a half up. The direction is that of the
    line with the same compass bearing all the way (the rhumb line) from the guess to the secret, the nearest
    of `arrows` winds; 0: none is told. Half way round the earth it goes east. The place itself is ``here``.

    Parameters
    ----------
    places: latitude and longitude of each place in degrees, by name.

    Raises GameError for no place, two at one point, more than 65,535 responses, and other numbers than these.
    """

    def __init__(
        self, spec: str, places: Mapping[str, tuple[float, float]], km: int = 1, arrows: int = 8
    ) -> None:
        self.spec = spec
        self.secrets = self.guesses = tuple(sorted(places))
        if not places:
            raise GameError(f"{spec}: no place; expected one at least")
        require_memory(spec, len(places), len(places), 40)
        points = np.array([places[name] for name in self.secrets], dtype=np.float64)
        away = distances(points)
        near = np.argwhere((away < 1e-6) & ~np.eye(len(points), dtype=bool))
        if len(near):
            both = " and ".join(shown(self.secrets[s]) for s in near[0].tolist())
            raise GameError(f"{spec}: {both} are at one point; expected one of them")
        steps = np.floor(away / km + 0.5).astype(np.int64)
        winds = np.zeros_like(steps) if not arrows else directions(points, arrows)
        codes = steps * max(arrows, 1) + winds
        np.fill_diagonal(codes, -1)
        met, numbers = np.unique(codes, return_inverse=True)
        if len(met) > MOST_RESPONSES:
            more = f",km={max(10, 10 * km)}"
            raise GameError(
                f"{spec}: {len(met)} different responses; expected at most {MOST_RESPONSES}, as with {more}"
            )
        self.responses = [_label(code, km, arrows) for code in met.tolist()]
        self.winning = 0
        self._answers = numbers.reshape(codes.shape).astype(response_type(self))
        said = "km and direction, such as 880 km SW, or here" if arrows else "km, such as 880 km, or here"
        self.look = Look(says=said, secret="place")

    @cached_property
    def most_answers(self) -> int:
        """How many responses one place gets at most."""
        return max(len(np.unique(row)) for row in self._answers)

    def respond(self, guess: int, secret: int) -> int:
        """Return the index of the response."""
        return int(self._answers[guess, secret])

    def table(self) -> Responses:
        """Return every response, shape (guesses, secrets)."""
        return self._answers

    def block(self, guesses: NDArray[np.int32], secrets: NDArray[np.int32]) -> Responses:
        """Return the responses of some guesses on some secrets, shape (guesses, secrets)."""
        return np.ascontiguousarray(self._answers[np.ix_(guesses, secrets)])

    def respond_each(self, guesses: NDArray[np.int32], secrets: NDArray[np.int32]) -> Responses:
        """Return the response of each guess on the secret beside it."""
        return self._answers[guesses, secrets]


def distances(points: Degrees) -> Degrees:
    """Return the distance in km of each point from each, on a sphere; shape (points, points).

    Haversine formula, as in Sinnott (1984); points are latitudes and longitudes in degrees.
    """
    lat, lon = np.radians(points).T
    half = np.sin((lat - lat[:, None]) / 2) ** 2
    half += np.cos(lat) * np.cos(lat[:, None]) * np.sin((lon - lon[:, None]) / 2) ** 2
    found: Degrees = 2 * RADIUS * np.arcsin(np.sqrt(np.minimum(half, 1)))
    return found


def directions(points: Degrees, arrows: int) -> NDArray[np.int64]:
    """Return the number of the wind from each point to each, clockwise from 0 for north; see `Worldle`."""
    lat, lon = np.radians(np.clip(points[:, 0], -_POLE, _POLE)), points[:, 1]
    north = np.log(np.tan(np.pi / 4 + lat / 2))  # on Mercator's map
    east = (lon - lon[:, None]) % 360
    east = np.radians(np.where(east > 180, east - 360, east))
    turn = np.arctan2(east, north - north[:, None]) / (2 * np.pi)
    return np.floor(turn * arrows + 0.5).astype(np.int64) % arrows


def _label(code: int, km: int, arrows: int) -> str:
    if code < 0:
        return WON
    steps, wind = divmod(code, max(arrows, 1))
    return f"{steps * km} km" + (f" {WINDS[wind * (16 // arrows)]}" if arrows else "")


def places_of(sheet: Sheet) -> dict[str, tuple[float, float]]:
    """Return the places of a sheet; raise GameError for columns that lack, and cells that are no place."""
    if not sheet.rows:
        raise GameError("a list of places without a row; expected the columns name, lat and lon")
    head, *rows = sheet.rows
    labels = [cell.casefold() for cell in head.cells]
    at = {}
    for what, names in COLUMNS.items():
        found = [i for i, label in enumerate(labels) if label in names]
        if len(found) != 1:
            raise GameError(
                f"{head.place}: {len(found)} columns for {what}; expected one called {' or '.join(names)}"
            )
        at[what] = found[0]
    places: dict[str, tuple[float, float]] = {}
    for row in rows:
        cells = [*row.cells, *[""] * (len(labels) - len(row.cells))]
        name = cells[at["name"]]
        if not name or name in places:
            raise GameError(f"{row.place}: {shown(name)}; expected a name, and each place once")
        places[name] = _degrees(row.place, cells[at["lat"]], 90), _degrees(row.place, cells[at["lon"]], 180)
    return places


def _degrees(place: str, text: str, most: int) -> float:
    number = text.replace(",", ".")
    if not _NUMBER.fullmatch(text) or not -most <= float(number) <= most:
        raise GameError(f"{place}: {shown(text)}; expected degrees from -{most} to {most}, such as 48.85")
    return float(number)


@register(
    "worldle",
    example="worldle:PLACES.csv",
    about="Worldle: places from a table with the columns name, lat and lon; a guess is told how many km away "
    "the place is, and in which direction; ,km=K: to K km; ,arrows=16, 4 or 0: directions (8)",
    reference="teuteuf 2022",
    files="cards",
    offer=Offer(
        "Worldle",
        "Find the place on the map: you are told how far it is from your guess, and in which direction.",
        options={",km=100": "distances to 100 km", ",arrows=0": "no directions"},
        guess="Paris",
        response="880 km NE",
    ),
)
def make(text: str, find: Callable[[str], str] = str) -> Game:
    """Return the game of a spec ``worldle:PLACES.csv[,km=K][,arrows=N]``; ``.tsv`` and workbooks, too."""
    spec, file, given = f"worldle:{text}", text, dict[str, str]()
    while found := _OPTION.search(file):
        if found[1] in given:
            raise GameError(f"{shown(spec)}: {found[1]} twice; expected it once")
        given[found[1]], file = found[2], file[: found.start()]
    if not file or "," in file:
        raise GameError(
            f"{shown(spec)}: expected a file of places, and km=K or arrows=N behind it, such as "
            "worldle:places.csv,km=10"
        )
    km, arrows = given.get("km", "1"), given.get("arrows", "8")
    if not re.fullmatch("[1-9][0-9]*", km, re.ASCII) or int(km[:6]) > MOST_KM:
        raise GameError(f"{shown(spec)}: km={km}; expected a whole number from 1 to {MOST_KM}")
    if arrows not in map(str, ARROWS):
        raise GameError(f"{shown(spec)}: arrows={arrows}; expected {', '.join(map(str, ARROWS))}")
    return Worldle(spec, places_of(read_sheet(find(file))), int(km), int(arrows))
