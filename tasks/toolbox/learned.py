"""Calls of the learned tools of a harness: each runs in a sandbox, with its arguments and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from skills_repo.learned import Learned
from tasks.drafting.learned.calling import FindSandbox, call
from tasks.toolbox.desk import Desk

TYPES: Final[Mapping[str, type]] = MappingProxyType(
    {"string": str, "integer": int, "number": float, "boolean": bool, "document": str}
)


def call_learned(learned: Learned, find: FindSandbox, desk: Desk, **given: Any) -> dict[str, Any]:
    """Hand a tool its arguments; of a document, the text."""
    documents = {name for name, kind in learned.arguments.items() if kind == "document"}
    handed = {name: desk.text(value).text if name in documents else value for name, value in given.items()}
    return dict(call(learned, handed, find))
