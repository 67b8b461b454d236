"""A paper that is edited: where its clauses and sentences stand, and which of them an instruction means."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from skills_repo.schema import Procedure
from tasks.asks.catalogue import Provision, generic
from tasks.asks.changing.record import Change
from tasks.asks.changing.words import targets
from tasks.asks.cues import cues_of
from tasks.drafting.extractive.answers import TopicAnswer, answer
from tasks.drafting.extractive.brief import Topic, topics_named
from tasks.drafting.extractive.editing.mirror import limb_of
from tasks.drafting.extractive.editing.words import NOUN, OF_KIND, plain_number, stems, words_of
from tasks.drafting.extractive.points import headed_sentences, sentences_of
from tasks.drafting.extractive.quoting import place_of
from tasks.drafting.extractive.reading import SentencedDocument
from tasks.drafting.extractive.units import Unit
from tasks.retrieval.records import Clause

_SPOKEN = 2  # sentences by which the clause that speaks of a thing is known
_REFERS = re.compile(r"\W*(?:such|this|that|these|those|said)\b", re.I)
_NEXT = re.compile(r"\n\s*#{1,6}\s*\Z")  # of Markdown
_SIGNED = re.compile(r"\bIN WITNESS\b|\bBy:|\bName:.*\bTitle:|_{5}|/s/")


@dataclass(frozen=True)
class EditedPaper:
    """A paper that is edited."""

    reading: SentencedDocument
    clauses: Sequence[Clause]
    known: Sequence[Provision]
    settings: Procedure

    @property
    def text(self) -> str:
        """Return the wording."""
        return self.reading.text.text

    def unit(self, at: int) -> Unit | None:
        """Return the sentence that holds a place."""
        return next((u for u in reversed(self.reading.units) if u.start <= at), None)

    def around(self, at: int) -> str:
        """Return the sentence at a place under its heading, with the one before to which it refers."""
        unit = self.unit(at)
        if unit is None:
            return ""
        before = self.unit(unit.start - 1) if _REFERS.match(unit.text) and unit.start else None
        return f"{unit.heading} {before.text if before else ''} {unit.text}"

    def place(self, at: int) -> str:
        """Return how a place is cited."""
        unit = self.unit(at)
        return place_of(unit) if unit else ""

    def inside(self, span: tuple[int, int]) -> list[Unit]:
        """Return the sentences that begin within a stretch."""
        return [u for u in self.reading.units if span[0] <= u.start < span[1]]

    def shared(self, change: Change, words: str) -> int:
        """Count the words of an instruction, without those of its values, that stand in a passage."""
        return len(words_of(change.what, change) & stems(words))

    def named(self, things: set[str], at: int) -> bool:
        """Tell whether everything that an instruction names stands in the sentence at a place, or in its heading."""
        there = stems(self.around(at))
        return all(any(t.startswith(w) or w.startswith(t) for w in there) for t in things)

    def node(self, number: str) -> Clause | None:
        """Return the clause that bears a number."""
        wanted = plain_number(number)
        matching = (c for c in self.clauses if wanted in {plain_number(c.number), plain_number(c.label)})
        return next(matching, None) if wanted else None

    def section(self, number: str) -> tuple[int, int] | None:
        """Return the stretch of a numbered clause; of a subdivision that runs on within it where it has no own."""
        if node := self.node(number):
            return node.start, node.end
        above, _, below = number.rpartition("(")
        outer = self.section(above) if below else None
        return limb_of(self.text, outer, below.rstrip(")")) if outer is not None else None

    def unsigned(self, body: str) -> str:
        """Return the words of a clause without what it runs on into: signatures, the mark of the next heading."""
        body, at = _NEXT.sub("", body), 0
        for line in body.splitlines(keepends=True):
            if at and _SIGNED.search(line):
                return body[:at]
            at += len(line)
        return body

    def found(self, words: str) -> TopicAnswer | None:
        """Return what the document says on a provision, or on other words."""
        plain = re.sub(r"^(?:the|its|any|our|their)\s+", "", words, flags=re.I)
        for topic in topics_named(plain, self.known, cues_of(self.reading.knowledge)):
            got = answer(topic, self.reading, self.settings)
            if not got.found and (units := tuple(headed_sentences(topic.provision, self.reading))):
                got = TopicAnswer(topic, self.reading.document, "Yes", support=units, weights=(1.0,) * len(units))
            if got.found and got.support:
                return got
        told = sentences_of(plain, self.reading, min(_SPOKEN, self.settings.passages_per_topic))
        topic = Topic(plain, generic(plain))
        support, weights = tuple(told), tuple(told.values())
        return TopicAnswer(topic, self.reading.document, "Yes", support=support, weights=weights) if told else None

    def clause_of(self, got: TopicAnswer) -> Clause | None:
        """Return the smallest clause that holds the best sentence under a heading of its own."""
        best = max(got.support, key=got.weight)
        holding = [c for c in self.clauses if c.start <= best.start < c.end]
        titled = [c for c in holding if any(p.search(c.heading) for p in got.topic.provision.headings)]
        return min(titled or holding[-1:], key=lambda c: c.end - c.start, default=None)

    def smallest(self, at: int) -> Clause | None:
        """Return the smallest clause at a place that is one of several."""
        holding = [c for c in self.clauses if c.start <= at < c.end and self.is_one_of(c)]
        return min(holding, key=lambda c: c.end - c.start, default=None)

    def called(self, words: str) -> tuple[int, int] | None:
        """Return the one clause whose heading has all the words by which a brief calls it."""
        sought = stems(OF_KIND.sub(" ", " ".join(targets(words))))
        called = [c for c in self.clauses if sought and sought <= stems(c.heading)]
        called = [c for c in called if not any(o is not c and o.start <= c.start and c.end <= o.end for o in called)]
        if not called and (got := self.found(NOUN.sub("", words).strip(" .,"))) and (node := self.clause_of(got)):
            called = [node] if self.is_about(node, got, sought, clause_meant=True) else []
        return (called[0].start, called[0].end) if len(called) == 1 else None

    def is_one_of(self, node: Clause) -> bool:
        """Tell whether a clause is one of several, and not the paper as a whole."""
        return any(c.start >= node.end or c.end <= node.start for c in self.clauses)

    def is_about(self, node: Clause, got: TopicAnswer, sought: set[str], *, clause_meant: bool) -> bool:
        """Tell whether a clause is about what is to be struck: by its heading, or by its whole text."""
        heading = stems(node.heading)
        named = bool(sought & heading) if clause_meant else sought <= heading
        if named or any(p.search(node.heading) for p in got.topic.provision.headings):
            return True
        return len(self.inside((node.start, node.end))) == 1 and sought <= stems(self.text[node.start : node.end])
