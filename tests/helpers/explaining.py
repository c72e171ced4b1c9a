"""What `guesstree explain` prints, and files that it explains."""

import re
from math import prod
from pathlib import Path

from piped import piped

TERM = "\\d+(?: \u00d7 \\d+)?"
SUM = re.compile(rf"((?:{TERM} \+ )+{TERM}) = (\d+)")


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


def require_sums(text: str) -> None:
    """Fail unless each sum that is printed is right."""
    for terms, total in SUM.findall(text.replace(",", "")):
        factors = [term.split(" \u00d7 ") for term in terms.split(" + ")]
        assert sum(prod(map(int, some)) for some in factors) == int(total), terms
