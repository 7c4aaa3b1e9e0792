"""Phrases that stand in a text are those that a search for each finds, in any script."""

from chaffinch.assessment.page_signals import PHRASES, phrases_in

EVERY = [phrase for some in PHRASES.values() for phrase in some]


def found_by_search(text):
    return {state: tuple(one for one in some if one in text) for state, some in PHRASES.items()}


def test_each_phrase_is_found():
    for phrase in EVERY:
        assert phrases_in(f"a {phrase} b") == found_by_search(f"a {phrase} b"), phrase
