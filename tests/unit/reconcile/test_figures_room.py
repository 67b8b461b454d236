"""Figures bound to what they are said of: three agreements of our own and natural statements about them.

First touch, 22 Nov 2026:

- ``figures_room`` (75 statements, the gate as it was tuned on template paraphrases): false alarms on 3 of 46 true
  statements, 8 of 25 misplaced figures found, 4 of 4 absent ones. The gate was worked on with them afterwards.
- ``figures_room_second`` (56 statements, after that work): false alarms on 3 of 32, 17 of 22 misplaced, 2 of 2 absent.
  Two of the alarms were mended by rule since; the third ("six months" for 180 days) is one that a lawyer would raise.

Template paraphrases flatter: these natural statements are the measure of figures in context.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest
from reconcile_fixtures import matter, pack, run, state, text

from tasks.harness import packaged
from tasks.reconcile.check import CheckJob
from tasks.reconcile.numbers.gate import check_numbers


def _table(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _measure(table: ModuleType) -> tuple[list[str], list[str], list[str]]:
    """Return the true statements flagged, the misplaced figures missed and the absent ones missed."""
    sources = {name: text(name, content) for name, content in table.ROOM.items()}
    room = matter("memo.md", documents=tuple(table.ROOM))
    memo = "\n\n".join(statement for statement, _ in table.STATEMENTS)
    findings = check_numbers(
        CheckJob({"memo.md": text("memo.md", memo)}, sources, room, state(), pack(), packaged())
    ).findings
    alarms, misplaced, absent, at = [], [], [], 0
    for statement, wrong in table.STATEMENTS:
        flagged = [f.text for f in findings if at <= f.start < at + len(statement) and f.severity != "note"]
        at += len(statement) + 2
        if not wrong:
            alarms += [statement] if flagged else []
        elif not any(f in wrong or wrong in f for f in flagged):
            (absent if statement in table.ABSENT else misplaced).append(statement)
    return alarms, misplaced, absent


@pytest.mark.parametrize(("name", "most"), [("figures_room", 8), ("figures_room_second", 6)])
def test_natural_statements(name, most, capsys):
    table = _table(name)
    alarms, misplaced, absent = _measure(table)
    true = sum(not wrong for _, wrong in table.STATEMENTS)
    wrong = len(table.STATEMENTS) - true - len(table.ABSENT)
    with capsys.disabled():
        print(
            f"\n{name}: false alarms {len(alarms)}/{true}, "
            f"misplaced found {wrong - len(misplaced)}/{wrong}, "
            f"absent found {len(table.ABSENT) - len(absent)}/{len(table.ABSENT)}"
        )
    assert len(alarms) <= 2, alarms
    assert len(misplaced) <= most, misplaced
    assert absent == []


def test_a_misplaced_figure_names_the_place_that_fits():
    lease = "3. Rent. Base rent is $8,500 per month.\n\n4. Deposit. Tenant shall deliver a security deposit of $25,500."
    (finding,) = run(check_numbers, "The security deposit is $8,500.", sources={"lease.docx": lease}).findings
    assert (finding.kind, finding.severity, finding.text) == ("wrong_context", "flag", "$8,500")
    assert finding.grounding is not None
    assert lease[finding.grounding.start : finding.grounding.end] == "$25,500"
    assert run(check_numbers, "The security deposit is $25,500.", sources={"lease.docx": lease}).findings == ()


def test_another_party_is_a_wrong_entity():
    deal = "5.1 Alpha's liability shall not exceed $500,000.\n\n5.2 Beta's liability shall not exceed $900,000."
    (finding,) = run(
        check_numbers, "We note that Alpha's liability is capped at $900,000.", sources={"d.docx": deal}
    ).findings
    assert finding.kind == "wrong_entity"


@pytest.mark.parametrize(
    ("draft", "flagged"),
    [
        ("Cash was approximately $1.2 million.", False),
        ("Cash was about $1,230,000.", False),
        ("Cash was approximately $1.3 million.", True),
        ("Cash was about $1 million.", True),
        ("Cash was more than $1.2 million.", False),
        ("Cash was more than $1.25 million.", True),
        ("Cash was nearly $1.25 million.", False),
        ("Cash was nearly $1.2 million.", True),
        ("Cash was $1,234,000.", True),
    ],
)
def test_stated_rounding(draft, flagged):
    check = run(check_numbers, draft, sources={"a.docx": "Cash at year end was $1,234,567."})
    assert bool(check.findings) is flagged
    if not flagged:
        assert check.grounded[0].derivation.startswith("1234567 ≈ ")


TABLE = (
    "| Lender | Term | Revolver |\n|---|---|---|\n| A | $1,000,000 | $200,000 |\n| B | $3,000,000 | $500,000 |\n"
    "| C | $2,500,000 | $300,000 |\n| Total | {term} | {revolver} |\n"
)
LOANS = "A lends $1,000,000 and $200,000. B lends $3,000,000 and $500,000. C lends $2,500,000 and $300,000."


def test_columns_of_a_table_add_up():
    right = run(check_numbers, TABLE.format(term="$6,500,000", revolver="$1,000,000"), sources={"a.docx": LOANS})
    assert right.findings == ()
    assert next(g.derivation for g in right.grounded if g.derivation) == "1000000 + 3000000 + 2500000 = 6500000"
    wrong = run(check_numbers, TABLE.format(term="$6,600,000", revolver="$1,000,000"), sources={"a.docx": LOANS})
    assert [f.text for f in wrong.findings] == ["$6,600,000"]


@pytest.mark.parametrize(
    ("draft", "derivation"),
    [
        ("Interest on $1,000,000 at 6% for 90 days is $15,000.", "1000000 × 6% × 90/360 = 15000"),
        ("Annual rent is $120,000.", "10000 × 12 = 120000"),
        ("Rent is about $119,000 a year.", "10000 × 12 ≈ 119000"),
    ],
)
def test_periods_and_interest_are_derived(draft, derivation):
    source = "The loan of $1,000,000 bears 6% and runs 90 days. Rent is $10,000 per month."
    check = run(check_numbers, draft, sources={"a.docx": source})
    assert check.findings == ()
    assert derivation in [g.derivation for g in check.grounded]


def test_small_figures_are_not_derived_by_chance():
    source = "Notice takes 10 days. Cure takes 30 days. Delivery takes 45 days."
    draft = "Notice takes 10 days and cure takes 30 days, and payment follows in 40 days."
    assert [f.text for f in run(check_numbers, draft, sources={"a.docx": source}).findings] == ["40 days"]
    assert (
        run(check_numbers, "Notice of 10 days plus cure of 30 days makes 40 days.", sources={"a.docx": source}).findings
        == ()
    )


def test_a_side_of_a_pair_that_disagrees_in_the_source_is_not_taken_in_silence():
    source = {"a.docx": "Payment is due within sixty (45) days after delivery of the invoice to the buyer."}
    (finding,) = run(check_numbers, "The buyer has 45 days to pay.", sources=source).findings
    assert (finding.kind, finding.severity) == ("silent_choice", "flag")
    assert "sixty (45)" in finding.checked
    said = "The contract is inconsistent: 45 days in figures, 60 in words."
    assert not [f for f in run(check_numbers, said, sources=source).findings if f.kind == "silent_choice"]


@pytest.mark.parametrize(
    ("draft", "flagged"),
    [
        ("EBITDA was $(500,000).", True),
        ("EBITDA was $500,000.", False),
        ("The fee is -5%.", True),
        ("There was a loss of $(500,000).", False),
        ("The margin was 7%.", True),
        ("The margin was negative, a decline of 7%.", False),
    ],
)
def test_a_sign_that_no_source_has(draft, flagged):
    source = {"a.docx": "EBITDA was $500,000. The fee is 5%. Operating margin | (7)% | -7%"}
    assert bool(run(check_numbers, draft, sources=source).findings) is flagged


@pytest.mark.parametrize(
    "draft",
    [
        "Term | Lease | Loan\nrenewal term | 12 months | – | 36 months",
        "The notice period\n\n12 months. “11.1 The lease begins on the Commencement Date and runs for a term of 36 "
        "months.”",
    ],
    ids=["a row of many cells", "a quotation after a figure"],
)
def test_figures_of_real_drafts_that_were_once_flagged(draft):
    source = (
        "10. Renewal. The renewal term is 24 months on notice of 12 months.\n\n"
        "11.1 The lease begins on the Commencement Date and runs for a term of 36 months. It ends after that."
    )
    assert run(check_numbers, draft, sources={"lease.docx": source}).findings == ()
