import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

import type { Access, Doorkeeper } from '#src/edge/admission.ts'
import type { Caller } from '#src/edge/caller.ts'
import { warnOfKeysInAddresses } from '#src/edge/credentials.ts'
import type { EdgeDependencies } from '#src/edge/edge.ts'
import { readLargeBodies } from '#src/edge/json_body.ts'
import { logRequests } from '#src/edge/logger.ts'
import type { MethodTable } from '#src/edge/method_table.ts'
import { measureRequests } from '#src/edge/metrics.ts'
import { tellPosition } from '#src/edge/read_after.ts'
import { codeReplies } from '#src/edge/reply_coding.ts'
import type { UnsentReplies } from '#src/edge/reply_sending.ts'
import { allowOrigins, guardRequests } from '#src/edge/request_guard.ts'
import type { CodeBody, EdgeRequest, HeaderStep, LastStep, Step } from '#src/edge/step.ts'
import type { CountUses } from '#src/edge/uses.ts'

/**
 * What is done with every request of a server once its client has its turn (`request_turns.ts`), in
 * this order. The framework's hooks carry it out, and so does the fast path (`fast_path.ts`).
 */
export type Pipeline = {
  /** Before the caller is known; the client's address is. */
  readonly enter: readonly HeaderStep[]
  /** Who calls, how often, and with which right. */
  readonly admit: Step
  // Here the body is read, and the handler of the route answers.
  /** Before the body of the reply is coded. */
  readonly leave: readonly HeaderStep[]
  readonly code: CodeBody
  /** When the reply was sent. */
  readonly after: readonly LastStep[]
}

/** What the steps are made from. */
export type PipelineParts = {
  readonly methods: MethodTable
  readonly door: Pick<Doorkeeper, 'admit'>
  readonly unsent: UnsentReplies
}

/** Makes the steps of the requests of a server. */
export function openPipeline(
  dependencies: EdgeDependencies,
  { methods, door, unsent }: PipelineParts,
): Pipeline {
  const { baseUrl, catchUp, positions, countUses, noticeWrite } = dependencies
  return {
    enter: [
      ...(catchUp ? [catchUp] : []),
      allowOrigins(methods),
      guardRequests(baseUrl),
      ({ raw, ip }) => unsent.follow(raw.socket, ip),
    ],
    admit: door.admit,
    leave: [
      ...(positions ? [tellPosition({ baseUrl, positions })] : []),
      readLargeBodies,
      warnOfKeysInAddresses,
    ],
    code: codeReplies(),
    after: [
      measureRequests(dependencies.metrics, methods),
      logRequests(dependencies.logger),
      ...(countUses ? [countUsesOf(countUses)] : []),
      ...(noticeWrite ? [noticeWrite] : []),
    ],
  }
}

/** Counts the replies that say what they are a use of, unless they tell of an error. */
function countUsesOf(countUses: CountUses): LastStep {
  return ({ method, ip, headers }, { uses, statusCode }) => {
    // COUNTER counts what was delivered, and what the client has still (304).
    if (uses !== undefined && statusCode < 400 && method !== 'HEAD') {
      countUses(ip, headers['user-agent'], uses)
    }
  }
}

/** What was done of a request before the framework got it: `enter`, and `admit` by an access. */
export type Begun = {
  readonly access: Access | undefined
  readonly caller: Caller
  readonly headers: Readonly<Record<string, string>>
}

/** The requests of which that was done. */
export type BegunRequests = Pick<WeakMap<IncomingMessage, Begun>, 'get'>

/** What was done of a request, if its route admits by the same access. */
function begunOf({ raw, routeOptions }: EdgeRequest, begun: BegunRequests): Begun | undefined {
  const before = begun.get(raw)
  return before?.access === routeOptions.config.access ? before : undefined
}

/** Has a server enter its requests. Register it before what answers some of them. */
export function enterByHooks(
  server: FastifyInstance,
  { enter }: Pipeline,
  begun: BegunRequests,
): void {
  server.addHook('onRequest', (request, reply, done) => {
    const before = begunOf(request, begun)
    if (before === undefined) for (const step of enter) step(request, reply)
    else {
      request.caller = before.caller
      reply.headers(before.headers)
      reply.header('x-request-id', request.id)
    }
    done()
  })
}

/** Has a server admit its requests. */
export function admitByHooks(
  server: FastifyInstance,
  { admit }: Pipeline,
  begun: BegunRequests,
): void {
  server.addHook('onRequest', (request, reply, done) => {
    if (begunOf(request, begun) !== undefined) return done()
    const waiting = admit(request, reply)
    if (waiting === undefined) return done()
    waiting.then(() => done(), done)
  })
}

/**
 * Has a server carry out what follows the handlers of its routes. `rewriteBodies` registers what
 * rewrites the bodies of replies before they are coded.
 */
export function leaveByHooks(
  server: FastifyInstance,
  { leave, code, after }: Pipeline,
  rewriteBodies: (server: FastifyInstance) => void = () => undefined,
): void {
  server.addHook('onSend', (request, reply, payload, done) => {
    for (const step of leave) step(request, reply)
    done(null, payload)
  })
  rewriteBodies(server)
  server.addHook('onSend', (request, reply, payload, done) => {
    const coding = code(request, reply, payload)
    if (coding === undefined) return done(null, payload)
    coding.then(
      (coded) => done(null, coded ?? payload),
      (error: unknown) => done(error as Error),
    )
  })
  server.addHook('onResponse', (request, reply, done) => {
    for (const step of after) step(request, reply)
    done()
  })
}
