"""Small questions with known answers that tell whether a model can be evaluated, before a corpus is spent on it."""

from __future__ import annotations

import json
import math
import re
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

from tasks.matter.base import Record
from tasks.matter.failures import FailureCause, SolonError
from tasks.models.client import ModelClient
from tasks.models.parsing import find_object
from tasks.models.prompt_files import check_prompt
from tasks.models.records import Message, Reply

State = Literal["ok", "weak", "failed"]
_TRIES = 3  # of one question, so that a passing failure is counted and does not hide the answer
_FINAL = frozenset({FailureCause.LOGIN, FailureCause.INPUT, FailureCause.BUDGET})  # asking again cannot help
_SHOW = "show_section"
_TOOL: Mapping[str, Any] = MappingProxyType(
    {
        "type": "function",
        "function": {
            "name": _SHOW,
            "description": "Shows one section of a document.",
            "parameters": {
                "type": "object",
                "properties": {"document": {"type": "string"}, "section": {"type": "string"}},
                "required": ["document", "section"],
            },
        },
    }
)
_ASKED = (("lease.docx", "4.2"), ("guaranty.pdf", "7"), ("Side Letter.docx", "1(b)"))
_SCHEMA: Mapping[str, Any] = MappingProxyType(
    {
        "type": "object",
        "properties": {
            "rent": {"type": "number"},
            "end": {"type": "string", "maxLength": 10},
            "consent": {"type": "boolean"},
        },
        "required": ["rent", "end", "consent"],
        "additionalProperties": False,
    }
)
_CLAUSE = "Tenant shall pay {rent} a month until {end}. Tenant {consent} assign this Lease without Landlord's consent."
_CLAUSES = (
    ("$1,450", "July 31, 2028", "may not", {"rent": 1450, "end": "2028-07-31", "consent": True}),
    ("$980", "March 1, 2027", "may", {"rent": 980, "end": "2027-03-01", "consent": False}),
    ("$12,300", "December 15, 2030", "may not", {"rent": 12300, "end": "2030-12-15", "consent": True}),
)
_DUTY = "{n}. The parties shall perform duty number {n} in good faith, at their own expense and within thirty days.\n"
_NUMBER = "48213-KQ"
_NEEDLE = f"The registered file number of this lease is {_NUMBER}.\n"
_PLACE = 0.9  # of the text, where the number stands: near the end, where a window that is cut loses it
_MISCOUNTED = 1.05  # a tokenizer that is off by less costs no more than a twentieth of the window
_FULL = 0.95  # of the room for a prompt, because tokens are counted by another tokenizer than the model's


class Probe(Record):
    """What one question found.

    Attributes:
        state: ``ok``; ``weak`` where some use is open; ``failed``.
    """

    name: str
    state: State
    found: str


@dataclass
class Prober:
    """Asks, keeps the time, and counts what fails.

    Attributes:
        client: Of a profile without retries and fallbacks: here they would hide what is looked for.
        failures: Calls that failed, by cause.
        seconds: Of the calls that were answered.
    """

    client: ModelClient
    failures: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)

    def ask(self, words: str, **more: Any) -> Reply | None:
        """Return a reply that says something; None where no try gave one.

        Raises:
            SolonError: The key is refused, or the request is no good: no try would help.
        """
        messages: Sequence[Message] = [{"role": "user", "content": words}]
        for _ in range(_TRIES):
            began = time.monotonic()
            try:
                reply = self.client.complete(messages, **more)
            except SolonError as error:
                if error.failure.cause in _FINAL:
                    raise
                self.failures[error.failure.cause] += 1
                if error.failure.cause is FailureCause.CAPACITY:
                    return None
                continue
            if reply.text.strip() or reply.tool_calls:
                self.seconds.append(time.monotonic() - began)
                return reply
            self.failures["empty reply"] += 1
        return None

    @property
    def calls(self) -> int:
        """All calls, failed ones included."""
        return len(self.seconds) + sum(self.failures.values())


def repeats(prober: Prober, times: int) -> Probe:
    """Ask the same several times: at temperature 0 the answers should be one."""
    replies = [prober.ask(check_prompt("repeat")) for _ in range(times)]
    texts = Counter(reply.text.strip() for reply in replies if reply is not None)
    most = max(texts.values(), default=0)
    found = f"{most} of {times} replies alike"
    if sum(texts.values()) < times:
        return Probe(name="repeatability", state="failed", found=f"{found}, {times - sum(texts.values())} never came")
    return Probe(name="repeatability", state="ok" if most == times else "weak", found=found)


def calls_tools(prober: Prober) -> Probe:
    """Ask for a tool call with a right name and arguments that can be parsed."""
    right, said = 0, ""
    for document, section in _ASKED:
        reply = prober.ask(check_prompt("tool", document=document, section=section), tools=[_TOOL])
        made = [(call.name, _parsed(call.arguments)) for call in reply.tool_calls] if reply else []
        good = made == [(_SHOW, {"document": document, "section": section})]
        right += good
        if not good and reply:
            said = f"; e.g. {str(made or reply.text)[:80]!r}"
    return _of_three("tool calls", right, said)


def follows_schema(prober: Prober) -> Probe:
    """Ask for an object of a schema, with values that stand in the text."""
    right, said = 0, ""
    for rent, end, consent, wanted in _CLAUSES:
        clause = _CLAUSE.format(rent=rent, end=end, consent=consent)
        reply = prober.ask(check_prompt("json", clause=clause), schema=_SCHEMA)
        good = reply is not None and find_object(reply.text) == wanted
        right += good
        if not good and reply:
            said = f"; e.g. {reply.text[:80]!r}"
    return _of_three("JSON by schema", right, said)


def reads_to_the_end(prober: Prober, most: int) -> Probe:
    """Put a number near the end of a text as long as the profile says it may be, or as ``most`` tokens."""
    room = prober.client.prompt_budget
    wanted = int(min(room, most) * _FULL)
    words = _long(prober.client, wanted)
    tokens = prober.client.tokens_of([{"role": "user", "content": words}])
    reply = prober.ask(words)
    read = reply.usage.tokens - reply.usage.output if reply else 0
    found = f"about {tokens} tokens of {room} sent" + (f", {read} read" if read else "")
    if reply is None:
        return Probe(name="context", state="failed", found=f"{found}: no reply")
    right = re.sub(r"\W", "", _NUMBER) in re.sub(r"\W", "", reply.text.upper())
    said = "the number near the end was found" if right else f"not found: {reply.text[:60]!r}"
    said += _miscounted(read, tokens, prober.client.profile.tokens_factor)
    return Probe(name="context", state="ok" if right else "failed", found=f"{found}; {said}")


def _miscounted(read: int, counted: int, factor: float) -> str:
    """Return the advice for a profile whose tokens are miscounted so far that a full prompt may not fit."""
    right = math.ceil(100 * factor * read / counted) / 100
    return f"; set tokens_factor = {right:g}" if read > counted * _MISCOUNTED else ""


def _long(client: ModelClient, tokens: int) -> str:
    """Return the question over a lease of about so many tokens."""
    bare = client.tokens_of([{"role": "user", "content": check_prompt("context", lease=_NEEDLE)}])
    sample = "".join(_DUTY.format(n=n) for n in range(1000, 1100))
    each = client.tokens_of([{"role": "user", "content": sample}]) / 100
    number = max(1, int((tokens - bare) / each))
    duties = [_DUTY.format(n=n) for n in range(1000, 1000 + number)]
    duties.insert(int(number * _PLACE), _NEEDLE)
    return check_prompt("context", lease="".join(duties))


def _of_three(name: str, right: int, said: str) -> Probe:
    state: State = "ok" if right == len(_ASKED) else "weak" if right else "failed"
    return Probe(name=name, state=state, found=f"{right} of {len(_ASKED)} right{said}")


def _parsed(arguments: str) -> Any:
    try:
        return json.loads(arguments)
    except ValueError:
        return arguments
