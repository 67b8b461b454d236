"""Restatements, and papers of government beside the codes: rulings, bulletins, committee reports."""

from __future__ import annotations

import re
from typing import Final

from tasks.legaltext.citations.parts import Template
from tasks.legaltext.citations.shapes import SECTION_LIST, SIGN, squeeze

_SUBJECTS: Final = (
    r"(?i:Contracts|Torts|Agency|Trusts|Property|Restitution|Judgments|Conflict\sof\sLaws|(?:the\s)?Law\sGoverning\sLawyers|"
    r"(?:the\s)?Foreign\sRelations\sLaw(?:\sof\sthe\sUnited\sStates)?|Unfair\sCompetition|Suretyship(?:\s(?:and|&)\sGuaranty)?|Employment\sLaw|"
    r"Security|Charitable\sNonprofit\sOrganizations|Donative\sTransfers|Servitudes|Landlord\s(?:and|&)\sTenant)"
)
_VOLUME: Final = (
    r"(?i:\bRestatement)\s(?:\(?(?P<ed>(?i:First|Second|Third|Fourth|2d|3d))\)?\s)?(?i:of)\s"
    rf"(?P<subject>{_SUBJECTS}(?:(?:\s(?:&|and)\s|:\s)(?:[A-Z][\w.'’]{{1,16}}(?:,?\s(?:(?:&|and|for|of)\s)?)?){{1,7}})?)"
)
_POSTAL: Final = 4  # digits of a citation of a small state; five are a postal code
_SMALL: Final = {"of": "of", "the": "the", "and": "and", "for": "for"}
_EDITIONS: Final = {"2d": "Second", "3d": "Third"}


def _restatement(match: re.Match[str], section: str) -> str:
    said = squeeze(match["subject"])
    if said.isupper():
        said = " ".join(_SMALL.get(word, word.capitalize()) for word in said.lower().split())
    edition = (match["ed"] or "").lower()
    edition = _EDITIONS.get(edition, edition.capitalize())
    return f"Restatement {f'({edition}) ' if edition else ''}of {said} § {section}"


def _report(match: re.Match[str], _: str) -> str:
    house = "H.R." if match["h"].startswith("H") else "S."
    return f"{house} {'Conf. ' if match['c'] else ''}Rep. No. {match['n']}"


def _memorandum(match: re.Match[str], _: str) -> str:
    kind = "Tech. Adv. Mem." if match["t"] else "Gen. Couns. Mem." if match["g"] else "Chief Couns. Adv."
    return f"I.R.S. {kind} {match['n'].replace(',', '')}"


def _state_neutral(match: re.Match[str], _: str) -> str:
    if match["dash"]:
        return f"{match['y']}{match['dash']}{match['n']}"
    postal = len(match["court"]) <= len("COA") and match["court"] != "IL" and len(match["m"]) > _POSTAL
    return "" if postal else f"{match['y']} {match['court']} {match['m']}"


TEMPLATES: Final[tuple[Template, ...]] = (
    Template(  # "2019-Ohio-4567", "2020 IL 124999", "2018 UT 12", "2021 NY Slip Op 01234(U)"
        ("-Ohio-", "Slip Op"),
        re.compile(
            r"(?<![\w.$/\-])(?P<y>(?:19|20)\d{2})(?:(?P<dash>-(?:Ohio|NMSC|NMCA|NCSC|NCCOA)-)(?P<n>\d{1,5})"
            r"|\s(?P<court>IL(?:\sApp\s\(\d(?:st|d|nd|rd|th)\))?(?=\s\d{6})|NY\sSlip\sOp|(?:UT|WI|ND|SD|MT|OK|VT|WY)(?:\sApp|\sCR|\sCIV\sAPP)?"
            r"|PA\sSuper)\s(?P<m>\d{1,6})(?:\(U\))?)(?![\w%]|\.\d|,\d{3})"
        ),
        "case",
        _state_neutral,
        initials=("NMSC", "NMCA", "NCSC", "NCCOA", "IL", "UT", "WI", "ND", "SD", "MT", "OK", "VT", "WY", "PA"),
    ),
    Template(  # unreported: docket number, court and date
        ("slip op", " Cir. ", "Bankr. ", "Del. Ch", ".D.", " D. "),
        re.compile(
            r"(?:\bC\.A\.\s|\bCiv\.\s(?:A\.\s)?|\bCase\s)?\bNos?\.\s(?P<n>(?:\d:)?\d{2,4}[\-\u2013](?:(?:cv|cr|bk|mc|md|civ|ap|CV|CR)-)?"
            r"\d{2,6}(?:-[A-Z]{2,4})?(?:\s\([A-Z]{2,4}\))?)(?=,?\s(?:slip\sop\.(?:,?\sat\s\d{1,4})?,?\s)?"
            r"\([^()]{0,40}(?:Cir\.|\bD\.\s?[A-Z]|[NSEWC]\.D\.|Bankr\.|Ch\.|Ct\.|Super\.)[^()]{0,30}(?:19|20)\d{2}\))"
        ),
        "case",
        lambda m, _: f"No. {m['n'].replace(chr(0x2013), '-')}",
    ),
    Template(
        ("Restatement", "RESTATEMENT"),
        re.compile(rf"{_VOLUME},?\s(?:{SIGN})(?P<s>{SECTION_LIST})"),
        "restatement",
        _restatement,
    ),
    Template(
        ("Restatement",),
        re.compile(rf"(?:{SIGN})(?P<s>{SECTION_LIST})\s(?:of|in)\sthe\s{_VOLUME}"),
        "restatement",
        _restatement,
    ),
    Template(
        ("Priv. Ltr", "Private Letter Ruling"),
        re.compile(
            r"(?:I\.?R\.?S\.?\s)?(?:\bPLR|\bP\.L\.R\.|Priv(?:ate|\.)\sL(?:etter|tr\.)\sRul(?:ing|\.))\s(?:No\.\s)?(?P<n>\d{4}[\-\u2013]?\d{2,5})(?!\w)"
        ),
        "administrative",
        lambda m, _: f"I.R.S. Priv. Ltr. Rul. {m['n'].replace('-', '')}",
        initials=("PLR",),
    ),
    Template(
        ("Tech. Adv. Mem", "Gen. Couns. Mem", "Chief Counsel Adv"),
        re.compile(
            r"(?:I\.?R\.?S\.?\s)?(?:(?P<t>Tech\.\sAdv\.\sMem\.|T\.A\.M\.|\bTAM)|(?P<g>Gen\.\sCouns\.\sMem\.|G\.C\.M\.|\bGCM)|(?:Chief\sCounsel\sAdv(?:ice|\.)(?:\sMem\.)?|C\.C\.A\.))"
            r"\s(?P<n>\d{2},\d{3}|\d{5}|\d{4}-?\d{2,5})(?!\w)"
        ),
        "administrative",
        _memorandum,
        initials=("TAM", "GCM", "CCA"),
    ),
    Template(
        ("T.C. Memo", "T.C.M. (RIA)", "T.C. Summ"),
        re.compile(
            r"T\.\s?C\.\s(?P<k>Memo|Summ)(?:ary)?\.?\s(?:Op(?:inion|\.)\s)?(?P<n>(?:19|20)\d{2}[\-\u2013]\d{1,3})(?!\w)"
        ),
        "case",
        lambda m, _: f"T.C. {m['k']}. {'Op. ' if m['k'] == 'Summ' else ''}{m['n'].replace(chr(0x2013), '-')}",
    ),
    Template(
        ("Accounting Bulletin", "Legal Bulletin"),
        re.compile(
            r"(?:SEC\s|S\.E\.C\.\s)?(?:(?P<a>Staff\sAccounting\sBulletin|SAB)|Staff\sLegal\sBulletin|SLB)\s(?:Nos?\.\s)?(?P<n>\d{1,3}[A-Z]?)(?!\w)"
        ),
        "administrative",
        lambda m, _: f"SEC Staff {'Accounting' if m['a'] else 'Legal'} Bulletin No. {m['n']}",
        initials=("SAB", "SLB"),
    ),
    Template(
        (" Rep. No", " Rept. "),
        re.compile(
            r"(?<![\w.])(?P<h>H\.\s?R\.|H\.|S\.)\s?(?P<c>Conf\.\s)?Rep(?:t)?\.\s(?:No\.\s)?(?P<n>\d{2,3}[\-\u2013]\d{1,4})(?!\w)"
        ),
        "administrative",
        _report,
    ),
    Template(
        (" F.C.C.R.", " FCC Rcd", " F.C.C. Rcd", " F.E.R.C.", " FERC "),
        re.compile(
            r"(?<!\w)(?P<v>\d{1,3})\s(?:(?P<f>F\.?C\.?C\.?\s?R(?:cd)?\.?)|F\.?E\.?R\.?C\.?)\s(?:¶\s?)?(?P<p>\d{1,3},\d{3}|\d{1,6})(?!\w)"
        ),
        "administrative",
        lambda m, _: (
            f"{m['v']} {'F.C.C.R.' if m['f'] else 'F.E.R.C. ¶'} {m['p'].replace(',', '') if m['f'] else m['p']}"
        ),
    ),
    Template(
        ("Op. Att’y Gen", "Op. Att'y Gen", "Op. O.L.C", "Comp. Gen."),
        re.compile(
            r"(?<!\w)(?P<v>\d{1,3})\s(?P<k>(?:U\.S\.\s)?Op\.\sAtt['’]y\sGen\.|Op\.\sO\.L\.C\.|Comp\.\sGen\.)\s(?P<p>\d{1,5})(?!\w)"
        ),
        "administrative",
        lambda m, _: f"{m['v']} {squeeze(m['k']).replace('’', chr(39))}. {m['p']}".replace("..", "."),
    ),
)
