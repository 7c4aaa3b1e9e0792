"""Made-up pages of each state of an assessment, by generators that know nothing of each other.

A generator has its own templates, habits of naming and phrases; `GENERATORS` names them. Each is
left out in turn where the model is measured (`training.page_states`). All of it is made up here.
"""
