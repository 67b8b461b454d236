"""Release: ordered gates, the release report, and the landing of deliverables."""
