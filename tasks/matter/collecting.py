"""How often a process of ours looks for garbage."""

from __future__ import annotations

import gc


def collect_seldom() -> None:
    """Look for garbage after 20,000 new objects instead of 700; called first in each process that imports much.

    An import makes no garbage, and looking for it took a quarter of the time of importing litellm and a seventh of
    that of Prefect. What is kept longer meanwhile is some megabytes.
    """
    gc.set_threshold(20_000, 10, 10)
