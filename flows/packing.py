"""The words that an open data pack may hold, read from the registries of the code, so that additions are included."""

from __future__ import annotations

import typing

from flows.compute.planes import PlaneName
from flows.imports.records import RUNTIME
from tasks.drafting.cli_agents.records import adapter, adapter_names
from tasks.drafting.stage import runtime_names
from tasks.learning.acceptance import POLICIES
from tasks.learning.records import GateName
from tasks.matter.failures import FailureCause
from tasks.matter.reasons import ErrorClass, MatchKind, Outcome
from tasks.reconcile.registry import GATES
from tasks.toolbox.names import tool_names
from tasks.tracing.formats import trace_formats


def vocabularies() -> dict[str, tuple[str, ...]]:
    """Return the vocabularies that ``warehouse/pack/columns.toml`` names, each with its words."""
    efforts = {effort for name in adapter_names() for effort in adapter(name).call.efforts}
    return {
        "runtime": (*runtime_names(), RUNTIME),
        "effort": ("", *sorted(efforts)),
        "cause": ("", *FailureCause),
        "match_kind": ("", *MatchKind),
        "error_class": ("", *ErrorClass),
        "outcome": ("", *Outcome),
        "gate": GATES,
        "tool": tuple(sorted(tool_names())),
        "trace_format": trace_formats(),
        "edit_gate": ("", *typing.get_args(GateName)),
        "policy": ("", *POLICIES),
        "compute": ("", *typing.get_args(PlaneName), "import"),
    }
