"""Restatements, and papers of government beside the codes: rulings, bulletins, committee reports."""

from __future__ import annotations

import re
from typing import Final

from tasks.sources.scan.citations_parts import Template
from tasks.sources.scan.citations_shapes import SECTION_LIST, SIGN, squeeze

_SUBJECTS: Final = (
    r"(?i:Contracts|Torts|Agency|Trusts|Property|Restitution|Judgments|Conflict\sof\sLaws|(?:the\s)?Law\sGoverning\sLawyers|"
    r"(?:the\s)?Foreign\sRelations\sLaw(?:\sof\sthe\sUnited\sStates)?|Unfair\sCompetition|Suretyship(?:\s(?:and|&)\sGuaranty)?|Employment\sLaw|"
    r"Security|Charitable\sNonprofit\sOrganizations|Donative\sTransfers|Servitudes|Landlord\s(?:and|&)\sTenant)"
)
_VOLUME: Final = (
    r"(?i:\bRestatement)\s(?:\(?(?P<ed>(?i:First|Second|Third|Fourth|2d|3d))\)?\s)?(?i:of)\s"
    rf"(?P<subject>{_SUBJECTS}(?:(?:\s(?:&|and)\s|:\s)(?:[A-Z][\w.'’]{{1,16}}(?:,?\s(?:(?:&|and|for|of)\s)?)?){{1,7}})?)"
)
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


TEMPLATES: Final[tuple[Template, ...]] = (
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
