/** The project's own files, which the tests use: its simulator and its test vectors. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Where the project is, if this package is tested outside of it. */
const ROOT = process.env['GIFTSIM_CHECKOUT'] ?? fileURLToPath(new URL('../../../../', import.meta.url))
const OWN_PYTHON = `${ROOT}/.venv/bin/python`

/** The command that runs the simulator of the checkout. */
export const COMMAND = [
  process.env['GIFTSIM_PYTHON'] ?? (existsSync(OWN_PYTHON) ? OWN_PYTHON : 'python3'),
  `${ROOT}/run_sim.py`,
]
/** The test vectors of webhook verification. */
export const VECTORS = `${ROOT}/simulator/giftsim/verify/vectors.json`
