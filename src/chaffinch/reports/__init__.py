"""Reports as HTML pages that need nothing but themselves: the template layer that rooms share."""
