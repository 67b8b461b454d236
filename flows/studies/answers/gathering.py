"""Questions with marked answers: of the open requests of the bench, and of contracts that lawyers annotated."""

from __future__ import annotations

import json
import re
import zlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any

import numpy as np

from flows.bench.requests.gold import GoldAsk, Request
from flows.bench.requests.reading import posed
from flows.bench.requests.score import AskVerdict, carried_by
from flows.runs.plan import open_harness
from flows.settings import Settings
from flows.studies.answers.records import SENTENCE, STANDING, Flags, Labelled
from flows.studies.answers.rooms import room_of
from knowledge_db import KnowledgeBase
from tasks.asks.records import Ask, AskKind
from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.ways.finding import asked_documents
from tasks.drafting.extractive.ways.question import Part, parts_of, question_of
from tasks.drafting.extractive.ways.scoring import WORKED_OUT, closely_read, likeliest, says, standing
from tasks.drafting.extractive.ways.signals import SoughtPart, sought
from tasks.drafting.extractive.ways.weighing import Weighed
from tasks.harness import parsed
from tasks.models.access import ModelAccess
from tasks.retrieval.posed import PosedQuestions
from tasks.retrieval.provisions import catalogue_of
from tasks.sources.records import Span

_ANNOTATED = 0.12  # what a question of the annotated contracts counts beside one of a request: its words are a form's
_OF_A_PAPER = 6  # questions taken of one annotated paper
_HALF = 0.5  # share of the shorter of a sentence and a marked passage from which the one stands in the other
_EACH_OTHER = 2  # every second long contract is read
_LIST = 110  # words of the items that follow the sentence that leads to them
_FORM = re.compile(r"^Consider .*?\); |^Consider [^;]*; ", re.S)
_YES_NO = re.compile(r"(?:does|do|is|are|can|may|will|must|has|have|did)\b", re.I)
# The kinds of clauses of the annotated contracts by their names in the catalogue, where these are others.
_KINDS: Mapping[str, str] = MappingProxyType(
    {
        "anti-assignment": "restriction on assignment", "rofr/rofo/rofn": "right of first refusal",
        "unlimited/all-you-can-eat-license": "unlimited license", "revenue/profit sharing": "revenue or profit sharing",
        "nda-1": "marking of confidential information", "nda-3": "oral disclosures", "nda-4": "permitted purpose",
        "nda-5": "disclosure to employees and representatives", "nda-7": "disclosure to third parties",
        "nda-8": "compelled disclosure", "nda-10": "confidentiality of negotiations", "nda-11": "reverse engineering",
        "nda-12": "independent development", "nda-13": "information from third parties",
        "nda-15": "no licence by disclosure", "nda-16": "return or destruction", "nda-17": "copying",
        "nda-18": "solicitation of employees and customers", "nda-19": "survival of confidentiality obligations",
        "nda-20": "retention of copies",
    }
)  # fmt: skip


def of_request(request: Request, data: Path, settings: Settings) -> Iterator[Labelled]:
    """Yield the parts of the questions of a request."""
    with TemporaryDirectory() as place:
        room = room_of(request.paths(data), request.brief, settings, Path(place))
        for gold in request.asks:
            if gold.kind not in ("constraint", "drafting") and gold.expect != "not_attempted":
                for ask in posed(gold, request.brief, room.job.asks.asks):
                    yield from _of_ask(ask, gold, room, request.request_id)


def _of_ask(ask: Ask, gold: GoldAsk, room: Room, group: str) -> Iterator[Labelled]:
    parts = question_of(ask, room.cues, room.notions, room.lines.is_party)
    if all(room.lines.is_party(n) for p in parts for n in p.notions):
        return
    each = ask.each or ask.kind is AskKind.COMPARISON
    wide = asked_documents(ask, room)
    for documents in [[d] for d in wide] if each else [wide]:
        marked = _marked(gold, documents, room)
        for part in parts:
            read = _read(part, ask, documents, room)
            if not read.found:
                continue
            stands = np.array([_stands(w, marked) for w, _ in read.found])
            verdicts = [carried_by(gold, w.line.unit.document, _with_items(w, room)) for w, _ in read.found]
            whole = np.array([v is AskVerdict.RIGHT for v in verdicts])
            some = np.array([v is not AskVerdict.WRONG for v in verdicts])
            answers = (stands if stands.any() else whole) & (gold.expect == "answered")
            carried = (whole | (stands & some)) & (gold.expect == "answered")
            yield read.labelled(group, answers, carried, 1.0 / len(parts), natural=True)


def _marked(gold: GoldAsk, documents: Sequence[str], room: Room) -> list[Span]:
    """Return the places of the passages that the gold marks."""
    found = []
    for answer in gold.answers:
        for name in [answer.document] if answer.document in documents else documents if not answer.document else ():
            found += [s for span in answer.spans for s in _places(span, name, room)]
    return found


def _places(words: str, name: str, room: Room) -> Iterator[Span]:
    pattern = re.compile(r"\s+".join(map(re.escape, words.split())))
    for match in pattern.finditer(room.job.texts[name].text):
        yield Span(document=name, start=match.start(), end=match.end())


def _stands(found: Weighed, marked: Sequence[Span], least: float = 0.0) -> bool:
    unit = found.line.unit
    first, last = unit.start, unit.pieces[-1][1]
    both = ((min(last, s.end) - max(first, s.start), s) for s in marked if s.document == unit.document)
    return any(size > least * min(last - first, s.end - s.start) for size, s in both)


def _with_items(found: Weighed, room: Room) -> str:
    return " ".join(x.unit.text for x in (found.line, *room.lines.items_after(found.line, _LIST)))


def _read(part: Part, ask: Ask, documents: Sequence[str], room: Room, posed: PosedQuestions | None = None) -> _Read:
    of = sought(part, ask, tuple(room.topics.asked(part.words)), documents, room, posed)
    return _Read(of, documents, room, closely_read(of, likeliest(of, documents, room), room))


@dataclass(frozen=True)
class _Read:
    """A part of a question with the sentences that may answer it."""

    of: SoughtPart
    documents: Sequence[str]
    room: Room
    found: Sequence[tuple[Weighed, Mapping[str, float]]]

    def labelled(self, group: str, answers: Flags, carried: Flags, weight: float, *, natural: bool) -> Labelled:
        numbers: dict[object, int] = {}
        weighed = [w for w, _ in self.found]
        standing_of = (standing(self.of, w, self.documents, self.room) for w in weighed)
        return Labelled(
            group=group,
            rows=np.array([[signals[name] for name in SENTENCE] for _, signals in self.found]),
            standing=np.array([[signals[name] for name in STANDING] for signals in standing_of]),
            said=tuple(numbers.setdefault(says(self.of, w, self.room), len(numbers)) for w in weighed),
            answers=answers,
            carried=carried,
            stated=self.of.ask.kind not in WORKED_OUT,
            natural=natural,
            weight=weight,
        )


def of_annotated(folder: Path, settings: Settings) -> Iterator[Labelled]:
    """Yield questions to annotated papers, most in the words of the catalogue's example questions for their clause.

    A classifier of example questions that has learned a question is not asked to read it.
    """
    knowledge = parsed(open_harness(settings)).knowledge
    by_paper: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for name in ("cuad", "contractnli", "privacy_qa"):
        for test in json.loads((folder / "benchmarks" / f"{name}.json").read_text("utf-8"))["tests"]:
            by_paper[test["snippets"][0]["file_path"]].append(test)
    for at, (paper, tests) in enumerate(sorted(by_paper.items())):
        if paper.startswith("cuad/") and at % _EACH_OTHER:
            continue
        with TemporaryDirectory() as place:
            room = room_of([folder / "corpus" / paper], "What is the governing law?", settings, Path(place))
            raw = (folder / "corpus" / paper).read_text("utf-8")
            for test in sorted(tests, key=lambda t: _lot(t["query"] + paper))[:_OF_A_PAPER]:
                yield from _of_test(test, paper, raw, room, knowledge)


def _of_test(test: Mapping[str, Any], paper: str, raw: str, room: Room, knowledge: KnowledgeBase) -> Iterator[Labelled]:
    name = room.readings[0].document
    own = (s for s in test["snippets"] if s["file_path"] == paper)
    marked = [p for s in own for p in _places(raw[s["span"][0] : s["span"][1]], name, room)]
    for words, half in _wordings(test, knowledge) if marked else ():
        kind = AskKind.YES_NO if _YES_NO.match(words) else AskKind.FACT
        ask = Ask(ask_id="1", words=words, start=0, end=len(words), kind=kind, subject=words)
        part = next(iter(parts_of(words, room.cues, room.notions)), None)
        posed = _learned_without(knowledge, half) if half is not None else None
        read = _read(part, ask, [name], room, posed) if part else None
        if read is not None and read.found:
            answers = np.array([_stands(w, marked, _HALF) for w, _ in read.found])
            yield read.labelled(paper, answers, answers, _ANNOTATED, natural=False)


def _wordings(test: Mapping[str, Any], knowledge: KnowledgeBase) -> list[tuple[str, int | None]]:
    """Return a question in two wordings of the catalogue, if it has them, and one in three in its own."""
    kind = str(test.get("category") or test.get("label") or "").lower()
    kind = _KINDS.get(kind, kind)
    posed = next((p.posed for p in knowledge.provisions if p.name.lower() == kind), ())
    drawn = sorted(posed, key=lambda q: _lot(q + str(test["snippets"][0])))[:2]
    own = _FORM.sub("", test["query"])
    return [*((q, _lot(q) % 2) for q in drawn), *([(own, None)] if not drawn or _lot(own + kind) % 3 == 0 else [])]


def _lot(words: str) -> int:
    return zlib.crc32(words.encode())


@lru_cache(maxsize=2)
def _learned_without(knowledge: KnowledgeBase, half: int) -> PosedQuestions:
    """Return the example questions read by those of the other half alone."""
    known = [replace(p, posed=tuple(q for q in p.posed if _lot(q) % 2 != half)) for p in catalogue_of(knowledge)]
    return PosedQuestions(known, ModelAccess({}).client("wordllama", "embeddings").embed)
