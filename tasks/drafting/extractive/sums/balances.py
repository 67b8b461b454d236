"""What is left of a sum after others."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from tasks.asks.records import Ask, AskKind
from tasks.drafting.extractive.due.worked import Worked, shown
from tasks.drafting.extractive.sums.asked import Asked
from tasks.drafting.extractive.sums.fits import ENOUGH
from tasks.drafting.extractive.sums.quantities import figures_in
from tasks.drafting.extractive.sums.stated_sums import named_sum, total_of
from tasks.drafting.extractive.sums.terms import TIMES_A_YEAR
from tasks.legaltext.fold import straight

_LESS = re.compile(
    r"\b(?:after|less|net of|minus|without|once|leaving out)\s+(?:deducting )?(?:the |his |her |their |its "
    r"|all )*(?P<off>[^,.;]+?)(?: (?:has|have) been .*)?$",
    re.I,
)
_REMAINS = re.compile(r"\b(?:left|remain\w*|still (?:owed|open|due|to pay|payable)|back|balance|net|owed|pay)\b", re.I)
_PAID_OFF = re.compile(r"\b(?:left|remain\w*|outstanding|still owed)\b", re.I)
_FIRST_INTEREST = re.compile(r"\bapplied\b[^.;]{0,40}\b(?:first|initially)\b[^.;]{0,40}\binterest\b", re.I)
_NAMED = 0.5  # part of a name that the words of a sum must have


def balance(asked: Asked) -> Worked | None:
    """Return what is left of a sum after others: a deposit after deductions, a commission after advances."""
    words = asked.ask.words
    if (paid := _paid_off(asked)) is not None:
        return paid
    less = _LESS.search(words)
    if less is None or not _REMAINS.search(words[: less.start()]):
        return None
    off = _taken_off(asked, less["off"])
    if off is None:
        return None
    own = [(a, m) for a, m in asked.before if m.unit == off.unit and a.kind is not AskKind.TIMELINE]
    head = words[: less.start()]
    whole = next((m for a, m in own if asked.fit(head, a.words) >= _NAMED), None)
    if whole is None and re.search(r"\bback\b|\bdeposit\b", words, re.I):
        whole = named_sum(asked, "deposit", [off.value])
    if whole is None and own:
        whole = _all_before(own)
    if whole is None or whole.value <= off.value:
        return None
    value = whole.value - off.value
    how = f"{shown(whole.value, whole.unit)} − {_inner(off)} = {shown(value, whole.unit)}"
    lead = f"{whole.arithmetic}; " if " + " in whole.arithmetic else ""
    return Worked(
        value,
        lead + how,
        tuple(dict.fromkeys((*whole.units, *off.units))),
        whole.unit,
        certain=whole.certain and off.certain,
    )


def _inner(made: Worked) -> str:
    """Return the left side of an arithmetic, in brackets."""
    head = made.arithmetic.rpartition(" = ")[0]
    return f"({head})" if head else shown(made.value, made.unit)


def _all_before(own: Sequence[tuple[Ask, Worked]]) -> Worked:
    """Return the last result before; with those asked in the same words of other things ("for March", "for April")."""
    first, last = own[0]
    alike = [m for a, m in own[1:] if a.words.split()[:2] == first.words.split()[:2] and m.units[:1] == last.units[:1]]
    same = [last, *alike]
    value = sum((m.value for m in same), Decimal(0))
    how = (
        f"{' + '.join(shown(m.value, m.unit) for m in reversed(same))} = {shown(value, last.unit)}"
        if len(same) > 1
        else shown(value, last.unit)
    )
    return Worked(
        value,
        how,
        tuple(dict.fromkeys(u for m in same for u in m.units)),
        last.unit,
        certain=all(m.certain for m in same),
    )


def _taken_off(asked: Asked, words: str) -> Worked | None:
    """Return what is taken off: the rows of a list, a sum paid every month, or a sum by its name."""
    tables = [
        (asked.fit(words, f"{t[0].heading} {asked.room.sums.paragraph(t[0].unit)}"), t) for t in asked.room.sums.lists
    ]
    tables.sort(key=lambda t: -t[0])
    if tables and tables[0][0] >= (ENOUGH if len(tables) > 1 else ENOUGH / 2):
        return total_of(tables[0][1])
    for term in asked.room.sums.terms:
        if term.form == "price" and term.each in ("month", "week", "quarter") and asked.fit(words, term.says) >= _NAMED:
            many = TIMES_A_YEAR[term.each]
            if re.search(r"\b(?:year|20\d\d)\b", asked.room.job.matter.instructions):
                value = term.value * many
                how = f"{many} × {term.shown} = {shown(value, term.money)}"
                return Worked(value, how, (term.unit,), term.money, certain=False)
    return named_sum(asked, words, ())


def _paid_off(asked: Asked) -> Worked | None:
    """Return what is left of a principal after a payment that is applied to interest first."""
    sums = figures_in(asked.ask.words, "money")
    rule = next((u for u in asked.room.sums.units if _FIRST_INTEREST.search(straight(u.text))), None)
    before = next((m for a, m in asked.before if re.search(r"\binterest\b", a.words, re.I)), None)
    if len(sums) != 1 or not _PAID_OFF.search(asked.ask.words) or rule is None or before is None:
        return None
    whole = named_sum(asked, "principal sum", (sums[0].value,))
    if whole is None or sums[0].value < before.value:
        return None
    money, value = whole.unit, whole.value - (sums[0].value - before.value)
    on_it = f"{sums[0].text} − {shown(before.value, money)} interest"
    how = f"{shown(whole.value, money)} − ({on_it}) = {shown(value, money)}"
    return Worked(
        value,
        how,
        tuple(dict.fromkeys((rule, *whole.units, *before.units))),
        money,
        certain=whole.certain and before.certain,
    )
