"""Release: gates in order, deliverables reopened from disk, names that stay inside, one page of report."""

from __future__ import annotations

import itertools
import tomllib
from pathlib import Path

import pytest

from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.records import Deliverable, Matter
from tasks.reconcile.records import Finding, GateCheck, Grounding
from tasks.reconcile.registry import GATES
from tasks.release.build.deliverable import build_deliverable
from tasks.release.gates import GateThresholds, gate_results
from tasks.release.landing import land_bytes, reopen, target_path
from tasks.release.stage import release, render_report
from tasks.sources.records import CoverageEntry, MatterState
from tasks.sources.texts import read_file


def _matter(*names: str) -> Matter:
    deliverables = tuple(Deliverable(name=n, filename=n) for n in names)
    return Matter(matter_id="a/b", title="t", area="a", instructions="x", deliverables=deliverables)


def _state(*entries: CoverageEntry) -> MatterState:
    return MatterState(matter_id="a/b", documents=(), coverage=entries)


def _finding(gate="number", kind="unsourced", severity="flag", **more) -> Finding:
    return Finding(gate=gate, kind=kind, severity=severity, **more)


def _grounding() -> Grounding:
    return Grounding(deliverable="memo.docx", start=0, end=1, text="x", sources=())


def _release(output: Path, checks=(), names=("memo.docx",), drafts=None, **options):
    return release(_matter(*names), _state(), checks, output, drafts or {}, **options)


def test_a_clean_work_product_is_released(tmp_path):
    build_deliverable("# Memo\n\nText.", None, tmp_path / "memo.docx")
    check = GateCheck(gate="number", checked=3, grounded=(_grounding(),) * 3)
    report = _release(tmp_path, [check])
    assert report.status == "released"
    assert [g.gate for g in report.gates] == list(GATES) == ["number", "date", "skeleton", "citation", "completeness"]
    assert (report.gates[0].checked, report.gates[0].verified) == (3, 3)
    assert report.deliverables == ("memo.docx",)


def test_flags_flag_notes_pass_blocks_block(tmp_path):
    build_deliverable("Text.", None, tmp_path / "memo.docx")
    for severity, status in (("note", "released"), ("flag", "released_with_flags"), ("block", "blocked")):
        check = GateCheck(gate="citation", checked=1, findings=(_finding("citation", "misquoted", severity),))
        assert _release(tmp_path, [check]).status == status


@pytest.mark.parametrize("content", [None, b"", b"PK\x03\x04 broken", b"   \n"])
def test_missing_broken_and_empty_deliverables_block(tmp_path, content):
    if content is not None:
        (tmp_path / "memo.docx").write_bytes(content)
    report = _release(tmp_path)
    assert report.status == "blocked"
    kind = report.gates[-1].findings[0].kind
    assert kind == ("missing_deliverable" if content is None else "unreadable_deliverable")
    assert report.gates[-1].findings[0].remedy


def test_no_deliverables_asked_for_means_every_file(tmp_path):
    assert _release(tmp_path, names=()).status == "blocked"
    build_deliverable("Text.", None, tmp_path / "any.md")
    assert _release(tmp_path, names=()).deliverables == ("any.md",)


def test_a_finding_is_not_repeated(tmp_path):
    missing = _finding("completeness", "missing_deliverable", "block", deliverable="memo.docx")
    report = _release(tmp_path, [GateCheck(gate="completeness", checked=1, findings=(missing,))])
    assert len(report.gates[-1].findings) == 1


def test_checks_of_another_text_are_stale(tmp_path):
    build_deliverable("Old.", None, tmp_path / "memo.md")
    old = read_file(tmp_path / "memo.md")
    build_deliverable("New.", None, tmp_path / "memo.md")
    report = _release(tmp_path, names=("memo.md",), drafts={"memo.md": old})
    assert report.status == "released_with_flags"


BAD_NAMES = [
    "../memo.docx",
    "/etc/memo.docx",
    "a/../../memo.docx",
    "",
    "C:\\memo.docx",
    "..\\memo.docx",
    "memo\n.docx",
    "nul.docx",
    "x" * 300 + ".docx",
    ".",
]


@pytest.mark.parametrize("name", BAD_NAMES)
def test_names_that_leave_the_folder_are_refused(tmp_path, name):
    with pytest.raises(SolonError) as caught:
        target_path(tmp_path / "output", name)
    assert caught.value.failure.cause == "policy"
    assert isinstance(reopen(tmp_path / "output", name), Failure)


def test_symbolic_links_do_not_lead_out(tmp_path):
    outside = tmp_path / "secret.md"
    outside.write_text("secret")
    output = tmp_path / "output"
    output.mkdir()
    (output / "memo.md").symlink_to(outside)
    result = reopen(output, "memo.md")
    assert isinstance(result, Failure)
    (output / "folder").symlink_to(tmp_path)
    with pytest.raises(SolonError):
        target_path(output, "folder/secret.md")


def test_landing_is_whole_and_exact(tmp_path):
    path = land_bytes(b"Text", tmp_path / "output", "sub/Memo Final.md")
    assert path.read_bytes() == b"Text"
    assert [p.name for p in path.parent.iterdir()] == ["Memo Final.md"]


def test_thresholds_come_from_the_harness():
    table = tomllib.loads(
        '[number]\nunsourced = "note"\nnear_miss_tolerance = 0.02\nblock_share = 0.5\n[citation]\nx = 1\n'
    )
    thresholds = GateThresholds.from_table(table)
    flags = tuple(_finding(kind="near_miss") for _ in range(6))
    (number, *_) = gate_results([GateCheck(gate="number", checked=10, findings=flags)], thresholds)
    assert number.status == "blocked"
    (number, *_) = gate_results([GateCheck(gate="number", checked=1, findings=(_finding(),))], thresholds)
    assert number.status == "passed"


def test_what_blocks_is_shown_before_any_number_of_flags_and_notes():
    many = [_finding(severity="note", text="n", start=n) for n in range(3)]
    many += [_finding(text="f", start=n) for n in range(300)]
    many += [_finding(severity="block", text="b", start=n) for n in range(900, 902)]
    (number, *_) = gate_results([GateCheck(gate="number", checked=400, findings=tuple(many))])
    assert [f.text for f in number.findings] == ["b"] * 2 + ["f"] * 198
    assert [f.start for f in number.findings[2:]] == list(range(198))
    (number, *_) = gate_results([GateCheck(gate="number", checked=9, findings=tuple(many[:4]))])
    assert [f.text for f in number.findings] == ["f", "n", "n", "n"]


@pytest.mark.parametrize(
    ("flags", "checked", "status"), [(5, 10, "blocked"), (4, 8, "flagged"), (5, 11, "flagged"), (5, 0, "flagged")]
)
def test_a_gate_blocks_by_share_from_five_flags_on(flags, checked, status):
    thresholds = GateThresholds.from_table({"number": {"block_share": 0.5}})
    found = tuple(_finding(start=n) for n in range(flags))
    (number, *_) = gate_results([GateCheck(gate="number", checked=checked, findings=found)], thresholds)
    assert number.status == status
    (number, *_) = gate_results([GateCheck(gate="number", checked=checked, findings=found)])
    assert number.status == "flagged"  # without such a setting, no number of flags blocks


def test_no_setting_lets_an_unreadable_deliverable_pass():
    thresholds = GateThresholds.from_table(
        {"completeness": {"missing_deliverable": "note"}, "citation": {"misquoted": "note"}}
    )
    missing = _finding("completeness", "missing_deliverable", "block", deliverable="m")
    fabricated = _finding("citation", "misquoted", "block")
    checks = [GateCheck(gate=f.gate, checked=1, findings=(f,)) for f in (missing, fabricated)]
    assert [g.status for g in gate_results(checks, thresholds)][-2:] == ["blocked", "blocked"]


def test_the_report_is_one_page_in_order_of_consequence(tmp_path):
    failure = Failure(cause=FailureCause.READER, stage="sources", subject="x", message="It is encrypted.")
    findings = [
        _finding("completeness", "uncited_document", "note", text="z.pdf"),
        *(
            _finding(text=f"${n}", start=n, sentence=f"Pay ${n} | now.", checked="Compared.", remedy="Fix.")
            for n in range(99)
        ),
        *(_finding("date", "unsourced", text="30 days", start=n) for n in range(3)),
        _finding("citation", "misquoted", "block", text="made\nup `words` [x](y)", deliverable="memo.docx"),
    ]
    checks = [GateCheck(gate=g, checked=9, findings=tuple(f for f in findings if f.gate == g)) for g in GATES]
    coverage = (
        CoverageEntry(document="a.docx", status="read", characters=5),
        CoverageEntry(document="b.pdf", status="unread", characters=0, failures=(failure,)),
    )
    build_deliverable("Text.", None, tmp_path / "memo.docx")
    text = render_report(release(_matter("memo.docx"), _state(*coverage), checks, tmp_path, {}))
    order = [
        text.index(part) for part in ("Blocks the release (1)", "Needs a lawyer's eye (102)", "Notes (1)", "## Gates")
    ]
    assert order == sorted(order)
    assert "made up \\`words\\` \\[x\\](y)" in text
    assert "Pay $0 \\| now." in text
    assert "more: " in text
    assert "2 documents: 1 read, 0 read in part, 1 not read." in text
    assert "b.pdf (unread): It is encrypted." in text
    assert len(text.splitlines()) < 80


def test_the_report_does_not_depend_on_the_order_of_checks(tmp_path):
    build_deliverable("Text.", None, tmp_path / "memo.docx")
    checks = [GateCheck(gate=g, checked=1, findings=(_finding(g),)) for g in GATES]
    reports = {
        render_report(_release(tmp_path, p)) for p in itertools.islice(itertools.permutations(checks), 0, 120, 31)
    }
    assert len(reports) == 1
