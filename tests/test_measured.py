"""Pages of figures that were measured: they show what is kept as JSON, and some are measured again."""

import json
from fractions import Fraction
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from piped import piped

import guesstree
from guesstree.engine.constructive.many import PLACES
from guesstree.engine.constructive.measure import different_codes, measure, random_codes
from guesstree.engine.constructive.size import Size
from guesstree.engine.constructive.zeros import WAYS
from guesstree.engine.kits.kit import least_kit
from guesstree.engine.objective import WORST
from guesstree.engine.onestep.valuations import BUDGET_VALUATIONS, COST_VALUATIONS
from guesstree.engine.problem import Problem
from guesstree.engine.proofs.kits import kit_proof

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
Record = dict[str, Any]
NEEDS_WORDS = pytest.mark.skipif(find_spec("symspellpy") is None, reason="pip install guesstree[words]")


def kept(name: str) -> Record:
    """Return the figures of a file."""
    found: Record = json.loads((DOCS / f"{name}.json").read_text())
    return found


def rows_of(page: str) -> list[list[str]]:
    """Return the rows of all tables of a page."""
    lines = (DOCS / page).read_text().splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")]


# -- the constructive strategy -------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [4, *(pytest.param(n, marks=pytest.mark.long) for n in (8, 16, 64))])
@pytest.mark.parametrize("family", ["mastermind", "blackpeg"])
def test_questions_are_counted_again(family: str, n: int) -> None:
    size = Size(family, n, n)
    for kind, draw in (("random", random_codes), ("different", different_codes)):
        known = kept("many")[f"{size.spec} {kind}"]
        found = measure(size, draw(size, known["games"], 1))
        assert (float(found.mean), found.least, found.most) == (known["mean"], known["min"], known["max"])


def test_the_page_of_questions_shows_them() -> None:
    known, cells = kept("many"), {cell for row in rows_of("many-tables.md") for cell in row}
    for key, row in known.items():
        spec, kind, *_ = key.split()
        n = spec.partition(":")[2].partition("x")[0]
        if kind in ("random", "different") and (
            spec.startswith("mastermind") or n == spec.rpartition("x")[2]
        ):
            assert f"{shown(row['mean'])} ({row['max']:,})" in cells, key


def test_the_page_of_questions_shows_zero_colours_two_colours_and_other_codes() -> None:
    known, rows = kept("many"), rows_of("many-tables.md")
    for n in (16, 64, 256, 1024):
        assert [
            f"{n:,}",
            *(shown(known[f"mastermind:{n}x{n} zeros {way}"]["mean"]) for way in WAYS),
        ] in rows
    for n in (int(key[9:].partition("x")[0]) for key in known if key.endswith("x2 two") and key[0] == "b"):
        black, both = (known[f"{family}:{n}x2 two"] for family in ("blackpeg", "mastermind"))
        end = [f"{black['max']:,}", f"{both['max']:,}", f"{black['walk']:,}"]
        assert n < 16 or end in [row[4:] for row in rows if row[0] == f"{n:,}" and len(row) == 7]
    for row in rows:
        if len(row) == 11 and row[0][0].isdigit():
            spec = "mastermind:{0}x{0}".format(row[0].replace(",", ""))
            most = [known.get(f"{spec} {kind}", {}).get("max") for kind in ("structured", "climbed")]
            assert row[7:9] == ["" if number is None else f"{number:,}" for number in most]


def shown(mean: float) -> str:
    """Return a mean as the page of questions shows it."""
    return f"{mean:,.0f}" if mean >= 1000 else f"{mean:.1f}"


@pytest.mark.parametrize("way", PLACES)
@pytest.mark.parametrize("n", [16, pytest.param(64, marks=pytest.mark.long)])
def test_ways_to_find_places_are_counted_again(n: int, way: str) -> None:
    size = Size("mastermind", n, n)
    found, known = measure(size, different_codes(size, 20, 1), places=way), kept("many")[f"{size.spec} {way}"]
    assert (float(found.mean), found.least, found.most) == (known["mean"], known["min"], known["max"])


def test_the_page_of_questions_compares_ways_to_find_places() -> None:
    known, rows = kept("many"), rows_of("many-tables.md")
    sizes = [int(key.partition("x")[2].split()[0]) for key in known if key.endswith(" linear")]
    assert {16, 65536} <= set(sizes)
    for n in sizes:
        row = [f"{n:,}"]
        for way in PLACES:
            mean = known[f"mastermind:{n}x{n} {way}"]["mean"]
            row += [shown(mean), f"{mean / n:.2f}"]
        assert row in rows


# -- Hangman -------------------------------------------------------------------------------------------------


@NEEDS_WORDS
@pytest.mark.parametrize("length", [18, 20, pytest.param(2, marks=pytest.mark.long)])
def test_words_of_a_length_are_played_again(length: int) -> None:
    known, spec = kept("hangman-results")["cells"], f"hangman:english-{length},misses=6"
    for objective in ("win-probability", "worst"):
        found, row = guesstree.solve(spec, objective), known[f"{length} {objective}"]
        figures = {"lower": list(found.lower), "upper": list(found.upper), "states": found.states}
        assert figures.items() <= row.items()
    for method in ("least-cost", *BUDGET_VALUATIONS):
        costs = guesstree.solve(spec, "win-probability", method=method).strategy.check().costs
        assert costs is not None and costs.won == known[f"{length} {method}"]["won"]


@NEEDS_WORDS
@pytest.mark.long
@pytest.mark.parametrize("length", [3, 4, 9])
def test_words_that_take_long_are_solved_again(length: int) -> None:
    found = guesstree.solve(f"hangman:english-{length},misses=6", "win-probability")
    row = kept("hangman-results")["cells"][f"{length} win-probability"]
    assert (list(found.lower), list(found.upper), found.states) == (row["lower"], row["upper"], row["states"])


@NEEDS_WORDS
@pytest.mark.long
def test_the_worst_case_of_a_length_is_found_without_a_time_limit() -> None:
    """Of parts it takes seconds; the search of the whole did not end in minutes, when it came first."""
    found = guesstree.solve("hangman:english-3,misses=6", "worst")
    row = kept("hangman-results")["cells"]["3 worst"]
    assert (list(found.lower), list(found.upper)) == (row["lower"], row["upper"])


def test_records_of_hangman_agree_with_each_other_and_with_the_page() -> None:
    cells, rows = kept("hangman-results")["cells"], rows_of("hangman-results.md")
    lengths = sorted({int(name.split()[0]) for name in cells})
    assert len(lengths) >= 20
    for n in lengths:
        best, worst = cells[f"{n} win-probability"], cells[f"{n} worst"]
        assert best["lower"] <= best["upper"] and worst["lower"] <= worst["upper"]
        methods = [cells[f"{n} {name}"] for name in (*COST_VALUATIONS, *BUDGET_VALUATIONS)]
        for played in methods:
            assert best["lower"][0] <= best["upper"][0] <= played["words"] - played["won"]
            assert worst["lower"][0] <= played["worst"]
        # No word is lost if and only if the misses allowed cover the worst case.
        assert worst["upper"][0] > 6 or best["lower"][0] == 0
        assert best["upper"][0] > 0 or worst["lower"][0] <= 6
        exact, steps = (row for row in rows if row[0] == str(n))
        assert exact[1] == str(best["words"])
        bounds = [
            " to ".join(dict.fromkeys(str(r[side][0]) for side in ("lower", "upper"))) for r in (best, worst)
        ]
        assert [exact[2], exact[6]] == bounds
        assert steps[1:] == [
            *(f"{r['words'] - r['won']} / {r['worst']}" for r in methods),
            " / ".join(bounds),
        ]


# -- many workers --------------------------------------------------------------------------------------------


def test_the_page_about_many_workers_shows_what_was_simulated() -> None:
    known, rows = kept("scale"), rows_of("scale.md")
    for spec, game in known["games"].items():
        for run in game["runs"]:
            efficiency = game["needed"] / run["workers"] / run["seconds"]
            row = [spec, str(run["workers"]), f"{run['seconds']:.2f}", f"{efficiency:.2f}"]
            assert row in [one[:4] for one in rows]
    for run in known["large"]["runs"]:
        efficiency = known["large"]["needed"] / run["workers"] / run["seconds"]
        row = [f"{run['workers']:,}", f"{run['seconds'] / 3600:.2f}", f"{efficiency:.2f}"]
        assert row in [one[:3] for one in rows]
    for spec, (evaluations, low, _, high) in known["estimate"]["tried"].items():
        row = [f"{evaluations / 1e6:.1f} M", f"{low / 1e6:.1f} to {high / 1e6:.1f} M"]
        assert [spec, f"{known['estimate']['powers'][spec]:.1f}", *row] in rows


# -- diagnosis -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "options", "example"),
    [
        ("pools", ",cells=sets", "3 samples, pools that err"),
        ("questions-4", ",cells=sets", "4 numbers, each question twice, 10 % wrong answers"),
        ("questions-5", ",cells=sets", "5 numbers, each question twice, 10 % wrong answers"),
        ("classes", "", "random examples with classes"),
    ],
)
def test_made_up_examples_are_solved_again(name: str, options: str, example: str) -> None:
    file = ROOT / "tests" / "data" / "diagnosis" / f"{name}.csv"
    found = json.loads(piped("solve", f"table:{file}{options}", "--json").stdout)
    assert found["lower"] == found["upper"]
    costs = found.get("costs", found)
    assert costs.get("shown", costs)["exact"] == kept("diagnosis")[example]["value"]


def test_the_page_about_diagnosis_shows_what_was_measured() -> None:
    shown = {row[0]: row[1:] for row in rows_of("diagnosis.md")}
    for name, record in kept("diagnosis").items():
        value, lower = (figure(record[key]) for key in ("value", "lower"))
        gap = 100 * float(Fraction(record["value"]) / Fraction(record["lower"]) - 1)
        others = (
            "; ".join(
                map(partial(beside, Fraction(record["value"])), *zip(*record["others"].items(), strict=True))
            )
            if record["others"]
            else ""
        )
        assert shown[name] == [
            value,
            lower,
            "proven" if not gap else f"{gap:.1f} %",
            f"{record['seconds']:.1f}",
            others,
        ]


def figure(text: str) -> str:
    """Return a fraction with as many digits as the page shows."""
    value = Fraction(text)
    return f"{float(value):.4f}" if value < 100 else f"{float(value):.2f}"


def beside(ours: Fraction, name: str, text: str) -> str:
    """Return what another program or rule takes, and how much more than ours that is."""
    if "." in text:  # as its authors say it
        return f"{name} {text}"
    return f"{name} {figure(text)} ({100 * float(Fraction(text) / ours - 1):+.1f} %)"


# -- kits ----------------------------------------------------------------------------------------------------


def planned() -> list[Any]:
    """Return the rows of the page of kits; those that take long are for the tests that do."""
    rows = [row for row in rows_of("plan.md") if len(row) == 5 and row[0].startswith("`")]
    return [
        pytest.param(*row[:3], row[4], marks=[pytest.mark.long] if float(row[3]) > 0.4 else [])
        for row in rows
    ]


@pytest.mark.parametrize(("game", "published", "questions", "length"), planned())
def test_kits_are_planned_again(game: str, published: str, questions: str, length: str) -> None:
    kit = least_kit(game.strip("`"))
    assert kit.lower == kit.upper == int(questions)
    if published != "-":
        value, _, by = published.rpartition(" ")
        assert (by in {"H", "C", "J", "G", "L"} and kit.upper == int(value)) or value == "at most 6"
    if length != "-":
        proof = kit_proof(kit.game, Problem(kit.game, WORST, goal=kit.goal), kit.cover, kit.lower)
        assert len(proof.text) == pytest.approx(int(length.replace(",", "")), rel=0.1)  # prices may be others
