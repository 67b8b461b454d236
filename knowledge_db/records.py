"""The rows of the knowledge families. Every row says where it comes from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from functools import lru_cache
from itertools import pairwise
from typing import Annotated, Final, Literal, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator


@lru_cache(maxsize=16_384)
def cue(pattern: str) -> re.Pattern[str]:
    """Compile a pattern of the knowledge, blind to case, once for each process.

    The catalogue holds thousands of patterns, more than the interpreter remembers.
    """
    return re.compile(pattern, re.IGNORECASE)


def _compiles(pattern: str) -> str:
    """Return a regular expression that compiles."""
    try:
        cue(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        raise ValueError(f"{pattern!r} is not a valid regular expression: {error}") from error
    return pattern


Expression = Annotated[str, AfterValidator(_compiles)]


# Subdivision at the end: "(1)" or " Abs. 1 Satz 2", also before the name of the code; behind a comma: ", § 1", ", IV";
# or behind a point, of an article or of a rule of the Supreme Court: "art. 50.1", "Sup. Ct. R. 13.1".
_ABSATZ = r"\sAbs\. \d\w?(?: (?:Satz|Nr\.) \d\w?)*"
_SUBDIVISION = re.compile(
    rf"(.*\S)\s*(?:(?:\([^()\s]{{1,6}}\)|{_ABSATZ})(\s[^()]*)?|, (?:§ \d+|[IVXL]+|[a-z]|al\. \d+|parágrafo único))"
    r"|(.*\bart\. \d+|Sup\. Ct\. R\. \d+)\.\d{1,2}"
)


def wider_citations(citation: str) -> Iterator[str]:
    """Yield a citation and what it is a part of: without its last subdivision, and so on.

    The subdivision may stand before the name of the code, or behind a comma: ``§ 15a(1) InsO``, ``§ 15a Abs. 1 InsO``,
    ``Lei 6.404/1976 art. 124, § 1, II``, ``Ley 9/2017 art. 50.1``.
    """
    yield citation
    while shorter := _SUBDIVISION.fullmatch(citation):
        citation = shorter[3] or shorter[1] + (shorter[2] or "")
        yield citation


class KnowledgeRow(BaseModel):
    """A frozen row that rejects unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Authority(KnowledgeRow):
    """A statute, regulation, rule, case, ethics rule or secondary source.

    Attributes:
        citation: Canonical citation; unique.
        kind: What it is.
        jurisdiction: ``US``, ``US-DE``, ``EU``, ``UK``, ``INTL`` …
        title: Heading, or for a case its name.
        keywords: What a lawyer would search for.
        note: What it provides or holds, in our own words; may be empty.
        provenance: The text against which the row was checked.
        as_of: Date of that text.
    """

    citation: str
    kind: Literal["statute", "regulation", "rule", "case", "ethics", "treaty", "secondary"]
    jurisdiction: str
    title: str
    keywords: tuple[str, ...] = ()
    note: str = ""
    provenance: str
    as_of: str = ""


class AskedFor(KnowledgeRow):
    """How lawyers ask for an authority or a period, where it says nothing of the kind itself.

    Attributes:
        citation: The authority, as its entry writes it, or the id of the window.
        asked: Questions and half sentences in their words: what happened, who wants what, what they call it.
    """

    citation: str
    asked: tuple[str, ...] = Field(min_length=1)


class WindowRule(KnowledgeRow):
    """A period fixed by law: a number of days of one kind, counted from an event, set by an authority.

    Attributes:
        window_id: ``<domain>/<name>``; unique.
        direction: ``after`` or ``before`` the trigger.
        calendar: calendar or business days, or the sessions of an exchange.
        calendar_set: The holiday calendar to count by, e.g. ``us_federal_courts`` or, with a place, ``state_de``.
        counting: The rule of counting of the law or forum (``data/counting``): it alone says whether the period rolls.
        roll, roll_authority: What happens when the last day is closed, and what says so. Filled in from the rule of
            counting when the knowledge is loaded; a file that says it itself is refused.
        count: Which days the period includes: ``after`` (the day of the event is left out, the last day counts),
            ``beginning_with`` (the day of the event is the first day), ``before_the_day`` (the act must be done before
            the day that lies so far after the event), ``clear`` (neither end counts), ``end_of_month`` (from the last
            day of a month the months end with the last day of one), ``next_monday`` (the Monday next after the period
            has ended, Tex. R. Civ. P. 99(b)) or, of an earliest date, ``anniversary`` (the day
            that lies so far after the event is itself the first day; else it is the day after).
        kind: What the end of the period is. Only a ``deadline`` and a ``decision``
            have a due date: ``earliest`` fixes the first day on
            which something may be done, a ``waiting`` period must pass first, a ``look_back`` reaches into the past, a
            ``duration`` is how long a state lasts or a fact is measured, a ``decision`` is the time of an authority,
            a court or the other side to act, and a ``minimum`` is the least that
            somebody must grant.
        exceptions: When another period, or none, applies, with the authority; may be empty.
        tolling: What suspends or extends the period, with the authority; may be empty.
        aliases: Short ids that also name the row (``frcp_4_m``). Where several rows share a citation, it means the row
            with a short id, and the date gate always uses that row.
        also_cited: Other citations of the same period.
        in_force_from: Day from which the period ``n`` governs; empty where no change is known.
        earlier: Former periods in the same unit, newest first: ``14 from 2009-12-01``. The oldest may lack its day:
            ``120`` was always in force before.
        mail_days: Days that service by mail adds (Fed. R. Civ. P. 6(d) and its like).
    """

    window_id: str
    domain: str
    regime: str
    trigger: str
    action: str
    n: int = Field(ge=0, le=10_000)
    unit: Literal["hour", "day", "week", "month", "year"]
    calendar: Literal["calendar", "business", "trading"] = "calendar"
    direction: Literal["after", "before"] = "after"
    roll: Literal["next", "previous", "none"] = "none"
    calendar_set: str = Field(min_length=1)
    counting: str = ""
    count: Literal[
        "after", "beginning_with", "before_the_day", "clear", "end_of_month", "next_monday", "anniversary"
    ] = "after"
    roll_authority: str = ""
    kind: Literal[
        "deadline", "earliest", "waiting", "look_back", "duration", "decision", "minimum"
    ] = "deadline"  # fmt: skip
    authority: str
    jurisdiction: str
    note: str = ""
    exceptions: str = ""
    tolling: str = ""
    provenance: str
    as_of: str = ""
    aliases: tuple[str, ...] = ()
    also_cited: tuple[str, ...] = ()
    in_force_from: str = Field("", pattern=r"^(\d{4}-\d\d-\d\d)?$")
    earlier: tuple[Annotated[str, Field(pattern=r"^\d{1,4}( from \d{4}-\d\d-\d\d)?$")], ...] = ()
    mail_days: int = Field(0, ge=0, le=30)

    @property
    def versions(self) -> tuple[tuple[date | None, int], ...]:
        """The periods that have governed, newest first, each with the day from which it was in force, where known."""
        said = [(self.in_force_from, self.n)]
        for version in self.earlier:
            n, _, since = version.partition(" from ")
            said.append((since, int(n)))
        return tuple((date.fromisoformat(since) if since else None, n) for since, n in said)

    @model_validator(mode="after")
    def _in_order(self) -> WindowRule:
        *changes, _ = since = [day for day, _ in self.versions]
        if None in changes:
            raise ValueError("only the oldest period may omit the day from which it was in force")
        known = [day for day in since if day]
        if any(newer <= older for newer, older in pairwise(known)):
            raise ValueError("the periods must be listed newest first")
        return self

    @model_validator(mode="after")
    def _countable(self) -> WindowRule:
        first_day_counts = self.count in ("beginning_with", "before_the_day")
        if first_day_counts and (self.direction == "before" or self.n == 0 or self.unit == "hour"):
            raise ValueError(f"{self.count} needs days, weeks, months or years after an event")
        if self.count == "clear" and (self.unit not in ("day", "week") or self.calendar != "calendar"):
            raise ValueError("clear days are calendar days or weeks")
        if self.count == "next_monday" and self.direction == "before":
            raise ValueError("next_monday needs a period after an event")
        if self.count == "end_of_month" and self.unit not in ("month", "year"):
            raise ValueError("end_of_month needs months or years")
        if self.count == "anniversary" and self.kind != "earliest":
            raise ValueError("anniversary belongs to an earliest date")
        if self.roll_authority and self.roll == "none":
            raise ValueError("roll_authority is given, but the period does not roll")
        return self


class DeliverableSection(KnowledgeRow):
    """A section of a deliverable, with the headings by which it is recognised."""

    title: str
    aliases: tuple[str, ...] = ()
    required: bool = True


class DeliverableType(KnowledgeRow):
    """The required form of a kind of work product.

    Attributes:
        filename, title, instructions: Cues (lower-case words or phrases, ``*`` ends a prefix) by where they may stand.
        suffixes: File types it usually has.
        areas: Practice areas it is particular to; empty for all.
    """

    type_id: str
    name: str
    filename: tuple[str, ...] = ()
    title: tuple[str, ...] = ()
    instructions: tuple[str, ...] = ()
    suffixes: tuple[str, ...] = (".docx",)
    areas: tuple[str, ...] = ()
    sections: tuple[DeliverableSection, ...]
    provenance: str
    as_of: str = ""


class Synonym(KnowledgeRow):
    """A concept and the terms by which documents name it."""

    concept: str
    aliases: tuple[str, ...] = Field(min_length=1)
    provenance: str = "drafting usage"
    as_of: str = ""


class PopularName(KnowledgeRow):
    """What a lawyer calls a thing that the law calls otherwise: an abbreviation, a popular name, a place.

    Attributes:
        said: The name; written in small letters it is met in any, else as it stands.
        means: What else entries say for it; empty for a name that only tells of a place.
        place: The law district that it names, or without ``means`` states: a code of the catalogue, or the name of a
            place whose law is not held.
    """

    said: str = Field(min_length=2, max_length=60)
    means: str = ""
    place: str = ""
    provenance: str = "drafting usage"
    as_of: str = ""

    @model_validator(mode="after")
    def _says_something(self) -> PopularName:
        if not (self.means or self.place):
            raise ValueError(f"{self.said!r} neither means anything nor names a place")
        return self


class InferenceRule(KnowledgeRow):
    """A cue that tells what a document is.

    Attributes:
        pattern: Regular expression, matched without regard to case.
        where: How far it is looked for: in the ``name`` alone (the file name, and the title as printed), at the
            ``head`` too where no name tells anything (the first 2,000 characters), or only in the whole ``text``.
        area: Practice area the rule belongs to; ``any`` for all.
        fallback: Counts only where no other cue fires, and in matters of its area alone.
        weight: What it counts; half of it behind the first 400 characters of the head.
        retrieve: Words to search the knowledge for when the rule tells the type of a document.
    """

    document_type: str
    pattern: Expression
    where: Literal["name", "head", "text"]
    area: str = "any"
    fallback: bool = False
    weight: float = Field(1.5, gt=0, le=10)
    retrieve: tuple[str, ...] = ()
    provenance: str = "drafting usage"
    as_of: str = ""


FORM_CHECKS = frozenset(
    {"table", "citations", "quotations", "length", "order", "silence", "product", "untouched", "tracked"}
)
"""What can be checked of the form of a draft (``tasks/drafting/extractive/ways/form.py``)."""

OF_A_SEARCH: Final = ("quality", "no_quality", "side", "protects")
"""Uses of cues that only a search reads."""

OF_RESEARCH: Final = ("method", "acting")
"""Uses of cues that only the researcher reads."""

OF_A_CLAUSE: Final = ("raises", "amends")
"""Uses of cues that are read in a clause, not in a question: what is to be asked next, what another clause becomes."""

ResearchMethod = Literal["graph", "exemplars", "knowledge", "external"]
"""Ways to look for an answer beside a search of the papers (``tasks/retrieval/research/records.py``)."""

RAISED: Final = ("condition", "start")
"""What a clause raises in its own words (``tasks/drafting/interrogator/raising.py``)."""

AMENDED: Final = ("changes", "reads", "strikes", "takes", "puts", "exchanges")
"""What an amendment says of a clause of the contract (``tasks/drafting/extractive/differing/amending_words.py``)."""


class BriefCue(KnowledgeRow):
    """Words or patterns by which a brief asks, of one use; matched without regard to case.

    Attributes:
        use: What they are for. Of the words of a question: ``opener`` (may stand before it), ``ask`` (asks),
            ``question_word`` and ``second_question_word`` (open it and its second half). Of what an ask is about:
            ``mere`` (names of provisions that are mere words of it), ``leading``, ``trailing`` and ``vague`` (words
            around a topic that do not change it); ``file`` names the files of the work product. Of a search:
            ``quality`` and ``no_quality`` (a clause that has it, or has not), ``side`` (who may be favoured) and
            ``protects`` (the instruments that protect this side).
            How a brief is read into its asks: ``wish`` and ``learn`` (a statement that asks), ``agenda`` (announces
            questions), ``told``, ``perusal`` and ``role`` (what tells), ``product`` (a paper that is asked for),
            ``pair`` (two words that are one thing), ``redline``, ``change``, ``draft`` and ``drafted`` (write or
            change something), ``manner`` (words of how the answer is given), ``several`` (an answer for each paper),
            ``paper`` (of which it is asked), ``kind`` (of answer). Of a constraint: ``form`` (which check the draft
            must pass).
            Of a question that sentences answer: ``want`` (the kind of answer), ``pose`` (what is posed where yes or no
            is asked), ``which`` (of several papers), ``filler`` (a word that says nothing of what it is about). Of a
            sentence that answers: ``stance`` (what it does to what it speaks of), ``outcome`` (it tells a
            consequence), ``reported`` (only what somebody says). Of research: ``method`` (the way to look that a
            question asks for beside a search of the papers), ``acting`` (says for whom the work is done), ``raises`` (a
            clause stands under a ``condition``, or says from when a period runs: its ``start``), ``amends`` (an
            amendment says what becomes of a clause: it ``changes`` it, it ``reads`` anew, it or a sentence of it is
            struck, words are taken out or exchanged).
        name: The kind of answer, the check of the form, the quality or the side; empty for the other uses. Of a
            ``want``, ``pose`` or ``stance``: which it is.
        says: Of a ``quality``: what a clause says that has it.
    """

    use: Literal[
        "opener", "ask", "question_word", "second_question_word", "mere", "leading", "trailing", "vague", "file",
        "paper", "wish", "learn", "agenda", "product", "pair", "told", "perusal", "role",
        "redline", "change", "draft", "drafted", "manner",
        "kind", "several", "quality", "no_quality", "side", "protects", "form",
        "want", "filler", "pose", "stance", "reported", "outcome", "which", "method", "acting", "raises", "amends",
    ]  # fmt: skip
    name: str = Field("", max_length=80)
    patterns: tuple[Expression, ...] = Field(min_length=1)
    says: Expression = ""
    provenance: str = "drafting usage"
    as_of: str = ""

    @model_validator(mode="after")
    def _of_its_use(self) -> BriefCue:
        named = ("kind", "form", "want", "pose", "stance", "method", "raises", "amends", *OF_A_SEARCH)
        if bool(self.name) != (self.use in named):
            raise ValueError(f"a cue of use {self.use} {'needs a' if not self.name else 'has no'} name")
        if self.use == "raises" and self.name not in RAISED:
            raise ValueError(f"{self.name!r} is nothing that a clause raises: {', '.join(RAISED)}")
        if self.use == "amends" and self.name not in AMENDED:
            raise ValueError(f"{self.name!r} is nothing that an amendment says of a clause: {', '.join(AMENDED)}")
        if self.use == "method" and self.name not in get_args(ResearchMethod):
            raise ValueError(f"{self.name!r} is no way to look for an answer: {', '.join(get_args(ResearchMethod))}")
        if self.use == "form" and self.name not in FORM_CHECKS:
            raise ValueError(f"{self.name!r} is no check of the form")
        if bool(self.says) != (self.use == "quality"):
            raise ValueError("says belongs to a quality, and a quality needs it")
        return self


class LitigationCue(KnowledgeRow):
    """Words by which the papers of a lawsuit say something, of one use; matched without regard to case.

    Attributes:
        use: What they tell. Of a paper: ``paper`` (what it is, by its title), ``heading`` (what a part of it is about).
            Of an entry of a docket: ``entry`` (what was done), ``motion`` (what was asked), ``outcome`` (how it was
            decided), ``ruling`` (what else was decided), ``trial``, ``appeal_outcome``, ``decree`` and
            ``decree_event``, ``settled``, ``linked`` (other cases), ``reassigned``, ``corrected``. Of a pleading:
            ``number`` (of a docket), ``class``, ``count``, ``vehicle`` (of a claim), ``basis`` (law said to be
            violated), ``relief``. Of people: ``side``, ``office``, ``judge``, ``counsel``, ``circuit``, ``monitor``. Of
            terms: ``duty``, ``lasts``, ``retains`` (jurisdiction), ``finding`` (of a monitor).
        name: Which it is, for the code that reads it.
        says: How a filled checklist says it.
    """

    use: Literal[
        "paper", "heading", "entry", "motion", "outcome", "ruling", "trial", "appeal_outcome", "decree",
        "decree_event", "settled", "linked", "reassigned", "corrected", "number", "class", "count", "vehicle", "basis",
        "relief", "side", "judge", "counsel", "circuit", "monitor", "duty", "lasts", "retains", "finding",
        "office",
    ]  # fmt: skip
    name: str = Field("", max_length=40)
    says: str = Field("", max_length=120)
    patterns: tuple[Expression, ...] = Field(min_length=1)
    provenance: str = "drafting usage"
    as_of: str = ""


class ProvisionEffect(KnowledgeRow):
    """What a clause provides, where a sentence of it meets a pattern."""

    says: str = Field(min_length=1, max_length=80)
    when: Expression


class ProvisionEntry(KnowledgeRow):
    """A kind of clause: what it is called and how it is drafted. The fields are explained in ``tasks/retrieval``.

    All patterns are matched without regard to case, with straight quotation marks and single blanks.
    """

    name: str = Field(min_length=1, max_length=80)
    aliases: tuple[str, ...] = ()
    means: str = Field("", max_length=300)
    answer: Literal[
        "clause", "parties", "title", "law", "agreement_date", "effective_date", "expiration_date", "renewal",
        "renewal_notice",
    ] = "clause"  # fmt: skip
    headings: tuple[Expression, ...] = ()
    strong: tuple[Expression, ...] = ()
    support: tuple[Expression, ...] = ()
    against: tuple[Expression, ...] = ()
    veto: tuple[Expression, ...] = ()
    asked: tuple[Expression, ...] = ()
    unasked: tuple[Expression, ...] = ()
    posed: tuple[str, ...] = ()
    denial: Expression = ""
    within: Expression = ""
    effects: tuple[ProvisionEffect, ...] = ()
    threshold: float = Field(3.0, gt=0, le=20)
    max_quotes: int = Field(3, ge=1, le=20)
    defined: bool = False
    action: str = Field("", max_length=200)
    owner: str = Field("", max_length=80)
    provenance: str = "drafting usage"
    as_of: str = ""

    @property
    def patterns(self) -> tuple[str, ...]:
        """Every regular expression of the entry."""
        single = (self.denial, self.within, *(effect.when for effect in self.effects))
        lists = (self.headings, self.strong, self.support, self.against, self.veto, self.asked, self.unasked)
        return (*(p for patterns in lists for p in patterns), *(p for p in single if p))


class CitationForm(KnowledgeRow):
    """How a reporter, journal, code or court is cited. It is no entry of the knowledge: it says nothing about the law.

    Attributes:
        abbreviation: As it stands in a citation; a court's own short name where citations do not name it.
        jurisdictions: As the package it comes from names them.
        first, last: ISO dates from which and up to which it was used; empty where unknown or open.
    """

    kind: Literal["reporter", "journal", "code", "court"]
    abbreviation: str
    name: str
    jurisdictions: tuple[str, ...] = ()
    first: str = ""
    last: str = ""
    provenance: str
    as_of: str = ""


class ProvenanceSource(KnowledgeRow):
    """A source that the provenance of a row may name, and how far it can be trusted.

    Attributes:
        source: How the provenance of a row begins.
        level: ``official`` text, ``held`` metadata of a package, ``practice`` of our own, or ``unverified``.
        what: What the source is.
    """

    source: str
    level: Literal["official", "held", "practice", "unverified"]
    what: str
