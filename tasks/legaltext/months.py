"""The names of the months: one table, from which every pattern and set of them is made."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

# English name and abbreviations, German forms, forms of other languages; in the order of the year.
_FORMS: Final = (
    (("january", "jan"), ("januar", "jänner"), ("janvier", "enero", "gennaio", "januari", "janeiro")),
    (
        ("february", "feb", "febr"),
        ("februar",),
        ("février", "fevrier", "febrero", "febbraio", "februari", "fevereiro"),
    ),
    (("march", "mar"), ("märz", "maerz"), ("mars", "marzo", "maart", "março", "marco")),
    (("april", "apr"), (), ("avril", "abril", "aprile")),
    (("may",), ("mai",), ("mai", "mayo", "maggio", "mei", "maio")),
    (("june", "jun"), ("juni",), ("juin", "junio", "giugno", "junho")),
    (("july", "jul"), ("juli",), ("juillet", "julio", "luglio", "julho")),
    (("august", "aug"), (), ("août", "aout", "agosto", "augustus")),
    (("september", "sept", "sep"), (), ("septembre", "septiembre", "setiembre", "settembre", "setembro")),
    (("october", "oct"), ("oktober", "okt"), ("octobre", "octubre", "ottobre", "outubro")),
    (("november", "nov"), (), ("novembre", "noviembre", "novembro")),
    (("december", "dec"), ("dezember", "dez"), ("décembre", "decembre", "diciembre", "dicembre", "dezembro")),
)


def _numbered(*columns: int) -> Mapping[str, int]:
    return MappingProxyType({w: n for n, forms in enumerate(_FORMS, start=1) for c in columns for w in forms[c]})


NAMES: Final[tuple[str, ...]] = tuple(forms[0][0] for forms in _FORMS)
ABBREVIATIONS: Final[tuple[str, ...]] = tuple(word for forms in _FORMS for word in forms[0][1:])
NUMBERS: Final[Mapping[str, int]] = _numbered(0, 1)  # English and German
FOREIGN: Final[Mapping[str, int]] = _numbered(2)
# "may" is a verb far more often than a month.
CERTAIN: Final[tuple[str, ...]] = tuple(name for name in NAMES if name != "may")
TITLED: Final = rf"(?:{'|'.join(name.title() for name in NAMES)})"
# "June 31" and "Jun. 31"; the full stop is not part of it.
TITLED_OR_SHORT: Final = rf"(?:{'|'.join(word.title() for word in (*NAMES, *ABBREVIATIONS))})"
