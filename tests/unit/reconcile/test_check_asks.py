"""The gate of the asks: what a draft claims of each ask is accepted only with what it takes."""

from __future__ import annotations

import pytest

from tasks.asks.records import Ask, AskAnswer, AskKind, Asks, AskState, Entry
from tasks.asks.table import ask_table
from tasks.harness import packaged
from tasks.matter.failures import Failure, FailureCause
from tasks.reconcile.asks import check_asks
from tasks.reconcile.check import CheckJob
from tasks.reconcile.records import GateCheck
from tasks.sources.records import CoverageEntry, Span
from tests.unit.reconcile.reconcile_fixtures import matter, pack, state, text

BRIEF = "What is the rent? Can the tenant assign? Who insures?"
WORDS = ("What is the rent", "Can the tenant assign", "Who insures")
ASKS = Asks(
    brief=BRIEF,
    asks=tuple(
        Ask(ask_id=str(n), words=w, start=BRIEF.index(w), end=BRIEF.index(w) + len(w), kind=AskKind.FACT, subject=w)
        for n, w in enumerate(WORDS, 1)
    ),
)
PLACE = Span(document="lease.txt", start=0, end=9)


def answered(ask: str, words: str, **more: object) -> AskAnswer:
    entry = Entry(state=AskState.ANSWERED, answer=words, **{"support": (PLACE,), **more})
    return AskAnswer(ask_id=ask, state=AskState.ANSWERED, answer=words, entries=(entry,))


def denied(ask: str, *searched: str) -> AskAnswer:
    entry = Entry(state=AskState.NOT_FOUND, answer="nothing on it was found", searched=searched)
    return AskAnswer(ask_id=ask, state=AskState.NOT_FOUND, answer=entry.answer, entries=(entry,))


def check(draft: str, *answers: AskAnswer, asks: Asks = ASKS, coverage: tuple[CoverageEntry, ...] = ()) -> GateCheck:
    drafts = {"memo.md": text("memo.md", draft)}
    return check_asks(CheckJob(drafts, {}, matter(), state(*coverage), pack(), packaged(), asks, answers))


def states(found: GateCheck) -> list[str]:
    return [told.state.value for told in found.asks]


def test_every_ask_has_one_state_and_what_holds_is_accepted() -> None:
    claims = [answered("1", "$900 a month"), answered("2", "No: not without consent"), denied("3", "insurance")]
    found = check(f"# Memo\n\n{ask_table(ASKS, claims)}\n", *claims)
    assert states(found) == ["answered", "answered", "searched and not found"]
    assert found.findings == ()
    assert (found.checked, len(found.grounded)) == (3, 3)


def test_an_ask_that_the_draft_passes_over_is_open_and_named() -> None:
    found = check("The rent is $900 a month.", answered("1", "$900 a month"))
    assert states(found) == ["answered", "not attempted", "not attempted"]
    assert [(f.kind, f.text) for f in found.findings] == [("dropped_ask", WORDS[1]), ("dropped_ask", WORDS[2])]


@pytest.mark.parametrize(
    ("claim", "why"),
    [
        (answered("1", "$950 a month"), "does not stand in the work product"),
        (answered("1", "$900 a month", support=()), "names no place"),
        (answered("1", ""), "no answer is given"),
        (denied("1"), "no search is named"),
    ],
)
def test_a_claim_without_what_it_takes_is_not_accepted(claim: AskAnswer, why: str) -> None:
    found = check("The rent is $900 a month.", claim)
    assert found.asks[0].state is AskState.NOT_ATTEMPTED
    assert why in found.asks[0].problem
    assert found.findings[0].kind == "unaccepted_answer"


def unread(name: str, cause: FailureCause) -> CoverageEntry:
    why = Failure(cause=cause, stage="sources", subject=name, message="It is encrypted.")
    return CoverageEntry(document=name, status="unread", characters=0, failures=(why,))


@pytest.mark.parametrize(
    ("cause", "documents", "state_"),
    [
        (FailureCause.READER, (), "not attempted"),
        (FailureCause.READER, ("other.txt",), "searched and not found"),
        (FailureCause.POLICY, (), "searched and not found"),
    ],
)
def test_nothing_is_denied_past_a_document_that_was_not_read(
    cause: FailureCause, documents: tuple[str, ...], state_: str
) -> None:
    asked = ASKS.model_copy(update={"asks": (ASKS.asks[2].model_copy(update={"documents": documents}),)})
    found = check("None.", denied("3", "insurance"), asks=asked, coverage=(unread("lease.pdf", cause),))
    assert states(found) == [state_]
    assert ("lease.pdf was not read" in found.asks[0].problem) == (state_ == "not attempted")


def test_an_answer_that_calls_itself_to_be_verified_is_doubtful_without_entries() -> None:
    claim = AskAnswer(ask_id="1", state=AskState.ANSWERED, answer="$900 (to be verified)", where="§ 3")
    assert check("The rent is $900 (to be verified).", claim).asks[0].doubtful


def test_what_is_to_be_verified_is_answered_and_flagged() -> None:
    claims = [answered("1", "$900", certain=False), answered("2", "$900"), answered("3", "$900")]
    found = check("The rent is $900 a month.", *claims)
    assert states(found) == ["answered"] * 3
    assert [(f.kind, f.text) for f in found.findings] == [("unverified_answer", WORDS[0])]


@pytest.mark.parametrize("where", ["", "-", "–"])
def test_a_row_of_a_table_that_names_no_place_is_not_accepted(where: str) -> None:
    rows = f"1 | rent | answered | $900 | {where}\n2 | assign | searched and not found | none | {where}\n"
    found = check(rows + "3 | insurer | answered | the tenant [Lease § 5] | \n")
    assert states(found) == ["not attempted", "not attempted", "answered"]


def test_an_answer_that_is_computed_needs_no_place_but_its_arithmetic() -> None:
    found = check("The rent is $10,800 a year.", answered("1", "$10,800 a year", support=(), basis="12 x $900"))
    assert found.asks[0].state is AskState.ANSWERED


def test_a_draft_of_another_runtime_is_read_by_its_table() -> None:
    table = (
        "| No. | Asked | State | Answer | Where |\n|---|---|---|---|---|\n"
        "| 1 | rent | Answered | **$900** a month | § 3 |\n| 3 | insurance | searched and not found | none | all |\n"
        "| 9 | nothing asked | answered | yes | - |\n"
    )
    found = check(table)
    assert states(found) == ["answered", "not attempted", "searched and not found"]


def test_words_that_nothing_accounts_for_are_told() -> None:
    asks = ASKS.model_copy(update={"uncovered": ((18, 39),)})
    claims = [answered(n, "$900") for n in "123"]
    (finding,) = check("$900", *claims, asks=asks).findings
    assert (finding.kind, finding.text) == ("uncovered_brief", BRIEF[18:39])
