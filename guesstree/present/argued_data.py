"""The argument of a certificate as plain data."""

from __future__ import annotations

from typing import Any

from guesstree.api.explained import (
    Explained,
    Explanation,
    KitExplanation,
    LyingExplanation,
    NoisyExplanation,
    PricedExplanation,
)
from guesstree.engine.exact import as_plain
from guesstree.engine.proofs import noisy_bounds, priced_argument
from guesstree.engine.proofs.argument import INFINITE, Account, Lemma, ShownGuess
from guesstree.engine.proofs.kit_argument import KitAccount, KitClaim, Pair
from guesstree.engine.proofs.lying_argument import LyingAccount, LyingLemma, by_lies
from guesstree.engine.proofs.noisy_argument import NoisyAccount, NoisyLemma
from guesstree.engine.proofs.priced_argument import PricedAccount, PricedLemma


def explanation_as_json(found: Explained) -> dict[str, Any]:
    """Return an argument as plain data; a cost of null stands for what cannot be settled within the limit.

    Costs are those of the certificate. Where something may be lost, each is one number: of each unit of
    weight that is lost `each_lost`, and what the others pay. Of tests that may get several answers, `scale`
    is what 1 of the costs of all together is there, `coin` 1 of a price, and `unit` a weight of 1.
    """
    problem, game = found.problem, found.game
    said: dict[str, Any] = {
        "game": game.spec,
        "goal": problem.goal,
        "first": None if problem.first is None else game.guesses[problem.first],
        "within": found.within,
        "bound": found.bound,
        "optimal": found.optimal,
        "checker": found.line,
    }
    if isinstance(found, PricedExplanation):
        claims = [_priced_claim(found, lemma, account) for lemma, account in found.accounts]
        said |= {"lost": list(found.lost) or None, "each_lost": found.argument.each_lost or None}
        return said | {"lemmas": len(found.argument.lemmas), "whole": claims[-1], "explained": claims[:-1]}
    if isinstance(found, LyingExplanation):
        claims = [_lying_claim(found, lemma, account) for lemma, account in found.accounts]
        more = {"lies": found.lies, "lemmas": len(found.argument.lemmas)}
        return said | more | {"whole": claims[-1], "explained": claims[:-1]}
    if isinstance(found, KitExplanation):
        claims = [_kit_claim(found, claim, account) for claim, account in found.accounts]
        rules = found.argument.rules
        more = {"lies": rules.lies, "apart": rules.apart, "cases": len(found.argument.claims)}
        return said | more | {"whole": claims[-1], "explained": claims[:-1]}
    if isinstance(found, NoisyExplanation):
        claims = [_noisy_claim(found, lemma, account) for lemma, account in found.accounts]
        units = {name: as_plain(unit) for name, unit in found.units.items()}
        more = {"lemmas": len(found.argument.lemmas), "letters": found.argument.added}
        return said | units | more | {"whole": claims[-1], "explained": claims[:-1]}
    assert isinstance(found, Explanation)
    root, whole = found.accounts[-1]
    return said | {
        "lemmas": len(found.argument.lemmas),
        "small": len(found.argument.small),
        "whole": _claim(found, root, whole),
        "explained": [_claim(found, lemma, account) for lemma, account in found.accounts[:-1]],
    }


def _priced_claim(found: PricedExplanation, lemma: PricedLemma, account: PricedAccount) -> dict[str, Any]:
    game = found.game
    shown = []
    for guess in account.guesses:
        parts = [
            {
                "secrets": [game.secrets[s] for s in part.members.tolist()],
                "left": _paid(part.left),
                "counted": _paid(part.counted),
                "ahead": _paid(part.ahead),
                "known": _paid(part.known),
                "lemma": part.lemma,
            }
            for part in guess.parts
        ]
        name = None if guess.guess < 0 else game.guesses[guess.guess]
        costs = {"paid": _paid(guess.paid), "known": _paid(guess.known)}
        shown.append({"guess": name, "equal": guess.equal, **costs, "parts": parts})
    return {
        "number": lemma.number,
        "secrets": [game.secrets[s] for s in lemma.members.tolist()],
        "left": _paid(lemma.left),
        "bound": _paid(lemma.bound),
        "counted": _paid(account.counted),
        "useless": account.useless,
        "shown": shown,
    }


def _kit_claim(found: KitExplanation, claim: KitClaim, account: KitAccount) -> dict[str, Any]:
    guesses, secrets = found.game.guesses, found.game.secrets

    def both(pair: Pair) -> list[str]:
        return [secrets[s] for s in pair]

    return {
        "number": claim.number,
        "kit": [guesses[g] for g in claim.kit],
        "may_follow": [guesses[g] for g in range(len(guesses)) if claim.allowed >> g & 1],
        "left": claim.left,
        "shown": claim.body,
        "open": account.open,
        "pair": None if account.pair is None else both(account.pair),
        "due": account.due,
        "telling": [guesses[g] for g in account.telling],
        "cases": [
            {"number": one.number, "guess": guesses[guess], "equal": equal}
            for guess, equal, one in claim.inside
        ],
        "untold": [
            {"after": [guesses[g] for g in one.questions], "pairs": [both(pair) for pair in one.pairs]}
            for one in account.witnesses
        ],
        "alike": [secrets[s] for s in account.alike],
        "asked": account.asked,
        "answers": account.answers,
        "prices": [[*both(pair), price] for pair, price in claim.prices],
        "total": account.total,
        "collects": [[guesses[g], gain] for g, gain in account.gains],
        "collected": as_plain(account.collected),
    }


def _lying_claim(found: LyingExplanation, lemma: LyingLemma, account: LyingAccount) -> dict[str, Any]:
    game = found.game
    return {
        "number": lemma.number,
        "left": [[lies, [game.secrets[s] for s in some.tolist()]] for lies, some in by_lies(lemma.state)],
        "depth": lemma.state.depth,
        "volume": account.volume,
        "room": account.room,
        "guesses": account.allowed,
        "excluded": {name: getattr(account, name) for name in ("useless", "large", "ahead", "proved")},
        "shown": [
            {
                "guess": game.guesses[one.guess],
                "equal": one.equal,
                "response": game.responses[one.response],
                "volume": one.volume,
                "room": one.room,
                "why": one.why,
            }
            for one in account.guesses
        ],
    }


def _noisy_claim(found: NoisyExplanation, lemma: NoisyLemma, account: NoisyAccount) -> dict[str, Any]:
    game, counted = found.game, account.counted
    shown = []
    for test in account.tests:
        parts = [
            {
                "answer": game.responses[part.answer],
                "left": [[game.secrets[cause], mass] for cause, mass in part.state.masses],
                "counted": _least(part.counted),
                "ahead": _least(part.ahead),
                "known": _least(part.known),
                "lemma": part.lemma,
            }
            for part in test.parts
        ]
        costs = {name: _least(getattr(test, name)) for name in ("paid", "counted", "ahead", "known")}
        shown.append({"test": game.guesses[test.test], **costs, "checked": test.checked, "parts": parts})
    return {
        "number": lemma.number,
        "after": [[game.guesses[test], game.responses[answer]] for test, answer in lemma.path],
        "left": [[game.secrets[cause], mass] for cause, mass in lemma.state.masses],
        "bound": _least(lemma.bound),
        "counted": _least(counted.bound),
        "ending": _least(counted.ending),
        "same": account.same,
        "useless": account.useless,
        "waiting": account.waiting,
        "shown": shown,
    }


def _claim(found: Explanation, lemma: Lemma, account: Account) -> dict[str, Any]:
    game = found.game
    said = {
        "number": lemma.number,
        "after": [[game.guesses[guess], game.responses[response]] for guess, response in lemma.path],
        "secrets": [game.secrets[s] for s in lemma.members.tolist()] if lemma.path or lemma.small else None,
        "depth": lemma.depth,
        "bound": _cost(lemma.bound),
    }
    if lemma.image is not None:
        proved, to = lemma.image
        return said | {"renames": proved.number, "to": [game.secrets[s] for s in to.tolist()]}
    excluded = {
        name: getattr(account, name) for name in ("useless", "few", "uneven", "small", "ahead", "proved")
    }
    return said | {
        "counted": _cost(account.whole),
        "most_parts": account.most,
        "guesses": account.allowed,
        "kinds": account.kinds,
        "excluded": excluded,
        "shown": [_guess(found, guess) for guess in (*account.guesses, *account.excluded)],
    }


def _guess(found: Explanation, guess: ShownGuess) -> dict[str, Any]:
    parts = [
        {
            "response": found.game.responses[part.response],
            "secrets": len(part.members),
            "counted": _cost(part.counted),
            "ahead": _cost(part.ahead),
            "known": _cost(part.known),
            "lemma": part.lemma,
        }
        for part in guess.parts
    ]
    costs = {name: _cost(getattr(guess, name)) for name in ("counted", "ahead", "known")}
    return {"guess": found.game.guesses[guess.guess], "equal": guess.equal, **costs, "parts": parts}


def _cost(bound: int) -> int | None:
    return None if bound >= INFINITE else bound


def _paid(cost: int) -> int | None:
    return None if cost >= priced_argument.INFINITE else cost


def _least(cost: int) -> int | None:
    return None if cost >= noisy_bounds.INFINITE else cost
