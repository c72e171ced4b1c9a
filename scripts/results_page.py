"""The text of docs/results.md, from what docs/results.json keeps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import ceil
from statistics import median

from kept import FOLDER, Entry
from literature import literature
from results import (
    FAMILIES,
    GOALS,
    OBJECTIVES,
    OTHERS,
    TWO_COLOURS,
    WORDS,
    Cell,
    Record,
    load,
    made,
    parse_cell,
    proved,
    rows,
    value,
)

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
    expected = ["5x5", "5x6", "5x7", "5x8", "6x4", "6x5", "6x6", "7x4", "8x3", "4x9", "4x10"]
    worst = ["5x7", "5x8", *(f"6x{c}" for c in range(5, 9)), *(f"7x{c}" for c in range(4, 9))]
    worst += [f"8x{c}" for c in range(3, 9)]
    found = {f"mastermind:{size} expected win": "a" for size in expected}
    found |= {f"mastermind:{size} worst win": "b" for size in worst}
    for n in range(9, TWO_COLOURS["mastermind"] + 1):
        found |= {f"mastermind:{n}x2 {objective} win": "c" for objective in OBJECTIVES}
    return found | {"mastermind:4x8 expected win": "d", "bulls:4x8 expected win": "d"}


OPEN = open_cells()


def linked(text: str, name: str) -> str:
    """Return a text that links to the certificate of this name, if it is kept in the folder proofs/."""
    path = FOLDER / f"{Entry(name, {}).stem}.proof.xz"
    return f"[{text}](../proofs/{path.name})" if path.exists() else text


def certified(cell: Cell, record: Record, there: bool) -> str:
    """Return a proved value with a link to its certificate, or marked where there is none."""
    return linked(value(record), str(cell)) if there else value(record) + BARE


def marked(cell: Cell, record: Record | None, there: bool) -> str:
    """Return the value of a cell with its marks; nothing when it was not computed."""
    if record is None or not proved(record):
        return "" if record is None else value(record)
    text, note = certified(cell, record, there), OPEN.get(str(cell))
    if note is None:
        return text
    return f"{text} ({note})" if note == "d" else f"**{text}** ({note})"


BARE = "\u2020"
"""The mark of a proved value without a certificate: a dagger."""
MARKED = f""" The mark {BARE}, here and in the tables, says
that a value has no certificate yet: the search says that nothing is better, but no checker has confirmed it
([certificates](#certificates) says why)."""
"""What the page says of it, where there are such values."""


def in_grid(cells: Mapping[str, Record], family: str, objective: str, goal: str) -> list[Cell]:
    """Return the cells of one family, objective and goal, with any number of guesses."""
    found = map(parse_cell, cells)
    return [c for c in found if (c.family, c.objective, c.goal, c.within) == (family, objective, goal, None)]


def grid(
    cells: Mapping[str, Record], proofs: Mapping[str, Record], family: str, objective: str, goal: str
) -> str:
    """Return the table of positions x colours of one family, objective and goal."""
    sizes = [cell.size for cell in in_grid(cells, family, objective, goal) if cell.size[0] <= 8]
    across = sorted({c for _, c in sizes})

    def at(positions: int, colours: int) -> str:
        cell = Cell(f"{family}:{positions}x{colours}", objective, goal)
        return marked(cell, cells.get(str(cell)), made(proofs.get(str(cell))))

    body = ([p, *(at(p, c) for c in across)] for p in sorted({p for p, _ in sizes}))
    return rows([r"p \ c", *across], body)


def two_colours(cells: Mapping[str, Record], proofs: Mapping[str, Record]) -> str:
    """Return the table of two colours."""
    kinds = [(f, o, g) for f in TWO_COLOURS for o in OBJECTIVES for g in GOALS]
    body = []
    for n in range(2, max(TWO_COLOURS.values()) + 1):
        found = [Cell(f"{family}:{n}x2", objective, goal) for family, objective, goal in kinds]
        known = [(cell, cells.get(str(cell)), made(proofs.get(str(cell)))) for cell in found]
        body.append([n, *(marked(*one) for one in known)])
    names = {"mastermind": "", "blackpeg": "black pegs, "}
    return rows(["n", *(f"{names[f]}{'total' if o == 'expected' else o}, {g}" for f, o, g in kinds)], body)


def news(cells: Mapping[str, Record], proofs: Mapping[str, Record]) -> str:
    """Return the list of values that were open as far as we know."""
    lines = []
    for note, reason in NOTES.items():
        found = [
            f"{cell.game.replace(':', ' ')} {OBJECTIVES[cell.objective]} "
            f"{certified(cell, cells[str(cell)], made(proofs.get(str(cell))))}"
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
        counts = [record["states"], record["evaluations"], took(record), record["peak_mb"]]
        body.append([*columns(cell), value(record), *counts, record["sha256"][:12]])
    return rows(head, body)


def columns(cell: Cell) -> list[str]:
    """Return game, objective and goal of a cell, as they stand in tables."""
    return [cell.game, cell.objective, cell.goal + ("" if cell.within is None else f" within {cell.within}")]


def took(record: Record) -> str:
    """Return the seconds of a cell, and who shared them."""
    if "workers" in record:
        return f"{record['seconds']:.2f} ({record['workers']} workers)"
    return f"{record['seconds']:.2f}" + (f" ({record['jobs']} jobs)" if record["jobs"] > 1 else "")


def processor(record: Record) -> float:
    """Return about the seconds of one processor that a cell took."""
    return float(record["seconds"] * record.get("jobs", 1))


def hardest(cells: Mapping[str, Record], proofs: Mapping[str, Record]) -> str:
    """Return the section on values that took long, or had bounds before; nothing when there are none."""
    body = []
    for name, record in cells.items():
        if not proved(record) or ("was" not in record and processor(record) < HARD_SECONDS):
            continue
        before = "{}..{}".format(*record["was"]) if "was" in record else ""
        proof = proofs.get(name, {})
        prove, check = (seconds(proof.get(f"{what}_seconds")) for what in STAGES[1:])
        sizes = [proof.get("bytes", ""), proof.get("xz_bytes", "")]
        body.append([*columns(parse_cell(name)), before, value(record), took(record), prove, *sizes, check])
    if not body:
        return ""
    head = ["game", "objective", "goal", "before", "value", "seconds", "prove", "bytes", "xz", "check"]
    return HARDEST.format(least=HARD_SECONDS, table=rows(head, body))


HARD_SECONDS = 30
HARDEST = """## The hardest values

The table lists values for which there were only bounds before, and values that took more than {least} seconds
of one processor. *Prove*: seconds of search and proof for the certificate; *bytes* and *xz*: the size of the
certificate, plain and compressed; *check*: seconds of the checker.

{table}
"""


def of_words(cells: Mapping[str, Record]) -> str:
    """Return the section on games of words; nothing when there are none."""
    found = {cell: record for name, record in cells.items() if (cell := parse_cell(name)).family == WORDS}
    if not found:
        return ""
    head = ["game", "secrets", "guesses", "objective", "goal", "value"]
    body = []
    for cell, record in found.items():
        game, objective, goal = columns(cell)
        shown = linked(value(record), str(cell)) if proved(record) else value(record)
        body.append([game, record["secrets"], record["guesses"], objective, goal, shown])
    return WORDS_SECTION.format(table=rows(head, body))


WORDS_SECTION = """## Words

`wordle:official` reads the lists of the original Wordle, which are not in this repository;
[Wordle, proved](wordle.md) says where they come from, and how the proof works.

```sh
python scripts/frontier.py --cell "wordle:official expected win" --trust --workers 2 --ledgers DIR
```

{table}
"""


def claim(record: Record) -> str:
    """Return what a certificate proves."""
    limit = "" if record["within"] is None else f" within {record['within']}"
    first = "" if record["first"] is None else f", first {record['first']}"
    return (f"not{limit}" if record["bound"] is None else f"at least {record['bound']}{limit}") + first


def certificates(cells: Mapping[str, Record], records: Mapping[str, Record]) -> str:
    """Return the section on certificates; nothing when there are none."""
    there = {name: record for name, record in records.items() if made(record)}
    if not there:
        return ""
    order = {name: i for i, name in enumerate(cells)}
    body = []
    names = sorted(there, key=lambda name: (order.get(name, len(order)), name))
    for name in names:
        record, words = there[name], name.split()
        small = f" + {record['small_sets']} small sets" if record["small_sets"] else ""
        search, prove, check = (seconds(record.get(f"{what}_seconds")) for what in STAGES)
        workers = f" ({record['workers']} workers)" if "workers" in record else ""
        sizes = [f"{record['lemmas']}{small}", record["bytes"], record["xz_bytes"]]
        figures = [*sizes, search, prove + workers, check, record["check_mb"], *others_took(record)]
        body.append([*words[:3], claim(record), *figures, linked(record["sha256"][:12], name)])
    head = ["game", "objective", "goal", "proved", "lemmas", "bytes", "xz", "search", "prove", "check"]
    wanted = [name for name, record in cells.items() if proved(record)]
    large = [name for name in names if there[name]["bytes"] > LARGE]
    total, packed = (sum(record[key] for record in there.values()) for key in ("bytes", "xz_bytes"))
    return (
        CERTIFICATES.format(
            made=sum(name in there for name in wanted),
            wanted=len(wanted),
            total=f"{total / 1e6:.1f}",
            packed=f"{packed / 1e6:.1f}",
            large=f"Larger than one megabyte: {'; '.join(large)}.\n"
            if large
            else "None has more than one.\n",
            ratios=ratios(there.values()),
            beside=beside(there.values()),
            missing=missing(wanted, records),
            table=rows([*head, "MB", *OTHER_CHECKERS, "SHA-256"], body),
        )
        + more_certificates()
    )


OTHER_CHECKERS = ("Python", "Coq", "WebAssembly")
LONG = 0.05
"""Seconds from which one checker is compared with another."""


def others_took(record: Record) -> list[str]:
    """Return seconds and MB of the other checkers: empty where not measured, - where it gave no verdict."""
    checkers = record.get("checkers", {})
    took = [checkers.get(name, ()) for name in OTHER_CHECKERS]
    return ["-" if one is None else f"{one[0]:.2f} ({one[1]:.0f})" if one else "" for one in took]


def more_certificates() -> str:
    """Return the table of the certificates that are about no cell; nothing when there are none."""
    body = []
    for name, record in load(OTHERS, "certificates").items():
        game, objective, *goal = name.split()
        said = record["said"].removeprefix("verified: ").partition(" (")[0]
        exact = "exact" if record.get("strategy", True) else ""
        figures = [record["lemmas"], record["bytes"], seconds(record["check_seconds"]), *others_took(record)]
        page = record["page"].removeprefix("docs/")
        body.append(
            [
                *(f"[`{game}`]({page})", objective, " ".join(goal), said, exact, *figures),
                linked(record["sha256"][:12], name),
            ]
        )
    if not body:
        return ""
    head = ["game", "objective", "goal", "proved", "", "lemmas", "bytes", "check", *OTHER_CHECKERS, "SHA-256"]
    return MORE_CERTIFICATES.format(many=len(body), table=rows(head, body))


MORE_CERTIFICATES = """### More certificates

{many} more certificates are about games with lies or costs, tables with odds, kits (questions that are all
asked beforehand) and hard mode. The page behind each name shows the game. *Exact*: the archive has a strategy
that takes just as much, and the checker in C replays it. The page in your browser checks all but kits.

{table}
"""


def ratios(records: Iterable[Record]) -> str:
    """Return how long check and proof take beside the search; nothing when no search takes long."""
    slow = [record for record in records if record.get("search_seconds", 0) > 1]
    if not slow:
        return ""
    lines = [f"Where the search took over 1 s ({len(slow)} values):"]
    for what, key in (("the check", "check_seconds"), ("search and proof together", "prove_seconds")):
        found = [record[key] / record["search_seconds"] for record in slow]
        most = sum(ratio > MOST_TIMES[key] for ratio in found)
        lines.append(
            f"- {what} took {median(found):.1f} times as long as the search (median), "
            f"at most {rounded_up(max(found))} times; more than {MOST_TIMES[key]:g} times for {most} values"
        )
    return f"\n{lines[0]}\n\n{lines[1]};\n{lines[2]}.\n"


def rounded_up(ratio: float) -> str:
    """Return a ratio that is the most of all, to a tenth."""
    return f"{ceil(10 * ratio) / 10:.1f}"


def beside(records: Iterable[Record]) -> str:
    """Return how long the other checkers take beside the one in C; nothing where none was measured."""
    known = [record["checkers"] for record in records if "checkers" in record]
    long = [took for took in known if (took.get("C") or [0])[0] >= LONG]
    lines = []
    for name in OTHER_CHECKERS:
        found = [took[name][0] / took["C"][0] for took in long if took.get(name)]
        if found:
            lines.append(
                f"- {name} took {median(found):.1f} times as long (median of {len(found)}), "
                f"at most {rounded_up(max(found))} times"
            )
    if not lines:
        return ""
    head = (
        f"Beside the checker in C, where that took {LONG:g} s or more "
        f"({len(long)} of {len(known)} certificates),\nand with what starts Python and Node:"
    )
    return f"\n{head}\n\n" + ";\n".join(lines) + ".\n"


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
        elif not made(record):
            late = (
                f"not {'proved' if record['stopped'] == 'proof' else 'checked'} in {record['time_limit']:g} s"
            )
            reasons.setdefault(late, []).append(name)
    lines = "".join(f"- {reason}: {'; '.join(names)}.\n" for reason, names in reasons.items())
    return lines and f"\nThese values have no certificate:\n\n{lines}"


STAGES = ("search", "prove", "check")
LARGE = 1_000_000
"""Bytes."""
MOST_TIMES = {"check_seconds": 5, "prove_seconds": 1.5}
"""What it should take at most, beside the search."""
CERTIFICATES = """## Certificates

A certificate proves that no strategy is better than a value, even to readers who trust neither this
program nor its search: a small checker, which shares no code with the search, accepts the text.
[Proofs](proofs.md) explains how, and the strategy file shows the other side. To check one without a
compiler, save the file behind its value or its SHA-256, and drop it on
[a page in your browser](../verify/check.html).
{made} of the {wanted} proved values have one, and the checker accepted every certificate. Together they have
{total} megabytes, {packed} compressed by xz.
{large}{ratios}{beside}{missing}
The files are in the folder `proofs/`, compressed by xz, each with a strategy that takes just as much.
`make archive` makes what is missing there, and packs all with the checkers into
[one file](proofs.md#the-archive), which can be checked without guesstree. With one thread, one process and no
ledger, the same command writes the same bytes, where it has as much memory. If workers prove
claims one by one, the text depends on the order of the claims. These commands repeat a check:

```sh
guesstree prove mastermind:4x7 --objective expected --goal win --out 4x7.proof
sha256sum 4x7.proof
cc -O3 verify/verify.c -o gtverify
./gtverify 4x7.proof
python scripts/frontier.py --compare --cell "mastermind:4x7 expected win"    # all of it
python scripts/certify.py 4x7.proof                                          # enter it in results.json
```

*Proved*: `at least` is a total; `not within d` says that no strategy finds all secrets within d guesses,
so that the worst case is d + 1. *Search*: seconds of the search; *prove*: seconds of search and proof
(with workers: of all claims together); *check*: seconds of the checker. All seconds are those of one
processor, on a shared machine; an empty cell was not measured. *MB* is the peak memory of the checker, of
which up to 14 are those of the script that starts it. *Python*, *Coq*, *WebAssembly*: seconds, and MB in
brackets, of the other [checkers](../verify/README.md) that accepted the certificate
(`scripts/checkers.py`, later, on a slower machine); a line (-) stands where one takes too long, or does not
cover the game. *SHA-256* is the beginning of the hash;
[results.json](results.json) contains the whole hash.

{table}
"""


PAGE = """# Results

This page is for researchers, and for everybody who looks up a value. It lists the values that guesstree has
proved for Mastermind, Mastermind with black pegs only, Bulls and Cows, and Wordle. `scripts/frontier.py`
writes this page from [results.json](results.json); do not edit it.

- *Total*: the least number of guesses that all secrets need together. Divided by the number of secrets it is
  the expected number of guesses. *Worst case*: the least number of guesses that is always enough. Any code
  may be guessed, even one that can no longer be the secret.
- *To win*: the guesses go on until the player guesses the secret itself; that guess counts. *To identify*:
  the guesses go on until only one secret is left.
- p is the number of positions, c the number of colours (in Bulls and Cows of digits; there the digits of a
  code differ).

A single number is proved: there is a strategy with this value, an independent checker replayed every
secret through it, and an exhaustive search found no better one. `at least..at most` are bounds: the time
limit stopped the search. An empty cell was not computed. [How optimality is proven](search.md) describes
the search. {proved} of {all} values are proved.

A value links to its certificate, which proves that nothing is better: save the file behind the link, and drop
it on [the page that checks certificates](../verify/check.html), which works without a network. In the folder
`proofs/`, a strategy that takes just as much mostly lies beside it (`.strategy.xz`); drop it there, too, and
the page says that the value is the optimum.

## First proved here, as far as we know

These values are bold in the tables. The letters say what we knew about them before; our reading of the
literature is not complete ([who was first](#who-was-first)).{bare}

{news}
## Reproduce

```sh
python scripts/frontier.py --time-limit 60              # what is not proved yet, easy cells first
python scripts/frontier.py --only two-colours --only worst
python scripts/frontier.py --cell "mastermind:5x5 expected win" --again --save out
python scripts/frontier.py --cell "mastermind:4x10 expected win" --time-limit 0 --workers 2 --ledgers DIR
python scripts/frontier.py --merge FILE                 # what another table has
python scripts/frontier.py --table                      # this page
```

The script computes a cell with a proved value and a certificate again only with `--again`. It computes a
cell with bounds, or with a value without a certificate, only if it gets more time than before. With
`--ledgers`, it stores the results of a cell: whatever ends a run, the next run continues from there.
`--trust` believes the search, and makes no certificates. `--results FILE` starts a table of your own.
`--save` keeps the strategy files, which `guesstree check` can replay, and the certificates.

{tables}
{words}{literature}
{hardest}{certificates}## What each value took

If one thread proved a value, states and evaluations do not depend on the machine. For bounds they do, because
the clock stopped the search. Seconds and memory are those of one run on a shared two-core machine. With
workers, states are the claims in the ledger, seconds are the processor time of all claims with their proofs,
in all runs, and memory is the most that one process had. The checksum is the beginning of the SHA-256 of the
strategy file as canonical JSON (keys sorted, no spaces, UTF-8).

{figures}
Next: [check a value without trusting guesstree](proofs.md), or [compute one that is open](bounds.md).
"""


def page(cells: Mapping[str, Record], proofs: Mapping[str, Record]) -> str:
    """Return the text of docs/results.md."""
    tables = []
    for family, title in FAMILIES.items():
        for goal, ending in GOALS.items():
            for objective, least in OBJECTIVES.items():
                if in_grid(cells, family, objective, goal):
                    table = grid(cells, proofs, family, objective, goal)
                    tables.append(f"## {title}: {least} {ending}\n\n{table}")
    tables.append(f"## Two colours, n positions\n\n{two_colours(cells, proofs)}")
    return PAGE.format(
        proved=sum(map(proved, cells.values())),
        all=len(cells),
        news=news(cells, proofs),
        bare="" if all(made(proofs.get(name)) for name in cells if proved(cells[name])) else MARKED,
        literature=literature(parse_cell(name) for name, record in cells.items() if proved(record)),
        tables="\n".join(tables),
        words=of_words(cells),
        hardest=hardest(cells, proofs),
        certificates=certificates(cells, proofs),
        figures=figures(cells),
    )
