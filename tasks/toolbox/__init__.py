"""Toolbox: the one registry of agent-callable tools and its interfaces (in-process, command line, MCP)."""

from tasks.toolbox.desk import Desk
from tasks.toolbox.registry import Tool, ToolRegistry

__all__ = ["Desk", "Tool", "ToolRegistry"]
