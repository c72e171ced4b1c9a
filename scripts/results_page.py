"""The text of docs/results.md, from what docs/results.json keeps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from statistics import median

from results import FAMILIES, GOALS, OBJECTIVES, TWO_COLOURS, Cell, Record, parse_cell, proved, rows, value

NOTES = {
    "a": "no proven optimum was known to us",
    "b": "in the tables known to us the value is missing, or there is only what a one-step strategy reaches",
    "c": "no published value was found; for n = 9 and 10 (both objectives) and n = 11 (worst case) an "
    "earlier, unpublished computation gave the same",
    "d": "claimed to be optimal before, but without a published proof known to us; proved here",
}
"""Why a value is new, or new in part, as far as we know."""


def open_cells() -> dict[str, str]:
    """Return the cells whose values were open as far as we know, each with the letter of its note."""
    expected = ["5x5", "5x6", "5x7", "5x8", "6x4", "6x5", "6x6", "7x4", "4x9", "4x10"]
    worst = ["5x7", "5x8", *(f"6x{c}" for c in range(5, 9)), *(f"7x{c}" for c in range(4, 9))]
    worst += [f"8x{c}" for c in range(3, 9)]
    found = {f"mastermind:{size} expected win": "a" for size in expected}
    found |= {f"mastermind:{size} worst win": "b" for size in worst}
    for n in range(9, TWO_COLOURS["mastermind"] + 1):
        found |= {f"mastermind:{n}x2 {objective} win": "c" for objective in OBJECTIVES}
    return found | {"mastermind:4x8 expected win": "d", "bulls:4x8 expected win": "d"}


OPEN = open_cells()


def marked(cell: Cell, record: Record | None) -> str:
    """Return the value of a cell with its mark; nothing when it was not computed."""
    if record is None:
        return ""
    text, note = value(record), OPEN.get(str(cell))
    if note is None or not proved(record):
        return text
    return f"{text} ({note})" if note == "d" else f"**{text}** ({note})"


def grid(cells: Mapping[str, Record], family: str, objective: str, goal: str) -> str:
    """Return the table of positions x colours of one family, objective and goal."""
    sizes = [
        c.size for c in map(parse_cell, cells) if (c.family, c.objective, c.goal) == (family, objective, goal)
    ]
    sizes = [size for size in sizes if size[0] <= 8]
    across = sorted({c for _, c in sizes})

    def at(positions: int, colours: int) -> str:
        cell = Cell(f"{family}:{positions}x{colours}", objective, goal)
        return marked(cell, cells.get(str(cell)))

    body = ([p, *(at(p, c) for c in across)] for p in sorted({p for p, _ in sizes}))
    return rows([r"p \ c", *across], body)


def two_colours(cells: Mapping[str, Record]) -> str:
    """Return the table of two colours."""
    kinds = [(f, o, g) for f in TWO_COLOURS for o in OBJECTIVES for g in GOALS]
    body = []
    for n in range(2, max(TWO_COLOURS.values()) + 1):
        found = [Cell(f"{family}:{n}x2", objective, goal) for family, objective, goal in kinds]
        body.append([n, *(marked(cell, cells.get(str(cell))) for cell in found)])
    names = {"mastermind": "", "blackpeg": "black pegs, "}
    return rows(["n", *(f"{names[f]}{'total' if o == 'expected' else o}, {g}" for f, o, g in kinds)], body)


def news(cells: Mapping[str, Record]) -> str:
    """Return the list of values that were open as far as we know."""
    lines = []
    for note, reason in NOTES.items():
        found = [
            f"{cell.game.replace(':', ' ')} {OBJECTIVES[cell.objective]} {value(cells[str(cell)])}"
            for cell in sorted(map(parse_cell, OPEN), key=lambda c: (c.objective, c.order))
            if OPEN[str(cell)] == note and str(cell) in cells and proved(cells[str(cell)])
        ]
        lines.append(f"- ({note}) {reason}: {'; '.join(found) or 'none yet'}.")
    return "\n".join(lines) + "\n"


def figures(cells: Mapping[str, Record]) -> str:
    """Return the table of what each cell took."""
    head = ["game", "objective", "goal", "value", "states", "evaluations", "seconds", "peak MB", "checksum"]
    body = []
    for name, record in cells.items():
        cell = parse_cell(name)
        seconds = f"{record['seconds']:.2f}" + (f" ({record['jobs']} jobs)" if record["jobs"] > 1 else "")
        counts = (record["states"], record["evaluations"], seconds, record["peak_mb"], record["sha256"][:12])
        body.append([cell.game, cell.objective, cell.goal, value(record), *counts])
    return rows(head, body)


def by_first_guess(records: Mapping[str, Record]) -> str:
    """Return the section on games proved first guess by first guess; nothing when there are none."""
    if not records:
        return ""
    head = ["game", "secrets", "guesses", "objective", "reach it", "value"]
    head += ["evaluations", "seconds", "checksum"]
    names = {"expected": "total", "worst": "worst case"}
    body = [
        [
            name.rpartition(": ")[0],
            record["secrets"],
            record["guesses"],
            names[record["objective"]],
            f"{record['reached']} of {record['first_guesses']}",
            value(record),
            record["evaluations"],
            record["seconds"],
            record["sha256"][:12],
        ]
        for name, record in records.items()
    ]
    return BY_FIRST_GUESS.format(table=rows(head, body))


BY_FIRST_GUESS = """## First guess by first guess

These games have lists of words that are not in this repository. A beam finds a strategy, and the checker
replays it. Then `scripts/first_guesses.py` proves for one first guess after another that it takes at least as
many guesses as that strategy; it can be stopped and continued. *Reach it*: the first guesses for which this
is proved. Seconds are of one processor, all processes together; the checksum is of words and responses.

{table}
"""


def claim(record: Record) -> str:
    """Return what a certificate proves."""
    limit = "" if record["within"] is None else f" within {record['within']}"
    first = "" if record["first"] is None else f", first {record['first']}"
    return (f"not{limit}" if record["bound"] is None else f"at least {record['bound']}{limit}") + first


def certificates(cells: Mapping[str, Record], records: Mapping[str, Record]) -> str:
    """Return the section on certificates; nothing when there are none."""
    made = {name: record for name, record in records.items() if "stopped" not in record}
    if not made:
        return ""
    order = {name: i for i, name in enumerate(cells)}
    body = []
    names = sorted(made, key=lambda name: (order.get(name, len(order)), name))
    for name in names:
        record, words = made[name], name.split()
        small = f" + {record['small_sets']} small sets" if record["small_sets"] else ""
        took = [seconds(record.get(key)) for key in ("search_seconds", "prove_seconds", "check_seconds")]
        sizes = [f"{record['lemmas']}{small}", record["bytes"], record["xz_bytes"]]
        body.append([*words[:3], claim(record), *sizes, *took, record["check_mb"], record["sha256"][:12]])
    head = ["game", "objective", "goal", "proved", "lemmas", "bytes", "xz", "search", "prove", "check"]
    wanted = [name for name, record in cells.items() if proved(record)]
    large = [name for name in names if made[name]["bytes"] > LARGE]
    total, packed = (sum(record[key] for record in made.values()) for key in ("bytes", "xz_bytes"))
    return CERTIFICATES.format(
        made=sum(name in made for name in wanted),
        wanted=len(wanted),
        total=f"{total / 1e6:.1f}",
        packed=f"{packed / 1e6:.1f}",
        large=f"More than one megabyte have: {'; '.join(large)}.\n" if large else "None has more than one.\n",
        ratios=ratios(made.values()),
        missing=missing(wanted, records),
        table=rows([*head, "MB", "SHA-256"], body),
    )


def ratios(made: Iterable[Record]) -> str:
    """Return how long check and proof take beside the search; nothing when no search takes long."""
    slow = [record for record in made if record.get("search_seconds", 0) > 1]
    if not slow:
        return ""
    lines = [f"Where the search took over 1 s ({len(slow)} values):"]
    for what, key in (("the check", "check_seconds"), ("search and proof together", "prove_seconds")):
        found = [record[key] / record["search_seconds"] for record in slow]
        most = sum(ratio > MOST_TIMES[key] for ratio in found)
        lines.append(
            f"- {what} took {median(found):.1f} times as long as the search (median), "
            f"at most {max(found):.1f} times; more than {MOST_TIMES[key]:g} times for {most} values"
        )
    return f"\n{lines[0]}\n\n{lines[1]};\n{lines[2]}.\n"


def seconds(number: float | None) -> str:
    """Return seconds, if they are known."""
    return "" if number is None else f"{number:.2f}"


def missing(wanted: Iterable[str], records: Mapping[str, Record]) -> str:
    """Return which values have no certificate, and why."""
    reasons: dict[str, list[str]] = {}
    for name in wanted:
        record = records.get(name)
        if record is None:
            reasons.setdefault("not tried yet", []).append(name)
        elif "stopped" in record:
            late = (
                f"not {'proved' if record['stopped'] == 'proof' else 'checked'} in {record['time_limit']:g} s"
            )
            reasons.setdefault(late, []).append(name)
    lines = "".join(f"- {reason}: {'; '.join(names)}.\n" for reason, names in reasons.items())
    return lines and f"\nThese have none:\n\n{lines}"


LARGE = 1_000_000
"""Bytes."""
MOST_TIMES = {"check_seconds": 5, "prove_seconds": 1.5}
"""What it should take at most, beside the search."""
CERTIFICATES = """## Certificates

A certificate proves that nothing is better than a value, to whoever believes neither this program nor its
search: a small checker that shares nothing with it accepts the text. [proofs.md](proofs.md) explains how, and
the strategy file shows the other side. {made} of the {wanted} proved values have one, all accepted. All
together they have {total} megabytes, {packed} compressed by xz.
{large}{ratios}{missing}
The files are not in this repository: the same command writes the same bytes, with one worker and no time
limit. To repeat a check:

```sh
guesstree prove mastermind:4x7 --objective expected --goal win --out 4x7.proof
sha256sum 4x7.proof
cc -O3 verify/verify.c -o gtverify
./gtverify 4x7.proof
python scripts/certify.py --compare --cell "mastermind:4x7 expected win"     # all of it
python scripts/certify.py --save DIR --time-limit 150                        # what has none yet
```

*Proved*: `at least` is a total; `not within d` that no strategy settles all secrets within d guesses, so that
the worst case is d + 1. *Search*: seconds that the search took; *prove*: search and proof; *check*: the
checker. They are of one processor, on a shared machine; empty: not measured. *MB* is the checker's peak of
memory; up to 14 are of the script that starts it. *SHA-256* is the beginning of that of the file;
[results.json](results.json) has the whole.

{table}
"""


PAGE = """# Results

What guesstree proves of Mastermind, Mastermind with black pegs only, and Bulls and Cows. This page is written
by `scripts/frontier.py` from [results.json](results.json); do not edit it.

- *Total*: the least number of guesses that all secrets need together. Divided by the number of secrets it is
  the expected number of guesses. *Worst case*: the least number of guesses that is always enough. Any code
  may be guessed, even one that can no longer be the secret.
- *To win*: until the secret itself has been guessed; that guess counts. *To identify*: until only one secret
  is left.
- p is the number of positions, c the number of colours (in Bulls and Cows of digits; there the digits of a
  code differ).

A single number is proved: there is a strategy with this value, an independent checker replayed every secret
through it, and an exhaustive search found no better one. `at least..at most` are bounds, where the time limit
stopped the search. An empty cell was not computed. [search.md](search.md) describes the search.
{proved} of {all} values are proved.

## First proved here, as far as we know

These values are bold in the tables. The letters say what we knew of them before; our reading of the
literature is not complete.

{news}
## Reproduce

```sh
python scripts/frontier.py --time-limit 60              # what is not proved yet, easy cells first
python scripts/frontier.py --only two-colours --only worst
python scripts/frontier.py --cell "mastermind:5x5 expected win" --again --save out
python scripts/frontier.py --table                      # this page
```

A cell that is proved is computed again only with `--again`, one that has bounds only when it gets more time
than before. `--results FILE` starts a table of your own. `--save` keeps the strategy files, which
`guesstree check` can replay.

{tables}
{first_guesses}{certificates}## What each value took

Where one thread proved a value, states and evaluations do not depend on the machine. Where there are bounds
they do, because the clock stopped the search. Seconds and memory are of one run on a shared two-core machine.
The checksum is the beginning of the SHA-256 of the strategy file as canonical JSON (keys sorted, no spaces,
UTF-8).

{figures}"""


def page(
    cells: Mapping[str, Record], first_guesses: Mapping[str, Record], proofs: Mapping[str, Record]
) -> str:
    """Return the text of docs/results.md."""
    tables = []
    for family, title in FAMILIES.items():
        for goal, ending in GOALS.items():
            for objective, least in OBJECTIVES.items():
                if any(Cell(*name.split()).tags >= {family, goal, objective} for name in cells):
                    table = grid(cells, family, objective, goal)
                    tables.append(f"## {title}: {least} {ending}\n\n{table}")
    tables.append(f"## Two colours, n positions\n\n{two_colours(cells)}")
    return PAGE.format(
        proved=sum(map(proved, cells.values())),
        all=len(cells),
        news=news(cells),
        tables="\n".join(tables),
        first_guesses=by_first_guess(first_guesses),
        certificates=certificates(cells, proofs),
        figures=figures(cells),
    )
