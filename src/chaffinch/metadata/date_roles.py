"""What a date in a line is of: publication, the last change, or something else, by its label.

Labels are known by how their words begin, folded as `date_words.folded_word` does; "+" joins two
words, and "=" stands behind whole ones. In scripts without spaces they are sought in the text.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from chaffinch.elements.date_words import folded_word
from chaffinch.elements.dates import Reading, dates_in

DateRole = Literal["published", "modified", "other", ""]

_STEMS: Final[dict[DateRole, str]] = {
    "published": (
        "publish publication published posted released issued uploaded created appeared "
        "submitted+on veroffentlich publizier erschien erstellt eingestellt publie publiee "
        "parue paru= en+ligne poste cree publica postad publicad creado creada pubblica postato "
        "creato publicat postat geplaatst gepubliceer gepost publicer publicerad publiser "
        "publicere lagt+ut lagt+ud opprettet oprettet skrevet julkais luotu avaldat lisatud "
        "publicet publicets pievienot paskelbt publikuo ikelta opublikow dodano zamieszcz "
        "utworz publikov zverejn vydano vlozeno pridano pridane uverejn objavlj objav kozzet "
        "megjelen letrehoz postare birt birtist publikuar shpall botuar argitarat foilsi "
        "cyhoedd ippubblikat опублик публик размещ добавл создан выложен оприлюдн створен "
        "публиків апублік размешч објав публикув жариялан дарияла басыл нийтлэ нийтэл δημοσι "
        "αναρτ yayın yayim yayınla eklenme olusturul dərc nəsr nəşr paylasıl chop+etil eʼlon "
        "elon+qil نشر نشرت النشر بتاريخ كتب اضيف انتشار منتشر درج شائع شایع اشاعت نیٹ فرسته خپر "
        "بلاو פורסם פרסום תאריך+פרסום הועלה प्रकाश पोस्ट प्रसारित প্রকাশ পোস্ট பதிவ வெளிய "
        "பிரசுரி ప్రచుర ప్రచురణ ಪ್ರಕಟ പ്രസിദ്ധ പ്രസിദ്ധീ પ્રકાશ પ્રકાશિત ਪ੍ਰਕਾਸ਼ කිරී ප්‍රකාශ "
        "පළ diterbit terbit dipublikasi publikasi diposting tayang dimuat disiarkan đang "
        "xuat+ban ngay+đang iliyochap ilichap inilathala nailathala na-post გამოქვეყ გამოქვეყნ "
        "թարգման հրապարակ argitalpen publikigit gepubliceerd"
    ),
    "modified": (
        "updat modifi edited revised revision amend last+changed last+change last+reviewed "
        "reviewed aktualis geander anderung letzte+anderung uberarbeit bearbeit stand= zuletzt "
        "mis+a mise+a a+jour modifie actualiz modific edita editad revisad ultima+revision "
        "ultimo+cambio aggiorn revisat atualiz alterad bijgewerkt gewijzig aangepast geupdate "
        "uppdatera andrad redigera oppdater endret opdater andret redigeret paivit muokat "
        "uuendat muudet atjaunin atjaunot labots atnaujin redaguo pakeist aktualiz zmieni "
        "zmodyf edycj edytow upraven uprava zmenen posodob spremenj azurira azurir izmjen "
        "izmijenj izmenjen frissit modosit modificat editat uppfær breytt perditesu ndryshuar "
        "eguneratu aldatu nuashonr diweddar aggornat обнов актуализ изменен изменён редакт "
        "отредакт оновл змінен редаг абноул зменен рэдаг промен ажурир жаңартыл өзгерт шинэчил "
        "засвар ενημερω τροποποι guncelle duzenlen degistir yenilən deyis yangilan تحديث "
        "التحديث تعديل التعديل محدث بروز بهروز بروزرساني به+روز ويرايش اپڈیٹ اپ+ڈیٹ تازه עודכן "
        "עדכון नवीन अपडेट अद्यत संशोध আপডেট হালনাগাদ புதுப்ப திருத்த నవీక అప్డేట్ అప్‌డేట్ ನವೀಕ "
        "ಅಪ್ಡೇಟ್ അപ്ഡേറ്റ് પડેટ અપડેટ ਅੱਪਡੇਟ ਅਪਡੇਟ යාවත් diperbarui diperbaharui pembaruan "
        "dikemas روزرسانی ویرایش diubah diedit diupdate cap+nhat chinh+sua sua+đoi sua+lan "
        "iliyosasish ilisasish in-update na-update განახლ რედაქტ թարմաց խմբագր"
    ),
    "other": (
        "accessed retrieved access+date abgerufen zugriff abruf consulte consultado consultada "
        "consultato geraadpleegd opgehaald hamtad hentet lest= besokt viitattu luettu dostep "
        "pristup cit= citovano обращен звернен доступ ανακτηθ erisim بازبینی دریافت الاطلاع "
        "event= events= veranstalt evenement evento eventi evenemang termin= starts= start= "
        "begins= beginn= beginnt= takes+place happening when= doors= wann= quando= cuando= "
        "quand= wanneer= wydarz koncert мероприят начало подія zeit+und etkinlik acara فعالية "
        "رويداد कार्यक्रम born= geboren nacido nacida naissance nato= nata= ur= rodz род= рожд "
        "died gestorben expires expiry valid= gultig deadline closing apply= due= until= bis= "
        "bewerb frist scadenza caduca plazo expire joined join= since= seit= member= mitglied "
        "miembro membre inscrit registr registered dołączy регистр received accepted "
        "eingegangen angenommen founded established gegrundet copyright forecast references= "
        "bibliograph literatur="
    ),
}  # fmt: skip
_UNSPACED: Final[dict[DateRole, str]] = {
    "published": (
        "公開 投稿 掲載 登録 作成日 発表 配信 発行 公表日 放送日 发布 发表 发稿 發布 發佈 發表 "
        "發稿 刊登 刊出 上架 張貼 公告日期 公告 建立日期 创建 입력 등록 작성 승인 게시 발행 "
        "기사전송 송고 เผยแพร่ โพสต์ ลงเมื่อ ประกาศ เขียนเมื่อ ຈັດພິມ ເຜີຍແຜ່ បានផ្សាយ ផ្សាយ "
        "စာတင် ထုတ်ဝေ"
    ),
    "modified": (
        "更新 改訂 改定 修正日 変更日 編集日 修改 修订 修訂 编辑于 編輯於 最后编辑 最後編輯 "
        "異動 수정 업데이트 최종편집 변경 갱신 อัปเดต อัพเดต อัพเดท อัปเดท แก้ไข ปรับปรุง "
        "ອັບເດດ បច្ចុប្បន្ន မွမ်းမံ"
    ),
    "other": (
        "参考文献 參考文獻 "
        "引用日期 访问日期 訪問日期 存取日期 查阅 閲覧 参照 アクセス日 取得日 开始时间 活动时间 "
        "活動時間 活动日期 活動日期 開催 開始日 日時 会期 締切 期限 締め切り 截止 有效 生まれ "
        "出生 入会 注册 註冊 성립 행사 일시 기간 마감 출생 가입 접수 확인일 검색일 วันเกิด "
        "เริ่ม กิจกรรม หมดเขต สมัคร"
    ),
}  # fmt: skip
_NO_LABELS: Final = frozenset("public publicly publisher publishers publicity publicitate".split())
_AROUND: Final = 60  # characters before or behind a date in which its label is
_FARTHEST: Final = 6  # words between
_SHORTEST, _LONGEST = 2, 11  # letters of the beginnings of words
_WORD: Final = re.compile(r"[^\s\d,.;:!?|/()\[\]{}<>«»„“”\"·•–—،।'’]+|©")
_ENDS: Final = re.compile(r"(?<!\d)[.!?。！？](?=\s+\S{3})(?!\s*[-–—])")
_UNSPACED_LETTERS: Final = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u9fff\uac00-\ud7af]"
)
_LABEL_GOES_ON: Final = re.compile(r"\s*(?:[:：]|\d)")


class DatedPart(NamedTuple):
    """A date of a line, and what its label says that it is of; "" where it has none."""

    reading: Reading
    role: DateRole


def _by_beginning() -> dict[str, DateRole]:
    return {folded_word(stem): role for role, stems in _STEMS.items() for stem in stems.split()}


_ROLES: Final[dict[str, DateRole]] = _by_beginning()
_UNSPACED_LABEL: Final = re.compile(
    "|".join(
        sorted((w for words in _UNSPACED.values() for w in words.split()), key=len, reverse=True)
    )
)
_UNSPACED_ROLES: Final = {w: role for role, words in _UNSPACED.items() for w in words.split()}


@lru_cache(maxsize=256)
def dated_parts(text: str, locale: str = "") -> tuple[DatedPart, ...]:
    """Return the dates of a line with what their labels say.

    A label stands before its date; in lines such as «2021-03-05 更新», behind it.
    """
    plain, found = dates_in(text, locale)
    if not found:
        return ()
    stops = [0, *(one.stop for one in found)]
    starts = [*(one.start for one in found[1:]), len(plain)]
    before = [
        plain[max(stop, one.start - _AROUND) : one.start]
        for stop, one in zip(stops, found, strict=False)
    ]
    behind = [
        plain[one.stop : min(start, one.stop + _AROUND)]
        for one, start in zip(found, starts, strict=True)
    ]
    roles = [label_role(one) for one in before]
    if not roles[0]:
        following = [_role_behind(one) for one in behind]
        if following[-1]:
            roles = following
    return tuple(DatedPart(*one) for one in zip(found, roles, strict=True))


def _role_behind(text: str) -> DateRole:
    """Return the role of the label that a text begins with, unless it is that of what follows."""
    words = _labels(text)
    if not words or words[0][0] > _FARTHEST * 3 or _LABEL_GOES_ON.match(text, words[0][1]):
        return ""
    return words[0][2]


@lru_cache(maxsize=1024)
def label_role(text: str) -> DateRole:
    """Return what the last label of a text that stands before a date says that it is of."""
    ends = [found.end() for found in _ENDS.finditer(text)]
    labels = _labels(text[ends[-1] :] if ends else text)
    if not labels:
        return ""
    far = len(_WORD.findall(text[ends[-1] if ends else 0 :][labels[-1][1] :]))
    return labels[-1][2] if far <= _FARTHEST else ""


def _labels(text: str) -> list[tuple[int, int, DateRole]]:
    """Return (start, end, role) of the labels of a text, in order."""
    out: list[tuple[int, int, DateRole]] = []
    words = [(found.start(), found.end(), folded_word(found[0])) for found in _WORD.finditer(text)]
    for at, (start, stop, word) in enumerate(words):
        if word == "©":
            out.append((start, stop, "other"))
            continue
        pair = f"{word}+{words[at + 1][2]}" if at + 1 < len(words) else ""
        role = _ROLES.get(pair) or _role_of(word)
        if role:
            out.append((start, words[at + 1][1] if _ROLES.get(pair) else stop, role))
    if not text.isascii() and _UNSPACED_LETTERS.search(text):
        out += [(f.start(), f.end(), _UNSPACED_ROLES[f[0]]) for f in _UNSPACED_LABEL.finditer(text)]
        out.sort()
    return out


@lru_cache(maxsize=4096)
def _role_of(word: str) -> DateRole:
    """Return the role of the longest label that a word begins with."""
    if word in _NO_LABELS:
        return ""
    if whole := _ROLES.get(f"{word}="):
        return whole
    sizes = range(min(len(word), _LONGEST), _SHORTEST - 1, -1)
    return next((role for size in sizes if (role := _ROLES.get(word[:size]))), "")
