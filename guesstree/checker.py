"""The checker of certificates: a program of its own that comes with the package, and knows nothing of it."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from guesstree.engine.errors import GuesstreeError

FOLDER = Path(__file__).parent / "verify"
"""Where the sources of the checkers are, and where the build puts the programs."""


@dataclass(frozen=True)
class Verdict:
    """What the checker says of a certificate.

    Attributes
    ----------
    status: 0: it is proved. 1: it is refused. 2: a file cannot be read.
    line: what the checker printed.
    """

    status: int
    line: str

    @property
    def verified(self) -> bool:
        """Whether what the certificate says is proved."""
        return self.status == 0


def checker_for(path: str | os.PathLike[str]) -> Path:
    """Return the program that checks a certificate: most kinds of games have the same.

    Raises GuesstreeError where it is not built.
    """
    try:
        with Path(path).open("rb") as file:
            head = file.read(64).split()
    except (OSError, ValueError):  # for the checker to say
        head = []
    kind = b"".join(head[1:2]).decode("ascii", "replace")
    source = FOLDER / (f"{kind}.c" if kind in ("priced", "lies") else "verify.c")
    program = FOLDER / f"gt{source.stem}"
    if not program.is_file():
        raise GuesstreeError(f"the checker is not built; compile it: cc -O3 {source} -o {program}")
    return program


def run_checker(path: str | os.PathLike[str]) -> Verdict:
    """Return what the checker says of a certificate; the files that it names lie beside it."""
    command = [checker_for(path), path]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    except ValueError as error:  # a null byte in the path
        raise GuesstreeError(f"cannot read {str(path)!r}: {error}") from None
    line = " ".join((done.stdout if done.returncode == 0 else done.stderr).split())
    status = done.returncode if done.returncode in (0, 1) else 2
    return Verdict(status, line or f"{path}: the checker ended with status {done.returncode}")
