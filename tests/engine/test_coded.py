"""Coded descriptions of taxa (NEXUS, DELTA, SDD): what is read is what was written, and what they imply."""

import random
from pathlib import Path

import pytest
from effort import tries
from hypothesis import given
from hypothesis import strategies as st

import guesstree
from guesstree.engine.errors import GameError
from guesstree.engine.registry import parse
from guesstree.engine.sheets.nexus import read_nexus
from guesstree.engine.tables.reading import read_file
from guesstree.engine.tables.table import TableGame

Matrix = dict[str, list[frozenset[int] | None]]
"""The states of each taxon, from 0, by character; empty: it does not apply; None: unknown."""


def random_matrix(rng: random.Random) -> Matrix:
    """Return a small matrix in which each character has a state somewhere."""
    taxa, characters, states = rng.randint(2, 5), rng.randint(1, 5), rng.randint(2, 4)

    def cell() -> frozenset[int] | None:
        if rng.random() < 0.1:
            return None
        if rng.random() < 0.1:
            return frozenset()
        return frozenset(rng.sample(range(states), 1 + (rng.random() < 0.2)))

    found: Matrix = {f"Taxon's {i}": [cell() for _ in range(characters)] for i in range(taxa)}
    for c in range(characters):
        if not any(row[c] for row in found.values()):
            found["Taxon's 0"][c] = frozenset([0])
    return found


def nexus_of(matrix: Matrix, rng: random.Random) -> str:
    """Return a matrix as NEXUS, in one of the ways of writing it."""
    many = len(next(iter(matrix.values())))
    interleaved, space = rng.random() < 0.5, rng.choice(["", " ", "\t"])
    symbols = "0123"

    def sign(cell: frozenset[int] | None) -> str:
        if not cell:
            return "?" if cell is None else "-"
        inside = rng.choice(["", " ", ","]).join(symbols[state] for state in sorted(cell, reverse=True))
        return inside if len(cell) == 1 else rng.choice(["({})", "{{{}}}"]).format(inside)

    def name(taxon: str) -> str:
        quoted = "'" + taxon.replace("'", "''") + "'"
        return rng.choice([quoted, f"[of [it] ']{quoted}"])

    cut = rng.randint(1, many) if interleaved else many
    parts = [(0, cut), (cut, many)] if cut < many else [(0, many)]
    between = " " if interleaved else rng.choice([" ", "\n", "[a comment]"])
    rows = [
        name(taxon) + between + space.join(map(sign, row[first:last])) + " "
        for first, last in parts
        for taxon, row in matrix.items()
    ]
    word = rng.choice(["DATA", "Characters"])
    shape = " INTERLEAVE" if interleaved else ""
    labels = ", ".join(f"{c + 1} 'c; {c}' / a{c} b_{c} 'c''{c}' d{c}" for c in range(many))
    return (
        f"#NEXUS\n[!a comment]\nBEGIN {word};\nDIMENSIONS NTAX={len(matrix)} NCHAR={many};\n"
        f'FORMAT{shape} DATATYPE=STANDARD MISSING=? GAP=- SYMBOLS="{symbols}";\n'
        f"CHARSTATELABELS {labels};\nMATRIX\n" + "\n".join(rows) + "\n;\nEND;\n"
    )


@tries(3)
@given(rng=st.randoms(use_true_random=False))
def test_nexus_is_read_as_it_was_written(rng: random.Random) -> None:
    matrix = random_matrix(rng)
    header, *rows = (row.cells for row in read_nexus("t.nex", nexus_of(matrix, rng).encode()).rows)
    assert header == ["character / taxon", *matrix]
    for c, row in enumerate(rows):
        states = [f"a{c}", f"b {c}", f"c'{c}", f"d{c}"]
        cells = [
            "" if own is None else "/".join(states[state] for state in sorted(own)) or "-"
            for own in (coded[c] for coded in matrix.values())
        ]
        assert row == [f"c; {c}", *cells]


HEAD = '#NEXUS\nBEGIN DATA;DIMENSIONS NCHAR=2;FORMAT SYMBOLS="012" MISSING=? GAP=-;MATRIX '


@pytest.mark.parametrize(
    ("rows", "options", "said", "needed"),
    [
        ("A 00 B 01 C 10", "", [], ""),
        ("A 00 B 01 C 1{01}", "", ["cells=sets"], ",cells=sets"),
        ("A 00 B 01 C 1?", "", ["missing=any"], ",missing=any"),
        ("A 00 B 01 C 0?", "", ["missing=any", "ambiguous=clique"], ",missing=any,ambiguous=clique"),
        ("A 00 B 01 C 0{01}", "", ["cells=sets", "'A' and 'C'"], ",cells=sets,ambiguous=clique"),
        ("A 00 B 01 C 01", "", ["'B' and 'C'"], ",cells=sets,ambiguous=clique"),
        ("A 00 B 01 C 01", ",merge", [], ""),
        ("A 00 B 01 C 1(01)", ",cells=labels", [], ",cells=labels"),
        ("A 00 B 01 C 1?", ",cells=sets", [], ",cells=sets"),
    ],
)
def test_what_a_format_implies_is_taken_and_said(
    rows: str, options: str, said: list[str], needed: str, tmp_path: Path
) -> None:
    file = tmp_path / "t.nex"
    file.write_text(f"{HEAD}{rows};END;")
    found = read_file(f"{file}{options}")
    for words in said:
        assert any(words in line for line in found.said), found.said
    assert sum(line.count("=") for line in found.said) == (0 if options else needed.count("="))
    game = parse(f"table:{file}{options}")
    assert isinstance(game, TableGame)
    solution = guesstree.solve(game)
    assert solution.strategy.check().valid
    # the same as with the options said
    explicit = parse(f"table:{file}{needed or options}")
    assert isinstance(explicit, TableGame)
    assert explicit.content == game.content


def test_a_choice_about_cells_is_left_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "t.nex"
    file.write_text(f"{HEAD}A 00 B 01 C 0{{01}};END;")
    with pytest.raises(GameError, match="'A' and 'C'"):
        guesstree.solve(f"table:{file},cells=sets")


def test_numbers_in_sets_are_no_slips(tmp_path: Path) -> None:
    file = tmp_path / "t.nex"
    file.write_text(f"{HEAD}A 00 B 01 C 1{{01}};END;")
    assert not any("same number" in note for note in parse(f"table:{file}").notes)


def test_a_folder_of_delta_is_a_table_by_its_name_alone(tmp_path: Path) -> None:
    folder = tmp_path / "lamps"
    folder.mkdir()
    with pytest.raises(GameError, match="is a folder"):
        parse(str(folder))
    (folder / "chars").write_text("*CHARACTER LIST\n#1. light/\n 1. on/\n 2. off/\n")
    (folder / "items").write_text("*ITEM DESCRIPTIONS\n# Bulb/\n1,1\n# Tube/\n1,2\n")
    assert list(parse(str(folder)).secrets) == ["Bulb", "Tube"]
