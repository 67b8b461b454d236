"""ContractNLI asked of a model: what each strategy shows it, what it may not see, and what its answers are worth."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from flows.bench.nli.asking import StrategyAsker
from flows.bench.nli.measures import weighted_f1
from flows.bench.nli.protocols import ProtocolPart, offline
from flows.bench.nli.reports import Reports
from flows.bench.nli.run import answered, measure_nli, render
from flows.bench.nli.strategies import STRATEGIES
from tasks.harness import packaged
from tasks.matter.failures import SolonError
from tasks.models.client import ModelClient
from tasks.models.profile import ModelProfile
from tasks.models.transports.scripted import ScriptedModel
from tasks.retrieval.entail.corpus import DEVELOPMENT, TRAINING, read_corpus
from tasks.retrieval.entail.unknown import WordSearch
from tests.unit.bench.test_nli_bench import HYPOTHESES, SAID, data, embed

__all__ = ["data"]
HARNESS = packaged()
PROFILE = ModelProfile(name="scripted", model="scripted/none", context_window=8_000, max_output_tokens=100)


def reads(messages: Any) -> str:
    """Answer as a careful reader of the premise would."""
    question = messages[-1]["content"]
    key = next(k for k, text in HYPOTHESES.items() if f"Statement: {text}" in question)
    said = {SAID[key][0]: "entailment", SAID[key][1]: "contradiction"}
    return json.dumps({"label": next((label for text, label in said.items() if text in question), "neutral")})


def client(script: Callable[[Any], str] = reads) -> tuple[ModelClient, ScriptedModel]:
    model = ScriptedModel(script)
    return ModelClient(PROFILE, transport=model, wait=lambda seconds: None), model


def asker(data: Path, name: str, seed: int = 0) -> tuple[StrategyAsker, ScriptedModel]:
    made, model = client()
    reports = Reports(HARNESS, data / "index", read_corpus(data / DEVELOPMENT).documents)
    return StrategyAsker(made, STRATEGIES[name], read_corpus(data / TRAINING), WordSearch(embed), reports, seed), model


def shown(data: Path, name: str, seed: int = 0) -> list[dict[str, Any]]:
    """What a model is sent of the first question of the development file."""
    asked = read_corpus(data / DEVELOPMENT)
    made, model = asker(data, name, seed)
    right = next(e for e in asked.examples if e.document == asked.documents[2].document)
    made.label(asked.documents[2], asked.statements[0], right.evidence)
    return model.requests[0]


@pytest.mark.examples(1)
@pytest.mark.parametrize(
    ("name", "turns"),
    [
        ("zero shot", 2),
        ("few shot", 8),
        ("few shot, spans", 8),
        ("chain of thought", 8),
        ("passages found", 2),
        ("pakton", 8),
    ],
)  # fmt: skip
def test_a_strategy_shows_its_examples_and_a_question(data: Path, name: str, turns: int) -> None:
    sent = shown(data, name)
    assert len(sent) == turns
    assert [m["role"] for m in sent[1:]] == ["user", "assistant"] * ((turns - 2) // 2) + ["user"]


def test_examples_of_the_statement_show_each_label_and_only_their_spans(data: Path) -> None:
    sent = shown(data, "few shot, spans of the statement")
    labels = {json.loads(m["content"])["label"] for m in sent if m["role"] == "assistant"}
    assert labels == {"entailment", "contradiction", "neutral"}
    assert all(HYPOTHESES["nda-1"] in m["content"] for m in sent if m["role"] == "user")
    told = next(m["content"] for m, a in pairwise(sent[1:]) if "entailment" in a["content"])
    assert "Notices go by courier" not in told, "an example shows the sentences that the lawyer named"
    whole = [m["content"] for m in shown(data, "few shot") if m["role"] == "user"]
    assert all("Notices go by courier" in content for content in whole)


def test_a_chain_of_thought_reasons_before_its_labels(data: Path) -> None:
    answers = [json.loads(m["content"]) for m in shown(data, "chain of thought") if m["role"] == "assistant"]
    assert all(list(answer) == ["reason", "label"] for answer in answers)
    assert any("Recipient may copy the Information freely." in answer["reason"] for answer in answers)


def test_pakton_shows_what_the_researcher_reports_and_cites_its_sentences(data: Path) -> None:
    asked = read_corpus(data / DEVELOPMENT)
    made, _ = asker(data, "pakton")
    for key, said in SAID.items():
        right = [e for e in asked.examples if e.statement == key and e.label != "neutral"]
        statement = next(s for s in asked.statements if s.key == key)
        for example in right[:2]:
            paper = next(d for d in asked.documents if d.document == example.document)
            report = made.reports.on(paper, statement)
            assert any(words in report.words for words in said)
            assert set(example.evidence) & set(report.positions)


def test_another_trial_draws_other_examples(data: Path) -> None:
    assert shown(data, "few shot", 0) == shown(data, "few shot", 0)
    assert any(shown(data, "few shot", 0) != shown(data, "few shot", seed) for seed in (1, 2, 3))


def test_a_model_that_reads_well_is_right_and_what_it_took_is_counted(data: Path) -> None:
    made, model = client()
    told = measure_nli(data, embed, model=made, only=["zero shot", "bound"], trials=2, say=lambda line: None)
    rows = told["rows"]
    assert set(rows) == {
        f"model: {name}, trial {n}"
        for name in ("zero shot", "zero shot, labels explained", "isolated spans (bound)")
        for n in (1, 2)
    }
    assert all(row["weighted_f1"] == 1.0 for row in rows.values())
    took = rows["model: zero shot, trial 1"]["took"]
    assert (took["questions"], took["calls"], took["unreadable"], took["cut"]) == (24, 24, 0, 0)
    assert len(model.requests) == 6 * 24
    assert "24 questions, 24 calls" in render(told)


@pytest.mark.parametrize("reply", ["I would say entailment.", '{"label": "maybe"}', "", "[]"])
def test_a_reply_without_a_label_is_neutral_and_counted(data: Path, reply: str) -> None:
    made, _ = client(lambda _: reply)
    told = measure_nli(data, embed, 12, made, ["explained"], say=lambda line: None)
    (row,) = told["rows"].values()
    assert row["took"]["unreadable"] == row["took"]["questions"]
    assert row["f1"]["entailment"] == 0.0


@pytest.mark.slow
def test_the_guided_row_weighs_the_model_by_what_it_was_worth(data: Path) -> None:
    """A model that reads well lifts the row; one that always says the same costs it nothing."""
    figures = {}
    for name, script in (("good", reads), ("stuck", lambda _: '{"label": "entailment"}')):
        made, _ = client(script)
        (row,) = measure_nli(data, embed, model=made, only=["guided"], say=lambda line: None)["rows"].values()
        figures[name] = row["weighted_f1"]
    asked = ProtocolPart(read_corpus(data / TRAINING), read_corpus(data / DEVELOPMENT))
    alone = weighted_f1(answered([asked], offline(WordSearch(embed))))
    assert figures["good"] >= figures["stuck"] >= alone - 0.15


def test_a_premise_that_does_not_fit_is_cut_and_counted(data: Path) -> None:
    content = json.loads((data / DEVELOPMENT).read_text())
    content["documents"][0]["text"] += " Nothing more." * 4_000
    (data / DEVELOPMENT).write_text(json.dumps(content))
    made, model = client()
    told = measure_nli(data, embed, 12, made, ["explained"], say=lambda line: None)
    (row,) = told["rows"].values()
    assert row["took"]["cut"] == 2
    assert max(len(m[-1]["content"]) for m in model.requests) < 40_000


def test_a_strategy_that_there_is_not_is_refused(data: Path) -> None:
    made, _ = client()
    with pytest.raises(SolonError, match="no strategy"):
        measure_nli(data, embed, model=made, only=["telepathy"], say=lambda line: None)


def test_a_sample_of_pairs_is_the_same_for_each_reader_and_stands_beside_what_needs_no_model(data: Path) -> None:
    made, model = client()
    told = measure_nli(data, embed, model=made, only=["guided", "explained"], say=lambda line: None, pairs=5)
    rows = told["rows"]
    assert set(rows) == {"floor", "offline", "model: zero shot, labels explained", "model: guided"}
    assert {row["n"] for row in rows.values()} == {5}
    assert rows["model: zero shot, labels explained"]["weighted_f1"] == 1.0
    assert rows["model: guided"]["took"]["questions"] == 7  # half as many more to weigh it by
    asked = [m[-1]["content"] for m in model.requests[:5]]
    again, same = client()
    measure_nli(data, embed, model=again, only=["explained"], say=lambda line: None, pairs=5)
    assert [m[-1]["content"] for m in same.requests] == asked
