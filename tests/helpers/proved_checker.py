"""The checker that is proved in Coq: its proofs checked, extracted and compiled, once for all tests."""

import fcntl
import shutil
import subprocess
from hashlib import sha256
from pathlib import Path

from fast_checker import BUILT, VERIFY

COQ = VERIFY / "coq"


def proved() -> tuple[Path, str]:
    """Return the program, and what Coq said when it checked the proofs."""
    sources = sorted(
        path for path in COQ.iterdir() if path.suffix in (".v", ".ml") or path.name == "Makefile"
    )
    digest = sha256(b"\0".join(path.read_bytes() for path in sources)).hexdigest()
    folder = BUILT / f"coq-{digest[:16]}"
    BUILT.mkdir(parents=True, exist_ok=True)
    with (BUILT / "coq.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        said = folder / "said"
        if not said.exists():
            shutil.rmtree(folder, ignore_errors=True)  # of a run that was cut short
            command = ["make", "-s", "-C", str(COQ), f"OUT={folder}"]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            said.with_suffix(".fresh").write_text(done.stdout)
            said.with_suffix(".fresh").rename(said)
    return folder / "gtcoq", said.read_text()
