"""Names of companies and documents: their legal forms, and the words that a name is compared by."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from tasks.legaltext.fold import unaccented

# As they are printed, without a last full stop.
_SPELLED_OUT: Final = ("Incorporated", "Corporation", "Company", "Limited")
_SHORTENED: Final = (
    *("Inc", "Corp", "Co", "Ltd", "Pty", "L.L.C", "L.L.P", "L.P", "P.C", "P.L.C", "N.A", "S.A", "S.A.S", "S.A.R.L"),
    *("B.V", "N.V", "S.r.l", "S.p.A", "G.I.E", "a.s"),
)
_LETTERS: Final = (
    *("LLC", "PLLC", "LLP", "LP", "PC", "PLC", "plc", "AG", "GmbH", "KG", "SA", "SAS", "S/A", "BV", "NV", "Srl", "SpA"),
    *("A/S", "AB", "Oy"),
)
LEGAL_FORMS: Final = (*_SPELLED_OUT, *_SHORTENED, *_LETTERS)
# What else the name of a body ends in.
_BODIES: Final = (
    *("Trust", "Bank", "University", "Fund", "Funds", "Partners", "Association", "Foundation", "Authority", "Agency"),
    *("Department", "Holdings"),
)
# Words of any script; Chinese and Japanese do not part theirs, so each sign counts as one.
_WORD: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W_\u3040-\u30ff\u3400-\u9fff]+(?:\.\d+)*")
_INITIALS: Final = re.compile(r"\b[a-z](?:\.[a-z])+\b\.?")


def _any_of(forms: Iterable[str]) -> str:
    """Return a pattern of forms as they are printed and, where they are words, in capitals."""
    found = {*forms, *(form.upper() for form in forms if form.isalpha() and form not in {"SpA", "Oy"})}  # "the SPA"
    return rf"(?:{'|'.join(re.escape(form) for form in sorted(found, key=lambda f: (-len(f), f)))})"


FORM: Final = _any_of(LEGAL_FORMS)
# "Acme Holdings", "First National Bank": with the bodies that have no legal form in their name.
SUFFIX: Final = _any_of((*LEGAL_FORMS, *_BODIES))
# Forms whose last full stop belongs to them: "Acme Inc." at the end of a sentence or not.
STOPPED_FORM: Final = _any_of(_SHORTENED)
_CORE: Final = re.compile(rf",?\s+{SUFFIX}\b\.?.*$", re.IGNORECASE | re.DOTALL)


def name_words(text: str) -> list[str]:
    """Return the words and numbers of a name in order, without case, accents, apostrophes and the stops of initials.

    "Société Générale S.A. & Co" gives ``societe generale sa and co``; "9.2" stays one word.
    """
    folded = unaccented(text.replace("&", " and ")).casefold().replace("'", "").replace("’", "")
    # "S.A." is one word, "9.2" another.
    return _WORD.findall(_INITIALS.sub(lambda hit: hit.group().replace(".", ""), folded))


FORM_WORDS: Final = frozenset(word for form in LEGAL_FORMS if "/" not in form for word in name_words(form))


def without_form(name: str) -> str:
    """Return a name in small letters up to its legal form: "Acme Robotics, Inc." gives "acme robotics"."""
    return _CORE.sub("", " ".join(name.split())).strip(" ,.'\"").lower()
