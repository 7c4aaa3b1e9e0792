"""From scores to kept rows: one rule a file, and the list of them in the order in which they run."""
