"""The command `schema`: the JSON Schemas of scenarios and fixtures, for editors."""

from __future__ import annotations

import click


@click.command()
@click.argument("kind", type=click.Choice(("scenario", "fixture")), default="scenario")
def schema(kind: str) -> None:
    """Print the JSON Schema of scenario files (the default) or of fixtures, with which an editor completes and checks.

    A running simulator serves the same at /schemas/scenario.json and /schemas/fixture.json.
    """
    from giftsim.build import schemas

    click.echo(schemas()[kind], nl=False)
