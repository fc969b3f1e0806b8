/** Generates the types of the contracts, compiles src to dist, and copies the skill for agents: `npm run build`. */
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))
execFileSync(process.execPath, [at('scripts/generate.mjs')], { stdio: ['ignore', 'inherit', 'inherit'] })
rmSync(at('dist'), { recursive: true, force: true })
execFileSync(process.execPath, [at('node_modules/typescript/bin/tsc'), '-p', at('tsconfig.json')], { stdio: 'inherit' })
chmodSync(at('dist/bin/with-giftsim.js'), 0o755)
cpSync(`${process.env.GIFTSIM_CHECKOUT ?? at('../..')}/simulator/giftsim/.agents`, at('.agents'), { recursive: true })
