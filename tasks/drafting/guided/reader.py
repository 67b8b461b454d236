"""The second reader: which of the narrow questions are asked about an answer, and what becomes of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from tasks.asks.records import Ask, AskAnswer, AskKind, AskState, Entry, state_of
from tasks.drafting.extractive.answers import TYPISTS
from tasks.drafting.extractive.points import made_of
from tasks.drafting.extractive.quoting import quote
from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.signature import Signature
from tasks.drafting.extractive.ways.question import parts_of
from tasks.drafting.guided import verdict
from tasks.drafting.guided.asking import Asker
from tasks.drafting.guided.passages import nearness, shown
from tasks.drafting.guided.questions import Questioner
from tasks.drafting.guided.records import Shown
from tasks.drafting.guided.values import WANTED, typed
from tasks.retrieval.provisions import Provision

_OPEN = {
    AskKind.JUDGMENT: "needs a lawyer's judgment; the nearest sentences are shown",
    AskKind.DRAFTING: "needs drafting: no narrow question settles it",
}
_ITSELF = frozenset({"title", "parties"})  # what the head of a document says, which the rules read as a whole


@dataclass
class ModelReader:
    """Reviews answers by narrow questions (a :class:`tasks.drafting.extractive.room.SecondReader`)."""

    asker: Asker
    questions: Questioner
    _left: int = field(default=0, init=False)

    def review(self, ask: Ask, got: AskAnswer, room: Room) -> AskAnswer:
        """Return the answers of an ask, each as it stands once the model was heard."""
        self._left = self.asker.asked + room.settings.guided_questions
        entries = tuple(self._reviewed(ask, entry, room) for entry in got.entries)
        if entries == got.entries:
            return got
        state = state_of(entries)
        changed = {"entries": entries, "state": state}
        if state is not got.state or ask.kind in _OPEN:  # the line of the ways tells what is no longer claimed
            told = [e for e in entries if e.state is state]
            changed["answer"] = (told[0].answer or told[0].reason) if got.answer else ""
        return got.model_copy(update=changed)

    def signature(self) -> Signature:
        """Return that a model was asked, or that it gave no answer."""
        if not self.asker.read:
            nothing = "the model gave no answer"
            return Signature(f"Solon, guided runtime ({nothing}: what the extractive runtime finds, alone)", nothing)
        told = f"narrow questions to model {self.asker.name}, {self.asker.read} of {self.asker.asked} answered"
        told += "; the asking ended before all was asked" if self.asker.over else ""
        return Signature(f"Solon, guided runtime ({told})", "what the model read in the passages did not answer it")

    def _reviewed(self, ask: Ask, entry: Entry, room: Room) -> Entry:
        if ask.kind in _OPEN:
            return self._gathered(ask, entry, room)
        topic = next((p for p in room.catalogue if p.name == entry.topic), None)
        if self.asker.asked >= self._left or not _open_to_review(ask, entry, topic, room):
            return entry
        given = shown(ask, entry, topic, room)
        if given is None:
            return entry
        after = self._provision(entry, topic, given, room) if topic is not None else self._free(ask, entry, given, room)
        name = topic.name if topic is not None else ask.words
        told = {"topic": name, "document": given.name, "sentences": len(given.units)}
        room.log.look_up(f"Weigh the model's answer on {name}.", "weigh", told, _line(after))
        return after

    def _provision(self, entry: Entry, topic: Provision, given: Shown, room: Room) -> Entry:
        said = self.questions.provision(topic, given)
        if topic.answer not in TYPISTS:
            return verdict.heard(entry, said, room.settings)
        if said.so is None or said.so < room.settings.guided_yes:
            return verdict.with_value(entry, None)
        read = next((v for u in said.units if (v := typed(topic, u, given.reading_of(u))) is not None), None)
        return verdict.with_value(entry, read or self.questions.value(topic, given))

    def _free(self, ask: Ask, entry: Entry, given: Shown, room: Room) -> Entry:
        said = self.questions.answers(ask.subject, given)
        sought = made_of(ask.words, room.knowledge.vocabulary)
        quotes = [quote(u, sought, given.reading_of(u).text, room.settings.quote_words).text for u in said.units]
        after = verdict.answered(entry, said, quotes, room.settings)
        if after.vouched not in ("both", "model") or after.state is not AskState.ANSWERED:
            return after
        wants = {w for p in parts_of(ask.words, room.cues, room.notions) for w in p.wants}
        if len(wants) != 1 or not wants <= WANTED:
            return after  # several answers in one, or none that a value gives
        return verdict.led_by(after, self.questions.wanted(ask.subject, wants.pop(), given))

    def _gathered(self, ask: Ask, entry: Entry, room: Room) -> Entry:
        if entry.state is not AskState.NOT_ATTEMPTED or not entry.nearest:
            return entry
        left = entry.model_copy(update={"reason": _OPEN[ask.kind]})
        given = shown(ask, left, None, room)
        if given is None or ask.kind is not AskKind.JUDGMENT:
            return left
        return verdict.gathered(left, self.questions.bearing(ask.subject, given))


def _open_to_review(ask: Ask, entry: Entry, topic: Provision | None, room: Room) -> bool:
    """Tell whether a narrow question can change an answer: not what is computed, rests on law or is read whole.

    What is not attempted and no question, such as an order to write something, is answered by no sentence.
    """
    if entry.state is AskState.NOT_ATTEMPTED and not room.cues.question.search(ask.words):
        return False
    if entry.state is AskState.ANSWERED and (entry.basis or not entry.support):
        return False
    if topic is not None and topic.answer in _ITSELF:
        return False
    if topic is not None and entry.state is AskState.NOT_FOUND:
        least = room.settings.guided_near * topic.threshold
        return any(nearness(topic, r) >= least for r in room.of(ask) if r.document == entry.document)
    sure = entry.state is AskState.ANSWERED and entry.certain
    wants_value = topic is not None and topic.answer in TYPISTS
    return not sure or (room.settings.guided_sure and not wants_value and topic is not None)


def _line(entry: Entry) -> str:
    doubt = "" if entry.certain else ", to be verified"
    return f"{entry.state.value}{doubt} ({entry.vouched or 'rules'}): {entry.answer or entry.reason}"
