"""The rows with a model: each strategy over the development agreements, learned from the training ones, in trials."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from scipy.optimize import minimize
from scipy.special import softmax

from flows.bench.nli.asking import StrategyAsker
from flows.bench.nli.measures import paired, summary
from flows.bench.nli.protocols import fold, sampled
from flows.bench.nli.reports import Reports
from flows.bench.nli.strategies import CALIBRATED, STRATEGIES
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.models.client import ModelClient
from tasks.retrieval.entail.corpus import AnsweredAgreements
from tasks.retrieval.entail.decision import Matrix
from tasks.retrieval.entail.reader import FOLDS, StatementReader
from tasks.retrieval.entail.records import LABELS, Entailment, Hypothesis, Label, Passages
from tasks.retrieval.entail.unknown import WordSearch

Say = Callable[[str], None]


def strategies_named(words: Sequence[str]) -> list[str]:
    """Return the strategies whose names hold one of some words; all where there are none.

    Raises:
        SolonError: None does.
    """
    found = [name for name in STRATEGIES if not words or any(word.lower() in name for word in words)]
    if not found:
        raise SolonError(
            Failure(
                cause=FailureCause.INPUT,
                stage="bench",
                subject=", ".join(words),
                message="is in the name of no strategy",
                remedy=f"use words of {', '.join(STRATEGIES)}",
            )
        )
    return found


def prompted(
    client: ModelClient,
    training: AnsweredAgreements,
    development: AnsweredAgreements,
    search: WordSearch,
    reports: Reports,
    *,
    names: Sequence[str],
    trials: int = 1,
    pairs: int | None = None,
    say: Say,
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the figures of each strategy and trial.

    Args:
        client: The model.
        training: Answered agreements: examples, and what the guided row learns from.
        development: What is asked.
        search: Finds sentences.
        reports: The researcher over the agreements asked of.
        names: Strategies by name.
        trials: How often each is run, with other examples each time.
        pairs: Questions that are asked, where they are a sample: half as many more are then asked to weigh the model.
        say: Told how far it has come.
    """
    for name in names:
        for trial in range(trials):
            asker = StrategyAsker(client, STRATEGIES[name], training, search, reports, seed=trial, pairs=pairs)
            began = time.monotonic()
            say(f"{name}, trial {trial + 1} of {trials}")
            ask = _calibrated if name in CALIBRATED else _plain
            found = paired(development.documents, development.examples, ask(asker, training, development))
            told = asker.asked
            took = {
                "questions": told.questions,
                "unreadable": told.unreadable,
                "cut": told.cut,
                "seconds": time.monotonic() - began,
                **told.usage.model_dump(include={"input_uncached", "cache_read", "output", "calls", "cost_usd"}),
            }
            yield f"model: {name}" + (f", trial {trial + 1}" if trials > 1 else ""), summary(found) | {"took": took}


def _places(asked: AnsweredAgreements) -> list[tuple[Passages, Hypothesis]]:
    """Return the document and the statement of each question, in the order of the answers that are known."""
    documents = {d.document: d for d in asked.documents}
    statements = {s.key: s for s in asked.statements}
    return [(documents[e.document], statements[e.statement]) for e in asked.examples]


def _labels(asker: StrategyAsker, asked: AnsweredAgreements) -> list[Label]:
    """Return the model's label of each question; those that are shown the same examples are asked in a row."""
    questions = list(zip(_places(asked), asked.examples, strict=True))
    order = list(range(len(questions)))
    if asker.strategy.same:
        order.sort(key=lambda at: questions[at][0][1].key)
    said = {at: asker.label(*questions[at][0], questions[at][1].evidence) for at in order}
    return [said[at] for at in range(len(questions))]


def _plain(asker: StrategyAsker, _: AnsweredAgreements, asked: AnsweredAgreements) -> list[Entailment]:
    places = _places(asked)
    return [
        _answer(document.document, statement.key, np.eye(len(LABELS))[LABELS.index(label)],
                asker.found(document, statement))
        for (document, statement), label in zip(places, _labels(asker, asked), strict=True)
    ]  # fmt: skip


def _calibrated(asker: StrategyAsker, learned: AnsweredAgreements, asked: AnsweredAgreements) -> list[Entailment]:
    """Return what the offline reader and the model say together, weighed on answered agreements that neither knew.

    A third of the answered agreements, which the reader is not taught, says how far the model is to be believed: the
    reader's chances stand, and each label of the model moves them by weights that begin at nothing.
    """
    names = [document.document for document in learned.documents]
    held = [name for name in names if fold(name, FOLDS) == 0]
    rest = [name for name in names if name not in held]
    if not held or len(rest) < FOLDS:
        raise _too_few(len(names))
    weighed = sampled(learned.of(held), None if asker.pairs is None else max(1, asker.pairs // 2))
    read, said, places = _signals(asker, learned.of(rest), weighed)
    right = {(e.document, e.statement): LABELS.index(e.label) for e in weighed.examples}
    weights = _weights(read, said, np.eye(len(LABELS))[[right[place] for place in places]])
    read, said, places = _signals(asker, learned, asked)
    rows = softmax(read + said @ weights, axis=1)
    return [
        _answer(name, key, row, asker.found(document, statement))
        for (name, key), row, (document, statement) in zip(places, rows, _places(asked), strict=True)
    ]


def _weights(read: Matrix, said: Matrix, right: Matrix) -> Matrix:
    """Return by how much each label of the model moves the odds of each label, with a penalty on moving at all."""

    def lost(flat: Matrix) -> float:
        moved = flat.reshape(len(LABELS), len(LABELS))
        chances = (softmax(read + said @ moved, axis=1) * right).sum(axis=1)
        return float(-np.log(chances + 1e-12).sum() + 0.5 * (moved**2).sum())

    found: Matrix = minimize(lost, np.zeros(len(LABELS) ** 2), method="L-BFGS-B").x
    return found.reshape(len(LABELS), len(LABELS))


def _signals(
    asker: StrategyAsker, taught: AnsweredAgreements, asked: AnsweredAgreements
) -> tuple[Matrix, Matrix, list[tuple[str, str]]]:
    """Return the logarithms of the reader's chances, the model's label of each question, and where each was asked."""
    offline = {
        (a.document, a.statement): a.chances
        for a in StatementReader(taught.documents, taught.examples).answers(asked.documents)
    }
    places = [(d.document, s.key) for d, s in _places(asked)]
    said = np.eye(len(LABELS))[[LABELS.index(label) for label in _labels(asker, asked)]]
    return np.log(np.array([offline[p] for p in places]) + 1e-6), said, places


def _answer(document: str, statement: str, chances: Matrix, found: Sequence[int]) -> Entailment:
    label = LABELS[int(np.argmax(chances))]
    one, two, three = (float(chance) for chance in chances)
    evidence = () if label == "neutral" else tuple(found)
    return Entailment(document=document, statement=statement, label=label, chances=(one, two, three), evidence=evidence)


def _too_few(documents: int) -> SolonError:
    message = f"{documents} answered agreements are too few to weigh the model on"
    remedy = "take more of each file by --limit N"
    return SolonError(
        Failure(cause=FailureCause.INPUT, stage="bench", subject="guided", message=message, remedy=remedy)
    )
