"""DELTA, the description language for taxonomy: its characters and items, as its program KEY takes them.

M. J. Dallwitz, T. A. Paine, E. J. Zurcher, User's guide to the DELTA system: a general system for processing
taxonomic descriptions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from ..errors import shown
from .beside import looks_like_pictures
from .coded import Character, Item, coded_sheet
from .directives import (
    Directive,
    commented,
    names_of,
    numbers,
    plain_text,
    read_directives,
    remark_entries,
    uncommented,
)
from .sheet import Sheet

_NUMERIC = ("IN", "RN")


def read_delta(path: str, files: Sequence[tuple[str, bytes]]) -> Sheet:
    """Return the characters and items of the files of a data set of DELTA, by their names.

    Polymorphic characters are sets of states; uncoded ones have their implicit state, are not applicable if
    the states of a character that controls them say so, or else are unknown. Numeric characters need *KEY
    STATES. Notes and pictures of characters and of items are kept. A reliability r costs 1.4^(5 - r), an
    abundance a weighs 2^(a - 5), if *RBASE and *ABASE say nothing else. Raises GameError that names file and
    line.
    """
    found, said = read_directives(path, files)
    return _Delta(repr(path), found, ["DELTA", *said]).sheet()


@dataclass
class _Coded:
    """A character as DELTA describes it, before the states of a key are made of it."""

    place: Directive
    names: list[str]
    states: list[list[str]]
    unit: str
    kind: str = "UM"
    keys: list[str] = field(default_factory=list)


Value = set[int] | list[tuple[float, float]] | None
"""The states of a multistate character, from 1, or intervals of a numeric one; None: unknown; empty: none."""


class _Delta:
    """The data set of some directives."""

    def __init__(self, source: str, found: dict[str, Directive], said: list[str]) -> None:
        self.source = source
        self.found = found
        self.said = said
        self.characters = self._characters()
        self.many = len(self.characters)
        for c, kind in self._pairs("types", self.many):
            self.characters[c].kind = kind.upper()
        for c, keys in self._pairs("keys", self.many):
            self.characters[c].keys = keys.split("/")
        self.normal = set(self._numbers("normal", self.many))
        self.controls = self._controls()
        self.implicit = {
            c: self._checked("implicit", c, value.split(":")[0])
            for c, value in self._pairs("implicit", self.many)
        }

    def sheet(self) -> Sheet:
        """Return the sheet of the characters that make tests, and of the items."""
        tests = self._tests()
        pictures = self._taxon_images()
        items = [
            Item(names, weight, self._states(tests, cells), images=pictures.get(names[0], ""))
            for names, weight, cells in self._items()
        ]
        self.notes = self._by_character("notes")
        self.images = self._by_character("character images")
        base = self._base("rbase", 1.4)
        costs = {c: _power(base, 5 - float(r)) for c, r in self._pairs("reliabilities", self.many)}
        made = [self._character(c, costs.get(c, "")) for c in tests]
        return coded_sheet(self.source, made, items, self.said)

    # ------------------------------------------------------------------ directives

    def _pairs(self, name: str, most: int) -> Iterator[tuple[int, str]]:
        """Yield the numbers, from 0, and values of a directive of such pairs, ``1-3,OM``."""
        directive = self.found.get(name)
        for part in directive.data.split() if directive else ():
            assert directive is not None
            first, comma, value = part.partition(",")
            try:
                if not comma or not value:
                    raise ValueError(f"{shown(part)}; expected a number and its value, such as 3,2")
                if name in ("reliabilities", "abundances") and not re.fullmatch(r"\d+\.?\d*", value):
                    raise ValueError(f"{shown(part)}; expected a number from 0 to 10 after the comma")
                yield from ((number - 1, value) for number in numbers(first, most))
            except ValueError as error:
                raise directive.wrong(str(error)) from None

    def _numbers(self, name: str, most: int) -> list[int]:
        """Return the numbers, from 0, in a directive."""
        directive = self.found.get(name)
        if directive is None:
            return []
        try:
            return [number - 1 for number in numbers(directive.data, most)]
        except ValueError as error:
            raise directive.wrong(str(error)) from None

    def _kept(self, what: str, most: int) -> list[int]:
        """Return the numbers, from 0, of the characters or items that are included and not excluded."""
        kept = self._numbers(f"include {what}", most) or list(range(most))
        out = set(self._numbers(f"exclude {what}", most))
        if len(set(kept) - out) < most:
            self.said.append(f"{what} excluded: {most - len(set(kept) - out)}")
        return [number for number in kept if number not in out]

    def _base(self, name: str, usual: float) -> float:
        """Return the base of the powers that reliabilities or abundances stand for."""
        directive = self.found.get(name)
        if directive is None:
            return usual
        text = directive.data.strip()
        if not re.fullmatch(r"\d\.?\d*", text) or not 1 <= float(text) <= 5:
            raise directive.wrong(f"{shown(text)}; expected a number from 1 to 5")
        return float(text)

    def _controls(self) -> list[tuple[int, set[int], list[int]]]:
        """Return the characters that control others, with the states that make them not applicable."""
        controls = []
        for c, text in self._pairs("dependent", self.many):
            states, *others = text.split(":")
            try:
                controlled = [number - 1 for other in others for number in numbers(other, self.many)]
                when = {number for state in states.split("/") for number in numbers(state, 999)}
            except ValueError as error:
                raise self.found["dependent"].wrong(str(error)) from None
            controls.append((c, when, controlled))
        return controls

    # ------------------------------------------------------------------ characters and items

    def _described(self, name: str) -> Iterator[tuple[Directive, list[str]]]:
        """Yield the place and the parts, with comments, of each character or item: what begins with ``#``."""
        directive = self.found[name]
        for found in re.finditer(r"^[ \t]*#(.*?)(?=^[ \t]*#|\Z)", directive.data, re.DOTALL | re.MULTILINE):
            line = directive.line + directive.data.count("\n", 0, found.start(1))
            place = Directive(directive.path, line, "")
            try:
                parts = _parts(found[1])
            except ValueError as error:
                raise place.wrong(f"{shown(' '.join(found[1].split()))}: {error}") from None
            yield place, parts

    def _characters(self) -> list[_Coded]:
        """Return the characters of the list, which must be numbered 1, 2, ..."""
        characters: list[_Coded] = []
        for place, parts in self._described("characters"):
            number = re.match(r"\s*(\d+)\s*\.", parts[0])
            if not number or int(number[1]) != len(characters) + 1:
                raise place.wrong(f"{shown(' '.join(parts[0].split()))}; expected #{len(characters) + 1}.")
            coded = _Coded(place, [], [], "")
            try:
                coded.names = names_of(parts[0][number.end() :])
                for part in parts[1:]:
                    state = re.match(r"\s*(\d+)\s*\.\s", part)
                    if state and int(state[1]) == len(coded.states) + 1:
                        coded.states.append(names_of(part[state.end() :]))
                    elif part.strip() and coded.states:
                        raise ValueError(
                            f"{shown(' '.join(part.split()))}; expected state {len(coded.states) + 1}."
                        )
                    elif part.strip():
                        coded.unit = uncommented(part)[0]
            except ValueError as error:
                raise place.wrong(f"character {len(characters) + 1}: {error}") from None
            characters.append(coded)
        return characters

    def _items(self) -> list[tuple[list[str], str, dict[int, Value]]]:
        """Return the names, weight and values by character of the items that are kept."""
        items = []
        for place, parts in self._described("items"):
            try:
                names = names_of(re.sub(r"^\s*\d+\.\s", "", parts[0]), emphasis=True)
                if names[0].startswith("+"):
                    raise ValueError("a variant item; expected it to be described in full")
                items.append((names, self._attributes(" ".join(parts[1:]))))
            except ValueError as error:
                raise place.wrong(f"item {shown(' '.join(parts[0].split()))}: {error}") from None
        base = self._base("abase", 2)
        weights = {i: _power(base, float(a) - 5) for i, a in self._pairs("abundances", len(items))}
        return [
            (items[i][0], weights.get(i, "1" if weights else ""), items[i][1])
            for i in self._kept("items", len(items))
        ]

    def _attributes(self, text: str) -> dict[int, Value]:
        """Return the values of an item, also those that nothing but the other ones imply."""
        values: dict[int, Value] = {}
        for part in uncommented(text)[0].split():
            found = re.fullmatch(r"(\d+(?:-\d+)?)(?:,(\S*))?", part)
            if not found:
                raise ValueError(f"{shown(part)}; expected a character and its values, such as 3,1/2")
            for number in numbers(found[1], self.many):
                if found[2]:
                    values[number - 1] = self._value(number - 1, found[2])
        outside: set[int] = set()
        before = -1
        while before < len(outside):
            before = len(outside)
            for c, when, controlled in self.controls:
                own = values.get(c, self.implicit.get(c))
                if c in outside or (isinstance(own, set) and own and own <= when):
                    outside.update(other for other in controlled if other not in values)
        implied = {c: value for c, value in self.implicit.items() if c not in values and c not in outside}
        return {**implied, **{c: set[int]() for c in outside}, **values}

    def _checked(self, name: str, c: int, text: str) -> Value:
        """Return the value of a character in a directive."""
        try:
            return self._value(c, text)
        except ValueError as error:
            raise self.found[name].wrong(str(error)) from None

    def _value(self, c: int, text: str) -> Value:
        """Return the value of a character; raise ValueError for none.

        Several states, whether alternatives, intermediates or both at once, are a set of what may be seen.
        """
        own = self.characters[c]
        found: set[int] = set()
        intervals: list[tuple[float, float]] = []
        for part in text.split("/"):
            if part in ("U", "-") and len(part) < len(text):  # a state, or nothing that could be seen
                return None
            if part in ("U", "-", "V"):
                return {"U": None, "-": set[int](), "V": set(range(1, len(own.states) + 1))}[part]
            if own.kind in _NUMERIC:
                number = r"\d+\.?\d*|\.\d+"
                inner = re.sub(r"\([^)]*\)", "", part) if c in self.normal else part
                ends = [float(end) for end in re.findall(number, inner)]
                if not ends:
                    raise ValueError(f"{shown(f'{c + 1},{text}')}; expected numbers, such as 3-5(-7)")
                intervals.append((min(ends), max(ends)))
            elif own.states:
                for some in part.split("&"):
                    found.update(numbers(some, len(own.states)))
        return intervals if own.kind in _NUMERIC else found or None

    # ------------------------------------------------------------------ tests

    def _tests(self) -> list[int]:
        """Return the characters that make tests; say which do not."""
        numeric, text, tests = [], 0, []
        unreliable = {c for c, r in self._pairs("reliabilities", self.many) if float(r) == 0}
        for c in self._kept("characters", self.many):
            own = self.characters[c]
            if own.kind in _NUMERIC and not own.keys:
                numeric.append(c + 1)
            elif own.kind not in _NUMERIC and len(own.states) < 2:
                text += 1
            elif c not in unreliable:
                tests.append(c)
        if numeric:
            some = " ".join(map(str, numeric[:8])) + " ..." * (len(numeric) > 8)
            self.said.append(f"characters {some} left out (numbers without *KEY STATES)")
        if text:
            self.said.append(f"text characters left out: {text}")
        return tests

    def _states(self, tests: list[int], values: dict[int, Value]) -> dict[int, set[int]]:
        """Return the states, from 0, of an item in each test that it is known for."""
        states = {}
        for n, c in enumerate(tests):
            value = values.get(c)
            if value is None:
                continue
            found = set()
            for i, group in enumerate(self._groups(c)):
                if isinstance(group, set):
                    meets = isinstance(value, set) and bool(value & group)
                else:
                    meets = isinstance(value, list) and any(
                        low <= group[1] and group[0] <= high for low, high in value
                    )
                if meets:
                    found.add(i)
            if found or not value:
                states[n] = found
        return states

    def _groups(self, c: int) -> list[set[int] | tuple[float, float]]:
        """Return the states of the key that a character has: sets of its own states, or intervals."""
        own = self.characters[c]
        if not own.keys:
            return [{state} for state in range(1, len(own.states) + 1)]
        try:
            return [self._group(own, text) for text in own.keys]
        except ValueError as error:
            raise self.found["keys"].wrong(f"character {c + 1}: {error}") from None

    def _group(self, own: _Coded, text: str) -> set[int] | tuple[float, float]:
        """Return one state of a key; raise ValueError for none."""
        if own.kind not in _NUMERIC:
            return {number for some in text.split("&") for number in numbers(some, len(own.states))}
        number = r"(\d+\.?\d*|\.\d+)"
        found = re.fullmatch(rf"(~?){number}(?:-{number})?(~?)", text)
        if not found:
            raise ValueError(f"{shown(text)}; expected such as ~3, 3-5 or 5~")
        low, high = float(found[2]), float(found[3] or found[2])
        return (float("-inf") if found[1] else low, float("inf") if found[4] else high)

    def _character(self, c: int, cost: str) -> Character:
        """Return a test as it is printed."""
        own = self.characters[c]
        states = own.states
        if own.keys and own.kind in _NUMERIC:
            states = [[_interval(text, own.unit)] for text in own.keys]
        elif own.keys:
            groups = [sorted(group) for group in self._groups(c) if isinstance(group, set)]
            states = [[" or ".join(own.states[number - 1][0] for number in group)] for group in groups]
        place = f"{own.place.path!r} line {own.place.line}"
        return Character(place, own.names, states, cost, self.notes.get(c, ""), self.images.get(c, ""))

    # ------------------------------------------------------------------ notes and pictures

    def _by_character(self, name: str) -> dict[int, str]:
        """Return the notes, or the files of pictures, of characters by their numbers, from 0."""
        found: dict[int, str] = {}
        for place, head, text in (
            remark_entries(self.found[name], numbered=True) if name in self.found else ()
        ):
            try:
                own = [number - 1 for number in numbers(head, self.many)]
            except ValueError as error:
                raise place.wrong(str(error)) from None
            said = plain_text(text) if name == "notes" else _files_named(text)
            found.update((c, f"{found[c]} {said}" if c in found else said) for c in own)
        return found

    def _taxon_images(self) -> dict[str, str]:
        """Return the files of pictures of items by their names."""
        directive = self.found.get("taxon images")
        entries = remark_entries(directive, numbered=False) if directive else ()
        return {uncommented(head, emphasis=True)[0]: _files_named(text) for _, head, text in entries}


def _parts(text: str) -> list[str]:
    """Return the parts of a description; a slash ends one, but not inside a word or a comment."""
    parts, start = [], 0
    for i, (sign, depth) in enumerate(commented(text)):
        if sign == "/" and not depth and text[i + 1 : i + 2].strip() == "":
            parts.append(text[start:i])
            start = i + 1
    return [*parts, text[start:]]


def _files_named(text: str) -> str:
    """Return the names of the files of pictures in a text, parted by ``;``, without what overlays them."""
    names = re.sub(r"<[^<>]*>", " ", re.sub(r"<[^<>]*>", " ", text)).split()
    return "; ".join(name for name in names if looks_like_pictures(name))


def _interval(text: str, unit: str) -> str:
    """Return how a state of a key of numbers reads."""
    number = text.strip("~")
    words = f"up to {number}" if text.startswith("~") else number
    return f"{words} {unit}".strip() + " or more" * text.endswith("~")


def _power(base: float, exponent: float) -> str:
    """Return a power to four digits, as text."""
    return f"{Decimal(f'{base**exponent:.4g}'):f}"
