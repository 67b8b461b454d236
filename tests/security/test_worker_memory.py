"""A body that asks for more memory than a worker's share fails alone and typed."""

from __future__ import annotations

import pytest

from flows.compute.planes import open_compute
from flows.compute.protocol import Resources
from tasks.matter.failures import FailureCause, SolonError


def test_a_worker_cannot_take_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flows.compute.inline.share", lambda: 1024**3)
    monkeypatch.delenv("SOLON_WORKER_BYTES", raising=False)
    compute = open_compute("inline", workers=1)
    need = Resources(stage="draft", seconds=60)
    try:
        with pytest.raises(SolonError) as caught:
            compute.submit(bytearray, 2 * 1024**3, resources=need).result()
        assert caught.value.failure.cause is FailureCause.CAPACITY
        assert compute.submit(len, b"abc", resources=need).result() == 3
    finally:
        compute.close()
