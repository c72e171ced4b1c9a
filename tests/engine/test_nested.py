"""Claims inside each other are read and shown in order, as deep as checkers take them."""

from __future__ import annotations

from dataclasses import dataclass, field

from guesstree.engine.proofs.items import ProofItem, items_of
from guesstree.engine.proofs.nested import proved_before, read_nested


@dataclass
class Claim:
    name: str
    inside: list[Claim] = field(default_factory=list)


def read(text: str) -> Claim:
    root = Claim("")

    def add(item: ProofItem, above: Claim) -> Claim:
        above.inside.append(Claim(item.words[0]))
        return above.inside[-1]

    read_nested(items_of(text), root, add)
    return root


def test_lemmas_come_before_the_claims_that_rest_on_them() -> None:
    root = read("a x 3 ( b x 2 . c x 2 ( d x 1 . ) ) e x 3 .")
    assert [one.name for one in root.inside] == ["a", "e"]
    assert [one.name for one in proved_before(root)] == ["b", "d", "c", "a", "e"]


def test_claims_may_stand_as_deep_as_checkers_take_them() -> None:
    deep = 1_000
    root = read("".join(f"{i} x 1 ( " for i in range(deep)) + "last x 1 . " + ") " * deep)
    assert [one.name for one in proved_before(root)] == ["last", *(str(i) for i in reversed(range(deep)))]
