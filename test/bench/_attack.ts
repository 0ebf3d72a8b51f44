import http from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * One request of an attack. `from` is the n-th of the loopback addresses that attackers have;
 * `isRead` false leaves its reply in the socket.
 */
export type AttackRequest = {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly from: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly isRead?: boolean
}

/** So many connections that send requests one after the other until the time is over. */
export type AttackPlan = {
  readonly port: number
  readonly connections: number
  readonly durationMs: number
  /** The requests of each connection begin at another one of them, and go round. */
  readonly requests: readonly AttackRequest[]
}

/** Replies by status; connections that ended without a reply as `0`, those left unread as `-`. */
export type AttackResult = Readonly<Record<string, number>>

// What a refused attacker waits for before the next request.
const refusedWaitMs = 50

/** Runs an attack to its end. */
export async function runAttack(plan: AttackPlan): Promise<AttackResult> {
  const statuses: Record<string, number> = {}
  const note = (status: string) => {
    statuses[status] = (statuses[status] ?? 0) + 1
  }
  const stopMs = performance.now() + plan.durationMs
  const attackers = Array.from({ length: plan.connections }, async (_, nth) => {
    for (let n = nth; performance.now() < stopMs; n += 1) {
      const request = plan.requests[n % plan.requests.length]
      if (request === undefined) return
      const leftMs = stopMs - performance.now()
      if (request.isRead === false) note(await leaveUnread(plan.port, request, leftMs))
      else {
        const status = await send(plan.port, request, leftMs)
        note(String(status))
        if (status === 0 || status === 429 || status === 503) await sleep(refusedWaitMs)
      }
    }
  })
  await Promise.all(attackers)
  return statuses
}

function addressOf(from: number): string {
  return `127.0.${2 + Math.floor(from / 250)}.${1 + (from % 250)}`
}

const agents = new Map<string, http.Agent>()

function agentOf(localAddress: string): http.Agent {
  const agent = agents.get(localAddress) ?? new http.Agent({ keepAlive: true, localAddress })
  agents.set(localAddress, agent)
  return agent
}

function send(port: number, request: AttackRequest, leftMs: number): Promise<number> {
  const { method, path, headers = {}, body } = request
  const agent = agentOf(addressOf(request.from))
  return new Promise((resolve) => {
    const options = { agent, host: '127.0.0.1', port, method, path, headers }
    const sent = http.request(options, (response) => {
      response.resume()
      response.once('close', () => resolve(response.statusCode ?? 0))
    })
    sent.once('error', () => resolve(0))
    sent.setTimeout(leftMs + 1_000, () => sent.destroy())
    sent.end(body)
  })
}

/** Sends a request and never reads what comes back, until the server or the time ends it. */
function leaveUnread(port: number, request: AttackRequest, leftMs: number): Promise<string> {
  const { method, path, headers = {} } = request
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const text = `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${lines.join('')}\r\n`
  return new Promise((resolve) => {
    const localAddress = addressOf(request.from)
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    const timer = setTimeout(() => socket.destroy(), leftMs)
    socket.pause()
    socket.once('connect', () => socket.write(text))
    socket.on('error', () => {})
    socket.once('close', () => {
      clearTimeout(timer)
      resolve('-')
    })
  })
}

/** Tries a password on each of so many addresses at once, through the page. */
export async function trySignIns(port: number, count: number): Promise<AttackResult> {
  const statuses: Record<string, number> = {}
  const tries = Array.from({ length: count }, async (_, from) => {
    const status = await trySignIn(port, from)
    statuses[status] = (statuses[status] ?? 0) + 1
  })
  await Promise.all(tries)
  return statuses
}

async function trySignIn(port: number, from: number): Promise<number> {
  const agent = agentOf(addressOf(from))
  const page = await new Promise<{ cookie: string; csrf: string }>((resolve, reject) => {
    http
      .get({ agent, host: '127.0.0.1', port, path: '/auth/sign-in' }, (response) => {
        let text = ''
        response.on('data', (chunk) => (text += String(chunk)))
        response.once('end', () => {
          const [cookie = ''] = (response.headers['set-cookie'] ?? []).map((line) =>
            line.slice(0, line.indexOf(';')),
          )
          resolve({ cookie, csrf: /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '' })
        })
      })
      .once('error', reject)
  })
  const form = { csrf: page.csrf, email: `nobody${from}@example.org`, password: 'wrong password' }
  return send(
    port,
    {
      method: 'POST',
      path: '/auth/sign-in',
      from,
      headers: {
        cookie: page.cookie,
        'content-type': 'application/x-www-form-urlencoded',
        origin: `http://127.0.0.1:${port}`,
      },
      body: new URLSearchParams(form).toString(),
    },
    60_000,
  )
}
