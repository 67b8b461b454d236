"""Rules of court and of the profession: federal, local, state, and those of England."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from tasks.legaltext.citations.parts import Template
from tasks.legaltext.citations.shapes import PARTS, SECTION_LIST, SIGN, squeeze
from tasks.legaltext.citations.states import FULL, STATES
from tasks.legaltext.records import CitationMention

_FRULES: Final = {
    **{"civ": "Fed. R. Civ. P.", "crim": "Fed. R. Crim. P.", "app": "Fed. R. App. P.", "bankr": "Fed. R. Bankr. P."},
    **{"evid": "Fed. R. Evid.", "frcp": "Fed. R. Civ. P.", "fre": "Fed. R. Evid.", "frbp": "Fed. R. Bankr. P."},
    **{"frap": "Fed. R. App. P.", "frcrp": "Fed. R. Crim. P.", "civil": "Fed. R. Civ. P."},
    **{"criminal": "Fed. R. Crim. P.", "appellate": "Fed. R. App. P.", "bankruptcy": "Fed. R. Bankr. P."},
    **{"evidence": "Fed. R. Evid.", "fre": "Fed. R. Evid.", "fed": "Fed. R. Civ. P."},
}
_BODY: Final = r"(?:Civil|Criminal|Appellate|Bankruptcy|Evidence)"
_DISTRICT: Final = (
    r"(?:(?:[NSEWCM]\.\s?)?D\.\s?(?:Del|Mass|N\.J|Md|Conn|Minn|Colo|Ariz|Nev|Or|Utah|Kan|Neb|Haw|Idaho|Mont|Alaska|N\.H|R\.I|"
    r"Me|Vt|S\.C|N\.M|Wyo|S\.D|N\.D|Cal|Tex|N\.Y|Ill|Va|Pa|Fla|Ga|Mich|Ohio|Ind|Wis|Wash|La|Mo|Tenn|Ky|Ala|Miss|Ark|Okla|Iowa"
    r"|N\.C|W\.\s?Va|P\.R|D\.C)\.?|S\.D\.N\.Y\.|E\.D\.N\.Y\.|N\.D\.N\.Y\.|W\.D\.N\.Y\.|Del\.|SDNY|EDNY)"
)
_LOCAL_NO: Final = rf"\d{{1,4}}(?:[.\-]\d{{1,4}}){{0,3}}{PARTS}"
_KINDS: Final = {"civil": "Civ.", "criminal": "Crim.", "civ": "Civ.", "crim": "Crim.", "patent": "Pat."}
_LAST_CIVIL: Final = 87
_FIRST_EVIDENCE, _LAST_EVIDENCE, _FIRST_BANKRUPTCY = 101, 1103, 1001
_BARE: Final = re.compile(r"Rule (?P<n>\d+)")
_TWICE: Final = re.compile(r"Rule [1-8]?\d(?:\.\d)?\([a-h]\)\(\d{1,2}\)")
_NAMES: Final = {
    "Fed. R. Civ. P.": re.compile(r"Fed\.\s?R\.\s?Civ|Federal\sRules?\sof\sCivil|FRCP|Federal\sCivil\sRule"),
    "Fed. R. Evid.": re.compile(r"Fed\.\s?R\.\s?Evid|Federal\sRules?\sof\sEvidence|\bFRE\b"),
    "Fed. R. Bankr. P.": re.compile(r"Fed\.\s?R\.\s?Bankr|Federal\sRules?\sof\sBankruptcy|Bankruptcy\sRule|\bFRBP\b"),
}
_STATE_BODY: Final = r"(?:Civ|Crim|App|Evid|Juv|Prob)"


def _federal(match: re.Match[str], section: str) -> str:
    groups = match.groupdict()
    body = next(groups[name] for name in ("body", "short", "long") if groups.get(name))
    return f"{_FRULES[body.lower().replace('.', '')]} {section}"


def _local(match: re.Match[str], section: str) -> str:
    kind = _KINDS.get((match["k"] or match["k2"] or "").lower().rstrip("."), "")
    court = squeeze(match["court"] or "")
    bankr = "Bankr." if match["bk"] else ""
    stops = "." if court and court[-1] != "." and not court.isupper() else ""
    return " ".join(filter(None, (court + stops, bankr, "Local", kind, "R.", section)))


def _state(match: re.Match[str], section: str) -> str:
    state = FULL[squeeze(match["full"])] if match.groupdict().get("full") else squeeze(match["state"]) + "."
    body = match["body"]
    return f"{re.sub(r'[.]+$', '.', state)} R. {body}.{'' if body == 'Evid' else ' P.'} {section}"


def _shouted(match: re.Match[str], section: str) -> str:
    """Read a caption: in capitals "12(B)(6)" is 12(b)(6)."""
    first = re.sub(r"^([\d.]+\()([A-Z])(?=\))", lambda m: m[1] + m[2].lower(), section)
    return f"{_FRULES[match['body'].lower()]} {first}"


TEMPLATES: Final[tuple[Template, ...]] = (
    Template(
        ("FED. R", "FEDERAL RULE"),
        re.compile(
            rf"\b(?:FED\.\s?R\.\s?|FEDERAL\sRULES?\sOF\s)(?P<body>CIV|CRIM|APP|BANKR|EVID)(?:\.|IL|INAL|ELLATE|UPTCY|ENCE)"
            rf"(?:\s?P(?:\.|ROCEDURE))?\s(?:RULES?\s)?(?P<s>{SECTION_LIST})"
        ),
        "rule",
        _shouted,
        plain=True,
    ),
    Template(
        (
            "Fed. R",
            "Fed.R",
            "FRCP",
            "F.R.C.P",
            "FRBP",
            "FRE ",
            "FRAP",
            "F.R.E.",
            "F.R.A.P",
            "Federal Rule",
            "Fed. Rule",
        ),
        re.compile(
            rf"(?:Fed(?:\.|eral)\s?R(?:ule)?s?\.?\s?(?:of\s)?(?P<body>Civ|Crim|App|Bankr|Evid)\.?(?:\s?P(?:roc)?\.?)?|"
            rf"\b(?P<short>FRCrP|FRCP|F\.R\.C\.P\.|FRBP|FRE|F\.R\.E\.|FRAP|F\.R\.A\.P\.)|"
            rf"Federal\s(?:Rules?\sof\s)?(?P<long>{_BODY})(?:\sProcedure)?(?:\sRules?)?),?\s{{1,2}}(?:[Rr]ules?\s|§{{1,2}}\s?)?"
            rf"(?P<s>{SECTION_LIST})"
        ),
        "rule",
        _federal,
        plain=True,
    ),
    Template(
        ("Federal Rules of", "Fed. R", "FRCP", "FRE"),
        re.compile(
            rf"[Rr]ules?\s(?P<s>{SECTION_LIST}),?\s(?:of|under)\s(?:the\s)?(?:Federal\sRules?\sof\s(?P<long>{_BODY})(?:\sProcedure)?"
            r"|Fed\.\s?R\.\s?(?P<body>Civ|Crim|App|Bankr|Evid)\.?(?:\s?P\.)?|(?P<short>FRCP|FRAP|FRBP|FRE)(?!\w))"
        ),
        "rule",
        _federal,
        plain=True,
    ),
    Template(
        ("Bankr. R", "Bankruptcy Rule", "Civil Rule", "Evidence Rule", "Appellate Rule"),
        re.compile(
            rf"(?<!Local\s)(?<!Federal\s)(?:(?P<body>Bankr)\.\s?R(?:ule)?\.?|\b(?P<long>Bankruptcy|Civil|Evidence|Appellate)\sRules?)\s(?P<s>{SECTION_LIST})"
        ),
        "rule",
        _federal,
        plain=True,
    ),
    Template(
        ("Local ", "Loc. ", "L.R.", "LR ", "L. R", "L.B.R", "LBR ", "L. Civ"),
        re.compile(
            rf"(?:(?P<court>{_DISTRICT})\s)?(?:(?P<bk>Bankr?\.\s|Bankruptcy\s)?(?:(?P<k>Civ|Crim|Pat)\.\s)?"
            rf"(?:\bLoc(?:al|\.)\s(?:(?P<k2>Civil|Criminal|Civ\.|Crim\.|Patent|Bankruptcy|Bankr\.)\s)?R(?:ules?|\.)|\bL\.?\s?(?:B\.?\s?)?(?:Civ\.\s?|Crim\.\s?|U\.\s?)?R\.?))"
            rf"\s(?P<s>{_LOCAL_NO})(?![\w/])"
        ),
        "rule",
        _local,
    ),
    Template(
        tuple(f" {body}" for body in ("Civ. P", "Crim. P", "App. P", "Evid.", "Juv. P", "Prob. P")),
        re.compile(
            rf"(?<![\w.])(?P<state>{STATES})\s?R(?:ule)?s?\.?\s?(?:of\s)?(?P<body>{_STATE_BODY})\.(?:\s?P(?:roc)?\.)?\s(?:[Rr]ule\s)?(?P<s>{SECTION_LIST})"
        ),
        "rule",
        _state,
    ),
    Template(
        ("Ch. Ct. R", "Ct. Ch. R", "Court of Chancery Rule", "Super. Ct. R", "Chancery Rule"),
        re.compile(
            r"(?:(?P<state>Del\.)\s)?(?P<c>Ch\.\s?Ct\.|Ct\.\s?Ch\.|(?:Court\sof\s)?Chancery|Super\.\s?Ct\.(?:\s?Civ\.)?)\sR(?:ule|\.)\s"
            rf"(?P<s>{SECTION_LIST})"
        ),
        "rule",
        lambda m, s: f"{'Del. Ct. Ch.' if 'Ch' in m['c'] else 'Super. Ct.'} R. {s}",
    ),
    Template(
        (" Ct. R. ",),
        re.compile(
            rf"(?<![\w.])(?P<state>{STATES})\s(?P<c>(?:Sup\.\s|Super\.\s|Dist\.\s)?Ct\.\sR\.)\s(?P<n>\d{{1,4}}(?:[:.\-]\d{{1,4}}){{0,3}}{PARTS})(?!\w)"
        ),
        "rule",
        lambda m, _: f"{m['state']} {m['c']} {m['n']}",
    ),
    Template(
        ("Md. Rule", "R.C.P. ", "Cal. R. Ct", "R. Civ. Proc"),
        re.compile(
            rf"(?<![\w.])(?:(?P<md>Md\.\sRule)|(?P<state>{STATES})\sR\.\s?C(?:iv)?\.\s?P(?:roc)?\.|(?P<cal>Cal\.\sR\.\sCt\.))\s(?:[Rr]ule\s|No\.\s)?"
            rf"(?P<s>{_LOCAL_NO})(?!\w)"
        ),
        "rule",
        lambda m, s: f"Md. Rule {s}" if m["md"] else f"Cal. R. Ct. {s}" if m["cal"] else f"{m['state']} R. Civ. P. {s}",
    ),
    Template(
        ("Rules of Court",),
        re.compile(rf"Cal(?:\.|ifornia)\sRules\sof\sCourt,?\s[Rr]ules?\s(?P<s>{SECTION_LIST})"),
        "rule",
        lambda _, s: f"Cal. R. Ct. {s}",
    ),
    Template(
        (" Cir. R", "Cir. L.R", "Circuit Rule"),
        re.compile(
            rf"(?<!\w)(?P<c>\d{{1,2}}(?:st|d|nd|rd|th)|Fed\.|D\.C\.)\sCir(?:cuit|\.)\s(?:L\.?\s?)?R(?:ule|\.)\s(?P<s>{_LOCAL_NO})"
        ),
        "rule",
        lambda m, s: f"{m['c']} Cir. R. {s}",
    ),
    Template(
        ("Sup. Ct. R", "S. Ct. R", "S.Ct. R", "SCt Rule", "Supreme Court Rule"),
        re.compile(
            r"(?<!\w)(?P<st>Ill(?:\.|inois)\s)?(?:SCt|S\.\s?Ct\.|Sup\.\s?Ct\.|Supreme\sCourt)\s(?:Rule|R\.)\s"
            r"(?P<n>\d{1,4}[A-Z]?(?:\.\d{1,3})?(?:\([A-Za-z0-9]{1,4}\)){0,4})"
        ),
        "rule",
        lambda m, _: f"{'Ill. ' if m['st'] else ''}S. Ct. R. {m['n']}",
    ),
    Template(
        ("Model R", "Prof'l Conduct", "Prof’l Conduct", "Professional Conduct", "Prof. Conduct"),
        re.compile(
            r"(?:(?:ABA\s)?Model\sR(?:ules?|\.)(?:\sof\sProf(?:essional|['’]l)\sConduct)?|(?P<state>[A-Z][\w.]{1,10}\s)?R(?:ules?|\.)\s(?:of\s)?"
            r"Prof(?:essional|['’]l|\.)\sConduct),?\s(?:(?:[Rr]ule|R\.|r\.)\s)?(?P<n>[1-8]\.\d{1,2}(?:\([a-z0-9]{1,3}\)){0,3})(?!\d)"
        ),
        "rule",
        lambda m, _: f"{squeeze(m['state']) + '. R. Prof. Conduct' if m['state'] else 'Model Rule'} {m['n']}".replace(
            "..", "."
        ),
    ),
    Template(
        (),
        re.compile(
            r"\bCPR\s(?:(?:r(?:ule|r)?\.?\s?)?(?P<n>\d{1,2}\.\d{1,3}[A-Z]?(?:\((?:\d{1,2}|[a-z])\)){0,4})|[Pp](?:art|t)\s(?P<p>\d{1,2})(?!\d))"
        ),
        "rule",
        lambda m, _: f"CPR {m['n']}" if m["n"] else f"CPR Part {m['p']}",
        initials=("CPR",),
    ),
    Template(
        ("Practice Direction ", "CPR PD", "PD "),
        re.compile(
            r"\b(?:CPR\s)?(?:Practice\sDirection|PD)\s(?P<n>\d{1,2}[A-Z]{1,2})(?!\w)(?:,?\spara(?:graph|\.)?\s\d{1,2}(?:\.\d{1,2})?)?"
        ),
        "rule",
        lambda m, _: f"CPR PD {m['n']}",
    ),
    Template(
        ("Rule ", "Rules "),
        re.compile(
            rf"(?<!Local\s)(?<!Local\sCivil\s)\bRules?\s(?P<s>(?:(?!0)\d{{1,4}}(?:\.\d)?{PARTS}(?![\w.]\w)(?:(?:,?\s(?:and|or|to)\s|,\s|\s?[\-\u2013]\s?)"
            rf"(?:\d{{1,4}}(?:\.\d)?{PARTS}|\([a-z0-9]{{1,3}}\){PARTS})(?![\w.]\w)){{0,4}}))(?!\sof\sthe\s(?!Federal)[A-Z])"
        ),
        "rule",
        lambda _, s: f"Rule {s}",
        plain=True,
    ),
    Template(
        ("Supplemental Rule ", "Supp. R"),
        re.compile(
            r"Supp(?:lemental|\.)\s(?:Admiralty\s)?R(?:ule|\.)\s(?P<n>[A-G](?:\([0-9A-Za-z]{1,4}\)){0,5})(?!\w)"
        ),
        "rule",
        lambda m, _: f"Fed. R. Civ. P. Supp. R. {m['n']}",
    ),
    Template(
        ("FINRA Rule", "NYSE Rule", "Nasdaq", "NASDAQ", "NASD Rule"),
        re.compile(
            rf"\b(?P<body>FINRA|NYSE|NASD|Nasdaq(?:\sListing)?|NASDAQ(?:\sListing)?)\sRules?\s(?P<s>{SECTION_LIST})"
        ),
        "rule",
        lambda m, s: f"{squeeze(m['body'])} Rule {s}",
    ),
    Template(
        ("Listed Company Manual",),
        re.compile(rf"NYSE\sListed\sCompany\sManual,?\s(?:{SIGN})(?P<s>\d{{3}}[A-Z]?(?:\.\d{{2}})?{PARTS})(?!\w)"),
        "rule",
        lambda _, s: f"NYSE Listed Company Manual § {s}",
        re.compile(r"\S+"),
    ),
    Template(
        ("U.S.S.G", "USSG"),
        re.compile(r"U\.?S\.?S\.?G\.?\s(?:§\s?)?(?P<n>\d[A-Z]\d{1,2}\.\d{1,2}(?:\([a-z0-9A-Z]{1,3}\)){0,4})"),
        "rule",
        lambda m, _: f"U.S.S.G. § {m['n']}",
    ),
)


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
