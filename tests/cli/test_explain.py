"""Arguments of certificates in words, by command: what is said adds up, what is refused is not explained."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pypdf
import pytest
from explaining import proved, require_sums, solved, text_of
from piped import data, piped

from guesstree.api.explanation import explained
from guesstree.api.verification import read_certificate
from guesstree.present.explanation import explanation_paper
from guesstree.trees.export.paper.text import lines_of

BIKE = """test,flat battery,blown fuse,loose plug,dead bulb,rusty switch,worn dynamo,broken wire,wet socket
turn the wheel,dark,dark,dark,dark,dark,flicker,dark,flicker
measure at the battery,low,good,good,good,good,low,good,good
look at the fuse,whole,burnt,whole,whole,whole,whole,whole,burnt
press the plug,dark,dark,light,dark,dark,dark,dark,light
swap the bulb,dark,dark,dark,light,dark,dark,dark,dark
press the switch hard,dark,dark,dark,dark,light,dark,dark,dark
measure at the bulb,none,none,none,full,none,weak,none,weak
"""
PAID = ",cost,cat,dog,owl\nflies?,2,no,no,yes\nbarks?,3,no,yes,no\nfur?,1,yes,yes,no\n"
SWAP = """swap,fuse,battery,cable,switch,lamp,cost
fuse,works,dim,dark,dark,dark,0
battery,dark,works,dark,dark,dim,1
cable,dark,dark,works,dim,dim,6
switch,dark,dark,dark,works,dark,3
lamp,dark,dark,dim,dark,works,8
"""
HARD = "fight\nlight\nmight\nnight\nright\nsight\ntight\n", "farms\nflint\nlemon\nstern\n"
LOST = "--objective", "win-probability", "--budget"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "bike.csv").write_text(BIKE)
    (tmp_path / "paid.csv").write_text(PAID)
    (tmp_path / "swap.csv").write_text(SWAP)
    (tmp_path / "trap.txt").write_text(HARD[0])
    (tmp_path / "split.txt").write_text(HARD[1])
    return tmp_path


def claims(found: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the claims that are explained."""
    return [claim for one in found["explained"] for claim in (one["whole"], *one["explained"])]


def require_true(claim: dict[str, Any]) -> None:
    """Fail unless all guesses are excluded, and what is shown of each adds up."""
    if claim["counted"] is None or (claim["bound"] is not None and claim["counted"] >= claim["bound"]):
        return
    assert sum(claim["excluded"].values()) == claim["guesses"]
    for guess in claim["shown"]:
        assert sum(part["secrets"] for part in guess["parts"]) <= (len(claim["secrets"] or ()) or 10**9)
        for name in ("counted", "ahead", "known"):
            costs = [part[name] for part in guess["parts"]]
            if guess[name] is None:
                assert None in costs
            else:
                size = guess[name] - sum(costs)
                assert size >= sum(part["secrets"] for part in guess["parts"])
        assert guess["known"] is None or (claim["bound"] is not None and guess["known"] >= claim["bound"])


def test_three_pegs_fit_on_a_sheet(folder: Path) -> None:
    text = text_of(folder, "mastermind:3x3")
    assert (
        "Every strategy costs at least 73, which is 2.7037 on average. A strategy is known that costs 73"
        in text
    )
    more = "each further secret adds"
    assert f"L(1) = 1; {more} 2, up to L(8) = 15; then {more} 3, up to L(12) = 27" in text
    assert "The 27 guesses are of 3 kinds. Of these, 9 (2 kinds) leave so few parts" in text
    assert "2,0 6 111 113 122 132 212 312 11 12 122: 6 + 3 + 3 \u00d7 1 = 12" in text
    assert text.endswith("Conclusion. So every first guess costs at least 73, which was to be shown.")
    require_sums(text)


def test_the_page_on_proofs_says_the_same(folder: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "proofs.md").read_text()
    (folder / "printed.proof").write_text(page.split("```text file=printed.proof\n")[1].split("```")[0])
    rows = re.findall(
        r"\| (\d{4}) \| ([\d ]+) \| (\S+) \| (\S*) ?\| (\S*) ?\|", page.split("### The first guess")[1]
    )
    assert len(rows) == 5
    found = data("explain", "printed.proof", "--lemmas", "3", cwd=folder)["explained"][0]
    assert (found["bound"], found["lemmas"], len(found["explained"])) == (5625, 78, 3)
    shown = {guess["guess"]: guess for guess in found["whole"]["shown"]}
    for name, sizes, *sums in rows:
        guess = shown["".join(str(int(c) + 1) for c in name)]
        assert [part["secrets"] for part in guess["parts"]] == list(map(int, sizes.split()))
        told = [int(text.strip("*")) for text in sums if text]
        assert told == [guess["counted"], guess["ahead"], guess["known"]][: len(told)]
    for claim in claims({"explained": [found]}):
        require_true(claim)


@pytest.mark.parametrize(
    "words",
    [
        ("mastermind:2x4",),
        ("mastermind:3x4", "--goal", "identify"),
        ("mastermind:3x4", "--first", "111"),
        ("mastermind:3x4", "--candidates-only"),
        ("mastermind:4x4", "--max-depth", "5"),
        ("mastermind:4x4", "--objective", "worst"),
        ("mastermind:3x4", "--objective", "worst,expected"),
        ("blackpeg:3x3",),
        ("bulls:3x5",),
        ("bulls:3x5", "--objective", "worst"),
        ("coins:4",),
        ("bike.csv",),
        ("bike.csv", "--objective", "worst"),
        ("wordle:trap.txt,split.txt",),
        ("wordle:trap.txt,split.txt,hard", "--first", "night"),
        ("wordle:trap.txt,split.txt,ultra", "--objective", "worst"),
    ],
)
def test_every_claim_is_shown(folder: Path, words: tuple[str, ...]) -> None:
    found = data("explain", *words, "--lemmas", "100", cwd=folder)
    for one in found["explained"]:
        assert one["optimal"]
        assert len(one["explained"]) == one["lemmas"] + one["small"]
    for claim in claims(found):
        require_true(claim)
    piped("explain", *words, "--lemmas", "100", "--out", "sheet.md", cwd=folder)
    text = (folder / "sheet.md").read_text()  # no sum is broken there
    require_sums(text)
    assert "**Conclusion.**" in text


def test_a_certificate_says_the_same_as_its_game(folder: Path) -> None:
    for words in (
        ("mastermind:4x4",),
        ("bulls:3x5", "--objective", "worst"),
        ("bike.csv",),
        ("wordle:trap.txt,split.txt,hard", "--first", "night"),
        ("coins:4",),
    ):
        made = data("explain", proved(folder, *words), cwd=folder)["explained"]
        own = data("explain", *words, cwd=folder)["explained"]
        for one, other in zip(made, own, strict=True):
            assert one["whole"]["excluded"] == other["whole"]["excluded"]
            assert one["whole"]["kinds"] == other["whole"]["kinds"]
            assert [c["bound"] for c in one["explained"]] == [c["bound"] for c in other["explained"]]


def test_a_bound_below_the_optimum_is_no_optimum(folder: Path) -> None:
    path = folder / proved(folder, "mastermind:3x3", "--at-least", "72")
    found = replace(explained(read_certificate(str(path))), known=(73, 4))
    text = " ".join(lines_of(explanation_paper([found])))
    assert "costs at least 72" in text
    assert "The best strategy that is known costs 73." in text
    assert "so this is the least" not in text


def test_what_so_many_guesses_can_settle_is_added_up(folder: Path) -> None:
    """By the sizes of parts, too: of two answers, one may leave a single cause."""
    rows = [f"t{i}," + ",".join("yes" if i == j else "no" for j in range(5)) for i in range(4)]
    (folder / "chain.csv").write_text("test,a,b,c,d,e\n" + "\n".join(rows) + "\n")
    text = text_of(folder, "chain.csv", "--objective", "worst")
    assert "have at most 4 and 1 causes" in text
    assert "with 1 test at most 2, with 2 tests at most 3 (2 + 1) and with 3 tests at most 4 (3 + 1)" in text
    assert "of every first test at once, by counting." in text
    text = text_of(folder, "mastermind:4x6", "--objective", "worst")
    assert "at most 14 (1 + 13 \u00d7 1), with 3 guesses at most 164 (1 + 10 \u00d7 14 + 9 + 8 + 6)" in text


def test_lemmas_that_are_not_shown_are_counted(folder: Path) -> None:
    text = text_of(folder, "bike.csv", "--lemmas", "1")
    unseen = int(re.search(r"That rests on (\d+) lemma", text)[1])  # type: ignore[index]
    assert f"Of the {unseen + 1} lemmas, 1 is shown (--lemmas N shows more)." in text
    assert "That rests on" not in text_of(folder, "bike.csv")


def test_words_of_a_table_are_its_own(folder: Path) -> None:
    text = text_of(folder, "bike.csv")
    assert "One of 8 causes is the right one, and is to be known." in text
    assert (
        'If "measure at the bulb" is answered none, these 5 causes are left: flat battery, blown fuse' in text
    )
    assert "secret" not in text
    assert " guess" not in text
    worst = text_of(folder, "bike.csv", "--objective", "worst")
    assert "4 tests are not enough" in worst
    assert "A strategy is known that takes 5 tests at most, so this is the least." in worst
    assert "S1 blown fuse, loose plug, dead 2 No test divides them" in worst


def test_a_first_guess_costs_what_the_best_strategy_after_it_does(folder: Path) -> None:
    text = text_of(folder, "mastermind:3x4", "--first", "111")
    assert "No guess gets more than 9 different responses" in text
    assert "Every strategy that begins with 111 costs at least 233" in text
    assert "27 secrets are left; they cost not 71 but at least 73, by Lemma 1." in text
    assert text.endswith("So 111 first costs at least 233, which was to be shown.")
    found = data("explain", "mastermind:3x4", "--first-guesses", cwd=folder)["first_guesses"]
    assert [(one["guess"], one["equal"]) for one in found] == [("112", 36), ("123", 24), ("111", 4)]
    assert [(one["lower"], one["upper"]) for one in found] == [(206, 206), (208, 208), (233, 233)]
    text = text_of(folder, proved(folder, "mastermind:3x4"), "--first-guesses")
    assert "112 36 206 exactly 206 the least 123 24 208 exactly 208 2 more 111 4 223 exactly 233" in text


def test_first_guesses_that_time_leaves_open_have_bounds(folder: Path) -> None:
    found = data(
        "explain", "mastermind:4x5", "--lemmas", "0", "--first-guesses", "--time-limit", "4", cwd=folder
    )
    for one in found["first_guesses"]:
        assert one["lower"] >= 2463
        assert one["upper"] is None or one["upper"] >= one["lower"]


def test_a_refused_certificate_is_not_explained(folder: Path) -> None:
    proved(folder, "mastermind:3x3")
    path = folder / "made.proof"
    path.write_text(path.read_text().replace(" 73 (", " 74 ("))
    done = piped("explain", "made.proof", cwd=folder)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.count("\n") == 1
    assert "refused" in done.stderr


def test_what_is_not_explained_is_said_in_a_line(folder: Path) -> None:
    for words, why in (
        (("paid.csv", "--objective", "win-probability"), "no budget"),
        (
            ("paid.csv", "--objective", "win-probability", "--budget", "3", "--first-guesses"),
            "use --first for one of them",
        ),
        (("nothing.proof",), "nothing.proof"),
        (
            (proved(folder, "mastermind:2x3"), "--goal", "win"),
            "--goal for 'made.proof': the certificate says it",
        ),
        (("mastermind:2x3", "--out", "sheet.doc"), "use a name that ends in .txt, .md, .tex, .pdf, .html"),
    ):
        done = piped("explain", *words, cwd=folder)
        assert (done.returncode, done.stdout) == (2, ""), words
        assert why in done.stderr
        assert done.stderr.splitlines()[-1].startswith("guesstree: ")
    for claim in ("noisy a b identify - 1 inf", "kit 0 mastermind 2 2 identify - 1"):
        (folder / "other.proof").write_text(f"guesstree-proof/1 {claim} .")
        done = piped("explain", "other.proof", cwd=folder)
        assert done.returncode == 1
        assert "refused" in done.stderr


def test_a_file_that_is_missing_is_named(folder: Path) -> None:
    proved(folder, "bike.csv")
    for name in read_certificate(str(folder / "made.proof")).files:
        (folder / name).unlink()
    done = piped("explain", "made.proof", cwd=folder)
    assert done.returncode == 2
    assert ".csv" in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("mastermind:3x3",),
        ("mastermind:3x3", "--objective", "worst"),
        ("mastermind:3x4", "--objective", "worst,expected"),
        ("mastermind:3x4", "--objective", "expected,worst"),
        ("mastermind:3x3", "--max-depth", "4", "--first", "123"),
        ("bike.csv",),
        ("bulls:3x5", "--candidates-only"),
        ("wordle:trap.txt,split.txt,hard",),
    ],
)
def test_a_strategy_is_explained_by_the_proof_of_its_game(folder: Path, words: tuple[str, ...]) -> None:
    name = solved(folder, *words)
    figures = data("check", name, cwd=folder)
    found = data("explain", name, "--time-limit", "20", cwd=folder)
    assert all(one["optimal"] for one in found["explained"])
    piped("explain", name, "--time-limit", "20", "--out", "sheet.md", cwd=folder)
    text = (folder / "sheet.md").read_text()  # no sum is broken there
    require_sums(text)
    assert f"= {figures['total']} " in text
    assert f"{figures['worst']} " in text.split("in all, ")[1][:6]
    expected = "worst" not in " ".join(words) and "--first" not in words
    assert expected == ("first_guesses" in found)
    if expected:
        best = min(found["first_guesses"], key=lambda one: one["lower"])
        assert best["lower"] == best["upper"] == figures["total"]
    assert [one["bound"] for one in found["explained"]] == [
        one["bound"] for one in data("explain", *words, cwd=folder)["explained"]
    ]


def test_the_way_to_each_secret_is_that_of_the_strategy(folder: Path) -> None:
    name = solved(folder, "mastermind:3x3")
    text = text_of(folder, name)
    assert "It begins with 112. 1 secret is found by 1 guess, 7 by 2, 18 by 3 and 1 by 4: 1 \u00d7 1" in text
    assert "113 112 (2,0), 122 (1,0), 111 (2,0), 113 4" in text
    assert "with the first guess 73" in text
    assert "123 6 73 exactly 80 7 more" in text
    assert text.count("so this is the least") == 1


def test_a_strategy_that_is_not_optimal_has_no_explanation(folder: Path) -> None:
    for words, what in (
        (("--method", "max-part"), "takes 74 guesses in all and 4 at worst"),
        (("--method", "max-part", "--objective", "worst,expected"), "takes 74 guesses in all"),
        (("--first", "123"), ""),
    ):
        name = solved(folder, "mastermind:3x3", *words)
        done = piped("explain", name, cwd=folder)
        if not what:
            assert "Every strategy that begins with 123" in " ".join(done.stdout.split())
            continue
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.count("\n") == 1
        assert f"guesstree: made.json: the strategy {what}" in done.stderr
        assert "leaves room for 1 less" in done.stderr


def test_a_strategy_that_is_wrong_is_not_explained(folder: Path) -> None:
    name = solved(folder, "mastermind:3x3")
    written = (folder / name).read_text()
    (folder / "wrong.json").write_text(written.replace('"total": 73', '"total": 72'))
    done = piped("explain", "wrong.json", cwd=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert "the strategy is not valid: summary says total 72" in done.stderr
    done = piped("explain", name, "--goal", "win", cwd=folder)
    assert done.returncode == 2
    assert "--goal for 'made.json': the strategy says it" in done.stderr


@pytest.mark.parametrize("spec", ["mastermind:3x3", "mastermind:2x4", "bulls:3x4"])
def test_a_small_proof_fits_on_a_page(folder: Path, spec: str) -> None:
    piped("explain", spec, "--out", "sheet.pdf", cwd=folder)
    assert len(pypdf.PdfReader(folder / "sheet.pdf").pages) == 1


@pytest.mark.parametrize(
    "words", [("mastermind:2x4",), ("mastermind:2x3", "--first", "12"), ("bulls:2x4",), ("small.csv",)]
)
def test_lies_are_explained(folder: Path, words: tuple[str, ...]) -> None:
    (folder / "small.csv").write_text("\n".join(line.rsplit(",", 4)[0] for line in BIKE.splitlines()[:6]))
    lies = "--objective", "worst", "--lies", "1"
    (found,) = data("explain", *words, *lies, "--lemmas", "100", cwd=folder)["explained"]
    assert found["optimal"]
    assert (found["lies"], found["bound"]) == (1, None)
    assert found["lemmas"] == len(found["explained"])
    numbers = {claim["number"] for claim in found["explained"]}
    for claim in (found["whole"], *found["explained"]):
        if claim["volume"] <= claim["room"]:
            assert sum(claim["excluded"].values()) == claim["guesses"]
        for guess in claim["shown"]:
            assert (guess["why"] == "volume") == (guess["volume"] > guess["room"])
            assert guess["why"] in {"volume", "ahead"} | numbers
    text = text_of(folder, *words, *lies)
    assert f"{found['within']} {'tests' if 'csv' in words[0] else 'guesses'} are not enough" in text
    assert "so this is the least" in text
    (made,) = data("explain", proved(folder, *words, *lies), "--lemmas", "100", cwd=folder)["explained"]
    assert made["whole"]["excluded"] == found["whole"]["excluded"]
    assert len(made["explained"]) == found["lemmas"]


COSTS = (1, 2, 2, 2, 6, 2, 2)


def priced(folder: Path) -> str:
    """Write the table with costs and weights, and return its name."""
    head, *rows = BIKE.splitlines()
    lines = [f"{head},cost", *(f"{row},{cost}" for row, cost in zip(rows, COSTS, strict=True))]
    (folder / "mend.csv").write_text("\n".join([*lines, "weight,5,3,2,4,2,1,2,1,", ""]))
    return "mend.csv"


@pytest.mark.parametrize(
    "words",
    [
        ("mend.csv",),
        ("mend.csv", "--first", "look at the fuse"),
        ("mend.csv", "--objective", "worst"),
        ("mend.csv", "--objective", "worst,expected"),
        ("paid.csv",),
        ("hangman:trap.txt",),
        ("table:swap.csv,win=works", "--candidates-only"),
        ("table:swap.csv,win=works", "--candidates-only", "--objective", "worst"),
        ("table:swap.csv,win=works", "--candidates-only", "--first", "fuse"),
        ("mend.csv", *LOST, "4"),
        ("mend.csv", *LOST, "5", "--first", "turn the wheel"),
        ("paid.csv", *LOST, "2"),
        ("table:swap.csv,win=works", *LOST, "9"),
        ("table:swap.csv,win=works", "--candidates-only", *LOST, "8"),
        ("mastermind:3x3", *LOST, "3"),
        ("hangman:trap.txt", *LOST, "2"),
    ],
)
def test_costs_are_added_up(folder: Path, words: tuple[str, ...]) -> None:
    priced(folder)
    found = data("explain", *words, "--lemmas", "999", cwd=folder)["explained"]
    assert all(one["optimal"] for one in found)
    piped("explain", *words, "--out", "sheet.md", cwd=folder)
    text = (folder / "sheet.md").read_text()
    require_sums(text)
    assert text.rstrip().split("**Conclusion.** ")[-1].startswith("So ")
    for one in found:
        bounds = {claim["number"]: claim["bound"] for claim in one["explained"]}
        for claim in (one["whole"], *one["explained"]):
            for guess in claim["shown"]:
                assert guess["known"] is None or (
                    claim["bound"] is not None and guess["known"] >= claim["bound"]
                )
                for part in guess["parts"]:
                    assert not part["lemma"] or bounds[part["lemma"]] == part["known"]
    made = data("explain", proved(folder, *words), "--lemmas", "999", cwd=folder)["explained"][0]
    assert made["bound"] == found[0]["bound"]
    assert [claim["bound"] for claim in made["explained"]] == [
        claim["bound"] for claim in found[0]["explained"]
    ]


def test_prices_and_weights_are_said(folder: Path) -> None:
    text = text_of(folder, priced(folder))
    assert "Mend: a cost of at least 110 in all" in text
    assert '"swap the bulb" 6 ' in text
    assert "flat battery 5 blown fuse 3" in text
    assert "All causes, whose weights add up to 20, pay for it." in text
    assert "2 \u00d7 (5 \u00d7 2 + 3 \u00d7 2 + 2 \u00d7 3 + 2 \u00d7 3 + 2 \u00d7 2) = 64" in text
    assert "It costs at least 40 + 64 + 6 = 110." in text
    assert "they cost not 24 but at least 64, by Lemma A" in text
    assert text.endswith("So every first test costs at least 110, which was to be shown.")
    less = text_of(folder, "mend.csv", "--lemmas", "2")
    assert "Of the 5 lemmas with letters, 2 are shown." in less
    assert "Lemma B. If" in less
    assert "Lemma C. If" not in less


def test_candidates_only_are_explained_where_guesses_cost(folder: Path) -> None:
    words = "table:swap.csv,win=works", "--candidates-only"
    text = text_of(folder, *words)
    assert "Here it may ask only a swap that may still be the cause" in text
    assert "a few of them, taken alone, may cost more than the whole part" in text
    assert "Not even a swap that costs nothing need come first" in text
    assert "What costs nothing is asked at once" not in text
    assert "Only swaps that may be one of its causes may be asked in it" in text
    assert "they cost not 9 but at least 12: the best swap to ask next is fuse: 0 + 12 = 12" in text
    assert text.endswith("So every first swap costs at least 25, which was to be shown.")
    fuse = text_of(folder, *words, "--first", "fuse")
    assert "Every strategy that begins with fuse costs at least 30" in fuse
    name = solved(folder, *words)
    assert "with the first swap 25 " in text_of(folder, name)
    first = data("explain", name, cwd=folder)["first_guesses"]
    assert {one["guess"]: one["lower"] for one in first}["fuse"] == 30


def test_what_is_lost_within_a_budget_is_explained(folder: Path) -> None:
    text = text_of(folder, priced(folder), *LOST, "4")
    figures = data("solve", "mend.csv", *LOST, "4", cwd=folder)
    lost, paid = figures["upper"]
    each = 20 * 4 + 1  # more than all pay together that are not lost
    assert f"Mend: within 4 at least a weight of {lost} lost, then at least {paid} paid" in text
    assert "A cause that pays more than 4 is lost." in text
    assert (
        f"Every strategy loses at least a weight of {lost}; and if it loses no more, the others pay" in text
    )
    assert f"Whoever is lost counts {each}, times its weight, in place of what it pays." in text
    assert f"{lost} \u00d7 {each} + {paid} = {lost * each + paid}." in text
    assert f"costs {each - 4} + r there, as 4 - r was paid before, and this makes {each}." in text
    assert '"swap the bulb" first. It costs at least 1620. All causes are lost by it.' in text
    shown = re.findall(r'"[a-z ]+" \d+ (?:none|[\d ]+?) (?:\d+ )?(\d+) (\d+) lost, (\d+) paid', text)
    assert len(shown) == 7
    assert all(int(total) == int(a) * each + int(b) for total, a, b in shown)
    assert min(int(total) for total, _, _ in shown) == lost * each + paid
    (found,) = data("explain", "mend.csv", *LOST, "4", cwd=folder)["explained"]
    assert (found["lost"], found["each_lost"], found["optimal"]) == ([lost, paid], each, True)
    path = folder / proved(folder, "mend.csv", *LOST, "4")
    path.write_text(path.read_text().replace(f"lost:{lost}:{paid}", f"lost:{lost}"))
    alone = text_of(folder, "made.proof")
    assert "It is the weight of those that are lost; what is paid does not count. So every strategy" in alone
    assert alone.endswith(f"at least {lost}, that is a weight of {lost} lost, which was to be shown.")
    assert "so this is the least" not in alone
    none = text_of(folder, "mend.csv", *LOST, "99")
    assert "Mend: within 99 nothing lost, then at least 110 paid" in none
    assert "In every strategy that loses none, all causes pay at least 110 together" in none


def test_a_strategy_within_a_budget_is_added_up(folder: Path) -> None:
    name = solved(folder, priced(folder), *LOST, "4")
    costs = data("check", name, cwd=folder)["costs"]
    lost, paid = costs["weight"] - costs["won"], costs["won_total"]
    text = text_of(folder, name)
    assert f"together 8 {lost} {paid} " in text
    assert "The strategy below loses no more" in text
    assert "Why not another" not in text
    paths = re.findall(r"(\d+) (\d+) (\d+|lost)(?= [a-z]+ [a-z]+ \"| \()", text.split("This is its way")[1])
    assert paths
    for pays, weight, counts in paths:
        assert counts == ("lost" if int(pays) > 4 else f"{int(pays) * int(weight)}")
    done = piped("explain", solved(folder, "mend.csv", *LOST, "4", "--method", "least-cost"), cwd=folder)
    assert (done.returncode, done.stdout) == (1, "")
    said = f"loses 13 and then pays 21; what is proved is that a strategy loses at least {lost} and then pays"
    assert said in done.stderr
    unweighted = text_of(folder, solved(folder, "mastermind:2x3", *LOST, "2"))
    assert (
        "Every strategy loses at least 4 secrets; and if it loses no more, the others pay at least 9"
        in unweighted
    )
    assert "it is right 1 0 1 together 9 4 9 " in unweighted
    assert "31 12 (0,1), 23 (0,1), 31 3 lost" in unweighted


def test_a_strategy_with_costs_is_added_up(folder: Path) -> None:
    name = solved(folder, priced(folder))
    text = text_of(folder, name)
    figures = data("check", name, cwd=folder)
    assert f"with the first test {figures['costs']['total']} " in text
    assert "The strategy below costs 110" in text
    found = data("explain", name, cwd=folder)["first_guesses"]
    assert min(one["lower"] for one in found) == 110
    each = re.findall(r"(\d+) (\d+) (\d+)(?= [a-z]+ [a-z]+ \")", text.split("This is its way")[1])
    assert each
    assert all(int(pays) * int(weight) == int(together) for pays, weight, together in each)
    done = piped("explain", solved(folder, "mend.csv", "--method", "least-cost"), cwd=folder)
    assert (done.returncode, done.stdout) == (1, "")
    assert "takes 134 in all and 11 at worst; what is proved leaves room for 24 less" in done.stderr


@pytest.mark.parametrize("ending", ["txt", "md", "tex", "html", "pdf"])
def test_each_ending_is_written(folder: Path, ending: str) -> None:
    name = f"sheet.{ending}"
    done = piped("explain", "bike.csv", "--out", name, cwd=folder)
    assert done.stdout.split() == ["wrote", name]
    written = (folder / name).read_bytes()
    if ending == "pdf":
        pages = pypdf.PdfReader(folder / name).pages
        text = " ".join(page.extract_text() for page in pages)
        assert len(pages) == 2
    else:
        text = written.decode()
    for said in ("Bike: at least 24 tests in all", "Lemma 4.", "which was to be shown"):
        assert " ".join(said.split()) in " ".join(text.split())
