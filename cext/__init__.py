"""Compiled kernels, each with a plain twin; `GUESSTREE_CEXT` chooses (``compiled`` or ``reference``)."""

from __future__ import annotations

import os
from types import ModuleType


def _backend() -> tuple[ModuleType, ModuleType, ModuleType, ModuleType, ModuleType]:
    name = os.environ.get("GUESSTREE_CEXT", "compiled")
    if name == "reference":
        from . import reference, reference_costs, reference_dfs, reference_lies, reference_onestep

        return reference, reference_dfs, reference_onestep, reference_costs, reference_lies
    if name != "compiled":
        raise ImportError(f"GUESSTREE_CEXT is {name!r}; accepted: 'compiled' or 'reference'")
    # No silent fallback: without the compiled modules this raises.
    from . import costs as compiled_costs
    from . import dfs as compiled_dfs
    from . import kernels as compiled_kernels
    from . import lies as compiled_lies
    from . import onestep as compiled_onestep

    return compiled_kernels, compiled_dfs, compiled_onestep, compiled_costs, compiled_lies


kernels, dfs, onestep, costs, lies = _backend()
