"""Renderers: each a pure function of a `Content`, none knowing another."""
