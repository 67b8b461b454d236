"""The layers of the house hold: import-linter over the project's contracts."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def test_the_layers_hold(project: Path) -> None:
    tool = Path(sys.executable).parent / "lint-imports"
    done = subprocess.run(
        [str(tool), "--no-cache"],
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(project)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    assert "0 broken" in done.stdout
