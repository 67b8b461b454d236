"""How reporters, journals, codes and courts are cited: metadata of citation forms, kept apart from the knowledge.

Read from the installed packages ``reporters-db`` and ``courts-db`` (Free Law Project, BSD), whose rows these are. They
say how law is cited, not what the law is, and are never counted among the entries of the knowledge.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib.metadata import version
from typing import Any

from knowledge_db.records import CitationForm


@lru_cache(maxsize=1)
def load_citation_forms() -> tuple[CitationForm, ...]:
    """Return every form once, ordered by kind, abbreviation and name."""
    import courts_db
    import reporters_db

    reporters, courts = (f"{package} {version(package)}" for package in ("reporters-db", "courts-db"))
    found = {
        *_editions(reporters_db.REPORTERS, reporters),
        *_named(reporters_db.JOURNALS, "journal", reporters),
        *_named(reporters_db.LAWS, "code", reporters),
        *(_court(row, courts) for row in courts_db.courts),
    }
    return tuple(sorted(found, key=lambda f: (f.kind, f.abbreviation, f.name, f.jurisdictions, f.first, f.last)))


def _editions(table: Mapping[str, list[dict[str, Any]]], source: str) -> Iterator[CitationForm]:
    for groups in table.values():
        for group in groups:
            for edition, span in group["editions"].items():
                yield _form("reporter", edition, group["name"], group["mlz_jurisdiction"], span, source)


def _named(table: Mapping[str, list[dict[str, Any]]], kind: str, source: str) -> Iterator[CitationForm]:
    for abbreviation, groups in table.items():
        for group in groups:
            yield _form(
                kind, abbreviation, group["name"] or abbreviation, [group.get("jurisdiction") or ""], group, source
            )


def _court(row: Mapping[str, Any], source: str) -> CitationForm:
    span = (row.get("dates") or [{}])[0]
    return _form("court", row.get("citation_string") or row["id"], row["name"], [row["location"]], span, source)


def _form(
    kind: str, abbreviation: str, name: str, places: list[str], span: Mapping[str, Any], source: str
) -> CitationForm:
    return CitationForm.model_validate(
        {
            "kind": kind,
            "abbreviation": abbreviation,
            "name": name,
            "jurisdictions": tuple(p for p in places if p),
            "first": _day(span.get("start")),
            "last": _day(span.get("end")),
            "provenance": source,
        }
    )


def _day(value: Any) -> str:
    """Return a date or a point in time as an ISO date; empty where there is none."""
    return str(value)[:10] if value else ""
