"""`play`, `assist` and `demo` as a user meets them: at a terminal, and through a pipe."""

import json
import re
import sys
from itertools import permutations, product
from pathlib import Path

import pytest
from piped import piped
from terminal import COLOUR, terminal

from guesstree.api.advisor import Advisor
from guesstree.cli.session.board import in_colour, peg
from guesstree.engine.advice.playing import play_against
from guesstree.engine.advice.position import Position
from guesstree.engine.registry import parse
from guesstree.engine.search.solve import solve


def answer(guess: str, secret: str) -> str:
    """Return the response from the rules of both games."""
    black = sum(g == s for g, s in zip(guess, secret, strict=True))
    common = sum(min(guess.count(c), secret.count(c)) for c in set(guess))
    return f"{black},{common - black}"


GAMES = [
    ("mastermind:4x6", "3621", 4, ["".join(code) for code in product("123456", repeat=4)]),
    ("bulls:4x10", "5802", 5, ["".join(code) for code in permutations("0123456789", 4)]),
]
FORMS = ["{0},{1}", "{0} {1}", "{0}{1}"]


@pytest.mark.parametrize(("game", "secret", "turns", "left"), GAMES)
def test_assist_through_a_whole_game_with_a_response_taken_back(
    game: str, secret: str, turns: int, left: list[str]
) -> None:
    with terminal("assist", game) as screen:
        guesses, response = 0, ""
        while response != "4,0":
            if len(left) > 1:
                by = "proof, then by entropy" if guesses < 2 else "entropy"  # the opening is at hand
                screen.wait(rf"{len(left)} candidates; best guesses by {by} \(\*")
            prompt = screen.wait(r"guess (\d+) \[(\w+)\]: ")
            guesses, guess = guesses + 1, prompt[2]
            assert int(prompt[1]) == guesses
            screen.type("")
            screen.wait(f"response to {guess} .*: ")
            response = answer(guess, secret)
            given = {answer(guess, code) for code in left}
            if guesses == 2:  # mistyped as another that some secret gives
                screen.type(min(given - {response}))
                screen.wait(r"guess 3 \[")
                screen.type("undo")
                screen.wait(rf"guess 2 \[{guess}\]: ")
                screen.type("")
                screen.wait("response to .*: ")
            if guesses == turns:  # mistyped as one that no secret gives
                wrong = min({"0,0", "0,1", "0,2", "0,3", "1,0", "1,1"} - given)
                screen.type(wrong)
                screen.wait(rf"no secret fits from response {turns} on \({guess} {wrong}\)")
                screen.wait("response to .*: ")
            screen.type(FORMS[guesses % 3].format(*response.split(",")))
            left = [code for code in left if answer(guess, code) == response]
        pegs = " *".join(secret)
        assert screen.wait(rf"won: the secret is +{pegs} *, (\d+) guess")[1] == str(guesses)
        assert screen.end() == 0
    assert guesses == turns


def test_a_coloured_peg_has_its_symbol_and_no_color_has_no_codes(monkeypatch: pytest.MonkeyPatch) -> None:
    with terminal("assist", "mastermind:2x3") as screen:
        screen.wait(r"guess 1 \[")
        assert re.search(r"\x1b\[48;5;\d+m\x1b\[1m 1 \x1b\[0m", screen.raw)
    with terminal("assist", "mastermind:2x3", NO_COLOR="1") as screen:
        screen.wait(r"guess 1 \[")
        assert not COLOUR.search(screen.raw)
    monkeypatch.setenv("COLORTERM", "truecolor")
    assert "48;2;0;114;178" in peg("1", "#0072B2")  # Okabe and Ito's blue
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.delenv("NO_COLOR", raising=False)
    for term, shown in (("xterm", True), ("dumb", False)):
        monkeypatch.setenv("TERM", term)
        assert in_colour() == shown


@pytest.mark.parametrize("name", ["play", "assist"])
def test_ctrl_d_and_ctrl_c(name: str) -> None:
    with terminal(name, "mastermind:2x3") as screen:
        screen.wait("guess 1.*: ")
        screen.type("\x04", end="")
        screen.wait("stopped after 0 guesses")
        assert screen.end() == 0
    with terminal(name, "mastermind:2x3") as screen:
        screen.wait("guess 1.*: ")
        screen.type("12", end="")
        screen.wait("12")  # the line editor is at work
        screen.interrupt()
        screen.wait("guesstree: interrupted")
        assert screen.end() == 130
        assert "Traceback" not in screen.text


def test_a_contradiction_is_named_and_can_be_corrected() -> None:
    # Three 1s and one 2 fill the four places, so that no 3 is left.
    typed = ["1111", "3,0", "2222", "1,0", "3333", "1,0", "change 1 2,0", "1 0", "history", "quit"]
    done = piped("assist", "mastermind:4x6", typed="\n".join(typed))
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    at = lines.index("mastermind:4x6: no secret fits from response 3 on (3333 1,0)")
    assert lines[at + 1 : at + 4] == [
        "  if response 1 alone is wrong: 192 candidates",
        "  if response 2 alone is wrong: 4 candidates",
        "  if response 3 alone is wrong: 4 candidates",
    ]
    assert lines[at + 4].startswith("type response 3 again, or undo to ask something else; undo N takes back")
    turns = [line.split()[1:3] for line in lines if re.match(r" +\d  \d{4} ", line)]
    assert turns[-3:] == [["1111", "2,0"], ["2222", "1,0"], ["3333", "1,0"]]


def test_undo_goes_back_to_any_turn() -> None:
    typed = ["1111", "3,0", "2222", "1,0", "undo 1", "", "0,0", "2345", "undo", "history", "undo 7"]
    done = piped("assist", "mastermind:4x6", typed="\n".join(typed))
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    undone = lines[lines.index("response to 2222 (black,white): 1,0") :]
    assert "1296 candidates; best guesses by proof, then by entropy (* may be the secret):" in undone
    assert "guess 1 [1111]: " in undone  # the guess stays on offer
    assert "response to 2345 (black,white): undo" in undone
    assert undone.count("625 candidates; best guesses by entropy (* may be the secret):") == 2
    assert undone[-5].split() == ["1", "1111", "0,0", "····", "625", "candidates"]
    assert "'7' is not the number of a response; expected 1 to 1" in undone
    assert undone[-1] == "stopped after 1 guess"


def test_a_method_without_a_guess_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("test,flu,cold\nfever,yes,no\n")
    done = piped("assist", "table:t.csv", "--method", "first-consistent", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("guesstree: table:t.csv: method first-consistent has no test here")


def test_a_history_that_contradicts_itself_is_bad_input() -> None:
    done = piped("assist", "mastermind:4x6", "--history", "1111:3,0 2222:3,0 3333:0,0")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "guesstree: mastermind:4x6: no secret fits from response 2 on (2222 3,0)\n"


@pytest.mark.parametrize("method", ["max-part", "parts", "first-consistent", "exact", "worth:largest"])
def test_every_method_advises_to_the_end(method: str, tmp_path: Path) -> None:
    (tmp_path / "worth.py").write_text("def largest(sizes):\n    return max(sizes)\n")
    done = piped("demo", "mastermind:3x4", "--secret", "143", "--method", method, "--json", cwd=tmp_path)
    guesses = [step["guess"] for step in json.loads(done.stdout)["steps"]]
    typed = "".join(f"\n{answer(guess, '143')}\n" for guess in guesses)
    done = piped("assist", "mastermind:3x4", "--method", method, typed=typed, cwd=tmp_path)
    assert re.findall(r"response to (\d+)", done.stdout) == guesses
    assert f"\nwon: the secret is 143, {len(guesses)} guesses\nwhat each guess gave away:\n" in done.stdout


def test_a_table_is_identified_by_its_labels(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("test,flu,cold,well\nfever,Yes,no,no\nundo,no,Yes,no\n")
    typed = "fever\nYES\nundo\nFever\nno\n/undo\nfever\nNO\nundo\nmaybe\nno\n"
    done = piped("assist", "table:t.csv", typed=typed, cwd=tmp_path)
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] == "known: the cause is flu, 1 test"
    done = piped("assist", "table:t.csv", typed=typed.split("\n", 3)[3], cwd=tmp_path)
    what = "'maybe' is not an answer to 'undo'; expected 'Yes', 'no', or ? where it is not known"
    assert what in done.stdout
    assert done.stdout.splitlines()[-1] == "known: the cause is well, 2 tests"


def test_play_to_a_win_through_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("guesstree.present.review.SECONDS", 60.0)  # however busy the machine is
    done = piped("play", "mastermind:4x6", "--seed", "5", typed="give up\n")
    found = re.search(r"^the secret was (\d{4})$", done.stdout, re.MULTILINE)
    assert found
    secret = found[1]
    other = "1122" if secret != "1122" else "3344"
    typed = ["?", "hint", other, "candidates", "undo", "12x4", "123", other, secret]
    done = piped("play", "mastermind:4x6", "--seed", "5", typed="\n".join(typed))
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert any(line.startswith("  give up") for line in lines)
    assert any(line.split()[:5] == ["1123", "*", "3.0437", "185.27", "276"] for line in lines)
    assert any(line.split()[:3] == ["1", other, answer(other, secret)] for line in lines)
    assert any(re.match(r"\d+ candidates: \d{4} ", line) for line in lines)
    for bad in ("12x4", "123"):
        message = f"'{bad}' is not a guess of mastermind:4x6; expected 4 symbols out of 123456"
        assert lines.count(message) == 1
    at = lines.index(f"won: the secret is {secret}, 2 guesses (1 hint, 1 taken back)")
    assert lines[at + 1] == "what each guess gave away:"
    assert lines[at + 3].split()[:2] == ["1", other]
    assert lines[-3].startswith("the optimum needs ") and lines[-3].endswith(" here, 4.3403 on average")
    assert lines[-2].startswith("parts, the best one-step method tried, needs ")
    steps = piped("demo", "mastermind:4x6", "--secret", secret, "--json").stdout
    assert lines[-1] == f"the hints alone would have needed {json.loads(steps)['guesses']} guesses"


def test_play_hides_by_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("guesstree.present.review.SECONDS", 60.0)  # however busy the machine is
    asked = [
        piped("play", "mastermind:3x4", "--seed", seed, typed="give up").stdout for seed in ("1", "1", "2")
    ]
    assert asked[0] == asked[1] != asked[2]


def test_play_to_identify_ends_when_one_secret_is_left() -> None:
    done = piped("play", "mastermind:1x2", "--goal", "identify", "--seed", "1", typed="1\n")
    assert re.search(r"^known: the secret is [12], 1 guess$", done.stdout, re.MULTILINE)


def test_bytes_that_are_no_text_are_a_bad_guess() -> None:
    done = piped("play", "mastermind:2x3", typed=b"\xff\xfe\n\x1b[31m\n" + b"9" * 5000 + b"\nquit\n")
    assert done.returncode == 0
    assert done.stdout.count("is not a guess of mastermind:2x3; expected 2 symbols out of 123") == 3
    done = piped("assist", "blackpeg:2x3", typed=b"11\n" + b"9" * 5000 + b"\n-1\n02\n")
    assert done.stdout.count("is not a response to '11'; type one such as 0, b or ") == 2
    assert "won: the secret is 11, 1 guess" in done.stdout.splitlines()


def test_demo_as_text_and_as_json() -> None:
    words = ("demo", "mastermind:4x6", "--secret", "3632", "--method", "max-part", "--first", "1122")
    found = json.loads(piped(*words, "--json").stdout)
    assert set(found) == {"game", "goal", "secret", "method", "steps", "guesses"}
    assert (found["game"], found["secret"], found["method"]) == ("mastermind:4x6", "3632", "max-part")
    steps = found["steps"]
    assert steps[0] == {"guess": "1122", "response": "1,0", "candidates": 256}
    assert all(step["response"] == answer(step["guess"], "3632") for step in steps)
    assert steps[-1]["response"] == "4,0"
    assert found["guesses"] == len(steps) <= 5  # Knuth's first guess and rule: never more than five
    lines = piped(*words).stdout.splitlines()
    assert lines[0] == "mastermind:4x6: goal win, secret 3632, method max-part"
    assert lines[1] == "  1  1122  1,0 ●···  1296 -> 256 candidates"
    assert [line.split()[1] for line in lines[1:-1]] == [step["guess"] for step in steps]
    assert lines[-1] == f"{len(steps)} guesses"


def test_demo_of_an_exact_strategy_is_part_of_the_optimum() -> None:
    words = ("demo", "mastermind:2x2", "--method", "exact", "--json", "--secret")
    needed = [json.loads(piped(*words, secret).stdout)["guesses"] for secret in ("11", "12", "21", "22")]
    assert sum(needed) == 8  # 11, 22 and a mixed code in 1, 2 and 2, the other mixed code in 3


@pytest.mark.parametrize("method", ["max-part", "entropy", "parts", "first-consistent", "exact"])
def test_advice_that_asks_candidates_alone_plays_the_strategy_that_does(method: str) -> None:
    game = parse("mastermind:3x3")
    advisor = Advisor(game, method, candidates_only=True)
    total = 0
    for secret in game.secrets:
        turns, position = play_against(game, secret, advisor.best), Position(game)
        for guess, response in turns:
            assert guess in position.secrets
            position = position.after(guess, response)
        total += len(turns)
    assert total == solve(game, method=method, candidates_only=True).upper[0]


def test_demo_with_candidates_alone() -> None:
    words = ("demo", "mastermind:4x6", "--secret", "2413", "--method", "max-part", "--first", "1122")
    free, bound = piped(*words).stdout, piped(*words, "--candidates-only").stdout
    assert bound.splitlines()[0] == f"{free.splitlines()[0]}, candidates only"
    assert free.splitlines()[1] == bound.splitlines()[1]
    assert free.splitlines()[2:] != bound.splitlines()[2:]


BAD = [
    (["demo", "mastermind:2x3"], "--secret"),
    (["demo", "mastermind:2x3", "--secret", "14"], "'14' is not a secret"),
    (["demo", "mastermind:2x3", "--secret", "12", "--first", "9"], "'9' is not a guess"),
    (["demo", "mastermind:2x3", "--secret", "12", "--method", "luck"], "unknown method 'luck'"),
    (["demo", "balance:3", "--secret", "A+", "--candidates-only"], "candidates only, but no weighing"),
    (["valuations", "balance:3", "--candidates-only"], "candidates only, but no weighing"),
    (["assist", "mastermind:2x3", "--method", "no_such:thing"], "no_such"),
    (["assist", "mastermind:2x3", "--history", "12"], "GUESS:RESPONSE"),
    (["assist", "mastermind:2x3", "--history", "12:1,1"], "'1,1'"),
    (["play", "mastermind:2x3", "--goal", "lose"], "'lose'"),
    (["play", "mastermind:2x3", "--seed", "x"], "'x'"),
    (["play", "mastermind:12x12"], "GiB"),
]


@pytest.mark.parametrize(("words", "message"), BAD, ids=lambda v: " ".join(v) if isinstance(v, list) else "")
def test_bad_input_is_one_line_and_status_2(words: list[str], message: str) -> None:
    done = piped(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("guesstree: ")
    assert done.stderr.count("\n") == 1
    assert message in done.stderr


@pytest.mark.parametrize("name", ["play", "assist", "demo"])
def test_help_has_an_example(name: str) -> None:
    assert "Example: guesstree" in piped(name, "--help").stdout


def test_hard_mode_refuses_a_guess_and_goes_on(tmp_path: Path) -> None:
    """One line names the letter; the game stays where it was, at the prompt and in a history."""
    words = {"answers.txt": ["fight", "light", "might", "night", "tight"], "allowed.txt": ["filmy"]}
    for name, some in words.items():
        (tmp_path / name).write_text("\n".join(some))
    game = "wordle:answers.txt,allowed.txt,hard"
    why = "'filmy' is not allowed after these responses: letter 3 must be 'g' (night -====)"
    played = piped("play", game, "--seed", "3", typed="night\nfilmy\nhint\ngive up\n", cwd=tmp_path)
    assert played.returncode == 0
    lines = played.stdout.splitlines()
    assert lines[lines.index("guess 2 of 6: filmy") + 1] == why
    assert "  fight *" in played.stdout.split("guess 2 of 6: hint")[1]
    assisted = piped("assist", game, typed="night\n-====\nfilmy\nlight\n=====\n", cwd=tmp_path)
    assert f"filmy\n{why}\nguess 2 [fight]: light\n" in assisted.stdout
    assert "\nwon: the secret is light, 2 guesses\nwhat each guess gave away:\n" in assisted.stdout
    for command in ("valuations", "assist"):
        done = piped(command, game, "--history", "night:-==== filmy:---+-", cwd=tmp_path)
        assert (done.returncode, done.stderr) == (2, f"guesstree: {why}\n")
    free = [("states", game, "--depth", "2"), ("graph", game, "--out", "x.svg"), ("breed", "evolve", game)]
    for line in free:
        done = piped(*line, cwd=tmp_path)
        assert done.returncode == 2
        assert done.stderr.endswith("use a game where every guess is always allowed\n")
        assert done.stderr.count("\n") == 1


def test_assist_with_a_partner_who_is_wrong_once() -> None:
    typed = "1122\n1,0\n1344\n0,2\n\n1,1\n\n0,4\n\n0,0\n0,1\nundo\nquit\n"
    run = piped("assist", "mastermind:4x6", "--lies", "1", typed=typed)
    assert run.returncode == 0
    assert "1296 candidates, at least 6 more guesses; best guesses by volume" in run.stdout
    assert "may be false: response 1 (for 1039 of 1295)" in run.stdout
    secret = "3625"
    history: list[tuple[str, str]] = []
    for turn in range(12):
        words = [f"{guess}:{response}" for guess, response in history]
        run = piped("assist", "mastermind:4x6", "--lies", "1", "--history", " ".join(words))
        assert run.returncode == 0, run.stderr
        guess = re.findall(r"guess \d+ \[(\w+)\]", run.stdout)[-1]
        history.append((guess, answer(guess, secret) if turn != 2 else "0,0"))
        if guess == secret:
            break
    assert guess == secret
    assert len(history) <= 8
    words = [f"{guess}:{response}" for guess, response in history]
    run = piped("assist", "mastermind:4x6", "--lies", "1", "--history", " ".join(words))
    assert f"won: the secret is {secret}" in run.stdout
    assert "\nfalse: response 3\nwhat each guess gave away:\n" in run.stdout


def test_assist_names_the_response_that_is_too_much() -> None:
    words = ["assist", "mastermind:2x3", "--lies", "1"]
    run = piped(*words, typed="11\n0,0\n22\n0,0\n33\n0,0\nundo\nquit\n")
    assert run.returncode == 0
    assert "from response 3 on (33 0,0), more than 1 response is false for each secret" in run.stdout
    assert "if response 1 alone is wrong" in run.stdout
    run = piped(*words, "--history", "11:0,0 22:0,0 33:0,0")
    assert run.returncode == 2
    assert "from response 3 on" in run.stderr


def test_advice_begins_with_a_proven_opening_where_no_other_method_is_asked_for() -> None:
    told = "proven: 1123, 4.3403 guesses on average (5625 in all); no strategy needs fewer"
    assert told in piped("assist", "mastermind:4x6").stdout
    assert told in piped("play", "mastermind:4x6", typed="hint\n").stdout
    assert "proven" not in piped("assist", "mastermind:4x6", "--method", "entropy").stdout
    assert "proven" not in piped("assist", "mastermind:4x6", "--history", "1122:1,0").stdout
    found = json.loads(piped("assist", "mastermind:4x6", "--history", "3345:1,1", "--json").stdout)
    assert found["proven"] == {"guess": "1323", "total": 798, "average": 798 / 230}
    assert found["best"][0]["guess"] == "1323"
    demo = piped("demo", "mastermind:4x6", "--secret", "3621").stdout
    assert demo.splitlines()[0].endswith("secret 3621, a proven opening, then method entropy")
    assert demo.splitlines()[-1] == "4 guesses"


def test_exact_advice_is_exact_in_every_position() -> None:
    words = ("assist", "mastermind:4x6", "--method", "exact", "--history")
    assert (
        "proven: 3425, 2.7317 more guesses on average (112 in all)"
        in piped(*words, "1122:1,0 1344:0,2").stdout
    )
    assert "proven" not in json.loads(piped(*words, "1122:1,0 1344:0,2 3425:4,0", "--json").stdout)


def test_exact_advice_that_takes_too_long_says_so_and_goes_on_by_the_usual_method(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    words = ("bulls:5x7", "--time-limit", "0.2")
    done = piped("assist", *words, "--method", "exact")
    assert (done.returncode, done.stderr) == (0, "")
    assert (
        "not proven: the exact search takes more than 0.2 seconds (--time-limit S allows more)" in done.stdout
    )
    assert "2520 candidates; best guesses by entropy (* may be the secret):" in done.stdout
    monkeypatch.setattr("guesstree.cli.play.SECONDS", 0.05)
    monkeypatch.setattr("guesstree.present.review.SECONDS", 0.05)
    patient = ("play", "bulls:5x7", "--time-limit", "100", "--hints", "exact")
    assert (
        "the hints alone would have needed" in piped(*patient, typed="give up\n").stdout
    )  # in no 100 seconds
    done = piped(
        "assist", "mastermind:4x6", "--method", "exact", "--time-limit", "-1", "--history", "1122:1,0"
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.strip() == "guesstree: a time limit of -1.0 s; expected more than 0"
    done = piped("play", *words, "--hints", "exact", typed="hint\n")
    assert (
        "not proven: the exact search takes more than 0.2 seconds (--time-limit S allows more)" in done.stdout
    )


def test_an_exact_search_says_on_a_terminal_how_long_it_takes_at_most() -> None:
    with terminal("assist", "bulls:5x7", "--method", "exact", "--time-limit", "0.3") as screen:
        screen.wait("searching, for 0.3 seconds at most")
        screen.wait("not proven: the exact search takes more than 0.3 seconds")


def test_assist_with_the_exact_strategy_against_lies() -> None:
    run = piped("assist", "mastermind:2x3", "--lies", "1", "--method", "exact", "--goal", "identify")
    assert "9 candidates, at least" in run.stdout
    assert "best guesses by exact" in run.stdout


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["--lies", "8"], "8 lies; expected 0 to 7"),
        (["--lies", "-1"], "-1 lies; expected 0 to 7"),
        (["--lies", "x"], "'x' is not a valid whole number"),
        (["--lies", "1", "--method", "entropy"], "method entropy with lies; use volume or exact"),
        (["--method", "volume"], "volume"),
    ],
)
def test_assist_refuses(words: list[str], text: str) -> None:
    run = piped("assist", "mastermind:2x3", *words)
    assert run.returncode == 2
    assert text in run.stderr
    assert run.stderr.count("\n") == 1


@pytest.mark.parametrize("seed", [0, 1, 2, 3])
def test_play_with_lies(seed: int) -> None:
    words = ["play", "mastermind:2x3", "--lies", "2", "--seed", str(seed)]
    codes = ["".join(code) for code in product("123", repeat=2)]
    run = piped(*words, typed="\n".join([*codes, "hint", "undo 2", *codes]))
    assert run.returncode == 0
    found = re.search(r"won: the secret is (\d\d), (\d+) guess", run.stdout)
    assert found is not None
    asked = codes[: int(found[2])]
    assert asked[-1] == found[1]
    told = re.findall(r"^ +\d+  (\d\d)  (\d,\d)", run.stdout, re.MULTILINE)[-len(asked) :]
    false = [number for number, (guess, given) in enumerate(told, 1) if given != answer(guess, found[1])]
    assert len(false) <= 2
    text = f"false: response {', '.join(map(str, false))}" if false else "no response was false"
    assert run.stdout.strip().endswith(text)
    again = piped(*words, typed="\n".join([*codes, "hint", "undo 2", *codes]))
    assert again.stdout == run.stdout


def test_play_lies_sometimes() -> None:
    typed = "\n".join("".join(code) for code in product("123", repeat=2))
    runs = [piped("play", "mastermind:2x3", "--lies", "1", "--seed", str(s), typed=typed) for s in range(8)]
    assert len({"no response was false" in run.stdout for run in runs}) == 2


def test_undo_says_what_it_took_back(tmp_path: Path) -> None:
    typed = ["1111", "3,0", "2222", "1,0", "undo 1", "1234", "undo", "quit"]
    lines = piped("assist", "mastermind:4x6", typed="\n".join(typed)).stdout.splitlines()
    assert lines.count("took back 1111: 3,0; 2222: 1,0") == lines.count("took back 1234") == 1
    played = piped("play", "mastermind:4x6", "--seed", "5", typed="1111\nundo\nquit\n").stdout
    assert re.search(r"^took back 1111: \d,\d$", played, re.MULTILINE)
    (tmp_path / "t.csv").write_text("test,flu,cold\nfever,yes:9/no:1,no:9/yes:1\n")
    for command, answers in (("assist", "fever\nyes\n"), ("play", "fever\n")):
        done = piped(command, "table:t.csv,cells=sets", typed=f"{answers}undo\nquit\n", cwd=tmp_path)
        assert "took back fever: " in done.stdout
    many = piped("assist", "mastermind:4x6", "--method", "constructive", typed="1,0\nundo\nquit\n").stdout
    assert re.search(r"^took back [1-6 ]+: 1,0$", many, re.MULTILINE)


def listed(done: str) -> list[str]:
    """Return the guesses of the last list of advice."""
    rows = done.rpartition("best guesses by")[2].splitlines()
    return [row.split()[1] for row in rows if re.match(r" *[1-5]  ", row)]


def test_of_two_candidates_nothing_else_is_listed_unless_it_may_cost_less(tmp_path: Path) -> None:
    (tmp_path / "few.txt").write_text("bare\nbase\nbike\n")
    (tmp_path / "more.txt").write_text("risk\n")
    done = piped("assist", "wordle:few.txt,more.txt", "--history", "bike:=--=", typed="quit", cwd=tmp_path)
    assert listed(done.stdout) == ["bare", "base"]
    alike = json.loads(piped("assist", "mastermind:3x3", "--history", "111:0,0 122:1,0", "--json").stdout)
    assert [one["guess"] for one in alike["best"]] == alike["secrets"] == ["323", "332"]
    costs = "test,a,b,c,cost\na,win,no,no,5\nb,no,win,no,5\nc,no,no,win,5\nask,x,y,z,1\n"
    (tmp_path / "t.csv").write_text(costs)
    paid = piped("assist", "table:t.csv,win=win", "--history", "a:no", typed="quit", cwd=tmp_path)
    assert "ask" in listed(paid.stdout)


def test_a_letter_asked_again_is_no_turn_and_costs_nothing(tmp_path: Path) -> None:
    (tmp_path / "w.txt").write_text("bare\nbase\nbike\ncode\n")
    game = "hangman:w.txt,misses=2"
    played = piped("play", game, "--seed", "1", typed="z\ne\nE\ne\nhistory\nquit\n", cwd=tmp_path).stdout
    assert played.count("'e' was asked already: 4; that costs nothing\n") == 2
    assert "guess 2 (2 left): history" in re.sub(" *____ *|_e *|___e +", "", played)
    assisted = piped("assist", game, typed="r\nmiss\nr\nquit\n", cwd=tmp_path).stdout
    assert "'r' was asked already: miss; that costs nothing\n" in assisted
    assert assisted.count("(1 left)") == 2
    twice = piped("assist", game, "--history", "r:miss r:miss", typed="quit", cwd=tmp_path).stdout
    assert "(1 left)" in twice


CHEST = """
from fractions import Fraction

from guesstree import Game, register


class Chest(Game):
    spec, secrets, winning, responses = "chest:4", list("abcd"), None, ["yes", "no"]
    guesses, costs, cost_unit, budget = list("abc"), [[5, 5]] * 3, Fraction(1, 10), 12

    def respond(self, guess, secret):
        return int(guess != secret)


register("chest", example="chest:4", about="FOUR", reference="folklore")(lambda text: Chest())
"""


def test_what_may_be_paid_is_said_in_the_unit_of_the_costs(tmp_path: Path) -> None:
    (tmp_path / "chest.py").write_text(CHEST)
    words = ["--import", "chest", "play", "chest:4", "--seed"]
    given_up = (piped(*words, str(seed), typed="give up\n", cwd=tmp_path).stdout for seed in range(9))
    seed = next(seed for seed, told in enumerate(given_up) if "the secret was d" in told)
    told = piped(*words, str(seed), typed="a\nb\nc\n", cwd=tmp_path).stdout
    assert "guess 1 (1.2 left): " in told and "guess 3 (0.2 left): " in told
    assert "\nlost: 1.5 paid, 1.2 allowed; the secret was d\n" in told


def test_wordle_ends_after_six_guesses_and_other_games_do_not(tmp_path: Path) -> None:
    some = [f"{a}{b}aaa" for a in "bcdfg" for b in "hjklm"]
    (tmp_path / "w.txt").write_text("\n".join(some))
    game = "wordle:w.txt"
    told = piped("play", game, "--seed", "1", typed="give up\n", cwd=tmp_path).stdout
    secret = re.search("the secret was ([a-z]+)", told)
    assert secret and "guess 1 of 6: " in told
    others = [word for word in some if word != secret[1]]
    lost = piped("play", game, "--seed", "1", typed="\n".join(others[:7]), cwd=tmp_path).stdout
    assert f"\nlost after 6 guesses; the secret was {secret[1]}\nwhat each guess gave away:\n" in lost
    typed = "\n".join([*others[:5], secret[1]])
    assert (
        f"\nwon: the secret is {secret[1]}, 6 guesses\n"
        in piped("play", game, "--seed", "1", typed=typed, cwd=tmp_path).stdout
    )
    data = json.loads(
        piped("play", game, "--seed", "1", "--json", typed="\n".join(others[:7]), cwd=tmp_path).stdout
    )
    assert (data["outcome"], data["guesses"]) == ("lost", 6)
    lied = piped("play", game, "--seed", "1", "--lies", "1", typed="\n".join(others[:7]), cwd=tmp_path).stdout
    assert "lost" not in lied and "guess 1: " in lied
    assert "lost" not in piped("play", "mastermind:2x3", "--seed", "1", typed="11\n" * 8).stdout


def test_a_game_played_elsewhere_is_reviewed_at_its_end(tmp_path: Path) -> None:
    played = "112:1,2 121:1,2 211:3,0"
    done = piped("assist", "mastermind:3x3", "--history", played)
    assert "\nwon: the secret is 211, 3 guesses\nwhat each guess gave away:\n" in done.stdout
    assert "\nthe optimum needs " in done.stdout
    found = json.loads(piped("assist", "mastermind:3x3", "--history", played, "--json").stdout)
    assert [move["guess"] for move in found["review"]["moves"]] == ["112", "121", "211"]
    assert found["review"]["rivals"][0]["method"] == "exact"
    (tmp_path / "t.csv").write_text("test,flu,cold\nfever,yes,no\n")
    fault = piped("assist", "table:t.csv", "--history", "fever:no", cwd=tmp_path)
    assert fault.stdout.endswith("known: the cause is cold, 1 test\n")


def test_a_word_that_is_not_on_the_list_of_answers_is_told_and_advice_goes_on(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("crane\nslate\npilot\n")
    (tmp_path / "b.txt").write_text("grape\ngrate\nprate\nzebra\n")
    game = "wordle:a.txt,b.txt"
    won = piped("assist", game, "--history", "grape:ggggg", cwd=tmp_path).stdout
    among = f"among the 3 answers of {game}"
    assert f"'grape' is not {among}\nwon: the secret is grape, 1 guess\n" in won
    done = piped("assist", game, typed="crane\nbggbg\nundo\nquit\n", cwd=tmp_path).stdout
    said = f"no word {among} fits; of all 7 that may be guessed, 3 other words fit\n"
    told = done.partition(f"{said}  if response 1 alone is wrong: 3 candidates\n3 candidates; best")[2]
    wider, _, again = told.partition("took back crane: -==-=\n3 candidates; ")
    assert re.findall(r"^  \d  ([a-z]+) \*", wider, re.MULTILINE) == ["grape", "grate", "prate"]
    assert "  1  crane *" in again  # the list counts again
    data = json.loads(piped("assist", game, "--history", "crane:bggbg", "--json", cwd=tmp_path).stdout)
    assert (data["game"], data["secrets"]) == (f"{game},any", ["grape", "grate", "prate"])


def test_words_that_were_answers_already_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("crane\nslate\npilot\n")
    (tmp_path / "used.txt").write_text("SLATE\nolder\n")
    done = piped("assist", "wordle:a.txt,without=used.txt,hard", "--json", cwd=tmp_path)
    assert json.loads(done.stdout)["secrets"] == ["crane", "pilot"]
    asked = piped("assist", "wordle:a.txt,without=used.txt", "--history", "slate:bbgbg", cwd=tmp_path)
    assert "1 candidate: it must be crane" in asked.stdout
    everything = piped("assist", "wordle:a.txt,without=a.txt", "--json", cwd=tmp_path)
    assert everything.returncode == 2
    assert "every word is in 'a.txt'; expected some that are not" in everything.stderr
