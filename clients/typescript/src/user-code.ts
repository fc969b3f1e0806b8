/** Which lines of the user's code made calls, and what the line of a failure names. */
import { readFileSync } from 'node:fs'
import { relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Body } from './types.js'

type TraceFacts = NonNullable<Body<'makeTrace'>>
/** A call as the facts of a trace have it. */
export type Note = NonNullable<TraceFacts['calls']>[number]
type Place = NonNullable<Note['source']>
type TracedTest = NonNullable<TraceFacts['test']>
/** The failure of a test as the facts of a trace have it. */
export type FailureFacts = NonNullable<TracedTest['failure']>

const FRAME = /at (?:async )?(?:([^\s(]+) \()?((?:file:\/\/)?\/?[^():]*):(\d+):\d+\)?$/
const MOST_NOTES = 20_000 // the newest calls; an event log keeps as many
const OWN = new URL('.', import.meta.url).pathname
const BEGINS_A_TEST = /^\s*(test|it)\b/
const WORD = /[\w.]+/g
const TEXT = /(['"`])([\w-]+\.[\w.-]+)\1/g

/** Return the place of the innermost line of the user's code in a stack. */
export function placeOf(stack: string | undefined): Place | undefined {
  for (const line of stack?.split('\n') ?? []) {
    const [, name, path = '', number] = FRAME.exec(line.trim()) ?? []
    const file = path.startsWith('file://') ? fileURLToPath(path) : path
    if (!file.startsWith(process.cwd() + sep) || file.includes('node_modules') || file.startsWith(OWN)) continue
    return { file: relative(process.cwd(), file), line: Number(number), ...(name ? { function: name } : {}) }
  }
  return undefined
}

/** Keeps which line of the user's code made each call of a world. */
export class CallNotes {
  readonly #notes: Note[] = []

  /** Add a call that begins now. Returns the note, which gets the id of its request when there is an answer. */
  begin(method: string, path: string): { -readonly [Name in keyof Note]: Note[Name] } {
    const source = placeOf(new Error().stack)
    const note = { method, path, ...(source ? { source } : {}) }
    this.#notes.push(note)
    if (this.#notes.length > MOST_NOTES) this.#notes.shift()
    return note
  }

  /** Return the notes, in the order in which the calls began. */
  list(): Note[] {
    return [...this.#notes]
  }
}

/** An error of an assertion, as test runners have it. */
export interface FailedError {
  message: string
  stack?: string
  readonly name?: string
  readonly actual?: unknown
  readonly expected?: unknown
  readonly operator?: string
  readonly status?: unknown
}

/** Return the failure of a test: its place and what its line names. */
export function failureOf(error: FailedError): { failure: FailureFacts; sources: NonNullable<TracedTest['sources']> } {
  const place = placeOf(error.stack)
  const message = error.message.split('\n', 1)[0] ?? ''
  const lines = place ? linesOf(place.file) : []
  const compared = comparisonOf(error)
  const end = place?.line ?? 0
  const first = lines.slice(0, end).findLastIndex((line) => BEGINS_A_TEST.test(line))
  const test = lines.slice(Math.max(first, 0), end)
  const failure: FailureFacts = {
    message,
    text: error.stack ?? error.message,
    words: test.at(-1)?.match(WORD) ?? [],
    mentions: test.flatMap((line) => [...line.matchAll(TEXT)].map(([, , text = '']) => text)),
    ...(place ? { place } : {}),
    ...(compared ? { compared } : {}),
  }
  return {
    failure,
    sources: place && test.length ? { [place.file]: { first: Math.max(first, 0) + 1, lines: test } } : {},
  }
}

function comparisonOf({ actual, expected, operator, status }: FailedError): FailureFacts['compared'] {
  if (status !== undefined && expected !== undefined) return { op: '==', left: status, right: expected }
  if (actual === undefined && expected === undefined) return undefined
  return { op: operator?.startsWith('not') ? '!=' : '==', left: dataOf(actual), right: dataOf(expected) }
}

/** Return a value as JSON. Vitest has replaced it by its text, which is JSON but for commas. */
function dataOf(value: unknown): unknown {
  try {
    if (typeof value !== 'string') return JSON.parse(JSON.stringify(value)) as unknown
    return JSON.parse(value.replace(/,(\s*[\]}])/g, '$1')) as unknown
  } catch {
    return typeof value === 'string' ? value : undefined
  }
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n')
  } catch {
    return []
  }
}
