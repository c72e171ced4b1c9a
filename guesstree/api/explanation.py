"""`Explanation`: the argument of a certificate, counted again from the game and the certificate alone."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from guesstree.api.certificate import Certificate, prove
from guesstree.api.verification import CertificateText, judged
from guesstree.engine.errors import GuesstreeError
from guesstree.engine.game import Game
from guesstree.engine.games.wordle import Mode, WordleGame
from guesstree.engine.objective import EXPECTED, parse_objective
from guesstree.engine.problem import Problem
from guesstree.engine.proofs.argument import Account, Argument, Lemma
from guesstree.engine.proofs.statement import CODES, FORMAT, certificate_names
from guesstree.engine.proofs.table import WIN
from guesstree.engine.registry import parse
from guesstree.engine.search.deadline import Progress
from guesstree.engine.tables.table import TableGame
from guesstree.trees.check import check

LATER = {"priced": "with costs, weights or a budget", "lies": "with false responses"}
LATER |= {"noisy": "of tests that may get several answers", "kit": "of questions that are planned beforehand"}
"""Certificates that are not explained yet."""
FEW, SOME = 24, 6
"""Of so many lemmas and small sets all are explained, of more some."""


class RefusedCertificateError(GuesstreeError):
    """The checker refuses the certificate, so that there is nothing to explain."""


@dataclass(frozen=True)
class Explanation:
    """Why a certificate is true.

    Attributes
    ----------
    problem: the game with its goal, and the first guess if one is fixed.
    within: the guesses allowed, or None.
    bound: at least what every strategy costs; None: there is none within the limit.
    argument: the claims of the certificate.
    accounts: those that are explained, with what shows them: lemmas, and last the whole.
    line: what the checker says of the certificate.
    best: what the best strategy takes that is known: its total, or where the bound is None its worst case.
    """

    problem: Problem
    within: int | None
    bound: int | None
    argument: Argument
    accounts: Sequence[tuple[Lemma, Account]]
    line: str
    best: int | None = None

    @property
    def game(self) -> Game:
        """The game."""
        return self.problem.game

    @property
    def whole(self) -> Account:
        """What shows the claim of the whole."""
        return self.accounts[-1][1]

    @property
    def optimal(self) -> bool:
        """Whether a strategy is known that takes no more than is proved."""
        if self.bound is None:
            return self.within is not None and self.best == self.within + 1
        return self.best == self.bound


def explained(certificate: CertificateText, most: int | None = None) -> Explanation:
    """Return the argument of a certificate in a file, with at most so many lemmas, see `most_telling`.

    The checker is asked first. Raises RefusedCertificateError where it refuses, and GuesstreeError for what
    is not explained.
    """
    words = require_explained(certificate.text.decode("ascii", "replace"), certificate.path)
    verdict = judged(certificate)
    if not verdict.verified:
        if verdict.status == 1:
            raise RefusedCertificateError(verdict.line)
        raise GuesstreeError(f"{certificate.path} is not checked: {verdict.line.removeprefix('gtverify: ')}")
    game = game_of_certificate(words, certificate)
    goal, _, only = words[4].partition("-")
    problem = Problem(game, EXPECTED, goal=goal, candidates_only=bool(only))
    if words[5] != "-":
        first = game.guesses[list(certificate_names(problem)[0]).index(words[5])]
        problem = Problem(game, EXPECTED, goal=goal, candidates_only=bool(only), first=first)
    seen = problem.secrets, len(problem.own)
    if verdict.seen != seen:
        raise GuesstreeError(f"{certificate.path}: the checker has read {verdict.seen}, and here are {seen}")
    return _explained(problem, words, most, verdict.line)


def explained_game(
    game: Game, most: int | None = None, *, progress: Callable[[Progress], None] | None = None, **options: Any
) -> list[Explanation]:
    """Return the arguments of the certificates that `prove` makes of a game: one, or of a pair two.

    `options`: those of `prove`. Raises GuesstreeError as it does, and for what is not explained.
    """
    limits: dict[str, Any] = {
        name: options[name] for name in ("goal", "first", "max_depth", "candidates_only") if name in options
    }
    problem = Problem(game, parse_objective(options.get("objective", EXPECTED.name)), **limits)
    if game.facts.noisy or problem.priced:
        raise GuesstreeError(not_yet(game.spec, "noisy" if game.facts.noisy else "priced"))
    certificate = prove(game, progress=progress, **options)
    solution = certificate.solution
    report = None if solution is None else check(game, solution.strategy)
    found = []
    part: Certificate | None = certificate
    while part is not None:
        words = require_explained(part.text, game.spec)
        best: Any = None
        if report is not None and report.valid:
            best = report.worst if part.bound is None else report.total
        found.append(_explained(problem, words, most, part.line, best))
        part = part.more
    return found


def _explained(
    problem: Problem, words: Sequence[str], most: int | None, line: str, best: int | None = None
) -> Explanation:
    within = None if words[6] == "-" else int(words[6])
    bound = None if words[7] == "inf" else int(words[7])
    argument = Argument(problem, within, bound, words[8].strip())
    accounts = list(argument.accounts(most_telling(argument, most)))
    return Explanation(problem, within, bound, argument, accounts, line, best)


def most_telling(argument: Argument, most: int | None) -> list[Lemma]:
    """Return so many small sets and lemmas: first those about first guesses, by what they gain.

    None: all where they are few.
    """
    few = len(argument.lemmas) + len(argument.small) <= FEW
    some = most if most is not None else FEW if few else SOME
    deep = {id(lemma): lemma.number.count(".") for lemma in argument.lemmas}
    ordered = sorted(argument.lemmas, key=lambda lemma: (deep[id(lemma)], -argument.gain(lemma)))
    return [*argument.small[:some], *ordered[:some]]


def not_yet(name: str, kind: str) -> str:
    """Return in words that certificates of a kind are not explained."""
    return f"{name}: certificates {LATER[kind]} are not explained yet; guesstree verify checks them"


def require_explained(text: str, path: str) -> list[str]:
    """Return the first eight words of a certificate and its body; raise GuesstreeError for another kind."""
    words = text.split(maxsplit=8)
    if len(words) > 1 and words[0] == FORMAT and words[1] in LATER:
        raise GuesstreeError(not_yet(path, words[1]))
    if len(words) < 9 or words[0] != FORMAT:
        raise GuesstreeError(f"{path} is no certificate; expected a file that guesstree prove has written")
    return words


def game_of_certificate(words: Sequence[str], certificate: CertificateText) -> Game:
    """Return the game that a certificate names; raise GuesstreeError where there is none."""
    kind, a, b = words[1:4]
    if kind in CODES.values():
        return parse(f"{kind}:{a}x{b}")
    missing = {name for name in (a, b) if "." in name} - set(certificate.files)
    if missing:
        raise GuesstreeError(f"{certificate.path} names {min(missing)}, which cannot be read beside it")
    texts = {name: data.decode("utf-8", "surrogateescape") for name, data in certificate.files.items()}
    if kind.partition("-")[0] == "wordle":
        answers, allowed = (texts[name].split() for name in (a, b))
        modes: dict[str, Mode] = {"hard": "hard", "ultra": "ultra"}
        return WordleGame("wordle", answers, allowed, mode=modes.get(kind.partition("-")[2], ""))
    (_, *secrets), *rows = csv.reader(io.StringIO(texts[b]))  # the checker takes plain tables alone
    guesses, cells = [row[0] for row in rows], [row[1:] for row in rows]
    return TableGame("table", guesses, secrets, cells, WIN if words[4].startswith("win") else None)
