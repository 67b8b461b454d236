"""G-Eval: nine qualities of a report, each marked by a model, and two reports set side by side as votes."""
