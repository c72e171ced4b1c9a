"""The certificate of a kit: a proof that no questions that cost less tell all secrets apart."""

from __future__ import annotations

import time
from math import inf

from guesstree.engine.exact import exact_text
from guesstree.engine.kits.kit import Kit
from guesstree.engine.objective import WORST
from guesstree.engine.problem import Problem
from guesstree.engine.proofs.kits import kit_proof
from guesstree.engine.search.deadline import Deadline, TimeUp

from .certificate import LAST_SECONDS, Certificate, for_proof


def certificate_of_kit(
    kit: Kit, *, time_limit: float | None = None, began: float | None = None
) -> Certificate:
    """Return the certificate that every kit costs at least as much as is known of the least.

    Parameters
    ----------
    time_limit: seconds until all of it is to have ended, of which the checker gets the last; if there are too
        few, there is no text, and `trusted` says so.
    began: when they began, as `time.monotonic` tells time; None: now.

    Raises GuesstreeError for a game that is too large for the checker, and ProofError for a false bound.
    """
    game, now = kit.game, time.monotonic()
    began = now if began is None else began
    due = inf if time_limit is None else began + time_limit
    share = for_proof(time_limit)
    left = None if share is None else max(began + share - now, 0)
    deadline = Deadline(LAST_SECONDS if kit.stopped == "interrupt" else left)
    problem = None if game.facts.noisy else Problem(game, WORST, goal=kit.goal)
    claim = f"every kit for {kit.cover.secrets} secrets costs at least {kit.lower}"
    try:
        proof = deadline.run(lambda: kit_proof(game, problem, kit.cover, kit.lower), lambda: None)
    except TimeUp:
        deadline.late()
        trusted, stopped = f"not proved, as the search says: {claim}", deadline.stopped or "time"
        return Certificate("", {}, kit.lower, None, 0, stopped=stopped, trusted=trusted, claim=claim, due=due)
    paid = "" if game.cost_unit == 1 else game.look.paid(exact_text(game.cost_unit))
    return Certificate(
        proof.text,
        proof.files,
        proof.bound,
        None,
        proof.lemmas,
        stopped=kit.stopped,
        claim=claim,
        due=due,
        unit=f"1 in the certificate is {paid} here" if paid else "",
    )
