"""The command `serve trust`: the file and the variables by which clients accept what the local authority signs."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from giftsim.engine.server.authority import Authority

JAVA, PHP = "JAVA_TOOL_OPTIONS", "PHP_INI_SCAN_DIR"
# The clients that read each variable.
CLIENTS = {
    "NODE_EXTRA_CA_CERTS": "Node, Bun",
    "DENO_CERT": "Deno",
    "REQUESTS_CA_BUNDLE": "Python's requests",
    "SSL_CERT_FILE": "Python's ssl and httpx, Go, Ruby, .NET on Linux, OpenSSL",
    "CURL_CA_BUNDLE": "curl",
    PHP: "PHP",
    JAVA: "Java",
}


@click.command()
@click.option("--export", is_flag=True, help='Print commands for a shell: eval "$(giftsim serve trust --export)"')
@click.option("--json", "as_json", is_flag=True, help="Print the file and the variables as JSON.")
def trust(export: bool, as_json: bool) -> None:
    """Show how clients accept the certificate of `serve --https`.

    The authority is made once, and kept for this user. Only programs that you give its file trust it: nothing is
    installed on the machine.
    """
    from giftsim.engine.server.authority import NoCertificates, local_authority

    try:
        authority = local_authority()
        authority.write_bundles()
    except NoCertificates as error:
        raise click.UsageError(str(error)) from None
    variables = trusting(authority)
    if as_json:
        click.echo(json.dumps({"certificate": str(authority.certificate), "variables": variables}, indent=2))
    elif export:
        click.echo("\n".join(f"export {name}={shlex.quote(value)}" for name, value in variables.items()))
    else:
        click.echo(_text(authority, variables))


def trusting(authority: Authority) -> Mapping[str, str]:
    """The variables of the environment with which clients trust an authority.

    Where a variable replaces the client's own list, its file has the public authorities too. PHP's holds several
    folders: none can stand in it whose name has the character between them.
    """
    from giftsim.engine.server.authority import TRUSTSTORE_PASSWORD

    own, everything = str(authority.certificate), str(authority.bundle)
    store = f"-Djavax.net.ssl.trustStore={authority.truststore}"
    found = {
        "NODE_EXTRA_CA_CERTS": own,
        "DENO_CERT": own,
        "REQUESTS_CA_BUNDLE": everything,
        "SSL_CERT_FILE": everything,
        "CURL_CA_BUNDLE": everything,
        PHP: f"{os.pathsep}{authority.php_settings}",
        JAVA: f"{shlex.quote(store)} -Djavax.net.ssl.trustStorePassword={TRUSTSTORE_PASSWORD}",
    }
    if os.pathsep in str(authority.php_settings):
        del found[PHP]
    return found


def _text(authority: Authority, variables: Mapping[str, str]) -> str:
    lines = ["The certificate of the local authority, for this user and this machine only:", ""]
    lines += [f"  {authority.certificate}", "", "Variables with which clients accept what it signs:", ""]
    for name, value in variables.items():
        lines += [click.style(f"  {CLIENTS[name]}", bold=True), f"    {name}={value}"]
    if PHP not in variables:
        lines += ["", f"PHP's variable cannot hold a folder with {os.pathsep} in its name: GIFTSIM_STATE names another"]
    lines += ["", 'To set them all in a shell:  eval "$(giftsim serve trust --export)"']
    lines += ["To make another authority, delete its folder."]
    return "\n".join(lines)
