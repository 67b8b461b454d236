"""The workspace of an attempt: a data room that can only be read, output and scratch, and a sandbox for commands."""
