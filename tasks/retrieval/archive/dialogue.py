"""What is missing to work on a matter, as questions to a person. The work goes on without an answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from knowledge_db import KnowledgeBase
from tasks.legaltext.fold import straight
from tasks.matter.base import Record
from tasks.retrieval.archive.summary import DocumentSummary, summary_of
from tasks.retrieval.graph.graph import Graph
from tasks.retrieval.named_laws import names_a_place
from tasks.retrieval.research.choice import cues_of
from tasks.retrieval.research.records import Method, Question
from tasks.sources.records import CanonicalText, CoverageEntry, MatterState, Span

_FEWEST = 2  # parties of which one must be the client


class Missing(Record):
    """Something that would have to be known or brought to answer better.

    Attributes:
        about: ``client`` and ``law`` are answered in words (``Question.client``, ``Question.law``), the others by a
            paper.
        question: As it is put to a person.
        choices: Answers that the papers suggest.
        documents: The documents that it is about.
        spans: Where the papers show that it is missing.
    """

    about: Literal["client", "law", "document", "attachment"]
    question: str
    choices: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    spans: tuple[Span, ...] = ()


def missing(
    brief: str,
    questions: Sequence[str],
    state: MatterState,
    texts: Mapping[str, CanonicalText],
    graph: Graph,
    knowledge: KnowledgeBase,
) -> tuple[Missing, ...]:
    """Return what is missing to answer the questions of a brief: client, law, documents, attachments.

    Args:
        brief: The request, verbatim.
        questions: What it asks, one each.
        state: The inventory of the matter.
        texts: Canonical texts by document name.
        graph: The graph of the matter.
        knowledge: Words that tell what is said, and in which it is asked for.
    """
    summaries = [summary_of(d, texts[d.document], knowledge) for d in state.documents if d.document in texts]
    return (
        *_client(brief, summaries, knowledge),
        *_law(brief, questions, summaries, knowledge),
        *(m for entry in state.coverage for m in _document(entry, knowledge)),
        *_attachments(graph, knowledge),
    )


def takes_side(brief: str, knowledge: KnowledgeBase) -> bool:
    """Tell whether a brief says for whom the work is done."""
    patterns = [p for row in knowledge.questions if row.use == "acting" for p in row.patterns]
    return any(re.search(rf"\b{p}", straight(brief), re.I) for p in patterns)


def _client(brief: str, summaries: Sequence[DocumentSummary], knowledge: KnowledgeBase) -> Iterator[Missing]:
    """Ask for whom the work is done where the papers have several parties and the brief takes no side."""
    if takes_side(brief, knowledge):
        return
    parties = tuple(dict.fromkeys(party for s in summaries for party in s.parties))
    if len(parties) >= _FEWEST:
        asked = knowledge.research.dialogue.client.format(parties=_listed(parties))
        yield Missing(about="client", question=asked, choices=parties)


def _law(
    brief: str, questions: Sequence[str], summaries: Sequence[DocumentSummary], knowledge: KnowledgeBase
) -> Iterator[Missing]:
    """Ask which law governs where a question asks for law, and the brief and the papers do not tell one."""
    cues, dialogue = cues_of(knowledge), knowledge.research.dialogue
    asked = (cues.choose(Question(text=q), [Method.KNOWLEDGE]) for q in questions)
    if not any(asked) or names_a_place(" ".join([brief, *questions]), knowledge):
        return
    chosen = {law.law: law.span for s in reversed(summaries) for law in reversed(s.laws)}
    laws = tuple(reversed(chosen))
    if len(laws) > 1:
        spans = tuple(chosen[law] for law in laws)
        documents = tuple(dict.fromkeys(span.document for span in spans))
        said = dialogue.laws.format(laws=_listed(laws))
        yield Missing(about="law", question=said, choices=laws, documents=documents, spans=spans)
    elif not laws:
        yield Missing(about="law", question=dialogue.law)


def _document(entry: CoverageEntry, knowledge: KnowledgeBase) -> Iterator[Missing]:
    if entry.status != "read":
        words = getattr(knowledge.research.dialogue, entry.status)
        reason = entry.failures[0].message if entry.failures else "no text was found."
        asked = words.format(document=entry.document, reason=reason)
        yield Missing(about="document", question=asked, documents=(entry.document,))


def _attachments(graph: Graph, knowledge: KnowledgeBase) -> Iterator[Missing]:
    """Ask once for each document for the attachments that it refers to and that are not there."""
    lost: dict[str, dict[str, Span]] = {}
    for reference in graph.dangling():
        if reference.attachment:
            lost.setdefault(reference.span.document, {}).setdefault(reference.said, reference.span)
    for document, said in lost.items():
        asked = knowledge.research.dialogue.attachment.format(document=document, attachments=_listed(tuple(said)))
        spans = tuple(said.values())
        yield Missing(about="attachment", question=asked, choices=tuple(said), documents=(document,), spans=spans)


def _listed(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
