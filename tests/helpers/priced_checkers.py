"""The slow checkers of games with costs and of those with lies, imported from their files."""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import fast_checker
from fast_checker import ACCEPTED, VERIFY


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


def refusal(checker: ModuleType, folder: Path, text: str) -> str:
    """Return nothing if a slow checker accepts the certificate, otherwise why it refuses."""
    path = folder / "some.proof"
    path.write_text(text)
    try:
        assert ACCEPTED.fullmatch(checker.Checker(path).check())
    except checker.RefusedError as error:
        return str(error)
    return ""


def judged(checker: str, folder: Path, text: str, *, slowly: bool = True) -> str:
    """Return nothing if the checkers accept the certificate, otherwise why one of them refuses."""
    (why,) = fast_checker.judged(checker, folder, text)
    if slowly:
        said = refusal(SLOW, folder, text)
        assert said or not why, why
        return why or said
    return why
