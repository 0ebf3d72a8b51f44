import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'

import type { Config } from '#config/schema.ts'
import type { admission } from '#src/edge/admission.ts'
import type { ConnectionConfig } from '#src/edge/connections.ts'
import type { Authenticate } from '#src/edge/credentials.ts'
import type { KeptReplies } from '#src/edge/kept_replies.ts'
import type { TakeTurn, TurnQueues } from '#src/edge/turns.ts'
import type { CountRequest } from '#src/edge/request_limits.ts'
import type { LimitConfig, LimitMemory } from '#src/edge/limits/limits.ts'
import type { EdgeRequest, LastStep } from '#src/edge/step.ts'
import type { DescribeInterface } from '#src/edge/openapi.ts'
import type { Positions } from '#src/edge/read_after.ts'
import type { Metrics } from '#src/edge/metrics.ts'
import type { SendingConfig } from '#src/edge/reply_sending.ts'
import type { CountUses } from '#src/edge/uses.ts'
import type { AnswerError } from '#src/edge/error_reply.ts'

/** The settings of any server of ours. */
export type EdgeConfig = LimitConfig &
  SendingConfig &
  ConnectionConfig &
  Pick<Config, 'SHUTDOWN_GRACE_MS' | 'CONNECTIONS_MAX'>

/** What any server of ours is given. It opens nothing itself and reads no clock of its own. */
export type EdgeDependencies = {
  readonly config: EdgeConfig
  /** The public address, without a slash at its end, of every link. */
  readonly baseUrl: string
  /** The address of the identity provider, where applications get tokens from one. */
  readonly issuer?: string
  /**
   * Who calls. Throws HttpError `unauthorized` for credentials that cannot be used, `bad_request`
   * for two different ones.
   */
  readonly authenticate: Authenticate
  /** The replies to named writes that all servers of a registry share; its own by default. */
  readonly keptReplies?: KeptReplies
  /** What servers on several threads count their limits in together; its own by default. */
  readonly limitMemory?: LimitMemory
  /** Where what costs much waits on all servers of a process; its own by default. */
  readonly turnQueues?: TurnQueues
  /**
   * After this, reads see all that was acknowledged on any thread; absent where there is one. It is
   * called for every request before it is looked at, and waits for nothing.
   */
  readonly catchUp?: () => void
  /** How far the registry of each name has come here, where other nodes have it too. */
  readonly positions?: Positions
  /** Counts what replies say they are a use of; without it, nothing is counted. */
  readonly countUses?: CountUses
  readonly logger: Logger
  readonly metrics: Pick<Metrics, 'requests'>
  /**
   * Milliseconds since 1970, and milliseconds of a clock that only goes forward and is the same on
   * all threads which share memory.
   */
  readonly nowMs: () => number
  readonly elapsedMs: () => number
  /** Registers what rewrites the bodies of replies before they are coded. */
  readonly rewriteBodies?: (server: FastifyInstance) => void
  /** Answers a request that has failed; with JSON by default. */
  readonly answerError?: AnswerError
  /** Whether it answers with a page; nowhere by default. */
  readonly showsErrorPage?: (request: Pick<EdgeRequest, 'originalUrl' | 'headers'>) => boolean
  /** Sends the notices that requests lead to. */
  readonly noticeWrite?: LastStep
}

/**
 * What a module of routes is given by the server that its routes are registered on: `admit` makes
 * the options that state whom a route admits, `count` counts a request that is admitted otherwise.
 */
export type Edge<D extends EdgeDependencies = EdgeDependencies> = D & {
  readonly admit: typeof admission
  readonly count: CountRequest
  /** Carries out what costs much, caller by caller. */
  readonly takeTurn: TakeTurn
  readonly turnQueues: TurnQueues
  /** What the server is described by, once it is ready. */
  readonly describeInterface: DescribeInterface
}
