"""The inspector: what its pages request, made in guarded children.

`page_views` is what is made of a page in a child, `site_views` what is made of a site there,
`endpoints` the way to both; what is looked at is chosen when the service starts, so that no request
names a file. The pages themselves are standard modules in ``static`` (docs/explain.md).
"""
