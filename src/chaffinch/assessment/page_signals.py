"""What a signal of a page is, and the forms that lengths and counts have in it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from chaffinch.assessment.shell import shell_features
from chaffinch.caching import cached_property
from chaffinch.model.block_scores import BlockScores, Model, score_blocks, shipped
from chaffinch.page import Page, tags
from chaffinch.page.arrays import Mask
from chaffinch.segment.prose_length import block_prose
from chaffinch.segment.text_blocks import TextBlocks, text_blocks

Rows = tuple[int, ...]
Signal = tuple[str, float, Rows]
"""Name, value, rows that it was measured on."""

MOST_ROWS: Final = 8
"""Rows of a signal that are kept: the first ones."""
_LITTLE: Final = 600.0
"""Characters of content at which `MeasuredPage.emptiness` is a half: between an error's text and an
article's."""
_TEASER: Final = 700.0
"""Characters of a teaser before a wall, in the middle."""


class Logarithm(float):
    """The logarithm of a count or length, 0 for 0, which knows itself as one."""

    __slots__ = ()


def log_of(value: float) -> Logarithm:
    """Return the logarithm of a count or length, 0 for 0."""
    return Logarithm(np.log1p(value))


def first_rows(rows: Sequence[int] | NDArray[Any]) -> Rows:
    """Return the first `MOST_ROWS` of rows as plain numbers."""
    return tuple(int(row) for row in rows[:MOST_ROWS])


def emptiness_of(content: float) -> float:
    """Return 1 for no content, a half at `_LITTLE` characters, to 0."""
    return 1 / (1 + (content / _LITTLE) ** 2)


def middling(prose: float) -> float:
    """Return how much a length of prose is like that of a teaser: 1 at `_TEASER` characters."""
    return float(np.exp(-(np.log((prose + 1) / _TEASER) ** 2)))


PHRASES: Final[dict[str, tuple[str, ...]]] = {
    "error_page": tuple(
        "not found|doesn't exist|does not exist|no longer available|no longer exist|be found"
        "|went wrong|internal server error|bad gateway|unavailable|not available|been removed"
        "|不存在|找不到|未找到|无法找到|已被删除|出错|服务器错误"
        "|見つかりません|存在しません|削除された|エラーが発生|ご利用いただけません"
        "|nicht gefunden|existiert nicht|nicht verfügbar|nicht mehr verfügbar|serverfehler"
        "|introuvable|n'existe|n’existe|pas trouvée|erreur interne|indisponible"
        "|no encontrada|no se encuentra|no existe|no se ha encontrado|no disponible"
        "|error interno"
        "|не найден|не существует|недоступн|удалена|ошибка сервера|внутренняя ошибка"
        "|غير موجودة|لم يتم العثور|غير متوفرة|غير متاحة|خطأ في الخادم"
        "|non trovata|non trovato|non esiste|non è disponibile|non disponibile|non è più"
        "|errore interno|si è verificato un errore"
        "|não encontrada|não encontrado|não existe|não está disponível|indisponível"
        "|foi removid|erro interno|algo deu errado"
        "|찾을 수 없|존재하지 않|삭제되었|삭제된|오류가 발생|일시적인 오류|이용할 수 없"
        "|nie znaleziono|nie istnieje|niedostępn|została usunięta|nie można znaleźć"
        "|błąd serwera|wystąpił błąd"
        "|bulunamadı|mevcut değil|kaldırılmış|sunucu hatası|bir hata oluştu|ters gitti"
        "|niet gevonden|bestaat niet|niet beschikbaar|is verwijderd|interne fout"
        "|ging iets mis|misgegaan"
        "|tidak ditemukan|tidak tersedia|tidak ada|telah dihapus|terjadi kesalahan"
        "|không tìm thấy|không tồn tại|đã xảy ra lỗi"
        "|не знайдено|не існує|помилка сервера|یافت نشد|پیدا نشد|وجود ندارد"
        "|خطای سرور|नहीं मिला|उपलब्ध नहीं|मौजूद नहीं".split("|")
    ),
    "block_page": tuple(
        "captcha|human|a robot|access denied|unusual traffic|your browser|verify you|forbidden"
        "|blocked|too many requests|automated|security check"
        "|验证码|安全验证|访问被拒绝|人机验证|过于频繁|异常"
        "|アクセスが拒否|ロボットでは|アクセスが集中|不正なアクセス|認証を行"
        "|kein roboter|zugriff verweigert|sicherheitsüberprüfung|ungewöhnlich|gesperrt"
        "|pas un robot|accès refusé|vérification de sécurité|trafic inhabituel|bloqué"
        "|un robot|acceso denegado|tráfico inusual|bloqueado"
        "|не робот|доступ запрещ|доступ ограничен|подозрительн|заблокирован"
        "|روبوت|رفض الوصول|تم حظر|حركة مرور غير"
        "|non sono un robot|non sei un robot|accesso negato|verifica di sicurezza"
        "|traffico insolito|bloccato|essere umano"
        "|não sou um robô|não é um robô|acesso negado|verificação de segurança"
        "|tráfego incomum|ser humano"
        "|로봇이 아닙니다|접근이 거부|접근이 차단|차단되었|보안 확인|자동 입력 방지|비정상적인"
        "|nie jestem robotem|dostęp zabroniony|odmowa dostępu|zablokowan|nietypowy ruch"
        "|jesteś człowiekiem"
        "|robot değil|erişim engellendi|erişim reddedildi|güvenlik doğrulama|olağandışı"
        "|insan olduğ"
        "|geen robot|toegang geweigerd|beveiligingscontrole|ongebruikelijk|geblokkeerd"
        "|een mens bent"
        "|bukan robot|akses ditolak|diblokir|bahwa anda manusia|không phải là người máy"
        "|không phải robot|từ chối truy cập|bị chặn"
        "|доступ заборонено|заблоковано|ربات نیستید|ربات نیستم|دسترسی ممنوع|مسدود"
        "|रोबोट नहीं|पहुँच अस्वीकृत|अवरुद्ध".split("|")
    ),
    "login": tuple(
        "log in|sign in|login|password|forgot|create an account|members only"
        "|登录|登陆|密码|注册|ログイン|パスワード|会員登録"
        "|anmelden|einloggen|passwort|registrieren|connexion|se connecter|connectez"
        "|mot de passe"
        "|iniciar sesión|inicia sesión|contraseña|regístr|войти|вход|пароль|регистрац"
        "|تسجيل الدخول|كلمة المرور|كلمة السر|إنشاء حساب"
        "|accedi|registrati|password dimenticata|nome utente|fazer login|iniciar sessão"
        "|entre na sua conta|palavra-passe|senha|cadastre-se"
        "|로그인|비밀번호|회원가입|zaloguj|hasło|załóż konto|zarejestruj|giriş yap|şifre"
        "|parola|üye ol|kayıt ol|oturum aç"
        "|inloggen|wachtwoord|aanmelden|registreren|kata sandi|masuk ke akun|daftar akun"
        "|đăng nhập|mật khẩu|đăng ký"
        "|увійти|вхід|реєстрац|رمز عبور|ورود به|ثبت نام|گذرواژه|लॉग इन|पासवर्ड|साइन इन".split("|")
    ),
    "paywall": tuple(
        "subscribe to continue|subscribe to read|subscribe to keep|subscribe to unlock"
        "|subscribers only|for subscribers|exclusive to|already a subscriber|continue reading"
        "|unlock|free articles"
        "|read the full|keep reading|view the full story|unlimited access"
        "|订阅后|会员专享|付费|剩余内容|开通会员|解锁|有料会員|会員限定|続きを読む|残り"
        "|有料記事|有料プラン"
        "|für abonnenten|weiterlesen|jetzt abonnieren|freien artikel|aux abonnés|nos abonnés"
        "|abonnez-vous|lire la suite|il vous reste|articles gratuits|para suscriptores"
        "|seguir leyendo|artículos gratuitos|tienen suscripción|по подписке|оформите подписку"
        "|подписчикам|продолжить чтение|бесплатные статьи"
        "|للمشتركين|متابعة القراءة|مقالاتك المجانية|لأصحاب الاشتراك"
        "|abbonati per|per gli abbonati|riservato agli abbonati|già abbonato"
        "|continua a leggere|articolo per abbonati|sblocca"
        "|assine para|para assinantes|exclusivo para assinantes|já é assinante|continue lendo"
        "|continuar a ler|artigos grátis"
        "|구독자 전용|구독하면|유료 회원|계속 읽으려면|이어서 보시려면|dla prenumeratorów"
        "|dla subskrybentów|wykup dostęp|czytaj dalej"
        "|abonelere özel|abone olun|okumaya devam|devamını okumak|voor abonnees|lees verder"
        "|verder lezen|al abonnee|neem een abonnement"
        "|khusus pelanggan|berlangganan untuk|lanjutkan membaca|dành cho thuê bao"
        "|đăng ký để đọc|đọc tiếp|передплатник|за передплатою|читати далі"
        "|ویژه مشترکان|مشترک شوید|ادامه مطلب|ग्राहकों के लिए|सदस्यता लें|पूरा पढ़ने".split("|")
    ),
    "consent_wall": tuple(
        "cookie|consent|your privacy|accept all|reject all|our partners"
        "|隐私|接受全部|同意|クッキー|プライバシー|akzeptieren|datenschutz|zustimm|einwillig"
        "|accepter|vie privée|partenaires|aceptar|privacidad|consentimiento"
        "|принять|конфиденциальн|согласи|ملفات تعريف الارتباط|الخصوصية|قبول"
        "|accetta tutt|rifiuta tutt|informativa sulla privacy|consenso|aceitar tud"
        "|aceitar todos|rejeitar|privacidade|consentimento"
        "|모두 동의|쿠키|개인정보|동의합니다|ciasteczk|zaakceptuj|akceptuję|prywatnoś"
        "|wyrażam zgodę|çerez|kabul et|gizlilik"
        "|accepteren|akkoord|toestemming|privacybeleid|terima semua|setujui|kebijakan privasi"
        "|chấp nhận|đồng ý|quyền riêng tư"
        "|прийняти|погодж|конфіденційн|файли cookie|کوکی|می‌پذیرم|حریم خصوصی|कुकी|स्वीकार"
        "|गोपनीयता".split("|")
    ),
    "shell": tuple(
        "enable javascript|javascript is|requires javascript|need to enable"
        "|turn on javascript|loading"
        "|加载中|启用javascript|请开启|読み込み|javascriptを有効|wird geladen"
        "|javascript aktivieren"
        "|chargement|activer javascript|activez javascript|cargando|habilite javascript"
        "|habilitar javascript|загрузка|включите javascript"
        "|caricamento|carregando|a carregar|로딩|불러오는|ładowanie|wczytywanie|yükleniyor"
        "|memuat|đang tải|завантаження|جار التحميل|در حال بارگذاری|लोड हो रहा".split("|")
    ),
    "parked": tuple(
        "for sale|this domain|domain is|domain name|make an offer|related searches|inquire"
        "|域名|转让|相关搜索|ドメイン|販売中|steht zum verkauf|domain kaufen|à vendre"
        "|nom de domaine"
        "|en venta|dominio|продается|продаётся|домен|للبيع|النطاق|نطاق"
        "|in vendita|questo dominio|à venda|este domínio|domínio|도메인|판매 중|na sprzedaż"
        "|domena|satılık|alan adı|te koop|domeinnaam|deze domein"
        "|dijual|nama domain|tên miền|đang bán|продається|فروشی|دامنه|बिक्री के लिए|डोमेन".split("|")
    ),
}
"""State → phrases on its pages, in lower case."""

NAMES: Final[dict[str, tuple[str, ...]]] = {
    "error_page": tuple("404 notfound not-found not_found error errorpage".split()),
    "block_page": tuple("captcha challenge turnstile antibot anti-bot bot-check verify".split()),
    "login": tuple("login log-in signin sign-in logon auth password".split()),
    "paywall": tuple("paywall regwall subscri premium metered member locked paid".split()),
    "truncation": tuple("fade gradient truncat blur teaser preview excerpt".split()),
    "consent_wall": tuple("consent cookie gdpr privacy cmp".split()),
    "parked": tuple("parked parking forsale for-sale domain".split()),
    "shell": tuple("skeleton shimmer placeholder spinner loader loading preload".split()),
}
"""Signal → parts of class names and ids that are evidence for it, in lower case."""

CONTENT_NAMES: Final = tuple("content article story entry post body detail text".split())
"""Parts of class names and ids of elements that are the place of the content."""

STATUS_IN_TEXT: Final = re.compile(
    r"(?<![\d.,])(?:40[013459]|410|418|429|451|50[0-4]|52[0-7])(?![\d.,]\d|\d|\w)"
)
"""A number that HTTP has for errors, alone: titles and headings of error pages have it."""

REFERENCE: Final = re.compile(
    r"(?<![\w.])(?:[0-9a-f]{10,64}|\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3})(?![\w.])"
)
"""A number that who refuses a caller gives it, in lower case: in hexadecimal, or its address."""

PRICE: Final = re.compile(
    r"[$£€¥₹₩₽₺]\s?\d|\d[.,]\d\d\s?(?:[€$£₹₺₽]|zł|kč|kr\b|lei\b|ft\b|eur\b|usd\b|chf\b|руб|грн|円|元|원)"
)
"""An amount of money, in lower case."""

DOMAIN_NAME: Final = re.compile(r"(?<![\w.@/-])[\w-]{1,63}\.[a-z]{2,24}(?![\w@/-])")
"""What looks like a domain name, in lower case."""

SERVER_ERROR_IN_TEXT: Final = re.compile(r"(?<![\d.,])(?:50[0234]|52[0-7])(?![\d.,]\d|\d|\w)")
"""Such a number of a server's own errors."""


_RUN: Final = 3
_BITS: Final = 16
_FACTORS: Final = np.array([31, 1021, 33391], dtype=np.uint32)


def phrases_in(text: str) -> dict[str, tuple[str, ...]]:
    """Return state → the phrases of `PHRASES` that stand in a text of lower case, in order."""
    states, phrases, hashes, starts = _phrases()
    known = np.zeros(1 << _BITS, dtype=bool)
    known[_hashes(text)] = True
    held = np.logical_and.reduceat(known[hashes], starts)
    found: dict[str, list[str]] = {state: [] for state in PHRASES}
    for at in np.flatnonzero(held).tolist():
        if phrases[at] in text:
            found[states[at]].append(phrases[at])
    return {state: tuple(some) for state, some in found.items()}


@cache
def _phrases() -> tuple[list[str], list[str], NDArray[np.uint32], NDArray[np.int64]]:
    """Return states and phrases, the hashes of their runs end to end, and where each begins.

    A phrase that is shorter than a run has the hash 0, which every text is given.
    """
    pairs = [(state, phrase) for state, some in PHRASES.items() for phrase in some]
    hashes = [_hashes(phrase)[1:] if len(phrase) >= _RUN else _hashes("") for _, phrase in pairs]
    starts = np.cumsum([0, *map(len, hashes)])[:-1]
    return [one for one, _ in pairs], [one for _, one in pairs], np.concatenate(hashes), starts


def _hashes(text: str) -> NDArray[np.uint32]:
    """Return 0, and the hash of each run of a text."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    count = max(len(codes) - _RUN + 1, 0)
    hashes = np.zeros(count + 1, dtype=np.uint32)
    for at, factor in enumerate(_FACTORS):
        hashes[1:] ^= codes[at : at + count] * factor
    return hashes & np.uint32((1 << _BITS) - 1)


LONG: Final = 60
"""Characters from which on a block is prose."""
_LIKELY: Final = 0.5
"""Score from which on a block counts as content."""
_SHORT: Final = 400
"""Characters of a block that is searched for phrases."""
_MOST_SEARCHED: Final = 8000
"""Characters of such blocks that are searched in all."""
_CHROME: Final = tags.table("nav header footer aside form noscript dialog".split())
_FRAME: Final = tags.table("nav header footer aside".split())
_CONTAINERS: Final = tags.table("div main section article ul ol table td form #unknown".split())
_FILLED: Final = tags.table(
    "img image iframe video audio object embed canvas input select textarea button svg".split()
)
OPEN_ENDS: Final = ("…", "...", "[…]")
SENTENCE_ENDS: Final = tuple(".!?。！？…»”\"')）」』:;؟।")
_HEADINGS: Final = ("h1", "h2", "h3")
_HEADINGS_READ: Final = 40
_NAME: Final = 3  # characters of a heading that a title can name


@dataclass(frozen=True, eq=False)
class MeasuredPage:
    """What several signals are made of.

    Attributes:
        page: the page.
        model: page-level model that scores its blocks; None for that which comes with the package.
    """

    page: Page
    model: Model | None = None

    @cached_property
    def blocks(self) -> TextBlocks:
        """The text blocks of the page."""
        return text_blocks(self.page)

    @cached_property
    def prose(self) -> NDArray[np.float64]:
        """float64[m]: characters outside links of each block, East Asian ones as three."""
        return block_prose(self.blocks)

    @cached_property
    def in_chrome(self) -> Mask:
        """bool[m]: blocks in navigation, header, footer, aside, form or dialog."""
        return self.blocks.inside(_CHROME)

    @cached_property
    def chrome_rows(self) -> Mask:
        """bool[n]: rows in navigation, header, footer or aside."""
        return self.page.inside(_FRAME[self.page.tag])

    @cached_property
    def main_prose(self) -> float:
        """Characters of prose outside chrome."""
        return float(self.prose[(self.prose >= LONG) & ~self.in_chrome].sum())

    @cached_property
    def scores(self) -> BlockScores | None:
        """What the page-level model makes of the blocks; None where there are none."""
        return score_blocks(self.page, model=self.model) if len(self.prose) else None

    @cached_property
    def score(self) -> NDArray[np.float64]:
        """float64[m]: how likely each block is content, 0..1."""
        return np.zeros(0) if self.scores is None else self.scores.score.astype(np.float64)

    @cached_property
    def kinds(self) -> dict[str, float]:
        """Page type → how likely it is, 0..1."""
        names = (self.model or shipped()).kinds
        if self.scores is None:
            return dict.fromkeys(names, 0.0)
        return dict(zip(names, self.scores.kinds.tolist(), strict=True))

    @cached_property
    def is_content(self) -> Mask:
        """bool[m]: blocks that are more likely content than not."""
        return np.asarray(self.score >= _LIKELY)

    @cached_property
    def content(self) -> float:
        """Characters outside links in blocks that are content."""
        return float(self.prose[self.is_content].sum())

    @cached_property
    def emptiness(self) -> float:
        """1 for a page without content, a half at `_LITTLE` characters, to 0."""
        return emptiness_of(self.content)

    @cached_property
    def holders(self) -> NDArray[np.intp]:
        """intp[m]: parents of the elements that own the blocks."""
        return np.maximum(self.page.parent[self.blocks.owner], 0)

    @cached_property
    def lone_content(self) -> float:
        """Characters of content in `is_lone`."""
        return float(self.prose[self.is_lone].sum())

    @cached_property
    def is_lone(self) -> Mask:
        """bool[m]: blocks of content whose holder has no other element of its tag and classes.

        Teasers stand in elements that repeat; so do posts.
        """
        page = self.page
        rows = np.unique(self.holders[self.is_content]).tolist() if len(self.prose) else []
        keys = [(int(page.tag[row]), page.attribute(row, "class")) for row in rows]
        counts = Counter(keys)
        lone = [row for row, key in zip(rows, keys, strict=True) if counts[key] == 1]
        return np.asarray(self.is_content & np.isin(self.holders, lone))

    @cached_property
    def most_held(self) -> float:
        """Characters of content of the element that holds most of it in its own children.

        An article's paragraphs stand beside each other; teasers each have an element of their own.
        """
        if not len(self.prose):
            return 0.0
        return float(np.bincount(self.holders, np.where(self.is_content, self.prose, 0.0)).max())

    @cached_property
    def thinness(self) -> float:
        """As `emptiness`, of the content that one element holds."""
        return emptiness_of(self.most_held)

    @cached_property
    def holes(self) -> NDArray[np.intp]:
        """Rows of the outermost containers outside chrome without text, pictures and fields."""
        page = self.page
        if not len(page):
            return np.zeros(0, dtype=np.intp)
        bare = (page.length == 0) & (page.total(_FILLED[page.tag]) == 0) & _CONTAINERS[page.tag]
        holes = bare & page.shown & ~self.chrome_rows
        return np.flatnonzero(holes & ~holes[np.maximum(page.parent, 0)])

    @cached_property
    def unread(self) -> list[int]:
        """Rows that are hidden from screen readers."""
        page = self.page
        hidden = page.having("aria-hidden") if len(page) else ()
        return [row for row, value in hidden if value == "true"]

    @cached_property
    def declares_article(self) -> float:
        """1 where the head declares an article: Open Graph, or JSON-LD with a headline."""
        head = self.page.head
        if head.first_meta("og:type").lower() == "article":
            return 1.0
        return float(any(node.get("headline") for _, node in head.json_ld))

    @cached_property
    def secrets(self) -> list[int]:
        """Rows of the fields for passwords."""
        page = self.page
        if not len(page):
            return []
        inputs = page.is_tag("input")
        kinds = page.having("type")
        return [row for row, kind in kinds if inputs[row] and kind.lower() == "password"]

    @cached_property
    def all_prose(self) -> float:
        """Characters outside links, of short blocks, too."""
        return float(self.prose.sum())

    def prose_in(self, rows: list[int]) -> float:
        """Return the characters outside links of the blocks that begin in some rows, in order."""
        if not rows:
            return 0.0
        first = self.blocks.first
        start = np.searchsorted(first, rows)
        stop = np.maximum.accumulate(np.searchsorted(first, self.page.end[rows]))
        start[1:] = np.maximum(start[1:], stop[:-1])  # what an element around it has counted
        return float((self.prose_before[stop] - self.prose_before[np.minimum(start, stop)]).sum())

    @cached_property
    def prose_before(self) -> NDArray[np.float64]:
        """float64[m+1]: characters outside links before each block."""
        return np.append(0.0, np.cumsum(self.prose))

    @cached_property
    def short(self) -> list[tuple[int, str]]:
        """(row, text in lower case) of short blocks outside links, up to a sum of lengths."""
        blocks = self.blocks
        linked = blocks.link_length * 2 > blocks.length
        rows = np.flatnonzero((blocks.length <= _SHORT) & ~linked)
        rows = rows[np.cumsum(blocks.length[rows]) <= _MOST_SEARCHED]
        return [(int(blocks.first[one]), blocks.text(one).lower()) for one in rows.tolist()]

    @cached_property
    def short_text(self) -> str:
        """The texts of `short`, a line each."""
        return "\n".join(text for _, text in self.short)

    @cached_property
    def title(self) -> str:
        """The page's title in lower case."""
        return self.page.title.lower() if len(self.page) else ""

    @cached_property
    def text(self) -> str:
        """The text of the body, in lower case."""
        page = self.page
        return page.text[page.text_at[page.body] :].lower() if len(page) else ""

    @cached_property
    def first_headings(self) -> list[tuple[int, str]]:
        """(row, text in lower case) of the first headings."""
        return [(row, self.page.folded(row).lower()) for row in self.headings[:MOST_ROWS]]

    @cached_property
    def phrases(self) -> dict[str, tuple[str, ...]]:
        """State → its phrases that stand in title, first headings or short blocks."""
        texts = (self.title, *(text for _, text in self.first_headings), self.short_text)
        return phrases_in("\n".join(texts))

    @cached_property
    def short_phrases(self) -> dict[str, list[str]]:
        """State → its phrases that stand in short blocks."""
        text = self.short_text
        return {state: [one for one in some if one in text] for state, some in self.phrases.items()}

    @cached_property
    def headings(self) -> list[int]:
        """Rows of the headings of the first three levels."""
        page = self.page
        return np.flatnonzero(page.is_tag(*_HEADINGS) & page.shown).tolist() if len(page) else []

    @cached_property
    def main_heading(self) -> int:
        """Row of the heading that the page's title names, else of the first outside chrome; -1."""
        named = [row for row in self.headings[:_HEADINGS_READ] if self._is_named(row)]
        others = (row for row in self.headings if not self.chrome_rows[row])
        return named[0] if named else next(others, -1)

    @property
    def is_titled(self) -> bool:
        """Whether the title names the main heading."""
        return self.main_heading >= 0 and self._is_named(self.main_heading)

    def _is_named(self, row: int) -> bool:
        text = self.page.folded(row).lower()
        return len(text) >= _NAME and text in self.page.title.lower()


_ACCOUNT: Final = ("user", "login", "mail", "account", "passw", "pwd")
"""Parts of names of fields for an account."""
_FILLED_IN: Final = ("username", "password", "email", "one-time-code")
_TOGGLES: Final = frozenset({"checkbox", "radio"})
_SWITCHES: Final = frozenset({"switch", "checkbox", "radio"})
_PRESSED: Final = frozenset({"submit", "button", "image"})
_TYPED: Final = frozenset({"", "text", "email", "tel", "number", "search", "password"})
_NEAR: Final = 60  # rows


def control_signals(found: MeasuredPage) -> Iterator[Signal]:
    """Yield how many controls of each kind there are, and what text they hold."""
    page = found.page
    inputs = np.flatnonzero(page.is_tag("input")).tolist() if len(page) else []
    kinds = {row: kind.strip().lower() for row, kind in page.having("type")} if len(page) else {}
    typed = [row for row in inputs if kinds.get(row, "") in _TYPED]
    mails = [row for row in inputs if kinds.get(row) == "email"]
    identifying = _account_fields(found, set(inputs))
    yield "fields for an address", log_of(len(mails)), first_rows(mails)
    yield "fields for a name or account", log_of(len(identifying)), first_rows(identifying)
    yield "an address and no password", float(bool(mails) and not found.secrets), first_rows(mails)
    yield "one field alone", float(len(typed) == 1), first_rows(typed)
    yield "hidden fields", log_of(sum(kinds.get(row) == "hidden" for row in inputs)), ()
    toggles = _toggles(found, [row for row in inputs if kinds.get(row) in _TOGGLES])
    yield "toggles", log_of(len(toggles)), first_rows(toggles)
    buttons = np.flatnonzero(page.is_tag("button")).tolist() if len(page) else []
    pressed = sorted([*buttons, *(row for row in inputs if kinds.get(row) in _PRESSED)])
    length = float(page.length[pressed].sum()) + LONG / 6 * (len(pressed) - len(buttons))
    yield "buttons of any kind", log_of(len(pressed)), first_rows(pressed)
    yield "share of text in buttons", min(length / max(found.all_prose, 1.0), 1.0), ()
    starts = (found.secrets or mails)[:1]
    near = [row for row in pressed if any(abs(row - start) < _NEAR for start in starts)]
    yield "buttons near an account's field", log_of(len(near)), first_rows(near)
    frames = np.flatnonzero(page.is_tag("iframe")).tolist() if len(page) else []
    yield "frames", log_of(len(frames)), first_rows(frames)
    yield "a picture and one field", float(len(typed) == 1 and page.holds("img")), ()
    yield from _numbers(found)


def _account_fields(found: MeasuredPage, inputs: set[int]) -> list[int]:
    """Return the fields that a browser fills in with an account, or that are named so."""
    if not inputs:
        return []
    page = found.page
    filled, named = page.values("autocomplete"), page.values("name")
    rows = [
        *filled.rows_of(filled.containing(*_FILLED_IN)),
        *named.rows_of(named.containing(*_ACCOUNT)),
    ]
    return sorted(inputs.intersection(rows))


def _toggles(found: MeasuredPage, inputs: list[int]) -> list[int]:
    roles = found.page.having("role") if len(found.page) else []
    return sorted({*inputs, *(row for row, role in roles if role.strip().lower() in _SWITCHES)})


def _numbers(found: MeasuredPage) -> Iterator[Signal]:
    """Yield whether a short text has a reference of a refusal, or a price behind the content."""
    numbers = []
    if REFERENCE.search(found.short_text):
        numbers = [row for row, text in found.short if any(map(_is_mixed, REFERENCE.findall(text)))]
    yield "a reference number", float(bool(numbers)), first_rows(numbers)
    content = found.blocks.first[found.is_content & (found.prose >= LONG)]
    last = int(content[-1]) if len(content) else -1
    prices = []
    if PRICE.search(found.short_text):
        prices = [row for row, text in found.short if row > last and PRICE.search(text)]
    yield "prices behind the content", log_of(len(prices)), first_rows(prices)


def _is_mixed(reference: str) -> bool:
    return any(one.isdigit() for one in reference)


_FIRST_TEXTS: Final = 40
_BEFORE: Final = 3  # blocks
_ROWS: Final = 12
_FEW: Final = 4  # paragraphs
_PRESSED_word_signals: Final = tags.table("a button input".split())
_ENDS: Final = 0.2
"""Share of the prose behind a wall below which the wall ends it."""


def name_signals(found: MeasuredPage) -> Iterator[Signal]:
    """Yield, of each kind of `NAMES`, how many elements bear one and what text they hold."""
    page = found.page
    for kind, rows in _named(found).items():
        share = found.prose_in(rows) / max(found.all_prose, 1.0)
        yield f"elements named as {kind}", log_of(len(rows)), first_rows(rows)
        yield f"text in elements named as {kind}", min(share, 1.0), first_rows(rows)
    sources = page.values("src") if len(page) else None
    loaded = sources.rows_of(sources.containing(*NAMES["block_page"])) if sources else []
    yield "loads what is named as block_page", float(bool(loaded)), first_rows(loaded)


def _named(found: MeasuredPage) -> dict[str, list[int]]:
    """Return kind of `NAMES` → rows whose class or id has one, in order."""
    every = tuple(word for words in NAMES.values() for word in words)
    named: dict[str, set[int]] = {kind: set() for kind in NAMES}
    for attribute in ("class", "id") if len(found.page) else ():
        values = found.page.values(attribute)
        for value in values.containing(*every):
            lower = value.lower()
            for kind, words in NAMES.items():
                if any(word in lower for word in words):
                    named[kind].update(values.rows[value])
    return {kind: sorted(rows) for kind, rows in named.items()}


def word_signals(found: MeasuredPage) -> Iterator[Signal]:
    """Yield, of each state, whether title, headings and short blocks have a phrase of it."""
    title, headings = found.title, found.first_headings
    for state, phrases in found.phrases.items():
        yield f"phrase of {state} in the title", float(any(one in title for one in phrases)), ()
        rows = _rows_with(headings, phrases)
        yield f"phrase of {state} in a heading", float(bool(rows)), first_rows(rows)
        short = found.short_phrases[state]
        at = _rows_with(found.short, short)
        yield f"phrases of {state} in short texts", log_of(len(short)), first_rows(at)
    numbers = [row for row, words in headings if STATUS_IN_TEXT.search(words)]
    yield "title has an error's number", float(bool(STATUS_IN_TEXT.search(title))), ()
    yield "heading has an error's number", float(bool(numbers)), first_rows(numbers)
    shown = [
        row
        for row, words in found.short[:_FIRST_TEXTS]
        if STATUS_IN_TEXT.search(words) and len(words) < LONG
    ]
    yield "short text has an error's number", float(bool(shown)), first_rows(shown)
    domains = [row for row, words in headings if DOMAIN_NAME.search(words)]
    yield "title has a domain name", float(bool(DOMAIN_NAME.search(title))), ()
    yield "heading has a domain name", float(bool(domains)), first_rows(domains)


def _rows_with(texts: list[tuple[int, str]], phrases: Sequence[str]) -> list[int]:
    """Return the rows of the texts that hold one of some phrases, most often none."""
    return [row for row, text in texts if any(one in text for one in phrases)] if phrases else []


def wall_signals(found: MeasuredPage) -> Iterator[Signal]:
    """Yield whether the prose breaks off: at a wall that is named so, or in mid sentence."""
    page, blocks, prose = found.page, found.blocks, found.prose
    main = np.flatnonzero((prose >= LONG) & ~found.in_chrome)
    last = blocks.text(int(main[-1])) if len(main) else ""
    where = (int(blocks.first[main[-1]]),) if len(main) else ()
    some = middling(found.main_prose)
    yield "some prose", some, ()
    yield "prose ends open", float(last.endswith(OPEN_ENDS)), where
    yield "prose ends open, some prose", float(last.endswith(OPEN_ENDS)) * some, where
    walls = [row for row in _walls(found) if len(main) and blocks.first[main[0]] < row]
    yield "wall behind prose", float(bool(walls)), first_rows(walls)
    share, before = 1.0, 0.0
    if walls:
        after = blocks.first[main] >= page.end[walls[0]]
        before = float(prose[main[blocks.first[main] < walls[0]]].sum())
        share = float(prose[main[after]].sum()) / max(found.main_prose, 1.0)
    yield "wall ends the prose", float(share < _ENDS) * float(bool(walls)), first_rows(walls)
    ends = float(share < _ENDS) * float(bool(walls)) * some
    yield "wall ends the prose, some prose", ends, first_rows(walls)
    yield "some prose before a wall", float(bool(walls)) * middling(before), first_rows(walls)
    yield "share of prose behind a wall", share, ()
    yield from _content_at_walls(found, walls)
    yield from _text_at_walls(found, walls)


def _content_at_walls(found: MeasuredPage, walls: list[int]) -> Iterator[Signal]:
    """Yield whether what the page-level model takes for content ends where a wall stands.

    Teasers and footers behind a wall are prose, too, but less often content.
    """
    first, content = found.blocks.first, np.where(found.is_content, found.prose, 0.0)
    worded = set(_rows_with(found.short, found.short_phrases["paywall"]))
    by_phrase = [row for row in walls if row in worded]
    for kind, rows in (("named wall or offer", walls), ("wall with a known phrase", by_phrase)):
        ends, before = 0.0, 0.0
        for row in rows[:MOST_ROWS]:
            above = float(content[first < row].sum())
            behind = float(content[first >= found.page.end[row]].sum())
            if above and behind < _ENDS * above:
                ends, before = 1.0, above
                break
        yield f"content ends at a {kind}", ends, first_rows(rows)
        yield f"content ends at a {kind}, some content", ends * middling(before), ()


def _text_at_walls(found: MeasuredPage, walls: list[int]) -> Iterator[Signal]:
    """Yield whether content stands right before a wall, and whether other than teasers follows."""
    page, first = found.page, found.blocks.first
    lone = np.where(found.is_lone & (found.prose >= LONG), found.prose, 0.0)
    near, pressed, ends, few = 0.0, 0.0, 0.0, 0.0
    for row in walls[:MOST_ROWS]:
        at = int(np.searchsorted(first, row))
        is_near = bool((found.is_content & (found.prose >= LONG))[max(at - _BEFORE, 0) : at].any())
        near = max(near, float(is_near))
        stop = max(int(page.end[row]), row + _ROWS)
        pressed = max(pressed, float(is_near and _PRESSED_word_signals[page.tag[row:stop]].any()))
        above = float(lone[:at].sum())
        behind = float(lone[first >= page.end[row]].sum())
        if above and behind < _ENDS * above:
            ends = 1.0
            few = max(few, 1 / (1 + (float((lone[:at] > 0).sum()) / _FEW) ** 2))
    yield "wall right behind content", near, ()
    yield "wall with a button right behind content", pressed, ()
    yield "content outside teasers ends at a wall", ends, ()
    yield "few paragraphs end at a wall", few, ()


def _walls(found: MeasuredPage) -> list[int]:
    """Return the rows that are named or worded as a wall is, outside chrome, in order."""
    page = found.page
    if not len(page):
        return []
    named: list[int] = []
    for attribute in ("class", "id"):
        values = page.values(attribute)
        named += values.rows_of(values.containing(*NAMES["paywall"][:2]))
    named = [row for row in named if page.length[row] >= LONG / 3 and row > page.body]
    worded = _rows_with(found.short, found.short_phrases["paywall"])
    return sorted(row for row in {*named, *worded} if not found.chrome_rows[row])


_STATUSES: Final = {
    "success": range(200, 300), "unauthorized": (401, 407, 511), "payment required": (402,),
    "refused": (403, 418, 429, 451), "missing": (400, 404, 405, 406, 409, 410),
    "server error": range(500, 511), "gateway error": range(520, 600),
}  # fmt: skip


def size_signals(found: MeasuredPage) -> Iterator[Signal]:  # noqa: D103
    page, prose = found.page, found.prose
    long = prose >= LONG
    yield "prose", log_of(prose[long].sum()), ()
    yield "prose outside chrome", log_of(found.main_prose), ()
    yield "text outside links", log_of(found.all_prose), ()
    outside = ~found.in_chrome
    yield "short text outside chrome", log_of(prose[outside & ~long].sum()), ()
    for least in (1, 150, 600, 1500, 4000):
        yield f"prose of {least} characters", float(found.main_prose >= least), ()
    yield "longest block", log_of(prose.max() if len(prose) else 0), ()
    yield "blocks of prose", log_of(long.sum()), ()
    yield "blocks", log_of(len(prose)), ()
    lengths, linked = found.blocks.length, found.blocks.link_length
    yield "text in links", log_of(linked.sum()), ()
    share = linked.sum() / max(int(lengths.sum()), 1)
    yield "share of text in links", float(share), ()
    links = linked * 2 > lengths
    yield "blocks of links", log_of(links.sum()), ()
    yield "rows", log_of(len(page)), ()
    for name, among in (("images", ("img", "picture")), ("tables", ("table",))):
        rows = np.flatnonzero(page.is_tag(*among)) if len(page) else np.zeros(0, np.intp)
        yield name, log_of(len(rows)), first_rows(rows)
    yield "prose below the first heading", log_of(_below_first_heading(found)), ()
    yield "headings", log_of(len(found.headings)), first_rows(found.headings)
    yield "emptiness", found.emptiness, ()
    yield "no text at all", float(found.all_prose + int(linked.sum()) == 0), ()


def _below_first_heading(found: MeasuredPage) -> float:
    """Return the prose between the first ``h1`` (else the first heading) and the next heading."""
    page, first = found.page, found.blocks.first
    if not found.headings:
        return 0.0
    start = next((row for row in found.headings if page.name(row) == "h1"), found.headings[0])
    stop = next((row for row in found.headings if row >= page.end[start]), len(page))
    between = (first >= page.end[start]) & (first < stop) & (found.prose >= LONG)
    return float(found.prose[between].sum())


def script_signals(found: MeasuredPage) -> Iterator[Signal]:  # noqa: D103
    shell = shell_features(found.page) if len(found.page) else None
    yield "scripts", log_of(shell.scripts if shell else 0), ()
    yield "placeholders", log_of(shell.placeholders if shell else 0), ()
    yield "noscript mentions JavaScript", float(bool(shell and shell.has_noscript_warning)), ()
    yield "main element is empty", float(bool(shell and shell.is_hollow)), ()
    yield "text in embedded state", log_of(shell.state if shell else 0), ()
    yield "waits for scripts", float(bool(shell and shell.is_shell)), ()


def form_signals(found: MeasuredPage) -> Iterator[Signal]:  # noqa: D103
    page = found.page
    kinds = page.having("type") if len(page) else []
    inputs = page.is_tag("input") if len(page) else np.zeros(0, bool)
    secret = found.secrets
    filled = [
        row for row, kind in kinds if inputs[row] and kind.lower() in {"text", "email", "tel"}
    ]
    share = 0.0
    if secret:
        form = next((row for row in page.ancestors(secret[0]) if page.name(row) == "form"), None)
        within = int(page.length[form]) if form is not None else 0
        share = within / max(int(page.length[page.body]), 1)
    buttons = np.flatnonzero(page.is_tag("button")) if len(page) else np.zeros(0, np.intp)
    yield "password fields", float(min(len(secret), 3)), first_rows(secret)
    yield (
        "password field, little content",
        float(bool(secret)) * found.emptiness,
        first_rows(secret),
    )
    yield "share of text in the form with a password", share, ()
    yield "fields for text", log_of(len(filled)), first_rows(filled)
    yield (
        "fields for text, little content",
        log_of(len(filled)) * found.emptiness,
        first_rows(filled),
    )
    outside = [row for row in secret if not found.chrome_rows[row]]
    yield (
        "password field outside chrome, little content",
        bool(outside) * found.emptiness,
        first_rows(outside),
    )
    yield "buttons", log_of(len(buttons)), first_rows(buttons)
    yield "buttons, little content", log_of(len(buttons)) * found.emptiness, first_rows(buttons)


def declared_signals(found: MeasuredPage) -> Iterator[Signal]:  # noqa: D103
    head = found.page.head
    robots = [(row, content) for row, name, content in head.meta if name == "robots"]
    unindexed = [row for row, content in robots if "noindex" in content.lower()]
    yield "declared not to be indexed", float(bool(unindexed)), first_rows(unindexed)
    yield "not to be indexed, little content", float(bool(unindexed)) * found.emptiness, ()
    moved = [row for row, name, _ in head.meta if name == "refresh"]
    yield "refreshes itself", float(bool(moved)), first_rows(moved)
    yield (
        "refreshes itself, little content",
        float(bool(moved)) * found.emptiness,
        first_rows(moved),
    )
    paid = [row for row, node in head.json_ld if _is_false(node.get("isAccessibleForFree"))]
    tier = head.first_meta("article:content_tier", "content_tier").lower()
    is_paid = bool(paid) or tier in {"locked", "metered", "paid", "premium"}
    yield "declared not to be free", float(is_paid), first_rows(paid)
    yield "not free, some prose", float(is_paid) * middling(found.main_prose), first_rows(paid)
    kind = head.first_meta("og:type").lower()
    yield "declared an article", float(kind == "article"), ()
    yield "declares JSON-LD", float(bool(head.json_ld)), ()
    yield "has a canonical address", float(any("canonical" in rel for _, rel, _ in head.links)), ()
    described = head.first_meta("description", "og:description")
    yield "length of the description", log_of(len(described)), ()
    yield "length of the title", log_of(len(head.title)), ()
    yield "no title", float(not head.title), ()


def _is_false(value: Any) -> bool:
    return value is False or (isinstance(value, str) and value.strip().lower() == "false")


def status_signals(status: int | None) -> Iterator[Signal]:  # noqa: D103
    for name, statuses in _STATUSES.items():
        yield f"status: {name}", float(status in statuses), ()
