"""The command `schema`: the JSON Schemas of scenarios and fixtures, for editors, and of the protocol for apps."""

from __future__ import annotations

import click


@click.command()
@click.argument("kind", type=click.Choice(("scenario", "fixture", "app")), default="scenario")
def schema(kind: str) -> None:
    """Print the JSON Schema of scenario files (the default) or of fixtures, with which an editor completes and checks.

    A running simulator serves the same at /schemas/scenario.json and /schemas/fixture.json. `app` is that of the calls
    between giftsim and an app, which exam and explore make: its $defs are start, do and check, and the app's answers.
    """
    if kind == "app":
        from giftsim.workbench.app.messages import protocol_schema

        click.echo(protocol_schema(), nl=False)
        return
    from giftsim.build import schemas

    click.echo(schemas()[kind], nl=False)
