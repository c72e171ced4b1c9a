"""Arguments of tests that may get several answers in words, by command: what is said adds up."""

import re
from fractions import Fraction
from pathlib import Path

import pypdf
import pytest
from explaining import proved, require_sums, solved, text_of
from piped import data, piped

FIRE = """test,flat,short,loose,cost,group,set-up
smell,none,burnt:4/none:1,none,1,,
lamp,dim:3/dark:1,dark,dim:1/dark:1,2,,
meter,low,zero,low:1/good:3,1,open,4
tug,still,still,moves:9/still:1,2,open,
decide charge,0,90,60,,,
decide rewire,50,10,0,,,
weight,6,1,3,,,
"""
SHORT = """test,hawk,kite,gull,tern,minutes
tail,fork:1/fan:4,fork,fan,fork:4/fan:1,1
call,cry,cry:1/mew:1,mew,cry:1/mew:1,2
size,large,large,large/small,small,1.5
"""
MENDED = """test,belt,pump,fuse,cost
hum,loud:2/none:1,loud:1/none:1,none,1
new belt,fixed,not,not,8
new pump,not,fixed:9/not:1,not,12
new fuse,not,not,fixed,1
decide give up,40,40,40,
"""
FIRED = "table:fire.csv,cells=sets"
ENDS = "table:mended.csv,cells=sets,ends=fixed"
SETS = "table:short.csv,cells=sets,ambiguous=clique"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "fire.csv").write_text(FIRE)
    (tmp_path / "short.csv").write_text(SHORT)
    (tmp_path / "mended.csv").write_text(MENDED)
    return tmp_path


@pytest.mark.parametrize("words", [(FIRED,), (SETS,), (ENDS,), (ENDS, "--objective", "worst")])
def test_a_game_and_its_certificate_are_explained_alike(folder: Path, words: tuple[str, ...]) -> None:
    (own,) = data("explain", *words, "--lemmas", "999", cwd=folder)["explained"]
    assert own["optimal"]
    assert len(own["explained"]) == own["letters"]
    (made,) = data("explain", proved(folder, *words), "--lemmas", "999", cwd=folder)["explained"]
    for one, other in ((own, made), *zip(own["explained"], made["explained"], strict=True)):
        assert one["bound"] == other["bound"]
    for claim in (own["whole"], *own["explained"]):
        for test in claim["shown"]:
            assert test["known"] >= (claim["bound"] if claim["number"] else own["whole"]["bound"])
            parts = [part["known"] for part in test["parts"]]
            together = max(parts, default=0) if own["bound"] is None else sum(parts)
            assert test["known"] == test["paid"] + together
    piped("explain", *words, "--lemmas", "999", "--out", "sheet.md", cwd=folder)
    require_sums((folder / "sheet.md").read_text())  # no sum is broken there


def test_decisions_and_set_ups_are_said(folder: Path) -> None:
    figures = data("solve", FIRED, cwd=folder)
    text = text_of(folder, FIRED)
    average = f"{float(Fraction(figures['costs']['exact'])):.4f}"
    assert f"Fire: a cost of at least {average} on average" in text
    assert "test cost set-up once it was made flat short loose" in text
    assert "meter 5 1 1 low zero low 0.25, good 0.75" in text
    assert "decision flat short loose charge 0 90 60 rewire 50 10 0" in text
    assert "cause weight flat 6 short 1 loose 3" in text
    assert "All causes, which weigh 10 together, pay for it." in text
    assert "To ask nothing loses 270 (charge), which is not less." in text
    assert "and loses at least what the best decision for it alone loses" in text
    (found,) = data("explain", FIRED, cwd=folder)["explained"]
    assert text.endswith(f"costs at least {figures['costs']['total']}, which was to be shown.")
    (smell,) = (test for test in found["whole"]["shown"] if test["test"] == "smell")
    after = {part["answer"]: part["left"] for part in smell["parts"]}
    weight = found["unit"]
    assert after["burnt"] == [["short", weight * 4 // 5]]
    assert after["none"] == [["flat", 6 * weight], ["short", weight // 5], ["loose", 3 * weight]]
    assert smell["paid"] == 10 * weight


def test_ends_and_sets_are_said(folder: Path) -> None:
    text = text_of(folder, ENDS)
    assert "Some answers end it at once: then nothing more is paid." in text
    assert '"new pump" 12 fixed not fixed 0.9, not 0.1 not' in text
    assert "or it pays at least for the cheapest test that may end its path" in text
    assert "The answer fixed ends the path." in text
    worst = text_of(folder, ENDS, "--objective", "worst")
    assert "The cost of" not in worst
    assert "one answer is enough" in worst
    pairs = text_of(folder, SETS)
    assert "or several of which every two may get the same answer to each test" in pairs
    assert "No test gets more than 2 different answers." in pairs
    assert "The largest of these amounts is what counting says." in pairs
    assert "Every strategy that begins with tail costs at least" in text_of(folder, SETS, "--first", "tail")


def test_a_strategy_is_followed_and_added_up(folder: Path) -> None:
    name = solved(folder, FIRED)
    costs, text = data("check", name, cwd=folder)["costs"], text_of(folder, name)
    assert f"The strategy below costs {costs['total']}, so this is the least." in text
    assert re.search(rf"together 3 10 {re.escape(str(costs['total']))} {costs['worst']} ", text)
    ways = text.split("These are its ways")[1].split("Why not another")[0]
    numbers = re.findall(r"(?:charge|rewire) ([\d./]+) ([\d./]+) \d+", ways)
    assert numbers
    for column, total in zip(zip(*numbers, strict=True), (10, costs["total"]), strict=True):
        assert abs(sum(map(Fraction, column)) - Fraction(total)) < Fraction(1, 1000)
    shown = data("explain", name, cwd=folder)
    first, scale = shown["first_guesses"], shown["explained"][0]["scale"]
    for one in first:
        begun = data("solve", FIRED, "--first", one["guess"], cwd=folder)["costs"]["total"]
        assert one["lower"] == one["upper"] == Fraction(begun) * scale
    assert min(one["lower"] for one in first) == shown["explained"][0]["bound"]
    done = piped("explain", solved(folder, ENDS, "--method", "entropy"), cwd=folder)
    assert (done.returncode, done.stdout) == (1, "")
    assert "takes 42 in all and 61 at worst; what is proved leaves room for 7 less" in done.stderr


def test_what_cannot_be_explained_is_said_in_a_line(folder: Path) -> None:
    path = folder / proved(folder, FIRED)
    bound, ahead = path.read_text().split()[-2:]
    path.write_text(path.read_text().replace(f" {bound} {ahead}", f" {int(bound) + 1} {ahead}"))
    done = piped("explain", path.name, cwd=folder)
    assert (done.returncode, done.stdout) == (1, "")
    assert "is not shown" in done.stderr
    (table,) = (one for one in folder.glob("*.csv") if len(one.stem) == 64)
    table.unlink()
    done = piped("explain", path.name, cwd=folder)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    wide = ["test,", *(f"t{i}," for i in range(300))]
    causes = [f"c{i}" for i in range(220)]
    rows = [",".join(causes), *(",".join("ab"[(i >> c % 8) % 2] for c in range(220)) for i in range(300))]
    lines = [one + row for one, row in zip(wide, rows, strict=True)]
    (folder / "wide.csv").write_text("\n".join([*lines, "decide wait," + ",".join(["1"] * 220), ""]))
    done = piped("explain", "wide.csv", cwd=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert "66000 cells; tests that may get several answers are explained up to 65536" in done.stderr


@pytest.mark.parametrize("ending", ["tex", "html", "pdf"])
def test_it_is_written_as_a_sheet(folder: Path, ending: str) -> None:
    name = f"sheet.{ending}"
    piped("explain", FIRED, "--out", name, cwd=folder)
    text = (folder / name).read_text() if ending != "pdf" else ""
    if ending == "pdf":
        text = " ".join(page.extract_text() for page in pypdf.PdfReader(folder / name).pages)
    for said in ("on average", "how often it gives them", "which was to be shown"):
        assert said in " ".join(text.split())


def test_to_ask_nothing_may_be_the_least(tmp_path: Path) -> None:
    """And in the worst case a test says nothing for sure whose answer all that are left may give."""
    (tmp_path / "few.csv").write_text(
        "test,a,b,cost\nt1,x:1/y:2,y,1\nt2,fix:1/no:3,no,2\ndecide A,0,7,\ndecide B,,1,\nweight,3,2,\n"
    )
    game = "table:few.csv,cells=sets,ends=fix"
    text = text_of(tmp_path, proved(tmp_path, game), "--first-guesses")
    assert "To ask nothing costs 14, the least of all." in text
    assert re.search(r"t1 [0-9]+ exactly [0-9]+ [1-9][0-9]* more", text)
    text = text_of(tmp_path, game, "--objective", "worst")
    assert "Only tests that have no answer that goes on and that all causes left may give are worth" in text
    assert "No test is worth asking" in text


def test_what_adds_up_to_nothing_is_0(tmp_path: Path) -> None:
    (tmp_path / "some.csv").write_text("test,a,b,c,cost\nt1,x,x/y,y,2\nt2,u,u/v,v,3\n")
    text = text_of(tmp_path, "table:some.csv,cells=sets,ambiguous=clique")
    assert "second, 0; third" in text
    require_sums(text)
