"""Import of foreign runs: trees are read, work products stored as attempts, their scores kept separate."""
