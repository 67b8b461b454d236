"""The two readers of statements, on small agreements made here."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from pydantic import ValidationError

from tasks.legaltext.tokens import terms
from tasks.matter.failures import SolonError
from tasks.models.vectors import Matrix
from tasks.retrieval.entail.passages import TraitVocabulary, traits
from tasks.retrieval.entail.reader import StatementReader, folds_of
from tasks.retrieval.entail.records import Example, Hypothesis, Label, Passages
from tasks.retrieval.entail.unknown import UnknownReader, WordSearch

CLAUSES: dict[str, dict[Label, str]] = {
    "copy": {
        "entailment": "The Recipient may copy the Information for its own use.",
        "contradiction": "The Recipient shall not copy the Information.",
    },
    "staff": {
        "entailment": "The Recipient may share the Information with its employees.",
        "contradiction": "The Recipient shall not share the Information with its employees.",
    },
    "return": {
        "entailment": "The Recipient shall destroy the Information upon termination.",
        "contradiction": "The Recipient shall not be required to destroy the Information upon termination.",
    },
}
STATEMENTS = (
    Hypothesis(key="copy", text="Receiving Party may copy some Information."),
    Hypothesis(key="staff", text="Receiving Party may share some Information with employees."),
    Hypothesis(key="return", text="Receiving Party shall destroy some Information upon termination."),
)
FILLER = ("This Agreement is governed by the laws of Utah.", "Notices are sent by courier.", "The seat is in Provo.")


def agreement(number: int) -> tuple[Passages, list[Example]]:
    """Make an agreement that speaks for a statement, against it, or not at all, in a turn of its own."""
    said, examples = [f"Agreement number {number}."], []
    for turn, (key, clauses) in enumerate(CLAUSES.items()):
        label: Label = ("entailment", "contradiction", "neutral")[(number + number // 3 * turn) % 3]
        said.append(FILLER[(number + turn) % 3])
        evidence: tuple[int, ...] = ()
        if label != "neutral":
            evidence = (len(said),)
            said.append(clauses[label])
        examples.append(Example(document=f"d{number}", statement=key, label=label, evidence=evidence))
    starts = np.cumsum([0, *(len(text) + 1 for text in said)]).tolist()
    spans = tuple((start, start + len(text)) for start, text in zip(starts, said, strict=False))
    return Passages(document=f"d{number}", text="\n".join(said), spans=spans), examples


def agreements(first: int, last: int) -> tuple[list[Passages], list[Example]]:
    made = [agreement(number) for number in range(first, last)]
    return [document for document, _ in made], [example for _, examples in made for example in examples]


def embed(texts: Sequence[str]) -> Matrix:
    rows = np.zeros((len(texts), 64), dtype=np.float32)
    for row, text in zip(rows, texts, strict=True):
        for term in terms(text):
            row[sum(term.encode()) % 64] += 1
    return rows


def test_what_lawyers_answered_elsewhere_is_answered_here_with_its_evidence() -> None:
    documents, examples = agreements(0, 18)
    fresh, right = agreements(18, 27)
    answers = {(a.document, a.statement): a for a in StatementReader(documents, examples).answers(fresh)}
    assert len(answers) == len(right) == 27
    agree = [answers[e.document, e.statement] for e in right if answers[e.document, e.statement].label == e.label]
    assert len(agree) >= 25
    wanted = {(e.document, e.statement): e.evidence for e in right}
    assert all(set(wanted[a.document, a.statement]) <= set(a.evidence) for a in agree)
    assert all(not a.evidence for a in answers.values() if a.label == "neutral")
    assert all(sum(a.chances) == pytest.approx(1) for a in answers.values())


def test_the_same_examples_in_another_order_give_the_same_answers() -> None:
    documents, examples = agreements(0, 9)
    fresh, _ = agreements(9, 12)
    once = StatementReader(documents, examples).answers(fresh)
    again = StatementReader(documents, examples[::-1]).answers(fresh)
    assert once == again


def together(statement: str, passages: Sequence[tuple[str, str]]) -> list[float]:
    """Read by the words that a statement and a passage share, as the cross-encoder reads by what they say."""
    asked = set(terms(statement)) - {"receiv", "inform", "parti"}
    return [10 * len(asked & set(terms(text))) / len(asked) - 5 for text, _ in passages]


def test_a_statement_without_an_example_is_read_together_with_its_passages() -> None:
    documents, examples = agreements(0, 18)
    fresh, right = agreements(18, 27)
    known = [e for e in examples if e.statement != "copy"]
    reader = UnknownReader(documents, STATEMENTS[1:], known, WordSearch(embed), together)
    answers = reader.answers(fresh, STATEMENTS[:1])
    assert [a.statement for a in answers] == ["copy"] * 9
    wanted = {e.document: e for e in right if e.statement == "copy"}
    assert {a.document for a in answers if a.label == "neutral"} == {
        name for name, e in wanted.items() if e.label == "neutral"
    }
    assert all(a.evidence == wanted[a.document].evidence for a in answers if a.label != "neutral")
    again = UnknownReader(documents, STATEMENTS[1:], known, WordSearch(embed), together)
    assert answers == again.answers(fresh, STATEMENTS[:1])


def test_a_passage_is_read_with_the_lead_in_and_the_heading_that_it_stands_under() -> None:
    item = "(a) data that is already public when it is received."
    parts = ["Exceptions", "Information does not include:", item, "The end of it all."]
    text = "\n".join(parts)
    starts = np.cumsum([0, *(len(part) + 1 for part in parts)]).tolist()
    spans = tuple((start, start + len(part)) for start, part in zip(starts, parts, strict=False))
    documents, examples = agreements(0, 9)
    seen: list[tuple[str, str]] = []

    def listening(statement: str, passages: Sequence[tuple[str, str]]) -> list[float]:
        seen.extend(passages)
        return together(statement, passages)

    reader = UnknownReader(
        documents, STATEMENTS[1:], [e for e in examples if e.statement != "copy"], WordSearch(embed), listening
    )
    reader.answers([Passages(document="d", text=text, spans=spans)], [Hypothesis(key="x", text="Public data is out.")])
    assert (f"Information does not include: {item}", "Exceptions") in seen


def test_an_item_stands_under_its_lead_in_and_its_heading() -> None:
    text = "Exceptions\nInformation does not include:\n(a) data that is already public when it is received."
    spans = ((0, 10), (11, 40), (41, len(text)))
    item = traits(Passages(document="d", text=text, spans=spans))[2]
    assert {"l:includ", "h:except", "u:public"} <= item
    assert "u:includ" not in item


def test_a_trait_that_few_documents_have_is_not_learned_from() -> None:
    documents, _ = agreements(0, 6)
    rows = TraitVocabulary(documents[:3]).rows(documents)
    assert rows.shape[0] == sum(len(d.spans) for d in documents)
    alone = TraitVocabulary(documents[:1]).rows(documents[:1])
    assert np.allclose(np.asarray(alone.multiply(alone).sum(axis=1)).ravel(), 1)
    assert alone.shape[1] > rows.shape[1]


def test_the_folds_are_even_and_follow_the_text() -> None:
    documents, _ = agreements(0, 9)
    folds = folds_of(documents)
    assert sorted(folds.values()) == [0] * 3 + [1] * 3 + [2] * 3
    assert folds == folds_of(documents[::-1])


def test_too_few_documents_to_learn_from_are_refused() -> None:
    with pytest.raises(SolonError, match="too few"):
        StatementReader(*agreements(0, 2))


def test_a_document_without_passages_is_refused() -> None:
    with pytest.raises(ValidationError):
        Passages(document="d", text="", spans=())
