/** Base class of all errors that this package throws. */
export class GiftsimError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
  }
}

/** Nothing answered, or the connection broke before a response arrived. `cause` is the error of `fetch`. */
export class ConnectionFailed extends GiftsimError {}

/** No response arrived within the `timeoutMs` of a call. */
export class TimedOut extends GiftsimError {}

/** The test-control API refused a request. */
export class ControlRefused extends GiftsimError {
  constructor(
    request: string,
    /** The HTTP status. */
    readonly status: number,
    /** The error code, such as `world_not_found`. */
    readonly code: string,
    /** The error message of the response, without the request. */
    readonly reason: string,
    /** Details of the error, if the contract has them. */
    readonly details?: unknown,
  ) {
    super(`${request} answered ${status} ${code}: ${reason}`)
  }
}

/** A response has a different status than the test expects. */
export class UnexpectedStatus extends GiftsimError {
  constructor(
    request: string,
    /** The status that the test expects. */
    readonly expected: number,
    /** The status of the response. */
    readonly status: number,
    /** The body of the response, parsed if it is JSON. */
    readonly body: unknown,
  ) {
    const shown = typeof body === 'string' ? body : JSON.stringify(body)
    super(`${request} answered ${status}, expected ${expected}: ${shown}`)
  }
}

/** `waitFor` did not find a result in time. */
export class WaitTimedOut extends GiftsimError {}

/** The world has no credential of this name. */
export class UnknownCredential extends GiftsimError {}

/** `start` could not start a simulator. The message ends with the last lines that the simulator printed. */
export class NotStarted extends GiftsimError {}
