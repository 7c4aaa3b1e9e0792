"""Teaching a site model by clicks: what a person marks on sample pages becomes a tried rule.

`sample` holds pages with what the model makes of them, `selectors` what an element may be selected
by, `effects` what a rule changes on a page, `proposals` the choice, `rule_file` the rules in the
text of the site's file.
"""
