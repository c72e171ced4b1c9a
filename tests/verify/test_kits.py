"""Certificates of kits: true ones are accepted, and no false one is, whatever is changed in it."""

import random
from pathlib import Path

import numpy as np
import pytest
from effort import seeds
from random_kits import certificate, mutated, random_cover, written
from slow_checker import judged

from guesstree.engine.kits.cover import CoverProblem
from guesstree.engine.kits.kit import Kit, least_kit
from guesstree.engine.kits.oracle import least_by_listing
from guesstree.engine.kits.search import Search
from guesstree.engine.objective import WORST
from guesstree.engine.problem import Problem
from guesstree.engine.proofs.kits import KitProof, kit_proof
from guesstree.engine.proofs.writer import ProofError


def proof_of(kit: Kit, more: int = 0) -> KitProof:
    """Return the certificate of a kit that is the least."""
    return kit_proof(kit.game, Problem(kit.game, WORST, goal=kit.goal), kit.cover, kit.lower + more)


@pytest.mark.parametrize("seed", seeds(40, 3000))
def test_the_least_cost_is_proven_and_one_more_is_not(seed: int, tmp_path: Path) -> None:
    dice = random.Random(seed)
    cover = random_cover(dice)
    search = Search(cover)
    search.run()
    assert search.lower == search.upper
    head, body = certificate(tmp_path, cover, search.lower)
    assert judged(tmp_path, f"{head} {search.lower} {body}", "kit") == ""
    for wrong in [body, ".", "#", "$ ;", *(mutated(body, dice) for _ in range(12))]:
        assert judged(tmp_path, f"{head} {search.lower + 1} {wrong}", "kit"), wrong


@pytest.mark.parametrize(
    ("spec", "lies"),
    [
        ("mastermind:2x6", 0),
        ("mastermind:3x4", 0),
        ("mastermind:3x2", 1),
        ("blackpeg:3x4", 0),
        ("blackpeg:2x6", 0),
        ("blackpeg:6x2", 0),
        pytest.param("blackpeg:4x4", 0, marks=pytest.mark.long),
        ("bulls:3x5", 0),
        ("coins:5", 0),
        ("coins:3", 1),
    ],
)
def test_published_values_have_certificates(spec: str, lies: int, tmp_path: Path) -> None:
    kit = least_kit(spec, lies=lies)
    proof = proof_of(kit)
    assert judged(tmp_path, written(tmp_path, proof), "kit") == ""
    words = proof.text.split(" ")
    bound = next(i for i, word in enumerate(words) if word == "-") + 2
    dice = random.Random(spec)
    body = " ".join(words[bound + 1 :])
    for wrong in [body, *(mutated(body, dice) for _ in range(5))]:
        assert judged(tmp_path, " ".join([*words[:bound], str(kit.lower + 1), wrong]), "kit"), wrong


def test_a_false_bound_has_no_certificate() -> None:
    with pytest.raises(ProofError, match="tells all secrets apart"):
        proof_of(least_kit("coins:3"), more=4)


def test_attacks_are_refused_for_what_is_wrong(tmp_path: Path) -> None:
    cells = [[g >> s & 1 for s in range(6)] for g in range(1, 32)]  # all questions of two answers
    cover = CoverProblem(np.array(cells, dtype=np.uint8), np.arange(6), np.full(31, 3, dtype=np.int64))
    head, _ = certificate(tmp_path, cover, 1)
    assert judged(tmp_path, f"{head} 9 #", "kit") == ""
    assert judged(tmp_path, f"{head} 10 #", "kit")
    for body, why in {
        "$ 1 2 1 1 3 1 2 3 1 ;": "it is not shown",
        "$ 1 1 5 ;": "a price of a pair that needs no more",
        "$ 1 2 -1 ;": "is no number",
        "( = 1 2 / 2 3 ; 1 2 )": "of one twice",
        "( 1 1 )": "the pair needs no more questions",
        "( 1 2 1 . 1 . )": "is not allowed any more",
        "( 1 2 4 . )": "does not tell the pair apart",
        "( 1 2 1 ( 1 2 ) )": "the pair needs no more questions",
        "# .": "something stands behind",
        "( 1 2 = 1 2 ; )": "no guess",
    }.items():
        said = judged(tmp_path, f"{head} 9 {body}", "kit")
        assert why in said, (body, said)


def test_a_renaming_keeps_what_was_asked_and_all_questions(tmp_path: Path) -> None:
    cells = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]
    costs = np.array([1, 1, 2], dtype=np.int64)
    head, _ = certificate(tmp_path, CoverProblem(np.array(cells, dtype=np.uint8), np.arange(4), costs), 1)
    for body, why in {
        "( = 1 2 ; 1 4 )": "",  # the kit has to have each of the three
        "( = 1 3 ; 1 4 )": "has no image of a question",  # the third one costs more
        "( = 1 4 ; 1 4 )": "has no image of a question",
        "( 1 4 1 ( = 1 2 ; 2 4 ) )": "changes what was asked",
    }.items():
        said = judged(tmp_path, f"{head} 4 {body}", "kit")
        assert why in said if why else said == "", (body, said)


def test_the_game_is_part_of_the_claim(tmp_path: Path) -> None:
    proof = proof_of(least_kit("coins:4"))
    (name,) = proof.files
    text = written(tmp_path, proof)
    assert judged(tmp_path, text, "kit") == ""
    (tmp_path / name).write_bytes(proof.files[name].replace(b"0", b"1", 1))
    assert "has another SHA-256" in judged(tmp_path, text, "kit")
    text = proof_of(least_kit("mastermind:2x6")).text
    assert judged(tmp_path, text.replace("mastermind 2 6", "mastermind 2 5"), "kit")
    assert "goal" in judged(tmp_path, text.replace("identify", "win"), "kit")


def test_listing_agrees_with_what_is_proven(tmp_path: Path) -> None:
    for seed in range(20):
        cover = random_cover(random.Random(10_000 + seed))
        if cover.apart > 1:
            continue
        least = least_by_listing(cover, cover.questions)
        assert least is not None
        head, body = certificate(tmp_path, cover, least)
        assert judged(tmp_path, f"{head} {least} {body}", "kit") == ""
