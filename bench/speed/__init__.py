"""How long it takes and how much memory, beside others and as pages grow."""
