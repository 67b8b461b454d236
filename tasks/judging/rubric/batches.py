"""Items asked in batches: as many in a call as fit, fewer where a reply does not answer all, one repair, then unscored.

What goes with a batch beside its criteria (canaries) is asked through :class:`Companions` and sits among the items
like any other; a batch whose companions were answered wrongly is void.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Protocol

from tasks.judging.prompt_files import Fault, retry_request
from tasks.judging.records import Vote
from tasks.judging.rubric.items import JudgedItem, Work, question, shuffled
from tasks.judging.rubric.replies import SCHEMA, Answer, read_reply
from tasks.judging.rubric.votes import shares
from tasks.matter.failures import FailureCause, SolonError
from tasks.matter.usage import Usage
from tasks.models.client import ModelClient
from tasks.models.recordings import request_key
from tasks.models.records import Message, Reply, Request

CHARS_PER_TOKEN = 3.0  # on the safe side for English legal text (about 4.3) and for tables (about 3)
TOKENS_OF_AN_ANSWER = 300  # three sentences, 40 words of quotation and their frame are about 180
_KEPT = 4000  # characters of a bad reply, for each criterion in question, that are shown to the judge again


class Companions(Protocol):
    """Items whose answers are known, sent with every batch."""

    def items(self, work: Work, batch: Sequence[JudgedItem]) -> Sequence[JudgedItem]:
        """Return the items that go with a batch (``work.item(...)`` makes them); their order does not matter."""
        ...

    def flaw(self, answers: Mapping[str, Answer | Fault]) -> str:
        """Say what is wrong with a batch by the answers to all its items, by id; empty where nothing is."""
        ...


@dataclass
class Batches:
    """Asks one model about the items of one work product.

    Attributes:
        size: Items in a call at most; halved where a reply does not answer all of them.
        seat, rung, round: What its votes are cast as.
    """

    client: ModelClient
    work: Work
    size: int
    companions: Companions | None = None
    seat: int = 0
    rung: int = 0
    round: int = 0
    _votes: dict[str, Vote] = field(default_factory=dict, init=False)
    _spent: dict[str, Usage] = field(default_factory=dict, init=False)

    def votes(self, items: Sequence[JudgedItem]) -> dict[str, Vote]:
        """Return one vote for each item by its id; whatever keeps the judge from a usable answer leaves it unscored.

        Raises:
            SolonError: The endpoint refuses the key: it ends the judging.
        """
        self.size = max(1, min(self.size, self.client.profile.max_output_tokens // TOKENS_OF_AN_ANSWER))
        waiting = deque(_parts(shuffled(items, self.round), self.size))
        while waiting:
            batch = waiting.popleft()
            if len(batch) > self.size:
                waiting.extendleft(reversed(_parts(batch, self.size)))
            elif again := self._ask(batch):
                self.size = max(1, len(batch) // 2)
                waiting.extendleft(reversed(_parts(again, self.size)))
        return {i: v.model_copy(update={"usage": self._spent.get(i, Usage())}) for i, v in self._votes.items()}

    def _ask(self, batch: Sequence[JudgedItem]) -> Sequence[JudgedItem]:
        """Ask about a batch; return the items that must be asked about again, in smaller ones."""
        more = self.companions.items(self.work, batch) if self.companions else ()
        asked = shuffled([*batch, *more], self.round)
        messages = question(self.work, asked)
        size = sum(len(m["content"]) for m in messages) / CHARS_PER_TOKEN
        if size > self.client.prompt_budget:
            return self._overflow(batch, size)
        reply = self._reply(messages, batch)
        if reply is None:
            return ()
        if isinstance(reply, SolonError):
            return self._smaller(batch) or self._unscored(batch, FailureCause.CAPACITY, reply.failure.message)
        answers = read_reply(reply.text, asked, self.work)
        if self.companions and (flaw := self.companions.flaw(answers)):
            return self._smaller(batch) or self._unscored(batch, FailureCause.JUDGE, flaw, self._key(messages))
        return self._take(batch, {i.id: answers[i.id] for i in batch}, messages, reply)

    def _take(
        self,
        batch: Sequence[JudgedItem],
        answers: Mapping[str, Answer | Fault],
        messages: list[dict[str, Any]],
        reply: Reply,
    ) -> Sequence[JudgedItem]:
        """Take what is usable; return what was not answered, and have the rest repaired."""
        call = self._key(messages)
        self._cast(answers, call)
        faults = {i: a for i, a in answers.items() if isinstance(a, Fault)}
        again = [i for i in batch if faults.get(i.id) is Fault.NO_ANSWER] if len(batch) > 1 else []
        bad = [i for i in batch if i.id in faults and i not in again]
        if bad:
            self._repair(bad, {i.id: faults[i.id] for i in bad}, messages, reply)
        return again

    def _repair(
        self, bad: Sequence[JudgedItem], faults: Mapping[str, Fault], messages: list[dict[str, Any]], reply: Reply
    ) -> None:
        """Ask once more about items, in the same conversation; what is then not usable stays unscored."""
        by_fault: dict[Fault, list[str]] = {}
        for item in bad:
            by_fault.setdefault(faults[item.id], []).append(item.id)
        told = [
            *messages,
            {"role": "assistant", "content": reply.text[: _KEPT * len(bad)]},
            {"role": "user", "content": retry_request(by_fault)},
        ]
        second = self._reply(told, bad)
        if isinstance(second, SolonError):
            self._unscored(bad, second.failure.cause, second.failure.message)
        elif second is not None:
            answers = read_reply(second.text, bad, self.work)
            call = self._key(told)
            self._cast(answers, call)
            for item in bad:
                if isinstance(left := answers[item.id], Fault):
                    self._unscored([item], FailureCause.JUDGE, f"No usable verdict in two tries: {left}.", call)

    def _reply(self, messages: list[dict[str, Any]], batch: Sequence[JudgedItem]) -> Reply | SolonError | None:
        """Return the reply to a call; the failure where the prompt was too long; None where the items are settled."""
        try:
            reply = self.client.complete(messages, schema=SCHEMA)
        except SolonError as error:
            if error.failure.cause is FailureCause.LOGIN:
                raise  # no later batch will do better
            if error.failure.cause is FailureCause.CAPACITY:
                return error
            self._unscored(batch, error.failure.cause, error.failure.message)
            return None
        for item, part in zip(batch, shares(reply.usage, len(batch)), strict=True):
            self._spent[item.id] = self._spent.get(item.id, Usage()) + part
        return reply

    def _overflow(self, batch: Sequence[JudgedItem], size: float) -> Sequence[JudgedItem]:
        window = self.client.prompt_budget
        message = f"The work product (about {size:.0f} tokens) does not fit the judge's context of {window}."
        return self._smaller(batch) or self._unscored(batch, FailureCause.CAPACITY, message)

    def _smaller(self, batch: Sequence[JudgedItem]) -> Sequence[JudgedItem]:
        return batch if len(batch) > 1 else ()

    def _cast(self, answers: Mapping[str, Answer | Fault], call: str) -> None:
        for i, answer in answers.items():
            if isinstance(answer, Answer):
                said = {"status": answer.verdict, "reasoning": answer.reasoning, "quote": answer.quote}
                self._votes[i] = self._vote(call, **said)

    def _unscored(
        self, batch: Sequence[JudgedItem], cause: FailureCause, message: str, call: str = ""
    ) -> Sequence[JudgedItem]:
        for item in batch:
            self._votes[item.id] = self._vote(call, status="unscored", reasoning=message, cause=cause)
        return ()

    def _vote(self, call: str, **said: Any) -> Vote:
        where = {"judge": self.client.profile.name, "seat": self.seat, "rung": self.rung, "round": self.round}
        return Vote.model_validate({**where, "call": call, **said})

    def _key(self, messages: Sequence[Message]) -> str:
        """Return the key under which the account and the information-flow log know a call."""
        return request_key(self.client.profile, Request(messages=messages, schema=SCHEMA), self.client.salt)


def _parts(items: Sequence[JudgedItem], most: int) -> list[Sequence[JudgedItem]]:
    """Divide items into as few parts as need be, of about the same size."""
    number = math.ceil(len(items) / most)
    edges = [round(n * len(items) / number) for n in range(number + 1)] if number else [0]
    return [items[a:b] for a, b in pairwise(edges)]
