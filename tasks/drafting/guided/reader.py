"""The second reader: which of the narrow questions are asked about an answer, and what becomes of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from tasks.asks.records import Ask, AskAnswer, AskKind, AskState, Entry, state_of
from tasks.drafting.extractive.answers import TYPISTS
from tasks.drafting.extractive.points import made_of
from tasks.drafting.extractive.quoting import quote
from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.signature import Signature
from tasks.drafting.guided import verdict
from tasks.drafting.guided.asking import Asker
from tasks.drafting.guided.choosing import Candidates, candidates, chosen, nearest_first
from tasks.drafting.guided.passages import nearness, shown
from tasks.drafting.guided.questions import Questioner
from tasks.drafting.guided.records import Shown
from tasks.drafting.guided.values import typed
from tasks.drafting.guided.views import carried
from tasks.drafting.guided.working import operand, worked_out
from tasks.legaltext.dates.scan import scan_dates
from tasks.legaltext.numbers.scan import scan_numbers
from tasks.legaltext.sentences import sentences
from tasks.retrieval.provisions import Provision

_OPEN = {
    AskKind.JUDGMENT: "needs a lawyer's judgment; the nearest sentences are shown",
    AskKind.DRAFTING: "needs drafting: no narrow question settles it",
}
_TOLD = 600  # characters of a request that are told with a calculation
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
        prose = room.settings.guided_choices > 0 and _is_prose(ask, got, room)
        entries = self._read(ask, got, room) if prose else tuple(self._reviewed(ask, e, room) for e in got.entries)
        if entries == got.entries:
            return got
        state = state_of(entries)
        changed = {"entries": entries, "state": state}
        if prose or state is not got.state or ask.kind in _OPEN:  # the line of the ways tells what is no longer claimed
            told = [e for e in entries if e.state is state]
            changed["answer"] = (told[0].answer or told[0].reason) if got.answer else ""
        return got.model_copy(update=changed)

    def signature(self) -> Signature:
        """Return that a model was asked, that it gave no answer, or that there was nothing to ask it."""
        if not self.asker.read:
            nothing = "the model gave no answer" if self.asker.asked else "there was nothing to ask the model"
            return Signature(f"Solon, guided runtime ({nothing}: what the extractive runtime finds, alone)", nothing)
        told = f"narrow questions to model {self.asker.name}, {self.asker.read} of {self.asker.asked} answered"
        told += "; the asking ended before all was asked" if self.asker.over else ""
        return Signature(f"Solon, guided runtime ({told})", "what the model read in the passages did not answer it")

    def _reviewed(self, ask: Ask, entry: Entry, room: Room) -> Entry:
        if ask.kind in _OPEN:
            return self._gathered(ask, entry, room)
        topic = next((p for p in room.catalogue if p.name == entry.topic), None)
        if topic is None or not self._may_ask() or not _open_to_review(ask, entry, topic, room):
            return entry
        given = shown(ask, entry, topic, room)
        if given is None:
            return entry
        after = self._provision(entry, topic, given, room)
        told = {"topic": topic.name, "document": given.name, "sentences": len(given.units)}
        room.log.look_up(f"Weigh the model's answer on {topic.name}.", "weigh", told, _line(after))
        return after

    def _read(self, ask: Ask, got: AskAnswer, room: Room) -> tuple[Entry, ...]:
        """Return the answers to a question in prose, each group of them read together: of one paper, or of all."""
        each = ask.each or ask.kind is AskKind.COMPARISON
        if not each:
            return self._prose(ask, got.entries, "", room)
        return tuple(new for entry in got.entries for new in self._prose(ask, (entry,), entry.document, room))

    def _prose(self, ask: Ask, before: tuple[Entry, ...], document: str, room: Room) -> tuple[Entry, ...]:
        if not any(_is_open(e) for e in before) or not self._may_ask():
            return before
        found = candidates(ask, document, room)
        if found is None:
            return before
        after = self._chosen(ask, before, found, room)
        if room.settings.guided_works and ask.kind is AskKind.CALCULATION:
            after = self._worked(ask, after, found, room)
        if room.settings.guided_follows <= 1.0 and ask.kind is AskKind.YES_NO:
            after = self._follows(ask, after, found, room)
        told = {"ask": ask.ask_id, "document": document, "sentences": len(found.told)}
        room.log.look_up(f"Weigh the model's answer on {ask.words}.", "weigh", told, "; ".join(map(_line, after)))
        return after

    def _chosen(self, ask: Ask, before: tuple[Entry, ...], found: Candidates, room: Room) -> tuple[Entry, ...]:
        said = self.questions.choice(ask.subject, found.given, plain=room.settings.guided_plain)
        if said is None or said.none >= room.settings.guided_none:
            return tuple(verdict.by_rules(e) for e in before)
        ordered = found.ordered(said, room.settings.guided_weight)
        left = all(e.state is not AskState.ANSWERED for e in before)
        if left and max(said.weights) < room.settings.guided_shown:
            return tuple(nearest_first(e, ordered[0][1].line.unit) for e in before)
        return chosen(ask, before, ordered, room)

    def _worked(self, ask: Ask, before: tuple[Entry, ...], found: Candidates, room: Room) -> tuple[Entry, ...]:
        brief = room.job.matter.instructions
        said = self.questions.work(ask.subject, telling(brief), found.given) if self._may_ask() else None
        if said is None:
            return before
        operation, named = said
        units = found.given.units
        grounds = [(units[n - 1].text, units[n - 1]) if n else (brief, None) for n, _ in named if 0 <= n <= len(units)]
        operands = [operand(words, *ground) for (_, words), ground in zip(named, grounds, strict=False)]
        known = [o for o in operands if o is not None]
        made = worked_out(operation, known) if len(known) == len(named) else None
        return (verdict.worked(made),) if made is not None else before

    def _follows(self, ask: Ask, before: tuple[Entry, ...], found: Candidates, room: Room) -> tuple[Entry, ...]:
        said = self.questions.follows(ask.subject, found.given) if self._may_ask() else None
        if said is None or said.answer == "unclear" or said.so < room.settings.guided_follows or not said.units:
            return before
        sought = made_of(ask.words, room.knowledge.vocabulary)
        quotes = [quote(u, sought, found.given.reading_of(u).text, room.settings.quote_words).text for u in said.units]
        return (verdict.followed(said, quotes),)

    def _may_ask(self) -> bool:
        return self.asker.asked < self._left

    def _provision(self, entry: Entry, topic: Provision, given: Shown, room: Room) -> Entry:
        said = self.questions.provision(topic, given)
        if topic.answer not in TYPISTS:
            return verdict.heard(entry, said, room.settings)
        if said.so is None or said.so < room.settings.guided_yes:
            return verdict.with_value(entry, None)
        read = next((v for u in said.units if (v := typed(topic, u, given.reading_of(u))) is not None), None)
        return verdict.with_value(entry, read or self.questions.value(topic, given))

    def _gathered(self, ask: Ask, entry: Entry, room: Room) -> Entry:
        if entry.state is not AskState.NOT_ATTEMPTED or not entry.nearest:
            return entry
        left = entry.model_copy(update={"reason": _OPEN[ask.kind]})
        given = shown(ask, left, None, room)
        if given is None or ask.kind is not AskKind.JUDGMENT:
            return left
        after = verdict.gathered(left, self.questions.bearing(ask.subject, given))
        view = self.questions.view(ask.subject, given) if room.settings.guided_views and self._may_ask() else None
        return verdict.viewed(after, view) if view is not None and carried(view, ask.subject) else after


def _is_prose(ask: Ask, got: AskAnswer, room: Room) -> bool:
    """Tell whether a question was left to its words: it is about no provision, and rests on no law or calculation."""
    asks = ask.kind not in _OPEN and room.cues.question.search(ask.words) is not None
    return asks and all(not e.topic and not e.basis for e in got.entries)


def _is_open(entry: Entry) -> bool:
    """Tell whether the rules left an answer open, or to be verified, with sentences near it."""
    if entry.state is AskState.NOT_ATTEMPTED:
        return bool(entry.nearest)
    return entry.state is AskState.ANSWERED and not entry.certain


def telling(brief: str) -> str:
    """Return the sentences of a request that state figures or days."""
    flat = " ".join(brief.split())
    said = (flat[start:end] for start, end in sentences(flat))
    return " ".join([s for s in said if scan_numbers(s) or scan_dates(s)])[:_TOLD]


def _open_to_review(ask: Ask, entry: Entry, topic: Provision, room: Room) -> bool:
    """Tell whether a narrow question can change what is said of a provision: not what rests on law or is read whole.

    What is not attempted and no question, such as an order to write something, is answered by no sentence.
    """
    if entry.state is AskState.NOT_ATTEMPTED and not room.cues.question.search(ask.words):
        return False
    if entry.state is AskState.ANSWERED and (entry.basis or not entry.support):
        return False
    if topic.answer in _ITSELF:
        return False
    if entry.state is AskState.NOT_FOUND:
        least = room.settings.guided_near * topic.threshold
        return any(nearness(topic, r) >= least for r in room.of(ask) if r.document == entry.document)
    sure = entry.state is AskState.ANSWERED and entry.certain
    return not sure or (room.settings.guided_sure and topic.answer not in TYPISTS)


def _line(entry: Entry) -> str:
    doubt = "" if entry.certain else ", to be verified"
    return f"{entry.state.value}{doubt} ({entry.vouched or 'rules'}): {entry.answer or entry.reason}"
