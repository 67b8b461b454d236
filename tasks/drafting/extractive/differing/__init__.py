"""Papers of one deal that state the same thing differently: a change, a conflict, or the same in other words."""
