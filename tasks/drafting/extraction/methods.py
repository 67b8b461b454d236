"""Fills a checklist from the documents of a case with a model, by one of three methods."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Final

from tasks.drafting.agent.limits import Clock
from tasks.drafting.extraction.agent import by_agent
from tasks.drafting.extraction.chunks import chunk_by_chunk
from tasks.drafting.extraction.papers import papers_of
from tasks.drafting.extraction.records import Documents, Extraction, Method, Parts
from tasks.drafting.extraction.whole import end_to_end
from tasks.drafting.extraction.work import ItemPart, Work, key_of, parts_of
from tasks.drafting.mechanisms.call_repair import CallRepair
from tasks.drafting.mechanisms.records import Repair
from tasks.drafting.records import Limits
from tasks.drafting.trace import Trace
from tasks.harness import Harness, packaged
from tasks.legaltext.checklists.definition import Checklist
from tasks.legaltext.checklists.entering import Texts
from tasks.legaltext.checklists.records import Filled
from tasks.models.client import ModelClient
from tasks.sources.records import CanonicalText

_METHODS: Final[Mapping[Method, Callable[[Work, ItemPart], bool]]] = MappingProxyType(
    {"agent": by_agent, "end_to_end": end_to_end, "chunks": chunk_by_chunk}
)
USUAL_PARTS: Final[Mapping[Method, Parts]] = MappingProxyType({"agent": "all", "end_to_end": "items", "chunks": "all"})
"""How a checklist is divided where nobody says: one agent, a question for each item, one reading of the case."""


def extract(
    checklist: Checklist,
    documents: Documents,
    client: ModelClient,
    *,
    method: Method = "agent",
    parts: Parts | None = None,
    limits: Limits | None = None,
    harness: Harness | None = None,
    kinds: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> Extraction:
    """Fill a checklist from a case.

    Args:
        checklist: What is looked for.
        documents: Canonical texts by name, in the order of time.
        client: The model; its ledger bounds tokens and dollars.
        method: agent, end_to_end, or chunks.
        parts: What one agent, or one question, looks for: single items, groups, or all items.
        limits: Turns of each part, and the time of all of them.
        harness: Prompts and settings; the packaged ones where None.
        kinds: What each document is, where that is known.
        folder: Where trace and state are kept, so that a work that was killed goes on; None keeps nothing.
    """
    told = harness or packaged()
    texts = {
        name: CanonicalText(document=name, sha256="", extractor="", media="", text=text)
        for name, text in documents.items()
    }
    with ExitStack() as stack:
        place = folder if folder is not None else Path(stack.enter_context(TemporaryDirectory()))
        place.mkdir(parents=True, exist_ok=True)
        switched = told.mechanisms.switched_on(CallRepair.name)
        repairs = [CallRepair(told.mechanisms.call_repair)] if switched else []
        clock = Clock(limits or Limits(), "extraction", client.ledger)
        work = work_on(checklist, texts, client, told, clock, place, repairs, kinds or {}, method, parts)
        return run(work, method, parts)


def work_on(
    checklist: Checklist,
    texts: Mapping[str, CanonicalText],
    client: ModelClient,
    harness: Harness,
    clock: Clock,
    folder: Path,
    repairs: Sequence[Repair],
    kinds: Mapping[str, str],
    method: Method,
    parts: Parts | None,
) -> Work:
    """Return the work: new, or as work with the same key was left in the folder."""
    plain = {name: text.text for name, text in texts.items()}
    work = Work(
        checklist=checklist,
        papers=papers_of(texts, client, kinds),
        texts=Texts(plain),
        client=client,
        harness=harness,
        clock=clock,
        trace=Trace(folder),
        folder=folder,
        key=key_of(checklist, plain, method, parts or USUAL_PARTS[method], harness.version, client.profile.name),
        repairs=repairs,
    )
    work.resume()
    return work


def run(work: Work, method: Method, parts: Parts | None = None) -> Extraction:
    """Fill the checklist part by part, until all are done or one part ends the extraction."""
    left = parts_of(work.checklist, parts or USUAL_PARTS[method])
    while left and _METHODS[method](work, left.pop(0)):
        pass
    work.leave(left)
    values, evidence = work.dropped
    filled = Filled(entries=work.entries, dropped_values=values, dropped_evidence=evidence, usage=work.trace.usage)
    return Extraction(
        filled=filled,
        usage=work.trace.usage,
        calls=work.trace.turn,
        seconds=work.trace.seconds + work.clock.seconds,
        notes=tuple(dict.fromkeys(work.notes)),
        failures=tuple(work.failures),
    )
