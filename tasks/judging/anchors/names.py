"""Names of contracts and topics as a deliverable may write them, and where a text uses them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

# Words of any script; Chinese and Japanese do not part theirs, so each sign counts as one.
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W_\u3040-\u30ff\u3400-\u9fff]+(?:\.\d+)*")
_INITIALS = re.compile(r"\b[a-z](?:\.[a-z])+\b\.?")
_FILE = re.compile(r"\.(docx?|pdf|txt|xlsx|pptx|eml|msg|md|html?|csv|json|rtf)$")


def word_list(*lines: str) -> list[str]:
    """Return the blank-separated words of the lines (tables of words read better so)."""
    return [word for line in lines for word in line.split()]


_SUFFIXES = frozenset(
    word_list(
        "inc incorporated corp corporation co company llc llp lp ltd limited plc gmbh ag sa nv bv pty spa srl oy ab as"
    )
)
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


def tokens(text: str) -> list[str]:
    """Fold case, accents and punctuation; return words and numbers in order."""
    folded = unicodedata.normalize("NFKD", text.replace("&", " and ")).casefold()
    folded = "".join(ch for ch in folded if not unicodedata.combining(ch)).replace("'", "").replace("’", "")
    # "S.A." is one word, "9.2" another.
    return _WORD.findall(_INITIALS.sub(lambda hit: hit.group().replace(".", ""), folded))


def _stem(word: str) -> str:
    if word in {"licence", "licences"}:
        return "license"
    if len(word) > 3 and word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def content(text: str) -> list[str]:
    """Return the stemmed words that carry meaning."""
    return [_stem(w) for w in tokens(text) if w not in _STOP]


def _alias_forms(alias: str) -> set[tuple[str, ...]]:
    forms = {tuple(tokens(alias))}
    if _FILE.search(alias.lower()):
        stem = PurePosixPath(alias.replace("\\", "/")).name.rsplit(".", 1)[0]
        forms |= {tuple(tokens(stem)), tuple(tokens(re.sub(r"^\d+[-_ .]+", "", stem)))}
    for form in list(forms):
        core = tuple(w for w in form if w not in _SUFFIXES)
        forms.add(core)
    return {f for f in forms if _distinctive(f)}


def _distinctive(form: tuple[str, ...]) -> bool:
    named = [w for w in form if w not in _TRIVIAL and w not in _SUFFIXES and not w.isdigit()]
    # A title such as "Servicing Agreement" is a name; a lone short word or a role is not.
    return bool(named) and sum(len(w) for w in named) >= 4


@dataclass(frozen=True)
class Mention:
    """A name found at word positions ``[start, end)``; several owners make it ambiguous."""

    start: int
    end: int
    owners: frozenset[str]


@dataclass(frozen=True)
class Names:
    """Every contract's names, so that a shared or contained name never stands for the wrong one."""

    forms: Mapping[tuple[str, ...], frozenset[str]]
    files: Mapping[tuple[str, ...], frozenset[str]] = field(default_factory=dict)

    @classmethod
    def build(cls, scopes: Mapping[str, Iterable[str]]) -> Names:
        """Gather the names of each document (the file name is always one of them)."""
        forms: dict[tuple[str, ...], set[str]] = {}
        files: dict[tuple[str, ...], set[str]] = {}
        for document, aliases in scopes.items():
            for alias in {document, *aliases}:
                for form in _alias_forms(alias):
                    forms.setdefault(form, set()).add(document)
            files.setdefault(tuple(tokens(document)), set()).add(document)
        return cls(
            {f: frozenset(d) for f, d in sorted(forms.items())}, {f: frozenset(d) for f, d in sorted(files.items())}
        )

    def mentions(self, text: str) -> list[Mention]:
        """Return the names used in ``text``; a name inside a longer one is not counted."""
        words = tokens(text)
        found: list[Mention] = []
        for form, owners in self.forms.items():
            size = len(form)
            for i in range(len(words) - size + 1):
                if words[i] == form[0] and tuple(words[i : i + size]) == form:
                    found.append(Mention(i, i + size, owners))
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
        words = tokens(text)
        used = {i for m in self.mentions(text) for i in range(m.start, m.end)}
        return [w for i, w in enumerate(words) if i not in used]

    def files_in(self, text: str) -> frozenset[str]:
        """Return the documents that ``text`` names by file name."""
        words = " " + " ".join(tokens(text)) + " "
        return frozenset(d for form, owners in self.files.items() if f" {' '.join(form)} " in words for d in owners)


@dataclass(frozen=True)
class Topics:
    """Every topic of a rubric with its names as sets of content words."""

    names: Mapping[str, tuple[tuple[str, ...], ...]]

    @classmethod
    def build(cls, facets: Iterable[tuple[str, ...]]) -> Topics:
        """Gather the topics of a rubric; a topic's key is made of its names."""
        names: dict[str, tuple[tuple[str, ...], ...]] = {}
        for facet in facets:
            forms = [tuple(content(alias)) for name in facet for alias in _alternatives(name)]
            names[topic_key(facet)] = tuple(dict.fromkeys(f for f in forms if f))
        return cls(names)

    def labelled(self, words: Iterable[str]) -> frozenset[str]:
        """Return the topics that a heading, label or cell of these words names."""
        present = {_stem(w) for w in words if w not in _STOP}
        hits = {key: form for key, forms in self.names.items() for form in forms if set(form) <= present}
        return frozenset(
            key
            for key, form in hits.items()
            if not any(set(form) < set(other) for name, other in hits.items() if name != key)
        )

    def inline(self, text: str) -> frozenset[str]:
        """Return the topics that running text names, their words standing together."""
        words = content(text)
        return frozenset(key for key, forms in self.names.items() if any(_near(words, form) for form in forms))


def topic_key(facet: Iterable[str]) -> str:
    """Return one key for the names of a topic."""
    return "|".join(sorted({" ".join(tokens(name)) for name in facet}))


def _alternatives(name: str) -> list[str]:
    parts = name.split("/")
    # "rofr/rofo/rofn" are three names; "revenue/profit sharing" is one.
    return parts if len(parts) > 1 and all(re.fullmatch(r"\w+", p) for p in parts) else [name]


def _near(words: list[str], form: tuple[str, ...]) -> bool:
    need, width = set(form), len(form) + 2
    return any(words[i] in need and need <= set(words[i : i + width]) for i in range(len(words)))
