"""The gate of the asks: every ask of the brief has a state in the draft, and what the draft claims of it holds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from tasks.asks.records import Ask, AskAnswer, AskOutcome, AskState, Entry, by_id
from tasks.asks.table import cell, read_table
from tasks.legaltext.fold import straight
from tasks.reconcile.check import Check, CheckJob
from tasks.reconcile.records import Finding, GateCheck, Grounding


def check_asks(job: CheckJob) -> GateCheck:
    """Check what the draft claims of every ask; the result holds the outcomes."""
    claims = claims_of(job)
    written = _plain(" ".join(d.text for d in job.drafts.values()))
    outcomes, findings, grounded = [], [], []
    for ask in job.asks.asks:
        problem = "; ".join(_problems(claims.get(ask.ask_id), written, _unread(ask, job)))
        outcome = _outcome(ask, claims.get(ask.ask_id), problem)
        outcomes.append(outcome)
        if problem:
            findings.append(_finding(ask, claims.get(ask.ask_id), problem))
        elif outcome.state is not AskState.NOT_ATTEMPTED:
            spans = tuple(s for e in outcome.entries for s in e.support)
            grounded.append(Grounding(deliverable="", start=0, end=0, text=ask.words, sources=spans))
            findings += [_unverified(ask)] if outcome.doubtful else []
    findings += [_uncovered(job.asks.brief[a:b]) for a, b in job.asks.uncovered]
    return GateCheck(
        gate="asks",
        checked=len(job.asks.asks),
        grounded=tuple(grounded),
        findings=tuple(findings),
        asks=tuple(outcomes),
    )


def claims_of(job: CheckJob) -> Mapping[str, AskAnswer]:
    """Return what is claimed of each ask: by the runtime, else by the table of asks in a deliverable."""
    read: dict[str, AskAnswer] = {}
    for _, draft in sorted(job.drafts.items()):
        for claim in read_table(draft.text, job.asks):
            read.setdefault(claim.ask_id, claim)
    return {**read, **by_id(job.answers)}


def _unread(ask: Ask, job: CheckJob) -> list[str]:
    """Return the documents that an ask speaks of and nobody could read."""
    unread = [e.document for e in job.state.coverage if e.status == "unread" and not e.withheld]
    return [d for d in unread if not ask.documents or d in ask.documents]


def _problems(claim: AskAnswer | None, written: str, unread: Sequence[str]) -> Iterator[str]:
    """Yield why a claim cannot be accepted."""
    if claim is None:
        yield "the work product does not say what became of it"
        return
    if claim.state is AskState.ANSWERED:
        if not claim.answer.strip():
            yield "it is called answered, but no answer is given"
        elif _plain(cell(claim.answer)) not in written:
            yield "its answer does not stand in the work product"
        if any(e.state is AskState.ANSWERED and not (e.support or e.basis) for e in claim.entries) or _is_bare(claim):
            yield "its answer names no place that supports it"
    if claim.state is AskState.NOT_FOUND and (any(_is_unearned(e) for e in claim.entries) or _is_bare(claim)):
        yield "it is called not found, but no search is named"
    if claim.state is AskState.NOT_FOUND and unread:
        yield f"it is called not found, and {', '.join(unread)} was not read"


def _is_bare(claim: AskAnswer) -> bool:
    """Tell whether a claim read from a table of asks names neither its place nor what was searched."""
    return not claim.entries and not re.search(r"\w", claim.where) and "[" not in claim.answer


def _is_unearned(entry: Entry) -> bool:
    return entry.state is AskState.NOT_FOUND and not entry.searched


def _outcome(ask: Ask, claim: AskAnswer | None, problem: str) -> AskOutcome:
    if claim is None:
        return AskOutcome(ask=ask, state=AskState.NOT_ATTEMPTED, problem=problem)
    state = AskState.NOT_ATTEMPTED if problem else claim.state
    return AskOutcome(
        ask=ask, state=state, answer=claim.answer, where=claim.where, entries=claim.entries, problem=problem
    )


def _finding(ask: Ask, claim: AskAnswer | None, problem: str) -> Finding:
    return Finding(
        gate="asks",
        kind="dropped_ask" if claim is None else "unaccepted_answer",
        text=ask.words,
        checked=f"{problem[:1].upper()}{problem[1:]}.",
        remedy="Answer it, or say in the table of asks what was searched, or why it was not attempted.",
    )


def _unverified(ask: Ask) -> Finding:
    return Finding(
        gate="asks",
        kind="unverified_answer",
        text=ask.words,
        checked="The draft itself calls what it says of this ask uncertain.",
        remedy="Read the place that it cites, and confirm or correct the answer.",
    )


def _uncovered(words: str) -> Finding:
    return Finding(
        gate="asks",
        kind="uncovered_brief",
        text=words,
        checked="These words of the brief were read neither as an ask nor as background.",
        remedy="Read them, and see that the draft does what they want.",
    )


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[*_`\\|#]+", " ", straight(text)).lower().split())


GATE = Check(
    name="asks",
    run=check_asks,
    kinds={
        "dropped_ask": "not answered, and not said so",
        "unaccepted_answer": "called done without what it takes",
        "unverified_answer": "to be verified",
        "uncovered_brief": "words of the brief that nothing accounts for",
    },
)
