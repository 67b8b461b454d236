"""Tells the model which companies and governing laws its draft names though no paper of the matter does."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from skills_repo.mechanism_settings import DeliverableSetting, EntityLockSetting
from skills_repo.template import PromptTemplate
from tasks.drafting.mechanisms.naming import Naming, WrittenWords
from tasks.drafting.mechanisms.outputs import found_in
from tasks.drafting.mechanisms.records import Moment, View, times_fired


@dataclass(frozen=True)
class EntityLock:
    """Objects to invented names.

    Attributes:
        districts: Usual name of each law district by each name that it has.
    """

    name: ClassVar[str] = "entity_lock"
    moment: ClassVar[Moment] = Moment.FINISH
    setting: EntityLockSetting
    deliverable: DeliverableSetting
    districts: Mapping[str, str]

    def objection(self, view: View) -> str:
        """Return the objection to the model; empty where every name stands in the papers."""
        if times_fired(view, self.name) >= self.setting.times or not view.documents:
            return ""
        made = [f for f in found_in(view.output, self.deliverable) if not view.wanted or f.name in view.wanted]
        draft = "\n\n".join(f.text for f in made)
        papers = [view.brief, *view.documents, *view.documents.values()]
        names = list(dict.fromkeys([*self._companies(draft, papers), *self._laws(draft, papers)]))[: self.setting.most]
        listed = "\n".join(f"- {name}" for name in names)
        return PromptTemplate(self.setting.say).filled(names=listed) if names else ""

    def _companies(self, draft: str, papers: list[str]) -> Iterator[str]:
        """Yield companies of which no telling word stands in the papers."""
        words = WrittenWords.of(papers)
        naming = Naming(WrittenWords.of([*papers, draft]).small, place_words(self.districts))
        for name, telling in naming.companies(draft):
            if not words.all.intersection(telling):
                yield name

    def _laws(self, draft: str, papers: list[str]) -> Iterator[str]:
        """Yield governing laws of districts that no paper names."""
        printed = {form: usual for name, usual in self.districts.items() for form in (name, name.upper())}
        places = "|".join(re.escape(d) for d in sorted(printed, key=len, reverse=True))
        for pattern in self.setting.laws:
            for match in re.finditer(pattern.replace("{place}", rf"(?P<place>(?-i:{places}))\b"), draft, re.IGNORECASE):
                forms = "|".join(re.escape(f) for f, usual in printed.items() if usual == printed[match["place"]])
                if not any(re.search(rf"\b(?:{forms})\b", text) for text in papers):
                    yield " ".join(match.group().split())[:160]


def place_words(districts: Iterable[str]) -> frozenset[str]:
    """Return the words of the names of law districts, in small letters."""
    return frozenset(w.lower() for name in districts for w in re.findall(r"\w+", name))
