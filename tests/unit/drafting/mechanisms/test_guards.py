"""What a model is told when it stops, and that it is let go when its work is done."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tasks.asks.records import Ask, AskKind, Asks
from tasks.drafting.mechanisms.fidelity import signs
from tasks.drafting.mechanisms.records import Firing, Moment, Step
from tasks.harness import packaged
from tasks.release.build.deliverable import deliverable_bytes
from tasks.release.tables import Table

WORK = "# Memo\n\n" + "The tenant shall pay the rent on the first day of each month to the landlord. " * 4
ASKS = Asks(
    brief="Who pays the rent?",
    asks=(Ask(ask_id="1", words="Who pays the rent?", start=0, end=18, kind=AskKind.FACT, subject="rent"),),
)
ROW = "\n\n| No. | Asked | State | Answer | Where |\n|---|---|---|---|---|\n| 1 | Who | answered | The tenant | § 2 |\n"


def told(mechanism: str, times: int = 1) -> tuple[Firing, ...]:
    return (Firing(mechanism=mechanism, moment=Moment.FINISH, note="x"),) * times


# completion


@pytest.mark.parametrize(
    ("output", "said"),
    [
        ({}, "memo.docx: it is not there"),
        ({"Memo.md": WORK}, "there is Memo.md"),
        ({"memo.docx": ""}, "it is empty"),
        ({"memo.docx": WORK}, "its content is plain text"),
        ({"memo.docx": b"%PDF-1.4 x"}, "of the format pdf"),
    ],
)
def test_a_deliverable_that_cannot_be_used_is_named(attempt: Any, mechanism: Any, output: Any, said: str) -> None:
    assert said in mechanism("completion").objection(attempt(output))


@pytest.mark.parametrize(
    "text",
    [
        "# Memo\n\n## Facts\n\n## Analysis\n\n## Conclusion\n",
        "# Memo\n\n## Facts\n\n[Insert the facts of the matter here, with the dates and names of all the parties]\n\n"
        "## Analysis\n\nTBD after the documents have been read by the associate who is in charge of all of this\n",
        "# Memo\n\nI will fill this in.",
    ],
)
def test_a_stub_is_named(attempt: Any, mechanism: Any, docx: Any, text: str) -> None:
    assert "it is a stub" in mechanism("completion").objection(attempt({"memo.docx": docx(text)}))


def test_no_file_at_all_is_named_where_any_would_count(attempt: Any, mechanism: Any) -> None:
    assert "no finished file" in mechanism("completion").objection(attempt({"x.md": "TBD"}, wanted=()))
    assert mechanism("completion").objection(attempt({"x.md": WORK}, wanted=())) == ""


def test_an_ask_without_a_state_is_named(attempt: Any, mechanism: Any, docx: Any) -> None:
    view = attempt({"memo.docx": docx(WORK)}, asks=ASKS)
    assert "ask 1 has no state" in mechanism("completion").objection(view)
    view = attempt({"memo.docx": docx(WORK + ROW)}, asks=ASKS)
    assert mechanism("completion").objection(view) == ""


def test_a_finished_deliverable_and_a_second_time_are_let_go(attempt: Any, mechanism: Any, docx: Any) -> None:
    gate = mechanism("completion")
    assert gate.objection(attempt({}, fired=told("completion"))) == ""
    assert gate.objection(attempt({}, fired=told("finish_guard")))
    assert gate.objection(attempt({"memo.docx": docx(WORK)})) == ""


# finish guard


@pytest.mark.parametrize(
    "said",
    [
        "I have read the lease. Now I will write the memo.",
        "Let me now create the deliverable:",
        "Next, I'll draft the memorandum.",
        "<think>Done reading.</think>\n\nI need to verify the dates before I go on.",
        "Good. Now let me read the remaining parts of the lease.",
        "The remaining steps are to draft the conclusion and finish the table.",
    ],
)
def test_work_that_is_announced_is_asked_for(attempt: Any, mechanism: Any, said: str) -> None:
    assert "you said" in mechanism("finish_guard").objection(attempt(said=said))


@pytest.mark.parametrize(
    "said",
    [
        "The memo is in memo.docx. Let me know if you need anything else.",
        "I will be glad to answer questions.",
        "I have written the memo. It covers the rent, the term and the repairs.",
        "The landlord will write to the tenant.",
        "<think>I will write the memo now.</think>The memo is done.",
        "First I will read. Then I wrote it. Everything is in place.",
        "",
    ],
)
def test_a_message_that_ends_the_work_is_let_go(attempt: Any, mechanism: Any, said: str) -> None:
    assert mechanism("finish_guard").objection(attempt(said=said)) == ""


def test_an_open_list_is_named_by_its_last_state(attempt: Any, mechanism: Any) -> None:
    items = [{"content": "Read", "status": "completed"}, {"content": "Write the memo", "status": "in_progress"}]
    done = [{**item, "status": "completed"} for item in items]
    guard = mechanism("finish_guard")
    opened = Step(1, "TodoWrite", {"todos": items})
    assert "Write the memo" in guard.objection(attempt(steps=[opened]))
    assert guard.objection(attempt(steps=[opened, Step(2, "TodoWrite", {"todos": done})])) == ""
    assert guard.objection(attempt(steps=[Step(1, "update_plan", {"plan": "not a list"})])) == ""


def test_a_failed_write_of_the_deliverable_is_named(attempt: Any, mechanism: Any, docx: Any) -> None:
    failed = Step(3, "write", {"path": "memo.docx", "content": "x"}, "disk is full", failed=True)
    guard = mechanism("finish_guard")
    assert "disk is full" in guard.objection(attempt(steps=[failed]))
    assert guard.objection(attempt(steps=[failed, replace(failed, turn=4, failed=False)])) == ""
    assert guard.objection(attempt(steps=[Step(1, "read", {"path": "lease.docx"}, "no such file", failed=True)])) == ""
    assert guard.objection(attempt({"memo.docx": docx(WORK)}, steps=[failed])) == ""  # it is there all the same


def test_it_is_asked_to_go_on_a_bounded_number_of_times(attempt: Any, mechanism: Any) -> None:
    guard = mechanism("finish_guard")
    said = "Now I will write the memo."
    assert guard.objection(attempt(said=said, fired=told("finish_guard", 1)))
    assert guard.objection(attempt(said=said, fired=told("finish_guard", 2))) == ""


# fidelity and entities

LEASE = """LEASE between Harborview Properties LLC ("Landlord") and Quillfeather Bakery, Inc. ("Tenant").

The Tenant shall pay Base Rent of $4,000. The Landlord shall keep the Premises and the Common Areas in repair. The
Security Deposit is $8,000 and the Permitted Use is a bakery. This Lease is governed by the laws of the State of Ohio.
"""
AMENDMENT = """FIRST AMENDMENT between Harborview Properties LLC ("Landlord") and Quillfeather Bakery, Inc. ("Tenant").

The Base Rent is raised to $4,500 and the Security Deposit stays. The Permitted Use is widened to a coffee roaster.
"""
COMPLAINT = """COMPLAINT. Marisol Okonkwo, an employee of Zephyrline Logistics Corporation, brings this action under
Title VII against Zephyrline Logistics Corporation and Brightmoor Staffing Partners for a Hostile Work Environment,
Retaliatory Discharge, Back Pay and Front Pay. The Equal Employment charge was filed; the Supervisor denied a promotion.
"""
PAPERS = {"lease.docx": LEASE, "amendment.docx": AMENDMENT, "complaint.docx": COMPLAINT}
BRIEF = (
    "Review the lease of Quillfeather Bakery and its amendment: rent, deposit, repair of the premises, permitted use."
)
RIGHT = """# Memo on the lease

Harborview Properties LLC lets the Premises to Quillfeather Bakery, Inc. The Base Rent was $4,000 and is now $4,500. The
Security Deposit is $8,000. The Landlord keeps the Premises and the Common Areas in repair. The Permitted Use is a
bakery, widened by the amendment to a coffee roaster. The tenant should note that the rent was raised by the amendment
and that the deposit stays as it was. We recommend to sign the amendment after the insurer has agreed to the roaster,
and to keep proof of the deposit. The lease is governed by the laws of the State of Ohio, and so is its amendment.
"""
WRONG = """# Memo on the complaint

Zephyrline Logistics Corporation and Brightmoor Staffing Partners face an action by Marisol Okonkwo under Title VII
for a Hostile Work Environment and Retaliatory Discharge. She seeks Back Pay and Front Pay. The Supervisor denied a
promotion after the Equal Employment charge was filed. We assess exposure, the burden of showing pretext, causation,
temporal proximity and mitigation of damages, and recommend that Zephyrline Logistics Corporation preserve its files,
interview the Supervisor and prepare an answer with affirmative defenses. Brightmoor Staffing Partners may be a joint
employer and should tender its defense to its carrier without delay.
"""


def test_a_draft_about_a_stray_document_is_sent_back(attempt: Any, mechanism: Any, docx: Any) -> None:
    view = attempt({"memo.docx": docx(WRONG)}, documents=PAPERS, brief=BRIEF)
    said = mechanism("matter_fidelity").objection(view)
    assert "another matter" in said
    assert "no party is named" in said
    assert mechanism("matter_fidelity").objection(replace(view, fired=told("matter_fidelity", 1)))
    assert mechanism("matter_fidelity").objection(replace(view, fired=told("matter_fidelity", 2))) == ""


@pytest.mark.examples(1)
@pytest.mark.parametrize(
    ("documents", "brief", "text"),
    [
        (PAPERS, BRIEF, RIGHT),
        ({"complaint.docx": COMPLAINT}, "Assess the exposure under the complaint.", WRONG),
        ({"lease.docx": LEASE, "complaint.docx": COMPLAINT}, "Summarise all papers.", WRONG),  # which is the stray?
        (PAPERS, "Assess the complaint against Zephyrline and its defenses.", WRONG),
        (PAPERS, BRIEF, "# Memo\n\nZephyrline Logistics Corporation."),  # too short to tell
        ({}, BRIEF, WRONG),  # nothing to compare with
    ],
)
def test_a_draft_of_the_matter_is_let_go(
    attempt: Any, mechanism: Any, docx: Any, documents: Any, brief: str, text: str
) -> None:
    view = attempt({"memo.docx": docx(text)}, documents=documents, brief=brief)
    assert mechanism("matter_fidelity").objection(view) == ""


def test_prose_of_ones_own_is_no_other_matter_while_the_names_are_right(
    attempt: Any, mechanism: Any, docx: Any
) -> None:
    text = (
        "# Strategic Overview\n\nQuillfeather Bakery faces Material Commercial Exposure, Heightened Liquidity "
        "Pressure, Key Stakeholder Concerns, Counterparty Default Scenarios, Recommended Negotiation Posture, Critical "
        "Action Items, Residual Uncertainty Factors, Executive Escalation Triggers and Proactive Mitigation Levers. "
        "We weigh plausible outcomes, sensitivities, incentives, bargaining leverage, sequencing, optics, credibility, "
        "contingency planning, communications, governance, oversight, budgeting, forecasting, staffing, tooling, "
        "vendors, milestones, metrics, dashboards, retrospectives, escalation, alignment, workshops, surveys. "
        "Stakeholders should prioritise quick wins, socialise findings broadly, and calibrate expectations accordingly."
    )
    view = attempt(
        {"memo.docx": docx(text)}, documents=PAPERS, brief="Advise " + BRIEF[6:] + " Say what insurance covers."
    )
    off = [s.name for s in signs(view, text, packaged().mechanisms.matter_fidelity, frozenset()) if s.off]
    assert off == ["terms", "subject", "papers"]
    assert mechanism("matter_fidelity").objection(view) == ""


def test_names_and_laws_out_of_nowhere_are_listed(attempt: Any, mechanism: Any, docx: Any) -> None:
    text = RIGHT.replace("Harborview Properties LLC", "Zanzibar Estates LLC").replace("Ohio", "Delaware")
    view = attempt({"memo.docx": docx(text)}, documents={"lease.docx": LEASE}, brief=BRIEF)
    said = mechanism("entity_lock").objection(view)
    assert "Zanzibar Estates LLC" in said
    assert "laws of the State of Delaware" in said
    assert "Quillfeather" not in said
    assert mechanism("entity_lock").objection(replace(view, fired=told("entity_lock"))) == ""


@pytest.mark.parametrize(
    "more",
    [
        "See Akorn, Inc. v. Fresenius Kabi AG, a case on material adverse change.",
        "HARBORVIEW PROPERTIES LLC is the landlord.",
        "Delaware courts see it otherwise.",  # no governing law
        "The Landlord Company and the Tenant Company agree.",
        "The lease is subject to the laws of the United States.",
        "Governing law: OHIO.",
        "xZanzibar Estates LLC is spelled so.",  # a name that begins small is not cut
    ],
)
def test_names_of_the_papers_and_of_cases_are_let_go(attempt: Any, mechanism: Any, docx: Any, more: str) -> None:
    papers = {"lease.docx": LEASE + " A notice goes to the United States Post Office."}
    view = attempt({"memo.docx": docx(f"{RIGHT}\n\n{more}")}, documents=papers, brief=BRIEF)
    assert mechanism("entity_lock").objection(view) == ""
    assert mechanism("entity_lock").objection(replace(view, documents={})) == ""


@pytest.mark.examples(1)
@pytest.mark.parametrize(
    "text",
    [
        "A" * 60_000,
        "Aa " * 20_000,
        "A, " * 20_000,
        "Governing law: " * 4000,
        "governed by the laws of " * 2500,
        "[insert " * 8000,
    ],
)
def test_a_hostile_draft_is_read_in_time(attempt: Any, mechanism: Any, text: str, no_hang: None) -> None:
    view = attempt(
        {"memo.md": text}, wanted=("memo.md",), documents={"lease.docx": LEASE + text}, brief=BRIEF, said=text
    )
    for name in ("finish_guard", "completion", "matter_fidelity", "entity_lock"):
        mechanism(name).objection(view)


def test_a_table_of_asks_in_a_workbook_counts(attempt: Any, mechanism: Any) -> None:
    columns = [{"name": n, "type": "text"} for n in ("No.", "Asked", "State", "Answer", "Where")]
    rows = [["1", "Who pays the rent?", "answered", "The tenant pays it on the first day of each month. " * 3, "§ 2"]]
    sheet = Table.model_validate({"name": "What was asked", "columns": columns, "rows": rows})
    view = attempt({"asks.xlsx": deliverable_bytes(None, [sheet], ".xlsx")}, wanted=("asks.xlsx",), asks=ASKS)
    assert mechanism("completion").objection(view) == ""
    assert mechanism("completion").objection(replace(view, asks=replace_id(ASKS, "2")))


def replace_id(asks: Asks, ask_id: str) -> Asks:
    """Return asks of another number."""
    return asks.model_copy(update={"asks": (asks.asks[0].model_copy(update={"ask_id": ask_id}),)})
