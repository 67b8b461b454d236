"""Toolbox: the one registry of agent-callable tools and its doors."""
