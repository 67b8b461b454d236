"""PAKTON's published figures on LegalBench-RAG, to stand beside ours under their own label.

Source: PAKTON, Appendix F: Table 6 (by characters), Table 7 (by spans) and Table 10 (characters returned),
Configuration 1 without filtering by a model, the variant of its main comparison. Recall is printed up to k = 16.
"""

from __future__ import annotations

from typing import Any

LABEL = "published by PAKTON: its corpora are whole, ours are a part"
NAMES = ("contractnli", "cuad", "privacy_qa", "maud", "all")
_KS = (1, 2, 4, 8, 16)  # ranks of the published tables that are compared with
_RECALL: dict[str, tuple[float, ...]] = {
    "privacy_qa": (13.34, 22.43, 32.67, 43.39, 61.65),
    "contractnli": (53.14, 67.47, 80.06, 89.71, 95.50),
    "maud": (23.99, 30.09, 34.49, 46.42, 59.74),
    "cuad": (16.52, 24.76, 33.34, 46.67, 59.53),
    "all": (26.77, 36.32, 45.26, 56.66, 69.17),
}
_PRECISION: dict[str, tuple[float, ...]] = {
    "privacy_qa": (19.94, 16.84, 11.44, 8.62, 7.38),
    "contractnli": (33.02, 30.34, 17.33, 9.98, 5.87),
    "maud": (25.47, 17.45, 10.51, 7.24, 5.08),
    "cuad": (11.02, 8.83, 6.81, 4.72, 2.78),
    "all": (22.34, 18.37, 11.52, 7.63, 5.26),
}
_SPAN_RECALL: dict[str, tuple[float, ...]] = {
    "privacy_qa": (19.65, 32.23, 43.52, 58.46, 75.93),
    "contractnli": (53.74, 68.56, 80.50, 89.86, 95.45),
    "maud": (32.32, 38.24, 43.56, 54.98, 67.17),
    "cuad": (16.86, 24.98, 33.95, 47.84, 60.85),
    "all": (30.64, 41.00, 50.38, 62.79, 74.85),
}
_SPAN_PRECISION: dict[str, tuple[float, ...]] = {
    "privacy_qa": (35.08, 30.37, 23.69, 17.86, 14.79),
    "contractnli": (58.76, 39.69, 24.10, 13.63, 7.86),
    "maud": (35.05, 23.97, 15.34, 11.08, 8.02),
    "cuad": (20.10, 15.46, 10.82, 8.13, 5.30),
    "all": (37.24, 27.37, 18.49, 12.68, 8.99),
}
_CHARACTERS: dict[str, tuple[float, ...]] = {
    "privacy_qa": (682, 1415, 2985, 5706, 10341),
    "contractnli": (789, 1371, 2738, 4869, 8126),
    "maud": (908, 1765, 3542, 7069, 14248),
    "cuad": (771, 1643, 3496, 7002, 13694),
}


def published(name: str) -> dict[str, Any]:
    """Return PAKTON's figures for a data set (``all``: its mean of four), in the shape of our measures."""
    if name not in NAMES:
        return {}
    tables: dict[str, dict[str, tuple[float, ...]]] = {
        "recall": _RECALL,
        "precision": _PRECISION,
        "span_recall": _SPAN_RECALL,
        "span_precision": _SPAN_PRECISION,
        "characters": _CHARACTERS,
    }
    rows = {measure: dict(zip(_KS, table[name], strict=True)) for measure, table in tables.items() if name in table}
    return {"label": LABEL, **rows}
