"""The words by which a query asks for a quality of a clause: each is taken away, and a query that has it is read."""

from __future__ import annotations

from collections.abc import Iterator

from flows.bench.liveness.records import Leaf, fewer, with_rows
from flows.bench.liveness.witness import witness
from knowledge_db import KnowledgeBase
from knowledge_db.records import OF_A_SEARCH, BriefCue
from tasks.harness import Harness
from tasks.legaltext.fold import straight
from tasks.retrieval.asking import QueryGrammar

# What the grammar needs beside the row that is looked at: two sides, and an instrument that protects each.
_AROUND = tuple(
    BriefCue(use=use, name=name, patterns=(word,))
    for use, name, word in (
        ("side", "seller", "qqseller"),
        ("side", "buyer", "qqbuyer"),
        ("protects", "seller", "qqcap"),
        ("protects", "buyer", "qqindemnity"),
    )
)


def queries(harness: Harness) -> Iterator[Leaf]:
    """Take each word away from its quality or side and understand a query; change how a clause says a quality."""
    base = harness.knowledge
    for row in (row for row in base.questions if row.use in OF_A_SEARCH):
        whole = _grammar(base, row)
        for name, other in fewer(row, "patterns"):
            less = _grammar(base, other) if other.patterns else _grammar(base)
            words = {straight(witness(name.partition(": ")[2], seed=seed) or "") for seed in range(20)}
            asked = [f"qq {word}" for word in words] + [f"{word}-favorable qqcap" for word in words]
            asked += [f"{side}-favorable {word}" for word in words for side in ("qqseller", "qqbuyer")]
            alive = any(whole.understand(query) != less.understand(query) for query in asked)
            yield Leaf("queries", f"{row.use}: {row.name}: {name}", alive)
        if row.says:
            text = straight(witness(row.says) or "")
            yield Leaf("queries", f"{row.name}: says", bool(whole.says[row.name].search(text)))


def _grammar(base: KnowledgeBase, *rows: BriefCue) -> QueryGrammar:
    taken = {(row.use, row.name) for row in rows}
    around = [row for row in _AROUND if (row.use, row.name) not in taken]
    return QueryGrammar(with_rows(base, questions=(*rows, *around)))
