"""Compiled kernels, each with a plain twin; `GUESSTREE_CEXT` chooses (``compiled`` or ``reference``)."""

from __future__ import annotations

import os
from types import ModuleType


def _backend() -> tuple[ModuleType, ModuleType, ModuleType, ModuleType, ModuleType]:
    name = os.environ.get("GUESSTREE_CEXT", "compiled")
    if name == "reference":
        from . import reference, reference_counted, reference_lying, reference_onestep, reference_priced

        return reference, reference_counted, reference_onestep, reference_priced, reference_lying
    if name != "compiled":
        raise ImportError(f"GUESSTREE_CEXT is {name!r}; accepted: 'compiled' or 'reference'")
    # No silent fallback: without the compiled modules this raises.
    from . import counted as compiled_counted
    from . import kernels as compiled_kernels
    from . import lying as compiled_lying
    from . import onestep as compiled_onestep
    from . import priced as compiled_priced

    return compiled_kernels, compiled_counted, compiled_onestep, compiled_priced, compiled_lying


kernels, counted, onestep, priced, lying = _backend()
