"""The benches by name, one file each, found by its name: ``measure`` and, where a table says more, ``render``.

The first line of a file says what it measures; what is heavy is imported when it is measured.
"""
