"""An agent with tools: its loop, what it is told, what it may do, and how it is brought to an end."""
