"""The language of a text by its short words and letters, reliable where they give a result.

About every fourth word of running text is one of a few dozen function words of its language. Words
that several languages share, such as Danish and Norwegian, don't distinguish them.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np

from chaffinch import kernels
from chaffinch.errors import SetupError
from chaffinch.lazy import load_module
from chaffinch.metadata.sources import Evidence
from chaffinch.metadata.values import FieldCandidate, FieldValue, choose_value
from chaffinch.wording import cause

WORDS_SAMPLE: Final = 400  # characters of the text that are examined
MIN_WORDS: Final = 20  # fewer words give no result
MIN_SHARE: Final = 0.2  # least share of function words among all
MIN_RATIO: Final = 2  # least ratio to the count of the next language
# On 731 pages in Latin letters of daniel, fundus, wcxb and magic_html_article it gives a result
# for 435, always that of the labels and of py3langid on 2000 characters (21 November 2026).

WORDS: Final = {
    "en": "the of and to in is that for it with as was on are this be by at from have has not"
    " you or but they an we he his her their which will can who would there been more when"
    " what about if",
    "de": "der die und das ist nicht ein eine den dem des mit für auf von im zu auch sich als"
    " es an werden aus er hat dass sie nach bei um noch wie einen einer oder wird sind nur"
    " war über haben",
    "fr": "le la les des et est une du dans que pour qui sur pas plus par avec ce au il sont"
    " aux cette ont elle mais ou nous vous été leur ses",
    "es": "el la los las de que y en un una por con para del se al es lo como más pero sus su"
    " ha este esta son entre también fue",
    "it": "il di che la è e un una per non sono del della dei nel con le gli si da alla anche"
    " più come ha delle al questo dal nella",
    "pt": "o a os as de que e do da em um uma para com por não no na dos das se mais ao como"
    " foi são também pela seu sua pelo",
    "nl": "de het een van en in is dat op te zijn voor met niet aan er om ook als bij maar door"
    " naar wordt uit nog worden heeft hij deze",
    "sv": "och att det som en på är av för med till den har inte om ett var jag men så kan från"
    " eller när vi ska också",
    "da": "og at det som en på er af for med til den har ikke om et var jeg men så kan fra"
    " eller når vi skal også der blev være hvor",
    "no": "og at det som en på er av for med til den har ikke om et var jeg men så kan fra"
    " eller når vi skal også ble være hvor etter",
    "pl": "w i na z się do nie że jest o po przez od za dla jak oraz to są by tym co jego które"
    " który ale tej tak także będzie może",
    "cs": "a v se na je že s z do o i to k ve pro za by ale si po od které který jsou jako jeho"
    " také nebo bude",
    "tr": "ve bir bu da de için ile çok olarak olan daha gibi kadar sonra en ise ne var değil"
    " her o ki",
    "ro": "și de la în a cu pe pentru nu din mai care un o este au fost sau prin ca ce se să",
    "hu": "a az és hogy nem is egy ez meg csak de már volt még el van kell mint ki lesz",
    "fi": "ja on ei että se oli mutta myös kun hän ovat ole tai joka niin kuin sen mukaan",
    "id": "yang dan di dengan untuk ini itu dari tidak pada dalam akan ke adalah oleh juga atau"
    " ada saya bisa",
}
_LANGUAGES: Final = {
    word: tuple(code for code, words in WORDS.items() if word in words.split())
    for word in " ".join(WORDS.values()).split()
}


def language_by_words(text: str) -> str:
    """Return the primary subtag of the language of ``text``; "" where they don't identify it."""
    words = text[:WORDS_SAMPLE].lower().split()
    if len(words) < MIN_WORDS:
        return ""
    counts: dict[str, int] = {}
    for codes in filter(None, map(_LANGUAGES.get, words)):
        for code in codes:
            counts[code] = counts.get(code, 0) + 1
    if not counts:
        return ""
    code = max(counts, key=counts.__getitem__)
    count = counts.pop(code)
    next_count = max(counts.values(), default=0)
    return code if count >= max(MIN_SHARE * len(words), MIN_RATIO * next_count) else ""


class Traits(NamedTuple):
    """What tells a language from the others that are written in its script.

    Attributes:
        letters: those of the script's doubtful letters that it has.
        signs: of which any long text of it has at least one.
        words: frequent short words.
        endings: of words, where what others write as a word of its own is joined.
    """

    letters: str
    signs: str
    words: str
    endings: tuple[str, ...] = ()


BY_SCRIPT: Final[dict[str, dict[str, Traits]]] = {
    "cyrillic": {
        "ru": Traits("щъыэюяйёьи", "ы", "и в не на что он с как это по из но за от для его было"
                     " был была были к о то же так только который они или бы уже"),
        "uk": Traits("іїєґщюяйьи", "і", "і в не на що з до як та у за від для його було це про по"
                     " але є вже які який або також ще"),
        "bg": Traits("щъюяйьи", "ъ", "на и в се да за от е са че с по като не със във това ще до"
                     " към но при бяха беше който която които още"),
        "sr": Traits("ђјљњћџи", "ј", "је и у на да се за од су са не који као то која што из али"
                     " био била које о бити још"),
        "mk": Traits("ѓѕјљњќџи", "ј", "на и во се да за од е со што не ќе беше по како ги го тоа"
                     " која кој кои до или ја"),
        "be": Traits("іўыэюяйёь", "ўі", "і ў не на што з да як у за ад для яго было гэта па але"
                     " якія які або таксама ужо ён яна"),
        "kk": Traits("әғқңөұүһіыэюяйи", "қ", "және мен бір бұл үшін деп болып да де бар екен осы"
                     " ол туралы бойынша кейін болды еді"),
        "ky": Traits("ңөүыэюяйиё", "өү", "жана менен бир бул үчүн деп болуп да эле бар ал кийин"
                     " боюнча болгон эмес тууралуу ошол"),
        "mn": Traits("өүыэюяйиёьъ", "өү", "нь байна юм гэж энэ болон бол дээр ба улс байсан болсон"
                     " тул уу хэмээн гэсэн байгаа юу манай"),
        "tg": Traits("ғӣқӯҳҷъэюяйиё", "ҳ", "ва дар ба аз ки ин барои бо аст буд он ҳам шуд мебошад"
                     " то ҳар ё ки кард"),
        "tt": Traits("әөүҗңһыэюяйи", "ә", "һәм белән бу бер өчен дип да дә бар булган ул соң иде"
                     " буенча бик тагын"),
        "ba": Traits("әөүғҡңҙҫһыэюяйи", "ҡ", "һәм менән был бер өсөн тип да дә бар булған ул һуң"
                     " ине буйынса"),
        "uz": Traits("ўқғҳъэюяйиё", "ўқ", "ва бу бир учун билан ҳам деб бўлган бўлиб эди ўз"
                     " керак мумкин сўнг"),
        "cv": Traits("ӑӗҫӳыэюяйи", "ӑ", "тата пулнӑ та те вӑл ку мар ҫак пур"),
        "os": Traits("ӕъыюяйиэ", "ӕ", "ӕмӕ у уый ацы цы кӕй дӕр иу"),
    },
    "arabic": {
        "ar": Traits("ةىأإؤئيك", "ةأإى", "في من على إلى أن عن التي الذي هذا هذه مع كان كانت لا ما"
                     " بعد قال ولم وهو التى بين أو قد ذلك", ("ات", "ية", "ين", "ون")),
        "fa": Traits("پچژگکیؤئيك", "پچژگ", "که از به در را این است با آن برای های می شد بود و هم یک"
                     " شده کرد خود تا نیز بر کند بودند"),
        "ur": Traits("پچژگکیٹڈڑےںھہؤئ", "ےںہ", "کے کی میں ہے کا اور سے کو نے پر یہ ہیں کہ بھی تھا"
                     " ایک اس تھے تھی جو گیا"),
        "ps": Traits("پچژګکیټډړږښځڅېۍڼيئ", "ښېړږ", "د په او چې کې له دی ته یې سره هم دا وه هغه"
                     " لپاره"),
        "ckb": Traits("پچژگکیێۆڕڵەڤئ", "ە", "لە بە و کە بۆ ئەو ئەم لەگەڵ دا بوو هەر بەڵام کرد"),
        "ug": Traits("پچژگكيېۇۆۈەڭۋئ", "ەۇ", "بىلەن بۇ بىر ۋە ئۈچۈن دەپ ئۇ ھەم كېيىن"),
        "sd": Traits("پچگکيٻڀٺٽڦڄڃڇڊڌڍڏڙڪڳڱڻھ", "ڪڻ", "جي ۾ ۽ جو کي آهي سان تي نه جا ته هن کان"),
    },
    "devanagari": {
        "hi": Traits("ड़ढ़ँ", "", "है के की में का को और से पर यह हैं ने कि भी था थे थी इस एक लिए"
                     " कर जो वह गया नहीं हो ही तो"),
        "mr": Traits("ळऱ", "", "आहे आणि या हे ते व त्या आहेत होते होता होती नाही झाले झाली केली"
                     " केले करण्यात येथे मध्ये असे ही हा आले असून मात्र पण त्यांनी",
                     ("ांनी", "च्या", "तील", "साठी", "मध्ये", "ण्याचे", "ाचे", "ाची", "ाला", "ाने",
                      "वर", "ण्यास", "ंना")),
        "ne": Traits("ँ", "", "छ र पनि छन् हो थियो भएको गरेको गर्ने गर्न भने तथा यो त्यो लागि हुने"
                     " थिए गरे एक हुन् गर्दै अनि नै यस भन्ने छैन हुन्छ",
                     ("लाई", "हरू", "हरु", "को", "मा", "ले", "बाट", "एको", "हरूले", "सँग")),
        "sa": Traits("ॐऽ", "", "च अस्ति इति एव तु न भवति अपि सः तस्य अत्र तत्र यत् सन्ति आसीत्",
                     ("स्य", "म्", "ः", "ेन", "ानाम्")),
    },
    "hebrew": {
        "he": Traits("", "", "של את על לא הוא היא עם זה כי גם אל או אבל יש כל היה אך אם היו"),
        "yi": Traits("װײױ", "", "איז און די פון אויף האט ניט דער דאס מיט אין צו נישט וואס זיי"
                     " דעם אַ האָט דאָס"),
    },
    "bengali": {
        "bn": Traits("র", "র", "এই ও এবং করে থেকে একটি না হয় জন্য তার এর করা কিন্তু"),
        "as": Traits("ৰৱ", "ৰ", "আৰু এই পৰা কৰি এটা নাই হয় বাবে তেওঁ কৰা"),
    },
    "ethiopic": {
        "am": Traits("", "", "ነው እና ላይ ውስጥ ነበር ወደ ግን ይህ ያለው እንደ ናቸው"),
        "ti": Traits("", "", "እዩ ናይ ኣብ ካብ እቲ እዮም ከም ግን ነቲ ኣብቲ እዚ"),
    },
}  # fmt: skip
"""The languages of scripts that several use, the commonest first."""
_FOREIGN: Final = 2  # what a letter that a language doesn't have counts against it; a word is 1
_LONG: Final = 250  # characters of a text that has one of a language's signs, if it is of it
_LEAST: Final = 5  # score from which a result may be certain
_CLEAR: Final = 1.3  # ratio to the next language from which it is
_BETWEEN_WORDS: Final = re.compile(r"[\s.,;:!?…«»\"“”„()\[\]।॥،؛؟–—-]+")


def language_by_script(script: str, text: str) -> tuple[str, bool]:
    """Return the likeliest language of a script for a text, and whether it is certain."""
    traits = BY_SCRIPT[script]
    low = text.lower()
    words = Counter(_BETWEEN_WORDS.split(low))
    owners = Counter(letter for one in traits.values() for letter in one.letters)
    counts = {letter: count for letter in owners if (count := low.count(letter))}
    scores = {}
    for code, one in traits.items():
        own = frozenset(one.words.split())
        score = sum(words[word] for word in own)
        if one.endings:
            score += sum(n for w, n in words.items() if w not in own and w.endswith(one.endings))
        score += sum(counts.get(letter, 0) for letter in one.letters if owners[letter] == 1)
        score -= _FOREIGN * sum(n for letter, n in counts.items() if letter not in one.letters)
        if one.signs and len(text) > _LONG and counts.keys().isdisjoint(one.signs):
            score = min(score, 0)
        scores[code] = score
    best, following = sorted(scores, key=scores.__getitem__, reverse=True)[:2]
    return best, scores[best] >= max(_LEAST, _CLEAR * scores[following])


_NEEDED: Final = ("nb_classes", "nb_pc", "nb_ptc", "tk_nextmove", "tk_output", "tk_row")


class LanguageModel:
    """A naive Bayes model over features of bytes.

    Args:
        identifier: a ``LanguageIdentifier`` of py3langid, whose arrays are shared.
    """

    def __init__(self, identifier: Any) -> None:
        self._classes: list[str] = list(identifier.nb_classes)
        self._prior = np.asarray(identifier.nb_pc)
        self._table = np.asarray(identifier.nb_ptc, dtype=np.float16).view(np.uint16)
        self._moves = np.asarray(identifier.tk_nextmove, dtype=np.uint32)
        self._rows = np.asarray(identifier.tk_row, dtype=np.uint16)
        self._outputs = np.array(identifier.tk_output, dtype=np.int32)
        first = {name: at for at, name in reversed(list(enumerate(self._classes)))}
        self._again = [
            (first[name], at) for at, name in enumerate(self._classes) if first[name] != at
        ]

    @staticmethod
    def fits(identifier: Any) -> bool:
        """Return whether an identifier has what is read here; other releases may not."""
        return all(hasattr(identifier, name) for name in _NEEDED)

    def classify(self, text: str) -> tuple[str, float]:
        """Return the language of a text and its probability, 0..1."""
        text = text.lower() if text.isupper() else text
        text = text if text.isascii() else unicodedata.normalize("NFC", text)
        data = text.encode("utf-8", "surrogatepass")
        scores = self._scores(data)
        scores *= 1.0 / math.sqrt(len(data) or 1)
        scores -= np.maximum.reduce(scores)
        np.exp(scores, out=scores)
        scores /= np.add.reduce(scores)
        for one, again in self._again:  # a language that stands there twice
            scores[one] += scores[again]
            scores[again] = 0.0
        best = int(scores.argmax())
        return self._classes[best], float(scores[best])

    def _scores(self, data: bytes) -> np.ndarray[Any, np.dtype[np.float32]]:
        """Return float32[c]: the logarithm of each language's probability, up to a constant."""
        found, counts = kernels.counted_outputs(self._moves, self._rows, self._outputs, data)
        if not len(found):
            return np.zeros(len(self._classes), dtype=np.float32)
        weights = np.log1p(counts.astype(np.float32))
        scores: np.ndarray[Any, np.dtype[np.float32]] = kernels.half_sums(
            self._table, found, weights
        )
        scores += self._prior
        return scores


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
