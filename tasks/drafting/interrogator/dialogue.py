"""The loop: the question that improves the report most, its answer, what it raises, until nothing is left to ask."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from tasks.asks.records import Ask, AskAnswer, AskState
from tasks.drafting.interrogator.desk import Respondent
from tasks.drafting.interrogator.policy import doubted, kept_open, next_need, opened, reason
from tasks.drafting.interrogator.records import Dialogue, Need, Origin, Stop, Turn
from tasks.retrieval.research.records import Answer


class Raises(Protocol):
    """Reads what an answer leaves to be asked."""

    def raised_by(self, ask: Ask, got: AskAnswer) -> list[Need]:
        """Return the questions that the answer to an ask raises, the weightiest first."""
        ...


class Advisor(Protocol):
    """May choose the next question, or find that the report is sufficient, once the asks themselves were put."""

    def choose(self, state: Dialogue, proposed: Need | None, asks: Sequence[Ask]) -> tuple[Need | None, Stop]:
        """Return the next question, or why there is none.

        Args:
            state: The interrogation so far.
            proposed: What the policy would ask; None where it has nothing left.
            asks: Those of the request.
        """
        ...


class NoAdvisor:
    """Asks what the policy proposes, to the end."""

    def choose(self, state: Dialogue, proposed: Need | None, asks: Sequence[Ask]) -> tuple[Need | None, Stop]:  # noqa: ARG002  (the form of the protocol)
        """Return what is proposed."""
        return proposed, "" if proposed else "sufficient"


@dataclass
class Interrogator:
    """Questions a respondent about the asks of one request.

    Attributes:
        turns: Questions that are asked at most.
        raised: Questions on what one answer out of one document raises.
        is_question: Tells whether words are a question.
        heard: Told of every turn as it ends.
    """

    asks: Sequence[Ask]
    respondent: Respondent
    raises: Raises
    turns: int
    raised: int
    is_question: Callable[[str], bool] = lambda words: words.rstrip().endswith("?")
    advisor: Advisor = field(default_factory=NoAdvisor)
    heard: Callable[[Turn], None] = lambda turn: None  # noqa: ARG005  (the form of a listener)
    client: str = ""
    law: str = ""

    def run(self) -> Dialogue:
        """Ask until the report is sufficient or the turns are used up."""
        state = Dialogue(open=opened(self.asks, self.client, self.law))
        while not state.stopped:
            state = self.step(state)
        return state

    def step(self, state: Dialogue) -> Dialogue:
        """Ask one question and take in its answer."""
        need = next_need(state)
        stop: Stop = ""
        if need is None or need.origin is not Origin.ASK:
            need, stop = self.advisor.choose(state, need, self.asks)
        if need is None:
            return state.model_copy(update={"stopped": stop or "sufficient"})
        if len(state.turns) >= self.turns:
            return state.model_copy(update={"stopped": "turns"})
        rest = tuple(n for n in state.open if n.key != need.key)
        return self._asked(state.model_copy(update={"open": rest}), need)

    def _asked(self, state: Dialogue, need: Need) -> Dialogue:
        ask = next(a for a in self.asks if a.ask_id == need.ask_id)
        before = state.claim_of(ask.ask_id)
        claim, said, new = self._answered(ask, need, before)
        kept = claim is not before or said.state == "answered"
        turn = Turn(number=len(state.turns) + 1, need=need, reason=reason(need), answer=said, kept=kept)
        self.heard(turn)
        claims = tuple(claim if c.ask_id == ask.ask_id else c for c in state.claims)
        claims = claims if before is not None else (*state.claims, claim)
        after = state.model_copy(update={"turns": (*state.turns, turn), "claims": claims})
        return after.model_copy(update={"open": kept_open(after, new, self.raised)})

    def _answered(self, ask: Ask, need: Need, before: AskAnswer | None) -> tuple[AskAnswer, Answer, list[Need]]:
        """Return the claim on an ask after a question, the answer to it, and what that raises."""
        if before is None:
            claim, said = self.respondent.claim(ask, need.question)
            return (
                claim,
                said,
                [*doubted(ask, claim, need.question, self.is_question), *self.raises.raised_by(ask, claim)],
            )
        if need.origin is Origin.DOUBT:
            claim, said = self.respondent.again(ask, before, need.question)
            changed = claim is not before and claim.state is AskState.ANSWERED
            return claim, said, self.raises.raised_by(ask, claim) if changed else []
        return before, self.respondent.answer(need, ask), []
