"""What an attempt spends on models of any kind is on one account, and the budget of the cell ends it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from flows.matter import run_attempt
from flows.runs.attempts import AttemptStore
from flows.runs.context import RunContext
from flows.runs.orders import Attempt
from flows.runs.plan import Plan, begin_attempt, open_harness
from flows.settings import load_settings
from tasks.drafting.records import Cell, Limits
from tasks.matter.failures import FailureCause
from tasks.matter.loading import load_corpus
from tasks.models.transports import hosted

pytestmark = pytest.mark.usefixtures("sealed_here")

MODELS = """
[retrieval]
embedder = "far"
[models.far]
kind = "embeddings"
model = "openai/far"
prices = { input_uncached = 1.0 }
"""
PRICE = 1_000 / 1e6  # of each call of the endpoint below


@dataclass
class Endpoint:
    """A scripted litellm: a text is embedded as its length, and every call uses a thousand tokens."""

    asked: list[list[str]] = field(default_factory=list)

    def embedding(self, **call: Any) -> Any:
        self.asked.append(call["input"])
        rows = [{"index": i, "embedding": [len(text), 1.0]} for i, text in enumerate(call["input"])]
        return SimpleNamespace(data=rows, usage=SimpleNamespace(prompt_tokens=1_000))


class Here:
    """A compute plane in this process."""

    name, slots = "here", 1

    def submit(self, fn: Callable[..., Any], *args: Any, resources: Any) -> Any:
        value = fn(*(a.result() if isinstance(a, SimpleNamespace) else a for a in args))
        return SimpleNamespace(ready=lambda: None, result=lambda: value, worked=None)


@pytest.fixture
def endpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Endpoint:
    found = Endpoint()
    (tmp_path / "solon.toml").write_text(MODELS)
    monkeypatch.setenv("SOLON_MODELS", str(tmp_path / "solon.toml"))
    monkeypatch.setattr(hosted, "load_litellm", lambda: found)
    return found


@pytest.fixture
def attempt(make_task: Callable[..., Path], tmp_path: Path) -> Callable[..., tuple[Attempt, list[dict[str, Any]]]]:
    """Make one attempt in this process; returns it with its account."""
    make_task(deliverables={"memo.md": "memo.md"}, instructions="State the rent. Should we sign? Output: `memo.md`.")

    def make(run: str = "r", **limits: Any) -> tuple[Attempt, list[dict[str, Any]]]:
        settings = load_settings({"home": tmp_path / "home", "prefect": "off"}, cwd=tmp_path, env={})
        cell = Cell(name="extractive", runtime="extractive", limits=Limits(**limits))
        plan = Plan(run, load_corpus(tmp_path / "corpus", settings.sealed), [cell], open_harness(settings))
        store = AttemptStore(settings.runs, run)
        context = RunContext.of(settings, store, Here(), judge="", detail="matter")  # type: ignore[arg-type]
        made = run_attempt(begin_attempt(plan.work()[0], plan, store, settings.cache), context)
        account = (store.path(made) / "spent.jsonl").read_text().splitlines()
        return made, [json.loads(line) for line in account]

    return make


def test_what_a_hosted_embedder_costs_is_the_attempts(endpoint: Endpoint, attempt: Callable[..., Any]) -> None:
    made, account = attempt()
    assert (made.outcome, made.usage.calls) == ("finished", len(endpoint.asked))
    assert made.usage.cost_usd == pytest.approx(PRICE * len(endpoint.asked))
    assert {(entry["kind"], entry["profile"]) for entry in account} == {("embeddings", "far")}


def test_a_second_attempt_replays_the_first_at_no_cost(endpoint: Endpoint, attempt: Callable[..., Any]) -> None:
    first, _ = attempt()
    calls = len(endpoint.asked)
    again, account = attempt("again")
    assert (again.outcome, again.words, len(endpoint.asked)) == ("finished", first.words, calls)
    assert again.usage.cost_usd == 0.0
    assert all(entry["replayed"] for entry in account)


@pytest.mark.parametrize("limits", [{"max_usd": PRICE / 2}, {"max_tokens": 999}])
def test_the_budget_of_the_cell_ends_an_attempt_that_only_embeds(
    endpoint: Endpoint, attempt: Callable[..., Any], limits: dict[str, float]
) -> None:
    made, _ = attempt(**limits)
    assert (made.outcome, len(endpoint.asked)) == ("budget", 1)
    assert made.failures[0].cause is FailureCause.BUDGET
    assert "1 embeddings" in made.failures[0].message
    assert (made.usage.calls, made.usage.cost_usd) == (1, pytest.approx(PRICE))  # a failed attempt keeps its cost
