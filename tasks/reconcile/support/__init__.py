"""Whether the cited place of a source carries the statement of a draft that cites it."""
