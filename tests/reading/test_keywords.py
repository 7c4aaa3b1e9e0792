"""Keywords: of the topic, each once, in any script, and of nothing."""

import pytest

import chaffinch
from chaffinch.errors import OptionError
from chaffinch.reading.keywords import keywords

ENGLISH = (
    "The barn owl hunts at dusk. A barn owl hears a mouse under the snow. Farmers put up nest boxes"
    " for the barn owl. The nest boxes stand in barns. Every nest box is cleaned by the farmers."
    " Jane Doe of the Owl Trust has counted the nest boxes since 1990. The Owl Trust pays for them."
)
GERMAN = (
    "Die Schleiereule jagt in der Dämmerung. Die Schleiereule hört die Maus unter dem Schnee. Die"
    " Bauern hängen Nistkästen für die Schleiereule auf. Jeder Nistkasten wird von den Bauern"
    " gereinigt. Die Nistkästen stehen in den Scheunen."
)
CHINESE = (
    "仓鸮在黄昏捕猎。农民为仓鸮安装巢箱。每个巢箱由农民清理。仓鸮听得见雪下的老鼠。"
    "这些巢箱放在谷仓里，谷仓的主人喜欢仓鸮。"
)


def names(found):
    return [one.text for one in found]


@pytest.mark.parametrize(
    ("text", "language", "wanted"),
    [
        (ENGLISH, "en", {"nest boxes", "Owl Trust", "Jane Doe"}),
        (ENGLISH, "", {"nest boxes", "Owl Trust"}),
        (GERMAN, "de", {"Schleiereule", "Bauern", "Nistkästen"}),
        (CHINESE, "zh", {"仓鸮", "巢箱", "农民"}),
    ],
)
def test_the_topic_is_found(text, language, wanted):
    found = " | ".join(names(keywords(text, language, most=8))).lower()
    assert not [one for one in wanted if one.lower() not in found], found


def test_an_extract_has_them():
    page = f"<title>Barn owls</title><article><h1>Barn owls</h1><p>{ENGLISH}<p>{ENGLISH}</article>"
    found = chaffinch.extract(page, keep="article")
    assert len(found.keywords(3)) == 3
    (first, *_) = found.to_dict(parts=["keywords"])["keywords"]
    assert first == {"text": found.keywords()[0].text} | {
        name: getattr(found.keywords()[0], name) for name in ("score", "count")
    }
    with pytest.raises(OptionError, match="count"):
        found.keywords(0)
    assert chaffinch.extract("").keywords() == []


def test_function_words_stand_in_none():
    for one in keywords(ENGLISH, "en", most=50):
        assert not {"the", "of", "for", "by", "has"} & set(one.text.lower().split())
