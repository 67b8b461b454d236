"""Check a quotation of law."""

from __future__ import annotations

from typing import Any

from tasks.toolbox.desk import Desk
from tasks.toolbox.folder import open_texts
from tasks.toolbox.registry import Tool


def quote_check(desk: Desk, *, citation: str, quote: str, sources: str | None = None) -> dict[str, Any]:
    """Check quoted law against the cited provision: verified, not_found, misattributed, or unresolved.

    The provision is looked up in the data room (or the folder named), and among the texts of public-domain law that
    the knowledge holds word for word (the Federal Rules of Civil Procedure, as of the day that the answer names). Where
    nothing holds it, the answer is unresolved, never a guess. Ellipses and bracketed insertions are allowed for.

    Args:
        desk: What the caller may look at.
        citation: The provision, e.g. "Fed. R. Civ. P. 12(b)".
        quote: The quoted words.
        sources: Folder that holds the law; the data room of the matter when absent.
    """
    from knowledge_db.law_texts import PACKAGED, load_law_texts
    from tasks.reconcile.law_quotes import LawLibrary

    texts = desk.texts if sources is None and (desk.texts or not desk.matter) else open_texts(desk, sources)
    held = load_law_texts(desk.harness.knowledge if desk.harness else PACKAGED)
    return LawLibrary(texts, held).check(citation, quote).model_dump(mode="json")


TOOL = Tool(quote_check, stage="reconcile", seconds=300.0)
