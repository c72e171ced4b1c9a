"""What a flow chart says: each step of a strategy as lines of text in a box, and how large that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Literal

from ...figures import figures_of, lost
from ...language import say, say_of, share_text, so_many, to_say
from ...outline import Outline, Step
from ...words import meaning, remarks, said_end
from ..cells import LEGEND, answer_block, pattern_block
from ..heading import shares_differ, sheet_figures, sheet_title, titled
from ..labels import text_width
from ..layout import Shape
from ..qr import Code, code_of
from ..wrap import Block, Span, appended, block, wide_enough

TEXT = 10.0
"""Size of questions, answers and what is found."""
SMALL = 9.0
"""Size of costs, shares and where a chart goes on."""
ACROSS, ABOVE = 8.0, 4.0
"""Room between a frame and its text, beside it and above it."""
ARROW = 16.0
"""Length of the arrow from an answer to what follows."""
TURN = 9.0
"""Room on either side of the line at which the arrows from a question part."""
ASIDE = 6.0
"""Room that an answer has besides its text."""
WIDER = 1.6
"""Room for a line below a question or an end, where that for a question is 1."""
ANSWERS = 0.75
"""Room for an answer, where that for a question is 1."""
PERCENT = (
    to_say("Percent: how likely each {secret} is there."),
    to_say("Percent beside an end: share of all cases. Below: how likely each {secret} is there."),
)
"""What percents mean where tests may get several answers, without shares of all cases, and with."""
CROWD = 12
"""Answers of which some may be on another page, with the question again."""

MOST_NOTED = 160
"""Characters of a note on a question; a longer one is cut after a word, as a page has all of it."""

Flow = Literal["right", "down"]


@dataclass(frozen=True)
class Words:
    """What is said of a strategy and of each step, whatever room there is.

    Attributes
    ----------
    title, figures: what stands above the chart: what it is for, and what the strategy takes.
    meaning: the same in sentences, where it decides at a loss; '' where it does not.
    legend: what its signs mean; '' where they need no word.
    prices: what the question of each step costs; '' where that says nothing.
    shares: how often each step is come to, in percent; '' where all causes are equally likely.
    notes: what is possible at each step, what its decision loses, and what the table notes of its question,
        which is the last line.
    dashed: the ends that cost more than the budget.
    code: of the address that the chart names; None where it names none.
    """

    outline: Outline
    title: str
    figures: str
    meaning: str
    legend: str
    prices: Sequence[str]
    shares: Sequence[str]
    notes: Sequence[Sequence[str]]
    dashed: frozenset[int]
    code: Code | None = None


@dataclass(frozen=True)
class Chart:
    """The boxes of a flow chart, by the numbers of the steps.

    Attributes
    ----------
    flow: where the next question stands.
    answers: what is said on the way to each box; nothing for the first.
    full, stub: what each box says, and what stands for it where it is on another page.
    lead: room for the answers before each box, as much as its siblings need.
    shape: sizes along the flow, answers included, and across it.
    """

    words: Words
    flow: Flow
    answers: Sequence[Block]
    full: Sequence[Block]
    stub: Sequence[Block]
    lead: Sequence[float]
    shape: Shape

    @property
    def steps(self) -> Sequence[Step]:
        """The steps of the strategy."""
        return self.words.outline.steps

    def box(self, step: int, *, stub: bool) -> tuple[float, float]:
        """Return the width and height of a box."""
        text = (self.stub if stub else self.full)[step]
        return text.width + 2 * ACROSS, text.height + 2 * ABOVE


def chart(words: Words, flow: Flow, room: float, ends: float = 1.0) -> Chart:
    """Return the boxes of a flow chart whose lines have this room, more where a text is long.

    `ends` is how much room the ends have, where questions have 1: beside each other they are better narrow,
    below each other wide.
    """
    found = words.outline
    answers, full, stub = [Block(())], [], []
    for at, step in enumerate(found.steps):
        answers += [
            answer_block(found.game.look, branch.answers, step.question, room * ANSWERS, TEXT)
            for branch in step.branches
        ]
        full.append(
            _end(step, words.shares[at], words.notes[at], room * ends)
            if step.names
            else _question(step, found.patterns[at], (words.prices[at], *words.notes[at]), room)
        )
        stub.append(where(found, at, say("page {page}, {letter}", page="000", letter="AA")))
    lead = [0.0] * len(full)
    for step in found.steps:
        below = [branch.step for branch in step.branches]
        needed = [
            answers[at].width + ASIDE if flow == "right" else answers[at].height + ASIDE / 2 for at in below
        ]
        for at in below:
            lead[at] = ARROW + max(needed)
    return _measured(
        Chart(words, flow, answers, full, stub, lead, Shape((), (), (), 2 * TURN, aligned=False))
    )


def where(found: Outline, step: int, page: str) -> Block:
    """Return what stands for a step that is on another page."""
    causes = so_many(found.steps[step].causes, found.game.look.secret)
    return Block(((Span(say("go to {page}", page=page), TEXT, bold=True),), (Span(causes, SMALL),)))


def _question(step: Step, pattern: str, notes: Sequence[str], room: float) -> Block:
    asked = block(step.topic, wide_enough(step.topic, room, TEXT), TEXT)
    return _noted(pattern_block(pattern, room, TEXT) + asked, notes, room)


def _noted(said: Block, notes: Sequence[str], room: float) -> Block:
    """Return lines with others below them, if possible each on one line."""
    notes = [note for note in notes if note]
    wide = max((text_width(note, SMALL) for note in notes), default=0.0)
    room = max(min(wide, WIDER * room), room, said.width)
    for note in notes:
        said += block(note, wide_enough(note, room, SMALL), SMALL)
    return said


def _end(step: Step, share: str, notes: Sequence[str], room: float) -> Block:
    said = Block(())
    for number, name in enumerate(step.names):
        name = said_end(name)
        text = say("or {name}", name=name) if number else name
        said += block(text, wide_enough(text, room, TEXT), TEXT, bold=True)
    said = appended(said, Span(share, SMALL), max(1.3 * room, said.width)) if share else said
    return _noted(said, notes, room)


def _measured(made: Chart) -> Chart:
    """Return the chart with the sizes of its boxes."""
    first_child = list(accumulate((len(step.branches) for step in made.steps), initial=1))
    full, stubs = list[tuple[float, float]](), list[tuple[float, float]]()
    for at, step in enumerate(made.steps):
        said = made.answers[at]
        for sizes, stub in ((full, False), (stubs, True)):
            wide, high = made.box(at, stub=stub)
            if made.flow == "right":
                along, across = wide, max(high, said.height)
            else:
                along, across = high, max(wide, said.width + ASIDE)
            sizes.append((made.lead[at] + along, across))
        if len(step.branches) > CROWD:
            stubs[at] = (max(full[at][0], stubs[at][0]), max(full[at][1], stubs[at][1]))
    return replace(made, shape=replace(made.shape, first_child=first_child, full=full, stub=stubs))


# -- what stands above a chart -----------------------------------------------------------------------------


def _short(note: str) -> str:
    """Return a note that a box has room for."""
    return note if len(note) <= MOST_NOTED else f"{note[:MOST_NOTED].rsplit(maxsplit=1)[0]} …"


def wording(found: Outline, title: str = "", qr: str | None = None) -> Words:
    """Return what is said of a strategy; the title is made of the game where there is none.

    `qr` is the address of a guide, which the chart shows as a code. Raises TreeError for a title that would
    leave no room for the chart, and as `code_of` does.
    """
    game, steps = found.game, found.steps
    title = titled(game, title) if title else sheet_title(game)
    late, secret = lost(found.strategy), found.strategy.secret
    dashed = frozenset(at for at, step in enumerate(steps) if step.names and int(secret[step.node]) in late)
    shared = shares_differ(found)
    shares = [
        share_text(found.share(at)) if shared and not steps[at].silent else "" for at in range(len(steps))
    ]
    notes = [remarks(game, step) for step in steps]
    legend = [say("Percent: share of all cases.")] if shared else []
    if any(notes):
        look = replace(game.look, secret="class") if game.classes else game.look
        legend = [say_of(look, PERCENT[shared])]
    notes = [
        [*said, _short(game.guess_remarks.notes.get(s.question, ""))]
        for said, s in zip(notes, steps, strict=True)
    ]
    legend += [say(LEGEND)] if game.look.answers == "marks" else []
    legend += [say("Dashed: over the budget.")] if dashed else []
    prices = [found.price(at) for at in range(len(steps))]
    # Broken between what is said, not within; what is proven is a sentence.
    figures = "\u00a0· ".join(
        text if ": " in text else text.replace(" ", "\u00a0") for text in sheet_figures(found)
    )
    about = meaning(game, figures_of(found.strategy))
    code = None if qr is None else code_of(qr)
    return Words(found, title, figures, about, " ".join(legend), prices, shares, notes, dashed, code)
