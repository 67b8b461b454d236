"""A small matter for the checks: two documents and a way to put a draft against them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from skills_repo.schema import default_procedure
from tasks.harness import packaged
from tasks.matter.records import Deliverable, DocumentRef, Matter
from tasks.reconcile.check import CheckJob
from tasks.reconcile.registry import graded
from tasks.retrieval.records import KnowledgePack, Skeleton, SkillCard
from tasks.sources.records import CanonicalText, CoverageEntry, MatterState, Segment, SegmentKind

SUPPLY = "01-acme-supply-agreement.docx"
LEASE = "02-beta-lease.docx"
SOURCES = {
    SUPPLY: (
        "SUPPLY AGREEMENT\n\n9.2 Payment. Buyer shall pay Seller a deposit of $1,204,000 within thirty (30) days after "
        "the Effective Date. The term is 24 months. The deposit bears interest at 5% per annum.\n\n"
        "9.3 Cap. Liability shall not exceed $2,500,000 in the aggregate for each calendar year.\n\n"
        "9.4 Renewal. This Agreement renews for successive annual periods. Fees are due monthly.\n\n"
        "9.5 Notices. Notice takes sixty (45) days. Margin is 250 bps. The Leverage Ratio is 3.50 to 1.00."
    ),
    LEASE: (
        "LEASE\n\n4.1 Rent. Tenant shall pay base rent of $8,500 per month for 36 months, with 214 employees on the "
        "Premises.\n\n4.2 Insurance of €750,000 and a non-com-\npete of two-thirds of the area."
    ),
}


def text(name: str, content: str, media: str = "md", segments: tuple[Segment, ...] = ()) -> CanonicalText:
    return CanonicalText(
        document=name, sha256="0" * 64, extractor="test/1", media=media, text=content, segments=segments
    )


def headings(content: str) -> tuple[Segment, ...]:
    found, at = [], 0
    for line in content.split("\n"):
        if line.startswith("#"):
            found.append(Segment(kind=SegmentKind.HEADING, label=line.strip("# "), start=at, end=at + len(line)))
        at += len(line) + 1
    return tuple(found)


def matter(*deliverables: str, documents: tuple[str, ...] = (SUPPLY, LEASE), instructions: str = "Review.") -> Matter:
    return Matter(
        matter_id="area/matter",
        title="Review",
        area="area",
        instructions=instructions,
        deliverables=tuple(Deliverable(name=d, filename=d) for d in deliverables),
        documents=tuple(DocumentRef(name=n, path=Path(n), sha256="0" * 64, size=1) for n in documents),
    )


def state(*entries: CoverageEntry) -> MatterState:
    read = (CoverageEntry(document=n, status="read", characters=len(t)) for n, t in SOURCES.items())
    return MatterState(matter_id="area/matter", documents=(), coverage=entries or tuple(read))


def pack(
    skeletons: dict[str, Skeleton] | None = None,
    authorities: tuple[dict[str, Any], ...] = (),
    windows: tuple[dict[str, Any], ...] = (),
) -> KnowledgePack:
    return KnowledgePack(
        harness_version="0" * 64,
        skill=SkillCard(skill_id="a/b", name="b", description="", body="", procedure=default_procedure()),
        skeletons=skeletons or {},
        authorities=authorities,
        windows=windows,
    )


def run(check, draft: str, **options):
    """Run a check over one Markdown draft called memo.md, or as ``name`` says, beside other ``drafts``."""
    sources = {name: text(name, content) for name, content in options.pop("sources", SOURCES).items()}
    named = {options.pop("name", "memo.md"): draft, **options.pop("drafts", {})}
    drafts = {name: text(name, content, segments=headings(content)) for name, content in named.items()}
    harness = packaged()
    job = CheckJob(
        drafts,
        sources,
        options.get("matter", matter("memo.md")),
        options.get("state", state()),
        options.get("pack", pack()),
        harness,
    )
    return graded(check(job), harness.gates)
