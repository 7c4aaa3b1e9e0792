"""Cutting a page into blocks."""
