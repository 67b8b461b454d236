from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

# Test folders are no packages (importmode=importlib): the shared matter is put on the path by name.
_spec = importlib.util.spec_from_file_location("reconcile_fixtures", Path(__file__).with_name("reconcile_fixtures.py"))
assert _spec is not None
assert _spec.loader is not None
_module = importlib.util.module_from_spec(_spec)
sys.modules.setdefault("reconcile_fixtures", _module)
_spec.loader.exec_module(_module)
