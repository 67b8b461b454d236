"""Learner blindness: nothing of a matter passes into a signal."""

from __future__ import annotations

import pytest

from tasks.learning.knowledge.rules import KNOWLEDGE_RULES
from tasks.learning.proposers.rules import RULES
from tasks.learning.records import Observation
from tasks.learning.redaction import MESSAGE_LIMIT, bucket, last_words, reason, redact, signal
from tasks.matter.reasons import ErrorClass, Failed, MatchKind, Outcome, Reason


def observation(**fields):
    base = {
        "matter_key": "k",
        "work_type": "review",
        "document_suffixes": (".docx", ".pdf"),
        "deliverable_suffixes": (".docx",),
        "skill_id": "other/general",
        "passed": 3,
        "failed": (Failed(match_kind=MatchKind.DATE, error_class=ErrorClass.NUMBERS_DATES),),
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
    assert one.reasons == {Reason.DATE_WRONG: 1}
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


FAILURES = [
    Failed(match_kind=kind, error_class=name, outcome=outcome if kind else "")
    for kind in (*MatchKind, "")
    for name in ErrorClass
    for outcome in (*Outcome, "")
]


def test_every_kind_and_class_of_the_judge_has_a_reason_of_its_own():
    """A class that no reason tells, or a reason that no failure has, would be dead."""
    of_kinds = {reason(Failed(match_kind=kind, error_class=ErrorClass.OTHER)) for kind in MatchKind}
    of_classes = {reason(Failed(match_kind="", error_class=name)) for name in ErrorClass}
    assert (len(of_kinds), len(of_classes)) == (len(MatchKind), len(ErrorClass))
    assert of_kinds.isdisjoint(of_classes)
    assert {reason(one) for one in FAILURES} == set(Reason)


@pytest.mark.parametrize(
    ("kind", "outcome", "expected"),
    [
        ("span", "denied", "provision_denied"),
        ("span", "omitted", "words_not_conveyed"),
        ("span", "partial", "words_not_conveyed"),
        ("span", "document_omitted", "document_left_out"),
        ("absence", "document_omitted", "document_left_out"),
        ("value", "wrong_document", "answer_misplaced"),
        ("absence", "asserted", "provision_invented"),
        ("absence", "not_denied", "absence_not_stated"),
        ("date", "denied", "date_wrong"),
        ("value", "wrong_value", "answer_wrong"),
        ("span", "", "words_not_conveyed"),
    ],
)
def test_what_an_anchor_found_aims_the_reason(kind, outcome, expected):
    assert reason(Failed(match_kind=kind, error_class=ErrorClass.OTHER, outcome=outcome)) == expected


def test_a_denied_clause_and_a_thin_one_are_answered_by_other_rules():
    settings = {name: {rule.setting for rule in RULES if rule.reason == name} for name in Reason}
    fields = {name: {rule.field for rule in KNOWLEDGE_RULES if rule.reason == name} for name in Reason}
    assert settings["words_not_conveyed"] >= {"passages_per_topic", "quote_words"}
    assert (settings["provision_denied"], fields["provision_denied"]) == (set(), {"aliases", "headings"})
    assert (settings["provision_invented"], fields["provision_invented"]) == ({"min_score"}, set())


def test_every_reason_is_answered_by_a_rule_or_known_to_have_none():
    """A new reason is given a rule, or named here as one that only a model or an agent can answer."""
    answered = {rule.reason for rule in (*RULES, *KNOWLEDGE_RULES)}
    without = {Reason.FIGURE_WRONG, Reason.FORM_LACKING, Reason.SOURCE_LACKING, Reason.UNCLASSIFIED}
    assert set(Reason) - answered == without


def test_counts_and_formats_pass_as_they_are():
    spans = (Failed(match_kind=MatchKind.SPAN, error_class=ErrorClass.OTHER),) * 2
    failed = (*spans, Failed(match_kind="", error_class=ErrorClass.COVERAGE))
    one = signal(
        observation(
            passed=7, failed=failed, unscored=5, work_type="draft", document_suffixes=(".xlsx", ".zip") * 2,
            tool_uses={"write": 2, "read": 40},
        )
    )  # fmt: skip
    assert (one.passed, one.failed, one.unscored, one.work_type) == (7, 3, 5, "draft")
    assert one.reasons == {Reason.WORDS_NOT_CONVEYED: 2, Reason.POINT_UNTREATED: 1}
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


GENERAL = frozenset({"the", "drafted", "memorandum", "rent", "lease", "review", "harbour", "and", "answered", "found"})


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Drafted the memorandum.", "Drafted the memorandum."),
        ("drafted the lease of canaryheliotrope inc", "drafted the lease of …"),  # in no capitals, known to no pattern
        ("The rent is €900 from 4 May 2021.", "The rent is [figure] from [date]."),
        ("Found harbour and lease.", "Found … and lease."),  # a general word that is a name here
        ("Answered: heliotrope, jonquil, marigold. Review.", "Answered: …. Review."),
        ("Drafted “the cap is as agreed” and review", "Drafted [quotation] and review"),
        ("JP drafted it", "… drafted it"),
    ],
)
def test_last_words_are_told_in_words_of_the_harness_alone(said, told):
    general = GENERAL | {"from"}
    assert last_words(said, ["Harbour Estates"], general) == told


def test_last_words_are_cut():
    told = last_words("review the lease " * 200, [], GENERAL)
    assert told.endswith(" [cut]")
    assert len(told) < 620
