"""One narrow question to a model: fenced data, an answer in a given form, one repair, then no answer."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final, TypeVar

from skills_repo.template import PromptTemplate, load_templates
from tasks.matter.base import content_hash
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.usage import Usage
from tasks.models.client import ModelClient
from tasks.models.parsing import find_objects

_THINKING = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_SLOTS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "examiner": (),
        "extract": ("asks", "code", "evidence", "form", "title", "work"),
        "words": (),
        "numbers": (),
        "relation": ("asks", "candidate", "code", "reference", "title"),
        "match": ("asks", "candidate", "code", "reference", "title"),
        "facts": ("code", "passages"),
        "style": ("aspects", "candidate", "code", "marks", "reference"),
        "again": ("fault",),
    }
)
_TRIES: Final = 2
Answer = TypeVar("Answer")


class UnusableError(ValueError):
    """An answer that is not in the form that was asked for. The message is said to the model."""


@dataclass
class Examiner:
    """Asks one model profile.

    Attributes:
        usage: What all its calls cost.
    """

    client: ModelClient
    usage: Usage = field(default_factory=Usage)

    def ask(
        self,
        prompt: str,
        schema: Mapping[str, Any],
        read: Callable[[Mapping[str, Any]], Answer],
        shared: str = "",
        **slots: str,
    ) -> Answer:
        """Return what a prompt was answered.

        Args:
            prompt: Its name.
            schema: JSON schema of the answer; its required keys tell an answer from other JSON.
            read: Reads the answer; raises ``UnusableError`` where it will not do.
            shared: Text of a slot that ends the part that other questions share.
            slots: What fills the prompt; all of it is data.

        Raises:
            SolonError: The model failed, or gave no usable answer in two tries (cause ``judge``).
        """
        text = prompts()[prompt].filled(code=_code(slots, shared), **slots)
        question: dict[str, Any] = {"role": "user", "content": text}
        if shared:
            question["cache"] = text.index(shared) + len(shared)
        messages: list[dict[str, Any]] = [{"role": "system", "content": prompts()["examiner"].filled()}, question]
        self._fits(messages)
        fault = ""
        for _ in range(_TRIES):
            reply = self.client.complete(messages, schema=schema)
            self.usage = self.usage + reply.usage
            try:
                return read(_only_answer(reply.text, schema["required"]))
            except UnusableError as error:
                fault = str(error)
            again = {"role": "user", "content": prompts()["again"].filled(fault=fault)}
            messages = [*messages, {"role": "assistant", "content": reply.text[:4_000]}, again]
        raise self._failed(FailureCause.JUDGE, f"No usable answer in two tries: {fault}.")

    def _fits(self, messages: list[dict[str, Any]]) -> None:
        size, room = self.client.tokens_of(messages), self.client.prompt_budget
        if size > room:
            message = f"The question (about {size} tokens) does not fit the model's context of {room}."
            raise self._failed(FailureCause.CAPACITY, message)

    def _failed(self, cause: FailureCause, message: str) -> SolonError:
        return SolonError(Failure(cause=cause, stage="judging", subject=self.client.profile.name, message=message))


@lru_cache(maxsize=1)
def prompts() -> Mapping[str, PromptTemplate]:
    """Return the prompts by file name."""
    return MappingProxyType(load_templates(files("tasks.judging.checklist").joinpath("prompts"), _SLOTS))


def prompts_version() -> str:
    """Return the content hash of the prompts (12 hex digits): other prompts make another judge."""
    return content_hash({name: prompt.text for name, prompt in prompts().items()})[:12]


def _code(slots: Mapping[str, str], shared: str) -> str:
    """Return a code that the data cannot hold by design: it hangs on every byte of what is fenced.

    Where questions share a text, it hangs on that alone: the code stands before it, and another would end the sharing.
    """
    data = json.dumps(slots, sort_keys=True)
    codes = (content_hash([turn, shared or data])[:20] for turn in range(100))
    return next(code for code in codes if code not in data)


def _only_answer(text: str, keys: list[str]) -> Mapping[str, Any]:
    """Return the answer of a reply. One that repeats JSON of the data beside its own answer gives none."""
    found = [o for o in find_objects(_THINKING.sub("", text)) if set(keys) <= set(o)]
    if not found:
        raise UnusableError(f"it holds no JSON object with {' and '.join(keys)}")
    if any(one != found[0] for one in found):
        raise UnusableError("it holds several answers that differ")
    return found[0]
