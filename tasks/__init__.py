"""The steps: one package a stage, typed records in and out."""
