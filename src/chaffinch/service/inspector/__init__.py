"""The inspector: what its pages request, made in guarded children.

`subjects` is what may be looked at, `page_views` what is made of a page in a child, `site_views`
what is made of a site there, `endpoints` the way to both. The pages themselves are standard modules
and custom elements in ``static`` (docs/explain.md).
"""
