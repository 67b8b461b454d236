"""One finding for one fault."""

from __future__ import annotations

from reconcile_fixtures import run

from tasks.reconcile.dates.gate import check_dates
from tasks.reconcile.duplicate_findings import without_duplicates
from tasks.reconcile.numbers.gate import check_numbers
from tasks.reconcile.records import Finding, GateCheck

SOURCE = {"a.docx": "Buyer shall pay the invoice within thirty (30) days after receipt of the goods at the port."}
DRAFT = "Buyer shall pay the invoice within 90 days after receipt of the goods at the port."


def test_a_window_that_both_gates_flag_is_one_finding_of_the_date_gate():
    checks = [run(check_numbers, DRAFT, sources=SOURCE), run(check_dates, DRAFT, sources=SOURCE)]
    assert [len(c.findings) for c in checks] == [1, 1]
    kept = without_duplicates(checks)
    assert [(c.gate, len(c.findings)) for c in kept] == [("number", 0), ("date", 1)]
    assert kept[0].checked == checks[0].checked


def _finding(gate, severity="flag", start=0, end=5, deliverable="memo.md"):
    return Finding(gate=gate, kind="near_miss", severity=severity, deliverable=deliverable, start=start, end=end)


def test_what_only_one_gate_says_stays():
    number = _finding("number")
    for other in (
        _finding("date", severity="note"),
        _finding("date", start=5, end=9),
        _finding("date", deliverable="other.md"),
    ):
        checks = (
            GateCheck(gate="number", checked=1, findings=(number,)),
            GateCheck(gate="date", checked=1, findings=(other,)),
        )
        assert without_duplicates(checks) == checks
