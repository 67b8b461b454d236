"""What runs inside a sandbox, as its first process, before and beside the command.

Standard library alone: it is started with ``-I -S`` from a folder of its own that the sandbox shows read-only.
"""
