"""Texts of public-domain law, word for word, as far as the project holds them.

Read API over ``data/law_texts/*.csv``: one row per subdivision, with the source and the day of the text. It answers;
it checks nothing. Deeper subdivisions are read from the markers in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from knowledge_db.load import rows_of
from knowledge_db.records import KnowledgeRow

PACKAGED = Path(__file__).parent / "data"
_MARKER = re.compile(
    r"(?:^|(?<=[.:;,—)] )|(?<=and )|(?<=or ))\((?P<m>[a-z]{1,4}|\d{1,2}|[A-Z]{1,2})\) (?=[A-Za-z0-9‘“\"])"
)
_PART = re.compile(r"\((\w+)\)")
_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii")
_SKIP = 2  # a repealed item may be left out of a row


class LawText(KnowledgeRow):
    """A subdivision of a rule or section, word for word.

    Attributes:
        citation: The rule in normal form, e.g. ``Fed. R. Civ. P. 12``.
        subdivision: ``(a)``; empty for what stands before the first, or for a rule that has none.
        heading: Heading of the rule, at its first row.
        text: The words; small capitals are capitals.
        amended: Day from which another text is in force; empty where none is known.
        provenance: The print it was taken from.
        as_of: Day of that print.
    """

    citation: str
    subdivision: str = ""
    heading: str = ""
    text: str
    amended: str = ""
    provenance: str
    as_of: str


class Subdivision(NamedTuple):
    """A subdivision at any depth: its path, and its place in the text of the row."""

    path: str
    start: int
    end: int


def load_law_texts(folder: Path = PACKAGED) -> tuple[LawText, ...]:
    """Return the held texts below ``folder``, by file and position.

    Raises:
        KnowledgeError: A file cannot be parsed or a row breaks the schema.
    """
    return rows_of(folder, "law_texts", LawText)


def parts_of(row: LawText) -> Iterator[Subdivision]:
    """Yield the row itself and every subdivision inside it, each up to the next that is not below it.

    A marker counts where it continues the row of its level or opens the level below; a cross-reference ("Rule 12(b),
    (e), or (f)") does neither.
    """
    chain = _PART.findall(row.subdivision)
    own = f"({chain[-1]})" if chain else ""
    yield Subdivision(row.subdivision, 0, len(row.text))
    heads: list[tuple[int, tuple[str, ...]]] = []
    for match in _MARKER.finditer(row.text):
        deeper = _placed(chain, match["m"], row.subdivision)
        if deeper is not None and (match.start() or not own or not row.text.startswith(own)):
            chain = deeper
            heads.append((match.start(), tuple(chain)))
    for at, (start, path) in enumerate(heads):
        end = next((s for s, p in heads[at + 1 :] if len(p) <= len(path)), len(row.text))
        yield Subdivision("".join(f"({part})" for part in path), start, end)


def _placed(chain: list[str], marker: str, base: str) -> list[str] | None:
    """Return the path of a marker behind ``chain``; None where it is no marker of a subdivision."""
    for level in range(len(chain) - 1, -1, -1):
        if (level or not base) and _follows(chain[level], marker):
            return [*chain[:level], marker]
    first = {"1": marker == "1", "A": marker == "A", "i": marker == "i", "a": marker == "a" and not chain}
    return [*chain, marker] if any(first.values()) and (not chain or _kind(chain[-1]) != _kind(marker)) else None


def _follows(last: str, marker: str) -> bool:
    if _kind(last) != _kind(marker):
        return False
    row = _row(last, marker)
    return row is not None and 0 < row[1] - row[0] <= _SKIP


def _row(last: str, marker: str) -> tuple[int, int] | None:
    if last.isdigit():
        return int(last), int(marker)
    if last in _ROMAN and marker in _ROMAN:
        return _ROMAN.index(last), _ROMAN.index(marker)
    if len(last) == len(marker) == 1:
        return ord(last), ord(marker)
    return None


def _kind(marker: str) -> str:
    if marker.isdigit():
        return "1"
    if marker.isupper():
        return "A"
    return "i" if marker in _ROMAN else "a"
