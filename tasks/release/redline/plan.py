"""The changes of a redline, from edits or from a whole new wording, in terms of the wording that the reader prints."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tasks.matter.base import Record
from tasks.release.redline.align import ReplacedParagraphs, aligned, unwrapped
from tasks.release.redline.source import SourceWording, WordingLine, cells_of, split_cells
from tasks.release.redline.words import WordChange, folded, word_changes
from tasks.sources.markup import Element

_BESIDE = re.compile(r"\[(?:Footnote|Endnote|Comment|Header|Footer|Drawing)\b.*\]")
_LABEL = re.compile(
    r"(?:(?:ARTICLE|Article|SECTION|Section|Clause|§)\s+(?:[\d.]+|[IVXLC]+)[.:]?|\(?(?:[A-Za-z]{1,2}|[ivxlcIVXLC]+|\d+)[.)]|"
    r"\d+(?:\.\d+)+\.?|[-*•·])\s+"
)
_LEAD = re.compile(r"(?:#{1,6}|>)\s+")
_BOLD = re.compile(r"(?<![*\w])\*\*(?=[^\s*])([^*\n]*[^\s*])\*\*(?![*\w])")
_MOVED = 4  # characters from which a paragraph that stands elsewhere was moved


class RedlineEdit(Record):
    """One replacement: words of the source, and the words that replace them.

    Attributes:
        find: Verbatim words as ``read`` prints them; must stand in the source exactly once unless ``every`` is set.
        replace: The new words; empty strikes them. A line feed begins a new paragraph.
        every: Replace each occurrence.
        comment: Why, for the margin beside the change; may be empty.
    """

    find: str
    replace: str = ""
    every: bool = False
    comment: str = ""


class Remark(Record):
    """A margin comment on words of the marked-up document."""

    words: str
    comment: str


@dataclass
class RedlinePlan:
    """The changes to make, in terms of the wording that the reader prints."""

    changes: list[WordChange] = field(default_factory=list)
    rows: list[tuple[Element, Sequence[str]]] = field(default_factory=list)
    struck: list[Element] = field(default_factory=list)
    below: list[tuple[Element, str]] = field(default_factory=list)
    moves: list[tuple[WordingLine, WordingLine, str]] = field(default_factory=list)
    unapplied: list[str] = field(default_factory=list)


def by_edits(source: SourceWording, edits: Sequence[RedlineEdit]) -> RedlinePlan:
    """Plan replacements of words; each must occur in the source exactly once, unless it applies to every occurrence."""
    plan = RedlinePlan()
    beside = [(n.start, n.end) for n in source.lines if n.beside]
    for number, edit in enumerate(edits):
        pattern = loose(edit.find)
        found = list(pattern.finditer(source.text)) if pattern else []
        hits = [m for m in found if not any(a < m.end() and m.start() < b for a, b in beside)]
        hits = [m for m in hits if any(source.where[k] >= 0 for k in range(*m.span()))]
        if not hits:
            plan.unapplied.append(f"not found within any single paragraph: {edit.find[:120]!r}")
        elif len(hits) > 1 and not edit.every:
            plan.unapplied.append(f"stands {len(hits)} times; quote more words to say which one: {edit.find[:120]!r}")
        else:
            _place_edit(plan, edit, number, hits)
    plan.changes.sort(key=lambda c: (c.start, c.end))
    return plan


def _place_edit(plan: RedlinePlan, edit: RedlineEdit, number: int, hits: Sequence[re.Match[str]]) -> None:
    for match in hits:
        start = match.start()
        made = [WordChange(start + c.start, start + c.end, c.new, number) for c in word_changes(match[0], edit.replace)]
        taken = [o for c in made for o in plan.changes if c.start < o.end and o.start < c.end]
        if taken and edit.every and all(not o.new for o in taken):
            continue  # what is struck anyway
        if taken:
            plan.unapplied.append(f"overlaps an earlier edit: {edit.find[:120]!r}")
        else:
            plan.changes.extend(made)


def loose(words: str) -> re.Pattern[str] | None:
    """Match words, ignoring spacing and the shape of quotation marks; None where there are no words."""
    parts = [re.escape(w) for w in folded(words).split(" ") if w]
    if not parts:
        return None
    return re.compile(r"\s+".join(parts).replace('"', '["“”]').replace("'", "['‘’]"))


def by_wording(source: SourceWording, edited: str) -> RedlinePlan:
    """Plan the changes from the source to a new wording: changed words; new, struck and moved paragraphs and rows."""
    plan = RedlinePlan()
    lines = [n for n in source.lines if not n.beside and source.body(n).strip()]
    old = [source.body(n).strip() for n in lines]
    beside = [folded(source.text[n.start : n.end]) for n in source.lines if n.beside]
    plan.unapplied += _notes_changed(edited, frozenset(beside))
    whole = [source.text[n.start : n.end].strip() for n in lines]
    said = _running(list(_lines(edited, frozenset(map(folded, old)))), old, beside)
    new = _without_labels(lines, old, unwrapped([*old, *whole], said))
    groups = list(aligned(old, new))
    moved = _moves(source, lines, old, new, groups)
    before = {j: max((i for g in groups[:k] for i in g.old), default=None) for k, g in enumerate(groups) for j in g.new}
    moved = {i: j for i, j in moved.items() if (at := before[j]) is not None and source.ends_paragraph(lines[at])}
    mixed = {before[j] for g in groups if not g.old for j in g.new if j not in moved.values()}
    moved = {i: j for i, j in moved.items() if before[j] not in mixed}  # new and moved side by side: as new
    origin = {j: lines[i] for i, j in moved.items()}
    last: WordingLine | None = None
    for group in groups:
        if not group.old:
            for j in group.new:
                if j in origin and last is not None:
                    plan.moves.append((origin[j], last, new[j]))
            _insert_lines(plan, source, lines, last, [new[j] for j in group.new if j not in origin])
            continue
        if not any(i in moved for i in group.old):
            plan.changes += _group_changes(plan, source, [lines[i] for i in group.old], [new[j] for j in group.new])
        last = lines[group.old[-1]]
    return plan


def _running(new: Sequence[str], old: Sequence[str], beside: Sequence[str]) -> list[str]:
    """Leave out notes, headers and footers, which the reader prints after or beside the running text."""
    left = Counter(map(folded, old))
    apart = frozenset(beside)
    kept = []
    for line in new:
        key = folded(line)
        if _BESIDE.fullmatch(line) or (key in apart and not left[key]):
            continue
        left[key] -= 1
        kept.append(line)
    return kept


def _insert_lines(
    plan: RedlinePlan, source: SourceWording, lines: Sequence[WordingLine], last: WordingLine | None, new: Sequence[str]
) -> None:
    """Plan new paragraphs, or new rows of the table that stands before them."""
    for text in reversed(new) if last is not None and last.row is not None else new:
        cells = [c.strip() for c in text.strip().strip("|").split("|")]
        if last is not None and last.row is not None and len(cells) == len(cells_of(last.row)):
            plan.rows.append((last.row, cells))
        elif last is not None and last.row is not None:
            plan.below.append((last.row, text))
        elif last is not None:
            look, words = _look(source, lines, last, text)
            plan.changes.append(WordChange(last.end, last.end, f"\n{words}", like=look))
        elif lines:
            plan.changes.append(WordChange(lines[0].body, lines[0].body, f"{text}\n"))
        else:
            plan.unapplied.append(f"there is no paragraph to follow: {text[:120]!r}")


def _look(source: SourceWording, lines: Sequence[WordingLine], last: WordingLine, text: str) -> tuple[int, str]:
    """Return the number of the paragraph that lends a new one its format, and the new words without a computed number.

    A numbered line takes the format of the nearest one that Word numbers in the same way. A line without a number
    takes that of the nearest unnumbered one, so that body text after a heading does not become a heading.
    """
    at = lines.index(last)
    near = sorted((k for k, n in enumerate(lines) if n.row is None), key=lambda k: (abs(k - at), k < at))
    shape = _shape(_label(text))
    if shape:
        alike = [k for k in near if _shape(source.text[lines[k].start : lines[k].body]) == shape]
    else:
        body = text.rstrip().endswith((".", ";", ":"))
        alike = [k for k in near if lines[k].body == lines[k].start and not (body and lines[k].heading)]
    found = source.deleted(lines[alike[0]].body, lines[alike[0]].end) if alike else []
    words = _LABEL.sub("", text, count=1) if shape and found else text
    return (found[0].paragraph if found else -1), words


def _shape(label: str) -> str:
    return re.sub(r"[a-z]+", "a", re.sub(r"\d+", "#", label.strip().lower().rstrip(".")))


def _group_changes(
    plan: RedlinePlan, source: SourceWording, lines: Sequence[WordingLine], new: Sequence[str]
) -> Iterator[WordChange]:
    """Yield the changes of a stretch of paragraphs, in the wording of the source."""
    if len(lines) == 1 and lines[0].row is not None:
        yield from _row_changes(plan, source, lines[0], new)
        return
    text, places = "", list[int]()
    for line in lines:
        if text:
            text, places = f"{text}\n", [*places, line.start]
        text += source.text[line.start : line.end]
        places += range(line.start, line.end)
    end = lines[-1].end
    if not new:
        yield from (WordChange(line.body, line.end, "") for line in lines)
        return
    for change in word_changes(text, " ".join(new)):
        start = places[change.start] if change.start < len(places) else end
        if change.end == change.start and change.start and text[change.start - 1] != "\n":
            start = places[change.start - 1] + 1
        yield from _beyond_labels(
            lines, WordChange(start, places[change.end - 1] + 1 if change.end > change.start else start, change.new)
        )


def _beyond_labels(lines: Sequence[WordingLine], change: WordChange) -> Iterator[WordChange]:
    """Leave out changes of the numbers that Word computes: Word will renumber."""
    for line in lines:
        if line.start <= change.start < line.body:
            if change.end > line.body:
                yield WordChange(line.body, change.end, _LABEL.sub("", change.new, count=1))
            return
    yield change


def _row_changes(
    plan: RedlinePlan, source: SourceWording, line: WordingLine, new: Sequence[str]
) -> Iterator[WordChange]:
    if not new:
        plan.struck.append(line.row)
        return
    old, cells = split_cells(source, line), [c.strip() for c in " ".join(new).strip().strip("|").split("|")]
    if len(cells) != len(old):
        plan.unapplied.append(f"a table row of {len(old)} cells cannot become: {' '.join(new)[:120]!r}")
        return
    for (start, end), text in zip(old, cells, strict=True):
        for change in word_changes(source.text[start:end], text):
            yield WordChange(start + change.start, start + change.end, change.new)


def _moves(
    source: SourceWording,
    lines: Sequence[WordingLine],
    old: Sequence[str],
    new: Sequence[str],
    groups: Sequence[ReplacedParagraphs],
) -> dict[int, int]:
    """Return the paragraphs that moved unchanged: index in the old wording, index in the new."""
    gone = [g.old[0] for g in groups if len(g.old) == 1 and not g.new]
    come = [j for g in groups if not g.old for j in g.new]
    times_gone, times_come = Counter(folded(old[i]) for i in gone), Counter(folded(new[j]) for j in come)
    at = {folded(new[j]): j for j in come}
    return {
        i: at[key]
        for i in gone
        if times_gone[key := folded(old[i])] == times_come[key] == 1
        and len(key) >= _MOVED
        and lines[i].row is None
        and source.covers(lines[i])
    }


def _lines(edited: str, known: frozenset[str]) -> Iterator[str]:
    for line in edited.replace("\r", "").replace("\f", "\n").split("\n"):
        lead = _LEAD.match(line)
        plain = _BOLD.sub(r"\1", line[lead.end() if lead else 0 :]).strip()
        if folded(line) in known:
            yield line.strip()
        elif plain and not re.fullmatch(r"\|[|:\-\s]+\|", plain):
            yield plain


def _notes_changed(edited: str, beside: frozenset[str]) -> Iterator[str]:
    for line in edited.split("\n"):
        if _BESIDE.fullmatch(line.strip()) and folded(line) not in beside:
            yield f"notes, headers and footers are not marked up: {line.strip()[:120]!r}"


def _without_labels(lines: Sequence[WordingLine], old: Sequence[str], new: Sequence[str]) -> list[str]:
    """Drop the numbers that Word computes from lines whose other words the source has."""
    known = {folded(t) for t in old}
    counted = {folded(t) for line, t in zip(lines, old, strict=True) if line.body > line.start}
    bare = [line[len(_label(line)) :].lstrip() for line in new]
    return [b if folded(n) not in known and folded(b) in counted else n for n, b in zip(new, bare, strict=True)]


def _label(line: str) -> str:
    match = _LABEL.match(line)
    return match[0] if match else ""
