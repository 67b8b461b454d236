"""What every runtime with a model tells it about a matter: files to write, asks, form, leads of the harness."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tasks.asks.records import AskState
from tasks.asks.table import COLUMNS, TITLE
from tasks.drafting.fences import one_line
from tasks.drafting.records import DraftJob
from tasks.drafting.redlines import bases_of, redlines_of

DEFAULT_DELIVERABLE = "work-product.docx"
MOST_LEADS = 30  # authorities and windows in a prompt; above what a pack holds (12 and 8)


def wanted_file_names(job: DraftJob) -> tuple[str, ...]:
    """Return the file names to write."""
    asked = tuple(d.filename for d in job.matter.deliverables) or tuple(sorted(job.pack.skeletons))
    return asked or (DEFAULT_DELIVERABLE,)


def table_of_asks(job: DraftJob) -> str:
    """Say how a work product must show the outcome of each ask, so that the gate of the asks can read it."""
    return job.harness.prompts.table_of_asks.filled(
        ask_title=TITLE, ask_columns=", ".join(COLUMNS), ask_states="; ".join(s.value for s in AskState)
    )


def numbered_asks(job: DraftJob) -> str:
    """Return the asks of the brief, one per line, with the numbers that the table of asks repeats."""
    return "\n".join(f"{a.ask_id}. {one_line(a.words)}" for a in job.asks.asks)


def marked_source(job: DraftJob) -> str:
    """Return the document that the redlines of a matter mark up; empty if there is none, or no tool for it."""
    if not redlines_of(job.matter) or "redline" not in job.toolbox.names():
        return ""
    return next(iter(bases_of(job.matter, job.texts)), "")


def skeletons(job: DraftJob) -> str:
    """Return the sections of each deliverable, one per line; sections marked * only if they apply."""
    lines = []
    for filename, skeleton in sorted(job.pack.skeletons.items()):
        sections = "; ".join(s.title + ("" if s.required else "*") for s in skeleton.sections)
        if sections:
            lines.append(f"{filename} ({skeleton.deliverable_type}): {sections}")
    return "\n".join(lines)


def leads(job: DraftJob, most: int = MOST_LEADS) -> str:
    """Return the authorities and windows of the harness, one per line, each with how far it can be relied on."""
    rows = [*job.pack.authorities, *job.pack.windows][:most]
    standings = job.harness.knowledge.standings
    return "\n".join(f"{_lead(row)} [{standings.of(row).said}]" for row in rows)


_TOLD_APART = ("provenance", "as_of")  # the standing of a row says both, and what has changed since


def _lead(row: Mapping[str, Any]) -> str:
    told = (f"{k}: {v}" for k, v in row.items() if v not in ("", None, [], {}) and k not in _TOLD_APART)
    return "; ".join(told)[:300]


def unread_documents(job: DraftJob) -> dict[str, str]:
    """Return the documents of the matter without a text, and why where that is known."""
    failures = {e.document: e.failures for e in job.state.coverage if e.status == "unread"}
    names = [d.name for d in job.matter.documents if d.name not in job.texts or not job.texts[d.name].text.strip()]
    return {name: one_line(failures[name][0].message) if failures.get(name) else "" for name in sorted(names)}
