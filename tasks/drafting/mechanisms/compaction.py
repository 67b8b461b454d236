"""A history that no longer fits is shortened: old results first, then old texts that were written, then old turns."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from skills_repo.mechanism_settings import CompactionSetting
from skills_repo.template import PromptTemplate
from tasks.drafting.mechanisms.records import Moment

Message = Mapping[str, Any]
Turn = list[dict[str, Any]]


@dataclass(frozen=True)
class HistoryCompaction:
    """Keeps the system message, the brief and the last turns whole; a call and its results stay together."""

    name: ClassVar[str] = "compaction"
    moment: ClassVar[Moment] = Moment.CONTEXT
    setting: CompactionSetting

    def compacted(self, messages: Sequence[Message], room: int) -> list[dict[str, Any]] | None:
        """Return messages that fit the set share of the room, or are as short as possible; None if nothing can be cut.

        Args:
            messages: In the OpenAI form.
            room: Characters that the messages may have.
        """
        if size_of(messages) <= self.setting.begins_at * room:
            return None
        head, turns = parted(messages)
        wanted, made = int(self.setting.ends_at * room), list(map(dict, messages))
        for whole in range(self.setting.turns_whole, 0, -1):  # fewer turns stay whole where they alone are too long
            left = turns
            for shorten in (self._results_elided, self._writings_elided, self._turns_dropped):
                left = shorten(head, left, wanted, whole)
            made = [*head, *(m for turn in left for m in turn)]
            if size_of(made) <= room:
                break
        if size_of(made) > room:  # of the last turn what it wrote can go, not its results: nobody has seen them yet
            head, turns = parted(made)
            made = [*head, *(m for turn in self._writings_elided(head, turns, wanted, 0) for m in turn)]
        return made if size_of(made) < size_of(messages) else None

    def _results_elided(self, head: Turn, turns: list[Turn], wanted: int, whole: int) -> list[Turn]:
        """Replace the results of old turns by how to get them again, the oldest first."""
        made = [list(turn) for turn in turns]
        for turn in made[:-whole]:
            calls = {c["id"]: c for m in turn for c in m.get("tool_calls") or ()}
            for at, message in enumerate(turn):
                if size_of([*head, *(m for t in made for m in t)]) <= wanted:
                    return made
                if message.get("role") == "tool" and len(said(message)) > self.setting.result_least:
                    turn[at] = {**message, "content": self._instead(message, calls)}
        return made

    def _instead(self, message: Message, calls: Mapping[str, Any]) -> str:
        function = calls.get(message.get("tool_call_id", ""), {}).get("function", {})
        call = f"{function.get('name', 'the tool')} {str(function.get('arguments', ''))[:300]}".strip()
        return PromptTemplate(self.setting.elided).filled(characters=f"{len(said(message)):,}", call=call)

    def _writings_elided(self, head: Turn, turns: list[Turn], wanted: int, whole: int) -> list[Turn]:
        """Replace long texts of old replies, and in the arguments of their calls: what was written lies in its file."""
        made = [list(turn) for turn in turns]
        for turn in made[: len(made) - whole]:
            for at, message in enumerate(turn):
                if size_of([*head, *(m for t in made for m in t)]) <= wanted:
                    return made
                if message.get("role") == "assistant":
                    turn[at] = self._spoken_less(message)
        return made

    def _spoken_less(self, message: Message) -> dict[str, Any]:
        """Return a reply without its long texts; of what it said beside its calls, how it began and ended stays."""
        made, text, end = dict(message), said(message), self.setting.result_least // 4
        if len(text) > self.setting.result_least:
            note = PromptTemplate(self.setting.told).filled(characters=f"{len(text) - 2 * end:,}")
            made["content"] = f"{text[:end]}\n{note}\n{text[-end:]}"
        if message.get("tool_calls"):
            made["tool_calls"] = [self._shortened(c) for c in message["tool_calls"]]
        return made if size_of([made]) < size_of([message]) else dict(message)

    def _shortened(self, call: Mapping[str, Any]) -> dict[str, Any]:
        function = call.get("function", {})
        try:
            given = json.loads(function.get("arguments") or "{}")
        except ValueError:
            return dict(call)
        if not isinstance(given, dict):
            return dict(call)
        least = self.setting.result_least
        kept = {
            k: PromptTemplate(self.setting.written).filled(characters=f"{len(v):,}")
            if isinstance(v, str) and len(v) > least
            else v
            for k, v in given.items()
        }
        return {**call, "function": {**function, "arguments": json.dumps(kept, ensure_ascii=False)}}

    def _turns_dropped(self, head: Turn, turns: list[Turn], wanted: int, whole: int) -> list[Turn]:
        """Leave out whole turns, the oldest first, and say how many."""
        left = list(turns)
        while len(left) > whole and size_of([*head, *(m for t in left for m in t)]) > wanted:
            left.pop(0)
        gone = len(turns) - len(left)
        if not gone:
            return turns
        note = PromptTemplate(self.setting.dropped).filled(turns=str(gone))
        return [[{"role": "user", "content": note}], *left]


def parted(messages: Sequence[Message]) -> tuple[Turn, list[Turn]]:
    """Return the messages before the first reply, and the turns: a reply each, with all that answers it."""
    head: Turn = []
    turns: list[Turn] = []
    for message in map(dict, messages):
        if message.get("role") == "assistant":
            turns.append([message])
        elif turns:
            turns[-1].append(message)
        else:
            head.append(message)
    return head, turns


def size_of(messages: Sequence[Message]) -> int:
    """Return how many characters messages have, the calls of tools among them."""
    return sum(len(part) for message in messages for part in _parts(message))


def said(message: Message) -> str:
    """Return the text of a message."""
    content = message.get("content")
    return content if isinstance(content, str) else json.dumps(content, ensure_ascii=False) if content else ""


def _parts(message: Message) -> Iterator[str]:
    yield said(message)
    for call in message.get("tool_calls") or ():
        function = call.get("function", {})
        yield str(function.get("name", ""))
        yield str(function.get("arguments", ""))
