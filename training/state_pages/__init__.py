"""Pages of each state of an assessment: made-up ones as data, and real ones that are changed.

``made_pages.jsonl.xz`` holds what nine generators that know nothing of each other wrote, each with
templates, habits of naming and phrases of its own, and a page of each kind of the sites of
`bench.lib.made_sites`: source, state, generator, language, status.
"""
