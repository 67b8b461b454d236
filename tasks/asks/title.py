"""A title made from a request: what it is about, and the first things that it asks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tasks.asks.antecedents import Phrase, phrases_of
from tasks.asks.clauses import BriefClause
from tasks.asks.grammar import Grammar
from tasks.asks.names import NamedProvision
from tasks.asks.records import Ask, AskKind
from tasks.legaltext.numbers.spelling import CARDINALS
from tasks.legaltext.tokens import stem

_CASE = re.compile(r"(?<![\w.])((?:[A-Z][\w.'&-]*\s){1,4})v\.?\s((?:[A-Z][\w'&-]*)(?:\s[A-Z][\w'&-]*){0,2})")
_ARTICLE = re.compile(
    r"^(?:(?:the|an?|any|some|our|your|his|her|its|their|my|each|every|such|all|these|this|that|attached|old)\s+)+",
    re.I,
)
_EMPTY = re.compile(  # heads of phrases that tell no topic
    r"(?:date|day|time|amount|thing|question|rule|section|clause|way|one|case|client|year|month|law|note|answer|part|paper"
    r"|party|parties|side|number|sum|reason|word|people|point|end|account|look|matter|mail|file|team|memo|effect|list|deal"
    r"|deadline|dollar|duty|duties|calendar|chronology|information|material|form|clock|anything|something|everything)s?",
    re.I,
)
_MAIN = re.compile(
    r"(?:agreement|contract|lease|licen[cs]e|nda|deed|loan|note|polic(?:y|ie)|amendment|form|covenant|settlement|deal"
    r"|sheet|paper|will|trust|warranty)s?",
    re.I,
)
_ALONE = re.compile(r"(?:lease|licen[cs]e|nda|deed|loan|settlement|will|trust)s?", re.I)  # a title without another word
_MOST = 5  # words of a topic
_TOPICS = 3  # named in a title: more do not fit its length
_READ = 60  # asks that are looked at for a title
_LONGEST = 90  # characters of a title
_SHARE = 0.5  # of the asks from which their kind names the work
_WORDED = 10  # numbers up to it are written as words
_SEVERAL = 3  # papers from which their number says more than the name of one
_HEADS = {"chronology": "{}: chronology", "changes": "changes to the {}", "comparison": "{} compared"}
_KINDS = {AskKind.TIMELINE: "chronology", AskKind.DRAFTING: "changes", AskKind.COMPARISON: "comparison"}


@dataclass(frozen=True)
class Titling:
    """Makes the title of one brief."""

    text: str
    grammar: Grammar
    found: Sequence[BriefClause]
    named: Sequence[NamedProvision]
    papers: int

    def title(self, asks: Sequence[Ask]) -> str:
        """Return the title: the papers or the case, the kind of work where one rules, and at most three topics."""
        scope = self._scope()
        wanted = [a for a in asks if a.kind is not AskKind.CONSTRAINT][:_READ]
        counts = Counter(a.kind for a in wanted)
        work = next((w for kind, w in _KINDS.items() if counts[kind] > _SHARE * len(wanted)), "")
        head = _HEADS.get(work, "{}").format(scope) if scope else work
        parts = [] if work in ("chronology", "changes") and scope else self._topics(wanted, scope)
        while True:
            said = ", ".join(parts[:-1]) + (" and " if parts[1:] else "") + (parts[-1] if parts else "")
            whole = f"{head}: {said}" if head and said else head or said
            if len(whole) <= _LONGEST or not parts:
                return whole[:1].upper() + whole[1:]
            parts.pop()

    def _scope(self) -> str:
        """Return what the request is about: the case, so many papers, or the paper that it names first."""
        case = _CASE.search(self.text)
        if case:
            return f"{case[1].strip().removeprefix('Re ')} v. {case[2]}"
        papers = [(p, w) for c in self.found for p in phrases_of(c.words, self.text) if (w := self._paper(p))]
        counted = (p for p, _ in papers if 1 < _number_before(_bare(p.text)) <= _WORDED)
        if self.papers >= _SEVERAL and (several := next(counted, None)):
            return _bare(several.text)
        own = [p for p, word in papers if len(_bare(p.text).split()) > 1 or _ALONE.fullmatch(word)]
        first = next((p for p in own if " " in _bare(p.text)), next(iter(own), None))
        return _bare(first.text) if first and not (self.papers >= _SEVERAL and not first.many) else ""

    def _paper(self, phrase: Phrase) -> str:
        """Return the word for a paper with which a phrase ends; one that anything may be called must be of a name."""
        last = phrase.text.split()[-1]
        named = any(w[:1].isupper() for w in _bare(phrase.text).split()[:-1])
        vague = bool(_EMPTY.fullmatch(last)) and not named
        return last if _MAIN.fullmatch(last) and not vague else ""

    def _topics(self, asks: Sequence[Ask], scope: str) -> list[str]:
        """Return the first things that are asked about, each once, those first of which most is asked."""
        seen: dict[str, str] = {}
        counts: Counter[str] = Counter()
        known = {stem(w.lower()) for w in re.findall(r"[A-Za-z]+", scope)}
        for ask in asks:
            topic = next(self._topics_of(ask), "")
            head = stem(topic.split()[-1].lower()) if topic else ""
            if head and head not in known:
                seen.setdefault(head, topic)
                counts[head] += 1
        order = sorted(seen, key=lambda h: -counts[h])[:_TOPICS]
        return [seen[h] for h in seen if h in order]

    def _topics_of(self, ask: Ask) -> Iterator[str]:
        """Yield what an ask may be about: a provision that it names, else its noun phrases, the subject first."""
        own = (self.text[n.start : n.end].lower() for n in self.named if ask.start <= n.start and n.end <= ask.end)
        yield from (n for n in own if " " in n or _tells(n))
        clauses = (c for c in self.found if c.span[0] <= ask.start and ask.end <= c.span[1] + 1)
        for clause in clauses:
            for phrase in phrases_of(clause.words, self.text):
                said = _bare(phrase.text)
                inside = ask.start <= phrase.start and phrase.end <= ask.end
                role = self.grammar.words["role"].fullmatch(said)
                if inside and not phrase.person and not role and _tells(said):
                    yield said


def _number_before(words: str) -> int:
    """Return the number that a phrase begins with as a word; 0 where it begins with another."""
    return CARDINALS.get(re.sub(r"[^a-z].*", "", words.lower(), flags=re.S), 0)


def _bare(words: str) -> str:
    """Return a phrase without its article."""
    return _ARTICLE.sub("", " ".join(words.split()))


def _tells(words: str) -> bool:
    """Tell whether a phrase says what a question is about: no name alone, no figure, no word for anything."""
    parts = words.split()
    plain = any(p[:1].islower() for p in parts) and words.replace(" ", "").replace("'", "").replace("-", "").isalpha()
    return plain and len(parts) <= _MOST and not _EMPTY.fullmatch(parts[-1])
