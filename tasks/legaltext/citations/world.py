"""Citations outside the United States: United Kingdom and Commonwealth, European Union, Germany, Hong Kong, India."""

from __future__ import annotations

import re
from typing import Final

from tasks.legaltext.citations.parts import Template
from tasks.legaltext.citations.shapes import squeeze, tight

_COURTS: Final = (
    r"UKSC|UKHL|UKPC|UKUT|UKFTT|UKEAT|EWCA\s(?:Civ|Crim)|EWHC|EWFC|EWCOP|EWCC|EAT|CSIH|CSOH|HCJAC|SAC|NICA|NIQB|NIKB|NICh|"
    r"HCA|FCAFC|FCA|FCCA|FedCFamC\w{0,5}|NSWSC|NSWCA|NSWCCA|VSCA|VSC|QCA|QSC|WASCA|WASC|SASCFC|SASC|SASCA|TASSC|TASFC|"
    r"ACTSC|ACTCA|NTSC|NTCA|NZSC|NZCA|NZHC|HKCFA|HKCA|HKCFI|HKDC|HKCT|HKLT|SGCA(?:\(I\))?|SGHC(?:\([IAF]\))?|SGDC|SGMC|"
    r"SGPDPC|IESC|IEHC|IECA|ZASCA|ZACC|INSC|CAT|DIFC\sCA|DIFC\sCFI|JRC|JCA|CIGC|ECSC|MYFC|BMSC|CCJ"
)
_CANADA: Final = (
    r"SCC|FCA|FC|TCC|ONCA|ONSC|ONLTB|BCCA|BCSC|ABCA|ABQB|ABKB|QCCA|QCCS|MBCA|MBQB|MBKB|SKCA|SKQB|SKKB|NSCA|NSSC|NBCA|"
    r"NLCA|NLSC|PECA|YKCA|YKSC|NWTSC|NUCJ|CanLII|INSC"
)
_REPORTS: Final = (
    r"A\.?C\.?|Q\.?B\.?|K\.?B\.?|Ch|Fam|P|W\.?L\.?R\.?|Exch?|All\sER(?:\s\((?:Comm|D|EC)\))?|Lloyd['’]s\sRep|BCLC|BCC|RPC|FSR|ICR|IRLR|EHRR|CMLR|ECR|"
    r"Cr\sApp\sR|EMLR|STC|BLR|EGLR|P\s?&\s?CR|CLC|Bus\sLR|PTSR|SCR|S\.C\.R\.|OR|DLR(?:\s\(\dth\))?|CLR|ALR|ALJR|NSWLR|"
    r"VR|ACSR|FCR|NZLR|HKCFAR|HKLRD|HKC|SLR(?:\(R\))?|MLJ|SCC|SCR|ILR|IR|SA|SC|SLT|Scot\sCS"
)
_ACT_NAME: Final = (
    r"(?:[A-Z][\w\-'’&]{0,20}(?:\s\([A-Z][^()]{0,40}\)){0,2},?\s(?:(?:and|of|for|in|to|on|etc\.?)\s){0,2}){1,9}?"
    r"(?:Act|(?<=Bankruptcy\s)Code|(?<=Penal\s)Code|(?<=of\s)Limitations|(?<=(?:Civil|minal)\s)Procedure)"
)
_ACT_SEEDS: Final = (
    *(" Act 1", " Act 2", " Act, 1", " Act, 2", "Code 1", "Code 2", "Code, 1", "Limitations 1", "Procedure 1"),
    *("Procedure, 1", "Limitations, 1"),
)
# Acts that the profession knows by initials and year: "CA 2006, s 172".
_BRIEFS: Final = {
    **{"CA": "Companies Act", "IA": "Insolvency Act", "FSMA": "Financial Services and Markets Act"},
    **{"ERA": "Employment Rights Act", "UCTA": "Unfair Contract Terms Act", "SGA": "Sale of Goods Act"},
    **{"CRA": "Consumer Rights Act", "LPA": "Law of Property Act", "DPA": "Data Protection Act"},
}
_BRIEF: Final = "|".join(_BRIEFS)
_ACT_PLACE: Final = (
    r"(?:\s\((?:Cth|NSW|Vic|Qld|WA|SA|Tas|ACT|NT|UK|NZ|Singapore|India|Ireland|Malaysia|Scotland|Northern\sIreland)\))?"
)
_S_NUM: Final = r"\d{1,4}[A-Z]{0,3}(?:\(\d{1,3}[A-Z]?\)|\([a-z]{1,3}\)){0,5}(?:[\-\u2013]\([a-z\d]{1,3}\))?"
_LEADING: Final = re.compile(
    r"^(?:(?:See|Under|The|In|By|Per|Cf|And|Where|As|Section|Sections|Pursuant|Of|An|A|Any|This|Our|Both|To)\s)+"
)
_COUNTRY: Final = re.compile(
    r"^(?:Singapore|England|Britain|Australia|India|Ireland|Malaysia|Canada|New Zealand|Bermuda|Jersey|Kenya|UK)['’]s\s"
)
_LAW: Final = (
    r"(?:BGB|HGB|AktG|GmbHG|StGB|StPO|ZPO|InsO|UWG|GWB|UrhG|PatG|MarkenG|BDSG|VwGO|VwVfG|AO|EStG|KStG|UStG|GewStG|WpHG|"
    r"WpÜG|KWG|KSchG|BetrVG|ArbZG|TVG|BauGB|BImSchG|EGBGB|FamFG|GVG|GBO|GKG|RVG|UmwG|VVG|VAG|ProdHaftG|TKG|TMG|TTDSG|"
    r"SGB\s[IVX]{1,4}|OWiG|StVG|LkSG|GeschGehG|ZAG|KAGB|BörsG|MiLoG|AGG|BUrlG|EFZG|AÜG)"
)
_SUBS: Final = (
    r"(?:\s(?:(?:Abs\.?|Absatz|S\.|Satz|Nr\.?|Nummer|Hs\.|Halbsatz|lit\.|Buchst\.|Alt\.|Var\.)\s?[\dIVXa-z]{1,4}"
    r"|ff?\.|[IVX]{1,4}(?!\w)(?:\s\d{1,2}(?!\w))?)){0,5}"
)
_AZ: Final = (
    r"(?:[IVX]{1,5}[a-z]?\s[A-Z][A-Za-z]{0,3}(?:\s\([A-Za-z]{1,6}\))?\s\d{1,4}/\d{2}"
    r"|\d{1,2}\s[A-Z][A-Za-z]{0,3}\s\d{1,5}/\d{2})"
)
_ABSATZ: Final = re.compile(r"\sAbs\.\s(\d)")
_GDPR_ARTICLE: Final = r"\d{1,2}(?:\s?\((?:\d{1,2}|[a-z])\)|\sAbs\.\s\d){0,4}"
_GDPR: Final = "Regulation (EU) 2016/679"
_ARTICLE: Final = r"(?:\d{1,3}|[IVX]{1,6}(?!\w))(?:\s?\((?:\d{1,2}|[a-z])\)){0,3}"
_TREATY: Final = (
    r"(?P<treaty>TFEU|TEU|ECHR|AEUV|EUV|EC\sTreaty|EMRK|CISG|TRIPS(?:\sAgreement)?|UNCITRAL\sModel\sLaw(?:\son\sCross-Border\sInsolvency)?"
    r"|(?:New\sYork|ICSID|Montreal|Warsaw|Berne|Paris|Hague(?:\s(?:Service|Evidence))?|European\sPatent|OECD\sModel\sTax)\sConvention"
    r"|Hague\sConvention\son\sChoice\sof\sCourt\sAgreements|Vienna\sConvention\son\sthe\sLaw\sof\sTreaties|(?:EU\s)?Charter\sof\sFundamental\sRights"
    r"|Treaty\son\s(?:the\sFunctioning\sof\s(?:the\s)?)?European\sUnion)"
)
_TREATIES: Final = {"AEUV": "TFEU", "EUV": "TEU", "EMRK": "ECHR"}


def _article(match: re.Match[str]) -> str:
    article = match["a"] or match["a2"]
    return f" art {tight(article)}" if article else ""


def act_name(raw: str) -> str:
    """Drop the words of the sentence before an Act's name: "Under the Bribery Act"."""
    return _COUNTRY.sub("", _LEADING.sub("", squeeze(raw)))


def _act(match: re.Match[str], section: str) -> str:
    number = section or match.groupdict().get("n") or ""
    place = squeeze(match["place"] or "")
    name = f"{act_name(match['act'])} {match['year']}{' ' + place if place else ''}"
    return f"{name} s {tight(number)}" if number else name


def _schedule(match: re.Match[str], _: str) -> str:
    place = squeeze(match["place"] or "")
    paragraph = f" para {match['para']}" if match["para"] else ""
    return f"{act_name(match['act'])} {match['year']}{' ' + place if place else ''} Sch {match['n']}{paragraph}"


def _instrument(match: re.Match[str], _: str) -> str:
    number = match["n"] or match["after"]
    what = "art" if match["act"].endswith("Order") else "reg"
    return f"{act_name(match['act'])} {match['year']}{f' {what} {tight(number)}' if number else ''}"


def _brief(match: re.Match[str], section: str) -> str:
    name, year = match["act"] or match["act2"], match["year"] or match["year2"]
    return f"{_BRIEFS[name]} {year} s {section or tight(match['n'])}"


def _neutral(match: re.Match[str], _: str) -> str:
    division = f" ({match['div']})" if match["div"] else ""
    return f"[{match['y']}] {squeeze(match['court'])} {match['n']}{division}"


def _report(match: re.Match[str], _: str) -> str:
    volume = f"{match['v']} " if match["v"] else ""
    opening, closing = ("[", "]") if match["o"] == "[" else ("(", ")")
    series = squeeze(match["r"])
    series = series if "Lloyd" in series or " " in series else series.replace(".", "")
    return f"{opening}{match['y']}{closing} {volume}{series} {match['p']}"


def _gdpr(match: re.Match[str], section: str) -> str:
    article = _ABSATZ.sub(r"(\1)", section or match["b"])
    return f"{_GDPR} art {tight(article)}"


def _treaty(match: re.Match[str], section: str) -> str:
    name = squeeze(match["treaty"] or match["treaty2"])
    section = section or tight(match["after"])
    if name.startswith("Treaty"):
        name = "TFEU" if "Functioning" in name else "TEU"
    return f"{_TREATIES.get(name, name)} art {section}"


def _regulation(match: re.Match[str], _: str) -> str:
    number = f"{'No ' if match['no'] else ''}{match['n']}"
    return f"Regulation ({match['eu']}) {number}{_article(match)}"


_ART_AFTER: Final = r"(?:,?\s[Aa]rt(?:icle|\.)?\s(?P<a2>\d{1,3}[a-z]?(?:\s?\((?:\d{1,2}|[a-z]{1,3})\)){0,4}))?"
_ART: Final = (
    r"(?:[Aa]rt(?:icle|\.)?\s(?P<a>\d{1,3}[a-z]?(?:\s?\((?:\d{1,2}|[a-z]{1,3})\)){0,4})(?:\sof\s(?:the\s)?|\s)"
    r"(?:Council\s|Commission\s)?(?:Implementing\s|Delegated\s)?)?"
)

TEMPLATES: Final[tuple[Template, ...]] = (
    Template(
        ("[1", "[2"),
        re.compile(
            rf"\[(?P<y>(?:19|20)\d{{2}})\]\s(?P<court>{_COURTS})\s(?P<n>\d{{1,5}})"
            r"(?:\s\((?P<div>Comm|Ch|QB|KB|Admin|TCC|Pat|IPEC|Fam|Costs|Admlty|SCCO|AAC|TC|LC|GRC|IAC|Mercantile|Companies)\))?"
        ),
        "neutral",
        _neutral,
    ),
    Template(
        ("[1", "[2", "(1", "(2"),
        re.compile(
            rf"(?P<o>[\[(])(?P<y>1[89]\d{{2}}|20\d{{2}})[\])]\s(?:(?P<v>\d{{1,3}})\s)?(?P<r>{_REPORTS})\s(?P<p>(?:I{{1,2}}[\-\u2011\u2013])?\d{{1,5}})(?![\w/])"
        ),
        "case",
        _report,
    ),
    Template(
        ("CanLII",),
        re.compile(rf"(?<![\w\[(/.,])(?P<y>(?:19|20)\d{{2}})\s(?P<court>{_CANADA})\s(?P<n>\d{{1,6}})(?!\w)"),
        "neutral",
        lambda m, _: f"{m['y']} {m['court']} {m['n']}",
        initials=tuple(_CANADA.split("|")),
    ),
    Template(
        (),
        re.compile(r"(?<![\w\])])(?<![\])]\s)(?P<v>\d{2,3})\sER\s(?P<p>\d{1,5})(?!\w)"),
        "case",
        lambda m, _: f"{m['v']} ER {m['p']}",
        initials=("ER",),
    ),
    Template(
        ("Case ",),
        re.compile(r"\bCase\s(?P<n>\d{1,3}/[5-8]\d)(?![\w/])"),
        "case",
        lambda m, _: m["n"],
    ),
    Template(
        (),
        re.compile(r"\bAIR\s(?P<y>(?:19|20)\d{2})\s(?P<c>[A-Z][A-Za-z&]{1,9})\s(?P<p>\d{1,5})"),
        "case",
        lambda m, _: f"AIR {m['y']} {m['c']} {m['p']}",
        initials=("AIR",),
    ),
    Template(
        _ACT_SEEDS,
        re.compile(
            rf"(?:[Ss]ections?|[Ss]s?\.?|[Ss]ec\.)\s?(?P<s>{_S_NUM}(?:(?:,?\s(?:and|or|to)\s|,\s|\s?[\-\u2013]\s?){_S_NUM}){{0,5}})(?:\s(?:of|under|in)\sthe|,)?\s(?P<act>{_ACT_NAME}),?\s"
            rf"(?P<year>1[6-9]\d{{2}}|20\d{{2}})(?P<place>{_ACT_PLACE})"
        ),
        "statute",
        _act,
    ),
    Template(
        _ACT_SEEDS,
        re.compile(
            rf"(?<!\w)(?P<act>{_ACT_NAME}),?\s(?P<year>1[6-9]\d{{2}}|20\d{{2}})(?P<place>{_ACT_PLACE})"
            rf"(?:,?\s\(?(?:[Ss]ections?|ss?\.?|[Ss]ec\.)\s?(?P<s>{_S_NUM}(?:(?:,?\s(?:and|or|to)\s|,\s|\s?[\-\u2013]\s?)(?!(?:19|20)\d\d){_S_NUM}(?!\w)){{0,5}}))?"
        ),
        "statute",
        _act,
        plain=True,
    ),
    Template(
        (),
        re.compile(
            r"\b(?P<k>S\.?S?\.?I\.?)\s(?:No\.?\s)?(?P<y>(?:19|20)\d{2})(?:/|\s?,?\sNo\.?\s)(?P<n>\d{1,4})(?!\w)"
        ),
        "regulation",
        lambda m, _: f"{m['k'].replace('.', '')} {m['y']}/{m['n']}",
        initials=("SI", "SSI"),
    ),
    Template(
        _ACT_SEEDS,
        re.compile(
            rf"[Pp]art\s(?P<part>[IVX]{{1,5}}|\d{{1,2}}[A-Z]?)\s(?:of|in)\sthe\s(?P<act>{_ACT_NAME}),?\s(?P<year>1[6-9]\d{{2}}|20\d{{2}})(?P<place>{_ACT_PLACE})"
        ),
        "statute",
        lambda m, _: f"{act_name(m['act'])} {m['year']} Part {m['part']}",
    ),
    Template(
        (),
        re.compile(
            rf"(?:(?:[Ss]ections?|[Ss]s?\.?)\s?(?P<s>{_S_NUM}(?:(?:,?\s(?:and|or|to)\s|,\s|\s?[\-\u2013]\s?){_S_NUM}){{0,5}})\s(?:of\s(?:the\s)?)?(?P<act>{_BRIEF})\s(?P<year>(?:19|20)\d{{2}})"
            rf"|\b(?P<act2>{_BRIEF})\s(?P<year2>(?:19|20)\d{{2}}),?\s(?:[Ss]ections?|[Ss]s?\.?)\s?(?P<n>{_S_NUM}))"
        ),
        "statute",
        _brief,
        plain=True,
        initials=tuple(_BRIEFS),
    ),
    Template(
        (),
        re.compile(r"(?<!\w)(?P<y>(?:19|20)\d{2})\sSCC\sOnLine\s(?P<c>[A-Z][A-Za-z]{1,5})\s(?P<n>\d{1,6})(?!\w)"),
        "case",
        lambda m, _: f"{m['y']} SCC OnLine {m['c']} {m['n']}",
        initials=("SCC",),
    ),
    Template(
        _ACT_SEEDS,
        re.compile(
            rf"(?:para(?:graph|\.)?\s(?P<para>\d{{1,3}}[A-Z]?(?:\(\d{{1,2}}\))?)\s(?:of|to)\s)?(?:[Ss]chedule|[Ss]ch\.?)\s(?P<n>[A-Z]?\d{{1,2}}[A-Z]?)\s(?:to|of)\sthe\s"
            rf"(?P<act>{_ACT_NAME}),?\s(?P<year>1[6-9]\d{{2}}|20\d{{2}})(?P<place>{_ACT_PLACE})"
        ),
        "statute",
        _schedule,
    ),
    Template(
        (" Regulations 1", " Regulations 2", ") Order 1", ") Order 2"),
        re.compile(
            rf"(?:(?:[Rr]egulations?|[Rr]egs?\.?|[Aa]rt(?:icle|\.)?)\s(?P<n>{_S_NUM})\sof\sthe\s)?(?P<act>(?:[A-Z][\w\-'’&]{{0,20}}(?:\s\([A-Z][^()]{{0,60}}\))?,?\s(?:(?:and|of|for|in|to|on)\s){{0,2}}){{1,9}}?(?:Regulations|(?<=\)\s)Order))\s"
            rf"(?P<year>19\d{{2}}|20\d{{2}})(?P<place>{_ACT_PLACE})(?:,?\s(?:reg(?:ulation|s)?\.?|art\.?)\s(?P<after>{_S_NUM}))?"
        ),
        "regulation",
        _instrument,
    ),
    Template(
        ("(15", "(16", "(17", "(18"),
        re.compile(
            r"\((?P<y>1[5-8]\d{2})\)\s(?P<v>\d{1,2}\s|LR\s\d{1,2}\s)(?P<r>[A-Z][A-Za-z.'’]{0,10}(?:\s(?:&\s)?[A-Z][A-Za-z.'’]{0,8}){0,3})\s(?P<p>\d{1,4})(?!\w)"
        ),
        "case",
        lambda m, _: f"({m['y']}) {m['v']}{squeeze(m['r'])} {m['p']}",
    ),
    Template(
        ("Regulation (",),
        re.compile(
            rf"{_ART}Regulation\s\((?P<eu>EU|EC|EEC|EU,\sEuratom)\)\s(?P<no>No\.?\s)?(?P<n>\d{{1,4}}/\d{{1,4}}){_ART_AFTER}"
        ),
        "regulation",
        _regulation,
    ),
    Template(
        ("Directive ",),
        re.compile(
            rf"{_ART}Directive\s(?P<pre>\((?:EU|EC)\)\s)?(?P<n>(?:19|20)?\d{{2}}/\d{{1,4}})(?P<suf>/(?:EU|EC|EEC))?{_ART_AFTER}"
        ),
        "regulation",
        lambda m, _: f"Directive {m['pre'] or ''}{m['n']}{m['suf'] or ''}{_article(m)}",
    ),
    Template(
        ("General Data Protection Regulation",),
        re.compile(
            rf"(?:[Aa]rt(?:icle|ikel|\.)?s?\s(?P<s>{_GDPR_ARTICLE}(?:(?:,?\s(?:and|or|to|und|bis)\s|,\s|\s?[\-\u2013]\s?)(?:[Aa]rt(?:icle|\.)?s?\s)?{_GDPR_ARTICLE}){{0,5}}))"
            r"(?:,?\s(?:of\s)?(?:the\s)?(?:EU\s|UK\s)?)(?:GDPR|DSGVO|DS-GVO|General\sData\sProtection\sRegulation)"
            r"|(?:GDPR|DSGVO|DS-GVO),?\s[Aa]rt(?:icle|ikel|\.)?s?\s(?P<b>\d{1,2}(?:\s?\((?:\d{1,2}|[a-z])\)){0,4})"
        ),
        "regulation",
        _gdpr,
        re.compile(_GDPR_ARTICLE),
        initials=("GDPR", "DSGVO", "DS", "UKGDPR"),
    ),
    Template(
        ("EC Treaty", "Treaty on ", "Convention", "TRIPS", "Model Law", "Fundamental Rights"),
        re.compile(
            rf"[Aa]rt(?:icle|ikel|\.)?s?\s(?P<s>{_ARTICLE}(?:(?:,\s|\sand\s|\sor\s|\sund\s){_ARTICLE}){{0,4}}),?\s(?:of\s)?(?:the\s)?{_TREATY}"
            rf"|{_TREATY.replace('treaty', 'treaty2')},?\s[Aa]rt(?:icle|\.)?\s(?P<after>{_ARTICLE})(?!\w)"
        ),
        "statute",
        _treaty,
        initials=("TFEU", "TEU", "ECHR", "AEUV", "EUV", "EMRK", "CISG", "TRIPS"),
    ),
    Template(
        ("ECLI:", "EU:C:", "EU:T:"),
        re.compile(r"(?<![\w:])(?:ECLI:[A-Z]{2}|EU):[A-Z0-9]{1,8}:\d{4}:[A-Z0-9.]{1,25}[A-Z0-9]"),
        "neutral",
        lambda m, _: m[0] if m[0].startswith("ECLI") else f"ECLI:{m[0]}",
    ),
    Template(
        ("C-", "T-", "C\u2011", "T\u2011", "F-"),
        re.compile(
            r"(?<![\w\-/])(?P<c>[CTF])[\-\u2010\u2011](?P<n>\d{1,4}/\d{2})(?P<p>\sP(?:PU|\([RI]\))?(?!\w))?(?![\w/])"
        ),
        "case",
        lambda m, _: f"{m['c']}-{m['n']}{m['p'] or ''}",
    ),
    Template(
        (),
        re.compile(
            r"\bOJ\s(?P<series>L|C)\s?(?P<n>\d{1,4})(?:,\s(?P<d>\d{1,2}\.\d{1,2}\.\d{4}))?,?\sp\.?\s?(?P<p>\d{1,4})"
        ),
        "administrative",
        lambda m, _: f"OJ {m['series']} {m['n']}{', ' + m['d'] if m['d'] else ''}, p. {m['p']}",
        initials=("OJ",),
    ),
    Template(
        ("(Cap", "Cap.", " Cap "),
        re.compile(
            rf"(?:(?:[Ss]ections?|s\.?)\s(?P<n>{_S_NUM})\sof\s(?:the\s)?)?(?:(?:[A-Z][\w'’\-]{{0,20}}\s(?:(?:and|of)\s)?){{1,8}}Ordinance\s)?"
            r"\(?Cap(?:\.|\b)\s?(?P<c>\d{1,4}[A-Z]{0,2})(?:,\s\d{4}\sRev(?:ised)?\sEd(?:ition)?)?\)?"
        ),
        "statute",
        lambda m, _: f"Cap. {m['c']}" + (f" s {m['n']}" if m["n"] else ""),
    ),
    Template(
        (),
        re.compile(
            r"\b(?P<k>R\.?S\.?C\.?|S\.?C\.?|R\.?S\.?O\.?|R\.?S\.?B\.?C\.?)\s(?P<y>(?:18|19|20)\d{2}),?\sc(?:\.|h\.)?\s?(?P<c>[A-Z]?[\-.]?\d{1,3}(?:\.\d{1,2})?)"
            r"(?:,\ss\.?\s(?P<n>\d{1,4}(?:\(\d{1,2}\)){0,2}))?"
        ),
        "statute",
        lambda m, _: f"{m['k'].replace('.', '')} {m['y']}, c {m['c']}" + (f", s {m['n']}" if m["n"] else ""),
        initials=("RSC", "SC", "RSO", "RSBC"),
    ),
    Template(
        ("§",),
        re.compile(rf"§{{1,2}}\s?(?P<n>\d{{1,4}}[a-z]?{_SUBS})\s(?P<law>{_LAW})(?!\w)"),
        "statute",
        lambda m, _: f"§ {squeeze(m['n'])} {m['law']}",
    ),
    Template(
        ("§",),
        re.compile(rf"(?<![\w§])(?P<law>{_LAW})\s§{{1,2}}\s?(?P<n>\d{{1,4}}[a-z]?{_SUBS})(?!\w|\s(?:{_LAW})(?!\w))"),
        "statute",
        lambda m, _: f"§ {squeeze(m['n'])} {m['law']}",
    ),
    Template(
        ("§§",),
        re.compile(
            rf"§§\s?(?P<s>\d{{1,4}}[a-z]?{_SUBS}(?:(?:(?:,|\sund|\sbis|\si\.\s?V\.\s?m\.)\s|\s?[\-\u2013]\s?)\d{{1,4}}[a-z]?{_SUBS}){{1,6}})\s(?P<law>{_LAW})(?!\w)"
        ),
        "statute",
        lambda m, s: f"§ {s} {m['law']}",
        re.compile(rf"\d{{1,4}}[a-z]?{_SUBS}"),
    ),
    Template(
        ("Grundgesetz",),
        re.compile(
            r"Art(?:ikel|\.)\s(?P<n>\d{1,3}[a-z]?(?:\s(?:Abs\.|Absatz|S\.|Satz|Nr\.)\s?\d{1,2}){0,3})\s(?:GG|Grundgesetz)(?!\w)"
        ),
        "statute",
        lambda m, _: f"Art. {squeeze(m['n'])} GG",
        initials=("GG",),
    ),
    Template(
        ("BVerf", "BVerwG", "BPatG"),
        re.compile(
            rf"\b(?P<c>BGH|BVerfG|BAG|BFH|BVerwG|BSG|BPatG|(?:OLG|LG|KG|LAG)\s[A-ZÄÖÜ][\wäöüß]{{2,20}})[,\s]{{1,2}}"
            rf"(?:(?:(?:Urteil|Urt\.|Beschluss|Beschl\.)\s?(?:vom|v\.)\s[^;()\n]{{6,24}}?|\d{{1,2}}\.\s?\d{{1,2}}\.\s?\d{{4}})\s?[\-\u2013\u2014,:]\s?)?(?:Az\.?:?\s)?(?P<az>{_AZ})"
        ),
        "case",
        lambda m, _: f"{squeeze(m['c'])} {squeeze(m['az'])}",
        initials=("BGH", "BAG", "BFH", "BSG", "OLG", "LG", "KG", "LAG"),
    ),
    Template(
        ("BVerfGE", "BVerwGE"),
        re.compile(
            r"\b(?P<r>BGHZ|BGHSt|BVerfGE|BVerwGE|BAGE|NJW-RR|NJW|GRUR|ZIP|NZG)\s(?P<v>\d{1,4}),\s(?P<p>\d{1,5})"
        ),
        "case",
        lambda m, _: f"{m['r']} {m['v']}, {m['p']}",
        initials=("BGHZ", "BGHS", "BAGE", "NJW", "GRUR", "ZIP", "NZG", "BGHST"),
    ),
)
