"""The slow checker of certificates, imported from its file."""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from fast_checker import ACCEPTED

PROGRAM = Path(__file__).parents[2] / "verify" / "verify.py"
SPEC = spec_from_file_location("verify_program", PROGRAM)
assert SPEC is not None
assert SPEC.loader is not None
CHECKER = module_from_spec(SPEC)
sys.modules["verify_program"] = CHECKER
SPEC.loader.exec_module(CHECKER)


def judged(folder: Path, text: str | bytes) -> str:
    """Return nothing if the checker accepts the certificate, otherwise why it refuses."""
    path = folder / "some.proof"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    try:
        assert ACCEPTED.fullmatch(CHECKER.Checker(path).check())
    except SystemExit as end:
        assert ": refused: " in str(end.code)
        return str(end.code).removeprefix(f"{path}:")
    return ""
