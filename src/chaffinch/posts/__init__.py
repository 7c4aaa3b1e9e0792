"""Discussions: posts, their authors and dates, and what they are to one another."""
