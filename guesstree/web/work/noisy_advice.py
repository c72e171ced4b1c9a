"""Tables whose tests may get several answers: what pages show of the answers, and what is best next."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from guesstree.engine.advice.evidence import Evidence
from guesstree.engine.notation import capital
from guesstree.engine.rules import Step
from guesstree.present.noisy_advice import NoisyAdvisor, chance_text
from guesstree.present.turns import Turn, noisy_turn
from guesstree.trees.export.labels import plain
from guesstree.web.work.uploads import game_at

SECONDS = 4.0
"""So long it is searched what is best."""
MOST_CAUSES = 100


@dataclass(frozen=True)
class NoisyAdvice:
    """What is known, and what is best next.

    Attributes
    ----------
    left: how many causes are possible, in words.
    causes: the most probable ones: label, probability as text and as a number.
    warnings: what is hard to believe.
    words: what is best, in words, and what each answer to it would say.
    test, decision: what is best by label, one of them or neither.
    headings, rows: tests beside each other, each with its figures; the first is the label.
    """

    left: str
    causes: tuple[tuple[str, str, float], ...]
    warnings: tuple[str, ...]
    words: tuple[str, ...]
    test: str
    decision: str
    headings: tuple[tuple[str, str], ...]
    rows: tuple[tuple[str, ...], ...]


@lru_cache(8)
def advisor_at(store: Path, spec: str) -> NoisyAdvisor:
    """Return who advises on a table."""
    return NoisyAdvisor(game_at(store, spec), SECONDS)


@lru_cache(64)
def evidence_at(store: Path, spec: str, history: tuple[Step, ...]) -> Evidence:
    """Return what is known after some answers; raise GuesstreeError as `Evidence` does."""
    return Evidence(game_at(store, spec), history)


def evidence_rows(store: Path, spec: str, history: tuple[Step, ...]) -> list[Turn]:
    """Return the turns, each with the probability that its answer had."""
    known = [evidence_at(store, spec, history[:number]) for number in range(len(history) + 1)]
    turns = [noisy_turn(before, after) for before, after in pairwise(known)]
    notes = [f"this answer had a chance of {turn.chance}" if turn.chance else "" for turn in turns]
    return [replace(turn, note=note) for turn, note in zip(turns, notes, strict=True)]


def noisy_advice(store: Path, spec: str, history: tuple[Step, ...]) -> NoisyAdvice:
    """Return what is known after some answers, and what is best next."""
    advisor, evidence = advisor_at(store, spec), evidence_at(store, spec, history)
    game, look = evidence.game, evidence.game.look
    ranked = advisor.ranked(evidence.posterior)[:MOST_CAUSES]
    causes = tuple((label, chance_text(share), float(share)) for label, share in ranked)
    advice, why = advisor.advise(evidence)
    words, test, decision = [why] if why else [], "", ""
    if advice is not None and advice.decision >= 0:
        decision, loss = game.decisions[advice.decision], evidence.loss(advice.decision)
        assert loss is not None
        words.append(f"Best: decide {plain(decision)}; this {loses(evidence)} {advisor.cost(loss)}.")
    elif advice is not None and advice.test >= 0:
        asked = evidence.outlook(advice.test)
        test = game.guesses[advice.test]
        words.append(
            f"Best: {plain(test)}, {look.paid(advisor.cost(asked.price))}. "
            f"From here on it takes {advisor.bounds(advice)}{_kind(evidence)}."
        )
        words += [line.strip() for line in advisor.answers(evidence, asked)]
    found = [] if evidence.finished else advisor.rows(advisor.tests(evidence))
    losses = any(row.loss for row in found)
    rows = tuple(
        (row.label, row.cost, f"{row.bits:.2f}", *[row.loss or "–"] * losses, row.takes or "–")
        for row in found
    )
    headings = (
        (capital(look.cost), f"the {look.cost} of this {look.guess}"),
        ("Bits", f"what its answer tells of the {look.secret}"),
        *[("Loss after", f"what deciding right after it {loses(evidence)}")] * losses,
        ("From here", f"what beginning with it takes in all{_kind(evidence)}"),
    )
    warnings, possible = tuple(advisor.warnings(evidence)), advisor.possible(evidence)
    return NoisyAdvice(possible, causes, warnings, tuple(words), test, decision, headings, rows)


def loses(evidence: Evidence) -> str:
    """Return in words what a figure of a loss is."""
    return "is expected to lose" if evidence.objective == "expected" else "loses at most"


def _kind(evidence: Evidence) -> str:
    losses = ", losses included" if evidence.game.decisions else ""
    return f"{' on average' if evidence.objective == 'expected' else ' at worst'}{losses}"
