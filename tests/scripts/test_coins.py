"""The script of the page about coins: what the page says is what it measures."""

from pathlib import Path
from types import ModuleType

import loading
import pytest

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "coins.md").read_text()


@pytest.fixture(scope="module")
def script() -> ModuleType:
    return loading.script("coins")


def rows_of(name: str) -> list[list[str]]:
    lines = PAGE.split(f"<!-- {name} -->\n")[1].split("<!-- end -->")[0].splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in (lines[0], *lines[2:])]


def test_the_tables_of_few_coins_are_those_of_the_script(
    script: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(script, "FEW", range(1, 8))
    assert rows_of("few")[:8] == list(script.few())


def test_the_table_of_many_coins_is_that_of_the_script(script: ModuleType) -> None:
    assert rows_of("many")[:7] == list(script.many((10, 20, 50, 100, 200, 500)))


def test_the_guarantees_shown_are_kept(script: ModuleType) -> None:
    for coins, _, _, at_once, most, *means in rows_of("many")[1:]:
        assert int(at_once) <= int(most) <= int(at_once) + 1, coins
        assert all(float(mean) <= int(most) for mean in means)
    for row in rows_of("totals")[1:]:
        assert float(row[2]) <= int(row[3])
    for row in rows_of("lies")[1:]:
        for number, cell in zip((0, 1, 2, 5), row[1:], strict=True):
            measured, bound = map(int, cell.split(" of "))
            assert measured <= bound == script.weighings_with_lies_at_most(int(row[0]), number)


def test_random_schemes_get_better_with_more_weighings(script: ModuleType) -> None:
    columns = list(zip(*rows_of("random")[1:], strict=True))[1:]
    for column in columns:
        shares = [int(cell.removesuffix(" %")) for cell in column]
        assert shares[0] < 20
        assert shares[-1] >= 95


def test_decoding_is_checked(script: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    script.check_decoding((1, 5, 100), 50)
    assert capsys.readouterr().out.startswith("1 coins, 1 weighings: 50 decoded")


def test_a_plot_is_drawn(script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    monkeypatch.setattr(script, "MANY", (10, 100))
    script.plot(str(tmp_path / "a.svg"))
    assert "</svg>" in (tmp_path / "a.svg").read_text()
