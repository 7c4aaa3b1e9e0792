"""Words of pages that aren't the page: what stands on them, and what their elements are called.

Phrases of eight languages, as far as pages that a reader meets have them, in lower case. They are
some signals among many (`chaffinch.assessment.page_signals`): pages in other languages are known by
their structure, and docs/assessment.md says how well. No phrase decides alone.
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
        "|no encontrada|no se encuentra|no existe|no se ha encontrado|no disponible|error interno"
        "|не найден|не существует|недоступн|удалена|ошибка сервера|внутренняя ошибка"
        "|غير موجودة|لم يتم العثور|غير متوفرة|غير متاحة|خطأ في الخادم".split("|")
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
        "|روبوت|رفض الوصول|تم حظر|حركة مرور غير".split("|")
    ),
    "login": tuple(
        "log in|sign in|login|password|forgot|create an account|members only"
        "|登录|登陆|密码|注册|ログイン|パスワード|会員登録"
        "|anmelden|einloggen|passwort|registrieren|connexion|se connecter|connectez|mot de passe"
        "|iniciar sesión|inicia sesión|contraseña|regístr|войти|вход|пароль|регистрац"
        "|تسجيل الدخول|كلمة المرور|كلمة السر|إنشاء حساب".split("|")
    ),
    "paywall": tuple(
        "subscribe to continue|subscribe to read|subscribe to keep|subscribe to unlock"
        "|subscribers only|for subscribers|exclusive to|already a subscriber|continue reading"
        "|unlock|free articles"
        "|read the full|keep reading|view the full story|unlimited access"
        "|订阅后|会员专享|付费|剩余内容|开通会员|解锁|有料会員|会員限定|続きを読む|残り|有料記事|有料プラン"
        "|für abonnenten|weiterlesen|jetzt abonnieren|freien artikel|aux abonnés|nos abonnés"
        "|abonnez-vous|lire la suite|il vous reste|articles gratuits|para suscriptores"
        "|seguir leyendo|artículos gratuitos|tienen suscripción|по подписке|оформите подписку"
        "|подписчикам|продолжить чтение|бесплатные статьи"
        "|للمشتركين|متابعة القراءة|مقالاتك المجانية|لأصحاب الاشتراك".split("|")
    ),
    "consent_wall": tuple(
        "cookie|consent|your privacy|accept all|reject all|our partners"
        "|隐私|接受全部|同意|クッキー|プライバシー|akzeptieren|datenschutz|zustimm|einwillig"
        "|accepter|vie privée|partenaires|aceptar|privacidad|consentimiento"
        "|принять|конфиденциальн|согласи|ملفات تعريف الارتباط|الخصوصية|قبول".split("|")
    ),
    "parked": tuple(
        "for sale|this domain|domain is|domain name|make an offer|related searches|inquire"
        "|域名|转让|相关搜索|ドメイン|販売中|steht zum verkauf|domain kaufen|à vendre"
        "|nom de domaine"
        "|en venta|dominio|продается|продаётся|домен|للبيع|النطاق|نطاق".split("|")
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
}
"""Signal → parts of class names and ids that are evidence for it, in lower case."""

STATUS_IN_TEXT: Final = re.compile(
    r"(?<![\d.,])(?:40[013459]|410|418|429|451|50[0-4]|52[0-7])(?![\d.,]\d|\d|\w)"
)
"""A number that HTTP has for errors, alone: titles and headings of error pages have it."""

DOMAIN_NAME: Final = re.compile(r"(?<![\w.@/-])[\w-]{1,63}\.[a-z]{2,24}(?![\w@/-])")
"""What looks like a domain name, in lower case."""

SERVER_ERROR_IN_TEXT: Final = re.compile(r"(?<![\d.,])(?:50[0234]|52[0-7])(?![\d.,]\d|\d|\w)")
"""Such a number of a server's own errors."""
