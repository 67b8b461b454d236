"""The ten error classes of failed criteria, assigned by patterns in a fixed order of priority.

After appendix B.3 of the Parthenon paper: quantities and dates first, then grounding, remediation,
materiality, cross-document work, form, legal rules, coverage and missing facts; the rest is ``other``.
"""

from __future__ import annotations

import re
from typing import Literal

from tasks.matter.reasons import ErrorClass, MatchKind

_PATTERNS: tuple[tuple[ErrorClass, str], ...] = (
    (
        ErrorClass.NUMBERS_DATES,
        r"[$€£]\s?\d|\d\s?%|\b\d{4}-\d{2}-\d{2}\b|\b(?:amounts?|percent(?:age)?|basis points?|thresholds?|formulas?|"
        r"calculat\w+|comput\w+|arithmetic|deadlines?|due dates?|dates?|dated|duration|time ?lines?|days|months|years|"
        r"figures?|numerical|quantif\w+|totals?|sum of|dollars?|ratios?|multiples?|notice period|renewal term)\b",
    ),
    (
        ErrorClass.SOURCE_GROUNDING,
        r"\b(?:cit(?:e|es|ed|ation|ations|ing)|pinpoint|source (?:document|span|reference)|"
        r"quot(?:e|es|ed|ation|ations)|unsupported|ungrounded|fabricat\w+|hallucinat\w+|not supported by|"
        r"attribut\w+ to)\b",
    ),
    (
        ErrorClass.REMEDIAL_ACTION,
        r"\b(?:recommend\w*|remed(?:y|ies|ial|iation)|cure|mitigat\w+|next steps?|action items?|action owner|"
        r"propos(?:e|es|ed|al)|corrective|fix(?:es)?|fallback|suggest\w*|advis(?:e|es|ed) (?:the )?client)\b",
    ),
    (
        ErrorClass.MATERIALITY_IMPACT,
        r"\b(?:material(?:ity)?|severity|severe|priorit\w+|impacts?|significan\w+|risk (?:level|rating)|high[- ]risk|"
        r"critical|consequences?|exposure|business (?:effect|implication)s?)\b",
    ),
    (
        ErrorClass.CROSS_DOC_SYNTHESIS,
        r"\b(?:cross[- ](?:document|reference)\w*|reconcil\w+|inconsisten\w+|conflict(?:s|ing)? (?:between|with)|"
        r"discrepanc\w+|contradict\w+|across (?:the )?(?:documents|agreements|contracts|sources)|synthesi[sz]\w+)\b",
    ),
    (
        ErrorClass.DELIVERABLE_FORMAT,
        r"\b(?:format\w*|deliverable|work[- ]product type|memorandum form|headings?|redlines?|tracked changes|tables?|"
        r"spreadsheet|column|template|structure[ds]?|executive summary|not produced|file name|empty)\b",
    ),
    (
        ErrorClass.LEGAL_RULE_USE,
        r"\b(?:statut\w+|regulations?|rules?|doctrin\w+|legal (?:standard|test|framework|basis)|case law|precedents?|"
        r"common law|jurisdiction\w*|governing law|U\.?S\.?C|C\.?F\.?R|F\.?R\.?C\.?P|elements of|burden of proof|"
        r"enforceab\w+|Article \d+|Section \d+)\b|§",
    ),
    (
        ErrorClass.COVERAGE,
        r"\b(?:each of|all (?:of )?the|every|covers?|coverage|address(?:es|ed)?|issues?|clauses?|provisions?|subparts?|"
        r"complete(?:ness)?|untreated|does not discuss|not analy[sz]ed|overlook\w*)\b",
    ),
    (
        ErrorClass.MISSING_FACTS,
        r"\b(?:omit\w*|missing|miss(?:es|ed)|fail(?:s|ed)? to (?:identify|mention|state|note|name|include)|"
        r"does not (?:identify|mention|state|note|name|include)|no mention|absent|not (?:mentioned|identified|stated)|"
        r"part(?:y|ies)|exhibits?|entit(?:y|ies))\b",
    ),
)


def classify(title: str, reasoning: str, match_kind: MatchKind | Literal[""] = "") -> ErrorClass:
    """Return the error class of a failed criterion.

    Args:
        title: Title of the criterion.
        reasoning: Why the judge failed it.
        match_kind: Kind of the anchor, where one decided; a date is a date whatever the words say.
    """
    if match_kind is MatchKind.DATE:
        return ErrorClass.NUMBERS_DATES
    text = f"{title}\n{reasoning}"
    found = (name for name, pattern in _PATTERNS if re.search(pattern, text, re.IGNORECASE))
    return next(found, ErrorClass.OTHER)
