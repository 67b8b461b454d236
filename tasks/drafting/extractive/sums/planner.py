"""Works a sum out backwards: from what is asked to the rule that gives it, and to the figures that the rule needs."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from tasks.drafting.extractive.due.worked import Worked, named
from tasks.drafting.extractive.sums.asked import Asked
from tasks.drafting.extractive.sums.fits import CLEAR, ENOUGH, NAMED
from tasks.drafting.extractive.sums.forms import FORMS
from tasks.drafting.extractive.sums.items import itemised
from tasks.drafting.extractive.sums.rising import LAST, adjusted
from tasks.drafting.extractive.sums.stated_sums import figures, principal
from tasks.drafting.extractive.sums.terms import Term

_BACK = 0.3  # part of the words of an ask before that a name must have for whose value its result is taken
_WORKED = 0.1  # what goes before a sum of the papers that fits as well: a result worked out under the name before
_TOLD = 0.1  # what it adds that a rule uses what the request tells: a day, a count, a sum
_BASE = 0.3  # what is taken off a rule where what is asked is that of which it takes a part
_SURELY = 0.75  # part of a name that a sum must have which is taken for it with certainty
_DEEP = 3  # rules chained behind one another
_LACKING = re.compile(r"\b(?:shortfall|deficit|difference|excess|deficiency|balance)\b", re.I)


@dataclass(frozen=True)
class ScoredResult:
    """A result with how well its rule fits what is asked, and whether it uses what the request tells."""

    score: float
    worked: Worked
    term: Term | None = None
    told: bool = False


class Planner:
    """Works out what one ask wants.

    Args:
        asked: What is asked.
    """

    def __init__(self, asked: Asked) -> None:
        """Take the ask."""
        self.asked = asked
        self._busy: set[int] = set()

    def results(self) -> list[ScoredResult]:
        """Return what the rules of the papers give to the ask, the best first."""
        found = []
        for term in self.asked.room.sums.terms:
            if term.unit not in self.asked.own_units:
                continue
            given = (
                term.says.replace(term.base, " ", 1)
                if term.base and term.form == "share" and not term.yearly
                else term.says
            )
            score = self.asked.fit_of(f"{term.unit.heading} {given}", self.asked.room.sums.paragraph(term.unit))
            score -= _BASE * self.asked.fit(self.asked.ask.words, term.base) if given is not term.says else 0.0
            if term.form == "price" and score < ENOUGH and (made := itemised(self.asked, term)):
                found.append(ScoredResult(ENOUGH, made, term))
            apiece = rf"\b{term.base.removesuffix('ly')}|\binstall?ments?\b|\beach (?:time|payment)"
            if term.form == "instalments" and re.search(apiece, self.asked.ask.words, re.I):
                score += ENOUGH
            if score < ENOUGH - _TOLD:
                continue
            self.asked.used_told = False
            made = self.worked(term)
            score += _TOLD if self.asked.used_told else 0.0
            if made is not None and made.value > 0 and score >= ENOUGH:
                found.append(ScoredResult(score, made, term, self.asked.used_told))
        return sorted(found, key=lambda s: -s.score)

    def worked(self, term: Term, depth: int = 0) -> Worked | None:
        """Return what a rule gives; None where one of its operands is not known."""
        if id(term) in self._busy or depth > _DEEP:
            return None
        self._busy.add(id(term))
        try:
            return FORMS[term.form](self, term, depth)
        finally:
            self._busy.discard(id(term))

    def resolve(self, words: str, depth: int, of: Term) -> Worked | None:
        """Return the value of a name: worked out before, stated, the sum of a table, or what another rule gives."""
        found: list[tuple[float, Worked]] = []
        for ask, made in [] if LAST.search(of.says) else self.asked.before:
            score = self.asked.fit(words, ask.words) if made.unit != "percent" else 0.0
            score = score if self.asked.fit(ask.words, words) >= _BACK else 0.0
            if score >= NAMED:
                found.append((score + _WORKED, replace(made, arithmetic=named(made))))
        last = self.asked.before[0][1] if self.asked.before else None
        if last and _LACKING.search(words) and " − " in last.arithmetic:
            return replace(last, arithmetic=named(last))
        if re.search(r"\bprincipal\b", words, re.I) and (left := principal(self.asked)):
            return left
        words = re.split(r", ", words)[-1]
        given = [(s, m) for s, m in figures(self.asked, words) if m.units[0] is not of.unit]
        stated = [m for _, m in given]
        found += given
        if depth < _DEEP:
            for term in self.asked.room.sums.terms:
                if term is of or term.form in ("margin", "rise") or term.unit is of.unit:
                    continue
                score = self.asked.fit(words, f"{term.unit.heading} {_until(term)}")
                if score >= CLEAR and (reckoned := self.worked(term, depth + 1)):
                    found.append((score, reckoned))
        if not found:
            return None
        found.sort(key=lambda t: -t[0])
        best, made = found[0]
        rivals = {m.value for s, m in found if s >= CLEAR * best}
        made = replace(made, certain=made.certain and len(rivals) == 1 and best >= _SURELY)
        as_stated = made in stated or (not made.certain and found[0] in given)
        return adjusted(self.asked, made, words, of) if as_stated else made


def _until(term: Term) -> str:
    """Return the words of a rule up to its figure, and what follows it up to its next stop: what it is a rule of."""
    at = term.says.find(term.shown) if term.shown else -1
    return term.says if at < 0 else term.says[:at]
