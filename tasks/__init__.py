"""The steps: one package for each stage, typed records in and out."""
