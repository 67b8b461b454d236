"""Tokens are counted offline, before they are paid for."""

import pytest

from tasks.models import client as client_module
from tasks.models.client import ModelClient
from tasks.models.profile import ModelProfile

LOCAL = ModelProfile(name="local", model="openai/local", api_base="http://127.0.0.1:9/v1")
TOOLS = [{"type": "function", "function": {"name": "read", "description": "Reads.", "parameters": {"type": "object"}}}]
ASK = [{"role": "system", "content": "Read the lease."}, {"role": "user", "content": "When does the term end? " * 100}]


def test_the_tokenizer_counts_words_and_not_characters():
    asked = ModelClient(LOCAL)
    assert 600 < asked.tokens_of(ASK) < 700
    assert asked.tokens_of([{"role": "user", "content": "x" * 2400}]) < 450


def test_tools_and_calls_are_counted():
    asked = ModelClient(LOCAL)
    call = {"id": "a", "type": "function", "function": {"name": "read", "arguments": '{"path": "lease.docx"}'}}
    called = [{"role": "assistant", "content": None, "tool_calls": [call]}]
    assert asked.tokens_of(ASK, TOOLS) > asked.tokens_of(ASK) + 10
    assert asked.tokens_of(called) > 8


def test_a_message_of_a_growing_history_is_counted_once(monkeypatch):
    counted = []
    monkeypatch.setattr(client_module, "count_message", lambda profile, message: counted.append(message) or 7)
    asked = ModelClient(LOCAL)
    assert asked.tokens_of(ASK) == 14
    assert asked.within(5.0).tokens_of([*ASK, {"role": "user", "content": "Go on."}]) == 21
    assert len(counted) == 3


@pytest.mark.parametrize(
    "content", ["\ud800 broken", "<|endoftext|>" * 3, None, [{"type": "text", "text": "lease"}], {"odd": 1}, 5, ""]
)
def test_whatever_a_message_holds_is_counted(content):
    assert ModelClient(LOCAL).tokens_of([{"role": "tool", "content": content}]) > 0


def test_the_profile_says_where_the_models_own_tokenizer_makes_more_of_a_text():
    more = LOCAL.model_copy(update={"tokens_factor": 1.2})
    assert ModelClient(more).tokens_of(ASK) == pytest.approx(1.2 * ModelClient(LOCAL).tokens_of(ASK), abs=1)
    assert more.digest != LOCAL.digest == LOCAL.model_copy(update={"tokens_factor": 1.0}).digest


def test_a_scripted_model_is_counted_by_length():
    scripted = ModelClient(ModelProfile(name="s", model="scripted"))
    assert 600 < scripted.tokens_of(ASK) < 800
