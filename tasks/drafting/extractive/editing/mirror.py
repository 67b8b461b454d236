"""Lettered limbs of a clause, and a clause with its two parties exchanged."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tasks.legaltext.names import without_form
from tasks.legaltext.sentences import sentences

_KNOWN = 60  # characters of a sentence by which it is known again
_HEAD = 4_000  # characters in which a paper says what it calls its parties
_CALLED = re.compile(r"[(,]\s*(?:hereinafter )?(?:the )?[\"'“‘](?:the )?([A-Z][\w&-]*(?: [A-Z][\w&-]*)?)[\"'”’]")
_NO_PARTY = frozenset({"Agreement", "Effective Date", "Lease", "Contract", "Products", "Services", "Parties", "Party"})
_BOLD = re.compile(r"^\*\*[^*\n]{2,60}\*\*\s+")  # a heading as Markdown marks it
_STYLES = (r"\({}\)", r"(?<!\()\b{}\)", r"\b{}\.")  # (b), b), b.


def limb_of(text: str, outer: tuple[int, int], letter: str) -> tuple[int, int] | None:
    """Return the stretch of a lettered limb of a clause, up to the next one of its style; None where it has none.

    A letter is only a limb where the letter before it stands ahead in the same style, or it is the first.
    """
    for style in _STYLES:
        for cased in dict.fromkeys((letter, letter.upper(), letter.lower())):
            own = _marker(style, cased).search(text, *outer)
            if own is None or not _follows(text, outer[0], own.start(), style, cased):
                continue
            nexts = _marker(style, chr(ord(cased[0]) + 1)) if len(cased) == 1 else re.compile(r"\(\w{1,4}\)")
            rest = nexts.search(text, own.end(), outer[1])
            end = rest.start() if rest else outer[1]
            return own.start(), own.start() + len(text[own.start() : end].rstrip())
    return None


def _marker(style: str, letter: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![^\s;,]){style.format(re.escape(letter))}(?=\s)")


def _follows(text: str, first: int, at: int, style: str, letter: str) -> bool:
    if len(letter) > 1 or letter in "aA" or letter.isdigit():
        return True
    return _marker(style, chr(ord(letter) - 1)).search(text, first, at) is not None


def parties_called(text: str, parties: Sequence[str]) -> tuple[str, ...]:
    """Return what a paper calls its parties: the names that it defines in its head, and the first word of each name."""
    called = [m[1] for m in _CALLED.finditer(text[:_HEAD]) if m[1] not in _NO_PARTY]
    words = [re.split(r"[ ,]", without_form(p))[0] for p in parties]
    firsts = [m[0] for w in words if len(w) > 2 and (m := re.search(rf"\b{re.escape(w)}\b", text, re.I))]
    return tuple(dict.fromkeys([*called, *firsts]))


def mirrored(clause: str, heading: str, names: Sequence[str]) -> str:
    """Return the last sentences of a clause with its two parties exchanged; empty where it names not just two.

    The number, letter and heading with which the clause begins are left out. Empty, too, where it binds both already.
    """
    there = [n for n in names if re.search(rf"\b{re.escape(n)}\b", clause)]
    if len(there) != 2:
        return ""
    titled = rf"^[*_]*{re.escape(heading.strip(' .:*_'))}[.:]?[*_]*\s+" if heading.strip(" .:*_") else r"(?!)"
    body = _BOLD.sub("", re.sub(titled, "", _OPENS.sub("", clause, count=1), count=1, flags=re.I), count=1)
    one, two = there
    either = f"(?:{re.escape(one)}|{re.escape(two)})"
    run_in = rf"(?:(?!{either}|The )[A-Z][\w&/-]*\s+|(?:of|and|to)\s+){{1,5}}(?=(?:The )?{either}\b)"
    body = body[opening.end() :] if (opening := re.match(run_in, body)) else body
    swap = {one: two, two: one}
    pattern = re.compile(rf"\b(?P<article>[Tt]he )?(?P<name>{either})\b")
    articled = {n: bool(re.search(rf"\b[Tt]he {re.escape(n)}\b", clause)) for n in there}

    def other(match: re.Match[str]) -> str:
        name = swap[match["name"]]
        if not articled[name]:
            return name
        begins = (match["article"] and match["article"][0] == "T") or _starts(body, match.start())
        return f"{'The' if begins else 'the'} {name}"

    made = pattern.sub(other, body)
    told = [" ".join(made[start:end].split())[:_KNOWN] for start, end in sentences(made)]
    flat = " ".join(clause.split())
    return "" if all(s in flat for s in told) else made


_OPENS = re.compile(
    r"^\s*(?:(?:section |clause )?\d[\d.]*[.)]?\s+|\(?[A-Za-z][.)]\s+|(?:[A-Z]{2,}[A-Z ,&]*\b[.:]?\s+))+"
)


def _starts(text: str, at: int) -> bool:
    return not text[:at].strip() or text[:at].rstrip()[-1:] in ".;:"
