"""The checkers of certificates: programs of their own that come with the package, and know nothing of it.

One is in C. Where a game is small, a second one in Python, from the same text, has to say the same.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from guesstree.engine.errors import GuesstreeError
from guesstree.engine.proofs.statement import FORMAT
from guesstree.trees.export.output import read_whole
from guesstree.trees.tree import TreeError

LIES = "lies"
"""The word before a game in which responses may be false."""
NO_VERDICT = 3
"""The status of a check that came to no end."""
FOLDER = Path(__file__).parents[1] / "verify"
"""Where the sources of the checkers are, and where the build puts the programs."""
MOST_BYTES = 1 << 31
"""The largest certificate, and the largest file that it names."""
MOST_TWICE, MOST_PRICED_TWICE = 1 << 19, 1 << 9
"""A second program checks what has at most so many responses, counted for each lemma and the whole: seconds.

With costs it searches all sets of ten secrets, which takes longer."""
SECONDS_TWICE = 10
"""What takes it longer is left to the first program."""
SECRETS, GUESSES = re.compile(r"\b(\d+) secrets?\b"), re.compile(r"\((\d+) guess(?:es)?, (\d+) lemmas?\)$")


@dataclass(frozen=True)
class CertificateText:
    """A certificate and the files that it names, as they were read: once, for all that is said of them.

    Attributes
    ----------
    path: where it is.
    text: what it holds.
    files: what the files hold that are beside it, by the names that it has for them.
    """

    path: str
    text: bytes
    files: Mapping[str, bytes]

    @property
    def words(self) -> list[str]:
        """The first line up to the bound; fewer words where it is no certificate."""
        return words_of(self.text)


@dataclass(frozen=True)
class Verdict:
    """What the checker says of a certificate.

    Attributes
    ----------
    status: 0: it is proved. 1: it is refused. 2: a file cannot be read. `NO_VERDICT`: the checker was killed,
        or had not the time.
    line: what the checker printed; without a verdict, why there is none.
    programs: which have checked it.
    contradiction: whether one accepts what another refuses.
    """

    status: int
    line: str
    programs: tuple[str, ...] = ()
    contradiction: bool = False

    @property
    def verified(self) -> bool:
        """Whether what the certificate says is proved."""
        return self.status == 0

    @property
    def seen(self) -> tuple[int, int]:
        """How many secrets and guesses the checker has read; raise GuesstreeError where it does not say."""
        secrets, guesses = SECRETS.search(self.line), GUESSES.search(self.line)
        if secrets is None or guesses is None:
            raise GuesstreeError(f"{self.line!r}: the checker is not that of this version; build it again")
        return int(secrets[1]), int(guesses[1])

    @property
    def work(self) -> int:
        """How many responses were to be looked at, once for each lemma and once for the whole."""
        lemmas = GUESSES.search(self.line)
        secrets, guesses = self.seen
        return secrets * guesses * (1 + int(lemmas[2] if lemmas else 0))


def words_of(text: bytes) -> list[str]:
    """Return the first words of a certificate."""
    return [word.decode("ascii", "replace") for word in text.split(maxsplit=10)[:10]]


def files_named(text: bytes) -> list[str]:
    """Return the names of the files that a certificate is about."""
    _, *words = words_of(text) or [""]
    kind, *names = (words[2:5] if words[:1] == [LIES] else words[:3]) or [""]
    return names if kind == "wordle" else names[1:] if kind in ("table", "priced") else []


def read_certificate(path: str) -> CertificateText:
    """Return a certificate, with the files that it names as far as they are there.

    Raises GuesstreeError where it cannot be read.
    """
    try:
        text = read_whole(path, MOST_BYTES, FORMAT.encode())  # of what is none, the checker says so
    except TreeError as error:
        raise GuesstreeError(f"{path}: {error}") from None
    files = {}
    for name in files_named(text):
        if Path(name).name == name:
            with suppress(TreeError):  # what is not there is for the checker to say, if it is no file
                files[name] = read_whole(Path(path).with_name(name), MOST_BYTES)
    return CertificateText(path, text, files)


def judged(certificate: CertificateText) -> Verdict:
    """Return what the checker says of a certificate, and where that is small, a second one.

    Both read the same copy. The status is 1 where they do not agree.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / Path(certificate.path).name
        for name, data in certificate.files.items():
            path.with_name(name).write_bytes(data)
        path.write_bytes(certificate.text)
        first = run_checker(path)
        verdict = twice_checked(path, first) if first.verified else first
    beside = certificate.path[: certificate.path.rindex(path.name)]
    return replace(verdict, line=verdict.line.replace(f"{folder}/", beside))


def twice_checked(path: Path, first: Verdict) -> Verdict:
    """Return a verdict with that of a second program, if what the first accepts is small enough for it."""
    program = checker_for(path)
    most = MOST_PRICED_TWICE if program.name == "gtpriced" else MOST_TWICE
    if not sys.executable or first.work > most:
        return first
    twin = program.with_name(program.name.removeprefix("gt")).with_suffix(".py")
    try:
        done = subprocess.run(
            [sys.executable, "-I", twin, path],
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=SECONDS_TWICE,
        )
    except subprocess.TimeoutExpired:
        return first
    if done.returncode < 0:  # it was killed, and says nothing
        return first
    if done.returncode:
        said = "".join(done.stderr.splitlines()[-1:])
        line = f"{program.name} accepts what {twin.name} does not, so one is wrong: {said}"
        return Verdict(1, line, (program.name, twin.name), contradiction=True)
    return replace(first, programs=(program.name, twin.name))


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


def run_checker(path: str | os.PathLike[str], seconds: float | None = None) -> Verdict:
    """Return what the checker says of a certificate; the files that it names lie beside it.

    `seconds`: how long it may take; None: any time.
    """
    program = checker_for(path)
    try:
        done = subprocess.run(
            [program, path], capture_output=True, text=True, errors="replace", check=False, timeout=seconds
        )
    except subprocess.TimeoutExpired:
        return Verdict(NO_VERDICT, "the time is up")
    except ValueError as error:  # a null byte in the path
        raise GuesstreeError(f"cannot read {str(path)!r}: {error}") from None
    if done.returncode < 0:
        return Verdict(NO_VERDICT, f"the checker was killed by signal {-done.returncode}")
    line = " ".join((done.stdout if done.returncode == 0 else done.stderr).split())
    status = done.returncode if done.returncode in (0, 1) else 2
    line = line or f"{path}: the checker ended with status {done.returncode}"
    return Verdict(status, line, (program.name,))
