"""What changes on a page by itself: numbers of readers, comments and votes, and dates from now.

They count only where they stand apart from prose: in a part of a line, as separators cut it, that
holds nothing else but a label («updated», «posted by») or, beside a date, a name. «12 comments» is
a counter, «12 comments on the draft» is what is said.
"""

from __future__ import annotations

import re
from typing import Final

from chaffinch.elements.date_words import relative_span
from chaffinch.lists.post_features import MAX_DATE_LINE

_AFTER: Final = (
    r"(?:(?:people|users?|guests?|members?|readers?|visitors?|nutzer|benutzer|mitglieder|gäste"
    r"|utilisateurs?|membres|usuarios|utenti|gebruikers|пользовател\w{0,3})"
    r"\s(?:(?:are|currently|now)\s){0,2}(?:reading|watching|online|en\sligne|en\slínea|онлайн)"
    r"(?:\s(?:now|this)){0,2}"
    r"|views?|reads?|readers?|comments?|replies|reply|responses?|likes?|shares?|votes?|upvotes?|hits"
    r"|followers?|subscribers?|visitors?|downloads?|plays?|reactions?|retweets?|reposts?|claps?"
    r"|times|online|watching|mal|guests?(?:\sonline)?|people\slike\sthis"
    r"|aufrufe|kommentare?|antworten|reaktionen|bewertungen|leser|mal\s(?:gelesen|geteilt|angesehen)"
    r"|vues?|commentaires?|réponses?|réactions?|partages?|lectures?|abonnés?"
    r"|vistas?|comentarios?|respuestas?|visitas?|reacciones|visualizaciones|seguidores"
    r"|comentários?|visualizações|curtidas|compartilhamentos|commenti|visualizzazioni|condivisioni"
    r"|reacties|weergaven|keer\s(?:bekeken|gelezen)|kommentarer?|visninger|visningar"
    r"|komentarz\w{0,3}|wyświetle\w{0,4}|odsłon\w{0,2}|opinii"
    r"|комментари\w{0,3}|просмотр\w{0,3}|отзыв\w{0,3}|ответ(?:а|ов)?|лайк\w{0,2}"
    r"|σχόλι\w{0,2}|προβολ\w{0,3}|yorum|görüntülenme"
    r"|(?:次|人|条|條|个|個)?(?:阅读|閱讀|浏览|瀏覽|评论|評論|回复|回覆|点赞|點讚|播放|收藏|分享|转发|参与|赞|跟贴)"
    r"|件のコメント|コメント|いいね|回閲覧|개의\s댓글|댓글)"
)
_BEFORE: Final = (
    r"(?:views?|reads?|comments?|replies|likes?|shares?|votes?|hits|visitors?(?:\stoday)?|downloads?"
    r"|online(?:\snow)?|gelesen|besucher(?:\sheute)?|aufrufe|kommentare|antworten|vues|commentaires|visitas|comentarios|vistas|lecturas"
    r"|komentarze|odsłony|wyświetleń|комментари[ийев]{1,2}|просмотр(?:ов|ы)|σχόλια"
    r"|阅读(?:量|数|次数)?|閱讀|浏览(?:量|次数)?|瀏覽|点击(?:量|率|次数|数)?|點擊|评论(?:数)?|評論|回复|人气|人氣"
    r"|查看|热度|点赞|點讚|分享|转发|轉發|收藏|赞|讚|コメント|閲覧数|조회수?|댓글)"
)
_NUMBER: Final = r"\d(?:[\d.,]|[ \u00a0\u202f]\d{3}(?!\d))*+(?:\s?[km万萬千亿億만천])?"
_COUNTER: Final = re.compile(
    rf"(?<![\w.,]){_NUMBER}\s?+\+?{_AFTER}(?!\w)"
    rf"|(?<![^\W_]){_BEFORE}\s?+[:：(（]?\s?+{_NUMBER}(?:\s?(?:mal|times|次|回|회))?(?!\w)[)）]?",
    re.IGNORECASE,
)
_IN_BRACKETS: Final = re.compile(
    r"\s?[(（](?!(?:1\d|20)\d\d[)）])\d[\d.,]*+[km]?[)）]$", re.IGNORECASE
)
"""A counter behind a short label; a number like a year is none."""
_LABEL: Final = re.compile(
    r"(?<![^\W_])(?:(?:last|first|originally|zuletzt|dernière|última|última\svez|ultima|senast|sist|laatst)"
    r"\s)?(?:posted|published|updated|edited|modified|created|added|asked|answered|viewed|commented"
    r"|replied|started|active|seen|joined|uploaded|shared|submitted|written|by|at|on|in|from|via|new"
    r"|veröffentlicht|erstellt|aktualisiert|bearbeitet|geändert|geschrieben|gepostet|aktiv|von"
    r"|publiée?|mise?\sà\sjour|modifiée?|postée?|écrit|par|publicad[oa]|actualizad[oa]|editad[oa]"
    r"|por|pubblicat[oa]|aggiornat[oa]|modificat[oa]|di|da|atualizad[oa]|postad[oa]|modificad[oa]"
    r"|geplaatst|gepubliceerd|bijgewerkt|gewijzigd|door|publicerad|uppdaterad|ändrad|av|publisert"
    r"|oppdatert|publiceret|opdateret|af|opublikowan[oey]|dodan[oey]|zaktualizowan[oey]|przez"
    r"|опубликовано|обновлено|изменено|добавлено|написано|автор|від|оновлено|опубліковано"
    r"|yayınlandı|güncellendi|güncelleme|δημοσιεύτηκε|ενημερώθηκε)(?![^\W_])"
    r"|最后|最後|最近|发布|發佈|发表|發表|更新|编辑|編輯|修改|回复|回覆|来自|创建|登录|于|於|投稿|公開|作成|編集"
    r"|작성|수정|업데이트|게시|등록",
    re.IGNORECASE,
)
"""What may stand beside a counter or an age without being prose."""
_APART: Final = re.compile(r"((?:(?<![^\S\n])[^\S\n]++)?[·•∙|｜\n—–/…♥★]\s*+|\s-\s)")
_COMMA: Final = re.compile(r"[,，、]\s|，|、")
_STOP: Final = re.compile(r"(?<!\W)[^\w.!?。！？…।]*+[.!?。！？…।]\W*+\Z")
_MOST_NAMES: Final = 4
"""Words of a name beside an age."""
_MOST_LABEL: Final = 3
"""Words before a counter in brackets."""
_UNSPACED_NAME: Final = 6
"""Characters of a name in a script without capitals."""


def without_changing(line: str) -> str:
    """Return a line without its counters and dates from now, white space folded."""
    if len(line) > MAX_DATE_LINE:
        return line
    parts = _APART.split(line)  # part, separator, part, …
    kept = [part if at % 2 else _part_without(part) for at, part in enumerate(parts)]
    return line if kept == parts else " ".join("".join(kept).split())


def _part_without(part: str) -> str:
    """Return a part of a line without what changes in it, if it is nothing but that."""
    without_counters = _COUNTER.sub(" ", part)
    left = without_counters
    while (age := relative_span(left)) is not None:
        left = f"{left[: age[0]]} {left[age[1] :]}"
    if left == part:
        bare = _IN_BRACKETS.sub("", part)
        return bare if len(bare.split()) <= _MOST_LABEL else part
    rest = _LABEL.sub(" ", left)
    if not any(map(str.isalnum, rest)):
        return left
    is_age = left != without_counters and without_counters == part
    return left if is_age and not _STOP.search(part) and _are_names(rest, part) else part


def _are_names(rest: str, part: str) -> bool:
    """Return whether what stands beside a date is a name or two: no prose."""
    found = [word for one in _COMMA.split(rest) for word in one.split() if word.isalnum()]
    if not found or len(found) > _MOST_NAMES:
        return False
    cased = [word for word in found if word.lower() != word.upper()]
    if cased:
        return all(word[0].isupper() or word.isdigit() for word in found)
    return sum(map(len, found)) <= _UNSPACED_NAME and not {*found} - {*part.split()}
