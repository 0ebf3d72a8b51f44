import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'

import { parseRetryAfter } from '#actors/values/clock.ts'
import { parseJson } from '#actors/values/serialization.ts'
import type { Metadata } from '#actors/works/metadata.ts'

const changeMembers = {
  seq: Type.Integer({ minimum: 1 }),
  at: Type.String(),
  source: Type.Record(Type.String(), Type.Unknown()),
}

const workChange = Type.Object({
  ...changeMembers,
  ark: Type.String(),
  version: Type.Integer({ minimum: 1 }),
  status: Type.Union([Type.Literal('registered'), Type.Literal('withdrawn')]),
  sets: Type.Array(Type.String()),
  created_at: Type.String(),
  receipt_id: Type.String(),
  metadata_hash: Type.String(),
  content_hash: Type.Union([Type.String(), Type.Null()]),
  content_file: Type.Optional(Type.Integer({ minimum: 0 })),
  content_type: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  content_size: Type.Optional(Type.Integer({ minimum: 0 })),
  type: Type.String(),
  // The registry has checked it by its own rules.
  metadata: Type.Unsafe<Metadata | null>(Type.Union([Type.Object({}), Type.Null()])),
})

const organizationChange = Type.Object({
  ...changeMembers,
  type: Type.Union([Type.Literal('organization.created'), Type.Literal('organization.updated')]),
  organization: Type.Object({ slug: Type.String(), name: Type.String() }),
})

const otherChange = Type.Object({
  ...changeMembers,
  type: Type.String(),
  ark: Type.Optional(Type.Never()),
})

const pageSchema = Type.Object({
  changes: Type.Array(Type.Union([workChange, organizationChange, otherChange])),
  next: Type.Integer({ minimum: 0 }),
  end: Type.Integer({ minimum: 0 }),
  /** Up to `end` there is every change before this time; older registries do not tell. */
  settled_at: Type.Optional(Type.String()),
})

/** A change of a work, as far as harvesters see any of it. */
export type WorkChange = Static<typeof workChange>

/** A page of the registry's change feed. */
export type FeedPage = Static<typeof pageSchema>

const compiled = Compile(pageSchema)

/** The page of a reply of `GET /v1/changes`; undefined if it is not one. */
export function parseFeedPage(body: string): FeedPage | undefined {
  const page = parseJson(body)
  return compiled.Check(page) ? page : undefined
}

/** Changes on one page: all that the registry gives at once. */
const pageChanges = 1_000

/** How long a request may take beyond the time for which it waits for news. */
const replyMs = 60_000

/** Bytes of a page: the registry ends pages at 1 MiB, and a last change may be long. */
const pageBytesMax = 32 * 1_048_576

/**
 * A page, with the registry's time if it told it, or why there is none: for the operator, and in
 * `reason` for everybody, without addresses. `waitMs` is how long the registry wants to be left
 * alone.
 */
export type ReadOutcome =
  | { readonly type: 'page'; readonly page: FeedPage; readonly atSecond: number | undefined }
  | {
      readonly type: 'failed'
      readonly message: string
      readonly reason: string
      readonly waitMs: number
    }

/** What of the feed is read. */
export type ReadQuery = {
  readonly after: number
  /** Changes at most; by default as many as a page can have. */
  readonly limit?: number
  /** How long the registry may wait for a first change. */
  readonly waitSeconds: number
}

/** The change feed of a registry. Nothing that goes wrong there is thrown. */
export type ChangeSource = (query: ReadQuery, signal: AbortSignal) => Promise<ReadOutcome>

/** The feed below the address of a registry, read with a key. No redirect is followed. */
export function httpChangeSource(
  registryUrl: string,
  key: string,
  nowMs: () => number,
): ChangeSource {
  const headers = {
    authorization: `Bearer ${key}`,
    accept: 'application/json',
    // As a rule it stands beside the registry: packing would take longer than sending.
    'accept-encoding': 'identity',
  }
  return async ({ after, limit = pageChanges, waitSeconds }, signal) => {
    const url = `${registryUrl}/v1/changes?after=${after}&limit=${limit}&wait=${waitSeconds}`
    const ends = AbortSignal.any([signal, AbortSignal.timeout(waitSeconds * 1_000 + replyMs)])
    try {
      const response = await fetch(url, { headers, redirect: 'manual', signal: ends })
      const body = await readBody(response)
      if (response.status !== 200) return refused(response, body, nowMs())
      const page = parseFeedPage(body)
      if (page !== undefined) return { type: 'page', page, atSecond: dateOf(response) }
      const what = 'answers what is no page of changes'
      return failed(`${registryUrl} ${what}`, `The registry ${what}`)
    } catch (error) {
      const { message, cause } = error as Error
      const why = cause instanceof Error && cause.message !== '' ? cause.message : message
      return failed(`${registryUrl} cannot be read: ${why}`, 'The registry cannot be reached')
    }
  }
}

function dateOf({ headers }: Response): number | undefined {
  const timeMs = Date.parse(headers.get('date') ?? '')
  return Number.isNaN(timeMs) ? undefined : Math.floor(timeMs / 1_000)
}

function failed(message: string, reason: string, waitMs = 0): ReadOutcome {
  return { type: 'failed', message, reason, waitMs }
}

function refused({ status, headers, url }: Response, body: string, nowMs: number): ReadOutcome {
  const waitMs = parseRetryAfter(headers.get('retry-after') ?? '', nowMs) ?? 0
  const { origin } = new URL(url)
  const what = `answers ${status}${reasonOf(body)}`
  return failed(`${origin} ${what}`, `The registry ${what}`, waitMs)
}

/** What the registry says of an error, as the end of a sentence. */
function reasonOf(body: string): string {
  try {
    const { message } = JSON.parse(body) as { readonly message?: unknown }
    return typeof message === 'string' ? `: ${message.slice(0, 300)}` : ''
  } catch {
    return ''
  }
}

async function readBody({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    length += chunk.length
    // Leaving the loop by an error cancels the rest of the body.
    if (length > pageBytesMax) throw new Error(`it answers more than ${pageBytesMax} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, length).toString('utf8')
}
