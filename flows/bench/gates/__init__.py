"""The bench of the gates: errors planted in drafts of several runtimes, caught or missed, and false alarms."""
