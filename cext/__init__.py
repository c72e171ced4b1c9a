"""Compiled kernels, each with a plain twin; `GUESSTREE_CEXT` chooses (``compiled`` or ``reference``).

`claims`, `noisy_claims` and `priced_claims` have none: they call the checkers of certificates, which are
in C; the checkers in Python read what is written.
"""

from __future__ import annotations

import os
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from .outcome import Outcome

NAMES = (
    "kernels",
    "counted",
    "onestep",
    "priced",
    "lying",
    "noisy",
    "leaves",
    "misses",
    "kits",
    "hosts",
)


def _backend() -> tuple[ModuleType, ...]:
    name = os.environ.get("GUESSTREE_CEXT", "compiled")
    if name not in ("compiled", "reference"):
        raise ImportError(f"GUESSTREE_CEXT is {name!r}; expected 'compiled' or 'reference'")
    twins = ("reference", *(f"reference_{kernel}" for kernel in NAMES[1:]))
    # No silent fallback: without the compiled modules this raises.
    names = *(twins if name == "reference" else NAMES), "claims", "priced_claims", "noisy_claims"
    return tuple(import_module(f".{m}", __name__) for m in names)


if TYPE_CHECKING:  # a kernel has the types of its twin, which are written down there
    from . import reference as kernels
    from . import reference_counted as counted
    from . import reference_hosts as hosts
    from . import reference_kits as kits
    from . import reference_leaves as leaves
    from . import reference_lying as lying
    from . import reference_misses as misses
    from . import reference_noisy as noisy
    from . import reference_onestep as onestep
    from . import reference_priced as priced

    claims: Any
    priced_claims: Any
    noisy_claims: Any
else:
    (
        kernels,
        counted,
        onestep,
        priced,
        lying,
        noisy,
        leaves,
        misses,
        kits,
        hosts,
        claims,
        priced_claims,
        noisy_claims,
    ) = _backend()

__all__ = [
    "Outcome",
    "claims",
    "counted",
    "hosts",
    "kernels",
    "kits",
    "leaves",
    "lying",
    "misses",
    "noisy",
    "noisy_claims",
    "onestep",
    "priced",
    "priced_claims",
]
