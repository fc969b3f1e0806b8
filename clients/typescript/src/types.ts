/** Types of the test-control API, taken from its contract. */
import type { components, operations, paths } from './generated/control.js'

type Json<Part> = Part extends { content: { 'application/json': infer Body } } ? Body : never
type Succeeded<Operation> = Operation extends { responses: infer Responses }
  ? Json<Responses[keyof Responses & (200 | 201)]>
  : never
type Sent<Operation> = Operation extends { requestBody?: infer Body } ? Json<NonNullable<Body>> : never

/** The result of an operation of the test-control API. `listClaims` is the former name of `listStatements`. */
export type Result<Id extends keyof (operations & FormerOperations)> = Succeeded<(operations & FormerOperations)[Id]>
type FormerOperations = { listClaims: operations['listStatements'] }
/** The request body of an operation of the test-control API. */
export type Body<Id extends keyof operations> = Sent<operations[Id]>

type InWorld<Path> = Path extends `/worlds/{w}/${infer Rest}` ? Rest : never

/** An action of the outside world, such as `claim` or `shipment`. */
export type Verb =
  InWorld<keyof paths> extends infer Rest ? (Rest extends `simulate/${infer Name}` ? Name : never) : never
type Action<Name extends Verb> = paths[`/worlds/{w}/simulate/${Name}`]['post']
/** The request body of an action. */
export type ActionBody<Name extends Verb> = Sent<Action<Name>>
/** The result of an action. */
export type ActionResult<Name extends Verb> = Succeeded<Action<Name>>

/** The name of a situation that can be rehearsed. */
export type RehearsalName = Body<'rehearse'>['name']

type Page<Name extends string> = `/worlds/{w}/${Name}` extends infer Path extends keyof paths
  ? Succeeded<paths[Path]['get']>
  : never
type RowsOf<Found> = Found extends { next: unknown }
  ? Extract<Found[Exclude<keyof Found, 'groups'>], readonly unknown[]>[number]
  : never

/** A list of the test-control API, such as `orders`, `timers` or `calls`. `journal` is the former name of `calls`. */
export type ListName =
  | {
      [Name in InWorld<keyof paths>]: Page<Name> extends { next: unknown } ? Name : never
    }[InWorld<keyof paths>]
  | 'journal'
/** A row of a list. */
export type Row<Name extends ListName> = RowsOf<Page<Name extends 'journal' ? 'calls' : Name>>

/** A world with its credentials. */
export type WorldDescription = Result<'createWorld'>
/** Options of a new world. All have defaults. */
export type WorldOptions = Body<'createWorld'>
/** The result of an advance of the clock. */
export type Advance = Result<'advanceClock'>
/** How far to advance: one of `by`, `to` and `until`. */
export type AdvanceGoal = Omit<Body<'advanceClock'>, 'to'> & { readonly to?: string | Date; readonly fired?: boolean }
/** The effect of a fault. */
export type Effect = Body<'createFault'>['effect']
/** The calls that a fault applies to, when it applies, and its id. */
export type FaultChoices = Omit<Body<'createFault'>, 'effect'>
/** A fault, with the number of times it was injected. */
export type Fault = Result<'createFault'>
/** Why something did not happen: a sentence, the entries of the trace that prove it, and the line that would change it. */
export type Verdict = Result<'explainWorld'>['verdicts'][number]
/** A schema of the test-control API, by name. `Claim` is the former name of `Statement`, `JournalEntry` of `LoggedCall`. */
export type ControlSchema<Name extends keyof (components['schemas'] & FormerSchemas)> = (components['schemas'] &
  FormerSchemas)[Name]
type FormerSchemas = { Claim: components['schemas']['Statement']; JournalEntry: components['schemas']['LoggedCall'] }
/** An attempt to deliver a webhook, with the parsed `data` of its event. */
export type Delivery = Row<'deliveries'> & { readonly data: Readonly<Record<string, unknown>> }
