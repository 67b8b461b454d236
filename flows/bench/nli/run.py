"""The bench: each protocol, its floor, and what the reader says beside it."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from flows.bench.nli.measures import Pair, paired, summary
from flows.bench.nli.prompting import Say, prompted, strategies_named
from flows.bench.nli.protocols import (
    Learner,
    ProtocolPart,
    by_document,
    by_statement,
    majority,
    new_of_development,
    offline,
    sampled,
)
from flows.bench.nli.reports import Reports
from tasks.harness import Harness, find_harness, parsed, validated
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.models.client import ModelClient
from tasks.retrieval.entail.corpus import DEVELOPMENT, TRAINING, AnsweredAgreements, read_corpus
from tasks.retrieval.entail.unknown import Embed, Together, WordSearch
from tasks.retrieval.together import read_together

PROTOCOLS: Final = (
    "by document",
    "training to development",
    "by statement",
    "by statement, training to development",
)


def measure_nli(
    data: Path,
    embed: Embed,
    limit: int | None = None,
    model: ModelClient | None = None,
    only: Sequence[str] = (),
    trials: int = 1,
    say: Say = print,
    harness: Harness | None = None,
    pairs: int | None = None,
    longest: int | None = None,
    together: Together = read_together,
) -> dict[str, Any]:
    """Return the figures of each protocol: the floor, and what is read without a model.

    Args:
        data: Folder of the two files of ContractNLI.
        embed: What embeds texts as rows.
        limit: At most so many documents of each file.
        model: Asked by each strategy as well, where there is one; then nothing else is measured.
        only: Words of the strategies; all when empty.
        trials: How often the model is asked by each.
        say: Told how far it has come.
        harness: Of the researcher, whose reports the strategy ``pakton`` shows; the shipped one when None.
        pairs: The model is asked so many pairs of agreement and statement, drawn by hash; all when None. What is read
            without it stands beside it, of the same pairs.
        longest: Agreements of more characters are neither asked of nor learned from; any length when None.
        together: Reads a new statement together with a passage.

    Raises:
        SolonError: A file is missing or malformed, or there are too few documents to learn from.
    """
    training, development = (
        _first(_short(read_corpus(data / name), longest), limit) for name in (TRAINING, DEVELOPMENT)
    )
    if not training.documents or not development.documents:
        raise SolonError(
            Failure(
                cause=FailureCause.INPUT,
                stage="bench",
                subject=str(data),
                message="leaves no document to learn from or to ask",
                remedy="take more of each file by --limit N or --longest N, or name the whole files",
            )
        )
    everything = training.with_(development)
    search = WordSearch(embed)
    learners = {"floor": majority, "offline": offline(search, together)}
    if model is not None:
        names, part = strategies_named(only), sampled(development, pairs)
        told = learners if pairs is not None else {}
        rows = {name: summary(answered([ProtocolPart(training, part)], learner)) for name, learner in told.items()}
        with tempfile.TemporaryDirectory() as place:
            reports = Reports(harness or parsed(validated(find_harness())), Path(place), part.documents)
            asked = prompted(model, training, part, search, reports, names=names, trials=trials, pairs=pairs, say=say)
            rows |= dict(asked)
        return {
            "documents": len(part.documents),
            "statements": len(everything.statements),
            "model": model.profile.name,
            "rows": rows,
        }
    parts: dict[str, Callable[[], Iterator[ProtocolPart]]] = {
        PROTOCOLS[0]: lambda: by_document(everything),
        PROTOCOLS[1]: lambda: iter([ProtocolPart(training, development)]),
        PROTOCOLS[2]: lambda: by_statement(everything),
        PROTOCOLS[3]: lambda: new_of_development(training, development),
    }
    rows = {}
    for protocol, divided in parts.items():
        for name, learner in learners.items():
            found = answered(divided(), learner)
            rows[f"{protocol}: {name}"] = summary(found) | {"statements": _by_statement(found, everything)}
    return {"documents": len(everything.documents), "statements": len(everything.statements), "rows": rows}


def answered(parts: Iterable[ProtocolPart], learner: Learner) -> list[Pair]:
    """Return the labels of all parts beside the answers; a learner sees no label of what it is asked."""
    pairs: list[Pair] = []
    for part in parts:
        unlabelled = AnsweredAgreements(part.asked.documents, part.asked.statements, ())
        pairs += paired(part.asked.documents, part.asked.examples, learner(part.learned)(unlabelled))
    return pairs


def _first(corpus: AnsweredAgreements, limit: int | None) -> AnsweredAgreements:
    return corpus.of([document.document for document in corpus.documents[:limit]])


def _short(corpus: AnsweredAgreements, longest: int | None) -> AnsweredAgreements:
    return corpus.of([d.document for d in corpus.documents if longest is None or len(d.text) <= longest])


def _by_statement(pairs: list[Pair], corpus: AnsweredAgreements) -> dict[str, Any]:
    rows = {}
    for statement in corpus.statements:
        mine = [pair for pair in pairs if pair.statement == statement.key]
        rows[statement.key] = {
            "text": statement.text,
            "right": sum(pair.right == pair.said for pair in mine),
            "of": len(mine),
        }
    return rows


def render(result: Mapping[str, Any]) -> str:
    """Return the table of a result of ``measure_nli``."""
    head = ("", "n", "F1 weighted", "95 %", "entailment", "contradiction", "neutral", "accuracy", "95 %", "evidence")
    rows = [head, *(_row(name, row) for name, row in result["rows"].items())]
    widths = [max(len(row[i]) for row in rows) for i in range(len(head))]
    asked = [f"{name}: {_took(row['took'])}" for name, row in result["rows"].items() if "took" in row]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([*lines, *asked])


def _took(took: Mapping[str, Any]) -> str:
    """Return what asking took; a premise that was cut and a reply without a label say how far to believe the row."""
    given = took["input_uncached"] + took["cache_read"]
    told = f"{took['questions']} questions, {took['calls']} calls, {given:,} tokens in"
    return f"{told}, {took['output']:,} out, {took['unreadable']} without a label, {took['cut']} premises cut"


def _row(name: str, row: Mapping[str, Any]) -> tuple[str, ...]:
    evidence = row["evidence_f1"]
    return (
        name,
        str(row["n"]),
        _percent(row["weighted_f1"]),
        _between(row["weighted_f1_interval"]),
        *(_percent(value) for value in row["f1"].values()),
        _percent(row["accuracy"]),
        _between(row["accuracy_interval"]),
        "none" if evidence is None else _percent(evidence),
    )


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _between(ends: list[float] | None) -> str:
    return "none" if ends is None else f"{_percent(ends[0])} to {_percent(ends[1])}"
