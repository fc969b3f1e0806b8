/** The files of the project that the tests use: the simulator and the test vectors. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The root of the project. Set GIFTSIM_CHECKOUT to test this package outside it. */
const ROOT = process.env['GIFTSIM_CHECKOUT'] ?? fileURLToPath(new URL('../../../../', import.meta.url))
const OWN_PYTHON = `${ROOT}/.venv/bin/python`

/** The command that runs the simulator of the checkout. */
export const COMMAND = [
  process.env['GIFTSIM_PYTHON'] ?? (existsSync(OWN_PYTHON) ? OWN_PYTHON : 'python3'),
  `${ROOT}/run_sim.py`,
]
/** The test vectors of webhook verification. */
export const VECTORS = `${ROOT}/simulator/giftsim/verify/vectors.json`
