"""Words of pages that aren't the page: what stands on them, and what their elements are called.

Phrases of nineteen languages, as far as pages that a reader meets have them, in lower case. They
are some signals among many (`chaffinch.assessment.page_signals`): pages in other languages are
known by their structure, and docs/assessment.md has figures. No phrase decides alone.
"""

from __future__ import annotations

import re
from typing import Final

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
