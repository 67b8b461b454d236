"""Questions in prose: which provisions they ask about, and which figure answers them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from types import MappingProxyType

from tasks.drafting.extractive.brief import Topic, asks_for_drafting, is_ambiguous_name, topics_named, without_output
from tasks.drafting.extractive.catalogue import Provision
from tasks.legaltext.fold import straight
from tasks.legaltext.sentences import BRIEF, sentences
from tasks.retrieval.topics import TopicCatalogue

_QUESTION = re.compile(
    r"\?\W*$|^(?:and |also |please |then )*(?:(?:tell|show|let) (?:me|us)(?: know)?|find(?: out)?|identify|check"
    r"|confirm|explain|advise|determine|say|state|list|establish|see)?\s*(?:to |on |about )?"
    r"(?:in |on |under |for |by |from )?"
    r"(?:which|what|when|where|who|whose|whom|how|whether|if|does|do|is|are|can|could|may|must|will|would|has|have)\b",
    re.I,
)
_WORK = re.compile(
    r"\b(?:risks?|issues?|gaps?|problems?|concerns?|strateg\w+|recommend\w*|exposure|compl(?:y|ies|iance))\b", re.I
)
_MOST = 3  # provisions that one question can ask for; chosen by eye on the development briefs
_FEW = 6  # sentences of a brief that is a question and not an assignment of work
# How a provision is asked for by what it does; the first patterns win over those below them.
_BY_WHAT_IT_DOES = (
    (
        "post-termination services",
        r"\b(?:after|following|upon) (?:termination|expiry|expiration)\b",
    ),
    (
        "change of control",
        r"\b(?:acquired|acquisition|merge[rs]?|merged|take-?over|bought out|sold to|sale of the company"
        r"|new owner)\b",
    ),
    (
        "restriction on assignment",
        r"\bassign(?:s|ed|able|ing)?\b",
        r"\btransfer\w*\b.{0,40}\b(?:agreement|contract|lease|rights)\b",
    ),
    (
        "uncapped liability",
        r"\b(?:uncapped|unlimited|without (?:limit|cap))\b",
    ),
    (
        "cap on liability",
        r"\bliab\w*\b.{0,60}\b(?:cap\w*|limit\w*|exceed|maximum|exclud\w*)\b",
        r"\b(?:cap|limit|maximum|exclud)\w*\b.{0,60}\bliab",
        r"\bexposure\b",
    ),
    (
        "notice period to terminate renewal",
        r"\b(?:stop|prevent|avoid|opt out of|object to)\b.{0,40}\brenew",
        r"\bnon-?renew",
    ),
    (
        "renewal term",
        r"\brenew\w*",
        r"\broll(?:s|ed)? over\b",
        r"\bauto-?extend",
    ),
    (
        "termination for convenience",
        r"\b(?:walk away|get out|cancel|terminat\w*|exit|end)\b.{0,80}\b(?:without (?:any )?(?:cause"
        r"|reason)|for convenience|(?:at )?any time|at will|early|for no reason|before the end)\b",
    ),
    (
        "termination for cause",
        r"\bterminat\w*\b.{0,80}\b(?:breach|default|insolven\w*|bankrupt\w*|for cause)\b",
    ),
    (
        "termination for convenience",
        r"\b(?:walk away|get out of|cancel|terminat\w*)\b",
    ),
    (
        "expiration date",
        r"\bexpir\w*",
        r"\bhow long (?:does|do|is|are|will)\b.{0,60}\b(?:last|run|contract|agreement|lease|term)\b",
        r"\bwhen (?:does|do|will)\b.{0,60}\bend\b",
    ),
    (
        "indemnification",
        r"\bindemnif\w*",
        r"\bhold\b.{0,20}\bharmless",
    ),
    (
        "audit rights",
        r"\baudit\w*",
        r"\binspect\w*",
        r"\bbooks and records\b",
    ),
    (
        "non-compete",
        r"\bcompet(?:e|es|ing|ition)\b",
        r"\bcompetitors?\b",
    ),
    (
        "no-solicit of customers",
        r"\b(?:solicit|poach|hire)\w*\b.{0,60}\b(?:customer|client)",
    ),
    (
        "no-solicit of employees",
        r"\b(?:solicit|poach|hire|recruit)\w*\b",
    ),
    (
        "exclusivity",
        r"\bexclusiv\w*",
        r"\bother (?:suppliers?|distributors?|customers?)\b",
    ),
    (
        "insurance",
        r"\binsur\w*",
    ),
    (
        "governing law",
        r"\b(?:which|what|whose) law\b",
        r"\bgoverned\b",
        r"\blaws? (?:govern|appl)",
    ),
    (
        "jurisdiction and venue",
        r"\bcourts?\b",
        r"\bjurisdiction\b",
        r"\bwhere\b.{0,30}\bsue\b",
    ),
    (
        "dispute resolution",
        r"\barbitrat\w*",
        r"\bmediat\w*",
        r"\bdisputes?\b",
    ),
    (
        "revenue or profit sharing",
        r"\broyalt\w*",
        r"\bcommission\w*",
        r"\bshare of (?:revenue|profit|sales)",
    ),
    (
        "minimum commitment",
        r"\bminimum\b",
        r"\bhave to (?:buy|purchase|order)\b",
        r"\bmust\b.{0,20}\b(?:buy|purchase|order)\b",
    ),
    (
        "warranty duration",
        r"\bwarrant\w*\b.{0,60}\b(?:long|last|period|expire|run)\b",
        r"\bhow long\b.{0,60}\bwarrant",
    ),
    (
        "liquidated damages",
        r"\bpenalt\w*",
        r"\bliquidated\b",
        r"\bdelay damages\b",
    ),
    (
        "payment terms",
        r"\b(?:invoice\w*|overdue|late payment|paid|pay)\b.{0,60}\b(?:days?|due|when|within|late"
        r"|interest)\b",
        r"\bwhen\b.{0,40}\b(?:pay|paid|due)\b",
    ),
    (
        "price restrictions",
        r"\b(?:price|fee|rate)s?\b.{0,40}\b(?:rais|increas|chang|adjust)\w*",
    ),
    (
        "IP ownership assignment",
        r"\bown\w*\b.{0,60}\b(?:ip|intellectual|inventions?|work product|patents?|copyright"
        r"|improvements?|developed)\b",
    ),
    (
        "license grant",
        r"\blicen[cs]\w*\b",
    ),
    (
        "third party beneficiary",
        r"\bthird part\w+\b.{0,40}\b(?:enforce|benefi|rights)",
    ),
)
# What else a question asks of a provision: its words, the words of a clause that says so, and what to call it.
_ASIDE = (
    (re.compile(r"\bterminat\w*|\bcancel\w*", re.I), re.compile(r"\bterminat|\bcancel", re.I), "termination"),
    (re.compile(r"\bconsents?\b|\bapprovals?\b", re.I), re.compile(r"\bconsent|\bapprov|\bpermi", re.I), "consent"),
)
_FIGURES = MappingProxyType(
    {
        "duration": re.compile(
            r"\bnotice\b|\bhow (?:long|soon|many)\b|\bperiods?\b|\bdays?\b|\bmonths?\b|\bby when\b|\bdeadline", re.I
        ),
        "money": re.compile(
            r"\bhow much\b(?! (?:notice|time))|\bamounts?\b|\bcap\b|\bcapped\b|\bmaximum\b|\bminimum\b|\bat what\b"
            r"|\bwhat (?:fee|price|sum|rent)\b",
            re.I,
        ),
        "percent": re.compile(r"\brates?\b|\bpercent\w*|\broyalt\w*|\bcommission", re.I),
        "date": re.compile(r"\bwhat date\b|\bwhen\b|\bon which day\b", re.I),
    }
)
# Names of provisions that in a question are mere words of it.
_MERE = re.compile(r"termination|payments?|exclusive|penalty|liability|warranty|renewal|term|date|date of .*", re.I)
_PARTS = re.compile(
    r"(?:,\s*|\s)(?:and|or)\s+(?=(?:(?:on|at|by|for|in|under) )?(?:which|what|when|where|who|how"
    r"|whether|does|do|is|are|can|may|must|will)\b)",
    re.I,
)


def asked_provisions(instructions: str, known: Sequence[Provision]) -> tuple[Topic, ...]:
    """Return the provisions that the questions of a brief ask about, each with its question; empty where none does."""
    brief = straight(without_output(instructions))
    parts = [brief[start:end] for start, end in sentences(brief, BRIEF)]
    asked = [s for s in parts if _QUESTION.search(s) and not asks_for_drafting(s)]
    if len(parts) > _FEW or len(asked) * 2 < len(parts):
        return ()
    found: dict[str, Topic] = {}
    for sentence in asked:
        last = ""
        for part in _PARTS.split(sentence):
            topics = list(_topics_of_part(part, sentence, known))
            for topic in topics:
                found.setdefault(topic.provision.name, topic)
                last = topic.provision.name
            if not topics and last:  # "…, and on what notice?" asks more of the same
                found[last] = replace(found[last], kinds=tuple(dict.fromkeys((*found[last].kinds, *_kinds(part)))))
    return tuple(found.values())


def _topics_of_part(part: str, question: str, known: Sequence[Provision]) -> Iterator[Topic]:
    named = [t for t in topics_named(part, known) if not is_ambiguous_name(t.words) and not _MERE.fullmatch(t.words)]
    if not named:
        by_name = {p.name: p for p in known}
        done = [n for n, *cues in _BY_WHAT_IT_DOES if any(re.search(c, part, re.I) for c in cues) and n in by_name]
        named = [Topic(name, by_name[name]) for name in done[:1]]
    if not named and not _WORK.search(part) and len(part.split()) > _FEW:
        named = [Topic(p.name, p) for p in TopicCatalogue(known).asked(part)[:1]]
    for topic in named[:_MOST]:
        yield Topic(topic.words, topic.provision, question=question, kinds=_kinds(part))


def _kinds(part: str) -> tuple[str, ...]:
    return tuple(kind for kind, pattern in _FIGURES.items() if pattern.search(part))


def unanswered_part(topic: Topic, said: str) -> str:
    """Return what a question asks about a provision that the clause does not say; empty if it says everything."""
    own = " ".join(topic.provision.names)
    for asked, says, name in _ASIDE:
        if asked.search(topic.question) and not asked.search(own) and not says.search(said):
            return name
    return ""
