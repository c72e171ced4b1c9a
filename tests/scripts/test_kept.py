"""The certificates of this repository: what is recorded; checkers accept each, and its strategy."""

import re
import subprocess
from pathlib import Path

import pytest
from effort import some_of
from kept import (
    FOLDER,
    OFFICIAL,
    VERIFY,
    Entry,
    Store,
    checker_of,
    digest,
    entries,
    header,
    kept_files,
    replayed,
    unpack,
)
from results import OTHERS, RESULTS, load, proved
from slow_checker import judged

STORE = Store(FOLDER)
ENTRIES = [one for one in entries(RESULTS, OTHERS) if (FOLDER / f"{one.stem}.proof.xz").exists()]
CELLS = load(RESULTS)
QUICK, SMALL = 3.0, 60
"""Seconds of the checker in C, and bytes of certificates that the one in Python reads, too."""


def is_quick(entry: Entry) -> bool:
    return entry.record.get("check_seconds", 0) < QUICK and not entry.name.startswith(OFFICIAL)


SAMPLE = [one for one in ENTRIES if is_quick(one)]
SAMPLE = SAMPLE[:: max(len(SAMPLE) // 12, 1)]
REST = some_of([one for one in ENTRIES if is_quick(one) and one not in SAMPLE])


def test_the_files_are_what_is_recorded_and_no_others() -> None:
    names = {path.name.removesuffix(".xz") for path in FOLDER.glob("*.xz")}
    due = set[str]()
    for entry in ENTRIES:
        text = STORE.get(f"{entry.stem}.proof")
        assert digest(text) == entry.record["sha256"], entry.name
        due |= {f"{entry.stem}.proof", *kept_files(entry, text)}
        due |= {f"{entry.stem}.strategy"} if replayed(entry) else set()
    assert names == due
    assert len(ENTRIES) > 380


def test_values_link_to_their_certificates() -> None:
    page = RESULTS.with_suffix(".md").read_text()
    assert set(re.findall(r"\(\.\./proofs/(.*?)\)", page)) == {
        path.name for path in FOLDER.glob("*.proof.xz")
    }
    assert "| [5625](../proofs/mastermind-4x6-expected-win.proof.xz) |" in page
    assert "**[13496](../proofs/mastermind-5x5-expected-win.proof.xz)** (a) |" in page


def test_every_strategy_says_that_it_takes_the_value() -> None:
    for entry in ENTRIES:
        if not replayed(entry):
            continue
        low, high = (header(STORE.get(f"{entry.stem}.{kind}")) for kind in ("proof", "strategy"))
        assert high[1:6] == low[:5], entry.name
        within, bound = low[5:]
        if bound == "inf":
            assert int(high[6]) == int(within) + 1, entry.name
        else:
            assert high[7] == bound and (within == "-" or int(high[6]) <= int(within)), entry.name
        record = CELLS.get(entry.name)
        if record is not None:
            assert proved(record)
            assert record["upper"] == int(high[6] if bound == "inf" else high[7]), entry.name


@pytest.mark.parametrize(
    "entry",
    [*SAMPLE, *(pytest.param(one, marks=pytest.mark.long) for one in REST)],
    ids=lambda entry: entry.stem,
)
def test_the_checkers_accept_them(entry: Entry, tmp_path: Path) -> None:
    path = unpack(entry, STORE, tmp_path)
    checker = checker_of(path.read_bytes())
    if checker != "kit":
        done = subprocess.run([VERIFY / f"gt{checker}", path], capture_output=True, text=True, timeout=120)
        assert done.stdout.startswith("verified: "), done.stderr
    if replayed(entry):
        played = tmp_path / "some.strategy"
        played.write_bytes(STORE.get(f"{entry.stem}.strategy"))
        done = subprocess.run([VERIFY / "gtstrategy", played], capture_output=True, text=True, timeout=120)
        assert done.stdout.startswith("verified: a strategy "), done.stderr
    if checker == "kit" or entry.record["bytes"] < SMALL:
        assert judged(tmp_path, path.read_bytes(), checker) == ""
