"""The bench of ContractNLI: what is learned from, what is asked, and the figures."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from flows.bench.nli.measures import Pair, accuracy, evidence_f1, f1, paired, summary, weighted_f1
from flows.bench.nli.protocols import (
    Learner,
    ProtocolPart,
    by_document,
    by_statement,
    majority,
    new_of_development,
    offline,
)
from flows.bench.nli.run import PROTOCOLS, answered, measure_nli, render
from tasks.matter.failures import SolonError
from tasks.models.vectors import Matrix
from tasks.retrieval.entail.corpus import DEVELOPMENT, TRAINING, AnsweredAgreements, read_corpus
from tasks.retrieval.entail.records import Entailment, Example, Label, Passages
from tasks.retrieval.entail.unknown import WordSearch

HYPOTHESES = {"nda-1": "Recipient may copy some Information.", "nda-2": "Recipient shall destroy some Information."}
SAID = {
    "nda-1": ("Recipient may copy the Information freely.", "Recipient shall not copy the Information."),
    "nda-2": ("Recipient shall destroy the Information.", "Recipient may keep and never destroy the Information."),
}
CHOICES = ("Entailment", "Contradiction", "NotMentioned")


def row(number: int) -> dict[str, Any]:
    said, given = [f"Agreement {number} of the parties.", "Notices go by courier."], {}
    for turn, key in enumerate(HYPOTHESES):
        which = (number // (1 + 2 * turn)) % 3
        given[key] = {"choice": CHOICES[which], "spans": [len(said)] if which < 2 else []}
        if which < 2:
            said.append(SAID[key][which])
    ends = np.cumsum([len(text) + 1 for text in said]).tolist()
    spans = [[end - len(text) - 1, end - 1] for end, text in zip(ends, said, strict=True)]
    return {"id": number, "text": "\n".join(said), "spans": spans, "annotation_sets": [{"annotations": given}]}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    labels = {key: {"hypothesis": text} for key, text in HYPOTHESES.items()}
    for name, numbers in ((TRAINING, range(14)), (DEVELOPMENT, range(14, 26))):
        content = {"documents": [row(n) for n in numbers], "labels": labels}
        (tmp_path / name).write_text(json.dumps(content), encoding="utf-8")
    return tmp_path


def embed(texts: Any) -> Matrix:
    rows = np.zeros((len(texts), 32), dtype=np.float32)
    for vector, text in zip(rows, texts, strict=True):
        for word in text.lower().split():
            vector[sum(word.encode()) % 32] += 1
    return rows


def together(statement: str, passages: Any) -> list[float]:
    asked = set(statement.lower().split())
    return [float(len(asked & set(text.lower().split()))) for text, _ in passages]


def everything(data: Path) -> AnsweredAgreements:
    return read_corpus(data / TRAINING).with_(read_corpus(data / DEVELOPMENT))


@pytest.mark.parametrize("divided", [by_document, by_statement])
def test_no_document_and_no_statement_held_out_is_learned_from(data: Path, divided: Callable[..., Any]) -> None:
    corpus = everything(data)
    asked: list[tuple[str, str]] = []
    for part in divided(corpus):
        learned = {document.document for document in part.learned.documents}
        assert learned.isdisjoint(document.document for document in part.asked.documents)
        assert {e.document for e in part.learned.examples} <= learned
        asked += [(e.document, e.statement) for e in part.asked.examples]
        if divided is by_statement:
            keys = {statement.key for statement in part.asked.statements}
            assert keys.isdisjoint(e.statement for e in part.learned.examples)
            assert keys.isdisjoint(s.key for s in part.learned.statements)
    assert sorted(asked) == sorted((e.document, e.statement) for e in corpus.examples)


def planted(part: ProtocolPart) -> ProtocolPart:
    """Turn the labels of all that is asked, and name another passage for each."""
    turned: dict[Label, Label] = {
        "entailment": "contradiction", "contradiction": "neutral", "neutral": "entailment",
    }  # fmt: skip
    examples = tuple(e.model_copy(update={"label": turned[e.label], "evidence": (0,)}) for e in part.asked.examples)
    return ProtocolPart(part.learned, AnsweredAgreements(part.asked.documents, part.asked.statements, examples))


def new_statements(corpus: AnsweredAgreements) -> Any:
    names = [document.document for document in corpus.documents]
    return new_of_development(corpus.of(names[: len(names) // 2]), corpus.of(names[len(names) // 2 :]))


def test_a_new_statement_is_learned_of_by_no_document_and_no_answer_of_its_own(data: Path) -> None:
    for part in new_statements(everything(data)):
        (asked,) = part.asked.statements
        assert asked not in part.learned.statements
        assert {e.statement for e in part.learned.examples}.isdisjoint({asked.key})
        assert {d.document for d in part.learned.documents}.isdisjoint(d.document for d in part.asked.documents)
        assert part.asked.examples


@pytest.mark.parametrize("divided", [by_document, by_statement, new_statements])
def test_what_lawyers_said_of_the_documents_asked_changes_no_answer(data: Path, divided: Callable[..., Any]) -> None:
    learner = offline(WordSearch(embed), together)
    parts = list(divided(everything(data)))[:2]
    plain, turned = (answered(each, learner) for each in (parts, [planted(part) for part in parts]))
    assert [pair.said for pair in plain] == [pair.said for pair in turned]
    assert [pair.named for pair in plain] == [pair.named for pair in turned]
    assert [pair.right for pair in plain] != [pair.right for pair in turned]


def test_a_learner_is_given_no_label_of_what_it_is_asked(data: Path) -> None:
    seen: list[int] = []

    def spying(learned: AnsweredAgreements) -> Callable[[AnsweredAgreements], list[Entailment]]:
        known = majority(learned)

        def answers(asked: AnsweredAgreements) -> list[Entailment]:
            seen.append(len(asked.examples))
            return known(asked)

        return answers

    spy: Learner = spying
    assert answered(by_document(everything(data)), spy)
    assert seen
    assert not any(seen)


def test_the_floor_is_the_label_that_a_statement_has_most_often(data: Path) -> None:
    training, development = read_corpus(data / TRAINING), read_corpus(data / DEVELOPMENT)
    pairs = answered([ProtocolPart(training, development)], majority)
    for key in HYPOTHESES:
        right = [e.label for e in training.examples if e.statement == key]
        said = {pair.said for pair in pairs if pair.statement == key}
        assert len(said) == 1
        assert right.count(said.pop()) == max(right.count(label) for label in set(right))


def test_the_floor_of_the_real_files_is_the_recomputed_one(shared_data: Path) -> None:
    folder = shared_data / "contractnli"
    if not folder.is_dir():
        pytest.skip("ContractNLI is not beside the project (../shared/data/contractnli)")
    pairs = answered([ProtocolPart(read_corpus(folder / TRAINING), read_corpus(folder / DEVELOPMENT))], majority)
    assert len(pairs) == 61 * 17
    assert round(100 * weighted_f1(pairs), 1) == 68.0


def test_the_figures_are_those_counted_by_hand() -> None:
    labels: list[tuple[Label, Label]] = [
        ("entailment", "entailment"), ("entailment", "neutral"), ("contradiction", "contradiction"),
        ("neutral", "neutral"), ("neutral", "entailment"),
    ]  # fmt: skip
    pairs = [Pair(f"d{i}", "s", right, said) for i, (right, said) in enumerate(labels)]
    assert accuracy(pairs) == 3 / 5
    assert (f1(pairs, "entailment"), f1(pairs, "contradiction"), f1(pairs, "neutral")) == (0.5, 1.0, 0.5)
    assert weighted_f1(pairs) == pytest.approx((2 * 0.5 + 1.0 + 2 * 0.5) / 5)
    assert evidence_f1(pairs) is None
    low, high = summary(pairs)["accuracy_interval"]
    assert 0 <= low < 3 / 5 < high <= 1


def test_evidence_is_counted_in_characters() -> None:
    document = Passages(document="d", text="x" * 60, spans=((0, 10), (10, 30), (30, 60)))
    example = Example(document="d", statement="s", label="entailment", evidence=(0, 1))
    said = Entailment(document="d", statement="s", label="entailment", chances=(1.0, 0.0, 0.0), evidence=(1, 2))
    pairs = paired([document], [example], [said])
    assert (pairs[0].shared, pairs[0].named, pairs[0].wanted) == (20, 50, 30)
    assert evidence_f1(pairs) == pytest.approx(2 * 20 / 80)


@pytest.mark.slow
def test_the_bench_tells_every_protocol(data: Path) -> None:
    result = measure_nli(data, embed, limit=12, together=together)
    assert result["documents"] == 24
    assert list(result["rows"]) == [
        f"{protocol}: {learner}" for protocol in PROTOCOLS for learner in ("floor", "offline")
    ]
    rows = result["rows"]
    assert rows["by document: offline"]["weighted_f1"] > rows["by document: floor"]["weighted_f1"] + 0.3
    assert rows["by document: offline"]["evidence_f1"] > 0.8
    assert {row["n"] for row in rows.values()} == {48, 24}
    assert "by statement: offline" in render(result)


def test_the_same_documents_give_the_same_answers(data: Path) -> None:
    part = ProtocolPart(read_corpus(data / TRAINING), read_corpus(data / DEVELOPMENT))
    once, again = (answered([part], offline(WordSearch(embed))) for _ in range(2))
    assert once == again


@pytest.mark.parametrize(("limit", "said"), [(0, "no document"), (1, "too few")])
def test_too_few_documents_are_refused(data: Path, limit: int, said: str) -> None:
    with pytest.raises(SolonError, match=said):
        measure_nli(data, embed, limit=limit)


@pytest.mark.parametrize(
    "broken", ["{}", "[", '{"labels": {}, "documents": [{"id": 1, "text": "a", "spans": [[0, 9]]}]}']
)
def test_a_file_that_is_not_of_contractnli_is_named(data: Path, broken: str) -> None:
    (data / TRAINING).write_text(broken, encoding="utf-8")
    with pytest.raises(SolonError, match=r"train_truncated\.json"):
        measure_nli(data, embed)
