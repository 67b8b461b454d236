"""Release: gates in order, deliverables reopened from disk, names that stay inside, one page of report."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from tasks.asks.records import Ask, AskKind, AskOutcome, AskState, Entry
from tasks.harness import packaged
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.records import Deliverable, Matter
from tasks.reconcile.records import Finding, GateCheck, Grounding
from tasks.reconcile.registry import CHECKS, KINDS
from tasks.release.build.deliverable import build_deliverable
from tasks.release.gates import gate_results
from tasks.release.landing import reopen, target_path
from tasks.release.records import GateResult, ReleaseReport
from tasks.release.report import headline
from tasks.release.stage import release, render_report
from tasks.sources.records import CoverageEntry, MatterState
from tasks.sources.texts import read_file

SHIPPED = packaged().gates


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
    return release(_matter(*names), _state(), checks, output, drafts or {}, SHIPPED, **options)


def test_a_clean_work_product_is_released(tmp_path):
    build_deliverable("# Memo\n\nText.", None, tmp_path / "memo.docx")
    check = GateCheck(gate="number", checked=3, grounded=(_grounding(),) * 3)
    report = _release(tmp_path, [check])
    assert report.status == "released"
    assert [g.gate for g in report.gates] == [*SHIPPED.order]
    assert (report.gates[1].checked, report.gates[1].verified) == (3, 3)
    assert report.deliverables == ("memo.docx",)


def test_flags_flag_notes_pass_blocks_block(tmp_path):
    build_deliverable("Text.", None, tmp_path / "memo.docx")
    found = {"uncited_document": "released", "unread_document": "released_with_flags", "missing_deliverable": "blocked"}
    for kind, status in found.items():
        check = GateCheck(gate="completeness", checked=1, findings=(_finding("completeness", kind),))
        assert _release(tmp_path, [check]).status == status


def _complete(report: ReleaseReport) -> GateResult:
    return next(gate for gate in report.gates if gate.gate == "completeness")


@pytest.mark.parametrize("content", [None, b"", b"PK\x03\x04 broken", b"   \n"])
def test_missing_broken_and_empty_deliverables_block(tmp_path, content):
    if content is not None:
        (tmp_path / "memo.docx").write_bytes(content)
    report = _release(tmp_path)
    assert report.status == "blocked"
    (found,) = _complete(report).findings
    assert found.kind == ("missing_deliverable" if content is None else "unreadable_deliverable")
    assert found.remedy


def test_no_deliverables_asked_for_means_every_file(tmp_path):
    assert _release(tmp_path, names=()).status == "blocked"
    build_deliverable("Text.", None, tmp_path / "any.md")
    assert _release(tmp_path, names=()).deliverables == ("any.md",)


def test_a_finding_is_not_repeated(tmp_path):
    missing = _finding("completeness", "missing_deliverable", "block", deliverable="memo.docx")
    report = _release(tmp_path, [GateCheck(gate="completeness", checked=1, findings=(missing,))])
    assert len(_complete(report).findings) == 1


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
    assert caught.value.failure.cause is FailureCause.POLICY
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


def _settings(gate="number", **changes):
    """Return the shipped settings with changes of one gate, or of all where ``gate`` is empty."""
    if not gate:
        return SHIPPED.model_copy(update=changes)
    return SHIPPED.model_copy(update={gate: SHIPPED.gate(gate).model_copy(update=changes)})


def test_what_a_finding_means_is_said_by_the_harness_and_not_by_the_check():
    found = (GateCheck(gate="number", checked=9, findings=(_finding(severity="block"),)),)
    (_, number, *_) = gate_results(found, SHIPPED)
    assert (number.status, number.findings[0].severity) == ("flagged", "flag")
    (_, number, *_) = gate_results(found, _settings(unsourced="note"))
    assert number.status == "passed"
    (_, number, *_) = gate_results(found, _settings(unsourced="block"))
    assert number.status == "blocked"


def test_the_gates_are_reported_in_the_order_of_the_harness():
    order = tuple(reversed(SHIPPED.order))
    assert tuple(g.gate for g in gate_results([], _settings("", order=order))) == order


def test_what_blocks_is_shown_before_any_number_of_flags_and_notes():
    kinds = {"n": "source_disagrees", "f": "unsourced", "b": "wrong_entity"}
    settings = _settings(wrong_entity="block")
    many = [_finding(kind=kinds["n"], text="n", start=n) for n in range(3)]
    many += [_finding(text="f", start=n) for n in range(300)]
    many += [_finding(kind=kinds["b"], text="b", start=n) for n in range(900, 902)]
    (_, number, *_) = gate_results([GateCheck(gate="number", checked=400, findings=tuple(many))], settings)
    assert [f.text for f in number.findings] == ["b"] * 2 + ["f"] * 198
    assert [f.start for f in number.findings[2:]] == list(range(198))
    (_, number, *_) = gate_results([GateCheck(gate="number", checked=9, findings=tuple(many[:4]))], settings)
    assert [f.text for f in number.findings] == ["f", "n", "n", "n"]


@pytest.mark.parametrize(
    ("flags", "checked", "status"), [(5, 10, "blocked"), (4, 8, "flagged"), (5, 11, "flagged"), (5, 0, "flagged")]
)
def test_a_gate_blocks_by_share_from_five_flags_on(flags, checked, status):
    found = tuple(_finding(start=n) for n in range(flags))
    check = [GateCheck(gate="number", checked=checked, findings=found)]
    assert gate_results(check, _settings(block_share=0.5))[1].status == status
    whole = "blocked" if flags == checked else "flagged"
    assert gate_results(check, SHIPPED)[1].status == whole  # as shipped, only a draft of which nothing is verified


def test_a_gate_without_a_share_blocks_by_kind_alone():
    missing = tuple(_finding("skeleton", "missing_section", start=n) for n in range(9))
    found = {g.gate: g.status for g in gate_results([GateCheck(gate="skeleton", checked=9, findings=missing)], SHIPPED)}
    assert found["skeleton"] == "flagged"


def test_a_kind_of_finding_that_a_gate_does_not_know_is_an_error():
    with pytest.raises(KeyError, match="knows no finding 'missing_section'"):
        gate_results([GateCheck(gate="number", checked=1, findings=(_finding(kind="missing_section"),))], SHIPPED)


def test_the_report_is_one_page_in_order_of_consequence(tmp_path):
    failure = Failure(cause=FailureCause.READER, stage="sources", subject="x", message="It is encrypted.")
    findings = [
        _finding("completeness", "uncited_document", "note", text="z.pdf"),
        *(
            _finding(text=f"${n}", start=n, sentence=f"Pay ${n} | now.", checked="Compared.", remedy="Fix.")
            for n in range(99)
        ),
        *(_finding("date", "unsourced", text="30 days", start=n) for n in range(3)),
        _finding("citation", "fabricated", "block", text="made\nup `words` [x](y)", deliverable="memo.docx"),
    ]
    checks = [GateCheck(gate=g, checked=9, findings=tuple(f for f in findings if f.gate == g)) for g in SHIPPED.order]
    coverage = (
        CoverageEntry(document="a.docx", status="read", characters=5),
        CoverageEntry(document="b.pdf", status="unread", characters=0, failures=(failure,)),
    )
    build_deliverable("Text.", None, tmp_path / "memo.docx")
    text = render_report(release(_matter("memo.docx"), _state(*coverage), checks, tmp_path, {}, SHIPPED))
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
    checks = [GateCheck(gate=g, checked=1, findings=(_finding(g, SHIPPED.gate(g).kinds()[0]),)) for g in SHIPPED.order]
    reports = {
        render_report(_release(tmp_path, p)) for p in itertools.islice(itertools.permutations(checks), 0, 120, 31)
    }
    assert len(reports) == 1


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_finding_can_be_reported(tmp_path, kind):
    gate = next(name for name, check in CHECKS.items() if kind in check.kinds)
    build_deliverable("Text.", None, tmp_path / "memo.docx")
    report = _release(tmp_path, [GateCheck(gate=gate, checked=1, findings=(_finding(gate, kind),))])
    assert f"{SHIPPED.gate(gate).severity(kind)}" in {f.severity for g in report.gates for f in g.findings}
    assert render_report(report)


def _asked(number: int, state: AskState = AskState.ANSWERED, *, certain: bool = True) -> AskOutcome:
    ask = Ask(ask_id=str(number), words="rent", start=0, end=4, kind=AskKind.FACT, subject="rent")
    return AskOutcome(ask=ask, state=state, answer="$5", entries=(Entry(state=state, answer="$5", certain=certain),))


@pytest.mark.parametrize(
    ("asks", "unread", "status", "line"),
    [
        ([_asked(1)], 0, "released", "Released"),
        ([_asked(1, certain=False), _asked(2)], 0, "released_with_flags",
         "Released with flags: 1 of 2 answers to be verified"),
        ([_asked(1, certain=False)], 0, "released_with_flags", "To be verified: 1 of 1 answer to be verified"),
        ([_asked(1)], 2, "released_with_flags", "Released with flags: 2 documents not read"),
        ([_asked(1), _asked(2, AskState.NOT_ATTEMPTED)], 1, "released_with_open_asks",
         "Released with open asks: 1 of 2 asks left open; 1 document not read"),
        ([_asked(1, certain=False), _asked(2, AskState.NOT_ATTEMPTED)], 0, "released_with_open_asks",
         "To be verified: 1 of 2 asks left open; 1 of 1 answer to be verified"),
        ([_asked(1, AskState.NOT_ATTEMPTED)], 0, "not_answered", "Not answered"),
    ],
)  # fmt: skip
def test_released_is_never_said_of_what_nobody_read_or_vouches_for(tmp_path, asks, unread, status, line):
    build_deliverable("Text.", None, tmp_path / "memo.docx")
    check = GateCheck(gate="asks", checked=len(asks), asks=tuple(asks))  # no finding: whatever the gates' severities
    coverage = [CoverageEntry(document=f"{n}.pdf", status="unread", characters=0) for n in range(unread)]
    report = release(_matter("memo.docx"), _state(*coverage), [check], tmp_path, {}, SHIPPED)
    assert (report.status, headline(report)) == (status, line)
    assert render_report(report).startswith(f"# Release report: {line}\n")
    assert ("answered, to be verified" in render_report(report)) == any(a.doubtful for a in asks)
