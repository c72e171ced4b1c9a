"""Sessions of tables whose tests may get several answers: what `assist` and `play` share there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

import click

from guesstree.api.codemaker import Hidden
from guesstree.engine.advice.evidence import Evidence
from guesstree.engine.advice.turns import guess_typed
from guesstree.engine.errors import Contradiction, GuesstreeError
from guesstree.engine.exact import Number
from guesstree.engine.game import Game
from guesstree.engine.notation import article, plural
from guesstree.engine.rules import Step
from guesstree.present.noisy_advice import NoisyAdvisor, chance_text
from guesstree.present.review import Review, review
from guesstree.present.ruled_out import name_typed, why_lines
from guesstree.present.turns import noisy_turn
from guesstree.trees.export.labels import plain

from ..tools.screen import aligned, echo
from .prompt import Prompt, choices, guess_entered, say_taken_back, some_guesses, suspected
from .reviewed import show_review


class NoisySession(Prompt):
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
        self.advisor = NoisyAdvisor(game, time_limit)
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
        echo(f"{self.game.spec}: {what} (? for help)")
        self.history("")
        self.warn()

    def history(self, _: str) -> None:
        """Show the answers so far, each with the probability that it had."""
        for number in range(1, self.turns + 1):
            echo(self.turn(number))

    def turn(self, number: int) -> str:
        """Return one line for an answer."""
        turn = noisy_turn(*self.known[number - 1 : number + 1])
        shown = "not known" if turn.unknown else f"{plain(turn.response)}  ({turn.chance})"
        return f"{number:>3}  {plain(turn.guess)}  {shown}"

    def take(self, step: Step) -> None:
        """Take an answer, and say how unlikely all of them are where that is so."""
        self.known.append(self.evidence.after(*step))
        echo(self.turn(self.turns))
        self.warn()

    def warn(self) -> None:
        """Warn of answers that are hardly to be believed together."""
        for line in self.advisor.warnings(self.evidence):
            echo(line)

    def shown(self, *, numbered: bool = False) -> list[int]:
        """Show what is possible and what is best next; return the tests that are listed."""
        echo("\n".join(self.advisor.lines(self.evidence)))
        rows = self.advisor.tests(self.evidence)
        if len(rows) > 1:
            heading, *cells = self.advisor.table(rows)
            heading[0] = "   " * numbered + heading[0]
            for number, row in enumerate(cells, 1):
                row[0] = f"{number}  " * numbered + row[0]
            click.echo(aligned([heading, *cells]))
        return [outlook.test for outlook, _ in rows]

    def candidates(self, _: str) -> None:
        """Show all causes that are possible."""
        for label, share in self.advisor.ranked(self.evidence.posterior):
            echo(f"  {chance_text(share):>11}  {plain(label)}")

    def back_to(self, number: str) -> list[Step]:
        """Forget answer `number` (empty: the last) and what followed; say and return what was forgotten."""
        if not self.turns:
            raise GuesstreeError(self.look.named("no guess yet: nothing to undo"))
        first = self.turn_number(number) if number else self.turns
        forgotten = list(self.evidence.history[first - 1 :])
        del self.known[first:]
        say_taken_back(self.game, forgotten)
        return forgotten

    def read_test(self, text: str, listed: Sequence[int] | None = None) -> int:
        """Return the test typed, see `guess_typed`; raise GuesstreeError that helps if it is a decision."""
        try:
            if listed is None:
                return guess_entered(self.game, text)
            return guess_typed(self.game, text, listed)
        except GuesstreeError:
            decision = self.look.find_guess(self.game.decisions, text)
            if decision is None:
                raise
            label = plain(self.game.decisions[decision])
            raise GuesstreeError(f"{label!r} is a decision: type decide {label} to end with it") from None

    def decide(self, label: str) -> None:
        """Decide, by default what is best now."""
        best = self.evidence.decision
        if self.game.decisions and not label and best is None:
            raise GuesstreeError("nothing may be decided yet: each decision is ruled out for some cause")
        self.decided = best[0] if best and not label else self.evidence.read_decision(label)

    def outcome(self) -> str:
        """Return in words how it ended: what is known, or decided, and what was paid."""
        evidence = self.evidence
        paid = f"{plural(self.turns, self.look.guess)}, {self.look.paid(self.advisor.cost(evidence.paid))}"
        if self.decided is not None:
            loss = evidence.loss(self.decided)
            assert loss is not None
            label = plain(self.game.decisions[self.decided])
            return f"decided: {label}, {evidence.objective} loss {self.advisor.cost(loss)}; {paid}"
        if evidence.over:
            return f"ended: {plain(evidence.step_text(evidence.history[-1]))}; {paid}"
        causes = " or ".join(plain(self.game.secrets[cause]) for cause in evidence.possible)
        return f"known: the {self.look.secret} is {causes}; {paid}"

    def finish(self) -> None:
        """Say how it ended."""
        echo(self.outcome())

    def decision_data(self) -> dict[str, Any]:
        """Return what was decided, where something was."""
        return {} if self.decided is None else {"decided": self.game.decisions[self.decided]}


class NoisyAssist(NoisySession):
    """The user makes the tests and types the answers; each turn is advised."""

    helps: ClassVar[Mapping[str, str]] = {
        "?": "this help (as an answer: not known; then type help)",
        "candidates": "all secrets that are possible, with their probabilities",
        "history": "the guesses and answers so far",
        "why NAME": "which answers rule out this secret, or speak against it",
        "decide": "end with the best decision, where there are decisions",
        "decide NAME": "end with this decision",
        "undo": "take back the guess just typed, or else the last answer",
        "undo N": "take back answer N and what followed",
        "change N ANSWER": "correct answer N and keep the others",
        "quit": "stop",
    }

    def __init__(self, game: Game, history: Sequence[Step], time_limit: float) -> None:
        super().__init__(game, history, time_limit)
        self.asked: int | None = None
        self.default = ""
        self.top: list[int] = []
        self.again: int | None = None
        self.advised_at: tuple[Step, ...] | None = None

    def prompt(self) -> str:
        """Show advice when there is something new to say, and return the prompt."""
        if self.asked is not None:
            says = choices(self.game, self.asked)
            return f"{self.look.response} to {plain(self.game.guesses[self.asked])} ({says}): "
        if self.advised_at != self.evidence.history:
            self.show()
            self.advised_at = self.evidence.history
        default = f" [{plain(self.default)}]" if self.default else ""
        return f"{self.look.guess} {self.turns + 1}{default}: "

    @property
    def about(self) -> str:
        """What may be typed, by examples that fit."""
        first = self.look.named("Type the guess that you make")
        label = plain(self.game.guesses[(self.top or [0])[0]])
        which = f"such as {label}, its number or the beginning of its name"
        return f"{first}, {which} (Enter: what is in brackets), then its answer. Or:"

    def show(self) -> None:
        """Show what is possible and the best next step, which Enter takes."""
        advice, _ = self.advisor.advise(self.evidence)
        self.top = tests = self.shown(numbered=True)
        if self.again is not None:
            self.default = self.game.guesses[self.again]
        elif advice is not None and advice.decision >= 0:
            self.default = "decide"
        else:
            self.default = self.game.guesses[tests[0]] if tests else ""

    def answers(self) -> list[str]:
        """Return the answers to the test that is asked."""
        assert self.asked is not None
        return [self.game.responses[answer] for answer in self.game.answers(self.asked)]

    def expected(self) -> Sequence[str]:
        """Return what is asked for now: tests or answers."""
        return self.game.guesses if self.asked is None else [*self.answers(), self.game.not_known(self.asked)]

    def enter(self, text: str) -> None:
        """Take a test, or the answer to it."""
        if self.asked is not None:
            self.answer(self.game.read_response(text, self.asked))
            return
        text = text or self.default
        if text == "decide":
            self.decide("")
            return
        test = self.read_test(text, self.top)
        self.evidence.require_askable(test)
        self.asked, self.again = test, None

    def answer(self, answer: int) -> None:
        """Take the answer to the test that is asked, unless no cause gives it."""
        assert self.asked is not None
        try:
            self.take((self.asked, answer))
        except Contradiction as error:
            echo(str(error))
            noun, left = self.look.response, f"possible {self.look.secret}"
            echo("\n".join(suspected(self.evidence.suspects((self.asked, answer)), noun, left)))
            others = "; undo N takes back an earlier one, change N ANSWER corrects it" if self.turns else ""
            echo(f"type answer {error.step} again, or undo to ask something else{others}")
            return
        self.asked = None

    def why(self, name: str) -> None:
        """Say which answers rule out a cause, or speak against it."""
        for line in why_lines(self.game, self.evidence.history, name_typed(self.game, name)):
            echo(line)

    def undo(self, number: str = "") -> None:
        """Take back the test just typed, or answers."""
        if self.asked is not None and number in ("", str(self.turns + 1)):
            echo(f"took back {plain(self.game.guesses[self.asked])}")
            self.asked, self.advised_at = None, None
            return
        self.again = self.back_to(number)[0][0]  # most likely it was the answer that was mistyped
        self.asked, self.advised_at = None, None

    def change(self, words: str) -> None:
        """Correct an earlier answer."""
        number, _, label = words.partition(" ")
        turn = self.turn_number(number)
        test = self.evidence.history[turn - 1][0]
        if not label:
            some = self.game.responses[self.game.answers(test)[0]]
            raise GuesstreeError(f"change: expected change N ANSWER, such as change {turn} {some}")
        step = (test, self.game.read_response(label.strip(), test))
        known = self.known[:turn]
        for each in (step, *self.evidence.history[turn:]):
            known.append(known[-1].after(*each))
        self.known = known
        self.history("")
        self.warn()

    def as_data(self) -> dict[str, Any]:
        """Return the answers so far, what they say, and what is best next."""
        return self.advisor.as_data(self.evidence) | self.decision_data()


class NoisyPlay(NoisySession):
    """The machine draws a cause by the weights, and what each test answers by its chances; the user asks."""

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

    @property
    def about(self) -> str:
        """What may be typed."""
        return f"Type {article(self.look.guess)} to make it, {some_guesses(self.game)}. Or:"

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
        self.shown()

    def undo(self, number: str) -> None:
        """Take answers back."""
        self.undone += len(self.back_to(number))

    def give_up(self, _: str) -> None:
        """Show the cause and end."""
        self.done = self.given_up = True
        echo(f"the {self.look.secret} was {plain(self.game.secrets[self.secret])}")
        show_review(self.game, self.review)

    def finish(self) -> None:
        """Say how it ended, what it took, and what the best strategy takes."""
        echo(self.outcome())
        if len(self.evidence.possible) > 1:
            taken = self.advisor.cost(self.evidence.paid + self.lost())
            lost = f", {self.advisor.cost(self.lost())} of it lost" if self.decided is not None else ""
            secret = plain(self.game.secrets[self.secret])
            echo(f"the {self.look.secret} was {secret}: it took {taken}{lost}")
        show_review(self.game, self.review)

    def lost(self) -> Number:
        """Return what the decision has lost."""
        return 0 if self.decided is None else self.hidden.loss(self.decided)

    @cached_property
    def review(self) -> Review:
        """How it was played."""
        return review(self.hidden, self.evidence.history, decision=self.decided)

    def as_data(self) -> dict[str, Any]:
        """Return the answers, the cause, how it ended, and what the best strategy takes."""
        advice, _ = self.advisor.advise(self.known[0])
        outcome = "given up" if self.given_up else "stopped"
        if self.finished:
            outcome = "known" if self.decided is None else "decided"
        units = self.advisor.units
        more = {} if outcome == "stopped" else {"review": self.review.as_data()}
        return {
            **self.advisor.known(self.evidence),
            "secret": self.game.secrets[self.secret],
            "outcome": outcome,
            **self.decision_data(),
            "guesses": self.turns,
            "hints": self.hints,
            "taken_back": self.undone,
            "lost": units(self.lost()),
            "optimum": self.advisor.advised(advice),
            **more,
        }
