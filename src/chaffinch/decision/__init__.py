"""From scores to kept rows: `rules` has the one list of the rules in their order.

What rules are given stands here once: ``blocks`` are the page's m text blocks and ``found`` their
features; ``units``, float32[m], are the words of each; ``score``, float32[m] in 0..1, is the
probability that each is content; ``keep``, bool[m], is what is kept so far. They return bool[m], or
None where there is nothing to add or to drop.
"""
