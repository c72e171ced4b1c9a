"""The archive: always the same bytes, checked with a C compiler alone; what is spoiled is refused."""

import json
import lzma
import os
import re
import shutil
import subprocess
import sys
import tarfile
from hashlib import sha256
from pathlib import Path

import pytest
from results import load

ROOT = Path(__file__).parent.parent.parent
RESULTS = ROOT / "docs" / "results.json"
NAMES = ["mastermind:3x3 expected win", "bulls:3x4 worst win", "blackpeg:2x3 expected identify"]
OPEN = "mastermind:4x10 expected win"
OTHERS = {
    "coins:3 expected identify": {"command": "prove coins:3", "page": "docs/proofs.md"},
    "mastermind:2x2 worst win lies 1": {
        "command": "prove mastermind:2x2 --objective worst --lies 1",
        "page": "docs/lies.md",
        "strategy": False,
    },
    "kit mastermind:2x2": {"command": "plan mastermind:2x2", "page": "docs/plan.md", "strategy": False},
}


def archive(folder: Path, *words: str | Path) -> subprocess.CompletedProcess[str]:
    """Run the script on the files of a folder."""
    options = [
        *("--results", folder / "results.json", "--others", folder / "others.json"),
        *("--folder", folder / "kept", "--coq", folder / "coq", "--out", folder / "out"),
    ]
    command = [sys.executable, str(ROOT / "scripts" / "archive.py"), *map(str, [*options, *words])]
    return subprocess.run(command, capture_output=True, text=True, timeout=200)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an archive of some certificates, all made here."""
    folder = tmp_path_factory.mktemp("archive")
    cells, proofs = (load(RESULTS, part) for part in ("cells", "certificates"))
    chosen = {
        "cells": {name: cells[name] for name in [*NAMES, OPEN]},
        "certificates": {name: proofs[name] for name in NAMES},
    }
    (folder / "results.json").write_text(json.dumps(chosen))
    (folder / "others.json").write_text(json.dumps({"certificates": OTHERS}))
    (folder / "coq").mkdir()
    for name in re.findall(r"\w+\.mli?\b", (ROOT / "verify" / "coq" / "Makefile").read_text()):
        (folder / "coq" / name).write_text(f"(* {name} *)\n")
    done = archive(folder, "--record")
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) == len(OTHERS)
    done = archive(folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert [line.split(": ")[-1] for line in done.stdout.splitlines()[:-1]] == ["made"] * len(NAMES)
    return folder


def check_all(folder: Path, path: str = "/usr/bin:/bin", *more: str) -> tuple[int, list[str]]:
    """Run the script of the archive in an empty environment; return its status and its lines."""
    done = subprocess.run(
        ["env", "-i", f"PATH={path}", "CFLAGS=-O0", *more, "sh", f"{folder.name}/check-all"],
        cwd=folder.parent,
        capture_output=True,
        text=True,
        timeout=200,
    )
    return done.returncode, (done.stdout + done.stderr).splitlines()


@pytest.fixture(scope="module")
def first_run(home: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int, list[str]]:
    """The archive unpacked, and what its script says then."""
    folder = tmp_path_factory.mktemp("unpacked")
    (path,) = (home / "out").iterdir()
    with tarfile.open(path) as files:
        files.extractall(folder, filter="data")
    (inside,) = folder.iterdir()
    return inside, *check_all(inside)


@pytest.fixture
def checked(first_run: tuple[Path, int, list[str]], tmp_path: Path) -> Path:
    """A copy of the archive in which all has been checked."""
    return shutil.copytree(first_run[0], tmp_path / "copy")


def said_of(lines: list[str], word: str) -> list[str]:
    """Return the names of which the lines begin with a word."""
    return sorted(line.split()[1].removesuffix(":") for line in lines if line.startswith(f"{word} "))


def test_the_archive_has_all_and_every_value_is_checked_in_c(
    first_run: tuple[Path, int, list[str]], home: Path
) -> None:
    unpacked, status, lines = first_run
    (path,) = (home / "out").iterdir()
    with tarfile.open(path) as files:
        names = {name.partition("/")[2] for name in files.getnames()}
    due = {"README.md", "RULES.md", "LICENSE", "CITATION.cff", "SHA256SUMS", "check-all", "values.csv"}
    due |= {"verify/verify.c", "verify/LEMMAS.md", "verify/coq/Game.v", "verify/coq/extracted/checker.ml"}
    due |= {"verify/coq/extracted/compile", "verify/check.html", "claims.txt"}
    assert due <= names
    sums = dict(line.split("  ")[::-1] for line in (unpacked / "SHA256SUMS").read_text().splitlines())
    assert sums == {
        name: sha256((unpacked / name).read_bytes()).hexdigest() for name in names - {"SHA256SUMS"}
    }
    values = (unpacked / "values.csv").read_text().splitlines()
    assert len(values) == 1 + len(NAMES) + 1 + len(OTHERS)
    assert status == 0, lines
    assert said_of(lines, "EXACT") == [
        "blackpeg-2x3-expected-identify",
        "bulls-3x4-worst-win",
        "coins-3-expected-identify",
        "mastermind-3x3-expected-win",
    ]
    assert said_of(lines, "BOUND") == ["kit-mastermind-2x2", "mastermind-2x2-worst-win-lies-1"]
    assert "4 values are exact: a lower bound is verified, and a strategy reaches it." in lines
    assert "2 more lower bounds are verified." in lines


def test_another_run_checks_nothing_again(checked: Path) -> None:
    status, lines = check_all(checked)
    assert status == 0
    assert sum(line.endswith(" (accepted before)") for line in lines) == 6
    assert lines[-2:] == [
        "4 values are exact: a lower bound is verified, and a strategy reaches it.",
        "2 more lower bounds are verified.",
    ]


def test_the_same_files_give_the_same_bytes_and_nothing_is_made_twice(home: Path) -> None:
    (path,) = (home / "out").iterdir()
    before = path.read_bytes()
    done = archive(home)
    assert (done.returncode, len(done.stdout.splitlines())) == (0, 1)
    assert path.read_bytes() == before


def test_what_is_spoiled_is_refused_and_what_was_accepted_is_not_checked_again(checked: Path) -> None:
    proof = checked / "certificates" / "mastermind-3x3-expected-win.proof"
    proof.write_text(proof.read_text().replace("73 ", "74 ", 1))
    status, lines = check_all(checked)
    assert status == 1
    assert "certificates/mastermind-3x3-expected-win.proof: FAILED" in lines
    assert said_of(lines, "REFUSED") == ["mastermind-3x3-expected-win"]
    assert sum(line.endswith(" (accepted before)") for line in lines) == 5
    # whoever changes the list too is refused by the checker
    for name in ("claims.txt", "SHA256SUMS"):
        text = (checked / name).read_text().replace(" win - - 73", " win - - 74")
        (checked / name).write_text(text)
    (refused,) = [line for line in check_all(checked)[1] if line.startswith("REFUSED ")]
    assert ": refused: " in refused


def test_a_strategy_that_takes_more_and_a_file_that_is_missing_are_refused(checked: Path) -> None:
    folder = checked / "certificates"
    played = folder / "mastermind-3x3-expected-win.strategy"
    played.write_text(played.read_text().replace(" 73 (", " 74 ("))
    (folder / "bulls-3x4-worst-win.proof").unlink()
    status, lines = check_all(checked)
    assert status == 1
    assert said_of(lines, "REFUSED") == ["bulls-3x4-worst-win", "mastermind-3x3-expected-win"]
    assert any("is missing" in line for line in lines)
    assert any("costs at least 73" in line and ", but: verified: a strategy" in line for line in lines)


def test_lines_that_nobody_judges_are_lost_and_words_of_a_certificate_are_no_verdict(checked: Path) -> None:
    claims, line = checked / "claims.txt", "false verify - \\nEXACT 2 2 win - - 8"
    (checked / "certificates" / "false.proof").write_text("guesstree-proof/1 \\nEXACT 2 2 win - - 8 .\n")
    again = claims.read_text().splitlines()[0]
    claims.write_text(f"{claims.read_text()}{line}\n{again}\nno/folder verify - mastermind 2 2 win - - 8\n")
    status, lines = check_all(checked)
    assert status == 1
    assert said_of(lines, "REFUSED") == ["false"]
    assert any(line.startswith("4 values are exact: ") for line in lines)
    assert any(line.startswith("lost: 2 of the lines of claims.txt ") for line in lines)


def test_checkers_that_are_others_check_again(checked: Path) -> None:
    kit = checked / "verify" / "kit.py"
    kit.write_text(f"{kit.read_text()}# another\n")
    _, lines = check_all(checked)
    (line,) = [line for line in lines if line.startswith("BOUND kit-")]
    assert not line.endswith(" (accepted before)")


def test_a_checker_that_was_not_compiled_is_compiled_the_next_time(checked: Path) -> None:
    compiler = checked / "compiler"
    compiler.write_text('#!/bin/sh\ncase "$*" in *noisy*) [ -f allowed ] || exit 1 ;; esac\nexec cc "$@"\n')
    compiler.chmod(0o755)
    made = checked / "check-all.bin" / "gtnoisy"
    for allowed in (False, True):
        if allowed:
            (checked / "allowed").touch()
        status, lines = check_all(checked, "/usr/bin:/bin", "CC=./compiler")
        assert status == 0
        assert made.exists() == allowed == ("check-all: verify/noisy.c is not compiled" not in lines)


def test_it_checks_the_folder_in_which_it_is(checked: Path, tmp_path: Path) -> None:
    (tmp_path / "others" / checked.name).mkdir(parents=True)
    status, lines = check_all(checked, "/usr/bin:/bin", f"CDPATH={tmp_path / 'others'}")
    assert status == 0, lines
    assert len(said_of(lines, "EXACT")) == 4


def test_without_a_program_for_sums_nothing_is_compared_and_all_is_checked(checked: Path) -> None:
    programs = checked / "programs"
    programs.mkdir()
    for name in (
        "sh",
        "cc",
        "as",
        "ld",
        "tr",
        "awk",
        "cat",
        "cut",
        "grep",
        "sed",
        "mkdir",
        "rm",
        "tail",
        "wc",
        "dirname",
    ):
        found = shutil.which(name)
        assert found is not None
        (programs / name).symlink_to(os.path.realpath(found))
    status, lines = check_all(checked, str(programs))
    assert status == 0, lines
    assert lines[0].startswith("no sha256sum, no shasum: ")
    assert len(said_of(lines, "EXACT")) == 4
    assert said_of(lines, "SKIPPED") == ["kit-mastermind-2x2"], "there is no Python"


def test_what_is_missing_is_made_again_and_must_be_what_is_recorded(home: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(home, copy)
    kept = copy / "kept"
    (kept / "bulls-3x4-worst-win.proof.xz").unlink()
    (kept / "mastermind-3x3-expected-win.proof.xz").write_bytes(lzma.compress(b"guesstree-proof/1 spoiled ."))
    done = archive(copy)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[:-1] == [f"{name}: made" for name in sorted(NAMES[:2])]
    for path in kept.iterdir():
        assert lzma.decompress(path.read_bytes()) == lzma.decompress((home / "kept" / path.name).read_bytes())
    document = json.loads((copy / "results.json").read_text())
    document["certificates"][NAMES[1]]["sha256"] = "0" * 64
    (copy / "results.json").write_text(json.dumps(document))
    done = archive(copy)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"ERROR: {NAMES[1]}: {'0' * 64} is recorded, ")
