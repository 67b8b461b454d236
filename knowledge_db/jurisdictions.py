"""Names of law districts, and what stands for which. Read API over ``data/jurisdictions``."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from pathlib import Path

PACKAGED = Path(__file__).parent / "data"


@lru_cache(maxsize=8)
def load_jurisdictions(folder: Path = PACKAGED) -> dict[str, str]:
    """Return the usual name of each jurisdiction by each name a contract may use for it."""
    path = folder / "jurisdictions" / "jurisdictions.toml"
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    names = [n for group in ("states", "provinces", "countries") for n in data.get(group, [])]
    return {**{n: n for n in names}, **dict(data.get("aliases", {}))}


@lru_cache(maxsize=8)
def us_states(folder: Path = PACKAGED) -> frozenset[str]:
    """Return the states and territories of the United States."""
    path = folder / "jurisdictions" / "jurisdictions.toml"
    return frozenset(tomllib.loads(path.read_text(encoding="utf-8")).get("states", ()))
