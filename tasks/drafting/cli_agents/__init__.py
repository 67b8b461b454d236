"""Agents that are programs of others: each an adapter (data), started in a sandbox with two proxies to this side."""
