"""Lines near the headline, and the labels that they begin with."""

import pytest

from chaffinch.metadata.names import has_label

LABELS = """By Jane Doe|ByJane Doe|by: x|— Written by Jane|POSTED BY x|Published by x
published  by x|Story by x|Von Jana|par Anne|Por Ana|door Jan|av Kari|af Bo
autorzy: x|Autorin: x|Autores x|authors: x|Author x|auteur x|Autore: x|texte: x
Text: x|Skrevet av x|Redaktion: x|Redaktor x|geschrieben von x|Ein Beitrag von x
Kommentar von x|escrito por x|publicado por x|scritto da x|di Anna|автор: x|Авторы x
текст: x|συντάκτης x|ΣΥΝΤΆΚΤΗΣ: x|作者：王小明|記者：x|记者 x|本报记者 x|本網记者 x
实习记者 x|编辑：x|責任編輯：x|撰文/x|文：x|來源：x|责编：x|通讯员：x|執筆：x|著者：x
By|by:|Author(s)|auteurs|verfasst von|Story by:|words by|autora|ſtory by x
\u212aommentar von x""".replace("\n", "|")


@pytest.mark.parametrize("label", LABELS.split("|"))
def test_labels_at_the_start_of_a_line(label):
    assert has_label(label)
    assert not has_label(f"x {label}")
