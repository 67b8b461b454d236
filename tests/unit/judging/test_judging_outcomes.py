"""What the anchor judge tells of a criterion: what happened where it asks."""

from datetime import UTC, datetime

import pytest

from tasks.judging.anchors.judge import AnchorJudge
from tasks.judging.records import JudgeReport
from tasks.judging.tally import tally
from tasks.matter.failures import Failure, FailureCause
from tasks.matter.reasons import Outcome
from tasks.sources.records import CanonicalText

LAW, CAP, DATE = ("governing law",), ("cap on liability",), ("agreement date",)
SPAN = "Neither party is liable for more than the fees paid in the twelve months before the claim arose."
GOLD = {"value": ("New York", LAW), "date": ("2004-06-16", DATE), "span": (SPAN, CAP), "absence": ("x", CAP)}

# (kind, deliverable, outcome)
CASES = [
    ("span", f"# Acme\n## Cap on liability\n“{SPAN}”", "matched"),
    ("span", "# Acme\n## Cap on liability\nNo such provision was found.", "denied"),
    ("span", "# Acme\n## Not found\nThere is no cap on liability.", "denied"),
    ("span", "# Acme\n## Cap on liability\nLiability is capped in some way.", "partial"),
    ("span", "# Acme\n## Cap on liability\n–", "omitted"),
    ("span", "# Acme\n## Governing law\nNew York.", "omitted"),
    ("span", "# Acme\nIt was signed by both sides.", "omitted"),
    ("span", "# Beta Corp.\n## Governing law\nDelaware.", "document_omitted"),
    ("span", "", ""),
    ("span", f"# Acme\n## Cap on liability\nSee the schedule.\n# Beta Corp.\n## Cap on liability\n“{SPAN}”",
     "wrong_document"),
    ("span", f"# Beta Corp.\n## Cap on liability\n“{SPAN}”", "wrong_document"),
    ("value", "# Acme\n## Governing law\nNew York.", "matched"),
    ("value", "# Acme\n## Governing law\nOhio.", "wrong_value"),
    ("value", "# Acme\n## Governing law\nOhio.\n# Beta Corp.\n## Governing law\nNew York.", "wrong_document"),
    ("value", "# Acme\n## Governing law\nOhio.\n# Beta Corp.\n## Governing law\nDelaware, not New York.",
     "wrong_value"),
    ("value", "# Acme\n## Governing law\nNone was chosen; no such provision was found.", "denied"),
    ("value", "# Acme\n## Governing law\nThe point is left to counsel.", "partial"),
    ("value", "# Acme\n## Cap on liability\nNo such provision was found.", "omitted"),
    ("value", "# Beta Corp.\n## Governing law\nDelaware.", "document_omitted"),
    ("date", "# Acme\n## Agreement date\nJune 16, 2004.", "matched"),
    ("date", "# Acme\n## Agreement date\nJune 17, 2004.", "wrong_value"),
    ("date", "# Acme\n## Agreement date\n“as of June 17, 2004, by and between the parties”", "wrong_value"),
    ("date", "# Acme\n## Agreement date\nIt is undated.", "partial"),
    ("date", "# Acme\n## Governing law\nNew York.", "omitted"),
    ("absence", "# Acme\n## Cap on liability\nNo such provision was found.", "matched"),
    ("absence", "# Acme\n## Cap on liability\nYes: the fees paid in one year.", "asserted"),
    ("absence", "# Acme\n## Governing law\nNew York.", "not_denied"),
    ("absence", "# Acme\n## Cap on liability\nTo be looked into.", "not_denied"),
    ("absence", "# Beta Corp.\n## Cap on liability\nNo such provision was found.", "document_omitted"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "text", "outcome"), CASES)
def test_outcomes(kit, kind, text, outcome):
    gold, facet = GOLD[kind]
    asked = [("value", "Delaware", kit.BETA, LAW), ("absence", "x", kit.BETA, CAP)]
    asked += [("value", "New York", kit.ACME, LAW), ("absence", "x", kit.ACME, CAP)]
    others = [kit.criterion(*one, f"O-{n}") for n, one in enumerate(asked)]
    verdict = kit.verdict(text, kit.criterion(kind, gold, kit.ACME, facet), *others)
    assert verdict.outcome == outcome, verdict.reasoning
    assert (verdict.status == "pass") == (outcome == "matched")


def test_every_outcome_can_be_found():
    assert {outcome for *_, outcome in CASES if outcome} == set(Outcome)


def test_what_another_contract_says_rightly_is_not_astray(kit):
    text = "# Acme\n## Governing law\nOhio.\n# Beta Corp.\n## Governing law\nNew York."
    same = kit.criterion("value", "New York", kit.BETA, LAW, "O-1")
    assert kit.verdict(text, kit.criterion("value", "New York"), same).outcome is Outcome.WRONG_VALUE


def test_a_work_product_about_the_only_document_does_not_omit_it(kit):
    subject = kit.criterion("value", "New York")
    texts = {"memo.docx": kit.markdown("# Memorandum\nThe licence is short and plain.")}
    assert AnchorJudge.prepare(kit.rubric(subject), [kit.ACME[0]], texts).judge(subject).outcome is Outcome.OMITTED


def test_the_anchor_that_fails_gives_the_outcome(kit):
    first, second = kit.criterion("value", "New York"), kit.criterion("absence", "x", facet=CAP)
    both = first.model_copy(update={"anchors": (*first.anchors, *second.anchors)})
    verdict = kit.verdict("# Acme\n## Governing law\nNew York.\n## Cap on liability\nYes: the fees paid.", both)
    assert (verdict.outcome, verdict.match_kind) == (Outcome.ASSERTED, "absence")


def test_where_we_cannot_read_nothing_was_found(kit):
    problem = Failure(cause=FailureCause.READER, stage="sources", subject="memo.docx", message="Cut off.")
    text: CanonicalText = kit.markdown("# Acme\n## Governing law\nOhio.", problems=[problem])
    verdict = kit.verdict(text, kit.criterion("value", "New York"))
    assert (verdict.status, verdict.outcome) == ("unscored", "")


def test_the_learner_is_told_the_outcome_and_no_word(kit):
    verdict = kit.verdict("# Acme\n## Governing law\nOhio.", kit.criterion("value", "New York"))
    report = JudgeReport(matter_id="a/b", matter_digest="d" * 64, profile="anchor", verdicts=(verdict,))
    (failed,) = tally(report, datetime(2026, 1, 1, tzinfo=UTC)).failed
    assert failed.outcome is Outcome.WRONG_VALUE
