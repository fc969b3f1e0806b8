// The process waits for a program that advances the clock, and acts on what it missed once that has ended.
import { execFileSync } from 'node:child_process'

const [python, ...giftsim] = process.argv.slice(2)
const told = []
setTimeout(() => told.push(`timer at ${new Date().toISOString()}`), 3_600_000)
execFileSync(python, [...giftsim, 'advance', '1d'])
told.push(`advanced to ${new Date().toISOString()}`)
setTimeout(() => console.log(told.join('\n')), 100)
