"""The two checkers of certificates of games with costs."""

import os
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from fast_checker import ACCEPTED, STRICT, VERIFY, answer


def slow(name: str) -> ModuleType:
    """Return a slow checker as a module."""
    spec = spec_from_file_location(f"slow_{name}", VERIFY / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


SLOW, SLOW_LIES = slow("priced"), slow("lies")


def built(folder: Path, *how: str) -> str:
    """Build the checker, and return its path."""
    program, source = str(folder / "gtpriced"), str(VERIFY / "priced.c")
    subprocess.run(["cc", *how, *STRICT, source, "-o", program], check=True, timeout=120)
    return program


def judged(checker: str, folder: Path, text: str, *, slowly: bool = True) -> str:
    """Return nothing if the checkers accept the certificate, otherwise why one of them refuses."""
    path = folder / "some.proof"
    path.write_text(text)
    environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}  # it ends, and gives nothing back
    done = subprocess.run(
        [checker, str(path)], capture_output=True, text=True, timeout=60, check=False, env=environment
    )
    why = answer(done.returncode, done.stdout + done.stderr)
    if slowly:
        try:
            assert ACCEPTED.fullmatch(SLOW.Checker(path).check())
        except SLOW.RefusedError as error:
            return why or str(error)
        assert not why, why
    return why
