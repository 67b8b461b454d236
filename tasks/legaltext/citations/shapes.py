"""How the parts of a citation look: section numbers and signs, lists of sections, blanks and dashes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

DASH: Final = r"[\-\u2010-\u2014]"
SIGN: Final = r"(?:§{1,2}|[Ss]ections?|SECTIONS?|[Ss]ecs?\.|[Ss]s?\.)\s{0,2}"
PART: Final = r"\s?\((?:[a-z]{1,2}|[ivxl]{3,6}|[A-Z]{1,2}|[IVXL]{3,6}|\d{1,3})\)"
PARTS: Final = rf"(?:{PART}){{0,8}}"
# 78j, 240.10b-5, 1.409A-1(b)(4), 1396r-8, 2-207, 14A:3-5
SECTION: Final = (
    rf"\d{{1,6}}[A-Za-z]{{0,4}}(?:(?:\([a-z]\)(?=-\d{{1,2}}(?!\d)))?[.:/\-\u2011\u2013](?=[A-Za-z0-9])"
    rf"[A-Za-z0-9]{{1,8}}){{0,5}}{PARTS}"
)
_JOIN: Final = rf"(?:[,;]?\s(?:and|or|&|to|through)\s|,\s|;\s(?=§)|\s?{DASH}\s?)"
# What follows is a citation of its own: "18 U.S.C. § 1 and 28 C.F.R. § 2", "6 Del. C. § 18-101", "735 ILCS 5/2".
_OTHER: Final = r"\s(?:U\.?\s?S\.?\s?C|C\.?\s?F\.?\s?R|ILCS|(?:[A-Z][\w.]{0,8}\s?){1,4}(?:§|\d))"
# "; § 164.312(a)" goes on with the list; "; § 8.2 of this Agreement" does not.
_OWN: Final = r"\s(?:of|in|to|under)\s(?:the|this|that|such|its|our|your)\s|\s(?:above|below|hereof|herein)\b"
_NEXT: Final = rf"(?:§{{1,2}}\s?{SECTION}(?!\w|{_OTHER}|{_OWN})|{SECTION}(?!\w|{_OTHER})|(?:{PART}){{1,6}}(?!\w))"
SECTION_LIST: Final = rf"{SECTION}(?:{_JOIN}{_NEXT}){{0,8}}"
# What the tables of forms may name in a pattern.
SHAPES: Final[Mapping[str, str]] = MappingProxyType(
    {"sign": SIGN, "parts": PARTS, "section": SECTION, "section_list": SECTION_LIST}
)
_SPACE: Final = re.compile(r"\s+")


def squeeze(raw: str) -> str:
    """Normalise blanks and dashes within a citation."""
    return _SPACE.sub(" ", raw.replace("\u2011", "-").replace("\u2010", "-")).strip(" ,.;")


def tight(raw: str) -> str:
    """Drop blanks: ``78j (b)`` is ``78j(b)``."""
    return _SPACE.sub("", raw.replace("\u2011", "-").replace("\u2010", "-").replace("\u2013", "-"))
