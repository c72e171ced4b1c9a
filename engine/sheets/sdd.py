"""SDD, the structured descriptive data of TDWG: an XML of characters, states, taxa and what is coded of them.

G. Hagedorn, K. Thiele, R. Morris, P. B. Heidorn, Structured Descriptive Data (SDD), version 1.1, TDWG 2006.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator
from xml.parsers import expat

from ..errors import GameError, shown
from .beside import looks_like_pictures
from .coded import Character, Item, coded_sheet
from .sheet import Sheet

_NOT_APPLICABLE = {"notapplicable", "inapplicable"}
_PREFIXES = {"nano": "n", "micro": "µ", "milli": "m", "centi": "c", "deci": "d", "kilo": "k"}
_MEASURES = {
    "Min",
    "Max",
    "UMethLower",
    "UMethUpper",
    "Mean",
    "ObserverEstLower",
    "ObserverEstUpper",
    "Mode",
    "Median",
}
"""Measures of what is seen; others count, or say how it varies."""
MOST_DEEP = 100
"""Elements inside each other; those of SDD are a dozen."""


class _Located(ET.Element):
    """An element that knows its line."""

    line = 0


def _parsed(source: str, data: bytes) -> ET.Element:
    """Return the tree of an XML file, without namespaces; raise GameError with the line of what is none.

    Names of entities, which could make it as large as they like, come with a document type, which is refused.
    """
    builder = ET.TreeBuilder(element_factory=_Located)
    parser = expat.ParserCreate(namespace_separator="}")
    parser.buffer_text = True
    deep = 0

    def doctype(name: str, *_: object) -> None:
        raise GameError(f"{source}: a document type {shown(name)}; expected SDD, which has none")

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal deep
        deep += 1
        if deep > MOST_DEEP:
            raise GameError(
                f"{source} line {parser.CurrentLineNumber}: more than {MOST_DEEP} elements in each other; "
                "expected SDD"
            )
        made = builder.start(tag.rpartition("}")[2], attributes)
        assert isinstance(made, _Located)
        made.line = parser.CurrentLineNumber

    def end(tag: str) -> None:
        nonlocal deep
        deep -= 1
        builder.end(tag.rpartition("}")[2])

    parser.StartDoctypeDeclHandler = doctype
    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = builder.data
    try:
        parser.Parse(data, True)
    except (expat.ExpatError, LookupError, ValueError) as error:
        if isinstance(error, GameError):
            raise
        raise GameError(f"{source}: no XML that can be read ({error}); expected SDD, .xlsx or CSV") from None
    return builder.close()


def read_sdd(source: str, data: bytes) -> Sheet:
    """Return the categorical characters of an SDD file, and the taxa that are coded by them.

    It is the first data set with coded descriptions. Several states are a set; a character that does not
    apply is said to be so by its status, or by states of others in a character tree. Details and pictures of
    characters and taxa are kept. Raises GameError that names the line of what is no SDD.
    """
    root = _parsed(source, data)
    found = root.findall("Dataset")
    if root.tag != "Datasets" or not found:
        raise GameError(f"{source} is XML of {shown(root.tag)}; expected SDD, or the table as .xlsx or CSV")
    coded = [one for one in found if one.find("CodedDescriptions/CodedDescription") is not None]
    return _Dataset(source, coded[0] if coded else found[0], left_out=max(len(coded) - 1, 0)).sheet()


def _number(source: str, element: ET.Element, name: str) -> float:
    """Return a number in an attribute; raise GameError with its line for none."""
    text = element.get(name, "")
    if not re.fullmatch(r"[+-]?(\d{1,30}\.?\d{0,30}|\.\d{1,30})([eE][+-]?\d{1,2})?", text.strip(), re.ASCII):
        raise GameError(f"{_line(source, element)}: {name}={shown(text)}; expected a number")
    return float(text)


def _line(source: str, element: ET.Element) -> str:
    """Return where an element stands."""
    return f"{source} line {element.line}" if isinstance(element, _Located) else source


def _label(element: ET.Element, *, emphasis: bool = False) -> str:
    """Return the label of what an element represents, on one line, without markup.

    With `emphasis`, what is in italics stands between asterisks.
    """
    found = element.find("Representation/Label")
    text = " ".join("".join(found.itertext()).split()) if found is not None else ""
    if emphasis and "*" not in text:
        text = re.sub(r"<(i|em)>(.*?)</\1>", r"*\2*", text)
    return re.sub(r"</?[A-Za-z]+/?>", "", text).strip()


def _detail(element: ET.Element | None) -> str:
    """Return what is said of what an element represents, on one line, without markup."""
    texts = (
        ["".join(one.itertext()) for one in element.iterfind("Representation/Detail")]
        if element is not None
        else []
    )
    return " ".join(re.sub(r"</?[A-Za-z][^<>]*>", " ", " ".join(texts)).split())


class _Dataset:
    """A data set of SDD."""

    def __init__(self, source: str, root: ET.Element, left_out: int) -> None:
        self.source = source
        self.root = root
        self.left_out = left_out
        self.media = {
            media.get("id", ""): link.get("href", "")
            for media in root.iterfind("MediaObjects/MediaObject")
            if (link := media.find("Source")) is not None
        }
        concepts = root.iterfind("DescriptiveConcepts/DescriptiveConcept/ConceptStates/StateDefinition")
        self.shared = {state.get("id", ""): _label(state) for state in concepts}
        self.ranges = {
            own.get("id", ""): ranges
            for own in root.iterfind("Characters/QuantitativeCharacter")
            if (ranges := self._ranges(own))
        }
        found = [
            own
            for own in root.iterfind("Characters/*")
            if own.tag == "CategoricalCharacter" or own.get("id", "") in self.ranges
        ]
        self.numbers = {own.get("id", ""): c for c, own in enumerate(found)}
        self.states = [self._states(own) for own in found]
        self.characters = [
            Character(
                f"{_line(source, own)} character {own.get('id', '')!r}",
                [_label(own)],
                [[label] for label in states.values()],
                note=_detail(own),
                images=self._pictures([own]),
            )
            for own, states in zip(found, self.states, strict=True)
        ]

    def sheet(self) -> Sheet:
        """Return the sheet."""
        said = ["SDD"]
        if self.left_out:
            said.append(f"data sets left out: {self.left_out}")
        others = len(self.root.findall("Characters/*")) - len(self.characters)
        if others:
            said.append(f"characters without states left out: {others}")
        taxa = {name.get("id", ""): name for name in self.root.iterfind("TaxonNames/TaxonName")}
        controls = [*self._controls()]
        items = []
        for coded in self.root.iterfind("CodedDescriptions/CodedDescription"):
            scope = coded.find("Scope/TaxonName")
            own_name = taxa.get(scope.get("ref", "")) if scope is not None else None
            taxon = "" if own_name is None else _label(own_name, emphasis=True)
            label = _label(coded, emphasis=True)
            states = self._coded(coded)
            for c, when, controlled, needed in controls:
                own = states.get(c)
                if own and (not own & when if needed else own <= when):
                    states.update((other, set()) for other in controlled if other not in states)
            pictures = self._pictures([coded] if own_name is None else [coded, own_name])
            note = _detail(coded) or _detail(own_name)
            items.append(Item([label or taxon, f"{label} ({taxon})"], "", states, note=note, images=pictures))
        if not items or not self.characters:
            raise GameError(
                f"{self.source}: no coded descriptions of taxa; expected some with categorical characters"
            )
        return coded_sheet(self.source, self.characters, items, said)

    def _pictures(self, elements: Iterable[ET.Element]) -> str:
        """Return the files and links of the pictures of elements, parted by ``;``."""
        named = [
            self.media.get(media.get("ref", ""), "")
            for element in elements
            for media in element.iterfind("Representation/MediaObject")
        ]
        return "; ".join(dict.fromkeys(name.strip() for name in named if looks_like_pictures(name)))

    def _states(self, character: ET.Element) -> dict[str, str]:
        """Return the labels of the states of a character by their names."""
        mapped = self.ranges.get(character.get("id", ""), [])
        states = {name: label for name, label, _, _ in mapped}
        for state in character.iterfind("States/*"):
            if state.tag == "StateDefinition":
                states[state.get("id", "")] = _label(state)
            elif state.tag == "StateReference":
                states[state.get("ref", "")] = self.shared.get(state.get("ref", ""), "")
        return states

    def _ranges(self, character: ET.Element) -> list[tuple[str, str, float, float]]:
        """Return the states that numbers of a character are mapped to: name, label, from and below what."""
        unit = character.find("MeasurementUnit/Label")
        prefix = character.find("Default/MeasurementUnitPrefix")
        short = _PREFIXES.get((prefix.text or "") if prefix is not None else "", "")
        named = f" {short}{unit.text}" if unit is not None and unit.text else ""
        found = []
        for mapping in character.iterfind("Mappings/Mapping"):
            ends, state = mapping.find("From"), mapping.find("ToState")
            if ends is None or state is None:
                continue
            low, high = _number(self.source, ends, "lower"), _number(self.source, ends, "upper")
            own = self.shared.get(state.get("ref", "")) or f"{low:g} to {high:g}{named}"
            found.append((state.get("ref", "") or own, own, low, high))
        return found

    def _measured(self, own: ET.Element) -> set[int]:
        """Return the states, from 0, that the measures of a character meet."""
        values = [
            _number(self.source, measure, "value")
            for measure in own.iterfind("Measure")
            if measure.get("type") in _MEASURES
        ]
        ranges = self.ranges[own.get("ref", "")]
        return {
            i
            for i, (_, _, low, high) in enumerate(ranges)
            if values and min(values) < high and max(values) >= low
        }

    def _coded(self, description: ET.Element) -> dict[int, set[int]]:
        """Return the states, from 0, by character of a description."""
        coded: dict[int, set[int]] = {}
        for own in description.iterfind("SummaryData/Quantitative"):
            if own.get("ref") in self.ranges and (met := self._measured(own)):
                coded[self.numbers[own.get("ref", "")]] = met
        for own in description.iterfind("SummaryData/Categorical"):
            c = self.numbers.get(own.get("ref", ""))
            if c is None:
                raise GameError(
                    f"{_line(self.source, own)}: a description of the character {own.get('ref')!r}, which is "
                    "not there"
                )
            order = {name: i for i, name in enumerate(self.states[c])}
            found = {state.get("ref", "") for state in own.iterfind("State")}
            if not found <= set(order):
                missing = min(found - set(order))
                raise GameError(
                    f"{_line(self.source, own)}: character {own.get('ref')!r} has no state {missing!r}"
                )
            status = {status.get("code", "").lower() for status in own.iterfind("Status")}
            if found or status & _NOT_APPLICABLE:
                coded.setdefault(c, set()).update(order[name] for name in found)
        return coded

    def _controls(self) -> Iterator[tuple[int, set[int], list[int], bool]]:
        """Yield the character and states by which others do not apply, or do only if they are `needed`."""
        owner = {name: (c, i) for c, states in enumerate(self.states) for i, name in enumerate(states)}
        for tree in self.root.iterfind("CharacterTrees/CharacterTree/Nodes"):
            for node in tree:
                below = [self.numbers[ref] for ref in _characters_below(tree, node) if ref in self.numbers]
                for kind, needed in (("InapplicableIf", False), ("OnlyApplicableIf", True)):
                    when: dict[int, set[int]] = {}
                    for state in node.iterfind(f"DependencyRules/{kind}/State"):
                        if state.get("ref") in owner:
                            c, i = owner[state.get("ref", "")]
                            when.setdefault(c, set()).add(i)
                    for c, states in when.items():
                        yield c, states, below, needed


def _characters_below(tree: ET.Element, node: ET.Element) -> list[str]:
    """Return the names of the characters at a node of a tree and at all nodes below it."""
    found, nodes = [], [node]
    for at in nodes:  # which grows
        found += [own.get("ref", "") for own in at.iterfind("Character")]
        nodes += [
            other for other in tree for up in other.iterfind("Parent") if up.get("ref") == at.get("id", ".")
        ]
        if len(nodes) > len(tree):
            break  # a circle
    return found
