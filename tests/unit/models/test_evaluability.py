"""The check whether a model can be evaluated, on models that are good, weak and bad in known ways."""

from __future__ import annotations

import itertools
import json
import re

import pytest

from flows.bench.faults.provider import ScriptedProvider, serving
from flows.cli import main
from tasks.matter.failures import FailureCause, SolonError
from tasks.matter.usage import Usage
from tasks.models.client import ModelClient
from tasks.models.evaluability import check_model
from tasks.models.profile import ModelProfile
from tasks.models.records import Reply, RetryableError, ToolCall, failed

PROFILE = ModelProfile(name="m", model="scripted", context_window=6_000, max_output_tokens=500, retries=4)
MONTHS = {"July": 7, "March": 3, "December": 12}


class Model:
    """A model that answers every probe rightly, but for what a test replaces, and fails some calls."""

    def __init__(self, fail_every=0, cause=FailureCause.PROVIDER, **replaced):
        self.replaced, self.fail_every, self.cause = replaced, fail_every, cause
        self.calls = itertools.count(1)
        self.longest = 0

    def send(self, profile, request):
        n, words = next(self.calls), request.messages[-1]["content"]
        self.longest = max(self.longest, len(words))
        if self.fail_every and n % self.fail_every == 0:
            kind = RetryableError if self.cause is FailureCause.PROVIDER else SolonError
            raise kind(failed(profile, self.cause, "no"))
        kind = "tool" if request.tools else "json" if request.schema else "context" if "lease" in words else "repeat"
        said = self.replaced.get(kind, getattr(self, kind))
        answer = said(words, n) if callable(said) else said
        made = answer if isinstance(answer, Reply) else Reply(text=answer)
        return made.model_copy(update={"usage": Usage(input_uncached=10, output=1, calls=1)})

    def repeat(self, words, n):
        return "An event beyond the control of the parties."

    def tool(self, words, n):
        section, document = re.search(r"Section (\S+) of the document (.+) is needed", words).groups()
        arguments = json.dumps({"document": document, "section": section})
        return Reply(tool_calls=[ToolCall(id="1", name="show_section", arguments=arguments)])

    def json(self, words, n):
        rent, month, day, year = re.search(r"\$([\d,]+) a month until (\w+) (\d+), (\d+)", words).groups()
        end = f"{year}-{MONTHS[month]:02}-{int(day):02}"
        value = {"rent": int(rent.replace(",", "")), "end": end, "consent": "may not assign" in words}
        return f"Here it is: {json.dumps(value)}"

    def context(self, words, n):
        return "48213-KQ" if "48213-KQ" in words else "?"


def check(model, profile=PROFILE, **more):
    return check_model(ModelClient(profile, transport=model, wait=lambda seconds: None), times=3, **more)


def states(found):
    return {probe.name: probe.state for probe in found.probes}


def test_a_good_model_can_be_evaluated():
    found = check(Model())
    assert set(states(found).values()) == {"ok"}
    assert (found.evaluable, found.verdict, found.calls) == (True, "can be evaluated", 10)
    assert found.usage.calls == 10


@pytest.mark.parametrize(
    ("model", "probe", "state", "evaluable", "words"),
    [
        (Model(repeat=lambda words, n: f"reply {n}"), "repeatability", "weak", True, "several epochs"),
        (Model(repeat=""), "repeatability", "failed", False, "3 never came"),
        (Model(tool="I would call show_section."), "tool calls", "failed", True, "not for runtimes that call tools"),
        (Model(tool=Reply(tool_calls=[ToolCall(id="1", name="show_section", arguments='{"docu')])),
         "tool calls", "failed", True, "not for runtimes that call tools"),
        (Model(json='{"rent": 1450, "end": "2028-07-31", "consent": true}'),
         "JSON by schema", "weak", True, "with care for runtimes that ask by schema"),
        (Model(json="{}"), "JSON by schema", "failed", True, "not for runtimes that ask by schema"),
        (Model(context="I do not know."), "context", "failed", False, "not found"),
        (Model(fail_every=3), "failures", "failed", False, "calls (4 provider)"),
        (Model(fail_every=9), "failures", "weak", True, "retries and a fallback"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told(model, probe, state, evaluable, words):
    found = check(model)
    assert states(found)[probe] == state
    assert found.evaluable is evaluable
    assert words in found.verdict


def test_a_refused_key_is_told_at_once():
    model = Model(fail_every=1, cause=FailureCause.LOGIN)
    with pytest.raises(SolonError):
        check(model)
    assert next(model.calls) == 2


def test_a_prompt_that_the_profile_says_fits_and_the_model_refuses_is_told():
    class Short(Model):
        def send(self, profile, request):
            if len(request.messages[-1]["content"]) > 2_000:
                raise SolonError(failed(profile, FailureCause.CAPACITY, "too long"))
            return super().send(profile, request)

    found = check(Short())
    assert states(found)["context"] == "failed"
    assert found.failures == {"capacity": 1}


def test_miscounted_tokens_are_told_with_the_factor_that_puts_them_right():
    class Fine(Model):
        def send(self, profile, request):
            counted = ModelClient(PROFILE).tokens_of(request.messages)
            usage = Usage(input_uncached=int(1.3 * counted), output=1, calls=1)
            return super().send(profile, request).model_copy(update={"usage": usage})

    told = next(p.found for p in check(Fine()).probes if p.name == "context")
    assert re.search(r"set tokens_factor = 1\.3\d?$", told)
    again = check(Fine(), PROFILE.model_copy(update={"tokens_factor": 1.31}))
    assert "tokens_factor" not in next(p.found for p in again.probes if p.name == "context")


def test_the_long_prompt_fills_the_window_or_stops_at_the_bound():
    whole, bounded = Model(), Model()
    check(whole)
    check(bounded, most_tokens=1_000)
    assert whole.longest > 0.8 * PROFILE.prompt_budget * 3.5
    assert 2_500 < bounded.longest < 3_600


@pytest.mark.slow
def test_the_command_says_it_in_a_table_and_by_its_code(tmp_path, monkeypatch, capsys):
    def answer(body):
        words = body["messages"][-1]["content"]
        kind = "tool" if body.get("tools") else "json" if body.get("response_format") else "repeat"
        kind = "context" if "lease.\n" in words else kind
        made = getattr(Model(), kind)(words, 1)
        if isinstance(made, str):
            return {"role": "assistant", "content": made}
        (call,) = made.tool_calls
        function = {"name": call.name, "arguments": call.arguments}
        return {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "1", "type": "function", "function": function}],
        }

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOLON_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("SOLON_MODELS", raising=False)
    with serving(ScriptedProvider(answer)) as provider:
        (tmp_path / "solon.toml").write_text(
            f'[models.near]\nmodel = "openai/x"\napi_base = "{provider.base}"\ncontext_window = 16384\n'
            'max_output_tokens = 512\n[routing.all]\namong = ["near"]\n'
        )
        assert main(["models", "check", "near", "--times", "2", "--tokens", "2000"]) == 0
        told = capsys.readouterr().out
        assert "ok     tool calls       3 of 3 right" in told
        assert told.rstrip().endswith("near (openai/x) can be evaluated")
        provider.rate, provider.faults = 1.0, ["500"]
        assert main(["models", "check", "near", "--times", "1", "--json"]) == 1
        assert json.loads(capsys.readouterr().out)["failures"] == {"provider": 24}
    assert main(["models", "list"]) == 0
    told = capsys.readouterr().out
    assert re.search(r"^near +chat +openai/x +http://127", told, re.MULTILINE)
    assert re.search(r"^route:all +route +among near", told, re.MULTILINE)
    assert main(["models", "check", "nobody"]) == main(["models", "check"]) == 2
