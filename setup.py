"""Build the extension modules; everything else is in pyproject.toml."""

import gzip
import os
import re
import tarfile
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.editable_wheel import editable_wheel
from setuptools.command.sdist import sdist
from setuptools.modified import newer_group

ROOT = Path(__file__).parent.resolve()
FOLDERS = CEXT, _ = [(ROOT / "guesstree" / name).resolve() for name in ("cext", "verify")]
"""What the compiler reads: the real folders, where those in `guesstree/` are links to them."""
DEBUG = os.environ.get("GUESSTREE_DEBUG_KERNELS") == "1"  # rebuild with bounds checks on
SANITIZE = os.environ.get("GUESSTREE_SANITIZE_KERNELS") == "1"  # a wrong read or write ends the run
EPOCH = int(os.environ.setdefault("SOURCE_DATE_EPOCH", "315532800"))
"""When the files of a release were made, unless somebody says otherwise: 1980, the first year of zip."""
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]


TAKEN_IN = re.compile(
    r'(?:^ *#include|extern from) "([^"]+)"|^from guesstree\.cext\.(\w+) cimport', re.MULTILINE
)


def rests_on(path: Path) -> set[Path]:
    """Return the files of ours that a file takes in, those that they take in, and so on."""
    names = [header or f"{module}.pxd" for header, module in TAKEN_IN.findall(path.read_text())]
    if path.suffix == ".pyx":
        names.append(f"{path.stem}.pxd")
    found = {folder / name for name in names for folder in FOLDERS if (folder / name).exists()}
    return found.union(*map(rests_on, found))


def extension(path: Path) -> Extension:
    """Return the extension module `guesstree.cext.NAME` of a file NAME.pyx."""
    # x86-64-v2 (popcnt, shuffles) is what NumPy's own wheels need; AVX2 and AVX-512 are chosen at run time.
    march = ["-march=x86-64-v2"] if os.uname().machine in ("x86_64", "AMD64") else []
    if SANITIZE:
        optimize = ["-O1", "-g", "-fno-omit-frame-pointer", *SANITIZERS]
    else:  # Python's own flags ask for debugging symbols: six times the size, and a third more time to build
        optimize = ["-O3", "-g" if DEBUG else "-g0"]
    if "-O" in os.environ.get("CFLAGS", ""):  # who says how much is to be optimised decides
        optimize = [flag for flag in optimize if not flag.startswith("-O")]
    return Extension(
        f"guesstree.cext.{path.stem}",
        [str(path.relative_to(ROOT))],
        include_dirs=[str(folder.relative_to(ROOT)) for folder in FOLDERS],
        depends=sorted(str(file.relative_to(ROOT)) for file in rests_on(path)),
        extra_compile_args=[*optimize, "-pthread", "-Wno-unused-function", *march],
        extra_link_args=["-pthread", *(SANITIZERS if SANITIZE else [])],
    )


class BuildAll(build_ext):
    """Builds the kernels, and the checkers of certificates: programs of plain C in `guesstree/verify`."""

    def run(self) -> None:
        """Build what has changed."""
        super().run()
        folder = Path("guesstree/verify")
        target = (folder if self.inplace else Path(self.build_lib) / folder).resolve()
        self.mkpath(str(target))
        headers = [str(path) for path in folder.glob("*.h")]
        optimize = [] if "-O" in os.environ.get("CFLAGS", "") else ["-O3"]
        for source in map(str, sorted(folder.glob("*.c"))):
            program = f"gt{Path(source).stem}"
            if newer_group([source, *headers], str(target / program)):
                how = ["-std=c99", "-g0", *optimize]
                objects = self.compiler.compile([source], self.build_temp, extra_postargs=how)
                self.compiler.link_executable(objects, program, str(target))


class OneFolder(editable_wheel):
    """Installs with `-e` by the path of a folder that holds a link to the package and nothing else.

    Type checkers find the package there; the import hook that is made otherwise they cannot run, and the path
    of this folder would make `tests` and `scripts` importable everywhere.
    """

    def finalize_options(self) -> None:
        """Make the folder."""
        super().finalize_options()
        link = ROOT / "build" / "editable" / "guesstree"
        link.parent.mkdir(parents=True, exist_ok=True)
        if not link.is_symlink():
            link.symlink_to(ROOT / "guesstree", target_is_directory=True)
        self.package_dir = {"": str(link.parent.relative_to(ROOT))}


class SameBytes(sdist):
    """Writes the same archive each time: names sorted, and nothing of this machine or this moment."""

    def make_archive(
        self,
        base_name: str,
        format: str,
        root_dir: str | None = None,
        base_dir: str | None = None,
        owner: str | None = None,
        group: str | None = None,
    ) -> str:
        """Write a .tar.gz so, and any other format as usual."""
        if format != "gztar" or base_dir is None:
            return super().make_archive(base_name, format, root_dir, base_dir, owner, group)
        path = Path(f"{base_name}.tar.gz")
        with (
            path.open("wb") as file,
            gzip.GzipFile("", "wb", fileobj=file, mtime=EPOCH) as packed,
            tarfile.open(fileobj=packed, mode="w") as archive,
        ):
            archive.add(base_dir, filter=plain)
        return str(path)


def plain(file: tarfile.TarInfo) -> tarfile.TarInfo:
    """Return what an archive says of a file, without its time and owner."""
    file.mtime, file.uid, file.gid, file.uname, file.gname = EPOCH, 0, 0, "", ""
    file.mode = 0o755 if file.isdir() or file.mode & 0o100 else 0o644
    return file


def packages() -> list[str]:
    """Return the folders with Python, but for that of the checkers, which are programs of their own."""
    folders = os.walk(ROOT / "guesstree", followlinks=True)
    parts = {
        Path(folder).relative_to(ROOT).parts
        for folder, _, files in folders
        if any(f.endswith(".py") for f in files)
    }
    return sorted(".".join(names) for names in parts if "verify" not in names)


setup(
    packages=packages(),
    ext_modules=cythonize(
        [extension(path) for path in sorted(CEXT.glob("*.pyx"))],
        language_level=3,
        build_dir="build/cython",
        compiler_directives={"boundscheck": True, "initializedcheck": True} if DEBUG else {},
        force=DEBUG,
    ),
    cmdclass={"build_ext": BuildAll, "editable_wheel": OneFolder, "sdist": SameBytes},
    options={"build_ext": {"parallel": os.cpu_count()}},
)
