"""Cells by name: tables of solon.toml, or ``runtime[:profile[:effort]]``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError

from flows.settings import Settings
from tasks.drafting.records import Cell, Examined
from tasks.drafting.stage import asks_model, options_of, require_acting, runtime, runtime_names
from tasks.drafting.workspace.sandboxes import find_sandbox
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.models.loading import joint_digest, load_profiles, profiles_in_force
from tasks.models.profile import ModelProfile
from tasks.models.routing import PREFIX, candidates_of, find_route, is_route, route_digest
from tasks.toolbox.names import tool_names

_NAME = re.compile(r"^[A-Za-z0-9][A-Za-z0-9:._+-]{0,99}$")


def resolve_cells(names: Sequence[str], settings: Settings) -> list[Cell]:
    """Resolve names in order, without repeats.

    Raises:
        SolonError: A name is neither a cell of solon.toml nor a runtime.
    """
    return [resolve_cell(name, settings) for name in dict.fromkeys(names)]


def resolve_cell(name: str, settings: Settings) -> Cell:
    """Resolve one name."""
    try:
        return _pinned(Cell.model_validate({"name": name, **table_of(name, settings)}), settings)
    except ValidationError as exc:
        error = exc.errors()[0]
        where = ".".join(str(p) for p in error["loc"])
        raise _misuse(f"cells.{name}", f"{where}: {error['msg']}", "correct it in solon.toml") from None


def table_of(name: str, settings: Settings) -> dict[str, Any]:
    """Return the configuration that a name stands for, as a table of solon.toml holds it.

    Raises:
        SolonError: The name is neither a cell of solon.toml nor a runtime.
    """
    if not _NAME.match(name) or name.isdigit():  # a number is the name of an attempt
        raise _misuse(name, "is not a valid name for a cell", "use letters, digits and . _ + - :, and not digits alone")
    table = settings.cells.get(name)
    if table is not None:
        return {"runtime": name, **table}
    kind, _, rest = name.partition(":")
    route = PREFIX if rest.startswith(PREFIX) else ""
    profile, _, effort = rest.removeprefix(route).partition(":")
    profile = route + profile
    if kind not in runtime_names():
        known = ", ".join([*settings.cells, *runtime_names()])
        raise _misuse(name, "is no cell", f"use one of {known}, or define [cells.{name}] in solon.toml")
    return {"runtime": kind, "profile": profile, "effort": effort}


def _pinned(cell: Cell, settings: Settings) -> Cell:
    """Check runtime, sandbox and model profile before money is spent, and put the profile's digest into the cell.

    So another model under the same name makes another cell, and so does another version of an agent program.
    """
    if cell.runtime not in runtime_names():
        known = ", ".join(runtime_names())
        raise _misuse(f"cells.{cell.name}", f"{cell.runtime!r} is not a runtime of this version", f"use one of {known}")
    _require_read(cell)
    require_acting(cell)
    withheld_tools(cell)
    if (wanted := cell.options.get("sandbox")) is not None:
        find_sandbox(str(wanted))
    if not asks_model(cell):
        return _with_program(cell, ())
    if isinstance(given := cell.options.get("model"), dict):
        name = cell.profile or str(given.get("name", "model"))
        return _with_program(cell, [load_profiles({name: given})[name]])
    if not cell.profile:
        raise _misuse(cell.name, "names no model profile", f"use {cell.runtime}:<profile>, with [models.<profile>]")
    profiles = profiles_in_force(settings.models_file)
    if is_route(cell.profile):
        route = find_route(cell.profile, settings.models_file)
        digest, answering = route_digest(route, profiles), candidates_of(route.profiles, profiles)
    else:
        answering = candidates_of([cell.profile], profiles)
        digest = joint_digest(answering[0], tuple(answering[1:]))
    pinned = _with_program(cell, answering)
    return pinned.model_copy(update={"options": {**pinned.options, "model_digest": digest}})


def _with_program(cell: Cell, answering: Sequence[ModelProfile]) -> Cell:
    """Let the runtime check what it needs on this machine; what it finds becomes part of the cell."""
    made = runtime(cell.runtime)
    if not isinstance(made, Examined):
        return cell
    return cell.model_copy(update={"options": {**cell.options, "program": made.examined(cell, answering)}})


def _require_read(cell: Cell) -> None:
    """Refuse what would have no effect: an option that the runtime does not take, or an effort without a model."""
    known = options_of(cell.runtime)
    if unread := sorted(set(cell.options) - set(known)):
        message = f"{', '.join(unread)} is no option of the runtime {cell.runtime}, and would change nothing"
        raise _misuse(
            f"cells.{cell.name}.options", message, f"correct it, or leave it out; it takes {', '.join(known)}"
        )
    if (cell.profile or cell.effort) and not asks_model(cell):
        what = "the model profile" if cell.profile else "the effort"
        message = f"{cell.runtime} asks no model here, and {what} {cell.profile or cell.effort!r} would change nothing"
        raise _misuse(f"cells.{cell.name}", message, "leave it out, or use a runtime that asks one")


def withheld_tools(cell: Cell) -> frozenset[str]:
    """Return the tools of the toolbox that a cell is not offered (``options.without_tools``).

    Raises:
        SolonError: It is no list, or names a tool that there is not (``input``).
    """
    told, subject = cell.options.get("without_tools", []), f"cells.{cell.name}.options.without_tools"
    if not isinstance(told, list) or not all(isinstance(name, str) for name in told):
        raise _misuse(subject, "is not a list of names", 'write ["summarize_docs"]')
    known = tool_names() - {"build_deliverable"}  # without it nothing lands
    if unknown := sorted(set(told) - known):
        raise _misuse(subject, f"names no tool: {unknown[0]!r}", f"choose among {', '.join(sorted(known))}")
    return frozenset(told)


def detail_of(detail: str, cells: Sequence[Cell]) -> str:
    """Choose what Prefect records: a task run per stage where stages take seconds, else one per matter."""
    if detail in {"stage", "matter", "batch"}:
        return detail
    if detail != "auto":
        raise _misuse(detail, "is not a level of detail", "use stage, matter, batch or auto")
    return "stage" if any(map(asks_model, cells)) else "matter"


def _misuse(subject: str, message: str, remedy: str) -> SolonError:
    return SolonError(Failure(cause=FailureCause.INPUT, stage="cells", subject=subject, message=message, remedy=remedy))
