"""An MCP server for the tester's own coding assistant: tools that read a simulator's worlds, act on them and explain.

It is a client of the control API, and apart from `/mcp`, which belongs to the simulated service.

    server.make_server(RunningSimulator) -> reading.Reading, explaining.Explaining, acting.Acting
"""
