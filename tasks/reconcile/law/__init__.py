"""The law a draft relies on, against the texts held in the knowledge base."""
