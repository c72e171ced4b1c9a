"""What is known and advised where tests are noisy: figures and rows for every face, text and plain data."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from time import monotonic
from typing import Any

from guesstree.engine.advice.evidence import UNKNOWN, Advice, Evidence, Outlook
from guesstree.engine.errors import GuesstreeError
from guesstree.engine.exact import PLACES, Number, as_plain, exact_text, rounded_text
from guesstree.engine.game import Game
from guesstree.engine.notation import plural
from guesstree.engine.rules import Step
from guesstree.engine.support import EXACT, Request, require
from guesstree.trees.export.labels import percent, plain

MOST_TESTS = 5
"""Tests that are shown beside each other."""
MOST_CAUSES = 6
"""Causes that a line names."""
TOGETHER = "some secrets cannot be told apart without the missing answers: they are named together"
"""Said in the words of the game."""
OTHERS_SECONDS = 1.0
"""So long it is worked out what the other tests take, where the best is proven."""


def require_exact(game: Game, **asked: Any) -> None:
    """Raise GuesstreeError for what does not go with advice on tests that may get several answers.

    `asked`: see `support.Request`; a method of None is the only one, the exact search.
    """
    assert game.model is not None
    method = asked.pop("method") or EXACT
    request = Request(game, game.model.objective, **asked)
    require(request)
    if method != EXACT:
        raise GuesstreeError(
            f"method {method} of {game.spec}: {request.several}, so advice is exact; leave the method out"
        )


@dataclass(frozen=True)
class Row:
    """A test beside others; texts are empty where that is not known.

    What it costs, what it tells in bits, what deciding after it loses, what it takes to begin with it.
    """

    label: str
    cost: str
    bits: float
    loss: str
    takes: str


class NoisyAdvisor:
    """Advice on evidence, remembered, each within a time limit in seconds."""

    def __init__(self, game: Game, time_limit: float | None = None) -> None:
        self.game, self.look, self.time_limit = game, game.look, time_limit
        self._advice: dict[tuple[tuple[int, int], ...], tuple[Advice | None, str]] = {}
        self._tests: dict[tuple[tuple[int, int], ...], list[tuple[Outlook, Advice | None]]] = {}

    def advise(self, evidence: Evidence) -> tuple[Advice | None, str]:
        """Return what is best next, and else, in a line, why it is not known."""
        key = evidence.history
        if key not in self._advice:
            try:
                self._advice[key] = evidence.advise(self.time_limit), ""
            except GuesstreeError as error:
                self._advice[key] = None, str(error)
        return self._advice[key]

    def tests(self, evidence: Evidence) -> list[tuple[Outlook, Advice | None]]:
        """Return some tests, the best first, and what it takes to begin with them, as far as time allows."""
        key, (best, _) = evidence.history, self.advise(evidence)
        if key not in self._tests:
            outlooks = evidence.outlooks()
            if best is not None and best.test >= 0:
                outlooks = [
                    evidence.outlook(best.test),
                    *(one for one in outlooks if one.test != best.test),
                ]
            end = monotonic() + (OTHERS_SECONDS if best is not None and best.proven else 0)
            found: list[tuple[Outlook, Advice | None]] = []
            for outlook in outlooks[:MOST_TESTS]:
                advice = best if best is not None and best.test == outlook.test else None
                if advice is None and monotonic() < end:
                    with suppress(GuesstreeError):
                        advice = evidence.advise(end - monotonic(), first=outlook.test)
                found.append((outlook, advice))
            self._tests[key] = found
        return self._tests[key]

    # -- text ----------------------------------------------------------------------------------------------

    def cost(self, value: Number) -> str:
        """Return a cost or a loss: exactly where four decimals are enough, else rounded."""
        value = Fraction(value) * self.game.cost_unit
        return exact_text(value) if (value * 10**PLACES).denominator == 1 else rounded_text(value)

    def bounds(self, advice: Advice) -> str:
        """Return what it takes from here on, with both bounds where it is not proven."""
        upper = self.cost(advice.upper)
        return upper if advice.proven else f"{self.cost(advice.lower)} to {upper}"

    def ranked(self, shares: Sequence[Fraction]) -> list[tuple[str, Fraction]]:
        """Return the causes that are possible by label, with their probabilities, the most probable first."""
        possible = [cause for cause, share in enumerate(shares) if share]
        return [(self.game.secrets[i], shares[i]) for i in sorted(possible, key=lambda i: (-shares[i], i))]

    def causes(self, shares: Sequence[Fraction]) -> str:
        """Return the most probable causes with their probabilities, in a line."""
        ranked = self.ranked(shares)
        some = [f"{plain(label)} {chance_text(share)}" for label, share in ranked[:MOST_CAUSES]]
        more = len(ranked) - len(some)
        return ", ".join(some) + (f", {more} more" if more else "")

    def possible(self, evidence: Evidence) -> str:
        """Return how many causes are possible."""
        return f"{plural(len(evidence.possible), self.look.secret)} possible"

    def rows(self, tests: Sequence[tuple[Outlook, Advice | None]]) -> list[Row]:
        """Return tests beside each other."""
        return [
            Row(
                self.game.guesses[outlook.test],
                self.cost(outlook.price),
                outlook.bits,
                "" if outlook.loss is None else self.cost(outlook.loss),
                "" if advice is None else self.bounds(advice),
            )
            for outlook, advice in tests
        ]

    def lines(self, evidence: Evidence) -> list[str]:
        """Return what is possible and what is best next."""
        advice, why = self.advise(evidence)
        shown = [f"{self.possible(evidence)}: {self.causes(evidence.posterior)}"]
        if evidence.together:
            shown.append(self.look.named(TOGETHER))
        if advice is None:
            shown.append(why)
        elif advice.decision >= 0:
            shown += self._decide(evidence, advice)
        else:
            shown += self._ask(evidence, advice)
        return shown

    def _kind(self, evidence: Evidence) -> str:
        losses = " and loss" if self.game.decisions else ""
        cost = self.look.cost if self.game.facts.priced else "cost"
        return f"{evidence.objective} {cost}{losses} from here"

    def _decide(self, evidence: Evidence, advice: Advice) -> list[str]:
        """Return what to decide, and what it would take to ask on."""
        loss = evidence.loss(advice.decision)
        assert loss is not None
        lines = [
            f"best: decide {plain(self.game.decisions[advice.decision])}, "
            f"{evidence.objective} loss {self.cost(loss)}"
        ]
        others = [(after.upper, look.test) for look, after in self.tests(evidence) if after is not None]
        if others:
            value, test = min(others)
            lines.append(
                f"asking on takes {self.cost(value)} at best ({plain(self.game.guesses[test])}), "
                f"{self.cost(value - advice.upper)} more"
            )
        return lines

    def _ask(self, evidence: Evidence, advice: Advice) -> list[str]:
        """Return what to ask, what each answer says, and what it would take to decide now."""
        outlook = evidence.outlook(advice.test)
        label, price = plain(self.game.guesses[advice.test]), self.look.paid(self.cost(outlook.price))
        lines = [
            f"best: {label}, {price}{self._setup(evidence, outlook)}; "
            f"{self._kind(evidence)} {self.bounds(advice)}"
        ]
        lines += self.answers(evidence, outlook)
        if evidence.decision is not None:
            decision, loss = evidence.decision
            lines.append(
                f"deciding now, {plain(self.game.decisions[decision])}: {evidence.objective} loss "
                f"{self.cost(loss)}, {self.cost(loss - advice.upper)} more"
            )
        return lines

    def answers(self, evidence: Evidence, outlook: Outlook) -> list[str]:
        """Return the answers that a test may get, and what each says of the causes, a line each."""
        lines = []
        for answer, split in evidence.splits(outlook.test).items():
            share = outlook.answers[answer]
            shares = [p / share for p in split]
            ends = "it ends; " if answer in evidence.model.ending(outlook.test) else ""
            label = plain(self.game.responses[answer])
            lines.append(f"  {label} ({chance_text(share)}): {ends}{self.causes(shares)}")
        return lines

    def _setup(self, evidence: Evidence, outlook: Outlook) -> str:
        """Return whether the price pays for the set-up of a group, or that was paid before."""
        if outlook.setup:
            return f", {self.cost(outlook.setup)} of it set-up"
        return ", set-up paid" if evidence.model.group(outlook.test) & evidence.opened else ""

    def table(self, tests: Sequence[tuple[Outlook, Advice | None]]) -> list[list[str]]:
        """Return tests beside each other, as rows of cells below a heading."""
        rows = self.rows(tests)
        losses, taken = any(row.loss for row in rows), any(row.takes for row in rows)
        cells = [[self.look.guess, "cost", "bits", *["loss after"] * losses, *["from here"] * taken]]
        for row in rows:
            figures = [row.cost, f"{row.bits:.4f}", *[row.loss or "-"] * losses, *[row.takes or "-"] * taken]
            cells.append([plain(row.label), *figures])
        return cells

    def warnings(self, evidence: Evidence) -> list[str]:
        """Return a line of warning where the answers so far are hardly to be believed."""
        odd = evidence.exceptions()
        if odd is None:
            return []
        cause, steps = odd
        several = ", ".join(plain(evidence.step_text(step)) for step in steps)
        return [
            f"unlikely (probability {float(evidence.probability):.2g}): even for "
            f"{plain(self.game.secrets[cause])}, which fits best, these are exceptions: {several}"
        ]

    # -- data ----------------------------------------------------------------------------------------------

    def units(self, value: Number) -> int | str:
        """Return a cost or a loss for JSON, exactly."""
        return as_plain(Fraction(value) * self.game.cost_unit)

    def advised(self, advice: Advice | None) -> dict[str, Any]:
        """Return bounds of what it takes from here on."""
        if advice is None:
            return {"lower": None, "upper": None}
        return {"lower": self.units(advice.lower), "upper": self.units(advice.upper)}

    def as_data(self, evidence: Evidence) -> dict[str, Any]:
        """Return what is known, what is best next, and some tests beside each other."""
        game, data = self.game, self.known(evidence)
        if evidence.finished:
            return data | {"advice": None, "best": []}
        advice, why = self.advise(evidence)
        asks, decides = advice is not None and advice.test >= 0, advice is not None and advice.decision >= 0
        data["advice"] = {
            "guess": game.guesses[advice.test] if advice is not None and asks else None,
            "decision": game.decisions[advice.decision] if advice is not None and decides else None,
            **self.advised(advice),
            "optimal": advice is not None and advice.proven,
            **({"why": why} if why else {}),
        }
        data["best"] = [
            self.test_data(evidence, outlook) | self.advised(after) for outlook, after in self.tests(evidence)
        ]
        return data

    def known(self, evidence: Evidence) -> dict[str, Any]:
        """Return the answers so far, and what they say."""
        game, steps, before = self.game, [], Evidence(self.game)
        for test, answer in evidence.history:
            after = before.after(test, answer)
            step = {
                "guess": game.guesses[test],
                "response": None if answer == UNKNOWN else game.responses[answer],
                "cost": self.units(after.paid - before.paid),
            }
            steps.append(step | chance_data(after.probability / before.probability))
            before = after
        decision, odd = evidence.decision, evidence.exceptions()
        return {
            "game": game.spec,
            "objective": evidence.objective,
            "steps": steps,
            "paid": self.units(evidence.paid),
            **chance_data(evidence.probability),
            "finished": evidence.finished,
            "candidates": len(evidence.possible),
            "posterior": self._posterior(evidence.posterior),
            "unlikely": None if odd is None else self._unlikely(*odd),
            "decide": None
            if decision is None
            else {"decision": game.decisions[decision[0]], "loss": self.units(decision[1])},
        }

    def _unlikely(self, cause: int, steps: Sequence[Step]) -> dict[str, Any]:
        answers = [{"guess": self.game.guesses[t], "response": self.game.responses[r]} for t, r in steps]
        return {"secret": self.game.secrets[cause], "exceptions": answers}

    def _posterior(self, shares: Sequence[Fraction]) -> list[dict[str, Any]]:
        return [{"secret": label} | chance_data(share) for label, share in self.ranked(shares)]

    def test_data(self, evidence: Evidence, outlook: Outlook) -> dict[str, Any]:
        """Return a test, what it costs, and what its answers say of the causes."""
        answers = []
        for answer, split in evidence.splits(outlook.test).items():
            share = outlook.answers[answer]
            answers.append(
                {"response": self.game.responses[answer]}
                | chance_data(share)
                | {"posterior": self._posterior([p / share for p in split])}
            )
        return {
            "guess": self.game.guesses[outlook.test],
            "cost": self.units(outlook.price),
            "setup": self.units(outlook.setup),
            "bits": outlook.bits,
            "loss": None if outlook.loss is None else self.units(outlook.loss),
            "answers": answers,
        }


def chance_data(probability: Fraction) -> dict[str, Any]:
    """Return a probability as plain data, rounded and exactly."""
    return {"probability": float(probability), "exact": as_plain(probability)}


def chance_text(share: Fraction) -> str:
    """Return a probability in percent."""
    return percent(*share.as_integer_ratio())
