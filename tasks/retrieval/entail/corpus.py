"""ContractNLI's files: agreements cut into sentences, seventeen statements, and the labels of lawyers."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.retrieval.entail.records import Example, Hypothesis, Label, Passages

TRAINING: Final = "train_truncated.json"
DEVELOPMENT: Final = "dev.json"
_LABELS: Final[Mapping[str, Label]] = {
    "Entailment": "entailment",
    "Contradiction": "contradiction",
    "NotMentioned": "neutral",
}


@dataclass(frozen=True)
class AnsweredAgreements:
    """The agreements of a file, the statements and the answers.

    Attributes:
        examples: One answer for each agreement and each statement.
    """

    documents: tuple[Passages, ...]
    statements: tuple[Hypothesis, ...]
    examples: tuple[Example, ...]

    def of(self, documents: Sequence[str], statements: Sequence[str] | None = None) -> AnsweredAgreements:
        """Return the part about some agreements, and about some statements where they are named."""
        named = set(documents)
        keys = {statement.key for statement in self.statements} if statements is None else set(statements)
        return AnsweredAgreements(
            tuple(document for document in self.documents if document.document in named),
            tuple(statement for statement in self.statements if statement.key in keys),
            tuple(e for e in self.examples if e.document in named and e.statement in keys),
        )

    def with_(self, other: AnsweredAgreements) -> AnsweredAgreements:
        """Return both; the statements are the same."""
        return AnsweredAgreements(self.documents + other.documents, self.statements, self.examples + other.examples)


def read_corpus(path: Path) -> AnsweredAgreements:
    """Return what a file of ContractNLI holds.

    Raises:
        SolonError: There is no such file, or it is not in the form of ContractNLI; the message names it.
    """
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
        statements = tuple(Hypothesis(key=key, text=label["hypothesis"]) for key, label in raw["labels"].items())
        documents = tuple(_passages(path, row) for row in raw["documents"])
        examples = tuple(e for row in raw["documents"] for e in _examples(path, row, statements))
    except (OSError, UnicodeDecodeError, ValueError, KeyError, IndexError, TypeError) as error:
        message = f"is no file of ContractNLI: {type(error).__name__}: {error}"
        remedy = f"name the folder of {TRAINING} and {DEVELOPMENT} by --data DIR"
        raise SolonError(
            Failure(cause=FailureCause.INPUT, stage="bench", subject=str(path), message=message, remedy=remedy)
        ) from error
    return AnsweredAgreements(documents, tuple(sorted(statements, key=lambda s: s.key)), examples)


def _name(path: Path, row: Mapping[str, Any]) -> str:
    return f"{path.stem}/{row['id']}"  # numbers are given anew in each file


def _passages(path: Path, row: Mapping[str, Any]) -> Passages:
    spans = tuple((int(start), int(end)) for start, end in row["spans"])
    if any(not 0 <= start <= end <= len(row["text"]) for start, end in spans):
        raise ValueError(f"a sentence of document {row['id']} lies outside of its text")
    return Passages(document=_name(path, row), text=row["text"], spans=spans)


def _examples(path: Path, row: Mapping[str, Any], statements: Sequence[Hypothesis]) -> list[Example]:
    given = row["annotation_sets"][0]["annotations"]
    found = []
    for statement in statements:
        answer = given[statement.key]
        evidence = tuple(sorted(int(i) for i in answer["spans"]))
        if any(not 0 <= i < len(row["spans"]) for i in evidence):
            raise ValueError(f"evidence of document {row['id']} for {statement.key} is no sentence of it")
        label = _LABELS[answer["choice"]]
        found.append(Example(document=_name(path, row), statement=statement.key, label=label, evidence=evidence))
    return found
