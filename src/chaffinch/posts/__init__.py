"""Discussions: posts, their authors and dates, and their relations (question, answer, reply)."""
