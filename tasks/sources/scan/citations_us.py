"""United States statutes, regulations, rules and administrative material."""

from __future__ import annotations

import re
from typing import Final

from tasks.sources.scan.citations_parts import PARTS, SECTION, SECTION_LIST, SIGN, Template, squeeze, tight

_USC = r"U\.?\s?S\.?\s?C\.?(?:\s?A\.?|\s?S\.?(?![\w.]))?"
_ACTS: Final = {
    "securities act": "Securities Act of 1933",
    "exchange act": "Securities Exchange Act of 1934",
    "securities exchange act": "Securities Exchange Act of 1934",
    "investment company act": "Investment Company Act of 1940",
    "investment advisers act": "Investment Advisers Act of 1940",
    "advisers act": "Investment Advisers Act of 1940",
}
_BY_INITIALS: Final = (
    *("ERISA", "HIPAA", "COBRA", "CERCLA", "RICO", "FLSA", "FMLA", "ADEA", "FCRA", "TCPA", "FCPA", "FDCA", "DMCA"),
    *("RCRA", "FINRA Rules", "Title VII", "Regulation D", "NLRA", "FIRREA", "TILA", "RESPA", "ECOA", "GLBA", "BHCA"),
)
_REGULATIONS: Final = {"S-K": "229", "S-X": "210", "S-T": "232", "S-P": "248", "M": "242", "FD": "243", "AB": "229"}
_FRULES: Final = {
    **{"civ": "Fed. R. Civ. P.", "crim": "Fed. R. Crim. P.", "app": "Fed. R. App. P.", "bankr": "Fed. R. Bankr. P."},
    **{"evid": "Fed. R. Evid.", "frcp": "Fed. R. Civ. P.", "fre": "Fed. R. Evid.", "frbp": "Fed. R. Bankr. P."},
    **{"frap": "Fed. R. App. P.", "frcrp": "Fed. R. Crim. P.", "civil": "Fed. R. Civ. P."},
    **{"criminal": "Fed. R. Crim. P.", "appellate": "Fed. R. App. P.", "bankruptcy": "Fed. R. Bankr. P."},
    **{"evidence": "Fed. R. Evid."},
}


def _the_code(match: re.Match[str], section: str) -> str:
    """Read "the Code" as the Internal Revenue Code unless the text has defined another."""
    number = section or tight(match["after"])
    if "Internal Revenue" not in match.string:
        if "Bankruptcy Code" in match.string:
            return f"11 U.S.C. § {number}"
        if "Commercial Code" in match.string or "Civil Code" in match.string:
            return ""
    return f"26 U.S.C. § {number}"


def _rules(match: re.Match[str], section: str) -> str:
    return f"{_FRULES[match['body'].lower().rstrip('.').replace('.', '')]} {section}"


def _ucc(match: re.Match[str], section: str) -> str:
    number = section or tight(match["before"])
    return f"U.C.C. {'§' if '-' in number else 'art.'} {number}"


def _sec_rule(match: re.Match[str], _: str) -> str:
    number = tight(match["n"])
    head = number.split("(")[0]
    if re.fullmatch(r"(?:1[0-9]{2}|4\d{2}|5\d{2}|9\d{2})[A-Z]?", head):
        return f"17 C.F.R. § 230.{number}"
    return f"17 C.F.R. § 240.{number}"


def _act(match: re.Match[str], section: str) -> str:
    name = squeeze(match["act"])
    name = _ACTS.get(name.lower(), name)
    if match.groupdict().get("year"):
        name = f"{re.sub(r' of [0-9]{4}$', '', name)} of {match['year']}"
    return f"{name} § {section}" if section else name


TEMPLATES: Final[tuple[Template, ...]] = (
    Template(
        ("U.S.C", "USC", "U. S. C", "U.S. C"),
        re.compile(
            rf"(?<![\w.])(?P<t>\d{{1,2}})\s{{1,2}}{_USC}\s{{0,2}}(?:{SIGN})?(?P<s>{SECTION_LIST})(?:\s?et\sseq\.?)?"
        ),
        "statute",
        lambda m, s: f"{m['t']} U.S.C. § {s}",
    ),
    Template(
        ("U.S.C", "U.S. Code", "United States Code"),
        re.compile(
            rf"[Ss]ections?\s(?P<s>{SECTION_LIST})(?:\set\sseq\.?)?,?\sof\s(?:[Tt]itle\s)?(?P<t>\d{{1,2}})"
            rf"(?:,)?\s(?:of\sthe\s)?(?:{_USC}|U\.S\.\sCode|United\sStates\sCode)"
        ),
        "statute",
        lambda m, s: f"{m['t']} U.S.C. § {s}",
    ),
    Template(
        ("United States Code", "U.S. Code"),
        re.compile(
            rf"[Tt]itle\s(?P<t>\d{{1,2}}),?\s(?:of\sthe\s)?(?:United\sStates|U\.S\.)\sCode,?\s{SIGN}(?P<s>{SECTION_LIST})"
        ),
        "statute",
        lambda m, s: f"{m['t']} U.S.C. § {s}",
    ),
    Template(
        ("FAR ", "DFARS "),
        re.compile(
            r"(?<![\w.])D?FARS?\s(?:§\s?)?(?P<n>(?:2?52|[1-9]\d?)\.\d{3}(?:-\d{1,4})?(?:\([a-z0-9]{1,3}\)){0,4})"
        ),
        "regulation",
        lambda m, _: f"48 C.F.R. § {m['n']}",
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
        ("Rule ",),
        re.compile(r"\bRule\s(?P<n>[1-8]?\d(?:\.\d)?\([a-h]\)\(\d{1,2}\)(?:\([A-Z]\)(?:\([ivx]{1,4}\))?)?)(?!\()"),
        "rule",
        lambda m, _: f"Fed. R. Civ. P. {m['n']}",
    ),
    Template(
        ("Notice 19", "Notice 20", "T.D. "),
        re.compile(r"(?<!\w)(?:IRS\s)?(?P<k>Notice|T\.D\.)\s(?P<n>(?:19|20)\d{2}-\d{1,3}|(?<=T\.D\.\s)\d{4})(?!\w)"),
        "administrative",
        lambda m, _: f"{m['k']} {m['n']}",
    ),
    Template(
        ("U.S.S.G", "USSG"),
        re.compile(r"U\.?S\.?S\.?G\.?\s(?:§\s?)?(?P<n>\d[A-Z]\d{1,2}\.\d{1,2}(?:\([a-z0-9A-Z]{1,3}\)){0,4})"),
        "rule",
        lambda m, _: f"U.S.S.G. § {m['n']}",
    ),
    Template(
        ("Code Regs",),
        re.compile(r"Cal\.\sCode\sRegs\.,?\stit\.\s(?P<t>\d{1,2}),?\s§\s?(?P<n>\d{1,6}(?:\.\d{1,3})?)"),
        "regulation",
        lambda m, _: f"Cal. Code Regs. tit. {m['t']}, § {m['n']}",
    ),
    Template(
        ("C.F.R", "CFR", "C. F. R"),
        re.compile(
            rf"(?<![\w.])(?P<t>\d{{1,2}})\s{{1,2}}C\.?\s?F\.?\s?R\.?\s{{0,2}}(?:(?:{SIGN}|[Pp]arts?\s{{1,2}}|pts?\.\s{{1,2}}))?"
            rf"(?P<s>{SECTION_LIST})(?:\s?et\sseq\.?)?"
        ),
        "regulation",
        lambda m, s: f"{m['t']} C.F.R. {'§' if '.' in s else 'pt.'} {s}",
    ),
    Template(
        ("Treas", "Treasury Reg", "Temp. Treas"),
        re.compile(rf"Treas(?:ury|\.)\sReg(?:ulations?|s?\.)\s?(?:{SIGN})?(?P<s>{SECTION_LIST})"),
        "regulation",
        lambda _, s: f"26 C.F.R. § {s}",
    ),
    Template(
        ("I.R.C", "IRC", "Internal Revenue Code", "of the Code"),
        re.compile(rf"(?:(?:I\.?R\.?C\.?|Internal\sRevenue\sCode(?:\sof\s1986)?)\s(?:{SIGN})(?P<s>{SECTION_LIST}))"),
        "statute",
        lambda _, s: f"26 U.S.C. § {s}",
    ),
    Template(
        ("Internal Revenue Code", "of the Code"),
        re.compile(rf"(?:{SIGN})(?P<s>{SECTION_LIST})\sof\sthe\sInternal\sRevenue\sCode(?:\sof\s19(?:86|54))?"),
        "statute",
        lambda _, s: f"26 U.S.C. § {s}",
    ),
    Template(
        ("of the Code", "Code Section", "Code §"),
        re.compile(
            rf"(?:{SIGN})(?P<s>{SECTION_LIST})\sof\sthe\sCode(?![\w\s]{{0,2}}[A-Z])"
            r"|(?:(?<!\w\s)(?<![\w.])|(?<=of\s)|(?<=under\s)|(?<=and\s)|(?<=by\s)|(?<=or\s)|(?<=with\s)|(?<=to\s)|(?<=in\s))"
            rf"Code\s(?:[Ss]ections?|§{{1,2}})\s?(?P<after>{SECTION})"
        ),
        "statute",
        _the_code,
    ),
    Template(
        ("Treasury Regulations", "Treas. Reg"),
        re.compile(rf"(?:{SIGN})(?P<s>{SECTION_LIST})\sof\sthe\sTreas(?:ury|\.)\sReg(?:ulation)?s?\.?"),
        "regulation",
        lambda _, s: f"26 C.F.R. § {s}",
    ),
    Template(
        tuple(f"of {name}" for name in _BY_INITIALS),
        re.compile(rf"(?:{SIGN})(?P<s>{SECTION_LIST})\sof\s(?:the\s)?(?P<act>{'|'.join(_BY_INITIALS)})(?!\w)"),
        "statute",
        lambda m, s: f"{m['act']} § {s}",
    ),
    Template(
        tuple(f"{name} " for name in _BY_INITIALS) + tuple(f"{name.title()} " for name in _ACTS),
        re.compile(
            rf"(?<!\w)(?P<act>{'|'.join(_BY_INITIALS)}|{'|'.join(name.title() for name in _ACTS)}),?\s"
            rf"(?:§{{1,2}}|Sections?)\s?(?P<s>{SECTION_LIST})"
        ),
        "statute",
        _act,
    ),
    Template(
        ("Bankruptcy Code",),
        re.compile(rf"(?:{SIGN})(?P<s>{SECTION_LIST})\sof\sthe\s(?:United\sStates\s|U\.S\.\s)?Bankruptcy\sCode"),
        "statute",
        lambda _, s: f"11 U.S.C. § {s}",
    ),
    Template(
        (" Act",),
        re.compile(
            rf"(?:{SIGN})(?P<s>{SECTION_LIST})\s(?:of|under)\sthe\s(?P<act>(?:[A-Z][\w\-'’&]{{0,20}}[\s,]{{1,2}}(?:(?:and|of|for|in|to|on|the)\s){{0,2}}){{1,9}}Act)(?!\s\d{{4}}|\w)(?:\sof\s(?P<year>\d{{4}}))?"
        ),
        "statute",
        _act,
    ),
    Template(
        (" Act of ",),
        re.compile(
            r"(?P<act>(?:[A-Z][\w\-'’&]{0,20}[\s,]{1,2}(?:(?:and|of|for|in|to|on)\s){0,2}){1,9}Act)\sof\s(?P<year>\d{4})"
        ),
        "statute",
        _act,
    ),
    Template(
        ("Fed. R", "Fed.R", "FRCP", "F.R.C.P", "FRBP", "FRE ", "FRAP", "Federal Rule", "Fed. Rule"),
        re.compile(
            rf"(?:Fed\.\s?R(?:ule)?s?\.?\s?(?:of\s)?(?P<body>Civ|Crim|App|Bankr|Evid)\.?(?:\s?P(?:roc)?\.?)?|"
            rf"\b(?P<short>FRCP|F\.R\.C\.P\.|FRBP|FRE|FRAP)|"
            rf"Federal\sRules?\sof\s(?P<long>Civil|Criminal|Appellate|Bankruptcy|Evidence)(?:\sProcedure)?)\s{{1,2}}(?:[Rr]ules?\s)?(?P<s>{SECTION_LIST})"
        ),
        "rule",
        lambda m, s: f"{_FRULES[(m['body'] or m['short'] or m['long']).lower().replace('.', '')]} {s}",
    ),
    Template(
        ("Federal Rules of", "Fed. R"),
        re.compile(
            rf"[Rr]ules?\s(?P<s>{SECTION_LIST})\sof\sthe\sFederal\sRules?\sof\s(?P<body>Civil|Criminal|Appellate|Bankruptcy|Evidence)(?:\sProcedure)?"
        ),
        "rule",
        _rules,
    ),
    Template(
        ("Rule ",),
        re.compile(
            rf"\bRule\s(?P<n>(?:1[0-9][a-z]\d{{0,2}}(?:-\d{{1,2}}){{0,2}}|144A?|145|405|415|424|433|462|50[1-8]|701)(?!\d|\.\d){PARTS})(?!\sof\sthe\s(?!Securities|Exchange))"
        ),
        "regulation",
        _sec_rule,
    ),
    Template(
        ("Regulation ",),
        re.compile(
            r"Item\s(?P<n>\d{3,4}[A-Z]?(?:\([a-z0-9]{1,4}\)){0,5})\s(?:of|under)\sRegulation\s(?P<r>S-K|S-X|AB)"
            r"|Regulation\s(?P<r2>S-K|S-X|AB),?\sItem\s(?P<n2>\d{3,4}[A-Z]?(?:\([a-z0-9]{1,4}\)){0,5})"
        ),
        "regulation",
        lambda m, _: f"17 C.F.R. § {_REGULATIONS[m['r'] or m['r2']]}.{m['n'] or m['n2']}",
    ),
    Template(
        ("Fed. Reg", "Fed.Reg", "Federal Register"),
        re.compile(r"(?<!\w)(?P<v>\d{1,3})\s(?:Fed\.\s?Reg\.|Federal\sRegister)\s(?P<p>\d{1,3},\d{3}|\d{1,6})"),
        "administrative",
        lambda m, _: f"{m['v']} Fed. Reg. {m['p'].replace(',', '')}",
    ),
    Template(
        ("Pub", "Public Law", "P.L."),
        re.compile(
            r"(?:Pub(?:lic|\.)\s?L(?:aw|\.)|\bP\.\s?L\.)(?:\sNo\.?)?\s(?P<c>\d{2,3})[\-\u2011\u2013](?P<n>\d{1,4})"
        ),
        "statute",
        lambda m, _: f"Pub. L. No. {m['c']}-{m['n']}",
    ),
    Template(
        (" Stat. ",),
        re.compile(r"(?<!\w)(?P<v>\d{1,3})\sStat\.\s(?P<p>\d{1,5})"),
        "statute",
        lambda m, _: f"{m['v']} Stat. {m['p']}",
    ),
    Template(
        ("Rev. Rul", "Rev. Proc", "Revenue Rul", "Revenue Proc"),
        re.compile(r"Rev(?:\.|enue)\s(?P<k>Rul|Proc)(?:\.|ing|edure)\s(?P<n>\d{2,4}[\-\u2013]\d{1,3})"),
        "administrative",
        lambda m, _: f"Rev. {m['k']}. {m['n']}",
    ),
    Template(
        ("Release No",),
        re.compile(
            r"(?:Release\sNos?\.\s|(?<=\d\sand\s)|(?<=\d,\s))(?P<n>(?:3[34]|IA|IC|AE)[\-\u2013]\d{1,6}[A-Z]?)(?!\w)"
        ),
        "administrative",
        lambda m, _: f"SEC Release No. {m['n'].upper()}",
    ),
    Template(
        ("Exec. Order", "Executive Order", "E.O. "),
        re.compile(r"(?:Exec(?:utive|\.)\sOrder|\bE\.O\.)\s(?:No\.\s?)?(?P<n>\d{1,2},\d{3}|\d{4,5})"),
        "administrative",
        lambda m, _: f"Exec. Order No. {m['n'].replace(',', '')}",
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
        ("U.S. Const", "U. S. Const", "US Const"),
        re.compile(
            r"U\.?\s?S\.?\sConst\.?,?\s(?P<k>art|amend)\.\s(?P<n>[IVXL]{1,6}|\d{1,2})(?:,\s§\s?(?P<sec>\d{1,2}))?"
        ),
        "statute",
        lambda m, _: f"U.S. Const. {m['k']}. {m['n']}" + (f", § {m['sec']}" if m["sec"] else ""),
    ),
    Template(
        ("U.C.C", "UCC", "Uniform Commercial Code"),
        re.compile(
            rf"(?:\bU\.?C\.?C\.?|Uniform\sCommercial\sCode)\s?(?:{SIGN}|[Aa]rticles?\s)(?P<s>{SECTION_LIST})"
            rf"|(?:{SIGN}|[Aa]rticles?\s)(?P<before>{SECTION})\sof\s(?:the\s)?(?:[A-Z]\w+\s)?(?:U\.?C\.?C\.?|Uniform\sCommercial\sCode)(?!\w)"
        ),
        "statute",
        _ucc,
    ),
)
