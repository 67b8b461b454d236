"""A case checklist filled by scanners alone: no model is asked, and every value has its words in a document."""
