"""Learner blindness: nothing of a matter passes into a signal."""

from __future__ import annotations

import pytest

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
    one = signal(observation(final_message="done " * 1000))
    assert len(one.final_message) <= MESSAGE_LIMIT + len(" [cut]")


@pytest.mark.parametrize(
    ("count", "name"),
    [(0, "none"), (1, "1-3"), (3, "1-3"), (4, "4-10"), (30, "11-30"), (31, "31-100"), (101, "over 100")],
)
def test_counts_are_bucketed(count, name):
    assert bucket(count) == name


def test_unknown_classes_have_a_reason_too():
    assert reason("", "no such class") == reason("", "other")
