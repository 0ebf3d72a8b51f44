import type { FastifyRequest } from 'fastify'
import type { Logger } from 'pino'

import type { Environment, EnvironmentName } from '#actors/environment.ts'
import type { Config } from '#config/schema.ts'
import type { Admit } from '#src/http/admission.ts'
import type { Caller } from '#src/http/credentials.ts'

/** All that the HTTP edge is given. It opens nothing itself and reads no clock of its own. */
export type ServerDependencies = {
  readonly config: Config
  /** The public address, without a slash at its end, of every link. */
  readonly baseUrl: string
  readonly environments: Readonly<Record<EnvironmentName, Environment>>
  /**
   * Who calls. Throws HttpError `unauthorized` for credentials that cannot be used, `bad_request`
   * for two different ones.
   */
  readonly authenticate: (request: FastifyRequest) => Caller
  readonly logger: Logger
  /** Milliseconds since 1970, and milliseconds of a clock that only goes forward. */
  readonly nowMs: () => number
  readonly elapsedMs: () => number
}

/** What a module of routes is given; `admit` makes the options by which a route admits callers. */
export type Edge = ServerDependencies & { readonly admit: Admit }
