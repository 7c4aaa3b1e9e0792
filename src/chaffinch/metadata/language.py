"""The language of the page: the declared one, verified against the text.

Templates often declare a language that the page isn't in. The script, its letters and short words
identify most languages without a model, and so do the function words of texts in Latin script:
about every fourth word of running text is one of a few dozen of its language. Where neither does,
`py3langid` of the extra ``chaffinch[language]`` is used, if it is installed; else such a page has
its declared language.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import chain
from typing import Any, Final

import numpy as np

from chaffinch import kernels
from chaffinch.errors import SetupError
from chaffinch.lazy import load_module
from chaffinch.metadata.sources import Evidence
from chaffinch.metadata.values import METAS, FieldCandidate, FieldValue, choose_value
from chaffinch.metadata.values import WORDS as LISTS
from chaffinch.wording import cause

SAMPLE: Final = 2_000  # characters of text that are examined
MODEL_SAMPLE, _MOST_OF_MODEL = 300, 1_000
"""Characters that the model classifies first, and those where the result isn't the declared
language or, where none is declared, isn't likely. Its time grows with their number. On 197 pages of
daniel, fundus and wcxb the languages are the same with 100 to 1000; with 300, confidences differ by
0.0005 in the mean. Of 128 texts without a declared one 113 are likely of one, and but for a Welsh
text that ends in English it is that of 2000."""
_LIKELY: Final = 0.9
MIN_LETTERS: Final = 40
"""Fewer letters don't identify a script, and less than twice as many no language. Of 1376 texts of
80 letters of trafilatura_eval, wcxb and fundus of which the model is sure (0.9) it names 3
otherwise than their labels (27 November 2026)."""
_TEXT_WEIGHT: Final = 0.9  # weight of a language identified with certainty
WORDS_SAMPLE: Final = 400  # characters of the text whose words are counted
MIN_WORDS: Final = 20  # fewer words give no result
_MIN_SHARE: Final = 0.2  # least share of function words among all
_MIN_RATIO: Final = 2  # least ratio to the count of the next language
# On 731 pages in Latin letters of daniel, fundus, wcxb and magic_html_article it gives a result
# for 435, always that of the labels and of py3langid on 2000 characters (21 November 2026).
WORDS: Final[dict[str, str]] = LISTS["languages"]
"""Language → its function words, in Latin letters."""
_ALIKE: Final[dict[str, list[str]]] = LISTS["languages_alike"]
"""Language → one that shares its short words, letters of its own, and short words of the other."""
_LANGUAGES_OF_WORD: Final = {
    word: tuple(code for code, words in WORDS.items() if word in words.split())
    for word in " ".join(WORDS.values()).split()
}
_BY_SCRIPT: Final[dict[str, dict[str, list[str]]]] = LISTS["scripts"]
"""The languages of scripts that several use, the commonest first. Of each: those of the script's
doubtful letters that it has; signs of which any long text has at least one; frequent short words;
endings of words, where what others write as a word of its own is joined."""
_FOREIGN: Final = 2  # what a letter that a language doesn't have counts against it; a word is 1
_QUOTED: Final = 0.01  # share of a text's letters that may be in words of another language
_LONG: Final = 250  # characters of a text that has one of a language's signs, if it is of it
_LEAST: Final = 5  # score from which a result may be certain
_CLEAR: Final = 1.3  # ratio to the next language from which it is
_BETWEEN_WORDS: Final = re.compile(r"[\s.,;:!?…«»\"“”„()\[\]।॥،؛؟–—-]+")
_RANGES: Final = [(int(start, 16), name) for start, name in LISTS["ranges of letters"]]
"""First letter, and script, of each range of letters; "" for those of none."""
_STARTS: Final = np.array([start for start, _ in _RANGES])
_BEYOND_LATIN: Final = _RANGES[1][0]
_DENSE: Final = frozenset(("han", "kana", "hangul"))
_SCRIPT_NAMES: Final = ("", *(name for _, name in _RANGES))
LANGUAGES: Final[dict[str, tuple[str, ...]]] = {
    **{script: tuple(codes.split()) for script, codes in LISTS["languages of scripts"].items()},
    **{script: tuple(traits) for script, traits in _BY_SCRIPT.items()},
}
"""Languages by script, the commonest first."""
_RARE: Final = {
    script: frozenset(codes.split()) for script, codes in LISTS["rare_languages"].items()
}
"""Languages of scripts, of which nothing else is known: what declares them is right."""
_NEVER_LATIN: Final = {codes[0] for script, codes in LANGUAGES.items() if script != "cyrillic"}
_SIBLINGS: Final = frozenset(("bs", "hr", "sr"))
_TAG: Final = re.compile(r"\A\s*+([A-Za-z]{2,3})(?![A-Za-z])")
_SYNONYMS: Final = {"nb": "no", "nn": "no", "iw": "he", "in": "id", "cn": "zh", "jp": "ja",
                    "gr": "el", "ua": "uk", "cz": "cs", "dk": "da", "se": "sv"}  # fmt: skip


def language(evidence: Evidence) -> FieldValue[str] | None:
    """Return the primary subtag (BCP 47) of the page's language; None if unknown."""
    text = sample(evidence)
    script = script_of(text)
    rare, codes = _RARE.get(script, frozenset()), LANGUAGES.get(script, ())
    declared = [
        one
        for one in _declared(evidence)
        if (one.value not in _NEVER_LATIN if script == "latin" else one.value in {*codes, *rare})
        or not script
    ]
    if codes:
        if any(one.value in rare for one in declared):
            return choose_value(declared)
        code, certain = codes[0], len(codes) == 1 or script == "han"
        if script in _BY_SCRIPT:
            code, certain, strangers = language_by_script(script, text)
            declared = [one for one in declared if one.value not in strangers]
        weight = _TEXT_WEIGHT if certain else 0.5  # of the likeliest of a script
        return choose_value([*declared, FieldCandidate(code, code, f"text:{script}", 0, weight)])
    found = choose_value(declared)
    if found is not None and len(found.agreeing) > 1:
        return found
    if script == "latin" and (code := language_by_words(text)):
        return choose_value([*declared, FieldCandidate(code, code, "text:words", 0, _TEXT_WEIGHT)])
    expected = found.value if found is not None else ""
    return choose_value([*declared, *_by_model(text, expected)])


def primary(tag: str) -> str:
    """Return the primary subtag of a language tag, such as "pt" of "pt_BR"; "" for no tag."""
    found = _TAG.match(tag)
    code = found[1].lower() if found else ""
    return _SYNONYMS.get(code, code)


def sample(evidence: Evidence) -> str:
    """Return a sample of the text: from the start of the content if known, else from the middle.

    Code in it isn't of the page's language.
    """
    page, text, start = evidence.page, evidence.page.text, evidence.content_start
    if start >= 0 and "pre" in page.tag_names:
        prose = page.written[start:] & ~page.inside(page.is_tag("pre"))[start:]
        rows = prose.nonzero()[0] + start
        rows = rows[: int(page.own_length[rows].cumsum().searchsorted(SAMPLE)) + 1]
        return " ".join(kernels.folded_texts(text, page.text_at[rows], page.text_at[rows + 1]))
    middle = max(0, (len(text) - SAMPLE) // 2)
    at = int(page.text_at[start]) if start >= 0 else middle
    ends = np.array([at, min(at + SAMPLE, len(text))], dtype=np.int32)
    return kernels.folded_texts(text, ends[:1], ends[1:])[0]


def script_of(text: str) -> str:
    """Return the script of most letters; "" where there are too few letters.

    Some kana make a text Japanese; Latin letters count half, since code and names use them, and
    those of East Asia twice, since a word has one or two.
    """
    if text.isascii():
        return "latin" if len(text) >= MIN_LETTERS else ""
    wide = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    beyond = wide[wide >= _BEYOND_LATIN]
    counts = np.bincount(np.searchsorted(_STARTS, beyond, "right"), minlength=len(_SCRIPT_NAMES))
    latin = int(np.count_nonzero(wide >= _STARTS[0])) - len(beyond)
    total: dict[str, float] = {"latin": latin} if latin else {}
    for place in counts.nonzero()[0].tolist():
        if name := _SCRIPT_NAMES[place]:
            total[name] = total.get(name, 0.0) + counts.item(place) * (1 + (name in _DENSE))
    if sum(total.values()) < MIN_LETTERS:
        return ""
    han = total.get("han", 0)
    if total.get("kana", 0) > max(0.05 * han, min(0.3 * han, MIN_LETTERS // 2)):
        total["kana"] += total.pop("han", 0)
    total["latin"] = total.get("latin", 0) / 2
    return max(total, key=total.__getitem__)


def _declared(evidence: Evidence) -> Iterator[FieldCandidate]:
    named = [
        (evidence.page.head.lang, "html:lang", 0, 0.7),
        *evidence.weighed_metas(METAS["language"]),
        *evidence.of_nodes("inLanguage", 0.5, "alternateName", "name"),
    ]
    for text, source, row, weight in named:
        if code := primary(text):
            yield FieldCandidate(code, code, source, row, weight)


def language_by_words(text: str) -> str:
    """Return the primary subtag of the language of ``text``; "" where they don't identify it.

    Words that several languages share, such as Danish and Norwegian, don't distinguish them.
    """
    words = text[:WORDS_SAMPLE].lower().split()
    if len(words) < MIN_WORDS:
        return ""
    counts = Counter(chain.from_iterable(filter(None, map(_LANGUAGES_OF_WORD.get, words))))
    code = max(counts, key=counts.__getitem__, default="")
    count, next_count = counts.pop(code, 0), max(counts.values(), default=0)
    if count < max(_MIN_SHARE * len(words), _MIN_RATIO * next_count):
        return ""
    return _or_alike(code, words)


def _or_alike(code: str, words: list[str]) -> str:
    """Return a language, or the one like it that the words of a text are of."""
    other, letters, own = _ALIKE.get(code, ("", "", ""))
    of_other = len({*own.split()}.intersection(words))
    is_other = of_other > sum(word.count(letter) for letter in letters for word in words)
    return other if is_other else code


def language_by_script(script: str, text: str) -> tuple[str, bool, frozenset[str]]:
    """Return the likeliest language of a script for a text, and whether it is certain.

    Third are the languages that the text can't be of, since too many of its letters aren't theirs.
    """
    traits = _BY_SCRIPT[script]
    low = text.lower()
    words = Counter(_BETWEEN_WORDS.split(low))
    owners = Counter(letter for letters, *_ in traits.values() for letter in letters)
    counts = {letter: count for letter in owners if (count := low.count(letter))}
    scores: dict[str, float] = {}
    foreign: dict[str, int] = {}
    for code, (letters, signs, frequent, joined) in traits.items():
        own, endings = frozenset(frequent.split()), tuple(joined.split())
        score: float = sum(words[word] for word in own)
        if endings:
            score += sum(n for w, n in words.items() if w not in own and w.endswith(endings))
        score += sum(counts.get(letter, 0) for letter in letters if owners[letter] == 1)
        foreign[code] = sum(n for letter, n in counts.items() if letter not in letters)
        score -= _FOREIGN * foreign[code]
        if signs and len(text) > _LONG and counts.keys().isdisjoint(signs):
            score = min(score, score / 4)  # a text of repeated words may have none
        scores[code] = score
    best, following = sorted(scores, key=scores.__getitem__, reverse=True)[:2]
    strangers = frozenset(code for code, n in foreign.items() if n > max(2, _QUOTED * len(text)))
    return best, scores[best] >= max(_LEAST, _CLEAR * scores[following]), strangers - {best}


def _by_model(text: str, expected: str) -> Iterator[FieldCandidate]:
    """Yield the language that the model predicts; ``expected`` is "" where nothing is declared."""
    classify = _model()
    if classify is None or len(text) < 2 * MIN_LETTERS:
        return
    code, probability = classify(text[:MODEL_SAMPLE])
    doubtful = primary(code) != expected if expected else probability < _LIKELY
    if doubtful and len(text) > MODEL_SAMPLE:
        code, probability = classify(text[:_MOST_OF_MODEL])
    code = primary(code)
    if code in _SIBLINGS:  # they share the probability of one that the model could tell
        own = "sr" if _or_alike("hr", text.lower().split()) == "sr" else code
        code, probability = (expected if expected in _SIBLINGS else own), 1.0
    weight = _TEXT_WEIGHT * min(max(float(probability), 0.0), 1.0)
    yield FieldCandidate(code, code, "text:py3langid", 0, weight)


@cache
def _model() -> Callable[[str], tuple[str, Any]] | None:
    """Return what classifies a text; None where py3langid isn't installed."""
    try:
        library = load_module("py3langid.langid")
    except ImportError:
        return None
    try:
        identifier = library.LanguageIdentifier.from_model_file(library.MODEL_FILE, norm_probs=True)
    except OSError as error:  # it unpacks its model to a temporary file
        raise SetupError(f"py3langid can't unpack its model: {cause(error)}") from error
    classify: Callable[[str], tuple[str, Any]] = identifier.classify
    return classify
