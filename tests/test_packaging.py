"""The sdist and the wheel are complete: another machine gets all that runs, and all that is compiled."""

import io
import os
import shutil
import subprocess
import sys
import tarfile
import time
import tomllib
import zipfile
from hashlib import sha256
from pathlib import Path

import pytest
import yaml

import guesstree

ROOT = Path(__file__).parent.parent
PARTS = ("cext", "engine", "trees")
RUN = {".py", ".json", ".html", ".css", ".js", ".svg", ".csv", ".txt", ".typed", ".mo"}
COMPILED = {".pyx", ".pxd", ".h"}
CHECKER = {f"guesstree/verify/{path.name}" for path in (ROOT / "verify").iterdir() if path.suffix}
"""The sources of the checkers of certificates, and what they rest on: for a stranger to compile."""
DIST = os.environ.get("GUESSTREE_DIST")
"""Where `make wheel` has put the sdist and the wheel made from it."""


def sources(suffixes: set[str]) -> set[str]:
    """Return the files of the package by their place in it."""
    own = {path.relative_to(ROOT / "guesstree") for path in (ROOT / "guesstree").glob("**/*")}
    linked = {path.relative_to(ROOT) for part in PARTS for path in (ROOT / part).rglob("*")}
    return {str("guesstree" / path) for path in own | linked if path.suffix in suffixes}


def test_the_citation_is_that_of_the_package() -> None:
    """In the Citation File Format 1.2.0, whose schema asks for the first four and knows the others."""
    found = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    required, others = {"cff-version", "message", "title", "authors"}, {"type", "version", "license"}
    assert required | others <= set(found) <= required | others | {"abstract", "keywords"}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert (found["cff-version"], found["type"]) == ("1.2.0", "software")
    assert found["version"] == project["version"] == guesstree.__version__
    assert found["license"] == project["license"] and set(found["keywords"]) <= set(project["keywords"])
    assert all(isinstance(one, str) for one in [found["message"], found["title"], found["abstract"]])
    cited = (ROOT / "README.md").read_text()
    assert found["title"] in cited and f"{{{found['version']}}}" in cited and "(CITATION.cff)" in cited
    assert found["authors"] == [{"name": "The guesstree authors"}] and "{{The guesstree authors}}" in cited


@pytest.mark.long
def test_strict_mypy_finds_the_types_of_an_editable_install(tmp_path: Path) -> None:
    """In a folder of a user's own, where nothing says where the package is; and nothing else is found."""
    (tmp_path / "own.py").write_text(
        "import guesstree\n\nsolution = guesstree.solve('mastermind:2x2')\nreveal_type(solution.strategy)\n"
        "import setup\n"
    )
    command = [sys.executable, "-m", "mypy", "--strict", "own.py", "--cache-dir", "cache"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    shown = done.stdout.splitlines()
    assert shown[0] == 'own.py:4: note: Revealed type is "guesstree.api.strategy.Strategy"', done.stdout
    assert "own.py:5" in shown[1] and '"setup"' in shown[1]
    assert shown[-1].startswith("Found 1 error in 1 file"), "none in the package"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Copy the sources to where what a build leaves beside them is in nobody's way."""
    names = [Path(line).name for line in (ROOT / ".gitignore").read_text().split()]
    made = shutil.ignore_patterns(*names, ".git")
    return shutil.copytree(ROOT, tmp_path / "source", symlinks=True, ignore=made)


def built(source: Path, folder: Path, *words: str) -> dict[str, bytes]:
    """Build into a folder, without optimising, and return the files that are there then."""
    command = [sys.executable, "-m", "build", "--no-isolation", *words, "--outdir", str(folder), str(source)]
    subprocess.run(command, check=True, capture_output=True, env=os.environ | {"CFLAGS": "-O0"})
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.long
def test_the_sdist_is_complete(source: Path, tmp_path: Path) -> None:
    ((_, data),) = built(source, tmp_path / "dist", "--sdist").items()
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        names = {"/".join(file.name.split("/")[1:]) for file in archive.getmembers() if file.isfile()}
    assert sources(RUN | COMPILED) | CHECKER <= names
    assert {"LICENSE", "README.md", "CHANGELOG.md", "CITATION.cff", "setup.py", "pyproject.toml"} <= names
    folders = {name.split("/")[0] for name in names if "/" in name}
    assert folders == {"guesstree", "guesstree.egg-info", "scripts"}, "nothing is there twice"


@pytest.mark.long
@pytest.mark.timeout(900)
def test_a_release_built_twice_has_the_same_bytes(source: Path, tmp_path: Path) -> None:
    first = built(source, tmp_path / "first")
    time.sleep(2)  # the time of the files is another
    second = built(source, tmp_path / "second")
    assert sorted(Path(name).suffix for name in first) == [".gz", ".whl"]
    assert {name: sha256(data).hexdigest() for name, data in first.items()} == {
        name: sha256(data).hexdigest() for name, data in second.items()
    }


@pytest.mark.skipif(DIST is None, reason="make wheel builds it")
def test_the_wheel_from_the_sdist_is_complete_and_no_more() -> None:
    (wheel,) = (ROOT / str(DIST)).glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if not name.endswith("/")}
        kernels = {
            Path(name).name.split(".")[0]: archive.read(name) for name in names if name.endswith(".so")
        }
    programs = {name for name in CHECKER if name.endswith(".c")}
    programs = {name.removesuffix(".c").replace("/verify/", "/verify/gt") for name in programs}
    own = {name for name in names if ".dist-info/" not in name and not name.endswith(".so")}
    assert own == sources(RUN) | CHECKER | programs
    assert set(kernels) == {path.stem for path in (ROOT / "cext").glob("*.pyx")}
    assert not [name for name, data in kernels.items() if b".debug_info" in data], "not six times their size"
