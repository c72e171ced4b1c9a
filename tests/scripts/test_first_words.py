"""The script that makes a table of first words: against searches of each, gone on with, bounded."""

import csv
import subprocess
import sys
from pathlib import Path

from guesstree.engine.registry import parse
from guesstree.engine.search.solve import solve

SCRIPT = Path(__file__).parents[2] / "scripts" / "first_words.py"
WORDS = ["abbey", "abide", "babes", "crepe", "eerie", "erase", "geese", "keels", "speed", "steel", "sweet"]


def run(*words: str) -> str:
    """Run the script and return what it prints; it must succeed."""
    done = subprocess.run([sys.executable, str(SCRIPT), *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def rows(file: Path) -> dict[str, tuple[int, int | None]]:
    """Return the bounds of each first word; later rows count."""
    with file.open(encoding="utf-8") as text:
        return {
            first: (int(lower), int(upper) if upper else None)
            for first, lower, upper in [*csv.reader(text)][1:]
        }


def test_every_first_word_gets_its_total_and_a_cut_line_is_made_again(tmp_path: Path) -> None:
    words, file = tmp_path / "w.txt", tmp_path / "t.csv"
    words.write_text("\n".join(WORDS))
    spec = f"wordle:{words}"
    totals = {word: solve(parse(spec), first=word).upper[0] for word in WORDS}
    best = min(totals.values())
    run(spec, str(file), "--at-most", str(best))
    for word, (lower, upper) in rows(file).items():
        assert (
            (lower, upper) == (best, best)
            if totals[word] == best
            else (best < lower <= totals[word] and upper is None)
        )
    assert set(rows(file)) == set(WORDS)
    run(spec, str(file))
    assert rows(file) == {word: (total, total) for word, total in totals.items()}
    whole = file.read_text()
    file.write_text(whole[: whole.rindex(",") + 1])  # the last line was cut
    run(spec, str(file), "--jobs", "2")
    assert rows(file) == {word: (total, total) for word, total in totals.items()}
    assert whole.splitlines()[:-1] == file.read_text().splitlines()[:-1]
    said = run(spec, str(file), "--show", "2").splitlines()
    assert said[2] == f"| `{min(word for word in WORDS if totals[word] == best)}` | {best} |  |"
    assert said[-1] == "11 first words, 11 of them exact"
    other = subprocess.run(
        [sys.executable, str(SCRIPT), f"{spec},hard", str(file)], capture_output=True, text=True, check=False
    )
    assert other.returncode == 1 and other.stderr.startswith(f"{file}: begins 'first word of wordle:")
    assert "Traceback" not in other.stderr
