"""Make a table of 101 animals and 16 tests from the zoo data of the UCI repository (Forsyth 1990).

The data do not come with this project. They are taken from an installed Orange3 (`pip install --no-deps
orange3` is enough), or from a file: `zoo.data` of the repository, or Orange's `zoo.tab`.

    python scripts/zoo.py zoo.csv [--data zoo.data]
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections import Counter
from importlib.util import find_spec
from pathlib import Path

BEFORE_LEGS = "hair,feathers,eggs,milk,airborne,aquatic,predator,toothed,backbone,breathes,venomous,fins"
FEATURES = [*BEFORE_LEGS.split(","), "legs", "tail", "domestic", "catsize"]
LEGS = FEATURES.index("legs")
ANIMALS = 101
SOURCE = "expected zoo.data of the UCI repository, or zoo.tab of Orange3: name, 16 numbers, kind"


def find_data() -> Path:
    """Return the file of an installed Orange3, without importing it; exit when there is none."""
    orange = find_spec("Orange")
    for folder in orange.submodule_search_locations or () if orange else ():
        path = Path(folder) / "datasets" / "zoo.tab"
        if path.is_file():
            return path
    sys.exit("zoo.py: Orange3 is not installed; use --data zoo.data, or pip install --no-deps orange3")


def read_animals(path: Path) -> list[tuple[str, list[int]]]:
    """Return every animal's name and its 16 numbers; names that occur twice are numbered."""
    animals = []
    for line in path.read_text(encoding="utf-8").splitlines():
        name, *rest = line.strip().split("\t" if "\t" in line else ",")
        if len(rest) == len(FEATURES) + 1 and all(cell.isdecimal() for cell in rest[:-1]):
            animals.append((name, [int(cell) for cell in rest[:-1]]))
    if len(animals) != ANIMALS:
        sys.exit(f"zoo.py: {path} has {len(animals)} animals, not {ANIMALS}; {SOURCE}")
    many, seen = Counter(name for name, _ in animals), Counter[str]()
    named = []
    for name, numbers in animals:
        seen[name] += 1
        named.append((f"{name} {seen[name]}" if many[name] > 1 else name, numbers))
    return named


def table(animals: list[tuple[str, list[int]]]) -> list[list[str]]:
    """Return the rows of the table: the names, then a row for each test."""
    rows = [["test", *(name for name, _ in animals)]]
    for feature, label in enumerate(FEATURES):
        values = [numbers[feature] for _, numbers in animals]
        if feature == LEGS:
            rows.append([label, *map(str, values)])
        else:
            rows.append([f"{label}?", *("yes" if value else "no" for value in values)])
    return rows


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("out", type=Path, metavar="FILE.csv")
    parser.add_argument("--data", type=Path, metavar="FILE", help="zoo.data or zoo.tab (default: of Orange3)")
    given = parser.parse_args()
    try:
        rows = table(read_animals(given.data or find_data()))
        with given.out.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows(rows)
    except (OSError, UnicodeDecodeError) as error:
        sys.exit(f"zoo.py: {error}")


if __name__ == "__main__":
    main()
