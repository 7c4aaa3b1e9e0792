"""Discussions and their posts; lists, their entries and the fields of these."""
