"""Cells by name: tables of solon.toml, or ``runtime[:profile[:effort]]``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pydantic import ValidationError

from flows.settings import Settings
from tasks.drafting.records import Cell
from tasks.matter.base import content_hash
from tasks.matter.failures import Failure, FailureCause, SolonError

RUNTIMES = ("extractive", "api", "basic", "codex", "claude-code", "opencode", "openhands", "openclaw")
_NAME = re.compile(r"^[A-Za-z0-9][A-Za-z0-9:._+-]{0,99}$")


def resolve_cells(names: Sequence[str], settings: Settings) -> list[Cell]:
    """Resolve names in order, without repeats.

    Raises:
        SolonError: A name is neither a cell of solon.toml nor a runtime.
    """
    return [resolve_cell(name, settings) for name in dict.fromkeys(names)]


def resolve_cell(name: str, settings: Settings) -> Cell:
    """Resolve one name."""
    if not _NAME.match(name):
        raise _misuse(name, "is no name for a cell", "use letters, digits and . _ + - :")
    table = settings.table("cells").get(name)
    if table is not None:
        try:
            return _pinned(Cell.model_validate({"name": name, "runtime": name, **table}), settings)
        except ValidationError as exc:
            error = exc.errors()[0]
            where = ".".join(str(p) for p in error["loc"])
            raise _misuse(f"cells.{name}", f"{where}: {error['msg']}", "correct it in solon.toml") from None
    runtime, _, rest = name.partition(":")
    profile, _, effort = rest.partition(":")
    if runtime not in RUNTIMES:
        known = ", ".join([*settings.table("cells"), *RUNTIMES])
        raise _misuse(name, "is no cell", f"use one of {known}, or define [cells.{name}] in solon.toml")
    return _pinned(Cell(name=name, runtime=runtime, profile=profile, effort=effort), settings)


def _pinned(cell: Cell, settings: Settings) -> Cell:
    """Put the digest of the model profile into the cell: another model under the same name is another cell."""
    profile = settings.table("models").get(cell.profile)
    if profile is None:
        return cell
    return cell.model_copy(update={"options": {**cell.options, "model_digest": content_hash(profile)}})


def detail_of(detail: str, cells: Sequence[Cell]) -> str:
    """Choose what Prefect records: a task run a stage where stages take seconds, else one a matter."""
    if detail in {"stage", "matter", "batch"}:
        return detail
    if detail != "auto":
        raise _misuse(detail, "is no level of detail", "use stage, matter, batch or auto")
    return "matter" if all(c.runtime == "extractive" for c in cells) else "stage"


def _misuse(subject: str, message: str, remedy: str) -> SolonError:
    return SolonError(Failure(cause=FailureCause.INPUT, stage="cells", subject=subject, message=message, remedy=remedy))
