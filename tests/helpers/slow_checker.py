"""The slow checkers of certificates, imported from their files."""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import fast_checker
from fast_checker import ACCEPTED, VERIFY

KINDS = ("verify", "priced", "lies", "noisy", "kit", "strategy")


def slow(name: str) -> ModuleType:
    """Return a slow checker as a module."""
    spec = spec_from_file_location(f"slow_{name}", VERIFY / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


SLOW = {kind: slow(kind) for kind in KINDS}
REFUSED = sys.modules["checking"].RefusedError


def judged(folder: Path, text: str | bytes, kind: str = "verify") -> str:
    """Return nothing if the slow checker of a kind accepts the certificate, otherwise why it refuses."""
    path = folder / "some.proof"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    checker = None
    try:
        checker = SLOW[kind].Checker(path)
        assert ACCEPTED.fullmatch(checker.check())
    except REFUSED as why:
        return f"{checker.line if checker else 1}: {why}"
    return ""


def both(program: str, folder: Path, text: str, kind: str, *, alike: bool = False) -> str:
    """Return nothing if the fast checker and the slow one accept the certificate, otherwise why one refuses.

    What the fast one accepts, the slow one does; if they have to be alike, they refuse the same, too.
    """
    (why,), said = fast_checker.judged(program, folder, text), judged(folder, text, kind)
    assert not (said and not why), (why, said)
    assert not alike or (why == "") == (said == ""), (why, said)
    return why or said
