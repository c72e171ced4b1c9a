"""The checker of certificates that is written in C: built, and asked about many certificates at once."""

import fcntl
import os
import re
import subprocess
from hashlib import sha256
from pathlib import Path

VERIFY = Path(__file__).parents[2] / "verify"
BUILT = VERIFY.parent / "build" / "checkers"
STRICT = ["-std=c99", "-Wall", "-Wextra", "-Werror"]
SANITIZED = ["-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
ACCEPTED = re.compile(r"verified: .*\b\d+ secrets?\b.* \(\d+ guesses, \d+ lemmas\)\n?")
"""What every checker prints of a certificate that it accepts: it says how many secrets and guesses it saw."""
LOOP = 'ulimit -v "$1"; shift; for f in "$@"; do "$0" "$f" > "$f.said" 2>&1; echo $?; done'


def built(*how: str, name: str = "verify") -> str:
    """Compile a checker without a warning, once for all tests of all workers, and return the program."""
    command = ["cc", *how, *STRICT, str(VERIFY / f"{name}.c"), "-o"]
    sources = [path.read_bytes() for path in (VERIFY / f"{name}.c", *sorted(VERIFY.glob("*.h")))]
    digest = sha256(b"\0".join([repr(command).encode(), *sources])).hexdigest()
    program = BUILT / f"gt{name}-{digest[:16]}"
    BUILT.mkdir(parents=True, exist_ok=True)
    with (BUILT / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not program.exists():
            fresh = program.with_suffix(".fresh")
            subprocess.run([*command, str(fresh)], check=True, timeout=120)
            fresh.rename(program)
    return str(program)


def judged(
    checker: str, folder: Path, *texts: str | bytes, seconds: float = 60, memory: str = "unlimited"
) -> list[str]:
    """Return for each certificate nothing if the checker accepts it, otherwise why it refuses.

    `memory`: kilobytes of address space. Raises AssertionError if it crashes, is silent, or says more than a
    line; TimeoutExpired after `seconds`.
    """
    paths = [folder / f"{i}.proof" for i in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}  # slow, and one ring holds all memory
    done = subprocess.run(
        ["sh", "-c", LOOP, checker, memory, *map(str, paths)],
        capture_output=True,
        text=True,
        timeout=seconds,
        check=True,
        env=environment,
    )
    said = [Path(f"{path}.said").read_text(errors="replace") for path in paths]
    return [answer(int(status), words) for status, words in zip(done.stdout.split(), said, strict=True)]


def answer(status: int, said: str) -> str:
    """Return nothing for yes, otherwise the reason."""
    assert status in (0, 1, 2), said
    assert said.count("\n") == 1, said
    assert status != 1 or ": refused" in said, said  # and not what a sanitizer says
    assert (ACCEPTED.fullmatch(said) is not None) == (status == 0), said
    return said if status else ""
