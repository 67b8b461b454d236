"""What is not a figure: references, dates, years, enumerators; and what stands in a table cell."""

from __future__ import annotations

import re

from tasks.legaltext.months import ABBREVIATIONS, CERTAIN
from tasks.legaltext.numbers.numerals import Token
from tasks.legaltext.numbers.units import word_table

_REFERENCE_WORDS = frozenset(
    word_table(
        "section sections sec secs subsection subsections sub-section article articles art clause clauses "
        "paragraph paragraphs para paras exhibit exhibits schedule schedules annex annexes appendix "
        "appendices attachment attachments page pages pp p rule rules no nos number numbers chapter chapters "
        "title item items note notes form step steps figure table tables volume vol amendment version suite "
        "ste room floor box apartment unit tranche phase tel telephone fax phone facsimile patent docket case "
        "release regulation reg part parts division tab line lines row column question footnote proposition "
        "milestone lot invoice building bldg highway route zip account acct serial registration file id ein "
        "tin isbn iso rev addendum sow order po recital recitals bullet gate category tier day week month "
        "quarter year level class series round slide sheet"
    )
)
_MONTHS = (*CERTAIN, *ABBREVIATIONS)
_MONTH_SET = frozenset(_MONTHS)
_MONTH_AFTER = re.compile(rf"\s+(?:of\s+)?(?:{'|'.join(_MONTHS)}|may\s+\d{{4}})\b")
_CELL_LABEL = re.compile(r"(?:^|[\s|])[a-z]{1,3}\d{1,7}:$")
_CHAIN_WORDS = re.compile(
    r"(?:\s*\([a-z0-9]{1,4}\))*\s*(?:,|;|and|or|to|through|&|[-–—]|/|,\s*and|,\s*or)\s*(?:\([a-z]\))?\s*"
)
_WORD_BEFORE = 20  # characters before a number in which the word that makes it a reference ends; chosen by eye
_LAST_DAY = 31  # of a month: a higher number behind its name is none of its days
_CHAIN = 24  # characters between the numbers of a list of references ("Sections 2, 3 and 4"); chosen by eye
_YEARS = (1900, 2099)  # what reads as a year where nothing says so; a plain 1850 or 2200 is as likely an amount; by eye
_LABEL_REACH = 14  # characters before a figure: the name of its cell ("abc1234567:") and what stands before it


def is_reference(low: str, token: Token, reference_end: int) -> bool:
    """Return whether a number names a place, a date or a thing instead of measuring something.

    The word before it is taken as it is printed: tokens would part "sub-section" and lose the stop of "no.".
    """
    before = low[max(0, token.core_start - _WORD_BEFORE) : token.core_start]
    trimmed = before.rstrip(' \u00a0\n(["“')
    if trimmed.endswith(("§", "¶", "#")):
        return True
    last = trimmed.rstrip(".").split()
    word = last[-1].strip('(,["“') if last else ""
    if word in _MONTH_SET and token.kind != "duration" and not trimmed.endswith((",", ";")):
        return token.kind is None or token.value <= _LAST_DAY
    if word in _REFERENCE_WORDS and not trimmed.endswith((",", ";", ":")) and not token.word:
        return token.kind is None or not token.pair
    if 0 <= reference_end < token.core_start <= reference_end + _CHAIN:
        gap = low[reference_end : token.core_start]
        if _CHAIN_WORDS.fullmatch(gap) and not token.fraction and (token.kind is None or token.generic_noun):
            return True
    return token.kind is None and _MONTH_AFTER.match(low, token.core_end) is not None


def is_year(token: Token) -> bool:
    """Return whether a bare number reads as a calendar year."""
    return (
        not token.word
        and not token.grouped
        and not token.decimal
        and token.core_end - token.core_start == 4
        and _YEARS[0] <= token.value <= _YEARS[1]
    )


def stands_in_cell(low: str, token: Token) -> bool:
    """Return whether a number fills a cell of a tab- or pipe-separated row, other than a row number."""
    left = token.start - 1
    while left >= 0 and low[left] in " \u00a0(":
        left -= 1
    right = token.end
    while right < len(low) and low[right] in " \u00a0)":
        right += 1
    labelled = (
        left > 0 and low[left] == ":" and _CELL_LABEL.search(low, max(0, left - _LABEL_REACH), left + 1) is not None
    )
    opens = left < 0 or labelled or low[left] in "\t|\n"
    closes = right >= len(low) or low[right] in "\t|\n"
    if not (opens and closes):
        return False
    if labelled:
        return True
    first = left < 0 or low[left] == "\n"
    if first:
        return False
    return low[left] in "\t|" or (right < len(low) and low[right] in "\t|")
