"""Where a value that a brief wants changed stands in a document, and how the new value is written there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from tasks.asks.changing.words import LAW_OR_COURT, OFTEN
from tasks.legaltext.dates.scan import scan_dates
from tasks.legaltext.fold import straight
from tasks.legaltext.numbers.scan import scan_numbers
from tasks.legaltext.numbers.spelling import CARDINAL_PHRASE, spelled, words_to_int
from tasks.legaltext.records import Figure
from tasks.retrieval.named_laws import jurisdictions_named

_NAME = re.compile(r"\b[A-Z][\w.&'’-]*(?:(?:,? |, )(?:(?:of|the|and|de|van|&) )?[A-Z][\w.&'’-]*)*")
_BARE = re.compile(rf"\b(?:\d[\d,]*(?:\.\d+)?(?=k?\b)|{CARDINAL_PHRASE}\b)", re.I)
_UNIT = re.compile(
    r"(?P<joined>\)?[\s-]*)(?:(?:calendar|business|consecutive|full)\s+)?(?P<unit>(?:day|week|month|quarter|year)s?)(?P<s>-?)",
    re.I,
)
_CARDINAL = re.compile(rf"\b(?:{CARDINAL_PHRASE})\b", re.I)
_DIGITS = re.compile(r"\d[\d,]*(?:\.\d+)?")
_LAW = re.compile(r"\s+(?:law|laws|Law|Laws)\b")
# A town or county and its state: "Franklin County, Ohio".
_LAW_OF = re.compile(
    r"\blaws?\s+of\s+(?:the\s+)?(?:(?:State|Commonwealth|Province)\s+of\s+(?:the\s+)?)?([A-Z]\w+(?: [A-Z]\w+){0,3})"
)
_SEAT = re.compile(r"[A-Z][\w'’-]*(?: [A-Z][\w'’-]*){0,3}, [A-Z][\w'’-]*(?: [A-Z][\w'’-]*){0,2}")
_WHOLE = 2  # decimals from which a figure is written with as many as the one before it
_BRACKET = 4  # characters between "thirty" and its figure in brackets
_GROUPED = 10_000  # from here on figures are written with commas, whatever the old one had
_BACK = 12  # characters before a value: "such", "that" or "said" with white space
_FRACTIONS = {Decimal("0.25"): "one-quarter", Decimal("0.5"): "one-half", Decimal("0.75"): "three-quarters"}
_DAYS = ("business", "calendar", "working", "banking", "trading")
_QUALIFIED = re.compile(rf"\)?\s*({'|'.join(_DAYS)})\s+", re.I)
_WORD_FIGURE = re.compile(
    rf"^(?:(?:{CARDINAL_PHRASE})\s+and\s+(?:one|three)[- ](?:half|quarters?|fourths?)\b|{CARDINAL_PHRASE})", re.I
)


@dataclass(frozen=True)
class Occurrence:
    """A place where the old value stands, with what is written there instead: pieces ``(start, end, words)``."""

    swaps: tuple[tuple[int, int, str], ...]

    @property
    def start(self) -> int:
        """Return the first character that changes."""
        return self.swaps[0][0]

    @property
    def end(self) -> int:
        """Return the end of the last one."""
        return self.swaps[-1][1]


def occurrences(old: str, new: str, text: str, span: tuple[int, int], known: Mapping[str, str]) -> list[Occurrence]:
    """Return where the value to be changed stands in a stretch of a document, in reading order.

    Args:
        old: The old value as the brief names it; where empty, whatever value of the new one's kind stands there.
        new: The new value, perhaps within words around it.
        text: The document.
        span: The stretch of it.
        known: The usual name of a jurisdiction by each of its names.
    """
    readers: tuple[Callable[..., list[Occurrence] | None], ...] = (
        _days, _framed, _figures, _counts, _frequencies, _names,
    )  # fmt: skip
    for read in readers:
        found = read(old, new, text, span, known)
        if found is not None:
            return found
    return []


def verbatim(old: str, new: str, text: str, span: tuple[int, int]) -> list[Occurrence]:
    """Return where words stand that the brief gives word for word."""
    return [Occurrence(((m.start(), m.end(), new),)) for m in loose(old).finditer(text, *span)]


def loose(words: str, *, whole: bool = True) -> re.Pattern[str]:
    """Match words, ignoring spacing and the shape of quotation marks; whole words unless told otherwise."""
    parts = [re.escape(w) for w in straight(words).split()]
    inner = r"\s+".join(parts).replace('"', '["“”]').replace("'", "['‘’]") or r"(?!)"
    head = r"(?<!\w)" if whole and words[:1].isalnum() else ""
    return re.compile(head + inner + (r"(?!\w)" if whole and words[-1:].isalnum() else ""))


def _days(old: str, new: str, text: str, span: tuple[int, int], _: object) -> list[Occurrence] | None:
    days = [d for d in scan_dates(new) if d.precision == "day"]
    if len(days) != 1:
        return None
    wanted = {d.iso for d in scan_dates(old)}
    at = span[0]
    return [
        Occurrence(((at + d.start, at + d.end, days[0].text),))
        for d in scan_dates(text[span[0] : span[1]])
        if d.precision == "day" and (not wanted or d.iso in wanted)
    ]


def _framed(old: str, new: str, text: str, span: tuple[int, int], _: object) -> list[Occurrence] | None:
    """Exchange the only number in words that match exactly: "NET 45" instead of "NET 30"."""
    was, becomes = _DIGITS.findall(old), _DIGITS.findall(new)
    frame = _DIGITS.split(old)
    # "30 days" and "three (3)" have a reader of their own
    figure = (bool(scan_numbers(old)) and not frame[0].strip()) or bool(_CARDINAL.search(" ".join(frame)))
    if len(was) != 1 or len(becomes) != 1 or not re.search(r"[A-Za-z]", old) or figure:
        return None
    found = []
    for match in loose(old).finditer(text, *span):
        number = _DIGITS.search(match[0])
        if number is not None:
            at = match.start() + number.start()
            found.append(Occurrence(((at, at + len(number[0]), becomes[0]),)))
    return found or None


def _figures(old: str, new: str, text: str, span: tuple[int, int], _: object) -> list[Occurrence] | None:
    told = scan_numbers(new)
    wanted = value_of(old)
    if not told or (old and wanted is None):
        return None
    target = next((f for f in told if not f.pair), told[-1])
    here = [f for f in scan_numbers(text[span[0] : span[1]]) if _alike(f, target)]
    same = [f for f in here if f.unit == target.unit] or here
    same = [f for f in same if wanted is None or f.value == wanted]
    named, kept = ({w for w in _DAYS if re.search(rf"\b{w}\b", said, re.I)} for said in (old, new))
    found = [_requalified(_rewritten(group, target, span[0], text), named, kept, text) for group in _grouped(same)]
    return [o for o in found if o is not None]


def _requalified(found: Occurrence | None, told: set[str], kept: set[str], text: str) -> Occurrence | None:
    """Take out "business" of "ten (10) business days" where the brief names it with the old days and not the new."""
    gone = told - kept
    behind = _QUALIFIED.match(text, found.end) if found and gone else None
    if found is None or behind is None or behind[1].lower() not in gone:
        return found
    return Occurrence((*found.swaps, (behind.start(1), behind.end(), "")))


def _frequencies(old: str, new: str, text: str, span: tuple[int, int], _: object) -> list[Occurrence] | None:
    """Exchange how often something is done: "half-yearly" where it says "quarterly"."""
    told = OFTEN.findall(new)
    if len(told) != 1 or scan_numbers(new):
        return None
    wanted = OFTEN.search(old)
    hits = [m for m in OFTEN.finditer(text, *span) if wanted is None or m[0].lower() == wanted[0].lower()]
    return [Occurrence(((m.start(), m.end(), told[0].capitalize() if m[0][0].isupper() else told[0]),)) for m in hits]


def _counts(old: str, new: str, text: str, span: tuple[int, int], _: object) -> list[Occurrence] | None:
    """Exchange a figure that the brief gives without its unit: "net 45 instead of net 30" of "thirty (30) days"."""
    was, becomes = (_BARE.findall(t) for t in (old, new))
    if len(was) != 1 or len(becomes) != 1:
        return None
    wanted, value = value_of(was[0]), value_of(becomes[0])
    here = [f for f in scan_numbers(text[span[0] : span[1]]) if f.value == wanted]
    made = [
        _rewritten(group, group[-1].model_copy(update={"value": value, "pair": False}), span[0], text)
        for group in _grouped(here)
    ]
    return [o for o in made if o is not None] or None


def value_of(said: str) -> Decimal | None:
    """Return the figure that a brief gives, also without its unit; None where it gives none."""
    found = next(iter(scan_numbers(said)), None)
    if found:
        return found.value
    bare = _BARE.search(said)
    if bare is None:
        return None
    digits = bare[0].replace(",", "")
    if said[bare.end() : bare.end() + 1] in {"k", "K"} and digits[0].isdigit():
        return Decimal(digits) * 1000
    whole = None if digits[0].isdigit() else words_to_int(digits.lower())
    return Decimal(digits) if digits[0].isdigit() else Decimal(whole) if whole is not None else None


def _alike(old: Figure, new: Figure) -> bool:
    return old.kind == new.kind and (old.kind == "duration" or old.unit == new.unit or not new.unit)


def _grouped(figures: Sequence[Figure]) -> Iterator[list[Figure]]:
    """Yield figures with the two sides of "thirty (30)" together."""
    group: list[Figure] = []
    for figure in figures:
        beside = group and figure.pair and group[-1].pair and figure.start - group[-1].end < _BRACKET
        if group and not beside:
            yield group
            group = []
        group.append(figure)
    if group:
        yield group


def _rewritten(group: Sequence[Figure], new: Figure, at: int, text: str) -> Occurrence | None:
    """Return a figure in the form of the old one: each side of a pair in its own, the unit of a period with it."""
    swaps = [(at + f.start, at + f.end, _form(f, new)) for f in group]
    unit = _other_unit(group, new, text, swaps[-1][1])
    if unit is None or not all(w for _, _, w in swaps):
        return None
    return Occurrence((*swaps, *unit))


def _other_unit(group: Sequence[Figure], new: Figure, text: str, end: int) -> tuple[tuple[int, int, str], ...] | None:
    """Return the swap of the unit that stands behind a period; none where it stays, None where it cannot be found."""
    old = group[-1]
    if old.kind != "duration" or old.unit in old.text or (old.unit == new.unit and (old.value != 1 or new.value == 1)):
        return ()
    match = _UNIT.match(text, end)
    if match is None:
        return None
    plural = "s" if new.value != 1 and not match["joined"].endswith("-") and match["s"] != "-" else ""
    words = f"{new.unit.removesuffix('s')}{plural}"
    return ((match.start("unit"), match.end("unit"), words.capitalize() if match["unit"][0].isupper() else words),)


def _form(old: Figure, new: Figure) -> str:
    """Return the new figure in the form of the old: in words, in digits, with its sign or its unit."""
    digits = f"{new.value:,f}" if "," in old.text or new.value >= _GROUPED else f"{new.value:f}"
    digits = digits.rstrip("0").rstrip(".") if "." in digits else digits
    words = _WORD_FIGURE.match(old.text)
    if words:
        over = new.value % 1
        if over and over not in _FRACTIONS:
            return ""
        form = spelled(int(new.value)) + (f" and {_FRACTIONS[over]}" if over else "")
        parts = re.split(r"[\s-]+", words[0])
        if words[0].isupper():
            form = form.upper()
        elif len(parts) > 1 and all(p[:1].isupper() or p == "and" for p in parts):
            form = form.title()
        elif words[0][:1].isupper():
            form = form.capitalize()
        return form + _unit_of(old.text[words.end() :], old, new)
    number = re.search(r"\d[\d,]*(?:\.\d+)?", old.text)
    if number is None:
        return ""
    places = len(number[0].partition(".")[2])
    if places >= _WHOLE:  # "0.40%" in the place of "0.50%"
        whole, _, part = digits.partition(".")
        digits = f"{whole}.{part.ljust(places, '0')}"
    return old.text[: number.start()] + digits + _unit_of(old.text[number.end() :], old, new)


def _unit_of(tail: str, old: Figure, new: Figure) -> str:
    """Return the words behind a figure, with its unit changed where the new one has another."""
    if old.unit == new.unit or old.kind != "duration" or old.unit not in tail:
        return tail
    return tail.replace(old.unit, new.unit)


def _names(old: str, new: str, text: str, span: tuple[int, int], known: Mapping[str, str]) -> list[Occurrence] | None:
    places = jurisdictions_named(new, known)
    named = _NAME.findall(new)
    target = (
        next((n for n in reversed(named) if jurisdictions_named(n, known)), named[-1] if named else "")
        if places
        else ""
    )
    target = target or (named[-1] if named else "")
    if not target:
        return None
    if places:
        target = re.sub(r"^(?:the )?(?:State|Commonwealth) of (?:the )?", "", target, flags=re.I)
    if old and old == old.lower() and not _CARDINAL.search(old):
        return verbatim(old, new, text, span)
    if old:
        wanted = _without_shared(_bare(old), new, target)
        if not _LAW.search(new):
            wanted = _LAW.sub("", wanted).strip() or wanted  # "California law", where it says "laws of California"
        return [_named(m.start(), m.end(), target, text) for m in loose(wanted).finditer(text, *span)]
    elsewhere = [n for n in jurisdictions_named(text[span[0] : span[1]], known) if n not in places] if places else []
    laws = [m for n in elsewhere for m in re.compile(rf"\b{re.escape(n)}\b").finditer(text, *span)]
    if not laws and LAW_OR_COURT.search(new) and (named := list(_LAW_OF.finditer(text, *span))):
        return [Occurrence(((m.start(1), m.end(1), target),)) for m in named]
    seats = [m for m in _SEAT.finditer(text, *span) if any(m[0].endswith(n) for n in elsewhere)]
    if _SEAT.fullmatch(target):
        return [Occurrence(((m.start(), m.end(), target),)) for m in seats]
    if laws:
        return [Occurrence(((m.start(), m.end(), target),)) for m in laws]
    return _others(target, new, text, span)


def _bare(old: str) -> str:
    return re.sub(r"^the\s+", "", old)


def _without_shared(old: str, new: str, target: str) -> str:
    """Return the old value without the words that stand beside the new name too: "French" of "French Law".

    What both have stays as the document writes it: "Dutch law instead of French Law" exchanges one word.
    """
    at = new.rfind(target)
    ahead, behind = (_plain(new[:at].split()), _plain(new[at + len(target) :].split()))
    words = old.split()
    plain = _plain(words)
    first = next((n for n in range(len(words) - 1, 0, -1) if ahead[-n:] == plain[:n]), 0)
    last = next((n for n in range(len(words) - first - 1, 0, -1) if behind[:n] == plain[-n:]), 0)
    return " ".join(words[first : len(words) - last]).rstrip(",")


def _plain(words: Sequence[str]) -> list[str]:
    return [w.strip(".,;:()").casefold() for w in words]


def _named(start: int, end: int, target: str, text: str) -> Occurrence:
    """Return a name in place of another; words that both have behind them stay as they are."""
    tail = target.split()
    for n in range(1, len(tail)):
        rest = " ".join(tail[n:])
        if re.match(rf"\s+{re.escape(rest)}\b", text[end:]):
            return Occurrence(((start, end, " ".join(tail[:n])),))
    return Occurrence(((start, end, target),))


def _others(target: str, new: str, text: str, span: tuple[int, int]) -> list[Occurrence]:
    """Return the other names before the same noun: the Chinese version, if the English one is wanted."""
    nouns = set(re.findall(rf"{re.escape(target)}\s+([a-z]+)", new))
    rivals = set(re.findall(r"\b[A-Z]\w+", new)) - {target}
    if not nouns or not rivals:
        return []
    either, noun = ("|".join(re.escape(r) for r in sorted(words)) for words in (rivals, nouns))
    pattern = re.compile(rf"\b({either})(?=\s+(?:{noun})\b)")
    return [Occurrence(((m.start(1), m.end(1), target),)) for m in pattern.finditer(text, *span)]


def apart(found: Sequence[Occurrence], text: str) -> bool:
    """Tell whether the occurrences are several things, rather than one that is mentioned again."""
    return any(not refers_back(o, text) for o in found[1:])


def refers_back(found: Occurrence, text: str) -> bool:
    """Tell whether a value repeats the one before it: "such 10 day period"."""
    return bool(re.search(r"\b(?:such|that|said)\s+$", text[max(0, found.start - _BACK) : found.start]))
