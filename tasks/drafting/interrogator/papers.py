"""Papers that are open for questions: read once, then asked as often as one likes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from knowledge_db.jurisdictions import codes_in
from tasks.asks.grammar import grammar_of
from tasks.asks.parse import parse_asks
from tasks.asks.records import Ask, AskAnswer, Asks, AskState, Entry
from tasks.drafting.extractive.reading import SentencedDocument, read
from tasks.drafting.extractive.render.plan import told_in
from tasks.drafting.extractive.render.told import Told
from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.transcript import Transcript
from tasks.drafting.extractive.ways.weighing import Lines
from tasks.drafting.interrogator.following import following
from tasks.drafting.interrogator.interview import Interview
from tasks.drafting.interrogator.records import Dialogue, Exchange, Turn
from tasks.drafting.interrogator.relevance import related
from tasks.drafting.records import DraftJob
from tasks.legaltext import months
from tasks.legaltext.fold import straight
from tasks.legaltext.parts_of_speech import Word, tagged
from tasks.legaltext.tokens import terms
from tasks.retrieval.archive.dialogue import Missing, missing
from tasks.retrieval.graph.graph import Graph, build_graph
from tasks.retrieval.knowledge import gather
from tasks.retrieval.provisions import catalogue_of
from tasks.retrieval.research.records import Researcher
from tasks.retrieval.research.researcher import open_researcher

_LONG = 4_000  # characters of a question that are looked through for names
_NEAREST = 2  # passages shown beside what is not here
_BESIDE = 24  # characters on either side of a name in which a paper is meant by it


@dataclass
class OpenPapers:
    """The papers of one room.

    Attributes:
        job: The matter of the room, with an empty brief; its cell names the model that is asked, if one is.
        interviewer: Makes the interview of one request: it holds the model, where one is asked.
    """

    job: DraftJob
    interviewer: Callable[[Transcript], Interview] = lambda log: Interview()  # noqa: ARG005  (the form of a maker)
    _lines: list[Lines] = field(default_factory=list)

    @property
    def title(self) -> str:
        """Return how a report on several questions is called."""
        return f"Questions about {self.job.matter.matter_id}"

    @cached_property
    def readings(self) -> Sequence[SentencedDocument]:
        """Return the readable documents, cut into sentences."""
        states = {s.document: s for s in self.job.state.documents}
        job = self.job
        return [read(job.texts[n], states.get(n), job.index, job.harness.knowledge) for n in sorted(job.texts)]

    @cached_property
    def graph(self) -> Graph:
        """Return what refers to what."""
        return build_graph(self.job.texts, {name: self.job.index.clauses(name) for name in self.job.texts})

    @cached_property
    def researcher(self) -> Researcher:
        """Return who answers what the rules leave open."""
        return open_researcher(self.job.index, self.job.texts, self.job.harness)

    def ask(
        self, question: str, number: int, log: Transcript, client: str = "", law: str = "",
        heard: Callable[[Turn], None] = lambda turn: None,  # noqa: ARG005  (the form of a listener)
        earlier: Sequence[Exchange] = (),
    ) -> tuple[Exchange, Told]:  # fmt: skip
        """Answer one question, and what it raises.

        Args:
            question: In the user's words; several at once are several asks.
            number: Of the exchange in its session.
            log: Records the work.
            client: For whom, where the user said so.
            law: Under which law, where the user said so.
            heard: Told of every turn.
            earlier: What was asked before in the session: pronouns may stand for things of it.
        """
        job = self._job(question, earlier=earlier)
        interview = self._interview(log, client, law, heard)
        room = self._room(job, log, interview)
        answers = tuple(self._related(job, self._of_this_room(job, a)) for a in interview.answer(room))
        told = told_in(room, answers, interview.craft)
        exchange = Exchange(
            number=number,
            question=question,
            client=client,
            law=law,
            asks=job.asks,
            answers=tuple(told.answers.values()),
            dialogue=interview.dialogue,
            missing=self._missing(
                job, {s.document for a in answers for e in a.entries for s in e.support}, client, law
            ),
            unknown=self.unknown_names(question),
        )
        return exchange, told

    def together(self, exchanges: Sequence[Exchange]) -> tuple[Told, Interview]:
        """Return what several exchanges told, as one request, and the interview to write its report with."""
        asks, answers, dialogue = joined(exchanges)
        interview = Interview(dialogue=dialogue)
        room = self._room(self._job(asks.brief, asks, self.title), Transcript(), interview)
        return told_in(room, answers, interview.craft), interview

    def unknown_names(self, question: str) -> tuple[str, ...]:
        """Return the names in a question that no paper has, nor the name of one: what is asked may be elsewhere."""
        return tuple(dict.fromkeys(w.text for w in self._unknown(question)))

    def _unknown(self, question: str) -> Iterator[Word]:
        for word in tagged(straight(question)[:_LONG]):
            plain = word.text.lower()
            name = word.tag == "NP0" and word.text[:1].isupper() and len(plain) > 2 and plain not in months.NUMBERS
            if name and plain not in self._words and not codes_in(word.text, self.job.harness.knowledge.folder):
                yield word

    def _absent_paper(self, ask: Ask) -> str:
        """Return the paper that an ask speaks of by a name that no paper has: "the Smith lease"; empty for none."""
        paper = grammar_of(self.job.harness.knowledge).words["paper"]
        for word in self._unknown(ask.words):
            around = ask.words[max(0, word.start - _BESIDE) : word.end + _BESIDE]
            if paper.search(around):
                return word.text
        return ""

    @cached_property
    def _words(self) -> str:
        names = " ".join(d.name for d in self.job.matter.documents)
        return " ".join(
            [straight(names), *(" ".join(straight(t.text).split()) for t in self.job.texts.values())]
        ).lower()

    def _interview(self, log: Transcript, client: str, law: str, heard: Callable[[Turn], None]) -> Interview:
        interview = self.interviewer(log)
        if interview.model is None:  # a model's researcher charges the attempt that asks it
            interview.researcher = interview.researcher or self.researcher
        interview.graph = self.graph
        interview.client, interview.law, interview.heard = client, law, heard
        return interview

    def _room(self, job: DraftJob, log: Transcript, interview: Interview) -> Room:
        room = Room(job, self.readings, job.pack.skill.procedure, log, second=interview.craft.second)
        if not self._lines:
            self._lines.append(room.lines)
        room.__dict__["lines"] = self._lines[0]  # of the papers alone: no question changes it
        return room

    def _job(
        self, question: str, asks: Asks | None = None, title: str = "", earlier: Sequence[Exchange] = ()
    ) -> DraftJob:
        job = self.job
        matter = job.matter.model_copy(update={"instructions": question, "title": title})

        def parse(brief: str) -> Asks:
            return parse_asks(matter.model_copy(update={"instructions": brief}), job.state, job.harness)

        found = asks or _once(following(parse(question), earlier, parse))
        return replace(job, matter=matter, asks=found, pack=gather(matter, job.state, job.harness))

    def _of_this_room(self, job: DraftJob, got: AskAnswer) -> AskAnswer:
        """Return a claim, unless the ask is about a paper that is not here: then that, with what came nearest."""
        ask = next(a for a in job.asks.asks if a.ask_id == got.ask_id)
        name = self._absent_paper(ask)
        if not name or ask.documents:
            return got
        said = f"no paper here is named “{name}”; nothing is said of it"
        near = tuple(s for e in got.entries for s in (*e.support, *e.nearest))[:_NEAREST]
        entry = Entry(state=AskState.NOT_FOUND, answer=said, searched=(name,), nearest=near)
        return AskAnswer(ask_id=got.ask_id, state=AskState.NOT_FOUND, answer=said, entries=(entry,))

    def _related(self, job: DraftJob, got: AskAnswer) -> AskAnswer:
        """Return a claim without doubtful answers to what no paper here speaks of."""
        ask = next(a for a in job.asks.asks if a.ask_id == got.ask_id)
        knowledge = job.harness.knowledge
        synonyms = self.readings[0].knowledge.vocabulary.synonyms
        return related(ask, got, self._terms, synonyms, knowledge.research.known, self._understood(ask.subject))

    def _understood(self, question: str) -> set[str]:
        """Return the terms of a question that name a party by its role, or by which the catalogue knows a clause."""
        knowledge, plain = self.job.harness.knowledge, straight(question)
        asked = [pattern for p in catalogue_of(knowledge) for pattern in p.asked]
        found = [m[0] for pattern in (*asked, grammar_of(knowledge).words["role"]) for m in pattern.finditer(plain)]
        return {term for words in found for term in terms(words)}

    @cached_property
    def _terms(self) -> frozenset[str]:
        return frozenset(term for text in self.job.texts.values() for term in terms(text.text))

    def _missing(self, job: DraftJob, documents: Collection[str], client: str, law: str) -> tuple[Missing, ...]:
        """Return what would have to be known; an attachment only of a paper that carries an answer."""
        told = {"client": client, "law": law}
        asked = [a.subject for a in job.asks.asks]
        found = missing(job.matter.instructions, asked, job.state, job.texts, self.graph, job.harness.knowledge)
        return tuple(
            m
            for m in found
            if not told.get(m.about, "") and (m.about != "attachment" or set(m.documents) & set(documents))
        )


def joined(exchanges: Sequence[Exchange]) -> tuple[Asks, tuple[AskAnswer, ...], Dialogue]:
    """Return the exchanges as one request: its asks numbered through, their answers, and all that was asked further."""
    brief, asks, answers = "", [], []
    turns: list[Turn] = []
    for exchange in exchanges:
        at = len(brief)
        names = {a.ask_id: f"{exchange.number}.{a.ask_id}" for a in exchange.asks.asks}
        asks += [_moved(a, at, names) for a in exchange.asks.asks]
        answers += [a.model_copy(update={"ask_id": names[a.ask_id]}) for a in exchange.answers if a.ask_id in names]
        turns += [
            t.model_copy(update={"need": t.need.model_copy(update={"ask_id": names[t.need.ask_id]})})
            for t in exchange.dialogue.turns
        ]
        brief += f"{exchange.question}\n\n"
    numbered = tuple(t.model_copy(update={"number": n}) for n, t in enumerate(turns, 1))
    stopped = exchanges[-1].dialogue.stopped if exchanges else "sufficient"
    return Asks(brief=brief, asks=tuple(asks)), tuple(answers), Dialogue(turns=numbered, stopped=stopped)


def _moved(ask: Ask, at: int, names: Mapping[str, str]) -> Ask:
    return ask.model_copy(update={"ask_id": names[ask.ask_id], "start": ask.start + at, "end": ask.end + at})


def _once(asks: Asks) -> Asks:
    """Return the asks without those that are put a second time in the same words."""
    first = {(a.kind, " ".join(a.subject.lower().split())): a for a in reversed(asks.asks)}
    kept = tuple(a for a in asks.asks if first[a.kind, " ".join(a.subject.lower().split())] is a)
    again = tuple((a.start, a.end) for a in asks.asks if a not in kept)
    return asks.model_copy(update={"asks": kept, "background": (*asks.background, *again)})
