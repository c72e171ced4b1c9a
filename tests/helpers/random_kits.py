"""Small random problems that some kit of questions solves, and certificates of them."""

import random
from pathlib import Path

import numpy as np

from guesstree.engine.kits.cover import CoverProblem
from guesstree.engine.proofs.kits import KitProof, KitWriter
from guesstree.engine.proofs.statement import FORMAT, table_name
from guesstree.engine.proofs.table import kit_table

WORDS = ["(", ")", ".", "#", "$", "=", ";", "/", *"01237", "99", "-1", "inf", "( 1 2 )", "= 1 2 ;"]
"""What may stand anywhere in a body that is changed."""


def random_cover(dice: random.Random) -> CoverProblem:
    """Return a small random problem that some kit solves."""
    lies = dice.choice([0, 0, 0, 1])
    questions, secrets = dice.randint(1, 5 if lies else 8), dice.randint(1, 5 if lies else 9)
    answers, full = dice.randint(2, 3), dice.choice([0.5, 0.5, 0.2, 0.8])
    cells = [
        [dice.randrange(answers) if dice.random() < full else 0 for _ in range(secrets)]
        for _ in range(questions)
    ]
    kinds = [dice.randrange(secrets) if dice.random() < 0.3 else s for s in range(secrets)]
    least, most = dice.choice([(1, 1), (1, 6), (0, 6)])
    costs = [dice.randint(least, most) * dice.choice([1, 1, 3] if most > 1 else [1]) for _ in cells]
    must = tuple(dice.sample(range(questions), 1)) if dice.random() < 0.2 else ()
    never = frozenset(g for g in range(questions) if dice.random() < 0.05 and g not in must)
    cover = CoverProblem(
        np.array(cells, dtype=np.uint8),
        np.array(kinds, dtype=np.int64),
        np.array(costs, dtype=np.int64),
        2 * lies + 1,
        must,
        never,
    )
    usable = [question for question in range(questions) if question not in never]
    return cover if cover.undivided(usable) is None else random_cover(dice)


def written(folder: Path, proof: KitProof) -> str:
    """Return a certificate whose files are in a folder."""
    for name, data in proof.files.items():
        (folder / name).write_bytes(data)
    return proof.text


def head_of(folder: Path, lies: int, table: bytes) -> str:
    """Return what a certificate of a table, which is written to a folder, begins with up to the bound."""
    name = table_name("table", table)
    for file, data in name.files.items():
        (folder / file).write_bytes(data)
    return f"{FORMAT} kit {lies} {name.words} identify - -"


def text_of(cover: CoverProblem) -> bytes:
    """Return the table of a problem."""
    names = [[f"{sign}{i}" for i in range(n)] for sign, n in (("q", cover.questions), ("s", cover.secrets))]
    return kit_table(names[0], names[1], [*"abc"], cover)


def certificate(folder: Path, cover: CoverProblem, bound: int) -> tuple[str, str]:
    """Return what a certificate of a table begins with up to the bound, and its body."""
    secrets, questions = ([str(i + 1) for i in range(n)] for n in (cover.secrets, cover.questions))
    body = KitWriter(None, cover, secrets, questions, ruled=False).proof(bound)
    return head_of(folder, cover.apart // 2, text_of(cover)), body


def mutated(body: str, dice: random.Random) -> str:
    """Return a body of which some words are changed, left out, or repeated."""
    words = body.split()
    for _ in range(dice.randint(1, 3)):
        i = dice.randrange(len(words) + 1)
        words[i : i + dice.randint(0, 2)] = dice.choices([*WORDS, *words], k=dice.randint(0, 2))
    return " ".join(words) or "."
