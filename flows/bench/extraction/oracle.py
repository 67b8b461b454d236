"""A scripted model that is given the answers: it shows what the path of a method loses, and measures no model.

It answers what stands, word for word, in what it is shown; what a method does not show it, it does not say.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from flows.bench.extraction.corpus import Measured
from tasks.drafting.extraction.methods import extract
from tasks.drafting.extraction.records import Extraction, Method
from tasks.matter.usage import Usage
from tasks.models.client import ModelClient
from tasks.models.ledger import Ledger
from tasks.models.profile import SCRIPTED, ModelProfile
from tasks.models.records import Message, Reply, ToolCall
from tasks.models.tokens import CHARS_PER_TOKEN
from tasks.models.transports.scripted import ScriptedModel

_WINDOW = 1_000_000  # tokens; larger than any case, since the oracle measures the method and not the window
_Place = tuple[str, str, str, str]  # item, value, document, words
_A_CALL = 20  # values of one patch


def by_oracle(case: Measured, method: Method) -> Extraction:
    """Fill the checklist of a case by a method with a model that knows the answers."""
    oracle = _Oracle(case)
    script = oracle.act if method == "agent" else oracle.answer
    profile = ModelProfile(name="oracle", model=SCRIPTED, retries=0, context_window=_WINDOW)
    client = ModelClient(profile, transport=ScriptedModel(script), ledger=Ledger("oracle"), wait=lambda _: None)
    return extract(case.checklist, case.texts, client, method=method, parts="all")


@dataclass
class _Oracle:
    """The answers, and which of them were given."""

    case: Measured
    given: set[tuple[str, str]] = field(default_factory=set)

    def act(self, messages: Sequence[Message]) -> Reply:
        """Append the next values; without a call where all are given, which ends the work."""
        left = dict.fromkeys(place[:2] for place in self.case.places if place[:2] not in self.given)
        taken = set(list(left)[:_A_CALL])
        changes = self._changes([place for place in self.case.places if place[:2] in taken])
        usage = _usage(messages, str(changes))
        if not taken:
            return Reply(text="All that the papers say is on the checklist.", usage=usage, finish_reason="stop")
        patch = json.dumps({"patch": changes}, ensure_ascii=False)
        call = ToolCall(id=f"c{len(self.given)}", name="append_checklist", arguments=patch)
        return Reply(tool_calls=(call,), usage=usage)

    def answer(self, messages: Sequence[Message]) -> Reply:
        """Return every value that was not given whole and whose words are in the prompt: some of them, or all."""
        shown = str(messages[-1].get("content", ""))
        seen = [place for place in self.case.places if place[:2] not in self.given and place[3] in shown]
        told = {"reasoning": "", "append": self._changes(seen), "update": []}
        text = json.dumps(told, ensure_ascii=False)
        return Reply(text=text, usage=_usage(messages, text), finish_reason="stop")

    def _changes(self, places: Sequence[_Place]) -> list[dict[str, Any]]:
        """Return values with all words given for them; one whose words say all of it is not given again."""
        values: dict[tuple[str, str], list[dict[str, str]]] = {}
        for item, value, document, words in places:
            values.setdefault((item, value), []).append({"text": words, "source_document": document})
        items: dict[str, list[dict[str, Any]]] = {}
        for (item, value), evidence in values.items():
            items.setdefault(item, []).append({"value": value, "evidence": evidence})
            if len(evidence) == sum(place[:2] == (item, value) for place in self.case.places):
                self.given.add((item, value))
        return [{"key": item, "extracted": said} for item, said in items.items()]


def _usage(messages: Sequence[Message], said: str) -> Usage:
    """Return tokens reckoned by length: a script has no tokenizer."""
    asked = sum(len(str(message.get("content", ""))) for message in messages)
    return Usage(input_uncached=int(asked / CHARS_PER_TOKEN), output=int(len(said) / CHARS_PER_TOKEN), calls=1)
