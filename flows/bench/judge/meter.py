"""A scripted judge that counts what it is sent, by the tokenizer of the models it stands in for."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tasks.matter.usage import Usage
from tasks.models.profile import ModelProfile
from tasks.models.records import Reply, Request
from tasks.models.tokens import count_message

TOKENIZER = ModelProfile(name="counted", model="gpt-4o")
READ_RATE = 0.1  # of the full price, for input that a provider has in its cache
_ITEM = re.compile(r"^\[([0-9a-f]+)\] (.+)\nHow to decide: (.+)$", re.MULTILINE)
_PASSAGE = re.compile("“(.+)”")
_FENCE = re.compile(r"<<<(\w+)\n(.*)\n\1>>>", re.DOTALL)
_WORD, _SENTENCE = 4, 3  # letters of a word that tells nothing, characters of a line that is no sentence


@dataclass
class TitleMeter:
    """Answers every item by the words of its title, whatever stands beside it; counts the tokens of each request.

    It passes a criterion where one sentence of the work product holds all words and figures of its title, or, where
    the criterion quotes a passage, that passage.

    Attributes:
        read: Tokens of prefixes that an earlier request of the same judging had too.
        input: All tokens of the requests.
    """

    calls: int = 0
    input: int = 0
    read: int = 0
    _prefixes: set[str] = field(default_factory=set)

    def send(self, profile: ModelProfile, request: Request) -> Reply:  # noqa: ARG002  (one model, one profile)
        """Answer and count. Implements ``Transport``."""
        self.calls += 1
        tokens = sum(count_message(TOKENIZER, _bare(m)) for m in request.messages)
        self.input += tokens
        self.read += self._known(request.messages)
        text = _answered(request.messages)
        return Reply(
            text=text, usage=Usage(input_uncached=tokens, output=len(text) // 4, calls=1), finish_reason="stop"
        )

    @property
    def cached(self) -> float:
        """The same input in tokens at the full price, where a provider keeps the marked prefix."""
        return self.input - (1 - READ_RATE) * self.read

    def _known(self, messages: Sequence[Mapping[str, Any]]) -> int:
        """Return the tokens up to the mark, where they were sent before."""
        system, user = messages[0], messages[1]
        prefix = user["content"][: user["cache"]]
        if prefix not in self._prefixes:
            self._prefixes.add(prefix)
            return 0
        return count_message(TOKENIZER, _bare(system)) + count_message(TOKENIZER, {**_bare(user), "content": prefix})


def _bare(message: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in message.items() if name != "cache"}


def _answered(messages: Sequence[Mapping[str, Any]]) -> str:
    asked = messages[1]["content"]
    fenced = _FENCE.search(asked)
    assert fenced is not None, "the question has no fence"
    sentences = re.split(r"(?<=[.:])\s+|\n", fenced[2])
    folded = [(set(re.findall(r"\w+", s.lower())), s) for s in sentences]
    items = _ITEM.findall(asked[messages[1]["cache"] :])
    return json.dumps({"verdicts": [_verdict(i, title, rule, fenced[2], folded) for i, title, rule in items]})


def _verdict(item: str, title: str, rule: str, work: str, sentences: Sequence[tuple[set[str], str]]) -> dict[str, str]:
    passage = _PASSAGE.search(rule)
    wanted = {w for w in re.findall(r"\w+", title.lower()) if w.isdigit() or len(w) > _WORD} - {"states", "notice"}
    if passage:
        found = passage[1] if passage[1] in work else ""
    else:
        found = next((s for words, s in sentences if wanted <= words and len(s) > _SENTENCE), "")
    said = f"One sentence says it: {title}." if found else f"No sentence says it: {title}."
    quote = " ".join(found.split()[:40])
    return {"id": item, "reasoning": said, "verdict": "pass" if found else "fail", "quote": quote}
