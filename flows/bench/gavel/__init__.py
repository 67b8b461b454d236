"""``solon bench gavel``: the arithmetic and the offline comparison of GAVEL-Ref, on checklists filled by people."""
