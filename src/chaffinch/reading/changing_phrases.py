"""What changes on a page by itself: numbers of readers, comments and votes, and dates from now.

Numbers count only in short lines, beside a word of what is counted: in prose they are what is said.
"""

from __future__ import annotations

import re
from typing import Final

from chaffinch.posts.post_dates import MAX_DATE_LINE, RELATIVE

_SHORT: Final = 80  # characters of a line that shows a counter
_AFTER: Final = (
    r"(?:views?|reads?|readers?|comments?|replies|reply|responses?|likes?|shares?|votes?|upvotes?|hits"
    r"|followers?|subscribers?|visitors?|downloads?|plays?|reactions?|retweets?|reposts?|claps?"
    r"|people\s(?:are\s)?(?:reading|watching)|online|watching"
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
    r"(?:views?|reads?|comments?|replies|likes?|shares?|votes?|hits|visitors?|downloads?"
    r"|aufrufe|kommentare|antworten|vues|commentaires|visitas|comentarios|vistas|lecturas"
    r"|komentarze|odsłony|wyświetleń|комментари[ийев]{1,2}|просмотр(?:ов|ы)|σχόλια"
    r"|阅读(?:量|数|次数)?|閱讀|浏览(?:量|次数)?|瀏覽|点击(?:量|率|次数|数)?|點擊|评论(?:数)?|評論|回复|人气|人氣"
    r"|查看|热度|コメント|閲覧数|조회수?|댓글)"
)
_NUMBER: Final = r"\d[\d.,]*+(?:\s?[km万萬千])?"
_COUNTER: Final = re.compile(
    rf"(?<![\w.,]){_NUMBER}\s?+\+?{_AFTER}(?!\w)"
    rf"|(?<![^\W_]){_BEFORE}\s?+[:：(（]?\s?+{_NUMBER}(?!\w)[)）]?"
    rf"|[(（]{_NUMBER}[)）]$",
    re.IGNORECASE,
)
_NOW: Final = re.compile(
    r"\b(?:just now|a moment ago|gerade eben|à l'instant|только что)\b|刚刚|剛剛|たった今"
    r"|\b\d{1,3}\s?(?:секунд|минут|час|дн|недел|месяц|год|лет)\w{0,4}\s(?:тому\s)?назад\b"
    r"|\b\d{1,3}\s?(?:sekund|minut|godzin|dni|dzień|tygod|miesi|lat|rok)\w{0,5}\stemu\b"
    r"|\bhá\s\d{1,3}\s\w{2,9}\b|\b\d{1,3}\s\w{2,9}\s(?:fa|geleden|sedan|siden|önce)\b"
    r"|\bπριν\s(?:από\s)?\d{1,3}\s\w{2,9}\b|\d{1,3}\s?(?:秒|分|時間|日|週間|か月|ヶ月)前|\d{1,3}\s?(?:초|분|시간|일)\s전",
    re.IGNORECASE,
)


def without_changing(line: str) -> str:
    """Return a line without its counters and dates from now, white space folded."""
    if len(line) > MAX_DATE_LINE:
        return line
    left = _NOW.sub(" ", RELATIVE.sub(" ", line))
    if len(line) <= _SHORT:
        left = _COUNTER.sub(" ", left)
    return line if left == line else " ".join(left.split())
