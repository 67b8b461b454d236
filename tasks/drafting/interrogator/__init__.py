"""The Interrogator: questions a researcher until every ask is answered or known to be open, and reports."""
