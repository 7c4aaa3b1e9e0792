"""Further words without a topic, by language: pronouns, prepositions, auxiliaries and the like.

They complete `chaffinch.metadata.language`, which holds the few that tell languages apart.
"""

from __future__ import annotations

from typing import Final

FURTHER: Final = {
    "en": "she him her hers them these those your yours our ours its it's i'm i've you're we're"
    " they're that's don't didn't doesn't isn't can't won't wasn't also because could should"
    " would may might must shall does did done doing being had having get gets got getting"
    " make made take one two many much most some any every each few other others another"
    " such only own same so than then too very just now here where why how whether while"
    " during before after above below between into through over under again further once out"
    " off down said says say new even still well way use used using like yet ever never"
    " always often per via within without among against upon both either neither nor since"
    " until till though although however therefore thus",
    "de": "ich du wir ihr uns euch ihm ihn ihnen mein meine dein sein seine seiner seinen ihre"
    " ihrer ihren unser unsere dies diese dieser dieses diesem diesen jene welche welcher"
    " welches man kann können könnte muss müssen soll sollen sollte will wollen würde würden"
    " wurde wurden worden war waren gewesen hatte hatten habe hast sei vor zum zur beim vom"
    " ins unter gegen durch ohne bis seit wegen während zwischen denn weil wenn dass damit"
    " obwohl aber doch sondern sowie sehr mehr viel viele alle allem allen aller alles"
    " andere anderen etwas nichts kein keine keinen immer schon jetzt dann dort hier wo was"
    " wer wieder ganz etwa eines einem sagte sagt neue neuen zwei",
    "fr": "je tu nous vous ils elles lui leurs mon ma mes ton ta tes notre nos votre vos cet ces"
    " celle celui ceux dont où quand comme ainsi alors aussi avant après chez contre depuis"
    " entre jusque sans sous vers très plus moins peu tout tous toute toutes autre autres"
    " même mêmes encore être avoir avait avaient était étaient fait faire peut peuvent doit"
    " sera seront car donc or ni si bien déjà deux cela quelque quelques dit lors afin",
    "es": "yo tú él ella ellos ellas nosotros usted ustedes mi mis tus nuestro nuestra estos"
    " estas ese esa eso esos aquel donde cuando cual cuales quien quienes sin sobre desde"
    " hasta hacia contra durante según muy mucho muchos poco todo todos toda todas otro otra"
    " otros otras mismo cada ser estar estaba había hay hace hacer puede pueden debe tiene"
    " tienen fueron era eran han sido ya aún así aunque porque pues ni si le les lo dijo dos"
    " años año día",
    "it": "io tu lui lei noi voi loro mio mia tuo suo nostro vostro quello quella quelli questi"
    " queste dove quando come perché mentre dopo prima senza sopra sotto tra fra verso"
    " contro molto poco tutto tutti tutta tutte altro altra altri altre stesso ogni essere"
    " avere aveva era erano stato stata stati può possono deve fare fatto già ancora così"
    " anche se sia ci ne due agli alle ai allo dai dalle degli nei nelle sui sulla sulle",
    "pt": "eu tu ele ela eles elas nós você vocês meu minha teu nosso nossa esse essa isso este"
    " esta isto aquele onde quando qual quem sem sobre desde até contra durante muito muitos"
    " pouco todo todos toda todas outro outra outros outras mesmo cada ser estar estava"
    " havia há tem têm pode podem deve foram era eram sido já ainda assim porque pois nem às"
    " aos pelos pelas dois anos ano dia disse entre",
    "nl": "ik jij je u wij we zij ze hun ons onze mijn jouw deze dit die waar wanneer hoe wat wie"
    " want omdat terwijl tegen tussen onder boven zonder tot sinds na veel weinig alle alles"
    " andere elk elke kan kunnen moet moeten zal zullen zou zouden werd werden was waren had"
    " hadden geen wel al nu dan daar hier meer zeer twee jaar zich",
    "pl": "ja ty on ona ono my wy oni one mnie mój moja twój nasz wasz ten ta to ci te tego tej"
    " tym tych który która które których gdzie kiedy jak tak nie czy oraz lub ale więc bo"
    " aby żeby przez przy pod nad bez dla między po przed od do jest są był była było byli"
    " być może mogą będzie będą już jeszcze bardzo także również tylko sobie się co ze jego"
    " jej ich dwa rok roku",
    "ru": "я ты он она оно мы вы они меня тебя его её ему ей им их мой твой наш ваш свой этот эта"
    " это эти того той том тех который которая которое которые где когда как так не или но а"
    " и что чтобы потому при под над без для между до из от по про через был была было были"
    " быть есть будет будут может могут уже ещё еще очень также тоже только себя нет все"
    " всех всего два года году",
    "tr": "ben sen o biz siz onlar bu şu bir ve ile için gibi kadar daha çok en de da ki mi ama"
    " veya ya her hiç olan olarak oldu olduğu olduğunu var yok ne nasıl neden sonra önce"
    " göre dedi iki yıl ise değil",
}
"""Language → words, with white space between them."""
