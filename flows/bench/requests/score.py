"""What became of each ask of a request: right, wrong, misleading, left open, or dropped."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum

from flows.bench.requests.carried import SAME, carries
from flows.bench.requests.gold import GoldAnswer, GoldAsk, Request
from flows.bench.requests.reading import AsksRead, posed, reading_of
from tasks.asks.records import AskOutcome, AskState, Entry
from tasks.matter.base import Record
from tasks.release.records import ReleaseReport
from tasks.sources.records import CanonicalText

_WORD = re.compile(r"[^\W_]+")


class AskVerdict(StrEnum):
    """What a lawyer makes of one ask, the worst last."""

    RIGHT = "right"
    SHOWN = "shown"  # the operative words quoted carry it, the line does not say it
    OPEN = "open"  # left to the lawyer, plainly
    PART = "part"
    DENIED = "denied"  # said not to be there, and it is
    WRONG = "wrong"
    MISLEADING = "misleading"
    DROPPED = "dropped"


_WORST = {v: n for n, v in enumerate(AskVerdict)}
STATED = frozenset(
    {AskVerdict.RIGHT, AskVerdict.SHOWN, AskVerdict.PART, AskVerdict.DENIED, AskVerdict.WRONG, AskVerdict.MISLEADING}
)
FALSE = frozenset({AskVerdict.DENIED, AskVerdict.WRONG, AskVerdict.MISLEADING})


class ScoredAsk(Record):
    """An ask of the gold with what became of it."""

    words: str
    kind: str
    expect: str
    verdict: AskVerdict
    said: tuple[str, ...] = ()
    read_as: tuple[str, ...] = ()


class ScoredRequest(Record):
    """A request with the verdict on each ask and on its release.

    Attributes:
        extra: Asks of ours that are none of the lawyer's.
        released_wrongly: Released, with or without flags, though an answer is false or an ask was dropped.
        status_right: Whether the release says truly whether asks were left open.
        reading: How the brief was read into asks.
    """

    request_id: str
    kind: str
    status: str
    asks: tuple[ScoredAsk, ...]
    extra: int
    released_wrongly: bool
    status_right: bool
    reading: AsksRead


def score(
    request: Request, report: ReleaseReport, sources: Mapping[str, CanonicalText], drafts: Mapping[str, CanonicalText]
) -> ScoredRequest:
    """Score the release of a request."""
    ours = {o.ask.ask_id: o for o in report.asks}
    read = [o.ask for o in report.asks]
    meant = [(g, [ours[a.ask_id] for a in posed(g, request.brief, read)]) for g in request.asks]
    drafted = drafts[request.deliverable].text if request.deliverable in drafts else ""
    asks = tuple(_scored(g, hits, sources, drafted) for g, hits in meant)
    used = {h.ask.ask_id for _, hits in meant for h in hits}
    verdicts = [a.verdict for a in asks if a.kind != "constraint"]
    released = report.status in ("released", "released_with_flags")
    return ScoredRequest(
        request_id=request.request_id,
        kind=request.kind,
        status=report.status,
        asks=asks,
        extra=sum(a.ask.ask_id not in used for a in report.asks),
        released_wrongly=released and any(v in FALSE or v is AskVerdict.DROPPED for v in verdicts),
        status_right=report.status == _due(asks, meant) or (report.status == "released_with_flags" and released),
        reading=reading_of(request, read, several=len(sources) > 1),
    )


def _due(asks: Sequence[ScoredAsk], posed: Sequence[tuple[GoldAsk, Sequence[AskOutcome]]]) -> str:
    """Return the status that tells truly what was done, flags apart."""
    done = [
        any(h.state is not AskState.NOT_ATTEMPTED for h in hits) and scored.verdict is not AskVerdict.DROPPED
        for scored, (gold, hits) in zip(asks, posed, strict=True)
        if gold.kind != "constraint"
    ]
    if not any(done):
        return "not_answered"
    return "released" if all(done) else "released_with_open_asks"


def carried_by(gold: GoldAsk, document: str, words: str) -> AskVerdict:
    """Return what words of a document carry of the answer that an ask has there: all (right), a part, or none."""
    mine = [a for a in gold.answers if a.document in ("", document)]
    return min((_groups(a, words) for a in mine), key=lambda v: _WORST[v], default=AskVerdict.WRONG)


def _scored(gold: GoldAsk, hits: Sequence[AskOutcome], sources: Mapping[str, CanonicalText], drafted: str) -> ScoredAsk:
    entries = [e for h in hits for e in h.entries] or [
        Entry(state=h.state, answer=h.answer, reason=h.problem or "-") for h in hits
    ]
    said = tuple(f"{e.state.value}: {e.answer or e.reason}" for e in entries)
    return ScoredAsk(
        words=gold.words,
        kind=gold.kind,
        expect=gold.expect,
        verdict=_verdict(gold, hits, entries, sources, drafted),
        said=said,
        read_as=tuple(h.ask.kind for h in hits),
    )


def _verdict(
    gold: GoldAsk,
    hits: Sequence[AskOutcome],
    entries: Sequence[Entry],
    sources: Mapping[str, CanonicalText],
    drafted: str,
) -> AskVerdict:
    if not hits:
        return AskVerdict.DROPPED
    if gold.kind == "constraint":
        return AskVerdict.RIGHT
    told = [e for e in entries if e.state is AskState.ANSWERED]
    if gold.expect == "not_attempted":
        return AskVerdict.MISLEADING if any(e.certain for e in told) else AskVerdict.RIGHT
    if gold.expect == "not_found":
        if any(e.certain for e in told):
            return AskVerdict.WRONG
        return AskVerdict.RIGHT if any(e.state is AskState.NOT_FOUND for e in entries) else AskVerdict.OPEN
    if gold.kind == "drafting":
        done = [_drafted(a, drafted) for a in gold.answers]
        claimed = any(h.state is AskState.ANSWERED for h in hits)
        return _joined([v if claimed or v is AskVerdict.RIGHT else AskVerdict.OPEN for v in done])
    return _joined([_answered(a, entries, sources) for a in gold.answers])


def _joined(verdicts: Sequence[AskVerdict]) -> AskVerdict:
    """Return the verdict on an ask from those on its answers: the worst of what is stated; some right is a part."""
    worst = max(verdicts, key=lambda v: _WORST[v])
    if worst is AskVerdict.OPEN and any(v in STATED for v in verdicts):
        return AskVerdict.PART
    return worst


def _drafted(answer: GoldAnswer, text: str) -> AskVerdict:
    """Judge the file that was asked for; the note beside it names the old words too, and is not the draft."""
    said = _words(text)
    if any(_words(n.partition(":")[2]) in said for n in answer.never):
        return AskVerdict.WRONG
    there = [any(_stands(alternative, text, said) for alternative in group) for group in answer.must]
    return AskVerdict.RIGHT if all(there) else AskVerdict.PART if any(there) else AskVerdict.WRONG


def _words(text: str) -> str:
    """Return the words with a blank around each: "5 days" is not in "15 days", nor "6 %" in "clause 6"."""
    return f" {' '.join(_WORD.findall(text.casefold().replace('%', ' percent ')))} "


def _stands(alternative: str, text: str, said: str) -> bool:
    kind, _, words = alternative.partition(":")
    return _words(words) in said if kind == "text" else carries(text, alternative)


def _answered(answer: GoldAnswer, entries: Sequence[Entry], sources: Mapping[str, CanonicalText]) -> AskVerdict:
    """Judge what is said out of the document that an answer is of."""
    mine = [e for e in entries if not answer.document or e.document in ("", answer.document)]
    told = [e for e in mine if e.state is AskState.ANSWERED]
    if not told:
        denied = any(e.state is AskState.NOT_FOUND and e.certain for e in mine)
        return AskVerdict.DENIED if denied else AskVerdict.OPEN
    line = "\n".join(f"{e.answer}; {e.note}; {e.basis}" for e in told)
    if any(carries(e.answer, n, least=SAME) for e in told for n in answer.never if e.certain):
        groups = [any(carries(line, alternative) for alternative in g) for g in answer.must]
        if not all(groups):
            return AskVerdict.MISLEADING
    verdict = _groups(answer, line)
    if verdict is AskVerdict.RIGHT:
        return verdict
    spans = [s for e in told for s in e.support[:2] if s.document in sources]
    quoted = "\n".join(sources[s.document].text[s.start : s.end] for s in spans)
    if _groups(answer, f"{line}\n{quoted}") is AskVerdict.RIGHT:
        return AskVerdict.SHOWN
    return verdict if any(e.certain for e in told) else AskVerdict.OPEN


def _groups(answer: GoldAnswer, text: str) -> AskVerdict:
    there = [any(carries(text, alternative) for alternative in g) for g in answer.must]
    return AskVerdict.RIGHT if all(there) else AskVerdict.PART if any(there) else AskVerdict.WRONG
