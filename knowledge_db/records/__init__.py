"""The rows of the knowledge families. Every row says where it comes from."""

from knowledge_db.records.cues import (
    FORM_CHECKS,
    OF_A_CLAUSE,
    OF_A_SEARCH,
    OF_RESEARCH,
    RAISED,
    BriefCue,
    LitigationCue,
    ResearchMethod,
)
from knowledge_db.records.law import (
    AskedFor,
    Authority,
    CitationForm,
    ProvenanceSource,
    WindowRule,
    wider_citations,
)
from knowledge_db.records.names import PopularName, Synonym
from knowledge_db.records.provisions import ProvisionEffect, ProvisionEntry
from knowledge_db.records.row import Expression, KnowledgeRow, cue
from knowledge_db.records.work_products import DeliverableSection, DeliverableType, InferenceRule

__all__ = [
    "FORM_CHECKS",
    "OF_A_CLAUSE",
    "OF_A_SEARCH",
    "OF_RESEARCH",
    "RAISED",
    "AskedFor",
    "Authority",
    "BriefCue",
    "CitationForm",
    "DeliverableSection",
    "DeliverableType",
    "Expression",
    "InferenceRule",
    "KnowledgeRow",
    "LitigationCue",
    "PopularName",
    "ProvenanceSource",
    "ProvisionEffect",
    "ProvisionEntry",
    "ResearchMethod",
    "Synonym",
    "WindowRule",
    "cue",
    "wider_citations",
]
