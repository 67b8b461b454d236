"""Backward references: ``Id.``, ``Ibid.``, ``supra`` and "550 U.S., at 570", resolved to what is literally cited."""

from __future__ import annotations

import bisect
import re
from collections.abc import Sequence
from typing import Final

from tasks.sources.scan.records import CitationMention

_ID: Final = re.compile(
    r"(?<![\w.])(?:(?:[Ii]d|[Ii]bid)\.|[Ii]bid(?!\w))(?:,?\s(?:at\s(?:\[\d{1,4}\]|\*?\d{1,5}(?:[\-\u2013]\d{1,5})?|¶{1,2}\s?\d{1,4})|§{1,2}\s?(?P<s>\d{1,5}[\w\-]{0,8}(?:\.\d[\w\-]{0,8})?(?:\([A-Za-z0-9]{1,4}\)){0,5})))?"
)
_SUPRA: Final = re.compile(
    r"(?:(?P<name>[A-Z][\w.'’&\-]{1,30}(?:\s(?:v\.?\s)?[A-Z][\w.'’&\-]{0,30}){0,4}),?\s|(?<!\w))"
    r"(?:\d{1,4}\s[A-Z][\w. ]{0,14},\s)?supra(?!\w|-|\s(?!notes?\b)[a-z]{3,})"
    r"(?:,?\s(?:note|n\.)\s\d{1,4})?(?:,?\sat\s\d{1,5}(?:[\-\u2013]\d{1,5})?)?"
)
_SHORT: Final = re.compile(r"^(?P<head>\d{1,4}\s.{1,24}?)\sat\s\d")
_PARALLEL: Final = re.compile(r"(?:,\s\d{1,5}(?:[\-\u2013]\d{1,5})?){0,3},\s{0,2}$")
_SENTENCE: Final = re.compile(r"[;\n]|(?<![A-Zv])(?<!No)(?<!Co)(?<!Inc)\.\s(?=[A-Z])")
_NAME_REACH: Final = 140


def resolve(text: str, found: Sequence[CitationMention]) -> list[CitationMention]:
    """Add the backward references to the citations of a text.

    Args:
        text: The scanned text.
        found: Its other citations, in order.

    Returns:
        The references. ``canonical`` is empty where nothing before the reference answers to it.
    """
    starts = [mention.start for mention in found]
    back: list[CitationMention] = []
    for match in _ID.finditer(text) if "d." in text or "bid" in text else ():
        earlier = bisect.bisect_left(starts, match.start())
        back.append(_mention(text, match, "id", _id_target(text, match, found[:earlier][-4:])))
    for match in _SUPRA.finditer(text) if "supra" in text else ():
        earlier = bisect.bisect_left(starts, match.start())
        back.append(_mention(text, match, "supra", _supra_target(text, match["name"] or "", found[:earlier])))
    return back


def resolve_short(found: Sequence[CitationMention]) -> list[CitationMention]:
    """Give short forms ("550 U.S., at 570") the full citation before them; drop those that have none."""
    full: dict[str, str] = {}
    kept = []
    for mention in found:
        short = _SHORT.match(mention.canonical) if mention.kind == "case" else None
        if short is None:
            if mention.kind == "case":
                full[mention.canonical.rpartition(" ")[0]] = mention.canonical
            kept.append(mention)
            continue
        kept.append(mention.model_copy(update={"canonical": full.get(short["head"], mention.canonical)}))
    return kept


def _id_target(text: str, match: re.Match[str], earlier: Sequence[CitationMention]) -> str:
    if not earlier:
        return ""
    place = len(earlier) - 1
    while place and _PARALLEL.fullmatch(text[earlier[place - 1].end : earlier[place].start]):
        place -= 1  # a parallel citation: the case is the first of the row
    target = earlier[place].canonical
    if match["s"]:
        head, sign, _ = target.rpartition("§ ")
        return f"{head}{sign}{match['s']}" if sign else ""
    return target


def _supra_target(text: str, name: str, earlier: Sequence[CitationMention]) -> str:
    name = re.sub(r"^(?:See|In|Cf|But|And|Under|Accord)\s", "", name)
    if not name or name in {"See", "In", "Cf"}:
        return ""
    wanted = re.compile(rf"\b{re.escape(name)}\b")
    for mention in reversed(earlier):
        before = text[max(0, mention.start - _NAME_REACH) : mention.start]
        if mention.kind in {"case", "neutral"} and wanted.search(_SENTENCE.split(before)[-1]):
            return mention.canonical
    return ""


def _mention(text: str, match: re.Match[str], kind: str, canonical: str) -> CitationMention:
    return CitationMention(
        start=match.start(), end=match.end(), text=text[match.start() : match.end()], kind=kind, canonical=canonical
    )
