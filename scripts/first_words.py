"""The least total after each first guess of a game, exact or bounded, as a table.

    python scripts/first_words.py wordle:official words.csv --jobs 2        hours; go on with the same command
    python scripts/first_words.py wordle:official words.csv --at-most 7950  exact only where that may be
    python scripts/first_words.py wordle:official words.csv --show 20       the best so far, as Markdown

The head names the game. Rows are ``first,lower,upper``: at least and at most so many guesses in all, over all
secrets; equal where the total is exact, and no upper one where it is more than ``--at-most``. A row is
written when it is done, the likely best first, and a file of the same game is gone on with; a line that a
kill cut short is dropped.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from guesstree.engine.errors import GuesstreeError
from guesstree.engine.objective import parse_objective
from guesstree.engine.problem import Problem
from guesstree.engine.registry import parse
from guesstree.engine.search.deadline import Deadline
from guesstree.engine.search.first_guesses import first_guesses
from guesstree.engine.search.session import Session
from guesstree.engine.search.solve import space_of
from guesstree.engine.search.space import Resources

HEAD = ["first", "lower", "upper"]
PUBLISHED = {
    "wordle:official": {
        "salet": 7920,
        "reast": 7923,
        "crate": 7926,
        "trace": 7926,
        "slate": 7928,
        "crane": 7930,
    }
}
"""What Selby 2022 has for the same lists."""
Row = tuple[str, int, int | None]
_sessions: list[Session[Any]] = []


def begin(spec: str, memory: int | None) -> Session[Any]:
    """Return a session whose searcher remembers what it found after other first guesses."""
    problem = Problem(parse(spec), parse_objective("expected"), symmetry=False)  # all of them
    return Session(space_of(problem), Resources.of(problem, 1, memory), Deadline(None))


def value(session: Session[Any], guess: int, at_most: int | None) -> Row:
    """Return the row of a first guess; its total is exact if it is at most so much."""
    space = session.space
    query = space.query("total")
    children = space.split(query, space.root(query), guess)
    beta = space.infinite if at_most is None else at_most + 1
    found = session.after_guess(session.searcher(query), query, children, beta, guess)
    upper = None if found.upper >= space.infinite else found.upper
    return session.problem.game.guesses[guess], found.lower, upper


def read(path: Path, spec: str) -> dict[str, Row]:
    """Return the rows of a file of this game; drop a line without an end, write the head of a new file."""
    wanted = [f"{HEAD[0]} word of {spec}", *HEAD[1:]]
    if not path.exists():
        with path.open("w", encoding="utf-8", newline="") as out:
            csv.writer(out, lineterminator="\n").writerow(wanted)
    text = path.read_text(encoding="utf-8")
    if not text.endswith("\n"):
        text = text[: text.rfind("\n") + 1]
        path.write_text(text, encoding="utf-8")
    head, *rows = csv.reader(text.splitlines())
    if head != wanted:
        raise SystemExit(f"{path}: begins {','.join(head)[:200]!r}; expected {','.join(wanted)!r}")
    return {first: (first, int(lower), int(upper) if upper else None) for first, lower, upper in rows}


def line(row: Row) -> str:
    """Return a row as it is written."""
    return ",".join("" if part is None else str(part) for part in row) + "\n"


def shown(spec: str, rows: dict[str, Row], most: int) -> Iterator[str]:
    """Yield the best rows as a table, with what is published, and how many there are."""
    published = PUBLISHED.get(spec, {})
    yield "| first word | total | published |\n|---|---|---|\n"
    exact = sorted((upper, first) for first, _, upper in rows.values() if upper is not None)
    for upper, first in exact[:most]:
        yield f"| `{first}` | {upper} | {published.get(first, '')} |\n"
    rest = min((lower for _, lower, upper in rows.values() if upper is None), default=None)
    yield f"\n{len(rows)} first words, {len(exact)} of them exact"
    yield "\n" if rest is None else f"; the others take at least {rest}\n"
    for first, total in published.items():
        if first in rows and not rows[first][1] <= total <= (rows[first][2] or total):
            yield f"{first}: published {total}, here {line(rows[first])}"


def _start(spec: str, memory: int | None) -> None:
    _sessions.append(begin(spec, memory))


def _value(task: tuple[int, int | None]) -> Row:
    return value(_sessions[0], *task)


def main() -> None:
    """Run the script."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument(
        "game", help="a game that counts guesses, such as wordle:official or wordle:a.txt,hard"
    )
    parser.add_argument("file", type=Path, help="the table, a CSV file")
    parser.add_argument("--jobs", type=int, default=1, help="processes (1)")
    parser.add_argument("--memory", type=int, help="bytes for each process")
    parser.add_argument("--time-limit", type=float, help="seconds after which it ends; go on later")
    parser.add_argument("--at-most", type=int, help="exact totals only up to this one, bounds beyond")
    parser.add_argument("--show", type=int, help="print so many of the best rows of the file, and end")
    given = parser.parse_args()
    if given.show is not None:
        sys.stdout.writelines(shown(given.game, read(given.file, given.game), given.show))
        return
    session, begun = begin(given.game, given.memory), time.monotonic()
    rows = read(given.file, given.game)
    words = session.problem.game.guesses
    enough = (
        first
        for first, lower, upper in rows.values()
        if upper is not None or lower > (given.at_most or lower)
    )
    done = set(enough)
    tasks = [(guess, given.at_most) for _, guess in sorted(first_guesses(session.problem))]
    tasks = [task for task in tasks if words[task[0]] not in done]
    made = get_context("spawn").Pool(given.jobs, _start, (given.game, given.memory))
    with made as pool, given.file.open("a", encoding="utf-8") as out:
        for number, row in enumerate(pool.imap_unordered(_value, tasks), 1):
            out.write(line(row))
            out.flush()
            late = given.time_limit is not None and time.monotonic() - begun > given.time_limit
            if number % 100 == 0 or late:
                print(f"{number} of {len(tasks)}", file=sys.stderr)
            if late:
                break


if __name__ == "__main__":
    try:
        main()
    except (GuesstreeError, OSError, UnicodeDecodeError) as error:
        raise SystemExit(str(error)) from None
