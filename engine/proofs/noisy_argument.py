"""A certificate of tests that may get several answers as an argument: why each test costs what is claimed.

As `argument`, of the lemmas of verify/NOISY.md: what a state costs by counting (N4), one test ahead (N5), and
by lemmas. The checker looks further ahead by itself; here each step of that is a lemma of its own, with
letters, so that a reader can follow it. Such a lemma rests on counting and on lemmas of its kind alone, after
more tests, so that none rests on itself. All numbers are those of the certificate.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ..errors import GuesstreeError
from ..problem import Problem
from .items import EMPTY, ProofItem, inside
from .nested import proved_before, read_nested
from .noisy_bounds import Counted, NoisyBounds, NoisyLook, NoisyState, TooFar, joined
from .priced_argument import letters

MOST_CELLS = 1 << 16
"""Tests times causes of a table that is explained: each test is tried."""
Path = tuple[tuple[int, int], ...]
"""Tests, each with an answer."""


@dataclass(eq=False)
class NoisyLemma:
    """A state costs at least a bound.

    Attributes
    ----------
    number: its place in the certificate, such as ``2.1``, or letters for what the checker finds by looking
        ahead; empty: the claim of the whole.
    ahead: how many tests the checker looks ahead in the states after the next test.
    inside: lemmas of its own proof.
    """

    number: str
    state: NoisyState
    bound: int
    ahead: int = 1
    path: Path = ()
    inside: list[NoisyLemma] = field(default_factory=list)


@dataclass
class NoisyPart:
    """A state after an answer, and at least what it costs: counted, one test ahead, and by a lemma."""

    answer: int
    state: NoisyState
    counted: int
    ahead: int
    known: int
    look: NoisyLook | None = None
    lemma: str = ""


@dataclass
class NoisyTest:
    """A test that is asked first, what is paid for it, and the states after its answers that go on.

    Attributes
    ----------
    worst: whether the dearest of the states counts, not all.
    checked: whether it is not written down what it costs: the checker has looked too far ahead for that.
    """

    test: int
    paid: int
    parts: list[NoisyPart]
    worst: bool
    checked: bool = False

    def joined(self, bounds: Sequence[int]) -> int:
        """Return at least what the test costs with these bounds of the states after it."""
        return joined(self.paid, bounds, worst=self.worst)

    @property
    def counted(self) -> int:
        """At least what it costs by counting."""
        return self.joined([part.counted for part in self.parts])

    @property
    def ahead(self) -> int:
        """At least what it costs one test ahead."""
        return self.joined([part.ahead for part in self.parts])

    @property
    def known(self) -> int:
        """At least what it costs with lemmas."""
        return self.joined([part.known for part in self.parts])


@dataclass(frozen=True)
class NoisyAccount:
    """Why a claim is true, test by test.

    Attributes
    ----------
    counted: what counting says of the state itself.
    same: the lemma of the same state that says so much; empty: there is none.
    useless, waiting: how many tests are not useful, or have to wait for others.
    tests: the others, those first that cost least by counting; empty if counting is enough, or a lemma.
    """

    counted: Counted
    same: str
    useless: int
    waiting: int
    tests: list[NoisyTest]


class NoisyArgument:
    """The claims of a certificate of tests that may get several answers, and why they are true.

    Parameters
    ----------
    problem: the game and the first test of the certificate.
    within, bound: the claim, in its numbers; one of them is None. `within`: in every strategy something that
        may happen costs more.
    body: what it says of the proof.

    Attributes
    ----------
    root: the claim of the whole.
    bounds: what states cost at least, without lemmas.
    lemmas: all lemmas of the certificate.
    own: those with letters.

    Raises GuesstreeError for a game that is too large, and a body that does not fit it.
    """

    def __init__(self, problem: Problem, within: int | None, bound: int | None, body: str) -> None:
        game, model = problem.game, problem.game.model
        assert model is not None
        cells = len(game.guesses) * len(game.secrets)
        if cells > MOST_CELLS:
            raise GuesstreeError(
                f"{game.spec}: {cells} cells; tests that may get several answers are explained up to "
                f"{MOST_CELLS}"
            )
        self.problem = problem
        self.bounds = NoisyBounds(model, worst=bound is None)
        self.tests = self.bounds.tests
        self.number = {label: answer for answer, label in enumerate(game.responses)}
        self.memory: dict[NoisyState, NoisyLemma] = {}
        self.own: dict[NoisyState, NoisyLemma] = {}
        self.added = 0
        self.waiting: list[NoisyLemma] = []
        self.lemmas: list[NoisyLemma] = []
        least = self.bounds.claimed((within or 0) + 1 if bound is None else bound)
        self.root = NoisyLemma("", self.bounds.root, least, _ahead(body))
        items = "" if body.isdecimal() else inside(body)
        read_nested(_items_of(items), self.root, self._read)

    def _read(self, item: ProofItem, above: NoisyLemma) -> NoisyLemma:
        """Take a lemma that stands inside a claim, and return it."""
        test, answer, bound = item.words
        number = self.number.get(answer, -1)
        known = int(test) - 1 in self.tests
        after = {part.answer: part.state for part in self._parts(above.state, int(test) - 1)} if known else {}
        if number not in after:
            raise GuesstreeError(f"{' '.join(item.words)[:40]!r} is no lemma about what an answer leaves")
        place = f"{above.number}.{len(above.inside) + 1}".removeprefix(".")
        path = (*above.path, (int(test) - 1, number))
        lemma = NoisyLemma(place, after[number], self.bounds.claimed(int(bound)), _ahead(item.body), path)
        above.inside.append(lemma)
        self.lemmas.append(lemma)
        return lemma

    # -- from the first claim to the last ------------------------------------------------------------------

    def accounts(self, wanted: Sequence[NoisyLemma], most: int) -> Iterator[tuple[NoisyLemma, NoisyAccount]]:
        """Yield some claims with why they are true: some of the certificate, `most` with letters, the whole.

        Those with letters come in the order in which they are needed.
        """
        some = {id(lemma) for lemma in wanted}
        for lemma in proved_before(self.root):
            if id(lemma) in some:
                yield lemma, self.account(lemma)
            known = self.memory.get(lemma.state)
            if known is None or known.bound < lemma.bound:
                self.memory[lemma.state] = lemma
        whole = self.account(self.root)
        self.memory = {}  # those with letters rest on none of the certificate
        for _ in range(most):
            if not self.waiting:
                break
            lemma = self.waiting.pop(0)
            yield lemma, self.account(lemma)
        yield self.root, whole

    def account(self, lemma: NoisyLemma) -> NoisyAccount:
        """Return why a claim is true, given all that is remembered; lemmas may be added to `own`."""
        state, counted = lemma.state, self.bounds.counted(lemma.state)
        first = self.problem.first if lemma is self.root else None
        known = self.memory.get(state)
        useful = self.bounds.useful(state)
        tests = self.bounds.askable(state) if first is None else [first]
        useless, waiting = len(self.tests) - useful.bit_count(), useful.bit_count() - len(tests)
        if first is not None:
            useless = waiting = 0
        elif counted.bound >= lemma.bound or (known is not None and known.bound >= lemma.bound):
            same = known.number if known is not None and counted.bound < lemma.bound else ""
            return NoisyAccount(counted, same, useless, waiting, [])
        shown = [self._shown(lemma, test) for test in tests]
        shown.sort(key=lambda one: (one.counted, one.test))
        return NoisyAccount(counted, "", useless, waiting, shown)

    def _parts(self, state: NoisyState, test: int) -> list[NoisyPart]:
        """Return the states after a test, those first that weigh most, with what counting says."""
        parts = []
        for answer, after in self.bounds.after(state, test):
            bound = self.bounds.counted(after).bound
            parts.append(NoisyPart(answer, after, bound, bound, bound))
        return sorted(
            parts, key=lambda part: (-self.bounds.mass(part.state), -len(part.state.masses), part.answer)
        )

    def _shown(self, lemma: NoisyLemma, test: int) -> NoisyTest:
        """Return what a test costs, by no more than is needed; raise GuesstreeError where that fails."""
        parts = self._parts(lemma.state, test)
        shown = NoisyTest(test, self.bounds.paid(lemma.state, test), parts, self.bounds.worst)
        for how in (self._by_look, self._by_lemma):
            for part in parts:
                if shown.known < lemma.bound:
                    try:
                        how(lemma, shown, part)
                    except TooFar:
                        shown.checked = True
        shown.checked &= shown.known < lemma.bound
        if shown.known < lemma.bound and not shown.checked:
            raise GuesstreeError(
                f"{self.problem.game.spec}: what is shown of {self.problem.game.guesses[test]!r} is less "
                "than is claimed: the checker knows more than can be explained here"
            )
        return shown

    def _by_look(self, lemma: NoisyLemma, shown: NoisyTest, part: NoisyPart) -> None:  # noqa: ARG002
        """Say of a state what it costs one test ahead."""
        ahead, look = self.bounds.look(part.state)
        if ahead > part.counted:
            part.ahead = part.known = ahead
            part.look = look

    def _by_lemma(self, lemma: NoisyLemma, shown: NoisyTest, part: NoisyPart) -> None:
        """Say of a state what a lemma does, of the certificate or one with letters."""
        known = self.memory.get(part.state)
        if known is not None and known.bound > part.known:
            part.known, part.lemma = known.bound, known.number
        if lemma.ahead < 2 or shown.known >= lemma.bound:
            return
        need = self.bounds.need(shown.paid, shown.known, part.known, lemma.bound)
        found = min(need, self.bounds.cost(part.state, lemma.ahead, need))
        if found <= part.known:
            return
        path, ahead = (*lemma.path, (shown.test, part.answer)), self.bounds.further(lemma.ahead)
        one = self.own.get(part.state)
        if one is None or one.ahead < ahead or (one.bound < found and one not in self.waiting):
            one = NoisyLemma(letters(self.added), part.state, found, ahead, path)
            self.added += 1
            self.own[part.state] = one
            self.waiting.append(one)
        one.bound = max(one.bound, found)
        part.known, part.lemma = found, one.number


def _items_of(text: str) -> Iterator[ProofItem]:
    """Yield the lemmas of a body: TEST ANSWER BOUND, with their own body; raise GuesstreeError for others."""
    tokens = iter(text.split())
    for token in tokens:
        if token == ")":
            yield ProofItem((token,))
            continue
        words = token, next(tokens, ""), next(tokens, "")
        body = next(tokens, "")
        if not (token.isdecimal() and words[2].isdecimal() and (body in (EMPTY, "(") or body.isdecimal())):
            raise GuesstreeError(f"{' '.join((*words, body))[:40]!r} is no lemma")
        yield ProofItem(words, body)


def _ahead(body: str) -> int:
    """Return how many tests the checker looks ahead behind each test of a claim with this body."""
    return int(body) if body.isdecimal() else 1
