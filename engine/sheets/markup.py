"""XML as it is read here: without names of entities, which could make it as large as they like."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from ..errors import GameError, shown


class _Builder(ET.TreeBuilder):
    """Builds a tree, and refuses a document type, which alone could name entities."""

    def doctype(self, name: str, _public: str | None, _system: str | None) -> None:
        """Refuse a document type."""
        raise ValueError(f"a document type {shown(name)}; expected none")


def read_markup(source: str, data: bytes, expected: str) -> ET.Element:
    """Return the root of some XML, whose names are without namespaces; raise GameError for what is none.

    `expected` says in the error what may stand in the file.
    """
    try:
        root = ET.fromstring(data, ET.XMLParser(target=_Builder()))
    except (ET.ParseError, LookupError) as error:
        raise GameError(f"{source}: no XML that can be read ({error}); expected {expected}") from None
    except ValueError as error:
        raise GameError(f"{source}: {error}") from None
    for element in root.iter():
        element.tag = str(element.tag).rpartition("}")[2]
    return root
