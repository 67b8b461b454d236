"""The clauses of a brief: where they begin and end, which list one is an item of, and which only introduce."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import pairwise

from tasks.asks.grammar import Grammar
from tasks.asks.marks import depth_of, numbers_of, sentences_of, told_until, whole
from tasks.asks.moods import ASKING, AUXILIARY, WH, Mood, Words, as_ordered, low
from tasks.asks.parting import parted
from tasks.legaltext.parts_of_speech import Word, tagged

Span = tuple[int, int]
_NUMBER = r"(?:\((?:[a-z]|[ivx]{1,4}|\d{1,2})\)|(?:\d{1,2}|[a-z])[.)](?!\d))"
_BULLET = re.compile(rf"\s*(?:[-*•–—·o]\s|[-*•–—·](?=[a-z])|(?:{_NUMBER}|q\d+[.:)])\s)\s*", re.I)
_NUMBERED = re.compile(r"\(?(?:[a-z]|[ivx]{1,4}|\d{1,2})\)\s+", re.I)
_BREAK = re.compile(r";\s*(?:(?:and|or)\b,?\s+)?|:(?=\s|$)\s*|\?\s*|\s+[-–—]+\s+|—|(?<=\w) /(?= \w)\s*")
_SLASHES = 2  # marks " / " in a line from which they part what is asked; one alone joins two names
_PLACE = re.compile(r"\W*(?:section|clause|article|paragraph|para|§)\s*[\w.()]{1,12}\s*(?=\Z)", re.I)
_TRAILING = re.compile(r"[,;]\s*(?:and|or)\s*$", re.I)
_LISTS = ("timeline", "comparison", "calculation", "list")  # kinds of answer that a label before a list may name
_LABEL = 9  # words; a longer part before a dash is no label
_TRAILING_REACH = 12  # characters at the end of a sentence that hold "; and" with its spaces


class Pull(Enum):
    """What the words before a list say of its items."""

    ASKS = "its items are asked for, whatever their form"
    TELLS = "its items are told"
    OPEN = "its items speak for themselves"


@dataclass(frozen=True)
class ListLead:
    """The words that lead to a list."""

    span: Span
    pull: Pull


@dataclass(frozen=True)
class BriefClause:
    """A clause of a brief.

    Attributes:
        words: Its words with their parts of speech.
        sentence: The sentence it stands in.
        line: Where its line or list item begins: clauses of one line belong together.
        lead: The words that lead to the list of which this is an item.
        leads: Whether it is itself a lead.
        listed: Whether it begins an item with a number or a bullet.
        form: Whether it says how the answer is to be given.
        governor: The clause whose verb asks for this one too: "give the rent and who pays it".
    """

    span: Span
    words: Words
    mood: Mood
    sentence: Span
    line: int
    lead: ListLead | None = None
    leads: bool = False
    form: bool = False
    listed: bool = False
    governor: Span | None = None

    @property
    def item(self) -> bool:
        """Whether it is an item of a list that asks: then it asks, whatever its form."""
        return self.lead is not None and self.lead.pull is Pull.ASKS


@dataclass(frozen=True)
class Segmenter:
    """Parts a brief into its clauses.

    Attributes:
        text: The brief, with straight marks, of the same length.
        kept: Stretches that nothing parts: names of provisions.
        redline: Whether changes of a draft are asked for.
    """

    text: str
    grammar: Grammar
    kept: Sequence[Span]
    redline: bool = False

    def clauses(self) -> list[BriefClause]:
        """Return the clauses in the order of the brief; with the marks between them they cover all of it."""
        found = list(sentences_of(self.text))
        done: list[BriefClause] = []
        lead: ListLead | None = None
        line, listed, opened = -1, False, -1
        for at, (start, end) in enumerate(found):
            fresh = at == 0 or "\n" in self.text[found[at - 1][1] : start]
            bullet = _BULLET.match(self.text, start, end) if fresh else None
            number = None if fresh else _NUMBERED.match(self.text, start, end)
            if fresh:
                blank = at > 0 and self.text.count("\n", found[at - 1][1], start) > 1
                if not bullet and (listed or (blank and opened != at - 1)):
                    lead = None
                line, listed = start, bool(bullet)
            line = start if number else line
            begin = bullet.end() if bullet else number.end() if number else start
            leading = self._leads_on(start, end, found[at + 1] if at + 1 < len(found) else None)
            parts = list(self._sentence((begin, end), line, lead, listed=listed, leading=leading))
            done.extend(parts)
            heads = [p for p in parts if p.leads]
            if heads and leading:
                pull = self.pull(heads[-1])
                if pull is Pull.TELLS and not self.grammar.tells(self.text[slice(*heads[-1].span)]):
                    pull = Pull.OPEN  # what a statement leads to on lines of its own may be asked
                lead, opened, listed = ListLead(heads[-1].span, pull), at, False
            elif lead and lead.pull is Pull.TELLS and not bullet and any(p.mood in ASKING for p in parts):
                lead = None
            elif lead and not fresh and not bullet and not listed:
                lead = lead if lead.pull is Pull.TELLS else None
            elif parts and parts[-1].lead and parts[-1].lead.pull is Pull.TELLS and not bullet:
                lead = parts[-1].lead
        return done

    def _leads_on(self, start: int, end: int, following: Span | None) -> bool:
        """Tell whether a sentence leads to the list that follows it on lines of their own."""
        if following is None or "\n" not in self.text[end : following[0]]:
            return False
        words = self.text[start:end].rstrip()
        return words.endswith(":") or (
            not words.endswith((".", "?", "!", ";"))
            and bool(_BULLET.match(self.text, *following))
            and (not _BULLET.match(self.text, start, end) or self._nested(start, following[0]))
        )

    def _nested(self, start: int, following: int) -> bool:
        """Tell whether the line that follows stands farther to the right."""
        return self._indent(following) > self._indent(start)

    def _indent(self, at: int) -> int:
        return at - (self.text.rfind("\n", 0, at) + 1)

    def pull(self, lead: BriefClause) -> Pull:
        """Return what a lead says of the items of its list."""
        text = self.text[slice(*lead.span)]
        if self.grammar.tells(text):
            return Pull.TELLS
        wanted = self.grammar.asks(f"{text} this")  # "I want:" has no object of its own but the list
        if lead.mood in ASKING or wanted or (self.redline and self.grammar.words["redline"].search(text)):
            return Pull.ASKS
        if self.grammar.words["agenda"].search(text) or (self._due(lead) and lead.mood is Mood.STATEMENT):
            return Pull.ASKS
        if lead.mood is Mood.STATEMENT:
            return Pull.ASKS if self._wants(lead) else Pull.TELLS
        if lead.lead and lead.lead.pull is not Pull.OPEN:
            return lead.lead.pull
        return Pull.ASKS if any(self.grammar.kinds[k].search(text) for k in _LISTS) else Pull.OPEN

    def _wants(self, lead: BriefClause) -> bool:
        """Tell whether somebody wants what a lead leads to: "counsel wants the duties by clause:"."""
        pairs = pairwise(lead.words)
        return any(
            a.tag in ("VVZ", "VVB")
            and b.tag.startswith(("AT0", "DPS", "NP"))
            and self.grammar.words["wish"].fullmatch(a.text)
            for a, b in pairs
        )

    def _due(self, clause: BriefClause) -> bool:
        """Tell whether a clause says what the work product must show."""
        return is_due(clause.words, self.grammar)

    def _sentence(
        self, span: Span, line: int, lead: ListLead | None, *, listed: bool, leading: bool
    ) -> Iterator[BriefClause]:
        """Yield the clauses of a sentence, parted at the numbers of a list in it, at colons, semicolons and dashes."""
        start, end = span
        trailing = _TRAILING.search(self.text, max(start, end - _TRAILING_REACH), end)
        end = trailing.start() if trailing else end
        numbers = numbers_of(self.text, start, end)
        if len(numbers) > 1:
            yield from self._numbered(span, numbers, line, lead)
            return
        words = tagged(self.text[start:end])
        words = self._named([Word(w.text, w.start + start, w.end + start, w.tag) for w in as_ordered(words)])
        depth = depth_of(self.text, start, end)
        marks = [
            m
            for m in _BREAK.finditer(self.text, start, end)
            if not depth[m.start() - start] and not any(a < m.end() and m.start() < b for a, b in self.kept)
        ]
        bounds = self.text.rfind("\n", 0, start) + 1, self.text.find("\n", end) % (len(self.text) + 1)
        slashes = self.text.count(" / ", *bounds)
        marks = [m for m in marks if slashes >= _SLASHES or m[0].strip() != "/"]
        marks = [m for m in marks if not (self.redline and m[0][0] == ":" and self.text[m.end() : m.end() + 1] == '"')]
        marks = [
            m for m in marks if not (self.redline and m[0][0] != ":" and _PLACE.fullmatch(self.text[start : m.start()]))
        ]
        small = self.text[start:end].islower()
        stops = [m.span() for m in marks] + [
            (a.start, b.start)
            for a, b in pairwise(words)
            if a.text == "." and (_is_begun(b) or (small and self._is_asked(a.start, b))) and not depth[a.start - start]
        ]
        edges = [start, *(x for m in sorted(stops) for x in m), end]
        first, until = True, told_until(self.text, start, end)
        starts, ends = [w.start for w in words], [w.end for w in words]
        for n, (a, b) in enumerate(zip(edges[::2], edges[1::2], strict=True)):
            mark = self.text[b : edges[2 * n + 2]].strip()[:1] if n < len(stops) else ""
            last = n == len(stops)
            part = words[bisect_left(starts, a) : bisect_right(ends, b)]
            rest = not last and b < until  # a colon at the end leads to the lines below
            parts = [
                replace(c, lead=lead, line=line, sentence=span, listed=listed and first and not k)
                for k, c in enumerate(self._part((a, b), part))
            ]
            heads = bool(parts) and (self._heads(mark, parts[-1]) if rest else leading)
            head = _leading(parts) if heads else -1
            if heads:
                parts[head] = replace(parts[head], leads=True)
            yield from parts
            first = first and not parts
            if heads and not last:
                pull = self.pull(parts[head]) if mark == ":" else Pull.OPEN
                lead = ListLead(
                    parts[head].span, lead.pull if pull is Pull.OPEN and lead and lead.pull is Pull.TELLS else pull
                )
            elif mark == ";" and n == 0 and lead is None and parts and parts[-1].mood in (Mood.REQUEST, Mood.WISH):
                lead = ListLead(whole(self.text, a, b), Pull.ASKS)

    def _is_asked(self, at: int, word: Word) -> bool:
        """Tell whether a question begins behind a stop, where nobody writes a capital."""
        return self.text[max(0, at - 1)].isalpha() and low(word) in WH | AUXILIARY

    def _named(self, words: Words) -> list[Word]:
        """Put one noun for the words of each name of a provision: "right of first refusal"."""
        found: list[Word] = []
        names = {a: b for a, b in self.kept if b <= words[-1].end} if words else {}
        until = -1
        for word in words:
            if word.start < until:
                continue
            until = names.get(word.start, -1)
            orders = word.tag == "VVB" and "-" not in word.text  # "audit the books"; nobody orders "non-compete"
            several = until > word.end or (until > 0 and word.tag.startswith("VV") and not orders)
            found.append(Word(self.text[word.start : until], word.start, until, "NN1") if several else word)
        return found

    def _heads(self, mark: str, clause: BriefClause) -> bool:
        """Tell whether what stands before a mark leads to what follows it: a colon, or a dash behind a label."""
        if mark == ":":
            return True
        label = clause.mood in (Mood.NAME, Mood.HANGING) and len(clause.words) <= _LABEL
        return mark != "" and mark in "-–—" and label and not self.redline

    def _numbered(self, span: Span, numbers: Sequence[Span], line: int, lead: ListLead | None) -> Iterator[BriefClause]:
        """Yield the items of a list whose numbers stand in the sentence, with its lead."""
        start, end = span
        head = whole(self.text, start, numbers[0][0])
        if head[0] < head[1]:
            parts = list(self._sentence(head, line, lead, listed=False, leading=True))
            yield from parts
            heads = [p for p in parts if p.leads]
            if heads:
                lead = ListLead(heads[-1].span, self.pull(heads[-1]))
        for at, (opening, begin) in enumerate(numbers):
            stop = numbers[at + 1][0] if at + 1 < len(numbers) else end
            yield from self._sentence((begin, stop), opening, lead, listed=True, leading=False)

    def _part(self, span: Span, words: Words) -> Iterator[BriefClause]:
        """Yield the clauses between two marks; what one verb asks for is governed by its clause."""
        governor: Span | None = None
        question = self.text[span[1] : span[1] + 1] == "?"
        for piece, mood, form in parted(words, self.text, self.grammar, self.kept, redline=self.redline):
            a, b = whole(self.text, piece[0].start, piece[-1].end)
            if a >= b:
                continue
            marked = question and mood not in ASKING and piece[-1].end >= words[-1].end
            own = Mood.QUESTION if marked else mood
            yield BriefClause((a, b), piece, own, span, span[0], form=form and not question, governor=governor)
            governor = governor or ((a, b) if own in (Mood.REQUEST, Mood.WISH) and not form else None)


def _leading(parts: Sequence[BriefClause]) -> int:
    """Return which clause leads to the list behind it: in "please give me, one row for each:" the first."""
    asks = (n for n in range(len(parts) - 1, -1, -1) if not parts[n].form)
    return next(asks, len(parts) - 1) if parts[-1].form else len(parts) - 1


def _is_begun(word: Word) -> bool:
    """Tell whether a word behind a stop begins a sentence: "Inc. Review each …" does, "Inc. Holdings" does not."""
    return word.text[0].isupper() and not word.tag.startswith(("N", "AJ", "CRD", "UNC", "ZZ"))


def is_due(words: Words, grammar: Grammar) -> bool:
    """Tell whether a clause says what the work product must show: "the memo should cover …", "it has to list …"."""
    modal = next((n for n, (a, b) in enumerate(pairwise(words[:20])) if _is_must(a, b)), None)
    if not modal:
        return False
    if words[modal].text.lower() == "should":
        return True
    subject = [w.text.lower() for w in words[:modal]]
    return subject[-1] in ("it", "this", "they", "you") or bool(grammar.words["product"].search(" ".join(subject)))


def _is_must(word: Word, following: Word) -> bool:
    return (word.tag == "VM0" and word.text.lower() not in ("can", "could", "may", "might")) or (
        word.text.lower() in ("has", "have", "needs", "need") and following.tag == "TO0"
    )
