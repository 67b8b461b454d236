"""Recognises a draft about another matter by several cheap signs, each with one vote."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Final, NamedTuple

from skills_repo.mechanism_settings import DeliverableSetting, FidelitySetting
from skills_repo.template import PromptTemplate
from tasks.drafting.mechanisms.naming import MatterPapers, Naming, WrittenWords
from tasks.drafting.mechanisms.outputs import LeftFile, found_in
from tasks.drafting.mechanisms.records import Moment, View, times_fired
from tasks.legaltext.tokens import terms
from tasks.sources.parties import parties_of
from tasks.sources.records import CanonicalText

_PHRASE: Final = re.compile(r"\b[A-Z][a-z]{2,}(?: (?:of|and) [A-Z][a-z]{2,}| [A-Z][a-z]{2,}){1,3}\b")
_SMALL_WORD: Final = 3  # letters up to which a word ("fee", "per") tells no subject; chosen by eye


class Sign(NamedTuple):
    """What one sign says of a draft.

    Attributes:
        off: Whether it says that the draft is about another matter; None where it cannot tell.
        words: What it saw.
    """

    name: str
    off: bool | None
    words: str


@dataclass(frozen=True)
class MatterFidelity:
    """Asks for a draft of the matter at hand where enough signs agree that this is another one."""

    name: ClassVar[str] = "matter_fidelity"
    moment: ClassVar[Moment] = Moment.FINISH
    setting: FidelitySetting
    deliverable: DeliverableSetting
    places: frozenset[str]

    def objection(self, view: View) -> str:
        """Return the objection to the model; empty where the draft is of this matter, or it cannot be decided."""
        if times_fired(view, self.name) >= self.setting.times:
            return ""
        listed = "\n".join(f"- {sign.words}" for sign in self.astray(view, found_in(view.output, self.deliverable)))
        return PromptTemplate(self.setting.say).filled(signs=listed) if listed else ""

    def astray(self, view: View, found: Sequence[LeftFile]) -> list[Sign]:
        """Return the signs by which the files of a draft are of another matter; none where they are of this one."""
        off = [sign for sign in self.read(view, found) if sign.off]
        # Prose of a model's own may fail the signs of words; without a sign of names nobody knows of another matter.
        if len(off) < self.setting.votes or not {sign.name for sign in off} & {"names", "parties"}:
            return []
        return off

    def read(self, view: View, found: Sequence[LeftFile]) -> list[Sign]:
        """Return what each sign says of the files of a draft; nothing of a short one, or without papers."""
        made = [f for f in found if not view.wanted or f.name in view.wanted]
        if not view.documents or sum(f.words for f in made) < self.setting.draft_least:
            return []
        return signs(view, "\n\n".join(f.text for f in made), self.setting, self.places)


def signs(view: View, draft: str, setting: FidelitySetting, places: frozenset[str]) -> list[Sign]:
    """Return what each sign says of a draft."""
    return list(_Comparison(view, draft, setting, places).signs())


def phrases(text: str) -> set[str]:
    """Return the capitalised terms of a text, in small letters."""
    return {" ".join(p.lower().split()) for p in _PHRASE.findall(text)}


@dataclass(frozen=True)
class _Comparison:
    view: View
    draft: str
    setting: FidelitySetting
    places: frozenset[str]

    def signs(self) -> Iterator[Sign]:
        yield self._names()
        yield self._parties()
        yield self._phrases()
        yield self._subject()
        yield self._papers()

    @cached_property
    def papers(self) -> MatterPapers:
        small = WrittenWords.of([self.view.brief, *self.view.documents.values(), self.draft]).small
        return MatterPapers(self.view.brief, self.view.documents, Naming(small, self.places))

    @cached_property
    def home(self) -> WrittenWords:
        return WrittenWords.of(self.papers.home)

    @cached_property
    def drafted(self) -> WrittenWords:
        return WrittenWords.of([self.draft])

    def _names(self) -> Sign:
        """Of the companies that the draft names, too few belong to the matter."""
        named = self.papers.naming.words(self.draft)
        return self._share("names", named, self.home.all, self.setting.names_least, "names", self.setting.fewest)

    def _parties(self) -> Sign:
        """No party of the papers is named."""
        kept = {d: t for d, t in self.view.documents.items() if d not in self.papers.strays}
        found = {w for d, t in kept.items() for w in self._party_words(d, t)}
        if len(found) < self.setting.fewest:
            return Sign("parties", None, "")
        return Sign("parties", not found & self.drafted.all, f"no party is named, such as {_listed(found)}")

    def _party_words(self, document: str, text: str) -> Iterator[str]:
        read = CanonicalText(document=document, sha256="", extractor="", media="txt", text=text)
        for party in parties_of(read):
            yield from self.papers.naming.telling(party.name)

    def _phrases(self) -> Sign:
        """Of the capitalised terms of the draft, too few stand in the papers."""
        used = phrases(self.draft)
        held = " ".join(" ".join(self.papers.home).lower().split())
        known = frozenset(p for p in used if p in held)
        return self._share("terms", used, known, self.setting.phrases_least, "terms", self.setting.phrases_fewest)

    def _subject(self) -> Sign:
        """Of the words of the brief, too few stand in the draft."""
        asked = {t for t in terms(self.view.brief) if len(t) > _SMALL_WORD and t.isalpha()}
        return self._share(
            "subject", asked, frozenset(terms(self.draft)), self.setting.subject_least, "words of the brief",
            self.setting.phrases_fewest,
        )  # fmt: skip

    def _papers(self) -> Sign:
        """Of the content words of the draft, too few stand in the papers."""
        used = {t for t in terms(self.draft) if len(t) > _SMALL_WORD and t.isalpha()}
        held = frozenset(t for text in self.papers.home for t in terms(text))
        return self._share("papers", used, held, self.setting.papers_least, "words", self.setting.phrases_fewest)

    def _share(
        self, name: str, items: set[str] | frozenset[str], known: frozenset[str], least: float, what: str, fewest: int
    ) -> Sign:
        if len(items) < fewest:
            return Sign(name, None, "")
        there = items & known
        words = f"{len(there)} of {len(items)} {what} match, and not {_listed(set(items) - there)}"
        return Sign(name, len(there) < least * len(items), words)


def _listed(items: set[str]) -> str:
    return ", ".join(sorted(items, key=lambda w: (-len(w), w))[:6])
