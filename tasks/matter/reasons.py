"""Why a criterion failed: one vocabulary for the judge, the redaction, the learner's rules and what is stored.

Values are stored and never change. Sentences are only shown: nothing matches them.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Literal, Self

from pydantic import ConfigDict

from tasks.matter.base import Record


class MatchKind(StrEnum):
    """What the anchor of a criterion asks for."""

    DATE = "date"
    VALUE = "value"
    SPAN = "span"
    ABSENCE = "absence"


class Outcome(StrEnum):
    """What the anchor judge found where a criterion asks. It tells what happened, whatever the criterion is called."""

    MATCHED = "matched"  # the criterion passed
    OMITTED = "omitted"  # nothing is said of the topic for this document
    DOCUMENT_OMITTED = "document_omitted"  # nothing at all is said of the document
    PARTIAL = "partial"  # the topic is treated, its operative words are not conveyed
    WRONG_VALUE = "wrong_value"  # another date or value is stated
    WRONG_DOCUMENT = "wrong_document"  # what was asked for is said, but of another document
    DENIED = "denied"  # its absence is stated though it is there
    ASSERTED = "asserted"  # it is said to be there though it is absent
    NOT_DENIED = "not_denied"  # it is absent, and nobody says so


class ErrorClass(StrEnum):
    """What kind of failure the words of a failed criterion speak of (Parthenon, table 13)."""

    NUMBERS_DATES = "numbers_dates"  # amounts, percentages, thresholds, formulas, dates, deadlines
    SOURCE_GROUNDING = "source_grounding"  # no citation, pinpoint or exhibit behind a statement, or a made-up one
    REMEDIAL_ACTION = "remedial_action"  # no cure, fallback, next step or owner of an action
    MATERIALITY_IMPACT = "materiality_impact"  # no severity, priority or consequence, or a misjudged one
    CROSS_DOC_SYNTHESIS = "cross_doc_synthesis"  # a conflict between documents or clauses not seen or not settled
    DELIVERABLE_FORMAT = "deliverable_format"  # the wrong kind of work product, a section or a table missing
    LEGAL_RULE_USE = "legal_rule_use"  # a statute, doctrine, test or condition missing or misread
    COVERAGE = "coverage"  # one of several sources, issues, clauses or subparts not treated
    MISSING_FACTS = "missing_facts"  # a party, exhibit, attribute or event left out
    OTHER = "other"  # the words fit no other class


class Reason(StrEnum):
    """A failure in general words: the value is its id, ``sentence`` says it to people and to models."""

    sentence: str

    def __new__(cls, value: str, sentence: str) -> Self:
        """Make a member whose value is the id alone."""
        member = str.__new__(cls, value)
        member._value_ = value
        member.sentence = sentence
        return member

    DATE_WRONG = "date_wrong", "a date was missing or wrong"
    ANSWER_WRONG = "answer_wrong", "a typed answer was missing or wrong"
    WORDS_NOT_CONVEYED = "words_not_conveyed", "the operative words of a provision were not conveyed"
    ABSENCE_NOT_STATED = "absence_not_stated", "the absence of a provision was not stated"
    PROVISION_DENIED = "provision_denied", "a provision that is there was said to be absent"
    PROVISION_INVENTED = "provision_invented", "a provision was reported where there is none"
    DOCUMENT_LEFT_OUT = "document_left_out", "nothing at all was said of a document"
    ANSWER_MISPLACED = "answer_misplaced", "what holds of one document was said of another"
    FIGURE_WRONG = "figure_wrong", "an amount, date, threshold or deadline was missing or wrong"
    FACT_OMITTED = "fact_omitted", "a fact or entity of the record was omitted"
    FORM_LACKING = "form_lacking", "the work product lacked a required form or section"
    RULE_NOT_APPLIED = "rule_not_applied", "a rule, clause or standard was not applied"
    POINT_UNTREATED = "point_untreated", "an enumerated source, issue or subpart was left untreated"
    ACTION_LACKING = "action_lacking", "a risk was stated without an action or owner"
    IMPACT_MISJUDGED = "impact_misjudged", "severity or impact was absent or miscalibrated"
    SOURCE_LACKING = "source_lacking", "a statement lacked its source"
    NOT_RECONCILED = "not_reconciled", "related documents were not reconciled"
    UNCLASSIFIED = "unclassified", "the criterion failed for a reason without a class"

    @classmethod
    def _missing_(cls, value: object) -> Reason | None:
        """Read what earlier versions stored: the sentence in place of the id."""
        return next((one for one in cls if one.sentence == value), None)


class Failed(Record):
    """One failed criterion, de-identified: no title, no words of the rubric or of the judge.

    Attributes:
        match_kind: What its anchor asks for; empty where it has none.
        outcome: What the anchor judge found; empty where no anchor decided.
    """

    model_config = ConfigDict(hide_input_in_errors=True)  # a refusal must not repeat a word that is none of ours

    match_kind: MatchKind | Literal[""]
    error_class: ErrorClass
    outcome: Outcome | Literal[""] = ""
