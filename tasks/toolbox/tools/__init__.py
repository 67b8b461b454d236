"""One file per tool. A module here that defines ``TOOL`` is found by the registry; nothing else is needed."""
