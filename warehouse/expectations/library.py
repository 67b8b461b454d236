"""Imports great-expectations without what our suites never use.

Its package imports everything it could ever need: drivers of databases and clouds, and for one expectation that we
do not have (the divergence of two distributions) all of scipy's statistics and a library of charts: 3.3 s of the
processor, 1.4 s as it is done here.
"""

from __future__ import annotations

import gc
import importlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from threading import get_ident
from types import ModuleType
from typing import Any

LEFT_OUT = frozenset(
    ("azure", "boto3", "botocore", "databricks", "google", "psycopg2", "pyodbc", "pyspark", "snowflake", "sqlalchemy")
)
"""Drivers that great-expectations can do without and takes for not installed, where nothing else has loaded them."""

LATER = frozenset(("altair", "scipy.stats"))
"""Modules that it cannot do without; they are loaded when something of them is first asked for."""


def import_library() -> None:
    """Import great-expectations; ``import great_expectations`` costs nothing afterwards."""
    os.environ.setdefault("GX_ANALYTICS_ENABLED", "false")
    if "great_expectations" not in sys.modules:
        with _sparing(), _no_collection():
            importlib.import_module("great_expectations.expectations")


class _Postponed(ModuleType):
    """Stands for a module until something of it is asked for; then it is imported, and answers."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # those who look through all loaded modules ask for these
            raise AttributeError(name)
        _forget(self)
        return getattr(importlib.import_module(self.__name__), name)


class _PostponedLoader(Loader):
    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return _Postponed(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing yet."""


class _Sparing(MetaPathFinder):
    """Finds nothing for the drivers left out, and a stand-in for what can wait; in one thread only."""

    def __init__(self) -> None:
        self.thread = get_ident()
        self.left_out = LEFT_OUT - sys.modules.keys()

    def find_spec(self, name: str, _path: object, _target: object = None) -> ModuleSpec | None:
        """Return the stand-in; None leaves the name to the finders after this one."""
        if get_ident() != self.thread:
            return None
        if name.partition(".")[0] in self.left_out:
            raise ModuleNotFoundError(f"{name} is left out of great-expectations", name=name)
        return ModuleSpec(name, _PostponedLoader()) if name in LATER else None


@contextmanager
def _sparing() -> Iterator[None]:
    finder = _Sparing()
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        for name in LATER:  # whoever else imports them gets the module itself
            _forget(sys.modules.get(name))


def _forget(module: ModuleType | None) -> None:
    """Take a stand-in out of the loaded modules."""
    if not isinstance(module, _Postponed) or sys.modules.get(module.__name__) is not module:
        return
    del sys.modules[module.__name__]
    package, _, name = module.__name__.rpartition(".")
    if package and vars(sys.modules[package]).get(name) is module:
        delattr(sys.modules[package], name)


@contextmanager
def _no_collection() -> Iterator[None]:
    """Collect no garbage: an import makes none, and looking for it takes a fifth of the time."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()
