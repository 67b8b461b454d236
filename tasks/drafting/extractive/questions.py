"""Questions in prose: which provisions they ask about, and which figure answers them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tasks.asks.catalogue import Provision
from tasks.asks.cues import BriefCues
from tasks.drafting.extractive.brief import Topic, is_ambiguous_name, topics_named, without_output
from tasks.legaltext.fold import straight
from tasks.legaltext.sentences import BRIEF, sentences
from tasks.retrieval.topics import TopicCatalogue

_MOST = 3
_FEW = 6  # sentences of a brief that is a question and not an assignment of work


def asked_provisions(instructions: str, known: Sequence[Provision], cues: BriefCues) -> tuple[Topic, ...]:
    """Return the provisions that the questions of a brief ask about, each with its question; empty where none does."""
    brief = straight(without_output(instructions, cues))
    parts = [brief[start:end] for start, end in sentences(brief, BRIEF)]
    asked = [s for s in parts if cues.question.search(s) and not cues.drafting.search(s)]
    if len(parts) > _FEW or len(asked) * 2 < len(parts):
        return ()
    found: dict[str, Topic] = {}
    for sentence in asked:
        last = ""
        for part in cues.halves.split(sentence):
            topics = list(_asked(part, sentence, known, cues))
            for topic in topics:
                found.setdefault(topic.provision.name, topic)
                last = topic.provision.name
            if not topics and last:  # "…, and on what notice?" asks more of the same
                found[last] = replace(
                    found[last], kinds=tuple(dict.fromkeys((*found[last].kinds, *_kinds(part, cues))))
                )
    return tuple(found.values())


def topic_of_question(words: str, known: Sequence[Provision], cues: BriefCues) -> Topic | None:
    """Return the provision that a question asks about, with the figures it asks for; None where it asks about none."""
    return next(_asked(straight(words), straight(words), known, cues), None)


def _asked(part: str, question: str, known: Sequence[Provision], cues: BriefCues) -> Iterator[Topic]:
    named = [t for t in topics_named(part, known, cues)]
    named = [t for t in named if not is_ambiguous_name(t.words, cues) and not cues.mere.fullmatch(t.words)]
    if not named:
        by_name = {p.name: p for p in known}
        done = [name for name, asks in cues.provisions if asks.search(part) and name in by_name]
        named = [Topic(name, by_name[name]) for name in done[:1]]
    if not named and not cues.judgement.search(part) and len(part.split()) > _FEW:
        named = [Topic(p.name, p) for p in TopicCatalogue(known).asked(part)[:1]]
    for topic in named[:_MOST]:
        yield Topic(topic.words, topic.provision, question=question, kinds=_kinds(part, cues))


def _kinds(part: str, cues: BriefCues) -> tuple[str, ...]:
    return tuple(kind for kind, pattern in cues.figures.items() if pattern.search(part))


def unanswered_part(topic: Topic, said: str, cues: BriefCues) -> str:
    """Return what a question asks of a provision beside its being there and the clause does not say; empty if none."""
    own = " ".join(topic.provision.names)
    for beside in cues.asides:
        if beside.asked.search(topic.question) and not beside.asked.search(own) and not beside.said.search(said):
            return beside.name
    return ""
