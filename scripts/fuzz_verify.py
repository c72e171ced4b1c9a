"""Attack the checkers of certificates with random files: `python scripts/fuzz_verify.py [--seconds N]`.

They are built with sanitizers, and verify.c once as its README says, with little memory. Some files claim one
more than the true cost of a small game, found by trying all strategies, or have a false item: the checker has
to refuse each with one line, within seconds. Others have changed bytes anywhere: it may not crash. Claims of
degenerate games with extreme numbers, some with a spoiled table, are given to a checker and its twin in
Python: both read the same, and the twin shows all that the checker does. What goes wrong is kept and named;
status 1.
"""

import argparse
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "helpers"))

import slow_checker
from attacks import (
    ATTACKS,
    HARD_ATTACKS,
    ODD,
    PRICED_ATTACKS,
    Wrong,
    some_hard_wrong,
    some_priced_wrong,
    some_wrong,
)
from fast_checker import SANITIZED, built, judged
from noisy_tables import false_claims
from small_claims import CLAIMS, some_claim

SECONDS = 10
"""That one file may take."""
MEMORY = "500000"
"""Kilobytes of address space; sanitizers take terabytes."""
EACH, CLAIMED = 20, 40
"""Files of a batch, and claims."""


def spoiled(wrong: Wrong) -> bytes:
    """Return a true certificate with some bytes of it changed, repeated or left out."""
    chance, data = wrong.chance, bytearray(wrong.text(wrong.items).encode())
    for _ in range(chance.randint(1, 8)):
        i, j = chance.randrange(len(data) + 1), chance.randint(0, 12)
        some = bytes(chance.choice(b"0123456789()=!.- \n\0\xff/ainf") for _ in range(j))
        data[i : i + chance.randint(0, 12)] = chance.choice([some, data[i : i + j] * 2, b""])
    sizes = re.match(rb"\S+ (?:mastermind|bulls|blackpeg) +(\d+) +(\d+)", data)
    too_large = sizes is not None and int(sizes[2]) ** min(int(sizes[1]), 20) > 2_000  # true, but slow
    return b"" if too_large else bytes(data)


def texts(wrong: Wrong) -> list[tuple[str | bytes, bool]]:
    """Return files, each with whether it has to be refused."""
    found: list[tuple[str | bytes, bool]] = [(spoiled(wrong), False) for _ in range(EACH // 2)]
    while len(found) < EACH:
        text = wrong.chance.choice(ATTACKS)(wrong)
        found += [(text, True)] if text else []
    return found


def failure(checker: str, folder: Path, files: list[tuple[str | bytes, bool]], memory: str) -> str | None:
    """Return what the checker does wrong with these files, if anything."""
    try:
        answers = judged(checker, folder, *(text for text, _ in files), seconds=SECONDS, memory=memory)
    except (AssertionError, subprocess.SubprocessError) as error:
        return str(error)
    accepted = [
        i for i, (why, (_, wrong)) in enumerate(zip(answers, files, strict=True)) if wrong and not why
    ]
    return f"{folder}: files {accepted} are accepted" if accepted else None


def disagreement(
    kind: str, checker: str, folder: Path, chance: random.Random, count: Counter[str]
) -> str | None:
    """Return what a checker and its twin do wrong with some claims, if anything."""
    claims = [some_claim(kind, folder, chance) for _ in range(EACH)]
    try:
        answers = judged(checker, folder, *(text for text, _ in claims), seconds=SECONDS)
    except (AssertionError, subprocess.SubprocessError) as error:
        return str(error)
    for (text, true), fast in zip(claims, answers, strict=True):
        slow = slow_checker.judged(folder, text, kind)
        count[kind] += 1
        count[f"{kind} accepted"] += not fast
        if not (fast and slow) and not true:
            return f"{text} is false, and accepted"
        if (slow and not fast) or (fast and not slow and "not shown" not in fast):  # a twin may show more
            return f"{text}: {fast or 'accepted'}, but its twin: {slow or 'accepted'}"
    return None


def noisy_failure(checker: str, folder: Path, chance: random.Random, count: Counter[str]) -> str | None:
    """Return what a checker of tests with several answers does wrong with false claims, or its twin."""
    claims = false_claims(folder, chance, ODD, EACH)
    if why := failure(checker, folder, [(claim, True) for claim in claims], "unlimited"):
        return why
    count["noisy"] += len(claims)
    accepted = [claim for claim in claims if not slow_checker.judged(folder, claim, "noisy")]
    return f"{accepted[0]} is false, and the twin accepts it" if accepted else None


def main(arguments: Sequence[str] | None = None) -> int:
    """Run until the time is over or something is wrong."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=60.0, help="how long to try (default 60)")
    parser.add_argument("--seed", type=int, default=0, help="of the random files (default 0)")
    asked = parser.parse_args(arguments)
    folder, tried = Path(tempfile.mkdtemp(prefix="fuzz-")), 0
    programs, count = [], Counter[str]()
    noisy = built(*SANITIZED, name="noisy")
    kinds = {kind: built(*SANITIZED, name=kind) for kind in CLAIMS}
    for how, memory in ((SANITIZED, "unlimited"), (["-O3"], MEMORY)):
        programs.append((built(*how), memory))
    end, chance = time.monotonic() + asked.seconds, random.Random(asked.seed)
    while time.monotonic() < end:
        files, hard = texts(some_wrong(folder, chance)), some_hard_wrong(folder, chance)
        files += [(text, True) for attack in HARD_ATTACKS if (text := attack(hard))]
        for program, memory in programs:
            if why := failure(program, folder, files, memory):
                print(f"{folder}: {why}", file=sys.stderr)
                return 1
        priced = some_priced_wrong(folder, chance)
        renamed: list[tuple[str | bytes, bool]] = [
            (text, True) for attack in PRICED_ATTACKS if (text := attack(priced))
        ]
        if why := failure(kinds["priced"], folder, renamed, "unlimited"):
            print(f"{folder}: {why}", file=sys.stderr)
            return 1
        if why := noisy_failure(noisy, folder, chance, count):
            print(f"{folder}: {why}", file=sys.stderr)
            return 1
        tried += len(files) + len(renamed)
        for kind, program in kinds.items():
            if why := disagreement(kind, program, folder, chance, count):
                print(f"{folder}: {why}", file=sys.stderr)
                return 1
    print(f"claims of degenerate games, none false is accepted, twins agree: {dict(count)}")
    print(f"{tried} files, each by two builds: none crashes the checker, none that is false is accepted")
    return 0


if __name__ == "__main__":
    sys.exit(main())
