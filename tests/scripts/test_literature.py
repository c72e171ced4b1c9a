"""Who published the values of the results page first, and which of them have no certificate yet."""

import json
import re
from pathlib import Path

import literature
import results
import results_page

ROOT = Path(__file__).parent.parent.parent
CELLS = results.load(results.RESULTS)
PROOFS = results.load(results.RESULTS, "certificates")
PROVED = [results.parse_cell(name) for name, record in CELLS.items() if results.proved(record)]
PAGE = (ROOT / "docs" / "results.md").read_text()


def test_each_proved_value_has_an_answer_on_the_page() -> None:
    """Those that a list of known values has are published; those that are new are not."""
    known = json.loads((ROOT / "tests" / "data" / "known.json").read_text())["values"]
    for one in known:
        cell = results.Cell(one["game"], one["objective"], one.get("goal", "win"))
        if str(cell) not in CELLS or {"max_depth", "candidates_only"} & set(one):
            continue
        said = literature.credit(cell)
        assert not said.startswith(literature.NONE) or "p" not in one["mark"].split(), (one, said)
        assert one.get("source", "") in said
    for name in results_page.OPEN:
        assert literature.credit(results.parse_cell(name)).startswith(literature.NONE), name
    table = literature.first_published(PROVED)
    assert table in PAGE
    assert "| Mastermind | least total to win | 4x6 | Koyama and Lai 1993 |\n" in table
    assert "| Black-peg Mastermind | least total to identify | all | none known to us |\n" in table


def test_what_is_credited_is_a_value_of_ours_and_cited() -> None:
    texts = "; ".join(one.text for one in literature.credits())
    assert all(name in texts for name in literature.sources())
    assert all(f"- **{name}**: {text}\n" in PAGE for name, text in literature.sources().items())
    assert set(re.findall(r"[A-Z][\wł]+(?: and [A-ZŁ]\w+)? \d{4}", texts)) <= set(literature.sources())
    for one in literature.credits():
        games = {cell.game for cell in PROVED if one.covers(cell)}
        assert games == {f"{one.family}:{size}" for size in one.sizes}, one
    for cell in PROVED:
        assert sum(one.covers(cell) for one in literature.credits()) <= 1, cell


def test_the_formulas_of_articles_are_ours() -> None:
    def ours(game: str, objective: str) -> int:
        return int(CELLS[f"{game} {objective} win"]["upper"])

    for c in range(2, 11):
        assert ours(f"mastermind:2x{c}", "worst") == c // 2 + 2
        assert ours(f"bulls:2x{c}", "worst") == -(-c // 2) + 1
        if c % 2 == 0:
            assert 12 * ours(f"bulls:2x{c}", "expected") == 4 * c**3 + 21 * c**2 - 76 * c + 72
        if c >= 5:
            assert ours(f"mastermind:3x{c}", "worst") == (c - 1) // 3 + 4


def test_values_without_a_certificate_are_marked() -> None:
    """In bold, among what was first proved here, and in the other tables; all values have one now."""
    assert all(results.made(PROOFS.get(str(cell))) for cell in PROVED)
    assert "\u2020" not in PAGE and "**[36721](../proofs/mastermind-5x6-expected-win.proof.xz)** (a)" in PAGE
    missing = {"mastermind:5x6 expected win", "bulls:5x8 expected win"}
    page = results_page.page(CELLS, {name: record for name, record in PROOFS.items() if name not in missing})
    assert page.count("\u2020") == 1 + 1 + len(missing)  # the sentence, and what is new
    assert "**36721\u2020** (a)" in page and "mastermind 5x6 least total 36721\u2020" in page
    assert "| 34444\u2020 |" in page
    assert "**[34666](../proofs/mastermind-4x9-expected-win.proof.xz)** (a)" in page
    empty = results_page.page(CELLS, {})
    assert "34666\u2020** (a)" in empty and "| 8\u2020 |" in empty
