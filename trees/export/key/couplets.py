"""`NumberedKey`: a strategy as botanists print a key, in numbered couplets of leads.

A couplet is a question; each of its leads says an answer, and goes to a couplet or ends with a name. The
couplets are numbered as they are read, depth first, so that the first lead that goes on goes to the next.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from guesstree.engine.game import Game
from guesstree.engine.notation import Look

from ...figures import figures_of
from ...language import answer_texts, say, share_text
from ...outline import Outline, outline
from ...tree import Tree
from ...words import likely, meaning, remarks, said_end
from ..cells import signs_in_words, tile_marks
from ..heading import shares_differ, sheet_figures, sheet_title
from ..labels import letters, plain
from .confirmatory import agreeing_questions

FEW = 4
"""So many that may still be named are said at a lead."""


@dataclass(frozen=True)
class Lead:
    """An answer to the question of a couplet, and where it leads.

    Attributes
    ----------
    label: such as ``2a``.
    says: the question and the answer.
    also: what further questions would say of all that are left; they need not be asked.
    left: what may still be named, where that is few and the lead goes on; where tests may get several
        answers, how likely that is, and what is lost at an end.
    goes: the number of the couplet that it goes to; 0: it ends.
    names: what it ends with.
    share: how often that end is reached; empty where all that is named is alike.
    tiles: the letters of the question with their marks, where that is what it says.
    """

    label: str
    says: str
    also: tuple[str, ...]
    left: tuple[str, ...]
    goes: int
    names: tuple[str, ...]
    share: str
    tiles: tuple[tuple[str, str], ...] = ()

    @property
    def remarks(self) -> str:
        """What is said after the answer: further questions that agree, and what is left."""
        also = say("(also {tests})", tests="; ".join(self.also)) if self.also else ""
        left = f"[{', '.join(self.left)}]" if self.left else ""
        return " ".join(filter(None, (also, left)))

    @property
    def end(self) -> str:
        """What it ends with, and how often; empty where it goes on."""
        names = say(" or ").join(self.names)
        return f"{names} ({self.share})" if self.share else names


@dataclass(frozen=True)
class Couplet:
    """A question: its number, that of the couplet above (0: none), how many are above, and its leads."""

    number: int
    came: int
    depth: int
    leads: tuple[Lead, ...]


@dataclass(frozen=True)
class NumberedKey:
    """The couplets of a key in the order of their numbers, its title, and a line that says how good it is.

    `signs`: what the marks of letters mean, by their signs; empty where there are none.
    """

    title: str
    about: str
    couplets: Sequence[Couplet]
    signs: str = ""

    def explained(self, tiles: str = "") -> str:
        """Return the line that says how good it is, and what marks mean: their signs, or their `tiles`."""
        legend = f". {say(tiles)}" if tiles else f" · {self.signs}"
        return self.about + legend if self.signs else self.about

    def rows(self, indented: bool = False) -> Iterator[tuple[Couplet, Lead]]:
        """Yield the leads as they are printed: couplet by couplet, or each above all that it leads to."""
        if not indented:
            yield from ((couplet, lead) for couplet in self.couplets for lead in couplet.leads)
            return
        first = self.couplets[0]
        waiting = [(first, lead) for lead in reversed(first.leads)]
        while waiting:
            couplet, lead = waiting.pop()
            yield couplet, lead
            if lead.goes:
                below = self.couplets[lead.goes - 1]
                waiting += [(below, other) for other in reversed(below.leads)]


def numbered_key(game: Game, strategy: Tree, title: str = "", confirmatory: int = 0) -> NumberedKey:
    """Return a valid strategy as a key, every label on one line.

    With `confirmatory`, leads say up to so many further questions that would tell the leads of their couplet
    apart as the one asked does, see `agreeing_questions`.
    """
    seen = outline(game, strategy)
    asked = [at for at in seen.depth_first() if seen.steps[at].question]
    numbers = {at: number for number, at in enumerate(asked, 1)}
    agreeing = agreeing_questions(seen, confirmatory) if confirmatory else {}
    shared = shares_differ(seen)
    couplets = []
    for at, number in numbers.items():
        step, price, also = seen.steps[at], seen.price(at), agreeing.get(at, [])
        leads = []
        for i, branch in enumerate(step.branches):
            below, goes = seen.steps[branch.step], numbers.get(branch.step, 0)
            asks = f"{step.question} ({price})" if price and i == 0 else step.question
            marks = "" if price else tile_marks(game.look, branch.answers, step.question)
            leads.append(
                Lead(
                    f"{number}{letters(i)}",
                    statement(game.look, asks, seen.shown(branch.step)),
                    tuple(
                        statement(game.look, game.guesses[g], [game.responses[shared[i]]])
                        for g, shared in also
                    ),
                    tuple(map(plain, _left(seen, branch.step))),
                    goes,
                    tuple(plain(said_end(name)) for name in below.names),
                    share_text(seen.share(branch.step)) if shared and not goes and not below.silent else "",
                    tuple(zip(step.question, marks, strict=False)),
                )
            )
        couplets.append(Couplet(number, numbers.get(step.parent, 0), step.depth, tuple(leads)))
    if not couplets:  # nothing is to be asked
        left = tuple(map(plain, _left(seen, 0)))
        only = Lead("1", "", (), left, 0, tuple(plain(said_end(name)) for name in seen.steps[0].names), "")
        couplets.append(Couplet(1, 0, 0, (only,)))
    about = filter(None, (" · ".join(sheet_figures(seen)), meaning(game, figures_of(strategy))))
    signs = signs_in_words() if game.look.answers == "marks" else ""
    return NumberedKey(plain(title or sheet_title(game)), ". ".join(about), couplets, signs)


def _left(seen: Outline, at: int) -> list[str]:
    step = seen.steps[at]
    if step.question and not seen.game.decisions:
        if step.causes > FEW:
            return []
        if len({chance for _, chance in step.possible}) < 2:
            return seen.names_below(at)
        return [text.replace(" %", "\u00a0%") for text in likely(step.possible)]
    return remarks(seen.game, step)


# -- words -------------------------------------------------------------------------------------------------


def statement(look: Look, question: str, answers: Sequence[str]) -> str:
    """Return a question and its answers as a reader says them, on one line."""
    *some, last = map(plain, answer_texts(look, answers))
    joined = f"{', '.join(some)}{say(' or ')}{last}" if some else last
    question = plain(question)
    return f"{question} {joined}" if question.endswith("?") else f"{question}: {joined}"
