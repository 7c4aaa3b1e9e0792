"""Formulas: the TeX that a page carries, or TeX made of its MathML."""
