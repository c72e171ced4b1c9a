"""The script for Slurm, run where there is no Slurm: what Slurm would do is done by small programs here."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

SCRIPT = Path(__file__).parent.parent.parent / "docs" / "cluster" / "prove.sbatch"
JOB = 7
PORT = 20007
"""Of the scheduler of this job."""
SRUN = """#!/bin/bash
while [[ $1 == --* ]]; do shift; done
exec "$@"
"""
"""As on one node."""
SCONTROL = """#!/bin/bash
echo "$@" >> scontrol.said
"""


def start(
    folder: Path, words: list[str], programs: Mapping[str, str], nodes: int = 1
) -> subprocess.Popen[str]:
    """Start the script in a folder as a job on nodes of two processors, of which one is there."""
    for name, text in {"srun": SRUN, "scontrol": SCONTROL, **programs}.items():
        path = folder / "bin" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)
    (folder / "disk").mkdir(exist_ok=True)
    own = {"PATH": f"{folder / 'bin'}:{Path(sys.executable).parent}:{os.environ['PATH']}"}
    own |= {"SLURM_JOB_ID": str(JOB), "SLURM_JOB_NUM_NODES": str(nodes), "SLURM_CPUS_PER_TASK": "2"}
    own |= {"SLURM_MEM_PER_NODE": "400", "TMPDIR": str(folder / "disk")}
    command = ["bash", str(SCRIPT), *words]
    pipe, both = subprocess.PIPE, subprocess.STDOUT
    return subprocess.Popen(
        command, cwd=folder, env={**os.environ, **own}, text=True, stdout=pipe, stderr=both
    )
