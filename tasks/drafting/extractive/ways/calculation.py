"""Sums that an ask wants: worked out of the papers with the arithmetic shown; open where an operand is missing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from tasks.asks.records import Ask, AskAnswer, AskKind, AskState, Entry
from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.sums.planner import ENOUGH, Planner, Scored, total_of
from tasks.drafting.extractive.sums.quantities import Row, counts, figures_in
from tasks.drafting.extractive.units import Unit
from tasks.drafting.extractive.ways.events import Event
from tasks.drafting.extractive.ways.stated import long_date, open_entry, span_of, told
from tasks.drafting.extractive.ways.worked import Worked, cents, shown
from tasks.legaltext.fold import straight
from tasks.legaltext.numbers.scan import scan_numbers
from tasks.legaltext.numbers.spelling import words_to_int
from tasks.legaltext.records import Figure

_ASKED = re.compile(
    r"\b(?:how much|how many|total|in all|together|come to|add up to|amount|sum|costs?|fees?|price|balance|payout"
    r"|bonus|charges?"
    r"|premium|severance|instal?lments?|share|maximum|at most|the most|minimum|least|below|above|difference"
    r"|outstanding|margin"
    r"|per diem|owes?|owed|rent|interest|penalty|damages|compensation|figure|what percentage|percentage of|pays?"
    r"|remains?|overtime|commission|earn-?out|earn\w*|credit|discount|tax|salary|dividend|royalt(?:y|ies)|refund"
    r"|deposit|surcharge|value|waiver|takes? up)\b",
    re.I,
)
_TOLD = re.compile(
    r"^(?:and |so |if |when |where )*(?:she|he|they|we|it|I)\b(?!.*\b(?:how|what|when|which)\b)", re.I
)  # told, not asked
_DAY = re.compile(r"\b(?:when|until when|how late|(?:what|which|last|latest) (?:day|date)|how long)\b", re.I)
_WANTS = re.compile(r"\b(?:how much|how many|what|which (?:sum|amount|fee))\b", re.I)
_VERB = re.compile(r"\b(?:is|are|was|were|has|have|had|can|may|does|do|did|says?|must|shall)\b", re.I)
_NO_SUM = re.compile(
    r"\bhow many\b|\b(?:weight|weigh|pounds|kilos?|tons|shares) (?:\w+ ){0,3}(?:must|to vote|has to|have to)\b"
    r"|\bin pounds\b",
    re.I,
)
_RATE = re.compile(r"\b(?:what|which) (?:\w+ ){0,3}(?:rate|percentage|per ?cent)\b", re.I)
_BETWEEN = re.compile(r"\bhow many (?P<unit>days|weeks)\b.*?\bbetween\s+(?P<first>.+?)\s+and\s+(?P<last>.+)$", re.I)
_HOW_LONG = re.compile(
    r"\bhow (?:long|many (?:days|weeks))\b.*?\b(?:from|after)\s+(?P<first>.+?)\s+(?:to|until|till|did)\s+(?P<last>.+)$",
    re.I,
)
_TOGETHER = re.compile(
    r"\b(?:(?:those|these|the)\s+(?P<n>two|three|four|five|six|\d)\b.*\b(?:come to|together|in all|sum)"
    r"|(?P<both>both together|together$|grand total|total of (?:these|those|all)|in all$|altogether$))",
    re.I,
)
_TOTAL = re.compile(
    r"\b(?:total|in all|in total|altogether|add up|sum of|come to together|all together|overall)\b", re.I
)
_APART = re.compile(
    r"\b(?:(?:by )?how (?:much|far) (?:is|are|did|does|was|were) (?:that|this|it)?\s*(?:below|above|less than"
    r"|more than|under|over)\s*(?P<what>.+)$"
    r"|by how much (?P<is>.+)$|(?:margin|difference|gap) (?:is |lies )?between (?P<one>.+?) and (?P<two>.+)$"
    r"|how much too (?:much|little) (?P<too>.+)$)",
    re.I,
)
_LESS = re.compile(
    r"\b(?:after|less|net of|minus|without|once|leaving out)\s+(?:deducting )?(?:the |his |her |their |its "
    r"|all )*(?P<off>[^,.;]+?)(?: (?:has|have) been .*)?$",
    re.I,
)
_REMAINS = re.compile(r"\b(?:left|remain\w*|still (?:owed|open|due|to pay|payable)|back|balance|net|owed|pay)\b", re.I)
_PAID_IN_ALL = re.compile(r"\btotal (?:to be paid|to pay|payable|due|owed)\b", re.I)
_PART_OF = re.compile(r"\bof (?P<base>\S+ ?[\d,.]*)(?:, as the request says)? = \S+$")
_PAID_OFF = re.compile(r"\b(?:left|remain\w*|outstanding|still owed)\b", re.I)
_FIRST_INTEREST = re.compile(r"\bapplied\b[^.;]{0,40}\b(?:first|initially)\b[^.;]{0,40}\binterest\b", re.I)
_FALLS = re.compile(
    r"\b(?:if|when|where)\b (?:the )?(?P<what>.+?) (?:falls? away|drops? out|is (?:left out|disregarded"
    r"|not (?:deducted|counted)))",
    re.I,
)
_HOLD = re.compile(r"\b(?:percentage|share|per ?cent|what part)\b", re.I)
_INTO = re.compile(r"\bin (?P<money>dollars|U\.?S\.? dollars|euros?|pounds|francs)\b", re.I)
_MONEY = {"dollars": "USD", "euro": "EUR", "euros": "EUR", "pounds": "GBP", "francs": "CHF"}
_PRO_RATA = re.compile(r"\b(?:pro rata|in proportion|proportionate\w*)\b", re.I)
_MOST = re.compile(r"\b(?:the most|at most|maximum|ever (?:owe|have to pay)|capped?|highest)\b", re.I)
_ROW = re.compile(r"^[ \t|]*\d{1,4}[-/]\d{1,2}[-/]\d{1,4}[^\n]*\d[^\n]*$", re.M)
_ROWS = 3  # rows that make an account
_LEFT = re.compile(r"\b(?:outstanding|balance|remain\w*|still owed)\b", re.I)
_PAID = re.compile(r"\b(?:in all|in total|total|so far|altogether|to date)\b", re.I)
_EVENT = 0.5  # part of an event's name that a dated statement must speak of
_CLEAR = 0.85  # another result whose rule fits so nearly as well leaves the answer to be verified
_LEAST = 0.2  # part of what is asked that the rule must speak of whose most is asked
_SURE = 0.5  # part of what is asked that the rule of a result must speak of that is stated as a fact
_NAMED = 0.5  # part of a name that the words of a sum must have
_SHOWN = 3  # sentences shown beside what is left open
_FIGURES = 6  # figures named of them


def answer(ask: Ask, room: Room) -> AskAnswer | None:
    """Work out what an ask wants from figures of the papers; None where it wants no figure."""
    wanted = ask.kind is AskKind.CALCULATION
    if not wanted and _TOLD.search(ask.words):
        return None
    made = next((m for way in _DIRECT if (m := way(ask, room)) is not None), None)
    if made is None and _DAY.search(ask.words) and not re.search(r"\bhow much\b", ask.words, re.I):
        return None
    if made is None and not (_ASKED.search(ask.subject) or _RATE.search(ask.words)):
        return None
    if not wanted and not _WANTS.search(ask.words) and _VERB.search(ask.words):
        return None  # a fact that speaks of a sum, and asks for none
    planner = Planner(ask, room)
    if made is None:
        made = (_ledger(ask, room) if wanted else None) or _derived(planner) or _read(planner)
    if made is None:
        return _open(ask, room) if wanted else None
    room.worked[ask.ask_id] = made
    room.log.look_up(f"Work out: {ask.words}", "number_scan", {"ask": ask.ask_id}, made.arithmetic)
    entry = Entry(
        document=made.units[0].document if made.units else "",
        state=AskState.ANSWERED,
        answer=shown(made.value, made.unit) + made.more,
        support=tuple(dict.fromkeys(span_of(u) for u in made.units)),
        basis=made.arithmetic,
        certain=made.certain,
    )
    return told(ask, [entry], made.units)


def of_a_list(ask: Ask, room: Room) -> AskAnswer | None:
    """Work out a sum that is asked for in words that speak of a list: "how much is left after the deductions"."""
    return answer(ask, room) if re.match(r"\W*(?:and )?how much\b", ask.words, re.I) else None


def _read(planner: Planner) -> Worked | None:
    """Return the result of the rule that fits best; to be verified where one that fits about as well gives another."""
    ask = planner.ask
    found = [] if _NO_SUM.search(ask.words) else planner.results()
    if _RATE.search(ask.words):
        found = [s for s in found if s.worked.unit == "percent"]
    if _MOST.search(ask.words):
        tops = [
            Scored(planner.fit_of(f"{t.unit.heading} {t.says}", planner.room.sums.paragraph(t.unit)), m)
            for t in planner.room.sums.terms
            if t.caps and (m := planner.most(t))
        ]
        tops = [s for s in sorted(tops, key=lambda s: -s.score) if s.score >= ENOUGH]
        found = tops[:1] or found
    if re.search(r"\bwhat (?:share|part|percentage)\b", ask.words, re.I):
        found = [s for s in found if s.worked.unit == "percent"]
    elif not (_RATE.search(ask.words) or _HOLD.search(ask.words)):
        found = [s for s in found if s.worked.unit != "percent"]
    if not found:
        return None
    best = found[0]
    if ask.kind is not AskKind.CALCULATION and not best.told and best.term and _is_stated(planner, best):
        return None
    rivals = {s.worked.value for s in found if s.score >= _CLEAR * best.score}
    sure = best.worked.certain and len(rivals) == 1 and best.score >= _SURE
    return replace(best.worked, certain=sure)


def _is_stated(planner: Planner, best: Scored) -> bool:
    """Tell whether a paper states a sum whose words fit better than the rule does by which one could be worked out."""
    named = [
        (s, m) for s, m in planner.figures(planner.ask.words) if best.term is None or m.units[0] is not best.term.unit
    ]
    return bool(named) and max(s for s, _ in named) > best.score


def _derived(planner: Planner) -> Worked | None:
    """Return what is the sum, the difference or the part of other sums."""
    if _NO_SUM.search(planner.ask.words):
        return _part_held(planner) or _part_of_count(planner)
    return next(
        (m for way in (_converted, _part_held, _restored, _apart, _balance, _total) if (m := way(planner)) is not None),
        None,
    )


def _total(planner: Planner) -> Worked | None:
    """Add up a table, or all the sums of a paper that the ask counts ("her three items")."""
    words = planner.ask.words
    if _PAID_IN_ALL.search(words) and planner.before:
        return _on_top(planner.before[0][1])
    if not _TOTAL.search(words) or re.search(r"\b(?:those|these|that|it)\b", words, re.I):
        return None
    scored = sorted(((_of_table(planner, t), t) for t in planner.room.sums.lists), key=lambda t: -t[0])
    if scored and scored[0][0] >= ENOUGH:
        clear = len(scored) == 1 or scored[1][0] < _CLEAR * scored[0][0]
        return replace(total_of(scored[0][1]), certain=clear)
    many = next((n for n in map(words_to_int, words.lower().split()) if n and n > 1), 0)
    for reading in planner.room.of(planner.ask) if many else ():
        items = [(f, u) for u in reading.units for f in figures_in(straight(u.text), "money")]
        if len(items) == many and len({f.unit for f, _ in items}) == 1:
            value = sum((f.value for f, _ in items), Decimal(0))
            how = f"{' + '.join(f.text for f, _ in items)} = {shown(value, items[0][0].unit)}"
            return Worked(value, how, tuple(dict.fromkeys(u for _, u in items)), items[0][0].unit, certain=False)
    return None


def _on_top(added: Worked) -> Worked | None:
    """Return a sum with the part of it that comes on top, where the result before is such a part: "1% of $100 = $1"."""
    match = _PART_OF.search(added.arithmetic)
    base = next((f for f in figures_in(match["base"], "money") if f.unit == added.unit), None) if match else None
    if base is None:
        return None
    value = base.value + added.value
    how = f"{shown(base.value, base.unit)} + {shown(added.value, added.unit)} = {shown(value, base.unit)}"
    return Worked(value, how, added.units, base.unit, certain=False)


def _of_table(planner: Planner, rows: Sequence[Row]) -> float:
    return planner.fit_of(f"{rows[0].heading} {rows[0].unit.heading} {' '.join(r.words for r in rows)}")


def _part_held(planner: Planner) -> Worked | None:
    """Return what part of a whole the rows make that the ask names: the shares that two holders have together."""
    words = planner.ask.words
    if not _HOLD.search(words):
        return None
    for rows in planner.room.sums.tables:
        named = [
            r
            for r in rows
            if any(re.search(rf"\b{re.escape(n)}\b", words) for n in re.findall(r"[A-Z][a-z]+", r.words))
        ]
        whole = sum((r.value for r in rows), Decimal(0))
        if named and whole and len(named) < len(rows):
            part = sum((r.value for r in named), Decimal(0))
            value = cents(100 * part / whole)
            how = f"({' + '.join(f'{r.value:,f}' for r in named)}) / {whole:,f} = {value.normalize():f}%"
            return Worked(value, how, tuple(dict.fromkeys(r.unit for r in rows)), "percent")
    return None


def _part_of_count(planner: Planner) -> Worked | None:
    """Return how many of what a table counts a rule asks for, or how many of new ones fall to a row by its part."""
    words = planner.ask.words
    for rows in planner.room.sums.tables:
        total = sum((r.value for r in rows), Decimal(0))
        if rows[0].money or not total:
            continue
        units = tuple(dict.fromkeys(r.unit for r in rows))
        mine = [
            r
            for r in rows
            if any(re.search(rf"\b{re.escape(n)}\b", words) for n in re.findall(r"[A-Z][a-z]+", r.words))
        ]
        fresh = [f for f in figures_in(words, "count", "shares", "number") if f.value > 1]
        rule = next((u for u in planner.room.sums.units if _PRO_RATA.search(u.text)), None)
        if len(mine) == len(fresh) == 1 and rule is not None:
            value = fresh[0].value * mine[0].value / total
            how = f"{fresh[0].value:,f} × {mine[0].value:,f} / {total:,f} = {value.normalize():,f}"
            return Worked(value, how, (rule, *units), "", certain=False)
        for term in planner.room.sums.terms:
            if (
                term.form == "share"
                and not term.money
                and planner.fit_of(term.says) >= ENOUGH
                and re.search(r"\ball\b|\bof (?:the )?(?:shares|votes|units|interests)\b", term.says)
            ):
                value = (total * term.value).to_integral_value("ROUND_CEILING")
                how = f"{term.shown} of {total:,f} = {value:,f}"
                return Worked(value, how, (term.unit, *units), "", certain=False)
    return None


def _converted(planner: Planner) -> Worked | None:
    """Return the result before in another currency, at the rate of the papers."""
    into = _INTO.search(planner.ask.words)
    before = next((m for _, m in planner.before if m.unit.isupper()), None)
    if into is None or before is None:
        return None
    money = _MONEY[into["money"].lower().replace("u.s. ", "").replace("us ", "")]
    for term in planner.room.sums.terms:
        if term.form == "price" and term.money == money and _MONEY.get(term.each) == before.unit:
            value = cents(before.value * term.value)
            how = f"{shown(before.value, before.unit)} × {term.value:f} = {shown(value, money)}"
            return Worked(value, how, (term.unit, *before.units), money, certain=before.certain)
    return None


def _restored(planner: Planner) -> Worked | None:
    """Return the result before without one of the sums that it took off."""
    falls = _FALLS.search(planner.ask.words)
    before = planner.before[0][1] if planner.before else None
    if falls is None or before is None:
        return None
    rows = sorted(((planner.fit(falls["what"], r.words), r) for r in planner.room.sums.rows), key=lambda t: -t[0])
    if not rows or rows[0][0] < _NAMED or rows[0][1].unit not in before.units:
        return None
    row = rows[0][1]
    sign = 1 if "−" in before.arithmetic else -1
    value = before.value + sign * row.value
    what = f"{'+' if sign > 0 else '−'} {shown(row.value, row.money)} ({row.words})"
    how = f"{shown(before.value, before.unit)} {what} = {shown(value, before.unit)}"
    return Worked(value, how, (row.unit, *before.units), before.unit, certain=before.certain)


def _apart(planner: Planner) -> Worked | None:
    """Return how far two sums lie apart."""
    match = _APART.search(planner.ask.words)
    if match is None:
        return None
    before = planner.before[0][1] if planner.before else None
    if match["one"]:
        of = re.search(r"\b(?:on|for|of|in) .+$", match["two"])
        tail = of[0] if of else ""
        two = _named(planner, match["two"], ())
        one = _named(planner, f"{match['one']} {tail}", (two.value,) if two else ())
        return _difference(one, two)
    if match["what"]:
        return _from(planner, match["what"], before) if before else None
    if match["too"]:
        other = (
            _named(
                planner,
                f"{match['too']} {planner.before[0][0].words if planner.before else ''} paid charged received",
                (before.value,),
                [u for u in planner.room.sums.units if u not in before.units],
            )
            if before
            else None
        )
        return _difference(other, before)
    words = match["is"]
    one = _named(planner, words, ())
    if one is None:
        return None
    actual = [u for u in planner.room.sums.units if u not in one.units]
    other = _named(planner, words, (one.value,), actual)
    return _difference(one, other, certain=False)


def _difference(one: Worked | None, two: Worked | None, *, certain: bool = True) -> Worked | None:
    if one is None or two is None or one.unit != two.unit or one.value == two.value:
        return None
    high, low = (one, two) if one.value > two.value else (two, one)
    value = high.value - low.value
    how = f"{shown(high.value, high.unit)} − {shown(low.value, low.unit)} = {shown(value, one.unit)}"
    return Worked(
        value,
        how,
        tuple(dict.fromkeys((*high.units, *low.units))),
        one.unit,
        certain=certain and one.certain and two.certain,
    )


def _from(planner: Planner, what: str, before: Worked) -> Worked | None:
    """Return how far a result lies from a sum of the papers: one by its name, or the other one of its sentence."""
    other = _named(planner, what, (before.value,))
    if other is None:
        beside = {f.value: u for u in before.units for f in figures_in(u.text, "money") if f.value > before.value}
        if len(beside) != 1:
            return None
        value, unit = next(iter(beside.items()))
        other = Worked(value, shown(value, before.unit), (unit,), before.unit)
    return _difference(other, before)


def _named(
    planner: Planner, words: str, other_than: Sequence[Decimal], among: Sequence[Unit] | None = None
) -> Worked | None:
    """Return the sum that fits some words best, other than some values."""
    found = [
        (s, m)
        for s, m in planner.figures(words)
        if m.value not in other_than and (among is None or any(u in among for u in m.units))
    ]
    found.sort(key=lambda t: -t[0])
    if not found or found[0][0] < _NAMED - 0.1:
        return None
    clear = len({m.value for s, m in found if s >= _CLEAR * found[0][0]}) == 1
    return replace(found[0][1], certain=found[0][1].certain and clear)


def _balance(planner: Planner) -> Worked | None:
    """Return what is left of a sum after others: a deposit after deductions, a commission after advances."""
    words = planner.ask.words
    if (paid := _paid_off(planner)) is not None:
        return paid
    less = _LESS.search(words)
    if less is None or not _REMAINS.search(words[: less.start()]):
        return None
    off = _taken_off(planner, less["off"])
    if off is None:
        return None
    own = [(a, m) for a, m in planner.before if m.unit == off.unit and a.kind is not AskKind.TIMELINE]
    head = words[: less.start()]
    whole = next((m for a, m in own if planner.fit(head, a.words) >= _NAMED), None)
    if whole is None and re.search(r"\bback\b|\bdeposit\b", words, re.I):
        whole = _named(planner, "deposit", [off.value])
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


def _taken_off(planner: Planner, words: str) -> Worked | None:
    """Return what is taken off: the rows of a list, a sum paid every month, or a sum by its name."""
    tables = [
        (planner.fit(words, f"{t[0].heading} {planner.room.sums.paragraph(t[0].unit)}"), t)
        for t in planner.room.sums.lists
    ]
    tables.sort(key=lambda t: -t[0])
    if tables and tables[0][0] >= (ENOUGH if len(tables) > 1 else ENOUGH / 2):
        return total_of(tables[0][1])
    for term in planner.room.sums.terms:
        if (
            term.form == "price"
            and term.each in ("month", "week", "quarter")
            and planner.fit(words, term.says) >= _NAMED
        ):
            many = {"month": 12, "week": 52, "quarter": 4}[term.each]
            if re.search(r"\b(?:year|20\d\d)\b", planner.room.job.matter.instructions):
                value = term.value * many
                how = f"{many} × {term.shown} = {shown(value, term.money)}"
                return Worked(value, how, (term.unit,), term.money, certain=False)
    return _named(planner, words, ())


def _paid_off(planner: Planner) -> Worked | None:
    """Return what is left of a principal after a payment that is applied to interest first."""
    sums = figures_in(planner.ask.words, "money")
    rule = next((u for u in planner.room.sums.units if _FIRST_INTEREST.search(straight(u.text))), None)
    before = next((m for a, m in planner.before if re.search(r"\binterest\b", a.words, re.I)), None)
    if len(sums) != 1 or not _PAID_OFF.search(planner.ask.words) or rule is None or before is None:
        return None
    whole = _named(planner, "principal sum", (sums[0].value,))
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


def _open(ask: Ask, room: Room) -> AskAnswer | None:
    """Leave a calculation open, with the figures that it may turn on."""
    planner = Planner(ask, room)
    scored = sorted(
        ((planner.fit_of(f"{u.heading} {u.text}"), u) for r in room.of(ask) for u in r.units), key=lambda t: -t[0]
    )
    near = [u for s, u in scored if s >= ENOUGH]
    told_in = [(u, f) for u in near if (f := figures_in(u.text, "money", "percent", "count", "shares"))][:_SHOWN]
    if not told_in:
        return None
    figures = list(dict.fromkeys(f.text for _, found in told_in for f in found))[:_FIGURES]
    units = [u for u, _ in told_in]
    reason = f"the operands are not certain; the nearest passages give {', '.join(figures)}"
    return told(ask, [open_entry(reason, units)], units)


def _by_count(ask: Ask, room: Room) -> Worked | None:
    """Read the price of one of what the ask counts: "27,450 lbs" at "$5.00 per pound"."""
    found = []
    for term in room.sums.terms:
        many = (
            set(counts(ask.words, term.each))
            if term.form == "price" and term.each not in ("", "day", "month", "year", "week", "hour")
            else set()
        )
        if len(many) == 1:
            n = many.pop()
            value = cents(n * term.value)
            how = f"{n:,f} × {shown(term.value, term.money)} (each {term.each}) = {shown(value, term.money)}"
            found.append(Worked(value, how, (term.unit,), term.money))
    return found[0] if len({(w.value, w.unit) for w in found}) == 1 else None


def _ledger(ask: Ask, room: Room) -> Worked | None:
    """Add up what the rows of an account give to what is asked about, or take it from the sum that was owed."""
    left, paid = bool(_LEFT.search(ask.words)), bool(_PAID.search(ask.words))
    rows = [(r, m) for r in room.of(ask) for m in _ROW.finditer(r.text.text)]
    nouns = {n for n in re.findall(r"[a-z]{4,}", ask.words) if any(n in m[0].lower() for _, m in rows)}
    if not (left or paid) or len(rows) < _ROWS or len(nouns) != 1:
        return None
    noun = nouns.pop()
    parts = [(r, m, f) for r, m in rows if (f := _entered(m[0], noun)) is not None]
    units = tuple(dict.fromkeys(u for r, m, _ in parts for u in r.units if u.start <= m.start() < u.pieces[-1][1]))
    if not parts or len({f.unit for _, _, f in parts}) != 1:
        return None
    total, money = sum((f.value for _, _, f in parts), Decimal(0)), parts[0][2].unit
    said = " + ".join(shown(f.value, money) for _, _, f in parts)
    if paid:
        return Worked(total, f"{said} = {shown(total, money)}", units, money)
    owed = _sum_called(noun, room)
    if owed is None or owed.unit != money:
        return None
    value = owed.value - total
    how = f"{shown(owed.value, money)} − ({said}) = {shown(value, money)}"
    return Worked(value, how, (*owed.units, *units), money)


def _sum_called(name: str, room: Room) -> Worked | None:
    """Return the sum that a paper calls by a name: "the principal sum of … ($480,000)"."""
    pattern = re.compile(rf"\b{re.escape(name)}\s+(?:sum|amount)\s+of\b", re.I)
    found = [
        Worked(f.value, f.text, (u,), f.unit)
        for u in room.sums.units
        if (m := pattern.search(u.text))
        for f in figures_in(u.text, "money")[-1:]
        if f.start > m.start()
    ]
    return found[0] if len({s.value for s in found}) == 1 else None


def _entered(row: str, noun: str) -> Figure | None:
    """Return what a row gives to something: the sum behind its name, else the sum of the row."""
    if not re.search(rf"\b{noun}\b", row, re.I):
        return None
    own = re.search(rf"\b{noun}\b[^;]*", row, re.I)
    behind = [f for f in scan_numbers(own[0]) if f.kind == "money"] if own else []
    return next((f for f in [*behind, *scan_numbers(row)] if f.kind == "money"), None)


def _days_between(ask: Ask, room: Room) -> Worked | None:
    """Count the days between two events of the papers."""
    match = _BETWEEN.search(ask.words) or _HOW_LONG.search(ask.words)
    first, last = (_event(match[name], room) for name in ("first", "last")) if match else (None, None)
    if match is None or first is None or last is None or first.day == last.day:
        return None
    days = abs((last.day - first.day).days)
    unit = match["unit"].lower() if "unit" in match.re.groupindex else "days"
    how = f"from {long_date(first.day)} to {long_date(last.day)}: {days} days"
    sure = "unit" in match.re.groupindex
    return Worked(
        Decimal(days) if unit == "days" else Decimal(days) / 7, how, (first.unit, last.unit), unit, certain=sure
    )


def _event(words: str, room: Room) -> Event | None:
    """Return the dated statement of an event; none where two days fit alike."""
    scored = sorted(((room.likeness.fit(words, e.words), e) for e in room.events), key=lambda t: -t[0])
    if not scored or scored[0][0] < _EVENT:
        return None
    rivals = {e.day for s, e in scored if s >= _CLEAR * scored[0][0]}
    return scored[0][1] if len(rivals) == 1 else None


def _sum_of_before(ask: Ask, room: Room) -> Worked | None:
    """Add up results told before: as many as the ask counts, or all of those told one after another."""
    together = _TOGETHER.search(ask.words)
    if together is None or _NO_SUM.search(ask.words):
        return None
    known = list(_before(ask, room))
    if together["n"]:
        count = words_to_int(together["n"].lower()) or int(together["n"])
        if len(known) < count or any(m is None for m in known[:count]):
            return None
        known = known[:count]
    elif "both" in together[0].lower():
        known = known[:2]
    made = [m for m in known if m is not None]
    if len(made) < 2 or len({m.unit for m in made}) != 1 or (len(made) < len(known) and "both" in together[0].lower()):
        return None
    money = made[0].unit
    total = sum((m.value for m in made), Decimal(0))
    how = f"{' + '.join(shown(m.value, money) for m in reversed(made))} = {shown(total, money)}"
    sure = all(m.certain for m in made) and len(made) == len(known)
    return Worked(total, how, tuple(dict.fromkeys(u for m in made for u in m.units)), money, certain=sure)


def _before(ask: Ask, room: Room) -> Iterator[Worked | None]:
    """Yield the results of the asks before an ask, the nearest first; None for one that has none."""
    ids = [a.ask_id for a in room.job.asks.asks]
    at = ids.index(ask.ask_id) if ask.ask_id in ids else 0
    for number in reversed(ids[:at]):
        yield room.worked.get(number)


_DIRECT = (_days_between, _sum_of_before, _by_count)
