"""The language of a text by its short words and letters, reliable where they give a result.

About every fourth word of running text is one of a few dozen function words of its language. Words
that several languages share, such as Danish and Norwegian, don't distinguish them.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Final, NamedTuple

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
