"""Questions of law with their right answers, put to the ``authority`` tool: what it puts first, and how sure it is."""
