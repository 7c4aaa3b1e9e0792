"""Makes the weights of the learned model from labelled corpora; not part of the package."""
