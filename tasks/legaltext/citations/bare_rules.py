"""Rules cited by number alone: "Rule 56", read by the body of rules that the text names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from tasks.legaltext.records import CitationMention

_WORD: Final = 16  # characters of the word before a rule
_LAST_CIVIL: Final = 87  # the last of the Federal Rules of Civil Procedure (Rule 87, since 2023)
# The Federal Rules of Evidence run from 101 to 1103, those of Bankruptcy Procedure from 1001.
_FIRST_EVIDENCE, _LAST_EVIDENCE, _FIRST_BANKRUPTCY = 101, 1103, 1001
_BARE: Final = re.compile(r"Rule (?P<n>\d+)")
# "Bankruptcy Rule 3007-1" that is not read as one of the federal rules is one of a state or of a district.
_OF_ANOTHER: Final = re.compile(r"(?:Bankruptcy|Civil|Evidence|Appellate)\s$")
_TWICE: Final = re.compile(r"Rule [1-8]?\d(?:\.\d)?\([a-h]\)\(\d{1,2}\)")
_NAMES: Final = {
    "Fed. R. Civ. P.": re.compile(r"Fed\.\s?R\.\s?Civ|Federal\sRules?\sof\sCivil|FRCP|Federal\sCivil\sRule"),
    "Fed. R. Evid.": re.compile(r"Fed\.\s?R\.\s?Evid|Federal\sRules?\sof\sEvidence|\bFRE\b"),
    "Fed. R. Bankr. P.": re.compile(r"Fed\.\s?R\.\s?Bankr|Federal\sRules?\sof\sBankruptcy|Bankruptcy\sRule|\bFRBP\b"),
}


def name_bare_rules(text: str, found: Iterable[CitationMention]) -> list[CitationMention]:
    """Read "Rule 56" by the body of rules that the text names, and drop it where it names none.

    "Rule 12(b)(6)" needs no name: no other body of rules is cited like that.
    """
    found = list(found)
    bare = any(m.kind == "rule" and _BARE.match(m.canonical) for m in found)
    named = [body for body, words in _NAMES.items() if words.search(text)] if bare else []
    kept = []
    for mention in found:
        rule = _BARE.match(mention.canonical) if mention.kind == "rule" else None
        if rule is None:
            kept.append(mention)
            continue
        if _OF_ANOTHER.search(text, max(0, mention.start - _WORD), mention.start):
            continue
        body = _body(int(rule["n"]), mention.canonical, named)
        if body:
            kept.append(mention.model_copy(update={"canonical": mention.canonical.replace("Rule", body, 1)}))
    return kept


def _body(number: int, rule: str, named: Sequence[str]) -> str:
    if number <= _LAST_CIVIL:
        return "Fed. R. Civ. P." if "Fed. R. Civ. P." in named or _TWICE.match(rule) else ""
    if _FIRST_EVIDENCE <= number <= _LAST_EVIDENCE and "Fed. R. Evid." in named:
        return "Fed. R. Evid."
    return "Fed. R. Bankr. P." if number >= _FIRST_BANKRUPTCY and "Fed. R. Bankr. P." in named else ""
