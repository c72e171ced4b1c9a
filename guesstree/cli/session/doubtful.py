"""Sessions of tables whose tests may get several answers: what `assist` and `play` share there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, ClassVar

import click

from guesstree.counsel import Counsel, chance_text
from guesstree.engine.errors import Contradiction, GuesstreeError
from guesstree.engine.evidence import UNKNOWN, UNKNOWN_TEXT, Evidence, read_answer
from guesstree.engine.exact import Number
from guesstree.engine.game import Game
from guesstree.engine.look import plural
from guesstree.engine.rules import Step
from guesstree.hidden import Hidden
from guesstree.trees.export.labels import plain

from .prompt import Prompt


class Doubtful(Prompt):
    """A table whose tests may get several answers, at a prompt.

    Attributes
    ----------
    known: the evidence after each number of answers.
    decided: what the user has decided, or None.
    """

    def __init__(self, game: Game, history: Sequence[Step], time_limit: float) -> None:
        self.game, self.look = game, game.look
        self.known = [Evidence(game)]
        for step in history:
            self.known.append(self.evidence.after(*step))
        self.counsel = Counsel(game, time_limit)
        self.decided: int | None = None

    @property
    def evidence(self) -> Evidence:
        """What is known now."""
        return self.known[-1]

    @property
    def turns(self) -> int:
        """How many tests have their answer."""
        return len(self.known) - 1

    @property
    def finished(self) -> bool:
        """Whether nothing is left to ask, or it was decided."""
        return self.decided is not None or self.evidence.finished

    def begin(self) -> None:
        """Say which table it is, and show the answers so far."""
        causes, tests = len(self.game.secrets), len(self.game.guesses)
        what = f"{plural(causes, self.look.secret)}, {plural(tests, self.look.guess)}"
        click.echo(f"{self.game.spec}: {what} (? for help)")
        self.history("")
        self.doubt()

    def history(self, _: str) -> None:
        """Show the answers so far, each with the probability that it had."""
        for number in range(1, self.turns + 1):
            click.echo(self.turn(number))

    def turn(self, number: int) -> str:
        """Return one line for an answer."""
        before, after = self.known[number - 1 : number + 1]
        test, answer = after.history[-1]
        label = plain(self.game.guesses[test])
        if answer == UNKNOWN:
            return f"{number:>3}  {label}  not known"
        share = after.probability / before.probability
        return f"{number:>3}  {label}  {plain(self.game.responses[answer])}  ({chance_text(share)})"

    def take(self, step: Step) -> None:
        """Take an answer, and say how unlikely all of them are where that is so."""
        self.known.append(self.evidence.after(*step))
        click.echo(self.turn(self.turns))
        self.doubt()

    def doubt(self) -> None:
        """Warn of answers that are hardly to be believed together."""
        for line in self.counsel.doubts(self.evidence):
            click.echo(line)

    def candidates(self, _: str) -> None:
        """Show all causes that are possible."""
        shares = self.evidence.posterior
        for cause in sorted(self.evidence.possible, key=lambda cause: (-shares[cause], cause)):
            click.echo(f"  {chance_text(shares[cause]):>11}  {plain(self.game.secrets[cause])}")

    def back_to(self, number: str) -> list[Step]:
        """Forget answer `number` (empty: the last) and what followed; return what was forgotten."""
        if not self.turns:
            raise GuesstreeError(self.look.named("no guess yet: nothing to undo"))
        first = self.turn_number(number) if number else self.turns
        forgotten = list(self.evidence.history[first - 1 :])
        del self.known[first:]
        return forgotten

    def read_test(self, text: str) -> int:
        """Return the test that was typed; raise GuesstreeError that helps where it is a decision."""
        try:
            return self.game.read_guess(text)
        except GuesstreeError:
            decision = self.look.find_guess(self.game.decisions, text)
            if decision is None:
                raise
            label = plain(self.game.decisions[decision])
            raise GuesstreeError(f"{label!r} is a decision: type decide {label} to end with it") from None

    def decide(self, label: str) -> None:
        """Decide, by default what is best now."""
        if not self.game.decisions:
            raise GuesstreeError(f"nothing is decided here: it ends when the {self.look.secret} is known")
        best = self.evidence.decision
        if label:
            decision = self.game.look.find_guess(self.game.decisions, label)
            if decision is None:
                some = ", ".join(map(repr, self.game.decisions))
                raise GuesstreeError(f"{label[:60]!r} is not a decision; expected {some}")
        elif best is None:
            raise GuesstreeError("nothing may be decided yet: each decision is ruled out for some cause")
        else:
            decision = best[0]
        if self.evidence.loss(decision) is None:
            why = f"it is not allowed for a {self.look.secret} that is possible"
            raise GuesstreeError(f"{self.game.decisions[decision]!r} may not be decided: {why}")
        self.decided = decision

    def outcome(self) -> str:
        """Return in words how it ended: what is known, or decided, and what was paid."""
        evidence = self.evidence
        paid = f"{plural(self.turns, self.look.guess)}, {self.look.paid(self.counsel.cost(evidence.paid))}"
        if self.decided is not None:
            loss = evidence.loss(self.decided)
            assert loss is not None
            label = plain(self.game.decisions[self.decided])
            return f"decided: {label}, expected loss {self.counsel.cost(loss)}; {paid}"
        if evidence.over:
            return f"ended: {plain(evidence.step_text(evidence.history[-1]))}; {paid}"
        causes = " or ".join(plain(self.game.secrets[cause]) for cause in evidence.possible)
        return f"known: the {self.look.secret} is {causes}; {paid}"

    def finish(self) -> None:
        """Say how it ended."""
        click.echo(self.outcome())

    def decision_data(self) -> dict[str, Any]:
        """Return what was decided, where something was."""
        return {} if self.decided is None else {"decided": self.game.decisions[self.decided]}


class AssistDoubtful(Doubtful):
    """The user makes the tests and types the answers; each turn is advised."""

    helps: ClassVar[Mapping[str, str]] = {
        "?": "this help (as an answer: not known; then type help)",
        "candidates": "all secrets that are possible, with their probabilities",
        "history": "the guesses and answers so far",
        "decide": "end with the best decision, where there are decisions",
        "decide NAME": "end with this decision",
        "undo": "take back the guess just typed, or else the last answer",
        "undo N": "take back answer N and what followed",
        "change N ANSWER": "correct answer N and keep the others",
        "quit": "stop",
    }

    def __init__(self, game: Game, history: Sequence[Step], time_limit: float) -> None:
        super().__init__(game, history, time_limit)
        self.about = "Type the guess that you make (Enter: what is in brackets), then its answer. Or:"
        self.asked: int | None = None
        self.default = ""
        self.again: int | None = None
        self.advised_at: tuple[Step, ...] | None = None

    def prompt(self) -> str:
        """Show advice when there is something new to say, and return the prompt."""
        if self.asked is not None:
            answers = ", ".join(plain(label) for label in self.answers() if label != UNKNOWN_TEXT)
            return f"answer to {plain(self.game.guesses[self.asked])} ({answers}; {UNKNOWN_TEXT} not known): "
        if self.advised_at != self.evidence.history:
            self.show()
            self.advised_at = self.evidence.history
        default = f" [{plain(self.default)}]" if self.default else ""
        return f"{self.look.guess} {self.turns + 1}{default}: "

    def show(self) -> None:
        """Show what is possible and the best next step, which Enter takes."""
        click.echo("\n".join(self.counsel.lines(self.evidence)))
        advice, _ = self.counsel.advise(self.evidence)
        tests = [outlook.test for outlook, _ in self.counsel.tests(self.evidence)]
        if self.again is not None:
            self.default = self.game.guesses[self.again]
        elif advice is not None and advice.decision >= 0:
            self.default = "decide"
        else:
            self.default = self.game.guesses[tests[0]] if tests else ""

    def answers(self) -> list[str]:
        """Return the answers to the test that is asked."""
        assert self.asked is not None
        return [self.game.responses[answer] for answer in self.evidence.splits(self.asked)]

    def expected(self) -> Sequence[str]:
        """Return what is asked for now: tests or answers."""
        return self.game.guesses if self.asked is None else [*self.answers(), UNKNOWN_TEXT]

    def enter(self, text: str) -> None:
        """Take a test, or the answer to it."""
        if self.asked is not None:
            self.answer(read_answer(self.game, text, self.asked))
            return
        text = text or self.default
        if text == "decide":
            self.decide("")
            return
        test = self.read_test(text)
        self.evidence.require_askable(test)
        self.asked, self.again = test, None

    def answer(self, answer: int) -> None:
        """Take the answer to the test that is asked, unless no cause gives it."""
        assert self.asked is not None
        try:
            self.take((self.asked, answer))
        except Contradiction as error:
            click.echo(str(error))
            others = "; undo N takes back an earlier one, change N ANSWER corrects it" if self.turns else ""
            click.echo(f"type answer {error.step} again, or undo to ask something else{others}")
            return
        self.asked = None

    def undo(self, number: str = "") -> None:
        """Take back the test just typed, or answers."""
        if self.asked is not None and number in ("", str(self.turns + 1)):
            self.asked, self.advised_at = None, None
            return
        self.again = self.back_to(number)[0][0]  # most likely it was the answer that was mistyped
        self.asked, self.advised_at = None, None

    def change(self, words: str) -> None:
        """Correct an earlier answer."""
        number, _, label = words.partition(" ")
        turn = self.turn_number(number)
        if not label:
            raise GuesstreeError("change: expected change N ANSWER, such as change 1 yes")
        test = self.evidence.history[turn - 1][0]
        step = (test, read_answer(self.game, label.strip(), test))
        known = self.known[:turn]
        for each in (step, *self.evidence.history[turn:]):
            known.append(known[-1].after(*each))
        self.known = known
        self.history("")
        self.doubt()

    def as_data(self) -> dict[str, Any]:
        """Return the answers so far, what they say, and what is best next."""
        return self.counsel.as_data(self.evidence) | self.decision_data()


class PlayDoubtful(Doubtful):
    """The machine draws a cause by the weights, and what each test answers by its chances; the user asks."""

    about = "Type a guess to make it, or:"
    helps: ClassVar[Mapping[str, str]] = {
        "?": "this help",
        "hint": "what is best now",
        "candidates": "all secrets that are possible, with their probabilities",
        "history": "the guesses and answers so far",
        "decide": "end with the best decision, where there are decisions",
        "decide NAME": "end with this decision",
        "undo [N]": "take back the last answer, or answer N and what followed",
        "give up": "show the secret",
        "quit": "stop",
    }

    def __init__(self, game: Game, seed: int | None, time_limit: float) -> None:
        super().__init__(game, (), time_limit)
        self.hidden = Hidden(game, seed)
        self.secret = self.hidden.secret
        self.hints = self.undone = 0
        self.given_up = False

    def prompt(self) -> str:
        """Return the prompt for the next test."""
        return f"{self.look.guess} {self.turns + 1}: "

    def expected(self) -> Sequence[str]:
        """Return the tests."""
        return self.game.guesses

    def enter(self, text: str) -> None:
        """Answer a test."""
        test = self.read_test(text)
        self.take((test, self.hidden.answer(self.evidence.history, test)))

    def hint(self, _: str) -> None:
        """Show what is best now."""
        self.hints += 1
        click.echo("\n".join(self.counsel.lines(self.evidence)))

    def undo(self, number: str) -> None:
        """Take answers back."""
        self.undone += len(self.back_to(number))

    def give_up(self, _: str) -> None:
        """Show the cause and end."""
        self.done = self.given_up = True
        click.echo(f"the {self.look.secret} was {plain(self.game.secrets[self.secret])}")
        click.echo(self.comparison())

    def finish(self) -> None:
        """Say how it ended, what it took, and what the best strategy takes."""
        click.echo(self.outcome())
        if len(self.evidence.possible) > 1:
            taken = self.counsel.cost(self.evidence.paid + self.lost())
            lost = f", {self.counsel.cost(self.lost())} of it lost" if self.decided is not None else ""
            secret = plain(self.game.secrets[self.secret])
            click.echo(f"the {self.look.secret} was {secret}: it took {taken}{lost}")
        click.echo(self.comparison())

    def lost(self) -> Number:
        """Return what the decision has lost."""
        losses = self.evidence.model.losses
        if self.decided is None or losses is None:
            return 0
        loss = losses[self.decided][self.secret]
        assert loss is not None  # what is not allowed for a possible cause cannot be decided
        return loss

    def best(self) -> str:
        """Return what the best strategy takes with these answers, paid and lost."""
        evidence, taken = self.known[0], Fraction(0)
        while not evidence.finished:
            advice, why = self.counsel.advise(evidence)
            if advice is None:
                return why
            if advice.decision >= 0:
                assert evidence.model.losses is not None
                taken += evidence.model.losses[advice.decision][self.secret] or 0
                break
            evidence = evidence.after(advice.test, self.hidden.answer(evidence.history, advice.test))
        tests = plural(len(evidence.history), self.look.guess)
        return f"here it would have taken {self.counsel.cost(taken + evidence.paid)}, with {tests}"

    def comparison(self) -> str:
        """Return what the best strategy takes on average, and here where it is known."""
        advice, why = self.counsel.advise(self.known[0])
        if advice is None:
            return why
        of = "on average" if self.evidence.objective == "expected" else "at most"
        told = f"the best strategy takes {self.counsel.bounds(advice)} {of}"
        return f"{told}; {self.best()}" if advice.proven else told

    def as_data(self) -> dict[str, Any]:
        """Return the answers, the cause, how it ended, and what the best strategy takes."""
        advice, _ = self.counsel.advise(self.known[0])
        outcome = "given up" if self.given_up else "stopped"
        if self.finished:
            outcome = "known" if self.decided is None else "decided"
        units = self.counsel.units
        return {
            **self.counsel.known(self.evidence),
            "secret": self.game.secrets[self.secret],
            "outcome": outcome,
            **self.decision_data(),
            "guesses": self.turns,
            "hints": self.hints,
            "taken_back": self.undone,
            "lost": units(self.lost()),
            "optimum": self.counsel.advised(advice),
        }
