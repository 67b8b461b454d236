"""Look up authorities and deadline regimes."""

from __future__ import annotations

from typing import Any

from tasks.toolbox.desk import Desk
from tasks.toolbox.registry import Tool


def authority(desk: Desk, query: str, *, k: int = 10) -> dict[str, Any]:
    """Find the authorities and deadline regimes of the knowledge that bear on a question, with scores and reasons.

    Args:
        desk: What the caller may look at.
        query: A topic in words, or a citation.
        k: How many of each (at most 50).
    """
    from tasks.retrieval.knowledge import knowledge_base, load_harness

    knowledge = knowledge_base(desk.harness or load_harness(None))
    k = max(1, min(k, 50))
    return {
        "query": query,
        "authorities": knowledge.search_authorities(query, k),
        "windows": knowledge.search_windows(query, k),
    }


TOOL = Tool(authority, stage="retrieval")
