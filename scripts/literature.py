"""Who published the values of docs/results.md first, as far as we know."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from results import FAMILIES, GOALS, OBJECTIVES, WORDS, Cell, rows

SOURCES = {
    "Bertsimas and Paskov 2024": (
        "D. Bertsimas, A. Paskov, *An Exact Solution to Wordle*, Operations Research, 2024, "
        "doi:10.1287/opre.2022.0434. Seen: the abstract."
    ),
    "Chen and Lin 2004": (
        "S.-T. Chen, S.-S. Lin, *Optimal Algorithms for 2 x n Mastermind Games: A Graph-Partition "
        "Approach*, The Computer Journal 47 (5), 2004, 602-611. Seen: what Peczarski says of their "
        "formulas for Mastermind and Bulls and Cows with two positions."
    ),
    "Goddard 2004": (
        "W. Goddard, *Mastermind Revisited*, Journal of Combinatorial Mathematics and Combinatorial "
        "Computing 51, 2004, 215-220. Seen: the abstract, which promises the average and the worst case "
        "of more small sizes, and of all with two positions."
    ),
    "Huang and Lin": (
        "L.-T. Huang, S.-S. Lin, *Optimal Analyses for 3 x n AB Games in the Worst Case*. Seen: slides "
        "without a year."
    ),
    "Jäger and Peczarski 2011": (
        "G. Jäger, M. Peczarski, *The number of pessimistic guesses in Generalized Black-peg Mastermind*, "
        "Information Processing Letters, 2011. Seen: the abstract, with formulas for two, three and four "
        "positions, and values of other sizes by a program."
    ),
    "Knuth 1977": (
        "D. E. Knuth, *The Computer as Master Mind*, Journal of Recreational Mathematics 9 (1), 1976-77, "
        "1-6. Seen: what others say of it."
    ),
    "Koyama and Lai 1993": (
        "K. Koyama, T. W. Lai, *An Optimal Mastermind Strategy*, Journal of Recreational Mathematics 25 "
        "(4), 1993, 251-256. Seen: what others say of it."
    ),
    "noedne": (
        "An answer of *noedne* on Puzzling Stack Exchange, post 136924, which reports a theorem for three "
        "positions, and values for four. Seen: the answer, without the name of the article that it "
        "reports."
    ),
    "Pawlik and Zabłocki": ("D. Pawlik, A. Zabłocki, *Rozważmy Masterminda* (in Polish). Seen: all of it."),
    "Peczarski 2018": (
        "M. Peczarski, *Algorithm to Prove Formulas for the Expected Number of Questions in Mastermind "
        "Games*, arXiv:1808.03849, 2018, which closes a gap in the proof of Chen and Lin. Seen: the "
        "abstract."
    ),
    "Selby 2022": (
        "A. Selby, *The best strategies for Wordle*, with a second part, sonorouschocolate.com, 2022. "
        "Seen: the second part."
    ),
    "Tanaka 1996": (
        "T. Tanaka, *An Optimal MOO Strategy*, Game Programming Workshop, 1996. Seen: what others say of it."
    ),
    "Ville 2013": (
        "G. Ville, *An Optimal Mastermind (4,7) Strategy and More Results in the Expected Case*, "
        "arXiv:1305.1010, 2013. Seen: the abstract."
    ),
}
"""What is cited, by a short name, and how much of it we have seen."""

NONE = "none known to us"
LISTED = "published; by whom first is not known to us"
CLAIMED = f"{NONE}; a strategy with this total was called optimal"
UNPUBLISHED = f"{NONE}; an unpublished computation gave the same"


@dataclass(frozen=True)
class Credit:
    """Who was first with some values of a table: `sizes` are those of games, such as 4x6."""

    family: str
    objective: str
    goal: str
    sizes: tuple[str, ...]
    text: str

    def covers(self, cell: Cell) -> bool:
        """Return whether a value is one of them."""
        kind = (cell.family, cell.objective, cell.goal) == (self.family, self.objective, self.goal)
        return kind and cell.game.partition(":")[2] in self.sizes


def sizes(positions: int, least: int, most: int) -> tuple[str, ...]:
    """Return the sizes with so many positions, of so many colours."""
    return tuple(f"{positions}x{colours}" for colours in range(least, most + 1))


TWO = tuple(f"{n}x2" for n in range(2, 9))
"""Two colours."""
CREDITS = [
    Credit(
        "mastermind",
        "expected",
        "win",
        sizes(2, 2, 10),
        "Goddard 2004; Chen and Lin 2004 with Peczarski 2018",
    ),
    Credit("mastermind", "expected", "win", ("4x6",), "Koyama and Lai 1993"),
    Credit("mastermind", "expected", "win", ("4x7",), "Ville 2013"),
    Credit(
        "mastermind",
        "expected",
        "win",
        (*sizes(3, 2, 5), *sizes(4, 2, 5), *sizes(5, 2, 3)),
        f"{LISTED}; Goddard 2004 and Ville 2013 have small sizes",
    ),
    Credit("mastermind", "expected", "win", ("4x8",), CLAIMED),
    Credit("mastermind", "expected", "win", ("3x6", "3x8", "5x4", "7x3", "9x2", "10x2"), UNPUBLISHED),
    Credit("mastermind", "worst", "win", sizes(2, 2, 10), "Goddard 2004"),
    Credit("mastermind", "worst", "win", ("4x6",), "Knuth 1977"),
    Credit("mastermind", "worst", "win", (*sizes(3, 5, 10), "4x7"), "an article that noedne reports"),
    Credit(
        "mastermind",
        "worst",
        "win",
        (*sizes(3, 2, 4), *sizes(4, 2, 5), "4x8", *sizes(5, 2, 6), "6x2", "6x4", "7x2", "7x3", "8x2"),
        f"{LISTED}; Goddard 2004 has small sizes",
    ),
    Credit("mastermind", "worst", "win", ("9x2", "10x2", "11x2"), UNPUBLISHED),
    Credit("mastermind", "worst", "identify", ("4x6",), "Knuth 1977, as Pawlik and Zabłocki have it"),
    Credit(
        "mastermind",
        "worst",
        "identify",
        TWO,
        "published, as Pawlik and Zabłocki report; by whom first is not known to us",
    ),
    Credit("blackpeg", "expected", "win", ("4x2",), LISTED),
    Credit(
        "blackpeg",
        "worst",
        "win",
        (*sizes(2, 2, 10), *sizes(3, 2, 10), *sizes(4, 2, 8)),
        "Jäger and Peczarski 2011",
    ),
    Credit(
        "blackpeg",
        "worst",
        "win",
        ("5x2", "6x2", "7x2", "8x2", "9x2"),
        f"{LISTED}; Jäger and Peczarski 2011 have values by a program",
    ),
    Credit("bulls", "expected", "win", sizes(2, 2, 10), "Chen and Lin 2004 with Peczarski 2018"),
    Credit("bulls", "expected", "win", ("4x10",), "Tanaka 1996"),
    Credit("bulls", "expected", "win", (*sizes(3, 3, 7), *sizes(4, 4, 6), "5x5"), LISTED),
    Credit("bulls", "expected", "win", ("4x8",), CLAIMED),
    Credit("bulls", "worst", "win", sizes(2, 2, 10), "Chen and Lin 2004"),
    Credit("bulls", "worst", "win", ("4x10",), "Tanaka 1996"),
    Credit("bulls", "worst", "win", sizes(3, 3, 10), "Huang and Lin"),
    Credit("bulls", "worst", "win", (*sizes(4, 4, 6), "5x5"), LISTED),
    Credit(WORDS, "expected", "win", ("official",), "Selby 2022; Bertsimas and Paskov 2024"),
    Credit(
        WORDS,
        "worst",
        "win",
        ("official",),
        f"five suffice: Bertsimas and Paskov 2024; four do not: {LISTED}",
    ),
]
"""Who was first; of values that none of these covers nothing is known to us."""


def credit(cell: Cell) -> str:
    """Return who published a value first, as far as we know."""
    if cell.within is not None:
        return NONE
    return next((one.text for one in CREDITS if one.covers(cell)), NONE)


def first_published(cells: Iterable[Cell]) -> str:
    """Return the table of who was first with each of these values: a row for each answer of a table."""
    found: dict[tuple[str, str, str], dict[str, list[str]]] = {}
    for cell in cells:
        kind = (cell.family, cell.objective, cell.goal)
        found.setdefault(kind, {}).setdefault(credit(cell), []).append(cell.game.partition(":")[2])
    names = FAMILIES | {WORDS: "Wordle"}
    body = []
    for family, title in names.items():
        for goal, ending in GOALS.items():
            for objective, least in OBJECTIVES.items():
                answers = found.get((family, objective, goal), {})
                for text, games in sorted(answers.items(), key=lambda one: one[0] == NONE):
                    rest = "all" if len(answers) == 1 else "all others"
                    which = rest if text == NONE else in_words(games)
                    body.append([title, f"{least} {ending}", which, text])
    return rows(["game", "value", "sizes", "first published"], body)


def in_words(games: Iterable[str]) -> str:
    """Return sizes in order, such as ``2x2 to 2x10, 4x6``; what is no size as it is."""
    pairs = sorted(tuple(map(int, game.split("x"))) for game in games if "x" in game)
    runs: list[list[tuple[int, ...]]] = []
    for positions, colours in pairs:
        if runs and runs[-1][-1] == (positions, colours - 1):
            runs[-1].append((positions, colours))
        else:
            runs.append([(positions, colours)])
    named = [["{}x{}".format(*pair) for pair in run] for run in runs]
    said = [f"{run[0]} to {run[-1]}" if len(run) > 2 else ", ".join(run) for run in named]
    return ", ".join([*said, *(game for game in games if "x" not in game)])


def sources() -> str:
    """Return the list of what is cited."""
    return "".join(f"- **{name}**: {text}\n" for name, text in SOURCES.items())


LITERATURE = """## Who was first

The table says for each proved value who published it first, with the [source](#sources) below, or *none known
to us*. If only lists of known values contain a value, and name nobody, the value is published, but we do not
know who was first. The sizes are positions x colours.

{table}
### Sources

We searched stored copies of public web pages, documentation and source repositories, in November 2026,
for the games with *optimal*, *expected*, *worst case*, *table* and *number of guesses*, for the authors
below, and for some of the values (5625, 11228, 20471, 26274, 28430, 34666). Of most articles we could see
only the abstract or the first page; the list says so for each. If a value stands only in the tables of
such an article, we may have missed it and say *none known to us*. All formulas and values that we saw
agree with ours.

{sources}"""


def literature(cells: Iterable[Cell]) -> str:
    """Return the section on who published these values first."""
    return LITERATURE.format(table=first_published(cells), sources=sources())
