"""Who is questioned: the rules that answer an ask of a brief, and the researcher for all that they leave open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from tasks.asks.records import Ask, AskAnswer, AskKind, AskState, Entry, state_of
from tasks.drafting.extractive.reading import SentencedDocument
from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.ways import passage, provision
from tasks.drafting.extractive.ways.registry import answer_ask
from tasks.drafting.interrogator.kinds import KIND, carries, kind_asked, read_by_kind
from tasks.drafting.interrogator.raising import raising_cues, telling_words
from tasks.drafting.interrogator.records import Need, Origin
from tasks.legaltext.citations.scan import scan_citations
from tasks.legaltext.windows.scan import scan_windows
from tasks.retrieval.provisions import Provision
from tasks.retrieval.records import Passage
from tasks.retrieval.research.records import Answer, Method, Question, Researcher, Search, Statement
from tasks.sources.records import Span

LEFT_TO_A_LAWYER = frozenset({AskKind.JUDGMENT, AskKind.DRAFTING})
"""Asks that no look into the papers answers; what bears on them is gathered."""
AGAIN = "Found by a second search, in these words; the first found nothing that answers."
_STATES = {AskState.ANSWERED: "answered", AskState.NOT_FOUND: "not_found", AskState.NOT_ATTEMPTED: "not_attempted"}
_MOST = 4  # passages that are shown for what is left to a lawyer


class Respondent(Protocol):
    """Answers what an interrogator asks about one matter."""

    def claim(self, ask: Ask, question: Question) -> tuple[AskAnswer, Answer]:
        """Return what is claimed of an ask, and the answer as it was given."""
        ...

    def again(self, ask: Ask, got: AskAnswer, question: Question) -> tuple[AskAnswer, Answer]:
        """Look for an ask once more, by other means; return the better claim and the answer as it was given."""
        ...

    def answer(self, need: Need, ask: Ask) -> Answer:
        """Return what the papers say on something that an answer raised."""
        ...


@dataclass(frozen=True)
class PaperDesk:
    """The papers of one matter with all that can be asked about them (a :class:`Respondent`)."""

    room: Room
    researcher: Researcher

    def claim(self, ask: Ask, question: Question) -> tuple[AskAnswer, Answer]:
        """Answer by the first way that has an answer."""
        got = answer_ask(ask, self.room)
        return got, self._told(got, question)

    def again(self, ask: Ask, got: AskAnswer, question: Question) -> tuple[AskAnswer, Answer]:
        """Ask the researcher, of each document that has no answer where each was asked about.

        What is left to a lawyer stays so, and gets the sentences that bear on it.
        """
        if ask.kind in LEFT_TO_A_LAWYER:
            return self._gathered(ask, got, question)
        kinds = self.room.topics.asked(ask.subject)
        if not ask.each:
            said = self.researcher.answer(question)
            weak = [e for e in got.entries if is_weak(e)]
            firm = [e for e in got.entries if not is_weak(e)]
            better = self._by_kind(ask, weak, said) or self._better(weak, said, kinds)
            return _claimed(got, [*firm, *better]), said
        entries: list[Entry] = []
        answers = []
        for entry in got.entries:
            if is_weak(entry) and entry.document:
                said = self.researcher.answer(question.model_copy(update={"documents": (entry.document,)}))
                answers.append(said)
                entries += self._better([entry], said, kinds)
            else:
                entries.append(entry)
        return _claimed(got, entries), _joined(question, answers)

    def answer(self, need: Need, ask: Ask) -> Answer:
        """Follow the papers' own reference; where they have none, ask the researcher and believe it little."""
        reading = self._readings.get(need.target.document) if need.target else None
        if need.target is not None and reading is not None:
            return self._followed(need, ask, reading, need.target)
        said = self.researcher.answer(need.question)
        if need.origin is Origin.MODEL:
            return said
        told = [s for s in said.statements if need.origin is Origin.START and self._begins(need, s)]
        if told:
            return said.model_copy(update={"statements": tuple(told)})
        note = said.note or "nothing in the papers says it"
        return Answer(question=need.question, state="not_found", searches=said.searches, missing=need.absent, note=note)

    def _followed(self, need: Need, ask: Ask, reading: SentencedDocument, target: Span) -> Answer:
        words = self.room.settings.quote_words
        on = need.about if need.origin is Origin.TERM else ask.subject
        found = telling_words(reading, target, on, words)
        text = reading.text.text[target.start : target.end]
        look = Search(
            method=Method.GRAPH,
            query=need.about,
            reason="the papers' own reference",
            passages=(Passage(span=target, text=text, score=1.0, label=need.about),),
        )
        if found is None:
            return Answer(question=need.question, state="not_found", searches=(look,), note="the place is empty")
        said = Statement(text=found[0], spans=(found[1],), method=Method.GRAPH)
        return Answer(question=need.question, state="answered", statements=(said,), searches=(look,))

    def _begins(self, need: Need, said: Statement) -> bool:
        """Tell whether a statement gives the beginning of the very period, in another sentence than the one asked."""
        wanted = {(w.n, w.unit) for w in scan_windows(need.question.text)}
        same = any((w.n, w.unit) in wanted for w in scan_windows(said.text))
        other = all(need.cause is None or s.start != need.cause.start for s in said.spans)
        return same and other and raising_cues(self.room.knowledge).met("start", said.text)

    def _gathered(self, ask: Ask, got: AskAnswer, question: Question) -> tuple[AskAnswer, Answer]:
        """Return an ask that is left to a lawyer with what the papers say on it; nothing of it is a conclusion."""
        asked = ask.model_copy(update={"kind": AskKind.FACT})
        found = next((f for way in (provision.answer, passage.answer) if (f := way(asked, self.room))), None)
        spans = tuple(s for e in found.entries if e.state is AskState.ANSWERED for s in e.support[:1]) if found else ()
        said = self._told(found, question) if found and spans else self.researcher.answer(question)
        state, note = "not_attempted", got.answer
        told = said.model_copy(update={"question": question, "state": state, "note": note, "statements": ()})
        if not spans or not got.entries:
            return got, told
        first, *rest = got.entries
        near = tuple(dict.fromkeys((*spans, *first.nearest)))[:_MOST]
        return got.model_copy(update={"entries": (first.model_copy(update={"nearest": near}), *rest)}), told

    def _better(self, weak: Sequence[Entry], said: Answer, kinds: Sequence[Provision]) -> Sequence[Entry]:
        """Return weak entries, or what a second search found in their place: words of the papers or nothing.

        What was found by its words alone gives way to a clause of the very kind that is asked for.

        Args:
            weak: The weak entries of one ask.
            said: What the second search gave.
            kinds: The kinds of clauses that the ask may be after, which the second search then looked for.
        """
        papers = [s for s in said.statements if s.spans]
        law = [s for s in said.statements if s.authority]
        clause = any(carries(kind, s.text) for kind in kinds for s in papers)
        if law and not papers:
            return [_bearing(e, law) if e.state is not AskState.ANSWERED else e for e in weak]
        if not weak or not papers or (not clause and any(e.state is AskState.ANSWERED for e in weak)):
            return weak
        documents = dict.fromkeys(s.spans[0].document for s in papers)
        return [
            self._found([s for s in papers if s.spans[0].document == d], KIND if clause else AGAIN) for d in documents
        ]

    def _by_kind(self, ask: Ask, weak: Sequence[Entry], said: Answer) -> list[Entry]:
        """Return what the agreements have of the kind of clause that is surely asked for, where no search met it.

        Empty where it is not sure, where the second search found such a clause, or where nothing is weak.
        """
        topic = kind_asked(ask.subject, self.room) if weak else None
        if topic is None or any(carries(topic.provision, s.text) for s in said.statements if s.spans):
            return []
        near = tuple(span for entry in weak for span in (*entry.support, *entry.nearest))
        return read_by_kind(topic, [r.document for r in self.room.of(ask)], self.room, near)

    def _found(self, papers: Sequence[Statement], note: str) -> Entry:
        """Return what one document says, to be verified: its own words quoted, or what a model says of them."""
        return Entry(
            document=papers[0].spans[0].document,
            state=AskState.ANSWERED,
            answer=" ".join(self._quoted(s) for s in papers),
            support=tuple(span for s in papers for span in s.spans),
            certain=False,
            note=note,
        )

    def _quoted(self, said: Statement) -> str:
        words = " ".join(said.text.split())
        sources = (" ".join(p.text.split()) for s in said.spans if (p := self._passage(s)) is not None)
        return f"“{words}”" if any(words in source for source in sources) else words

    def _told(self, got: AskAnswer, question: Question) -> Answer:
        """Return what the ways claim as an answer of the researcher's form."""
        answered = [e for e in got.entries if e.state is AskState.ANSWERED]
        searched = [w for e in got.entries for w in e.searched] or [question.text]
        near = [s for e in got.entries for s in (*e.support, *e.nearest)]
        passages = tuple(p for s in dict.fromkeys(near) if (p := self._passage(s)) is not None)
        looks = tuple(
            Search(method=Method.HYBRID, query=q, reason="the rules of the harness", passages=passages if not n else ())
            for n, q in enumerate(dict.fromkeys(searched))
        )
        return Answer(
            question=question,
            state=_STATES[got.state],
            statements=tuple(_statement(e) for e in answered) if got.state is AskState.ANSWERED else (),
            searches=looks,
            note="; ".join(dict.fromkeys(e.reason for e in got.entries if e.reason)),
        )

    def _passage(self, span: Span) -> Passage | None:
        reading = self._readings.get(span.document)
        return Passage(span=span, text=reading.text.text[span.start : span.end], score=0.0) if reading else None

    @cached_property
    def _readings(self) -> dict[str, SentencedDocument]:
        return {r.document: r for r in self.room.readings}


def is_weak(entry: Entry) -> bool:
    """Tell whether an entry is worth a second search: a topic of the catalogue was looked for in every sentence."""
    if entry.state is AskState.ANSWERED:
        return not entry.certain and not entry.basis and not entry.topic
    return not entry.topic


def _claimed(got: AskAnswer, entries: Sequence[Entry]) -> AskAnswer:
    """Return a claim with other entries; the same claim where nothing changed."""
    if tuple(entries) == got.entries:
        return got
    return got.model_copy(update={"entries": tuple(entries), "state": state_of(entries), "answer": ""})


def _bearing(entry: Entry, law: Sequence[Statement]) -> Entry:
    """Return an ask that is left open with the law that may bear on it, and how far that is verified."""
    told = "; ".join(f"{s.authority} ({s.text}; {s.verification or 'not verified'})" for s in law)
    reason = f"a question of law; what may bear on it: {told}"
    return entry.model_copy(update={"state": AskState.NOT_ATTEMPTED, "answer": "", "reason": reason})


def _joined(question: Question, answers: Sequence[Answer]) -> Answer:
    """Return the answers out of several documents as one."""
    if not answers:
        return Answer(question=question, state="not_found")
    best = next((a for a in answers if a.state == "answered"), answers[0])
    return best.model_copy(
        update={
            "question": question,
            "statements": tuple(s for a in answers for s in a.statements),
            "searches": tuple(s for a in answers for s in a.searches),
        }
    )


def _statement(entry: Entry) -> Statement:
    law = bool(entry.basis) and bool(scan_citations(entry.basis))
    return Statement(
        text=entry.answer,
        spans=entry.support,
        authority=entry.basis if law else "",
        verification=entry.note if law else "",
        method=Method.KNOWLEDGE if law else Method.HYBRID,
    )
