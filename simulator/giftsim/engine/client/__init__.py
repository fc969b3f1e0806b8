"""Calls to a simulator: every package that makes them uses this one.

    Control (the control API) -> Client: InProcessClient or HttpClient -> Response

Import from the modules: a client of this process loads no HTTP, and a client of a server loads no gateway.
"""
