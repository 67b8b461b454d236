"""The weights of the scorer of answers: which of them move a chance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from flows.bench.liveness.records import ALL, Leaf, with_rows
from flows.bench.liveness.room import papers_read
from knowledge_db.answers import AnswerWeights
from skills_repo.schema import default_procedure
from tasks.asks.records import Ask, AskKind
from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.transcript import Transcript
from tasks.drafting.extractive.ways.finding import asked_documents, find
from tasks.drafting.extractive.ways.question import question_of
from tasks.drafting.extractive.ways.scoring import surety
from tasks.harness import Harness

# Questions whose sentences show every signal: the words, the words with those around them, the kind, the papers.
_ASKED: tuple[tuple[str, str, AskKind, tuple[str, ...]], ...] = (
    ("can Buyer sell oat flour under the marks", "", AskKind.YES_NO, ()),
    ("how much does Supplier pay for the rye", "", AskKind.FACT, ("a.txt",)),
    ("who sends the dentist to the Restricted Area", "", AskKind.FACT, ()),
    ("which law governs", "", AskKind.FACT, ("b.txt",)),
    ("what was paid for the flour", "", AskKind.FACT, ()),
    ("does Buyer assign this Agreement", "", AskKind.YES_NO, ()),
    ("what about it", "what about it, the exclusive right to sell oat flour", AskKind.FACT, ()),
)


def answers(harness: Harness, rows: slice = ALL) -> Iterator[Leaf]:
    """Halve each weight and ask a few questions of a small matter again."""
    known = harness.knowledge.answers
    with papers_read(harness) as (job, readings):
        room = Room(job, readings, default_procedure(), Transcript())
        before = list(_told(room))
        held = {family: getattr(known, family) for family in AnswerWeights.model_fields}
        weights = [(family, *one) for family, group in held.items() for one in group.model_dump().items()]
        for family, name, weight in weights[rows]:
            other = known.model_copy(update={family: held[family].model_copy(update={name: weight / 2})})
            changed = replace(harness, knowledge=with_rows(harness.knowledge, answers=other))
            after = _told(replace(room, job=replace(job, harness=changed)))
            alive = any(one != then for one, then in zip(before, after, strict=True))
            yield Leaf("answers", f"{family}.{name}", alive)


def _told(room: Room) -> Iterator[tuple[Sequence[float], float]]:
    """Yield the chances of the sentences for each question, and how sure the likeliest is."""
    for words, around, kind, documents in _ASKED:
        subject = around or words
        ask = Ask(ask_id="1", words=words, start=0, end=len(words), kind=kind, subject=subject, documents=documents)
        wide = asked_documents(ask, room)
        for found in find(question_of(ask, room.cues, room.notions, room.lines.is_party), ask, wide, room):
            yield [w.chance for w in found.ranked], surety(found.of, found.ranked, wide, room)
