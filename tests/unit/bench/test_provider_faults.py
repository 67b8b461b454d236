"""A provider that fails, under whole attempts: each ends with its right verdicts, and the account is the provider's."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from flows.bench.faults import provider as provider_module
from flows.bench.faults.corpus import write_corpus
from flows.bench.faults.provider import FAULTS, PRICES, ScriptedProvider, serving
from flows.bench.faults.solver import abstracted
from flows.corpus import run_corpus
from flows.matter import run_attempt
from flows.runs.attempts import AttemptStore
from flows.runs.cells import resolve_cell
from flows.runs.context import RunContext
from flows.runs.orders import Attempt
from flows.runs.plan import Plan, begin_attempt, open_harness
from flows.settings import Settings, load_settings
from tasks.judging.records import JudgeReport
from tasks.matter.failures import FailureCause, SolonError
from tasks.matter.loading import load_corpus
from tasks.models.access import ModelAccess
from tasks.models.flow import read_flow
from tasks.tracing.records import Trajectory

WANTED = {"C-001": "pass", "C-002": "pass", "C-003": "pass", "C-004": "unscored"}


class Here:
    """A compute plane in this process."""

    name, slots = "here", 1

    def submit(self, fn: Callable[..., Any], *args: Any, resources: Any) -> Any:
        value = fn(*(a.result() if isinstance(a, SimpleNamespace) else a for a in args))
        return SimpleNamespace(ready=lambda: None, result=lambda: value, worked=None)

    def preflight(self, wanted: Mapping[str, float]) -> None: ...

    def close(self) -> None: ...


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Settings]:
    """Settings over a small corpus, whose models a provider answers; no one waits between retries."""
    monkeypatch.setattr(provider_module, "_STALLED", 2.0)
    monkeypatch.setattr(ModelAccess, "wait", lambda self, seconds: None, raising=False)
    monkeypatch.setenv("SHAKY_KEY", "kurz-und-gut-1234")

    def configured(provider: ScriptedProvider, matters: int, **profile: Any) -> Settings:
        write_corpus(tmp_path / "corpus", matters, filler=2)
        fields = {"model": "openai/scripted", "api_base": provider.base, "api_key_env": "SHAKY_KEY", **profile}
        prices = f"{{ input_uncached = {PRICES.input_uncached}, cache_read = {PRICES.cache_read}, output = 15.0 }}"
        lines = [f"{k} = {str(v).lower() if isinstance(v, bool) else v!r}" for k, v in fields.items()]
        table = "\n".join(["[models.shaky]", *lines, f"prices = {prices}"])
        route = '[routing.any]\namong = ["shaky"]\n'
        (tmp_path / "solon.toml").write_text(f"{table}\n{route}")
        monkeypatch.setenv("SOLON_MODELS", str(tmp_path / "solon.toml"))
        return load_settings({"home": tmp_path / "home", "prefect": "off"}, cwd=tmp_path, env={})

    return configured


def attempts(settings: Settings, corpus: Path, cell: str) -> Iterator[tuple[Attempt, dict[str, str], Path]]:
    plan = Plan("r", load_corpus(corpus, settings.sealed), [resolve_cell(cell, settings)], open_harness(settings))
    store = AttemptStore(settings.runs, "r")
    context = RunContext.of(settings, store, Here(), judge="anchor", detail="matter")  # type: ignore[arg-type]
    for work in plan.work():
        made = run_attempt(begin_attempt(work, plan, store, settings.cache), context)
        report = JudgeReport.model_validate_json((store.path(made) / "judgement.json").read_bytes())
        yield made, {v.criterion_id: v.status for v in report.verdicts}, store.path(made)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("stream", "faults"), [(True, FAULTS), (False, ("dropped", "truncated", "stalled"))], ids=["stream", "plain"]
)
def test_each_way_to_fail_leaves_work_and_account_as_they_were(
    stream: bool, faults: tuple[str, ...], place: Callable[..., Settings], tmp_path: Path
) -> None:
    with serving(ScriptedProvider(abstracted, first=True, faults=faults)) as provider:
        settings = place(provider, len(faults), stream=stream, timeout_seconds=1.0)
        made = list(attempts(settings, tmp_path / "corpus", "api:route:any"))
    assert set(provider.met) == {*faults, "sound"}
    assert [verdicts for _, verdicts, _ in made] == [WANTED] * len(faults)
    assert {(a.outcome, a.routed) for a, _, _ in made} == {("finished", "shaky")}
    spent = [sum(getattr(a.usage, name) for a, _, _ in made) for name in ("input_uncached", "cache_read", "output")]
    assert spent == [provider.billed[name] for name in ("input", "cached", "output")]
    assert math.isclose(sum(a.usage.cost_usd for a, _, _ in made), provider.usd, abs_tol=1e-6)
    billed = provider.billed["cached"] * (PRICES.cache_read or 0.0) / 1e6
    trajectories = [Trajectory.model_validate_json((folder / "trajectory.json").read_bytes()) for _, _, folder in made]
    free = sum(t.measures.cached_reads_usd or 0.0 for t in trajectories if t.measures)
    assert math.isclose(free, billed, abs_tol=1e-6)  # what the bill of the paper leaves out, by the chosen profile
    for attempt, _, folder in made:
        assert attempt.usage_by_role == {"solver": attempt.usage}
        assert [entry.role for entry in read_flow(folder / "flow.jsonl")] == ["solver"]


@pytest.mark.slow
def test_an_agent_ends_its_matters_whatever_its_provider_does(place: Callable[..., Settings], tmp_path: Path) -> None:
    some = ("dropped", "truncated", "wrong tool", "loop")
    with serving(ScriptedProvider(abstracted, rate=0.3, faults=some, seed=3)) as provider:
        settings = place(provider, 3, stream=True)
        made = list(attempts(settings, tmp_path / "corpus", "basic:shaky"))
    assert provider.met.keys() & set(some)
    assert [(a.outcome, verdicts) for a, verdicts, _ in made] == [("finished", WANTED)] * 3
    assert math.isclose(sum(a.usage.cost_usd for a, _, _ in made), provider.usd, abs_tol=1e-6)
    assert sum(a.usage.calls for a, _, _ in made) == provider.billed["calls"]


@pytest.mark.slow
def test_a_refused_key_ends_the_run_and_nothing_is_scored(
    place: Callable[..., Settings], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("flows.corpus.open_from", lambda settings: Here())
    with serving(ScriptedProvider(abstracted, refuse=401)) as provider:
        settings = place(provider, 6)
        with pytest.raises(SolonError) as caught:
            run_corpus(tmp_path / "corpus", ["api:shaky"], settings, run_id="r", quiet=True)
        assert caught.value.failure.cause is FailureCause.LOGIN
        assert "SHAKY_KEY" in caught.value.failure.remedy
        ended = AttemptStore(settings.runs, "r").ended()
        assert len(provider.requests) == len(ended) < 6
        assert all(a.void and a.outcome == "failed" and a.passed == 0 and a.unscored == a.criteria for a in ended)
        plan = Plan("r", load_corpus(tmp_path / "corpus", settings.sealed), [ended[0].cell], open_harness(settings))
        assert len(plan.missing(ended)) == 6  # the same run id makes all of them
