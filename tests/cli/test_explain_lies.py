"""Strategies for responses that may be false, explained by command: how they go on, and why not otherwise."""

import re
from pathlib import Path

import pytest
from explaining import proved, solved, text_of
from piped import data, piped

PETS = """question,cat,dog,owl,carp
fur?,yes,yes,no,no
flies?,no,no,yes,no
barks?,no,yes,no,no
swims?,no,yes,no,yes
"""
WORST = "--objective", "worst", "--lies", "1"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "pets.csv").write_text(PETS)
    return tmp_path


def test_a_strategy_is_followed_to_all_its_ends(folder: Path) -> None:
    name = solved(folder, "pets.csv", *WORST)
    text = text_of(folder, name)
    assert "The strategy below takes 5 questions at most, so this is the least." in text
    assert "It begins with fur?, and takes 5 questions at most, whatever is false." in text
    assert "yes 2 with 1 lie, 2 with no lie swims? 4 " in text
    head, *rows = (line.split(",") for line in PETS.splitlines())
    answers = {row[0]: dict(zip(head[1:], row[1:], strict=True)) for row in rows}
    piped("explain", name, "--out", "sheet.md", cwd=folder)
    ways = (folder / "sheet.md").read_text().split("some are false.")[1].split("Why not another")[0]
    told = re.findall(r"\| (cat|dog|owl|carp) \| (.*?) \| (\d) \|", ways)
    assert len(told) == 18
    for cause, steps, number in told:
        asked = re.findall(r"(\w+\?) \((yes|no)(, false)?\)", steps)
        assert len(asked) == int(number) <= 5
        assert sum(bool(false) for _, _, false in asked) <= 1
        assert all((answers[question][cause] != said) == bool(false) for question, said, false in asked)


@pytest.mark.parametrize("spec", ["pets.csv", "mastermind:2x3", "mastermind:2x2"])
def test_other_first_guesses_are_compared_at_worst(folder: Path, spec: str) -> None:
    found = data("explain", solved(folder, spec, *WORST), cwd=folder)
    (least,) = (one["within"] + 1 for one in found["explained"])
    assert found["explained"][0]["optimal"]
    assert min(one["lower"] for one in found["first_guesses"]) == least
    for one in found["first_guesses"]:
        begun = data("solve", spec, *WORST, "--first", one["guess"], cwd=folder)
        assert one["lower"] == one["upper"] == begun["worst"]
    made = data("explain", proved(folder, spec, *WORST), "--first-guesses", cwd=folder)
    assert made["first_guesses"] == found["first_guesses"]
    text = text_of(folder, "made.proof", "--first-guesses")
    assert " at most more " in text.split("Why not another")[1]


def test_what_is_not_the_least_is_not_explained(folder: Path) -> None:
    done = piped("explain", solved(folder, "pets.csv", *WORST, "--first", "flies?"), cwd=folder)
    assert done.returncode == 0
    assert "No strategy that begins with flies? is sure to be done within 5 questions" in " ".join(
        done.stdout.split()
    )
    assert "Why not another" not in done.stdout
    name = solved(folder, "pets.csv", "--objective", "expected", "--lies", "1")
    done = piped("explain", name, cwd=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert "the objective is not worst" in done.stderr
