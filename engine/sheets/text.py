"""Bytes of a text file, as text: which encoding they are in."""

from __future__ import annotations

import codecs
import re
from collections import Counter

from ..errors import GameError, shown

_MARKS = [
    (codecs.BOM_UTF8, "utf-8", "UTF-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le", "UTF-32"),  # before the mark of UTF-16 that it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be", "UTF-32"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "UTF-16"),
]
_USUAL = [
    "windows-1252",
    "windows-1250",
    "windows-1251",
    "windows-1253",
    "windows-1254",
    "koi8-r",
    "macroman",
    "cp437",
    "cp850",
    "cp932",
    "gb18030",
    "euc-kr",
    "big5",
]
"""What spreadsheets and old programs write where they do not write Unicode."""


def decoded(data: bytes, source: str) -> tuple[str, tuple[str, ...]]:
    """Return the text in some bytes, and the encoding where it is not UTF-8; raise GameError for none.

    A mark at the start decides, then zeros in every other byte (UTF-16), then whether the bytes are UTF-8,
    then what `chardet` finds among the usual encodings. An encoding that was guessed is said with a word in
    which it shows.
    """
    for mark, codec, name in _MARKS:
        if data.startswith(mark):
            return _strict(data[len(mark) :], codec, name, source), () if name == "UTF-8" else (name,)
    head = data[:4000]
    even, odd = head[::2].count(0), head[1::2].count(0)
    if max(even, odd) * 4 > len(head) > 0 and min(even, odd) * 20 < len(head):
        return _strict(data, "utf-16-be" if even > odd else "utf-16-le", "UTF-16", source), ("UTF-16",)
    try:
        return data.decode(), ()
    except UnicodeDecodeError as error:
        place = f"{source} line {data.count(bytes([10]), 0, error.start) + 1}"
    if b"\0" in data:
        raise GameError(f"{place}: bytes that are no text; expected a file saved as UTF-8 text")
    wrong = Counter(sign == "\ufffd" for sign in data.decode(errors="replace") if not sign.isascii())
    if wrong[False] > wrong[True]:
        raise GameError(f"{place}: bytes that are not UTF-8, as the others are; save the file as UTF-8")
    name = _guessed(data)
    text = data.decode(name, errors="replace")
    first = re.search(r"[^\x00-\x7f]", text)
    at = first.start() if first else 0
    around = re.findall(r"\w*$", text[max(at - 20, 0) : at])[0] + re.findall(r"^.\w*", text[at : at + 20])[0]
    return text, (f"{name} ({shown(around)})",)


def _strict(data: bytes, codec: str, name: str, source: str) -> str:
    """Return bytes as text in a known encoding; raise GameError where they are not."""
    try:
        return data.decode(codec)
    except UnicodeDecodeError as error:
        line = data[: error.start].decode(codec, "replace").count("\n") + 1
        raise GameError(
            f"{source} line {line}: bytes that are not {name}, as the file begins; expected it saved as UTF-8"
        ) from None


def _guessed(data: bytes) -> str:
    """Return the name of the encoding that bytes beyond ASCII are in, by the languages it would make."""
    import chardet  # for such files alone

    lines = b"\n".join(line for line in re.split(rb"[\r\n]+", data) if not line.isascii())
    name = chardet.detect(lines, include_encodings=_USUAL, no_match_encoding="windows-1252")["encoding"]
    name = name or "Windows-1252"
    if name != "Windows-1252" and data.decode(name, "replace") == data.decode("windows-1252", "replace"):
        return "Windows-1252"
    return name
