"""A small matter with the real toolbox, for the tests of agent programs."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tasks.asks.records import Ask, AskKind, Asks
from tasks.drafting.cli_agents.proxies.aims import Aim
from tasks.drafting.cli_agents.records import Speech
from tasks.drafting.records import Cell, DraftJob
from tasks.harness import packaged
from tasks.matter.records import Deliverable, DocumentRef, Matter
from tasks.models.access import ModelAccess
from tasks.models.ledger import Ledger
from tasks.models.profile import ModelProfile
from tasks.retrieval.records import KnowledgePack, SkillCard
from tasks.retrieval.stage import build_index
from tasks.sources.records import CanonicalText, MatterState
from tasks.toolbox import ToolRegistry

LEASE = "LEASE between Harbour Estates and Pine Books.\n\n1. Rent. The rent is EUR 1,200 a month.\n"
BRIEF = "State the rent. Output: memo.docx."
SKILL = "provision-matrix"


def aims_among(profiles: Sequence[ModelProfile], speech: Speech) -> tuple[Aim, ...]:
    """Return who may answer at the proxy of a model."""
    return tuple(Aim.of(profile, speech) for profile in profiles)


def make_job(tmp_path: Path, runtime: str, profile: dict[str, Any], documents: Any = None, **cell: Any) -> DraftJob:
    """Return a job over a lease; ``profile`` holds the fields of its model."""
    documents = {"lease.txt": LEASE, **(documents or {})}
    room = tmp_path / "room of the client"
    refs, texts = [], {}
    for name, body in documents.items():
        path = room / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(body)
        digest = hashlib.sha256(body.encode()).hexdigest()
        refs.append(DocumentRef(name=name, path=path, sha256=digest, size=len(body.encode())))
        texts[name] = CanonicalText(document=name, sha256=digest, extractor="t/1", media="txt", text=body)
    matter = Matter(
        matter_id="lease/one",
        title="Pine Books lease",
        area="lease",
        instructions=BRIEF,
        deliverables=(Deliverable(name="memo.docx", filename="memo.docx"),),
        documents=tuple(refs),
    )
    harness = packaged()
    skill = next(s for s in harness.skills if s.skill_id.endswith(SKILL))
    kept = {name: getattr(skill, name) for name in SkillCard.model_fields if hasattr(skill, name)}
    pack = KnowledgePack(harness_version=harness.version, skill=SkillCard(**kept), skeletons={})
    workspace, cache = tmp_path / "attempt", tmp_path / "cache"
    (workspace / "output").mkdir(parents=True)
    state = MatterState(matter_id=matter.matter_id, documents=(), coverage=())
    index = build_index(matter, texts, cache, knowledge=harness.knowledge, models=ModelAccess({}))
    toolbox = ToolRegistry.for_matter(
        matter, state=state, texts=texts, index=index, pack=pack, workspace=workspace, cache=cache, harness=harness
    )
    one = Cell.model_validate({"name": f"{runtime}:m", "runtime": runtime, "profile": "m", **cell})
    ledger = Ledger(matter.matter_id, one.limits.max_tokens, one.limits.max_usd)
    ask = Ask(ask_id="1", words="State the rent", start=0, end=14, kind=AskKind.FACT, subject="rent")
    return DraftJob(
        matter=matter,
        state=state,
        texts=texts,
        index=index,
        pack=pack,
        cell=one,
        toolbox=toolbox,
        workspace=workspace,
        harness=harness,
        asks=Asks(brief=BRIEF, asks=(ask,)),
        models=ModelAccess({"m": profile}, ledger),
    )


def revising(job: DraftJob, report: str) -> DraftJob:
    return dataclasses.replace(job, report=report)
