"""The names of the tools, without importing one: the driver of a run holds the harness against them."""

from __future__ import annotations

from pkgutil import iter_modules

from tasks.toolbox import tools


def tool_names() -> frozenset[str]:
    """Return the names of the tools: a tool is called as the module of ``tasks/toolbox/tools`` that holds it."""
    return frozenset(module.name for module in iter_modules(tools.__path__))
