"""The fuzzer of the checker finds what it looks for, and nothing in the checker."""

from pathlib import Path

import pytest
from loading import script

fuzz_verify = script("fuzz_verify")


def test_the_checker_withstands_some_files(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fuzz_verify, "SANITIZED", ["-O0"])  # which take seconds to build
    assert fuzz_verify.main(["--seconds", "0.2"]) == 0
    assert "none that is false is accepted" in capsys.readouterr().out


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
