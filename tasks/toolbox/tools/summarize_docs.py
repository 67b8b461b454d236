"""Line-numbered briefs of documents."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tasks.legaltext.fold import straight
from tasks.legaltext.sentences import sentences
from tasks.retrieval.provisions import Provision, catalogue_of, weigh
from tasks.sources.records import CanonicalText, DocumentState, SegmentKind
from tasks.toolbox.desk import Desk
from tasks.toolbox.registry import Tool

_OPERATIVE = re.compile(
    r"\b(shall|must|may not|will not|agrees? to|is entitled|terminat\w+|indemnif\w+|warrant\w*|represent\w*|liab\w+|"
    r"notice|consent|assign\w*|govern\w+|confidential\w*|provided that|notwithstanding|subject to)\b",
    re.I,
)
# Lines of the page, of the filing and of the signature block, which brief nobody.
_IDLE = re.compile(
    r"\s*(?:source:.*|-?\s*\d{1,4}\s*-?|page \d+.*|(?:by|name|title|its|date|signed|witness|attest)\s*:.*|[-_=*. ]{3,}"
    r"|\[?signature page.*|\[(?:header|footer)\b.*|exhibit [\d.]+)\s*",
    re.I,
)
_LONG = 400  # characters from which a line is briefed by its sentences
_HEAD = 90  # characters of a line that may be the heading of what follows
_TITLE = 250  # characters at the head in which a document says what it is
_NUMBERED = re.compile(r"\s*(?:section |article )?\d+(?:\.\d+)*[.)\s]", re.I)
_LEAST = 1_000  # characters that the brief of a short document may have
_CORE = 2.5  # weight of the sentence that best speaks for a kind of clause
_SMALLEST = 0.02  # share of a document that a brief may have
# Weights of a piece, chosen by eye beside that of a kind of clause: who the parties are weighs most, a figure or a date
# one, a defined term or an operative word half; more than so many of them add nothing.
_PARTIES, _TELLS, _MOST_FIGURES, _MOST_OPERATIVE = 3.0, 0.5, 2, 4
_SHORTEST = 40  # characters up to which a piece is a heading or a label
_JUST_BELOW = 0.01  # points, so that a piece which reaches a threshold counts


@dataclass(frozen=True)
class _Piece:
    """A line, or a sentence of a long one, ``[start, end)``."""

    number: int
    start: int
    end: int
    text: str
    whole: bool = True


def summarize_docs(desk: Desk, paths: list[str], *, share: float = 0.25) -> dict[str, Any]:
    """Brief documents by their own words: parties, what each kind of clause provides, figures and dates, in a quarter.

    Every line is verbatim with its number and span, so that it can be checked in one step; an ellipsis stands where
    the rest of a long line is left out.

    Args:
        desk: What the caller may look at.
        paths: Names of documents of the matter, or paths of files.
        share: Part of each source's characters to keep, from 0.02 to 1; a short document keeps a thousand at least.
    """
    from tasks.sources.inventory import describe, typed

    share = min(1.0, max(_SMALLEST, share))
    knowledge = desk.knows.knowledge
    known = catalogue_of(knowledge)
    texts = [desk.text(path) for path in paths]
    briefs = [_brief(text, typed(describe(text), text, knowledge), share, known) for text in texts]
    return {"briefs": briefs, "text": "\n\n".join(_prose(b) for b in briefs)}


def _brief(text: CanonicalText, state: DocumentState, share: float, known: Sequence[Provision]) -> dict[str, Any]:
    pieces = list(_pieces(text.text))
    weights = _weights(text, state, pieces, known)
    budget, kept = max(int(len(text.text) * share), _LEAST), set[int]()
    for index in sorted(range(len(pieces)), key=lambda i: (-weights[i], i)):
        if weights[index] == 0:
            break
        wanted = [k for k in (_heading(text, pieces, index), index) if k is not None and k not in kept]
        cost = sum(pieces[k].end - pieces[k].start for k in wanted)
        if cost <= budget:
            budget -= cost
            kept.update(wanted)
    lines = [pieces[k] for k in sorted(kept)]
    return {
        "document": text.document,
        "type": state.document_type,
        "title": state.title,
        "parties": [{"name": e.name, "aliases": list(e.aliases)} for e in state.parties],
        "defined_terms": [t.term for t in state.defined_terms],
        "figures": len(state.figures),
        "dates": sorted({d.iso for d in state.dates}),
        "windows": len(state.windows),
        "characters": len(text.text),
        "lines": [{"line": p.number, "text": p.text, "start": p.start, "end": p.end, "whole": p.whole} for p in lines],
        "problems": [p.line() for p in text.problems],
    }


def _pieces(text: str) -> Iterator[_Piece]:
    """Yield the lines, long ones by sentence; what is repeated word for word comes once."""
    at, seen = 0, set[str]()
    for number, line in enumerate(text.split("\n"), 1):
        spans = sentences(line) if len(line) > _LONG else [(0, len(line))]
        for start, end in spans:
            words = line[start:end]
            if words.strip() and not _IDLE.fullmatch(words) and words not in seen:
                seen.add(words)
                yield _Piece(number, at + start, at + end, words, len(spans) == 1)
        at += len(line) + 1


def _weights(
    text: CanonicalText, state: DocumentState, pieces: Sequence[_Piece], known: Sequence[Provision]
) -> list[float]:
    """Weigh each piece: the best of each kind of clause first, then parties, figures, dates, definitions."""
    anchors = sorted(
        [m.start for m in state.figures] + [m.start for m in state.dates] + [m.start for m in state.windows]
    )
    terms = {t.span.start for t in state.defined_terms}
    parties = {s.start for e in state.parties for s in e.spans[:1]}
    core = _core(text, f"{state.title} {text.text[:_TITLE]}", pieces, known)
    weights = []
    for index, piece in enumerate(pieces):
        operative = len(_OPERATIVE.findall(piece.text))
        held = sum(1 for a in anchors if piece.start <= a < piece.end)
        fixed = _PARTIES * any(piece.start <= p < piece.end for p in parties) + min(held, _MOST_FIGURES)
        fixed += _TELLS * any(piece.start <= t < piece.end for t in terms) + core[index]
        fixed += _TELLS * min(operative, _MOST_OPERATIVE)
        weights.append(round(fixed / (1 + len(piece.text) / (2 * _LONG)), 4))
    return weights


def _core(text: CanonicalText, title: str, pieces: Sequence[_Piece], known: Sequence[Provision]) -> list[float]:
    """Return for each piece how much it is the best word on a kind of clause.

    What is particular to a kind of document counts where the title says that it is one.
    """
    core = [0.0] * len(pieces)
    plain = [re.sub(r"\s+", " ", straight(p.text)) for p in pieces]
    heads = [(s.start, text.text[s.start : s.end]) for s in text.segments if s.kind is SegmentKind.HEADING]
    for provision in known:
        if not provision.is_of(title):
            continue
        best, score = -1, provision.threshold - _JUST_BELOW
        for index, piece in enumerate(pieces):
            if len(piece.text) > _SHORTEST and any(p.search(plain[index]) for p in provision.strong):
                head = next((h for at, h in reversed(heads) if at <= piece.start), "")
                got = weigh(provision, plain[index], head)
                best, score = (index, got) if got > score else (best, score)
        if best >= 0:
            told = sum(1 for k, c in enumerate(core) if c and pieces[k].number == pieces[best].number)
            core[best] += 0.5 if core[best] else _CORE / (1 + told)
    return core


def _heading(text: CanonicalText, pieces: Sequence[_Piece], index: int) -> int | None:
    """Return the short line just above a piece that is its heading."""
    above = next((k for k in range(index - 1, -1, -1) if pieces[k].number < pieces[index].number), None)
    if above is None or pieces[above].end - pieces[above].start > _HEAD:
        return None
    between = text.text[pieces[above].end : pieces[index].start]
    words = pieces[above].text.strip()
    near = between.count("\n") <= 2 and not between.strip()
    own = _NUMBERED.match(pieces[index].text) and _NUMBERED.match(words)
    return above if near and not own and not words.endswith((".", ";", ",", "]")) and words[:1] not in "•-" else None


def _prose(brief: dict[str, Any]) -> str:
    top = f"## {brief['document']}" + (f" ({brief['type']})" if brief["type"] else "")
    parties = "; ".join(p["name"] for p in brief["parties"])
    body = [f"{row['line']:>6}  {row['text']}{'' if row['whole'] else ' …'}" for row in brief["lines"]]
    return "\n".join([top, *([f"Parties: {parties}"] if parties else []), *body])


TOOL = Tool(summarize_docs, stage="intake", prose="text", seconds=300.0, example="agreement.docx notice.eml")
