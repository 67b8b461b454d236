"""Runs of others brought in: trees read, work products stored as attempts, their scores kept apart."""
