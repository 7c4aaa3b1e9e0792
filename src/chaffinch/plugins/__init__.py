"""Chaffinch within the tools of others: one file for each tool, named as the tool.

A plug-in is imported by its name, such as ``chaffinch.plugins.langchain``, and needs its tool;
nothing else in Chaffinch imports one. docs/plugins.md lists them.
"""
