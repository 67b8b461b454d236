"""Exemplars: labelled documents of others tell where these papers speak of a statement, and that they do not."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tasks.harness import packaged
from tasks.matter.base import content_hash
from tasks.retrieval.index import MatterIndex
from tasks.retrieval.indexed_documents import IndexProfile
from tasks.retrieval.research.choice import cues_of
from tasks.retrieval.research.configured import ResearchProfile
from tasks.retrieval.research.exemplars import ExemplarIndex, ExemplarLook
from tasks.retrieval.research.records import Answer, Method, Question
from tasks.retrieval.research.researcher import HouseResearcher, ResearchPapers, looks_at_hand
from tasks.sources.records import CanonicalText

HYPOTHESES = {"nda-1": "Recipient may copy some Information.", "nda-2": "Recipient shall destroy some Information."}
SAID = {
    "nda-1": ("Recipient may duplicate and photograph the files.", "Recipient shall not duplicate the files."),
    "nda-2": ("Recipient shall burn the files.", "Recipient may keep the files and never burn them."),
}
CHOICES = ("Entailment", "Contradiction", "NotMentioned")
ASKED = "May the Recipient copy some Information?"
SECRET = "Zebra Holdings pays four million."  # of another office's paper


def row(number: int) -> dict[str, Any]:
    said, given = [f"Agreement {number} of the parties. {SECRET}", "Notices go by courier."], {}
    for turn, key in enumerate(HYPOTHESES):
        which = (number // (1 + 2 * turn)) % 3
        given[key] = {"choice": CHOICES[which], "spans": [len(said)] if which < 2 else []}
        if which < 2:
            said.append(SAID[key][which])
    ends = np.cumsum([len(text) + 1 for text in said]).tolist()
    spans = [[end - len(text) - 1, end - 1] for end, text in zip(ends, said, strict=True)]
    return {"id": number, "text": "\n".join(said), "spans": spans, "annotation_sets": [{"annotations": given}]}


@pytest.fixture(scope="module")
def exemplars(tmp_path_factory: pytest.TempPathFactory) -> ExemplarIndex:
    folder = tmp_path_factory.mktemp("exemplars")
    labels = {key: {"hypothesis": text} for key, text in HYPOTHESES.items()}
    (folder / "public.json").write_text(json.dumps({"documents": [row(n) for n in range(18)], "labels": labels}))
    return ExemplarIndex(folder)


def answered(text: str, exemplars: ExemplarIndex | None, place: Path, asked: str = ASKED) -> Answer:
    knowledge = packaged().knowledge
    texts = {
        "nda.txt": CanonicalText(document="nda.txt", sha256=content_hash(text), extractor="t", media="t", text=text)
    }
    papers = ResearchPapers(MatterIndex(texts, place, IndexProfile(embedder="none")), texts, knowledge)
    looks = looks_at_hand(papers, ResearchProfile())
    if exemplars is not None:
        looks[Method.EXEMPLARS] = ExemplarLook(exemplars, texts, knowledge.research)
    question = Question(text=asked, documents=("nda.txt",), kind="yes_no")
    return HouseResearcher(papers, looks, cues_of(knowledge)).answer(question)


OURS = "Deed of the parties.\n\nNotices go by courier.\n\nRecipient may duplicate and photograph the files.\n"
SILENT = "Deed of the parties.\n\nNotices go by courier.\n\nThe Recipient has a copy of some Information.\n"


def test_words_that_only_exemplars_know_are_found_at_their_place(exemplars: ExemplarIndex, tmp_path: Path) -> None:
    assert answered(OURS, None, tmp_path).state == "not_found"
    answer = answered(OURS, exemplars, tmp_path)
    (first, *_) = answer.statements
    assert (first.text, first.method) == ("Recipient may duplicate and photograph the files.", Method.EXEMPLARS)
    assert OURS[first.spans[0].start : first.spans[0].end] == first.text
    assert "entailment" in first.source
    assert HYPOTHESES["nda-1"] in first.source


def test_no_word_of_an_exemplar_is_in_an_answer(exemplars: ExemplarIndex, tmp_path: Path) -> None:
    for text in (OURS, SILENT):
        assert "Zebra" not in answered(text, exemplars, tmp_path).model_dump_json()


def test_a_paper_that_lawyers_would_call_silent_is_not_quoted_for_a_word_that_it_shares(
    exemplars: ExemplarIndex, tmp_path: Path
) -> None:
    assert answered(SILENT, None, tmp_path).state == "answered"
    answer = answered(SILENT, exemplars, tmp_path)
    assert (answer.state, answer.statements) == ("not_found", ())
    assert "labelled neutral" in answer.searches[-1].reason


def test_a_question_of_another_kind_is_left_to_the_papers(exemplars: ExemplarIndex, tmp_path: Path) -> None:
    answer = answered(OURS, exemplars, tmp_path, "Are notices sent by courier?")
    assert [s.method for s in answer.statements] == [Method.HYBRID]
    assert "no labelled statement reads like" in answer.searches[-1].reason


def test_a_folder_without_labels_is_a_failure_of_this_look_alone(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    answer = answered(OURS, ExemplarIndex(tmp_path / "empty"), tmp_path, "Are notices sent by courier?")
    assert answer.state == "answered"
    (failure,) = [s.failure for s in answer.searches if s.failure is not None]
    assert str(tmp_path / "empty") == failure.subject
    assert "ContractNLI" in failure.remedy
