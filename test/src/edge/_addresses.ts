import type { ExecutionContext } from 'ava'
import type { FastifyInstance } from 'fastify'

// `│   ├── works/:ark (GET, HEAD)`: four characters for each address above.
const routeLine = /^(?<indent>[│ ]*)[├└]── (?<text>\S*)(?: \((?<methods>[A-Z, -]+)\))?/

/** The patterns of all addresses of a server, such as `/v1/works/:ark`. */
export function addressesOf(server: FastifyInstance): string[] {
  const above: string[] = []
  const addresses: string[] = []
  for (const line of server.printRoutes({ commonPrefix: false }).split('\n')) {
    const { indent = '', text = '', methods } = routeLine.exec(line)?.groups ?? {}
    above.splice(indent.length / 4, above.length, text)
    if (methods !== undefined) addresses.push(above.join(''))
  }
  return addresses
}

/** An address with what stands for its parameters, by their names; `*` is the rest of a path. */
export function fillAddress(pattern: string, samples: Readonly<Record<string, string>>): string {
  return pattern.replace(
    /:(\w+)(?:\([^)]*\))?|\*/g,
    (whole, name: string = whole) => samples[name] ?? 'x',
  )
}

/** A reply, however it was asked for. */
export type MethodReply = {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

/** Sends a request without a body. */
export type SendMethod = (
  method: string,
  url: string,
  headers?: Readonly<Record<string, string>>,
) => Promise<MethodReply>

/** Sends requests to a server that listens. */
export function sendTo(baseUrl: string): SendMethod {
  return async (method, url, headers = {}) => {
    const reply = await fetch(baseUrl + url, { method, headers, redirect: 'manual' })
    const replied = Object.fromEntries(reply.headers)
    return { status: reply.status, headers: replied, body: await reply.text() }
  }
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/**
 * Holds an address to what it says of its methods: `Allow` is the same wherever it is told, and it
 * is true; HEAD has the headers of GET, and no body. Gives the status of GET, if it is taken.
 */
export async function assertMethods(
  t: ExecutionContext,
  send: SendMethod,
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<number | undefined> {
  const options = await send('OPTIONS', url)
  t.is(options.status, 204, `OPTIONS ${url}`)
  t.is(options.body, '')
  t.is(options.headers['content-length'], undefined, url)
  const allow = String(options.headers['allow']).split(', ')
  t.true(allow.includes('OPTIONS'), url)
  t.is(allow.includes('HEAD'), allow.includes('GET'), url)
  for (const method of methods) {
    const { status, headers: replied } = await send(method, url)
    t.is(status !== 405, allow.includes(method), `${method} ${url}: ${allow.join()}`)
    if (status === 405) t.is(replied['allow'], options.headers['allow'], url)
  }
  return allow.includes('GET') ? assertHead(t, send, url, headers) : undefined
}

async function assertHead(
  t: ExecutionContext,
  send: SendMethod,
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<number> {
  const get = await send('GET', url, headers)
  const head = await send('HEAD', url, headers)
  t.is(head.status, get.status, `HEAD ${url}`)
  t.is(head.body, '', `HEAD ${url}`)
  t.deepEqual(lasting(head.headers), lasting(get.headers), `HEAD ${url}`)
  const { etag } = get.headers
  if (get.status !== 200 || typeof etag !== 'string') return get.status
  const again = await send('HEAD', url, { ...headers, 'if-none-match': etag })
  t.is(again.status, 304, `HEAD ${url} by whom holds it`)
  t.is(again.headers['content-length'], undefined, url)
  t.is(again.headers['etag'], etag)
  return get.status
}

// What differs between two replies to one question, or is the connection's: how a body is
// transferred is said of the body alone (RFC 9112 §6.1).
const passing = new Set([
  'date',
  'x-request-id',
  'set-cookie',
  'connection',
  'keep-alive',
  'transfer-encoding',
])

function lasting(headers: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isPassing = (name: string) => passing.has(name) || name.startsWith('x-ratelimit-')
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !isPassing(name)))
}
