"""Check a quotation of law."""

from __future__ import annotations

from typing import Any

from tasks.toolbox.desk import Desk
from tasks.toolbox.folder import holds_documents, open_room
from tasks.toolbox.registry import Tool

_PERIOD = ("start", "end", "text", "verdict", "found_in", "checked")


def quote_check(desk: Desk, *, citation: str, quote: str, sources: str | None = None) -> dict[str, Any]:
    """Check quoted law against the cited provision: verified, not_found, misattributed, or unresolved.

    The provision is looked up in the data room (or the folder named), and among the texts of public-domain law that
    the knowledge holds word for word (the Federal Rules of Civil Procedure, as of the day that the answer names). Where
    nothing holds it, the answer is unresolved, never a guess. Ellipses and bracketed insertions are allowed for.
    Where a rule that is held is paraphrased, ``periods`` says of each period whether the rule sets it: supported,
    elsewhere (another subdivision does), or contradicted.

    Args:
        desk: What the caller may look at.
        citation: The provision, e.g. "Fed. R. Civ. P. 12(b)".
        quote: The quoted words.
        sources: Folder that holds the law; the data room of the matter, or the folders served, when absent.
    """
    from tasks.reconcile.law.figures import check_statement
    from tasks.reconcile.law.quotes import LawLibrary

    at_hand = sources is None and not desk.matter and (desk.texts or not holds_documents(desk))
    texts = desk.texts if at_hand else open_room(desk, sources).texts
    library = LawLibrary(texts, desk.knows.knowledge.law_texts)
    found = library.check(citation, quote)
    stated = check_statement(library.shelf, found.citation, quote) if found.outcome != "verified" else ()
    periods = [{key: p.model_dump(mode="json")[key] for key in _PERIOD} for p in stated]
    return {**found.model_dump(mode="json"), "periods": periods}


TOOL = Tool(
    quote_check,
    stage="reconcile",
    seconds=300.0,
    example='--citation "Fed. R. Civ. P. 6(d)" --quote "3 days are added"',
)
