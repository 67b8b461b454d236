"""What a model is told that fills a checklist from a case: whether each line of its prompts and each setting acts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Literal

from flows.bench.liveness.records import ALL, Leaf
from tasks.drafting.extraction.methods import extract
from tasks.drafting.extraction.records import Method
from tasks.harness import Harness
from tasks.legaltext.checklists.definition import open_checklist
from tasks.models.client import ModelClient
from tasks.models.profile import ModelProfile
from tasks.models.records import Reply, ToolCall
from tasks.models.transports.scripted import ScriptedModel

_ITEM = {"id": "judge", "title": "Judge", "asks": "Who decides."}
_SOUGHT = {"name": "small", "title": "Small", "alpha": 0.9}
_LIST = open_checklist({**_SOUGHT, "groups": [{"id": "court", "title": "Court", "items": [_ITEM]}]})
_CASE = {"order.txt": "".join(f"The judge gave order {n} on the motion that was made.\n" for n in range(4000))}
_SHORT = {"order.txt": "The judge gave an order.\n"}
# Another value of each setting, with which the scripted model is asked otherwise.
_CHANGED: tuple[tuple[str, Any], ...] = (
    ("read_most", 200),
    ("context_least", 400),
    ("context_most", 300),
    ("hits", 2),
    ("calls_whole", 1),
    ("calls_brief", 0),
    ("chunk", 2000),
    ("head", 0.1),
    ("tries", 1),
)


def told_to_an_agent(harness: Harness) -> str:
    """Return all that an agent is told that cuts off, stops early and goes in circles."""
    script = [Reply(text="cut", finish_reason="length"), "done", *[_call("list_documents")] * 8]
    return _sent(harness, "agent", script, _SHORT)


def told_without_tools(harness: Harness) -> str:
    """Return all that a model is told that reads the case whole, then in chunks; part of it does not fit."""
    read = partial(_sent, harness, script=["no JSON"] * 40)
    return (
        read("end_to_end", documents=_CASE, window=12_000)
        + read("chunks", documents=_SHORT)
        + read("chunks", documents=_SHORT, quotes="numbers")
    )


def extraction(harness: Harness, rows: slice = ALL) -> Iterator[Leaf]:
    """Change each setting of the extraction; a model must then be sent something else."""
    now = _work(harness)
    for name, value in _CHANGED[rows]:
        settings = harness.agent.extraction.model_copy(update={name: value})
        agent = harness.agent.model_copy(update={"extraction": settings})
        yield Leaf("extraction", name, _work(replace(harness, agent=agent)) != now)


def _work(harness: Harness) -> str:
    near, far = ({"pattern": "order 1?[05] ", "context_tokens": n} for n in (0, 9000))
    searches = [_call("search_document_regex", **given) for given in (near, far)]
    reads = [_call("read_document", doc_name="order.txt", start_token=n * 50) for n in range(6)]
    agent = _sent(harness, "agent", [*searches, *reads, "done", "done"], _CASE)
    return agent + told_without_tools(harness) + _sent(harness, "chunks", ["no JSON"] * 40, _CASE)


def _call(tool: str, **arguments: Any) -> Reply:
    return Reply(tool_calls=(ToolCall(id="", name=tool, arguments=json.dumps(arguments)),))


def _sent(
    harness: Harness,
    method: Method,
    script: Sequence[Any],
    documents: dict[str, str],
    window: int = 200_000,
    quotes: Literal["words", "numbers"] = "words",
) -> str:
    model = ScriptedModel(script)
    profile = ModelProfile(
        name="m", model="scripted", retries=0, context_window=window, max_output_tokens=500, quotes=quotes
    )
    extract(_LIST, documents, ModelClient(profile, transport=model), method=method, harness=harness)
    return "\n".join(str(message["content"]) for request in model.requests for message in request)
