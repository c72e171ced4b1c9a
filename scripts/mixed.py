"""Values against a codemaker who mixes: find them again, or write the table of docs/mixed.md.

    python scripts/mixed.py                         all games of docs/mixed.json: about an hour
    python scripts/mixed.py mastermind:4x6          some of them, or others, which are then kept, too
    python scripts/mixed.py --time-limit 600        at most so many seconds for each game
    python scripts/mixed.py --table                 the table alone, from what is kept

What is kept is what `guesstree solve GAME --maker mixed` found, after the checker replayed all of it.
A result replaces one that is kept if it is better: proven, or between closer bounds.
"""

from __future__ import annotations

import argparse
import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

from guesstree.api.mixed import Mixed, solve_mixed
from guesstree.engine.exact import rounded_text
from guesstree.engine.notation import plural
from guesstree.trees.export.output import write_whole

DOCS = Path(__file__).parent.parent / "docs"
KEPT, PAGE = DOCS / "mixed.json", DOCS / "mixed.md"
TABLE = re.compile(r"^\| game \| value .*?\n\n", re.MULTILINE | re.DOTALL)
HEAD = """| game | value | | how likely each code is, by kind | strategies | all alike | gain |
|---|---|---|---|---|---|---|
"""
Kept = dict[str, Any]


def kept() -> dict[str, Kept]:
    """Return what is kept, by game, in the order of the table."""
    found: dict[str, Kept] = json.loads(KEPT.read_text())
    return dict(sorted(found.items(), key=lambda one: order(one[0])))


def order(spec: str) -> tuple[int, list[int]]:
    """Return where the row of a game stands: by family, then by size."""
    families = ["mastermind", "bulls", "blackpeg", "coins"]
    family, _, size = spec.partition(":")
    place = families.index(family) if family in families else len(families)
    return place, [int(number) for number in re.findall(r"\d+", size)]


def record(found: Mixed) -> Kept:
    """Return what is kept of a result; fractions are text, in guesses."""
    return {
        "lower": str(found.lower),
        "upper": str(found.upper),
        "uniform": [str(bound) for bound in found.uniform],
        "orbits": [[row["secret"], row["secrets"], row["weight"]] for row in found.rows()],
        "strategies": len(found.plans),
        "searches": found.rounds,
        "seconds": round(found.seconds, 1),
    }


def gap(one: Kept) -> Fraction:
    """Return how far the bounds of a result are from each other."""
    return Fraction(one["upper"]) - Fraction(one["lower"])


def shares(orbits: list[tuple[str, int, int]]) -> str:
    """Return in words how likely the secrets of each orbit are, in proportion."""
    drawn = {weight for _, _, weight in orbits if weight}
    never = [label for label, _, weight in orbits if not weight]
    if len(never) == len(orbits) - 1 and never:
        return f"only {next(label for label, _, weight in orbits if weight)}"
    if len(drawn) == 1:
        return f"{', '.join(never)}: 0, others alike" if never else "all alike"
    return ", ".join(f"{label}: {weight}" for label, _, weight in orbits)


def row(spec: str, one: Kept) -> str:
    """Return the row of a game."""
    lower, upper = Fraction(one["lower"]), Fraction(one["upper"])
    least, most = map(Fraction, one["uniform"])
    if lower == upper:
        value, about = str(upper), rounded_text(upper)
        mixture = shares([tuple(orbit) for orbit in one["orbits"]])
    else:
        value, about = f"{rounded_text(lower)} to {rounded_text(upper)}", ""
        mixture = plural(len(one["orbits"]), "orbit")
    gain = f"{float(100 * (upper / most - 1)):.2f} %" if lower == upper and least == most else ""
    alike = rounded_text(least) + f" to {rounded_text(most)}" * (least < most)
    return f"| `{spec}` | {value} | {about} | {mixture} | {one['strategies']} | {alike} | {gain} |\n"


def page() -> str:
    """Return docs/mixed.md with the table of what is kept."""
    rows = "".join(row(spec, one) for spec, one in kept().items())
    return TABLE.sub(lambda _: f"{HEAD}{rows}\n", PAGE.read_text(), count=1)


def main() -> None:
    """Find values, keep them and write the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--time-limit", type=float, metavar="S")
    parser.add_argument("--table", action="store_true")
    arguments = parser.parse_args()
    known = kept()
    for spec in [] if arguments.table else arguments.games or known:
        found = solve_mixed(spec, time_limit=arguments.time_limit)
        if wrong := found.checked():
            parser.exit(1, f"{spec}: {wrong[0]}\n")
        new = record(found)
        print(spec, new["lower"], new["upper"], new["seconds"], flush=True)
        known = kept()
        if spec not in known or gap(new) <= gap(known[spec]):
            text = json.dumps(known | {spec: new}, separators=(",", ":")).replace('},"', '},\n"')
            write_whole(KEPT, f"{text}\n".encode())
    write_whole(PAGE, page().encode())


if __name__ == "__main__":
    main()
