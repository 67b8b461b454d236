"""The families as plain rows: nothing is lost, everything says where it comes from, metadata stays apart."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

import pytest

from knowledge_db.citation_forms import load_citation_forms
from knowledge_db.provisions import load_provisions
from knowledge_db.tables import SUBSTANTIVE, entries, knowledge_tables
from tasks.harness import packaged

BASE = packaged().knowledge


@lru_cache(maxsize=1)
def tables():
    return knowledge_tables()


def test_every_family_is_a_table_and_nothing_is_lost():
    assert set(SUBSTANTIVE) < set(tables())
    assert len(tables()["authorities"]) == len(BASE.authorities)
    assert len(tables()["windows"]) == len(BASE.windows)
    assert len(tables()["deliverables"]) == sum(len(kind.sections) for kind in BASE.deliverables)
    assert len(tables()["synonyms"]) == sum(len(row.aliases) for row in BASE.synonyms)
    assert len(tables()["provisions"]) == len(load_provisions())
    families = [rows for name, rows in tables().items() if name != "sources"]
    assert all(row["provenance"] and "as_of" in row for rows in families for row in rows)


def test_entries_are_counted_by_type_and_concept_and_never_citation_forms():
    counted = entries(tables())
    assert set(counted) == set(SUBSTANTIVE)
    assert counted["deliverables"] == len(BASE.deliverables) < len(tables()["deliverables"])
    assert counted["synonyms"] == len(BASE.synonyms) < len(tables()["synonyms"])


def test_citation_forms_are_metadata_with_the_package_they_come_from():
    forms = load_citation_forms()
    assert {form.kind for form in forms} == {"reporter", "journal", "code", "court"}
    assert all(form.provenance.split()[0] in {"reporters-db", "courts-db"} for form in forms)
    by_name = {(f.kind, f.abbreviation): f for f in forms}
    assert by_name["reporter", "F.3d"].first == "1993-01-01"
    assert ("court", "S.D.N.Y.") in by_name or any(f.name.startswith("Southern District of New York") for f in forms)
    assert max(Counter(forms).values()) == 1


def test_an_empty_folder_has_empty_families(tmp_path):
    found = knowledge_tables(tmp_path)
    assert all(not rows for name, rows in found.items() if name != "citation_forms")


def test_a_broken_row_is_an_error_that_names_it(tmp_path):
    (tmp_path / "windows").mkdir()
    (tmp_path / "windows" / "a.csv").write_text("window_id,n\nx/y,-1\n")
    with pytest.raises(ValueError, match=r"windows/a\.csv, row 1"):
        knowledge_tables(tmp_path)
