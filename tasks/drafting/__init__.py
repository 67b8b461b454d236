"""Drafting: harness runtimes that turn a matter into a work product."""
