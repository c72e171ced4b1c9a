"""Certificates without what the checker does not need."""

import json
import time
from dataclasses import replace
from pathlib import Path

import pytest
from fast_checker import built, judged
from slow_checker import judged as slowly_judged

from guesstree.api.certificate import Certificate, prove
from guesstree.api.minimise import Part, minimised, parts_of
from guesstree.cli import main


def run(*words: str) -> int:
    """Run a command; return its exit status."""
    with pytest.raises(SystemExit) as end:
        main(list(words))
    assert isinstance(end.value.code, int)
    return end.value.code


def padded(certificate: Certificate) -> Certificate:
    """Return a certificate with a true lemma in front that nothing rests on."""
    text = certificate.text.replace(" (\n", " (\n0011 0122 1 .\n", 1)
    return replace(certificate, text=text, lemmas=certificate.lemmas + 1)


def each_without_one(whole: Part, text: str) -> list[str]:
    """Return texts of a certificate, each without one item."""
    head, found = text.partition(" (")[0], []
    for part in list(whole.inner()):
        part.out = True
        found.append(f"{head} {whole.text.lstrip()}\n")
        part.out = False
    return found


@pytest.mark.parametrize("spec", ["mastermind:4x4", "blackpeg:3x3", "bulls:3x4", "coins:4", "blackpeg:2x6"])
def test_each_item_that_is_left_is_needed(tmp_path: Path, spec: str) -> None:
    proved = prove(spec, "expected")
    fewer, checker = minimised(proved), built()
    for name, data in fewer.files.items():
        (tmp_path / name).write_bytes(data)
    assert judged(checker, tmp_path, fewer.text) == [""]
    assert slowly_judged(tmp_path, fewer.text) == ""
    assert fewer.before == (proved.lemmas, len(proved.text))
    assert fewer.lemmas <= proved.lemmas
    assert len(fewer.text) <= len(proved.text)
    body = fewer.text.rstrip("\n").partition(" (")[2]
    if body:
        whole = parts_of(f"({body}")
        assert all(judged(checker, tmp_path, *each_without_one(whole, fewer.text)))


def test_a_certificate_with_lies_is_minimised(tmp_path: Path) -> None:
    """Its lemmas have no bounds."""
    proved, lemma = prove("mastermind:2x4", "worst", lies=1), "02 00 .\n"
    text = proved.text.replace(lemma, 2 * lemma)
    fewer = minimised(replace(proved, text=text, lemmas=proved.lemmas + 1))
    assert fewer.lemmas <= proved.lemmas
    assert judged(built(name="lies"), tmp_path, fewer.text) == [""]
    whole = parts_of(f"({fewer.text.rstrip().partition(' (')[2]}", bounded=False)
    assert all(judged(built(name="lies"), tmp_path, *each_without_one(whole, fewer.text)))


def test_lemmas_that_nothing_rests_on_go() -> None:
    proved = prove("mastermind:4x4", "expected")
    assert minimised(padded(proved)).text == minimised(proved).text


def test_when_the_time_is_up_the_rest_stays() -> None:
    proved = prove("mastermind:4x4", "expected")
    late = minimised(replace(proved, due=time.monotonic()))
    assert late.text == proved.text
    assert not late.stopped


def test_ctrl_c_keeps_what_was_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    proved, calls = padded(prove("mastermind:4x4", "expected")), list[Path]()
    from guesstree.api import minimise
    from guesstree.api.verification import run_checker as check

    def interrupted(path: Path, seconds: float | None = None) -> object:
        calls.append(path)
        if len(calls) == 12:
            raise KeyboardInterrupt
        return check(path, seconds)

    monkeypatch.setattr(minimise, "run_checker", interrupted)
    some = minimised(proved)
    monkeypatch.undo()
    assert some.stopped == "interrupt"
    assert some.line.startswith("verified")


def test_a_pair_has_both_minimised() -> None:
    pair = minimised(prove("mastermind:3x4", "worst,expected"))
    assert pair.more is not None
    assert pair.more.before is not None
    assert pair.more.line.startswith("verified")


def test_the_command_says_what_is_left(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "4x4.proof")
    assert run("prove", "mastermind:4x4", "--out", out, "--minimise") == 0
    lines = capsys.readouterr().out.splitlines()
    assert "  minimised: 3 lemmas of 3, 144 bytes of 234 are left" in lines
    assert lines[-1] == "verified: every strategy for 256 secrets costs at least 905 (256 guesses, 3 lemmas)"
    assert run("prove", "mastermind:4x4", "--out", out, "--minimise", "--json") == 0
    proof = json.loads(capsys.readouterr().out)["proof"]
    assert (proof["lemmas"], proof["bytes"], proof["before"]) == (3, 144, {"lemmas": 3, "bytes": 234})


@pytest.mark.parametrize("spec", ["mastermind:4x4", "coins:5"])
def test_a_certificate_in_a_file_is_minimised(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], spec: str
) -> None:
    """It becomes what `prove --minimise` writes, with the files that it names, in another folder too."""
    proved, out = prove(spec, "expected"), tmp_path / "more" / "small.proof"
    out.parent.mkdir()
    proved.write(tmp_path / "some.proof")
    assert run("verify", str(tmp_path / "some.proof"), "--minimise", str(out)) == 0
    lines, expected = capsys.readouterr().out.splitlines(), minimised(proved)
    assert out.read_text() == expected.text
    assert {path.name for path in out.parent.iterdir()} == {out.name, *proved.files}
    left = f"{expected.lemmas} lemmas of {proved.lemmas}, {len(expected.text)} bytes of {len(proved.text)}"
    assert lines[0].startswith(f"{tmp_path / 'some.proof'}: verified: ")
    assert f"  minimised: {left} are left" in lines
    assert lines[-1] == expected.line
    assert run("verify", str(tmp_path / "some.proof"), "--minimise", str(out), "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["proof"]["before"] == {"lemmas": proved.lemmas, "bytes": len(proved.text)}
    assert found["proof"]["verified"] == [expected.line]


def test_what_is_terse_stays_as_it_is(tmp_path: Path) -> None:
    """A certificate in one line, without a line end, of which all is needed, is not made larger."""
    terse = " ".join(minimised(prove("mastermind:4x4", "expected")).text.split())
    (tmp_path / "terse.proof").write_text(terse)
    out = tmp_path / "out.proof"
    assert run("verify", str(tmp_path / "terse.proof"), "--minimise", str(out)) == 0
    assert out.read_text() == terse


def test_what_cannot_be_minimised_is_said_and_nothing_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    some, other, out = tmp_path / "some.proof", tmp_path / "other.proof", tmp_path / "out.proof"
    text = prove("mastermind:4x4", "expected").text
    some.write_text(text)
    other.write_text(text.replace(" 905 ", " 906 ", 1))
    assert run("verify", str(some), str(other), "--minimise", str(out)) == 2
    assert "--minimise" in capsys.readouterr().err
    assert run("verify", str(some), "--minimise", str(some)) == 2
    assert "is read here, and would be lost" in capsys.readouterr().err
    assert run("verify", str(other), "--minimise", str(out)) == 1
    assert "refused" in capsys.readouterr().out
    kit = tmp_path / "kit.proof"
    assert run("plan", "mastermind:1x2", "--proof", str(kit)) == 0
    capsys.readouterr()
    assert run("verify", str(kit), "--minimise", str(out)) == 2
    assert "is the certificate of a kit" in capsys.readouterr().err
    assert some.read_text() == text
    assert not out.exists()


def test_nothing_that_is_only_believed_is_minimised(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("prove", "mastermind:3x3", "--trust", "--minimise") == 2
    assert "--minimise" in capsys.readouterr().err
