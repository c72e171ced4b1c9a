"""The language of sheets and pages: their words come from one catalogue, in gettext form.

The catalogue of a language is `locale/LANGUAGE/LC_MESSAGES/sheets.po`, of which `scripts/catalogue.py` makes
the file .mo that is read here. English is in the code. What a language does with numbers, and with nouns that
people bring, is in its catalogue, too: the entries with a context.
"""

from __future__ import annotations

import gettext
import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction
from functools import lru_cache
from pathlib import Path

from guesstree.engine.errors import GuesstreeError, unknown
from guesstree.engine.notation import Look, plurals

ENGLISH = "en"
CATALOGUES = Path(__file__).with_name("locale")
"""The folder of the catalogues."""
DOMAIN = "sheets"
_SPOKEN: ContextVar[tuple[str, gettext.NullTranslations]] = ContextVar(
    "_SPOKEN", default=(ENGLISH, gettext.NullTranslations())
)


def languages() -> list[str]:
    """Return the languages that there is a catalogue of, English first."""
    return [ENGLISH, *sorted(path.parent.parent.name for path in CATALOGUES.glob(f"*/*/{DOMAIN}.mo"))]


def check_language(language: str) -> str:
    """Return a language that there is a catalogue of; raise GuesstreeError for another."""
    if language not in languages():
        raise GuesstreeError(unknown("language", language, languages()))
    return language


def preferred(accepted: str) -> str:
    """Return the language that a browser likes best, by its header ``Accept-Language``; else English."""
    liked = []
    for at, part in enumerate(accepted.split(",")[:20]):
        name, _, quality = part.strip().partition(";q=")
        try:
            liked.append((-float(quality or 1), at, name.partition("-")[0].lower()))
        except ValueError:
            continue
    known = languages()
    return next((name for worth, _, name in sorted(liked) if worth < 0 and name in known), ENGLISH)


@contextmanager
def speaking(language: str | None) -> Iterator[None]:
    """Let what is said be in a language, None: as before; raise GuesstreeError for an unknown one."""
    if language is None:
        yield
        return
    token = _SPOKEN.set((check_language(language), _catalogue(language)))
    try:
        yield
    finally:
        _SPOKEN.reset(token)


@lru_cache(maxsize=8)
def _catalogue(language: str) -> gettext.NullTranslations:
    if language == ENGLISH:
        return gettext.NullTranslations()
    return gettext.translation(DOMAIN, CATALOGUES, [language])


def spoken_language() -> str:
    """Return the language that is spoken now."""
    return _SPOKEN.get()[0]


def to_say(text: str) -> str:
    """Return a text that is said later, and is to be in the catalogue."""
    return text


def say(text: str, /, **values: object) -> str:
    """Return a text of the catalogue in the language that is spoken, with values for its names in braces."""
    return _SPOKEN.get()[1].gettext(text).format(**values) if text else ""


def translated(text: str) -> str:
    """Return a text of the catalogue with its names in braces as they are."""
    return _SPOKEN.get()[1].gettext(text)


def says(one: str, more: str, number: int, /, **values: object) -> str:
    """Return a text of the catalogue for a number of things, which it calls ``{n}``."""
    return _SPOKEN.get()[1].ngettext(one, more, number).format(n=number, **values)


def say_of(look: Look, text: str, /, **values: object) -> str:
    """Return a text of the catalogue that speaks of ``{secrets}`` and ``{Guess}`` in the words of a game."""
    return say(text, **nouns_of(look), **values)


PANS = to_say("left heavier"), to_say("balanced"), to_say("right heavier")
POOLS = to_say("negative"), to_say("positive")
"""The responses of a balance and of tests of pools; sheets translate them."""


def answer_texts(look: Look, responses: Iterable[str]) -> list[str]:
    """Return responses for lines of text, in the language that is spoken where they are the game's own."""
    return [translated(label) if look.speaks else look.write(label) for label in responses]


def nouns_of(look: Look) -> dict[str, str]:
    """Return what one secret, several, one guess and several are called, each also with a capital."""
    nouns = {
        "secret": noun(look.secret),
        "secrets": noun(look.secret, 2),
        "guess": noun(look.guess),
        "guesses": noun(look.guess, 2),
    }
    return nouns | {name.capitalize(): word[:1].upper() + word[1:] for name, word in nouns.items()}


def noun(word: str, number: int = 1) -> str:
    """Return a noun for so many; one that is not in the catalogue as people wrote it, with a usual plural."""
    language, catalogue = _SPOKEN.get()
    more = plurals(word)
    if language == ENGLISH or not word:
        return word if number == 1 else more
    translated_noun = catalogue.ngettext(word, more, number)
    if translated_noun not in (word, more):
        return translated_noun
    if catalogue.ngettext("cause", "causes", 1)[:1].isupper():
        word = word[:1].upper() + word[1:]
    if number == 1:
        return word
    ends = dict(pair.split("=") for pair in _of_language("plurals", "ending=endings").split())
    fits = max((end for end in ends if word.endswith(end)), key=len, default="")
    return word.removesuffix(fits) + ends.get(fits, "")


def so_many(number: int, word: str) -> str:
    """Return a number with its noun."""
    return f"{number_text(str(number))} {noun(word, number)}"


def paid_text(look: Look, cost: str) -> str:
    """Return a cost, as it is written in the language that is spoken, with its word.

    It does what `Look.paid` does: ``5 minutes``, ``3 EUR``, ``price 7``.
    """
    word = look.cost
    if word.isupper():
        return f"{cost} {word}"
    if not word.endswith("s"):
        return f"{noun(word)} {cost}"
    one, single = cost == "1", word[:-1]
    if _SPOKEN.get()[0] == ENGLISH:
        return f"{cost} {single if one else word}"
    return f"{cost} {noun(single, 1 if one else 2)}"


def plural_forms() -> str:
    """Return which form of a noun goes with 0 to 199 things, a digit each; with more it repeats from 100."""
    return "".join(str(_form_for(number)) for number in range(200))


def _form_for(number: int) -> int:
    catalogue = _SPOKEN.get()[1]
    if isinstance(catalogue, gettext.GNUTranslations):
        return int(catalogue.plural(number))  # type: ignore[attr-defined]
    return int(number != 1)


def in_all_forms(one: str, more: str) -> list[str]:
    """Return a text of the catalogue in each form that goes with some number."""
    numbers = {_form_for(number): number for number in range(200)}
    return [_SPOKEN.get()[1].ngettext(one, more, numbers[form]) for form in sorted(numbers)]


def noun_forms(word: str) -> list[str]:
    """Return a noun in each form that goes with some number."""
    numbers = {_form_for(number): number for number in range(200)}
    return [noun(word, numbers[form]) for form in sorted(numbers)]


def paid_noun(look: Look) -> str:
    """Return what costs are called: ``minutes``, ``EUR``, ``price``."""
    return paid_text(look, "").strip()


def number_text(text: str) -> str:
    """Return a number as it is written in the language that is spoken, with its own decimal sign."""
    marks = number_marks()
    return "".join(marks.get(sign, sign) for sign in text)


def share_text(share: Fraction) -> str:
    """Return a share in percent, two digits of it, or three if they are all of it, such as 12.5 %.

    What is not certain is never 100 %, nor 0 %.
    """
    if share < Fraction(1, 1000):
        return number_text("< 0.1 %" if share else "0 %")
    if Fraction(199, 200) <= share < 1:
        return "> 99 %"
    fine = share < Fraction(1, 10) or 1000 % share.denominator == 0
    steps = 1000 if fine else 100
    shown = f"{100 * math.floor(steps * share + Fraction(1, 2)) / steps:.1f}"
    return number_text(f"{shown.removesuffix('.0')} %")


def decimal(value: Fraction) -> str:
    """Return a number with two decimals at most, three digits where it is small."""
    shown = f"{float(value):.2f}" if value >= 1 else f"{float(value):.3g}"
    return number_text(shown.rstrip("0").rstrip(".") if "." in shown else shown)


def amount(look: Look, number: str) -> str:
    """Return a number with what costs are counted in, such as ``16.67 EUR``; alone where they are not."""
    return paid_text(look, number).removeprefix(f"{noun(look.cost)} ")


def number_marks() -> dict[str, str]:
    """Return the decimal sign and what parts thousands in the language that is spoken, by the English."""
    return {".": _of_language("numbers", "."), ",": _of_language("numbers", ",")}


def list_marks() -> tuple[str, str]:
    """Return what parts the cells of a list for a spreadsheet, and the decimals of its numbers."""
    return _of_language("cells of a list", ","), _of_language("numbers", ".")


def _of_language(context: str, text: str) -> str:
    return _SPOKEN.get()[1].pgettext(context, text)
