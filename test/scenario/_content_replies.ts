import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

/** What a host remembers between requests. */
export type HostState = {
  /** Requests of each path so far. */
  readonly requests: Map<string, number>
  /** Requests that are answered until the next rest, and when the present one ends. */
  answersLeft: number
  restUntilMs: number
  /** Requests that came during a rest, although they had been asked to wait. */
  early: number
}

/** One request: `args` are the parts of its path behind the first, `nth` counts from 1. */
export type ContentRequest = {
  readonly url: URL
  readonly args: readonly string[]
  readonly nth: number
  readonly host: HostState
  /** The revision of all content that is revised, set by the test. */
  readonly revision: number
}

type Replier = (asked: ContentRequest, response: ServerResponse) => void

const contentBytes = 4_000
const waitMs = 1_000
/** Requests that a host with a limit answers between two rests. */
export const answersBetweenRests = 25
const endlessChunk = Buffer.alloc(65_536, 'endless content ')

/** The content of a path: its own for each path and revision. */
function contentOf(path: string, revision = 0): Buffer {
  return Buffer.alloc(contentBytes, `revision ${revision} of ${path}\n`)
}

/** The content hash of a path, as the registry writes it. */
export function contentHashOf(path: string, revision = 0): string {
  return `sha256:${createHash('sha256').update(contentOf(path, revision)).digest('hex')}`
}

// By the first part of a path. Of those that take a number, it is the second part.
const repliers: Readonly<Record<string, Replier>> = {
  /** The content, at once and for ever. */
  good: ({ url }, response) => send(response, contentOf(url.pathname)),
  /** The same as a page of HTML. */
  page: ({ url }, response) => send(response, contentOf(url.pathname), 'text/html'),
  /** The content, its second half after so many milliseconds. */
  slow: ({ url, args }, response) => {
    const content = contentOf(url.pathname)
    const half = content.length / 2
    head(response, content.length).write(content.subarray(0, half))
    setTimeout(() => response.end(content.subarray(half)), Number(args[0]))
  },
  /** Half of the content, and then nothing. */
  stalled: ({ url }, response) => {
    const content = contentOf(url.pathname)
    head(response, content.length).write(content.subarray(0, content.length / 2))
  },
  /** The content as it is revised by the test. */
  revised: ({ url, revision }, response) => send(response, contentOf(url.pathname, revision)),
  /** Other content after so many requests. */
  changing: ({ url, args, nth }, response) => {
    send(response, contentOf(url.pathname, nth > Number(args[0]) ? 1 : 0))
  },
  /** Other content at every request. */
  unstable: ({ url, nth }, response) => send(response, contentOf(url.pathname, nth)),
  /** A status for ever. */
  status: ({ args }, response) => response.writeHead(Number(args[0])).end('not now'),
  /** 503 for so many requests, then the content. */
  flaky: ({ url, args, nth }, response) => {
    if (nth > Number(args[0])) send(response, contentOf(url.pathname))
    else response.writeHead(503).end('not yet')
  },
  limited: replyWithinLimit,
  /** 429 and a rest of so many seconds for ever. */
  busy: ({ args }, response) => response.writeHead(429, { 'retry-after': args[0] }).end(),
  endless: (_, response) => {
    response.writeHead(200, { 'content-type': 'application/pdf' })
    const more = () => {
      while (!response.destroyed && response.write(endlessChunk));
    }
    response.on('drain', more)
    more()
  },
  /** Leads to the address in its query. */
  redirect: ({ url }, response) => {
    // Whatever is no ASCII goes out as the bytes of its UTF-8.
    const location = Buffer.from(url.searchParams.get('to') ?? '').toString('latin1')
    response.writeHead(302, { location }).end()
  },
  /** Leads to itself. */
  loop: ({ url }, response) => response.writeHead(301, { location: url.pathname }).end(),
  /** Announces more than it sends before it hangs up. */
  truncated: ({ url }, response) => {
    const content = contentOf(url.pathname)
    head(response, content.length * 2).write(content, () => response.destroy())
  },
}

/** Answers a request as its path says. */
export function reply(request: IncomingMessage, response: ServerResponse, state: ReplyState): void {
  const url = new URL(request.url ?? '/', `http://${request.headers.host}`)
  const [kind = '', ...args] = url.pathname.slice(1).split('/')
  const { host, revision } = state
  const nth = (host.requests.get(url.pathname) ?? 0) + 1
  host.requests.set(url.pathname, nth)
  const replier = repliers[kind]
  if (replier === undefined) throw new Error(`nothing is known of ${url.pathname}`)
  replier({ url, args, nth, host, revision }, response)
}

type ReplyState = { readonly host: HostState; readonly revision: number }

/** The content, but 429 once the host has answered enough; then it rests for a second. */
function replyWithinLimit({ url, host }: ContentRequest, response: ServerResponse): void {
  const nowMs = performance.now()
  if (nowMs < host.restUntilMs) host.early += 1
  else if (host.answersLeft > 0) {
    host.answersLeft -= 1
    return send(response, contentOf(url.pathname))
  } else {
    host.restUntilMs = nowMs + waitMs
    host.answersLeft = answersBetweenRests
  }
  response.writeHead(429, { 'retry-after': String(waitMs / 1_000) }).end('too many')
}

function send(response: ServerResponse, content: Buffer, mediaType?: string): void {
  head(response, content.length, mediaType).end(content)
}

function head(
  response: ServerResponse,
  bytes: number,
  mediaType = 'application/pdf',
): ServerResponse {
  return response.writeHead(200, { 'content-type': mediaType, 'content-length': bytes })
}
