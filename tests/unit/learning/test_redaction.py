"""Learner blindness: nothing of a matter passes into a signal."""

from __future__ import annotations

from typing import get_args

import pytest

from tasks.judging.records import FailedKind
from tasks.judging.taxonomy import CLASSES
from tasks.learning.knowledge.rules import KNOWLEDGE_RULES
from tasks.learning.proposers.rules import RULES
from tasks.learning.records import Failed, Observation
from tasks.learning.redaction import MESSAGE_LIMIT, bucket, reason, redact, signal


def observation(**fields):
    base = {
        "matter_key": "k",
        "work_type": "review",
        "document_suffixes": (".docx", ".pdf"),
        "deliverable_suffixes": (".docx",),
        "skill_id": "other/general",
        "passed": 3,
        "failed": (Failed(match_kind="date", error_class="numbers_dates"),),
        "unscored": 1,
    }
    return Observation(**{**base, **fields})


MESSAGES = [
    ("I compared Acme Widgets Inc. with Birch & Sons.", ["Acme", "Widgets", "Birch", "Sons"]),
    ("The rent of $12,500.00 is due on March 3, 2024.", ["12,500", "March", "2024"]),
    ("See Section 9.2(b) and § 14 and Article IV.", ["9.2", "14", "IV"]),
    ("I wrote key-terms-memo.docx for jane.doe@client.example.", ["key-terms", "jane", "client"]),
    ('The clause says "neither party may assign this agreement".', ["neither", "assign"]),
    ("The clause says “neither party may assign”.", ["neither", "assign"]),
    ("It follows 17 C.F.R. § 240.10b-5.", ["240", "10b", "C.F.R"]),
    ("The tenant is Larkfield, who pays 5%.", ["Larkfield", "5"]),
    ("Within thirty (30) days after notice.", ["30"]),
    ("I read harbor-lease.doc, quillwork.rtf, derry.odt and fees.xls.", ["harbor", "quillwork", "derry", "fees"]),
    ("matter tax/opinion-001 is done", ["001"]),
]


@pytest.mark.parametrize(("message", "secrets"), MESSAGES)
def test_free_text_is_stripped(message, secrets):
    redacted = redact(message)
    assert [s for s in secrets if s in redacted] == []


def test_known_names_go_whatever_their_case():
    assert "quillwork" not in redact("the QUILLWORK licence and quillwork's fee", ["Quillwork"]).lower()


def test_reasons_are_general_sentences_and_not_judge_prose():
    one = signal(observation())
    assert one.reasons == {"a date was missing or wrong": 1}
    assert set(one.model_dump()) == {
        "work_type", "documents", "document_formats", "deliverable_formats", "skill_id", "tool_uses",
        "passed", "failed", "unscored", "reasons", "final_message",
    }  # fmt: skip


def test_the_matter_key_does_not_pass():
    assert "opaque-key" not in signal(observation(matter_key="opaque-key")).model_dump_json()


def test_long_messages_are_cut_after_redaction():
    """A cut before it could leave half a name that no pattern knows."""
    one = signal(observation(final_message="done " * 1000))
    assert one.final_message == ("done " * 1000)[:600] + " [cut]"
    assert MESSAGE_LIMIT == 600
    whole = "x" * MESSAGE_LIMIT
    assert signal(observation(final_message=whole)).final_message == whole
    late = "so " * 198 + "we met Quill Works of Derry."  # the name stands across the limit
    assert "Qui" not in signal(observation(final_message=late)).final_message


@pytest.mark.parametrize(
    ("count", "name"),
    [
        (0, "none"),
        (1, "1-3"),
        (3, "1-3"),
        (4, "4-10"),
        (10, "4-10"),
        (11, "11-30"),
        (30, "11-30"),
        (31, "31-100"),
        (100, "31-100"),
        (101, "over 100"),
    ],
)
def test_counts_are_bucketed(count, name):
    assert bucket(count) == name


def test_unknown_classes_have_a_reason_too():
    assert reason("", "no such class") == reason("", "other") == "the criterion failed for a reason without a class"


KINDS = [kind for kind in get_args(FailedKind.model_fields["match_kind"].annotation) if kind]


def test_every_kind_and_class_of_the_judge_has_a_reason_of_its_own():
    """The judge's vocabulary and the redaction's are two tables: a class that only one knows would vanish unseen."""
    assert len({reason(kind, "other") for kind in KINDS}) == len(KINDS) == 4
    known = sorted(set(CLASSES) - {"other"})
    assert len({reason("", name) for name in known} | {reason("", "other")}) == len(known) + 1
    assert reason("date", "coverage") == reason("date", "other")  # the anchor knows better than the words


def test_every_rule_answers_a_reason_that_can_be_told():
    """A rule whose reason no redaction gives would never propose anything."""
    told = {reason(kind, "other") for kind in KINDS} | {reason("", name) for name in CLASSES}
    assert {rule.reason for rule in (*RULES, *KNOWLEDGE_RULES)} <= told


def test_counts_and_formats_pass_as_they_are():
    failed = (*(Failed(match_kind="span", error_class="x"),) * 2, Failed(match_kind="", error_class="coverage"))
    one = signal(
        observation(
            passed=7, failed=failed, unscored=5, work_type="draft", document_suffixes=(".xlsx", ".zip") * 2,
            tool_uses={"write": 2, "read": 40},
        )
    )  # fmt: skip
    assert (one.passed, one.failed, one.unscored, one.work_type) == (7, 3, 5, "draft")
    assert one.reasons == {reason("span", ""): 2, reason("", "coverage"): 1}
    assert (one.documents, one.document_formats) == ("4-10", (".xlsx", "other"))
    assert one.tool_uses == {"read": "31-100", "write": "1-3"}


def test_the_longest_known_name_goes_first_and_short_ones_stay():
    """Otherwise "Quill" would leave the "Works of Derry" of "Quill Works of Derry" behind."""
    assert redact("at quill works of derry", ["quill", "quill works of derry"]) == "at [name]"
    assert redact("ab abc", ["ab", "abc", "  "]) == "ab [name]"


def test_what_overlaps_is_marked_once():
    assert redact("due on 3 March 2024.") == "due on [date]."
    assert redact("pay $12,500.00 now") == "pay [figure] now"
    assert redact("under 17 C.F.R. § 240.10b-5 now") == "under [authority] now"  # the longest, not its figures


@pytest.mark.parametrize("told", ["Acme v. Birch", "reviewed", "Review"])
def test_a_kind_of_work_that_is_none_of_ours_does_not_pass(told):
    assert signal(observation(work_type=told)).work_type == "other"
    assert [signal(observation(work_type=w)).work_type for w in ("draft", "")] == ["draft", ""]
