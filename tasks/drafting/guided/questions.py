"""The narrow questions: how each is put, and how its reply is read. A silly reply is no answer, never an error."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from skills_repo.prompt_files import Prompts
from tasks.drafting.guided.asking import Asker
from tasks.drafting.guided.records import Choice, Conclusion, Following, Opinion, Shown, StatedValue
from tasks.drafting.guided.values import verified
from tasks.drafting.guided.weights import weights
from tasks.drafting.guided.working import NONE, OPERATIONS
from tasks.models.fencing import inert_text
from tasks.retrieval.provisions import Provision

_MOST = 4  # sentences that a reply names
_NO_QUESTION = "…"
_UNTOLD = 0.01  # what a number counts of which an endpoint that tells the ten likeliest words says nothing
_VALUE = 80  # characters of a value
_FIGURES = 6  # of one calculation
_FIGURE = 40  # characters of one
_VIEW = 300  # characters of a conclusion
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
_FOLLOWS = ("yes", "no", "unclear")
_IT_FOLLOWS: Mapping[str, Any] = MappingProxyType(
    {
        "type": "object",
        "additionalProperties": False,
        "required": ["answer", "sentences"],
        "properties": {"answer": {"type": "string", "enum": list(_FOLLOWS)}, "sentences": _NUMBERS},
    }
)
_WORK: Mapping[str, Any] = MappingProxyType(
    {
        "type": "object",
        "additionalProperties": False,
        "required": ["operation", "operands"],
        "properties": {
            "operation": {"type": "string", "enum": [*OPERATIONS, NONE]},
            "operands": {
                "type": "array",
                "maxItems": _FIGURES,
                "items": {
                    "type": "object",
                    "additionalProperties": False,
                    "required": ["sentence", "figure"],
                    "properties": {
                        "sentence": {"type": "integer"},
                        "figure": {"type": "string", "maxLength": _FIGURE},
                    },
                },
            },
        },
    }
)
_CONCLUDE: Mapping[str, Any] = MappingProxyType(
    {
        "type": "object",
        "additionalProperties": False,
        "required": ["conclusion", "sentences"],
        "properties": {"conclusion": {"type": "string", "maxLength": _VIEW}, "sentences": _NUMBERS},
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

    def bearing(self, words: str, given: Shown) -> Opinion:
        """Ask which sentences a lawyer must read to judge a matter; nothing is judged."""
        asked = self._prompts.guided_bearing.filled(question=inert_text(words), pitfalls=self._pitfalls)
        return self._there(given, asked)

    def value(self, topic: Provision, given: Shown) -> StatedValue | None:
        """Ask for the value of a provision and the sentence it stands in; None unless it stands there."""
        return self._value(self._prompts.guided_value.filled(topic=topic.name, means=topic.means), topic.answer, given)

    def choice(self, words: str, given: Shown, *, plain: bool = False) -> Choice | None:
        """Ask which one sentence answers a question best; None where it gave no answer that can be read.

        Args:
            words: The question.
            given: The sentences.
            plain: Whether it is asked a second time with no question, and what the model says whatever is asked is
                taken out (contextual calibration: Z. Zhao et al., 2021), where the endpoint gives log-probabilities.
        """
        said = self._choice(words, given)
        bare = self._choice(_NO_QUESTION, given) if plain and said is not None and self._asker.weighs else None
        if said is None or bare is None:
            return said
        pairs = zip([said.none, *said.weights], [bare.none, *bare.weights], strict=True)
        odds = [(asked + _UNTOLD) / (unasked + _UNTOLD) for asked, unasked in pairs]
        none, *each = (o / sum(odds) for o in odds)
        return Choice(each, none)

    def _choice(self, words: str, given: Shown) -> Choice | None:
        numbers = range(len(given.units) + 1)
        schema = {
            "type": "object",
            "additionalProperties": False,
            "required": ["sentence"],
            "properties": {"sentence": {"type": "integer", "enum": list(numbers)}},
        }
        asked = self._prompts.guided_choice.filled(question=inert_text(words))
        said, reply = self._asker.ask(self._messages(given, asked), schema)
        number = said.get("sentence")
        if not isinstance(number, int) or isinstance(number, bool) or number not in numbers:
            return None
        self._asker.read += 1
        none, *each = weights(reply, [str(n) for n in numbers], str(number))
        return Choice(each, none)

    def follows(self, words: str, given: Shown) -> Following | None:
        """Ask whether a yes or a no follows from sentences; None where it gave no answer that can be read."""
        asked = self._prompts.guided_follows.filled(question=inert_text(words))
        said, reply = self._asker.ask(self._messages(given, asked), _IT_FOLLOWS)
        answer = said.get("answer")
        if not isinstance(answer, str) or answer not in _FOLLOWS:
            return None
        self._asker.read += 1
        so = weights(reply, _FOLLOWS, answer)[_FOLLOWS.index(answer)]
        return Following(answer, so, given.chosen(_whole(said.get("sentences"))))

    def work(self, words: str, told: str, given: Shown) -> tuple[str, Sequence[tuple[int, str]]] | None:
        """Ask how an answer is worked out.

        Args:
            words: What is asked.
            told: The sentences of the client's request that state figures; may be empty.
            given: The sentences.

        Returns:
            The name of the operation and its figures, each with the number of its sentence (0: the request) and the
            words that the model copied; None where it names none.
        """
        operations = "; ".join(f"{name} ({takes})" for name, (takes, _) in OPERATIONS.items())
        asked = self._prompts.guided_work.filled(
            question=inert_text(words), told=inert_text(told), operations=operations
        )
        said, _ = self._asker.ask(self._messages(given, asked), _WORK)
        operation, named = said.get("operation"), said.get("operands")
        if not isinstance(operation, str) or not isinstance(named, list):
            return None
        self._asker.read += 1
        figures = [(one.get("sentence"), one.get("figure")) for one in named[:_FIGURES] if isinstance(one, dict)]
        sound = [(n, w[:_FIGURE]) for n, w in figures if type(n) is int and isinstance(w, str)]
        return (operation, sound) if operation in OPERATIONS and len(sound) == len(named) else None

    def view(self, words: str, given: Shown) -> Conclusion | None:
        """Ask what sentences suggest on a matter of judgment; None where the model concludes nothing."""
        asked = self._prompts.guided_view.filled(question=inert_text(words), pitfalls=self._pitfalls)
        said, _ = self._asker.ask(self._messages(given, asked), _CONCLUDE)
        conclusion = said.get("conclusion")
        if not isinstance(conclusion, str):
            return None
        self._asker.read += 1
        told = " ".join(inert_text(conclusion).split())
        units = given.chosen(_whole(said.get("sentences")))
        return Conclusion(told, units) if told and len(told) <= _VIEW and units else None

    def _value(self, asked: str, kind: str, given: Shown) -> StatedValue | None:
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
        whole = _whole(said.get("sentences"))
        named = given.chosen([order[n - 1] + 1 for n in whole if 1 <= n <= len(order)])
        so = self._asker.so(reply)
        return Opinion(_SAID[answer] if so is None else so, named)

    def _messages(self, given: Shown, question: str, order: Sequence[int] = ()) -> list[dict[str, Any]]:
        """Return what is asked; the passages are marked, for further questions about them begin alike."""
        turned = [given.texts[at] for at in order or range(len(given.texts))]
        numbered = "\n".join(f"[{i}] {text}" for i, text in enumerate(turned, start=1))
        code = hashlib.sha256(numbered.encode("utf-8", "surrogatepass")).hexdigest()[:12]
        passages = self._prompts.guided_passages.filled(
            document=inert_text(given.name or "several documents"), code=code, sentences=numbered, question=question
        )
        return [
            {"role": "system", "content": self._prompts.guided.filled()},
            {"role": "user", "content": passages, "cache": passages.rindex(f"--- {code}") + len(f"--- {code}")},
        ]


def _whole(numbers: object) -> list[int]:
    """Return the whole numbers of what a model gives as a list of numbers."""
    return [n for n in numbers if type(n) is int] if isinstance(numbers, list) else []
