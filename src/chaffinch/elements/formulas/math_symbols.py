"""Signs of formulas as TeX: Greek letters, operators, relations, arrows, accents, alphabets."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final

_GREEK: Final = (
    "alpha beta gamma delta varepsilon zeta eta theta iota kappa lambda mu nu xi o pi rho varsigma"
    " sigma tau upsilon varphi chi psi omega"
).split()
_CAPITALS: Final = {
    "Γ": "Gamma", "Δ": "Delta", "Θ": "Theta", "Λ": "Lambda", "Ξ": "Xi", "Π": "Pi", "Σ": "Sigma",
    "Υ": "Upsilon", "Φ": "Phi", "Ψ": "Psi", "Ω": "Omega",
}  # fmt: skip
_NAMED: Final = {
    "ϵ": "epsilon", "ϑ": "vartheta", "ϕ": "phi", "ϖ": "varpi", "ϱ": "varrho", "ℓ": "ell",
    "ℏ": "hbar", "℘": "wp", "ℜ": "Re", "ℑ": "Im", "ℵ": "aleph", "∂": "partial", "∇": "nabla",
    "∞": "infty", "∅": "emptyset", "∀": "forall", "∃": "exists", "∄": "nexists", "¬": "neg",
    "±": "pm", "∓": "mp", "×": "times", "÷": "div", "⋅": "cdot", "·": "cdot", "∗": "ast",
    "⋆": "star", "∘": "circ", "∙": "bullet", "⊕": "oplus", "⊖": "ominus", "⊗": "otimes",
    "⊙": "odot", "∧": "wedge", "∨": "vee", "∩": "cap", "∪": "cup", "∖": "setminus",
    "≤": "leq", "≥": "geq", "≠": "neq", "≈": "approx", "≡": "equiv", "∼": "sim", "≃": "simeq",
    "≅": "cong", "∝": "propto", "≪": "ll", "≫": "gg", "≺": "prec", "≻": "succ", "∈": "in",
    "∉": "notin", "∋": "ni", "⊂": "subset", "⊃": "supset", "⊆": "subseteq", "⊇": "supseteq",
    "⊥": "perp", "∥": "parallel", "∣": "mid", "⊢": "vdash", "⊨": "models", "≔": "coloneqq",
    "→": "to", "←": "leftarrow", "↔": "leftrightarrow", "⇒": "Rightarrow", "⇐": "Leftarrow",
    "⇔": "Leftrightarrow", "↦": "mapsto", "↑": "uparrow", "↓": "downarrow", "⟶": "longrightarrow",
    "⟹": "Longrightarrow", "⟺": "iff", "∑": "sum", "∏": "prod", "∐": "coprod", "∫": "int",
    "∬": "iint", "∭": "iiint", "∮": "oint", "⋂": "bigcap", "⋃": "bigcup", "⨁": "bigoplus",
    "⨂": "bigotimes", "⋀": "bigwedge", "⋁": "bigvee", "…": "ldots", "⋯": "cdots", "⋮": "vdots",
    "⋱": "ddots", "⟨": "langle", "⟩": "rangle", "〈": "langle", "〉": "rangle", "⌊": "lfloor",
    "⌋": "rfloor", "⌈": "lceil", "⌉": "rceil", "‖": "|", "∠": "angle", "△": "triangle",
    "†": "dagger", "‡": "ddagger", "√": "surd", "′": "prime", "{": "{", "}": "}", "%": "%",
    "#": "#", "&": "&", "$": "$", "_": "_", "□": "square", "∴": "therefore", "∵": "because",
}  # fmt: skip
_SIGNS: Final[dict[str, str]] = {
    **{chr(0x3B1 + at): f"\\{name}" for at, name in enumerate(_GREEK) if name != "o"},
    **{sign: f"\\{name}" for sign, name in (_CAPITALS | _NAMED).items()},
    "−": "-", "∕": "/", "⁄": "/", "\\": "\\backslash", "^": "\\hat{}", "~": "\\sim",
    "\u2061": "", "\u2062": "", "\u2063": "", "\u2064": "", "\u200b": "", "\ufeff": "",
    "\xa0": "~", "\u2003": "\\quad", "\u2009": "\\,",
}  # fmt: skip
FUNCTIONS: Final = frozenset(
    "arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf"
    " limsup ln log max min Pr sec sin sinh sup tan tanh".split()
)
BIG: Final = frozenset("∑∏∐∫∬∭∮⋂⋃⨁⨂⋀⋁")
"""Operators whose limits are written as scripts."""
INFIX: Final = frozenset("=+-−±∓×÷⋅·∗∘⊕⊗∧∨∩∪∖<>≤≥≠≈≡∼≃≅∝≪≫∈∉⊂⊃⊆⊇→←↔⇒⇐⇔↦⟹⟺≔")
OVER: Final[dict[str, str]] = {
    "¯": "overline", "‾": "overline", "_": "overline", "^": "hat", "ˆ": "hat", "~": "tilde",
    "˜": "tilde", "→": "vec", "⃗": "vec", "˙": "dot", ".": "dot", "¨": "ddot", "ˇ": "check",
    "˘": "breve", "⏞": "overbrace", "⟶": "overrightarrow", "←": "overleftarrow",
}  # fmt: skip
UNDER: Final[dict[str, str]] = {
    "_": "underline",
    "¯": "underline",
    "‾": "underline",
    "⏟": "underbrace",
}
ALPHABETS: Final[dict[str, str]] = {
    "bold": "mathbf", "bold-italic": "boldsymbol", "double-struck": "mathbb", "script": "mathcal",
    "bold-script": "mathcal", "fraktur": "mathfrak", "bold-fraktur": "mathfrak",
    "sans-serif": "mathsf", "monospace": "mathtt", "normal": "mathrm",
}  # fmt: skip
_UNICODE_ALPHABETS: Final = (
    ("BOLD ITALIC", "boldsymbol"), ("BOLD SCRIPT", "mathcal"), ("BOLD FRAKTUR", "mathfrak"),
    ("BOLD", "mathbf"), ("DOUBLE-STRUCK", "mathbb"), ("SCRIPT", "mathcal"),
    ("FRAKTUR", "mathfrak"), ("BLACK-LETTER", "mathfrak"), ("SANS-SERIF", "mathsf"),
    ("MONOSPACE", "mathtt"),
)  # fmt: skip


@lru_cache(maxsize=4096)
def sign(one: str) -> str:
    """Return a character as TeX; letters of mathematical alphabets by their alphabet."""
    if one in _SIGNS:
        return _SIGNS[one]
    plain = unicodedata.normalize("NFKC", one)
    if plain == one or len(plain) != 1:
        return one
    name = unicodedata.name(one, "")
    inner = _SIGNS.get(plain, plain)
    if name.startswith("MATHEMATICAL ") or "STRUCK" in name or "SCRIPT" in name or "LETTER" in name:
        for words, alphabet in _UNICODE_ALPHABETS:
            if words in name:
                return f"\\{alphabet}{{{inner}}}"
    return inner
