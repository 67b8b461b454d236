"""The completeness gate: every document read and used, every deliverable there and readable."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tasks.matter.records import Matter
from tasks.reconcile.check import Check, CheckJob
from tasks.reconcile.draft_view import DraftView
from tasks.reconcile.echoes import echoed_prompts
from tasks.reconcile.names import DocumentNames
from tasks.reconcile.records import Finding, GateCheck, Grounding
from tasks.sources.records import CanonicalText, MatterState, Span


def check_coverage(job: CheckJob) -> GateCheck:
    """Check that documents were read and used and that the deliverables exist and can be read."""
    names = DocumentNames.of(job.matter, job.state, job.texts)
    used = _used(job.drafts, names)
    findings = [
        *_deliverables(job.drafts, job.matter),
        *_unread(job.state),
        *_unused(names, used, job.state),
        *echoed_prompts(job),
    ]
    return GateCheck(
        gate="completeness",
        checked=len(names.documents) + max(len(job.matter.deliverables), len(job.drafts)),
        grounded=(*used.values(), *_readable(job.drafts)),
        findings=tuple(findings),
    )


def _deliverables(drafts: Mapping[str, CanonicalText], matter: Matter) -> Iterator[Finding]:
    wanted = [d.filename for d in matter.deliverables] or list(drafts)
    if not wanted:
        yield _blocked("", "missing_deliverable", "The work product holds no file.", "Write the work product.")
    for name in wanted:
        draft = drafts.get(name)
        if draft is None:
            near = next((n for n in drafts if n.lower() == name.lower()), "")
            remedy = f"Rename {near} to exactly {name}." if near else f"Write it under exactly the name {name}."
            yield _blocked(name, "missing_deliverable", "The task asks for this file and it is not there.", remedy)
        elif not draft.text.strip():
            why = draft.problems[0].message if draft.problems else "It holds no text."
            yield _blocked(name, "unreadable_deliverable", f"Opened with the judge's reader: {why}", "Write it again.")


def _blocked(name: str, kind: str, checked: str, remedy: str) -> Finding:
    missing = kind == "missing_deliverable"
    return Finding(
        gate="completeness",
        kind="missing_deliverable" if missing else "unreadable_deliverable",
        deliverable=name,
        checked=checked,
        remedy=remedy,
    )


def _readable(drafts: Mapping[str, CanonicalText]) -> Iterator[Grounding]:
    for name, draft in sorted(drafts.items()):
        if draft.text.strip():
            yield Grounding(deliverable=name, start=0, end=0, text=name, sources=())


def _unread(state: MatterState) -> Iterator[Finding]:
    for entry in state.coverage:
        if entry.status == "read":
            continue
        failure = entry.failures[0] if entry.failures else None
        yield Finding(
            gate="completeness",
            kind="unread_document" if entry.status == "unread" else "partly_read_document",
            text=entry.document,
            checked=failure.message if failure else f"The document was {entry.status} without a recorded reason.",
            remedy=(failure.remedy if failure else "") or "Read it by hand; the draft does not cover it.",
        )


def _used(drafts: Mapping[str, CanonicalText], names: DocumentNames) -> dict[str, Grounding]:
    """Return where each document is first cited or named."""
    used: dict[str, Grounding] = {}
    for deliverable, draft in sorted(drafts.items()):
        view = DraftView(draft, names)
        for citation in view.citations:
            documents = (citation.document,) if citation.document else names.candidates(citation.label)
            for document in documents:
                used.setdefault(document, _named(deliverable, document, citation.start, citation.end, citation.label))
        low = draft.text.lower()
        for document in names.documents:
            for alias in names.aliases(document) if document not in used else ():
                at = low.find(alias)
                if at >= 0:
                    used[document] = _named(deliverable, document, at, at + len(alias), alias)
                    break
    return used


def _named(deliverable: str, document: str, start: int, end: int, text: str) -> Grounding:
    span = Span(document=document, start=0, end=0)
    return Grounding(deliverable=deliverable, start=start, end=end, text=text, sources=(span,))


def _unused(names: DocumentNames, used: Mapping[str, Grounding], state: MatterState) -> Iterator[Finding]:
    unread = {e.document for e in state.coverage if e.status == "unread"}
    for document in names.documents:
        if document not in used and document not in unread:
            yield Finding(
                gate="completeness",
                kind="uncited_document",
                text=document,
                checked="No deliverable cites or names it.",
                remedy="Say what it contributes, or that it was set aside and why.",
            )


GATE = Check(
    name="completeness",
    run=check_coverage,
    kinds={
        "unread_document": "document not read",
        "partly_read_document": "document read in part",
        "uncited_document": "document not used",
        "missing_deliverable": "deliverable missing",
        "unreadable_deliverable": "deliverable unreadable",
        "prompt_text": "words of a prompt in the deliverable",
        "stale_deliverable": "deliverable changed after it was checked",
    },
)
