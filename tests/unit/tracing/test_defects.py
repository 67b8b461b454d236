"""Each defect of B.4 on a trace that has it, beside the nearest one that has not."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from tasks.reconcile.records import Finding
from tasks.release.records import GateResult, ReleaseReport
from tasks.sources.records import CanonicalText, Segment, SegmentKind
from tasks.tracing.about import About
from tasks.tracing.buckets import bucket_of
from tasks.tracing.defects import defects
from tasks.tracing.measures import first_read
from tasks.tracing.records import Defect
from tasks.tracing.serving import ServedRoom, served, showings
from tasks.tracing.steps import TracedStep

LONG = " ".join(["The rent is due on the first day of each month."] * 20)
PLANNED = f"# Summary\n\n{LONG}\n\n## Cap on liability\n\n{LONG}\n\n## Insurance\n\n{LONG}\n"
NAMES = ("lease.txt", "Schedule of rents.xlsx", "memo.md")


def text(name: str, words: str, *segments: Segment) -> CanonicalText:
    return CanonicalText(document=name, sha256="0", extractor="t/1", media="txt", text=words, segments=segments)


def step(tool: str, result: str = "came back", **arguments: Any) -> TracedStep:
    return TracedStep(1, tool, arguments, result, bucket=bucket_of(tool, arguments))


def release(*kinds: str, gates: tuple[str, ...] = ("asks", "citation")) -> ReleaseReport:
    found = tuple(Finding(gate="asks", kind=kind) for kind in kinds)
    made = tuple(
        GateResult(gate=g, status="passed", checked=0, verified=0, findings=found * (g == "asks")) for g in gates
    )
    return ReleaseReport(matter_id="m", status="released", gates=made, coverage=(), deliverables=())


def found(steps: list[TracedStep], documents: dict[str, str] | None = None, **about: Any) -> dict[str, Defect]:
    known = {"revise": 1, "report": release(), "drafts": {"memo.md": text("memo.md", LONG)}} | about
    texts = {name: text(name, words) for name, words in (documents or {}).items()}
    room = ServedRoom({name: one.text for name, one in texts.items()})
    shown = showings(steps, room)
    opened = first_read(steps, shown if documents else None)
    return {d.defect: d for d in defects(steps, opened, served(shown, room), About(texts=texts, **known))}


def write(content: str, path: str = "output/memo.md") -> TracedStep:
    return step("write", path=path, content=content)


def test_a_clean_attempt_has_none() -> None:
    assert found([step("read", path="lease.txt"), write(PLANNED), step("audit_all")], {"lease.txt": LONG}) == {}


def test_d1_sections_that_a_rewrite_lost() -> None:
    cut = PLANNED.partition("## Cap")[0]
    assert found([write(PLANNED), write(cut)])["D1"].evidence.startswith("2 of 3 headings")
    clobbered = [write(PLANNED.partition("## Insurance")[0]), write(f"## Insurance\n\n{LONG}")]
    assert found(clobbered)["D1"].evidence.startswith("2 of 2 headings")


@pytest.mark.parametrize(
    "second",
    [
        write(PLANNED + f"\n## Notices\n\n{LONG}{LONG}"),
        write(PLANNED.replace("## Cap on liability", "### 2.1 Cap on Liability")[:-60]),
        write("# Another file", path="output/other.md"),
        step("edit", path="output/memo.md", old_string="Insurance", new_string="Cover"),
        write(PLANNED.replace("Insurance", "Cover and premiums of the tenant")),  # renamed: nothing got shorter
    ],
)
def test_d1_is_not_a_rewrite_that_keeps_or_adds(second: TracedStep) -> None:
    assert "D1" not in found([write(PLANNED), second])


ITEMS = [f"{n}. {what}: [01-lease.pdf § {n}]" for n, what in enumerate(("cap", "uncapped liability", "insurance"), 1)]


def test_d1_items_that_were_written_over_one_another() -> None:
    """As a small model did: one item after the other under one name, none of them with a heading."""
    chunks = [write(item) for item in ITEMS]
    told = found(chunks, drafts={"memo.md": text("memo.md", ITEMS[-1])})["D1"]
    assert told.evidence.startswith("2 of 2 items of earlier versions")
    assert found([write("\n".join(ITEMS)), write("3. insurance: none.")])["D1"].evidence.startswith("2 of 3 items")
    refused = [replace(chunk, arguments={**chunk.arguments, "path": "memo.docx"}, failed=True) for chunk in chunks]
    assert "D1" in found(refused)  # a Word file is not written, but its text is kept and built
    bulleted = "- cap: 1\n- uncapped liability - none\n* insurance. Yes."
    assert found([write(bulleted), write("- cap: 1")])["D1"].evidence.startswith("2 of 3 items")


@pytest.mark.parametrize(
    "versions",
    [
        (ITEMS[0], "\n".join(ITEMS)),  # it grew
        ("\n".join(ITEMS), "\n".join(ITEMS).replace("cap", "limit of what is owed")),  # renamed, and not shorter
        ("The rent is due.\n\nThe deposit is not.", "Nothing is due."),  # too short to be a part
        ("2024. The year of the lease: it began.", "2024. The year of the lease: it began, and ended."),
    ],
)
def test_d1_is_no_list_that_grew(versions: tuple[str, str]) -> None:
    assert "D1" not in found([write(text) for text in versions])


CAP = (
    "Under clause nine neither company owes the other more than the fees paid in the twelve months before the claim "
    "arose, whatever the ground, save for fraud and for wilful misconduct of its directors."
)
COVER = (
    "The supplier must hold product liability insurance with a reputable underwriter for two million dollars an "
    "occurrence, name the buyer as additional insured, and show certificates every January."
)
LAW = (
    "Disputes go to three arbitrators seated in Geneva who apply the law of Ontario; an injunction may still be sought "
    "from any court, and each side bears its own lawyers unless the tribunal orders otherwise."
)
REWORDED = (
    "Neither company owes more than twelve months of fees paid before the claim arose (clause nine), except for fraud "
    "or wilful misconduct."
)
STUB = (
    "I have now looked at all of the papers in the folder and will begin to write the memorandum in a moment from here."
)


@pytest.mark.parametrize(
    ("versions", "told"),
    [
        ((f"{CAP}\n\n{COVER}\n\n{LAW}", f"{CAP}\n\n{LAW}"), "1 of 3 paragraphs"),  # one was dropped
        ((f"{CAP}\n\n{COVER}\n\n{LAW}", f"{REWORDED}\n\n{LAW}"), "1 of 3 paragraphs"),  # and another reworded
        ((CAP, COVER, LAW), "2 of 2 paragraphs"),  # written over one another, none shorter for it
        ((f"{CAP}\n\n{COVER}", f"{REWORDED} {COVER}"), None),  # shorter, and nothing of it is gone
        ((CAP, f"{CAP}\n\n{COVER}"), None),  # it grew
        ((STUB, f"{CAP}\n\n{COVER}"), None),  # what stood there before was no part of the draft
        ((f"{CAP}\n\n{CAP}\n\n{COVER}", f"{CAP}\n\n{COVER}"), None),  # what stood there twice has no words of its own
    ],
)
def test_d1_paragraphs_of_prose(versions: tuple[str, ...], told: str | None) -> None:
    defect = found([write(part) for part in versions], drafts={"memo.md": text("memo.md", versions[-1])}).get("D1")
    assert (defect.evidence[: len(told)] if defect and told else defect) == told


def test_d1_is_not_what_stands_in_the_work_product_after_all() -> None:
    assert "D1" not in found([write(PLANNED), write("# Draft")], drafts={"memo.md": text("memo.md", PLANNED)})


def test_d2_a_document_that_is_named_and_was_never_opened() -> None:
    room = {"lease.txt": LONG, "Schedule of rents.xlsx": "| rent |\n| 100 |", "old.txt": "Never named in the memo."}
    drafts = {"memo.md": text("memo.md", f"{LONG} See lease.txt, and Schedule of rents.xlsx, row 2.")}
    told = found([step("read", path="lease.txt")], room, drafts=drafts)["D2"]
    assert told.evidence.startswith("1 of 3 documents")
    assert told.evidence.endswith("1 of them tables")
    both = [step("read", path="lease.txt"), step("read", path="Schedule of rents.xlsx")]
    assert "D2" not in found(both, room, drafts=drafts)
    assert "D2" not in found([], room, drafts=drafts)  # a trace that tells no steps tells nothing of reads


def test_d3_the_wrong_shape() -> None:
    redlined = text("a.docx", LONG, Segment(kind=SegmentKind.REVISION, label="r", start=0, end=3))
    plain = text("a.docx", LONG)
    wanted = {"wanted": ("a.docx",), "redlines": frozenset({"a.docx"})}
    assert "D3" not in found([], drafts={"a.docx": redlined}, **wanted)
    assert "1 without tracked changes" in found([], drafts={"a.docx": plain}, **wanted)["D3"].evidence
    assert "1 not there by name" in found([], drafts={"a.md": plain}, wanted=("a.docx",))["D3"].evidence
    assert "1 stubs" in found([], drafts={"a.docx": text("a.docx", "To do.")}, wanted=("a.docx",))["D3"].evidence
    assert "D3" in found([write(PLANNED, "scratch/memo.md")], drafts={}, wanted=("memo.md",))
    assert "D3" not in found([], drafts={}, wanted=("a.docx",))  # nothing was drafted: that is no shape
    assert "D3" not in found([], drafts={"any.md": plain})


def test_d4_what_was_left_out_in_silence() -> None:
    told = found([], report=release("dropped_ask", "dropped_ask", "missing_section", "unsourced"))["D4"]
    assert told.evidence == "2 asks of the brief and 1 required sections are left out"
    assert "D4" not in found([], report=release("unsourced"))


def test_d5_and_d7_are_said_of_cells() -> None:
    told = found([], revise=0, report=release(gates=("asks", "number")))
    assert [told[d].by_construction for d in ("D5", "D7")] == [True, True]
    assert found([], report=None) == {}  # of a release that was not reached nothing is said


def test_d6_a_bootstrap_before_the_first_document() -> None:
    listed, read = step("glob", pattern="*"), step("read", path="lease.txt")
    skill = step("Skill", skill="consent-review")
    tools = [step("Bash", command="pip list"), step("Bash", command="python setup.py"), step("Bash", command="env")]
    assert "1 of them to open a skill" in found([listed, skill, read], {"lease.txt": LONG})["D6"].evidence
    assert found([listed, *tools, read], {"lease.txt": LONG})["D6"].evidence.startswith("3 actions")
    assert "D6" not in found([listed, read, skill, *tools], {"lease.txt": LONG})
    assert "D6" not in found([listed, *tools[:2], read], {"lease.txt": LONG})
    assert "D6" not in found([skill, *tools], {"lease.txt": LONG})  # it never opened one: that is another defect


def test_evidence_names_nothing_of_the_matter() -> None:
    room = {name: LONG for name in NAMES}
    drafts = {"memo.md": text("memo.md", f"Acme Ltd owes $5,000,000. See {', '.join(NAMES)}.")}
    steps = [step("Skill", skill="acme"), write(PLANNED), write("# Acme\n\nshort"), step("read", path="lease.txt")]
    report = release("dropped_ask", gates=("asks",))
    told = found(steps, room, drafts=drafts, wanted=("acme.docx",), revise=0, report=report)
    assert sorted(told) == ["D1", "D2", "D3", "D4", "D5", "D6", "D7"]
    for defect in told.values():
        assert not re.search(r"acme|5,000|lease|rent|memo|insurance|\.\w{2,4}\b", defect.evidence, re.IGNORECASE), (
            defect
        )
