import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'

import { LogError } from '#log/tlog/errors.ts'
import { newSocketServer, type SocketServerOptions } from '#src/edge/socket_server.ts'
import { HttpError } from '#src/edge/errors.ts'
import { knowLog, type KnownLog, type WitnessedLog } from '#src/tlog_tools/witness/decision.ts'
import type { ListedLog, Witness } from '#src/tlog_tools/witness/witness.ts'

/** Bytes of a body on the admin socket of a witness, at most. */
const witnessBodyBytesMax = 65_536

/** New checkpoints a minute that a log may be given, at most. */
const rateMax = 999_999

function bodyOf<P extends Parameters<typeof Type.Object>[0]>(properties: P) {
  return Type.Object(properties, { additionalProperties: false })
}

// A line of a checkpoint.
const origin = Type.String({ pattern: '^[^\\p{Cc}]+$', maxLength: 1_000 })

/** The commands of the admin socket of a witness, with what each takes. */
const witnessBodies = {
  '/key': bodyOf({}),
  '/logs/add': bodyOf({
    vkey: Type.String({ maxLength: 4_000 }),
    origin: Type.Optional(origin),
    rate: Type.Optional(Type.Integer({ minimum: 1, maximum: rateMax })),
    url: Type.Optional(Type.String({ pattern: '^https?://', maxLength: 2_000 })),
  }),
  '/logs/remove': bodyOf({ origin }),
  '/logs/list': bodyOf({}),
} as const

type WitnessPath = keyof typeof witnessBodies
type WitnessBody<P extends WitnessPath> = Static<(typeof witnessBodies)[P]>

/** A log as an operator sees it; `id` is what it is found by on the monitoring path. */
export type LogInfo = WitnessedLog & {
  readonly id: string
  /** What was last cosigned of it; null if nothing was. */
  readonly last: { readonly tree_size: number; readonly cosigned_at: string } | null
}

type WitnessReplies = {
  '/key': { readonly name: string; readonly vkey: string; readonly vkeys: readonly string[] }
  '/logs/add': { readonly log: LogInfo; readonly outcome: 'added' | 'changed' | 'unchanged' }
  '/logs/remove': { readonly origin: string }
  '/logs/list': { readonly logs: readonly LogInfo[] }
}

/** The same as calls: what each path takes, and what it answers. */
export type WitnessCalls = {
  readonly [P in WitnessPath]: {
    readonly body: WitnessBody<P>
    readonly reply: WitnessReplies[P]
  }
}

/** The commands of the admin socket. Every refusal is an HttpError. */
export class WitnessCommands {
  readonly #witness: Witness
  readonly #key: WitnessReplies['/key']

  constructor(witness: Witness, key: WitnessReplies['/key']) {
    this.#witness = witness
    this.#key = key
  }

  key(): WitnessReplies['/key'] {
    return this.#key
  }

  async addLog(wish: WitnessBody<'/logs/add'>): Promise<WitnessReplies['/logs/add']> {
    const log = readLog(wish)
    const answer = await this.#witness.addLog(log)
    switch (answer.type) {
      case 'other_key':
        throw new HttpError(
          'conflict',
          `The log ${log.origin} is known by another key, ${answer.vkey}. Remove it first if its ` +
            'key was replaced: what was cosigned of it still counts then',
        )
      case 'too_many':
        throw new HttpError('conflict', 'The witness has as many logs as there may be')
      case 'added':
      case 'changed':
      case 'unchanged': {
        const listed = this.#witness.list().find(({ log: { id } }) => id === log.id)
        return { log: logInfo(listed ?? { log, last: undefined }), outcome: answer.type }
      }
    }
  }

  async removeLog({ origin: name }: WitnessBody<'/logs/remove'>) {
    if (await this.#witness.removeLog(name)) return { origin: name }
    throw new HttpError('not_found', `The witness knows no log ${name}`)
  }

  listLogs(): WitnessReplies['/logs/list'] {
    return { logs: this.#witness.list().map(logInfo) }
  }
}

function readLog({ vkey, origin: name, rate: wanted, url }: WitnessBody<'/logs/add'>): KnownLog {
  const rate = wanted ?? null
  try {
    const [keyName = ''] = vkey.split('+', 1)
    return knowLog({ origin: name ?? keyName, vkey, rate, ...(url !== undefined && { url }) })
  } catch (error) {
    if (!(error instanceof LogError)) throw error
    const known = 'A log is known by its Ed25519 or ML-DSA-44 key'
    const message = `The key cannot be used: ${error.message}. ${known}`
    throw new HttpError('validation_failed', message, { cause: error })
  }
}

function logInfo({ log: { id, origin: name, vkey, rate }, last }: ListedLog): LogInfo {
  const cosigned = last && {
    tree_size: last.treeSize,
    cosigned_at: new Date(last.timestamp * 1_000).toISOString(),
  }
  return { id, origin: name, vkey, rate, last: cosigned ?? null }
}

type Handlers = {
  readonly [P in keyof WitnessCalls]: (
    body: WitnessCalls[P]['body'],
  ) => WitnessCalls[P]['reply'] | Promise<WitnessCalls[P]['reply']>
}

/** Builds the server of the admin socket of a witness. */
export function buildWitnessSocket(
  commands: WitnessCommands,
  options: Omit<SocketServerOptions, 'bodyBytesMax'>,
): FastifyInstance {
  const server = newSocketServer({ ...options, bodyBytesMax: witnessBodyBytesMax })
  const handlers: Handlers = {
    '/key': () => commands.key(),
    '/logs/add': (body) => commands.addLog(body),
    '/logs/remove': (body) => commands.removeLog(body),
    '/logs/list': () => commands.listLogs(),
  }
  for (const [path, handle] of Object.entries(handlers)) {
    const body = witnessBodies[path as keyof WitnessCalls]
    // The schema of the path has checked the body that its handler takes.
    server.post(path, { schema: { body } }, async (request) => handle(request.body as never))
  }
  return server
}
