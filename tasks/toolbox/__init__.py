"""Toolbox: the one registry of agent-callable tools and its doors."""

from tasks.toolbox.desk import Desk
from tasks.toolbox.registry import Registry, Tool

__all__ = ["Desk", "Registry", "Tool"]
