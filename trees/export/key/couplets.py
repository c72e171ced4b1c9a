"""`NumberedKey`: a strategy as botanists print a key, in numbered couplets of leads.

A couplet is a question; each of its leads says an answer, and goes to a couplet or ends with a name. Leads
have the order of the states of a character (`ordered_states`). The couplets are numbered as they are
read, depth first, so that the first lead that goes on goes to the next.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from guesstree.engine.emphasis import Runs, bare, runs_of
from guesstree.engine.errors import shown
from guesstree.engine.game import Game
from guesstree.engine.notation import Look
from guesstree.engine.tables.states import in_state_order, ordered_states
from guesstree.engine.tables.table import table_content

from ...figures import figures_of
from ...language import answer_texts, say, share_text
from ...outline import Outline, outline
from ...tree import Tree, TreeError
from ...words import likely, meaning, remarks, said_end
from ..cells import signs_in_words, tile_marks
from ..heading import shares_differ, sheet_figures, sheet_title
from ..labels import letters, one_line, plain
from .confirmatory import Agreeing, Shown, agreeing_questions
from .wording import capital, sentence

FEW = 4
"""So many that may still be named are said at a lead."""
SURE = 75
"""How sure further questions are to agree at each lead, in percent, where nothing else is asked for."""


@dataclass(frozen=True)
class Lead:
    """An answer to the question of a couplet, and where it leads.

    Attributes
    ----------
    label: such as ``2a``.
    says: the question and the answer.
    also: what further questions would say of all that are left; they need not be asked.
    usually: what they would say of most, and of how many.
    left: what may still be named, where that is few and the lead goes on; where tests may get several
        answers, how likely that is, and what is lost at an end. It has marks of emphasis.
    goes: the number of the couplet that it goes to; 0: it ends.
    names: what it ends with, with marks of emphasis.
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
    usually: tuple[str, ...] = ()

    @cached_property
    def noted(self) -> Runs:
        """What is said after the answer: further questions that agree, and what is left."""
        also = say("(also {tests})", tests="; ".join(self.also)) if self.also else ""
        usually = say("(usually also {tests})", tests="; ".join(self.usually)) if self.usually else ""
        said = " ".join(filter(None, (also, usually)))
        if not self.left:
            return ((said, False),) if said else ()
        return ((f"{said} [" if said else "[", False), *_listed(self.left), ("]", False))

    @property
    def remarks(self) -> str:
        """What is said after the answer, as text."""
        return "".join(text for text, _ in self.noted)

    @cached_property
    def named(self) -> Runs:
        """What it ends with, each part with whether it is emphasised."""
        return _listed(self.names)

    @property
    def end(self) -> str:
        """What it ends with, and how often, as text; empty where it goes on."""
        names = ", ".join(map(bare, self.names))
        return f"{names} ({self.share})" if self.share else names


def label_of(couplet: Couplet, lead: Lead, indented: bool) -> str:
    """Return what stands before a lead: its label, and the couplet that leads to the first of a couplet."""
    came = couplet.came and lead is couplet.leads[0] and not indented
    return f"{lead.label} ({couplet.came})" if came else lead.label


def _listed(labels: Sequence[str]) -> Runs:
    """Return labels with commas between them."""
    found: list[tuple[str, bool]] = []
    for number, label in enumerate(labels):
        found += [(", ", False)] * (number > 0)
        found += runs_of(label)
    return tuple(found)


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


def numbered_key(
    game: Game,
    strategy: Tree,
    title: str = "",
    confirmatory: int = 0,
    *,
    costs: bool = False,
    sure: int = SURE,
) -> NumberedKey:
    """Return a valid strategy as a key, every label on one line.

    With `confirmatory`, leads say up to so many further questions that would tell the leads of their couplet
    apart as the one asked does, if they do so for at least `sure` percent of what is left at each lead, see
    `agreeing_questions`. With `costs` the first lead of a couplet says what its question costs. Raises
    TreeError for a `sure` that is no number from 1 to 100.
    """
    if isinstance(sure, bool) or not isinstance(sure, int) or not 1 <= sure <= 100:
        raise TreeError(f"sure={shown(sure)}; expected a number of percent from 1 to 100")
    seen = _in_order(outline(game, strategy))
    asked = [at for at in seen.depth_first() if seen.steps[at].question]
    numbers = {at: number for number, at in enumerate(asked, 1)}
    least = Fraction(sure, 100)
    agreeing = agreeing_questions(seen, confirmatory, least) if confirmatory else {}
    leads = _Leads(seen, numbers, costs)
    couplets = [
        Couplet(
            number,
            numbers.get(seen.steps[at].parent, 0),
            seen.steps[at].depth,
            tuple(leads.of(at, i, agreeing.get(at, ())) for i in range(len(seen.steps[at].branches))),
        )
        for at, number in numbers.items()
    ]
    if not couplets:  # nothing is to be asked
        only = Lead("1", "", (), leads.left(0), 0, leads.names(seen.steps[0].names), "")
        couplets.append(Couplet(1, 0, 0, (only,)))
    about = filter(None, (" · ".join(sheet_figures(seen)), meaning(game, figures_of(strategy))))
    signs = signs_in_words() if game.look.answers == "marks" else ""
    return NumberedKey(plain(title or sheet_title(game)), ". ".join(about), couplets, signs)


def _in_order(seen: Outline) -> Outline:
    """Return a strategy with the branches of each question in the order of its states."""
    content = table_content(seen.game)
    if content is None:
        return seen
    number = {guess: i for i, guess in enumerate(content.guesses)}
    topic = dict(zip(seen.game.guesses, seen.game.topics or seen.game.guesses, strict=True))
    known = dict[str, list[str]]()
    steps = []
    for step in seen.steps:
        test = topic.get(step.question, "")
        if test in number:
            states = known.setdefault(test, ordered_states(content, number[test]))
            branches = [
                replace(branch, answers=tuple(in_state_order(states, branch.answers)))
                for branch in step.branches
            ]
            firsts = in_state_order(states, (branch.answers[0] for branch in branches))
            branches.sort(key=lambda branch: firsts.index(branch.answers[0]))
            step = replace(step, branches=tuple(branches))
        steps.append(step)
    return replace(seen, steps=steps)


class _Leads:
    """The leads of a key, from an outline and the numbers of its couplets."""

    def __init__(self, seen: Outline, numbers: Mapping[int, int], costs: bool) -> None:
        self.seen, self.numbers, self.costs = seen, numbers, costs
        self.shared = shares_differ(seen)
        content = table_content(seen.game)
        self.content = content
        self.joined = content.detail.joined if content else {}
        self.topic = dict(zip(seen.game.guesses, seen.game.topics or seen.game.guesses, strict=True))

    def of(self, at: int, i: int, agreeing: Sequence[Agreeing]) -> Lead:
        """Return the lead of a branch of a step."""
        seen, game, step = self.seen, self.seen.game, self.seen.steps[at]
        branch = step.branches[i]
        below, goes = seen.steps[branch.step], self.numbers.get(branch.step, 0)
        price = seen.price(at) if self.costs else ""
        # The letters of a guess have no room for its price.
        marks = "" if price else tile_marks(game.look, branch.answers, step.question)
        says = self.statement(step.topic, seen.shown(branch.step), price if i == 0 else "")
        # A test may be certain at one lead, and usual at another.
        sure = [test for test in agreeing if test.leads[i].share == 1]
        usual = [test for test in agreeing if test.leads[i].share < 1]
        return Lead(
            f"{self.numbers[at]}{letters(i)}",
            capital(says) if self.content else says,
            tuple(self._showing(test, test.leads[i]) for test in sure),
            self.left(branch.step),
            goes,
            self.names(below.names),
            share_text(seen.share(branch.step)) if self.shared and not goes and not below.silent else "",
            tuple(zip(step.question, marks, strict=False)),
            tuple(self._usual(test, test.leads[i]) for test in usual),
        )

    def statement(self, question: str, answers: Sequence[str], price: str = "") -> str:
        """Return a question and its answers as a reader says them, on one line."""
        look = self.seen.game.look
        if self.content:
            found = sentence(self.topic.get(question, question), answers, _alternatives(look, answers))
            return f"{found} ({price})" if price else found
        return statement(look, f"{question} ({price})" if price else question, answers)

    def names(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return what an end names, each of what was made one by itself."""
        each = (one for name in names for one in self.joined.get(name, (said_end(name),)))
        return tuple(map(one_line, each))

    def left(self, at: int) -> tuple[str, ...]:
        """Return what is left at a step, where that is few, or what may be the case at an end.

        A key to kinds names none before its end, as monographs do.
        """
        seen, step = self.seen, self.seen.steps[at]
        if not step.question or seen.game.decisions:
            return tuple(map(one_line, remarks(seen.game, step)))
        if step.causes > FEW or self.content:
            return ()
        if len({chance for _, chance in step.possible}) < 2:
            return self.names(seen.names_below(at))
        return tuple(one_line(text.replace(" %", "\u00a0%")) for text in likely(step.possible))

    def _showing(self, test: Agreeing, shown: Shown) -> str:
        """Return what a further test shows at a lead."""
        answers = list(shown.answers)
        if self.content:
            states = ordered_states(self.content, list(self.content.guesses).index(test.test))
            answers = in_state_order(states, answers)
        return self.statement(test.test, answers)

    def _usual(self, test: Agreeing, shown: Shown) -> str:
        """Return what a further test shows at a lead, at how many of what is left, and how sure that is."""
        said, many = self._showing(test, shown), {"n": shown.always, "all": shown.causes}
        if shown.share == Fraction(shown.always, shown.causes):
            return say("{test}, {n} of {all}", test=said, **many)
        share = share_text(shown.share).replace(" ", "\u00a0")
        if not shown.always:
            return say("{test}, {share}", test=said, share=share)
        return say("{test}, {n} of {all}, {share}", test=said, share=share, **many)


# -- words -------------------------------------------------------------------------------------------------


def statement(look: Look, question: str, answers: Sequence[str]) -> str:
    """Return a question and its answers as a list has them, on one line."""
    question, joined = plain(question), _alternatives(look, answers)
    return f"{question} {joined}" if question.endswith("?") else f"{question}: {joined}"


def _alternatives(look: Look, answers: Sequence[str]) -> str:
    *some, last = map(plain, answer_texts(look, answers))
    return f"{', '.join(some)}{say(' or ')}{last}" if some else last
