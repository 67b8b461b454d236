"""The documents of a matter as one fenced prompt part that fits the model's context window."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tasks.drafting.fences import fence_code, fenced, one_line
from tasks.drafting.records import DraftJob
from tasks.legaltext.stretches import joined
from tasks.retrieval.records import Passage
from tasks.sources.records import CanonicalText, Span

_OPENING = 900  # characters of each document's beginning: title, parties, date
_LEAST = 200  # characters: less of a document tells nothing of it
_GAP = 40  # the line that says how much was left out
_NAMES = 1200  # characters of each list of documents that are not there, or not whole
_NOTE = 1500  # the same with its fence and the words of the prompt around it
_MANY = 20  # documents above which one search serves all of them
_SUBJECT, _SHORTEST = 300, 3  # characters of a search, and up to which a subject ("fee") finds too much; chosen by eye
_MOST_SUBJECTS = 60  # bounds the searches of a long brief
_LONGEST_NAME = 200  # characters of a name that are reckoned; a longer one is cut where it is shown


@dataclass(frozen=True)
class Context:
    """The fenced documents.

    Attributes:
        documents: The documents, each in a fence.
        extracts: Names of the documents given as extracts, in a fence; empty where there are none.
        unread: Names of the documents left out, in a fence, with the reason where one is known; may be empty.
        served: Documents that are included at least in part.
        partial: Documents given as extracts.
        skipped: Documents that are left out.
        spans: What is included, in characters of canonical text.
        code: The code of the fences.
    """

    documents: str = ""
    extracts: str = ""
    unread: str = ""
    served: tuple[str, ...] = ()
    partial: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    spans: tuple[Span, ...] = ()
    code: str = "0" * 16


def build_context(job: DraftJob, budget: int) -> Context:
    """Return the whole documents if ``budget`` characters suffice, else the extracts that are relevant to the brief."""
    texts = {name: text for name, text in job.texts.items() if text.text.strip()}
    code = fence_code([t.text for t in texts.values()])
    if sum(len(t.text) + _overhead(n) for n, t in texts.items()) <= budget:
        chosen: Mapping[str, list[tuple[int, int]]] = {n: [(0, len(t.text))] for n, t in texts.items()}
    else:
        chosen = _extracts(job, texts, budget - 2 * _NOTE)
    shown = [_document(name, texts[name], spans, code) for name, spans in chosen.items() if spans]
    partial = tuple(n for n, s in chosen.items() if s and sum(e - b for b, e in s) < len(texts[n].text.rstrip()))
    served = tuple(n for n, s in chosen.items() if s)
    skipped = tuple(sorted({d.name for d in job.matter.documents} - set(served)))
    return Context(
        documents="\n\n".join(shown),
        extracts=_note(", ".join(map(one_line, partial)), code),
        unread=_note("; ".join(_unread(job, skipped)), code),
        served=served,
        partial=partial,
        skipped=skipped,
        spans=tuple(Span(document=n, start=b, end=e) for n, found in chosen.items() for b, e in found),
        code=code,
    )


def search_questions(job: DraftJob) -> list[str]:
    """Return what to search for: the asks of the brief, and the sections that the deliverables need."""
    pieces = [a.subject for a in job.asks.asks]
    sections = [s.title for skeleton in job.pack.skeletons.values() for s in skeleton.sections]
    asked = [p.strip(" .`*-") for p in (*pieces, *sections)]
    return list(dict.fromkeys(a[:_SUBJECT] for a in asked if len(a) > _SHORTEST))[:_MOST_SUBJECTS]


def _extracts(job: DraftJob, texts: Mapping[str, CanonicalText], budget: int) -> Mapping[str, list[tuple[int, int]]]:
    """Fill the budget with the opening of each document, then with the best passages of each question in turn."""
    spans: dict[str, list[tuple[int, int]]] = {name: [] for name in texts}
    left = budget
    opening = min(_OPENING, budget // max(1, 2 * len(texts)))
    for name in texts if opening >= _LEAST else ():
        spans[name] = [(0, min(opening, len(texts[name].text)))]
        left -= spans[name][0][1] + _overhead(name)
    for passage in _ranked(job, list(texts)):
        span = passage.span
        if span.document not in spans or any(b <= span.start and span.end <= e for b, e in spans[span.document]):
            continue
        cost = span.end - span.start + _GAP + (0 if spans[span.document] else _overhead(span.document))
        if cost <= left:
            spans[span.document].append((span.start, span.end))
            left -= cost
        if left < _LEAST:
            break
    return {name: joined(found) for name, found in spans.items()}


def _ranked(job: DraftJob, documents: Sequence[str]) -> list[Passage]:
    """Return passages in rounds: the best of every question and document first, then the second best."""
    if len(documents) > _MANY:
        found = [job.index.search(question, k=3 * _MANY) for question in search_questions(job)]
    else:
        found = [
            job.index.search(q, k=3, documents=[document]) for q in search_questions(job) for document in documents
        ]
    deepest = max((len(hits) for hits in found), default=0)
    rounds = [sorted((h[i] for h in found if len(h) > i), key=_best_first) for i in range(deepest)]
    return [passage for one in rounds for passage in one]


def _best_first(passage: Passage) -> tuple[float, str, int]:
    return (-passage.score, passage.span.document, passage.span.start)


def _overhead(name: str) -> int:
    """Return the characters that fences and gaps take in addition to a document's own."""
    return min(len(name), _LONGEST_NAME) + 4 * _GAP


def _document(name: str, text: CanonicalText, spans: Sequence[tuple[int, int]], code: str) -> str:
    parts, at = [], 0
    for begin, end in spans:
        if begin > at:
            parts.append(_gap(begin - at))
        parts.append(text.text[begin:end].strip("\n"))
        at = end
    rest = len(text.text.rstrip()) - at
    if rest > 0:
        parts.append(_gap(rest))
    body = "\n".join(parts)
    return fenced("DOCUMENT", body, code, name)


def _gap(characters: int) -> str:
    return f"[… {characters} …]"


def _unread(job: DraftJob, skipped: Sequence[str]) -> list[str]:
    failures = {e.document: e.failures for e in job.state.coverage if e.status == "unread"}
    reasons = [(one_line(n), one_line(failures[n][0].message) if failures.get(n) else "") for n in skipped]
    return [f"{name} ({reason})" if reason else name for name, reason in reasons]


def _note(names: str, code: str) -> str:
    cut = names if len(names) <= _NAMES else names[:_NAMES] + " …"
    return fenced("NOTE", cut, code) if cut else ""
