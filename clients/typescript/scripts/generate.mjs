/**
 * Generates src/generated again from the contracts that the simulator of this checkout publishes: `npm run generate`.
 * `--out FOLDER` writes the files to another folder. GIFTSIM_PYTHON is the Python that runs the simulator, and
 * GIFTSIM_CHECKOUT is the project's folder, if this package is elsewhere.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import openapiTypescript, { astToString } from 'openapi-typescript'

const INTERFACES = ['control', 'museum', 'partner', 'team']
const HEAD = (name) => `/** The ${name} contract as types. Generated: \`npm run generate\` renews this file. */\n\n`
const path = (relative) => fileURLToPath(new URL(relative, import.meta.url))
const ROOT = process.env.GIFTSIM_CHECKOUT ?? path('../../..')

/** The members of a schema that give a value its type. All others only restrict values. */
const TYPED = ['$ref', 'allOf', 'anyOf', 'const', 'enum', 'oneOf', 'properties', 'type']
const isTyped = (schema) => TYPED.some((member) => member in schema)

/** The contract without examples, extensions, and alternatives that restrict values but have no type of their own. */
function reduced(value) {
  if (Array.isArray(value)) return value.map(reduced)
  if (value === null || typeof value !== 'object') return value
  const members = Object.entries(value)
    .filter(([name]) => !name.startsWith('x-') && name !== 'example' && name !== 'examples')
    .map(([name, member]) => [name, isChoice(name, member) ? member.filter(isTyped) : member])
    .filter(([name, member]) => !(isChoice(name, member) && member.length === 0))
  return Object.fromEntries(members.map(([name, member]) => [name, reduced(member)]))
}

const isChoice = (name, member) => ['allOf', 'anyOf', 'oneOf'].includes(name) && Array.isArray(member)

async function types(origin, name) {
  const contract = await (await fetch(`${origin}/openapi/${name}.json`)).json()
  const nodes = await openapiTypescript(reduced(contract), { alphabetize: true, defaultNonNullable: false })
  return HEAD(name) + astToString(nodes)
}

async function withSimulator(use) {
  const own = `${ROOT}/.venv/bin/python`
  const python = process.env.GIFTSIM_PYTHON ?? (existsSync(own) ? own : 'python3')
  const options = ['--port', '0', '--json', '--fixture', 'bare']
  const server = spawn(python, [`${ROOT}/run_sim.py`, 'serve', ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const [line] = await once(createInterface(server.stdout), 'line', { signal: AbortSignal.timeout(60_000) })
    return await use(JSON.parse(line).origin)
  } finally {
    server.kill()
  }
}

const { values } = parseArgs({ options: { out: { type: 'string', default: path('../src/generated') } } })
await mkdir(values.out, { recursive: true })
await withSimulator(async (origin) => {
  for (const name of INTERFACES) await writeFile(`${values.out}/${name}.ts`, await types(origin, name))
})
