"""What `guesstree explain` prints, and files that it explains."""

import re
from collections.abc import Sequence
from fractions import Fraction
from math import prod
from pathlib import Path

from piped import piped

from guesstree.api.explained import Explained
from guesstree.present.explanation import explanation_paper
from guesstree.trees.export.paper.text import lines_of

WIDE = 4000
"""Columns of a text in which no line is broken."""
NUMBER = "\\d+(?:[./]\\d+)?"
TERM = f"{NUMBER}(?: \u00d7 {NUMBER})?"
SUM = re.compile(rf"(?<![\d./])((?:{TERM} \+ )+{TERM}) = ({NUMBER})")
ROUNDED = Fraction(1, 2 * 10**4)
"""By how much a number with four decimals may be off."""


def text_of(folder: Path, *words: str) -> str:
    """Return what is explained, on one line."""
    done = piped("explain", *words, cwd=folder)
    assert done.returncode == 0, done.stderr
    return " ".join(done.stdout.split())


def proved(folder: Path, *words: str) -> str:
    """Make a certificate and return its name."""
    done = piped("prove", *words, "--out", "made.proof", cwd=folder)
    assert done.returncode == 0, done.stderr
    return "made.proof"


def solved(folder: Path, *words: str) -> str:
    """Write a strategy and return its name."""
    done = piped("solve", *words, "--out", "made.json", cwd=folder)
    assert done.returncode == 0, done.stderr
    return "made.json"


def words_of(found: Sequence[Explained]) -> str:
    """Return what is explained as a text on one line, of which all sums are right."""
    text = " ".join(" ".join(lines_of(explanation_paper(found), WIDE)).split())
    require_sums(text)
    assert not re.search(r"least none|None|-1\b", text), text
    return text


def require_sums(text: str) -> None:
    """Fail unless each sum that is printed is right, but for the rounding of numbers with decimals."""
    for terms, total in SUM.findall(text.replace(",", "")):
        factors = [map(Fraction, term.split(" \u00d7 ")) for term in terms.split(" + ")]
        off = abs(sum(map(prod, factors)) - Fraction(total))
        assert off <= ROUNDED * f"{terms} {total}".count("."), f"{terms} = {total}"
