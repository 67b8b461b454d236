"""The completeness and skeleton gates."""

from __future__ import annotations

from reconcile_fixtures import LEASE, SOURCES, SUPPLY, matter, pack, run, state, text

from tasks.harness import packaged
from tasks.matter.failures import Failure, FailureCause
from tasks.reconcile.check import CheckJob
from tasks.reconcile.coverage import check_coverage
from tasks.reconcile.dates.gate import check_dates
from tasks.reconcile.numbers.gate import check_numbers
from tasks.reconcile.skeleton import check_skeleton
from tasks.retrieval.records import Skeleton, SkeletonSection
from tasks.sources.records import CoverageEntry, Segment, SegmentKind


def test_documents_named_in_any_way_are_used():
    draft = "The Acme supply agreement caps liability [Beta Lease § 4.1]."
    check = run(check_coverage, draft)
    assert check.findings == ()
    assert {s.document for g in check.grounded for s in g.sources} == {SUPPLY, LEASE}


def test_unused_and_unread_documents():
    failure = Failure(
        cause=FailureCause.READER,
        stage="sources",
        subject="x.pdf",
        message="It is encrypted.",
        remedy="Ask for the key.",
    )
    entries = (
        CoverageEntry(document=SUPPLY, status="read", characters=1),
        CoverageEntry(document=LEASE, status="partial", characters=1, failures=(failure,)),
        CoverageEntry(document="x.pdf", status="unread", characters=0, failures=(failure,)),
    )
    room = matter("memo.md", documents=(SUPPLY, LEASE, "x.pdf"))
    found = {
        (f.kind, f.severity, f.text)
        for f in run(check_coverage, "The Acme supply agreement.", state=state(*entries), matter=room).findings
    }
    assert found == {
        ("partly_read_document", "flag", LEASE),
        ("unread_document", "flag", "x.pdf"),
        ("uncited_document", "note", LEASE),
    }


def test_missing_and_empty_deliverables_block():
    check = run(check_coverage, " \n", matter=matter("memo.md", "Matrix.xlsx"))
    blocks = {(f.kind, f.deliverable) for f in check.findings if f.severity == "block"}
    assert blocks == {("unreadable_deliverable", "memo.md"), ("missing_deliverable", "Matrix.xlsx")}
    renamed = run(check_coverage, "Text", matter=matter("Memo.md")).findings[0]
    assert renamed.kind == "missing_deliverable"
    assert "memo.md" in renamed.remedy
    sources = {n: text(n, t) for n, t in SOURCES.items()}
    nothing = check_coverage(CheckJob({}, sources, matter(), state(), pack(), packaged()))
    assert nothing.findings[0].kind == "missing_deliverable"


MEMO = Skeleton(
    deliverable_type="memo",
    sections=(
        SkeletonSection(title="Bottom line", aliases=("Executive summary", "Short answer")),
        SkeletonSection(title="Findings"),
        SkeletonSection(title="Recommendations", aliases=("Next steps",)),
        SkeletonSection(title="Appendix", required=False),
        SkeletonSection(title="To"),
    ),
)


def test_sections_are_found_by_heading_alias_number_or_label():
    draft = "# Memo\n\n**To:** Partner\n\n## 1. Executive Summary\n\nYes.\n\n## II. Findings by agreement\n\nNone.\n"
    check = run(check_skeleton, draft, pack=pack({"memo.md": MEMO}))
    assert [(f.kind, f.text) for f in check.findings] == [("missing_section", "Recommendations")]
    assert {g.text for g in check.grounded} == {"To", "## 1. Executive Summary", "## II. Findings by agreement"}


def test_headings_without_content_are_flagged():
    draft = "# Memo\n\n## Findings\n\n### Acme\n\nText.\n\n## Recommendations\n\n## Open points\n\nNone."
    assert [f.text for f in run(check_skeleton, draft).findings] == ["Recommendations"]


def test_an_empty_required_section_is_flagged_without_heading_levels():
    content = "Memo\n\nFindings\n\nRecommendations\n\nSign it."
    marks = tuple(
        Segment(kind=SegmentKind.HEADING, label=h, start=content.index(h), end=content.index(h) + len(h))
        for h in ("Memo", "Findings", "Recommendations")
    )
    drafts = {"memo.docx": text("memo.docx", content, "docx", marks)}
    check = check_skeleton(CheckJob(drafts, {}, matter(), state(), pack({"memo.docx": MEMO}), packaged()))
    assert "Findings" in {f.text for f in check.findings if "no content" in f.checked}


def test_checks_share_one_signature():
    for check in (check_numbers, check_dates, check_coverage, check_skeleton):
        assert run(check, "Text.").gate
