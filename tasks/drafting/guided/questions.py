"""The narrow questions: how each is put, and how its reply is read. A silly reply is no answer, never an error."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from skills_repo.prompt_files import Prompts
from tasks.drafting.guided.asking import Asker
from tasks.drafting.guided.records import Opinion, Shown, Value
from tasks.drafting.guided.values import verified
from tasks.models.fencing import inert_text
from tasks.retrieval.provisions import Provision

_MOST = 4  # sentences that a reply names
_VALUE = 80  # characters of a value
_NUMBERS = {"type": "array", "items": {"type": "integer"}, "maxItems": _MOST}
_THERE: Mapping[str, Any] = MappingProxyType(
    {
        "type": "object",
        "additionalProperties": False,
        "required": ["answer", "sentences"],
        "properties": {"answer": {"type": "string", "enum": ["yes", "no"]}, "sentences": _NUMBERS},
    }
)
_WHAT: Mapping[str, Any] = MappingProxyType(
    {
        "type": "object",
        "additionalProperties": False,
        "required": ["sentence", "value"],
        "properties": {"sentence": {"type": "integer"}, "value": {"type": "string", "maxLength": _VALUE}},
    }
)
_SAID = MappingProxyType({"yes": 1.0, "no": 0.0})


class Questioner:
    """Puts questions about one set of sentences after the other; those about the same share their prefix."""

    def __init__(self, asker: Asker, prompts: Prompts, pitfalls: str = "") -> None:
        """Take who asks, the prompts of the harness, and what goes wrong in matters of this class."""
        self._asker, self._prompts, self._pitfalls = asker, prompts, pitfalls

    def provision(self, topic: Provision, given: Shown) -> Opinion:
        """Ask whether a provision of the catalogue stands in the sentences, and in which."""
        names = ", ".join(topic.aliases[:2])
        return self._there(
            given, self._prompts.guided_provision.filled(topic=topic.name, names=names, means=topic.means)
        )

    def answers(self, words: str, given: Shown) -> Opinion:
        """Ask whether sentences answer a question, and which."""
        return self._there(given, self._prompts.guided_answers.filled(question=inert_text(words)))

    def bearing(self, words: str, given: Shown) -> Opinion:
        """Ask which sentences a lawyer must read to judge a matter; nothing is judged."""
        asked = self._prompts.guided_bearing.filled(question=inert_text(words), pitfalls=self._pitfalls)
        return self._there(given, asked)

    def value(self, topic: Provision, given: Shown) -> Value | None:
        """Ask for the value of a provision and the sentence it stands in; None unless it stands there."""
        return self._value(self._prompts.guided_value.filled(topic=topic.name, means=topic.means), topic.answer, given)

    def wanted(self, words: str, want: str, given: Shown) -> Value | None:
        """Ask for the value that answers a question and the sentence it stands in; None unless it stands there."""
        return self._value(self._prompts.guided_wanted.filled(question=inert_text(words)), want, given)

    def _value(self, asked: str, kind: str, given: Shown) -> Value | None:
        said, _ = self._asker.ask(self._messages(given, asked), _WHAT)
        number, words = said.get("sentence"), said.get("value")
        if not isinstance(number, int) or isinstance(number, bool) or not isinstance(words, str):
            return None
        self._asker.read += 1
        units = given.chosen([number])
        return verified(words[:_VALUE], kind, units[0], given.reading_of(units[0])) if units else None

    def _there(self, given: Shown, question: str) -> Opinion:
        """Ask once where the endpoint weighs its words, else a second time with the sentences turned round."""
        first = self._once(given, question, range(len(given.units)))
        if first.so is None or self._asker.weighs or len(given.units) == 1:
            return first
        second = self._once(given, question, range(len(given.units) - 1, -1, -1))
        if second.so is None:
            return first
        both = tuple(u for u in first.units if u in second.units)
        return Opinion((first.so + second.so) / 2, both or first.units)

    def _once(self, given: Shown, question: str, order: Sequence[int]) -> Opinion:
        said, reply = self._asker.ask(self._messages(given, question, order), _THERE)
        answer = str(said.get("answer", "")).strip().lower()
        if answer not in _SAID:
            return Opinion()
        self._asker.read += 1
        numbers = said.get("sentences")
        whole = (
            [n for n in numbers if isinstance(n, int) and not isinstance(n, bool)] if isinstance(numbers, list) else []
        )
        named = given.chosen([order[n - 1] + 1 for n in whole if 1 <= n <= len(order)])
        so = self._asker.so(reply)
        return Opinion(_SAID[answer] if so is None else so, named)

    def _messages(self, given: Shown, question: str, order: Sequence[int] = ()) -> list[dict[str, str]]:
        turned = [given.texts[at] for at in order or range(len(given.texts))]
        numbered = "\n".join(f"[{i}] {text}" for i, text in enumerate(turned, start=1))
        code = hashlib.sha256(numbered.encode("utf-8", "surrogatepass")).hexdigest()[:12]
        passages = self._prompts.guided_passages.filled(
            document=inert_text(given.name or "several documents"), code=code, sentences=numbered, question=question
        )
        return [
            {"role": "system", "content": self._prompts.guided.filled()},
            {"role": "user", "content": passages},
        ]
