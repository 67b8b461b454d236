"""Processes of ours look for garbage seldom."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
ENTRIES = {
    "the command": "from flows.cli import main; main(['config', '--json'])",
    "a worker": "from flows.compute.worker import main; main()",
}


@pytest.mark.parametrize("entry", ENTRIES.values(), ids=ENTRIES)
def test_garbage_is_looked_for_seldom(entry: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", f"{entry}; import gc, sys; sys.exit(gc.get_threshold()[0] // 1000)"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 20
