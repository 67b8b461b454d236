"""Names that begin with a small letter on purpose are names; descriptions in small letters are none."""

from __future__ import annotations

import pytest

from tasks.sources.parties import parties_of
from tasks.sources.records import CanonicalText


@pytest.mark.parametrize(
    "name",
    ["quayside.com, Inc.", "tidepool.net LLC", "eHarbour Limited", "Harbour.io Ltd", "Friends of the Quay Trust"],
)
def test_a_name_in_its_own_spelling_is_a_party(name: str) -> None:
    parties = f'{name} ("Supplier") and Marlow Ltd ("Buyer")'
    text = f"SUPPLY AGREEMENT\n\nThis Agreement is made on 4 May 2020 between {parties}."
    read = CanonicalText(document="a.txt", sha256="0" * 64, extractor="text/1", media="txt", text=text)
    found = parties_of(read)
    assert [(party.name.rstrip("."), party.aliases) for party in found] == [
        (name.rstrip("."), ("Supplier",)),
        ("Marlow Ltd", ("Buyer",)),
    ]
