"""Certificates of every kind, true, false and spoiled, on which two programs have to agree."""

import random
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import kept
from attacks import (
    ATTACKS,
    HARD_ATTACKS,
    NUMBERS,
    ODD,
    PRICED_ATTACKS,
    some_hard_wrong,
    some_priced_wrong,
    some_wrong,
)
from certificates import mutated
from noisy_tables import false_claims
from results import OTHERS, RESULTS
from small_claims import some_claim, spoiled_table

Text = str | bytes
BEFORE = {"lies": 2, "strategy": 1}
"""How many words stand before those of the game."""
MOST, LONGEST = 20_000, 0.05
"""Bytes of a certificate that is kept, and seconds of its check, up to which it is spoiled."""


def spoiled(text: str, chance: random.Random) -> str:
    """Return a certificate with some tokens changed from the goal on: all but its game."""
    words = text.split()
    at = 4 + BEFORE.get(words[1], 0)
    return " ".join([*words[:at], *mutated(" ".join(words[at:]), chance, [*ODD, *NUMBERS])])


def lowered(text: str, chance: random.Random) -> str:
    """Return a certificate that claims less, which may be true."""
    words = text.split()
    at = 7 + BEFORE.get(words[1], 0)
    words[at] = str(chance.randrange(int(words[at]) + 1)) if words[at].isdigit() else words[at]
    return " ".join(words)


def respaced(text: str, chance: random.Random) -> str:
    """Return a certificate with other blanks and line ends between its tokens."""
    return "".join(word + chance.choice([" ", "  ", "\n", "\r\n", "\t", "\n\n"]) for word in text.split())


@cache
def kept_texts() -> dict[str, list[str]]:
    """Return small certificates of the folder proofs/, and strategies, by the program that reads them."""
    store, found = kept.Store(kept.FOLDER), dict[str, list[str]]()
    for entry in kept.entries(RESULTS, OTHERS):
        for ending in ("proof", "strategy") if entry.record["check_seconds"] < LONGEST else ():
            text = store.read(f"{entry.stem}.{ending}")
            if text is None or len(text) > MOST or entry.name.startswith(kept.OFFICIAL):
                continue
            program = "strategy" if ending == "strategy" else kept.checker_of(text)
            found.setdefault(program, []).append(text.decode())
    return found


def some_kept(program: str, folder: Path, chance: random.Random) -> str:
    """Return a certificate that is kept; write the files that it names."""
    text = chance.choice(kept_texts()[program])
    for name in kept.files_of(text.encode()):
        (folder / name).write_bytes(kept.Store(kept.FOLDER).get(name))
    return text


def noisy_claim(folder: Path, chance: random.Random) -> str:
    """Return a false certificate about a table of tests that may err."""
    return false_claims(folder, chance, ODD, 1)[0]


def small_claim(program: str, folder: Path, chance: random.Random) -> str:
    """Return a claim about a tiny game, true or false, for a program."""
    return some_claim(program, folder, chance)[0]


def attacked(folder: Path, chance: random.Random) -> Iterator[Text]:
    """Yield a certificate of each attack: no checker accepts one."""
    kinds: list[tuple[Any, Any]] = [
        (ATTACKS, some_wrong),
        (HARD_ATTACKS, some_hard_wrong),
        (PRICED_ATTACKS, some_priced_wrong),
    ]
    for attacks, some in kinds:
        for attack in attacks:
            while (text := attack(some(folder, chance))) is None:
                pass
            yield text


def mutants(folder: Path, chance: random.Random) -> Iterator[Text]:
    """Yield a certificate of each attack, and claims and what is kept, each of them changed in each way."""
    yield from attacked(folder, chance)
    makers = [(4, partial(noisy_claim, folder, chance))]
    for many, program in ((1, "verify"), (3, "lies"), (5, "priced")):
        makers.append((many, partial(small_claim, program, folder, chance)))
    for many, program in ((1, "verify"), (1, "lies"), (2, "priced"), (2, "noisy"), (2, "strategy")):
        makers.append((many, partial(some_kept, program, folder, chance)))
    for many, make in makers:
        for _ in range(many):
            yield spoiled(make(), chance)
            yield lowered(make(), chance)
            yield respaced(make(), chance)
            yield spoiled_table(folder, chance, (make(), True))[0]
