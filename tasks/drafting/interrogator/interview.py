"""The interrogation of one room, as the craft by which its draft is made: answers, what they depend on, the report."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from tasks.asks.records import Ask, AskAnswer, AskKind, AskState, Entry
from tasks.drafting.extractive.render.plan import Craft
from tasks.drafting.extractive.render.ties import Ties
from tasks.drafting.extractive.render.told import Told
from tasks.drafting.extractive.room import NoSecondReader, Room, SecondReader
from tasks.drafting.extractive.signature import Signature
from tasks.drafting.extractive.transcript import Transcript
from tasks.drafting.interrogator.desk import PaperDesk
from tasks.drafting.interrogator.dialogue import Advisor, Interrogator, NoAdvisor
from tasks.drafting.interrogator.raising import Raiser
from tasks.drafting.interrogator.records import Dialogue, Turn
from tasks.drafting.interrogator.report import report, ties_of
from tasks.drafting.records import DraftJob
from tasks.models.client import ModelClient
from tasks.retrieval.graph.graph import Graph, build_graph
from tasks.retrieval.records import Skeleton
from tasks.retrieval.research.records import Researcher
from tasks.retrieval.research.researcher import open_researcher

_SHOWN = 200  # characters of an answer in the trace


@dataclass
class Interview:
    """One interrogation and the report on it.

    Attributes:
        second: Reviews every answer of the rules; a model, where one is asked.
        advisor: Chooses the next question; a model, where one is asked.
        researcher: Answers what the rules leave open; the house's own when None.
        model: Phrases what that researcher found, where one is asked.
        graph: References of the papers; built when None.
        client, law: For whom, and under which law, where that is known.
        heard: Told of every turn.
        dialogue: What was asked and said, once the asks are answered.
    """

    second: SecondReader = field(default_factory=NoSecondReader)
    advisor: Advisor = field(default_factory=NoAdvisor)
    researcher: Researcher | None = None
    model: ModelClient | None = None
    graph: Graph | None = None
    client: str = ""
    law: str = ""
    heard: Callable[[Turn], None] = lambda turn: None  # noqa: ARG005  (the form of a listener)
    dialogue: Dialogue = field(default_factory=Dialogue)

    @property
    def craft(self) -> Craft:
        """Return how a draft is made of this interrogation."""
        return Craft(_Signing(self), self.answer, self.ties, self.write, "report")

    def answer(self, room: Room) -> tuple[AskAnswer, ...]:
        """Question the room until every ask is settled; return what is claimed of each."""
        job = room.job
        graph = self.graph or build_graph(job.texts, {name: job.index.clauses(name) for name in job.texts})
        researcher = self.researcher or open_researcher(job.index, job.texts, job.harness, model=self.model)
        asks = [a for a in job.asks.asks if a.kind is not AskKind.CONSTRAINT]

        def heard(turn: Turn) -> None:
            _trace(room.log, turn)
            self.heard(turn)

        self.dialogue = Interrogator(
            asks=asks,
            respondent=PaperDesk(room, researcher),
            raises=Raiser(room.readings, graph, room.knowledge),
            turns=room.settings.interrogator_turns,
            raised=room.settings.interrogator_raised,
            is_question=lambda words: bool(room.cues.question.search(words)),
            advisor=self.advisor,
            heard=heard,
            client=self.client,
            law=self.law,
        ).run()
        room.log.look_up("Stop asking.", "stop", {"turns": len(self.dialogue.turns)}, self.dialogue.stopped)
        return tuple(self.dialogue.claim_of(a.ask_id) or _unasked(a) for a in asks)

    def ties(self, job: DraftJob, told: Told) -> Ties:  # noqa: ARG002  (the form of a craft)
        """Return lines on what each finding depends on, as the answers raised it."""
        return ties_of(self.dialogue, told)

    def write(self, told: Told, skeleton: Skeleton | None) -> str:
        """Return the report in its five parts."""
        return report(told, self.dialogue, skeleton)


@dataclass(frozen=True)
class _Signing:
    """Signs the report; reviews as the second reader of the interview does."""

    interview: Interview

    def review(self, ask: Ask, got: AskAnswer, room: Room) -> AskAnswer:
        """Return what is claimed of an ask, given what the ways found."""
        return self.interview.second.review(ask, got, room)

    def signature(self) -> Signature:
        """Return how much was asked, why the asking ended, and what was at work."""
        second, state = self.interview.second.signature(), self.interview.dialogue
        who = "no model" if isinstance(self.interview.second, NoSecondReader) else second.by
        ended = "all questions asked" if state.stopped == "sufficient" else f"stopped: {state.stopped}"
        told = f"Solon, interrogator runtime ({who}; {len(state.turns)} questions, {ended})"
        return Signature(told, second.at_work)


def _unasked(ask: Ask) -> AskAnswer:
    why = "not asked: the turns were used up"
    entry = Entry(state=AskState.NOT_ATTEMPTED, reason=why)
    return AskAnswer(ask_id=ask.ask_id, state=AskState.NOT_ATTEMPTED, answer=why, entries=(entry,))


def _trace(log: Transcript, turn: Turn) -> None:
    said = turn.answer
    told = "; ".join(s.text for s in said.statements) or said.note
    arguments = {
        "question": turn.need.question.text,
        "why": turn.reason,
        "documents": list(turn.need.question.documents),
    }
    log.act(f"Turn {turn.number}: {turn.need.question.text}", "research", arguments, f"{said.state}: {told[:_SHOWN]}")
