"""The clauses of a brief: where one ends and the next begins, which list it is an item of, and what only leads on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from tasks.asks.english import AUXILIARY, CONDITION, DEPENDS
from tasks.asks.grammar import HEAD, Grammar
from tasks.asks.marks import OPEN, depth_of, numbers_of, sentences_of, whole

Span = tuple[int, int]
_NUMBER = r"(?:\((?:[a-z]|[ivx]{1,4}|\d{1,2})\)|(?:\d{1,2}|[a-z])[.)](?!\d))"
_BULLET = re.compile(rf"\s*(?:[-*•–—·o]|{_NUMBER}|q\d+[.:)])\s+", re.I)
_BREAK = re.compile(r";\s*(?:(?:and|or)\b,?\s+)?|:(?=\s)\s*|\s+[-–—]+\s+|—")
_COMMA = re.compile(r"\s*,(?!\s*\d{4}\b)\s+(?:and\s+|but\s+)?", re.I)
_LISTS = ("timeline", "comparison", "calculation", "list")  # kinds of answer that a label before a list may name
_TAIL = 5  # words; a longer part without a verb is a thing that is asked for
_LABEL = 9  # words; a longer part before a dash is no label


class Mood(Enum):
    """What the words before a list say of its items."""

    ASKS = "its items are asked for, whatever their form"
    TELLS = "its items are told"
    OPEN = "its items speak for themselves"


@dataclass(frozen=True)
class Lead:
    """The words that lead to a list."""

    span: Span
    mood: Mood


@dataclass(frozen=True)
class Clause:
    """A clause of a brief.

    Attributes:
        sentence: The sentence it stands in.
        line: Where its line or list item begins: clauses of one line belong together.
        lead: The words that lead to the list of which this is an item.
        item: Whether it is an item of a list that asks: then it asks, whatever its form.
        leads: Whether it is itself a lead.
        listed: Whether it begins an item with a number or a bullet.
        form: Whether it says how the answer is to be given, and so is an ask of its own within a longer clause.
    """

    span: Span
    sentence: Span
    line: int
    lead: Lead | None = None
    item: bool = False
    leads: bool = False
    form: bool = False
    listed: bool = False


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

    def clauses(self) -> list[Clause]:
        """Return the clauses in the order of the brief; with the marks between them they are the whole of it."""
        found = list(sentences_of(self.text, self.grammar.begins))
        done: list[Clause] = []
        lead: Lead | None = None
        line, listed, opened = -1, False, -1
        for at, (start, end) in enumerate(found):
            fresh = at == 0 or "\n" in self.text[found[at - 1][1] : start]
            bullet = _BULLET.match(self.text, start, end) if fresh else None
            if fresh:
                blank = at > 0 and self.text.count("\n", found[at - 1][1], start) > 1
                if not bullet and (listed or (blank and opened != at - 1)):
                    lead = None
                line, listed = start, bool(bullet)
            begin = bullet.end() if bullet else start
            following = found[at + 1] if at + 1 < len(found) else None
            leading = self._leads_on(start, end, following)
            parts = list(self._sentence((begin, end), line, lead, listed=listed, leading=leading))
            done.extend(parts)
            heads = [p for p in parts if p.leads]
            if heads and leading:
                lead, opened = Lead(heads[-1].span, self.mood(*heads[-1].span)), at
                listed = False
            elif any(self.grammar.asks(self.text[slice(*p.span)]) for p in parts) and not bullet:
                lead = None if lead and lead.mood is Mood.TELLS else lead
            elif parts and parts[-1].lead and parts[-1].lead.mood is Mood.TELLS and not bullet:
                lead = parts[-1].lead
        return done

    def _leads_on(self, start: int, end: int, following: Span | None) -> bool:
        """Tell whether a sentence leads to the list that follows it on lines of their own."""
        if following is None or "\n" not in self.text[end : following[0]]:
            return False
        words = self.text[start:end].rstrip()
        return words.endswith(":") or (
            not words.endswith((".", "?", "!", ";", ","))
            and not _BULLET.match(self.text, start, end)
            and bool(_BULLET.match(self.text, *following))
        )

    def mood(self, start: int, end: int) -> Mood:
        """Return what the words before a list say of its items."""
        words = self.text[start:end]
        if self.grammar.tells(words) and not self.grammar.begins.match(words):
            return Mood.TELLS
        if self.redline and self.grammar.words["redline"].search(words):
            return Mood.ASKS
        if self.grammar.asks(words) or self.grammar.announces(words):
            return Mood.ASKS
        if self.grammar.states(words):
            return Mood.TELLS
        return (
            Mood.ASKS
            if any(self.grammar.kinds[k].search(words[:HEAD]) for k in _LISTS if k in self.grammar.kinds)
            else Mood.OPEN
        )

    def _sentence(self, span: Span, line: int, lead: Lead | None, *, listed: bool, leading: bool) -> Iterator[Clause]:
        """Yield the clauses of a sentence, parted at the numbers of a list in it, at colons, semicolons and dashes."""
        start, end = span
        trailing = _TRAILING.search(self.text, max(start, end - 12), end)
        end = trailing.start() if trailing else end
        numbers = numbers_of(self.text, start, end)
        if len(numbers) > 1:
            yield from self._numbered(span, numbers, line, lead)
            return
        depth = depth_of(self.text, start, end)
        marks = [
            m
            for m in _BREAK.finditer(self.text, start, end)
            if not depth[m.start() - start] and not self._is_kept(m.span())
        ]
        marks = [m for m in marks if m.group().strip()[:1] not in "-–—" or self._parts_at(m, start, end)]
        edges = [start, *(x for m in marks for x in m.span()), end]
        for n, (a, b) in enumerate(zip(edges[::2], edges[1::2], strict=True)):
            mark = marks[n].group().strip() if n < len(marks) else ""
            last = n == len(marks)
            heads = (
                not last
                and (mark[:1] == ":" or (mark[:1] in "-–—" and self._is_label(a, b)))
                and whole(self.text, b, end)[0] < end
            )
            yield from self._part((a, b), span, line, lead, item=listed and n == 0, leads=heads or (last and leading))
            if heads:
                lead, listed = Lead(whole(self.text, a, b), self._inherited(a, b, lead, mark)), False
            elif mark[:1] == ";" and n == 0 and lead is None and self._lists(a, b):
                lead = Lead(whole(self.text, a, b), Mood.ASKS)

    def _parts_at(self, dash: re.Match[str], start: int, end: int) -> bool:
        """Tell whether a dash parts two clauses: behind a label, or before one that asks."""
        after = self.text[dash.end() : end]
        if self.redline:
            return self._is_label(start, dash.start()) or self._changed(dash.end(), end)
        return self._is_label(start, dash.start()) or self.grammar.asks(after)

    def _inherited(self, start: int, end: int, lead: Lead | None, mark: str) -> Mood:
        """Return the mood of a lead within a sentence: a label before a dash asks nothing by its own words."""
        mood = self.mood(start, end)
        if mark[:1] in "-–—" and not self.grammar.asks(self.text[start:end]):
            mood = Mood.OPEN
        return lead.mood if mood is Mood.OPEN and lead and lead.mood is Mood.TELLS else mood

    def _lists(self, start: int, end: int) -> bool:
        """Tell whether what stands before a semicolon asks for the first thing of a list."""
        return bool(self.grammar.listing.match(self.text[start:end][:400])) and self.grammar.asks(self.text[start:end])

    def _is_label(self, start: int, end: int) -> bool:
        words = self.text[start:end]
        if self.redline and self._changed(start, end):
            return False
        return len(words.split()) <= _LABEL and not self.grammar.asks(words) and not self.grammar.states(words)

    def _numbered(self, span: Span, numbers: Sequence[Span], line: int, lead: Lead | None) -> Iterator[Clause]:
        """Yield the items of a list whose numbers stand in the sentence, with its lead."""
        start, end = span
        head = whole(self.text, start, numbers[0][0])
        if head[0] < head[1]:
            parts = list(self._sentence(head, line, lead, listed=False, leading=True))
            yield from parts
            heads = [p for p in parts if p.leads]
            if heads:
                lead = Lead(heads[-1].span, self.mood(*heads[-1].span))
        for at, (opening, begin) in enumerate(numbers):
            stop = numbers[at + 1][0] if at + 1 < len(numbers) else end
            yield from self._sentence((begin, stop), opening, lead, listed=True, leading=False)

    def _part(
        self, part: Span, sentence: Span, line: int, lead: Lead | None, *, item: bool, leads: bool
    ) -> Iterator[Clause]:
        """Yield the clauses of a part, parted where a further question or request begins, and what says the form."""
        asked = lead is not None and lead.mood is Mood.ASKS
        told = lead is not None and lead.mood is Mood.TELLS
        first = True
        parts: list[Clause] = []
        for chunk in self._chunks(*part, asked=asked or item):
            goes_on = False
            for span, form in self._formed(*chunk):
                words = self.text[slice(*span)]
                unsaid = not first and words[:3].lower() == "if " and "," not in words
                items = unsaid or goes_on or (first and (asked or (item and not told)))
                parts.append(
                    Clause(span, sentence, line, lead, item=items and not form, form=form, listed=item and first)
                )
                goes_on = goes_on or form or self.grammar.asks(words)
                first = first and form
        plain = [p for p in parts if not p.form]
        yield from (replace(p, leads=leads and p is plain[-1]) if plain else p for p in parts)

    def _chunks(self, start: int, end: int, *, asked: bool) -> Iterator[Span]:
        """Part a stretch where a further question begins; what asks nothing yet goes with what follows."""
        for part in self._asked_parts(start, end, asked=asked):
            question = self.text[part[1] : part[1] + 1] == "?"
            yield from self._changes(*part) if self.redline and not question else (part,)

    def _asked_parts(self, start: int, end: int, *, asked: bool) -> Iterator[Span]:
        at = start
        depth = depth_of(self.text, start, end)
        for match in self.grammar.boundary.finditer(self.text, start, end):
            if match.start() < at or depth[match.start() - start] or self._is_kept(match.span()):
                continue
            if not self.redline and any(x == match.end() for x, _ in self.kept):
                continue  # "change of control" and "cap on liability" are things, not requests to change or to cap
            if self._complete(at, match, asked=asked) and not self._is_tail(at, match, end):
                yield whole(self.text, at, match.start())
                at = match.end()
        span = whole(self.text, at, end)
        if span[0] < span[1]:
            yield span

    def _complete(self, start: int, match: re.Match[str], *, asked: bool) -> bool:
        """Tell whether a clause may end at a boundary: it asks, and the words behind it do not hang on its noun."""
        before = self.text[start : match.start()]
        if _CONDITION.match(self.grammar.onset.sub("", before[:80])) and "," not in before:
            return False
        if match["unsaid"] and not self.grammar.inquiring.search(before[:400]):
            return False
        if match["loose"] and not (match["joined"] or match["bare"]):
            return False
        if self.grammar.perusal.match(before):
            return True
        if match["loose"]:
            return False
        length = len(before.split())
        begun = (
            length > 2
            or (asked and bool(match["joined"]))
            or (length > 1 and not match["bare"] and not match["joined"])
        )
        if not begun or not (asked or self.grammar.asks(before)):
            return False
        joined = match["joined"] or match["bare"]
        if match["relative"] and not joined:
            return (
                bool(self.grammar.inquiring.search(before[:400]))
                or "?" in self.text[match.end() : match.end() + 300].split(".")[0]
            )
        return True

    def _is_tail(self, start: int, match: re.Match[str], end: int) -> bool:
        """Tell whether what begins here has no verb of its own and only asks more of the same: "at what rate"."""
        begin = match.end()
        following = self.grammar.boundary.search(self.text, begin + 1, min(end, begin + 200))
        words = self.text[begin : following.start() if following else end]
        if self.grammar.tag.fullmatch(words):
            return True
        same = _HOW.match(words)
        if self.grammar.clausal.match(words) or (same and self.text.lower().startswith(same.group().lower(), start)):
            return False
        most = _TAIL if match["joined"] or match["bare"] or DEPENDS.match(words) else 2
        return bool(match["asked"]) and len(words.split()) <= most and not self.grammar.verb.search(words)

    def _changes(self, start: int, end: int) -> Iterator[Span]:
        """Part the instructions of a redline at commas: each part that has a change of its own is one."""
        at = start
        cuts = sorted({*self._commas(start, end), *(m.span() for m in _ALSO.finditer(self.text, start, end))})
        for a, b in [*cuts, (end, end)]:
            if a < at:
                continue
            if a == end or (
                self._changed(at, a) and self._changed(b, self._next(b, end)) and not _CONTRAST.match(self.text, b)
            ):
                span = whole(self.text, at, a)
                if span[0] < span[1]:
                    yield span
                at = b

    def _next(self, start: int, end: int) -> int:
        found = _COMMA.search(self.text, start, end)
        return found.start() if found else end

    def _changed(self, start: int, end: int) -> bool:
        words = self.text[start:end][:400]
        return bool(self.grammar.words["change"].search(words) or self.grammar.commanded.match(words))

    def _commas(self, start: int, end: int) -> list[Span]:
        depth = depth_of(self.text, start, end)
        found = (m.span() for m in _COMMA.finditer(self.text, start, end))
        return [cut for cut in found if not depth[cut[0] - start] and not self._is_kept(cut)]

    def _formed(self, start: int, end: int) -> Iterator[tuple[Span, bool]]:
        """Part a clause from the words between its commas that only say how the answer is to be given.

        Such words inside a clause that goes on behind them are an ask within it.
        """
        cuts = self._commas(start, end)
        edges = [start, *(x for cut in cuts for x in cut), end]
        pieces = [whole(self.text, a, b) for a, b in zip(edges[::2], edges[1::2], strict=True)]
        forms = [p for p in pieces if 0 < p[1] - p[0] < 200 and self.grammar.constraint.fullmatch(self.text[slice(*p)])]
        rest = [p for p in pieces if p[0] < p[1] and p not in forms and OPEN.search(self.text, *p)]
        runs: list[Span] = []
        for piece in rest:
            joined = runs and (piece[0] < runs[-1][1] or not any(runs[-1][1] <= f[0] < piece[0] for f in forms))
            if runs and (joined or DEPENDS.match(self.text[slice(*piece)])):
                runs[-1] = (runs[-1][0], piece[1])
            elif not runs and forms and forms[0] < piece and DEPENDS.match(self.text[slice(*piece)]):
                forms[-1] = (forms[-1][0], piece[1])
            else:
                runs.append(piece)
        yield from sorted([(p, False) for p in runs] + [(p, True) for p in forms])

    def _is_kept(self, span: Span) -> bool:
        return any(a < span[1] and span[0] < b for a, b in self.kept)


_CONDITION = re.compile(
    rf"\W*(?:(?!if so\b)(?!since\b){CONDITION}|where(?! {AUXILIARY})|assuming|suppose)\b",
    re.I,
)
_TRAILING = re.compile(r"[,;]\s*(?:and|or)\s*$", re.I)
_ALSO = re.compile(r"\s+and\s+(?=(?:in |at |under )?(?:clause|section|article|paragraph|schedule)s?\s)", re.I)
_HOW = re.compile(r"how \w+", re.I)
_CONTRAST = re.compile(r"\s*(?:not|instead|rather|from|in place)\b", re.I)
