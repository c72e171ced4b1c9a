"""The checker that is proved in Coq: its proofs checked, extracted and compiled, once for all tests."""

import fcntl
import subprocess
from pathlib import Path

from fast_checker import BUILT, VERIFY

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
