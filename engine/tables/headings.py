"""What people write above and beside their tables: names of tests, causes, answers, costs and weights."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal

from ..exact import UNITS
from ..notation import plurals
from ..sheets.sheet import Side

Kind = Literal["", "cost", "weight", "test", "cause", "answer"]

_WORDS: dict[Kind, tuple[str, str]] = {
    "cost": (
        "cost price fee minutes minute min mins hours seconds time duration effort",
        "kosten preis dauer zeit minuten stunden sekunden aufwand zeitaufwand arbeitszeit prüfzeit "
        "coût cout prix durée temps coste costo precio tiempo duración eur usd gbp chf € $ £",
    ),
    "weight": (
        "weight probability prior frequency prevalence likelihood abundance",
        "gewicht wahrscheinlichkeit häufigkeit prävalenz "
        "poids probabilité fréquence prévalence peso probabilidad frecuencia prevalencia",
    ),
    "test": (
        "test guess question symptom character trait feature finding sign check measurement observation "
        "attribute property item query probe examination exam criterion indicator descriptor clue task",
        "frage prüfung merkmal befund messung kriterium eigenschaft aufgabe anzeichen "
        "essai symptôme caractère signe mesure critère prueba síntoma pregunta carácter signo",
    ),
    "cause": (
        "cause secret species taxon genus family kind fault failure defect disease disorder illness "
        "diagnosis condition misconception problem candidate suspect name animal plant tree bird fish insect "
        "mushroom mineral organism breed variety taxon",
        "ursache art fehler störung defekt krankheit diagnose gattung pflanze tier baum vogel pilz "
        "espèce maladie panne défaut nom causa especie enfermedad fallo avería nombre",
    ),
    "answer": (
        "answer outcome result response value state reading",
        "antwort ergebnis wert zustand réponse résultat valeur état respuesta resultado valor estado",
    ),
}
"""English words, and some of other languages, of which no nouns are made: these have other plurals."""
_SPELLED = {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"}
"""How German letters are written where there are none."""
_FOREIGN = {
    written: kind
    for kind, (_, words) in _WORDS.items()
    for word in words.split()
    for written in (word, re.sub("[äöüß]", lambda found: _SPELLED[found[0]], word))
}
_ENGLISH = {word: kind for kind, (words, _) in _WORDS.items() for word in words.split()}
_SINGULAR = {plurals(word): word for word in _ENGLISH}
_KINDS: dict[str, Kind] = _FOREIGN | {plural: _ENGLISH[word] for plural, word in _SINGULAR.items()} | _ENGLISH
_NAMED = re.compile(r"(.+?)(?:\s*[(\[]([^)\]]*)[)\]]|\s+in\s+(\S+)|,\s*(\S+))?\s*[:?]?")
_PLAIN = re.compile("[A-Za-z][A-Za-z -]{2,29}")
_PROPER_UNITS = {
    "": "",
    "%": "%",
    "percent": "%",
    "prozent": "%",
    "n": "",
}
_MAY_BE_TESTS = re.compile(
    "price|time|duration|frequency|abundance|preis|zeit|dauer|h(?:ä|ae)ufigkeit|prix|temps|durée|fréquence|precio|tiempo|duración|"
    "frecuencia|eur|usd|gbp|chf|[€$£]"
)
"""What a thing may be asked for, too: its price, how long it lasts."""
_NO_NOUNS = {"name", "nom", "nombre", "guess", "secret"}


@dataclass(frozen=True)
class Heading:
    """What a label says as a heading: its kind, its noun and the unit in brackets; empty: it does not say."""

    kind: Kind
    noun: str
    unit: str = ""

    @property
    def word(self) -> str:
        """The noun for one, where it is a plain word of English; else empty."""
        foreign = self.noun in _FOREIGN and self.noun not in _ENGLISH
        if foreign or self.noun in _NO_NOUNS or not _PLAIN.fullmatch(self.noun):
            return ""
        return _SINGULAR.get(self.noun, self.noun)

    @property
    def may_be_test(self) -> bool:
        """Whether it names what may be asked of causes, as well as costs or weights."""
        return bool(_MAY_BE_TESTS.fullmatch(self.noun))

    @property
    def cost_noun(self) -> str:
        """What costs are called: a unit that is counted, a currency, or a plain word."""
        known = UNITS.get(self.unit) or UNITS.get(self.noun, "%")
        return known if known != "%" else self.word or "cost"

    @property
    def named(self) -> str:
        """The unit that it names in small letters, in brackets or as its noun; empty: none."""
        return self.unit or (self.noun if self.noun in UNITS else "")


def read_heading(label: str) -> Heading:
    """Return what a label says as a heading, such as ``cost``, ``Time [min]`` or ``Species``."""
    found = _NAMED.fullmatch(unicodedata.normalize("NFC", label).strip().casefold())
    if found is None:
        return Heading("", "")
    noun, unit = (_unshortened(text) for text in (found[1], found[2] or found[3] or found[4] or ""))
    kind = _KINDS.get(noun, "")
    if kind == "weight" and unit not in ("", "%", "percent", "prozent", "n", "per 100", "of 100"):
        kind = ""  # of a body, or of a sound
    return Heading(kind, noun, _PROPER_UNITS.get(unit, unit))


def _unshortened(text: str) -> str:
    """Return a word without the full stop of a unit that is shortened, as in ``Min.``."""
    word = text.strip()
    return word.removesuffix(".") if word.removesuffix(".") in UNITS else word


@dataclass(frozen=True)
class Corner:
    """What the cell in the corner says of rows and of columns."""

    rows: Heading
    columns: Heading

    @property
    def causes(self) -> Side:
        """Where the causes are."""
        kinds = self.rows.kind, self.columns.kind
        if kinds in (("cause", ""), ("cause", "test"), ("", "test")):
            return "rows"
        return "columns" if kinds in (("test", ""), ("test", "cause"), ("", "cause")) else ""

    def noun(self, kind: Kind, causes: Side) -> str:
        """Return what the corner calls a test or a cause, where the causes are; empty: it does not."""
        rows = (kind == "cause") == (causes == "rows")
        own = self.rows if rows else self.columns
        return own.word if own.kind in ("", kind) else ""


def corner(label: str) -> Corner:
    """Return what a corner says: ``species``, or ``test / cause`` of rows and columns."""
    first, _, second = (part.strip() for part in _parted(label))
    return Corner(read_heading(first), read_heading(second))


def _parted(label: str) -> tuple[str, str, str]:
    found = re.fullmatch(r"([^\\/|]+)([\\/|])([^\\/|]+)", label)
    return (found[1], found[2], found[3]) if found else (label, "", "")
