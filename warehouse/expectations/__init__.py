"""What the warehouse must look like before it is published: great-expectations suites as data."""

from __future__ import annotations

from warehouse.expectations.suites import Violation, check_all

__all__ = ["Violation", "check_all"]
