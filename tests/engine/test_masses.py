"""Tests that split masses: the values of worked examples, and the search against the exhaustive oracle."""

import json
from pathlib import Path
from typing import Any

import pytest
from masses import model_of

from guesstree.engine.masses import oracle

EXAMPLES: dict[str, Any] = json.loads((Path(__file__).parents[1] / "data" / "masses.json").read_text())


def exact(value: object) -> str | None:
    return None if value is None else str(value)


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_oracle_knows_the_worked_examples(name: str) -> None:
    example = EXAMPLES[name]
    model = model_of(example["rows"], example.get("ambiguous", ""), example.get("ends", ""))
    found = exact(oracle.expected(model)), exact(oracle.worst(model))
    assert found == (example["expected"], example["worst"])
