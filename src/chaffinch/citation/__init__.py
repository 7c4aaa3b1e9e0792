"""Citing a page: blocks with ids and addresses, and where a quote stands in the content."""
