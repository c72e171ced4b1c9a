"""The script that makes and measures large tables."""

import csv
import json
import subprocess
import sys
from pathlib import Path

import numpy as np

SCRIPT = Path(__file__).parents[2] / "scripts" / "large_tables.py"


def run(*arguments: object) -> str:
    """Return what the script prints."""
    words = [sys.executable, str(SCRIPT), *map(str, arguments)]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def test_a_sparse_table_tells_all_causes_apart(tmp_path: Path) -> None:
    run("--make", tmp_path, "--only", "sparse-plain")
    with (tmp_path / "sparse-plain.csv").open(encoding="utf-8", newline="") as file:
        answers = np.array([list(map(int, row[1:])) for row in list(csv.reader(file))[1:]])
    assert answers.shape == (200, 500)
    assert len(np.unique(answers, axis=1).T) == 500
    positive = answers.sum(axis=1)
    assert positive.min() >= 3
    assert positive.max() <= 50


def test_the_page_sets_what_was_measured_before_beside_it(tmp_path: Path) -> None:
    one = {"table": "sparse", "command": "solve", "seconds": 10, "peak": 50.0}
    now, before = tmp_path / "now.json", tmp_path / "before.json"
    now.write_text(json.dumps([one | {"upper": 6.0, "lower": 5.0, "gap": 20.0}]))
    method = {"table": "sparse", "command": "parts", "upper": 9.0}
    before.write_text(json.dumps([one | {"upper": 7.0, "lower": 1.0, "gap": 600.0}, method]))
    assert run("--page", now, "--before", before).splitlines()[2:] == [
        "| sparse | 9.000 (parts) | solve | 10 | 6.000 | 5.000 | 20.0 % | 50 | 7.000 | 600.0 % |"
    ]
