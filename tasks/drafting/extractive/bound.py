"""Whom a restriction binds: the party that, by the sentence, shall not do something."""

from __future__ import annotations

import re

from tasks.legaltext.fold import straight

_NAME = r"[A-Z][\w&.'-]*(?: (?:[A-Z&][\w&.'-]*|of)|,? (?:Inc|Ltd|LLC|L\.P)\.?){0,4}"
_ALSO = rf"(?:,? (?:and|or|nor) (?:(?:any of )?(?:its|their) )?(?:{_NAME}|affiliates|subsidiaries))?"
_MODAL = r"(?:shall|will|may|must|can|agrees?|covenants?|undertakes?)"
_NOT_DONE = r"(?!(?:be|have|exceed|constitute|affect|limit|apply|relieve|prevent|preclude|include|unreasonably)\b)"
_RESTRAINED = re.compile(
    rf"(?P<who>(?<![\w-])(?:{_NAME}{_ALSO}|(?:[Ee]ach|[Ee]ither|[Tt]he) (?:[Pp]art(?:y|ies)|{_NAME}{_ALSO})))"
    rf",? (?:hereby )?{_MODAL}(?:(?:,? [\w, ]{{0,60}}?,)?| that it (?:shall|will)) not"
    rf"(?::|,? (?:to |directly or indirectly,? )?{_NOT_DONE}[a-z])"
)
_NEITHER = re.compile(
    rf"\b(?:[Nn]either [Pp]arty|[Nn]o [Pp]arty)\b[^.;]{{0,40}}?\b{_MODAL} {_NOT_DONE}[a-z]"
    r"|\bnot be \w+ed by (?:either|any) party\b"
)
_NO_PARTY = re.compile(
    r"^(?:The )?(?:This|Such|Any|That|It|Agreement|Lease|Contract|Section|Article|Term|No|Nothing|There|If|In)\b"
)
_ALL = re.compile(r"^(?:each|either|neither|no|the) part(?:y|ies)$", re.I)


def bound_by(sentence: str) -> str:
    """Return the party that a sentence forbids something, as it is called there; empty if it names none."""
    text = straight(sentence)
    if _NEITHER.search(text):
        return "both parties"
    names: list[str] = []
    for match in _RESTRAINED.finditer(text):
        who = match["who"].strip(" ,")
        if not _NO_PARTY.search(who):
            names.append("both parties" if _ALL.match(who) else who.removeprefix("The ").removeprefix("the "))
    return " and ".join(dict.fromkeys(names[:2]))
