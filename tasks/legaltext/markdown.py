"""Words of a source inside Markdown: no character of theirs is taken for a mark."""

from __future__ import annotations

import re

# Only what could act as a mark, so that a text deliverable, which keeps the backslashes, stays readable.
_MARK = re.compile(r"[\\`*]|(?<![^\W_])_|_(?![^\W_])|~(?=~)|<(?=[A-Za-z/!?])|\[(?=[^\]\n]*\]\()|&(?=#?\w+;)")


def verbatim(text: str) -> str:
    """Return text that Markdown renders as it stands: ``$***`` keeps its asterisks."""
    return _MARK.sub(r"\\\g<0>", text)


def cell(text: str) -> str:
    """Return text for a cell of a pipe table; a bar inside it would open another cell."""
    return verbatim(" ".join(text.replace("|", "/").split()))
