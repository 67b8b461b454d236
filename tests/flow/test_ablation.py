"""`solon bench ablation`: cells on the same matters, compared pair by pair from the verdicts that landed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from flows.bench.registry import measure, render
from flows.bench.request import BenchRequest
from flows.settings import Settings, load_settings
from tasks.matter.failures import SolonError


@pytest.mark.slow
@pytest.mark.usefixtures("unchecked", "kept_workers", "unpictured", "sealed_here")
def test_cells_are_paired_by_matter(corpus: Callable[..., Path], offline: Settings) -> None:
    home = offline.home.parent
    (home / "solon.toml").write_text(
        '[models.nowhere]\nmodel = "openai/x"\napi_base = "http://127.0.0.1:9/v1"\nretries = 0\n'
        '[cells.twin]\nruntime = "extractive"\n'
    )
    settings = load_settings({"home": offline.home, "workers": 1, "prefect": "off"}, cwd=home, env={})
    result = measure("ablation", BenchRequest(settings, corpus(2), None, ["extractive", "twin", "api:nowhere"]))
    assert result["base"] == "extractive"
    assert set(result["paired"]) == {"twin", "api:nowhere"}
    twin, nobody = result["paired"]["twin"], result["paired"]["api:nowhere"]
    assert (twin["matters"], twin["criteria"], twin["left_out"]) == (2, 4, 2)  # one criterion a matter is unscored
    assert (twin["pooled_difference"], twin["gained"], twin["lost"], twin["same"]) == (0.0, 0, 0, 2)
    # An endpoint that is down scored nothing, so there is no pair: no loss, and no gain for the other.
    assert (nobody["matters"], nobody["criteria"], nobody["left_out"], nobody["lost"]) == (0, 0, 6, 0)
    text = render("ablation", result)
    assert "twin less extractive" in text
    assert "n 2 matters, 4 criteria scored under both (2 left out)" in text


def test_one_cell_is_no_comparison(corpus: Callable[..., Path], offline: Settings) -> None:
    with pytest.raises(SolonError, match="at least two cells"):
        measure("ablation", BenchRequest(offline, corpus(1), None, ["extractive", "extractive"]))
