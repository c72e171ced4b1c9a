"""The wheel built from the sdist is complete: another machine gets all that is here."""

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
PARTS = ("cext", "engine", "trees")


def test_a_wheel_from_the_sdist_is_complete(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(tmp_path), str(ROOT)]
    quick = os.environ | {"CFLAGS": "-O0"}  # what is in the wheel is looked at, not how fast it is
    subprocess.run(command, check=True, capture_output=True, timeout=600, env=quick)
    (wheel,) = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    sources = [p for folder in PARTS for p in (ROOT / folder).rglob("*") if p.is_file()]
    sources += [p for p in (ROOT / "guesstree").glob("**/*") if p.is_file()]
    for path in sources:
        if path.suffix in {".py", ".pyx", ".h", ".pxd", ".json", ".html", ".typed"}:
            inside = path.relative_to(ROOT)
            inside = inside if inside.parts[0] == "guesstree" else Path("guesstree") / inside
            assert str(inside) in names, f"{inside} is missing"
    assert {n.split("/")[-1].split(".")[0] for n in names if n.endswith(".so")} == {
        path.stem for path in (ROOT / "cext").glob("*.pyx")
    }
    assert all(name.startswith("guesstree") for name in names), "nothing is installed under another name"
    (sdist,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        packed = {"/".join(name.split("/")[1:]) for name in archive.getnames()}
    assert {"LICENSE", "README.md", "CHANGELOG.md", "setup.py", "pyproject.toml"} <= packed
