"""Reads edits out of a model's reply. A reply is data: it is parsed and held against the files, never executed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tasks.learning.records import LONGEST_PATH, Edit, Surface
from tasks.matter.reasons import Reason
from tasks.models.parsing import find_object

_NEW: Final[Mapping[Surface, tuple[str, ...]]] = {"skills": ("skills/",), "tools": ("tools/", "mechanisms/")}
_LONGEST: Final = 20_000  # characters that an edit may put in; more than any prompt or skill holds


class UnreadableReplyError(ValueError):
    """A reply that holds no edits of the form asked for. The message holds no word of the reply."""


class _Said(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)

    surface: Surface
    path: str = Field(max_length=LONGEST_PATH)
    find: str = ""
    replace: str
    rationale: str
    reason: str = ""
    tests: str = ""


def schema(limit: int) -> dict[str, Any]:
    """Return the JSON schema of a reply."""
    edit = _Said.model_json_schema()
    return {
        "type": "object",
        "properties": {"edits": {"type": "array", "maxItems": limit, "items": edit}},
        "required": ["edits"],
    }


def edits_in(text: str, files: Mapping[str, tuple[Surface, str]], surfaces: tuple[Surface, ...]) -> list[Edit]:
    """Return the edits of a reply, in order.

    Args:
        text: The reply.
        files: Surface and text of the files that may be edited, by path.
        surfaces: Surfaces on which a new file may be proposed.

    Raises:
        UnreadableError: It holds no such object, or an edit of another form, of no shown file, or of lines that are
            not there.
    """
    found = find_object(text)
    said = found.get("edits") if found else None
    if not isinstance(said, list):
        raise UnreadableReplyError('there is no JSON object with "edits"')
    return [_edit(one, n, files, surfaces) for n, one in enumerate(said, 1)]


def _edit(one: Any, n: int, files: Mapping[str, tuple[Surface, str]], surfaces: tuple[Surface, ...]) -> Edit:
    try:
        said = _Said.model_validate(one)
    except ValidationError as error:
        where = ".".join(str(part) for part in error.errors()[0]["loc"]) or "it"
        raise UnreadableReplyError(f"edit {n}: {where} is missing or of another kind") from None
    if len(said.replace) > _LONGEST or not said.rationale.strip():
        raise UnreadableReplyError(f"edit {n}: it is too long, or has no rationale")
    if said.path in files:
        surface, before = files[said.path]
        after = _replaced(before, said.find, said.replace, n)
    elif said.surface in surfaces and said.path.startswith(_NEW.get(said.surface, ())) and not said.find.strip():
        surface, before, after = said.surface, "", said.replace.strip("\n") + "\n"
    else:
        raise UnreadableReplyError(f"edit {n}: its path is none of the files shown, and no new file is allowed there")
    return Edit(
        surface=surface,
        path=said.path,
        before=before,
        after=after,
        rationale=" ".join(said.rationale.split()),
        reason=next((r for r in Reason if r.value == said.reason), None),
        tests=said.tests if surface == "tools" else "",
    )


def _replaced(text: str, find: str, replace: str, n: int) -> str:
    """Put lines in the place of others, which must stand in the text exactly once."""
    lines, wanted = text.splitlines(keepends=True), find.strip("\n").split("\n")
    if not find.strip():
        raise UnreadableReplyError(f"edit {n}: it says no lines of the file to replace")
    bare = [line.rstrip("\n") for line in lines]
    places = [at for at in range(len(bare)) if bare[at : at + len(wanted)] == wanted]
    if len(places) != 1:
        how = "are not in the file" if not places else "stand in the file more than once"
        raise UnreadableReplyError(f"edit {n}: the lines to be replaced {how}")
    (at,) = places
    new = [f"{line}\n" for line in replace.strip("\n").split("\n")] if replace.strip("\n") else []
    return "".join([*lines[:at], *new, *lines[at + len(wanted) :]])
