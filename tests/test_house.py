"""The house: files of a size to read, docstrings that say something, the field's words, imports one way."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
MOST_LINES = 600
FOLDERS = ("cext", "engine", "trees", "guesstree", "verify", "scripts", "tests", "docs")
SOURCES = {".py", ".pyx", ".pxd"}
TEXTS = SOURCES | {".h", ".c", ".md", ".html", ".js", ".css", ".toml"}
GONE = re.compile(
    r"\b(MassState|Scaled|Lookahead|Suspects|Fork|Pace|Wanted|[Ee]rrands?|Crew|Pieces|Watch|Splitting|Outset|Knowledge"
    r"|desk|Desk|smells|counsel|judging|engine\.(masses|methods|look|offers)|guesstree\.elsewhere)\b"
)
"""Words for which the code, the docs and the help have the field's words now."""


@cache
def files(*suffixes: str) -> list[Path]:
    """Return the files of the project with some endings, each once: not those behind links."""
    found = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.suffix in suffixes]
    linked = {path for path in (ROOT / "guesstree").iterdir() if path.is_symlink()}
    return [path for path in found if not linked & set(path.parents) and path.is_file()]


def test_every_file_can_be_read_in_one_go() -> None:
    lines = {str(path.relative_to(ROOT)): len(path.read_text().splitlines()) for path in files(*SOURCES)}
    assert len(lines) > 400
    assert {path: many for path, many in lines.items() if many > MOST_LINES} == {}


def stubs(path: Path) -> Iterator[str]:
    """Yield the functions of a file whose docstrings only say where to look."""
    source = path.read_text()
    for node in ast.walk(ast.parse(source)) if '"""See ' in source else ():
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            text = ast.get_docstring(node) or ""
            if re.fullmatch(r"See (the class|`[\w.]+`)\.?", text):
                yield f"{path.relative_to(ROOT)}: {node.name}: {text}"


def test_every_docstring_says_something_itself() -> None:
    assert [line for path in files(".py") for line in stubs(path)] == []


def test_words_that_were_replaced_are_gone() -> None:
    texts = {str(path.relative_to(ROOT)): path.read_text() for path in (*files(*TEXTS), *ROOT.glob("*.md"))}
    found = {
        name: sorted({word for word, *_ in GONE.findall(text)})
        for name, text in texts.items()
        if name != "tests/test_house.py"
    }
    assert {name: words for name, words in found.items() if words} == {}


def test_what_tests_leave_to_another_command_is_run_by_ci() -> None:
    tests = [path.read_text() for path in (ROOT / "tests").rglob("test_*.py")]
    left = {target for text in tests for target in re.findall(r'"make (\w+) (?:runs|builds) it', text)}
    assert left == {"clusters", "coq", "page", "wheel"}
    ci = (ROOT / ".ci" / "run").read_text()
    run = re.findall(r"^(?:\S+=\S* )?make (?:-j \d )?([\w ]+)", ci, re.MULTILINE)
    assert left <= set(" ".join(run).split())


def test_the_changes_of_a_version_can_be_read_in_one_go() -> None:
    _, *versions = (ROOT / "CHANGELOG.md").read_text().split("\n## ")
    assert [text.split("\n")[0] for text in versions if text.count("\n") > 150] == []
