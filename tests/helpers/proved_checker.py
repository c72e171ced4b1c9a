"""The checker that is proved in Coq: its proofs checked, extracted and compiled, once for all tests."""

import fcntl
import subprocess
from pathlib import Path

from fast_checker import BUILT, VERIFY, judged
from slow_checker import judged as judged_slowly

COQ = VERIFY / "coq"
MADE = VERIFY.parent / "build" / "coq"
"""Where `make coq` leaves the program, and what Coq said when it checked the proofs."""


def proved() -> tuple[Path, str]:
    """Return the program, made from the present sources, and what Coq said when it checked the proofs."""
    BUILT.mkdir(parents=True, exist_ok=True)
    with (BUILT / "coq.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        subprocess.run(["make", "-s", "-C", str(COQ)], capture_output=True, check=True)
    return MADE / "gtcoq", (MADE / "said").read_text()


def same_verdicts(
    kind: str, program: str, fast: str, folder: Path, texts: list[str], *, slowly: bool = False
) -> list[bool]:
    """Return what is accepted: by the proved checker and by that in C, and by that in Python, or by none."""
    found = [[why == "" for why in judged(one, folder, *texts)] for one in (program, fast)]
    if slowly:
        found.append([judged_slowly(folder, text, kind) == "" for text in texts])
    for others in found[1:]:
        assert found[0] == others, [
            text for text, a, b in zip(texts, found[0], others, strict=True) if a != b
        ]
    return found[0]
