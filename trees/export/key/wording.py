"""How the leads of a key are worded: ``Leaf margin lobed``, as monographs do, without a colon."""

from __future__ import annotations

import re
from collections.abc import Sequence

from guesstree.engine.tables.states import YES_NO

from ..labels import plain

_ASKS = re.compile(
    r"(?:is|are|was|were|does|do|did|has|have|had|can|could|will|would|should|may|must|what|which|how|who|"
    r"where|when|why|ist|sind|war|waren|hat|haben|kann|können|wird|werden|muss|soll|gibt|was|wer|wie|wo|wann|"
    r"warum|welch\w*)\b",
    re.IGNORECASE,
)
"""How a question begins that stays one: no statement can be made of it word by word."""
_COLOURS = "black|white|grey|gray|red|orange|yellow|green|blue|purple|violet|pink|brown|cream|scarlet"
_ADJECTIVES = {
    "yes": re.compile(
        rf"\w+(?:ed|ing|ous|al|ar|ate|ose|ish|less|ful|ic|ble|ite|oid|like|ent|ant|ile|borne|ular|form)"
        rf"|\w*(?:{_COLOURS})|\w+[^r\W]r?y|present|visible|round|flat|long|short|broad|narrow|thick|thin|bare|smooth|"
        r"rough|soft|hard|large|small|dark|pale|simple|entire|acute|obtuse|open|free|erect|prostrate|dense|lax",
        re.IGNORECASE,
    ),
    "ja": re.compile(
        r"\w+(?:ig|lich|isch|bar|haft|los|voll|sam|end|grün|rot|gelb|blau|weiß|braun|schwarz|rosa)"
        r"|rund|flach|lang|kurz|breit|schmal|dick|dünn|kahl|glatt|rau|weich|hart|groß|klein|ganzrandig"
    ),
}
"""Words that *not* may stand before; of German only such as are no verbs."""
_PLURAL = re.compile(r"\w*[^su\W]s|teeth|feet", re.IGNORECASE)
_NOT, _NONE = {"yes": "not", "ja": "nicht"}, {"yes": "no", "ja": "ohne"}


def sentence(question: str, answers: Sequence[str], joined: str) -> str:
    """Return the test and its answers as a statement; `capital` makes a lead of it.

    Of a question that is answered *yes* or *no* (*ja*, *nein*) a statement and its denial are made:
    ``evergreen`` and ``not evergreen``, ``leaves opposite`` and ``leaves not opposite``, ``thorns`` and ``no
    thorns``. Where its words do not show how to deny it, the answer follows a colon, ``pump hums: no``; a
    question that begins as one stays one, ``is it round? yes``.

    Parameters
    ----------
    joined: the answers as one text, such as ``May or June``.
    """
    label = plain(question).rstrip()
    bare = label.rstrip("? ")
    if not bare or (label != bare and _ASKS.match(bare)):
        return f"{label} {joined}"
    pair = next((pair for pair in YES_NO if len(answers) == 1 and answers[0].casefold() in pair), None)
    if pair is None:
        return f"{bare.rstrip(':')} {joined}"
    denied = _denied(bare, pair[0])
    if not denied:
        return f"{bare}: {joined}"
    return bare if answers[0].casefold() == pair[0] else denied


def _denied(statement: str, yes: str) -> str:
    """Return the denial of a statement in the language of an answer; empty where its words do not show it."""
    words = statement.split(" ")
    adjective = [bool(_ADJECTIVES[yes].fullmatch(word)) for word in words]
    *first, last = words
    if all(adjective):
        return f"{_NOT[yes]} {statement}"
    if first and adjective[-1] and not adjective[0]:
        return " ".join([*first, _NOT[yes], last])
    noun = last[:1].isupper() if yes == "ja" else not first or bool(_PLURAL.fullmatch(last))
    # In German adjectives before a noun have endings, and are not looked at.
    known = all(adjective[:-1]) if yes == "yes" else all(word[:1].islower() for word in first)
    return f"{_NONE[yes]} {statement}" if noun and known else ""


def capital(text: str) -> str:
    """Return a text with a capital at its beginning; a word such as pH stays as it is."""
    word = re.match(r"[^\W\d_]+", text)
    return text[0].upper() + text[1:] if word and word[0].islower() else text
