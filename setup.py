"""Build the extension modules; everything else is in pyproject.toml."""

import os
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.editable_wheel import editable_wheel
from setuptools.modified import newer_group

ROOT = Path(__file__).parent.resolve()
SOURCES = Path("guesstree/cext")  # a link to cext/, resolved so that the compiler sees the real folder
CHECKERS = Path("guesstree/verify")  # a link to verify/
DEBUG = os.environ.get("GUESSTREE_DEBUG_KERNELS") == "1"  # rebuild with bounds checks on
SANITIZE = os.environ.get("GUESSTREE_SANITIZE_KERNELS") == "1"  # a wrong read or write ends the run
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]


def extension(name: str) -> Extension:
    """Return the extension module `guesstree.cext.NAME`."""
    path = (ROOT / SOURCES / f"{name}.pyx").resolve().relative_to(ROOT)
    folders = [
        path.parent,
        *([(ROOT / CHECKERS).resolve().relative_to(ROOT)] if name.endswith("claims") else []),
    ]
    # x86-64-v2 (popcnt, shuffles) is what NumPy's own wheels need; AVX2 is chosen at run time.
    march = ["-march=x86-64-v2"] if os.uname().machine in ("x86_64", "AMD64") else []
    if SANITIZE:
        optimize = ["-O1", "-g", "-fno-omit-frame-pointer", *SANITIZERS]
    else:  # Python's own flags ask for debugging symbols: six times the size, and a third more time to build
        optimize = ["-O3", "-g" if DEBUG else "-g0"]
    if "-O" in os.environ.get("CFLAGS", ""):  # who says how much is to be optimised decides
        optimize = [flag for flag in optimize if not flag.startswith("-O")]
    return Extension(
        f"guesstree.cext.{name}",
        [str(path)],
        include_dirs=[str(folder) for folder in folders],
        depends=[str(p) for folder in folders for p in folder.iterdir() if p.suffix in {".h", ".pxd"}],
        extra_compile_args=[*optimize, "-pthread", *march],
        extra_link_args=["-pthread", *(SANITIZERS if SANITIZE else [])],
    )


class BuildAll(build_ext):
    """Builds the kernels, and the checkers of certificates: programs of plain C in `guesstree/verify`."""

    def run(self) -> None:
        """Build what has changed."""
        super().run()
        target = (CHECKERS if self.inplace else Path(self.build_lib) / CHECKERS).resolve()
        self.mkpath(str(target))
        headers = [str(path) for path in CHECKERS.glob("*.h")]
        optimize = [] if "-O" in os.environ.get("CFLAGS", "") else ["-O3"]
        for source in map(str, sorted(CHECKERS.glob("*.c"))):
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


KERNELS = (
    "core",
    "kernels",
    "claims",
    "priced_claims",
    "evaluate",
    "counted",
    "pricing",
    "priced",
    "lying",
    "onestep",
    "belief",
    "noisy",
)

setup(
    ext_modules=cythonize(
        [extension(name) for name in KERNELS],
        language_level=3,
        build_dir="build/cython",
        compiler_directives={"boundscheck": True, "initializedcheck": True} if DEBUG else {},
        force=DEBUG,
    ),
    cmdclass={"build_ext": BuildAll, "editable_wheel": OneFolder},
    options={"build_ext": {"parallel": os.cpu_count()}},
)
