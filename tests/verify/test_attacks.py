"""No wrong certificate is accepted by any checker, and none crashes one in C: thousands are tried."""

import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import slow_checker
from attacks import ATTACKS, HARD_ATTACKS, PRICED_ATTACKS, some_hard_wrong, some_priced_wrong, some_wrong
from fast_checker import SANITIZED, built, judged

EACH, FEW = 180, 12
"""Wrong certificates of each kind, in all and for quick feedback."""
Attack = Callable[[Any], str | bytes | None]
KINDS: dict[str, Any] = {"verify": ATTACKS, "hard": HARD_ATTACKS, "priced": PRICED_ATTACKS}
SOME: dict[str, Any] = {"verify": some_wrong, "hard": some_hard_wrong, "priced": some_priced_wrong}
EVERY: list[tuple[str, Attack]] = [(kind, attack) for kind, those in KINDS.items() for attack in those]


@pytest.fixture(scope="module")
def checkers() -> dict[str, list[str]]:
    """Build the checkers as their README says, and so that they end at the first wrong read or write.

    Of games with costs, sets are searched to the end only where they are very small.
    """
    priced = [built(*how, "-DSMALL=1", name="priced") for how in (["-O3"], SANITIZED)]
    plain = [built(*how) for how in (["-O3"], SANITIZED)]
    return {"verify": plain, "hard": plain, "priced": priced}


def wrongs(folder: Path, kind: str, attack: Attack) -> Iterator[str | bytes]:
    """Yield wrong certificates of many games."""
    chance = random.Random(attack.__name__)
    while True:
        wrong = SOME[kind](folder, chance)
        yield from filter(None, [attack(wrong) for _ in range(6)])


@pytest.mark.parametrize("each", [FEW, pytest.param(EACH, marks=pytest.mark.long)])
@pytest.mark.parametrize(("kind", "attack"), EVERY, ids=[attack.__name__ for _, attack in EVERY])
def test_no_attack_succeeds(
    checkers: dict[str, list[str]], tmp_path: Path, kind: str, attack: Attack, each: int
) -> None:
    texts = [text for text, _ in zip(wrongs(tmp_path, kind, attack), range(each), strict=False)]
    for checker in checkers[kind]:
        for text, why in zip(texts, judged(checker, tmp_path, *texts), strict=True):
            assert why, text
    for text in texts[::4]:
        with suppress(OSError):  # a file is not there
            assert slow_checker.judged(tmp_path, text, "verify" if kind == "hard" else kind), text


def test_there_are_thousands() -> None:
    assert EACH * len(EVERY) >= 2_000


def test_what_is_spoiled_was_accepted(checkers: dict[str, list[str]], tmp_path: Path) -> None:
    chance = random.Random(1)
    true = {"verify": [(wrong := some_wrong(tmp_path, chance)).text(wrong.items) for _ in range(30)]}
    games = [some_priced_wrong(tmp_path, chance) for _ in range(30)]
    renamed = [wrong.game.body(wrong.game.everything(), 0, chance, set(), renaming=True) for wrong in games]
    true["priced"] = [wrong.text(wrong.game, proof) for wrong, proof in zip(games, renamed, strict=True)]
    assert any("=" in proof for proof in renamed)
    some = [some_hard_wrong(tmp_path, chance) for _ in range(30)]
    true["hard"] = [wrong.text(wrong.items) for wrong in some]
    for kind, texts in true.items():
        for checker in checkers[kind]:
            assert judged(checker, tmp_path, *texts) == [""] * len(texts)
        slow = "verify" if kind == "hard" else kind
        assert not any(slow_checker.judged(tmp_path, text, slow) for text in texts)
