"""Words of bylines: labels by what they announce, ranks, surnames, what is no name.

Labels of Chinese and Japanese stand in one table, since they need no space around them; those of
other scripts in another, with the words that stand between them and a name.
"""

from __future__ import annotations

from typing import Final, Literal

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
