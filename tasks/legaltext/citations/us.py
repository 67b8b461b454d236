"""United States statutes, regulations, rules and administrative material."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from tasks.legaltext.citations.parts import Template
from tasks.legaltext.citations.shapes import PARTS, SECTION, SECTION_LIST, SIGN, squeeze, tight

_USC = r"U\.?\s?S\.?\s?C\.?(?:\s?A\.?|\s?S\.?(?![\w.]))?"
_ACTS: Final = {
    "securities act": "Securities Act of 1933",
    "exchange act": "Securities Exchange Act of 1934",
    "securities exchange act": "Securities Exchange Act of 1934",
    "investment company act": "Investment Company Act of 1940",
    "investment advisers act": "Investment Advisers Act of 1940",
    "advisers act": "Investment Advisers Act of 1940",
}
_BY_YEAR: Final = {
    **{"33": "Securities Act of 1933", "34": "Securities Exchange Act of 1934", "40": "Investment Company Act of 1940"},
}
_RELEASES: Final = {
    **{"Exchange Act": "34", "Securities Act": "33", "Company Act": "IC", "Advisers Act": "IA", "Advisors Act": "IA"},
}
# Rules of the Investment Company Act: those that nobody takes for rules of the Exchange Act, and those so called.
_FUND_RULES: Final = frozenset({"12b-1", "12d1-4", "17j-1", "18f-4"})
_FUNDS: Final = re.compile(r"\s(?:of|under)\sthe\s(?:Investment\sCompany|1940)\sAct")
_SEC_RULE: Final = (
    r"(?:1[0-9][a-z]\d{0,2}(?:-\d{1,3}){0,2}|144A?|145|405|415|424|433|462|50[1-8]|701)(?![\dA-Za-z]|\.\d)" + PARTS
)
_LEADING: Final = re.compile(r"^(?:(?:See|Under|The|In|By|Per|Cf|And|Where|With|If|As|Of|Compare|But)\s)+")
_NOT_LAW: Final = frozenset({"", "Act", "Said Act", "Such Act"})
_BY_INITIALS: Final = (
    *("ERISA", "HIPAA", "COBRA", "CERCLA", "RICO", "FLSA", "FMLA", "ADEA", "FCRA", "TCPA", "FCPA", "FDCA", "DMCA"),
    *(
        "RCRA",
        "FINRA Rules",
        "Title VII",
        "Regulation D",
        "NLRA",
        "INA",
        "LMRA",
        "FIRREA",
        "TILA",
        "RESPA",
        "ECOA",
        "GLBA",
        "BHCA",
    ),
)
_SPELT: Final = ("FINRA Rules", "Title VII", "Regulation D")
_INITIALS: Final = tuple(name for name in _BY_INITIALS if name not in _SPELT)
_REGULATIONS: Final = {"S-K": "229", "S-X": "210", "S-T": "232", "S-P": "248", "M": "242", "FD": "243", "AB": "229"}


def _the_code(match: re.Match[str], section: str) -> str:
    """Read "the Code" as the Internal Revenue Code unless the text has defined another."""
    number = section or tight(match["after"])
    if "Internal Revenue" not in match.string:
        if "Bankruptcy Code" in match.string:
            return f"11 U.S.C. § {number}"
        if "Commercial Code" in match.string or "Civil Code" in match.string:
            return ""
    return f"26 U.S.C. § {number}"


def _ucc(match: re.Match[str], section: str) -> str:
    number = section or tight(match["before"])
    state = f"{squeeze(match['state'])} " if match["state"] else ""
    return f"{state}U.C.C. {'§' if '-' in number else 'art.'} {number}"


@lru_cache(maxsize=1)
def _speaks_of_evidence(text: str) -> bool:
    """Tell whether a text names the rules of evidence; asked once a text, however often it cites a rule 701."""
    return re.search(r"R\.\s?Evid|Rules?\sof\sEvidence", text) is not None


def _sec_rule(match: re.Match[str], section: str) -> str:
    number = tight(section)
    head = number.split("(", maxsplit=1)[0]
    if head == "701" and _speaks_of_evidence(match.string):
        return ""
    if head in _FUND_RULES or _FUNDS.match(match.string, match.end()):
        return f"17 C.F.R. § 270.{number}"
    if re.fullmatch(r"(?:1[0-9]{2}|4\d{2}|5\d{2}|9\d{2})[A-Z]?", head):
        return f"17 C.F.R. § 230.{number}"
    return f"17 C.F.R. § 240.{number}"


def _constitution(match: re.Match[str], _: str) -> str:
    section = f", § {match['sec']}" if match["sec"] else ""
    clause = f", cl. {match['cl']}" if match["cl"] else ""
    return f"U.S. Const. {match['k']}. {match['n']}{section}{clause}"


def _release(match: re.Match[str], _: str) -> str:
    number = match["n"].upper().replace("\u2013", "-")
    if number.replace(",", "").isdigit():
        act = next((prefix for name, prefix in _RELEASES.items() if name in match[0]), "")
        number = f"{act}-{number.replace(',', '')}" if act else ""
    return f"SEC Release No. {number}" if number else ""


def _act(match: re.Match[str], section: str) -> str:
    name = _LEADING.sub("", squeeze(match["act"]))
    if name.endswith("Bankruptcy Code"):
        return f"11 U.S.C. § {section}"
    if name in _NOT_LAW:
        return ""
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
        plain=True,
    ),
    Template(
        ("U.S.C", "U.S. Code", "United States Code"),
        re.compile(
            rf"[Ss]ections?\s(?P<s>{SECTION_LIST})(?:\set\sseq\.?)?,?\sof\s(?:[Tt]itle\s)?(?P<t>\d{{1,2}})"
            rf"(?:,)?\s(?:of\sthe\s)?(?:{_USC}|U\.S\.\sCode|United\sStates\sCode)"
        ),
        "statute",
        lambda m, s: f"{m['t']} U.S.C. § {s}",
        plain=True,
    ),
    Template(
        ("United States Code", "U.S. Code"),
        re.compile(
            rf"[Tt]itle\s(?P<t>\d{{1,2}}),?\s(?:of\sthe\s)?(?:United\sStates|U\.S\.)\sCode,?\s{SIGN}(?P<s>{SECTION_LIST})"
        ),
        "statute",
        lambda m, s: f"{m['t']} U.S.C. § {s}",
        plain=True,
    ),
    Template(
        (),
        re.compile(
            r"(?<![\w.])D?FARS?\s(?:§\s?)?(?P<n>(?:2?52|[1-9]\d?)\.\d{3}(?:-\d{1,4})?(?:\([a-z0-9]{1,3}\)){0,4})"
        ),
        "regulation",
        lambda m, _: f"48 C.F.R. § {m['n']}",
        initials=("FAR", "DFARS"),
    ),
    Template(
        ("Notice 19", "Notice 20", "Announcement 19", "Announcement 20", "T.D. "),
        re.compile(
            r"(?<!\w)(?:I\.?R\.?S\.?\s)?(?P<k>Notice|Announcement|T\.D\.)\s(?P<n>(?:19|20)\d{2}-\d{1,3}|(?<=T\.D\.\s)\d{4})(?!\w)"
        ),
        "administrative",
        lambda m, _: f"{m['k']} {m['n']}",
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
        re.compile(
            rf"(?:(?P<kind>Temp\.|Prop\.|Temporary|Proposed)\s)?Treas(?:ury|\.)\sReg(?:ulations?|s?\.)\s?(?:{SIGN})?(?P<s>{SECTION_LIST})"
        ),
        "regulation",
        lambda m, s: f"Prop. Treas. Reg. § {s}" if (m["kind"] or "").startswith("Prop") else f"26 C.F.R. § {s}",
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
        _SPELT,
        re.compile(rf"(?:{SIGN})(?P<s>{SECTION_LIST})\sof\s(?:the\s)?(?P<act>{'|'.join(_BY_INITIALS)})(?!\w)"),
        "statute",
        lambda m, s: f"{m['act']} § {s}",
        initials=_INITIALS,
    ),
    Template(
        _SPELT + tuple(f"{name.title()} " for name in _ACTS),
        re.compile(
            rf"(?<!\w)(?P<act>{'|'.join(_BY_INITIALS)}|{'|'.join(name.title() for name in _ACTS)}),?\s"
            rf"(?:§{{1,2}}|Sections?)\s?(?P<s>{SECTION_LIST})"
        ),
        "statute",
        _act,
        initials=_INITIALS,
    ),
    Template(
        ("Bankruptcy Code",),
        re.compile(rf"(?:{SIGN})(?P<s>{SECTION_LIST})\sof\sthe\s(?:United\sStates\s|U\.S\.\s)?Bankruptcy\sCode"),
        "statute",
        lambda _, s: f"11 U.S.C. § {s}",
        plain=True,
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
        ("33 Act", "34 Act", "40 Act"),
        re.compile(rf"(?:{SIGN})(?P<s>{SECTION_LIST})\s(?:of|under)\sthe\s(?:['’]|19)(?P<year>33|34|40)\sAct(?!\w)"),
        "statute",
        lambda m, s: f"{_BY_YEAR[m['year']]} § {s}",
    ),
    Template(
        (
            " Act §",
            " Act Section",
            " Act, §",
            " Act section",
            "Bankruptcy Code §",
            "Bankruptcy Code Section",
            "Bankruptcy Code section",
        ),
        re.compile(
            rf"(?<![\w'’])(?P<act>(?:[A-Z][\w\-'’&]{{0,20}}[\s,]{{1,2}}(?:(?:and|of|for|in|to|on)\s){{0,2}}){{1,8}}(?:Act|(?<=Bankruptcy\s)Code)),?\s"
            rf"(?:§{{1,2}}\s?|[Ss]ections?\s)(?P<s>{SECTION_LIST})"
        ),
        "statute",
        _act,
        plain=True,
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
        ("Rule ", "Rules "),
        re.compile(
            rf"\bRules?\s(?P<s>{_SEC_RULE}(?:(?:,?\s(?:and|or|to|through)\s|,\s){_SEC_RULE}){{0,4}})"
            r"(?!\sof\sthe\s(?!Securities|Exchange|Investment|19[34]))"
        ),
        "regulation",
        _sec_rule,
        re.compile(_SEC_RULE),
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
        ("Release No", "Rel. No"),
        re.compile(
            r"(?:(?:(?:Securities\s(?:Exchange\s)?|Exchange\s|Investment\sCompany\s|(?:Investment\s)?Advis[eo]rs\s)Act\s|SEC\s|S\.E\.C\.\s)?"
            r"Rel(?:ease|\.)\sNos?\.\s|(?<=\d\sand\s)|(?<=\d,\s))(?P<n>(?:3[34]|IA|IC|AE)[\-\u2013]\d{1,6}[A-Z]?|(?<=No\.\s)\d{1,3},?\d{3})(?!\w)"
        ),
        "administrative",
        _release,
    ),
    Template(
        ("Exec. Order", "Executive Order", "E.O. "),
        re.compile(r"(?:Exec(?:utive|\.)\sOrder|\bE\.O\.)\s(?:No\.\s?)?(?P<n>\d{1,2},\d{3}|\d{4,5})"),
        "administrative",
        lambda m, _: f"Exec. Order No. {m['n'].replace(',', '')}",
    ),
    Template(
        ("U.S. Const", "U. S. Const", "US Const"),
        re.compile(
            r"U\.?\s?S\.?\sConst\.?,?\s(?P<k>art|amend)\.\s(?P<n>[IVXL]{1,6}|\d{1,2})(?:,\s§\s?(?P<sec>\d{1,2}))?(?:,\scl\.\s(?P<cl>\d{1,2}))?"
        ),
        "statute",
        _constitution,
    ),
    Template(
        ("U.C.C", "UCC", "Uniform Commercial Code"),
        re.compile(
            rf"(?:(?<![\w.])(?P<state>N\.Y\.|Cal\.|Del\.|Tex\.|Ill\.|N\.J\.|Mass\.|Pa\.)\s)?(?:\bU\.?C\.?C\.?|Uniform\sCommercial\sCode)\s?(?:{SIGN}|[Aa]rticles?\s)(?P<s>{SECTION_LIST})"
            rf"|(?:{SIGN}|[Aa]rticles?\s)(?P<before>{SECTION})\sof\s(?:the\s)?(?:[A-Z]\w+\s)?(?:U\.?C\.?C\.?|Uniform\sCommercial\sCode)(?!\w)"
        ),
        "statute",
        _ucc,
    ),
)
