"""Tests with the client for Node under `with-giftsim --app-clock`: the clock is that of the test's own world."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.pages import DOCS, page
from tests.support.node_packages import node_packages, node_project, run_node
from tests.support.served_simulator import ROOT

CLIENT = ROOT / "clients" / "typescript"
PAGE = page(DOCS / "how-to" / "move-your-apps-time.md")
[EXAMPLE] = (block.code for block in PAGE.blocks("js client"))
[COMMAND] = (block.code for block in PAGE.blocks("sh client"))
WITH_GIFTSIM = "node node_modules/giftsim/dist/bin/with-giftsim.js --app-clock"
HEAD = """
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from 'giftsim'
import { withWorld } from 'giftsim/node-test'
import { verify } from 'giftsim/verify'
"""
OTHERS = f"""{HEAD}
for (const name of ['first', 'second'])
  test(`a webhook is passed on at the end of the ${{name}} test's advance`, withWorld(async (world) => {{
    const seen = []
    const {{ secret }} = await world.subscribe(['team_order.claimed'])
    const body = {{
      idempotency_key: 'mug', gift_sender: 'Ada', items: [{{ sku_code: 'MUG-01' }}],
      recipients: [{{ name: 'Bo', email: 'bo@example.com' }}],
    }}
    const {{ team_order }} = (await world.partner().post('/team-orders', {{ body }})).expect(201)
    await world.simulate('claim', {{ team_order_id: team_order.id, recipient: 0 }})
    await world.advance('4d')
    await world.deliverTo(({{ request }}) => {{
      verify(Buffer.from(request.body), request.headers['X-Service-Signature'], secret)
      seen.push(new Date().toISOString())
    }})
    assert.deepEqual(seen, ['2027-01-08T09:00:00.000Z'])
  }}))

test('a wait ends after its real time', withWorld(async (world) => {{
  await assert.rejects(world.waitFor(() => false, {{ timeoutMs: 100 }}), /is not there after 100 ms/)
}}))

test('the clock is that of a second world', withWorld(async (world) => {{
  const [other, fired] = [await connect().world(), []]
  setTimeout(() => fired.push('timer'), 24 * 60 * 60 * 1000)
  await world.advance('2d')
  await other.advance('1h')
  await other.end()
  assert.deepEqual(fired, ['timer'])
}}, {{ now: '2026-12-01T00:00:00Z' }}))
"""

AT_ONCE = f"""{HEAD}
import {{ once }} from 'node:events'
import {{ createServer }} from 'node:http'
import {{ buffer }} from 'node:stream/consumers'

test('webhooks of a world that the clock does not follow are accepted', withWorld(async (world, t) => {{
  const answers = []
  const {{ secret }} = await world.subscribe(['team_order.claimed', 'team_order.shipped'])
  const app = createServer(async (request, response) => {{
    const body = await buffer(request)
    try {{
      verify(body, request.headers['x-service-signature'], secret)
    }} catch (error) {{
      answers.push(error.reason)
    }}
    response.writeHead(204).end()
  }}).listen(0, '127.0.0.1')
  await once(app, 'listening')
  t.after(() => app.close())
  const other = await connect().world({{ now: '2030-01-01T00:00:00Z' }}) // as a test has it that runs at the same time
  const body = {{
    idempotency_key: 'mug', gift_sender: 'Ada', items: [{{ sku_code: 'MUG-01' }}],
    recipients: [{{ name: 'Bo', email: 'bo@example.com' }}],
  }}
  const {{ team_order }} = (await world.partner().post('/team-orders', {{ body }})).expect(201)
  await world.simulate('claim', {{ team_order_id: team_order.id, recipient: 0 }})
  await world.advance('1d')
  await world.deliverTo(({{ request: {{ body, headers }} }}) => {{
    verify(Buffer.from(body), headers['X-Service-Signature'], secret)
  }})
  await world.receiver('hooks.partner.example', {{ mode: 'forward', to: `http://127.0.0.1:${{app.address().port}}` }})
  await world.advance('4d')
  assert.deepEqual((await world.deliveries()).map(({{ status }}) => status).slice(1), [204])
  assert.deepEqual(answers, [])
  assert.equal(new Date().getUTCFullYear(), 2030)
  await other.end()
}}))
"""


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project that has the client, which is built here."""
    client = node_project(tmp_path_factory.mktemp("client"), CLIENT / "tsconfig.json", tree=CLIENT)
    for name in ("src", "scripts"):
        shutil.copytree(CLIENT / name, client / name, ignore=shutil.ignore_patterns("generated"))
    run_node(client, "npm", "run", "build", GIFTSIM_CHECKOUT=str(ROOT), GIFTSIM_PYTHON=sys.executable)
    shop = tmp_path_factory.mktemp("shop")
    shutil.copytree(client / "dist", shop / "node_modules" / "giftsim" / "dist")
    shutil.copy(client / "package.json", shop / "node_modules" / "giftsim")
    (shop / "node_modules" / "vitest").symlink_to(node_packages(CLIENT) / "vitest")
    (shop / "package.json").write_text('{"type": "module"}')
    return shop


def said(shop: Path, command: str, *, status: int = 0) -> str:
    """What a command prints in the project, with this checkout's `giftsim` on the path."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GIFTSIM_", "NODE_"))}
    done = subprocess.run(
        ["sh", "-euc", command], cwd=shop, env={**kept, "PATH": path, "NO_COLOR": "1"},
        capture_output=True, text=True, timeout=240, check=False,
    )  # fmt: skip
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_the_timers_of_the_example_fire(shop: Path) -> None:
    (shop / "reminders.test.js").write_text(EXAMPLE)
    command = COMMAND.replace("npx with-giftsim --app-clock", WITH_GIFTSIM)
    assert re.search(r"pass 1\n(.*\n)?.*fail 0\n", said(shop, f"{command.strip()} reminders.test.js"))


def test_they_fire_in_vitest(shop: Path) -> None:
    test = EXAMPLE.replace("import { test } from 'node:test'\n", "").replace(
        "withWorld(async (world)", "async ({ world })"
    )
    test = test.replace("{ withWorld } from 'giftsim/node-test'", "{ test } from 'giftsim/vitest'")
    (shop / "reminders.spec.js").write_text(test.replace("}))\n", "})\n"))
    vitest = node_packages(CLIENT) / ".bin" / "vitest"
    assert "1 passed" in said(shop, f"{WITH_GIFTSIM} {vitest} run --test-timeout=120000 reminders.spec.js")


def test_each_test_has_the_clock_and_a_failed_one_is_told_whose_it_was(shop: Path) -> None:
    (shop / "others.test.mjs").write_text(OTHERS)
    output = said(shop, f"{WITH_GIFTSIM} node --test --test-force-exit --test-reporter=spec others.test.mjs", status=1)
    assert re.search(r"pass 3\n.*fail 1\n", output, re.DOTALL), output
    assert re.search(
        r"\n +app clock: the app's clock follows world (w\d+), not w\d+: it follows the world that", output
    )
    assert "trace: file://" in output


def test_the_webhooks_of_worlds_that_are_there_at_once_are_accepted(shop: Path) -> None:
    (shop / "at_once.test.mjs").write_text(AT_ONCE)
    output = said(shop, f"{WITH_GIFTSIM} node --test --test-force-exit --test-reporter=spec at_once.test.mjs")
    assert re.search(r"pass 1\n.*fail 0\n", output, re.DOTALL), output


@pytest.mark.parametrize(
    ("option", "shown"), [("--help", "--coverage-fail-under"), ("-h", "usage: "), ("--version", "0.")]
)
def test_with_giftsim_says_what_it_takes(shop: Path, option: str, shown: str) -> None:
    assert shown in said(shop, f"{WITH_GIFTSIM} {option}")
    refused = said(shop, f"{WITH_GIFTSIM} --coverag true", status=2)
    assert "with-giftsim: Unknown option '--coverag'\nusage: with-giftsim [--from" in refused
