"""Statutes of the American states, in Bluebook form, by full name, and by their own initials."""

from __future__ import annotations

import re
from typing import Final

from tasks.legaltext.citations.parts import Template
from tasks.legaltext.citations.shapes import SECTION, SECTION_LIST, SIGN, squeeze, tight

STATES: Final = (
    r"(?:Ala|Alaska|Ariz|Ark|Cal|Colo|Conn|D\.C|Del|Fla|Ga|Haw|Idaho|Ill|Ind|Iowa|Kan|Ky|La|Me|Md|Mass|Mich|Minn|Miss|"
    r"Mo|Mont|N\.C|N\.D|N\.H|N\.J|N\.M|N\.Y|Neb|Nev|Ohio|Okla|Or|Pa|P\.R|R\.I|S\.C|S\.D|Tenn|Tex|Utah|Vt|Va|W\.\s?Va|"
    r"Wash|Wis|Wyo)\.?"
)
FULL: Final = {
    "California": "Cal.", "Delaware": "Del.", "New York": "N.Y.", "Texas": "Tex.", "Florida": "Fla.", "Nevada": "Nev.",
    "Illinois": "Ill.", "Massachusetts": "Mass.", "New Jersey": "N.J.", "Pennsylvania": "Pa.", "Ohio": "Ohio",
    "Virginia": "Va.", "Washington": "Wash.", "Georgia": "Ga.", "Colorado": "Colo.", "Minnesota": "Minn.",
    "Michigan": "Mich.", "North Carolina": "N.C.", "Arizona": "Ariz.", "Maryland": "Md.", "Utah": "Utah",
    "Oregon": "Or.", "Indiana": "Ind.", "Wisconsin": "Wis.", "Tennessee": "Tenn.", "Connecticut": "Conn.",
}  # fmt: skip
_BODIES: Final = {
    "civil code": "Civ. Code", "labor code": "Lab. Code", "corporations code": "Corp. Code", "penal code": "Penal Code",
    "code of civil procedure": "Civ. Proc. Code", "evidence code": "Evid. Code", "family code": "Fam. Code",
    "commercial code": "Com. Code", "business and professions code": "Bus. & Prof. Code",
    "business & professions code": "Bus. & Prof. Code", "government code": "Gov't Code",
    "health and safety code": "Health & Safety Code", "insurance code": "Ins. Code", "probate code": "Prob. Code",
    "vehicle code": "Veh. Code", "business and commerce code": "Bus. & Com. Code",
    "business & commerce code": "Bus. & Com. Code", "business organizations code": "Bus. Orgs. Code",
    "property code": "Prop. Code", "general business law": "Gen. Bus. Law",
    "general obligations law": "Gen. Oblig. Law", "business corporation law": "Bus. Corp. Law", "labor law": "Lab. Law",
    "real property law": "Real Prop. Law", "penal law": "Penal Law", "revised statutes": "Rev. Stat.",
    "revised code": "Rev. Code", "general laws": "Gen. Laws", "general statutes": "Gen. Stat.", "statutes": "Stat.",
    "administrative code": "Admin. Code",
}  # fmt: skip
_BODY_WORDS: Final = "|".join(re.escape(name).replace(r"\ ", r"\s") for name in sorted(_BODIES, key=len, reverse=True))
_FULL_WORDS: Final = "|".join(name.replace(" ", r"\s") for name in sorted(FULL, key=len, reverse=True))
_CODE: Final = rf"(?P<state>{_FULL_WORDS})(?:\sState)?\s(?P<body>(?i:{_BODY_WORDS}))(?:\sAnnotated)?"
# Codes known by initials of their own, and how they are written out.
_OWN: Final = {
    **{"RCW": "RCW {}", "NRS": "NRS {}", "ORS": "ORS {}", "MCL": "MCL {}", "MCLA": "MCL {}", "N.J.S.A.": "N.J.S.A. {}"},
    **{"NJSA": "N.J.S.A. {}", "N.J.S.": "N.J.S. {}", "O.C.G.A.": "O.C.G.A. § {}", "OCGA": "O.C.G.A. § {}"},
    **{"A.R.S.": "A.R.S. § {}", "C.R.S.": "C.R.S. § {}", "K.S.A.": "K.S.A. {}", "CPLR": "N.Y. C.P.L.R. {}"},
    **{
        "C.P.L.R.": "N.Y. C.P.L.R. {}",
        "C.G.S.": "C.G.S. § {}",
        "DGCL": "Del. Code tit. 8, § {}",
        "K.R.S.": "K.R.S. § {}",
    },
    **{"KRS": "K.R.S. § {}", "M.C.A.": "M.C.A. § {}", "RSMo": "Mo. Rev. Stat. § {}", "RSA": "N.H. Rev. Stat. § {}"},
    **{
        "T.C.A.": "Tenn. Code § {}",
        "La. R.S.": "La. Rev. Stat. § {}",
        "R.S.Mo.": "Mo. Rev. Stat. § {}",
    },
    **{"CUTSA": "CUTSA § {}", "BCL": "N.Y. Bus. Corp. Law § {}", "G.S.": "N.C. Gen. Stat. § {}"},
}
_OWN_WORDS: Final = "|".join(re.escape(name) for name in sorted(_OWN, key=len, reverse=True))
_LAW_WORD: Final = re.compile(r"\b(?:Code|Stats?|Laws?|Cons|R\.S|C\.\s?S|Codified|Ordinance)\b")
# Words of a code's name: "Bus. & Com. Code Ann.", "Code Crim. Proc.", "Corps. & Ass'ns".
_WORDS: Final = r"(?:(?!Acts?[,\s])[A-Z][\w'’]{0,14}(?:\.,?\s?|,?\s)(?:(?:&|and|of)\s)?){1,8}"


def _bluebook(match: re.Match[str], section: str) -> str:
    body = match["body"]
    if not _LAW_WORD.search(body):
        return ""
    head = re.sub(r",?\sAnn(?:otated)?\b\.?", "", squeeze(f"{match['state']} {body}"))
    head = re.sub(r"(?<=[a-z])\.?,(?=\s)", lambda m: m[0], head)
    stop = "." if head.endswith(("Stat", "Laws.", "Gen", "Comp", "Cons", "C.S", "Ass'n")) else ""
    title = f" tit. {match['title']}," if match["title"] else ""
    title += f" ch. {match['ch']}," if match["ch"] else ""
    return f"{head}{stop}{title} {'art.' if match['art'] else '§'} {section}"


def _named(match: re.Match[str], section: str) -> str:
    body = _BODIES[squeeze(match["body"]).lower()]
    return f"{FULL[squeeze(match['state'])]} {body} § {section}"


TEMPLATES: Final[tuple[Template, ...]] = (
    Template(
        ("Code", "Stat", "Law", "Cons. ", "R.S. "),
        re.compile(
            rf"(?<![\w.])(?P<state>{STATES})\s?(?P<body>{_WORDS})(?:[Tt]it(?:le|\.)\s(?P<title>\d{{1,3}}[A-Z]?(?:-[A-Z])?),?\s|"
            rf"ch(?:apter|\.)\s(?P<ch>\d{{1,4}}[A-Z]{{0,2}}),?\s)?(?:{SIGN}|(?P<art>arts?\.\s|[Aa]rticles?\s))(?P<s>{SECTION_LIST})"
        ),
        "statute",
        _bluebook,
    ),
    Template(
        ("Code", "Law", "Statutes"),
        re.compile(rf"{_CODE},?\s(?:{SIGN})(?P<s>{SECTION_LIST})"),
        "statute",
        _named,
    ),
    Template(
        ("Code", "Law", "Statutes"),
        re.compile(rf"(?:{SIGN})(?P<s>{SECTION_LIST})\sof\sthe\s{_CODE}"),
        "statute",
        _named,
    ),
    Template(
        ("General Corporation Law",),
        re.compile(
            rf"(?:{SIGN})(?P<s>{SECTION_LIST})\sof\sthe\s(?:DGCL|(?:Delaware\s)?General\sCorporation\sLaw(?!\w)"
            r"(?:\sof\sthe\sState\sof\sDelaware)?)"
        ),
        "statute",
        lambda _, s: f"Del. Code tit. 8, § {s}",
        initials=("DGCL",),
    ),
    Template(
        ("Delaware Code",),
        re.compile(
            rf"(?:[Tt]itle\s(?P<t>\d{{1,2}}),?\s(?:{SIGN})(?P<s>{SECTION_LIST})\sof\sthe\sDelaware\sCode"
            rf"|(?:{SIGN})(?P<n>{SECTION})\sof\s[Tt]itle\s(?P<t2>\d{{1,2}})\sof\sthe\sDelaware\sCode)"
        ),
        "statute",
        lambda m, s: f"Del. Code tit. {m['t'] or m['t2']}, § {s or tight(m['n'])}",
    ),
    Template(
        ("Del. C", "Del.C"),
        re.compile(
            rf"(?:(?<!\w)(?P<t>\d{{1,2}})\sDel\.\s?C\.|Del\.\s?Code(?:\sAnn\.)?,?\stit\.\s(?P<t2>\d{{1,2}}),?)\s(?:{SIGN})"
            rf"(?P<s>{SECTION_LIST})"
        ),
        "statute",
        lambda m, s: f"Del. Code tit. {m['t'] or m['t2']}, § {s}",
    ),
    Template(
        ("Ill. Comp. Stat. ",),
        re.compile(
            r"(?<!\w)(?P<c>\d{1,3})\s(?:ILCS|Ill\.\sComp\.\sStat\.(?:\sAnn\.)?)\s(?P<n>\d{1,4}/\d{1,6}[A-Za-z]{0,5}(?:[\-.]\d{1,5}[A-Za-z]{0,4}){0,4})(?![\w/])(?P<sub>(?:\([a-z0-9\-]{1,5}\)){0,4})"
        ),
        "statute",
        lambda m, _: f"{m['c']} ILCS {m['n']}{m['sub']}",
        initials=("ILCS",),
    ),
    Template(
        ("Adm. Code", "Admin. Code", "Adm.Code"),
        re.compile(
            rf"(?<!\w)(?P<c>\d{{1,3}})\s(?P<st>{STATES})\sAdm(?:in)?\.\s?Code\s(?:tit\.\s\d{{1,3}},?\s)?(?:{SIGN}|[Pp]art\s)?"
            r"(?P<n>\d{1,5}[A-Z]?(?:[.\-:]\d{1,5}[A-Za-z]?){0,3})(?P<sub>(?:\([A-Za-z0-9]{1,5}\)){0,4})"
        ),
        "regulation",
        lambda m, _: f"{m['c']} {m['st']} Adm. Code {m['n']}{m['sub']}",
    ),
    Template(
        ("Const. ", "Const "),
        re.compile(
            rf"(?<!\w)(?P<st>{STATES}|IL|CA|NY|TX)\sConst\.?,?\s(?:of\s\d{{4}},?\s)?(?P<k>art|amend)\.\s(?P<n>[IVXL]{{1,6}}|\d{{1,2}})"
            r"(?:,\s§\s?(?P<sec>\d{1,3}(?:\.\d{1,3})?))?"
        ),
        "statute",
        lambda m, _: f"{m['st']} Const. {m['k']}. {m['n']}" + (f", § {m['sec']}" if m["sec"] else ""),
    ),
    Template(
        ("Mass. Gen", "M.G.L", "G.L."),
        re.compile(
            r"(?:Mass\.\sGen\.\sLaws(?:\sAnn\.)?|M\.?G\.?L\.?|\bG\.L\.),?\s(?:ch?\.|[Cc]hapter)\s(?P<c>\d{1,3}[A-Z]?)"
            r"(?:,?\s(?:§{1,2}|[Ss]ections?|s\.)\s?(?P<n>\d{1,3}[A-Z]?(?:\([a-z0-9]{1,3}\)){0,4}))?"
        ),
        "statute",
        lambda m, _: f"Mass. Gen. Laws ch. {m['c']}" + (f", § {m['n']}" if m["n"] else ""),
    ),
    Template(
        ("RSMo", "R.S.Mo."),
        re.compile(
            rf"(?<![\w.])(?:N\.?\s?[YHJ]\.?\s|NC\s|N\.C\.\s)?(?P<own>{_OWN_WORDS})\s(?:{SIGN}|[Rr]ules?\s)?"
            r"(?P<s>\d[\w.:]{0,14}(?:-\w[\w.:]{0,9}){0,4}(?<![.:])(?:\([A-Za-z0-9]{1,4}\)){0,5})"
        ),
        "statute",
        lambda m, s: _OWN[m["own"]].format(s),
        re.compile(r"\S+"),
        initials=(*(name.replace(".", "") for name in _OWN if name.isupper()), "RS"),
    ),
    Template(
        (),
        re.compile(
            r"(?<![\w.])(?:Ohio\s)?R\.C\.\s(?:§{1,2}\s?)?(?P<n>\d{3,4}\.\d{2,3}(?:\([A-Za-z0-9]{1,3}\)){0,4})(?![\w])"
        ),
        "statute",
        lambda m, _: f"Ohio Rev. Code § {m['n']}",
        initials=("RC",),
    ),
    Template(
        ("Comp. Codes R",),
        re.compile(
            r"(?:N\.Y\.\sComp\.\sCodes\sR\.\s&\sRegs\.,?\stit\.\s(?P<t>\d{1,2}),?|(?<!\w)(?P<t2>\d{1,2})\s(?:N\.?Y\.?C\.?R\.?R\.?))"
            rf"\s(?:{SIGN}|[Pp]arts?\s)?(?P<s>{SECTION_LIST})"
        ),
        "regulation",
        lambda m, s: f"N.Y. Comp. Codes R. & Regs. tit. {m['t'] or m['t2']}, § {s}",
        initials=("NYCRR",),
    ),
    Template(
        (),
        re.compile(r"(?<!\w)(?P<t>\d{3})\s(?:CMR|C\.M\.R\.)\s(?P<n>\d{1,3}\.\d{1,3}(?:\([A-Za-z0-9]{1,3}\)){0,4})"),
        "regulation",
        lambda m, _: f"{m['t']} Mass. Code Regs. {m['n']}",
        initials=("CMR",),
    ),
    Template(
        ("Pa. C", "Pa.C"),
        re.compile(
            rf"(?<!\w)(?P<t>\d{{1,2}})\sPa\.\s?(?:C\.\s?S\.(?:\s?A\.)?|CSA?|Cons\.\sStat\.(?:\sAnn\.)?)\s(?:{SIGN})(?P<s>{SECTION_LIST})"
        ),
        "statute",
        lambda m, s: f"{m['t']} Pa. Cons. Stat. § {s}",
    ),
)
