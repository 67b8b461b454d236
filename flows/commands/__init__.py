"""The sub-commands of ``solon``, one small module each; heavy imports wait inside ``run``."""
