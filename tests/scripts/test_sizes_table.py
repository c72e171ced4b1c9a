"""The table of small trees in the docs is that of what was measured, and says what it should."""

import json
from pathlib import Path

import sizes

DOCS = Path(__file__).parents[2] / "docs"


def test_the_page_has_the_table_of_what_was_measured() -> None:
    known = json.loads((DOCS / "sizes.json").read_text())
    assert sizes.table(known) in (DOCS / "learning.md").read_text()
    for row in known.values():
        for limit in sizes.LIMITS:
            ours, streed, grown = (row[limit][one] for one in ("guesstree", "pystreed", "scikit-learn"))
            if ours["proven"] and streed["proven"]:
                assert ours["value"] == streed["value"]
            assert not ours["proven"] or ours["value"] <= grown["value"]
