"""The version, written here alone: pyproject.toml reads it, and everything that names it.

A constant, since ``importlib.metadata`` takes some 60 ms to import and gives the version at the
time of the installation, which an editable install doesn't keep up to date.
"""

from typing import Final

__all__ = ["__version__"]

__version__: Final = "0.2.0.dev0"
