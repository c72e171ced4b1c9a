"""Bring the catalogues of the words of sheets and pages up to date, and compile them.

``python scripts/catalogue.py`` reads what the code says (`guesstree.trees.language`), adds what is new to
each .po file of `trees/locale`, takes out what is not said any more, and writes the .mo files.
``--add LANGUAGE`` begins one for another language. What it lacks is printed. Needs Babel.
"""

from __future__ import annotations

import argparse
import io
import re
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from guesstree.engine.notation import plurals
from guesstree.engine.objective import OBJECTIVES
from guesstree.trees.export.page.page import SAID
from guesstree.trees.language import CATALOGUES, DOMAIN

ROOT = Path(__file__).resolve().parent.parent
TREES = ROOT / "trees"
KEYWORDS = {"say": None, "to_say": None, "say_of": (2,), "says": (1, 2), "_of_language": ((1, "c"), 2)}
"""The functions whose arguments are in the catalogue, as Babel wants them."""
MADE = datetime(2000, 1, 1, tzinfo=UTC)
"""The date of all catalogues: what changes is in the history."""
NOUNS = (
    "secret guess cause test answer question fault failure error defect disease disorder illness "
    "diagnosis condition problem candidate suspect name animal plant tree bird fish insect mushroom "
    "mineral organism breed variety species taxon genus family kind word code number symptom "
    "character trait feature finding sign check measurement observation attribute property item "
    "query probe weighing examination exam criterion indicator descriptor clue task step cost price fee "
    "minute hour second day time duration effort"
)
"""What secrets, guesses and costs may be called; other nouns are people's own."""


def said() -> Catalog:
    """Return all that the code says in the language that is spoken, without translations."""
    found = _empty("")
    for word in NOUNS.split():
        found.add((word, plurals(word)), context=None)
    for objective in OBJECTIVES.values():
        for words in (objective.name, objective.proven, objective.proven_cost):
            found.add(words)
    for path in [*sorted(TREES.rglob("*.py")), ROOT / "guesstree" / "web" / "work" / "drawing.py"]:
        with path.open("rb") as file:
            for _, text, _, context in extract("python", file, keywords=KEYWORDS):
                found.add(text, context=context)
    for path in sorted(TREES.rglob("static/*.js")):
        for text, *forms in SAID.findall(path.read_text(encoding="utf-8")):
            found.add(text or tuple(forms))
    for path in sorted(TREES.rglob("page.html")):
        for text in re.findall(r"\[\[(.+?)\]\]", path.read_text(encoding="utf-8"), re.DOTALL):
            found.add(text)
    return found


def _empty(language: str) -> Catalog:
    return Catalog(
        locale=language or None, project="guesstree", version="", creation_date=MADE, revision_date=MADE
    )


def updated(text: str, language: str) -> Catalog:
    """Return a catalogue, given as the text of its .po file, with all that is said and nothing else."""
    old, new = read_po(io.StringIO(text), locale=language), _empty(language)
    for message in said():
        if message.id:
            known = old.get(first_of(message.id), message.context)
            new.add(message.id, known.string if known else "", context=message.context)
    return new


def missing(catalogue: Catalog) -> list[str]:
    """Return what a catalogue has no words for."""
    return [str(message.id) for message in catalogue if message.id and not all(all_forms(message.string))]


def all_forms(text: str | tuple[str, ...] | list[str] | None) -> list[str]:
    """Return the forms of a text of a catalogue, for one and for several."""
    return [text or ""] if text is None or isinstance(text, str) else list(text)


def first_of(text: str | tuple[str, ...] | list[str]) -> str:
    """Return a text of a catalogue in the form for one."""
    return text if isinstance(text, str) else text[0]


def as_po(catalogue: Catalog) -> bytes:
    """Return a catalogue as the bytes of its .po file; the same catalogue gives the same bytes."""
    file = io.BytesIO()
    write_po(file, catalogue, sort_output=True, width=110)
    return file.getvalue()


def compiled(po: bytes, language: str) -> bytes:
    """Return the .mo file of a .po file."""
    file = io.BytesIO()
    write_mo(file, read_po(io.BytesIO(po), locale=language))
    return file.getvalue()


def main() -> None:
    """Write the files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--add", metavar="LANGUAGE", help="begin a catalogue, such as fr")
    added = parser.parse_args().add
    paths = sorted(CATALOGUES.glob(f"*/*/{DOMAIN}.po"))
    if added:
        paths.append(CATALOGUES / added / "LC_MESSAGES" / f"{DOMAIN}.po")
    for path in paths:
        language = path.parent.parent.name
        catalogue = updated(path.read_text(encoding="utf-8") if path.exists() else "", language)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(as_po(catalogue))
        path.with_suffix(".mo").write_bytes(compiled(path.read_bytes(), language))
        print(f"{language}: {len(catalogue)} entries, without words: {missing(catalogue) or 'none'}")


if __name__ == "__main__":
    main()
