"""From scores to kept rows: `rules` has the one list of the rules in their order.

A rule is a function of the `draft.Draft`: it returns bool[m], which of the page's m text blocks it
adds to what is kept or drops from it, or None, or it changes the draft by itself. Where parts of
one are given columns, ``blocks``, ``units``, ``score`` and ``keep`` are those of the draft.
"""
