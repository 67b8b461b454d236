"""A Word document marked up against its source: real tracked changes, made word by word.

Two ways to say what changes: the whole edited wording, or a list of replacements. The source file is kept as it
is (styles, numbering, tables, headers); only runs are split, struck and inserted.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from lxml import etree  # type: ignore[import-untyped]

from tasks.matter.base import Record
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.release.redline_runs import Stamp, mark_up, new_paragraph, strike_paragraph, text_of
from tasks.release.redline_words import folded, paired, word_changes
from tasks.sources.limits import GuardedZip, OverBudgetError, UnreadableError
from tasks.sources.markup import Element, child, local, parse_xml
from tasks.sources.readers.docx import label_counter

_EPOCH = (1980, 1, 1, 0, 0, 0)
_MAIN, _NUMBERING, _STYLES = "word/document.xml", "word/numbering.xml", "word/styles.xml"
_BESIDE = re.compile(r"\[(?:Footnote|Endnote|Comment|Header|Footer|Drawing)\b.*\]")
_LABEL = re.compile(
    r"(?:(?:ARTICLE|Article|SECTION|Section|Clause|§)\s+(?:[\d.]+|[IVXLC]+)[.:]?|\(?(?:[A-Za-z]{1,2}|[ivxlcIVXLC]+|\d+)[.)]|"
    r"\d+(?:\.\d+)+\.?|[-*•·])\s+"
)
_LEAD = re.compile(r"(?:#{1,6}|>)\s+")
_BOLD = re.compile(r"(?<![*\w])\*\*(?=[^\s*])([^*\n]*[^\s*])\*\*(?![*\w])")
_INLINE = {"ins", "moveTo"}


class Edit(Record):
    """One replacement: the words of one paragraph as the source has them, and what they give way to.

    Attributes:
        find: Verbatim words of one paragraph; must stand in the source exactly once unless ``every`` is set.
        replace: The new words; empty strikes them.
        every: Replace each occurrence.
    """

    find: str
    replace: str = ""
    every: bool = False


@dataclass(frozen=True)
class Redline:
    """A marked-up document and what was done.

    Attributes:
        unapplied: What could not be brought into the document, in words.
    """

    data: bytes
    paragraphs_changed: int
    insertions: int
    deletions: int
    unapplied: tuple[str, ...] = ()


def redline_bytes(
    source: bytes,
    edited: str | None = None,
    edits: Sequence[Edit] = (),
    author: str = "Solon",
    date: str = "",
) -> Redline:
    """Mark up a Word document with tracked changes.

    Args:
        source: The .docx that is marked up.
        edited: Its whole new wording: paragraphs parted by line feeds, as ``read`` prints them (numbers that Word
            computes may stand before them) or as Markdown; cells of a table row parted by bars.
        edits: Replacements, instead of the whole wording.
        author: Name under which the changes stand.
        date: ISO date and time of the changes; none is claimed where empty.

    Raises:
        SolonError: The source is no readable Word document, or neither wording nor edits are given (``input``).
    """
    if (edited is None) == (not edits):
        raise _refused("give the edited wording or a list of edits, not both")
    try:
        archive = GuardedZip(source)
        main = archive.read(_MAIN) if archive.has(_MAIN) else b""
        root, _ = parse_xml(main, _MAIN)
    except (UnreadableError, OverBudgetError) as error:
        raise _refused(f"The source cannot be marked up: {error}") from error
    stamp = Stamp(author, date)
    body = child(root, "body")
    units = list(_units(body if body is not None else root))
    counted = _labels(archive, units)
    done = _by_edits(units, edits, stamp) if edited is None else _by_wording(units, edited, counted, stamp)
    unapplied = tuple(done)
    data = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)
    ours = [e for e in root.iter() if local(e) in {"ins", "del"} and _is_ours(e)]
    changed = {id(_paragraph_of(e)) for e in ours}
    return Redline(
        data=_repack(archive, data),
        paragraphs_changed=len(changed),
        insertions=sum(1 for e in ours if local(e) == "ins" and local(e.getparent()) != "rPr"),
        deletions=sum(1 for e in ours if local(e) == "del" and local(e.getparent()) != "rPr"),
        unapplied=unapplied,
    )


def _is_ours(element: Element) -> bool:
    number = next((v for k, v in element.attrib.items() if k.endswith("}id")), "")
    return number.isdigit() and int(number) > 9000


def _paragraph_of(element: Element) -> Element:
    while element is not None and local(element) != "p":
        element = element.getparent()
    return element


@dataclass(frozen=True)
class _Unit:
    """A paragraph, or a table row as the paragraphs of its cells."""

    paragraphs: tuple[Element, ...]
    row: bool = False

    def text(self) -> str:
        return " | ".join(text_of(p) for p in self.paragraphs)


def _units(parent: Element) -> Iterator[_Unit]:
    for element in parent:
        name = local(element)
        if name == "p":
            yield _Unit((element,))
        elif name == "tr":
            cells = [[p for p in c.iter(f"{{{_ns(c)}}}p")] for c in element if local(c) == "tc"]
            if all(len(c) <= 1 for c in cells):
                yield _Unit(tuple(p for c in cells for p in c), row=True)
            else:
                yield from (_Unit((p,)) for c in cells for p in c)
        elif name in {"tbl", "sdt", "sdtContent", "customXml", "ins", "moveTo", "smartTag"}:
            yield from _units(element)


def _labels(archive: GuardedZip, units: Sequence[_Unit]) -> frozenset[str]:
    """Return the numbers that Word computes for the paragraphs of the source."""
    parts = [parse_xml(archive.read(n), n)[0] if archive.has(n) else None for n in (_NUMBERING, _STYLES)]
    count = label_counter(parts[0], parts[1])
    return frozenset(count(p) for u in units for p in u.paragraphs if text_of(p).strip()) - {""}


def _ns(element: Element) -> str:
    return str(element.tag).partition("}")[0].lstrip("{")


def _by_edits(units: Sequence[_Unit], edits: Sequence[Edit], stamp: Stamp) -> Iterator[str]:
    paragraphs = [p for u in units for p in u.paragraphs]
    for edit in edits:
        pattern = _pattern(edit.find)
        texts = [(p, text_of(p)) for p in paragraphs]
        hits = [(p, t, m) for p, t in texts for m in (pattern.finditer(t) if pattern else ())]
        if not hits:
            yield f"not found in any one paragraph: {edit.find[:120]!r}"
            continue
        if len(hits) > 1 and not edit.every:
            yield f"stands {len(hits)} times, say which with more words: {edit.find[:120]!r}"
            continue
        for paragraph in {id(p): p for p, _, _ in hits}.values():
            text = text_of(paragraph)
            new = text
            for match in reversed([m for p, _, m in hits if p is paragraph]):
                new = new[: match.start()] + edit.replace + new[match.end() :]
            mark_up(paragraph, word_changes(text, new), stamp)


def _pattern(words: str) -> re.Pattern[str] | None:
    """Match words whatever their spacing and the shape of their quotation marks."""
    parts = [re.escape(w) for w in folded(words).split(" ") if w]
    if not parts:
        return None
    loose = r"\s+".join(parts).replace('"', '["“”]').replace("'", "['‘’]")
    return re.compile(loose)


def _by_wording(units: Sequence[_Unit], edited: str, labels: frozenset[str], stamp: Stamp) -> Iterator[str]:
    old = [u for u in units if u.text().strip()]
    texts = [u.text() for u in old]
    fitted = _as_wrapped(texts, _without_labels(texts, list(_lines(edited)), labels))
    last: Element | None = None
    for i, j in list(paired(texts, fitted)):
        if i is None and j is not None:
            after = last if last is not None else (old[0].paragraphs[0] if old else None)
            if after is None:
                yield f"there is no paragraph to follow: {fitted[j][:120]!r}"
                continue
            anchor = _top(after)
            made = new_paragraph(_LABEL.sub("", fitted[j], count=1) if _numbered(anchor) else fitted[j], anchor, stamp)
            anchor.addnext(made) if last is not None else anchor.addprevious(made)
            last = made if last is not None else None
        elif i is not None:
            last = old[i].paragraphs[-1]
            if j is None:
                for paragraph in old[i].paragraphs:
                    strike_paragraph(paragraph, stamp)
            else:
                yield from _edit_unit(old[i], fitted[j], stamp)


def _edit_unit(unit: _Unit, new: str, stamp: Stamp) -> Iterator[str]:
    cells = [new] if not unit.row else [c.strip() for c in new.strip().strip("|").split("|")]
    if len(cells) != len(unit.paragraphs):
        yield f"a table row of {len(unit.paragraphs)} cells cannot become: {new[:120]!r}"
        return
    for paragraph, text in zip(unit.paragraphs, cells, strict=True):
        mark_up(paragraph, word_changes(text_of(paragraph), text), stamp)


def _lines(edited: str) -> Iterator[str]:
    for line in edited.replace("\r", "").replace("\f", "\n").split("\n"):
        lead = _LEAD.match(line)
        plain = _BOLD.sub(r"\1", line[lead.end() if lead else 0 :]).strip()
        if plain and not _BESIDE.fullmatch(plain) and not re.fullmatch(r"\|[|:\-\s]+\|", plain):
            yield plain


def _without_labels(old: Sequence[str], new: Sequence[str], counted: frozenset[str]) -> list[str]:
    """Drop the numbers that Word computes from lines whose other words the source has."""
    known, typed = {folded(t) for t in old}, {_label(t) for t in old}
    fitted = []
    for line in new:
        own = next((n for n in counted if line.startswith(f"{n} ")), "")
        label = f"{own} " if own else _label(line)
        bare = line[len(label) :].lstrip()
        ours = own or folded(bare) in known or (counted and label not in typed)
        fitted.append(bare if label and ours and folded(line) not in known else line)
    return fitted


def _as_wrapped(old: Sequence[str], new: Sequence[str]) -> list[str]:
    """Break unchanged lines where the source breaks them: the reader joins paragraphs wrapped at a fixed width."""
    known = {folded(t) for t in old}
    bare = [re.sub(r"\s+", "", folded(t)) for t in old]
    starts = {at: n for n, at in enumerate(accumulate((len(b) for b in bare), initial=0)) if n < len(bare)}
    whole, at, fitted = "".join(bare), 0, list[str]()
    for line in new:
        key = re.sub(r"\s+", "", folded(line))
        place = -1 if folded(line) in known else whole.find(key, at)
        end = place + len(key)
        if place in starts and (end in starts or end == len(whole)):
            fitted += old[starts[place] : starts.get(end, len(old))]
            at = end
        else:
            fitted.append(line)
    return fitted


def _label(line: str) -> str:
    match = _LABEL.match(line)
    return match[0] if match else ""


def _numbered(paragraph: Element) -> bool:
    return child(paragraph, "pPr", "numPr") is not None


def _top(paragraph: Element) -> Element:
    """Return what a new paragraph may stand beside: after a table, not inside its last cell."""
    outer = paragraph
    while outer is not None and local(outer) not in {"tbl", "body"}:
        outer = outer.getparent()
    return outer if outer is not None and local(outer) == "tbl" else paragraph


def _repack(archive: GuardedZip, main: bytes) -> bytes:
    """Write the package again with its new main part; the same input gives the same bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as out:
        for name in dict.fromkeys(archive.names()):
            if name.endswith("/") or name.startswith("/") or ".." in name.split("/"):
                continue
            info = zipfile.ZipInfo(name, _EPOCH)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o600 << 16
            out.writestr(info, main if name.lower() == _MAIN else archive.read(name))
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
