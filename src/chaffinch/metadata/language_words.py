"""The language of a text by its function words: fast, and reliable where it gives a result.

About every fourth word of running text is one of a few dozen function words of its language. Words
that several languages share, such as Danish and Norwegian, don't distinguish them.
"""

from __future__ import annotations

from typing import Final

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
