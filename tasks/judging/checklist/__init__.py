"""GAVEL-Ref: a work product judged against a reference checklist (Dou and Xu, arXiv 2601.04424)."""
