"""Mark up a Word document."""

from __future__ import annotations

from typing import Any

from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.release.redline.redline import RedlineEdit, Remark
from tasks.toolbox.desk import Desk
from tasks.toolbox.registry import Tool


def redline(
    desk: Desk,
    path: str,
    *,
    source: str,
    edits: list[RedlineEdit] | None = None,
    edited: str | None = None,
    edited_file: str | None = None,
    remarks: list[Remark] | None = None,
    author: str = "Solon",
    date: str = "",
) -> dict[str, Any]:
    """Mark up a source with real tracked changes, word by word; a Word file keeps its styles, numbering and tables.

    Say the changes as edits (each replaces verbatim words as `read` prints them), or give the whole edited wording,
    its paragraphs broken as you like. A PDF or text is set as a Word document first. The result shows every tracked
    change, and in `unapplied` what could not be brought in.

    Args:
        desk: What the caller may look at.
        path: File name of the deliverable, e.g. redline.docx.
        source: What is marked up: name of a document of the matter, or path.
        edits: Replacements: [{"find": "thirty (30) days", "replace": "sixty (60) days", "comment": "why, for the
            margin"}]; an empty replacement strikes, a line feed in one begins a paragraph.
        edited: The whole new wording, a paragraph a line, as `read` prints it.
        edited_file: File that holds the new wording.
        remarks: Margin comments on words that stand in the document: [{"words": "…", "comment": "…"}].
        author: Name under which the changes and comments stand.
        date: ISO date and time of the changes; none is claimed where empty.
    """
    from tasks.release.redline.redline import redline_bytes
    from tasks.sources.texts import read_file

    origin = document_path(desk, source)
    if edited_file is not None:
        edited = desk.text(edited_file).text
    target = desk.target(path)
    if target.suffix.lower() != ".docx":
        raise _refused(path, "a redline is a .docx", "name the deliverable something.docx")
    if target.resolve() == origin.resolve():
        raise _refused(path, "would overwrite its source", "give another file name")
    base, note = _base(desk, source, origin)
    made = redline_bytes(base, edited, edits or (), author, date, remarks or ())
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f".{target.name[:80]}.part")
    part.write_bytes(made.data)
    part.replace(target)
    text = read_file(target, target.name, redlines=True)
    return {
        "path": str(target),
        "filename": target.name,
        "size": target.stat().st_size,
        "paragraphs_changed": made.paragraphs_changed,
        "insertions": made.insertions,
        "deletions": made.deletions,
        "moves": made.moves,
        "comments": made.comments,
        "base": note,
        "unapplied": list(made.unapplied),
        "changes": tracked_changes(text),
        "problems": [p.line() for p in text.problems],
    }


def _base(desk: Desk, source: str, origin: Any) -> tuple[bytes, str]:
    """Return the Word document that is marked up, and how it came about."""
    from tasks.release.redline.base import base_of, can_be_base

    text = desk.text(source)
    if text.media == "docx":
        return origin.read_bytes(), "the source"
    if not can_be_base(text):
        raise _refused(source, f"a {text.media} file cannot be marked up", "name a Word document, a PDF or a text")
    return base_of(text), f"a Word document set from the text of the {text.media} file; its layout is not kept"


def document_path(desk: Desk, name: str) -> Any:
    """Return the file of a document of the matter by its name, or of a path."""
    known = {d.name: d.path for d in desk.matter.documents} if desk.matter else {}
    return known[name] if name in known else desk.file(name)


def tracked_changes(text: Any) -> list[dict[str, Any]]:
    """Return the tracked changes of a text that shows them, with who made them."""
    return [
        {
            "kind": "deletion" if text.text.startswith("[del]", s.start) else "insertion",
            "by": s.label.partition(" by ")[2],
            "text": text.text[s.start : s.end].removeprefix("[ins]").removeprefix("[del]")[:-6],
            "line": text.line_of(s.start),
        }
        for s in text.segments
        if s.kind == "revision"
    ]


def _refused(path: str, message: str, remedy: str) -> SolonError:
    return SolonError(
        Failure(cause=FailureCause.INPUT, stage="toolbox", subject=path[:300], message=message, remedy=remedy)
    )


TOOL = Tool(
    redline,
    stage="drafting",
    max_input=20_000_000,
    example="marked.docx --source agreement.docx --edited-file revised.docx",
)
