"""What an argument says of guesses and parts, beside the true costs of tiny games."""

import random
from math import inf
from pathlib import Path

import certificates as tiny
import pytest
from certificates import FOREVER, Tiny
from effort import seeds

from guesstree.api.explained import Explanation
from guesstree.api.explanation import RefusedCertificateError, explained
from guesstree.api.verification import read_certificate
from guesstree.engine.errors import GuesstreeError
from guesstree.engine.proofs.argument import INFINITE, Account, Lemma, ShownGuess


def require_bounds(game: Tiny, lemma: Lemma, account: Account, guess: ShownGuess) -> None:
    """Fail unless what is shown of the parts of a guess is true, and enough for the claim."""
    n, depth = len(lemma.members), lemma.depth
    for part in guess.parts:
        true = game.cost(tuple(part.members.tolist()), depth - 1)
        assert part.counted <= part.ahead <= part.known
        assert part.known <= true or (true == inf and part.known <= INFINITE)
        assert part.counted == account.counts[len(part.members)]
        if part.look is not None and part.ahead < INFINITE:
            assert len(part.members) + sum(part.look.parts) == part.ahead
    for name in ("counted", "ahead", "known"):
        whole = n + sum(getattr(part, name) for part in guess.parts)
        assert getattr(guess, name) == min(whole, INFINITE)
    if guess in account.excluded:
        assert guess.counted >= lemma.bound
    assert guess.equal <= account.allowed


def require_rooms(found: Explanation) -> None:
    """Fail unless what a number of guesses settles is what the first guess and its parts add up to."""
    secrets, argument = found.problem.secrets, found.argument
    for d in range(2, min(argument.root.depth, secrets) + 1):
        won, parts = argument.filled(found.whole.most, argument.room(d - 1))
        assert argument.room(d) == min(won + sum(parts), secrets)


@pytest.mark.parametrize("seed", seeds(30, 120))
def test_what_is_shown_is_true_of_tiny_games(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    everything: tuple[int, ...] = ()
    cost, within = inf, FOREVER
    while len(everything) < 2 or (cost == inf and within == FOREVER):  # a game without a claim
        game = tiny.some_game(tmp_path, chance)
        within = chance.choice([FOREVER, FOREVER, 2, 3])
        everything = game.everything()
        cost = game.cost(everything, within)
    proof = tiny.body(game, everything, within, chance, set())
    if not game.only and cost == inf:
        items = tiny.small_sets(game, chance)
        proof = f"( {items} {'' if proof == '.' else proof[1:-1]})"
    path = tmp_path / "some.proof"
    path.write_text(tiny.certificate(game, cost, proof, within=within))
    found = explained(read_certificate(str(path)), 1000)
    assert isinstance(found, Explanation)
    assert len(found.accounts) == 1 + len(found.argument.lemmas) + len(found.argument.small)
    require_rooms(found)
    for lemma, account in found.accounts:
        true = game.cost(tuple(lemma.members.tolist()), lemma.depth)
        assert lemma.bound <= true or (lemma.bound >= INFINITE and true == inf)
        lemma = lemma.original  # the account is of what it renames
        if account.whole >= lemma.bound:
            continue
        said = account.useless, account.few, account.uneven, account.small, account.ahead, account.proved
        assert sum(said) == account.allowed == len(game.allowed(tuple(lemma.members.tolist())))
        for guess in (*account.guesses, *account.excluded):
            require_bounds(game, lemma, account, guess)
        if lemma.bound < INFINITE:
            assert all(guess.known >= lemma.bound for guess in account.guesses)


def test_a_claim_that_is_too_high_is_refused(tmp_path: Path) -> None:
    chance = random.Random(7)
    game = tiny.code_game("mastermind", 2, 3)
    cost = game.cost(game.everything())
    path = tmp_path / "some.proof"
    path.write_text(
        tiny.certificate(game, cost + 1, tiny.body(game, game.everything(), FOREVER, chance, set()))
    )
    with pytest.raises(RefusedCertificateError, match="refused"):
        explained(read_certificate(str(path)), 5)


def test_what_is_no_certificate_is_said(tmp_path: Path) -> None:
    path = tmp_path / "some.proof"
    path.write_text("guesstree-proof/1 mastermind 2 2")
    with pytest.raises(GuesstreeError, match="is no certificate"):
        explained(read_certificate(str(path)), 5)
