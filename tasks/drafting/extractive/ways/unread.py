"""Answers that need a document which was not read: no denial, and no answer for each document, is given then."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tasks.asks.records import Ask, AskAnswer, Asks, AskState, Entry, state_of
from tasks.sources.readers.ocr import DOUBTFUL, sureness_of
from tasks.sources.records import CanonicalText, CoverageEntry, SegmentKind, Span


def heeding_unread(
    asks: Asks, answers: Sequence[AskAnswer], coverage: Sequence[CoverageEntry]
) -> tuple[AskAnswer, ...]:
    """Return the answers; those that need a document which was not read are open, with the reason.

    Args:
        asks: The asks.
        answers: What is claimed of them.
        coverage: How far each document was read.
    """
    unread = [c for c in coverage if c.status == "unread" and not c.withheld]
    known = {ask.ask_id: ask for ask in asks.asks}
    return tuple(_heeding(known[a.ask_id], a, unread) if a.ask_id in known else a for a in answers)


def _heeding(ask: Ask, answer: AskAnswer, unread: Sequence[CoverageEntry]) -> AskAnswer:
    missing = [c for c in unread if not ask.documents or c.document in ask.documents]
    if not missing or (answer.state is AskState.ANSWERED and not ask.each):
        return answer
    open_ = [Entry(document=c.document, state=AskState.NOT_ATTEMPTED, reason=_reason(c)) for c in missing]
    reason, entries = "; ".join(e.reason for e in open_), (*answer.entries, *open_)
    line = f"{answer.answer or next((e.reason for e in answer.entries if e.reason), '')}; {reason}".strip("; ")
    return answer.model_copy(update={"state": state_of(entries), "entries": entries, "answer": line})


def _reason(entry: CoverageEntry) -> str:
    why = entry.failures[0].message.rstrip(".") if entry.failures else "no reason is known"
    return f"{entry.document} was not read ({why})"


def heeding_scans(answers: Sequence[AskAnswer], texts: Mapping[str, CanonicalText]) -> tuple[AskAnswer, ...]:
    """Return the answers, those to be verified that rest on a page which character recognition doubts."""

    def doubted(span: Span) -> bool:
        page = texts[span.document].locate(span.start, SegmentKind.PAGE) if span.document in texts else None
        sure = sureness_of(page.label) if page else None
        return sure is not None and sure < DOUBTFUL

    return tuple(
        a.model_copy(
            update={
                "entries": tuple(
                    e.model_copy(update={"certain": e.certain and not any(map(doubted, e.support))}) for e in a.entries
                )
            }
        )
        for a in answers
    )
