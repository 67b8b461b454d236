"""A paper about an instrument is not the instrument; the vocabulary of topics is well formed."""

from __future__ import annotations

import pytest

from knowledge_db import KnowledgeBase
from knowledge_db.vocabulary import load_vocabulary

CHOICES = [
    ("lease-abstract.docx", "Lease abstract, 12 Quay Street", "Abstract the Quay Street lease.", "key_terms_memo"),
    ("lease-summary.docx", "Summary of the lease", "Summarise the lease.", "memorandum"),
    ("nda-review.docx", "Review of the NDA", "Review the non-disclosure agreement.", "memorandum"),
    ("lease.docx", "Lease", "Draft the lease.", "lease"),
    ("consent-memo.docx", "", "", "consent_memo"),
    ("obligations-tracker.xlsx", "", "", "tracker"),
    # no prose in a table, whatever the brief speaks of
    ("comparison.xlsx", "", "Compare the two NDAs and report the discrepancies.", "matrix"),
    ("sheet.xlsx", "", "Work out the fees.", "matrix"),
    ("sheet.csv", "", "", "matrix"),
    # a brief about instruments asks for none of them, unless it wants one drafted
    ("note.docx", "", "We got three NDAs. Which of them lets us keep a copy?", "memorandum"),
    ("note.docx", "", "Please draft an NDA for the talks.", "nda"),
    ("nda.docx", "", "For every NDA: how long does the duty last, and which law governs?", "memorandum"),
    ("nda.docx", "", "For the talks with Heron.", "nda"),
    # "amended and restated" is no amendment, a petition to the patent office no complaint, a decree no merger remedy
    ("credit-agreement.docx", "Amended and Restated Credit Agreement", "Draft it.", "credit_agreement"),
    ("restated-bylaws.docx", "Amended and Restated Bylaws", "Draft it.", "bylaws"),
    ("first-amendment.docx", "First Amendment to Lease", "Draft it.", "amendment"),
    ("ipr-petition.docx", "Petition for Inter Partes Review", "Draft it.", "ipr_petition"),
    ("consent-decree-memo.docx", "Memo on the consent decree", "Review the decree with the police.", "dpa_memo"),
    ("remedies-memo.docx", "Remedies in the merger", "Assess the divestiture.", "remedies_memo"),
]


@pytest.mark.parametrize(("filename", "title", "instructions", "expected"), CHOICES)
def test_the_kind_of_paper_goes_before_the_instrument_it_is_about(filename, title, instructions, expected):
    assert KnowledgeBase().skeleton(filename, title, instructions)["deliverable_type"] == expected


def test_the_vocabulary_is_well_formed():
    known = load_vocabulary()
    assert all(len(family) >= 2 and all(stem == stem.lower() for stem in family) for family in known.families)
    assert set(known.answered_by) == {"money", "ratio", "percent", "date", "duration"}
    assert "period" in known.stand_ins


def test_a_broken_vocabulary_is_named(tmp_path):
    (tmp_path / "vocabulary").mkdir()
    (tmp_path / "vocabulary" / "families.toml").write_text('families = [["revocation"], "revoke"]')
    with pytest.raises(ValueError, match="revoke"):
        load_vocabulary(tmp_path)


def test_no_vocabulary_is_an_empty_one(tmp_path):
    assert load_vocabulary(tmp_path).families == ()
