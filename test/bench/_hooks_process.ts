// The process of the hooks bench. Requests go through servers without a kernel and a network, so
// that what each part of a server does with every request stands out from the noise: a bare one,
// one with each of the parts alone, and the whole edge. Its argument are the requests of a round.

import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'

import { loadConfig } from '#config/config.ts'
import { registerClientAddress } from '#src/edge/caller.ts'
import { createLogger } from '#src/edge/logger.ts'
import { createMetrics } from '#src/edge/metrics.ts'
import { MethodTable } from '#src/edge/method_table.ts'
import { type Pipeline, enterByHooks, leaveByHooks, openPipeline } from '#src/edge/pipeline.ts'
import { createUnsentReplies, sendInPieces } from '#src/edge/reply_sending.ts'
import { buildEdge } from '#src/edge/server.ts'

const [requests = '1000'] = process.argv.slice(2)
const rounds = 9
const path = '/api/v1/resolve/ark'
const body = Buffer.from(JSON.stringify({ long: 'What is known of a work. '.repeat(180) }))
const elapsedMs = () => performance.now()
const logger = createLogger('warn', process.stderr)
const metrics = createMetrics()

const unsent = createUnsentReplies(loadConfig({}), elapsedMs)

function stepsOf(server: FastifyInstance): Pipeline {
  const own = { config: loadConfig({}), baseUrl: 'https://registry.example', logger, metrics }
  const authenticate = ({ ip }: { ip: string }) => ({ kind: 'anonymous', ip }) as const
  const dependencies = { ...own, authenticate, nowMs: Date.now, elapsedMs }
  const door = { admit: () => undefined }
  return openPipeline(dependencies, { methods: new MethodTable(server), door, unsent })
}

/** The parts that have something to do with every request. */
const parts: Readonly<Record<string, (server: FastifyInstance) => unknown>> = {
  'client addresses': (server) => registerClientAddress(server, []),
  'first steps': (server) => enterByHooks(server, stepsOf(server), new WeakMap()),
  'last steps': (server) => leaveByHooks(server, stepsOf(server)),
  sending: (server) => sendInPieces(server, unsent),
}

/** A connection that takes everything and brings nothing. */
class NoConnection extends Socket {
  override _write(_chunk: unknown, _encoding: string, done: () => void): void {
    done()
  }

  override _writev(_chunks: unknown, done: () => void): void {
    done()
  }
}

function addRoute(server: FastifyInstance, options: object): void {
  server.get(path, options, async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(body),
  )
}

async function serverWith(register: (server: FastifyInstance) => unknown) {
  const server = Fastify()
  register(server)
  addRoute(server, { config: { anyOrigin: true } })
  await server.ready()
  return server
}

function edgeWith(limits: 'on' | 'off'): Promise<FastifyInstance> {
  const config = loadConfig({ RATE_LIMITS: limits, LIMIT_RESOLVE: '1000000000' })
  const authenticate = ({ ip }: { ip: string }) => ({ kind: 'anonymous', ip }) as const
  const clocks = { nowMs: Date.now, elapsedMs }
  const dependencies = { config, baseUrl: 'https://registry.example', logger, metrics, ...clocks }
  return buildEdge({ ...dependencies, authenticate }, (server, { admit }) =>
    addRoute(server, admit({ type: 'public', limit: 'resolve' })),
  )
}

const connection = new NoConnection()
Object.defineProperty(connection, 'remoteAddress', { value: '127.0.0.1' })

function ask(server: FastifyInstance): Promise<void> {
  const request = new IncomingMessage(connection)
  const headers = { host: '127.0.0.1', accept: '*/*' }
  Object.assign(request, { method: 'GET', url: path, httpVersionMajor: 1, httpVersionMinor: 1 })
  Object.assign(request, {
    httpVersion: '1.1',
    headers,
    rawHeaders: Object.entries(headers).flat(),
  })
  request.push(null)
  const response = new ServerResponse(request)
  response.assignSocket(connection)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  response.on('finish', () => {
    response.detachSocket(connection)
    if (response.statusCode === 200) resolve()
    else reject(new Error(`the reply is ${response.statusCode}`))
  })
  server.routing(request, response)
  return promise
}

/** CPU that a request takes, in µs. */
async function measure(server: FastifyInstance): Promise<number> {
  const before = process.cpuUsage()
  for (let count = 0; count < Number(requests); count += 1) await ask(server)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / Number(requests)
}

const servers = new Map([['bare', await serverWith(() => undefined)]])
for (const [name, register] of Object.entries(parts)) servers.set(name, await serverWith(register))
servers.set('all, limits off', await edgeWith('off'))
servers.set('all, limits on', await edgeWith('on'))
const least: Record<string, number> = {}
for (let round = 0; round < rounds; round += 1) {
  for (const [name, server] of servers) {
    // What else the machine does only ever adds to it.
    least[name] = Math.min(least[name] ?? Number.POSITIVE_INFINITY, await measure(server))
  }
}
process.on('message', () => process.send?.(least))
process.once('disconnect', () => process.exit())
