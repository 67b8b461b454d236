"""Read the brief: which topics it asks for, and which files."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tasks.asks.catalogue import Provision, generic
from tasks.asks.cues import BriefCues
from tasks.asks.enumerations import Enumeration, enumerations
from tasks.legaltext.fold import straight
from tasks.legaltext.sentences import BRIEF, sentences

_MOST_WORDS = 8
_MASK = "\x01{}\x02"
_TOKEN = re.compile("\x01(\\d+)\x02")
# Names of provisions side by side: "governing law, assignment and change of control".
_ROW = re.compile("\x01\\d+\x02(?:(?:,|,? and|,? or|;) (?:the |any )?\x01\\d+\x02)+")
Hits = Sequence[tuple[str, Provision]]


@dataclass(frozen=True)
class Topic:
    """A topic of the brief.

    Attributes:
        words: The topic as the brief calls it.
        provision: What the catalogue knows of it, or the generic provision made of its words.
        question: The question that asks about it; empty where the brief lists it.
        kinds: Kinds of figure that the question asks for.
    """

    words: str
    provision: Provision
    question: str = ""
    kinds: tuple[str, ...] = ()

    @property
    def heading(self) -> str:
        """Return the topic as a heading: the brief's words first, then the usual name when it differs."""
        usual = next((n for n in self.provision.names if _plain(n) != _plain(self.words)), "")
        known = self.provision.known and usual and _plain(self.words) not in _plain(usual)
        title = self.words[:1].upper() + self.words[1:]
        return f"{title} ({usual})" if known and len(usual) <= 40 else title


def topics(instructions: str, known: Sequence[Provision], cues: BriefCues) -> tuple[Topic, ...]:
    """Return the topics that a brief enumerates, in its order; empty when it enumerates none.

    Every item of an explicit enumeration is a topic, whether the catalogue holds it or not. Prose that names at least
    two provisions of the catalogue while it asks to read, not to draft, yields those.
    """
    masked, hits = _masked(straight(without_output(instructions, cues)), known)
    asked = [t for items in enumerations(masked, cues.lists) for t in _listed(items, hits, cues)]
    return _each_provision_once(asked or _in_prose(masked, hits, cues))


def topic_of(words: str, known: Sequence[Provision], cues: BriefCues) -> Topic | None:
    """Return what an ask of few words is about: a provision of the catalogue, or its own words; None where nothing."""
    masked, hits = _masked(straight(words), known)
    made = _topic(masked, hits, cues)
    return made[0] if made else None


def topics_named(text: str, known: Sequence[Provision], cues: BriefCues) -> tuple[Topic, ...]:
    """Return the provisions of the catalogue that a stretch of text names, in its order."""
    _, hits = _masked(straight(text), known)
    return _each_provision_once([Topic(_strip(words, cues), provision) for words, provision in hits])


def _listed(listed: Enumeration, hits: Hits, cues: BriefCues) -> list[Topic]:
    """Return the items of an enumeration as topics; none where it lists work to be done."""
    made = [m for item in listed.items if (m := _topic(item.text, hits, cues))]
    topics = [t for t, known in made if known or not is_work(t.words, cues)]
    sure = [t for t, known in made if known and not cues.loose.fullmatch(t.words)]
    enough = bool(sure) if listed.loose else len(topics) >= 2 or bool(sure)
    if listed.loose and len(topics) - len(sure) > len(sure):
        return []
    return topics if enough and len(topics) * 2 > len(made) else []


def is_ambiguous_name(words: str, cues: BriefCues) -> bool:
    """Tell whether words that name a provision as often mean the papers or the work."""
    return bool(cues.loose.fullmatch(_strip(words, cues)))


def is_work(words: str, cues: BriefCues) -> bool:
    """Tell whether words name work to be done, not something that a document says."""
    return bool(cues.work.search(words)) or len(words.split()) > _MOST_WORDS


def _topic(item: str, hits: Hits, cues: BriefCues) -> tuple[Topic, bool] | None:
    """Return an item as a topic, and whether the catalogue holds it."""
    item = _strip(item, cues)
    token = _TOKEN.fullmatch(cues.trailing.sub("", item).strip(" .:'\"()-"))
    inner = list(_TOKEN.finditer(item))
    if token is None and len(inner) == 1 and re.search(r"\x02\W*$|^\W*\x01", item):
        token = inner[0] if cues.vague.fullmatch(_TOKEN.sub("", item).strip()) else None
    if token:
        words, provision = hits[int(token[1])]
        return Topic(_strip(words, cues), provision), True
    plain = _TOKEN.sub(lambda m: hits[int(m[1])][0], item)
    if not re.search(r"[a-z]{3}", plain, re.I):
        return None
    words = plain if re.search(r"[a-z][A-Z]|[A-Z]{2}", plain) else plain[:1].lower() + plain[1:]
    return Topic(words, generic(words)), False


def _in_prose(masked: str, hits: Hits, cues: BriefCues) -> list[Topic]:
    """Return the provisions that sentences which ask to read documents name; none unless there are two."""
    found: list[Topic] = []
    for start, end in sentences(masked, BRIEF):
        sentence = masked[start:end]
        if cues.reading.search(sentence) and not cues.drafting.search(sentence):
            for row in _ROW.finditer(sentence):
                named = [hits[int(m[1])] for m in _TOKEN.finditer(row[0])]
                found.extend(Topic(_strip(words, cues), p) for words, p in named if not is_ambiguous_name(words, cues))
    return found if len({t.provision.name for t in found}) >= 2 else []


def _each_provision_once(asked: Sequence[Topic]) -> tuple[Topic, ...]:
    return tuple({t.provision.name: t for t in reversed(asked)}.values())[::-1]


def without_output(instructions: str, cues: BriefCues) -> str:
    """Return a brief without the naming of its files."""
    return cues.output.sub("", instructions).strip()


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", " ", name.lower()).strip()


def _masked(text: str, known: Sequence[Provision]) -> tuple[str, list[tuple[str, Provision]]]:
    """Replace the names of provisions, the longest first, so that their own "and" and "or" split nothing."""
    names = {n.lower(): p for p in reversed(known) for n in reversed(p.names)}
    hits: list[tuple[str, Provision]] = []
    ordered = sorted(names, key=lambda n: (-len(n), n))
    pattern = re.compile(r"(?<![\w-])(?:" + "|".join(f"({_flexible(n)})" for n in ordered) + r")(?![\w-])", re.I)

    def mask(match: re.Match[str]) -> str:
        hits.append((match[0], names[ordered[(match.lastindex or 1) - 1]]))
        return _MASK.format(len(hits) - 1)

    return (pattern.sub(mask, text) if names else text), hits


def _flexible(name: str) -> str:
    """Return a pattern of a name in either number, with hyphens or spaces, in either spelling."""
    words = [re.sub(r"licen\\?[sc]e", "licen[sc]e", re.escape(w)) for w in re.split(r"[\s-]+", name)]
    return r"[\s-]+".join(w + ("s?" if w[-1:].isalpha() else "") for w in words)


def _strip(item: str, cues: BriefCues) -> str:
    item = item.strip(" \t\n.:;'\"-")
    while match := cues.leading.match(item):
        item = item[match.end() :]
    return item
