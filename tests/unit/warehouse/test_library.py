"""great-expectations without what our suites never use: nothing of it is lost to whoever asks."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path
from threading import Thread

import pytest

from warehouse.expectations.library import LATER, LEFT_OUT, _Sparing, import_library

ROOT = Path(__file__).resolve().parents[3]
SCRIPT = """
import sys
from warehouse.expectations.library import LATER, LEFT_OUT, import_library
import_library()
loaded = {name.partition(".")[0] for name in sys.modules} & LEFT_OUT | set(sys.modules) & LATER
assert not loaded, f"loaded for nothing: {loaded}"
assert not [f for f in sys.meta_path if type(f).__module__.startswith("warehouse")], "the finder stays"

from great_expectations.expectations.core import expect_column_kl_divergence_to_be_less_than as divergence
assert round(float(divergence.stats.entropy([0.5, 0.5])), 3) == 0.693  # it has what it imported, when it asks
assert divergence.alt.Chart.__module__.startswith("altair.")
import altair, boto3, scipy.stats, sqlalchemy
assert scipy.stats.__file__ and scipy.stats.entropy is divergence.stats.entropy
assert altair.__file__ and altair.Chart is divergence.alt.Chart
"""


@pytest.mark.slow
def test_only_what_is_used_is_imported_and_the_rest_comes_when_asked_for() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_other_threads_import_as_ever() -> None:
    finder, found = _Sparing(), list[ModuleSpec | None]()
    finder.left_out = LEFT_OUT

    def look() -> None:
        found.extend(finder.find_spec(name, None) for name in ("boto3", *LATER))

    elsewhere = Thread(target=look)
    elsewhere.start()
    elsewhere.join()
    assert found == [None] * (1 + len(LATER))
    with pytest.raises(ModuleNotFoundError, match=r"boto3\.session is left out"):
        finder.find_spec("boto3.session", None)
    assert all(finder.find_spec(name, None) for name in LATER)
    assert finder.find_spec("boto3_like", None) is None


def test_a_driver_that_is_loaded_already_stays_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of sqlalchemy would be worse than none of it."""
    monkeypatch.setitem(sys.modules, "sqlalchemy", sys)
    assert _Sparing().find_spec("sqlalchemy.orm", None) is None


def test_importing_it_leaves_the_collector_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    import_library()
    monkeypatch.delitem(sys.modules, "great_expectations")
    monkeypatch.setattr(
        "warehouse.expectations.library.importlib.import_module", lambda name: seen.append(gc.isenabled())
    )
    seen: list[bool] = []
    import_library()
    assert (seen, gc.isenabled()) == ([False], True)
    gc.disable()
    try:
        import_library()
        assert not gc.isenabled()
    finally:
        gc.enable()
