"""From scores to kept rows: one rule a file, in an order that can be printed."""
