"""The wheel built from the sdist is complete: another machine gets all that is here."""

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
PARTS = ("cext", "engine", "trees")
RUN = {".py", ".json", ".html", ".typed"}
COMPILED = {".pyx", ".pxd", ".h"}


def test_a_wheel_from_the_sdist_is_complete(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(tmp_path), str(ROOT)]
    quick = os.environ | {"CFLAGS": "-O0"}  # what is in the wheel is looked at, not how fast it is
    subprocess.run(command, check=True, capture_output=True, timeout=600, env=quick)
    (wheel,) = tmp_path.glob("*.whl")
    archive = zipfile.ZipFile(wheel)
    names = {name for name in archive.namelist() if not name.endswith("/")}
    (sdist,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(sdist) as tar:
        packed = {"/".join(name.split("/")[1:]) for name in tar.getnames()}
    sources = [p for folder in PARTS for p in (ROOT / folder).rglob("*") if p.is_file()]
    sources += [p for p in (ROOT / "guesstree").glob("**/*") if p.is_file()]
    for path in sources:
        inside = path.relative_to(ROOT)
        inside = inside if inside.parts[0] == "guesstree" else Path("guesstree") / inside
        if path.suffix in RUN:
            assert str(inside) in names, f"{inside} is missing"
        if path.suffix in RUN | COMPILED:
            assert str(inside) in packed, f"{inside} is missing in the sdist"
    assert {n.split("/")[-1].split(".")[0] for n in names if n.endswith(".so")} == {
        path.stem for path in (ROOT / "cext").glob("*.pyx")
    }
    assert all(name.startswith("guesstree") for name in names), "nothing is installed under another name"
    rest = {name for name in names if Path(name).suffix not in RUN | {".so"} and ".dist-info/" not in name}
    assert rest == set(), "what only a compiler reads, or only a test, is not installed"
    kernels = [archive.read(name) for name in names if name.endswith(".so")]
    assert not [data for data in kernels if b".debug_info" in data], "a third of a megabyte each, not two"
    assert {"LICENSE", "README.md", "CHANGELOG.md", "setup.py", "pyproject.toml"} <= packed
    folders = {name.split("/")[0] for name in packed if "/" in name}
    assert folders == {"guesstree", "guesstree.egg-info", "scripts"}, "nothing is there twice"
