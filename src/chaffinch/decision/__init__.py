"""From scores to kept rows: one rule a file, and one list of them in their order."""
