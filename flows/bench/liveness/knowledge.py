"""The families of the knowledge: which of their rows and cues act.

A row is dropped, or one of its cues removed, and the question that the row answers is asked again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from flows.bench.liveness.answers import answers
from flows.bench.liveness.briefs import ASK_USES, brief_words
from flows.bench.liveness.districts import districts, jurisdictions
from flows.bench.liveness.document_types import inference
from flows.bench.liveness.litigation import litigation
from flows.bench.liveness.provisions import provisions
from flows.bench.liveness.queries import queries
from flows.bench.liveness.records import ALL, Leaf, fewer, with_rows, without
from flows.bench.liveness.research import methods, research
from flows.bench.liveness.witness import witness
from knowledge_db import KnowledgeBase
from knowledge_db.answering import Answers, Together
from knowledge_db.reading import EntryQuestion, Reader
from knowledge_db.records import (
    OF_A_CLAUSE,
    OF_A_SEARCH,
    OF_RESEARCH,
    BriefCue,
    DeliverableType,
    PopularName,
    wider_citations,
)
from knowledge_db.standing import Standings
from knowledge_db.tables import knowledge_tables
from knowledge_db.vocabulary import Vocabulary
from tasks.asks.cues import BriefCues, cues_of
from tasks.drafting.extractive.points import sought
from tasks.drafting.extractive.ways.notions import Notions, Written
from tasks.harness import Harness
from tasks.legaltext.fold import straight

_BEST = 60  # how deep a row may stand in the answer to its own name


def authorities(harness: Harness, rows: slice = ALL) -> Iterator[Leaf]:
    """Look up each authority by its citation and by its words."""
    base = harness.knowledge
    for row in base.authorities[rows]:
        place = frozenset({row.jurisdiction})
        asked = f"{row.citation} {row.title}"  # most are the best answer to it, and a long answer is slow to make
        answers = (base.search_authorities(asked, k, place) for k in (1, _BEST))
        yield Leaf("authorities", row.citation, any(r["citation"] == row.citation for found in answers for r in found))
        if row.keywords:
            alone = with_rows(base, authorities=(row,), windows=(), synonyms=())
            bare = with_rows(base, authorities=(row.model_copy(update={"keywords": ()}),), windows=(), synonyms=())
            asked = " ".join(row.keywords)
            alive = alone.search_authorities(asked, 1) != bare.search_authorities(asked, 1)
            yield Leaf("authorities", f"{row.citation}: keywords", alive)


def synonyms(harness: Harness) -> Iterator[Leaf]:
    """Remove each other name from its concept and search by that name."""
    base = harness.knowledge
    for row in base.synonyms:
        alone = with_rows(base, synonyms=(row,))
        for name, other in fewer(row, "aliases"):
            asked = name.partition(": ")[2]
            alive = alone.related(asked) != with_rows(base, synonyms=(other,)).related(asked)
            yield Leaf("synonyms", f"{row.concept}: {asked}", alive)


def deliverables(harness: Harness) -> Iterator[Leaf]:
    """Remove each cue and section from its kind of deliverable and ask for the required form."""
    base = harness.knowledge
    for kind in base.deliverables:
        for field, asked in (("filename", "filename"), ("title", "title"), ("instructions", "instructions")):
            for name, other in fewer(kind, field):
                cue = name.partition(": ")[2].rstrip("*")
                ask = {"filename": f"x{_suffix(kind)}", asked: cue if field != "filename" else f"{cue}{_suffix(kind)}"}
                yield Leaf("deliverables", f"{kind.type_id}: {name}", _form(base, kind, ask) != _form(base, other, ask))
        ask = _named(kind)
        for name, other in fewer(kind, "sections"):
            yield Leaf(
                "deliverables", f"{kind.type_id}: {name[:60]}", _form(base, kind, ask) != _form(base, other, ask)
            )
        for name, other in fewer(kind, "suffixes"):
            asks = (_named(kind, suffix) for suffix in (name.partition(": ")[2], ".other"))
            alive = any(_form(base, kind, one) != _form(base, other, one) for one in asks)
            yield Leaf("deliverables", f"{kind.type_id}: {name}", alive)
        for at, section in enumerate(kind.sections):
            for name, less in fewer(section, "aliases"):
                other = kind.model_copy(update={"sections": (*kind.sections[:at], less, *kind.sections[at + 1 :])})
                alive = _form(base, kind, ask) != _form(base, other, ask)
                yield Leaf("deliverables", f"{kind.type_id}: {section.title}: {name}", alive)


def _suffix(kind: DeliverableType) -> str:
    return kind.suffixes[0] if kind.suffixes else ".docx"


def _named(kind: DeliverableType, suffix: str = "") -> dict[str, str]:
    cue = next(iter(kind.filename), "")
    asked = {"filename": f"{cue.rstrip('*')}{suffix or _suffix(kind)}"}
    if not cue:
        asked |= {"title": next((c.rstrip("*") for c in kind.title), "")}
        asked |= {"instructions": next((c.rstrip("*") for c in kind.instructions), "")}
    return asked


def _form(base: KnowledgeBase, kind: DeliverableType, asked: dict[str, str]) -> dict[str, Any]:
    general = tuple(k for k in base.deliverables if k.type_id == "memorandum" != kind.type_id)
    if any(section.title == "Signatures" for section in kind.sections):  # it has its form where it is to be drafted
        drafted = " ".join(f"Draft {c.rstrip('*')}." for c in (*kind.filename, *kind.instructions)[:1])
        asked = asked | {"instructions": f"{asked.get('instructions', '')} {drafted}"}
    return with_rows(base, deliverables=(kind, *general)).skeleton(**asked)


def questions(harness: Harness, rows: slice = ALL) -> Iterator[Leaf]:
    """Take each word away from the cues of a brief, and read a brief that has it."""
    base = harness.knowledge
    uses = (*OF_A_CLAUSE, *OF_A_SEARCH, *OF_RESEARCH)
    for row in [row for row in base.questions if row.use not in uses][rows]:
        if row.use in ASK_USES:
            yield from brief_words(base, row)
            continue
        alone = cues_of(with_rows(base, questions=(row, *_AROUND)))
        for name, other in fewer(row, "patterns"):
            left = (other,) if other.patterns else ()
            less = cues_of(with_rows(base, questions=(*left, *_AROUND)))
            words = [straight(witness(name.partition(": ")[2], seed=seed) or "") for seed in range(20)]
            alive = any(_briefly(alone, row, word) != _briefly(less, row, word) for word in words)
            yield Leaf("questions", f"{row.use}: {row.name}: {name}", alive)


# The words around the one that is looked at, where the grammar needs some.
_AROUND = (BriefCue(use="question_word", patterns=("qqwhich",)),)


def _briefly(cues: BriefCues, row: BriefCue, word: str) -> bool:
    """Say whether the grammar of briefs meets a word in its place."""
    places: dict[str, tuple[re.Pattern[str], str]] = {
        "opener": (cues.question, f"{word} qqwhich law"),
        "ask": (cues.question, f"{word} qqwhich law"),
        "question_word": (cues.question, f"{word} law"),
        "second_question_word": (cues.halves, f"this and {word} law"),
        "leading": (cues.leading, f"{word} rent"),
        "trailing": (cues.trailing, f"rent {word}"),
        "file": (cues.output, f"{word}: memo.docx"),
    }
    if row.use in places:
        pattern, text = places[row.use]
        return bool(pattern.search(text))
    named = {"want": cues.wants, "pose": cues.poses, "stance": cues.stances, "form": cues.forms}
    if row.use in named:
        return any(asks.search(word) for asks in named[row.use].values())
    own: re.Pattern[str] = getattr(cues, row.use)
    return bool(own.fullmatch(word) if row.use in ("mere", "vague", "filler") else own.search(word))


def vocabulary(harness: Harness) -> Iterator[Leaf]:
    """Remove each word from its family and look for a point that is named by it."""
    known = harness.knowledge.vocabulary
    for at, family in enumerate(known.families):
        for position, stem in enumerate(family):
            less = without(family, position)
            rest = (*known.families[:at], *((less,) if less else ()), *known.families[at + 1 :])
            other = replace(known, families=rest)
            alive = any(sought(s.rstrip("$"), known) != sought(s.rstrip("$"), other) for s in family)
            yield Leaf("vocabulary", f"family {family[0]}: {stem}", alive)
    for topic, names in known.synonyms.items():
        for name in names:
            others = {**known.synonyms, topic: tuple(n for n in names if n != name)}
            alive = sought(topic, known) != sought(topic, replace(known, synonyms=others))
            yield Leaf("vocabulary", f"synonym {topic}: {name}", alive)
    for kind, words in known.answered_by.items():
        for word in sorted(words):
            rest_of = {**known.answered_by, kind: words - {word}}
            alive = sought(word, known) != sought(word, replace(known, answered_by=rest_of))
            yield Leaf("vocabulary", f"answered_by {kind}: {word}", alive)
    for word in sorted(known.stand_ins):
        less_of = replace(known, stand_ins=known.stand_ins - {word})
        topic = f"{word} holiday"
        yield Leaf("vocabulary", f"stand_in: {word}", sought(topic, known) != sought(topic, less_of))


def plain_words(harness: Harness) -> Iterator[Leaf]:
    """Take each word away from what people say and what papers write for it, and read a question that has it."""
    known = harness.knowledge.vocabulary
    for row in known.plain:
        alone = replace(known, plain=(row,))
        for field, words in (("said", row.said), ("written", row.written)):
            for word in words:
                rest = tuple(w for w in words if w != word)
                other = replace(
                    known, plain=(replace(row, said=rest) if field == "said" else replace(row, written=rest),)
                )
                asked = [word] if field == "said" else row.said
                alive = any(_read_as(alone, said) != _read_as(other, said) for said in asked)
                yield Leaf("vocabulary", f"plain {row.said[0]}: {field}: {word}", alive)
        other = replace(known, plain=(replace(row, thing=not row.thing),))
        yield Leaf(
            "vocabulary", f"plain {row.said[0]}: thing", _read_as(alone, row.said[0]) != _read_as(other, row.said[0])
        )


def _read_as(known: Vocabulary, said: str) -> list[tuple[int, int, tuple[Written, ...]]]:
    """Return how words of a question are read."""
    notions = Notions(known)
    return list(notions.written_for(notions.words(said)))


def provenance(harness: Harness) -> Iterator[Leaf]:
    """Drop each source of provenance: rows that name it would have an unknown one, and the expectations would fail."""
    folder = harness.knowledge.folder
    tables = knowledge_tables(folder)
    named = {str(row["provenance"]) for rows in tables.values() for row in rows if row.get("provenance")}
    for row in tables["sources"]:
        yield Leaf("provenance", row["source"], any(name.startswith(row["source"]) for name in named))


def law_texts(harness: Harness, of_rules: slice = ALL) -> Iterator[Leaf]:
    """Drop each held text of the law and quote from it."""
    from tasks.reconcile.law.quotes import LawLibrary

    rows = harness.knowledge.law_texts
    library = LawLibrary({}, rows)
    rules = {row.citation for row in rows}
    for citation in sorted(rules)[of_rules]:
        others = LawLibrary({}, [row for row in rows if row.citation == citation])
        for row in (r for r in rows if r.citation == citation):
            less = LawLibrary({}, [r for r in rows if r.citation == citation and r != row])
            name = f"{row.citation}{row.subdivision}"
            words = " ".join(row.text.split()[:40])
            alive = others.check(name, words).outcome != less.check(name, words).outcome
            yield Leaf("law_texts", name, alive and library.check(name, words).outcome == "verified")
            if row.heading:
                bare = LawLibrary({}, [row.model_copy(update={"heading": ""})])
                said = f"{row.heading}. {words}"
                yield Leaf("law_texts", f"{name}: heading", others.check(name, said) != bare.check(name, said))


def ranking(harness: Harness, rows: slice = ALL) -> Iterator[Leaf]:
    """Change each word and weight by which authorities are ranked, and ask questions in the words of some of them."""
    whole = harness.knowledge
    windows = whole.windows[::12]
    setting = {wider for row in windows for wider in wider_citations(row.authority)}
    some = [row for at, row in enumerate(whole.authorities) if not at % 12 or row.citation in setting]
    held = {"authorities": tuple(some), "windows": windows, "synonyms": whole.synonyms, "names": whole.names,
            "asked": whole.asked}  # fmt: skip
    base = with_rows(whole, **held, ranking=whole.ranking)
    words = ("of_time", "of_cases", "of_statutes", "frame")
    for name, other in [one for field in words for one in fewer(base.ranking, field)][rows]:
        asked = f"{name.partition(': ')[2]} to vacate an arbitral award"
        alive = _read(base, asked) != _read(with_rows(whole, **held, ranking=other), asked)
        yield Leaf("ranking", name, alive)
    places = ("", " in New York", " in Germany", " in Utah")
    asked_of = [f"deadline to {row.action} {row.trigger}" for row in base.windows[::6]]
    asked_of += [f"{row.trigger} (not {row.regime})" for row in base.windows[::6]]
    asked_of += [f"{row.trigger} came first, time to {row.action}" for row in base.windows[::6]]
    asked_of += [f"{' '.join(row.keywords[:2])}{place} of cats" for row in base.authorities[::6] for place in places]
    asked_of += [f"{row.keywords[0]} case" for row in base.authorities[::6] if row.keywords]
    said = [row.keywords[0].title() for row in base.authorities[::15] if row.keywords]
    acts = [f"relief under the {one} {other} Act of 1999" for one, other in pairwise(said)]
    asked_of += [f"{row.said} notice" for row in base.names if row.means]
    cited = {row.citation for row in some}
    asked_of += [f"{row.asked[0]} of cats" for row in base.asked if row.citation in cited][::6]
    before = _Remembered(_answers(base, asked_of))
    before_acts = _Remembered(_answers(base, acts))
    for name, weight in [*base.ranking.model_dump(exclude={*words, "choice"}).items()][rows]:
        other = base.ranking.model_copy(update={name: weight / 2})
        weighed = with_rows(whole, **held, ranking=other)
        pairs = [(before_acts, acts)] if name == "instrument" else [(before, asked_of), (before_acts, acts)]
        answered = ((then, _answers(weighed, questions)) for then, questions in pairs)
        alive = any(one != other for then, after in answered for one, other in zip(then, after, strict=False))
        yield Leaf("ranking", name, alive)
    read = _Remembered(_answers(base, asked_of, _in_common))
    choice = base.ranking.choice
    for name, weight in [*choice.model_dump().items()][rows]:
        less = choice.model_copy(update={name: type(weight)(weight / 2)})
        after = _answers(with_rows(whole, **held, ranking=base.ranking.model_copy(update={"choice": less})), asked_of,
                         _in_common)  # fmt: skip
        yield Leaf("ranking", f"choice: {name}", any(one != other for one, other in zip(read, after, strict=False)))


def _in_common(question: str, texts: Sequence[str]) -> list[float]:
    """Read a question and rows together, in place of a model: by the words that they have in common."""
    asked = {*question.casefold().split()}
    return [float(len(asked & {*text.casefold().split()})) - 3.0 for text in texts]


class _Remembered:
    """Answers that are made when they are first asked for, and can be gone through again and again."""

    def __init__(self, answers: Iterator[list[tuple[str, float]]]) -> None:
        self._coming = answers
        self._made: list[list[tuple[str, float]]] = []

    def __iter__(self) -> Iterator[list[tuple[str, float]]]:
        yield from self._made
        for answer in self._coming:
            self._made.append(answer)
            yield answer


def _read(base: KnowledgeBase, asked: str) -> EntryQuestion:
    return Reader(base, lambda: {}).read(asked)


def names(harness: Harness, rows: slice = ALL) -> Iterator[Leaf]:
    """Take away each popular name, what it means and its place, and read a question that says it."""
    whole = harness.knowledge
    few = {"authorities": (), "windows": (), "synonyms": (), "asked": (), "ranking": whole.ranking}
    without_any = with_rows(whole, **few, names=())
    for row in whole.names[rows]:
        asked = f"notice of {row.said} to creditors"
        others: list[tuple[str, PopularName | None]] = [("", None)]
        if row.means and row.place:
            others = [(f": {field}", row.model_copy(update={field: ""})) for field in ("means", "place")]
        for field, less in others:
            other = without_any if less is None else with_rows(whole, **few, names=(less,))
            alive = _read(with_rows(whole, **few, names=(row,)), asked) != _read(other, asked)
            yield Leaf("names", f"{row.said}{field}", alive)


def asked(harness: Harness, rows: slice = ALL) -> Iterator[Leaf]:
    """Take away each question by which an authority is known to be asked for, and ask it."""
    whole = harness.knowledge
    held = {row.citation: row for row in whole.authorities}
    periods = {row.window_id: row for row in whole.windows}
    few: dict[str, Any] = {"synonyms": (), "names": (), "ranking": whole.ranking}
    for row in whole.asked[rows]:
        found = tuple(held[c] for c in (row.citation,) if c in held)
        few["windows"] = tuple(periods[c] for c in (row.citation,) if c in periods)
        base = with_rows(whole, **few, authorities=found, asked=(row,))
        for name, less in fewer(row, "asked"):
            other = with_rows(whole, **few, authorities=found, asked=(less,) if less.asked else ())
            question = name.partition(": ")[2]
            told = [[r["score"] for f in Answers(one).find(question, 1) for r in (*f.rows, *f.nearest)]
                    for one in (base, other)]  # fmt: skip
            yield Leaf("asked", f"{row.citation}: {name}", told[0] != told[1])


def _answers(
    base: KnowledgeBase, questions: Sequence[str], together: Together | None = None
) -> Iterator[list[tuple[str, float]]]:
    """Yield the answers to one question after the other, for whoever stops at the first that differs."""
    answers = Answers(base, together)
    for asked in questions:
        rows = [row for found in answers.find(asked, 5) for row in found.rows]
        yield [(row["title" if "title" in row else "regime"], row["score"]) for row in rows]


def standings(harness: Harness) -> Iterator[Leaf]:
    """Drop each change of the law and each check of a row, and tell the standing of the rows again."""
    base = harness.knowledge
    rows = [row.model_dump() for row in (*base.authorities, *base.windows)]
    told = [base.standings.of(row) for row in rows]
    for at, change in enumerate(base.standings.changes):
        alive = any(f"{change.since}: {change.what}" in one.changed_since for one in told)
        yield Leaf("changes", f"{change.citation} {change.since} ({at})", alive)
    known = {row.get("window_id") or row["citation"]: row for row in rows}
    bare = Standings(base.folder)
    vars(bare).update(changes=base.standings.changes, checks=())
    for check in base.standings.checks:
        row = known.get(check.entry)
        alive = row is not None and bare.of(row) != base.standings.of(row)
        yield Leaf("checks", check.entry, alive)


PROBES: tuple[Callable[[Harness], Iterator[Leaf]], ...] = (
    authorities,
    synonyms,
    deliverables,
    inference,
    questions,
    queries,
    methods,
    research,
    provisions,
    vocabulary,
    plain_words,
    jurisdictions,
    districts,
    law_texts,
    asked,
    ranking,
    answers,
    names,
    litigation,
    standings,
    provenance,
)
