"""Durable legal knowledge as reviewable data, and the API that reads it."""

from knowledge_db.base import PACKAGED, KnowledgeBase
from knowledge_db.load import KnowledgeError

__all__ = ["PACKAGED", "KnowledgeBase", "KnowledgeError"]
