import time
import tomllib
from pathlib import Path

import pytest

import chaffinch
from chaffinch.reading.quotes import contradicts

CASES = tomllib.loads(Path(__file__).with_name("contradictions.toml").read_text("utf-8"))
NAMES = ("language", "sentence", "held", "quoted")


def page(language, sentence):
    other = "Rye stands high in the fields by the river. " if language == "en" else ""
    return chaffinch.extract(f"<html lang={language}><p>{other}{sentence}</p>", keep="p")


@pytest.mark.parametrize(NAMES, CASES["contradicted"])
def test_another_number_date_name_or_negation_contradicts(language, sentence, held, quoted):
    quote = sentence.replace(held, quoted)
    found = page(language, sentence).locate(quote)
    assert found is not None
    assert found.status == "contradicted"
    assert held.split()[-1].strip("-") in found.text


@pytest.mark.parametrize(NAMES, CASES["changed"])
def test_another_spelling_or_word_does_not(language, sentence, held, quoted):
    found = page(language, sentence)
    assert found.verify(sentence.replace(held, quoted)) == "changed"
    assert found.verify(sentence) == "exact"


def test_long_quotes_take_linear_time():
    def seconds(count):
        quote = " ".join(f"Field {number} isn't Per's, 1{number}," for number in range(count))
        began = time.process_time()
        contradicts(quote, quote.replace("Per", "Ann"), "en", set())
        return time.process_time() - began

    seconds(500)
    assert seconds(8000) < 40 * seconds(1000) + 0.5
    assert contradicts("9" * 100_000, "8" * 100_000, "en", set())
