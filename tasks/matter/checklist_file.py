"""Reads the reference checklist of a task, ``checklist.json`` beside ``task.json``. Only the sealer imports it.

Its messages name the place of what is wrong, never a word of it: a failure is public, no byte of a rubric is.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from tasks.matter.private import CHECKLIST
from tasks.matter.rubric import ReferenceChecklist, ReferenceValue
from tasks.matter.taskfile import bad_task, read_object

_REMEDY: Final = "see `checklist.json` in docs/gavel.md"


def parse_checklist(folder: Path, subject: str) -> ReferenceChecklist | None:
    """Read and check the reference checklist of a task; None where it has none.

    Args:
        folder: The folder of the task.
        subject: How to name the file in errors.

    Raises:
        SolonError: Naming the file, what is wrong and the remedy.
    """
    path = folder / CHECKLIST
    if not path.exists() and not path.is_symlink():
        return None
    raw = read_object(path, subject)
    given = raw.get("values")
    if not isinstance(given, dict):
        raise bad_task(subject, "`values` is not a map of items to values", _REMEDY)
    values = {str(item): _values(said, number, subject) for number, (item, said) in enumerate(given.items(), 1)}
    try:
        return ReferenceChecklist.model_validate({**raw, "values": values})
    except ValidationError as error:
        known = {*ReferenceChecklist.model_fields, *ReferenceValue.model_fields}
        where = ".".join(str(p) if p in known else "…" for p in error.errors()[0]["loc"] if not isinstance(p, int))
        raise bad_task(subject, f"cannot be used ({where})", _REMEDY) from None


def _values(said: Any, number: int, subject: str) -> list[dict[str, Any]]:
    """Return the values of an item: a string, a list of strings, or objects with ``value`` and ``evidence``."""
    rows = said if isinstance(said, list) else [] if said is None else [said]
    if not all(isinstance(row, str | dict) for row in rows):
        raise bad_task(subject, f"item {number} of `values` is neither text, null nor a list", _REMEDY)
    return [row if isinstance(row, dict) else {"value": row} for row in rows]
