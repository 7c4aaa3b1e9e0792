"""The template layer that all reports share: self-contained HTML pages."""
