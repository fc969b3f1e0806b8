import { readFileSync } from 'node:fs'
import { Connection } from './http.js'
import type { Result, WorldDescription, WorldOptions } from './types.js'
import { World } from './world.js'

/** How to reach a simulator. */
export interface ConnectOptions {
  /** The test-control API's token. Default: `GIFTSIM_CONTROL_TOKEN`, or the file at `GIFTSIM_CONTROL_TOKEN_FILE`. */
  readonly token?: string
}

const DEFAULT_URL = 'http://127.0.0.1:8080'

/** A running simulator. */
export class Giftsim {
  private readonly connection: Connection

  /** `url` defaults to `GIFTSIM_URL`, or else to the address at which `giftsim serve` listens. */
  constructor(url = process.env['GIFTSIM_URL'] || DEFAULT_URL, options: ConnectOptions = {}) {
    this.connection = new Connection(new URL(url).origin, options.token ?? tokenOfEnvironment())
  }

  /** The simulator's origin. */
  get url(): string {
    return this.connection.origin
  }

  /** Return the simulator's version and number of worlds. Throws ConnectionFailed if nothing answers. */
  health(): Promise<Result<'getHealth'>> {
    return this.connection.control('GET', '/health') as Promise<Result<'getHealth'>>
  }

  /** Return what was met in all worlds; in those that were deleted, if the simulator was started to keep that. */
  coverage(): Promise<Result<'getWholeCoverage'>> {
    return this.connection.control('GET', '/coverage') as Promise<Result<'getWholeCoverage'>>
  }

  /** Create a world with its own records, clock and credentials. Defaults: the fixture `empty`, and a stopped clock. */
  async world(options: WorldOptions = {}): Promise<World> {
    const body = { fixture: 'empty', ...options }
    return new World(this.connection, (await this.connection.control('POST', '/worlds', body)) as WorldDescription)
  }
}

function tokenOfEnvironment(): string | undefined {
  const { GIFTSIM_CONTROL_TOKEN: token, GIFTSIM_CONTROL_TOKEN_FILE: file } = process.env
  return token || !file ? token : readFileSync(file, 'utf8').replace(/\r?\n$/, '')
}

/** Return the simulator at an address. This sends no request yet. */
export function connect(url?: string, options?: ConnectOptions): Giftsim {
  return new Giftsim(url, options)
}
