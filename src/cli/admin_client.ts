import fs from 'node:fs/promises'
import net from 'node:net'
import { text } from 'node:stream/consumers'
import type { Config } from '#config/schema.ts'
import { adminSocketPath } from '#src/admin/socket.ts'
import { http } from '#src/edge/node_http.ts'
import type { AdminBody, AdminPath, AdminReplies } from '#src/admin/command_table.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'

/** How long one call may take: a bulk import of works waits for its commits. */
const callTimeoutMs = 120_000

/** The registry refused a call: `code` and `message` are those of its error body. */
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

/** The registry ended, or broke a call off, while a command was using it. */
class RegistryGoneError extends Error {
  readonly code = 'registry_gone'

  constructor(cause: Error) {
    super(
      `The registry ended before the command did (${cause.message}). Start it again if it is ` +
        'meant to run, then run the command again.',
      { cause },
    )
  }
}

/** The message of an error body, and what it says of single fields beyond that. */
function describe({ message, details }: { message: string; details?: unknown }): string {
  if (!Array.isArray(details)) return message
  const faults = (details as readonly FieldFault[]).filter((fault) => fault.message !== message)
  return [message, ...faults.map((fault) => `- ${fault.field}: ${fault.message}`)].join('\n')
}

/** Calls of the admin socket, over connections that are kept. */
export class AdminClient {
  readonly #socketPath: string
  readonly #agent = new http.Agent({ keepAlive: true })

  constructor(socketPath: string) {
    this.#socketPath = socketPath
  }

  /** Makes one call; AdminError if the registry refuses it, `registry_gone` if it has ended. */
  call<P extends AdminPath>(path: P, body: AdminBody<P>): Promise<AdminReplies[P]> {
    return this.callWithBytes(path, Buffer.from(JSON.stringify(body)))
  }

  /** A call whose JSON the caller has put together itself. */
  async callWithBytes<P extends AdminPath>(path: P, body: Buffer): Promise<AdminReplies[P]> {
    const { status, reply } = await this.#post(path, body)
    const value: unknown = JSON.parse(reply)
    if (status === 200) return value as AdminReplies[P]
    throw new AdminError(status, value as { error: string; message: string })
  }

  /** Lets the kept connections go. */
  close(): void {
    this.#agent.destroy()
  }

  #post(path: string, body: Buffer): Promise<{ status: number; reply: string }> {
    return new Promise((resolve, reject) => {
      const request = http.request({
        socketPath: this.#socketPath,
        agent: this.#agent,
        method: 'POST',
        path,
        headers: { 'content-type': 'application/json', 'content-length': body.length },
        signal: AbortSignal.timeout(callTimeoutMs),
      })
      request.on('error', (error) => reject(new RegistryGoneError(error)))
      request.on('response', (response) => {
        text(response).then((reply) => resolve({ status: response.statusCode ?? 0, reply }), reject)
      })
      request.end(body)
    })
  }
}

/**
 * Runs `use` with a client of the registry: of the server that runs on the data directory or, when
 * there is none, of the same registry opened in this process for as long as `use` takes, without a
 * public listener.
 */
export async function withAdminClient<T>(
  config: Config,
  use: (client: AdminClient) => Promise<T>,
): Promise<T> {
  const socketPath = adminSocketPath(config.DATA_DIR)
  if (await isAnswered(socketPath)) return useAndClose(new AdminClient(socketPath), use)
  // Loaded here because a command that finds a server needs none of it.
  const { openService } = await import('#src/start/registry_service.ts')
  const service = await openService(config, { listen: false })
  try {
    return await useAndClose(new AdminClient(socketPath), use)
  } finally {
    await service.close()
  }
}

async function useAndClose<T>(client: AdminClient, use: (client: AdminClient) => Promise<T>) {
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
