"""A game is proved on clusters that lose a part: where their libraries are installed."""

import pytest
from loading import script

clusters = script("clusters")


@pytest.mark.parametrize(("cluster", "library"), [("ray", "ray"), ("dask", "distributed"), ("mpi", "mpi4py")])
@pytest.mark.long
def test_a_part_of_a_cluster_is_lost(cluster: str, library: str, capfd: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip(library)
    clusters.main([cluster, "mastermind:4x7", "--total", "11228", "--after", "10"])
    lines = capfd.readouterr().out.splitlines()
    assert any(line.startswith(f"{cluster}: mastermind:4x7: total 11228, proved 11228 in ") for line in lines)
    assert lines[-1] == "bound: mastermind 4 7, win: at least 11228 in total"
