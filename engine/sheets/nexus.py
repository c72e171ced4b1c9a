"""NEXUS, the commonest format of matrices of taxa and characters: blocks TAXA, CHARACTERS (or DATA), NOTES.

D. R. Maddison, D. L. Swofford, W. P. Maddison, NEXUS: an extensible file format for systematic information,
Systematic Biology 46 (1997).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ..errors import GameError, shown
from .coded import Character, Item, coded_sheet
from .nexus_commands import Block, Command, blocks_of, label_of, labels_in, listed, unquoted
from .sheet import Sheet
from .text import decoded

_USUAL = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
"""The symbols of states, in their order, where the file does not say."""
_NOT_READ = {
    "TRANSPOSE": "characters in rows",
    "TOKENS": "states as words",
    "NOLABELS": "rows without the names of taxa",
}
_MIXED = re.compile(r"([A-Z]+):([0-9]{1,6})-([0-9]{1,6})")
MOST_CHARACTERS = 100_000
MOST_NOTE_PARTS = 100_000
Cell = frozenset[str] | None
"""The symbols of the states of a taxon; empty: the character does not apply; None: unknown."""


def read_nexus(source: str, data: bytes) -> Sheet:
    """Return the first matrix of standard data: taxa, characters and states by their labels.

    ``(01)`` and ``{01}`` are sets of states, the sign of gaps says that a character does not apply, that of
    missing data that nothing is known. Notes of taxa and characters are kept. Raises GameError that names the
    line.
    """
    text, encoding = decoded(data, source)
    blocks = [*blocks_of(source, text)]
    said = ["NEXUS", *encoding]
    matrices = [block for block in blocks if block.name in ("CHARACTERS", "DATA") and block.has("MATRIX")]
    if not matrices:
        raise GameError(f"{source}: no block CHARACTERS or DATA with a MATRIX; expected one in a NEXUS file")
    standard = [block for block in matrices if _Format(block.first("FORMAT")).is_standard]
    if not standard:
        own = matrices[0].first("FORMAT")
        assert own is not None  # else it would be standard data
        raise own.wrong(f"DATATYPE={_Format(own).datatype}; expected STANDARD, as matrices of morphology are")
    if len(matrices) > 1:
        said.append(f"matrices left out: {len(matrices) - 1}")
    taxa = next((block for block in blocks if block.name == "TAXA"), None)
    own_taxa = standard[0].first("TAXLABELS") or (taxa.first("TAXLABELS") if taxa else None)
    matrix = _Matrix(source, standard[0], labels_in(own_taxa) if own_taxa else [])
    notes = [command for block in blocks if block.name == "NOTES" for command in block.commands]
    return matrix.sheet(notes, said)


class _Format:
    """What the command FORMAT says of a matrix."""

    def __init__(self, command: Command | None) -> None:
        words = {word: unquoted(value) for word, value in command.pairs()} if command else {}
        self.command = command
        self.datatype = words.get("DATATYPE", "STANDARD").upper()
        self.missing = words.get("MISSING", "?")
        self.gap = words.get("GAP", "-")
        self.match = words.get("MATCHCHAR", "")
        self.interleaved = words.get("INTERLEAVE", "NO").upper() in ("", "YES", "Y")
        self.symbols, self.free = _symbols(words.get("SYMBOLS", "")), "SYMBOLS" not in words
        self.respects_case = "RESPECTCASE" in words
        self.mixed = _MIXED.findall(self.datatype) if self.datatype.startswith("MIXED") else []
        self.equal = dict(re.findall(r"(\S)\s*=\s*(\([^)]*\)|\{[^}]*\}|\S)", words.get("EQUATE", "")))
        self.refused = next((word for word in _NOT_READ if words.get(word, "NO").upper() != "NO"), "")

    @property
    def is_standard(self) -> bool:
        """Whether the matrix has standard data, perhaps beside others."""
        return self.datatype == "STANDARD" or any(kind == "STANDARD" for kind, _, _ in self.mixed)

    def others(self, many: int) -> set[int]:
        """Return the characters, from 0, of a mixed matrix that are of other data."""
        standard = [(int(first), int(last)) for kind, first, last in self.mixed if kind == "STANDARD"]
        if not standard:
            return set()
        return {c for c in range(many) if not any(first <= c + 1 <= last for first, last in standard)}

    def state(self, sign: str) -> str:
        """Return the symbol of a state, in the case that the file declares; empty for none."""
        if sign in self.symbols:
            return sign
        other = sign.swapcase()
        return other if other in self.symbols and not self.respects_case else ""


def _symbols(text: str) -> str:
    """Return the symbols that a file declares, such as ``0 1 2`` or ``0~5``; the usual ones for none."""
    plain = re.sub(r"[\s,\"']+", "", text)

    def between(found: re.Match[str]) -> str:
        first, last = (_USUAL.find(sign) for sign in found.groups())
        return _USUAL[first : last + 1] if 0 <= first <= last else found[0]

    return "".join(dict.fromkeys(re.sub(r"(.)~(.)", between, plain))) or _USUAL


@dataclass
class _Row:
    """A taxon of a matrix: where its row begins, its name, and its cells."""

    line: int
    name: str
    cells: list[Cell] = field(default_factory=list)


class _Matrix:
    """A matrix of standard data."""

    def __init__(self, source: str, block: Block, taxa: Sequence[str]) -> None:
        self.source = source
        self.block = block
        self.taxa = taxa
        self.format = _Format(block.first("FORMAT"))
        self.matrix = block.first("MATRIX")
        assert self.matrix is not None
        if self.format.refused and self.format.command:
            what = _NOT_READ[self.format.refused]
            raise self.format.command.wrong(
                f"FORMAT {self.format.refused} ({what}) is not read; expected a row for each taxon, "
                "which begins with its name"
            )
        self.many = self._count()
        self.others = self.format.others(self.many)

    def _count(self) -> int:
        """Return how many characters there are."""
        command = self.block.first("DIMENSIONS")
        text = dict(command.pairs()).get("NCHAR", "") if command else ""
        if not re.fullmatch("[0-9]{1,6}", text, re.ASCII) or not 0 < int(text) <= MOST_CHARACTERS:
            place = command or self.matrix
            assert place is not None
            raise place.wrong(
                f"NCHAR={text or 'nothing'}; expected DIMENSIONS NCHAR=, the number of characters"
            )
        return int(text)

    def sheet(self, notes: Sequence[Command], said: list[str]) -> Sheet:
        """Return the sheet; `notes` are the commands of the block NOTES."""
        rows = self._rows()
        names = self._names()
        states = self._states()
        eliminated = self._eliminated() - self.others
        kept = [c for c in range(self.many) if c not in eliminated | self.others]
        for what, some in (("other data", self.others), ("ELIMINATE", eliminated)):
            if some:
                said.append(f"characters of {what} left out: {len(some)}")
        used = [self._used(rows, c) for c in range(self.many)]
        of_characters, of_taxa = _notes(notes, names, [row.name for row in rows], self.taxa)
        characters = [
            Character(
                f"{self.source} character {c + 1}",
                [names[c] or f"character {c + 1}", f"{names[c]} (character {c + 1})"],
                [[states[c].get(sign) or sign] for sign in used[c]],
                note=of_characters.get(c, ""),
            )
            for c in kept
        ]
        items = []
        for i, row in enumerate(rows):
            coded = {
                n: {used[c].index(sign) for sign in cell}
                for n, c in enumerate(kept)
                if (cell := row.cells[c]) is not None
            }
            items.append(Item([row.name], "", coded, note=of_taxa.get(i, "")))
        without = len(self.taxa) - len(rows)
        if without > 0:
            said.append(f"taxa without a row left out: {without}")
        return coded_sheet(self.source, characters, items, said)

    def _used(self, rows: Sequence[_Row], c: int) -> list[str]:
        """Return the symbols that a character has in some row, in their order."""
        found = {sign for row in rows for sign in row.cells[c] or ()}
        return sorted(found, key=lambda sign: self.format.symbols.find(sign))

    # -- labels ------------------------------------------------------------------------------------------

    def _names(self) -> list[str]:
        """Return the labels of characters, empty where there is none."""
        names = [""] * self.many
        if plain := self.block.first("CHARLABELS"):
            for c, label in enumerate(labels_in(plain)[: self.many]):
                names[c] = label
        if both := self.block.first("CHARSTATELABELS"):
            for c, name, _ in self._entries(both, named=True):
                names[c] = name
        return names

    def _states(self) -> list[dict[str, str]]:
        """Return for each character the labels of its states by their symbols."""
        found: list[dict[str, str]] = [{} for _ in range(self.many)]
        for word, named in (("STATELABELS", False), ("CHARSTATELABELS", True)):
            if command := self.block.first(word):
                for c, _, labels in self._entries(command, named=named):
                    pairs = zip(self.format.symbols, labels, strict=False)
                    found[c] = {sign: label for sign, label in pairs if label}
        return found

    def _entries(self, command: Command, *, named: bool) -> Iterator[tuple[int, str, list[str]]]:
        """Yield the number, from 0, the label and the states of each entry; raise GameError with its line."""
        for entry in command.parted(","):
            number, *rest = entry
            if not re.fullmatch("[0-9]{1,6}", number.text, re.ASCII) or not 0 < int(number.text) <= self.many:
                raise command.wrong(
                    f"{shown(number.text)}; expected the number of a character, from 1 to {self.many}",
                    number.start,
                )
            texts = [token.text for token in rest]
            parted = texts.index("/") if "/" in texts else len(texts) if named else -1
            name = " ".join(label_of(text) for text in texts[: max(parted, 0)])
            yield int(number.text) - 1, name, [label_of(text) for text in texts[parted + 1 :]]

    def _eliminated(self) -> set[int]:
        command = self.block.first("ELIMINATE")
        return {number - 1 for number in listed(command, self.many)} if command else set()

    # -- rows --------------------------------------------------------------------------------------------

    def _rows(self) -> list[_Row]:
        """Return the rows of the matrix; raise GameError with the line of what does not fit."""
        assert self.matrix is not None
        rows: dict[str, _Row] = {}
        scan = _Scan(self.matrix)
        known = {name.casefold(): name for name in self.taxa}
        while scan.skip(lines=True):
            line, text = scan.line, scan.label()
            name = known.get(text.casefold(), text)
            if known and text.casefold() not in known:
                raise self.matrix.wrong(f"a taxon {shown(text)}, which is none of TAXLABELS", at=scan.start)
            row = rows.get(name)
            if row is None:
                row = rows[name] = _Row(line, name)
            elif not self.format.interleaved:
                raise self.matrix.wrong(
                    f"a second row of {shown(name)}; expected one, or FORMAT INTERLEAVE", at=scan.start
                )
            while len(row.cells) < self.many and scan.skip(lines=not self.format.interleaved):
                row.cells.append(self._cell(scan, row, rows))
            if len(row.cells) == self.many and (
                scan.joined or (self.format.interleaved and scan.skip(lines=False))
            ):
                raise scan.wrong(f"more than NCHAR={self.many} characters of {shown(name)}")
        for row in rows.values():
            if len(row.cells) < self.many:
                raise GameError(
                    f"{self.source} line {row.line}: {len(row.cells)} characters of {shown(row.name)}; "
                    f"expected NCHAR={self.many}"
                )
        if not rows:
            raise self.matrix.wrong("no rows; expected one for each taxon")
        return list(rows.values())

    def _cell(self, scan: _Scan, row: _Row, rows: Mapping[str, _Row]) -> Cell:
        """Return the next cell of a row."""
        text = scan.cell()
        text = self.format.equal.get(text, text)
        if text == self.format.missing or len(row.cells) in self.others:
            return None
        if text == self.format.gap:
            return frozenset()
        if text == self.format.match:
            first = next(iter(rows.values()))
            if first is not row and len(first.cells) > len(row.cells):
                return first.cells[len(row.cells)]
        signs = re.sub(r"[\s,]", "", text[1:-1]) if text[0] in "({" else text
        signs = re.sub(r"(.)~(.)", lambda found: _symbols(found[0]), signs)
        if self.format.missing in signs:
            return None
        found = frozenset(self.format.state(sign) for sign in signs if sign != self.format.gap)
        if "" in found or not signs:
            wanted = "a letter or a digit" if self.format.free else f"SYMBOLS {shown(self.format.symbols)}"
            raise scan.wrong(
                f"{shown(text)} is character {len(row.cells) + 1} of {shown(row.name)}; expected {wanted}, "
                f"{shown(self.format.missing)} or {shown(self.format.gap)}"
            )
        return found


class _Scan:
    """Reads a matrix from its beginning to its end."""

    def __init__(self, command: Command) -> None:
        self._command = command
        self._text = command.text
        self._at = 0
        self.start = 0

    @property
    def line(self) -> int:
        """The line of what comes next."""
        return self._command.line_at(self._at)

    def skip(self, *, lines: bool) -> bool:
        """Go on to what comes next, in this line or in any; return whether there is something."""
        found = (_SPACE if lines else _BLANK).match(self._text, self._at)
        assert found is not None  # it may be empty
        self._at = found.end()
        return self._at < len(self._text) and self._text[self._at] not in "\r\n"

    @property
    def joined(self) -> bool:
        """Whether something follows without a space."""
        return self._text[self._at : self._at + 1].strip() != ""

    def label(self) -> str:
        """Return the name of a taxon."""
        self.start = self._at
        found = _LABEL.match(self._text, self._at)
        assert found is not None
        self._at = found.end()
        return label_of(found[0])

    def cell(self) -> str:
        """Return a sign, or several in brackets; raise GameError for brackets that are not closed."""
        self.start = self._at
        sign = self._text[self._at]
        if sign not in "({":
            self._at += 1
            return sign
        end = self._text.find(")" if sign == "(" else "}", self._at)
        inside = self._text[self._at + 1 : end]
        if end < 0 or re.search(r"[({})]", inside) or len(inside) > 200:
            raise self.wrong(f"a bracket {shown(sign)} that is not closed after a few states")
        self._at = end + 1
        return f"{sign}{inside}{self._text[end]}"

    def wrong(self, what: str) -> GameError:
        """Return the error of what was read last, with its line."""
        return self._command.wrong(what, at=self.start)


_SPACE = re.compile(r"\s*")
_BLANK = re.compile(r"[^\S\r\n]*")
_LABEL = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"|\S+")


def _notes(
    commands: Sequence[Command], names: Sequence[str], taxa: Sequence[str], numbered: Sequence[str]
) -> tuple[dict[int, str], dict[int, str]]:
    """Return the notes of characters and of taxa in the commands TEXT of a block NOTES, by their place.

    Those of a taxon in a character, of states and of the file are left out.
    """
    found: tuple[dict[int, str], dict[int, str]] = ({}, {})
    places = (
        {name.casefold(): c for c, name in enumerate(names) if name},
        {name.casefold(): i for i, name in enumerate(taxa)},
    )
    order = (list(range(len(names))), [places[1].get(name.casefold(), -1) for name in numbered or taxa])
    for command in commands[:MOST_NOTE_PARTS]:
        if command.name != "TEXT":
            continue
        words = dict(command.pairs())
        named = [words.get("CHARACTER", ""), words.get("TAXON", "")]
        if "STATE" in words or not words.get("TEXT") or bool(named[0]) == bool(named[1]):
            continue
        side = 0 if named[0] else 1
        own = named[side]
        number = int(own) - 1 if re.fullmatch("[0-9]{1,6}", own, re.ASCII) else -1
        at = (
            order[side][number]
            if 0 <= number < len(order[side])
            else places[side].get(label_of(own).casefold(), -1)
        )
        if at >= 0:
            text = " ".join(label_of(words["TEXT"]).replace("^n", " ").split())
            found[side][at] = f"{found[side][at]} {text}" if at in found[side] else text
    return found
