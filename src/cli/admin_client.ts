import fs from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import net from 'node:net'
import { text } from 'node:stream/consumers'

import type { FieldFault } from '#actors/values/fault_list.ts'
import { readConfig } from '#config/config.ts'
import type { Config } from '#config/schema.ts'
import type { AdminBody, AdminCalls, AdminPath, AdminReply } from '#src/http/admin/command_table.ts'
import { type JsonOption, print, UnusableError } from '#src/cli/program.ts'
import { http } from '#src/edge/node_http.ts'
import { adminSocketPath } from '#src/keeping/data_dir/admin_socket.ts'
import { dataFolders } from '#src/keeping/data_dir/data_dir.ts'
import { readInstance } from '#src/keeping/data_dir/instance.ts'

/** Where the registry of a configuration lies. */
export type RegistryPlace = {
  readonly data_dir: string
  /** Origin of its live log; null if the folder holds no registry yet. */
  readonly origin: string | null
}

/** Where the registry of a command lies, without opening it. StartError if it is unreadable. */
export async function registryPlace(config: Config): Promise<RegistryPlace> {
  const { dataDir } = dataFolders(config)
  const instance = await readInstance(dataDir)
  const origin = instance?.kind === 'registry' ? instance.logs['live']?.origin : undefined
  return { data_dir: dataDir, origin: origin ?? null }
}

/** UnusableError if the folder of a configuration holds nothing that a command could be for. */
async function refuseEmptyFolder(config: Config): Promise<void> {
  const { dataDir } = dataFolders(config)
  if ((await readInstance(dataDir)) !== undefined) return
  throw new UnusableError(
    `${dataDir} has no registry. Set DATA_DIR to the folder of one, or create one there with ` +
      '"arklog serve".',
  )
}

/** How long one call may take: a bulk import of works waits for its commits. */
const callTimeoutMs = 120_000

/** What a call was made to refused it: `code` and `message` are those of its error body. */
export class AdminError extends Error {
  readonly code: string
  readonly status: number

  constructor(status: number, body: { error: string; message: string; details?: unknown }) {
    super(describe(body))
    this.name = 'AdminError'
    this.code = body.error
    this.status = status
  }
}

/** The server ended, or broke a call off, while a command was using it; `next` is what to do. */
export class ServerGoneError extends Error {
  readonly code = 'registry_gone'
  override readonly cause: Error

  constructor(cause: Error, next = 'then run the command again.') {
    super(
      `The server ended before the command did (${cause.message}). Start it again if it is ` +
        `meant to run, ${next}`,
    )
    this.cause = cause
  }
}

/** The message of an error body, and what it says of single fields beyond that. */
function describe({ message, details }: { message: string; details?: unknown }): string {
  if (!Array.isArray(details)) return message
  const faults = (details as readonly FieldFault[]).filter((fault) => fault.message !== message)
  return [message, ...faults.map((fault) => `- ${fault.field}: ${fault.message}`)].join('\n')
}

/** The calls of an admin socket, by path. */
type SocketCalls = { readonly [path: string]: { readonly body: unknown; readonly reply: unknown } }

/** Calls of an admin socket, that of a registry by default, over connections that are kept. */
export class AdminClient<C extends SocketCalls = AdminCalls> {
  readonly #socketPath: string
  readonly #agent = new http.Agent({ keepAlive: true })

  constructor(socketPath: string) {
    this.#socketPath = socketPath
  }

  /** Makes one call; AdminError if it is refused, `registry_gone` if the server has ended. */
  call<P extends keyof C & string>(path: P, body: C[P]['body']): Promise<C[P]['reply']> {
    return this.callWithBytes(path, Buffer.from(JSON.stringify(body)))
  }

  /** A call whose body the caller has put together itself: of JSON, or of another type. */
  async callWithBytes<P extends keyof C & string>(
    path: P,
    body: Buffer,
    type = 'application/json',
  ): Promise<C[P]['reply']> {
    const { status, reply } = await this.#post(path, body, type)
    const value: unknown = JSON.parse(reply)
    if (status === 200) return value
    throw new AdminError(status, value as { error: string; message: string })
  }

  /**
   * Makes a call that answers with bytes, and gives them as they come: AdminError if it is refused,
   * `registry_gone` if the server ends, or sends nothing for as long as a call may take.
   */
  async *stream(path: string): AsyncGenerator<Uint8Array> {
    const response = await this.#request(path, Buffer.from('{}'), 'application/json')
    response.socket.setTimeout(callTimeoutMs, () => response.destroy(new Error('it is silent')))
    if (response.statusCode !== 200) {
      const error = JSON.parse(await text(response)) as { error: string; message: string }
      throw new AdminError(response.statusCode ?? 0, error)
    }
    try {
      for await (const piece of response) yield piece as Buffer
    } catch (error) {
      throw new ServerGoneError(error as Error)
    } finally {
      response.destroy()
    }
  }

  /** Lets the kept connections go. */
  close(): void {
    this.#agent.destroy()
  }

  async #post(path: string, body: Buffer, type: string) {
    const response = await this.#request(path, body, type, AbortSignal.timeout(callTimeoutMs))
    return { status: response.statusCode ?? 0, reply: await text(response) }
  }

  #request(
    path: string,
    body: Buffer,
    type: string,
    signal?: AbortSignal,
  ): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const request = http.request({
        socketPath: this.#socketPath,
        agent: this.#agent,
        method: 'POST',
        path,
        headers: { 'content-type': type, 'content-length': body.length },
        ...(signal && { signal }),
      })
      request.on('error', (error) => reject(new ServerGoneError(error)))
      request.on('response', resolve)
      request.end(body)
    })
  }
}

/**
 * Runs `use` with a client of the registry: of the server that runs on the data directory or, when
 * there is none, of the same registry opened in this process for as long as `use` takes, without a
 * public listener. Where there is no registry, a command that `begins` one makes it, and tells of
 * it on standard error; others are refused with UnusableError.
 */
export async function withAdminClient<T>(
  config: Config,
  use: (client: AdminClient) => Promise<T>,
  { begins = false }: { readonly begins?: boolean } = {},
): Promise<T> {
  return withSocketClient<AdminCalls, T>(config.DATA_DIR, use, async () => {
    if (!begins) await refuseEmptyFolder(config)
    // Loaded here because a command that finds a server needs none of it.
    const { openService } = await import('#src/cli/start/registry_service.ts')
    const before = await registryPlace(config)
    const service = await openService(config, { listen: false })
    if (before.origin === null) await tellOfNewRegistry(config)
    return service
  })
}

/** A body as the options of a command give it: what was not given is undefined. */
type Loose<B> = { [K in keyof B]: {} extends Pick<B, K> ? B[K] | undefined : B[K] }

/**
 * The action of a command that makes one call of the registry, as `withAdminClient`, and prints
 * what it answers: the value of `--json`, and the text for people. `bodyOf` and `shown` are given
 * the arguments of the command, and its options after them.
 */
export function calling<P extends AdminPath, Given extends readonly unknown[]>(
  path: P,
  bodyOf: (...given: Given) => Loose<AdminBody<P>>,
  shown: (reply: AdminReply<P>, ...given: Given) => readonly [value: unknown, text: string],
  how: { readonly begins?: boolean } = {},
): (...given: readonly unknown[]) => Promise<void> {
  return async (...all) => {
    const given = all as unknown as Given
    const body = bodyOf(...given) as AdminBody<P>
    const call = (client: AdminClient) => client.call(path, body)
    const reply = await withAdminClient(readConfig(process.env), call, how)
    // Commander gives the options, then the command itself.
    print(all.at(-2) as JsonOption, ...shown(reply, ...given))
  }
}

/** Runs `use` with a client of the server that runs on a data directory; undefined if none does. */
export async function withRunningRegistry<T>(
  dataDir: string,
  use: (client: AdminClient) => Promise<T>,
): Promise<T | undefined> {
  const socketPath = adminSocketPath(dataDir)
  if (!(await isAnswered(socketPath))) return undefined
  return useAndClose(new AdminClient(socketPath), use)
}

async function tellOfNewRegistry(config: Config): Promise<void> {
  const { origin, data_dir: folder } = await registryPlace(config)
  const message = `${folder} had no registry. A new one, ${origin}, was created there.`
  // With --json every line of standard error is JSON, that of a failure too.
  const isJson = process.argv.includes('--json')
  const line = isJson ? JSON.stringify({ notice: 'registry_made', message }) : `arklog: ${message}`
  process.stderr.write(`${line}\n`)
}

/**
 * Runs `use` with a client of what runs on a data directory or, when nothing does, of what `open`
 * opens there for as long as `use` takes.
 */
export async function withSocketClient<C extends SocketCalls, T>(
  dataDir: string,
  use: (client: AdminClient<C>) => Promise<T>,
  open: () => Promise<{ close(): Promise<void> }>,
): Promise<T> {
  const socketPath = adminSocketPath(dataDir)
  if (await isAnswered(socketPath)) return useAndClose(new AdminClient<C>(socketPath), use)
  const service = await open()
  try {
    return await useAndClose(new AdminClient<C>(socketPath), use)
  } finally {
    await service.close()
  }
}

async function useAndClose<C extends SocketCalls, T>(
  client: AdminClient<C>,
  use: (client: AdminClient<C>) => Promise<T>,
): Promise<T> {
  try {
    return await use(client)
  } finally {
    client.close()
  }
}

/** Whether a server of this user (or of root) listens on the socket. */
async function isAnswered(socketPath: string): Promise<boolean> {
  const { resolve, promise } = Promise.withResolvers<boolean>()
  const socket = net.connect(socketPath)
  socket.on('connect', () => resolve(true))
  socket.on('error', () => resolve(false))
  const answered = await promise
  socket.destroy()
  if (!answered) return false
  const { uid } = await fs.stat(socketPath)
  return uid === 0 || uid === process.getuid?.()
}
