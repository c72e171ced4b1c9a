"""SDD, the structured descriptive data of TDWG: an XML of characters, states, taxa and what is coded of them.

G. Hagedorn, K. Thiele, R. Morris, P. B. Heidorn, Structured Descriptive Data (SDD), version 1.1, TDWG 2006.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator

from ..errors import GameError, shown
from .coded import Character, Item, coded_sheet
from .sheet import Sheet

_NOT_APPLICABLE = {"notapplicable", "inapplicable"}


class _Builder(ET.TreeBuilder):
    """Builds a tree without names of entities, which could make it as large as they like."""

    def doctype(self, name: str, _public: str | None, _system: str | None) -> None:
        """Refuse a document type."""
        raise ValueError(f"a document type {shown(name)}; expected SDD, which has none")


def read_sdd(source: str, data: bytes) -> Sheet:
    """Return the categorical characters of an SDD file, and the taxa that are coded by them.

    Several states are a set; a character that does not apply is said to be so by its status, or by states of
    others in a character tree. Raises GameError that names the line of what is no SDD.
    """
    parser = ET.XMLParser(target=_Builder())
    try:
        root = ET.fromstring(data, parser)
    except (ET.ParseError, LookupError) as error:
        raise GameError(f"{source}: no XML that can be read ({error}); expected SDD, .xlsx or CSV") from None
    except ValueError as error:
        raise GameError(f"{source}: {error}") from None
    for element in root.iter():
        element.tag = str(element.tag).rpartition("}")[2]
    first = root.find("Dataset")
    if root.tag != "Datasets" or first is None:
        raise GameError(f"{source} is XML of {shown(root.tag)}; expected SDD, or the table as .xlsx or CSV")
    return _Dataset(source, first).sheet()


def _label(element: ET.Element) -> str:
    """Return the label of what an element represents, on one line."""
    found = element.find("Representation/Label")
    return " ".join("".join(found.itertext()).split()) if found is not None else ""


class _Dataset:
    """A data set of SDD."""

    def __init__(self, source: str, root: ET.Element) -> None:
        self.source = source
        self.root = root
        concepts = root.iterfind("DescriptiveConcepts/DescriptiveConcept/ConceptStates/StateDefinition")
        self.shared = {state.get("id", ""): _label(state) for state in concepts}
        found = [*root.iterfind("Characters/CategoricalCharacter")]
        self.numbers = {own.get("id", ""): c for c, own in enumerate(found)}
        self.states = [self._states(own) for own in found]
        self.characters = [
            Character(
                f"{source} character {own.get('id', '')!r}",
                [_label(own)],
                [[label] for label in states.values()],
            )
            for own, states in zip(found, self.states, strict=True)
        ]

    def sheet(self) -> Sheet:
        """Return the sheet."""
        said = ["SDD"]
        others = sum(
            len(self.root.findall(f"Characters/{kind}Character"))
            for kind in ("Quantitative", "Text", "Sequence")
        )
        if others:
            said.append(f"characters without states left out: {others}")
        names = {name.get("id", ""): _label(name) for name in self.root.iterfind("TaxonNames/TaxonName")}
        controls = [*self._controls()]
        items = []
        for coded in self.root.iterfind("CodedDescriptions/CodedDescription"):
            scope = coded.find("Scope/TaxonName")
            taxon = names.get(scope.get("ref", ""), "") if scope is not None else ""
            states = self._coded(coded)
            for c, when, controlled, needed in controls:
                own = states.get(c)
                if own and (not own & when if needed else own <= when):
                    states.update((other, set()) for other in controlled if other not in states)
            items.append(Item([_label(coded) or taxon, f"{_label(coded)} ({taxon})"], "", states))
        if not items or not self.characters:
            raise GameError(
                f"{self.source}: no coded descriptions of taxa; expected some with categorical characters"
            )
        return coded_sheet(self.source, self.characters, items, said)

    def _states(self, character: ET.Element) -> dict[str, str]:
        """Return the labels of the states of a character by their names."""
        states = {}
        for state in character.iterfind("States/*"):
            if state.tag == "StateDefinition":
                states[state.get("id", "")] = _label(state)
            elif state.tag == "StateReference":
                states[state.get("ref", "")] = self.shared.get(state.get("ref", ""), "")
        return states

    def _coded(self, description: ET.Element) -> dict[int, set[int]]:
        """Return the states, from 0, by character of a description."""
        coded: dict[int, set[int]] = {}
        for own in description.iterfind("SummaryData/Categorical"):
            c = self.numbers.get(own.get("ref", ""))
            if c is None:
                raise GameError(
                    f"{self.source}: a description of the character {own.get('ref')!r}, which is not there"
                )
            order = {name: i for i, name in enumerate(self.states[c])}
            found = {state.get("ref", "") for state in own.iterfind("State")}
            if not found <= set(order):
                missing = min(found - set(order))
                raise GameError(f"{self.source}: character {own.get('ref')!r} has no state {missing!r}")
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
