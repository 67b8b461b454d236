"""The Researcher: chooses how to look for the answer to a question, and answers with cited spans."""
