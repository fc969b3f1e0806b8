import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { buffer } from 'node:stream/consumers'
import { ConnectionFailed, connect } from 'giftsim'
import { withWorld } from 'giftsim/node-test'

const JSON_TYPE = { 'content-type': 'application/json' }
const WORLD = JSON.stringify({ id: 'w1', credentials: {}, urls: {} })

/** The address of a server that answers as `respond` says, until the test ends. */
async function serve(t: TestContext, respond: RequestListener): Promise<string> {
  const server = createServer(respond).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('a summary does not wait forever, and says why it is missing', async (t) => {
  const url = await serve(t, (request, response) => {
    if (request.method === 'POST') response.writeHead(201, JSON_TYPE).end(WORLD)
  })
  const world = await connect(url).world()
  assert.match(await world.summary(10), /^world w1 cannot be read: .*timeout/)
})

test('bytes are sent and received as they are', async (t) => {
  const received: Buffer[] = []
  const url = await serve(t, async (request, response) => {
    received.push(await buffer(request))
    const isWorld = request.url === '/_sim/v1/worlds'
    const [type, body] = isWorld ? ['application/json', WORLD] : ['application/pdf', Buffer.from([0x25, 0xff])]
    response.writeHead(200, { 'content-type': type }).end(body)
  })
  const world = await connect(url).world()
  const answer = await world.call('POST', '/anything', { body: Buffer.from([0, 0xfe]) })
  assert.deepEqual(received[1], Buffer.from([0, 0xfe]))
  assert.deepEqual(answer.body, new Uint8Array([0x25, 0xff]))
  assert.equal(answer.headers.get('content-type'), 'application/pdf')
})

test('the token of the control API comes from the caller, the environment or a file', async (t) => {
  const sent: (string | undefined)[] = []
  const url = await serve(t, (request, response) => {
    sent.push(request.headers.authorization)
    response.writeHead(200, JSON_TYPE).end('{}')
  })
  const folder = mkdtempSync(join(tmpdir(), 'giftsim-'))
  const before = { ...process.env }
  t.after(() => {
    process.env = before
    rmSync(folder, { recursive: true })
  })
  const file = join(folder, 'token')
  writeFileSync(file, 'from file\n')
  process.env = { ...before, GIFTSIM_CONTROL_TOKEN_FILE: file }
  await connect(url).health()
  process.env = { ...process.env, GIFTSIM_CONTROL_TOKEN: 'from environment' }
  await connect(url).health()
  await connect(url, { token: 'given' }).health()
  assert.deepEqual(sent, ['Bearer from file', 'Bearer from environment', 'Bearer given'])
})

test('if nothing answers, the message names the address', async () => {
  await assert.rejects(connect('http://127.0.0.1:9').world(), (error) => {
    assert.ok(error instanceof ConnectionFailed && error.cause instanceof Error)
    return /POST .*\/worlds got no response from http:\/\/127\.0\.0\.1:9: \w+/.test(error.message)
  })
})

test('a test without a simulator says how to start one', async () => {
  const run = withWorld(() => assert.fail('there is no world'), { simulator: connect('http://127.0.0.1:9') })
  await assert.rejects(run(), {
    message: /^no simulator answers at http:\/\/127\.0\.0\.1:9: start one with `giftsim serve`/,
  })
})
