"""What certificates prove: what the checkers say of them, and what they prove together with a strategy.

The *checkers* are programs of their own that come with the package, and know nothing of it. One is in C.
Where a game is small, a second one in Python, from the same text, has to say the same.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import zip_longest
from pathlib import Path

from guesstree.engine.errors import GuesstreeError, shown
from guesstree.engine.exact import Number, exact_text
from guesstree.engine.game import Game
from guesstree.engine.objective import (
    FIGURES,
    OBJECTIVES,
    WIN_PROBABILITY,
    WORST,
    parse_objective,
    usual_objective,
)
from guesstree.engine.problem import Problem
from guesstree.engine.proofs.statement import FORMAT, GameName, Goal, certificate_names, statement_of
from guesstree.engine.solution import gap
from guesstree.engine.support import lies_text, require
from guesstree.trees.check import Report
from guesstree.trees.export.output import read_whole
from guesstree.trees.figures import Costs
from guesstree.trees.tree import Tree, TreeError

LIES, KIT = "lies", "kit"
"""The words before the number of responses that may be false: of a strategy, and of a kit."""
NO_VERDICT = 3
"""The status of a check that came to no end."""
FOLDER = Path(__file__).parents[1] / "verify"
"""Where the sources of the checkers are, and where the build puts the programs."""
MOST_BYTES = 1 << 31
"""The largest certificate, and the largest file that it names."""
MOST_TWICE, MOST_PRICED_TWICE, MOST_NOISY_TWICE = 1 << 19, 1 << 9, 1 << 6
"""A second program checks what has at most so many responses, counted for each lemma and the whole: seconds.

With costs it searches all sets of ten secrets, with odds it looks as far ahead as is said.
"""
SECONDS_TWICE = 10
"""What takes it longer is left to the first program."""
UNIT = re.compile(r"costs at least \d+ / (\d+)")
SECRETS, GUESSES = re.compile(r"\b(\d+) secrets?\b"), re.compile(r"\((\d+) guess(?:es)?, (\d+) lemmas?\)$")


@dataclass(frozen=True)
class CertificateText:
    """A certificate and the files that it names, as they were read: once, for all that is said of them.

    Attributes
    ----------
    path: where it is.
    text: what it holds.
    files: what the files hold that are beside it, by the names that it has for them.
    """

    path: str
    text: bytes
    files: Mapping[str, bytes]

    @property
    def words(self) -> list[str]:
        """The first line up to the bound; fewer words where it is no certificate."""
        return words_of(self.text)


@dataclass(frozen=True)
class Verdict:
    """What the checker says of a certificate.

    Attributes
    ----------
    status: 0: it is proved. 1: it is refused. 2: a file cannot be read. `NO_VERDICT`: the checker was killed,
        or had not the time.
    line: what the checker printed; without a verdict, why there is none.
    programs: which have checked it.
    contradiction: whether one accepts what another refuses.
    """

    status: int
    line: str
    programs: tuple[str, ...] = ()
    contradiction: bool = False

    @property
    def verified(self) -> bool:
        """Whether what the certificate says is proved."""
        return self.status == 0

    @property
    def seen(self) -> tuple[int, int]:
        """How many secrets and guesses the checker has read; raise GuesstreeError where it does not say."""
        secrets, guesses = SECRETS.search(self.line), GUESSES.search(self.line)
        if secrets is None or guesses is None:
            raise GuesstreeError(f"{self.line!r}: the checker is not that of this version; build it again")
        return int(secrets[1]), int(guesses[1])

    @property
    def work(self) -> int:
        """How many responses were to be looked at, once for each lemma and once for the whole."""
        lemmas = GUESSES.search(self.line)
        secrets, guesses = self.seen
        return secrets * guesses * (1 + int(lemmas[2] if lemmas else 0))


def words_of(text: bytes) -> list[str]:
    """Return the first words of a certificate."""
    return [word.decode("ascii", "replace") for word in text.split(maxsplit=10)[:10]]


def files_named(text: bytes) -> list[str]:
    """Return the names of the files that a certificate is about."""
    _, *words = words_of(text) or [""]
    kind, *names = (words[2:5] if words[:1] in ([LIES], [KIT]) else words[:3]) or [""]
    return (
        names
        if kind.partition("-")[0] == "wordle"
        else names[1:]
        if kind in ("table", "priced", "noisy")
        else []
    )


def read_certificate(path: str) -> CertificateText:
    """Return a certificate, with the files that it names as far as they are there.

    Raises GuesstreeError where it cannot be read.
    """
    try:
        text = read_whole(path, MOST_BYTES, FORMAT.encode())  # of what is none, the checker says so
    except TreeError as error:
        raise GuesstreeError(f"{path}: {error}") from None
    files = {}
    for name in files_named(text):
        if Path(name).name == name:
            with suppress(TreeError):  # what is not there is for the checker to say, if it is no file
                files[name] = read_whole(Path(path).with_name(name), MOST_BYTES)
    return CertificateText(path, text, files)


def judged(certificate: CertificateText) -> Verdict:
    """Return what the checker says of a certificate, and where that is small, a second one.

    Both read the same copy. The status is 1 where they do not agree.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / Path(certificate.path).name
        for name, data in certificate.files.items():
            path.with_name(name).write_bytes(data)
        path.write_bytes(certificate.text)
        first = run_checker(path)
        verdict = twice_checked(path, first) if first.verified else first
    beside = certificate.path[: certificate.path.rindex(path.name)]
    return replace(verdict, line=verdict.line.replace(f"{folder}/", beside))


def twice_checked(path: Path, first: Verdict) -> Verdict:
    """Return a verdict with that of a second program, if what the first accepts is small enough for it."""
    program = checker_for(path)
    most = {"gtpriced": MOST_PRICED_TWICE, "gtnoisy": MOST_NOISY_TWICE}.get(program.name, MOST_TWICE)
    if not sys.executable or first.work > most or program.suffix == ".py":
        return first
    twin = program.with_name(program.name.removeprefix("gt")).with_suffix(".py")
    try:
        done = subprocess.run(
            [sys.executable, "-I", twin, path],
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=SECONDS_TWICE,
        )
    except subprocess.TimeoutExpired:
        return first
    if done.returncode < 0:  # it was killed, and says nothing
        return first
    if done.returncode:
        said = "".join(done.stderr.splitlines()[-1:])
        line = f"{program.name} accepts what {twin.name} does not, so one is wrong: {said}"
        return Verdict(1, line, (program.name, twin.name), contradiction=True)
    return replace(first, programs=(program.name, twin.name))


def checker_for(path: str | os.PathLike[str]) -> Path:
    """Return the program that checks a certificate: most kinds of games have the same.

    Kits have one in Python. Raises GuesstreeError where it is not built.
    """
    try:
        with Path(path).open("rb") as file:
            head = file.read(64).split()
    except (OSError, ValueError):  # for the checker to say
        head = []
    kind = b"".join(head[1:2]).decode("ascii", "replace")
    if kind == KIT:
        return FOLDER / "kit.py"
    source = FOLDER / (f"{kind}.c" if kind in ("priced", "lies", "noisy") else "verify.c")
    program = FOLDER / f"gt{source.stem}"
    if not program.is_file():
        raise GuesstreeError(f"the checker is not built; compile it: cc -O3 {source} -o {program}")
    return program


def run_checker(path: str | os.PathLike[str], seconds: float | None = None) -> Verdict:
    """Return what the checker says of a certificate; the files that it names lie beside it.

    `seconds`: how long it may take; None: any time.
    """
    program = checker_for(path)
    if program.suffix == ".py" and not sys.executable:
        raise GuesstreeError(f"no Python was found to check {str(path)!r} with; run {program} yourself")
    run = [sys.executable, "-I", program] if program.suffix == ".py" else [program]
    try:
        done = subprocess.run(
            [*run, path], capture_output=True, text=True, errors="replace", check=False, timeout=seconds
        )
    except subprocess.TimeoutExpired:
        return Verdict(NO_VERDICT, "the time is up")
    except ValueError as error:  # a null byte in the path
        raise GuesstreeError(f"cannot read {str(path)!r}: {error}") from None
    if done.returncode < 0:
        return Verdict(NO_VERDICT, f"the checker was killed by signal {-done.returncode}")
    line = " ".join((done.stdout if done.returncode == 0 else done.stderr).split())
    status = done.returncode if done.returncode in (0, 1) else 2
    line = line or f"{path}: the checker ended with status {done.returncode}"
    return Verdict(status, line, (program.name,))


MOST_SHOWN = 12

NOTHING, CONTRADICTION, BOUND, GAP, VALUE = WORST_FIRST = (
    "not proved",
    "contradiction",
    "bound",
    "gap",
    "optimum",
)


@dataclass(frozen=True)
class Proved:
    """What is proved: one of `WORST_FIRST`, and in words."""

    what: str
    text: str


@dataclass(frozen=True)
class Claimed:
    """The first line of a certificate, read.

    Attributes
    ----------
    path: the file.
    game: KIND A B, with the files that it names.
    goal, first: as they stand there.
    within: the guesses allowed, or what a secret may pay; None: any number.
    bound: at least what every strategy costs, see `statement.Goal`.
    seen: how many secrets and guesses the checker has read.
    lies: how many responses may be false.
    kit: whether it is about kits, not strategies.
    unit: by what the checker divides the bound, where tests may get several answers.
    """

    path: str
    game: GameName
    goal: str
    first: str
    within: int | None
    bound: Goal
    seen: tuple[int, int]
    lies: int = 0
    kit: bool = False
    unit: int = 1

    @classmethod
    def read(cls, certificate: CertificateText, verdict: Verdict) -> Claimed:
        """Return what a certificate says that a checker has accepted."""
        _, *words = certificate.words
        lies, kit = 0, words[0] == KIT
        if kit or words[0] == LIES:
            lies = int(words[1])
            del words[:2]
        goal, first, within, cost = words[3:7]
        limit, lost, numbers = None if within == "-" else int(within), *cost.rpartition("lost:")[1:]
        bound = None if cost == "inf" else tuple(map(int, numbers.split(":"))) if lost else int(cost)
        game = GameName(" ".join(words[:3]), certificate.files)
        unit = UNIT.search(verdict.line)
        return cls(
            certificate.path,
            game,
            goal,
            first,
            limit,
            bound,
            verdict.seen,
            lies,
            kit,
            1 if unit is None else int(unit[1]),
        )

    @property
    def priced(self) -> bool:
        """Whether it counts what is paid."""
        return self.game.words.startswith("priced ")

    @property
    def noisy(self) -> bool:
        """Whether tests may get several answers, or a path may end otherwise."""
        return self.game.words.startswith("noisy ")

    @property
    def limit(self) -> str:
        """What the strategies may do, in words."""
        unit = "" if self.priced or self.noisy else " guesses"
        return ("" if self.within is None else f" within {self.within}{unit}") + self.those

    @property
    def those(self) -> str:
        """Which strategies it is about, in words; empty: all."""
        first = "" if self.first == "-" else f" after {self.first}"
        return first + (" asking candidates only" if "-" in self.goal else "")

    @property
    def subject(self) -> str:
        """The game and the goal, with hashes cut short."""
        words = self.game.words.split()
        words = words[:2] if words[0] in ("table", "priced", "noisy") else words
        game = " ".join(map(cut, words))
        goal = "planned beforehand" if self.kit else self.goal.partition("-")[0]
        return f"{game}, {goal}" + (f", {lies_text(self.lies)}" if self.lies else "")

    @property
    def alone(self) -> str:
        """What it says in words, without a strategy."""
        if self.bound is None:
            return f"no strategy settles all secrets{self.limit}"
        if isinstance(self.bound, tuple):
            return f"at least {lost_text(self.bound)}{self.limit}"
        if self.kit:
            return f"questions cost at least {self.bound}"
        unit = f" / {self.unit}" if self.unit > 1 else ""
        return f"at least {self.bound}{unit} in total{self.limit}"

    def require_game(self, strategy: Tree) -> None:
        """Raise GuesstreeError unless a strategy is of what the certificate is about."""
        what = self._other(strategy.game, strategy)
        if what:
            raise GuesstreeError(
                f"{self.path!r} is a certificate of {what}; expected one of what the strategy is of "
                "(`guesstree prove` makes it again)"
            )

    def _other(self, game: Game, strategy: Tree) -> str:
        """Return in words what else the certificate is about than a strategy; empty: it is about that.

        Raises GuesstreeError for a strategy of a game that certificates do not cover.
        """
        if self.kit:
            return "a kit, not of strategies"
        goal, _, only = self.goal.partition("-")
        if goal != strategy.goal:
            return f"the goal {goal}, not {strategy.goal}"
        if self.lies != strategy.lies:
            return f"a game with {lies_text(self.lies)}, not {lies_text(strategy.lies)}"
        problem = self._problem(game, candidates_only=bool(only))
        own = statement_of(problem).game
        if own.content != self.game.content:
            return f"{self.subject}, not {game.spec}{where_others(self.game, own)}"
        root = int(strategy.guess[0])
        name = "nothing" if root < 0 else str(root + 1) if self.noisy else certificate_names(problem)[0][root]
        if self.first not in ("-", name):
            return f"strategies that begin with {self.first}, not {name}"
        if only and not asks_candidates_only(game, strategy):
            return "strategies that ask candidates only, which this one does not"
        seen = problem.secrets, len(problem.own)
        if self.seen != seen:
            return f"{self.seen[0]} secrets and {self.seen[1]} guesses, as the checker read it, not {seen}"
        return ""

    def _problem(self, game: Game, *, candidates_only: bool) -> Problem:
        """Return what the certificate says of a game; raise GuesstreeError where `prove` does."""
        budget = self.within if isinstance(self.bound, tuple) else None
        objective = parse_objective(usual_objective(budget))
        goal = self.goal.partition("-")[0]
        problem = Problem(game, objective, goal=goal, budget=budget, candidates_only=candidates_only)
        said = WORST.name if self.lies or (self.noisy and self.within is not None) else objective.name
        require(replace(problem.asked, objective=said, certificate=True, lies=self.lies))
        return problem

    def beside(self, report: Report, game: Game) -> Proved:
        """Return what the certificate and a strategy of a game prove together."""
        assert report.total is not None and report.worst is not None
        total, worst, costs = report.total, report.worst, report.costs
        if self.noisy:
            return self._beside_noisy(report, game)
        if self.priced and costs is not None:
            total, worst = costs.total, costs.worst
        if isinstance(self.bound, tuple):
            return self._beside_lost(self.bound, costs)
        if self.within is None or worst <= self.within:
            if self.bound is None or total < self.bound:
                takes = f"up to {worst}" if self.bound is None else f"{total} within {worst}"
                text = f"but the strategy takes {takes}: one is wrong"
                return Proved(CONTRADICTION, f"{self.path} says: {self.alone}, {text}")
            if total == self.bound:
                return Proved(VALUE, f"the least total{self.limit} is {total}")
            return Proved(
                GAP, f"the least total{self.limit} is {self.bound} to {total}, {apart(self.bound, total)}"
            )
        least = self.within + 1
        if self.bound is not None and total >= self.bound:
            return Proved(BOUND, f"{self.alone}; the strategy takes up to {worst}")
        below = "" if self.bound is None else f" with a total below {self.bound}"
        what = f"worst case{self.those}{below}"
        if worst == least:
            return Proved(VALUE, f"the least {what} is {worst}")
        return Proved(GAP, f"the least {what} is {least} to {worst}, {apart(least, worst)}")

    def _beside_noisy(self, report: Report, game: Game) -> Proved:
        """Return what is proved of tests that may get several answers, in the numbers that readers see."""
        statement, figures = statement_of(self._problem(game, candidates_only=False)), report.costs or report
        if self.within is None:
            assert isinstance(self.bound, int)
            what, least, takes = "total", Fraction(self.bound, statement.scale), figures.total
        else:
            what, least, takes = "worst case", Fraction(self.within + 1, statement.coin), figures.worst
        assert takes is not None
        unit = game.figure_unit("total" if self.within is None else "worst")
        lower, upper = (exact_text(Fraction(value) * unit) for value in (least, takes))
        what = f"the least {what}{self.those}"
        if takes < least:
            return Proved(
                CONTRADICTION,
                f"{self.path} says: {what} is at least {lower}, but the strategy takes {upper}: one is wrong",
            )
        if takes == least:
            return Proved(VALUE, f"{what} is {upper}")
        return Proved(GAP, f"{what} is {lower} to {upper}, {apart(least, takes)}")

    def _beside_lost(self, bound: tuple[int, ...], costs: Costs | None) -> Proved:
        """Return what is proved of what is lost within a budget, and then paid."""
        if costs is None or costs.budget != self.within:
            return Proved(BOUND, f"{self.alone}; the strategy is for another budget")
        found = costs.value(WIN_PROBABILITY.name)
        assert found is not None
        takes = found[: len(bound)]
        if takes < bound:
            text = f"but with the strategy {lost_text(takes)}: one is wrong"
            return Proved(CONTRADICTION, f"{self.path} says: {self.alone}, {text}")
        if takes == bound:
            return Proved(VALUE, f"the least{self.limit} is {lost_text(takes)}")
        return Proved(GAP, f"the least{self.limit} is {lost_text(bound)} to {lost_text(takes)}")


def lost_text(bound: tuple[int, ...]) -> str:
    """Return in words what is lost, and then paid by the others."""
    return f"a weight of {bound[0]} lost" + (f", {bound[1]} paid by the others" if bound[1:] else "")


def apart(lower: Number, upper: Number) -> str:
    """Return the gap between two bounds in words."""
    found = gap(lower, upper)
    return "however far" if found is None else f"gap {100 * found:.3f}%"


def where_others(found: GameName, due: GameName) -> str:
    """Return where the files of two games begin to differ, to be said behind their names; empty: nowhere."""
    for name, other in zip(found.words.split(), due.words.split(), strict=False):
        lines = [data.split(b"\n") for data in (found.files.get(name), due.files.get(other)) if data]
        for at, pair in enumerate(zip_longest(*lines, fillvalue=b""), 1):
            if len(set(pair)) > 1:
                said, own = (shown(line.decode(errors="replace")) for line in pair)
                return f": line {at} of {cut(name)} is {said}, and there it is {own}"
    return ""


def cut(word: str) -> str:
    """Return a word, the beginning of it where it is as long as a hash."""
    return word if len(word) <= MOST_SHOWN else f"{word[:MOST_SHOWN]}..."


def asks_candidates_only(game: Game, strategy: Tree) -> bool:
    """Return whether every guess of a valid strategy names a secret that is still possible."""
    if strategy.goal == "win":
        return bool((strategy.secret >= 0).all())
    own, leaf = game.own(), {int(s): node for node, s in enumerate(strategy.secret.tolist()) if s >= 0}
    for node, guess in enumerate(strategy.guess.tolist()):
        if guess >= 0 and (own[guess] < 0 or node not in strategy.path(leaf[int(own[guess])])):
            return False
    return True


def proved(claims: Sequence[Claimed], strategy: Tree | None = None, report: Report | None = None) -> Proved:
    """Return what certificates prove, and a strategy with them, if there is a valid one.

    Raises GuesstreeError for certificates of anything else than the strategy.
    """
    if strategy is None or report is None:
        return Proved(BOUND, in_words(claims, [claim.alone for claim in claims]))
    for claim in claims:
        claim.require_game(strategy)
    found = [claim.beside(report, strategy.game) for claim in claims]
    least = next(what for what in WORST_FIRST if any(one.what == what for one in found))
    return Proved(least, in_words(claims, [one.text for one in found]))


def in_words(claims: Sequence[Claimed], texts: Sequence[str]) -> str:
    """Return in a line what is said of certificates, each with its subject unless that is as before."""
    subjects = [claim.subject for claim in claims]
    named = zip(["", *subjects], subjects, texts, strict=False)
    return "; ".join(text if before == subject else f"{subject}: {text}" for before, subject, text in named)


def unit_text(game: Game, objective: str) -> str:
    """Return what 1 stands for in a certificate, which counts in integers; empty where it is 1 throughout.

    A total counts costs times weights, and a worst case costs alone.
    """
    figures = [FIGURES[name] for name in OBJECTIVES[objective].figures]
    units = [game.figure_unit(figure.name) for figure in figures]
    if all(unit == 1 for unit in units):
        return ""
    said = [
        game.look.paid(exact_text(unit)) if figure.costs else f"a weight of {exact_text(unit)}"
        for figure, unit in zip(figures, units, strict=True)
    ]
    if len(set(said)) == 1:
        return f"1 in the certificate is {said[0]} here"
    each = [f"{one} in the {figure.phase}" for one, figure in zip(said, figures, strict=True)]
    return f"1 in the certificate is here {' and '.join(each)}"
