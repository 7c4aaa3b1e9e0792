"""Kernels in numpy and plain Python: the specification of all, by topic.

Each function's docstring gives what it takes and returns, for C too.
"""
