"""What is reported of a plan of several stages: lines of text, plain data, and rows for spreadsheets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from guesstree.engine.exact import as_plain
from guesstree.engine.kits.staged import Stage, StagedKit
from guesstree.engine.notation import plural

from .kit import csv_text
from .reports import symmetry_text

MOST_LINES, MOST_NAMED = 60, 4


def staged_lines(plan: StagedKit) -> Iterator[str]:
    """Yield what a plan asks in each stage, as lines of text; a long plan is cut off."""
    game, look = plan.game, plan.game.look
    upper, lower = game.cost_text(plan.upper), game.cost_text(plan.lower)
    many = plan.most_questions
    cost = f", cost {upper}" if game.facts.priced or plan.upper != many else ""
    known = "proven least" if plan.optimal else f"at least {lower}"
    yield f"{game.spec}: at most {plural(many, look.guess)} in {plural(plan.stages, 'stage')}{cost}: {known}"
    if plan.goal == "win":
        yield f"  then one {look.guess} more wins: {many + 1} in all"
    lines = list(_lines(plan, plan.root, 1))
    yield from lines[:MOST_LINES]
    if len(lines) > MOST_LINES:
        yield f"  ... {plural(len(lines) - MOST_LINES, 'line')} more; --csv or --out writes all"
    yield f"  {plural(plan.nodes, 'node')}{symmetry_text(plan.symmetry)}, {plan.seconds:.2f} s"


def _lines(plan: StagedKit, stage: Stage, number: int) -> Iterator[str]:
    """Yield a kit, and what follows each combination of answers."""
    indent = "  " * (2 * number - 1)
    yield f"{indent}stage {number}: {_list(plan.labels(stage.questions))}"
    for answers, secrets, after in stage.parts:
        given = _list(_responses(plan, answers)) or "-"
        if after is None:
            yield f"{indent}  {given}: {_named(plan, secrets)}"
        else:
            yield f"{indent}  {given}: {plural(len(secrets), plan.game.look.secret)} left"
            yield from _lines(plan, after, number + 1)


def _named(plan: StagedKit, secrets: Sequence[int]) -> str:
    """Return secrets of one kind in words."""
    some = _list([plan.game.secrets[secret] for secret in secrets[:MOST_NAMED]])
    return some + (", ..." if len(secrets) > MOST_NAMED else "")


def _list(labels: Sequence[str]) -> str:
    """Return labels with commas, in quotation marks where one has a comma itself."""
    return ", ".join(repr(label) if "," in label else label for label in labels)


def _responses(plan: StagedKit, answers: Sequence[int]) -> list[str]:
    return [plan.game.responses[answer] for answer in answers]


def staged_as_json(plan: StagedKit) -> dict[str, Any]:
    """Return a plan as plain data; costs in units of the table."""
    unit = plan.game.cost_unit
    return {
        "game": plan.game.spec,
        "goal": plan.goal,
        "stages": plan.stages,
        "plan": _stage_as_json(plan, plan.root),
        "questions": plan.most_questions,
        "cost": as_plain(plan.upper * unit),
        "lower": as_plain(plan.lower * unit),
        "optimal": plan.optimal,
        "stopped": plan.stopped,
        "nodes": plan.nodes,
        **({"symmetry": plan.symmetry} if plan.symmetry else {}),
        "seconds": round(plan.seconds, 3),
    }


def _stage_as_json(plan: StagedKit, stage: Stage) -> dict[str, Any]:
    """Return a kit with what follows each combination of answers: secrets, or the next kit."""
    return {
        "questions": plan.labels(stage.questions),
        "cost": as_plain(plan.cover.cost(stage.questions) * plan.game.cost_unit),
        "answers": [
            {"given": _responses(plan, answers)}
            | (
                {"secrets": [plan.game.secrets[secret] for secret in secrets]}
                if after is None
                else {"then": _stage_as_json(plan, after)}
            )
            for answers, secrets, after in stage.parts
        ],
    }


def staged_csv(plan: StagedKit) -> str:
    """Return a row for each secret: what it is asked in each stage, what it answers, and what it pays."""
    game = plan.game
    met = max((len(way) for way in plan.ways), default=0)
    head = [f"stage {i // 2 + 1} {('asks', 'answers')[i % 2]}" for i in range(2 * met)]
    rows = [[game.look.secret, *head, "cost"]]
    for secret, way in enumerate(plan.ways):
        cells = [
            cell
            for stage, answers in way
            for cell in (
                "; ".join(plan.labels(stage.questions)),
                "; ".join(_responses(plan, answers)),
            )
        ]
        cells += [""] * (2 * met - len(cells))
        rows.append([game.secrets[secret], *cells, game.cost_text(plan.paid(secret))])
    return csv_text(rows)
