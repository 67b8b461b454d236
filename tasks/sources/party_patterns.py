"""The words by which parties are recognised in the head of a document."""

from __future__ import annotations

import re

from tasks.legaltext import months
from tasks.legaltext.names import FORM, SUFFIX

SMALL = frozenset(["of", "and", "the", "for", "de", "la", "del", "van", "von", "in", "y", "e", "a", "on", "und"])
# A word of a name that is written small on purpose: one with a capital inside (eHarbour), or a domain (quayside.com).
OWN_SPELLING = re.compile(r"[A-Z]|\w\.(?:com|net|org|io|biz)\b")
HAS_SUFFIX = re.compile(rf"\b{SUFFIX}(?![\w])")
COMPANY = re.compile(
    rf"[A-Z0-9][\w&.'’/+*-]*(?:,?\s+(?:(?:of|and|the|for|de|&)\s+)?[A-Z0-9&(][\w&.'’/+)*-]*){{0,9}}?,?\s+{SUFFIX}(?!\w)"
    rf"(?:,?\s+{FORM}(?!\w))?\.?"
)
BETWEEN = re.compile(r"\b(?:by\s+and\s+(?:between|among(?:st)?)|between|among(?:st)?)\b:?", re.IGNORECASE)
END = re.compile(
    r"\b(?:WHEREAS|RECITALS?|WITNESSETH|W\sI\sT\sN|NOW,?\s+THEREFORE|BACKGROUND|Whereas|Recitals|Background)\b"
    r"|\b(?:IT IS (?:HEREBY )?AGREED|[Tt]he [Pp]arties (?:hereby )?agree|[Ii]n consideration of|TABLE OF CONTENTS)\b"
    r"|\n(?=\s*+(?:1|I)\.\s)\s*\n\s*(?:1|I)\.\s"
)
PAREN = re.compile(
    r"\(((?:[^()]|\([^()]*\)){0,300})\)"
    r"|(?<=[\s,])[\"“](?:the\s+)?([A-Z][\w .&’'-]{1,40})[\"”]\s*(?:,|and|/)"
)
QUOTED = re.compile(r"[\"“”„«ʺ]\s*([^\"“”„»ʺ()]{1,80}?)\s*,?[\"“”»ʺ]|['‘]([^'‘’()]{2,60})['’]")
GENERIC = re.compile(
    r"^(?:(?:each\s+)?a?\s*part(?:y|ies)|(?:this )?agreement|contract|amendment|effective date|execution date"
    r"|closing date|commencement date|exhibit.*|schedule.*|term|execution|license|order form|.*\bdate"
    r"|recitals?|act|code"
    r"|plan|lease|services|products?|commission|territory|program|project)$",
    re.IGNORECASE,
)
DESCRIPTOR = re.compile(
    r"(?:,|(?<!\s))\s++(?:\(?an?|being|having|with|whose|located|organi[sz]ed|incorporated|acting|as|together|individually|residing"
    r"|established|duly|existing|under|doing|registered|on behalf|on (?:her|his|its|their) own|for itself"
    r"|its|their|which|who|dba|d/b/a|f/k/a|a/k/a|DBA|company number|having|principal|collectively|hereinafter|hereafter"
    r"|hereby|c/o|through|by (?:its|and)|at \d|of \d|is|are|shall|OF \d)\b"
    rf"(?!\s+{FORM}\b).*$|,\s*(?:an?\s|the\s|\d|of\s|[A-Z][\w .]+\s(?:corporation|limited)).*$|[:;].*$"
    r"|(?<!\s)\s++\d{2,}.*$|\s(?:and|AND)$",
    re.DOTALL,
)
LEAD = re.compile(
    r"^(?:[\s,;:.)\]–—●•-]|and\b|AND\b|And\b|&\s|between\b|by\b|among\b|on (?:the )?(?:one|other)(?: hand| part)?\b"
    r"|of the (?:one|other|first|second|third) part\b|the (?:one|other) (?:hand|part)\b|[Ii]s\b|\(?\d[.)]\s|\([a-z]\)\s"
    r"|[A-C]\.\s|(?:i+)\)|either\b|the following parties\b|each of\b|the undersigned,?\s)+"
)
ROLES = (
    r"licensor|licensee|seller|buyer|purchaser|vendor|supplier|customer|distributor|manufacturer|company|consultant"
    r"|contractor|client|landlord|tenant|lessor|lessee|lender|borrower|guarantor|employer|employee"
    r"|sponsor|agent|principal"
    r"|franchisor|franchisee|provider|owner|operator|shipper|carrier|assignor|assignee|publisher"
    r"|developer|advisor|adviser"
    r"|executive|trustee|grantor|grantee|reseller|party [ab12]|first party|second party|the seller"
    r"|the buyer|insured|insurer"
)
ROLE_LINE = re.compile(
    rf"^(?:the\s+)?(?P<role>{ROLES})(?:\s*\(([^()\n]{{2,40}})\))?\s*(?::|\s-\s)\s*(?P<name>[A-Z][^\n:]{{2,90}})$",
    re.IGNORECASE | re.MULTILINE,
)
ROLE_INLINE = re.compile(
    rf"\b(?:[Tt]he\s+)?(?P<role>(?i:{ROLES}))(?:/[\w-]+)?\s*:\s+(?P<name>{COMPANY.pattern})",
)
BLANK = re.compile(r"(?:_{3,}|\[[^\]]{0,60}\]|\.{5,}|…{2,})\W{0,4}(?:(?:herein|referred|to|as|after|the)\W*)*$")
LISTED = re.compile(r"^\(?[1-9A-D]\)\s*(?P<name>[A-Z][^\n]{3,250})$", re.MULTILINE)
CAPTION = re.compile(
    r"(?P<name>[A-Z][^\n;]{2,90}?),?\s+(?:an?\s[^,\n]{3,60},\s*)?"
    r"(?P<role>Plaintiffs?|Defendants?|Petitioners?|Respondents?|Appellants?|Appellees?|Claimants?)\b(?!['’])"
)
SIGNATURE = re.compile(r"^(?P<name>[^\n:_]{3,80})\n+\s*(?:By|BY|Per|Signed|Name)\s*[:_]", re.MULTILINE)
DESCRIBED = re.compile(
    r"(?<!\w)([A-Z][\w&.'’-]*(?:[ ][A-Z&][\w&.'’-]*){0,7})(?=,\s+an?\s+[\w ]{2,40}?\b"
    r"(?:corporation|company|partnership|trust|association|Corporation|Company|individual)\b)"
)
SEPARATOR = re.compile(
    r";\s+(?:and\s+)?|,?\s+(?:and|AND|And|&)\s+(?=[A-Z0-9])"
    r"|\n\s*\n\s*(?:-*\s*(?:and|AND|And)\b:?\s*-*)?\s*"
)
TAIL = re.compile(r"((?:[A-Z][\w.’'-]*\s+){1,4}[A-Z][\w.’'-]*),?\s*$")
NOT_A_NAME = re.compile(
    r"\b(?:Agreement|AGREEMENT|Effective|EFFECTIVE|Section|Parties|PARTIES|Party|Date|Whereas|Exhibit|EXHIBIT|Contract"
    rf"|Schedule|TABLE|ARTICLE|Avenue|Street|Suite|Road|Boulevard|Floor|Box)\b|^{months.TITLED}\b|^\d+\.\d|^(?:This|THIS|These|Page)\b"
)
