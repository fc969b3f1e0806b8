// Lists the tools of the endpoint in each mode of the official client, and calls one. Prints one JSON object.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

const [url, authorization] = process.argv.slice(2)
const modes = { older: { mode: 'legacy' }, pinned: { mode: { pin: '2026-07-28' } }, automatic: { mode: 'auto' } }
const found = {}
for (const [name, versionNegotiation] of Object.entries(modes)) {
  const client = new Client({ name: 'shop', version: '1' }, { versionNegotiation })
  const requestInit = { headers: { Authorization: authorization } }
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }))
  const { tools } = await client.listTools()
  const { structuredContent } = await client.callTool({ name: 'getTeam', arguments: {} })
  found[name] = [client.getNegotiatedProtocolVersion(), tools.length, structuredContent.id]
  await client.close()
}
console.log(JSON.stringify(found))
