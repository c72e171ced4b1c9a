"""The families of games, by name; specs such as ``mastermind:4x6``."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import Literal

from .catalogue import UNSAID, Offer
from .contract import require_parts
from .errors import GameError, GuesstreeError, shown
from .game import Game, costs_of
from .meant import BEFORE_OPTIONS, beginning_of, file_kind, is_there
from .notation import capital
from .sheets.directives import is_data_set
from .sheets.looks import format_of

FILES = {path.stem: f".{path.stem}" for path in (Path(__file__).parent / "games").glob("[a-z]*.py")}
FILES |= {"table": "..tables.family"}
"""The file of each family that comes with the project; files that families share register none."""
MOST_SIZE = 1 << 16
"""Of pegs and colours: so many fit in the numbers of a code."""
FileKind = Literal["", "sheet", "cards", "words", "game"]
USES = {
    "strategy": ("a strategy file", "guesstree check {0}, or guesstree render {0} tree.pdf"),
    "wins": ("a file of wins against a host", "guesstree check {0}"),
    "certificate": ("a certificate", "guesstree verify {0}"),
    "ledger": ("a ledger", "guesstree ledger {0}, or guesstree serve {0}"),
    "module": ("a Python file", "guesstree --import {1}, which makes its games known"),
    "words": ("a list of words", "{words}"),
    "table": ("a table", "guesstree solve table:{0} --out tree.json"),
}
"""What a file of each kind is called, and what takes it; {0} is the file, {1} its name without the ending,
{words} the specs of families that read words from it."""


@dataclass(frozen=True)
class Family:
    """A registered family of games: how to make one from the text after the colon.

    With `names_win`, the winning response is named at the end of the spec, as in ``,win=RESPONSE``. With
    `files`, the text names files of that kind, and `make` takes as a second argument what returns where each
    is. `offer`: how people are asked to choose it.
    """

    name: str
    make: Callable[..., Game]
    example: str
    about: str
    reference: str
    names_win: bool = False
    files: FileKind = ""
    offer: Offer = UNSAID


_families: dict[str, Family] = {}


def register(
    name: str,
    *,
    example: str,
    about: str,
    reference: str,
    names_win: bool = False,
    files: FileKind = "",
    offer: Offer = UNSAID,
) -> Callable[..., Callable[..., Game]]:
    """Register a function, text after the colon -> Game, so that specs ``name:text`` name its games.

    Parameters
    ----------
    name: lower-case letters, digits and hyphens.
    example, about, reference: for the command ``games``: a spec, the meaning of the text, and a source.
    names_win: whether the spec may end with the winning response, as ``,win=RESPONSE``.
    files: the kind of files that the text names: ``sheet``, which pages show as a table, ``cards``, a table
        of which a game of another kind is made, ``words``, or ``game``: those of another game in it; the
        function then gets a second argument, path -> path, which finds a file. Empty: it names none.
    offer: how a page that lists games describes this one.

    Raises GameError for a name of any other form.
    """
    if not isinstance(name, str) or not re.fullmatch(r"[a-z][a-z0-9-]*", name):
        raise GameError(f"a family's name is lower-case letters, digits and hyphens, not {shown(name)}")

    def enter(make: Callable[..., Game]) -> Callable[..., Game]:
        _families[name] = Family(name, make, example, about, reference, names_win, files, offer)
        return make

    return enter


def title_of_spec(spec: str) -> str:
    """Return what people call the game of a spec, ``Mastermind 4x6``; a spec without a title as it is.

    A table is called by its file, ``Trees`` for ``table:trees.csv,merge``.
    """
    name, _, text = spec.partition(":")
    if name in FILES:
        _load(name)
    if name in _families and _families[name].files == "sheet":
        file = re.sub(r"\.[A-Za-z]+$", "", Path(text.partition(",")[0]).name)
        return capital(" ".join(re.sub("[-_]", " ", file).split()) or spec)
    if name not in _families or not _families[name].offer.title:
        return spec
    if _families[name].files == "game":
        number, _, game = text.partition(",")
        return f"{_families[name].offer.title}: {number} x {title_of_spec(game)}"
    offer, (own, *options) = _families[name].offer, text.split(",")
    called = next((one.title for one in offer.lists if one.name == own), "")
    if not called:
        return ", ".join([f"{offer.title} {own}", *options])
    return ", ".join([called if called.startswith(offer.title) else f"{offer.title}: {called}", *options])


def _load(name: str) -> None:
    """Register a family that comes with the project; the others are not loaded, which takes time."""
    importlib.import_module(FILES[name], "guesstree.engine.games")


def families() -> list[Family]:
    """Return the registered families, by name."""
    for name in FILES:
        _load(name)
    return [_families[name] for name in sorted(_families)]


def family_of(spec: str) -> Family:
    """Return the family that a spec such as ``mastermind:4x6`` begins with; raise GameError for none."""
    name, colon, _ = spec.partition(":")
    if name in FILES:
        _load(name)
    if name not in _families or not colon:
        known = families()
        missing = "" if colon or not Path(spec).suffix else f"no file {shown(spec)}, and "
        if missing and (near := _near_file(Path(spec))):
            raise GameError(f"no file {shown(spec)}; did you mean {shown(near)}?")
        if meant := _meant(spec, known):
            raise GameError(
                f"{missing}unknown game {shown(spec)}; did you mean {' or '.join(map(shown, meant))}?"
            )
        examples = ", ".join(family.example for family in known)
        own = "; one of your own needs its module: --import MODULE" if colon else ""
        raise GameError(f"{missing}unknown game {shown(spec)}; use one of {examples}{own}")
    return _families[name]


def _near_file(path: Path) -> str:
    """Return the file beside a missing one whose name is most like it; empty for none."""
    from difflib import get_close_matches

    try:
        beside = {one.name.lower(): one for one in path.parent.iterdir() if one.is_file()}
    except (OSError, ValueError):
        return ""
    near = get_close_matches(path.name.lower(), beside, n=1, cutoff=0.8)
    return str(beside[near[0]]) if near else ""


def _meant(spec: str, known: list[Family]) -> list[str]:
    """Return the specs that one with a mistyped name, or without a name, may stand for."""
    from difflib import get_close_matches

    name, colon, text = spec.partition(":")
    if not colon:  # a size or a file alone: the families whose examples have such a text
        size, ending = _size(spec), Path(spec).suffix.lower()
        texts = {family.name: family.example.partition(":")[2] for family in known}
        if size:
            return [f"{one}:{size}" for one, example in texts.items() if _size(example)]
        alone = {one.name for one in known if one.files in ("sheet", "words")}  # they need nothing else
        if like := [one for one in texts if ending and one in alone and texts[one].endswith(ending)]:
            return [f"{one}:{spec}" for one in like]
    near = get_close_matches(name.lower(), list(_families), n=1)
    return [f"{one}:{_size(text) or text}" if colon else _families[one].example for one in near]


def _size(text: str) -> str:
    """Return a size as it is written, ``AxB``, for one that is written in other ways too; else nothing."""
    found = re.fullmatch(r"([0-9]{1,4})\s*[xX*,]\s*([0-9]{1,4})", text, flags=re.ASCII)
    return f"{found[1]}x{found[2]}" if found else ""


def used_as(path: str, kind: str, wanted: str) -> str:
    """Return in words what is in a file, which is not what is wanted, and what to use it with."""
    what, use = USES[kind]
    whole, stem = (quote(name) if name.isprintable() else shown(name) for name in (path, Path(path).stem))
    words = " or ".join(f"{family.name}:{whole}" for family in families() if family.files == "words")
    return f"{shown(path)} is {what}, not {wanted}; use {use.format(whole, stem, words=words)}"


def spec_of(text: str) -> str:
    """Return the spec that a text stands for: itself, or for the file of a table that of its game.

    Raises GameError that says what another file is, and what to use it with.
    """
    path = re.split(BEFORE_OPTIONS, text, maxsplit=1)[0]
    if not path:
        raise GameError("the name of the game is empty; expected one such as mastermind:4x6, or a file")
    if ":" in path or not is_there(path):
        return text
    if Path(path).is_dir():
        if is_data_set(Path(path)):
            return f"table:{text}"
        raise GameError(f"{shown(path)} is a folder; name a file in it, or a game")
    kind = file_kind(path)
    if kind == "table":
        return f"table:{text}"
    if kind:
        raise GameError(used_as(path, kind, "a game"))
    if not Path(path).stat().st_size:
        raise GameError(f"{shown(path)} is empty; expected a table, or a game such as mastermind:4x6")
    format_of(shown(path), beginning_of(path))  # says what it looks like
    raise GameError(f"{shown(path)} is no table; expected one, or a game such as mastermind:4x6")


def parse(spec: str, find: Callable[[str], str] | None = None) -> Game:
    """Return the game that a spec such as ``mastermind:4x6`` names; `find` returns the path of a file in it.

    Without `find`, the path of a table is a spec, too. Raises GameError for an unknown family or for a text
    that the family does not accept.
    """
    if not isinstance(spec, str):
        raise GameError(f"{shown(spec)} is not a spec; expected a text such as 'mastermind:4x6'")
    spec = spec if find is not None else spec_of(spec)
    family, text = family_of(spec), spec.partition(":")[2]
    try:
        return _own(family.make(text, find) if family.files and find is not None else family.make(text))
    except GuesstreeError:
        raise
    except ValueError as error:  # as int() raises it, in a family of a user's own
        raise GameError(f"{shown(spec)}: {error}; expected a game such as {family.example}") from None


def game_of(game: Game | str) -> Game:
    """Return a game as it is, and the game of a spec; raise GameError for anything else."""
    if isinstance(game, Game | str):
        return parse(game) if isinstance(game, str) else _own(game)
    plain = game is None or isinstance(game, int | float | type)
    made = "" if plain else "; guesstree.table makes one of data"
    raise GameError(f"{shown(game)} is not a game; expected a Game, or a spec such as 'mastermind:4x6'{made}")


def _own(game: Game) -> Game:
    """Return a game; one of a user's own is looked at first, and costs in lists become an array."""
    if type(game).__module__.partition(".")[0] != __name__.partition(".")[0]:
        require_parts(game)
        if isinstance(game.costs, list | tuple):
            game.costs = costs_of(game)
    return game


def parse_size(spec: str, text: str, first: str, second: str) -> tuple[int, int]:
    """Return the two numbers of ``AxB``; raise GameError naming what they stand for."""
    match = re.fullmatch(r"([0-9]{1,5})x([0-9]{1,5})", text, flags=re.ASCII)
    if not match and (meant := _size(text)):
        family = spec.partition(":")[0]
        raise GameError(f"unknown game {shown(spec)}; did you mean '{family}:{meant}'?")
    sizes = (int(match[1]), int(match[2])) if match else (0, 0)
    if not all(1 <= size <= MOST_SIZE for size in sizes):
        raise GameError(
            f"{shown(spec)}: expected {first} x {second}, two whole numbers from 1 to {MOST_SIZE}, "
            "such as 4x6"
        )
    return sizes
