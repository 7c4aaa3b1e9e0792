"""Boxes and looks of rows: from a browser where the page was rendered, else estimated."""
