"""The inspector's side of the service: what its pages request, made in guarded children.

`subjects` is what an operator gives on the command line, `held_pages` the pages that a browser has
open, `inspector_models` what requests may hold, `page_views` what is made of a held page in a
child, `frame_rows` the page's rows without what could run or call, and files of ``…_endpoints``.
The pages themselves are static modules in ``service/static`` (docs/inspector.md).
"""
