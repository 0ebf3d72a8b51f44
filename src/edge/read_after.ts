import type { IncomingHttpHeaders } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

import type { Environment, EnvironmentName } from '#actors/registry/environment.ts'
import { cookieValues } from '#src/edge/credentials.ts'
import type { EdgeReply, HeaderStep } from '#src/edge/step.ts'
import { HttpError } from '#src/edge/errors.ts'
import type { IdentityStore } from '#src/identity/store/identity_rows.ts'

/** How many changes of each registry, and of accounts and keys, are shown here. */
export type Positions = Readonly<Record<EnvironmentName | 'identity', () => number>>

/** The cookie by which browsers say what they have written. */
export const readAfterCookie = 'svc_read_after'

/** How far what a node shows has come, on this thread. */
export function positionsOf(
  { live, sandbox }: Readonly<Record<EnvironmentName, Pick<Environment, 'position'>>>,
  identity: Pick<IdentityStore, 'position'>,
): Positions {
  return { live: live.position, sandbox: sandbox.position, identity: () => identity.position }
}

type ReadAfterOptions = {
  /** The public address of the registry. */
  readonly baseUrl: string
  readonly positions: Positions
  /** Milliseconds of a clock that only goes forward. */
  readonly elapsedMs: () => number
}

/** What a client has seen: changes of the live registry, the sandbox, and accounts and keys. */
type Seen = { readonly [of in keyof Positions]: number }

const header = 'x-read-after'
const form = /^(\d{1,15})\.(\d{1,15})\.(\d{1,15})$/

/** How long a request waits for what it is to see, how often it looks, and how many may wait. */
const waitMsMax = 5_000
const identityWaitMsMax = 500
const pauseMs = 5
const waitingMax = 1_000

/** By then every node that answers has long come so far. */
const cookieSeconds = 60

const reading: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Lets a client read at one node what it has written at another: a request that says how far the
 * registry had come (`tellPosition`) is answered once this node has come as far. HttpError
 * `bad_request` for another text, `unavailable` when it takes too long.
 */
export function registerReadAfter(
  server: FastifyInstance,
  { elapsedMs, positions }: Omit<ReadAfterOptions, 'baseUrl'>,
): void {
  let waiting = 0
  const isReached = ({ live, sandbox }: Seen) =>
    positions.live() >= live && positions.sandbox() >= sandbox
  const wait = async (msMax: number, isOver: () => boolean): Promise<boolean> => {
    if (waiting >= waitingMax) return false
    waiting += 1
    const endMs = elapsedMs() + msMax
    try {
      while (!isOver()) {
        if (elapsedMs() >= endMs) return false
        await sleep(pauseMs)
      }
      return true
    } finally {
      waiting -= 1
    }
  }
  // The caller is not known yet, so the wait is short; this node may know the credential later.
  server.addHook('onRequest', async ({ headers }) => {
    const { identity = 0 } = seenIn(textOf(headers) ?? '') ?? {}
    const isKnown = () => positions.identity() >= identity
    if (!isKnown()) await wait(identityWaitMsMax, isKnown)
  })
  // By then the request is admitted and counted: nobody waits beyond their limits.
  server.addHook('preHandler', async ({ headers }) => {
    const text = textOf(headers)
    if (text === undefined) return
    const seen = seenIn(text)
    if (seen === undefined) throw malformed
    if (isReached(seen)) return
    if (!(await wait(waitMsMax, () => isReached(seen)))) throw tooFar
  })
}

/**
 * Tells in the reply to a change how far the registry had come: as `X-Read-After`, opaque to
 * clients, and to browsers as a cookie.
 */
export function tellPosition({
  baseUrl,
  positions,
}: Omit<ReadAfterOptions, 'elapsedMs'>): HeaderStep {
  const security = baseUrl.startsWith('https:') ? '; Secure' : ''
  return ({ method, headers }, reply) => {
    if (reading.has(method) || reply.statusCode >= 400) return
    const told = `${positions.live()}.${positions.sandbox()}.${positions.identity()}`
    reply.header(header, told)
    if (headers.cookie !== undefined) setCookie(reply, told, security)
  }
}

/** What a client says that it has seen: by the header, or a cookie that nobody has altered. */
function textOf(headers: IncomingHttpHeaders): string | undefined {
  const { [header]: text } = headers
  if (text !== undefined) return String(text)
  return cookieValues(headers, readAfterCookie).find((value) => form.test(value))
}

function seenIn(text: string): Seen | undefined {
  const [, live, sandbox, identity] = form.exec(text) ?? []
  if (live === undefined || sandbox === undefined || identity === undefined) return undefined
  return { live: Number(live), sandbox: Number(sandbox), identity: Number(identity) }
}

// Fastify adds this header to those of its name that a reply has already.
function setCookie(reply: EdgeReply, told: string, security: string): void {
  const attributes = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${cookieSeconds}${security}`
  reply.header('set-cookie', `${readAfterCookie}=${told}; ${attributes}`)
}

const malformed = new HttpError(
  'bad_request',
  'X-Read-After is not what the reply to a change has told; send that as it was',
)

const tooFar = new HttpError(
  'unavailable',
  'This node has not come as far as X-Read-After says; try again, or without it',
  { extra: { retry_after: 1 } },
)
