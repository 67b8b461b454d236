"""Names of contracts and topics as a deliverable may write them, and where a text uses them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from tasks.legaltext.names import FORM_WORDS, name_words
from tasks.legaltext.tokens import singular

_FILE = re.compile(r"\.(docx?|pdf|txt|xlsx|pptx|eml|msg|md|html?|csv|json|rtf)$")


def word_list(*lines: str) -> list[str]:
    """Return the blank-separated words of the lines (tables of words read better so)."""
    return [word for line in lines for word in line.split()]


# Words that name a role or a form of document and so tell no contract from another.
_TRIVIAL = frozenset(
    word_list(
        "a an and or of the to for in on by with no as form exhibit schedule annex appendix party parties agreement",
        "contract licensor licensee seller buyer customer client distributor supplier vendor provider consultant",
        "company investor individually collectively each both other us we you document documents amendment amended",
        "restated first second third dba d b l p n v s x",
    )
)
_STOP = frozenset(word_list("a an and or of the to for in on by with any per its"))


def content_words(text: str) -> list[str]:
    """Return the stemmed words that carry meaning."""
    return [singular(w) for w in name_words(text) if w not in _STOP]


def _alias_forms(alias: str) -> set[tuple[str, ...]]:
    forms = {tuple(name_words(alias))}
    if _FILE.search(alias.lower()):
        stem = PurePosixPath(alias.replace("\\", "/")).name.rsplit(".", 1)[0]
        forms |= {tuple(name_words(stem)), tuple(name_words(re.sub(r"^\d+[-_ .]+", "", stem)))}
    for form in list(forms):
        core = tuple(w for w in form if w not in FORM_WORDS)
        forms.add(core)
    return {f for f in forms if _distinctive(f)}


def _distinctive(form: tuple[str, ...]) -> bool:
    named = [w for w in form if w not in _TRIVIAL and w not in FORM_WORDS and not w.isdigit()]
    # A title such as "Servicing Agreement" is a name; a lone short word or a role is not.
    return bool(named) and sum(len(w) for w in named) >= 4


@dataclass(frozen=True)
class ContractMention:
    """A name found at word positions ``[start, end)``; several owners make it ambiguous."""

    start: int
    end: int
    owners: frozenset[str]


@dataclass(frozen=True)
class ContractNames:
    """Every contract's names, so that a shared or contained name never stands for the wrong one."""

    forms: Mapping[tuple[str, ...], frozenset[str]]
    files: Mapping[tuple[str, ...], frozenset[str]] = field(default_factory=dict)

    @classmethod
    def build(cls, scopes: Mapping[str, Iterable[str]]) -> ContractNames:
        """Gather the names of each document (the file name is always one of them)."""
        forms: dict[tuple[str, ...], set[str]] = {}
        files: dict[tuple[str, ...], set[str]] = {}
        for document, aliases in scopes.items():
            for alias in {document, *aliases}:
                for form in _alias_forms(alias):
                    forms.setdefault(form, set()).add(document)
            files.setdefault(tuple(name_words(document)), set()).add(document)
        return cls(
            {f: frozenset(d) for f, d in sorted(forms.items())}, {f: frozenset(d) for f, d in sorted(files.items())}
        )

    def mentions(self, text: str) -> list[ContractMention]:
        """Return the names used in ``text``; a name inside a longer one is not counted."""
        words = name_words(text)
        found: list[ContractMention] = []
        for form, owners in self.forms.items():
            size = len(form)
            for i in range(len(words) - size + 1):
                if words[i] == form[0] and tuple(words[i : i + size]) == form:
                    found.append(ContractMention(i, i + size, owners))
        return [
            m
            for m in found
            if not any(
                o is not m and o.start <= m.start and m.end <= o.end and o.end - o.start > m.end - m.start
                for o in found
            )
        ]

    def documents(self, text: str) -> frozenset[str]:
        """Return the contracts that ``text`` names without doubt."""
        mentions = self.mentions(text)
        sure = {next(iter(m.owners)) for m in mentions if len(m.owners) == 1}
        shared = [m.owners for m in mentions if len(m.owners) > 1]
        if sure or not shared:
            return frozenset(sure)
        common = frozenset.intersection(*shared)
        return common if len(common) == 1 else frozenset()

    def without(self, text: str) -> list[str]:
        """Return the words of ``text`` that belong to no name (to look for a topic in)."""
        words = name_words(text)
        used = {i for m in self.mentions(text) for i in range(m.start, m.end)}
        return [w for i, w in enumerate(words) if i not in used]

    def files_in(self, text: str) -> frozenset[str]:
        """Return the documents that ``text`` names by file name."""
        words = " " + " ".join(name_words(text)) + " "
        return frozenset(d for form, owners in self.files.items() if f" {' '.join(form)} " in words for d in owners)


@dataclass(frozen=True)
class RubricTopics:
    """Every topic of a rubric with its names as sets of content words."""

    names: Mapping[str, tuple[tuple[str, ...], ...]]

    @classmethod
    def build(cls, facets: Iterable[tuple[str, ...]]) -> RubricTopics:
        """Gather the topics of a rubric; a topic's key is made of its names."""
        names: dict[str, tuple[tuple[str, ...], ...]] = {}
        for facet in facets:
            forms = [tuple(content_words(alias)) for name in facet for alias in _alternatives(name)]
            names[topic_key(facet)] = tuple(dict.fromkeys(f for f in forms if f))
        return cls(names)

    def labelled(self, words: Iterable[str]) -> frozenset[str]:
        """Return the topics that a heading, label or cell of these words names."""
        present = {singular(w) for w in words if w not in _STOP}
        hits = {key: form for key, forms in self.names.items() for form in forms if set(form) <= present}
        return frozenset(
            key
            for key, form in hits.items()
            if not any(set(form) < set(other) for name, other in hits.items() if name != key)
        )

    def inline(self, text: str) -> frozenset[str]:
        """Return the topics that running text names, their words standing together."""
        words = content_words(text)
        return frozenset(key for key, forms in self.names.items() if any(_near(words, form) for form in forms))


def topic_key(facet: Iterable[str]) -> str:
    """Return one key for the names of a topic."""
    return "|".join(sorted({" ".join(name_words(name)) for name in facet}))


def _alternatives(name: str) -> list[str]:
    parts = name.split("/")
    # "rofr/rofo/rofn" are three names; "revenue/profit sharing" is one.
    return parts if len(parts) > 1 and all(re.fullmatch(r"\w+", p) for p in parts) else [name]


def _near(words: list[str], form: tuple[str, ...]) -> bool:
    need, width = set(form), len(form) + 2
    return any(words[i] in need and need <= set(words[i : i + width]) for i in range(len(words)))
