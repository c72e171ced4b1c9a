"""Arguments of certificates of kits in words, by command: what is said adds up."""

import re
from math import prod
from pathlib import Path

import pypdf
import pytest
from explaining import require_sums, text_of
from piped import data, piped

PUMP = """test,minutes,fuse,relay,motor,bearing,seal,filter
listen,1,silent,silent,silent,loud,quiet,quiet
press the switch,1,nothing,click,click,runs,runs,runs
measure the current,5,none,none,high,high,low,low
look for water,2,dry,dry,dry,dry,wet,dry
open the case,20,burnt,whole,black,whole,whole,whole
"""
ACTS = """test,a,b,c,d,e,f
t1,x,y,z,x,y,z
t2,x,x,y,y,z,z
t3,x,y,y,x,y,x
action,r,r,s,t,s,u
"""


def planned(tmp_path: Path, *words: str) -> str:
    """Make a certificate of a kit and return its name."""
    done = piped("plan", *words, "--proof", "kit.proof", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    return "kit.proof"


def test_a_kit_of_a_small_table_is_explained_with_the_table(tmp_path: Path) -> None:
    (tmp_path / "pump.csv").write_text(PUMP)
    text = text_of(tmp_path, planned(tmp_path, "pump.csv"))
    assert "Table: every kit costs at least 8" in text
    assert "listen 1 silent silent silent loud quiet quiet" in text
    assert "Suppose that some kit costs 7 or less." in text
    require_sums(text)
    (found,) = data("explain", "kit.proof", cwd=tmp_path)["explained"]
    rows = {line.split(",")[0]: line.split(",")[2:] for line in PUMP.splitlines()}
    costs = {line.split(",")[0]: line.split(",")[1] for line in PUMP.splitlines()}
    causes, prices = rows.pop("test"), found["whole"]["prices"]
    assert found["whole"]["total"] == sum(price for _, _, price in prices)
    for test, gain in found["whole"]["collects"]:
        answers = dict(zip(causes, rows[test], strict=True))
        assert gain == sum(price for a, b, price in prices if answers[a] != answers[b])
        assert f"{test if ' ' not in test else chr(34) + test + chr(34)} {costs[test]} {gain} " in text
    assert float(found["whole"]["collected"]) < found["whole"]["total"]
    assert f"less than {found['whole']['total']}. Conclusion. So there is no kit that costs 7 or less" in text
    lies = text_of(tmp_path, planned(tmp_path, "pump.csv", "--lies", "1", "--never", "open the case"))
    assert "Up to 1 answer may be false. So at least 3 tests of the kit have to tell every two apart" in lies
    assert 'No kit may have "open the case".' in lies
    assert "For 23 they collect at most 23/5 \u00d7 31 = 142.6, which is less than 147." in lies
    (tmp_path / "acts.csv").write_text(ACTS)
    kinds = text_of(tmp_path, planned(tmp_path, "acts.csv"))
    assert "There are 4 kinds; causes of one kind need not be told apart." in kinds
    assert re.search(r"kind (\d) \1 (\d) \d \2 \d Every kit has at least 2 tests", kinds)
    assert "that is known" not in kinds


@pytest.mark.parametrize(
    "spec", ["mastermind:2x4", "mastermind:2x6", "blackpeg:3x3", "blackpeg:2x6", "coins:5"]
)
def test_kits_of_games_are_explained(tmp_path: Path, spec: str) -> None:
    name = planned(tmp_path, spec)
    (found,) = data("explain", name, "--lemmas", "1000", cwd=tmp_path)["explained"]
    assert found["cases"] == len(found["explained"])
    text = text_of(tmp_path, name, "--lemmas", "1000")
    bound, word = found["bound"], "test" if spec.startswith("coins") else "guess"
    assert f"every kit has at least {bound} {word}" in text
    assert re.search(
        rf"So there is no kit that has {bound - 1} {word}\w* or fewer, which was to be shown.$", text
    )
    for claim in found["explained"]:
        assert len(claim["kit"]) + claim["left"] == bound - 1
        assert f"Case {claim['number']}. The kit has " in text
        assert {"#": "got the same", ".": "pair", "$": "collect", "(": "in the kit"}[claim["shown"]] in text
    for numbers, total in re.findall(
        r"at most (\d+(?: \u00d7 \d+)+) = ([\d,]+) different combinations", text
    ):
        assert prod(map(int, numbers.split(" \u00d7 "))) == int(total.replace(",", ""))
    few = data("explain", name, "--lemmas", "0", cwd=tmp_path)["explained"][0]
    assert (few["explained"], few["whole"]) == ([], found["whole"])


def test_what_cannot_be_explained_of_a_kit_is_said_in_a_line(tmp_path: Path) -> None:
    name = planned(tmp_path, "mastermind:2x5")
    done = piped("explain", name, "--first-guesses", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "--first-guesses of a kit: all are asked at once" in done.stderr
    path = tmp_path / name
    path.write_text(path.read_text().replace(" - - 4 ", " - - 5 "))
    done = piped("explain", name, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert "refused" in done.stderr
    done = piped("explain", planned(tmp_path, "coins:6"), cwd=tmp_path)
    large = piped("explain", planned(tmp_path, "mastermind:3x7"), cwd=tmp_path)
    assert (done.returncode, large.returncode) == (0, 2)
    assert "117649 responses; kits are explained up to 65536" in large.stderr


@pytest.mark.parametrize("ending", ["md", "tex", "html", "pdf"])
def test_a_kit_is_written_as_a_sheet(tmp_path: Path, ending: str) -> None:
    name = f"sheet.{ending}"
    piped("explain", planned(tmp_path, "mastermind:2x5"), "--out", name, cwd=tmp_path)
    written = (tmp_path / name).read_bytes()
    text = written.decode() if ending != "pdf" else ""
    if ending == "pdf":
        text = " ".join(page.extract_text() for page in pypdf.PdfReader(tmp_path / name).pages)
    for said in (
        "every kit has at least 4 guesses",
        "Case 2.",
        "not all told apart",
        "which was to be shown",
    ):
        assert said in " ".join(text.split())
