"""The fuzzer of the checker finds what it looks for, and nothing in the checker."""

import random
from collections import Counter
from pathlib import Path

import fuzz_verify
import pytest


def test_the_checker_withstands_some_files(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fuzz_verify, "SANITIZED", ["-O0"])  # which take seconds to build
    monkeypatch.setattr(fuzz_verify, "CLAIMED", 4)
    assert fuzz_verify.main(["--seconds", "0.2"]) == 0
    said = capsys.readouterr().out
    assert "none that is false is accepted" in said and "none false is accepted, twins agree" in said


def test_a_checker_that_believes_all_is_found_out(tmp_path: Path) -> None:
    for says, found in (
        ("verified: 2 secrets (1 guesses, 0 lemmas)", "accepted"),
        ("Segmentation fault", "Segmentation"),
    ):
        program = tmp_path / "gtverify"
        program.write_text(f"#!/bin/sh\necho '{says}'\n")
        program.chmod(0o755)
        why = fuzz_verify.failure(str(program), tmp_path, [("some", False), ("false", True)], "unlimited")
        assert found in str(why)


@pytest.mark.parametrize("kind", ["verify", "lies", "priced"])
def test_a_checker_that_its_twin_does_not_believe_is_found_out(kind: str, tmp_path: Path) -> None:
    program = tmp_path / "gtall"
    program.write_text("#!/bin/sh\necho 'verified: 2 secrets (1 guesses, 0 lemmas)'\n")
    program.chmod(0o755)
    why = fuzz_verify.disagreement(kind, str(program), tmp_path, random.Random(1), Counter())
    assert "but its twin: " in str(why) or "is false, and accepted" in str(why)
