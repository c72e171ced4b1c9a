"""Leave out of a certificate what the checker does not need."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from guesstree.engine.errors import GuesstreeError
from guesstree.engine.proofs.items import EMPTY, RENAMED, body_of, inside, items_of, lemmas_in

from .certificate import CHECK_SECONDS, MOST_SECONDS, Certificate
from .verification import GUESSES, CertificateText, Claimed, Verdict, run_checker


@dataclass(eq=False)
class Part:
    """An item of a proof with those in its body; `out`: it is left out, and they with it.

    `body`: what its body begins with; ``""``: it has none.
    """

    words: str
    body: str
    parts: list[Part] = field(default_factory=list)
    out: bool = False

    @property
    def kept(self) -> list[str]:
        """The texts of what is in the body and not left out."""
        return [part.text for part in self.parts if not part.out]

    @property
    def text(self) -> str:
        """The item as a certificate has it."""
        if self.body.startswith(RENAMED):
            return f"{self.words} {self.body}"
        return f"{self.words} {body_of(self.kept)}" if self.body else self.words

    def inner(self) -> Iterator[Part]:
        """Yield what is in the body and not left out, the last first, each after what is in its own."""
        for part in reversed(self.parts):
            if not part.out:
                yield from part.inner()
                yield part


def parts_of(body: str, *, bounded: bool = True) -> Part:
    """Return the items of a body as those of one lemma; raise GuesstreeError for what is none.

    `bounded`: see `items_of`.
    """
    whole = Part("", EMPTY)
    around = [whole]
    for item in items_of(inside(body), bounded=bounded):
        if item.words[0] == ")":
            around.pop()
            continue
        part = Part(" ".join(item.words), item.body)
        around[-1].parts.append(part)
        if item.body == "(":
            around.append(part)
    return whole


def certificate_read(text: CertificateText, verdict: Verdict) -> Certificate:
    """Return a certificate that was read, and accepted with a verdict, as one that may be minimised.

    Raises GuesstreeError for one of a kit, whose items are no lemmas, and for what is not ASCII.
    """
    if not text.text.isascii():
        raise GuesstreeError(
            f"{text.path} has other letters than ASCII; expected none of them to minimise it"
        )
    claimed, lemmas = Claimed.read(text, verdict), GUESSES.search(verdict.line)
    if claimed.kit or lemmas is None:
        raise GuesstreeError(
            f"{text.path} is the certificate of a kit; expected one of strategies to minimise"
        )
    claim = verdict.line.removeprefix("verified: ").rpartition(" (")[0]
    return Certificate(
        text.text.decode("ascii"),
        text.files,
        claimed.bound,
        claimed.within,
        int(lemmas[2]),
        claim=claim,
    )


def minimised(certificate: Certificate) -> Certificate:
    """Return a certificate without items that the checker does not need: each that is left alone is needed.

    Many are left out at once first, then fewer, the inner ones before those around them (delta debugging:
    Zeller and Hildebrandt 2002). When the time is up, and at Ctrl-C, what was left out so far stays out.
    """
    if certificate.trusted:
        return certificate
    more = None if certificate.more is None else minimised(certificate.more)
    words, before = certificate.text.split(), (certificate.lemmas, len(certificate.text))
    if "(" not in words:
        return replace(certificate, more=more, before=before)
    opens = words.index("(")
    head = " ".join(words[:opens])
    whole = parts_of(" ".join(words[opens:]), bounded=words[1] != "lies")
    stopped = certificate.stopped
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "fewer.proof"
        for name, data in certificate.files.items():
            path.with_name(name).write_bytes(data)

        def accepted() -> bool:
            left = certificate.due - time.monotonic() - CHECK_SECONDS
            if left <= 0:
                raise TimeoutError
            path.write_text(f"{head} {body_of(whole.kept)}\n", encoding="ascii")
            return run_checker(path, None if left > MOST_SECONDS else left).verified

        try:
            leave_out(whole, accepted)
        except TimeoutError:
            pass
        except KeyboardInterrupt:
            stopped = "interrupt"
    proof = body_of(whole.kept)
    text = min(certificate.text, f"{head} {proof}\n", key=len)  # nothing may be left out of a terse one
    return replace(certificate, text=text, lemmas=lemmas_in(proof), more=more, stopped=stopped, before=before)


def leave_out(whole: Part, accepted: Callable[[], bool]) -> None:
    """Leave out parts as long as what is left is accepted; what raises, leaves what was accepted last."""
    size = max(1, len(list(whole.inner())) // 2)
    while True:
        parts, fewer = list(whole.inner()), False
        for at in range(0, len(parts), size):
            some = [part for part in parts[at : at + size] if not part.out]
            good = False
            try:
                for part in some:
                    part.out = True
                good = accepted()
            finally:
                if not good:
                    for part in some:
                        part.out = False
            fewer |= good
        if size == 1 and not fewer:
            return
        size = max(1, size // 2)
