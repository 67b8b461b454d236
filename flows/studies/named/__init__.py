"""The studies, one file each, found by the file's name.

``arms(ask)`` says what is run and ``QUESTIONS`` what is asked of the warehouse then. The first line of a file says what
the study compares. ``replay`` runs nothing and is a command of its own.
"""
