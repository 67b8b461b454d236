"""Toolbox: the one registry of agent-callable tools and its doors."""

from tasks.toolbox.desk import Desk
from tasks.toolbox.registry import Tool, ToolRegistry

__all__ = ["Desk", "Tool", "ToolRegistry"]
