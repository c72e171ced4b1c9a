"""A game is proved on clusters that lose a part; their libraries are not installed for the other tests."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from downloads import foreign_that_ran, unsafe_environment, write_foreign
from loading import script

clusters = script("clusters")

pytestmark = pytest.mark.skipif("GUESSTREE_CLUSTERS" not in os.environ, reason="make clusters runs it")


@pytest.mark.parametrize("cluster", ["ray", "dask", "mpi"])
def test_a_part_of_a_cluster_is_lost(cluster: str, capfd: pytest.CaptureFixture[str]) -> None:
    clusters.main([cluster, "mastermind:4x7", "--total", "11228"])
    lines = capfd.readouterr().out.splitlines()
    assert "  it ended before anything was lost" not in lines
    assert any(line.startswith(f"{cluster}: mastermind:4x7: total 11228, proved 11228 in ") for line in lines)
    assert lines[-1] == "bound: mastermind 4 7, win: at least 11228 in total"


def test_workers_of_ray_run_no_file_of_the_folder(tmp_path: Path) -> None:
    write_foreign(tmp_path)
    words = ["-m", "guesstree", "prove", "mastermind:3x4", "--cluster", "ray", "--out", "a.proof"]
    command = [sys.executable, *words]
    done = subprocess.run(command, cwd=tmp_path, env=unsafe_environment(), capture_output=True, text=True)
    assert (done.returncode, foreign_that_ran(tmp_path)) == (0, []), done.stderr
    assert done.stdout.splitlines()[-1].startswith("verified: ")
