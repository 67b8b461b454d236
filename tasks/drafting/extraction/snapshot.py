"""The snapshot of an agent: its messages are rebuilt from the state of the work at each step, and never grow."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from skills_repo.agent_settings import ExtractionSettings
from skills_repo.prompt_files import Prompts
from tasks.drafting.agent.tools.records import Shown
from tasks.drafting.extraction.asking import evidence_rule
from tasks.drafting.extraction.papers import Papers
from tasks.drafting.extraction.sheet import Sheet
from tasks.drafting.extraction.tools import catalogue
from tasks.drafting.fences import fence_code, fenced, one_line
from tasks.drafting.mechanisms.compaction import size_of
from tasks.drafting.mechanisms.records import Moment, Step
from tasks.drafting.trace import Trace
from tasks.models.client import ModelClient
from tasks.models.records import Reply, ToolCall

_BRIEF = 240  # characters of the arguments, and of the outcome, of a call that is told in a line
_CATALOGUE = 24_000  # characters
_LEAST_CATALOGUE = 1_200  # characters: the names of some twenty papers


@dataclass
class Past:
    """One call that was made.

    Attributes:
        result: What it showed; cut to its first line once it is no longer told whole.
    """

    turn: int
    tool: str
    arguments: str
    result: str
    failed: bool = False

    def brief(self) -> str:
        """Return it on one line."""
        outcome = one_line(self.result.partition("\n")[0])[:_BRIEF]
        return f"{self.turn}. {one_line(self.tool)} {one_line(self.arguments)[:_BRIEF]} -> {outcome}"


@dataclass
class Snapshot:
    """What one agent is told now. A :class:`~tasks.drafting.agent.conversation.Talk`, and the compaction of itself.

    Attributes:
        saved: Called when a step is done.
        past: The last calls, the oldest first.
        reviewed: Whether the agent was told to go through its empty items again.
    """

    name: ClassVar[str] = "snapshot"
    moment: ClassVar[Moment] = Moment.CONTEXT
    trace: Trace
    sheet: Sheet
    papers: Papers
    prompts: Prompts
    settings: ExtractionSettings
    saved: Callable[[], None]
    past: list[Past] = field(default_factory=list)
    reviewed: bool = False
    told: list[str] = field(default_factory=list)
    _shorter: list[dict[str, Any]] | None = None

    @property
    def messages(self) -> list[dict[str, Any]]:
        """Return the system message and the state as it is now."""
        return self._shorter or self._built(self.settings.calls_whole, self.settings.calls_brief, _CATALOGUE)

    def asked(self) -> list[dict[str, Any]]:
        """Return the messages. Only the first stays as it is, and is marked."""
        first, *rest = self.messages
        return [{**first, "cache": True}, *rest]

    def say(self, text: str) -> None:
        """Say something to the model, at the end of the next snapshot."""
        self.trace.told("user", text)
        self.told.append(text)
        self.saved()

    def replied(self, reply: Reply, calls: Sequence[ToolCall]) -> None:
        """Take the model's reply; what was said to it has been heard."""
        self.trace.assistant(reply.model_copy(update={"tool_calls": tuple(calls)}))
        self.told.clear()
        self._shorter = None
        if not calls:
            words = one_line(reply.text)[:_BRIEF] or "(nothing)"
            self._add(Past(self.trace.turn, "no call", "", f"said: {words}"))

    def shown(self, call: ToolCall, shown: Shown) -> None:
        """Answer a call."""
        served = [[span.document, span.start, span.end] for span in shown.served]
        self.trace.result(call.name, call.arguments, shown.text, shown.failed, served)
        self._add(Past(self.trace.turn, call.name, call.arguments, shown.text, shown.failed))

    def shortened(self, messages: list[dict[str, Any]]) -> None:
        """Send these messages at this step."""
        self._shorter = messages

    def compacted(self, messages: Sequence[Mapping[str, Any]], room: int) -> list[dict[str, Any]] | None:
        """Return a snapshot that fits: fewer calls whole, then fewer in brief, then a shorter catalogue."""
        if size_of(messages) <= room:
            return None
        made, whole, brief, listed = list(map(dict, messages)), self.settings.calls_whole, self.settings.calls_brief, 0
        while size_of(made) > room and (whole or brief or not listed):
            if whole > 1 or (whole and not brief):
                whole -= 1
            elif brief:
                brief //= 2
            else:
                listed = _LEAST_CATALOGUE
            made = self._built(whole, brief, listed or _CATALOGUE)
        return made if size_of(made) < size_of(messages) else None

    def measured(self, client: ModelClient, tools: Sequence[Mapping[str, Any]], budget: int) -> tuple[int, int]:
        """Return the tokens of the next request, and the characters that its messages may have within a budget."""
        messages = self.messages
        tokens, offered = client.tokens_of(messages), client.tokens_of((), tools)
        return tokens + offered, int(size_of(messages) * max(0, budget - offered) / max(1, tokens))

    def fixed(self, client: ModelClient, tools: Sequence[Mapping[str, Any]]) -> int:
        """Return the tokens of the state without any call."""
        return client.tokens_of(self._built(0, 0, _LEAST_CATALOGUE), tools)

    def steps(self) -> list[Step]:
        """Return the calls that are still known whole, as steps of a loop."""
        return [Step(p.turn, p.tool, _object(p.arguments), p.result, p.failed) for p in self._whole()]

    def kept(self) -> dict[str, Any]:
        """Return the state for a file."""
        past = [vars(one) for one in self.past]
        viewed = self.papers.served.spans()
        return {
            "sheet": self.sheet.kept(),
            "past": past,
            "viewed": viewed,
            "reviewed": self.reviewed,
            "told": self.told,
        }

    def resume(self, kept: Mapping[str, Any]) -> None:
        """Go on from a state."""
        self.sheet.resume(kept["sheet"])
        self.past = [Past(**one) for one in kept["past"]]
        self.reviewed, self.told = bool(kept["reviewed"]), list(kept["told"])
        for name, spans in kept["viewed"].items():
            self.papers.view(name, spans)

    def _whole(self) -> list[Past]:
        return self.past[-self.settings.calls_whole :]

    def _add(self, past: Past) -> None:
        self.past.append(past)
        del self.past[: -(self.settings.calls_whole + self.settings.calls_brief)]
        for old in self.past[: -self.settings.calls_whole]:
            old.result = old.result.partition("\n")[0]
        self._shorter = None
        self.saved()

    def _built(self, whole: int, brief: int, listed: int) -> list[dict[str, Any]]:
        latest = self.past[len(self.past) - min(whole, len(self.past)) :]
        before = self.past[: len(self.past) - len(latest)]
        shown = [f"{one_line(p.tool)} {one_line(p.arguments)[:_BRIEF]}\n{p.result}" for p in latest]
        recorded = self.sheet.summary()
        earlier = "\n".join(one.brief() for one in before[len(before) - min(brief, len(before)) :])
        code = fence_code([self.sheet.checklist.name, recorded, earlier, *shown])
        user = self.prompts.extract_snapshot.filled(
            title=self.sheet.checklist.title,
            definitions=self.sheet.definitions(),
            catalogue=catalogue(self.papers, listed),
            filled=fenced("RECORDED", recorded, code),
            earlier=fenced("CALLS", earlier, code) if earlier else "",
            code=code,
            latest="\n".join(fenced("CALL", text, code) for text in shown),
            told="\n\n".join(self.told),
        )
        return [
            {
                "role": "system",
                "content": self.prompts.extract_agent.filled(evidence=evidence_rule(self.prompts, self.papers)),
            },
            {"role": "user", "content": user.encode("utf-8", "replace").decode("utf-8")},
        ]


def _object(text: str) -> dict[str, Any]:
    """Return the arguments of a call as its step holds them."""
    try:
        value = json.loads(text or "{}")
    except (ValueError, RecursionError):
        value = None
    return value if isinstance(value, dict) else {"_raw": text}
