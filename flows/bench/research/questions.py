"""Questions with the places that answer them: LegalBench-RAG's, and ContractNLI's statements."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from flows.bench.request import misuse
from flows.bench.retrieval.measure import data_sets, load_benchmark, sampled
from tasks.matter.base import content_hash
from tasks.retrieval.entail.corpus import DEVELOPMENT, read_corpus
from tasks.sources.records import CanonicalText

Spans = tuple[tuple[str, int, int], ...]


class PaperQuestion(NamedTuple):
    """A question about one paper.

    Attributes:
        gold: Places that a lawyer marked; empty where the paper is silent.
    """

    text: str
    document: str
    gold: Spans


class PaperRoom(NamedTuple):
    """Questions, and the papers that they are about."""

    questions: list[PaperQuestion]
    texts: Mapping[str, CanonicalText]


def rooms(data: Path, limit: int | None) -> dict[str, PaperRoom]:
    """Return the questions of a folder by the name of their data set, at most so many of each, chosen by hash.

    Raises:
        SolonError: The folder has neither form.
    """
    if (data / DEVELOPMENT).is_file():
        return {"contractnli statements": _statements(data / DEVELOPMENT, limit)}
    if not data_sets(data):
        raise misuse(
            str(data),
            f"holds neither {DEVELOPMENT} nor benchmarks/*.json",
            "name a ContractNLI or LegalBench-RAG folder",
        )
    return {name: _of_benchmark(data, name, limit) for name in data_sets(data)}


def _of_benchmark(data: Path, name: str, limit: int | None) -> PaperRoom:
    """Return questions in natural words; what names the paper ("Consider the NDA …;") is told apart."""
    tests, texts = load_benchmark(data, name, limit)
    asked = [
        PaperQuestion(
            test["query"].rpartition(";")[2].strip(),
            test["snippets"][0]["file_path"],
            tuple((s["file_path"], *s["span"]) for s in test["snippets"]),
        )
        for test in tests
    ]
    return PaperRoom(asked, texts)


def _statements(path: Path, limit: int | None) -> PaperRoom:
    """Return each statement asked of each document."""
    corpus = read_corpus(path)
    held = {document.document: document for document in corpus.documents}
    words = {statement.key: statement.text for statement in corpus.statements}
    rows = []
    for example in corpus.examples:
        paper = held[example.document]
        gold = tuple((paper.document, *paper.spans[i]) for i in example.evidence)
        asked = PaperQuestion(f"Does the agreement say that {words[example.statement]}", paper.document, gold)
        rows.append({"query": f"{paper.document} {asked.text}", "of": asked})
    texts = {name: _paper(name, document.text) for name, document in held.items()}
    return PaperRoom([row["of"] for row in sampled(rows, limit)], texts)


def _paper(name: str, text: str) -> CanonicalText:
    return CanonicalText(document=name, sha256=content_hash(text), extractor="bench", media="txt", text=text)
