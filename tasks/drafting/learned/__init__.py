"""Tools and mechanisms that a learner wrote, at work: each call is a bounded process in a sandbox."""
