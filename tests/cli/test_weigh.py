"""`guesstree weigh`: the scheme, a game, sums decoded, and mistakes named."""

from itertools import combinations, product

import pytest
from piped import data, piped


def test_five_coins_in_four_weighings_that_tell_all_apart() -> None:
    found = data("weigh", "5")
    assert (found["weighings"], found["counting_bound"]) == (4, 2)
    sums = {
        tuple(sum(secret["ABCDE".index(coin)] for coin in coins) for coins in found["scheme"])
        for secret in product((0, 1), repeat=5)
    }
    assert len(sums) == 32


def test_the_equations_shown_decode() -> None:
    """As a reader would: put in what is known, and read binary digits."""
    shown = piped("weigh", "5").stdout.splitlines()
    assert shown[0].startswith(
        "5 coins, 4 weighings, planned beforehand; by counting at least 2; 2n/log2(n) = 4.3"
    )
    texts = [line.strip().replace("2C", "2*C") for line in shown if " = " in line]
    for secret in product((0, 1), repeat=5):
        names = dict(zip("ABCDE", secret, strict=True))
        for text in texts[1:5]:
            name, terms = text.split(" = ")
            names[name] = eval(terms, {}, names)
        assert len(texts) == 9
        for text in texts[5:]:
            left, right = text.split(" = ")
            assert eval(left, {}, names) == eval(right, {}, names)


def test_sums_are_decoded_or_the_next_weighing_is_named() -> None:
    assert data("weigh", "5", "--sums", "2,2,1,0") == {"coins": 5, "heavy": "BCE", "secret": "01101"}
    assert data("weigh", "5", "--sums", "2, 2 1") == {"coins": 5, "next": "D"}
    assert piped("weigh", "5", "--sums", "2,2,1").stdout == "weigh D\n"
    assert data("weigh", "30", "--sums", "3")["next"][0] == 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["5", "--sums", "2,9"], "weighing 2 gives 9; possible: 0 to 2"),
        (["5", "--sums", "3,2,1,0"], "no weights have these 4 sums"),
        (["5", "--sums", "2,2,1,0,0"], "5 responses, but the strategy asks 4 questions"),
        (
            ["5", "--sums", "two"],
            "--sums 'two'; expected whole numbers with commas between, such as 2,2,1,0",
        ),
        (["5", "--sums", "-1"], "--sums '-1'; expected whole numbers"),
        (["5", "--secret", "0110"], "--secret '0110'; expected 5 digits, 0 (light) or 1 (heavy)"),
        (["5", "--secret", "01102"], "--secret '01102'; expected 5 digits"),
        (["5", "--secret", "01101", "--seed", "1"], "use only one of --sums, --secret and --seed"),
        (["5", "--sums", "0,0,0,0,0,9,9", "--lies", "1"], "more than 1 of these 7 sums are false"),
        (["5", "--sums", "0,0,0,0,0,0,0,0", "--lies", "1"], "8 sums; the plan has 7 weighings"),
        (["5", "--max", "3", "--secret", "01401"], "--secret '01401'; expected 5 weights from 0 to 3"),
        (["5", "--max", "0"], "0 is not in the range"),
        (["5", "--random", "3", "--lies", "1"], "--random goes only with --seed"),
        (["1001", "--random", "3"], "1001 coins and 3 random weighings; expected 2 to 1000 coins"),
        (["5", "--random", "3", "--seed", "-1"], "--seed -1; expected 0 or more"),
        (["0"], "0 is not in the range"),
        (["1000001"], "1000001 is not in the range"),
        (["5", "--lies", "-1"], "-1 is not in the range"),
        (["5", "--lies", "1001"], "1001 is not in the range 0<=x<=1000"),
        (["1", "--random", "1"], "1 coin and 1 random weighing; expected 2 to 1000 coins"),
    ],
)
def test_mistakes_are_named_in_one_line(words: list[str], message: str) -> None:
    done = piped("weigh", *words)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert not done.stdout


def test_games_against_a_secret_and_against_chance() -> None:
    assert data("weigh", "5", "--secret", "01101")["secret"] == "01101"
    shown = piped("weigh", "5", "--secret", "01101").stdout.splitlines()
    assert len(shown) == 5
    assert shown[-1] == "4 weighings; at most 4; heavy: BCE"
    found = data("weigh", "1000", "--seed", "1")
    assert found == data("weigh", "1000", "--seed", "1")
    assert found["secret"] != data("weigh", "1000", "--seed", "2")["secret"]
    assert found["counting_bound"] == 101 < found["weighings"] <= found["at_most"] == 253
    assert found["heavy"] == [i for i, digit in enumerate(found["secret"], 1) if digit == "1"]


@pytest.mark.parametrize("coins", ["4", "300"])
def test_lies_are_told_and_survived(coins: str) -> None:
    true, false = data("weigh", coins, "--seed", "3"), data("weigh", coins, "--seed", "3", "--lies", "2")
    assert false["secret"] == true["secret"]
    assert 0 <= false["lies"] <= 2
    assert true["weighings"] < false["weighings"] <= false["at_most"]
    assert data("weigh", coins, "--lies", "2")["weighings_with_lies_at_most"] == false["at_most"]


def test_a_plan_for_lies_is_printed_that_a_lie_does_not_break() -> None:
    found = data("weigh", "5", "--lies", "1")
    assert (found["weighings"], found["at_least"]) == (7, 7)
    sums = [
        [sum(secret["ABCDE".index(coin)] for coin in coins) for coins in found["scheme"]]
        for secret in product((0, 1), repeat=5)
    ]
    assert min(sum(a != b for a, b in zip(*two, strict=True)) for two in combinations(sums, 2)) >= 3
    shown = piped("weigh", "5", "--lies", "1").stdout.splitlines()
    assert shown[0] == "5 coins, 7 weighings, planned beforehand, up to 1 false sum; no plan has fewer"
    assert piped("weigh", "12", "--lies", "4").stdout.splitlines()[0].endswith("any plan has at least 15")


def test_sums_are_decoded_though_some_are_false() -> None:
    true = "1,1,1,2,2,2,1"  # BCE
    assert data("weigh", "5", "--lies", "1", "--sums", true)["heavy"] == "BCE"
    found = data("weigh", "5", "--lies", "1", "--sums", "1,1,1,2,2,0,1")
    assert (found["heavy"], found["false"]) == ("BCE", [6])
    assert piped("weigh", "5", "--lies", "1", "--sums", "1,1,1,2,2,0,1").stdout == "heavy: BCE; false: w6\n"
    assert data("weigh", "5", "--lies", "1", "--sums", "1")["next"] == "ACD"
    played = data("weigh", "60", "--max", "5", "--lies", "3", "--seed", "8")
    assert played["weighings"] <= played["at_most"]
    assert len(played["weights"]) == 60


def test_coins_of_more_weights() -> None:
    found = data("weigh", "4", "--max", "3")
    assert (found["weighings"], found["counting_bound"], found["quoted"]) == (4, 3, 32.0)
    secret = dict(zip("ABCD", (3, 0, 2, 1), strict=True))
    sums = ",".join(str(sum(secret[coin] for coin in names)) for names in found["scheme"])
    assert data("weigh", "4", "--max", "3", "--sums", sums)["weights"] == [3, 0, 2, 1]
    assert piped("weigh", "4", "--max", "3", "--sums", sums).stdout == "weights: A=3 B=0 C=2 D=1\n"
    assert data("weigh", "4", "--max", "12", "--secret", "12,0,7,3")["weights"] == [12, 0, 7, 3]
    big = data("weigh", "1000", "--max", "3")
    assert big["counting_bound"] <= big["weighings"] == 425 < big["quoted"]


def test_random_plans_are_counted() -> None:
    found = data("weigh", "12", "--random", "11")
    assert (found["weighings"], found["plans"], found["seeds"]) == (12, 100, [0, 99])
    assert 100 * found["all_sets_at_least"] - 15 < found["decide"] <= found["tell_random_coins"] <= 100
    lines = piped("weigh", "12", "--random", "11").stdout.splitlines()
    assert lines[1].startswith(f"  all sets of coins told apart: {found['decide']} of 100 plans, all pairs")
    assert data("weigh", "100", "--random", "22")["decide_at_most"] == 0
    one = data("weigh", "6", "--random", "7", "--seed", "3")
    sums = {
        tuple(sum(secret["ABCDEF".index(coin)] for coin in coins) for coins in one["scheme"])
        for secret in product((0, 1), repeat=6)
    }
    assert one["decide"] == (len(sums) == 64)


def test_few_heavy_coins_are_found_in_few_weighings() -> None:
    secret = "1" + "0" * 499
    assert data("weigh", "500", "--secret", secret)["weighings"] <= 10
