"""The static HTML report of a run or of the whole warehouse."""

from __future__ import annotations

from warehouse.report.page import render

__all__ = ["render"]
