"""Checks whether the places that a draft cites carry what it says: values, names, laws, polarity and key terms."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NamedTuple

from skills_repo.release_gates import CitationGate
from tasks.asks.cues import cues_of
from tasks.legaltext.fold import straight
from tasks.legaltext.sentences import CONTRACT, sentences
from tasks.legaltext.tokens import terms
from tasks.reconcile.check import CheckJob
from tasks.reconcile.draft_view import DraftView
from tasks.reconcile.records import Finding, Grounding
from tasks.reconcile.support.mentions import find_forms, forms_of, laws_in
from tasks.reconcile.support.places import CitedText, Stretch
from tasks.reconcile.support.provisions import HeldProvisions
from tasks.reconcile.support.short_answers import ShortAnswers
from tasks.reconcile.support.statements import Statement, headed, is_labels, labels_of, statements_of
from tasks.reconcile.support.terms import ClauseTerms
from tasks.reconcile.support.values import values_of
from tasks.reconcile.support.wording import Class, Gap, Wording, WordToken, gaps
from tasks.retrieval.provisions import Provision
from tasks.sources.records import CanonicalText, MatterState, Span

_CUT = "…"  # the rest of what was cut may stand in the cited place
_ALIKE = 0.9  # of the best likeness: sentences that a statement may equally retell


SupportKind = Literal["unsupported_statement", "opposite_polarity", "opposite_direction", "wrong_party", "wrong_law"]
"""The ways in which a cited place may contradict a statement."""


class Problem(NamedTuple):
    """What a place does not carry: the kind of finding, what was seen there, and where."""

    kind: SupportKind
    checked: str
    span: Span | None
    remedy: str


@dataclass
class Support:
    """The statements of drafts against the places that they cite."""

    job: CheckJob
    texts: Mapping[str, CitedText]
    provisions: HeldProvisions
    _terms: dict[str, ClauseTerms] = field(default_factory=dict)
    _read: dict[tuple[str, int, int], list[tuple[WordToken, ...]]] = field(default_factory=dict)

    @cached_property
    def settings(self) -> CitationGate:
        """The settings of the gate."""
        return self.job.harness.gates.citation

    def check(self, deliverable: str, view: DraftView, quoted: Sequence[Grounding]) -> Iterator[Finding]:
        """Yield a finding for each statement that a place it cites does not carry.

        Args:
            deliverable: Its file name.
            view: The draft.
            quoted: The quotations of the draft that stand in a source word for word.
        """
        for statement in statements_of(view):
            problem = self._problem(view, statement, quoted)
            if problem is not None:
                yield _finding(deliverable, view, statement, problem)

    def _problem(self, view: DraftView, statement: Statement, quoted: Sequence[Grounding]) -> Problem | None:
        places = self._places(statement)
        names = {c.document for c in statement.citations}
        if len(names) != 1 or statement.citations[0].document not in self.texts:
            return None
        one = _Case(view, statement, str(statement.citations[0].document), places, quoted)
        tests: tuple[Callable[[_Case], Problem | None], ...] = (
            self._stranger, self._other_law, self._turned, self._opposite, self._quotation, self._value, self._topic,
            self._elsewhere,
        )  # fmt: skip
        if statement.shown:
            tests = (self._quotation,)
        return next((p for test in tests if (p := test(one)) is not None), None)

    def _places(self, statement: Statement) -> list[Stretch]:
        found = []
        for citation in statement.citations:
            if citation.document and citation.document in self.texts:
                found += self.texts[citation.document].stretches(citation.place, citation.label)
        return found

    def _wording(self, document: str) -> Wording:
        state = next((d for d in self.job.state.documents if d.document == document), None)
        forms = {e.name: forms_of(e) for e in state.parties} if state else {}
        return Wording(forms, self.job.harness.knowledge.jurisdictions, self.settings)

    # --- names ---

    @cached_property
    def _parties(self) -> Mapping[str, tuple[str, ...]]:
        """Names of the parties of all documents, without their roles: "Tenant" is somebody in each lease."""
        found: dict[str, tuple[str, ...]] = {}
        for document in self.job.state.documents:
            for entity in document.parties:
                found[entity.name] = tuple(f for f in forms_of(entity) if f not in entity.aliases)
        return found

    def _stranger(self, one: _Case) -> Problem | None:
        """Find a party of another document that the cited one never names."""
        text = one.unquoted
        for name, forms in self._parties.items():
            for start, end in find_forms(text, forms):
                said = text[start:end]
                held = find_forms(self.texts[one.document].text, (said,))
                if not held and said.lower() not in self.job.matter.instructions.lower():
                    checked = f"{one.document} does not name “{said}”, a party of another document ({name})."
                    return Problem("wrong_party", checked, None, "Name the party that the cited place names.")
        return None

    def _other_law(self, one: _Case) -> Problem | None:
        """Find a law district that the cited place does not name, while it names another or the document lacks it."""
        known = self.job.harness.knowledge.jurisdictions
        source, said = self.texts[one.document], laws_in(one.unquoted, known)
        there = {law: s for s in one.places for law in source.laws_in(known, s)} if said else {}
        whole = source.laws_in(known, source.whole) if said else set()
        for start, end, law in said:
            if law in there or law in self._given or (law in whole and not (there and one.statement.whole)):
                continue
            names = ", ".join(sorted(there)) or "no such place"
            span = next(iter(there.values()), None) or next(iter(one.places), None)
            checked = f"The cited place of {one.document} names {names}, not “{one.unquoted[start:end]}”."
            return Problem("wrong_law", checked, one.span(span), "Name the law that the cited place names.")
        return None

    @cached_property
    def _given(self) -> frozenset[str]:
        """The law districts that the brief names."""
        known = self.job.harness.knowledge.jurisdictions
        return frozenset(law for _, _, law in laws_in(self.job.matter.instructions, known))

    def _text(self, one: _Case, stretch: Stretch) -> str:
        return self.texts[one.document].text[stretch.start : stretch.end]

    # --- the sentence that is retold ---

    def _turned(self, one: _Case) -> Problem | None:
        """Find a negation, a direction, a party or a law at a place of the sentence where the source has another."""
        said = self._wording(one.document).read(one.unquoted)
        plain = sum(t.kind == "word" for t in said)
        if plain < self.settings.support_words or not one.places or is_labels(one.unquoted):
            return None
        aligned = [(*gaps(said, there), there) for s in one.places for there in self._sentences(one.document, s)]
        best = max((share for share, _, _ in aligned), default=0.0)
        if best < self.settings.support_alike:
            return None
        found = [_contradiction(between) for share, between, _ in aligned if share >= best * _ALIKE]
        certain = [f for f in found if f is not None]
        if not certain or len(certain) < len(found):
            return None
        kind, checked = certain[0]
        return Problem(kind, f"{one.document}: {checked}", one.span(one.places[0]), "Say it as the cited place does.")

    def _sentences(self, document: str, stretch: Stretch) -> list[tuple[WordToken, ...]]:
        key = (document, stretch.start, stretch.end)
        if key not in self._read:
            source, wording = self.texts[document], self._wording(document)
            text = source.text[stretch.start : stretch.end]
            self._read[key] = [tuple(wording.read(text[a:b])) for a, b in sentences(text, CONTRACT)]
        return self._read[key]

    # --- short answers ---

    @cached_property
    def _short(self) -> ShortAnswers:
        knowledge = self.job.harness.knowledge
        return ShortAnswers(Wording({}, {}, self.settings), cues_of(knowledge))

    def _opposite(self, one: _Case) -> Problem | None:
        """Find a short answer whose opposite the cited place says: "Yes", "with cause", "consent is not required"."""
        if not one.statement.whole or not one.places or not (_CUT in one.unquoted or self._is_short(one)):
            return None
        there = " ".join(self._flat(one, p) for p in one.places)
        said = self._said(one, there)
        if not said:
            return None
        checked = f"The cited place of {one.document} says the opposite: {said}."
        return Problem("opposite_polarity", checked, one.span(one.places[0]), "Say it as the cited place does.")

    def _said(self, one: _Case, there: str) -> str:
        """Return what the place says where a short answer says the opposite; empty where it does not."""
        if repeated := self._short.repeated(one.unquoted, there):
            return f"“{repeated}” stands there with another negation"
        if not self._is_short(one):
            return ""
        labels = [*labels_of(one.view, one.statement.start), *headed(one.view, one.statement.start)]
        known = (self.provisions.by_name.get(label) for label in labels)
        turned = (self._short.turned(one.unquoted, p, there) for p in known if p is not None)
        claim = next((t for t in turned if t is not None), None)
        if claim is not None:
            return f"“{claim[1].text}”, not “{claim[0].text}”"
        spans = [s for g in one.quoted for s in g.sources if s.document == one.document]
        quoted = " ".join(self.texts[one.document].text[s.start : s.end] for s in spans)
        answer = self._short.answered(one.unquoted, labels, quoted or there)
        clause = answer or self._short.ruled(one.unquoted, there)
        return f"“{' '.join(clause.split())[:200]}”" if clause else ""

    def _is_short(self, one: _Case) -> bool:
        plain = sum(t.kind == "word" for t in self._wording(one.document).read(one.unquoted))
        return plain < self.settings.support_words or is_labels(one.unquoted)

    def _flat(self, one: _Case, place: Stretch) -> str:
        source = self.texts[one.document]
        return " ".join(straight(f"{source.lead_in(place)} {self._text(one, place)}").split())

    # --- quotations, values and key terms ---

    def _quotation(self, one: _Case) -> Problem | None:
        """Find a quotation that stands in the document, but not in the place cited for it.

        The place of a row is that of its first quotation: those behind it may stand elsewhere.
        """
        if not one.places:
            return None
        source = self.texts[one.document]
        found = [(q, [s for s in q.sources if s.document == one.document]) for q in one.quoted]
        stands = [any(_near(s, p) for s in here for p in one.places) for _, here in found]
        if one.statement.of_row and any(stands):
            return None
        for (_, here), there in zip(found, stands, strict=True):
            if not here or there:
                continue
            parts = [
                t for s in here[:1] for p in one.places if (t := source.text[s.start : s.end]) in self._text(one, p)
            ]
            if not parts:
                checked = f"The words stand in {one.document}{source.where(here[0].start)}, not in the cited place."
                return Problem("unsupported_statement", checked, here[0], "Cite the place that has the words.")
        return None

    def _value(self, one: _Case) -> Problem | None:
        """Find a figure or a date that the document gives elsewhere, while the cited place gives another such, or none.

        Where the place gives one value of the statement, another of a kind that it lacks may be counted from there.
        An answer of a word or two beside a quotation is that of the quotation, not of the clause around it.
        """
        if not one.statement.whole or not one.places:
            return None
        source, said = self.texts[one.document], values_of(one.unquoted)
        there = [v for p in one.places for v in source.values_in(p)] if said else []
        spans = [s for g in one.quoted for s in g.sources if s.document == one.document]
        quoted = [v for s in spans for v in values_of(source.text[s.start : s.end])]
        if is_labels(one.unquoted) and {v.kind for v in said} & {v.kind for v in quoted}:
            there = quoted
        absent = [v for v in said if not any(t.equals(v) for t in there)]
        for value in absent:
            same_kind = [v.text for v in there if v.kind == value.kind]
            if (same_kind or len(absent) == len(said)) and any(v.equals(value) for v in source.values):
                given = f"“{same_kind[0]}”" if same_kind else "nothing like it"
                checked = f"The cited place of {one.document} gives {given}, not “{value.text}”."
                remedy = "Cite the place that gives it, or correct the value."
                return Problem("unsupported_statement", checked, one.span(one.places[0]), remedy)
        return None

    def _topic(self, one: _Case) -> Problem | None:
        """Find an answer labelled as a kind of clause that the document has elsewhere, not in the cited place."""
        if not one.statement.whole or not one.places:
            return None
        for label in labels_of(one.view, one.statement.start):
            sought = self.provisions.by_name.get(label)
            span = self.provisions.held(sought, one.document) if sought else None
            if sought is None or span is None or any(_near(span, p) for p in one.places):
                continue
            lacking = self._lacking(one, sought, span)
            if lacking:
                where = self.texts[one.document].where(span.start)
                checked = (
                    f"Nothing in the cited place of {one.document} speaks of {lacking}; such a clause stands{where}."
                )
                remedy = "Cite the place that speaks of it."
                return Problem("unsupported_statement", checked, span, remedy)
        return None

    def _lacking(self, one: _Case, sought: Provision, held: Span) -> str:
        """Return what the cited place lacks of a kind of clause that stands elsewhere: all of it, or a claim."""
        if not any(self.provisions.carries(sought, one.document, p) for p in one.places):
            return sought.name
        there = " ".join(self._flat(one, p) for p in one.places)
        elsewhere = self.texts[one.document].text[held.start : held.end]
        claimed = self._short.absent(one.unquoted, sought, there) if self._is_short(one) else []
        return next((f"“{e.claim.text}”" for e in claimed if e.pattern.search(elsewhere)), "")

    def _elsewhere(self, one: _Case) -> Problem | None:
        """Find a statement whose key terms stand in another clause of the document, not in the cited one."""
        if not one.statement.whole or not one.places or is_labels(one.unquoted) or _CUT in one.unquoted:
            return None
        if one.document not in self._terms:
            self._terms[one.document] = ClauseTerms(self.texts[one.document])
        named = frozenset(terms(f"{one.document} {one.view.names.titles.get(one.document, '')}"))
        other = self._terms[one.document].better(one.unquoted, named, one.places, self.settings)
        if other is None:
            return None
        checked = f"The cited place of {one.document} has few of its words; {other.label} has most of them."
        return Problem("unsupported_statement", checked, one.span(other), f"Cite {other.label}, if that is meant.")


@dataclass(frozen=True)
class _Case:
    """One statement with the places of the one document that it cites."""

    view: DraftView
    statement: Statement
    document: str
    places: Sequence[Stretch]
    grounded: Sequence[Grounding]

    @cached_property
    def unquoted(self) -> str:
        """The words of the statement without quotations and citations."""
        return self.statement.unquoted(self.view)

    @cached_property
    def quoted(self) -> list[Grounding]:
        """The quotations within the statement."""
        return [g for g in self.grounded if self.statement.start <= g.start < self.statement.end]

    def span(self, stretch: Stretch | None) -> Span | None:
        """Return a stretch as a span of the document."""
        return Span(document=self.document, start=stretch.start, end=stretch.end) if stretch else None


def _near(span: Span, place: Stretch) -> bool:
    return span.start < place.end and place.start < span.end


def _contradiction(between: Sequence[Gap]) -> tuple[SupportKind, str] | None:
    """Return the first difference that reverses the meaning."""
    for gap in between:
        said, there = _sorted(gap.said), _sorted(gap.there)
        odd = len(said["no"]) % 2 != len(there["no"]) % 2
        if odd and not gap.reworded and (said["no"] or not gap.edge or _of_one_party(said, there)):
            what = "has no negation there" if said["no"] else "says “not” there"
            return "opposite_polarity", f"the sentence of the cited place {what}."
        if said["when"] and there["when"] and not {t.value for t in said["when"]} & {t.value for t in there["when"]}:
            return "opposite_direction", f"the cited place says “{there['when'][0].value}”."
        differing: tuple[tuple[Class, SupportKind], ...] = (("party", "wrong_party"), ("law", "wrong_law"))
        for kind, finding in differing:
            own, theirs = {t.value for t in said[kind]}, {t.value for t in there[kind]}
            if own and theirs and not own & theirs:
                return finding, f"the cited place names {', '.join(sorted(theirs))} there."
    return None


def _of_one_party(said: Mapping[Class, list[WordToken]], there: Mapping[Class, list[WordToken]]) -> bool:
    """Say whether both name one party, and the source negates what comes after it: where a statement begins with it."""
    same = {t.value for t in said["party"]} & {t.value for t in there["party"]}
    return bool(same) and all(t.end <= no.start for no in there["no"] for t in there["party"])


def _sorted(tokens: Sequence[WordToken]) -> Mapping[Class, list[WordToken]]:
    kinds: tuple[Class, ...] = ("no", "when", "party", "law")
    return {kind: [t for t in tokens if t.kind == kind] for kind in kinds}


def _finding(deliverable: str, view: DraftView, statement: Statement, problem: Problem) -> Finding:
    kind: SupportKind = problem.kind
    return Finding(
        gate="citation",
        kind=kind,
        deliverable=deliverable,
        text=" ".join(statement.words(view).split())[:400],
        start=statement.start,
        end=statement.end,
        sentence=view.sentence_text(statement.start),
        checked=problem.checked,
        grounding=problem.span,
        remedy=problem.remedy,
    )


def cited_texts(texts: Mapping[str, CanonicalText], state: MatterState) -> Mapping[str, CitedText]:
    """Return the documents as citations divide them, with the figures and dates of the inventory."""
    known = {d.document: d for d in state.documents}
    return {name: CitedText(text, known.get(name)) for name, text in texts.items()}
