import type { IncomingHttpHeaders } from 'node:http'
import { setTimeout as rest } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import type { EnvironmentName } from '#actors/registry/environment.ts'
import { cookieValues } from '#src/edge/cookie.ts'
import { HttpError } from '#src/errors.ts'

/** How many changes of each registry are shown here. */
export type Positions = Readonly<Record<EnvironmentName, () => number>>

/** The cookie by which browsers say what they have written. */
export const readAfterCookie = 'svc_read_after'

type ReadAfterOptions = {
  /** The public address of the registry. */
  readonly baseUrl: string
  readonly positions: Positions
  /** Milliseconds of a clock that only goes forward. */
  readonly elapsedMs: () => number
}

/** What a client has seen: changes of the live registry and of the sandbox. */
type Seen = Readonly<Record<EnvironmentName, number>>

const header = 'x-read-after'
const form = /^(\d{1,15})\.(\d{1,15})$/

/** How long a request waits for what it is to see, how often it looks, and how many may wait. */
const waitMsMax = 5_000
const pauseMs = 5
const waitingMax = 1_000

/** By then every node that answers has long come so far. */
const cookieSeconds = 60

const reading: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Lets a client read at one node what it has written at another: the reply to a change tells how
 * far the registry had come (`X-Read-After`, opaque to clients; browsers get it as a cookie), and a
 * request that says so is answered once this node has come as far. HttpError `bad_request` for
 * another text, `unavailable` when it takes too long.
 */
export function registerReadAfter(
  server: FastifyInstance,
  { baseUrl, elapsedMs, positions }: ReadAfterOptions,
): void {
  const security = baseUrl.startsWith('https:') ? '; Secure' : ''
  let waiting = 0
  const isReached = ({ live, sandbox }: Seen) =>
    positions.live() >= live && positions.sandbox() >= sandbox
  const wait = async (seen: Seen) => {
    if (waiting >= waitingMax) throw tooFar
    waiting += 1
    const endMs = elapsedMs() + waitMsMax
    try {
      while (!isReached(seen)) {
        if (elapsedMs() >= endMs) throw tooFar
        await rest(pauseMs)
      }
    } finally {
      waiting -= 1
    }
  }
  // By then the request is admitted and counted: nobody waits beyond their limits.
  server.addHook('preHandler', async (request) => {
    const seen = seenBy(request)
    if (seen !== undefined && !isReached(seen)) await wait(seen)
  })
  server.addHook('onSend', (request, reply, payload, done) => {
    if (!reading.has(request.method) && reply.statusCode < 400) {
      const told = `${positions.live()}.${positions.sandbox()}`
      reply.header(header, told)
      if (request.headers.cookie !== undefined) setCookie(reply, told, security)
    }
    done(null, payload)
  })
}

function seenBy({ headers }: FastifyRequest): Seen | undefined {
  const { [header]: text = ofCookie(headers) } = headers
  if (text === undefined) return undefined
  const [, live, sandbox] = form.exec(String(text)) ?? []
  if (live === undefined || sandbox === undefined) {
    const message = 'X-Read-After is not what the reply to a change has told; send that as it was'
    throw new HttpError('bad_request', message)
  }
  return { live: Number(live), sandbox: Number(sandbox) }
}

// A cookie that somebody has altered is none.
function ofCookie(headers: IncomingHttpHeaders): string | undefined {
  return cookieValues(headers, readAfterCookie).find((value) => form.test(value))
}

// Fastify adds this header to those of its name that a reply has already.
function setCookie(reply: FastifyReply, told: string, security: string): void {
  const attributes = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${cookieSeconds}${security}`
  reply.header('set-cookie', `${readAfterCookie}=${told}; ${attributes}`)
}

const tooFar = new HttpError(
  'unavailable',
  'This node has not come as far as X-Read-After says; try again, or without it',
  { extra: { retry_after: 1 } },
)
