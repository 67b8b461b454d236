"""Builds deliverables: Word, Excel, PowerPoint, Markdown and plain text."""
