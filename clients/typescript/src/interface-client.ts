import type { Answer, RequestOptions } from './http.js'

type Method = 'get' | 'put' | 'post' | 'patch' | 'delete'
/** The paths of a contract that have a method. */
type PathsWith<Paths, Verb extends Method> = {
  [Path in keyof Paths]: Paths[Path] extends Record<Verb, { responses: unknown }> ? Path : never
}[keyof Paths]
type Operation<Paths, Path extends keyof Paths, Verb extends Method> =
  Paths[Path] extends Record<Verb, infer Found> ? Found : never

type Content<Part> = Part extends { content: infer Types } ? Types[keyof Types] : undefined
type Bodies<Found> = Found extends { responses: infer Responses }
  ? { [Status in keyof Responses]: Content<Responses[Status]> }
  : never
/** One type per documented status, so that a check of `status` narrows the type of `body`. */
type Answers<All> = { [Status in keyof All]: Answer<All, Status> }[keyof All]

type Parameters<Found, Place extends string> = Found extends { parameters: Record<Place, infer Names> } ? Names : never
type PathOption<Found> = [Parameters<Found, 'path'>] extends [never]
  ? { path?: never }
  : { readonly path: Parameters<Found, 'path'> }
type QueryOption<Found> = Found extends { parameters: { query?: infer Names } } ? { readonly query?: Names } : unknown
type BodyOption<Found> = Found extends { requestBody: { content: infer Types } }
  ? { readonly body: Types[keyof Types] }
  : Found extends { requestBody?: { content: infer Types } }
    ? { readonly body?: Types[keyof Types] }
    : { body?: never }
type Options<Found> = Found extends unknown
  ? PathOption<Found> & QueryOption<Found> & BodyOption<Found> & Omit<RequestOptions, 'body'>
  : never
/** The options can be omitted if none of them is required. */
type Arguments<Found> =
  Record<string, never> extends Options<Found> ? [options?: Options<Found>] : [options: Options<Found>]

type Sender<Paths, Verb extends Method> = <Path extends PathsWith<Paths, Verb>>(
  path: Path,
  ...options: Arguments<Operation<Paths, Path, Verb>>
) => Promise<Answers<Bodies<Operation<Paths, Path, Verb>>>>

/**
 * A client of one interface with one credential. Paths, parameters, bodies and responses have the contract's types.
 * `Idempotency-Key` and other headers go into `headers`.
 */
export type InterfaceClient<Paths> = { readonly [Verb in Method]: Sender<Paths, Verb> }

interface AnyOptions extends RequestOptions {
  readonly path?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
}

/** Return a client that passes its requests to `send`. Their paths do not include the interface's base path. */
export function interfaceClient<Paths>(
  send: (method: string, path: string, options: RequestOptions) => Promise<Answer>,
): InterfaceClient<Paths> {
  const sender =
    (method: string) =>
    (path: string, { path: names = {}, query = {}, ...options }: AnyOptions = {}) =>
      send(method, filled(path, names) + queryText(query), options)
  const [get, put, post, patch, remove] = ['GET', 'PUT', 'POST', 'PATCH', 'DELETE'].map(sender)
  return { get, put, post, patch, delete: remove } as unknown as InterfaceClient<Paths>
}

function filled(template: string, values: Readonly<Record<string, unknown>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (values[name] === undefined) throw new TypeError(`the path ${template} needs a value for ${name}`)
    return encodeURIComponent(String(values[name]))
  })
}

/** Return the query with its question mark. Parameters without a value are omitted, and lists are repeated. */
export function queryText(query: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value]
      .flat()
      .filter((each) => each != null)
      .map((each): [string, string] => [name, String(each)]),
  )
  return pairs.length ? `?${new URLSearchParams(pairs)}` : ''
}
