"""The argument of a certificate, counted again from the game and the certificate alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from guesstree.api.certificate import Certificate, prove
from guesstree.api.certified_game import NOISY, PRICED, file_of, game_of_certificate, kit_table
from guesstree.api.explained import (
    Explained,
    Explanation,
    KitExplanation,
    LyingExplanation,
    NoisyExplanation,
    PricedExplanation,
)
from guesstree.api.verification import KIT, LIES, CertificateText, Verdict, judged
from guesstree.engine.errors import GuesstreeError
from guesstree.engine.game import Game
from guesstree.engine.objective import EXPECTED, parse_objective
from guesstree.engine.problem import Problem
from guesstree.engine.proofs.argument import Argument, Lemma
from guesstree.engine.proofs.kit_argument import KitArgument, KitClaim, KitRules
from guesstree.engine.proofs.lying_argument import LyingArgument, LyingLemma
from guesstree.engine.proofs.noisy_argument import NoisyAccount, NoisyArgument, NoisyLemma
from guesstree.engine.proofs.priced_argument import PricedAccount, PricedArgument, PricedLemma
from guesstree.engine.proofs.statement import FORMAT, certificate_names
from guesstree.engine.search.deadline import Progress
from guesstree.trees.check import check
from guesstree.trees.tree import Tree

LIMITS = ("max_depth", "first", "candidates_only", "budget")
"""What a strategy may say that it keeps to, as all do among which it is the best."""
FEW, SOME = 24, 6
"""Of so many lemmas and small sets all are explained, of more some."""


L = TypeVar("L", PricedLemma, LyingLemma, KitClaim, NoisyLemma)


class RefusedCertificateError(GuesstreeError):
    """The checker refuses the certificate, so that there is nothing to explain."""


class NotOptimalError(GuesstreeError):
    """What is proved is less than the strategy takes, so that there is nothing to explain."""


def explained(certificate: CertificateText, most: int | None = None) -> Explained:
    """Return the argument of a certificate in a file, with at most so many lemmas, see `most_telling`.

    The checker is asked first. Raises RefusedCertificateError where it refuses, and GuesstreeError for what
    is not explained.
    """
    text = certificate.text.decode("ascii", "replace")
    kit = text.split(maxsplit=2)[:2] == [FORMAT, KIT]
    words = [] if kit else require_explained(text, certificate.path)
    verdict = judged(certificate)
    if not verdict.verified:
        if verdict.status == 1:
            raise RefusedCertificateError(verdict.line)
        raise GuesstreeError(f"{certificate.path} is not checked: {verdict.line.removeprefix('gtverify: ')}")
    if kit:
        return _explained_kit(text.split(maxsplit=10), certificate, most, verdict)
    game = game_of_certificate(words, certificate)
    goal, _, only = words[4].partition("-")
    problem = Problem(game, EXPECTED, goal=goal, candidates_only=bool(only))
    if words[5] != "-":
        first = game.guesses[list(certificate_names(problem)[0]).index(words[5])]
        problem = Problem(game, EXPECTED, goal=goal, candidates_only=bool(only), first=first)
    _require_same(problem, certificate, verdict)
    return _explained(problem, words, most, verdict.line, lies_of(certificate.text))


def _require_same(problem: Problem, certificate: CertificateText, verdict: Verdict) -> None:
    """Raise GuesstreeError unless the checker has read as many secrets and guesses."""
    seen = problem.secrets, len(problem.game.guesses)
    if verdict.seen != seen:
        raise GuesstreeError(f"{certificate.path}: the checker has read {verdict.seen}, and here are {seen}")


def _explained_kit(
    words: Sequence[str], certificate: CertificateText, most: int | None, verdict: Verdict
) -> KitExplanation:
    """Return the argument of a certificate of a kit that the checker has accepted."""
    _, _, lies, *named = words
    game: Game
    if named[0] == "table":
        game, costs, use, kinds = kit_table(file_of(named[2], certificate))
    else:
        game = game_of_certificate([FORMAT, *named], certificate)
        costs, use = [1] * len(game.guesses), [""] * len(game.guesses)
        kinds = [*map(str, range(len(game.secrets)))]
    problem = Problem(game, EXPECTED, goal="identify")
    _require_same(problem, certificate, verdict)
    bound = int(named[6])
    argument = KitArgument(problem, KitRules(int(lies), costs, use, kinds), bound, named[7].strip())
    shown = [*_first_of(argument.claims, most), argument.root]
    return KitExplanation(
        problem=problem,
        within=None,
        bound=bound,
        line=verdict.line,
        argument=argument,
        accounts=[(claim, argument.account(claim)) for claim in shown],
    )


def explained_game(
    game: Game, most: int | None = None, *, progress: Callable[[Progress], None] | None = None, **options: Any
) -> list[Explained]:
    """Return the arguments of the certificates that `prove` makes of a game: one, or of a pair two.

    `options`: those of `prove`. Raises GuesstreeError as it does, and for what is not explained.
    """
    limits: dict[str, Any] = {name: options[name] for name in ("goal", *LIMITS) if name in options}
    objective = parse_objective(options.get("objective", EXPECTED.name))
    problem = Problem(game, objective, **limits)
    certificate = prove(game, progress=progress, **options)
    solution = certificate.solution
    report = None if solution is None else check(game, solution.strategy)
    found, lies = list[Explained](), int(options.get("lies", 0))
    part: Certificate | None = certificate
    while part is not None:
        words = require_explained(part.text, game.spec)
        one = _explained(problem, words, most, part.line, lies)
        known = None if report is None or not report.valid else one.taken(report)
        found.append(replace(one, known=known))
        part = part.more
    return found


def explained_strategy(
    strategy: Tree,
    most: int | None = None,
    *,
    progress: Callable[[Progress], None] | None = None,
    time_limit: float | None = None,
) -> list[Explained]:
    """Return why nothing takes less than a strategy: the arguments of the certificates of its game.

    The goal, the objective and the limits are those that the strategy names. Raises NotOptimalError where
    less is proved than it takes, and GuesstreeError where it is not valid, or for what is not explained.
    """
    game, claims = strategy.game, strategy.claims
    report = check(game, strategy)
    if not report.valid:
        raise GuesstreeError(f"the strategy is not valid: {report.messages()[0]} (guesstree check says more)")
    limits = {name: claims.parameters[name] for name in LIMITS if name in claims.parameters}
    found = explained_game(
        game,
        most,
        progress=progress,
        objective=claims.objective or EXPECTED.name,
        goal=strategy.goal,
        time_limit=time_limit,
        lies=strategy.lies,
        **limits,
    )
    own = [replace(one, strategy=strategy, known=one.taken(report)) for one in found]
    for one in own:
        if not one.optimal:
            raise NotOptimalError(f"{_not_optimal(one)}, so it is not shown to be optimal")
    return own


def _not_optimal(found: Explained) -> str:
    """Return what a strategy takes, and that less is proved."""
    assert found.known is not None
    if isinstance(found, PricedExplanation) and found.lost:
        least, known = (_lost_in_words(found, value) for value in (found.bound or 0, found.known[0]))
        return f"the strategy loses {known}; what is proved is that a strategy loses at least {least}"
    total, worst = found.known_in_words
    room = found.figure_text("total" if found.off_in_all else "worst", found.off or 0)
    return (
        f"the strategy takes {total} in all and {worst} at worst; what is proved leaves room for {room} less"
    )


def _lost_in_words(found: PricedExplanation, value: int) -> str:
    """Return what is lost, and what the others then pay, of both as one number."""
    lost, *paid = divmod(value, found.argument.each_lost)[: len(found.lost)]
    return " and then pays ".join(map(found.game.figure_text, ("lost", "won"), [lost, *paid]))


def _explained(
    problem: Problem, words: Sequence[str], most: int | None, line: str, lies: int = 0
) -> Explained:
    within = None if words[6] == "-" else int(words[6])
    if lies:
        assert within is not None
        lying = LyingArgument(problem, lies, within, words[8].strip())
        return LyingExplanation(
            problem=problem,
            within=within,
            bound=None,
            line=line,
            lies=lies,
            argument=lying,
            accounts=list(lying.accounts(_first_of(lying.lemmas, most))),
        )
    lost = tuple(map(int, words[7].split(":")[1:]))  # of other bounds there is nothing behind a colon
    bound = None if words[7] == "inf" or lost else int(words[7])
    if words[1] == PRICED:
        priced = PricedArgument(problem, within, lost or bound, words[8].strip())
        bound = priced.root.bound if lost else bound
        return PricedExplanation(
            problem=problem,
            within=within,
            bound=bound,
            line=line,
            lost=lost,
            argument=priced,
            accounts=_some_added(list(priced.accounts(_first_of(priced.lemmas, most))), most),
        )
    if words[1] == NOISY:
        noisy = NoisyArgument(problem, within, bound, words[8].strip())
        return NoisyExplanation(
            problem=problem,
            within=within,
            bound=bound,
            line=line,
            argument=noisy,
            accounts=_few_added(noisy, most),
        )
    argument = Argument(problem, within, bound, words[8].strip())
    accounts = list(argument.accounts(most_telling(argument, most)))
    return Explanation(
        problem=problem, within=within, bound=bound, line=line, argument=argument, accounts=accounts
    )


def _some_added(
    accounts: Sequence[tuple[PricedLemma, PricedAccount]], most: int | None
) -> Sequence[tuple[PricedLemma, PricedAccount]]:
    """Return accounts with so many of the lemmas that were added, see `_first_of`."""
    added = [lemma for lemma, _ in accounts if lemma.number.isalpha()]
    added.sort(key=lambda lemma: (len(lemma.number), lemma.number))
    shown = {id(lemma) for lemma in _first_of(added, most)}
    return [pair for pair in accounts if not pair[0].number.isalpha() or id(pair[0]) in shown]


def _few_added(argument: NoisyArgument, most: int | None) -> Sequence[tuple[NoisyLemma, NoisyAccount]]:
    """Return accounts with so many lemmas of the certificate, and of those with letters; None: all of few."""
    wanted = _first_of(argument.lemmas, most)
    *lemmas, whole = argument.accounts(wanted, FEW if most is None else most)
    few = FEW if most is None and argument.added <= FEW else SOME if most is None else most
    return [*lemmas[: len(wanted) + few], whole]


def _first_of(lemmas: Sequence[L], most: int | None) -> Sequence[L]:
    """Return so many lemmas, those about first guesses before those inside them; None: all of few."""
    few = FEW if len(lemmas) <= FEW else SOME
    return sorted(lemmas, key=lambda lemma: lemma.number.count("."))[: few if most is None else most]


def most_telling(argument: Argument, most: int | None) -> list[Lemma]:
    """Return so many small sets and lemmas: first those about first guesses, by what they gain.

    Those that rename another one come last. None: all where they are few.
    """
    few = len(argument.lemmas) + len(argument.small) <= FEW
    some = most if most is not None else FEW if few else SOME
    deep = {id(lemma): lemma.number.count(".") for lemma in argument.lemmas}
    ordered = sorted(
        argument.lemmas, key=lambda lemma: (bool(lemma.way), deep[id(lemma)], -argument.gain(lemma))
    )
    return [*argument.small[:some], *ordered[:some]]


def require_explained(text: str, path: str) -> list[str]:
    """Return the first eight words of a certificate and its body, lies left out; raise GuesstreeError."""
    words = text.split(maxsplit=8)
    if len(words) > 1 and words[1] == LIES:
        words = [FORMAT, *text.split(maxsplit=10)[3:]]
    if len(words) < 9 or words[0] != FORMAT:
        raise GuesstreeError(f"{path} is no certificate; expected a file that guesstree prove has written")
    return words


def lies_of(text: bytes) -> int:
    """Return how many responses may be false, as a certificate says that was checked."""
    _, kind, lies = text.split(maxsplit=3)[:3]
    return int(lies) if kind == LIES.encode() else 0
