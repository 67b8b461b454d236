"""The bench runs and measures what it says."""

from __future__ import annotations

from flows.bench.warehouse.measure import measure_warehouse


def test_the_bench_measures() -> None:
    result = measure_warehouse(attempts=10, criteria=3)
    assert (result["attempts"], result["verdicts"]) == (10, 30)
    assert all(result[name] > 0 for name in result if name.endswith(("_seconds", "_per_second")))
    assert result["growth"] > 0
    assert result["rows"] > 10 * 80
    assert result["questions"] > 30
