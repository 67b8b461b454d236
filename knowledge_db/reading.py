"""A lawyer's question, read once: what is asked, of what, under whose law, and what instrument it names."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from knowledge_db.base import KnowledgeBase
from knowledge_db.instruments import Instruments
from knowledge_db.jurisdictions import (
    HOME,
    held_districts,
    load_jurisdictions,
    small_words,
    split_places,
    spoken_in,
    within_union,
)
from knowledge_db.law_search import VERSUS
from knowledge_db.records import PopularName
from knowledge_db.spelling import folded, parted, spelled
from knowledge_db.vocabulary import in_one_form

Wanted = Literal["deadline", "case", "law"]
_INSTRUMENT = re.compile(
    r"((?:\(?[A-Z][\w’'()-]*\s(?:(?:and|of|for|the|to)\s)*)+"
    r"(?:Acts?|Code|Law|Ordinance|Regulations?|Directive|Treaty|Convention|Decree))\s(?:of\s)?(?:1[89]|20)\d\d"
)
# The proper name of a statute without its year: three words and more ("Joint Custody of Robots Act").
_NAMED_ACT = re.compile(r"(?<!the )\b((?:\(?[A-Z][\w’'()-]*\s(?:(?:and|of|for|the|to)\s)*){2,}(?:Act|Law|Ordinance))\b")


_NUMBER = re.compile(
    r"(?<![\d/])(?:(?:19|20)\d\d/\d{2,4}|\d{2,4}/(?:19|20)\d\d)(?![\d/])"
)  # of a directive or regulation
# The number of a section that a question cites: where no row says it, no row is what was cited.
_CITED = re.compile(r"(?:\barts?\.|\barticle|\bsections?|\bsec\.|§|\brule)\s?(\d{3,}\w?)\b(?![./-]\d)", re.IGNORECASE)
# The parts of a question: a story, and what is asked of it ("cash of $14,000 paid in, report due when").
_PART = re.compile(r"(?<=[.?!;:])\s+|\s[-–]\s|(?<=,)\s")
# What a question sets apart as not meant ("private merger, no tender offer"; "non-insider") is no part of its subject.
_EXCLUDED = re.compile(
    r",\s*(?:no|not)\s(?!longer)[^,;.?]*|\((?:no|not|other than|except|excluding)\s[^()]*\)"
    r"|\(?\b(?:(?:before|excluding|absent)\sany|ignoring|disregarding|leaving aside)\s[^(),;.?]*\)?",
    re.IGNORECASE,
)
# A place by its preposition ("on farm land in Cork"): a name that hardly any row has is no word of the subject.
_SITE = re.compile(
    r"\b(?:in|near|at|into|outside|around|from|to|bei|à|en|em)\s((?:(?:St|San|Santa|Fort|Port|Lake|New)\.?\s)?[A-Z][a-zà-ÿ]{2,})\b"
)
# Trade across borders is law of the matter's own place, too ("may we export to Iran").
_ACROSS = re.compile(
    r"\b(?:sanctions?|sanctioned|embargo|(?:re-?)?export\w*|import(?:s|ed|ing)?|customs|tariffs?)\b", re.IGNORECASE
)
_HARDLY = 3  # rows that have a word from which it is one of the law
_ACT = re.compile(r"(?:[A-Z]\w+\s)+Act\b")
# What follows the name of a town where that is part of the name of an instrument ("Vienna Convention").
_OF_NATIONS = re.compile(r"\W+(?:conventions?|protocols?|treat(?:y|ies)|regulation|agreement|rules)\b", re.IGNORECASE)
_SETTING_APART = frozenset({"no", "not", "other", "than", "except", "exclud"})
_NON = re.compile(r"\bnon-?(\w{3,})", re.IGNORECASE)
_NUMBERED = re.compile(r"\b((?i:phase|tier|part|schedule|annex)) (I{1,3}|IV)\b")
# The name of a form or a visa is one word: "8-K" is no 8, "L-1A" no section 1a.
_FORM_NAME = re.compile(r"(?<![\w-])(?:\d{1,2}-[A-Z]|[A-Z]{1,2}-\d{1,3}[A-Z]?)(?![\w-])")
_TYPED = 4  # letters of a name that is met without its accents, too; "qué" without is a word of other tongues
_FIGURES = {"I": "1", "II": "2", "III": "3", "IV": "4"}


def _in_figures(match: re.Match[str]) -> str:
    return f"{match[1]} {_FIGURES[match[2]]}"


@dataclass(frozen=True)
class Meant:
    """Other words for some words of a question.

    Attributes:
        said: The words of the question.
        words: The words that stand for them.
        trust: What they count against the words themselves.
    """

    said: frozenset[str]
    words: frozenset[str]
    trust: float


@dataclass(frozen=True)
class EntryQuestion:
    """A question as it is asked of the entries.

    Attributes:
        wanted: A deadline, a case, or law of any kind.
        statute: Whether a statute is asked for.
        own: Its words that tell one subject from another.
        meant: Other words for some of them.
        naming: Its words that may name the party of a case.
        places: The law districts concerned.
        named: Whether it names or implies them; other law does not answer it then.
        instrument: The words of an instrument that it cites by name and year; empty where it cites none.
        against: The words of what it sets apart as not meant.
    """

    wanted: Wanted
    own: frozenset[str]
    meant: tuple[Meant, ...]
    naming: frozenset[str]
    places: frozenset[str]
    named: bool
    instrument: frozenset[str]
    against: frozenset[str] = frozenset()
    statute: bool = False


def asking(text: str) -> str:
    """Return the part of a question that asks: the last with a question mark, else the last; before it is a story."""
    parts = [part.strip() for part in _PART.split(text) if part.strip()]
    return next((part for part in reversed(parts) if part.endswith("?")), parts[-1] if parts else text)


class Reader:
    """Reads questions by the words, names and places of a knowledge."""

    def __init__(self, base: KnowledgeBase, known: Callable[[], Mapping[str, Collection[int]]]) -> None:
        """Remember the knowledge; ``known`` returns the words of its entries, each with the rows that have it."""
        self._base, self._known, self._ranking = base, known, base.ranking

    def words(self, text: str) -> list[str]:
        """Return the words of a text as entries and questions are compared: without accents, a family in one form."""
        forms = [name.replace("-", "").casefold() for name in _FORM_NAME.findall(text)]
        rest = _FORM_NAME.sub(" ", text) if forms else text
        plain = in_one_form(_NUMBERED.sub(_in_figures, rest), self._base.vocabulary.families)
        words = (word for word in self._base.tokenize(folded(plain)) if word not in VERSUS)
        return [*(word for word in words if len(word) > 1 or word.isdigit()), *forms]

    def subject(self, text: str) -> frozenset[str]:
        """Return the words of a text that tell its subject; all of them where none does."""
        words = frozenset(self.words(text))
        return words - self._idle or words

    def read(self, text: str, within: str = "") -> EntryQuestion:
        """Return what a question asks; ``within`` is the law district of the matter, if the question names none."""
        base = self._base
        set_apart = " ".join((*_EXCLUDED.findall(text), *_NON.findall(text)))
        called, topic = self._called(_NON.sub(self._negative, _EXCLUDED.sub(" ", text)))
        places, signs, topic = split_places(topic, self._citations, base.folder)
        stated = places | {name.place for name in called if name.place and not name.means and not name.town}
        towns = {name.place for name in called if name.town}
        implied = signs | {name.place for name in called if name.place and name.means}
        implied |= self._instruments.places(text) | spoken_in(text, base.folder)
        given = self.places(within) if within else frozenset()
        words = self.words(topic)
        own = self.subject(topic)
        spoken = small_words(text, base.folder, stated | towns | given)
        own = own - {w for small in spoken for w in self.words(small)} or own
        own = own - self._sites(text) or own
        meant = [
            Meant(frozenset(self.words(name.said)) & own, frozenset(self.words(name.means)), self._ranking.name)
            for name in called
        ]
        meant += self._related(topic, own)
        known = self._known()
        strange = [word for word in own if word not in known]
        for word in strange:
            if parts := parted(word, known, self.words):
                meant.append(Meant(frozenset({word}), parts, self._ranking.name))
            if word.startswith("re") and word[2:] in known:  # a reassessment is an assessment
                meant.append(Meant(frozenset({word}), frozenset({word[2:]}), self._ranking.name))
            meant += [
                Meant(frozenset({word}), frozenset({near}), trust) for near, trust in spelled([word], known).items()
            ]
        at_home = not stated and {place[:2] for place in towns} <= {place[:2] for place in given}
        stated |= towns
        own_too = given if at_home or _ACROSS.search(text) else within_union(stated, given, base.folder)
        there = (stated and stated | own_too) or given or implied
        return EntryQuestion(
            wanted=self._wanted(text),
            own=own,
            meant=tuple(m for m in meant if m.said and m.words),
            naming=self._naming(text, words),
            places=frozenset(there) or HOME,
            named=bool(there),
            instrument=self._instrument(text, called),
            against=frozenset(self.words(set_apart)) - own - self._idle - _SETTING_APART,
            statute=bool(frozenset(self.words(text)) & self._words["of_statutes"]),
        )

    def asking(self, text: str, whole: EntryQuestion) -> EntryQuestion:
        """Return a question by the words of the part that asks, as it is where that names no subject.

        Of what place, kind and instrument the law is, the whole of it tells.
        """
        part = asking(text)
        if part == text.strip():
            return whole
        read = self.read(part)
        own = read.own & whole.own
        if not own:
            return whole
        meant = tuple(replace(m, said=m.said & own) for m in read.meant if m.said & own)
        return replace(whole, own=own, meant=meant, naming=read.naming)

    def places(self, named: str) -> frozenset[str]:
        """Return the law districts that a name or code stands for ("US federal", "US-NY"); none where it is unknown."""
        if named in self._districts:
            return frozenset({named})
        called, rest = self._called(named)
        return split_places(rest, "", self._base.folder)[0] | {name.place for name in called if name.place}

    @cached_property
    def _districts(self) -> frozenset[str]:
        return frozenset(row.jurisdiction for row in self._base.authorities)

    def _sites(self, text: str) -> frozenset[str]:
        """Return the words of places that the law does not know: no district of it, and a word of hardly any row."""
        known = self._known()
        words = (word for site in _SITE.findall(text) for word in self.words(site))
        return frozenset(word for word in words if len(known.get(word, ())) < _HARDLY)

    def _wanted(self, text: str) -> Wanted:
        said = frozenset(self.words(text))
        if said & self._words["of_time"]:
            return "deadline"
        return "case" if said & self._words["of_cases"] else "law"

    def _called(self, topic: str) -> tuple[list[PopularName], str]:
        """Return the popular names of a topic, and the topic without those that only name a place."""
        found: list[PopularName] = []

        def left(match: re.Match[str]) -> str:
            name, rest = self._name(match[0]), topic[match.end() :]
            if name is None:  # the name of a law district, which may hold the name of another: British Columbia
                return match[0]
            following = re.match(r"\W+\w+", rest)
            if not name.means and _OF_NATIONS.match(rest):
                return match[0]
            if not name.means and following and f"{match[0]}{following[0]}".casefold() in self._acts:
                return match[0]
            found.append(name.model_copy(update={"said": match[0]}) if "*" in name.said else name)
            return match[0] if name.means else " "

        return found, self._pattern.sub(left, topic)

    def _name(self, said: str) -> PopularName | None:
        """Return the popular name that was met: as it stands, in small letters, of several, or by its ending."""
        small = said.casefold()
        if small in self._listed:
            return None
        for form in (said, small, small.removesuffix("s")):
            if form in self._names:
                return self._names[form]
        return next(name for form, name in self._names.items() if "*" in form and small.endswith(form[1:]))

    def _negative(self, match: re.Match[str]) -> str:
        """Return a word with "non", or nothing where no entry has one like it: a non-compete is a thing of the law."""
        return match[0] if match[1].casefold() in self._negatives else " "

    @cached_property
    def _negatives(self) -> frozenset[str]:
        rows = (f"{row.title} {row.note} {' '.join(row.keywords)}" for row in self._base.authorities)
        windows = (f"{row.regime} {row.trigger} {row.action}" for row in self._base.windows)
        return frozenset(word.casefold() for text in (*rows, *windows) for word in _NON.findall(text))

    def _related(self, topic: str, own: Collection[str]) -> list[Meant]:
        plain = f" {' '.join(re.findall(r'[a-z0-9]+', topic.casefold()))} "
        found = []
        for name, others in self._base.concepts.items():
            if f" {name} " in plain and (said := frozenset(self.words(name)) & frozenset(own)):
                found += [Meant(said, frozenset(self.words(other)), self._ranking.other_name) for other in others]
        return found

    def _naming(self, text: str, words: Collection[str]) -> frozenset[str]:
        if any(word in VERSUS for word in self._base.tokenize(text)):
            return frozenset(words)
        return frozenset(word for said in re.findall(r"[A-Z][\w’']+", text) for word in self.words(said))

    def _instrument(self, text: str, called: Collection[PopularName]) -> frozenset[str]:
        numbered = [number for number in _NUMBER.findall(text) if number not in self._citations]
        if numbered:
            return frozenset(self.words(numbered[0])) | frozenset(numbered)
        if strange := [number for number in _CITED.findall(text) if not self._known_number(number)]:
            return frozenset(strange)
        cited = _INSTRUMENT.search(text) or self._unknown(text)
        if cited is None or any(name.means and name.said in cited[0] for name in called):
            return frozenset()
        return frozenset(self.words(split_places(cited[1], "", self._base.folder)[2])) - self._idle

    def _known_number(self, number: str) -> bool:
        return any(word in self._known() for word in self.words(number))

    def _unknown(self, text: str) -> re.Match[str] | None:
        """Return the name of a statute that no row says: one word of it is in none."""
        cited = _NAMED_ACT.search(text)
        strange = cited is not None and any(word not in self._known() for word in self.subject(cited[1]))
        return cited if strange else None

    @cached_property
    def _words(self) -> dict[str, frozenset[str]]:
        """The words that tell nothing of a subject, as the entries are indexed."""
        said = {name: getattr(self._ranking, name) for name in ("of_time", "of_cases", "of_statutes", "frame")}
        return {name: frozenset(w for one in words for w in self.words(one)) for name, words in said.items()}

    @cached_property
    def _idle(self) -> frozenset[str]:
        small = (word for words in held_districts(self._base.folder).tongues.values() for word in words)
        return frozenset(word for one in small for word in self.words(one)).union(*self._words.values())

    @cached_property
    def _citations(self) -> str:
        """Every citation: a place in the name of an instrument is part of it, but where its law is ("UK GDPR")."""
        rows = (row for row in self._base.authorities if not row.citation.startswith(f"{row.jurisdiction} "))
        return "\n".join(row.citation for row in rows).casefold()

    @cached_property
    def _acts(self) -> str:
        """Popular names of acts: "Buy American Act" is about American goods."""
        words = (word for row in self._base.authorities for word in row.keywords)
        return "\n".join(word for word in words if _ACT.search(word)).casefold()

    @cached_property
    def _instruments(self) -> Instruments:
        return Instruments(self._base.authorities)

    @cached_property
    def _names(self) -> dict[str, PopularName]:
        """Every popular name as it stands, and as it is typed without accents."""
        typed = {folded(row.said): row for row in self._base.names if len(row.said) >= _TYPED}
        names = {row.said: row for row in self._base.names}
        return {said: row.model_copy(update={"said": said}) for said, row in typed.items() if said not in names} | names

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        """Every popular name, the longest first; one in small letters is met in any, a place's people in the plural.

        The names of law districts that hold one of them stand among them, so that it is not met in these.
        """
        listed = {said: f"(?i:{re.escape(said)})" for said in self._listed}
        forms = listed | {name.said: _form(name) for name in self._names.values()}
        parts = (forms[said] for said in sorted(forms, key=len, reverse=True))
        return re.compile(rf"(?<!\w)(?:{'|'.join(parts) or '(?!)'})(?!\w)")

    @cached_property
    def _listed(self) -> frozenset[str]:
        """The names of law districts, in small letters, of several words of which one is a popular name of a place."""
        names = load_jurisdictions(self._base.folder) if held_districts(self._base.folder).names else {}
        several = (name.casefold() for name in names if " " in name and name not in self._names)
        return frozenset(name for name in several if any(word in self._names for word in name.split()))


def _form(name: PopularName) -> str:
    """Return the pattern of a popular name; the ending of a word stands behind a star."""
    if name.said != name.said.casefold():
        return re.escape(name.said)
    before, after = (r"[^\W\d_]*" if "*" in name.said else ""), ("" if name.means else "s?")
    return f"(?i:{before}{re.escape(name.said.removeprefix('*'))}{after})"
