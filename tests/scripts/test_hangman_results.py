"""The script of Hangman's results: what it keeps and writes, and that the records agree with each other."""

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent.parent
SCRIPT = ROOT / "scripts" / "hangman.py"
RESULTS = ROOT / "docs" / "hangman-results.json"
needs_words = pytest.mark.skipif(find_spec("symspellpy") is None, reason="pip install guesstree[words]")


def run(*words: str | Path) -> None:
    done = subprocess.run(
        [sys.executable, str(SCRIPT), *map(str, words)], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr


def cells_of(path: Path) -> dict[str, dict[str, Any]]:
    cells = json.loads(path.read_text())["cells"]
    assert isinstance(cells, dict)
    return cells


@pytest.mark.long
@needs_words
def test_lengths_are_computed_once_and_rendered(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    run("--results", path, "--length", "2", "--length", "18")
    found = cells_of(path)
    assert (found["2 win-probability"]["lower"], found["2 win-probability"]["upper"]) == ([2, 120], [2, 120])
    assert found["2 worst"]["upper"] == [7]
    assert found["18 win-probability"]["upper"][0] == 0
    before = path.read_text()
    run("--results", path, "--length", "2")
    assert path.read_text() == before
    if find_spec("matplotlib") is not None:
        run("--results", path, "--table")
        assert "| 2 | 36 | 2 | 94.444 % | 120 |" in path.with_suffix(".md").read_text()
        assert "<svg" in path.with_suffix(".svg").read_text()


def test_the_records_agree_with_each_other_and_with_the_page() -> None:
    cells = cells_of(RESULTS)
    lengths = sorted({int(name.split()[0]) for name in cells})
    assert len(lengths) >= 20
    text = RESULTS.with_suffix(".md").read_text()
    for n in lengths:
        best, worst = cells[f"{n} win-probability"], cells[f"{n} worst"]
        assert best["lower"] <= best["upper"]
        assert worst["lower"] <= worst["upper"]
        for name in ("least-cost", "reduction-per-cost", "information-per-cost"):
            played = cells[f"{n} {name}"]
            assert best["lower"][0] <= best["upper"][0] <= played["words"] - played["won"]
            assert worst["lower"][0] <= played["worst"]
        # No word is lost if and only if the misses allowed cover the worst case.
        if best["lower"][0] > 0:
            assert worst["upper"][0] > 6
        if worst["lower"][0] > 6:
            assert best["upper"][0] > 0
        assert f"| {n} | {best['words']} | " in text
