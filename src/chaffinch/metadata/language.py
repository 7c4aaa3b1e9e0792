"""The language of the page: the declared one, verified against the text.

Templates often declare a language that the page isn't in. The script, its letters and short words
identify most languages without a model, and so do the function words of texts in Latin script.
Where neither does,
`py3langid` of the extra ``chaffinch[language]`` is used, if it is installed; else such a page has
its declared language.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from chaffinch import kernels
from chaffinch.errors import SetupError
from chaffinch.lazy import load_module
from chaffinch.metadata.candidates import FieldCandidate, choose_value
from chaffinch.metadata.language_model import LanguageModel
from chaffinch.metadata.language_words import BY_SCRIPT, language_by_script, language_by_words
from chaffinch.wording import cause

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from chaffinch.metadata.evidence import Evidence
    from chaffinch.metadata.field_value import FieldValue

SAMPLE: Final = 2_000  # characters of text that are examined
MODEL_SAMPLE: Final = 300
"""Characters that the model classifies first; the whole sample only where the result differs from
the declared language. Its time grows with their number. On 197 pages of daniel, fundus and wcxb the
languages are the same with 100 to 1000 as with all; with 300 confidences differ by 0.0005 in the
mean."""
MIN_LETTERS: Final = 40  # fewer letters don't identify a language
_TEXT_WEIGHT: Final = 0.9  # weight of a language identified with certainty
_DOUBTFUL_WEIGHT: Final = 0.5  # of the likeliest one of a script
_RANGES: Final = (
    (0x41, "latin"), (0x250, ""), (0x370, "greek"), (0x400, "cyrillic"), (0x530, "armenian"),
    (0x590, "hebrew"), (0x600, "arabic"), (0x780, "thaana"), (0x7C0, ""),
    (0x900, "devanagari"), (0x980, "bengali"), (0xA00, "gurmukhi"), (0xA80, "gujarati"),
    (0xB00, "oriya"), (0xB80, "tamil"), (0xC00, "telugu"),
    (0xC80, "kannada"), (0xD00, "malayalam"), (0xD80, "sinhala"), (0xE00, "thai"), (0xE80, "lao"),
    (0xF00, "tibetan"), (0x1000, "burmese"), (0x10A0, "georgian"), (0x1100, "hangul"),
    (0x1200, "ethiopic"),
    (0x1380, ""), (0x1780, "khmer"), (0x1800, ""), (0x1E00, "latin"), (0x1F00, "greek"),
    (0x2000, ""), (0x3040, "kana"), (0x3100, ""), (0x3400, "han"), (0xA000, ""),
    (0xAC00, "hangul"), (0xD7B0, ""), (0xF900, "han"), (0xFB00, ""),
)  # fmt: skip
_STARTS: Final = np.array([start for start, _ in _RANGES])
_BEYOND_LATIN: Final = _RANGES[1][0]
"""The first code point after the letters that most texts consist of."""
_NO_LETTERS: Final = bytes(range(_RANGES[0][0]))
"""Code points before the first letter."""
_SCRIPT_NAMES: Final = ("", *(name for _, name in _RANGES))
LANGUAGES: Final[dict[str, tuple[str, ...]]] = {
    "greek": ("el",), "armenian": ("hy",), "thaana": ("dv",), "gurmukhi": ("pa",),
    "gujarati": ("gu",), "oriya": ("or",), "tamil": ("ta",), "telugu": ("te",),
    "kannada": ("kn",), "malayalam": ("ml",), "sinhala": ("si",), "thai": ("th",), "lao": ("lo",),
    "tibetan": ("bo", "dz"), "burmese": ("my",), "georgian": ("ka",), "hangul": ("ko",),
    "khmer": ("km",), "kana": ("ja",), "han": ("zh", "yue", "ja"),
    **{script: tuple(traits) for script, traits in BY_SCRIPT.items()},
}  # fmt: skip
"""Languages by script, the commonest first."""
_NEVER_LATIN: Final = {codes[0] for script, codes in LANGUAGES.items() if script != "cyrillic"}
_SIBLINGS: Final = frozenset(("bs", "hr", "sr"))
_METAS: Final = {
    "og:locale": 0.5, "content-language": 0.5, "language": 0.4, "dc.language": 0.5,
    "dcterms.language": 0.5, "inlanguage": 0.5,
}  # fmt: skip

_TAG: Final = re.compile(r"\A\s*+([A-Za-z]{2,3})(?![A-Za-z])")
_SYNONYMS: Final = {"nb": "no", "nn": "no", "iw": "he", "in": "id", "cn": "zh", "jp": "ja",
                    "gr": "el", "ua": "uk", "cz": "cs", "dk": "da", "se": "sv"}  # fmt: skip


def language(evidence: Evidence) -> FieldValue[str] | None:
    """Return the primary subtag (BCP 47) of the page's language; None if unknown."""
    text = sample(evidence)
    script = script_of(text)
    fitting = LANGUAGES.get(script)
    declared = [one for one in _declared(evidence) if _fits(one.value, script)]
    if fitting:
        return choose_value([*declared, _by_letters(script, text)])
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


def script_of(text: str) -> str:
    """Return the script of most letters; "" where there are too few letters.

    Some kana make a text Japanese; Latin letters count half, since code and names use them.
    """
    if text.isascii():
        return "latin" if len(text) >= MIN_LETTERS else ""
    plain = text.encode("ascii", "ignore")
    known = len(plain.translate(None, _NO_LETTERS))
    if known >= MIN_LETTERS and known > 2 * (len(text) - len(plain)):
        return "latin"  # whatever the others are, for all of them together are fewer than half
    wide = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    beyond = wide[wide >= _BEYOND_LATIN]
    counts = np.bincount(np.searchsorted(_STARTS, beyond, "right"), minlength=len(_SCRIPT_NAMES))
    latin = int(np.count_nonzero(wide >= _STARTS[0])) - len(beyond)
    total: dict[str, float] = {"latin": latin} if latin else {}
    for name, count in zip(_SCRIPT_NAMES, counts.tolist(), strict=True):
        if name and count:
            total[name] = total.get(name, 0.0) + count
    if sum(total.values()) < MIN_LETTERS:
        return ""
    if (
        total.get("kana", 0) > 0.05 * total.get("han", 0)
        and total.get("kana", 0) > MIN_LETTERS // 4
    ):
        total["kana"] += total.pop("han", 0)
    total["latin"] = total.get("latin", 0) / 2
    return max(total, key=total.__getitem__)


def sample(evidence: Evidence) -> str:
    """Return a sample of the text: from the start of the content if known, else from the middle."""
    text, start = evidence.page.text, evidence.content_start
    middle = max(0, (len(text) - SAMPLE) // 2)
    at = int(evidence.page.text_at[start]) if start >= 0 else middle
    ends = np.array([at, min(at + SAMPLE, len(text))], dtype=np.int32)
    return kernels.folded_texts(text, ends[:1], ends[1:])[0]


def _declared(evidence: Evidence) -> Iterator[FieldCandidate]:
    page = evidence.page
    named = [("html:lang", 0, page.head.lang, 0.7)]
    for name, weight in evidence.among(_METAS):
        named += [(source, row, text, weight) for row, source, text in evidence.metas(name)]
    for node in evidence.main_nodes:
        text = evidence.graph.text(node.properties.get("inLanguage"), "alternateName", "name")
        named.append((node.source("inLanguage"), node.row, text, 0.5))
    for source, row, text, weight in named:
        if code := primary(text):
            yield FieldCandidate(code, code, source, row, weight)


def _fits(code: str, script: str) -> bool:
    if not script:
        return True
    if script == "latin":
        return code not in _NEVER_LATIN
    return code in LANGUAGES[script]


def _by_letters(script: str, text: str) -> FieldCandidate:
    codes = LANGUAGES[script]
    if script in BY_SCRIPT:
        code, certain = language_by_script(script, text)
    else:
        code, certain = codes[0], len(codes) == 1 or script == "han"
    weight = _TEXT_WEIGHT if certain else _DOUBTFUL_WEIGHT
    return FieldCandidate(code, code, f"text:{script}", 0, weight)


def _by_model(text: str, expected: str) -> Iterator[FieldCandidate]:
    """Yield the language that the model predicts; from the start alone if that is ``expected``.

    Nothing is expected ("") where nothing is declared.
    """
    classify = _model()
    if classify is None or len(text) < 4 * MIN_LETTERS:
        return
    code, probability = classify(text[:MODEL_SAMPLE] if expected else text)
    if expected and primary(code) != expected and len(text) > MODEL_SAMPLE:
        code, probability = classify(text)
    code = primary(code)
    if code in _SIBLINGS:  # they share the probability of one that the model could tell
        code, probability = (expected if expected in _SIBLINGS else code), 1.0
    yield FieldCandidate(
        code, code, "text:py3langid", 0, _TEXT_WEIGHT * min(max(float(probability), 0.0), 1.0)
    )


@cache
def _model() -> Callable[[str], tuple[str, Any]] | None:
    """Return what classifies a text; None where py3langid isn't installed.

    Raises:
        SetupError: its model can't be loaded, for the disk is full.
    """
    try:
        library = load_module("py3langid.langid")
    except ImportError:
        return None
    try:
        identifier = library.LanguageIdentifier.from_model_file(library.MODEL_FILE, norm_probs=True)
    except OSError as error:  # it unpacks its model to a temporary file
        raise SetupError(f"py3langid can't unpack its model: {cause(error)}") from error
    own = LanguageModel(identifier) if LanguageModel.fits(identifier) else identifier
    classify: Callable[[str], tuple[str, Any]] = own.classify
    return classify
