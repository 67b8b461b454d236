"""The bench runs and measures what it says."""

from __future__ import annotations

from flows.bench.warehouse import measure_warehouse


def test_the_bench_measures() -> None:
    result = measure_warehouse(attempts=2, criteria=3)
    assert (result["attempts"], result["verdicts"]) == (2, 6)
    assert all(result[name] > 0 for name in result if name.endswith("_seconds"))
