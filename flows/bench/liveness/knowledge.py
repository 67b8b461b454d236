"""The families of the knowledge: which of their rows and cues act.

A row is dropped, or one of its cues removed, and the question that the row answers is asked again.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from flows.bench.liveness.records import Leaf, fewer, with_rows, without
from flows.bench.liveness.witness import witness
from knowledge_db import KnowledgeBase
from knowledge_db.jurisdictions import applies, codes_in
from knowledge_db.records import DeliverableType, ProvisionEntry
from knowledge_db.tables import knowledge_tables
from tasks.drafting.extractive.brief import topics
from tasks.drafting.extractive.find_provision import find_provision
from tasks.drafting.extractive.identity import identify
from tasks.drafting.extractive.points import sought
from tasks.drafting.extractive.units import Unit
from tasks.harness import Harness
from tasks.legaltext.fold import straight
from tasks.retrieval.provisions import Provision, provision, weigh
from tasks.retrieval.topics import TopicCatalogue
from tasks.sources.records import CanonicalText

_BEST = 60  # how deep a row may stand in the answer to its own name


def authorities(harness: Harness) -> Iterator[Leaf]:
    """Look up each authority by its citation and by its words."""
    base = harness.knowledge
    for row in base.authorities:
        place = frozenset({row.jurisdiction})
        found = base.search_authorities(f"{row.citation} {row.title}", _BEST, place)
        yield Leaf("authorities", row.citation, any(r["citation"] == row.citation for r in found))
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
                ask = {"filename": "x.docx", asked: cue if field != "filename" else f"{cue}{_suffix(kind)}"}
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
    return with_rows(base, deliverables=(kind, *general)).skeleton(**asked)


def inference(harness: Harness) -> Iterator[Leaf]:
    """Drop each rule and read a document in which its cue appears."""
    base = harness.knowledge
    for rule in base.inference:
        text = witness(rule.pattern) or ""
        asked = ("", text) if rule.where != "filename" else (text, "")
        with_it = with_rows(base, inference=(rule,)).infer_type(*asked)
        yield Leaf("inference", f"{rule.document_type}: {rule.pattern[:60]}", bool(with_it))
        for name, other in fewer(rule, "retrieve"):
            alive = with_it != with_rows(base, inference=(other,)).infer_type(*asked)
            yield Leaf("inference", f"{rule.document_type}: {name}", alive)


_RIVAL = ProvisionEntry(name="quiet enjoyment of moorings", strong=("moorings",))
_WEIGHED = ("strong", "support", "against", "veto", "headings")


def provisions(harness: Harness) -> Iterator[Leaf]:
    """Remove each pattern and name from its provision, then weigh, search for or read a clause that depends on it."""
    for entry in harness.knowledge.provisions:
        for field in _WEIGHED:
            for name, other in fewer(entry, field):
                pattern = name.partition(": ")[2]
                alive = any(_weighed(entry, other, field, pattern, seed) for seed in range(60))
                yield Leaf("provisions", f"{entry.name}: {name[:80]}", alive)
        for field in ("asked", "unasked", "aliases"):
            for name, other in fewer(entry, field):
                alive = _asked_otherwise(entry, other, field, name.partition(": ")[2])
                yield Leaf("provisions", f"{entry.name}: {name[:80]}", alive)
        yield from _single(entry)


def _weighed(entry: ProvisionEntry, other: ProvisionEntry, field: str, pattern: str, seed: int) -> bool:
    """Tell whether a clause gets another weight without a pattern."""
    cue = straight(witness(pattern, seed=seed) or "")
    strong = [straight(witness(p, seed=seed) or "") for p in entry.strong] or [""]
    before, after = provision(entry), provision(other)
    if field == "strong":
        return _weights(before, cue, "") != _weights(after, cue, "")
    for base in strong:
        if field == "headings":
            if _weights(before, base, cue) != _weights(after, base, cue):
                return True
        elif any(_weights(before, t, "") != _weights(after, t, "") for t in (f"{base} {cue}", f"{cue} {base}", cue)):
            return True
    return False


def _weights(sought_for: Provision, text: str, heading: str) -> float:
    return weigh(sought_for, re.sub(r"\s+", " ", text), heading)


def _asked_otherwise(entry: ProvisionEntry, other: ProvisionEntry, field: str, cue: str) -> bool:
    """Tell whether a question finds other provisions without a cue or a name."""
    for seed in range(30):
        text = cue if field == "aliases" else straight(witness(cue, seed=seed) or "")
        question = text
        if field == "unasked":
            question = f"{entry.name} {text}" if seed % 2 else f"{text} {entry.name}"
        setting = f"{witness(entry.within, seed=seed) or ''} {question}" if entry.within else ""
        if field == "asked":  # a cue goes before the names that other provisions have in the same question
            question = f"{question} {_RIVAL.name}"
        before, after = (
            TopicCatalogue([provision(e), provision(_RIVAL)]).asked(question, setting) for e in (entry, other)
        )
        if [p.name for p in before] != [p.name for p in after]:
            return True
    brief = f"For each agreement give the {cue}."
    return field == "aliases" and _topics(brief, entry) != _topics(brief, other)


def _topics(brief: str, entry: ProvisionEntry) -> list[tuple[bool, str]]:
    """Return which topics of a brief the catalogue knows, and how the draft calls them."""
    known = (provision(entry),)
    asked = (brief, f"For each agreement give the {entry.name}.")
    return [(topic.provision.known, topic.heading) for text in asked for topic in topics(text, known)]


def _single(entry: ProvisionEntry) -> Iterator[Leaf]:
    if entry.within:
        here = witness(entry.within) or ""
        question = entry.name if not entry.asked else straight(witness(entry.asked[0]) or "")
        topics = TopicCatalogue([provision(entry)])
        alive = bool(topics.asked(question, f"{here} {question}")) and not topics.asked(question, "zzz")
        yield Leaf("provisions", f"{entry.name}: within", alive)
    for at, effect in enumerate(entry.effects):
        less = entry.model_copy(update={"effects": without(entry.effects, at)})
        text = straight(witness(effect.when) or "")
        yield Leaf("provisions", f"{entry.name}: effect {effect.says}", _effects(entry, text) != _effects(less, text))
    yield from _bounds(entry)
    if entry.denial:
        silent = entry.model_copy(update={"denial": ""})
        text = straight(witness(entry.denial) or "")
        yield Leaf("provisions", f"{entry.name}: denial", _is_denied(entry, text) != _is_denied(silent, text))


def _bounds(entry: ProvisionEntry) -> Iterator[Leaf]:
    """Change the threshold of a clause, how many are quoted, and the action recommended for one."""
    cues = [straight(witness(p) or "") for p in entry.strong]
    if cues:
        units, texts = _clauses(entry)
        for name, value in (("threshold", 1000.0), ("max_quotes", 1 if entry.max_quotes > 1 else 2)):
            other = entry.model_copy(update={name: value})
            found = (find_provision(provision(e), units, texts).chosen for e in (entry, other))
            yield Leaf("provisions", f"{entry.name}: {name}", len({len(chosen) for chosen in found}) == 2)
        meaning = f'"Words" means {cues[0]}'
        other = entry.model_copy(update={"defined": not entry.defined})
        alive = weigh(provision(entry), meaning) != weigh(provision(other), meaning)
        yield Leaf("provisions", f"{entry.name}: defined", alive)


def _clauses(entry: ProvisionEntry) -> tuple[list[Unit], list[str]]:
    """Return clauses that match a provision by their words, by supporting words, and by their headings."""
    texts = []
    for seed in range(12):
        made = [straight(witness(p, seed=seed) or "") for p in entry.strong]
        backing = [straight(witness(p, seed=seed) or "") for p in entry.support]
        texts += [f"{words} {seed}" for words in made]
        texts += [f"{words} {back} {seed}" for words in made for back in (*backing, " ".join(backing))]
        texts.append(f"{' '.join(made)} {seed}")
    heading = straight(witness(entry.headings[0]) or "") if entry.headings else ""
    best = max(texts, key=lambda text: weigh(provision(entry), text, heading))
    texts += [f"{best} {n}" for n in range(21)]
    return [_unit(text, 10_000 * n, heading) for n, text in enumerate(texts)], texts


def _effects(entry: ProvisionEntry, text: str) -> list[str]:
    return [says for says, pattern in provision(entry).effects if pattern.search(text)]


def _is_denied(entry: ProvisionEntry, text: str) -> bool:
    return bool(find_provision(provision(entry), [_unit(text)], [text]).denials)


def _unit(text: str, at: int = 0, heading: str = "") -> Unit:
    return Unit(document="a", pieces=((at, at + len(text)),), text=text, heading=heading, label="", page="", block=at)


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


def jurisdictions(harness: Harness) -> Iterator[Leaf]:
    """Look for each law district by each of its names."""
    from tasks.drafting.extractive.law import named_laws

    known = harness.knowledge.jurisdictions
    for name, usual in known.items():
        rest = {n: u for n, u in known.items() if n != name}
        clauses = (f"This Agreement is governed by {of}{name}." for of in ("the laws of ", ""))
        alive = any(named_laws(clause, known) != named_laws(clause, rest) for clause in clauses)
        yield Leaf("jurisdictions", f"{name} ({usual})", alive or _parties(name, known) != _parties(name, rest))


def districts(harness: Harness) -> Iterator[Leaf]:
    """Remove each code, sign and membership, and ask whose law a text names and what law applies there."""
    folder = harness.knowledge.folder
    content = tomllib.loads((folder / "jurisdictions" / "jurisdictions.toml").read_text(encoding="utf-8"))
    with TemporaryDirectory() as place:
        for number, (table, name) in enumerate((t, n) for t in ("codes", "signs") for n in content[t]):
            less = {**content, table: {k: v for k, v in content[table].items() if k != name}}
            other = _written(Path(place) / str(number), less)
            texts = [f"as in {n} now" for n in (name, *(a for a, usual in content["aliases"].items() if usual == name))]
            alive = any(codes_in(text, folder) != codes_in(text, other) for text in texts)
            yield Leaf("jurisdictions", f"{table}: {name}", alive)
        for union, members in content["members"].items():
            for member in members:
                less = {**content, "members": {union: [m for m in members if m != member]}}
                other = _written(Path(place) / f"{union}-{member}", less)
                there = frozenset({member})
                alive = applies(union, there, folder) != applies(union, there, other)
                yield Leaf("jurisdictions", f"members {union}: {member}", alive)


def _written(folder: Path, content: Mapping[str, Any]) -> Path:
    """Write a table of law districts below a folder, and return the folder."""

    def line(key: str, value: Any, quoted: bool = True) -> str:
        return f"{json.dumps(key, ensure_ascii=False) if quoted else key} = {json.dumps(value, ensure_ascii=False)}"

    lines = [line(k, v, quoted=False) for k, v in content.items() if isinstance(v, list)]
    for table, rows in content.items():
        if isinstance(rows, dict):
            lines += [f"[{table}]", *(line(k, v) for k, v in rows.items())]
    path = folder / "jurisdictions" / "jurisdictions.toml"
    path.parent.mkdir(parents=True)
    path.write_text("\n".join(lines), encoding="utf-8")
    return folder


def provenance(harness: Harness) -> Iterator[Leaf]:
    """Drop each source of provenance: rows that name it would have an unknown one, and the expectations would fail."""
    folder = harness.knowledge.folder
    tables = knowledge_tables(folder)
    named = {str(row["provenance"]) for rows in tables.values() for row in rows if row.get("provenance")}
    for row in tables["sources"]:
        yield Leaf("provenance", row["source"], any(name.startswith(row["source"]) for name in named))


def _parties(name: str, places: Mapping[str, str]) -> tuple[str, ...]:
    """Return the parties of an agreement that names a place where a party is expected: a place is not a party."""
    head = f"LEASE AGREEMENT\n\nThis Lease is made by and between Alder Co., Inc. and {name} and Birch Co., LLC.\n"
    text = CanonicalText(document="a.txt", sha256="0" * 64, extractor="txt/0", media="txt", text=head)
    return identify(text, places).parties


def law_texts(harness: Harness) -> Iterator[Leaf]:
    """Drop each held text of the law and quote from it."""
    from tasks.reconcile.law.quotes import LawLibrary

    rows = harness.knowledge.law_texts
    library = LawLibrary({}, rows)
    rules = {row.citation for row in rows}
    for citation in sorted(rules):
        others = LawLibrary({}, [row for row in rows if row.citation == citation])
        for row in (r for r in rows if r.citation == citation):
            less = LawLibrary({}, [r for r in rows if r.citation == citation and r != row])
            name = f"{row.citation}{row.subdivision}"
            words = " ".join(row.text.split()[:40])
            alive = others.check(name, words).outcome != less.check(name, words).outcome
            yield Leaf("law_texts", name, alive and library.check(name, words).outcome == "verified")


PROBES: tuple[Callable[[Harness], Iterator[Leaf]], ...] = (
    authorities,
    synonyms,
    deliverables,
    inference,
    provisions,
    vocabulary,
    jurisdictions,
    districts,
    law_texts,
    provenance,
)
