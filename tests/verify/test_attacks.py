"""No wrong certificate is accepted by either checker, and none crashes the one in C: thousands are tried."""

import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
import slow_checker
from attacks import ATTACKS, Wrong, some_wrong
from fast_checker import SANITIZED, built, judged

EACH, FEW = 180, 30
"""Wrong certificates of each kind, in all and for quick feedback."""


@pytest.fixture(scope="module")
def checkers() -> list[str]:
    """Build the checker as its README says, and so that it ends at the first wrong read or write."""
    return [built(*how) for how in (["-O3"], SANITIZED)]


def wrongs(folder: Path, attack: Callable[[Wrong], str | bytes | None]) -> Iterator[str | bytes]:
    """Yield wrong certificates of many games."""
    chance = random.Random(attack.__name__)
    while True:
        wrong = some_wrong(folder, chance)
        yield from filter(None, [attack(wrong) for _ in range(6)])


@pytest.mark.parametrize("each", [FEW, pytest.param(EACH, marks=pytest.mark.long)])
@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.__name__)
def test_no_attack_succeeds(
    checkers: list[str], tmp_path: Path, attack: Callable[[Wrong], str | bytes | None], each: int
) -> None:
    texts = [text for text, _ in zip(wrongs(tmp_path, attack), range(each), strict=False)]
    for checker in checkers:
        for text, why in zip(texts, judged(checker, tmp_path, *texts), strict=True):
            assert why, text
    for text in texts[::4]:
        with suppress(OSError):  # a file is not there
            assert slow_checker.judged(tmp_path, text), text


def test_there_are_thousands() -> None:
    assert EACH * len(ATTACKS) >= 2_000


def test_what_is_spoiled_was_accepted(checkers: list[str], tmp_path: Path) -> None:
    chance = random.Random(1)
    true = [(wrong := some_wrong(tmp_path, chance)).text(wrong.items) for _ in range(30)]
    for checker in checkers:
        assert judged(checker, tmp_path, *true) == [""] * len(true)
    assert not any(slow_checker.judged(tmp_path, text) for text in true)
