"""A Word document marked up against its source: real tracked changes, made word by word, with margin comments.

Two ways to say what changes: the whole edited wording, or a list of replacements. The source file is kept as it
is (styles, numbering, tables, notes, headers); only runs are split, struck and inserted. A source in another
format is first turned into a Word document with its wording.
"""

from __future__ import annotations

import io
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from lxml import etree  # type: ignore[import-untyped]

from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.release.redline.notes import Margin, margin_of
from tasks.release.redline.plan import RedlineEdit, RedlinePlan, Remark, by_edits, by_wording, loose
from tasks.release.redline.runs import (
    Stamp,
    W,
    mark_up,
    move_paragraphs,
    new_paragraph,
    new_row,
    strike_paragraph,
    strike_row,
)
from tasks.release.redline.source import SourceWording, by_paragraph, open_source
from tasks.release.redline.words import WordChange
from tasks.sources.extract import extract
from tasks.sources.limits import GuardedZip, OverBudgetError, UnreadableError
from tasks.sources.markup import Element, child, local, parse_xml

_EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest time that a zip archive can hold: the same bytes each time
_MAIN = "word/document.xml"

__all__ = ["Redline", "RedlineEdit", "Remark", "redline_bytes"]
_DIGITS = 9  # of a number that a mark may bear: Word reads no larger than 2,147,483,647


@dataclass(frozen=True)
class Redline:
    """A marked-up document and what was done.

    Attributes:
        unapplied: The changes that could not be applied, each in a sentence.
    """

    data: bytes
    paragraphs_changed: int
    insertions: int
    deletions: int
    unapplied: tuple[str, ...] = ()
    moves: int = 0
    comments: int = 0


def redline_bytes(
    source: bytes,
    edited: str | None = None,
    edits: Sequence[RedlineEdit] = (),
    author: str = "Solon",
    date: str = "",
    remarks: Sequence[Remark] = (),
) -> Redline:
    """Mark up a Word document with tracked changes.

    Args:
        source: The .docx that is marked up.
        edited: Its whole new wording: paragraphs parted by line feeds, as ``read`` prints them (numbers that Word
            computes may stand before them) or as Markdown; cells of a table row parted by bars.
        edits: Replacements, instead of the whole wording.
        author: Name under which the changes and comments stand.
        date: ISO date and time of the changes; none is claimed where empty.
        remarks: Margin comments on words of the new wording.

    Raises:
        SolonError: The source is no readable Word document, or neither wording nor edits nor remarks are given
            (``input``).
    """
    if (edited is not None and edits) or (edited is None and not edits and not remarks):
        raise _refused("give the edited wording or a list of edits, not both")
    try:
        archive = GuardedZip(source)
        main = archive.read(_MAIN) if archive.has(_MAIN) else b""
        root, _ = parse_xml(main, _MAIN)
        stamp = Stamp(author, date, _highest_number(root))
        margin = margin_of(archive, stamp)
    except (UnreadableError, OverBudgetError) as error:
        raise _refused(f"The source cannot be marked up: {error}") from error
    body = child(root, "body")
    opened = open_source(extract(source, "source.docx"), body if body is not None else root)
    plan = by_edits(opened, edits) if edited is None else by_wording(opened, edited)
    unapplied = [*plan.unapplied, *_carry_out(opened, plan, stamp), *_comment(opened, edits, remarks, margin, stamp)]
    made = [e for _, e in stamp.made if e.getparent() is not None]
    changed = {id(_paragraph_of(e)) for e in made}
    shown = Counter(local(e) for e in made if local(e.getparent()) not in {"rPr", "trPr"})
    parts = margin.parts(archive)
    return Redline(
        data=_repack(archive, {_MAIN: _xml(root), **parts}),
        paragraphs_changed=len(changed),
        insertions=shown["ins"],
        deletions=shown["del"],
        unapplied=tuple(unapplied),
        moves=len(plan.moves),
        comments=len(margin.made),
    )


def _highest_number(root: Element) -> int:
    """Return the highest number that a mark of the document bears, so that ours are new."""
    numbers = [str(v) for e in root.iter() for k, v in e.attrib.items() if k == f"{W}id"]
    return max((int(n) for n in numbers if n.isdecimal() and len(n) < _DIGITS), default=0)


def _paragraph_of(element: Element) -> Element:
    while element is not None and local(element) not in {"p", "tr"}:
        element = element.getparent()
    return element


def _xml(root: Element) -> bytes:
    return bytes(etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True))


def _carry_out(source: SourceWording, plan: RedlinePlan, stamp: Stamp) -> Iterator[str]:
    """Make the planned changes; yield those that have no place in the document."""
    by_number, lost = by_paragraph(source, plan.changes)
    moves = [(source.covers(n), source.deleted(last.body, last.end), text) for n, last, text in plan.moves]
    for number, changes in by_number.items():
        _mark_paragraph(source, number, changes, stamp)
    for number, (found, anchor, text) in reversed(list(enumerate(moves, 1))):
        after = source.paragraphs[anchor[-1].paragraph]
        move_paragraphs([source.paragraphs[p] for p in found], [text], after, f"move{number}", stamp)
    for row, cells in plan.rows:
        row.addnext(new_row(row, cells, stamp))
    for row, text in reversed(plan.below):
        table = row.getparent()
        table.addnext(new_paragraph(text, None, stamp))
    for row in plan.struck:
        strike_row(row, stamp)
    for change in lost:
        words = source.text[change.start : change.end].strip() or change.new.strip()
        if words:
            yield f"has no place in the running text: {words[:120]!r}"


def _mark_paragraph(source: SourceWording, number: int, changes: Sequence[WordChange], stamp: Stamp) -> None:
    paragraph, words = source.paragraphs[number], source.words[number]
    fitted = sorted(changes, key=lambda c: (c.start, c.end))
    struck = [c for c in fitted if c.start == 0 and c.end == len(words) and not c.new]
    later = [c for c in fitted if c.start == len(words) and c.new.startswith("\n")]
    if struck and len(struck) + len(later) == len(fitted):
        mark_up(paragraph, later, stamp, source.paragraphs)
        stamp.owner = struck[0].owner
        strike_paragraph(paragraph, stamp, mark=local(paragraph.getparent()) != "tc")
        stamp.owner = -1
        return
    mark_up(paragraph, fitted, stamp, source.paragraphs)


def _comment(
    source: SourceWording, edits: Sequence[RedlineEdit], remarks: Sequence[Remark], margin: Margin, stamp: Stamp
) -> Iterator[str]:
    for number, edit in enumerate(edits):
        made = [e for owner, e in stamp.made if owner == number and e.getparent() is not None]
        if edit.comment and made and not margin.beside(made, edit.comment):
            yield f"comment without a place: {edit.comment[:120]!r}"
    if not remarks:
        return
    root = source.paragraphs[0].getroottree().getroot() if source.paragraphs else None
    for remark in remarks:
        pattern = loose(remark.words)
        paragraphs = [] if root is None else [p for p in root.iter() if local(p) == "p"]
        if pattern is None or not margin.upon(paragraphs, pattern, remark.comment):
            yield f"not found for a comment: {remark.words[:120]!r}"


def _repack(archive: GuardedZip, changed: Mapping[str, bytes]) -> bytes:
    """Write the package again with its changed parts; the same input gives the same bytes."""
    buffer = io.BytesIO()
    names = [n for n in dict.fromkeys(archive.names()) if not n.endswith("/")]
    names = [n for n in names if not n.startswith("/") and ".." not in n.split("/")]
    lower = {n.lower() for n in names}
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as out:
        for name in [*names, *(n for n in changed if n.lower() not in lower)]:
            info = zipfile.ZipInfo(name, _EPOCH)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o600 << 16
            out.writestr(
                info, next((v for k, v in changed.items() if k.lower() == name.lower()), None) or archive.read(name)
            )
    return buffer.getvalue()


def _refused(message: str) -> SolonError:
    return SolonError(
        Failure(
            cause=FailureCause.INPUT,
            stage="release",
            subject="redline",
            message=message,
            remedy="name a readable .docx as the source, and its edited wording or a list of edits",
        )
    )
