"""Words of bylines: labels by what they announce, ranks, surnames, what is no name.

Labels of Chinese and Japanese stand in one table, since they need no space around them; those of
other scripts in another, with the words that stand between them and a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, zip_longest
from typing import Final, Literal, NamedTuple

from chaffinch.metadata.regions import LINE_START
from chaffinch.metadata.values import LONGEST_TEXT, clean, fold, one_line

Contribution = Literal[
    "author",
    "editor",
    "translator",
    "photographer",
    "illustrator",
    "reviewer",
    "contributor",
    "other",
]
Role = Contribution | Literal["source", "published", "modified"]
CONTRIBUTORS: Final = (
    "editor",
    "translator",
    "photographer",
    "illustrator",
    "reviewer",
    "contributor",
)
"""Roles of people who aren't the author."""

_LABELS: Final[dict[Role, str]] = {
    "author": (
        "作者 记者 記者 通讯员 通訊員 撰文 撰稿 撰稿人 文字 文 实习生 實習生 图文 文图"
        " 取材・文 取材文 文・写真 文と写真 執筆者 執筆 著者 筆者 ライター 聞き手"
        " 取材・執筆 取材 構成・文 采写 採寫 采编 撰寫 主笔 主筆"
    ),
    "editor": (
        "编辑 編輯 责任编辑 責任編輯 责编 責編 编审 編審 本文编辑 网络编辑 值班编辑 执行编辑"
        " 主编 副主编 编辑组 編集 編集者"
    ),
    "translator": "翻译 翻譯 译者 譯者 翻訳 訳者 訳 编译 編譯",
    "photographer": "摄影 攝影 摄 攝 撮影 写真 カメラ",
    "illustrator": "插画 插畫 插图 插圖 イラスト 挿絵",
    "reviewer": "監修 監修者 医療監修",
    "source": (
        "来源 來源 稿源 出处 出處 转自 轉自 转载自 轉載自 本文来源 文章来源 新闻来源 稿件来源"
        " 信息来源 消息来源 内容来源 本文來源 文章來源 新聞來源 稿件來源 資訊來源 原文来源"
    ),
    "published": (
        "发布时间 发布日期 发表时间 发表日期 发稿时间 发布于 发表于 发布 发表 时间 日期"
        " 發佈時間 發布時間 發佈日期 發布日期 發表時間 發佈於 發布於 發佈 發布 發表於 時間"
        " 刊登時間 刊登日期"
    ),
    "modified": (
        "更新时间 更新日期 最后更新 最后更新时间 最近更新 更新于 更新 修改时间 修改日期"
        " 最后修改 修改于 最后修订 最后编辑于 更新時間 更新於 最後更新 最後更新時間"
        " 最近更新時間 修改時間 最後修改 最后修订于 最後修訂於 最後修訂 最後編輯於"
    ),
    "other": (
        "图 圖 图片 圖片 视频 图片来源 圖片來源 数据来源 資料來源 资料来源"
        " 图片作者 原标题 原標題 责任校对 校对 校對 审核 審核 监制 監製 总监制 审校 阅读 閱讀"
        " 阅读量 浏览 瀏覽 浏览次数 点击 點擊 评论 評論 人气 字号 字體 字体 分享 关键词 关键字"
        " 标签 標籤 栏目 分类 分類 所属栏目 制图 绘图 设计 制作 剪辑 通讯作者"
        " 策划 統籌 统筹 版权"
    ),
}
ROLES: Final[dict[str, Role]] = {
    label: role for role, labels in _LABELS.items() for label in labels.split()
}
"""Label → what it announces; "other" are labels that end a byline's value and give no field."""
RANKS: Final = (
    "本报 本報 本网 本網 本刊 本台 本社 见习 見習 实习 實習 特约 特約 首席 高级 资深 全媒体"
    " 融媒体 驻京"
).split()
"""What may stand before 记者 and the like."""
PEN_NAMES: Final = frozenset(("作者 撰文 撰稿 撰稿人 文").split())
"""Labels before names of any length, of user accounts and organisations, too."""
JAPANESE: Final = frozenset(
    (
        "取材・文 取材文 文・写真 文と写真 執筆者 執筆 著者 筆者 ライター 聞き手 取材・執筆 取材"
        " 構成・文 編集 編集者 翻訳 訳者 訳 撮影 写真 カメラ イラスト 挿絵 監修 監修者 医療監修"
    ).split()
)
"""Labels before names that are written with a space between their parts, or in kana."""
PHOTOGRAPHY: Final = frozenset(("摄影 攝影").split())
"""Labels before a photographer, who is no author."""
NOBODY: Final = frozenset(
    (
        "admin 不详 互联网 佚名 作者 分享 匿名 原创 報道 实习生 小编 报社 报道 更多 未知 本刊 本报"
        " 本报记者 本站 本网 来源 查看 点击 简介 简历 管理员 網絡 編輯 综合 编辑 网友 网站 网络"
        " 記者 记者 责任编辑 转载 通讯员"
    ).split()
)
"""Words in the place of a name that name nobody."""
NO_SOURCE: Final = frozenset(
    (
        "不详 互联网 互聯網 佚名 其他 原创 未知 本站 本站原创 本网 網絡 網路 综合 网上 网友 网络"
        " 自媒体 自己 转载"
    ).split()
)
"""Words after 来源 that name no publisher."""
SURNAMES: Final = frozenset(
    "丁万丛严乐乔于井仇付仝代仲任伍何佘余佟侯保俞倪傅储党全公兰关冀冉农冯冷冼凌刁刘利劉包匡华卓"
    "单南卜卞占卢卫原古史叶司吉向吕吳吴呂周和唐商喬單喻嚴夏奚姚姜姬娄孔孙孟季孫宁安宋宗官宫寇寧"
    "封尚尤尹屈屠岑岳崔左巩巫帅师席常干庄应庞康廉廖张强彦彭徐成戚戴房揭敖文方施时明易時晏景曲曹"
    "曾木朱李杜杨林柏查柯柳柴栗栾桂桑梁梅植楊楚楼樊欧歐武段殷毕毛江池汤汪沈沙洪涂温游湯溫滕满潘"
    "焦熊燕牛牟王甄甘田申畅畢白盖盛盧瞿石祁祝秦程穆窦章童符简管簡米紀纪练缪罗羅翁翟耿聂聶肖胡臧"
    "舒艾芦花苏苑苗苟范荆荣莊莫華萧葉葛董蒋蒙蒲蓝蔡蔣蔺蕭薛藍蘇蘭虞衛衣袁裴褚覃解許詹謝譚许谈谢"
    "谭谷費賀賈賴费贺贾赖赵趙路車车辛边连迟連邓邝邢邬邱邵邹郁郎郑郜郝郭鄒鄢鄧鄭金錢鐘钟钱银閻關"
    "门闫闵闻阎阮阳陆陈陳陶陸隋雍雷霍靳鞠韋韓韦韩項顏顧项顾颜饒饶馬馮駱马骆高魏魯鮑鲁鲍麦麻黃黄"
    "黎齊齐龍龐龔龙龚"
)
"""First letters of surnames: the common ones."""
COMPOUND_SURNAMES: Final = tuple(
    "欧阳 歐陽 司马 司馬 上官 诸葛 諸葛 慕容 司徒 皇甫 尉迟 令狐 端木".split()
)
"""Surnames of two letters."""

BY: Final = (
    "by von par por di door av af oleh bởi oleh od przez autorstwa від от аўтар بقلم توسط מאת โดย"
    " द्वारा nga eftir kirjoittanut του της των"
).split()
"""Words before a name that stand alone before an author's, or behind what a person did."""
OF: Final = "de d' da do del della di of za van از".split()
"""Words that stand before a name behind what a person did alone: "photos de …"."""
AND: Final = "and und et y e og och en i a и і та и و और ve dan và & / + , · ・ ו".split()
"""What joins the two things that one person did: "words and photographs by …"."""
_DONE: Final[dict[Contribution, str]] = {
    "author": (
        "written|words|text|story|reported|reporting|author|authors|writer|reporter|article|"
        "interview|geschrieben|verfasst|texte|autor|autorin|autoren|aufgezeichnet|protokoll|"
        "bericht|textes|auteur|auteure|auteurs|autrice|écrit|rédigé|propos recueillis|entretien|"
        "récit|rédaction|texto|textos|autora|autores|autoras|escrito|redactado|entrevista|"
        "redacción|reportaje|testo|testi|autore|scritto|intervista|a cura|reportagem|redação|"
        "tekst|tekst en|geschreven|verslag|skriven|skribent|författare|intervju|skrevet|"
        "journalist|forfatter|teksti|kirjoittaja|toimittaja|kirjoittanut|texti|höfundur|"
        "blaðamaður|autorka|autorzy|napisał|napisała|opracowanie|opracował|opracowała|rozmawiał|"
        "rozmawiała|oprac.|autoři|napsal|napsala|připravil|připravila|napísal|napísala|"
        "pripravil|redaktor textu|szöveg|szerző|írta|cikk|autoare|scris|articol|yazan|yazar|"
        "yazı|haber|muhabir|röportaj|metin|yazarlar|автор|авторы|автори|текст|беседовал|"
        "беседовала|подготовил|подготовила|записал|записала|корреспондент|авторка|підготував|"
        "підготувала|розмовляла|аўтар|тэкст|написал|написала|аутор|пише|piše|pišu|piše i snima|"
        "autorica|avtor|avtorica|besedilo|написа|разговора|текстът|συντάκτης|συντάκτρια|γράφει|"
        "γράφει ο|γράφει η|κείμενο|συνέντευξη|ρεπορτάζ|tác giả|bài|người viết|phóng viên|"
        "bài viết|thực hiện|penulis|ditulis|wartawan|teks|pewarta|ผู้เขียน|เรื่อง|เขียน|"
        "ผู้สื่อข่าว|เขียนโดย|เรื่องโดย|लेखक|लेखिका|रिपोर्ट|रिपोर्टर|आलेख|लेखन|लेख|संवाददाता|"
        "লেখক|প্রতিবেদক|লেখা|প্রতিবেদন|எழுதியவர்|எழுத்து|రచయిత|രചന|ലേഖകൻ|লিখেছেন|الكاتب|الكاتبة|"
        "كتب|كتبت|كتبه|كتبها|كتابة|إعداد|اعداد|مراسل|المؤلف|حوار|تقرير|نص|نویسنده|نویسندگان|"
        "به قلم|نوشته|گزارش|خبرنگار|متن|گفت‌وگو|گفتگو|تحریر|مصنف|رپورٹ|כתב|כתבה|כותב|כותבת|מחבר|"
        "מחברת|טקסט|מאת|כתבו|egilea|testua|idazlea|autorius|tekstas|parengė|autors|teksts|"
        "shkruar|autori|shkroi|müəllif|yazıb|հեղինակ|տեքստ|ავტორი|ტექსტი|автору|зохиогч|muallif|"
        "mwandishi|isinulat|may-akda|skrywer|awdur|údar|기자|글|글쓴이|작성자|취재|취재기자|필자|지은이"
    ),
    "editor": (
        "edited|editor|editors|editing|copy editor|copy-edited|redaktion|redigiert|bearbeitet|"
        "lektorat|édité|éditeur|éditrice|relecture|secrétariat de rédaction|editado|editora|"
        "edición|edição|redazione|montaggio|redactie|redigerad|redaktör|redigert|redaktør|"
        "redigeret|redaktor|redaktorka|redakcja|redagował|redagowała|redakce|szerkesztő|"
        "szerkesztette|editat|editör|editörü|toimittanut|ritstjóri|редактор|редакция|редакція|"
        "под редакцией|редактура|рэдактар|уредник|urednik|uredila|uredio|επιμέλεια|biên tập|"
        "penyunting|disunting|บรรณาธิการ|แก้ไขโดย|संपादक|संपादन|সম্পাদনা|সম্পাদক|تحرير|المحرر|"
        "محرر|ویراستار|ویرایش|ایڈیٹر|עריכה|עורך|עורכת|ערך|ערכה|편집|편집자|redaktorius|redaktors|"
        "toimetaja|toimetas"
    ),
    "translator": (
        "translated|translator|translation|übersetzt|übersetzung|übersetzer|übersetzerin|"
        "aus dem englischen|aus dem französischen|aus dem russischen|ins deutsche übertragen|"
        "traduit|traduction|traducteur|traductrice|traduit de l'anglais|traduit de l'allemand|"
        "adapté|traducido|traducción|traductor|traductora|traduzido|tradução|tradutor|tradutora|"
        "traducció|tradotto|traduzione|traduttore|traduttrice|vertaald|vertaling|vertaler|"
        "översatt|översättning|översättare|oversatt|oversettelse|oversetter|oversat|"
        "oversættelse|suomennos|suomentanut|kääntänyt|þýðing|þýddi|przekład|tłumaczenie|tłumacz|"
        "przełożył|przełożyła|tłumaczył|tłumaczyła|překlad|přeložil|přeložila|preklad|preložil|"
        "preložila|fordította|fordítás|fordító|traducere|tradus|traducător|çeviri|çeviren|"
        "çevirmen|tercüme|перевод|перевёл|перевел|перевела|переводчик|переклад|переклав|"
        "переклала|перекладач|пераклад|пераклаў|превод|преведе|превео|превела|преводач|prijevod|"
        "preveo|prevela|prevod|prevedel|μετάφραση|dịch|người dịch|biên dịch|dịch giả|penerjemah|"
        "diterjemahkan|แปล|ผู้แปล|แปลโดย|अनुवाद|अनुवादक|অনুবাদ|অনুবাদক|ترجمة|ترجمها|المترجم|"
        "مترجم|ترجمه|ترجمہ|תרגום|תרגם|תרגמה|מתרגם|번역|옮긴이|옮김|itzulpena|përktheu|përkthimi|vertė|"
        "tulkojis|tõlkinud|թարգմանություն|թարգմանիչ|თარგმანი"
    ),
    "photographer": (
        "photographs|photos|photo|photography|photographed|photographer|pictures|picture|images|"
        "image|foto|fotos|fotografie|fotografien|bilder|bild|fotograf|fotografin|aufnahmen|"
        "photographies|photographe|clichés|fotografía|fotografías|fotógrafo|fotógrafa|imágenes|"
        "imagen|fotografia|fotografias|imagens|fotografi|immagini|fotografa|fotografo|beeld|"
        "foto's|foton|fotografer|billeder|kuva|kuvat|valokuvat|ljósmynd|ljósmyndir|mynd|myndir|"
        "zdjęcia|fot.|fotografka|snímky|fotky|fotó|fotók|fénykép|képek|fotografii|imagini|"
        "fotoğraf|fotoğraflar|фото|фотограф|фотографии|фотографії|снимки|снимка|фотографије|"
        "слике|snimio|snimila|snimci|φωτογραφίες|φωτογραφία|φωτό|ảnh|hình ảnh|nhiếp ảnh|ภาพ|"
        "ภาพโดย|ภาพถ่าย|ช่างภาพ|फोटो|तस्वीर|तस्वीरें|छायाचित्र|ছবি|படம்|படங்கள்|تصوير|صور|صورة|"
        "عدسة|عکس|عکاس|عکس‌ها|تصاویر|צילום|צילומים|צלם|צלמת|사진|사진기자|argazkiak|nuotr.|nuotrauka|"
        "nuotraukos|fotogrāfijas|լուսանկար|ფოტო|зураг|суреттер"
    ),
    "illustrator": (
        "illustrated|illustration|illustrations|illustrator|artwork|drawings|illustriert|"
        "illustrationen|zeichnungen|illustré|dessins|dessin|ilustración|ilustraciones|ilustrado|"
        "ilustrações|ilustração|illustrazioni|illustrazione|disegni|illustraties|illustratie|"
        "illustratör|illustrasjon|illustrasjoner|ilustracje|ilustracja|ilustrace|kuvitus|"
        "illusztráció|ilustrații|çizim|çizer|illüstrasyon|иллюстрации|иллюстрация|рисунки|"
        "ілюстрації|илюстрации|εικονογράφηση|minh họa|ilustrasi|ภาพประกอบ|चित्र|رسوم|رسم|"
        "تصویرگر|איורים|איור|삽화|그림|일러스트"
    ),
    "reviewer": (
        "medically reviewed|clinically reviewed|scientifically reviewed|technically reviewed|"
        "legally reviewed|expert reviewed|peer reviewed|medical review|medical reviewer|"
        "fact checked|fact-checked|fact check|fact checker|reviewer|checked|verified|approved|"
        "medizinisch geprüft|fachlich geprüft|geprüft|wissenschaftliche prüfung|faktencheck|"
        "relu et validé|validé|vérifié|relu|revu|revisado|revisado médicamente|revisión médica|"
        "verificado|revisione scientifica|revisione medica|revisionato|medisch gecontroleerd|"
        "gecontroleerd|medicinskt granskad|granskad|faktagranskad|medisinsk kvalitetssikret|"
        "weryfikacja|sprawdził|sprawdziła|odborná kontrola|tıbbi inceleme|"
        "tıbbi olarak inceleyen|рецензент|медицинский редактор|проверил|проверила|перевірила|"
        "перевірив|مراجعة|مراجعة طبية|بررسی|ditinjau|ตรวจสอบโดย|감수|समीक्षा|ביקורת רפואית"
    ),
    "contributor": (
        "additional reporting|with contributions|contributions|contributing|additional research|"
        "research|mitarbeit|unter mitarbeit|recherche|avec la collaboration|avec|"
        "con la colaboración|colaboración|con la collaborazione|collaborazione|med bidrag|"
        "współpraca|spolupráce|при участии|за участі"
    ),
    "other": (
        "video|videos|vídeo|grafik|graphics|infographic|infografik|produced|producer|directed|"
        "narrated|read|camera|kamera|design|layout|sponsored|powered|presented|hosted|supported|"
        "source|quelle|کد خبر|شناسه خبر|تاریخ انتشار|منبع|المصدر|تاريخ النشر|פורסם|nguồn|"
        "kaynak|sumber|fonte|fuente|kilde|källa|źródło|zdroj|источник|джерело|извор|출처|स्रोत|"
        "ที่มา|видео|відео|wideo|montage|montaż|монтаж|فيديو|ویدیو|וידאו|영상|वीडियो|"
        "วิดีโอ"
    ),
}
"""What people do for an article, or what they are called; of each role by languages."""
WITHOUT_MARK: Final = frozenset(
    (
        "ditulis oleh|fordította|fot.|napisał|napisała|napsal|napsala|nuotr.|oprac.|opracował|"
        "opracowała|rozmawiał|rozmawiała|připravil|připravila|teksti|kuvat|kuva|valokuvat|foto|"
        "fotos|розмовляла|підготував|підготувала|переклав|переклала|parengė|shkroi|"
        "piše|pišu|propos recueillis par|przełożył|przełożyła|přeložil|přeložila|"
        "szerkesztette|yazan|çeviren|írta|γράφει|γράφει η|γράφει ο|беседовал|беседовала|записал|"
        "записала|пише|подготовил|подготовила|به قلم|ตรวจสอบโดย|ภาพโดย|เขียนโดย|เรื่องโดย|"
        "แก้ไขโดย|แปลโดย|그림|글|사진|옮김"
    ).split("|")
)
"""Words that need neither one of `BY` nor a colon before a name."""
CONTRIBUTIONS: Final[dict[str, Contribution]] = {
    word: role for role, words in reversed(_DONE.items()) for word in words.split("|")
}
"""Word → what who is named behind it did, for the scripts that aren't Han."""


LONGEST_NAME: Final = 60  # characters of a name; the longest of the labelled corpora has 47
MOST_WORDS: Final = 7
MOST_NAMES: Final = 30

_ADDRESS: Final = re.compile(
    r"https?://\S+|www\.\S+|\S[^\s@]{0,99}@\S{1,99}\.\w+|@\w+|\([^()@]*+@[^()]*\)", re.IGNORECASE
)
_BYLINE_LABEL: Final = re.compile(
    r"^\W*(?:(?:(?:(?:written|posted|published|reported|reviewed|story|words|text|article|created"
    r"|submitted|compiled)\s+)?by|von|par|por|door|av|af|autorzy|autor(?:in|en|a|es)?|author[s]?"
    r"|auteur|autore|texte?|text|skrevet av|redakt(?:or|ion)|geschrieben von|ein beitrag von"
    r"|kommentar von|escrito por|publicado por|scritto da|di|автор[ы]?|текст|συντάκτης)"
    r"(?:\s*[:：]\s*|\s+)"
    r"|(?-i:By(?=[A-Z][a-z]+\s[A-Z]))"  # two elements without a space between them
    r"|(?:作者|記者|记者|编辑|編輯|责任编辑|責任編輯|撰文|撰稿|文字|文|来源|來源|责编|通讯员"
    r"|執筆|著者)\s*[:：/｜|丨]\s*|(?:本报|本網|本网)?(?:实习)?(?:记者|記者)\s+)",
    re.IGNORECASE,
)
_LABEL_ALONE: Final = re.compile(
    r"(?:(?:written|posted|reported|article|story|words) )?by|authors?|author\(s\)|von|por|par|door"
    r"|verfasst von|autor(?:in|es|a)?|auteurs?|autore|автор|συντάκτης|作者|記者|记者|執筆|著者",
    re.IGNORECASE,
)
_OPENERS: Final = frozenset(
    "written posted published reported reviewed story words text texte article created submitted"
    " compiled by von par por door av af autorzy autor autorin autoren autora autores author"
    " authors auteur auteurs autore skrevet redaktor redaktion geschrieben verfasst ein"
    " kommentar escrito publicado scritto di".split()
)
"""First words of labels, those of ASCII."""
_OPENERS_BY_LETTER: Final = "|".join(
    f"[{letter}{letter.upper()}](?i:{'|'.join(sorted(word[1:] for word in words))})"
    for letter, words in groupby(sorted(_OPENERS), lambda word: word[0])
)
_MAY_BE_LABEL: Final = re.compile(
    rf"{LINE_START}[^\w{LINE_START}]*+(?:(?:{_OPENERS_BY_LETTER})(?!\w)|By(?=[A-Z])|(?=[^\0-\x7f])"
    rf"(?:(?i:автор[ы]?|текст|συντάκτης|{'|'.join(sorted(_OPENERS))})(?!\w)"
    r"|作者|記者|记者|编辑|編輯|责任编辑|責任編輯|撰文|撰稿|文|来源|來源|责编|通讯员|執筆|著者"
    r"|本[报網网]|实习))"
)
"""The start of a line that may have a label, by its first word; a first letter beyond ASCII may be
another form of one of these."""
_LONGEST_LABEL: Final = 16
"""Characters that no label alone exceeds."""
_FIRST_HAN: Final = "\u3400"
_HAN: Final = re.compile("[\u3400-\u9fff]+")
_HAN_OTHER: Final = re.compile(
    "(?:报道|報道|報導|报|報|网|網|社|摄|攝|电|電|讯|訊)$|^(?:北京|上海|广州|深圳|香港|台北|东京)$"
)
_CJK_ROLE: Final = re.compile(
    r"(?:本报|本網|本网)?(?:实习)?(?:记者|記者|通讯员)\s+|(?:(?<!\s)\s++)?[(（]?(?:记者|記者|编辑|編輯|实习生|通讯员|特約|特约)[)）]?$"
    r"|(?<!\s)\s++기자(?:\s(?s:.*))?$"
)
_MONTH: Final = (
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mai|juni|juli|okt|dez|janv|févr|août"
    r"|ene|abr|ago|dic)[a-zäéû]*\.?"
)
_WEEKDAYS: Final = "mon tue tues wed wednes thu thurs fri sat satur sun".split()
_WEEKDAY: Final = rf"(?:{'|'.join(_WEEKDAYS)})(?:day\b|\b(?=[.,]?\s+(?:\d|{_MONTH}\b)))"
_WEEKDAY_BEFORE_DATE: Final = re.compile(rf"\b{_WEEKDAY},", re.IGNORECASE)
"""Short ones are parts of names, too: Lê Thu Hà, Sun Li."""
_BYLINE_END: Final = re.compile(
    rf"(?:\||｜|•|·\s|\s[-–—]\s|\((?!\w+\)\s\w)|（|\bfor\s+the\b|\b(?:posted|published|updated|modified"
    rf"|last|created|reviewed|fact.checked|veröffentlicht|aktualisiert|publié|publicado)\b"
    rf"|\b(?:am|on|at|vom|le|el)\s+(?:\d|{_MONTH}\b)|\d{{4}}|\d{{1,2}}[.:/]\d"
    rf"|\b{_MONTH}\s+\d|\b\d{{1,2}}\.?\s+{_MONTH}\b|\b{_WEEKDAY}"
    rf"|责任编辑|來源|来源|编辑[:：])",
    re.IGNORECASE,
)
_INNER_LABEL: Final = re.compile(
    r".{0,100}?\b(?:written|posted|published|reported|article|story|words|post)\s+by"
    r"\b[\s:]*|.{0,40}\s[Bb]y\s+(?=[A-Z])",
)
_PARTICLES: Final = frozenset(
    "de da do dos das di del della der den des du la le van von vom zu zum zur ten ter el al bin"
    " ibn y e af av und and und og och i of the ap mac mc".split()
)
_CASED: Final = re.compile(r"[A-Za-zÀ-ɏͰ-ϿЀ-ӿ]")
_PHRASE: Final = re.compile(r"[?!:;。？！；を\"“”«»=<>{}#%+*/\\]|\d")
STRICT_WORDS: Final = 5
STRICT_CJK: Final = 12
_SALUTATION: Final = re.compile(
    r"\A(?:dear|hello|hi|liebe[rs]?|sehr geehrte[rs]?|hallo|chers?|chères?|bonjour|querid[oa]s?"
    r"|estimad[oa]s?|caros?|caras?|cari|care|gentil[ei]|kære|kjære|käraste|hej|drodzy|szanowni"
    r"|vážení|beste|geachte|уважаем\w{2}|дорог\w{2}|шановн\w|sayın|değerli|عزيز\w*|سلام)\b|\A[各尊亲親敬]|\A全[体體]"
    r"|[同][志学學]们|[:：,，!！]\s*\Z",
    re.IGNORECASE,
)
_SPLIT: Final = re.compile(
    r"\s?(?:[;；、]|\s/\s|\s&\s|,?\s(?:and|und|et|y|og|och|en|e|i|ja|and by|with|και|и)\s"
    r"|\s?[,，]\s?)\s?"
)
_ROLE_WORDS: Final = frozenset(
    "editor reporter correspondent writer columnist staff author contributor journalist director"
    " manager founder ceo cto president professor producer photographer analyst redakteur"
    " redakteurin reporterin korrespondent korrespondentin redakcja redaktion redazione redaccion"
    " redaction redaktor journalisti journalistin journaliste periodista giornalista administrator"
    " admin webmaster guest team desk newsroom publisher bureau agency agencies phd md mba jr sr"
    " cfa rn esq pt dpt dds cpa senior chief expert specialist vice assistant associate deputy"
    " freelance".split()
)
_ROLES: Final = re.compile(
    rf"\b(?:{'|'.join(sorted(_ROLE_WORDS))}|redacción|rédaction"
    r"|ph\.?d\.?|m\.?d\.?|jr\.|sr\.|esq\.|head of|special to)\b",
    re.IGNORECASE,
)
_PARTING: Final = (
    _OPENERS
    | frozenset("and und et y og och en e i ja with for fact last updated modified".split())
    | frozenset("aktualisiert am on at vom le el".split())
    | {f"{day}{end}" for day in _WEEKDAYS for end in ("", "day")}
)
"""Words of ASCII with which a label, a list or what comes behind a name may begin."""
_NOT_NAMES: Final = frozenset(
    "admin administrator webmaster staff editor editors editorial author authors guest team user"
    " root super superuser unknown anonymous none null undefined nan true false by redaktion"
    " redakcja"
    " redaccion redazione redaction newsroom newsdesk staffwriter staffwriters staffreporter"
    " editorialteam editorialstaff websupport posted published share email home follow"
    " name startseite discussionstarter threadstarter members moderator"
    " 看全文 阅读全文 匿名 佚名 管理员 小编 编辑 记者 admin1 未知".split()
)


def split_names(text: str, *, inverted: bool = False, strict: bool = False) -> tuple[str, ...]:
    """Return the names in a byline, cleaned, in order, without duplicates.

    Args:
        text: a byline, or the value of a field for authors.
        inverted: "Doe, Jane" is one name, as in citation metas.
        strict: the text may be no byline: only what is written like a name is returned.
    """
    return _split_names(text[:LONGEST_TEXT], inverted, strict)


@lru_cache(maxsize=128)
def _split_names(text: str, inverted: bool, strict: bool) -> tuple[str, ...]:  # noqa: FBT001
    """Return `split_names`; cached, for a byline, what stands in it and its line are one text."""
    text = clean(text)
    if "@" in text or "." in text or ":" in text:
        text = one_line(_ADDRESS.sub(" ", text))
    if inverted:
        last, comma, first = text.partition(",")
        text = f"{first.strip()} {last.strip()}" if comma and "," not in first else text
    if strict and ("by " in text or "by:" in text):
        text = _INNER_LABEL.sub("", text, count=1)
    if not _is_undivided(text):
        text = "" if _LABEL_ALONE.fullmatch(text) else without_label(text)
        text = _WEEKDAY_BEFORE_DATE.sub("|", text)
    names: dict[str, str] = {}
    pieces = [text] if _is_undivided(text) else _SPLIT.split(text)[:MOST_NAMES]
    parts = (one for part in pieces for one in _han_names(part))
    for number, part in enumerate(parts):
        name = _one_name(part, first=number == 0)
        if name and strict and not _written_as_name(name):
            break
        if name and _is_place(name, names):
            continue
        if name:
            names.setdefault(fold(name), name)
    people = tuple(one for one in names.values() if one.isascii() or not _HAN_OTHER.search(one))
    return people or tuple(names.values())


def _is_undivided(text: str) -> bool:
    """Return whether a text is words of ASCII letters alone, none of them of `_PARTING`.

    No label, sign or word parts it; the expressions that seek them needn't be tried.
    """
    return (
        text.isascii()
        and text.replace(" ", "").isalpha()
        and _PARTING.isdisjoint(text.lower().split())
        and "By" not in text
    )


def names_written(text: str) -> tuple[str, ...]:
    """Return the names in a text that is known for a byline's; without case, a few words."""
    if names := split_names(text, strict=True):
        return names
    if _CASED.search(text) or len(text) > LONGEST_NAME or _PHRASE.search(text) or _HAN.search(text):
        return ()
    names = split_names(text)
    return names if all(len(one.split()) <= STRICT_WORDS for one in names) else ()


def has_case(text: str) -> bool:
    """Return whether a text has letters of a script in which names begin with a capital."""
    return _CASED.search(text) is not None


def is_salutation(text: str) -> bool:
    """Return whether a line addresses its readers: "Dear residents,", "各部门："."""
    return _SALUTATION.search(text) is not None


def has_label(text: str) -> bool:
    """Return whether a text starts with the label of a byline: "By …", "作者：…"."""
    if _BYLINE_LABEL.match(text) is not None:
        return True
    alone = text.rstrip(":： ")
    return len(alone) <= _LONGEST_LABEL and _LABEL_ALONE.fullmatch(alone) is not None


def places_of_labels(lines: str) -> list[int]:
    """Return where in `ShownLines.raw` the lines begin for which `has_label` may be true."""
    return [found.start() for found in _MAY_BE_LABEL.finditer(lines)]


def without_label(text: str) -> str:
    """Return a byline without its label."""
    for _ in range(2):
        shorter = _BYLINE_LABEL.sub("", text, count=1)
        if shorter == text:
            break
        text = shorter
    return text


def _han_names(part: str) -> list[str]:
    """Return the names in a text of Han letters between spaces, without agencies and places.

    A space within a name of two letters is there to align it with longer ones.
    """
    if part.isascii():
        return [part]
    words = part.split()
    if len(words) == 1 or not all(_HAN.fullmatch(word) for word in words):
        return [part]
    words = join_single_letters(words)
    if len(words) == 1:
        return words
    if [len(word) for word in words] == [2, 2]:
        return [part]  # perhaps a Japanese name, its two parts
    return [word for word in words if not _HAN_OTHER.search(word)] or [part]


def join_single_letters(words: list[str]) -> list[str]:
    """Return the words, single Han letters joined: names of two letters are set wide, 李 婕."""
    out: list[str] = []
    for is_single, run in groupby(words, lambda word: len(word) == 1 and word >= _FIRST_HAN):
        own = list(run)
        size = (2 if len(own) % 2 == 0 else len(own)) if is_single else 1
        out += ["".join(own[at : at + size]) for at in range(0, len(own), size)]
    return out


def _one_name(part: str, *, first: bool) -> str:
    name = part
    if not _is_undivided(part):
        name = without_label(part)
        if end := _BYLINE_END.search(name):
            name = name[: end.start()].rstrip()
        if not name.isascii():
            name = _CJK_ROLE.sub("", name)
    name = name.strip(" \t.,:：;-–—|·•\"'“”‘’()[]（）【】").removesuffix("'s").strip()
    words = name.split()
    if not name or len(name) > LONGEST_NAME or len(words) > MOST_WORDS or fold(name) in _NOT_NAMES:
        return ""
    if not any(map(str.isalpha, name)) or (not first and _ROLES.search(name)):
        return ""
    if len(words) == 1 and name.count(".") > 1 and name.islower():
        return ""
    if name.isascii() and len(words) > 2 and name == name.lower():  # noqa: PLR2004
        return ""
    return name


def _is_place(name: str, names: dict[str, str]) -> bool:
    """Return whether a single word after a full name is a place or a role, not a name."""
    before = next(iter(names.values()), "").count(" ")
    return before in {1, 2} and " " not in name and name.istitle() and name.isalpha()


def _is_role(word: str) -> bool:
    if word.isascii() and word.isalpha():
        return word.lower() in _ROLE_WORDS
    return _ROLES.search(word) is not None


def _written_as_name(name: str) -> bool:
    """Return whether a text is written like a name: few capitalised words, no signs or digits."""
    words = name.split()
    if len(words) == 1 and (
        "_" in name or (name.isalnum() and not name.isalpha() and name[0].isalpha())
    ):
        return True  # a user's name
    if _PHRASE.search(name) or _is_role(words[-1]):
        return False
    if not _CASED.search(name):
        return len(name) <= STRICT_CJK
    if len(words) > STRICT_WORDS:
        return False
    return all(w[0].isupper() or not w[0].isalpha() or w in _PARTICLES or "'" in w for w in words)


_HAN_han_names: Final = re.compile("[\u3400-\u9fff]")
_BETWEEN: Final = re.compile(r"[、，,；;/／&＆\s]+")
_REPORTED: Final = re.compile(r"[\s/／]\S{0,20}(?:报道|報道|報導|整理|电)$")
_ENDS: Final = re.compile(r"(?:综合|綜合|专题|现场)?(?:报道|報道|報導|整理)$")
_PHOTOGRAPHED: Final = re.compile(r"[摄攝影]$")
_TITLED: Final = re.compile(
    r"(?:评论员|評論員|研究员|撰稿人|编辑|編輯|记者|記者|教授|主任|院长|会长|律师)$"
)
_WORD: Final = re.compile(r"\w++", re.ASCII)
_NAME: Final = re.compile(
    "[\u3400-\u9fff]{2,4}(?:[·•][\u3400-\u9fff]{1,8}){0,3}|[\u3400-\u9fff]{1,8}(?:[·•][\u3400-\u9fff]{1,8}){1,3}"
)
_LONG_NAME: Final = re.compile("[\u3400-\u9fff\\w·•]{2,12}")
_BETWEEN_JAPANESE: Final = re.compile(r"[、,，;；/／&＆]|\s{2,}")
_HONORIFIC: Final = re.compile(r"(?:さん|氏|記者|[(（][^()（）]{1,20}[)）])\Z")
_JAPANESE_NAME: Final = re.compile(
    "[\u3040-\u30ff\u3400-\u9fff々ー・]{1,12}(?: [\u3040-\u30ff\u3400-\u9fff々ー・]{1,8})?"
)
_LONGEST_SOURCE: Final = 40
_SHORTEST: Final = 2
_LONGEST_NAME: Final = 3  # letters of a name whose surname has one


def people_named(
    value: str, *, pen_names: bool = False, surnames_only: bool = False
) -> tuple[str, ...]:
    """Return the names of people in a value of a byline, without places, codes and agencies.

    Args:
        value: what follows a label.
        pen_names: a name may be longer than those of people, if it is the first.
        surnames_only: only a common surname distinguishes a name from prose, as after 记者
            without a colon; then a value that holds anything else names nobody.
    """
    value = _ENDS.sub("", _REPORTED.sub("", value.strip())).strip()
    if not value or _PHOTOGRAPHED.search(value):
        return ()
    if not _HAN_han_names.search(value):
        return () if surnames_only else split_names(value, strict=True)
    names: dict[str, None] = {}
    words = join_single_letters(_BETWEEN.split(value))
    for word in words:
        name = _WORD.sub(_without_code, word).strip("_ ·•:：-—.《》“”\"'")
        if not name or name in NOBODY or (len(words) > 1 and _TITLED.search(name)):
            continue
        if surnames_only and not _begins_with_surname(name):
            return ()
        if not _NAME.fullmatch(name):
            if not names and pen_names and _LONG_NAME.fullmatch(name):
                names[name] = None
            break
        names[name] = None
    return tuple(names)


def japanese_names(value: str) -> tuple[str, ...]:
    """Return the names in a value of a Japanese label, each with the space between its parts."""
    names = (_HONORIFIC.sub("", one).strip() for one in _BETWEEN_JAPANESE.split(value))
    return tuple(dict.fromkeys(name for name in names if _JAPANESE_NAME.fullmatch(name)))


def _begins_with_surname(name: str) -> bool:
    """Return whether a name has a common surname, and at most two letters more."""
    if not _NAME.fullmatch(name):
        return False
    if name.startswith(COMPOUND_SURNAMES):
        return True
    return name[0] in SURNAMES and (len(name) <= _LONGEST_NAME or "·" in name)


def _without_code(found: re.Match[str]) -> str:
    """Return a word in ASCII letters, "" for the number of an employee: 谭章慧_NBJ6937."""
    word = found[0]
    return "" if word.startswith("_") or any(map(str.isdigit, word)) else word


def names_of_source(value: str) -> tuple[str, ...]:
    """Return the name of a source as a tuple of one; empty where it names none."""
    value = value.strip().removeprefix("《").replace("》", " ").strip(" :：、,，;；-—_")
    words = value.split()
    if not words or len(value) > 2 * _LONGEST_SOURCE:
        return ()
    # Words after a name in Han letters are of the page: "新华网 关注", "中国日报网 分享到".
    name = words[0] if _HAN_han_names.search(words[0]) else value
    name = name.strip("《》“”\"'、,，")
    if not _SHORTEST <= len(name) <= _LONGEST_SOURCE or name in NO_SOURCE:
        return ()
    return (name,) if any(letter.isalpha() for letter in name) else ()


HAN: Final = re.compile("[\u3400-\u9fff]")
"""A letter such as every label has."""
_LABEL: Final = re.compile(
    rf"(?:{'|'.join(RANKS)}){{0,3}}+(?P<label>"
    + "|".join(
        r"\s?".join(label) if len(label) == 2 else label  # noqa: PLR2004
        for label in sorted(ROLES, key=len, reverse=True)
    )
    + r")(?P<mark>\s?[:：]|\s?[/／｜丨|=＝](?!\d)|)"
)
_OTHERS: Final = frozenset(("other", *CONTRIBUTORS)) - {"editor"}
_OF_PEOPLE: Final = frozenset(("author", *CONTRIBUTORS))
_KANA: Final = re.compile("[\u3040-\u30ff々]")


def _any_of(words: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True)))


_WORD_byline_labels: Final = _any_of(CONTRIBUTIONS)
_CREDIT: Final = re.compile(
    rf"(?<![^\W_])(?P<words>(?:{_WORD_byline_labels})"
    rf"(?:(?:\s?[&/+,·・]\s?|\s(?:{_any_of(AND)})\s)(?:{_WORD_byline_labels})){{0,2}})(?![^\W_])"
    rf"(?:\s(?P<by>{_any_of([*BY, *OF])})(?![^\W_]))?"
    r"(?P<mark>\s?[:：=＝՝]|)(?:\s|\Z|(?<=[:：=＝՝]))"
    rf"|(?:\A[^\w]{{0,9}}|(?<=[.;|,/–—-]\s))(?P<alone>{_any_of(BY)})(?:\s?[:：])?\s",
    re.IGNORECASE,
)
"""What somebody did and the words behind it: "Photographs by ", "Foto: "."""
_EACH_WORD: Final = re.compile(rf"(?<![^\W_])(?:{_WORD_byline_labels})(?![^\W_])", re.IGNORECASE)
_ROLE_BEHIND: Final = re.compile(
    rf"[(（]((?:{_WORD_byline_labels})(?:(?:\s?[&/+,·・]\s?|\s(?:{_any_of(AND)})\s)(?:{_WORD_byline_labels})){{0,2}}"
    rf"|{_any_of(ROLES)})[)）]",
    re.IGNORECASE,
)
_FIRST_AND: Final = re.compile(rf"\A(?:{_any_of(AND)})\s+", re.IGNORECASE)
_LAST_AND: Final = re.compile(rf"\s(?:{_any_of(AND)})\Z", re.IGNORECASE)
_USER: Final = re.compile(r"[A-Za-z]\w{1,30}")
_WORD_OF_TEXT: Final = re.compile(r"[^\W_]++")
_FIRST_WORD: Final = re.compile(rf"{LINE_START}[^\w{LINE_START}]*+([^\W_]++)")


def _first_words(labels: Iterable[str]) -> frozenset[str]:
    found = (_WORD_OF_TEXT.search(label) for label in labels)
    return frozenset(one[0].casefold() for one in found if one)


_FIRST_WORDS: Final = _first_words(CONTRIBUTIONS)
_FIRST_OR_BY: Final = _FIRST_WORDS | _first_words(BY)
_REPORTER: Final = re.compile(
    r"(?<![가-힣])([가-힣]{2,4}(?:\s?[·ㆍ・]\s?[가-힣]{2,4}){0,4})\s?(?:[가-힣]{2}\s?)?기자(?![가-힣])"
)
_OF_REPORTERS: Final = re.compile("[가-힣]+")
_BEHIND: Final = re.compile(r"(?:\s द्वारा|\starafından(?:\s\w{4,12})?|\sद्वारा)\Z")
_START_OF_PROSE: Final = 60  # characters of a text whose reporter is named in front
_PUBLISHER: Final = re.compile(r"[报報网網社台刊视視端]$")
_AFTER: Final = re.compile(r"[|｜丨。！？!?\[\](（)）【】〔〕]|\s[-–—•/]\s|(?:19|20)\d\d\s?[-/.年]")
_AFTER_DATE: Final = re.compile(r"[|｜丨。\])）】]")
_TRAINEE: Final = re.compile(r"[(（](?:实习生?|實習生?|见习|見習|实习编辑)[)）]")
_BRACKETED: Final = re.compile(r"[(（【〔][^()（）【】〔〕]{3,60}+[)）】〕]")
_AGENCY: Final = re.compile(r"(?:\A|[(（\s])([^\s()（）,，。:：]{1,14}+)\Z")  # 重庆广电记者 谭博治
_STARTS: Final = " (（[【〔|｜丨、,，;；>》」•·-—■●"
_DATE: Final = re.compile(r"(?:19|20)\d\d")
_AROUND: Final = " \t,.;|/–—-·•&+、，；"
_BETWEEN_byline_labels: Final = f"{_AROUND}()[]"
"""What stands between what one person did and the next label."""
LONGEST_LINE: Final = 160  # characters of a line that is a byline; longer ones are prose


@dataclass(frozen=True, slots=True)
class BylinePart:
    """What one label announces.

    Attributes:
        role: whose or what the value is.
        value: the text after the label, as it stands; "" where the line ends with the label.
        names: of people, or the one of the source; empty for dates and other labels.
        marked: a colon or stroke follows the label.
    """

    role: Role
    value: str
    names: tuple[str, ...]
    marked: bool


def byline_parts(text: str) -> tuple[BylinePart, ...]:
    """Return what the labels in a line announce, in order; of prose, what stands in brackets."""
    if ("(" in text or "（" in text) and (parts := _with_roles_behind(text)):
        return parts
    return _byline_parts(text) if not text.isascii() and HAN.search(text) else _credits(text)


@lru_cache(maxsize=128)
def _with_roles_behind(text: str) -> tuple[BylinePart, ...]:
    """Return what brackets behind names say: "Ann Roe (text), Per Holm (photos)"."""
    if len(text) > LONGEST_LINE or _TRAINEE.search(text):
        return ()
    parts: list[BylinePart] = []
    stop = 0
    for found in _ROLE_BEHIND.finditer(text):
        value = _FIRST_AND.sub("", text[stop : found.start()].strip(_AROUND))
        names = names_written(value)
        words = _EACH_WORD.findall(found[1]) or [found[1]]
        known = (ROLES.get(word) or CONTRIBUTIONS.get(word.casefold()) for word in words)
        roles = [role for role in dict.fromkeys(known) if role and names]
        parts += [BylinePart(role, value, names, marked=True) for role in roles]
        stop = found.end()
    return tuple(parts)


@lru_cache(maxsize=128)
def _credits(text: str) -> tuple[BylinePart, ...]:
    """Return what labels of other scripts announce; empty where a text has none."""
    if "기자" in text and (reporters := _REPORTER.findall(text[:_START_OF_PROSE])):
        people = dict.fromkeys(_OF_REPORTERS.findall(" ".join(reporters)))
        return (BylinePart("author", text, tuple(people), marked=True),)
    if len(text) > LONGEST_LINE:
        return ()
    if found := _BEHIND.search(text):
        names = names_written(text[: found.start()])
        return (BylinePart("author", text, names, marked=True),) if names else ()
    if not _may_credit(text):
        return ()
    labels = [(one, roles) for one in _CREDIT.finditer(text) if (roles := _contributions(one))]
    if not labels or (has_label(text) and all(roles == ("author",) for _, roles in labels)):
        return ()  # `split_names` reads it
    parts = []
    before = text[: labels[0][0].start()].strip(_BETWEEN_byline_labels)
    if before and "author" not in labels[0][1] and (names := names_written(before)):
        parts.append(BylinePart("author", before, names, marked=False))
    for (label, roles), following in zip_longest(labels, labels[1:]):
        value = text[label.end() : following[0].start() if following else None].strip(
            _BETWEEN_byline_labels
        )
        value = _LAST_AND.sub("", value)
        names = names_written(value)
        if label["alone"]:  # "By the sea", "Του Μαΐου": a word behind it may be no name
            names = tuple(one for one in names if " " in one or not has_case(one))
        parts += [BylinePart(role, value, names, marked=True) for role in roles]
    return tuple(parts)


def _may_credit(text: str) -> bool:
    """Return whether any word of a text begins a label that `split_names` doesn't read itself."""
    words = frozenset(_WORD_OF_TEXT.findall(text.casefold()))
    if not _FIRST_WORDS.isdisjoint(words):
        return True
    return not _FIRST_OR_BY.isdisjoint(words) and not has_label(text)


def _contributions(label: re.Match[str]) -> tuple[Role, ...]:
    """Return what people are named for by a label; nothing where it is none."""
    if label["alone"]:
        return ("author",)
    if not label.start() and label["words"] in BY:
        return ("author",)
    words = [word.casefold() for word in _EACH_WORD.findall(label["words"])]
    by = (label["by"] or "").casefold()
    roles = tuple(dict.fromkeys(CONTRIBUTIONS[word] for word in words if word in CONTRIBUTIONS))
    weak = by in OF and by not in BY
    is_label = label["mark"] or (by and not (weak and not label.start() and "author" not in roles))
    return roles if is_label or words[-1] in WITHOUT_MARK else ()


def places_of_credits(lines: str) -> list[int]:
    """Return where in `ShownLines.raw` the lines begin that may begin with such a label."""
    found = _FIRST_WORD.finditer(lines)
    places = [one.start() for one in found if one[1].casefold() in _FIRST_OR_BY]
    if "기자" in lines:
        places += [one.start() for one in _REPORTER.finditer(lines)]
    return places


@lru_cache(maxsize=128)
def _byline_parts(text: str) -> tuple[BylinePart, ...]:
    """Return `byline_parts` of a text with Han letters; cached: several fields read it."""
    text = _TRAINEE.sub("", text)
    if len(text) <= LONGEST_LINE:
        return tuple(_parts(text))
    within = (found[0] for found in _BRACKETED.finditer(text[: 4 * LONGEST_LINE]))
    return tuple(part for inner in within for part in _parts(inner) if part.names)


def is_label(text: str) -> bool:
    """Return whether a line is a label alone."""
    return _LABEL.fullmatch(text) is not None or bool(_label_alone(text))


def _label_alone(text: str) -> tuple[Role, ...]:
    """Return what a line that is a label of another script announces; nothing for other lines."""
    if len(text) > LONGEST_LINE // 4 or not _may_credit(text):
        return ()
    found = _CREDIT.fullmatch(text)
    return () if found is None or found["alone"] else _contributions(found)


def value_below(text: str, below: str) -> BylinePart | None:
    """Return what the label that ends a line announces in the line below; None for prose.

    Args:
        text: a line that ends with a label, or is one.
        below: the next line.
    """
    if len(text) > LONGEST_LINE // 2 or not below:
        return None
    parts = byline_parts(text)
    if parts and not parts[-1].value:
        role, marked = parts[-1].role, True
    elif (found := _LABEL.fullmatch(text)) is not None:
        role, marked = ROLES["".join(found["label"].split())], bool(found["mark"])
    elif alone := _label_alone(text):
        role, marked = alone[0], True
    else:
        return None
    if not below or len(below) > LONGEST_LINE // 4 or is_salutation(below) or byline_parts(below):
        return None
    if HAN.search(text):
        names = _names(role, below, marked=marked)
    else:
        names = tuple(n for n in names_written(below) if " " in n or not has_case(n))
    return BylinePart(role, below, names, marked) if names else None


class _Label(NamedTuple):
    """A label of a line: where it starts and, with its mark, ends."""

    start: int
    stop: int
    text: str
    role: Role
    marked: bool


def _labels(text: str) -> list[_Label]:
    """Return what may be labels in a line, in order."""
    labels: list[_Label] = []
    if not HAN.search(text):
        return labels
    for found in _LABEL.finditer(text):
        start, mark = found.start(), found["mark"].strip()
        label = "".join(found["label"].split())
        role = ROLES[label]
        before = text[start - 1 : start]
        own = not before or before in _STARTS or not _is_han(before)
        if mark in {":", "："}:
            # Within a byline a label may follow a value without a space.
            begins = own or bool(labels) or _PUBLISHER.search(before) is not None
        elif mark:
            begins = own and (mark not in {"/", "／"} or role in {"author", "editor", *_OTHERS})
        elif role in {"published", "modified"}:
            begins = own
        elif role in _OTHERS:
            after = text[found.end() : found.end() + 1]
            begins = bool(after) and len(label) > 1
            begins &= label in PHOTOGRAPHY or (own and not _is_han(after))
        else:
            after = text[found.end() : found.end() + 1]
            begins = role != "source" and len(label) > 1 and after not in _STARTS[1:]
            if begins and not own:
                earliest = max(start - 16, labels[-1].stop if labels else 0)
                agency = _AGENCY.search(text, earliest, start)
                begins = bool(labels or agency or _PUBLISHER.search(before))
                start = agency.start(1) if agency else start
        if begins:
            labels.append(_Label(start, found.end(), label, role, bool(mark)))
    return labels


def _is_han(letter: str) -> bool:
    return "\u3400" <= letter <= "\u9fff"


def _parts(text: str) -> Iterator[BylinePart]:
    labels = _labels(text)
    japanese = any(one.text in JAPANESE for one in labels) or _KANA.search(text) is not None
    for label, value in _values(text, labels):
        if label.role in {"published", "modified"}:
            if _DATE.search(value):
                date = _AFTER_DATE.split(value, maxsplit=1)[0].strip()
                yield BylinePart(label.role, date, (), label.marked)
            continue
        own = _AFTER.split(value, maxsplit=1)[0].strip()
        if japanese and label.marked and label.role in _OF_PEOPLE:
            names = japanese_names(own)
        else:
            names = _names(label.role, own, pen_names=label.text in PEN_NAMES, marked=label.marked)
        if not label.marked and not label.start and label.text == "作者" and _USER.fullmatch(own):
            names = (own,)  # label and value stand in elements of their own, without a colon
        if label.marked or names:
            yield BylinePart(label.role, own, names, label.marked)


def _values(text: str, labels: list[_Label]) -> Iterator[tuple[_Label, str]]:
    """Yield each label and the text up to the next one."""
    for label, following in zip_longest(labels, labels[1:]):
        if label is not None:
            stop = following.start if following else len(text)
            yield label, text[label.stop : stop].strip()


def _names(
    role: Role, value: str, *, pen_names: bool = False, marked: bool = True
) -> tuple[str, ...]:
    if role == "source":
        return names_of_source(value)
    if role == "author":
        return people_named(value, pen_names=pen_names, surnames_only=not marked)
    if role in CONTRIBUTORS:
        # A number among editors is that of an employee: "HN666".
        names = people_named(value, surnames_only=not marked)
        return tuple(name for name in names if not any(map(str.isdigit, name)))
    return ()
