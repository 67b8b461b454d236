"""How a model is asked: the six strategies of PAKTON's appendix G.3, the bound of isolated spans, and passages found.

``isolated`` gives the model the sentences that lawyers named as evidence: what a perfect retrieval would find. Where a
lawyer found the agreement silent there are none, and nothing at all would tell the label: there it is given the
sentences that come nearest to the statement.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

Premise = Literal["document", "evidence", "found", "report"]


@dataclass(frozen=True)
class Strategy:
    """One way to ask.

    Attributes:
        system: The prompt that explains the labels.
        premise: What the model reads: the whole agreement, the sentences of the lawyer, the sentences found, or what
            the researcher reports.
        shots: Answered examples before the question.
        shown: What is read in the examples.
        same: The examples answer the same statement.
        reasoned: The model gives a reason before the label, as the examples do.
    """

    system: Literal["naive", "optimised"]
    premise: Premise = "document"
    shots: int = 0
    shown: Premise = "document"
    same: bool = False
    reasoned: bool = False


SHOTS: Final = 3  # examples in a prompt, as many as there are labels

STRATEGIES: Final = MappingProxyType(
    {
        "zero shot": Strategy("naive"),
        "zero shot, labels explained": Strategy("optimised"),
        "few shot": Strategy("optimised", shots=SHOTS),
        "few shot, spans": Strategy("optimised", shots=SHOTS, shown="evidence"),
        "few shot, spans of the statement": Strategy("optimised", shots=SHOTS, shown="evidence", same=True),
        "chain of thought": Strategy("optimised", shots=SHOTS, shown="evidence", same=True, reasoned=True),
        "passages found": Strategy("optimised", premise="found"),
        "pakton": Strategy("optimised", "report", shots=SHOTS, shown="evidence", same=True, reasoned=True),
        "guided": Strategy("optimised", premise="found", shots=SHOTS, shown="evidence", same=True),
        "isolated spans (bound)": Strategy("optimised", premise="evidence"),
    }
)
"""Every strategy by its name; ``pakton`` reads what the researcher reports, ``guided`` is weighed with what is read
without a model (``prompting.py``)."""

CALIBRATED: Final = frozenset({"guided"})
