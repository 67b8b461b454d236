"""Asks a model within the limits of the attempt, and stops asking when it cannot be reached."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tasks.drafting.calling import outcome_of
from tasks.drafting.extractive.transcript import Transcript
from tasks.drafting.guided.weights import plain
from tasks.drafting.records import Limits
from tasks.matter.failures import Failure, FailureCause, Outcome, SolonError
from tasks.models.client import ModelClient
from tasks.models.parsing import find_object
from tasks.models.records import Reply, Token

_PATIENCE = 2  # questions in a row that fail before no more are asked
_ONE_PASSAGE = FailureCause.CAPACITY  # what is too long for the window says nothing about the next question
_STEEPEST = 700.0  # ``exp`` of more overflows; the probability is 0 long before


@dataclass
class Asker:
    """Sends questions and keeps account of them.

    Attributes:
        client: The model; None where none can be asked.
        subject: The matter, for failures.
        asked: Questions sent, and ``read`` those whose reply could be read.
        failures: What went wrong.
        over: Whether no more is asked.
    """

    client: ModelClient | None
    limits: Limits
    log: Transcript
    subject: str
    began: float = field(default_factory=time.monotonic)
    asked: int = 0
    read: int = 0
    failures: list[Failure] = field(default_factory=list)
    over: bool = False
    _lost: int = 0

    @property
    def weighs(self) -> bool:
        """Tell whether the endpoint gives log-probabilities."""
        return self.client is not None and self.client.profile.logprobs > 0

    def so(self, reply: Reply) -> float | None:
        """Return how probable a yes is, by the log-probabilities of a reply and what is known of the model."""
        profile = self.client.profile if self.client is not None else None
        return probability(reply, profile.yes_bias, profile.yes_slope) if profile is not None else None

    @property
    def name(self) -> str:
        """Return the name of the model's profile."""
        return self.client.profile.name if self.client is not None else ""

    @property
    def outcome(self) -> Outcome:
        """Return how the asking ended: ``finished`` unless it had to stop."""
        return outcome_of(self.failures[-1:]) if self.over else "finished"

    def ask(
        self, messages: Sequence[Mapping[str, Any]], schema: Mapping[str, Any], role: str = ""
    ) -> tuple[dict[str, Any], Reply]:
        """Return the object that the model replies with and the reply; an empty one where there is none.

        Args:
            messages: What the model is sent.
            schema: Of its reply.
            role: On whose behalf it is asked, for the account; the client's own when empty.
        """
        if self.client is None or self.over or self._at_its_end():
            return {}, Reply()
        self.asked += 1
        try:
            client = replace(self.client, role=role) if role else self.client
            reply = client.complete(messages, schema, weighed=True)
        except SolonError as error:
            self._fail(error.failure)
            return {}, Reply()
        self._lost = 0
        self.log.reply(str(messages[-1]["content"]).rpartition("\n--- ")[2].partition("\n")[2].strip(), reply)
        return find_object(reply.text) or {}, reply

    def refuse(self, failure: Failure) -> None:
        """Ask nothing: the model cannot be called at all."""
        self.failures.append(failure)
        self.over = True

    def _at_its_end(self) -> bool:
        if self.asked >= self.limits.max_turns:
            self._stop(FailureCause.BUDGET, f"All {self.limits.max_turns} turns are used up.", "max_turns")
        elif time.monotonic() - self.began >= self.limits.wall_seconds:
            said = f"The wall time of {self.limits.wall_seconds:g} s is used up."
            self._stop(FailureCause.TIMEOUT, said, "wall_seconds")
        return self.over

    def _stop(self, cause: FailureCause, message: str, limit: str) -> None:
        remedy = f"Raise {limit} of the cell."
        self.refuse(Failure(cause=cause, stage="drafting", subject=self.subject, message=message, remedy=remedy))

    def _fail(self, failure: Failure) -> None:
        self.failures.append(failure)
        self.log.act("Ask the model.", "ask_model", {"model": self.name}, failure.line())
        if failure.cause is not _ONE_PASSAGE:
            self._lost += 1
            final = failure.cause not in (FailureCause.PROVIDER, FailureCause.TIMEOUT)
            self.over = final or self._lost >= _PATIENCE


def probability(reply: Reply, bias: float = 0.0, slope: float = 1.0) -> float | None:
    """Return the probability that a yes is right, where the model said yes or no; else None.

    Args:
        reply: A reply with the log-probabilities of its tokens.
        bias: Log-odds that the model gives to what is so as often as not.
        slope: How fast its log-odds become sure beyond that.
    """
    place = next((t for t in reply.tokens if plain(t.text) in ("yes", "no")), None)
    yes, no = (_mass(place, word) for word in ("yes", "no")) if place is not None else (0.0, 0.0)
    if not yes or not no:
        return None if yes == no else float(yes > no)
    return 1.0 / (1.0 + math.exp(min(_STEEPEST, slope * (bias - math.log(yes / no)))))


def _mass(token: Token, word: str) -> float:
    return sum(math.exp(min(0.0, weight)) for text, weight in token.likely.items() if plain(text) == word)
