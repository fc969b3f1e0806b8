import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { connect, ConnectionFailed, NotStarted, start } from 'giftsim'
import { COMMAND } from './checkout.js'

const PACKAGE = './wheels/giftsim.whl'
const WITH_GIFTSIM = fileURLToPath(new URL('../../dist/bin/with-giftsim.js', import.meta.url))

/** A folder with a fake `uvx`, which runs the checkout and accepts only the arguments that the real one would get. */
const folder = mkdtempSync(join(tmpdir(), 'giftsim-'))
const uvx = join(folder, 'uvx')
writeFileSync(
  uvx,
  `#!/bin/sh\n[ "$1 $2 $3" = "--from ${PACKAGE} giftsim" ] || exit 64\nshift 3\n'${COMMAND.join("' '")}' "$@" & wait\n`,
)
chmodSync(uvx, 0o755)
process.env['PATH'] = [folder, process.env['PATH']].join(delimiter)
after(() => rmSync(folder, { recursive: true }))

/** The environment of a process that has no simulator yet. */
function bareEnvironment(extra: Record<string, string> = {}): NodeJS.ProcessEnv {
  const { GIFTSIM_URL: _, ...rest } = process.env
  return { ...rest, ...extra }
}

async function hasEnded(url: string): Promise<boolean> {
  for (let tries = 0; tries < 100; tries++) {
    const answers = await connect(url)
      .health()
      .then(
        () => true,
        (error) => !(error instanceof ConnectionFailed),
      )
    if (!answers) return true
    await sleep(100)
  }
  return false
}

test('uvx starts it on a free port, and it stops with everything that uvx started', async () => {
  const simulator = await start({ from: PACKAGE, args: ['--fixture', 'bare'] })
  assert.match(simulator.url, /^http:\/\/127\.0\.0\.1:\d+$/)
  const world = await simulator.world()
  assert.equal(world.url, simulator.url)
  await Promise.all([simulator.stop(), simulator.stop()])
  await simulator.stop()
  await assert.rejects(simulator.health(), ConnectionFailed)
})

test('two run at once, with your own command', async () => {
  const both = await Promise.all([start({ command: COMMAND }), start({ command: COMMAND })])
  const [one, two] = both.map(({ url }) => url)
  assert.notEqual(one, two)
  await Promise.all(both.map((each) => each[Symbol.asyncDispose]()))
})

test('it ends with the process that started it, however that ends', async () => {
  const index = new URL('../../dist/index.js', import.meta.url)
  const code = (rest: string) =>
    `import { start } from '${index}'; const { url } = await start({ from: '${PACKAGE}' }); console.log(url); ${rest}`
  const endings: Record<string, (child: ReturnType<typeof spawn>) => void> = {
    'setInterval(() => {}, 1000)': (child) => child.kill('SIGKILL'),
    'process.exit(3)': () => undefined,
    'throw new Error("deliberate")': () => undefined,
    '': () => undefined,
  }
  for (const [rest, end] of Object.entries(endings)) {
    const child = spawn(process.execPath, ['--input-type=module', '-e', code(rest)], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const exit = once(child, 'exit')
    const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
    end(child)
    await exit
    assert.ok(await hasEnded(url), `a simulator is left after ${rest || 'the end'}`)
  }
})

test('a simulator that ignores SIGTERM is killed', async () => {
  const stubborn = join(folder, 'stubborn')
  writeFileSync(stubborn, `#!/bin/sh\ntrap '' TERM\n'${COMMAND.join("' '")}' "$@" &\nwhile :; do sleep 1; done\n`)
  chmodSync(stubborn, 0o755)
  const simulator = await start({ command: [stubborn] })
  await simulator.stop()
  await assert.rejects(simulator.health(), ConnectionFailed)
})

test('a simulator that cannot be started says why', async () => {
  const messageOf = (options: Parameters<typeof start>[0]) =>
    start(options).then(
      () => assert.fail('it started'),
      (error: unknown) => (error instanceof NotStarted ? error.message : assert.fail(String(error))),
    )
  assert.match(
    await messageOf({ command: ['no-such-command'] }),
    /^no-such-command serve --port 0 --json: it ended with status 127\nthere is no command no-such-command in PATH: install it/,
  )
  assert.match(
    await messageOf({ from: 'something-else' }),
    /^uvx --from something-else giftsim serve .*: it ended with status 64/,
  )
  assert.match(await messageOf({ command: COMMAND, args: ['--no-such-option'] }), /No such option/)
  assert.match(
    await messageOf({ command: ['echo', 'hello'] }),
    /it printed "hello serve --port 0 --json" instead of its address/,
  )
  assert.match(await messageOf({ command: ['sh', '-c', 'sleep 60'], timeoutMs: 100 }), /it is not ready after 100 ms/)
})

test('with-giftsim runs a command with a simulator, and ends with its status', async () => {
  const code = `const { status } = await (await fetch(process.env.GIFTSIM_URL + '/_sim/v1/health')).json();
    console.log(status, process.env.GIFTSIM_URL); process.exit(7)`
  const run = async (args: string[], env: NodeJS.ProcessEnv) => {
    const child = spawn(process.execPath, [WITH_GIFTSIM, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    let text = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (text += data.toString()))
    const [status] = (await once(child, 'close')) as [number]
    return { status, text }
  }
  const node = [process.execPath, '--input-type=module', '-e', code]
  const own = await run(['--from', PACKAGE, ...node], bareEnvironment())
  assert.match(own.text, /^ready http/)
  assert.equal(own.status, 7)
  assert.ok(await hasEnded(own.text.trim().split(' ')[1] ?? ''))
  assert.equal((await run(node, bareEnvironment({ GIFTSIM_FROM: PACKAGE }))).status, 7)
  const running = process.env['GIFTSIM_URL'] ?? ''
  assert.equal((await run(node, process.env)).text, `ready ${running}\n`)
  const killed = [process.execPath, '-e', 'process.kill(process.pid)']
  assert.equal((await run(killed, process.env)).status, 128 + 15)
  const wrong = await run([], bareEnvironment())
  assert.equal(wrong.status, 2)
  assert.match(wrong.text, /^with-giftsim: usage: with-giftsim .*COMMAND\.\.\.\n$/)
  assert.equal((await run(['no-such-command'], process.env)).status, 2)
})
